//! A folder that is written completely or not at all, and in which no file of the user is lost.
//!
//! A new result is written into a work folder next to its target and then renamed. Files in the old
//! folder that no result wrote are linked into the new one before, so that at every instant they
//! are in the folder, or in the old one that is about to come back. A work folder is locked by its
//! process; one that a killed process left is found unlocked by the next write, which brings back
//! what was moved aside and removes the rest.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jointplay_files::{unfinished_beside, unused_beside};

use super::{FIGURES, Head, NAMES, Origin, StoreError};

/// What may be replaced.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overwrite {
    /// Nothing but an empty folder.
    Nothing,
    /// A result of the same input: the same model file with the same changes, or the same text.
    #[default]
    Result,
    /// Any result, and a folder that is not a result. Files that do not belong to a result are kept even so; if one of them has
    /// a name that the result needs, writing fails.
    Anything,
}

/// Checks whether a result of this origin can be written: it fails if another result or another folder is in the way, or if the
/// place is not writable. Meant to be called before the run.
///
/// # Errors
/// As [`Contents::write`](super::Contents::write).
pub fn check_target(
    folder: &Path,
    overwrite: Overwrite,
    origin: &Origin,
) -> Result<(), StoreError> {
    let target = Target::new(folder)?;
    let _turn = turn(&target.folder);
    target.check(overwrite, origin)?;
    target.check_writable()
}

/// Where a result goes.
pub(super) struct Target {
    /// The path as given.
    asked: PathBuf,
    /// Without links.
    folder: PathBuf,
}

impl Target {
    pub(super) fn new(folder: &Path) -> Result<Self, StoreError> {
        if folder.file_name().is_none() {
            return Err(StoreError::NoName { path: folder.to_owned() });
        }
        // A link to a folder on another disk stays one.
        let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
        Ok(Target { asked: folder.to_owned(), folder: real })
    }

