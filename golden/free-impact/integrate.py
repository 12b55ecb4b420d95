"""Free impacts by numerical integration: m delta'' = -F(delta, delta'), two bodies, no other force.

Run: python integrate.py   (needs numpy, scipy; writes integrated.csv beside itself)

Dormand-Prince 8(5,3) (scipy DOP853) in the scaled variables x = delta/d0, w = delta'/v0, tau = t v0/d0.
The end of an arc is not interpolated: the turning point is reached with w, the separation with x as
independent variable, and the peak of the force and the point F = 0 are bracketed and re-integrated.
Every case is run with the relative tolerances 1e-12 and 3e-14; the column `accuracy` is the largest
relative difference of the five results, rounded up, at least 1e-12.  Cases with a closed or separable
solution are checked against it.

clamped = 1: F < 0 is replaced by 0, the contact lasts until delta = 0.
clamped = 0: F is kept as printed (adhesive), the contact lasts until delta = 0.
"""
import csv
from math import acos, atan2, exp, log, pi, sqrt
from pathlib import Path

import numpy as np
from scipy.integrate import DOP853, quad, solve_ivp
from scipy.optimize import brentq
from scipy.special import lambertw

HERE = Path(__file__).parent


# ---------------------------------------------------------------- elastic laws: force and slope
def power(k, n):
    return lambda d: (k * d**n, k * n * d ** (n - 1))


def equivalent_modulus(p):
    return p["young"] / (2 * (1 - p["poisson"] ** 2))


def cylinder(p):
    """Line-contact laws of one material, internal contact; SI units."""
    e, r_i, r_j, length = equivalent_modulus(p), p["radius_i"], p["radius_j"], p["length"]
    gap = r_i - r_j
    radius = r_i * r_j / gap
    logarithmic = {
        "hertz-cylinder": (pi * e / 2, pi * e * gap, -1.0),
        "johnson": (pi * e, 4 * pi * e * gap, -1.0),
        "radzimovsky": (pi * e, 8 * gap * p["young"] / 2.15**2, 2 / 3),
        "goldsmith": (pi * e, 1e-6 * pi * e / radius, 1.0),
        "dubowsky-freudenstein": (pi * e, pi * e * length**2 / radius, 1.0),
        "esdu-78035": (pi * e, 4 * pi * e * gap, 1.0),
    }
    if p["elastic"] in logarithmic:
        a, b, c = logarithmic[p["elastic"]]

        def law(d):
            w = -lambertw(-(a * d / b) * exp(-c), -1).real
            return length * a * d / w, length * a / (w - 1)
    elif p["elastic"] == "liu":
        def law(d):
            f = pi / 2 * e * length * d * sqrt(d / (2 * (gap + d)))
            return f, f * (1.5 / d - 0.5 / (gap + d))
    elif p["elastic"] == "bai-zhao":
        def law(d):
            f = pi * e / 8 * sqrt(2 * d * (3 * gap + 2 * d) ** 2 / (gap + d) ** 3) * d**1.5
            return f, f * (2 / d + 2 / (3 * gap + 2 * d) - 1.5 / (gap + d))
    elif p["elastic"] == "persson":
        def law(d):
            s = d / (2 * gap + d)  # b^2 = tan^2(epsilon/2)
            top, low = s * (s + 1), 2 - np.log1p(s) - 2 * s * s
            f = 2 * pi * e * gap * length * top / low
            slope = f * ((2 * s + 1) / top + (1 / (1 + s) + 4 * s) / low) * 2 * gap / (2 * gap + d) ** 2
            return f, slope
    elif p["elastic"] == "pereira":
        g = gap * 1e3
        y = 1.51 * log(1000 * g) ** -0.151 if g <= 0.34954 else 0.0151 * g + 1.151
        n = y * g**-0.005
        return power((0.965 * g + 0.0965) * length * 1e3 * e * 1e-6 / g * 1e3**n, n)
    elif p["elastic"] == "lankarani-nikravesh-cylinder":
        return power(4 / 3 * e * sqrt(radius), 1.5)
    return law


# ---------------------------------------------------------------- damping: F = F_el g(v) + D(delta) v
def factor(p):
    c = p["restitution_in"]
    return {
        "hunt-crossley": lambda: 1.5 * (1 - c),
        "lankarani-nikravesh": lambda: 0.75 * (1 - c * c),
        "zhiying-qishao": lambda: 0.75 * (1 - c * c) * exp(2 * (1 - c)),
        "flores": lambda: 1.6 * (1 - c) / c,
        "gonthier": lambda: brentq(lambda a: a * (1 + c) - np.log1p(a) + np.log1p(-a * c), (1 - c) / 2, (1 - 1e-12) / c, xtol=1e-16, rtol=1e-15),
    }[p["damping"]]()


