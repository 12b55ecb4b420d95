//! Overrides written into a file: the changed file is the model that the overrides make.

use crate::shipped::{MODELS, behaviour};
use jointplay_model::{Model, Overrides, Tables};

/// Paths of everything that touches, such as `joints.pin`.
fn touching(model: &Model) -> Vec<String> {
    let path = |name: &str| match model.joint(name) {
        Some(_) => format!("joints.{name}"),
        None => format!("contacts.{name}"),
    };
    model.touching().map(|(name, _)| path(name)).collect()
}

/// The changed file and the changed model do the same, to the bit, or are wrong alike. Returns whether they run.
#[track_caller]
fn same(name: &str, text: &str, changes: &Overrides, until: f64) -> bool {
    let expected = Model::parse(text, changes);
    let changed = match changes.apply_to(text, &Tables::none()) {
        Ok(changed) => changed,
        Err(wrong) => {
            assert!(expected.is_err(), "{name}, {changes:?}: {wrong}");
            return false;
        }
    };
    let comments = |text: &str| -> Vec<String> {
        let comment = |line: &str| line.split_once('#').map(|(_, comment)| comment.to_owned());
        text.lines().filter_map(comment).collect()
    };
    assert_eq!(comments(&changed), comments(text), "{name}, {changes:?}: {changed}");
    let found = Model::parse(&changed, &Overrides::new());
    match (found, expected) {
        (Ok(found), Ok(expected)) => {
            assert_eq!(found.laws(), expected.laws(), "{name}, {changes:?}: {changed}");
            assert_eq!(found.run, expected.run);
            let bits = behaviour(&found, until).0;
            assert!(bits == behaviour(&expected, until).0, "{name}, {changes:?}: {changed}");
            true
        }
        (Err(found), Err(expected)) => {
            let messages = |wrong: &jointplay_model::Diagnostics| {
                // Of an array a problem is told once, of the first part that has it.
                let of_array = |message: &str| {
                    let message = message.split(" (of `").next().unwrap_or_default();
                    message.chars().filter(|c| !c.is_ascii_digit()).collect()
                };
                let mut all: Vec<String> =
                    wrong.problems.iter().map(|problem| of_array(&problem.message)).collect();
                all.sort();
                all.dedup();
                all
            };
            assert_eq!(messages(&found), messages(&expected), "{name}: {changed}");
            false
        }
        (Ok(_), Err(wrong)) => panic!("{name}, {changes:?}: only the file is right: {wrong}"),
        (Err(wrong), Ok(_)) => panic!("{name}, {changes:?}: {changed}\n{wrong}"),
    }
}

/// Laws with what they need, as keys of each law or part.
const LAWS: [(&str, &[(&str, &str)]); 14] = [
    ("hertz", &[]),
    ("hertz+flores", &[]),
    ("flores", &[("restitution", "0.8")]),
    ("exact", &[("law.restitution", "0.3")]),
    ("johnson", &[("length", "15 mm"), ("material", "steel")]),
    ("johnson+exact", &[("length", "15 mm"), ("material", "steel")]),
    ("linear+kelvin-voigt", &[("law.stiffness", "1e9 N/m"), ("law.damping_coefficient", "1e3")]),
    ("kelvin-voigt", &[("law.stiffness", "1e9"), ("law.damping_coefficient", "1e3 N s/m")]),
    ("power+flores", &[("law.stiffness", "1e9 N/m^1.3"), ("law.exponent", "1.3")]),
    ("hertz+no-friction", &[]),
    ("lankarani-nikravesh+coulomb-tanh", &[("law.mu", "0.2"), ("law.slip_speed", "2 mm/s")]),
    (
        "hertz+flores+bai-zhao-friction",
        &[
            ("law.mu_static", "0.2"),
            ("law.mu_dynamic", "0.1"),
            ("law.slip_speed", "1 mm/s"),
            ("law.dynamic_speed", "1 cm/s"),
        ],
    ),
    ("formula:1e9*delta^1.5 + 1e6*delta+flores", &[("law.max_indentation", "2 mm")]),
    ("table:stiff.csv", &[]),
];

#[test]
fn property_a_changed_file_is_the_changed_model() {
    let (mut ran, mut tried) = (0, 0);
    for (name, text, until) in MODELS {
        let paths = touching(&Model::parse(text, &Overrides::new()).expect("a model"));
        for (law, keys) in LAWS {
            // With what the law needs, in all parts and in none of them; and these keys alone.
            let mut sets = Overrides::new();
            for (key, value) in keys {
                for path in &paths {
                    sets = sets.set_toml(format!("{path}.{key}"), *value);
                }
            }
            let all = [Overrides::new().law(law), sets.clone().law(law), sets];
            ran += all.iter().filter(|changes| same(name, text, changes, until)).count();
            tried += all.len();
        }
    }
    println!("{ran} of {tried} changes run");
    assert!(ran > tried / 2, "{ran} of {tried}");
}

