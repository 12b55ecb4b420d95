//! A result that misleads says so: what is absurd, too coarse or placed wrongly is told with part, time, value and cure.

use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A model file of these lines, run or checked: whether it succeeded, its JSON, and what it says on standard error.
fn jointplay(command: &str, model: &str, more: &[&str]) -> (bool, Value, String) {
    let place = TempDir::new().expect("a folder");
    let text = format!("format = 1\nname = \"trial\"\n{model}");
    std::fs::write(place.path().join("model.toml"), text).expect("written");
    let mut program = Command::cargo_bin("jointplay").expect("it is built");
    let program = program.current_dir(place.path()).args([command, "model.toml", "--json"]);
    let Output { status, stdout, stderr } = program.args(more).output().expect("it runs");
    let value = serde_json::from_slice(&stdout).unwrap_or_default();
    (status.success(), value, String::from_utf8_lossy(&stderr).into_owned())
}

/// The warnings of a run that reaches its end, and its residual.
#[track_caller]
fn run(model: &str, more: &[&str]) -> (Vec<String>, f64) {
    let (good, summary, said) = jointplay("run", model, &[&["--no-page"], more].concat());
    assert!(good, "{said}");
    (warnings(&summary), summary["energy_residual"].as_f64().expect("a number"))
}

fn warnings(value: &Value) -> Vec<String> {
    let list = value["warnings"].as_array().expect("a list").iter();
    list.map(|warning| warning.as_str().expect("a text").to_owned()).collect()
}

/// A ball and a line from one point to another.
fn ball_and_line(ball: &str, line: &str, law: &str) -> String {
    format!(
        r#"
[world]
gravity = [0, -9.81]
[bodies.ball]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
{ball}
[contacts.touch]
type = "circle-line"
circle = {{ body = "ball", radius = "10 mm" }}
line = {{ body = "ground", {line} }}
{law}
[run]
until = "30 ms"
"#
    )
}

const TO_THE_RIGHT: &str = r#"from = ["-1 m", 0], to = ["1 m", 0]"#;
const TO_THE_LEFT: &str = r#"from = ["1 m", 0], to = ["-1 m", 0]"#;
const STEEL: &str = "law = \"hertz+exact\"\nmaterial = \"steel\"\nrestitution = 0.6";

#[test]
fn exact_a_start_behind_a_line_is_told() {
    let above = "position = [0, \"30 mm\"]";
    let below = "position = [0, \"-30 mm\"]";
    for (ball, line) in [(below, TO_THE_RIGHT), (above, TO_THE_LEFT)] {
        let model = ball_and_line(ball, line, STEEL);
        let (good, value, said) = jointplay("check", &model, &[]);
        assert!(good, "{said}");
        let (of_run, _) = run(&model, &[]);
        for warnings in [warnings(&value), of_run] {
            let [warning] = &warnings[..] else { panic!("{warnings:?}") };
            assert!(warning.contains("behind its line, with its centre 30.0000 mm"), "{warning}");
        }
    }
    for (ball, line) in [(above, TO_THE_RIGHT), (below, TO_THE_LEFT)] {
        let (_, value, _) = jointplay("check", &ball_and_line(ball, line, STEEL), &[]);
        assert_eq!(warnings(&value), [""; 0]);
    }
    // Beside the line there is no behind.
    let beside = ball_and_line("position = [\"3 m\", \"-30 mm\"]", TO_THE_RIGHT, STEEL);
    assert_eq!(warnings(&jointplay("check", &beside, &[]).1), [""; 0]);
}

#[test]
fn property_a_circle_that_goes_through_a_line_is_a_named_fault() {
    let ball = "position = [0, \"20 mm\"]\nvelocity = [0, \"-100 m/s\"]";
    let law = "law = { elastic = \"linear\", stiffness = 1e6 }";
    let (good, summary, said) =
        jointplay("run", &ball_and_line(ball, TO_THE_RIGHT, law), &["--no-page"]);
    assert!(!good);
    assert_eq!(summary["outcome"], "failed");
    for words in ["t = 0.0002", "contact 'touch, flat'", "centre of its circle went through"] {
        assert!(said.contains(words), "{said}");
    }
}

const TABLE: &str = r#"
[world]
gravity = [0, -9.81]
[bodies.ball]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
position = ["100 mm", 0]
[bodies.table]
mass = "1 kg"
inertia = "1e-3 kg m^2"
[joints.rail]
type = "prismatic"
a = { body = "ground", direction = "90 deg" }
b = { body = "table", direction = "90 deg" }
[drivers.shake]
joint = "rail"
value = "0.01*sin(62.83*t)"
[run]
until = "1 s"
"#;

