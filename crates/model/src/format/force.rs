//! What moves a mechanism: coordinates, functions of time, drivers and forces.

use super::contact::LAWS;
use super::joint::BUSHING;
use super::{ANGLE, AXIS, DIRECTION, LENGTH, NUMBER, PLACE, TIME, TYPE, f, must};
use crate::shape::{Field, Kind, Record};
use crate::units::Dimension as D;

use Kind::{AnyOf, Choice, List, Name, Quantity, Signal};

/// A scalar of the mechanism: exactly one of these.
pub(super) const COORDINATE: &[Field] = &[
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

pub(super) const MOTION: &[D] = &[D::Length, D::Angle];
pub(super) const RATE: &[D] = &[D::Speed, D::AngularSpeed];
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

pub(super) static DRIVER: Record = Record {
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
pub(super) const FORCES: &[(&str, &Record)] = &[
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
