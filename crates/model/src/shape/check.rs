//! Checks a tree against the shape of a file.

use jointplay_contact::catalog::Parameter;

use super::{Kind, Record, law_parameter, law_parameters, parameter_dimension};
use crate::problem::{Problems, SourcePlace};
use crate::source::{Node, Table, Value, join};
use crate::suggestion::{Suggestion, did_you_mean};
use crate::units::{self, Dimension};

/// Whether a kind takes a value of this form at all.
pub(crate) fn takes(kind: &Kind, value: &Value) -> bool {
    match kind {
        Kind::Text | Kind::Name | Kind::Law(_) | Kind::Choice(_) => {
            matches!(value, Value::Text(_))
        }
        Kind::Flag => matches!(value, Value::Flag(_)),
        Kind::Count | Kind::Whole => matches!(value, Value::Number(_) | Value::Computed(_)),
        Kind::Formula => matches!(value, Value::Number(_) | Value::Text(_)),
        Kind::Quantity(_) => {
            matches!(value, Value::Number(_) | Value::Text(_) | Value::Computed(_))
        }
        Kind::Vector(_) | Kind::List(_) => matches!(value, Value::List(_)),
        Kind::Signal(..) => matches!(value, Value::Number(_) | Value::Text(_) | Value::Table(_)),
        Kind::Record(_) | Kind::Tagged(_) | Kind::Map(_) | Kind::Changes => {
            matches!(value, Value::Table(_))
        }
        Kind::AnyOf(kinds) => kinds.iter().any(|kind| takes(kind, value)),
    }
}

/// What a kind takes, in words.
pub(super) fn wanted(kind: &Kind) -> String {
    match kind {
        Kind::Text | Kind::Name | Kind::Law(_) => "text".into(),
        Kind::Flag => "true or false".into(),
        Kind::Count | Kind::Whole => "a whole number".into(),
        Kind::Formula => "a number, or text such as \"50 mm\" or \"= 2*crank\"".into(),
        Kind::Quantity(dimensions) => match dimensions {
            [] | [Dimension::Number] => "a number".into(),
            [first, ..] => format!("a number or text such as \"{}\"", first.example()),
        },
        Kind::Vector(_) => "a list of two numbers, [x, y]".into(),
        Kind::Choice([word]) => format!("\"{word}\""),
        Kind::Choice(words) => format!("one of {}", quoted(words)),
        Kind::Signal(..) => "a number, an expression of t, or a table".into(),
        Kind::Record(_) | Kind::Tagged(_) | Kind::Map(_) | Kind::Changes => "a table".into(),
        Kind::List(_) => "a list".into(),
        Kind::AnyOf(kinds) => kinds.iter().map(wanted).collect::<Vec<_>>().join(", or "),
    }
}

fn quoted(words: &[&str]) -> String {
    words.iter().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ")
}

/// The message for a text that is not one of these words: it lists them, and suggests the one that was probably meant.
fn not_a_word(text: &str, words: &[&str]) -> (String, Option<String>) {
    let hint = Suggestion::of(text, words.iter().copied()).and_then(Suggestion::near);
    let message = format!("`{text}` is not one of {}", quoted(words));
    (message, hint.map(|hint| hint.to_string()))
}

/// The message for a text in a place that takes one of these words or something else, when it is neither.
fn none_of(kinds: &[Kind], words: &[&str], text: &str) -> (String, Option<String>) {
    let wanted = kinds.iter().map(wanted).collect::<Vec<_>>().join(", or ");
    let message = format!("{wanted} is expected here, not the text `{text}`");
    let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let hint = match number {
        Some(number) if kinds.iter().any(|kind| takes(kind, &Value::Number(number))) => {
            Some(format!("write the number without quotes: {number:?}"))
        }
        _ => not_a_word(text, words).1,
    };
    (message, hint)
}

