"""Figures of runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._figure import BLUE, GREY, ORANGE, WIDTH, Array, Colours, axes, drawing, figure_of, scale, scaled, thinned

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ._result import Result

Window = tuple[float, float]
"""From and to (s)."""

MOST_PERIODS = 10_000_000
"""More points are no figure."""


def _seen(t: Array, window: Window | None) -> Any:
    """Which instants lie in the window."""
    if window is None:
        return slice(None)
    low, high = window
    seen = (t >= low) & (t <= high)
    if not seen.any():
        raise ValueError(f"the window from {low} s to {high} s has no instant of the run, which goes from {t[0]} s to {t[-1]} s")
    return seen


def plot(run: Result, channels: Sequence[str], window: Window | None, ax: Any, line: dict[str, Any]) -> list[Axes]:
    """Channels over time, one below the other."""
    data = [(name, run[name]) for name in channels]
    if not data:
        raise ValueError("name the channels to plot: the run keeps none by itself")
    t = run.t
    seen = _seen(t, window)
    with drawing():
        made: list[Axes]
        if ax is None:
            made = axes(len(data), size=(WIDTH, 1.0 + 1.35 * len(data)), sharex=True)
        else:
            made = list(np.ravel(np.asarray(ax, dtype=object)))
        if len(made) != len(data):
            raise ValueError(f"{len(data)} channels need as many axes, not {len(made)}")
        for panel, (name, values) in zip(made, data, strict=True):
            by, of = scaled(panel, "x", t[seen], "s", "t"), scaled(panel, "y", values[seen], run.units[name], name)
            if panel is not made[-1] and panel.get_shared_x_axes().joined(panel, made[-1]):
                panel.set_xlabel("")  # that of the lowest panel is for all of them
            panel.plot(*thinned(by * t[seen], of * values[seen]), **line)
            panel.margins(x=0)
            if "label" in line:
                panel.legend(loc="best")
        if ax is None:
            figure_of(made[0]).align_ylabels(made)
    return made


def _need(run: Result, joint: str, channels: Sequence[str], what: str) -> None:
    """Says which joints have these channels where this one has not; those of ideal joints are zero."""
    kinds: dict[str, str] = run.case.joints if hasattr(run, "case") else {}
    first = f".{channels[0]}"
    named = [name.removesuffix(first) for name in run.units if name.endswith(first)]
    able = [name for name in named if kinds.get(name, "clearance") == "clearance"]
    if joint in able and all(f"{joint}.{channel}" in run.units for channel in channels):
        return
    have = f"those with clearance are {', '.join(able)}" if able else "no joint of this run has clearance"
    ideal = ", an ideal joint," if kinds.get(joint) == "ideal" else ""
    raise KeyError(f"`{joint}`{ideal} has no {what} (channels {', '.join(f'{joint}.{channel}' for channel in channels)}); {have}")


def orbit(run: Result, joint: str, window: Window | None, ax: Axes | None) -> Axes:
    """The path of the journal in its clearance: free flight and contact, with the circle of the clearance where it is known."""
    _need(run, joint, ("ex", "ey"), "orbit")
    seen = _seen(run.t, window)
    x, y = run[f"{joint}.ex"][seen], run[f"{joint}.ey"][seen]
    touching = run[f"{joint}.penetration"][seen] > 0 if f"{joint}.penetration" in run.units else np.zeros(x.shape, dtype=bool)
    clearance = _clearance(run, joint)
    with drawing():
        from matplotlib.patches import Circle

        if ax is None:
            [ax] = axes(size=(4.3, 4.5))
            ax.set_title(f"{joint}: path of the journal")
        ends = np.hypot(x, y)
        by, of = scaled(ax, "x", ends, "m", "$e_x$"), scaled(ax, "y", ends, "m", "$e_y$")
        if by != of:
            raise ValueError("the axes have different units in x and y: an orbit needs axes of its own")
        known = set(ax.get_legend_handles_labels()[1])

        def once(text: str) -> str:
            return f"_{text}" if text in known else text

        free = np.where(touching & np.roll(touching, 1), np.nan, 1.0)
        ax.plot(by * x * free, by * y * free, lw=0.6, color=BLUE, label=once("free flight"))
        hit = np.where(touching, 1.0, np.nan)
        ax.plot(by * x * hit, by * y * hit, lw=1.6, color=ORANGE, solid_capstyle="round", label=once("contact"))
        if clearance is not None:
            ax.add_patch(Circle((0, 0), by * clearance, fill=False, ls=(0, (5, 3)), lw=0.9, color=GREY, zorder=1.5))
            ax.plot([], [], ls=(0, (5, 3)), lw=0.9, color=GREY, label=once("clearance"))
        circles = [patch.radius for patch in ax.patches if isinstance(patch, Circle)]
        if circles:
            # Around everything that is there, also that of other runs.
            paths = [np.hypot(*np.asarray(path.get_data(), dtype=float)) for path in ax.lines]
            reach = 1.12 * max(*circles, *(float(np.nanmax(path, initial=0.0)) for path in paths))
            ax.set_xlim(-reach, reach)
            ax.set_ylim(-reach, reach)
        ax.set_aspect("equal", adjustable="box" if circles else "datalim")
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=3, handlelength=1.4)
    return ax


def _clearance(run: Result, joint: str) -> float | None:
    """The clearance of a joint: the eccentricity at which it touches."""
    names = [f"{joint}.{channel}" for channel in ("eccentricity", "penetration")]
    if not all(name in run.units for name in names):
        return None
    eccentricity, delta = (run[name] for name in names)
    touching = delta > 0
    return float(np.median((eccentricity - delta)[touching])) if touching.any() else None


def loop(run: Result, joint: str, window: Window | None, ax: Axes | None) -> Axes:
    """Force over indentation of the contacts of a joint: the area of a loop is the energy that it loses."""
    _need(run, joint, ("penetration", "normal"), "force–indentation loop")
    t, delta, force = run.t, run[f"{joint}.penetration"], run[f"{joint}.normal"]
    rows = run.impacts
    chosen = np.asarray(rows["joint"]) == joint
    starts, ends, speeds = (np.asarray(rows[name], dtype=float)[chosen] for name in ("start", "end", "impact_speed"))
    if window is not None:
        inside = (starts <= window[1]) & (ends >= window[0])
        starts, ends, speeds = starts[inside], ends[inside], speeds[inside]
    if not starts.size:
        raise ValueError(f"`{joint}` is never in contact {'in this window' if window else 'in this run'}")
    with drawing():
        if ax is None:
            [ax] = axes(size=(5.4, 3.7))
            ax.set_title(f"{joint}: {starts.size} contact{'s' if starts.size > 1 else ''}")
        ends = np.where(np.isfinite(ends), ends, t[-1])
        parts = [np.flatnonzero((t >= start) & (t <= end) & (delta >= 0)) for start, end in zip(starts, ends, strict=True)]
        everything = np.concatenate(parts)
        colours = Colours.of(ax, "impact speed", "m/s", speeds) if len(parts) > 1 else None
        by = scaled(ax, "x", delta[everything], "m", "indentation δ")
        of = scaled(ax, "y", force[everything], "N", "normal force")
        # The hardest last: it is not hidden by the others.
        order = np.argsort(speeds)
        lines = [ax.plot(by * delta[parts[i]], of * force[parts[i]], lw=1.0, color=BLUE)[0] for i in order]
        if colours is not None:
            colours.add(lines, speeds[order])
        # Limits that are set are fixed: they are found anew for all lines.
        ax.autoscale()
        ax.set_xlim(left=0)
        if not any((np.asarray(line.get_ydata(), dtype=float) < 0).any() for line in ax.lines):
            ax.set_ylim(bottom=0)
    return ax


def section(run: Result, x: str, y: str, period: float | None, transient: int, ax: Axes | None) -> Axes:
    """Two channels once in each period: a point for each."""
    if period is None:
        period = _period(run)
    if not (np.isfinite(period) and period > 0):
        raise ValueError(f"the period must be a positive time (s), not {period}")
    if transient < 0:
        raise ValueError(f"transient is a number of periods that are left out, not {transient}")
    t = run.t
    if (t[-1] - t[0]) / period > MOST_PERIODS:
        raise ValueError(f"a period of {period} s is too short for a section: the run has {(t[-1] - t[0]) / period:.3g} of them")
    first, last = np.ceil(t[0] / period * (1 - 1e-12)), np.floor(t[-1] / period * (1 + 1e-12))
    times = np.arange(first + (first == 0) + transient, last + 1) * period
    if not times.size:
        raise ValueError(f"the run ends after {t[-1] / period:.3g} periods: none is left after a transient of {transient}")
    # At an event there are two instants: interpolation needs one.
    keep = np.append(np.diff(t) > 0, True)
    values = [_wrapped(np.interp(times, t[keep], run[name][keep]), run.units[name]) for name in (x, y)]
    with drawing():
        if ax is None:
            [ax] = axes(size=(4.6, 3.9))
            every, unit = scale(period, "s")
            ax.set_title(f"{times.size} points, one every {every * period:.4g} {unit}")
        by, of = scaled(ax, "x", values[0], run.units[x], x), scaled(ax, "y", values[1], run.units[y], y)
        size = float(np.clip(60 / np.sqrt(times.size), 2.0, 5.0))
        ax.plot(by * values[0], of * values[1], "o", ms=size, mew=0, alpha=0.8, color=BLUE)
    return ax


def _wrapped(values: Array, unit: str) -> Array:
    """Angles between −π and π, as in the sections of studies."""
    return np.pi - np.mod(np.pi - values, 2 * np.pi) if unit == "rad" else values


def _period(run: Result) -> float:
    """The period of the driver with constant speed."""
    from ._scene import Scene

    found = Scene.of(run).period
    if found is None:
        raise ValueError("the model has no driver with a constant speed: name the period (s)")
    return found
