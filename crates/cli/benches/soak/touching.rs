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

/// Laws with what they need, each a text for `law` and keys beside it.
pub(crate) const LAWS: [&str; 34] = [
    r#"law = "hertz""#,
    r#"law = "hertz+exact""#,
    r#"law = "hertz+hunt-crossley""#,
    r#"law = "hertz+marhefka-orin""#,
    r#"law = "hertz+marhefka-orin-simplified""#,
    r#"law = "hertz+herbert-mcwhannell""#,
    r#"law = "hertz+lee-wang""#,
    r#"law = "hertz+lankarani-nikravesh""#,
    r#"law = "hertz+zhiying-qishao""#,
    r#"law = "hertz+gonthier""#,
    r#"law = "hertz+gonthier-approx""#,
    r#"law = "hertz+flores""#,
    r#"law = "hertz+gharib-hurmuzlu""#,
    r#"law = "hertz+hu-guo""#,
    r#"law = "hertz+khulief-shabana""#,
    r#"law = "hertz+anagnostopoulos""#,
    r#"law = "hertz+tsuji""#,
    r#"law = "hertz+jankowski""#,
    r#"law = "hertz+kelvin-voigt-restitution""#,
    r#"law = "hertz+lankarani-nikravesh-plastic""#,
    r#"law = "hertz+gharib-hurmuzlu-plastic""#,
    r#"law = { elastic = "hertz", damping = "lankarani-nikravesh-plastic", memory = 1 }"#,
    r#"law = { elastic = "hertz", damping = "hunt-crossley-alpha", alpha = 2.5 }"#,
    r#"law = { elastic = "hertz", damping = "lee-wang-linear", alpha1 = 3 }"#,
    r#"law = { elastic = "hertz", damping = "lee-wang-transition", epsilon = 2e-6, q = 3 }"#,
    r#"law = { elastic = "hertz", damping = "kelvin-voigt", damping_coefficient = 1e3 }"#,
    r#"law = { elastic = "hertz", damping = "ristow", chi = 2e9 }"#,
    r#"law = { elastic = "hertz", damping = "brilliantov", eta1 = 1e6, eta2 = 2e6 }"#,
    r#"law = { elastic = "linear", stiffness = 1e9 }"#,
    r#"law = { elastic = "linear", stiffness = 1e9, damping = "kelvin-voigt", damping_coefficient = 1e3 }"#,
    r#"law = { elastic = "linear", stiffness = 1e9, damping = "exact" }"#,
    r#"law = "johnson+exact""#,
    r#"law = "liu+lankarani-nikravesh""#,
    r#"law = "formula:1e9*delta^1.5*(1+0.8*delta_dot)""#,
];

/// Laws that take no restitution.
const NO_RESTITUTION: [&str; 10] =
    [LAWS[0], LAWS[22], LAWS[23], LAWS[25], LAWS[26], LAWS[27], LAWS[28], LAWS[29], LAWS[33], ""];

/// A law of Hertz whose stiffness is given.
fn with_stiffness(law: &str) -> String {
    let given = "elastic = \"hertz\", stiffness = 1e10";
    match law.strip_prefix("law = \"hertz+").and_then(|rest| rest.strip_suffix('"')) {
        Some(damping) => format!("law = {{ {given}, damping = \"{damping}\" }}"),
        None if law == LAWS[0] => format!("law = {{ {given} }}"),
        None => law.replace("elastic = \"hertz\"", given),
    }
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
    let each = STARTS.len() * LOADS.len() * LAWS.len() * METHODS.len() * 2;
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
    let (law, load) = (LAWS[next(LAWS.len())], LOADS[next(LOADS.len())]);
    let (method, formulation) = (METHODS[next(METHODS.len())], ["joint", "absolute"][next(2)]);
    let chance = &mut Chance::new(number);
    let gravity = if chance.between(0.0, 1.0) < 0.3 { 0.0 } else { chance.between(-12.0, -1.0) };
    let restitution = chance.between(0.4, 0.95);
    let surface = match start.part {
        "forces.touch" => String::new(), // a stop has no radii
        _ => "material = \"steel\"\nlength = \"20 mm\"\n".to_owned(),
    };
    let restitution = format!("restitution = {restitution:.3}\n");
    let restitution = if NO_RESTITUTION.contains(&law) { String::new() } else { restitution };
    // Corners and stops have no radii: their stiffness is given.
    let law = match start.name {
        "block in its guide" | "arm on a stop" => &with_stiffness(law),
        _ => law,
    };
    let keys = format!("{law}\n{surface}{restitution}");
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
