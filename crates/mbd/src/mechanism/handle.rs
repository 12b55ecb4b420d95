//! The public type of a mechanism: a handle that is cheap to clone, with its parts by id and by
//! name.

use std::ops::Deref;
use std::sync::Arc;

use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::ElasticLaw;
use jointplay_contact::friction::FrictionLaw;

use super::number::Numbered;
use super::{Builder, Contact, Coordinate, Driver, DriverId, Watch, WatchId};
use crate::body::Body;
use crate::contact::ContactId;
use crate::error::{PartKind, PartRef};
use crate::force::{Force, ForceId};
use crate::frame::{BodyId, GROUND};
use crate::joint::{Joint, JointId, JointKind};
use crate::ledger::Account;

/// A mechanism: checked, numbered, immutable. Made by [`Builder::build`]; shared by any number of runs.
///
/// A clone is another handle to the same parts and costs nothing. Everything computed from a mechanism keeps its own
/// handle, so results can outlive the scope in which they were made and can be sent to other threads.
///
/// Ids belong to the builder that made them. An id of another mechanism gives some other part of this one or, if there is
/// none, a panic. Names are safe across mechanisms:
///
/// ```
/// use jointplay_mbd::{Body, Builder, GROUND};
///
/// let mut parts = Builder::new();
/// let rod = parts.body("rod", Body::rod(1.0, 1.0));
/// parts.revolute("pivot", GROUND.origin(), rod.at([-0.5, 0.0]));
/// let pendulum = parts.build()?;
/// assert_eq!(pendulum.find_body("rod"), Some(rod));
/// for (id, name, joint) in pendulum.joints() {
/// println!("{id:?}: {} joint '{name}'", joint.kind.name());
/// }
/// # Ok::<(), jointplay_mbd::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Mechanism(Arc<Numbered>);

/// For this crate only, which has access to the fields.
#[doc(hidden)]
impl Deref for Mechanism {
    type Target = Numbered;

    #[inline]
    fn deref(&self) -> &Numbered {
        &self.0
    }
}

impl Mechanism {
    pub(super) fn number(builder: Builder) -> Self {
        Mechanism(Arc::new(Numbered::new(builder)))
    }

    /// The size of the mechanism (m), by which tolerances and violations of constraints are measured: the greatest arm of a part
    /// on a body, length of a rod or spring, radius of a bearing; if there is none of these, the greatest distance between two
    /// bodies; if that is 0, 1 m.
    pub fn size(&self) -> f64 {
        self.length
    }

    /// The acceleration of gravity (m/s²).
    pub fn gravity(&self) -> [f64; 2] {
        self.gravity
    }

    /// The bodies with their names in the order of their creation, the ground not included.
    pub fn bodies(&self) -> impl ExactSizeIterator<Item = (BodyId, &str, &Body)> {
        let numbered = self.bodies.iter().enumerate();
        numbered.map(|(i, (name, body))| (BodyId(i + 1), name.as_str(), body))
    }

    /// The joints with their names in the order of their creation.
    pub fn joints(&self) -> impl ExactSizeIterator<Item = (JointId, &str, &Joint)> {
        let numbered = self.joints.iter().enumerate();
        numbered.map(|(i, joint)| (JointId(i), joint.name.as_str(), joint))
    }

    /// The drivers with their names in the order of their creation.
    pub fn drivers(&self) -> impl ExactSizeIterator<Item = (DriverId, &str, &Driver)> {
        let numbered = self.drivers.iter().enumerate();
        numbered.map(|(i, driver)| (DriverId(i), driver.name.as_str(), driver))
    }

    /// The force elements with their names in the order of their creation.
    pub fn forces(&self) -> impl ExactSizeIterator<Item = (ForceId, &str, &Force)> {
        let numbered = self.forces.iter().enumerate();
        numbered.map(|(i, (name, force))| (ForceId(i), name.as_str(), force))
    }

    /// The contacts with their names in the order of their creation.
    pub fn contacts(&self) -> impl ExactSizeIterator<Item = (ContactId, &str, &Contact)> {
        let numbered = self.contact_names.iter().zip(&self.contact_parts).enumerate();
        numbered.map(|(i, (name, contact))| (ContactId(i), name.as_str(), contact))
    }

    /// The watched events with their names in the order of their creation.
    pub fn watches(&self) -> impl ExactSizeIterator<Item = (WatchId, &str, &Watch)> {
        let numbered = self.watches.iter().enumerate();
        numbered.map(|(i, (watch, _))| (WatchId(i), watch.name.as_str(), watch))
    }

    /// A body; `None` for the ground, which has no mass and no placement.
    ///
    /// # Panics
    /// If there is no such body, because the id belongs to another mechanism.
    pub fn body(&self, body: BodyId) -> Option<&Body> {
        (body != GROUND).then(|| &self.bodies[body.0 - 1].1)
    }

    /// A joint.
    ///
    /// # Panics
    /// If there is no such joint, because the id belongs to another mechanism.
    pub fn joint(&self, joint: JointId) -> &Joint {
        &self.joints[joint.0]
    }

    /// A driver.
    ///
    /// # Panics
    /// If there is no such driver, because the id belongs to another mechanism.
    pub fn driver(&self, driver: DriverId) -> &Driver {
        &self.drivers[driver.0]
    }

