//! Numbers of a model that are worth varying: its parameters, clearances, restitutions, friction, speeds.
//!
//! A knob names one key of the file and the range in which the model makes sense; it does not depend on who uses it.

use std::collections::BTreeMap;

use jointplay_contact::Restitution;
use jointplay_contact::catalog::{FrictionKind, Parameter};
use jointplay_expression::Powers;
use jointplay_mbd::DryFriction;
use serde::Serialize;

use crate::document::{ContactPart, Document, Named};
use crate::element::{ClearanceKey, Coordinate, Joint, LawSpec};
use crate::overrides::Value as Written;
use crate::parameters;
use crate::shape;
use crate::source::{Table, Value, find, join};
use crate::units::Dimension;

/// What a knob changes.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum KnobQuantity {
    /// A parameter of the model, of any dimension.
    Parameter,
    /// Clearance of a joint: radial, of a block on each side (m).
    Clearance,
    /// Constant restitution (-).
    Restitution,
    /// Coefficient of friction (-).
    Friction,
    /// Constant speed of a driver, or of a coordinate at the start (rad/s or m/s).
    Speed,
}

/// One number that can be varied.
///
/// ```
/// # use jointplay_model::{Model, Overrides};
/// # let text = jointplay_models::SLIDER_CRANK;
/// let model = Model::parse(text, &Overrides::new())?;
/// let knob = &model.knobs()[0];
/// assert_eq!((knob.label.as_str(), knob.unit.as_str()), ("pin clearance", "m"));
/// assert!((knob.value - 0.25e-3).abs() < 1e-15);
/// let wider = Overrides::new().set(&knob.key, knob.written(0.5e-3));
/// assert!((Model::parse(text, &wider)?.knobs()[0].value - 0.5e-3).abs() < 1e-15);
/// # Ok::<(), jointplay_model::Diagnostics>(())
/// ```
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Knob {
    /// Label, such as `pin clearance`.
    pub label: String,
    /// The joint, contact or stop that it belongs to, or the array of them.
    pub joint: Option<String>,
    /// What it changes.
    pub what: KnobQuantity,
    /// Unit of value and range, `-` for a pure number.
    pub unit: String,
    /// Its present value.
    pub value: f64,
    /// The range in which it may be varied while the other knobs stay as they are; the value lies inside.
    pub range: [f64; 2],
    /// Whether its scale should be logarithmic.
    pub log: bool,
    /// The key of the file that it sets, for [`Overrides::set`](crate::Overrides::set).
    pub key: String,
    /// The value [`written`](Self::written) when the knob is at 0.
    pub offset: f64,
    /// How much that value increases per unit of the knob.
    pub factor: f64,
    /// The unit in which it is written; empty for a plain number.
    pub suffix: String,
}

impl Knob {
    /// What the key is set to for this value of the knob: offset + factor · value in SI. A parameter keeps its unit, because formulas
    /// need its dimension.
    pub fn written(&self, value: f64) -> Written {
        let number = self.offset + self.factor * value;
        match self.suffix.as_str() {
            "" => number.into(),
            unit => format!("{number:?} {unit}").into(),
        }
    }

    /// A pure number that is written into the file as set by the knob.
    fn number(label: String, what: KnobQuantity, value: f64, range: [f64; 2], key: String) -> Self {
        let range = [range[0].min(value), range[1].max(value)];
        let (joint, unit, log) = (None, "-".to_owned(), false);
        let (offset, factor, suffix) = (0.0, 1.0, String::new());
        Knob { label, joint, what, unit, value, range, log, key, offset, factor, suffix }
    }
}

/// Restitutions keep this distance from the ends of a law's range, at which damping vanishes or
/// grows without bound.
const MARGIN: f64 = 0.05;

/// Friction of dry metals stays below this.
const MU: f64 = 0.6;

/// The least coefficient of a law that has none without friction.
const LEAST_MU: f64 = 1e-3;

/// The knobs of a model. `rooms` has, joint by joint, how far the nearest wall is at the start (m).
pub(crate) fn knobs(tree: &Table, document: &Document, rooms: &[f64]) -> Vec<Knob> {
    // A parameter that says how many parts there are is no number to turn.
    let parameters = document.parameters.iter().filter(|p| !document.arrays.count_by(&p.name));
    let knobs = parameters.filter_map(parameter).collect();
    let mut finder = Finder { tree, knobs };
    for (i, joint) in document.joints.iter().enumerate() {
        finder.clearance(joint, rooms.get(i).copied());
        if let Some(part) = joint.contact_part() {
            finder.law(&part);
        }
        finder.ideal_friction(joint);
    }
    for part in document.contact_parts_outside_joints() {
        finder.law(&part);
    }
    for driver in &document.drivers {
        let key = join(&driver.at.path, "speed");
        finder.speed(format!("{} speed", driver.name), key, driver.part.coordinate);
    }
    for (i, condition) in document.conditions.iter().enumerate() {
        let coordinate = condition.coordinate;
        let label = format!("{} speed at the start", coordinate.label(document));
        finder.speed(label, format!("start.coordinates.{i}.rate"), coordinate);
    }
    // What follows from a parameter is varied with it.
    let follows = |knob: &Knob| {
        find(tree, &knob.key).is_some_and(|node| matches!(node.value, Value::Computed(_)))
    };
    finder.knobs.retain(|knob| !follows(knob));
    of_arrays(finder.knobs, document)
}

