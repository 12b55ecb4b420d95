//! Driven mechanisms in and near positions in which branches of their motion meet.

use jointplay_mbd::signal::SmoothStep;
use jointplay_mbd::{Body, Builder, Coordinate, Error, GROUND, Mechanism, Signal};

/// A crank and a rod of the same length, driven from an angle of 0.3 rad at 1 rad/s: x = 2 r cos φ. At φ = π/2 the slider
/// could as well stay where it is.
fn change_point_slider(r: f64) -> (Mechanism, Coordinate) {
    let start = 0.3_f64;
    let mut parts = Builder::new();
    let crank =
        parts.body("crank", Body::rod(1.0, r).centre([0.5 * r, 0.0]).placed([0.0; 2], start));
    let pin = [r * start.cos(), r * start.sin()];
    let rod = Body::rod(1.0, r).centre([0.5 * r, 0.0]).placed(pin, -start);
    let rod = parts.body("rod", rod);
    let slider = Body::new(1.0, 0.1 * r * r).placed([2.0 * pin[0], 0.0], 0.0);
    let slider = parts.body("slider", slider);
    let motor = parts.revolute("crank", GROUND.origin(), crank.origin());
    parts.revolute("pin", crank.at([r, 0.0]), rod.origin());
    parts.revolute("end", rod.at([r, 0.0]), slider.origin());
    parts.prismatic("guide", GROUND.origin(), slider.origin());
    parts.drive("motor", Coordinate::Joint(motor), Signal::rate(start, 1.0).expect("finite"));
    (parts.build().expect("good parts"), Coordinate::X(slider.origin()))
}

/// Many and few instants, with and without the dead points themselves among them.
fn instants() -> Vec<Vec<f64>> {
    use std::f64::consts::PI;
    let even = |n: usize| (0..=n).map(|i| 15.0 * i as f64 / n as f64).collect::<Vec<f64>>();
    let mut hits = vec![0.0];
    hits.extend((0..5).map(|k| (f64::from(k) + 0.5) * PI - 0.3));
    let mut near = vec![0.0];
    let around = |k: i32| [-1e-5, -1e-9, 1e-9, 1e-5].map(|d| (f64::from(k) + 0.5) * PI - 0.3 + d);
    near.extend((0..5).flat_map(around));
    vec![even(3), even(20), even(1000), hits, near]
}

#[test]
fn exact_a_slider_passes_its_change_point() {
    for r in [1e-4, 0.05, 1.0, 200.0] {
        let (mechanism, x) = change_point_slider(r);
        for times in instants() {
            let motion = mechanism.kinematics(&times).expect("it can be followed");
            let place = motion.series(|s| s.coordinate(x).value).expect("regular");
            let speed = motion.series(|s| s.coordinate(x).rate).expect("regular");
            for (i, &t) in times.iter().enumerate() {
                let phi = 0.3 + t;
                let off = (place[i] / r - 2.0 * phi.cos()).abs();
                let late = (speed[i] / r + 2.0 * phi.sin()).abs();
                // In the dead point constraints are closed to 1e-8; rates follow from steps of some per cent.
                assert!(off < 1e-6 && late < 1e-3, "{r} t = {t}: {off:e} {late:e}");
                // Beside it they are closed as ever.
                let beside = phi.cos().abs() > 1e-2;
                assert!(!beside || (off < 1e-9 && late < 1e-7), "{r} t = {t}: {off:e} {late:e}");
            }
        }
    }
}

/// A four-bar whose crank cannot turn round: coupler and rocker lie in line at cos φ = (a² + d² − (b + c)²)/(2 a d).
#[test]
fn exact_a_crank_is_stopped_at_its_dead_point() {
    for size in [1e-3, 1.0, 50.0] {
        let [a, b, c, d] = [0.5, 0.4, 0.5, 1.0].map(|length| length * size);
        let start = 0.4_f64;
        let pin = [a * start.cos(), a * start.sin()];
        // Coupler and rocker meet above the line between their outer pins.
        let way = [d - pin[0], -pin[1]];
        let long = way[0].hypot(way[1]);
        let along = way[1].atan2(way[0]);
        let coupler_angle = along + ((long * long + b * b - c * c) / (2.0 * long * b)).acos();
        let knee = [pin[0] + b * coupler_angle.cos(), pin[1] + b * coupler_angle.sin()];
        let rocker_angle = knee[1].atan2(knee[0] - d);
        let mut parts = Builder::new();
        let rod = |length: f64, at, angle| {
            Body::rod(1.0, length).centre([0.5 * length, 0.0]).placed(at, angle)
        };
        let crank = parts.body("crank", rod(a, [0.0; 2], start));
        let coupler = parts.body("coupler", rod(b, pin, coupler_angle));
        let rocker = parts.body("rocker", rod(c, [d, 0.0], rocker_angle));
        let motor = parts.revolute("A", GROUND.origin(), crank.origin());
        parts.revolute("B", crank.at([a, 0.0]), coupler.origin());
        parts.revolute("C", coupler.at([b, 0.0]), rocker.at([c, 0.0]));
        parts.revolute("D", GROUND.at([d, 0.0]), rocker.origin());
        parts.drive("motor", Coordinate::Joint(motor), Signal::rate(start, 1.0).expect("finite"));
        let mechanism = parts.build().expect("good parts");
        let limit = ((a * a + d * d - (b + c).powi(2)) / (2.0 * a * d)).acos() - start;
        // Right up to the dead point it can be followed.
        let near = mechanism.kinematics(&[0.0, 0.5 * limit, (1.0 - 1e-6) * limit]);
        let knee =
            near.expect("it is closed").series(|s| s.angle(coupler).value - s.angle(rocker).value);
        let knee = *knee.expect("regular").last().expect("three instants");
        // Stretched but for a part of the order √1e-6.
        let folded = (knee.abs() - std::f64::consts::PI).abs();
        assert!(folded > 1e-4 && folded < 1e-2, "{size} {folded}");
        let error = mechanism.kinematics(&[0.0, 0.5 * limit, 1.1 * limit]).expect_err("too far");
        let Error::Positions { open } = &error else { panic!("{error}") };
        let told =
            open[0].part.label().split("t = ").nth(1).and_then(|rest| rest.strip_suffix(" s"));
        let told: f64 = told.expect("a time").parse().expect("a number");
        assert!((told / limit - 1.0).abs() < 1e-3, "{size}: {told} {limit}");
    }
}

/// A crank that starts and stops with a smooth step.
#[test]
fn exact_a_crank_that_begins_to_move() {
    let (from, to) = (0.3, 2.8);
    let r = 1.0;
    let mut parts = Builder::new();
    let crank = Body::rod(1.0, r).centre([0.5 * r, 0.0]).placed([0.0; 2], from);
    let crank = parts.body("crank", crank);
    let pin = parts.revolute("pin", GROUND.origin(), crank.origin());
    let step = SmoothStep { start: 0.5, end: 1.5, from, to };
    parts.drive("motor", Coordinate::Joint(pin), Signal::smooth_step(step).expect("finite"));
    let mechanism = parts.build().expect("good parts");
    let times = [0.0, 0.5, 0.6, 1.0, 2.0];
    let motion = mechanism.kinematics(&times).expect("driven");
    let angles = motion.series(|s| s.angle(crank).value).expect("regular");
    // 10 s³ − 15 s⁴ + 6 s⁵ at 0.1 and ½.
    let exact = [from, from, from + (to - from) * 0.00856, 0.5 * (from + to), to];
    for (angle, exact) in angles.iter().zip(exact) {
        assert!((angle - exact).abs() < 1e-12, "{angle} {exact}");
    }
}
