//! From text to a tree in which every key and value knows its place; overrides are set in it.

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use crate::format::MODEL;
use crate::parameters::Computed;
use crate::problem::{Problems, SourcePlace};
use crate::shape::Kind;
use crate::suggestion::did_you_mean;
use crate::user::LawText;

/// Maximum nesting depth of tables and arrays.
const MAX_DEPTH: usize = 16;

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) place: SourcePlace,
    pub(crate) value: Value,
}

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Number(f64),
    /// What a formula of the parameters gave.
    Computed(Computed),
    Flag(bool),
    /// A date or time, which no key takes.
    Date,
    List(Vec<Node>),
    Table(Table),
}

/// Keys with their values, in the order of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    entries: Vec<(Key, Node)>,
    index: std::collections::BTreeMap<String, usize>,
}

/// A key with its place.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) name: String,
    pub(crate) place: SourcePlace,
}

impl Table {
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.index.get(key).map(|i| &self.entries[*i].1)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Key, &Node)> {
        self.entries.iter().map(|(key, node)| (key, node))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&Key, &mut Node)> {
        self.entries.iter_mut().map(|(key, node)| (&*key, node))
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Its entries, which are no longer in it.
    pub(crate) fn take(&mut self) -> Vec<(Key, Node)> {
        self.index.clear();
        std::mem::take(&mut self.entries)
    }

    /// The place of a key.
    pub(crate) fn place_of_key(&self, key: &str) -> SourcePlace {
        self.index.get(key).map_or(SourcePlace::File, |i| self.entries[*i].0.place.clone())
    }

    pub(crate) fn set(&mut self, key: Key, node: Node) {
        if let Some(i) = self.index.get(&key.name) {
            self.entries[*i] = (key, node);
        } else {
            self.index.insert(key.name.clone(), self.entries.len());
            self.entries.push((key, node));
        }
    }

    pub(crate) fn remove(&mut self, key: &str) -> Option<(Key, Node)> {
        let gone = self.index.remove(key)?;
        for place in self.index.values_mut().filter(|place| **place > gone) {
            *place -= 1;
        }
        Some(self.entries.remove(gone))
    }

    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        let i = *self.index.get(key)?;
        Some(&mut self.entries[i].1)
    }
}

impl Node {
    pub(crate) fn table(&self) -> Option<&Table> {
        if let Value::Table(table) = &self.value { Some(table) } else { None }
    }

    pub(crate) fn text(&self) -> Option<&str> {
        if let Value::Text(text) = &self.value { Some(text) } else { None }
    }

    pub(crate) fn list(&self) -> Option<&[Node]> {
        if let Value::List(list) = &self.value { Some(list) } else { None }
    }

    /// How much room it takes (bytes, roughly).
    pub(crate) fn weight(&self) -> usize {
        let inside = match &self.value {
            Value::Text(text) => text.len(),
            Value::Number(_) | Value::Computed(_) | Value::Flag(_) | Value::Date => 0,
            Value::List(list) => list.iter().map(Node::weight).sum(),
            Value::Table(table) => {
                table.iter().map(|(key, node)| 2 * key.name.len() + 100 + node.weight()).sum()
            }
        };
        inside + 100
    }

    /// The place to which these keys lead, or that of the last one that exists.
    pub(crate) fn place_of(&self, path: &[String]) -> SourcePlace {
        let Some((first, rest)) = path.split_first() else { return self.place.clone() };
        let next = match &self.value {
            Value::Table(table) => table.get(first),
            Value::List(list) => entry(first).and_then(|i| list.get(i)),
            _ => None,
        };
        next.map_or_else(|| self.place.clone(), |node| node.place_of(rest))
    }

