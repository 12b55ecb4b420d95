//! Problems as exceptions of the Python package.

use std::ffi::CString;

use jointplay_model::Diagnostics;
use jointplay_model::shape::Misuse;
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use serde_json::{Value, json};

pyo3::import_exception!(jointplay._errors, InputError);
pyo3::import_exception!(jointplay._errors, RunError);
pyo3::import_exception!(jointplay._errors, StoreError);

/// What is wrong with a model: an exception with every problem.
pub(crate) fn of_model(wrong: &Diagnostics) -> PyErr {
    InputError::new_err((wrong.to_string(), wrong.to_json().to_string()))
}

/// What is wrong with a request: problems that are only texts. The key is the argument that they name, the hint what they say to do.
pub(crate) fn of_texts(problems: &[String]) -> PyErr {
    let problem = |text: &String| {
        let (message, hint) = advice(text);
        json!({ "message": message, "hint": hint, "path": named(text) })
    };
    of_problems(&problems.join("\n"), problems.iter().map(problem).collect())
}

/// A message and the advice at its end.
fn advice(text: &str) -> (&str, Option<&str>) {
    let starts = ["; did you mean ", ": give ", "; give ", "; write "];
    match starts.iter().filter_map(|start| text.rfind(start)).min() {
        Some(at) => (&text[..at], Some(&text[at + 2..])),
        None => (text, None),
    }
}

/// What is wrong with a study that was asked for. `varied` are the keys that it varies.
pub(crate) fn of_study(problems: &[Misuse], varied: &[String]) -> PyErr {
    let problem = |wrong: &Misuse| {
        let path: Vec<&str> = wrong.at.iter().map(String::as_str).collect();
        let key = match path.as_slice() {
            [] => named(&wrong.message).unwrap_or_default(),
            ["vary"] => named(&wrong.message).unwrap_or_else(|| "vary".to_owned()),
            // The entries of the list are the keys of a mapping in Python.
            ["vary", i, ..] => {
                let entry = i.parse::<usize>().ok().and_then(|i| varied.get(i));
                entry.cloned().unwrap_or_else(|| "vary".to_owned())
            }
            // The number of an entry of a list is no part of its name.
            path => path
                .iter()
                .copied()
                .filter(|part| part.parse::<usize>().is_err())
                .collect::<Vec<_>>()
                .join("."),
        };
        let (message, advised) = advice(&wrong.message);
        json!({ "message": message, "hint": wrong.hint.as_deref().or(advised), "path": key })
    };
    let texts: Vec<String> = problems.iter().map(ToString::to_string).collect();
    of_problems(&texts.join("\n"), problems.iter().map(problem).collect())
}

fn of_problems(text: &str, listed: Vec<Value>) -> PyErr {
    let data = json!({ "problems": listed, "omitted": 0 });
    InputError::new_err((text.to_owned(), data.to_string()))
}

/// The argument or the key that a message names: `bearing_radius` of `--bearing-radius 1 kg: …`, `joints.pin.law` of `--set
/// joints.pin.law=hertz: …` and of `joints.pin.law: …`, `stiffness` of `stiffness = -1: …` and of `… has no parameter `stiffness``.
fn named(message: &str) -> Option<String> {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    if let Some((path, _)) = message.split_once(": ").filter(|(path, _)| is_path(path)) {
        return Some(path.to_owned());
    }
    if let Some(at) = message.find("--") {
        let flag = &message[at + 2..];
        let (flag, value) = flag.split_at(flag.find(|c| !is_word(c)).unwrap_or(flag.len()));
        let key = value.trim_start().split(['=', ':']).next().filter(|key| is_path(key));
        return match (flag, key) {
            ("", _) => None,
            ("set" | "vary", Some(key)) => Some(key.to_owned()),
            _ => Some(flag.replace('-', "_")),
        };
    }
    let parameter = message.split_once("parameter `").and_then(|(_, rest)| rest.split_once('`'));
    let assigned = message.split_once(" = ").filter(|(key, _)| key.chars().all(is_word));
    parameter.or(assigned).map(|(key, _)| key.to_owned())
}

/// Whether a text is a key of a model, such as `joints.pin.law`.
fn is_path(text: &str) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_' | '[' | ']');
    text.contains('.') && text.chars().all(is_letter)
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
