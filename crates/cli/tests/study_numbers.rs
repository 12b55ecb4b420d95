//! The numbers of studies: indices, clearances of fits and process capability.

use serde_json::Value;

use crate::program::{jointplay, shown};
use crate::studies::{close, found, number, place, table};

#[test]
fn published_indices_of_sobol() {
    let place = place();
    let pi = std::f64::consts::PI;
    let ranges = ["x1", "x2", "x3"].map(|x| format!("parameters.{x}={:?}:{pi:?}", -pi));
    let ishigami = "sin(x1) + 7*sin(x2)^2 + 0.1*x3^4*sin(x1)";
    let findings = found(
        &place,
        &[
            "sensitivity",
            "numbers.toml",
            "--vary",
            &ranges[0],
            "--vary",
            &ranges[1],
            "--vary",
            &ranges[2],
            "--metric",
            ishigami,
            "--out",
            "i",
        ],
    );
    // Ishigami and Homma 1990, a = 7, b = 0.1.
    let first = [0.313_905_19, 0.442_411_14, 0.0];
    let total = [0.557_588_86, 0.442_411_14, 0.243_683_66];
    for (i, key) in ["parameters.x1", "parameters.x2", "parameters.x3"].iter().enumerate() {
        let of = &findings["indices"][ishigami][key];
        close(number(&of["first"]), first[i], 0.01, key);
        close(number(&of["total"]), total[i], 0.01, key);
        for name in ["first", "total"] {
            let [low, high] = ["low", "high"].map(|end| number(&of[format!("{name}_{end}")]));
            let exact = if name == "first" { first[i] } else { total[i] };
            assert!(low <= exact && exact <= high && high - low < 0.1, "{key}: {of}");
        }
    }
    let spread = &findings["metrics"][ishigami];
    close(number(&spread["std"]), 13.844_587_94_f64.sqrt(), 0.02, "standard deviation");
}

/// The peak force is K^0.4 (5/4 m v²)^0.6: means of powers of uniform numbers give the indices in closed form.
#[test]
fn exact_indices_of_an_impact() {
    let place = place();
    let findings = found(
        &place,
        &[
            "sensitivity",
            "wall.toml",
            "--vary",
            "parameters.k=4e9 N/m^1.5:6e9 N/m^1.5",
            "--vary",
            "parameters.m=0.5kg:1.5kg",
            "--vary",
            "parameters.v=0.2 m/s:0.4 m/s",
            "--metric",
            "wall.peak_force",
            "--samples",
            "512",
            "--set",
            "bodies.ball.position=[0, \"1 um\"]",
            "--until",
            "2ms",
            "--out",
            "i",
        ],
    );
    let power = |low: f64, high: f64, p: f64| {
        (high.powf(p + 1.0) - low.powf(p + 1.0)) / ((p + 1.0) * (high - low))
    };
    // Each factor by its mean and the mean of its square.
    let ranges = [(4e9, 6e9, 0.4), (0.5, 1.5, 0.6), (0.2, 0.4, 1.2)];
    let means = ranges.map(|(low, high, p)| power(low, high, p));
    let squares = ranges.map(|(low, high, p)| power(low, high, 2.0 * p));
    let relative: Vec<f64> = (0..3).map(|i| squares[i] / means[i].powi(2) - 1.0).collect();
    let all: f64 = relative.iter().map(|r| 1.0 + r).product::<f64>() - 1.0;
    for (i, key) in ["parameters.k", "parameters.m", "parameters.v"].iter().enumerate() {
        let of = &findings["indices"]["wall.peak_force"][key];
        let others: f64 = (0..3).filter(|j| *j != i).map(|j| 1.0 + relative[j]).product();
        close(number(&of["first"]), relative[i] / all, 0.01, key);
        close(number(&of["total"]), relative[i] * others / all, 0.01, key);
    }
    let spread = &findings["metrics"]["wall.peak_force"];
    let mean = means.iter().product::<f64>() * 1.25_f64.powf(0.6);
    close(number(&spread["mean"]), mean, 1e-3 * mean, "mean");
    close(number(&spread["std"]), mean * all.sqrt(), 5e-3 * mean, "standard deviation");
}

