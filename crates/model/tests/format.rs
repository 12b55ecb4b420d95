//! The format itself: the schema and the reader accept the same, overrides, laws, channels, mutated files.

use std::sync::LazyLock;

use jointplay_model::{Handle, Model, Overrides, Suggestion, Tables, schema};
use proptest::prelude::*;
use serde_json::Value;

const MODELS: [&str; 9] = [
    include_str!("../../../models/slider-crank/model.toml"),
    include_str!("../../../models/pin-in-bore/model.toml"),
    include_str!("../../../models/pin-in-bore/fixed.toml"),
    include_str!("../../../models/two-spheres/model.toml"),
    include_str!("../../../models/four-bar/model.toml"),
    include_str!("../../../models/pin-slot/model.toml"),
    include_str!("../../../models/pin-slot-revolute/model.toml"),
    include_str!("../../../models/scotch-yoke/model.toml"),
    include_str!("../../../models/slider-crank-prismatic/model.toml"),
];

/// Every key of the format in one file; it need not make sense as a machine.
const EVERYTHING: &str = include_str!("everything.toml");

fn json(text: &str) -> Value {
    let table: toml::Table = toml::from_str(text).expect("TOML");
    serde_json::to_value(table).expect("JSON")
}

fn valid(value: &Value) -> bool {
    static VALIDATOR: LazyLock<jsonschema::Validator> =
        LazyLock::new(|| jsonschema::validator_for(&schema()).expect("a schema"));
    VALIDATOR.is_valid(value)
}

#[test]
fn peer_a_validator_accepts_what_the_reader_accepts() {
    for text in MODELS.iter().chain([&EVERYTHING]) {
        let validator = jsonschema::validator_for(&schema()).expect("a schema");
        let value = json(text);
        let errors: Vec<String> = validator.iter_errors(&value).map(|e| e.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?}");
    }
}

/// The paths of all tables of a model, as keys from the top.
fn tables(value: &Value, path: &mut Vec<String>, found: &mut Vec<Vec<String>>) {
    if let Value::Object(object) = value {
        found.push(path.clone());
        for (key, inner) in object {
            path.push(key.clone());
            tables(inner, path, found);
            path.pop();
        }
    }
}

/// Whether the reader finds keys unknown, missing or of the wrong form.
fn misshapen(changes: &Overrides) -> bool {
    let complaints = ["unknown key", "is missing", "is expected here", "is not one of"];
    match Model::parse(EVERYTHING, changes) {
        Ok(_) => false,
        Err(wrong) => {
            wrong.problems.iter().any(|p| complaints.iter().any(|words| p.message.contains(words)))
        }
    }
}

/// A key that no table has is refused by both in every table; an empty table in place of every value likewise.
#[test]
fn property_schema_and_reader_refuse_the_same() {
    let whole = json(EVERYTHING);
    assert!(
        !misshapen(&Overrides::new()),
        "{:?}",
        Model::parse(EVERYTHING, &Overrides::new()).err()
    );
    let mut paths = Vec::new();
    tables(&whole, &mut Vec::new(), &mut paths);
    assert!(paths.len() > 60, "{}", paths.len());
    for path in paths {
        let open = [
            "parameters",
            "materials",
            "bodies",
            "joints",
            "contacts",
            "drivers",
            "forces",
            "outputs",
            "metrics",
            "cases",
        ];
        if matches!(path.as_slice(), [one] if open.contains(&one.as_str())) {
            continue; // names are free there
        }
        if path.first().is_some_and(|first| first == "cases") {
            continue; // any key of the file may stand there
        }
        for (key, value) in [("nonsense", Value::from(1)), ("type", Value::from("nonsense"))] {
            let mut changed = whole.clone();
            let table = path.iter().fold(&mut changed, |table, key| &mut table[key]);
            table[key] = value.clone();
            let full = path.iter().map(String::as_str).chain([key]).collect::<Vec<_>>().join(".");
            let text =
                value.as_str().map_or_else(|| value.to_string(), |text| format!("\"{text}\""));
            let refused = misshapen(&Overrides::new().set_toml(&full, text));
            assert!(refused && !valid(&changed), "{full}: {refused} {}", valid(&changed));
        }
    }
}