/// Seven steps over ten periods once left a residual of 0.725 and silence.
#[test]
fn property_drives_limit_the_step() {
    let (warnings, residual) = run(TABLE, &[]);
    assert_eq!(warnings, [""; 0]);
    assert!(residual < 1e-9, "{residual:e}");
}

#[test]
fn property_fixed_steps_that_are_too_long_are_told() {
    let (warnings, _) = run(TABLE, &["--set", "run.method=rk4", "--set", "run.step=40 ms"]);
    let told = |words: &str| warnings.iter().any(|warning| warning.contains(words));
    assert!(told("driver 'shake': the fixed step of 4.000e-2 s is too long"), "{warnings:?}");
    assert!(told("the energy ledger does not close"), "{warnings:?}");
}

#[test]
fn property_absurd_indentations_are_told() {
    let model = r#"
[bodies.journal]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
velocity = ["300 m/s", 0]
[joints.bearing]
type = "revolute"
kind = "clearance"
a = { body = "ground" }
b = { body = "journal" }
bearing_radius = "10 mm"
clearance = "0.1 mm"
law = { elastic = "linear", stiffness = 1e8, damping = "exact" }
restitution = 0.8
[run]
until = "1 ms"
"#;
    let (warnings, _) = run(model, &[]);
    let told = |words: &str| warnings.iter().any(|warning| warning.contains(words));
    assert!(
        told("joint 'bearing': the indentation reaches") && told("no contact law is valid there"),
        "{warnings:?}"
    );
}

/// A ball that meets the floor at 20 µm/s and then gets a load of 1 kN: its final indentation should be (F/K)^(2/3).
#[test]
fn exact_a_contact_that_cannot_follow_its_load_is_told() {
    let run = |damping: &str| {
        let law = format!(
            "law = {{ elastic = \"hertz\", stiffness = 1e9, damping = \"{damping}\" }}\nrestitution = 0.5"
        );
        let ball = "position = [0, \"10 mm\"]\nvelocity = [0, \"-20 um/s\"]";
        let model = ball_and_line(ball, TO_THE_RIGHT, &law).replace("-9.81", "0");
        let load = r#"
[forces.load]
type = "force"
on = { body = "ball" }
direction = [0, -1]
value = { step = { from = 0, to = "1 kN", begin = "1 ms", end = "2 ms" } }
"#;
        let (good, summary, said) = jointplay("run", &format!("{model}{load}"), &["--no-page"]);
        assert!(good, "{said}");
        let deep = summary["contacts"]["touch"]["max_indentation"].as_f64().expect("a number");
        let told = warnings(&summary).into_iter().find(|w| w.contains("pressed together later"));
        (deep, told)
    };
    let at_rest = 1e-4; // (1e3 N / 1e9 N/m^1.5)^(2/3)
    let (deep, told) = run("exact");
    assert!(deep < 0.5 * at_rest, "{deep}");
    let told = told.expect("a warning");
    assert!(told.contains("2.00e-5 m/s") && told.contains("'tsuji'"), "{told}");
    let (deep, told) = run("tsuji");
    assert!(deep > at_rest && told.is_none(), "{deep} {told:?}");
}

/// A ball meets the floor at 10 nm/s and goes 1 pm deep, while another one with a thousand million times its energy decides
/// the books. The free impact returns 0.5.
#[test]
fn exact_impacts_below_the_tolerance_are_told() {
    let ball = "position = [0, \"10.00002 mm\"]\nvelocity = [0, -1e-8]";
    let law =
        "law = { elastic = \"linear\", stiffness = 1e7, damping = \"exact\" }\nrestitution = 0.5";
    let other = r"
[bodies.other]
mass = 1
inertia = 1e-3
position = [0.5, 1]
velocity = [1, 0]
";
    let model = ball_and_line(ball, TO_THE_RIGHT, law).replace("-9.81", "0");
    let told = |settings: &[&str]| {
        let until = ["--no-page", "--until", "4s"];
        let more = [&until[..], settings].concat();
        let (good, summary, said) = jointplay("run", &format!("{model}{other}"), &more);
        assert!(good, "{said}");
        let told = warnings(&summary).into_iter().find(|w| w.contains("as shallow as"));
        (summary["contacts"]["touch"]["restitution_out"].as_f64(), told)
    };
    let (returned, warning) = told(&["--set", "run.method=\"rkf45\"", "--set", "run.rtol=1e-8"]);
    assert!(returned.is_none_or(|e| (e - 0.5).abs() > 0.03), "{returned:?}");
    let warning = warning.expect("a warning");
    assert!(warning.contains("joint 'touch'") && warning.contains("rtol"), "{warning}");
    let (returned, warning) = told(&[]);
    assert!(returned.is_some_and(|e| (e - 0.5).abs() < 0.01), "{returned:?}");
    assert!(warning.is_none(), "{warning:?}");
}

