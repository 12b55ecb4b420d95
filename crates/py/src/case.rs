//! Cases: models with changes.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use jointplay_model::Tables;
use jointplay_study::case::{self, Loaded};
use jointplay_study::run::Keep;
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error;
use crate::law::check_length;
use crate::run::Run;
use crate::watch::{Listener, in_background};

/// Bodies, joints with their kinds, and degrees of freedom.
type Parts = (Vec<String>, Vec<(String, String)>, usize);

/// Longer texts (bytes) and more changes than this take a while to read.
const LONG_TEXT: usize = 100_000;
const MANY: usize = 100;

/// No key of a model is longer (bytes).
const LONGEST_KEY: usize = 4096;

/// A model with changes.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Case {
    case: case::Case,
    /// Read and checked once, for all runs.
    loaded: Arc<OnceLock<Loaded>>,
}

impl Case {
    fn new(case: case::Case) -> Self {
        Case { case, loaded: Arc::default() }
    }

    pub(crate) fn of_loaded(loaded: Loaded) -> Self {
        Case { case: loaded.case.clone(), loaded: Arc::new(loaded.into()) }
    }

    /// The case as it is run.
    pub(crate) fn inner(&self) -> &case::Case {
        &self.case
    }

    fn read(&self, py: Python<'_>) -> PyResult<&Loaded> {
        if let Some(loaded) = self.loaded.get() {
            return Ok(loaded);
        }
        let (case, kept) = (self.case.clone(), Arc::clone(&self.loaded));
        // A run in a loop does without its digest.
        let load = move || case.load_unidentified().map(|loaded| drop(kept.set(loaded)));
        // A model of thousands of parts takes seconds, in which Python hears of Ctrl-C.
        let is_long =
            self.case.text().len() > LONG_TEXT || self.case.changes().flags().len() > MANY;
        let read = if is_long { in_background(py, load)? } else { py.detach(load) };
        read.map_err(|wrong| error::of_model(&wrong))?;
        self.loaded.get().ok_or_else(|| error::of_run("the model was not kept"))
    }
}

