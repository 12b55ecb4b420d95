//! Keys of single parts of arrays that are set from outside: `joints.pin[3].clearance` or `joints.pin-3.clearance`.

use super::index::number_of;
use super::{SECTIONS, base_and_index, base_and_number};
use crate::parameters::Parameters;
use crate::problem::SourcePlace;
use crate::source::{Key, Node, Table, Value, join, keys};

/// A path that leads to or into a part of an array.
pub(crate) struct Deferred<'p> {
    section: &'p str,
    base: &'p str,
    index: String,
    rest: Vec<&'p str>,
}

impl<'p> Deferred<'p> {
    /// The part of an array that a path leads to or into, if it does.
    pub(crate) fn of(path: &'p str, root: &Node) -> Option<Self> {
        let keys = keys(path)?;
        let (&section, inside) = keys.split_first()?;
        let (&name, rest) = inside.split_first()?;
        if !SECTIONS.contains(&section) {
            return None;
        }
        let parts = root.table()?.get(section)?.table()?;
        let (base, index) = match base_and_index(name) {
            Some((base, index)) => (base, index.trim().to_owned()),
            None if parts.get(name).is_some() => return None,
            None => {
                let (base, number) = base_and_number(name)?;
                (base, number.to_string())
            }
        };
        parts.get(base)?.table()?.get("count")?;
        Some(Deferred { section, base, index, rest: rest.to_vec() })
    }
}

/// The table of a part of an array, which is made if the file has none: the path in it. Where a key of a table or list is set that only the
/// array has, the part gets a copy of it first.
pub(crate) fn materialise(
    root: &mut Node,
    deferred: &Deferred<'_>,
    parameters: &Parameters,
    place: &SourcePlace,
) -> String {
    let Deferred { section, base, index, rest } = deferred;
    let number = number_of(index, parameters, None).ok();
    let same = |name: &str| {
        let of = base_and_index(name).filter(|(of, _)| of == base);
        of.is_some_and(|(_, other)| {
            other.trim() == index
                || number.is_some() && number_of(other, parameters, None).ok() == number
        })
    };
    let shown = number.map_or_else(|| index.clone(), |number| number.to_string());
    let mut name = format!("{base}[{shown}]");
    if let Value::Table(root) = &mut root.value
        && let Some(Value::Table(parts)) = root.get_mut(section).map(|node| &mut node.value)
    {
        if let Some((key, _)) = parts.iter().find(|(key, _)| same(&key.name)) {
            name.clone_from(&key.name);
        }
        let definition = parts.get(base).and_then(Node::table);
        let copied = rest.first().filter(|_| rest.len() > 1);
        let copied = copied.and_then(|key| Some((*key, definition?.get(key)?.clone())));
        if parts.get(&name).is_none() {
            let key = Key { name: name.clone(), place: place.clone() };
            parts.set(key, Node { place: place.clone(), value: Value::Table(Table::default()) });
        }
        if let Some((key, node)) = copied
            && let Some(Value::Table(own)) = parts.get_mut(&name).map(|node| &mut node.value)
            && own.get(key).is_none()
        {
            own.set(Key { name: key.to_owned(), place: node.place.clone() }, node);
        }
    }
    rest.iter().fold(join(section, &name), |path, key| join(&path, key))
}

/// A path with the name of the array in the place of one of its parts: what may be set in a part may be set in the array.
pub(crate) fn without_index(path: &str) -> String {
    let Some((section, inside)) = path.split_once('.') else { return path.to_owned() };
    let (name, rest) = inside.split_once('.').unwrap_or((inside, ""));
    match base_and_index(name).filter(|_| SECTIONS.contains(&section)) {
        Some((base, _)) if rest.is_empty() => join(section, base),
        Some((base, _)) => join(&join(section, base), rest),
        None => path.to_owned(),
    }
}
