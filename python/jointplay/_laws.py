"""Contact laws on arrays, and what the program computes with them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _jointplay
from ._errors import InputError
from ._numbers import floats
from ._quantity import is_quantity, magnitude, text
from ._result import Table

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from ._keys import DomainKeys, FitKeys, ImpactKeys, LawKeys

Array = NDArray[np.float64]

TENTHS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


def _flags(inputs: Mapping[str, Any]) -> list[str]:
    """Keywords as flags of the command line: `bearing_radius=0.01` is `--bearing-radius 0.01`."""
    flags: list[str] = []
    for name, value in inputs.items():
        if value is None or value is False:
            continue
        flag = "--" + name.replace("_", "-")
        if value is True:
            flags.append(flag)
        elif name == "params" and isinstance(value, Mapping):
            flags.extend(f"--param={key}={_text(entry)}" for key, entry in value.items())
        elif isinstance(value, (Sequence, np.ndarray)) and not isinstance(value, str):
            flags.extend(f"{flag}={_text(entry)}" for entry in value)
        else:
            flags.append(f"{flag}={_text(value)}")
    return flags


def _text(value: Any) -> str:
    if is_quantity(value):
        return text(value)
    if isinstance(value, str):
        return value
    return str(int(value)) if isinstance(value, (int, np.integer)) else repr(float(value))


def _ask(command: str, words: Sequence[str], inputs: Mapping[str, Any]) -> Any:
    flags = [flag for flag in _flags(inputs)]
    answer, _, _ = _jointplay.command([command, *words, *flags, "--json"])
    return json.loads(answer)


class Law:
    """An elastic law of the catalogue, a table or a formula, on numbers and arrays.

    >>> import jointplay as jp
    >>> johnson = jp.law("johnson", bearing_radius="10 mm", journal_radius="9.5 mm", length="15 mm", material="steel")
    >>> round(johnson.force(1e-6), 3)
    610.964
    >>> johnson.force([1e-6, 2e-6]).shape
    (2,)
    >>> abs(johnson.indentation(johnson.force(1e-6)) - 1e-6) < 1e-18
    True
    """

    def __init__(self, name: str, **inputs: Unpack[LawKeys]) -> None:
        if not isinstance(name, str):
            raise TypeError(f"the name of a law is a text, not {type(name).__name__}")
        self._name, self._inputs = name, dict[str, Any](inputs)
        self._law = _jointplay.Elastic(name, _flags(self._inputs))

    @property
    def name(self) -> str:
        """Its id in the catalogue."""
        return self._law.name

    @property
    def inputs(self) -> dict[str, Any]:
        """The inputs of the law."""
        return dict(self._inputs)

    @property
    def warnings(self) -> list[str]:
        """Warnings about inputs outside the published domain."""
        return self._law.warnings

    @property
    def notes(self) -> list[str]:
        """Other remarks."""
        return self._law.notes

    @property
    def limits(self) -> dict[str, float | None]:
        """The limits of the law: the indentation (m) and force (N) up to which it is monotone, and the limit of force in its source (N)."""
        delta, force, published = self._law.limits
        return {"indentation": delta, "force": force, "published_force": published}

    @property
    def sheet(self) -> Sheet:
        """Its data sheet."""
        return sheet(self.name)

    def force(self, delta: ArrayLike) -> Any:
        """The force (N) at an indentation (m)."""
        return _shaped(self._law.force, delta, _INDENTATION)

    def stiffness(self, delta: ArrayLike) -> Any:
        """The slope of the force (N/m)."""
        return _shaped(self._law.stiffness, delta, _INDENTATION)

    def energy(self, delta: ArrayLike) -> Any:
        """The stored energy (J)."""
        return _shaped(self._law.energy, delta, _INDENTATION)

    def indentation(self, force: ArrayLike) -> Any:
        """The indentation (m) under a force (N); NaN where the law does not reach it."""
        return _shaped(self._law.indentation, force, _FORCE)

    def __repr__(self) -> str:
        inputs = "".join(f", {key}={value!r}" for key, value in self._inputs.items())
        return f"law({self._name!r}{inputs})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _law, (self._name, self._inputs)

    def _repr_markdown_(self) -> str:
        return self.sheet._repr_markdown_()


def _law(name: str, inputs: Mapping[str, Any]) -> Law:
    return Law(name, **inputs)


def law(name: str, **inputs: Unpack[LawKeys]) -> Law:
    """The elastic law of this name.

    The keywords are the flags of `jointplay law` with `_` for `-`: `bearing_radius`, `journal_radius`, `radius` (one, or a list of two),
    `clearance`, `length`, `half_width`, `material`, `young`, `poisson`, `density` (and `_2` for the second body), `stiffness`,
    `exponent`, and `params` for anything else of its sheet. Numbers are SI; texts may have units.

    >>> import jointplay as jp
    >>> jp.law("hertz", stiffness=1e9).force(1e-6)
    1.0
    """
    return Law(name, **inputs)


_INDENTATION = {"m": 1}
_FORCE = {"m": 1, "kg": 1, "s": -2}


def _shaped(of: Any, numbers: ArrayLike, powers: Mapping[str, float]) -> Any:
    if is_quantity(numbers):
        numbers = magnitude(numbers, powers)
    array = floats(numbers, "indentations (m)" if powers is _INDENTATION else "forces (N)")
    values = of(np.require(array, requirements=["C", "A"]).reshape(-1)).reshape(array.shape)
    return float(values[()]) if array.ndim == 0 else values


class Sheet(dict[str, Any]):
    """The data sheet of a law: a dictionary that notebooks show as a page."""

    def _repr_markdown_(self) -> str:
        text = _jointplay.command(["laws", self["id"], "--markdown"])[1]
        # Notebooks know formulas between dollars only.
        return re.sub(r"```math\n(.*?)\n```", r"$$\1$$", text, flags=re.DOTALL)

    def __repr__(self) -> str:
        return f"Sheet({self['id']!r}: {self['summary']})"


@lru_cache(maxsize=1)
def _sheets() -> tuple[dict[str, Any], ...]:
    return tuple(json.loads(_jointplay.command(["laws", "--json"])[0]))


def sheet(name: str) -> Sheet:
    """The data sheet of a law: formula, parameters, domain, misprints of the papers.

    >>> import jointplay as jp
    >>> jp.sheet("johnson")["year"] > 1900
    True
    """
    answer = json.loads(_jointplay.command(["laws", name, "--json"])[0])
    if isinstance(answer, list):
        raise InputError(f"`{name}` is made up of several laws: ask for one of {', '.join(part['id'] for part in answer)}")
    return Sheet(answer)


def laws() -> Any:
    """All laws of the catalogue: a data frame where pandas is installed, else a `Table`.

    >>> import jointplay as jp
    >>> "lankarani-nikravesh" in list(jp.laws()["id"])
    True
    """
    from ._result import _frame

    columns = ["id", "family", "name", "authors", "year", "summary", "formula", "domain", "source"]
    return _frame(Table._of_rows(list(_sheets()), columns))


def impact(**inputs: Unpack[ImpactKeys]) -> Any:
    """The free impact of two bodies: restitution, peak force, duration, energy lost. The keywords are the flags of `jointplay impact`.

    >>> import jointplay as jp
    >>> hit = jp.impact(elastic="hertz", stiffness=5.2e9, damping="lankarani-nikravesh", restitution=0.7, mass=[9.2, 9.2], speed=0.3)
    >>> round(hit["restitution"], 6)
    0.795973
    """
    return _ask("impact", [], inputs)


def fit(law: str, **inputs: Unpack[FitKeys]) -> Any:
    """Fits K δⁿ to an elastic law and states the error. The keywords are the flags of `jointplay fit`.

    >>> import jointplay as jp
    >>> fitted = jp.fit("johnson", clearance="0.5 mm", material="steel", max_load="1000 N/mm")
    >>> 1.0 < fitted["exponent"] < 1.2
    True
    """
    return _ask("fit", [law], inputs)


def domain(laws: str | Sequence[str], **inputs: Unpack[DomainKeys]) -> Any:
    """Where cylinder laws are valid: load limit against clearance. The keywords are the flags of `jointplay domain`.

    >>> import jointplay as jp
    >>> found = jp.domain(["johnson", "radzimovsky"], material="steel", count=3)
    """
    names = laws if isinstance(laws, str) else ",".join(laws)
    return _ask("domain", [names], inputs)


def restitution_table(laws: Sequence[str], restitutions: Sequence[float] | Array = TENTHS, **inputs: Unpack[ImpactKeys]) -> Any:
    """The output restitution for a given input: a row for each input restitution, a column for each damping law. The other
    keywords are those of `impact`.

    >>> import jointplay as jp
    >>> table = jp.restitution_table(["exact", "hunt-crossley"], [0.5], mass=1.0, speed=0.1, stiffness=1e9)
    >>> round(float(table["exact"][0]), 6)
    0.5
    """
    from ._result import _frame

    columns: dict[str, Any] = {"restitution": np.array(restitutions, dtype=float)}
    for name in laws:
        outs = [_ask("impact", [], {**inputs, "damping": name, "restitution": float(r)}) for r in restitutions]
        columns[name] = np.array([out["restitution"] for out in outs], dtype=float)
    return _frame(Table(columns))
