"""Exceptions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a model, a study or a request."""

    message: str
    """What is wrong."""
    file: str | None = None
    """The file."""
    line: int | None = None
    """The line, counted from 1; None for the file as a whole and for changes."""
    column: int | None = None
    """The column in characters, counted from 1."""
    key: str = ""
    """The key, such as `joints.pin.law`."""
    hint: str | None = None
    """What to do about it."""
    source_line: str | None = None
    """The line itself."""
    change: str | None = None
    """The change that is at fault, as a flag of the command line."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Problem:
        return cls(
            message=data["message"],
            file=data.get("file"),
            line=data.get("line"),
            column=data.get("column"),
            key=data.get("path") or "",
            hint=data.get("hint"),
            source_line=data.get("source_line"),
            change=data.get("set"),
        )


class InputError(ValueError):
    """The input is wrong. `problems` lists everything that is wrong with it.

    >>> import jointplay as jp
    >>> try:
    ...     jp.example("slider-crank").set({"joints.pin.clearence": "0.1 mm"}).check()
    ... except jp.InputError as wrong:
    ...     print(wrong.problems[0].hint)
    did you mean `clearance`?
    """

    problems: list[Problem]
    omitted: int

    def __init__(self, message: str, data: str = '{"problems": [], "omitted": 0}') -> None:
        super().__init__(message, data)
        read = json.loads(data)
        self.problems = [Problem._of(problem) for problem in read["problems"]]
        self.omitted = read.get("omitted", 0)

    def __str__(self) -> str:
        return str(self.args[0])


class RunError(RuntimeError):
    """A computation could not be made. `partial` has what was computed, if there is anything."""

    partial: Any = None


class StoreError(OSError):
    """A result folder could not be read or written."""