/// Reports everything about a value that its kind does not allow.
pub(crate) fn check(node: &Node, kind: &Kind, path: &str, problems: &mut Problems) {
    if !takes(kind, &node.value) {
        let message = format!("{} is expected here, not {}", wanted(kind), node.kind());
        problems.report(&node.place, path, message, None);
        return;
    }
    match (kind, &node.value) {
        (Kind::Count | Kind::Whole, Value::Number(value))
            if !(*value >= least(kind) && value.fract() == 0.0 && *value <= MOST) =>
        {
            let message = if *value > MOST {
                format!("{value:e} is too large; at most {MOST:e} is allowed")
            } else {
                format!("{value} is not a whole number of at least {}", least(kind))
            };
            problems.report(&node.place, path, message, None);
        }
        (Kind::Count | Kind::Whole, Value::Computed(number)) => match number
            .as_one_of(&[Dimension::Number])
        {
            Ok((value, _)) => {
                check(&Node { value: Value::Number(value), ..node.clone() }, kind, path, problems);
            }
            Err(error) => problems.report(&node.place, path, error.message, error.hint),
        },
        (Kind::Quantity(dimensions), _) => {
            if let Err(error) = quantity(node, dimensions) {
                problems.report(&node.place, path, error.message, error.hint);
            }
        }
        (Kind::Signal(dimensions, _), Value::Number(_)) => {
            check(node, &Kind::Quantity(dimensions), path, problems);
        }
        (Kind::Vector(dimensions), Value::List(list)) => {
            if list.len() != 2 {
                let message = format!("{} numbers are given; a vector has two, [x, y]", list.len());
                problems.report(&node.place, path, message, None);
            }
            for part in list {
                check(part, &Kind::Quantity(dimensions), path, problems);
            }
        }
        (Kind::Choice(words), Value::Text(text)) if !words.contains(&text.as_str()) => {
            let (message, hint) = not_a_word(text, words);
            problems.report(&node.place, path, message, hint);
        }
        (Kind::Record(record) | Kind::Signal(_, record), Value::Table(table)) => {
            check_record(table, record, &node.place, path, problems);
        }
        (Kind::Tagged(variants), Value::Table(table)) => {
            if let Some(record) = variant(table, variants) {
                check_record(table, record, &node.place, path, problems);
            } else {
                report_tag(table, variants, &node.place, path, problems);
            }
        }
        (Kind::Map(inner), Value::Table(table)) => {
            for (key, node) in table.iter() {
                check(node, inner, &join(path, &key.name), problems);
            }
        }
        (Kind::List(inner), Value::List(list)) => {
            for node in list {
                check(node, inner, path, problems);
            }
        }
        (Kind::AnyOf(kinds), value) => {
            match (kinds.iter().find(|kind| takes(kind, value)), value) {
                (Some(Kind::Choice(words)), Value::Text(text))
                    if !words.contains(&text.as_str()) =>
                {
                    let (message, hint) = none_of(kinds, words, text);
                    problems.report(&node.place, path, message, hint);
                }
                (Some(kind), _) => check(node, kind, path, problems),
                (None, _) => {}
            }
        }
        // Nothing more can be wrong with a value of the right form.
        (
            Kind::Text
            | Kind::Name
            | Kind::Law(_)
            | Kind::Flag
            | Kind::Count
            | Kind::Whole
            | Kind::Changes
            | Kind::Formula
            | Kind::Vector(_)
            | Kind::Choice(_)
            | Kind::Signal(..)
            | Kind::Record(_)
            | Kind::Tagged(_)
            | Kind::Map(_)
            | Kind::List(_),
            _,
        ) => {}
    }
}

/// The greatest whole number that a file may give.
const MOST: f64 = 1e15;

/// The least whole number of a kind.
pub(super) fn least(kind: &Kind) -> f64 {
    if matches!(kind, Kind::Whole) { 0.0 } else { 1.0 }
}

/// The record that the `type` of a table names.
pub(crate) fn variant(
    table: &Table,
    variants: &[(&'static str, &'static Record)],
) -> Option<&'static Record> {
    let name = table.get("type")?.text()?;
    variants.iter().find(|(word, _)| *word == name).map(|(_, record)| *record)
}

fn report_tag(
    table: &Table,
    variants: &[(&'static str, &'static Record)],
    place: &SourcePlace,
    path: &str,
    problems: &mut Problems,
) {
    let words: Vec<&str> = variants.iter().map(|(word, _)| *word).collect();
    let Some(node) = table.get("type") else {
        let hint = Some(format!("write type = one of {}", quoted(&words)));
        problems.report(place, path, "`type` is missing", hint);
        return;
    };
    let text = node.text().unwrap_or_default();
    let (message, hint) = not_a_word(text, &words);
    problems.report(&node.place, &join(path, "type"), message, hint);
}

