//! An append-only file of finished runs: however the program ends, they are available when it
//! starts again.
//!
//! The first line identifies the file and the data that it keeps. A record is a line: a checksum, a
//! space, JSON. A line that was cut by a crash is recognised by its checksum and dropped. Damaged
//! lines before the last are left out, and the file as it was stays beside the journal; all other
//! records are kept. One program at a time writes to a journal; the lock goes with the program.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::journal::sync::Syncer;

mod sync;

/// Why a journal cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum JournalError {
    /// Another program writes to it.
    #[error("'{}' is in use by another process: wait for it, or choose another folder", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// It cannot be created or opened.
    #[error("'{}' cannot be opened for writing: {cause}; choose another folder with --out FOLDER", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        cause: std::io::Error,
    },
    /// It cannot be read.
    #[error("'{}' cannot be read: {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        cause: std::io::Error,
    },
    /// A record could not be written, such as to a full disk.
    #[error("{}", cannot_write(path, cause))]
    Write {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        cause: std::io::Error,
    },
    /// The file is not a journal, or is a journal of something else.
    #[error("'{}' does not keep the runs of a {wanted}: choose another folder with --out FOLDER", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it should keep.
        wanted: &'static str,
    },
}

/// What to say if a file of a study cannot be written.
pub(crate) fn cannot_write(path: &Path, cause: &std::io::Error) -> String {
    format!(
        "'{}' cannot be written: {cause}; the runs that it has are kept, and the same command resumes from there",
        path.display()
    )
}

/// Damaged lines of a journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Their numbers, from 1.
    pub lines: Vec<usize>,
    /// The copy of the file as it was; `None` if it could not be made, and the lines are still in the journal.
    pub copy: Option<PathBuf>,
}

impl std::fmt::Display for Damage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const SHOWN: usize = 10;
        let shown: Vec<String> = self.lines.iter().take(SHOWN).map(ToString::to_string).collect();
        let plural = if self.lines.len() == 1 { "" } else { "s" };
        let more = if self.lines.len() > SHOWN { ", ..." } else { "" };
        write!(f, "line{plural} {}{more} of the journal ", shown.join(", "))?;
        write!(f, "{} damaged: ", if self.lines.len() == 1 { "is" } else { "are" })?;
        write!(f, "the lost runs are repeated, all other runs are kept")?;
        match &self.copy {
            Some(copy) => write!(f, "; the damaged file is '{}'", copy.display()),
            None => Ok(()),
        }
    }
}

/// A record that has a key: records with the same key are the same.
pub trait Keyed {
    /// What it is known by.
    type Key: Eq + std::hash::Hash;

    /// Its key.
    fn key(&self) -> Self::Key;
}

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// `None`: appended rows are not stored.
    file: Option<File>,
    /// The damaged file that this one has replaced: processes that opened it before find it locked.
    replaced: Option<File>,
    damage: Option<Damage>,
    /// `None` before the first record.
    syncer: Option<Syncer>,
}

impl Journal {
    /// Opens a journal that keeps the runs of this kind of study, which is made if it is missing, and returns its records. An
    /// unfinished last line is cut off.
    ///
    /// # Errors
    /// [`JournalError`].
    pub fn open<R: DeserializeOwned>(
        path: &Path,
        keeps: &'static str,
    ) -> Result<(Self, Vec<R>), JournalError> {
        let (journal, records) = Self::open_placed(path, keeps)?;
        Ok((journal, records.into_iter().map(|(record, _)| record).collect()))
    }

    /// The same with the place of every record, from which [`read`](Self::read) reads it again.
    ///
    /// # Errors
    /// [`JournalError`].
    pub(crate) fn open_placed<R: DeserializeOwned>(
        path: &Path,
        keeps: &'static str,
    ) -> Result<(Self, Vec<(R, u64)>), JournalError> {
        let failed = |cause| JournalError::Io { path: path.to_owned(), cause };
        let open = OpenOptions::new().read(true).append(true).create(true).open(path);
        let unopened = |cause| JournalError::Open { path: path.to_owned(), cause };
        let mut file = open.map_err(unopened)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(JournalError::InUse { path: path.to_owned() });
            }
            Err(std::fs::TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        let (mut records, mut good, mut bad) = (Vec::new(), 0_u64, Vec::new());
        // Where records will be once the damaged lines are gone.
        let mut lost = 0_u64;
        let head = head(keeps);
        let mut lines = BufReader::new(&mut file);
        let mut line = Vec::new();
        let length = (&mut lines).take(HEAD).read_until(b'\n', &mut line).map_err(failed)?;
        let is_new = head.as_bytes().starts_with(&line);
        if !is_new && line != head.as_bytes() {
            return Err(JournalError::Other { path: path.to_owned(), wanted: keeps });
        }
        if line == head.as_bytes() {
            good += length as u64;
        }
        for number in 2.. {
            line.clear();
            let length = lines.read_until(b'\n', &mut line).map_err(failed)?;
            if length == 0 {
                break;
            }
            match content(&line) {
                // A record of another version of this program stays where it is.
                Some(text) => {
                    if let Ok(record) = serde_json::from_str(text) {
                        records.push((record, good, good - lost));
                    }
                }
                // Only the line that was written last can be torn.
                None if !line.ends_with(b"\n") => break,
                None => {
                    bad.push(number);
                    lost += length as u64;
                }
            }
            good += length as u64;
        }
        drop(lines);
        let unwritten = |cause| JournalError::Write { path: path.to_owned(), cause };
        file.set_len(good).map_err(unwritten)?;
        file.seek(SeekFrom::End(0)).map_err(unwritten)?;
        if good == 0 {
            file.write_all(head.as_bytes()).map_err(unwritten)?;
            file.sync_all().map_err(unwritten)?;
            sync::entry_of(path);
        }
        let journal = Journal {
            path: path.to_owned(),
            file: Some(file),
            replaced: None,
            damage: None,
            syncer: None,
        };
        let journal = if bad.is_empty() { journal } else { journal.mended(bad) };
        let mended = journal.replaced.is_some();
        let placed = records
            .into_iter()
            .map(|(record, before, after)| (record, if mended { after } else { before }));
        Ok((journal, placed.collect()))
    }

