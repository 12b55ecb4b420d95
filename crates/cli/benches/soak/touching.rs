//! Bodies that touch where a run starts and are pressed together at once, later, or again after parting: every kind of
//! contact with every law, in both formulations, by every method.

use jointplay_mbd::Sampling;
use jointplay_model::{Model, Overrides};

use crate::chance::Chance;
use crate::overlap::Overlap;

/// A start, and the part whose contacts it is about.
pub(crate) struct Start {
    /// What touches.
    pub(crate) name: &'static str,
    part: &'static str,
    text: &'static str,
}

/// `LAW` stands for the keys of the contact, `LOAD` for the value of a force that presses the bodies together.
pub(crate) const STARTS: [Start; 9] = [
    Start {
        name: "ball on a floor",
        part: "contacts.touch",
        text: r#"
[bodies.ball]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
position = [0, "10 mm"]
[contacts.touch]
type = "circle-line"
circle = { body = "ball", radius = "10 mm" }
line = { body = "ground", from = ["-1 m", 0], to = ["1 m", 0] }
LAW
[forces.load]
type = "force"
on = { body = "ball" }
direction = "-90 deg"
value = LOAD
"#,
    },
    Start {
        name: "two balls in a stack",
        part: "contacts.touch",
        text: r#"
[bodies.lower]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
position = [0, "10 mm"]
[bodies.upper]
mass = "0.2 kg"
inertia = "2e-5 kg m^2"
position = [0, "30 mm"]
[joints.rail]
type = "prismatic"
a = { body = "ground", direction = "90 deg" }
b = { body = "upper", direction = "90 deg" }
[contacts.floor]
type = "circle-line"
circle = { body = "lower", radius = "10 mm" }
line = { body = "ground", from = ["-1 m", 0], to = ["1 m", 0] }
material = "steel"
law = "hertz+exact"
restitution = 0.6
[contacts.touch]
type = "circle-circle"
a = { body = "lower", radius = "10 mm" }
b = { body = "upper", radius = "10 mm" }
LAW
[forces.load]
type = "force"
on = { body = "upper" }
direction = "-90 deg"
value = LOAD
"#,
    },
    Start {
        name: "balls of a cradle",
        part: "contacts.touch",
        text: r#"
[bodies.first]
mass = "0.2 kg"
inertia = "2e-5 kg m^2"
position = [0, 0]
[bodies.second]
mass = "0.2 kg"
inertia = "2e-5 kg m^2"
position = ["20 mm", 0]
[bodies.third]
mass = "0.2 kg"
inertia = "2e-5 kg m^2"
position = ["40 mm", 0]
[contacts.touch]
type = "circle-circle"
a = { body = "first", radius = "10 mm" }
b = { body = "second", radius = "10 mm" }
LAW
[contacts.other]
type = "circle-circle"
a = { body = "second", radius = "10 mm" }
b = { body = "third", radius = "10 mm" }
material = "steel"
law = "hertz+exact"
restitution = 0.8
[forces.load]
type = "force"
on = { body = "first" }
direction = 0
value = LOAD
"#,
    },
    Start {
        name: "journal on its wall",
        part: "joints.touch",
        text: r#"
[bodies.journal]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
position = [0, "-0.1 mm"]
[joints.touch]
type = "revolute"
kind = "clearance"
a = { body = "ground" }
b = { body = "journal" }
bearing_radius = "10 mm"
clearance = "0.1 mm"
LAW
[forces.load]
type = "force"
on = { body = "journal" }
direction = "-80 deg"
value = LOAD
"#,
    },
    Start {
        name: "pin on the flat of a slot",
        part: "joints.touch",
        text: r#"
[bodies.pin]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
position = ["1 mm", "-0.05 mm"]
[joints.touch]
type = "slot"
kind = "clearance"
a = { body = "ground" }
b = { body = "pin" }
pin_radius = "2.45 mm"
path = { from = ["-5 mm", 0], to = ["5 mm", 0], width = "5 mm" }
LAW
[forces.load]
type = "force"
on = { body = "pin" }
direction = "-85 deg"
value = LOAD
"#,
    },
    Start {
        name: "pin on the end of a slot",
        part: "joints.touch",
        text: r#"
[bodies.pin]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
position = ["5.05 mm", 0]
[joints.touch]
type = "slot"
kind = "clearance"
a = { body = "ground" }
b = { body = "pin" }
pin_radius = "2.45 mm"
path = { from = ["-5 mm", 0], to = ["5 mm", 0], width = "5 mm" }
LAW
[forces.load]
type = "force"
on = { body = "pin" }
direction = "3 deg"
value = LOAD
"#,
    },
    Start {
        name: "block in its guide",
        part: "joints.touch",
        text: r#"
[bodies.block]
mass = "0.3 kg"
inertia = "1e-4 kg m^2"
position = [0, "-0.1 mm"]
[joints.touch]
type = "prismatic"
kind = "clearance"
a = { body = "ground" }
b = { body = "block" }
block_length = "50 mm"
block_height = "20 mm"
clearance = "0.1 mm"
LAW
[forces.load]
type = "force"
on = { body = "block", at = ["5 mm", 0] }
direction = "-90 deg"
value = LOAD
"#,
    },
    Start {
        name: "arm on a stop",
        part: "forces.touch",
        text: r#"
[bodies.arm]
mass = "0.3 kg"
inertia = "1e-3 kg m^2"
position = ["100 mm", 0]
[joints.axis]
type = "revolute"
a = { body = "ground" }
b = { body = "arm", at = ["-100 mm", 0] }
[forces.touch]
type = "stop"
y = { body = "arm" }
below = 0
LAW
[forces.load]
type = "force"
on = { body = "arm" }
direction = "-90 deg"
value = LOAD
"#,
    },
    Start {
        name: "driven pusher",
        part: "contacts.touch",
        text: r#"
[bodies.pusher]
mass = "1 kg"
inertia = "1e-3 kg m^2"
position = ["-20 mm", 0]
[joints.rail]
type = "prismatic"
a = { body = "ground", at = ["-20 mm", 0] }
b = { body = "pusher" }
[drivers.push]
joint = "rail"
value = "0.02*t^2"
[bodies.ball]
mass = "0.3 kg"
inertia = "2e-5 kg m^2"
[contacts.touch]
type = "circle-circle"
a = { body = "pusher", radius = "10 mm" }
b = { body = "ball", radius = "10 mm" }
LAW
[forces.load]
type = "force"
on = { body = "ball" }
direction = "180 deg"
value = LOAD
"#,
    },
];

