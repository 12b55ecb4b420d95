//! B2: Johnson's law inverted for 10⁶ indentations, beside C, a Rust crate and SciPy.
//!
//! CPU time per value, best of seven, all programs in one run; errors against 40-digit
//! references at 1000 indentations.

#[path = "../../../benches/peer.rs"]
mod peer;

use std::hint::black_box;

use cpu_time::ProcessTime;
use jointplay_contact::catalog::{ElasticKind, Inputs};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel, Power};
use jointplay_contact::{Material, STEEL};

const VALUES: usize = 1_000_000;
const REPEATS: usize = 7;

/// One line of the table: nanoseconds per value and largest relative error.
struct Line {
    name: String,
    result: Result<(f64, f64), String>,
}

fn reference() -> Vec<(f64, f64)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/b2-johnson/data.csv");
    let mut reader = csv::Reader::from_path(path).expect("golden data are committed");
    reader.deserialize().map(|row| row.expect("two columns")).collect()
}

fn johnson() -> ElasticLaw {
    let steel: Material = STEEL;
    let inputs = Inputs {
        clearance: Some(0.25e-3),
        length: Some(1.0),
        materials: Some([steel, steel]),
        ..Inputs::default()
    };
    ElasticKind::Johnson.build(&inputs).expect("complete inputs").law
}

