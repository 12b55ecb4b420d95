"""Quantities of pint as a model file writes them. They keep their units, so that a mass is not taken for a length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

SHORT = {"meter": "m", "kilogram": "kg", "second": "s", "radian": "rad"}

# Powers of metre, kilogram, second and radian, and how a model file calls them.
NAMES: dict[tuple[float, ...], str] = {
    (1, 0, 0, 0): "m",
    (0, 1, 0, 0): "kg",
    (0, 0, 1, 0): "s",
    (0, 0, 0, 1): "rad",
    (1, 0, -1, 0): "m/s",
    (1, 0, -2, 0): "m/s^2",
    (0, 0, -1, 1): "rad/s",
    (0, 0, -1, 0): "Hz",
    (1, 1, -2, 0): "N",
    (0, 1, -2, 0): "N/m",
    (-1, 1, -2, 0): "Pa",
    (2, 1, 0, 0): "kg m^2",
    (0, 1, -1, 0): "N s/m",
    (-3, 1, 0, 0): "kg/m^3",
}


def is_quantity(value: Any) -> bool:
    """Whether a value is a quantity of pint."""
    return hasattr(value, "to_base_units") and hasattr(value, "magnitude")


def formula(quantity: Any) -> Any:
    """A quantity as a formula, such as "= 20.0*(1 rad)*(1 s)^-1", whose dimension the model checks; arrays become lists."""
    numbers, powers = _split(quantity)
    units = "".join(f"*(1 {unit})" + ("" if power == 1 else f"^{_power(power)}") for unit, power in powers.items())

    def one(number: Any) -> Any:
        return f"= {float(number)!r}{units}" if units else float(number)

    return [one(number) for number in numbers] if getattr(numbers, "ndim", 0) else one(numbers)


def text(quantity: Any) -> str:
    """A quantity as a number with a unit, such as "0.1 m"."""
    number, unit = plain(quantity)
    return repr(float(number)) if unit == "-" else f"{float(number)!r} {unit}"


def plain(quantity: Any) -> tuple[Any, str]:
    """The number or array of a quantity in SI units, and its unit as a model file names it; `-` if it has none."""
    number, powers = _split(quantity)
    key = _powers(powers)
    if any(key) and key not in NAMES:
        raise TypeError(f"{quantity}: write this quantity as text, such as '10 mm'")
    return number, NAMES[key] if any(key) else "-"


def magnitude(quantity: Any, powers: Mapping[str, float]) -> Any:
    """The number or array of a quantity in SI units, which must be made up of these powers of units."""
    number, own = _split(quantity)
    if own != powers:
        raise TypeError(f"a quantity in {NAMES[_powers(powers)]} is expected, not one in {quantity.units}")
    return number


def _powers(powers: Mapping[str, float]) -> tuple[float, ...]:
    return tuple(powers.get(unit, 0) for unit in SHORT.values())


def _split(quantity: Any) -> tuple[Any, dict[str, float]]:
    """The number in SI units, and the powers of the units."""
    base = quantity.to_base_units()
    powers: dict[str, float] = {}
    for unit, power in base.unit_items():
        if unit not in SHORT:
            raise TypeError(f"{quantity}: a quantity must be made up of metre, kilogram, second and radian, not {unit}")
        powers[SHORT[unit]] = power
    return base.magnitude, powers


def _power(power: float) -> str:
    return str(int(power)) if power == int(power) else repr(float(power))
