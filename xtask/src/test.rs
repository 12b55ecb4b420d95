//! `cargo xtask test`: everything that must hold before a change lands.

use std::fs;

use crate::{cargo, component_present, package, page, root, steps, tested_program};

/// The README's first command; a test of the workspace compares the two.
const MAIN_JOB: &[&str] =
    &["run", "--release", "--locked", "--", "run", "models/slider-crank/model.toml"];

/// All tests of all kinds, and at the end how long each step took.
pub(crate) fn all() -> Result<(), String> {
    let done = steps();
    println!("\n{}", steps::table());
    if done.is_ok() {
        println!("{}", steps::verdict());
    }
    done
}

fn steps() -> Result<(), String> {
    std::thread::scope(|scope| {
        // Most of it waits for files; cargo leaves it enough of the processors.
        let code = scope.spawn(page::check_code);
        let rust = rust();
        let code = code.join().unwrap_or_else(|_| Err("the check of the page's code".to_owned()));
        rust.and(code)
    })?;
    page::check_in_browser(&tested_program())
}

/// Everything but the page.
fn rust() -> Result<(), String> {
    if component_present("fmt") {
        cargo("format", &["fmt", "--all", "--check"], &[])?;
    } else {
        steps::not_done("format", "rustfmt is not installed: rustup component add rustfmt");
    }
    if component_present("clippy") {
        let lints = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
        cargo("lints", &lints, &[])?;
    } else {
        steps::not_done("lints", "clippy is not installed: rustup component add clippy");
    }
    let doc = ["doc", "--workspace", "--no-deps", "--locked"];
    cargo("documentation", &doc, &[("RUSTDOCFLAGS", "-D warnings")])?;
    // The same flags as for the documentation, or else cargo makes the examples of the documentation anew.
    let tests = ["test", "--workspace", "--locked"];
    cargo("tests", &tests, &[("RUSTDOCFLAGS", "-D warnings")])?;
    // With the program that the tests have just built: an optimised one would take four minutes more.
    let job: Vec<&str> =
        MAIN_JOB.iter().copied().skip_while(|word| *word != "--").skip(1).collect();
    steps::run("main job", &tested_program(), &job, &[])?;
    print_verdicts()?;
    package::check()
}

/// Prints the verdicts on the papers' tables, which the tests have just compared with this page.
fn print_verdicts() -> Result<(), String> {
    const PAGE: &str = "docs/published-tables.md";
    let page = fs::read_to_string(root().join(PAGE)).map_err(|error| format!("{PAGE}: {error}"))?;
    println!("\n== published tables, from {PAGE}");
    let lines = page.lines().skip_while(|line| !line.starts_with("| table |"));
    lines.take_while(|line| line.starts_with('|')).for_each(|line| println!("{line}"));
    Ok(())
}
