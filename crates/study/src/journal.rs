//! An append-only file of finished runs: whatever ends the program, what it had is there when it starts again.
//!
//! The first line says what the file is and what it keeps. A record is a line: a checksum, a space, JSON. A line that was cut by a crash is recognised by its checksum and dropped. One program
//! at a time writes to a journal; the lock goes with the program.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// After power loss at most this time is missing.
const SYNCED: Duration = Duration::from_secs(1);

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
    /// The operating system reported an error.
    #[error("'{}': {cause}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        cause: std::io::Error,
    },
    /// It is something else, or keeps something else.
    #[error("'{}' does not keep the runs of a {wanted}: choose another folder with --out FOLDER", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What it should keep.
        wanted: &'static str,
    },
    /// A line in its middle is not what was written.
    #[error("'{}', line {line}: its checksum is wrong; the file was changed or damaged. Remove it to run everything again, or choose another folder", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
}

/// A journal that is open for writing.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    /// `None`: what is appended is not kept.
    file: Option<File>,
    synced: Instant,
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
        let failed = |cause| JournalError::Io { path: path.to_owned(), cause };
        let open = OpenOptions::new().read(true).append(true).create(true).open(path);
        let mut file = open.map_err(failed)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(std::fs::TryLockError::WouldBlock) => {
                return Err(JournalError::InUse { path: path.to_owned() });
            }
            Err(std::fs::TryLockError::Error(cause)) => return Err(failed(cause)),
        }
        let (mut records, mut good, mut bad) = (Vec::new(), 0_u64, None);
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
            match record(&line) {
                // Only the line that was written last can be torn.
                _ if bad.is_some() => {
                    let line = bad.unwrap_or(number);
                    return Err(JournalError::Damaged { path: path.to_owned(), line });
                }
                Some(record) => {
                    records.push(record);
                    good += length as u64;
                }
                None => bad = Some(number),
            }
        }
        drop(lines);
        file.set_len(good).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        if good == 0 {
            file.write_all(head.as_bytes()).map_err(failed)?;
        }
        Ok((Journal { path: path.to_owned(), file: Some(file), synced: Instant::now() }, records))
    }

    /// A journal that keeps nothing, for runs that are looked at once.
    pub fn nowhere() -> Self {
        Journal { path: PathBuf::new(), file: None, synced: Instant::now() }
    }

    /// Whether a file is a journal of any kind.
    pub fn is_one(path: &Path) -> bool {
        let mut start = Vec::new();
        let open = File::open(path).map(|file| file.take(HEAD));
        let read = open.and_then(|mut file| file.read_to_end(&mut start));
        read.is_ok() && start.starts_with(HEADING.as_bytes())
    }

    /// Appends a record. It survives the end of the program at once, and loss of power after a second.
    ///
    /// # Errors
    /// [`JournalError::Io`].
    pub fn append(&mut self, record: &impl Serialize) -> Result<(), JournalError> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let failed = |cause| JournalError::Io { path: self.path.clone(), cause };
        let text = serde_json::to_string(record).map_err(|error| failed(error.into()))?;
        let line = format!("{:016x} {text}\n", checksum(text.as_bytes()));
        file.write_all(line.as_bytes()).map_err(failed)?;
        if self.synced.elapsed() > SYNCED {
            file.sync_data().map_err(failed)?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

/// How the first line begins.
const HEADING: &str = "# jointplay journal 1: ";

/// The first line is not longer (bytes).
const HEAD: u64 = 100;

fn head(keeps: &str) -> String {
    format!("{HEADING}{keeps}\n")
}

/// The record of a line, if it is complete.
fn record<R: DeserializeOwned>(line: &[u8]) -> Option<R> {
    let text = std::str::from_utf8(line).ok()?.strip_suffix('\n')?;
    let (sum, text) = text.split_once(' ')?;
    if u64::from_str_radix(sum, 16).ok()? != checksum(text.as_bytes()) {
        return None;
    }
    serde_json::from_str(text).ok()
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
        // A change in the middle is not a torn line.
        let mut changed = whole.clone();
        let first = changed.iter().position(|b| *b == b'\n').expect("a head") + 1;
        changed[first + 20] ^= 1;
        std::fs::write(&path, &changed).expect("written");
        assert!(matches!(open(&path), Err(JournalError::Damaged { line: 2, .. })));
        // Nor are lines of another system, another kind of study, or a file of the user.
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
            assert!(open(&path).expect("a new journal").1.is_empty());
            assert_eq!(std::fs::read(&path).expect("bytes"), whole[..first]);
        }
    }
}
