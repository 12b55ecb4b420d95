//! Sweeps over keys of a model: one run for each point of a design, reduced to its metrics.
//!
//! Runs are reduced to their metrics as they end and are kept in a [journal](crate::journal): an
//! interrupted survey resumes, and a changed one keeps the points that are still valid. The table
//! does not depend on threads, order or interruption.

mod chains;
mod errand;
mod kept;
mod row;
mod rows;
mod shard;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, PoisonError};

use jointplay_mbd::{Sampling, State};
use jointplay_model::{Diagnostics, Metric, canonical_with_cases};

pub use kept::KeptState;
pub use row::Row;
pub use rows::Rows;
pub use shard::Shard;

use crate::case::{Case, Digest, Loaded, state_text};
use crate::continuation::{drives_repeat, handed_on, moved};
use crate::design::Points;
use crate::frame::{Column, Frame};
use crate::journal::{Journal, JournalError};
use crate::own::OwnMetrics;
use crate::run::{Keep, Observer, Run};
use crate::scatter::JointSample;
use crate::summary::{Ending, Summary, finite};
use crate::sweep::{Cancellation, Sweep};
use crate::vary::{Level, Quantity, Vary};
use crate::warned::Warned;
use chains::Chains;
use row::PointKey;

/// The name of the journal in the folder of a study.
pub const JOURNAL: &str = "runs.jsonl";

/// A model, the varied keys, and the metrics.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The model with the changes that all points share.
    pub case: Case,
    /// What is varied, and the points that are run.
    pub points: Points,
    /// The metrics: names of the model, or formulas.
    pub metrics: Vec<String>,
    /// Whether points of the last key start where the previous one ended, with the memory of the
    /// contacts.
    pub warm_start: bool,
    /// Whether rows keep the joints of their runs, too, for [`scatter`](crate::scatter).
    pub joints: bool,
}

/// The texts of tables by their names.
type TableTexts = BTreeMap<String, String>;

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
    /// The crew that makes the runs cannot continue.
    #[error("{0}")]
    Crew(String),
}

impl Survey {
    /// The model at a point.
    pub fn case_at(&self, point: usize) -> Case {
        self.case_with(&self.points.at(point))
    }

    /// The model with these values of the keys.
    pub(crate) fn case_with(&self, levels: &[Level]) -> Case {
        let changes = self.points.varies().iter().zip(levels);
        let changes = changes
            .fold(self.case.changes().clone(), |changes, (vary, level)| vary.set(changes, level));
        self.case.clone().changed(changes)
    }

    /// The first point that can be read.
    ///
    /// # Errors
    /// [`SurveyError::Model`] with the problems of the first if there is none among the first hundred and a thousand others.
    pub fn first(&self) -> Result<Loaded, SurveyError> {
        let mut first: Option<Diagnostics> = None;
        for point in looked_at(self.points.len()) {
            match self.case_at(point).load() {
                Ok(loaded) => return Ok(loaded),
                Err(wrong) => first = first.or(Some(wrong)),
            }
            if point + 1 >= FIRST && first.as_ref().is_some_and(has_unknown_key) {
                break;
            }
        }
        match first {
            Some(wrong) => Err(SurveyError::Model(Box::new(wrong))),
            None => Err(SurveyError::Metric("there is no point to run".to_owned())),
        }
    }

    /// Identifies the model without the varied keys, its cases and the engine.
    fn common(&self) -> Digest {
        let text = self.case.written();
        let content = text.and_then(|text| canonical_with_cases(&text));
        let content = content.unwrap_or_else(|_| {
            let flags = self.case.changes().flags();
            [&[self.case.text().to_owned()], &flags[..]].concat().join("\n")
        });
        let metrics =
            self.metrics.iter().map(String::as_str).chain(self.joints.then_some("joints"));
        let texts = [Digest::of_engine().as_str().to_owned(), content];
        let own = self.case.own().map(OwnMetrics::identity);
        Digest::of(texts.iter().map(String::as_str).chain(metrics).chain(own))
    }

