"""The Python package beside the engine, SciPy and Exudyn, and Dask beside threads.

usage: python benches/python/bench.py [run] [loop] [peers] [dask] [million]    (everything without words; dask:500 makes 500 runs)

Each line prints a ratio and the bound that it has to keep. Needs the package (a release wheel), and what is measured beside it:
pip install scipy numba exudyn dask distributed
"""

from __future__ import annotations

import gc
import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import jointplay as jp

HERE = Path(__file__).parent
EMPTY = """
format = 1
[parameters]
a = 1
[bodies.a]
mass = 1
[metrics]
y = "2*a"
[run]
until = 1e-3
"""


def best(job: Callable[[], object], repeats: int, clock: Callable[[], float] = time.process_time) -> float:
    """The shortest of several times (s)."""
    times = []
    for _ in range(repeats):
        gc.collect()
        start = clock()
        job()
        times.append(clock() - start)
    return min(times)


def line(what: str, ratio: float, bound: str, detail: str) -> None:
    print(f"{what:58s} {ratio:8.3f}   ({bound})   {detail}", flush=True)


def in_turn(jobs: list[Callable[[], object]], rounds: int, clock: Callable[[], float] = time.process_time) -> list[float]:
    """The median time of each job (s). They take turns, so that what else the machine does concerns all of them."""
    times = [[best(job, 1, clock) for job in jobs] for _ in range(rounds)]
    return [statistics.median(column) for column in zip(*times, strict=True)]


def run() -> None:
    """`case.run()` beside the run of the engine that it calls, in time of the processor, so that other programs do not count."""
    for name, until in (("slider-crank", 0.6), ("slider-crank", 0.01), ("four-bar", 0.5)):
        case = jp.example(name).set({"run.until": until}).check()
        case.run(progress=False)
        inner = case._case
        jobs = [lambda inner=inner: inner.run(None), lambda case=case: case.run(progress=False)]
        engine, whole = in_turn(jobs, 15, time.thread_time)
        detail = f"{1e3 * whole:.2f} ms, {1e3 * (whole - engine):.2f} ms more than the engine"
        line(f"case.run(), {name} until {until} s", whole / engine, "at most 1.05, or 1 ms", detail)


def loop(runs: int = 1000) -> None:
    """A thousand runs in a loop beside a sweep of the engine on one core."""
    case = jp.example("slider-crank").set({"run.until": 0.05})
    values = [0.3 + 0.6 * i / (runs - 1) for i in range(runs)]

    def in_python() -> None:
        for value in values:
            case.set({"joints.pin.restitution": value}).run(progress=False)

    def in_rust() -> None:
        jp.sweep(case, {"joints.pin.restitution": values}, ["pin.peak_force"], jobs=1, progress=False)

    python, rust = in_turn([in_python, in_rust], 3)
    detail = f"{python:.2f} s, {rust:.2f} s of a core"
    line(f"{runs} runs in a Python loop / the engine's sweep, one core", python / rust, "at most 1.2", detail)


def peers() -> None:
    """B3, the slider-crank with clearance, beside the programs of benches/peers."""
    sys.path.insert(0, str(HERE.parent / "peers"))
    case = jp.load(HERE.parents[1] / "models" / "slider-crank").set({"run.until": 0.6, "run.rtol": 1e-8}).check()
    try:
        import b3_scipy

        rhs, gap = b3_scipy.make(True)
        b3_scipy.simulate(rhs, gap, "RK45", 1e-4, tend=0.02, nout=2)
        ours, theirs = in_turn([lambda: case.run(progress=False), lambda: b3_scipy.simulate(rhs, gap, "DOP853", 1e-8)], 5)
        line("SciPy (DOP853, numba) / case.run()", theirs / ours, "more is better", f"{1e3 * theirs:.1f} ms, {1e3 * ours:.1f} ms")
    except ImportError as missing:
        print(f"SciPy with numba: not measured: {missing}")
    try:
        import b3_exudyn

        solver = b3_exudyn.exu.DynamicSolverType.DOPRI5
        jobs = [
            lambda: case.run(progress=False),
            lambda: b3_exudyn.solve("tree", solver, 1e-3, 1e-8, "elim"),
            lambda: b3_exudyn.build(model="tree"),
        ]
        ours, whole, building = in_turn(jobs, 5)
        theirs = whole - building  # our model is read before, too
        line("Exudyn (DOPRI5) / case.run()", theirs / ours, "more is better", f"{1e3 * theirs:.1f} ms, {1e3 * ours:.1f} ms")
    except ImportError as missing:
        print(f"Exudyn: not measured: {missing}")


