"""Parallelogram with a third parallel crank (one redundant constraint): a compound pendulum. Run: python generate.py

Angle q of the cranks from the downward vertical; all cranks turn alike, the coupler only translates:
J q'' = -W sin q,  J = sum (I_k + m_k l_k^2) + M L^2,  W = g (sum m_k l_k + M L); started at rest: Jacobi's functions.
Bodies 4, revolute joints 6: 12 coordinates, 12 constraint equations, rank 11."""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import MP, cross, dot, parameters, reference, results, values

BASE = {
    "gravity": (9.81, "m/s2"), "length": (0.5, "m"), "mass1": (0.6, "kg"), "inertia1": (0.0125, "kg m2"), "com1": (0.25, "m"), "mass2": (0.6, "kg"),
    "inertia2": (0.0125, "kg m2"), "com2": (0.25, "m"), "mass3": (0.9, "kg"), "inertia3": (0.02, "kg m2"), "com3": (0.3, "m"),
    "coupler_mass": (2.0, "kg"), "coupler_inertia": (0.15, "kg m2"), "coupler_com_x": (0.35, "m"), "coupler_com_y": (-0.05, "m"),
    "pivot2_x": (0.8, "m"), "pivot2_y": (0.0, "m"), "pivot3_x": (0.3, "m"), "pivot3_y": (0.0, "m"), "angle": (1.0, "rad"),
}
CASES = {
    "line": BASE,  # the three pivots on one line: bifurcation where the cranks lie along it (not reached)
    "triangle": {**BASE, "pivot3_x": (0.3, "m"), "pivot3_y": (0.2, "m"), "angle": (2.5, "rad")},  # no bifurcation: passes the horizontal
}


def model(case):
    def build(a):
        p = values(a, CASES[case])
        j, w = constants(p)
        return lambda t, y: [y[1], -w * a.sin(y[0]) / j]

    return build


def constants(p):
    j = p.coupler_mass * p.length**2 + sum(i + m * l**2 for i, m, l in ((p.inertia1, p.mass1, p.com1), (p.inertia2, p.mass2, p.com2), (p.inertia3, p.mass3, p.com3)))
    w = p.gravity * (p.coupler_mass * p.length + p.mass1 * p.com1 + p.mass2 * p.com2 + p.mass3 * p.com3)
    return j, w


table = results()
times = [k / 8 for k in range(17)]
for case, data in CASES.items():
    p = values(MP, data)
    j, w = constants(p)
    k = mp.sin(p.angle / 2)
    n = mp.sqrt(w / j)
    check = reference(case, model(case), [data["angle"][0], 0.0], times)
    table.add(case, "period", 0.0, 4 * mp.ellipk(k**2) / n)
    for t, y in zip(times, check):
        sn, cn, dn = (mp.ellipfun(name, n * t, m=k**2) for name in ("sn", "cn", "dn"))
        q = 2 * mp.asin(k * cn / dn)
        rate = -2 * k * mp.sqrt(1 - k**2) * n * sn / dn
        assert abs(q - y[0]) + abs(rate - y[1]) < 1e-20
        acc = -w * mp.sin(q) / j
        out, side = mp.mpc(mp.sin(q), -mp.cos(q)), mp.mpc(mp.cos(q), mp.sin(q))  # along the crank, across it
        move = acc * side - rate**2 * out  # acceleration per length
        up = mp.mpc(0, 1) * p.gravity
        ground = p.coupler_mass * (p.length * move + up)
        across = []
        for m, l, i in ((p.mass1, p.com1, p.inertia1), (p.mass2, p.com2, p.inertia2), (p.mass3, p.com3, p.inertia3)):
            ground += m * (l * move + up)
            # moments of the crank about its ground pivot: across component of the force of the crank on the coupler
            across.append(-((i + m * l * l) * acc + m * p.gravity * l * mp.sin(q)) / p.length)
        assert abs(sum(across) - dot(p.coupler_mass * (p.length * move + up), side)) < 1e-30
        row = {"angle": q, "rate": rate, "acceleration": acc, "ground_fx_sum": ground.real, "ground_fy_sum": ground.imag,
               "across1": across[0], "across2": across[1], "across3": across[2], "axial_sum": dot(p.coupler_mass * (p.length * move + up), out),
               "energy": j * rate**2 / 2 - w * mp.cos(q)}
        # moment of the axial forces about coupler pin 1, also unique: coupler about that pin (it does not rotate)
        inertial = cross(mp.mpc(p.coupler_com_x, p.coupler_com_y), p.coupler_mass * (p.length * move + up))
        pins = (mp.mpc(p.pivot2_x, p.pivot2_y), mp.mpc(p.pivot3_x, p.pivot3_y))
        row["axial_moment"] = inertial - sum(cross(z, f * side) for z, f in zip(pins, across[1:]))
        for key, value in row.items():
            table.add(case, key, t, value)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)