/// A formula may stand for a whole number, another text may not.
#[test]
fn peer_schema_and_reader_agree_on_whole_numbers() {
    for (value, good) in [("7", true), ("\"= 3 + 4\"", true), ("\"7\"", false), ("true", false)] {
        for (table, key) in [("start", "seed"), ("run", "max_steps")] {
            let mut changed = json(EVERYTHING);
            changed[table][key] = json(&format!("value = {value}"))["value"].clone();
            let path = format!("{table}.{key}");
            let refused = misshapen(&Overrides::new().set_toml(&path, value));
            assert_eq!((!refused, valid(&changed)), (good, good), "{path} = {value}");
        }
    }
}

/// Every field of the schema stands in the file with everything, so that the two tests above see all of them.
#[test]
fn property_the_file_with_everything_has_every_field() {
    fn missing(schema: &Value, value: &Value, root: &Value, path: &str, out: &mut Vec<String>) {
        if schema["$ref"] == "#/$defs/law" {
            return missing(&root["$defs"]["law"], value, root, path, out);
        }
        for kind in ["anyOf", "oneOf"] {
            for option in schema[kind].as_array().into_iter().flatten() {
                let tag = &option["properties"]["type"]["const"];
                if tag.is_null() || *tag == value["type"] {
                    missing(option, value, root, path, out);
                }
            }
        }
        if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
            for inner in list {
                missing(items, inner, root, path, out);
            }
        }
        let Some(object) = value.as_object() else { return };
        if let Some(inner) = schema.get("additionalProperties").filter(|inner| inner.is_object()) {
            object.iter().for_each(|(_, value)| missing(inner, value, root, path, out));
        }
        for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
            let path = format!("{path}.{key}");
            match object.get(key) {
                Some(value) => missing(inner, value, root, &path, out),
                None => out.push(path),
            }
        }
    }
    // A field is absent if no table of its kind has it; kinds are told apart by their set of fields.
    let (schema, value) = (schema(), json(EVERYTHING));
    let mut absent = Vec::new();
    missing(&schema, &value, &schema, "", &mut absent);
    let used = |path: &String| {
        let key = path.rsplit('.').next().unwrap_or_default();
        EVERYTHING.contains(&format!("{key} = "))
    };
    absent.retain(|path| !used(path));
    // Parameters of laws that the file does not use.
    absent.retain(|path| {
        !path.contains(".law.") && !path.contains(".laws.") && !path.contains(".friction.")
    });
    assert!(absent.is_empty(), "{absent:?}");
}

fn slider_crank(changes: &Overrides) -> Model {
    Model::parse(MODELS[0], changes).unwrap_or_else(|wrong| panic!("{wrong}"))
}

/// What the law of the joint `pin` is, in the debug notation of its parts.
fn law(changes: &Overrides) -> String {
    law_of(&slider_crank(changes))
}

fn law_of(model: &Model) -> String {
    let Some(Handle::Clearance(regions)) = model.joint("pin") else { panic!("no clearance") };
    format!("{:?}", model.mechanism.contact(regions[0].contact).law)
}

