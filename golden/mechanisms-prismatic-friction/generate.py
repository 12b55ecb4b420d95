"""Block on an inclined guide with two end contacts and friction mu (|N1| + |N2|) tanh(v/v_s). Run: python generate.py

P is the point of the block midway between the end contacts, on the guide line; guide axes s (along) and n (normal).
Centre of mass at (com_s, com_n) from P, force (push(t) along s, push_n along n) applied at (push_s, arm) from P.
    m a = F_s - m g sin + f ,   N = m g cos - F_n ,   f = -mu T (|N1| + |N2|) = -mu T max(|N|, 2|M|/b)
    M = M0 + (w - com_n) f ,    M0 = -push_s F_n + (arm - com_n) F_s + m g com_s cos
with the moment M of the guide on the block about P, N1,2 = N/2 +- M/b, and w the distance from the guide line (along n)
at which the friction acts (0: on the line).  With d = w - com_n the equation for f has one solution for every load if and
only if  kappa = 2 mu |T| |d| / b < 1.
"""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import MP, Table, parameters, reference, results, values

BASE = {
    "gravity": (9.81, "m/s2"), "guide_angle": (0.35, "rad"), "mass": (2.0, "kg"), "com_s": (0.0, "m"), "com_n": (0.0, "m"), "b": (0.2, "m"),
    "mu": (0.25, "1"), "v_s": (0.02, "m/s"), "push": (0.0, "N"), "push_n": (0.0, "N"), "swing": (0.0, "N"), "frequency": (0.0, "rad/s"),
    "push_s": (0.0, "m"), "arm": (0.0, "m"), "friction_arm": (0.0, "m"), "s": (0.0, "m"), "v": (0.0, "m/s"),
}
CASES = {
    # thrown up the incline, no moment: N1 = N2, slides up, stops, slides down (tan(angle) > mu)
    "flat": {**BASE, "v": (1.5, "m/s")},
    # pushed off the line, 2|M|/b > |N| all the time: the end contacts press on opposite sides
    "tilted": {**BASE, "push": (40.0, "N"), "swing": (10.0, "N"), "frequency": (9.0, "rad/s"), "arm": (0.13, "m")},
    # centre of mass off the line as well: the moment, hence the friction, depends on the friction; kappa up to 0.3
    "implicit": {**BASE, "push": (40.0, "N"), "swing": (10.0, "N"), "frequency": (9.0, "rad/s"), "arm": (0.02, "m"), "com_n": (-0.12, "m"), "com_s": (0.01, "m")},
    # same with the opposite sign: friction raises the moment
    "implicit-raising": {**BASE, "push": (45.0, "N"), "swing": (8.0, "N"), "frequency": (9.0, "rad/s"), "arm": (0.18, "m"), "com_n": (0.06, "m")},
    # self-locking push (drawer): no gravity; decelerates, then creeps at v_s atanh(b/(2 mu arm))
    "drawer": {**BASE, "gravity": (0.0, "m/s2"), "guide_angle": (0.0, "rad"), "push": (20.0, "N"), "arm": (0.5, "m"), "v": (0.6, "m/s")},
}


def friction(a, p, t, v, sign=None):
    """f, M, N, M0, F_s with the branch |N| or 2|M|/b chosen by the larger; None where there is no or no unique solution."""
    push = p.push + p.swing * a.sin(p.frequency * t)
    tanh = a.tanh(v / p.v_s)
    normal = p.mass * p.gravity * a.cos(p.guide_angle) - p.push_n
    m0 = -p.push_s * p.push_n + (p.arm - p.com_n) * push + p.mass * p.gravity * p.com_s * a.cos(p.guide_angle)
    d = p.friction_arm - p.com_n
    k = 2 * p.mu * tanh / p.b
    assert abs(k * d) < 1
    s = 1 if m0 > 0 else -1  # |kappa| < 1: M has the sign of M0
    f = -k * abs(m0) / (1 + k * d * s)
    moment = m0 + d * f
    assert moment * s >= 0
    if abs(normal) >= 2 * abs(m0 - d * p.mu * tanh * abs(normal)) / p.b:
        f, branch = -p.mu * tanh * abs(normal), "N"
        moment = m0 + d * f
    else:
        branch = "M"
    return f, moment, normal, push, branch


