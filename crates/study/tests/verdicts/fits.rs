//! Power-law fits: Autiero2022 tables 2–9 and 11.

use std::f64::consts::PI;

use jointplay_contact::catalog::{ElasticKind, Inputs};
use jointplay_contact::elastic::ElasticLaw;
use jointplay_contact::{Material, Surfaces};
use rayon::prelude::*;

use super::{Entry, Rule, Table};
use crate::golden::{Row, rows};
use crate::readings::{
    AUTIERO_ALUMINIUM, HIDDEN_FACTOR, LENGTH, PAPER_STEEL, PaperFit, bore_of_100_mm, cylinder,
    goldsmith, lankarani_stiffness, paper_fit, radzimovsky,
};

/// A fit of the catalogue's law and one of the reading behind the printed numbers.
struct Pair {
    ours: Option<PaperFit>,
    reading: PaperFit,
    /// Errata that make the reading.
    errata: &'static [u8],
}

/// The law of the catalogue, `None` where it takes no clearance alone, and the reading of the paper.
fn pair(id: &str, material: Material, clearance: f64) -> Pair {
    let catalogue = |kind| paper_fit(&cylinder(kind, material, clearance));
    let (ours, reading, errata): (_, ElasticLaw, &[u8]) = match id {
        "radzimovsky" => {
            (catalogue(ElasticKind::Radzimovsky), radzimovsky(16.0, material, clearance), &[10])
        }
        "johnson" => (
            catalogue(ElasticKind::Johnson),
            cylinder(ElasticKind::Johnson, material, clearance),
            &[],
        ),
        // the laws end before 1000 N/mm
        "goldsmith" => {
            let radius = bore_of_100_mm(clearance);
            (
                paper_fit(&goldsmith(1.0, material, radius)),
                goldsmith(HIDDEN_FACTOR, material, radius),
                &[12],
            )
        }
        _ => (
            catalogue(ElasticKind::EsduPrinted),
            cylinder(ElasticKind::EsduPrinted, material, clearance),
            &[],
        ),
    };
    Pair { ours, reading: paper_fit(&reading).unwrap(), errata }
}

fn table_entries(row: &Row) -> [Entry; 3] {
    let (id, metal) = (row.text("law"), row.text("material"));
    let material = if metal == "steel" { PAPER_STEEL } else { AUTIERO_ALUMINIUM };
    let clearance = row.number("delta_R_mm") * 1e-3;
    let Pair { ours, reading, errata } = pair(id, material, clearance);
    let rule = |value| (!errata.is_empty()).then_some(Rule { errata, value });
    let (k_rule, n_rule) = match (id, metal) {
        // erratum 12: a lost ten, and the exponents of steel
        ("esdu-78035", "steel") => (Some(Rule { errata: &[12], value: 0.1 * reading.k }), None),
        ("esdu-78035", _) => {
            let steel = pair(id, PAPER_STEEL, clearance).reading;
            (None, Some(Rule { errata: &[12], value: steel.n }))
        }
        _ => (rule(reading.k), rule(reading.n)),
    };
    let place = |what: &str| format!("{id}, {metal}, ΔR = {} mm, {what}", row.text("delta_R_mm"));
    let error = Rule { errata: &[29], value: reading.error_at_micrometre };
    [
        Entry::judged(place("K"), row.text("K"), ours.map(|f| f.k), k_rule),
        Entry::judged(place("n"), row.text("n"), ours.map(|f| f.n), n_rule),
        Entry::judged(place("max error %"), row.text("max_error_percent"), None, Some(error)),
    ]
}

pub(crate) fn autiero_tables_2_to_9() -> Table {
    let rows = rows("published/pinslot-review-tables2-9-fits/data.csv");
    let entries: Vec<[Entry; 3]> = rows.par_iter().map(table_entries).collect();
    Table {
        name: "Autiero2022 tables 2–9",
        source: "Least squares of F = Kδⁿ over 0 … 1000 N/mm, K in N/mm^(n+1)",
        remark: "esdu-78035 is the printed form of the law. The rules: 16ΔR E*/1.60² for radzimovsky; a \
                 hidden 10⁸ for goldsmith, whose law ends before 1000 N/mm without it; a lost ten and the \
                 exponents of steel for esdu-78035; the error at 1 µm for the column max error. The K and \
                 the n of johnson that are left are misprints, listed under erratum 13",
        entries: entries.into_iter().flatten().collect(),
    }
}

