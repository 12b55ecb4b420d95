"""Studies: many runs of a case, and their findings."""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
import warnings
import weakref
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from . import _jointplay, _toml
from ._case import Case, loads
from ._errors import StoreError, interruptible, needing
from ._notebook import HEIGHT, Inline
from ._numbers import floats
from ._own import Function, Metrics, Own, name, split
from ._quantity import is_quantity, plain
from ._quantity import text as quantity
from ._result import Table, _frame

if TYPE_CHECKING:
    import xarray
    from distributed import Client
    from matplotlib.axes import Axes
    from typing_extensions import Unpack

    from ._keys import BifurcationKeys, IdentifyKeys, OptimiseKeys, SensitivityKeys, StudyKeys, SweepKeys, ToleranceKeys


Vary = Mapping[str, Any]
"""What is varied: keys of the model, each with a range such as "100rpm:600rpm:51", a list, or a distribution such as "normal(1, 0.1)"."""


T = TypeVar("T")

TABLES = ("table", "section", "spectra", "points", "fit")


class _KeptOutcome:
    """The result of a study from another process, and its page if it was made there."""

    def __init__(self, findings: str, tables: dict[str, Any], page: str | None) -> None:
        self._findings, self._tables, self._page = findings, tables, page

    def findings(self) -> str:
        return self._findings

    def table(self, name: str) -> list[tuple[str, Any]] | None:
        columns: list[tuple[str, Any]] | None = self._tables[name]
        return columns

    def write_page(self) -> str:
        if self._page is None:
            raise StoreError("the page of this study was not written where it was made: look at `page` before it is sent elsewhere")
        folder = tempfile.mkdtemp(prefix="jointplay-")
        weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        path = os.path.join(folder, "study.html")
        Path(path).write_text(self._page, encoding="utf-8")
        return path


class Study:
    """The result of a study.

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank").set({"run.until": 0.02})
    >>> study = jp.sweep(case, {"drivers.motor.speed": "100rpm:300rpm:3"}, metrics=["pin.peak_force"])
    >>> [round(float(x), 2) for x in study.table["drivers.motor.speed"]]
    [10.47, 20.94, 31.42]
    """

    def __init__(self, outcome: _jointplay.StudyResult | _KeptOutcome, folder: Path, made: _jointplay.Study | None = None) -> None:
        self._outcome = outcome
        self.folder = folder
        self._made = made

    def __reduce__(self) -> tuple[Any, ...]:
        tables = {name: self._outcome.table(name) for name in TABLES}
        page = self.folder / "study.html"
        text = page.read_text(encoding="utf-8") if page.exists() else None
        return Study, (_KeptOutcome(self._outcome.findings(), tables, text), self.folder)

    def __copy__(self) -> Study:
        return self

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Study:
        return self

    @cached_property
    def findings(self) -> dict[str, Any]:
        """The findings, as the command prints them with `--json`."""
        found: dict[str, Any] = json.loads(self._outcome.findings())
        return found

    @property
    def units(self) -> dict[str, str]:
        """The SI units of keys and metrics, as far as they are known."""
        units: dict[str, str] = self.findings.get("units", {})
        return units

    def _table(self, name: str) -> Any:
        columns = self._outcome.table(name)
        if columns is None:
            return None
        named = {n: np.array(c, dtype=object) if isinstance(c, list) else c for n, c in columns}
        return _frame(Table(named, self.units))

    @cached_property
    def table(self) -> Any:
        """One row for each run, or for each value of a bifurcation diagram: a data frame where pandas is installed, else a `Table`."""
        return self._table("table")

    @cached_property
    def section(self) -> Any:
        """The section of a bifurcation diagram."""
        return self._table("section")

    @cached_property
    def spectra(self) -> Any:
        """The spectra of a bifurcation diagram."""
        return self._table("spectra")

    @cached_property
    def points(self) -> Any:
        """The points of a sweep with repeats: means with their scatter."""
        return self._table("points")

    @cached_property
    def fit(self) -> Any:
        """Measured data and model side by side, of an identification."""
        return self._table("fit")

    def to_xarray(self) -> xarray.Dataset:
        """The study as a dataset of xarray: a sweep over a grid with a dimension for each key, other studies with the dimension `run`, and
        the section of a bifurcation diagram with the dimensions `parameter`, `direction` and `index`, the number of the point there.

        >>> import jointplay as jp
        >>> case = jp.example("slider-crank").set({"run.until": 0.01})
        >>> study = jp.sweep(case, {"joints.pin.restitution": [0.4, 0.6], "joints.pin.clearance": "0.1mm:0.3mm:3"}, ["pin.impacts"])
        >>> study.to_xarray()["pin.impacts"].shape
        (2, 3)
        """
        from ._dataset import dataset

        return dataset(self)

    def case(self, row: int) -> Case:
        """The case of a row of `table`, counted from 0, as it was run.

        >>> import jointplay as jp
        >>> case = jp.example("slider-crank").set({"run.until": 0.01})
        >>> study = jp.sweep(case, {"joints.pin.restitution": [0.4, 0.6]}, ["pin.peak_force"])
        >>> bool(study.case(1).run().summary["contacts"]["pin"]["peak_force"] == study.table["pin.peak_force"][1])
        True
        """
        number = index(row)
        if number < 0:
            raise IndexError(f"rows are counted from 0: there is no row {number}")
        with interruptible():
            made = self._made or _jointplay.Study.open(os.fspath(self.folder))
            text, tables = made.case_of_row(os.fspath(self.folder), number + 1)
        return loads(text, tables)

    @cached_property
    def page(self) -> Path:
        """The page of the study, written into its folder with the figures."""
        return Path(self._outcome.write_page())

    def __repr__(self) -> str:
        found = self.findings
        return f"Study({found['kind']}, {found['runs']} of {found['points']} runs, {found['failed']} without a result)"

    def plot(self, *names: str) -> list[Axes]:
        """The diagram of the study, with matplotlib; of these metrics or channels only, if any are named."""
        from ._studyplots import plot

        return plot(self, names)

    def show(self, *, engine: bool = True, height: int = HEIGHT) -> Inline:
        """The interactive page inside a notebook. Without the engine it is 2 MB smaller, but a click on a point does not run it."""
        page = self.page.read_text(encoding="utf-8")
        return Inline(page if engine else _jointplay.without_engine(page), height, repr(self))

    def _repr_html_(self) -> str:
        from ._notebook import diagram

        return diagram(self)


