//! The committed reference data, and laws built by name as a user builds them.
#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;

use jointplay_contact::catalog::{Inputs, LawName};
use jointplay_contact::{Material, NormalLaw, Restitution, Surfaces, Tension};
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact, ImpactResult};

/// One line of a CSV file, by column name. An empty cell is absent.
pub(crate) struct Row {
    cells: BTreeMap<String, String>,
    pub(crate) place: String,
}

impl Row {
    pub(crate) fn text(&self, column: &str) -> &str {
        self.cells.get(column).unwrap_or_else(|| panic!("{}: no column {column}", self.place))
    }

    pub(crate) fn maybe(&self, column: &str) -> Option<f64> {
        let text = self.cells.get(column)?;
        (!text.is_empty())
            .then(|| text.parse().unwrap_or_else(|_| panic!("{}: {column} = {text}", self.place)))
    }

    pub(crate) fn number(&self, column: &str) -> f64 {
        self.maybe(column).unwrap_or_else(|| panic!("{}: {column} is empty", self.place))
    }
}

/// Every line of a file of the folder `golden`.
pub(crate) fn rows(file: &str) -> Vec<Row> {
    let path = format!("{}/../../golden/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut reader = csv::Reader::from_path(&path).unwrap_or_else(|e| panic!("{path}: {e}"));
    let names = reader.headers().unwrap().clone();
    let row = |(i, record): (usize, csv::Result<csv::StringRecord>)| {
        let record = record.unwrap_or_else(|e| panic!("{path}: {e}"));
        let cells = names.iter().map(str::to_owned).zip(record.iter().map(str::to_owned)).collect();
        Row { cells, place: format!("{file}:{}", i + 2) }
    };
    reader.records().enumerate().map(row).collect()
}

/// Both bodies of this material.
pub(crate) fn both(young: f64, poisson: f64) -> [Material; 2] {
    [Material { young, poisson, density: None }; 2]
}

/// Inputs with these numbers by key.
pub(crate) fn numbers(pairs: &[(&str, f64)]) -> Inputs {
    Inputs { numbers: pairs.iter().map(|&(k, v)| (k.to_owned(), v)).collect(), ..Inputs::default() }
}

/// A journal of `bearing − clearance` in a bearing, m, steel, 1 mm long: loads are N/mm.
pub(crate) fn steel_bearing(bearing: f64, clearance: f64) -> Inputs {
    Inputs {
        surfaces: Some(Surfaces::internal(bearing, bearing - clearance).unwrap()),
        clearance: Some(clearance),
        length: Some(1e-3),
        materials: Some(both(207e9, 0.3)),
        ..Inputs::default()
    }
}

/// The inputs with a constant restitution.
pub(crate) fn returning(c: f64, inputs: &Inputs) -> Inputs {
    Inputs { restitution: Some(Restitution::Constant(c)), ..inputs.clone() }
}

/// The law `elastic+damping` from the catalogue.
pub(crate) fn law(name: &str, inputs: &Inputs) -> NormalLaw {
    let parts = LawName::parse(name).unwrap_or_else(|e| panic!("{name}: {e}"));
    let elastic_kind = parts.elastic_or_default();
    let elastic = elastic_kind.build(inputs).unwrap_or_else(|e| panic!("{name}: {e}")).law;
    let damping = parts.damping.map_or(Ok(jointplay_contact::damping::DampingLaw::None), |kind| {
        kind.build(inputs, elastic_kind.id(), &elastic)
    });
    NormalLaw::new(elastic, damping.unwrap_or_else(|e| panic!("{name}: {e}")))
}

/// The law with its force kept where it pulls.
pub(crate) fn adhesive(law: NormalLaw) -> NormalLaw {
    NormalLaw { tension: Tension::Keep, ..law }
}

/// A free impact at the default tolerance.
pub(crate) fn impact(law: &NormalLaw, effective_mass: f64, speed: f64) -> ImpactResult {
    let bench = Impact { law, effective_mass, speed, tolerance: DEFAULT_TOLERANCE };
    bench.run().unwrap_or_else(|e| panic!("m = {effective_mass} kg, v = {speed} m/s: {e}\n{law:?}"))
}

/// |ours/wanted − 1|, or |ours| where nothing is wanted.
pub(crate) fn relative(ours: f64, wanted: f64) -> f64 {
    if wanted == 0.0 { ours.abs() } else { (ours / wanted - 1.0).abs() }
}

/// Fails with both numbers unless they agree to the relative tolerance.
pub(crate) fn assert_close(what: &str, ours: f64, wanted: f64, tolerance: f64) {
    let error = relative(ours, wanted);
    assert!(
        error <= tolerance,
        "{what}: {ours:.15e}, wanted {wanted:.15e}, off by {error:.2e} > {tolerance:.0e}"
    );
}

/// A number as a paper prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    /// One unit of the last printed digit.
    pub(crate) unit: f64,
}

impl Printed {
    pub(crate) fn parse(text: &str) -> Self {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.len());
        let last: f64 =
            format!("1e{}", exponent.parse::<i64>().unwrap() - i64::try_from(decimals).unwrap())
                .parse()
                .unwrap();
        Self { value: text.parse().unwrap_or_else(|_| panic!("{text} is no number")), unit: last }
    }

    /// Whether `ours` rounds to the printed digits, within `units` of the last one (½ is rounding).
    pub(crate) fn within(&self, ours: f64, units: f64) -> bool {
        // the last factor is for the decimal point itself: 0.125 may be printed 0.12 or 0.13
        (ours - self.value).abs() <= units * self.unit * (1.0 + 1e-9)
    }

    /// Whether `ours` becomes the printed digits when the rest is cut off.
    pub(crate) fn is_cut_of(&self, ours: f64) -> bool {
        let rest = (ours - self.value) / self.unit;
        (-1e-9..1.0).contains(&rest)
    }
}
