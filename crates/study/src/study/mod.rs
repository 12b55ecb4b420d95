//! A study from its file to its findings.
//!
//! The folder of a study has the table of its runs (`table.csv`, `table.parquet`), the findings (`study.json`), the runs as they ended
//! (`runs.jsonl`), and the data to resume or repeat it: `study.toml`, `model.toml` and the tables
//! of the model.

mod check;
mod crew;
mod error;
mod findings;
mod folder;
mod idle;
mod merge;
mod open;
mod row_case;
mod search;
mod units;

use std::collections::BTreeMap;
use std::path::Path;

use jointplay_model::IsoFit;
use serde::de::DeserializeOwned;

use crate::bifurcation::Diagram;
use crate::case::{Case, Loaded};
use crate::frame::{Column, Frame};
use crate::identify::Identification;
use crate::journal::Journal;
use crate::measurement::DATA;
use crate::optimum::Optimisation;
use crate::statistics::Limit;
use crate::study_file::StudyFile;
use crate::survey::{JOURNAL, Row, Rows, Shard, Survey};
use crate::sweep::Sweep;
use crate::trials::Known;
use crate::vary::Level;
use crate::warned::StudyWarning;

pub use error::StudyError;
pub use findings::{Findings, FitFinding, LimitFinding, StudyResult, Value, Worst};
pub use folder::{
    FINDINGS, OVERLAY, POINTS, SECTION, SPECTRA, STUDY, TABLE, check_folder, is_study,
};
pub use merge::merge;
pub use row_case::RowCase;

use findings::{indistinguishable, with_likes};
use folder::{cannot, write, write_csv, write_table};

/// How the study file in a study folder begins.
const WRITTEN: &str =
    "# Written by jointplay: the study of this folder, with model.toml beside it.\n";

/// The states in which runs started are at hand if there are no more than this; of more, the folder has them.
pub const MOST_STARTS: usize = 2000;

/// A study that was read and checked.
#[derive(Clone, Debug)]
pub struct Study {
    file: StudyFile,
    work: Work,
    /// The first point that can be read.
    first: Loaded,
    limits: Vec<Limit>,
    fits: Vec<(String, IsoFit)>,
    /// The SI units of the keys and metrics.
    units: BTreeMap<String, String>,
}

/// What is run.
#[derive(Clone, Debug)]
enum Work {
    Survey(Survey),
    Diagram(Diagram),
    Optimisation(Optimisation),
    Identification(Identification),
}

