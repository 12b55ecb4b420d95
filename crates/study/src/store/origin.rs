//! The input of a result, which decides which other result may replace it.

use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Store;
use crate::case::{Digest, Loaded};

/// The input of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origin {
    /// The model file; `None` if the model did not come from a file.
    pub file: Option<PathBuf>,
    /// What was changed on the way, such as `--law flores`.
    pub changes: Vec<String>,
    /// What identifies the run.
    pub digest: Digest,
}

/// The input of a run as a manifest has it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// The model file, seen from the result folder, so that both can be moved together.
    pub file: Option<String>,
    /// What was changed on the way.
    pub changes: Vec<String>,
    /// What identifies the run.
    pub digest: Digest,
}

impl Origin {
    /// The input of a case. A case that repeats a result has the input of that result.
    pub fn of(case: &Loaded) -> Self {
        let repeated = case.case.stored().and_then(Store::origin);
        if let Some(same) = repeated.filter(|stored| stored.digest == *case.digest()) {
            return same;
        }
        let file = case.case.file().filter(|file| !jointplay_files::is_stdin(file));
        Origin {
            file: file.map(Path::to_owned),
            changes: case.changes(),
            digest: case.digest().clone(),
        }
    }

    /// The form recorded in this folder.
    pub(super) fn record(&self, folder: &Path) -> Recorded {
        let file = self.file.as_ref().map(|file| seen_from(folder, file));
        Recorded { file, changes: self.changes.clone(), digest: self.digest.clone() }
    }
}

impl Recorded {
    /// The origin as it was given, from the form recorded in a folder; paths are then relative to the working directory.
    pub(super) fn origin(&self, folder: &Path) -> Origin {
        Origin {
            file: self.file.as_ref().map(|file| folder.join(file)),
            changes: self.changes.clone(),
            digest: self.digest.clone(),
        }
    }

    /// Whether this is the same model file with the same changes, edited or not, or the same input from elsewhere.
    pub(super) fn is_same_input(&self, other: &Recorded) -> bool {
        let same_file = self.file.is_some() && self.file == other.file;
        self.digest == other.digest || (same_file && self.changes == other.changes)
    }

    /// For people: the file with its changes.
    pub(super) fn in_words(&self) -> String {
        let file = self.file.as_deref().unwrap_or("a model from standard input");
        let changes = match &self.changes[..] {
            [] => "without changes".to_owned(),
            changes => format!("with {}", changes.join(" ")),
        };
        format!("{file} {changes}")
    }
}

/// A path from a folder to a file, with slashes; the file itself where they share nothing.
fn seen_from(folder: &Path, file: &Path) -> String {
    let absolute = |path: &Path| {
        // The folder may not exist yet, but that in which it will be.
        let known = path.ancestors().find_map(|known| {
            let rest = path.strip_prefix(known).ok()?;
            let known = if known.as_os_str().is_empty() { Path::new(".") } else { known };
            Some(known.canonicalize().ok()?.join(rest))
        });
        known.or_else(|| std::path::absolute(path).ok()).unwrap_or_else(|| path.to_owned())
    };
    let (folder, file) = (absolute(folder), absolute(file));
    let both = folder.components().zip(file.components());
    let shared = both.take_while(|(a, b)| a == b).count();
    if shared == 0 {
        return file.display().to_string();
    }
    let up = folder.components().skip(shared).map(|_| "..".to_owned());
    let down = file.components().skip(shared).map(|part| match part {
        Component::Normal(name) => name.to_string_lossy().into_owned(),
        part => part.as_os_str().to_string_lossy().into_owned(),
    });
    up.chain(down).collect::<Vec<_>>().join("/")
}
