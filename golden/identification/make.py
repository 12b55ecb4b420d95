"""Records of contacts with known parameters, by SciPy, for tests of `jointplay identify`. Deterministic; writes the CSV files beside it.

pulse.csv   two equal spheres of 9.2 kg that meet at 0.3 m/s after 1 mm (models/two-spheres), Hertz with K = 5.2e9 N/m^1.5 and Lankarani and
            Nikravesh's damping with a restitution of 0.7: force at 1 MHz around the pulse, without noise; `hunt` with that of Hunt and Crossley
bounce.csv  a mass of 0.5 kg that falls 2 mm onto a stop, K = 2e8 N/m^1.5, Hunt and Crossley's damping with a restitution of 0.6, pressed by a force of
            3 N (1 - cos(2 pi 8 Hz t)): force of the stop at 20 kHz, without noise, over 0.3 s
film.csv    a ball of 33 g and 20 mm radius (5.28e-6 kg m²) that is thrown flat over a table, from a height of 0.3 m at 2.5 m/s, K = 1e7 N/m^1.5, Hunt and
            Crossley's damping with a restitution of 0.8, friction 0.15 tanh(v / 1 mm/s): place of its centre at 240 Hz, without noise, over 1.2 s
"""

import numpy as np
from scipy.integrate import solve_ivp

TIGHT = dict(method="DOP853", rtol=1e-12, atol=1e-16)


def contact(delta, rate, start_rate, stiffness, damping):
    elastic = stiffness * max(delta, 0.0) ** 1.5
    return elastic * (1.0 + damping * rate / start_rate)


def pulse(damping):
    """Relative motion of both spheres: the reduced mass is half of 9.2 kg; contact starts at 1 mm / 0.3 m/s."""
    mass, speed, stiffness = 4.6, 0.3, 5.2e9
    force = lambda y: contact(y[0], y[1], speed, stiffness, damping)
    end = lambda t, y: y[0] if t > 1e-5 else 1.0
    end.terminal, end.direction = True, -1
    run = solve_ivp(lambda t, y: [y[1], -force(y) / mass], [0, 3e-3], [0.0, speed], events=end, dense_output=True, **TIGHT)
    start = 1e-3 / speed
    t = np.arange(3200, 4600) * 1e-6
    values = [max(force(run.sol(x - start)), 0.0) if 0 <= x - start <= run.t[-1] else 0.0 for x in t]
    return t, np.array(values)


def bounce(restitution=0.6, push=3.0, stiffness=2e8, mass=0.5, until=0.3, rate=20e3):
    load = lambda t: mass * 9.81 + push * (1 - np.cos(2 * np.pi * 8 * t))
    t_all = np.arange(round(until * rate) + 1) / rate
    seen = np.zeros_like(t_all)
    damping = 1.5 * (1 - restitution)
    t, height, rising = 0.0, 2e-3, 0.0
    while t < until:
        # Free, until the height is 0.
        touch = lambda t, y: y[0]
        touch.terminal, touch.direction = True, -1
        run = solve_ivp(lambda t, y: [y[1], -load(t) / mass], [t, until], [height, rising], events=touch, **TIGHT)
        t, rising = run.t[-1], run.y[1][-1]
        if t >= until or run.status == 0:
            break
        start_rate = -rising
        force = lambda y: max(contact(-y[0], -y[1], start_rate, stiffness, damping), 0.0)
        leave = lambda t, y: y[0]
        leave.terminal, leave.direction = True, 1
        run = solve_ivp(lambda t, y: [y[1], (force(y) - load(t)) / mass], [t, until], [0.0, rising], events=leave, dense_output=True, **TIGHT)
        inside = (t_all >= run.t[0]) & (t_all <= run.t[-1])
        seen[inside] = [force(run.sol(x)) for x in t_all[inside]]
        t, height, rising = run.t[-1], 0.0, run.y[1][-1]
        if rising < 1e-6:
            break
    return t_all, seen


def film(restitution=0.8, friction=0.15, until=1.2, rate=240):
    mass, radius, inertia, stiffness, gravity, slip_speed = 33e-3, 20e-3, 5.28e-6, 1e7, 9.81, 1e-3
    damping = 1.5 * (1 - restitution)
    t_all = np.arange(round(until * rate) + 1) / rate
    seen = np.zeros((2, t_all.size))
    # x, height above the first touch, their rates, angular speed.
    t, y = 0.0, np.array([0.0, 0.3 - radius, 2.5, 0.0, 0.0])
    while t < until:
        # Free: a parabola.
        touch = t + (y[3] + np.sqrt(y[3] ** 2 + 2 * gravity * y[1])) / gravity
        free = lambda s: np.array([y[0] + y[2] * s, y[1] + y[3] * s - 0.5 * gravity * s**2, y[2], y[3] - gravity * s, y[4]])
        for i in np.flatnonzero((t_all >= t) & (t_all <= touch)):
            seen[:, i] = free(t_all[i] - t)[:2]
        if touch >= until:
            break
        t, y = touch, free(touch - t)
        y[1] = 0.0
        start_rate = -y[3]

        def slope(_, y):
            normal = max(contact(-y[1], -y[3], start_rate, stiffness, damping), 0.0)
            # Ball and table touch in the middle of the indentation.
            arm = radius + 0.5 * min(y[1], 0.0)
            along = -friction * normal * np.tanh((y[2] + arm * y[4]) / slip_speed)
            return [y[2], y[3], along / mass, normal / mass - gravity, arm * along / inertia]

        leave = lambda t, y: y[1]
        leave.terminal, leave.direction = True, 1
        run = solve_ivp(slope, [t, until + 0.1], y, events=leave, dense_output=True, max_step=1e-5, **TIGHT)
        for i in np.flatnonzero((t_all >= t) & (t_all <= run.t[-1])):
            seen[:, i] = run.sol(t_all[i])[:2]
        t, y = run.t[-1], run.y[:, -1]
        y[1] = 0.0
    return t_all, seen[0], seen[1] + radius


def write(name, head, columns, formats):
    with open(name, "w") as file:
        file.write(head + "\n")
        for row in zip(*columns):
            file.write(",".join(f % x for f, x in zip(formats, row)) + "\n")


if __name__ == "__main__":
    t, lankarani = pulse(0.75 * (1 - 0.7**2))
    _, hunt = pulse(1.5 * (1 - 0.7))
    write("pulse.csv", "t [us],force [kN],hunt [kN]", [t * 1e6, lankarani / 1e3, hunt / 1e3], ["%.0f", "%.9g", "%.9g"])
    t, force = bounce()
    write("bounce.csv", "t [ms],force [N]", [t * 1e3, force], ["%.2f", "%.9g"])
    print(lankarani.max(), np.count_nonzero(np.diff((force > 0).astype(int)) == 1), t[force > 0][-1])
    t, x, y = film()
    write("film.csv", "t [ms],x [mm],y [mm]", [t * 1e3, x * 1e3, y * 1e3], ["%.9f", "%.9g", "%.9g"])
