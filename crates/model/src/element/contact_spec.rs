//! The keys of every contact other than its geometry: law, materials, and location of events.

use std::collections::BTreeMap;

use jointplay_contact::catalog::{DampingKind, ElasticKind, FrictionKind};
use jointplay_contact::{Material, Restitution};
use jointplay_mbd::Region;

use crate::document::At;
use crate::format::{LENGTH, NUMBER, SPEED, f, must};
use crate::law::split_hint;
use crate::lower::{Lower, View};
use crate::problem::SourcePlace;
use crate::shape::{self, Field, Kind, Omitted, Record};
use crate::source::{Node, Value};
use crate::suggestion::did_you_mean;
use crate::units::Dimension;
use crate::user::{Complaint, LawText, UserElastic, is_user};

use Kind::{AnyOf, Choice, Flag, Law, List, Name};

fn elastic_laws() -> Vec<&'static str> {
    ElasticKind::ALL.iter().map(|kind| kind.id()).collect()
}

fn damping_laws() -> Vec<&'static str> {
    DampingKind::ALL.iter().map(|kind| kind.id()).collect()
}

pub(super) fn friction_laws() -> Vec<&'static str> {
    FrictionKind::ALL.iter().map(|kind| kind.id()).collect()
}

/// What every contact may say about its law.
pub(super) const LAWS: &[Field] = &[
    f("law", AnyOf(LAW_KINDS), "law of the contact: \"elastic+damping+friction\", or a table"),
    f("restitution", RESTITUTION, "restitution that the damping law should return"),
    f("material", Name, "material of both bodies"),
    f("materials", List(&Name), "materials of a and of b"),
    f("length", LENGTH, "axial length, for cylinder laws"),
    f("adhesive", Flag, "whether the law may pull; false by default").omitted(Omitted::Flag(false)),
    f(
        "impact_speed_floor",
        SPEED,
        "lowest impact speed used for damping; without it a contact that begins slower than 10 µm/s is treated as resting, not as an impact",
    ),
    f("initial_impact_speed", SPEED, "impact speed of a contact that is indented at the start"),
    f(
        "locate_turns",
        Flag,
        "whether maximum compression and reversals of sliding are located as events",
    ),
];

/// A law as text or as a table.
pub(super) const LAW_KINDS: &[Kind] = &[Name, Kind::Record(&LAW)];

const RESTITUTION: Kind = AnyOf(&[Choice(&["cube-root"]), NUMBER, Kind::Record(&RESTITUTION_LINE)]);

static RESTITUTION_LINE: Record = Record {
    doc: "A restitution that falls with the impact speed, alpha_0 - alpha_1 v",
    fields: &[&[
        must("alpha_0", NUMBER, "at vanishing speed, in [0, 1]"),
        must("alpha_1", NUMBER, "per speed (s/m)"),
    ]],
    parameters: false,
};

/// The law of a contact. The parameters of the data sheets are fields as well.
pub(crate) static LAW: Record = Record {
    doc: "The law of a contact; parameters as in `jointplay laws`",
    fields: &[&[
        f(
            "elastic",
            Law(elastic_laws),
            "elastic law, \"table:FILE.csv\" or \"formula:F(delta, delta_dot)\"; hertz by default",
        ),
        f(
            "damping",
            Law(damping_laws),
            "damping law; by default exact if only a restitution is given, otherwise none",
        ),
        f("friction", Law(friction_laws), "friction law; none by default"),
        f("restitution", RESTITUTION, "restitution that the damping law should return"),
        f("half_width", LENGTH, "half width of a flat contact"),
        f("clearance", LENGTH, "difference of radii to use for a cylinder law on a flat"),
        f(
            "max_indentation",
            LENGTH,
            "indentation up to which a formula is checked and used; 1 mm by default",
        ),
        f("max_rate", SPEED, "rate up to which a formula is checked and used; 10 m/s by default"),
    ]],
    parameters: true,
};

/// What the contacts of a part say besides their geometry.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactSpec {
    pub(crate) law: LawSpec,
    /// The laws of a slot by region; where there are none, all contacts have `law`.
    pub(crate) regions: Vec<(Region, LawSpec)>,
    pub(crate) materials: Option<[Material; 2]>,
    pub(crate) length: Option<f64>,
    pub(crate) adhesive: bool,
    pub(crate) impact_speed_floor: Option<f64>,
    pub(crate) initial_impact_speed: Option<f64>,
    pub(crate) locate_turns: bool,
}

