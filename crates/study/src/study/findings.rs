//! What the runs of a study say together.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jointplay_mbd::State;
use serde::{Deserialize, Serialize};

use super::Study;
use super::folder::{POINTS, SECTION, TABLE};
use crate::bifurcation::{Diagram, Point};
use crate::capability::Capability;
use crate::case::Digest;
use crate::frame::{Column, Frame};
use crate::identify::Identified;
use crate::optimum::Optimum;
use crate::sensitivity::{Effects, Indices, Measure, Swing, effects, indices, swings};
use crate::statistics::{Distributed, Exceeded, Limit};
use crate::study_file::StudyKind;
use crate::survey::{Rows, Survey};
use crate::vary::Level;
use crate::warned::StudyWarning;
use crate::welch::Scattered;

/// What a study leaves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StudyResult {
    /// What it found out.
    pub findings: Findings,
    /// The table of its runs, or of the points of a bifurcation diagram.
    pub table: Frame,
    /// The section of a bifurcation diagram.
    pub section: Option<Frame>,
    /// Its spectra.
    pub spectra: Option<Frame>,
    /// The points of a sweep with repeats: means with their scatter.
    pub points: Option<Frame>,
    /// Measured data and model side by side.
    pub overlay: Option<Frame>,
    /// The model with the changes that all runs share, as in the folder.
    pub model: String,
    /// The tables that the models of the runs refer to, by name.
    pub tables: BTreeMap<String, String>,
    /// Whether each run starts where the previous one ended.
    pub continued: bool,
    /// If they do, the state in which each row of the table started; `None` is the start that the model gives. Empty if there are more than
    /// [`MOST_STARTS`](super::MOST_STARTS).
    pub starts: Vec<Option<State>>,
    /// The rows of a study that keeps joints.
    pub rows: Rows,
}

/// What a study found out.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Findings {
    /// The kind of study.
    pub kind: StudyKind,
    /// The name of the model.
    pub model: String,
    /// Identifies the model with the changes that all runs share.
    pub digest: Digest,
    /// The number of points of the study.
    pub points: usize,
    /// How many of them were run.
    pub runs: usize,
    /// How many runs have no result.
    pub failed: usize,
    /// What chose the random numbers.
    #[cfg_attr(feature = "types", ts(type = "number"))]
    pub seed: u64,
    /// The table of the runs.
    pub table: PathBuf,
    /// The points of the section of a bifurcation diagram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<PathBuf>,
    /// Its spectra.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spectra: Option<PathBuf>,
    /// The points of a sweep with repeats: means with their scatter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points_table: Option<PathBuf>,
    /// Of each metric of a sweep with repeats: the fraction of all pairs of points whose means differ by no more than scatter explains.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub indistinguishable: BTreeMap<String, f64>,
    /// What is varied.
    pub keys: Vec<String>,
    /// What is measured, in the order of the request.
    pub measured: Vec<String>,
    /// The SI units of the keys and metrics, as far as they are known; `-` for pure numbers.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub units: BTreeMap<String, String>,
    /// How each metric spreads over the runs.
    pub metrics: BTreeMap<String, Distributed>,
    /// How often limits are exceeded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<LimitFinding>,
    /// Process capability of each metric that has limits.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub capability: BTreeMap<String, Capability>,
    /// Fits by their keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fits: BTreeMap<String, FitFinding>,
    /// The worst value of each metric, and where it was found: the one that is nearest to a limit, or farthest beyond it; without limits the greatest.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub worst: BTreeMap<String, Worst>,
    /// Complete samples of a sensitivity study, by metric.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub samples_used: BTreeMap<String, usize>,
    /// Indices of Sobol', by metric and key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub indices: BTreeMap<String, BTreeMap<String, Indices>>,
    /// Elementary effects, by metric and key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub effects: BTreeMap<String, BTreeMap<String, Effects>>,
    /// What each key does alone, by metric and key.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub swings: BTreeMap<String, BTreeMap<String, Swing>>,
    /// How many motions of each class a bifurcation diagram has.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub classes: BTreeMap<String, usize>,
    /// What to know before trusting the numbers: warnings of the runs, each kind once, and of the study itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<StudyWarning>,
    /// What an optimisation found.
    #[cfg_attr(feature = "types", ts(skip))]
    #[serde(flatten)]
    pub optimum: Option<Optimum>,
    /// What measured data say.
    #[cfg_attr(feature = "types", ts(skip))]
    #[serde(flatten)]
    pub identified: Option<Identified>,
}

