//! Laws of contacts, and contacts outside joints.

use jointplay_contact::catalog::{DampingKind, ElasticKind, FrictionKind};

use super::{LENGTH, NUMBER, POINT, SPEED, TYPE, f, must};
use crate::shape::{Field, Kind, Record};

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
    f("restitution", RESTITUTION, "restitution asked of the damping law"),
    f("material", Name, "material of both bodies"),
    f("materials", List(&Name), "materials of a and of b"),
    f("length", LENGTH, "axial length, for laws of cylinders"),
    f("adhesive", Flag, "whether a pulling force is kept; false by default"),
    f(
        "impact_speed_floor",
        SPEED,
        "impact speeds below it count as this in the damping; without it a contact that begins slower than 10 µm/s is no impact and rests",
    ),
    f("initial_impact_speed", SPEED, "impact speed of a contact that overlaps at the start"),
    f(
        "locate_turns",
        Flag,
        "whether greatest compressions and reversals of sliding are located as events",
    ),
];

/// A law as text or as a table.
pub(super) const LAW_KINDS: &[Kind] = &[Name, Kind::Record(&LAW)];

pub(super) const RESTITUTION: Kind =
    AnyOf(&[Choice(&["cube-root"]), NUMBER, Kind::Record(&RESTITUTION_LINE)]);

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
            "damping law; exact where only a restitution is given, else none",
        ),
        f("friction", Law(friction_laws), "friction law; none by default"),
        f("restitution", RESTITUTION, "restitution asked of the damping law"),
        f("half_width", LENGTH, "half width of a flat contact"),
        f(
            "clearance",
            LENGTH,
            "of a law of cylinders on a flat: the difference of radii that is meant",
        ),
        f("max_indentation", LENGTH, "up to which a formula is checked and used; 1 mm by default"),
        f("max_rate", SPEED, "up to which a formula is checked and used; 10 m/s by default"),
    ]],
    parameters: true,
};

/// The contacts outside joints by their type.
pub(super) const CONTACTS: &[(&str, &Record)] =
    &[("circle-circle", &CIRCLE_CIRCLE), ("circle-line", &CIRCLE_LINE)];

const CIRCLE: Kind = Kind::Record(&CIRCLE_RECORD);

static CIRCLE_RECORD: Record = Record {
    doc: "A circle on a body",
    fields: &[&[
        must("body", Name, "name of the body, or ground"),
        f("at", POINT, "centre in the frame of the body; [0, 0] by default"),
        must("radius", LENGTH, "radius"),
    ]],
    parameters: false,
};

static LINE_RECORD: Record = Record {
    doc: "A straight wall on a body; going along it, free space lies to the left",
    fields: &[&[
        must("body", Name, "name of the body, or ground"),
        must("from", POINT, "where it begins"),
        must("to", POINT, "where it ends"),
    ]],
    parameters: false,
};

static CIRCLE_CIRCLE: Record = Record {
    doc: "Two circles that touch from outside",
    fields: &[&[TYPE, must("a", CIRCLE, "one circle"), must("b", CIRCLE, "the other")], LAWS],
    parameters: false,
};

static CIRCLE_LINE: Record = Record {
    doc: "A circle against a straight wall",
    fields: &[
        &[
            TYPE,
            must("line", Kind::Record(&LINE_RECORD), "the wall"),
            must("circle", CIRCLE, "the circle"),
        ],
        LAWS,
    ],
    parameters: false,
};
