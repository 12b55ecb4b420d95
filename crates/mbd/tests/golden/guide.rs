//! A block in a guide against the statics and dynamics of a rigid rectangle: on one corner, on two of one side, jammed on a
//! diagonal, overhanging an end, and sliding out of it.

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{CoulombTanh, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    BlockInGuide, Body, BodyId, Builder, ContactId, Coordinate, EventKind, Force, Formulation,
    GROUND, Mechanism, Method, Sampling, Side, Signal, Simulation, Snapshot, Solution,
};

const BOTH: [Formulation; 2] = [Formulation::Joint, Formulation::Absolute];
const LENGTH: f64 = 0.1;
const HEIGHT: f64 = 0.05;
const CLEARANCE: f64 = 1e-3;
const G: f64 = 9.81;

fn law(stiffness: f64, damping: DampingLaw) -> ContactLaw {
    let elastic = ElasticLaw::Power(Power { stiffness, exponent: 1.0 });
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction: FrictionLaw::NoFriction }
}

/// A block of 2 kg on the ground's guide, with its centre of mass so far from its middle.
fn block(parts: &mut Builder, centre: f64, x: f64, speed: f64) -> BodyId {
    let inertia = 2.0 * (LENGTH * LENGTH + HEIGHT * HEIGHT) / 12.0;
    let body = Body::new(2.0, inertia).centre([centre, 0.0]).placed([x, 0.0], 0.0);
    parts.body("block", body.moving([speed, 0.0], 0.0))
}

fn place(block: BodyId, extent: Option<[f64; 2]>, clearance: f64) -> BlockInGuide {
    BlockInGuide {
        guide: GROUND.origin().into(),
        block: block.origin().into(),
        length: LENGTH,
        height: HEIGHT,
        clearance,
        extent,
        contact_point: 1.0,
    }
}

/// The names of the contacts that touch, with their normal forces.
fn touching(
    mechanism: &Mechanism,
    contacts: &[ContactId],
    at: &Snapshot<'_>,
) -> Vec<(String, f64)> {
    let reports = contacts.iter().map(|id| (mechanism.contact_name(*id), at.contact(*id)));
    let touching = reports.filter(|(_, report)| report.touching);
    touching.map(|(name, report)| (name.replace("guide, ", ""), report.normal)).collect()
}

#[test]
fn exact_a_block_jams_on_its_diagonal() {
    for formulation in BOTH {
        for moment in [-40.0, 40.0] {
            let mut parts = Builder::new();
            let body = block(&mut parts, 0.0, 0.0, 0.0);
            parts.lock("x", Coordinate::X(body.origin()), 0.0);
            let size = Signal::constant(moment).expect("finite");
            parts.force("moment", Force::Torque { on: body, against: GROUND, size });
            let law = law(1e7, DampingLaw::None);
            let ids = parts.block_in_guide("guide", place(body, None, CLEARANCE), &law);
            let mechanism = parts.build().expect("good parts");
            let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
            let at = rest.snapshot().expect("regular");
            let found = touching(&mechanism, &ids, &at);
            let names = if moment > 0.0 {
                ["upper front", "lower rear"]
            } else {
                ["upper rear", "lower front"]
            };
            assert_eq!(found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), names);
            // L sin φ + H cos φ = H + 2c + 2N/K and N (L cos φ − H sin φ) = M, by bisection for φ.
            let force = |angle: f64| moment.abs() / (LENGTH * angle.cos() - HEIGHT * angle.sin());
            let [mut low, mut high] = [0.0_f64, 0.1];
            for _ in 0..80 {
                let angle = 0.5 * (low + high);
                let room = HEIGHT + 2.0 * (CLEARANCE + force(angle) / 1e7);
                let reach = LENGTH * angle.sin() + HEIGHT * angle.cos();
                if reach < room { low = angle } else { high = angle }
            }
            assert!((at.angle(body).value.abs() - low).abs() < 1e-12, "{low}");
            for (name, normal) in found {
                let error = normal / force(low) - 1.0;
                assert!(error.abs() < 1e-9, "{name}: {normal} {error:e}");
            }
        }
    }
}

