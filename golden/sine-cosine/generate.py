"""Sine and cosine of binary64 angles, 40 digits.

Run: python generate.py   (needs mpmath; writes data.csv beside itself)

Angles: a grid over one turn, the binary64 numbers nearest to multiples of pi/4 and their neighbours, the angles
below 2^20 that come closest to a multiple of pi/2 among all of their binades, powers of ten, pseudo-random ones.
`*_rest` is what the nearest binary64 number lacks of the value beside it.
"""
import csv
import math
import random
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 120
HALF_PI = mp.pi / 2


def closest(exponent):
    """The 53-bit number in [2^exponent, 2^(exponent + 1)) closest to a multiple of pi/2, by the continued fraction of
    pi/2 over the unit of the last place (Muller, Elementary Functions, section on the worst case of range reduction)."""
    unit = mpf(2) ** (exponent - 52)
    ratio = HALF_PI / unit
    best, least = None, mpf(1)
    # convergents p/q of ratio: q multiples of pi/2 come close to p units; small multiples of them too
    p0, q0, p1, q1, x = 1, 0, int(mp.floor(ratio)), 1, ratio
    for _ in range(60):
        if q1 > 2 ** (exponent + 1):
            break
        for p, q in [(p1, q1), (p0 + p1, q0 + q1)]:
            for k in range(1, 4096):
                if k * p >= 2 ** 53:
                    break
                if k * p >= 2 ** 52 and q > 0:
                    distance = abs(k * p * unit - k * q * HALF_PI)
                    if distance < least:
                        best, least = k * p, distance
        a = int(mp.floor(1 / (x - mp.floor(x))))
        x = 1 / (x - mp.floor(x))
        p0, q0, p1, q1 = p1, q1, a * p1 + p0, a * q1 + q0
    return None if best is None else float(best * unit)


def angles():
    yield from (k / 64 for k in range(-64, 420))
    for k in list(range(1, 40)) + [100, 1000, 12345, 99999, 600001, 667543]:
        near = float(k * mp.pi / 4)
        yield from (near, math.nextafter(near, 0), math.nextafter(near, math.inf), -near)
    for exponent in range(0, 20):
        worst = closest(exponent)
        if worst is not None:
            yield from (worst, -worst)
    for k in range(-30, 6):
        yield from (10.0**k, -(10.0**k))
    random.seed(853)
    for _ in range(200):
        yield random.uniform(-20, 20)
    for _ in range(200):
        yield random.uniform(-(2.0**20), 2.0**20)


def columns(value):
    return [mp.nstr(value, 40), mp.nstr(value - mpf(float(value)), 10)]


with (Path(__file__).parent / "data.csv").open("w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["angle", "sin", "sin_rest", "cos", "cos_rest"])
    for angle in dict.fromkeys(angles()):
        if angle != 0:
            exact = mpf(angle)
            writer.writerow([repr(angle), *columns(mp.sin(exact)), *columns(mp.cos(exact))])
