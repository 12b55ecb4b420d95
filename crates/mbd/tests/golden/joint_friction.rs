//! Friction of ideal joints from their own reactions: a pendulum on its pin, a block in its guide, jamming.

use jointplay_contact::friction::{CoulombTanh, FrictionLaw};
use jointplay_mbd::signal::Harmonic;
use jointplay_mbd::{
    AccountKind, Body, BodyId, Builder, Coordinate, Error, Force, GROUND, JointFriction, JointId,
    LoadFrame, Mechanism, Outcome, PartRef, Signal, Simulation,
};

use super::judge::{BOTH, Demand, Instant, REGULAR, channel, instants, judge, run};
use super::reference::{Case, rows};

fn tanh(mu: f64, slip_speed: f64) -> FrictionLaw {
    FrictionLaw::CoulombTanh(CoulombTanh::new(mu, slip_speed).expect("good numbers"))
}

/// The force or moment of a dry friction from the power it takes; none at rest.
fn effort(i: &Instant<'_>, joint: &str, rate: f64) -> f64 {
    if rate == 0.0 { 0.0 } else { -i.power(AccountKind::JointFriction, joint) / rate }
}

#[test]
fn exact_pendulum_with_journal_friction() {
    for name in ["journal", "journal-light", "journal-heavy"] {
        let case = Case::read("journal-friction", name);
        let mut parts = Builder::new();
        parts.gravity([0.0, -case.get("gravity")]);
        // It hangs along −y of its frame: its angle counts from the downward vertical.
        let body = Body::new(case.get("mass"), case.get("inertia"))
            .centre([0.0, -case.get("com_distance")])
            .placed([0.0; 2], case.get("angle"))
            .moving([0.0; 2], case.get("rate"));
        let pendulum = parts.body("pendulum", body);
        let pin = parts.revolute("pin", GROUND.origin(), pendulum.origin());
        let radius = case.get("pin_radius");
        // The reference is regularised in rad/s, the law in m/s at the surface of the pin.
        let friction =
            JointFriction::pin(tanh(case.get("mu"), radius * case.get("rate_s")), radius);
        parts.friction(pin, friction.and_viscous(case.get("viscous")));
        let mechanism = parts.build().expect("good parts");

        let viscous = case.get("viscous") > 0.0;
        let channels = [
            channel("angle", |i| i.angle(pendulum).value),
            channel("rate", |i| i.angle(pendulum).rate),
            channel("acceleration", |i| i.angle(pendulum).acceleration),
            channel("pin_fx", |i| i.reaction_of(pin, "fx")),
            channel("pin_fy", |i| i.reaction_of(pin, "fy")),
            channel("pin_force", |i| i.reaction(pin).force()),
            channel("friction_moment", |i| effort(i, "pin", i.angle(pendulum).rate)),
            channel("energy_lost_friction", |i| i.amount(AccountKind::JointFriction, "pin")),
            channel("energy_lost_viscous", move |i| {
                if viscous { i.amount(AccountKind::JointViscous, "pin") } else { 0.0 }
            }),
        ];
        // Reversals are 0.05 rad/s wide: the acceleration is steep in the rate.
        let demand = Demand { error: 5e-10, tolerance: 2e-13, ..REGULAR };
        judge(&case, &mechanism, demand, &channels);
        case.assert_complete();
    }
}

struct Slide {
    mechanism: Mechanism,
    block: BodyId,
    guide: JointId,
}

/// What distinguishes the blocks.
struct Loads {
    gravity: f64,
    guide_angle: f64,
    mass: f64,
    centre: [f64; 2],
    size: f64,
    friction: FrictionLaw,
    push: Signal,
    at: [f64; 2],
    speed: f64,
}

fn block(loads: Loads) -> Slide {
    let mut parts = Builder::new();
    parts.gravity([0.0, -loads.gravity]);
    let angle = loads.guide_angle;
    let body = Body::new(loads.mass, 0.02).centre(loads.centre).placed([0.0; 2], angle);
    let block = parts.body("block", body);
    let guide = parts.prismatic("guide", GROUND.origin().at_angle(angle), block.origin());
    parts.friction(guide, JointFriction::block(loads.friction, loads.size));
    let (at, size) = (block.at(loads.at), loads.push);
    let push = Force::Load { at, direction: [1.0, 0.0], fixed_in: LoadFrame::Body, size };
    parts.force("push", push);
    parts.start_at(Coordinate::Joint(guide), 0.0);
    parts.start_with_rate(Coordinate::Joint(guide), loads.speed);
    Slide { mechanism: parts.build().expect("good parts"), block, guide }
}

