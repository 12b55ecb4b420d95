//! Named numbers of a model, and the formulas in which they occur.
//!
//! A parameter is a number, a quantity or a formula of other parameters. Wherever a number is
//! expected, a text that begins with `=` is a formula. Formulas are computed right after the file
//! was read and changed; all later steps get numbers, each with the dimension of its formula.

mod computed;
mod resolve;

use std::collections::BTreeMap;

use jointplay_expression::{ExpressionError, Scope, is_function};

use crate::format::{f, must};
use crate::metric::Reduction;
use crate::problem::{Problems, SourcePlace};
use crate::shape::{Kind, Record};
use crate::source::{Node, Table, Value, join};
use crate::units::with_article;
use resolve::Resolver;

pub(crate) use computed::{Computed, words};

/// The table of a parameter.
pub(crate) static PARAMETER: Record = Record {
    doc: "A named number",
    fields: &[&[
        must(
            "value",
            Kind::Formula,
            "a number, a quantity such as \"50 mm\", or a formula of other parameters",
        ),
        f(
            "range",
            Kind::List(&Kind::Formula),
            "[smallest, largest] value of its slider in the page",
        ),
        f("description", Kind::Text, "what it is"),
    ]],
    parameters: false,
};

/// The section of a file that has the parameters.
const SECTION: &str = "parameters";

/// Names with a meaning of their own in formulas.
const TAKEN: [&str; 6] = ["t", "delta", "delta_dot", "pi", "π", "e"];

/// Parameters in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters {
    list: Vec<Parameter>,
    /// The names of those that could not be computed, which has been reported.
    broken: Vec<String>,
}

/// A named number.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Parameter {
    pub(crate) name: String,
    /// The key that sets it.
    pub(crate) key: String,
    pub(crate) number: Computed,
    /// Whether it follows from others.
    pub(crate) follows: bool,
    pub(crate) range: Option<[f64; 2]>,
}

impl Parameters {
    /// Computes the parameters of a tree. What is wrong is reported; such parameters are not among them.
    pub(crate) fn read(root: &Table, source: &str, problems: &mut Problems) -> Self {
        let Some(section) = root.get(SECTION).and_then(Node::table) else {
            return Parameters::default();
        };
        let given: BTreeMap<&str, (&SourcePlace, &Node)> =
            section.iter().map(|(key, node)| (key.name.as_str(), (&key.place, node))).collect();
        let mut reader = Reader { given, source, known: Parameters::default(), problems };
        let mut done = BTreeMap::new();
        for (key, _) in section.iter() {
            reader.compute(&key.name, &mut Vec::new(), &mut done);
        }
        // In the order of the file, independently of the order of computation.
        let place = |p: &Parameter| section.iter().position(|(key, _)| key.name == p.name);
        let mut known = reader.known;
        let names = section.iter().map(|(key, _)| key.name.clone());
        known.broken = names.filter(|name| known.get(name).is_none()).collect();
        known.list.sort_by_key(place);
        known
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Parameter> {
        self.list.iter().find(|parameter| parameter.name == name)
    }

    /// Whether all of them could be computed.
    pub(crate) fn are_known(&self) -> bool {
        self.broken.is_empty()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Parameter> {
        self.list.iter()
    }

    /// A scope with these names too.
    pub(crate) fn add_to(&self, scope: Scope) -> Scope {
        self.list.iter().fold(scope, |scope, Parameter { name, number, .. }| {
            scope.quantity(name, number.value, number.powers)
        })
    }

    /// Replaces every formula of a tree by its number.
    pub(crate) fn resolve(
        &self,
        root: &mut Node,
        kind: &Kind,
        source: &str,
        problems: &mut Problems,
    ) {
        Resolver { parameters: self, source, problems }.resolve(root, kind, "");
    }
}

/// What is known while parameters are computed.
struct Reader<'r> {
    given: BTreeMap<&'r str, (&'r SourcePlace, &'r Node)>,
    source: &'r str,
    known: Parameters,
    problems: &'r mut Problems,
}

impl Reader<'_> {
    /// Computes a parameter and those on which it depends; returns whether its value is known.
    fn compute(
        &mut self,
        name: &str,
        above: &mut Vec<String>,
        done: &mut BTreeMap<String, bool>,
    ) -> bool {
        if let Some(known) = done.get(name) {
            return *known;
        }
        let Some(&(key_place, node)) = self.given.get(name) else { return false };
        let path = join(SECTION, name);
        if let Some(start) = above.iter().position(|other| other == name) {
            let chain = above[start..].iter().map(|name| format!("`{name}`"));
            let chain: Vec<String> = chain.chain([format!("`{name}`")]).collect();
            let message = format!("it follows from itself: {}", chain.join(" needs "));
            self.problems.report(&node.place, &path, message, None);
            return false;
        }
        if let Err((message, hint)) = check_name(name, &Parameters::default()) {
            self.problems.report(key_place, &path, message, Some(hint));
            done.insert(name.to_owned(), false);
            return false;
        }
        let (value, key) = match node.table() {
            Some(table) => (table.get("value"), join(&path, "value")),
            None => (Some(node), path.clone()),
        };
        above.push(name.to_owned());
        let number = value.and_then(|value| self.number(value, &key, above, done));
        let range = node.table().and_then(|table| table.get("range"));
        let range = range.and_then(|range| {
            self.range(range, number.as_ref(), &join(&path, "range"), above, done)
        });
        above.pop();
        // A parameter that depends on itself has been reported.
        if let Some(known) = done.get(name) {
            return *known;
        }
        let found = number.is_some();
        if let Some((number, follows)) = number {
            let name = name.to_owned();
            self.known.list.push(Parameter { name, key, number, follows, range });
        }
        done.insert(name.to_owned(), found);
        found
    }

