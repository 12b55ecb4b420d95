//! B1: one free impact to an error of 1e-6, beside hand-written C++.
//!
//! Two spheres of 9.2 kg, K = 5.2e9, Lankarani–Nikravesh with c_r = 0.7 at 0.3 m/s. CPU time of
//! an impact, best of several, both programs in one run at the loosest tolerance that reaches
//! the error. `rebound` gives restitution and duration; `run` also the deepest point and the
//! largest force, located, and the closed form. The C++ gives restitution, duration and the
//! largest indentation at the end of a step.

#[path = "../../../benches/peer.rs"]
mod peer;

use std::hint::black_box;

use cpu_time::ProcessTime;
use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::{NormalLaw, Restitution};
use jointplay_study::impact::Impact;

/// e_N of the closed form, from the benchmark's definition.
const EXACT: f64 = 0.795972595365;
const WANTED: f64 = 1e-6;
const IMPACTS: u32 = 2000;
const REPEATS: u32 = 7;

/// One run: tolerance, microseconds, evaluations, error of e_N.
struct Run {
    tolerance: f64,
    microseconds: f64,
    evaluations: f64,
    error: f64,
}

/// Times an impact; `work` runs it once and gives its restitution and evaluations.
fn own(work: impl Fn(&Impact<'_>) -> (f64, usize)) -> Vec<Run> {
    let damping = DampingLaw::Factor {
        factor: Factor::LankaraniNikravesh,
        restitution: Restitution::Constant(0.7),
    };
    let law = NormalLaw::new(ElasticLaw::Power(Power { stiffness: 5.2e9, exponent: 1.5 }), damping);
    let tolerances = [1e-3, 1e-4, 1e-5, 3e-6, 1e-6, 1e-7, 1e-8, 1e-10, 1e-12];
    tolerances
        .iter()
        .map(|&tolerance| {
            let impact = Impact { law: &law, effective_mass: 4.6, speed: 0.3, tolerance };
            let (restitution, evaluations) = work(&impact);
            let mut best = f64::INFINITY;
            for _ in 0..REPEATS {
                let start = ProcessTime::now();
                for _ in 0..IMPACTS {
                    black_box(work(black_box(&impact)));
                }
                best = best.min(start.elapsed().as_secs_f64() / f64::from(IMPACTS));
            }
            Run {
                tolerance,
                microseconds: 1e6 * best,
                evaluations: evaluations as f64,
                error: restitution - EXACT,
            }
        })
        .collect()
}

fn cpp() -> Result<Vec<Run>, String> {
    let text = {
        let flags = ["-O3", "-DNDEBUG", "-march=native", "-std=c++17"];
        peer::output(&peer::compile("g++", "b1_impact.cpp", &flags, &[])?, &[])?
    };
    let field = |line: &str, key: &str| -> Option<f64> {
        line.split_whitespace()
            .find_map(|word| word.strip_prefix(key)?.strip_prefix('=')?.parse().ok())
    };
    Ok(text
        .lines()
        .filter_map(|line| {
            Some(Run {
                tolerance: field(line, "rtol")?,
                microseconds: field(line, "us_per_impact")?,
                evaluations: field(line, "nrhs")?,
                error: field(line, "err")?,
            })
        })
        .collect())
}

fn show(name: &str, runs: &[Run]) -> Option<f64> {
    for run in runs {
        println!(
            "{name:<12} {:>10.0e} {:>10.2} {:>12.0} {:>10.1} {:>11.1e}",
            run.tolerance,
            run.microseconds,
            run.evaluations,
            1e3 * run.microseconds / run.evaluations,
            run.error
        );
    }
    let good = runs.iter().filter(|r| r.error.abs() <= WANTED).map(|r| r.microseconds);
    good.reduce(f64::min)
}

fn main() {
    println!("\nB1: one free impact, e_N = {EXACT}\n");
    println!(
        "{:<12} {:>10} {:>10} {:>12} {:>10} {:>11}",
        "program", "tolerance", "µs", "evaluations", "ns each", "error"
    );
    let rebound = show(
        "rebound",
        &own(|impact| {
            let r = impact.rebound().expect("the impact ends");
            (r.restitution, r.force_evaluations)
        }),
    );
    let complete = show(
        "run",
        &own(|impact| {
            let r = impact.run().expect("the impact ends");
            (r.restitution, r.force_evaluations)
        }),
    );
    match cpp() {
        Ok(runs) => {
            let theirs = show("C++", &runs);
            for (name, ours, goal) in [
                ("rebound (restitution, duration)", rebound, "goal <= 2"),
                ("run (also indentation, peak force, closed form)", complete, ""),
            ] {
                if let (Some(ours), Some(theirs)) = (ours, theirs) {
                    println!(
                        "{name} / C++ at error <= {WANTED:.0e}: {:.2}   {goal}",
                        ours / theirs
                    );
                }
            }
        }
        Err(why) => println!("C++ not measured: {why}"),
    }
}
