//! Data for drawing joints, contacts and stops, provided by the pages of the elements.

use jointplay_mbd::{Anchor, Axis, BodyId, ContactKind, Mechanism, Shape, Wall};
use serde::Serialize;

use crate::build::{Built, NamedContact};
use crate::document::Document;
use crate::element::Stop;

/// The form in which the gap of a clearance joint, contact or stop is drawn.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum GapForm {
    /// A journal in a bearing.
    Journal,
    /// A pin in a slot.
    Slot,
    /// A block in a guide.
    Block,
    /// Circles and lines outside joints.
    External,
    /// A stop of a coordinate, which has no position in the plane.
    Stop,
}

/// Data for drawing the gap of a clearance joint, contact or stop.
#[derive(Clone, Debug, PartialEq)]
pub struct GapDrawing {
    /// The form in which it is drawn.
    pub form: GapForm,
    /// The body of the walls; what follows is in its frame.
    pub wall_body: BodyId,
    /// The centre of the pin or block.
    pub pin: Anchor,
    /// Radius of the pin (m); 0 for a block.
    pub pin_radius: f64,
    /// The clearance (m); 0 if there is no such length.
    pub clearance: f64,
    /// The sections of the walls with their regions.
    pub walls: Vec<(&'static str, Shape)>,
    /// The line or point that the pin is on where the gap is the same all around (m).
    pub middle: Vec<[f64; 2]>,
    /// The size of a block.
    pub block: Option<BlockSize>,
    /// The contacts.
    pub contacts: Vec<ContactDrawing>,
}

/// Where to draw one contact of a gap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactDrawing {
    /// The contact and its region.
    pub region: NamedContact,
    /// The centre of the pin that it pushes; a stop has none.
    pub pin: Option<Anchor>,
    /// Radius of that pin (m).
    pub radius: f64,
    /// Whether the pin belongs to the body of the walls of the gap; the force is then that on the other body.
    pub turned: bool,
}

/// Length and height of a block (m).
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BlockSize {
    /// Along the guide.
    pub length: f64,
    /// Across it.
    pub height: f64,
}

/// A block that slides in a guide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Its centre and its long axis, on its body.
    pub axis: Axis,
    /// Its size, where it is given.
    pub size: Option<BlockSize>,
}

impl GapDrawing {
    /// The gap of a pin and walls, from its contacts.
    pub(crate) fn of_walls(
        form: GapForm,
        regions: &[NamedContact],
        mechanism: &Mechanism,
    ) -> Option<Self> {
        let wall = |region: &NamedContact| match mechanism.contact(region.contact).kind {
            ContactKind::Wall(wall) => Some((*region, wall)),
            ContactKind::Journal(_) | ContactKind::Stop { .. } => None,
        };
        let walls: Vec<(NamedContact, Wall)> = regions.iter().filter_map(wall).collect();
        let (_, first) = *walls.first()?;
        let own = walls.iter().filter(|(_, wall)| wall.body == first.body);
        let contact = |(region, wall): &(NamedContact, Wall)| ContactDrawing {
            region: *region,
            pin: Some(wall.pin),
            radius: wall.pin_radius,
            turned: wall.body != first.body,
        };
        Some(GapDrawing {
            form,
            wall_body: first.body,
            pin: first.pin,
            pin_radius: first.pin_radius,
            clearance: first.play.unwrap_or(0.0),
            walls: own.map(|(region, wall)| (region.name, wall.section.shape)).collect(),
            middle: Vec::new(),
            block: None,
            contacts: walls.iter().map(contact).collect(),
        })
    }
}

/// The gaps of clearance joints, contacts and stops with the names of these parts.
pub(crate) fn gaps(document: &Document, built: &Built) -> Vec<(String, GapDrawing)> {
    let mechanism = &built.mechanism;
    let joints = document.joints.iter().zip(&built.handles.joints);
    let joints = joints.filter_map(|(joint, handle)| {
        Some((joint.name.clone(), joint.part.page().gap(handle.regions()?, mechanism)?))
    });
    let (contacts, stops) = built.handles.outside_joints(document);
    let contacts =
        contacts.iter().zip(&document.contacts).filter_map(|((name, regions), contact)| {
            Some((name.clone(), contact.part.gap(regions, mechanism)?))
        });
    let stops =
        stops.iter().filter_map(|(name, regions)| Some((name.clone(), Stop::gap(regions)?)));
    joints.chain(contacts).chain(stops).collect()
}
