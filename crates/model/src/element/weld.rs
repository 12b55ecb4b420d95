//! A weld: makes two bodies one.

use std::convert::Infallible;

use jointplay_mbd::Axis;

use super::Element;
use super::bushing::NUMBERS;
use super::fit::{Ends, Fit};
use super::joint::{FixedJoint, Joint, JointForm};
use crate::build::{Assembly, Handle};
use crate::format::{AXIS, COUNT, TYPE, f, must};
use crate::lower::{Lower, View};
use crate::shape::{Kind, Omitted, Record};

pub(super) const ELEMENT: Element<Joint> = Element { word: "weld", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "One body of two",
    fields: &[
        &[
            TYPE,
            COUNT,
            f("kind", Kind::Choice(&["ideal", "bushing"]), "ideal by default")
                .omitted(Omitted::Word("ideal")),
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

impl FixedJoint for Weld {
    fn form(&self) -> JointForm {
        JointForm::Weld
    }

    fn places(&self) -> [Axis; 2] {
        [self.a, self.b]
    }

    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Handle {
        match &self.fit {
            Fit::Bushing(bushing) => assembly.bushing(name, *bushing),
            Fit::Ideal(()) => Handle::Ideal(assembly.parts.weld(name, self.a, self.b)),
            Fit::Clearance(never) => match *never {},
        }
    }
}
