"""Figures: what they show is what the arrays hold, with units; and what notebooks display."""

from __future__ import annotations

import copy
import pickle
import re
import xml.etree.ElementTree as xml

import jointplay as jp
import numpy as np
import pytest

plt = pytest.importorskip("matplotlib.pyplot")


@pytest.fixture(autouse=True)
def _figures_are_closed():
    plt.switch_backend("Agg")
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def run():
    return jp.example("slider-crank").run(until=0.05)


def test_exact_a_line_is_the_channel_in_its_unit(run):
    [ax] = run.plot("pin.force")
    x, y = ax.lines[0].get_data()
    assert ax.get_ylabel() == "pin.force (kN)"
    assert ax.get_xlabel() == "t (ms)"
    np.testing.assert_allclose(np.asarray(x) * 1e-3, run.t, rtol=1e-15)
    np.testing.assert_allclose(np.asarray(y) * 1e3, run["pin.force"], rtol=1e-15)


def test_property_a_second_run_is_drawn_in_the_unit_of_the_first(run):
    panels = run.plot("slider.x", "pin.force", label="soft")
    again = jp.example("slider-crank").ideal().run(until=0.05).plot("slider.x", "pin.force", ax=panels, label="ideal")
    assert again == panels
    assert panels[1].get_ylabel() == "pin.force (kN)"
    assert float(np.max(panels[1].lines[1].get_ydata())) < 0.1  # 26 N
    assert [text.get_text() for text in panels[0].get_legend().get_texts()] == ["soft", "ideal"]


# Two runs of different size on the same axes: the number at a point, in the unit of the label, is that of the channel.

UNITS = {"nm": 1e-9, "µm": 1e-6, "mm": 1e-3, "m": 1.0, "mN": 1e-3, "N": 1.0, "kN": 1e3, "MN": 1e6, "ms": 1e-3, "s": 1.0}


@pytest.fixture(scope="module")
def small():
    """A run whose lengths, forces and times are smaller than those of the other."""
    return jp.example("slider-crank").set({"joints.pin.clearance": "0.2 um", "drivers.motor.speed": "2 rpm"}).run(until=0.2)


def _in_si(ax, line):
    """The data of a line in SI units, by the labels of the axes."""
    factors = [UNITS[text[text.rindex("(") + 1 : -1]] for text in (ax.get_xlabel(), ax.get_ylabel())]
    return [np.asarray(values, dtype=float) * factor for values, factor in zip(line.get_data(), factors, strict=True)]


@pytest.mark.parametrize("first", ["small", "great"])
def test_exact_plots_of_two_runs_have_one_scale(run, small, first):
    one, two = (small, run) if first == "small" else (run, small)
    [ax] = one.plot("pin.force")
    two.plot("pin.force", ax=ax)
    for line, of in zip(ax.lines, (one, two), strict=True):
        x, y = _in_si(ax, line)
        np.testing.assert_allclose(x, of.t, rtol=1e-14)
        np.testing.assert_allclose(y, of["pin.force"], rtol=1e-14)


@pytest.mark.parametrize("first", ["small", "great"])
def test_exact_orbits_of_two_runs_have_one_scale(run, small, first):
    one, two = (small, run) if first == "small" else (run, small)
    ax = one.orbit("pin")
    two.orbit("pin", ax=ax)
    unit = UNITS[ax.get_xlabel()[7:-1]]
    assert [unit * circle.radius for circle in ax.patches] == pytest.approx(
        [0.2e-6, 250e-6] if first == "small" else [250e-6, 0.2e-6], rel=1e-5
    )
    free, touching = (_in_si(ax, line)[0] for line in (ax.lines[3], ax.lines[4]))
    np.testing.assert_allclose(np.where(np.isnan(free), touching, free), two["pin.ex"], rtol=1e-14)
    # Both are in sight.
    assert ax.get_xlim()[1] * unit > 250e-6
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["free flight", "contact", "clearance"]


