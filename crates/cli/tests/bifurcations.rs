//! Bifurcation diagrams against motions that are known: closed forms, and the references of programs that are not ours.

use tempfile::TempDir;

use crate::program::jointplay;

/// x'' + x'/2 + sin x = g cos(2 t/3), g = 0.9: a point mass of 1 kg on 1 m in a gravity of 1 m/s².
const PENDULUM: &str = include_str!("../../../testing/models/pendulum.toml");

/// x'' + 0.1 x' + x = cos ωt with a linear stop of 100 N/m at x > 0.
const STOP: &str = include_str!("../../../testing/models/stop.toml");

pub(crate) fn place() -> TempDir {
    let place = TempDir::new().expect("a folder");
    for (name, text) in [("pendulum.toml", PENDULUM), ("stop.toml", STOP)] {
        std::fs::write(place.path().join(name), text).expect("written");
    }
    place
}

/// A diagram in the folder `d`: its points and its section, each as rows by column.
pub(crate) fn diagram(place: &TempDir, args: &[&str]) -> [Vec<Vec<String>>; 2] {
    let output = jointplay(place, &[&["bifurcation"][..], args, &["--out", "d"]].concat());
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {text}");
    ["points.csv", "section.csv"].map(|file| {
        let mut reader = csv::Reader::from_path(place.path().join("d").join(file)).expect(file);
        reader.records().map(|r| r.expect("a row").iter().map(str::to_owned).collect()).collect()
    })
}

#[track_caller]
pub(crate) fn close(found: &str, expected: f64, within: f64) {
    let found: f64 = found.parse().unwrap_or_else(|_| panic!("`{found}` is not a number"));
    assert!((found - expected).abs() <= within, "{found} instead of {expected}");
}

/// The exponent of the damped orbit of period 1 is −0.25 exactly, half of the sum −1/q, as its multipliers are complex.
#[test]
fn peer_exponents_and_sections_of_the_driven_pendulum() {
    let place = place();
    let of = |amplitudes: &str, transient: &str, periods: &str| {
        let vary = format!("forces.drive.value.harmonic.amplitude={amplitudes}");
        let args = ["pendulum.toml", "--vary", &vary, "--observe", "pivot.angle,pivot.omega"];
        let more = ["--period", "drive", "--transient", transient, "--periods", periods];
        diagram(&place, &[&args[..], &more].concat())
    };
    let interval = |point: &[String]| [5, 6].map(|i| point[i].parse::<f64>().expect("a number"));
    let [points, _] = of("1.15", "100", "2000");
    assert_eq!((points[0][2].as_str(), points[0][3].as_str()), ("chaotic", ""));
    let [low, high] = interval(&points[0]);
    assert!(low <= 0.0992 && 0.0992 <= high && high - low < 0.03, "{:?}", points[0]);
    let [points, section] = of("0.9,1.07", "100", "300");
    let classes: Vec<[&str; 2]> = points.iter().map(|p| [p[2].as_str(), p[3].as_str()]).collect();
    assert_eq!(classes, [["periodic", "1"], ["periodic", "2"]]);
    for (point, exact) in points.iter().zip([-0.25, -0.039_930_68]) {
        close(&point[4], exact, 2e-5);
        let [low, high] = interval(point);
        assert!(low <= exact && exact <= high, "{point:?}");
    }
    let last = section.iter().rfind(|row| row[0] == "0.9").expect("an instant");
    assert_eq!((last[1].as_str(), last[2].as_str()), ("up", "299"));
    close(&last[3], -0.560_228_33, 1e-7);
    close(&last[4], 1.933_585_51, 1e-7);
}

