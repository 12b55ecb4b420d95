//! Studies: many runs of a case, and what they say together.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jointplay_study::frame::{Column, Frame};
use jointplay_study::study::{self, StudyError};
use jointplay_study::study_file::StudyFile;
use jointplay_study::survey::Shard;
use jointplay_study::sweep::{Cancellation, Sweep};
use pyo3::prelude::*;

use crate::array::owned;
use crate::case::Case;
use crate::error;
use crate::watch::Watch;

/// A study that was read and checked.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Study(study::Study);

/// What a study left.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Outcome {
    outcome: study::Outcome,
    folder: PathBuf,
}

fn refused(wrong: StudyError) -> PyErr {
    match wrong {
        StudyError::Request(problems) => {
            let problems: Vec<String> = problems.iter().map(ToString::to_string).collect();
            error::of_texts(&problems)
        }
        StudyError::Model(wrong) => error::of_model(&wrong),
        StudyError::Folder(message) => error::of_store(message),
        other => error::of_run(other),
    }
}

#[pymethods]
impl Study {
    /// A study of a case, by the text of a study file, whose model is not looked at.
    #[new]
    fn new(py: Python<'_>, text: &str, case: &Case) -> PyResult<Self> {
        let file = StudyFile::parse(text, None).map_err(|wrong| error::of_model(&wrong))?;
        let case = case.inner().clone();
        py.detach(|| study::Study::new(file, case)).map(Study).map_err(refused)
    }

    /// A study file, or the folder of a study.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        py.detach(|| study::Study::open(&path)).map(Study).map_err(refused)
    }

    /// The number of points.
    fn points(&self) -> usize {
        self.0.points()
    }

    /// The number of units of work that do not wait for each other.
    fn units(&self) -> usize {
        self.0.units()
    }

    /// Makes it in a folder, or only a part of it (its number from 1, and how many there are); what was raised, too.
    #[pyo3(signature = (folder, jobs, part, progress))]
    fn run(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        jobs: usize,
        part: Option<(usize, usize)>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Outcome, Option<Py<PyAny>>)> {
        let shard = part.map(|(i, n)| format!("{i}/{n}").parse::<Shard>());
        let shard = shard.transpose().map_err(|wrong| error::of_texts(&[wrong]))?;
        let (done, all) = (AtomicUsize::new(0), AtomicUsize::new(self.0.points()));
        let stop = Cancellation::new();
        let mut watch = Watch::new(progress);
        let study = &self.0;
        let made = py.detach(|| {
            std::thread::scope(|scope| {
                let (done, all, stop) = (&done, &all, &stop);
                let folder = &folder;
                let worker = scope.spawn(move || {
                    let sweep = Sweep::new().threads(jobs).cancelled_by(stop);
                    let sweep = sweep.progress(|now| {
                        done.store(now.done, Ordering::Relaxed);
                        all.store(now.total, Ordering::Relaxed);
                    });
                    study.run(folder, &sweep, shard)
                });
                // Python hears of Ctrl-C only in the thread that called.
                while !worker.is_finished() {
                    std::thread::sleep(Duration::from_millis(5));
                    let count = |of: &AtomicUsize| of.load(Ordering::Relaxed) as f64;
                    if watch.ask(count(done), count(all)).is_break() {
                        stop.cancel();
                    }
                }
                worker.join()
            })
        });
        let Ok(made) = made else {
            return Err(error::of_run("a thread of the study ended unexpectedly"));
        };
        let outcome = made.map_err(refused)?;
        let raised = watch.raised().map(|raised| raised.into_value(py).into_any());
        Ok((Outcome { outcome, folder }, raised))
    }
}

/// A table as names with columns.
type Columns = Vec<(String, Py<PyAny>)>;

fn columns(py: Python<'_>, frame: &Frame) -> PyResult<Columns> {
    let column = |(name, column): (&str, &Column)| {
        let cells = match column {
            Column::Numbers(numbers) => owned(py, numbers.clone()).into_any().unbind(),
            Column::Texts(texts) => texts.clone().into_pyobject(py)?.unbind(),
        };
        Ok((name.to_owned(), cells))
    };
    frame.columns().map(column).collect()
}

#[pymethods]
impl Outcome {
    /// What was found out, as JSON.
    fn findings(&self) -> String {
        serde_json::to_string(&self.outcome.findings).unwrap_or_default()
    }

    /// A table: `table`, `section`, `spectra` or `points`; `None` if the study has none of this name.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Option<Columns>> {
        let study::Outcome { table, section, spectra, points, .. } = &self.outcome;
        let frame = match name {
            "table" => Some(table),
            "section" => section.as_ref(),
            "spectra" => spectra.as_ref(),
            "points" => points.as_ref(),
            _ => None,
        };
        frame.map(|frame| columns(py, frame)).transpose()
    }

    /// Draws the figures and writes the page into the folder; where the page is.
    fn write_page(&self, py: Python<'_>) -> PyResult<PathBuf> {
        py.detach(|| jointplay_cli::write_study(&self.outcome, &self.folder))
            .map_err(error::of_store)
    }
}
