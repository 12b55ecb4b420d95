//! Hashes: of a crate's sources, for build scripts, so that results can say which engine made them; and of data
//! ([`Fingerprint`]), so that a checkpoint can say which mechanism it belongs to.

mod parts;

use std::io;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

pub use parts::{Fingerprint, Fnv};

/// Gives the crate that is being built the SHA-256 of its `src` folder as `env!("SOURCE_HASH")`, in
/// hexadecimal digits. Line ends are ignored, so that a checkout on another system has the same
/// hash.
///
/// # Panics
/// If a source cannot be read: without its sources a crate cannot be built.
pub fn emit() {
    let sources = Path::new("src");
    println!("cargo::rerun-if-changed={}", sources.display());
    let hash = hash(sources).expect("the sources can be read");
    println!("cargo::rustc-env=SOURCE_HASH={hash}");
}

/// SHA-256 over the names and contents of all files in a folder.
fn hash(folder: &Path) -> io::Result<String> {
    let mut files = files(folder)?;
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let name = file.strip_prefix(folder).unwrap_or(&file).to_string_lossy().replace('\\', "/");
        let mut text = std::fs::read(&file)?;
        text.retain(|byte| *byte != b'\r');
        for part in [name.as_bytes(), &text] {
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
    }
    Ok(digits(&hash.finalize()))
}

/// Bytes in hexadecimal digits.
fn digits(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}
