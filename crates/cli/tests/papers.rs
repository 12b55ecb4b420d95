//! `jointplay papers` as a user would run it.

use serde_json::Value;

use crate::program::jointplay;
use crate::sweep;

#[test]
fn property_all_papers_are_written_with_their_verdicts() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let papers = ["skrinjar2018", "autiero2022", "bai2014", "skrinjar2017", "pereira2011"];
    // The tests of the papers make all of them; the program writes one of them here, and all in soak.
    let (chosen, confirmed, reproduced) =
        sweep::cases((&papers[..1], 10, 10), (&papers[..], 50, 150));
    let output = jointplay(&folder, &[&["papers"], chosen, &["--json"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told: Value = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
    assert!(told["statements"]["confirmed"].as_u64().expect("a count") > confirmed, "{told}");
    assert!(told["printed_numbers"]["reproduced"].as_u64().expect("a count") > reproduced);
    for paper in chosen {
        let page = folder.path().join("out/papers").join(paper).join("index.html");
        let page = std::fs::read_to_string(&page).unwrap_or_else(|e| panic!("{page:?}: {e}"));
        assert!(page.contains("<svg") && page.contains("id=\"errata\"") && !page.contains("NaN"));
        // Every link to an erratum has its target.
        for link in page.split("href=\"#erratum-").skip(1) {
            let number = link.split('"').next().expect("a number");
            assert!(page.contains(&format!("id=\"erratum-{number}\"")), "{paper}: {number}");
        }
    }
    // The page of all papers is written with all of them.
    let index = folder.path().join("out/papers/index.html");
    assert_eq!(index.exists(), chosen.len() == papers.len());
}

#[test]
fn property_one_figure_and_wrong_requests() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let output = jointplay(&folder, &["papers", "skrinjar2018", "--figure", "3", "--out", "p"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("p/skrinjar2018/figure-3.csv").exists());
    assert!(!folder.path().join("p/skrinjar2018/figure-4.csv").exists());
    assert!(folder.path().join("p/skrinjar2018/figure-3.html").exists());
    assert!(!folder.path().join("p/skrinjar2018/index.html").exists());
    for (args, words) in [
        (&["papers", "nobody2000"][..], "there are skrinjar2018"),
        (&["papers", "bai2014", "--figure", "77"], "figure 77 of bai2014 is not reproduced"),
    ] {
        let output = jointplay(&folder, args);
        let shown = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{shown}");
        assert!(shown.contains(words), "{shown}");
    }
}
