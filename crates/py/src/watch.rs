//! Long calls: they run without Python's lock, show their progress and heed Ctrl-C.

use std::ops::ControlFlow;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use pyo3::prelude::*;

use crate::error;

/// How often Python is asked whether the user wants to stop, and told how far it is.
pub(crate) const PAUSE: Duration = Duration::from_millis(50);

/// Asks Python now and then whether to go on.
pub(crate) struct Listener {
    /// Called with what is done and what there is to do.
    progress: Option<Py<PyAny>>,
    asked: Instant,
    /// What Python raised: Ctrl-C, or an exception of the progress function.
    raised: Option<PyErr>,
}

impl Listener {
    pub(crate) fn new(progress: Option<Py<PyAny>>) -> Self {
        Listener { progress, asked: Instant::now(), raised: None }
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

/// Does work that cannot be stopped in a thread of its own, while Python hears of Ctrl-C in the thread that called: nobody waits for the work
/// then, and what it gives is dropped.
pub(crate) fn in_background<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, mut made) = channel();
    let work = move || drop(done.send(work()));
    let spawned = std::thread::Builder::new().spawn(work);
    spawned.map_err(|error| error::of_run(format!("no thread can be started: {error}")))?;
    loop {
        let wait = || {
            let made = &mut made; // this thread alone waits
            made.recv_timeout(PAUSE)
        };
        match py.detach(wait) {
            Ok(made) => return Ok(made),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                return Err(error::of_run("a thread ended unexpectedly"));
            }
        }
    }
}
