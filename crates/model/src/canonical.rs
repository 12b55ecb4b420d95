//! One canonical text for all files with the same content.

use serde_json::{Map, Value as Json};

use crate::format::MODEL;
use crate::problem::{Diagnostics, Problems};
use crate::shape::Kind;
use crate::source::{self, Node, Table, Value};

/// The content of a model file, independent of how it is written: comments, spaces, the order of keys and the notation of numbers
/// and texts do not matter. The order of bodies, joints and other parts does, because it decides the order of the equations and
/// with it the last bits of a result.
///
/// ```
/// use jointplay_model::canonical;
///
/// let one = canonical("# mine\n[run]\nuntil = 1\nrtol = 1e-9\n")?;
/// assert_eq!(one, canonical("run = { rtol = 0.000000001, until = 1.0 }")?);
/// # Ok::<(), jointplay_model::Diagnostics>(())
/// ```
///
/// # Errors
/// A text that is not TOML.
pub fn canonical(text: &str) -> Result<String, Diagnostics> {
    let mut problems = Problems::default();
    let Some(root) = source::root(text, &mut problems) else {
        return Err(problems.into_diagnostics(None, text, &[]));
    };
    // Cases that were chosen have been written into the other sections.
    let sections = root.table().into_iter().flat_map(Table::iter);
    let sections = sections.filter(|(key, _)| key.name != "cases").map(|(key, node)| {
        let is_map = MODEL.field(&key.name).is_some_and(|f| matches!(f.kind, Kind::Map(_)));
        let value = match node.table() {
            Some(parts) if is_map => Json::Object(
                parts.iter().map(|(key, part)| (key.name.clone(), json(part))).collect(),
            ),
            _ => json(node),
        };
        (key.name.clone(), value)
    });
    Ok(sorted(sections).to_string())
}

fn sorted(entries: impl Iterator<Item = (String, Json)>) -> Json {
    let mut entries: Vec<(String, Json)> = entries.collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Json::Object(Map::from_iter(entries))
}

fn json(node: &Node) -> Json {
    match &node.value {
        Value::Text(text) => Json::String(text.clone()),
        // What is not finite is no number of a model, nor of JSON.
        Value::Number(number) => Json::from(*number),
        Value::Computed(number) => Json::from(number.value),
        Value::Flag(flag) => Json::Bool(*flag),
        Value::Date => Json::Null,
        Value::List(list) => Json::Array(list.iter().map(json).collect()),
        Value::Table(table) => {
            sorted(table.iter().map(|(key, node)| (key.name.clone(), json(node))))
        }
    }
}
