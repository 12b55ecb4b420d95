//! Intervals of 95 % contain the truth as often as they claim.

use super::*;
use crate::sweep::cases;

/// Records outside soak: so few show intervals that are too narrow by half; soak counts.
const RECORDS: u64 = 20;

/// Runs of each identification: enough for the search between narrow bounds and for the ends of the intervals.
const RUNS: usize = 240;

/// How often an interval contains the truth, of so many records.
fn covered(count: u64, truth: &[(&str, f64)], found: impl Fn(u64) -> Identified) -> Vec<u64> {
    let (mut hits, mut late) = (vec![0; truth.len()], 0);
    for seed in 0..count {
        let found = found(seed);
        late += u64::from(found.shift.is_some());
        for (hits, (key, truth)) in hits.iter_mut().zip(truth) {
            let one = &found.parameters[*key];
            let (low, high) = (one.low.expect("an end"), one.high.expect("an end"));
            *hits += u64::from((low..=high).contains(truth));
            let (value, std) = (one.value.expect("a value"), one.std.expect("an error"));
            assert!((value - truth).abs() < 5.0 * std, "{key} of {seed}: {one:?}");
        }
    }
    // No clock is late: three standard errors are exceeded by chance in one of 370 records.
    assert!(late * 50 <= count, "{late} of {count} are called late");
    hits
}

/// Fewer hits than this have a probability below 0.3 % if 95 % are true.
fn is_enough(hits: u64, count: u64) -> bool {
    let n = count as f64;
    hits as f64 > 0.95 * n - 3.0 * (0.0475 * n).sqrt() - 1.0
}

/// Counts the intervals that contain the truth, and says how many.
fn counted(name: &str, count: u64, truth: &[(&str, f64)], found: impl Fn(u64) -> Identified) {
    let hits = covered(count, truth, found);
    for ((key, _), hits) in truth.iter().zip(&hits) {
        println!("{name}: the interval of {key} contains the truth in {hits} of {count} records");
    }
    assert!(hits.iter().all(|hits| is_enough(*hits, count)), "{name}: {hits:?} of {count}");
}

#[test]
fn peer_intervals_of_a_pulse_with_white_noise() {
    let (e, k) = ("contacts.pin.restitution", "contacts.pin.law.stiffness");
    // What intervals are does not depend on how far away the search begins.
    let fits = [(e, "0.6:0.8"), (k, "4e9 N/m^1.5:7e9 N/m^1.5")];
    let asked = Asked {
        map: "force=pin.force",
        fits: &fits,
        budget: Some(200),
        set: &[("run.until", "5 ms")],
        ..Asked::default()
    };
    let clean: Vec<(f64, f64)> =
        record("pulse.csv", "t [us]", "force [kN]").into_iter().step_by(10).collect();
    counted("pulse", cases(RECORDS, 200), &[(e, 0.7), (k, 5.2e9)], |seed| {
        let mut chance = Chance::new(1000 + seed);
        let noisy = clean.iter().map(|(t, f)| (*t, f + 0.1 * normal(&mut chance)));
        identify(SPHERES, &table("t [us],force [kN]", noisy), &asked)
    });
}

/// Force averaged over 15 ms, as Skrinjar's was over 301 samples: neighbours share their noise.
#[test]
fn peer_intervals_of_averaged_data() {
    averaged_bounces("averaged", 5, cases(RECORDS, 200));
}

/// The same at 20 kHz, over 301 samples, which takes long: soak has all of them.
#[test]
fn peer_intervals_of_averages_of_301_samples() {
    averaged_bounces("averaged over 301", 1, cases(1, 200));
}

/// Half of the record of bounces, of which every so many samples are kept: nine windows.
fn averaged_bounces(name: &str, every: usize, count: u64) {
    let (e, push) = ("forces.stop.restitution", "parameters.push");
    // Farther away the cost has other valleys, and their search other tests.
    let fits = [(e, "0.57:0.63"), (push, "2.7 N:3.3 N")];
    let window = 300 / every + 1;
    let filter = format!("moving-average:{window}");
    let asked = Asked {
        map: "force=stop.force",
        fits: &fits,
        filter: &[&filter],
        shift: Some("none"),
        budget: Some(RUNS),
        set: &[("run.until", "0.15 s")],
        ..Asked::default()
    };
    let mut clean = record("bounce.csv", "t [ms]", "force [N]");
    clean.truncate(3000);
    let clean: Vec<(f64, f64)> = clean.into_iter().step_by(every).collect();
    counted(name, count, &[(e, 0.6), (push, 3.0)], |seed| {
        let mut chance = Chance::new(2000 + seed);
        let noisy: Vec<f64> = clean.iter().map(|(_, f)| f + 2.0 * normal(&mut chance)).collect();
        let seen = averaged(&noisy, window);
        let rows = clean.iter().zip(seen).map(|((t, _), f)| (*t, f));
        let found = identify(BOUNCE, &table("t [ms],force [N]", rows), &asked);
        assert_eq!(found.noise["stop.force"], "filtered");
        assert!(found.effective_samples.expect("a number") < 30.0);
        found
    });
}

/// A ball that is thrown flat over a table, as `golden/identification/film.csv` was made.
const THROW: &str = r#"
format = 1
name = "throw"
[world]
gravity = [0, "-9.81 m/s^2"]
[bodies.ball]
mass = "33 g"
inertia = "5.28e-6 kg m^2"
position = [0, "0.3 m"]
velocity = ["2.5 m/s", 0]
[contacts.table]
type = "circle-line"
circle = { body = "ball", radius = "20 mm" }
line = { body = "ground", from = ["-1 m", 0], to = ["9 m", 0] }
restitution = 0.5
law = { elastic = "hertz", stiffness = "1e7 N/m^1.5", damping = "hunt-crossley", friction = "coulomb-tanh", mu = 0.3, slip_speed = "1 mm/s" }
[run]
until = "1.2 s"
"#;

/// A film of bounces: each picture is uncertain by 1 mm. The friction is known by the slope and the place of a few pictures alone.
#[test]
fn peer_intervals_of_a_film() {
    let (e, mu) = ("contacts.table.restitution", "contacts.table.law.mu");
    // What intervals are does not depend on how far away the search begins.
    let fits = [(e, "0.75:0.85"), (mu, "0.1:0.2")];
    let asked = Asked {
        map: "x=ball.x y=ball.y",
        fits: &fits,
        shift: Some("none"),
        budget: Some(RUNS),
        ..Asked::default()
    };
    let [x, y] = ["x [mm]", "y [mm]"].map(|column| record("film.csv", "t [ms]", column));
    counted("film", cases(1, 200), &[(e, 0.8), (mu, 0.15)], |seed| {
        let mut chance = Chance::new(3000 + seed);
        let mut text = "t [ms],x [mm],y [mm]\n".to_owned();
        for ((t, x), (_, y)) in x.iter().zip(&y) {
            let [x, y] = [x, y].map(|clean| clean + normal(&mut chance));
            let _ = writeln!(text, "{t},{x},{y}");
        }
        identify(THROW, &text, &asked)
    });
}
