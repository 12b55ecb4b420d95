//! Andrews' squeezing mechanism: three loops, ten pins, six constraints in joint coordinates.

use std::hint::black_box;

use jointplay_mbd::{
    Anchor, Body, BodyId, Builder, Force, Formulation, GROUND, Mechanism, Method, Sampling, Signal,
    Simulation, Solution, Spring,
};

use crate::{Race, best, cpp, fastest, field, golden, ratio, word};

const END: f64 = 0.03;
const WANTED: f64 = 1e-6;
const QUANTITIES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];

/// The angles at a time of the reference.
fn reference(t: &str) -> [f64; 7] {
    let rows = golden("mechanisms-andrews/data.csv");
    QUANTITIES.map(|quantity| {
        let row = rows.iter().find(|row| row[1] == quantity && row[2] == t);
        row.expect("it is there")[3].parse().expect("a number")
    })
}

/// The mechanism, with the bodies 1 to 7.
fn mechanism() -> (Mechanism, [BodyId; 7]) {
    let [beta, theta, gamma, phi, delta, omega, epsilon] = reference("0.0");
    let (d, e, rr, ss, u, zf, zt) = (0.028, 0.02, 0.007, 0.035, 0.04, 0.02, 0.04);
    let (a, b) = ([-0.06934, -0.00227], [-0.03635, 0.03273]);
    let from = |[x, y]: [f64; 2], angle: f64, local: [f64; 2]| {
        let (sin, cos) = angle.sin_cos();
        [x + cos * local[0] - sin * local[1], y + sin * local[0] + cos * local[1]]
    };
    let (one, five, seven) =
        (from([0.0; 2], beta, [rr, 0.0]), from(a, delta, [zt, 0.0]), from(a, epsilon, [0.0, -u]));
    let mut parts = Builder::new();
    // Mass, inertia, centre of mass, place and angle at the start.
    let mut count = 0;
    let bodies = [
        (0.04325, 2.194e-6, [0.00092, 0.0], [0.0; 2], beta),
        (0.00365, 4.410e-7, [-0.0115, 0.0], one, beta + theta),
        (0.02373, 5.255e-6, [0.01043, -0.01874], b, gamma),
        (0.00706, 5.667e-7, [0.0, 0.01421 - e], five, phi + delta),
        (0.07050, 1.169e-5, [0.02308, 0.00916], a, delta),
        (0.00706, 5.667e-7, [zf - 0.01421, 0.0], seven, omega + epsilon),
        (0.05498, 1.912e-5, [-0.00449, -0.01228], a, epsilon),
    ]
    .map(|(mass, inertia, centre, at, angle)| {
        count += 1;
        let body = Body::new(mass, inertia).centre(centre).placed(at, angle);
        parts.body(format!("K{count}"), body)
    });
    let [k1, k2, k3, k4, k5, k6, k7] = bodies;
    let tip: Anchor = k2.at([-d, 0.0]);
    for (name, on, of) in [
        ("O", GROUND.origin(), k1.origin()),
        ("K1-K2", k1.at([rr, 0.0]), k2.origin()),
        ("B", GROUND.at(b), k3.origin()),
        ("A5", GROUND.at(a), k5.origin()),
        ("A7", GROUND.at(a), k7.origin()),
        ("K5-K4", k5.at([zt, 0.0]), k4.origin()),
        ("K7-K6", k7.at([0.0, -u]), k6.origin()),
        ("P3", k3.at([0.0, -ss]), tip),
        ("P4", k4.at([0.0, -e]), tip),
        ("P6", k6.at([zf, 0.0]), tip),
    ] {
        parts.revolute(name, on, of);
    }
    let spring = Spring::new(GROUND.at([0.014, 0.072]), k3.at([0.02, -0.018]), 4530.0, 0.07785);
    parts.force("spring", Force::Spring(spring));
    let size = Signal::constant(0.033).expect("finite");
    parts.force("motor", Force::Torque { on: k1, against: GROUND, size });
    (parts.build().expect("good parts"), bodies)
}

/// The greatest error of an angle at the end [rad].
fn error(solution: &Solution, bodies: [BodyId; 7], exact: [f64; 7]) -> f64 {
    let end = solution.end().expect("regular");
    let [p1, p2, p3, p4, p5, p6, p7] = bodies.map(|body| end.angle(body).value);
    let ours = [p1, p2 - p1, p3, p4 - p5, p5, p6 - p7, p7];
    ours.iter().zip(exact).map(|(ours, exact)| (ours - exact).abs()).fold(0.0, f64::max)
}

fn races() -> Vec<Race> {
    let (mechanism, bodies) = mechanism();
    let exact = reference("0.03");
    let mut races = Vec::new();
    for formulation in [Formulation::Joint, Formulation::Absolute] {
        for (method, name) in [(Method::Dop853, "DOP853"), (Method::Dopri5, "DOPRI5")] {
            for tolerance in [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10] {
                let simulation = Simulation::new(&mechanism)
                    .formulation(formulation)
                    .method(method)
                    .tolerance(tolerance)
                    .sampled(Sampling::EventsOnly)
                    .until(END);
                let solution = simulation.run().expect("it starts");
                assert!(solution.outcome.reached_end(), "{}", solution.outcome);
                let seconds = best(50, || {
                    black_box(simulation.run().expect("it starts"));
                });
                races.push(Race {
                    program: format!("jointplay {formulation:?} {name}"),
                    tolerance,
                    seconds,
                    evaluations: solution.stats.evaluations as f64,
                    steps: (solution.stats.accepted + solution.stats.rejected) as f64,
                    error: error(&solution, bodies, exact),
                });
            }
        }
    }
    races
}

fn peer_races() -> Result<Vec<Race>, String> {
    let lines = cpp("andrews.cpp", &[])?;
    let race = |line: &String| {
        Some(Race {
            program: format!("C++ {}", word(line, "method")?.to_uppercase()),
            tolerance: field(line, "tol")?,
            seconds: 1e-6 * field(line, "cpu_us")?,
            evaluations: field(line, "evaluations")?,
            steps: field(line, "accepted")? + field(line, "rejected")?,
            error: field(line, "err_q")?,
        })
    };
    Ok(lines.iter().filter_map(race).collect())
}

pub(crate) fn run() {
    println!("\nAndrews' mechanism, {END} s, error of an angle\n");
    Race::head("error/rad");
    let ours = races();
    let theirs = peer_races().unwrap_or_else(|why| {
        println!("C++ not measured: {why}");
        Vec::new()
    });
    ours.iter().chain(&theirs).for_each(Race::show);
    let cpp = fastest(&theirs, &["C++ DOP853", "C++ DOPRI5"], WANTED).map(|race| race.seconds);
    for (formulation, goal) in [("Joint", "goal <= 3"), ("Absolute", "")] {
        let programs = ["DOP853", "DOPRI5"].map(|name| format!("jointplay {formulation} {name}"));
        let programs: Vec<&str> = programs.iter().map(String::as_str).collect();
        let ours = fastest(&ours, &programs, WANTED).map(|race| race.seconds);
        let title = format!("Andrews at error <= {WANTED:.0e}: {formulation} / C++ 13x13 index 1");
        ratio(&title, ours, cpp, goal);
    }
}
