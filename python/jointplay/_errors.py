"""Exceptions."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

_SWITCHES = {"restart", "filter-data", "both-ways", "warm-start", "force"}
_OTHER_NAMES = {"metric": "metrics", "limit": "limits", "force": "replace"}


def in_python(text: str) -> str:
    """A message of the engine with the arguments of Python in place of the flags of the command line.

    >>> in_python("choose another folder with --out FOLDER")
    'choose another folder with out=FOLDER'
    >>> in_python("nothing is varied; give --vary KEY=VALUES")
    'nothing is varied; give vary={"KEY": "VALUES"}'
    >>> in_python("--vary run.until=1 kg: a time is expected")
    'vary run.until=1 kg: a time is expected'
    >>> in_python('a model with --set run.until=0.5 --set output.interval="20 us", not replaced; give --force')
    'a model with set({"run.until": "0.5"}) set({"output.interval": "20 us"}), not replaced; give replace=True'
    """
    text = text.replace("a model from standard input", "a model from text")
    # A command is a command. What is said of a flag that was given comes after it, whatever its value has in it.
    text = re.sub(r"^((?:error: )?)--(set|vary|map|laws?|case|section|period)(?= )", r"\1\2", text, flags=re.MULTILINE)
    parts = re.split(r"(`(?:jointplay )?run [^`]*`)", text)
    parts[::2] = [_FLAG.sub(_argument, part) for part in parts[::2]]
    return "".join(parts)


_FLAG = re.compile(
    r"(?<![\w-])--([a-z]+(?:-[a-z]+)*)(?: ([\w.]+)=(\x22[^\x22]*\x22|[\w…]+(?:[.+-][\w…]+)*)| ([A-Z]{2,}\b(?:\.csv)?)| (once))?"
)


def _argument(flag: re.Match[str]) -> str:
    name, key, value, placeholder, once = flag.groups()
    argument = _OTHER_NAMES.get(name, name).replace("-", "_")
    if key:
        value = value.strip('"')
        return f'set({{"{key}": "{value}"}})' if name == "set" else f'{argument}={{"{key}": "{value}"}}'
    if once:
        return f"one key in {argument}"
    if name in _SWITCHES:
        return f"{argument}=True"
    if placeholder:
        return f"{argument}=[{placeholder}]" if argument != name or name in ("observe", "laws") else f"{argument}={placeholder}"
    return argument


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
    """The change that is at fault, such as `set joints.pin.law=hertz`."""

    @classmethod
    def _of(cls, data: dict[str, Any]) -> Problem:
        return cls(
            message=in_python(data["message"]),
            file=data.get("file"),
            line=data.get("line"),
            column=data.get("column"),
            key=data.get("path") or "",
            hint=_translated(data.get("hint")),
            source_line=data.get("source_line"),
            change=_translated(data.get("set")),
        )


def _translated(text: str | None) -> str | None:
    return None if text is None else in_python(text)


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
        super().__init__(in_python(message), data)
        read = json.loads(data)
        self.problems = [Problem._of(problem) for problem in read["problems"]]
        self.omitted = read.get("omitted", 0)

    def __str__(self) -> str:
        return str(self.args[0])


@contextmanager
def needing(package: str, extra: str) -> Iterator[None]:
    """Says how to install a package that is imported inside, where it is missing.

    >>> with needing("nowhere", "all"):
    ...     import nowhere
    Traceback (most recent call last):
    ImportError: this needs nowhere: pip install 'jointplay[all]'
    """
    try:
        yield
    except ModuleNotFoundError as missing:
        if missing.name != package:
            raise
        raise ImportError(f"this needs {package}: pip install 'jointplay[{extra}]'") from None


@contextmanager
def interruptible() -> Iterator[None]:
    """Gives a Ctrl-C that comes before there is anything to keep the attribute `partial` of those that come later: None."""
    try:
        yield
    except KeyboardInterrupt as stop:
        stop.__dict__.setdefault("partial", None)
        raise


class RunError(RuntimeError):
    """A computation could not be made. `partial` has what was computed, if there is anything."""

    partial: Any = None

    def __init__(self, message: str = "") -> None:
        super().__init__(in_python(message))


class StoreError(OSError):
    """A result folder could not be read or written."""

    def __init__(self, message: str = "") -> None:
        super().__init__(in_python(message))