/// The three tracks of the scotch yoke: (surfaces, ΔR in m) for a pin radius in m.
fn track(region: &str, pin: f64) -> (Surfaces, f64) {
    let surfaces = match region {
        "inner" => Surfaces::External { radius_i: 52e-3, radius_j: pin },
        "outer" => Surfaces::internal(68e-3, pin).unwrap(),
        _ => Surfaces::internal(pin + 0.1e-3, pin).unwrap(),
    };
    (surfaces, surfaces.delta_r().unwrap())
}

/// Pin radius of the mechanism, and the one behind the inner row (erratum 27), m.
const PIN: f64 = 7.9e-3;
const INNER_ROW_PIN: f64 = 7.5e-3;

/// Goldsmith's law of the catalogue on a track.
fn catalogue_goldsmith(surfaces: Surfaces) -> ElasticLaw {
    let inputs = Inputs {
        surfaces: Some(surfaces),
        length: Some(LENGTH),
        materials: Some([PAPER_STEEL; 2]),
        ..Inputs::default()
    };
    ElasticKind::Goldsmith.build(&inputs).unwrap().law
}

fn track_entries(row: &Row) -> Vec<Entry> {
    let region = row.text("region");
    let (surfaces, clearance) = track(region, PIN);
    // erratum 27: the inner row has another pin
    let inner = region == "inner";
    let (read_surfaces, read_clearance) = track(region, if inner { INNER_ROW_PIN } else { PIN });
    let steel = PAPER_STEEL;
    let relative = read_surfaces.relative_radius();
    let with_pin =
        |plain: &'static [u8], inner_row: &'static [u8]| if inner { inner_row } else { plain };
    let laws = [
        (
            "radzimovsky",
            cylinder(ElasticKind::Radzimovsky, steel, clearance),
            radzimovsky(16.0, steel, read_clearance),
            with_pin(&[10], &[10, 27]),
        ),
        (
            "johnson",
            cylinder(ElasticKind::Johnson, steel, clearance),
            cylinder(ElasticKind::Johnson, steel, read_clearance),
            with_pin(&[], &[27]),
        ),
        (
            "goldsmith",
            catalogue_goldsmith(surfaces),
            goldsmith(HIDDEN_FACTOR, steel, relative),
            with_pin(&[12], &[12, 27]),
        ),
        (
            "esdu",
            cylinder(ElasticKind::EsduPrinted, steel, clearance),
            cylinder(ElasticKind::EsduPrinted, steel, read_clearance),
            with_pin(&[], &[27]),
        ),
    ];
    let lankarani = Rule { errata: &[27], value: lankarani_stiffness(read_surfaces) * PI / 10.0 };
    let mut entries = vec![
        Entry::judged(
            format!("{region}, lankarani K"),
            row.text("lankarani_K"),
            Some(lankarani_stiffness(surfaces)),
            Some(lankarani),
        ),
        Entry::judged(format!("{region}, lankarani n"), row.text("lankarani_n"), Some(1.5), None),
    ];
    for (id, ours, reading, errata) in laws {
        let (ours, reading) = (paper_fit(&ours), paper_fit(&reading).unwrap());
        let rule = |value| (!errata.is_empty()).then_some(Rule { errata, value });
        let entry = |what: &str, ours, rule| {
            Entry::judged(
                format!("{region}, {id} {what}"),
                row.text(&format!("{id}_{what}")),
                ours,
                rule,
            )
        };
        entries.push(entry("K", ours.map(|f| f.k), rule(reading.k)));
        entries.push(entry("n", ours.map(|f| f.n), rule(reading.n)));
    }
    entries
}

pub(crate) fn autiero_table_11() -> Table {
    let rows = rows("published/pinslot-review-table11-scotch-yoke/data.csv");
    let entries: Vec<Vec<Entry>> = rows.par_iter().map(track_entries).collect();
    Table {
        name: "Autiero2022 table 11",
        source: "Stiffness and exponent on the tracks of the scotch yoke, N/mm^n",
        remark: "Clearances as the radii give them, 59.9 mm inside and 60.1 mm outside (erratum 14). The \
                 rules: π/10 for lankarani, a pin of 7.5 mm for the inner row, and those of tables 2–9. \
                 esdu is the printed form of the law",
        entries: entries.into_iter().flatten().collect(),
    }
}
