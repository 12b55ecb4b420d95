//! Named problems, judged by other programs.

mod problems;

use ivp::prelude::{FirstOrderSystem, Ivp};
use jointplay_ode::{Dop853, Dopri5, Method, Options, Run, Tolerance};
use problems::{
    ARENSTORF_PERIOD, ARENSTORF_START, Plain, arenstorf, distance, reach_end, tolerance,
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
}