    /// The same without its damaged lines; a copy of the damaged file is kept. If that is not
    /// possible, the lines stay.
    fn mended(mut self, lines: Vec<usize>) -> Self {
        let (copy, file) = match mend(&self.path, &lines) {
            Ok((copy, file)) => (Some(copy), Some(file)),
            Err(_) => (None, None),
        };
        if let Some(file) = file {
            self.replaced = self.file.replace(file);
        }
        self.damage = Some(Damage { lines, copy });
        self
    }

    /// The lines that were damaged when it was opened.
    pub fn damage(&self) -> Option<&Damage> {
        self.damage.as_ref()
    }

    /// A journal that keeps nothing, for runs whose results are used once.
    pub fn nowhere() -> Self {
        Journal { path: PathBuf::new(), file: None, replaced: None, damage: None, syncer: None }
    }

    /// Whether a file is a journal of any kind, or as much of its first line as was written before the program was killed.
    pub fn is_one(path: &Path) -> bool {
        let mut start = Vec::new();
        let open = File::open(path).map(|file| file.take(HEAD));
        let read = open.and_then(|mut file| file.read_to_end(&mut start));
        let heading = HEADING.as_bytes();
        read.is_ok() && (start.starts_with(heading) || heading.starts_with(&start))
    }

    /// Appends a record. It survives the end of the program at once, and loss of power after a second.
    ///
    /// # Errors
    /// [`JournalError::Write`].
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), JournalError> {
        self.append_placed(record).map(|_| ())
    }

    /// The same; returns the place of the record, `None` if the journal keeps nothing.
    ///
    /// # Errors
    /// [`JournalError::Write`].
    pub(crate) fn append_placed(
        &mut self,
        record: &impl Serialize,
    ) -> Result<Option<u64>, JournalError> {
        let Some(file) = &mut self.file else { return Ok(None) };
        let failed = |cause| JournalError::Write { path: self.path.clone(), cause };
        let text = serde_json::to_string(record).map_err(|error| failed(error.into()))?;
        let line = format!("{:016x} {text}\n", checksum(text.as_bytes()));
        let place = file.seek(SeekFrom::End(0)).map_err(failed)?;
        file.write_all(line.as_bytes()).map_err(failed)?;
        let syncer = match self.syncer.take() {
            Some(syncer) => syncer,
            None => Syncer::of(file).map_err(failed)?,
        };
        self.syncer.insert(syncer).written().map_err(failed)?;
        Ok(Some(place))
    }

    /// Reads the record at a place again.
    ///
    /// # Errors
    /// [`JournalError::Io`], also if somebody has changed the file.
    pub(crate) fn read<R: DeserializeOwned>(&mut self, place: u64) -> Result<R, JournalError> {
        let failed = |cause| JournalError::Io { path: self.path.clone(), cause };
        let changed = || std::io::Error::other("the file was changed by another program");
        let file = self.file.as_mut().ok_or_else(|| failed(changed()))?;
        let mut line = Vec::new();
        file.seek(SeekFrom::Start(place)).map_err(failed)?;
        BufReader::new(file).read_until(b'\n', &mut line).map_err(failed)?;
        let record = content(&line).and_then(|text| serde_json::from_str(text).ok());
        record.ok_or_else(|| failed(changed()))
    }
}

/// How the first line begins.
const HEADING: &str = "# jointplay journal 1: ";

/// The first line is not longer (bytes).
const HEAD: u64 = 100;

fn head(keeps: &str) -> String {
    format!("{HEADING}{keeps}\n")
}

