//! What no motion changes, and what no choice of frames changes.

use jointplay_mbd::{
    Body, Builder, Coordinate, DriftControl, Equations, Force, Formulation, GROUND, JointKind,
    Mechanism, Method, Outcome, Sampling, Simulation, Snapshot, Spring,
};

use super::mechanisms::{BOTH, Recipe, Specimen, Stage, specimen};
use crate::sweep;

/// Momentum along x and y, and angular momentum about the origin of the world.
fn momentum(specimen: &Specimen, snapshot: &Snapshot<'_>) -> [f64; 3] {
    let mut sum = [0.0; 3];
    for (id, body) in &specimen.bodies {
        let centre = snapshot.point(id.at(body.centre_of_mass));
        let [x, y] = centre.position;
        let [px, py] = centre.velocity.map(|v| body.mass * v);
        sum[0] += px;
        sum[1] += py;
        sum[2] += x * py - y * px + body.inertia * snapshot.angle(*id).rate;
    }
    sum
}

/// Bodies on springs, bushings and joints with friction, driven against each other, in impact with each other: all of
/// it is between them.
#[test]
fn property_a_floating_cluster_keeps_its_momentum() {
    let recipe = Recipe { floating: true, relative: true, contacts: 2, ..Recipe::FULL };
    let (mut kept, seeds) = (0, sweep::cases(10, 30));
    for seed in 0..seeds {
        let specimen = specimen(seed, &recipe, Stage::default());
        for formulation in BOTH {
            let simulation = Simulation::new(&specimen.mechanism).formulation(formulation);
            let Ok(run) = simulation.tolerance(1e-11).until(0.3).max_steps(5000).run() else {
                continue;
            };
            // A driver that leads into a singular position raises forces, and their rounding, without bound.
            if run.outcome != Outcome::ReachedEnd {
                continue;
            }
            kept += 1;
            let series: Vec<Vec<f64>> = (0..3)
                .map(|i| run.series(|s| momentum(&specimen, s)[i]).expect("regular"))
                .collect();
            for (i, series) in series.iter().enumerate() {
                let change = series.iter().fold(0.0_f64, |most, p| most.max((p - series[0]).abs()));
                // Momenta of a few kg m/s, steps with errors of 1e-11, hundreds of them.
                assert!(change < 1e-8, "seed {seed} {formulation:?} {i}: {change:e}");
            }
        }
    }
    assert!(3 * kept > 4 * seeds, "{kept}");
}

/// A closed system without losses: a double pendulum that pulls a cart by a spring, with a loop through a rod.
fn closed() -> Mechanism {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let upper = parts.body("upper", Body::rod(1.0, 0.6).placed([0.3, 0.0], 0.0));
    let lower = parts.body("lower", Body::rod(0.7, 0.5).placed([0.85, 0.0], 0.0));
    let cart = parts.body("cart", Body::new(2.0, 0.1).placed([0.9, -0.8], 0.0));
    let bell = parts.body("bell", Body::new(0.4, 0.02).placed([0.5, -0.4], 0.5));
    parts.revolute("shoulder", GROUND.origin(), upper.at([-0.3, 0.0]));
    parts.revolute("elbow", upper.at([0.3, 0.0]), lower.at([-0.25, 0.0]));
    parts.prismatic("rail", GROUND.at([0.0, -0.8]), cart.origin());
    parts.revolute("hook", cart.at([-0.2, 0.1]), bell.at([0.1, -0.1]));
    parts.rod("rod", upper.origin(), bell.at([-0.1, 0.1]), 0.45);
    let spring = Spring::new(lower.at([0.25, 0.0]), cart.at([0.1, 0.1]), 40.0, 0.4);
    parts.force("spring", Force::Spring(spring));
    parts.build().expect("good parts")
}

#[test]
fn property_a_closed_system_keeps_its_energy() {
    let mechanism = closed();
    for formulation in BOTH {
        for method in [Method::Dopri5, Method::Dop853] {
            let drift = |tolerance: f64| {
                let simulation =
                    Simulation::new(&mechanism).formulation(formulation).method(method);
                let simulation = simulation.tolerance(tolerance).until(20.0);
                let run = simulation.sampled(Sampling::Interval(0.1)).run().expect("it starts");
                assert!(run.outcome.reached_end(), "{}", run.outcome);
                let kinetic = run.series(|s| s.energy().kinetic).expect("regular");
                let most = kinetic.into_iter().fold(0.0, f64::max);
                let end = run.end().expect("regular").energy().total();
                (end - run.ledger.start.total()).abs() / most
            };
            let drifts = [1e-5, 1e-7, 1e-9, 1e-11].map(drift);
            for (drift, tolerance) in drifts.iter().zip([1e-5, 1e-7, 1e-9, 1e-11]) {
                // 20 s, hundreds of times the time in which the motion changes.
                assert!(*drift < 300.0 * tolerance, "{formulation:?} {method:?}: {drifts:?}");
            }
            assert!(drifts[3] < 1e-3 * drifts[0], "{formulation:?} {method:?}: {drifts:?}");
        }
    }
}

