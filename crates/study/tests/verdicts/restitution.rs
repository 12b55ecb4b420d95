//! Output restitutions: Skrinjar2018 table 2, Bai2014 section 3f.

use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact, ImpactError};

use super::{Entry, Rule, Table};
use crate::golden::{Row, adhesive, law, numbers, returning, rows};
use crate::readings::{EFFECTIVE_MASS, SPEED, STIFFNESS, half_hu_guo, printed_anagnostopoulos};

/// e_N of a free impact of the spheres; 0 where the restitution is a limit of the law.
fn returned(name: &str, c: f64) -> f64 {
    let law = law(name, &returning(c, &numbers(&[("stiffness", STIFFNESS)])));
    // the dashpots return c_r as long as they may pull, which is what their authors mean
    let law = if name.contains("anagnostopoulos") { adhesive(law) } else { law };
    let bench = Impact {
        law: &law,
        effective_mass: EFFECTIVE_MASS,
        speed: SPEED,
        tolerance: DEFAULT_TOLERANCE,
    };
    match bench.run() {
        Ok(result) => result.restitution,
        // critical damping at c_r = 0: the bodies stay together
        Err(ImpactError::Begin(_) | ImpactError::NeverParts { .. }) => 0.0,
        Err(error) => panic!("{name}, c_r = {c}: {error}"),
    }
}

fn skrinjar_entry(row: &Row, column: &str) -> Entry {
    let (id, c) = (row.text("law"), column.parse::<f64>().unwrap());
    let name = match id {
        "hertz" => "hertz".to_owned(),
        "anagnostopoulos" => "linear+anagnostopoulos".into(),
        _ => format!("hertz+{id}"),
    };
    let rule = match id {
        "hu-guo" if c > 0.0 => Some(Rule { errata: &[2], value: half_hu_guo(c) }),
        "anagnostopoulos" => Some(Rule { errata: &[3], value: printed_anagnostopoulos(c) }),
        _ => None,
    };
    Entry::judged(format!("{id}, c_r = {column}"), row.text(column), Some(returned(&name, c)), rule)
}

pub(crate) fn skrinjar_table_2() -> Table {
    let columns =
        ["0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00"];
    let rows = rows("published/skrinjar2018-table2-restitution/data.csv");
    let entries =
        rows.iter().flat_map(|row| columns.iter().map(|column| skrinjar_entry(row, column)));
    Table {
        name: "Skrinjar2018 table 2",
        source: "Output restitution of two spheres, m = 9.2 kg each, K = 5.2e9 N/m^1.5, 0.3 m/s",
        remark: "At c_r = 0 our 0 is a limit where the factor has c_r in its denominator. The rows \
                 zhiying-qishao, gonthier-approx, flores and gharib-hurmuzlu (erratum 1) and jankowski \
                 (erratum 4) follow from no reading of the laws that we tried. Nor does a coarse step explain the four: \
                 a factor law that pushes returns at most 1/a of the impact speed, which is 0.1 for \
                 gharib-hurmuzlu at c_r = 0.1, and 0.12 is printed",
        entries: entries.collect(),
    }
}

pub(crate) fn bai() -> Table {
    let entries = rows("published/bai-restitution/data.csv").into_iter().flat_map(|row| {
        let c = row.number("c_e");
        [("lankarani-nikravesh", "lankarani-nikravesh"), ("hybrid", "zhiying-qishao")].map(
            |(column, damping)| {
                let ours = returned(&format!("hertz+{damping}"), c);
                Entry::judged(format!("{column}, c_e = {c}"), row.text(column), Some(ours), None)
            },
        )
    });
    Table {
        name: "Bai2014 section 3f",
        source: "Output restitution of a journal that strikes its bearing",
        remark: "It depends on the factor alone, so the two spheres stand for the journal",
        entries: entries.collect(),
    }
}

pub(crate) fn skrinjar_table_5() -> Table {
    let entries = rows("published/skrinjar2018-table5-internal-cylinders/data.csv")
        .into_iter()
        .flat_map(|row| {
            ["i", "j"].map(|body| {
                let place =
                    format!("{}, body {body} [{}]", row.text("parameter"), row.text("unit"));
                Entry::given(place, row.text(body))
            })
        });
    Table {
        name: "Skrinjar2018 table 5",
        source: "Data of a pin in a bore",
        remark: "The masses and inertias are those of a pin and of a square block of 20 mm with this bore, \
                 15 mm long, at 7800 kg/m³",
        entries: entries.collect(),
    }
}