def study(
    kind: str,
    case: Case,
    vary: Vary,
    *,
    metrics: Metrics = (),
    **keys: Unpack[StudyKeys],
) -> Study:
    """A study of any kind; the other keywords are the keys of a study file.

    Without `out` the folder is temporary and goes with the result. With it the study goes on where it was interrupted, and keeps
    what is still valid when it is changed. Ctrl-C raises `KeyboardInterrupt`, whose `partial` is the study as far as it came, or None
    before its first run.

    With `part=(3, 16)` only the third of sixteen parts is run, for as many machines; `jointplay.merge` brings them together.

    Runs are made by `jobs` threads, one for each core with 0, or by the workers of a cluster with `client=dask.distributed.Client(...)`:
    the same bits, in the same folder; see docs/clusters.md.

    Metrics are names and formulas of the model, and functions of a run; a mapping gives functions other names:

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank").set({"run.until": 0.02})
    >>> found = jp.sweep(case, {"joints.pin.restitution": [0.4, 0.6]}, {"top": lambda run: run["pin.force"].max()})
    >>> bool((found.table["top"] > 0).all())
    True

    What was measured by a function is run again when its code, its defaults or the values that it has taken from around it change. What
    it calls is not looked at.
    """
    names, own = split(metrics)
    return _asked(kind, case, vary, {"metrics": names or None, **keys}, own)


def open_study(
    path: str | os.PathLike[str],
    *,
    metrics: Metrics = (),
    out: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    client: Client | None = None,
    progress: bool | None = None,
    part: tuple[int, int] | None = None,
) -> Study:
    """Runs a study file, or resumes the study of a folder; see `study` for the keywords. `metrics` are the functions of a run that
    the study names: those with which it was made.

    >>> import jointplay as jp
    >>> import tempfile
    >>> case = jp.example("slider-crank").set({"run.until": 0.01})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = jp.sweep(case, {"joints.pin.restitution": [0.4, 0.6]}, ["pin.impacts"], out=folder)
    ...     again = jp.open_study(folder)
    >>> list(again.table["pin.impacts"]) == list(made.table["pin.impacts"])
    True
    """
    _, own = split(metrics)
    if out is None and Path(path).is_dir():
        out = path
    with interruptible():
        made = _jointplay.Study.open(os.fspath(path), own.parts if own is not None else None)
        return _perform(made, out, jobs, progress, client, own, part)


