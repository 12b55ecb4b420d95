"""IFToMM A01, simple pendulum, by Jacobi's elliptic functions. Run: python generate.py"""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import Table, parameters, reference, results, values, MP

CASE = {"gravity": (9.81, "m/s2"), "mass": (1.0, "kg"), "length": (1.0, "m"), "x": (-1.0, "m"), "y": (0.0, "m"), "vx": (0.0, "m/s"), "vy": (0.0, "m/s")}
PUBLISHED = [("period", "0", "2.36784194757624"), ("x", "1", "0.986291751132"), ("y", "1", "-0.165010853126"), ("x", "10", "-0.275087462576"),
             ("y", "10", "-0.961419205099"), ("vx", "10", "4.175598100952"), ("vy", "10", "-1.194749054560")]
p = values(MP, CASE)
w = mp.sqrt(p.gravity / p.length)
m = mpf(1) / 2  # sin^2(start/2) for the start at a right angle to the vertical
k = mp.sqrt(m)


def state(t):
    """angle from the downward vertical to the right: -pi/2 at the start; sin(angle/2) = -k cd(w t)"""
    sn, cn, dn = (mp.ellipfun(name, w * t, m=m) for name in ("sn", "cn", "dn"))
    angle = -2 * mp.asin(k * cn / dn)
    rate = 2 * k * mp.sqrt(1 - m) * w * sn / dn
    s, c = mp.sin(angle), mp.cos(angle)
    tension = p.mass * (p.length * rate**2 + p.gravity * c)
    return {"x": p.length * s, "y": -p.length * c, "vx": p.length * c * rate, "vy": p.length * s * rate, "angle": angle, "rate": rate, "tension": tension,
            "energy": p.mass * (p.length**2 * rate**2 / 2 - p.gravity * p.length * c)}


period = 4 * mp.ellipk(m) / w
table = results()
table.add("a01", "period", 0.0, period)
times = [k * 0.5 for k in range(21)]
build = lambda a: lambda t, y: [y[1], -a.n(9.81) * a.sin(y[0])]
check = reference("a01", build, [-mp.pi / 2, 0], times)
for t, y in zip(times, check):
    row = state(mpf(t))
    assert abs(row["angle"] - y[0]) + abs(row["rate"] - y[1]) < 1e-20 and abs(row["energy"]) < 1e-30
    for key, value in row.items():
        table.add("a01", key, t, value)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", {"a01": CASE})
published = Table("case", "quantity", "t", "printed")
for quantity, t, printed in PUBLISHED:
    value = period if quantity == "period" else state(mpf(t))[quantity]
    unit = mpf(10) ** -len(printed.split(".")[1])
    print(quantity, t, printed, mp.nstr(value, 18), "off by", mp.nstr((value - mpf(printed)) / unit, 2), "units")
    published.add("a01", quantity, t, printed)
published.write(HERE / "published.csv")
