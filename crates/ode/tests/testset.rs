//! Named problems, judged by other programs.

use crate::problems::{
    ARENSTORF_PERIOD, ARENSTORF_START, Plain, arenstorf, distance, reach_end, tolerance,
};
use ivp::prelude::{FirstOrderSystem, Ivp};
use jointplay_ode::{
    Dop853, Dopri5, Fault, Matrix, Method, Options, Radau5, Rk4, Rkf45, Run, System, Tolerance,
};

/// A right-hand side.
type Field<const N: usize> = fn(f64, &[f64; N]) -> [f64; N];

/// A problem for the crate `ivp`, an independent implementation of the same methods.
struct Peer<const N: usize>(Field<N>);

impl<const N: usize> FirstOrderSystem for Peer<N> {
    fn derivative(&self, t: f64, y: &[f64], dy: &mut [f64]) {
        let y = y.try_into().expect("the peer keeps the dimension");
        dy.copy_from_slice(&(self.0)(t, y));
    }
}

struct PeerRun<const N: usize> {
    y: [f64; N],
    evaluations: usize,
    accepted: usize,
    rejected: usize,
}

fn peer<const N: usize>(
    f: Field<N>,
    method: ivp::Method,
    y0: [f64; N],
    t_end: f64,
    level: f64,
    first_step: f64,
) -> PeerRun<N> {
    let solution = Ivp::first_order(&Peer(f), 0.0, t_end, &y0)
        .method(method)
        .rtol(level)
        .atol(level)
        .first_step(first_step)
        .solve()
        .expect("the peer solves the problem");
    let y = solution.y.last().expect("the peer has an end");
    PeerRun {
        y: y[..].try_into().expect("the peer keeps the dimension"),
        evaluations: solution.nfev,
        accepted: solution.naccpt,
        rejected: solution.nrejct,
    }
}

fn ours<const N: usize, M: Method>(
    f: Field<N>,
    method: M,
    y0: [f64; N],
    t_end: f64,
    level: f64,
    first_step: f64,
) -> Run<Plain<N, Field<N>>> {
    let options =
        Options { first_step: Some(first_step), ..Options::new(Tolerance::new(level, level)) };
    reach_end(&Plain(f), method, y0, t_end, &options)
}

/// Van der Pol's oscillator with ε = 1.
fn van_der_pol(_t: f64, y: &[f64; 2]) -> [f64; 2] {
    [y[1], (1.0 - y[0] * y[0]) * y[1] - y[0]]
}

/// Compares a run with that of the peer: the same step sequence up to rounding, so the same counts.
///
/// The peer always pays for the dense output of DOP853, 3 evaluations per accepted step; we do only where it is
/// used. It does not count rejections before the first accepted step, as Hairer's codes do.
fn assert_same_run<const N: usize, M: Method>(
    f: Field<N>,
    (method, peer_method): (M, ivp::Method),
    dense: usize,
    (y0, t_end): ([f64; N], f64),
    level: f64,
) {
    // Small enough that neither program rejects its first step.
    let first_step = 1e-4;
    let theirs = peer(f, peer_method, y0, t_end, level, first_step);
    let run = ours(f, method, y0, t_end, level, first_step);
    assert_eq!(run.stats.accepted, theirs.accepted);
    assert_eq!(run.stats.rejected, theirs.rejected);
    assert_eq!(run.stats.evaluations + dense * theirs.accepted, theirs.evaluations);
    // Rounding enters the step sizes through the error of the first steps, which is all rounding, and the orbit
    // magnifies it; both runs stay within the tolerance of each other, though not of the exact solution.
    let apart = distance(&run.y, &theirs.y);
    assert!(apart < level, "{apart:e}");
}

#[test]
fn peer_van_der_pol() {
    let start = ([2.0, 0.0], 20.0);
    for level in [1e-4, 1e-6, 1e-9] {
        let dopri5 = (Dopri5, ivp::Method::DOPRI5);
        assert_same_run(van_der_pol, dopri5, 0, start, level);
        let dop853 = (Dop853, ivp::Method::DOP853);
        assert_same_run(van_der_pol, dop853, 3, start, level);
    }
}

#[test]
fn property_each_method_meets_the_others() {
    let exact = reach_end(&Plain(van_der_pol), Dop853, [2.0, 0.0], 20.0, &tolerance(1e-13)).y;
    each_method!(method, 1e-3 => {
        let run = reach_end(&Plain(van_der_pol), method, [2.0, 0.0], 20.0, &tolerance(1e-9));
        let error = distance(&run.y, &exact);
        assert!(error < 1e-6, "{error:e}");
    });
}

