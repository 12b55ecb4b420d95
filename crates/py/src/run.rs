//! Runs, and results that were read from their folders.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use jointplay_mbd::{Outcome, Sampling};
use jointplay_study::contacts::{ImpactRow, ModeRow};
use jointplay_study::run;
use jointplay_study::series::{Channel, Channels};
use jointplay_study::store::{Overwrite, Store};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt as _;
use pyo3::types::PyBytes;
use serde::Serialize;

use crate::array::{owned, shared};
use crate::case::Case;
use crate::error;
use crate::watch::{Listener, in_background};

/// A case that was run.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Run {
    run: run::Run,
    /// Channels that are not kept, evaluated when they were first asked for.
    evaluated: Mutex<HashMap<String, Py<Values>>>,
}

/// The values of a channel, which arrays share.
#[pyclass(frozen)]
struct Values(Vec<f64>);

impl Values {
    fn array(values: Bound<'_, Self>) -> PyResult<Array<'_>> {
        shared(&values.get().0, values.clone().into_any())
    }
}

impl Run {
    pub(crate) fn new(run: run::Run) -> Self {
        Run { run, evaluated: Mutex::default() }
    }
}

type Array<'py> = Bound<'py, PyArray1<f64>>;

#[pymethods]
impl Run {
    /// The case.
    fn case(&self) -> Case {
        Case::of_loaded(self.run.case.clone())
    }

    /// The times of the kept instants (s).
    fn t(slf: Bound<'_, Self>) -> PyResult<Array<'_>> {
        shared(&slf.get().run.channels.times, slf.clone().into_any())
    }

    /// The channels that are kept, in the order of the model.
    fn kept(&self) -> Vec<String> {
        self.run.channels.channels.iter().map(|channel| channel.name.clone()).collect()
    }

    /// The values of a channel, kept or not.
    fn channel<'py>(slf: Bound<'py, Self>, name: &str) -> PyResult<Array<'py>> {
        let this = slf.get();
        if let Some(kept) = this.run.channels.get(name) {
            return shared(&kept.values, slf.clone().into_any());
        }
        let py = slf.py();
        let known = |py| {
            let evaluated = this.evaluated.lock_py_attached(py);
            let evaluated = evaluated.unwrap_or_else(PoisonError::into_inner);
            evaluated.get(name).map(|values| values.clone_ref(py).into_bound(py))
        };
        if let Some(values) = known(py) {
            return Values::array(values);
        }
        // A long run has millions of instants, which are evaluated while Python hears of Ctrl-C.
        let (run, asked) = (slf.clone().unbind(), name.to_owned());
        let values = in_background(py, move || run.get().run.values(&asked))?;
        let values = values.map_err(|wrong| match wrong {
            run::ChannelError::Unknown(unknown) => PyKeyError::new_err(unknown.to_string()),
            run::ChannelError::Instant(failed) => error::of_run(failed),
        })?;
        let values = Py::new(py, Values(values))?;
        let evaluated = this.evaluated.lock_py_attached(py);
        let mut evaluated = evaluated.unwrap_or_else(PoisonError::into_inner);
        // Another thread may have been first: all have the same memory.
        let kept = evaluated.entry(name.to_owned()).or_insert(values);
        Values::array(kept.clone_ref(py).into_bound(py))
    }

    /// The channels with their units.
    fn units(&self) -> Vec<(String, String)> {
        let channels = self.run.case.model.available_channels().iter();
        channels.map(|c| (c.name().to_owned(), c.unit().to_owned())).collect()
    }

    /// The impact table as JSON.
    fn impacts(&self) -> String {
        json(&self.run.contacts().impact_rows().collect::<Vec<ImpactRow>>())
    }

    /// The modes of the joints as JSON.
    fn modes(&self) -> String {
        json(&self.run.contacts().mode_rows().collect::<Vec<ModeRow>>())
    }

    /// The summary as JSON.
    fn summary(&self) -> String {
        json(&self.run.summary())
    }

    /// Why it ended before its end, if it could not go on.
    fn failure(&self) -> Option<String> {
        let outcome = &self.run.solution().outcome;
        matches!(outcome, Outcome::Failed { .. }).then(|| outcome.to_string())
    }

    /// The state at a time (s), or at the end, as JSON.
    #[pyo3(signature = (t))]
    fn state(&self, py: Python<'_>, t: Option<f64>) -> PyResult<String> {
        let times = &self.run.channels.times;
        let solution = self.run.solution();
        let state = match t {
            None => solution.state(solution.len() - 1),
            // At an event the later one, in which the contact has begun.
            Some(t) => match times.iter().rposition(|time| *time == t) {
                Some(instant) => solution.state(instant),
                None => return self.state_between(py, t),
            },
        };
        state.map(|state| json(&state)).map_err(error::of_run)
    }

    /// Writes a result folder, with its page and figures unless they are not wanted.
    fn save(slf: Bound<'_, Self>, folder: PathBuf, replace: bool, page: bool) -> PyResult<()> {
        let overwrite = if replace { Overwrite::Anything } else { Overwrite::Result };
        let (py, run) = (slf.py(), slf.clone().unbind());
        let save = move || jointplay_cli::save(&run.get().run, &folder, overwrite, page);
        let notes = in_background(py, save)?.map_err(error::of_store)?;
        error::warn(py, &notes)
    }

