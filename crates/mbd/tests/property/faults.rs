//! What cannot work says so, with the name of the part, and soon.

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{Coulomb, FrictionLaw, LuGre};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, Builder, Bushing, Coordinate, Direction, DriftControl, Equations, Error, Force,
    Formulation, GROUND, JointFriction, JournalBearing, Mechanism, OnCrossing, Outcome, Side,
    Signal, Simulation, Solution, Spring, TorsionSpring,
};
use jointplay_ode::Fault;

use crate::mechanisms::{BOTH, law, tanh};

fn start(mechanism: &Mechanism, formulation: Formulation) -> Error {
    let equations = Equations::new(mechanism, formulation, DriftControl::default());
    equations.and_then(|equations| equations.start(0.0)).expect_err("it cannot start")
}

/// The run of a mechanism that fails before its end.
fn failed(
    mechanism: &Mechanism,
    formulation: Formulation,
) -> (Solution<'_>, f64, Option<String>, Fault) {
    let clock = std::time::Instant::now();
    let run = Simulation::new(mechanism).formulation(formulation).run().expect("it starts");
    // Milliseconds on a machine that does nothing else.
    assert!(clock.elapsed().as_secs() < 10, "{:?}", clock.elapsed());
    let Outcome::Failed { t, part, fault } = run.outcome.clone() else { panic!("{}", run.outcome) };
    assert!(run.checkpoint.is_none());
    assert!(run.trajectory.len() > 1, "what was computed is kept");
    (run, t, part, fault)
}

/// A block on a rail with a force of this size.
fn pushed(formula: &str) -> Mechanism {
    let mut parts = Builder::new();
    let block = parts.body("block", Body::new(1.0, 0.1));
    parts.prismatic("rail", GROUND.origin(), block.origin());
    let size = Signal::expression(formula).expect("a formula of t");
    let (at, direction, fixed_in) = (block.origin(), [1.0, 0.0], Direction::World);
    parts.force("push", Force::Load { at, direction, fixed_in, size });
    parts.build().expect("good parts")
}

/// Two rods of 1 m from pivots that are 3 m apart.
fn short_arms() -> Mechanism {
    let mut parts = Builder::new();
    let left = parts.body("left", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
    let right = Body::rod(1.0, 1.0).centre([-0.5, 0.0]).placed([3.0, 0.0], 0.1);
    let right = parts.body("right", right);
    parts.revolute("A", GROUND.origin(), left.origin());
    parts.revolute("B", GROUND.at([3.0, 0.0]), right.origin());
    parts.revolute("C", left.at([1.0, 0.0]), right.at([-1.0, 0.0]));
    parts.build().expect("good parts")
}

#[test]
fn scan() {
    for f in BOTH { println!("S {:?}", start(&short_arms(), f)); }
    for (one, two) in [("0.2", "0.3"), ("0.2 + t", "0.2 - t"), ("0.2+t^2", "0.2 + 2*t^2")] {
        let mut parts = Builder::new();
        let arm = parts.body("arm", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
        let pin = parts.revolute("pin", GROUND.origin(), arm.origin());
        let signal = |text| Signal::expression(text).expect("a formula of t");
        parts.drive("first", Coordinate::Joint(pin), signal(one));
        parts.drive("second", Coordinate::Angle(arm), signal(two));
        let m = parts.build().unwrap();
        for f in BOTH {
            match Simulation::new(&m).formulation(f).run() { Ok(r) => println!("S {one} {two} {} {:?} {:?}", r.outcome, r.start, r.end().unwrap().violation()), Err(e) => println!("S {one} {two} {e:?}") }
        }
    }
    // massless
    let mut parts = Builder::new();
    let arm = parts.body("arm", Body::rod(1.0, 1.0).centre([0.5, 0.0]));
    let ghost = parts.body("ghost", Body::new(0.0, 0.0).placed([1.0, 0.0], 0.0));
    parts.revolute("pin", GROUND.origin(), arm.origin());
    parts.revolute("end", arm.at([1.0, 0.0]), ghost.origin());
    let m = parts.build().unwrap();
    for f in BOTH { println!("S {:?}", start(&m, f)); }
    // jam
    for mu in [0.3, 0.6] {
    let mut parts = Builder::new();
    let block = parts.body("block", Body::new(1.0, 0.1));
    let rail = parts.prismatic("rail", GROUND.origin(), block.origin());
    parts.friction(rail, JointFriction::dry(tanh(mu, 1e-3), 0.1));
    parts.force("push", Force::Load { at: block.at([0.0, 0.5]), direction: [1.0, 0.0], fixed_in: Direction::World, size: Signal::constant(5.0).unwrap() });
    let m = parts.build().unwrap();
    for f in BOTH {
        match Simulation::new(&m).formulation(f).run() { Ok(r) => println!("S jam {mu} {} {:?} v {:?}", r.outcome, r.stats.accepted, r.end().unwrap().position(block)), Err(e) => println!("S jam {mu} {e:?}") }
    }
    }
    // overlap
    let mut parts = Builder::new();
    let ball = parts.body("ball", Body::new(1.0, 0.1).placed([0.0, -0.01], 0.0));
    parts.stop("floor", Coordinate::Y(ball.origin()), 0.0, Side::Below, law(1e6, 0.7, FrictionLaw::NoFriction));
    let m = parts.build().unwrap();
    for f in BOTH { println!("S {:?}", start(&m, f)); }
}
