//! Sweeps over keys of a model: one run for each point of a design, of which metrics are kept.
//!
//! Runs are reduced to their metrics as they end and are kept in a [journal](crate::journal): an interrupted survey goes on where it was, and
//! one that was changed keeps the points that it still has. The table does not depend on threads, order or interruption.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use jointplay_model::{Diagnostics, Metric};
use serde::{Deserialize, Serialize};

use crate::case::{Case, Digest, Loaded};
use crate::design::Points;
use crate::frame::{Column, Frame};
use crate::journal::{Journal, JournalError};
use crate::run::{Keep, Observer};
use crate::summary::{Ending, Summary};
use crate::sweep::Sweep;
use crate::vary::Level;

/// The name of the journal in the folder of a study.
pub const JOURNAL: &str = "runs.jsonl";

/// A model, what is varied, and what is measured.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The model with the changes that all points share.
    pub case: Case,
    /// What is varied, and the points that are run.
    pub points: Points,
    /// The metrics: names of the model, or formulas.
    pub metrics: Vec<String>,
}

/// One point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it is the result of.
    point: PointKey,
    /// The metrics; `None` where one has no value.
    pub metrics: Vec<Option<f64>>,
    /// How the run ended.
    pub outcome: Ending,
    /// Why it ended early, or why it could not be started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// Identifies a point by what its result depends on: the model, the values of the point, what is measured, and the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct PointKey(u128);

impl PointKey {
    fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let digest = Digest::of(texts);
        let half = digest.as_str().get(..32).unwrap_or_default();
        PointKey(u128::from_str_radix(half, 16).unwrap_or_default())
    }
}

impl Serialize for PointKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:032x}", self.0))
    }
}

impl<'de> Deserialize<'de> for PointKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        u128::from_str_radix(&text, 16).map(PointKey).map_err(serde::de::Error::custom)
    }
}

impl Row {
    /// Whether there is no result.
    pub fn is_failed(&self) -> bool {
        self.outcome == Ending::Failed
    }
}

/// One of several parts of a study, for as many machines: every so many points one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: usize,
    of: usize,
}

