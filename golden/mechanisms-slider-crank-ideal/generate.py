"""Ideal slider-crank (M3), closed form: position, velocity, acceleration, then Newton-Euler. Run: python generate.py"""
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / "mechanisms-tools"))
from mpmath import mp, mpf
from tools import MP, cross, parameters, results, values

BASE = {
    "crank_length": (0.05, "m"), "crank_mass": (17.9, "kg"), "crank_inertia": (0.460327, "kg m2"),
    "rod_length": (0.3, "m"), "rod_mass": (1.13, "kg"), "rod_inertia": (0.0153, "kg m2"),
    "slider_mass": (1.013, "kg"), "slider_inertia": (0.000772, "kg m2"), "rpm": (200.0, "1/min"),
}
CASES = {"m3": {**BASE, "gravity": (0.0, "m/s2")}, "m3-gravity": {**BASE, "gravity": (9.81, "m/s2")}}


EPS = mpf(10) ** -10


def state(case, t):
    p = values(MP, CASES[case])
    w = p.rpm * 2 * mp.pi / 60
    th = w * t
    a, l = p.crank_length, p.rod_length
    # rod angle phi: a sin(th) + l sin(phi) = 0
    sp = -a / l * mp.sin(th)
    cp = mp.sqrt(1 - sp**2)
    phi = mp.asin(sp)
    dphi = -a * w * mp.cos(th) / (l * cp)
    ddphi = (a * w**2 * mp.sin(th) / l + sp * dphi**2) / cp
    x = a * mp.cos(th) + l * cp
    dx = -a * w * mp.sin(th) - l * sp * dphi
    ddx = -a * w**2 * mp.cos(th) - l * (cp * dphi**2 + sp * ddphi)
    crank, rod, up = a * mp.expj(th), l * mp.expj(phi), mp.mpc(0, 1)
    centre = -w**2 * crank + (up * ddphi - dphi**2) * rod / 2  # acceleration of the rod's centre
    # slider along x; the rod about its crank pin gives the normal component of the force on the slider
    fx = p.slider_mass * ddx  # force of the rod on the slider
    # moment about the crank pin, force -f acts on the rod at its far end:
    # cross(rod, -f) + cross(rod/2, -i m g) = I ddphi + cross(rod/2, m centre)
    need = p.rod_inertia * ddphi + cross(rod / 2, p.rod_mass * (centre + up * p.gravity))
    fy = (rod.imag * fx - need) / rod.real  # cross(rod, f) = rod.x fy - rod.y fx = -need
    slider = mp.mpc(fx, fy)
    normal = p.slider_mass * p.gravity - fy  # guide on slider
    pin = p.rod_mass * (centre + up * p.gravity) + slider  # crank on rod
    moment = cross(crank, pin)  # on the crank; constant speed, centre of mass on the axis
    weight = up * p.crank_mass * p.gravity
    ground = pin + weight
    ground_mid = ground - p.crank_mass * w**2 * crank / 2
    moment_mid = moment + p.crank_mass * p.gravity * crank.real / 2
    # virtual power: driver power = rate of kinetic energy + power against gravity
    vrod = up * w * crank + up * dphi * rod / 2
    power = p.slider_mass * dx * ddx + p.rod_mass * ((vrod.real * centre.real + vrod.imag * centre.imag) + p.gravity * vrod.imag) \
        + p.rod_inertia * dphi * ddphi
    assert abs(power - moment * w) < mpf(10) ** -30
    return {"crank_angle": th, "rod_angle": phi, "rod_rate": dphi, "rod_acceleration": ddphi, "slider_x": x, "slider_velocity": dx,
            "slider_acceleration": ddx, "crank_moment": moment, "ground_pin_fx": ground.real, "ground_pin_fy": ground.imag,
            "crank_pin_fx": pin.real, "crank_pin_fy": pin.imag, "slider_pin_fx": slider.real, "slider_pin_fy": slider.imag,
            "slider_pin_force": abs(slider), "slider_normal": normal, "ground_pin_fx_mid": ground_mid.real, "ground_pin_fy_mid": ground_mid.imag,
            "crank_moment_mid": moment_mid}


def extreme(case, key, sign):
    """(t, value) of the largest value of sign*key in one revolution: fine scan, then the root of the slope."""
    f = lambda t: state(case, t)[key]
    period = mpf(60) / 200
    grid = [period * k / 240 for k in range(240)]
    start = max(grid, key=lambda t: sign * f(t))
    slope = lambda t: (f(t + EPS) - f(t - EPS)) / (2 * EPS)
    t = mp.findroot(slope, (start - period / 240, start + period / 240), solver="anderson", tol=mpf(10) ** -20, maxsteps=200, verify=False)
    assert abs(slope(t)) < mpf(10) ** -12 * (1 + abs(f(t)))
    return t, f(t)


table = results()
for case in CASES:
    for k in range(25):
        t = k * 0.0125  # 15 degrees each
        for key, value in state(case, mpf(t)).items():
            table.add(case, key, t, value)
    for key in ("slider_acceleration", "crank_moment", "slider_pin_force", "slider_normal"):
        for sign, word in ((-1, "min"), (1, "max")):
            t, value = extreme(case, key, sign)
            table.add(case, f"{key}_{word}", t, value)
            print(case, key, word, mp.nstr(t, 12), mp.nstr(value, 15))
table.write(HERE / "data.csv")
parameters(HERE / "parameters.csv", CASES)
