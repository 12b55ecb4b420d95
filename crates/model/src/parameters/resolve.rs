//! Replaces the formulas of a tree by their numbers.

use jointplay_expression::ExpressionError;

use super::computed::Computed;
use super::{Parameters, finished, without_sign};
use crate::problem::Problems;
use crate::shape::{Kind, Record, variant};
use crate::source::{Node, Table, Value, join};
use crate::units::Dimension;

/// Replaces formulas by numbers.
pub(super) struct Resolver<'r> {
    pub(super) parameters: &'r Parameters,
    pub(super) source: &'r str,
    pub(super) problems: &'r mut Problems,
}

impl Resolver<'_> {
    pub(super) fn resolve(&mut self, node: &mut Node, kind: &Kind, path: &str) {
        if let Some(text) = node.text() {
            let (formula, offset) = without_sign(text);
            if offset > 0 && is_number(kind) {
                let computed = Computed::of(formula, self.parameters);
                let broken = |wrong: &ExpressionError| match wrong {
                    ExpressionError::UnknownName { name, .. } => {
                        self.parameters.broken.contains(name)
                    }
                    _ => false,
                };
                let number = match computed {
                    // The reason why the parameter is not known has been reported.
                    Err(wrong) if broken(&wrong) => None,
                    computed => {
                        let (source, problems) = (self.source, &mut *self.problems);
                        finished(computed, formula, node, offset, source, path, problems)
                    }
                };
                // What is wrong has been reported: any number will do for the other checks.
                node.value = Value::Computed(number.unwrap_or_else(|| Computed::plain(1.0)));
            } else if offset > 0 && matches!(kind, Kind::Signal(..)) {
                // An expression of time, which may have the parameters anyway.
                node.value = Value::Text(formula.trim().to_owned());
            }
            return;
        }
        match kind {
            Kind::Record(record) | Kind::Signal(_, record) => {
                if let Value::Table(table) = &mut node.value {
                    self.record(table, record, path);
                }
            }
            Kind::Tagged(variants) => {
                if let Value::Table(table) = &mut node.value
                    && let Some(record) = variant(table, variants)
                {
                    self.record(table, record, path);
                }
            }
            Kind::Map(inner) => {
                if let Value::Table(table) = &mut node.value {
                    for (key, node) in table.iter_mut() {
                        self.resolve(node, inner, &join(path, &key.name));
                    }
                }
            }
            Kind::List(inner) => self.entries(node, inner, path),
            Kind::Vector(dimensions) => self.entries(node, &Kind::Quantity(dimensions), path),
            // A node has one form, and only one of the kinds takes it.
            Kind::AnyOf(kinds) => kinds.iter().for_each(|kind| self.resolve(node, kind, path)),
            Kind::Text
            | Kind::Name
            | Kind::Law(_)
            | Kind::Flag
            | Kind::Count
            | Kind::Whole
            | Kind::Changes
            | Kind::Formula
            | Kind::Quantity(_)
            | Kind::Choice(_) => {}
        }
    }

    /// The entries of a list.
    fn entries(&mut self, node: &mut Node, kind: &Kind, path: &str) {
        if let Value::List(list) = &mut node.value {
            for entry in list {
                self.resolve(entry, kind, path);
            }
        }
    }

    fn record(&mut self, table: &mut Table, record: &Record, path: &str) {
        for (key, node) in table.iter_mut() {
            let path = join(path, &key.name);
            match record.field(&key.name) {
                Some(field) => self.resolve(node, &field.kind, &path),
                None if record.parameters => {
                    self.resolve(node, &Kind::Quantity(&[Dimension::Number]), &path);
                }
                None => {}
            }
        }
    }
}

/// Whether a kind takes a number, so that a text with `=` is a formula.
fn is_number(kind: &Kind) -> bool {
    match kind {
        Kind::Quantity(_) | Kind::Count => true,
        Kind::AnyOf(kinds) => kinds.iter().any(is_number),
        Kind::Text
        | Kind::Name
        | Kind::Law(_)
        | Kind::Flag
        | Kind::Whole
        | Kind::Changes
        | Kind::Formula
        | Kind::Vector(_)
        | Kind::Choice(_)
        | Kind::Signal(..)
        | Kind::Record(_)
        | Kind::Tagged(_)
        | Kind::Map(_)
        | Kind::List(_) => false,
    }
}
