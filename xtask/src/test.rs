//! `cargo xtask test`: everything that must hold before a change lands.

use std::fs;
use std::thread::ScopedJoinHandle;
use std::time::Instant;

use crate::{cargo, component_present, package, page, python, root, steps, target, tested_program};

/// The README's first command; a test of the workspace compares the two.
const MAIN_JOB: &[&str] =
    &["run", "--release", "--locked", "--", "run", "models/slider-crank/model.toml"];

/// All tests of all kinds, and at the end how long each step took.
pub(crate) fn all() -> Result<(), String> {
    let start = Instant::now();
    let done = steps();
    println!("\n{}", steps::table(start));
    if done.is_ok() {
        println!("{}", steps::verdict());
    }
    done
}

fn steps() -> Result<(), String> {
    std::thread::scope(|scope| {
        // The tests of the page mostly wait for files or frames, so they need little processor time
        // next to cargo.
        let code = scope.spawn(page::check_code);
        // So does the installation of packages.
        let environment = scope.spawn(python::environment);
        let built = build();
        built.and(ended(code))?;
        let browser = scope.spawn(|| page::check_in_browser(&tested_program()));
        let ran = run();
        ran.and(ended(browser))?;
        let environment = environment.join();
        python::check(environment.unwrap_or_else(|_| Err("pip did not end".to_owned())), &strict())
    })
}

fn ended(page: ScopedJoinHandle<'_, Result<(), String>>) -> Result<(), String> {
    page.join().unwrap_or_else(|_| Err("the check of the page".to_owned()))
}

/// Format, lints and documentation; builds the tests and the program.
fn build() -> Result<(), String> {
    if component_present("fmt") {
        cargo("format", &["fmt", "--all", "--check"], &[])?;
    } else {
        steps::not_done("format", "rustfmt is not installed: rustup component add rustfmt");
    }
    if component_present("clippy") {
        let lints = ["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"];
        cargo("lints", &lints, &first_build())?;
    } else {
        steps::not_done("lints", "clippy is not installed: rustup component add clippy");
    }
    // With an example, so that dependencies have the same features as in the tests and lints;
    // otherwise they would be checked again.
    let doc =
        ["doc", "--workspace", "--no-deps", "--locked", "--lib", "--bins", "--example", "own_law"];
    cargo("documentation", &doc, &strict())?;
    cargo("tests, built", &[&TESTS[..], &["--no-run"]].concat(), &strict())
}

/// Runs the tests, the main job and the packages; everything except the page.
fn run() -> Result<(), String> {
    cargo("tests", &TESTS, &strict())?;
    // With the program that the tests have just built: an optimised one would take four minutes more.
    let job: Vec<&str> =
        MAIN_JOB.iter().copied().skip_while(|word| *word != "--").skip(1).collect();
    steps::run("main job", &tested_program(), &job, &[])?;
    print_verdicts()?;
    package::check()
}

const TESTS: [&str; 3] = ["test", "--workspace", "--locked"];

/// The same flags for documentation and tests; otherwise cargo would build the examples of the
/// documentation again.
fn strict() -> Vec<(&'static str, &'static str)> {
    [first_build(), vec![("RUSTDOCFLAGS", "-D warnings")]].concat()
}

/// Turns incremental compilation off in a fresh clone, where everything is built only once and the
/// incremental files would only cost time. In a clone that already has incremental files, cargo's
/// setting is kept.
fn first_build() -> Vec<(&'static str, &'static str)> {
    let entries = fs::read_dir(target().join("debug/incremental")).into_iter().flatten().flatten();
    let ours = |name: String| name.starts_with("jointplay");
    let incremental =
        entries.into_iter().any(|entry| ours(entry.file_name().to_string_lossy().into_owned()));
    if incremental || std::env::var_os("CARGO_INCREMENTAL").is_some() {
        Vec::new()
    } else {
        vec![("CARGO_INCREMENTAL", "0")]
    }
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
