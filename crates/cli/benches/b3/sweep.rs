//! B6: 1000 runs of B3 over 0.1 s, clearance and restitution varied.

use std::cell::RefCell;
use std::hint::black_box;
use std::time::Instant;

use jointplay_mbd::{BodyId, ContactId, Method, Sampling, Simulation, Solution};
use jointplay_study::contacts::JointContacts;
use jointplay_study::sweep::Sweep;

use crate::python::Python;
use crate::slider_crank::{ROD, mechanism};
use crate::{cpp, timed};

const END: f64 = 0.1;
const SAMPLES: u32 = 10;
const RUNS: usize = 1000;

/// One run in so many is given to SciPy, and its error found; prime to 25, so that all restitutions occur.
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
pub(crate) fn spin(workers: usize) -> f64 {
    let clock = Instant::now();
    let turn = |seed: &u32, _: &_| (0..2_000_000).fold(f64::from(*seed), |x, _| (x + 2.0).sqrt());
    black_box(Sweep::new().threads(workers).run(&(0..100).collect::<Vec<u32>>(), turn));
    clock.elapsed().as_secs_f64()
}

/// One way to run the sweep.
struct Way {
    name: &'static str,
    tolerance: f64,
    cases: Vec<(Simulation, Vec<JointContacts>)>,
    with_contacts: bool,
    /// Best CPU time (s), and best wall clock with one and with two workers (s).
    cpu: f64,
    wall: [f64; 2],
}

impl Way {
    fn new(name: &'static str, tolerance: f64, with_contacts: bool) -> Self {
        let case = |i| {
            let (simulation, contact, _) = simulation(i, tolerance);
            (simulation, vec![JointContacts::single("bearing", contact)])
        };
        let cases = (0..RUNS).map(case).collect();
        let (cpu, wall) = (f64::INFINITY, [f64::INFINITY; 2]);
        Way { name, tolerance, cases, with_contacts, cpu, wall }
    }

    fn measure(&mut self, workers: usize) {
        let sweep = Sweep::new().threads(workers);
        let clock = Instant::now();
        let (cpu, started) = timed(|| {
            if self.with_contacts {
                sweep.simulate(&self.cases).iter().flatten().all(Result::is_ok)
            } else {
                let runs = sweep.run(&self.cases, |(simulation, _), _| simulation.run());
                runs.iter().flatten().all(Result::is_ok)
            }
        });
        assert!(started, "every run starts");
        self.cpu = self.cpu.min(cpu);
        let wall = &mut self.wall[workers - 1];
        *wall = wall.min(clock.elapsed().as_secs_f64());
    }

    fn rate(&self) -> f64 {
        RUNS as f64 / self.cpu
    }
}

pub(crate) fn b6(scipy: &RefCell<Python>) {
    println!("\nB6: {RUNS} runs of B3 over {END} s\n");
    let mut ways = [
        Way::new("jointplay", 1e-7, false),
        Way::new("jointplay", 1e-8, false),
        Way::new("jointplay, contact record", 1e-8, true),
    ];
    let subset: Vec<usize> = (0..RUNS).step_by(STRIDE).collect();
    let mut given = [f64::INFINITY; 2];
    let mut theirs: Result<_, String> = Ok((f64::INFINITY, Vec::new()));
    for _ in 0..3 {
        for workers in [1, 2] {
            for way in &mut ways {
                way.measure(workers);
            }
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
            Ok((seconds.min(best), answers))
        });
    }
    let motions = |tolerance: f64| -> Vec<Vec<[f64; 3]>> {
        let motion = |&i: &usize| {
            let (simulation, _, bodies) = simulation(i, tolerance);
            rows(&simulation.run().expect("it starts"), bodies)
        };
        subset.iter().map(motion).collect()
    };
    let exact = motions(1e-11);
    let show = |program: &str, tolerance: f64, rate: f64, motions: &[Vec<[f64; 3]>]| {
        let pairs = motions.iter().zip(&exact).zip(&subset);
        let errors = pairs.map(|((rows, exact), &i)| distance(rows, exact, case(i).0));
        let errors: Vec<f64> = errors.collect();
        let worst = errors.iter().copied().fold(0.0, f64::max);
        let median = median(errors);
        println!("{program:<40} {tolerance:>9.0e} {rate:>15.1} {median:>13.1e} {worst:>10.1e}");
    };
    println!(
        "{:<40} {:>9} {:>15} {:>13} {:>10}",
        "program", "tolerance", "runs per CPU s", "median error", "greatest"
    );
    for way in &ways {
        show(way.name, way.tolerance, way.rate(), &motions(way.tolerance));
    }
    let peer = theirs.map(|(seconds, answers)| {
        let rate = subset.len() as f64 / seconds;
        let motions: Vec<_> = answers.into_iter().map(|answer| answer.rows).collect();
        show(&format!("SciPy + numba LSODA, {} runs", subset.len()), 1e-8, rate, &motions);
        rate
    });
    println!("errors over the clearance, against our own runs at tolerance 1e-11\n");
    let line =
        |title: String, ratio: f64, goal: &str| println!("{title:<66} {ratio:>7.2}   {goal}");
    match peer {
        Ok(peer) => {
            for way in &ways {
                let title = format!("{} {:.0e} / SciPy + numba", way.name, way.tolerance);
                line(title, way.rate() / peer, "goal >= 25");
            }
        }
        Err(why) => println!("SciPy + numba not measured: {why}"),
    }
    match cpp(1e-8, END, SAMPLES as usize).once() {
        Ok(sample) => line(
            "C++ DOP853 1e-8 (one run of B3, extrapolated) / jointplay 1e-8".into(),
            1.0 / (sample.seconds * ways[1].rate()),
            "",
        ),
        Err(why) => println!("C++ not measured: {why}"),
    }
    for way in &ways {
        let title = format!("{} {:.0e}: two workers / one, wall clock", way.name, way.tolerance);
        line(title, way.wall[0] / way.wall[1], "goal >= 1.8");
    }
    line("a loop in registers: what the machine gave".into(), given[0] / given[1], "");
}
