//! Result folders: what a run leaves on disk.
//!
//! | file | what is in it |
//! |---|---|
//! | `channels.csv`, `channels.parquet` | time series; a header such as `slider.x [m]` carries the unit |
//! | `impacts.csv` | the impact table, one row for each contact episode |
//! | `modes.csv` | free flight, impacts and continuous contact of each joint |
//! | `summary.json` | the [`Summary`], with the time that the run took |
//! | `manifest.json` | the [`Manifest`]: program, format, settings, hash of the model; no date |
//!
//! Whoever writes a result may add files; `jointplay run` adds `report.html`, `figures/`, and `model.toml`, the model file as
//! it was run, changes included, unless it needs tables of other files.
//!
//! Numbers are written so that they read back to the same bits, and but for the cost in `summary.json` the same run leaves
//! the same bytes. A folder appears whole or not at all. A result is replaced only by one of the same [`Origin`], and files
//! that no result wrote stay in its folder.

#[cfg(feature = "parquet")]
mod columns;
mod folder;
mod origin;
mod table;

use std::collections::BTreeSet;
use std::io;
use std::path::{Component, Path, PathBuf};

use jointplay_files::ReadError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::contacts::ContactRecord;
use crate::run::{Ending, Summary};
use folder::Target;

pub use folder::{Overwrite, check_target};
pub use origin::{Origin, Recorded};
pub use table::{ImpactRow, ModeRow};

/// Version of the format that is written.
pub const FORMAT: u32 = 1;

/// Manifest and summary may be so long (bytes).
const MAX_HEAD: u64 = 64 << 20;

/// Tables may be so long (bytes).
const MAX_TABLE: u64 = 8 << 30;

const PROGRAM: &str = "jointplay";
const MANIFEST: &str = "manifest.json";
const SUMMARY: &str = "summary.json";
const CHANNELS: &str = "channels.csv";
const IMPACTS: &str = "impacts.csv";
const MODES: &str = "modes.csv";
const COLUMNS: &str = "channels.parquet";

/// Every name that a result or a collection gives to a file or folder in its own.
const NAMES: [&str; 10] = [
    MANIFEST,
    SUMMARY,
    CHANNELS,
    COLUMNS,
    IMPACTS,
    MODES,
    "model.toml",
    "report.html",
    "laws.csv",
    FIGURES,
];

/// The folder of figures, which may hold others too.
const FIGURES: &str = "figures";

/// A time series.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name, such as `slider.x`.
    pub name: String,
    /// Its unit, `-` for a pure number.
    pub unit: String,
    /// One value for each time; NaN where there is none.
    pub values: Vec<f64>,
}

/// Time series over common times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Channels {
    /// The times (s). At an event two of them are the same.
    pub times: Vec<f64>,
    /// The series.
    pub channels: Vec<Channel>,
}

/// Name and unit of a channel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChannelName {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
}

impl ChannelName {
    /// As in the header of a table: `slider.x [m]`.
    fn header(&self) -> String {
        format!("{} [{}]", self.name, self.unit)
    }
}

/// Which program made a result, from what.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// `jointplay`.
    pub program: String,
    /// Its version.
    pub version: String,
    /// Version of the format of the folder.
    pub format: u32,
    /// SHA-256 of the model, in hexadecimal digits.
    pub model_sha256: String,
    /// Where the result comes from; results of programs before this was recorded have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Recorded>,
    /// Why the run ended.
    pub outcome: Ending,
    /// The settings of the run.
    pub settings: serde_json::Value,
    /// The channels, the time not included.
    pub channels: Vec<ChannelName>,
    /// The number of instants.
    pub samples: usize,
    /// Everything in the folder besides the manifest; a name with a slash lies in a folder of its own.
    pub files: Vec<String>,
}

/// The part of a manifest that every version has.
#[derive(Deserialize)]
struct Head {
    program: String,
    format: u32,
    /// `collection` where the folder holds no single run.
    #[serde(default)]
    kind: Option<String>,
    #[serde(default)]
    files: Vec<String>,
    #[serde(default)]
    origin: Option<Recorded>,
}

impl Head {
    /// Every file that the result wrote.
    fn own_files(&self) -> BTreeSet<PathBuf> {
        self.files.iter().map(PathBuf::from).chain([PathBuf::from(MANIFEST)]).collect()
    }

    fn read(folder: &Path) -> Result<(Self, Vec<u8>), StoreError> {
        let not_a_result = || StoreError::NotAResult { path: folder.to_owned() };
        let path = folder.join(MANIFEST);
        let text = match jointplay_files::read(&path, MAX_HEAD) {
            Ok(text) => text,
            Err(ReadError::Io(error))
                if error.kind() == io::ErrorKind::NotFound && folder.exists() =>
            {
                return Err(not_a_result());
            }
            Err(error) => return Err(StoreError::read(&path)(error)),
        };
        // First what every version has: in a newer one the rest may be another.
        let head: Head = serde_json::from_slice(&text).map_err(|_| not_a_result())?;
        if head.program != PROGRAM {
            return Err(not_a_result());
        }
        if head.format > FORMAT {
            return Err(StoreError::TooNew { path: folder.to_owned(), format: head.format });
        }
        Ok((head, text))
    }
}

