//! A table whose shape is known, read by key.

use crate::document::At;
use crate::problem::SourcePlace;
use crate::shape::{self, Kind, Record};
use crate::source::{Node, Table, join};
use crate::units::Dimension;
use crate::word::Word;

/// A table of a known record. What does not fit its field has been reported: it reads as `None`.
pub(crate) struct View<'t> {
    table: &'t Table,
    record: &'static Record,
    path: String,
    place: SourcePlace,
}

impl<'t> View<'t> {
    pub(crate) fn root(table: &'t Table, record: &'static Record) -> Self {
        View { table, record, path: String::new(), place: SourcePlace::File }
    }

    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn place(&self) -> &SourcePlace {
        &self.place
    }

    pub(crate) fn at(&self) -> At {
        At { path: self.path.clone(), place: self.place.clone() }
    }

    pub(crate) fn path_of(&self, key: &str) -> String {
        join(&self.path, key)
    }

    pub(crate) fn place_of(&self, key: &str) -> &SourcePlace {
        self.table.get(key).map_or(&self.place, |node| &node.place)
    }

    pub(crate) fn at_key(&self, key: &str) -> At {
        At { path: self.path_of(key), place: self.place_of(key).clone() }
    }

    pub(crate) fn node(&self, key: &'static str) -> Option<&'t Node> {
        debug_assert!(self.record.field(key).is_some(), "{key} is not in the format");
        self.table.get(key)
    }

    pub(crate) fn has(&self, key: &'static str) -> bool {
        self.node(key).is_some()
    }

    /// All keys with their values, known or not.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (&'t str, &'t Node)> {
        self.table.iter().map(|(key, node)| (key.name.as_str(), node))
    }

    pub(crate) fn text(&self, key: &'static str) -> Option<&'t str> {
        self.node(key)?.text()
    }

    /// What the word of a key chooses; `None` without one, and for other words, which have been reported.
    pub(crate) fn word<T: Word>(&self, key: &'static str) -> Option<T> {
        let chosen = |word| T::ALL.iter().copied().find(|choice| choice.word() == word);
        debug_assert!(
            match self.record.field(key).map(|field| &field.kind) {
                Some(Kind::Choice(words)) => words.iter().all(|word| T::WORDS.contains(word)),
                _ => false,
            },
            "{key} admits words that choose nothing"
        );
        chosen(self.text(key)?)
    }

    pub(crate) fn flag(&self, key: &'static str) -> Option<bool> {
        match self.node(key)?.value {
            crate::source::Value::Flag(flag) => Some(flag),
            _ => None,
        }
    }

    pub(crate) fn quantity(&self, key: &'static str, dimension: Dimension) -> Option<f64> {
        shape::quantity(self.node(key)?, &[dimension]).ok().map(|(value, _)| value)
    }

    pub(crate) fn vector(&self, key: &'static str, dimension: Dimension) -> Option<[f64; 2]> {
        let [x, y] = self.node(key)?.list()? else { return None };
        let number = |node| shape::quantity(node, &[dimension]).ok().map(|(value, _)| value);
        Some([number(x)?, number(y)?])
    }

    /// The table of a key.
    pub(crate) fn view(&self, key: &'static str) -> Option<View<'t>> {
        let kind = &self.record.field(key)?.kind;
        sub(self.table.get(key)?, kind, self.path_of(key), None)
    }

    /// The tables of a list.
    pub(crate) fn list(&self, key: &'static str) -> Vec<View<'t>> {
        let Some(Kind::List(kind)) = self.record.field(key).map(|field| &field.kind) else {
            return Vec::new();
        };
        let nodes = self.table.get(key).and_then(Node::list).unwrap_or_default();
        nodes.iter().filter_map(|node| sub(node, kind, self.path_of(key), None)).collect()
    }

    /// The named tables of a section whose shape is known.
    pub(crate) fn parts(&self, key: &'static str) -> Vec<(&'t str, View<'t>)> {
        let Some(Kind::Map(kind)) = self.record.field(key).map(|field| &field.kind) else {
            return Vec::new();
        };
        let Some(table) = self.table.get(key).and_then(Node::table) else { return Vec::new() };
        let section = self.path_of(key);
        let part = |(key, node): (&'t crate::source::Key, &'t Node)| {
            let view = sub(node, kind, join(&section, &key.name), Some(&key.place))?;
            Some((key.name.as_str(), view))
        };
        table.iter().filter_map(part).collect()
    }

    /// The names of a section.
    pub(crate) fn keys(
        &self,
        key: &'static str,
    ) -> impl Iterator<Item = (&'t str, &'t SourcePlace)> {
        let table = self.table.get(key).and_then(Node::table);
        table.into_iter().flat_map(Table::iter).map(|(key, _)| (key.name.as_str(), &key.place))
    }
}

/// The record of a node, if it is a table of one; its place is that of its key where it has one.
fn sub<'t>(
    node: &'t Node,
    kind: &Kind,
    path: String,
    key: Option<&SourcePlace>,
) -> Option<View<'t>> {
    let table = node.table()?;
    let record = match kind {
        Kind::Record(record) | Kind::Signal(_, record) => *record,
        Kind::Tagged(variants) => shape::variant(table, variants)?,
        Kind::AnyOf(kinds) => kinds
            .iter()
            .find_map(|kind| if let Kind::Record(record) = kind { Some(*record) } else { None })?,
        Kind::Text
        | Kind::Name
        | Kind::Law(_)
        | Kind::Flag
        | Kind::Count
        | Kind::Whole
        | Kind::Changes
        | Kind::Formula
        | Kind::Quantity(_)
        | Kind::Vector(_)
        | Kind::Choice(_)
        | Kind::Map(_)
        | Kind::List(_) => return None,
    };
    Some(View { table, record, path, place: key.unwrap_or(&node.place).clone() })
}