/// Copies a journal, and puts one without these lines in its place: where the copy is, and the new file, which is locked.
fn mend(path: &Path, damaged: &[usize]) -> std::io::Result<(PathBuf, File)> {
    let copy = (1..).map(|i| path.with_extension(format!("damaged-{i}.jsonl")));
    let copy = copy.into_iter().find(|copy| !copy.exists()).unwrap_or_default();
    std::fs::copy(path, &copy)?;
    File::open(&copy)?.sync_all()?;
    let new = jointplay_files::unused_beside(path);
    let mut file = OpenOptions::new().read(true).append(true).create_new(true).open(&new)?;
    let written = file.try_lock().map_err(std::io::Error::from).and_then(|()| {
        let mut number = 0;
        let mut line = Vec::new();
        let mut lines = BufReader::new(File::open(&copy)?);
        while lines.read_until(b'\n', &mut line)? > 0 {
            number += 1;
            if !damaged.contains(&number) {
                file.write_all(&line)?;
            }
            line.clear();
        }
        file.sync_all()?;
        std::fs::rename(&new, path)
    });
    if let Err(error) = written {
        drop(std::fs::remove_file(&new));
        return Err(error);
    }
    Ok((copy, file))
}

/// The content of a line, if it is complete.
fn content(line: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (sum, text) = text.split_once(' ')?;
    (u64::from_str_radix(sum, 16).ok()? == checksum(text.as_bytes())).then_some(text)
}

/// FNV-1a with 64 bits, which is the same everywhere.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> Result<(Journal, Vec<(u32, f64)>), JournalError> {
        Journal::open(path, "sweep")
    }

    #[test]
    fn property_what_was_written_is_there_and_a_torn_line_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.jsonl");
        let (mut journal, none) = open(&path).expect("a new journal");
        assert!(none.is_empty());
        assert!(matches!(open(&path), Err(JournalError::InUse { .. })));
        let records = [(1, 0.1), (2, 1.0 / 3.0), (3, 5e-324)];
        for record in &records {
            journal.append(record).expect("written");
        }
        drop(journal);
        assert_eq!(open(&path).expect("the journal").1, records);
        // Killed in the middle of a line, at every byte of it.
        let whole = std::fs::read(&path).expect("bytes");
        let second = whole.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2).expect("two").0;
        for end in second + 1..whole.len() {
            std::fs::write(&path, &whole[..end]).expect("written");
            let (mut journal, found) = open(&path).expect("the journal");
            assert_eq!(found, records[..2], "{end}");
            journal.append(&(4, 4.0)).expect("written");
            drop(journal);
            assert_eq!(open(&path).expect("the journal").1.last(), Some(&(4, 4.0)));
        }
        // A change in the middle takes away that line alone, and the file as it was stays beside the journal.
        let mut changed = whole.clone();
        let first = changed.iter().position(|b| *b == b'\n').expect("a head") + 1;
        changed[first + 20] ^= 1;
        for i in 1..3 {
            std::fs::write(&path, &changed).expect("written");
            let (journal, found) = open(&path).expect("the journal");
            assert_eq!(found, records[1..]);
            let damage = journal.damage().expect("it is damaged").clone();
            let copy = folder.path().join(format!("runs.damaged-{i}.jsonl"));
            assert_eq!((damage.lines, damage.copy.as_ref()), (vec![2], Some(&copy)));
            assert_eq!(std::fs::read(&copy).expect("a copy"), changed);
            assert!(matches!(open(&path), Err(JournalError::InUse { .. })));
            drop(journal);
            let (journal, found) = open(&path).expect("the journal");
            assert_eq!((journal.damage(), &found[..]), (None, &records[1..]));
        }
        // What another version of this program has written is neither known nor damaged, and stays.
        let (mut journal, _) = open(&path).expect("the journal");
        journal.append(&"another version").expect("written");
        journal.append(&(5, 5.0)).expect("written");
        drop(journal);
        let bytes = std::fs::read(&path).expect("bytes");
        let (journal, found) = open(&path).expect("the journal");
        assert_eq!((found.len(), journal.damage()), (3, None));
        assert_eq!(std::fs::read(&path).expect("bytes"), bytes);
        drop(journal);
        // Lines of another system, another kind of study, or a file of the user are refused, and stay.
        let text = String::from_utf8(whole.clone()).expect("text");
        for other in [text.replacen('\n', "\r\n", 9), text.replace("sweep", "tour"), "mine".into()]
        {
            std::fs::write(&path, &other).expect("written");
            assert!(open(&path).is_err(), "{other}");
            assert_eq!(std::fs::read_to_string(&path).expect("text"), other);
        }
        // Killed while the head was written.
        for end in 0..first {
            std::fs::write(&path, &whole[..end]).expect("written");
            assert!(Journal::is_one(&path), "{end}");
            assert!(open(&path).expect("a new journal").1.is_empty());
            assert_eq!(std::fs::read(&path).expect("bytes"), whole[..first]);
        }
    }
}
