//! Outputs, metrics and cases of a model, against closed forms.

use std::f64::consts::TAU;

use jointplay_study::case::Case;
use jointplay_study::run::Run;

/// A wheel that turns at 2 rad/s from angle 0, and a ball that is thrown up at 3 m/s and falls on a floor.
const MODEL: &str = r#"
format = 1

[parameters]
g = "9.81 m/s^2"
v = "3 m/s"
w = "2 rad/s"
r = "0.5 m"

[world]
gravity = [0, "= -g"]

[bodies.ball]
mass = "2 kg"
position = ["3 m", 0]
velocity = [0, "= v"]

[bodies.wheel]
mass = 1
inertia = 1

[joints.main-axis]
type = "revolute"
a = { body = "ground" }
b = { body = "wheel" }

[drivers.motor]
joint = "main-axis"
speed = "= w"

[forces.floor]
type = "stop"
y = { body = "ball" }
below = "-1 mm"
restitution = 0.5
law = { elastic = "hertz", stiffness = 1e9, damping = "exact" }

[outputs.rim]
point = { body = "wheel", at = ["= r", 0] }

[outputs.reach]
distance = [{ body = "wheel", at = ["= r", 0] }, { body = "ground", at = ["2 m", 0] }]

[outputs.turn]
angle = "wheel"

[outputs.height]
expression = "ball.y - rim.y"

[metrics]
top = "max(ball.y)"
energy = "top*g*2 kg"
bounces = "floor.impacts"
landing = "at(main-axis.omega, floor.first_impact_time)*floor.first_impact_time"
speed = "max(rim.speed)"

[metrics.late]
value = "mean(ball.vy)"
from = "0.1 s"
to = "0.3 s"

[metrics.last_turn]
value = "rms(rim.x)"
last_periods = 1
period = "motor"

[cases.moon]
description = "weaker gravity, and a wheel at double speed"
parameters.g = "1.62 m/s^2"
drivers.motor.speed = "= 2*w"

[cases.soft]
forces.floor.law.stiffness = 1e6

[run]
until = "= 2*pi/w*1.2"
rtol = 1e-11

[output]
interval = "0.2 ms"
channels = ["height", "rim.vx", "reach", "reach.rate", "turn"]
"#;

fn run(case: &Case) -> Run {
    let loaded = case.load().unwrap_or_else(|wrong| panic!("{wrong}"));
    loaded.run(&mut ()).expect("it runs")
}