#[test]
fn peer_exponents_and_sections_of_an_impact_oscillator() {
    let place = place();
    // ω = 2 and ω = 2.75.
    let vary = "forces.drive.value.harmonic.frequency=0.31830988618379067,0.4376760935027122";
    let args = ["stop.toml", "--vary", vary, "--observe", "mass.x,mass.vx", "--period", "drive"];
    let [points, section] =
        diagram(&place, &[&args[..], &["--transient", "200", "--periods", "1500"]].concat());
    assert_eq!((points[0][2].as_str(), points[0][3].as_str()), ("periodic", "1"));
    close(&points[0][4], -0.05, 1e-4);
    let last = &section[1499];
    close(&last[3], -2.315_516_18, 1e-7);
    close(&last[4], 0.426_085_43, 1e-7);
    assert_eq!(points[1][2], "chaotic");
    let [low, high] = [5, 6].map(|i| points[1][i].parse::<f64>().expect("a number"));
    assert!(low < 0.1252 && 0.1252 < high && high - low < 0.05, "{:?}", points[1]);
}

/// Up and down, interrupted and resumed: the same bytes.
#[test]
fn property_a_diagram_goes_on_where_it_was() {
    let place = place();
    let vary = "forces.drive.value.harmonic.amplitude=1.05:1.08:4";
    let args = ["pendulum.toml", "--vary", vary, "--observe", "pivot.omega", "--period", "drive"];
    let args = [&args[..], &["--transient", "10", "--periods", "12", "--both-ways"]].concat();
    let [points, section] = diagram(&place, &args);
    assert_eq!((points.len(), section.len()), (8, 8 * 12));
    let ways: Vec<&str> = points.iter().map(|p| p[1].as_str()).collect();
    assert_eq!(ways, ["up", "up", "up", "up", "down", "down", "down", "down"]);
    assert_eq!(points[3][0], points[4][0], "the way down begins where the way up ends");
    let file = |name: &str| place.path().join("d").join(name);
    let bytes = |name: &str| std::fs::read(file(name)).expect("a file");
    let (before, journal) = (bytes("section.csv"), bytes("runs.jsonl"));
    // Killed in the middle of the sixth point.
    let fifth = journal.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(4).expect("five").0;
    std::fs::write(file("runs.jsonl"), &journal[..fifth + 200]).expect("written");
    diagram(&place, &args);
    assert_eq!(before, bytes("section.csv"));
    assert_eq!(journal, bytes("runs.jsonl"));
}

#[test]
fn property_wrong_diagrams_are_refused() {
    let place = place();
    for (args, words) in [
        (
            &["--vary", "bodies.bob.mass=1,2", "--observe", "pivot.angel", "--period", "drive"][..],
            "did you mean `pivot.angle`",
        ),
        (
            &["--vary", "bodies.bob.mass=1,2", "--observe", "pivot.angle", "--period", "drivee"],
            "did you mean `drive`",
        ),
        (
            &["--vary", "bodies.bob.mass=1:2", "--observe", "pivot.angle", "--period", "drive"],
            "FROM:TO:COUNT",
        ),
        (
            &[
                "--vary",
                "bodies.bob.mass=1,2",
                "--vary",
                "run.rtol=1e-9",
                "--observe",
                "pivot.angle",
                "--period",
                "1s",
            ],
            "one key",
        ),
    ] {
        let output = jointplay(
            &place,
            &[&["bifurcation", "pendulum.toml", "--out", "w"][..], args].concat(),
        );
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(words), "{args:?}: `{words}` is not in\n{text}");
        assert!(!place.path().join("w").exists());
    }
}

