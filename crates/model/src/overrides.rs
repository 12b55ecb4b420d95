//! Changes to a model before it is read.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::array::{Deferred, materialise, without_index};
use crate::format::MODEL;
use crate::parameters::Parameters;
use crate::problem::{Change, Problems, Said, SourcePlace};
use crate::shape;
use crate::source::{self, Node};
use crate::suggestion::did_you_mean;

/// A value for a key of a model. Numbers stay numbers and texts stay texts; [`read`](Self::read) interprets what a user typed.
///
/// ```
/// use jointplay_model::Value;
///
/// assert_ne!(Value::from(1.5), Value::from("1.5"));
/// assert_eq!(Value::read("1.5"), Value::from(1.5));
/// assert_eq!(Value::from(vec![1.0, 2.0]), Value::read("[1.0, 2.0]"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value(String);

impl Value {
    /// Interprets what a user typed: as TOML if it is valid TOML, otherwise as text.
    pub fn read(text: impl Into<String>) -> Self {
        Value(text.into())
    }

    /// The value as TOML; anything that is not TOML is text.
    pub fn toml(&self) -> &str {
        &self.0
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        // The shortest text that reads back to the same bits; TOML writes NaN in small letters.
        Value(format!("{number:?}").to_lowercase())
    }
}

/// Values that stand in TOML as Rust shows them.
macro_rules! shown {
    ($($kind:ty),*) => {
        $(impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Value(value.to_string())
            }
        })*
    };
}

shown!(bool, i32, i64, u32, u64, usize);

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value(toml_edit::Value::from(text).to_string())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(list: Vec<T>) -> Self {
        let entries: Vec<String> = list.into_iter().map(|entry| entry.into().0).collect();
        Value(format!("[{}]", entries.join(", ")))
    }
}

/// Changes to a model before it is read.
///
/// ```
/// use jointplay_model::Overrides;
///
/// let changes = Overrides::new().set("run.rtol", 1e-9).set("joints.pin.law.damping", "flores");
/// let others = Overrides::new().set_toml("run.until", "0.1 s").law("hertz+exact").ideal();
/// # let _ = (changes, others);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Overrides {
    case: Option<String>,
    sets: Vec<(String, Value)>,
    law: Option<Named>,
    ideal: bool,
    for_several_laws: bool,
    /// The flag that the user gave instead of `--set`, by the number of the set.
    said: BTreeMap<usize, String>,
    /// How many of the sets, the first ones, are those of a case.
    of_case: usize,
}

/// A law for all clearance joints and contacts.
#[derive(Clone, Debug, PartialEq)]
struct Named {
    law: String,
    /// The flag that the user gave, if not `--law`.
    said: Option<String>,
    /// The number of keys set before.
    after: usize,
    /// Whether a case names it.
    of_case: bool,
}

impl Overrides {
    /// No changes.
    pub fn new() -> Self {
        Overrides::default()
    }

    /// Sets one key. A law given as text becomes a table if a component of it is set; entries of lists are counted from 0,
    /// `start.coordinates.0.rate`.
    pub fn set(mut self, path: impl Into<String>, value: impl Into<Value>) -> Self {
        self.sets.push((path.into(), value.into()));
        self
    }

    /// Sets one key as `--set path=value` does: the value is read as TOML if it is valid TOML, otherwise as text.
    pub fn set_toml(self, path: impl Into<String>, value: impl Into<String>) -> Self {
        self.set(path, Value::read(value))
    }

    /// Sets one key for a flag such as `--rtol 1e-9`: problems then name the flag.
    pub fn set_by(
        mut self,
        flag: impl Into<String>,
        path: impl Into<String>,
        value: impl Into<Value>,
    ) -> Self {
        self.said.insert(self.sets.len(), flag.into());
        self.set(path, value)
    }

    /// Makes the changes of a case of the file, `[cases.NAME]`, before all others.
    pub fn case(mut self, name: impl Into<String>) -> Self {
        self.case = Some(name.into());
        self
    }

    /// Replaces the law of every clearance joint and contact, as `--law`: an elastic law alone has no damping, a damping law alone keeps
    /// the elastic law, friction stays unless named. Stops keep their laws, unless the model has nothing else that touches.
    pub fn law(mut self, law: impl Into<String>) -> Self {
        let after = self.sets.len();
        self.law = Some(Named { law: law.into(), said: None, after, of_case: false });
        self
    }

