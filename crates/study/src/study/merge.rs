//! Parts of a study that were run apart, brought together.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use jointplay_model::shape::Misuse;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::folder::{cannot, check_folder};
use super::{Study, StudyError, Work};
use crate::bifurcation::Point;
use crate::case::Digest;
use crate::journal::{Journal, Keyed};
use crate::survey::Row;

/// Merges the runs of several folders, such as the shards of a study, into another one, and returns
/// the damage found in them.
///
/// # Errors
/// [`StudyError`], also if the folders do not belong to one study.
pub fn merge(parts: &[PathBuf], folder: &Path) -> Result<(Study, Vec<String>), StudyError> {
    let Some((first, others)) = parts.split_first() else {
        return Err(StudyError::request("there is no folder to merge"));
    };
    let whole = |part: &Path| -> Result<Study, StudyError> {
        let mut study = Study::open(part)?;
        study.file.shard = None;
        Ok(study)
    };
    let study = whole(first)?;
    if let Some(wrong) = study.without_parts() {
        return Err(StudyError::Request(vec![wrong]));
    }
    for other in others {
        let part = whole(other)?;
        if part.file != study.file || part.base() != study.base() {
            return Err(StudyError::request(format!(
                "'{}' and '{}' belong to different studies",
                first.display(),
                other.display()
            )));
        }
    }
    let others = parts.iter().filter(|part| part.as_path() != folder);
    let damaged = match &study.work {
        Work::Survey(_) => study.gather::<Row>(others, folder)?,
        Work::Diagram(_) => study.gather::<Point>(others, folder)?,
        // They have no parts, as was found above.
        Work::Optimisation(_) | Work::Identification(_) => Vec::new(),
    };
    Ok((study, damaged))
}

impl Study {
    /// Identifies the model with the changes that all runs share.
    pub(super) fn base(&self) -> Digest {
        match &self.work {
            Work::Survey(survey) => survey.base(),
            Work::Diagram(diagram) => diagram.base(),
            Work::Optimisation(_) | Work::Identification(_) => self.first.digest().clone(),
        }
    }

    /// The reason why the study cannot be divided into parts; `None` if it can.
    pub(super) fn without_parts(&self) -> Option<Misuse> {
        let (message, hint) = match &self.work {
            Work::Survey(_) => return None,
            Work::Diagram(diagram) if !diagram.is_chain() => return None,
            Work::Diagram(_) => (
                "a bifurcation diagram is followed from value to value and has no parts",
                Some("let every value start as the model says, with --restart"),
            ),
            Work::Optimisation(_) | Work::Identification(_) => {
                ("a search goes from run to run and has no parts", None)
            }
        };
        Some(Misuse::new(Vec::<String>::new(), message).with_hint(hint))
    }

    /// Copies the runs of other folders into the journal of this one, each once; returns the damage
    /// found in them.
    fn gather<'p, R: DeserializeOwned + Serialize + Keyed>(
        &self,
        others: impl Iterator<Item = &'p PathBuf>,
        folder: &Path,
    ) -> Result<Vec<String>, StudyError> {
        let mut damaged = Vec::new();
        let mut read = |part: &Path| -> Result<(Journal, Vec<R>), StudyError> {
            let (journal, runs) = self.journal::<R>(part)?;
            let damage = journal.damage();
            damaged.extend(damage.map(|damage| format!("'{}': {damage}", part.display())));
            Ok((journal, runs))
        };
        let others = others.map(|part| Ok(read(part)?.1));
        let others: Vec<Vec<R>> = others.collect::<Result<_, StudyError>>()?;
        check_folder(folder)?;
        std::fs::create_dir_all(folder).map_err(|cause| cannot(folder, &cause))?;
        let (mut journal, known) = read(folder)?;
        let mut seen: HashSet<R::Key> = known.iter().map(Keyed::key).collect();
        for run in others.into_iter().flatten() {
            if seen.insert(run.key()) {
                journal.append(&run)?;
            }
        }
        Ok(damaged)
    }
}
