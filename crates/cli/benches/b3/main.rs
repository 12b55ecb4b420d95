//! B3, B6 and studies through the product, beside what people would use instead: SciPy with numba, Exudyn, hand-derived C++.
//!
//! All programs run in turn, round by round, so that whatever else the machine does meets all of them. Times are CPU
//! times, errors are those of positions over the clearance against `golden/mechanisms-b3`.

#[path = "../../../../benches/peer.rs"]
mod peer;
#[path = "../../../../benches/slider_crank.rs"]
mod slider_crank;

mod contest;
mod python;
mod study;
mod sweep;

use std::cell::RefCell;
use std::path::Path;

use cpu_time::ProcessTime;
use jointplay_mbd::{Method, Sampling, Simulation, Snapshot, Solution};
use jointplay_model::{Channel, Model};
use jointplay_study::case::{Case, Loaded};
use jointplay_study::run::Keep;

use contest::{Contestant, Sample, duel, hold};
use python::Python;
use slider_crank::{CLEARANCE, END, RESTITUTION, SAMPLES, deviation, error, mechanism};

/// Every program is measured so many times.
const ROUNDS: usize = 9;

/// The error of the goals, over the clearance.
const WANTED: f64 = 1e-3;

/// The tolerance from which on our error, and that of the C++, stays below it.
const TOLERANCE: f64 = 1e-7;

/// Flags of the C++.
const FLAGS: [&str; 4] = ["-O3", "-DNDEBUG", "-march=native", "-std=c++17"];

/// The CPU time of some work (s), and what it gave.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = ProcessTime::now();
    let result = work();
    (start.elapsed().as_secs_f64(), result)
}

/// The best of a few solutions of the same run, with its error.
fn best(
    solve: impl Fn() -> Solution,
    phi: impl Fn(&Snapshot<'_>) -> f64,
    x: impl Fn(&Snapshot<'_>) -> f64,
) -> Sample {
    let runs = (0..8).map(|_| timed(&solve));
    let (seconds, solution) = runs.min_by(|a, b| a.0.total_cmp(&b.0)).expect("several");
    let stats = &solution.stats;
    Sample {
        seconds,
        evaluations: stats.evaluations as f64,
        steps: (stats.accepted + stats.rejected) as f64,
        error: deviation(&solution, phi, x),
    }
}

/// The model file, with this tolerance instead of its own if there is one.
fn load(tolerance: Option<f64>) -> Loaded {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/bench/b3.toml");
    let case = Case::open(path).expect("the model can be read");
    let case = tolerance.into_iter().fold(case, |case, rtol| case.set("run.rtol", rtol));
    case.load().expect("the model is good")
}

/// A channel of the model.
fn channel(model: &Model, name: &str) -> Channel {
    model.channel(name).expect("the model has it")
}

fn library<'a>() -> Contestant<'a> {
    let (mechanism, rod, slider) = mechanism(CLEARANCE, RESTITUTION);
    let simulation = Simulation::new(&mechanism).method(Method::Dop853).tolerance(TOLERANCE);
    let interval = END / SAMPLES as f64;
    let simulation = simulation.until(END).sampled(Sampling::Interval(interval));
    Contestant::new("jointplay, library", TOLERANCE, move || {
        let solve = || simulation.run().expect("it starts");
        Ok(best(solve, |s| s.angle(rod).value, |s| s.position(slider).position[0]))
    })
}

/// The model file, run for its motion alone or, as the command line does, with the record of its contacts.
fn product<'a>(name: &str, tolerance: Option<f64>, with_contacts: bool) -> Contestant<'a> {
    let case = load(tolerance);
    let model = case.model.clone();
    let simulation = model.run.simulation(&model.mechanism);
    let [phi, x] = ["rod.angle", "slider.x"].map(|name| channel(&model, name));
    Contestant::new(name, model.run.accuracy.relative, move || {
        let solve = || {
            if with_contacts {
                let run = case.run_keeping(Keep::Nothing, &mut ());
                return run.expect("it starts").record.solution;
            }
            simulation.run().expect("it starts")
        };
        Ok(best(solve, |s| phi.eval(s), |s| x.eval(s)))
    })
}

/// The numbers of a line of a file or of a peer.
fn numbers<const N: usize>(line: &str) -> Option<[f64; N]> {
    let mut numbers = line.split_whitespace().map_while(|word| word.parse().ok());
    let row: Vec<f64> = numbers.by_ref().take(N).collect();
    row.try_into().ok()
}

/// The number that follows `key=` in a line of a peer.
fn field(line: &str, key: &str) -> Option<f64> {
    let words = line.split_whitespace();
    words.into_iter().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))?.parse().ok()
}