#[test]
fn property_laws_are_replaced_part_by_part() {
    let set = |path: &str, value: &str| Overrides::new().set_toml(path, value);
    let friction = Overrides::new()
        .set_toml("joints.pin.law.friction", "coulomb-tanh")
        .set_toml("joints.pin.law.mu", "0.1")
        .set_toml("joints.pin.law.slip_speed", "1 mm/s");
    // Hertz with K of the two radii: 9.7102323600630e10 N/m^1.5.
    assert!(law(&Overrides::new()).contains("97102323600"));
    for (changes, has, has_not) in [
        (set("joints.pin.law.damping", "flores"), "Flores", "Lankarani"),
        (set("joints.pin.law", "hertz"), "damping: None", "Lankarani"),
        (Overrides::new().law("hertz"), "damping: None", "Lankarani"),
        (Overrides::new().law("flores"), "97102323600", "Lankarani"),
        (friction.clone().law("hertz+flores"), "CoulombTanh", "Lankarani"),
        (friction.clone().law("flores"), "CoulombTanh", "Lankarani"),
        (set("joints.pin.law", "{}"), "Exact", "Lankarani"),
        (set("joints.pin.restitution", "0.5"), "Constant(0.5)", "0.46"),
        (set("joints.pin.restitution", "cube-root"), "CubeRoot", "0.46"),
        (set("joints.pin.restitution", "{ alpha_0 = 0.9, alpha_1 = 0.1 }"), "Linear", "0.46"),
        (set("joints.pin.adhesive", "true"), "Keep", "Clip"),
        (set("joints.pin.impact_speed_floor", "1 mm/s"), "impact_speed_floor: 0.001", "1e-6"),
    ] {
        let law = law(&changes);
        assert!(law.contains(has) && !law.contains(has_not), "{changes:?}: {law}");
    }
    // Friction of the file goes where the command line says so.
    let rough = friction.apply_to(MODELS[0], &Tables::none()).expect("it can be written");
    let smooth = Model::parse(&rough, &Overrides::new().law("no-friction")).expect("a model");
    assert!(law_of(&smooth).contains("NoFriction"));
    // Constants of the law that is replaced do not reach the new one; those that are set along with it do.
    let power =
        "law = { elastic = \"power\", exponent = 1.5, stiffness = 1e9, damping = \"exact\" }";
    let text = MODELS[0].replace("law = \"hertz+lankarani-nikravesh\"", power);
    let hertz = Model::parse(&text, &Overrides::new().law("hertz+exact")).expect("a model");
    assert!(law_of(&hertz).contains("97102323600"));
    let wrong = Model::parse(MODELS[0], &Overrides::new().law("kelvin-voigt"));
    let wrong = wrong.expect_err("no stiffness").to_string();
    assert!(wrong.contains("`linear` needs stiffness"), "{wrong}");
    let printed = Overrides::new()
        .set_toml("joints.pin.law.stiffness", "1.0549e11 N/m")
        .set_toml("joints.pin.law.damping_coefficient", "1e3 N s/m")
        .set_toml("joints.pin.adhesive", "true")
        .law("kelvin-voigt");
    let law = law(&printed);
    assert!(law.contains("105490000000") && law.contains("1000.0"), "{law}");
}

#[test]
fn property_values_are_toml_or_text() {
    let until =
        |value: &str| slider_crank(&Overrides::new().set_toml("run.until", value)).run.until;
    assert_eq!(until("0.25"), 0.25);
    assert_eq!(until("\"250 ms\""), 0.25);
    assert_eq!(until("250 ms"), 0.25);
    let model = slider_crank(&Overrides::new().set_toml("output.channels", "[\"slider.x\"]"));
    assert_eq!(model.channels.len(), 1);

    // A typed value is what it is.
    let until = |value: jointplay_model::Value| {
        slider_crank(&Overrides::new().set("run.until", value)).run.until
    };
    assert_eq!(until(0.25.into()), 0.25);
    assert_eq!(until("250 ms".into()), 0.25);
    let channels = Overrides::new().set("output.channels", vec!["slider.x", "slider.vx"]);
    assert_eq!(slider_crank(&channels).channels.len(), 2);
    let named = slider_crank(&Overrides::new().set("name", "1e3"));
    assert_eq!(named.name.as_deref(), Some("1e3"));
}