/// One corner of a block on a hinge, and two of one side.
#[test]
fn exact_corners_carry_a_block_by_the_lever() {
    for formulation in BOTH {
        for hinged in [true, false] {
            let mut parts = Builder::new();
            parts.gravity([0.0, -G]);
            let body = block(&mut parts, 0.02, 0.0, 0.0);
            if hinged {
                // A little lower, so that the corner across stays free.
                parts.revolute("hinge", GROUND.at([0.0, -0.5 * CLEARANCE]), body.origin());
            } else {
                parts.lock("x", Coordinate::X(body.origin()), 0.0);
            }
            let law = law(1e7, DampingLaw::None);
            let ids = parts.block_in_guide("guide", place(body, None, CLEARANCE), &law);
            let mechanism = parts.build().expect("good parts");
            let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
            let at = rest.snapshot().expect("regular");
            let found = touching(&mechanism, &ids, &at);
            let x = |along: f64, across: f64| at.point(body.at([along, across])).position[0];
            let front = x(0.5 * LENGTH, -0.5 * HEIGHT);
            let (weight, mass) = (2.0 * G, x(0.02, 0.0));
            let expected = if hinged {
                vec![("lower front", weight * mass / front)]
            } else {
                let rear = x(-0.5 * LENGTH, -0.5 * HEIGHT);
                let on_front = weight * (mass - rear) / (front - rear);
                vec![("lower front", on_front), ("lower rear", weight - on_front)]
            };
            assert_eq!(found.len(), expected.len(), "{found:?}");
            for ((name, normal), (of, force)) in found.iter().zip(expected) {
                assert_eq!(name, of);
                assert!((normal / force - 1.0).abs() < 1e-9, "{name}: {normal} {force}");
            }
        }
    }
}

#[test]
fn exact_a_block_that_touches_nothing_is_free() {
    let mut parts = Builder::new();
    let body = block(&mut parts, 0.0, 0.0, 3.0);
    let law = law(1e7, DampingLaw::None);
    parts.block_in_guide("guide", place(body, Some([-0.2, 0.2]), CLEARANCE), &law);
    let mechanism = parts.build().expect("good parts");
    let run = Simulation::new(&mechanism).until(1.0).run().expect("it starts");
    assert!(run.outcome.reached_end() && run.impacts().count() == 0);
    let end = run.end().expect("regular").position(body);
    assert!((end.position[0] - 3.0).abs() < 1e-13 && end.position[1] == 0.0, "{end:?}");
}

/// A block whose weight lies beyond the end of its guide rests with its lower side on that end, and its upper rear corner
/// on the upper wall: a lever about the end.
#[test]
fn exact_a_block_that_overhangs_is_a_lever_about_the_end() {
    for formulation in BOTH {
        let mut parts = Builder::new();
        parts.gravity([0.0, -G]);
        let body = block(&mut parts, 0.0, 0.0, 0.0);
        let held = parts.lock("x", Coordinate::X(body.origin()), 0.0);
        let law = law(1e7, DampingLaw::None);
        let extent = Some([-0.3, -0.02]);
        let ids = parts.block_in_guide("guide", place(body, extent, CLEARANCE), &law);
        let mechanism = parts.build().expect("good parts");
        let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
        let at = rest.snapshot().expect("regular");
        let found = touching(&mechanism, &ids, &at);
        let [(rear, upper), (end, lower)] = &found[..] else { panic!("{found:?}") };
        assert_eq!((rear.as_str(), end.as_str()), ("upper rear", "lower front end"));
        // The end pushes across the block, the wall across the guide; what holds the block acts on its middle.
        let (sin, cos) = at.angle(body).value.sin_cos();
        let [x, y] = at.position(body).position;
        let arm = [-0.02 - x, -0.5 * HEIGHT - CLEARANCE - y];
        let lever = arm[0] * cos + arm[1] * sin;
        let corner = at.point(body.at([-0.5 * LENGTH, 0.5 * HEIGHT])).position[0] - x;
        // Vertical: lower cos φ = m g + upper; moments: lower · lever = upper · corner.
        let exact = 2.0 * G / (cos - lever / corner);
        assert!(sin < 0.0 && (lower / exact - 1.0).abs() < 1e-9, "{lower} {exact}");
        assert!((upper / (exact * lever / corner) - 1.0).abs() < 1e-9, "{upper}");
        let force = at.driver(held).effort;
        assert!((force - exact * sin).abs() < 1e-8, "{force} {}", exact * sin);
    }
}

fn sliding_out(speed: f64, until_x: f64) -> (BodyId, Vec<ContactId>, Mechanism, Solution) {
    let mut parts = Builder::new();
    parts.gravity([0.0, -G]);
    let (from, play) = (-0.15, 0.02);
    let inertia = 2.0 * (LENGTH * LENGTH + HEIGHT * HEIGHT) / 12.0;
    let body = Body::new(2.0, inertia).placed([from, -play], 0.0).moving([speed, 0.0], 0.0);
    let body = parts.body("block", body);
    // A hard wall with a dashpot that settles the block long before it is over the end.
    let law = law(1e11, DampingLaw::KelvinVoigt { damping: 3e5 });
    let ids = parts.block_in_guide("guide", place(body, Some([-0.3, 0.0]), play), &law);
    let mechanism = parts.build().expect("good parts");
    let simulation = Simulation::new(&mechanism).tolerance(1e-9).sampled(Sampling::Interval(1e-3));
    let run = simulation.until((until_x - from) / speed).run().expect("it starts");
    (body, ids, mechanism, run)
}