impl Findings {
    /// Whether all points were run.
    pub fn is_complete(&self) -> bool {
        self.runs == self.points
    }

    /// Warns of a metric of which all cells are empty although runs have a result.
    fn warn_without_value(&mut self, metric: &str) {
        let none = self.metrics.get(metric).is_some_and(|spread| spread.count == 0);
        if none && self.failed < self.runs {
            let message = format!("`{metric}` has no value in any run");
            self.warnings.push(StudyWarning::of_study(message));
        }
    }

    /// Warns of indices that come from some of the samples only.
    fn warn_of_left_out(&mut self, metric: &str, what: &str, [used, of]: [usize; 2]) {
        if self.is_complete() && used < of {
            let left = of - used;
            self.warnings.push(StudyWarning::of_study(format!(
                "`{metric}`: only {used} of {of} {what} count, because the other {left} have runs without a value; the results describe the remaining distribution of the inputs"
            )));
        }
    }
}

/// A limit, and how often it is exceeded.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(type = "Limit & Partial<Exceeded>"))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LimitFinding {
    /// The limit.
    #[serde(flatten)]
    pub limit: Limit,
    /// `None` if no run has the metric.
    #[serde(flatten)]
    pub exceeded: Option<Exceeded>,
}

/// A fit.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FitFinding {
    /// As it was typed.
    pub fit: String,
    /// Least and greatest clearance on the diameter (m).
    pub clearance: [f64; 2],
    /// The probability of no clearance, if all sizes of both zones are equally likely.
    pub without_clearance: f64,
}

/// The worst value that was found.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// The point, from 0.
    pub point: usize,
    /// The value.
    pub value: f64,
    /// The values of the varied keys there, numbers in SI; of a fit the clearance on the diameter, and the places of both sizes in their zones.
    pub at: BTreeMap<String, Value>,
}

/// The value of a key.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "KeyValue"))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number in SI.
    Number(f64),
    /// A word.
    Text(String),
}

impl Study {
    /// The points of a sweep with repeats: mean, standard deviation and number of results of each metric.
    pub(super) fn scatter(&self, survey: &Survey, rows: &Rows) -> Option<Frame> {
        let repeats = self.file.repeats.filter(|repeats| *repeats > 1)?;
        if self.file.kind != StudyKind::Sweep || self.file.samples.is_some() {
            return None;
        }
        // Runs of one point follow each other: the start is the fastest key.
        let points: Vec<usize> = (0..rows.points()).step_by(repeats).collect();
        let keys = survey.points.varies().len() - 1;
        let levels: Vec<_> = points.iter().map(|point| survey.points.at(*point)).collect();
        let mut frame = Frame::new();
        for key in 0..keys {
            let column = Column::of_levels(levels.iter().map(|levels| levels[key].clone()));
            frame = frame.with(&survey.points.varies()[key].key, column);
        }
        for (metric, name) in survey.metrics.iter().enumerate() {
            let results = rows.of_points(metric);
            let of = |point: &usize| Distributed::of(results[*point..point + repeats].to_vec());
            let spread: Vec<Distributed> = points.iter().map(of).collect();
            let column = |of: &dyn Fn(&Distributed) -> Option<f64>| {
                Column::Numbers(spread.iter().map(|s| of(s).unwrap_or(f64::NAN)).collect())
            };
            frame = frame
                .with(name, column(&|s| s.mean))
                .with(format!("{name}.std"), column(&|s| s.std))
                .with(format!("{name}.count"), column(&|s| Some(s.count as f64)));
        }
        Some(frame)
    }

