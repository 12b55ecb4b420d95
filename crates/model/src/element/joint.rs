//! Joints: the interface of every type of joint.

use jointplay_mbd::{self as mbd, Axis, JointFriction, Mechanism, Snapshot};
use serde::Serialize;

use super::contact_spec::ContactSpec;
use super::fit::ClearanceKey;
use super::prismatic::Prismatic;
use super::revolute::Revolute;
use super::rod::Rod;
use super::slot::Slot;
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

/// The type of a joint, named as in a file.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum JointForm {
    /// A pin in a hole.
    Revolute,
    /// A pin in a slot.
    Slot,
    /// A block in a guide.
    Prismatic,
    /// No relative motion.
    Weld,
    /// A massless rod between two pins.
    Rod,
}

/// The interface of every joint.
pub(crate) trait JointElement {
    /// Its type.
    fn form(&self) -> JointForm;

    /// Its places on body a and body b: the axis that its coordinate is measured along, and the point that moves.
    fn places(&self) -> [Axis; 2];

    /// The dimension of the coordinate that it leaves free.
    fn coordinate(&self) -> Option<Dimension>;

    /// The coordinate expressed by its bodies, for a joint that is not a constraint.
    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate>;

    /// Adds it to a mechanism.
    fn build(&self, name: &str, at: &At, assembly: &mut Assembly<'_>) -> Handle;

    /// Its channels. They are the same for every kind of the joint; those that do not apply to its kind are 0.
    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>);

    /// The properties of its contacts other than geometry, if it has clearance.
    fn spec(&self) -> Option<&ContactSpec>;

    /// The same, mutably.
    fn spec_mut(&mut self) -> Option<&mut ContactSpec>;

    /// The size that sets its clearance, if it has one.
    fn clearance(&self) -> Option<ClearanceKey>;

    /// Friction, if the joint is declared ideal in the file.
    fn friction(&self) -> Option<&JointFriction>;

    /// Warns if its walls do not contain it at the start.
    fn warn_of_start(&self, instant: &Snapshot<'_>, name: &str, at: &At, warnings: &mut Problems);

    /// Data for drawing its gap, given its contacts.
    fn gap(&self, regions: &[NamedContact], mechanism: &Mechanism) -> Option<GapDrawing>;

    /// The block that slides in it, if there is one; its contacts are given if it has clearance.
    fn block(&self, handle: &Handle, mechanism: &Mechanism) -> Option<Block>;

    /// The centre line of a slot in the frame of body a, as a chain of straight pieces (m); empty for other joints.
    fn centre_line(&self) -> Vec<[f64; 2]>;
}

/// The interface of a joint that forbids all relative motion of its places and has no clearance;
/// the other methods have fixed answers.
pub(super) trait FixedJoint {
    /// As in [`JointElement`].
    fn form(&self) -> JointForm;

    /// As in [`JointElement`].
    fn places(&self) -> [Axis; 2];

    /// As in [`JointElement`].
    fn build(&self, name: &str, assembly: &mut Assembly<'_>) -> Handle;
}

impl<T: FixedJoint> JointElement for T {
    fn form(&self) -> JointForm {
        FixedJoint::form(self)
    }

    fn places(&self) -> [Axis; 2] {
        FixedJoint::places(self)
    }

    fn coordinate(&self) -> Option<Dimension> {
        None
    }

    fn coordinate_of_bodies(&self) -> Option<mbd::Coordinate> {
        None
    }

    fn build(&self, name: &str, _: &At, assembly: &mut Assembly<'_>) -> Handle {
        FixedJoint::build(self, name, assembly)
    }

    fn channels(&self, name: &str, handle: &Handle, list: &mut List<'_>) {
        let [a, _] = FixedJoint::places(self);
        list.joint(name, handle, a, None);
    }

    fn spec(&self) -> Option<&ContactSpec> {
        None
    }

    fn spec_mut(&mut self) -> Option<&mut ContactSpec> {
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