/// Keys of all sorts: new sections, parts, lists, numbers and tables in place of others.
#[test]
fn property_any_key_can_be_written() {
    let sets: [&[(&str, &str)]; 9] = [
        &[("run.rtol", "1e-8"), ("run.method", "radau5")],
        &[("start.disturbance", "1 nm"), ("start.seed", "3")],
        &[("output.interval", "0.1 ms")],
        &[("world.gravity", "[0, \"-1.62 m/s^2\"]")],
        &[("world.gravity", "[0, 0]"), ("world.gravity.1", "-3.7")],
        &[
            ("forces.extra", "{ type = \"torque\", on = \"BODY\" }"),
            ("forces.extra.value", "0.1*sin(9*t)"),
        ],
        &[("name", "a \"new\" one"), ("description", "two\nlines")],
        &[("bodies.BODY.mass", "3 kg"), ("bodies.BODY.inertia", "\"1 kg m^2\"")],
        &[(
            "forces.extra",
            "{ type = \"force\", on = { body = \"BODY\" }, direction = [1, 0], value = \"1 N\" }",
        )],
    ];
    let mut ran = 0;
    for (name, text, until) in MODELS {
        let model = Model::parse(text, &Overrides::new()).expect("a model");
        let (_, body, _) = model.mechanism.bodies().last().expect("a body");
        for keys in sets {
            let set = |changes: Overrides, (key, value): &(&str, &str)| {
                changes.set_toml(key.replace("BODY", body), value.replace("BODY", body))
            };
            let changes = keys.iter().fold(Overrides::new(), set);
            ran += usize::from(same(name, text, &changes, until));
        }
        let knobs = model.knobs().iter();
        let turned = knobs.fold(Overrides::new(), |changes, knob| {
            changes.set(&knob.key, knob.written(0.5 * (knob.value + knob.range[1])))
        });
        ran += usize::from(same(name, text, &turned, until));
        let unchanged = Overrides::new().apply_to(text, &Tables::none());
        assert_eq!(unchanged.as_deref(), Ok(text));
    }
    assert!(ran > 8 * MODELS.len(), "{ran}");
}

const SLOT: &str = r#"format = 1
[bodies.m]
mass = "1 kg"
velocity = ["0.1 m/s", "0.2 m/s"]
[joints.pin]
type = "slot"
kind = "clearance"
a = { body = "ground" }
b = { body = "m" }
path = { from = ["-5 mm", 0], to = ["5 mm", 0], width = "10.2 mm" }
pin_radius = "5 mm"
material = "steel"
restitution = 0.5
LAWS
[run]
until = "20 ms"
"#;

const MIXED: &str = "law = { elastic = \"hertz\", stiffness = 1e9, damping = \"exact\" }\n\
                     laws = { flat = { elastic = \"power\", stiffness = 2e9, exponent = 1.4 } }";

/// Regions take from their joint what they do not say themselves, and must not take what was dropped.
#[test]
fn property_regions_keep_laws_of_their_own() {
    let laws = [
        // With hertz, the end keeps its constant and the flat loses it: it may not take that of the joint then.
        MIXED,
        "laws = { flat = \"hertz\", end = \"hertz+flores\" }",
        "law = { elastic = \"linear\", stiffness = 1e9, damping = \"exact\" }\nlaws = { flat = { elastic = \"power\", stiffness = 2e9, exponent = 1.5 } }",
        "law = { elastic = \"hertz\", damping = \"exact\", exponent = 1.5 }\n\
         laws = { flat = { elastic = \"power\", stiffness = 2e9 }, end = { elastic = \"power\", stiffness = 3e9 } }",
        "law = \"hertz+flores\"\n[joints.pin.laws.flat]\nrestitution = 0.2\nfriction = \"coulomb-tanh\"\nmu = 0.1\nslip_speed = \"1 mm/s\"",
        "law = { friction = \"coulomb-tanh\", mu = 0.1, slip_speed = \"1 mm/s\" }\n[joints.pin.laws]\nflat = \"no-friction\"\nend = { mu = 0.3 }",
        "law = { elastic = \"hertz\", damping = \"exact\", restitution = 0.9 }\nlaws.end.restitution = 0.1",
    ];
    let changes = [
        ("hertz", None),
        ("flores", None),
        ("linear+exact", None),
        ("linear", Some(("joints.pin.law.stiffness", "1e8"))),
        ("linear+flores", Some(("joints.pin.laws.flat.stiffness", "1e8"))),
        ("power", Some(("joints.pin.law.exponent", "1.2"))),
        ("power+exact", Some(("joints.pin.law", "{ stiffness = 1e8, exponent = 1.2 }"))),
        ("coulomb-tanh", Some(("joints.pin.law.mu", "0.2"))),
        ("no-friction", None),
        ("hertz+coulomb-tanh", Some(("joints.pin.law.slip_speed", "2 mm/s"))),
    ];
    let mut ran = 0;
    for law in laws {
        let text = SLOT.replace("LAWS", law);
        for (name, set) in changes {
            let changes =
                set.into_iter().fold(Overrides::new(), |c, (k, v)| c.set_toml(k, v)).law(name);
            ran += usize::from(same(law, &text, &changes, 20e-3));
        }
    }
    // Many lack what the named law needs, and say the same.
    println!("{ran} of {} run", laws.len() * changes.len());
    assert!(ran >= 20, "{ran}");
}

