//! A force at a point, as a function of time.

use jointplay_mbd::{self as mbd, Anchor, LoadFrame};

use super::Element;
use super::force::{Force, ForceDrawing, ForceForm};
use super::signal::{self, LOAD};
use crate::channel::ForceQuantity::{self, Component, Power, Size};
use crate::format::{COUNT, DIRECTION, PLACE, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Omitted, Record};
use crate::units::Dimension as D;
use crate::word::{Word, words};

pub(super) const ELEMENT: Element<Force> = Element { word: "force", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A force at a point",
    fields: &[&[
        TYPE,
        COUNT,
        must("on", PLACE, "where it acts"),
        must("direction", DIRECTION, "angle to the x axis, or a vector"),
        f(
            "frame",
            Kind::Choice(LoadFrame::WORDS),
            "the frame in which the direction is fixed; world by default",
        )
        .omitted(Omitted::Word("world")),
        must("value", Kind::Signal(&[D::Force], &LOAD), "its magnitude"),
    ]],
    parameters: false,
};

words!(LoadFrame { World = "world", Body = "body" });

pub(super) const CHANNELS: &[(&str, &str, ForceQuantity)] = &[
    ("force", "N", Size),
    ("fx", "N", Component(0)),
    ("fy", "N", Component(1)),
    ("power", "W", Power),
];

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Force> {
    let on = lower.point_of(view, "on");
    let direction = lower.direction(view);
    let size = signal::read(lower, view, "value", D::Force);
    Some(Force::Acting(mbd::Force::Load {
        at: on?,
        direction: direction?,
        fixed_in: view.word("frame").unwrap_or(LoadFrame::World),
        size: size?,
    }))
}

pub(super) fn drawing(at: Anchor) -> ForceDrawing {
    ForceDrawing { form: ForceForm::Load, a: None, b: at.into(), turns: false }
}