    /// As it is written in TOML, on one line.
    pub(crate) fn to_toml(&self) -> String {
        let joined = |parts: Vec<String>| parts.join(", ");
        match &self.value {
            Value::Text(text) => toml_edit::Value::from(text.as_str()).to_string(),
            Value::Number(number) => format!("{number:?}").to_lowercase(),
            Value::Computed(number) => format!("{:?}", number.value),
            Value::Flag(flag) => flag.to_string(),
            // No key takes a date: it is refused wherever it is put.
            Value::Date => "0001-01-01".to_owned(),
            Value::List(list) => format!("[{}]", joined(list.iter().map(Node::to_toml).collect())),
            Value::Table(table) => {
                let entry = |(key, node): (&Key, &Node)| {
                    let name = toml_edit::Value::from(key.name.as_str());
                    format!("{name} = {}", node.to_toml())
                };
                format!("{{ {} }}", joined(table.iter().map(entry).collect()))
            }
        }
    }

    /// The kind of this value, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match &self.value {
            Value::Text(_) => "text",
            Value::Number(_) | Value::Computed(_) => "a number",
            Value::Flag(_) => "true or false",
            Value::Date => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// The tree of a text; `None` if it is not TOML: what follows from half a file would only confuse.
pub(crate) fn root(source: &str, problems: &mut Problems) -> Option<Node> {
    let tree = parse(source, problems);
    problems.is_empty().then_some(Node { place: SourcePlace::File, value: Value::Table(tree) })
}

/// The tree of a text, as far as it can be read.
fn parse(source: &str, problems: &mut Problems) -> Table {
    let (tree, errors) = DeTable::parse_recoverable(source);
    for error in errors {
        let place = error.span().map_or(SourcePlace::File, SourcePlace::Span);
        problems.report(&place, "", format!("not TOML: {}", error.message()), None);
    }
    let place_of = |span: std::ops::Range<usize>| SourcePlace::Span(span);
    table(tree.into_inner(), &place_of, "", 0, problems)
}

/// A table as a tree; deeper parts than allowed are left out and reported.
fn table(
    from: DeTable<'_>,
    place_of: &dyn Fn(std::ops::Range<usize>) -> SourcePlace,
    path: &str,
    depth: usize,
    problems: &mut Problems,
) -> Table {
    let mut entries: Vec<(Spanned<_>, Spanned<DeValue<'_>>)> = from.into_iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    let mut table = Table::default();
    for (key, value) in entries {
        let key_place = place_of(key.span());
        let name = key.into_inner().into_owned();
        let path = join(path, &name);
        let node = node(value, place_of, &path, depth + 1, problems);
        table.set(Key { name, place: key_place }, node);
    }
    table
}

fn node(
    from: Spanned<DeValue<'_>>,
    place_of: &dyn Fn(std::ops::Range<usize>) -> SourcePlace,
    path: &str,
    depth: usize,
    problems: &mut Problems,
) -> Node {
    let place = place_of(from.span());
    if depth > MAX_DEPTH {
        let hint = Some("models need only a few levels".to_owned());
        problems.report(&place, "", format!("nested deeper than {MAX_DEPTH} levels"), hint);
        return Node { place, value: Value::Flag(false) };
    }
    let value = match from.into_inner() {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(integer) => {
            let parsed = i128::from_str_radix(integer.as_str(), integer.radix());
            Value::Number(parsed.map_or(f64::INFINITY, |i| i as f64))
        }
        DeValue::Float(float) => Value::Number(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(flag) => Value::Flag(flag),
        DeValue::Datetime(_) => Value::Date,
        DeValue::Array(array) => Value::List(list(array, place_of, path, depth, problems)),
        DeValue::Table(inner) => Value::Table(table(inner, place_of, path, depth, problems)),
    };
    Node { place, value }
}

fn list(
    from: DeArray<'_>,
    place_of: &dyn Fn(std::ops::Range<usize>) -> SourcePlace,
    path: &str,
    depth: usize,
    problems: &mut Problems,
) -> Vec<Node> {
    from.into_iter().map(|value| node(value, place_of, path, depth + 1, problems)).collect()
}

/// `a.b`, or `b` at the top.
pub(crate) fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { [path, ".", key].concat() }
}

/// The part that a key belongs to: `joints.pin` of `joints.pin.laws.flat`.
pub(crate) fn part_of(path: &str) -> &str {
    let end = path.match_indices('.').nth(1).map_or(path.len(), |(end, _)| end);
    &path[..end]
}

/// Whether a key is the law of a part, by region or not, or lies in it.
pub(crate) fn is_of_law(path: &str) -> bool {
    keys(path).is_some_and(|keys| matches!(keys[..], [_, _, "law" | "laws", ..]))
}

/// The number of an entry of a list, written in one way only.
pub(crate) fn entry(key: &str) -> Option<usize> {
    key.parse().ok().filter(|i: &usize| i.to_string() == key)
}

/// The value of a path such as `joints.pin.law.damping`; entries of lists are counted from 0.
pub(crate) fn find<'t>(root: &'t Table, path: &str) -> Option<&'t Node> {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    let mut node = root.get(first)?;
    for key in rest.split('.').filter(|key| !key.is_empty()) {
        node = match &node.value {
            Value::Table(table) => table.get(key)?,
            Value::List(list) => list.get(entry(key)?)?,
            _ => return None,
        };
    }
    Some(node)
}

