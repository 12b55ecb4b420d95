//! Studies whose runs are made elsewhere: Python takes errands, ships them and gives back the rows.

use std::collections::HashSet;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};

use jointplay_study::crew::{Answer, Crew};
use jointplay_study::own::OwnMetrics;
use jointplay_study::run;
use jointplay_study::sweep::Cancellation;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::run::Run;

/// What Python raised while a study was made.
#[derive(Clone, Default)]
pub(crate) struct Raised(Arc<Mutex<Option<PyErr>>>);

impl Raised {
    pub(crate) fn keep(&self, raised: PyErr) {
        // The first one is the cause of the others.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(raised);
    }

    pub(crate) fn take(&self) -> Option<PyErr> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) fn is_some(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }
}

/// Errands with their numbers, and how many there may be after them.
type Taken = (Vec<(usize, String)>, Option<usize>);

enum Message {
    Take(usize, Sender<Taken>),
    Give(usize, Answer),
    Done,
}

/// The errands of a study, which are taken and given back with their rows.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Errands {
    to: Sender<Message>,
    stop: Cancellation,
}

fn over<E>(_: E) -> PyErr {
    PyRuntimeError::new_err("the study is over")
}

#[pymethods]
impl Errands {
    /// So many errands with their numbers, or as many as there are; and how many may come after them, if that is known.
    fn take(&self, py: Python<'_>, count: usize) -> PyResult<Taken> {
        py.detach(|| {
            let (reply, taken) = channel();
            self.to.send(Message::Take(count, reply)).map_err(over)?;
            taken.recv().map_err(over)
        })
    }

    /// The rows of an errand.
    fn give(&self, number: usize, rows: Vec<String>) -> PyResult<()> {
        self.to.send(Message::Give(number, Answer::Rows(rows))).map_err(over)
    }

    /// An errand without rows, and why.
    fn lose(&self, number: usize, why: String) -> PyResult<()> {
        self.to.send(Message::Give(number, Answer::Lost(why))).map_err(over)
    }

    /// Whether a stop was requested.
    fn stopped(&self) -> bool {
        self.stop.is_cancelled()
    }
}

/// A function of Python that does errands.
pub(crate) struct PythonCrew {
    pub(crate) function: Py<PyAny>,
    pub(crate) raised: Raised,
}

impl Crew for PythonCrew {
    fn work(
        &self,
        context: &str,
        errands: &mut (dyn Iterator<Item = String> + Send),
        take: &mut (dyn FnMut(usize, Answer) + Send),
        stop: &Cancellation,
    ) -> Result<(), String> {
        let (to, from) = channel();
        std::thread::scope(|scope| {
            let caller = scope.spawn(move || {
                let done = to.clone();
                let called = Python::attach(|py| {
                    let errands = Errands { to, stop: stop.clone() };
                    self.function.call1(py, (context, errands)).map(drop)
                });
                // Python may keep the errands for longer.
                drop(done.send(Message::Done));
                called
            });
            let left = serve(&from, errands, take);
            match caller.join() {
                Ok(Ok(())) if left > 0 && !stop.is_cancelled() => {
                    Err(format!("{left} errands of the study were not done"))
                }
                Ok(Ok(())) => Ok(()),
                Ok(Err(raised)) => {
                    // The study ends as if it was interrupted: what was computed is not lost.
                    self.raised.keep(raised);
                    stop.cancel();
                    Ok(())
                }
                Err(_) => Err("a thread of the study ended unexpectedly".to_owned()),
            }
        })
    }
}

/// Hands out errands and takes their answers until Python is done; how many are left, those that were never asked for counted as one.
fn serve(
    from: &Receiver<Message>,
    errands: &mut (dyn Iterator<Item = String> + Send),
    take: &mut (dyn FnMut(usize, Answer) + Send),
) -> usize {
    let mut open = HashSet::new();
    let mut numbered = errands.enumerate();
    while let Ok(message) = from.recv() {
        match message {
            Message::Take(count, reply) => {
                let taken: Vec<(usize, String)> = numbered.by_ref().take(count).collect();
                open.extend(taken.iter().map(|(number, _)| *number));
                // Where nobody waits for them any more, they stay open.
                drop(reply.send((taken, numbered.size_hint().1)));
            }
            // An errand that was done twice has the same answer.
            Message::Give(number, answer) if open.remove(&number) => take(number, answer),
            Message::Give(..) => {}
            Message::Done => break,
        }
    }
    open.len() + usize::from(numbered.next().is_some())
}

/// Functions of Python that measure runs.
pub(crate) struct PythonMetrics {
    names: Vec<String>,
    identity: String,
    /// Called with a run; the values of all metrics.
    function: Py<PyAny>,
    raised: Raised,
}

impl PythonMetrics {
    /// Metrics of `(names, identity, function)`.
    pub(crate) fn shared(
        own: Option<(Vec<String>, String, Py<PyAny>)>,
        raised: &Raised,
    ) -> Option<Arc<dyn OwnMetrics>> {
        own.map(|(names, identity, function)| {
            let raised = raised.clone();
            Arc::new(PythonMetrics { names, identity, function, raised }) as Arc<dyn OwnMetrics>
        })
    }
}

impl std::fmt::Debug for PythonMetrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PythonMetrics").field("names", &self.names).finish_non_exhaustive()
    }
}

impl OwnMetrics for PythonMetrics {
    fn names(&self) -> &[String] {
        &self.names
    }

    fn identity(&self) -> &str {
        &self.identity
    }

    fn measure(&self, run: run::Run) -> Option<Vec<Option<f64>>> {
        let measured = Python::attach(|py| {
            self.function.call1(py, (Run::new(run),))?.extract::<Vec<Option<f64>>>(py)
        });
        measured.map_err(|raised| self.raised.keep(raised)).ok()
    }
}
