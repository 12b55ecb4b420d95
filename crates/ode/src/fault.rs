//! Why a run could not go on.

/// Why a run could not go on.
///
/// This is the one error type of the crate. A fault never loses data: [`drive`](crate::drive) returns it inside
/// [`Outcome::Failed`](crate::Outcome::Failed), together with the last accepted time, state and mode.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// A component of the state or of its derivative is infinite or not a number, however small the step.
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

    /// The tolerance asks for a step below `min_step`, or below the resolution of `t`.
    #[error("the tolerance asks for a step of {h:e} at t = {t:e}, which is too small")]
    StepTooSmall {
        /// Start of the step.
        t: f64,
        /// The step asked for.
        h: f64,
    },

    /// The run needs more than `max_steps` steps.
    #[error("{steps} steps, accepted and rejected, lead only to t = {t:e}")]
    TooManySteps {
        /// The time reached.
        t: f64,
        /// The number of steps taken, accepted and rejected.
        steps: usize,
    },

    /// Events follow each other faster than time resolves, as the bounces of a ball that comes to rest.
    #[error("events of guard {guard} accumulate at t = {t:e}")]
    ZenoEvents {
        /// The time of the last event.
        t: f64,
        /// The first guard of the last event.
        guard: usize,
    },

    /// The right-hand side cannot be evaluated, for a reason that the system names.
    #[error("the right-hand side fails near t = {t:e}: {reason}")]
    Rhs {
        /// The time at which it was evaluated.
        t: f64,
        /// The reason.
        reason: &'static str,
    },

    /// A setting lies outside its admissible interval.
    #[error("{name} = {value:e} is not admissible")]
    Setting {
        /// The name of the setting.
        name: &'static str,
        /// Its value.
        value: f64,
    },

    /// A tolerance is given for each component, but not for as many as the state has.
    #[error("{found} tolerances for {expected} components")]
    ToleranceLength {
        /// The dimension of the state.
        expected: usize,
        /// The number of tolerances.
        found: usize,
    },
}
