//! Long calls: they run without Python's lock, show their progress and heed Ctrl-C.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// How often Python is asked whether the user wants to stop, and told how far it is.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

/// Asks Python now and then whether to go on.
pub(crate) struct Watch {
    /// Called with what is done and what there is to do.
    progress: Option<Py<PyAny>>,
    asked: Instant,
    /// What Python raised: Ctrl-C, or an exception of the progress function.
    raised: Option<PyErr>,
}

impl Watch {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Watch { progress, asked: Instant::now(), raised: None }
    }

    /// Whether to go on; called from the thread that Python waits for.
    pub(crate) fn ask(&mut self, done: f64, all: f64) -> ControlFlow<()> {
        if self.raised.is_some() {
            return ControlFlow::Break(());
        }
        if self.asked.elapsed() < PAUSE {
            return ControlFlow::Continue(());
        }
        self.asked = Instant::now();
        self.raised = Python::attach(|py| self.tell(py, done, all)).err();
        if self.raised.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn tell(&self, py: Python<'_>, done: f64, all: f64) -> PyResult<()> {
        py.check_signals()?;
        if let Some(progress) = &self.progress {
            progress.call1(py, (done, all))?;
        }
        Ok(())
    }

    /// What Python raised, if it did.
    pub(crate) fn raised(self) -> Option<PyErr> {
        self.raised
    }
}
