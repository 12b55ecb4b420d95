"""Figures of runs, with matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ._result import Result

PREFIXES = [(1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")]

SCALED = {"m", "N", "s", "J", "m/s", "N s", "W", "N m"}
"""Units that take a prefix."""


def scale(values: Any, unit: str) -> tuple[float, str]:
    """A factor and the unit with its prefix, so that numbers are easy to read."""
    size = float(np.nanmax(np.abs(values), initial=0.0)) if np.size(values) else 0.0
    if unit not in SCALED or size == 0.0 or not np.isfinite(size):
        return 1.0, unit
    for factor, prefix in PREFIXES:
        if size >= factor:
            return 1.0 / factor, prefix + unit
    return 1e9, "n" + unit


def label(name: str, unit: str) -> str:
    """The label of an axis."""
    return name if unit in ("-", "") else f"{name} ({unit})"


def _axes(ax: Axes | None, **size: Any) -> Axes:
    import matplotlib.pyplot as plt

    if ax is not None:
        return ax
    _, made = plt.subplots(layout="constrained", **size)
    fresh: Axes = made
    fresh.spines[["top", "right"]].set_visible(False)
    return fresh


def plot(run: Result, channels: Sequence[str], window: tuple[float, float] | None, axes: Any) -> Figure:
    """Channels over time, one below the other."""
    import matplotlib.pyplot as plt

    if axes is None:
        _, axes = plt.subplots(len(channels), 1, sharex=True, squeeze=False, figsize=(7.0, 1.6 + 1.6 * len(channels)), layout="constrained")
    axes = np.ravel(np.asarray(axes, dtype=object))
    t, unit = run.t, "s"
    seen = np.ones(t.shape, dtype=bool) if window is None else (t >= window[0]) & (t <= window[1])
    by, unit = scale(t[seen], unit)
    for ax, name in zip(axes, channels, strict=True):
        values = run[name][seen]
        factor, of = scale(values, run.units[name])
        ax.plot(by * t[seen], factor * values, lw=1.0)
        ax.set_ylabel(label(name, of))
        ax.margins(x=0)
        ax.spines[["top", "right"]].set_visible(False)
    axes[-1].set_xlabel(label("t", unit))
    figure: Figure = axes[0].figure
    return figure


def orbit(run: Result, joint: str, ax: Axes | None) -> Axes:
    """The path of the journal in its clearance, with the circle of the clearance where it is known."""
    from matplotlib.patches import Circle

    ax = _axes(ax, figsize=(4.5, 4.5))
    x, y = run[f"{joint}.ex"], run[f"{joint}.ey"]
    by, unit = scale(np.hypot(x, y), "m")
    ax.plot(by * x, by * y, lw=0.7)
    clearance = _clearance(run, joint)
    if clearance is not None:
        ax.add_patch(Circle((0, 0), by * clearance, fill=False, ls="--", lw=0.8, color="0.4"))
        ax.autoscale_view()
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel(label("$e_x$", unit))
    ax.set_ylabel(label("$e_y$", unit))
    ax.set_title(joint)
    return ax


def _clearance(run: Result, joint: str) -> float | None:
    """The clearance of a joint: the eccentricity at which it touches."""
    try:
        eccentricity, depth = run[f"{joint}.eccentricity"], run[f"{joint}.penetration"]
    except KeyError:
        return None
    touching = depth > 0
    return float(np.median((eccentricity - depth)[touching])) if touching.any() else None


def loop(run: Result, joint: str, ax: Axes | None) -> Axes:
    """Force over indentation of the impacts of a joint: the area of a loop is the energy that it loses."""
    ax = _axes(ax, figsize=(5.5, 4.0))
    depth, force = run[f"{joint}.penetration"], run[f"{joint}.force"]
    touching = depth > 0
    by, unit = scale(depth[touching], "m")
    of, newton = scale(force[touching], "N")
    edges = np.flatnonzero(np.diff(touching.astype(int))) + 1
    for part in np.split(np.arange(depth.size), edges):
        if part.size and touching[part[0]]:
            ax.plot(by * depth[part], of * force[part], lw=0.8)
    ax.set_xlabel(label("δ", unit))
    ax.set_ylabel(label("F", newton))
    ax.set_title(joint)
    return ax


def section(run: Result, x: str, y: str, period: float, transient: int, ax: Axes | None) -> Axes:
    """Two channels once in each period: a point for each."""
    ax = _axes(ax, figsize=(5.0, 4.0))
    t = run.t
    times = np.arange(transient + 1, int(np.floor(t[-1] / period * (1 + 1e-12))) + 1) * period
    # At an event there are two instants: interpolation needs one.
    keep = np.append(np.diff(t) > 0, True)
    values = [np.interp(times, t[keep], run[name][keep]) for name in (x, y)]
    (by, of_x), (of, of_y) = (scale(v, run.units[name]) for v, name in zip(values, (x, y), strict=True))
    ax.plot(by * values[0], of * values[1], ".", ms=4)
    ax.set_xlabel(label(x, of_x))
    ax.set_ylabel(label(y, of_y))
    return ax


def animate(run: Result, names: Sequence[str], duration: float, fps: int, trace: bool) -> FuncAnimation:
    """The origins of bodies as they move."""
    import matplotlib.pyplot as plt
    from matplotlib.animation import FuncAnimation

    fig, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
    t = run.t
    keep = np.append(np.diff(t) > 0, True)
    times = np.linspace(t[0], t[-1], max(2, int(duration * fps)))
    paths = {name: [np.interp(times, t[keep], run[f"{name}.{axis}"][keep]) for axis in "xy"] for name in names}
    for x, y in paths.values():
        ax.plot(x, y, lw=0.6, color="0.75", alpha=1.0 if trace else 0.0)
    dots = {name: ax.plot([], [], "o", ms=7, label=name)[0] for name in names}
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("x (m)")
    ax.set_ylabel("y (m)")
    ax.legend(loc="upper right", frameon=False)
    clock = ax.text(0.02, 0.96, "", transform=ax.transAxes, va="top")

    def show(i: int) -> list[Any]:
        for name, dot in dots.items():
            dot.set_data([paths[name][0][i]], [paths[name][1][i]])
        clock.set_text(f"t = {times[i]:.4f} s")
        return [*dots.values(), clock]

    made = FuncAnimation(fig, show, frames=len(times), interval=1000 / fps, blit=True)
    plt.close(fig)
    return made
