//! Overrides written into the text of a model file: comments, order and untouched lines stay as they are.
//!
//! What becomes of a law is decided elsewhere, on the document; this module only writes it.

use std::collections::BTreeMap;

use jointplay_contact::catalog::sheet_of;
use toml_edit::{DocumentMut, InlineTable, Item, Table, TableLike, Value};

use crate::array::{Arrays, single_part};
use crate::document::{ContactPart, Document};
use crate::element::LawSpec;
use crate::model::too_long;
use crate::overrides::Overrides;
use crate::problem::{Diagnostics, Problems, SourcePlace};
use crate::shape;
use crate::source::{self, Node};
use crate::tables::{TableReader, Tables};
use crate::{law, lower};

/// Sections and their parts have headers of their own; deeper tables are written inline.
const HEADERS: usize = 2;

impl Overrides {
    /// The text of a model file with these changes written into it. Read without changes, it gives the same model as the
    /// original text with the changes. Missing keys are added, parameters of replaced laws are removed, and
    /// everything else stays as it is, including comments. The tables are those that the model and the changes refer to.
    ///
    /// ```
    /// use jointplay_model::{Overrides, Tables};
    ///
    /// let text = "# mine\nformat = 1\n[run]\nuntil = \"1 s\"    # one turn\n";
    /// let changes = Overrides::new().set("run.until", "2 s").set("run.rtol", 1e-9);
    /// let changed = changes.apply_to(text, &Tables::none())?;
    /// assert_eq!(changed, "# mine\nformat = 1\n[run]\nuntil = \"2 s\"    # one turn\nrtol = 1e-9\n");
    /// # Ok::<(), jointplay_model::Diagnostics>(())
    /// ```
    ///
    /// # Errors
    /// A text that is not TOML, keys that cannot be set, laws that do not exist; and, if a law is to be replaced, everything
    /// that is wrong with the model.
    pub fn apply_to(&self, text: &str, tables: &Tables) -> Result<String, Diagnostics> {
        if let Some(message) = too_long(text) {
            return Err(Diagnostics::whole(None, message, None));
        }
        let mut problems = Problems::default();
        let root = source::root(text, &mut problems);
        let changes = self.with_case_of(root.as_ref(), &mut problems);
        let root = root.filter(|_| problems.is_empty());
        let mut tables = TableReader::new(tables);
        let written =
            root.and_then(|root| changes.write_into(root, text, &mut tables, &mut problems));
        match written {
            Some(changed) if problems.is_empty() => Ok(with_line_ends_of(text, changed)),
            _ => Err(problems.into_diagnostics(None, text, &changes.as_said())),
        }
    }

    fn write_into(
        &self,
        mut root: Node,
        text: &str,
        tables: &mut TableReader<'_>,
        problems: &mut Problems,
    ) -> Option<String> {
        let mut file = match text.parse::<DocumentMut>() {
            Ok(file) => file,
            Err(error) => {
                let place = error.span().map_or(SourcePlace::File, SourcePlace::Span);
                problems.report(&place, "", format!("not TOML: {}", error.message()), None);
                return None;
            }
        };
        let replaced = self.replaced(&root);
        let keys = self.set_in(&mut root, problems);
        for path in replaced {
            remove(&mut file, &path);
        }
        for (path, value, number) in &keys {
            if problems.is_empty() && set(&mut file, path, value).is_none() {
                let place = SourcePlace::Set(*number);
                problems.report(&place, path, "this cannot be written into the file", None);
            }
        }
        let Some(law) = self.named_law() else {
            // If a law was set, the parameters in the file for the previous law are removed.
            let law_set = keys.iter().any(|(path, ..)| source::is_of_law(path));
            let settled = law_set.then(|| document(&root, text, tables, &mut Problems::default()));
            let settled = settled.flatten();
            if let Some(mut settled) = settled {
                let (mut wrong, mut untaken) = (Problems::default(), Problems::default());
                law::settle(&mut settled, &mut wrong, &mut untaken);
                let good = wrong.is_empty() && untaken.is_empty();
                if good {
                    forget_foreign(&mut file, &settled);
                }
            }
            return Some(file.to_string());
        };
        let old = document(&root, text, tables, problems)?;
        let mut new = old.clone();
        let place = self.place_of_law();
        law::replace_all(&mut new, (law, self.makes_ideal()), &place, tables, problems);
        let mut untaken = Problems::default();
        law::settle(&mut new, problems, &mut untaken);
        if !self.serves_several_laws() {
            problems.append(untaken);
        }
        if !problems.is_empty() {
            return None;
        }
        let changed = &new;
        for (old, new) in old.contact_parts().zip(new.contact_parts()) {
            write_part(&mut file, &old, &new, &changed.arrays);
        }
        forget_foreign(&mut file, changed);
        // A region takes from its joint the keys that it lacks; if these differ from the decided
        // ones, all keys are written.
        let mut unreadable = Problems::default();
        let written = file.to_string();
        let read = source::root(&written, &mut unreadable)
            .and_then(|root| document(&root, &written, tables, &mut unreadable))
            .map(|mut read| {
                law::settle(&mut read, &mut Problems::default(), &mut Problems::default());
                read
            });
        let Some(read) = read else {
            problems.report(&place, "", "this cannot be written into the file", None);
            return None;
        };
        for (read, new) in read.contact_parts().zip(new.contact_parts()) {
            let mut regions = read.spec.regions.iter().zip(&new.spec.regions);
            if regions.any(|((_, read), (_, new))| read.in_use() != new.in_use()) {
                write_regions(&mut file, &new, &changed.arrays);
            }
        }
        Some(file.to_string())
    }
}

