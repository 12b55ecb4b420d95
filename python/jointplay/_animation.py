"""Mechanisms in motion."""

from __future__ import annotations

import base64
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._figure import BLUE, BROWN, GREEN, GREY, ORANGE, RED, VIOLET, drawing
from ._scene import Body, Gap, Scene

if TYPE_CHECKING:
    from matplotlib.animation import FuncAnimation
    from matplotlib.axes import Axes

    from ._result import Result

MOST_PICTURES = 1_000_000
"""No film is longer."""

TRAIL = 400
"""Instants of the path of a journal that stay visible."""


def animate(run: Result, joints: tuple[str, ...], duration: float, fps: int, window: tuple[float, float] | None) -> FuncAnimation:
    """The mechanism in motion, with its clearances enlarged beside it."""
    if not (duration > 0 and fps > 0):
        raise ValueError("an animation needs a duration (s) and pictures in each second")
    with drawing():
        return _movie(Scene.of(run), joints, duration, fps, window)


def _movie(scene: Scene, joints: tuple[str, ...], duration: float, fps: int, window: tuple[float, float] | None) -> FuncAnimation:
    import matplotlib.pyplot as plt
    from matplotlib.animation import FuncAnimation

    class Animation(FuncAnimation):
        """An animation that notebooks show by themselves, as a GIF inside the notebook."""

        def _repr_html_(self) -> str:
            return _image(self, fps)

    known = {gap.joint: gap for gap in scene.gaps}
    unknown = [name for name in joints if name not in known]
    if unknown:
        raise KeyError(f"no journal with clearance is called {', '.join(unknown)}; there are {', '.join(known) or 'none'}")
    gaps = [known[name] for name in joints] if joints else scene.gaps[:2]
    low, high = window if window is not None else (float(scene.t[0]), float(scene.t[-1]))
    if not low < high:
        raise ValueError(f"a window goes from a time to a later one (s), not from {low} to {high}")
    if duration * fps > MOST_PICTURES:
        raise ValueError(f"an animation of {duration} s with {fps} pictures in each second is too long")
    times = np.linspace(low, high, max(2, round(duration * fps)))
    instants = np.minimum(np.searchsorted(scene.t, times), scene.t.size - 1)

    left, below, right, above = scene.bounds
    ratio = float(np.clip((above - below) / max(right - left, 1e-12), 0.35, 1.6))
    height = float(np.clip(4.2 * ratio, 2.4, 4.8))
    beside = 0.62 * height if gaps else 0.0
    figure = plt.figure(figsize=(4.4 + beside, height), layout="constrained")
    grid = figure.add_gridspec(max(len(gaps), 1), 2 if gaps else 1, width_ratios=[4.4, beside] if gaps else None)
    stage = figure.add_subplot(grid[:, 0])
    stage.set_xlim(left, right)
    stage.set_ylim(below, above)
    stage.set_aspect("equal", adjustable="box")
    stage.set_axis_off()
    parts: list[Any] = _mechanism(stage, scene)
    parts += [_Room(figure.add_subplot(grid[row, 1]), gap) for row, gap in enumerate(gaps)]
    clock = stage.text(0.0, 1.0, "", transform=stage.transAxes, va="top", family="monospace")

    def show(frame: int) -> list[Any]:
        i = int(instants[frame])
        for part in parts:
            part.show(i)
        clock.set_text(f"t = {1e3 * times[frame]:7.2f} ms" if high < 1 else f"t = {times[frame]:7.3f} s")
        return []

    show(0)
    # Constrained once: the layout would breathe with the labels.
    figure.canvas.draw()
    figure.set_layout_engine("none")
    made = Animation(figure, show, frames=len(times), interval=1000 / fps, blit=False)
    plt.close(figure)
    return made


def _image(movie: FuncAnimation, fps: int) -> str:
    """The animation as a picture inside a page."""
    from matplotlib.animation import PillowWriter

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "motion.gif"
        movie.save(path, writer=PillowWriter(fps=fps), dpi=80)
        data = base64.b64encode(path.read_bytes()).decode()
    return f'<img src="data:image/gif;base64,{data}" alt="the mechanism in motion">'


