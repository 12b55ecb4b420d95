"""Andrews' squeezing mechanism in ONE coordinate (beta), by three dyads in closed form. Run: python generate.py

Given the crank angle beta, the point P follows from the dyad (body 2, body 3), then (Phi, delta) and (Omega, epsilon) from the
dyads of bodies 4, 5 and 6, 7.  With primes for d/dbeta and m = sum m |r'|^2 + I psi'^2:
    m beta'' + (sum m r'.r'' + I psi' psi'') betadot^2 = torque - V' .
Second method: energy,  m betadot^2/2 = torque (beta - beta0) + V0 - V,  time by quadrature over beta."""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import MP, Table, cross, dot, extrapolation, parameters, reference, results, square, values

CASE = {k: (v, u) for k, v, u in (
    ("m1", 0.04325, "kg"), ("m2", 0.00365, "kg"), ("m3", 0.02373, "kg"), ("m4", 0.00706, "kg"), ("m5", 0.07050, "kg"), ("m6", 0.00706, "kg"), ("m7", 0.05498, "kg"),
    ("i1", 2.194e-6, "kg m2"), ("i2", 4.410e-7, "kg m2"), ("i3", 5.255e-6, "kg m2"), ("i4", 5.667e-7, "kg m2"), ("i5", 1.169e-5, "kg m2"),
    ("i6", 5.667e-7, "kg m2"), ("i7", 1.912e-5, "kg m2"),
    ("xa", -0.06934, "m"), ("ya", -0.00227, "m"), ("xb", -0.03635, "m"), ("yb", 0.03273, "m"), ("xc", 0.014, "m"), ("yc", 0.072, "m"),
    ("c0", 4530.0, "N/m"), ("l0", 0.07785, "m"), ("torque", 0.033, "N m"), ("d", 0.028, "m"), ("da", 0.0115, "m"), ("e", 0.02, "m"), ("ea", 0.01421, "m"),
    ("rr", 0.007, "m"), ("ra", 0.00092, "m"), ("ss", 0.035, "m"), ("sa", 0.01874, "m"), ("sb", 0.01043, "m"), ("sc", 0.018, "m"), ("sd", 0.02, "m"),
    ("ta", 0.02308, "m"), ("tb", 0.00916, "m"), ("u", 0.04, "m"), ("ua", 0.01228, "m"), ("ub", 0.00449, "m"), ("zf", 0.02, "m"), ("zt", 0.04, "m"), ("fa", 0.01421, "m"))}
NAMES = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
START = ("-0.0617138900142764496358948458001", "0", "0.455279819163070380255912382449", "0.222668390165885884674473185609",
         "0.487364979543842550225598953530", "-0.222668390165885884674473185609", "1.23054744454982119249735015568")
Q = ("15.81077119629904", "-15.75637105984298", "0.04082224013073101", "-0.5347301163226948", "0.5244099658805304", "0.5347301163226948", "1.048080741042263")
V = ("1139.920302151208", "-1424.379294994111", "11.03291221937134", "19.29337464421385", "0.5735699284790808", "-19.29337464421385", "0.3231791658026955")


