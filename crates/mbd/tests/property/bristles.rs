//! Bristle friction in contacts: its state belongs to the run.

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{FrictionLaw, LuGre, StribeckCurve};
use jointplay_contact::{ContactLaw, NormalLaw};
use jointplay_mbd::{
    AccountKind, Body, BodyId, Builder, ContactId, Coordinate, DriftControl, Equations, Force,
    GROUND, LoadFrame, Mechanism, Method, Outline, PinInWalls, Signal, Simulation,
};

use super::jacobian::compare_at;
use super::mechanisms::BOTH;

const MASS: f64 = 2.0;
const G: f64 = 9.81;
const MU: [f64; 2] = [0.3, 0.2];
const SIGMA: [f64; 3] = [1e4, 30.0, 0.4];
const STRIBECK_SPEED: f64 = 0.01;
const POWER: Power = Power { stiffness: 1e8, exponent: 1.5 };

struct Pushed {
    mechanism: Mechanism,
    puck: BodyId,
    floor: ContactId,
}

/// A round puck that cannot turn, at rest on a floor, pushed along it.
fn puck(push: f64, speed: f64) -> Pushed {
    let mut parts = Builder::new();
    parts.gravity([0.0, -G]);
    let radius = 0.05;
    let sunk = (MASS * G / POWER.stiffness).powf(1.0 / 1.5);
    let body = Body::new(MASS, 1e-3).placed([0.0, radius - sunk], 0.0).moving([speed, 0.0], 0.0);
    let puck = parts.body("puck", body);
    parts.lock("upright", Coordinate::Angle(puck), 0.0);
    let curve = StribeckCurve::new(MU[0], MU[1], STRIBECK_SPEED).expect("positive");
    let friction = LuGre::new(curve, SIGMA[0], SIGMA[1], SIGMA[2]).expect("positive");
    let damping = DampingLaw::KelvinVoigt { damping: 2e4 };
    let normal = NormalLaw::new(ElasticLaw::Power(POWER), damping);
    let law = ContactLaw { normal, friction: FrictionLaw::LuGre(friction) };
    let walls = PinInWalls {
        body: GROUND,
        outline: Outline::flat([-10.0, 0.0], [10.0, 0.0]),
        pin: puck.origin(),
        pin_radius: radius,
        contact_point: 0.0,
        play: None,
    };
    let contacts = parts.pin_in_walls("floor", walls, |_| law.clone());
    let [_, floor, _] = contacts[..] else { panic!("two ends and a flat") };
    parts.initial_impact_speed(floor, 0.0);
    let push = Force::Load {
        at: puck.origin(),
        direction: [1.0, 0.0],
        fixed_in: LoadFrame::World,
        size: Signal::constant(push).expect("finite"),
    };
    parts.force("push", push);
    Pushed { mechanism: parts.build().expect("good parts"), puck, floor }
}

/// Pushed by less than friction can hold, it comes to rest where its bristles bear the push.
#[test]
fn exact_bristles_hold_what_they_can() {
    let push = 0.5 * MU[1] * MASS * G;
    let Pushed { mechanism, puck, floor } = puck(push, 0.0);
    for formulation in BOTH {
        for method in [Method::Dop853, Method::Radau5] {
            let simulation = Simulation::new(&mechanism).formulation(formulation).method(method);
            // At rest an explicit method is at the limit of its stability and swings by a hundred tolerances.
            let run = simulation.tolerance(1e-11).until(2.0).run().expect("it starts");
            assert!(run.outcome.reached_end(), "{}", run.outcome);
            let end = run.end().expect("regular");
            let off = (end.contact(floor).tangential / push + 1.0).abs();
            assert!(off < 1e-8, "{formulation:?} {method:?}: {off:e}");
            assert!(end.position(puck).velocity[0].abs() < 1e-9);
            // It moved by about the deflection that bears the push, more than without slip.
            let moved = end.position(puck).position[0];
            let deflection = push / (MASS * G * SIGMA[0]);
            assert!(moved > deflection && moved < 2.0 * deflection, "{moved} {deflection}");
            // |v| bends wherever it swings back.
            assert!(run.ledger.relative_residual() < 1e-8, "{:e}", run.ledger.relative_residual());
        }
    }
}

/// In steady sliding the coefficient is that of the Stribeck curve and the viscous part; a push of this size keeps the
/// speed.
#[test]
fn exact_steady_sliding_on_bristles() {
    let speed: f64 = 0.5; // far beyond the Stribeck speed
    let push = (MU[1] + SIGMA[2] * speed) * MASS * G;
    let Pushed { mechanism, puck, floor } = puck(push, speed);
    let run = Simulation::new(&mechanism).tolerance(1e-10).until(6.0).run().expect("it starts");
    let end = run.end().expect("regular");
    assert!((end.contact(floor).tangential / push + 1.0).abs() < 1e-8);
    // Friction grew to its value while the bristles bent, so that the puck got faster; viscous friction brings it back as
    // exp(−g σ₂ t), by 1e-10 within 6 s.
    assert!((end.position(puck).velocity[0] / speed - 1.0).abs() < 1e-8);
    let lost = run.ledger.amount(AccountKind::ContactFriction, "floor, flat").expect("it rubs");
    let work = run.ledger.amount(AccountKind::Load, "push").expect("it pushes");
    assert!((lost / work - 1.0).abs() < 1e-3, "{lost} {work}");
}

#[test]
fn property_the_jacobian_contains_the_bristles() {
    let Pushed { mechanism, .. } = puck(3.0, 0.02);
    for formulation in BOTH {
        let equations = Equations::new(&mechanism, formulation, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        let start = equations.start(0.0).expect("it starts");
        let mut y = start.y.clone();
        let bristles = equations.state_names().iter().position(|name| name.contains("bristles"));
        y[bristles.expect("it has them")] = 1.3e-5;
        compare_at(&format!("{formulation:?}"), &equations, &y, &start.mode);
    }
}
