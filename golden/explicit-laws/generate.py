"""Reference values of the explicit elastic laws: force, slope dF/d(delta), energy.

Run: python generate.py   (needs mpmath; writes data.csv and persson-limit.csv beside itself)

Every input is a binary64 number written with repr(); the outputs are computed from its exact
binary value.  Only the force formula is typed here: the slope is mpmath.diff of it, the energy
mpmath.quad of it, both at 110 digits, and both must agree with an evaluation at 90 digits to 1e-41.
SI units; the laws published in N, mm, MPa convert at the door.
"""
import csv
from pathlib import Path

from mpmath import mp, mpf

HERE = Path(__file__).parent
STEEL, ALUMINIUM = (207e9, 0.3), (70e9, 0.35)
COLUMNS = ["law", "geometry", "young_i", "poisson_i", "young_j", "poisson_j", "radius_i", "radius_j",
           "length", "half_width", "exponent", "pi"]


def modulus(p):
    return 1 / ((1 - mpf(p["poisson_i"]) ** 2) / mpf(p["young_i"]) + (1 - mpf(p["poisson_j"]) ** 2) / mpf(p["young_j"]))


def gap(p):
    r_i, r_j = mpf(p["radius_i"]), mpf(p["radius_j"])
    return r_i - r_j if p["geometry"] == "internal" else r_i + r_j


def hertz(p, d):
    if p["geometry"] == "sphere-plane":
        radius = mpf(p["radius_i"])
    else:
        radius = mpf(p["radius_i"]) * mpf(p["radius_j"]) / gap(p)
    return mpf(4) / 3 * modulus(p) * mp.sqrt(radius) * d ** mpf("1.5")


def plane_plane(p, d):
    return mpf(p["half_width"]) * modulus(p) / mpf("0.475") * d


def liu(p, d):
    return mp.pi / 2 * d * modulus(p) * mpf(p["length"]) * mp.sqrt(d / (2 * (gap(p) + d)))


def winkler_stiffness(p, d):
    return mp.pi * modulus(p) / 8 * mp.sqrt(2 * d * (3 * gap(p) + 2 * d) ** 2 / (gap(p) + d) ** 3)


def bai_zhao(p, d):
    return winkler_stiffness(p, d) * d ** mpf(p["exponent"])


def bai_zhao_length(p, d):
    return winkler_stiffness(p, d) * d * mpf(p["length"])


def pereira(p, d):
    g, e = gap(p) * 1000, modulus(p) / 10**6
    if p["geometry"] == "external":
        a, b, n = mpf("0.39"), mpf("0.85"), mpf("1.094")
    else:
        a, b = mpf("0.965"), mpf("0.0965")
        y = mpf("1.51") * mp.log(1000 * g) ** mpf("-0.151") if g <= mpf("0.34954") else mpf("0.0151") * g + mpf("1.151")
        n = y * g ** mpf("-0.005")
    return (a * g + b) * mpf(p["length"]) * 1000 * e / g * (1000 * d) ** n


def pereira_2014(p, d):
    g, e = gap(p) * 1000, modulus(p) / 10**6
    y = mpf("1.56") * mp.log(1000 * g) ** mpf("-0.192") if g <= mpf("0.75") else mpf("0.0028") * g + mpf("1.1083")
    n = y * g ** mpf("-0.005")
    return (mpf("0.49") * g + mpf("0.10")) * mpf(p["length"]) * 1000 * e / g * (1000 * d) ** n


def lankarani_nikravesh_cylinder(p, d):
    radius = mpf(p["radius_i"]) * mpf(p["radius_j"]) / gap(p) * 1000
    factor = mp.pi if p["pi"] else 1
    return factor * mpf(4) / 3 * modulus(p) / 10**6 * mp.sqrt(radius) * (1000 * d) ** mpf(p["exponent"])


def persson(p, d):
    epsilon = mp.acos(gap(p) / (gap(p) + d))
    b2 = mp.tan(epsilon / 2) ** 2
    return 2 * mp.pi * modulus(p) * gap(p) * b2 * (b2 + 1) / (2 - mp.log(b2 + 1) - 2 * b2**2) * mpf(p["length"])


def case(law, geometry, mats, **rest):
    (e_i, n_i), (e_j, n_j) = mats
    return {"law": law, "geometry": geometry, "young_i": e_i, "poisson_i": n_i, "young_j": e_j, "poisson_j": n_j, **rest}


