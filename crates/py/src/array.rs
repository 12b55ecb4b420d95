//! NumPy arrays that share the memory of a run.

use numpy::PyArray1;
use numpy::ndarray::ArrayView1;
use pyo3::prelude::*;

/// A read-only array over numbers that an owner holds. The owner stays alive as long as the array does.
///
/// The caller promises that `values` belongs to `owner` and that `owner` never changes or moves it: frozen classes only.
#[expect(unsafe_code, reason = "a view of memory that Python keeps alive")]
pub(crate) fn shared<'py>(
    values: &[f64],
    owner: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    // SAFETY: the array holds a reference to `owner`, which is frozen and owns `values` until it is dropped.
    let array = unsafe { PyArray1::borrow_from_array(&ArrayView1::from(values), owner) };
    read_only(array)
}

/// An array of its own, that nobody changes by accident.
pub(crate) fn owned(py: Python<'_>, values: Vec<f64>) -> PyResult<Bound<'_, PyArray1<f64>>> {
    read_only(PyArray1::from_vec(py, values))
}

/// By NumPy itself: the borrows of the crate `numpy` are of memory, and another thread may just read the same memory as another array.
fn read_only(array: Bound<'_, PyArray1<f64>>) -> PyResult<Bound<'_, PyArray1<f64>>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}
