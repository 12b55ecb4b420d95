"""The Python package beside the engine, SciPy and Exudyn, and Dask beside threads.

usage: python benches/python/bench.py [run] [loop] [peers] [dask] [million]    (everything without words; dask:500 makes 500 runs)

Each line prints a ratio of medians and the bound that it has to keep, with the quartiles of the rounds. Needs the package (a release
wheel), and what is measured beside it:
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


def in_turn(jobs: list[Callable[[], object]], rounds: int, clock: Callable[[], float] = time.process_time) -> list[list[float]]:
    """The times of each job (s). They take turns, so that what else the machine does concerns all of them."""
    times = [[best(job, 1, clock) for job in jobs] for _ in range(rounds)]
    return [list(column) for column in zip(*times, strict=True)]


def quartiles(values: list[float]) -> str:
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.3f} ({low:.3f} to {high:.3f})"


def run(rounds: int = 31) -> None:
    """`case.run()` beside the run of the engine that it calls, in time of the processor, so that other programs do not count."""
    for name, until in (("slider-crank", 0.6), ("slider-crank", 0.01), ("four-bar", 0.5)):
        case = jp.example(name).set({"run.until": until}).check()
        case.run(progress=False)
        inner = case._case
        jobs = [lambda inner=inner: inner.run(None), lambda case=case: case.run(progress=False)]
        times = in_turn(jobs, rounds, time.thread_time)
        more = [1e3 * (whole - engine) for engine, whole in zip(*times, strict=True)]
        engine, whole = map(statistics.median, times)
        ratios = quartiles([whole / engine for engine, whole in zip(*times, strict=True)])
        detail = f"of {1e3 * whole:.2f} ms {quartiles(more)} ms more than the engine; ratio {ratios}"
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

    times = in_turn([in_python, in_rust], 5)
    python, rust = map(statistics.median, times)
    detail = f"{python:.2f} s, {rust:.2f} s of a core; ratio {quartiles([a / b for a, b in zip(*times, strict=True)])}"
    line(f"{runs} runs in a Python loop / the engine's sweep, one core", python / rust, "at most 1.2", detail)


WANTED = 1e-3
"""The error that peers are compared at: of positions, over the clearance of B3."""

TOLERANCES = (1e-5, 1e-6, 1e-7, 1e-8, 1e-9)


class Program:
    """A program that makes B3: for each tolerance what a run takes (s), and its error."""

    def __init__(self, name: str, run: Callable[[float], float], error: Callable[[float], float]) -> None:
        self.name, self.run, self.error = name, run, error
        self.times: dict[float, list[float]] = {}
        self.errors: dict[float, float] = {}

    def best(self) -> tuple[float, float] | None:
        """The tolerance of the fastest run that is as accurate as is wanted, as those of all smaller tolerances are, and its time (s)."""
        good = [t for t in self.errors if all(error <= WANTED for other, error in self.errors.items() if other <= t)]
        times = {t: statistics.median(self.times[t]) for t in good}
        return min(times.items(), key=lambda item: item[1]) if times else None


def spread(times: list[float]) -> str:
    return f"{1e3 * statistics.median(times):.1f} ms ({1e3 * min(times):.1f} to {1e3 * max(times):.1f})"


def peers(rounds: int = 7) -> None:
    """B3, the slider-crank with clearance, beside the programs of benches/peers at the same error."""
    import numpy as np

    sys.path.insert(0, str(HERE.parent / "peers"))
    reference = np.loadtxt(HERE.parents[1] / "golden" / "mechanisms-b3" / "data.csv", delimiter=",", skiprows=1)
    at, rod, clearance = reference[:, 0], 0.3, 0.25e-3

    def error(phi: np.ndarray, x: np.ndarray) -> float:
        return float(max(rod * np.abs(phi - reference[:, 1]).max(), np.abs(x - reference[:, 2]).max()) / clearance)

    def timed(job: Callable[[], object]) -> float:
        return best(job, 1)

    base = jp.load(HERE.parents[1] / "models" / "bench" / "b3.toml")
    cases = {rtol: base.set({"run.rtol": rtol}).check() for rtol in TOLERANCES}

    def ours(rtol: float) -> float:
        run = cases[rtol].run(progress=False)
        seen = np.searchsorted(run.t, at * (1 - 1e-12))
        return error(run["rod.angle"][seen], run["slider.x"][seen])

    programs = [Program("jointplay, case.run()", lambda rtol: timed(lambda: cases[rtol].run(progress=False)), ours)]
    try:
        import b3_scipy

        rhs, gap = b3_scipy.make(True)
        b3_scipy.simulate(rhs, gap, "RK45", 1e-4, tend=0.02, nout=2)  # compiles

        def scipy(method: str) -> Program:
            def made(rtol: float) -> float:
                y = b3_scipy.simulate(rhs, gap, method, rtol)[1]
                return error(y[:, 0], y[:, 1])

            return Program(f"SciPy and numba, {method}", lambda rtol: timed(lambda: b3_scipy.simulate(rhs, gap, method, rtol)), made)

        programs += [scipy("LSODA"), scipy("DOP853")]
    except ImportError as missing:
        print(f"SciPy with numba: not measured: {missing}")
    try:
        import b3_exudyn
        from scipy.interpolate import CubicHermiteSpline

        def exudyn(method: str) -> Program:
            solver = getattr(b3_exudyn.exu.DynamicSolverType, method)

            def made(rtol: float) -> float:
                # Once more with every step stored, not measured.
                _, _, mbs, sensors = b3_exudyn.solve("tree", solver, 1e-3, rtol, "elim", everystep=True)
                r, rv, x, v = (mbs.GetSensorStoredData(sensor) for sensor in sensors)
                t = x[:, 0]
                keep = np.append(True, np.diff(t) > 1e-13)
                phi, omega = r[:, 1] + r[:, 2], rv[:, 1] + rv[:, 2]
                angle, place = (CubicHermiteSpline(t[keep], f[keep], d[keep])(at) for f, d in ((phi, omega), (x[:, 1], v[:, 1])))
                return error(angle, place)

            # Its own clock begins when the model is built: ours is read before, too.
            return Program(f"Exudyn, {method}", lambda rtol: b3_exudyn.solve("tree", solver, 1e-3, rtol, "elim")[0], made)

        programs += [exudyn("DOPRI5"), exudyn("ODE23")]
    except ImportError as missing:
        print(f"Exudyn: not measured: {missing}")
    for program in programs:
        for rtol in TOLERANCES:
            program.errors[rtol] = program.error(rtol)
    # Only what is as accurate is measured, and what is ten times as accurate as it need be is not.
    for _ in range(rounds):
        for program in programs:
            for rtol in [t for t, e in program.errors.items() if WANTED / 300 <= e <= WANTED]:
                program.times.setdefault(rtol, []).append(program.run(rtol))
    for program in programs:
        for rtol, wrong in program.errors.items():
            took = spread(program.times[rtol]) if rtol in program.times else "not measured"
            print(f"{program.name:32s} {rtol:8.0e}   error {wrong:8.1e} c   {took}", flush=True)
    mine = programs[0].best()
    assert mine is not None
    for program in programs[1:]:
        theirs = program.best()
        if theirs is None:
            print(f"{program.name}: never as accurate")
            continue
        detail = f"{1e3 * theirs[1]:.1f} ms at {theirs[0]:.0e}, {1e3 * mine[1]:.1f} ms at {mine[0]:.0e}"
        line(f"{program.name} / case.run(), error below {WANTED:.0e} c", theirs[1] / mine[1], "more is better", detail)


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
