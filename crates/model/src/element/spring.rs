//! A spring-damper between two points.

use jointplay_mbd::{self as mbd, Spring};

use super::Element;
use super::bushing::stiffness;
use super::force::{Force, ForceDrawing, ForceForm};
use crate::channel::ForceQuantity::{self, Component, Energy, Power, Size};
use crate::format::{COUNT, LENGTH, PLACE, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension as D;

use Kind::Quantity;

pub(super) const ELEMENT: Element<Force> = Element { word: "spring", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A spring-damper between two points: tension = preload + k (l - l0) + c dl/dt",
    fields: &[&[
        TYPE,
        COUNT,
        must("a", PLACE, "one end"),
        must("b", PLACE, "the other end"),
        f("stiffness", Quantity(&[D::Stiffness]), "k; 0 by default").omitted(Omitted::Number(0.0)),
        f("damping", Quantity(&[D::Damping]), "c; 0 by default").omitted(Omitted::Number(0.0)),
        f(
            "free_length",
            LENGTH,
            "l0; by default the distance of the points as the bodies are placed",
        ),
        f("preload", Quantity(&[D::Force]), "tension at the free length; 0 by default")
            .omitted(Omitted::Number(0.0)),
    ]],
    parameters: false,
};

pub(super) const CHANNELS: &[(&str, &str, ForceQuantity)] = &[
    ("force", "N", Size),
    ("fx", "N", Component(0)),
    ("fy", "N", Component(1)),
    ("energy", "J", Energy),
    ("power", "W", Power),
];

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Force> {
    let (a, b) = (lower.point_of(view, "a"), lower.point_of(view, "b"));
    let stiffness = stiffness(lower, view, "stiffness", D::Stiffness).unwrap_or(0.0);
    let damping = lower.not_negative(view, "damping", D::Damping).unwrap_or(0.0);
    let free = lower.not_negative(view, "free_length", D::Length);
    let (a, b) = (a?, b?);
    lower.two_bodies(view, a.body, b.body)?;
    let distance = lower.distance(a, b);
    let free_length = free.unwrap_or(distance);
    let preload = view.quantity("preload", D::Force).unwrap_or(0.0);
    if distance == 0.0 && (free_length > 0.0 || preload != 0.0) {
        let hint = Some("a spring of no length has no direction: move an end".to_owned());
        lower.report_whole(view, "both ends of the spring coincide at the start", hint);
    }
    let spring = Spring { a, b, stiffness, free_length, preload, damping };
    Some(Force::Acting(mbd::Force::Spring(spring)))
}

pub(super) fn drawing(spring: &Spring) -> ForceDrawing {
    ForceDrawing {
        form: ForceForm::Spring,
        a: Some(spring.a.into()),
        b: spring.b.into(),
        turns: false,
    }
}