@pytest.mark.parametrize("first", ["small", "great"])
def test_exact_loops_of_two_runs_have_one_scale_and_are_in_sight(run, small, first):
    one, two = (small, run) if first == "small" else (run, small)
    ax = one.loop("pin")
    count = len(ax.lines)
    two.loop("pin", ax=ax)
    for of, lines in ((one, ax.lines[:count]), (two, ax.lines[count:])):
        data = [_in_si(ax, line) for line in lines]
        assert max(x.max() for x, _ in data) == pytest.approx(of["pin.penetration"].max(), rel=1e-14)
        assert max(y.max() for _, y in data) == pytest.approx(of["pin.normal"].max(), rel=1e-14)
    assert ax.get_xlim()[0] == 0
    assert ax.get_xlim()[1] > max(np.max(line.get_xdata()) for line in ax.lines)
    assert ax.get_ylim()[1] > max(np.max(line.get_ydata()) for line in ax.lines)


@pytest.mark.parametrize("first", ["small", "great"])
def test_property_sections_of_two_runs_have_one_scale(run, small, first):
    one, two = (small, run) if first == "small" else (run, small)
    ax = one.section("pin.ex", "pin.force", 0.01)
    two.section("pin.ex", "pin.force", 0.01, ax=ax)
    for line, of in zip(ax.lines, (one, two), strict=True):
        alone = of.section("pin.ex", "pin.force", 0.01)
        np.testing.assert_allclose(_in_si(ax, line), _in_si(alone, alone.lines[0]), rtol=1e-14)


def test_property_axes_that_share_an_axis_share_its_unit(run, small):
    one, two = plt.subplots(1, 2, sharex=True, sharey=True)[1]
    run.loop("pin", ax=one)
    small.loop("pin", ax=two)
    assert one.get_xlabel() == two.get_xlabel()
    assert max(_in_si(two, line)[1].max() for line in two.lines) == pytest.approx(small["pin.normal"].max(), rel=1e-14)


def test_property_an_axis_has_one_unit(run):
    """A torque is no length, although N m ends with m."""
    [ax] = run.plot("motor.torque")
    with pytest.raises(ValueError, match=r"shows motor\.torque in N m: `slider\.x`, in m"):
        run.plot("slider.x", ax=ax)
    with pytest.raises(ValueError, match="needs axes of its own"):
        run.orbit("pin", ax=ax)
    ax.clear()
    run.plot("slider.x", ax=ax)
    assert ax.get_ylabel() == "slider.x (mm)"
    run.plot("rod.x", ax=ax)
    assert ax.get_ylabel() == "slider.x, rod.x (mm)"


def test_property_no_peak_is_lost_where_points_are_many():
    from jointplay._figure import MANY, thinned

    t = np.linspace(0, 1, 1_000_003)
    values = np.sin(40 * t)
    values[[17, 654_321, 1_000_002]] = 5.0, -7.0, 9.0
    x, y = thinned(t, values)
    assert x.size < 2 * MANY
    assert {5.0, -7.0, 9.0} <= set(y)
    assert (np.diff(x) > 0).all()


def test_exact_an_orbit_touches_the_circle_of_its_clearance(run):
    ax = run.orbit("pin")
    [circle] = ax.patches
    assert circle.radius == pytest.approx(250.0, rel=1e-9)  # 0.25 mm, in µm
    assert ax.get_xlabel() == "$e_x$ (µm)"


def test_exact_the_area_of_a_loop_is_the_energy_lost():
    run = jp.example("two-spheres").set({"output.interval": "1 us"}).run()
    [line] = run.loop("pin").lines
    micro, kilo = (np.asarray(values, dtype=float) for values in line.get_data())
    area = np.trapezoid(kilo * 1e3, micro * 1e-6) if hasattr(np, "trapezoid") else np.trapz(kilo * 1e3, micro * 1e-6)
    assert area == pytest.approx(float(run.impacts["loss_normal"][0]), rel=1e-3)


def test_exact_a_section_has_a_point_for_each_period():
    run = jp.example("slider-crank").ideal().run(until=1.5)  # 200 rpm: 0.3 s
    [line] = run.section("slider.x", "crank.angle").lines
    x, y = (np.asarray(values, dtype=float) for values in line.get_data())
    assert x == pytest.approx(np.full(5, 350.0), rel=1e-6)  # the outer dead centre, in mm
    assert y == pytest.approx(np.zeros(5), abs=1e-6)  # turned back by whole revolutions
    assert len(run.section("slider.x", "slider.vx", 0.3, transient=3).lines[0].get_xdata()) == 2


