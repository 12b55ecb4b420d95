//! The parts of a mechanism other than bodies, joints and forces: coordinates, drivers, watches, contacts.

use jointplay_contact::ContactLaw;

use crate::contact::{JournalBearing, Side, Wall};
use crate::frame::{Anchor, BodyId};
use crate::joint::JointId;
use crate::signal::Signal;

/// A driver of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DriverId(pub(crate) usize);

/// A watched event of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WatchId(pub(crate) usize);

/// A scalar that describes a position. Drivers prescribe it, stops limit it, events watch it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Coordinate {
    /// World x of a point (m).
    X(Anchor),
    /// World y of a point (m).
    Y(Anchor),
    /// Angle of a body (rad).
    Angle(BodyId),
    /// φ_b − φ_a (rad).
    AngleBetween(BodyId, BodyId),
    /// The coordinate of a joint: the angle of a revolute one (rad), the displacement of a prismatic one or of a
    /// point on its line (m).
    Joint(JointId),
    /// Distance of two points (m).
    Distance(Anchor, Anchor),
}

jointplay_fingerprint::fingerprint!(
    enum Coordinate {
        X(of),
        Y(of),
        Angle(of),
        AngleBetween(a, b),
        Joint(of),
        Distance(a, b),
    }
);

/// A coordinate prescribed as a function of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Driver {
    /// Its name.
    pub name: String,
    /// What it prescribes.
    pub coordinate: Coordinate,
    /// The prescribed value (m or rad).
    pub signal: Signal,
}

jointplay_fingerprint::fingerprint!(struct Driver { name, coordinate, signal });

/// The effect of a watched coordinate that crosses its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OnCrossing {
    /// The run goes on; the event is recorded.
    Record,
    /// The run ends.
    Stop,
}

jointplay_fingerprint::fingerprint!(
    enum OnCrossing {
        Record,
        Stop,
    }
);

/// A condition at the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Start {
    pub(crate) coordinate: Coordinate,
    pub(crate) value: f64,
}

jointplay_fingerprint::fingerprint!(struct Start { coordinate, value });

/// A watched coordinate: an event where it, or its rate, crosses a level.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Watch {
    /// Its name.
    pub name: String,
    /// What is watched.
    pub coordinate: Coordinate,
    /// The level (m or rad; of a rate m/s or rad/s).
    pub level: f64,
    /// Whether the rate is watched instead of the coordinate.
    pub of_rate: bool,
    /// The effect of the crossing.
    pub then: OnCrossing,
}

jointplay_fingerprint::fingerprint!(struct Watch { name, coordinate, level, of_rate, then });

/// A contact: its surfaces and its law.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Contact {
    /// Its surfaces.
    pub kind: ContactKind,
    /// The law.
    pub law: ContactLaw,
    /// The impact speed (m/s) of a contact that overlaps already when the run starts.
    pub initial_impact_speed: Option<f64>,
    /// Whether every turn of the compression and every reversal of the sliding is an event.
    pub locates_turns: bool,
}

jointplay_fingerprint::fingerprint!(struct Contact { kind, law, initial_impact_speed, locates_turns });

impl Contact {
    /// Thickness of the smaller part behind its surface (m), if known: the radius of a journal, pin or circle, half
    /// the height of a block. No law is valid for a contact that is this deep.
    pub fn solid(&self) -> Option<f64> {
        match self.kind {
            ContactKind::Journal(journal) => Some(journal.bearing_radius - journal.clearance),
            ContactKind::Wall(wall) => wall.solid,
            ContactKind::Stop { .. } => None,
        }
    }
}

/// The surfaces of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ContactKind {
    /// A journal in a bearing with clearance.
    Journal(JournalBearing),
    /// A round pin on one section of a wall.
    Wall(Wall),
    /// A stop of a coordinate.
    Stop {
        /// What is limited.
        coordinate: Coordinate,
        /// Where contact starts (m or rad).
        limit: f64,
        /// On which side of the limit there is contact.
        side: Side,
    },
}

jointplay_fingerprint::fingerprint!(enum ContactKind { Journal(of), Wall(of), Stop { coordinate, limit, side } });
