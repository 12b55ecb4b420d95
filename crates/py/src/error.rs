//! Problems as exceptions of the Python package.

use std::ffi::CString;

use jointplay_model::Diagnostics;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use serde_json::json;

pyo3::import_exception!(jointplay._errors, InputError);
pyo3::import_exception!(jointplay._errors, RunError);
pyo3::import_exception!(jointplay._errors, StoreError);

/// What is wrong with a model: an exception with every problem.
pub(crate) fn of_model(wrong: &Diagnostics) -> PyErr {
    InputError::new_err((wrong.to_string(), wrong.to_json().to_string()))
}

/// What is wrong with a request: problems that are only texts.
pub(crate) fn of_texts(problems: &[String]) -> PyErr {
    let listed: Vec<_> = problems.iter().map(|message| json!({ "message": message })).collect();
    let data = json!({ "problems": listed, "omitted": 0 });
    InputError::new_err((problems.join("\n"), data.to_string()))
}

/// A computation that could not be made.
pub(crate) fn of_run(error: impl std::fmt::Display) -> PyErr {
    RunError::new_err(error.to_string())
}

/// A folder that could not be read or written.
pub(crate) fn of_store(error: impl std::fmt::Display) -> PyErr {
    StoreError::new_err(error.to_string())
}

/// Notes as warnings of Python.
pub(crate) fn warn(py: Python<'_>, notes: &[String]) -> PyResult<()> {
    notes.iter().try_for_each(|note| {
        let note = CString::new(note.replace('\0', " "))?;
        PyErr::warn(py, &py.get_type::<PyUserWarning>(), &note, 2)
    })
}