/// Channels against what the mechanism itself says, and against each other.
#[test]
fn property_channels_agree_with_the_mechanism() {
    let model = slider_crank(&Overrides::new().set_toml("run.until", "5 ms"));
    let run = model.run.simulation(&model.mechanism).run().expect("it starts");
    let instant = run.end().expect("it evaluates");
    let get = |name: &str| model.channel(name).expect("it exists").eval(&instant);
    let slider = model.mechanism.find_body("slider").expect("a body");
    let point = instant.position(slider);
    assert_eq!(
        [get("slider.x"), get("slider.vx"), get("slider.ax")],
        [point.position[0], point.velocity[0], point.acceleration[0]]
    );
    assert_eq!(get("energy.kinetic"), instant.energy().kinetic);
    assert!((get("guide.s") - get("slider.x")).abs() < 1e-15);
    assert!((get("guide.v") - get("slider.vx")).abs() < 1e-15);
    assert!((get("guide.a") - get("slider.ax")).abs() < 1e-9);
    assert!((get("axis.omega") - 200.0 * std::f64::consts::TAU / 60.0).abs() < 1e-12);
    // Newton's law of the slider along its guide; the sum of forces across it is 0.
    assert!((get("pin.fx") - 1.013 * get("slider.ax")).abs() < 1e-9);
    assert!((get("pin.fy") + get("guide.fy")).abs() < 1e-9);
    // The gap is the clearance less the eccentricity.
    assert!((get("pin.gap") - (0.25e-3 - get("pin.eccentricity"))).abs() < 1e-15);
    // Power of the motor: torque times speed.
    assert!((get("motor.power") - get("motor.torque") * get("axis.omega")).abs() < 1e-9);
    for channel in model.available_channels() {
        assert!(channel.eval(&instant).is_finite(), "{}", channel.name());
        assert!(!channel.unit().is_empty());
    }
    let wrong = model.channel("pin.forse").expect_err("none");
    assert_eq!(wrong.nearest, Some(Suggestion::Near("pin.force".to_owned())));
    assert_eq!(wrong.to_string(), "there is no channel `pin.forse`; did you mean `pin.force`?");
}

/// A joint has the same channels whichever word switches it.
#[test]
fn property_switching_a_joint_keeps_its_channels() {
    let names = |kind: &str| -> std::collections::BTreeSet<String> {
        let model = slider_crank(&Overrides::new().set_toml("joints.pin.kind", kind));
        let all = model.available_channels().iter().map(|channel| channel.name().to_owned());
        all.filter(|name| name.starts_with("pin.")).collect()
    };
    let (ideal, clearance) = (names("ideal"), names("clearance"));
    assert_eq!(ideal, clearance);
    assert!(names("bushing").is_superset(&ideal));
}

/// Pieces that a careless editor may leave in a file.
const PIECES: [&str; 24] = [
    "\"",
    "[",
    "]",
    "{",
    "}",
    "=",
    ".",
    ",",
    "\n",
    "nan",
    "-inf",
    "1e308",
    "-1",
    "0",
    "\"ground\"",
    "[[joints]]",
    "type",
    "kind = \"clearance\"",
    "\\u0000",
    "\u{feff}",
    "é",
    "true",
    "1979-05-27",
    "#",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Whatever a file says, it is a model or a list of problems, never a panic.
    #[test]
    fn property_mutated_files_never_panic(
        which in 0..MODELS.len() + 1,
        changes in prop::collection::vec((0.0..1.0_f64, 0..30usize, 0..PIECES.len() + 8), 1..5),
    ) {
        let mut text = MODELS.get(which).copied().unwrap_or(EVERYTHING).to_owned();
        for (at, length, piece) in changes {
            let boundary = |mut i: usize, text: &str| {
                i = i.min(text.len());
                while !text.is_char_boundary(i) { i -= 1; }
                i
            };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in a short text")]
            let start = boundary((at * text.len() as f64) as usize, &text);
            let end = boundary(start + length, &text).max(start);
            // Beyond the pieces, other parts of the file itself.
            let insert = PIECES.get(piece).map_or_else(
                || { let from = boundary(piece * 131 % text.len().max(1), &text); text[from..boundary(from + 40, &text).max(from)].to_owned() },
                |piece| (*piece).to_owned(),
            );
            text.replace_range(start..end, &insert);
        }
        if let Err(wrong) = Model::parse(&text, &Overrides::new()) {
            prop_assert!(!wrong.problems.is_empty());
            prop_assert!(!wrong.to_string().is_empty() && wrong.to_json()["problems"].is_array());
        }
    }

    /// Numbers of any size, in any place that takes one: no panic in reading, nor in the first steps of a run.
    #[test]
    fn property_numbers_of_any_size_never_panic(
        key in 0..NUMBERS.len(),
        value in any::<f64>(),
        size in -12..12i32,
        text in "\\PC{0,12}",
    ) {
        let modest = 10f64.powi(size);
        let forms = [format!("{value:?}"), format!("[{value:?}, {value:?}]"), format!("{modest:?}"), format!("[{modest:?}, 0]"), text.clone()];
        for form in forms {
            if let Ok(model) = Model::parse(MODELS[0], &Overrides::new().set_toml(NUMBERS[key], form).set_toml("run.max_steps", "200")) {
                let _ = model.run.simulation(&model.mechanism).run();
            }
        }
        let _ = Model::parse(MODELS[0], &Overrides::new().set_toml(&text, format!("{value:?}")).law(&text));
    }
}

