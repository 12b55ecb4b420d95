//! Script and style of the interactive page, bundled from `crates/page/web` and committed, see
//! `docs/adr/0014-the-engine-of-the-page.md`; and its tests in a browser.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::{root, sources, steps};

const WEB: &str = "crates/page/web";
const ASSETS: [&str; 2] = ["crates/page/assets/page.js", "crates/page/assets/page.css"];
const SOURCES: &[&str] = &[
    "crates/page/web/src",
    "crates/page/web/build.mjs",
    "crates/page/web/package.json",
    "crates/page/web/package-lock.json",
    "crates/page/web/tsconfig.json",
];

/// The line with which the files begin.
fn banner() -> Result<String, String> {
    Ok(format!("/* made by cargo xtask page from sources {} */\n", sources::hash(SOURCES, &[])?))
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))
}

/// Whether Node and its package manager are there.
fn node_present() -> bool {
    let answers = |program: &str| {
        Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
    };
    answers("node") && answers("npm")
}

fn npm(title: &str, arguments: &[&str]) -> Result<(), String> {
    steps::beside(title, "npm", &[&["--prefix", WEB], arguments].concat(), &[])
}

/// Bundles script and style, without the first line.
fn bundle() -> Result<[String; 2], String> {
    npm("packages of the page", &["ci", "--no-audit", "--no-fund"])?;
    npm("bundle of the page", &["run", "build"])?;
    Ok([read("target/page/page.js")?, read("target/page/page.css")?])
}

/// Bundles the page anew.
pub(crate) fn write() -> Result<(), String> {
    if !node_present() {
        return Err("node and npm are not installed".to_owned());
    }
    let (made, banner) = (bundle()?, banner()?);
    for (path, text) in ASSETS.iter().zip(made) {
        let text = banner.clone() + &text;
        fs::write(root().join(path), &text).map_err(|error| format!("{path}: {error}"))?;
        println!("wrote {path}: {} bytes", text.len());
    }
    Ok(())
}

/// Whether the committed bundle was made from the present sources.
pub(crate) fn check_sources() -> Result<(), String> {
    let banner = banner()?;
    for path in ASSETS {
        if !read(path)?.starts_with(&banner) {
            return Err(format!("{path} is made from other sources; run `cargo xtask page`"));
        }
    }
    Ok(())
}

/// All checks of the page.
pub(crate) fn check(program: &str) -> Result<(), String> {
    check_code()?;
    check_in_browser(program)
}

/// Bytes of the bundle, layout, types, lints and tests of the page's code, as far as the tools are
/// installed. It runs in parallel with other steps.
pub(crate) fn check_code() -> Result<(), String> {
    check_sources()?;
    if !node_present() {
        steps::not_done("code of the page", "node and npm are not installed");
        return Ok(());
    }
    let committed = [read(ASSETS[0])?, read(ASSETS[1])?];
    let (made, banner) = (bundle()?, banner()?);
    for ((path, text), made) in ASSETS.iter().zip(&committed).zip(made) {
        if *text != banner.clone() + &made {
            return Err(format!("{path} is not what its sources give; run `cargo xtask page`"));
        }
    }
    npm("layout of the page's code", &["run", "format:check"])?;
    npm("types of the page", &["run", "check"])?;
    npm("lints of the page", &["run", "lint"])?;
    npm("functions of the page", &["test"])
}

/// Tests the page that this program writes in a browser, in parallel with other steps, because most
/// of it waits for frames. The packages of its code must be installed ([`check_code`]).
pub(crate) fn check_in_browser(program: &str) -> Result<(), String> {
    if !node_present() {
        return Ok(());
    }
    let Some(browser) = browser() else {
        steps::not_done(
            "page in a browser",
            "chromium is not installed (apt-get install chromium)",
        );
        return Ok(());
    };
    let browser = browser.to_string_lossy().into_owned();
    let environment = [("JOINTPLAY", program), ("CHROMIUM", browser.as_str())];
    steps::beside("page in a browser", "npm", &["--prefix", WEB, "run", "browser"], &environment)
}

/// A Chromium, which is installed if possible.
fn browser() -> Option<PathBuf> {
    let find = || {
        let folders: Vec<PathBuf> =
            std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        names
            .iter()
            .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
            .find(|path| path.is_file())
    };
    find().or_else(|| {
        let steps: [&[&str]; 2] = [&["update", "-qq"], &["install", "-y", "-qq", "chromium"]];
        for step in steps {
            // if that is not allowed, the caller reports what is missing
            let _ = Command::new("apt-get")
                .args(step)
                .env("DEBIAN_FRONTEND", "noninteractive")
                .status();
        }
        find()
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn property_script_and_style_of_the_page_are_made_from_these_sources() {
        super::check_sources().unwrap();
    }
}
