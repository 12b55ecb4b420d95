//! A circle against a straight wall.

use jointplay_contact::Surfaces;
use jointplay_mbd::{Outline, PinInWalls, Shape, Snapshot};

use super::Element;
use super::contact::{CIRCLE, Contact, ContactElement, circle};
use super::contact_spec::{ContactSpec, LAWS};
use crate::build::{Assembly, NamedContact};
use crate::document::At;
use crate::format::{COUNT, POINT, TYPE, must};
use crate::lower::{Lower, View};
use crate::problem::Problems;
use crate::shape::{Kind, Record};
use crate::units::Dimension;

pub(super) const ELEMENT: Element<Contact> = Element { word: "circle-line", record: &RECORD, read };

static RECORD: Record = Record {
    doc: "A circle against a straight wall",
    fields: &[
        &[
            TYPE,
            COUNT,
            must("line", Kind::Record(&LINE), "the wall"),
            must("circle", CIRCLE, "the circle"),
        ],
        LAWS,
    ],
    parameters: false,
};

static LINE: Record = Record {
    doc: "A straight wall on a body; the free space is to its left, looking from `from` to `to`",
    fields: &[&[
        must("body", Kind::Name, "name of the body, or ground"),
        must("from", POINT, "where it begins"),
        must("to", POINT, "where it ends"),
    ]],
    parameters: false,
};

/// A circle against a straight wall.
#[derive(Clone, Debug)]
pub(crate) struct CircleLine {
    circle: PinInWalls,
    spec: ContactSpec,
}

fn read(lower: &mut Lower<'_, '_>, view: &View<'_>) -> Option<Contact> {
    let spec = ContactSpec::read(lower, view);
    let circle = circle(lower, view, "circle");
    let line = view.view("line")?;
    let body = lower.body_of(&line, "body");
    let from = line.vector("from", Dimension::Length)?;
    let to = line.vector("to", Dimension::Length)?;
    if from == to {
        lower.report(&line, "to", "a wall of no length", None);
        return None;
    }
    let ((pin, pin_radius), body) = (circle?, body?);
    lower.two_bodies(view, body, pin.body)?;
    let outline = Outline::flat(from, to);
    let circle = PinInWalls { body, outline, pin, pin_radius, contact_point: 0.5, play: None };
    Some(Contact::CircleLine(CircleLine { circle, spec: spec? }))
}

impl ContactElement for CircleLine {
    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Option<Vec<NamedContact>> {
        let (circle, spec) = (&self.circle, &self.spec);
        let surfaces = Some(Surfaces::OnPlane { radius: circle.pin_radius });
        let law = assembly.law(&spec.law, spec, surfaces)?;
        let contacts = assembly.parts.pin_in_walls(name, circle.clone(), |_| law.clone());
        let mut regions = Vec::new();
        for (contact, section) in contacts.into_iter().zip(circle.outline.sections()) {
            assembly.settle(contact, &spec.law, spec, surfaces);
            regions.push(NamedContact { contact, name: section.region.name() });
        }
        Some(regions)
    }

    fn spec(&self) -> &ContactSpec {
        &self.spec
    }

    fn spec_mut(&mut self) -> &mut ContactSpec {
        &mut self.spec
    }

    /// Warns if the circle starts behind the line, which does not support it there.
    fn warn_of_start(&self, instant: &Snapshot<'_>, name: &str, at: &At, warnings: &mut Problems) {
        let PinInWalls { body, outline, pin, .. } = &self.circle;
        let centre = instant.point(*pin).position;
        for section in outline.sections() {
            let Shape::Flat { from, to } = section.shape else { continue };
            let [from, to] = [from, to].map(|end| instant.point(body.at(end)).position);
            let ([lx, ly], [x, y]) =
                ([to[0] - from[0], to[1] - from[1]], [centre[0] - from[0], centre[1] - from[1]]);
            let length = libm::hypot(lx, ly);
            let (along, above) = ((lx * x + ly * y) / length, (lx * y - ly * x) / length);
            if above < 0.0 && (0.0..=length).contains(&along) {
                let message = format!(
                    "the circle of '{name}' starts behind its line, with its centre {:.4} mm from it: there the line does not support it",
                    -1e3 * above
                );
                let hint = "free space is to the left, looking from 'from' to 'to': swap them, or place the circle there";
                warnings.report(&at.place, &at.path, message, Some(hint.to_owned()));
            }
        }
    }
}