/// What is said about the law of a contact.
#[derive(Clone, Debug, Default)]
pub(crate) struct LawSpec {
    pub(crate) elastic: Option<ElasticKind>,
    /// In its place, a law of the user's own.
    pub(crate) user: Option<UserElastic>,
    /// Up to which indentation (m) and rate (m/s) a formula is used, where that is said.
    pub(crate) range: [Option<f64>; 2],
    pub(crate) damping: Option<DampingKind>,
    pub(crate) friction: Option<FrictionKind>,
    pub(crate) restitution: Option<Restitution>,
    /// The key that gives it: of the contact, of its law or of a region.
    pub(crate) restitution_key: String,
    pub(crate) half_width: Option<f64>,
    /// ΔR of a law of cylinders (m), where the surfaces have none.
    pub(crate) clearance: Option<f64>,
    /// Parameters by the keys of the data sheets.
    pub(crate) numbers: BTreeMap<String, f64>,
    /// The power of length in the unit of a stiffness, where it was written.
    pub(crate) stiffness_power: Option<f64>,
    /// The places of the parameters in the file.
    pub(crate) places: BTreeMap<String, SourcePlace>,
    /// The places at which the parts are named: `elastic`, `damping`, `friction`.
    pub(crate) named: BTreeMap<&'static str, SourcePlace>,
    pub(crate) at: At,
}

impl ContactSpec {
    /// Reads the keys of a contact other than its geometry; `None` if its law could not be read.
    pub(super) fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Self> {
        let law = law(lower, view, "law");
        let materials = materials_of(lower, view);
        let restitution = restitution(lower, view);
        let mut spec = ContactSpec {
            law: law?,
            regions: Vec::new(),
            materials,
            length: lower.positive(view, "length", Dimension::Length),
            adhesive: view.flag("adhesive").unwrap_or(false),
            impact_speed_floor: lower.positive(view, "impact_speed_floor", Dimension::Speed),
            initial_impact_speed: lower.not_negative(
                view,
                "initial_impact_speed",
                Dimension::Speed,
            ),
            locate_turns: view.flag("locate_turns").unwrap_or(false),
        };
        if restitution.is_some() {
            let key = view.path_of("restitution");
            let place = view.place_of("restitution").clone();
            if spec.law.restitution.is_some() {
                report_second_restitution(lower, &spec.law, &key, &place);
            } else {
                spec.law.restitution = restitution;
                spec.law.restitution_key = key;
                spec.law.places.insert("restitution".into(), place);
            }
        }
        Some(spec)
    }
}

/// Reports a second restitution: a contact has one, next to its law or in it.
fn report_second_restitution(
    lower: &mut Lower<'_, '_>,
    law: &LawSpec,
    key: &str,
    place: &SourcePlace,
) {
    let other = law.places.get("restitution").unwrap_or(&law.at.place);
    let (first, second) = (lower.arrays.home(key), lower.arrays.home(&law.restitution_key));
    let (first, second) = (first.as_str(), second.as_str());
    let message = format!("`{first}` and `{second}` both give the restitution of one contact");
    let (place, path, hint) = match (place, other) {
        (SourcePlace::Set(_), SourcePlace::Set(_)) => (place, first, "set one of them".to_owned()),
        (SourcePlace::Set(_), SourcePlace::File | SourcePlace::Span(_)) => {
            (place, first, format!("the file has `{second}`: set that key"))
        }
        (SourcePlace::File | SourcePlace::Span(_), SourcePlace::Set(_)) => {
            (other, second, format!("the file has `{first}`: set that key"))
        }
        (SourcePlace::File | SourcePlace::Span(_), SourcePlace::File | SourcePlace::Span(_)) => {
            (other, second, "leave out one of them".to_owned())
        }
    };
    lower.problems.report(place, path, message, Some(hint));
}

/// A law as text or table; without one nothing is said.
pub(super) fn law(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    key: &'static str,
) -> Option<LawSpec> {
    let at = if view.has(key) { view.at_key(key) } else { view.at() };
    let Some(node) = view.node(key) else {
        return Some(LawSpec { at, ..LawSpec::default() });
    };
    match &node.value {
        Value::Text(text) => {
            let read = LawText::parse(text).and_then(|law| {
                let user = user(lower, law.user.as_deref())?;
                Ok(LawSpec::named(&law, user, at))
            });
            let complain = |wrong: Vec<Complaint>| {
                for (message, hint) in wrong {
                    lower.report(view, key, message, hint);
                }
            };
            read.map_err(complain).ok()
        }
        Value::Table(_) => {
            let table = view.view(key)?;
            law_table(lower, &table, at)
        }
        // They have been reported.
        Value::Number(_) | Value::Computed(_) | Value::Flag(_) | Value::Date | Value::List(_) => {
            None
        }
    }
}