class _Drawn:
    """A body as it is drawn."""

    def __init__(self, ax: Axes, body: Body, colour: str, width: float) -> None:
        from matplotlib.patches import Circle, Polygon

        self.body = body
        self.lines: list[Any] = []
        self.patches: list[Any] = []
        for shape in body.shapes:
            if shape["type"] == "link":
                points = shape["points"]
                if len(points) > 2:
                    plate = Polygon(
                        np.zeros((len(points), 2)), closed=True, fc=colour, ec=colour, lw=width, joinstyle="round", alpha=0.4, zorder=2.2
                    )
                    ax.add_patch(plate)
                    self.patches.append((_around(points), plate))
                    continue
                under, over = (
                    ax.plot([], [], lw=w, color=c, solid_capstyle="round", zorder=3)[0] for w, c in ((width + 2, "white"), (width, colour))
                )
                self.lines.append((points, under, over))
            elif shape["type"] == "block":
                along = np.asarray(shape["direction"], dtype=float)
                across = np.array([-along[1], along[0]])
                half = 0.5 * shape["length"] * along, 0.5 * shape["height"] * across
                centre = np.asarray(shape["centre"], dtype=float)
                corners = [centre + a * half[0] + b * half[1] for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
                block = Polygon(np.zeros((4, 2)), closed=True, fc=colour, ec="white", alpha=0.85, zorder=2.5)
                ax.add_patch(block)
                self.patches.append((corners, block))
            else:
                disc = Circle((0, 0), shape["radius"], fc=colour, ec="white", alpha=0.85, zorder=2.5)
                ax.add_patch(disc)
                self.patches.append(([shape["centre"]], disc))

    def show(self, i: int) -> None:
        for points, *lines in self.lines:
            x, y = self.body.places(points, i).T
            for line in lines:
                line.set_data(x, y)
        for points, patch in self.patches:
            at = self.body.places(points, i)
            if len(at) == 1:
                patch.set_center(tuple(at[0]))
            else:
                patch.set_xy(at)


def _around(points: Any) -> Any:
    """The points in the order in which one meets them on the way around."""
    at = np.asarray(points, dtype=float)
    away = at - at.mean(axis=0)
    return at[np.argsort(np.arctan2(away[:, 1], away[:, 0]))]


class _Walls:
    """The walls of slots and guides."""

    def __init__(self, ax: Axes, scene: Scene, contact: dict[str, Any]) -> None:
        self.body = scene.bodies[contact["wall_body"]]
        self.lines = [(wall["points"], ax.plot([], [], lw=1.0, color="#3b4046", zorder=2)[0]) for wall in contact["walls"]]

    def show(self, i: int) -> None:
        for points, line in self.lines:
            line.set_data(*self.body.places(points, i).T)


class _Pins:
    """The joints: dots, those on the ground larger."""

    def __init__(self, ax: Axes, scene: Scene) -> None:
        self.places = [(scene.bodies[joint["a"]["body"]], joint["a"]["at"]) for joint in scene.joints if joint["type"] != "prismatic"]
        fixed = [body.fixed for body, _ in self.places]
        (self.free,) = ax.plot([], [], "o", ms=5, mfc="white", mec="#22262b", mew=1.1, zorder=4)
        (self.fixed,) = ax.plot([], [], "^", ms=8, mfc="#22262b", mec="#22262b", zorder=4)
        self.is_fixed = np.array(fixed, dtype=bool)

    def show(self, i: int) -> None:
        if not self.places:
            return
        at = np.concatenate([body.places([place], i) for body, place in self.places])
        self.free.set_data(*at[~self.is_fixed].T)
        self.fixed.set_data(*at[self.is_fixed].T)


class _Room:
    """The clearance of a journal, enlarged: the circle within which its centre moves, and the path of the centre."""

    def __init__(self, ax: Axes, gap: Gap) -> None:
        from matplotlib.patches import Circle

        self.gap = gap
        reach = 1.25 * gap.clearance
        ax.set_xlim(-reach, reach)
        ax.set_ylim(-reach, reach)
        ax.set_aspect("equal")
        ax.grid(False)
        ax.set_xticks([])
        ax.set_yticks([])
        ax.spines[["left", "bottom"]].set_visible(False)
        ax.add_patch(Circle((0, 0), gap.clearance, fc="#f3f5f7", ec=GREY, lw=1.2))
        ax.set_title(f"{gap.joint}: clearance {1e3 * gap.clearance:.3g} mm", fontsize=8, loc="center")
        (self.path,) = ax.plot([], [], lw=0.8, color=BLUE, alpha=0.7)
        (self.dot,) = ax.plot([], [], "o", ms=7, mew=0)

    def show(self, i: int) -> None:
        ex, ey = self.gap.ex, self.gap.ey
        first = max(0, i - TRAIL)
        self.path.set_data(ex[first : i + 1], ey[first : i + 1])
        self.dot.set_data([ex[i]], [ey[i]])
        self.dot.set_color(ORANGE if self.gap.touching[i] else BLUE)


def _mechanism(ax: Axes, scene: Scene) -> list[Any]:
    colours = [BLUE, GREEN, VIOLET, BROWN, RED, GREY]
    moving = [body for body in scene.bodies if not body.fixed]
    parts: list[Any] = [_Walls(ax, scene, contact) for contact in scene.contacts if contact["form"] in ("slot", "block", "external")]
    parts += [_Drawn(ax, body, colours[i % len(colours)], 4.5) for i, body in enumerate(moving)]
    return [*parts, _Pins(ax, scene)]
