//! Andrews' squeezing mechanism (IFToMM A03; Test Set for IVP Solvers, Mazzia and Magherini 2008) as bodies and joints.

use jointplay_mbd::{
    Anchor, Body, BodyId, Builder, Force, Formulation, GROUND, Mechanism, Signal, Simulation,
    Spring,
};

const START: [f64; 7] = [
    -0.0617138900142764496358948458001,
    0.0,
    0.455279819163070380255912382449,
    0.222668390165885884674473185609,
    0.487364979543842550225598953530,
    -0.222668390165885884674473185609,
    1.23054744454982119249735015568,
];

/// The mechanism, with the bodies 1 to 7.
fn andrews() -> (Mechanism, [BodyId; 7]) {
    let [beta, theta, gamma, phi, delta, omega, epsilon] = START;
    let (d, e, rr, ss, u) = (0.028, 0.02, 0.007, 0.035, 0.04);
    let (zf, zt) = (0.02, 0.04);
    let a = [-0.06934, -0.00227];
    let b = [-0.03635, 0.03273];
    let mut parts = Builder::new();
    let along = |angle: f64, local: [f64; 2]| {
        let (sin, cos) = angle.sin_cos();
        [cos * local[0] - sin * local[1], sin * local[0] + cos * local[1]]
    };
    // Frames: 1 and 2 at their inner ends, 3, 4, 5, 6, 7 at their pivots, with the angles of the test set.
    let [c1, s1] = along(beta, [rr, 0.0]);
    let turned = |at: [f64; 2], angle, local| {
        let [x, y] = along(angle, local);
        [at[0] + x, at[1] + y]
    };
    let k1 = parts
        .body("K1", Body::new(0.04325, 2.194e-6).centre([0.00092, 0.0]).placed([0.0; 2], beta));
    let k2 = parts.body(
        "K2",
        Body::new(0.00365, 4.410e-7).centre([-0.0115, 0.0]).placed([c1, s1], beta + theta),
    );
    let k3 =
        parts.body("K3", Body::new(0.02373, 5.255e-6).centre([0.01043, -0.01874]).placed(b, gamma));
    let five = turned(a, delta, [zt, 0.0]);
    let k4 = parts.body(
        "K4",
        Body::new(0.00706, 5.667e-7).centre([0.0, -(e - 0.01421)]).placed(five, phi + delta),
    );
    let k5 =
        parts.body("K5", Body::new(0.07050, 1.169e-5).centre([0.02308, 0.00916]).placed(a, delta));
    let seven = turned(a, epsilon, [0.0, -u]);
    let k6 = parts.body(
        "K6",
        Body::new(0.00706, 5.667e-7).centre([zf - 0.01421, 0.0]).placed(seven, omega + epsilon),
    );
    let k7 = parts
        .body("K7", Body::new(0.05498, 1.912e-5).centre([-0.00449, -0.01228]).placed(a, epsilon));
    parts.revolute("O", GROUND.origin(), k1.origin());
    parts.revolute("K1-K2", k1.at([rr, 0.0]), k2.origin());
    parts.revolute("B", GROUND.at(b), k3.origin());
    parts.revolute("A5", GROUND.at(a), k5.origin());
    parts.revolute("A7", GROUND.at(a), k7.origin());
    parts.revolute("K5-K4", k5.at([zt, 0.0]), k4.origin());
    parts.revolute("K7-K6", k7.at([0.0, -u]), k6.origin());
    let f: Anchor = k2.at([-d, 0.0]);
    parts.revolute("F3", k3.at([0.0, -ss]), f);
    parts.revolute("F4", k4.at([0.0, -e]), f);
    parts.revolute("F6", k6.at([zf, 0.0]), f);
    let spring = Spring::new(GROUND.at([0.014, 0.072]), k3.at([0.02, -0.018]), 4530.0, 0.07785);
    parts.force("spring", Force::Spring(spring));
    let size = Signal::constant(0.033).expect("finite");
    parts.force("motor", Force::Torque { on: k1, against: GROUND, size });
    (parts.build().expect("good parts"), [k1, k2, k3, k4, k5, k6, k7])
}

#[test]
fn published_andrews_at_30_ms() {
    let (mechanism, bodies) = andrews();
    let q = [
        15.81077119629904,
        -15.75637105984298,
        0.04082224013073101,
        -0.5347301163226948,
        0.5244099658805304,
        0.5347301163226948,
        1.048080741042263,
    ];
    let v = [
        1139.920302151208,
        -1424.379294994111,
        11.03291221937134,
        19.29337464421385,
        0.5735699284790808,
        -19.29337464421385,
        0.3231791658026955,
    ];
    for formulation in [Formulation::Joint, Formulation::Absolute] {
        let simulation = Simulation::new(&mechanism).formulation(formulation).tolerance(1e-12);
        let run = simulation.until(0.03).run().expect("it starts");
        assert!(run.outcome.reached_end(), "{}", run.outcome);
        assert_eq!(run.start.freedom, 1);
        let end = run.end().expect("regular");
        let [p1, p2, p3, p4, p5, p6, p7] = bodies.map(|body| end.angle(body));
        let ours = [
            (p1.value, p1.rate),
            (p2.value - p1.value, p2.rate - p1.rate),
            (p3.value, p3.rate),
            (p4.value - p5.value, p4.rate - p5.rate),
            (p5.value, p5.rate),
            (p6.value - p7.value, p6.rate - p7.rate),
            (p7.value, p7.rate),
        ];
        println!("{formulation:?} {:?} residual {:e}", run.stats, run.ledger.relative_residual());
        for (i, (angle, rate)) in ours.into_iter().enumerate() {
            println!("{i} {:e} {:e}", angle - q[i], (rate - v[i]) / v[i]);
        }
        for (i, (angle, rate)) in ours.into_iter().enumerate() {
            assert!((angle - q[i]).abs() < 1e-9 * q[i].abs().max(1.0), "{i}: {angle}");
            assert!((rate - v[i]).abs() < 1e-6 * v[i].abs(), "{i}: {rate}");
        }
        assert!(run.ledger.relative_residual() < 1e-9, "{:e}", run.ledger.relative_residual());
    }
}
