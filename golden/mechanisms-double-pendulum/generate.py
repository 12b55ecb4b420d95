"""Double pendulum of two rigid bodies, absolute angles as coordinates. Run: python generate.py"""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from tools import MP, cross, dot, parameters, reference, results, square, values

CASE = {
    "gravity": (9.81, "m/s2"), "length1": (0.7, "m"),
    "mass1": (1.3, "kg"), "inertia1": (0.06, "kg m2"), "com1_x": (0.32, "m"), "com1_y": (0.05, "m"),
    "mass2": (0.8, "kg"), "inertia2": (0.025, "kg m2"), "com2_x": (0.28, "m"), "com2_y": (-0.04, "m"),
    "angle1": (2.0, "rad"), "angle2": (1.0, "rad"), "rate1": (0.0, "rad/s"), "rate2": (0.0, "rad/s"),
}


def mechanics(a):
    p = values(a, CASE)
    i = a.i
    c1, c2 = a.z(p.com1_x, p.com1_y), a.z(p.com2_x, p.com2_y)

    def acceleration(y):
        q1, q2, w1, w2 = y
        r1, pin, r2 = c1 * a.e(q1), p.length1 * a.e(q1), c2 * a.e(q2)  # joint 1 -> centre 1, joint 1 -> joint 2, joint 2 -> centre 2
        m11 = p.inertia1 + p.mass1 * square(r1) + p.mass2 * square(pin)
        m12 = p.mass2 * dot(pin, r2)
        m22 = p.inertia2 + p.mass2 * square(r2)
        b1 = p.mass2 * dot(i * pin, r2) * w2**2 - p.gravity * (p.mass1 * r1.real + p.mass2 * pin.real)
        b2 = p.mass2 * dot(i * r2, pin) * w1**2 - p.gravity * p.mass2 * r2.real
        det = m11 * m22 - m12**2
        a1, a2 = (b1 * m22 - b2 * m12) / det, (b2 * m11 - b1 * m12) / det
        acc1, acc2 = (i * a1 - w1**2) * r1, (i * a1 - w1**2) * pin + (i * a2 - w2**2) * r2
        f2 = p.mass2 * (acc2 + i * p.gravity)
        f1 = p.mass1 * (acc1 + i * p.gravity) + f2
        # Newton-Euler of body 2 about its centre: a check that does not use the mass matrix
        assert abs(cross(-r2, f2) - p.inertia2 * a2) < 1e-12 * (1 + abs(f2))
        return a1, a2, f1, f2

    def energy(y):
        q1, q2, w1, w2 = y
        r1, pin, r2 = c1 * a.e(q1), p.length1 * a.e(q1), c2 * a.e(q2)
        v1, v2 = i * w1 * r1, i * w1 * pin + i * w2 * r2
        return (p.mass1 * square(v1) + p.mass2 * square(v2) + p.inertia1 * w1**2 + p.inertia2 * w2**2) / 2 + p.gravity * (
            p.mass1 * r1.imag + p.mass2 * (pin + r2).imag)

    return acceleration, energy


def build(a):
    acceleration, _ = mechanics(a)
    return lambda t, y: [y[2], y[3], *acceleration(y)[:2]]


times = [k / 8 for k in range(17)]
states = reference("double-pendulum", build, [CASE[k][0] for k in ("angle1", "angle2", "rate1", "rate2")], times)
acceleration, energy = mechanics(MP)
table = results()
for t, y in zip(times, states):
    a1, a2, f1, f2 = acceleration(y)
    assert abs(energy(y) - energy(states[0])) < 1e-20
    for name, value in zip(("angle1", "angle2", "rate1", "rate2", "acceleration1", "acceleration2", "pin1_fx", "pin1_fy", "pin2_fx", "pin2_fy",
                            "energy"), (*y, a1, a2, f1.real, f1.imag, f2.real, f2.imag, energy(y))):
        table.add("double-pendulum", name, t, value)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", {"double-pendulum": CASE})
