"""B5: chain of N uniform rods (1 m, 1 kg), horizontal, hinged at the origin, released from rest. Run: python generate.py

Coordinates: absolute angles.  Method 1 (all N): the joint forces from the closing of the accelerations, a block-tridiagonal
system.  Method 2 (N = 10): Lagrange's equations with the full mass matrix.  40-digit arithmetic in both."""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import Table, extrapolation, parameters, results

G, H = mpf(9.81), mpf(1) / 2
CASE = {"gravity": (9.81, "m/s2"), "mass": (1.0, "kg"), "length": (1.0, "m")}
PUBLISHED = [("n10", "0.2", "-0.2156575933"), ("n100", "0.2", "-0.1437373375"), ("n1000", "0.05", "-0.0143382016")]


def by_forces(t, y):
    """lambda[i]: force on the left end of rod i.  With P = 3 n n^T (h^2/I = 3), n the normal of the rod, row i reads
    (-1 + P[i-1]) lambda[i-1] + (2 + P[i-1] + P[i]) lambda[i] + (-1 + P[i]) lambda[i+1] = -h (w[i]^2 e[i] + w[i-1]^2 e[i-1]);
    row 0: (1 + P[0]) lambda[0] + (-1 + P[0]) lambda[1] = g up - h w[0]^2 e[0]."""
    count = len(y) // 2
    c, s = zip(*(mp.cos_sin(q) for q in y[:count]))
    w = y[count:]
    store = []
    axx, axy, ayy, bx, by = mpf(1), mpf(0), mpf(1), mpf(0), G  # diagonal block and right side without the terms of rod i
    for i in range(count):
        pxx, pxy, pyy = 3 * s[i] * s[i], -3 * s[i] * c[i], 3 * c[i] * c[i]
        k = H * w[i] * w[i]
        ex, ey = k * c[i], k * s[i]
        axx, axy, ayy, bx, by = axx + pxx, axy + pxy, ayy + pyy, bx - ex, by - ey
        det = axx * ayy - axy * axy
        ixx, ixy, iyy = ayy / det, -axy / det, axx / det  # inverse of the eliminated diagonal block
        oxx, oxy, oyy = pxx - 1, pxy, pyy - 1  # coupling to the next force, symmetric
        store.append((ixx, ixy, iyy, oxx, oxy, oyy, bx, by))
        # next row: minus O inv(A) O and O inv(A) b
        zx, zy = ixx * bx + ixy * by, ixy * bx + iyy * by
        txx, txy, tyx, tyy = ixx * oxx + ixy * oxy, ixx * oxy + ixy * oyy, ixy * oxx + iyy * oxy, ixy * oxy + iyy * oyy
        axx = 2 + pxx - (oxx * txx + oxy * tyx)
        axy = pxy - (oxx * txy + oxy * tyy)
        ayy = 2 + pyy - (oxy * txy + oyy * tyy)
        bx, by = -ex - (oxx * zx + oxy * zy), -ey - (oxy * zx + oyy * zy)
    lx = ly = mpf(0)  # force at the free end
    acc = [None] * count
    for i in reversed(range(count)):
        ixx, ixy, iyy, oxx, oxy, oyy, bx, by = store[i]
        rx, ry = bx - oxx * lx - oxy * ly, by - oxy * lx - oyy * ly
        nx, ny = ixx * rx + ixy * ry, ixy * rx + iyy * ry
        acc[i] = -6 * (c[i] * (ny + ly) - s[i] * (nx + lx))  # I acc = -h e x (left + right), I = 1/12
        lx, ly = nx, ny
    return list(w) + acc


def by_lagrange(t, y):
    count = len(y) // 2
    a = lambda i, j: count - 1 - max(i, j) + (mpf(1) / 3 if i == j else H)
    m = mp.matrix(count, count)
    b = mp.matrix(count, 1)
    for i in range(count):
        b[i] = -G * (count - 1 - i + H) * mp.cos(y[i])
        for j in range(count):
            c, s = mp.cos_sin(y[i] - y[j])
            m[i, j] = a(i, j) * c
            b[i] -= a(i, j) * s * y[count + j] ** 2
    return list(y[count:]) + list(mp.lu_solve(m, b))


def energies(y):
    count = len(y) // 2
    kinetic = potential = vx = vy = height = mpf(0)
    for q, w in zip(y[:count], y[count:]):
        c, s = mp.cos_sin(q)
        kinetic += ((vx - H * s * w) ** 2 + (vy + H * c * w) ** 2 + w * w / 12) / 2
        potential += G * (height + H * s)
        vx, vy, height = vx - s * w, vy + c * w, height + s
    return kinetic, potential


table, known = results(), {}
for count, times, tol, columns in ((10, [0.0, 0.05, 0.1, 0.15, 0.2], -26, 12), (100, [0.0, 0.05, 0.1, 0.15, 0.2], -24, 10), (1000, [0.0, 0.025, 0.05], -20, 8)):
    case, y0 = f"n{count}", [mpf(0)] * (2 * count)
    states = extrapolation(by_forces, y0, times, mpf(10) ** tol, columns)
    other = extrapolation(by_lagrange if count == 10 else by_forces, y0, times, mpf(10) ** (tol + 4), columns - 2)
    change = max(abs(u - v) for p, q in zip(states, other) for u, v in zip(p, q))
    print(case, "change", mp.nstr(change, 3), flush=True)
    assert change < mpf(10) ** -16
    for t, y in zip(times, states):
        kinetic, potential = energies(y)
        assert abs(kinetic + potential) < mpf(10) ** -12
        row = {"angle1": y[0], "rate1": y[count], "angle_middle": y[count // 2 - 1], "angle_last": y[count - 1], "rate_last": y[2 * count - 1],
               "kinetic_energy": kinetic, "potential_energy": potential}
        for key, value in row.items():
            table.add(case, key, t, value)
        known[case, t] = y[0]
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", {"b5": CASE})
published = Table("case", "quantity", "t", "printed")
for case, t, printed in PUBLISHED:
    value = known[case, float(t)]
    print(case, t, printed, mp.nstr(value, 17), "off by", mp.nstr((value - mpf(printed)) * mpf(10) ** 10, 2), "units")
    published.add(case, "angle1", t, printed)
published.write(HERE / "published.csv")
