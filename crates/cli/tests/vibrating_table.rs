//! A ball on a vibrating table against the closed forms of hard impacts.

use crate::bifurcations::{close, diagram, place};

/// A ball on a table that shakes at 10 Hz, with a stiff contact that returns 0.8.
const TABLE: &str = r#"
format = 1
name = "table"
[world]
gravity = [0, -9.81]
[parameters]
gamma = 1.0
[bodies.ball]
mass = "10 g"
inertia = "1e-7 kg m^2"
position = [0, "14.976 mm"]
velocity = [0, "-300.92 mm/s"]
[bodies.table]
mass = "1 kg"
inertia = "1e-3 kg m^2"
[joints.ballguide]
type = "prismatic"
a = { body = "ground", direction = "90 deg" }
b = { body = "ball", direction = "90 deg" }
[joints.guide]
type = "prismatic"
a = { body = "ground", direction = "90 deg" }
b = { body = "table", direction = "90 deg" }
[drivers.shaker]
joint = "guide"
value = { harmonic = { amplitude = "= gamma * 9.81/(20*pi)^2", frequency = "10 Hz" } }
[contacts.hit]
type = "circle-line"
circle = { body = "ball", at = [0, 0], radius = "5 mm" }
line = { body = "table", from = ["-1 m", 0], to = ["1 m", 0] }
restitution = 0.8
law = { elastic = "hertz", stiffness = 1e10, damping = "exact" }
[run]
until = "2 s"
"#;

/// With hard impacts the motion of period 1 doubles at Γ = √((π(1−e)/(1+e))² + (2(1+e²)/(1+e)²)²) = 1.07084, and again at 1.22178 and
/// 1.24658; a Hertz contact of 1e10 N/m^1.5 comes 3e-5 below. Between, where multipliers are complex, each period shrinks areas by e².
#[test]
fn exact_a_ball_on_a_table_doubles_its_period() {
    let place = place();
    std::fs::write(place.path().join("table.toml"), TABLE).expect("written");
    let vary = "parameters.gamma=1.0,1.05,1.068,1.074,1.1,1.2,1.23,1.25,1.3";
    let args = ["table.toml", "--vary", vary, "--observe", "ball.y,ball.vy", "--period", "shaker"];
    let [points, _] =
        diagram(&place, &[&args[..], &["--transient", "400", "--periods", "160"]].concat());
    let found: Vec<[&str; 2]> = points.iter().map(|p| [p[2].as_str(), p[3].as_str()]).collect();
    let [one, two, four, eight] = ["1", "2", "4", "8"].map(|n| ["periodic", n]);
    assert_eq!(found, [one, one, one, two, two, two, four, eight, ["chaotic", ""]]);
    // Half the logarithm of e² over a period of 0.1 s.
    for point in [&points[0], &points[1], &points[4], &points[5]] {
        close(&point[4], 10.0 * 0.8_f64.ln(), 2e-3);
    }
}

/// The same orbit from starts at which t = kT is before, in and after its impact, and elsewhere: class, period and exponent do not depend on the origin
/// of time. With hard impacts the ball leaves the table with π g/ω at the phase at which Γ cos φ = π (1 − e)/(1 + e), and its multipliers have the
/// product e² and the sum 1 + e² − (1 + e)² Γ sin φ.
#[test]
fn exact_a_strobe_inside_an_impact() {
    use std::f64::consts::{PI, TAU};
    let place = place();
    let (g, omega, e) = (9.81, 20.0 * PI, 0.8_f64);
    let taus = [0.0, 1e-6, 2e-5, 5e-5, 0.3, 0.9998];
    for (gamma, within) in [(1.0_f64, 3e-3), (1.06, 0.03)] {
        let phase = (PI * (1.0 - e) / (1.0 + e) / gamma).acos();
        let (height, speed) = (gamma * g / (omega * omega) * phase.sin(), PI * g / omega);
        let cases = taus.iter().enumerate().map(|(i, tau)| {
            // So many periods after the impact.
            let t = 0.1 * tau;
            let (y, v) = (height + speed * t - 0.5 * g * t * t + 5e-3, speed - g * t);
            format!(
                "[cases.c{i}]\nparameters.gamma = {gamma}\nparameters.phase = {}\nbodies.ball.position = [0, {y}]\nbodies.ball.velocity = [0, {v}]\n",
                phase + TAU * tau
            )
        });
        let text = TABLE.replace("[parameters]", "[parameters]\nphase = 0.0");
        let text = text.replace("\"10 Hz\"", "\"10 Hz\", phase = \"= phase\"");
        let text = text + &cases.collect::<String>();
        let file = format!("table-{gamma}.toml");
        std::fs::write(place.path().join(&file), text).expect("written");
        let vary: Vec<String> = (0..taus.len()).map(|i| format!("c{i}")).collect();
        let vary = format!("case={}", vary.join(","));
        let args = [&file, "--vary", &vary, "--observe", "ball.y,ball.vy", "--period", "shaker"];
        let more = ["--transient", "200", "--periods", "40", "--restart"];
        let [points, section] = diagram(&place, &[&args[..], &more].concat());
        std::fs::remove_dir_all(place.path().join("d")).expect("removed");
        let half = 0.5 * (1.0 + e * e - (1.0 + e).powi(2) * gamma * phase.sin());
        let root = half * half - e * e;
        let size = if root < 0.0 { e } else { half.abs() + root.sqrt() };
        assert_eq!((points.len(), section.len()), (6, 6 * 40));
        for point in &points {
            assert_eq!((point[2].as_str(), point[3].as_str()), ("periodic", "1"), "{point:?}");
            // A contact of 1e10 N/m^1.5 is a little soft, which counts near the doubling at 1.0708.
            close(&point[4], 10.0 * size.ln(), within);
        }
        let exponents: Vec<f64> = points.iter().map(|p| p[4].parse().expect("a number")).collect();
        for (point, exponent) in points.iter().zip(&exponents) {
            let [low, high] = [5, 6].map(|i| point[i].parse::<f64>().expect("a number"));
            assert!(low <= exponents[4] && exponents[4] <= high, "{exponent} and {}", exponents[4]);
        }
    }
}
