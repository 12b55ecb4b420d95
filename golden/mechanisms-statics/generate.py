"""Static equilibria: toggle with two springs, four-bar with spring and weights, hanging chain of five rods. Run: python generate.py"""
import importlib.util
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import MP, Table, cross, parameters, values

spec = importlib.util.spec_from_file_location("fourbar", HERE.parent / "mechanisms-four-bar" / "generate.py")
fourbar = importlib.util.module_from_spec(spec)
spec.loader.exec_module(fourbar)

CASES = {
    "toggle": {"gravity": (9.81, "m/s2"), "length1": (0.5, "m"), "length2": (0.6, "m"), "mass1": (0.8, "kg"), "mass2": (1.0, "kg"), "knee_mass": (3.0, "kg"),
               "slider_mass": (0.5, "kg"), "stiffness": (1500.0, "N/m"), "free_x": (1.0, "m"), "torsion": (10.0, "N m/rad"), "free_angle": (0.3, "rad")},
    "four-bar": fourbar.BASE,
    "chain": {"gravity": (9.81, "m/s2"), "support_x": (1.8, "m"), "support_y": (0.3, "m"),
              **{f"length{k + 1}": (v, "m") for k, v in enumerate((0.5, 0.4, 0.6, 0.45, 0.55))},
              **{f"mass{k + 1}": (v, "kg") for k, v in enumerate((1.0, 1.5, 0.7, 2.0, 1.2))},
              **{f"com{k + 1}": (v, "m") for k, v in enumerate((0.25, 0.15, 0.3, 0.25, 0.2))}},
}
table = Table("case", "equilibrium", "quantity", "value")


def roots(slope, low, high, parts):
    grid = [low + (high - low) * k / parts for k in range(parts + 1)]
    sign = [slope(x) for x in grid]
    return [mp.findroot(slope, (u, v), solver="anderson", tol=mpf(10) ** -60, maxsteps=200, verify=False)
            for u, v, f, g in zip(grid, grid[1:], sign, sign[1:]) if f * g < 0]


# --- toggle: bar 1 from the origin, bar 2 to a slider on the x axis, horizontal spring on the slider, torsional spring at the origin
p = values(MP, CASES["toggle"])
weight = p.gravity * (p.mass1 / 2 + p.knee_mass + p.mass2 / 2) * p.length1  # times sin(q): the rod's centre is at half the knee's height


def toggle(q):
    phi = -mp.asin(p.length1 * mp.sin(q) / p.length2)
    return phi, p.length1 * mp.cos(q) + p.length2 * mp.cos(phi)


def potential(q):
    return weight * mp.sin(q) + p.stiffness * (toggle(q)[1] - p.free_x) ** 2 / 2 + p.torsion * (q - p.free_angle) ** 2 / 2


def slope(q):
    phi, x = toggle(q)
    dx = -p.length1 * mp.sin(q) + p.length1 * mp.cos(q) * mp.tan(phi)  # dphi/dq = -l1 cos q/(l2 cos phi)
    return weight * mp.cos(q) + p.stiffness * (x - p.free_x) * dx + p.torsion * (q - p.free_angle)


for number, q in enumerate(roots(slope, mpf(-1.5), mpf(1.5), 300), 1):
    phi, x = toggle(q)
    h = mpf(10) ** -12
    assert abs(slope(q) - (potential(q + h) - potential(q - h)) / (2 * h)) < 1e-18
    curvature = (slope(q + h) - slope(q - h)) / (2 * h)
    spring = -p.stiffness * (x - p.free_x)  # on the slider, along x
    rod = p.length2 * mp.expj(phi)
    # slider: the rod pushes it with (-spring, fy); rod about the knee: cross(rod, -f) = weight moment
    fx = -spring
    fy = (rod.imag * fx - p.mass2 * p.gravity * rod.real / 2) / rod.real
    normal = p.slider_mass * p.gravity - fy
    knee = mp.mpc(fx, fy + p.mass2 * p.gravity)  # bar 1 on rod
    ground = knee + mp.mpc(0, p.gravity * (p.mass1 + p.knee_mass))
    arm = p.length1 * mp.expj(q)
    # bar 1 with the knee mass about the origin
    left = cross(arm, -knee) - p.gravity * arm.real * (p.mass1 / 2 + p.knee_mass) - p.torsion * (q - p.free_angle)
    assert abs(left) < 1e-25
    for key, value in (("angle1", q), ("angle2", phi), ("slider_x", x), ("curvature", curvature), ("stable", mpf(curvature > 0)), ("potential", potential(q)),
                       ("ground_fx", ground.real), ("ground_fy", ground.imag), ("knee_fx", knee.real), ("knee_fy", knee.imag), ("slider_fx", fx),
                       ("slider_fy", fy), ("slider_normal", normal)):
        table.add("toggle", number, key, value)
    print("toggle", number, mp.nstr(q, 16), "stable" if curvature > 0 else "unstable")