@pytest.mark.parametrize(
    ("ask", "says"),
    [
        (lambda run: run.orbit("guide"), "those with clearance are pin"),
        (lambda run: run.orbit("axis"), "an ideal joint"),
        (lambda run: run.loop("nothing"), "those with clearance are pin"),
        (lambda run: run.plot("pin.forse"), "did you mean"),
        (lambda run: run.plot("pin.force", window=(7.0, 8.0)), "no instant"),
        (lambda run: run.plot("pin.force", "slider.x", ax=plt.subplots()[1]), "2 channels"),
        (lambda run: run.section("pin.ex", "pin.ey"), "none is left"),
        (lambda run: run.section("pin.ex", "pin.ey", -1.0), "positive"),
        (lambda run: run.animate("guide"), "there are pin"),
        (lambda run: run.animate(duration=0), "duration"),
    ],
)
def test_property_figures_that_cannot_be_drawn_say_why(run, ask, says):
    with pytest.raises((KeyError, ValueError), match=says):
        ask(run)


def test_property_runs_without_contact_and_results_from_elsewhere_are_drawn(run, tmp_path):
    run.save(tmp_path / "result", page=False)
    for other in (jp.open(tmp_path / "result"), pickle.loads(pickle.dumps(run)), copy.deepcopy(run)):
        assert other.plot("pin.force")[0].get_ylabel() == "pin.force (kN)"
        # Its motion is made again.
        assert other.animate(duration=0.2, fps=5) is not None
    with pytest.raises(ValueError, match="never in contact"):
        jp.example("slider-crank").run(until=1e-4).loop("pin")


@pytest.mark.parametrize("name", ["four-bar", "geneva", "scotch-yoke", "slider-crank-prismatic", "two-spheres"])
def test_property_every_kind_of_mechanism_moves(name, tmp_path):
    film = jp.example(name).run(until=0.01).animate(duration=0.4, fps=5)
    film.save(tmp_path / "motion.gif", writer="pillow")
    assert (tmp_path / "motion.gif").read_bytes().startswith(b"GIF8")
    assert 'src="data:image/gif;base64,' in film._repr_html_()


def test_exact_the_scene_is_the_motion_of_the_channels(run):
    from jointplay._scene import Scene

    scene = Scene.of(run)
    slider = next(body for body in scene.bodies if body.name == "slider")
    assert np.array_equal(scene.t, run.t)
    assert np.array_equal(slider.x, run["slider.x"])
    [gap] = scene.gaps
    # The frame of the bearing is that of the rod; the distance does not depend on it.
    np.testing.assert_allclose(np.hypot(gap.ex, gap.ey), run["pin.eccentricity"], atol=1e-12)
    assert scene.period == pytest.approx(0.3, rel=1e-12)


# Notebooks


def test_property_a_case_draws_itself_and_a_law_shows_its_sheet():
    assert xml.fromstring(jp.example("four-bar")._repr_svg_()).tag.endswith("svg")
    assert "Johnson" in jp.law("johnson", clearance="0.5 mm", length="15 mm", material="steel")._repr_markdown_()


def test_property_a_run_shows_its_page_without_network(run):
    full, light = run._repr_html_(), run.show(engine=False)._repr_html_()
    for frame in (full, light):
        assert frame.startswith("<iframe srcdoc=")
        assert frame.count("<iframe") == 1
        assert 'sandbox="allow-scripts' in frame
        # Nothing in it may end the attribute; nothing is loaded.
        inside = re.match(r'<iframe srcdoc="([^"]*)"', frame)
        assert inside is not None
        assert "&lt;/html&gt;" in inside.group(1)
    assert len(full) - len(light) > 1_000_000
    assert "trust the notebook" in full


# Studies


@pytest.fixture(scope="module")
def short():
    return jp.example("slider-crank").set({"run.until": 0.01})


