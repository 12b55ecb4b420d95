"""Studies from Python."""

from __future__ import annotations

import pickle

import jointplay as jp
import numpy as np
import pytest

ISHIGAMI = """
format = 1
[parameters]
a = 1
b = 1
c = 1
[bodies.a]
mass = 1
[metrics]
y = "sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)"
[run]
until = 1e-3
"""


def test_peer_a_sweep_is_that_of_the_program(program, tmp_path):
    case = jp.example("slider-crank").set({"run.until": 0.02})
    (tmp_path / "model.toml").write_text(case.toml())
    vary = {"drivers.motor.speed": "100rpm:300rpm:3", "joints.pin.restitution": [0.4, 0.6]}
    flags = ["--vary", "drivers.motor.speed=100rpm:300rpm:3", "--vary", "joints.pin.restitution=0.4,0.6", "--metric", "pin.peak_force"]
    done = program("sweep", str(tmp_path / "model.toml"), *flags, "--out", str(tmp_path / "program"), "--json")
    assert done.returncode == 0, done.stderr
    found = jp.sweep(case, vary, ["pin.peak_force"], out=tmp_path / "python", jobs=2)
    assert (tmp_path / "python" / "table.csv").read_bytes() == (tmp_path / "program" / "table.csv").read_bytes()
    assert found.findings["runs"] == 6
    pytest.importorskip("xarray")
    data = found.to_xarray()
    assert data["pin.peak_force"].shape == (3, 2)
    assert data["pin.peak_force"].attrs["units"] == "N"
    # What is there is not run again.
    again = jp.sweep(case, vary, ["pin.peak_force"], out=tmp_path / "python")
    assert np.array_equal(again.table["pin.peak_force"], found.table["pin.peak_force"])


def test_property_a_temporary_folder_goes_with_its_study():
    study = jp.sweep(jp.example("slider-crank").set({"run.until": 0.01}), {"joints.pin.restitution": [0.5]}, ["pin.impacts"])
    folder = study.folder
    assert folder.exists()
    del study
    assert not folder.exists()


def test_property_wrong_studies_are_refused():
    case = jp.example("slider-crank")
    with pytest.raises(jp.InputError, match="clearence"):
        jp.sweep(case, {"joints.pin.clearence": [1e-4]}, ["pin.impacts"])
    with pytest.raises(jp.InputError, match=r"pin\.impact"):
        jp.sweep(case, {"joints.pin.clearance": [1e-4]}, ["pin.impacs"])
    with pytest.raises(jp.InputError):
        jp.study("sweep", case, {"joints.pin.clearance": [1e-4]}, nonsense=1)
    with pytest.raises(TypeError):
        jp.sweep(case, {"joints.pin.clearance": 1e-4})


def test_exact_tolerance_of_a_uniform_parameter():
    found = jp.tolerance(jp.loads(ISHIGAMI), {"parameters.a": "uniform(0, 1)"}, ["a"], samples=256).findings["metrics"]["a"]
    assert found["mean"] == pytest.approx(0.5, abs=2e-3)
    assert found["std"] == pytest.approx(12**-0.5, abs=3e-3)


def test_published_sensitivity_of_ishigami():
    """Ishigami's function with a = 7, b = 0.1: total indices 0.55758886, 0.44241114, 0.24368366."""
    vary = {f"parameters.{name}": (-np.pi, np.pi) for name in "abc"}
    indices = jp.sensitivity(jp.loads(ISHIGAMI), vary, ["y"], samples=1024).findings["indices"]["y"]
    for name, total in zip("abc", (0.55758886, 0.44241114, 0.24368366), strict=True):
        found = indices[f"parameters.{name}"]
        assert found["total"] == pytest.approx(total, abs=0.03)
        assert found["total_low"] < found["total"] < found["total_high"]


# Parts, rows, datasets


SPEEDS = {"drivers.motor.speed": "100rpm:300rpm:3", "joints.pin.restitution": [0.4, 0.6]}


@pytest.fixture(scope="module")
def short():
    return jp.example("slider-crank").set({"run.until": 0.01})


def test_property_parts_that_are_merged_are_the_whole_study(short, tmp_path):
    whole = jp.sweep(short, SPEEDS, ["pin.peak_force"])
    parts = [jp.sweep(short, SPEEDS, ["pin.peak_force"], out=tmp_path / str(i), part=(i, 2)) for i in (1, 2)]
    assert [part.findings["runs"] for part in parts] == [3, 3]
    merged = jp.merge([part.folder for part in parts], tmp_path / "merged")
    assert merged.findings["runs"] == 6
    assert list(merged.table["pin.peak_force"]) == list(whole.table["pin.peak_force"])
    # A part that is missing stays open, and is run by the next one.
    half = jp.merge([parts[0].folder], tmp_path / "half")
    assert (half.findings["runs"], half.findings["points"]) == (3, 6)
    assert jp.open_study(tmp_path / "half").findings["runs"] == 6


