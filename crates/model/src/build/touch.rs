//! What touches: journals, pins in slots, blocks in guides, circles and lines, each with its law.

use std::f64::consts::TAU;

use jointplay_contact::{ContactLaw, Surfaces};
use jointplay_mbd::{self as mbd, ContactId, Outline, Shape};

use super::{Assembly, Handle, Region, on_slot};
use crate::document::{
    ChainPoint, Contact, ContactForm, Guide, Joint, JointForm, Journal, LawSpec, Named, Slot,
    SlotPath, Touching,
};

impl Assembly<'_> {
    /// The law of a contact, with its warnings kept.
    pub(super) fn law(
        &mut self,
        spec: &LawSpec,
        touch: &Touching,
        surfaces: Option<Surfaces>,
    ) -> Option<ContactLaw> {
        let built = spec.build(touch, surfaces, self.problems)?;
        for warning in built.warnings {
            self.warnings.report(&spec.at.place, &spec.at.path, warning, None);
        }
        Some(built.law)
    }

    /// Keeps what the law of a contact is made of.
    pub(super) fn origin(
        &mut self,
        contact: ContactId,
        spec: &LawSpec,
        touch: &Touching,
        surfaces: Option<Surfaces>,
    ) {
        self.handles.origins.push((contact, spec.origin(touch, surfaces)));
    }

    pub(super) fn settings(&mut self, contact: ContactId, touch: &Touching) {
        if let Some(speed) = touch.initial_impact_speed {
            self.parts.initial_impact_speed(contact, speed);
        }
        if touch.locate_turns {
            self.parts.locate_turns(contact);
        }
    }

    pub(super) fn journal(&mut self, part: &Named<Joint>, journal: &Journal) -> Handle {
        let touch = &journal.touch;
        let Some(law) = self.law(&touch.law, touch, Some(journal.surfaces)) else {
            return Handle::Clearance(Vec::new());
        };
        let bearing = mbd::JournalBearing {
            bearing: self.anchor(part.part.a.point),
            journal: self.anchor(part.part.b.point),
            bearing_radius: journal.bearing_radius,
            clearance: journal.clearance,
            depth: journal.depth,
        };
        let contact = self.parts.journal_bearing(part.name.clone(), bearing, law);
        self.settings(contact, touch);
        self.origin(contact, &touch.law, touch, Some(journal.surfaces));
        Handle::Clearance(vec![Region { contact, name: "bearing" }])
    }

    /// A pin in a slot with clearance: a contact with each section of its walls, with the stiffness of its own curvature.
    pub(super) fn slot(&mut self, part: &Named<Joint>, path: &SlotPath, slot: &Slot) -> Handle {
        let joint = &part.part;
        let touch = &slot.touch;
        let Some(outlines) = slot_walls(joint, path, slot) else {
            let message = "the ends of the slot are the same";
            self.problems.report(&part.at.place, &part.at.path, message, None);
            return Handle::Clearance(Vec::new());
        };
        let mut regions = Vec::new();
        for (i, outline) in outlines.iter().enumerate() {
            let laws: Option<Vec<ContactLaw>> =
                outline.sections().iter().map(|section| self.section_law(slot, section)).collect();
            let Some(laws) = laws else { continue };
            let pin = mbd::PinInWalls {
                body: self.handles.bodies[joint.a.point.body],
                outline: outline.clone(),
                pin: self.anchor(joint.b.point),
                pin_radius: slot.pin_radius,
                depth: slot.depth,
                play: Some(slot.radii[0].min(slot.radii[1]) - slot.pin_radius),
            };
            let side = if outlines.len() > 1 { [" right", " left"][i] } else { "" };
            let mut laws = laws.into_iter();
            // There is one law for each section.
            let law = |_: &mbd::Section| laws.next().expect("a law for each section");
            let contacts = self.parts.pin_in_walls(&format!("{}{side}", part.name), pin, law);
            for (contact, section) in contacts.into_iter().zip(outline.sections()) {
                self.settings(contact, touch);
                let (spec, surfaces) = section_spec(slot, section);
                self.origin(contact, spec, touch, Some(surfaces));
                regions.push(Region { contact, name: section.region.name() });
            }
        }
        Handle::Clearance(regions)
    }

    /// The law of one section of a slot.
    fn section_law(&mut self, slot: &Slot, section: &mbd::Section) -> Option<ContactLaw> {
        let (spec, surfaces) = section_spec(slot, section);
        self.law(spec, &slot.touch, Some(surfaces))
    }

    /// A block in a guide with clearance.
    pub(super) fn guide(&mut self, part: &Named<Joint>, guide: &Guide) -> Handle {
        let touch = &guide.touch;
        let Some(law) = self.law(&touch.law, touch, None) else {
            return Handle::Clearance(Vec::new());
        };
        let block = mbd::BlockInGuide {
            guide: self.axis(part.part.a),
            block: self.axis(part.part.b),
            length: guide.block_length,
            height: guide.block_height,
            clearance: guide.clearance,
            extent: guide.extent,
            depth: 1.0,
        };
        let corners = self.parts.block_in_guide(&part.name, block, &law);
        let names = ["upper front", "upper rear", "lower front", "lower rear"];
        let ends = ["upper front end", "upper rear end", "lower front end", "lower rear end"];
        let regions = corners.into_iter().zip(names.into_iter().chain(ends));
        let regions = regions.map(|(contact, name)| Region { contact, name });
        let regions: Vec<Region> = regions.collect();
        for region in &regions {
            self.settings(region.contact, touch);
            self.origin(region.contact, &touch.law, touch, None);
        }
        Handle::Clearance(regions)
    }

    /// A contact outside joints.
    pub(super) fn contact(&mut self, part: &Named<Contact>) {
        let Contact { form, touch } = &part.part;
        let surfaces = match form {
            ContactForm::Circles { a, b } => Surfaces::External { radius_i: a.1, radius_j: b.1 },
            ContactForm::CircleLine { circle, .. } => Surfaces::OnPlane { radius: circle.1 },
        };
        let Some(law) = self.law(&touch.law, touch, Some(surfaces)) else { return };
        let regions = match form {
            ContactForm::Circles { a, b } => {
                let centres = [self.anchor(a.0), self.anchor(b.0)];
                let contact = self.parts.circles(part.name.clone(), centres, [a.1, b.1], law);
                vec![Region { contact, name: "circle" }]
            }
            ContactForm::CircleLine { body, from, to, circle } => {
                let outline = Outline::flat(*from, *to);
                let pin = mbd::PinInWalls {
                    body: self.handles.bodies[*body],
                    outline: outline.clone(),
                    pin: self.anchor(circle.0),
                    pin_radius: circle.1,
                    depth: 0.5,
                    play: None,
                };
                let contacts = self.parts.pin_in_walls(&part.name, pin, |_| law.clone());
                let sections = contacts.into_iter().zip(outline.sections());
                let region = |(contact, section): (ContactId, &mbd::Section)| Region {
                    contact,
                    name: section.region.name(),
                };
                sections.map(region).collect()
            }
        };
        for region in &regions {
            self.settings(region.contact, touch);
            self.origin(region.contact, &touch.law, touch, Some(surfaces));
        }
        self.handles.contacts.push((part.name.clone(), regions));
    }
}

