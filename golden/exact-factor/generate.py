"""Exact hysteresis factor a(c) and output restitution e(a) of the factor laws F = F_el (1 + a u).

Run: python generate.py   (needs mpmath; writes factor.csv and restitution.csv beside itself)

Both solve  a(1 + e) = ln((1 + a)/(1 - a e)).  Inputs are binary64 numbers written with repr();
the outputs follow from their exact binary value.
"""
import csv
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 150
HERE = Path(__file__).parent
TINY = mpf(10) ** -60


def residual(a, e):
    return a * (1 + e) - mp.log1p(a) + mp.log1p(-a * e)


def factor(c):
    """a for the wanted restitution c in (0, 1]."""
    e = mpf(c)
    if e == 1:
        return mpf(0)
    if e < mpf("0.2"):
        a = 1 / e  # fixed point a = (1 - q)/e with q = 1 - a e = (1 + a) exp(-a (1 + e)), a strong contraction here
        for _ in range(2000):
            previous, a = a, (1 - (1 + a) * mp.exp(-a * (1 + e))) / e
            if abs(a / previous - 1) < mpf(10) ** -140:
                break
        return a
    low, high = (1 - e) / 2, (1 - TINY) / e  # the root lies above 3(1-e)/4 and below 1/e
    assert residual(low, e) > 0 > residual(high, e)
    while high / low - 1 > mpf(10) ** -20:
        middle = (low + high) / 2
        low, high = (middle, high) if residual(middle, e) > 0 else (low, middle)
    a = (low + high) / 2
    for _ in range(8):
        a -= residual(a, e) / (1 + e - 1 / (1 + a) - e / (1 - a * e))
    return a


def restitution(a):
    """e for a given factor a >= 0, by the upper branch of Lambert's function."""
    a = mpf(a)
    if a == 0:
        return mpf(1)
    return (1 + mp.lambertw(-(1 + a) * mp.exp(-(1 + a)), 0).real) / a


def text(x):
    return mp.nstr(x, 40, min_fixed=0, max_fixed=0)


def main():
    wanted = [1e-8, 1e-6, 1e-4, 1e-3, 0.01, 0.02, 0.05] + [k / 20 for k in range(2, 20)]
    wanted += [0.98, 0.99, 0.995, 0.999, 0.9999, 0.99999, 0.999999, 1 - 1e-7, 1 - 1e-8, 1 - 1e-9, 1 - 1e-10, 1 - 1e-12, 1 - 1e-14, 1 - 2.0**-53, 1.0]
    with open(HERE / "factor.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["restitution", "factor"])
        for c in wanted:
            a = factor(c)
            if 0 < a:  # the two directions must agree
                assert abs(restitution(a) - mpf(c)) < mpf(10) ** -45 * mpf(c) * (1 - mpf(c)), c
            out.writerow([repr(c), text(a)])
    factors = [0.0] + [m * 10.0**k for k in range(-12, 8) for m in (1.0, 3.0)] + [1e8]
    factors += [0.05, 0.2, 0.5, 0.7, 1.5, 2.0, 5.0, 15.0, 50.0]
    with open(HERE / "restitution.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(["factor", "restitution"])
        for a in sorted(set(factors)):
            e = restitution(a)
            if 0 < a < 50:  # beyond, 1 - a e is below every precision and e = 1/a
                assert abs(residual(mpf(a), e)) < mpf(10) ** -60, a
            if a >= 200:
                assert abs(e * mpf(a) - 1) < mpf(10) ** -40
            out.writerow([repr(a), text(e)])


if __name__ == "__main__":
    main()
