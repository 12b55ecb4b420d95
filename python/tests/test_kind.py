"""Wrong input, interruptions and odd uses end in exceptions that help, never in a panic."""

from __future__ import annotations

import copy
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import jointplay as jp
import numpy as np
import pytest


def test_property_every_problem_of_a_model_is_told_with_its_place():
    text = """format = 1
[bodies.a]
mas = 1
[joints.j]
type = "revolut"
[run]
until = "1 kg"
"""
    with pytest.raises(jp.InputError) as wrong:
        jp.loads(text).check()
    problems = wrong.value.problems
    assert len(problems) >= 3
    assert {problem.line for problem in problems} >= {3, 5, 7}
    assert any(problem.hint and "mass" in problem.hint for problem in problems)
    assert all(problem.message for problem in problems)


@pytest.mark.parametrize(
    "value",
    [object(), {1, 2}.__iter__, 1j, b"bytes", None],
    ids=["object", "method", "complex", "bytes", "none"],
)
def test_property_values_of_wrong_types_are_refused(value):
    with pytest.raises((TypeError, ValueError)):
        jp.example("slider-crank").set({"run.until": value}).check()


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, 0, "soon", "1 kg", [1, 2], {"a": 1}, True, 10**400])
def test_property_values_that_make_no_sense_are_refused(value):
    with pytest.raises(jp.InputError):
        jp.example("slider-crank").set({"run.until": value}).check()


def test_property_values_without_end_are_refused():
    endless: list[object] = []
    endless.append(endless)
    nested: dict[str, object] = {}
    nested["a"] = nested
    for value in (endless, nested, np.zeros(10**6)):
        with pytest.raises(ValueError, match=r"without end|longer than"):
            jp.example("slider-crank").set({"run.until": value})
    with pytest.raises(RecursionError):
        jp.Model().section("run", until=endless).toml()
    with pytest.raises(jp.InputError, match="longer than"):
        jp.loads("a" * 5_000_000).check()


@pytest.mark.parametrize("path", ["/dev/zero", "a\0b", ".", "/"])
def test_property_what_is_no_model_file_is_refused(path):
    with pytest.raises(jp.InputError):
        jp.load(path)


def test_property_odd_requests_are_refused(tmp_path):
    case = jp.example("slider-crank").set({"run.until": 0.005})
    with pytest.raises(ValueError, match="jobs"):
        jp.sweep(case, {"joints.pin.restitution": [0.5]}, ["pin.impacts"], jobs=-1)
    with pytest.raises(TypeError, match="list"):
        jp.sweep(case, {"joints.pin.restitution": [0.5]}, "pin.impacts")
    with pytest.raises(jp.StoreError):
        jp.sweep(case, {"joints.pin.restitution": [0.5]}, ["pin.impacts"], out="/dev/null")
    with pytest.raises(jp.InputError, match="plot"):
        jp.law("hertz", stiffness=1e9, plot=str(tmp_path / "a.svg"))
    with pytest.raises(AttributeError):
        case.until = 3.0  # type: ignore[misc]
    with pytest.raises(jp.InputError, match="not a state"):
        case.start_from({"a": 1})
    with pytest.raises(jp.InputError, match="outside"):
        case.run().state(float("nan"))
    assert case.run(channels="slider.x").channels == ["slider.x"]


