//! A study from its file to its findings.
//!
//! The folder of a study has the table of its runs (`table.csv`, `table.parquet`), the findings (`study.json`), the runs as they ended
//! (`runs.jsonl`), and what is needed to go on or to repeat it: `study.toml`, `model.toml` and the tables of the model.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jointplay_model::{Diagnostics, IsoFit, Overrides};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::bifurcation::{Diagram, Point};
use crate::case::{Case, Digest, Loaded};
use crate::frame::{Column, Frame};
use crate::journal::Journal;
use crate::sensitivity::{Effects, Indices, Measure, Swing, effects, indices, swings};
use crate::statistics::{Distributed, Exceeded, Limit};
use crate::study_file::{StudyFile, StudyKind};
use crate::survey::{JOURNAL, Row, Shard, Survey, SurveyError, gather};
use crate::sweep::Sweep;

/// The name of the study file in a study folder.
pub const STUDY: &str = "study.toml";
/// How the study file in a study folder begins.
const WRITTEN: &str =
    "# Written by jointplay: the study of this folder, with model.toml beside it.\n";
/// The name of the findings in a study folder.
pub const FINDINGS: &str = "study.json";
/// The name of the table in a study folder.
pub const TABLE: &str = "table.csv";
/// The name of the points of a bifurcation diagram.
pub const POINTS: &str = "points.csv";
/// The name of its section.
pub const SECTION: &str = "section.csv";

/// Why a study cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StudyError {
    /// The request is wrong: every problem.
    #[error("{}", .0.join("\n"))]
    Request(Vec<String>),
    /// The model is wrong.
    #[error("{0}")]
    Model(Box<Diagnostics>),
    /// A folder or a file cannot be used.
    #[error("{0}")]
    Folder(String),
}

impl From<SurveyError> for StudyError {
    fn from(error: SurveyError) -> Self {
        match error {
            SurveyError::Model(wrong) => StudyError::Model(wrong),
            SurveyError::Metric(wrong) => StudyError::Request(vec![wrong]),
            SurveyError::Journal(error) => StudyError::Folder(error.to_string()),
        }
    }
}

impl From<Diagnostics> for StudyError {
    fn from(wrong: Diagnostics) -> Self {
        StudyError::Model(Box::new(wrong))
    }
}

/// A study that was read and checked.
#[derive(Clone, Debug)]
pub struct Study {
    file: StudyFile,
    work: Work,
    /// The first point that can be read.
    first: Loaded,
    limits: Vec<Limit>,
    fits: Vec<(String, IsoFit)>,
}

/// What is run.
#[derive(Clone, Debug)]
enum Work {
    Survey(Survey),
    Diagram(Diagram),
}

impl Study {
    /// Reads a study file, or the study of a folder.
    ///
    /// # Errors
    /// [`StudyError`], with everything that is wrong.
    pub fn open(path: &Path) -> Result<Self, StudyError> {
        if path.is_dir() && !is_study(path) {
            let message = format!(
                "'{}' is not the folder of a study: give a study file, or a folder that a study was made in",
                path.display()
            );
            return Err(StudyError::Request(vec![message]));
        }
        let path = if path.is_dir() { path.join(STUDY) } else { path.to_owned() };
        let text = jointplay_files::read_text(&path, MAX_FILE)
            .map_err(|error| StudyError::Request(vec![format!("'{}' {error}", path.display())]))?;
        let file = StudyFile::parse(&text).map_err(|wrong| {
            StudyError::Request(vec![format!("{}: {}", path.display(), wrong.trim_end())])
        })?;
        let model = path.parent().unwrap_or(Path::new("")).join(&file.model);
        let mut changes = file.case.iter().fold(Overrides::new(), Overrides::case);
        for (key, value) in &file.set {
            changes = changes.set_toml(key, value.to_string());
        }
        let changes = file.law.iter().fold(changes, Overrides::law);
        let case = Case::open(&model)?.changed(changes);
        Self::new(file, case)
    }

