//! From parts to a checked, numbered, immutable mechanism.

mod check;
mod contacts;
mod guide;
mod handle;
mod number;
mod parts;

use std::collections::BTreeMap;
use std::f64::consts::TAU;

use jointplay_contact::ContactLaw;
use jointplay_fingerprint::{Fingerprint, Fnv};

use crate::body::Body;
use crate::contact::{ContactId, JournalBearing, PinInWalls, Region, Section, Shape, Side, Wall};
use crate::error::{Error, PartKind, PartProblem};
use crate::force::{Force, ForceId};
use crate::frame::{Anchor, Axis, BodyId};
use crate::joint::{Joint, JointFriction, JointId, JointKind};
use crate::signal::Signal;

pub use handle::Mechanism;
pub(crate) use number::{FrictionElement, coordinate_row};
pub(crate) use parts::Start;
pub use parts::{Contact, ContactKind, Coordinate, Driver, DriverId, OnCrossing, Watch, WatchId};

/// Collects the parts of a mechanism.
///
/// Nothing is checked until [`build`](Self::build), which reports every problem at once.
///
/// ```
/// use jointplay_mbd::{Body, Builder, GROUND};
///
/// let mut parts = Builder::new();
/// parts.gravity([0.0, -9.81]);
/// let rod = parts.body("rod", Body::rod(1.0, 1.0).placed([0.5, 0.0], 0.0));
/// parts.revolute("pivot", GROUND.origin(), rod.at([-0.5, 0.0]));
/// let pendulum = parts.build()?;
/// assert_eq!(pendulum.body_name(rod), "rod");
/// # Ok::<(), jointplay_mbd::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Builder {
    gravity: [f64; 2],
    bodies: Vec<(String, Body)>,
    joints: Vec<Joint>,
    drivers: Vec<Driver>,
    forces: Vec<(String, Force)>,
    contacts: Vec<(String, Contact)>,
    watches: Vec<Watch>,
    start_positions: Vec<Start>,
    start_speeds: Vec<Start>,
    /// Problems with the arguments of earlier calls.
    problems: Vec<PartProblem>,
}

/// Only for parts that passed all checks, so there are no problems to hash.
impl Fingerprint for Builder {
    fn feed(&self, hash: &mut Fnv) {
        let Builder {
            gravity,
            bodies,
            joints,
            drivers,
            forces,
            contacts,
            watches,
            start_positions,
            start_speeds,
            problems: _,
        } = self;
        gravity.feed(hash);
        bodies.feed(hash);
        joints.feed(hash);
        drivers.feed(hash);
        forces.feed(hash);
        contacts.feed(hash);
        watches.feed(hash);
        start_positions.feed(hash);
        start_speeds.feed(hash);
    }
}

impl Builder {
    /// No parts, no gravity.
    pub fn new() -> Self {
        Builder::default()
    }

    /// The acceleration of gravity (m/s²).
    pub fn gravity(&mut self, acceleration: [f64; 2]) -> &mut Self {
        self.gravity = acceleration;
        self
    }

    /// Adds a body.
    pub fn body(&mut self, name: impl Into<String>, body: Body) -> BodyId {
        self.bodies.push((name.into(), body));
        BodyId(self.bodies.len())
    }

    /// A body that was added; `None` for the ground and for a body of another mechanism.
    pub fn body_at(&self, body: BodyId) -> Option<&Body> {
        body.0.checked_sub(1).and_then(|i| self.bodies.get(i)).map(|(_, body)| body)
    }

    /// The same, mutably: to place it elsewhere or let it start with a velocity.
    pub fn body_mut(&mut self, body: BodyId) -> Option<&mut Body> {
        body.0.checked_sub(1).and_then(|i| self.bodies.get_mut(i)).map(|(_, body)| body)
    }

    /// Adds a joint of any kind.
    pub fn joint(
        &mut self,
        name: impl Into<String>,
        kind: JointKind,
        a: impl Into<Axis>,
        b: impl Into<Axis>,
    ) -> JointId {
        let (a, b) = (a.into(), b.into());
        let friction = JointFriction::default();
        self.joints.push(Joint { name: name.into(), kind, a, b, friction });
        JointId(self.joints.len() - 1)
    }

    /// A pin joint: both points coincide. Its coordinate is φ_b − φ_a.
    pub fn revolute(&mut self, name: impl Into<String>, a: Anchor, b: Anchor) -> JointId {
        self.joint(name, JointKind::Revolute, a, b)
    }

