"""Values as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._quantity import formula, is_quantity


def write(value: Any) -> str:
    """A value as TOML on one line: numbers, texts, flags, lists, tables, and quantities of pint."""
    if is_quantity(value):
        value = formula(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, Mapping):
        entries = ", ".join(f"{key(name)} = {write(entry)}" for name, entry in value.items())
        return f"{{ {entries} }}" if entries else "{}"
    if isinstance(value, float) or (hasattr(value, "__float__") and getattr(value, "ndim", 0) == 0):
        return repr(float(value))
    try:
        return "[" + ", ".join(write(entry) for entry in value) + "]"
    except TypeError:
        message = f"a value must be a number in SI units, a text such as '0.5 mm', a flag, a list or a table, not {type(value).__name__}"
        raise TypeError(message) from None


def key(name: str) -> str:
    """A key, in quotes where it needs them."""
    plain = name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if plain else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