def merge(folders: Iterable[str | os.PathLike[str]], out: str | os.PathLike[str]) -> Study:
    """Brings the parts of a study together in one folder, which is then that of the whole study.

    Nothing is run: points that are in no part stay open, and `open_study(out)` runs them. Files that are damaged are told by a warning.

    >>> import jointplay as jp
    >>> import tempfile
    >>> case = jp.example("slider-crank").set({"run.until": 0.01})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for i in (1, 2):
    ...         part = jp.sweep(case, {"joints.pin.restitution": "0.3:0.9:5"}, ["pin.impacts"], out=f"{folder}/{i}", part=(i, 2))
    ...     whole = jp.merge([f"{folder}/1", f"{folder}/2"], f"{folder}/whole")
    >>> len(whole.table["pin.impacts"])
    5
    """
    folder = os.fspath(out)
    with interruptible():
        made, damaged = _jointplay.Study.merge([os.fspath(part) for part in _listed("folders", folders)], folder)
        for damage in damaged:
            warnings.warn(damage, stacklevel=2)
        outcome, raised = made.gathered(folder)
        return _done(outcome, raised, Path(folder), made)


def _listed(argument: str, values: Iterable[T]) -> list[T]:
    """A list of texts. One text is not the list of its letters."""
    if isinstance(values, str):
        raise TypeError(f"{argument} is a list, such as [{values!r}]")
    return list(values)


def _of(case: Case) -> _jointplay.Case:
    if not isinstance(case, Case):
        raise TypeError(f"a study is made of a case, such as jp.load(...), not of {type(case).__name__}")
    return case._case


def _text(kind: str, vary: Vary, keys: Mapping[str, Any]) -> str:
    if not isinstance(vary, Mapping) or not all(isinstance(key, str) for key in vary):
        raise TypeError(
            f"vary names keys of the model with their values, such as {{'joints.pin.clearance': '0.1mm:0.5mm:9'}}, not {vary!r:.100}"
        )
    lines = ["format = 1", f"kind = {_toml.write(kind)}", 'model = "model.toml"']
    lines += [f"{_toml.key(key)} = {_toml.write(value)}" for key, value in keys.items() if value is not None]
    for key, values in vary.items():
        lines += ["", "[[vary]]", f"key = {_toml.write(key)}", f"values = {_toml.write(_values(values))}"]
    return "\n".join(lines) + "\n"


def _values(values: Any) -> str:
    if isinstance(values, str):
        return values
    if isinstance(values, tuple) and len(values) == 2:
        return ":".join(_plain(end) for end in values)
    if (isinstance(values, (Sequence, np.ndarray)) and not isinstance(values, (bytes, bytearray))) or hasattr(values, "to_list"):
        return ",".join(_alone(value) for value in values)
    raise TypeError(f"values are a text such as '100rpm:600rpm:51', a pair (low, high) or a list, not {type(values).__name__}")


def _alone(value: Any) -> str:
    """One value of a list, which is not two because of a comma."""
    text = _plain(value)
    if isinstance(value, str) and "," in text:
        depth = 0
        for letter in text:
            depth += (letter in "([{") - (letter in ")]}")
            if letter == "," and depth <= 0:
                raise ValueError(f"the value {value!r} has a comma: give two values, or one without it")
    return text


def _plain(value: Any) -> str:
    if is_quantity(value):
        return quantity(value)
    return value if isinstance(value, str) else _toml.write(value)


def _perform(
    made: _jointplay.Study,
    out: str | os.PathLike[str] | None,
    jobs: int,
    progress: bool | None,
    client: Client | None,
    own: Own | None,
    part: tuple[int, int] | None,
) -> Study:
    from ._progress import bar

    if jobs < 0:
        raise ValueError("jobs is a number of threads, or 0 for one on each core")
    crew = None
    if client is not None:
        with needing("distributed", "dask"):
            from ._dask import Crew

        crew = Crew(client, made, own)
    temporary = out is None
    folder = Path(tempfile.mkdtemp(prefix="jointplay-")) if out is None else Path(out)
    try:
        with bar(progress, "runs") as shown:
            outcome, raised = made.run(os.fspath(folder), jobs, _part(part), shown, crew)
    except BaseException:
        if temporary:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    return _done(outcome, raised, folder, made, temporary=temporary)


