//! Writing a file completely or not at all.
//!
//! The file is written under a temporary name in the same folder and then renamed. The process
//! locks the temporary name, so that a later write can recognise and remove the leftovers of a
//! killed process.

use std::ffi::OsString;
use std::fs::{self, DirEntry, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes a file; its folder is made if it is missing.
///
/// # Errors
/// An error of the operating system; what was there before is then unchanged.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_with(path, |file| file.write_all(bytes))
}

/// Writes a file piece by piece; its folder is made if it is missing.
///
/// # Errors
/// An error of the operating system or of `content`; what was there before is then unchanged.
pub fn write_with(
    path: &Path,
    content: impl FnOnce(&mut io::BufWriter<&File>) -> io::Result<()>,
) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    clean(path);
    let (temporary, file) = create_beside(path)?;
    let mut buffer = io::BufWriter::new(&file);
    let written = content(&mut buffer).and_then(|()| buffer.flush()).and_then(|()| file.sync_all());
    let done = written.and_then(|()| fs::rename(&temporary, path));
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// Checks whether a file can be written there, if its folder exists. Meant to be called before the content is computed.
///
/// # Errors
/// An error of the operating system.
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
    loop {
        let temporary = unused_beside(path);
        match File::create_new(&temporary) {
            Ok(file) => {
                let _ = file.lock(); // some file systems have no locks
                // Until it was locked, another process could take it for a leftover.
                if temporary.exists() {
                    return Ok((temporary, file));
                }
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// Removes the leftovers of killed processes.
fn clean(path: &Path) {
    for entry in unfinished_beside(path) {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_file && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// A temporary name beside a path, for a file that will be renamed to that path when it is finished. This process uses each name
/// once; another process with the same id may use it too, so the caller must be prepared to call
/// this again.
pub fn unused_beside(place: &Path) -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let mut name = prefix(place);
    name.push(format!("{}-{number}.tmp", process::id()));
    place.with_file_name(name)
}

/// The temporary files beside a path.
pub fn unfinished_beside(place: &Path) -> impl Iterator<Item = DirEntry> + use<> {
    let folder = place.parent().filter(|folder| !folder.as_os_str().is_empty());
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).into_iter().flatten().flatten();
    let prefix = prefix(place);
    entries.filter(move |entry| {
        let name = entry.file_name();
        let rest = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let rest = rest.and_then(|rest| rest.strip_suffix(b".tmp"));
        rest.is_some_and(|rest| {
            let mut parts = rest.split(|byte| *byte == b'-');
            let number = |part: Option<&[u8]>| {
                part.is_some_and(|part| !part.is_empty() && part.iter().all(u8::is_ascii_digit))
            };
            number(parts.next()) && number(parts.next()) && parts.next().is_none()
        })
    })
}

fn prefix(place: &Path) -> OsString {
    let mut name = OsString::from(".");
    name.push(place.file_name().unwrap_or_default());
    name.push(".");
    name
}