/// The hand-derived C++ over so many seconds.
fn cpp<'a>(tolerance: f64, end: f64, samples: usize) -> Contestant<'a> {
    let binary = peer::compile("g++", "b3_dop853.cpp", &FLAGS, &[]);
    Contestant::new("C++ DOP853, hand-derived", tolerance, move || {
        let file = peer::scratch()?.join("b3-trajectory.txt");
        let file = file.to_string_lossy();
        let text = [tolerance.to_string(), end.to_string(), samples.to_string()];
        let line = peer::output(binary.as_ref()?, &[&text[0], &text[1], &text[2], "20", &file])?;
        let number = |key: &str| field(&line, key).ok_or_else(|| format!("no {key}: {line}"));
        let rows = std::fs::read_to_string(&*file).map_err(|error| error.to_string())?;
        Ok(Sample {
            seconds: 1e-3 * number("cpu_ms")?,
            evaluations: number("nrhs")?,
            steps: number("nacc")? + number("nrej")?,
            error: if end == END { error(rows.lines().filter_map(numbers)) } else { f64::NAN },
        })
    })
}

/// A method of a Python peer.
fn python<'a>(
    name: &str,
    server: &'a RefCell<Python>,
    method: &'static str,
    tolerance: f64,
) -> Contestant<'a> {
    Contestant::new(&format!("{name} {method}"), tolerance, move || {
        let case = format!("{method} {tolerance:e} {END} {SAMPLES} {CLEARANCE} {RESTITUTION}");
        let answer = server.borrow_mut().run(&case)?;
        Ok(Sample {
            seconds: answer.seconds,
            evaluations: answer.evaluations,
            steps: answer.steps,
            error: error(answer.rows),
        })
    })
}

fn b3(scipy: &RefCell<Python>, exudyn: &RefCell<Python>) {
    println!("B3: slider-crank with clearance, {END} s, all programs in turn, {ROUNDS} rounds\n");
    let mut contestants = [
        library(),
        product("jointplay, model file", Some(TOLERANCE), false),
        product("jointplay, model file, contact record", Some(TOLERANCE), true),
        product("the same at the tolerance of the file", None, true),
        cpp(TOLERANCE, END, SAMPLES),
        python("SciPy + numba", scipy, "LSODA", 1e-8),
        python("SciPy + numba", scipy, "DOP853", 1e-7),
        python("Exudyn", exudyn, "ODE23", 1e-8),
    ];
    hold(&mut contestants, ROUNDS);
    let loading = (0..20).map(|_| timed(|| load(Some(TOLERANCE))).0).fold(f64::INFINITY, f64::min);
    println!("{:<40} {:>9} {:>10.3}\n", "loading the model file", "", 1e3 * loading);
    // The file is loaded once and run at will; the ratios are those of running.
    let [library, file, record, _, cpp, lsoda, dop853, exudyn] = &contestants;
    let scipy = [lsoda, dop853].into_iter().filter(|c| c.error().is_some_and(|e| e <= WANTED));
    let scipy = scipy.min_by(|a, b| a.seconds().total_cmp(&b.seconds())).unwrap_or(lsoda);
    println!("{:<66} {:>7}   {:<15}", "ratio of CPU times, median (range) of the rounds", "", "");
    for ours in [library, file, record] {
        duel(scipy, ours, "goal >= 25");
        duel(exudyn, ours, "goal >= 50");
        duel(ours, cpp, "goal <= 3");
        if ours.error().is_none_or(|error| !(error <= WANTED)) {
            println!("the error of {} is above {WANTED:.0e} c", ours.name);
        }
    }
}

fn main() {
    // `cargo bench` passes `--bench`; a name picks one table.
    let wanted: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let wants = |name: &str| wanted.is_empty() || wanted.iter().any(|wanted| wanted == name);
    let [scipy, exudyn] = ["scipy", "exudyn"].map(|name| RefCell::new(Python::start(name)));
    if wants("b3") {
        b3(&scipy, &exudyn);
    }
    if wants("b6") {
        sweep::b6(&scipy);
    }
    if wants("study") {
        study::b6();
        study::diagram(&scipy);
    }
}
