//! Studies: many runs of a case, and what they say together.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jointplay_study::frame::{Column, Frame};
use jointplay_study::study::{self, StudyError};
use jointplay_study::study_file::StudyFile;
use jointplay_study::survey::Shard;
use jointplay_study::sweep::{Cancellation, Sweep};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyString};

use crate::array::owned;
use crate::case::Case;
use crate::crew::{PythonCrew, PythonMetrics, Raised};
use crate::error;
use crate::watch::{Listener, in_background};

/// A study that was read and checked.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Study {
    inner: Arc<study::Study>,
    /// The keys that it varies.
    varied: Vec<String>,
    /// What functions of Python raised that measure its runs.
    raised: Raised,
}

/// Names of metrics, what identifies them, and the function of Python that measures them.
type Own = Option<(Vec<String>, String, Py<PyAny>)>;

/// What a study left.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct StudyResult {
    outcome: Arc<study::StudyResult>,
    folder: PathBuf,
}

fn refused(wrong: StudyError, varied: &[String]) -> PyErr {
    match wrong {
        StudyError::Request(problems) => error::of_study(&problems, varied),
        StudyError::Model(wrong) => error::of_model(&wrong),
        StudyError::Folder(message) => error::of_store(message),
        StudyError::Crew(message) => error::of_run(message),
        other => error::of_run(other),
    }
}

#[pymethods]
impl Study {
    /// A study of a case, by the text of a study file, whose model is not looked at, with metrics of one's own.
    #[new]
    #[pyo3(signature = (text, case, own = None))]
    fn new(py: Python<'_>, text: String, case: &Case, own: Own) -> PyResult<Self> {
        let file = in_background(py, move || StudyFile::parse(&text, None))?;
        let file = file.map_err(|wrong| error::of_model(&wrong))?;
        let varied = keys(&file);
        let raised = Raised::default();
        let case = case.inner().clone().measured_by(PythonMetrics::shared(own, &raised));
        let study = in_background(py, move || study::Study::new(file, case))?;
        let study = study.map_err(|wrong| refused(wrong, &varied))?;
        Ok(Study::made(study, raised))
    }

    /// A study file, or the folder of a study.
    #[staticmethod]
    #[pyo3(signature = (path, own = None))]
    fn open(py: Python<'_>, path: PathBuf, own: Own) -> PyResult<Self> {
        let raised = Raised::default();
        let own = PythonMetrics::shared(own, &raised);
        let open = move || study::Study::open_measured_by(&path, own);
        let study = in_background(py, open)?.map_err(|wrong| refused(wrong, &[]))?;
        Ok(Study::made(study, raised))
    }

    /// A study by its files, which are put into a folder.
    #[staticmethod]
    #[pyo3(signature = (files, folder, own = None))]
    fn of_files(
        py: Python<'_>,
        files: BTreeMap<String, String>,
        folder: PathBuf,
        own: Own,
    ) -> PyResult<Self> {
        let raised = Raised::default();
        let own = PythonMetrics::shared(own, &raised);
        let study = in_background(py, move || study::Study::of_files(&files, &folder, own))?;
        let study = study.map_err(|wrong| refused(wrong, &[]))?;
        Ok(Study::made(study, raised))
    }

    /// The files by which anybody can make its runs.
    fn files(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        let study = Arc::clone(&self.inner);
        in_background(py, move || study.files())?.map_err(|wrong| refused(wrong, &self.varied))
    }

    /// The number of points.
    fn points(&self) -> usize {
        self.inner.points()
    }

    /// The number of units of work that do not wait for each other.
    fn units(&self) -> usize {
        self.inner.units()
    }

    /// Makes it in a folder, or only a part of it (its number from 1, and how many there are); what was raised, too. A crew makes the runs
    /// if there is one: a function that is called with what its errands share, and with the errands.
    #[pyo3(signature = (folder, jobs, part, progress, crew = None))]
    fn run(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        jobs: usize,
        part: Option<(usize, usize)>,
        progress: Option<Py<PyAny>>,
        crew: Option<Py<PyAny>>,
    ) -> PyResult<(StudyResult, Option<Py<PyAny>>)> {
        let shard = part.map(|(i, n)| format!("{i}/{n}").parse::<Shard>());
        let shard = shard.transpose().map_err(|wrong| error::of_texts(&[wrong]))?;
        self.make(py, folder, jobs, shard, progress, crew)
    }

    /// The result in its folder as far as it is there: nothing is run.
    fn gathered(
        &self,
        py: Python<'_>,
        folder: PathBuf,
    ) -> PyResult<(StudyResult, Option<Py<PyAny>>)> {
        self.make(py, folder, 1, Some(Shard::none()), None, None)
    }

    /// Brings the runs of the folders of parts together in another folder: their study, and what was damaged in them.
    #[staticmethod]
    fn merge(
        py: Python<'_>,
        parts: Vec<PathBuf>,
        folder: PathBuf,
    ) -> PyResult<(Self, Vec<String>)> {
        let merge = move || {
            study::check_folder(&folder)?;
            study::merge(&parts, &folder)
        };
        let (study, damaged) = in_background(py, merge)?.map_err(|wrong| refused(wrong, &[]))?;
        Ok((Study::made(study, Raised::default()), damaged))
    }

    /// The model of a row of the table in its folder, counted from 1, with the files that it refers to by name.
    fn case_of_row(&self, py: Python<'_>, folder: PathBuf, row: usize) -> PyResult<Row> {
        let study = Arc::clone(&self.inner);
        let row = in_background(py, move || study.case_of_row(&folder, row))?;
        let row = row.map_err(|wrong| refused(wrong, &self.varied))?;
        Ok((row.model, row.files))
    }

