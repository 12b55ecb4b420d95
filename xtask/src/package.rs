//! Packages as a registry would get them: each crate has its data, its metadata and its readme inside.

use std::process::Command;

use crate::{cargo, root, steps};

const PACKAGE: [&str; 6] =
    ["package", "--workspace", "--exclude", "xtask", "--allow-dirty", "--locked"];

/// Messages of cargo if it cannot reach the registry.
const UNREACHABLE: [&str; 4] =
    ["Could not resolve host", "spurious network error", "failed to download", "network failure"];

/// Packs every published crate. This finds what a crate lacks to be packed; [`verify`] finds what
/// it lacks to be built.
pub(crate) fn check() -> Result<(), String> {
    let offline = cargo("packages", &[&PACKAGE[..], &["--no-verify", "--offline"]].concat(), &[]);
    let Err(failure) = offline else { return Ok(()) };
    // Either there is a problem, or cargo needs the registry.
    println!("== packages: once more with the registry");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let online = Command::new(cargo).args(PACKAGE).arg("--no-verify").current_dir(root()).output();
    let online = online.map_err(|error| format!("cargo did not start: {error}"))?;
    if online.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&online.stderr);
    if UNREACHABLE.iter().any(|words| said.contains(words)) {
        steps::not_done("packages", "the registry of crates cannot be reached");
        return Ok(());
    }
    Err(format!("{failure}\n{said}"))
}

/// Packs every crate and builds it from its package alone.
pub(crate) fn verify() -> Result<(), String> {
    cargo("packages, built", &PACKAGE, &[])
}
