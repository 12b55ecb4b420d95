//! A run that was laid down and taken up again is the run that was not; and so is one in another thread.

use std::ops::ControlFlow;

use jointplay_mbd::{
    Accuracy, Body, Builder, Checkpoint, DriftControl, Error, Formulation, Mechanism, Method,
    Outcome, Sampling, Simulation, Solution,
};

use super::ledger::press;
use super::mechanisms::{BOTH, Recipe, mechanism};
use crate::sweep;

const METHODS: [Method; 5] =
    [Method::Rkf45, Method::Dopri5, Method::Dop853, Method::Radau5, Method::Rk4 { step: 5e-4 }];

fn simulation(mechanism: &Mechanism, formulation: Formulation, method: Method) -> Simulation {
    let simulation = Simulation::new(mechanism).formulation(formulation).method(method);
    simulation.tolerance(1e-7).until(0.2).sampled(Sampling::EventsOnly)
}

/// The bits of everything that a run leaves at its end.
fn bits(run: &Solution) -> (u64, Vec<u64>, String) {
    let (t, y, mode) = run.trajectory.get(run.trajectory.len() - 1);
    let state = y.iter().map(|y| y.to_bits()).collect();
    let ledger = format!("{:?} {:?} {:?}", run.ledger, run.stats, mode);
    (t.to_bits(), state, ledger)
}

