//! What a run is told, and what it tells: settings, counts, and why it ended.

use crate::{Crossing, Fault, System, Tolerance};

/// Settings of a run.
///
/// ```
/// use jointplay_ode::{Options, Tolerance};
///
/// let options = Options { max_step: 1e-3, ..Options::new(Tolerance::new(1e-8, 1e-10)) };
/// assert_eq!(options.first_step, None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Admitted local error.
    pub tolerance: Tolerance,
    /// The first step, above 0; `None` chooses one from the problem, at the price of one evaluation (Hairer,
    /// Nørsett, Wanner, *Solving Ordinary Differential Equations I*, section II.4).
    pub first_step: Option<f64>,
    /// The step after every transition, above 0; `None` chooses one as at the start. Give a small one where the
    /// right-hand side loses smoothness at the event, as a contact force `δ^1.5` does at its beginning.
    ///
    /// In any case this step is no longer than the time since the previous event, so that events that accumulate
    /// are all seen.
    pub restart_step: Option<f64>,
    /// No step is longer, except the last one by at most 1 %; above 0, infinite by default. A guard that does not depend on the state needs this
    /// bound: its oscillations do not restrain the step.
    pub max_step: f64,
    /// No step is shorter, except the last one and those that end in an event; 0 by default, which leaves the
    /// resolution of `t` as the bound.
    pub min_step: f64,
    /// The greatest number of steps, accepted and rejected; 10⁷ by default.
    pub max_steps: usize,
}

impl Options {
    /// Default settings at this tolerance.
    pub fn new(tolerance: Tolerance) -> Self {
        Options {
            tolerance,
            first_step: None,
            restart_step: None,
            max_step: f64::INFINITY,
            min_step: 0.0,
            max_steps: 10_000_000,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Fault> {
        let settings = [
            ("first_step", self.first_step.unwrap_or(1.0), 0.0),
            ("restart_step", self.restart_step.unwrap_or(1.0), 0.0),
            ("max_step", self.max_step, 0.0),
            ("min_step", self.min_step, -f64::MIN_POSITIVE),
        ];
        let bad = settings.iter().find(|(_, value, above)| {
            // A negated comparison, so that NaN is bad.
            value.partial_cmp(above) != Some(std::cmp::Ordering::Greater)
        });
        bad.map_or(Ok(()), |&(name, value, _)| Err(Fault::Setting { name, value }))
    }
}

/// What a run was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Accepted steps, those to events included.
    pub accepted: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Evaluations of the right-hand side.
    pub evaluations: usize,
    /// Evaluations of all guards.
    pub guard_evaluations: usize,
    /// Events; several guards that fire together are one.
    pub events: usize,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The end of the time span.
    ReachedEnd,
    /// A transition asked to stop.
    Stopped {
        /// The guards that fired.
        fired: Vec<Crossing>,
        /// The time of the event.
        t: f64,
    },
    /// The run could not go on.
    Failed {
        /// The reason.
        fault: Fault,
        /// The last accepted time.
        t: f64,
    },
}

/// The end of a run: where it arrived, why it ended, what it cost.
#[derive(Clone, Debug)]
pub struct Run<S: System> {
    /// The last accepted time.
    pub t: f64,
    /// The state at that time, after the transition if the run stopped in an event.
    pub y: S::State,
    /// The mode at that time.
    pub mode: S::Mode,
    /// Why the run ended.
    pub outcome: Outcome,
    /// What it cost.
    pub stats: Stats,
}
