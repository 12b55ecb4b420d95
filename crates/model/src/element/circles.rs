//! Two circles that touch from outside.

use jointplay_contact::Surfaces;
use jointplay_mbd::{Anchor, Snapshot};

use super::Element;
use super::contact::{CIRCLE, Contact, ContactElement, circle};
use super::touching::{LAWS, Touching};
use crate::build::{Assembly, NamedContact};
use crate::document::At;
use crate::format::{TYPE, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::Record;

pub(super) const ELEMENT: Element<Contact> =
    Element { word: "circle-circle", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "Two circles that touch from outside",
    fields: &[&[TYPE, must("a", CIRCLE, "one circle"), must("b", CIRCLE, "the other")], LAWS],
    parameters: false,
};

/// Two circles.
#[derive(Clone, Debug)]
pub(crate) struct Circles {
    centres: [Anchor; 2],
    radii: [f64; 2],
    touch: Touching,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Contact> {
    let touch = Touching::read(lower, view);
    let (a, b) = (circle(lower, view, "a"), circle(lower, view, "b"));
    let ((a, radius_a), (b, radius_b)) = (a?, b?);
    lower.two_bodies(view, a.body, b.body)?;
    let (centres, radii) = ([a, b], [radius_a, radius_b]);
    Some(Contact::Circles(Circles { centres, radii, touch: touch? }))
}

impl ContactElement for Circles {
    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Option<Vec<NamedContact>> {
        let touch = &self.touch;
        let [radius_i, radius_j] = self.radii;
        let surfaces = Some(Surfaces::External { radius_i, radius_j });
        let law = assembly.law(&touch.law, touch, surfaces)?;
        let contact = assembly.parts.circles(name, self.centres, self.radii, law);
        assembly.settle(contact, &touch.law, touch, surfaces);
        Some(vec![NamedContact { contact, name: "circle" }])
    }

    fn touch(&self) -> &Touching {
        &self.touch
    }

    fn touch_mut(&mut self) -> &mut Touching {
        &mut self.touch
    }

    fn warn_of_start(&self, _: &Snapshot<'_>, _: &str, _: &At, _: &mut Problems) {}
}
