//! The hash of the sources of a committed file, which the file contains and a test compares.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::root;

/// All files under a path of the workspace, or the file itself, in order; without the products of a
/// build.
fn files(path: &str) -> Result<Vec<PathBuf>, String> {
    fn walk(path: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
        if !path.is_dir() {
            found.push(path.to_owned());
            return Ok(());
        }
        for entry in fs::read_dir(path)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name != "node_modules" && !name.starts_with('.') {
                walk(&path, found)?;
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    walk(&root().join(path), &mut found).map_err(|error| format!("{path}: {error}"))?;
    found.sort();
    Ok(found)
}

/// SHA-256 over names and contents of files, and further texts, in hexadecimal digits. Line ends do not count.
pub(crate) fn hash(paths: &[&str], texts: &[String]) -> Result<String, String> {
    let mut hash = Sha256::new();
    for path in paths {
        for file in files(path)? {
            let bytes = fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            let name = file.strip_prefix(root()).unwrap_or(&file);
            hash.update(name.to_string_lossy().replace('\\', "/"));
            hash.update([0]);
            hash.update(bytes.iter().copied().filter(|b| *b != b'\r').collect::<Vec<u8>>());
            hash.update([0]);
        }
    }
    for text in texts {
        hash.update(text);
        hash.update([0]);
    }
    let digits =
        hash.finalize().iter().flat_map(|byte| [byte >> 4, byte & 15]).collect::<Vec<u8>>();
    Ok(digits.into_iter().filter_map(|digit| char::from_digit(digit.into(), 16)).collect())
}

/// Name and version of all dependencies of a package, from `Cargo.lock`.
pub(crate) fn locked(package: &str) -> Result<Vec<String>, String> {
    let path = root().join("Cargo.lock");
    let text = fs::read_to_string(&path).map_err(|error| format!("Cargo.lock: {error}"))?;
    let mut versions: BTreeMap<String, Vec<(String, Vec<String>)>> = BTreeMap::new();
    for block in text.split("[[package]]").skip(1) {
        let field = |key: &str| {
            let line = block.lines().find_map(|line| line.strip_prefix(key));
            line.map(|value| value.trim_matches([' ', '=', '"']).to_owned()).unwrap_or_default()
        };
        let list = block.split_once("dependencies = [").map_or("", |(_, rest)| rest);
        let list = list.split_once(']').map_or("", |(list, _)| list);
        let list = list.split('"').skip(1).step_by(2).map(str::to_owned).collect();
        versions.entry(field("name")).or_default().push((field("version"), list));
    }
    let mut found = BTreeSet::new();
    let mut open = vec![package.to_owned()];
    while let Some(entry) = open.pop() {
        // "name", or "name version" where there are several
        let (name, wanted) = entry.split_once(' ').unwrap_or((&entry, ""));
        for (version, list) in versions.get(name).into_iter().flatten() {
            let matches = wanted.is_empty() || wanted == version;
            if matches && found.insert(format!("{name} {version}")) {
                open.extend(list.iter().cloned());
            }
        }
    }
    Ok(found.into_iter().collect())
}