def test_property_wrong_parts_are_refused(short, tmp_path):
    for part, kind in (((0, 2), ValueError), ((3, 2), ValueError), ((1.0, 2), TypeError), ("1/2", TypeError), (1, TypeError)):
        with pytest.raises(kind):
            jp.sweep(short, SPEEDS, ["pin.impacts"], part=part)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="folders is a list"):
        jp.merge("folder", tmp_path / "whole")
    with pytest.raises(jp.InputError, match="no folder"):
        jp.merge([], tmp_path / "whole")
    with pytest.raises(jp.InputError):
        jp.merge([tmp_path / "nothing"], tmp_path / "whole")
    with pytest.raises(jp.InputError, match="no parts"):
        jp.optimise(short, {"joints.pin.restitution": (0.3, 0.9)}, minimise="pin.peak_force", budget=12, part=(1, 2))


def test_property_a_row_of_a_study_is_a_case(short):
    study = jp.sweep(short, SPEEDS, ["pin.peak_force"])
    for row in (0, 5):
        peak = study.case(row).run().summary["contacts"]["pin"]["peak_force"]
        assert peak == study.table["pin.peak_force"][row]
    assert study.case(np.int64(2)).digest == study.case(2).digest
    there = pickle.loads(pickle.dumps(study))
    assert there.case(5).digest == study.case(5).digest
    for row, kind in ((-1, IndexError), (6, (IndexError, jp.InputError)), (1.5, TypeError), ("1", TypeError)):
        with pytest.raises(kind):
            study.case(row)
    search = jp.optimise(short, {"joints.pin.restitution": (0.3, 0.9)}, minimise="pin.peak_force", budget=12)
    assert search.case(3).run().summary["contacts"]["pin"]["peak_force"] == search.table["pin.peak_force"][3]


def test_property_a_study_with_own_metrics_is_opened_with_them(short, tmp_path):
    metrics = {"top": lambda run: run["pin.force"].max()}
    made = jp.sweep(short, SPEEDS, metrics, out=tmp_path / "study")
    again = jp.open_study(tmp_path / "study", metrics=metrics)
    assert list(again.table["top"]) == list(made.table["top"])
    with pytest.raises(jp.InputError, match="top"):
        jp.open_study(tmp_path / "study")


def test_property_every_study_is_a_dataset(short):
    pytest.importorskip("xarray")
    grid = jp.sweep(short, SPEEDS, ["pin.peak_force"])
    data = grid.to_xarray()["pin.peak_force"]
    assert data.dims == tuple(SPEEDS)
    for i, row in grid.table.iterrows():
        at = {key: row[key] for key in SPEEDS}
        assert float(data.sel(at)) == row["pin.peak_force"], i
    samples = jp.tolerance(short, {"joints.pin.fit": "20 H7/f7"}, ["pin.peak_force"], samples=4)
    listed = samples.to_xarray()["pin.peak_force"]
    assert listed.dims == ("run",)
    assert list(listed.values) == list(samples.table["pin.peak_force"])
    fast = {"drivers.motor.speed": "1500rpm:2000rpm:2"}
    diagram = jp.bifurcation(jp.example("slider-crank"), fast, ["pin.ex", "pin.ey"], "motor", transient=1, periods=4, both_ways=True)
    section = diagram.to_xarray()
    assert dict(section.sizes) == {"parameter": 2, "direction": 2, "index": 4}
    for _, row in diagram.section.iterrows():
        at = {"parameter": row["parameter"], "direction": row["direction"], "index": int(row["index"])}
        assert float(section["pin.ex"].sel(at)) == row["pin.ex"]
        assert float(section["pin.ey"].sel(at)) == row["pin.ey"]
    for _, row in diagram.table.iterrows():
        at = {"parameter": row["parameter"], "direction": row["direction"]}
        assert section["class"].sel(at).item() == row["class"]
    assert section["pin.ex"].attrs["units"] == "m"
    # A part has no run of some points.
    part = jp.sweep(short, SPEEDS, ["pin.peak_force"], part=(1, 6))
    assert part.to_xarray()["pin.peak_force"].size == 1


def test_property_problems_name_their_key_and_hint(short):
    for ask, key, hint in (
        (lambda: jp.sweep(short, {"joints.pin.clearence": [1e-4]}, ["pin.impacts"]), "joints.pin.clearence", "clearance"),
        (lambda: jp.sweep(short, {"joints.pin.restitution": "0.3:0.9"}, ["pin.impacts"]), "joints.pin.restitution", None),
        (lambda: jp.sweep(short, SPEEDS, ["pin.impacs"]), "metrics", "pin.impacts"),
        (lambda: jp.tolerance(short, SPEEDS, ["pin.impacts"], ["x<"]), "limits", None),
        (lambda: jp.study("sweep", short, SPEEDS, sampels=3), "sampels", "samples"),  # type: ignore[call-arg]
        (lambda: jp.law("johnson", bearing_radius="1 kg"), "bearing_radius", None),
        (lambda: jp.law("jonson"), "", "johnson"),
        (lambda: jp.law("johnson", clearance=1e-4, length=0.01), "material", "give material"),
        (lambda: jp.law("johnson", stiffness=1), "stiffness", None),
        (lambda: jp.law("hertz", stiffness=-1), "stiffness", None),
        (lambda: jp.law("hertz", stifness=1), "stifness", None),  # type: ignore[call-arg]
    ):
        with pytest.raises(jp.InputError) as wrong:
            ask()
        problems = wrong.value.problems
        assert any(problem.key == key and (hint is None or hint in (problem.hint or "")) for problem in problems), (key, hint, problems)
        assert all(problem.message for problem in problems)
