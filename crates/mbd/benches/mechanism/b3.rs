//! B3: a slider-crank whose rod carries a journal bearing with clearance.

use std::hint::black_box;
use std::ops::ControlFlow;

use jointplay_mbd::{
    BodyId, DriftControl, Equations, Facing, Formulation, Mechanism, Method, Mode, Phase, Sampling,
    Simulation, Start,
};
use jointplay_ode::{
    Dop853, Dopri5, Options, Recorder, Run, Segment, Stats, System, Tolerance, drive,
};

use crate::slider_crank::{
    CLEARANCE, CRANK, END, RESTITUTION, ROD, SAMPLES, SPEED, deviation, error, law, mechanism,
    sample_times,
};
use crate::{Race, best, cpp, fastest, field, ratio, time_rhs, word};

const OURS: [&str; 2] = ["jointplay DOP853", "jointplay DOPRI5"];

fn equations(mechanism: &Mechanism, formulation: Formulation) -> Equations {
    Equations::new(mechanism, formulation, DriftControl::default()).expect("bodies with mass")
}

/// The states that `b3_rhs.cpp` evaluates, free or in contact: time, state, mode. Joint coordinates: rod on crank,
/// slider on ground.
fn probe(contact: bool) -> (f64, Vec<f64>, Mode) {
    let t = 0.01;
    let theta = SPEED * t;
    let phi = -(CRANK * theta.sin() / ROD).asin();
    let gap = if contact { CLEARANCE + 2e-6 } else { 0.4 * CLEARANCE };
    let x = CRANK * theta.cos() + ROD * phi.cos() - gap;
    let phase = if contact {
        let touch = law(CLEARANCE, RESTITUTION).normal.begin(0.1, 1.0).expect("a positive speed");
        Phase::Touching { touch, sliding: 0.0 }
    } else {
        Phase::Apart { start: 0.0, last: None, facing: Facing::Before }
    };
    // The tree takes the joints to the ground first: the slider, then the rod.
    let mut y = vec![x, phi - theta, -0.22, -3.4 - SPEED];
    y.extend([0.0; 4]);
    (t, y, Mode { contacts: [phase].into(), late: None, emerged: None, snapped: None })
}

/// Time of the guards at a state [s].
fn time_guards(equations: &Equations, t: f64, y: &[f64], mode: &Mode) -> f64 {
    let count = 100_000;
    let mut scratch = equations.scratch();
    let mut y = y.to_vec();
    let mut g = vec![0.0; equations.guard_count()];
    let seconds = best(7, || {
        for _ in 0..count {
            equations.guards(t, &y, mode, &mut g, &mut scratch);
            y[0] += 1e-17 * g[0];
        }
    });
    seconds / f64::from(count)
}

pub(crate) fn right_hand_side() {
    let (mechanism, _, _) = mechanism(CLEARANCE, RESTITUTION);
    let ours = equations(&mechanism, Formulation::Joint);
    println!("\nB3: one right-hand side, slider-crank with clearance\n");
    println!("{:<66} {:>6}", "program", "ns");
    let theirs = cpp("b3_rhs.cpp", &[]).unwrap_or_else(|why| {
        println!("C++ not measured: {why}");
        Vec::new()
    });
    for (contact, state) in [(false, "free"), (true, "contact")] {
        let (t, y, mode) = probe(contact);
        let line = theirs.iter().find(|line| {
            word(line, "state") == Some(state) && word(line, "mode") == Some("serial")
        });
        let (seconds, sum) = time_rhs(&ours, t, &y, &mode, 200_000);
        let number = |key: &str| line.and_then(|line| field(line, key));
        // The states creep by rounding, differently in both programs, by less than 1e-5 of the overlap.
        let same = |other: f64| (sum / other - 1.0).abs() < 1e-4;
        assert!(number("checksum").is_none_or(same), "both must compute the same accelerations");
        let line =
            |program: &str, ns: f64| println!("{:<66} {ns:>6.1}", format!("{program}, {state}"));
        line("jointplay, joint coordinates", 1e9 * seconds);
        line("jointplay, all guards", 1e9 * time_guards(&ours, t, &y, &mode));
        if let Some(ns) = number("ns_per_rhs") {
            line("C++, hand-derived minimal coordinates", ns);
        }
        let theirs = number("ns_per_rhs").map(|ns| 1e-9 * ns);
        let title = format!("B3 right-hand side, {state}: jointplay / C++");
        ratio(&title, Some(seconds), theirs, "goal <= 4");
    }
}