def damping(p):
    """g(v), g'(v), D(delta), D'(delta), and whether D acts on approach only."""
    one, zero = (lambda v: 1.0), (lambda v: 0.0)
    name, k, m, v0 = p["damping"], p.get("stiffness"), p["effective_mass"], p["impact_speed"]

    def viscous(coefficient, q):
        if q == 0:
            return one, zero, (lambda d: coefficient), zero, False
        return one, zero, (lambda d: coefficient * d**q), (lambda d: coefficient * q * d ** (q - 1)), False

    if name == "no-damping":
        return viscous(0.0, 0)
    if name == "kelvin-voigt":
        return viscous(p["dashpot"], 0)
    if name == "anagnostopoulos":
        s = log(p["restitution_in"])
        return viscous(2 * sqrt(k * m) * -s / sqrt(pi**2 + s**2), 0)
    if name == "tsuji":
        s = log(p["restitution_in"])
        return viscous(sqrt(5) * -s / sqrt(pi**2 + s**2) * sqrt(m * k), 0.25)
    if name == "jankowski":
        c = p["restitution_in"]
        xi = 4.5 * sqrt(5) * (1 - c * c) / (c * (c * (9 * pi - 16) + 16))
        return (*viscous(2 * xi * sqrt(m * k), 0.25)[:4], True)
    if name == "ristow":
        return viscous(p["chi"], 1)
    if name == "lee-herrmann":
        return viscous(m * p["chi"], 1)
    if name == "bordbar-hyppanen":
        return viscous(p["chi"], 0.65)
    if name == "brilliantov":
        nu, h1, h2 = p["poisson"], p["eta1"], p["eta2"]
        a = (3 * h2 - h1) ** 2 / (3 * h2 + 2 * h1) / 3 * (1 - nu**2) * (1 - 2 * nu) / (p["young"] * nu**2)
        return viscous(1.5 * a * k, 0.5)
    if name == "lee-wang-transition":
        s, q, width = log(p["restitution_in"]), p["sharpness"], p["width"]
        zeta = 2 * m * sqrt(k / m) * sqrt(s**2 / (s**2 + pi**2))
        if width == 0:
            return viscous(zeta, 0)
        bump = lambda d: zeta * exp(((d - width) - abs(d - width)) * q / width)
        return one, zero, bump, (lambda d: bump(d) * 2 * q / width if d < width else 0.0), False
    if name == "hunt-crossley-alpha":
        b, r = 1.5 * p["alpha"], p["rate_exponent"]
        return (lambda v: 1 + b * np.sign(v) * abs(v) ** r), (lambda v: b * r * abs(v) ** (r - 1) if v != 0 else 0.0), zero, zero, False
    a = factor(p)
    return (lambda v: 1 + a * v / v0), (lambda v: a / v0), zero, zero, False


