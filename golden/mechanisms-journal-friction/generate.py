"""Rigid pendulum with journal friction proportional to its own pin reaction. Run: python generate.py

With T = tanh(rate/rate_s), radial N = m l rate^2 + m g cos, tangential S = m (l acc + g sin):  |R|^2 = N^2 + S^2 and
J acc + m g l sin + c rate = -mu r T |R| ,   J = I + m l^2:  a quadratic for acc; the root whose left side has the sign of -T."""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from tools import MP, parameters, reference, results, values

BASE = {
    "gravity": (9.81, "m/s2"), "mass": (1.5, "kg"), "inertia": (0.03, "kg m2"), "com_distance": (0.4, "m"), "pin_radius": (0.05, "m"),
    "mu": (0.3, "1"), "rate_s": (0.05, "rad/s"), "viscous": (0.02, "N m s/rad"), "angle": (1.4, "rad"), "rate": (0.0, "rad/s"),
}
CASES = {
    "journal": BASE,
    "journal-light": {**BASE, "mu": (0.1, "1"), "pin_radius": (0.02, "m"), "viscous": (0.005, "N m s/rad"), "angle": (2.6, "rad")},
    # large friction radius: the friction changes the acceleration, and through it its own normal force, by much; ends creeping
    "journal-heavy": {**BASE, "mu": (0.6, "1"), "pin_radius": (0.25, "m"), "viscous": (0.0, "N m s/rad"), "angle": (0.3, "rad"), "rate": (9.0, "rad/s")},
}


def mechanics(a, p):
    inertia = p.inertia + p.mass * p.com_distance**2

    def acceleration(angle, rate):
        """acceleration, |R|, friction moment; angle from the downward vertical, counter-clockwise."""
        t = a.tanh(rate / p.rate_s)
        n = p.mass * (p.com_distance * rate**2 + p.gravity * a.cos(angle))
        b = p.mass * p.gravity * p.com_distance * a.sin(angle) + p.viscous * rate  # J acc + b = -k |R|
        k = p.mu * p.pin_radius * t
        ml, mg = p.mass * p.com_distance, p.mass * p.gravity * a.sin(angle)
        # (J acc + b)^2 = k^2 (n^2 + (ml acc + mg)^2)
        qa = inertia**2 - k**2 * ml**2
        qb = inertia * b - k**2 * ml * mg
        # root of the discriminant with the common factor k taken out; the sign of k picks the root
        acc = -(qb + k * a.sqrt((inertia * mg - ml * b) ** 2 + qa * n**2)) / qa
        reaction = a.sqrt(n**2 + (ml * acc + mg) ** 2)
        return acc, reaction, -k * reaction, n, ml * acc + mg

    return acceleration, inertia


def model(case):
    def build(a):
        p = values(a, CASES[case])
        acceleration, _ = mechanics(a, p)

        def f(t, y):
            acc, _, moment, _, _ = acceleration(y[0], y[1])
            return [y[1], acc, -moment * y[1], p.viscous * y[1] ** 2]

        return f

    return build


table = results()
times = [k / 8 for k in range(25)]
for case in CASES:
    p = values(MP, CASES[case])
    acceleration, inertia = mechanics(MP, p)
    assert p.mu * p.pin_radius * p.mass * p.com_distance < inertia
    energy = lambda y: inertia * y[1] ** 2 / 2 - p.mass * p.gravity * p.com_distance * MP.cos(y[0])
    states = reference(case, model(case), [CASES[case]["angle"][0], CASES[case]["rate"][0], 0.0, 0.0], times)
    for t, y in zip(times, states):
        acc, reaction, moment, n, s = acceleration(y[0], y[1])
        assert abs(inertia * acc + p.mass * p.gravity * p.com_distance * MP.sin(y[0]) + p.viscous * y[1] - moment) < 1e-30
        assert abs(energy(y) + y[2] + y[3] - energy(states[0])) < 1e-19
        # force of the ground on the pendulum: radial component towards the pin, tangential along increasing angle
        fx = -n * MP.sin(y[0]) + s * MP.cos(y[0])
        fy = n * MP.cos(y[0]) + s * MP.sin(y[0])
        for key, value in zip(("angle", "rate", "acceleration", "pin_fx", "pin_fy", "pin_force", "friction_moment", "energy_lost_friction",
                               "energy_lost_viscous"), (y[0], y[1], acc, fx, fy, reaction, moment, y[2], y[3])):
            table.add(case, key, t, value)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)
