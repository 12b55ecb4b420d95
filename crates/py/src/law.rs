//! Contact laws on arrays, and commands that only compute.

use std::ffi::OsString;
use std::time::Instant;

use jointplay_cli::Refusal;
use jointplay_contact::elastic::{ElasticLaw, ElasticModel as _};
use numpy::{PyArray1, PyReadonlyArray1};
use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;

use crate::array::owned;
use crate::convert::LONGEST;
use crate::error;
use crate::watch::{PAUSE, in_background};

type Array<'py> = Bound<'py, PyArray1<f64>>;

/// So many numbers are evaluated between two looks at the clock.
const CHUNK: usize = 1 << 10;

/// An elastic law.
#[pyclass(frozen, module = "jointplay._jointplay")]
pub(crate) struct Elastic(jointplay_cli::Elastic);

fn refused(refusal: Refusal) -> PyErr {
    match refusal {
        Refusal::Request(problems) => error::of_texts(&problems),
        Refusal::Model(wrong) => error::of_model(&wrong),
        other => error::of_run(other),
    }
}

/// The name of a law, which may be a formula, has a length that can be read.
pub(crate) fn check_length(name: &str) -> PyResult<()> {
    if name.len() > LONGEST {
        let message = format!("a text of {} bytes is no name of a law and no input", name.len());
        return Err(error::of_texts(&[message]));
    }
    Ok(())
}

impl Elastic {
    /// Numbers of numbers, without Python's lock.
    fn map<'py>(
        &self,
        py: Python<'py>,
        numbers: PyReadonlyArray1<'py, f64>,
        of: impl Fn(&ElasticLaw, &[f64], &mut [f64]) + Sync,
    ) -> PyResult<Array<'py>> {
        let numbers = numbers.as_slice()?;
        let mut values = Vec::new();
        if values.try_reserve_exact(numbers.len()).is_err() {
            let message = format!("there is no memory for {} numbers", numbers.len());
            return Err(PyMemoryError::new_err(message));
        }
        let law = &self.0.law;
        let mut chunks = numbers.chunks(CHUNK);
        while values.len() < numbers.len() {
            py.check_signals()?;
            // Python's lock may be long in coming back, so that it is asked for by time and not by chunk.
            py.detach(|| {
                let start = Instant::now();
                for chunk in chunks.by_ref() {
                    let done = values.len();
                    values.resize(done + chunk.len(), 0.0);
                    of(law, chunk, &mut values[done..]);
                    if start.elapsed() > PAUSE {
                        break;
                    }
                }
            });
        }
        owned(py, values)
    }

    /// One number for each of another.
    fn each<'py>(
        &self,
        py: Python<'py>,
        numbers: PyReadonlyArray1<'py, f64>,
        of: impl Fn(&ElasticLaw, f64) -> f64 + Sync,
    ) -> PyResult<Array<'py>> {
        self.map(py, numbers, |law, numbers, values| {
            for (value, number) in values.iter_mut().zip(numbers) {
                *value = of(law, *number);
            }
        })
    }
}

#[pymethods]
impl Elastic {
    /// The law of this name with these flags of the command line.
    #[new]
    fn new(py: Python<'_>, name: String, flags: Vec<OsString>) -> PyResult<Self> {
        check_length(&name)?;
        let built = in_background(py, move || jointplay_cli::elastic(&name, flags))?;
        built.map(Elastic).map_err(refused)
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    /// The length of a line contact (m).
    #[getter]
    fn length(&self) -> Option<f64> {
        self.0.length
    }

    /// Where the inputs lie outside the published domain.
    #[getter]
    fn warnings(&self) -> Vec<String> {
        self.0.warnings.clone()
    }

    /// Remarks.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.0.notes.clone()
    }

    /// Indentation (m) and force (N) up to which the law is monotone, and the force at which its source ends its domain.
    #[getter]
    fn limits(&self) -> (Option<f64>, Option<f64>, Option<f64>) {
        let limits = self.0.law.limits();
        (limits.delta, limits.force, limits.published_force)
    }

    /// Forces (N) of indentations (m).
    fn force<'py>(
        &self,
        py: Python<'py>,
        delta: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Array<'py>> {
        self.map(py, delta, ElasticLaw::forces)
    }

    /// Slopes of the force (N/m).
    fn stiffness<'py>(
        &self,
        py: Python<'py>,
        delta: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Array<'py>> {
        self.each(py, delta, |law, delta| law.eval(delta).slope)
    }

    /// Stored energies (J).
    fn energy<'py>(
        &self,
        py: Python<'py>,
        delta: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Array<'py>> {
        self.each(py, delta, |law, delta| law.eval(delta).energy)
    }

    /// Indentations (m) under forces (N); NaN where the law does not reach a force.
    fn indentation<'py>(
        &self,
        py: Python<'py>,
        force: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Array<'py>> {
        self.each(py, force, |law, force| law.indentation(force).unwrap_or(f64::NAN))
    }
}

/// The answer of a command of the program that only computes: its JSON, its lines, and its warnings and notes.
#[pyfunction]
pub(crate) fn command(
    py: Python<'_>,
    args: Vec<OsString>,
) -> PyResult<(String, String, Vec<String>)> {
    for word in args.iter().filter_map(|word| word.to_str()) {
        check_length(word)?;
    }
    let answer = in_background(py, move || jointplay_cli::answer(args))?.map_err(refused)?;
    Ok((answer.json.to_string(), answer.text, answer.notes))
}
