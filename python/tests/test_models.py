"""Models built in Python, and their forms elsewhere."""

from __future__ import annotations

import subprocess
import sys

import jointplay as jp
import numpy as np
import pytest
from conftest import ROOT


def slider_crank() -> jp.Model:
    model = jp.Model("slider-crank", gravity=[0, "-9.81 m/s^2"])
    c = model.parameter("c", "0.25 mm")
    crank = model.body("crank", mass=0.3, inertia=1e-4)
    rod = model.body("rod", mass="1.13 kg", inertia=0.0153, position=[0.2, 0])
    slider = model.body("slider", mass=1.013, inertia=1e-4, position=[0.35, 0])
    axis = model.revolute("axis", a=jp.GROUND.at(), b=crank.at())
    model.revolute("crank-pin", a=crank.at("50 mm", 0), b=rod.at("-150 mm", 0))
    model.revolute(
        "pin",
        kind="clearance",
        a=rod.at("150 mm", 0),
        b=slider.at(),
        bearing_radius="10 mm",
        clearance=f"= {c}",
        law="hertz+flores",
        restitution=0.46,
        material="steel",
    )
    model.prismatic("guide", a=jp.GROUND.at(), b=slider.at())
    model.driver("motor", joint=axis, speed="200 rpm")
    model.metric("top", "max(pin.force)")
    return model.section("run", until="50 ms")


def test_property_a_model_of_python_is_a_model_file(tmp_path):
    model = slider_crank()
    run = model.case().run()
    assert run.summary["contacts"]["pin"]["impacts"] > 0
    assert run.metrics["top"] == pytest.approx(run["pin.force"].max(), rel=0.5)
    again = jp.load(model.save(tmp_path / "model.toml")).run()
    assert np.array_equal(again["slider.x"], run["slider.x"])
    wide = model.case().set(c="0.5 mm").run()
    assert not np.array_equal(wide["pin.ex"], run["pin.ex"])


def test_exact_a_pendulum_of_python_swings_with_its_period():
    """Small oscillations of a uniform rod on its end: T = 2π √(2 l / 3 g)."""
    model = jp.Model(gravity=[0, -9.81])
    rod = model.body("rod", mass=1.0, inertia=1 / 12, position=[1e-4, -0.5], angle=-np.pi / 2 + 2e-4)
    model.revolute("pivot", a=jp.GROUND.at(), b=rod.at(-0.5, 0))
    period = 2 * np.pi * np.sqrt(2 / (3 * 9.81))
    run = model.run(until=period, rtol=1e-10)
    assert run["rod.angle"][-1] == pytest.approx(run["rod.angle"][0], abs=1e-9)


def test_property_wrong_keys_are_found_where_they_are_typed():
    model = jp.Model()
    with pytest.raises(TypeError, match="mas"):
        model.body("a", mas=1)  # type: ignore[call-arg]
    model.body("a", mass=1)
    with pytest.raises(ValueError, match="two bodies"):
        model.body("a", mass=1)


def test_property_methods_and_keywords_are_those_of_the_program():
    """`_elements.py` and `_keys.py` are written from the schemas and the help of the commands."""
    done = subprocess.run([sys.executable, str(ROOT / "python" / "generate.py"), "--check"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_property_results_in_other_forms(tmp_path):
    run = jp.example("slider-crank").run(until=0.05)
    pandas = pytest.importorskip("pandas")
    frame = run.to_pandas()
    assert list(frame.columns) == run.channels
    assert frame.attrs["units"]["pin.force"] == "N"
    polars = pytest.importorskip("polars")
    assert np.array_equal(run.to_polars()["pin.force"].to_numpy(), run["pin.force"])
    pytest.importorskip("xarray")
    data = run.to_xarray(["pin.force", "rod.angle"])
    assert data["rod.angle"].attrs["units"] == "rad"
    run.to_parquet(tmp_path / "run.parquet")
    table = polars.read_parquet(tmp_path / "run.parquet")
    assert np.array_equal(table["pin.force [N]"].to_numpy(), run["pin.force"])
    run.to_csv(tmp_path / "run.csv")
    read = pandas.read_csv(tmp_path / "run.csv")
    np.testing.assert_allclose(read["pin.force [N]"], run["pin.force"], rtol=1e-15)
    scipy = pytest.importorskip("scipy.io")
    run.to_mat(tmp_path / "run.mat")
    mat = scipy.loadmat(tmp_path / "run.mat", squeeze_me=True, struct_as_record=False)
    assert np.array_equal(mat["channels"].pin_force, run["pin.force"])
    assert mat["units"].pin_force == "N"


def test_property_figures_have_units(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    run = jp.example("slider-crank").run(until=0.1)
    panels = run.plot("slider.x", "pin.force")
    assert [panel.get_ylabel() for panel in panels] == ["slider.x (mm)", "pin.force (kN)"]
    assert run.orbit("pin").get_xlabel() == "$e_x$ (µm)"
    assert run.loop("pin").get_xlabel() == "indentation δ (µm)"
    assert run.section("pin.ex", "pin.ey", 0.01).lines[0].get_xdata().size == 10
    run.animate("pin", duration=0.2, fps=10).save(tmp_path / "motion.gif")
    assert (tmp_path / "motion.gif").read_bytes()[:3] == b"GIF"


def test_property_notebooks_show_cases_runs_laws_and_studies():
    case = jp.example("slider-crank").set({"run.until": 0.02})
    assert case._repr_svg_().startswith("<svg")
    assert "<iframe srcdoc=" in case.run()._repr_html_()
    assert "johnson" in jp.sheet("johnson")._repr_markdown_()
    study = jp.sweep(case, {"joints.pin.restitution": [0.5, 0.6]}, ["pin.impacts"])
    assert '<img src="data:image/png;base64,' in study._repr_html_()
