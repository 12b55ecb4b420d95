//! Output restitutions: Skrinjar2018 table 2, Bai2014 section 3f.

use std::f64::consts::PI;

use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact, ImpactError};

use super::{Entry, Rule, Table};
use crate::golden::{Row, adhesive, impact, law, numbers, returning, rows};

/// The two spheres of Skrinjar2018 section 3.
const STIFFNESS: f64 = 5.2e9;
const EFFECTIVE_MASS: f64 = 4.6;
const SPEED: f64 = 0.3;

/// e_N of a free impact of the spheres; 0 where the restitution is a limit of the law.
fn returned(name: &str, c: f64) -> f64 {
    let law = law(name, &returning(c, &numbers(&[("stiffness", STIFFNESS)])));
    // the dashpots return c_r as long as they may pull, which is what their authors mean
    let law = if name.contains("anagnostopoulos") { adhesive(law) } else { law };
    let bench = Impact { law: &law, effective_mass: EFFECTIVE_MASS, speed: SPEED, tolerance: DEFAULT_TOLERANCE };
    match bench.run() {
        Ok(result) => result.restitution,
        // critical damping at c_r = 0: the bodies stay together
        Err(ImpactError::Begin(_) | ImpactError::NeverParts { .. }) => 0.0,
        Err(error) => panic!("{name}, c_r = {c}: {error}"),
    }
}

/// Erratum 2: the row Hu–Guo with half the factor, 3(1−c)/(4c) in place of 3(1−c)/(2c). On a given
/// α the law F = F_el(1 + 1.5αδ̇) has the factor 1.5αδ̇₀.
pub(crate) fn half_hu_guo(c: f64) -> f64 {
    let alpha = 0.5 * (1.0 - c) / c / SPEED;
    let law = law("hertz+hunt-crossley-alpha", &numbers(&[("stiffness", STIFFNESS), ("alpha", alpha)]));
    impact(&law, EFFECTIVE_MASS, SPEED).restitution
}

/// Erratum 3: the row Anagnostopoulos with the dashpot as printed, χδδ̇ with
/// χ = 2(−ln c)/(π²+ln²c)·√(K m_eff), K read as N/m.
pub(crate) fn printed_anagnostopoulos(c: f64) -> f64 {
    // −ln c/(π²+ln²c) tends to 0 for c → 0
    let share = if c == 0.0 { 0.0 } else { -c.ln() / (PI * PI + c.ln().powi(2)) };
    let chi = 2.0 * share * (STIFFNESS * EFFECTIVE_MASS).sqrt();
    let law = law("linear+ristow", &numbers(&[("stiffness", STIFFNESS), ("chi", chi)]));
    impact(&law, EFFECTIVE_MASS, SPEED).restitution
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
    let columns = ["0.00", "0.10", "0.20", "0.30", "0.40", "0.50", "0.60", "0.70", "0.80", "0.90", "1.00"];
    let rows = rows("published/skrinjar2018-table2-restitution/data.csv");
    let entries = rows.iter().flat_map(|row| columns.iter().map(|column| skrinjar_entry(row, column)));
    Table {
        name: "Skrinjar2018 table 2",
        source: "Output restitution of two spheres, m = 9.2 kg each, K = 5.2e9 N/m^1.5, 0.3 m/s",
        remark: "At c_r = 0 our 0 is a limit where the factor has c_r in its denominator. The rows \
                 zhiying-qishao, gonthier-approx, flores and gharib-hurmuzlu (erratum 1) and jankowski \
                 (erratum 4) follow from no reading of the laws. Nor does a coarse step explain the four: \
                 a factor law that pushes returns at most 1/a of the impact speed, which is 0.1 for \
                 gharib-hurmuzlu at c_r = 0.1, and 0.12 is printed",
        entries: entries.collect(),
    }
}

pub(crate) fn bai() -> Table {
    let entries = rows("published/bai-restitution/data.csv").into_iter().flat_map(|row| {
        let c = row.number("c_e");
        [("lankarani-nikravesh", "lankarani-nikravesh"), ("hybrid", "zhiying-qishao")].map(|(column, damping)| {
            let ours = returned(&format!("hertz+{damping}"), c);
            Entry::judged(format!("{column}, c_e = {c}"), row.text(column), Some(ours), None)
        })
    });
    Table {
        name: "Bai2014 section 3f",
        source: "Output restitution of a journal that strikes its bearing",
        remark: "It depends on the factor alone, so the two spheres stand for the journal",
        entries: entries.collect(),
    }
}

pub(crate) fn skrinjar_table_5() -> Table {
    let entries = rows("published/skrinjar2018-table5-internal-cylinders/data.csv").into_iter().flat_map(|row| {
        ["i", "j"].map(|body| {
            let place = format!("{}, body {body} [{}]", row.text("parameter"), row.text("unit"));
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
