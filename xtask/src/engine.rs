//! The engine of the interactive page: `jointplay-view` compiled to WebAssembly and committed, see
//! `docs/adr/0014-the-engine-of-the-page.md`.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use crate::steps::timed;
use crate::{root, sources};

const TARGET: &str = "wasm32-unknown-unknown";
const ASSET: &str = "crates/page/assets/engine.wasm.zlib";

/// The compiled sources, without tests and benches of these crates.
const SOURCES: &[&str] = &[
    "crates/fingerprint/Cargo.toml",
    "crates/fingerprint/src",
    "crates/files/Cargo.toml",
    "crates/files/src",
    "crates/expression/Cargo.toml",
    "crates/expression/build.rs",
    "crates/expression/src",
    "crates/contact/Cargo.toml",
    "crates/contact/build.rs",
    "crates/contact/src",
    "crates/ode/Cargo.toml",
    "crates/ode/build.rs",
    "crates/ode/src",
    "crates/mbd/Cargo.toml",
    "crates/mbd/build.rs",
    "crates/mbd/src",
    "crates/model/Cargo.toml",
    "crates/model/build.rs",
    "crates/model/src",
    "crates/study/Cargo.toml",
    "crates/study/build.rs",
    "crates/study/src",
    "crates/report/Cargo.toml",
    "crates/report/src",
    "crates/report/assets",
    "crates/view/Cargo.toml",
    "crates/view/src",
];

/// The custom sections with the sources and the compiler of the module.
const SOURCES_SECTION: &str = "jointplay-sources";
const COMPILER_SECTION: &str = "jointplay-compiler";

/// The hash of the sources as they are.
fn current() -> Result<String, String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"));
    let manifest = manifest.map_err(|error| format!("Cargo.toml: {error}"))?;
    let profile = manifest.split_once("[profile.engine]").map_or("", |(_, rest)| rest);
    let profile = profile.split_once("\n# ").map_or(profile, |(profile, _)| profile);
    let mut texts = sources::locked("jointplay-view")?;
    texts.push(profile.to_owned());
    sources::hash(SOURCES, &texts)
}

fn compiler() -> Result<String, String> {
    let output = Command::new("rustc").arg("--version").current_dir(root()).output();
    let output = output.map_err(|error| format!("rustc did not start: {error}"))?;
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// Whether the standard library of the target is installed; tries to install it.
fn target_present() -> bool {
    let sysroot = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()).output();
    let Ok(sysroot) = sysroot else { return false };
    let sysroot = PathBuf::from(String::from_utf8_lossy(&sysroot.stdout).trim());
    let library = sysroot.join("lib/rustlib").join(TARGET);
    if !library.exists() {
        // without rustup, or without a network, the caller reports what is missing
        let _ = Command::new("rustup").args(["target", "add", TARGET]).current_dir(root()).status();
    }
    library.exists()
}

/// Compiles the engine; the same sources and the same compiler give the same bytes in any folder.
fn compile() -> Result<Vec<u8>, String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo")));
    let mut flags = vec![format!("--remap-path-prefix={}=/jointplay", root().display())];
    let registry = home.map(|home| home.join("registry/src")).unwrap_or_default();
    for entry in fs::read_dir(registry).into_iter().flatten().flatten() {
        flags.push(format!("--remap-path-prefix={}=/crates", entry.path().display()));
    }
    let folder = root().join("target/engine");
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let mut command = Command::new(cargo);
    command
        .args(["rustc", "--locked", "--package", "jointplay-view", "--lib"])
        .args(["--crate-type", "cdylib", "--target", TARGET, "--profile", "engine"])
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"))
        .env("CARGO_TARGET_DIR", &folder);
    timed("engine of the page", &mut command)?;
    let module = folder.join(TARGET).join("engine/jointplay_view.wasm");
    let mut bytes = fs::read(&module).map_err(|error| format!("{}: {error}", module.display()))?;
    append_section(&mut bytes, SOURCES_SECTION, current()?.as_bytes());
    append_section(&mut bytes, COMPILER_SECTION, compiler()?.as_bytes());
    Ok(bytes)
}

