//! Writes out the arrays of a tree.

use std::collections::{BTreeMap, BTreeSet};

use super::index::{number_of, references, with_number};
use super::spread::{ALL, WHERE_ALL, every, spread};
use super::{Array, Arrays, INDEX, Own, SECTIONS, base_and_index, base_and_number, name_of};
use crate::format::MODEL;
use crate::lower::MAX_PARTS;
use crate::overrides::superseded;
use crate::parameters::{Computed, Parameters, without_sign, words};
use crate::problem::{Problems, SourcePlace};
use crate::shape::{Kind, Record, variant};
use crate::source::{Key, Node, Table, Value, join};
use crate::units::Dimension;

/// Arrays may not write more than this into a tree (bytes of text and of nodes).
const MOST_WRITTEN: usize = 256 << 20;

/// Writes out the arrays of a tree: the part with a `count`, what is said for single parts of it, and whatever names one of them. What is
/// wrong is reported, from here on under the keys of the file.
pub(crate) fn expand(root: &mut Node, parameters: &Parameters, problems: &mut Problems) -> Arrays {
    let Value::Table(root) = &mut root.value else { return Arrays::default() };
    let sections = || SECTIONS.into_iter();
    let counted = |part: &Node| part.table().is_some_and(|part| part.get("count").is_some());
    let any = sections()
        .filter_map(|section| root.get(section)?.table())
        .any(|section| section.iter().any(|(_, part)| counted(part)));
    if !any {
        return Arrays::default();
    }
    let mut expander = Expander {
        parameters,
        problems,
        arrays: Arrays::default(),
        single: BTreeMap::new(),
        left: MOST_WRITTEN,
    };
    if let Some(parameter) = parameters.get(INDEX) {
        let place =
            root.get("parameters").and_then(|section| Some(section.table()?.place_of_key(INDEX)));
        let hint = Some("choose another name for the parameter".to_owned());
        let message = format!("`{INDEX}` is the number of a part in its array");
        let path = join("parameters", &parameter.name);
        expander.problems.report(&place.unwrap_or_default(), &path, message, hint);
    }
    for section in sections() {
        if let Some(Value::Table(parts)) = root.get(section).map(|node| &node.value) {
            expander.count(section, parts);
        }
    }
    for section in sections() {
        if let Some(Value::Table(parts)) = root.get_mut(section).map(|node| &mut node.value) {
            expander.take_single(section, parts);
        }
    }
    expander.problems.of_arrays(&expander.arrays);
    for (key, node) in root.iter_mut() {
        let Some(field) = MODEL.field(&key.name) else { continue };
        match (&mut node.value, &field.kind) {
            (Value::Table(parts), Kind::Map(inner)) if SECTIONS.contains(&field.key) => {
                expander.write_out(field.key, parts, inner);
            }
            // Cases are sets of changes, which were made or are not.
            (_, Kind::Map(Kind::Changes)) => {}
            (_, kind) => expander.walk(node, kind, field.key, None),
        }
    }
    expander.arrays
}

struct Expander<'e> {
    parameters: &'e Parameters,
    problems: &'e mut Problems,
    arrays: Arrays,
    /// What is said for single parts, by their names.
    single: BTreeMap<String, Vec<Table>>,
    /// How much may still be written (bytes).
    left: usize,
}

