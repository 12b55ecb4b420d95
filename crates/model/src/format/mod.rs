//! The model file, version 1: every table and key with its meaning. `docs/model-file.md` is its guide.

use jointplay_mbd::{Formulation, Method};

use crate::element::coordinate::{COORDINATE, MOTION, RATE};
use crate::element::{CONTACT_RECORDS, FORCE_RECORDS, JOINT_RECORDS, driver};
use crate::metric;
use crate::output;
use crate::parameters::PARAMETER;
use crate::shape::{Field, Kind, Omitted, Record};
use crate::units::Dimension as D;
use crate::word::{Word, words};

use Kind::{AnyOf, Choice, Count, List, Map, Name, Quantity, Tagged, Text, Vector};

/// The version of the format.
pub(crate) const VERSION: f64 = 1.0;

pub(crate) const fn f(key: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field::new(key, kind, doc)
}

pub(crate) const fn must(key: &'static str, kind: Kind, doc: &'static str) -> Field {
    Field::required(key, kind, doc)
}

pub(crate) const LENGTH: Kind = Quantity(&[D::Length]);
pub(crate) const ANGLE: Kind = Quantity(&[D::Angle]);
pub(crate) const SPEED: Kind = Quantity(&[D::Speed]);
pub(crate) const TIME: Kind = Quantity(&[D::Time]);
pub(crate) const NUMBER: Kind = Quantity(&[D::Number]);
pub(crate) const POINT: Kind = Vector(&[D::Length]);
/// An angle to the x axis, or a vector.
pub(crate) const DIRECTION: Kind = AnyOf(&[Vector(&[D::Number]), ANGLE]);
pub(crate) const PLACE: Kind = Kind::Record(&PLACE_RECORD);
pub(crate) const AXIS: Kind = Kind::Record(&AXIS_RECORD);

/// The key that makes a part an array.
pub(crate) const COUNT: Field = f(
    "count",
    Count,
    "makes this an array with this many parts, NAME-1, NAME-2, …; in its formulas, `i` is the part number and NAME[i-1] one of the parts",
);

pub(crate) const TYPE: Field = must("type", Text, "type of this record");

/// The whole file.
pub(crate) static MODEL: Record = Record {
    doc: "A planar mechanism with clearance joints, and its run",
    fields: &[&[
        must("format", Count, "version of the format, 1"),
        f("name", Text, "name of the model"),
        f("description", Text, "what the model is"),
        f(
            "parameters",
            Map(&AnyOf(&[Kind::Formula, Kind::Record(&PARAMETER)])),
            "named numbers, for formulas such as \"= crank/2 + 5 mm\" wherever a number is expected",
        ),
        f("world", Kind::Record(&WORLD), "environment of the mechanism"),
        f("materials", Map(&Kind::Record(&MATERIAL)), "materials by name"),
        must("bodies", Map(&Kind::Record(&BODY)), "bodies by name"),
        f("joints", Map(&Tagged(JOINT_RECORDS)), "joints by name"),
        f("contacts", Map(&Tagged(CONTACT_RECORDS)), "contacts outside joints by name"),
        f("drivers", Map(&Kind::Record(&driver::RECORD)), "prescribed motions by name"),
        f("forces", Map(&Tagged(FORCE_RECORDS)), "forces by name"),
        f("outputs", Map(&Kind::Record(&output::OUTPUT)), "quantities of your own by name"),
        f(
            "metrics",
            Map(&AnyOf(&[Name, Kind::Record(&metric::METRIC)])),
            "numbers of a run by name, such as \"max(pin.force)\"",
        ),
        f("start", Kind::Record(&START), "the start"),
        f("output", Kind::Record(&OUTPUT), "what a run records"),
        f(
            "cases",
            Map(&Kind::Changes),
            "named sets of changes: keys of the file with other values, `law`, `ideal`, `description`",
        ),
        must("run", Kind::Record(&RUN), "the run"),
    ]],
    parameters: false,
};