#[pymethods]
impl Case {
    /// A model file, a folder with a `model.toml`, or a result folder.
    #[staticmethod]
    fn open(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Self> {
        let case = in_background(py, || case::Case::open(path))?;
        Ok(Case::new(case.map_err(|wrong| error::of_model(&wrong))?))
    }

    /// The text of a model, with the tables that it refers to.
    #[staticmethod]
    #[pyo3(signature = (text, tables, name))]
    fn of_text(text: String, tables: BTreeMap<String, String>, name: Option<String>) -> Self {
        let tables =
            tables.into_iter().fold(Tables::none(), |all, (name, text)| all.with(name, text));
        let case = case::Case::of_text(text).with_tables(tables);
        Case::new(match name {
            Some(name) => case.named(name),
            None => case,
        })
    }

    /// The same with these keys set.
    fn set(&self, changes: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut case = self.case.clone();
        for (key, value) in changes {
            let key = key.extract::<String>()?;
            if key.len() > LONGEST_KEY {
                let message = format!("a key of {} bytes is no key of a model", key.len());
                return Err(error::of_texts(&[message]));
            }
            case = case.set(key, crate::convert::value(&value)?);
        }
        Ok(Case::new(case))
    }

    /// The same with this law in every clearance joint and contact.
    fn law(&self, law: String) -> PyResult<Self> {
        check_length(&law)?;
        Ok(Case::new(self.case.clone().law(law)))
    }

    /// The same with the changes of a case of the file.
    fn case(&self, name: String) -> PyResult<Self> {
        check_length(&name)?;
        Ok(Case::new(self.case.clone().case(name)))
    }

    /// The same with every clearance joint ideal.
    fn ideal(&self) -> Self {
        Case::new(self.case.clone().ideal())
    }

    /// The same, starting from a state, given as JSON.
    fn starting_from(&self, state: &str) -> PyResult<Self> {
        let state = serde_json::from_str(state).map_err(|wrong| {
            error::of_texts(&[format!("this is not a state of a run: {wrong}")])
        })?;
        Ok(Case::new(self.case.clone().starting_from(&state)))
    }

    /// The text of the model with the changes written into it.
    fn written(&self) -> PyResult<String> {
        self.case.written().map_err(|wrong| error::of_model(&wrong))
    }

    /// The changes, as flags of the command line.
    fn changes(&self) -> Vec<String> {
        self.case.changes().flags()
    }

    /// Reads and checks it.
    fn check(&self, py: Python<'_>) -> PyResult<()> {
        self.read(py).map(|_| ())
    }

    /// The name of the model.
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.read(py)?.name.clone())
    }

    /// What identifies its runs.
    fn digest(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.read(py)?.digest().as_str().to_owned())
    }

    /// The tables that the model refers to.
    fn tables(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        Ok(self.read(py)?.model.tables.clone())
    }

    /// The channels with their units.
    fn channels(&self, py: Python<'_>) -> PyResult<Vec<(String, String)>> {
        let channels = self.read(py)?.model.available_channels().iter();
        Ok(channels.map(|c| (c.name().to_owned(), c.unit().to_owned())).collect())
    }

    /// Bodies, joints with their kinds, and degrees of freedom.
    fn parts(&self, py: Python<'_>) -> PyResult<Parts> {
        let model = &self.read(py)?.model;
        let bodies = model.mechanism.bodies().map(|(_, name, _)| name.to_owned());
        let joints =
            model.joints.iter().map(|j| (j.name.clone(), j.handle.kind().name().to_owned()));
        Ok((bodies.collect(), joints.collect(), model.start.freedom))
    }

    /// The parameters of the file: name, value in SI, unit.
    fn parameters(&self, py: Python<'_>) -> PyResult<Vec<(String, f64, String)>> {
        let model = &self.read(py)?.model;
        Ok(model.parameters().map(|(name, value, unit)| (name.to_owned(), value, unit)).collect())
    }

    /// Warnings about the model.
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let warnings = self.read(py)?.model.warnings.iter();
        Ok(warnings.map(|w| format!("{}: {}", w.path, w.message)).collect())
    }

    /// The end of the run (s).
    fn until(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.read(py)?.model.run.until)
    }

    /// The assembled mechanism as SVG.
    fn svg(&self, py: Python<'_>) -> PyResult<String> {
        let loaded = self.read(py)?;
        jointplay_cli::drawing(loaded).map_err(error::of_run)
    }

    /// Runs it; a run that was interrupted is returned with what was raised.
    #[pyo3(signature = (progress))]
    fn run(
        &self,
        py: Python<'_>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Run, Option<Py<PyAny>>)> {
        let loaded = self.read(py)?;
        let mut watch = Listener::new(progress);
        let until = loaded.model.run.until;
        let run = py.detach(|| loaded.run_keeping(Keep::Asked, &mut |t| watch.ask(t, until)));
        let run = run.map_err(error::of_run)?;
        let raised = watch.raised().map(|raised| raised.into_value(py).into_any());
        Ok((Run::new(run), raised))
    }
}

/// The shipped mechanism of this name, as the text of its model.
fn example(name: &str) -> Option<&'static str> {
    jointplay_models::MODELS.iter().find(|(known, _)| *known == name).map(|(_, text)| *text)
}

/// The shipped mechanisms: the names of all of them, or the text of one.
#[pyfunction]
#[pyo3(signature = (name = None))]
pub(crate) fn examples(py: Python<'_>, name: Option<&str>) -> PyResult<Py<PyAny>> {
    let names = || jointplay_models::MODELS.iter().map(|(name, _)| *name);
    let Some(name) = name else {
        return Ok(names().collect::<Vec<_>>().into_pyobject(py)?.unbind());
    };
    let Some(text) = example(name) else {
        let names = names().collect::<Vec<_>>().join(", ");
        return Err(PyKeyError::new_err(format!(
            "there is no example `{name}`; there are {names}"
        )));
    };
    Ok(text.into_pyobject(py)?.into_any().unbind())
}