fn law_table(lower: &mut Lower<'_, '_>, table: &View<'_>, at: At) -> Option<LawSpec> {
    let before = lower.problems.count();
    let own = table.text("elastic").filter(|text| is_user(text));
    let user = user(lower, own).unwrap_or_else(|wrong| {
        for (message, hint) in wrong {
            lower.report(table, "elastic", message, hint);
        }
        None
    });
    let elastic = if own.is_some() { None } else { law_part(lower, table, "elastic") };
    let range = [("max_indentation", Dimension::Length), ("max_rate", Dimension::Speed)]
        .map(|(key, dimension)| lower.positive(table, key, dimension));
    let damping = law_part(lower, table, "damping");
    let friction = law_part(lower, table, "friction");
    let restitution = restitution(lower, table);
    let half_width = lower.positive(table, "half_width", Dimension::Length);
    let clearance = lower.positive(table, "clearance", Dimension::Length);
    let numbers = numbers(table);
    let (mut places, mut named) = (BTreeMap::new(), BTreeMap::new());
    for (key, node) in table.entries() {
        if let Some(part) = ["elastic", "damping", "friction"].into_iter().find(|p| *p == key) {
            named.insert(part, node.place.clone());
            continue;
        }
        let key = shape::law_parameter(key).map_or(key, |parameter| parameter.key);
        places.insert(key.to_owned(), node.place.clone());
    }
    let stiffness = table.entries().find(|(key, _)| *key == "stiffness");
    let stiffness_power =
        stiffness.and_then(|(_, node)| shape::stiffness(node)).map(|(_, power)| power);
    (lower.problems.count() == before).then_some(LawSpec {
        elastic,
        user,
        range,
        damping,
        friction,
        restitution_key: table.path_of("restitution"),
        restitution,
        half_width,
        clearance,
        numbers,
        stiffness_power,
        places,
        named,
        at,
    })
}

/// An elastic law of the user's own.
fn user(
    lower: &mut Lower<'_, '_>,
    text: Option<&str>,
) -> Result<Option<UserElastic>, Vec<Complaint>> {
    text.map(|text| UserElastic::read(text, lower.tables)).transpose()
}

/// One component of a law by its id.
fn law_part<T: std::str::FromStr<Err = jointplay_contact::catalog::LawProblem>>(
    lower: &mut Lower<'_, '_>,
    table: &View<'_>,
    key: &'static str,
) -> Option<T> {
    match table.text(key)?.parse() {
        Ok(kind) => Some(kind),
        Err(problem) => {
            let (message, hint) = split_hint(&problem);
            lower.report(table, key, message, hint);
            None
        }
    }
}

fn restitution(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Restitution> {
    let node = view.node("restitution")?;
    let in_range = |value: f64| Restitution::RANGE.contains(value);
    match &node.value {
        Value::Text(text) if text == "cube-root" => Some(Restitution::CubeRoot),
        Value::Table(_) => {
            let line = view.view("restitution")?;
            let alpha_0 = line.quantity("alpha_0", Dimension::Number)?;
            let alpha_1 = line.quantity("alpha_1", Dimension::Number)?;
            if !in_range(alpha_0) || !(alpha_1 >= 0.0) {
                let message = "alpha_0 must lie in [0, 1] and alpha_1 must not be negative";
                lower.report_whole(&line, message, None);
                return None;
            }
            Some(Restitution::Linear { alpha_0, alpha_1 })
        }
        Value::Number(_)
        | Value::Computed(_)
        | Value::Text(_)
        | Value::Flag(_)
        | Value::Date
        | Value::List(_) => {
            let value = view.quantity("restitution", Dimension::Number)?;
            if !in_range(value) {
                let message = format!("{value}: a restitution lies in [0, 1]");
                lower.report(view, "restitution", message, None);
                return None;
            }
            Some(Restitution::Constant(value))
        }
    }
}

fn materials_of(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<[Material; 2]> {
    match (view.node("material"), view.node("materials")) {
        (None, None) => None,
        (Some(one), None) => {
            let material = material_named(lower, one, &view.path_of("material"))?;
            Some([material; 2])
        }
        (None, Some(both)) => {
            let path = view.path_of("materials");
            let [a, b] = both.list()? else {
                lower.report(
                    view,
                    "materials",
                    "`materials` needs two names, that of a and that of b",
                    None,
                );
                return None;
            };
            let (a, b) = (material_named(lower, a, &path), material_named(lower, b, &path));
            Some([a?, b?])
        }
        (Some(_), Some(_)) => {
            lower.report(view, "materials", "give `material` or `materials`, not both", None);
            None
        }
    }
}

fn material_named(lower: &mut Lower<'_, '_>, node: &Node, path: &str) -> Option<Material> {
    let name = node.text()?;
    let found = lower.materials.get(name).copied();
    if found.is_none() {
        let hint = did_you_mean(name, lower.materials.keys().map(String::as_str));
        let message = format!("there is no material `{name}`");
        lower.problems.report(&node.place, path, message, hint);
    }
    found
}

/// Parameters of a law in a table, by the keys of the data sheets.
pub(super) fn numbers(view: &View<'_>) -> BTreeMap<String, f64> {
    let mut numbers = BTreeMap::new();
    for (key, node) in view.entries() {
        if let Some(parameter) = shape::law_parameter(key)
            && let Ok(value) = shape::law_number(node, parameter)
        {
            numbers.insert(parameter.key.to_owned(), value);
        }
    }
    numbers
}
