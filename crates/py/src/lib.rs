//! The extension module of the Python package `jointplay`: one engine, the same bits as the command line.
//!
//! This crate converts, and nothing else: cases, runs, laws and studies are those of `jointplay-study`. What users see, with its
//! documentation, plots and tables, is the Python code in `python/jointplay`.

// PyO3 expands functions to code that takes what Python hands over by value.
#![allow(clippy::needless_pass_by_value, reason = "arguments from Python are owned")]

mod array;
mod case;
mod convert;
mod crew;
mod error;
mod law;
mod run;
mod study;
mod watch;

use std::ffi::OsString;

use pyo3::prelude::*;

/// The functions and classes behind the Python package.
#[pymodule]
mod _jointplay {
    use super::{Bound, OsString, PyModule, PyModuleMethods as _, PyResult, Python};

    #[pymodule_export]
    use super::case::{Case, examples};
    #[pymodule_export]
    use super::crew::Errands;
    #[pymodule_export]
    use super::law::{Elastic, command};
    #[pymodule_export]
    use super::run::{Run, Stored, parquet};
    #[pymodule_export]
    use super::study::{Study, StudyResult};

    /// Runs the program `jointplay` with these arguments, of which the first is its name; its exit code.
    #[pyo3::pyfunction]
    fn main(py: Python<'_>, args: Vec<OsString>) -> u8 {
        py.detach(|| jointplay_cli::main(args))
    }

    /// A page without its engine.
    #[pyo3::pyfunction]
    fn without_engine(page: &str) -> String {
        jointplay_cli::without_engine(page)
    }

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("engine", jointplay_study::case::Digest::of_engine().as_str())
    }
}
