"""One engine: the same bits from Python, from the command line, from threads and from other processes."""

from __future__ import annotations

import json
import os
import pickle
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import jointplay as jp
import numpy as np
import pytest

FORCED = """
format = 1
name = "forced"
[bodies.mass]
mass = 1
inertia = 1
[forces.push]
type = "force"
on = { body = "mass" }
direction = [1, 0]
value = { table = "push.csv" }
[forces.wall]
type = "stop"
x = { body = "mass" }
above = "1 mm"
law = { elastic = "hertz", stiffness = "1e8 N/m^1.5", damping = "flores" }
restitution = 0.7
[run]
until = "0.2 s"
"""
PUSH = "t [s], F [N]\n0, 0\n0.05, 5\n0.1, 7\n0.2, -3\n0.3, 0\n"


LONG = {"chain"}
"""Models whose whole run is for soak."""


def short(case: jp.Case) -> jp.Case:
    return case.set({"run.until": min(case.until, 0.1)})


def files(folder: Path) -> dict[str, bytes]:
    """What a result says, without what it cost."""
    found = {name: (folder / name).read_bytes() for name in ("channels.csv", "impacts.csv", "modes.csv", "channels.parquet")}
    summary = json.loads((folder / "summary.json").read_text())
    summary.pop("wall_seconds")
    return found | {"summary": json.dumps(summary).encode()}


@pytest.mark.parametrize("name", jp.examples())
def test_peer_runs_of_shipped_models_are_those_of_the_program(name, program, tmp_path):
    model = tmp_path / "model.toml"
    case = jp.example(name)
    if name in LONG and "JOINTPLAY_SOAK" not in os.environ:
        case = short(case)
    model.write_text(case.toml())
    done = program("run", str(model), "--out", str(tmp_path / "program"), "--no-page", "--json")
    assert done.returncode == 0, done.stderr
    run = jp.load(model).run()
    run.save(tmp_path / "python", page=False)
    assert files(tmp_path / "python") == files(tmp_path / "program")
    stored = jp.open(tmp_path / "program")
    for channel in run.channels:
        assert np.array_equal(run[channel], stored[channel], equal_nan=True)
    assert np.array_equal(run.t, stored.t)


def test_peer_a_model_with_a_table_from_text_is_that_of_the_program(program, tmp_path):
    (tmp_path / "model.toml").write_text(FORCED)
    (tmp_path / "push.csv").write_text(PUSH)
    done = program("run", str(tmp_path / "model.toml"), "--out", str(tmp_path / "program"), "--no-page")
    assert done.returncode == 0, done.stderr
    run = jp.loads(FORCED, {"push.csv": PUSH}).run()
    run.save(tmp_path / "python", page=False)
    assert files(tmp_path / "python") == files(tmp_path / "program")
    # The folder has all that is needed.
    again = jp.open(tmp_path / "python").case.run()
    assert np.array_equal(again["mass.x"], run["mass.x"])


def peak(case: jp.Case) -> tuple[str, float, bytes]:
    run = case.run()
    return run.digest, float(run["pin.force"].max()), run["pin.ex"].tobytes()


def test_property_threads_and_processes_give_the_same_bits():
    base = short(jp.example("slider-crank"))
    cases = [base.set({"joints.pin.restitution": r}) for r in (0.3, 0.5, 0.7, 0.9)]
    here = [peak(case) for case in cases]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(peak, cases)) == here
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert list(processes.map(peak, cases)) == here


def test_property_cases_and_results_pickle():
    case = jp.loads(FORCED, {"push.csv": PUSH}).set({"forces.wall.restitution": 0.5})
    there = pickle.loads(pickle.dumps(case))
    assert there.digest == case.digest
    run = case.run()
    kept = pickle.loads(pickle.dumps(run))
    assert np.array_equal(kept["mass.x"], run["mass.x"])
    assert kept.summary == run.summary
    assert kept.case == case
    assert list(kept.impacts["start"]) == list(run.impacts["start"])
    with pytest.raises(KeyError, match="was not kept"):
        kept["no.channel"]


def test_property_studies_pickle():
    case = short(jp.example("slider-crank"))
    study = jp.sweep(case, {"joints.pin.restitution": [0.4, 0.6]}, ["pin.peak_force"])
    there = pickle.loads(pickle.dumps(study))
    assert there.findings == study.findings
    assert list(there.table["pin.peak_force"]) == list(study.table["pin.peak_force"])
    with pytest.raises(jp.StoreError, match="page"):
        there.page  # noqa: B018
    study.page  # noqa: B018
    there = pickle.loads(pickle.dumps(study))
    assert there.page.read_text(encoding="utf-8").startswith("<!")
    with pytest.raises(jp.InputError) as wrong:
        jp.loads("x =").check()
    assert pickle.loads(pickle.dumps(wrong.value)).problems == wrong.value.problems


def test_property_every_result_has_the_same_forms(tmp_path):
    run = short(jp.example("slider-crank")).run()
    run.save(tmp_path / "result", page=False)
    kept, stored = pickle.loads(pickle.dumps(run)), jp.open(tmp_path / "result")
    for name, result in (("run", run), ("kept", kept), ("stored", stored)):
        result.to_parquet(tmp_path / f"{name}.parquet")
        result.to_csv(tmp_path / f"{name}.csv")
    for form in ("parquet", "csv"):
        assert len({(tmp_path / f"{name}.{form}").read_bytes() for name in ("run", "kept", "stored")}) == 1
    assert (tmp_path / "run.parquet").read_bytes() == (tmp_path / "result" / "channels.parquet").read_bytes()
    assert pickle.loads(pickle.dumps(stored)).summary == stored.summary


def test_property_a_run_goes_on_from_a_state():
    case = short(jp.example("slider-crank"))
    whole = case.run()
    first = case.run(until=0.05)
    later = case.start_from(first.state()).run()
    assert later.t[0] == 0.05
    assert later.t[-1] == whole.t[-1]
    # Two integrations of the same motion: to the tolerance, not to the bit.
    assert later["slider.x"][-1] == pytest.approx(whole["slider.x"][-1], abs=1e-6)
    # A time that was not kept is reached by running again.
    between = whole.state(0.0123456)
    assert between["t"] == 0.0123456
    with pytest.raises(jp.InputError, match="outside the run"):
        whole.state(1e3)
