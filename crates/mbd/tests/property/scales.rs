//! Mechanisms far from the origin, and with masses far apart.

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{CoulombTanh, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, Builder, Coordinate, DriftControl, Equations, Error, Formulation, GROUND, JointFriction,
    Mechanism, Method, Outline, PartKind, PartRef, PinInWalls, Sampling, Signal, Simulation,
    Solution,
};

use super::mechanisms::{BOTH, tanh};

/// The pins of a four-bar of 0.1 m: crank on the ground, crank and coupler, coupler and rocker, rocker on the ground.
const PINS: [[f64; 2]; 4] = [[0.0, 0.0], [0.03, 0.04], [0.12, 0.07], [0.1, 0.0]];

/// A rod of this mass between two points.
fn rod(parts: &mut Builder, name: &str, mass: f64, [a, b]: [[f64; 2]; 2]) -> jointplay_mbd::BodyId {
    let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
    let length = dx.hypot(dy);
    let body = Body::rod(mass, length).centre([0.5 * length, 0.0]).placed(a, dy.atan2(dx));
    parts.body(name, body)
}

/// A four-bar that falls, its ground pins moved by `shift`, its coupler of this mass.
fn four_bar(shift: [f64; 2], coupler_mass: f64) -> Mechanism {
    let at = |pin: usize| [PINS[pin][0] + shift[0], PINS[pin][1] + shift[1]];
    let length = |i: usize, j: usize| (PINS[i][0] - PINS[j][0]).hypot(PINS[i][1] - PINS[j][1]);
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let crank = rod(&mut parts, "crank", 1.0, [at(0), at(1)]);
    let coupler = rod(&mut parts, "coupler", coupler_mass, [at(1), at(2)]);
    let rocker = rod(&mut parts, "rocker", 1.3, [at(3), at(2)]);
    parts.revolute("A", GROUND.at(at(0)), crank.origin());
    parts.revolute("B", crank.at([length(0, 1), 0.0]), coupler.origin());
    parts.revolute("C", coupler.at([length(1, 2), 0.0]), rocker.at([length(3, 2), 0.0]));
    parts.revolute("D", GROUND.at(at(3)), rocker.origin());
    parts.build().expect("good parts")
}

/// A run to 0.5 s, kept every 10 ms.
fn fall(mechanism: &Mechanism, formulation: Formulation) -> Solution {
    let run = Simulation::new(mechanism).formulation(formulation).method(Method::Dop853);
    let run = run.tolerance(1e-9).sampled(Sampling::Interval(0.01)).until(0.5).run();
    let run = run.expect("it starts");
    assert!(run.outcome.reached_end(), "{formulation:?}: {}", run.outcome);
    assert_eq!(run.start.freedom, 1, "{formulation:?}: {:?}", run.start);
    run
}

/// The angles of these bodies at every kept instant.
fn angles(run: &Solution, mechanism: &Mechanism, names: &[&str]) -> Vec<f64> {
    let series = |name: &&str| {
        let body = mechanism.find_body(name).expect("it is there");
        run.series(|snapshot| snapshot.angle(body).value).expect("regular")
    };
    names.iter().flat_map(series).collect()
}

