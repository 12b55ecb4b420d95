//! The scotch yoke with the sets of table 11.

use jointplay_mbd::Sampling;
use jointplay_study::case::Case;
use jointplay_study::run::Run;
use rayon::prelude::*;

use crate::Error;
use crate::machine::{curve, run, with};
use crate::printed::Csv;

const FILE: &str = jointplay_models::SCOTCH_YOKE;
const TABLE: &str = include_str!("../../published/pinslot-review-table11-scotch-yoke/data.csv");

/// The sets in the order of the table: name, its columns, catalogue id of the colour.
pub(super) const SETS: [(&str, &str, &str); 5] = [
    ("Lankarani", "lankarani", "lankarani-nikravesh-cylinder"),
    ("Radzimovsky", "radzimovsky", "radzimovsky"),
    ("Johnson", "johnson", "johnson"),
    ("Goldsmith", "goldsmith", "goldsmith"),
    ("ESDU", "esdu", "esdu"),
];

/// Degrees of crank angle in a second: 24π rad/s.
const DEGREES: f64 = 24.0 * 180.0;

/// Interval of the samples (s), 0.04°.
const STEP: f64 = 1e-5;

/// The relative crank angle (°) at an instant, counted on through the revolutions.
pub(super) fn angle(t: f64) -> f64 {
    DEGREES * t
}

/// The yoke with a set.
fn yoke(csv: &Csv, column: &str) -> Case {
    let mut case = Case::of_text(FILE);
    for row in &csv.rows {
        let [k, n] = ["K", "n"].map(|name| csv.cell(row, &format!("{column}_{name}")));
        let key = format!("joints.pin.laws.{}", csv.cell(row, "region"));
        let law = format!("{{ stiffness = \"{k} N/mm^{n}\", exponent = {n} }}");
        case = with(case, &[(&key, &law)]);
    }
    case
}

/// K (N/mmⁿ) and n of the outer track in each set.
pub(super) fn outer() -> Vec<[f64; 2]> {
    let csv = Csv::read(TABLE);
    let outer = csv.rows.iter().find(|row| csv.cell(row, "region") == "outer");
    let of = |(_, column, _): &(&str, &str, &str)| {
        ["K", "n"].map(|name| {
            let text = outer.map_or("", |row| csv.cell(row, &format!("{column}_{name}")));
            text.parse().unwrap_or(f64::NAN)
        })
    };
    SETS.iter().map(of).collect()
}

/// Two revolutions with each set.
pub(super) fn all() -> Result<Vec<Run>, Error> {
    let csv = Csv::read(TABLE);
    SETS.par_iter()
        .map(|(_, column, _)| run(&yoke(&csv, column), Sampling::Interval(STEP)))
        .collect()
}

/// The same with another crank radius (mm).
pub(super) fn with_radius(radius: f64) -> Result<Vec<Run>, Error> {
    let csv = Csv::read(TABLE);
    let (sin, cos) = 31_f64.to_radians().sin_cos();
    let centre = radius * cos + (60.0_f64.powi(2) - (radius * sin).powi(2)).sqrt();
    let place = format!("[\"{centre} mm\", 0]");
    let pin = format!("{{ body = \"crank\", at = [\"{radius} mm\", 0] }}");
    let keys = [("bodies.slider.position", place.as_str()), ("joints.pin.b", pin.as_str())];
    let set = |(_, column, _): &(&str, &str, &str)| {
        run(&with(yoke(&csv, column), &keys), Sampling::EventsOnly)
    };
    SETS.par_iter().map(set).collect()
}

/// The first impact alone, with each set, densely.
pub(super) fn first_impacts() -> Result<Vec<Run>, Error> {
    let csv = Csv::read(TABLE);
    let set = |(_, column, _): &(&str, &str, &str)| {
        run(&yoke(&csv, column).set("run.until", "5 ms"), Sampling::Interval(4e-6))
    };
    SETS.par_iter().map(set).collect()
}

/// The pin without clearance.
pub(super) fn ideal() -> Result<Run, Error> {
    run(&Case::of_text(FILE).ideal(), Sampling::Interval(STEP))
}

/// A channel over the relative crank angle of the second revolution (°, 0 to 360).
pub(super) fn second(motion: &Run, channel: &str) -> Result<Vec<(f64, f64)>, Error> {
    let turned = curve(motion, channel)?.into_iter().map(|(t, y)| (angle(t) - 360.0, y));
    Ok(turned.filter(|(turn, _)| (-1e-9..=360.0).contains(turn)).collect())
}

/// Free flights of the second revolution (°, from and to).
pub(super) fn flights(motion: &Run) -> Vec<(f64, f64)> {
    let episodes = &motion.contacts().episodes;
    let turn = |t: f64| angle(t) - 360.0;
    let gaps = episodes.windows(2).filter(|pair| pair[1].start > pair[0].end);
    let gaps = gaps.map(|pair| (turn(pair[0].end), turn(pair[1].start)));
    gaps.filter(|(_, end)| *end > 0.0).collect()
}
