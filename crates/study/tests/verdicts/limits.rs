//! Limit loads of cylinder laws: Pereira2011 tables 1 and 2.

use jointplay_contact::catalog::ElasticKind;

use super::{Entry, Rule, Table};
use crate::golden::{Row, rows};
use crate::readings::{PAPER_STEEL, ROUNDED_MODULUS, limit, modulus, rounded_goldsmith};

/// Johnson's and Radzimovsky's entries of a row.
fn johnson_and_radzimovsky(row: &Row, place: &str, radius: f64, clearance: f64) -> [Entry; 2] {
    let johnson = limit(ElasticKind::Johnson, radius, clearance);
    let rounded = Rule { errata: &[16], value: johnson * ROUNDED_MODULUS / modulus(PAPER_STEEL) };
    let radzimovsky = limit(ElasticKind::Radzimovsky, radius, clearance);
    [
        Entry::judged(
            format!("{place}, johnson"),
            row.text("johnson"),
            Some(johnson),
            Some(rounded),
        ),
        Entry::judged(
            format!("{place}, radzimovsky"),
            row.text("radzimovsky"),
            Some(radzimovsky),
            None,
        ),
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
        entries.push(Entry::judged(
            format!("{place}, goldsmith"),
            row.text("goldsmith"),
            Some(ours),
            rule,
        ));
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
        let (radius, clearance) =
            (row.number("pin_diameter_mm") * 0.5e-3, row.number("clearance_um") * 1e-6);
        let place = format!("ANSI {}", row.text("ansi_chain"));
        let rule = Rule { errata: &[16], value: rounded_goldsmith(radius, clearance) };
        let ours = limit(ElasticKind::Goldsmith, radius, clearance);
        let [johnson, radzimovsky] = johnson_and_radzimovsky(row, &place, radius, clearance);
        let goldsmith = Entry::judged(
            format!("{place}, goldsmith"),
            row.text("goldsmith"),
            Some(ours),
            Some(rule),
        );
        [johnson, radzimovsky, goldsmith]
    });
    Table {
        name: "Pereira2011 table 2",
        source: "Limit loads of roller chains, steel, N/mm",
        remark: "The rule is E* = 114 GPa, for goldsmith with the radius of the pin twice",
        entries: entries.collect(),
    }
}