def test_property_quantities_of_pint_keep_their_dimension():
    pint = pytest.importorskip("pint")
    units = pint.UnitRegistry()
    case = jp.example("slider-crank")
    quantities = case.set({"joints.pin.clearance": 0.25 * units.mm, "drivers.motor.speed": 200 * units.rpm, "run.until": 5 * units.ms})
    texts = case.set({"joints.pin.clearance": "0.25 mm", "drivers.motor.speed": "200 rpm", "run.until": "5 ms"})
    assert np.array_equal(quantities.run()["slider.x"], texts.run()["slider.x"])
    gravity = case.set({"world.gravity": np.array([0.0, -9.81]) * units.m / units.s**2})
    assert gravity.set({"run.until": 0.005}).run().t[-1] == 0.005
    for wrong in (0.25 * units.kg, 0.25 * units.mm**2, 0.25 * units.s):
        with pytest.raises(jp.InputError, match="a length is expected"):
            case.set({"joints.pin.clearance": wrong}).check()
        with pytest.raises((jp.InputError, TypeError)):
            jp.law("hertz", stiffness=1e9, bearing_radius=wrong, journal_radius="1 cm")
    with pytest.raises(TypeError, match="ampere"):
        case.set({"joints.pin.clearance": 1 * units.ampere})
    sweep = jp.sweep(texts, {"joints.pin.clearance": [0.1 * units.mm, 0.2 * units.mm]}, ["pin.impacts"])
    assert list(sweep.table["joints.pin.clearance"]) == [1e-4, 2e-4]
    model = jp.Model(gravity=[0, -9.81 * units.m / units.s**2])
    model.body("ball", mass=300 * units.g)
    assert model.run(until=1 * units.s)["ball.y"][-1] == pytest.approx(-4.905, rel=1e-9)


def test_property_long_calls_show_a_bar(capfd):
    pytest.importorskip("tqdm")
    jp.example("slider-crank").run(until=3.0, progress=True)
    assert "%" in capfd.readouterr().err
    jp.example("slider-crank").run(until=0.1, progress=False)
    assert capfd.readouterr().err == ""


def test_property_unknown_names_are_answered_with_near_ones():
    run = jp.example("slider-crank").run(until=0.01)
    with pytest.raises(KeyError, match="did you mean `slider`"):
        run["slidr.x"]
    with pytest.raises(KeyError, match="slider-crank"):
        jp.example("slider-krank")
    with pytest.raises(jp.InputError):
        jp.example("slider-crank").law("hertz+flore").check()
    with pytest.raises(jp.InputError):
        jp.load("no/such/file.toml")
    with pytest.raises(jp.StoreError):
        jp.open("no/such/folder")


def test_property_arrays_are_shared_and_read_only():
    run = jp.example("slider-crank").run(until=0.05)
    force = run["pin.force"]
    assert force.__array_interface__["data"][0] == run["pin.force"].__array_interface__["data"][0]
    assert not force.flags.owndata
    with pytest.raises(ValueError, match="read-only"):
        force[0] = 1.0
    # The memory lives as long as the array.
    before = force.copy()
    del run
    junk = [np.random.default_rng(0).random(force.size) for _ in range(50)]
    assert np.array_equal(force, before)
    assert len(junk) == 50


def test_property_a_channel_that_is_not_kept_is_evaluated_once():
    kept = jp.example("slider-crank").set({"run.until": 0.05, "output.channels": ["slider.x"]})
    run = kept.run()
    first, again = run["pin.force"], run["pin.force"]
    assert first.__array_interface__["data"][0] == again.__array_interface__["data"][0]
    with pytest.raises(ValueError, match="WRITEABLE"):
        first.flags.writeable = True
    # Threads that ask for it at the same time get the same memory.
    with ThreadPoolExecutor(4) as threads:
        places = {array.__array_interface__["data"][0] for array in threads.map(lambda _: run["rod.vx"], range(8))}
    assert len(places) == 1
    # The memory lives as long as the array.
    alone = kept.run()["pin.force"]
    junk = [np.random.default_rng(0).random(alone.size) for _ in range(50)]
    assert np.array_equal(alone, first)
    assert len(junk) == 50


def test_property_copies_are_whole():
    run = jp.example("slider-crank").run(until=0.01)
    for same in (copy.copy(run), copy.deepcopy({"a": [run]})["a"][0]):
        assert np.array_equal(same["rod.vy"], run["rod.vy"])  # a channel that is not kept
    assert copy.deepcopy(run.case) == run.case
    wrong = jp.loads("x =")
    assert wrong == wrong
    assert wrong != run.case