def _labels(axes):
    return [ax.get_xlabel() for ax in axes if ax.get_xlabel()], [ax.get_ylabel() for ax in axes]


def test_property_sweeps_are_lines_families_and_maps(short):
    speed, clearance = "drivers.motor.speed", "joints.pin.clearance"
    line = jp.sweep(short, {speed: "100rpm:300rpm:3"}, ["pin.peak_force"])
    [ax] = line.plot()
    assert ax.get_xlabel() == "motor speed (rpm)"
    assert ax.lines[0].get_xdata() == pytest.approx([100.0, 200.0, 300.0])
    scatter = jp.sweep(short, {speed: "100rpm:300rpm:2"}, ["pin.peak_force"], repeats=2)
    assert len(scatter.plot()[0].collections) == 1
    family = jp.sweep(short, {speed: "100rpm:300rpm:3", "joints.pin.law.damping": ["flores", "exact"]}, ["pin.peak_force"])
    assert len(family.plot()[0].lines) == 2
    grid = jp.sweep(short, {speed: "100rpm:300rpm:5", clearance: "0.1mm:0.5mm:5"}, ["pin.peak_force"])
    [ax] = grid.plot()
    assert ax.get_xlabel() == "pin clearance (µm)"
    with pytest.raises(KeyError, match=r"pin\.peak_force"):
        grid.plot("pin.impacts")
    shown = grid._repr_html_()
    assert "data:image/png;base64," in shown
    assert "25 of 25 runs" in shown


def test_property_tolerances_and_sensitivities_are_drawn(short):
    spread = jp.tolerance(short, {"joints.pin.fit": "20 H7/f7"}, ["pin.peak_force"], limits=["pin.peak_force < 1 kN"], samples=8)
    [ax] = spread.plot()
    assert sum(patch.get_height() for patch in ax.patches) == 8
    assert any("limit" in text.get_text() for text in ax.texts)
    vary = {"joints.pin.restitution": (0.3, 0.9), "joints.pin.clearance": ("0.1 mm", "0.4 mm")}
    for measure in ("sobol", "morris", "tornado"):
        found = jp.sensitivity(short, vary, ["pin.peak_force"], measure=measure, samples=None if measure == "tornado" else 4)
        assert len(found.plot()) == 1


def test_property_searches_and_diagrams_are_drawn(short):
    best = jp.optimise(short, {"joints.pin.clearance": ("0.1 mm", "0.4 mm")}, minimise="pin.peak_force", budget=12)
    objective, key = best.plot()
    assert objective.get_xlabel() == "run"
    assert key.get_xlabel() == "pin clearance (µm)"
    diagram = jp.bifurcation(short, {"drivers.motor.speed": "200rpm:210rpm:2"}, ["pin.ex"], "motor", transient=1, periods=4)
    section, exponent = diagram.plot()
    assert section.get_ylabel() == "pin.ex (µm)"
    assert exponent.get_xlabel() == "motor speed (rpm)"
    pulse = jp.example("two-spheres").run()
    data = {"t [s]": np.unique(pulse.t), "force [N]": np.interp(np.unique(pulse.t), pulse.t, pulse["pin.force"])}
    found = jp.identify(jp.example("two-spheres"), {"contacts.pin.restitution": (0.5, 0.9)}, data, {"force": "pin.force"}, budget=300)
    above, below = found.plot()
    assert above.get_ylabel() == "pin.force (kN)"
    assert below.get_ylabel().startswith("residual (")


def test_regress_the_first_figure_leaves_a_notebook_interactive():
    """The backend of notebooks becomes interactive when the first figure is made; figures after that are shown only if it stays so."""
    from jointplay._figure import drawing

    was = plt.isinteractive()
    try:
        plt.ioff()
        with drawing():
            plt.ion()
        assert plt.isinteractive()
    finally:
        plt.ion() if was else plt.ioff()


def test_property_a_case_with_problems_is_shown_without_a_traceback():
    wrong = jp.example("slider-crank").set({"joints.pin.clearence": 1})
    assert wrong._repr_svg_() is None
    assert "with 1 problem," in repr(wrong)