    /// A force element.
    ///
    /// # Panics
    /// If there is no such element, because the id belongs to another mechanism.
    pub fn force(&self, force: ForceId) -> &Force {
        &self.forces[force.0].1
    }

    /// A contact.
    ///
    /// # Panics
    /// If there is no such contact, because the id belongs to another mechanism.
    pub fn contact(&self, contact: ContactId) -> &Contact {
        &self.contact_parts[contact.0]
    }

    /// Whether a coordinate is an angle (rad) and not a length (m).
    ///
    /// # Panics
    /// If it is that of a joint that this mechanism does not have.
    pub fn is_angle(&self, coordinate: Coordinate) -> bool {
        match coordinate {
            Coordinate::Angle(_) | Coordinate::AngleBetween(..) => true,
            Coordinate::X(_) | Coordinate::Y(_) | Coordinate::Distance(..) => false,
            Coordinate::Joint(id) => match self.joint(id).kind {
                JointKind::Revolute => true,
                JointKind::Prismatic
                | JointKind::Weld
                | JointKind::PointOnLine
                | JointKind::Distance { .. } => false,
            },
        }
    }

    /// A watched event.
    ///
    /// # Panics
    /// If there is no such event, because the id belongs to another mechanism.
    pub fn watch(&self, watch: WatchId) -> &Watch {
        &self.watches[watch.0].0
    }

    /// The name of a body; "ground" for the ground.
    ///
    /// # Panics
    /// If there is no such body, because the id belongs to another mechanism.
    pub fn body_name(&self, body: BodyId) -> &str {
        if body == GROUND { "ground" } else { &self.bodies[body.0 - 1].0 }
    }

    /// The name of a force element.
    ///
    /// # Panics
    /// If there is no such element, because the id belongs to another mechanism.
    pub fn force_name(&self, force: ForceId) -> &str {
        &self.forces[force.0].0
    }

    /// The name of a contact.
    ///
    /// # Panics
    /// If there is no such contact, because the id belongs to another mechanism.
    pub fn contact_name(&self, contact: ContactId) -> &str {
        &self.contact_names[contact.0]
    }

    /// The body with this name; [`GROUND`] for "ground".
    pub fn find_body(&self, name: &str) -> Option<BodyId> {
        if name == "ground" { Some(GROUND) } else { find(self.bodies(), name) }
    }

    /// The joint with this name.
    pub fn find_joint(&self, name: &str) -> Option<JointId> {
        find(self.joints(), name)
    }

    /// The driver with this name.
    pub fn find_driver(&self, name: &str) -> Option<DriverId> {
        find(self.drivers(), name)
    }

    /// The force element with this name.
    pub fn find_force(&self, name: &str) -> Option<ForceId> {
        find(self.forces(), name)
    }

    /// The contact with this name.
    pub fn find_contact(&self, name: &str) -> Option<ContactId> {
        find(self.contacts(), name)
    }

    /// The watched event with this name.
    pub fn find_watch(&self, name: &str) -> Option<WatchId> {
        find(self.watches(), name)
    }

    /// The parts that contain user-written code: laws and force elements written in Rust outside of this library, such as
    /// "contact 'pin' (damping law 'wedge')". Code cannot be identified, so a mechanism with such
    /// parts has no [checkpoints](crate::Checkpoint), and its runs have no digest.
    pub fn user_code(&self) -> Vec<PartRef> {
        let mut parts = Vec::new();
        let mut add = |kind, name: &str, what: &str, law: &str| {
            let part = PartRef::new(kind, name);
            parts.push(part.labelled(|part| format!("{part} ({what} '{law}')")));
        };
        for joint in &self.joints {
            if let FrictionLaw::Custom(law) = joint.friction.dry.law() {
                add(PartKind::Joint, &joint.name, "friction law", law.name());
            }
        }
        for (name, force) in &self.forces {
            match force {
                Force::Line(line) => add(PartKind::Force, name, "law", line.model.name()),
                Force::Custom(custom) => add(PartKind::Force, name, "law", custom.model.name()),
                Force::Load { .. }
                | Force::Torque { .. }
                | Force::Spring(_)
                | Force::TorsionSpring(_)
                | Force::Bushing(_) => {}
            }
        }
        for (name, contact) in self.contact_names.iter().zip(&self.contact_parts) {
            if let ElasticLaw::Custom(law) = &contact.law.normal.elastic {
                add(PartKind::Contact, name, "elastic law", law.name());
            }
            if let DampingLaw::Custom(law) = &contact.law.normal.damping {
                add(PartKind::Contact, name, "damping law", law.name());
            }
            if let FrictionLaw::Custom(law) = &contact.law.friction {
                add(PartKind::Contact, name, "friction law", law.name());
            }
        }
        parts
    }

    /// Every account of the ledger.
    pub fn accounts(&self) -> &[Account] {
        &self.accounts
    }
}

/// The id of the part with this name.
fn find<'p, Id, Part: 'p>(
    mut parts: impl Iterator<Item = (Id, &'p str, &'p Part)>,
    name: &str,
) -> Option<Id> {
    parts.find(|(_, other, _)| *other == name).map(|(id, ..)| id)
}