fn check_record(
    table: &Table,
    record: &Record,
    place: &SourcePlace,
    path: &str,
    problems: &mut Problems,
) {
    for (key, node) in table.iter() {
        let path = join(path, &key.name);
        if let Some(field) = record.field(&key.name) {
            check(node, &field.kind, &path, problems);
            continue;
        }
        if let Some(parameter) = law_parameter(&key.name).filter(|_| record.parameters) {
            check_parameter(node, parameter, &path, problems);
            continue;
        }
        let known = record.iter().map(|field| field.key);
        let others = law_parameters().map(|(name, _)| name).filter(|_| record.parameters);
        // A hint compares all names, so that one that nobody sees would cost more than the rest of the check.
        let hint = (!problems.is_full()).then(|| did_you_mean(&key.name, known.chain(others)));
        let hint = hint.flatten();
        problems.report_unknown_key(&key.place, &path, "unknown key", hint);
    }
    for field in record.iter().filter(|field| field.required) {
        if table.get(field.key).is_none() {
            let message = format!("`{}` is missing", field.key);
            let hint = Some(format!("{}: {}", field.doc, wanted(&field.kind)));
            problems.report(place, path, message, hint);
        }
    }
}

fn check_parameter(node: &Node, parameter: &Parameter, path: &str, problems: &mut Problems) {
    if let Err(error) = law_number(node, parameter) {
        problems.report(&node.place, path, error.message, error.hint);
    }
}

/// A parameter of a law; true and false are 1 and 0.
pub(crate) fn law_number(node: &Node, parameter: &Parameter) -> Result<f64, units::UnitError> {
    let dimension = parameter_dimension(parameter);
    match node.value {
        Value::Flag(flag) => Ok(f64::from(u8::from(flag))),
        Value::Text(_) if parameter.key == "stiffness" => match stiffness(node) {
            Some((value, _)) => Ok(value),
            None => quantity(node, &[Dimension::Stiffness]).map(|(value, _)| value),
        },
        // The unit of such a number depends on the law.
        Value::Computed(ref number) if dimension.is_none() => Ok(number.value),
        Value::Number(_)
        | Value::Text(_)
        | Value::Computed(_)
        | Value::Date
        | Value::List(_)
        | Value::Table(_) => {
            quantity(node, &[dimension.unwrap_or(Dimension::Number)]).map(|(value, _)| value)
        }
    }
}

/// A stiffness K of K δⁿ in text, "1.2e5 N/mm^1.5", in N/mⁿ, and the power n of its unit.
pub(crate) fn stiffness(node: &Node) -> Option<(f64, f64)> {
    if let Value::Computed(number) = &node.value {
        // N/mⁿ = kg m¹⁻ⁿ s⁻²
        let [length, mass, time] = number.powers?.exponents();
        return (mass == 1.0 && time == -2.0).then_some((number.value, 1.0 - length));
    }
    let text = node.text()?.trim();
    let (number, unit) = text.split_at(text.find("N/")?);
    let value: f64 = number.trim().parse().ok()?;
    let (scale, power) = match unit.strip_prefix("N/mm") {
        Some(power) => (1e3_f64, power),
        None => (1.0, unit.strip_prefix("N/m")?),
    };
    let power: f64 = if power.is_empty() { 1.0 } else { power.strip_prefix('^')?.parse().ok()? };
    let value = value * libm::pow(scale, power);
    (value.is_finite() && (0.0..=10.0).contains(&power)).then_some((value, power))
}

/// A number or text with a unit; a number is of the first dimension.
pub(crate) fn quantity(
    node: &Node,
    dimensions: &[Dimension],
) -> Result<(f64, Dimension), units::UnitError> {
    match &node.value {
        Value::Number(value) if value.is_finite() => {
            Ok((*value, dimensions.first().copied().unwrap_or(Dimension::Number)))
        }
        Value::Number(value) => {
            Err(units::UnitError { message: format!("{value} is not a finite number"), hint: None })
        }
        Value::Computed(number) => number.as_one_of(dimensions),
        Value::Text(text) => units::parse_any(text, dimensions),
        _ => Err(units::UnitError {
            message: format!("a number is expected here, not {}", node.kind()),
            hint: None,
        }),
    }
}