/// One knob for all parts of an array that have a number from it.
fn of_arrays(knobs: Vec<Knob>, document: &Document) -> Vec<Knob> {
    let mut merged: Vec<Knob> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for mut knob in knobs {
        let home = document.arrays.home(&knob.key);
        if home != knob.key {
            let (section, inside) = knob.key.split_once('.').unwrap_or_default();
            let name = inside.split('.').next().unwrap_or_default();
            if let Some(base) = document.arrays.array_of(section, name)
                && home.split('.').nth(1) == Some(base)
            {
                knob.label = knob.label.replacen(name, base, 1);
                knob.joint = knob.joint.map(|_| base.to_owned());
            }
            knob.key = home;
        }
        if let Some(other) = known.get(&knob.key).and_then(|i| merged.get_mut(*i)) {
            // All of them have to take the value.
            let [low, high] = knob.range;
            other.range[0] = other.range[0].max(low.min(other.value));
            other.range[1] = other.range[1].min(high.max(other.value));
        } else {
            known.insert(knob.key.clone(), merged.len());
            merged.push(knob);
        }
    }
    merged
}

/// The knob of a parameter that does not follow from others. Without a range of its own it may be varied by a factor of four.
fn parameter(parameter: &parameters::Parameter) -> Option<Knob> {
    let value = parameter.number.value;
    if parameter.follows || (value == 0.0 && parameter.range.is_none()) {
        return None;
    }
    let (near, far) = (value / 4.0, 4.0 * value);
    let range = parameter.range.unwrap_or([near.min(far), near.max(far)]);
    let unit = match parameter.number.powers {
        Some(_) if parameter.number.is_frequency() => "Hz".to_owned(),
        Some(powers) if powers != Powers::NONE => powers.si_unit(),
        _ => "-".to_owned(),
    };
    let (label, key) = (parameter.name.clone(), parameter.key.clone());
    let log = range[0] > 0.0 && parameter.range.is_none();
    let suffix = if unit == "-" { String::new() } else { unit.clone() };
    Some(Knob {
        unit,
        log,
        suffix,
        ..Knob::number(label, KnobQuantity::Parameter, value, range, key)
    })
}

struct Finder<'t> {
    tree: &'t Table,
    knobs: Vec<Knob>,
}

