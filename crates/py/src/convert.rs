//! Values of Python as values of a model file.

use jointplay_model::Value;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// Lists in lists in lists: no model needs more.
const DEEPEST: usize = 32;

/// No value of a model is longer (bytes).
pub(crate) const LONGEST: usize = 1 << 20;

/// A value for a key of a model: a number in SI, a text as in a file, a flag, a list, a table, or a quantity of `pint`.
pub(crate) fn value(any: &Bound<'_, PyAny>) -> PyResult<Value> {
    let mut text = String::new();
    write(any, &mut text, 0)?;
    Ok(Value::read(text))
}

/// Writes a value as TOML.
fn write(any: &Bound<'_, PyAny>, out: &mut String, depth: usize) -> PyResult<()> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(
            "a value has lists or tables inside each other without end",
        ));
    }
    if out.len() > LONGEST {
        return Err(too_long());
    }
    if let Ok(flag) = any.cast::<PyBool>() {
        out.push_str(if flag.is_true() { "true" } else { "false" });
    } else if let Ok(text) = any.cast::<PyString>() {
        let text = text.to_str()?;
        if text.len() > LONGEST {
            return Err(too_long());
        }
        out.push_str(Value::from(text).toml());
    } else if any.is_instance_of::<PyInt>() {
        // However long: what is too long for the model is reported by it. Classes of one's own may be printed in any way.
        let digits = any.py().get_type::<PyInt>().call_method1("__repr__", (any,))?;
        out.push_str(&digits.cast::<PyString>()?.to_cow()?);
    } else if any.is_instance_of::<PyFloat>() {
        out.push_str(Value::from(any.extract::<f64>()?).toml());
    } else if let Ok(table) = any.cast::<PyDict>() {
        out.push_str("{ ");
        for (i, (key, entry)) in table.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            out.push_str(Value::from(key.cast::<PyString>()?.to_str()?).toml());
            out.push_str(" = ");
            write(&entry, out, depth + 1)?;
        }
        out.push_str(" }");
    } else if any.hasattr("to_base_units")? && any.hasattr("magnitude")? {
        // A quantity keeps its unit, which the model checks.
        let quantities = any.py().import("jointplay._quantity")?;
        write(&quantities.call_method1("formula", (any,))?, out, depth + 1)?;
    } else if is_flag_of_numpy(any)? {
        out.push_str(if any.is_truthy()? { "true" } else { "false" });
    } else if let Ok(number) = any.extract::<f64>() {
        // Scalars of NumPy and other numbers.
        out.push_str(Value::from(number).toml());
    } else if let Ok(entries) = any.try_iter() {
        out.push('[');
        for (i, entry) in entries.enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            write(&entry?, out, depth + 1)?;
        }
        out.push(']');
    } else {
        let kind = any.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "a value must be a number in SI units, a text such as '0.5 mm', a flag, a list or a table, not {kind}"
        )));
    }
    Ok(())
}

fn too_long() -> PyErr {
    PyValueError::new_err("a value is longer than 1 MB: give a table by its name")
}

/// Whether it is a flag of NumPy, which is no flag of Python and would be taken for the number 0 or 1.
fn is_flag_of_numpy(any: &Bound<'_, PyAny>) -> PyResult<bool> {
    let kind = any.get_type();
    Ok((kind.name()? == "bool" || kind.name()? == "bool_") && kind.module()? == "numpy")
}