SS, SA = (STEEL, STEEL), (STEEL, ALUMINIUM)
LENGTH = 15e-3
NEAR = dict(radius_i=10.25e-3, radius_j=10e-3)      # clearance 0.25 mm
TIGHT = dict(radius_i=10.01e-3, radius_j=10e-3)     # clearance 0.01 mm
WIDE = dict(radius_i=12e-3, radius_j=10e-3)         # clearance 2 mm
OUTSIDE = dict(radius_i=20e-3, radius_j=15e-3)
SMALL = dict(radius_i=3e-3, radius_j=2e-3)
GRID = [1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 5e-7, 1e-6, 5e-6, 1e-5, 2.5e-5, 5e-5, 1e-4]
FUNCTIONS = {"hertz": hertz, "plane-plane": plane_plane, "liu": liu, "bai-zhao": bai_zhao, "bai-zhao-length": bai_zhao_length,
             "pereira": pereira, "pereira-2014": pereira_2014, "persson": persson,
             "lankarani-nikravesh-cylinder": lankarani_nikravesh_cylinder}


def cases():
    for mats in (SS, SA):
        yield case("hertz", "external", mats, **OUTSIDE)
        yield case("hertz", "internal", mats, **NEAR)
        yield case("hertz", "sphere-plane", mats, radius_i=20e-3)
        yield case("plane-plane", "plane-plane", mats, half_width=5e-3)
        yield case("liu", "internal", mats, length=LENGTH, **NEAR)
        yield case("bai-zhao", "internal", mats, exponent=1.5, **NEAR)
        yield case("bai-zhao-length", "internal", mats, length=LENGTH, **NEAR)
        for radii in (TIGHT, NEAR, WIDE):
            yield case("pereira", "internal", mats, length=LENGTH, **radii)
            yield case("pereira-2014", "internal", mats, length=LENGTH, **radii)
        yield case("pereira", "external", mats, length=LENGTH, **SMALL)
        for n in (1.5, 1.3):
            for with_pi in (0, 1):
                yield case("lankarani-nikravesh-cylinder", "internal", mats, exponent=n, pi=with_pi, **NEAR)
    yield case("liu", "internal", SS, length=LENGTH, **TIGHT)
    yield case("pereira", "external", SS, length=LENGTH, **OUTSIDE)
    yield case("lankarani-nikravesh-cylinder", "external", SS, exponent=1.5, pi=0, **OUTSIDE)
    yield case("persson", "internal", SS, length=LENGTH, **NEAR)
    yield case("persson", "internal", SS, length=LENGTH, **TIGHT)


def persson_limit():
    """b^2 and contact angle where the denominator vanishes (the load grows without bound)."""
    b2 = mp.findroot(lambda x: 2 - mp.log(x + 1) - 2 * x**2, 0.83)
    epsilon = 2 * mp.atan(mp.sqrt(b2))
    return b2, epsilon, 1 / mp.cos(epsilon) - 1  # last: delta_limit / clearance


def evaluate(p, delta, digits):
    with mp.workdps(digits):
        d = mpf(delta)
        law = lambda x: FUNCTIONS[p["law"]](p, x)
        slope = mp.diff(lambda s: law(d * s), 1) / d
        energy = mp.quad(lambda s: law(d * s), [0, 0.25, 0.5, 0.75, 1])
        return law(d), slope, energy * d


def text(x):
    return mp.nstr(x, 40, min_fixed=0, max_fixed=0)


def main():
    mp.dps = 60
    b2, epsilon, ratio = persson_limit()
    with open(HERE / "data.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(COLUMNS + ["delta", "force", "slope", "energy"])
        for p in cases():
            grid = GRID
            if p["law"] == "persson":
                limit = gap(p) * ratio
                grid = [float(limit * mpf(s)) for s in ("1e-9", "1e-7", "1e-5", "1e-4", "1e-3", "0.01", "0.05", "0.2", "0.5", "0.8", "0.9", "0.95", "0.98", "0.9899")]
            for delta in grid:
                fine, finest = evaluate(p, delta, 90), evaluate(p, delta, 110)
                assert max(abs(a / b - 1) for a, b in zip(fine, finest)) < mpf(10) ** -41, (p, delta)
                row = [p.get(c, "") for c in COLUMNS]
                out.writerow([repr(v) if isinstance(v, float) else v for v in row] + [repr(delta)] + [text(x) for x in finest])
    with open(HERE / "persson-limit.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["quantity", "radius_i", "radius_j", "value"])
        out.writerow(["b_squared", "", "", text(b2)])
        out.writerow(["angle_degrees", "", "", text(mp.degrees(epsilon))])
        out.writerow(["delta_over_clearance", "", "", text(ratio)])
        for radii in (NEAR, TIGHT):
            p = dict(geometry="internal", **radii)
            out.writerow(["delta_limit", repr(radii["radius_i"]), repr(radii["radius_j"]), text(gap(p) * ratio)])


if __name__ == "__main__":
    main()
