//! The reasons why a run could not continue.

/// A part of a system: its kind, and its number among the parts of that kind. Only the system knows
/// what it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The system's name of the kind.
    pub kind: &'static str,
    /// The number among parts of this kind, from 0.
    pub index: usize,
}

impl std::fmt::Display for Part {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.kind, self.index)
    }
}

/// The reason why a run could not continue.
///
/// This is the only error type of the crate. A fault never loses data: [`drive`](crate::drive) returns it inside
/// [`RunEnd::Failed`](crate::RunEnd::Failed), together with the last accepted time, state and mode.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// A component of the state or of its derivative is infinite or not a number, even in the
    /// smallest step.
    #[error("component {component} is not finite after t = {t:e}")]
    NonFinite {
        /// Start of the step.
        t: f64,
        /// The first such component.
        component: usize,
    },

    /// A guard is infinite or not a number.
    #[error("guard {guard} is not finite near t = {t:e}")]
    NonFiniteGuard {
        /// Start of the step.
        t: f64,
        /// The first such guard.
        guard: usize,
    },

    /// The tolerance requires a step below `min_step`, or below the resolution of `t`.
    #[error(
        "the tolerance requires a step of {h:e} at t = {t:e}, which is too small, because of component {component}"
    )]
    StepTooSmall {
        /// Start of the step.
        t: f64,
        /// The step required.
        h: f64,
        /// The component with the greatest error over the admitted one, in the step that would be tried next.
        component: usize,
    },

    /// The run needs more than `max_steps` steps.
    #[error(
        "{steps} steps, accepted and rejected, reach only t = {t:e}, because of component {component}"
    )]
    TooManySteps {
        /// The time reached.
        t: f64,
        /// The number of steps taken, accepted and rejected.
        steps: usize,
        /// The component with the greatest error over the admitted one, in the step that would be tried next.
        component: usize,
    },

    /// Events follow each other faster than time can resolve, like the bounces of a ball that comes to rest.
    #[error(
        "events of guard {guard} accumulate at t = {t:e}: {events} in immediate succession, the last {intervals:?} apart, at the rates {rates:?}"
    )]
    ZenoEvents {
        /// The time of the last event.
        t: f64,
        /// The first guard of the last event.
        guard: usize,
        /// Number of events in immediate succession.
        events: usize,
        /// The times between the last four events, the latest first.
        intervals: [f64; 4],
        /// The rates at which the guards crossed zero at these events, the latest first.
        rates: [f64; 4],
    },

    /// The run advances, but too slowly to reach its end in a feasible number of steps.
    #[error(
        "the last {steps} steps, accepted and rejected, advanced the time by only {advanced:e}, to t = {t:e}, because of component {component}"
    )]
    Stalled {
        /// The time reached.
        t: f64,
        /// Number of the last steps, accepted and rejected.
        steps: usize,
        /// The time that they advanced.
        advanced: f64,
        /// The component with the greatest error over the admitted one, in the step that would be tried next.
        component: usize,
    },

    /// One guard fires again and again while time hardly advances.
    #[error(
        "{events} events of guard {guard} in a row advanced the time by only {advanced:e}, to t = {t:e}"
    )]
    Chatter {
        /// The time of the last event.
        t: f64,
        /// The guard.
        guard: usize,
        /// Number of the last events.
        events: usize,
        /// The time that they advanced.
        advanced: f64,
    },

    /// The equations of an implicit step could not be solved, even in the smallest step.
    #[error("Newton's iteration does not converge in a step of {h:e} from t = {t:e}")]
    NoConvergence {
        /// Start of the step.
        t: f64,
        /// The step.
        h: f64,
    },

    /// The matrix of an implicit step is singular, even in the smallest step.
    #[error("the matrix of a step of {h:e} from t = {t:e} is singular")]
    Singular {
        /// Start of the step.
        t: f64,
        /// The step.
        h: f64,
    },

    /// A checkpoint was made by another method, or for another problem.
    #[error("the checkpoint does not belong to this problem and method: {what}")]
    Checkpoint {
        /// What is different.
        what: &'static str,
    },

    /// The right-hand side cannot be evaluated, for the reason given by the system.
    #[error("the right-hand side fails near t = {t:e}, {part}: {reason}")]
    Rhs {
        /// The time at which it was evaluated.
        t: f64,
        /// The reason.
        reason: &'static str,
        /// The part of the system at fault.
        part: Part,
    },

    /// The end of a step cannot be projected onto the invariants of the system, for the reason given by the system.
    #[error("the projection fails near t = {t:e}, {part}: {reason}")]
    Projection {
        /// The time at which it was tried.
        t: f64,
        /// The reason.
        reason: &'static str,
        /// The part of the system at fault.
        part: Part,
    },

    /// The system cannot make the transition of an event, for the reason that it gives.
    #[error("the transition fails near t = {t:e}, {part}: {reason}")]
    Transition {
        /// The time of the event.
        t: f64,
        /// The reason.
        reason: &'static str,
        /// The part of the system at fault.
        part: Part,
    },

    /// A function of time that the system prescribes jumps, and no motion can follow it.
    #[error("{part} jumps by {size:e} at t = {t:e}")]
    Jump {
        /// The time of the jump.
        t: f64,
        /// How far it jumps.
        size: f64,
        /// Whether it is the rate that jumps, not the value.
        of_rate: bool,
        /// The part of the system at fault.
        part: Part,
    },

    /// A setting lies outside its admissible interval.
    #[error("{name} = {value:e} is not allowed")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// Its value.
        value: f64,
    },

    /// Tolerances are given for each component, but the state has another number of components.
    #[error("{found} tolerances for {expected} components")]
    ToleranceLength {
        /// The dimension of the state.
        expected: usize,
        /// The number of tolerances.
        found: usize,
    },
}

impl Fault {
    /// The same fault with the component that keeps the steps small, if it is a fault of the step size.
    pub(crate) fn because_of(mut self, culprit: usize) -> Self {
        if let Fault::StepTooSmall { component, .. }
        | Fault::TooManySteps { component, .. }
        | Fault::Stalled { component, .. } = &mut self
        {
            *component = culprit;
        }
        self
    }
}
