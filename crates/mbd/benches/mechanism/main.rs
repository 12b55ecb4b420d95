//! Mechanisms beside hand-written C++: the slider-crank with clearance (B3), Andrews' mechanism, chains (B5), chains with a
//! clearance in every joint (B7).
//!
//! CPU time, best of several, both programs of a table in one run on one machine. The C++ has the equations of one
//! mechanism in minimal coordinates and keeps no books; ours goes through the general engine, with the energy ledger.

#[path = "../../../../benches/peer.rs"]
mod peer;
#[path = "../../../../benches/slider_crank.rs"]
mod slider_crank;

mod andrews;
mod b3;
mod b7;
mod chain;

use cpu_time::ProcessTime;
use jointplay_mbd::{Equations, Mode};
use jointplay_ode::System;

/// Flags of the peers.
const FLAGS: [&str; 4] = ["-O3", "-DNDEBUG", "-march=native", "-std=c++17"];

/// Runs a C++ peer; each of its lines.
fn cpp(source: &str, arguments: &[&str]) -> Result<Vec<String>, String> {
    let text = peer::output(&peer::compile("g++", source, &FLAGS, &[])?, arguments)?;
    Ok(text.lines().map(str::to_owned).collect())
}

/// What follows `key=` in a line of a peer.
fn word<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    line.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
}

/// The number that follows `key=` in a line of a peer.
fn field(line: &str, key: &str) -> Option<f64> {
    word(line, key)?.parse().ok()
}

/// The rows of a file of golden data, split at commas, without its header.
fn golden(file: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../golden/{file}", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("golden data are committed");
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// Best CPU time of several runs [s].
fn best(repeats: usize, mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let start = ProcessTime::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

/// CPU time of one right-hand side [s], each state depending on the last accelerations as in an integrator, and the
/// sum of all accelerations over all evaluations.
fn time_rhs(equations: &Equations, t: f64, y: &[f64], mode: &Mode, count: usize) -> (f64, f64) {
    let n = equations.unknown_count();
    let mut scratch = equations.scratch();
    let mut dy = vec![0.0; y.len()];
    let mut sum = 0.0;
    let seconds = best(15, || {
        let mut y = y.to_vec();
        sum = 0.0;
        for i in 0..count {
            let t = t + 1e-15 * i as f64;
            equations.rhs(t, &y, mode, &mut dy, &mut scratch).expect("a regular state");
            sum += dy[n..2 * n].iter().sum::<f64>();
            y[0] += 1e-17 * dy[n];
            y[n - 1] += 1e-17 * dy[2 * n - 1];
        }
    });
    (seconds / count as f64, sum)
}

/// A line with a ratio and its goal.
fn ratio(title: &str, ours: Option<f64>, theirs: Option<f64>, goal: &str) {
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => {
            println!("{title:<66} {:>6.2}   {goal}", ours / theirs);
        }
        _ => println!("{title:<66} not measured"),
    }
}

/// One run of a program: tolerance, CPU time [s], evaluations, error.
struct Race {
    program: String,
    tolerance: f64,
    seconds: f64,
    evaluations: f64,
    steps: f64,
    error: f64,
}

impl Race {
    fn head(error: &str) {
        println!(
            "{:<34} {:>9} {:>10} {:>12} {:>8} {:>8} {:>10}",
            "program", "tolerance", "ms", "evaluations", "ns each", "steps", error
        );
    }

    fn show(&self) {
        println!(
            "{:<34} {:>9.0e} {:>10.4} {:>12.0} {:>8.1} {:>8.0} {:>10.1e}",
            self.program,
            self.tolerance,
            1e3 * self.seconds,
            self.evaluations,
            1e9 * self.seconds / self.evaluations,
            self.steps,
            self.error
        );
    }
}

/// The time of the loosest tolerance from which on all runs of a program (by the beginning of its name) have no greater
/// error: a single run may be right by luck. Runs are in the order of their tolerances, loose to tight.
fn reliable<'r>(races: &'r [Race], program: &str, error: f64) -> Option<&'r Race> {
    let own = races.iter().rev().filter(|race| race.program.starts_with(program));
    own.take_while(|race| race.error <= error).last()
}

/// The fastest of several reliable programs.
fn fastest<'r>(races: &'r [Race], programs: &[&str], error: f64) -> Option<&'r Race> {
    let runs = programs.iter().filter_map(|program| reliable(races, program, error));
    runs.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
}

fn main() {
    // `cargo bench` passes `--bench`; a name picks one table.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let tables: [(&str, fn()); 5] = [
        ("b3-rhs", b3::right_hand_side),
        ("b3", b3::run),
        ("andrews", andrews::run),
        ("chain", chain::run),
        ("b7", b7::run),
    ];
    for (name, table) in tables {
        if wanted.is_empty() || wanted.iter().any(|wanted| wanted == name) {
            table();
        }
    }
}
