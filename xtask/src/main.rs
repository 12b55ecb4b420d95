//! Tasks of the workspace.
//!
//! - `cargo xtask test`: everything that must hold before a change lands;
//! - `cargo xtask soak`: everything that takes longer: the tests with their whole sweeps, packages that are built, the engine of the page
//!   compiled again and compared, and a million runs and more that must not lose a contact, for `docs/reliability.md`; words choose among
//!   them;
//! - `cargo xtask same OLD [LAW …]`: checks that the program gives the same bits as an older one,
//!   for every shipped model and law;
//! - `cargo xtask docs`: writes the generated pages anew;
//! - `cargo xtask engine`: compiles the engine of the interactive page (`--check` compares);
//! - `cargo xtask page`: bundles script and style of the page (`--check` compares, and tests it in a browser);
//! - `cargo xtask python`: builds the Python package in a fresh environment and tests it (`--release` builds the wheel as it is published and checks its size).

mod engine;
mod package;
mod page;
mod python;
mod same;
mod soak;
mod sources;
mod steps;
mod test;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use steps::run;

/// The root of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().map(Path::to_path_buf).unwrap_or_default()
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test"] => test::all(),
        ["soak", words @ ..] => soak::soak(words),
        ["same", old, laws @ ..] => same::compare(old, &program(), laws),
        ["docs"] => docs(),
        ["engine"] => engine::write(),
        ["engine", "--check"] => engine::check_bytes(),
        ["page"] => page::write(),
        ["page", "--check"] => page::check(&program()),
        ["python"] => python::check(python::environment(), &[]),
        ["python", "--release"] => python::release(),
        _ => Err(USAGE.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("xtask: {message}");
            ExitCode::FAILURE
        }
    }
}

const USAGE: &str = "usage: cargo xtask test | soak [tests] [packages] [engine] [--part SHARE] [CAMPAIGN …] | same OLD [LAW …] | docs | engine [--check] | page [--check] | python [--release]";

/// Runs cargo in the root of the workspace.
fn cargo(title: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    run(title, &cargo, arguments, environment)
}

/// Writes the generated pages; the test that compares them does it.
fn docs() -> Result<(), String> {
    let test = ["test", "--package", "jointplay", "--test", "all", "--locked", "generated::"];
    cargo("generated pages", &test, &[("JOINTPLAY_BLESS", "1")])
}

/// The optimised program.
fn program() -> String {
    built("release")
}

/// The program that the tests built.
fn tested_program() -> String {
    built("debug")
}

fn built(profile: &str) -> String {
    target().join(profile).join("jointplay").to_string_lossy().into_owned()
}

/// The folder into which cargo builds.
fn target() -> PathBuf {
    let folder = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    folder.unwrap_or_else(|| root().join("target"))
}

fn component_present(name: &str) -> bool {
    let program = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    Command::new(program)
        .args([name, "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
}
