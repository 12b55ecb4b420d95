//! A block in a guide: corners of each on the flats of the other.

use jointplay_contact::ContactLaw;

use super::{Builder, ContactKind};
use crate::contact::{BlockInGuide, ContactId, Region, Section, Shape, Wall};
use crate::error::{PartKind, PartProblem};
use crate::frame::{Anchor, Axis, unit};

/// The corners of a rectangle, seen along the axis of the guide: name, and signs along and across it.
const CORNERS: [(&str, f64, f64); 4] = [
    ("upper front", 1.0, 1.0),
    ("upper rear", -1.0, 1.0),
    ("lower front", 1.0, -1.0),
    ("lower rear", -1.0, -1.0),
];

impl Builder {
    /// Adds a block in a guide with clearance: contacts of its upper front, upper rear, lower front and lower rear corner,
    /// seen along the axis of the guide. If the walls have ends, four more follow: those of the ends of the walls in the
    /// same order with the sides of the block.
    ///
    /// When a corner of the block slides over an end of its wall, its contact passes with its
    /// memory to that end, which then touches the side of the block; and the other way round. The
    /// end faces of block and walls are not surfaces: a block that has left the guide is free, and
    /// a corner that comes back behind a wall does not touch it.
    pub fn block_in_guide(
        &mut self,
        name: &str,
        block: BlockInGuide,
        law: &ContactLaw,
    ) -> Vec<ContactId> {
        let BlockInGuide { guide, block, length, height, clearance, extent, contact_point } = block;
        if let Some([from, to]) = extent
            && !(from < to)
        {
            let message = format!("its walls end ({to} m) before they begin ({from} m)");
            self.problems.push(PartProblem::new(PartKind::Contact, name, message));
        }
        let half = 0.5 * length;
        let first = self.contacts.len();
        let touch = |surface: Axis, [from, to]: [f64; 2], offset: f64, pin: Anchor| Wall {
            body: surface.anchor.body,
            section: Section {
                region: Region::Flat,
                shape: Shape::Flat {
                    from: place(surface, from, offset).local,
                    to: place(surface, to, offset).local,
                },
            },
            pin,
            pin_radius: 0.0,
            contact_point,
            play: Some(clearance),
            solid: Some(0.5 * height),
            bounded: extent.is_some(),
            neighbours: [None; 2],
        };
        for (i, (corner, along, across)) in CORNERS.into_iter().enumerate() {
            // Going backwards along the upper wall free space is to the left.
            let [rear, front] = extent.unwrap_or([-half, half]);
            let ends = if across > 0.0 { [front, rear] } else { [rear, front] };
            let offset = (0.5 * height + clearance) * across;
            let pin = place(block, half * along, 0.5 * height * across);
            let mut wall = touch(guide, ends, offset, pin);
            if extent.is_some() {
                wall.neighbours = beyond(along * across < 0.0, ContactId(first + 4 + i));
            }
            self.contact(format!("{name}, {corner}"), ContactKind::Wall(wall), law.clone());
        }
        let Some([rear, front]) = extent else {
            return (first..first + 4).map(ContactId).collect();
        };
        for (i, (corner, along, across)) in CORNERS.into_iter().enumerate() {
            // Going forwards along the upper side of the block free space is to the left.
            let end = if along > 0.0 { front } else { rear };
            let pin = place(guide, end, (0.5 * height + clearance) * across);
            let ways = [-half * across, half * across];
            let mut wall = touch(block, ways, 0.5 * height * across, pin);
            wall.neighbours = beyond(along * across > 0.0, ContactId(first + i));
            self.contact(format!("{name}, {corner} end"), ContactKind::Wall(wall), law.clone());
        }
        (first..first + 8).map(ContactId).collect()
    }
}

/// The neighbours of a flat with this one before it or behind it.
fn beyond(behind: bool, next: ContactId) -> [Option<ContactId>; 2] {
    if behind { [None, Some(next)] } else { [Some(next), None] }
}

/// The place at these distances along an axis and to its left.
fn place(axis: Axis, along: f64, across: f64) -> Anchor {
    let [x, y] = unit(axis.direction);
    let [px, py] = axis.anchor.local;
    axis.anchor.body.at([px + x * along - y * across, py + y * along + x * across])
}