fn greatest_difference(one: &[f64], other: &[f64]) -> f64 {
    assert_eq!(one.len(), other.len());
    one.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn property_a_mechanism_far_from_the_origin_moves_alike() {
    let names = ["crank", "coupler", "rocker"];
    let near = four_bar([0.0; 2], 0.5);
    for formulation in BOTH {
        let known = angles(&fall(&near, formulation), &near, &names);
        for shift in [[10.0, -20.0], [1e4, 0.0], [-3e4, 1e4]] {
            let far = four_bar(shift, 0.5);
            let run = fall(&far, formulation);
            let difference = greatest_difference(&known, &angles(&run, &far, &names));
            // ε of the coordinates over the size of the mechanism, magnified some ten times in each of some hundred steps.
            let rounding = f64::EPSILON * shift[0].hypot(shift[1]) / 0.1;
            println!("{shift:?} {formulation:?}: {difference:e} {}", run.stats.accepted);
            assert!(difference < 1e-7 + 1e3 * rounding, "{shift:?} {formulation:?} {difference:e}");
        }
    }
}

/// The same four-bar whose coupler is a rod without mass.
fn massless() -> Mechanism {
    let length = |i: usize, j: usize| (PINS[i][0] - PINS[j][0]).hypot(PINS[i][1] - PINS[j][1]);
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let crank = rod(&mut parts, "crank", 1.0, [PINS[0], PINS[1]]);
    let rocker = rod(&mut parts, "rocker", 1.3, [PINS[3], PINS[2]]);
    parts.revolute("A", GROUND.at(PINS[0]), crank.origin());
    parts.revolute("D", GROUND.at(PINS[3]), rocker.origin());
    let tips = (crank.at([length(0, 1), 0.0]), rocker.at([length(3, 2), 0.0]));
    parts.rod("coupler", tips.0, tips.1, length(1, 2));
    parts.build().expect("good parts")
}

/// The lighter the coupler, the nearer the motion to that with a coupler without mass.
#[test]
fn property_a_light_coupler_moves_as_one_without_mass() {
    let limit = massless();
    let names = ["crank", "rocker"];
    for formulation in BOTH {
        let known = angles(&fall(&limit, formulation), &limit, &names);
        for ratio in [1e-3, 1e-5, 1e-7, 1e-9, 1e-10, 1e-11, 1e-12] {
            let light = four_bar([0.0; 2], ratio);
            let run = fall(&light, formulation);
            assert!(run.start.redundant.is_empty(), "{ratio:e} {:?}", run.start);
            let difference = greatest_difference(&known, &angles(&run, &light, &names));
            let (accepted, residual) = (run.stats.accepted, run.ledger.relative_residual());
            println!("{ratio:e} {formulation:?}: {difference:e} {accepted} {residual:e}");
            // Proportional to the mass, down to the tolerance of both runs, magnified by half a second of falling.
            assert!(difference < 10.0 * ratio + 1e-7, "{ratio:e} {formulation:?}: {difference:e}");
            assert!(residual < 1e-7, "{ratio:e} {formulation:?}: {residual:e}");
        }
    }
}

/// Exact derivatives pass through the judgement and the refinement, and so does the search for a rest.
#[test]
fn property_a_light_coupler_has_derivatives_and_a_rest() {
    let limit = massless();
    for formulation in BOTH {
        let known = angles(&fall(&limit, formulation), &limit, &["crank", "rocker"]);
        let place = |mechanism: &Mechanism| {
            let rest = mechanism.equilibrium(formulation, 0.0).expect("it settles");
            let snapshot = rest.snapshot().expect("regular");
            let body = mechanism.find_body("crank").expect("it is there");
            (snapshot.angle(body).value, rest.steps)
        };
        let (hanging, _) = place(&limit);
        for ratio in [1e-6, 1e-9, 1e-12] {
            let light = four_bar([0.0; 2], ratio);
            let run = Simulation::new(&light).formulation(formulation).method(Method::Radau5);
            let run = run.tolerance(1e-8).sampled(Sampling::Interval(0.01)).until(0.5);
            let run = run.run().expect("it starts");
            assert!(run.outcome.reached_end(), "{ratio:e} {formulation:?}: {}", run.outcome);
            let difference =
                greatest_difference(&known, &angles(&run, &light, &["crank", "rocker"]));
            println!("{ratio:e} {formulation:?}: {difference:e} {:?}", run.stats);
            assert!(difference < 10.0 * ratio + 1e-5, "{ratio:e} {formulation:?}: {difference:e}");
            let (crank, steps) = place(&light);
            println!("{ratio:e} {formulation:?}: {:e} {steps}", crank - hanging);
            assert!((crank - hanging).abs() < 10.0 * ratio + 1e-10, "{ratio:e} {formulation:?}");
        }
    }
}

/// A light coupler that is there twice: one constraint of three repeats the others, at any mass.
#[test]
fn property_a_light_coupler_does_not_hide_what_repeats() {
    for ratio in [1.0, 1e-6, 1e-9, 1e-12] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        // A parallelogram with a third rocker, so that the coupler is guided once too often.
        let coupler = rod(&mut parts, "coupler", ratio, [[0.0, 0.1], [0.2, 0.1]]);
        for (name, x) in [("1", 0.0), ("2", 0.1), ("3", 0.2)] {
            let rocker = rod(&mut parts, name, 1.0, [[x, 0.0], [x, 0.1]]);
            parts.revolute(format!("{name} ground"), GROUND.at([x, 0.0]), rocker.origin());
            parts.revolute(format!("{name} coupler"), rocker.at([0.1, 0.0]), coupler.at([x, 0.0]));
        }
        parts.start_with_rate(Coordinate::X(coupler.origin()), 0.1);
        let mechanism = parts.build().expect("good parts");
        for formulation in BOTH {
            let equations = Equations::new(&mechanism, formulation, DriftControl::default());
            let report = equations.and_then(|e| e.start(0.0)).expect("it starts").report;
            assert_eq!((report.freedom, report.redundant.len()), (1, 1), "{ratio:e}: {report:?}");
            let run = Simulation::new(&mechanism).formulation(formulation).until(0.2);
            let run = run.tolerance(1e-9).run().expect("it starts");
            assert!(run.outcome.reached_end(), "{ratio:e} {formulation:?}: {}", run.outcome);
            // All rockers turn alike.
            let end = run.end().expect("regular");
            let turned: Vec<f64> = ["1", "2", "3"]
                .map(|name| end.angle(mechanism.find_body(name).expect("it is there")).value)
                .into();
            assert!((turned[0] - turned[2]).abs() < 1e-11, "{ratio:e} {formulation:?} {turned:?}");
            assert!((turned[0] - turned[1]).abs() < 1e-11, "{ratio:e} {formulation:?} {turned:?}");
        }
    }
}