impl Finder<'_> {
    fn given(&self, path: &str, key: &str) -> bool {
        find(self.tree, &join(path, key)).is_some()
    }

    /// The clearance of a joint, set by its own key or by one of two sizes.
    fn clearance(&mut self, joint: &Named<Joint>, room: Option<f64>) {
        let Some(clearance) = joint.part.page().clearance() else { return };
        let ClearanceKey { size, offset, factor, value, most, sizes } = clearance;
        let (name, path) = (&joint.name, &joint.at.path);
        let by_itself = self.given(path, "clearance");
        if by_itself && sizes.is_some_and(|sizes| sizes.iter().all(|size| self.given(path, size))) {
            // All three are given: no single key can change without the others.
            return;
        }
        let (key, offset, factor) =
            if by_itself { ("clearance", 0.0, 1.0) } else { (size, offset, factor) };
        // The bodies stay where they start: walls may come nearly as close as the nearest one is away.
        let room = room.unwrap_or(0.0).clamp(0.0, value);
        self.knobs.push(Knob {
            label: format!("{name} clearance"),
            joint: Some(name.clone()),
            what: KnobQuantity::Clearance,
            unit: "m".to_owned(),
            value,
            range: [value - 0.9 * room, (4.0 * value).min(most).max(value)],
            log: true,
            key: join(path, key),
            offset,
            factor,
            suffix: String::new(),
        });
    }

    /// Restitution and friction of a part, wherever they stand.
    fn law(&mut self, part: &ContactPart<'_>) {
        let joint = || Some(part.name.to_owned());
        for source in self.sources(part, "restitution") {
            let taken = source.laws.iter().filter_map(|law| restitution(law));
            let within = |a: (f64, [f64; 2]), b: (f64, [f64; 2])| {
                (a.0, [a.1[0].max(b.1[0]), a.1[1].min(b.1[1])])
            };
            if let Some((value, range)) = taken.reduce(within) {
                let (label, what) =
                    (format!("{} restitution", source.name), KnobQuantity::Restitution);
                let knob = Knob::number(label, what, value, range, source.key);
                self.knobs.push(Knob { joint: joint(), ..knob });
            }
        }
        for (parameter, word) in coefficients() {
            for source in self.sources(part, parameter.key) {
                let value = source.laws.iter().find_map(|law| law.numbers.get(parameter.key));
                if let Some(value) = value {
                    let label = format!("{} {word}", source.name);
                    let knob = mu(label, *value, parameter, source.key);
                    self.knobs.push(Knob { joint: joint(), ..knob });
                }
            }
        }
    }

    /// Dry friction of a joint that is ideal.
    fn ideal_friction(&mut self, joint: &Named<Joint>) {
        let friction = joint.part.page().friction();
        if friction.is_none_or(|friction| friction.dry == DryFriction::None) {
            return;
        }
        for (parameter, word) in coefficients() {
            let key = join(&join(&joint.at.path, "friction"), parameter.key);
            let node = find(self.tree, &key);
            if let Some(Ok(value)) = node.map(|node| shape::law_number(node, parameter)) {
                let knob = mu(format!("{} {word}", joint.name), value, parameter, key);
                self.knobs.push(Knob { joint: Some(joint.name.clone()), ..knob });
            }
        }
    }

    /// The value of the key, if it is a constant speed.
    fn speed(&mut self, label: String, key: String, coordinate: Coordinate) {
        let rate = coordinate.rate();
        let unit = if rate == Dimension::AngularSpeed { "rad/s" } else { "m/s" };
        let node = find(self.tree, &key);
        let value = node.and_then(|node| shape::quantity(node, &[rate]).ok());
        let Some((value, _)) = value.filter(|(value, _)| *value != 0.0) else { return };
        let (near, far) = (value / 5.0, 3.0 * value);
        let range = [near.min(far), near.max(far)];
        let unit = unit.to_owned();
        self.knobs
            .push(Knob { unit, ..Knob::number(label, KnobQuantity::Speed, value, range, key) });
    }

    /// The places from which the laws of a part take a number: its region, its law, or (a
    /// restitution) the part itself.
    fn sources<'d>(&self, part: &ContactPart<'d>, key: &str) -> Vec<Source<'d>> {
        let mut sources: Vec<Source<'d>> = Vec::new();
        let regions = part.spec.regions.iter().map(|(region, law)| (region.name(), law));
        let whole = part.spec.regions.is_empty().then_some(("", &part.spec.law));
        for (region, law) in regions.chain(whole) {
            let own = join(&join(part.path, "laws"), region);
            let law_table = join(part.path, "law");
            let places = [own.as_str(), &law_table, part.path];
            let places = if key == "restitution" { &places[..] } else { &places[..2] };
            let Some(place) = places.iter().find(|place| self.given(place, key)) else { continue };
            let key = join(place, key);
            if let Some(source) = sources.iter_mut().find(|source| source.key == key) {
                source.laws.push(law);
            } else {
                let of_region = *place == own;
                let name = if of_region {
                    format!("{} {region}", part.name)
                } else {
                    part.name.to_owned()
                };
                sources.push(Source { key, name, laws: vec![law] });
            }
        }
        sources
    }
}

/// A key that gives a number to one or more laws.
struct Source<'d> {
    key: String,
    /// Name of the part, followed by the region if the key belongs to one.
    name: String,
    laws: Vec<&'d LawSpec>,
}

/// A constant restitution that a law takes, and the interval to turn it in.
fn restitution(law: &LawSpec) -> Option<(f64, [f64; 2])> {
    let Some(Restitution::Constant(value)) = law.restitution else { return None };
    let mut parameters = law.name().damping?.sheet().parameters.iter();
    let interval = parameters.find(|p| p.key == "restitution")?.interval;
    Some((value, [interval.low + MARGIN, interval.high - MARGIN]))
}

/// The coefficients of friction that laws have, in words.
fn coefficients() -> impl Iterator<Item = (&'static Parameter, &'static str)> {
    let words =
        [("mu", "friction"), ("mu_static", "static friction"), ("mu_dynamic", "dynamic friction")];
    let all = || FrictionKind::ALL.iter().flat_map(|kind| kind.sheet().parameters);
    words.into_iter().filter_map(move |(key, word)| Some((all().find(|p| p.key == key)?, word)))
}

fn mu(label: String, value: f64, parameter: &Parameter, key: String) -> Knob {
    let least = if parameter.interval.contains(0.0) { 0.0 } else { LEAST_MU };
    Knob::number(label, KnobQuantity::Friction, value, [least, MU.max(2.0 * value)], key)
}
