//! Sweeps over keys of a model: one run for each point of a grid, of which metrics are kept.
//!
//! Runs are reduced to their metrics as they end and are kept in a [journal](crate::journal): an interrupted survey goes on where it was, and
//! one that was changed keeps the points that it still has. The table does not depend on threads, order or interruption.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;

use jointplay_model::{Diagnostics, Metric};
use serde::{Deserialize, Serialize};

use crate::case::{Case, Digest, Loaded};
use crate::journal::{Journal, JournalError};
use crate::run::{Keep, Observer};
use crate::summary::{Ending, Summary};
use crate::sweep::Sweep;
use crate::vary::Vary;

/// The name of the journal in the folder of a study.
pub const JOURNAL: &str = "runs.jsonl";

/// A model, what is varied, and what is measured.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The model with the changes that all points share.
    pub case: Case,
    /// What is varied, the first slowest.
    pub varies: Vec<Vary>,
    /// The metrics: names of the model, or formulas.
    pub metrics: Vec<String>,
}

/// One point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it is the result of: the model, the values of the point, what is measured, and the engine.
    point: Digest,
    /// The metrics; `None` where one has no value.
    pub metrics: Vec<Option<f64>>,
    /// How the run ended.
    pub outcome: Ending,
    /// Why it ended early, or why it could not be started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Row {
    /// Whether there is no result.
    pub fn is_failed(&self) -> bool {
        self.outcome == Ending::Failed
    }
}

