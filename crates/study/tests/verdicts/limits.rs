//! Limit loads of cylinder laws: Pereira2011 tables 1 and 2.

use std::f64::consts::PI;

use jointplay_contact::Surfaces;
use jointplay_contact::catalog::{ElasticKind, Inputs};
use jointplay_contact::elastic::ElasticModel;

use super::{Entry, Rule, Table};
use crate::golden::{Row, rows};
use crate::readings::{LENGTH, PAPER_STEEL, modulus};

/// Erratum 16: E* of steel as Pereira2011 rounds it, Pa.
pub(crate) const ROUNDED_MODULUS: f64 = 114e9;

/// Published limit of a law, N/mm, for a pin of this radius and clearance, m.
pub(crate) fn limit(kind: ElasticKind, radius: f64, clearance: f64) -> f64 {
    let inputs = Inputs {
        surfaces: Some(Surfaces::internal(radius + clearance, radius).unwrap()),
        clearance: Some(clearance),
        length: Some(LENGTH),
        materials: Some([PAPER_STEEL; 2]),
        ..Inputs::default()
    };
    kind.build(&inputs).unwrap().law.limits().published_force.unwrap()
}

/// Erratum 16: Goldsmith's limit (1 mm)²·πE*/R with the rounded modulus, R = r²/ΔR, in N/mm; `size`
/// is the radius of the pin, or its diameter where the paper took that.
pub(crate) fn rounded_goldsmith(size: f64, clearance: f64) -> f64 {
    1e-6 * PI * ROUNDED_MODULUS * clearance / (size * size) * LENGTH
}

/// Johnson's and Radzimovsky's entries of a row.
fn johnson_and_radzimovsky(row: &Row, place: &str, radius: f64, clearance: f64) -> [Entry; 2] {
    let johnson = limit(ElasticKind::Johnson, radius, clearance);
    let rounded = Rule { errata: &[16], value: johnson * ROUNDED_MODULUS / modulus(PAPER_STEEL) };
    let radzimovsky = limit(ElasticKind::Radzimovsky, radius, clearance);
    [
        Entry::judged(format!("{place}, johnson"), row.text("johnson"), Some(johnson), Some(rounded)),
        Entry::judged(format!("{place}, radzimovsky"), row.text("radzimovsky"), Some(radzimovsky), None),
    ]
}

pub(crate) fn pereira_table_1() -> Table {
    let rows = rows("published/pereira2011-table1-journal-bearings/data.csv");
    let size = |row: &Row| (row.number("diameter_mm") * 1e-3, row.number("clearance_um") * 1e-6);
    // the diameter in place of the radius; from the fourth row on the number of the row above
    let source = |i: usize| if i < 3 { Some(i) } else { (i > 3).then(|| i - 1) };
    let mut entries = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let (diameter, clearance) = size(row);
        let place = format!("{} mm", row.text("diameter_mm"));
        entries.extend(johnson_and_radzimovsky(row, &place, 0.5 * diameter, clearance));
        let rule = source(i).map(|j| {
            let (diameter, clearance) = size(&rows[j]);
            Rule { errata: &[16], value: rounded_goldsmith(diameter, clearance) }
        });
        let ours = limit(ElasticKind::Goldsmith, 0.5 * diameter, clearance);
        entries.push(Entry::judged(format!("{place}, goldsmith"), row.text("goldsmith"), Some(ours), rule));
    }
    Table {
        name: "Pereira2011 table 1",
        source: "Limit loads of journal bearings, steel, N/mm",
        remark: "The rule is E* = 114 GPa; for goldsmith also the diameter in place of the radius, and \
                 from 127 mm on the number of the row above. The 7.03 at 50.8 mm then belongs to a row that \
                 is not printed; a journal of 38.1 mm with a clearance of 28.5 µm has it",
        entries,
    }
}

pub(crate) fn pereira_table_2() -> Table {
    let rows = rows("published/pereira2011-table2-roller-chains/data.csv");
    let entries = rows.iter().flat_map(|row| {
        let (radius, clearance) = (row.number("pin_diameter_mm") * 0.5e-3, row.number("clearance_um") * 1e-6);
        let place = format!("ANSI {}", row.text("ansi_chain"));
        let rule = Rule { errata: &[16], value: rounded_goldsmith(radius, clearance) };
        let ours = limit(ElasticKind::Goldsmith, radius, clearance);
        let [johnson, radzimovsky] = johnson_and_radzimovsky(row, &place, radius, clearance);
        let goldsmith = Entry::judged(format!("{place}, goldsmith"), row.text("goldsmith"), Some(ours), Some(rule));
        [johnson, radzimovsky, goldsmith]
    });
    Table {
        name: "Pereira2011 table 2",
        source: "Limit loads of roller chains, steel, N/mm",
        remark: "The rule is E* = 114 GPa, for goldsmith with the radius of the pin twice",
        entries: entries.collect(),
    }
}
