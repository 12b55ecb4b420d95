//! Result folders: the files of a run.
//!
//! | file | what is in it |
//! |---|---|
//! | `channels.csv`, `channels.parquet` | time series; a header such as `slider.x [m]` carries the unit |
//! | `impacts.csv` | the impact table, one row for each contact episode |
//! | `modes.csv` | free flight, impacts and continuous contact of each joint |
//! | `summary.json` | the [`Summary`], with the time that the run took |
//! | `manifest.json` | the [`Manifest`]: program, format, settings, digests of the case, its files and the engine; no date |
//! | `model.toml` | the model as it was run, changes included; its tables lie beside it under their names |
//!
//! So a result folder has all that is needed to [run it again](crate::case::Case::open), and [`departures`] tells whether that
//! repeats the run. Whoever writes a result may add
//! files; `jointplay run` adds `report.html` and `figures/`.
//!
//! Numbers are written so that they read back to the same bits, and the same run leaves
//! the same bytes, except for the cost in `summary.json`. A folder is written completely or not at all. A result is replaced only by one of the same [`Origin`], and
//! files that do not belong to a result stay in its folder.

mod collection;
#[cfg(feature = "parquet")]
mod columns;
mod departure;
mod error;
mod folder;
mod origin;
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use jointplay_files::ReadError;
use serde::{Deserialize, Serialize};

use crate::case::{Digest, Loaded};
use crate::contacts::{ContactRecord, ImpactRow, ModeRow};
use crate::run::{Run, Settings};
use crate::series::{Channel, Channels};
use crate::summary::{Ending, Summary};
use folder::Target;

pub use collection::{Collection, Compared};
pub use departure::{Departure, departures};
pub use error::StoreError;
pub use folder::{Overwrite, check_target};
pub use origin::{Origin, Recorded};
#[cfg(feature = "threads")]
pub(crate) use table::{number, write as write_csv_table};

/// Version of the format that is written.
pub const FORMAT: u32 = 1;

/// Maximum size of manifest and summary (bytes).
const MAX_HEAD: u64 = 64 << 20;

/// Maximum size of a table (bytes).
const MAX_TABLE: u64 = 8 << 30;

const PROGRAM: &str = "jointplay";
const MANIFEST: &str = "manifest.json";
const SUMMARY: &str = "summary.json";
const CHANNELS: &str = "channels.csv";
const IMPACTS: &str = "impacts.csv";
const MODES: &str = "modes.csv";
const COLUMNS: &str = "channels.parquet";
/// The model as it was run.
pub(crate) const MODEL: &str = "model.toml";

/// Every name that a result or a collection gives to a file or folder in its own.
const NAMES: [&str; 11] = [
    MANIFEST,
    SUMMARY,
    CHANNELS,
    COLUMNS,
    IMPACTS,
    MODES,
    MODEL,
    "report.html",
    "laws.csv",
    "cases.csv",
    FIGURES,
];

/// The folder of figures, which may hold others too.
const FIGURES: &str = "figures";

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

/// Which program made a result, and from which input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// `jointplay`.
    pub program: String,
    /// Its version.
    pub version: String,
    /// Version of the format of the folder.
    pub format: u32,
    /// The digest that identifies the run; absent in results of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<Digest>,
    /// What identifies the sources of the engine; results of older programs do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub engine: Option<Digest>,
    /// The SHA-256 of each file that the run was made from: the model and its tables. Results of older programs do not have them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub inputs: BTreeMap<String, Digest>,
    /// Where the result comes from; results of older programs do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<Recorded>,
    /// Why the run ended.
    pub outcome: Ending,
    /// The settings of the run, as requested.
    pub settings: Asked,
    /// The channels, the time not included.
    pub channels: Vec<ChannelName>,
    /// The number of instants.
    pub samples: usize,
    /// Everything in the folder besides the manifest; a name with a slash lies in a folder of its own.
    pub files: Vec<String>,
}

impl Manifest {
    /// The name of the model.
    pub(crate) fn model_name(&self) -> Option<&str> {
        Some(self.settings.model.as_str()).filter(|name| !name.is_empty())
    }
}

/// The settings that were requested.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Asked {
    /// The name of the model.
    #[serde(default)]
    pub model: String,
    /// The changes, as flags of the command line.
    #[serde(default)]
    pub changes: Vec<String>,
    /// How it was integrated.
    #[serde(flatten)]
    pub run: Option<Settings>,
}