    /// The folder without links.
    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    fn check(&self, overwrite: Overwrite, origin: &Origin) -> Result<(), StoreError> {
        let path = || self.asked.clone();
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            // Nothing is there yet, or a link that leads nowhere: it cannot be written through.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let link = fs::symlink_metadata(&self.folder).is_ok();
                return if link { Err(StoreError::NotAFolder { path: path() }) } else { Ok(()) };
            }
            // A file, which is replaced in no case; or a path below one, which cannot be made.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                let below = fs::symlink_metadata(&self.folder).is_err();
                return if below { Ok(()) } else { Err(StoreError::NotAFolder { path: path() }) };
            }
            Err(error) => return Err(StoreError::io(&self.asked)(error)),
        };
        if entries.count() == 0 {
            return Ok(());
        }
        let head = Head::read(&self.folder).map(|(head, _)| head);
        let ours = head.as_ref().map_or_else(|_| BTreeSet::new(), Head::own_files);
        let is_foreign = |name: &Path| {
            let path = self.folder.join(name);
            let shared = name == Path::new(FIGURES) && path.is_dir();
            let known = shared || ours.iter().any(|file| file.starts_with(name));
            fs::symlink_metadata(path).is_ok() && !known
        };
        // A model file in the folder of an older result may have been edited there, and has no other copy.
        let input = origin.file.as_ref().and_then(|file| fs::canonicalize(file).ok());
        let is_input = |name: &Path| {
            let input = input.as_ref().filter(|_| overwrite == Overwrite::Anything);
            input.is_some_and(|input| *input == self.folder.join(name))
        };
        let in_the_way = NAMES.map(Path::new).into_iter().find(|n| is_foreign(n) || is_input(n));
        let asked =
            overwrite == Overwrite::Anything || (overwrite == Overwrite::Result && head.is_ok());
        if let Some(found) = in_the_way.filter(|_| asked) {
            let found = found.display().to_string();
            return Err(StoreError::Foreign { path: path(), found });
        }
        if overwrite == Overwrite::Anything {
            return Ok(());
        }
        let head = head.map_err(|error| match error {
            StoreError::TooNew { format, .. } => StoreError::TooNew { path: path(), format },
            _ => StoreError::NotAResult { path: path() },
        })?;
        if overwrite == Overwrite::Nothing {
            return Err(StoreError::Exists { path: path() });
        }
        let new = origin.record(&self.folder);
        match head.origin {
            Some(old) if old.is_same_input(&new) => Ok(()),
            old => {
                let holds = old.map_or_else(|| "an unknown model".to_owned(), |old| old.in_words());
                Err(StoreError::OtherInput { path: path(), holds, wanted: new.in_words() })
            }
        }
    }

    /// Tests whether writing is possible, by making a folder next to the target and a file in it.
    fn check_writable(&self) -> Result<(), StoreError> {
        let mut place = self.folder.as_path();
        let existing = loop {
            match place.parent() {
                Some(parent) if parent.as_os_str().is_empty() => break Path::new("."),
                Some(parent) if parent.exists() => break parent,
                Some(parent) => place = parent,
                None => break place,
            }
        };
        let try_in = |folder: &Path, name: &OsStr| {
            Work::beside(&folder.join(name)).map(drop).map_err(|source| StoreError::NotWritable {
                path: self.asked.clone(),
                folder: folder.to_owned(),
                source,
            })
        };
        try_in(existing, place.file_name().unwrap_or_default())?;
        if self.folder.is_dir() { try_in(&self.folder, OsStr::new(PROBE)) } else { Ok(()) }
    }

    /// Writes the files into a temporary folder, then renames it; files that no result wrote are
    /// kept.
    pub(super) fn write(
        &self,
        files: &[(String, Vec<u8>)],
        overwrite: Overwrite,
        origin: &Origin,
    ) -> Result<(), StoreError> {
        let folder = &self.folder;
        let io_error = |error| StoreError::io(&self.asked)(error);
        if let Some(parent) = folder.parent() {
            fs::create_dir_all(parent).map_err(StoreError::io(parent))?;
        }
        // A work folder that is not yet locked looks like one that was left.
        let begins = turn(folder);
        clean_stale(folder);
        clean_stale(&folder.join(PROBE));
        let work = Work::beside(folder).map_err(io_error)?;
        drop(begins);
        let new = work.path.join(NEW);
        fs::create_dir(&new).map_err(io_error)?;
        fill(&new, files)?;
        let _turn = turn(folder);
        self.check(overwrite, origin)?; // it may have changed meanwhile
        if fs::symlink_metadata(folder).is_err() {
            return fs::rename(&new, folder).map_err(io_error);
        }
        let Ok((head, _)) = Head::read(folder) else {
            // Somebody's folder, or an empty one: it stays and gets the files.
            return self.put_into(&new, files);
        };
        let ours = head.own_files();
        self.keep_foreign(&new, files, &ours)?;
        let aside = work.path.join(ASIDE);
        fs::rename(folder, &aside).map_err(io_error)?;
        if let Err(error) = fs::rename(&new, folder) {
            let _ = fs::rename(&aside, folder);
            return Err(io_error(error));
        }
        // What came in during the last instants; what cannot be moved stays where the next write looks for it.
        for name in foreign(&aside, &ours).unwrap_or_default() {
            let (from, to) = (aside.join(&name), folder.join(&name));
            if fs::symlink_metadata(&to).is_err() {
                let moved = to.parent().map_or(Ok(()), fs::create_dir_all);
                if moved.and_then(|()| fs::rename(&from, &to)).is_err() {
                    work.leave();
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Moves new files into a folder that stays, the last of them last; nothing is moved where something is in the way.
    fn put_into(&self, new: &Path, files: &[(String, Vec<u8>)]) -> Result<(), StoreError> {
        let taken = |name: &&String| fs::symlink_metadata(self.folder.join(name)).is_ok();
        if let Some(found) = files.iter().map(|(name, _)| name).find(taken) {
            let (path, found) = (self.asked.clone(), found.clone());
            return Err(StoreError::Foreign { path, found });
        }
        for (name, _) in files {
            let to = self.folder.join(name);
            let made = to.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| fs::rename(new.join(name), &to)).map_err(StoreError::io(&to))?;
        }
        Ok(())
    }

    /// Links what no result wrote into the new folder.
    fn keep_foreign(
        &self,
        new: &Path,
        files: &[(String, Vec<u8>)],
        ours: &BTreeSet<PathBuf>,
    ) -> Result<(), StoreError> {
        let folder = &self.folder;
        for name in foreign(folder, ours).map_err(StoreError::io(folder))? {
            let (from, to) = (folder.join(&name), new.join(&name));
            let taken = files.iter().any(|(file, _)| {
                Path::new(file).starts_with(&name) || name.starts_with(Path::new(file))
            });
            if taken {
                let found = name.display().to_string();
                return Err(StoreError::Foreign { path: self.asked.clone(), found });
            }
            let kept = to.parent().map_or(Ok(()), fs::create_dir_all);
            kept.and_then(|()| keep(&from, &to)).map_err(StoreError::io(&from))?;
        }
        Ok(())
    }
}

/// Waits for other processes that are replacing a folder in the same place. If folders cannot be locked, it does not wait.
fn turn(folder: &Path) -> Option<File> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = File::open(parent.unwrap_or(Path::new("."))).ok()?;
    parent.lock().ok().map(|()| parent)
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

/// Files, links and empty folders below a folder that are not ours, by their paths in it.
fn foreign(folder: &Path, ours: &BTreeSet<PathBuf>) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(inner) = open.pop() {
        for entry in fs::read_dir(folder.join(&inner))? {
            let entry = entry?;
            let name = inner.join(entry.file_name());
            if !entry.file_type()?.is_dir() {
                if !ours.contains(&name) {
                    found.push(name);
                }
            } else if fs::read_dir(entry.path())?.next().is_none() {
                found.push(name);
            } else {
                open.push(name);
            }
        }
    }
    Ok(found)
}

/// The same file under a second name, or a copy where there are no links.
fn keep(from: &Path, to: &Path) -> io::Result<()> {
    let kind = fs::symlink_metadata(from)?.file_type();
    if kind.is_dir() {
        return fs::create_dir_all(to);
    }
    if fs::hard_link(from, to).is_ok() {
        return Ok(());
    }
    #[cfg(unix)]
    if kind.is_symlink() {
        return std::os::unix::fs::symlink(fs::read_link(from)?, to);
    }
    fs::copy(from, to).map(|_| ())
}

const NEW: &str = "new";
const ASIDE: &str = "replaced";
const LOCK: &str = "lock";

/// What is tried to be made in an existing folder.
const PROBE: &str = "probe";

/// A work folder without a lock is one that is being made, unless it is as old as this.
const UNLOCKED: Duration = Duration::from_mins(1);

/// A temporary folder next to the target, with an unused name. It is removed at the end.
struct Work {
    path: PathBuf,
    /// Locked as long as the process lives; some file systems have no locks.
    _lock: File,
}

impl Work {
    fn beside(place: &Path) -> io::Result<Self> {
        loop {
            let path = unused_beside(place);
            match fs::create_dir(&path) {
                Ok(()) => {
                    let lock = File::create_new(path.join(LOCK)).inspect_err(|_| {
                        let _ = fs::remove_dir(&path);
                    })?;
                    let _ = lock.lock();
                    return Ok(Work { path, _lock: lock });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Ends the work and leaves the folder for the next one to look at.
    fn leave(self) {
        std::mem::forget(self);
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        // What a result could not replace is still in its place: this folder has nothing of value.
        remove(&self.path);
    }
}

/// Removes work folders that killed processes left, and brings back what they had moved aside.
fn clean_stale(place: &Path) {
    for entry in unfinished_beside(place) {
        let path = entry.path();
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) || !is_stale(&path) {
            continue;
        }
        let aside = path.join(ASIDE);
        if aside.exists() && fs::symlink_metadata(place).is_err() {
            // Killed between the two renamings: the old result comes back.
            if fs::rename(&aside, place).is_err() {
                continue;
            }
        } else if aside.exists() {
            let ours =
                Head::read(&aside).map_or_else(|_| BTreeSet::new(), |(head, _)| head.own_files());
            let lost = |name: &PathBuf| fs::symlink_metadata(place.join(name)).is_err();
            if foreign(&aside, &ours).is_ok_and(|names| names.iter().any(lost)) {
                continue; // somebody's files are nowhere else
            }
        }
        remove(&path);
    }
}

/// Removes a work folder, its lock last: a process that is killed here leaves one that the next write recognises.
fn remove(work: &Path) {
    for part in [NEW, ASIDE] {
        let _ = fs::remove_dir_all(work.join(part));
    }
    let _ = fs::remove_dir_all(work);
}

/// Whether the process of a work folder is gone.
fn is_stale(work: &Path) -> bool {
    if let Ok(lock) = File::open(work.join(LOCK)) {
        return lock.try_lock().is_ok();
    }
    let age = fs::metadata(work).and_then(|data| data.modified()).ok();
    age.and_then(|changed| changed.elapsed().ok()).is_some_and(|age| age > UNLOCKED)
}
