//! Packages as a registry would get them: each crate has its data, its metadata and its readme inside.

use std::process::Command;

use crate::{cargo, root, steps};

const PACKAGE: [&str; 6] =
    ["package", "--workspace", "--exclude", "xtask", "--allow-dirty", "--locked"];

/// What cargo says if it cannot reach the registry.
const UNREACHABLE: [&str; 4] =
    ["Could not resolve host", "spurious network error", "failed to download", "network failure"];

/// Packs every crate that is published. What a crate lacks to be packed is found here, what it lacks to be built by [`verify`].
pub(crate) fn check() -> Result<(), String> {
    let offline = cargo("packages", &[&PACKAGE[..], &["--no-verify", "--offline"]].concat(), &[]);
    let Err(failure) = offline else { return Ok(()) };
    // Either there is something wrong, or the registry has to say what this machine does not know.
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
