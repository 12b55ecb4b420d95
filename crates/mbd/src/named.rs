//! A trajectory by the names of the parts.

use crate::contact::ContactReport;
use crate::error::{Error, PartKind, PartRef};
use crate::force::ForceReport;
use crate::snapshot::{DriverState, Reaction, Snapshot};
use crate::solution::Solution;
use crate::state::State;

/// The motion of a body over the kept instants of a run: the origin of its frame, and its angle.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct BodyCourse {
    /// The times (s).
    pub t: Vec<f64>,
    /// Position along x (m).
    pub x: Vec<f64>,
    /// Position along y (m).
    pub y: Vec<f64>,
    /// Angle with all turns (rad).
    pub angle: Vec<f64>,
    /// Velocity along x (m/s).
    pub vx: Vec<f64>,
    /// Velocity along y (m/s).
    pub vy: Vec<f64>,
    /// Angular velocity (rad/s).
    pub angular_velocity: Vec<f64>,
}

impl Solution {
    /// The times of the kept instants (s).
    pub fn times(&self) -> &[f64] {
        self.trajectory.times()
    }

    /// The motion of the body with this name.
    ///
    /// # Errors
    /// [`Error::NoSuchPart`]; as [`Equations::snapshot`](crate::Equations::snapshot).
    pub fn body(&self, name: &str) -> Result<BodyCourse, Error> {
        let mechanism = self.mechanism();
        let names = mechanism.bodies().map(|(_, name, _)| name);
        let body = found(mechanism.find_body(name), PartKind::Body, name, names)?;
        let mut course = BodyCourse { t: self.times().to_vec(), ..BodyCourse::default() };
        for state in self.each(|snapshot| snapshot.body(body))? {
            course.x.push(state.position[0]);
            course.y.push(state.position[1]);
            course.angle.push(state.angle);
            course.vx.push(state.velocity[0]);
            course.vy.push(state.velocity[1]);
            course.angular_velocity.push(state.angular_velocity);
        }
        Ok(course)
    }

    /// The reaction of the joint with this name at every kept instant.
    ///
    /// # Errors
    /// As [`body`](Self::body).
    pub fn joint(&self, name: &str) -> Result<Vec<Reaction>, Error> {
        let mechanism = self.mechanism();
        let names = mechanism.joints().map(|(_, name, _)| name);
        let joint = found(mechanism.find_joint(name), PartKind::Joint, name, names)?;
        self.each(|snapshot| snapshot.reaction(joint))
    }

    /// Effort and power of the driver with this name at every kept instant.
    ///
    /// # Errors
    /// As [`body`](Self::body).
    pub fn driver(&self, name: &str) -> Result<Vec<DriverState>, Error> {
        let mechanism = self.mechanism();
        let names = mechanism.drivers().map(|(_, name, _)| name);
        let driver = found(mechanism.find_driver(name), PartKind::Driver, name, names)?;
        self.each(|snapshot| snapshot.driver(driver))
    }

    /// The effect of the force element with this name at every kept instant.
    ///
    /// # Errors
    /// As [`body`](Self::body).
    pub fn force(&self, name: &str) -> Result<Vec<ForceReport>, Error> {
        let mechanism = self.mechanism();
        let names = mechanism.forces().map(|(_, name, _)| name);
        let force = found(mechanism.find_force(name), PartKind::Force, name, names)?;
        self.each(|snapshot| snapshot.force(force))
    }

    /// The report of the contact with this name at every kept instant.
    ///
    /// # Errors
    /// As [`body`](Self::body).
    pub fn contact(&self, name: &str) -> Result<Vec<ContactReport>, Error> {
        let mechanism = self.mechanism();
        let names = mechanism.contacts().map(|(_, name, _)| name);
        let contact = found(mechanism.find_contact(name), PartKind::Contact, name, names)?;
        self.each(|snapshot| snapshot.contact(contact))
    }

    /// The kept instant number `i` as a state from which another run can [start](crate::Simulation::start_from). At an event
    /// two instants share one time, and the second has the memory of the contacts after it.
    ///
    /// # Errors
    /// As [`Equations::snapshot`](crate::Equations::snapshot).
    ///
    /// # Panics
    /// If there is no such instant.
    pub fn state(&self, i: usize) -> Result<State, Error> {
        Ok(self.snapshot(i)?.state())
    }

    fn each<A>(&self, answer: impl Fn(&Snapshot<'_>) -> A) -> Result<Vec<A>, Error> {
        let mut answers = Vec::with_capacity(self.len());
        self.series(|snapshot| {
            answers.push(answer(snapshot));
            0.0
        })?;
        Ok(answers)
    }
}

/// The id, or an error with the existing names.
fn found<'n, Id>(
    id: Option<Id>,
    kind: PartKind,
    name: &str,
    known: impl Iterator<Item = &'n str>,
) -> Result<Id, Error> {
    id.ok_or_else(|| Error::NoSuchPart {
        part: PartRef::new(kind, name),
        known: known.map(str::to_owned).collect(),
    })
}
