"""Shared by the scripts of golden/mechanisms-*: two arithmetics, an initial-value solver of high order, CSV output.

A model is written once as build(a), a = MP (40 digits) or F64 (binary64), and returns f(t, y) -> list.
Plane vectors are complex numbers: e(angle) is a unit vector, 1j*z the vector turned by 90 degrees to the left.
"""
import cmath
import csv
import math
from types import SimpleNamespace

import numpy as np
from mpmath import mp, mpc, mpf
from scipy.integrate import solve_ivp

mp.dps = 40
MP = SimpleNamespace(n=mpf, z=mpc, e=mp.expj, sin=mp.sin, cos=mp.cos, tanh=mp.tanh, sqrt=mp.sqrt, acos=mp.acos,
                     atan2=mp.atan2, i=mpc(0, 1), pi=mp.pi)
F64 = SimpleNamespace(n=float, z=complex, e=lambda x: cmath.exp(1j * x), sin=math.sin, cos=math.cos, tanh=math.tanh,
                      sqrt=math.sqrt, acos=math.acos, atan2=math.atan2, i=1j, pi=math.pi)


def dot(p, q):
    return p.real * q.real + p.imag * q.imag


def cross(p, q):
    return p.real * q.imag - p.imag * q.real


def square(p):
    return p.real * p.real + p.imag * p.imag


def extrapolation(f, y0, times, tol, columns):
    """States at `times` (the first is the start): explicit midpoint rule with 2, 4, 6 ... sub-steps, extrapolated in h^2
    (order 2*columns), adaptive; error per step below tol*max(1, |y|)."""
    t, y = mpf(times[0]), [mpf(x) for x in y0]
    out, big = [list(y)], (mpf(times[-1]) - t) / 50
    for end in times[1:]:
        end = mpf(end)
        while t < end:
            step = min(big, end - t)
            first, table, old = f(t, y), [], None
            for j in range(1, columns + 1):
                n = 2 * j
                h = step / n
                p, q = y, [u + h * v for u, v in zip(y, first)]
                for k in range(1, n):
                    p, q = q, [u + 2 * h * v for u, v in zip(p, f(t + k * h, q))]
                row = [q]
                for k in range(1, j):
                    w = (mpf(j) / (j - k)) ** 2 - 1
                    row.append([u + (u - v) / w for u, v in zip(row[k - 1], table[k - 1])])
                old, table = table, row
            error = max(abs(u - v) / max(1, abs(u)) for u, v in zip(table[-1], table[-2])) / tol
            factor = min(4, mpf("0.8") * (1 / error) ** (mpf(1) / (2 * columns - 1))) if error else 4
            if error <= 1:
                t, y = t + step, table[-1]
                if step == big or factor < 1:
                    big = step * factor
            else:
                big = step * max(mpf("0.1"), factor)
        t = end
        out.append(list(y))
    return out


def reference(name, build, y0, times, assert_rk=1e-9, tol=mpf(10) ** -25):
    """States at `times` in 40-digit arithmetic; prints the change with order and tolerance, and against DOP853."""
    f = build(MP)
    states = extrapolation(f, y0, times, tol, 12)
    other = extrapolation(f, y0, times, tol * 1000, 9)
    change = max(abs(u - v) / max(1, abs(u)) for p, q in zip(states, other) for u, v in zip(p, q))
    g = build(F64)
    rk = solve_ivp(g, (float(times[0]), float(times[-1])), [float(x) for x in y0], method="DOP853", t_eval=[float(t) for t in times],
                   rtol=1e-13, atol=1e-15)
    assert rk.success and rk.y.shape[1] == len(times), rk.message
    spread = max(abs(float(u) - v) / max(1, abs(float(u))) for p, q in zip(states, rk.y.T) for u, v in zip(p, q))
    print(f"{name}: change with order and tolerance {mp.nstr(change, 2)}, against DOP853 {spread:.1e}")
    assert change < mpf(10) ** -18 and spread < assert_rk
    return states


def text(x):
    if isinstance(x, str):
        return x
    if isinstance(x, int):
        return str(x)
    if isinstance(x, (float, np.floating)):
        return repr(float(x))
    return mp.nstr(x, 17, min_fixed=0, max_fixed=0)


class Table:
    """Rows written as they come: numbers of Python as exact binary64, mpf with 17 digits."""

    def __init__(self, *header):
        self.header, self.rows = header, []

    def add(self, *row):
        assert len(row) == len(self.header)
        self.rows.append([text(x) for x in row])

    def write(self, path):
        with open(path, "w", newline="") as f:
            out = csv.writer(f, lineterminator="\n")
            out.writerow(self.header)
            out.writerows(self.rows)


def results():
    return Table("case", "quantity", "t", "value")


def parameters(path, cases):
    """cases: {case: {parameter: (value, unit)}} -> parameters.csv"""
    table = Table("case", "parameter", "value", "unit")
    for case, values in cases.items():
        for key, (value, unit) in values.items():
            table.add(case, key, float(value), unit)
    table.write(path)


def values(a, case):
    """{parameter: number} of one case in arithmetic a, from the exact binary64 inputs."""
    return SimpleNamespace(**{k: a.n(v) for k, (v, _) in case.items()})