/// A folder that shows several runs together, such as the page of a comparison. It appears whole or not at all, and
/// replaces only what the program wrote.
#[derive(Clone, Debug)]
pub struct Collection {
    /// What the runs are of.
    pub origin: Origin,
    /// What was asked for, as it is to be shown.
    pub settings: serde_json::Value,
    /// The files by their names.
    pub files: Vec<(String, Vec<u8>)>,
}

impl Collection {
    /// Writes the folder.
    ///
    /// # Errors
    /// As [`Contents::write`].
    pub fn write(mut self, folder: &Path, overwrite: Overwrite) -> Result<(), StoreError> {
        folder::check_target(folder, overwrite, &self.origin)?;
        let target = Target::new(folder)?;
        let names: Vec<&String> = self.files.iter().map(|(name, _)| name).collect();
        let manifest = serde_json::json!({
            "program": PROGRAM,
            "version": env!("CARGO_PKG_VERSION"),
            "format": FORMAT,
            "kind": "collection",
            "origin": self.origin.record(target.folder()),
            "settings": self.settings,
            "files": names,
        });
        self.files.push((MANIFEST.to_owned(), json(&manifest)));
        target.write(&self.files, overwrite, &self.origin)
    }
}

/// Why a result was not written or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// Reading or writing failed.
    #[error("{}: {source}", path.display())]
    Io {
        /// Where.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The path has no name that a folder could bear.
    #[error("'{}' is no name for a result folder", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// Something else is where the result should be.
    #[error("'{}' exists and is no result of this program", path.display())]
    NotAResult {
        /// The path.
        path: PathBuf,
    },
    /// A file is where it should be.
    #[error("'{}' is a file: give another name for the folder", path.display())]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// Nothing can be written there.
    #[error(
        "the result cannot be written to '{}': in '{}' nothing can be made ({source})",
        path.display(), folder.display()
    )]
    NotWritable {
        /// The path.
        path: PathBuf,
        /// The folder that takes nothing.
        folder: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The result of something else is there.
    #[error(
        "'{}' holds the result of {holds}, and this is {wanted}: give another folder, or allow it to be replaced",
        path.display()
    )]
    OtherInput {
        /// The path.
        path: PathBuf,
        /// What is there.
        holds: String,
        /// What was to be written.
        wanted: String,
    },
    /// A file of the user's has a name that the result needs.
    #[error(
        "'{}' holds '{found}', which no result wrote and whose name this one needs: move it, or give another folder",
        path.display()
    )]
    Foreign {
        /// The path.
        path: PathBuf,
        /// What was found.
        found: String,
    },
    /// A result is there, and nothing may be replaced.
    #[error("'{}' exists", path.display())]
    Exists {
        /// The path.
        path: PathBuf,
    },
    /// The folder shows several runs together and is not the result of one.
    #[error("'{}' shows several runs together: open its report.html", path.display())]
    Collection {
        /// The path.
        path: PathBuf,
    },
    /// The format is newer than the program.
    #[error(
        "'{}' has format {format}, this program reads up to {FORMAT}: take a newer one",
        path.display()
    )]
    TooNew {
        /// The path.
        path: PathBuf,
        /// Its format.
        format: u32,
    },
    /// A file does not hold what it should.
    #[error("{}: {message}", path.display())]
    Content {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// A channel has a name that another one has, or not one value for each time.
    #[error("channel '{name}': {message}")]
    Channel {
        /// Its name.
        name: String,
        /// What is wrong.
        message: &'static str,
    },
    /// An extra file has a name that it may not have.
    #[error("'{name}' is no name for a file of a result: {message}")]
    FileName {
        /// The name.
        name: String,
        /// What is wrong.
        message: &'static str,
    },
}

impl StoreError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> StoreError {
        let path = path.to_owned();
        move |source| StoreError::Io { path, source }
    }

    fn read(path: &Path) -> impl FnOnce(ReadError) -> StoreError {
        let path = path.to_owned();
        move |error| match error {
            ReadError::Io(source) => StoreError::Io { path, source },
            error => StoreError::Content { message: format!("it {error}"), path },
        }
    }

    fn content(path: &Path, error: &impl ToString) -> StoreError {
        StoreError::Content { path: path.to_owned(), message: error.to_string() }
    }
}

/// What goes into a result folder.
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// What the run is of.
    pub origin: Origin,
    /// The model as it was read, for its hash.
    pub model: &'a [u8],
    /// The settings of the run, as they are to be shown.
    pub settings: serde_json::Value,
    /// The summary.
    pub summary: &'a Summary,
    /// Impact table and modes.
    pub contacts: &'a ContactRecord,
    /// The time series.
    pub channels: &'a Channels,
    /// Further files by their names, such as figures; a slash puts one into a folder.
    pub extra: Vec<(String, Vec<u8>)>,
}