    /// The interactive page as HTML.
    fn page(slf: Bound<'_, Self>) -> PyResult<String> {
        let (py, run) = (slf.py(), slf.clone().unbind());
        let page = in_background(py, move || jointplay_cli::page(&run.get().run))?;
        let (page, notes) = page.map_err(error::of_run)?;
        error::warn(py, &notes)?;
        Ok(page)
    }

    /// What the page shows, as JSON and the numbers to which it refers.
    fn recording(slf: Bound<'_, Self>) -> PyResult<(String, Array<'_>)> {
        let (py, run) = (slf.py(), slf.clone().unbind());
        let recording = in_background(py, move || jointplay_cli::recording(&run.get().run))?;
        let (json, numbers) = recording.map_err(error::of_run)?;
        Ok((json, owned(py, numbers)?))
    }
}

impl Run {
    /// The state at a time that was not kept: the case is run again up to there.
    fn state_between(&self, py: Python<'_>, t: f64) -> PyResult<String> {
        let times = &self.run.channels.times;
        let inside = times.first().is_some_and(|first| *first <= t)
            && times.last().is_some_and(|last| t <= *last);
        if !inside {
            let end = times.last().copied().unwrap_or_default();
            let message = format!("t = {t} s lies outside the run, which ended at {end} s");
            return Err(error::of_texts(&[message]));
        }
        let again = self.run.case.clone().sampled(Sampling::Times(vec![t]));
        let mut watch = Listener::new(None);
        let run = py.detach(|| again.run_keeping(run::Keep::Nothing, &mut |now| watch.ask(now, t)));
        if let Some(raised) = watch.raised() {
            return Err(raised);
        }
        let run = run.map_err(error::of_run)?;
        let solution = run.solution();
        let instant = solution.trajectory.times().iter().rposition(|time| *time == t);
        let instant =
            instant.ok_or_else(|| error::of_run(format!("the run has no instant at {t} s")))?;
        solution.state(instant).map(|state| json(&state)).map_err(error::of_run)
    }
}

/// A result that was read from its folder.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Stored {
    store: Store,
    channels: Channels,
}

#[pymethods]
impl Stored {
    /// Reads a result folder.
    #[staticmethod]
    fn open(py: Python<'_>, folder: PathBuf) -> PyResult<Self> {
        let read = move || {
            let store = Store::open(&folder)?;
            let channels = store.channels()?;
            Ok::<_, jointplay_study::store::StoreError>(Stored { store, channels })
        };
        in_background(py, read)?.map_err(error::of_store)
    }

    /// The times of the kept instants (s).
    fn t(slf: Bound<'_, Self>) -> PyResult<Array<'_>> {
        shared(&slf.get().channels.times, slf.clone().into_any())
    }

    /// The channels of the result.
    fn kept(&self) -> Vec<String> {
        self.channels.channels.iter().map(|channel| channel.name.clone()).collect()
    }

    /// The channels with their units.
    fn units(&self) -> Vec<(String, String)> {
        let channels = self.channels.channels.iter();
        channels.map(|c| (c.name.clone(), c.unit.clone())).collect()
    }

    /// The values of a channel.
    fn channel<'py>(slf: Bound<'py, Self>, name: &str) -> PyResult<Array<'py>> {
        let Some(kept) = slf.get().channels.get(name) else {
            let message = format!("the result does not contain the channel `{name}`");
            return Err(PyKeyError::new_err(message));
        };
        shared(&kept.values, slf.clone().into_any())
    }

    /// The impact table as JSON.
    fn impacts(&self) -> PyResult<String> {
        self.store.impacts().map(|rows| json(&rows)).map_err(error::of_store)
    }

    /// The modes of the joints as JSON.
    fn modes(&self) -> PyResult<String> {
        self.store.modes().map(|rows| json(&rows)).map_err(error::of_store)
    }

    /// The summary as JSON.
    fn summary(&self) -> PyResult<String> {
        self.store.summary().map(|summary| json(&summary)).map_err(error::of_store)
    }

    /// The manifest as JSON.
    fn manifest(&self) -> String {
        json(self.store.manifest())
    }
}

/// Times (s) and channels, each with its name and unit, as the bytes of a Parquet file.
#[pyfunction]
pub(crate) fn parquet(
    py: Python<'_>,
    times: PyReadonlyArray1<'_, f64>,
    channels: Vec<(String, String, PyReadonlyArray1<'_, f64>)>,
) -> PyResult<Py<PyBytes>> {
    let times = times.as_slice()?.to_vec();
    let copied = channels.into_iter().map(|(name, unit, values)| {
        Ok(Channel { name, unit, values: values.as_slice()?.to_vec() })
    });
    let channels = Channels { times, channels: copied.collect::<PyResult<_>>()? };
    if channels.channels.iter().any(|channel| channel.values.len() != channels.times.len()) {
        return Err(error::of_texts(&["channels must be as long as the times".to_owned()]));
    }
    let bytes = in_background(py, move || jointplay_study::store::parquet(&channels))?;
    Ok(PyBytes::new(py, &bytes.map_err(error::of_store)?).unbind())
}

/// Plain data, which always has a JSON form.
fn json(data: &impl Serialize) -> String {
    serde_json::to_string(data).unwrap_or_default()
}
