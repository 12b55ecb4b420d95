//! How fast the errors fall, and what the methods integrate without error.

use crate::problems::{
    DenseError, Plain, assert_order, distance, fixed_step, measured_order, radau_step, reach_end,
    rotation_and_decay, rotation_and_decay_exact, tolerance,
};
use jointplay_ode::{Dop853, Dopri5, Method, Options, Radau5, Rk4, Rkf45, drive};

fn global_order<M: Method>(
    method: impl Fn(f64) -> M,
    options: impl Fn(f64) -> Options,
    steps: &[u32],
) -> f64 {
    let errors: Vec<_> = steps
        .iter()
        .map(|&n| {
            let h = 4.0 / f64::from(n);
            let y0 = rotation_and_decay_exact(0.0);
            let system = Plain(rotation_and_decay);
            let run = reach_end(&system, method(h), y0, 4.0, &options(h));
            assert_eq!((run.stats.accepted, run.stats.rejected), (n as usize, 0));
            (h, distance(&run.y, &rotation_and_decay_exact(4.0)))
        })
        .collect();
    measured_order(&errors)
}

#[test]
fn order_of_dopri5_is_5() {
    assert_order(global_order(|_| Dopri5, fixed_step, &[32, 64, 128, 256]), 5.0);
}

#[test]
fn order_of_dop853_is_8() {
    assert_order(global_order(|_| Dop853, fixed_step, &[8, 12, 16, 24, 32]), 8.0);
}

#[test]
fn order_of_rkf45_is_4() {
    assert_order(global_order(|_| Rkf45, fixed_step, &[32, 64, 128, 256]), 4.0);
}

#[test]
fn order_of_rk4_is_4() {
    assert_order(global_order(|step| Rk4 { step }, fixed_step, &[32, 64, 128, 256]), 4.0);
}

#[test]
fn order_of_radau5_is_5() {
    assert_order(global_order(|_| Radau5, radau_step, &[32, 64, 128, 256]), 5.0);
}

/// Error inside one step from the exact start at t = 1.5, where the leading term
/// already rules; dense output of order q has a local error `h^(q+1)`.
fn dense_order<M: Method>(
    method: impl Fn(f64) -> M,
    options: impl Fn(f64) -> Options,
    sizes: &[f64],
) -> f64 {
    let errors: Vec<_> = sizes
        .iter()
        .map(|&h| {
            let mut record = DenseError { exact: rotation_and_decay_exact, worst: 0.0 };
            let y0 = rotation_and_decay_exact(1.5);
            let system = Plain(rotation_and_decay);
            let run = drive(&system, method(h), y0, (), 1.5..1.5 + h, &options(h), &mut record);
            assert_eq!(run.stats.accepted, 1);
            (h, record.worst)
        })
        .collect();
    measured_order(&errors)
}

const SIZES: [f64; 4] = [0.1, 0.05, 0.025, 0.0125];

#[test]
fn order_of_dense_output_of_dopri5_is_4() {
    assert_order(dense_order(|_| Dopri5, fixed_step, &SIZES), 5.0);
}

#[test]
fn order_of_dense_output_of_dop853_is_7() {
    assert_order(dense_order(|_| Dop853, fixed_step, &[0.3, 0.2, 0.15, 0.1]), 8.0);
}

#[test]
fn order_of_dense_output_of_rkf45_is_4() {
    assert_order(dense_order(|_| Rkf45, fixed_step, &SIZES), 5.0);
}

#[test]
fn order_of_dense_output_of_rk4_is_3() {
    assert_order(dense_order(|step| Rk4 { step }, fixed_step, &SIZES), 4.0);
}

#[test]
fn order_of_dense_output_of_radau5_is_3() {
    assert_order(dense_order(|_| Radau5, radau_step, &SIZES), 4.0);
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
    /// Every power up to the order at the ends, and up to the order of the dense output inside.
    fn check<M: Method>(method: M, at_the_end: i32, inside: i32, rounding: f64) {
        for m in 0..at_the_end {
            assert!(monomial_error(method, m).0 < rounding, "t^{m}");
        }
        for m in 0..inside {
            assert!(monomial_error(method, m).1 < rounding, "dense, t^{m}");
        }
        assert!(monomial_error(method, at_the_end).0 > 1e-11, "not of higher order");
        assert!(monomial_error(method, inside).1 > 1e-11, "dense, not of higher order");
    }
    // Rounding of sums whose terms are greater than the result, up to 400 times in the D of DOP853.
    let rounding = 1e-13;
    check(Dopri5, 5, 4, rounding);
    check(Dop853, 8, 7, rounding);
    check(Rkf45, 4, 4, rounding);
    check(Rk4 { step: 0.5 }, 4, 3, rounding);
    check(Radau5, 5, 3, rounding);
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
    let ratios = [errors(Dopri5), errors(Dop853), errors(Rkf45), errors(Radau5)];
    for ratio in ratios.into_iter().flatten() {
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
        type Scratch = ();

        fn scratch(&self) {}
        fn rhs(
            &self,
            t: f64,
            y: &Vec<f64>,
            (): &(),
            dy: &mut Vec<f64>,
            (): &mut (),
        ) -> Result<(), Fault> {
            dy.copy_from_slice(&rotation_and_decay(t, &[y[0], y[1], y[2]]));
            Ok(())
        }
    }
    let y0 = rotation_and_decay_exact(0.0);
    let options = tolerance(1e-8);
    each_method!(method, 0.1 => {
        let array = reach_end(&Plain(rotation_and_decay), method, y0, 4.0, &options);
        let heap = reach_end(&Heap, method, y0.to_vec(), 4.0, &options);
        assert_eq!(array.y.to_vec(), heap.y);
        assert_eq!(array.stats, heap.stats);
    });
}
