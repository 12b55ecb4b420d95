//! The model file, version 1: every table and key with its meaning. `docs/model-file.md` is its guide.

use jointplay_contact::catalog::{DampingKind, ElasticKind, FrictionKind};

use crate::shape::{Field, Kind, Record};
use crate::units::Dimension as D;

use Kind::{
    AnyOf, Choice, Count, Flag, Law, List, Map, Name, Quantity, Signal, Tagged, Text, Vector,
};

fn elastic_laws() -> Vec<&'static str> {
    ElasticKind::ALL.iter().map(|kind| kind.id()).collect()
}

fn damping_laws() -> Vec<&'static str> {
    DampingKind::ALL.iter().map(|kind| kind.id()).collect()
}

fn friction_laws() -> Vec<&'static str> {
    FrictionKind::ALL.iter().map(|kind| kind.id()).collect()
}

/// The version of the format.
pub(crate) const VERSION: f64 = 1.0;

const fn f(key: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field::new(key, kind, doc)
}

const fn must(key: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field::required(key, kind, doc)
}

const LENGTH: Kind = Quantity(&[D::Length]);
const ANGLE: Kind = Quantity(&[D::Angle]);
const SPEED: Kind = Quantity(&[D::Speed]);
const TIME: Kind = Quantity(&[D::Time]);
const NUMBER: Kind = Quantity(&[D::Number]);
const POINT: Kind = Vector(&[D::Length]);
/// An angle to the x axis, or a vector.
const DIRECTION: Kind = AnyOf(&[Vector(&[D::Number]), ANGLE]);
const PLACE: Kind = Kind::Record(&PLACE_RECORD);
const AXIS: Kind = Kind::Record(&AXIS_RECORD);
const MATERIAL_NAMES: Kind = List(&Name);

/// The whole file.
pub(crate) static MODEL: Record = Record {
    doc: "A planar mechanism with clearance joints, and its run",
    fields: &[&[
        must("format", Count, "version of the format, 1"),
        f("name", Text, "name of the model"),
        f("description", Text, "what the model is"),
        f("world", Kind::Record(&WORLD), "what surrounds the mechanism"),
        f("materials", Map(&Kind::Record(&MATERIAL)), "materials by name"),
        must("bodies", Map(&Kind::Record(&BODY)), "bodies by name"),
        f("joints", Map(&Tagged(JOINTS)), "joints by name"),
        f("contacts", Map(&Tagged(CONTACTS)), "contacts outside joints by name"),
        f("drivers", Map(&Kind::Record(&DRIVER)), "prescribed motions by name"),
        f("forces", Map(&Tagged(FORCES)), "forces by name"),
        f("start", Kind::Record(&START), "the start"),
        f("output", Kind::Record(&OUTPUT), "what is kept of a run"),
        must("run", Kind::Record(&RUN), "the run"),
    ]],
    parameters: false,
};

static WORLD: Record = Record {
    doc: "What surrounds the mechanism",
    fields: &[&[f(
        "gravity",
        Vector(&[D::Acceleration]),
        "acceleration of gravity; [0, 0] by default",
    )]],
    parameters: false,
};

static MATERIAL: Record = Record {
    doc: "A linear elastic material",
    fields: &[&[
        must("young", Quantity(&[D::Pressure]), "Young's modulus"),
        must("poisson", NUMBER, "Poisson's ratio"),
        f("density", Quantity(&[D::Density]), "density"),
    ]],
    parameters: false,
};

static BODY: Record = Record {
    doc: "A rigid body; points on it are given in its frame",
    fields: &[&[
        must("mass", Quantity(&[D::Mass]), "mass"),
        f(
            "inertia",
            Quantity(&[D::Inertia]),
            "moment of inertia about the centre of mass; 0 by default",
        ),
        f("centre", POINT, "centre of mass in the frame of the body; [0, 0] by default"),
        f("position", POINT, "of the frame at the start, approximately: joints close the rest"),
        f("angle", ANGLE, "of the frame at the start, approximately"),
        f(
            "velocity",
            Vector(&[D::Speed]),
            "of the origin of the frame at the start; kept as far as joints allow",
        ),
        f(
            "angular_velocity",
            Quantity(&[D::AngularSpeed]),
            "at the start; kept as far as joints allow",
        ),
    ]],
    parameters: false,
};

