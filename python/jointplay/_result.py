"""Results: runs, as made or as read from their folders."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from . import _jointplay
from ._errors import needing
from ._notebook import HEIGHT, Inline

if TYPE_CHECKING:
    import pandas
    import polars
    import xarray
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes

    from ._case import Case

Array = NDArray[np.float64]

State = dict[str, Any]
"""Positions and velocities of the bodies, and the memory of the contacts: plain data."""


class _Source(Protocol):
    def t(self) -> Array: ...
    def kept(self) -> list[str]: ...
    def channel(self, name: str) -> Array: ...
    def units(self) -> list[tuple[str, str]]: ...
    def impacts(self) -> str: ...
    def modes(self) -> str: ...
    def summary(self) -> str: ...


class Table(Mapping[str, Any]):
    """A table of named columns: a mapping of names to arrays. `pandas.DataFrame(table)` makes a data frame of it."""

    def __init__(self, columns: Mapping[str, Any], units: Mapping[str, str] | None = None) -> None:
        self._columns = dict(columns)
        self.units: dict[str, str] = dict(units or {})

    @classmethod
    def _of_rows(cls, rows: list[dict[str, Any]], names: list[str]) -> Table:
        def column(name: str) -> Any:
            cells = [row.get(name) for row in rows]
            if any(isinstance(cell, str) for cell in cells):
                return np.array(cells, dtype=object)
            return np.array([np.nan if cell is None else cell for cell in cells], dtype=float)

        return cls({name: column(name) for name in names})

    def __getitem__(self, name: str) -> Any:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return next((len(column) for column in self._columns.values()), 0)

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas."""
        with needing("pandas", "pandas"):
            import pandas

        return pandas.DataFrame(self._columns)

    def __repr__(self) -> str:
        return f"Table({self.rows} rows: {', '.join(self._columns)})"

    def _repr_html_(self) -> str:
        try:
            return str(self.to_pandas().to_html(max_rows=60))
        except ImportError:
            return f"<pre>{self!r}</pre>"


IMPACTS = [
    "joint",
    "region",
    "start",
    "end",
    "impact_speed",
    "max_indentation",
    "max_force",
    "duration",
    "impulse",
    "restitution",
    "loss_normal",
    "loss_friction",
    "out_of_domain",
    "free_restitution",
]
MODES = ["joint", "start", "end", "mode"]