/// What a person would have written.
#[test]
fn property_changed_lines_look_like_their_neighbours() {
    let law = |text: &str, changes: &Overrides| -> String {
        let changed =
            changes.apply_to(text, &Tables::none()).unwrap_or_else(|wrong| panic!("{wrong}"));
        let old: Vec<&str> = text.lines().collect();
        let new: Vec<&str> = changed.lines().filter(|line| !old.contains(line)).collect();
        new.join("\n")
    };
    let (b3, bore, yoke, block) = (MODELS[0].1, MODELS[4].1, MODELS[8].1, MODELS[9].1);
    let flores = Overrides::new().law("flores");
    assert_eq!(
        law(b3, &flores),
        "law = { elastic = \"hertz\", damping = \"flores\", restitution = 0.46, friction = \"coulomb-ramp\", mu = 0.01, slip_speed = \"1 mm/s\" }"
    );
    assert_eq!(
        law(bore, &Overrides::new().law("johnson+exact")),
        "law = \"johnson+exact\"    # any law of cylinders: --law johnson+lankarani-nikravesh"
    );
    assert_eq!(
        law(yoke, &flores.clone().set_toml("joints.pin.restitution", "0.5")),
        "law = { elastic = \"power\", exponent = 1.5, damping = \"flores\" }\nrestitution = 0.5"
    );
    assert_eq!(law(block, &flores), "damping = \"flores\"");
    assert_eq!(
        law(
            bore,
            &Overrides::new().set_toml("joints.pin.law.mu", "0.1").law("hertz+flores+coulomb")
        ),
        "law = { elastic = \"hertz\", damping = \"flores\", mu = 0.1, friction = \"coulomb\" }    # any law of cylinders: --law johnson+lankarani-nikravesh"
    );
    assert_eq!(
        law(block, &Overrides::new().set_toml("start.coordinates.1.rate", "-80")),
        "    { angle = \"rod\", value = 0, rate = -80 },"
    );
    assert_eq!(law(bore, &Overrides::new().set_toml("start.seed", "2")), "[start]\nseed = 2");
    assert_eq!(
        law(
            block,
            &Overrides::new()
                .set_toml("joints.guide.law", "{ elastic = \"linear\", stiffness = 1e7 }")
        ),
        "elastic = \"linear\"\nstiffness = 1e7"
    );
    assert_eq!(
        law(&SLOT.replace("LAWS", MIXED), &Overrides::new().law("hertz+flores")),
        "law = { elastic = \"hertz\", damping = \"flores\" }\n\
         laws = { flat = { elastic = \"hertz\", damping = \"flores\" }, end = { elastic = \"hertz\", damping = \"flores\", stiffness = 1000000000.0 } }"
    );
    // Lines end as they did.
    let windows = b3.replace('\n', "\r\n");
    let changed = flores.apply_to(&windows, &Tables::none()).expect("it can be read");
    assert_eq!(
        changed,
        flores.apply_to(b3, &Tables::none()).expect("it can be read").replace('\n', "\r\n")
    );
}

#[test]
fn property_what_cannot_be_written_is_said() {
    let wrong = |changes: Overrides| {
        changes.apply_to(MODELS[0].1, &Tables::none()).expect_err("it is wrong")
    };
    let unknown = wrong(Overrides::new().law("florse"));
    assert_eq!(unknown.problems[0].set.as_deref(), Some("--law florse"));
    let leaf = wrong(Overrides::new().set_toml("run.until.x", "1"));
    assert!(leaf.problems[0].message.contains("not a table"), "{leaf}");
    let path = wrong(Overrides::new().set_toml("run..until", "1"));
    assert!(path.problems[0].message.contains("not the path"), "{path}");
    let file = wrong(Overrides::new().law("table:stiff.csv"));
    assert!(file.problems[0].message.contains("cannot refer to files"), "{file}");
    let broken = Overrides::new().apply_to("a = \n", &Tables::none()).expect_err("not TOML");
    assert_eq!(broken.problems[0].location.as_ref().map(|at| at.line), Some(1));
}