const NUMBERS: [&str; 20] = [
    "bodies.rod.mass",
    "bodies.rod.inertia",
    "bodies.rod.angle",
    "bodies.rod.position",
    "bodies.rod.centre",
    "bodies.rod.velocity",
    "bodies.slider.angular_velocity",
    "joints.pin.a.at",
    "joints.guide.a.direction",
    "joints.pin.bearing_radius",
    "joints.pin.journal_radius",
    "joints.pin.clearance",
    "joints.pin.restitution",
    "joints.pin.law.stiffness",
    "joints.pin.initial_impact_speed",
    "drivers.motor.speed",
    "drivers.motor.start",
    "run.rtol",
    "output.interval",
    "world.gravity",
];

/// The committed schema is the one of this reader; `JOINTPLAY_BLESS=1` writes it anew.
#[test]
fn regress_the_published_schema_is_in_step() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/model.schema.json");
    let text = format!("{:#}\n", schema());
    if std::env::var_os("JOINTPLAY_BLESS").is_some() {
        std::fs::write(path, &text).expect("written");
    }
    let committed = std::fs::read_to_string(path).expect("the schema");
    assert!(committed == text, "docs/model.schema.json is not what this reader accepts");
}

const GUIDE: &str = include_str!("../../../docs/model-file.md");

/// The guide names every key, and its first example is a model.
#[test]
fn property_the_guide_is_complete() {
    fn keys(schema: &Value, found: &mut std::collections::BTreeSet<String>) {
        match schema {
            Value::Object(object) => {
                for (key, inner) in object {
                    if let ("properties", Value::Object(fields)) = (key.as_str(), inner) {
                        found.extend(fields.keys().cloned());
                    }
                    keys(inner, found);
                }
            }
            Value::Array(list) => list.iter().for_each(|inner| keys(inner, found)),
            _ => {}
        }
    }
    let mut schema = schema();
    // Parameters of laws are in docs/laws.md.
    let law = schema["$defs"]["law"]["properties"].take();
    for own in ["elastic", "damping", "friction", "restitution", "half_width"] {
        schema["$defs"]["law"]["properties"][own] = law[own].clone();
    }
    let mut all = std::collections::BTreeSet::new();
    keys(&schema, &mut all);
    let parameters: Vec<&String> = law.as_object().expect("fields").keys().collect();
    let absent: Vec<&String> = all
        .iter()
        .filter(|key| !parameters.contains(key) || ["elastic", "damping"].contains(&key.as_str()))
        .filter(|key| {
            let written = [format!("`{key}`"), format!("{key} = "), format!("[{key}")];
            !written.iter().any(|form| GUIDE.contains(form))
        })
        .collect();
    assert!(absent.is_empty(), "{absent:?}");
    let example = GUIDE.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let model = Model::parse(example.expect("an example"), &Overrides::new());
    assert!(model.is_ok(), "{}", model.expect_err("wrong"));
    // The other examples are tables of a file.
    for piece in GUIDE.split("```toml\n").skip(2).filter_map(|rest| rest.split("```").next()) {
        assert!(toml::from_str::<toml::Table>(piece).is_ok(), "{piece}");
    }
}