static PLACE_RECORD: Record = Record {
    doc: "A point of a body",
    fields: &[&[
        must("body", Name, "name of the body, or ground"),
        f("at", POINT, "the point in the frame of the body; [0, 0] by default"),
    ]],
    parameters: false,
};

static AXIS_RECORD: Record = Record {
    doc: "A point of a body with a direction",
    fields: &[&[
        must("body", Name, "name of the body, or ground"),
        f("at", POINT, "the point in the frame of the body; [0, 0] by default"),
        f("direction", DIRECTION, "angle to the x axis of the body, or a vector; 0 by default"),
    ]],
    parameters: false,
};

const KIND: Field = f(
    "kind",
    Choice(&["ideal", "bushing", "clearance"]),
    "ideal by default; switches the joint by one word",
);

/// What every contact may say about its law.
const LAWS: &[Field] = &[
    f("law", AnyOf(LAW_KINDS), "law of the contact: \"elastic+damping+friction\", or a table"),
    f("restitution", RESTITUTION, "restitution asked of the damping law"),
    f("material", Name, "material of both bodies"),
    f("materials", MATERIAL_NAMES, "materials of a and of b"),
    f("length", LENGTH, "axial length, for laws of cylinders"),
    f("adhesive", Flag, "whether a pulling force is kept; false by default"),
    f(
        "impact_speed_floor",
        SPEED,
        "impact speeds below it count as this in the damping; 1e-6 m/s by default",
    ),
    f("initial_impact_speed", SPEED, "impact speed of a contact that overlaps at the start"),
    f(
        "locate_turns",
        Flag,
        "whether greatest compressions and reversals of sliding are located as events",
    ),
];

/// A law as text or as a table.
const LAW_KINDS: &[Kind] = &[Name, Kind::Record(&LAW)];

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