/// How the bodies are pressed together (N): from the start, from zero, later, or first apart and then together.
pub(crate) const LOADS: [&str; 5] = [
    r#""3 N""#,
    r#""200*t""#,
    r#""1e5*t^3""#,
    r#"{ half_sine = { peak = "5 N", begin = "5 ms", duration = "20 ms" } }"#,
    r#""-0.02 + 40*t""#,
];

/// Elastic laws with what they need beside material, radii and length.
const ELASTIC: [&str; 21] = [
    r#"elastic = "hertz""#,
    r#"elastic = "plane-plane", half_width = 5e-3"#,
    r#"elastic = "linear", stiffness = 1e9"#,
    r#"elastic = "power", stiffness = 2e9, exponent = 1.3"#,
    r#"elastic = "bai-zhao""#,
    r#"elastic = "bai-zhao-length""#,
    r#"elastic = "hertz-cylinder""#,
    r#"elastic = "johnson""#,
    r#"elastic = "radzimovsky""#,
    r#"elastic = "goldsmith""#,
    r#"elastic = "goldsmith-printed""#,
    r#"elastic = "dubowsky-freudenstein""#,
    r#"elastic = "dubowsky-freudenstein-printed""#,
    r#"elastic = "esdu-78035""#,
    r#"elastic = "esdu-78035-printed""#,
    r#"elastic = "lankarani-nikravesh-cylinder""#,
    r#"elastic = "liu""#,
    r#"elastic = "pereira""#,
    r#"elastic = "pereira-2014""#,
    r#"elastic = "persson""#,
    r#"elastic = "formula:1e9*delta^1.5*(1+0.8*delta_dot)""#,
];

