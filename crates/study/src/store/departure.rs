//! Whether running a result folder again repeats the run whose manifest it holds.

use std::fmt;

use super::{MODEL, Store, file_of};
use crate::case::{Digest, Loaded};

/// One way in which a result folder is no longer what its manifest describes, so that running it again may give another result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Departure {
    /// The model, or one of its tables, was changed after the run.
    Changed {
        /// Its name in the folder.
        file: String,
    },
    /// The model refers to a table that it did not refer to in the run.
    Added {
        /// Its name in the folder.
        file: String,
    },
    /// Neither the files nor the engine differ, but the digest in the manifest is not theirs.
    Manifest,
    /// The result was made by other sources of the engine.
    Engine {
        /// The version of that program.
        version: String,
    },
    /// The digest differs, and the manifest is too old to tell why.
    Unknown {
        /// The version of the program that made the result.
        version: String,
    },
}

impl Departure {
    /// Whether only the engine differs: the input is the same, and the result should be the same up to rounding.
    pub fn is_engine(&self) -> bool {
        matches!(self, Departure::Engine { .. })
    }
}

impl fmt::Display for Departure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let no_repetition = "running this folder again does not repeat its result";
        match self {
            Departure::Changed { file } => {
                write!(f, "'{file}' was changed after the run: {no_repetition}")
            }
            Departure::Added { file } => {
                write!(f, "'{file}' was not part of the run: {no_repetition}")
            }
            Departure::Manifest => write!(
                f,
                "the digest in manifest.json is not that of the model and its tables, so the manifest was changed after the run"
            ),
            Departure::Engine { version } => write!(
                f,
                "the result was made by other sources of the engine (jointplay {version}): running it again may give other bits"
            ),
            Departure::Unknown { version } => write!(
                f,
                "the digest in manifest.json is not that of the model and its tables: they were changed after the run, or another \
                 program made the result (jointplay {version}); running this folder again may not repeat its result"
            ),
        }
    }
}

/// How a case that was opened from a result folder differs from the run in that folder, apart from changes that were made to the
/// case since; empty where it is the same, and for a case from elsewhere. Comments and the layout of the model do not count.
pub fn departures(case: &Loaded) -> Vec<Departure> {
    let Some(manifest) = case.case.stored().map(Store::manifest) else { return Vec::new() };
    let unchanged = case.case.changes().is_empty();
    if unchanged && manifest.digest.as_ref() == Some(case.digest()) {
        return Vec::new();
    }
    let version = || manifest.version.clone();
    if manifest.engine.is_none() || manifest.inputs.is_empty() {
        return vec![Departure::Unknown { version: version() }];
    }
    let model = std::iter::once((MODEL.to_owned(), case.case.text()));
    let files = model.chain(case.tables().map(|(name, text)| (file_of(name), text)));
    let differs = |(file, text): (String, &str)| match manifest.inputs.get(&file) {
        Some(old) if *old == Digest::of_bytes(text.as_bytes()) => None,
        Some(_) => Some(Departure::Changed { file }),
        // A change to the case may refer to a table that lies in the folder.
        None => unchanged.then_some(Departure::Added { file }),
    };
    let mut found: Vec<Departure> = files.filter_map(differs).collect();
    if manifest.engine != Some(Digest::of_engine()) {
        found.push(Departure::Engine { version: version() });
    }
    if found.is_empty() && unchanged {
        found.push(Departure::Manifest);
    }
    found
}
