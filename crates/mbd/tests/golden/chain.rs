//! B5: a chain of N uniform rods, hinged at the origin, released horizontally from rest.

use jointplay_mbd::{Body, BodyId, Builder, GROUND, Mechanism};

use super::judge::{BOTH, Demand, REGULAR, channel, judge, run};
use super::reference::{Case, published};

fn chain(case: &Case, rods: usize) -> (Mechanism, Vec<BodyId>) {
    let (mass, length) = (case.get("mass"), case.get("length"));
    let mut parts = Builder::new();
    parts.gravity([0.0, -case.get("gravity")]);
    let mut links = Vec::new();
    for k in 0..rods {
        // Frames at the centres of mass.
        let body = Body::rod(mass, length).placed([length * (k as f64 + 0.5), 0.0], 0.0);
        let link = parts.body(format!("rod {}", k + 1), body);
        let end =
            links.last().map_or(GROUND.origin(), |last: &BodyId| last.at([0.5 * length, 0.0]));
        parts.revolute(format!("hinge {}", k + 1), end, link.at([-0.5 * length, 0.0]));
        links.push(link);
    }
    (parts.build().expect("good parts"), links)
}

fn judge_chain(rods: usize) {
    let case = Case::with_parameters("b5-chain", &format!("n{rods}"), "b5");
    let (mechanism, links) = chain(&case, rods);
    let (first, middle, last) = (links[0], links[rods / 2 - 1], links[rods - 1]);
    let channels = [
        channel("angle1", |i| i.angle(first).value),
        channel("rate1", |i| i.angle(first).rate),
        channel("angle_middle", |i| i.angle(middle).value),
        channel("angle_last", |i| i.angle(last).value),
        channel("rate_last", |i| i.angle(last).rate),
        channel("kinetic_energy", |i| i.energy().kinetic),
        channel("potential_energy", |i| i.energy().gravity),
    ];
    // The last rods of the short chain whip: a hundred times the tolerance in their rates. The long ones have hardly begun.
    let error = if rods == 10 { 5e-10 } else { 5e-11 };
    judge(&case, &mechanism, Demand { error, freedom: rods, ..REGULAR }, &channels);
    case.assert_complete();
}

#[test]
fn exact_chain_of_10() {
    judge_chain(10);
}

#[test]
fn exact_chain_of_100() {
    judge_chain(100);
}

#[test]
fn exact_chain_of_1000() {
    judge_chain(1000);
}

#[test]
fn published_chain_angles() {
    for (name, quantity, t, digits, half) in published("b5-chain") {
        assert_eq!(quantity, "angle1");
        let rods = name[1..].parse().expect("a number");
        let case = Case::with_parameters("b5-chain", &name, "b5");
        let (mechanism, links) = chain(&case, rods);
        for formulation in BOTH {
            let run = run(&mechanism, formulation, 1e-10, &[t]);
            let angle = run.end().expect("regular").angle(links[0]).value;
            // Ten decimals, and what the tolerance leaves.
            assert!((angle - digits).abs() < half + 1e-11, "{name} {formulation:?}: {angle}");
        }
    }
}
