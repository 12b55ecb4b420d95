//! Against records with known truth: identification, ranking of laws, optimisation.

mod coverage;
mod identified;
mod optimum;
mod pin_slot;
mod reading;

use std::fmt::Write as _;

use jointplay_model::Diagnostics;
use jointplay_study::case::Case;
use jointplay_study::identify::Identified;
use jointplay_study::study::{Findings, Study, StudyError};
use jointplay_study::study_file::{StudyFile, StudyKind, VaryEntry};
use jointplay_study::sweep::Sweep;

use crate::chance::Chance;
use crate::golden::rows;

/// The spheres of the shipped model, whose pulse `golden/identification/pulse.csv` is.
const SPHERES: &str = include_str!("../../../../models/two-spheres/model.toml");

/// The mass on a stop of `golden/identification/bounce.csv`.
const BOUNCE: &str = r#"
format = 1
name = "bounce"
[world]
gravity = [0, "-9.81 m/s^2"]
[parameters]
push = "3 N"
[bodies.mass]
mass = "0.5 kg"
inertia = 1
position = [0, "2 mm"]
[forces.stop]
type = "stop"
y = { body = "mass" }
below = 0
law = { elastic = "hertz", stiffness = "2e8 N/m^1.5", damping = "hunt-crossley" }
restitution = 0.5
[forces.load]
type = "force"
on = { body = "mass" }
direction = [0, -1]
value = "push*(1 - cos(2*pi*8 Hz*t))"
[run]
until = "0.3 s"
"#;

/// What is asked of an identification, as flags would.
#[derive(Clone, Default)]
struct Asked<'a> {
    map: &'a str,
    fits: &'a [(&'a str, &'a str)],
    filter: &'a [&'a str],
    filter_data: bool,
    laws: &'a [&'a str],
    shift: Option<&'a str>,
    set: &'a [(&'a str, &'a str)],
    budget: Option<usize>,
}

fn identification(model: &str, data: &str, asked: &Asked<'_>) -> Result<Findings, StudyError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rig.csv");
    std::fs::write(&path, data).expect("written");
    let mut file = StudyFile::new(StudyKind::Identify, "model.toml");
    file.data = Some(path.display().to_string());
    file.map = asked.map.split(' ').map(str::to_owned).collect();
    file.filter = asked.filter.iter().map(|&filter| filter.to_owned()).collect();
    file.filter_data = asked.filter_data;
    file.laws = asked.laws.iter().map(|&law| law.to_owned()).collect();
    file.shift = asked.shift.map(str::to_owned);
    file.budget = asked.budget;
    let entry = |&(key, values): &(&str, &str)| VaryEntry {
        key: key.to_owned(),
        values: values.to_owned(),
    };
    file.vary = asked.fits.iter().map(entry).collect();
    let case =
        asked.set.iter().fold(Case::of_text(model), |case, (key, value)| case.set(*key, *value));
    let study = Study::new(file, case)?;
    let outcome = study.run(&folder.path().join("study"), &Sweep::new(), None)?;
    Ok(outcome.findings)
}

fn identify(model: &str, data: &str, asked: &Asked<'_>) -> Identified {
    let findings = identification(model, data, asked).unwrap_or_else(|error| panic!("{error}"));
    findings.identified.expect("something was found")
}

/// What is wrong with a request.
fn refused(model: &str, data: &str, asked: &Asked<'_>) -> Diagnostics {
    match identification(model, data, asked) {
        Err(StudyError::Model(wrong)) => *wrong,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("it is taken"),
    }
}

/// The numbers of two columns of a record, as they are written.
fn record(file: &str, time: &str, column: &str) -> Vec<(f64, f64)> {
    let rows = rows(&format!("identification/{file}"));
    rows.iter().map(|row| (row.number(time), row.number(column))).collect()
}

/// A number of a standard normal distribution (Box and Muller).
fn normal(chance: &mut Chance) -> f64 {
    let radius = (-2.0 * chance.between(1e-300, 1.0).ln()).sqrt();
    radius * chance.between(0.0, std::f64::consts::TAU).cos()
}

/// A table of two columns.
fn table(head: &str, rows: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut text = format!("{head}\n");
    for (t, x) in rows {
        let _ = writeln!(text, "{t},{x:.9e}");
    }
    text
}

/// The centred mean of so many samples, and of fewer at the ends.
fn averaged(signal: &[f64], window: usize) -> Vec<f64> {
    let half = window / 2;
    (0..signal.len())
        .map(|i| {
            let part = &signal[i.saturating_sub(half)..(i + half + 1).min(signal.len())];
            part.iter().sum::<f64>() / part.len() as f64
        })
        .collect()
}