/// Best CPU time of several repeats, ns per value.
fn time(mut work: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..REPEATS {
        let start = ProcessTime::now();
        work();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best * 1e9 / VALUES as f64
}

fn worst(reference: &[(f64, f64)], forces: &[f64]) -> f64 {
    reference.iter().zip(forces).map(|((_, f), own)| (own / f - 1.0).abs()).fold(0.0, f64::max)
}

fn own(reference: &[(f64, f64)]) -> Vec<Line> {
    let law = johnson();
    let probe: Vec<f64> = reference.iter().map(|r| r.0).collect();
    let deltas: Vec<f64> = (0..VALUES)
        .map(|i| probe[i % probe.len()] * (1.0 + 1e-7 * (i / probe.len()) as f64))
        .collect();
    let mut forces = vec![0.0; VALUES];
    let scalar = time(|| {
        for (f, d) in forces.iter_mut().zip(&deltas) {
            *f = law.force(black_box(*d));
        }
        black_box(&forces);
    });
    let batch = time(|| {
        law.forces(black_box(&deltas), &mut forces);
        black_box(&forces);
    });
    let complete = time(|| {
        for (f, d) in forces.iter_mut().zip(&deltas) {
            let e = law.eval(black_box(*d));
            *f = e.force + e.slope + e.energy;
        }
        black_box(&forces);
    });
    let pi_e = std::f64::consts::PI * 207e9 / (2.0 * (1.0 - 0.3 * 0.3));
    let by_crate =
        |d: f64| -pi_e * d / lambert_w::lambert_wm1(-std::f64::consts::E * d / (4.0 * 0.25e-3));
    let crate_time = time(|| {
        for (f, d) in forces.iter_mut().zip(&deltas) {
            *f = by_crate(black_box(*d));
        }
        black_box(&forces);
    });
    let fit = power_fit(reference);
    let fit_time = time(|| {
        for (f, d) in forces.iter_mut().zip(&deltas) {
            *f = fit.force(black_box(*d));
        }
        black_box(&forces);
    });
    let fit_forces: Vec<f64> = probe.iter().map(|&d| fit.force(d)).collect();
    let one_by_one: Vec<f64> = probe.iter().map(|&d| law.force(d)).collect();
    let mut together = vec![0.0; probe.len()];
    law.forces(&probe, &mut together);
    let crate_forces: Vec<f64> = probe.iter().map(|&d| by_crate(d)).collect();
    let line =
        |name: &str, ns: f64, error: f64| Line { name: name.into(), result: Ok((ns, error)) };
    vec![
        line("jointplay, scalar", scalar, worst(reference, &one_by_one)),
        line("jointplay, batch", batch, worst(reference, &together)),
        line("jointplay, scalar force + slope + energy", complete, worst(reference, &one_by_one)),
        line("Rust crate lambert_w, scalar", crate_time, worst(reference, &crate_forces)),
        line("power fit K d^n, scalar", fit_time, worst(reference, &fit_forces)),
    ]
}

/// K and n by least squares in logarithms: what the literature does for speed.
fn power_fit(reference: &[(f64, f64)]) -> Power {
    let n = reference.len() as f64;
    let mean = |value: fn(&(f64, f64)) -> f64| reference.iter().map(value).sum::<f64>() / n;
    let (x, y) = (mean(|p| p.0.ln()), mean(|p| p.1.ln()));
    let (xx, xy) = (mean(|p| p.0.ln() * p.0.ln()), mean(|p| p.0.ln() * p.1.ln()));
    let exponent = (xy - x * y) / (xx - x * x);
    Power { stiffness: (y - exponent * x).exp(), exponent }
}

fn c_peers(file: &str, before: &[&str], after: &[&str], label: &str) -> Vec<Line> {
    let names = [
        ("newton", "C Newton to 1e-15"),
        ("w2", "C W-1, two Fritsch steps"),
        ("w1", "C W-1, one Fritsch step"),
    ];
    let text = peer::compile("gcc", "b2_main.c", before, after)
        .and_then(|binary| peer::output(&binary, &[file]));
    names
        .iter()
        .map(|(key, name)| {
            let result = text.clone().and_then(|text| {
                let line = text.lines().find(|l| l.starts_with(key)).ok_or("no such line")?;
                let numbers: Vec<f64> =
                    line.split(' ').skip(1).filter_map(|t| t.parse().ok()).collect();
                if let [ns, error] = numbers[..] {
                    Ok((ns, error))
                } else {
                    Err(format!("cannot read `{line}`"))
                }
            });
            Line { name: format!("{name}, {label}"), result }
        })
        .collect()
}

fn scipy(file: &str) -> Line {
    let python = std::env::var("JOINTPLAY_PYTHON").unwrap_or_else(|_| "python3".into());
    let script = peer::peers().join("b2_scipy.py");
    let result = peer::output(python.as_ref(), &[&script.to_string_lossy(), file])
        .map_err(|error| {
            let last = error.lines().last().unwrap_or_default().to_owned();
            format!("{last} (pip install scipy, or set JOINTPLAY_PYTHON)")
        })
        .and_then(|text| {
            let numbers: Vec<f64> =
                text.split_whitespace().filter_map(|t| t.parse().ok()).collect();
            if let [ns, error] = numbers[..] {
                Ok((ns, error))
            } else {
                Err(format!("cannot read `{text}`"))
            }
        });
    Line { name: "scipy.special.lambertw".into(), result }
}

fn main() {
    let reference = reference();
    let lines: Vec<String> = reference.iter().map(|(d, f)| format!("{d:e} {f:e}")).collect();
    let text = lines.join("\n");
    let file = peer::scratch().map(|folder| folder.join("b2-reference.txt")).unwrap_or_default();
    std::fs::write(&file, text).expect("the target folder is writable");
    let file = file.to_string_lossy();
    let mut lines = own(&reference);
    lines.extend(c_peers(&file, &["-O3", "-march=native"], &["-lm"], "scalar"));
    let simd = ["-Ofast", "-march=native", "-mprefer-vector-width=512"];
    lines.extend(c_peers(&file, &simd, &["-lmvec", "-lm"], "SIMD"));
    lines.push(scipy(&file));
    println!("\nB2: Johnson's law inverted, 10^6 indentations of 10^[-9, -5] m\n");
    println!("{:<44} {:>12} {:>12}", "program", "ns per value", "max error");
    for line in &lines {
        match &line.result {
            Ok((ns, error)) => println!("{:<44} {ns:>12.2} {error:>12.1e}", line.name),
            Err(why) => println!("{:<44} not measured: {why}", line.name),
        }
    }
    let ns = |start: &str| {
        lines
            .iter()
            .find(|l| l.name.starts_with(start))
            .and_then(|l| l.result.as_ref().ok())
            .map(|r| r.0)
    };
    let ratio = |title: &str, a: Option<f64>, b: Option<f64>, goal: &str| match (a, b) {
        (Some(a), Some(b)) => println!("{title:<52} {:>6.2}   goal {goal}", a / b),
        _ => println!("{title:<52} not measured"),
    };
    println!();
    let (scalar, batch) = (ns("jointplay, scalar"), ns("jointplay, batch"));
    ratio("scalar / C Newton scalar", scalar, ns("C Newton to 1e-15, scalar"), "<= 0.5");
    ratio(
        "batch / C W-1 SIMD, one Fritsch step",
        batch,
        ns("C W-1, one Fritsch step, SIMD"),
        "<= 1.5",
    );
    ratio(
        "batch / C W-1 SIMD, two Fritsch steps",
        batch,
        ns("C W-1, two Fritsch steps, SIMD"),
        "<= 1.5",
    );
    ratio("scipy / batch", ns("scipy"), batch, ">= 15");
}