def _done(outcome: _jointplay.StudyResult, raised: Any, folder: Path, made: _jointplay.Study, *, temporary: bool = False) -> Study:
    done = Study(outcome, folder, made)
    if temporary:
        weakref.finalize(done, shutil.rmtree, folder, ignore_errors=True)
    if raised is not None:
        raised.partial = done
        raise raised
    return done


def _part(part: Any) -> tuple[int, int] | None:
    if part is None:
        return None
    if not isinstance(part, tuple) or len(part) != 2:
        raise TypeError(f"part is a number and how many there are, such as (3, 16), not {part!r:.100}")
    number, of = index(part[0]), index(part[1])
    if not 1 <= number <= of:
        raise ValueError(f"part is a number from 1 and how many there are, such as (3, 16), not {part!r:.100}")
    return number, of


def sweep(case: Case, vary: Vary, metrics: Metrics = (), **keys: Unpack[SweepKeys]) -> Study:
    """Runs a case for many values of its keys; see `study` for the other keywords, and docs/studies.md.

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank").set({"run.until": 0.02})
    >>> found = jp.sweep(case, {"joints.pin.clearance": ["0.1 mm", "0.2 mm"], "joints.pin.restitution": "0.3:0.9:3"}, ["pin.impacts"])
    >>> len(found.table["pin.impacts"])
    6
    """
    return study("sweep", case, vary, metrics=metrics, **keys)


def tolerance(case: Case, vary: Vary, metrics: Metrics = (), limits: Sequence[str] = (), **keys: Unpack[ToleranceKeys]) -> Study:
    """How much metrics vary when dimensions and other inputs have tolerances: distributions, ISO 286 fits, limits; see `study` for the
    other keywords, and docs/studies.md.

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank").set({"run.until": 0.01})
    >>> limits = ["pin.peak_force < 5 kN"]
    >>> found = jp.tolerance(case, {"joints.pin.fit": "20 H7/f7"}, ["pin.peak_force"], limits, samples=4)
    >>> found.findings["limits"][0]["probability"]
    0.0
    """
    return study("tolerance", case, vary, metrics=metrics, limits=_listed("limits", limits), **keys)


def sensitivity(case: Case, vary: Vary, metrics: Metrics = (), **keys: Unpack[SensitivityKeys]) -> Study:
    """Which inputs influence metrics most: Sobol' indices, Morris screening, tornado; see `study` for the other keywords, and
    docs/studies.md.

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank").set({"run.until": 0.01})
    >>> vary = {"joints.pin.restitution": (0.3, 0.9), "joints.pin.clearance": ("0.1 mm", "0.4 mm")}
    >>> found = jp.sensitivity(case, vary, ["pin.peak_force"], samples=4)
    >>> sorted(found.findings["indices"]["pin.peak_force"])
    ['joints.pin.clearance', 'joints.pin.restitution']
    """
    return study("sensitivity", case, vary, metrics=metrics, **keys)


def bifurcation(case: Case, vary: Vary, observe: Sequence[str], period: str, **keys: Unpack[BifurcationKeys]) -> Study:
    """The steady motions of a driven machine over a key: sections, periods, Lyapunov exponents; see `study` for the other keywords, and
    docs/studies.md.

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank")
    >>> speeds = {"drivers.motor.speed": "1500rpm:2000rpm:2"}
    >>> found = jp.bifurcation(case, speeds, ["pin.ex"], "motor", transient=1, periods=4)
    >>> len(found.section["pin.ex"])
    8
    """
    return study("bifurcation", case, vary, observe=_listed("observe", observe), period=period, **keys)