/// Runs until so many steps are done, or to the end.
fn lay_down(simulation: &Simulation, steps: usize) -> Solution {
    let mut count = 0;
    let watch = |_| {
        count += 1;
        if count == steps { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    simulation.run_watched(watch).expect("it starts")
}

fn through_text(checkpoint: &Checkpoint) -> Checkpoint {
    let text = serde_json::to_string(checkpoint).expect("plain data");
    serde_json::from_str(&text).expect("its own text")
}

#[test]
fn property_an_interrupted_run_ends_with_the_same_bits() {
    let mechanism = press();
    for formulation in BOTH {
        for method in METHODS {
            let simulation = simulation(&mechanism, formulation, method);
            let whole = simulation.run().expect("it starts");
            assert!(whole.outcome.reached_end(), "{}", whole.outcome);
            assert!(whole.stats.events > 2, "{:?}", whole.stats);
            let total = whole.stats.accepted;
            // Near the start, in the middle, at every event (the step that leads there is the last one), near the end.
            let mut places = vec![1, 2, 3, total / 3, total / 2, total - 2, total - 1];
            let mut count = 0;
            let mut last = 0.0;
            let every_step =
                simulation.clone().sampled(Sampling::EveryStep).run().expect("it starts");
            for &t in &every_step.trajectory.times()[1..] {
                if t == last {
                    places.extend([count, count + 1]);
                } else {
                    count += 1;
                }
                last = t;
            }
            assert_eq!(count, total);
            let places = places.into_iter().filter(|&steps| steps < total);
            for steps in places.step_by(sweep::cases(3, 1)) {
                let first = lay_down(&simulation, steps);
                let Outcome::Interrupted { t } = first.outcome else { panic!("{}", first.outcome) };
                let checkpoint = first.checkpoint.as_ref().expect("it did not fail");
                assert_eq!(checkpoint.t(), t);
                let again = through_text(checkpoint);
                let second = simulation.resume(again, |_| ControlFlow::Continue(()));
                let second = second.expect("the same mechanism");
                assert!(second.outcome.reached_end(), "{}", second.outcome);
                assert_eq!(bits(&second), bits(&whole), "{formulation:?} {method:?} {steps}");
                assert_eq!(second.start, whole.start);
                let events: Vec<_> = first.events.iter().chain(&second.events).copied().collect();
                assert_eq!(events, whole.events, "{formulation:?} {method:?} {steps}");
            }
        }
    }
}

/// Laid down after every single step.
#[test]
fn property_a_run_can_be_laid_down_everywhere() {
    let mechanism = press();
    for formulation in BOTH {
        let simulation = simulation(&mechanism, formulation, Method::Dop853).until(0.06);
        let whole = simulation.run().expect("it starts");
        let mut part = lay_down(&simulation, 1);
        let mut pieces = 1;
        while !part.outcome.reached_end() {
            let checkpoint = through_text(part.checkpoint.as_ref().expect("it did not fail"));
            part = simulation.resume(checkpoint, |_| ControlFlow::Break(())).expect("the same");
            pieces += 1;
            assert!(pieces < 10_000);
        }
        assert!(pieces > 20, "{pieces}");
        assert_eq!(bits(&part), bits(&whole), "{formulation:?}");
    }
}

/// A run that reached its end can be taken further.
#[test]
fn property_a_finished_run_can_be_extended() {
    let mechanism = press();
    let simulation = simulation(&mechanism, Formulation::Joint, Method::Dop853);
    let first = simulation.clone().until(0.1).run().expect("it starts");
    let checkpoint = first.checkpoint.expect("it did not fail");
    assert_eq!(checkpoint.t(), 0.1);
    let run = simulation.resume(checkpoint, |_| ControlFlow::Continue(())).expect("the same");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    // The step that ended at 0.1 s differs, not the motion.
    let whole = simulation.run().expect("it starts");
    let (_, one, _) = run.trajectory.get(run.trajectory.len() - 1);
    let (_, other, _) = whole.trajectory.get(whole.trajectory.len() - 1);
    for (one, other) in one.iter().zip(other) {
        assert!((one - other).abs() < 1e-3 * (1.0 + one.abs()), "{one} {other}");
    }
    assert!(run.ledger.relative_residual() < 1e-6);
}

/// A checkpoint belongs to its mechanism and its coordinates.
#[test]
fn property_a_checkpoint_of_another_run_is_refused() {
    let one = press();
    let another = mechanism(7, &Recipe::FULL);
    let first = lay_down(&simulation(&one, Formulation::Joint, Method::Dop853), 5);
    let text = serde_json::to_string(&first.checkpoint).expect("plain data");
    for (mechanism, formulation) in [
        (&one, Formulation::Absolute),
        (&another, Formulation::Joint),
        (&another, Formulation::Absolute),
    ] {
        let checkpoint: Option<Checkpoint> = serde_json::from_str(&text).expect("its own text");
        let other = simulation(mechanism, formulation, Method::Dop853);
        let run = other.resume(checkpoint.expect("one"), |_| ControlFlow::Continue(()));
        let refused = run.map_or(true, |run| matches!(run.outcome, Outcome::Failed { .. }));
        assert!(refused, "{formulation:?}");
    }
}

/// Settings that would change the bits are refused by name; what is kept and the end may differ.
#[test]
fn property_a_checkpoint_is_refused_by_other_settings() {
    let mechanism = press();
    let made = simulation(&mechanism, Formulation::Joint, Method::Dop853);
    let checkpoint = lay_down(&made, 5).checkpoint.expect("it did not fail");
    let resume = |other: &Simulation| {
        other.resume(through_text(&checkpoint), |_| ControlFlow::Continue(())).map(|run| bits(&run))
    };
    let drift = DriftControl { alpha: 1.0, ..DriftControl::default() };
    for (name, other) in [
        ("method", made.clone().method(Method::Dopri5)),
        ("method", made.clone().method(Method::Rk4 { step: 1e-4 })),
        ("accuracy", made.clone().tolerance(1e-8)),
        (
            "accuracy",
            made.clone().accuracy(Accuracy { time: Some(1.0), ..Accuracy::relative(1e-7) }),
        ),
        ("drift control", made.clone().drift_control(drift)),
        ("max_step", made.clone().max_step(0.1)),
        ("min_step", made.clone().min_step(1e-9)),
        ("restart_step", made.clone().restart_step(1e-5)),
    ] {
        match resume(&other) {
            Err(Error::CheckpointSetting { setting, .. }) => assert_eq!(setting, name),
            answer => panic!("{name}: {answer:?}"),
        }
    }
    let message = resume(&made.clone().method(Method::Radau5)).expect_err("another").to_string();
    assert!(message.contains("another method (Dop853)"), "{message}");
    let whole = bits(&made.run().expect("it starts"));
    assert_eq!(resume(&made), Ok(whole.clone()));
    assert_eq!(resume(&made.clone().sampled(Sampling::EveryStep).max_steps(1000)), Ok(whole));
}

/// One number of one part tells two mechanisms apart, as do coordinates with the same names.
#[test]
fn property_a_checkpoint_knows_its_mechanism_by_its_numbers() {
    let falling = |mass: f64| {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        parts.body("stone", Body::new(mass, 0.1));
        parts.build().expect("good parts")
    };
    let (stone, same) = (falling(1.0), falling(1.0));
    let first = lay_down(&Simulation::new(&stone), 1);
    let resume = |simulation: &Simulation| {
        let checkpoint = first.checkpoint.clone().expect("it did not fail");
        simulation.resume(checkpoint, |_| ControlFlow::Continue(()))
    };
    assert!(resume(&Simulation::new(&same)).is_ok());
    let heavier = Simulation::new(&falling(1.0 + f64::EPSILON));
    let absolute = Simulation::new(&stone).formulation(Formulation::Absolute);
    for other in [heavier, absolute] {
        assert!(matches!(resume(&other), Err(Error::Checkpoint { .. })));
    }
}

#[test]
fn property_threads_do_not_change_the_bits() {
    let press = press();
    let other = mechanism(7, &Recipe { contacts: 2, ..Recipe::FULL });
    let reference = |mechanism| {
        BOTH.map(|formulation| {
            bits(&simulation(mechanism, formulation, Method::Dop853).run().expect("it starts"))
        })
    };
    let expected = [reference(&press), reference(&other)];
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| [reference(&press), reference(&other)])).collect();
        for thread in threads {
            assert_eq!(thread.join().expect("no panic"), expected);
        }
    });
}