    /// Nothing found yet.
    pub(super) fn nothing(&self, digest: Digest, folder: &Path, table: &str) -> Findings {
        Findings {
            kind: self.file.kind,
            model: self.first.name.clone(),
            digest,
            points: self.points(),
            runs: 0,
            failed: 0,
            seed: self.file.seed,
            table: folder.join(table),
            section: None,
            spectra: None,
            points_table: None,
            indistinguishable: BTreeMap::new(),
            keys: Vec::new(),
            measured: Vec::new(),
            units: self.units.clone(),
            metrics: BTreeMap::new(),
            limits: Vec::new(),
            capability: BTreeMap::new(),
            fits: BTreeMap::new(),
            worst: BTreeMap::new(),
            samples_used: BTreeMap::new(),
            indices: BTreeMap::new(),
            effects: BTreeMap::new(),
            swings: BTreeMap::new(),
            classes: BTreeMap::new(),
            warnings: Vec::new(),
            optimum: None,
            identified: None,
        }
    }

    /// What the points of a diagram say.
    pub(super) fn motions(&self, diagram: &Diagram, points: &[Point], folder: &Path) -> Findings {
        let mut findings = self.nothing(diagram.base(), folder, POINTS);
        findings.section = Some(folder.join(SECTION));
        findings.runs = points.len();
        findings.failed = points.iter().filter(|point| point.section.is_empty()).count();
        findings.keys = vec![diagram.vary.key.clone()];
        findings.measured.clone_from(&diagram.observe);
        findings.warnings = StudyWarning::of_rows(points.iter().map(|point| &point.warnings));
        findings.warnings.extend(self.file.samples.map(|_| {
            StudyWarning::of_study(
                "`samples` has no effect in a bifurcation study: `periods` sets the length of its section",
            )
        }));
        for (metric, name) in diagram.metrics.iter().enumerate() {
            let values = points.iter().map(|point| point.metrics.get(metric).copied().flatten());
            findings.metrics.insert(name.clone(), Distributed::of(values));
            findings.warn_without_value(name);
        }
        for point in points {
            *findings.classes.entry(point.verdict.class.name().to_owned()).or_insert(0) += 1;
        }
        findings
    }

    /// What the runs say.
    pub(super) fn findings(&self, survey: &Survey, rows: &Rows, folder: &Path) -> Findings {
        let keys: Vec<&str> = survey.points.varies().iter().map(|vary| vary.key.as_str()).collect();
        let mut findings = self.nothing(survey.base(), folder, TABLE);
        findings.runs = rows.done().count();
        findings.failed = rows.failed();
        findings.keys = keys.iter().map(|&key| key.to_owned()).collect();
        findings.measured.clone_from(&survey.metrics);
        findings.warnings = rows.warned();
        findings.warnings.extend(self.idle(survey, rows));
        for (metric, name) in survey.metrics.iter().enumerate() {
            let results = || rows.of_points(metric);
            findings.metrics.insert(name.clone(), Distributed::of(rows.of_runs(metric).map(Some)));
            findings.warn_without_value(name);
            match self.file.kind {
                StudyKind::Sweep
                | StudyKind::Bifurcation
                | StudyKind::Optimise
                | StudyKind::Identify => {}
                StudyKind::Tolerance => self.tolerance(survey, name, &results(), &mut findings),
                StudyKind::Sensitivity => {
                    self.sensitivity(survey, name, &results(), &mut findings);
                }
            }
        }
        if self.file.kind == StudyKind::Tolerance {
            for (key, fit) in &self.fits {
                let finding = FitFinding {
                    fit: fit.to_string(),
                    clearance: fit.clearance(),
                    without_clearance: fit.without_clearance(),
                };
                findings.fits.insert(key.clone(), finding);
            }
        }
        findings
    }

    fn tolerance(
        &self,
        survey: &Survey,
        name: &str,
        results: &[Option<f64>],
        findings: &mut Findings,
    ) {
        let numbers: Vec<f64> = results.iter().flatten().copied().collect();
        for limit in self.limits.iter().filter(|limit| limit.metric == name) {
            let exceeded = limit.of(&numbers);
            findings.limits.push(LimitFinding { limit: limit.clone(), exceeded });
        }
        let limits = self.limits.iter().filter(|limit| limit.metric == name);
        let spread = findings.metrics.get(name);
        if let Some(found) = spread.and_then(|spread| Capability::of(spread, limits)) {
            findings.capability.insert(name.to_owned(), found);
        }
        // How far a value is on the wrong side of its limits, or how little it keeps to them.
        let limits: Vec<&Limit> = self.limits.iter().filter(|limit| limit.metric == name).collect();
        let badness = |value: f64| {
            let beyond = |limit: &&Limit| {
                if limit.upper { value - limit.value } else { limit.value - value }
            };
            limits.iter().map(beyond).reduce(f64::max).unwrap_or(value)
        };
        let found = results.iter().enumerate().filter_map(|(i, result)| Some((i, (*result)?)));
        let worst = found.max_by(|(_, a), (_, b)| badness(*a).total_cmp(&badness(*b)));
        if let Some((point, value)) = worst {
            let levels = survey.points.at(point);
            let value_of = |level: &Level| match level.number {
                Some(number) => Value::Number(number),
                None => Value::Text(level.text.clone()),
            };
            let keys = survey.points.varies().iter().map(|vary| vary.key.clone());
            let fits = self.clearances(survey).map(|(key, of)| (key, Value::Number(of(&levels))));
            let at = keys.zip(levels.iter().map(value_of)).chain(fits).collect();
            findings.worst.insert(name.to_owned(), Worst { point, value, at });
        }
    }