    /// A block in a guide: the axes lie on one line and point the same way.
    pub fn prismatic(
        &mut self,
        name: impl Into<String>,
        a: impl Into<Axis>,
        b: impl Into<Axis>,
    ) -> JointId {
        self.joint(name, JointKind::Prismatic, a, b)
    }

    /// Both points coincide and the axes are parallel.
    pub fn weld(
        &mut self,
        name: impl Into<String>,
        a: impl Into<Axis>,
        b: impl Into<Axis>,
    ) -> JointId {
        self.joint(name, JointKind::Weld, a, b)
    }

    /// A pin of b in a straight slot of a, without clearance.
    pub fn point_on_line(&mut self, name: impl Into<String>, line: Axis, pin: Anchor) -> JointId {
        self.joint(name, JointKind::PointOnLine, line, pin)
    }

    /// A pin of b in a circular slot about a point of a, without clearance.
    pub fn point_on_circle(
        &mut self,
        name: impl Into<String>,
        centre: Anchor,
        radius: f64,
        pin: Anchor,
    ) -> JointId {
        self.joint(name, JointKind::Distance { length: radius }, centre, pin)
    }

    /// A massless rod of this length (m).
    pub fn rod(&mut self, name: impl Into<String>, a: Anchor, b: Anchor, length: f64) -> JointId {
        self.joint(name, JointKind::Distance { length }, a, b)
    }

    /// Gives a revolute or prismatic joint friction.
    pub fn friction(&mut self, joint: JointId, friction: JointFriction) -> &mut Self {
        match self.joints.get_mut(joint.0) {
            Some(joint) => joint.friction = friction,
            None => self.foreign("friction", PartKind::Joint),
        }
        self
    }

    /// Prescribes a coordinate as a function of time.
    pub fn drive(
        &mut self,
        name: impl Into<String>,
        coordinate: Coordinate,
        signal: Signal,
    ) -> DriverId {
        self.drivers.push(Driver { name: name.into(), coordinate, signal });
        DriverId(self.drivers.len() - 1)
    }

    /// Holds a coordinate at a value.
    pub fn lock(
        &mut self,
        name: impl Into<String>,
        coordinate: Coordinate,
        value: f64,
    ) -> DriverId {
        let name = name.into();
        let signal = Signal::constant(value).unwrap_or_else(|error| {
            self.problems.push(PartProblem::new(PartKind::Driver, &name, error.to_string()));
            Signal::sum([])
        });
        self.drive(name, coordinate, signal)
    }

    /// Adds a force element.
    pub fn force(&mut self, name: impl Into<String>, force: Force) -> ForceId {
        self.forces.push((name.into(), force));
        ForceId(self.forces.len() - 1)
    }

    /// Adds a journal in a bearing with clearance.
    pub fn journal_bearing(
        &mut self,
        name: impl Into<String>,
        bearing: JournalBearing,
        law: ContactLaw,
    ) -> ContactId {
        self.contact(name.into(), ContactKind::Journal(bearing), law)
    }

    /// Adds a round pin in walls: one contact for each section of the outline, in its order, named after its region. A
    /// contact that slides to the end of its section passes with its memory to the next one if they meet smoothly.
    pub fn pin_in_walls(
        &mut self,
        name: &str,
        pin: PinInWalls,
        mut law: impl FnMut(&Section) -> ContactLaw,
    ) -> Vec<ContactId> {
        let PinInWalls { body, outline, pin, pin_radius, contact_point, play } = pin;
        if let Some(section) = outline.first_break() {
            let message = format!(
                "its wall has a gap: section {} does not end where the next one begins",
                section + 1
            );
            self.problems.push(PartProblem::new(PartKind::Contact, name, message));
        }
        let (sections, first) = (outline.sections(), self.contacts.len());
        let neighbours = outline.neighbours();
        let mut counts = BTreeMap::new();
        for (section, neighbours) in sections.iter().zip(neighbours) {
            let neighbours = neighbours.map(|next| next.map(|i| ContactId(first + i)));
            let count = counts.entry(section.region).and_modify(|n| *n += 1).or_insert(1);
            let alone = sections.iter().filter(|s| s.region == section.region).count() == 1;
            let number = if alone { String::new() } else { format!(" {count}") };
            let wall = Wall {
                body,
                section: *section,
                pin,
                pin_radius,
                contact_point,
                play,
                solid: Some(pin_radius).filter(|radius| *radius > 0.0),
                bounded: true,
                neighbours,
            };
            let name = if sections.len() == 1 {
                name.to_owned()
            } else {
                format!("{name}, {}{number}", section.region.name())
            };
            self.contact(name, ContactKind::Wall(wall), law(section));
        }
        (first..self.contacts.len()).map(ContactId).collect()
    }

