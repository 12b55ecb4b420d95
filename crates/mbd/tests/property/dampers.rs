//! Dampers so strong that an explicit method would need a step for each time in which they stop a body.

use jointplay_mbd::{
    Axis, Body, Builder, Bushing, Force, GROUND, Method, Simulation, Spring, TorsionSpring,
};

use super::mechanisms::BOTH;

const MASS: f64 = 2.0;
const INERTIA: f64 = 3e-3;
/// What was stretched at the start (m, rad).
const START: f64 = 0.2;
const UNTIL: f64 = 0.5;
/// The two rates (1/s) of an overdamped spring: the fast one stops the body, with the slow one it creeps back.
const RATES: [f64; 2] = [2e6, 5.0];

/// Stiffness and damping of a spring with these rates for this mass or moment of inertia.
fn stiffness_and_damping(mass: f64) -> [f64; 2] {
    let [fast, slow] = RATES;
    [mass * fast * slow, mass * (fast + slow)]
}

/// What is left of the start.
fn left() -> f64 {
    let [fast, slow] = RATES;
    START * (fast * (-slow * UNTIL).exp() - slow * (-fast * UNTIL).exp()) / (fast - slow)
}

fn judge(what: &str, parts: Builder, of: impl Fn(&jointplay_mbd::Snapshot<'_>) -> f64) {
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let simulation = Simulation::new(&mechanism).method(Method::Auto).formulation(formulation);
        let run = simulation.tolerance(1e-10).until(UNTIL).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{what}, {formulation:?}: {}", run.outcome);
        let error = (of(&run.end().expect("regular")) - left()).abs() / START;
        println!("{what}, {formulation:?}: {error:.1e}, {:?}", run.stats);
        // The tolerance, and ten times that for the implicit method.
        assert!(error < 1e-8, "{what}, {formulation:?}: {error:e}");
        // An explicit method would take 160 000.
        assert!(run.stats.stiff > 0 && run.stats.accepted < 2000, "{what}: {:?}", run.stats);
        assert!(run.ledger.relative_residual() < 1e-9);
    }
}

#[test]
fn exact_overdamped_springs_creep_back() {
    let [stiffness, damping] = stiffness_and_damping(MASS);
    let mut parts = Builder::new();
    let body = parts.body("mass", Body::point(MASS).placed([1.0 + START, 0.0], 0.0));
    let spring = Spring::new(GROUND.origin(), body.origin(), stiffness, 1.0).damped(damping);
    parts.force("spring", Force::Spring(spring));
    judge("spring", parts, |end| end.position(body).position[0] - 1.0);
}

#[test]
fn exact_overdamped_torsion_springs_creep_back() {
    let [stiffness, damping] = stiffness_and_damping(INERTIA);
    let mut parts = Builder::new();
    let rotor = parts.body("rotor", Body::new(MASS, INERTIA).placed([0.0; 2], START));
    parts.revolute("pin", GROUND.origin(), rotor.origin());
    let spring = TorsionSpring::new(GROUND, rotor, stiffness, 0.0).damped(damping);
    parts.force("spring", Force::TorsionSpring(spring));
    judge("torsion spring", parts, |end| end.angle(rotor).value);
}

#[test]
fn exact_overdamped_bushings_creep_back() {
    let [[k, c], [k_turn, c_turn]] = [MASS, INERTIA].map(stiffness_and_damping);
    let mut parts = Builder::new();
    let body = parts.body("block", Body::new(MASS, INERTIA).placed([0.0, START], 0.0));
    let bushing = Bushing {
        a: Axis::from(GROUND.origin()),
        b: Axis::from(body.origin()),
        stiffness: [k, k, k_turn],
        damping: [c, c, c_turn],
    };
    parts.force("bushing", Force::Bushing(bushing));
    judge("bushing", parts, |end| end.position(body).position[1]);
}