impl Expander<'_> {
    /// Finds the arrays of a section.
    fn count(&mut self, section: &'static str, parts: &Table) {
        let mut whole = parts.len();
        for (key, part) in parts.iter() {
            let Some(table) = part.table() else { continue };
            let Some(node) = table.get("count") else { continue };
            if base_and_index(&key.name).is_some() {
                continue;
            }
            let path = join(section, &key.name);
            // A count that is no whole number of at least 1 is reported with the shape of the file.
            let given = self.number(node);
            let mut count = given.unwrap_or(1);
            let weight = part.weight();
            whole = whole.saturating_add(count - 1);
            let mut broken = given.is_none();
            let too_many = if count > MAX_PARTS || whole > MAX_PARTS {
                Some(format!("{count} parts: a model may have at most {MAX_PARTS} {section}"))
            } else if count.saturating_mul(weight) > self.left {
                Some(format!("{count} parts of this size are more than a model may have"))
            } else {
                None
            };
            if let Some(message) = too_many {
                self.problems.report(&node.place, &join(&path, "count"), message, None);
                (count, broken) = (1, true);
                whole = parts.len();
            }
            self.left -= count.saturating_mul(weight).min(self.left);
            let array = Array { section, count, broken, own: BTreeMap::new() };
            if self.arrays.by_name.contains_key(&key.name) {
                let message = format!("another array already has the name `{}`", key.name);
                self.problems.report(&key.place, &path, message, None);
                self.arrays.by_name.entry(key.name.clone()).and_modify(|array| array.broken = true);
                continue;
            }
            self.arrays.by_name.insert(key.name.clone(), array);
        }
    }

    /// Notes which parameters the formula of a count or an index depends on.
    fn note(&mut self, formula: &str) {
        let known = words(formula).filter_map(|word| self.parameters.get(word));
        for parameter in known {
            if self.arrays.counted_by.insert(parameter.name.clone()) {
                self.note(&parameter.number.text);
            }
        }
    }

    /// A whole number of at least 1, if it is one.
    fn number(&mut self, node: &Node) -> Option<usize> {
        let value = match &node.value {
            Value::Number(value) => *value,
            Value::Text(text) => {
                let (formula, offset) = without_sign(text);
                self.note(formula);
                let computed =
                    Computed::of(formula, self.parameters).ok().filter(|_| offset > 0)?;
                computed.as_one_of(&[Dimension::Number]).ok()?.0
            }
            Value::Computed(_)
            | Value::Flag(_)
            | Value::Date
            | Value::List(_)
            | Value::Table(_) => {
                return None;
            }
        };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
        let whole =
            (value >= 1.0 && value.fract() == 0.0 && value <= 1e15).then_some(value as usize);
        whole
    }

    /// Takes what is said for single parts out of a section.
    fn take_single(&mut self, section: &'static str, parts: &mut Table) {
        let is_single = |(key, _): &(Key, Node)| key.name.contains('[');
        let (single, others) = parts.take().into_iter().partition::<Vec<_>, _>(is_single);
        for (key, node) in others {
            parts.set(key, node);
        }
        for (key, node) in single {
            let path = join(section, &key.name);
            let array = base_and_index(&key.name)
                .and_then(|(base, index)| Some((base, index, self.arrays.by_name.get(base)?)))
                .filter(|(.., array)| array.section == section);
            let Some((base, index, array)) = array else {
                let message = format!("there is no array of {section} for `{}`", key.name);
                let hint = "`NAME[3]` is a part of the part NAME with a `count`".to_owned();
                self.problems.report(&key.place, &path, message, Some(hint));
                continue;
            };
            if array.broken {
                continue;
            }
            let base = base.to_owned();
            let Some(number) = self.index(&base, index, None, &key.place, &path) else { continue };
            let Value::Table(table) = node.value else {
                let message = format!("a table is expected here, not {}", node.kind());
                self.problems.report(&node.place, &path, message, None);
                continue;
            };
            if table.get("count").is_some() {
                let message = "the number of parts is that of the array";
                let place = table.place_of_key("count");
                self.problems.report(&place, &join(&path, "count"), message, None);
            }
            let says: BTreeSet<String> = table.iter().map(|(key, _)| key.name.clone()).collect();
            if let Some(array) = self.arrays.by_name.get_mut(&base) {
                let own = array.own.entry(number).or_default();
                for (known, key) in own
                    .iter()
                    .flat_map(|own| own.says.intersection(&says).map(move |key| (&own.key, key)))
                {
                    let message =
                        format!("`{key}` is given here and in `{known}`, which is the same part");
                    let path = join(&path, key);
                    self.problems.report(&table.place_of_key(key), &path, message, None);
                }
                own.push(Own { key: key.name.clone(), says });
            }
            self.single.entry(name_of(&base, number)).or_default().push(table);
        }
    }

    /// Writes the arrays of a section out.
    fn write_out(&mut self, section: &'static str, parts: &mut Table, kind: &Kind) {
        for (key, mut part) in parts.take() {
            let path = join(section, &key.name);
            let array = self.arrays.by_name.get(&key.name).filter(|array| array.section == section);
            let Some(&Array { count, broken, .. }) = array else {
                self.walk(&mut part, kind, &path, None);
                if parts.get(&key.name).is_some() {
                    self.report_taken(&key.name, &key.place, &path);
                    continue;
                }
                parts.set(key, part);
                continue;
            };
            for number in 1..=count {
                let name = name_of(&key.name, number);
                let path = join(section, &name);
                let mut part = part.clone();
                let mut given = None;
                if let Value::Table(table) = &mut part.value {
                    given = table.remove("count");
                    for single in self.single.remove(&name).into_iter().flatten() {
                        merge(table, single);
                    }
                }
                self.walk(&mut part, kind, &path, Some(number));
                // One that is not a number is reported with the shape of the file.
                if let (Value::Table(table), Some((key, node)), true) =
                    (&mut part.value, given, broken)
                {
                    table.set(key, node);
                }
                if parts.get(&name).is_some() {
                    self.report_taken(&name, &parts.place_of_key(&name), &path);
                    continue;
                }
                parts.set(Key { name, place: key.place.clone() }, part);
            }
        }
    }

    fn report_taken(&mut self, name: &str, place: &SourcePlace, path: &str) {
        let (base, number) = base_and_number(name).unwrap_or((name, 1));
        let message = format!("`{name}` is the name of a part of the array `{base}`");
        let section = path.split('.').next().unwrap_or_default();
        let hint = format!("override keys of this part in [{section}.\"{base}[{number}]\"]");
        self.problems.report(place, path, message, Some(hint));
    }

    /// Replaces the index and the names of parts of arrays in a value of this kind.
    fn walk(&mut self, node: &mut Node, kind: &Kind, path: &str, number: Option<usize>) {
        let place = node.place.clone();
        match (&mut node.value, kind) {
            (Value::Text(_), Kind::Text | Kind::Choice(_) | Kind::Flag | Kind::Changes) => {}
            (Value::Text(text), kind) => {
                if let Some(replaced) = self.text(text, kind, &place, path, number) {
                    *text = replaced;
                }
            }
            (Value::Table(table), Kind::Record(record) | Kind::Signal(_, record)) => {
                self.record(table, record, path, number);
            }
            (Value::Table(table), Kind::Tagged(variants)) => {
                if let Some(record) = variant(table, variants) {
                    self.record(table, record, path, number);
                }
            }
            (Value::Table(table), Kind::Map(inner)) => {
                for (key, node) in table.iter_mut() {
                    self.walk(node, inner, &join(path, &key.name), number);
                }
            }
            (Value::List(list), Kind::List(Kind::Name)) => self.list(list, path, number),
            (Value::List(list), Kind::List(inner)) => {
                for node in list.iter_mut() {
                    self.walk(node, inner, path, number);
                }
            }
            (Value::List(list), Kind::Vector(dimensions)) => {
                let kind = Kind::Quantity(dimensions);
                for node in list.iter_mut() {
                    self.walk(node, &kind, path, number);
                }
            }
            (Value::Table(_) | Value::List(_), Kind::AnyOf(kinds)) => {
                // A node has one form, and only one of the kinds takes it.
                kinds.iter().for_each(|kind| self.walk(node, kind, path, number));
            }
            _ => {}
        }
    }

    fn record(&mut self, table: &mut Table, record: &Record, path: &str, number: Option<usize>) {
        for (key, node) in table.iter_mut() {
            let path = join(path, &key.name);
            let parameter = Kind::Quantity(&[Dimension::Number]);
            match record.field(&key.name) {
                Some(field) => self.walk(node, &field.kind, &path, number),
                None if record.parameters => self.walk(node, &parameter, &path, number),
                None => {}
            }
        }
    }

    /// A list of names: one that stands for every part of an array becomes all of them.
    fn list(&mut self, list: &mut Vec<Node>, path: &str, number: Option<usize>) {
        for mut node in std::mem::take(list) {
            let place = node.place.clone();
            let text = node.text().map(str::to_owned);
            let every = text
                .as_deref()
                .and_then(|text| Some((text, every(text, &|name| self.arrays.count(name))?)));
            if let Some((text, count)) = every {
                list.extend((1..=count).map(|k| {
                    let text = text.replace("[*]", &format!("[{k}]"));
                    let text = self.names(&text, &place, path, number).unwrap_or(text);
                    Node { place: place.clone(), value: Value::Text(text) }
                }));
                continue;
            }
            self.walk(&mut node, &Kind::Name, path, number);
            list.push(node);
        }
    }

    /// A text of this kind with everything replaced; `None` if nothing was.
    fn text(
        &mut self,
        text: &str,
        kind: &Kind,
        place: &SourcePlace,
        path: &str,
        number: Option<usize>,
    ) -> Option<String> {
        let is_signal = matches!(kind, Kind::Signal(..));
        let is_formula = without_sign(text).1 > 0
            || is_signal
            || text.trim_start().starts_with("formula:")
            || path.ends_with(".expression");
        if let Some(number) = number.filter(|_| is_formula && !text.contains('[')) {
            return Some(with_number(text, number).into_owned());
        }
        if !text.contains('[') || is_signal {
            return None;
        }
        let spread = path
            .starts_with("metrics.")
            .then(|| spread(text, &|name| self.arrays.count(name)))
            .flatten();
        let text = spread.as_deref().unwrap_or(text);
        let named = self.names(text, place, path, number);
        let Some(number) = number.filter(|_| is_formula) else { return named.or(spread) };
        Some(with_number(named.as_deref().unwrap_or(text), number).into_owned())
    }

    /// A text with the names of parts of arrays; `None` if there are none.
    fn names(
        &mut self,
        text: &str,
        place: &SourcePlace,
        path: &str,
        number: Option<usize>,
    ) -> Option<String> {
        let is_array = |name: &str| self.arrays.by_name.contains_key(name);
        let found = references(text, &is_array);
        if found.is_empty() {
            return None;
        }
        let mut replaced = String::with_capacity(text.len());
        let mut from = 0;
        for reference in found {
            replaced.push_str(&text[from..reference.span.start]);
            let known = self.index(reference.base, reference.index, number, place, path);
            // What is wrong has been reported: any part will do for the other checks.
            replaced.push_str(&name_of(reference.base, known.unwrap_or(1)));
            from = reference.span.end;
        }
        replaced.push_str(&text[from..]);
        Some(replaced)
    }

    /// The number of a part that an index names, if the array has it.
    fn index(
        &mut self,
        base: &str,
        index: &str,
        number: Option<usize>,
        place: &SourcePlace,
        path: &str,
    ) -> Option<usize> {
        let &Array { count, broken, .. } = self.arrays.by_name.get(base)?;
        if broken {
            return None;
        }
        let report = |problems: &mut Problems, message: String, hint: Option<String>| {
            problems.report(place, path, message, hint);
        };
        if index.trim() == ALL {
            let message = format!("`{base}[*]` is every part of an array, but this takes one");
            report(self.problems, message, Some(WHERE_ALL.to_owned()));
            return None;
        }
        self.note(index);
        let known = match number_of(index, self.parameters, number) {
            Ok(known) => known,
            Err(wrong) => {
                report(self.problems, format!("in the index of `{base}[{index}]`: {wrong}"), None);
                return None;
            }
        };
        let within = usize::try_from(known).ok().filter(|known| (1..=count).contains(known));
        if within.is_none() {
            let written = index.trim() == known.to_string();
            let is = if written { String::new() } else { format!(" is `{base}[{known}]` here:") };
            let message = format!("`{base}[{index}]`{is} `{base}` has the parts 1 to {count}");
            let hint = number.and_then(|number| {
                let (section, rest) = path.split_once('.')?;
                let (own, _) = base_and_number(rest.split('.').next()?)?;
                Some(format!("say what differs for this part in [{section}.\"{own}[{number}]\"]"))
            });
            report(self.problems, message, hint);
        }
        within
    }
}

/// Sets what is said for a single part in the table of its array: each of its keys as a whole. A size replaces the size or the fit that it
/// excludes, as it does on the command line.
fn merge(table: &mut Table, single: Table) {
    let says = |key: &str| single.get(key).is_some();
    let gone = superseded(&says, &|key| says(key) || table.get(key).is_some());
    for key in gone {
        table.remove(key);
    }
    let mut own = single;
    for (key, node) in own.take() {
        table.set(key, node);
    }
}