#[test]
fn published_the_clearance_of_a_fit() {
    let place = place();
    let tolerance = |fit: &str, samples: &str, folder: &str| {
        found(
            &place,
            &[
                "tolerance",
                "bore.toml",
                "--vary",
                &format!("joints.pin.fit={fit}"),
                "--metric",
                "first(pin.gap)",
                "--samples",
                samples,
                "--out",
                folder,
                "--limit",
                "first(pin.gap) > 5 um",
            ],
        )
    };
    let findings = tolerance("20 H7/g6", "4096", "t");
    // Both sizes uniform: clearance on the diameter 7 to 41 µm; ours is on the radius.
    let radial = &findings["metrics"]["first(pin.gap)"];
    for (name, diametral, within) in [
        ("mean", 24.0, 0.02),
        ("std", 7.129_750, 0.02),
        ("p05", 12.224_94, 0.05),
        ("p25", 18.683_32, 0.05),
        ("p50", 24.0, 0.05),
        ("min", 7.0, 0.7),
        ("max", 41.0, 0.7),
    ] {
        close(2e6 * number(&radial[name]), diametral, within, name);
    }
    assert_eq!((&radial["count"], &radial["failed"]), (&4096.into(), &0.into()));
    let limit = &findings["limits"][0];
    close(number(&limit["probability"]), 0.016_483_52, 0.002, "P(< 10 µm)");
    assert!(number(&limit["low"]) < 0.016_483_52 && 0.016_483_52 < number(&limit["high"]));
    let rows = table(&place, "t/table.csv");
    assert_eq!(rows[0][0], "joints.pin.fit");
    let first: f64 = rows[1][0].parse().expect("a clearance");
    close(first, 2.0 * rows[1][3].parse::<f64>().expect("a gap"), 1e-12, "on the diameter");
    // A transition fit: samples without clearance are failed rows, as often as the zones overlap.
    let findings = tolerance("20 H7/k6", "1024", "k");
    let fraction = number(&findings["failed"]) / 1024.0;
    let expected = number(&findings["fits"]["joints.pin.fit"]["without_clearance"]);
    close(expected, (2.0 * 13.0 + 0.5 * 13.0 * 13.0) / (21.0 * 13.0), 1e-9, "by hand");
    close(fraction, expected, 0.01, "failed rows");
}

/// A fit that never has clearance: every sample is a failed row, and the probability is there.
#[test]
fn property_interference_fits_fail_row_by_row() {
    let place = place();
    let args = ["tolerance", "crank.toml", "--vary", "joints.pin.fit=20 H7/p6", "--samples", "8"];
    let output = jointplay(&place, &[&args[..], &["--out", "p", "--json"]].concat());
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let findings: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(findings["failed"], 8);
    assert_eq!(findings["fits"]["joints.pin.fit"]["without_clearance"], 1.0);
    // In a grid fits are values like others.
    let args =
        ["sweep", "crank.toml", "--vary", "joints.pin.fit=20 H7/g6,20 H7/f7", "--until", "1us"];
    found(&place, &[&args[..], &["--metric", "first(pin.gap)", "--out", "g"]].concat());
    let rows = table(&place, "g/table.csv");
    assert_eq!(rows[1][0], "20 H7/g6");
    close(rows[1][1].parse().expect("a gap"), 12e-6, 1e-9, "mid-zone");
}

/// Of x from a normal distribution between two limits C_p and C_pk are known: (13 − 6)/6 and (13 − 10)/3 of one standard deviation.
#[test]
fn exact_process_capability_of_a_normal_number() {
    let place = place();
    let tolerance = ["tolerance", "numbers.toml", "--vary", "parameters.x1=normal(10, 1)"];
    let limits = ["--metric", "x1", "--limit", "6 < x1 < 13", "--samples", "4096", "--out", "t"];
    let findings = found(&place, &[&tolerance[..], &limits].concat());
    let capability = &findings["capability"]["x1"];
    for (name, exact) in [("cp", 7.0 / 6.0), ("cpk", 1.0)] {
        let [x, low, high] =
            ["", "_low", "_high"].map(|end| number(&capability[format!("{name}{end}")]));
        close(x, exact, 2e-3, name);
        assert!(low < exact && exact < high && high - low < 0.1, "{capability}");
    }
    assert_eq!((number(&capability["lower"]), number(&capability["upper"])), (6.0, 13.0));
    // Φ(−3) and Φ(−4), as in tables of the normal distribution.
    let beyond = |i: usize| number(&findings["limits"][i]["probability"]);
    close(beyond(1), 1.35e-3, 3e-4, "above");
    close(beyond(0), 3.2e-5, 3e-4, "below");
}

/// With repeats the start is a key of its own: a number that depends on the start alone has all of its variance from there.
#[test]
fn exact_indices_of_the_start() {
    let place = place();
    let args = ["sensitivity", "wall.toml", "--vary", "parameters.v=0.2 m/s:0.3 m/s"];
    let metrics = ["--metric", "first(ball.x)", "--metric", "v"];
    let more = ["--repeats", "50", "--samples", "256", "--until", "1us", "--out", "s"];
    let findings = found(&place, &[&args[..], &metrics, &more].concat());
    for (metric, chance) in [("first(ball.x)", 1.0), ("v", 0.0)] {
        for (key, exact) in [("start.seed", chance), ("parameters.v", 1.0 - chance)] {
            for name in ["first", "total"] {
                let found = number(&findings["indices"][metric][key][name]);
                close(found, exact, 0.05, &format!("{name} index of {key} in {metric}"));
            }
        }
    }
}
