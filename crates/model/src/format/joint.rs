//! Joints: ideal, elastic, or with clearance.

use super::contact::{LAW_KINDS, LAWS, friction_laws};
use super::{ANGLE, AXIS, LENGTH, PLACE, POINT, TYPE, f, must};
use crate::shape::{Field, Kind, Record};
use crate::units::Dimension as D;

use Kind::{AnyOf, Choice, Flag, Law, List, Quantity, Vector};

const KIND: Field = f(
    "kind",
    Choice(&["ideal", "bushing", "clearance"]),
    "ideal by default; switches the joint by one word",
);

pub(super) const BUSHING: &[Field] = &[
    f(
        "stiffness",
        AnyOf(&[Vector(&[D::Stiffness]), Quantity(&[D::Stiffness])]),
        "of a bushing: in all directions, or along and across the axis of a",
    ),
    f(
        "damping",
        AnyOf(&[Vector(&[D::Damping]), Quantity(&[D::Damping])]),
        "of a bushing; 0 by default",
    ),
    f("torsional_stiffness", Quantity(&[D::TorsionalStiffness]), "of a bushing; 0 by default"),
    f("torsional_damping", Quantity(&[D::TorsionalDamping]), "of a bushing; 0 by default"),
];

/// The joints by their type.
pub(super) const JOINTS: &[(&str, &Record)] = &[
    ("revolute", &REVOLUTE),
    ("slot", &SLOT),
    ("prismatic", &PRISMATIC),
    ("weld", &WELD),
    ("rod", &ROD),
];

static REVOLUTE: Record = Record {
    doc: "A pin joint; with clearance a journal (b) in a bearing (a)",
    fields: &[
        &[
            TYPE,
            KIND,
            must("a", AXIS, "centre of the bearing"),
            must("b", AXIS, "centre of the journal"),
            f("friction", Kind::Record(&PIN_FRICTION), "friction of the ideal joint"),
            f("bearing_radius", LENGTH, "radius of the bearing"),
            f("journal_radius", LENGTH, "radius of the journal"),
            f("clearance", LENGTH, "bearing radius minus journal radius, instead of one of them"),
            f(
                "contact_point",
                Choice(&["bearing", "middle", "journal"]),
                "on whose surface slip is measured and friction acts; bearing by default",
            ),
        ],
        LAWS,
        BUSHING,
    ],
    parameters: false,
};

static PIN_FRICTION: Record = Record {
    doc: "Friction of an ideal revolute joint",
    fields: &[&[
        f("law", Law(friction_laws), "friction law; coulomb-tanh by default"),
        f("pin_radius", LENGTH, "radius of the pin, for dry friction"),
        f(
            "viscous_damping",
            Quantity(&[D::TorsionalDamping]),
            "viscous moment per angular velocity; 0 by default",
        ),
    ]],
    parameters: true,
};

static BLOCK_FRICTION: Record = Record {
    doc: "Friction of an ideal prismatic joint",
    fields: &[&[
        f("law", Law(friction_laws), "friction law; coulomb-tanh by default"),
        f("block_length", LENGTH, "length of the block, for dry friction"),
        f("viscous_damping", Quantity(&[D::Damping]), "viscous force per speed; 0 by default"),
    ]],
    parameters: true,
};

static SLOT: Record = Record {
    doc: "A pin (b) in a slot (a)",
    fields: &[
        &[
            TYPE,
            KIND,
            must("a", PLACE, "the body with the slot; the path is given from this point"),
            must("b", PLACE, "centre of the pin"),
            must("path", Kind::Record(&PATH), "centre line and width of the slot"),
            f("pin_radius", LENGTH, "radius of the pin"),
            f(
                "ends",
                Choice(&["closed", "open", "open-from", "open-to"]),
                "whether arcs close the slot, or it is open at both ends or at one; closed by default",
            ),
            f(
                "contact_point",
                Choice(&["slot", "middle", "pin"]),
                "on whose surface slip is measured and friction acts; pin by default",
            ),
            f("laws", Kind::Record(&SLOT_LAWS), "laws of regions that differ from `law`"),
        ],
        LAWS,
        BUSHING,
    ],
    parameters: false,
};

static PATH: Record = Record {
    doc: "A straight slot (from, to), a curved one (centre, radius, from_angle, to_angle) or a chain (points)",
    fields: &[&[
        f("from", POINT, "centre of the first end arc"),
        f("to", POINT, "centre of the last end arc"),
        f("width", LENGTH, "width of the slot"),
        f("radius_from", LENGTH, "radius of the first end of a slot whose flats are not parallel"),
        f("radius_to", LENGTH, "radius of its last end"),
        f("centre", POINT, "centre of a curved slot"),
        f("radius", LENGTH, "radius of its centre line"),
        f("from_angle", ANGLE, "where its centre line begins"),
        f("to_angle", ANGLE, "where it ends, counter-clockwise of its beginning"),
        f(
            "points",
            List(&Kind::Record(&CHAIN_POINT)),
            "corners of a chain of straight pieces and arcs",
        ),
    ]],
    parameters: false,
};

static CHAIN_POINT: Record = Record {
    doc: "A point of a chain",
    fields: &[&[
        must("at", POINT, "the point"),
        f(
            "arc_centre",
            POINT,
            "centre of the arc that leads here from the point before; without one the way is straight",
        ),
        f("clockwise", Flag, "whether that arc turns clockwise; false by default"),
    ]],
    parameters: false,
};

static SLOT_LAWS: Record = Record {
    doc: "Laws by region of a slot; what they do not say is as in `law`",
    fields: &[&[
        f("flat", AnyOf(LAW_KINDS), "the flats"),
        f("end", AnyOf(LAW_KINDS), "the end arcs"),
        f("inner", AnyOf(LAW_KINDS), "the inner track of a curved slot"),
        f("outer", AnyOf(LAW_KINDS), "its outer track"),
        f("corner", AnyOf(LAW_KINDS), "entry corners"),
    ]],
    parameters: false,
};

static PRISMATIC: Record = Record {
    doc: "A block (b) in a straight guide (a)",
    fields: &[
        &[
            TYPE,
            KIND,
            must("a", AXIS, "a point of the axis of the guide, and its direction"),
            must("b", AXIS, "centre of the block, and its direction"),
            f("friction", Kind::Record(&BLOCK_FRICTION), "friction of the ideal joint"),
            f("block_length", LENGTH, "length of the block along the guide"),
            f("block_height", LENGTH, "height of the block across the guide"),
            f("guide_height", LENGTH, "distance of the walls"),
            f("clearance", LENGTH, "gap on each side of the centred block, instead of a height"),
            f("guide_length", LENGTH, "length of the walls; without one they are endless"),
            f(
                "guide_offset",
                LENGTH,
                "their middle along the guide from the place a; 0 by default",
            ),
        ],
        LAWS,
        BUSHING,
    ],
    parameters: false,
};

static WELD: Record = Record {
    doc: "One body of two",
    fields: &[
        &[
            TYPE,
            f("kind", Choice(&["ideal", "bushing"]), "ideal by default"),
            must("a", AXIS, "place on body a"),
            must("b", AXIS, "place on body b"),
        ],
        BUSHING,
    ],
    parameters: false,
};

static ROD: Record = Record {
    doc: "A massless rod of fixed length between two points",
    fields: &[&[
        TYPE,
        f("kind", Choice(&["ideal"]), "ideal"),
        must("a", PLACE, "one end"),
        must("b", PLACE, "the other end"),
        f(
            "length",
            LENGTH,
            "the length; by default the distance of the points as the bodies are placed",
        ),
    ]],
    parameters: false,
};