#[test]
fn peer_arenstorf_orbit() {
    let start = (ARENSTORF_START, ARENSTORF_PERIOD);
    for level in [1e-4, 1e-6] {
        let dopri5 = (Dopri5, ivp::Method::DOPRI5);
        assert_same_run(arenstorf, dopri5, 0, start, level);
        let dop853 = (Dop853, ivp::Method::DOP853);
        assert_same_run(arenstorf, dop853, 3, start, level);
    }
}

#[test]
fn exact_arenstorf_orbit_closes() {
    // The orbit magnifies an early error by about 1e5 (the velocity more than the position).
    let system = Plain(arenstorf);
    let (y0, period) = (ARENSTORF_START, ARENSTORF_PERIOD);
    let run = reach_end(&system, Dopri5, y0, period, &tolerance(1e-10));
    assert!(distance(&run.y, &y0) < 1e-5);
    let run = reach_end(&system, Dop853, y0, period, &tolerance(1e-13));
    assert!(distance(&run.y, &y0) < 1e-8);
    let run = reach_end(&system, Rkf45, y0, period, &tolerance(1e-10));
    assert!(distance(&run.y, &y0) < 1e-4);
    let run = reach_end(&system, Radau5, y0, period, &tolerance(1e-11));
    assert!(distance(&run.y, &y0) < 1e-4);
    // Near the moon the orbit needs steps of 1e-5; one size for all is dear.
    let run = reach_end(&system, Rk4 { step: 2e-5 }, y0, period, &tolerance(1.0));
    assert!(distance(&run.y, &y0) < 1e-4);
}

/// Van der Pol's oscillator as a relaxation oscillator, `ε y'' = (1 − y²) y' − y`, ε = 1e-6.
fn relaxation(_t: f64, y: &[f64; 2]) -> [f64; 2] {
    [y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) * 1e6]
}

/// Robertson's reactions.
fn robertson(_t: f64, y: &[f64; 3]) -> [f64; 3] {
    let (slow, back, fast) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
    [back - slow, slow - back - fast, fast]
}

/// High irradiance responses of photomorphogenesis.
fn hires(_t: f64, y: &[f64; 8]) -> [f64; 8] {
    let bind = 280.0 * y[5] * y[7];
    [
        -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007,
        1.71 * y[0] - 8.75 * y[1],
        -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4],
        8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3],
        -1.745 * y[4] + 0.43 * y[5] + 0.43 * y[6],
        -bind + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6],
        bind - 1.81 * y[6],
        -bind + 1.81 * y[6],
    ]
}

/// The greatest relative error of any component.
fn relative_error<const N: usize>(y: &[f64; N], reference: &[f64; N]) -> f64 {
    distance(&std::array::from_fn(|i| y[i] / reference[i]), &[1.0; N])
}

// References: F. Mazzia, C. Magherini, Test set for initial value problem solvers, release 2.4, Bari 2008, problems
// VDPOL, ROBER and HIRES; computed there by RADAU5 and RADAU at tolerances of 1.1e-18.

#[test]
fn published_relaxation_oscillation() {
    let reference = [0.1706167732170483e1, -0.8928097010247975];
    let system = Plain(relaxation);
    for (level, error) in [(1e-4, 1e-3), (1e-7, 1e-6), (1e-10, 1e-9)] {
        let run = reach_end(&system, Radau5, [2.0, 0.0], 2.0, &tolerance(level));
        assert!(relative_error(&run.y, &reference) < error, "{level:e}: {:?}", run.y);
        assert!(run.stats.accepted < 3000, "{:?}", run.stats);
    }
}

#[test]
fn published_robertson() {
    let reference = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.999999979166505];
    let system = Plain(robertson);
    for (level, error) in [(1e-5, 1e-2), (1e-8, 1e-5)] {
        let options = Options::new(Tolerance::new(level, level * 1e-10));
        let run = reach_end(&system, Radau5, [1.0, 0.0, 0.0], 1e11, &options);
        assert!(relative_error(&run.y, &reference) < error, "{level:e}: {:?}", run.y);
        assert!(run.stats.accepted < 1000, "{:?}", run.stats);
    }
}