def dask(runs: int = 2000) -> None:
    """Two worker processes beside two threads: runs in a second, after the workers have started."""
    from dask.distributed import Client, LocalCluster

    case = jp.example("slider-crank").set({"run.until": 0.1})
    metrics = ["pin.peak_force"]
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        jp.sweep(case, {"joints.pin.restitution": "0.3:0.9:20"}, metrics, client=client, progress=False)
        vary = {"joints.pin.restitution": f"0.3:0.9:{runs}"}
        ratios, times = [], []
        for _ in range(3):
            threads = best(lambda: jp.sweep(case, vary, metrics, jobs=2, progress=False), 1, time.perf_counter)
            there = best(lambda: jp.sweep(case, vary, metrics, client=client, progress=False), 1, time.perf_counter)
            ratios.append(threads / there)
            times.append((threads, there))
        threads, there = times[ratios.index(statistics.median_low(ratios))]
        detail = f"{runs / there:.0f} and {runs / threads:.0f} runs in a second; of three: {', '.join(f'{r:.2f}' for r in ratios)}"
        line("Dask, 2 processes / 2 threads: throughput", statistics.median_low(ratios), "at least 0.9", detail)


def million(runs: int = 1_000_000) -> None:
    """Empty runs on two workers: what the study costs itself."""
    from dask.distributed import Client, LocalCluster

    def memory(pid: int | str = "self") -> float:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            return next(int(row.split()[1]) for row in file if row.startswith("VmRSS")) / 1024

    case = jp.loads(EMPTY)
    # The scheduler in a process of its own, so that its memory is known.
    with (
        tempfile.TemporaryDirectory() as folder,
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        before, most, tasks = memory(), 0.0, 0

        def watch(dask_scheduler: object = None) -> int:
            return len(dask_scheduler.tasks)  # type: ignore[union-attr]

        import threading

        over = threading.Event()

        def look() -> None:
            nonlocal most, tasks
            while not over.wait(0.5):
                most = max(most, memory())
                tasks = max(tasks, client.run_on_scheduler(watch))

        looker = threading.Thread(target=look)
        looker.start()
        start = time.perf_counter()
        found = jp.sweep(case, {"parameters.a": f"0:1:{runs}"}, ["y"], out=Path(folder) / "study", client=client, progress=False)
        took = time.perf_counter() - start
        over.set()
        looker.join()
        assert found.findings["runs"] == runs
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{runs} empty runs on 2 workers: {took:.0f} s, {runs / took:.0f} in a second; client and scheduler {before:.0f} MB before, "
            f"{most:.0f} MB at most during it ({peak:.0f} MB peak), {1024 * (most - before) / runs:.2f} kB a run; "
            f"at most {tasks} tasks at the scheduler",
            flush=True,
        )
        start = time.perf_counter()
        jp.sweep(case, {"parameters.a": f"0:1:{runs}"}, ["y"], jobs=2, progress=False)
        print(f"the same on 2 threads: {time.perf_counter() - start:.0f} s")


if __name__ == "__main__":
    parts = {"run": run, "loop": loop, "peers": peers, "dask": dask, "million": million}
    print(f"jointplay {jp.__version__}, engine {jp.engine[:12]}, {os.cpu_count()} cores")
    for word in sys.argv[1:] or parts:
        name, _, runs = word.partition(":")
        parts[name](*([int(runs)] if runs else []))
