"""Bodies linked by a massless rod (distance constraint). Run: python generate.py

driven-cart, free-cart: point mass on a rod hung from a cart; angle from the downward vertical, positive towards +x.
linked-pendulums: two pinned rigid bodies linked by a rod, i.e. the four-bar of ../mechanisms-four-bar with a massless coupler."""
import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import MP, parameters, reference, results, values

spec = importlib.util.spec_from_file_location("fourbar", HERE.parent / "mechanisms-four-bar" / "generate.py")
fourbar = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fourbar)

CASES = {
    "driven-cart": {"gravity": (9.81, "m/s2"), "length": (0.6, "m"), "mass": (0.8, "kg"), "cart_mass": (1.5, "kg"), "amplitude": (0.12, "m"),
                    "frequency": (3.0, "rad/s"), "angle": (0.5, "rad"), "rate": (0.0, "rad/s")},
    "free-cart": {"gravity": (9.81, "m/s2"), "length": (0.6, "m"), "mass": (0.8, "kg"), "cart_mass": (1.5, "kg"), "stiffness": (40.0, "N/m"),
                  "x": (0.1, "m"), "v": (0.0, "m/s"), "angle": (2.0, "rad"), "rate": (0.0, "rad/s")},
    "linked-pendulums": {**fourbar.BASE, "crank": (0.25, "m"), "coupler": (0.3, "m"), "rocker": (0.35, "m"), "ground_x": (0.4, "m"), "ground_y": (0.05, "m"),
                         "com1_x": (0.12, "m"), "mass2": (0.0, "kg"), "inertia2": (0.0, "kg m2"), "com2_x": (0.0, "m"), "com2_y": (0.0, "m"), "spring": (4.0, "N m/rad"),
                         "free_angle": (1.2, "rad"), "damper": (0.03, "N m s/rad"), "crank_angle": (1.3, "rad"), "crank_rate": (2.0, "rad/s")},
}


def driven(a):
    p = values(a, CASES["driven-cart"])
    # x = A sin(w t)
    return lambda t, y: [y[1], (p.amplitude * p.frequency**2 * a.sin(p.frequency * t) * a.cos(y[0]) - p.gravity * a.sin(y[0])) / p.length]


def free(a):
    p = values(a, CASES["free-cart"])

    def f(t, y):
        x, q, v, w = y
        s, c = a.sin(q), a.cos(q)
        # (M + m) x'' + m L q'' c - m L w^2 s = -k x ;  L q'' + x'' c + g s = 0
        acc = (-p.stiffness * x + p.mass * p.length * w**2 * s + p.mass * p.gravity * s * c) / (p.cart_mass + p.mass * s * s)
        return [v, w, acc, -(acc * c + p.gravity * s) / p.length]

    return f


table = results()
times = [k / 8 for k in range(17)]
p = values(MP, CASES["driven-cart"])
f = driven(MP)
for t, y in zip(times, reference("driven-cart", driven, [0.5, 0.0], times)):
    x, v, acc = (p.amplitude * z for z in (mp.sin(p.frequency * t), p.frequency * mp.cos(p.frequency * t), -p.frequency**2 * mp.sin(p.frequency * t)))
    s, c = mp.sin(y[0]), mp.cos(y[0])
    tension = p.mass * (p.length * y[1] ** 2 - acc * s + p.gravity * c)
    for key, value in zip(("angle", "rate", "acceleration", "cart_x", "cart_v", "mass_x", "mass_y", "tension", "driver_force"),
                          (*y, f(mpf(t), y)[1], x, v, x + p.length * s, -p.length * c, tension, p.cart_mass * acc - tension * s)):
        table.add("driven-cart", key, t, value)

p, start = values(MP, CASES["free-cart"]), None
f = free(MP)
for t, y in zip(times, reference("free-cart", free, [0.1, 2.0, 0.0, 0.0], times)):
    x, q, v, w = y
    s, c = mp.sin(q), mp.cos(q)
    acc = f(mpf(t), y)[2]
    tension = p.mass * (p.length * w**2 - acc * s + p.gravity * c)
    assert abs(p.cart_mass * acc + p.stiffness * x - tension * s) < 1e-30
    vx, vy = v + p.length * w * c, p.length * w * s
    energy = (p.cart_mass * v**2 + p.mass * (vx**2 + vy**2) + p.stiffness * x**2) / 2 - p.mass * p.gravity * p.length * c
    start = energy if start is None else start
    assert abs(energy - start) < 1e-20
    for key, value in zip(("cart_x", "angle", "cart_v", "rate", "cart_acceleration", "mass_x", "mass_y", "tension", "energy"),
                          (x, q, v, w, acc, x + p.length * s, -p.length * c, tension, energy)):
        table.add("free-cart", key, t, value)

fourbar.CASES = CASES
data = CASES["linked-pendulums"]
derivatives, motion, reactions, energy = fourbar.mechanics(MP, values(MP, data))
states = reference("linked-pendulums", fourbar.model("linked-pendulums"), [data["crank_angle"][0], data["crank_rate"][0], 0.0], times)
for t, (phi, rate, lost) in zip(times, states):
    (b, u, w), (chi, psi), g1, *_ = derivatives(phi)
    acc, ang, apin, bpin, c, dpin = reactions(phi, rate)
    assert abs(bpin - c) < 1e-30 and abs(energy(phi, rate) + lost - energy(*states[0][:2])) < 1e-19
    tension = -(c.real * u.real + c.imag * u.imag) / abs(u)  # > 0: the rod pulls its ends together
    assert abs(abs(tension) - abs(c)) < 1e-25
    for key, value in (("angle1", phi), ("angle3", psi), ("rate1", rate), ("rate3", g1[2] * rate), ("acceleration1", acc), ("acceleration3", ang[2]),
                       ("rod_angle", chi), ("tension", tension), ("pin1_fx", apin.real), ("pin1_fy", apin.imag), ("pin3_fx", dpin.real), ("pin3_fy", dpin.imag),
                       ("energy", energy(phi, rate)), ("energy_lost", lost)):
        table.add("linked-pendulums", key, t, value)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)