fn simulation(mechanism: &Mechanism, method: Method, tolerance: f64) -> Simulation {
    let simulation = Simulation::new(mechanism).method(method).tolerance(tolerance).until(END);
    simulation.sampled(Sampling::Times(sample_times()))
}

fn races(mechanism: &Mechanism, rod: BodyId, slider: BodyId) -> Vec<Race> {
    let mut races = Vec::new();
    for (method, program) in [Method::Dop853, Method::Dopri5].into_iter().zip(OURS) {
        for tolerance in [1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9] {
            let simulation = simulation(mechanism, method, tolerance);
            let solution = simulation.run().expect("it starts");
            assert!(solution.outcome.reached_end(), "{}", solution.outcome);
            let seconds = best(25, || {
                black_box(simulation.run().expect("it starts"));
            });
            races.push(Race {
                program: program.into(),
                tolerance,
                seconds,
                evaluations: solution.stats.evaluations as f64,
                steps: (solution.stats.accepted + solution.stats.rejected) as f64,
                error: deviation(
                    &solution,
                    |s| s.angle(rod).value,
                    |s| s.position(slider).position[0],
                ),
            });
        }
    }
    races
}

fn peer_races() -> Result<Vec<Race>, String> {
    let file = crate::peer::scratch()?.join("b3-dop853.txt");
    let file = file.to_string_lossy();
    let mut races = Vec::new();
    for tolerance in ["1e-5", "1e-6", "1e-7", "1e-8", "1e-9"] {
        let arguments = [tolerance, &END.to_string(), &SAMPLES.to_string(), "25", &file];
        let lines = cpp("b3_dop853.cpp", &arguments)?;
        let number = |key: &str| lines.iter().find_map(|line| field(line, key)).unwrap_or(f64::NAN);
        let text = std::fs::read_to_string(&*file).map_err(|error| error.to_string())?;
        let rows = text.lines().filter_map(|line| {
            let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
            Some([numbers.next()?, numbers.next()?, numbers.next()?])
        });
        races.push(Race {
            program: "C++ DOP853".into(),
            tolerance: number("rtol"),
            seconds: 1e-3 * number("cpu_ms"),
            evaluations: number("nrhs"),
            steps: number("nacc") + number("nrej"),
            error: error(rows),
        });
    }
    Ok(races)
}

pub(crate) fn run() {
    let (mechanism, rod, slider) = mechanism(CLEARANCE, RESTITUTION);
    println!("\nB3: slider-crank with clearance, {END} s, error of positions over the clearance\n");
    Race::head("error / c");
    let ours = races(&mechanism, rod, slider);
    let theirs = peer_races().unwrap_or_else(|why| {
        println!("C++ not measured: {why}");
        Vec::new()
    });
    ours.iter().chain(&theirs).for_each(Race::show);
    for (wanted, goal) in [(1e-2, ""), (1e-3, "goal <= 3")] {
        let ours = fastest(&ours, &OURS, wanted);
        let theirs = fastest(&theirs, &["C++"], wanted);
        let title = |what: &str| format!("B3 at error <= {wanted:.0e} c, {what}: jointplay / C++");
        let of = |race: Option<&Race>, what: fn(&Race) -> f64| race.map(what);
        ratio(&title("time"), of(ours, |r| r.seconds), of(theirs, |r| r.seconds), goal);
        let count = |r: &Race| r.evaluations;
        ratio(&title("evaluations"), of(ours, count), of(theirs, count), "");
    }
    if let Some(race) = fastest(&ours, &OURS, 1e-3) {
        let method = if race.program == OURS[0] { Method::Dop853 } else { Method::Dopri5 };
        parts(&mechanism, method, race.tolerance);
    }
}

/// A recorder that looks at nothing.
struct Blind;

impl<S: System> Recorder<S> for Blind {
    const DENSE: bool = false;

