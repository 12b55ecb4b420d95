//! One mechanism, two sets of coordinates, one motion.

use jointplay_mbd::{
    DriftControl, Equations, Formulation, Mechanism, Sampling, Simulation, Snapshot,
};

use crate::mechanisms::{Recipe, mechanism};

/// Everything that a snapshot tells which does not depend on the coordinates, by kind.
fn told(mechanism: &Mechanism, snapshot: &Snapshot<'_, '_>) -> [(&'static str, Vec<f64>); 6] {
    let mut positions = Vec::new();
    let mut velocities = Vec::new();
    let mut accelerations = Vec::new();
    for body in mechanism.bodies() {
        let (origin, angle) = (snapshot.position(body), snapshot.angle(body));
        positions.extend([origin.position[0], origin.position[1], angle.value]);
        velocities.extend([origin.velocity[0], origin.velocity[1], angle.rate]);
        let [ax, ay] = origin.acceleration;
        accelerations.extend([ax, ay, angle.acceleration]);
    }
    let reactions = mechanism.joints().flat_map(|joint| {
        let reaction = snapshot.reaction(joint);
        reaction.components().map(|(_, value)| value).collect::<Vec<_>>()
    });
    let efforts = mechanism.drivers().map(|driver| snapshot.driver(driver).effort);
    [
        ("position", positions),
        ("velocity", velocities),
        ("acceleration", accelerations),
        ("reaction", reactions.collect()),
        ("effort", efforts.collect()),
        ("power", snapshot.powers().to_vec()),
    ]
}

/// The greatest difference of each kind over the greatest magnitude of that kind, at least 1 (SI units; the mechanisms
/// have 1 m, 1 kg and 1 s).
fn difference(
    one: &[(&'static str, Vec<f64>)],
    other: &[(&'static str, Vec<f64>)],
) -> Vec<(&'static str, f64)> {
    let mut worst = Vec::new();
    for ((what, one), (_, other)) in one.iter().zip(other) {
        assert_eq!(one.len(), other.len(), "{what}");
        let size = one.iter().chain(other).fold(1.0_f64, |size, x| size.max(x.abs()));
        let gap = one.iter().zip(other).map(|(x, y)| (x - y).abs());
        worst
            .push((*what, gap.fold(0.0, |a: f64, b| if b.is_nan() { b } else { a.max(b) }) / size));
    }
    worst
}

fn equations(mechanism: &Mechanism, formulation: Formulation) -> Equations<'_> {
    Equations::new(mechanism, formulation, DriftControl::default()).expect("bodies with mass")
}

/// Differences at the start.
fn at_start(mechanism: &Mechanism) -> Vec<(&'static str, f64)> {
    let [joint, absolute] = [Formulation::Joint, Formulation::Absolute].map(|formulation| {
        let equations = equations(mechanism, formulation);
        let start = match equations.start(0.0) {
            Ok(s) => s,
            Err(e) => {
                println!("{e}");
                return told0();
            }
        };
        let snapshot = equations.snapshot(0.0, &start.y, &start.mode).expect("regular");
        told(mechanism, &snapshot)
    });
    difference(&joint, &absolute)
}

fn told0() -> [(&'static str, Vec<f64>); 6] {
    std::array::from_fn(|_| ("", vec![]))
}
#[test]
fn property_scan() {
    for seed in 0..1000 {
        let mechanism = mechanism(seed, &Recipe { contacts: 2, ..Recipe::FULL });
        let [a, b] = [Formulation::Joint, Formulation::Absolute].map(|formulation| {
            let equations = equations(&mechanism, formulation);
            let start = match equations.start(0.0) {
                Ok(s) => s,
                Err(e) => {
                    println!("{seed} {e}");
                    return None;
                }
            };
            let snapshot = equations.snapshot(0.0, &start.y, &start.mode).expect("regular");
            Some((told(&mechanism, &snapshot), start.report.freedom))
        });
        let (Some(a), Some(b)) = (a, b) else {
            println!("{seed} jam");
            continue;
        };
        let worst = difference(&a.0, &b.0);
        let w = worst.iter().fold(0.0_f64, |a, b| a.max(b.1));
        let big: Vec<f64> =
            a.0.iter().map(|(_, x)| x.iter().fold(0.0, |a: f64, b| a.max(b.abs()))).collect();
        println!("{seed} {w:.1e} {} {worst:?} {big:?}", a.1);
    }
}
