//! The state of a run between two steps, from which it can be resumed.

use serde::{Deserialize, Serialize};

use crate::course::Course;
use crate::guard::Sides;
use crate::{Crossing, Run, RunEnd, Stats, System, Vector, exact};

/// The state of a run between two steps: [`resume`](crate::resume) continues it with the same bits as an uninterrupted
/// run.
///
/// Plain data; it implements the traits of serde if the mode does. Every number of the integrator is written as 16 hexadecimal
/// digits, so that each format keeps it to the bit; numbers inside the mode are written by the
/// format itself (the JSON of `serde_json` needs its feature `float_roundtrip`).
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "S::Mode: Serialize", deserialize = "S::Mode: Deserialize<'de>"))]
pub struct Checkpoint<S: System> {
    #[serde(with = "exact")]
    pub(crate) t: f64,
    #[serde(with = "exact::vector")]
    pub(crate) y: S::State,
    pub(crate) mode: S::Mode,
    pub(crate) stats: Stats,
    pub(crate) rest: Rest<S::Guards>,
    /// The guards of a transition after which the integration has not restarted yet.
    pub(crate) fired: Vec<Crossing>,
}

impl<S: System> Checkpoint<S> {
    /// The time.
    pub fn t(&self) -> f64 {
        self.t
    }

    /// The state.
    pub fn y(&self) -> &S::State {
        &self.y
    }

    /// The mode.
    pub fn mode(&self) -> &S::Mode {
        &self.mode
    }

    /// The counts of the run so far.
    pub fn stats(&self) -> &Stats {
        &self.stats
    }
}

impl<S: System> Clone for Checkpoint<S> {
    fn clone(&self) -> Self {
        Checkpoint {
            t: self.t,
            y: self.y.clone(),
            mode: self.mode.clone(),
            stats: self.stats,
            rest: self.rest.clone(),
            fired: self.fired.clone(),
        }
    }
}

impl<S: System> Run<S> {
    /// The checkpoint from which the run can be resumed; `None` for a run that failed.
    ///
    /// A run that was stopped by a transition continues as if the transition had not stopped it.
    pub fn checkpoint(self) -> Option<Checkpoint<S>> {
        let Run { t, y, mode, outcome, stats, rest } = self;
        let fired = if let RunEnd::Stopped { fired, .. } = outcome { fired } else { Vec::new() };
        rest.map(|rest| Checkpoint { t, y, mode, stats, rest, fired })
    }
}

/// The data that cannot be computed from time, state and mode.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Rest<G: Vector> {
    pub(crate) course: Course,
    pub(crate) sides: Sides<G>,
    /// The memory of the method.
    #[serde(with = "exact::vector")]
    pub(crate) method: Vec<f64>,
}