/// A rigid block that slides over an end at a speed v tips about it: with the middle at x behind the end,
/// d/dt[(J + m x²) ω] = m g x, so that ω = m g x²/(2 v (J + m x²)) up to the square of the angle, which is of order v⁻².
#[test]
fn order_a_block_tips_over_the_end_of_its_guide() {
    let errors = [2.0, 4.0, 8.0].map(|speed| {
        let (body, ids, mechanism, run) = sliding_out(speed, 0.04);
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        let at = run.end().expect("regular");
        let found = touching(&mechanism, &ids, &at);
        assert_eq!(
            found.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(),
            ["lower front end"]
        );
        let squared = (LENGTH * LENGTH + HEIGHT * HEIGHT) / 12.0;
        let x = at.position(body).position[0];
        let exact = G * x * x / (2.0 * speed * (squared + x * x));
        (-at.angle(body).rate / exact - 1.0).abs()
    });
    println!("{errors:?}");
    for pair in errors.windows(2) {
        let order = (pair[0] / pair[1]).log2();
        assert!(order > 1.8 && order < 2.2, "{errors:?}");
    }
}

/// Behind the end the block is free: its middle falls and it goes on turning.
#[test]
fn property_a_block_that_leaves_its_guide_is_free() {
    let (body, ids, mechanism, run) = sliding_out(2.0, 0.2);
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    let passages = run.events.iter().filter_map(|event| match event.kind {
        EventKind::Passage { from, to } => Some([from, to].map(|id| mechanism.contact_name(id))),
        _ => None,
    });
    assert_eq!(passages.collect::<Vec<_>>(), [["guide, lower front", "guide, lower front end"]]);
    let last = run.events.last().expect("it left").t;
    let free: Vec<_> = run
        .snapshots()
        .map(|at| at.expect("regular"))
        .filter(|at| at.t() > last)
        .map(|at| {
            assert!(touching(&mechanism, &ids, &at).is_empty());
            (at.position(body).acceleration, at.angle(body).rate)
        })
        .collect();
    assert!(free.len() > 50, "{}", free.len());
    for (acceleration, rate) in &free {
        assert!(acceleration[0].abs() < 1e-12 && (acceleration[1] + G).abs() < 1e-12);
        assert!((rate - free[0].1).abs() < 1e-12);
    }
    assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
}

/// Friction at the corners tips a block that slides on them: about its middle μ m g H/2 is carried by the difference of the
/// normal forces at the length L.
#[test]
fn exact_friction_acts_at_the_corners() {
    for formulation in BOTH {
        let mut parts = Builder::new();
        parts.gravity([0.0, -G]);
        let inertia = 2.0 * (LENGTH * LENGTH + HEIGHT * HEIGHT) / 12.0;
        let body = Body::new(2.0, inertia).placed([0.0, -CLEARANCE], 0.0);
        let body = parts.body("block", body.moving([5.0, 0.0], 0.0));
        let friction = FrictionLaw::CoulombTanh(CoulombTanh::new(0.3, 1e-3).expect("positive"));
        let law = ContactLaw { friction, ..law(1e9, DampingLaw::KelvinVoigt { damping: 4e4 }) };
        let ids = parts.block_in_guide("guide", place(body, None, CLEARANCE), &law);
        let mechanism = parts.build().expect("good parts");
        let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-11);
        let run = simulation.until(0.05).run().expect("it starts");
        let at = run.end().expect("regular");
        let found = touching(&mechanism, &ids, &at);
        let [(front, on_front), (rear, on_rear)] = &found[..] else { panic!("{found:?}") };
        assert_eq!((front.as_str(), rear.as_str()), ("lower front", "lower rear"));
        // The block leans by 3e-8 rad, a part of μ of which moves the corners.
        assert!((on_front + on_rear - 2.0 * G).abs() < 1e-6 * G, "{found:?}");
        let exact = 0.3 * 2.0 * G * HEIGHT / LENGTH;
        assert!(((on_front - on_rear) / exact - 1.0).abs() < 1e-6, "{found:?} {exact}");
        assert!((at.position(body).acceleration[0] + 0.3 * G).abs() < 1e-6 * G);
        assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
    }
}

/// A law of two slopes loses 1 − c of the kinetic energy in an impact, whatever its exponent: e = √c. A block that meets its guide
/// flat touches it with both corners of a side, which turn at one instant; so do both sides of a groove. Nothing turns or
/// moves sideways, as both sides are alike.
fn two_slopes(restitution: f64, exponent: f64, friction: FrictionLaw) -> ContactLaw {
    let restitution = Restitution::Constant(restitution);
    let damping = DampingLaw::TwoSlope { restitution, smoothing_speed: 0.0 };
    let elastic = ElasticLaw::Power(Power { stiffness: 1e8, exponent });
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction }
}