def test_property_only_numbers_are_taken_for_numbers():
    law = jp.law("hertz", stiffness=1e9)
    for wrong in (np.array([1j]), np.array(["2020-01-01"], dtype="M8[s]"), np.array(["1"]), None):
        with pytest.raises(TypeError, match="real numbers"):
            law.force(wrong)
    assert np.isnan(law.force(np.ma.array([1e-6, 2e-6], mask=[True, False]))).tolist() == [True, False]
    unaligned = np.frombuffer(b"x" + np.full(3, 1e-6).tobytes(), dtype=float, offset=1)
    for numbers in (unaligned, np.full((3, 1), 1e-6)[::-1], np.array([1e-6] * 3, dtype=">f8")):
        assert law.force(numbers).ravel().tolist() == law.force([1e-6] * 3).tolist()
    many = np.linspace(0, 1e-5, 40_001)  # more than are evaluated between two looks at Ctrl-C
    assert law.force(many)[[0, 20_000, 40_000]].tolist() == [law.force(many[i]) for i in (0, 20_000, 40_000)]
    pint = pytest.importorskip("pint")
    units = pint.UnitRegistry()
    assert law.force([1, 2] * units.um).tolist() == pytest.approx(law.force([1e-6, 2e-6]).tolist(), rel=1e-14)
    assert law.indentation(1 * units.kN) == law.indentation(1000.0)
    for wrong in (1 * units.kg, 1 * units.s, 1 * units.um**2):
        with pytest.raises(TypeError, match="a quantity in m is expected"):
            law.force(wrong)


def test_property_one_text_is_not_a_list_of_letters():
    case = jp.example("slider-crank").set({"run.until": 0.005})
    vary = {"joints.pin.restitution": [0.4, 0.6]}
    with pytest.raises(TypeError, match="limits is a list"):
        jp.tolerance(case, vary, ["pin.impacts"], limits="pin.impacts < 3")
    with pytest.raises(TypeError, match="observe is a list"):
        jp.bifurcation(case, {"drivers.motor.speed": ["100 rpm"]}, "pin.ex", "motor")
    with pytest.raises(ValueError, match="has a comma"):
        jp.sweep(case, {"law": ["hertz,flores"]}, ["pin.impacts"])
    with pytest.raises(TypeError, match="made of a case"):
        jp.sweep("slider-crank", vary, ["pin.impacts"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="vary names keys"):
        jp.sweep(case, None, ["pin.impacts"])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="name of a metric"):
        jp.sweep(case, vary, {"": lambda run: 1.0})
    with pytest.raises(ValueError, match="longer than"):
        case.set({"joints.pin.clearance": "a" * 10_000_000})
    with pytest.raises(jp.InputError, match="no key"):
        case.set({"a" * 10_000_000: 1})
    bounds, way = {"joints.pin.restitution": (0.3, 0.9)}, {"f": "pin.force"}
    for data, kind, why in (
        ({"t": [0, 1e-3], "f": [1.0]}, ValueError, "equally long"),
        ({"t": [0, 1e-3], "f": [[1, 2], [3, 4]]}, ValueError, "shape"),
        ({"t": [0, 1e-3], "f": np.array([1j, 2])}, TypeError, "real numbers"),
        ({"t": [0, 1e-3], "a,b": [1.0, 2.0]}, ValueError, "commas"),
        (5, TypeError, "data are"),
    ):
        with pytest.raises(kind, match=why):
            jp.identify(case, bounds, data, way)  # type: ignore[arg-type]


def test_property_a_run_that_fails_has_what_it_had():
    case = jp.example("slider-crank").set({"run.max_steps": 100})
    with pytest.raises(jp.RunError, match="max_steps") as failed:
        case.run()
    partial = failed.value.partial
    assert partial.t.size > 0
    assert partial.summary["outcome"] == "failed"


def test_property_a_folder_of_another_model_is_kept(tmp_path):
    first = jp.example("slider-crank").run(until=0.01)
    folder = first.save(tmp_path / "result")
    assert (folder / "report.html").stat().st_size > 100_000
    other = jp.example("four-bar").run(until=0.01)
    with pytest.raises(jp.StoreError):
        other.save(folder)
    assert jp.open(folder).manifest["settings"]["model"] == "slider-crank"
    other.save(folder, replace=True, page=False)
    assert jp.open(folder).manifest["settings"]["model"] == "four-bar"