    /// The number of a value, and whether it follows from other parameters.
    fn number(
        &mut self,
        node: &Node,
        path: &str,
        above: &mut Vec<String>,
        done: &mut BTreeMap<String, bool>,
    ) -> Option<(Computed, bool)> {
        let text = match &node.value {
            Value::Number(value) if value.is_finite() => {
                return Some((Computed::plain(*value), false));
            }
            Value::Number(value) => {
                let message = format!("{value} is not a finite number");
                self.problems.report(&node.place, path, message, None);
                return None;
            }
            Value::Text(text) => text,
            // Other kinds are reported with the shape of the file.
            _ => return None,
        };
        let (formula, offset) = without_sign(text);
        let others: Vec<String> = words(formula)
            .filter(|word| self.given.contains_key(word))
            .map(str::to_owned)
            .collect();
        let mut all_known = true;
        for other in &others {
            all_known &= self.compute(other, above, done);
        }
        if !all_known {
            return None;
        }
        let computed = Computed::of(formula, &self.known);
        let number = finished(computed, formula, node, offset, self.source, path, self.problems)?;
        Some((number, !others.is_empty()))
    }

    fn range(
        &mut self,
        node: &Node,
        number: Option<&(Computed, bool)>,
        path: &str,
        above: &mut Vec<String>,
        done: &mut BTreeMap<String, bool>,
    ) -> Option<[f64; 2]> {
        let (number, _) = number?;
        let Some([low, high]) = node.list() else {
            let message = "a range has two numbers, [smallest, largest]";
            self.problems.report(&node.place, path, message, None);
            return None;
        };
        let (low, _) = self.number(low, path, above, done)?;
        let (high, _) = self.number(high, path, above, done)?;
        for end in [&low, &high] {
            if let (Some(of_end), Some(of_number)) = (end.powers, number.powers)
                && of_end != of_number
            {
                let message = format!(
                    "`{}` is {}, but the value is {}",
                    end.text,
                    with_article(&of_end.to_string()),
                    with_article(&of_number.to_string())
                );
                self.problems.report(&node.place, path, message, None);
                return None;
            }
        }
        let range = [low.value, high.value];
        if !(range[0] < range[1] && (range[0]..=range[1]).contains(&number.value)) {
            let message =
                format!("the value {} does not lie in [{}, {}]", number.value, range[0], range[1]);
            self.problems.report(&node.place, path, message, None);
            return None;
        }
        Some(range)
    }
}

/// Whether a name can stand in a formula without being mistaken for something else.
pub(crate) fn check_name(name: &str, parameters: &Parameters) -> Result<(), (String, String)> {
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|c| c.is_alphabetic() || c == '_');
    if !(begins && letters.all(|c| c.is_alphanumeric() || c == '_')) {
        let hint = "use letters, digits and _, and begin with a letter: a formula would take - as a minus sign";
        return Err((format!("`{name}` cannot be a name in formulas"), hint.to_owned()));
    }
    let taken = TAKEN.contains(&name)
        || is_function(name)
        || Reduction::ALL.iter().any(|(reduction, _)| *reduction == name);
    if taken || parameters.get(name).is_some() {
        let message = format!("`{name}` already has a meaning in formulas");
        return Err((message, "choose another name".to_owned()));
    }
    Ok(())
}

/// A formula without its sign `=`, and how many bytes that is into the text.
pub(crate) fn without_sign(text: &str) -> (&str, usize) {
    match text.trim_start().strip_prefix('=') {
        Some(formula) => (formula, text.len() - formula.len()),
        None => (text, 0),
    }
}

/// The number of a formula, if it is one; problems are reported at its place.
fn finished(
    computed: Result<Computed, ExpressionError>,
    formula: &str,
    node: &Node,
    offset: usize,
    source: &str,
    path: &str,
    problems: &mut Problems,
) -> Option<Computed> {
    match computed {
        Ok(number) if number.value.is_finite() => Some(number),
        Ok(number) => {
            let message = format!("`{}` is {}, not a finite number", number.text, number.value);
            problems.report(&node.place, path, message, None);
            None
        }
        Err(wrong) => {
            let place = inside(node, source, offset, &wrong.span());
            let message = format!("in the formula `{}`: {wrong}", formula.trim());
            problems.report(&place, path, message, wrong.hint());
            None
        }
    }
}

/// The place of some bytes of a formula in the file, if its text is there unchanged.
fn inside(node: &Node, source: &str, offset: usize, span: &std::ops::Range<usize>) -> SourcePlace {
    let (SourcePlace::Span(whole), Some(text)) = (&node.place, node.text()) else {
        return node.place.clone();
    };
    let written = source.get(whole.clone()).unwrap_or_default();
    let literal = written.get(1..written.len().saturating_sub(1));
    if literal != Some(text) || span.is_empty() {
        return node.place.clone();
    }
    let start = whole.start + 1 + offset;
    SourcePlace::Span(start + span.start..start + span.end)
}