static WORLD: Record = Record {
    doc: "Environment of the mechanism",
    fields: &[&[f(
        "gravity",
        Vector(&[D::Acceleration]),
        "acceleration of gravity; [0, 0] by default",
    )
    .omitted(Omitted::Origin)]],
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
        COUNT,
        must("mass", Quantity(&[D::Mass]), "mass"),
        f(
            "inertia",
            Quantity(&[D::Inertia]),
            "moment of inertia about the centre of mass; 0 by default",
        )
        .omitted(Omitted::Number(0.0)),
        f("centre", POINT, "centre of mass in the frame of the body; [0, 0] by default")
            .omitted(Omitted::Origin),
        f("position", POINT, "approximate position of the frame at the start; joints adjust it"),
        f("angle", ANGLE, "approximate angle of the frame at the start"),
        f(
            "velocity",
            Vector(&[D::Speed]),
            "velocity of the origin of the frame at the start; changed only as far as joints require",
        ),
        f(
            "angular_velocity",
            Quantity(&[D::AngularSpeed]),
            "angular velocity at the start; changed only as far as joints require",
        ),
    ]],
    parameters: false,
};

static PLACE_RECORD: Record = Record {
    doc: "A point of a body",
    fields: &[&[
        must("body", Name, "name of the body, or ground"),
        f("at", POINT, "the point in the frame of the body; [0, 0] by default")
            .omitted(Omitted::Origin),
    ]],
    parameters: false,
};

static AXIS_RECORD: Record = Record {
    doc: "A point of a body with a direction",
    fields: &[&[
        must("body", Name, "name of the body, or ground"),
        f("at", POINT, "the point in the frame of the body; [0, 0] by default")
            .omitted(Omitted::Origin),
        f("direction", DIRECTION, "angle to the x axis of the body, or a vector; 0 by default")
            .omitted(Omitted::Number(0.0)),
    ]],
    parameters: false,
};

/// The start of clearance joints.
#[derive(Clone, Copy)]
pub(crate) enum Clearances {
    /// As written.
    Free,
    /// As if they were ideal.
    Centred,
}

words!(Clearances { Free = "free", Centred = "centred" });
words!(Formulation { Joint = "joint", Absolute = "absolute", Auto = "auto" });

static START: Record = Record {
    doc: "The start",
    fields: &[&[
        f(
            "clearances",
            Choice(Clearances::WORDS),
            "centred: positions and speeds of the mechanism with ideal joints; free (default): as written",
        ).omitted(Omitted::Word("free")),
        f(
            "coordinates",
            List(&Kind::Record(&CONDITION)),
            "coordinates with exact values or rates at the start",
        ),
        f(
            "disturbance",
            LENGTH,
            "shifts each body by this distance, to see how sensitive the run is to its start; 0 by default",
        ).omitted(Omitted::Number(0.0)),
        f("seed", Count, "chooses the directions of the shifts; 1 by default").omitted(Omitted::Number(1.0)),
        f(
            "state",
            Name,
            "file with the state to start from, as `run --end-state` writes it; it replaces all other settings of the start",
        ),
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
    doc: "What is recorded of a run; events are always recorded",
    fields: &[&[
        f("interval", TIME, "time between samples; by default 2000 samples over the run"),
        f(
            "channels",
            List(&Name),
            "names such as slider.x, pin.force; by default the main channels of each part",
        ),
    ]],
    parameters: false,
};

/// The names of the methods of integration.
const METHODS: &[&str] = &{
    let mut names = [""; Method::ALL.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = Method::ALL[i].name();
        i += 1;
    }
    names
};

static RUN: Record = Record {
    doc: "The run",
    fields: &[&[
        must("until", TIME, "when it ends"),
        f("method", Choice(METHODS), "method of integration; auto by default").omitted(Omitted::Word("auto")),
        f(
            "rtol",
            NUMBER,
            "relative tolerance; 1e-10 by default, which closes the energy balance of the shipped models to 1e-9",
        ).omitted(Omitted::Number(1e-10)),
        f(
            "length_tolerance",
            LENGTH,
            "absolute tolerance of lengths; by default rtol times the smallest clearance",
        ),
        f("formulation", Choice(Formulation::WORDS), "coordinates; by default auto: absolute where most bodies are free, joint otherwise").omitted(Omitted::Word("auto")),
        f(
            "baumgarte",
            Vector(&[D::Frequency]),
            "alpha and beta (1/s) of Baumgarte's stabilisation instead of projection",
        ),
        f("step", TIME, "step of rk4"),
        f("max_step", TIME, "longest step"),
        f("min_step", TIME, "shortest step; steps to events may be shorter"),
        f("first_step", TIME, "the first step"),
        f("restart_step", TIME, "the first step after each event"),
        f("max_steps", Count, "maximum number of steps; 10 million by default"),
    ]],
    parameters: false,
};
