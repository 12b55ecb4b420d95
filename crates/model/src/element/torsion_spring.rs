//! A spring-damper between the angles of two bodies.

use jointplay_mbd::{self as mbd, TorsionSpring};

use super::Element;
use super::bushing::stiffness;
use super::force::{Force, ForceDrawing, ForceForm};
use crate::channel::ForceQuantity::{self, Energy, Power, Size};
use crate::format::{ANGLE, COUNT, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension as D;

use Kind::{Name, Quantity};

pub(super) const ELEMENT: Element<Force> =
    Element { word: "torsion-spring", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A spring-damper between the angles of two bodies",
    fields: &[&[
        TYPE,
        COUNT,
        must("a", Name, "the body that the angle is measured from"),
        must("b", Name, "the body that the angle is measured to"),
        f("stiffness", Quantity(&[D::TorsionalStiffness]), "per angle; 0 by default")
            .omitted(Omitted::Number(0.0)),
        f("damping", Quantity(&[D::TorsionalDamping]), "per angular velocity; 0 by default")
            .omitted(Omitted::Number(0.0)),
        f("free_angle", ANGLE, "angle without moment; 0 by default").omitted(Omitted::Number(0.0)),
        f("preload", Quantity(&[D::Torque]), "moment at the free angle; 0 by default")
            .omitted(Omitted::Number(0.0)),
    ]],
    parameters: false,
};

pub(super) const CHANNELS: &[(&str, &str, ForceQuantity)] =
    &[("torque", "N m", Size), ("energy", "J", Energy), ("power", "W", Power)];

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Force> {
    let (a, b) = (lower.body_of(view, "a"), lower.body_of(view, "b"));
    let (a, b) = (a?, b?);
    lower.two_bodies(view, a, b)?;
    let stiffness = stiffness(lower, view, "stiffness", D::TorsionalStiffness);
    let damping = lower.not_negative(view, "damping", D::TorsionalDamping);
    Some(Force::Acting(mbd::Force::TorsionSpring(TorsionSpring {
        a,
        b,
        stiffness: stiffness.unwrap_or(0.0),
        free_angle: view.quantity("free_angle", D::Angle).unwrap_or(0.0),
        preload: view.quantity("preload", D::Torque).unwrap_or(0.0),
        damping: damping.unwrap_or(0.0),
    })))
}

pub(super) fn drawing(spring: &TorsionSpring) -> ForceDrawing {
    ForceDrawing {
        form: ForceForm::TorsionSpring,
        a: None,
        b: spring.b.origin().into(),
        turns: true,
    }
}
