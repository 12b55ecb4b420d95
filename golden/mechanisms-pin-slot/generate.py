"""A pin on a crank of constant speed in a straight slot: sliding yoke, and slotted lever; closed form. Run: python generate.py"""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import MP, cross, dot, parameters, results, values

YOKE = {
    "crank": (0.05, "m"), "speed": (12.0, "rad/s"), "start_angle": (0.3, "rad"), "slot_angle": (0.0, "rad"), "mass": (1.7, "kg"),
    "stiffness": (900.0, "N/m"), "free_x": (0.02, "m"), "damping": (6.0, "N s/m"),
}
LEVER = {
    "crank": (0.06, "m"), "speed": (8.0, "rad/s"), "start_angle": (0.3, "rad"), "pivot_y": (-0.15, "m"), "mass": (0.9, "kg"), "inertia": (0.012, "kg m2"),
    "com_x": (0.14, "m"), "com_y": (0.02, "m"), "gravity": (9.81, "m/s2"), "stiffness": (3.0, "N m/rad"), "free_angle": (1.5, "rad"),
}
CASES = {
    "yoke": YOKE,
    "yoke-inclined": {**YOKE, "slot_angle": (0.35, "rad")},
    "slotted-lever": LEVER,  # pivot outside the crank circle: quick-return, the lever swings
    "whitworth": {**LEVER, "pivot_y": (-0.025, "m"), "stiffness": (0.0, "N m/rad")},  # pivot inside: the lever turns with the crank
}


def yoke(p, t):
    i = MP.i
    angle = p.start_angle + p.speed * t
    pin = p.crank * mp.expj(angle)
    v, acc = i * p.speed * pin, -p.speed**2 * pin
    tan = mp.tan(p.slot_angle)
    x, dx, ddx = (z.real + z.imag * tan for z in (pin, v, acc))
    normal = mp.expj(p.slot_angle)  # the slot runs along i*normal
    along = [dot(i * normal, z) for z in (pin - x, v - dx)]  # position and speed of the pin in the slot
    force = (p.mass * ddx + p.stiffness * (x - p.free_x) + p.damping * dx) / normal.real  # of the pin on the yoke, along normal
    torque = cross(pin, force * normal)
    energy_rate = p.mass * dx * ddx + p.stiffness * (x - p.free_x) * dx + p.damping * dx**2
    assert abs(torque * p.speed - energy_rate) < 1e-30
    return {"crank_angle": angle, "yoke_x": x, "yoke_velocity": dx, "yoke_acceleration": ddx, "slot_position": along[0], "slot_velocity": along[1],
            "slot_force": force, "slot_fx": force * normal.real, "slot_fy": force * normal.imag, "guide_fy": -force * normal.imag, "crank_torque": torque}


def lever(p, t, near):
    i = MP.i
    angle = p.start_angle + p.speed * t
    pin = p.crank * mp.expj(angle)
    arm = pin - mp.mpc(0, p.pivot_y)
    v, acc = i * p.speed * pin, -p.speed**2 * pin
    rho = abs(arm)
    e = arm / rho
    psi = mp.arg(arm)
    psi += 2 * mp.pi * mp.nint((near - psi) / (2 * mp.pi))
    rate, slide = cross(e, v) / rho, dot(e, v)
    alpha = (cross(e, acc) - 2 * rate * slide) / rho
    c = mp.mpc(p.com_x, p.com_y) * e
    moment = p.stiffness * (psi - p.free_angle) + p.mass * p.gravity * c.real
    inertia = p.inertia + p.mass * abs(c) ** 2
    force = (inertia * alpha + moment) / rho  # of the pin on the lever, along i e
    torque = cross(pin, force * i * e)
    assert abs(torque * p.speed - (inertia * alpha + moment) * rate) < 1e-30
    centre = (i * alpha - rate**2) * c
    pivot = p.mass * (centre + i * p.gravity) - force * i * e  # ground on lever
    return {"crank_angle": angle, "lever_angle": psi, "lever_rate": rate, "lever_acceleration": alpha, "slot_position": rho, "slot_velocity": slide,
            "slot_force": force, "slot_fx": (force * i * e).real, "slot_fy": (force * i * e).imag, "pivot_fx": pivot.real, "pivot_fy": pivot.imag,
            "crank_torque": torque}


table = results()
for case, data in CASES.items():
    p, near = values(MP, data), mpf(1.5)
    for k in range(25):
        t = k / 32
        row = yoke(p, mpf(t)) if "free_x" in data else lever(p, mpf(t), near)
        near = row.get("lever_angle", near) + (row["lever_rate"] / 32 if case == "whitworth" else 0)
        # differentiate numerically once as a check of the rates
        f = (lambda s: yoke(p, s)["yoke_x"]) if "free_x" in data else (lambda s: lever(p, s, row["lever_angle"])["lever_angle"])
        first, second = ("yoke_velocity", "yoke_acceleration") if "free_x" in data else ("lever_rate", "lever_acceleration")
        h = mpf(10) ** -10
        assert abs((f(t + h) - f(t - h)) / (2 * h) - row[first]) < 1e-14
        assert abs((f(t + h) - 2 * f(mpf(t)) + f(t - h)) / h**2 - row[second]) < 1e-12
        for key, value in row.items():
            table.add(case, key, t, value)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)
