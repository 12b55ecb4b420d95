"""Metrics of one's own: functions of a run."""

from __future__ import annotations

import hashlib
import math
import pickle
import uuid
from collections.abc import Callable, Mapping, Sequence
from types import CodeType
from typing import Any

from . import _jointplay
from ._result import Run

Function = Callable[[Run], "float | None"]
"""A metric: a number of a run, or None where there is none."""

Metrics = Sequence[Any] | Mapping[str, Any]
"""Metrics: names and formulas of the model, and functions of a run; or a mapping of names to functions."""


class Own:
    """Functions that measure runs, by name."""

    def __init__(self, functions: Mapping[str, Function]) -> None:
        self.functions = dict(functions)
        self.identity = _digest([(name, _identity(function)) for name, function in self.functions.items()])

    def __call__(self, source: _jointplay.Run) -> list[float | None]:
        run = Run._of(source)
        return [_number(name, function(run)) for name, function in self.functions.items()]

    @property
    def parts(self) -> tuple[list[str], str, Own]:
        """As the engine takes it."""
        return list(self.functions), self.identity, self


def split(metrics: Metrics) -> tuple[list[str], Own | None]:
    """The names of metrics, and the functions among them."""
    if isinstance(metrics, str):
        raise TypeError(f"metrics are a list, such as [{metrics!r}]")
    named = list(metrics.items()) if isinstance(metrics, Mapping) else [(name(metric), metric) for metric in metrics]
    functions = {key: metric for key, metric in named if metric != key}
    for key, function in functions.items():
        if not isinstance(key, str) or not key.strip():
            raise TypeError(f"the name of a metric is a text, not {key!r}")
        if isinstance(function, str):
            raise TypeError(f"{key!r}: a formula has no other name in a study; name it in the model file, in [metrics]")
        if not callable(function):
            raise TypeError(f"the metric {key!r} is a function of a run, not {type(function).__name__}")
    return [key for key, _ in named], Own(functions) if functions else None


def name(metric: Any) -> str:
    """The name of a metric: itself, or that of the function."""
    if isinstance(metric, str):
        return metric
    found = getattr(metric, "__name__", None)
    if not isinstance(found, str) or found == "<lambda>":
        raise TypeError("a function without a name needs one: metrics={'name': function}")
    return found


def _number(key: str, value: Any) -> float | None:
    if value is None:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TypeError(f"the metric {key!r} gave {type(value).__name__}: a metric is one number, or None") from None
    return number if math.isfinite(number) else None


def _digest(data: object) -> str:
    return hashlib.sha256(repr(data).encode()).hexdigest()


def _identity(function: Any) -> object:
    """What a function is known by: its code and the values that it carries. Where that cannot be told it is new each time, so that nothing
    that another function measured is taken for its own."""
    code = getattr(function, "__code__", None)
    if isinstance(code, CodeType):
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        return _code(code), _value((function.__defaults__, function.__kwdefaults__, cells))
    return _value(function)


def _code(code: CodeType) -> object:
    constants = [_code(part) if isinstance(part, CodeType) else repr(part) for part in code.co_consts]
    return code.co_code.hex(), constants, code.co_names, code.co_varnames


def _value(value: object) -> str:
    try:
        return pickle.dumps(value, protocol=4).hex()
    except Exception:
        return uuid.uuid4().hex