/// The velocity and the angular velocity of a flat block after it has met its guide with 0.1 m/s.
fn after_flat_impact(
    law: &ContactLaw,
    tilt: f64,
    formulation: Formulation,
    method: Method,
) -> ([f64; 2], f64) {
    let mut parts = Builder::new();
    let inertia = (LENGTH * LENGTH + HEIGHT * HEIGHT) / 12.0;
    let body = Body::new(1.0, inertia).placed([0.0, 0.0], tilt).moving([0.0, -0.1], 0.0);
    let body = parts.body("block", body);
    parts.block_in_guide("guide", place(body, None, CLEARANCE), law);
    let mechanism = parts.build().expect("good parts");
    let run = Simulation::new(&mechanism).formulation(formulation).method(method);
    let run = run.tolerance(1e-10).until(2.0 * CLEARANCE / 0.1).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    assert!(run.ledger.relative_residual() < 1e-7, "{}", run.ledger.relative_residual());
    let end = run.end().expect("regular");
    (end.position(body).velocity, end.angle(body).rate)
}

#[test]
fn exact_two_corners_that_turn_together_return_what_one_does() {
    for restitution in [0.1, 0.2, 0.4, 0.7] {
        for exponent in [1.0, 1.5] {
            let law = two_slopes(restitution, exponent, FrictionLaw::NoFriction);
            for formulation in BOTH {
                for method in [Method::Dop853, Method::Dopri5, Method::Radau5] {
                    let ([_, v], omega) = after_flat_impact(&law, 0.0, formulation, method);
                    let error = v / 0.1 / restitution.sqrt() - 1.0;
                    let name = format!("{restitution} {exponent} {formulation:?} {method:?}");
                    assert!(
                        error.abs() < 1e-6 && omega.abs() < 1e-6,
                        "{name}: {error:e} {omega:e}"
                    );
                }
            }
        }
    }
}

#[test]
fn exact_friction_takes_nothing_from_corners_that_do_not_slide() {
    let friction = FrictionLaw::CoulombTanh(CoulombTanh::new(0.1, 4e-3).expect("good numbers"));
    let law = two_slopes(0.2, 1.5, friction);
    for formulation in BOTH {
        let ([_, v], omega) = after_flat_impact(&law, 0.0, formulation, Method::Dop853);
        assert!((v / 0.1 / 0.2_f64.sqrt() - 1.0).abs() < 1e-6 && omega.abs() < 1e-6, "{v} {omega}");
    }
}

/// The result depends continuously on the tilt with which the block arrives.
#[test]
fn exact_corners_that_turn_almost_together_return_almost_the_same() {
    let law = two_slopes(0.2, 1.5, FrictionLaw::NoFriction);
    for tilt in [1e-13, 1e-11, -1e-10, 1e-9] {
        let ([_, v], omega) = after_flat_impact(&law, tilt, Formulation::Joint, Method::Dop853);
        let error = v / 0.1 / 0.2_f64.sqrt() - 1.0;
        // The deepest point is some 6 µm deep and the block 0.1 m long.
        assert!(error.abs() < 1e6 * tilt.abs() + 1e-6, "{tilt:e}: {error:e}");
        assert!(omega.abs() < 1e7 * tilt.abs() + 1e-6, "{tilt:e}: {omega:e}");
    }
}

#[test]
fn exact_both_sides_of_a_groove_turn_together() {
    for (angle, restitution) in
        [(60.0_f64, 0.2), (60.0, 0.4), (75.0, 0.2), (80.0, 0.7), (30.0, 0.2)]
    {
        let law = two_slopes(restitution, 1.5, FrictionLaw::NoFriction);
        let (sin, cos) = angle.to_radians().sin_cos();
        for formulation in BOTH {
            let mut parts = Builder::new();
            let ball = Body::point(1.0).placed([0.0, 1e-3], 0.0).moving([0.0, -0.1], 0.0);
            let ball = parts.body("ball", ball);
            for (name, side) in [("left", 1.0), ("right", -1.0)] {
                // A wall of radius 1 m, whatever its curvature: only indentation is stored.
                let wall = GROUND.at([-side * sin, -cos]);
                let distance = Coordinate::Distance(wall, ball.origin());
                parts.stop(name, distance, 1.0, Side::Below, law.clone());
            }
            let mechanism = parts.build().expect("good parts");
            let run = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-11);
            let run = run.until(0.06).run().expect("it starts");
            let [vx, vy] = run.end().expect("regular").position(ball).velocity;
            let error = vy / 0.1 / restitution.sqrt() - 1.0;
            assert!(
                error.abs() < 1e-6 && vx.abs() < 1e-8,
                "{angle} {restitution}: {error:e} {vx:e}"
            );
        }
    }
}