    fn step(&mut self, _: &Segment<'_, S>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Evaluations by phase of the contact, counted by a recorder between two steps.
#[derive(Default)]
struct Share {
    free: usize,
    touching: usize,
}

impl Recorder<Equations> for Share {
    const DENSE: bool = false;

    fn step(&mut self, segment: &Segment<'_, Equations>) -> ControlFlow<()> {
        match segment.mode.contacts[0] {
            Phase::Apart { .. } => self.free += 1,
            Phase::Touching { .. } => self.touching += 1,
        }
        ControlFlow::Continue(())
    }
}

/// A run without books.
fn fly<R: Recorder<Equations>>(
    equations: &Equations,
    start: &Start,
    method: Method,
    options: &Options,
    recorder: &mut R,
) -> Run<Equations> {
    let (y, mode) = (start.y.clone(), start.mode.clone());
    match method {
        Method::Dopri5 => drive(equations, Dopri5, y, mode, 0.0..END, options, recorder),
        _ => drive(equations, Dop853, y, mode, 0.0..END, options, recorder),
    }
}

/// Where the time of a run goes.
fn parts(mechanism: &Mechanism, method: Method, tolerance: f64) {
    let equations = equations(mechanism, Formulation::Joint);
    let start = equations.start(0.0).expect("it starts");
    // As in `Simulation`: lengths by the clearance, angles by the size of the mechanism, rates by 10 ms and relative.
    let length = tolerance * CLEARANCE;
    let (angle, energy) = (length / (ROD / 2.0), 1e300);
    let positions = [length, angle];
    let absolute: Vec<f64> = positions
        .into_iter()
        .chain(positions.map(|p| p / 1e-2))
        .chain(mechanism.accounts().iter().map(|_| energy))
        .collect();
    let mut relative = vec![tolerance; absolute.len()];
    relative[..positions.len()].fill(0.0);
    let options = Options::new(Tolerance::new(relative, absolute));
    let mut share = Share::default();
    let stats: Stats = fly(&equations, &start, method, &options, &mut share).stats;
    let touching = share.touching as f64 / (share.free + share.touching) as f64;
    let mixed = |free: f64, contact: f64| free + touching * (contact - free);
    let [rhs, guards] = {
        let (t, y, free) = probe(false);
        let (_, y_contact, contact) = probe(true);
        let rhs = |y: &[f64], mode: &Mode| time_rhs(&equations, t, y, mode, 200_000).0;
        let guards = |y: &[f64], mode: &Mode| time_guards(&equations, t, y, mode);
        [
            mixed(rhs(&y, &free), rhs(&y_contact, &contact)),
            mixed(guards(&y, &free), guards(&y_contact, &contact)),
        ]
    };
    let begin = best(40, || {
        let equations = self::equations(mechanism, Formulation::Joint);
        black_box(equations.start(0.0).expect("it starts"));
    });
    let driven = best(40, || {
        black_box(fly(&equations, &start, method, &options, &mut Blind));
    });
    let simulation = simulation(mechanism, method, tolerance);
    let whole = best(40, || {
        black_box(simulation.run().expect("it starts"));
    });
    let (evaluations, looks) = (stats.evaluations as f64, stats.guard_evaluations as f64);
    println!(
        "\nB3 at tolerance {tolerance:.0e}, {method:?}: where the time goes ({:.0} % of the steps in contact)\n",
        100.0 * touching
    );
    println!("{:<34} {:>10} {:>9} {:>9} {:>7}", "part", "times", "ns each", "µs", "share");
    let line = |part: &str, times: f64, seconds: f64| {
        println!(
            "{part:<34} {times:>10.0} {:>9.1} {:>9.1} {:>6.1} %",
            1e9 * seconds / times,
            1e6 * seconds,
            100.0 * seconds / whole
        );
    };
    let steps = (stats.accepted + stats.rejected) as f64;
    line("right-hand sides", evaluations, evaluations * rhs);
    line("guards", looks, looks * guards);
    line("integrator (rest, by step)", steps, driven - evaluations * rhs - looks * guards);
    line("equations and start", 1.0, begin);
    line("books and samples (by step)", steps, whole - driven - begin);
    line("whole run", 1.0, whole);
    println!("{:<34} {:>10}", "events", stats.events);
}
