//! B7: a chain of N links with a clearance in every joint, released horizontally from rest.

#[path = "../../examples/clearance_chain.rs"]
#[allow(dead_code, reason = "the example is a program, too")]
mod example;

use jointplay_mbd::{Formulation, Mechanism, Method, Sampling, Simulation, Solution};

use super::reference::rows;

const CLEARANCE: f64 = 1e-4;

fn run(
    mechanism: &Mechanism,
    method: Method,
    formulation: Formulation,
    relative: f64,
    until: f64,
) -> Solution {
    let simulation = Simulation::new(mechanism).method(method).formulation(formulation);
    let simulation = simulation.tolerance(relative).sampled(Sampling::EventsOnly).until(until);
    let run = simulation.run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    run
}

/// Every impact of the first 0.1 s in the right joint and at the right time, by each method and in both sets of coordinates.
fn judge(links: usize, method: Method, formulation: Formulation) {
    let mechanism = example::chain(links, 0.0).expect("good parts");
    let run = run(&mechanism, method, formulation, 1e-10, 0.1);
    let case = format!("n{links}");
    let all = rows("mechanisms-b7-chain/data.csv");
    let wanted: Vec<_> = all.iter().filter(|row| row.text("case") == case).collect();
    let found: Vec<_> = run.impacts().collect();
    assert_eq!(found.len(), wanted.len(), "{case} {method:?} {formulation:?}");
    for ((t, contact, speed), row) in found.into_iter().zip(wanted) {
        let joint = format!("pin {}", row.text("joint"));
        assert_eq!(mechanism.contact_name(contact), joint);
        assert!((t - row.number("t")).abs() < 1e-6, "{case} {method:?}: {t} {}", row.number("t"));
        let reference = row.number("impact_speed");
        // What 1e-6 s make of a speed under gravity.
        assert!((speed - reference).abs() < 1e-5, "{case} {method:?}: {speed} {reference}");
    }
    assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
}

#[test]
fn peer_impacts_of_short_chains_with_clearance() {
    for links in [1, 2, 4] {
        for method in [Method::Dop853, Method::Auto, Method::Radau5] {
            judge(links, method, Formulation::Absolute);
        }
        judge(links, Method::Auto, Formulation::Joint);
    }
}

/// Where the switch to the implicit method pays: fewer evaluations, and the same motion as by the explicit one at a tight tolerance.
#[test]
fn property_auto_hands_stiff_contacts_over_and_keeps_the_motion() {
    let mechanism = example::chain(8, 0.0).expect("good parts");
    let absolute = Formulation::Absolute;
    let judge = run(&mechanism, Method::Dop853, absolute, 1e-11, 0.05);
    let [explicit, auto] = [Method::Dop853, Method::Auto].map(|method| {
        let run = run(&mechanism, method, absolute, 1e-7, 0.05);
        let (end, reference) = (run.end().expect("an end"), judge.end().expect("an end"));
        for (body, name, _) in mechanism.bodies() {
            let (x, wanted) = (end.position(body).position, reference.position(body).position);
            for i in 0..2 {
                assert!((x[i] - wanted[i]).abs() < 1e-3 * CLEARANCE, "{method:?}: {name}");
            }
        }
        run.stats
    });
    assert_eq!(explicit.newton_iterations, 0);
    assert!(
        auto.newton_iterations > 100 && auto.accepted < explicit.accepted,
        "{auto:?} {explicit:?}"
    );
}

/// `auto` takes absolute coordinates for a chain of free links, and the usual ones for a single link.
#[test]
fn property_coordinates_follow_the_structure() {
    for (links, formulation) in [(8, Formulation::Absolute), (1, Formulation::Joint)] {
        let mechanism = example::chain(links, 0.0).expect("good parts");
        let [chosen, named] = [Formulation::Auto, formulation].map(|formulation| {
            let run = run(&mechanism, Method::Dop853, formulation, 1e-7, 0.01);
            run.end().expect("an end").energy().total().to_bits()
        });
        assert_eq!(chosen, named, "{links} links");
    }
}

/// Interrupted while either method works, a run ends with the bits of one that was not: what the implicit method keeps of its matrices
/// is the place where they were taken.
#[test]
fn property_a_stiff_run_resumes_with_the_same_bits() {
    use std::ops::ControlFlow;

    let mechanism = example::chain(8, 0.0).expect("good parts");
    let simulation = Simulation::new(&mechanism).method(Method::Auto).until(0.05);
    let simulation = simulation.formulation(Formulation::Auto).tolerance(1e-6);
    let simulation = simulation.sampled(Sampling::EventsOnly);
    let whole = simulation.run().expect("it starts");
    assert!(whole.stats.newton_iterations > 100, "{:?}", whole.stats);
    let bits = |run: &Solution| {
        let (_, y, _) = run.trajectory.get(run.trajectory.len() - 1);
        let y: Vec<u64> = y.iter().map(|y| y.to_bits()).collect();
        (y, format!("{:?}", run.stats))
    };
    for place in 1..12 {
        let mut steps = 0;
        let stop = place * whole.stats.accepted / 12;
        let first = simulation.run_watched(|_| {
            steps += 1;
            if steps == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let checkpoint = first.expect("it starts").checkpoint.expect("it did not fail");
        let rest = simulation.resume(checkpoint, |_| ControlFlow::Continue(())).expect("its own");
        assert_eq!(bits(&rest), bits(&whole), "after {stop} steps");
    }
}
