"""Points on bodies."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


class Part(str):
    """The name of a body; `at` gives a point on it.

    >>> import jointplay as jp
    >>> jp.GROUND.at(0.1, "2 cm")
    {'body': 'ground', 'at': [0.1, '2 cm']}
    """

    __slots__ = ()

    def at(self, x: Any = 0.0, y: Any = 0.0, *, direction: Any | Sequence[Any] | None = None) -> dict[str, Any]:
        """A point on the body, in its frame, and a direction there where an element needs one."""
        place: dict[str, Any] = {"body": str(self), "at": [x, y]}
        if direction is not None:
            place["direction"] = direction
        return place

    def part(self, index: int | str) -> Part:
        """A part of an array, of which this is the name; the index is a number or a formula of parameters and of the number `i`.

        >>> import jointplay as jp
        >>> jp.Part("link").part("i-1").at(0.05)
        {'body': 'link[i-1]', 'at': [0.05, 0.0]}
        """
        return Part(f"{self}[{index}]")


GROUND = Part("ground")
"""The ground."""
