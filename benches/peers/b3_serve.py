"""Runs B3 in SciPy + numba or in Exudyn on request, one run for each line, so that programs can be measured in turn.
usage: python3 b3_serve.py scipy|exudyn, then lines "method rtol tend nout c cr"; a line "run cpu_ms=... nrhs=... steps=..."
answers, followed by one line "t phi x" for each sample and an empty line. A failure answers "failed why"."""
import sys
import time

import numpy as np

program = sys.argv[1]
if program == "scipy":
    import b3_scipy as peer

    rhs, gap = peer.make(True)
    peer.simulate(rhs, gap, "RK45", 1e-4, tend=0.02, nout=2)  # compiles

    def run(method, rtol, tend, nout, c, cr):
        start = time.process_time()
        te, y, evaluations, _ = peer.simulate(rhs, gap, method, rtol, tend, nout, c, cr)
        return time.process_time() - start, evaluations, float("nan"), np.column_stack([te, y[:, 0], y[:, 1]])
else:
    import b3_exudyn as peer
    from scipy.interpolate import CubicHermiteSpline

    known = {}

    def samples(mbs, sensors, tend, nout):
        r, rv, x, v = (mbs.GetSensorStoredData(s) for s in sensors)
        t, phi, w = x[:, 0], r[:, 1] + r[:, 2], rv[:, 1] + rv[:, 2]
        keep = np.concatenate([[True], np.diff(t) > 1e-13])
        at = np.linspace(0, tend, nout + 1)
        angle, place = (CubicHermiteSpline(t[keep], f[keep], d[keep])(at) for f, d in ((phi, w), (x[:, 1], v[:, 1])))
        return np.column_stack([at, angle, place])

    def run(method, rtol, tend, nout, c, cr):
        solver = getattr(peer.exu.DynamicSolverType, method)
        of = dict(tend=tend, nout=nout, c=c, cr=cr)
        cpu, _, mbs, _ = peer.solve("tree", solver, 1e-3, rtol, "elim", **of)
        it = mbs.sys["dynamicSolver"].it
        steps = it.currentStepIndex + it.rejectedAutomaticStepSizeSteps
        if (case := (method, rtol, tend, nout, c, cr)) not in known:
            # once more with every step stored, not measured: as in b3_exudyn.py
            _, _, mbs, sensors = peer.solve("tree", solver, 1e-3, rtol, "elim", everystep=True, **of)
            known[case] = samples(mbs, sensors, tend, nout)
        return cpu, float("nan"), steps, known[case]


print("ready", flush=True)
for line in sys.stdin:
    method, *numbers = line.split()
    rtol, tend, nout, c, cr = map(float, numbers)
    try:
        seconds, evaluations, steps, rows = run(method, rtol, tend, int(nout), c, cr)
        print(f"run cpu_ms={1e3 * seconds:.4f} nrhs={evaluations} steps={steps}")
        for row in rows:
            print(*(f"{number:.16e}" for number in row))
        print(flush=True)
    except Exception as error:
        print("failed", str(error).replace("\n", " ")[:200], flush=True)
