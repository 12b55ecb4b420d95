"""Studies: many runs of a case, and their findings."""

from __future__ import annotations

import json
import math
import os
import shutil
import tempfile
import weakref
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _jointplay, _toml
from ._case import Case
from ._errors import StoreError
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


Vary = Mapping[str, Any]
"""What is varied: keys of the model, each with a range such as "100rpm:600rpm:51", a list, or a distribution such as "normal(1, 0.1)"."""


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

    def __init__(self, outcome: _jointplay.StudyResult | _KeptOutcome, folder: Path) -> None:
        self._outcome = outcome
        self.folder = folder

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
        """A sweep over a grid as a dataset of xarray, with a dimension for each key."""
        import xarray

        keys, metrics = self.findings["keys"], self.findings["measured"]
        columns = dict(self._outcome.table("table") or [])
        axes = {key: list(dict.fromkeys(np.asarray(columns[key]).tolist())) for key in keys}
        shape = tuple(len(values) for values in axes.values())
        if int(np.prod(shape)) != len(columns[metrics[0]]):
            raise ValueError("only a sweep over a grid, all of whose points were run, is a dataset with a dimension for each key")
        data = {m: (keys, np.asarray(columns[m]).reshape(shape), {"units": self.units.get(m, "-")}) for m in metrics}
        coords = {key: (key, values, {"units": self.units.get(key, "-")}) for key, values in axes.items()}
        return xarray.Dataset(data, coords=coords)

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
    out: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    client: Client | None = None,
    progress: bool | None = None,
    **keys: Any,
) -> Study:
    """A study of any kind; the other keywords are the keys of a study file.

    Without `out` the folder is temporary and goes with the result. With it the study goes on where it was interrupted, and keeps
    what is still valid when it is changed. Ctrl-C raises `KeyboardInterrupt`, whose `partial` is the study as far as it came.

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
    text = _text(kind, vary, {"metrics": names or None, **keys})
    made = _jointplay.Study(text, _of(case), own.parts if own is not None else None)
    return _perform(made, out, jobs, progress, client, own)


def open_study(
    path: str | os.PathLike[str],
    *,
    out: str | os.PathLike[str] | None = None,
    jobs: int = 0,
    client: Client | None = None,
    progress: bool | None = None,
) -> Study:
    """Runs a study file, or resumes the study of a folder."""
    made = _jointplay.Study.open(os.fspath(path))
    if out is None and Path(path).is_dir():
        out = path
    return _perform(made, out, jobs, progress, client, None)


def _listed(argument: str, values: Iterable[str]) -> list[str]:
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
) -> Study:
    from ._progress import bar

    if jobs < 0:
        raise ValueError("jobs is a number of threads, or 0 for one on each core")
    crew = None
    if client is not None:
        from ._dask import Crew

        crew = Crew(client, made, own)
    temporary = out is None
    folder = Path(tempfile.mkdtemp(prefix="jointplay-")) if out is None else Path(out)
    try:
        with bar(progress, "runs") as shown:
            outcome, raised = made.run(os.fspath(folder), jobs, None, shown, crew)
    except BaseException:
        if temporary:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    done = Study(outcome, folder)
    if temporary:
        weakref.finalize(done, shutil.rmtree, folder, ignore_errors=True)
    if raised is not None:
        raised.partial = done
        raise raised
    return done


def sweep(case: Case, vary: Vary, metrics: Metrics = (), **keys: Any) -> Study:
    """Runs a case for many values of its keys; see `study` for the other keywords, and docs/studies.md.

    >>> import jointplay as jp
    >>> case = jp.example("slider-crank").set({"run.until": 0.02})
    >>> found = jp.sweep(case, {"joints.pin.clearance": ["0.1 mm", "0.2 mm"], "joints.pin.restitution": "0.3:0.9:3"}, ["pin.impacts"])
    >>> len(found.table["pin.impacts"])
    6
    """
    return study("sweep", case, vary, metrics=metrics, **keys)


def tolerance(case: Case, vary: Vary, metrics: Metrics = (), limits: Sequence[str] = (), **keys: Any) -> Study:
    """How much metrics vary when dimensions and other inputs have tolerances: distributions, ISO 286 fits, limits."""
    return study("tolerance", case, vary, metrics=metrics, limits=_listed("limits", limits), **keys)


def sensitivity(case: Case, vary: Vary, metrics: Metrics = (), **keys: Any) -> Study:
    """Which inputs influence metrics most: Sobol' indices, Morris screening, tornado."""
    return study("sensitivity", case, vary, metrics=metrics, **keys)


def bifurcation(case: Case, vary: Vary, observe: Sequence[str], period: str, **keys: Any) -> Study:
    """The steady motions of a driven machine over a key: sections, periods, Lyapunov exponents."""
    return study("bifurcation", case, vary, observe=_listed("observe", observe), period=period, **keys)


def optimise(
    case: Case,
    vary: Vary,
    *,
    minimise: str | Function | None = None,
    maximise: str | Function | None = None,
    limits: Sequence[str] = (),
    **keys: Any,
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
    return _search("optimise", case, vary, {**named, "limits": _listed("limits", limits) or None, **keys}, own)


def identify(
    case: Case,
    vary: Vary,
    data: str | os.PathLike[str] | Mapping[str, Any],
    map: Mapping[str, str] | Sequence[str],
    *,
    laws: Sequence[str] = (),
    **keys: Any,
) -> Study:
    """Which values of keys, between bounds, and which law explain measured data; see `study` for the other keywords, and
    docs/measurements.md.

    Parameters
    ----------
    data : a file, or columns by name, such as a data frame; names may carry units, such as "t [s]"
    map : which column measures which channel: {"force": "pin.force"}
    laws : laws that are ranked by how well they explain the data
    """
    pairs = [f"{column}={channel}" for column, channel in map.items()] if isinstance(map, Mapping) else _listed("map", map)
    asked = {"map": pairs, "laws": _listed("laws", laws) or None, **keys}
    if isinstance(data, (str, os.PathLike)):
        return _search("identify", case, vary, {**asked, "data": os.path.abspath(data)}, None)
    with tempfile.TemporaryDirectory(prefix="jointplay-") as folder:
        path = os.path.join(folder, "data.csv")
        _write(data, path)
        return _search("identify", case, vary, {**asked, "data": path}, None)


def _search(kind: str, case: Case, vary: Vary, keys: Mapping[str, Any], own: Own | None) -> Study:
    keys = dict(keys)
    out, jobs, client, progress = (
        keys.pop(key, usual) for key, usual in (("out", None), ("jobs", 0), ("client", None), ("progress", None))
    )
    text = _text(kind, vary, keys)
    made = _jointplay.Study(text, _of(case), own.parts if own is not None else None)
    return _perform(made, out, jobs, progress, client, own)


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