/// Two guides hold a block twice: which of them carries it, nobody knows, and so their friction.
#[test]
fn property_friction_of_reactions_that_are_not_unique_is_named() {
    let start = |guides: usize, rubs: usize, formulation| {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        let block = parts.body("block", Body::new(1.0, 0.1).moving([1.0, 0.0], 0.0));
        let arm = rod(&mut parts, "arm", 1.0, [[0.0, 1.0], [1.0, 1.0]]);
        let pin = parts.revolute("pin", GROUND.at([0.0, 1.0]), arm.origin());
        let mut joints = vec![pin];
        for (name, x) in [("left", -0.1), ("right", 0.1)].into_iter().take(guides) {
            joints.push(parts.prismatic(name, GROUND.origin(), block.at([x, 0.0])));
        }
        let on = if rubs == 0 { JointFriction::pin } else { JointFriction::block };
        parts.friction(joints[rubs], on(tanh(0.1, 0.01), 0.05));
        let mechanism = parts.build().expect("good parts");
        let equations = Equations::new(&mechanism, formulation, DriftControl::default());
        equations.and_then(|e| e.start(0.0)).expect("it starts").report
    };
    for formulation in BOTH {
        let report = start(2, 2, formulation);
        assert_eq!(report.redundant.len(), 2, "{report:?}");
        assert_eq!(report.ambiguous_friction, [PartRef::new(PartKind::Joint, "right")]);
        let left = [PartRef::new(PartKind::Joint, "left")];
        assert_eq!(start(2, 1, formulation).ambiguous_friction, left);
        // The pin of the arm takes no part in it, and a single guide is unique.
        assert!(start(2, 0, formulation).ambiguous_friction.is_empty());
        assert!(start(1, 1, formulation).ambiguous_friction.is_empty());
    }
}