/// The keys of a path, if it is one.
pub(crate) fn keys(path: &str) -> Option<Vec<&str>> {
    let keys: Vec<&str> = path.split('.').map(|key| key.trim().trim_matches('"')).collect();
    (keys.iter().all(|key| !key.is_empty()) && keys.len() <= MAX_DEPTH).then_some(keys)
}

/// Sets one value: `joints.pin.law.damping` or `start.coordinates.0.rate` to what `text` says in TOML, or to the text
/// itself. Missing tables on the way are created, but not entries of lists.
pub(crate) fn set(root: &mut Node, path: &str, text: &str, number: usize, problems: &mut Problems) {
    let place = SourcePlace::Set(number);
    let Some(keys) = keys(path) else {
        let hint = Some("write --set joints.pin.law.damping=flores".to_owned());
        problems.report(&place, "", format!("`{path}` is not the path of a key"), hint);
        return;
    };
    let value = value_of(text, &place, path, problems);
    // A part that is new is given whole.
    let whole = keys.len() == 2 && value.table().is_some();
    if let Some((message, hint)) = unknown_part(root, &keys).filter(|_| !whole) {
        return problems.report_unknown_key(&place, path, message, hint);
    }
    let Some((last, parents)) = keys.split_last() else { return };
    let mut at = root;
    let mut walked = String::new();
    for key in parents {
        match at.step(key, &place) {
            Ok(next) => at = next,
            Err(wrong) => return problems.report(&place, path, wrong.message(&walked), None),
        }
        walked = join(&walked, key);
        if let Some(law) = law_table(at) {
            at.value = law;
        }
    }
    if let Value::Table(table) = &mut at.value {
        table.set(Key { name: (*last).to_owned(), place }, value);
        return;
    }
    match at.step(last, &place) {
        Ok(node) => *node = value,
        Err(wrong) => problems.report(&place, path, wrong.message(&walked), None),
    }
}

/// Sets the value to which these keys lead; keys may have any name, and missing tables on the way
/// are created.
pub(crate) fn set_at(
    root: &mut Node,
    path: &[String],
    text: &str,
    number: usize,
    problems: &mut Problems,
) {
    let place = SourcePlace::Set(number);
    let Some((last, parents)) = path.split_last() else { return };
    let mut at = root;
    for key in parents {
        let Ok(next) = at.step(key, &place) else { return };
        at = next;
    }
    let value = value_of(text, &place, &path.join("."), problems);
    if let Value::Table(table) = &mut at.value {
        table.set(Key { name: last.clone(), place }, value);
    }
}

/// Removes a key, if it is there.
pub(crate) fn remove(root: &mut Node, path: &str) {
    let keys = keys(path).unwrap_or_default();
    let Some((last, parents)) = keys.split_last() else { return };
    let mut at = root;
    for key in parents {
        let Value::Table(table) = &mut at.value else { return };
        let Some(next) = table.get_mut(key) else { return };
        at = next;
    }
    if let Value::Table(table) = &mut at.value {
        table.remove(last);
    }
}