def mechanism(a):
    """beta -> directions, coordinates, centres and their first two derivatives by beta."""
    p, i = values(a, CASE), a.i
    mass = [getattr(p, f"m{k}") for k in range(1, 8)]
    inertia = [getattr(p, f"i{k}") for k in range(1, 8)]
    pa, pb, pc = a.z(p.xa, p.ya), a.z(p.xb, p.yb), a.z(p.xc, p.yc)

    def dyad(start, end, r1, r2, side):
        """Unit vectors f, g with start + r1 f = end + r2 g; the joint lies on the given side of start -> end."""
        v = end - start
        d2 = square(v)
        x = (d2 + r1 * r1 - r2 * r2) / (2 * d2)
        y = side * a.sqrt(r1 * r1 / d2 - x * x)
        joint = (x + i * y) * v  # from start
        return joint / r1, (joint - v) / r2

    def rates(arm1, arm2, start1, start2, end1, end2):
        """Angular rates w1, w2 and their derivatives k1, k2 where start + arm1 = end + arm2 (all derivatives by beta)."""
        # start1 + i w1 arm1 = end1 + i w2 arm2
        b = end1 - start1
        det = cross(i * arm1, i * arm2)
        w1, w2 = cross(b, i * arm2) / det, cross(b, i * arm1) / det
        b = end2 - start2 + w1**2 * arm1 - w2**2 * arm2
        return w1, w2, cross(b, i * arm2) / det, cross(b, i * arm1) / det

    def kinematics(beta):
        e1 = a.e(beta)
        crank = p.rr * e1
        # P = crank - d e2 = pb + ss (-i e3);  unknown directions f = -e2, g = -i e3
        f, g = dyad(crank, pb, p.d, p.ss, SIDES[0])
        e2, e3 = -f, i * g
        w2, w3, k2, k3 = rates(p.d * f, p.ss * g, i * crank, -crank, 0 * i, 0 * i)
        point, point1, point2 = pb + p.ss * g, i * w3 * p.ss * g, (i * k3 - w3**2) * p.ss * g
        # P = pa + zt e5 + e (-i e4):  start pa with arm zt e5, end P with arm e (i e4)
        f, g = dyad(pa, point, p.zt, p.e, SIDES[1])
        e5, e4 = f, -i * g
        w5, w4, k5, k4 = rates(p.zt * f, p.e * g, 0 * i, 0 * i, point1, point2)
        # P = pa + u (-i e7) + zf e6:  start pa with arm -i u e7, end P with arm -zf e6
        f, g = dyad(pa, point, p.u, p.zf, SIDES[2])
        e7, e6 = i * f, -g
        w7, w6, k7, k6 = rates(p.u * f, p.zf * g, 0 * i, 0 * i, point1, point2)
        unit = (e1, e2, e3, e4, e5, e6, e7)
        w, k = (1, w2, w3, w4, w5, w6, w7), (0, k2, k3, k4, k5, k6, k7)
        turn = lambda n, arm: (arm, i * w[n - 1] * arm, (i * k[n - 1] - w[n - 1] ** 2) * arm)  # arm fixed in body n
        add = lambda *terms: tuple(sum(t[1:], t[0]) for t in zip(*terms))
        fixed = lambda z: (z, 0 * i, 0 * i)
        centre = (
            turn(1, p.ra * e1),
            add(turn(1, crank), turn(2, -p.da * e2)),
            add(fixed(pb), turn(3, (p.sb - i * p.sa) * e3)),
            add(fixed(pa), turn(5, p.zt * e5), turn(4, -i * (p.e - p.ea) * e4)),
            add(fixed(pa), turn(5, (p.ta + i * p.tb) * e5)),
            add(fixed(pa), turn(7, -i * p.u * e7), turn(6, (p.zf - p.fa) * e6)),
            add(fixed(pa), turn(7, (-p.ub - i * p.ua) * e7)),
        )
        hook = add(fixed(pb - pc), turn(3, (p.sd - i * p.sc) * e3))  # from the ground end of the spring
        return unit, w, k, centre, hook

    def reduced(beta):
        unit, w, k, centre, hook = kinematics(beta)
        m = sum(x * square(r[1]) for x, r in zip(mass, centre)) + sum(x * y * y for x, y in zip(inertia, w))
        h = sum(x * dot(r[1], r[2]) for x, r in zip(mass, centre)) + sum(x * y * z for x, y, z in zip(inertia, w, k))
        length = a.sqrt(square(hook[0]))
        stretch = length - p.l0
        slope = p.c0 * stretch * dot(hook[0], hook[1]) / length
        return m, h, p.c0 * stretch**2 / 2, slope

    return p, kinematics, reduced