/// A rod with a bead at its tip: pinned at its centre, a bead without moment of inertia is as good as welded.
fn beaded(pinned: bool) -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let arm = rod(&mut parts, "arm", 0.4, [[0.0, 0.0], [0.5, 0.0]]);
    let angle = if pinned { 0.3 } else { 0.0 };
    let bead = parts.body("bead", Body::point(1.1).placed([0.5, 0.0], angle));
    let tail = rod(&mut parts, "tail", 0.2, [[0.5, 0.0], [0.7, 0.1]]);
    parts.revolute("pivot", GROUND.origin(), arm.origin());
    if pinned {
        parts.revolute("bead", arm.at([0.5, 0.0]), bead.origin());
        parts.revolute("tail", bead.origin(), tail.origin());
    } else {
        parts.weld("bead", arm.at([0.5, 0.0]), bead.origin());
        parts.revolute("tail", arm.at([0.5, 0.0]), tail.origin());
    }
    parts.build().expect("good parts")
}

#[test]
fn property_a_pinned_point_mass_is_as_good_as_welded() {
    let welded = beaded(false);
    let run = |mechanism, formulation| {
        let run = Simulation::new(mechanism).formulation(formulation).tolerance(1e-10);
        let run = run.sampled(Sampling::Interval(0.05)).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        assert_eq!(run.start.freedom, 2, "{formulation:?}");
        run
    };
    let known = angles(&run(&welded, Formulation::Joint), &welded, &["arm", "tail"]);
    let pinned = beaded(true);
    for formulation in BOTH {
        let run = run(&pinned, formulation);
        let difference = greatest_difference(&known, &angles(&run, &pinned, &["arm", "tail"]));
        // Two runs at a tolerance of 1e-10.
        assert!(difference < 1e-7, "{formulation:?} {difference:e}");
        // The bead itself keeps the angle that it was given.
        for angle in angles(&run, &pinned, &["bead"]) {
            assert!((angle - 0.3).abs() < 1e-9, "{formulation:?} {angle}");
        }
        assert!(run.ledger.relative_residual() < 1e-8);
    }
}

/// A bead that two drivers carry on a circle needs no third for its angle.
#[test]
fn exact_a_point_mass_is_driven_along_its_path() {
    let mut parts = Builder::new();
    let bead = parts.body("bead", Body::point(0.3).placed([1.0, 0.0], 0.0));
    let signal = |text| Signal::expression(text).expect("a formula of t");
    parts.drive("x", Coordinate::X(bead.origin()), signal("cos(2*t)"));
    parts.drive("y", Coordinate::Y(bead.origin()), signal("sin(2*t)"));
    let mechanism = parts.build().expect("good parts");
    let times = [0.0, 0.4, 1.7, 6.0];
    let motion = mechanism.kinematics(&times).expect("its drivers determine it");
    let ahead = motion.series(|s| s.point(bead.origin()).acceleration[0]).expect("regular");
    for (t, ax) in times.iter().zip(ahead) {
        assert!((ax + 4.0 * (2.0 * t).cos()).abs() < 1e-12, "{t}");
    }
    for formulation in BOTH {
        let driven = mechanism.inverse_dynamics(formulation, &times).expect("driven");
        let (driver, ..) = mechanism.drivers().next().expect("x");
        let push = driven.series(|s| s.driver(driver).effort).expect("regular");
        for (t, push) in times.iter().zip(push) {
            // m a
            assert!((push + 0.3 * 4.0 * (2.0 * t).cos()).abs() < 1e-12, "{t} {formulation:?}");
        }
    }
}

