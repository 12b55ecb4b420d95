//! A key that is left out has the value that the schema calls its default: the model is the same, and so is its canonical text.

use std::collections::BTreeSet;

use jointplay_model::{Diagnostics, Model, Overrides, Tables, canonical, schema};
use serde_json::Value;

/// Parts that leave out everything that has a default.
const PARTS: &str = r#"
format = 1
[bodies]
arm = { mass = 1, inertia = 1 }
slug = { mass = 1, position = [0, 5] }
block = { mass = 1, inertia = 1 }
ball = { mass = 1, inertia = 1, position = [2, 0] }
loose = { mass = 1, inertia = 1, position = [3, 0] }
[joints]
pivot = { type = "revolute", a = { body = "ground" }, b = { body = "arm" }, friction = { mu = 0.1, slip_speed = 1e-3, pin_radius = 0.01 } }
pin = { type = "revolute", kind = "clearance", a = { body = "block" }, b = { body = "loose", at = [-3, 0] }, fit = "20 H7/g6", law = "hertz", material = "steel", length = 0.01 }
guide = { type = "prismatic", a = { body = "ground" }, b = { body = "block" }, friction = { mu = 0.1, slip_speed = 1e-3, block_length = 0.1 } }
channel = { type = "prismatic", kind = "clearance", a = { body = "ground" }, b = { body = "ball" }, block_length = 0.1, block_height = 0.1, clearance = 1e-3, guide_length = 1, law = { elastic = "linear", stiffness = 1e6 } }
rail = { type = "prismatic", a = { body = "ground", at = [0, 5] }, b = { body = "slug" } }
glue = { type = "weld", a = { body = "arm", at = [1, 1] }, b = { body = "ground", at = [1, 1] } }
groove = { type = "slot", kind = "clearance", a = { body = "ground" }, b = { body = "loose" }, path = { width = 0.01, points = [{ at = [2, 0] }, { at = [4, 0] }] }, pin_radius = 4e-3, law = "hertz", material = "steel" }
rubber = { type = "weld", kind = "bushing", a = { body = "ball" }, b = { body = "loose" }, stiffness = 1e3 }
[contacts]
wheels = { type = "circle-circle", a = { body = "block", radius = 0.1 }, b = { body = "loose", radius = 0.1 }, law = "hertz", material = "steel" }
[drivers]
motor = { x = { body = "block" }, speed = 1 }
[forces]
spring = { type = "spring", a = { body = "ground" }, b = { body = "ball" }, stiffness = 1 }
dashpot = { type = "spring", a = { body = "ground" }, b = { body = "ball" }, damping = 1, free_length = 1 }
coil = { type = "torsion-spring", a = "ball", b = "loose", stiffness = 1 }
brake = { type = "torsion-spring", a = "ball", b = "loose", damping = 1 }
push = { type = "force", on = { body = "ball" }, direction = 0, value = { step = { to = 1, end = 1 } } }
shake = { type = "force", on = { body = "ball" }, direction = 0, value = { harmonic = { amplitude = 1, frequency = 1 } } }
knock = { type = "force", on = { body = "ball" }, direction = 0, value = { half_sine = { peak = 1, duration = 1 } } }
drag = { type = "force", on = { body = "ball" }, direction = 0, value = { table = "load.csv" } }
twist = { type = "torque", on = "ball", value = 1 }
[world]
[start]
[run]
until = 1
"#;

/// Calls `each` with the path of every table, and its schema.
fn tables(schema: &Value, value: &Value, path: &str, each: &mut dyn FnMut(&Value, &Value, &str)) {
    for kind in ["anyOf", "oneOf"] {
        for option in schema[kind].as_array().into_iter().flatten() {
            let tag = &option["properties"]["type"]["const"];
            if tag.is_null() || *tag == value["type"] {
                tables(option, value, path, each);
            }
        }
    }
    let Some(object) = value.as_object() else { return };
    if schema.get("properties").is_some() {
        each(schema, value, path);
    }
    for (key, inner) in object {
        let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
        match schema["properties"].get(key) {
            Some(schema) => tables(schema, inner, &path, each),
            None => tables(&schema["additionalProperties"], inner, &path, each),
        }
    }
}

/// All keys with a default.
fn defaults(schema: &Value, found: &mut BTreeSet<String>) {
    match schema {
        Value::Object(object) => {
            for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
                if let Some(default) = inner.get("default") {
                    found.insert(format!("{key} = {default}"));
                }
            }
            object.values().for_each(|inner| defaults(inner, found));
        }
        Value::Array(list) => list.iter().for_each(|inner| defaults(inner, found)),
        _ => {}
    }
}

/// What a run is made from.
fn built(text: &str, tables: &Tables) -> Result<String, Diagnostics> {
    let model = Model::with_tables(text, None, tables, &Overrides::new())?;
    Ok(format!("{:?} {:?}", model.mechanism, model.run))
}

#[test]
fn property_a_default_that_is_written_out_changes_nothing() {
    let files = Tables::none().with("load.csv", "t,F\n0,0\n1,1\n2,0\n3,1\n");
    let (schema, mut seen) = (schema(), BTreeSet::new());
    let same = built(PARTS, &files).expect("a model");
    let whole: toml::Table = toml::from_str(PARTS).expect("TOML");
    let whole = serde_json::to_value(whole).expect("JSON");
    let mut wrong = Vec::new();
    tables(&schema, &whole, "", &mut |schema, value, path| {
        for (key, inner) in schema["properties"].as_object().into_iter().flatten() {
            let Some(default) = inner.get("default").filter(|_| value.get(key).is_none()) else {
                continue;
            };
            let full = format!("{path}.{key}");
            let changes = Overrides::new().set_toml(&full, default.to_string());
            let text = changes.apply_to(PARTS, &files).unwrap_or_else(|e| panic!("{full}: {e}"));
            // Some keys stand beside certain others only.
            let Ok(built) = built(&text, &files) else { continue };
            seen.insert(format!("{key} = {default}"));
            if built != same || canonical(&text).ok() != canonical(PARTS).ok() {
                wrong.push(full);
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:?}");
    let mut all = BTreeSet::new();
    defaults(&schema, &mut all);
    let unseen: Vec<&String> = all.difference(&seen).collect();
    // The points of a path stand in a list, which no change reaches.
    assert!(unseen.iter().all(|key| key.starts_with("clockwise")), "{unseen:?}");
}