def test_property_messages_name_arguments_and_not_flags(tmp_path):
    case = jp.example("slider-crank").set({"run.until": 0.01})
    (tmp_path / "mine.txt").write_text("mine")
    metric = ["pin.impacts"]
    wrong = [
        (lambda: jp.sweep(case, {}, metric), 'vary={"KEY": "VALUES"}'),
        (lambda: jp.sweep(case, {"joints.pin.restitution": "0.3:0.9"}, metric), "samples=COUNT"),
        (lambda: jp.sweep(case, {"joints.pin.restitutoin": [0.5]}, metric), "vary joints.pin.restitutoin=0.5"),
        (lambda: jp.sweep(case, {"joints.pin.restitution": [0.5]}, metric, out=tmp_path), "out=FOLDER"),
        (lambda: jp.bifurcation(case, {"drivers.motor.speed": ["100 rpm"]}, [], "motor"), "observe=[CHANNELS]"),
        (lambda: case.set({"joints.pin.law": "hertz"}).law("johnson").check(), "law johnson"),
        (lambda: jp.law("johnson", bearing_radius="1 kg"), "bearing_radius"),
    ]
    for job, words in wrong:
        with pytest.raises((jp.InputError, jp.StoreError)) as told:
            job()
        told = [str(told.value), *(text for p in getattr(told.value, "problems", []) for text in (p.message, p.hint, p.change) if text)]
        assert any(words in text for text in told), told
        assert not any("--" in text for text in told), told


def test_property_the_lock_of_python_is_released():
    """Another thread counts while a run is under way."""
    case = jp.example("slider-crank").check()
    counted, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            counted[0] += 1
            time.sleep(1e-3)

    thread = threading.Thread(target=count)
    thread.start()
    case.run(until=5.0)
    stop.set()
    thread.join()
    assert counted[0] > 20


def test_property_the_program_is_inside(inside):
    assert "Usage" in inside("--help").stdout
    assert inside("--version").stdout.split()[1] == jp.__version__
    wrong = inside("run", "no-such-file.toml")
    assert wrong.returncode == 2
    assert "no-such-file.toml" in wrong.stderr
    done = inside("laws", "johnson", "--json")
    assert done.returncode == 0
    assert '"id": "johnson"' in done.stdout


def test_property_names_of_laws_have_a_length():
    endless = "formula:" + "1+" * 1_000_000 + "delta"
    for ask in (
        lambda: jp.law(endless),
        lambda: jp.example("slider-crank").law(endless),
        lambda: jp.impact(elastic=endless),
        lambda: jp.sheet(endless),
    ):
        with pytest.raises(jp.InputError, match="bytes is no name of a law"):
            ask()


def test_property_threads_share_everything(tmp_path):
    """Arrays of one memory are read, made and written by several threads at once."""
    case = jp.example("slider-crank").set({"run.until": 0.01})
    run, law = case.run(), jp.law("johnson", clearance=1e-4, material="steel", length=0.01)
    alone = {name: run[name].copy() for name in ("pin.force", "rod.vx")}

    def work(number: int) -> None:
        for _ in range(20):
            for name, values in alone.items():
                assert np.array_equal(run[name], values)
                law.force(run[name])
            run.to_parquet(tmp_path / f"{number}.parquet", ["pin.force", "rod.vx"])

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert len({path.read_bytes() for path in tmp_path.glob("*.parquet")}) == 1


def test_property_numbers_are_what_they_are_however_they_are_printed():
    class Odd(int):
        def __str__(self) -> str:
            return "7; [x]"

        __repr__ = __str__

    case = jp.example("slider-crank")
    assert case.set({"run.until": Odd(3)}).until == 3.0
    model = jp.Model().section("run", until=Odd(3))
    assert "until = 3\n" in model.toml()


def test_property_a_folder_in_use_is_refused(tmp_path):
    case = jp.example("slider-crank").set({"run.until": 0.01})
    vary = {"joints.pin.restitution": "0.3:0.9:100"}

    def ask(_: int) -> str:
        try:
            return str(jp.sweep(case, vary, ["pin.impacts"], out=tmp_path / "study").findings["runs"])
        except jp.StoreError as refused:
            return "in use" if "in use" in str(refused) else str(refused)

    with ThreadPoolExecutor(3) as threads:
        answers = set(threads.map(ask, range(3)))
    assert "100" in answers
    assert answers <= {"100", "in use"}