/// A pin that goes through a wall of its slot from outside.
#[test]
fn property_pins_that_come_out_of_a_wall_are_told() {
    let slot = |position: &str, velocity: &str, ends: &str| {
        format!(
            r#"
[bodies.p]
mass = "0.1 kg"
inertia = "1e-6 kg m^2"
position = {position}
velocity = {velocity}
[joints.c]
type = "slot"
kind = "clearance"
a = {{ body = "ground" }}
b = {{ body = "p" }}
path = {{ from = [0, 0], to = ["50 mm", 0], width = "10 mm" }}
pin_radius = "4.9 mm"
ends = "{ends}"
law = {{ elastic = "power", stiffness = 1e8, exponent = 1.5 }}
[run]
until = "60 ms"
"#
        )
    };
    let told = |warnings: &[String], words: &str| warnings.iter().any(|w| w.contains(words));
    for (position, velocity) in
        [("[0.025, 0.03]", "[0, -1]"), ("[0.025, -0.03]", "[0.2, 1]"), ("[-0.03, 0]", "[1, 0]")]
    {
        for ends in ["closed", "open-to"] {
            let model = slot(position, velocity, ends);
            let (warnings, _) = run(&model, &[]);
            // Through a surface at 1 m/s, 25 mm away.
            let at = "at t = 2.500000e-2 s its pin emerged from the wall";
            assert!(told(&warnings, at), "{position} {ends}: {warnings:?}");
            assert_eq!(told(&warnings, "starts outside its slot"), ends == "closed");
        }
    }
    let inside = slot("[0.025, 0]", "[0.1, 1]", "closed");
    assert!(run(&inside, &[]).0.is_empty());
    // Into an open slot by its mouth.
    assert!(run(&slot("[0.08, 0]", "[-1, 0]", "open-to"), &[]).0.is_empty());
}

/// A heavy ball goes through a soft floor while a wall, half a metre away, begins at the level of the floor: its centre passes
/// the foot of the wall at the instant at which it goes through the floor, at t₀ + √(m/K) asin(r/A) with A = v √(m/K).
#[test]
fn exact_a_circle_that_goes_through_a_line_is_told_beside_another_event() {
    let model = r#"
[bodies.a]
mass = 1000
position = [0, 0.02]
velocity = [0, -1]
[contacts.floor]
type = "circle-line"
circle = { body = "a", radius = 0.016 }
line = { body = "ground", from = [-1, 0], to = [1, 0] }
law = { elastic = "linear", stiffness = 1e6 }
[contacts.wall]
type = "circle-line"
circle = { body = "a", radius = 0.016 }
line = { body = "ground", from = [0.5, 0], to = [0.5, 3] }
law = { elastic = "linear", stiffness = 1e6 }
[run]
until = 0.2
"#;
    let swing = (1000.0_f64 / 1e6).sqrt();
    let through = 0.004 + swing * (0.016 / swing).asin();
    for method in ["dop853", "dopri5", "rkf45", "radau5"] {
        for formulation in ["joint", "absolute"] {
            let settings =
                [format!("run.method={method}"), format!("run.formulation={formulation}")];
            let more = ["--no-page", "--set", &settings[0], "--set", &settings[1]];
            let (good, summary, said) = jointplay("run", model, &more);
            assert!(!good && said.contains("the centre of its circle went through"), "{said}");
            let ended = summary["t_end"].as_f64().expect("a number");
            assert!((ended - through).abs() < 1e-9, "{settings:?}: {ended} {through}");
        }
    }
}