impl Contents<'_> {
    /// Writes the folder: whole, or not at all. Its parent is made if it is missing.
    ///
    /// # Errors
    /// [`StoreError`]; what was there before is then as it was.
    pub fn write(&self, folder: &Path, overwrite: Overwrite) -> Result<(), StoreError> {
        folder::check_target(folder, overwrite, &self.origin)?; // before the work
        let target = Target::new(folder)?;
        let mut files = self.files()?;
        let names = files.iter().map(|(name, _)| name.clone()).collect();
        let manifest = self.manifest(target.folder(), names);
        files.push((MANIFEST.to_owned(), json(&manifest)));
        target.write(&files, overwrite, &self.origin)
    }

    fn manifest(&self, folder: &Path, files: Vec<String>) -> Manifest {
        let hash = Sha256::digest(self.model);
        let digits = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        let digits = digits.filter_map(|digit| char::from_digit(digit.into(), 16));
        let name = |c: &Channel| ChannelName { name: c.name.clone(), unit: c.unit.clone() };
        Manifest {
            program: PROGRAM.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            model_sha256: digits.collect(),
            origin: Some(self.origin.record(folder)),
            outcome: self.summary.outcome,
            settings: self.settings.clone(),
            channels: self.channels.channels.iter().map(name).collect(),
            samples: self.channels.times.len(),
            files,
        }
    }

    /// Every file but the manifest.
    fn files(&self) -> Result<Vec<(String, Vec<u8>)>, StoreError> {
        self.channels.check()?;
        let mut files = vec![
            (CHANNELS.to_owned(), table::channels(self.channels)),
            (IMPACTS.to_owned(), table::impacts(self.contacts)),
            (MODES.to_owned(), table::modes(self.contacts)),
            (SUMMARY.to_owned(), json(self.summary)),
        ];
        #[cfg(feature = "parquet")]
        {
            let bytes = columns::bytes(self.channels);
            let bytes = bytes.map_err(|error| StoreError::content(Path::new(COLUMNS), &error))?;
            files.push((COLUMNS.to_owned(), bytes));
        }
        for (name, bytes) in &self.extra {
            let error = |message| StoreError::FileName { name: name.clone(), message };
            let plain = |c: Component<'_>| matches!(c, Component::Normal(_));
            if name.is_empty() || name.contains('\\') || !Path::new(name).components().all(plain) {
                return Err(error("it must be relative and stay inside"));
            }
            if name == MANIFEST || files.iter().any(|(other, _)| other == name) {
                return Err(error("there is such a file already"));
            }
            files.push((name.clone(), bytes.clone()));
        }
        Ok(files)
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    // Strings, numbers and lists under names that are strings: nothing in them can fail.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

impl Channels {
    fn check(&self) -> Result<(), StoreError> {
        let mut names = BTreeSet::from(["time"]);
        for Channel { name, values, .. } in &self.channels {
            let error = |message| StoreError::Channel { name: name.clone(), message };
            if !names.insert(name) {
                return Err(error("there are two of this name"));
            }
            if values.len() != self.times.len() {
                return Err(error("it has not one value for each time"));
            }
        }
        Ok(())
    }

    /// The channel of this name.
    pub fn get(&self, name: &str) -> Option<&Channel> {
        self.channels.iter().find(|channel| channel.name == name)
    }

    /// Header and values of every column, the time first.
    fn columns(&self) -> impl Iterator<Item = (String, &[f64])> {
        let time = ("time [s]".to_owned(), self.times.as_slice());
        let rest = self.channels.iter().map(|Channel { name, unit, values }| {
            let header = ChannelName { name: name.clone(), unit: unit.clone() }.header();
            (header, values.as_slice())
        });
        std::iter::once(time).chain(rest)
    }
}

/// A result folder that was opened.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
    manifest: Manifest,
}

impl Store {
    /// Opens a result folder.
    ///
    /// # Errors
    /// [`StoreError::NotAResult`], [`StoreError::TooNew`], or what reading came upon.
    pub fn open(folder: &Path) -> Result<Self, StoreError> {
        let (head, text) = Head::read(folder)?;
        if head.kind.is_some() {
            return Err(StoreError::Collection { path: folder.to_owned() });
        }
        let path = folder.join(MANIFEST);
        let manifest =
            serde_json::from_slice(&text).map_err(|error| StoreError::content(&path, &error))?;
        Ok(Store { folder: folder.to_owned(), manifest })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The manifest.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The summary.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn summary(&self) -> Result<Summary, StoreError> {
        let path = self.folder.join(SUMMARY);
        let text = jointplay_files::read(&path, MAX_HEAD).map_err(StoreError::read(&path))?;
        serde_json::from_slice(&text).map_err(|error| StoreError::content(&path, &error))
    }

    /// The time series.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn channels(&self) -> Result<Channels, StoreError> {
        let Manifest { channels, samples, .. } = &self.manifest;
        table::read_channels(&self.folder.join(CHANNELS), channels, *samples)
    }

    /// The impact table.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn impacts(&self) -> Result<Vec<ImpactRow>, StoreError> {
        table::read_rows(&self.folder.join(IMPACTS))
    }

    /// The modes of the joints.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn modes(&self) -> Result<Vec<ModeRow>, StoreError> {
        table::read_rows(&self.folder.join(MODES))
    }
}
