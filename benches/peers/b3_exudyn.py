# Provenance: benchmark set B3 of the project, copied without change below this line.
"""B3 slider-crank with clearance joint in Exudyn.
 model 'redundant': RigidBody2D crank (flywheel), rod, slider + RevoluteJoint2D + CoordinateConstraints, implicit solvers
 model 'tree'     : ObjectKinematicTree (crank flywheel + rod) + slider with eliminated coordinates, explicit solvers
The contact law matches spec/performance.md exactly: ObjectContactSphereSphere, impactModel=1 (Hunt-Crossley) with
restitutionCoefficient=(1+cr^2)/2 gives 3/2 (1-e) = 3/4 (1-cr^2), i.e. Lankarani-Nikravesh.
usage: python b3_exudyn.py            (work-precision table)
"""
import sys, time, os
import numpy as np
sys.exudynFast = os.environ.get('EXU_SLOW') is None  # module without range checks (AVX2), the faster one
import exudyn as exu
from exudyn.utilities import *
HERE = os.path.dirname(os.path.abspath(__file__))
a, L, mr, J, ms = 0.05, 0.3, 1.13, 0.0153, 1.013
Rb, E, nu, mu, vd, vmin, g = 10e-3, 207e9, 0.3, 0.01, 1e-3, 1e-3, 9.81
om = 200 * 2 * np.pi / 60
BIG = 1e9  # crank flywheel inertia: speed change < 1e-9


def build(c=0.25e-3, cr=0.46, model='redundant', tend=0.6, nout=60):
    SC = exu.SystemContainer(); mbs = SC.AddSystem()
    Rj = Rb - c; s = (1 - nu**2) / E; K = 4 / (6 * s) * np.sqrt(Rb * Rj / c)
    oG = mbs.AddObject(ObjectGround())
    nG = mbs.AddNode(NodePointGround()); mG = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nG, coordinate=0))
    # slider
    nS = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[a + L, 0, 0]))
    oS = mbs.AddObject(RigidBody2D(nodeNumber=nS, mass=ms, inertia=ms * 1e-4))
    for i in (1, 2):
        m = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nS, coordinate=i))
        mbs.AddObject(CoordinateConstraint(markerNumbers=[mG, m]))
    mJ = mbs.AddMarker(MarkerBodyRigid(bodyNumber=oS))
    if model == 'redundant':
        nC = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[0, 0, 0], initialVelocities=[0, 0, om]))
        oC = mbs.AddObject(RigidBody2D(nodeNumber=nC, mass=1e-3, inertia=1e-3))
        for i in (0, 1):
            m = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nC, coordinate=i))
            mbs.AddObject(CoordinateConstraint(markerNumbers=[mG, m]))
        m = mbs.AddMarker(MarkerNodeCoordinate(nodeNumber=nC, coordinate=2))
        mbs.AddObject(CoordinateConstraint(markerNumbers=[mG, m], velocityLevel=True, offset=om))
        nR = mbs.AddNode(NodeRigidBody2D(referenceCoordinates=[a + L / 2, 0, 0], initialVelocities=[0, a * om / 2, -a * om / L]))
        oR = mbs.AddObject(RigidBody2D(nodeNumber=nR, mass=mr, inertia=J))
        mbs.AddLoad(LoadMassProportional(markerNumber=mbs.AddMarker(MarkerBodyMass(bodyNumber=oR)), loadVector=[0, -g, 0]))
        m0 = mbs.AddMarker(MarkerBodyPosition(bodyNumber=oC, localPosition=[a, 0, 0]))
        m1 = mbs.AddMarker(MarkerBodyPosition(bodyNumber=oR, localPosition=[-L / 2, 0, 0]))
        mbs.AddObject(RevoluteJoint2D(markerNumbers=[m0, m1]))
        mB = mbs.AddMarker(MarkerBodyRigid(bodyNumber=oR, localPosition=[L / 2, 0, 0]))
        sR = mbs.AddSensor(SensorNode(nodeNumber=nR, storeInternal=True, outputVariableType=exu.OutputVariableType.CoordinatesTotal))
        sRv = mbs.AddSensor(SensorNode(nodeNumber=nR, storeInternal=True, outputVariableType=exu.OutputVariableType.Coordinates_t))
    else:
        nT = mbs.AddNode(NodeGenericODE2(referenceCoordinates=[0, 0], initialCoordinates=[0, 0],
                                         initialCoordinates_t=[om, -om - a * om / L], numberOfODE2Coordinates=2))
        I = lambda Jz: np.diag([Jz, Jz, Jz])
        oT = mbs.AddObject(ObjectKinematicTree(nodeNumber=nT, gravity=[0, -g, 0],
            jointTypes=[exu.JointType.RevoluteZ, exu.JointType.RevoluteZ], linkParents=[-1, 0],
            jointTransformations=exu.Matrix3DList([np.eye(3), np.eye(3)]),
            jointOffsets=exu.Vector3DList([[0, 0, 0], [a, 0, 0]]),
            linkInertiasCOM=exu.Matrix3DList([I(BIG), I(J)]),
            linkCOMs=exu.Vector3DList([[0, 0, 0], [L / 2, 0, 0]]), linkMasses=[1., mr]))
        mB = mbs.AddMarker(MarkerKinematicTreeRigid(objectNumber=oT, linkNumber=1, localPosition=[L, 0, 0]))
        sR = mbs.AddSensor(SensorNode(nodeNumber=nT, storeInternal=True, outputVariableType=exu.OutputVariableType.Coordinates))
        sRv = mbs.AddSensor(SensorNode(nodeNumber=nT, storeInternal=True, outputVariableType=exu.OutputVariableType.Coordinates_t))
    nD = mbs.AddNode(NodeGenericData(initialCoordinates=[c, 0, 0, 0], numberOfDataCoordinates=4))
    mbs.AddObject(ObjectContactSphereSphere(markerNumbers=[mJ, mB], nodeNumber=nD, spheresRadii=[Rj, Rb], isHollowSphere1=True,
        dynamicFriction=mu, frictionProportionalZone=vd, contactStiffness=K, contactStiffnessExponent=1.5, contactDamping=0,
        restitutionCoefficient=(1 + cr**2) / 2, minimumImpactVelocity=vmin, impactModel=1))
    sX = mbs.AddSensor(SensorNode(nodeNumber=nS, storeInternal=True, outputVariableType=exu.OutputVariableType.CoordinatesTotal))
    sV = mbs.AddSensor(SensorNode(nodeNumber=nS, storeInternal=True, outputVariableType=exu.OutputVariableType.Coordinates_t))
    mbs.Assemble()
    return SC, mbs, (sR, sRv, sX, sV)


