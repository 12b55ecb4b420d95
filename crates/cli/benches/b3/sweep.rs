//! B6: 1000 runs of B3 over 0.1 s, clearance and restitution varied.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;

use jointplay_mbd::{BodyId, ContactId, Method, Sampling, Simulation, Solution};
use jointplay_study::contacts::JointContacts;
use jointplay_study::sweep::Sweep;

use crate::python::Python;
use crate::slider_crank::{ROD, mechanism};
use crate::{TOLERANCE, cpp, timed};

const END: f64 = 0.1;
const SAMPLES: u32 = 10;
const RUNS: usize = 1000;

/// Every so manieth run is given to SciPy, and its error found; prime to 25, so that all restitutions occur.
const STRIDE: usize = 33;

/// Clearance (m) and restitution of a run.
fn case(i: usize) -> (f64, f64) {
    let [row, column] = [i / 25, i % 25].map(|k| k as f64);
    (0.05e-3 + 0.45e-3 * row / 39.0, 0.3 + 0.6 * column / 24.0)
}

fn simulation(i: usize, tolerance: f64) -> (Simulation, ContactId, [BodyId; 2]) {
    let (clearance, restitution) = case(i);
    let (mechanism, rod, slider) = mechanism(clearance, restitution);
    let simulation = Simulation::new(&mechanism).method(Method::Dop853).tolerance(tolerance);
    let sampling = Sampling::Interval(END / f64::from(SAMPLES));
    let (contact, ..) = mechanism.contacts().next().expect("one contact");
    (simulation.until(END).sampled(sampling), contact, [rod, slider])
}

/// t, φ, x at the samples of a solution.
fn rows(solution: &Solution, [rod, slider]: [BodyId; 2]) -> Vec<[f64; 3]> {
    let phi = solution.series(|s| s.angle(rod).value).expect("regular");
    let x = solution.series(|s| s.position(slider).position[0]).expect("regular");
    let times = solution.trajectory.times();
    let at = |k: u32| {
        let t = END * f64::from(k) / f64::from(SAMPLES);
        let i = times.iter().position(|other| (other - t).abs() < 1e-9).expect("it is kept");
        [t, phi[i], x[i]]
    };
    (0..=SAMPLES).map(at).collect()
}

/// The greatest difference of positions over the clearance.
fn distance(a: &[[f64; 3]], b: &[[f64; 3]], clearance: f64) -> f64 {
    let pairs = a.iter().zip(b);
    let worst = pairs.map(|(a, b)| (ROD * (a[1] - b[1]).abs()).max((a[2] - b[2]).abs()));
    worst.fold(0.0, f64::max) / clearance
}

/// The middle of some numbers.
fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// Wall clock of a fixed amount of arithmetic on so many threads (s): a busy machine gives two no more than one.
fn spin(workers: usize) -> f64 {
    let clock = Instant::now();
    let turn = |seed: &u32, _: &_| (0..2_000_000).fold(f64::from(*seed), |x, _| (x + 2.0).sqrt());
    black_box(Sweep::new().threads(workers).run(&(0..100).collect::<Vec<u32>>(), turn));
    clock.elapsed().as_secs_f64()
}

pub(crate) fn b6(scipy: &RefCell<Python>) {
    println!("\nB6: {RUNS} runs of B3 over {END} s, with the record of contacts\n");
    let cases: Vec<_> = (0..RUNS)
        .map(|i| {
            let (simulation, contact, _) = simulation(i, TOLERANCE);
            (simulation, vec![JointContacts::single("bearing", contact)])
        })
        .collect();
    let subset: Vec<usize> = (0..RUNS).step_by(STRIDE).collect();
    let mut wall = [f64::INFINITY; 2];
    let mut given = [f64::INFINITY; 2];
    let mut ours = f64::INFINITY;
    let mut theirs: Result<_, String> = Ok((0.0, Vec::new()));
    for _ in 0..3 {
        for (workers, wall) in (1..).zip(&mut wall) {
            let clock = Instant::now();
            let (cpu, runs) = timed(|| Sweep::new().threads(workers).simulate(&cases));
            *wall = wall.min(clock.elapsed().as_secs_f64());
            ours = ours.min(cpu);
            assert!(runs.iter().flatten().all(Result::is_ok), "every run starts");
            given[workers - 1] = given[workers - 1].min(spin(workers));
        }
        let answers = subset.iter().map(|&i| {
            let (clearance, restitution) = case(i);
            scipy.borrow_mut().run(&format!("LSODA 1e-8 {END} {SAMPLES} {clearance} {restitution}"))
        });
        let answers: Result<Vec<_>, _> = answers.collect();
        theirs = theirs.and_then(|(best, _)| {
            let answers = answers?;
            let seconds: f64 = answers.iter().map(|answer| answer.seconds).sum();
            Ok((if best > 0.0 { seconds.min(best) } else { seconds }, answers))
        });
    }
    let exact: Vec<_> = subset
        .iter()
        .map(|&i| {
            let (simulation, _, bodies) = simulation(i, 1e-11);
            rows(&simulation.run().expect("it starts"), bodies)
        })
        .collect();
    let errors = |rows: &mut dyn Iterator<Item = Vec<[f64; 3]>>| -> Vec<f64> {
        let pairs = rows.zip(&exact).zip(&subset);
        pairs.map(|((rows, exact), &i)| distance(&rows, exact, case(i).0)).collect()
    };
    let show = |program: &str, rate: f64, errors: Vec<f64>| {
        let worst = errors.iter().copied().fold(0.0, f64::max);
        println!("{program:<40} {rate:>15.1} {:>13.1e} {worst:>10.1e}", median(errors));
    };
    println!(
        "{:<40} {:>15} {:>13} {:>10}",
        "program", "runs per CPU s", "median error", "greatest"
    );
    let rate = RUNS as f64 / ours;
    let own = &mut subset.iter().map(|&i| {
        let (simulation, _, bodies) = simulation(i, TOLERANCE);
        rows(&simulation.run().expect("it starts"), bodies)
    });
    show(&format!("jointplay, tolerance {TOLERANCE:.0e}"), rate, errors(own));
    match theirs {
        Ok((seconds, answers)) => {
            let theirs = subset.len() as f64 / seconds;
            let name = format!("SciPy + numba LSODA 1e-8, {} runs", subset.len());
            show(&name, theirs, errors(&mut answers.into_iter().map(|answer| answer.rows)));
            println!("{:<66} {:>7.2}   goal >= 25", "\njointplay / SciPy + numba", rate / theirs);
        }
        Err(why) => println!("SciPy + numba not measured: {why}\n"),
    }
    match cpp(1e-8, END, SAMPLES as usize).once() {
        Ok(sample) => println!(
            "{:<66} {:>7.2}",
            "C++ DOP853 1e-8 (one run of B3, extrapolated) / jointplay",
            1.0 / (sample.seconds * rate)
        ),
        Err(why) => println!("C++ not measured: {why}"),
    }
    let faster = |[one, two]: [f64; 2]| one / two;
    println!("{:<66} {:>7.2}   goal >= 1.8", "two workers / one, wall clock", faster(wall));
    println!(
        "{:<66} {:>7.2}",
        "the same for a loop in registers: what the machine gave",
        faster(given)
    );
    println!("errors are against our own runs at tolerance 1e-11");
}