def coordinates(unit, w, rate, near):
    """The seven angles near given ones, and their rates, from absolute directions."""
    ab = lambda z: mp.arg(z)
    beta, b2, gamma, b4, delta, b6, eps = (ab(z) for z in unit)
    q = [beta, b2 - beta, gamma, b4 - delta, delta, b6 - eps, eps]
    q = [x + 2 * mp.pi * mp.nint((y - x) / (2 * mp.pi)) for x, y in zip(q, near)]
    v = [w[0], w[1] - w[0], w[2], w[3] - w[4], w[4], w[5] - w[6], w[6]]
    return q, [x * rate for x in v]


def branch():
    """Signs of the three dyads at the start, found by trying."""
    global SIDES
    want = [mpf(x) for x in START]
    found = []
    for k in range(8):
        SIDES = (1 - 2 * (k & 1), 1 - (k & 2), 1 - (k & 4) // 2)
        unit, w, *_ = mechanism(MP)[1](want[0])
        q, _ = coordinates(unit, w, mpf(0), want)
        gap = max(abs(x - y) for x, y in zip(q, want))
        if gap < 1e-12:
            found.append((SIDES, gap))
    (SIDES, gap), = found
    print("branch", SIDES, "start angles reproduced to", mp.nstr(gap, 2))
    return SIDES


SIDES = (1, 1, 1)
SIDES = branch()


def build(a):
    p, _, reduced = mechanism(a)

    def f(t, y):
        m, h, _, slope = reduced(y[0])
        return [y[1], (p.torque - slope - h * y[1] ** 2) / m]

    return f


beta0 = mpf(START[0])
times = [0.0, 0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.045, 0.05]
states = reference("andrews", build, [beta0, mpf(0)], times, 1e-6)
p, kinematics, reduced = mechanism(MP)
v0 = reduced(beta0)[2]
table, known = results(), {}
near = [mpf(x) for x in START]
turns = 0
for t, (beta, rate) in zip(times, states):
    unit, w, k, centre, hook = kinematics(beta)
    # theta = body 2 - body 1 follows -beta; the others stay within a turn of their start
    near[0], near[1] = beta, -beta
    q, v = coordinates(unit, w, rate, near)
    m, h, spring, slope = reduced(beta)
    kinetic, work = m * rate**2 / 2, p.torque * (beta - beta0)
    assert abs(kinetic + spring - v0 - work) < 1e-16, (t, kinetic + spring - v0 - work)
    for name, x in zip(NAMES, q):
        table.add("andrews", name, t, x)
    for name, x in zip(NAMES, v):
        table.add("andrews", name + "_rate", t, x)
    for name, x in (("kinetic_energy", kinetic), ("spring_energy", spring), ("work", work)):
        table.add("andrews", name, t, x)
    known[t] = q, v
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", {"andrews": CASE})
published = Table("case", "quantity", "t", "printed")
for name, x in zip(NAMES, START):
    published.add("andrews", name, "0", x)
q, v = known[0.03]
for name, x, y in zip(NAMES, Q, q):
    print(f"{name:8} {x:22} {mp.nstr(y, 18):24} difference {mp.nstr(y - mpf(x), 3)}")
    published.add("andrews", name, "0.03", x)
for name, x, y in zip(NAMES, V, v):
    print(f"{name + '_rate':13} {x:22} {mp.nstr(y, 18):24} relative {mp.nstr(y / mpf(x) - 1, 3)}")
    published.add("andrews", name + "_rate", "0.03", x)
published.write(HERE / "published.csv")

# second method: time as a quadrature over beta, beta = beta0 + x^2 removes the singularity of the start at rest
def slowness(x):
    beta = beta0 + x * x
    m, _, spring, _ = reduced(beta)
    return 2 * x * mp.sqrt(m / (2 * (p.torque * x * x + v0 - spring)))


with mp.workdps(30):
    top = mp.sqrt(q[0] - beta0)
    cuts = [top * k / 48 for k in range(49)]
    start = slowness(mpf(10) ** -9)
    time, error = mp.quad(slowness, [cuts[0] + mpf(10) ** -9] + cuts[1:], error=True, maxdegree=5)
    print("quadrature: t(beta) =", mp.nstr(time + start * mpf(10) ** -9, 18), "estimated error", mp.nstr(error, 2))
