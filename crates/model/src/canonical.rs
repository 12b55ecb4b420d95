//! One canonical text for all files with the same content.

use jointplay_contact::catalog::{DampingKind, ElasticKind, FrictionKind};
use serde_json::{Map, Value as Json};

use crate::array;
use crate::element::contact_spec::LAW;
use crate::format::MODEL;
use crate::parameters::Parameters;
use crate::problem::{Diagnostics, Problems};
use crate::shape::{self, Kind, Record};
use crate::source::{self, Node, Table, Value};
use crate::user::LawText;

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
/// A law is the same as one text, as a table and under its other names, and a key with a fixed default is the same written out
/// and left out:
///
/// ```
/// use jointplay_model::canonical;
///
/// let pin = |law: &str| canonical(&format!("joints.pin = {{ type = \"revolute\", {law} }}"));
/// let text = pin("law = \"hertz+flores\"")?;
/// assert_eq!(text, pin("law = { damping = \"flores\", elastic = \"hertz\" }, contact_point = \"bearing\"")?);
/// assert_ne!(text, pin("law = \"hertz+flores\", contact_point = \"journal\"")?);
/// # Ok::<(), jointplay_model::Diagnostics>(())
/// ```
///
/// An array is the same as its parts written out:
///
/// ```
/// use jointplay_model::canonical;
///
/// let array = "[bodies.link]\ncount = 2\nmass = 1\nposition = [\"= i*2\", 0]";
/// let parts = "[bodies.link-1]\nmass = 1\nposition = [\"= (1)*2\", 0]\n[bodies.link-2]\nmass = 1\nposition = [\"= (2)*2\", 0]";
/// assert_eq!(canonical(array)?, canonical(parts)?);
/// # Ok::<(), jointplay_model::Diagnostics>(())
/// ```
///
/// These differ although the runs are the same: a default that depends on other keys (a free length, the interval of the output,
/// a part of a law that is not named), a parameter of a contact law in other units, a restitution inside and beside the table of
/// its law, and an expression that is written differently.
///
/// # Errors
/// A text that is not TOML.
pub fn canonical(text: &str) -> Result<String, Diagnostics> {
    let mut content = content(text)?;
    if let Json::Object(sections) = &mut content {
        // The case that was chosen has been written into the other sections.
        sections.remove("cases");
        // A section whose keys all have their defaults is left out.
        sections.retain(|_, section| section.as_object().is_none_or(|keys| !keys.is_empty()));
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
    let Some(mut root) = source::root(text, &mut problems) else {
        return Err(problems.into_diagnostics(None, text, &[]));
    };
    // An array says what its parts say, written out. What is wrong with it is reported where the model is read.
    let mut wrong = Problems::default();
    let parameters = root.table().map(|root| Parameters::read(root, text, &mut wrong));
    if let Some(parameters) = parameters.filter(Parameters::are_known) {
        array::expand(&mut root, &parameters, &mut wrong);
    }
    Ok(json(&root, Some(&Kind::Record(&MODEL))))
}

fn sorted(entries: impl Iterator<Item = (String, Json)>) -> Json {
    let mut entries: Vec<(String, Json)> = entries.collect();
    entries.sort_by(|a, b| a.0.cmp(&b.0));
    Json::Object(Map::from_iter(entries))
}

/// A value of this kind; a value that its kind does not allow, or without a kind, is kept as in the
/// file.
fn json(node: &Node, kind: Option<&Kind>) -> Json {
    match (&node.value, kind) {
        (Value::Text(text), Some(Kind::AnyOf(kinds))) if kinds.iter().any(is_law) => law(text),
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
        (Value::Text(text), Some(Kind::Law(ids))) => Json::String(law_id(text, &ids())),
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
            sorted(table.iter().filter_map(|(key, node)| {
                let field = record.and_then(|record| record.field(&key.name));
                let value = json(node, field.map(|field| &field.kind));
                // As text, because −0 is not the 0 that a key has by default.
                let omitted = field.and_then(|field| field.omitted).map(|it| it.json().to_string());
                (omitted != Some(value.to_string())).then(|| (key.name.clone(), value))
            }))
        }
    }
}

/// Whether this is the table of a contact law.
fn is_law(kind: &Kind) -> bool {
    matches!(kind, Kind::Record(record) if std::ptr::eq(*record, &raw const LAW))
}

/// A contact law written as one text, converted to the equivalent table.
fn law(text: &str) -> Json {
    let Ok(law) = LawText::parse(text) else { return Json::String(text.to_owned()) };
    let elastic = law.name.elastic.map(|kind| kind.id().to_owned());
    let parts = [
        ("damping", law.damping().map(|kind| kind.id().to_owned())),
        ("elastic", law.user.or(elastic)),
        ("friction", law.name.friction.map(|kind| kind.id().to_owned())),
    ];
    let named = parts.into_iter().filter_map(|(part, id)| Some((part.to_owned(), id?)));
    sorted(named.map(|(part, id)| (part, Json::String(id))))
}

/// The id of a law that is called by any of its names; it is among these.
fn law_id(name: &str, ids: &[&str]) -> String {
    let elastic = ElasticKind::from_id(name).map(ElasticKind::id);
    let damping = DampingKind::from_id(name).map(DampingKind::id);
    let friction = FrictionKind::from_id(name).map(FrictionKind::id);
    let mut found = [elastic, damping, friction].into_iter().flatten();
    found.find(|id| ids.contains(id)).unwrap_or(name).to_owned()
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