#[test]
fn published_hires() {
    let reference = [
        0.7371312573325668e-3,
        0.1442485726316185e-3,
        0.5888729740967575e-4,
        0.1175651343283149e-2,
        0.2386356198831331e-2,
        0.6238968252742796e-2,
        0.2849998395185769e-2,
        0.2850001604814231e-2,
    ];
    let y0 = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057];
    let system = Plain(hires);
    for (level, error) in [(1e-5, 1e-3), (1e-8, 1e-6), (1e-11, 1e-9)] {
        let options = Options::new(Tolerance::new(level, level * 1e-3));
        let run = reach_end(&system, Radau5, y0, 321.8122, &options);
        assert!(relative_error(&run.y, &reference) < error, "{level:e}: {:?}", run.y);
    }
    // Not so stiff that the explicit methods could not do it.
    let options = Options::new(Tolerance::new(1e-9, 1e-12));
    for y in [
        reach_end(&system, Dopri5, y0, 321.8122, &options).y,
        reach_end(&system, Dop853, y0, 321.8122, &options).y,
        reach_end(&system, Rkf45, y0, 321.8122, &options).y,
        reach_end(&system, Rk4 { step: 1e-3 }, y0, 321.8122, &options).y,
    ] {
        assert!(relative_error(&y, &reference) < 1e-6, "{y:?}");
    }
}

#[test]
fn peer_radau_on_a_stiff_and_a_smooth_problem() {
    fn check<const N: usize>(f: Field<N>, y0: [f64; N], t_end: f64, level: f64) {
        let theirs = peer(f, ivp::Method::RADAU, y0, t_end, level, 1e-6);
        let run = ours(f, Radau5, y0, t_end, level, 1e-6);
        let apart = distance(&run.y, &theirs.y);
        // Two programs of one method, each with its own sequence of steps: both within their error.
        assert!(apart < 100.0 * level, "{apart:e} at {level:e}");
        let ratio = run.stats.accepted as f64 / theirs.accepted as f64;
        assert!(ratio > 0.5 && ratio < 2.0, "{} to {} steps", run.stats.accepted, theirs.accepted);
    }
    for level in [1e-4, 1e-6, 1e-8] {
        check(van_der_pol, [2.0, 0.0], 20.0, level);
        check(relaxation, [2.0, 0.0], 0.5, level);
    }
}

/// [`relaxation`] with its exact Jacobian, and a quadrature of `y²` that nothing depends on.
struct Relaxation<const HAS_JACOBIAN: bool>;

impl<const HAS_JACOBIAN: bool> System for Relaxation<HAS_JACOBIAN> {
    type State = [f64; 3];
    type Mode = ();
    type Guards = [f64; 0];
    type Scratch = ();
    const HAS_JACOBIAN: bool = HAS_JACOBIAN;

    fn scratch(&self) {}
    fn rhs(
        &self,
        t: f64,
        &[y, v, _]: &[f64; 3],
        (): &(),
        dy: &mut [f64; 3],
        (): &mut (),
    ) -> Result<(), Fault> {
        let [slope, force] = relaxation(t, &[y, v]);
        *dy = [slope, force, y * y];
        Ok(())
    }
    fn jacobian(
        &self,
        _t: f64,
        &[y, v, _]: &[f64; 3],
        (): &(),
        jacobian: &mut Matrix,
        (): &mut (),
    ) -> Result<(), Fault> {
        jacobian[(0, 1)] = 1.0;
        jacobian[(1, 0)] = -(2.0 * y * v + 1.0) * 1e6;
        jacobian[(1, 1)] = (1.0 - y * y) * 1e6;
        jacobian[(2, 0)] = 2.0 * y;
        Ok(())
    }
}

#[test]
fn property_a_jacobian_saves_the_differences_and_a_quadrature_does_no_harm() {
    let options = tolerance(1e-8);
    let y0 = [2.0, 0.0, 0.0];
    let own = reach_end(&Relaxation::<true>, Radau5, y0, 2.0, &options);
    let differences = reach_end(&Relaxation::<false>, Radau5, y0, 2.0, &options);
    assert!(distance(&own.y, &differences.y) < 1e-6);
    let saved = differences.stats.evaluations - 3 * differences.stats.jacobians;
    let steps = |stats: jointplay_ode::Stats| stats.accepted + stats.rejected;
    assert!(steps(own.stats).abs_diff(steps(differences.stats)) < 20);
    assert!(own.stats.evaluations.abs_diff(saved) < saved / 20);
    // Over one slow branch of the cycle the quadrature is an integral that the slow manifold gives:
    // y' = y/(1 − y²), so ∫ y² dt = ∫ y (1 − y²) dy, up to ε.
    let run = reach_end(&Relaxation::<true>, Radau5, y0, 0.5, &options);
    let primitive = |y: f64| 0.5 * y * y - 0.25 * y.powi(4);
    assert!((run.y[2] - (primitive(run.y[0]) - primitive(2.0))).abs() < 1e-5);
}
