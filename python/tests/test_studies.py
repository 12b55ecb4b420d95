"""Studies from Python."""

from __future__ import annotations

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