def settings(h, tend=0.6, nout=60, rtol=None, atol=None):
    st = exu.SimulationSettings(); ti = st.timeIntegration
    ti.endTime = tend; ti.numberOfSteps = int(round(tend / h)); ti.verboseMode = 0
    ti.minimumStepSize = 1e-12   # the default 1e-8 makes the solver stop at the first contact
    st.solution.file.write = False; st.solution.sensors.writePeriod = tend / nout
    if rtol: ti.relativeTolerance = rtol; ti.absoluteTolerance = atol; ti.automaticStepSize = True
    return st


def configure(st, cfg):
    ti = st.timeIntegration
    if 'ga' in cfg: ti.generalizedAlpha.spectralRadius = 0.8
    if 'full' in cfg: ti.newton.useModifiedNewton = False
    if 'norec' in cfg: ti.discontinuous.useRecommendedStepSize = False
    if 'elim' in cfg: ti.explicit.eliminateConstraints = True


def solve(model, solver, h, rtol, cfg, tend=0.6, nout=60, c=0.25e-3, cr=0.46, everystep=False):
    SC, mbs, sens = build(model=model, c=c, cr=cr, tend=tend, nout=nout)
    st = settings(h, tend, nout, rtol, rtol * 1e-3 if rtol else None); configure(st, cfg)
    if everystep: st.solution.sensors.writePeriod = 1e-12
    t0 = time.process_time(); w0 = time.perf_counter()
    mbs.SolveDynamic(st, solverType=solver)
    return time.process_time() - t0, time.perf_counter() - w0, mbs, sens


def err(model, mbs, sens, c=0.25e-3):
    """position error relative to the clearance at the 61 sample times (cubic Hermite between steps)"""
    from scipy.interpolate import CubicHermiteSpline
    ref = np.loadtxt(os.path.join(HERE, 'b3_reference.txt'))
    R, Rv, X, V = [mbs.GetSensorStoredData(s) for s in sens]
    t = X[:, 0]; k = np.concatenate([[True], np.diff(t) > 1e-13])
    phi = R[:, 3] if model == 'redundant' else R[:, 1] + R[:, 2]
    w = Rv[:, 3] if model == 'redundant' else Rv[:, 1] + Rv[:, 2]
    x = CubicHermiteSpline(t[k], X[k, 1], V[k, 1])(ref[:, 0]); p = CubicHermiteSpline(t[k], phi[k], w[k])(ref[:, 0])
    return max((abs(x - ref[:, 2]) / c).max(), (abs(p - ref[:, 1]) * L / c).max()), abs(V[-1, 1] - ref[-1, 4])


if __name__ == '__main__':
    reps = int(sys.argv[1]) if len(sys.argv) > 1 else 2
    DST = exu.DynamicSolverType; cases = []
    for h in (1e-4, 5e-5, 2e-5, 1e-5, 5e-6, 2e-6, 1e-6):
        cases.append(('redundant', 'TrapezoidalIndex2', h, None, 'norec'))
        cases.append(('redundant', 'GeneralizedAlpha', h, None, 'ga norec'))
    for h in (1e-4, 1e-5): cases.append(('redundant', 'TrapezoidalIndex2', h, None, ''))
    for rt in (1e-4, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10):
        cases.append(('tree', 'DOPRI5', 1e-3, rt, 'elim'))
        cases.append(('tree', 'ODE23', 1e-3, rt, 'elim'))
    for h in (1e-5, 2e-6): cases.append(('tree', 'RK44', h, None, 'elim'))
    for model, name, h, rt, cfg in cases:
        bc = bw = 1e9; S = getattr(DST, name)
        try:
            for r in range(reps):
                cp, wl, mbs, sens = solve(model, S, h, rt, cfg); bc = min(bc, cp); bw = min(bw, wl)
                if cp > 3: break
            it = mbs.sys['dynamicSolver'].it
            ex = f"steps={it.currentStepIndex} newton={it.newtonStepsCount} jac={it.newtonJacobiCount} disc={it.discontinuousIterationsCount} rej={it.rejectedAutomaticStepSizeSteps}"
            _, _, mbs, sens = solve(model, S, h, rt, cfg, everystep=True); e = err(model, mbs, sens)
            print(f"{model} {name} {cfg} h={h:g} rtol={rt} cpu_ms={bc*1e3:.1f} wall_ms={bw*1e3:.1f} err_pos/c={e[0]:.3e} err_vend={e[1]:.2e} {ex}", flush=True)
        except Exception as x:
            print(model, name, cfg, h, rt, 'FAILED', str(x)[:100], flush=True)