/// An unsigned number in LEB128.
fn leb(mut value: usize, out: &mut Vec<u8>) {
    loop {
        let byte = value.to_le_bytes()[0] & 0x7f;
        value >>= 7;
        if value == 0 {
            out.push(byte);
            return;
        }
        out.push(byte | 0x80);
    }
}

/// Adds a custom section at the end of a module.
fn append_section(module: &mut Vec<u8>, name: &str, content: &[u8]) {
    let mut body = Vec::new();
    leb(name.len(), &mut body);
    body.extend(name.as_bytes());
    body.extend(content);
    module.push(0);
    leb(body.len(), module);
    module.extend(body);
}

/// The content of a custom section at the end of a module, as text.
fn section(module: &[u8], name: &str) -> Option<String> {
    let at = module.windows(name.len()).rposition(|window| window == name.as_bytes())?;
    let rest = &module[at + name.len()..];
    let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
    String::from_utf8(rest[..end].to_vec()).ok()
}

fn committed() -> Result<Vec<u8>, String> {
    let bytes = fs::read(root().join(ASSET)).map_err(|error| format!("{ASSET}: {error}"))?;
    let mut module = Vec::new();
    let read = ZlibDecoder::new(&bytes[..]).read_to_end(&mut module);
    read.map_err(|error| format!("{ASSET}: {error}"))?;
    Ok(module)
}

fn deflated(module: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    let written = encoder.write_all(module).and_then(|()| encoder.finish());
    written.map_err(|error| format!("{ASSET}: {error}"))
}

const MISSING: &str = "the standard library of wasm32-unknown-unknown is not installed (rustup target add wasm32-unknown-unknown)";

/// Compiles the engine and puts it into the page.
pub(crate) fn write() -> Result<(), String> {
    if !target_present() {
        return Err(MISSING.to_owned());
    }
    let module = compile()?;
    let bytes = deflated(&module)?;
    let path = root().join(ASSET);
    fs::create_dir_all(path.parent().unwrap_or(Path::new(".")))
        .and_then(|()| fs::write(&path, &bytes))
        .map_err(|error| format!("{ASSET}: {error}"))?;
    println!("wrote {ASSET}: {} bytes, {} deflated", module.len(), bytes.len());
    Ok(())
}

/// Whether the committed engine was made from the present sources.
pub(crate) fn check_sources() -> Result<(), String> {
    let found = section(&committed()?, SOURCES_SECTION);
    if found.as_deref() == Some(current()?.as_str()) {
        return Ok(());
    }
    Err(format!("{ASSET} is made from other sources; run `cargo xtask engine`"))
}

/// Compiles the engine again, if possible, and compares it with the committed one.
pub(crate) fn check_bytes() -> Result<(), String> {
    check_sources()?;
    let found = committed()?;
    let (theirs, ours) = (section(&found, COMPILER_SECTION).unwrap_or_default(), compiler()?);
    if theirs != ours {
        println!("== engine: not compiled again: it was made by {theirs}, here is {ours}");
        return Ok(());
    }
    if !target_present() {
        println!("== engine: not compiled again: {MISSING}");
        return Ok(());
    }
    if compile()? != found {
        return Err(format!("{ASSET} is not what its sources give; run `cargo xtask engine`"));
    }
    println!("== engine: compiled again, the same bytes");
    Ok(())
}

#[cfg(test)]
mod tests {
    /// The page runs what is compiled natively: the engine that it carries is made from these sources.
    #[test]
    fn property_the_engine_of_the_page_is_made_from_these_sources() {
        super::check_sources().unwrap();
    }

    #[test]
    fn property_sections_are_found_again() {
        let mut module = b"\0asm\x01\0\0\0".to_vec();
        let long = "x".repeat(300);
        super::append_section(&mut module, "first", long.as_bytes());
        super::append_section(&mut module, "second", b"two words");
        assert_eq!(super::section(&module, "first").as_deref(), Some(long.as_str()));
        assert_eq!(super::section(&module, "second").as_deref(), Some("two words"));
        assert_eq!(super::section(&module, "third"), None);
    }
}
