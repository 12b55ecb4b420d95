//! The Python package: its wheel in a fresh virtual environment, and its tests there.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{root, steps, target};

/// The packages that the tests need.
const NEEDS: &[&str] = &[
    "maturin>=1.16,<2",
    "mypy",
    "nbclient",
    "nbconvert",
    "pint",
    "pyright",
    "pytest",
    "ruff",
    "dask",
    "dask-jobqueue",
    "distributed",
    "matplotlib",
    "numpy",
    "pandas",
    "polars",
    "scipy",
    "scipy-stubs",
    "tqdm",
    "xarray",
];

/// The oldest Python that the package supports.
const OLDEST: (u32, u32) = (3, 10);

fn folder() -> PathBuf {
    target().join("python")
}

/// A program of the virtual environment.
fn tool(name: &str) -> String {
    tool_of("env", name)
}

fn tool_of(environment: &str, name: &str) -> String {
    let place = if cfg!(windows) { "Scripts" } else { "bin" };
    folder().join(environment).join(place).join(name).to_string_lossy().into_owned()
}

/// The name of a Python that is new enough; or a message about what is missing.
fn python() -> Result<&'static str, String> {
    let (major, minor) = OLDEST;
    let asks = format!("import sys, venv; sys.exit(sys.version_info < ({major}, {minor}))");
    let works = |name: &str| {
        let output = Command::new(name).args(["-c", &asks]).output();
        output.is_ok_and(|output| output.status.success())
    };
    let found = ["python3", "python"].into_iter().find(|name| works(name));
    found.ok_or_else(|| format!("Python {major}.{minor} or newer with venv is not installed"))
}

/// Together with the wheel's package, so that dependencies have the same features as in the wheel; otherwise they would be compiled again.
const PROGRAM: [&str; 7] =
    ["build", "--locked", "--package", "jointplay-py", "--package", "jointplay", "--bin=jointplay"];

/// A fresh environment with everything that the tests need, made while other steps compile; `Err`
/// says what is missing on this machine.
pub(crate) fn environment() -> Result<(), String> {
    let env = folder().join("env");
    let _ = fs::remove_dir_all(&env);
    let python = python()?;
    steps::beside("environment of Python", python, &["-m", "venv", &env.to_string_lossy()], &[])
        .map_err(|_| {
            "Python cannot make virtual environments: install its package venv".to_owned()
        })?;
    let install = [&["install", "--quiet", "--disable-pip-version-check"], NEEDS].concat();
    steps::beside("packages of Python", &tool("pip"), &install, &[])
        .map_err(|_| "no package index of Python can be reached".to_owned())
}

/// Builds the wheel, installs it in an environment and runs every test of the package. The
/// extension is built with the settings of the Rust tests (`cargo`), whose crates are already
/// compiled.
pub(crate) fn check(environment: Result<(), String>, cargo: &[(&str, &str)]) -> Result<(), String> {
    if let Err(missing) = environment {
        steps::not_done("Python package", &missing);
        return Ok(());
    }
    let wheels = folder().join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    let out = wheels.to_string_lossy().into_owned();
    let build = ["build", "--locked", "--out", &out];
    steps::run("wheel", &tool("maturin"), &build, cargo)?;
    // The program for comparison is built apart from the wheel.
    crate::cargo("program", &PROGRAM, cargo)?;
    install_and_test(&only_file(&wheels)?, &crate::tested_program())
}

/// The wheel for release: optimised, and small enough.
pub(crate) fn release() -> Result<(), String> {
    const MOST: u64 = 12_000_000;
    environment()?;
    let wheels = folder().join("release");
    let _ = fs::remove_dir_all(&wheels);
    let out = wheels.to_string_lossy().into_owned();
    let build = ["build", "--release", "--locked", "--out", &out];
    steps::run("release wheel", &tool("maturin"), &build, &[])?;
    let wheel = only_file(&wheels)?;
    let size = fs::metadata(&wheel).map_err(|error| format!("{wheel}: {error}"))?.len();
    println!("{wheel}: {:.1} MB", size as f64 / 1e6);
    if size > MOST {
        return Err(format!("the wheel has {size} bytes, more than {MOST}"));
    }
    crate::cargo("program", &[&PROGRAM[..], &["--release"]].concat(), &[])?;
    install_and_test(&wheel, &crate::program())
}

/// The wheel with nothing but what it needs: NumPy.
fn test_core(wheel: &str) -> Result<(), String> {
    let bare = folder().join("bare");
    let _ = fs::remove_dir_all(&bare);
    let bare = bare.to_string_lossy();
    steps::run("bare environment", &tool("python"), &["-m", "venv", "--without-pip", &bare], &[])?;
    let python = tool_of("bare", "python");
    let install = ["--python", &python, "install", "--quiet", "--disable-pip-version-check", wheel];
    steps::run("wheel and NumPy", &tool("pip"), &install, &[])?;
    let script = root().join("python/tests/core.py").to_string_lossy().into_owned();
    steps::run("core of Python", &python, &[&script], &[])
}

/// Tests an installed wheel; `program` is the one with whose results it compares its own.
fn install_and_test(wheel: &str, program: &str) -> Result<(), String> {
    test_core(wheel)?;
    let install = ["install", "--quiet", "--force-reinstall", "--no-deps", wheel];
    steps::run("installed wheel", &tool("pip"), &install, &[])?;
    let sources = ["python", "examples"];
    steps::run(
        "layout of Python",
        &tool("ruff"),
        &["format", "--check", sources[0], sources[1]],
        &[],
    )?;
    steps::run("lints of Python", &tool("ruff"), &["check", sources[0], sources[1]], &[])?;
    steps::run("types of the examples", &tool("mypy"), &["examples"], &[])?;
    steps::run(
        "strict types of the examples",
        &tool("pyright"),
        &["--pythonpath", &tool("python")],
        &[],
    )?;
    steps::run("types of Python", &tool("mypy"), &["python/jointplay"], &[])?;
    // In another folder than the sources, so that the wheel is tested.
    let place = folder().join("place");
    fs::create_dir_all(&place).map_err(|error| format!("{}: {error}", place.display()))?;
    let stubs = ["-m", "mypy.stubtest", "jointplay._jointplay"];
    there("stubs", &place, &stubs, &[])?;
    let tests = root().join("python/tests").to_string_lossy().into_owned();
    let ini = root().join("pyproject.toml").to_string_lossy().into_owned();
    there(
        "tests of Python",
        &place,
        &["-m", "pytest", "-c", &ini, "--pyargs", "--doctest-modules", "jointplay", &tests],
        &[("JOINTPLAY_PROGRAM", program)],
    )
}

/// Runs Python of the environment in another folder.
fn there(
    title: &str,
    place: &Path,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), String> {
    let shown = place.to_string_lossy();
    let mut words = vec![
        "-c",
        "import os, subprocess, sys; sys.exit(subprocess.call([sys.executable, *sys.argv[2:]], cwd=sys.argv[1]))",
        &shown,
    ];
    words.extend(arguments);
    steps::run(title, &tool("python"), &words, environment)
}

/// The one file of a folder.
fn only_file(folder: &Path) -> Result<String, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    match (files.pop(), files.is_empty()) {
        (Some(file), true) => Ok(file.to_string_lossy().into_owned()),
        _ => Err(format!("{}: one wheel was expected", folder.display())),
    }
}
