"""Studies on a Dask cluster of processes: the same bits in the same folder, whatever happens to the workers."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
import warnings
from pathlib import Path

import jointplay as jp
import numpy as np
import pytest

distributed = pytest.importorskip("distributed")

from jointplay import _dask  # noqa: E402

DATA = Path(__file__).parents[2] / "studies" / "two-spheres-pulse.csv"


@pytest.fixture(scope="module")
def client():
    """Two worker processes on this machine, which are started again when they die."""
    import dask

    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 1, "distributed.worker.daemon": False}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=60) as cluster,
        distributed.Client(cluster) as client,
    ):
        yield client


def until_both_are_back(client) -> None:
    deadline = time.monotonic() + 60
    while len(client.nthreads()) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)


def crank(until: float = 0.02) -> jp.Case:
    return jp.example("slider-crank").set({"run.until": until})


def tables(folder: Path) -> dict[str, bytes]:
    """Everything that a study says, without where it says it."""
    found = {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix in (".csv", ".parquet")}
    findings = json.loads((folder / "study.json").read_text().replace(str(folder), "FOLDER"))
    return found | {"findings": json.dumps(findings, sort_keys=True).encode()}


def journal(folder: Path) -> list[str]:
    return sorted((folder / "runs.jsonl").read_text().splitlines())


STUDIES = {
    "sweep": lambda **keys: jp.sweep(
        crank(),
        {"drivers.motor.speed": "100rpm:300rpm:4", "law": ["hertz+flores", "hertz+exact"]},
        ["pin.peak_force", "pin.impacts"],
        **keys,
    ),
    "warm": lambda **keys: jp.sweep(
        crank(0.3), {"joints.pin.clearance": [1e-4, 2e-4], "joints.pin.restitution": "0.4:0.6:3"}, ["pin.impacts"], warm_start=True, **keys
    ),
    "tolerance": lambda **keys: jp.tolerance(crank(), {"joints.pin.fit": "20 H7/f7"}, ["pin.peak_force"], samples=16, **keys),
    "sensitivity": lambda **keys: jp.sensitivity(
        crank(), {"joints.pin.clearance": "0.1mm:0.4mm", "joints.pin.restitution": "0.3:0.8"}, ["pin.peak_force"], samples=4, **keys
    ),
    "bifurcation": lambda **keys: jp.bifurcation(
        crank(), {"drivers.motor.speed": "200rpm:204rpm:2"}, ["pin.ex"], "motor", transient=1, periods=4, both_ways=True, **keys
    ),
    "restarted": lambda **keys: jp.bifurcation(
        crank(), {"drivers.motor.speed": "200rpm:204rpm:2"}, ["pin.ex"], "motor", transient=1, periods=4, restart=True, **keys
    ),
    "optimise": lambda **keys: jp.optimise(
        crank(0.01), {"joints.pin.clearance": "0.05mm:0.5mm"}, minimise="pin.peak_force", budget=30, **keys
    ),
    "identify": lambda **keys: jp.identify(
        jp.example("two-spheres"), {"contacts.pin.restitution": (0.2, 1.0)}, DATA, {"force": "pin.force"}, budget=400, **keys
    ),
}


@pytest.mark.parametrize("kind", STUDIES)
def test_property_every_study_is_that_of_this_machine(client, kind, tmp_path):
    here = STUDIES[kind](out=tmp_path / "here")
    there = STUDIES[kind](out=tmp_path / "there", client=client)
    assert there.findings["runs"] == here.findings["runs"] > 0
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
    # The journal has the same lines, so that either can go on with what the other has begun.
    assert journal(tmp_path / "there") == journal(tmp_path / "here")


def test_property_what_is_known_is_not_run_again(client, tmp_path):
    first = STUDIES["sweep"](out=tmp_path / "study")
    before = (tmp_path / "study" / "runs.jsonl").read_bytes()
    # Half of the journal: the workers run the other half.
    lines = before.splitlines(keepends=True)
    (tmp_path / "study" / "runs.jsonl").write_bytes(b"".join(lines[: len(lines) // 2 + 1]))
    again = STUDIES["sweep"](out=tmp_path / "study", client=client)
    assert again.table.equals(first.table)
    assert journal(tmp_path / "study") == sorted(before.decode().splitlines())
    # And nothing at all the third time.
    STUDIES["sweep"](out=tmp_path / "study", client=client)
    assert journal(tmp_path / "study") == sorted(before.decode().splitlines())


def test_property_a_study_file_runs_on_a_cluster(client, tmp_path):
    (tmp_path / "model.toml").write_text(crank().toml())
    (tmp_path / "study.toml").write_text(
        'format = 1\nkind = "sweep"\nmodel = "model.toml"\nmetrics = ["pin.impacts"]\n'
        '[[vary]]\nkey = "joints.pin.restitution"\nvalues = "0.4,0.5,0.6"\n'
    )
    here = jp.open_study(tmp_path / "study.toml")
    there = jp.open_study(tmp_path / "study.toml", client=client)
    assert there.table.equals(here.table)


def peak(run: jp.Run) -> float:
    return float(run["pin.force"].max())


def test_property_functions_of_a_run_are_metrics_here_and_there(client, tmp_path):
    vary = {"joints.pin.restitution": "0.3:0.9:5"}
    limit = 40.0

    def above(run):
        return float((run["pin.force"] > limit).mean())

    metrics = {"peak": peak, "above": above, "pin.impacts": "pin.impacts", "none": lambda run: None}
    here = jp.sweep(crank(), vary, metrics, out=tmp_path / "here")
    there = jp.sweep(crank(), vary, metrics, out=tmp_path / "there", client=client)
    assert there.table.equals(here.table)
    assert np.isnan(here.table["none"]).all()
    alone = [crank().set({"joints.pin.restitution": r}).run() for r in here.table["joints.pin.restitution"]]
    assert list(here.table["peak"]) == [peak(run) for run in alone]
    # What the same function measured is known; another function has to measure itself.
    before = len(journal(tmp_path / "here"))
    jp.sweep(crank(), vary, metrics, out=tmp_path / "here")
    assert len(journal(tmp_path / "here")) == before
    limit = 10.0
    other = jp.sweep(crank(), vary, metrics, out=tmp_path / "here")
    assert len(journal(tmp_path / "here")) == 2 * before - 1
    assert (other.table["above"] > here.table["above"]).any()
    best = jp.optimise(crank(0.01), {"joints.pin.clearance": "0.05mm:0.5mm"}, minimise=peak, budget=30, client=client)
    assert best.findings["best"] == STUDIES_PEAK().findings["best"]


def STUDIES_PEAK() -> jp.Study:
    return jp.optimise(crank(0.01), {"joints.pin.clearance": "0.05mm:0.5mm"}, minimise=peak, budget=30)


def test_property_what_a_function_raises_is_raised(client):
    def broken(run):
        return 1 / 0

    for where in ({}, {"client": client}):
        with pytest.raises(ZeroDivisionError) as raised:
            jp.sweep(crank(), {"joints.pin.restitution": "0.3:0.9:5"}, [broken], **where)
        assert raised.value.partial.findings["runs"] < 5
        with pytest.raises(TypeError, match="one number"):
            jp.sweep(crank(), {"joints.pin.restitution": "0.3:0.9:5"}, {"all": lambda run: run.t}, **where)


def test_property_a_worker_that_dies_costs_nothing(client, tmp_path):
    """One of the two worker processes is killed in the middle."""
    case = crank(0.1)
    vary = {"joints.pin.restitution": "0.3:0.9:120"}
    jp.sweep(case, vary, ["pin.peak_force"], out=tmp_path / "here")
    killed: list[int] = []

    def kill() -> None:
        path = tmp_path / "there" / "runs.jsonl"
        while not path.exists() or path.read_bytes().count(b"\n") < 20:
            time.sleep(0.01)
        pids = client.run(os.getpid)
        killed.append(next(iter(pids.values())))
        os.kill(killed[0], signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    there = jp.sweep(case, vary, ["pin.peak_force"], out=tmp_path / "there", client=client)
    killer.join()
    assert killed
    assert there.findings["runs"] == 120
    assert there.findings["failed"] == 0
    assert tables(tmp_path / "there") == tables(tmp_path / "here")
    assert journal(tmp_path / "there") == journal(tmp_path / "here")
    until_both_are_back(client)


def deadly(run: jp.Run) -> float:
    if abs(run.case.set({}).toml().count("restitution = 0.6")) and threading.current_thread() is not threading.main_thread():
        os.kill(os.getpid(), signal.SIGKILL)
    return float(run.t[-1])


def test_property_a_run_that_kills_its_workers_is_a_row_without_result(client, tmp_path):
    vary = {"joints.pin.restitution": [0.4, 0.5, 0.6, 0.7]}
    found = jp.sweep(crank(), vary, [deadly], out=tmp_path / "study", client=client)
    assert found.findings["runs"] == 4
    assert found.findings["failed"] == 1
    outcome = list(found.table["outcome"])
    assert outcome[2].startswith("failed: the run ended every Dask worker")
    assert [o for o in outcome if not o.startswith("failed")] == ["reached-end"] * 3
    # It is not kept: a study that goes on tries it again.
    assert len(journal(tmp_path / "study")) == 1 + 3
    until_both_are_back(client)


def test_property_workers_of_another_engine_are_refused(client):
    def other() -> None:
        from jointplay import _jointplay

        _jointplay.engine = "0" * 64

    def same(engine: str) -> None:
        from jointplay import _jointplay

        _jointplay.engine = engine

    address = next(iter(client.scheduler_info()["workers"]))
    client.run(other, workers=[address])
    try:
        with pytest.raises(jp.RunError, match="another engine") as refused:
            jp.sweep(crank(), {"joints.pin.restitution": [0.5]}, ["pin.impacts"], client=client)
        assert address in str(refused.value)
    finally:
        client.run(same, jp.engine, workers=[address])
    # One that comes later is refused by the task that it gets.
    parcel = _dask.Parcel("key", "0" * 64, {}, None)
    with pytest.raises(jp.RunError, match="another engine"):
        client.submit(_dask._answer, parcel, "", []).result()


def test_property_what_is_no_client_is_refused():
    with pytest.raises(TypeError, match=r"dask\.distributed\.Client"):
        jp.sweep(crank(), {"joints.pin.restitution": [0.5]}, ["pin.impacts"], client="tcp://127.0.0.1:8786")


def test_property_a_chunk_takes_about_the_time_that_it_should():
    class Taken:
        def take(self, count):
            return [(0, "")] * count, None

    crew = object.__new__(_dask.Crew)
    crew.seconds, crew.bytes, crew.chunk, crew.slots = None, 1.0, 1, 2
    assert crew._count(None) == 1
    crew._learn([["row"]] * 1, 0.01)
    assert [crew._count(None) for _ in range(4)] == [8, 64, 200, 200]
    assert crew._count(100) == 25
    crew._learn([["x" * 4_000_000]], 0.01)
    assert crew._count(None) == 4


def test_property_ctrl_c_stops_a_study_on_a_cluster(client, tmp_path):
    case = crank(0.3)
    stop = threading.Timer(2.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    # Programs in the background ignore Ctrl-C.
    usual = signal.signal(signal.SIGINT, signal.default_int_handler)
    stop.start()
    try:
        with pytest.raises(KeyboardInterrupt) as stopped:
            jp.sweep(case, {"joints.pin.restitution": "0.3:0.9:5000"}, ["pin.impacts"], client=client)
    finally:
        stop.cancel()
        signal.signal(signal.SIGINT, usual)
    assert 0 < stopped.value.partial.findings["runs"] < 5000
    # The workers are free again.
    assert client.submit(lambda: 1, pure=False).result(timeout=30) == 1


def test_property_the_job_script_of_slurm_starts_workers(tmp_path):
    """The recipe of docs/clusters.md, as far as it goes without Slurm."""
    jobqueue = pytest.importorskip("dask_jobqueue")
    text = (Path(__file__).parents[2] / "docs" / "clusters.md").read_text()
    recipe = text.split("```python\n# Slurm\n")[1].split("```")[0]
    made = recipe.split("cluster.scale")[0]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names: dict[str, object] = {}
        exec(made.replace("SLURMCluster(", "SLURMCluster(scheduler_options={'dashboard_address': None}, "), names)
    cluster = names["cluster"]
    assert isinstance(cluster, jobqueue.SLURMCluster)
    try:
        script = cluster.job_script()
    finally:
        cluster.close()
    assert script.startswith("#!")
    assert "#SBATCH --cpus-per-task=16" in script or "#SBATCH -n 1" in script
    assert "--nworkers 16" in script
    assert "--nthreads 1" in script
    assert "distributed.cli.dask_worker" in script or "dask worker" in script
    assert "source" in script
