//! The program that the tests run.

use std::process::Output;

use assert_cmd::Command;
use tempfile::TempDir;

/// Runs the program in a folder.
pub(crate) fn jointplay(place: &TempDir, args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("jointplay").expect("it is built");
    command.current_dir(place.path()).args(args).output().expect("it runs")
}

/// All that it printed.
pub(crate) fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}