    /// A study of a model with the changes that all runs share.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn new(mut file: StudyFile, case: Case) -> Result<Self, StudyError> {
        if file.kind == StudyKind::Bifurcation {
            let diagram = file.diagram(case).map_err(StudyError::Request)?;
            let (first, work) = (diagram.check()?, Work::Diagram(diagram));
            return Ok(Study { file, work, first, limits: Vec::new(), fits: Vec::new() });
        }
        let (points, fits) = (file.points(), file.fits());
        let mut wrong = Vec::new();
        let points = points.map_err(|problems| wrong.extend(problems)).ok();
        // What is wrong with a fit is among the problems of the points.
        let fits = fits.unwrap_or_default();
        let set_and_varied = |key: &str| file.set.contains_key(key);
        for key in file.vary.iter().map(|entry| &entry.key).filter(|key| set_and_varied(key)) {
            wrong.push(format!("`{key}` is set and varied: leave out one of the two"));
        }
        for (i, metric) in file.metrics.iter().enumerate() {
            if file.metrics[..i].contains(metric) {
                wrong.push(format!("the metric `{metric}` is asked for twice"));
            }
        }
        let Some(points) = points.filter(|_| wrong.is_empty()) else {
            return Err(StudyError::Request(wrong));
        };
        let plain = case.clone();
        let case = fits.iter().fold(case, |case, (key, fit)| case.set(key, fit.to_string()));
        let repeated = file.repeats.is_some_and(|repeats| repeats > 1);
        let case = if repeated { apart(case) } else { case };
        let mut survey = Survey { case, points, metrics: file.metrics.clone() };
        if survey.metrics.is_empty() {
            survey.metrics = usual_metrics(&first_of(&survey, &plain, &fits)?);
            file.metrics.clone_from(&survey.metrics);
        }
        if survey.metrics.is_empty() {
            let hint = "nothing is measured: the model has neither metrics nor contacts; give --metric NAME, such as max(slider.ax)";
            return Err(StudyError::Request(vec![hint.to_owned()]));
        }
        let limits = file.limits().map_err(StudyError::Request)?;
        let first = first_of(&survey, &plain, &fits)?;
        survey.check(&first)?;
        Ok(Study { file, work: Work::Survey(survey), first, limits, fits })
    }

    /// The study file.
    pub fn file(&self) -> &StudyFile {
        &self.file
    }

    /// The first point that can be read.
    pub fn first(&self) -> &Loaded {
        &self.first
    }

    /// The number of points.
    pub fn points(&self) -> usize {
        match &self.work {
            Work::Survey(survey) => survey.points.len(),
            Work::Diagram(diagram) => diagram.points(),
        }
    }

    /// How many times as long as a run of the model a point takes.
    pub fn effort(&self) -> f64 {
        match &self.work {
            Work::Survey(_) => 1.0,
            Work::Diagram(diagram) => diagram.effort(&self.first),
        }
    }

    /// Whether points follow each other, so that more cores help little.
    pub fn is_chain(&self) -> bool {
        matches!(&self.work, Work::Diagram(diagram) if diagram.is_chain())
    }

    /// The number of columns of its table.
    pub fn columns(&self) -> usize {
        match &self.work {
            Work::Survey(survey) => survey.points.varies().len() + survey.metrics.len(),
            Work::Diagram(diagram) => 3 + diagram.observe.len() * diagram.periods,
        }
    }

    fn case(&self) -> &Case {
        match &self.work {
            Work::Survey(survey) => &survey.case,
            Work::Diagram(diagram) => &diagram.case,
        }
    }

    /// Makes the study in a folder, in which it goes on where it was. What it returns is in the folder then, whether all points were
    /// run or not.
    ///
    /// # Errors
    /// [`StudyError`]. A run that fails is a row of the table, not an error.
    pub fn run(
        &self,
        folder: &Path,
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<Outcome, StudyError> {
        if shard.is_some() && matches!(self.work, Work::Diagram(_)) {
            let message = "a bifurcation diagram is followed from value to value and has no parts";
            return Err(StudyError::Request(vec![message.to_owned()]));
        }
        check_folder(folder)?;
        std::fs::create_dir_all(folder).map_err(|cause| cannot(folder, &cause))?;
        let (findings, table, section) = match &self.work {
            Work::Survey(survey) => {
                let journal = self.journal(folder)?;
                self.prepare(folder)?;
                self.survey(survey, journal, folder, sweep, shard)?
            }
            Work::Diagram(diagram) => {
                let journal = self.journal(folder)?;
                self.prepare(folder)?;
                let points = diagram.run(journal, sweep)?;
                let (section, table) = (diagram.section(&points), diagram.verdicts(&points));
                for (name, frame) in [(SECTION, &section), (POINTS, &table)] {
                    write(folder, name, &frame.csv())?;
                    write_parquet(folder, name, frame)?;
                }
                (self.motions(diagram, &points, folder), table, Some(section))
            }
        };
        let text = serde_json::to_string_pretty(&findings)
            .map_err(|error| StudyError::Folder(error.to_string()))?;
        write(folder, FINDINGS, (text + "\n").as_bytes())?;
        Ok(Outcome { findings, table, section })
    }

    /// The journal of a folder, which nobody else writes to from then on, and what it has.
    fn journal<R: DeserializeOwned>(&self, folder: &Path) -> Result<(Journal, Vec<R>), StudyError> {
        Journal::open(&folder.join(JOURNAL), self.file.kind.name())
            .map_err(|error| StudyError::Folder(error.to_string()))
    }

    fn survey(
        &self,
        survey: &Survey,
        journal: (Journal, Vec<Row>),
        folder: &Path,
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<(Findings, Frame, Option<Frame>), StudyError> {
        let (rows, tables) = survey.run(journal, sweep, shard)?;
        for (name, text) in &tables {
            write(folder, name, text.as_bytes())?;
        }
        let table = self.table(survey, &rows);
        write(folder, TABLE, &table.csv())?;
        write_parquet(folder, TABLE, &table)?;
        let mut findings = self.findings(survey, &rows, folder);
        if let Some(points) = self.scatter(survey, &rows) {
            write(folder, POINTS, &points.csv())?;
            findings.points_table = Some(folder.join(POINTS));
            findings.indistinguishable = indistinguishable(&points, &survey.metrics);
        }
        Ok((findings, table, None))
    }

    /// The points of a sweep with repeats: mean, standard deviation and number of results of each metric.
    fn scatter(&self, survey: &Survey, rows: &[Option<Row>]) -> Option<Frame> {
        let repeats = self.file.repeats.filter(|repeats| *repeats > 1)?;
        if self.file.kind != StudyKind::Sweep || self.file.samples.is_some() {
            return None;
        }
        // Runs of one point follow each other: the start is the fastest key.
        let points: Vec<usize> = (0..rows.len()).step_by(repeats).collect();
        let keys = survey.points.varies().len() - 1;
        let levels: Vec<_> = points.iter().map(|point| survey.points.at(*point)).collect();
        let mut frame = Frame::new();
        for key in 0..keys {
            let cells = levels.iter().map(|levels| &levels[key]);
            let numbers: Option<Vec<f64>> = cells.clone().map(|level| level.number).collect();
            let column = numbers.map_or_else(
                || Column::Texts(cells.map(|level| level.text.clone()).collect()),
                Column::Numbers,
            );
            frame = frame.with(&survey.points.varies()[key].key, column);
        }
        for (metric, name) in survey.metrics.iter().enumerate() {
            let results = survey.results(rows, metric);
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

    /// The table of the runs. A fit that is varied has a column under its own key, with the clearance on the diameter (m).
    fn table(&self, survey: &Survey, rows: &[Option<Row>]) -> Frame {
        let keys = survey.points.varies();
        let clearances = self.fits.iter().filter_map(|(key, fit)| {
            let place =
                |side: &str| keys.iter().position(|vary| vary.key == format!("{key}_{side}"));
            let (hole, shaft) = (place("hole")?, place("shaft")?);
            let clearance = |point: usize| {
                let levels = survey.points.at(point);
                let [hole, shaft] = [hole, shaft].map(|key| levels[key].number.unwrap_or(f64::NAN));
                let [hole, shaft] = fit.diameters(hole, shaft);
                hole - shaft
            };
            Some((key.clone(), Column::Numbers(Survey::done(rows).map(clearance).collect())))
        });
        let own = survey.table(rows);
        let fits = clearances.fold(Frame::new(), |frame, (key, column)| frame.with(key, column));
        own.columns().fold(fits, |frame, (name, column)| frame.with(name, column.clone()))
    }

    /// Writes all that is needed to repeat the study.
    fn prepare(&self, folder: &Path) -> Result<(), StudyError> {
        let model = self.case().written()?;
        write(folder, "model.toml", model.as_bytes())?;
        for (name, text) in self.first.tables() {
            write(folder, name, text.as_bytes())?;
        }
        let file = StudyFile {
            model: "model.toml".to_owned(),
            case: None,
            law: None,
            set: BTreeMap::new(),
            ..self.file.clone()
        };
        let text = file.written().map_err(StudyError::Folder)?;
        write(folder, STUDY, format!("{WRITTEN}{text}").as_bytes())
    }

    /// Nothing found yet.
    fn nothing(&self, digest: Digest, folder: &Path, table: &str) -> Findings {
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
            points_table: None,
            indistinguishable: BTreeMap::new(),
            keys: Vec::new(),
            measured: Vec::new(),
            metrics: BTreeMap::new(),
            limits: Vec::new(),
            fits: BTreeMap::new(),
            worst: BTreeMap::new(),
            samples_used: BTreeMap::new(),
            indices: BTreeMap::new(),
            effects: BTreeMap::new(),
            swings: BTreeMap::new(),
            classes: BTreeMap::new(),
        }
    }

    /// What the points of a diagram say.
    fn motions(&self, diagram: &Diagram, points: &[Point], folder: &Path) -> Findings {
        let mut findings = self.nothing(diagram.base(), folder, POINTS);
        findings.section = Some(folder.join(SECTION));
        findings.runs = points.len();
        findings.failed = points.iter().filter(|point| point.section.is_empty()).count();
        findings.keys = vec![diagram.vary.key.clone()];
        findings.measured.clone_from(&diagram.observe);
        for point in points {
            *findings.classes.entry(point.verdict.class.name().to_owned()).or_insert(0) += 1;
        }
        findings
    }

    /// What the runs say.
    fn findings(&self, survey: &Survey, rows: &[Option<Row>], folder: &Path) -> Findings {
        let keys: Vec<&str> = survey.points.varies().iter().map(|vary| vary.key.as_str()).collect();
        let done = rows.iter().flatten();
        let mut findings = self.nothing(survey.base(), folder, TABLE);
        findings.runs = done.clone().count();
        findings.failed = done.filter(|row| row.is_failed()).count();
        findings.keys = keys.iter().map(|&key| key.to_owned()).collect();
        findings.measured.clone_from(&survey.metrics);
        for (metric, name) in survey.metrics.iter().enumerate() {
            let results = survey.results(rows, metric);
            let run = rows.iter().zip(&results).filter(|(row, _)| row.is_some());
            findings.metrics.insert(name.clone(), Distributed::of(run.map(|(_, result)| *result)));
            match self.file.kind {
                StudyKind::Sweep | StudyKind::Bifurcation => {}
                StudyKind::Tolerance => self.tolerance(survey, name, &results, &mut findings),
                StudyKind::Sensitivity => self.sensitivity(survey, name, &results, &mut findings),
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
        let found = results.iter().enumerate().filter_map(|(i, result)| Some((i, (*result)?)));
        // The greatest, unless all that is asked is not to fall below something.
        let mut limits = self.limits.iter().filter(|limit| limit.metric == name).peekable();
        let least = limits.peek().is_some() && limits.all(|limit| !limit.upper);
        let worst = if least {
            found.min_by(|(_, a), (_, b)| a.total_cmp(b))
        } else {
            found.max_by(|(_, a), (_, b)| a.total_cmp(b))
        };
        if let Some((point, value)) = worst {
            let levels = survey.points.at(point).into_iter().map(|level| level.text);
            let keys = survey.points.varies().iter().map(|vary| vary.key.clone());
            let at = keys.zip(levels).collect();
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
        fn by_key<T>(keys: &[&str], of: Vec<T>) -> BTreeMap<String, T> {
            keys.iter().map(|&key| key.to_owned()).zip(of).collect()
        }
        let keys: Vec<&str> = survey.points.varies().iter().map(|vary| vary.key.as_str()).collect();
        let (name, keys) = (name.to_owned(), &keys[..]);
        match self.file.measure.unwrap_or_default() {
            Measure::Sobol => {
                let (found, used) = indices(results, keys.len(), self.file.seed);
                findings.samples_used.insert(name.clone(), used);
                findings.indices.insert(name, by_key(keys, found));
            }
            Measure::Morris => {
                let (found, used) = effects(&survey.points, results);
                findings.samples_used.insert(name.clone(), used);
                findings.effects.insert(name, by_key(keys, found));
            }
            Measure::Tornado => {
                findings.swings.insert(name, by_key(keys, swings(results, keys.len())));
            }
        }
    }
}

/// The first point that can be read. Where no sample of a fit has clearance, every row will say so: the model without the fit
/// stands in.
fn first_of(
    survey: &Survey,
    plain: &Case,
    fits: &[(String, IsoFit)],
) -> Result<Loaded, StudyError> {
    survey.first().or_else(|wrong| match plain.load() {
        Ok(loaded) if !fits.is_empty() => Ok(loaded),
        _ => Err(wrong.into()),
    })
}

/// The model with starts that are 1 nm apart, unless it says how far.
fn apart(case: Case) -> Case {
    const DISTURBANCE: &str = "start.disturbance";
    let says = case.load().is_ok_and(|loaded| loaded.as_run.contains("disturbance"));
    if says { case } else { case.set(DISTURBANCE, "1 nm") }
}

/// Of each metric: the fraction of all pairs of points that cannot be told apart, by Welch's test with 95 %.
fn indistinguishable(points: &Frame, metrics: &[String]) -> BTreeMap<String, f64> {
    let numbers = |name: &str| {
        points.columns().find_map(|(column, cells)| match cells {
            Column::Numbers(numbers) if column == name => Some(&numbers[..]),
            _ => None,
        })
    };
    let of = |metric: &String| {
        let (mean, std) = (numbers(metric)?, numbers(&format!("{metric}.std"))?);
        let count = numbers(&format!("{metric}.count"))?;
        // The first points are enough for a fraction.
        let some = mean.len().min(MOST_COMPARED);
        let (mut same, mut pairs) = (0_usize, 0_usize);
        for i in 0..some {
            for j in 0..i {
                let error = [i, j].map(|k| std[k] * std[k] / count[k]).iter().sum::<f64>().sqrt();
                let apart = (mean[i] - mean[j]).abs();
                if apart.is_finite() && error.is_finite() {
                    pairs += 1;
                    same += usize::from(apart <= 2.0 * error);
                }
            }
        }
        (pairs > 0).then(|| (metric.clone(), same as f64 / pairs as f64))
    };
    metrics.iter().filter_map(of).collect()
}

/// Points whose pairs are compared.
const MOST_COMPARED: usize = 300;

/// A study file is not longer than this (bytes).
const MAX_FILE: u64 = 1 << 20;

/// Statistics of contacts that are kept if nothing is asked for.
const USUAL: [&str; 5] = ["impacts", "peak_force", "max_indentation", "contact_fraction", "loss"];

/// The metrics of a model, or the usual ones of its contacts.
fn usual_metrics(loaded: &Loaded) -> Vec<String> {
    if !loaded.metrics.is_empty() {
        return loaded.metrics.iter().map(|metric| metric.name.clone()).collect();
    }
    let joints = loaded.model.touching();
    joints.flat_map(|(joint, _)| USUAL.map(|name| format!("{joint}.{name}"))).collect()
}

/// What a study leaves.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Outcome {
    /// What it found out.
    pub findings: Findings,
    /// The table of its runs, or of the points of a bifurcation diagram.
    pub table: Frame,
    /// The section of a bifurcation diagram.
    pub section: Option<Frame>,
}

/// What a study found out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Findings {
    /// What was asked.
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
    pub seed: u64,
    /// The table of the runs.
    pub table: PathBuf,
    /// The points of the section of a bifurcation diagram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<PathBuf>,
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
    /// How each metric spreads over the runs.
    pub metrics: BTreeMap<String, Distributed>,
    /// How often limits are exceeded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<LimitFinding>,
    /// Fits by their keys.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub fits: BTreeMap<String, FitFinding>,
    /// The greatest value of each metric, or the least where only lower limits are given, and where it was found.
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
}

impl Findings {
    /// Whether all points were run.
    pub fn is_complete(&self) -> bool {
        self.runs == self.points
    }
}

/// A limit, and how often it is exceeded.
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Worst {
    /// The point, from 0.
    pub point: usize,
    /// The value.
    pub value: f64,
    /// The values of the varied keys there, as they would be typed after `--set`.
    pub at: BTreeMap<String, String>,
}

/// Refuses a folder that has something else in it than a study.
///
/// # Errors
/// [`StudyError::Folder`].
pub fn check_folder(folder: &Path) -> Result<(), StudyError> {
    let shown = folder.display();
    let refuse = |why: &str| {
        let message = format!("'{shown}' {why}: choose another folder with --out FOLDER");
        Err(StudyError::Folder(message))
    };
    if folder.symlink_metadata().is_ok() && !folder.exists() {
        return refuse("is a link to nowhere");
    }
    if folder.exists() && !folder.is_dir() {
        return refuse("is not a folder");
    }
    let Ok(mut entries) = std::fs::read_dir(folder) else { return Ok(()) };
    if !is_study(folder) && entries.next().is_some() {
        return refuse("exists and is not the folder of a study");
    }
    Ok(())
}

/// Whether a folder is one that a study was made in.
pub fn is_study(folder: &Path) -> bool {
    Journal::is_one(&folder.join(JOURNAL))
}

fn cannot(path: &Path, cause: &std::io::Error) -> StudyError {
    StudyError::Folder(format!("'{}': {cause}", path.display()))
}

fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), StudyError> {
    let path = folder.join(name);
    jointplay_files::write(&path, bytes).map_err(|cause| cannot(&path, &cause))
}

#[cfg(feature = "parquet")]
fn write_parquet(folder: &Path, name: &str, table: &Frame) -> Result<(), StudyError> {
    let bytes = table.parquet().map_err(StudyError::Folder)?;
    write(folder, &name.replace(".csv", ".parquet"), &bytes)
}

#[cfg(not(feature = "parquet"))]
fn write_parquet(_: &Path, _: &str, _: &Frame) -> Result<(), StudyError> {
    Ok(())
}

/// Brings the runs of several folders, such as the shards of a study, together in another one.
///
/// # Errors
/// [`StudyError`], also if the folders do not belong to one study.
pub fn merge(parts: &[PathBuf], folder: &Path) -> Result<Study, StudyError> {
    let Some((first, others)) = parts.split_first() else {
        return Err(StudyError::Request(vec!["there is no folder to merge".to_owned()]));
    };
    let study = Study::open(first)?;
    let Work::Survey(survey) = &study.work else {
        let message = "a bifurcation diagram has no parts to merge";
        return Err(StudyError::Request(vec![message.to_owned()]));
    };
    for other in others {
        let part = Study::open(other)?;
        let same = matches!(&part.work, Work::Survey(other) if other.base() == survey.base());
        if part.file != study.file || !same {
            return Err(StudyError::Request(vec![format!(
                "'{}' and '{}' belong to different studies",
                first.display(),
                other.display()
            )]));
        }
    }
    let read = |part: &PathBuf| study.journal::<Row>(part).map(|(_, rows)| rows);
    let others = parts.iter().filter(|part| part.as_path() != folder).map(read);
    let others: Vec<Vec<Row>> = others.collect::<Result<_, _>>()?;
    check_folder(folder)?;
    std::fs::create_dir_all(folder).map_err(|cause| cannot(folder, &cause))?;
    let (mut journal, known) = study.journal::<Row>(folder)?;
    gather((&mut journal, &known), others.into_iter().flatten())
        .map_err(|error| StudyError::Folder(error.to_string()))?;
    drop(journal);
    Ok(study)
}
