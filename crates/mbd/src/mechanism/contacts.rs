//! Contacts on numbered frames.

use std::f64::consts::TAU;

use jointplay_contact::friction::FrictionLaw;

use super::number::Stations;
use super::{Contact, ContactKind};
use crate::circle::sin_cos;
use crate::contact::{ContactElement, Front, Gap, Shape, Side, Wall, guards_of};
use crate::joint::Joint;
use crate::ledger::AccountKind;

/// The place of a contact: its gap, the range in which the pin can touch, the contacts beyond the
/// ends of its section, and how far the pin can move freely.
type Siting = (Gap, Option<Front>, [Option<usize>; 2], Option<f64>);

impl Stations<'_> {
    /// The contacts, with the numbers of their guards and of contacts with bristles.
    pub(super) fn contact_elements(
        &self,
        joints: &[Joint],
        contacts: &[(String, Contact)],
        mut open: impl FnMut(AccountKind, &str) -> usize,
    ) -> (Vec<ContactElement>, usize, usize) {
        let (mut guards, mut bristles) = (0, 0);
        let mut elements = Vec::with_capacity(contacts.len());
        for (name, part) in contacts {
            let (gap, front, beyond, play) = self.contact_place(joints, part.kind);
            let slides = part.law.friction != FrictionLaw::NoFriction;
            let bends = part.law.friction.state_count() > 0;
            // The other law or, when the corners of wall and block change places, the other indentation.
            let body = |kind: &ContactKind| match kind {
                ContactKind::Wall(wall) => Some(wall.body),
                ContactKind::Journal(_) | ContactKind::Stop { .. } => None,
            };
            let changes = |next: &usize| {
                let next = &contacts[*next].1;
                next.law != part.law || body(&next.kind) != body(&part.kind)
            };
            let seam = beyond.iter().flatten().any(changes);
            let element = ContactElement {
                front,
                beyond,
                play,
                initial_impact_speed: part.initial_impact_speed,
                normal_account: open(AccountKind::ContactNormal, name),
                friction_account: slides.then(|| open(AccountKind::ContactFriction, name)),
                seam_account: seam.then(|| open(AccountKind::Seam, name)),
                bristle: bends.then_some(bristles),
                first_guard: guards,
                guards: guards_of(&part.law, &gap, front.is_some(), part.locates_turns),
                law: part.law.clone(),
                gap,
            };
            guards += element.guards.len();
            bristles += usize::from(bends);
            elements.push(element);
        }
        (elements, guards, bristles)
    }

    fn contact_place(&self, joints: &[Joint], kind: ContactKind) -> Siting {
        match kind {
            ContactKind::Journal(journal) => {
                let gap = Gap::Journal {
                    bearing: self.station(journal.bearing),
                    journal: self.station(journal.journal),
                    radius: journal.bearing_radius,
                    clearance: journal.clearance,
                    contact_point: journal.contact_point,
                };
                (gap, None, [None; 2], Some(journal.clearance))
            }
            ContactKind::Stop { coordinate, limit, side } => {
                let sign = if side == Side::Above { 1.0 } else { -1.0 };
                let row = self.coordinate_row(joints, coordinate);
                (Gap::Stop { row, limit, sign }, None, [None; 2], None)
            }
            ContactKind::Wall(wall) => {
                let (gap, front, beyond) = self.wall(&wall);
                (gap, front, beyond, wall.play)
            }
        }
    }

    /// The gap to one section of a wall, the range in which the pin can touch it, and the contacts
    /// beyond its ends.
    fn wall(&self, wall: &Wall) -> (Gap, Option<Front>, [Option<usize>; 2]) {
        let Wall { body, section, pin, pin_radius, contact_point, .. } = *wall;
        let pin = self.station(pin);
        let [before, after] = wall.neighbours.map(|id| id.map(|id| id.0));
        match section.shape {
            Shape::Flat { from, to } => {
                let way = [to[0] - from[0], to[1] - from[1]];
                let length = libm::hypot(way[0], way[1]);
                let along = [way[0] / length, way[1] / length];
                let middle = self.station(body.at([0, 1].map(|i| 0.5 * (from[i] + to[i]))));
                let normal = [-along[1], along[0]];
                let front = wall.bounded.then_some(Front::Flat { along, half: 0.5 * length });
                (
                    Gap::Flat { middle, pin, normal, pin_radius, contact_point },
                    front,
                    [before, after],
                )
            }
            Shape::Arc { centre, radius, from_angle, sweep } => {
                let (sin, cos) = sin_cos(from_angle + 0.5 * sweep);
                let (_, cosine) = sin_cos(0.5 * sweep);
                let bounded = wall.bounded && sweep.abs() < TAU;
                let front = bounded.then_some(Front::Arc { bisector: [cos, sin], cosine });
                let centre = self.station(body.at(centre));
                if sweep > 0.0 {
                    let clearance = radius - pin_radius;
                    let gap = Gap::Journal {
                        bearing: centre,
                        journal: pin,
                        radius,
                        clearance,
                        contact_point,
                    };
                    (gap, front, [before, after])
                } else {
                    (
                        Gap::Bulge { centre, pin, radius, pin_radius, contact_point },
                        front,
                        [after, before],
                    )
                }
            }
        }
    }
}