fn metric(run: &Run, name: &str) -> f64 {
    let found = run.metrics.iter().find(|metric| metric.name == name);
    found.and_then(|metric| metric.value).unwrap_or_else(|| panic!("{name}"))
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

#[test]
fn exact_outputs_of_points_distances_angles_and_expressions() {
    let run = run(&Case::of_text(MODEL));
    let series = |name: &str| &run.channels.get(name).expect("a channel").values;
    let (w, r) = (2.0_f64, 0.5_f64);
    for (i, &t) in run.channels.times.iter().enumerate() {
        let (sin, cos) = (w * t).sin_cos();
        close(series("rim.vx")[i], -r * w * sin, 1e-9);
        close(series("turn")[i], w * t, 1e-9);
        let d = ((r * cos - 2.0).powi(2) + (r * sin).powi(2)).sqrt();
        close(series("reach")[i], d, 1e-9);
        // d² = r² + 4 − 4 r cos ωt
        close(series("reach.rate")[i], 2.0 * r * w * sin / d, 1e-9);
        if t < 0.6 {
            close(series("height")[i], 3.0 * t - 0.5 * 9.81 * t * t - r * sin, 1e-9);
        }
    }
    let unit = |name: &str| run.channels.get(name).expect("a channel").unit.clone();
    assert_eq!(["height", "reach.rate", "turn"].map(unit), ["m", "m/s", "rad"]);
}

#[test]
fn exact_metrics_of_a_throw() {
    let run = run(&Case::of_text(MODEL));
    let top = 9.0 / (2.0 * 9.81);
    // Between two samples 0.2 ms apart a parabola rises by g h²/8.
    close(metric(&run, "top"), top, 9.81 * 0.2e-3 * 0.2e-3 / 8.0);
    close(metric(&run, "energy"), 9.0, 1e-5);
    close(metric(&run, "late"), 3.0 - 9.81 * 0.2, 1e-9);
    // y = −1 mm
    let landing = (3.0 + (9.0 + 2.0 * 9.81 * 1e-3_f64).sqrt()) / 9.81;
    close(metric(&run, "landing"), 2.0 * landing, 1e-9);
    close(metric(&run, "last_turn"), 0.5 / 2.0_f64.sqrt(), 1e-7);
    close(metric(&run, "speed"), 1.0, 1e-12);
    assert!(metric(&run, "bounces") >= 3.0);
    let summary = run.summary();
    assert_eq!(summary.metrics["top"], Some(metric(&run, "top")));
    assert_eq!(summary.metric_units["energy"], "Nm");
}

#[test]
fn exact_cases_are_changes_with_a_name() {
    let moon = run(&Case::of_text(MODEL).case("moon"));
    close(metric(&moon, "top"), 9.0 / (2.0 * 1.62), 1e-6);
    close(metric(&moon, "speed"), 2.0, 1e-12);
    let same =
        Case::of_text(MODEL).set("parameters.g", "1.62 m/s^2").set("drivers.motor.speed", "= 2*w");
    assert_eq!(moon.case.digest(), same.load().expect("a model").digest());
    // What is set beside a case comes after it.
    let both = Case::of_text(MODEL).case("moon").set("parameters.g", "9.81 m/s^2");
    close(metric(&run(&both), "top"), 9.0 / (2.0 * 9.81), 1e-6);
    let flags = moon.case.changes();
    assert_eq!(flags, ["--case moon"]);
    let none = Case::of_text(MODEL).case("mon").load().expect_err("no such case").to_string();
    assert!(none.contains("the file has no case `mon`") && none.contains("`moon`"), "{none}");
}

#[test]
fn exact_the_ideal_mechanism_is_a_metric_away() {
    let text = include_str!("../../../../models/slider-crank/model.toml");
    let case = Case::of_text(text).set("run.until", "0.2 s");
    let loaded = case.load().expect("a model");
    let asked =
        ["max(abs(slider.x - ideal.slider.x))", "max(ideal.slider.x)", "last(ideal.crank.angle)"];
    let metrics =
        asked.map(|text| loaded.model.metric(text).unwrap_or_else(|wrong| panic!("{wrong:?}")));
    let run = loaded.measuring(metrics.to_vec()).run(&mut ()).expect("it runs");
    let [apart, farthest, turned] = asked.map(|name| metric(&run, name));
    // The crank of 50 mm and the rod of 300 mm are stretched at the start; the pin has 0.25 mm of clearance, and a little more where the rod leans.
    close(farthest, 0.35, 1e-9);
    close(turned, 200.0 / 60.0 * TAU * 0.2, 1e-9);
    assert!(apart > 0.1e-3 && apart < 0.3e-3, "{apart}");
}

#[test]
fn exact_wrong_metrics_say_what_to_write() {
    let model = Case::of_text(MODEL).load().expect("a model").model;
    let wrong = |text: &str| {
        let (message, hint) = model.metric(text).expect_err("it is wrong");
        format!("{message} | {}", hint.unwrap_or_default())
    };
    assert_eq!(
        wrong("ball.y"),
        "in the formula `ball.y`: unknown name `ball.y` | `ball.y` varies in time: write max(ball.y), rms(ball.y), last(ball.y), …"
    );
    assert!(wrong("max(bal.y)").contains("did you mean `ball.y`?"), "{}", wrong("max(bal.y)"));
    assert!(wrong("floor.peek_force").contains("did you mean `floor.peak_force`?"));
    assert!(wrong("max(ball.y + ball.vy)").contains("cannot be added"));
    assert!(wrong("at(ball.y, 3 m)").contains("not in s"));
    assert!(wrong("top + g").contains("cannot be added"));
    // Two numbers, not a series.
    assert!(model.metric("max(top, 3 m)").is_ok());
}
