//! No step allocates.

use jointplay_mbd::{Mechanism, Method, Sampling, Simulation};
use jointplay_ode::Stats;

use super::ledger::press;
use super::mechanisms::{BOTH, Recipe, mechanism};
use crate::allocations::allocations;

/// Allocations of a run that keeps nothing but events.
fn count(simulation: &Simulation) -> (usize, Stats) {
    let before = allocations();
    let run = simulation.run().expect("it starts");
    let after = allocations();
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    (after - before, run.stats)
}

fn quiet(mechanism: &Mechanism, method: Method) -> [Simulation; 2] {
    BOTH.map(|formulation| {
        let simulation = Simulation::new(mechanism).formulation(formulation).method(method);
        simulation.sampled(Sampling::EventsOnly).tolerance(1e-7)
    })
}

const METHODS: [Method; 6] = [
    Method::Rkf45,
    Method::Dopri5,
    Method::Dop853,
    Method::Auto,
    Method::Radau5,
    Method::Rk4 { step: 1e-3 },
];

/// Loops, drivers, friction and every force: ten times the steps, the same allocations.
#[test]
fn property_steps_do_not_allocate() {
    let mechanism = mechanism(3, &Recipe::FULL);
    for method in METHODS {
        for simulation in quiet(&mechanism, method) {
            // Steps of about the same size, so that only their number differs.
            let simulation = simulation.max_step(1e-3);
            let (short, few) = count(&simulation.clone().until(0.02));
            let (long, many) = count(&simulation.until(0.2));
            assert!(many.accepted > 8 * few.accepted, "{few:?} {many:?}");
            assert_eq!(short, long, "{method:?}: {few:?} {many:?}");
        }
    }
}

/// A contact that comes and goes: events are kept, and what they take does not depend on the steps between them.
#[test]
fn property_steps_between_events_do_not_allocate() {
    let mechanism = press();
    for method in [Method::Dopri5, Method::Dop853] {
        for simulation in quiet(&mechanism, method) {
            let simulation = simulation.until(0.2);
            let (coarse, few) = count(&simulation);
            let (fine, many) = count(&simulation.max_step(2e-5));
            assert_eq!(few.events, many.events);
            assert!(few.events > 2 && many.accepted > 10 * few.accepted, "{few:?} {many:?}");
            assert_eq!(coarse, fine, "{method:?}: {few:?} {many:?}");
        }
    }
}