/// The fields of a manifest that every version has.
#[derive(Deserialize)]
struct Head {
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
        let damaged = |error: serde_json::Error| {
            let message = format!("the manifest of this result is damaged: {error}");
            StoreError::Content { path: path.clone(), message }
        };
        let value: serde_json::Value = serde_json::from_slice(&text).map_err(damaged)?;
        if value["program"] != PROGRAM {
            return Err(not_a_result());
        }
        // First the fields that every version has; in a newer one the rest may differ.
        let head: Head = serde_json::from_value(value).map_err(damaged)?;
        if head.format > FORMAT {
            return Err(StoreError::TooNew { path: folder.to_owned(), format: head.format });
        }
        Ok((head, text))
    }
}

/// What goes into a result folder.
#[derive(Clone, Debug)]
pub struct Contents<'a> {
    /// Where the run came from.
    pub origin: Origin,
    /// The settings of the run.
    pub settings: Asked,
    /// The summary.
    pub summary: Summary,
    /// Impact table and modes.
    pub contacts: &'a ContactRecord,
    /// The time series.
    pub channels: Channels,
    /// The files that the run was made from, the model and its tables, by their names; a slash puts one into a folder.
    pub inputs: Vec<(String, Vec<u8>)>,
    /// Further files by their names, such as figures.
    pub extra: Vec<(String, Vec<u8>)>,
    /// Whether running the folder again gives the same tables. What does not is not written.
    pub repeatable: bool,
}

impl<'a> Contents<'a> {
    /// The contents for a run: its model and tables, channels, impacts, modes and summary.
    pub fn of(run: &'a Run) -> Self {
        let Run { case, record, .. } = run;
        let mut inputs = vec![(MODEL.to_owned(), case.as_run().as_bytes().to_vec())];
        let tables = case.tables_as_run();
        let tables = tables.iter();
        inputs.extend(tables.map(|(name, text)| (file_of(name), text.as_bytes().to_vec())));
        let origin = Origin::of(case);
        let settings = Asked {
            model: case.name.clone(),
            changes: origin.changes.clone(),
            run: Some(Settings::from(&case.model.run)),
        };
        Contents {
            origin,
            settings,
            summary: run.summary(),
            contacts: &record.contacts,
            channels: run.asked(),
            inputs,
            extra: Vec::new(),
            repeatable: !case.is_resampled(),
        }
    }

    /// Writes the folder completely or not at all. Its parent is created if it is missing.
    ///
    /// # Errors
    /// [`StoreError`]; the existing files are then unchanged.
    pub fn write(&self, folder: &Path, overwrite: Overwrite) -> Result<(), StoreError> {
        if !self.repeatable {
            return Err(StoreError::OtherInstants);
        }
        folder::check_target(folder, overwrite, &self.origin)?; // before the work
        let target = Target::new(folder)?;
        let mut files = self.files()?;
        let names = files.iter().map(|(name, _)| name.clone()).collect();
        let manifest = self.manifest(target.folder(), names);
        files.push((MANIFEST.to_owned(), json(&manifest)));
        target.write(&files, overwrite, &self.origin)
    }

    /// Writes what can be written: a file with a name that it may not have is left out. Returns the names of the files left out.
    ///
    /// # Errors
    /// As [`write`](Self::write), but never because of the name of a file.
    pub fn rescue(&self, folder: &Path) -> Result<Vec<String>, StoreError> {
        let mut kept = self.clone();
        let mut left_out = Vec::new();
        loop {
            match kept.write(folder, Overwrite::Result) {
                Err(StoreError::FileName { name, .. }) => {
                    // The last of this name: an earlier one may be good.
                    let lists = [&mut kept.extra, &mut kept.inputs];
                    for list in lists {
                        if let Some(i) = list.iter().rposition(|(other, _)| *other == name) {
                            list.remove(i);
                            break;
                        }
                    }
                    left_out.push(name);
                }
                written => return written.map(|()| left_out),
            }
        }
    }