# ---------------------------------------------------------------- one impact
class Impact:
    def __init__(self, p, rtol):
        self.p, self.rtol = p, rtol
        self.elastic = power(p["stiffness"], p["exponent"]) if p["elastic"] in ("power", "linear") else cylinder(p)
        self.g, self.dg, self.visc, self.dvisc, self.approach_only = damping(p)
        self.m, self.v0 = p["effective_mass"], p["impact_speed"]
        energy = self.m * self.v0**2
        self.d0 = 1e-12  # a length of the order of the largest indentation, only to scale
        while self.elastic(self.d0)[0] * self.d0 < energy:
            self.d0 *= 1.25
        self.f0 = energy / self.d0

    def force(self, x, w):
        """Scaled force and its rate of change along the motion."""
        if x <= 0:  # limit delta -> 0: only a dashpot can push here
            f = self.visc(0.0) * w * self.v0 / self.f0
            return f, 0.0
        d, v = x * self.d0, w * self.v0
        el, slope = self.elastic(d)
        acts = not (self.approach_only and w < 0)
        f = el * self.g(v) + (self.visc(d) * v if acts else 0.0)
        f_d = slope * self.g(v) + (self.dvisc(d) * v if acts else 0.0)
        f_v = el * self.dg(v) + (self.visc(d) if acts else 0.0)
        return f / self.f0, (f_d * v - f_v * f / self.m) * self.d0 / self.v0 / self.f0

    def rhs(self, t, y):
        return [y[1], -self.force(y[0], y[1])[0]]

    def advance(self, y, span):
        """State after a short time span, from y."""
        if span == 0:
            return y
        s = solve_ivp(self.rhs, (0, span), y, method="DOP853", rtol=self.rtol, atol=1e-16)
        assert s.success
        return s.y[:, -1]

    def along(self, variable, start, end, y):
        """Integrate with x (0) or w (1) as independent variable; y = (the other one, tau)."""
        def rhs(s, z):
            x, w = (s, z[0]) if variable == 0 else (z[0], s)
            f = self.force(x, w)[0]
            return [-f / w, 1 / w] if variable == 0 else [-w / f, -1 / f]
        s = solve_ivp(rhs, (start, end), y, method="DOP853", rtol=self.rtol, atol=1e-16)
        assert s.success
        return s.y[:, -1]

    def peak(self, y, span):
        t = brentq(lambda s: self.force(*self.advance(y, s))[1], 0, span, xtol=1e-15, rtol=1e-14)
        x, w = self.advance(y, t)
        self.peaks.append((self.force(x, w)[0], x))

    def run(self, clamped):
        self.peaks = [(self.force(0.0, 1.0)[0], 0.0)]
        # approach, until w = 0
        solver = DOP853(self.rhs, 0.0, np.array([0.0, 1.0]), 100.0, rtol=self.rtol, atol=1e-16, first_step=1e-6)
        while True:
            t, y = solver.t, solver.y.copy()
            rate = self.force(*y)[1] if y[0] > 0 else None
            solver.step()
            if solver.y[1] <= 0:
                x_max, t_max = self.along(1, y[1], 0.0, [y[0], t])
                at_top = self.force(x_max, 0.0)
                if rate is not None and rate > 0:
                    back = t_max - t
                    if self.force(*self.advance(y, back * (1 - 1e-9)))[1] < 0:
                        self.peak(y, back * (1 - 1e-9))
                break
            if rate is not None and rate > 0 > self.force(*solver.y)[1]:
                self.peak(y, solver.t - t)
        self.peaks.append((at_top[0], x_max))
        w_end, t_end = self.leave(t_max, np.array([x_max, 0.0]), clamped)
        force, where = max(self.peaks)
        return np.array([-w_end, x_max * self.d0, force * self.f0, where * self.d0, t_end * self.d0 / self.v0])

    def leave(self, t, y, clamped):
        solver = DOP853(self.rhs, t, y, t + 1e4, rtol=self.rtol, atol=1e-16, first_step=1e-4)
        while True:
            t, y = solver.t, solver.y.copy()
            solver.step()
            pulls = clamped and solver.y[0] > 0 and self.force(*solver.y)[0] < 0
            if solver.y[0] <= 0 and clamped and self.force(y[0] * 1e-9, solver.y[1])[0] < 0:
                pulls = True
            if pulls:
                span = solver.t - t
                while self.advance(y, span)[0] <= 0:  # shrink until the bracket ends inside the contact
                    span *= 0.5 if self.force(*self.advance(y, span / 2))[0] < 0 else 0.9
                r = brentq(lambda s: self.force(*self.advance(y, s))[0], 0, span, xtol=1e-15, rtol=1e-14)
                x, w = self.advance(y, r)
                return self.coast(t + r, x, w, clamped)
            if solver.y[0] <= 0:
                w, t = self.along(0, y[0], 0.0, [y[1], t])
                return w, t

    def coast(self, t, x, w, clamped):
        """Free motion while F would pull; the contact may push again where damping fades faster than the spring."""
        grid = np.linspace(x * (1 - 1e-6), 0, 4001)[:-1]
        for s in grid:
            if self.force(s, w)[0] > 1e-13:
                back = brentq(lambda z: self.force(z, w)[0], s, min(x, s + grid[0] - grid[1]), xtol=1e-16)
                back *= 1 - 1e-14
                return self.leave(t + (x - back) / -w, np.array([back, w]), clamped)
        return w, t + x / -w


# ---------------------------------------------------------------- checks by other means
def check(p, clamped, r, impact):
    e, d_max = r[0], r[1]
    name, c = p["damping"], p.get("restitution_in")
    near = lambda a, b, tol=1e-9: abs(a / b - 1) < tol or (_ for _ in ()).throw(AssertionError((p, clamped, a, b)))
    if name in ("anagnostopoulos", "tsuji") and not clamped:
        near(e, c)
    if name in ("anagnostopoulos", "kelvin-voigt"):
        zeta = impact.visc(0.0) / (2 * sqrt(p["stiffness"] * p["effective_mass"]))
        root = sqrt(1 - zeta**2)
        # x ~ e^(-zeta s) sin(root s); delta = 0 at root s = pi, F = 0 at the angle below
        angle = pi if not clamped else atan2(2 * zeta * root, 2 * zeta**2 - 1)
        speed = lambda phi: exp(-zeta / root * phi) * (np.cos(phi) - zeta / root * np.sin(phi))
        near(e, -speed(angle))
        near(d_max, exp(-zeta / root * acos(zeta)) * p["impact_speed"] * sqrt(p["effective_mass"] / p["stiffness"]))
    separable = impact.visc(1e-6) == 0
    if separable:  # m v dv/(g(v)) = -F_el d(delta)
        v0, m = p["impact_speed"], p["effective_mass"]
        took = m * quad(lambda v: v / impact.g(v), 0, v0, epsabs=0, epsrel=1e-13)[0]
        gave = m * quad(lambda v: -v / impact.g(v), -e * v0, 0, epsabs=0, epsrel=1e-13)[0]
        near(gave, took)
        stored = quad(lambda s: impact.elastic(d_max * s)[0], 0, 1, epsabs=0, epsrel=1e-13)[0] * d_max
        near(stored, took)
    if name in ("hunt-crossley", "lankarani-nikravesh", "flores", "zhiying-qishao", "gonthier"):
        a = factor(p)
        near(a * (1 + e), log((1 + a) / (1 - a * e)), 1e-8)


