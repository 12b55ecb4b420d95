//! Constraints hold at every kept step.

use jointplay_mbd::{
    Body, Builder, Coordinate, DriftControl, Error, GROUND, Mechanism, Signal, Simulation,
};

use super::mechanisms::{BOTH, Recipe, mechanism};
use crate::sweep;

/// The greatest violation of a position and of a rate (over the greatest speed) at any kept step.
fn worst(mechanism: &Mechanism, simulation: &Simulation) -> Result<(f64, f64, f64), Error> {
    let run = simulation.run()?;
    let end = run.trajectory.times()[run.trajectory.len() - 1];
    let violations = run.series(|snapshot| snapshot.violation().0)?;
    let rates = run.series(|snapshot| {
        let speeds = mechanism.bodies().map(|(body, ..)| {
            let [vx, vy] = snapshot.position(body).velocity;
            vx.hypot(vy).max(snapshot.angle(body).rate.abs())
        });
        snapshot.violation().1 / speeds.fold(1.0, f64::max)
    })?;
    let most = |values: Vec<f64>| values.into_iter().fold(0.0, f64::max);
    Ok((most(violations), most(rates), end))
}

/// Positions to 1e-12 of the size of the mechanism, rates to 1e-12 of the speeds.
fn assert_held(what: &str, mechanism: &Mechanism, simulation: &Simulation, until: f64) {
    let (position, rate, end) = worst(mechanism, simulation).expect("it starts");
    assert_eq!(end, until, "{what}");
    assert!(position <= 1e-12 && rate <= 1e-12, "{what}: {position:e} {rate:e}");
}

#[test]
fn property_constraints_hold_in_any_mechanism() {
    for seed in 0..sweep::cases(15, 60) {
        let mechanism = mechanism(seed, &Recipe::FULL);
        for formulation in BOTH {
            for tolerance in [1e-4, 1e-8] {
                let simulation = Simulation::new(&mechanism).formulation(formulation);
                let simulation = simulation.tolerance(tolerance).until(0.3).max_steps(5000);
                // Some are led into a singular position and end there; up to there they are held.
                let Ok((position, rate, _)) = worst(&mechanism, &simulation) else { continue };
                assert!(position <= 1e-12, "seed {seed} {formulation:?}: {position:e}");
                assert!(rate <= 1e-12, "seed {seed} {formulation:?}: {rate:e}");
            }
        }
    }
}

/// A four-bar linkage whose crank goes round, with this speed and without gravity.
fn four_bar(speed: f64) -> Mechanism {
    let mut parts = Builder::new();
    let crank = parts.body("crank", Body::rod(0.3, 0.2).centre([0.1, 0.0]));
    let rocker = Body::rod(0.5, 0.6).centre([0.3, 0.0]).placed([0.8, 0.0], 2.0);
    let rocker = parts.body("rocker", rocker);
    let coupler = Body::new(0.8, 0.05).centre([0.35, 0.1]).placed([0.2, 0.0], 0.8);
    let coupler = parts.body("coupler", coupler);
    let shaft = parts.revolute("A", GROUND.origin(), crank.origin());
    parts.revolute("B", crank.at([0.2, 0.0]), coupler.origin());
    parts.revolute("C", coupler.at([0.7, 0.0]), rocker.at([0.6, 0.0]));
    parts.revolute("D", GROUND.at([0.8, 0.0]), rocker.origin());
    parts.start_at(Coordinate::Joint(shaft), 0.3);
    parts.start_with_rate(Coordinate::Joint(shaft), speed);
    parts.build().expect("good parts")
}

#[test]
fn property_constraints_hold_at_high_speed() {
    let mechanism = four_bar(500.0);
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation).until(1.0);
        assert_held("500 rad/s", &mechanism, &simulation, 1.0);
    }
}

#[test]
fn property_constraints_hold_in_a_long_run() {
    let mechanism = four_bar(3.0);
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation);
        assert_held("a minute", &mechanism, &simulation.tolerance(1e-6).until(60.0), 60.0);
    }
}

/// A body that its drivers throw about, and one that hangs on it.
#[test]
fn property_constraints_hold_under_fast_drivers() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let table = parts.body("table", Body::new(5.0, 0.4));
    let arm = parts.body("arm", Body::rod(1.0, 0.5).placed([0.25, 0.0], 0.0));
    parts.revolute("pin", table.origin(), arm.at([-0.25, 0.0]));
    let formula = |text| Signal::expression(text).expect("a formula of t");
    parts.drive("x", Coordinate::X(table.at([0.1, 0.2])), formula("0.1 + 0.3*sin(60*t)"));
    parts.drive("y", Coordinate::Y(table.at([0.1, 0.2])), formula("0.2 + 0.2*sin(45*t)"));
    parts.drive("turn", Coordinate::AngleBetween(GROUND, table), formula("0.5*(1 - cos(70*t))"));
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).formulation(formulation).until(2.0);
        assert_held("a shaking table", &mechanism, &simulation, 2.0);
    }
}

/// Baumgarte's stabilisation alone keeps the constraints to about the tolerance.
#[test]
fn property_stabilisation_bounds_the_drift() {
    let mechanism = four_bar(10.0);
    let drift = DriftControl { alpha: 20.0, beta: 20.0, projection: false };
    for formulation in BOTH {
        let run = |drift| {
            let simulation = Simulation::new(&mechanism).formulation(formulation);
            let simulation = simulation.drift_control(drift).tolerance(1e-8).until(20.0);
            worst(&mechanism, &simulation).expect("it starts")
        };
        let (position, _, end) = run(drift);
        let none = DriftControl { alpha: 0.0, beta: 0.0, projection: false };
        let (free, _, _) = run(none);
        assert_eq!(end, 20.0);
        // Hundreds of steps of local errors of 1e-8 in the time that the stabilisation takes.
        assert!(position < 1e-6, "{formulation:?}: {position:e}");
        assert!(free > 3.0 * position, "{formulation:?}: {free:e} without, {position:e} with");
    }
}
