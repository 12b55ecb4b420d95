//! What a file may contain, described as data: records with fields. The reader checks a tree against this description and the
//! JSON schema is printed from it, so both accept the same files. Model files and study files are described in this way.

mod check;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jointplay_contact::catalog::{self, Parameter};

use crate::problem::{Diagnostics, Problems, Said};
use crate::source::Node;
use crate::units::Dimension;

pub(crate) use check::{check, law_number, quantity, stiffness, takes, variant};

/// What a value may be.
#[derive(Debug)]
pub enum Kind {
    /// Free text.
    Text,
    /// The name of a part or file, an expression: text that is interpreted later.
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
    fn said(&self) -> Said {
        let key = self.path.last().map_or("", String::as_str);
        Said { flag: format!("--set {key}={}", self.value), change: None }
    }

    /// The tree of a text with the set values; `None` if it is not TOML.
    fn apply(sets: &[Self], text: &str, problems: &mut Problems) -> Option<Node> {
        let mut root = crate::source::root(text, problems)?;
        for (number, Setting { path, value }) in sets.iter().enumerate() {
            crate::source::set_at(&mut root, path, value, number, problems);
        }
        Some(root)
    }
}

/// A problem with the meaning of a file, and the keys that lead to it; entries of lists are counted from 0.
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
        let flags: Vec<Said> = sets.iter().map(Setting::said).collect();
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

/// The parameter of this key in a table of a law; if several data sheets have it, that of the first.
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

/// The dimension of a law parameter; `None` for one whose unit depends on the law or has no name here, such as a stiffness, of which
/// the plain SI number is given.
pub(crate) fn parameter_dimension(parameter: &Parameter) -> Option<Dimension> {
    match parameter.unit {
        "-" => Some(Dimension::Number),
        "m" => Some(Dimension::Length),
        "m/s" => Some(Dimension::Speed),
        "N s/m" => Some(Dimension::Damping),
        _ => None,
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
        let flags: Vec<Said> = sets.iter().map(Setting::said).collect();
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