/// Loads that do not repeat themselves with the period: a second one, incommensurate with the first, makes the motion quasi-periodic; at rest
/// neighbours of a damped oscillator come together with half its damping.
#[test]
fn exact_motions_of_a_linear_oscillator() {
    let place = place();
    let text = STOP.split("[forces.stop]").next().expect("a model");
    let second = "[forces.second]\ntype = \"force\"\non = { body = \"mass\" }\ndirection = [1, 0]\nvalue = { harmonic = { amplitude = 1, frequency = 0.3558812717085886, phase = \"90 deg\" } }\n[run]\nuntil = 100\nrtol = 1e-12\n";
    std::fs::write(place.path().join("two.toml"), format!("{text}{second}")).expect("written");
    let args = ["two.toml", "--observe", "mass.x,mass.vx", "--period", "drive"];
    let long = [
        "--transient",
        "100",
        "--periods",
        "200",
        "--vary",
        "forces.second.value.harmonic.amplitude=1",
    ];
    let [points, section] = diagram(&place, &[&args[..], &long].concat());
    assert_eq!(points[0][2], "quasi-periodic", "{points:?}");
    // x = Re Σ e^{iω t}/(1 − ω² + 0.1 i ω), ω = 2 and √5.
    let steady = |omega: f64, t: f64| {
        let (re, im) = (1.0 - omega * omega, 0.1 * omega);
        let size = re * re + im * im;
        ((omega * t).cos() * re + (omega * t).sin() * im) / size
    };
    for row in section.iter().rev().take(10) {
        let k: f64 = row[2].parse().expect("a number");
        let t = std::f64::consts::PI * (101.0 + k);
        close(&row[3], steady(2.0, t) + steady(5.0_f64.sqrt(), t), 1e-5);
    }
    std::fs::remove_dir_all(place.path().join("d")).expect("removed");
    let rest =
        ["--set", "forces.drive.value.harmonic.amplitude=0", "--set", "bodies.mass.velocity=[0,0]"];
    let rest = [&rest[..], &["--set", "bodies.mass.position=[0,0]"]].concat();
    let short = [
        "--transient",
        "5",
        "--periods",
        "40",
        "--vary",
        "forces.second.value.harmonic.amplitude=0",
    ];
    let [points, _] = diagram(&place, &[&args[..], &short, &rest].concat());
    assert_eq!((points[0][2].as_str(), points[0][3].as_str()), ("periodic", "1"), "{points:?}");
    close(&points[0][4], -0.05, 2e-4);
}

/// Without the stop the motion is that of a driven linear oscillator: amplitudes at the first order, and the speed with which it passes its middle,
/// in closed form.
#[test]
fn exact_spectra_and_event_sections_of_a_linear_oscillator() {
    let place = place();
    let (before, _) = STOP.split_once("[forces.stop]").expect("a stop");
    let (_, run) = STOP.split_once("[run]").expect("a run");
    let text = format!("{before}[run]{run}");
    std::fs::write(place.path().join("linear.toml"), text).expect("written");
    let key = "forces.drive.value.harmonic.frequency";
    let vary = format!("{key}=0.31830988618379067,0.2");
    let args = ["linear.toml", "--vary", &vary, "--observe", "mass.x,mass.vx", "--period", "drive"];
    let more = ["--transient", "150", "--periods", "16", "--restart", "--orders", "3"];
    let events = ["--section", "up:mass.x=0"];
    let [_, section] = diagram(&place, &[&args[..], &more, &events].concat());
    let figures = place.path().join("d/figures");
    for figure in ["mass.x-spectra.svg", "mass.x-spectra.png", "mass.vx-spectra.svg"] {
        assert!(figures.join(figure).is_file(), "{figure}");
    }
    let mut reader = csv::Reader::from_path(place.path().join("d/spectra.csv")).expect("spectra");
    let head: Vec<&str> = reader.headers().expect("a head").iter().collect();
    assert_eq!(head, ["parameter", "direction", "order", "mass.x", "mass.vx"]);
    let spectra: Vec<Vec<f64>> = reader
        .records()
        .map(|row| row.expect("a row").iter().map(|x| x.parse().unwrap_or(f64::NAN)).collect())
        .collect();
    for frequency in [std::f64::consts::FRAC_1_PI, 0.2] {
        let omega = std::f64::consts::TAU * frequency;
        let amplitude = 1.0 / (1.0 - omega * omega).hypot(0.1 * omega);
        for line in spectra.iter().filter(|line| line[0] == frequency) {
            // Hann's window shows a wave on three lines.
            let expected = match line[2] {
                1.0 => amplitude,
                order if (order - 1.0).abs() < 0.07 => 0.5 * amplitude,
                _ => 0.0,
            };
            let within = 2e-4 * amplitude;
            assert!((line[3] - expected).abs() < within, "{line:?} instead of {expected}");
            assert!((line[4] - omega * expected).abs() < omega * within, "{line:?}");
        }
        let passed: Vec<&Vec<String>> =
            section.iter().filter(|row| row[0].parse() == Ok(frequency)).collect();
        assert_eq!(passed.len(), 16);
        for row in passed {
            close(&row[3], 0.0, 1e-12);
            close(&row[4], omega * amplitude, 1e-6);
        }
    }
}

