//! The discrete part of the state.

use jointplay_contact::damping::Touch;

use crate::contact::{ContactId, Facing, Phase};

/// Contacts that started or ended inside an overlap.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Overlaps {
    /// How many there were.
    pub count: usize,
    /// The deepest of them.
    pub contact: ContactId,
    /// When it was found (s).
    pub t: f64,
    /// How deep it was (m; rad of a stop on an angle).
    pub overlap: f64,
    /// The energy stored in all of them at that time (J); 0 for those that did not start.
    pub energy: f64,
}

impl Overlaps {
    /// One more.
    pub(crate) fn and(known: Option<Self>, one: Self) -> Self {
        known.map_or(one, |known| {
            let deepest = if one.overlap > known.overlap { one } else { known };
            let (count, energy) = (known.count + one.count, known.energy + one.energy);
            Overlaps { count, energy, ..deepest }
        })
    }
}

/// The discrete part of the state: the memory of every contact.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Mode {
    /// The phases, in the order of the contacts.
    pub contacts: Box<[Phase]>,
    /// Contacts that had to start inside an overlap since the start of the run. No part did work for their energy, so it
    /// has its own account in the ledger.
    #[serde(default)]
    pub late: Option<Overlaps>,
    /// Pins that emerged from a wall, in front of its surface. They do not touch it until they have left it.
    #[serde(default)]
    pub emerged: Option<Overlaps>,
    /// Contacts that slid off the end of their wall while they were indented. The energy they stored is a loss along the
    /// normal.
    #[serde(default)]
    pub snapped: Option<Overlaps>,
}

impl Mode {
    /// The dent in which a pin is without touching it: the indentation at which the next contact
    /// starts (m), and the memory of the last one.
    pub(crate) fn dent(&self, contact: usize) -> Option<(f64, Option<(Touch, f64)>)> {
        match self.contacts[contact] {
            Phase::Apart { start, last, facing: Facing::Before } if start > 0.0 => {
                Some((start, last))
            }
            _ => None,
        }
    }

    /// Whether a contact touches.
    pub(crate) fn touches(&self, contact: usize) -> bool {
        matches!(self.contacts[contact], Phase::Touching { .. })
    }

    /// The energy of contacts that had to start inside an overlap (J).
    pub(crate) fn late_energy(&self) -> f64 {
        self.late.map_or(0.0, |late| late.energy)
    }
}
