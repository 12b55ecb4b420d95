//! Andrews' squeezing mechanism (IFToMM A03; Test Set for IVP Solvers, Mazzia and Magherini 2008) as bodies and joints.

use jointplay_mbd::{
    AccountKind, Body, BodyId, Builder, Coordinate, Force, GROUND, Mechanism, ScalarState, Signal,
    Spring,
};

use super::judge::{BOTH, Channel, Demand, Instant, REGULAR, channel, instants, judge, run};
use super::reference::{Case, published};

/// The angles of the test set in the order of its coordinates.
const ANGLES: [&str; 7] = ["beta", "theta", "gamma", "phi", "delta", "omega", "epsilon"];

/// The mechanism, with the bodies K1 to K7, assembled from a start rounded to three digits and the exact first angle.
fn andrews(case: &Case) -> (Mechanism, [BodyId; 7]) {
    let p = |name: &str| case.get(name);
    let [theta, gamma, phi, delta, omega, epsilon] = [0.0, 0.455, 0.223, 0.487, -0.223, 1.231];
    let beta = published("andrews")
        .into_iter()
        .find_map(|(_, quantity, t, value, _)| (quantity == "beta" && t == 0.0).then_some(value))
        .expect("the start is printed");
    let (a, b, c) = (case.pair("xa", "ya"), case.pair("xb", "yb"), case.pair("xc", "yc"));
    let turned = |at: [f64; 2], angle: f64, local: [f64; 2]| {
        let (sin, cos) = angle.sin_cos();
        [at[0] + cos * local[0] - sin * local[1], at[1] + sin * local[0] + cos * local[1]]
    };
    let mut parts = Builder::new();
    // Frames: 1 and 2 at their inner ends, 3, 4, 5, 6, 7 at their pivots, with the angles of the test set.
    let mut body = |number: usize, centre: [f64; 2], at: [f64; 2], angle: f64| {
        let body = Body::new(p(&format!("m{number}")), p(&format!("i{number}")));
        parts.body(format!("K{number}"), body.centre(centre).placed(at, angle))
    };
    let k1 = body(1, [p("ra"), 0.0], [0.0; 2], beta);
    let inner = turned([0.0; 2], beta, [p("rr"), 0.0]);
    let k2 = body(2, [-p("da"), 0.0], inner, beta + theta);
    let k3 = body(3, [p("sb"), -p("sa")], b, gamma);
    let k4 = body(4, [0.0, p("ea") - p("e")], turned(a, delta, [p("zt"), 0.0]), phi + delta);
    let k5 = body(5, [p("ta"), p("tb")], a, delta);
    let at6 = turned(a, epsilon, [0.0, -p("u")]);
    let k6 = body(6, [p("zf") - p("fa"), 0.0], at6, omega + epsilon);
    let k7 = body(7, [-p("ub"), -p("ua")], a, epsilon);
    parts.revolute("O", GROUND.origin(), k1.origin());
    parts.revolute("K1-K2", k1.at([p("rr"), 0.0]), k2.origin());
    parts.revolute("B", GROUND.at(b), k3.origin());
    parts.revolute("A5", GROUND.at(a), k5.origin());
    parts.revolute("A7", GROUND.at(a), k7.origin());
    parts.revolute("K5-K4", k5.at([p("zt"), 0.0]), k4.origin());
    parts.revolute("K7-K6", k7.at([0.0, -p("u")]), k6.origin());
    let f = k2.at([-p("d"), 0.0]);
    parts.revolute("F3", k3.at([0.0, -p("ss")]), f);
    parts.revolute("F4", k4.at([0.0, -p("e")]), f);
    parts.revolute("F6", k6.at([p("zf"), 0.0]), f);
    let end = k3.at([p("sd"), -p("sc")]);
    let spring = Spring::new(GROUND.at(c), end, p("c0"), p("l0"));
    parts.force("spring", Force::Spring(spring));
    let size = Signal::constant(p("torque")).expect("finite");
    parts.force("motor", Force::Torque { on: k1, against: GROUND, size });
    parts.start_at(Coordinate::Angle(k1), beta);
    (parts.build().expect("good parts"), [k1, k2, k3, k4, k5, k6, k7])
}

/// The coordinate of the test set of this number: absolute, or relative to another body.
fn coordinate(i: &Instant<'_>, bodies: [BodyId; 7], number: usize) -> ScalarState {
    let own = i.angle(bodies[number]);
    let base = match number {
        1 => i.angle(bodies[0]),
        3 => i.angle(bodies[4]),
        5 => i.angle(bodies[6]),
        _ => ScalarState::default(),
    };
    ScalarState {
        value: own.value - base.value,
        rate: own.rate - base.rate,
        acceleration: own.acceleration - base.acceleration,
    }
}

fn channels(bodies: [BodyId; 7]) -> Vec<Channel<'static>> {
    let mut channels = Vec::new();
    for (number, angle) in ANGLES.into_iter().enumerate() {
        let rate = format!("{angle}_rate");
        channels.push(channel(angle, move |i| coordinate(i, bodies, number).value));
        channels.push(channel(rate, move |i| coordinate(i, bodies, number).rate));
    }
    channels.push(channel("kinetic_energy", |i| i.energy().kinetic));
    channels.push(channel("spring_energy", |i| i.energy().elastic));
    channels.push(channel("work", |i| i.amount(AccountKind::Load, "motor")));
    channels
}

#[test]
fn exact_andrews() {
    let case = Case::read("andrews", "andrews");
    let (mechanism, bodies) = andrews(&case);
    let demand = Demand { error: 1e-11, ..REGULAR };
    judge(&case, &mechanism, demand, &channels(bodies));
    case.assert_complete();
}

#[test]
fn published_andrews() {
    let case = Case::read("andrews", "andrews");
    let (mechanism, bodies) = andrews(&case);
    let channels = channels(bodies);
    for formulation in BOTH {
        let run = run(&mechanism, formulation, 1e-12, &[0.03]);
        for (_, quantity, t, digits, _) in published("andrews") {
            let (_, answer) = channels.iter().find(|(name, _)| *name == quantity).expect("one");
            let ours = answer(&instants(&run, &[t])[0]);
            // The printed digits are off by 1.4e-9 themselves, their rates by 5e-8: see provenance.toml. The benchmark
            // sheet asks for 1e-9 and 1e-6, relative.
            let limit = if quantity.ends_with("_rate") { 1e-6 } else { 1e-9 };
            let error = (ours - digits).abs() / digits.abs().max(1.0);
            assert!(error < limit, "{quantity} at {t}, {formulation:?}: {ours}, not {digits}");
        }
    }
}
