"""Quantities of pint as a model file writes them. They keep their units, so that a mass is not taken for a length."""

from __future__ import annotations

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
    magnitude, powers = _split(quantity)
    units = "".join(f"*(1 {unit})" + ("" if power == 1 else f"^{_power(power)}") for unit, power in powers.items())

    def one(number: Any) -> Any:
        return f"= {float(number)!r}{units}" if units else float(number)

    return [one(number) for number in magnitude] if getattr(magnitude, "ndim", 0) else one(magnitude)


def text(quantity: Any) -> str:
    """A quantity as a number with a unit, such as "0.1 m"."""
    magnitude, powers = _split(quantity)
    key = tuple(powers.get(unit, 0) for unit in SHORT.values())
    if not any(key):
        return repr(float(magnitude))
    if key not in NAMES:
        raise TypeError(f"{quantity}: write this quantity as text, such as '10 mm'")
    return f"{float(magnitude)!r} {NAMES[key]}"


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
