"""Free impacts with a closed form: F = K delta^n (1 + a u), u = delta_dot / impact speed.

Run: python generate.py   (needs mpmath; writes data.csv and unloading.csv beside itself)

From  m v0^2 u du/(1 + a u) = -K delta^n d(delta):  delta^(n+1) = (n+1) m v0^2 Phi(u)/K  with
Phi(u) = integral of s/(1 + a s) from u to 1, and restitution e where Phi(-e) = 0.  The duration is the
quadrature of dt = -m dv/F, split at u = 0, with 1 - u = x^(n+1) and u + e = x^(n+1) at the two ends,
which removes the singularities.
"""
import csv
from pathlib import Path

from mpmath import mp, mpf

mp.dps = 50
HERE = Path(__file__).parent
STIFFNESS, MASS, SPEED = 5.2e9, 4.6, 0.3
DIGITS = 25


def gonthier(c):
    """a = d/c with (1 + d/c)/(1 - d) = exp(d (1 + 1/c))."""
    if c == 1:
        return mpf(0)
    with mp.workdps(80):
        g = lambda d: mp.log1p(d / c) - mp.log1p(-d) - d * (1 + 1 / c)
        low, high = (1 - c) / 4 * c, 1 - mpf(10) ** -60
        assert g(low) < 0 < g(high)
        return mp.findroot(g, (low, high), solver="anderson", tol=mpf(10) ** -70, maxsteps=400) / c


FACTORS = {
    "no-damping": lambda c: mpf(0),
    "hunt-crossley": lambda c: 3 * (1 - c) / 2,
    "marhefka-orin": lambda c: mpf(3) / 2 * (1 - c) * (2 - (1 - c)) / (2 - 3 * (1 - c) + 3 * (1 - c) ** 2 - (1 - c) ** 3),
    "marhefka-orin-simplified": lambda c: 3 * (1 - c**2) / (2 * (3 * c - 1)) if c > mpf(1) / 3 else None,
    "herbert-mcwhannell": lambda c: 6 * (1 - c) / ((2 * c - 1) ** 2 + 3),
    "lee-wang": lambda c: 3 * (1 - c) / 4,
    "lankarani-nikravesh": lambda c: 3 * (1 - c**2) / 4,
    "khulief-shabana": lambda c: 3 * (1 - c**2) / 4,
    "zhiying-qishao": lambda c: 3 * (1 - c**2) * mp.exp(2 * (1 - c)) / 4,
    "gonthier": gonthier,
    "gonthier-approx": lambda c: (1 - c**2) / c,
    "flores": lambda c: 8 * (1 - c) / (5 * c),
    "gharib-hurmuzlu": lambda c: 1 / c,
    "hu-guo": lambda c: 3 * (1 - c) / (2 * c),
}


class Impact:
    def __init__(self, a, n, stiffness, mass, speed):
        self.a, self.n = mpf(a), mpf(n)
        self.k, self.m, self.v = mpf(stiffness), mpf(mass), mpf(speed)
        self.scale = (self.n + 1) * self.m * self.v**2 / self.k
        if self.a == 0:
            self.e = mpf(1)
        else:
            with mp.workdps(120):
                self.e = (1 + mp.lambertw(-(1 + self.a) * mp.exp(-(1 + self.a)), 0).real) / self.a

    def phi_start(self, y):
        """Phi(1 - y), without cancellation at y = 0."""
        if self.a == 0:
            return y - y**2 / 2
        return (self.a * y + mp.log1p(-self.a * y / (1 + self.a))) / self.a**2

    def phi_end(self, y):
        """Phi(y - e), without cancellation at y = 0."""
        if self.a == 0:
            return y - y**2 / 2
        return (mp.log1p(self.a * y / (1 - self.a * self.e)) - self.a * y) / self.a**2

    def delta(self, phi):
        return (self.scale * phi) ** (1 / (self.n + 1))

    def peak(self):
        """Largest force: n u = a (n+1) Phi(u), from dF/du = 0."""
        u = mpf(0)
        if self.a > 0:
            g = lambda y: self.n * (1 - y) - self.a * (self.n + 1) * self.phi_start(y)
            u = 1 - mp.findroot(g, (mpf(0), mpf(1)), solver="anderson", tol=mpf(10) ** -45, maxsteps=400)
        d = self.delta(self.phi_start(1 - u))
        return self.k * d**self.n * (1 + self.a * u), d

    def half(self, phi, span, damping):
        p = self.n + 1

        def integrand(x):
            y = x**p
            return p * x**self.n / ((self.scale * phi(y)) ** (self.n / p) * damping(y))

        top = span ** (1 / p)
        cuts = [mpf(0)] + [top / 2**k for k in range(6, -1, -1)]
        value, error = mp.quad(integrand, cuts, error=True, maxdegree=9)
        assert error < mpf(10) ** -28 * value, error
        return self.m * self.v / self.k * value

    def duration(self):
        approach = self.half(self.phi_start, mpf(1), lambda y: 1 + self.a * (1 - y))
        leaving = self.half(self.phi_end, self.e, lambda y: 1 + self.a * (y - self.e))
        return approach + leaving

    def results(self):
        force, where = self.peak()
        lost = self.m * self.v**2 * (1 - self.e**2) / 2
        return [self.e, self.delta(self.phi_start(mpf(1))), force, where, self.duration(), lost]


