//! Arrays of parts: a part with a `count` stands for that many parts, which are named and numbered after it.
//!
//! `[joints.pin]` with `count = 3` is the joints `pin-1`, `pin-2` and `pin-3`. An array is [written out](expand) right after the file was read and
//! changed, before formulas are computed: what follows sees single parts, as if the file had them. [`Arrays`] remembers where in the file they
//! stand, for problems and for whoever sets their keys.

mod address;
mod expand;
mod index;
mod spread;

use std::collections::{BTreeMap, BTreeSet};

use crate::source::{entry, join};

pub(crate) use address::{Deferred, materialise, without_index};
pub(crate) use expand::expand;
pub(crate) use spread::{channels, metric};

/// The sections whose parts may be arrays.
pub(crate) const SECTIONS: [&str; 6] =
    ["bodies", "joints", "contacts", "drivers", "forces", "outputs"];

/// The number of a part in its array, from 1, in the formulas of an array.
pub(crate) const INDEX: &str = "i";

/// The arrays of a file by their names.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arrays {
    by_name: BTreeMap<String, Array>,
    /// The parameters on which counts and indices depend.
    counted_by: BTreeSet<String>,
}

/// An array.
#[derive(Clone, Debug)]
struct Array {
    section: &'static str,
    count: usize,
    /// Whether the count could not be read, which has been reported or will be.
    broken: bool,
    /// What the file says for single parts, by their numbers.
    own: BTreeMap<usize, Vec<Own>>,
}

/// A table for a single part, such as `[joints."pin[1]"]`.
#[derive(Clone, Debug)]
struct Own {
    /// Its name in the file, such as `pin[1]` or `pin[n]`.
    key: String,
    /// The keys that it sets.
    says: BTreeSet<String>,
}

/// A part of an array.
#[derive(Clone, Copy, Debug)]
struct Element<'n> {
    array: &'n Array,
    section: &'n str,
    base: &'n str,
    number: usize,
    /// The rest of the path of a key in it.
    rest: &'n str,
}

impl Arrays {
    pub(crate) fn is_empty(&self) -> bool {
        self.by_name.is_empty()
    }

    /// How many parts the array of this name has; `None` if there is none.
    fn count(&self, name: &str) -> Option<usize> {
        Some(self.by_name.get(name)?.count)
    }

    /// Whether all of them could be written out.
    pub(crate) fn are_known(&self) -> bool {
        self.by_name.values().all(|array| !array.broken)
    }

    /// Every array: its section, its name and how many parts it has.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static str, &str, usize)> {
        self.by_name.iter().map(|(name, array)| (array.section, name.as_str(), array.count))
    }

    /// Whether a count or an index depends on this parameter.
    pub(crate) fn count_by(&self, parameter: &str) -> bool {
        self.counted_by.contains(parameter)
    }

    /// What to write instead of the name of an array alone.
    pub(crate) fn hint(&self, name: &str) -> Option<String> {
        let Array { count, .. } = self.by_name.get(name)?;
        Some(format!(
            "`{name}` is an array of {count}: write `{name}[1]` … `{name}[{count}]`, in another array `{name}[i]`"
        ))
    }

    /// The part of an array that a path such as `joints.pin-3.clearance` leads to or into.
    fn element<'n>(&'n self, path: &'n str) -> Option<Element<'n>> {
        if self.by_name.is_empty() {
            return None;
        }
        let (section, inside) = path.split_once('.')?;
        let (name, rest) = inside.split_once('.').unwrap_or((inside, ""));
        let (base, number) = base_and_number(name)?;
        let array = self.by_name.get(base)?;
        let is_it = array.section == section && (1..=array.count).contains(&number);
        is_it.then_some(Element { array, section, base, number, rest })
    }

    /// The path in the file of a key of a part, and the number of the part: `joints.pin.clearance` for `joints.pin-3.clearance`.
    /// `None` if it is no part of an array.
    pub(crate) fn shown(&self, path: &str) -> Option<(String, usize)> {
        let Element { section, base, number, rest, .. } = self.element(path)?;
        let part = join(section, base);
        Some((if rest.is_empty() { part } else { join(&part, rest) }, number))
    }

    /// The path that sets a key of a part in the file: that of the array, or that of the table of the single part if it says this key.
    pub(crate) fn home(&self, path: &str) -> String {
        let Some(Element { array, section, base, number, rest }) = self.element(path) else {
            return path.to_owned();
        };
        let key = rest.split('.').next().unwrap_or_default();
        let mut own = array.own.get(&number).into_iter().flatten();
        let own = own.rfind(|own| own.says.contains(key)).map(|own| own.key.as_str());
        let part = join(section, own.unwrap_or(base));
        if rest.is_empty() { part } else { join(&part, rest) }
    }

    /// The name of the array of a part, if it has one.
    pub(crate) fn array_of<'n>(&'n self, section: &str, name: &'n str) -> Option<&'n str> {
        let (base, number) = base_and_number(name)?;
        let array = self.by_name.get(base)?;
        (array.section == section && (1..=array.count).contains(&number)).then_some(base)
    }
}

/// The name of a part of an array.
fn name_of(base: &str, number: usize) -> String {
    format!("{base}-{number}")
}

/// The name of its array and its number, as far as a name alone tells.
fn base_and_number(name: &str) -> Option<(&str, usize)> {
    let (base, number) = name.rsplit_once('-')?;
    Some((base, entry(number)?)).filter(|_| !base.is_empty())
}

/// The array of a name such as `pin[3]` in a section whose parts may be arrays.
pub(crate) fn single_part<'n>(section: &str, name: &'n str) -> Option<&'n str> {
    let (base, _) = base_and_index(name).filter(|_| SECTIONS.contains(&section))?;
    Some(base)
}

/// The two parts of a name such as `pin[i-1]`.
fn base_and_index(name: &str) -> Option<(&str, &str)> {
    let (base, index) = name.strip_suffix(']')?.split_once('[')?;
    (!base.is_empty() && !index.contains(['[', ']'])).then_some((base, index))
}
