"""What users hand over as arrays of numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def floats(values: Any, what: str) -> NDArray[np.float64]:
    """Numbers as an array of floats; masked ones are NaN. What NumPy would turn into numbers without being asked, such as complex numbers
    and dates, is refused."""
    if isinstance(values, np.ma.MaskedArray):
        values = np.ma.filled(values.astype(float), np.nan)
    array = np.asarray(values)
    if array.dtype.kind not in "biufO" or values is None:
        raise TypeError(f"{what} must be real numbers, not {array.dtype if values is not None else None}")
    return np.asarray(array, dtype=float)