# ---------------------------------------------------------------- cases
INPUTS = ["elastic", "damping", "stiffness", "exponent", "young", "poisson", "radius_i", "radius_j", "length",
          "effective_mass", "impact_speed", "restitution_in", "dashpot", "chi", "alpha", "rate_exponent",
          "eta1", "eta2", "width", "sharpness"]
SPHERES = dict(elastic="power", stiffness=5.2e9, exponent=1.5, effective_mass=4.6, impact_speed=0.3)
LINEAR = dict(elastic="linear", stiffness=5.2e9, exponent=1.0, effective_mass=4.6, impact_speed=0.3)
PIN = dict(young=2.1e11, poisson=0.3, radius_i=5e-3, radius_j=4.75e-3, length=15e-3,
           effective_mass=37.6e-3 * 8.29e-3 / (37.6e-3 + 8.29e-3), impact_speed=0.2)
CYLINDERS = ["johnson", "liu", "persson", "hertz-cylinder", "radzimovsky", "goldsmith", "dubowsky-freudenstein",
             "esdu-78035", "pereira", "bai-zhao", "lankarani-nikravesh-cylinder"]


def cases():
    both, one = (1, 0), (1,)
    for c in (0.3, 0.5, 0.7, 0.9):
        yield dict(SPHERES, damping="tsuji", restitution_in=c), both
        yield dict(LINEAR, damping="anagnostopoulos", restitution_in=c), both
    for c in (0.1, 0.3, 0.5, 0.7, 0.9):
        yield dict(SPHERES, damping="jankowski", restitution_in=c), one  # never pulls
    for zeta in (0.1, 0.2, 0.3, 0.5):
        yield dict(LINEAR, damping="kelvin-voigt", dashpot=2 * zeta * sqrt(5.2e9 * 4.6)), both
    yield dict(SPHERES, damping="ristow", chi=7e7), both
    yield dict(SPHERES, damping="lee-herrmann", chi=1.6e7), both
    yield dict(SPHERES, damping="bordbar-hyppanen", chi=2.3e6), both
    yield dict(SPHERES, damping="brilliantov", young=69e9, poisson=0.35, eta1=4e6, eta2=6e6), both
    for width in (0.0, 1e-6, 5e-6):
        yield dict(LINEAR, damping="lee-wang-transition", restitution_in=0.7, width=width, sharpness=3.0), both
    for alpha, rate in ((0.32, 1.0), (1.4, 1.0), (0.32, 0.5), (0.8, 0.5)):
        yield dict(SPHERES, damping="hunt-crossley-alpha", alpha=alpha, rate_exponent=rate), one
    for law in CYLINDERS:
        exponent = dict(exponent=1.5) if law in ("bai-zhao", "lankarani-nikravesh-cylinder") else {}
        yield dict(PIN, elastic=law, damping="no-damping", **exponent), one
        yield dict(PIN, elastic=law, damping="lankarani-nikravesh", restitution_in=0.7, **exponent), one
        if law in CYLINDERS[:4]:
            for name, c in (("hunt-crossley", 0.5), ("flores", 0.5), ("zhiying-qishao", 0.5), ("gonthier", 0.3)):
                yield dict(PIN, elastic=law, damping=name, restitution_in=c), one


def main():
    with open(HERE / "integrated.csv", "w", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(INPUTS + ["clamped", "restitution", "max_indentation", "max_force", "indentation_at_max_force", "duration", "accuracy"])
        for p, ways in cases():
            for clamped in ways:
                rough = Impact(p, 1e-12).run(clamped)
                impact = Impact(p, 3e-14)
                fine = impact.run(clamped)
                check(p, clamped, fine, impact)
                spread = max(abs(rough - fine) / np.where(fine == 0, 1, abs(fine)))
                accuracy = max(1e-12, 10.0 ** np.ceil(np.log10(max(spread, 1e-16))))
                assert accuracy <= 1e-9, (p, clamped, rough, fine)
                values = [repr(p[c]) if isinstance(p.get(c), float) else p.get(c, "") for c in INPUTS]
                out.writerow(values + [clamped] + [f"{v:.12e}" for v in fine] + [f"{accuracy:.0e}"])


if __name__ == "__main__":
    main()