#[test]
fn exact_block_with_friction_at_both_ends() {
    for name in ["flat", "tilted", "implicit", "implicit-raising", "drawer"] {
        let case = Case::read("prismatic-friction", name);
        assert_eq!([case.get("push_n"), case.get("friction_arm"), case.get("s")], [0.0; 3]);
        let push = Signal::harmonic(Harmonic {
            offset: case.get("push"),
            amplitude: case.get("swing"),
            angular_frequency: case.get("frequency"),
            phase: 0.0,
        });
        let Slide { mechanism, guide, .. } = block(Loads {
            gravity: case.get("gravity"),
            guide_angle: case.get("guide_angle"),
            mass: case.get("mass"),
            centre: case.pair("com_s", "com_n"),
            size: case.get("b"),
            friction: tanh(case.get("mu"), case.get("v_s")),
            push: push.expect("finite"),
            at: case.pair("push_s", "arm"),
            speed: case.get("v"),
        });
        let slide = Coordinate::Joint(guide);
        let half = move |i: &Instant<'_>| 0.5 * i.reaction_of(guide, "normal");
        let couple = |i: &Instant<'_>| i.reaction_of(guide, "moment") / case.get("b");
        let channels = [
            channel("s", |i| i.coordinate(slide).value),
            channel("v", |i| i.coordinate(slide).rate),
            channel("acceleration", |i| i.coordinate(slide).acceleration),
            channel("friction", |i| effort(i, "guide", i.coordinate(slide).rate)),
            channel("normal_force", |i| i.reaction_of(guide, "normal")),
            channel("moment", |i| i.reaction_of(guide, "moment")),
            channel("normal1", |i| half(i) + couple(i)),
            channel("normal2", |i| half(i) - couple(i)),
            channel("energy_lost", |i| i.amount(AccountKind::JointFriction, "guide")),
        ];
        // Each case stays on one branch of max(|N|, 2|M|/b): smooth. The drawer creeps, and the explicit steps are as long
        // as stability allows: between them remain 100 tolerances of the speed, which the slope of the friction
        // (1250/s) turns into acceleration.
        let (error, agreement) = if name == "drawer" { (5e-8, 5e-8) } else { (1e-11, 1e-9) };
        judge(&case, &mechanism, Demand { error, agreement, ..REGULAR }, &channels);
        if name == "drawer" {
            // Locked by itself, it creeps where tanh balances the lever.
            let (_, creep) = case.single("creep_speed");
            for formulation in BOTH {
                let run = run(&mechanism, formulation, 1e-11, &[3.0]);
                let v = instants(&run, &[3.0])[0].coordinate(slide).rate;
                assert!((v / creep - 1.0).abs() < 1e-9, "{formulation:?}: {v}");
            }
        }
        case.assert_complete();
    }
}

/// A block on a horizontal guide, pushed off the line, from jamming.csv.
fn jamming(row: &super::reference::Row, slip_speed: f64, speed: f64) -> Slide {
    block(Loads {
        gravity: 9.81,
        guide_angle: 0.0,
        mass: row.number("mass"),
        centre: [0.0, row.number("com_n")],
        size: row.number("b"),
        friction: tanh(row.number("mu"), slip_speed),
        push: Signal::constant(row.number("push")).expect("finite"),
        at: [0.0, row.number("arm")],
        speed,
    })
}

#[test]
fn exact_jamming_is_a_fault_at_the_start() {
    for row in rows("mechanisms-prismatic-friction/jamming.csv") {
        let name = row.text("case");
        // Sliding a thousand times faster than the regularisation: tanh is 1 to the last bit.
        let Slide { mechanism, block, .. } = jamming(&row, 1e-3, 1.0);
        for formulation in BOTH {
            let simulation = Simulation::new(&mechanism).formulation(formulation);
            let run = simulation.tolerance(1e-10).until(1e-3).run();
            if row.text("solutions") == "1" {
                let run = run.unwrap_or_else(|error| panic!("{name} {formulation:?}: {error}"));
                let start = &instants(&run, &[0.0])[0];
                let friction = -effort(start, "guide", start.position(block).velocity[0]);
                let error = friction / row.number("friction1") - 1.0;
                assert!(error.abs() < 1e-13, "{name} {formulation:?}: {friction}");
            } else {
                // No solution, or two: both are reported, by name.
                let Err(Error::Evaluation { part, reason }) = run.map(|run| run.outcome) else {
                    panic!("{name} {formulation:?} does not jam")
                };
                assert_eq!(part.label(), "joint 'guide'", "{name} {formulation:?}");
                assert!(reason.ends_with("the joint jams"), "{reason}");
            }
        }
    }
}

#[test]
fn exact_jamming_ends_a_run_on_its_way() {
    for row in rows("mechanisms-prismatic-friction/jamming.csv") {
        // Pushed from rest, a block jams where tanh(v/v_s) has grown to 1/kappa, if the push carries it so far: not
        // where friction raises the moment, which makes it creep before.
        let name = row.text("case");
        if !["none-lowering", "two", "two-high-push"].contains(&name) {
            continue;
        }
        let (kappa, slip_speed) = (row.number("kappa"), 0.5);
        let Slide { mechanism, block, .. } = jamming(&row, slip_speed, 0.0);
        for formulation in BOTH {
            let simulation = Simulation::new(&mechanism).formulation(formulation);
            let run = simulation.tolerance(1e-10).until(10.0).run().expect("slow enough");
            let Outcome::Failed { part, .. } = &run.outcome else {
                panic!("{name} {formulation:?}: {}", run.outcome)
            };
            assert_eq!(
                part.as_ref().map(PartRef::label),
                Some("joint 'guide'"),
                "{name} {formulation:?}"
            );
            // Steps are cut until the last good state lies at the limit.
            let v = run.end().expect("regular").position(block).velocity[0];
            let limit = slip_speed * (1.0 / kappa).atanh();
            println!("{name} {formulation:?}: {:.1e}, {}", v / limit - 1.0, run.outcome);
            assert!((v / limit - 1.0).abs() < 1e-9, "{name} {formulation:?}: {v}, not {limit}");
        }
    }
}