/// A section at impacts has one row for each impact, on the surface of the stop and moving into it.
#[test]
fn property_sections_at_impacts() {
    let place = place();
    let key = "forces.drive.value.harmonic.frequency";
    let vary = format!("{key}=0.31830988618379067");
    let args = ["stop.toml", "--vary", &vary, "--observe", "mass.x,mass.vx", "--period", "drive"];
    let more = ["--transient", "20", "--periods", "16", "--section", "impact:stop"];
    let [_, section] = diagram(&place, &[&args[..], &more].concat());
    assert!(section.len() >= 4, "{section:?}");
    for row in &section {
        close(&row[3], 0.0, 1e-12);
        assert!(row[4].parse::<f64>().is_ok_and(|speed| speed > 0.0), "{row:?}");
    }
    let wrong = ["--period", "drive", "--section", "impact:stp", "--out", "x"];
    let refused = jointplay(&place, &[&["bifurcation"], &args[..5], &wrong[..]].concat());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("stop"), "{said}");
}

/// A period that is not one of the drive cannot be followed from value to value.
#[test]
fn property_a_drive_that_does_not_repeat_is_refused() {
    let place = place();
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/slider-crank/model.toml");
    let args =
        ["bifurcation", model, "--vary", "joints.pin.restitution=0.4,0.5", "--observe", "pin.ex"];
    let more = ["--period", "0.11s", "--transient", "3", "--periods", "4", "--out", "x"];
    let refused = jointplay(&place, &[&args[..], &more].concat());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("motor"), "{said}");
}

/// A table of `golden/bifurcation-slider-crank`, without its head.
fn golden(name: &str) -> Vec<Vec<String>> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/bifurcation-slider-crank/");
    let mut reader = csv::Reader::from_path(format!("{folder}{name}")).expect("a table");
    reader.records().map(|r| r.expect("a row").iter().map(str::to_owned).collect()).collect()
}