def optimise(
    case: Case,
    vary: Vary,
    *,
    minimise: str | Function | None = None,
    maximise: str | Function | None = None,
    limits: Sequence[str] = (),
    **keys: Unpack[OptimiseKeys],
) -> Study:
    """The best values of keys, between bounds, for a metric or a function of a run; see `study` for the other keywords, and
    docs/measurements.md.

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank").set({"run.until": 0.01})
    >>> def peak(run):
    ...     return run["pin.force"].max()
    >>> found = jp.optimise(case, {"joints.pin.restitution": (0.3, 0.9)}, minimise=peak, budget=20)
    >>> 0.3 <= found.findings["best"]["joints.pin.restitution"] <= 0.9
    True
    """
    if (minimise is None) == (maximise is None):
        raise TypeError("give either minimise or maximise")
    aims = {"minimise": minimise, "maximise": maximise}
    functions = [aim for aim in aims.values() if callable(aim)]
    named = {key: name(aim) for key, aim in aims.items() if aim is not None}
    own = Own({name(function): function for function in functions}) if functions else None
    return _asked("optimise", case, vary, {**named, "limits": _listed("limits", limits) or None, **keys}, own)


def identify(
    case: Case,
    vary: Vary,
    data: str | os.PathLike[str] | Mapping[str, Any],
    map: Mapping[str, str] | Sequence[str],
    *,
    laws: Sequence[str] = (),
    **keys: Unpack[IdentifyKeys],
) -> Study:
    """Which values of keys, between bounds, and which law explain measured data; see `study` for the other keywords, and
    docs/measurements.md.

    Parameters
    ----------
    data : a file, or columns by name, such as a data frame; names may carry units, such as "t [s]"
    map : which column measures which channel: {"force": "pin.force"}
    laws : laws that are ranked by how well they explain the data

    >>> import jointplay as jp
    >>> import numpy as np
    >>> case = jp.example("two-spheres")
    >>> pulse = case.set({"contacts.pin.restitution": 0.8}).run()
    >>> times = np.unique(pulse.t)
    >>> data = {"t [s]": times, "force [N]": np.interp(times, pulse.t, pulse["pin.force"])}
    >>> found = jp.identify(case, {"contacts.pin.restitution": (0.5, 0.9)}, data, {"force": "pin.force"}, budget=100)
    >>> round(found.findings["parameters"]["contacts.pin.restitution"]["value"], 3)
    0.8
    """
    pairs = [f"{column}={channel}" for column, channel in map.items()] if isinstance(map, Mapping) else _listed("map", map)
    asked = {"map": pairs, "laws": _listed("laws", laws) or None, **keys}
    if isinstance(data, (str, os.PathLike)):
        return _asked("identify", case, vary, {**asked, "data": os.path.abspath(data)}, None)
    with tempfile.TemporaryDirectory(prefix="jointplay-") as folder:
        path = os.path.join(folder, "data.csv")
        _write(data, path)
        return _asked("identify", case, vary, {**asked, "data": path}, None)


def _asked(kind: str, case: Case, vary: Vary, keys: Mapping[str, Any], own: Own | None) -> Study:
    keys = dict(keys)
    out, jobs, client, progress, part = (
        keys.pop(key, usual) for key, usual in (("out", None), ("jobs", 0), ("client", None), ("progress", None), ("part", None))
    )
    text = _text(kind, vary, keys)
    with interruptible():
        made = _jointplay.Study(text, _of(case), own.parts if own is not None else None)
        return _perform(made, out, jobs, progress, client, own, part)


def _write(data: Any, path: str) -> None:
    """Columns as a table of comma-separated values; what is no number is left empty."""
    if not hasattr(data, "__getitem__") or not (isinstance(data, Mapping) or hasattr(data, "columns")):
        raise TypeError(f"data are a file, or columns by name such as a data frame, not {type(data).__name__}")
    columns: dict[str, list[float]] = {}
    for key in data.columns if hasattr(data, "columns") else data:
        header, values = str(key), data[key]
        if any(letter in header for letter in ',;\t\r\n"'):
            raise ValueError(f"the name of the column {header!r} must not have commas, semicolons, tabs, quotes or line breaks")
        if is_quantity(values):
            values, unit = plain(values)
            header += f" [{unit}]"
        cells = floats(values, f"the column {header!r}")
        if cells.ndim != 1:
            raise ValueError(f"the column {header!r} must be a list of numbers, not an array of shape {cells.shape}")
        columns[header] = cells.tolist()
    lengths = {header: len(cells) for header, cells in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"columns must be equally long: {', '.join(f'{header!r} has {count}' for header, count in lengths.items())}")
    with open(path, "w", encoding="utf-8", newline="\n") as file:
        file.write(",".join(columns) + "\n")
        for row in zip(*columns.values(), strict=True):
            file.write(",".join(repr(cell) if math.isfinite(cell) else "" for cell in row) + "\n")
