"""Laws on arrays, against numbers that are not ours."""

from __future__ import annotations

import csv
import json
from typing import Any

import jointplay as jp
import numpy as np
import pytest
from conftest import ROOT


def test_exact_johnson_is_inverted_as_lambert_says():
    """Johnson's law by SciPy's Lambert function, with its closed form written out here."""
    special = pytest.importorskip("scipy.special")
    young, poisson, clearance, length = 207e9, 0.3, 0.25e-3, 15e-3
    law = jp.law("johnson", clearance=clearance, young=young, poisson=poisson, length=length)
    modulus = young / (2 * (1 - poisson**2))
    delta = np.logspace(-9, -5, 200)
    # δ = f/(πE*) (ln(4πE*ΔR/f) − 1), Johnson 1985: f = −πE*δ/W₋₁(−eδ/(4ΔR)).
    load = -np.pi * modulus * delta / special.lambertw(-np.e * delta / (4 * clearance), -1).real
    np.testing.assert_allclose(law.force(delta), length * load, rtol=5e-13)
    np.testing.assert_allclose(law.indentation(law.force(delta)), delta, rtol=1e-12)


def test_exact_hertz_force_slope_energy():
    law = jp.law("hertz", stiffness=4e9)
    delta = np.array([[1e-6, 4e-6], [9e-6, 0.0]])
    np.testing.assert_allclose(law.force(delta), [[4.0, 32.0], [108.0, 0.0]], rtol=1e-14)
    np.testing.assert_allclose(law.stiffness(4e-6), 1.5 * 32.0 / 4e-6, rtol=1e-14)
    np.testing.assert_allclose(law.energy(4e-6), 0.4 * 32.0 * 4e-6, rtol=1e-14)
    assert isinstance(law.force(1e-6), float)


