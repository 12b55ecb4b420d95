//! A folder that appears whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Head, MANIFEST, StoreError};

/// What may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// Nothing but an empty folder.
    Nothing,
    /// A result with nothing else in it.
    #[default]
    Result,
    /// Any folder, with all that is in it.
    Anything,
}

/// Says what is in the way of a result folder, if anything.
///
/// # Errors
/// As [`Contents::write`](super::Contents::write).
pub fn check_target(folder: &Path, overwrite: Overwrite) -> Result<(), StoreError> {
    let path = || folder.to_owned();
    if folder.file_name().is_none() {
        return Err(StoreError::NoName { path: path() });
    }
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        // A file, which is replaced in no case.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(StoreError::NotAResult { path: path() });
        }
        Err(error) => return Err(StoreError::io(folder)(error)),
    };
    let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
    let names: Vec<OsString> = names.collect::<Result<_, _>>().map_err(StoreError::io(folder))?;
    if names.is_empty() || overwrite == Overwrite::Anything {
        return Ok(());
    }
    let (head, _) = Head::read(folder).map_err(|_| StoreError::NotAResult { path: path() })?;
    if overwrite == Overwrite::Nothing {
        return Err(StoreError::Exists { path: path() });
    }
    let files = &head.files;
    let ours = |name: &OsString| {
        let top = |file: &String| file.split('/').next().is_some_and(|top| **name == *top);
        *name == MANIFEST || files.iter().any(top)
    };
    match names.into_iter().find(|name| !ours(name)) {
        Some(name) => {
            let found = name.to_string_lossy().into_owned();
            Err(StoreError::Foreign { path: path(), found })
        }
        None => Ok(()),
    }
}

/// Writes the files beside the folder under another name, then gives them the name.
pub(super) fn write(
    folder: &Path,
    files: &[(String, Vec<u8>)],
    overwrite: Overwrite,
) -> Result<(), StoreError> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(StoreError::io(parent))?;
    }
    let new = create_beside(folder).map_err(StoreError::io(folder))?;
    let done = fill(&new, files).and_then(|()| {
        check_target(folder, overwrite)?; // it may have changed meanwhile
        put_in_place(&new, folder).map_err(StoreError::io(folder))
    });
    if done.is_err() {
        // The first error is the one to report.
        let _ = fs::remove_dir_all(&new);
    }
    done
}

fn fill(folder: &Path, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
    for (name, bytes) in files {
        let path = folder.join(name);
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            let mut file = File::create_new(&path)?;
            file.write_all(bytes)?;
            file.sync_all()
        };
        write().map_err(StoreError::io(&path))?;
    }
    Ok(())
}

/// Renames; what was there goes aside first, and comes back if that fails.
fn put_in_place(new: &Path, folder: &Path) -> io::Result<()> {
    if fs::symlink_metadata(folder).is_err() {
        return fs::rename(new, folder);
    }
    let aside = create_beside(folder)?.join("replaced");
    let result = fs::rename(folder, &aside).and_then(|()| {
        fs::rename(new, folder).inspect_err(|_| {
            let _ = fs::rename(&aside, folder);
        })
    });
    if let Some(beside) = aside.parent() {
        // Nothing of value is in it but where the way back failed too.
        let _ = match &result {
            Ok(()) => fs::remove_dir_all(beside),
            Err(_) => fs::remove_dir(beside),
        };
    }
    result
}

/// A new folder beside `path` under a name nobody else uses.
fn create_beside(path: &Path) -> io::Result<PathBuf> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mut name = OsString::from(".");
        name.push(path.file_name().unwrap_or_default());
        name.push(format!(".{}-{number}.tmp", process::id()));
        let temporary = path.with_file_name(name);
        match fs::create_dir(&temporary) {
            Ok(()) => return Ok(temporary),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
