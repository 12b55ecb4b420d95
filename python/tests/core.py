"""The package with NumPy only: run by `cargo xtask python` in an environment that has nothing else."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable

import jointplay as jp
import numpy as np

OTHERS = ("pandas", "matplotlib", "scipy", "xarray", "polars", "dask", "tqdm", "pint")


def refusal(ask: Callable[[], object]) -> str:
    """What is said where a package is missing."""
    try:
        ask()
    except ImportError as missing:
        return str(missing)
    return "nothing is missing"


def main() -> None:
    """Goes once through everything that needs NumPy only."""
    assert not [name for name in OTHERS if importlib.util.find_spec(name)], "this environment is to have NumPy only"
    case = jp.example("slider-crank").set({"run.until": 0.02})
    run = case.run()
    assert run["pin.force"].shape == run.t.shape
    assert isinstance(run.impacts, jp.Table)
    assert run.impacts["start"].size == run.impacts.rows > 0
    assert "Table" in repr(run.impacts)
    assert "<iframe" in run._repr_html_()
    assert "<svg" in str(case._repr_svg_())
    study = jp.sweep(case, {"joints.pin.restitution": [0.4, 0.6]}, {"top": lambda run: run["pin.force"].max()})
    assert isinstance(study.table, jp.Table)
    assert (np.asarray(study.table["top"]) > 0).all()
    assert "2 of 2 runs" in study._repr_html_()
    assert study.case(1).run().t[-1] == 0.02
    assert jp.law("hertz", stiffness=1e9).force(1e-6) == 1.0
    assert jp.laws().rows > 50
    assert jp.impact(stiffness=5.2e9, mass=1.0, speed=0.3, restitution=0.5)["restitution"] > 0
    with tempfile.TemporaryDirectory() as folder:
        run.save(folder + "/result", page=False)
        assert jp.open(folder + "/result")["pin.force"].tolist() == run["pin.force"].tolist()
        run.to_csv(folder + "/run.csv")
        run.to_parquet(folder + "/run.parquet")
    refused = {
        "plot": lambda: run.plot("pin.force"),
        "orbit": lambda: run.orbit("pin"),
        "loop": lambda: run.loop("pin"),
        "section": lambda: run.section("pin.ex", "pin.ey", 0.01),
        "animate": lambda: run.animate("pin"),
        "study": lambda: study.plot(),
        "progress": lambda: case.run(progress=True),
        "pandas": lambda: run.to_pandas(),
        "polars": lambda: run.to_polars(),
        "xarray": lambda: run.to_xarray(),
        "mat": lambda: run.to_mat("run.mat"),
        "grid": lambda: study.to_xarray(),
    }
    for name, ask in refused.items():
        assert "pip install 'jointplay[" in refusal(ask), f"{name}: {refusal(ask)}"
    program = subprocess.run([sys.executable, "-m", "jointplay", "laws", "johnson"], capture_output=True, text=True, check=True)
    assert "Johnson" in program.stdout


if __name__ == "__main__":
    main()
