//! A weld: makes two bodies one.

use std::convert::Infallible;

use jointplay_mbd::{self as mbd, Axis, JointFriction, Mechanism, Snapshot};

use super::Element;
use super::bushing::NUMBERS;
use super::fit::{ClearanceKey, Ends, Fit};
use super::joint::{Joint, JointElement};
use super::touching::{Laws, TouchingLaws};
use crate::build::{Assembly, Handle, NamedContact};
use crate::channel::List;
use crate::document::At;
use crate::drawing::{Block, GapDrawing};
use crate::format::{AXIS, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::{Kind, Record};
use crate::units::Dimension;

pub(super) const ELEMENT: Element<Joint> = Element { word: "weld", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "One body of two",
    fields: &[
        &[
            TYPE,
            f("kind", Kind::Choice(&["ideal", "bushing"]), "ideal by default"),
            must("a", AXIS, "place on body a"),
            must("b", AXIS, "place on body b"),
        ],
        NUMBERS,
    ],
    parameters: false,
};

/// A weld; it has no clearance.
#[derive(Clone, Debug)]
pub(crate) struct Weld {
    a: Axis,
    b: Axis,
    fit: Fit<(), Infallible>,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Joint> {
    let ends = Ends::axes(lower, view);
    let fit = Fit::read(lower, view, &ends)?.with((), || None)?;
    ends.check(lower, view)?;
    Some(Joint::Weld(Weld { a: ends.a, b: ends.b, fit }))
}

impl JointElement for Weld {
    fn word(&self) -> &'static str {
        ELEMENT.word
    }

    fn places(&self) -> [Axis; 2] {
        [self.a, self.b]
    }

    fn coordinate(&self) -> Option<Dimension> {
        None
    }

    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate> {
        None
    }

    fn build(&self, name: &str, _: &At, assembly: &mut Assembly<'_>) -> Handle {
        match &self.fit {
            Fit::Bushing(bushing) => assembly.bushing(name, *bushing),
            Fit::Ideal(()) => Handle::Ideal(assembly.parts.weld(name, self.a, self.b)),
            Fit::Clearance(never) => match *never {},
        }
    }

    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>) {
        list.joint(name, handle, self.a, None);
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