/// Points that coincide part at the speed of their motion; a driver cannot hold them together by their distance.
#[test]
fn exact_a_distance_of_zero() {
    let free = |driven: bool| {
        let mut parts = Builder::new();
        let bead = parts.body("bead", Body::point(1.0).moving([3.0, 4.0], 0.0));
        let distance = Coordinate::Distance(GROUND.origin(), bead.origin());
        if driven {
            parts.drive("leash", distance, Signal::polynomial(&[0.0, 0.0, 1.0]).expect("finite"));
        }
        (parts.build().expect("good parts"), distance)
    };
    for formulation in BOTH {
        let (mechanism, distance) = free(false);
        let run = Simulation::new(&mechanism).formulation(formulation).run().expect("it starts");
        let series = run.series(|s| s.coordinate(distance).rate).expect("regular");
        assert!(series.iter().all(|rate| (rate - 5.0).abs() < 1e-12), "{series:?}");
        let (mechanism, _) = free(true);
        let equations = Equations::new(&mechanism, formulation, DriftControl::default());
        let error = equations.and_then(|e| e.start(0.0)).expect_err("it has no direction");
        let Error::Evaluation { part, reason } = &error else { panic!("{error}") };
        assert_eq!(part.label(), "driver 'leash'");
        assert!(reason.contains("coincide"), "{reason}");
    }
}

/// A ball with a dashpot that begins like δ^(1/4) falls on a floor, bounces and meets another one: the same motion in any units of
/// length, time and mass, by a method whose Jacobian is infinite at the first touch.
#[test]
fn property_balls_meet_alike_in_all_units() {
    for jankowski in [false, true] {
        let known = met([1.0, 1.0, 1.0], jankowski);
        for time in [1e-2, 1e-4, 1e-5, 1e-6, 1e-7] {
            for [length, mass] in [[1e-3, 1.0], [1e-3, 1e-3], [1.0, 1e-9]] {
                let found = met([length, time, mass], jankowski);
                for (found, known) in found.into_iter().zip(known) {
                    let units = format!("{jankowski} {length:e} m, {time:e} s, {mass:e} kg");
                    assert!((found - known).abs() < 1e-4, "{units}: {found} for {known}");
                }
            }
        }
    }
}

/// Where both balls are at the end, in these units of length, time and mass.
fn met([length, time, mass]: [f64; 3], jankowski: bool) -> [f64; 4] {
    let speed = length / time;
    let stiffness = 1e7 * mass / (time * time) / length.sqrt();
    let power = Power { stiffness, exponent: 1.5 };
    let restitution = Restitution::Constant(0.6);
    let damping = if jankowski {
        DampingLaw::Jankowski { restitution, power }
    } else {
        DampingLaw::FractionOfCritical { restitution, power }
    };
    let normal = NormalLaw::new(ElasticLaw::Power(power), damping);
    let friction = CoulombTanh::new(0.2, 0.01 * speed).expect("good numbers");
    let rough = FrictionLaw::CoulombTanh(friction);
    let rough = ContactLaw { normal: normal.clone(), friction: rough };
    let smooth = ContactLaw { normal, friction: FrictionLaw::NoFriction };
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81 * speed / time]);
    let ball = |mass: f64, x: f64, y: f64| {
        Body::new(mass, 1e-3 * length * length * mass).placed([x * length, y * length], 0.0)
    };
    let low = ball(mass, 0.0, 0.3).moving([0.3 * speed, 0.0], 3.0 / time);
    let low = parts.body("low", low);
    let high = parts.body("high", ball(3.0 * mass, 0.02, 0.6));
    let [radius, other] = [0.05 * length, 0.08 * length];
    let floor = PinInWalls {
        body: GROUND,
        outline: Outline::flat([-length, 0.0], [length, 0.0]),
        pin: low.origin(),
        pin_radius: radius,
        contact_point: 1.0,
        play: None,
    };
    parts.pin_in_walls("floor", floor, |_| rough.clone());
    parts.circles("balls", [low.origin(), high.origin()], [radius, other], smooth);
    let mechanism = parts.build().expect("good parts");
    let run = Simulation::new(&mechanism).method(Method::Radau5).tolerance(1e-8);
    let run = run.until(0.6 * time).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{length:e} {time:e} {mass:e}: {}", run.outcome);
    let end = run.end().expect("regular");
    let [a, b] = [low, high].map(|ball| end.position(ball).position.map(|x| x / length));
    [a[0], a[1], b[0], b[1]]
}
