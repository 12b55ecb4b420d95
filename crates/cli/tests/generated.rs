//! Pages that are made from the catalogue, and copies for crates that carry a page of the repository: as they are committed, or with
//! `JOINTPLAY_BLESS=1` (`cargo xtask docs`) written anew.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jointplay_contact::catalog::{reference_page, reference_page_with};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The committed file has this text.
#[track_caller]
fn is_committed(path: &str, text: &str) {
    let file = root().join(path);
    if std::env::var_os("JOINTPLAY_BLESS").is_some() {
        std::fs::write(file, text).expect("it can be written");
        return;
    }
    let found = std::fs::read_to_string(file).unwrap_or_default();
    assert!(found == text, "{path} is stale: run `cargo xtask docs`");
}

/// A style sheet that brings its own mathematical font, after the text of the page.
fn font() -> String {
    let data = STANDARD.encode(include_bytes!("../../../xtask/assets/stix-two-math-subset.woff2"));
    format!(
        "\n<style>@font-face{{font-family:JointplayMath;src:url(data:font/woff2;base64,{data})}}\
         math{{font-family:JointplayMath,math;font-size:115%}}</style>\n"
    )
}

/// A formula as MathML, with padding that keeps tall fractions inside the block, which rustdoc would give a scroll bar.
fn mathml(latex: &str) -> Result<String, String> {
    let set = jointplay_view::mathml(latex)?;
    Ok(format!("<div style=\"padding:0.5em 0;overflow-y:hidden\">{set}</div>"))
}

#[test]
fn regress_the_pages_of_all_laws_are_those_of_the_catalogue() {
    is_committed("docs/laws.md", &reference_page());
    let problem = RefCell::new(None);
    let rustdoc = reference_page_with(&|latex| {
        mathml(latex).unwrap_or_else(|error| {
            problem.replace(Some(error));
            String::new()
        })
    });
    assert_eq!(problem.into_inner(), None);
    is_committed("crates/contact/src/catalog/reference.md", &(rustdoc + &font()));
}

/// A package contains only files of its crate: these crates show a page of the repository and have a copy of it.
#[test]
fn regress_copies_are_those_of_the_pages() {
    let copies = [
        ("NOTATION.md", "crates/contact/NOTATION.md"),
        ("docs/errata.md", "crates/papers/errata.md"),
    ];
    for (page, copy) in copies {
        is_committed(copy, &std::fs::read_to_string(root().join(page)).expect("committed"));
    }
}