/// Damping laws with what they need, and whether that includes a restitution.
const DAMPING: [(&str, bool); 33] = [
    (r#"damping = "exact""#, true),
    (r#"damping = "no-damping""#, false),
    (r#"damping = "gonthier""#, true),
    (r#"damping = "hunt-crossley""#, true),
    (r#"damping = "hunt-crossley-alpha", alpha = 2.5"#, false),
    (r#"damping = "marhefka-orin""#, true),
    (r#"damping = "marhefka-orin-simplified""#, true),
    (r#"damping = "herbert-mcwhannell""#, true),
    (r#"damping = "lee-wang""#, true),
    (r#"damping = "lankarani-nikravesh""#, true),
    (r#"damping = "khulief-shabana""#, true),
    (r#"damping = "zhiying-qishao""#, true),
    (r#"damping = "gonthier-approx""#, true),
    (r#"damping = "flores""#, true),
    (r#"damping = "gharib-hurmuzlu""#, true),
    (r#"damping = "hu-guo""#, true),
    (r#"damping = "kelvin-voigt", damping_coefficient = 1e3"#, false),
    (r#"damping = "kelvin-voigt-restitution""#, true),
    (r#"damping = "anagnostopoulos""#, true),
    (r#"damping = "tsuji""#, true),
    (r#"damping = "jankowski""#, true),
    (r#"damping = "ristow", chi = 2e9"#, false),
    (r#"damping = "schafer", chi = 5e8"#, false),
    (r#"damping = "lee-herrmann", chi = 3e9"#, false),
    (r#"damping = "bordbar-hyppanen", chi = 1e6"#, false),
    (r#"damping = "brilliantov", eta1 = 1e6, eta2 = 2e6"#, false),
    (r#"damping = "lee-wang-linear", alpha1 = 3"#, false),
    (r#"damping = "lee-wang-transition", epsilon = 2e-6, q = 3"#, true),
    (r#"damping = "lankarani-nikravesh-plastic""#, true),
    (r#"damping = "lankarani-nikravesh-plastic", memory = 1"#, true),
    (r#"damping = "gharib-hurmuzlu-plastic""#, true),
    (r#"damping = "gharib-hurmuzlu-plastic", memory = 1"#, true),
    (r#"damping = "kelvin-voigt", damping_coefficient = 30"#, false),
];

/// Friction laws with what they need. Dry friction with a jump cannot hold what sticks, and says so; it is left out.
const FRICTION: [&str; 8] = [
    "",
    r#", friction = "coulomb-tanh", mu = 0.2, slip_speed = 1e-3"#,
    r#", friction = "coulomb-ramp", mu = 0.1, slip_speed = 1e-3"#,
    r#", friction = "coulomb-cubic", mu = 0.3, slip_speed = 2e-3"#,
    r#", friction = "ambrosio", mu = 0.2, speed_0 = 1e-4, speed_1 = 1e-3"#,
    r#", friction = "bai-zhao-friction", mu_static = 0.2, mu_dynamic = 0.1, slip_speed = 1e-3, dynamic_speed = 1e-2"#,
    r#", friction = "stribeck", mu_static = 0.2, mu_dynamic = 0.1, stribeck_speed = 1e-2, transition_speed = 1e-3"#,
    r#", friction = "lugre", mu_static = 0.2, mu_dynamic = 0.1, stribeck_speed = 1e-2, sigma0 = 1e4, sigma1 = 10"#,
];

/// Pairs of laws: every elastic law with `exact`, and every damping law with Hertz.
const LAWS: usize = ELASTIC.len() + DAMPING.len() - 1;

/// An elastic law, a damping law, and whether they take a restitution.
fn law(i: usize) -> (&'static str, &'static str, bool) {
    match ELASTIC.get(i) {
        Some(formula) if formula.contains("formula") => (formula, "", false),
        Some(elastic) => (elastic, DAMPING[0].0, true),
        None => {
            let (damping, restitution) = DAMPING[i + 1 - ELASTIC.len()];
            (ELASTIC[0], damping, restitution)
        }
    }
}

/// The laws that have a name and need nothing else, as a model takes them in place of its own.
pub(crate) fn names() -> Vec<String> {
    let name = |text: &'static str, key: &str| {
        let text = text.strip_prefix(key)?.strip_prefix(" = \"")?.strip_suffix('"')?;
        (!text.contains(['"', ':'])).then_some(text)
    };
    let elastic = ELASTIC.iter().filter_map(|text| name(text, "elastic"));
    let damping = DAMPING.iter().filter_map(|(text, _)| name(text, "damping"));
    let elastic = elastic.map(|name| format!("{name}+exact"));
    elastic.chain(damping.map(|name| format!("hertz+{name}"))).collect()
}

const METHODS: [&str; 5] = ["dop853", "dopri5", "rkf45", "radau5", "rk4"];

/// What a start came to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Came {
    /// The law does not exist for these surfaces.
    NoSuchLaw(String),
    /// It ran; contacts that started, the deepest lost contact (m), and how it stopped before its end.
    Ran { starts: usize, overlap: f64, stopped: Option<String> },
}

/// The number of different starts.
pub(crate) fn count() -> u64 {
    let each = STARTS.len() * LOADS.len() * LAWS * METHODS.len() * 2;
    u64::try_from(each).unwrap_or(u64::MAX)
}

/// One of all starts, by its number, with small changes that its seed chooses.
pub(crate) fn touch(number: u64) -> (String, Came) {
    // A prime without a factor of the count: the first hundred are already of all kinds.
    let mut rest = usize::try_from(number * 30_011 % count()).unwrap_or(0);
    let mut next = |of: usize| {
        let i = rest % of;
        rest /= of;
        i
    };
    let start = &STARTS[next(STARTS.len())];
    let ((elastic, damping, returns), load) = (law(next(LAWS)), LOADS[next(LOADS.len())]);
    let (method, formulation) = (METHODS[next(METHODS.len())], ["joint", "absolute"][next(2)]);
    let chance = &mut Chance::new(number);
    let gravity = if chance.between(0.0, 1.0) < 0.3 { 0.0 } else { chance.between(-12.0, -1.0) };
    let restitution = chance.between(0.4, 0.95);
    let surface = match start.part {
        "forces.touch" => String::new(), // a stop has no radii
        _ => "material = \"steel\"\nlength = \"20 mm\"\n".to_owned(),
    };
    let restitution =
        if returns { format!("restitution = {restitution:.3}\n") } else { String::new() };
    // Corners and stops have no radii: their stiffness is given.
    let elastic = match start.name {
        "block in its guide" | "arm on a stop" if elastic == ELASTIC[0] => {
            r#"elastic = "hertz", stiffness = 1e10"#
        }
        _ => elastic,
    };
    // A stop has no surface that slides.
    let friction = match start.part {
        "forces.touch" => "",
        _ if chance.between(0.0, 1.0) < 0.5 => "",
        _ => chance.pick(&FRICTION),
    };
    let comma = if damping.is_empty() { "" } else { ", " };
    let law = format!("{{ {elastic}{comma}{damping}{friction} }}");
    let keys = format!("law = {law}\n{surface}{restitution}");
    let body = start.text.replace("LAW", &keys).replace("LOAD", load);
    let step = if method == "rk4" { "step = \"20 us\"\n" } else { "" };
    let text = format!(
        "format = 1\nname = \"touching\"\n[world]\ngravity = [0, {gravity:.3}]\n{body}\n\
         [run]\nuntil = \"30 ms\"\nmethod = \"{method}\"\n{step}formulation = \"{formulation}\"\n"
    );
    let what = format!("{} with {law}, load {load}, {method}, {formulation}, {number}", start.name);
    let model = match Model::parse(&text, &Overrides::new()) {
        Ok(model) => model,
        Err(problems) => return (what, Came::NoSuchLaw(format!("{problems}"))),
    };
    let simulation = model.run.simulation(&model.mechanism).sampled(Sampling::EventsOnly);
    let mut overlap = Overlap::of(&model.mechanism);
    let came = match simulation.run_observed(&mut overlap) {
        Ok(run) => Came::Ran {
            starts: overlap.starts,
            overlap: overlap.worst.0,
            stopped: (!run.outcome.reached_end()).then(|| run.outcome.to_string()),
        },
        Err(error) => {
            Came::Ran { starts: 0, overlap: 0.0, stopped: Some(format!("no start: {error}")) }
        }
    };
    (what, came)
}
