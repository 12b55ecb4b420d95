//! Sweeps over keys of a model: one run for each point of a design, of which metrics are kept.
//!
//! Runs are reduced to their metrics as they end and are kept in a [journal](crate::journal): an interrupted survey goes on where it was, and
//! one that was changed keeps the points that it still has. The table does not depend on threads, order or interruption.

use std::collections::{BTreeMap, HashMap};
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

/// Copies the runs of other journals into this one, each once.
pub(crate) fn gather(
    (journal, known): (&mut Journal, &[Row]),
    others: impl IntoIterator<Item = Row>,
) -> Result<Vec<Row>, JournalError> {
    let mut seen: std::collections::HashSet<PointKey> = known.iter().map(|row| row.point).collect();
    let mut rows = known.to_vec();
    for row in others {
        if seen.insert(row.point) {
            journal.append(&row)?;
            rows.push(row);
        }
    }
    Ok(rows)
}

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

/// The texts of tables by their names.
type TableTexts = BTreeMap<String, String>;

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
    /// A part without any point: nothing is run.
    pub fn none() -> Self {
        Shard { index: 1, of: 1 }
    }

    /// How many of these points belong to it.
    pub fn count(self, points: usize) -> usize {
        (0..points).filter(|point| self.has(*point)).count()
    }

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

    /// Checks the metrics with a point: what is wrong with all points is wrong with the survey.
    ///
    /// # Errors
    /// [`SurveyError::Metric`].
    pub fn check(&self, first: &Loaded) -> Result<(), SurveyError> {
        self.measure(first).map(|_| ()).map_err(SurveyError::Metric)
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
        self.metrics.iter().map(|text| metric_of(loaded, text)).collect()
    }

    /// What a point is identified by: the digest of its run, which stands for model, changes, tables and engine, and what is measured.
    fn key(&self, loaded: &Result<Loaded, Diagnostics>, point: usize) -> PointKey {
        let metrics = self.metrics.iter().map(String::as_str);
        match loaded {
            Ok(loaded) => PointKey::of(std::iter::once(loaded.digest.as_str()).chain(metrics)),
            Err(wrong) => {
                // It cannot be run: what is wrong with it is all there is.
                let (case, engine) = (self.case_at(point), Digest::of_engine());
                let (flags, problem) = (case.changes().flags(), first_problem(wrong));
                let texts = ["wrong", engine.as_str(), case.text(), problem.as_str()];
                let flags = flags.iter().map(String::as_str);
                PointKey::of(texts.into_iter().chain(flags).chain(metrics))
            }
        }
    }

    /// Runs the points that the journal does not have yet, and returns all of them in their order; `None` for those that were not run
    /// before the sweep was cancelled. The tables of all models that were read are returned, too.
    ///
    /// # Errors
    /// [`SurveyError`]. A run that fails is a row, not an error.
    pub(crate) fn run(
        &self,
        (journal, known): (Journal, Vec<Row>),
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<(Vec<Option<Row>>, TableTexts), SurveyError> {
        let known: HashMap<PointKey, Row> = known.into_iter().map(|row| (row.point, row)).collect();
        // Points may coincide: each is run once.
        let mut places: HashMap<Vec<String>, usize> = HashMap::new();
        let mut twins: Vec<usize> = Vec::with_capacity(self.points.len());
        for point in 0..self.points.len() {
            let values = self.points.at(point).into_iter().map(|level| level.text).collect();
            twins.push(*places.entry(values).or_insert(point));
        }
        drop(places);
        let distinct: Vec<usize> =
            (0..self.points.len()).filter(|point| twins[*point] == *point).collect();
        let (journal, broken) = (Mutex::new(journal), Mutex::new(None));
        let tables = Mutex::new(BTreeMap::new());
        let done = sweep.run(&distinct, |point, cancelled| {
            let loaded = self.case_at(*point).load();
            if let (Ok(loaded), Ok(mut tables)) = (&loaded, tables.lock()) {
                for (name, text) in loaded.tables() {
                    if !tables.contains_key(name) {
                        tables.insert(name.to_owned(), text.to_owned());
                    }
                }
            }
            let key = self.key(&loaded, *point);
            if let Some(known) = known.get(&key) {
                return Some(known.clone());
            }
            if shard.is_some_and(|shard| !shard.has(*point)) {
                return None;
            }
            let row = self.row(loaded, key, &mut |_| cancelled.flow())?;
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
        let rows: HashMap<usize, Row> =
            distinct.into_iter().zip(done).filter_map(|(i, row)| Some((i, row??))).collect();
        let rows = twins.iter().map(|point| rows.get(point).cloned()).collect();
        Ok((rows, tables.into_inner().unwrap_or_default()))
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

    /// Runs one point; `None` if it was interrupted.
    fn row(
        &self,
        loaded: Result<Loaded, Diagnostics>,
        key: PointKey,
        watch: &mut impl Observer,
    ) -> Option<Row> {
        let failed = |message: String| Row {
            point: key,
            metrics: vec![None; self.metrics.len()],
            outcome: Ending::Failed,
            message: Some(message),
        };
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(wrong) => return Some(failed(first_problem(&wrong))),
        };
        // A variant of the model may lack what a metric needs, such as the contacts of a joint that is ideal there.
        let known: Vec<Result<Metric, String>> =
            self.metrics.iter().map(|text| metric_of(&loaded, text)).collect();
        let metrics: Vec<Metric> = known.iter().flatten().cloned().collect();
        if let (true, Some(Err(message))) = (metrics.is_empty(), known.first()) {
            return Some(failed(message.clone()));
        }
        let spread = |values: Vec<Option<f64>>| -> Vec<Option<f64>> {
            let mut values = values.into_iter();
            known
                .iter()
                .map(|known| known.is_ok().then(|| values.next().flatten()).flatten())
                .collect()
        };
        // Parameters alone: nothing needs to move.
        if let Some(values) = metrics.iter().map(Metric::without_run).collect::<Option<Vec<f64>>>()
        {
            let metrics = spread(values.into_iter().map(crate::summary::finite).collect());
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
                    spread(run.metrics.iter().map(|metric| metric.value).collect())
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

/// A metric of a model.
fn metric_of(loaded: &Loaded, text: &str) -> Result<Metric, String> {
    loaded.model.metric(text).map_err(|(message, hint)| match hint {
        Some(hint) => format!("{text}: {message}; {hint}"),
        None => format!("{text}: {message}"),
    })
}

/// The first problem of a model on one line.
pub(crate) fn first_problem(wrong: &Diagnostics) -> String {
    wrong.problems.first().map_or_else(
        || "the model cannot be read".to_owned(),
        |problem| match problem.path.as_str() {
            "" => problem.message.clone(),
            path => format!("{path}: {}", problem.message),
        },
    )
}