    fn manifest(&self, folder: &Path, files: Vec<String>) -> Manifest {
        let name = |c: &Channel| ChannelName { name: c.name.clone(), unit: c.unit.clone() };
        Manifest {
            program: PROGRAM.to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            format: FORMAT,
            digest: Some(self.origin.digest.clone()),
            engine: Some(Digest::of_engine()),
            inputs: self.inputs.iter().map(|(n, b)| (n.clone(), Digest::of_bytes(b))).collect(),
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
        check(&self.channels)?;
        let mut files = vec![
            (CHANNELS.to_owned(), table::channels(&self.channels)),
            (IMPACTS.to_owned(), table::impacts(self.contacts)),
            (MODES.to_owned(), table::modes(self.contacts)),
            (SUMMARY.to_owned(), json(&self.summary)),
        ];
        #[cfg(feature = "parquet")]
        {
            files.push((COLUMNS.to_owned(), parquet(&self.channels)?));
        }
        let names = files.iter().map(|(name, _)| name.as_str()).chain([MANIFEST]);
        let mut taken = Taken(names.map(PathBuf::from).collect());
        for (name, bytes) in self.inputs.iter().chain(&self.extra) {
            let error = |message| StoreError::FileName { name: name.clone(), message };
            let plain = |c: Component<'_>| matches!(c, Component::Normal(_));
            if name.is_empty() || name.contains('\\') || !Path::new(name).components().all(plain) {
                return Err(error("it must be relative and stay inside"));
            }
            if !taken.takes(name.into()) {
                return Err(error("such a file already exists"));
            }
            files.push((name.clone(), bytes.clone()));
        }
        Ok(files)
    }
}

/// The name of a table in a result folder: that in the model, without the dots that it may begin with.
fn file_of(table: &str) -> String {
    let parts = Path::new(table).components().filter_map(|part| match part {
        Component::Normal(name) => name.to_str(),
        _ => None,
    });
    parts.collect::<Vec<_>>().join("/")
}

/// The first table of a case, if there is one, that its result could not hold: a file of the result, or another table, has its
/// name. Names that differ only in case count as one, because some file systems cannot tell them apart.
pub fn table_in_the_way(case: &Loaded) -> Option<&str> {
    let mut taken = Taken(NAMES.iter().map(PathBuf::from).collect());
    case.tables()
        .map(|(name, _)| name)
        .find(|name| !taken.takes(file_of(name).to_lowercase().into()))
}

/// The names that are taken in a folder. A file is no folder: neither of two may lie in the other.
struct Taken(BTreeSet<PathBuf>);

impl Taken {
    /// Takes a name if it is free.
    fn takes(&mut self, name: PathBuf) -> bool {
        // Paths are ordered by their components, so that what lies in a folder follows its name.
        let inside =
            self.0.range(name.clone()..).next().is_some_and(|next| next.starts_with(&name));
        let free = !inside && !name.ancestors().any(|folder| self.0.contains(folder));
        if free {
            self.0.insert(name);
        }
        free
    }
}

fn json(value: &impl Serialize) -> Vec<u8> {
    // Strings, numbers and lists under names that are strings: nothing in them can fail.
    let mut text = serde_json::to_vec_pretty(value).unwrap_or_default();
    text.push(b'\n');
    text
}

/// Checks names and lengths.
fn check(channels: &Channels) -> Result<(), StoreError> {
    let mut names = BTreeSet::from(["time"]);
    for Channel { name, values, .. } in &channels.channels {
        let error = |message| StoreError::Channel { name: name.clone(), message };
        if !names.insert(name) {
            return Err(error("two columns have this name"));
        }
        if values.len() != channels.times.len() {
            return Err(error("it does not have one value for each time"));
        }
    }
    Ok(())
}

/// Channels as a Parquet file, as in a result folder.
///
/// # Errors
/// [`StoreError::Channel`] if they cannot be columns of one table.
#[cfg(feature = "parquet")]
pub fn parquet(channels: &Channels) -> Result<Vec<u8>, StoreError> {
    check(channels)?;
    columns::bytes(channels).map_err(|error| StoreError::content(Path::new(COLUMNS), &error))
}

/// Header and values of every column, the time first.
fn columns(channels: &Channels) -> impl Iterator<Item = (String, &[f64])> {
    let time = ("time [s]".to_owned(), channels.times.as_slice());
    let rest = channels.channels.iter().map(|Channel { name, unit, values }| {
        let header = ChannelName { name: name.clone(), unit: unit.clone() }.header();
        (header, values.as_slice())
    });
    std::iter::once(time).chain(rest)
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
    /// [`StoreError::NotAResult`], [`StoreError::TooNew`], or an error of reading.
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

    /// Where the result came from.
    pub(crate) fn origin(&self) -> Option<Origin> {
        self.manifest.origin.as_ref().map(|origin| origin.origin(&self.folder))
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
