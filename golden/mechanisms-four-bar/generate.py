"""Four-bar crank-rocker in its crank angle, with torsional spring-damper at the rocker. Run: python generate.py

Position: two circles. With primes for derivatives by the crank angle phi, and  m(phi) = sum m |r'|^2 + I (angle')^2 :
m phi'' + (sum m r'.r'' + I angle' angle'') phidot^2 = generalised force.  Reactions by Newton-Euler of each body."""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from tools import MP, cross, dot, parameters, reference, results, square, values

BASE = {
    "gravity": (9.81, "m/s2"), "crank": (0.1, "m"), "coupler": (0.35, "m"), "rocker": (0.3, "m"),
    "ground_x": (0.4, "m"), "ground_y": (0.05, "m"),
    "mass1": (1.1, "kg"), "inertia1": (0.004, "kg m2"), "com1_x": (0.02, "m"), "com1_y": (0.01, "m"),
    "mass2": (0.7, "kg"), "inertia2": (0.009, "kg m2"), "com2_x": (0.15, "m"), "com2_y": (0.06, "m"),
    "mass3": (0.9, "kg"), "inertia3": (0.008, "kg m2"), "com3_x": (0.12, "m"), "com3_y": (-0.03, "m"),
    "spring": (6.0, "N m/rad"), "free_angle": (1.9, "rad"), "damper": (0.05, "N m s/rad"),
    "crank_angle": (0.7, "rad"), "crank_rate": (5.0, "rad/s"),
}
CASES = {"four-bar": BASE, "four-bar-fast": {**BASE, "crank_rate": (-30.0, "rad/s")}}  # the second turns over


def mechanics(a, p):
    i = a.i
    ground = a.z(p.ground_x, p.ground_y)
    c1, c2, c3 = a.z(p.com1_x, p.com1_y), a.z(p.com2_x, p.com2_y), a.z(p.com3_x, p.com3_y)

    def position(phi):
        b = p.crank * a.e(phi)
        v = b - ground
        r = a.sqrt(square(v))
        psi = a.pi + a.atan2(-v.imag, -v.real) - a.acos((p.rocker**2 + r**2 - p.coupler**2) / (2 * p.rocker * r))  # open branch
        w = p.rocker * a.e(psi)
        u = ground + w - b
        return b, u, w, a.atan2(u.imag, u.real), psi

    def derivatives(phi):
        b, u, w, chi, psi = position(phi)
        den = dot(u, i * w)
        psi1 = dot(u, i * b) / den
        chi1 = -dot(w, i * b) / dot(w, i * u)
        rest = -b - chi1**2 * u + psi1**2 * w
        psi2 = dot(u, rest) / den
        chi2 = -dot(w, rest) / dot(w, i * u)
        r1, r2, r3 = c1 * a.e(phi), c2 * a.e(chi), c3 * a.e(psi)
        first = (i * r1, i * b + i * chi1 * r2, i * psi1 * r3)
        second = (-r1, -b + (i * chi2 - chi1**2) * r2, (i * psi2 - psi1**2) * r3)
        return (b, u, w), (chi, psi), (1, chi1, psi1), (0, chi2, psi2), (r1, r2, r3), first, second

    mass, inertia = (p.mass1, p.mass2, p.mass3), (p.inertia1, p.inertia2, p.inertia3)

    def motion(phi, rate):
        (b, u, w), (chi, psi), g1, g2, arms, first, second = derivatives(phi)
        m = sum(k * square(r) for k, r in zip(mass, first)) + sum(k * g * g for k, g in zip(inertia, g1))
        h = sum(k * dot(r, s) for k, r, s in zip(mass, first, second)) + sum(k * g * s for k, g, s in zip(inertia, g1, g2))
        torque = -p.spring * (psi - p.free_angle) - p.damper * g1[2] * rate  # on the rocker
        force = torque * g1[2] - p.gravity * sum(k * r.imag for k, r in zip(mass, first))
        acc = (force - h * rate**2) / m
        return acc, m, torque

    def reactions(phi, rate):
        (b, u, w), (chi, psi), g1, g2, arms, first, second = derivatives(phi)
        acc, m, torque = motion(phi, rate)
        lin = [r * acc + s * rate**2 + i * p.gravity for r, s in zip(first, second)]
        ang = [g * acc + s * rate**2 for g, s in zip(g1, g2)]
        # force c of the coupler on the rocker: moments of the rocker about its ground pin, of the coupler about the crank pin
        at_rocker = p.inertia3 * ang[2] + cross(arms[2], p.mass3 * lin[2]) - torque
        at_coupler = -(p.inertia2 * ang[1] + cross(arms[1], p.mass2 * lin[1]))
        c = (at_rocker * u - at_coupler * w) / cross(w, u)
        bpin = p.mass2 * lin[1] + c  # crank on coupler
        apin = p.mass1 * lin[0] + bpin  # ground on crank
        dpin = p.mass3 * lin[2] - c  # ground on rocker
        left = p.inertia1 * ang[0] + cross(arms[0], p.mass1 * lin[0]) + cross(b, bpin)  # crank about its ground pin: no moment
        assert abs(left) < 1e-30
        return acc, ang, apin, bpin, c, dpin

    def energy(phi, rate):
        _, (chi, psi), g1, _, (r1, r2, r3), _, _ = derivatives(phi)
        b = p.crank * a.e(phi)
        _, m, _ = motion(phi, rate)
        height = p.mass1 * r1.imag + p.mass2 * (b + r2).imag + p.mass3 * (ground + r3).imag
        return m * rate**2 / 2 + p.gravity * height + p.spring * (psi - p.free_angle) ** 2 / 2

    return derivatives, motion, reactions, energy


def model(case):
    def build(a):
        p = values(a, CASES[case])
        derivatives, motion, _, _ = mechanics(a, p)

        def f(t, y):
            rocker = derivatives(y[0])[2][2] * y[1]
            return [y[1], motion(y[0], y[1])[0], p.damper * rocker**2]

        return f

    return build


if __name__ == "__main__":
    times = [k / 16 for k in range(17)]
    table = results()
    for case in CASES:
        derivatives, motion, reactions, energy = mechanics(MP, values(MP, CASES[case]))
        states = reference(case, model(case), [CASES[case]["crank_angle"][0], CASES[case]["crank_rate"][0], 0.0], times)
        for t, (phi, rate, lost) in zip(times, states):
            _, (chi, psi), g1, _, _, _, _ = derivatives(phi)
            acc, ang, apin, bpin, c, dpin = reactions(phi, rate)
            e = energy(phi, rate)
            assert abs(e + lost - energy(*states[0][:2])) < 1e-19
            row = {"crank_angle": phi, "coupler_angle": chi, "rocker_angle": psi, "crank_rate": rate, "coupler_rate": g1[1] * rate,
                   "rocker_rate": g1[2] * rate, "crank_acceleration": ang[0], "coupler_acceleration": ang[1], "rocker_acceleration": ang[2],
                   "crank_ground_fx": apin.real, "crank_ground_fy": apin.imag, "crank_coupler_fx": bpin.real, "crank_coupler_fy": bpin.imag,
                   "coupler_rocker_fx": c.real, "coupler_rocker_fy": c.imag, "rocker_ground_fx": dpin.real, "rocker_ground_fy": dpin.imag,
                   "energy": e, "energy_lost": lost}
            for key, value in row.items():
                table.add(case, key, t, value)
    table.write(HERE / "data.csv")
    parameters(HERE / "parameters.csv", CASES)