/// What is said about the law of one section of a slot, and the surfaces that meet there.
fn section_spec<'s>(slot: &'s Slot, section: &mbd::Section) -> (&'s LawSpec, Surfaces) {
    let pin = slot.pin_radius;
    let surfaces = match section.shape.surface_radius() {
        Some(radius) if radius < 0.0 => Surfaces::Internal { bearing: -radius, journal: pin },
        Some(radius) if radius > 0.0 => Surfaces::External { radius_i: radius, radius_j: pin },
        // A corner has no radius: the pin yields as on a flat.
        _ => Surfaces::OnPlane { radius: pin },
    };
    let own = slot.regions.iter().find(|(region, _)| *region == section.region);
    (own.map_or(&slot.touch.law, |(_, law)| law), surfaces)
}

/// The walls of a slot on its body; `None` where a tapered slot has no length.
pub(super) fn slot_walls(joint: &Joint, path: &SlotPath, slot: &Slot) -> Option<Vec<Outline>> {
    if let SlotPath::Straight { from, to } = path {
        let [from, to] = [from, to].map(|point| on_slot(joint, *point).local);
        return if slot.open == [false, false] {
            Some(vec![Outline::slot(from, to, slot.radii)])
        } else {
            Outline::open_slot(from, to, slot.radii, slot.open)
        };
    }
    Some(Outline::channel(&middle(joint, path), slot.radii[0], slot.open))
}

/// The centre line of a slot on its body.
fn middle(joint: &Joint, path: &SlotPath) -> Vec<Shape> {
    let at = |point: [f64; 2]| on_slot(joint, point).local;
    match path {
        SlotPath::Straight { from, to } => vec![Shape::Flat { from: at(*from), to: at(*to) }],
        SlotPath::Curved { centre, radius, from_angle, to_angle } => {
            let sweep = to_angle - from_angle;
            let (centre, radius, from_angle) = (at(*centre), *radius, *from_angle);
            vec![Shape::Arc { centre, radius, from_angle, sweep }]
        }
        SlotPath::Chain { points } => {
            let piece = |pair: &[ChainPoint]| {
                let (from, to) = (at(pair[0].at), at(pair[1].at));
                let Some((centre, clockwise)) = pair[1].arc else {
                    return Shape::Flat { from, to };
                };
                let centre = at(centre);
                let arm = |p: [f64; 2]| [p[0] - centre[0], p[1] - centre[1]];
                let angle = |p: [f64; 2]| libm::atan2(arm(p)[1], arm(p)[0]);
                let turn = (angle(to) - angle(from)).rem_euclid(TAU);
                Shape::Arc {
                    centre,
                    radius: libm::hypot(arm(from)[0], arm(from)[1]),
                    from_angle: angle(from),
                    sweep: if clockwise { turn - TAU } else { turn },
                }
            };
            points.windows(2).map(piece).collect()
        }
    }
}

/// The centre line of a slot in the frame of body a, as a chain of straight pieces no longer than half a degree of an arc;
/// empty for other joints.
pub(crate) fn centre_line(joint: &Joint) -> Vec<[f64; 2]> {
    let JointForm::Slot { path, .. } = &joint.form else { return Vec::new() };
    let mut line = Vec::new();
    for shape in middle(joint, path) {
        let sweep = if let Shape::Arc { sweep, .. } = shape { sweep.abs() } else { 0.0 };
        let pieces = (sweep / 0.5_f64.to_radians()).ceil().clamp(1.0, 720.0);
        let mut part = 0.0;
        while part <= pieces {
            line.push(shape.point(part / pieces));
            part += 1.0;
        }
    }
    line.dedup();
    line
}