impl Shard {
    fn has(self, point: usize) -> bool {
        point % self.of == self.index
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    /// Reads `3/16`, the third of sixteen.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("`{text}` is not a part such as 3/16");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<usize>().map_err(|_| wrong());
        let (index, of) = (number(index)?, number(of)?);
        if (1..=of).contains(&index) { Ok(Shard { index: index - 1, of }) } else { Err(wrong()) }
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
    /// The model at a point.
    pub fn case_at(&self, point: usize) -> Case {
        let levels = self.points.at(point);
        let changes = self.points.varies().iter().zip(&levels);
        let changes = changes
            .fold(self.case.changes().clone(), |changes, (vary, level)| vary.set(changes, level));
        self.case.clone().changed(changes)
    }

    /// Reads the first point that can be read, and its metrics: what is wrong with all points is wrong with the survey.
    ///
    /// # Errors
    /// [`SurveyError::Model`] and [`SurveyError::Metric`].
    pub fn check(&self) -> Result<Loaded, SurveyError> {
        let loaded = self.first()?;
        self.measure(&loaded).map_err(SurveyError::Metric)?;
        Ok(loaded)
    }

    /// The first point that can be read.
    ///
    /// # Errors
    /// [`SurveyError::Model`] if there is none among the first hundred.
    pub fn first(&self) -> Result<Loaded, SurveyError> {
        let mut first = None;
        for point in 0..self.points.len() {
            match self.case_at(point).load() {
                Ok(loaded) => return Ok(loaded),
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
    fn key(&self, base: &Digest, point: usize) -> PointKey {
        let values = self.points.at(point).into_iter().zip(self.points.varies());
        let values = values.map(|(level, vary)| format!("{}={}", vary.key, level.text));
        let texts: Vec<String> = values.chain(self.metrics.iter().cloned()).collect();
        PointKey::of(std::iter::once(base.as_str()).chain(texts.iter().map(String::as_str)))
    }

    /// Runs the points that the folder does not have yet, and returns all of them in their order; `None` for those that were not run
    /// before the sweep was cancelled.
    ///
    /// # Errors
    /// [`SurveyError`]. A run that fails is a row, not an error.
    pub fn run(
        &self,
        folder: &Path,
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<Vec<Option<Row>>, SurveyError> {
        let base = self.base();
        let (journal, known) = Journal::open::<Row>(&folder.join(JOURNAL))?;
        let known: HashMap<PointKey, Row> = known.into_iter().map(|row| (row.point, row)).collect();
        let points: Vec<(usize, PointKey)> =
            (0..self.points.len()).map(|point| (point, self.key(&base, point))).collect();
        // Points may coincide: each is run once.
        let mut seen: HashSet<PointKey> = known.keys().copied().collect();
        let missing: Vec<(usize, PointKey)> =
            points.iter().filter(|(_, key)| seen.insert(*key)).copied().collect();
        let missing: Vec<(usize, PointKey)> = match shard {
            Some(shard) => missing.into_iter().filter(|(point, _)| shard.has(*point)).collect(),
            None => missing,
        };
        let (journal, broken) = (Mutex::new(journal), Mutex::new(None));
        let done = sweep.run(&missing, |(point, key), cancelled| {
            let row = self.row(*point, *key, &mut |_| cancelled.flow())?;
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
        let done = missing.iter().zip(done).filter_map(|((_, key), row)| Some((*key, row??)));
        let rows: HashMap<PointKey, Row> = known.into_iter().chain(done).collect();
        Ok(points.iter().map(|(_, key)| rows.get(key).cloned()).collect())
    }

    /// The digest of the model without what is varied, whether it can be run or not.
    pub(crate) fn base(&self) -> Digest {
        self.case.load().map_or_else(
            |_| {
                let changes = self.case.changes().flags();
                let engine = Digest::of_engine();
                let texts = [self.case.text(), engine.as_str()];
                Digest::of(texts.into_iter().chain(changes.iter().map(String::as_str)))
            },
            |loaded| loaded.digest,
        )
    }

    /// Copies the runs of other folders into this one, each point once.
    pub(crate) fn gather(&self, parts: &[PathBuf], folder: &Path) -> Result<(), SurveyError> {
        let (mut journal, known) = Journal::open::<Row>(&folder.join(JOURNAL))?;
        let mut known: HashSet<PointKey> = known.iter().map(|row| row.point).collect();
        for part in parts.iter().filter(|part| part.as_path() != folder) {
            let (_, rows) = Journal::open::<Row>(&part.join(JOURNAL))?;
            for row in rows.into_iter().filter(|row| known.insert(row.point)) {
                journal.append(&row)?;
            }
        }
        Ok(())
    }

    /// Runs one point; `None` if it was interrupted.
    fn row(&self, point: usize, key: PointKey, watch: &mut impl Observer) -> Option<Row> {
        let failed = |message: String| Row {
            point: key,
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
            let metrics = values.collect();
            return Some(Row { point: key, metrics, outcome: Ending::ReachedEnd, message: None });
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
                Some(Row { point: key, metrics, outcome, message })
            }
        }
    }

    /// The table of a survey: the varied keys in SI, the metrics, and the outcome. Points that were not run are left out.
    pub fn table(&self, rows: &[Option<Row>]) -> Frame {
        let done: Vec<(usize, &Row)> =
            rows.iter().enumerate().filter_map(|(i, row)| Some((i, row.as_ref()?))).collect();
        let levels: Vec<Vec<Level>> = done.iter().map(|(i, _)| self.points.at(*i)).collect();
        let mut frame = Frame::new();
        for (key, vary) in self.points.varies().iter().enumerate() {
            let cells = levels.iter().map(|levels| &levels[key]);
            let numbers: Option<Vec<f64>> = cells.clone().map(|level| level.number).collect();
            let column = match numbers {
                Some(numbers) => Column::Numbers(numbers),
                None => Column::Texts(cells.map(|level| level.text.clone()).collect()),
            };
            frame = frame.with(&vary.key, column);
        }
        for (metric, name) in self.metrics.iter().enumerate() {
            let numbers = done.iter().map(|(_, row)| row.metrics[metric].unwrap_or(f64::NAN));
            frame = frame.with(name, Column::Numbers(numbers.collect()));
        }
        let outcome = |(_, row): &(usize, &Row)| match (&row.outcome, &row.message) {
            (Ending::Failed, Some(why)) => format!("failed: {why}"),
            (ending, _) => ending.name().to_owned(),
        };
        frame.with("outcome", Column::Texts(done.iter().map(outcome).collect()))
    }

    /// The points that were run, in their order.
    pub(crate) fn done(rows: &[Option<Row>]) -> impl Iterator<Item = usize> {
        rows.iter().enumerate().filter(|(_, row)| row.is_some()).map(|(point, _)| point)
    }

    /// The numbers of a metric, one for each point; `None` where there is none.
    pub fn results(&self, rows: &[Option<Row>], metric: usize) -> Vec<Option<f64>> {
        rows.iter().map(|row| row.as_ref()?.metrics.get(metric).copied().flatten()).collect()
    }
}

/// The first problem of a model on one line.
pub(crate) fn first_problem(wrong: &Diagnostics) -> String {
    wrong.problems.first().map_or_else(
        || "the model cannot be read".to_owned(),
        |problem| format!("{}: {}", problem.path, problem.message),
    )
}
