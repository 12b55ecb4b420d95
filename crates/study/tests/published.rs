//! The tables of the papers, entry by entry, each with a verdict; the page
//! `docs/published-tables.md` is written from the same entries.

mod golden;
mod readings;
mod verdicts;

use golden::Printed;
use verdicts::{Entry, Table, Verdict, count, fits, in_words, limits, page, restitution};

fn tables() -> Vec<Table> {
    vec![
        restitution::skrinjar_table_2(),
        restitution::bai(),
        limits::pereira_table_1(),
        limits::pereira_table_2(),
        fits::autiero_tables_2_to_9(),
        fits::autiero_table_11(),
        restitution::skrinjar_table_5(),
    ]
}

/// Counts as they stand: (table, reproduced, reproduced but cut, explained by an erratum,
/// unexplained, given). A change here is news and belongs into the changelog.
const COUNTS: [(&str, [usize; 5]); 7] = [
    ("Skrinjar2018 table 2", [59, 0, 19, 54, 0]),
    ("Bai2014 section 3f", [8, 0, 0, 0, 0]),
    ("Pereira2011 table 1", [7, 0, 13, 1, 0]),
    ("Pereira2011 table 2", [3, 0, 6, 0, 0]),
    ("Autiero2022 tables 2–9", [26, 8, 105, 5, 0]),
    ("Autiero2022 table 11", [13, 2, 14, 1, 0]),
    ("Skrinjar2018 table 5", [0, 0, 0, 0, 20]),
];

/// Entries of `entries` by kind of verdict, in the order of [`COUNTS`].
fn kinds(entries: &[Entry]) -> [usize; 5] {
    let mut kinds = [0; 5];
    for entry in entries {
        kinds[match entry.verdict {
            Verdict::Reproduced => 0,
            Verdict::Cut => 1,
            Verdict::Erratum(_) => 2,
            Verdict::Unexplained => 3,
            Verdict::Given => 4,
        }] += 1;
    }
    kinds
}

#[test]
fn published_every_entry_has_its_verdict() {
    let tables = tables();
    let all: Vec<Entry> = tables.iter().flat_map(|t| t.entries.clone()).collect();
    for table in &tables {
        println!("{}: {}", table.name, in_words(&count(&table.entries)));
    }
    println!("all {}: {}", all.len(), in_words(&count(&all)));
    for Entry { place, printed, ours, rule, .. } in
        all.iter().filter(|e| e.verdict == Verdict::Unexplained)
    {
        println!(
            "unexplained: {place}: printed {printed}, ours {ours:?}, rule {:?}",
            rule.map(|r| r.value)
        );
    }
    let found: Vec<_> = tables.iter().map(|t| (t.name, kinds(&t.entries))).collect();
    assert_eq!(found, COUNTS);
    assert_eq!(all.len(), 364);
}

#[test]
fn published_max_errors_are_those_at_one_micrometre() {
    let entries = fits::autiero_tables_2_to_9().entries;
    let errors: Vec<_> = entries.iter().filter(|e| e.place.ends_with("max error %")).collect();
    assert_eq!(errors.len(), 48);
    for entry in errors {
        // three entries are no rounding of our number, but none is another measure
        let off = entry.rule.unwrap().value - entry.printed.parse::<f64>().unwrap();
        assert!((-0.05..0.16).contains(&off), "{entry:?}");
    }
}

#[test]
fn published_the_page_shows_these_verdicts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/published-tables.md");
    let page = page(&tables());
    if std::env::var_os("JOINTPLAY_BLESS").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    let differs = stored.lines().zip(page.lines()).find(|(stored, now)| stored != now);
    assert_eq!(
        differs, None,
        "docs/published-tables.md is stale: run again with JOINTPLAY_BLESS=1"
    );
    assert_eq!(stored.lines().count(), page.lines().count());
}

#[test]
fn published_masses_of_the_pin_in_the_bore() {
    // Skrinjar2018 table 5: a round pin in a square block of 20 mm, 15 mm long, at 7800 kg/m³
    let (density, length, bore, pin, side) = (7800.0, 15e-3, 5e-3_f64, 4.75e-3_f64, 20e-3_f64);
    let disc = |radius: f64| density * length * std::f64::consts::PI * radius * radius;
    let block = density * length * side * side;
    let rows = golden::rows("published/skrinjar2018-table5-internal-cylinders/data.csv");
    let printed = |row: usize, body: &str| Printed::parse(rows[row].text(body));
    assert!(printed(0, "i").within(block - disc(bore), 0.5));
    assert!(printed(0, "j").within(disc(pin), 0.5));
    assert!(
        printed(1, "i").within(block * side * side / 6.0 - 0.5 * disc(bore) * bore * bore, 0.5)
    );
    assert!(printed(1, "j").within(0.5 * disc(pin) * pin * pin, 0.5));
}