def test_exact_forces_are_those_of_the_golden_table():
    """Johnson's law at 50 digits by mpmath; see golden/b2-johnson/provenance.toml."""
    with open(ROOT / "golden" / "b2-johnson" / "data.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    delta = np.array([float(row["delta"]) for row in rows])
    load = np.array([float(row["line_load"]) for row in rows])
    law = jp.law("johnson", clearance="0.25 mm", young="207 GPa", poisson=0.3, length=1.0)
    # 2 ulp of the kernel and the rounding of E*, as in benchmark B2.
    np.testing.assert_allclose(law.force(delta), load, rtol=2e-15 * 5)


def _tables(name: str, keys: list[str]) -> dict[str, list[tuple[dict[str, str], dict[str, np.ndarray]]]]:
    """The rows of a golden table by law: those that share their inputs (`keys`) as arrays."""
    with open(ROOT / "golden" / name / "data.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    groups: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for row in rows:
        groups.setdefault(tuple(row[key] for key in keys), []).append(row)
    tables: dict[str, list[tuple[dict[str, str], dict[str, np.ndarray]]]] = {}
    for group in groups.values():
        columns = {key: np.array([float(row[key]) for row in group]) for key in group[0] if key not in keys}
        tables.setdefault(group[0]["law"], []).append((group[0], columns))
    return tables


def _of(row: dict[str, str], *, internal: bool) -> jp.Law:
    """The law of a row."""
    radii = [float(row[key]) for key in ("radius_i", "radius_j") if row[key]]
    inputs: dict[str, Any] = {key: float(row[key]) for key in ("length", "half_width", "exponent") if row.get(key)}
    if internal:
        inputs["bearing_radius"], inputs["journal_radius"] = radii
    elif radii:
        inputs["radius"] = radii
    for key in ("young", "poisson"):
        inputs[key], inputs[f"{key}_2"] = float(row[f"{key}_i"]), float(row[f"{key}_j"])
    if row["law"] == "bai-zhao":
        del inputs["exponent"]  # it has no other
    if row.get("pi"):
        inputs["params"] = {"pi": float(row["pi"])}
    return jp.law(row["law"], **inputs)


BODIES = ["law", "young_i", "poisson_i", "young_j", "poisson_j", "radius_i", "radius_j", "length"]
EXPLICIT = _tables("explicit-laws", [*BODIES, "geometry", "half_width", "exponent", "pi"])
LOGARITHMIC = _tables("logarithmic-laws", [*BODIES, "internal"])


def _meets(found, wanted, tolerance):
    error = np.abs(found / wanted - 1) / tolerance
    assert error.max() <= 1, f"{error.max():.2f} of the tolerance"


@pytest.mark.parametrize("name", EXPLICIT)
def test_exact_explicit_laws_are_those_of_the_golden_table(name):
    """At 110 digits by mpmath, with the tolerances of golden/explicit-laws/provenance.toml."""
    with open(ROOT / "golden" / "explicit-laws" / "persson-limit.csv", encoding="utf-8") as file:
        [ratio] = [float(row["value"]) for row in csv.DictReader(file) if row["quantity"] == "delta_over_clearance"]
    for row, table in EXPLICIT[name]:
        law, delta = _of(row, internal=row["geometry"] == "internal"), table["delta"]
        tolerance = np.full(delta.shape, 1e-13)
        if name == "persson":
            near = delta / (ratio * (float(row["radius_i"]) - float(row["radius_j"])))
            tolerance = np.where(near > 0.9, 1e-13 / (1 - near), 1e-13)
        _meets(law.force(delta), table["force"], tolerance)
        _meets(law.stiffness(delta), table["slope"], tolerance)
        _meets(law.energy(delta), table["energy"], tolerance)
        # The inverse of the force that was found: Newton stops at one unit of δ.
        _meets(law.indentation(law.force(delta)), delta, 1e-13)


@pytest.mark.parametrize("name", LOGARITHMIC)
def test_exact_logarithmic_laws_are_those_of_the_golden_table(name):
    """At 60 digits by mpmath, with the tolerances of golden/logarithmic-laws/provenance.toml."""
    for row, table in LOGARITHMIC[name]:
        law, delta, w = _of(row, internal=row["internal"] == "1"), table["delta"], table["w"]
        length = float(row["length"])
        condition, steepness = 1e-13 * np.maximum(1, w / (w - 1)), 1e-13 * np.maximum(1, w / (w - 1) ** 2)
        _meets(law.force(delta), length * table["line_load"], condition)
        _meets(law.stiffness(delta), table["slope"], steepness)
        _meets(law.energy(delta), table["energy"], condition)
        # The forward formula is well conditioned.
        _meets(law.indentation(length * table["line_load"]), delta, 1e-14)
        assert law.limits["force"] == pytest.approx(length * table["limit_line_load"][0], rel=1e-14)
        assert law.limits["indentation"] == pytest.approx(table["limit_delta"][0], rel=1e-14)


def test_exact_a_fit_of_a_power_law_finds_it():
    """Hertz' law is K δ^1.5."""
    found = jp.fit("hertz", stiffness=4e9, max_force="1 kN")
    assert found["exponent"] == pytest.approx(1.5, rel=1e-9)
    assert found["stiffness"] == pytest.approx(4e9, rel=1e-9)


def test_peer_domains_are_those_of_the_program(program):
    wanted = json.loads(program("domain", "johnson,radzimovsky", "--material", "steel", "--count", "3", "--json").stdout)
    assert jp.domain(["johnson", "radzimovsky"], material="steel", count=3) == wanted
    assert jp.domain("johnson,radzimovsky", material="steel", count=np.int64(3)) == wanted


def test_published_impact_of_two_spheres():
    """Skrinjar 2018: two spheres of 9.2 kg, K = 5.2e9, Lankarani–Nikravesh; the closed form gives 0.795972595365."""
    hit = jp.impact(elastic="hertz", stiffness=5.2e9, damping="lankarani-nikravesh", restitution=0.7, mass=[9.2, 9.2], speed=0.3)
    assert hit["restitution"] == pytest.approx(0.795972595365, abs=1e-9)
    assert hit["duration"] == pytest.approx(1.006594148e-3, rel=1e-8)


def test_property_units_texts_and_pint_are_the_same_law():
    pint = pytest.importorskip("pint")
    units = pint.UnitRegistry()
    numbers = jp.law("johnson", bearing_radius=0.01, journal_radius=0.0095, length=0.015, material="steel")
    texts = jp.law("johnson", bearing_radius="10 mm", journal_radius="9.5mm", length="15 mm", material="steel")
    quantities = jp.law("johnson", bearing_radius=10 * units.mm, journal_radius=9.5 * units.mm, length=1.5 * units.cm, material="steel")
    assert numbers.force(1e-6) == texts.force(1e-6) == pytest.approx(quantities.force(1e-6), rel=1e-14)


def test_property_all_laws_are_in_the_table_and_have_sheets():
    table = jp.laws()
    names = list(table["id"])
    assert len(names) == len(set(names)) > 50
    for name in names:
        sheet = jp.sheet(name)
        assert sheet["formula"]
        assert sheet["id"] in sheet._repr_markdown_()


def test_property_what_is_missing_is_said_at_once():
    with pytest.raises(jp.InputError) as wrong:
        jp.law("johnson")
    assert len(wrong.value.problems) >= 3
    with pytest.raises(jp.InputError, match="jonson"):
        jp.law("jonson", stiffness=1)


def test_property_odd_arrays_are_taken_or_refused():
    law = jp.law("hertz", stiffness=1e9)
    strided = np.arange(10.0)[::3] * 1e-6
    np.testing.assert_array_equal(law.force(strided), law.force(strided.copy()))
    assert np.isnan(law.force(np.nan))
    assert law.force([]).shape == (0,)
    assert law.force(np.array([1, 2], dtype=np.int32)).shape == (2,)
    with pytest.raises((TypeError, ValueError)):
        law.force("deep")
