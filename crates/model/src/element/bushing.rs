//! An elastic bearing: a force of its own, or the kind of a joint.

use jointplay_mbd::{self as mbd, Bushing};

use super::Element;
use super::fit::Ends;
use super::force::{Force, ForceDrawing, ForceForm};
use crate::channel::ForceQuantity::{self, Component, Energy, Moment, Power, Size};
use crate::format::{AXIS, COUNT, TYPE, f, must};
use crate::law::MAX_STIFFNESS;
use crate::lower::{Lower, View};
use crate::shape::{Field, Kind, Omitted, Record};
use crate::units::Dimension as D;

use Kind::{AnyOf, Quantity, Vector};

pub(super) const ELEMENT: Element<Force> = Element { word: "bushing", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "An elastic bearing between two places",
    fields: &[
        &[
            TYPE,
            COUNT,
            must("a", AXIS, "the place that defines the axes"),
            must("b", AXIS, "the place that moves relative to it"),
        ],
        NUMBERS,
    ],
    parameters: false,
};

/// The keys of a bushing other than its places.
pub(super) const NUMBERS: &[Field] = &[
    f(
        "stiffness",
        AnyOf(&[Vector(&[D::Stiffness]), Quantity(&[D::Stiffness])]),
        "of a bushing: in all directions, or along and across the axis of a",
    ),
    f(
        "damping",
        AnyOf(&[Vector(&[D::Damping]), Quantity(&[D::Damping])]),
        "of a bushing; 0 by default",
    )
    .omitted(Omitted::Number(0.0)),
    f("torsional_stiffness", Quantity(&[D::TorsionalStiffness]), "of a bushing; 0 by default")
        .omitted(Omitted::Number(0.0)),
    f("torsional_damping", Quantity(&[D::TorsionalDamping]), "of a bushing; 0 by default")
        .omitted(Omitted::Number(0.0)),
];

pub(crate) const CHANNELS: &[(&str, &str, ForceQuantity)] = &[
    ("force", "N", Size),
    ("fx", "N", Component(0)),
    ("fy", "N", Component(1)),
    ("moment", "N m", Moment),
    ("energy", "J", Energy),
    ("power", "W", Power),
];

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Force> {
    let ends = Ends::axes(lower, view);
    let bushing = numbers(lower, view, &ends)?;
    ends.check(lower, view)?;
    Some(Force::Acting(mbd::Force::Bushing(bushing)))
}

/// Stiffness and damping of a bushing between these places.
pub(super) fn numbers(lower: &mut Lower<'_, '_>, view: &View<'_>, ends: &Ends) -> Option<Bushing> {
    if !view.has("stiffness") {
        let hint = Some("write stiffness = \"1e8 N/m\"".to_owned());
        lower.report_whole(view, "a bushing needs a `stiffness`", hint);
        return None;
    }
    let [kx, ky] = pair(lower, view, "stiffness", D::Stiffness);
    let [cx, cy] = pair(lower, view, "damping", D::Damping);
    let turning = stiffness(lower, view, "torsional_stiffness", D::TorsionalStiffness);
    let damped = lower.not_negative(view, "torsional_damping", D::TorsionalDamping);
    Some(Bushing {
        a: ends.a,
        b: ends.b,
        stiffness: [kx, ky, turning.unwrap_or(0.0)],
        damping: [cx, cy, damped.unwrap_or(0.0)],
    })
}

/// One number for all directions, or two along and across the axis.
fn pair(lower: &mut Lower<'_, '_>, view: &View<'_>, key: &'static str, dimension: D) -> [f64; 2] {
    let given = match view.vector(key, dimension) {
        Some(pair) => Some(pair),
        None => view.quantity(key, dimension).map(|both| [both, both]),
    };
    let numbers = given.unwrap_or_default();
    if numbers.iter().any(|x| !(*x >= 0.0)) {
        lower.report(view, key, "it must not be negative", None);
    }
    check_size(lower, view, key, numbers[0].max(numbers[1]));
    numbers
}

/// A stiffness of 0 or more, of this world.
pub(super) fn stiffness(
    lower: &mut Lower<'_, '_>,
    view: &View<'_>,
    key: &'static str,
    dimension: D,
) -> Option<f64> {
    let value = lower.not_negative(view, key, dimension)?;
    check_size(lower, view, key, value);
    Some(value)
}

fn check_size(lower: &mut Lower<'_, '_>, view: &View<'_>, key: &'static str, value: f64) {
    if value > MAX_STIFFNESS {
        let hint = Some("use an ideal joint for a rigid connection".to_owned());
        lower.report(view, key, format!("{value:e} is unrealistically stiff"), hint);
    }
}

pub(super) fn drawing(bushing: &Bushing) -> ForceDrawing {
    ForceDrawing { form: ForceForm::Bushing, a: Some(bushing.a), b: bushing.b, turns: false }
}