class Result:
    """The result of a run: channels, impacts, modes, metrics, warnings.

    >>> import jointplay as jp
    >>> run = jp.example("slider-crank").run(until=0.05)
    >>> run["pin.force"].shape == run.t.shape
    True
    >>> run.units["pin.force"]
    'N'
    >>> float(run.summary["contacts"]["pin"]["peak_force"]) > 100
    True
    """

    _source: _Source

    # Channels

    @property
    def t(self) -> Array:
        """The times of the kept instants (s). At an event there are two: before and after it."""
        return self._source.t()

    def __getitem__(self, name: str) -> Array:
        """The values of a channel at the times `t`."""
        return self._source.channel(name)

    def __contains__(self, name: object) -> bool:
        return name in self.units

    @property
    def channels(self) -> list[str]:
        """The channels that are kept in memory and in result folders."""
        return self._source.kept()

    @cached_property
    def units(self) -> dict[str, str]:
        """The unit of every channel."""
        return dict(self._source.units())

    # What happened

    @cached_property
    def impacts(self) -> Any:
        """The impact table, one row for each contact episode: a data frame where pandas is installed, else a `Table`."""
        return _frame(Table._of_rows(json.loads(self._source.impacts()), IMPACTS))

    @cached_property
    def modes(self) -> Any:
        """Free flight, impacts and continuous contact of each joint: a data frame where pandas is installed, else a `Table`."""
        return _frame(Table._of_rows(json.loads(self._source.modes()), MODES))

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The summary, as `jointplay run --json` prints it."""
        summary: dict[str, Any] = json.loads(self._source.summary())
        return summary

    @property
    def metrics(self) -> dict[str, float | None]:
        """The metrics of the model."""
        metrics: dict[str, float | None] = self.summary.get("metrics", {})
        return metrics

    @property
    def warnings(self) -> list[str]:
        """What to know before trusting the numbers."""
        warnings: list[str] = self.summary["warnings"]
        return warnings

    @property
    def energy(self) -> dict[str, float | None]:
        """The error of the energy balance, as a fraction of the energy in play and in joules."""
        names = ("energy_residual", "energy_residual_joule", "energy_books_joule", "energy_drift_joule", "energy_late_joule")
        return {name.removeprefix("energy_"): self.summary[name] for name in names}

    # Figures, with matplotlib

    def plot(self, *channels: str, window: tuple[float, float] | None = None, ax: Any = None, **line: Any) -> list[Axes]:
        """Channels over time, one below the other; those that are kept if none is named.

        `window` is from and to (s). `ax` are axes to draw on, one for each channel; other keywords are those of `Axes.plot`:

        >>> import jointplay as jp
        >>> case = jp.example("slider-crank").set({"run.until": 0.02})
        >>> panels = case.run().plot("pin.force", label="Lankarani and Nikravesh")
        >>> panels = case.law("hertz+flores").run().plot("pin.force", ax=panels, label="Flores")
        """
        from ._plots import plot

        return plot(self, channels or self.channels, window, ax, line)

    def orbit(self, joint: str, *, window: tuple[float, float] | None = None, ax: Axes | None = None) -> Axes:
        """The path of a journal in its clearance.

        >>> import jointplay as jp
        >>> ax = jp.example("slider-crank").run(until=0.02).orbit("pin", window=(0.01, 0.02))
        """
        from ._plots import orbit

        return orbit(self, joint, window, ax)

    def loop(self, joint: str, *, window: tuple[float, float] | None = None, ax: Axes | None = None) -> Axes:
        """Force over indentation of the contacts of a joint: the area of a loop is the energy lost.

        >>> import jointplay as jp
        >>> ax = jp.example("slider-crank").run(until=0.02).loop("pin")
        >>> ax.get_xlabel()
        'indentation δ (µm)'
        """
        from ._plots import loop

        return loop(self, joint, window, ax)

    def section(self, x: str, y: str, period: float | None = None, *, transient: int = 0, ax: Axes | None = None) -> Axes:
        """A Poincaré section: two channels once in each period (s), by default that of the driver with constant speed. The first
        `transient` periods are left out.

        >>> import jointplay as jp
        >>> case = jp.example("slider-crank").set({"drivers.motor.speed": "3000 rpm"})
        >>> ax = case.run(until=0.1).section("pin.ex", "pin.ey", transient=1)  # 5 revolutions
        >>> len(ax.lines[0].get_xdata())
        4
        """
        from ._plots import section

        return section(self, x, y, period, transient, ax)

    def animate(self, *joints: str, duration: float = 4.0, fps: int = 20, window: tuple[float, float] | None = None) -> FuncAnimation:
        """The mechanism in motion, with these clearances enlarged beside it (by default the first two). Notebooks show it as a GIF;
        `.save("motion.gif")` writes one, or `.mp4` where ffmpeg is installed. `duration` is that of the film (s).

        >>> import jointplay as jp
        >>> film = jp.example("slider-crank").run(until=0.02).animate("pin", duration=0.2, fps=10)
        """
        from ._animation import animate

        return animate(self, joints, duration, fps, window)

    # Other forms

    def _columns(self, channels: list[str] | None) -> dict[str, Array]:
        names = self.channels if channels is None else [channels] if isinstance(channels, str) else channels
        return {name: self[name] for name in names}

    def to_pandas(self, channels: list[str] | None = None) -> pandas.DataFrame:
        """The kept channels, or these, as a data frame of pandas with the time as its index.

        >>> import jointplay as jp
        >>> frame = jp.example("slider-crank").run(until=0.01).to_pandas(["pin.force", "slider.x"])
        >>> list(frame.columns), frame.attrs["units"]["slider.x"]
        (['pin.force', 'slider.x'], 'm')
        """
        with needing("pandas", "pandas"):
            import pandas

        frame = pandas.DataFrame(self._columns(channels), index=pandas.Index(self.t, name="t"))
        frame.attrs["units"] = {name: self.units[name] for name in frame.columns}
        return frame

    def to_polars(self, channels: list[str] | None = None) -> polars.DataFrame:
        """The kept channels, or these, as a data frame of polars with a column `t`.

        >>> import jointplay as jp
        >>> jp.example("slider-crank").run(until=0.01).to_polars(["pin.force"]).columns
        ['t', 'pin.force']
        """
        with needing("polars", "all"):
            import polars

        return polars.DataFrame({"t": self.t, **self._columns(channels)})

    def to_xarray(self, channels: list[str] | None = None) -> xarray.Dataset:
        """The kept channels, or these, as a dataset of xarray with their units.

        >>> import jointplay as jp
        >>> jp.example("slider-crank").run(until=0.01).to_xarray(["pin.force"])["pin.force"].attrs["units"]
        'N'
        """
        with needing("xarray", "all"):
            import xarray

        columns = self._columns(channels)
        data = {name: ("t", values, {"units": self.units[name]}) for name, values in columns.items()}
        return xarray.Dataset(data, coords={"t": ("t", self.t, {"units": "s"})})

    def to_csv(self, path: str | os.PathLike[str], channels: list[str] | None = None) -> None:
        """Writes the kept channels, or these, as CSV; headers such as `pin.force [N]` have the units.

        >>> import jointplay as jp
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     jp.example("slider-crank").run(until=0.01).to_csv(f"{folder}/run.csv", ["pin.force"])
        ...     print(open(f"{folder}/run.csv").readline().strip())
        time [s],pin.force [N]
        """
        columns = {"time [s]": self.t, **{f"{n} [{self.units[n]}]": v for n, v in self._columns(channels).items()}}
        with open(os.fspath(path), "w", encoding="utf-8", newline="\n") as file:
            file.write(",".join(columns) + "\n")
            for row in zip(*(values.tolist() for values in columns.values()), strict=True):
                file.write(",".join(map(repr, row)) + "\n")

    def to_parquet(self, path: str | os.PathLike[str], channels: list[str] | None = None) -> None:
        """Writes the kept channels, or these, as a Parquet file; names of columns such as `pin.force [N]` have the units.

        >>> import jointplay as jp
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     jp.example("slider-crank").run(until=0.01).to_parquet(f"{folder}/run.parquet")
        """
        columns = [(name, self.units[name], values) for name, values in self._columns(channels).items()]
        Path(path).write_bytes(_jointplay.parquet(self.t, columns))

    def to_mat(self, path: str | os.PathLike[str], channels: list[str] | None = None) -> None:
        """Writes a file that MATLAB loads: `t`, a struct of channels with `_` for `.`, their units, and the impact table. Needs SciPy.

        >>> import jointplay as jp
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     jp.example("slider-crank").run(until=0.01).to_mat(f"{folder}/run.mat", ["pin.force"])
        """
        with needing("scipy", "all"):
            from scipy.io import savemat

        def plain(name: str) -> str:
            return name.replace(".", "_").replace("-", "_").replace(" ", "_")

        columns = self._columns(channels)
        impacts = Table._of_rows(json.loads(self._source.impacts()), IMPACTS)
        savemat(
            os.fspath(path),
            {
                "t": self.t,
                "channels": {plain(name): values for name, values in columns.items()},
                "units": {plain(name): self.units[name] for name in columns},
                "impacts": dict(impacts),
            },
            long_field_names=True,
            oned_as="column",
        )


class Run(Result):
    """A case that was run."""

    def __init__(self, source: _jointplay.Run) -> None:
        self._source = source

    @classmethod
    def _of(cls, source: _jointplay.Run) -> Run:
        return cls(source)

    @property
    def _run(self) -> _jointplay.Run:
        source = self._source
        assert isinstance(source, _jointplay.Run)
        return source

    @cached_property
    def case(self) -> Case:
        """The case."""
        from ._case import Case

        return Case(self._run.case())

    @property
    def digest(self) -> str:
        """The identity of the run."""
        return self.case.digest

    def state(self, t: float | None = None) -> State:
        """The state at a time (s), or at the end, from which another case can `start_from`. A time between the kept ones is reached by
        running the case again.

        >>> import jointplay as jp
        >>> run = jp.example("slider-crank").run(until=0.01)
        >>> run.state(0.005)["t"], bool(run.state()["t"] == run.t[-1])
        (0.005, True)
        """
        state: State = json.loads(self._run.state(t))
        return state

    def page(self, *, engine: bool = True) -> str:
        """The interactive page as one HTML file that needs no network. Without the engine it is 2 MB smaller, but cannot run the model
        with other values."""
        page = self._run.page()
        return page if engine else _jointplay.without_engine(page)

    def show(self, *, engine: bool = True, height: int = HEIGHT) -> Inline:
        """The interactive page inside a notebook, see `page`. A run at the end of a cell shows it by itself."""
        return Inline(self.page(engine=engine), height, repr(self))

    def save(self, folder: str | os.PathLike[str], *, replace: bool = False, page: bool = True) -> Path:
        """Writes a result folder as `jointplay run` does. The result of another model is replaced only with `replace`.

        After Ctrl-C the folder may still be written, completely or not at all.

        >>> import jointplay as jp
        >>> import tempfile
        >>> run = jp.example("slider-crank").run(until=0.01)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     again = jp.open(run.save(f"{folder}/result", page=False))
        >>> bool((again["pin.force"] == run["pin.force"]).all())
        True
        """
        self._run.save(os.fspath(folder), replace, page)
        return Path(folder)

    def __reduce__(self) -> tuple[Any, ...]:
        case = self.case
        data = {
            "t": np.array(self.t),
            "channels": {name: np.array(self[name]) for name in self.channels},
            "units": self.units,
            "impacts": self._run.impacts(),
            "modes": self._run.modes(),
            "summary": self._run.summary(),
        }
        return KeptRun, (data, case)

    def __copy__(self) -> Run:
        return self

    def __deepcopy__(self, memo: Mapping[int, Any]) -> Run:
        # A run never changes; a copy by way of pickle would lose its motion.
        return self

    def __repr__(self) -> str:
        impacts = sum(joint.get("impacts") or 0 for joint in self.summary["contacts"].values())
        return f"Run({self.case.name!r}, {self.summary['message']}, {impacts} impacts)"

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()


class _Kept:
    """The data of a run."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._t: Array = data["t"]
        self._channels: dict[str, Array] = data["channels"]
        self._units: dict[str, str] = data["units"]
        self._impacts: str = data["impacts"]
        self._modes: str = data["modes"]
        self._summary: str = data["summary"]

    def t(self) -> Array:
        return self._t

    def kept(self) -> list[str]:
        return list(self._channels)

    def channel(self, name: str) -> Array:
        try:
            return self._channels[name]
        except KeyError:
            raise KeyError(f"the channel `{name}` was not kept: name it in `run(channels=[...])`, or run the case again") from None

    def units(self) -> list[tuple[str, str]]:
        return list(self._units.items())

    def impacts(self) -> str:
        return self._impacts

    def modes(self) -> str:
        return self._modes

    def summary(self) -> str:
        return self._summary