/// Keeps the line endings of the original.
fn with_line_ends_of(text: &str, changed: String) -> String {
    let count = |end: &str| text.matches(end).count();
    if count("\r\n") > 0 && count("\r\n") == count("\n") {
        changed.replace('\n', "\r\n")
    } else {
        changed
    }
}

/// The document of a tree, if all is well with it.
fn document(
    root: &Node,
    text: &str,
    tables: &mut TableReader<'_>,
    problems: &mut Problems,
) -> Option<Document> {
    let document = lower::read(&mut root.clone(), text, tables, problems)?;
    problems.is_empty().then_some(document)
}

/// A place in a file.
enum Spot<'f> {
    Item(&'f mut Item),
    /// An entry of a list.
    Value(&'f mut Value),
    /// An entry of a list of tables with headers.
    Table(&'f mut Table),
}

impl<'f> Spot<'f> {
    fn table(self) -> Option<&'f mut dyn TableLike> {
        match self {
            Spot::Item(item) => item.as_table_like_mut(),
            Spot::Value(value) => value.as_inline_table_mut().map(|table| table as _),
            Spot::Table(table) => Some(table),
        }
    }

    fn is_list(&self) -> bool {
        match self {
            Spot::Item(item) => item.is_array() || item.is_array_of_tables(),
            Spot::Value(value) => value.is_array(),
            Spot::Table(_) => false,
        }
    }

    /// Spaces a table on one line evenly.
    fn tidy(self) {
        let table = match self {
            Spot::Item(item) => item.as_inline_table_mut(),
            Spot::Value(value) => value.as_inline_table_mut(),
            Spot::Table(_) => None,
        };
        let Some(table) = table else { return };
        let mut inside = table.clone();
        inside.decor_mut().clear();
        if !inside.to_string().contains('\n') {
            table.fmt();
        }
    }

    /// The value of a key, made if it is missing, or of an entry of a list; the depth is that of this place.
    fn step(self, key: &str, depth: usize) -> Option<Spot<'f>> {
        if self.is_list() {
            let entry = source::entry(key)?;
            return match self {
                Spot::Item(Item::ArrayOfTables(list)) => list.get_mut(entry).map(Spot::Table),
                Spot::Item(item) => item.as_array_mut()?.get_mut(entry).map(Spot::Value),
                Spot::Value(value) => value.as_array_mut()?.get_mut(entry).map(Spot::Value),
                Spot::Table(_) => None,
            };
        }
        let table = self.table()?;
        if !table.contains_key(key) {
            let header = || {
                let mut table = Table::new();
                table.set_implicit(true);
                Item::Table(table)
            };
            let inline = || Item::Value(Value::InlineTable(InlineTable::new()));
            table.insert(key, if depth < HEADERS { header() } else { inline() });
        }
        let item = table.get_mut(key)?;
        Some(Spot::Item(item))
    }
}

/// The place of a path that can be set.
fn walk<'f>(file: &'f mut DocumentMut, keys: &[&str]) -> Option<Spot<'f>> {
    let mut at = Spot::Item(file.as_item_mut());
    for (depth, key) in keys.iter().enumerate() {
        at = at.step(key, depth)?;
    }
    Some(at)
}

