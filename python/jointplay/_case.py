"""Cases: models with changes."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import _jointplay
from ._errors import InputError, RunError, interruptible

if TYPE_CHECKING:
    from ._result import Run, State

Value = Any
"""A number in SI units, a text as in a model file such as "0.5 mm", a flag, a list, a table, or a quantity of pint."""


class Case:
    """A model with changes: a description of the run you want.

    A case never changes. Each method returns a new one, so that variants of a model live side by side:

    >>> import jointplay as jp
    >>> base = jp.example("slider-crank")
    >>> loose = base.set({"joints.pin.clearance": "0.5 mm"})
    >>> stiff = base.law("hertz+flores")
    >>> base.digest == loose.digest
    False

    Get one from `jointplay.load`, `jointplay.loads`, `jointplay.example` or `Model.case`.
    """

    __slots__ = ("_case",)

    def __init__(self, case: _jointplay.Case) -> None:
        self._case = case

    # What it is

    @property
    def name(self) -> str:
        """The name of the model, or of its folder or file."""
        return self._case.name()

    @property
    def digest(self) -> str:
        """The identity of its runs: cases with the same digest give the same bits."""
        return self._case.digest()

    @property
    def changes(self) -> list[str]:
        """The changes, as flags of the command line."""
        return self._case.changes()

    @property
    def channels(self) -> dict[str, str]:
        """Every channel with its unit.

        >>> import jointplay as jp
        >>> jp.example("slider-crank").channels["pin.force"]
        'N'
        """
        return dict(self._case.channels())

    @property
    def bodies(self) -> list[str]:
        """The names of the bodies."""
        return self._case.parts()[0]

    @property
    def joints(self) -> dict[str, str]:
        """The joints with their kinds, such as `revolute, clearance`."""
        return dict(self._case.parts()[1])

    @property
    def degrees_of_freedom(self) -> int:
        """The number of degrees of freedom."""
        return self._case.parts()[2]

    @property
    def parameters(self) -> dict[str, float]:
        """The parameters of the file in SI units."""
        return {name: value for name, value, _ in self._case.parameters()}

    @property
    def until(self) -> float:
        """The end of the run (s)."""
        return self._case.until()

    @property
    def warnings(self) -> list[str]:
        """Warnings about the model."""
        return self._case.warnings()

    def toml(self) -> str:
        """The text of the model file with the changes written into it."""
        return self._case.written()

    def check(self) -> Case:
        """Reads and checks the model; raises `InputError` with all its problems."""
        self._case.check()
        return self

    # Variants

    def set(self, changes: Mapping[str, Value] | None = None, /, **parameters: Value) -> Case:
        """The same with other values of keys of the model file. Keywords are parameters of the file.

        >>> import jointplay as jp
        >>> case = jp.example("slider-crank").set({"joints.pin.restitution": 0.7, "run.until": "50 ms"})
        >>> case.until
        0.05
        """
        keys: dict[str, Value] = dict(changes or {})
        keys.update({f"parameters.{name}": value for name, value in parameters.items()})
        return Case(self._case.set(keys))

    def law(self, law: str) -> Case:
        """The same with this law in every clearance joint and contact, such as "hertz+flores"."""
        return Case(self._case.law(law))

    def case(self, name: str) -> Case:
        """The same with the changes of a case of the file, `[cases.NAME]`."""
        return Case(self._case.case(name))

    def ideal(self) -> Case:
        """The same with every clearance joint ideal."""
        return Case(self._case.ideal())

    def start_from(self, state: State) -> Case:
        """The same, starting from the state of a run, with the memory of its contacts.

        >>> import jointplay as jp
        >>> case = jp.example("slider-crank").set({"run.until": 0.05})
        >>> first = case.run()
        >>> later = case.start_from(first.state()).set({"run.until": 0.06}).run()
        >>> bool(later.t[0] == first.t[-1])
        True
        """
        return Case(self._case.starting_from(json.dumps(state)))

    # Runs

    def run(
        self,
        *,
        until: Value | None = None,
        rtol: float | None = None,
        channels: str | Sequence[str] | None = None,
        progress: bool | None = None,
    ) -> Run:
        """Runs the case.

        Ctrl-C raises `KeyboardInterrupt`, whose `partial` is the run as far as it came, or None while the model is read. A run that cannot
        go on raises `RunError` with the same attribute.

        Any channel can be asked of the run; those that are named here, or by the model, are kept in memory and in result folders.

        Parameters
        ----------
        until : the end, such as 0.6 or "0.6 s"
        rtol : relative tolerance
        channels : the channels to keep
        progress : whether to show a bar; by default for runs of more than two seconds in a terminal or notebook with tqdm
        """
        from ._progress import bar
        from ._result import Run

        keys: dict[str, Value] = {}
        if until is not None:
            keys["run.until"] = until
        if rtol is not None:
            keys["run.rtol"] = rtol
        if channels is not None:
            keys["output.channels"] = [channels] if isinstance(channels, str) else list(channels)
        with interruptible():
            case = self.set(keys) if keys else self
            with bar(progress, "s") as shown:
                made, raised = case._case.run(shown)
            run = Run._of(made)
            if raised is not None:
                raised.partial = run
                raise raised
        why = made.failure()
        if why is not None:
            failure = RunError(f"the run {why}")
            failure.partial = run
            raise failure
        return run

    # Python

    def __repr__(self) -> str:
        changes = " ".join(self.changes)
        try:
            name = repr(self.name)
        except InputError as wrong:
            count = len(wrong.problems)
            name = f"with {count} problem{'s' if count > 1 else ''}"
        return f"Case({name}{', ' + changes if changes else ''})"

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Case):
            return self is other
        try:
            return self.digest == other.digest
        except InputError:  # a case with problems has no runs that could be the same
            return False

    def __hash__(self) -> int:
        return hash(self.digest)

    def __copy__(self) -> Case:
        return self

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Case:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return loads, (self.toml(), self._case.tables(), self.name)

    def _repr_svg_(self) -> str | None:
        # A case with problems has no drawing; its text says how many there are, and running it says which.
        try:
            return self._case.svg()
        except (InputError, RunError):
            return None

    def drawing(self) -> str:
        """The assembled mechanism as SVG; notebooks show it by themselves."""
        return self._case.svg()


def load(path: str | os.PathLike[str]) -> Case:
    """A model file, a folder with a `model.toml`, or a result folder, whose model is run again as it was.

    >>> import jointplay as jp
    >>> jp.load("models/four-bar/model.toml").name  # doctest: +SKIP
    'four-bar'
    """
    return Case(_jointplay.Case.open(os.fspath(path)))


def loads(text: str, tables: Mapping[str, str] | None = None, name: str | None = None) -> Case:
    """The text of a model file, with the texts of the tables that it refers to.

    >>> import jointplay as jp
    >>> ball = jp.loads('''
    ... format = 1
    ... [world]
    ... gravity = [0, "-9.81 m/s^2"]
    ... [bodies.ball]
    ... mass = "1 kg"
    ... [run]
    ... until = "1 s"
    ... ''')
    >>> round(float(ball.run()["ball.y"][-1]), 6)
    -4.905
    """
    return Case(_jointplay.Case.of_text(text, dict(tables or {}), name))


def example(name: str) -> Case:
    """A shipped mechanism; `examples` lists their names.

    >>> import jointplay as jp
    >>> jp.example("slider-crank").joints["pin"]
    'clearance'
    """
    return loads(_jointplay.examples(name), name=name)


def examples() -> list[str]:
    """The names of the shipped mechanisms.

    >>> import jointplay as jp
    >>> "scotch-yoke" in jp.examples()
    True
    """
    return _jointplay.examples()
