//! Joints: one answer to each question for every type.

use jointplay_mbd::{self as mbd, Axis, JointFriction, Mechanism, Snapshot};

use super::fit::ClearanceKey;
use super::prismatic::Prismatic;
use super::revolute::Revolute;
use super::rod::Rod;
use super::slot::Slot;
use super::touching::{Laws, TouchingLaws};
use super::weld::Weld;
use crate::build::{Assembly, Handle, NamedContact};
use crate::channel::List;
use crate::document::At;
use crate::drawing::{Block, GapDrawing};
use crate::problem::Problems;
use crate::units::Dimension;

/// A joint.
#[derive(Clone, Debug)]
pub(crate) enum Joint {
    Revolute(Revolute),
    Slot(Slot),
    Prismatic(Prismatic),
    Weld(Weld),
    Rod(Rod),
}

/// What is asked of every joint.
pub(crate) trait JointElement {
    /// The word for it in a file.
    fn word(&self) -> &'static str;

    /// Its places on body a and body b: the axis that its coordinate is measured along, and the point that moves.
    fn places(&self) -> [Axis; 2];

    /// The dimension of the coordinate that it leaves free.
    fn coordinate(&self) -> Option<Dimension>;

    /// The coordinate as one of its bodies, where the joint is no constraint.
    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate>;

    /// Adds it to a mechanism.
    fn build(&self, name: &str, at: &At, assembly: &mut Assembly<'_>) -> Handle;

    /// Its channels. A joint has the same ones whichever word switches it; what its kind does not have is 0.
    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>);

    /// What its contacts say besides their geometry, if it has clearance.
    fn touching(&self) -> Option<TouchingLaws<'_>>;

    /// The laws of its contacts, if it has clearance.
    fn laws(&mut self) -> Option<Laws<'_>>;

    /// The size that sets its clearance, if it has one.
    fn clearance(&self) -> Option<ClearanceKey>;

    /// Friction of the joint that is ideal by its own word.
    fn friction(&self) -> Option<&JointFriction>;

    /// Warns of a start at which its walls do not hold it.
    fn warn_of_start(&self, instant: &Snapshot<'_>, name: &str, at: &At, warnings: &mut Problems);

    /// What there is to draw of its gap; these are its contacts.
    fn gap(&self, regions: &[NamedContact], mechanism: &Mechanism) -> Option<GapDrawing>;

    /// The block that slides in it, if one does; with clearance these are its contacts.
    fn block(&self, handle: &Handle, mechanism: &Mechanism) -> Option<Block>;

    /// The centre line of a slot in the frame of body a, as a chain of straight pieces (m); empty for other joints.
    fn centre_line(&self) -> Vec<[f64; 2]>;
}

impl Joint {
    /// Its page.
    pub(crate) fn page(&self) -> &dyn JointElement {
        match self {
            Joint::Revolute(joint) => joint,
            Joint::Slot(joint) => joint,
            Joint::Prismatic(joint) => joint,
            Joint::Weld(joint) => joint,
            Joint::Rod(joint) => joint,
        }
    }

    /// Its page, to be changed.
    pub(crate) fn page_mut(&mut self) -> &mut dyn JointElement {
        match self {
            Joint::Revolute(joint) => joint,
            Joint::Slot(joint) => joint,
            Joint::Prismatic(joint) => joint,
            Joint::Weld(joint) => joint,
            Joint::Rod(joint) => joint,
        }
    }
}