# --- four-bar of ../mechanisms-four-bar at rest
derivatives, motion, reactions, energy = fourbar.mechanics(MP, values(MP, CASES["four-bar"]))
force = lambda phi: motion(phi, mpf(0))[0] * motion(phi, mpf(0))[1]
for number, phi in enumerate(roots(force, -mp.pi, mp.pi, 360), 1):
    _, (chi, psi), *_ = derivatives(phi)
    _, _, apin, bpin, c, dpin = reactions(phi, mpf(0))
    h = mpf(10) ** -12
    assert abs((energy(phi + h, mpf(0)) - energy(phi - h, mpf(0))) / (2 * h)) < 1e-18
    curvature = -(force(phi + h) - force(phi - h)) / (2 * h)
    for key, value in (("crank_angle", phi), ("coupler_angle", chi), ("rocker_angle", psi), ("curvature", curvature), ("stable", mpf(curvature > 0)),
                       ("potential", energy(phi, mpf(0))), ("crank_ground_fx", apin.real), ("crank_ground_fy", apin.imag), ("crank_coupler_fx", bpin.real),
                       ("crank_coupler_fy", bpin.imag), ("coupler_rocker_fx", c.real), ("coupler_rocker_fy", c.imag), ("rocker_ground_fx", dpin.real),
                       ("rocker_ground_fy", dpin.imag)):
        table.add("four-bar", number, key, value)
    print("four-bar", number, mp.nstr(phi, 16), "stable" if curvature > 0 else "unstable")

# --- chain of five rods: unknown the angles and the force (hx, hy) on the left end of rod 1
p = values(MP, CASES["chain"])
length, mass, com = ([getattr(p, f"{name}{k}") for k in range(1, 6)] for name in ("length", "mass", "com"))


def chain(*x):
    angles, f = x[:5], mp.mpc(x[5], x[6])
    end, out = mp.mpc(0), []
    for q, l, m, c in zip(angles, length, mass, com):
        e = mp.expj(q)
        out.append(cross(l * e, -f + mp.mpc(0, m * p.gravity)) - m * p.gravity * c * e.real)  # moments about the left end
        f -= mp.mpc(0, m * p.gravity)  # force on the left end of the next rod
        end += l * e
    return out + [end.real - p.support_x, end.imag - p.support_y]


x = mp.findroot(chain, [-1.0, -0.6, 0.0, 0.6, 1.0, -10.0, 30.0], tol=mpf(10) ** -60, maxsteps=60)
assert max(abs(r) for r in chain(*x)) < mpf(10) ** -35
right = mp.mpc(-x[5], sum(mass) * p.gravity - x[6])  # ground on rod 5
f, end, height = mp.mpc(x[5], x[6]), mp.mpc(0), mpf(0)
for k in range(5):
    table.add("chain", 1, f"angle{k + 1}", x[k])
for k in range(5):
    table.add("chain", 1, f"joint{k + 1}_fx", f.real)  # on the left end of rod k+1
    table.add("chain", 1, f"joint{k + 1}_fy", f.imag)
    f -= mp.mpc(0, mass[k] * p.gravity)
    height += mass[k] * p.gravity * (end + com[k] * mp.expj(x[k])).imag
    end += length[k] * mp.expj(x[k])
    if k < 4:
        table.add("chain", 1, f"node{k + 1}_x", end.real)
        table.add("chain", 1, f"node{k + 1}_y", end.imag)
table.add("chain", 1, "right_fx", right.real)
table.add("chain", 1, "right_fy", right.imag)
table.add("chain", 1, "potential", height)
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)
print("chain", [mp.nstr(v, 12) for v in x])