    fn sensitivity(
        &self,
        survey: &Survey,
        name: &str,
        results: &[Option<f64>],
        findings: &mut Findings,
    ) {
        fn by_key<T>(keys: &[String], of: Vec<T>) -> BTreeMap<String, T> {
            keys.iter().cloned().zip(of).collect()
        }
        // Keys as they were typed: both sizes of a fit are one input.
        let (keys, groups): (Vec<String>, Vec<usize>) = self.file.groups().into_iter().unzip();
        let (name, keys) = (name.to_owned(), &keys[..]);
        match self.file.measure.unwrap_or_default() {
            Measure::Sobol => {
                let (found, used) = indices(results, keys.len(), self.file.seed);
                let of = results.len() / (keys.len() + 2);
                findings.warn_of_left_out(&name, "samples", [used, of]);
                findings.samples_used.insert(name.clone(), used);
                findings.indices.insert(name, by_key(keys, found));
            }
            Measure::Morris => {
                let (found, used) = effects(&survey.points, &groups, results);
                let of = results.len() / (keys.len() + 1);
                findings.warn_of_left_out(&name, "trajectories", [used, of]);
                findings.samples_used.insert(name.clone(), used);
                findings.effects.insert(name, by_key(keys, found));
            }
            Measure::Tornado => {
                findings.swings.insert(name, by_key(keys, swings(results, keys.len())));
            }
        }
    }
}

/// The points of a metric, as far as they are compared.
fn scattered(points: &Frame, metric: &str) -> Option<Vec<Scattered>> {
    let (mean, std) = (points.numbers(metric)?, points.numbers(&format!("{metric}.std"))?);
    let count = points.numbers(&format!("{metric}.count"))?;
    let all = mean.iter().zip(std).zip(count).map(|((&mean, &std), &count)| Scattered {
        mean,
        std,
        count,
    });
    Some(all.take(MOST_COMPARED).collect())
}

/// For each metric: the fraction of all pairs of points that are indistinguishable.
pub(super) fn indistinguishable(points: &Frame, metrics: &[String]) -> BTreeMap<String, f64> {
    let of = |metric: &String| {
        let all = scattered(points, metric)?;
        let (mut same, mut pairs) = (0_usize, 0_usize);
        for (i, point) in all.iter().enumerate() {
            for like in all[..i].iter().filter_map(|other| point.is_like(other)) {
                pairs += 1;
                same += usize::from(like);
            }
        }
        (pairs > 0).then(|| (metric.clone(), same as f64 / pairs as f64))
    };
    metrics.iter().filter_map(of).collect()
}

/// The same points, each with the number of others from which it is indistinguishable.
pub(super) fn with_likes(points: Frame, metrics: &[String]) -> Frame {
    if points.len() > MOST_COMPARED {
        return points;
    }
    metrics.iter().fold(points, |points, metric| {
        let Some(all) = scattered(&points, metric) else { return points };
        let likes = all.iter().enumerate().map(|(i, point)| {
            let others = all.iter().enumerate().filter(|(j, _)| *j != i);
            others.filter(|(_, other)| point.is_like(other) == Some(true)).count() as f64
        });
        let likes = Column::Numbers(likes.collect());
        points.with(format!("{metric}.indistinguishable"), likes)
    })
}

/// Points that are compared with each other.
const MOST_COMPARED: usize = 1000;
