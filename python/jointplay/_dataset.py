"""Studies as datasets of xarray."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from ._errors import needing

if TYPE_CHECKING:
    import xarray

    from ._studies import Study


def dataset(study: Study) -> xarray.Dataset:
    """The dataset of a study."""
    with needing("xarray", "all"):
        import xarray  # noqa: F401
    if study.findings["kind"] == "bifurcation":
        return _section(study)
    table = study._outcome.table("table")
    if table is None or not table:
        raise ValueError("the study has no runs")
    columns = {name: np.asarray(cells) for name, cells in table}
    keys = [key for key in study.findings["keys"] if key in columns]
    return _grid(study, columns, keys) or _list(study, columns, keys)


def _measured(study: Study, columns: dict[str, Any]) -> list[str]:
    return [name for name in study.findings["measured"] if name in columns]


def _units(study: Study, name: str) -> dict[str, str]:
    return {"units": study.units.get(name, "-")}


def _grid(study: Study, columns: dict[str, Any], keys: list[str]) -> xarray.Dataset | None:
    """A dimension for each key, if every combination of their values was run once."""
    import xarray

    axes = {key: list(dict.fromkeys(columns[key].tolist())) for key in keys}
    shape = tuple(len(values) for values in axes.values())
    rows = len(next(iter(columns.values())))
    if not keys or math.prod(shape) != rows:
        return None
    at = np.ravel_multi_index([_places(columns[key], values) for key, values in axes.items()], shape)
    if np.unique(at).size != rows:
        return None
    order = np.argsort(at)
    data = {m: (keys, columns[m][order].reshape(shape), _units(study, m)) for m in _measured(study, columns)}
    coords = {key: (key, values, _units(study, key)) for key, values in axes.items()}
    return xarray.Dataset(data, coords=coords)


def _list(study: Study, columns: dict[str, Any], keys: list[str]) -> xarray.Dataset:
    """One run after the other."""
    import xarray

    data = {m: ("run", columns[m], _units(study, m)) for m in _measured(study, columns)}
    coords = {key: ("run", columns[key], _units(study, key)) for key in keys}
    return xarray.Dataset(data, coords={"run": np.arange(len(next(iter(columns.values())))), **coords})


def _section(study: Study) -> xarray.Dataset:
    """The section of a bifurcation diagram: NaN where a value has fewer points than another."""
    import xarray

    section, table = (dict(study._outcome.table(name) or []) for name in ("section", "table"))
    if not table:
        raise ValueError("the diagram has no values yet")
    columns, verdicts = ({name: np.asarray(cells) for name, cells in frame.items()} for frame in (section, table))
    key = study.findings["keys"][0]
    dimensions = ["parameter", "direction"]
    axes = [list(dict.fromkeys(verdicts[name].tolist())) for name in dimensions]
    shape = [len(values) for values in axes]
    where = tuple(_places(verdicts[name], values) for name, values in zip(dimensions, axes, strict=True))
    data: dict[str, Any] = {}
    for name in ("class", "period", "lyapunov", "lyapunov_low", "lyapunov_high", "zero_one"):
        blank = np.full(shape, "", dtype=object) if verdicts[name].dtype.kind in "OU" else np.full(shape, np.nan)
        blank[where] = verdicts[name]
        data[name] = (dimensions, blank)
    number = columns["index"].astype(int)
    most = int(number.max(initial=-1)) + 1
    where = (*(_places(columns[name], values) for name, values in zip(dimensions, axes, strict=True)), number)
    for name in _measured(study, columns):
        points = np.full([*shape, most], np.nan)
        points[where] = columns[name]
        data[name] = ([*dimensions, "index"], points, _units(study, name))
    coords = {"parameter": ("parameter", axes[0], {"key": key, **_units(study, key)}), "direction": axes[1], "index": np.arange(most)}
    return xarray.Dataset(data, coords=coords)


def _places(column: Any, values: list[Any]) -> Any:
    """Which of these values each cell is."""
    places = {value: i for i, value in enumerate(values)}
    return np.array([places[value] for value in column.tolist()], dtype=int)