/// Why a survey cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// The model is wrong at every point; these are the problems of the first.
    #[error("{0}")]
    Model(Box<Diagnostics>),
    /// A metric is wrong: what, and a hint.
    #[error("{0}")]
    Metric(String),
    /// The journal cannot be used.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl Survey {
    /// The number of points.
    pub fn points(&self) -> usize {
        self.varies.iter().map(|vary| vary.levels.len()).product()
    }

    /// The level of each varied key at a point, the last fastest.
    pub fn levels(&self, point: usize) -> Vec<usize> {
        let mut rest = point;
        let mut levels: Vec<usize> = self
            .varies
            .iter()
            .rev()
            .map(|vary| {
                let level = rest % vary.levels.len();
                rest /= vary.levels.len();
                level
            })
            .collect();
        levels.reverse();
        levels
    }

    /// The model at a point.
    pub fn case_at(&self, point: usize) -> Case {
        let levels = self.levels(point);
        let changes = self.varies.iter().zip(levels);
        let changes = changes
            .fold(self.case.changes().clone(), |changes, (vary, level)| vary.set(changes, level));
        self.case.clone().changed(changes)
    }

    /// Reads the first point that can be read, and its metrics: what is wrong with all points is wrong with the survey.
    ///
    /// # Errors
    /// [`SurveyError::Model`] and [`SurveyError::Metric`].
    pub fn check(&self) -> Result<Loaded, SurveyError> {
        let mut first = None;
        for point in 0..self.points() {
            match self.case_at(point).load() {
                Ok(loaded) => {
                    self.measure(&loaded).map_err(SurveyError::Metric)?;
                    return Ok(loaded);
                }
                Err(wrong) => first = first.or(Some(wrong)),
            }
            // A key that does not exist is wrong everywhere.
            if point >= 100 {
                break;
            }
        }
        match first {
            Some(wrong) => Err(SurveyError::Model(Box::new(wrong))),
            None => Err(SurveyError::Metric("there is no point to run".to_owned())),
        }
    }

    /// The metrics of a model.
    fn measure(&self, loaded: &Loaded) -> Result<Vec<Metric>, String> {
        let metric = |text: &String| {
            loaded.model.metric(text).map_err(|(message, hint)| match hint {
                Some(hint) => format!("{text}: {message}; {hint}"),
                None => format!("{text}: {message}"),
            })
        };
        self.metrics.iter().map(metric).collect()
    }

    /// What a point is identified by: the model with all changes but those of the point, its values, and what is measured.
    fn digest(&self, base: &Digest, point: usize) -> Digest {
        let levels = self.levels(point).into_iter().zip(&self.varies);
        let values =
            levels.map(|(level, vary)| format!("{}={}", vary.key, vary.levels[level].text));
        let texts: Vec<String> = values.chain(self.metrics.iter().cloned()).collect();
        Digest::of(std::iter::once(base.as_str()).chain(texts.iter().map(String::as_str)))
    }

    /// Runs the points that the folder does not have yet, and returns all of them in their order; `None` for those that were not run
    /// before the sweep was cancelled.
    ///
    /// # Errors
    /// [`SurveyError`]. A run that fails is a row, not an error.
    pub fn run(&self, folder: &Path, sweep: &Sweep<'_>) -> Result<Vec<Option<Row>>, SurveyError> {
        self.check()?;
        let base = self.base();
        let (journal, known) = Journal::open::<Row>(&folder.join(JOURNAL))?;
        let known: HashMap<Digest, Row> =
            known.into_iter().map(|row| (row.point.clone(), row)).collect();
        let points: Vec<(usize, Digest)> =
            (0..self.points()).map(|point| (point, self.digest(&base, point))).collect();
        let missing: Vec<&(usize, Digest)> =
            points.iter().filter(|(_, digest)| !known.contains_key(digest)).collect();
        let (journal, broken) = (Mutex::new(journal), Mutex::new(None));
        let done = sweep.run(&missing, |(point, digest), cancelled| {
            let row = self.row(*point, digest, &mut |_| cancelled.flow())?;
            if let Ok(mut journal) = journal.lock()
                && let Err(error) = journal.append(&row)
                && let Ok(mut broken) = broken.lock()
            {
                // Nothing that follows could be kept either.
                *broken = Some(error);
                cancelled.cancel();
            }
            Some(row)
        });
        if let Some(error) = broken.into_inner().ok().flatten() {
            return Err(error.into());
        }
        let mut done: HashMap<&Digest, Row> = missing
            .iter()
            .zip(done)
            .filter_map(|((_, digest), row)| Some((digest, row??)))
            .collect();
        let row = |(_, digest): &(usize, Digest)| {
            known.get(digest).cloned().or_else(|| done.remove(digest))
        };
        Ok(points.iter().map(row).collect())
    }

    /// The digest of the model without what is varied, whether it can be run or not.
    fn base(&self) -> Digest {
        let changes = self.case.changes().flags();
        let tables = self.case.load().map(|loaded| loaded.digest).unwrap_or_default();
        let engine = Digest::of_engine();
        let texts = [self.case.text(), tables.as_str(), engine.as_str()];
        Digest::of(texts.into_iter().chain(changes.iter().map(String::as_str)))
    }

    /// Runs one point; `None` if it was interrupted.
    fn row(&self, point: usize, digest: &Digest, watch: &mut impl Observer) -> Option<Row> {
        let failed = |message: String| Row {
            point: digest.clone(),
            metrics: vec![None; self.metrics.len()],
            outcome: Ending::Failed,
            message: Some(message),
        };
        let loaded = match self.case_at(point).load() {
            Ok(loaded) => loaded,
            Err(wrong) => return Some(failed(first_problem(&wrong))),
        };
        let metrics = match self.measure(&loaded) {
            Ok(metrics) => metrics,
            Err(message) => return Some(failed(message)),
        };
        if metrics.iter().all(|metric| metric.inputs().is_empty()) {
            // Parameters alone: nothing needs to move.
            let values = metrics.iter().map(|metric| crate::summary::finite(metric.eval(&[])));
            let (point, metrics) = (digest.clone(), values.collect());
            return Some(Row { point, metrics, outcome: Ending::ReachedEnd, message: None });
        }
        match loaded.measuring(metrics).run_keeping(Keep::Nothing, watch) {
            Err(error) => Some(failed(error.to_string())),
            Ok(run) => {
                let Summary { outcome, message, .. } = run.summary();
                if outcome == Ending::Interrupted {
                    return None;
                }
                let metrics = if outcome == Ending::Failed {
                    vec![None; self.metrics.len()]
                } else {
                    run.metrics.iter().map(|metric| metric.value).collect()
                };
                let message = (outcome != Ending::ReachedEnd).then_some(message);
                Some(Row { point: digest.clone(), metrics, outcome, message })
            }
        }
    }

    /// The table of a survey: the varied keys in SI, the metrics, and the outcome.
    #[cfg(feature = "folders")]
    pub fn table(&self, rows: &[Option<Row>]) -> Vec<u8> {
        let keys = self.varies.iter().map(|vary| vary.key.clone());
        let head = keys.chain(self.metrics.iter().cloned()).chain(["outcome".to_owned()]);
        let cells = |(point, row): (usize, &Option<Row>)| {
            let row = row.as_ref()?;
            let levels = self.levels(point).into_iter().zip(&self.varies);
            let levels = levels.map(|(level, vary)| {
                let level = &vary.levels[level];
                level.number.map_or_else(|| level.text.clone(), crate::store::number)
            });
            let metrics = row.metrics.iter();
            let metrics = metrics.map(|x| x.map_or_else(String::new, crate::store::number));
            let outcome = match (&row.outcome, &row.message) {
                (Ending::Failed, Some(why)) => format!("failed: {why}"),
                (ending, _) => ending.name().to_owned(),
            };
            Some(levels.chain(metrics).chain([outcome]).collect())
        };
        let rows = rows.iter().enumerate().filter_map(cells);
        crate::store::csv_table(std::iter::once(head.collect()).chain(rows))
    }
}

/// The first problem of a model on one line.
fn first_problem(wrong: &Diagnostics) -> String {
    wrong.problems.first().map_or_else(
        || "the model cannot be read".to_owned(),
        |problem| format!("{}: {}", problem.path, problem.message),
    )
}
