//! Equilibria near and far, of mechanisms small and large.

use std::f64::consts::PI;

use jointplay_mbd::{Body, Builder, Force, GROUND, Mechanism, Signal, Spring, TorsionSpring};

use super::mechanisms::BOTH;

const GRAVITY: f64 = 9.81;

/// A mass on a spring so soft that it comes to rest far below its start.
#[test]
fn exact_a_soft_spring_gives_way_far() {
    let (mass, free) = (2.0, 1.0);
    for way in [0.3, 100.0, 1e4] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -GRAVITY]);
        let body = parts.body("mass", Body::point(mass).placed([0.4, -free], 0.0));
        let spring = Spring::new(GROUND.origin(), body.origin(), mass * GRAVITY / way, free);
        parts.force("spring", Force::Spring(spring));
        let mechanism = parts.build().expect("good parts");
        for formulation in BOTH {
            let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
            let [x, y] = rest.snapshot().expect("regular").position(body).position;
            // Accelerations are left at 1e-12 of gravity, each of them stiffness over mass times an error.
            let error = (y + free + way).abs().max(x.abs()) / (free + way);
            assert!(error < 1e-11, "{way} {formulation:?}: ({x}, {y})");
            assert!(rest.steps < 100, "{way} {formulation:?}: {} steps", rest.steps);
        }
    }
}

/// A rotor on a torsion spring that is wound up by a torque: so many turns.
#[test]
fn exact_a_soft_torsion_spring_is_wound_up() {
    let (stiffness, torque) = (0.01, 2.0);
    let mut parts = Builder::new();
    let rotor = parts.body("rotor", Body::new(1.0, 1e-3));
    parts.revolute("pin", GROUND.origin(), rotor.origin());
    let spring = TorsionSpring::new(GROUND, rotor, stiffness, 0.0);
    parts.force("spring", Force::TorsionSpring(spring));
    let size = Signal::constant(torque).expect("finite");
    parts.force("torque", Force::Torque { on: rotor, against: GROUND, size });
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
        let angle = rest.snapshot().expect("regular").angle(rotor).value;
        assert!((angle / (torque / stiffness) - 1.0).abs() < 1e-11, "{formulation:?} {angle}");
    }
}

/// A loop of three rods that hang from two pins, all lengths times `size`.
fn hanging(size: f64) -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, -GRAVITY]);
    let (mut end, mut at) = (GROUND.origin(), [0.0, 0.0]);
    for (name, length, angle) in [("1", 0.5, -1.4), ("2", 0.7, -0.1), ("3", 0.6, 1.1_f64)] {
        let length = length * size;
        let rod = Body::rod(1.5, length).centre([0.5 * length, 0.0]).placed(at, angle);
        let rod = parts.body(name, rod);
        parts.revolute(format!("pin {name}"), end, rod.origin());
        at = [at[0] + length * angle.cos(), at[1] + length * angle.sin()];
        end = rod.at([length, 0.0]);
    }
    parts.revolute("support", GROUND.at([0.9 * size, 0.1 * size]), end);
    parts.build().expect("good parts")
}

/// Under its weight a mechanism of any size takes the same shape.
#[test]
fn property_the_shape_at_rest_does_not_depend_on_the_size() {
    let angles = |size: f64, formulation| {
        let mechanism = hanging(size);
        let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
        let snapshot = rest.snapshot().expect("regular");
        mechanism.bodies().map(|(body, ..)| snapshot.angle(body).value).collect::<Vec<f64>>()
    };
    for formulation in BOTH {
        let known = angles(1.0, formulation);
        for size in [1e-6, 1e-3, 1e3, 1e6] {
            for (one, other) in angles(size, formulation).iter().zip(&known) {
                // A regular root, found to 1e-12 of gravity.
                assert!((one - other).abs() < 1e-10, "{size:e} {formulation:?}: {one} {other}");
            }
        }
    }
}

/// A pendulum of a micrometre hangs down.
#[test]
fn exact_a_small_pendulum_hangs_down() {
    let length = 1e-6;
    let mut parts = Builder::new();
    parts.gravity([0.0, -GRAVITY]);
    let body = Body::rod(1e-12, length).centre([0.5 * length, 0.0]).placed([0.0; 2], 0.9);
    let rod = parts.body("rod", body);
    parts.revolute("pin", GROUND.origin(), rod.origin());
    let mechanism = parts.build().expect("good parts");
    for formulation in BOTH {
        let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
        let angle = rest.snapshot().expect("regular").angle(rod).value;
        assert!((angle + 0.5 * PI).abs() < 1e-10, "{formulation:?} {angle}");
    }
}