    /// What a point is identified by: everything that its result depends on.
    fn key(
        &self,
        common: &Digest,
        loaded: &Result<Loaded, Diagnostics>,
        point: usize,
        start: Option<&State>,
    ) -> PointKey {
        let mut texts = vec![common.as_str().to_owned()];
        for (vary, Level { text, number }) in self.points.varies().iter().zip(self.points.at(point))
        {
            // However the number is written: 0.50 mm is 0.5 mm.
            let unit = Quantity::parse(&text).map_or(text, |typed| typed.unit().to_owned());
            texts.extend([vary.key.clone(), unit]);
            texts.extend(number.map(|number| number.to_bits().to_string()));
        }
        match loaded {
            Ok(loaded) => {
                for (name, table) in loaded.tables() {
                    texts.extend([name.to_owned(), table.to_owned()]);
                }
            }
            // A table that cannot be read may be mended.
            Err(wrong) => texts.extend(["wrong".to_owned(), first_problem(wrong)]),
        }
        texts.extend(start.map(state_text));
        PointKey::of(texts.iter().map(String::as_str))
    }

    /// Runs the points that the journal does not have yet, and returns all that were run before the sweep was cancelled. The tables of all
    /// models that were read are returned, too.
    ///
    /// # Errors
    /// [`SurveyError`]. A run that fails is a row, not an error.
    pub(crate) fn run(
        &self,
        (journal, known): (Journal, Vec<Row>),
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<(Rows, TableTexts), SurveyError> {
        let known: HashMap<PointKey, Row> = known.into_iter().map(|row| (row.point, row)).collect();
        let chains = Chains::of(&self.points, self.chain(), sweep.cancellation());
        let common = self.common();
        let (journal, broken) = (Mutex::new(journal), Mutex::new(None));
        let tables = Mutex::new(BTreeMap::new());
        let keep = |row: &Row, cancelled: &Cancellation| {
            if let Ok(mut journal) = journal.lock()
                && let Err(error) = journal.append(row)
                && let Ok(mut broken) = broken.lock()
            {
                // Nothing that follows could be kept either.
                *broken = Some(error);
                cancelled.cancel();
            }
        };
        let one =
            |point: usize, (start, goes_on): (Option<&State>, bool), cancelled: &Cancellation| {
                let (loaded, key) = self.at(&common, point, start);
                if let (Ok(loaded), Ok(mut tables)) = (&loaded, tables.lock()) {
                    for (name, text) in loaded.tables() {
                        if !tables.contains_key(name) {
                            tables.insert(name.to_owned(), text.to_owned());
                        }
                    }
                }
                if let Some(known) = known.get(&key) {
                    return Some(known.clone());
                }
                if cancelled.is_cancelled() {
                    return None;
                }
                let row = self.make(loaded, key, (start, goes_on), cancelled)?;
                keep(&row, cancelled);
                Some(row)
            };
        let total = chains.points();
        let crew = sweep.crew();
        let rows = Mutex::new(Rows::new(self.points.len(), self.metrics.len(), crew.is_some()));
        let put = |point: usize, row: Row| {
            let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
            for twin in chains.twins(point) {
                rows.set(twin, row.clone());
            }
            rows.set(point, row);
        };
        let look = |chain: usize, cancelled: &Cancellation, tell: &dyn Fn(bool)| {
            let first = chains.first(chain);
            let chain = chains.from(first);
            let mut state: Option<State> = None;
            for point in chain.clone() {
                // Points of another shard, or of the crew, may already be in the journal.
                let of_another = shard.is_some_and(|shard| !shard.has(first / self.chain()));
                let of_another = of_another || crew.is_some();
                let stop = if of_another { &Cancellation::made() } else { cancelled };
                let goes_on = point + 1 < chain.end;
                let Some(row) = one(point, (state.as_ref(), goes_on), stop) else { break };
                // After a point without an end the next one starts where that should have.
                state = row.end.as_ref().and_then(KeptState::state).or(state);
                tell(row.is_failed());
                put(point, row);
            }
        };
        if crew.is_none() || !known.is_empty() {
            sweep.run_parts(chains.len(), total, look);
        }
        if let Some(crew) = crew {
            let keep = |row: &Row| keep(row, sweep.cancellation());
            self.by_crew(crew, (&chains, &rows), &common, (keep, put), sweep)?;
        }
        if let Some(error) = broken.into_inner().ok().flatten() {
            return Err(error.into());
        }
        let rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok((rows, tables.into_inner().unwrap_or_default()))
    }

    /// A point that starts from a state, and what identifies it.
    fn at(
        &self,
        common: &Digest,
        point: usize,
        start: Option<&State>,
    ) -> (Result<Loaded, Diagnostics>, PointKey) {
        let mut loaded = self.case_at(point).load_unidentified();
        if let Some(start) = start {
            loaded = loaded.map(|loaded| loaded.starting_from(start.clone()));
        }
        let key = self.key(common, &loaded, point, start);
        (loaded, key)
    }

    /// Runs a point; `None` if it was interrupted.
    fn make(
        &self,
        loaded: Result<Loaded, Diagnostics>,
        key: PointKey,
        (start, goes_on): (Option<&State>, bool),
        cancelled: &Cancellation,
    ) -> Option<Row> {
        // Where another point follows, the drives must have come round.
        let open = loaded.as_ref().ok().filter(|_| goes_on).and_then(|loaded| {
            drives_repeat(&loaded.model.mechanism, loaded.model.run.until).err()
        });
        let mut row = match open {
            Some(why) => self.failed(key, why),
            None => self.row(loaded, key, start, &mut |_| cancelled.flow())?,
        };
        row.start = start.map(KeptState::of);
        Some(row)
    }

    /// The number of points in a chain, each of which starts where the previous one ended.
    pub(crate) fn chain(&self) -> usize {
        let last = self.points.varies().last().and_then(Vary::count);
        if self.warm_start { last.unwrap_or(1).max(1) } else { 1 }
    }

    /// The digest of the model without the varied keys, even if it cannot be run.
    pub(crate) fn base(&self) -> Digest {
        self.case.load().map_or_else(
            |_| {
                let changes = self.case.changes().flags();
                let engine = Digest::of_engine();
                let texts = [self.case.text(), engine.as_str()];
                Digest::of(texts.into_iter().chain(changes.iter().map(String::as_str)))
            },
            |loaded| loaded.digest().clone(),
        )
    }

    /// A metric of a model.
    fn metric_of(&self, loaded: &Loaded, text: &str) -> Result<Metric, String> {
        if self.case.measures(text) {
            return Err(format!("{text} is measured elsewhere"));
        }
        loaded.model.metric(text).map_err(|(message, hint)| match hint {
            Some(hint) => format!("{text}: {message}; {hint}"),
            None => format!("{text}: {message}"),
        })
    }

    /// A point without a result.
    fn failed(&self, key: PointKey, why: impl AsRef<str>) -> Row {
        Row {
            point: key,
            metrics: vec![None; self.metrics.len()],
            outcome: Ending::Failed,
            message: Some(why.as_ref().lines().map(str::trim).collect::<Vec<_>>().join(" ")),
            warnings: Warned::default(),
            joints: Vec::new(),
            start: None,
            end: None,
        }
    }

    /// Runs one point; `None` if it was interrupted.
    fn row(
        &self,
        loaded: Result<Loaded, Diagnostics>,
        key: PointKey,
        start: Option<&State>,
        watch: &mut impl Observer,
    ) -> Option<Row> {
        let failed = |message: String| self.failed(key, message);
        let loaded = match loaded {
            Ok(loaded) => loaded,
            Err(wrong) => return Some(failed(first_problem(&wrong))),
        };
        let own = self.case.own();
        // A variant of the model may lack what a metric needs, such as the contacts of a joint that is ideal there.
        let known: Vec<Result<Metric, String>> =
            self.metrics.iter().map(|text| self.metric_of(&loaded, text)).collect();
        let metrics: Vec<Metric> = known.iter().flatten().cloned().collect();
        let spread = |values: Vec<Option<f64>>| -> Vec<Option<f64>> {
            let mut values = values.into_iter();
            known
                .iter()
                .map(|known| known.is_ok().then(|| values.next().flatten()).flatten())
                .collect()
        };
        // Parameters alone: nothing needs to move.
        let still = metrics.iter().map(Metric::without_run).collect::<Option<Vec<f64>>>();
        if let Some(values) = still.filter(|values| !values.is_empty() && own.is_none()) {
            let metrics = spread(values.into_iter().map(finite).collect());
            let outcome = Ending::ReachedEnd;
            return Some(Row {
                point: key,
                metrics,
                outcome,
                message: None,
                warnings: Warned::of(model_warnings(&loaded)),
                joints: Vec::new(),
                start: None,
                end: None,
            });
        }
        // Of joints alone events are all that is counted.
        let loaded = if self.joints { loaded.sampled(Sampling::EventsOnly) } else { loaded };
        let keep = if own.is_some() { Keep::Asked } else { Keep::Nothing };
        match loaded.measuring(metrics).run_keeping(keep, watch) {
            Err(error) => Some(failed(error.to_string())),
            Ok(run) => {
                let Summary { outcome, message, mut warnings, .. } = run.summary();
                warnings.extend(start.and_then(|wanted| {
                    let found = run.solution().state(0).ok()?;
                    moved(wanted, &found, run.case.model.mechanism.size())
                }));
                if outcome == Ending::Interrupted {
                    return None;
                }
                let failed = outcome == Ending::Failed;
                let mut metrics = if failed {
                    vec![None; self.metrics.len()]
                } else {
                    spread(run.metrics.iter().map(|metric| metric.value).collect())
                };
                let message = (outcome != Ending::ReachedEnd).then_some(message);
                let end = self.warm_start.then(|| end_of(&run)).flatten();
                let end = end.as_ref().map(KeptState::of);
                let joints =
                    if self.joints { JointSample::all(run.contacts()) } else { Vec::new() };
                if let Some(own) = own.filter(|_| !failed) {
                    for (name, value) in own.names().iter().zip(own.measure(run)?) {
                        let place = self.metrics.iter().position(|metric| metric == name);
                        if let Some(place) = place {
                            metrics[place] = value.and_then(finite);
                        }
                    }
                }
                let warnings = Warned::of(warnings);
                let start = None;
                Some(Row { point: key, metrics, outcome, message, warnings, joints, start, end })
            }
        }
    }

    /// The table of a survey: the varied keys in SI, the metrics, and the outcome. Points that were not run are left out.
    pub fn table(&self, rows: &Rows) -> Frame {
        let mut frame = Frame::new();
        for (key, vary) in self.points.varies().iter().enumerate() {
            let levels = rows.done().map(|point| self.points.level(point, key));
            frame = frame.with(&vary.key, Column::of_levels(levels));
        }
        for (metric, name) in self.metrics.iter().enumerate() {
            frame = frame.with(name, Column::Numbers(rows.of_runs(metric).collect()));
        }
        let [outcome, warnings] = rows.endings();
        frame.with("outcome", outcome).with("warnings", warnings)
    }
}

/// The end of a run as the start of the next; `None` if it ended early.
fn end_of(run: &Run) -> Option<State> {
    let solution = run.solution();
    let (first, last) = (solution.state(0).ok()?, solution.end().ok()?.state());
    let elapsed = last.t - first.t;
    solution.outcome.reached_end().then(|| handed_on(last, elapsed, &first))
}

/// So many points are looked at one after the other before others are.
pub(crate) const FIRST: usize = 100;

/// The points among which the first one that can be read is looked for: the first ones, then others everywhere in between.
pub(crate) fn looked_at(points: usize) -> impl Iterator<Item = usize> {
    const MORE: usize = 1000;
    // The golden section falls into step with no grid.
    let place = move |i: usize| (0.618_033_988_749_895 * i as f64).fract() * points as f64;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a place among them"
    )]
    let others = (1..=if points > FIRST { MORE } else { 0 }).map(move |i| place(i) as usize);
    (0..points.min(FIRST)).chain(others.filter(move |point| (FIRST..points).contains(point)))
}

/// Whether a model has a key that does not exist, which is wrong everywhere.
pub(crate) fn has_unknown_key(wrong: &Diagnostics) -> bool {
    wrong.problems.iter().any(|problem| problem.unknown_key)
}

/// What the model of a run warns of.
pub(crate) fn model_warnings(loaded: &Loaded) -> Vec<String> {
    let known = loaded.model.warnings.iter();
    known.map(|known| format!("{}: {}", known.path, known.message)).collect()
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