/// Balls that touch a line of 45° to within the rounding of its coordinates, whatever else is in the model.
#[test]
fn exact_what_touches_but_for_rounding_starts() {
    for i in 0..40 {
        let (off, radius) = (0.3 - 0.0149 * f64::from(i), 0.01 + 0.0021 * f64::from(i));
        let above = off + radius * 2.0_f64.sqrt();
        let (from, to) = (off - 10.0, off + 10.0);
        let model = format!(
            r#"
[bodies.ball]
mass = 1
inertia = 1e-3
position = [{off:?}, {above:?}]
[bodies.a]
mass = 1
inertia = 1e-3
position = [5, 0]
[bodies.b]
mass = 1
inertia = 1e-3
position = [5, 0.5]
[contacts.touch]
type = "circle-line"
circle = {{ body = "ball", radius = {radius:?} }}
line = {{ body = "ground", from = [{from:?}, {to:?}], to = [{off:?}, {off:?}] }}
law = {{ elastic = "linear", stiffness = 1e6 }}
[contacts.pair]
type = "circle-circle"
a = {{ body = "a", radius = 0.05 }}
b = {{ body = "b", radius = 0.07 }}
law = {{ elastic = "linear", stiffness = 1e6 }}
[run]
until = 1e-3
"#
        );
        let (good, _, said) = jointplay("run", &model, &["--no-page"]);
        assert!(good, "{off} {radius}: {said}");
    }
}

/// A shaper (Whitworth's quick return) whose crank pin has clearance.
const SHAPER: &str = r#"
[bodies.crank]
mass = 0.5
inertia = 1e-3
position = [0, 0.16]
[bodies.block]
mass = 0.2
inertia = 1e-4
position = [0.06, 0.16]
[bodies.rocker]
mass = 1.6
inertia = 0.02
centre = [0.18, 0]
angle = 1.2120256565243244
[bodies.link]
mass = 0.4
inertia = 6e-4
centre = [0.06, 0]
position = [0.13, 0.34]
angle = 3.141592653589793
[bodies.ram]
mass = 6
inertia = 0.02
position = [0, 0.36]
[joints]
axis = { type = "revolute", a = { body = "ground", at = [0, 0.16] }, b = { body = "crank" } }
slide = { type = "prismatic", a = { body = "rocker" }, b = { body = "block" } }
pivot = { type = "revolute", a = { body = "ground" }, b = { body = "rocker" } }
rocker-end = { type = "revolute", a = { body = "rocker", at = [0.36, 0] }, b = { body = "link" } }
link-end = { type = "revolute", a = { body = "link", at = [0.12, 0] }, b = { body = "ram" } }
guide = { type = "prismatic", a = { body = "ground", at = [0, 0.36] }, b = { body = "ram" } }
[joints.crank-pin]
type = "revolute"
kind = "clearance"
a = { body = "block" }
b = { body = "crank", at = [0.06, 0] }
journal_radius = "10 mm"
clearance = "0.1 mm"
material = "steel"
law = "hertz+flores"
restitution = 0.8
[drivers.motor]
joint = "axis"
speed = "120 rpm"
[start]
clearances = "centred"
[run]
until = "0.4 s"
"#;

/// The ram turns while the pin is in a contact that began slowly. The reaction of the ideal joint is some 100 N.
#[test]
fn property_damping_divided_by_a_slow_impact_speed_is_told() {
    let said = |more: &[&str]| {
        let (good, summary, said) = jointplay("run", SHAPER, &[&["--no-page"], more].concat());
        assert!(good, "{said}");
        let overtaken = warnings(&summary);
        let overtaken = overtaken.into_iter().find(|warning| warning.contains("driven together"));
        (overtaken, summary["contacts"]["crank-pin"].clone())
    };
    let (warning, pin) = said(&[]);
    let warning = warning.expect("a warning");
    assert!(warning.starts_with("joint 'crank-pin'"), "{warning}");
    let after = |word: &str| -> f64 {
        let rest = warning.split(word).nth(1).expect("the word");
        rest.split_whitespace().next().expect("a number").parse().expect("a number")
    };
    let peak = pin["peak_force"].as_f64().expect("a number");
    assert!((after("made a force of ") / peak - 1.0).abs() < 1e-3, "{warning}, {peak}");
    assert!(after("driven together at ") > 10.0 * after("began at "), "{warning}");
    assert!(after("is at most ") < 0.5 * peak, "{warning}");
    assert!(warning.contains("`impact_speed_floor`"), "{warning}");
    let (warning, floored) = said(&["--set", "joints.crank-pin.impact_speed_floor=10mm/s"]);
    assert_eq!(warning, None);
    assert!(floored["peak_force"].as_f64().expect("a number") < peak);
}
