//! Named numbers, and formulas of them wherever a number stands.

use jointplay_model::{KnobQuantity, Model, Overrides};

/// A pendulum whose sizes follow from two parameters.
const PENDULUM: &str = r#"
format = 1

[parameters]
inertia = "= mass*length^2/12"       # before what it follows from
length = "800 mm"
mass = { value = "1.5 kg", range = ["0.5 kg", "3 kg"], description = "of the rod" }
swing = "30 deg"
pace = "2 Hz"
half = 0.5

[world]
gravity = [0, "= -2*4.905 m/s^2"]

[bodies.rod]
mass = "= mass"
inertia = "= inertia"
position = ["= length*half", 0]
angle = "= swing - swing"

[joints.pivot]
type = "revolute"
a = { body = "ground" }
b = { body = "rod", at = ["= -length/2", 0] }

[forces.push]
type = "torque"
on = "rod"
value = "mass*9.81 m/s^2*length*sin(2*pi*pace*t)"

[run]
until = "= 4/pace"
max_steps = "= 1e3*half"
"#;

fn read(text: &str) -> Model {
    Model::parse(text, &Overrides::new()).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// The messages for a pendulum in which one text is replaced by another, with line and column.
fn wrong(from: &str, to: &str) -> Vec<(String, usize, usize)> {
    assert!(PENDULUM.contains(from), "{from}");
    let text = PENDULUM.replacen(from, to, 1);
    let found = Model::parse(&text, &Overrides::new()).expect_err("it is wrong");
    let place = |problem: &jointplay_model::Problem| {
        let place = problem.location.as_ref().map_or((0, 0), |at| (at.line, at.column));
        let hint = problem.hint.as_ref().map_or(String::new(), |hint| format!(" ({hint})"));
        (format!("{}{hint}", problem.message), place.0, place.1)
    };
    found.problems.iter().map(place).collect()
}

#[test]
fn exact_formulas_stand_wherever_a_number_does() {
    let model = read(PENDULUM);
    assert_eq!(model.run.until, 2.0);
    assert_eq!(model.run.max_steps, Some(500));
    let plain = PENDULUM
        .replace("= inertia\"", "0.08 kg m^2\"") // 1.5 · 0.64 / 12
        .replace("= mass\"", "1.5 kg\"")
        .replace("= length*half", "0.4 m")
        .replace("= -length/2", "-0.4 m")
        .replace("= swing - swing", "0 deg")
        .replace("= -2*4.905 m/s^2", "-9.81 m/s^2")
        .replace("mass*9.81 m/s^2*length*sin(2*pi*pace*t)", "11.772 N m*sin(4*pi*t*1 Hz)");
    let plain = read(&plain);
    let ends = [model, plain].map(|model| at_the_end(&model, "rod.angle"));
    assert!((ends[0] - ends[1]).abs() < 1e-9, "{ends:?}");
}

/// A channel at the end of the run.
fn at_the_end(model: &Model, channel: &str) -> f64 {
    let run = model.run.simulation(&model.mechanism).run().expect("it runs");
    model.channel(channel).expect("a channel").eval(&run.end().expect("an end"))
}

#[test]
fn property_changing_a_parameter_changes_what_follows_from_it() {
    let changes = Overrides::new().set("parameters.length", "1 m").set("parameters.pace", "1 Hz");
    let model = Model::parse(PENDULUM, &changes).expect("a model");
    assert_eq!(model.run.until, 4.0);
    let text = changes.apply_to(PENDULUM, &jointplay_model::Tables::none()).expect("a text");
    assert!(text.contains("length = \"1 m\"") && text.contains("\"= length*half\""), "{text}");
    assert_eq!(read(&text).run.until, 4.0);
    let formula = Overrides::new().set("run.until", "= 1/pace + 0.5 s");
    assert_eq!(Model::parse(PENDULUM, &formula).expect("a model").run.until, 1.0);
}

#[test]
fn exact_mistakes_are_told_with_line_and_column() {
    let lines = |needle: &str| {
        let at = PENDULUM.lines().position(|line| line.contains(needle)).expect("a line");
        (at + 1, PENDULUM.lines().nth(at).expect("the line"))
    };
    let (line, text) = lines("= length*half");
    let column = |text: &str, word: &str| text.find(word).expect("a word") + 1;
    assert_eq!(
        wrong("= length*half", "= lenght*half"),
        [(
            "in the formula `lenght*half`: unknown name `lenght` (did you mean `length`?)".into(),
            line,
            column(text, "length")
        )]
    );
    let (line, text) = lines("mass = \"= mass\"");
    let message = "`length*2` is a length; a mass is expected".to_owned();
    assert_eq!(wrong("\"= mass\"", "\"= length*2\""), [(message, line, column(text, "\"= mass"))]);
    let cycle = PENDULUM.replace("value = \"1.5 kg\"", "value = \"length*1 kg/m\"");
    let cycle = cycle.replace("\"800 mm\"", "\"= inertia*1 m^-1/kg\"");
    let found = Model::parse(&cycle, &Overrides::new()).expect_err("a cycle");
    let message = "it follows from itself: `inertia` needs `mass` needs `length` needs `inertia`";
    assert_eq!(found.problems.len(), 1, "{found}");
    assert_eq!(found.problems[0].message, message);
    assert_eq!(
        wrong("half = 0.5", "sin = 0.5")[0].0,
        "`sin` already has a meaning in formulas (choose another name)"
    );
    assert!(wrong("half = 0.5", "half-way = 0.5")[0].0.contains("cannot be a name in formulas"));
    assert!(wrong("half = 0.5", "half = \"1/0\"")[0].0.contains("not a finite number"));
    assert!(
        wrong("= length*half", "= length + mass")[0].0.contains("length and mass cannot be added")
    );
    assert!(
        wrong("[\"0.5 kg\", \"3 kg\"]", "[\"2 kg\", \"3 kg\"]")[0].0.contains("does not lie in")
    );
    assert!(
        wrong("max_steps = \"= 1e3*half\"", "max_steps = \"= 1.5*half\"")[0]
            .0
            .contains("whole number")
    );
}

/// A seed that follows from a parameter chooses the same start as the number that it amounts to.
#[test]
fn exact_a_seed_may_be_a_formula() {
    let start = |seed: &str| {
        let start = format!("[start]\ndisturbance = \"1 mm\"\nseed = {seed}\n\n[run]");
        PENDULUM.replace("[run]", &start)
    };
    let end = |seed: &str| at_the_end(&read(&start(seed)), "rod.angle").to_bits();
    assert_eq!(end("\"= 14*half\""), end("7"));
    assert_ne!(end("\"= 14*half\""), end("8"));
    let message = |seed: &str| {
        let found = Model::parse(&start(seed), &Overrides::new()).expect_err(seed);
        assert_eq!(found.problems.len(), 1, "{found}");
        found.problems[0].message.clone()
    };
    assert_eq!(message("\"= 3*half\""), "1.5 is not a whole number of at least 1");
    assert_eq!(message("\"= half - half\""), "0 is not a whole number of at least 1");
    assert_eq!(message("\"= length\""), "`length` is a length; a number is expected");
    assert_eq!(message("\"= 1e300*half\""), "5e299 is too large; at most 1e15 is allowed");
    assert_eq!(message("\"7\""), "a whole number is expected here, not text");
}

/// 2 Hz are 4π rad/s, not 2.
#[test]
fn exact_hertz_are_not_taken_for_radians_per_second() {
    let driven = r#"
format = 1
[parameters]
f = "2 Hz"
n = "120 rpm"
[bodies.wheel]
mass = 1
inertia = 1
[joints.axis]
type = "revolute"
a = { body = "ground" }
b = { body = "wheel" }
[drivers.motor]
joint = "axis"
speed = "= n"
[forces.shake]
type = "force"
on = { body = "wheel" }
direction = [1, 0]
value = { harmonic = { amplitude = 1, frequency = "= f" } }
[run]
until = 1
"#;
    read(driven);
    read(&driven.replace("\"= n\"", "\"= 2*pi*f\""));
    read(&driven.replace("\"= f\"", "\"= n\""));
    let refused =
        |text: &str| Model::parse(text, &Overrides::new()).expect_err("refused").to_string();
    let message = refused(&driven.replace("\"= n\"", "\"= 3*f\""));
    assert!(message.contains("`3*f` is in Hz; an angular velocity is expected"), "{message}");
    let message = refused(&driven.replace("\"= f\"", "\"= n/(2*pi) + f\""));
    assert!(message.contains("may be a frequency in Hz or an angular velocity"), "{message}");
}

#[test]
fn exact_laws_take_parameters_too() {
    let text = r#"
format = 1
[parameters]
K = "2e8 N/m^1.5"
e = 0.7
[bodies.ball]
mass = 1
position = [0, "0.2 m"]
velocity = [0, "-1 m/s"]
[forces.floor]
type = "stop"
y = { body = "ball" }
below = 0
restitution = "= 1 - 0.3"
law = { elastic = "hertz", stiffness = "= K", damping = "exact" }
[run]
until = "0.4 s"
"#;
    assert!(Model::parse(text, &Overrides::new()).is_err(), "e is Euler's number");
    let text = text.replace("e = 0.7\n", "");
    let run = |text: &str| at_the_end(&read(text), "ball.vy");
    let by_key = run(&text);
    assert!((by_key - 0.7).abs() < 1e-7, "{by_key}");
    let plain = text.replace("\"= K\"", "2e8");
    assert_eq!(run(&plain).to_bits(), by_key.to_bits());
    let formula = text.replace(
        "law = { elastic = \"hertz\", stiffness = \"= K\", damping = \"exact\" }",
        "law = \"formula:K*delta^1.5\"",
    );
    let formula = formula.replace("restitution = \"= 1 - 0.3\"\n", "");
    assert!((run(&formula) - 1.0).abs() < 1e-7, "{}", run(&formula));
    let wrong = formula.replace("K*delta^1.5", "K*delta^2");
    let wrong = Model::parse(&wrong, &Overrides::new()).expect_err("not a force").to_string();
    assert!(wrong.contains("force"), "{wrong}");
}

#[test]
fn property_parameters_are_the_first_knobs() {
    let model = read(PENDULUM);
    let knobs = model.knobs();
    let labels: Vec<&str> = knobs.iter().map(|knob| knob.label.as_str()).collect();
    assert_eq!(labels, ["length", "mass", "swing", "pace", "half"]);
    assert!(knobs.iter().all(|knob| knob.what == KnobQuantity::Parameter));
    let units: Vec<&str> = knobs.iter().map(|knob| knob.unit.as_str()).collect();
    assert_eq!(units, ["m", "kg", "-", "Hz", "-"]);
    assert_eq!(knobs[1].range, [0.5, 3.0]);
    assert_eq!(knobs[1].key, "parameters.mass.value");
    for knob in knobs {
        let changed = Overrides::new().set(&knob.key, knob.written(1.1 * knob.value));
        // A plain number replaces a quantity with its unit: formulas take it as one in SI.
        Model::parse(PENDULUM, &changed).unwrap_or_else(|wrong| panic!("{}: {wrong}", knob.label));
    }
}

#[test]
fn exact_every_case_is_checked_even_if_none_is_chosen() {
    let with = |lines: &str| {
        let text = format!("{PENDULUM}\n[cases.other]\n{lines}\n");
        Model::parse(&text, &Overrides::new()).err().map(|wrong| wrong.to_string())
    };
    assert_eq!(with("run.until = \"1 s\"\nparameters.mass = \"= 2*0.5 kg\"\nideal = false"), None);
    let said = with("runn.until = 1").expect("wrong");
    assert!(said.contains("unknown key") && said.contains("did you mean `run`?"), "{said}");
    let said = with("run.untill = 1").expect("wrong");
    assert!(said.contains("did you mean `until`?"), "{said}");
    let said = with("bodies.rot.mass = 1").expect("wrong");
    assert!(said.contains("`bodies.rot`") && said.contains("did you mean `rod`?"), "{said}");
    let said = with("run.until = \"1 kg\"").expect("wrong");
    assert!(said.contains("is a unit of mass"), "{said}");
    assert!(with("law = 3").expect("wrong").contains("text is expected here"));
}