/// What to say where a path leads to a part that the file does not have: a slip of the finger must not add a body.
fn unknown_part(root: &Node, keys: &[&str]) -> Option<(String, Option<String>)> {
    let [section, name, ..] = keys else { return None };
    let field = MODEL.field(section)?;
    if !matches!(field.kind, Kind::Map(_)) {
        return None;
    }
    let section_table = root.table()?.get(section);
    if section_table.is_some_and(|node| node.table().is_none_or(|parts| parts.get(name).is_some()))
    {
        return None;
    }
    let parts = section_table.and_then(Node::table);
    let names: Vec<&str> =
        parts.into_iter().flat_map(Table::iter).map(|(key, _)| key.name.as_str()).collect();
    let hint = did_you_mean(name, names.iter().copied());
    let hint = hint.unwrap_or_else(|| {
        format!("it has no [{section}]; add the part in the file, or set the whole part at once: {section}.{name}={{ … }}")
    });
    Some((format!("the file has no `{section}.{name}`"), Some(hint)))
}

/// The reason why a path cannot be followed.
pub(crate) enum Dead {
    /// The index is beyond the end of a list with this many entries.
    Entry(usize),
    /// Something of this kind has no keys.
    Leaf(&'static str),
}

impl Dead {
    pub(crate) fn message(&self, walked: &str) -> String {
        match self {
            Dead::Entry(count) => {
                format!("`{walked}` is a list of {count}; its entries are counted from 0")
            }
            Dead::Leaf(kind) => format!("`{walked}` is {kind}, not a table with keys of its own"),
        }
    }
}

impl Node {
    /// The value of a key, made if it is missing, or of an entry of a list.
    fn step(&mut self, key: &str, place: &SourcePlace) -> Result<&mut Node, Dead> {
        let kind = self.kind();
        match &mut self.value {
            Value::Table(table) => {
                if table.get(key).is_none() {
                    let fresh =
                        Node { place: place.clone(), value: Value::Table(Table::default()) };
                    table.set(Key { name: key.to_owned(), place: place.clone() }, fresh);
                }
                table.get_mut(key).ok_or(Dead::Leaf(kind))
            }
            Value::List(list) => {
                let count = list.len();
                let entry = entry(key).and_then(|i| list.get_mut(i));
                entry.ok_or(Dead::Entry(count))
            }
            _ => Err(Dead::Leaf(kind)),
        }
    }
}

/// A law given as text in its form as a table, so that a part of it can be set.
fn law_table(node: &Node) -> Option<Value> {
    let mut table = Table::default();
    for (key, id) in law_parts(node.text()?)? {
        let value = Node { place: node.place.clone(), value: Value::Text(id) };
        table.set(Key { name: key.to_owned(), place: node.place.clone() }, value);
    }
    Some(Value::Table(table))
}

/// The parts of a law given as text, as keys of its table.
pub(crate) fn law_parts(text: &str) -> Option<Vec<(&'static str, String)>> {
    let LawText { name, user } = LawText::parse(text).ok()?;
    let elastic = user.unwrap_or_else(|| name.elastic_or_default().id().to_owned());
    let damping = name.damping.map_or("no-damping", |damping| damping.id()).to_owned();
    let friction = name.friction.map(|friction| ("friction", friction.id().to_owned()));
    let parts = [("elastic", elastic), ("damping", damping)];
    Some(parts.into_iter().chain(friction).collect())
}

/// A text as a TOML value, or as itself.
fn value_of(text: &str, place: &SourcePlace, path: &str, problems: &mut Problems) -> Node {
    let line = format!("v = {text}");
    let text_itself = || Node { place: place.clone(), value: Value::Text(text.to_owned()) };
    let Ok(parsed) = DeTable::parse(&line) else { return text_itself() };
    let mut entries = parsed.into_inner().into_iter();
    let (Some((_, value)), None) = (entries.next(), entries.next()) else { return text_itself() };
    node(value, &|_| place.clone(), path, 1, problems)
}
