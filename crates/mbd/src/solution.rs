//! The result of a run: its motion, its events, its energy ledger and its cost.

use jointplay_ode::Stats;

use crate::assembly::StartReport;
use crate::checkpoint::Checkpoint;
use crate::contact::{ContactId, Phase};
use crate::equations::{DriftControl, Equations, Overlaps};
use crate::error::Error;
use crate::ledger::Ledger;
use crate::mechanism::Mechanism;
use crate::outcome::Outcome;
use crate::snapshot::Snapshot;
use crate::trajectory::{EventKind, EventRecord, Outrun, Trajectory};

/// A motion, with its events, its energy ledger and its cost.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The equations that were integrated; they evaluate the states of the trajectory.
    pub equations: Equations,
    /// The kept states.
    pub trajectory: Trajectory,
    /// The located events.
    pub events: Vec<EventRecord>,
    /// The reason why the run ended.
    pub outcome: Outcome,
    /// Its cost.
    pub stats: Stats,
    /// The energy ledger.
    pub ledger: Ledger,
    /// Report about the start.
    pub start: StartReport,
    /// Checkpoint from which the run can be resumed; `None` if it failed, or if the mechanism contains
    /// [user-written code](Mechanism::user_code). A [`State`](crate::State) can continue any run.
    pub checkpoint: Option<Checkpoint>,
    /// The first step of fixed size, if there is one, that is too long for a signal of a driver or load.
    pub outrun: Option<Outrun>,
    /// Contacts that had to start inside an overlap.
    pub late: Option<Overlaps>,
    /// Pins that emerged from a wall that they had entered where the model has no surface.
    pub emerged: Option<Overlaps>,
    /// Contacts that slid off the end of their wall under load.
    pub snapped: Option<Overlaps>,
}

impl Solution {
    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        self.equations.mechanism()
    }

    /// The method of drift control.
    pub fn drift_control(&self) -> DriftControl {
        self.equations.drift
    }

    /// The accuracy of positions (m): the tolerance of lengths, or their rounding if that is larger.
    pub fn resolution(&self) -> f64 {
        self.equations.resolution()
    }

    /// The number of kept instants, at least one: the start is always kept.
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.trajectory.len()
    }

    /// The kept instant number `i`.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    ///
    /// # Panics
    /// If there is no such instant.
    pub fn snapshot(&self, i: usize) -> Result<Snapshot<'_>, Error> {
        self.equations.instant(&self.trajectory, i)
    }

    /// All kept instants. For one number per instant, [`series`](Self::series) is faster.
    pub fn snapshots(&self) -> impl ExactSizeIterator<Item = Result<Snapshot<'_>, Error>> {
        self.equations.instants(&self.trajectory)
    }

    /// One number for each kept instant.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    pub fn series(&self, channel: impl FnMut(&Snapshot<'_>) -> f64) -> Result<Vec<f64>, Error> {
        self.equations.series(&self.trajectory, channel)
    }

    /// The last kept instant.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    pub fn end(&self) -> Result<Snapshot<'_>, Error> {
        self.snapshot(self.len() - 1)
    }

    /// Every start of a contact: its time (s), the contact, the impact speed (m/s).
    pub fn impacts(&self) -> impl Iterator<Item = (f64, ContactId, f64)> {
        self.events.iter().filter_map(|event| match event.kind {
            EventKind::ContactStart { contact, impact_speed } => {
                Some((event.t, contact, impact_speed))
            }
            EventKind::ContactEnd(_)
            | EventKind::Turn(_)
            | EventKind::Pull(_)
            | EventKind::Bend(_)
            | EventKind::Reversal(_)
            | EventKind::Passage { .. }
            | EventKind::Watch(_) => None,
        })
    }

    /// The phase of a contact at the end.
    ///
    /// # Panics
    /// If there is no such contact, because the id belongs to another mechanism.
    pub fn phase(&self, contact: ContactId) -> Phase {
        let (_, _, mode) = self.trajectory.get(self.len() - 1);
        mode.contacts[contact.0]
    }
}
