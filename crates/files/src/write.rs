//! A file that appears whole or not at all.
//!
//! It is written under another name beside its place and takes the place by renaming. The other name is locked by its
//! process, so that the next write finds what a killed one left.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file; its folder is made if it is missing.
///
/// # Errors
/// What the system says; what was there before is then as it was.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    clean(path);
    let (temporary, mut file) = create_beside(path)?;
    let written = file.write_all(bytes).and_then(|()| file.sync_all());
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Tries whether a file can be written there, if its folder exists. Meant to be asked before the work.
///
/// # Errors
/// What the system says.
pub fn can_write(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    if folder.is_some_and(|folder| !folder.exists()) {
        return Ok(());
    }
    create_beside(path).and_then(|(temporary, _)| fs::remove_file(temporary))
}

/// A new file in the folder of `path` under a name that nobody else uses.
fn create_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = prefix(path);
        name.push(format!("{}-{number}.tmp", process::id()));
        let temporary = path.with_file_name(name);
        match File::create_new(&temporary) {
            Ok(file) => {
                let _ = file.lock(); // not everywhere are there locks
                // Before it was locked it looked like one that was left.
                if temporary.exists() {
                    return Ok((temporary, file));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// How the names of unfinished files for this place begin.
fn prefix(path: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".");
    name
}

/// Removes what killed processes left.
fn clean(path: &Path) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let Ok(entries) = fs::read_dir(folder.unwrap_or(Path::new("."))) else { return };
    let prefix = prefix(path);
    for entry in entries.flatten() {
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let numbers = rest.and_then(|rest| rest.strip_suffix(b".tmp")).is_some_and(|rest| {
            !rest.is_empty() && rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
        });
        if numbers && entry.file_type().is_ok_and(|kind| kind.is_file()) {
            let left = File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok());
            if left {
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}
