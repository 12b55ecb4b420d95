"""Reference values of the logarithmic line-contact laws  delta = (f/A)(ln(B/f) + C).

Run: python generate.py   (needs mpmath; writes data.csv and continued.csv beside itself)

Every input is a binary64 number written with repr(); the outputs are computed from the exact
binary value of the inputs with 60 digits and written with 40.  The root f is found in two ways,
Newton's method on the forward formula and the lower branch of Lambert's function, and must
satisfy the forward formula to 1e-45.
"""
import csv
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 60
HERE = Path(__file__).parent
LENGTH = 15e-3
STEEL, ALUMINIUM = (207e9, 0.3), (70e9, 0.35)
MATERIALS = [(STEEL, STEEL), (STEEL, ALUMINIUM)]
GEOMETRIES = [(10.25e-3, 10e-3, 1), (10.005e-3, 10e-3, 1), (20e-3, 15e-3, 0)]
RATIOS = ["0.9", "0.95", "0.98", "0.9899"]  # of the limit load, near the end of the domain


def constants(law, mat_i, mat_j, r_i, r_j, internal, length):
    """A [N/m^2], B [N/m] and C of one law."""
    (e_i, n_i), (e_j, n_j) = [tuple(map(mpf, m)) for m in (mat_i, mat_j)]
    r_i, r_j, length = mpf(r_i), mpf(r_j), mpf(length)
    modulus = 1 / ((1 - n_i**2) / e_i + (1 - n_j**2) / e_j)
    gap = r_i - r_j if internal else r_i + r_j
    radius = r_i * r_j / gap
    pi, mm2 = mp.pi, mpf(10) ** -6
    if mat_i == mat_j:
        b_radzimovsky = 8 * gap * e_i / mpf("2.15") ** 2
    else:
        b_radzimovsky = 8 * gap * modulus / mpf("1.60") ** 2
    return {
        "hertz-cylinder": (pi * modulus / 2, pi * modulus * gap, mpf(-1)),
        "johnson": (pi * modulus, 4 * pi * modulus * gap, mpf(-1)),
        "radzimovsky": (pi * modulus, b_radzimovsky, mpf(2) / 3),
        "goldsmith": (pi * modulus, mm2 * pi * modulus / radius, mpf(1)),
        "goldsmith-printed": (modulus, mm2 * modulus / radius, mpf(1)),
        "dubowsky-freudenstein": (pi * modulus, pi * modulus * length**2 / radius, mpf(1)),
        "dubowsky-freudenstein-printed": (modulus, modulus * length**2 / radius, mpf(1)),
        "esdu-78035": (pi * modulus, 4 * pi * modulus * gap, mpf(1)),
        "esdu-78035-printed": (modulus, 4 * modulus * gap, mpf(1)),
    }[law]


LAWS = ["hertz-cylinder", "johnson", "radzimovsky", "goldsmith", "goldsmith-printed",
        "dubowsky-freudenstein", "dubowsky-freudenstein-printed", "esdu-78035", "esdu-78035-printed"]


def line_load(a, b, c, delta):
    """Root of the forward formula on the rising branch, checked."""
    by_lambert = -a * delta / mp.lambertw(-(a * delta / b) * mp.exp(-c), -1).real
    f = by_lambert * (1 + mpf(10) ** -8)  # Newton from a disturbed start: a second, separate solution
    for _ in range(60):
        step = (f * (mp.log(b / f) + c) - a * delta) / (mp.log(b / f) + c - 1)
        f -= step
        if abs(step) < f * mpf(10) ** -58:
            break
    assert abs(f / by_lambert - 1) < mpf(10) ** -50
    assert abs(f / a * (mp.log(b / f) + c) / delta - 1) < mpf(10) ** -45
    assert mp.log(b / f) + c > 1  # rising branch
    return f


def evaluate(a, b, c, delta):
    """Line load, slope and energy per length, and w = ln(B/f) + C."""
    f = line_load(a, b, c, delta)
    w = mp.log(b / f) + c
    return f, a / (w - 1), f**2 / (2 * a) * (w - mpf(1) / 2), w


def crosscheck(a, b, c, delta):
    """Slope and energy formulas against numerical differentiation and quadrature."""
    f, slope, energy, _ = evaluate(a, b, c, delta)
    with mp.workdps(30):
        root = lambda d: -a * d / mp.lambertw(-(a * d / b) * mp.exp(-c), -1).real
        assert abs(mp.diff(lambda s: root(delta * s), 1) / delta / slope - 1) < mpf(10) ** -10
        assert abs(mp.quad(lambda s: root(delta * s), [0, 1]) * delta / energy - 1) < mpf(10) ** -15


def text(x):
    return mp.nstr(x, 40, min_fixed=0, max_fixed=0)


def main():
    head = ["law", "young_i", "poisson_i", "young_j", "poisson_j", "radius_i", "radius_j", "internal", "length", "delta"]
    with open(HERE / "data.csv", "w", newline="") as d, open(HERE / "continued.csv", "w", newline="") as e:
        data, beyond = csv.writer(d, lineterminator="\n"), csv.writer(e, lineterminator="\n")
        data.writerow(head + ["line_load", "slope", "energy", "w", "limit_line_load", "limit_delta", "published_limit_line_load"])
        beyond.writerow(head + ["line_load", "slope", "energy", "joint_line_load", "joint_delta"])
        for law in LAWS:
            for mat_i, mat_j in MATERIALS:
                for r_i, r_j, internal in GEOMETRIES:
                    a, b, c = constants(law, mat_i, mat_j, r_i, r_j, internal, LENGTH)
                    f_lim, d_lim = b * mp.exp(c - 1), b * mp.exp(c - 1) / a
                    published = b if law == "radzimovsky" else f_lim
                    forward = lambda f: f / a * (mp.log(b / f) + c)
                    last = forward(mpf("0.85") * f_lim)
                    grid = [float(mp.exp(mp.log(mpf(10) ** -15) + k * (mp.log(last) + 15 * mp.log(10)) / 24)) for k in range(25)]
                    grid[0] = 1e-15
                    grid += [float(forward(mpf(r) * f_lim)) for r in RATIOS]
                    fixed = [law, *map(repr, (*mat_i, *mat_j, r_i, r_j)), internal, repr(LENGTH)]
                    crosscheck(a, b, c, mpf(grid[12]))
                    for delta in grid:
                        f, slope, energy, w = evaluate(a, b, c, mpf(delta))
                        values = (f, slope * mpf(LENGTH), energy * mpf(LENGTH), w, f_lim, d_lim, published)
                        data.writerow(fixed + [repr(delta)] + [text(x) for x in values])
                    # tangent from f = 0.99 f_lim on
                    f_j = mpf("0.99") * f_lim
                    d_j, w_j = forward(f_j), mp.log(b / f_j) + c
                    k_j, u_j = a / (w_j - 1), f_j**2 / (2 * a) * (w_j - mpf(1) / 2)
                    for factor in ("1.0001", "1.5", "4"):
                        delta = float(d_j * mpf(factor))
                        x = mpf(delta) - d_j
                        values = (f_j + k_j * x, k_j * mpf(LENGTH), (u_j + f_j * x + k_j * x**2 / 2) * mpf(LENGTH), f_j, d_j)
                        beyond.writerow(fixed + [repr(delta)] + [text(v) for v in values])


if __name__ == "__main__":
    main()