    /// Adds two circles (m) that may touch each other from outside.
    pub fn circles(
        &mut self,
        name: impl Into<String>,
        [a, b]: [Anchor; 2],
        radii: [f64; 2],
        law: ContactLaw,
    ) -> ContactId {
        let shape = Shape::Arc { centre: a.local, radius: radii[0], from_angle: 0.0, sweep: -TAU };
        let wall = Wall {
            body: a.body,
            section: Section { region: Region::Outer, shape },
            pin: b,
            pin_radius: radii[1],
            contact_point: 0.5,
            play: None,
            solid: Some(radii[0].min(radii[1])),
            bounded: false,
            neighbours: [None; 2],
        };
        self.contact(name.into(), ContactKind::Wall(wall), law)
    }

    /// Adds a stop: contact where the coordinate passes the limit. For an angle the law gives a moment.
    pub fn stop(
        &mut self,
        name: impl Into<String>,
        coordinate: Coordinate,
        limit: f64,
        side: Side,
        law: ContactLaw,
    ) -> ContactId {
        self.contact(name.into(), ContactKind::Stop { coordinate, limit, side }, law)
    }

    fn contact(&mut self, name: String, kind: ContactKind, law: ContactLaw) -> ContactId {
        let contact = Contact { kind, law, initial_impact_speed: None, locates_turns: false };
        self.contacts.push((name, contact));
        ContactId(self.contacts.len() - 1)
    }

    /// The impact speed (m/s) of a contact that overlaps already when the run starts.
    pub fn initial_impact_speed(&mut self, contact: ContactId, speed: f64) -> &mut Self {
        match self.contacts.get_mut(contact.0) {
            Some((_, contact)) => contact.initial_impact_speed = Some(speed),
            None => self.foreign("initial impact speed", PartKind::Contact),
        }
        self
    }

    /// Locates every maximum and minimum of the compression of this contact and every reversal of
    /// its sliding as events. Laws whose form changes there have these events in any case; for
    /// others each one costs a restart and has no effect.
    pub fn locate_turns(&mut self, contact: ContactId) -> &mut Self {
        match self.contacts.get_mut(contact.0) {
            Some((_, contact)) => contact.locates_turns = true,
            None => self.foreign("turns", PartKind::Contact),
        }
        self
    }

    /// A call named a part that this builder does not have.
    fn foreign(&mut self, what: &str, kind: PartKind) {
        let message = format!("it names a {kind} of another mechanism");
        self.problems.push(PartProblem::new(PartKind::Mechanism, what, message));
    }

    /// Watches a coordinate: an event where it crosses the level (m or rad).
    pub fn watch(
        &mut self,
        name: impl Into<String>,
        coordinate: Coordinate,
        level: f64,
        then: OnCrossing,
    ) -> WatchId {
        self.watches.push(Watch { name: name.into(), coordinate, level, of_rate: false, then });
        WatchId(self.watches.len() - 1)
    }

    /// Watches the rate of a coordinate: an event where it crosses the level (m/s or rad/s), as at the end of a
    /// stroke, where it crosses 0.
    pub fn watch_rate(
        &mut self,
        name: impl Into<String>,
        coordinate: Coordinate,
        level: f64,
        then: OnCrossing,
    ) -> WatchId {
        self.watches.push(Watch { name: name.into(), coordinate, level, of_rate: true, then });
        WatchId(self.watches.len() - 1)
    }

    /// The coordinate has exactly this value at the start (m or rad).
    pub fn start_at(&mut self, coordinate: Coordinate, value: f64) -> &mut Self {
        self.start_positions.push(Start { coordinate, value });
        self
    }

    /// The coordinate has exactly this rate at the start (m/s or rad/s).
    pub fn start_with_rate(&mut self, coordinate: Coordinate, rate: f64) -> &mut Self {
        self.start_speeds.push(Start { coordinate, value: rate });
        self
    }

    /// Checks and numbers the parts.
    ///
    /// # Errors
    /// [`Error::Parts`] lists all their problems.
    pub fn build(self) -> Result<Mechanism, Error> {
        let problems = check::problems(&self);
        if problems.is_empty() {
            Ok(Mechanism::number(self))
        } else {
            Err(Error::Parts { problems })
        }
    }
}