def text(x):
    return mp.nstr(x, DIGITS, min_fixed=0, max_fixed=0)


def closed_form(out):
    out.writerow(["damping", "restitution_in", "alpha", "exponent", "stiffness", "effective_mass", "impact_speed", "factor",
                  "restitution", "max_indentation", "max_force", "indentation_at_max_force", "duration", "energy_lost"])
    known = {}

    def row(name, c, alpha, n, a):
        key = (mp.nstr(a, 40), n)
        if key not in known:
            known[key] = Impact(a, n, STIFFNESS, MASS, SPEED).results()
        fixed = [name, "" if c is None else repr(c), "" if alpha is None else repr(alpha), *map(repr, (n, STIFFNESS, MASS, SPEED))]
        out.writerow(fixed + [text(x) for x in [a, *known[key]]])
        return known[key]

    for name, law in FACTORS.items():
        for n in (1.0, 1.1, 1.5):
            if name == "khulief-shabana" and n != 1.0:
                continue  # defined on a linear spring
            for c in (1.0,) if name == "no-damping" else (0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
                a = law(mpf(c))
                if a is None:
                    continue
                r = row(name, None if name == "no-damping" else c, None, n, a)
                if name == "gonthier":
                    assert abs(r[0] / mpf(c) - 1) < mpf(10) ** -40
                if name == "no-damping" and n == 1.5:
                    assert abs(r[4] * mpf(SPEED) / r[1] - mpf("2.94327518432")) < mpf(10) ** -11
                if name == "lankarani-nikravesh" and n == 1.5 and c == 0.7:
                    assert abs(r[0] - mpf("0.795972595365")) < mpf(10) ** -12
                    assert abs(r[4] - mpf("1.006594148e-3")) < mpf(10) ** -12
    for alpha in (0.08, 0.32, 1.4):
        row("hunt-crossley-alpha", None, alpha, 1.5, 3 * mpf(alpha) * mpf(SPEED) / 2)
        row("lee-wang-linear", None, alpha, 1.0, 3 * mpf(alpha) * mpf(SPEED) / 4)


def unloading(out):
    """Laws whose unloading branch is another spring: loading lasts I delta_max/v0, unloading I e delta_max/v0
    (permanent indentation) or I delta_max/(e v0) (two slopes), I = integral of (1 - x^(n+1))^(-1/2) from 0 to 1."""
    out.writerow(["damping", "restitution_in", "exponent", "stiffness", "effective_mass", "impact_speed", "restitution", "max_indentation",
                  "max_force", "permanent_indentation", "duration", "energy_lost"])
    for name in ("lankarani-nikravesh-plastic", "gharib-hurmuzlu-plastic", "kelvin-voigt-restitution"):
        two_slopes = name == "kelvin-voigt-restitution"
        for n in (1.0,) if two_slopes else (1.0, 1.1, 1.5):
            for c in (0.3, 0.5, 0.7, 0.9, 1.0):
                k, m, v, p = mpf(STIFFNESS), mpf(MASS), mpf(SPEED), mpf(n) + 1
                e = mp.sqrt(mpf(c)) if two_slopes else mpf(c)
                top = (p * m * v**2 / (2 * k)) ** (1 / p)
                quarter = mp.beta(1 / p, mpf(1) / 2) / p * top / v
                permanent = mpf(0) if two_slopes else top * (1 - e**2)
                time = quarter * (1 + (1 / e if two_slopes else e))
                values = [e, top, k * top ** mpf(n), permanent, time, m * v**2 * (1 - e**2) / 2]
                out.writerow([name, *map(repr, (c, n, STIFFNESS, MASS, SPEED))] + [text(x) for x in values])


def main():
    with open(HERE / "data.csv", "w", newline="") as f:
        closed_form(csv.writer(f, lineterminator="\n"))
    with open(HERE / "unloading.csv", "w", newline="") as f:
        unloading(csv.writer(f, lineterminator="\n"))


if __name__ == "__main__":
    main()
