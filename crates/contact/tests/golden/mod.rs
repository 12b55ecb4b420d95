//! Reading of the reference data under `golden/`, and the book of worst errors.
#![allow(dead_code, reason = "shared by several test crates, of which each needs a part")]

use std::collections::BTreeMap;

use jointplay_contact::catalog::Inputs;
use jointplay_contact::{Material, Surfaces};

#[path = "../../../../testing/rows.rs"]
mod rows;

pub(crate) use rows::{Row, rows};

impl Row {
    /// Materials, length and radii, as the columns of the elastic laws give them.
    pub(crate) fn inputs(&self, internal: bool) -> Inputs {
        let material = |young, poisson| Material {
            young: self.number(young),
            poisson: self.number(poisson),
            density: None,
        };
        let surfaces = match (self.optional("radius_i"), self.optional("radius_j")) {
            (Some(bearing), Some(journal)) if internal => Surfaces::internal(bearing, journal).ok(),
            (Some(i), Some(j)) => Surfaces::from_radii(i, j).ok(),
            (Some(radius), None) => Surfaces::on_plane(radius).ok(),
            _ => None,
        };
        Inputs {
            surfaces,
            length: self.optional("length"),
            materials: Some([material("young_i", "poisson_i"), material("young_j", "poisson_j")]),
            ..Inputs::default()
        }
    }
}

/// Collects error/tolerance per law and quantity; prints the worst, fails if one exceeds 1.
pub(crate) struct Book {
    title: &'static str,
    worst: BTreeMap<String, (f64, String)>,
    failures: Vec<String>,
}

impl Book {
    pub(crate) fn new(title: &'static str) -> Self {
        Self { title, worst: BTreeMap::new(), failures: Vec::new() }
    }

    /// Enters `got` against `want` with a relative tolerance.
    pub(crate) fn relative(
        &mut self,
        entry: &str,
        got: f64,
        want: f64,
        tolerance: f64,
        place: &str,
    ) {
        self.absolute(entry, got, want, tolerance * want.abs(), place);
    }

    /// Enters `got` against `want` with an absolute tolerance.
    pub(crate) fn absolute(
        &mut self,
        entry: &str,
        got: f64,
        want: f64,
        tolerance: f64,
        place: &str,
    ) {
        let error = (got - want).abs();
        // equal numbers are right whatever the tolerance; NaN is wrong whatever the tolerance
        let ratio = if error == 0.0 { 0.0 } else { error / tolerance };
        let ratio = if ratio.is_nan() { f64::INFINITY } else { ratio };
        if ratio > 1.0 {
            self.failures.push(format!(
                "{entry} at {place}: {got:e}, not {want:e} ({ratio:.2} x tolerance)"
            ));
        }
        let worst = self.worst.entry(entry.to_owned()).or_insert((0.0, String::new()));
        if ratio >= worst.0 {
            *worst = (ratio, place.to_owned());
        }
    }

    /// Prints the worst entries (seen with `--nocapture`) and fails if one is over its tolerance.
    pub(crate) fn close(self) {
        println!("{}: worst error/tolerance", self.title);
        for (entry, (ratio, place)) in &self.worst {
            println!("  {entry:44} {ratio:9.2e}  at {place}");
        }
        let shown: Vec<_> = self.failures.iter().take(20).map(String::as_str).collect();
        assert!(
            shown.is_empty(),
            "{}: {} over tolerance\n{}",
            self.title,
            self.failures.len(),
            shown.join("\n")
        );
    }
}
