"""Elastic pendulum, and a slider on an inclined guide with a spring anchored beside it. Run: python generate.py"""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from tools import MP, cross, dot, parameters, reference, results, square, values

CASES = {
    "elastic-pendulum": {
        "gravity": (9.81, "m/s2"), "mass": (1.2, "kg"), "stiffness": (150.0, "N/m"), "free_length": (0.5, "m"), "preload": (4.0, "N"),
        "damping": (0.8, "N s/m"), "x": (0.45, "m"), "y": (-0.3, "m"), "vx": (0.6, "m/s"), "vy": (-0.2, "m/s"),
    },
    "inclined-slider": {
        "gravity": (9.81, "m/s2"), "mass": (2.0, "kg"), "guide_angle": (0.5, "rad"), "stiffness": (220.0, "N/m"), "free_length": (0.25, "m"),
        "preload": (3.0, "N"), "damping": (2.5, "N s/m"), "anchor_s": (0.1, "m"), "anchor_n": (0.3, "m"), "s": (0.4, "m"), "v": (0.0, "m/s"),
    },
}


def element(p, a, r, v):
    """Force of the spring-damper on the body at r (from the anchor), its length, its dissipated power."""
    length = a.sqrt(square(r))
    rate = dot(r, v) / length
    tension = p.preload + p.stiffness * (length - p.free_length) + p.damping * rate
    return -tension * r / length, length, p.damping * rate**2, tension


def stored(p, length):
    x = length - p.free_length
    return p.preload * x + p.stiffness * x**2 / 2


def pendulum(a):
    p = values(a, CASES["elastic-pendulum"])

    def f(t, y):
        force, _, lost, _ = element(p, a, a.z(y[0], y[1]), a.z(y[2], y[3]))
        return [y[2], y[3], force.real / p.mass, force.imag / p.mass - p.gravity, lost]

    return f


def slider(a):
    p = values(a, CASES["inclined-slider"])
    weight = p.mass * p.gravity * a.sin(p.guide_angle)

    def f(t, y):
        force, _, lost, _ = element(p, a, a.z(y[0] - p.anchor_s, -p.anchor_n), a.z(y[1], 0))  # guide axes: along, normal
        return [y[1], (force.real - weight) / p.mass, lost]

    return f


table = results()
times = [k / 8 for k in range(17)]

p = values(MP, CASES["elastic-pendulum"])
case = CASES["elastic-pendulum"]
start = None
for t, y in zip(times, reference("elastic-pendulum", pendulum, [case[k][0] for k in ("x", "y", "vx", "vy")] + [0.0], times)):
    r, v = MP.z(y[0], y[1]), MP.z(y[2], y[3])
    force, length, _, tension = element(p, MP, r, v)
    energy = p.mass * (square(v) / 2 + p.gravity * r.imag) + stored(p, length)
    start = energy if start is None else start
    assert abs(energy + y[4] - start) < 1e-20
    for key, value in zip(("x", "y", "vx", "vy", "length", "tension", "energy", "energy_lost"), (*y[:4], length, tension, energy, y[4])):
        table.add("elastic-pendulum", key, t, value)

p = values(MP, CASES["inclined-slider"])
case, start = CASES["inclined-slider"], None
for t, y in zip(times, reference("inclined-slider", slider, [case["s"][0], case["v"][0], 0.0], times)):
    r, v = MP.z(y[0] - p.anchor_s, -p.anchor_n), MP.z(y[1], 0)
    force, length, _, tension = element(p, MP, r, v)
    normal = p.mass * p.gravity * MP.cos(p.guide_angle) - force.imag  # guide on slider, along the guide's normal
    energy = p.mass * (y[1] ** 2 / 2 + p.gravity * y[0] * MP.sin(p.guide_angle)) + stored(p, length)
    start = energy if start is None else start
    assert abs(energy + y[2] - start) < 1e-20
    for key, value in zip(("s", "v", "length", "tension", "normal_force", "energy", "energy_lost"),
                          (y[0], y[1], length, tension, normal, energy, y[2])):
        table.add("inclined-slider", key, t, value)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)