/// Sets one value, as [`source::set`] does in the tree; `None` if the file has no such place.
fn set(file: &mut DocumentMut, path: &str, text: &str) -> Option<()> {
    let keys = source::keys(path)?;
    let (last, parents) = keys.split_last()?;
    copy_of_array(file, &keys);
    for end in 1..=parents.len() {
        // A law given as text becomes its table, so that a part of it can be set.
        if let Spot::Item(item) = walk(file, &parents[..end])?
            && let Some(parts) = item.as_str().and_then(source::law_parts)
        {
            replace(item, Value::InlineTable(parts.into_iter().collect()));
        }
    }
    let (at, value) = (walk(file, parents)?, value_of(text));
    if at.is_list() {
        match at.step(last, parents.len())? {
            Spot::Item(item) => replace(item, value),
            Spot::Value(old) => *old = like(old, value),
            Spot::Table(_) => return None,
        }
    } else {
        let table = at.table()?;
        match value {
            // Parts have headers: a value would come before those of the others.
            Value::InlineTable(value) if parents.len() < HEADERS && !table.contains_key(last) => {
                table.insert(last, Item::Table(with_header(value)));
            }
            value => put(table, last, value),
        }
    }
    (1..=parents.len()).try_for_each(|end| walk(file, &parents[..end]).map(Spot::tidy))
}

/// Where a part of an array is to say a part of a key that only the array has, it gets a copy of it first, as in the tree.
fn copy_of_array(file: &mut DocumentMut, keys: &[&str]) -> Option<()> {
    let [section, name, key, _, ..] = keys else { return None };
    let base = single_part(section, name)?;
    let parts = file.get(section)?;
    let own = parts.get(name).and_then(|part| part.get(key));
    let copy = parts.get(base)?.get(key)?.clone().into_value().ok();
    if let (Some(copy), None) = (copy, own) {
        put(walk(file, &keys[..2])?.table()?, key, copy);
    }
    Some(())
}

/// Removes a key, if it is there.
fn remove(file: &mut DocumentMut, path: &str) -> Option<()> {
    let keys = source::keys(path)?;
    let (last, parents) = keys.split_last()?;
    let exists = parents.iter().try_fold(file.as_item(), |item, key| item.get(key));
    exists?.get(last)?;
    walk(file, parents)?.table()?.remove(last);
    Some(())
}

/// A text as a TOML value, or as itself.
fn value_of(text: &str) -> Value {
    let parsed = format!("v = {text}").parse::<DocumentMut>().ok().filter(|file| file.len() == 1);
    let value = parsed.and_then(|mut file| file.remove("v")?.into_value().ok());
    value.map_or_else(
        || text.into(),
        |mut value| {
            value.decor_mut().clear();
            value
        },
    )
}

/// A value with the space and the comments around another.
fn like(old: &Value, mut value: Value) -> Value {
    *value.decor_mut() = old.decor().clone();
    value
}

/// Puts a value in the place of another; a table with a header keeps it.
fn replace(item: &mut Item, value: Value) {
    *item = match (&*item, value) {
        (Item::Value(old), value) => Item::Value(like(old, value)),
        (Item::Table(old), Value::InlineTable(value)) if !old.is_dotted() => {
            let mut table = with_header(value);
            table.set_position(old.position());
            *table.decor_mut() = old.decor().clone();
            Item::Table(table)
        }
        (_, value) => Item::Value(value),
    };
}

fn with_header(table: InlineTable) -> Table {
    let mut table = table.into_table();
    table.fmt();
    table
}

/// Sets a key of a table.
fn put(table: &mut dyn TableLike, key: &str, value: Value) {
    if let Some(item) = table.get_mut(key) {
        replace(item, value);
    } else {
        table.insert(key, Item::Value(value));
    }
}

/// The table that has a key of a part, or would have it. For a part of an array this is the table of the array, unless the file has the
/// key for this part alone.
fn home<'f>(
    file: &'f mut DocumentMut,
    arrays: &Arrays,
    part: &ContactPart<'_>,
    key: &str,
) -> Option<&'f mut dyn TableLike> {
    let path = arrays.home(&source::join(part.path, key));
    let keys = source::keys(&path)?;
    let (_, parents) = keys.split_last()?;
    walk(file, parents)?.table()
}

/// Writes the changed laws of a part. A region of a slot without a law of its own has that of its
/// joint.
fn write_part(
    file: &mut DocumentMut,
    old: &ContactPart<'_>,
    new: &ContactPart<'_>,
    arrays: &Arrays,
) -> Option<()> {
    let main = &new.spec.law;
    if old.spec.law.in_use() != main.in_use() {
        write_law(home(file, arrays, new, "law")?, "law", main, None);
    }
    let changed = old
        .spec
        .regions
        .iter()
        .zip(&new.spec.regions)
        .filter(|(old, new)| old.1.in_use() != new.1.in_use());
    for (_, (region, law)) in changed {
        let laws = home(file, arrays, new, "laws")?.get_mut("laws");
        if let Some(laws) = laws.and_then(Item::as_table_like_mut)
            && laws.contains_key(region.name())
        {
            write_law(laws, region.name(), law, Some(main));
        }
    }
    Some(())
}

