//! A study from its file to its findings.
//!
//! The folder of a study has the table of its runs (`table.csv`, `table.parquet`), the findings (`study.json`), the runs as they ended
//! (`runs.jsonl`), and what is needed to go on or to repeat it: `study.toml`, `model.toml` and the tables of the model.

mod findings;
mod folder;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jointplay_model::{Diagnostics, IsoFit, Overrides};
use serde::de::DeserializeOwned;

use crate::bifurcation::Diagram;
use crate::case::{Case, Loaded};
use crate::continuation::drives_repeat;
use crate::frame::{Column, Frame};
use crate::journal::Journal;
use crate::statistics::Limit;
use crate::study_file::{StudyFile, StudyKind};
use crate::survey::{JOURNAL, Row, Shard, Survey, SurveyError, gather};
use crate::sweep::Sweep;

pub use findings::{Findings, FitFinding, LimitFinding, Outcome, Worst};
pub use folder::{FINDINGS, POINTS, SECTION, SPECTRA, STUDY, TABLE, check_folder, is_study};

use findings::indistinguishable;
use folder::{cannot, write, write_parquet};

/// How the study file in a study folder begins.
const WRITTEN: &str =
    "# Written by jointplay: the study of this folder, with model.toml beside it.\n";
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
        Self::open_changed(path, [])
    }

    /// The same with other values of keys, see [`StudyFile::changed`].
    ///
    /// # Errors
    /// [`StudyError`], with everything that is wrong.
    pub fn open_changed<'c>(
        path: &Path,
        changes: impl IntoIterator<Item = (&'c str, &'c str)>,
    ) -> Result<Self, StudyError> {
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
        let file = StudyFile::parse(&text, Some(&path.display().to_string()))?.changed(changes)?;
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
        let warm_start = file.warm_start;
        let mut survey = Survey { case, points, metrics: file.metrics.clone(), warm_start };
        if survey.metrics.is_empty() {
            survey.metrics = usual_metrics(&first_of(&survey, &plain, &fits)?);
            file.metrics.clone_from(&survey.metrics);
        }
        if survey.metrics.is_empty() {
            let hint = "nothing is measured: the model has neither metrics nor contacts; give --metric NAME, such as max(slider.ax)";
            return Err(StudyError::Request(vec![hint.to_owned()]));
        }
        let first = first_of(&survey, &plain, &fits)?;
        survey.check(&first)?;
        let unit_of = |metric: &str| Survey::unit_of(&first, metric);
        let limits = file.limits(unit_of).map_err(StudyError::Request)?;
        if survey.warm_start {
            let repeated = drives_repeat(&first.model.mechanism, first.model.run.until);
            let wrong = |wrong| StudyError::Request(vec![format!("{wrong}: change `run.until`")]);
            repeated.map_err(wrong)?;
        }
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

    /// The number of units of work, which do not wait for each other: points, or chains of points that do.
    pub fn units(&self) -> usize {
        match &self.work {
            Work::Survey(survey) => survey.points.len() / survey.chain(),
            Work::Diagram(diagram) if diagram.is_chain() => 1,
            Work::Diagram(diagram) => diagram.points(),
        }
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
        let outcome = match &self.work {
            Work::Survey(survey) => {
                let journal = self.journal(folder)?;
                let model = self.prepare(folder)?;
                self.survey(survey, journal, (folder, model), sweep, shard)?
            }
            Work::Diagram(diagram) => {
                let journal = self.journal(folder)?;
                let model = self.prepare(folder)?;
                let points = diagram.run(journal, sweep)?;
                let (section, table) = (diagram.section(&points), diagram.verdicts(&points));
                for (name, frame) in [(SECTION, &section), (POINTS, &table)] {
                    write(folder, name, &frame.csv())?;
                    write_parquet(folder, name, frame)?;
                }
                let mut findings = self.motions(diagram, &points, folder);
                let spectra = diagram.spectra(&points);
                if let Some(spectra) = &spectra {
                    write(folder, SPECTRA, &spectra.csv())?;
                    write_parquet(folder, SPECTRA, spectra)?;
                    findings.spectra = Some(folder.join(SPECTRA));
                }
                let tables = self.first.tables();
                Outcome {
                    findings,
                    table,
                    section: Some(section),
                    spectra,
                    points: None,
                    model,
                    tables: tables.map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
                    continued: diagram.is_chain(),
                    starts: points.into_iter().map(|point| point.start).collect(),
                }
            }
        };
        let text = serde_json::to_string_pretty(&outcome.findings)
            .map_err(|error| StudyError::Folder(error.to_string()))?;
        write(folder, FINDINGS, (text + "\n").as_bytes())?;
        Ok(outcome)
    }

    /// The model of a row of the table, counted from 1, as it was run: its text and the files that it refers to, by name. `jointplay run` makes
    /// the whole result of it.
    ///
    /// # Errors
    /// [`StudyError`] if the folder does not have this row, or its model is wrong.
    pub fn case_of_row(
        &self,
        folder: &Path,
        row: usize,
    ) -> Result<(String, BTreeMap<String, String>), StudyError> {
        let none = |rows: usize| {
            let message = format!(
                "there is no row {row}: the table has {rows}, the study {} points",
                self.points()
            );
            StudyError::Request(vec![message])
        };
        let (case, start) = match &self.work {
            Work::Survey(survey) => {
                let known = self.journal(folder)?;
                let (rows, _) = survey.run(known, &Sweep::new(), Some(Shard::none()))?;
                let done: Vec<usize> = Survey::done(&rows).collect();
                let point = row.checked_sub(1).and_then(|row| done.get(row));
                let point = *point.ok_or_else(|| none(done.len()))?;
                let start = rows[point].as_ref().and_then(|row| row.start.as_deref().cloned());
                (survey.case_at(point), start)
            }
            Work::Diagram(diagram) => {
                let points = diagram.known(self.journal(folder)?);
                let point = row.checked_sub(1).and_then(|row| points.get(row));
                let point = point.ok_or_else(|| none(points.len()))?;
                let case = diagram.case_at(point.index);
                let until = diagram.duration(&case.load()?).map_err(StudyError::Request)?;
                (case.set("run.until", until), point.start.clone())
            }
        };
        let case = match &start {
            Some(state) => case.starting_from(state),
            None => case,
        };
        let loaded = case.load()?;
        let tables = loaded.tables().map(|(name, text)| (name.to_owned(), text.to_owned()));
        Ok((loaded.as_run().to_string(), tables.collect()))
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
        (folder, model): (&Path, String),
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<Outcome, StudyError> {
        let (rows, tables) = survey.run(journal, sweep, shard)?;
        for (name, text) in &tables {
            write(folder, name, text.as_bytes())?;
        }
        let table = self.table(survey, &rows);
        write(folder, TABLE, &table.csv())?;
        write_parquet(folder, TABLE, &table)?;
        let mut findings = self.findings(survey, &rows, folder);
        let points = self.scatter(survey, &rows);
        if let Some(points) = &points {
            write(folder, POINTS, &points.csv())?;
            findings.points_table = Some(folder.join(POINTS));
            findings.indistinguishable = indistinguishable(points, &survey.metrics);
        }
        let continued = survey.warm_start;
        let started = rows.into_iter().flatten().filter(|_| continued);
        let starts = started.map(|row| row.start.map(|state| *state)).collect();
        let (section, spectra) = (None, None);
        Ok(Outcome { findings, table, section, spectra, points, model, tables, continued, starts })
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

    /// Writes all that is needed to repeat the study; the text of the model.
    fn prepare(&self, folder: &Path) -> Result<String, StudyError> {
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
        write(folder, STUDY, format!("{WRITTEN}{text}").as_bytes())?;
        Ok(model)
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
    let start = |text: &str| toml::from_str::<toml::Table>(text).ok()?.remove("start");
    let says = case.load().is_ok_and(|loaded| {
        start(loaded.as_run()).is_some_and(|start| start.get("disturbance").is_some())
    });
    if says { case } else { case.set(DISTURBANCE, "1 nm") }
}

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
