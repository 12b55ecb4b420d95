//! B5: a chain of N rods that falls from the horizontal, in both formulations.

use std::hint::black_box;

use jointplay_mbd::{
    Body, BodyId, Builder, DriftControl, Equations, Formulation, GROUND, Mechanism, Sampling,
    Simulation,
};

use crate::{Race, best, cpp, field, golden, ratio, time_rhs, word};

const CASES: [(usize, f64); 3] = [(10, 0.2), (100, 0.2), (1000, 0.05)];

/// The chain and its first link.
fn chain(links: usize) -> (Mechanism, BodyId) {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let mut end = GROUND.origin();
    for i in 0..links {
        let rod = Body::rod(1.0, 1.0).placed([i as f64 + 0.5, 0.0], 0.0);
        let rod = parts.body(format!("rod {i}"), rod);
        parts.revolute(format!("pin {i}"), end, rod.at([-0.5, 0.0]));
        end = rod.at([0.5, 0.0]);
    }
    let mechanism = parts.build().expect("good parts");
    let first = mechanism.find_body("rod 0").expect("a link");
    (mechanism, first)
}

/// Angle of the first link at the end.
fn reference(links: usize, t: f64) -> f64 {
    let rows = golden("mechanisms-b5-chain/data.csv");
    let case = format!("n{links}");
    let row =
        rows.iter().find(|row| row[0] == case && row[1] == "angle1" && row[2] == t.to_string());
    row.expect("it is there")[3].parse().expect("a number")
}

/// CPU time of a right-hand side [s].
fn evaluation(mechanism: &Mechanism, formulation: Formulation) -> f64 {
    let equations = Equations::new(mechanism, formulation, DriftControl::default());
    let equations = equations.expect("bodies with mass");
    let start = equations.start(0.0).expect("it starts");
    let mut y = start.y;
    if formulation == Formulation::Joint {
        // A bent chain in motion, as in the C++.
        let n = equations.unknown_count();
        for i in 0..n {
            y[i] = 0.01 * (1.0 + i as f64).sin();
            y[n + i] = 0.1 * (2.0 + i as f64).cos();
        }
    }
    let count = (1_000_000 / equations.unknown_count()).max(100);
    time_rhs(&equations, 0.0, &y, &start.mode, count).0
}

fn race(mechanism: &Mechanism, first: BodyId, formulation: Formulation, t: f64) -> Race {
    let links = mechanism.bodies().len();
    let simulation = Simulation::new(mechanism)
        .formulation(formulation)
        .tolerance(1e-8)
        .sampled(Sampling::EventsOnly)
        .until(t);
    let solution = simulation.run().expect("it starts");
    assert!(solution.outcome.reached_end(), "{}", solution.outcome);
    let angle = solution.end().expect("regular").angle(first).value;
    let seconds = best(3, || {
        black_box(simulation.run().expect("it starts"));
    });
    Race {
        program: format!("jointplay {formulation:?}, N = {links}"),
        tolerance: 1e-8,
        seconds,
        evaluations: solution.stats.evaluations as f64,
        steps: (solution.stats.accepted + solution.stats.rejected) as f64,
        error: (angle - reference(links, t)).abs(),
    }
}

pub(crate) fn run() {
    println!("\nB5: chain of N rods, one right-hand side\n");
    println!("{:<40} {:>6} {:>12} {:>14}", "program", "N", "ns", "ns and body");
    let show = |program: &str, links: usize, seconds: f64| {
        let ns = 1e9 * seconds;
        println!("{program:<40} {links:>6} {ns:>12.1} {:>14.2}", ns / links as f64);
    };
    let mut times = Vec::new();
    let mut races = Vec::new();
    for formulation in [Formulation::Joint, Formulation::Absolute] {
        let mut row = [0.0; 3];
        for (time, (links, t)) in row.iter_mut().zip(CASES) {
            let (mechanism, first) = chain(links);
            *time = evaluation(&mechanism, formulation);
            show(&format!("jointplay, {formulation:?}"), links, *time);
            races.push(race(&mechanism, first, formulation, t));
        }
        times.push((format!("{formulation:?}"), row));
    }
    let theirs = cpp("chain.cpp", &[]).unwrap_or_else(|why| {
        println!("C++ not measured: {why}");
        Vec::new()
    });
    let mut peer = [None; 3];
    for (peer, (links, _)) in peer.iter_mut().zip(CASES) {
        let of_case = |line: &&String| field(line, "n") == Some(links as f64);
        *peer = theirs
            .iter()
            .filter(of_case)
            .find_map(|line| field(line, "ns_per_rhs_and_body").and(field(line, "ns_per_rhs")));
        if let Some(ns) = peer {
            show("C++, written for this chain", links, 1e-9 * *ns);
        }
    }
    for (name, row) in &times {
        let [small, middle, large] = *row;
        let per_body = [small / 10.0, middle / 100.0, large / 1000.0];
        let (low, high) = per_body
            .iter()
            .fold((f64::INFINITY, 0.0_f64), |(low, high), t| (low.min(*t), high.max(*t)));
        let goal = if name == "Joint" { "goal <= 1.5" } else { "" };
        ratio(
            &format!("B5 {name}: spread of time per body, N = 10, 100, 1000"),
            Some(high),
            Some(low),
            goal,
        );
        ratio(&format!("B5 {name}: t(1000)/t(100)"), Some(large), Some(middle), "goal <= 12");
        for ((ours, theirs), (links, _)) in row.iter().zip(peer).zip(CASES) {
            let theirs = theirs.map(|ns| 1e-9 * ns);
            ratio(&format!("B5 {name}, N = {links}: jointplay / C++"), Some(*ours), theirs, "");
        }
    }
    println!("\nB5: to the reference, error of the angle of link 1\n");
    Race::head("error/rad");
    let runs = theirs.iter().filter(|line| word(line, "tol") == Some("1e-08"));
    let of_peer = |line: &String| {
        Some(Race {
            program: format!("C++ DOP853, N = {}", word(line, "n")?),
            tolerance: field(line, "tol")?,
            seconds: 1e-3 * field(line, "cpu_ms")?,
            evaluations: field(line, "evaluations")?,
            steps: field(line, "accepted")? + field(line, "rejected")?,
            error: field(line, "error")?,
        })
    };
    races.extend(runs.filter_map(of_peer));
    races.iter().for_each(Race::show);
}