    /// Replaces laws as [`law`](Self::law) does, for another flag, such as `--laws hertz`: problems then name it.
    pub fn law_by(self, flag: impl Into<String>, law: impl Into<String>) -> Self {
        let mut named = self.law(law);
        if let Some(law) = &mut named.law {
            law.said = Some(flag.into());
        }
        named
    }

    /// Makes every joint with clearance ideal, after all other changes.
    pub fn ideal(mut self) -> Self {
        self.ideal = true;
        self
    }

    /// The keys are set for several laws, each of which may take some of them: a parameter that the law of this model does not
    /// take is not an error but is listed in [`Model::untaken`](crate::Model::untaken).
    pub fn for_several_laws(mut self) -> Self {
        self.for_several_laws = true;
        self
    }

    /// Whether nothing is changed.
    pub fn is_empty(&self) -> bool {
        self.case.is_none() && self.sets.is_empty() && self.law.is_none() && !self.ideal
    }

    /// Whether joints with clearance are made ideal.
    pub fn makes_ideal(&self) -> bool {
        self.ideal
    }

    /// The changes as flags of the command line, in their order.
    pub fn flags(&self) -> Vec<String> {
        let said = self.as_said().into_iter().take(self.sets.len());
        let mut flags: Vec<String> = said.map(|said| said.flag).collect();
        if let Some(Named { law, after, .. }) = &self.law {
            flags.insert(*after, format!("--law {law}"));
        }
        flags.splice(0..0, self.case.iter().map(|name| format!("--case {name}")));
        flags
    }