/// The slider-crank with friction in its pin, against an independent C++ program in minimal coordinates. Its contact never opens and remembers
/// an impact from before, which is said. The exponent is the rate at which the turns of that program come together.
#[test]
fn peer_sections_of_the_slider_crank_with_friction() {
    let place = TempDir::new().expect("a folder");
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/slider-crank/model.toml");
    let of = |mu: &str, bearing: &str, transient: &str, periods: &str| {
        let mu = format!("joints.pin.law.mu={mu}");
        let bearing = format!("joints.pin.bearing_radius={bearing}");
        let law = "joints.pin.law.damping=exact";
        let friction = "joints.pin.law.friction=coulomb-tanh";
        let slip = "joints.pin.law.slip_speed=10 mm/s";
        let args = [model, "--vary", &mu, "--set", &bearing, "--set", law, "--set", friction];
        let more = ["--set", slip, "--observe", "pin.ex,pin.ey,slider.vx", "--period", "motor"];
        let counts = ["--transient", transient, "--periods", periods];
        diagram(&place, &[&args[..], &more, &counts].concat())
    };
    let number = |cell: &String| cell.parse::<f64>().expect("a number");
    let [points, section] = of("0.04", "10.25mm", "20", "4");
    let turns = golden("section.csv");
    let found: Vec<f64> = section.last().expect("an instant")[3..].iter().map(number).collect();
    let expected: Vec<f64> = turns.last().expect("a turn")[3..].iter().map(number).collect();
    for (found, expected) in [found[0] / 0.25e-3, found[1] / 0.25e-3, found[2]].iter().zip(expected)
    {
        assert!((found - expected).abs() < 2e-7, "{found} instead of {expected}");
    }
    let apart = |turn: usize| {
        let [a, b] = [&turns[turn - 1], &turns[turns.len() - 1]];
        (number(&a[3]) - number(&b[3])).hypot(number(&a[4]) - number(&b[4]))
    };
    let exponent = (apart(18) / apart(10)).ln() / (8.0 * 0.3);
    let point = &points[0];
    assert_eq!(
        (point[2].as_str(), point[3].as_str(), point[8].as_str()),
        ("periodic", "1", "true")
    );
    close(&point[4], exponent, 1e-3);
    assert!(point[9].contains("never opened in the section"), "{point:?}");

    // Chaos: quantiles of many turns.
    let periods = crate::sweep::cases(0, 600);
    if periods == 0 {
        return;
    }
    let [points, section] = of("0.02", "10.32mm", "50", &periods.to_string());
    let reference = golden("reference.csv");
    let value = |name: &str| {
        let row = reference.iter().find(|row| row[2] == name).expect("a row");
        [number(&row[3]), number(&row[4])]
    };
    let ex: Vec<f64> = section.iter().map(|row| number(&row[3]) / 0.32e-3).collect();
    let quantiles = [0.05, 0.25, 0.5, 0.75, 0.95];
    for (name, p) in ["ex_p05", "ex_p25", "ex_p50", "ex_p75", "ex_p95"].iter().zip(quantiles) {
        let quantile = value(name)[0];
        let below = ex.iter().filter(|x| **x < quantile).count() as f64 / ex.len() as f64;
        // Four standard errors of a share; turns forget each other within one or two.
        let error = (p * (1.0 - p) / ex.len() as f64).sqrt();
        assert!((below - p).abs() < 4.0 * error, "{name}: {below} of the turns lie below");
    }
    assert_eq!(points[0][2], "chaotic");
    let [exponent, uncertain] = value("exponent_per_turn");
    let [low, high] = [5, 6].map(|i| 0.3 * number(&points[0][i]));
    assert!(low <= exponent + uncertain && exponent - uncertain <= high, "{:?}", points[0]);
}

/// Metrics are measured over the section alone: the motion of the linear oscillator has forgotten its start by then, and has closed forms.
#[test]
fn exact_metrics_of_a_diagram() {
    let place = place();
    let (before, _) = STOP.split_once("[forces.stop]").expect("a stop");
    let (_, run) = STOP.split_once("[run]").expect("a run");
    let text = format!("{before}[run]{run}");
    std::fs::write(place.path().join("linear.toml"), text).expect("written");
    let vary = "forces.drive.value.harmonic.frequency=0.31830988618379067,0.2";
    let args = ["linear.toml", "--vary", vary, "--observe", "mass.x", "--period", "drive"];
    let more = ["--transient", "150", "--periods", "16", "--restart", "--samples", "9"];
    let metrics = ["--metric", "rms(mass.x)", "--metric", "integral(abs(mass.vx))"];
    let [points, _] = diagram(&place, &[&args[..], &more, &metrics].concat());
    let mut reader = csv::Reader::from_path(place.path().join("d/points.csv")).expect("points");
    let head: Vec<&str> = reader.headers().expect("a head").iter().collect();
    assert_eq!(head[10..], ["warnings", "rms(mass.x)", "integral(abs(mass.vx))"]);
    for (point, frequency) in points.iter().zip([std::f64::consts::FRAC_1_PI, 0.2]) {
        let omega = std::f64::consts::TAU * frequency;
        let amplitude = 1.0 / (1.0 - omega * omega).hypot(0.1 * omega);
        close(&point[11], amplitude / 2.0_f64.sqrt(), 1e-3 * amplitude);
        // There and back again, in each of 16 periods.
        close(&point[12], 16.0 * 4.0 * amplitude, 64e-3 * amplitude);
    }
    let found = std::fs::read_to_string(place.path().join("d/study.json")).expect("findings");
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    assert_eq!(found["units"]["rms(mass.x)"], "m");
    assert_eq!(found["metrics"]["rms(mass.x)"]["count"], 2);
    assert_eq!(found["measured"], serde_json::json!(["mass.x"]));
    // A number of samples is taken, and it is said what counts instead.
    let said = found["warnings"][0]["message"].as_str().expect("a warning");
    assert!(said.contains("`samples` has no effect") && said.contains("`periods`"), "{said}");
    assert!(place.path().join("d/figures/rms-mass.x-.svg").is_file());
}

