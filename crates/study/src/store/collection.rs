//! A folder for several runs together.

use std::path::Path;

use serde::Serialize;

use super::folder::{Overwrite, Target, check_target};
use super::origin::{Origin, Recorded};
use super::{FORMAT, MANIFEST, PROGRAM, StoreError, json};

/// A folder for several runs together, such as the page of a comparison. It is written completely or not at all, and
/// replaces only files that the program wrote.
#[derive(Clone, Debug)]
pub struct Collection {
    /// Where the runs came from.
    pub origin: Origin,
    /// The settings that were requested.
    pub settings: Compared,
    /// The files by their names.
    pub files: Vec<(String, Vec<u8>)>,
}

/// The settings of a comparison.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Compared {
    /// The name of the model.
    pub model: String,
    /// The laws, if laws are compared.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<String>,
    /// The cases of the model file, if they are.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cases: Vec<String>,
    /// The changes, as flags of the command line.
    pub changes: Vec<String>,
}

impl Compared {
    /// Laws of a model.
    pub fn laws(model: &str, laws: &[String], changes: Vec<String>) -> Self {
        Compared { model: model.to_owned(), laws: laws.to_vec(), changes, ..Compared::default() }
    }

    /// Cases of a model file.
    pub fn cases(model: &str, cases: &[String], changes: Vec<String>) -> Self {
        Compared { model: model.to_owned(), cases: cases.to_vec(), changes, ..Compared::default() }
    }
}

/// The manifest of a collection.
#[derive(Serialize)]
struct CollectionManifest<'a> {
    program: &'static str,
    version: &'static str,
    format: u32,
    kind: &'static str,
    origin: Recorded,
    settings: &'a Compared,
    files: Vec<&'a String>,
}

impl Collection {
    /// Writes the folder.
    ///
    /// # Errors
    /// As [`Contents::write`](super::Contents::write).
    pub fn write(mut self, folder: &Path, overwrite: Overwrite) -> Result<(), StoreError> {
        check_target(folder, overwrite, &self.origin)?;
        let target = Target::new(folder)?;
        let names: Vec<&String> = self.files.iter().map(|(name, _)| name).collect();
        let manifest = json(&CollectionManifest {
            program: PROGRAM,
            version: env!("CARGO_PKG_VERSION"),
            format: FORMAT,
            kind: "collection",
            origin: self.origin.record(target.folder()),
            settings: &self.settings,
            files: names,
        });
        self.files.push((MANIFEST.to_owned(), manifest));
        target.write(&self.files, overwrite, &self.origin)
    }
}