/// Writes a law: into its table, or as text. What it would take from another law anyway is not repeated.
fn write_law(table: &mut dyn TableLike, key: &str, law: &LawSpec, from: Option<&LawSpec>) {
    let Some(own) = table.get_mut(key).filter(|item| item.is_table_like()) else {
        put(table, key, law.text().into());
        return;
    };
    if let Some(own) = own.as_table_like_mut() {
        let others = from.map(LawSpec::parts).unwrap_or_default();
        for (i, (part, id)) in law.parts().into_iter().enumerate() {
            let Some(id) = id else { continue };
            let written = own.get(part).and_then(Item::as_str);
            let inherited = written.is_none() && others[i].1.as_ref() == Some(&id);
            let same =
                written.is_some_and(|old| old == id || sheet_of(old).is_ok_and(|s| s.id == id));
            if !inherited && !same {
                put(own, part, id.into());
            }
        }
        for (key, parameter) in shape::law_parameters() {
            if !law.numbers.contains_key(parameter.key) {
                own.remove(key);
            }
        }
    }
    Spot::Item(own).tidy();
}

/// Removes the parameters that the laws do not take, which would be wrong in a file.
fn forget_foreign(file: &mut DocumentMut, document: &Document) {
    let arrays = &document.arrays;
    // The parts of an array may share the place where something stands: it stays if one of them takes it.
    let mut laws_of: BTreeMap<String, Vec<&LawSpec>> = BTreeMap::new();
    let place = |part: &ContactPart<'_>, key: &str| arrays.home(&source::join(part.path, key));
    for part in document.contact_parts() {
        for key in ["restitution", "law"] {
            let laws = part.spec.regions.iter().map(|(_, law)| law).chain([&part.spec.law]);
            laws_of.entry(place(&part, key)).or_default().extend(laws);
        }
        for (region, law) in &part.spec.regions {
            let region = source::join(&place(&part, "laws"), region.name());
            laws_of.entry(region).or_default().push(law);
        }
    }
    for (path, laws) in laws_of {
        let taken = |key: &str| laws.iter().any(|law| law.takes(key));
        forget_at(file, &path, &taken);
    }
}

/// Removes what is not taken from a law, or a restitution that is not.
fn forget_at(file: &mut DocumentMut, path: &str, taken: &dyn Fn(&str) -> bool) -> Option<()> {
    let keys = source::keys(path)?;
    let (last, parents) = keys.split_last()?;
    let exists = parents.iter().try_fold(file.as_item(), |item, key| item.get(key));
    exists?.get(last)?;
    let table = walk(file, parents)?.table()?;
    if *last == "restitution" {
        if !taken(last) {
            table.remove(last);
        }
    } else if let Some(law) = table.get_mut(last) {
        retain(law, taken);
    }
    Some(())
}

/// Keeps those parameters of a law in its table.
fn retain(law: &mut Item, kept: &dyn Fn(&str) -> bool) {
    let own = ["restitution", "half_width", "clearance", "max_indentation", "max_rate"];
    let own = own.into_iter().map(|key| (key, key));
    let all = own.chain(shape::law_parameters().map(|(key, parameter)| (key, parameter.key)));
    let Some(table) = law.as_table_like_mut() else { return };
    let before = table.len();
    for (written, _) in all.filter(|(_, key)| !kept(key)) {
        table.remove(written);
    }
    if table.len() != before {
        Spot::Item(law).tidy();
    }
}

/// Writes the laws of all regions of a slot in full, because the law of the slot no longer has numbers that they could inherit.
fn write_regions(file: &mut DocumentMut, part: &ContactPart<'_>, arrays: &Arrays) -> Option<()> {
    if let Some(law) =
        home(file, arrays, part, "law")?.get_mut("law").filter(|law| law.is_table_like())
    {
        if let Some(law) = law.as_table_like_mut() {
            shape::law_parameters().for_each(|(key, _)| drop(law.remove(key)));
        }
        Spot::Item(law).tidy();
    }
    let path = arrays.home(&source::join(part.path, "laws"));
    let keys = source::keys(&path)?;
    for (region, law) in &part.spec.regions {
        let laws = walk(file, &keys)?.table()?;
        if laws.get(region.name()).is_none_or(|law| !law.is_table_like()) {
            put(laws, region.name(), Value::InlineTable(InlineTable::new()));
        }
        write_law(laws, region.name(), law, None);
        let own = laws.get_mut(region.name())?;
        for (key, parameter) in shape::law_parameters() {
            if let Some(value) = law.numbers.get(parameter.key)
                && own.get(key).is_none()
            {
                put(own.as_table_like_mut()?, key, (*value).into());
            }
        }
        Spot::Item(own).tidy();
    }
    walk(file, &keys).map(Spot::tidy)
}
