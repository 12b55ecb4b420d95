"""Models built in Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _toml
from ._case import Case, loads
from ._elements import Elements, Quantity, Vector
from ._part import Part

if TYPE_CHECKING:
    from ._result import Run


class Model(Elements):
    """A model, part by part. The methods and their keywords are the elements of a model file and their keys.

    >>> import jointplay as jp
    >>> model = jp.Model("pendulum", gravity=[0, -9.81])
    >>> rod = model.body("rod", mass=1.0, inertia="0.0833 kg m^2", position=[0.5, 0])
    >>> pivot = model.revolute("pivot", a=jp.GROUND.at(), b=rod.at(-0.5, 0))
    >>> run = model.run(until=1.0)
    >>> bool(run["rod.angle"][-1] < 0)
    True

    Anything else of a model file is a section: `model.section("run", rtol=1e-9)`.
    """

    def __init__(self, name: str | None = None, *, gravity: Vector | None = None, description: str | None = None) -> None:
        self._top: dict[str, Any] = {"format": 1}
        if name is not None:
            self._top["name"] = name
        if description is not None:
            self._top["description"] = description
        self._sections: dict[str, dict[str, Any]] = {}
        self._tables: dict[str, str] = {}
        if gravity is not None:
            self.section("world", gravity=gravity)

    def _add(self, section: str, name: str, kind: str | None, keys: dict[str, Any]) -> Part:
        part: dict[str, Any] = {} if kind is None else {"type": kind}
        part.update({key: value for key, value in keys.items() if value is not None})
        parts = self._sections.setdefault(section, {})
        if name in parts:
            raise ValueError(f"there are two {section} of the name {name!r}")
        parts[name] = part
        return Part(name)

    def parameter(self, name: str, value: Quantity) -> str:
        """A parameter of the model, for formulas such as "= 2*c"; its name."""
        self._sections.setdefault("parameters", {})[name] = value
        return name

    def material(self, name: str, **keys: Any) -> str:
        """A material; its name."""
        return self._add("materials", name, None, keys)

    def metric(self, name: str, formula: str | Mapping[str, Any]) -> str:
        """A metric, one number of a run: a formula such as "max(slider.ax)", or a table; its name."""
        self._sections.setdefault("metrics", {})[name] = formula
        return name

    def single(self, section: str, part: str, /, **keys: Any) -> Part:
        """What differs for one part of an array; its name.

        >>> import jointplay as jp
        >>> model = jp.Model("chain", gravity=[0, -9.81])
        >>> link = model.body("link", count=3, mass=0.1, inertia=1e-4, position=["= (i - 1/2)*100 mm", 0])
        >>> pin = model.revolute("pin", count=3, a=link.part("i-1").at(0.05), b=link.part("i").at(-0.05))
        >>> first = model.single("joints", pin.part(1), a=jp.GROUND.at())
        >>> run = model.run(until=0.01)
        >>> bool(run["link-3.y"][-1] < 0)
        True
        """
        return self._add(section, part, None, keys)

    def section(self, section: str, /, **keys: Any) -> Model:
        """Sets keys of a section of the model file: world, start, output, run."""
        self._sections.setdefault(section, {}).update(keys)
        return self

    def table(self, name: str, text: str) -> str:
        """A table that elements refer to by its name; its name."""
        self._tables[name] = text
        return name

    def toml(self) -> str:
        """The text of the model file."""
        lines = [f"{_toml.key(key)} = {_toml.write(value)}" for key, value in self._top.items()]
        for section, entries in self._sections.items():
            named = section in ("materials", "bodies", "joints", "contacts", "drivers", "forces", "outputs")
            if not named:
                lines += ["", f"[{section}]", *_entries(entries)]
                continue
            for name, part in entries.items():
                lines += ["", f"[{section}.{_toml.key(name)}]", *_entries(part)]
        return "\n".join(lines) + "\n"

    def save(self, path: str | Path) -> Path:
        """Writes the model file, with its tables in the same folder."""
        path = Path(path)
        path.write_text(self.toml(), encoding="utf-8")
        for name, text in self._tables.items():
            (path.parent / name).write_text(text, encoding="utf-8")
        return path

    def case(self) -> Case:
        """The case of this model, to change and to run."""
        return loads(self.toml(), self._tables, self._top.get("name"))

    def run(
        self,
        *,
        until: Quantity | None = None,
        rtol: float | None = None,
        channels: str | Sequence[str] | None = None,
        progress: bool | None = None,
    ) -> Run:
        """Runs it, see `Case.run`. `until` may be left out if the section `run` has it."""
        text = self.toml()
        if until is not None and "run" not in self._sections:
            text += f"\n[run]\nuntil = {_toml.write(until)}\n"
        case = loads(text, self._tables, self._top.get("name"))
        return case.run(until=until, rtol=rtol, channels=channels, progress=progress)


def _entries(table: Mapping[str, Any]) -> list[str]:
    return [f"{_toml.key(key)} = {_toml.write(value)}" for key, value in table.items()]
