//! One canonical text for all files with the same content.

use serde_json::{Map, Value as Json};

use crate::format::MODEL;
use crate::problem::{Diagnostics, Problems};
use crate::shape::{self, Kind, Record};
use crate::source::{self, Node, Table, Value};

/// The content of a model file, independent of how it is written: comments, spaces, the order of keys, and the notation of numbers,
/// texts and quantities do not matter. Quantities are the same if they are the same number of SI units to the last bit. The order
/// of bodies, joints and other parts does matter, because it decides the order of the equations and with it the last bits of a
/// result.
///
/// ```
/// use jointplay_model::canonical;
///
/// let one = canonical("# mine\n[run]\nuntil = 1\nrtol = 1e-9\n")?;
/// assert_eq!(one, canonical("run = { rtol = 0.000000001, until = 1.0 }")?);
///
/// let wide = |length: &str| canonical(&format!("joints.pin = {{ type = \"revolute\", clearance = {length} }}"));
/// assert_eq!(wide("\"10 mm\"")?, wide("\"10mm\"")?);
/// assert_eq!(wide("\"10 mm\"")?, wide("0.01")?);
/// assert_ne!(wide("\"10 mm\"")?, wide("\"11 mm\"")?);
/// # Ok::<(), jointplay_model::Diagnostics>(())
/// ```
///
/// It is of what the file says, not of what the model makes of it. So these differ although the runs are the same: a default
/// that is written out, a law written as one text and as a table, a stiffness of a contact law in other units, and an expression
/// that is written differently.
///
/// # Errors
/// A text that is not TOML.
pub fn canonical(text: &str) -> Result<String, Diagnostics> {
    let mut content = content(text)?;
    if let Json::Object(sections) = &mut content {
        // The case that was chosen has been written into the other sections.
        sections.remove("cases");
    }
    Ok(content.to_string())
}

/// The same with the cases of the file, for what may choose among them.
///
/// # Errors
/// A text that is not TOML.
pub fn canonical_with_cases(text: &str) -> Result<String, Diagnostics> {
    content(text).map(|content| content.to_string())
}

fn content(text: &str) -> Result<Json, Diagnostics> {
    let mut problems = Problems::default();
    let Some(root) = source::root(text, &mut problems) else {
        return Err(problems.into_diagnostics(None, text, &[]));
    };
    Ok(json(&root, Some(&Kind::Record(&MODEL))))
}

fn sorted(entries: impl Iterator<Item = (String, Json)>) -> Json {
    let mut entries: Vec<(String, Json)> = entries.collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Json::Object(Map::from_iter(entries))
}

/// A value of this kind; what its kind does not allow, or has no kind, is as it stands in the file.
fn json(node: &Node, kind: Option<&Kind>) -> Json {
    match (&node.value, kind) {
        (value, Some(Kind::AnyOf(kinds))) => {
            json(node, kinds.iter().find(|kind| shape::takes(kind, value)))
        }
        (Value::Text(text), Some(Kind::Quantity(dimensions) | Kind::Signal(dimensions, _))) => {
            // A number without a unit is of the first dimension.
            match shape::quantity(node, dimensions) {
                Ok((value, of)) if dimensions.first() == Some(&of) => Json::from(value),
                Ok((value, of)) => Json::String(format!("{value} {}", of.si_unit())),
                Err(_) => Json::String(text.clone()),
            }
        }
        (Value::Text(text), _) => Json::String(text.clone()),
        // What is not finite is no number of a model, nor of JSON.
        (Value::Number(number), _) => Json::from(*number),
        (Value::Computed(number), _) => Json::from(number.value),
        (Value::Flag(flag), _) => Json::Bool(*flag),
        (Value::Date, _) => Json::Null,
        (Value::List(list), Some(Kind::Vector(dimensions))) => {
            let of = Kind::Quantity(dimensions);
            Json::Array(list.iter().map(|node| json(node, Some(&of))).collect())
        }
        (Value::List(list), Some(Kind::List(inner))) => {
            Json::Array(list.iter().map(|node| json(node, Some(inner))).collect())
        }
        (Value::List(list), _) => Json::Array(list.iter().map(|node| json(node, None)).collect()),
        (Value::Table(table), Some(Kind::Map(inner))) => {
            let parts = table.iter().map(|(key, part)| (key.name.clone(), json(part, Some(inner))));
            Json::Object(parts.collect())
        }
        (Value::Table(table), kind) => {
            let record = kind.and_then(|kind| record_of(table, kind));
            sorted(table.iter().map(|(key, node)| {
                let field = record.and_then(|record| record.field(&key.name));
                (key.name.clone(), json(node, field.map(|field| &field.kind)))
            }))
        }
    }
}

/// The record that describes a table.
fn record_of(table: &Table, kind: &Kind) -> Option<&'static Record> {
    match kind {
        Kind::Record(record) | Kind::Signal(_, record) => Some(record),
        Kind::Tagged(variants) => shape::variant(table, variants),
        Kind::Text
        | Kind::Name
        | Kind::Law(_)
        | Kind::Flag
        | Kind::Count
        | Kind::Whole
        | Kind::Formula
        | Kind::Changes
        | Kind::Quantity(_)
        | Kind::Vector(_)
        | Kind::Choice(_)
        | Kind::Map(_)
        | Kind::List(_)
        | Kind::AnyOf(_) => None,
    }
}
