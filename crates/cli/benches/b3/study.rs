//! Studies beside what they are made of: B6 as a sweep of the model file, and a bifurcation diagram of B3.

use std::cell::RefCell;
use std::path::Path;
use std::time::Instant;

use jointplay_study::case::{Case, Loaded};
use jointplay_study::run::Keep;
use jointplay_study::study::Study;
use jointplay_study::study_file::{StudyFile, StudyKind, VaryEntry};
use jointplay_study::sweep::Sweep;

use crate::python::Python;
use crate::sweep::spin;
use crate::{FLAGS, field, peer, timed};

/// Every way is measured so many times, by turns: what else the machine does meanwhile then hits all of them alike.
const ROUNDS: usize = 15;

/// The points of the grid: clearances and restitutions.
const GRID: [u32; 2] = [10, 25];

fn model() -> Case {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/bench/b3.toml");
    Case::open(file).expect("the model of B3").set("run.rtol", 1e-8)
}

fn vary(key: &str, values: &str) -> VaryEntry {
    VaryEntry { key: key.to_owned(), values: values.to_owned() }
}

fn line(title: &str, ratio: f64, goal: &str) {
    println!("{title:<66} {ratio:>7.3}   {goal}");
}

/// The median of the rounds with its quartiles.
fn spread(title: &str, mut ratios: Vec<f64>, goal: &str) {
    ratios.sort_by(f64::total_cmp);
    let [low, middle, high] = [1, 2, 3].map(|quarter| ratios[ratios.len() * quarter / 4]);
    println!("{title:<50} {middle:>7.3}   ({low:.3} to {high:.3})   {goal}");
}

/// The sweep of B6 by `jointplay sweep`, beside its runs alone and the C++.
pub(crate) fn b6() {
    let [rows, columns] = GRID;
    let count = (rows * columns) as usize;
    println!(
        "\nB6 as a study: {count} runs of the model file over 0.1 s, rtol 1e-8, {ROUNDS} rounds\n"
    );
    let case = model().set("run.until", 0.1);
    let mut file = StudyFile::new(StudyKind::Sweep, "model.toml");
    file.metrics = vec!["last(slider.x)".to_owned()];
    file.vary = vec![
        vary("joints.pin.clearance", &format!("0.05mm:0.5mm:{rows}")),
        vary("joints.pin.law.restitution", &format!("0.3:0.9:{columns}")),
    ];
    let study = Study::new(file, case.clone()).expect("a study");
    let share = |i: u32, of: u32| f64::from(i) / f64::from(of - 1);
    let loaded: Vec<Loaded> = (0..rows * columns)
        .map(|i| {
            let (row, column) = (share(i / columns, rows), share(i % columns, columns));
            let case = case.clone().set("joints.pin.clearance", 0.05e-3 + 0.45e-3 * row);
            let case = case.set("joints.pin.law.restitution", 0.3 + 0.6 * column);
            let loaded = case.load().expect("a model");
            let metric = loaded.model.metric("last(slider.x)").expect("a metric");
            loaded.measuring(vec![metric])
        })
        .collect();
    let (mut layer, mut scaling, mut machine) = (Vec::new(), Vec::new(), Vec::new());
    let mut whole = f64::INFINITY;
    for _ in 0..ROUNDS {
        let (bare, reached) = timed(|| {
            let runs = loaded.iter().map(|case| case.run_keeping(Keep::Nothing, &mut ()));
            runs.flatten().count()
        });
        assert_eq!(reached, count);
        let (mut wall, mut given) = ([0.0; 2], [0.0; 2]);
        for workers in [1, 2] {
            let folder = tempfile::TempDir::new().expect("a folder");
            let clock = Instant::now();
            let (cpu, done) =
                timed(|| study.run(&folder.path().join("s"), &Sweep::new().threads(workers), None));
            wall[workers - 1] = clock.elapsed().as_secs_f64();
            assert_eq!(done.expect("it runs").findings.failed, 0);
            if workers == 1 {
                layer.push(cpu / bare);
                whole = whole.min(cpu);
            }
            given[workers - 1] = spin(workers);
        }
        scaling.push(wall[0] / wall[1] * given[1] / given[0]);
        machine.push(given[0] / given[1]);
    }
    spread("study / its runs alone, CPU time", layer, "goal <= 1.05");
    spread("a loop in registers: what two workers give", machine, "");
    spread("study: two workers / one, over that of the loop", scaling, "goal >= 0.95");
    // The C++ makes 1000 runs.
    let whole = whole * 1000.0 / count as f64;
    let cpp = peer::compile("g++", "b6_sweep.cpp", &FLAGS, &["-pthread"])
        .and_then(|binary| peer::output(&binary, &["1e-8", "1"]))
        .and_then(|said| field(&said, "cpu_s").ok_or(said));
    match cpp {
        Ok(seconds) => line("C++ sweep, CPU time / study", seconds / whole, ""),
        Err(why) => println!("C++ not measured: {why}"),
    }
}

/// A bifurcation diagram of B3: what a period costs, beside SciPy, which has no exponent, no class and no memory of contacts.
pub(crate) fn diagram(scipy: &RefCell<Python>) {
    const TRANSIENT: usize = 20;
    const PERIODS: usize = 20;
    const SPEEDS: usize = 5;
    println!(
        "\nBifurcation diagram of B3: {SPEEDS} speeds, {TRANSIENT} + {PERIODS} periods, rtol 1e-8\n"
    );
    let mut file = StudyFile::new(StudyKind::Bifurcation, "model.toml");
    file.observe = vec!["slider.x".to_owned(), "slider.vx".to_owned()];
    file.period = Some("motor".to_owned());
    (file.transient, file.periods) = (Some(TRANSIENT), Some(PERIODS));
    file.vary = vec![vary("drivers.motor.speed", &format!("190rpm:210rpm:{SPEEDS}"))];
    let study = Study::new(file, model()).expect("a study");
    let folder = tempfile::TempDir::new().expect("a folder");
    let (cpu, done) = timed(|| study.run(&folder.path().join("d"), &Sweep::new().threads(1), None));
    assert_eq!(done.expect("it runs").findings.failed, 0);
    // The motion and its two neighbours in each period that is looked at.
    let motions = (SPEEDS * (TRANSIENT + 3 * PERIODS)) as f64;
    let ours = cpu / motions;
    println!(
        "jointplay: {:.2} ms for a period of one motion, {:.0} ms for a value with its exponent",
        1e3 * ours,
        1e3 * cpu / SPEEDS as f64
    );
    println!(
        "500 speeds of 300 periods, 100 of them before: {:.0} CPU minutes",
        ours * 500.0 * 700.0 / 60.0
    );
    let periods = 3.0;
    let answer = scipy.borrow_mut().run(&format!("LSODA 1e-8 {} 10 0.00025 0.46", 0.3 * periods));
    match answer {
        Ok(answer) => line(
            "SciPy + numba LSODA / jointplay, a period of one motion",
            answer.seconds / periods / ours,
            "goal >= 25",
        ),
        Err(why) => println!("SciPy + numba not measured: {why}"),
    }
}
