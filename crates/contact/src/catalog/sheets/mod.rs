//! The sheets of all laws, one file per kind of law.
//!
//! Constant data only: nothing here computes a force. A law that is not listed here does not
//! exist for files, the command line or the reference page.

use super::sheet::{Citation, Interval, Paper, Parameter};

pub(crate) mod cylinder;
pub(crate) mod dashpot;
pub(crate) mod elastic;
pub(crate) mod factor;
pub(crate) mod friction;

/// Where a paper prints a law, on one line of a sheet.
const fn cite(paper: Paper, place: &'static str) -> Citation {
    Citation { paper, place }
}

const RADIUS_I: Parameter = Parameter {
    key: "radius_i",
    symbol: "R_i",
    unit: "m",
    interval: Interval::open(f64::NEG_INFINITY, f64::INFINITY),
    default: None,
    meaning: "radius of body i, negative for a concave surface",
};

const RADIUS_J: Parameter = Parameter {
    key: "radius_j",
    symbol: "R_j",
    meaning: "radius of body j, negative for a concave surface",
    ..RADIUS_I
};

const CLEARANCE: Parameter = Parameter {
    key: "clearance",
    symbol: "ΔR",
    unit: "m",
    interval: Interval::POSITIVE,
    default: None,
    meaning: "given in place of the two radii",
};

const LENGTH: Parameter = Parameter {
    key: "length",
    symbol: "L",
    unit: "m",
    interval: Interval::POSITIVE,
    default: None,
    meaning: "length of the contact",
};

const YOUNG: Parameter = Parameter {
    key: "young",
    symbol: "E",
    unit: "Pa",
    interval: Interval::POSITIVE,
    default: None,
    meaning: "Young's modulus of the bodies",
};

const POISSON: Parameter = Parameter {
    key: "poisson",
    symbol: "ν",
    unit: "-",
    interval: Interval::above(-1.0, 0.5),
    default: None,
    meaning: "Poisson's ratio of the bodies",
};

/// c_r of a law whose damping is finite for every value from 0 to 1.
const RESTITUTION: Parameter = Parameter {
    key: "restitution",
    symbol: "c_r",
    unit: "-",
    interval: Interval::closed(0.0, 1.0),
    default: None,
    meaning: "input restitution",
};

/// c_r of a law whose damping grows without bound at 0.
const RESTITUTION_ABOVE_0: Parameter = Parameter {
    interval: Interval::above(0.0, 1.0),
    meaning: "input restitution; 0 is a limit only",
    ..RESTITUTION
};
