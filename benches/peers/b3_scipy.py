# Provenance: benchmark set B3 of the project, copied without change below this line.
"""B3 in scipy solve_ivp: minimal coordinates, terminal events on the gap, restart at each event.
usage: python b3_scipy.py [reps]   -> work-precision table, pure Python RHS and numba RHS"""
import sys, os, time
from math import sin, cos, sqrt, pi, hypot
import numpy as np
from scipy.integrate import solve_ivp
HERE = os.path.dirname(os.path.abspath(__file__))
a, L, mr, J, ms = 0.05, 0.3, 1.13, 0.0153, 1.013
Rb, E, nu, mu, vd, vmin, g = 10e-3, 207e9, 0.3, 0.01, 1e-3, 1e-3, 9.81
om = 200 * 2 * pi / 60


def make(njit):
    def rhs(t, y, p):
        c, K, chi0, ivm, contact = p[0], p[1], p[2], p[3], p[4]
        phi, x, w, v = y[0], y[1], y[2], y[3]
        ct, st, cp, sp = cos(om * t), sin(om * t), cos(phi), sin(phi)
        ex = x - a * ct - L * cp; ey = -a * st - L * sp
        Q = -mr * 0.5 * L * (-sp * (-a * om * om * ct) + cp * (-a * om * om * st + g)); Fx = 0.0
        ec = sqrt(ex * ex + ey * ey)
        if contact > 0 and ec > c:
            nx = ex / ec; ny = ey / ec; d = ec - c
            vx = v + a * om * st + L * w * sp; vy = -a * om * ct - L * w * cp
            dd = nx * vx + ny * vy; arm = Rb + 0.5 * d
            vt = -ny * vx + nx * vy - w * arm
            fn = K * d * sqrt(d) * (1 + chi0 * dd * ivm)
            s = vt / vd
            if s > 1: s = 1.0
            elif s < -1: s = -1.0
            ft = mu * fn * s
            Fx = -fn * nx + ft * ny
            Q += fn * L * (cp * ny - sp * nx) + ft * (L * (cp * nx + sp * ny) + arm)
        return np.array([w, v, Q / (J + mr * 0.25 * L * L), Fx / ms])

    def gap(t, y, p):
        return hypot(y[1] - a * cos(om * t) - L * cos(y[0]), -a * sin(om * t) - L * sin(y[0])) - p[0]
    if njit:
        import numba
        rhs = numba.njit(cache=False)(rhs); gap = numba.njit(cache=False)(gap)
    return rhs, gap


def ddelta(t, y):
    ex = y[1] - a * cos(om * t) - L * cos(y[0]); ey = -a * sin(om * t) - L * sin(y[0])
    vx = y[3] + a * om * sin(om * t) + L * y[2] * sin(y[0]); vy = -a * om * cos(om * t) - L * y[2] * cos(y[0])
    return (ex * vx + ey * vy) / hypot(ex, ey)


def simulate(rhs, gap, method, rtol, tend=0.6, nout=60, c=0.25e-3, cr=0.46):
    s = (1 - nu**2) / E; K = 4 / (6 * s) * sqrt(Rb * (Rb - c) / c)
    p = np.array([c, K, 0.75 * (1 - cr * cr), 1 / vmin, 0.0])
    atol = rtol * np.array([1e-3, 1e-3, 1, 1])
    te = np.linspace(0, tend, nout + 1); Y = np.zeros((nout + 1, 4))
    t, y = 0.0, np.array([0, a + L, -a * om / L, 0.0]); Y[0] = y
    ev = lambda t, y: gap(t, y, p)
    ev.terminal = True
    f = lambda t, y: rhs(t, y, p)
    nfev = nev = 0; contact = False
    while t < tend:
        ev.direction = -1 if contact else 1
        m = (te > t)
        sol = solve_ivp(f, (t, tend), y, method=method, rtol=max(rtol, 2.3e-14), atol=atol, events=ev, t_eval=te[m] if m.any() else None,
                        first_step=min(1e-6, (tend - t) / 2))
        nfev += sol.nfev
        if not sol.success: raise RuntimeError(sol.message)
        k = np.searchsorted(te, t, side='right')
        if len(sol.t): Y[k:k + len(sol.t)] = sol.y.T
        if sol.status == 1:
            t = sol.t_events[0][0]; y = sol.y_events[0][0].copy(); nev += 1
            contact = not contact; p[4] = 1.0 if contact else 0.0
            if contact: p[3] = 1 / max(ddelta(t, y), vmin)
        else: t = tend
    return te, Y, nfev, nev


def err(Y, c=0.25e-3):
    ref = np.loadtxt(os.path.join(HERE, 'b3_reference.txt'))[:len(Y)]
    return max((abs(Y[:, 1] - ref[:, 2]) / c).max(), (abs(Y[:, 0] - ref[:, 1]) * L / c).max()), abs(Y[:, 3] - ref[:, 4]).max()


if __name__ == '__main__':
    reps = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for name, nj in (('numba', True), ('python', False)):
        rhs, gap = make(nj)
        simulate(rhs, gap, 'RK45', 1e-4, tend=0.02, nout=2)
        for method, tols in (('RK45', (1e-5, 1e-6, 1e-8)), ('DOP853', (1e-5, 1e-6, 1e-8, 1e-10)), ('LSODA', (1e-4, 1e-6, 1e-8, 1e-10)), ('Radau', (1e-4, 1e-6, 1e-8)), ('BDF', (1e-4, 1e-6))):
            for rtol in tols:
                if name == 'python' and rtol not in (1e-6, 1e-8): continue
                best = 1e9
                try:
                    for r in range(reps):
                        t0 = time.process_time(); te, Y, nf, ne = simulate(rhs, gap, method, rtol); best = min(best, time.process_time() - t0)
                    e = err(Y)
                    print(f"{name} {method} rtol={rtol:g} cpu_ms={best*1e3:.1f} nrhs={nf} nev={ne} us_per_rhs={best*1e6/nf:.2f} err_pos/c={e[0]:.3e} err_v={e[1]:.3e}", flush=True)
                except Exception as ex: print(name, method, rtol, 'FAILED', ex, flush=True)
