//! Values of Python as values of a model file.

use jointplay_model::Value;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

/// A value for a key of a model: a number in SI, a text as in a file, a flag, a list, a table, or a quantity of `pint`.
pub(crate) fn value(any: &Bound<'_, PyAny>) -> PyResult<Value> {
    let mut text = String::new();
    write(any, &mut text)?;
    Ok(Value::read(text))
}

/// Writes a value as TOML.
fn write(any: &Bound<'_, PyAny>, out: &mut String) -> PyResult<()> {
    if let Ok(flag) = any.cast::<PyBool>() {
        out.push_str(if flag.is_true() { "true" } else { "false" });
    } else if let Ok(text) = any.cast::<PyString>() {
        out.push_str(Value::from(text.to_str()?).toml());
    } else if any.is_instance_of::<PyInt>() {
        // However long: what is too long for the model is reported by it.
        out.push_str(&any.str()?.to_cow()?);
    } else if any.is_instance_of::<PyFloat>() {
        out.push_str(Value::from(any.extract::<f64>()?).toml());
    } else if let Ok(table) = any.cast::<PyDict>() {
        out.push_str("{ ");
        for (i, (key, entry)) in table.iter().enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            out.push_str(Value::from(key.cast::<PyString>()?.to_str()?).toml());
            out.push_str(" = ");
            write(&entry, out)?;
        }
        out.push_str(" }");
    } else if let Some(magnitude) = in_si(any)? {
        write(&magnitude, out)?;
    } else if let Ok(number) = any.extract::<f64>() {
        // Scalars of NumPy and other numbers.
        out.push_str(Value::from(number).toml());
    } else if let Ok(entries) = any.try_iter() {
        out.push('[');
        for (i, entry) in entries.enumerate() {
            out.push_str(if i == 0 { "" } else { ", " });
            write(&entry?, out)?;
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

/// The magnitude in SI base units of a quantity of `pint`; `None` for anything else.
fn in_si<'py>(any: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if any.hasattr("to_base_units")? && any.hasattr("magnitude")? {
        return any.call_method0("to_base_units")?.getattr("magnitude").map(Some);
    }
    Ok(None)
}
