//! What a file may say, as data: records with fields. The reader checks a tree against it, the JSON schema is printed
//! from it, so both accept the same. Model files are described so, and study files, too.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jointplay_contact::catalog::{self, Parameter};

use crate::problem::{Diagnostics, Problems, SourcePlace};
use crate::source::{Node, Table, Value, join};
use crate::suggestion::{Suggestion, did_you_mean};
use crate::units::{self, Dimension};

/// What a value may be.
#[derive(Debug)]
pub enum Kind {
    /// Free text.
    Text,
    /// The name of a part or file, an expression: text that is looked at later.
    Name,
    /// The id or another name of a contact law; these are the ids.
    Law(fn() -> Vec<&'static str>),
    /// true or false.
    Flag,
    /// A whole number from 1.
    Count,
    /// A whole number from 0.
    Whole,
    /// A table with keys of the file, which are checked once they are set.
    Changes,
    /// A number, or text that is a quantity of any dimension or a formula.
    Formula,
    /// A number, or text with a unit of one of these dimensions.
    Quantity(&'static [Dimension]),
    /// Two quantities, `[x, y]`.
    Vector(&'static [Dimension]),
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A function of time: a quantity, an expression of `t`, or a table.
    Signal(&'static [Dimension], &'static Record),
    /// A table with these fields.
    Record(&'static Record),
    /// A table whose field `type` says which record it is.
    Tagged(&'static [(&'static str, &'static Record)]),
    /// A table of named things.
    Map(&'static Kind),
    /// A list.
    List(&'static Kind),
    /// The first kind that takes a value of this form.
    AnyOf(&'static [Kind]),
}

/// One key of a record.
#[derive(Debug)]
pub struct Field {
    /// The key.
    pub key: &'static str,
    /// What its value may be.
    pub kind: Kind,
    /// Whether it must be there.
    pub required: bool,
    /// What it is where it is left out, if that is always the same.
    pub omitted: Option<Omitted>,
    /// What it means.
    pub doc: &'static str,
}

/// The value of a key that is left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Omitted {
    /// A number, in SI units.
    Number(f64),
    /// The vector `[0, 0]`.
    Origin,
    /// A word or the name of a part.
    Word(&'static str),
    /// true or false.
    Flag(bool),
}

impl Omitted {
    /// As it would be written.
    pub(crate) fn json(self) -> serde_json::Value {
        match self {
            Omitted::Number(number) => number.into(),
            Omitted::Origin => [0.0, 0.0].as_slice().into(),
            Omitted::Word(word) => word.into(),
            Omitted::Flag(flag) => flag.into(),
        }
    }
}

/// A table with known keys.
#[derive(Debug)]
pub struct Record {
    /// What it is, in a sentence.
    pub doc: &'static str,
    /// Its keys, in groups.
    pub fields: &'static [&'static [Field]],
    /// Whether the parameters of the data sheets of contact laws are fields too.
    pub parameters: bool,
}

/// A key of a file that was set on the command line, `--set KEY=VALUE`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The keys that lead to it; the last one is as it was typed.
    pub path: Vec<String>,
    /// Its value: TOML, or else text.
    pub value: String,
}

impl Setting {
    /// As it was typed.
    fn flag(&self) -> String {
        format!("--set {}={}", self.path.last().map_or("", String::as_str), self.value)
    }

    /// The tree of a text with what was set in it; `None` if it is not TOML.
    fn apply(sets: &[Self], text: &str, problems: &mut Problems) -> Option<Node> {
        let mut root = crate::source::root(text, problems)?;
        for (number, Setting { path, value }) in sets.iter().enumerate() {
            crate::source::set_at(&mut root, path, value, number, problems);
        }
        Some(root)
    }
}

/// Something that is wrong with the meaning of a file, and the keys that lead to it; entries of lists are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misuse {
    /// The keys.
    pub at: Vec<String>,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Misuse {
    /// A problem without a hint.
    pub fn new(
        at: impl IntoIterator<Item = impl Into<String>>,
        message: impl Into<String>,
    ) -> Self {
        let at = at.into_iter().map(Into::into).collect();
        Misuse { at, message: message.into(), hint: None }
    }

    /// The same with what to do about it.
    pub fn with_hint(self, hint: Option<impl Into<String>>) -> Self {
        Misuse { hint: hint.map(Into::into), ..self }
    }

    /// Problems of a file in which keys were set, each with its line and column or its flag.
    pub fn located(
        all: Vec<Self>,
        (text, file): (&str, Option<&str>),
        sets: &[Setting],
    ) -> Diagnostics {
        let mut problems = Problems::default();
        let root = Setting::apply(sets, text, &mut Problems::default());
        for Misuse { at, message, hint } in all {
            let place = root.as_ref().map_or_else(Default::default, |root| root.place_of(&at));
            problems.report(&place, &at.join("."), message, hint);
        }
        let flags: Vec<String> = sets.iter().map(Setting::flag).collect();
        problems.into_diagnostics(file, text, &flags)
    }
}

impl std::fmt::Display for Misuse {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match &self.hint {
            Some(hint) => write!(f, "{}; {hint}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl Field {
    /// A key that may be left out.
    pub const fn new(key: &'static str, kind: Kind, doc: &'static str) -> Self {
        Field { key, kind, required: false, omitted: None, doc }
    }

    /// A key that must be there.
    pub const fn required(key: &'static str, kind: Kind, doc: &'static str) -> Self {
        Field { key, kind, required: true, omitted: None, doc }
    }

    /// The same with the value that it has where it is left out.
    pub(crate) const fn omitted(self, value: Omitted) -> Self {
        Field { omitted: Some(value), ..self }
    }
}

/// The key of a law parameter in a table of a law. `damping` is the name of the damping law there, so the coefficient of
/// that name is `damping_coefficient`.
pub(crate) fn parameter_key(key: &str) -> &str {
    if key == "damping" { "damping_coefficient" } else { key }
}

/// The keys of law parameters in a table of a law, with their data sheets. Parameters that every law gets in the same way have a
/// key of their own elsewhere in a model.
pub(crate) fn law_parameters() -> impl Iterator<Item = (&'static str, &'static Parameter)> {
    let all = catalog::sheets().flat_map(|sheet| sheet.parameters);
    all.filter(|p| !catalog::OWN_FIELDS.contains(&p.key)).map(|p| (parameter_key(p.key), p))
}

/// The parameter of this key in a table of a law; the first data sheet that has it speaks for all.
pub(crate) fn law_parameter(key: &str) -> Option<&'static Parameter> {
    static KNOWN: LazyLock<BTreeMap<&'static str, &'static Parameter>> = LazyLock::new(|| {
        let mut known = BTreeMap::new();
        for (key, parameter) in law_parameters() {
            known.entry(key).or_insert(parameter);
        }
        known
    });
    KNOWN.get(key).copied()
}

/// The dimension of a law parameter. The unit of a stiffness depends on the exponent: it is a plain number.
pub(crate) fn parameter_dimension(parameter: &Parameter) -> Dimension {
    match parameter.unit {
        "m" => Dimension::Length,
        "m/s" => Dimension::Speed,
        "N s/m" => Dimension::Damping,
        _ => Dimension::Number,
    }
}

impl Record {
    /// Compares a text with this description.
    ///
    /// # Errors
    /// Everything that the description does not allow, with line and column.
    pub fn check(&'static self, text: &str, file: Option<&str>) -> Result<(), Diagnostics> {
        self.check_set(text, file, &[])
    }

    /// Compares a text in which keys were set with this description.
    ///
    /// # Errors
    /// Everything that the description does not allow, with line and column, or with the flag.
    pub fn check_set(
        &'static self,
        text: &str,
        file: Option<&str>,
        sets: &[Setting],
    ) -> Result<(), Diagnostics> {
        let mut problems = Problems::default();
        if let Some(root) = Setting::apply(sets, text, &mut problems) {
            check(&root, &Kind::Record(self), "", &mut problems);
        }
        let flags: Vec<String> = sets.iter().map(Setting::flag).collect();
        let found = !problems.is_empty();
        if found { Err(problems.into_diagnostics(file, text, &flags)) } else { Ok(()) }
    }

    /// Whether it has this key.
    pub fn has(&self, key: &str) -> bool {
        self.field(key).is_some()
    }

    /// What the value of a key may be; `None` if it has no such key.
    pub fn kind(&self, key: &str) -> Option<&'static Kind> {
        self.field(key).map(|field| &field.kind)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &'static Field> {
        self.fields.iter().flat_map(|group| group.iter())
    }

    pub(crate) fn field(&self, key: &str) -> Option<&'static Field> {
        self.iter().find(|field| field.key == key)
    }
}

/// Whether a kind takes a value of this form at all.
pub(crate) fn takes(kind: &Kind, value: &Value) -> bool {
    match (kind, value) {
        (Kind::Text | Kind::Name | Kind::Law(_) | Kind::Choice(_), Value::Text(_))
        | (Kind::Flag, Value::Flag(_))
        | (Kind::Count | Kind::Whole, Value::Number(_) | Value::Computed(_))
        | (Kind::Formula, Value::Number(_) | Value::Text(_))
        | (Kind::Quantity(_), Value::Number(_) | Value::Text(_) | Value::Computed(_))
        | (Kind::Vector(_) | Kind::List(_), Value::List(_))
        | (Kind::Signal(..), Value::Number(_) | Value::Text(_) | Value::Table(_))
        | (Kind::Record(_) | Kind::Tagged(_) | Kind::Map(_) | Kind::Changes, Value::Table(_)) => {
            true
        }
        (Kind::AnyOf(kinds), _) => kinds.iter().any(|kind| takes(kind, value)),
        _ => false,
    }
}

/// What a kind takes, in words.
fn wanted(kind: &Kind) -> String {
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

/// What to say about a text that is none of these words: all of them, and the one that was probably meant.
fn not_a_word(text: &str, words: &[&str]) -> (String, Option<String>) {
    let hint = Suggestion::of(text, words.iter().copied()).and_then(Suggestion::near);
    let message = format!("`{text}` is not one of {}", quoted(words));
    (message, hint.map(|hint| hint.to_string()))
}

/// What to say about a text where a word is one of several things that may stand there, and this one is none of the words.
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
            if !(*value >= least(kind) && value.fract() == 0.0 && *value <= 1e15) =>
        {
            let message = format!("{value} is not a whole number of at least {}", least(kind));
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
        _ => {}
    }
}

/// The least whole number of a kind.
fn least(kind: &Kind) -> f64 {
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
        let hint = did_you_mean(&key.name, known.chain(others));
        problems.report(&key.place, &path, "unknown key", hint);
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
    match node.value {
        Value::Flag(flag) => Ok(f64::from(u8::from(flag))),
        Value::Text(_) if parameter.key == "stiffness" => match stiffness(node) {
            Some((value, _)) => Ok(value),
            None => quantity(node, &[Dimension::Stiffness]).map(|(value, _)| value),
        },
        // The unit of such a number depends on the law.
        Value::Computed(ref number) if !matches!(parameter.unit, "-" | "m" | "m/s" | "N s/m") => {
            Ok(number.value)
        }
        _ => quantity(node, &[parameter_dimension(parameter)]).map(|(value, _)| value),
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
