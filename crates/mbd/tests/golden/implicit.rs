//! The implicit method on mechanisms: its order, and singular positions on the way.

use jointplay_mbd::{
    Accuracy, Anchor, Formulation, Mechanism, Method, Sampling, Simulation, Solution,
};

use super::iftomm::a02;
use super::judge::{BOTH, instants};
use super::reference::Case;
use crate::sweep;

/// Runs in `steps` equal steps, with the tightest tolerance that all of them pass: the iteration for the stages ends far below it, and
/// the estimate of the method, which is of lower order, is far above its error.
fn in_equal_steps(
    mechanism: &Mechanism,
    formulation: Formulation,
    steps: u32,
    until: f64,
) -> Solution {
    let step = until / f64::from(steps);
    let simulation = Simulation::new(mechanism).formulation(formulation).method(Method::Radau5);
    let simulation = simulation.first_step(step).max_step(step).until(until);
    let simulation = simulation.sampled(Sampling::Times(vec![until]));
    let runs = (2..=14).rev().map(|exponent| {
        let admitted = 10.0_f64.powi(-exponent);
        let accuracy = Accuracy {
            length: Some(admitted),
            angle: Some(admitted),
            time: Some(step),
            energy: Some(1e9),
            ..Accuracy::relative(1e-13)
        };
        simulation.clone().accuracy(accuracy).run().expect("it starts")
    });
    let mut passed = runs.filter(|run| {
        let stats = &run.stats;
        run.outcome.reached_end() && (stats.accepted, stats.rejected) == (steps as usize, 0)
    });
    passed.next().unwrap_or_else(|| panic!("{formulation:?}: {steps} steps do not pass"))
}

/// The slope of the line through (ln h, ln error).
fn order(errors: &[(u32, f64)]) -> f64 {
    let points = errors.iter().map(|&(steps, error)| (-f64::from(steps).ln(), error.ln()));
    let count = errors.len() as f64;
    let [x, y] = points.clone().fold([0.0; 2], |[a, b], (x, y)| [a + x / count, b + y / count]);
    let (above, below) = points.fold((0.0, 0.0), |(above, below), (u, v)| {
        (above + (u - x) * (v - y), below + (u - x) * (u - x))
    });
    above / below
}

fn assert_order_5(name: &str, errors: &[(u32, f64)]) {
    let order = order(errors);
    println!("{name}: order {order:.3}, {errors:?}");
    assert!((order - 5.0).abs() < 0.2, "{name}: {order} {errors:?}");
}

/// How long a motion takes from one angle to another at the rate (rad/s) that its energy gives it there: 400 intervals with Gauss's five points.
fn time_between(from: f64, to: f64, rate: impl Fn(f64) -> f64) -> f64 {
    const POINTS: [(f64, f64); 5] = [
        (0.0, 0.568_888_888_888_888_9),
        (0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (-0.538_469_310_105_683_1, 0.478_628_670_499_366_5),
        (0.906_179_845_938_664, 0.236_926_885_056_189_1),
        (-0.906_179_845_938_664, 0.236_926_885_056_189_1),
    ];
    let half = 0.5 * (to - from) / 400.0;
    let part = |i: u32| -> f64 {
        let middle = from + half * f64::from(2 * i + 1);
        POINTS.iter().map(|(x, weight)| weight * half / rate(middle + half * x)).sum()
    };
    (0..400).map(part).sum()
}

/// The rate of the uprights of A02 by its energy.
fn a02_rate(case: &Case, windows: usize) -> impl Fn(f64) -> f64 {
    let (uprights, tops) = (windows as f64 + 1.0, windows as f64);
    let (length, g) = (case.get("length"), case.get("gravity"));
    let start = case.get("v_b0x") / length;
    // Per mass and squared length; the centres of the uprights are at half the height of the tops.
    let inertia = uprights / 3.0 + tops;
    let weight = (0.5 * uprights + tops) * g / length;
    move |phi: f64| -(start * start + 2.0 * weight * (1.0 - phi.sin()) / inertia).sqrt()
}

#[test]
fn order_of_the_implicit_method_on_a02_is_5() {
    use std::f64::consts::FRAC_PI_2;
    let case = Case::with_parameters("a02", "n2", "a02");
    // The first singular position is reached after 0.7 s.
    let until = 0.5;
    for &windows in sweep::cases(&[2, 10][..], &[2, 4, 10, 20, 40, 100, 200][..]) {
        let (mechanism, top): (_, Anchor) = a02(&case, windows);
        let rate = a02_rate(&case, windows);
        // In joint coordinates the matrix is dense.
        let formulations = if windows > 10 { &BOTH[1..] } else { &BOTH };
        for &formulation in formulations {
            let errors = [6, 8, 11, 16].map(|steps| {
                let run = in_equal_steps(&mechanism, formulation, steps, until);
                let phi = instants(&run, &[until])[0].angle(top.body).value;
                (steps, (time_between(FRAC_PI_2, phi, &rate) - until).abs())
            });
            assert_order_5(&format!("A02 with {windows} windows, {formulation:?}"), &errors);
        }
    }
}

/// On the way lie positions in which the constraints repeat each other; beyond them the mechanism stays on the branch whose closed form is that of
/// a pendulum.
#[test]
fn exact_a02_beyond_singular_positions_by_the_implicit_method() {
    use std::f64::consts::FRAC_PI_2;
    let case = Case::with_parameters("a02", "n2", "a02");
    for &windows in sweep::cases(&[1, 2, 10][..], &[1, 2, 4, 10, 40][..]) {
        let (mechanism, top) = a02(&case, windows);
        let rate = a02_rate(&case, windows);
        for formulation in BOTH {
            let simulation = Simulation::new(&mechanism).formulation(formulation);
            let simulation = simulation.method(Method::Radau5).tolerance(1e-10).until(2.0);
            let run = simulation.sampled(Sampling::Times(vec![2.0])).run().expect("it starts");
            let what = format!("{windows} windows, {formulation:?}");
            assert!(run.outcome.reached_end(), "{what}: {}", run.outcome);
            let phi = instants(&run, &[2.0])[0].angle(top.body).value;
            let error = (time_between(FRAC_PI_2, phi, &rate) - 2.0).abs();
            let residual = run.ledger.relative_residual();
            println!("{what}: {error:.1e} s, books {residual:.1e}, {:?}", run.stats);
            // Two singular positions, each of which magnifies what a step leaves in the constraints (ADR 0016).
            assert!(error < 1e-6, "{what}: {error:e}");
        }
    }
}
