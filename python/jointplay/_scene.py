"""What is drawn of a mechanism: the scene that the page shows."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from . import _jointplay

if TYPE_CHECKING:
    from ._result import Result

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Body:
    """A body with its motion and how it is drawn."""

    name: str
    fixed: bool
    x: Array
    y: Array
    angle: Array
    shapes: list[dict[str, Any]]

    def places(self, points: Any, i: int) -> Array:
        """Points in the frame of the body, in the world at an instant."""
        at = np.asarray(points, dtype=float).reshape(-1, 2)
        if self.fixed:
            return at
        sin, cos = np.sin(self.angle[i]), np.cos(self.angle[i])
        return np.column_stack([self.x[i] + cos * at[:, 0] - sin * at[:, 1], self.y[i] + sin * at[:, 0] + cos * at[:, 1]])


@dataclass(frozen=True)
class Gap:
    """A clearance joint with a round bearing: where its journal is in it."""

    joint: str
    bearing: Body
    clearance: float
    pin_radius: float
    pin: tuple[float, float]
    ex: Array
    ey: Array
    touching: NDArray[np.bool_]


@dataclass(frozen=True)
class Scene:
    """Bodies, joints and gaps at every kept instant."""

    t: Array
    bounds: tuple[float, float, float, float]
    size: float
    bodies: list[Body]
    joints: list[dict[str, Any]]
    contacts: list[dict[str, Any]]
    gaps: list[Gap]
    period: float | None

    @classmethod
    def of(cls, run: Result) -> Scene:
        """The scene of a run; of one that only has its numbers, that of its case, run again."""
        source = run._source
        if not isinstance(source, _jointplay.Run):
            case = getattr(run, "case", None)
            if case is None:
                raise ValueError("this result does not know its case")
            source = case.run(progress=False)._source
        text, numbers = source.recording()
        data = json.loads(text)

        def series(ref: dict[str, int]) -> Array:
            values: Array = numbers[ref["at"] : ref["at"] + ref["n"]]
            return values

        scene = data["scene"]
        bodies = [Body(b["name"], b["fixed"], series(b["x"]), series(b["y"]), series(b["angle"]), b["shapes"]) for b in scene["bodies"]]
        gaps = []
        for contact in scene["contacts"]:
            if contact["form"] != "journal":
                continue
            bearing = bodies[contact["wall_body"]]
            first = series(contact["touch"]["first"])
            centre = _centre(contact)
            ex, ey = series(contact["px"]) - centre[0], series(contact["py"]) - centre[1]
            gaps.append(
                Gap(
                    contact["joint"],
                    bearing,
                    contact["clearance"],
                    contact["pin_radius"],
                    centre,
                    ex,
                    ey,
                    np.diff(first) > 0,
                )
            )
        return cls(
            t=series(data["times"]),
            bounds=tuple(scene["bounds"]),
            size=scene["size"],
            bodies=bodies,
            joints=scene["joints"],
            contacts=scene["contacts"],
            gaps=gaps,
            period=data["period"],
        )


def _centre(contact: dict[str, Any]) -> tuple[float, float]:
    """The centre of a round bearing: the mean of the points of its wall."""
    points = np.concatenate([np.asarray(wall["points"], dtype=float) for wall in contact["walls"]])
    unique = np.unique(points.round(12), axis=0)
    # The first point of a full circle may be its last, too.
    return float(unique[:, 0].mean()), float(unique[:, 1].mean())
