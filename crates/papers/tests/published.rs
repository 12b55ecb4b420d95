//! The tables of the papers, cell by cell; `docs/published-tables.md` is written from them.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use jointplay_papers::table::{Judgement, Table, in_words};
use jointplay_papers::{Exhibit, ExhibitKind, PAPERS, Paper};

/// Every table with something to judge.
fn tables() -> Vec<(&'static Paper, Exhibit, Table, Vec<String>)> {
    let mut tables = Vec::new();
    for paper in &PAPERS {
        for exhibit in (paper.exhibits)().into_iter().filter(|e| e.kind == ExhibitKind::Table) {
            let made = (exhibit.make)().unwrap_or_else(|error| panic!("{error}"));
            let table = made.table.expect("a table");
            if table.counts().keys().any(|judgement| *judgement != Judgement::Given) {
                tables.push((paper, exhibit, table, made.remarks));
            }
        }
    }
    tables
}

const HEAD: &str = "\
# Published tables, cell by cell

Every number of the tables that the papers print, beside the number that Jointplay computes. `jointplay papers` shows the
same with figures and statements. This page is written by a test (`cargo test -p jointplay-papers --test published`;
with `JOINTPLAY_BLESS=1` it is rewritten), so it cannot drift from the code. The errata are those of [errata.md](errata.md).

- *reproduced*: our number rounds to the printed digits;
- *reproduced, truncated*: our number, truncated to the printed digits, equals the printed one;
- *erratum N*: our number differs, and the correction of that erratum predicts the printed digits;
- *unexplained*: neither; a misprint without a correction is counted here too;
- *given*: input data, nothing to compute.
";

/// The page of all tables.
fn page(tables: &[(&'static Paper, Exhibit, Table, Vec<String>)]) -> String {
    let mut page = String::from(HEAD);
    page.push_str("\n| table | cells | verdicts |\n|---|---|---|\n");
    let mut all: BTreeMap<Judgement, usize> = BTreeMap::new();
    for (paper, exhibit, table, _) in tables {
        let counts = table.counts();
        for (judgement, count) in &counts {
            *all.entry(*judgement).or_insert(0) += count;
        }
        let total: usize = counts.values().sum();
        let _ =
            writeln!(page, "| {} {} | {total} | {} |", paper.id, exhibit.name(), in_words(&counts));
    }
    let total: usize = all.values().sum();
    let _ = writeln!(page, "| all | {total} | {} |", in_words(&all));
    for (paper, exhibit, table, remarks) in tables {
        let _ = writeln!(page, "\n## {} {}: {}\n", paper.id, exhibit.name(), exhibit.title);
        let _ = writeln!(page, "{}\n", remarks.join(" "));
        page.push_str("| entry | printed | ours | correction | verdict |\n|---|---|---|---|---|\n");
        for (label, cells) in &table.rows {
            for (column, cell) in table.columns.iter().skip(1).zip(cells) {
                if cell.printed.is_empty() || cell.judgement == Judgement::Given {
                    continue;
                }
                let show = |value: Option<f64>| value.map_or("–".into(), |v| cell.shown(v));
                let _ = writeln!(
                    page,
                    "| {label}, {column} | {} | {} | {} | {} |",
                    cell.printed,
                    show(cell.ours),
                    show(cell.rule.map(|rule| rule.value)),
                    cell.judgement
                );
            }
        }
    }
    page
}

#[test]
fn published_tables_keep_their_verdicts() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/published-tables.md");
    let page = page(&tables());
    if std::env::var_os("JOINTPLAY_BLESS").is_some() {
        std::fs::write(path, &page).expect("it can be written");
    }
    let stored = std::fs::read_to_string(path).unwrap_or_default();
    let differs = stored.lines().zip(page.lines()).find(|(stored, now)| stored != now);
    assert_eq!(
        differs, None,
        "docs/published-tables.md is stale: run again with JOINTPLAY_BLESS=1"
    );
    assert_eq!(stored.lines().count(), page.lines().count());
}

/// Counts as they stand: a change here is news and belongs into the changelog.
#[test]
fn published_counts_of_verdicts() {
    let mut found = BTreeMap::new();
    for (_, _, table, _) in tables() {
        for cell in table.cells().filter(|cell| !cell.printed.is_empty()) {
            let kind = match cell.judgement {
                Judgement::Reproduced | Judgement::Cut => "reproduced",
                Judgement::Erratum(_) => "erratum",
                Judgement::Unexplained => "unexplained",
                Judgement::Given => continue,
            };
            *found.entry(kind).or_insert(0) += 1;
        }
    }
    let expected = BTreeMap::from([("reproduced", 184), ("erratum", 169), ("unexplained", 61)]);
    assert_eq!(found, expected);
}
