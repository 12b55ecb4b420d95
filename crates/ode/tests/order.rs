//! How fast the errors fall, and what the methods integrate without error.

mod problems;

use jointplay_ode::{Dop853, Dopri5, Method, drive};
use problems::{
    DenseError, Plain, distance, fixed_step, reach_end, rotation_and_decay,
    rotation_and_decay_exact, tolerance,
};

/// The slope of log error over log step by least squares: one pair of steps can be lucky.
fn measured_order(errors: &[(f64, f64)]) -> f64 {
    let n = errors.len() as f64;
    let points = errors.iter().map(|(h, e)| (h.ln(), e.ln()));
    let (sx, sy) = points.clone().fold((0.0, 0.0), |s, p| (s.0 + p.0, s.1 + p.1));
    let (mx, my) = (sx / n, sy / n);
    let sxy: f64 = points.clone().map(|(x, y)| (x - mx) * (y - my)).sum();
    let sxx: f64 = points.map(|(x, _)| (x - mx) * (x - mx)).sum();
    sxy / sxx
}

fn assert_order(measured: f64, expected: f64) {
    assert!((measured - expected).abs() < 0.2, "measured {measured}, expected {expected}");
}

fn global_order<M: Method>(method: M, steps: &[u32]) -> f64 {
    let errors: Vec<_> = steps
        .iter()
        .map(|&n| {
            let h = 4.0 / f64::from(n);
            let y0 = rotation_and_decay_exact(0.0);
            let run = reach_end(&Plain(rotation_and_decay), method, y0, 4.0, &fixed_step(h));
            assert_eq!(run.stats.accepted, n as usize);
            (h, distance(&run.y, &rotation_and_decay_exact(4.0)))
        })
        .collect();
    measured_order(&errors)
}

#[test]
fn order_of_dopri5_is_5() {
    assert_order(global_order(Dopri5, &[32, 64, 128, 256]), 5.0);
}

#[test]
fn order_of_dop853_is_8() {
    assert_order(global_order(Dop853, &[8, 12, 16, 24, 32]), 8.0);
}

/// Error inside one step from the exact start at t = 1.5, where the leading term
/// already rules; dense output of order q has a local error `h^(q+1)`.
fn dense_order<M: Method>(method: M, sizes: &[f64]) -> f64 {
    let errors: Vec<_> = sizes
        .iter()
        .map(|&h| {
            let mut record = DenseError { exact: rotation_and_decay_exact, worst: 0.0 };
            let y0 = rotation_and_decay_exact(1.5);
            let system = Plain(rotation_and_decay);
            let options = fixed_step(h);
            let run = drive(&system, method, y0, (), 1.5..1.5 + h, &options, &mut record);
            assert_eq!(run.stats.accepted, 1);
            (h, record.worst)
        })
        .collect();
    measured_order(&errors)
}

#[test]
fn order_of_dense_output_of_dopri5_is_4() {
    assert_order(dense_order(Dopri5, &[0.1, 0.05, 0.025, 0.0125]), 5.0);
}

#[test]
fn order_of_dense_output_of_dop853_is_7() {
    assert_order(dense_order(Dop853, &[0.3, 0.2, 0.15, 0.1]), 8.0);
}

/// `y' = (m+1) t^m` over 5 steps of 0.5: error at the end and inside the steps.
fn monomial_error<M: Method>(method: M, m: i32) -> (f64, f64) {
    let exact = |t: f64| [t.powi(m + 1)];
    let mut record = DenseError { exact, worst: 0.0 };
    let system = Plain(|t: f64, _: &[f64; 1]| [f64::from(m + 1) * t.powi(m)]);
    let options = fixed_step(0.5);
    let run = drive(&system, method, [0.0], (), 0.0..2.5, &options, &mut record);
    let size = exact(2.5)[0];
    (distance(&run.y, &exact(2.5)) / size, record.worst / size)
}

#[test]
fn exact_polynomials_up_to_the_order() {
    // Rounding of sums whose terms are greater than the result, up to 400 times in the D of DOP853.
    let rounding = 1e-13;
    for m in 0..=4 {
        assert!(monomial_error(Dopri5, m).0 < rounding, "DOPRI5, t^{m}");
    }
    for m in 0..=3 {
        assert!(monomial_error(Dopri5, m).1 < rounding, "DOPRI5 dense, t^{m}");
    }
    for m in 0..=7 {
        assert!(monomial_error(Dop853, m).0 < rounding, "DOP853, t^{m}");
    }
    for m in 0..=6 {
        assert!(monomial_error(Dop853, m).1 < rounding, "DOP853 dense, t^{m}");
    }
    assert!(monomial_error(Dopri5, 5).0 > 1e-8, "not of order 6");
    assert!(monomial_error(Dop853, 8).0 > 1e-11, "not of order 9");
}

#[test]
fn exact_harmonic_oscillator_over_ten_periods() {
    let system = Plain(|_t: f64, y: &[f64; 2]| [y[1], -y[0]]);
    let t_end = 20.0 * std::f64::consts::PI;
    // Some hundred steps, each with an error below the tolerance, and no instability to make it grow.
    let run = reach_end(&system, Dopri5, [1.0, 0.0], t_end, &tolerance(1e-9));
    assert!(distance(&run.y, &[1.0, 0.0]) < 1e-6);
    let run = reach_end(&system, Dop853, [1.0, 0.0], t_end, &tolerance(1e-12));
    assert!(distance(&run.y, &[1.0, 0.0]) < 1e-10);
}

#[test]
fn property_error_follows_the_tolerance() {
    fn errors<M: Method>(method: M) -> [f64; 3] {
        [1e-5, 1e-7, 1e-9].map(|level| {
            let y0 = rotation_and_decay_exact(0.0);
            let system = Plain(rotation_and_decay);
            let run = reach_end(&system, method, y0, 4.0, &tolerance(level));
            distance(&run.y, &rotation_and_decay_exact(4.0)) / level
        })
    }
    for ratio in errors(Dopri5).into_iter().chain(errors(Dop853)) {
        assert!(ratio > 1e-4 && ratio < 100.0, "{ratio}");
    }
}

#[test]
fn property_arrays_and_vectors_give_the_same_bits() {
    use jointplay_ode::{Fault, System};
    struct Heap;
    impl System for Heap {
        type State = Vec<f64>;
        type Mode = ();
        type Guards = Vec<f64>;
        fn rhs(&self, t: f64, y: &Vec<f64>, (): &(), dy: &mut Vec<f64>) -> Result<(), Fault> {
            dy.copy_from_slice(&rotation_and_decay(t, &[y[0], y[1], y[2]]));
            Ok(())
        }
    }
    let y0 = rotation_and_decay_exact(0.0);
    let options = tolerance(1e-8);
    let array = reach_end(&Plain(rotation_and_decay), Dop853, y0, 4.0, &options);
    let heap = reach_end(&Heap, Dop853, y0.to_vec(), 4.0, &options);
    assert_eq!(array.y.to_vec(), heap.y);
    assert_eq!(array.stats, heap.stats);
}
