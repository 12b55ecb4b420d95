//! A massless rod between two points.

use jointplay_mbd::{self as mbd, Anchor, Axis, JointFriction, Mechanism, Snapshot};

use super::Element;
use super::fit::{ClearanceKey, Ends};
use super::joint::{Joint, JointElement};
use super::touching::{Laws, TouchingLaws};
use crate::build::{Assembly, Handle, NamedContact};
use crate::channel::List;
use crate::document::At;
use crate::drawing::{Block, GapDrawing};
use crate::format::{LENGTH, PLACE, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::{Kind, Record};
use crate::units::Dimension;

pub(super) const ELEMENT: Element<Joint> = Element { word: "rod", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A massless rod of fixed length between two points",
    fields: &[&[
        TYPE,
        f("kind", Kind::Choice(&["ideal"]), "ideal"),
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

/// A rod; it is always ideal.
#[derive(Clone, Debug)]
pub(crate) struct Rod {
    a: Anchor,
    b: Anchor,
    length: f64,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Joint> {
    let ends = Ends::points(lower, view);
    let given = lower.positive(view, "length", Dimension::Length);
    if !ends.known {
        return None;
    }
    let (a, b) = (ends.a.anchor, ends.b.anchor);
    let length = given.unwrap_or_else(|| lower.distance(a, b));
    if length == 0.0 && !view.has("length") {
        let hint = Some("give a length, or move one of them".to_owned());
        lower.report_whole(view, "the ends of the rod coincide", hint);
        return None;
    }
    ends.check(lower, view)?;
    Some(Joint::Rod(Rod { a, b, length }))
}

impl JointElement for Rod {
    fn word(&self) -> &'static str {
        ELEMENT.word
    }

    fn places(&self) -> [Axis; 2] {
        [self.a.into(), self.b.into()]
    }

    fn coordinate(&self) -> Option<Dimension> {
        None
    }

    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate> {
        None
    }

    fn build(&self, name: &str, _: &At, assembly: &mut Assembly<'_>) -> Handle {
        Handle::Ideal(assembly.parts.rod(name, self.a, self.b, self.length))
    }

    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>) {
        list.joint(name, handle, self.a.into(), None);
    }

    fn touching(&self) -> Option<TouchingLaws<'_>> {
        None
    }

    fn laws(&mut self) -> Option<Laws<'_>> {
        None
    }

    fn clearance(&self) -> Option<ClearanceKey> {
        None
    }

    fn friction(&self) -> Option<&JointFriction> {
        None
    }

    fn warn_of_start(&self, _: &Snapshot<'_>, _: &str, _: &At, _: &mut Problems) {}

    fn gap(&self, _: &[NamedContact], _: &Mechanism) -> Option<GapDrawing> {
        None
    }

    fn block(&self, _: &Handle, _: &Mechanism) -> Option<Block> {
        None
    }

    fn centre_line(&self) -> Vec<[f64; 2]> {
        Vec::new()
    }
}