impl Study {
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
            Work::Optimisation(search) => search.budget,
            Work::Identification(search) => search.budget,
        }
    }

    /// How many times as long as a run of the model a point takes.
    pub fn effort(&self) -> f64 {
        match &self.work {
            Work::Survey(_) | Work::Optimisation(_) | Work::Identification(_) => 1.0,
            Work::Diagram(diagram) => diagram.effort(&self.first),
        }
    }

    /// The number of units of work, which do not wait for each other: points, or chains of points that do.
    pub fn units(&self) -> usize {
        match &self.work {
            Work::Survey(survey) => survey.points.len() / survey.chain(),
            Work::Diagram(diagram) if diagram.is_chain() => 1,
            Work::Diagram(diagram) => diagram.values(),
            Work::Optimisation(_) | Work::Identification(_) => self.points(),
        }
    }

    /// The number of columns of its table.
    pub fn columns(&self) -> usize {
        match &self.work {
            Work::Survey(survey) => survey.points.varies().len() + survey.metrics.len(),
            Work::Diagram(diagram) => {
                3 + diagram.observe.len() * diagram.periods + diagram.metrics.len()
            }
            Work::Optimisation(search) => search.bounds.len() + search.metrics.len(),
            Work::Identification(search) => search.bounds.len() + search.samples(),
        }
    }

    fn case(&self) -> &Case {
        match &self.work {
            Work::Survey(survey) => &survey.case,
            Work::Diagram(diagram) => &diagram.case,
            Work::Optimisation(search) => &search.case,
            Work::Identification(search) => &search.case,
        }
    }

    /// The part of it that is run, if the study file names one.
    pub fn shard(&self) -> Option<Shard> {
        self.file.shard.as_deref()?.parse().ok()
    }

    /// Runs or resumes the study in a folder, or a part of it instead of the one that its file names. The returned result is also in the folder, even if
    /// not all points were run.
    ///
    /// # Errors
    /// [`StudyError`]. A run that fails is a row of the table, not an error.
    pub fn run(
        &self,
        folder: &Path,
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<StudyResult, StudyError> {
        let shard = shard.or_else(|| self.shard());
        if shard.is_some()
            && let Some(wrong) = self.without_parts()
        {
            return Err(StudyError::Request(vec![wrong]));
        }
        if shard.is_some() && sweep.crew().is_some() {
            return Err(StudyError::request("a crew makes the whole study, not a part of it"));
        }
        check_folder(folder)?;
        std::fs::create_dir_all(folder).map_err(|cause| cannot(folder, &cause))?;
        let (outcome, damage) = match &self.work {
            Work::Survey(survey) => {
                let journal = self.journal(folder)?;
                let damage = journal.0.damage().cloned();
                let model = self.prepare(folder, shard)?;
                (self.survey(survey, journal, (folder, model), sweep, shard)?, damage)
            }
            Work::Diagram(diagram) => {
                let journal = self.journal(folder)?;
                let damage = journal.0.damage().cloned();
                let model = self.prepare(folder, shard)?;
                let points = diagram.run(journal, sweep, shard)?;
                let (section, table) = (diagram.section(&points), diagram.verdicts(&points));
                for (name, frame) in [(SECTION, &section), (POINTS, &table)] {
                    write_table(folder, name, frame)?;
                }
                let mut findings = self.motions(diagram, &points, folder);
                let spectra = diagram.spectra(&points);
                if let Some(spectra) = &spectra {
                    write_table(folder, SPECTRA, spectra)?;
                    findings.spectra = Some(folder.join(SPECTRA));
                }
                let tables = self.first.tables();
                let outcome = StudyResult {
                    findings,
                    table,
                    section: Some(section),
                    spectra,
                    points: None,
                    overlay: None,
                    model,
                    tables: tables.map(|(name, text)| (name.to_owned(), text.to_owned())).collect(),
                    continued: diagram.is_chain(),
                    starts: if points.len() <= MOST_STARTS {
                        points.into_iter().map(|point| point.start).collect()
                    } else {
                        Vec::new()
                    },
                    rows: Rows::default(),
                };
                (outcome, damage)
            }
            Work::Optimisation(search) => {
                let journal = self.search_journal(folder)?;
                let damage = journal.0.damage().cloned();
                let model = self.prepare(folder, shard)?;
                let found = search.run(journal, sweep)?;
                (self.optimise(search, (folder, model), found)?, damage)
            }
            Work::Identification(search) => {
                let journal = self.search_journal(folder)?;
                let damage = journal.0.damage().cloned();
                let model = self.prepare(folder, shard)?;
                write(folder, DATA, search.data.text.as_bytes())?;
                let found = search.run(journal, sweep)?;
                (self.identify(search, (folder, model), found)?, damage)
            }
        };
        let mut outcome = outcome;
        let damage = damage.map(|damage| StudyWarning::of_study(damage.to_string()));
        outcome.findings.warnings.splice(0..0, damage);
        folder::remove_stale(folder, &outcome);
        let text = serde_json::to_string_pretty(&outcome.findings)
            .map_err(|error| StudyError::Folder(error.to_string()))?;
        write(folder, FINDINGS, (text + "\n").as_bytes())?;
        Ok(outcome)
    }

    /// Whether a folder has the files of another study, which this one would replace. Its journal stays.
    pub fn replaces(&self, folder: &Path) -> bool {
        if !folder.join(STUDY).exists() {
            return false;
        }
        let mine = self.text(None).ok();
        Study::open(folder)
            .map_or(true, |known| known.base() != self.base() || known.text(None).ok() != mine)
    }

    /// The same study, whose rows keep the joints of their runs.
    pub fn keeping_joints(mut self) -> Self {
        if let Work::Survey(survey) = &mut self.work {
            survey.joints = true;
        }
        self
    }

    /// Makes all runs without leaving anything in a folder, and returns the rows of those that were run before the sweep was cancelled.
    ///
    /// # Errors
    /// [`StudyError`]. A run that fails is a row, not an error. A bifurcation diagram has no rows.
    pub fn rows(&self, sweep: &Sweep<'_>) -> Result<Rows, StudyError> {
        match &self.work {
            Work::Survey(survey) => {
                Ok(survey.run((Journal::nowhere(), Vec::new()), sweep, None)?.0)
            }
            Work::Diagram(_) | Work::Optimisation(_) | Work::Identification(_) => {
                Ok(Rows::default())
            }
        }
    }

    /// The journal of a folder, locked for this process, and its rows.
    fn journal<R: DeserializeOwned>(&self, folder: &Path) -> Result<(Journal, Vec<R>), StudyError> {
        Ok(Journal::open(&folder.join(JOURNAL), self.file.kind.name())?)
    }

    /// The same of a search, whose runs are read when it asks for them.
    fn search_journal(&self, folder: &Path) -> Result<(Journal, Vec<(Known, u64)>), StudyError> {
        Ok(Journal::open_placed(&folder.join(JOURNAL), self.file.kind.name())?)
    }

    fn survey(
        &self,
        survey: &Survey,
        journal: (Journal, Vec<Row>),
        (folder, model): (&Path, String),
        sweep: &Sweep<'_>,
        shard: Option<Shard>,
    ) -> Result<StudyResult, StudyError> {
        let (rows, mut tables) = survey.run(journal, sweep, shard)?;
        if sweep.crew().is_some() {
            tables.extend(self.tables());
        }
        for (name, text) in &tables {
            write(folder, name, text.as_bytes())?;
        }
        let table = self.table(survey, &rows);
        write_table(folder, TABLE, &table)?;
        let mut findings = self.findings(survey, &rows, folder);
        let points = self.scatter(survey, &rows);
        let points = points.map(|points| with_likes(points, &survey.metrics));
        if let Some(points) = &points {
            write_csv(folder, POINTS, points)?;
            findings.points_table = Some(folder.join(POINTS));
            findings.indistinguishable = indistinguishable(points, &survey.metrics);
        }
        let continued = survey.warm_start;
        let few = rows.points() <= MOST_STARTS;
        let started = rows.done().filter(|_| continued && few);
        let starts = started.map(|point| rows.start(point)).collect();
        let kept = if survey.joints { rows } else { Rows::default() };
        let (section, spectra) = (None, None);
        Ok(StudyResult {
            findings,
            table,
            section,
            spectra,
            points,
            overlay: None,
            model,
            tables,
            continued,
            starts,
            rows: kept,
        })
    }

    /// Of each fit that is varied its key, and the clearance on the diameter (m) with these values of all keys.
    fn clearances<'s>(
        &'s self,
        survey: &'s Survey,
    ) -> impl Iterator<Item = (String, impl Fn(&[Level]) -> f64 + 's)> + 's {
        let keys = survey.points.varies();
        self.fits.iter().filter_map(move |(key, fit)| {
            let place =
                |side: &str| keys.iter().position(|vary| vary.key == format!("{key}_{side}"));
            let (hole, shaft) = (place("hole")?, place("shaft")?);
            let clearance = move |levels: &[Level]| {
                let [hole, shaft] = [hole, shaft].map(|key| levels[key].number.unwrap_or(f64::NAN));
                let [hole, shaft] = fit.diameters(hole, shaft);
                hole - shaft
            };
            Some((key.clone(), clearance))
        })
    }

    /// The table of the runs. A fit that is varied has a column under its own key, with the clearance on the diameter (m).
    fn table(&self, survey: &Survey, rows: &Rows) -> Frame {
        let fits = self.clearances(survey).fold(Frame::new(), |frame, (key, clearance)| {
            let cells = rows.done().map(|point| clearance(&survey.points.at(point)));
            frame.with(key, Column::Numbers(cells.collect()))
        });
        fits.and(survey.table(rows))
    }

    /// Writes all that is needed to repeat the study; the text of the model.
    fn prepare(&self, folder: &Path, shard: Option<Shard>) -> Result<String, StudyError> {
        let model = self.case().written()?;
        write(folder, "model.toml", model.as_bytes())?;
        for (name, text) in self.first.tables() {
            write(folder, name, text.as_bytes())?;
        }
        write(folder, STUDY, self.text(shard)?.as_bytes())?;
        Ok(model)
    }

    /// The study file, for a folder that has the model and the data beside it.
    fn text(&self, shard: Option<Shard>) -> Result<String, StudyError> {
        let file = StudyFile {
            model: "model.toml".to_owned(),
            case: None,
            law: None,
            set: BTreeMap::new(),
            data: self.file.data.as_ref().map(|_| DATA.to_owned()),
            // Whoever goes on with the folder of a part goes on with that part.
            shard: shard.filter(|shard| !shard.is_none()).map(|shard| shard.to_string()),
            ..self.file.clone()
        };
        let text = file.written().map_err(StudyError::Folder)?;
        Ok(format!("{WRITTEN}{text}"))
    }
}
