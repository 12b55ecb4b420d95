//! B7: a chain with a clearance in every joint, beside C++ that was written for it.
//!
//! Both at a relative tolerance of 1e-6. What a run costs depends on the slowest impact that it meets, so that medians over starts 1 nm
//! apart are compared. Positions are judged at 0.05 s, after which the motion is chaotic.

#[path = "../../examples/clearance_chain.rs"]
#[allow(dead_code, reason = "the example is a program, too")]
mod clearance_chain;

use cpu_time::ProcessTime;
use jointplay_mbd::{Formulation, Mechanism, Method, Sampling, Simulation, Solution};

use crate::peer;

const LINKS: [usize; 5] = [8, 16, 32, 64, 128];
const STARTS: usize = 6;
const CLEARANCE: f64 = 1e-4;
const RELATIVE: &str = "1e-6";
const FLAGS: [&str; 6] = [
    "-O3",
    "-march=native",
    "-ffast-math",
    "-fno-finite-math-only",
    "-fcx-limited-range",
    "-std=c++17",
];

/// A run of ours and its CPU time (s).
fn ours(mechanism: &Mechanism, until: f64) -> (Solution, f64) {
    let simulation = Simulation::new(mechanism)
        .until(until)
        .method(Method::Auto)
        .formulation(Formulation::Auto)
        .tolerance(RELATIVE.parse().expect("a number"))
        .sampled(Sampling::EventsOnly);
    let start = ProcessTime::now();
    let run = simulation.run().expect("it runs");
    (run, start.elapsed().as_secs_f64())
}

/// The number behind a word of the peer's line.
fn after(line: &str, word: &str) -> Option<f64> {
    let mut words = line.split_whitespace().skip_while(|found| *found != word);
    words.nth(1)?.parse().ok()
}

fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

/// Medians of the peer's CPU time over the starts (s), and its energy lost.
fn theirs(
    peer: &std::path::Path,
    method: &str,
    links: usize,
    until: f64,
) -> Result<(f64, f64), String> {
    let (mut seconds, mut lost) = (Vec::new(), Vec::new());
    for seed in 0..STARTS {
        let arguments =
            [method, &links.to_string(), &until.to_string(), RELATIVE, &format!("seed={seed}")];
        let line = peer::output(peer, &arguments)?;
        seconds.push(after(&line, "cpu").ok_or("no time")?);
        lost.push(after(&line, "E_lost").ok_or("no energy")?);
    }
    Ok((median(&mut seconds), median(&mut lost)))
}

/// The greatest difference of positions to the peer at a tolerance of 1e-12, over the clearance.
fn error(peer: &std::path::Path, links: usize, run: &Solution, t: f64) -> Result<f64, String> {
    let file = peer::scratch()?.join("b7-states.txt");
    let states = format!("states={}", file.display());
    peer::output(
        peer,
        &["dop", &links.to_string(), &t.to_string(), "1e-12", &format!("dt={t}"), &states],
    )?;
    let text = std::fs::read_to_string(&file).map_err(|error| error.to_string())?;
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let end = run.end().map_err(|error| error.to_string())?;
    let mut worst = 0.0_f64;
    for (i, (body, _, _)) in run.mechanism().bodies().enumerate() {
        let [x, y] = end.position(body).position;
        let state = &numbers[1 + 6 * i..];
        worst = worst.max((x - state[0]).abs()).max((y - state[1]).abs());
    }
    Ok(worst / CLEARANCE)
}

/// The table.
pub(crate) fn run() {
    if let Err(error) = table() {
        println!("not measured: {error}");
    }
}

fn table() -> Result<(), String> {
    let peer = peer::compile("g++", "b7.cpp", &FLAGS, &[])?;
    println!(
        "B7: chain of N links with a clearance in every joint, 0.3 s, rtol 1e-6, medians of {STARTS} starts"
    );
    println!();
    println!(
        "{:>4} {:>9} {:>9} {:>7} {:>8} {:>10} {:>10} {:>9} {:>9} {:>7} {:>9}",
        "N",
        "C++ s",
        "ours s",
        "ratio",
        "max/min",
        "C++ lost J",
        "lost J",
        "C++ 50 ms",
        "50 ms",
        "ratio",
        "error / c"
    );
    let mut times = Vec::new();
    for links in LINKS {
        let (mut seconds, mut lost, mut early) = (Vec::new(), Vec::new(), Vec::new());
        let mut error_at = 0.0;
        for start in 0..STARTS {
            let chain = clearance_chain::chain(links, 1e-9 * start as f64);
            let mechanism = chain.map_err(|error| error.to_string())?;
            let (run, time) = ours(&mechanism, 0.3);
            seconds.push(time);
            lost.push(run.ledger.losses());
            let (run, time) = ours(&mechanism, 0.05);
            early.push(time);
            if start == 0 {
                error_at = error(&peer, links, &run, 0.05)?;
            }
        }
        let (own, own_early, own_lost) =
            (median(&mut seconds), median(&mut early), median(&mut lost));
        let (cpp, cpp_lost) = theirs(&peer, "radau", links, 0.3)?;
        let (cpp_early, _) = theirs(&peer, "dop", links, 0.05)?;
        let spread = seconds[STARTS - 1] / seconds[0];
        println!(
            "{links:>4} {cpp:>9.4} {own:>9.4} {:>7.2} {spread:>8.2} {cpp_lost:>10.3e} {own_lost:>10.3e} {cpp_early:>9.4} {own_early:>9.4} {:>7.2} {error_at:>9.1e}",
            own / cpp,
            own_early / cpp_early,
        );
        times.push(own);
    }
    let growth = (times[LINKS.len() - 1] / times[0]).ln();
    let exponent = growth / (LINKS[LINKS.len() - 1] as f64 / LINKS[0] as f64).ln();
    println!();
    println!("goals: ratio <= 4, max/min <= 2, first 50 ms <= 3, error <= 1e-3 c");
    println!("time grows with N to the power of {exponent:.2}   goal <= 1.4");
    Ok(())
}
