//! A torque on a body and its reaction on another, as a function of time.

use jointplay_mbd::{self as mbd, BodyId, GROUND};

use super::Element;
use super::force::{Force, ForceDrawing, ForceForm};
use super::signal::{self, LOAD};
use crate::channel::ForceQuantity::{self, Power, Size};
use crate::format::{COUNT, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension as D;

pub(super) const ELEMENT: Element<Force> = Element { word: "torque", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A torque on a body and its reaction on another",
    fields: &[&[
        TYPE,
        COUNT,
        must("on", Kind::Name, "the body that is driven"),
        f("against", Kind::Name, "the body that takes the reaction; ground by default")
            .omitted(Omitted::Word("ground")),
        must("value", Kind::Signal(&[D::Torque], &LOAD), "its size, positive counter-clockwise"),
    ]],
    parameters: false,
};

pub(super) const CHANNELS: &[(&str, &str, ForceQuantity)] =
    &[("torque", "N m", Size), ("power", "W", Power)];

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Force> {
    let on = lower.body_of(view, "on");
    let against = if view.has("against") { lower.body_of(view, "against") } else { Some(GROUND) };
    let size = signal::read(lower, view, "value", D::Torque);
    let (on, against) = (on?, against?);
    lower.two_bodies(view, on, against)?;
    Some(Force::Acting(mbd::Force::Torque { on, against, size: size? }))
}

pub(super) fn drawing(on: BodyId) -> ForceDrawing {
    ForceDrawing { form: ForceForm::Torque, a: None, b: on.origin().into(), turns: true }
}
