"""Values as TOML."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._quantity import formula, is_quantity

LONGEST = 1 << 20
"""No value of a model is longer (letters)."""


def write(value: Any) -> str:
    """A value as TOML on one line: numbers, texts, flags, lists, tables, and quantities of pint."""
    if is_quantity(value):
        value = formula(value)
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, int):
        return int.__repr__(value)  # without what a subclass makes of it
    if isinstance(value, Mapping):
        table = ", ".join(f"{key(name)} = {write(entry)}" for name, entry in value.items())
        return f"{{ {table} }}" if table else "{}"
    if isinstance(value, float) or (hasattr(value, "__float__") and getattr(value, "ndim", 0) == 0):
        return repr(float(value))
    try:
        entries = iter(value)
    except TypeError:
        message = f"a value must be a number in SI units, a text such as '0.5 mm', a flag, a list or a table, not {type(value).__name__}"
        raise TypeError(message) from None
    texts, length = [], 0
    for entry in entries:
        texts.append(write(entry))
        length += len(texts[-1])
        if length > LONGEST:
            raise ValueError("a value is longer than 1 MB: give a table by its name")
    return "[" + ", ".join(texts) + "]"


def key(name: str) -> str:
    """A key, in quotes where it needs them."""
    plain = name and all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if plain else _quoted(name)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