    /// The same with the changes of the case that is named, if one is, instead of its name; there is no tree where the text is not TOML,
    /// which is reported where it is read.
    pub(crate) fn with_case_of(
        &self,
        root: Option<&Node>,
        problems: &mut Problems,
    ) -> Cow<'_, Self> {
        let Some(name) = &self.case else { return Cow::Borrowed(self) };
        let cases = root.and_then(|root| root.table()?.get(CASES)?.table());
        let found = cases.and_then(|cases| cases.get(name)?.table());
        let mut expanded = Overrides { case: None, ..self.clone() };
        let Some(changes) = found else {
            if root.is_some() {
                let names = cases.into_iter().flat_map(source::Table::iter);
                let names: Vec<&str> = names.map(|(key, _)| key.name.as_str()).collect();
                let hint = if names.is_empty() {
                    Some(format!("it has no [{CASES}.NAME] at all"))
                } else {
                    did_you_mean(name, names)
                };
                let message = format!("the file has no case `{name}`");
                problems.report(&SourcePlace::File, CASES, message, hint);
            }
            return Cow::Owned(expanded);
        };
        let mut keys = Vec::new();
        for (key, node) in changes.iter() {
            match key.name.as_str() {
                "description" => {}
                "law" => {
                    if let (Some(law), None) = (node.text(), &self.law) {
                        let said = Some(format!("law of the case {name}"));
                        expanded.law =
                            Some(Named { law: law.to_owned(), said, after: 0, of_case: true });
                    }
                }
                "ideal" => expanded.ideal |= matches!(node.value, source::Value::Flag(true)),
                section => leaves(node, section.to_owned(), &mut keys),
            }
        }
        let count = keys.len();
        let said = |(i, (key, value)): (usize, &(String, String))| {
            (i, format!("case {name}, {key} = {value}"))
        };
        expanded.said = keys.iter().enumerate().map(said).collect();
        expanded.of_case = count;
        expanded.said.extend(self.said.iter().map(|(i, said)| (i + count, said.clone())));
        let sets = keys.into_iter().map(|(key, value)| (key, Value(value)));
        expanded.sets = sets.chain(self.sets.iter().cloned()).collect();
        if let Some(law) = &mut expanded.law
            && self.law.is_some()
        {
            law.after += count;
        }
        Cow::Owned(expanded)
    }

    pub(crate) fn serves_several_laws(&self) -> bool {
        self.for_several_laws
    }

    /// The law of every clearance joint and contact, if one was given.
    pub fn named_law(&self) -> Option<&str> {
        self.law.as_ref().map(|named| named.law.as_str())
    }

    /// The place of a problem of the named law.
    pub(crate) fn place_of_law(&self) -> SourcePlace {
        SourcePlace::Set(self.sets.len())
    }

    /// What was said, for messages: the keys by their numbers, the law, and that joints are ideal.
    pub(crate) fn as_said(&self) -> Vec<Said> {
        let sets = self.sets.iter().enumerate().map(|(i, (path, value))| {
            let value = value.toml();
            let flag = self.said.get(&i).cloned();
            let key = || Change::Key { key: path.clone(), value: value.to_owned() };
            Said {
                flag: flag.unwrap_or_else(|| format!("--set {path}={value}")),
                change: Some(if i < self.of_case { Change::Case } else { key() }),
            }
        });
        let law = self.law.iter().map(|Named { law, said, of_case, .. }| Said {
            flag: said.clone().unwrap_or_else(|| format!("--law {law}")),
            change: Some(if *of_case { Change::Case } else { Change::Law(law.clone()) }),
        });
        let ideal = Said { flag: "ideal joints".to_owned(), change: Some(Change::Ideal) };
        sets.chain(law).chain(self.ideal.then_some(ideal)).collect()
    }

    /// Sets the keys in a tree. Returns them with their values and the numbers of their places: those of the changes, then
    /// those that make joints ideal.
    pub(crate) fn set_in(
        &self,
        root: &mut Node,
        problems: &mut Problems,
    ) -> Vec<(String, String, usize)> {
        let sets = self.sets.iter().enumerate();
        let sets = sets.map(|(i, (path, value))| (path.clone(), value.toml().to_owned(), i));
        for path in self.replaced(root) {
            source::remove(root, &path);
        }
        // What is set for a part of an array comes after what is set for all of them, and its index may need parameters.
        let (mut keys, mut later) = (Vec::new(), Vec::new());
        for (path, value, number) in sets {
            if Deferred::of(&path, root).is_some() {
                later.push((path, value, number));
            } else {
                source::set(root, &path, &value, number, problems);
                keys.push((path, value, number));
            }
        }
        let parameters = root.table().filter(|_| !later.is_empty());
        let parameters =
            parameters.map(|root| Parameters::read(root, "", &mut Problems::default()));
        for (given, value, number) in later {
            let place = SourcePlace::Set(number);
            let path = match (Deferred::of(&given, root), &parameters) {
                (Some(part), Some(known)) => materialise(root, &part, known, &place),
                _ => given.clone(),
            };
            let same = |(other, _, _): &&(String, String, usize)| *other == path;
            if let Some((_, _, other)) = keys.iter().find(same)
                && self.sets.get(*other).is_some_and(|(other, _)| *other != given)
            {
                let said = self.as_said();
                let message = format!("`{}` sets the same key", said[*other].flag);
                problems.report(&place, &path, message, Some("remove one of them".to_owned()));
            }
            source::set(root, &path, &value, number, problems);
            keys.push((path, value, number));
        }
        let number = self.number_of_ideal();
        let made_ideal = self.made_ideal(root);
        if self.ideal && made_ideal.is_empty() {
            let message = "no joint has clearance, so none can be made ideal";
            problems.report(&SourcePlace::Set(number), "joints", message, None);
        }
        for path in made_ideal {
            source::set(root, &path, IDEAL, number, problems);
            keys.push((path, IDEAL.to_owned(), number));
        }
        keys
    }

    /// Keys of the file that those that are set replace: the sizes of a joint by its fit, its fit by a size, and the third of
    /// two sizes and their clearance by the other two. A clearance keeps the bearing and the block as they are.
    pub(crate) fn replaced(&self, root: &Node) -> Vec<String> {
        let mut joints: Vec<&str> =
            self.sets.iter().filter_map(|(path, _)| joint_of(path)).collect();
        joints.dedup();
        joints.into_iter().flat_map(|joint| self.replaced_in(joint, root)).collect()
    }

    fn replaced_in(&self, joint: &str, root: &Node) -> Vec<String> {
        let path = |key: &str| format!("{joint}.{key}");
        let is_set = |key: &str| {
            let of_joint = |set: &str| {
                let rest = set.strip_prefix(joint).and_then(|rest| rest.strip_prefix('.'));
                rest == Some(key)
            };
            self.sets.iter().any(|(set, _)| of_joint(set))
        };
        let name = joint.strip_prefix(JOINTS).unwrap_or(joint);
        let joints = root.table().and_then(|root| root.get("joints")?.table());
        let file = joints.and_then(|joints| joints.get(name)?.table());
        let is_there = |key: &str| is_set(key) || file.is_some_and(|file| file.get(key).is_some());
        superseded(&is_set, &is_there).into_iter().map(path).collect()
    }

    fn number_of_ideal(&self) -> usize {
        self.sets.len() + usize::from(self.law.is_some())
    }

    /// The keys that make the joints of a tree ideal.
    fn made_ideal(&self, root: &Node) -> Vec<String> {
        let joints = root.table().and_then(|root| root.get("joints")).and_then(Node::table);
        let with_clearance = |joint: &Node| {
            let kind = joint.table().and_then(|joint| joint.get("kind")).and_then(Node::text);
            kind == Some("clearance")
        };
        let joints = joints.filter(|_| self.ideal).into_iter().flat_map(source::Table::iter);
        let joints = joints.filter(|(_, joint)| with_clearance(joint));
        joints.map(|(name, _)| format!("joints.{}.kind", name.name)).collect()
    }
}