class KeptRun(Result):
    """A run from another process: its case and everything that it kept, but not its complete motion."""

    case: Case

    def __init__(self, data: dict[str, Any], case: Case) -> None:
        self._source = _Kept(data)
        self._data = data
        self.case = case

    def __reduce__(self) -> tuple[Any, ...]:
        return KeptRun, (self._data, self.case)


class StoredRun(Result):
    """A result folder."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self._source = _jointplay.Stored.open(os.fspath(folder))

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest: program, settings, digests."""
        source = self._source
        assert isinstance(source, _jointplay.Stored)
        manifest: dict[str, Any] = json.loads(source.manifest())
        return manifest

    @property
    def case(self) -> Case:
        """The case: its run repeats the result."""
        from ._case import load

        return load(self.folder)

    def __reduce__(self) -> tuple[Any, ...]:
        return StoredRun, (self.folder,)

    def __repr__(self) -> str:
        return f"StoredRun({str(self.folder)!r})"


def open_result(folder: str | os.PathLike[str]) -> StoredRun:
    """Reads a result folder that `Run.save` or `jointplay run` wrote.

    >>> import jointplay as jp
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = jp.open(jp.example("slider-crank").run(until=0.01).save(folder, page=False))
    >>> result.manifest["settings"]["model"]
    'slider-crank'
    """
    return StoredRun(folder)


def _frame(table: Table) -> Any:
    try:
        import pandas  # noqa: F401
    except ImportError:
        return table
    return table.to_pandas()
