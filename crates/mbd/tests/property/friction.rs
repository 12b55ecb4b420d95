//! Friction of ideal joints against what can be written down by hand.

use jointplay_mbd::{
    Body, Builder, Coordinate, DriftControl, Equations, Force, GROUND, JointFriction, Mechanism,
    ScalarState, Signal,
};

use super::mechanisms::{BOTH, tanh};

/// The motion of a coordinate at the start, in both formulations.
fn start(mechanism: &Mechanism, coordinate: Coordinate) -> [ScalarState; 2] {
    BOTH.map(|formulation| {
        let equations = Equations::new(mechanism, formulation, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        let start = equations.start(0.0).expect("it is assembled");
        let snapshot = equations.snapshot(0.0, &start.y, &start.mode).expect("it does not jam");
        snapshot.coordinate(coordinate)
    })
}

/// A block of 2 kg on a level guide with this speed, under this torque.
fn block(speed: f64, torque: f64) -> (Mechanism, Coordinate) {
    let mut parts = Builder::new();
    parts.gravity([0.0, -10.0]);
    let block = parts.body("block", Body::new(2.0, 0.1));
    let guide = parts.prismatic("guide", GROUND.origin(), block.origin());
    parts.friction(guide, JointFriction::block(tanh(0.25, 0.1), 0.2).and_viscous(0.5));
    parts.start_with_rate(Coordinate::Joint(guide), speed);
    let size = Signal::constant(torque).expect("finite");
    parts.force("torque", Force::Torque { on: block, against: GROUND, size });
    (parts.build().expect("good parts"), Coordinate::Joint(guide))
}

#[test]
fn exact_a_block_is_braked_by_its_weight_or_by_its_torque() {
    // N₁ and N₂ at both ends of 0.2 m carry 20 N, and ± M/0.2 m: they sum to 20 N, or to 10 M once one end lifts.
    for (torque, load) in [(0.0, 20.0), (1.9, 20.0), (2.1, 21.0), (-6.0, 60.0)] {
        // Far above 0.1 m/s the law gives 0.25 of the load; at 0.05 m/s tanh(1/2) of that.
        for (speed, share) in [(9.0, 1.0), (-9.0, -1.0), (0.05, 0.5_f64.tanh())] {
            let (mechanism, coordinate) = block(speed, torque);
            let expected = -(0.25 * share * load + 0.5 * speed) / 2.0;
            for state in start(&mechanism, coordinate) {
                // A few operations on numbers of 10.
                let error = state.acceleration - expected;
                assert!(error.abs() < 1e-13, "{torque} {speed}: {} {expected}", state.acceleration);
            }
        }
    }
}

#[test]
fn exact_a_rotor_is_braked_by_the_load_of_its_pin() {
    let (mass, inertia, pin, mu) = (3.0, 0.05, 0.02, 0.3);
    for (rate, share) in [(900.0, 1.0), (-900.0, -1.0), (2.5, 0.5_f64.tanh())] {
        let mut parts = Builder::new();
        parts.gravity([6.0, -8.0]);
        let rotor = parts.body("rotor", Body::new(mass, inertia));
        let axle = parts.revolute("axle", rotor.origin(), GROUND.origin());
        // The pin slides with its radius times the rate: 0.05 m/s at 2.5 rad/s.
        parts.friction(axle, JointFriction::pin(tanh(mu, 0.1), pin).and_viscous(1e-3));
        parts.start_with_rate(Coordinate::Angle(rotor), rate);
        let mechanism = parts.build().expect("good parts");
        let expected = -(pin * mu * share * mass * 10.0 + 1e-3 * rate) / inertia;
        for state in start(&mechanism, Coordinate::Angle(rotor)) {
            let error = state.acceleration / expected - 1.0;
            assert!(error.abs() < 1e-13, "{rate}: {} {expected}", state.acceleration);
        }
    }
}

/// An eccentric rotor: the pin is loaded by what it accelerates too, and by the friction itself.
#[test]
fn exact_a_pendulum_is_braked_by_the_reaction_that_it_causes() {
    let (mass, inertia, arm, pin, mu, rate) = (1.5, 0.02, 0.3, 0.05, 0.4, 40.0);
    let mut parts = Builder::new();
    let bob = parts.body("bob", Body::new(mass, inertia).centre([arm, 0.0]));
    let hinge = parts.revolute("hinge", GROUND.origin(), bob.origin());
    parts.friction(hinge, JointFriction::pin(tanh(mu, 1e-3), pin));
    parts.start_with_rate(Coordinate::Joint(hinge), rate);
    let mechanism = parts.build().expect("good parts");
    // Reaction: m s ω² along the arm, m s φ̈ across it; (J + m s²) φ̈ = −r μ ‖R‖, a quadratic equation for φ̈.
    let about_pin = inertia + mass * arm * arm;
    let (pull, brake) = (mass * arm * rate * rate, pin * mu);
    let expected = -brake * pull / (about_pin * about_pin - (brake * mass * arm).powi(2)).sqrt();
    for state in start(&mechanism, Coordinate::Joint(hinge)) {
        let error = state.acceleration / expected - 1.0;
        assert!(error.abs() < 1e-12, "{} {expected}", state.acceleration);
    }
}
