"""The common parts of all figures: style, units, labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Array = NDArray[np.float64]

BLUE, ORANGE, GREEN, RED, VIOLET, BROWN, GREY = "#0b66a8", "#d9730d", "#1f8a4c", "#c0392b", "#7b4fa3", "#8a5a3b", "#6f7680"
"""Colours that stay apart on paper, on screens and for most colour-blind readers."""

STYLE: dict[str, Any] = {
    "figure.dpi": 110,
    "font.size": 9.0,
    "axes.titlesize": 9.5,
    "axes.labelsize": 9.0,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555b63",
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "grid.color": "#e4e6e9",
    "grid.linewidth": 0.7,
    "xtick.color": "#555b63",
    "ytick.color": "#555b63",
    "xtick.labelcolor": "#22262b",
    "ytick.labelcolor": "#22262b",
    "xtick.labelsize": 8.0,
    "ytick.labelsize": 8.0,
    "lines.linewidth": 1.1,
    "legend.frameon": False,
    "legend.fontsize": 8.0,
}

WIDTH = 6.4
"""The width of a figure (inches): a column and a half of a journal."""

MANY = 20_000
"""More points than this are drawn by the extremes in each of so many stretches as a printed line can show."""

PREFIXES = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]

SCALED = {"m", "N", "s", "J", "m/s", "N s", "W", "N m", "Pa"}
"""Units that take a prefix."""


@contextmanager
def drawing() -> Iterator[None]:
    """Figures are made in our style; those of the caller keep theirs."""
    try:
        import matplotlib as mpl
        from cycler import cycler
    except ImportError:
        raise ImportError("figures need matplotlib: pip install 'jointplay[plot]'") from None
    colours = cycler(color=[BLUE, ORANGE, GREEN, RED, VIOLET, BROWN, GREY])
    settings: Any = {**STYLE, "axes.prop_cycle": colours}
    before = mpl.is_interactive()
    with mpl.rc_context(settings):
        yield
        now = mpl.is_interactive()
    # The first figure of a notebook makes it interactive. If the context took that back, later figures would not be shown.
    if now != before:
        mpl.interactive(now)


def axes(rows: int = 1, columns: int = 1, *, size: tuple[float, float], **keys: Any) -> list[Axes]:
    """Axes of a new figure."""
    import matplotlib.pyplot as plt

    _, made = plt.subplots(rows, columns, figsize=size, layout="constrained", squeeze=False, **keys)
    return list(made.ravel())


def figure_of(ax: Axes) -> Any:
    """The figure of axes, whose type differs from version to version of matplotlib."""
    return ax.figure


def scale(values: Any, unit: str) -> tuple[float, str]:
    """A factor and the unit with its prefix, so that numbers are easy to read."""
    finite = np.abs(np.asarray(values, dtype=float))
    finite = finite[np.isfinite(finite)]
    size = float(finite.max()) if finite.size else 0.0
    if unit not in SCALED or size == 0.0:
        return 1.0, unit
    for factor, prefix in PREFIXES:
        # 0.1 and not 1: 0.6 s stays 0.6 s, but 0.05 s is 50 ms.
        if size >= (0.1 * factor if factor == 1.0 and unit == "s" else factor):
            return 1.0 / factor, prefix + unit
    return 1e9, "n" + unit


class Scale(NamedTuple):
    """What one axis shows: numbers in this base unit, times the factor, are numbers in the printed unit."""

    factor: float
    printed: str
    base: str
    names: tuple[str, ...]


def scaled(ax: Axes, which: Literal["x", "y"], values: Any, unit: str, name: str) -> float:
    """The factor for numbers that are drawn along an axis, which is labelled. An axis has one unit: lines that are drawn later take the
    prefix of the first ones, and those of another base unit are refused."""
    shared: Any = ax.get_shared_x_axes() if which == "x" else ax.get_shared_y_axes()
    drawn = [scales[which] for other in shared.get_siblings(ax) if other.has_data() and which in (scales := _scales(other))]
    mine = _scales(ax).get(which) if ax.has_data() else None
    if drawn:
        known = mine or drawn[0]
        if known.base != unit:
            raise ValueError(f"the {which} axis shows {known.names[0]} in {known.base}: `{name}`, in {unit}, needs axes of its own")
        factor, shown = known.factor, known.printed
    else:
        factor, shown = scale(values, unit)
    names = mine.names if mine else ()
    names = names if name in names else (*names, name)
    _scales(ax)[which] = Scale(factor, shown, unit, names)
    text = label(", ".join(names), shown)
    ax.set_xlabel(text) if which == "x" else ax.set_ylabel(text)
    return factor


def _scales(ax: Axes) -> dict[str, Scale]:
    """The scales of both axes, which are kept there."""
    if not hasattr(ax, "_jointplay_scales"):
        ax._jointplay_scales = {}  # type: ignore[attr-defined]
    scales: dict[str, Scale] = ax._jointplay_scales  # type: ignore[attr-defined]
    return scales


def printed(unit: str) -> str:
    """A unit as it is printed: m/s² instead of m/s^2."""
    return unit.translate({}).replace("^2", "²").replace("^3", "³").replace("^4", "⁴").replace(" ", " ")


def label(name: str, unit: str) -> str:
    """The label of an axis."""
    return name if unit in ("-", "", "1") else f"{name} ({printed(unit)})"


def thinned(t: Array, values: Array) -> tuple[Array, Array]:
    """The same line with fewer points: the least and the greatest value of each stretch stay, so that no peak is lost."""
    if t.size <= MANY:
        return t, values
    each = t.size // (MANY // 2) + 1
    count = t.size // each
    blocks = np.nan_to_num(values[: count * each]).reshape(count, each)
    start = np.arange(count) * each
    extremes = np.sort(np.concatenate([start + blocks.argmin(1), start + blocks.argmax(1)]))
    kept = np.unique(np.concatenate([[0], extremes, np.arange(count * each, t.size)]))
    return t[kept], values[kept]


class Colours:
    """Lines coloured by a number, with a bar beside their axes; lines that are added later share it."""

    def __init__(self, ax: Axes, name: str, unit: str, values: Any) -> None:
        from matplotlib import colormaps
        from matplotlib.cm import ScalarMappable

        self._factor, shown = scale(values, unit)
        self._lines: list[tuple[Any, float]] = []
        self._mapped = ScalarMappable(cmap=colormaps["viridis_r"])
        bar = figure_of(ax).colorbar(self._mapped, ax=ax, pad=0.02, aspect=28)
        bar.set_label(label(name, shown))
        bar.outline.set_visible(False)

    @classmethod
    def of(cls, ax: Axes, name: str, unit: str, values: Any) -> Colours:
        """Those of the axes."""
        kept: Colours | None = getattr(ax, "_jointplay_colours", None)
        if kept is None or not ax.has_data():
            kept = ax._jointplay_colours = cls(ax, name, unit, values)  # type: ignore[attr-defined]
        return kept

    def add(self, lines: Sequence[Any], values: Any) -> None:
        """Colours these lines too, and the others anew where the range grows."""
        self._lines += zip(lines, (self._factor * float(value) for value in values), strict=True)
        numbers = [number for _, number in self._lines]
        low, high = min(numbers), max(numbers)
        pad = 0.5 * abs(low) * 1e-9 if high > low else max(abs(low), 1.0) * 0.5
        self._mapped.set_clim(low - pad, high + pad)
        for line, number in self._lines:
            line.set_color(self._mapped.to_rgba(np.array([number]))[0])