/// What a specimen does, seen from its stage: motions of the centres of mass, then what has no direction.
fn seen(specimen: &Specimen, stage: &Stage, snapshot: &Snapshot<'_>) -> Vec<(&'static str, f64)> {
    let back = Stage { angle: -stage.angle, ..Stage::default() };
    let mut seen = Vec::new();
    for (id, body) in &specimen.bodies {
        let centre = snapshot.point(id.at(body.centre_of_mass));
        let [x, y] = centre.position;
        let place = back.turn([x - stage.shift[0], y - stage.shift[1]]);
        let angle = snapshot.angle(*id);
        seen.extend(place.map(|x| ("position", x)));
        seen.extend(back.turn(centre.velocity).map(|v| ("velocity", v)));
        seen.extend(back.turn(centre.acceleration).map(|a| ("acceleration", a)));
        seen.extend([
            ("angle", angle.value - stage.angle),
            ("rate", angle.rate),
            ("acceleration", angle.acceleration),
        ]);
    }
    for (id, _, joint) in specimen.mechanism.joints() {
        let reaction = snapshot.reaction(id);
        let components: Vec<f64> = reaction.components().map(|(_, value)| value).collect();
        let turned = match joint.kind {
            JointKind::Revolute | JointKind::Weld => 2,
            _ => 0,
        };
        if let [fx, fy] = components[..turned] {
            seen.extend(back.turn([fx, fy]).map(|f| ("reaction", f)));
        }
        seen.extend(components[turned..].iter().map(|&f| ("reaction", f)));
    }
    let drivers = specimen.mechanism.drivers();
    seen.extend(drivers.map(|(driver, ..)| ("effort", snapshot.driver(driver).effort)));
    seen.extend(snapshot.powers().iter().map(|&power| ("power", power)));
    seen
}

/// The same at the start and after a run, on this stage and on none.
fn assert_invariant(seeds: std::ops::Range<u64>, recipe: &Recipe, stage: Stage) {
    let (mut compared, count) = (0, seeds.end - seeds.start);
    for seed in seeds {
        let [one, other] = [Stage::default(), stage].map(|stage| specimen(seed, recipe, stage));
        for formulation in BOTH {
            let at_start = |specimen: &Specimen, stage: &Stage| {
                let mechanism = &specimen.mechanism;
                let equations = Equations::new(mechanism, formulation, DriftControl::default());
                let equations = equations.expect("bodies with mass");
                let start = equations.start(0.0).ok()?;
                let snapshot = equations.snapshot(0.0, &start.y, &start.mode).expect("regular");
                Some(seen(specimen, stage, &snapshot))
            };
            let after = |specimen: &Specimen, stage: &Stage| {
                let simulation = Simulation::new(&specimen.mechanism).formulation(formulation);
                let simulation = simulation.tolerance(1e-12).sampled(Sampling::EventsOnly);
                let run = simulation.until(0.1).max_steps(5000).run().ok()?;
                (run.outcome == Outcome::ReachedEnd)
                    .then(|| seen(specimen, stage, &run.end().expect("regular")))
            };
            let starts = (at_start(&one, &Stage::default()), at_start(&other, &stage));
            let ends = (after(&one, &Stage::default()), after(&other, &stage));
            // Lengths of up to 10 m round to 1e-15; constraints that nearly repeat each other magnify it by 1e5.
            for ((one, other), close) in [(starts, 1e-9), (ends, 1e-7)] {
                assert_eq!(one.is_some(), other.is_some(), "seed {seed} {formulation:?}");
                let (Some(one), Some(other)) = (one, other) else { continue };
                assert_eq!(one.len(), other.len());
                for kind in [
                    "position",
                    "angle",
                    "velocity",
                    "rate",
                    "acceleration",
                    "reaction",
                    "effort",
                    "power",
                ] {
                    let of_kind = |(x, y): &(&(&'static str, f64), &(&'static str, f64))| {
                        (x.0 == kind).then_some((x.1, y.1))
                    };
                    let pairs: Vec<(f64, f64)> =
                        one.iter().zip(&other).filter_map(|pair| of_kind(&pair)).collect();
                    let size = pairs.iter().fold(1.0_f64, |size, (x, _)| size.max(x.abs()));
                    for (x, y) in pairs {
                        assert!(
                            (x - y).abs() <= close * size,
                            "seed {seed} {formulation:?} {kind}: {x} {y}"
                        );
                    }
                }
                compared += 1;
            }
        }
    }
    assert!(4 * compared > 5 * count, "{compared}");
}

#[test]
fn property_a_turned_and_moved_world_is_the_same_world() {
    let recipe = Recipe { relative: true, contacts: 1, ..Recipe::FULL };
    let stage = Stage { angle: 2.1, shift: [3.0, -4.0], frames: 0.0 };
    assert_invariant(0..sweep::cases(12, 40), &recipe, stage);
}

#[test]
fn property_the_frames_of_bodies_may_lie_anywhere() {
    let stage = Stage { frames: 1.5, ..Stage::default() };
    assert_invariant(100..sweep::cases(112, 140), &Recipe { contacts: 1, ..Recipe::FULL }, stage);
}

/// Coordinates of the origin of a frame, as drivers and watches see them, follow the frame.
#[test]
fn property_a_point_is_where_it_is_in_any_frame() {
    for frame in [[0.0, 0.0], [0.7, -0.2]] {
        let mut parts = Builder::new();
        parts.gravity([0.0, -9.81]);
        let body = Body::new(1.0, 0.1).centre([-frame[0], -frame[1]]);
        let body = parts.body("body", body.placed([1.0 + frame[0], 2.0 + frame[1]], 0.0));
        let mechanism = parts.build().expect("good parts");
        let equations = Equations::new(&mechanism, Formulation::Joint, DriftControl::default());
        let equations = equations.expect("a mass");
        let start = equations.start(0.0).expect("free");
        let snapshot = equations.snapshot(0.0, &start.y, &start.mode).expect("regular");
        let point = [0.5 - frame[0], -frame[1]];
        let x = snapshot.coordinate(Coordinate::X(body.at(point)));
        let y = snapshot.coordinate(Coordinate::Y(body.at(point)));
        assert!((x.value - 1.5).abs() < 1e-15 && (y.value - 2.0).abs() < 1e-15);
        assert!((y.acceleration + 9.81).abs() < 1e-14 && x.acceleration.abs() < 1e-14);
    }
}
