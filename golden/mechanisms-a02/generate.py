"""IFToMM A02, N-four-bar mechanism, by its reduced equation, derived here again from the kinetic energy. Run: python generate.py

All N+1 vertical rods have the angle phi (from +x), the N horizontal rods translate with the tops:
J = (N+1) m L^2/3 + N m L^2 = m L^2 (4N+1)/3 ,  gravity moment = -((N+1)/2 + N) m g L cos(phi) = -(3N+1)/2 m g L cos(phi)."""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import Table, parameters, reference, results, values, MP

CASE = {"gravity": (9.81, "m/s2"), "mass": (1.0, "kg"), "length": (1.0, "m"), "v_b0x": (1.0, "m/s")}
PUBLISHED = [("n2", "b0_x", "4", "0.117616102377"), ("n2", "b0_y", "4", "0.993059138451"), ("n2", "b0_x", "10", "0.328458111540"),
             ("n2", "b0_y", "10", "0.944518538179"), ("n2", "b0_vx", "10", "1.423051470206"), ("n2", "b0_vy", "10", "-0.494868845486")]


def model(count):
    def build(a):
        p = values(a, CASE)
        inertia = p.mass * p.length**2 * (4 * count + 1) / 3
        weight = p.mass * p.gravity * p.length * (3 * count + 1) / 2
        return lambda t, y: [y[1], -weight * a.cos(y[0]) / inertia]

    return build


table, known = results(), {}
times = [0.0, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0]
p = values(MP, CASE)
for count in (1, 2, 10, 40):
    case = f"n{count}"
    states = reference(case, model(count), [mp.pi / 2, -p.v_b0x / p.length], times, 1e-8)
    for t, (phi, rate) in zip(times, states):
        s, c = mp.sin(phi), mp.cos(phi)
        energy = p.mass * (p.length**2 * rate**2 * (4 * count + 1) / 6 + p.gravity * p.length * s * (3 * count + 1) / 2)
        assert abs(energy - p.mass * ((4 * count + 1) / mpf(6) + p.gravity * (3 * count + 1) / mpf(2))) < 1e-17
        row = {"phi": phi, "phi_rate": rate, "b0_x": p.length * c, "b0_y": p.length * s, "b0_vx": -p.length * s * rate, "b0_vy": p.length * c * rate,
               "energy": energy}
        for key, value in row.items():
            table.add(case, key, t, value)
            known[case, key, float(t)] = value
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", {"a02": CASE})
published = Table("case", "quantity", "t", "printed")
for case, quantity, t, printed in PUBLISHED:
    value = known[case, quantity, float(t)]
    print(case, quantity, t, printed, mp.nstr(value, 16), "off by", mp.nstr((value - mpf(printed)) * mpf(10) ** len(printed.split(".")[1]), 3), "units")
    published.add(case, quantity, t, printed)
published.write(HERE / "published.csv")
