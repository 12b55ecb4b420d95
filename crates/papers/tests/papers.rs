//! All papers are made, and their numbers do not drift.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use jointplay_papers::{Chosen, PAPERS, write};

/// Relative drift of a number that is none: other processors round differently.
const DRIFT: f64 = 1e-7;

fn numbers_file() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numbers.csv")
}

/// The pages go to the folder of temporary files of the build, to be looked at.
#[test]
fn regress_every_exhibit_is_made_and_no_number_drifts() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("papers");
    let chosen: Vec<Chosen> =
        PAPERS.iter().map(|paper| Chosen { paper, exhibits: (paper.exhibits)() }).collect();
    let written = write(&chosen, &folder, |_, _| true).unwrap_or_else(|error| panic!("{error}"));
    println!("{}", folder.display());
    for Chosen { paper, exhibits } in &chosen {
        for exhibit in exhibits {
            let data = folder.join(paper.id).join(format!("{}.csv", exhibit.file_name()));
            let data = std::fs::read_to_string(&data).unwrap_or_else(|e| panic!("{data:?}: {e}"));
            assert!(data.lines().count() > 1, "{} {}: no data", paper.id, exhibit.name());
            assert!(
                !data.contains("NaN") && !data.contains("inf"),
                "{} {}",
                paper.id,
                exhibit.name()
            );
        }
    }
    // Every erratum stands on the page of a paper.
    let pages: Vec<String> = written
        .pages
        .iter()
        .map(|page| std::fs::read_to_string(page).expect("it was written"))
        .collect();
    let errata = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/errata.md");
    let errata = std::fs::read_to_string(errata).expect("it is committed");
    for number in errata.lines().filter_map(|line| line.strip_prefix("## ")?.split('.').next()) {
        let target = format!("id=\"erratum-{number}\"");
        assert!(pages.iter().any(|page| page.contains(&target)), "erratum {number} is on no page");
    }
    let mut now = String::from("paper,exhibit,name,value\n");
    for (paper, exhibit, name, value) in &written.numbers {
        assert!(!name.contains(','), "{name}: no commas, please");
        let _ = writeln!(now, "{paper},{exhibit},{name},{value:?}");
    }
    if std::env::var_os("JOINTPLAY_BLESS").is_some() {
        std::fs::write(numbers_file(), &now).expect("it can be written");
    }
    let kept = std::fs::read_to_string(numbers_file()).unwrap_or_default();
    assert_eq!(
        kept.lines().count(),
        now.lines().count(),
        "numbers came or went: JOINTPLAY_BLESS=1"
    );
    for (kept, now) in kept.lines().zip(now.lines()).skip(1) {
        let split = |line: &str| {
            let (name, value) = line.rsplit_once(',').expect("name and value");
            (name.to_owned(), value.parse::<f64>().expect("a number"))
        };
        let ((name, kept), (name_now, now)) = (split(kept), split(now));
        assert_eq!(name, name_now);
        let off = (now - kept).abs();
        assert!(off <= DRIFT * kept.abs().max(1e-300), "{name}: {now:e} instead of {kept:e}");
    }
}