/// A metric counts the impacts that a section at impacts shows, one row for each.
#[test]
fn property_metrics_and_sections_see_the_same_impacts() {
    let place = place();
    let vary = "forces.drive.value.harmonic.frequency=0.31830988618379067,0.4376760935027122";
    let args = ["stop.toml", "--vary", vary, "--observe", "mass.x", "--period", "drive"];
    let more = ["--transient", "40", "--periods", "20", "--section", "impact:stop"];
    let [points, section] =
        diagram(&place, &[&args[..], &more, &["--metric", "stop.impacts"]].concat());
    for point in &points {
        let seen = section.iter().filter(|row| row[0] == point[0]).count();
        assert!(seen > 0, "{point:?}");
        close(&point[11], seen as f64, 0.0);
    }
    // Other metrics are other runs; what has none is refused with the nearest name.
    let wrong = ["--metric", "stop.impact", "--metric", "class", "--out", "x"];
    let refused = jointplay(&place, &[&["bifurcation"], &args[..], &wrong].concat());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(said.contains("stop.impacts") && said.contains("`class` is a column"), "{said}");
    // All that is wrong at once: key, channel, driver and metric.
    let wrong = ["--vary", "forces.drive.valeu=1,2", "--observe", "mass.xx", "--period", "drvie"];
    let wrong = [&["stop.toml"], &wrong[..], &["--metric", "stop.impact", "--out", "x"]].concat();
    let refused = jointplay(&place, &[&["bifurcation"], &wrong[..]].concat());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    for word in ["did you mean `value`", "`mass.x`", "did you mean `drive`", "stop.impacts"] {
        assert!(said.contains(word), "`{word}` is not in {said}");
    }
}

/// The directions have their names by the values, not by the order in which they are passed.
#[test]
fn exact_directions_of_falling_and_unsorted_values() {
    let place = place();
    let key = "forces.drive.value.harmonic.amplitude";
    let ways = |values: &str, more: &[&str]| -> Vec<[String; 2]> {
        let vary = format!("{key}={values}");
        let args = ["pendulum.toml", "--vary", &vary, "--observe", "pivot.omega"];
        let counts = ["--period", "drive", "--transient", "2", "--periods", "4"];
        let [points, section] = diagram(&place, &[&args[..], &counts, more].concat());
        let rows = section.iter().step_by(4).map(|row| &row[..2]);
        assert!(rows.eq(points.iter().map(|point| &point[..2])), "{section:?}");
        points.iter().map(|point| [point[0].clone(), point[1].clone()]).collect()
    };
    let rows =
        |rows: &[[&str; 2]]| rows.iter().map(|row| row.map(str::to_owned)).collect::<Vec<_>>();
    assert_eq!(ways("1.08:1.06:2", &[]), rows(&[["1.08", "down"], ["1.06", "down"]]));
    let both = rows(&[["1.08", "down"], ["1.06", "down"], ["1.06", "up"], ["1.08", "up"]]);
    assert_eq!(ways("1.08,1.06", &["--both-ways"]), both);
    assert_eq!(ways("1.08,1.06", &["--both-ways", "--restart"]), both);
    let unsorted = rows(&[["1.06", "up"], ["1.08", "up"], ["1.07", "up"]]);
    assert_eq!(ways("1.06,1.08,1.07", &[]), unsorted);
}
