"""M7 before the first contact: crank, rod and slider as an open chain, no guide. Run: python generate.py

The slider is pinned at its centre of mass and starts without rotation, so its angle stays 0 and it acts as a point mass at
the rod's end.  The first contact is the first instant at which its centre is 1 mm off the guide line (26 mm - 25 mm)."""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import F64, MP, dot, extrapolation, parameters, reference, results, square, values

CASE = {
    "gravity": (9.81, "m/s2"), "crank_length": (0.153, "m"), "crank_mass": (0.038, "kg"), "crank_inertia": (7.4e-5, "kg m2"),
    "rod_length": (0.306, "m"), "rod_mass": (0.038, "kg"), "rod_inertia": (5.9e-4, "kg m2"),
    "slider_mass": (0.076, "kg"), "slider_inertia": (2.7e-6, "kg m2"), "slider_length": (0.1, "m"), "slider_height": (0.05, "m"),
    "wall": (0.026, "m"), "crank_angle": (0.0, "rad"), "rod_angle": (0.0, "rad"), "slider_angle": (0.0, "rad"),
    "crank_rate": (150.0, "rad/s"), "rod_rate": (-75.0, "rad/s"), "slider_rate": (0.0, "rad/s"),
}


def mechanics(a):
    p = values(a, CASE)
    i = a.i
    total = p.rod_mass + p.slider_mass
    m11 = p.crank_inertia + p.crank_length**2 * (p.crank_mass / 4 + total)
    m22 = p.rod_inertia + p.rod_length**2 * (p.rod_mass / 4 + p.slider_mass)
    couple = p.rod_mass / 2 + p.slider_mass  # first moment of rod and slider about the crank pin, per rod length

    def acceleration(y):
        q1, q2, w1, w2 = y
        crank, rod = p.crank_length * a.e(q1), p.rod_length * a.e(q2)
        m12 = couple * dot(crank, rod)
        turn = couple * dot(i * crank, rod)
        b1 = turn * w2**2 - p.gravity * crank.real * (p.crank_mass / 2 + total)
        b2 = -turn * w1**2 - p.gravity * rod.real * couple
        det = m11 * m22 - m12**2
        return (b1 * m22 - b2 * m12) / det, (b2 * m11 - b1 * m12) / det

    def slider(y):
        q1, q2, w1, w2 = y
        crank, rod = p.crank_length * a.e(q1), p.rod_length * a.e(q2)
        a1, a2 = acceleration(y)
        return crank + rod, i * (w1 * crank + w2 * rod), (i * a1 - w1**2) * crank + (i * a2 - w2**2) * rod

    def energy(y):
        q1, q2, w1, w2 = y
        crank, rod = p.crank_length * a.e(q1), p.rod_length * a.e(q2)
        _, v, _ = slider(y)
        middle = i * (w1 * crank + w2 * rod / 2)
        kinetic = p.crank_inertia * w1**2 + p.crank_mass * square(crank / 2) * w1**2 + p.rod_inertia * w2**2 + p.rod_mass * square(middle)
        height = p.crank_mass * crank.imag / 2 + p.rod_mass * (crank + rod / 2).imag + p.slider_mass * (crank + rod).imag
        return (kinetic + p.slider_mass * square(v)) / 2 + p.gravity * height

    return p, acceleration, slider, energy


def build(a):
    _, acceleration, _, _ = mechanics(a)
    return lambda t, y: [y[2], y[3], *acceleration(y)]


p, acceleration, slider, energy = mechanics(MP)
y0 = [CASE[k][0] for k in ("crank_angle", "rod_angle", "crank_rate", "rod_rate")]
limit = p.wall - p.slider_height / 2
# scan for the first crossing
grid = [k * 1e-4 for k in range(400)]
for t, y in zip(grid, extrapolation(build(MP), y0, grid, mpf(10) ** -20, 10)):
    if abs(slider(y)[0].imag) > limit:
        break
side = 1 if slider(y)[0].imag > 0 else -1
print("crossing before", t, "side", side)
root = mpf(t)
for _ in range(8):
    y = extrapolation(build(MP), y0, [0, root], mpf(10) ** -28, 12)[-1]
    r, v, _ = slider(y)
    root -= (r.imag - side * limit) / v.imag
other = extrapolation(build(MP), y0, [0, root], mpf(10) ** -22, 9)[-1]
shift = abs((slider(other)[0].imag - side * limit) / slider(other)[1].imag)
print("t1 =", mp.nstr(root, 25), "other order", mp.nstr(shift, 3))
before = [k / 8192 for k in range(1, 200) if k / 8192 < root]
times = [0.0] + before + [float(root)]
states = reference("m7", build, y0, times, 1e-10)
table = results()


def rows(t, y, suffix=""):
    r, v, acc = slider(y)
    force = p.slider_mass * (acc + MP.i * p.gravity)
    assert abs(energy(y) - energy([mpf(x) for x in y0])) < 1e-19
    for key, value in zip(("crank_angle", "rod_angle", "crank_rate", "rod_rate", "slider_x", "slider_y", "slider_vx", "slider_vy", "slider_pin_fx",
                           "slider_pin_fy", "energy"), (*y, r.real, r.imag, v.real, v.imag, force.real, force.imag, energy(y))):
        table.add("m7", key + suffix, t, value)


for t, y in list(zip(times, states))[:-1]:
    rows(t, y)
y = extrapolation(build(MP), y0, [0, root], mpf(10) ** -28, 12)[-1]
table.add("m7", "first_contact_time", root, root)
table.add("m7", "first_contact_side", root, mpf(side))
rows(root, y, "_at_contact")
table.add("m7", "approach_speed_at_contact", root, side * slider(y)[1].imag)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", {"m7": CASE})
print(len(before), [mp.nstr(x, 15) for x in y], mp.nstr(slider(y)[0], 15), mp.nstr(slider(y)[1], 15))
