//! Interrupted runs, and the settings that must be the same when they continue.

use serde::{Deserialize, Serialize};

use crate::assembly::StartReport;
use crate::books::Books;
use crate::equations::{DriftControl, Equations};
use crate::simulation::{Accuracy, Method};

/// An interrupted run, to be continued by [`Simulation::resume`](crate::Simulation::resume). Plain data, for serde.
///
/// It belongs to a mechanism, including every name and number of its parts, and to the formulation, the method and the
/// tolerances. A mechanism rebuilt from the same parts by the same version of this crate counts as the same.
/// User-written code cannot be identified, so a mechanism with such parts has no checkpoints.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Checkpoint {
    pub(crate) run: jointplay_ode::Checkpoint<Equations>,
    pub(crate) books: Books,
    pub(crate) report: StartReport,
    /// Fingerprint of the equations to which it belongs.
    pub(crate) fingerprint: u64,
    pub(crate) settings: Settings,
}

/// The settings that affect the bits of a run.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) method: Method,
    pub(crate) accuracy: Accuracy,
    pub(crate) drift: DriftControl,
    /// `None` for infinity, which some formats cannot write.
    pub(crate) max_step: Option<f64>,
    pub(crate) min_step: f64,
    pub(crate) restart_step: Option<f64>,
}

impl Settings {
    /// The first setting that differs, and its value here.
    pub(crate) fn differs_from(&self, other: &Settings) -> Option<(&'static str, String)> {
        if self.method != other.method {
            Some(("method", format!("{:?}", self.method)))
        } else if self.accuracy != other.accuracy {
            Some(("accuracy", format!("{:?}", self.accuracy)))
        } else if self.drift != other.drift {
            Some(("drift control", format!("{:?}", self.drift)))
        } else if self.max_step != other.max_step {
            Some(("max_step", format!("{} s", self.max_step.unwrap_or(f64::INFINITY))))
        } else if self.min_step != other.min_step {
            Some(("min_step", format!("{} s", self.min_step)))
        } else if self.restart_step != other.restart_step {
            let was = self.restart_step.map_or("none".to_owned(), |step| format!("{step} s"));
            Some(("restart_step", was))
        } else {
            None
        }
    }
}

impl Checkpoint {
    /// The time reached (s).
    pub fn t(&self) -> f64 {
        self.run.t()
    }
}