    /// The rows of errands that share a context. `asked` is called now and then, and raises where the answer is no longer wanted.
    #[pyo3(signature = (context, errands, asked))]
    fn answer(
        &self,
        py: Python<'_>,
        context: String,
        errands: Vec<String>,
        asked: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Vec<String>>> {
        let done = Counts::new(errands.len());
        let made = watched(py, asked, &self.raised, &done, |stop| {
            self.inner.answer(&context, &errands, stop)
        });
        match made? {
            (_, Some(raised)) => Err(raised),
            (Ok(Some(answers)), None) => Ok(answers),
            (Ok(None), None) => Err(error::of_run("the runs were interrupted")),
            (Err(wrong), None) => Err(error::of_run(wrong)),
        }
    }
}

/// The text of a model, and those of the files that it refers to.
type Row = (String, BTreeMap<String, String>);

fn keys(file: &StudyFile) -> Vec<String> {
    file.vary.iter().map(|entry| entry.key.clone()).collect()
}

impl Study {
    fn made(study: study::Study, raised: Raised) -> Self {
        Study { varied: keys(study.file()), inner: Arc::new(study), raised }
    }

    fn make(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        jobs: usize,
        shard: Option<Shard>,
        progress: Option<Py<PyAny>>,
        crew: Option<Py<PyAny>>,
    ) -> PyResult<(StudyResult, Option<Py<PyAny>>)> {
        let crew = crew.map(|function| PythonCrew { function, raised: self.raised.clone() });
        let done = Counts::new(self.inner.points());
        let made = watched(py, progress, &self.raised, &done, |stop| {
            let sweep = Sweep::new().threads(jobs).cancelled_by(stop);
            let sweep = sweep.progress(|now| done.set(now.done, now.total));
            let sweep = match &crew {
                Some(crew) => sweep.by(crew),
                None => sweep,
            };
            self.inner.run(&folder, &sweep, shard)
        });
        match made? {
            (Ok(outcome), raised) => {
                let raised = raised.map(|raised| raised.into_value(py).into_any());
                Ok((StudyResult { outcome: Arc::new(outcome), folder }, raised))
            }
            (Err(_), Some(raised)) => Err(raised),
            (Err(wrong), None) => Err(refused(wrong, &self.varied)),
        }
    }
}

/// How far a study is.
struct Counts {
    done: AtomicUsize,
    all: AtomicUsize,
}

impl Counts {
    fn new(all: usize) -> Self {
        Counts { done: AtomicUsize::new(0), all: AtomicUsize::new(all) }
    }

    fn set(&self, done: usize, all: usize) {
        self.done.store(done, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
    }
}

/// Does long work in a thread of its own, while Python hears of Ctrl-C and of progress in the thread that called; what was raised, too.
fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    raised: &Raised,
    counts: &Counts,
    work: impl FnOnce(&Cancellation) -> T + Send,
) -> PyResult<(T, Option<PyErr>)> {
    let stop = Cancellation::new();
    let mut watch = Listener::new(progress);
    let made = py.detach(|| {
        std::thread::scope(|scope| {
            let (caller, stop) = (std::thread::current(), &stop);
            let worker = scope.spawn(move || {
                let made = work(stop);
                caller.unpark();
                made
            });
            while !worker.is_finished() {
                std::thread::park_timeout(Duration::from_millis(5));
                let count = |of: &AtomicUsize| of.load(Ordering::Relaxed) as f64;
                let (done, all) = (count(&counts.done), count(&counts.all));
                if watch.ask(done, all).is_break() || raised.is_some() {
                    stop.cancel();
                }
            }
            worker.join()
        })
    });
    let Ok(made) = made else {
        return Err(error::of_run("a thread of the study ended unexpectedly"));
    };
    Ok((made, raised.take().or(watch.raised())))
}

/// A table as names with columns.
type Columns = Vec<(String, Py<PyAny>)>;

fn columns(py: Python<'_>, frame: &Frame) -> PyResult<Columns> {
    let column = |(name, column): (&str, &Column)| {
        let cells = match column {
            Column::Numbers(numbers) => owned(py, numbers.clone())?.into_any().unbind(),
            Column::Texts(texts) => words(py, texts)?,
        };
        Ok((name.to_owned(), cells))
    };
    frame.columns().map(column).collect()
}

/// Texts as a list of Python, in which the same text is one object.
fn words(py: Python<'_>, texts: &[Arc<str>]) -> PyResult<Py<PyAny>> {
    let mut known: HashMap<&str, Py<PyString>> = HashMap::new();
    let words = texts.iter().map(|text| {
        let word = known.entry(text).or_insert_with(|| PyString::new(py, text).unbind());
        word.clone_ref(py)
    });
    Ok(PyList::new(py, words)?.into_any().unbind())
}

#[pymethods]
impl StudyResult {
    /// What was found out, as JSON.
    fn findings(&self) -> String {
        serde_json::to_string(&self.outcome.findings).unwrap_or_default()
    }

    /// A table: `table`, `section`, `spectra`, `points` or `fit`; `None` if the study has none of this name.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Option<Columns>> {
        let study::StudyResult { table, section, spectra, points, overlay, .. } = &*self.outcome;
        let frame = match name {
            "table" => Some(table),
            "section" => section.as_ref(),
            "spectra" => spectra.as_ref(),
            "points" => points.as_ref(),
            "fit" => overlay.as_ref(),
            _ => None,
        };
        frame.map(|frame| columns(py, frame)).transpose()
    }

    /// Draws the figures and writes the page into the folder; where the page is.
    fn write_page(&self, py: Python<'_>) -> PyResult<PathBuf> {
        let (outcome, folder) = (Arc::clone(&self.outcome), self.folder.clone());
        in_background(py, move || jointplay_cli::write_study(&outcome, &folder))?
            .map_err(error::of_store)
    }
}
