//! Two circles that touch from outside.

use jointplay_contact::Surfaces;
use jointplay_mbd::{Anchor, Snapshot};

use super::Element;
use super::contact::{CIRCLE, Contact, ContactElement, circle};
use super::contact_spec::{ContactSpec, LAWS};
use crate::build::{Assembly, NamedContact};
use crate::document::At;
use crate::format::{COUNT, TYPE, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::Record;

pub(super) const ELEMENT: Element<Contact> =
    Element { word: "circle-circle", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "Two circles that touch from outside",
    fields: &[
        &[TYPE, COUNT, must("a", CIRCLE, "one circle"), must("b", CIRCLE, "the other")],
        LAWS,
    ],
    parameters: false,
};

/// Two circles.
#[derive(Clone, Debug)]
pub(crate) struct Circles {
    centres: [Anchor; 2],
    radii: [f64; 2],
    spec: ContactSpec,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Contact> {
    let spec = ContactSpec::read(lower, view);
    let (a, b) = (circle(lower, view, "a"), circle(lower, view, "b"));
    let ((a, radius_a), (b, radius_b)) = (a?, b?);
    lower.two_bodies(view, a.body, b.body)?;
    let (centres, radii) = ([a, b], [radius_a, radius_b]);
    Some(Contact::Circles(Circles { centres, radii, spec: spec? }))
}

impl ContactElement for Circles {
    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Option<Vec<NamedContact>> {
        let spec = &self.spec;
        let [radius_i, radius_j] = self.radii;
        let surfaces = Some(Surfaces::External { radius_i, radius_j });
        let law = assembly.law(&spec.law, spec, surfaces)?;
        let contact = assembly.parts.circles(name, self.centres, self.radii, law);
        assembly.settle(contact, &spec.law, spec, surfaces);
        Some(vec![NamedContact { contact, name: "circle" }])
    }

    fn spec(&self) -> &ContactSpec {
        &self.spec
    }

    fn spec_mut(&mut self) -> &mut ContactSpec {
        &mut self.spec
    }

    fn warn_of_start(&self, _: &Snapshot<'_>, _: &str, _: &At, _: &mut Problems) {}
}
