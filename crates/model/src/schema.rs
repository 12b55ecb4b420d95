//! The JSON schema of the format, for completion and checks in editors.

use serde_json::{Map, Value, json};

use crate::element::contact_spec::LAW;
use crate::format::{COUNT, MODEL};
use crate::shape::{Kind, Record, law_parameters};

/// The JSON schema of a model file, printed from the same description that the reader checks files against.
///
/// ```
/// let schema = jointplay_model::schema();
/// assert_eq!(schema["properties"]["bodies"]["additionalProperties"]["required"][0], "mass");
/// ```
pub fn schema() -> Value {
    let mut schema = headed(&MODEL, "Jointplay model, format 1", Formulas::Anywhere);
    schema["$defs"] = json!({ "law": record(&LAW, Formulas::Anywhere) });
    schema
}

/// Whether `"= …"` may stand where a whole number does; a quantity is a text anyway.
#[derive(Clone, Copy)]
enum Formulas {
    Anywhere,
    Nowhere,
}

impl Record {
    /// The JSON schema of a file without parameters that is such a record.
    pub fn schema(&self, title: &str) -> Value {
        headed(self, title, Formulas::Nowhere)
    }
}

fn headed(of: &Record, title: &str, formulas: Formulas) -> Value {
    let head = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
    });
    let mut schema = record(of, formulas);
    if let (Value::Object(schema), Value::Object(mut all)) = (&mut schema, head) {
        all.append(schema);
        return Value::Object(all);
    }
    schema
}

fn record(record: &Record, formulas: Formulas) -> Value {
    let mut properties = Map::new();
    for field in record.iter() {
        let mut schema = described(kind(&field.kind, formulas), field.doc);
        if let Some(omitted) = field.omitted {
            schema["default"] = omitted.json();
        }
        properties.insert(field.key.into(), schema);
    }
    if record.parameters {
        for (key, parameter) in law_parameters() {
            let doc = format!("{} ({}): {}", parameter.symbol, parameter.unit, parameter.meaning);
            let types = json!({ "type": ["number", "string", "boolean"] });
            properties.entry(key).or_insert(described(types, &doc));
        }
    }
    let required: Vec<&str> = record.iter().filter(|f| f.required).map(|f| f.key).collect();
    json!({
        "type": "object",
        "description": record.doc,
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn described(mut schema: Value, doc: &str) -> Value {
    if let Value::Object(object) = &mut schema {
        object.insert("description".into(), doc.into());
    }
    schema
}

fn kind(of: &Kind, formulas: Formulas) -> Value {
    match of {
        Kind::Text | Kind::Name => json!({ "type": "string" }),
        // Other names of a law are accepted too; the ids are what an editor offers.
        Kind::Law(ids) => json!({ "anyOf": [{ "enum": ids() }, { "type": "string" }] }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::Count => whole(1, formulas),
        Kind::Whole => whole(0, formulas),
        Kind::Changes => json!({ "type": "object" }),
        Kind::Formula => json!({ "type": ["number", "string"] }),
        Kind::Quantity(dimensions) => {
            let examples: Vec<&str> = dimensions.iter().map(|d| d.example()).collect();
            json!({ "type": ["number", "string"], "examples": examples })
        }
        Kind::Vector(_) => {
            let part = json!({ "type": ["number", "string"] });
            json!({ "type": "array", "items": part, "minItems": 2, "maxItems": 2 })
        }
        Kind::Choice(words) => json!({ "enum": words }),
        Kind::Signal(_, inner) => {
            json!({ "anyOf": [{ "type": ["number", "string"] }, record(inner, formulas)] })
        }
        Kind::Record(inner) if std::ptr::eq(*inner, &raw const LAW) => {
            json!({ "$ref": "#/$defs/law" })
        }
        Kind::Record(inner) => record(inner, formulas),
        Kind::Tagged(variants) => {
            let each = variants.iter().map(|(word, inner)| {
                let mut schema = record(inner, formulas);
                schema["properties"]["type"] = json!({ "const": word });
                schema
            });
            json!({ "oneOf": each.collect::<Vec<_>>() })
        }
        Kind::Map(inner) => {
            let mut schema =
                json!({ "type": "object", "additionalProperties": kind(inner, formulas) });
            if may_be_array(inner) {
                schema["patternProperties"] =
                    json!({ "^[^\\[\\]]+\\[[^\\[\\]]+\\]$": single(inner, formulas) });
            }
            schema
        }
        Kind::List(inner) => json!({ "type": "array", "items": kind(inner, formulas) }),
        Kind::AnyOf(kinds) => {
            json!({ "anyOf": kinds.iter().map(|of| kind(of, formulas)).collect::<Vec<_>>() })
        }
    }
}

/// What may be said for one part of an array: any of its keys, none of which is required.
fn single(of: &Kind, formulas: Formulas) -> Value {
    let any_of = |mut schema: Value| {
        schema["required"] = json!([]);
        schema["properties"].as_object_mut().map(|properties| properties.remove(COUNT.key));
        schema
    };
    let mut schema = match kind(of, formulas) {
        Value::Object(mut tagged) if tagged.contains_key("oneOf") => {
            let each = tagged.remove("oneOf").and_then(|each| each.as_array().cloned());
            // Without its type it may be a part of several of them.
            json!({ "anyOf": each.into_iter().flatten().map(any_of).collect::<Vec<_>>() })
        }
        one => any_of(one),
    };
    schema["description"] =
        "what differs for one part of an array; its key is \"NAME[3]\" or \"NAME[n]\"".into();
    schema
}

/// Whether parts of this kind may be arrays.
fn may_be_array(of: &Kind) -> bool {
    match of {
        Kind::Record(record) => record.has(COUNT.key),
        Kind::Tagged(variants) => variants.iter().all(|(_, record)| record.has(COUNT.key)),
        _ => false,
    }
}

/// A whole number of at least `least`.
fn whole(least: u8, formulas: Formulas) -> Value {
    let number = json!({ "type": "integer", "minimum": least });
    match formulas {
        Formulas::Nowhere => number,
        Formulas::Anywhere => {
            json!({ "anyOf": [number, { "type": "string", "pattern": "^\\s*=" }] })
        }
    }
}