def model(case, seen):
    def build(a):
        p = values(a, CASES[case])

        def f(t, y):
            force, _, _, push, branch = friction(a, p, t, y[1])
            seen.add(branch)
            acc = (push + force) / p.mass - p.gravity * a.sin(p.guide_angle)
            return [y[1], acc, -force * y[1]]

        return f

    return build


table = results()
times = [k / 16 for k in range(17)]
for case in CASES:
    p, seen = values(MP, CASES[case]), set()
    states = reference(case, model(case, seen), [CASES[case]["s"][0], CASES[case]["v"][0], 0.0], times)
    assert len(seen) == 1, seen  # one branch: the motion is smooth
    print("   branch", seen, "speeds", mp.nstr(min(y[1] for y in states), 5), mp.nstr(max(y[1] for y in states), 5))
    for t, y in zip(times, states):
        f, moment, normal, push, _ = friction(MP, p, mpf(t), y[1])
        n1, n2 = normal / 2 + moment / p.b, normal / 2 - moment / p.b
        assert abs(f + p.mu * MP.tanh(y[1] / p.v_s) * (abs(n1) + abs(n2))) < 1e-30
        acc = (push + f) / p.mass - p.gravity * MP.sin(p.guide_angle)
        # Euler's equation about the centre of mass, written out
        left = moment - p.com_s * normal - (p.friction_arm - p.com_n) * f + (p.push_s - p.com_s) * p.push_n - (p.arm - p.com_n) * push
        assert abs(left) < 1e-30
        for key, value in zip(("s", "v", "acceleration", "friction", "normal_force", "moment", "normal1", "normal2", "energy_lost"),
                              (y[0], y[1], acc, f, normal, moment, n1, n2, y[2])):
            table.add(case, key, t, value)
p = values(MP, CASES["drawer"])
creep = p.v_s * mp.atanh(p.b / (2 * p.mu * p.arm))
assert abs(creep - states[-1][1]) < 1e-12
table.add("drawer", "creep_speed", "inf", creep)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)

# Jamming: solutions phi = -f/sign(T) >= 0 of  phi = mu |T| max(|N|, 2|M0 - d phi|/b),  d counted for T > 0; T = 1 here
jam = Table("case", "mu", "b", "com_n", "mass", "push", "arm", "kappa", "solutions", "friction1", "friction2", "friction3")
for name, mu, com_n, arm in (
    ("unique", 0.5, 0.08, 0.3), ("unique-small-load", 0.5, 0.08, 0.1), ("limit", 0.5, 0.2, 0.45), ("none", 0.5, 0.3, 0.6), ("none-large", 1.0, 0.3, 0.5),
    ("none-lowering", 0.5, 0.3, 0.29), ("two", 0.5, 0.3, 0.0), ("two-high-push", 0.5, 0.3, -0.2), ("unique-other-side", 0.5, -0.08, 0.3),
):
    b, mass, push, g = 0.2, 2.0, 60.0, 9.81
    # horizontal guide, gravity g, sliding at full speed (T = 1), com_s = 0, w = 0: N = m g, M0 = (arm - com_n) push, d = -com_n
    n, m0, d, c = mpf(mass) * mpf(g), (mpf(arm) - mpf(com_n)) * mpf(push), -mpf(com_n), 2 * mpf(mu) / mpf(b)
    kappa = c * abs(d)
    found = set()
    g_ = lambda x: mpf(mu) * max(abs(n), 2 * abs(m0 - d * x) / mpf(b))
    candidates = [mpf(mu) * abs(n)] + [c * s * m0 / (1 + c * s * d) for s in (1, -1) if abs(1 + c * s * d) > mpf(10) ** -30]
    for x in candidates:
        if x >= 0 and abs(g_(x) - x) < mpf(10) ** -25 * (1 + x):
            found.add(mp.nstr(x, 17, min_fixed=0, max_fixed=0))
    found = sorted(found, key=float)
    jam.add(name, mu, b, com_n, mass, push, arm, kappa, len(found), *(found + [""] * 3)[:3])
    print(name, mp.nstr(kappa, 5), found)
jam.write(HERE / "jamming.csv")
