//! Tasks of the workspace.
//!
//! - `cargo xtask test`: everything that must hold before a change lands;
//! - `cargo xtask soak`: a million runs and more that must not lose a contact, for `docs/reliability.md`; words choose campaigns;
//! - `cargo xtask same OLD [LAW …]`: whether the program gives the bits of an older one, for every shipped model and law;
//! - `cargo xtask docs`: writes the generated pages anew (`--check` only compares);
//! - `cargo xtask engine`: compiles the engine of the interactive page (`--check` compares);
//! - `cargo xtask page`: bundles script and style of the page (`--check` compares, and tests it in a browser).

mod docs;
mod engine;
mod page;
mod same;
mod sources;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test(),
        ["soak", words @ ..] => soak(words),
        ["same", old, laws @ ..] => same::compare(old, &program(), laws),
        ["docs"] => docs::write(),
        ["docs", "--check"] => docs::check(),
        ["engine"] => engine::write(),
        ["engine", "--check"] => engine::check_bytes(),
        ["page"] => page::write(),
        ["page", "--check"] => page::check(&program()),
        _ => Err("usage: cargo xtask test | soak [--part SHARE] [NAME …] | same OLD [LAW …] | docs [--check] | engine [--check] | page [--check]"
            .to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Runs a program in the root of the workspace.
fn run(
    title: &str,
    program: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), String> {
    println!("\n== {title}: {program} {}", arguments.join(" "));
    let start = Instant::now();
    let status = Command::new(program)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(root())
        .status()
        .map_err(|error| format!("{title}: {program} did not start: {error}"))?;
    println!("== {title}: {:.0} s", start.elapsed().as_secs_f64());
    if status.success() { Ok(()) } else { Err(format!("{title} failed ({status})")) }
}

/// All tests of all kinds.
fn test() -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let cargo = |title: &str, arguments: &[&str]| {
        run(title, &cargo, arguments, &[("RUSTDOCFLAGS", "-D warnings")])
    };
    if component_present("fmt") {
        cargo("format", &["fmt", "--all", "--check"])?;
    } else {
        println!("== format: skipped, rustfmt is not installed (rustup component add rustfmt)");
    }
    if component_present("clippy") {
        cargo(
            "lints",
            &["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"],
        )?;
    } else {
        println!("== lints: skipped, clippy is not installed (rustup component add clippy)");
    }
    docs::check()?;
    cargo("documentation", &["doc", "--workspace", "--no-deps", "--locked"])?;
    cargo("main job", MAIN_JOB)?;
    cargo("tests", &["test", "--workspace", "--locked"])?;
    // once more in the open: the verdicts on the papers' tables are worth reading
    let published =
        ["test", "--quiet", "--locked", "--workspace", "--test", "published", "--", "--nocapture"];
    cargo("published tables", &published)?;
    engine::check_bytes()?;
    page::check(&program())?;
    println!("\nall tests passed");
    Ok(())
}

/// Long campaigns, which take an hour; a whole one writes its table.
fn soak(words: &[&str]) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut arguments =
        vec!["bench", "--package", "jointplay", "--bench", "soak", "--locked", "--"];
    let write = ["--write"];
    arguments.extend(if words.is_empty() { &write } else { words });
    run("soak", &cargo, &arguments, &[])
}

/// The README's first command; a test of the command line compares the two.
const MAIN_JOB: &[&str] =
    &["run", "--release", "--locked", "--", "run", "models/slider-crank/model.toml"];

/// The program that the main job built.
fn program() -> String {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let folder = folder.unwrap_or_else(|| root().join("target"));
    folder.join("release/jointplay").to_string_lossy().into_owned()
}

fn component_present(name: &str) -> bool {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    Command::new(program)
        .args([name, "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
}