const BUSHING: &[Field] = &[
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
pub(crate) const JOINTS: &[(&str, &Record)] = &[
    ("revolute", &REVOLUTE),
    ("slot", &SLOT),
    ("prismatic", &PRISMATIC),
    ("weld", &WELD),
    ("rod", &ROD),
];

const TYPE: Field = must("type", Text, "which record this is");

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

/// The contacts outside joints by their type.
pub(crate) const CONTACTS: &[(&str, &Record)] =
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

/// A scalar of the mechanism: exactly one of these.
const COORDINATE: &[Field] = &[
    f("joint", Name, "the coordinate of this joint: angle or displacement of b on a"),
    f(
        "angle",
        AnyOf(&[Name, List(&Name)]),
        "the angle of this body, or from the first body to the second",
    ),
    f("x", PLACE, "world x of a point"),
    f("y", PLACE, "world y of a point"),
    f("distance", List(&PLACE), "the distance of two points"),
];

const MOTION: &[D] = &[D::Length, D::Angle];
const RATE: &[D] = &[D::Speed, D::AngularSpeed];
const LOAD: &[D] = &[D::Force, D::Torque];

macro_rules! signals {
    ($value:ident, $step:ident, $harmonic:ident, $pulse:ident, $fields:ident) => {
        static $step: Record = Record {
            doc: "A smooth step of the fifth degree",
            fields: &[&[
                f("from", Quantity($value), "value before; 0 by default"),
                must("to", Quantity($value), "value after"),
                f("begin", TIME, "when it begins; 0 by default"),
                must("end", TIME, "when it ends"),
            ]],
            parameters: false,
        };
        static $harmonic: Record = Record {
            doc: "offset + amplitude sin(2 pi frequency t + phase)",
            fields: &[&[
                must("amplitude", Quantity($value), "amplitude"),
                must("frequency", Quantity(&[D::Frequency, D::AngularSpeed]), "in Hz; text may give an angular frequency in rad/s or rpm"),
                f("phase", ANGLE, "phase; 0 by default"),
                f("offset", Quantity($value), "mean value; 0 by default"),
            ]],
            parameters: false,
        };
        static $pulse: Record = Record {
            doc: "One half wave of a sine, zero before and after",
            fields: &[&[
                must("peak", Quantity($value), "greatest value"),
                f("begin", TIME, "when it begins; 0 by default"),
                must("duration", TIME, "how long it lasts"),
            ]],
            parameters: false,
        };
        const $fields: &[Field] = &[
            f("polynomial", List(&NUMBER), "coefficients from the lowest power of t (SI)"),
            f("step", Kind::Record(&$step), "a smooth step"),
            f("harmonic", Kind::Record(&$harmonic), "a sine"),
            f("half_sine", Kind::Record(&$pulse), "a half-sine pulse"),
            f("table", Name, "CSV file with two columns, time and value (SI), in or below the folder of the model"),
            f("spline", Choice(&["not-a-knot", "natural", "periodic"]), "how the table is interpolated; not-a-knot by default"),
            f("outside", Choice(&["hold", "extend", "zero"]), "the table before its first and after its last point; hold by default"),
        ];
    };
}

signals!(MOTION, MOTION_STEP, MOTION_HARMONIC, MOTION_PULSE, MOTION_SIGNAL);
signals!(LOAD, LOAD_STEP, LOAD_HARMONIC, LOAD_PULSE, LOAD_SIGNAL);

static DRIVER: Record = Record {
    doc: "A coordinate prescribed as a function of time: one coordinate and one motion",
    fields: &[
        COORDINATE,
        &[
            f("speed", Quantity(RATE), "constant speed, from `start`"),
            f("start", Quantity(MOTION), "value at t = 0 that goes with `speed`; 0 by default"),
            f(
                "value",
                Signal(MOTION, &MOTION_RECORD),
                "a constant, an expression of t (SI), or a table",
            ),
        ],
    ],
    parameters: false,
};

static MOTION_RECORD: Record = Record {
    doc: "A motion as a function of time: exactly one of these",
    fields: &[MOTION_SIGNAL],
    parameters: false,
};

static LOAD_RECORD: Record = Record {
    doc: "A load as a function of time: exactly one of these",
    fields: &[LOAD_SIGNAL],
    parameters: false,
};

/// The forces by their type.
pub(crate) const FORCES: &[(&str, &Record)] = &[
    ("spring", &SPRING),
    ("torsion-spring", &TORSION_SPRING),
    ("force", &FORCE),
    ("torque", &TORQUE),
    ("bushing", &BUSHING_FORCE),
    ("stop", &STOP),
];

static SPRING: Record = Record {
    doc: "A spring-damper between two points: tension = preload + k (l - l0) + c dl/dt",
    fields: &[&[
        TYPE,
        must("a", PLACE, "one end"),
        must("b", PLACE, "the other end"),
        f("stiffness", Quantity(&[D::Stiffness]), "k; 0 by default"),
        f("damping", Quantity(&[D::Damping]), "c; 0 by default"),
        f(
            "free_length",
            LENGTH,
            "l0; by default the distance of the points as the bodies are placed",
        ),
        f("preload", Quantity(&[D::Force]), "tension at the free length; 0 by default"),
    ]],
    parameters: false,
};

static TORSION_SPRING: Record = Record {
    doc: "A spring-damper between the angles of two bodies",
    fields: &[&[
        TYPE,
        must("a", Name, "the body that the angle is measured from"),
        must("b", Name, "the body that the angle is measured to"),
        f("stiffness", Quantity(&[D::TorsionalStiffness]), "per angle; 0 by default"),
        f("damping", Quantity(&[D::TorsionalDamping]), "per angular velocity; 0 by default"),
        f("free_angle", ANGLE, "angle without moment; 0 by default"),
        f("preload", Quantity(&[D::Torque]), "moment at the free angle; 0 by default"),
    ]],
    parameters: false,
};

static FORCE: Record = Record {
    doc: "A force at a point",
    fields: &[&[
        TYPE,
        must("on", PLACE, "where it acts"),
        must("direction", DIRECTION, "angle to the x axis, or a vector"),
        f(
            "frame",
            Choice(&["world", "body"]),
            "in which frame the direction stays; world by default",
        ),
        must("value", Signal(&[D::Force], &LOAD_RECORD), "its size"),
    ]],
    parameters: false,
};

static TORQUE: Record = Record {
    doc: "A torque on a body and its reaction on another",
    fields: &[&[
        TYPE,
        must("on", Name, "the body that is driven"),
        f("against", Name, "the body that takes the reaction; ground by default"),
        must("value", Signal(&[D::Torque], &LOAD_RECORD), "its size, positive counter-clockwise"),
    ]],
    parameters: false,
};

static BUSHING_FORCE: Record = Record {
    doc: "An elastic bearing between two places",
    fields: &[
        &[
            TYPE,
            must("a", AXIS, "the place whose axes count"),
            must("b", AXIS, "the place that moves against it"),
        ],
        BUSHING,
    ],
    parameters: false,
};

static STOP: Record = Record {
    doc: "A stop: contact where a coordinate passes a limit",
    fields: &[
        &[
            TYPE,
            f("below", Quantity(MOTION), "the coordinate cannot go below this"),
            f("above", Quantity(MOTION), "the coordinate cannot go above this"),
        ],
        COORDINATE,
        LAWS,
    ],
    parameters: false,
};

static START: Record = Record {
    doc: "The start",
    fields: &[&[
        f(
            "clearances",
            Choice(&["free", "centred"]),
            "centred: positions and speeds of the mechanism with ideal joints; free (default): as written",
        ),
        f(
            "coordinates",
            List(&Kind::Record(&CONDITION)),
            "coordinates with exact values or rates at the start",
        ),
        f(
            "disturbance",
            LENGTH,
            "shifts each body by this length, to see how much a start matters; 0 by default",
        ),
        f("seed", Count, "chooses the directions of the shifts; 1 by default"),
    ]],
    parameters: false,
};

static CONDITION: Record = Record {
    doc: "A coordinate at the start",
    fields: &[
        COORDINATE,
        &[f("value", Quantity(MOTION), "its value"), f("rate", Quantity(RATE), "its rate")],
    ],
    parameters: false,
};

static OUTPUT: Record = Record {
    doc: "What is kept of a run; events always are",
    fields: &[&[
        f("interval", TIME, "time between samples; by default 2000 samples over the run"),
        f("channels", List(&Name), "names such as slider.x, pin.force; by default a sensible set"),
    ]],
    parameters: false,
};

/// The methods of integration.
pub(crate) const METHODS: &[&str] = &["dop853", "dopri5", "rkf45", "radau5", "rk4"];

static RUN: Record = Record {
    doc: "The run",
    fields: &[&[
        must("until", TIME, "when it ends"),
        f("method", Choice(METHODS), "method of integration; dop853 by default"),
        f(
            "rtol",
            NUMBER,
            "relative tolerance; 1e-10 by default, which closes the energy balance of the shipped models to 1e-9",
        ),
        f(
            "length_tolerance",
            LENGTH,
            "absolute tolerance of lengths; by default rtol times the smallest clearance",
        ),
        f("formulation", Choice(&["joint", "absolute"]), "coordinates; joint by default"),
        f(
            "baumgarte",
            Vector(&[D::Frequency]),
            "alpha and beta (1/s) of Baumgarte's stabilisation instead of projection",
        ),
        f("step", TIME, "step of rk4"),
        f("max_step", TIME, "no step is longer"),
        f("min_step", TIME, "no step is shorter, but those to events"),
        f("first_step", TIME, "the first step"),
        f("restart_step", TIME, "the first step after each event"),
        f("max_steps", Count, "greatest number of steps; 10 million by default"),
    ]],
    parameters: false,
};
