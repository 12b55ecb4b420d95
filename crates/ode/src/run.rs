//! Input and output of a run: settings, counts, and the reason for its end.

use serde::{Deserialize, Serialize};

use crate::checkpoint::Rest;
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
    /// In any case this step is no longer than the time since the previous event, so that no
    /// accumulating event is missed.
    pub restart_step: Option<f64>,
    /// The longest step; a step to a stop or to the end may be longer by up to 1 %. Above 0, infinite by default. A guard
    /// that does not depend on the state needs this bound, because its oscillations do not limit the step.
    pub max_step: f64,
    /// The shortest step, except for those that end in an event, at a stop or at the end; 0 by default, which leaves the
    /// resolution of `t` as the bound.
    pub min_step: f64,
    /// The maximum number of steps, accepted and rejected; 10⁷ by default.
    pub max_steps: usize,
    /// Excursions of guards beyond zero up to this depth need not be detected by a [survey](System::survey); 0 or more, 0 by
    /// default.
    pub slack: f64,
    /// Times at which a step ends, to the bit, and the integration begins anew as after a transition: where the
    /// right-hand side loses its smoothness as a function of time, at the end of a pulse or of a table. In
    /// ascending order, finite; those outside the time span have no effect.
    ///
    /// Before a stop the right-hand side is evaluated at earlier times only, so that a function
    /// that jumps there may treat the stop as part of what follows: `if t < stop { before } else {
    /// after }`.
    pub stops: Box<[f64]>,
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
            slack: 0.0,
            stops: Box::default(),
        }
    }

    pub(crate) fn check(&self) -> Result<(), Fault> {
        let settings = [
            ("first_step", self.first_step.unwrap_or(1.0), 0.0),
            ("restart_step", self.restart_step.unwrap_or(1.0), 0.0),
            ("max_step", self.max_step, 0.0),
            ("min_step", self.min_step, -f64::MIN_POSITIVE),
            ("slack", self.slack, -f64::MIN_POSITIVE),
        ];
        let bad = settings.iter().find(|(_, value, above)| {
            // A negated comparison, so that NaN is bad.
            value.partial_cmp(above) != Some(std::cmp::Ordering::Greater)
        });
        if let Some(&(name, value, _)) = bad {
            return Err(Fault::Setting { name, value });
        }
        let name = "stops";
        if let Some(&value) = self.stops.iter().find(|stop| !stop.is_finite()) {
            return Err(Fault::Setting { name, value });
        }
        let pair = self.stops.windows(2).find(|pair| pair[0] > pair[1]);
        pair.map_or(Ok(()), |pair| Err(Fault::Setting { name, value: pair[1] }))
    }
}

/// The counts of a run; for a resumed run, from its original beginning.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Accepted steps, those to events included.
    pub accepted: usize,
    /// Accepted steps that the implicit method took because the system [rested](System::rests).
    #[serde(default)]
    pub resting: usize,
    /// Accepted steps that the implicit method took because the system was
    /// [stiff](System::stiffness).
    #[serde(default)]
    pub stiff: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Evaluations of the right-hand side.
    pub evaluations: usize,
    /// Evaluations of all guards.
    pub guard_evaluations: usize,
    /// Calls of [`System::survey`].
    pub surveys: usize,
    /// Events; several guards that fire together are one.
    pub events: usize,
    /// Projections onto the invariants of the system.
    pub projections: usize,
    /// Jacobian matrices. One by differences costs as many evaluations as the state has components.
    pub jacobians: usize,
    /// Factorisations of the matrices of an implicit step, a real and a complex one together.
    pub factorisations: usize,
    /// Iterations of Newton's method for the stages of an implicit step.
    pub newton_iterations: usize,
}

/// The reason why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum RunEnd {
    /// It reached the end of the time span.
    ReachedEnd,
    /// A transition stopped it.
    Stopped {
        /// The guards that fired.
        fired: Vec<Crossing>,
        /// The time of the event.
        t: f64,
    },
    /// The recorder interrupted it.
    Interrupted {
        /// The last accepted time.
        t: f64,
    },
    /// The run could not continue.
    Failed {
        /// The reason.
        fault: Fault,
        /// The last accepted time.
        t: f64,
    },
}

/// The end of a run: the state reached, the reason, and the cost.
#[derive(Clone, Debug)]
pub struct Run<S: System> {
    /// The last accepted time.
    pub t: f64,
    /// The state at that time, after the transition if the run stopped in an event.
    pub y: S::State,
    /// The mode at that time.
    pub mode: S::Mode,
    /// The reason why the run ended.
    pub outcome: RunEnd,
    /// Its cost.
    pub stats: Stats,
    /// The remaining data of a checkpoint; `None` for a run that failed.
    pub(crate) rest: Option<Rest<S::Guards>>,
}