/// Where the paths of joints begin.
const JOINTS: &str = "joints.";

/// The joint that a path leads into, such as `joints.pin`.
fn joint_of(path: &str) -> Option<&str> {
    path.rsplit_once('.').map(|(joint, _)| joint).filter(|joint| joint.starts_with(JOINTS))
}

/// Two sizes of a joint and their clearance. Two of them are enough: where all three would be given, the first that was not set goes.
const SIZES: &[[&str; 3]] = &[
    ["clearance", "journal_radius", "bearing_radius"],
    ["clearance", "guide_height", "block_height"],
];

/// The keys of a fit.
const FITS: &[&str] = &["fit", "fit_hole", "fit_shaft"];

/// The keys of a joint that go where others are set, of those that are there then.
pub(crate) fn superseded(
    is_set: &dyn Fn(&str) -> bool,
    is_there: &dyn Fn(&str) -> bool,
) -> Vec<&'static str> {
    let mut gone: Vec<&str> = Vec::new();
    if is_set("fit") {
        gone.extend(SIZES.iter().flatten().copied());
    } else if SIZES.iter().flatten().any(|key| is_set(key)) {
        gone.extend(FITS.iter().copied());
    }
    for triple in SIZES.iter().filter(|triple| triple.iter().all(|key| is_there(key))) {
        // The first that was not set.
        gone.extend(triple.iter().find(|key| !is_set(key)).copied());
    }
    gone.retain(|key| !is_set(key));
    gone
}

/// The section of a file that has its cases.
const CASES: &str = "cases";

/// Checks that every case of a tree could be chosen: its keys exist, and its values have the right form.
pub(crate) fn check_cases(root: &Node, problems: &mut Problems) {
    let cases = root.table().and_then(|root| root.get(CASES)?.table());
    for (name, case) in cases.into_iter().flat_map(source::Table::iter) {
        for (key, node) in case.table().into_iter().flat_map(source::Table::iter) {
            let path = source::join(&source::join(CASES, &name.name), &key.name);
            let wrong = match key.name.as_str() {
                "description" | "law" if node.text().is_none() => Some("text is expected here"),
                "ideal" if !matches!(node.value, source::Value::Flag(_)) => {
                    Some("true or false is expected here")
                }
                _ => None,
            };
            if let Some(message) = wrong {
                problems.report(&node.place, &path, message, None);
            }
            if matches!(key.name.as_str(), "description" | "law" | "ideal") {
                continue;
            }
            let (mut keys, mut changed, mut found) =
                (Vec::new(), root.clone(), Problems::default());
            leaves(node, key.name.clone(), &mut keys);
            for (path, value) in &keys {
                source::set(&mut changed, &without_index(path), value, 0, &mut found);
            }
            if let Some(changed) = changed.table().and_then(|changed| changed.get(&key.name)) {
                match MODEL.field(&key.name) {
                    // A formula is computed when its case is chosen.
                    Some(field) if !keys.iter().any(|(_, value)| value.starts_with("\"=")) => {
                        shape::check(changed, &field.kind, &key.name, &mut found);
                    }
                    Some(_) => {}
                    None => {
                        let known = MODEL.iter().map(|field| field.key);
                        let hint = did_you_mean(&key.name, known.chain(["law", "ideal"]));
                        problems.report_unknown_key(&key.place, &path, "unknown key", hint);
                    }
                }
            }
            // Problems that exist without the case are reported without it.
            for (path, message, hint) in found.set_by_overrides() {
                problems.report(&key.place, &path, message, hint);
            }
        }
    }
}

/// The values below a node, each with its key; lists are values.
fn leaves(node: &Node, path: String, keys: &mut Vec<(String, String)>) {
    match node.table() {
        Some(table) => {
            for (key, node) in table.iter() {
                leaves(node, source::join(&path, &key.name), keys);
            }
        }
        None => keys.push((path, node.to_toml())),
    }
}

/// The kind of a joint without clearance.
const IDEAL: &str = "ideal";
