//! The reason why a run ended, in terms of the mechanism.

use jointplay_ode::Fault;

use crate::equations::Equations;
use crate::error::{PartKind, PartRef};

/// The reason why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It reached the end of the time span.
    ReachedEnd,
    /// A watched coordinate stopped it.
    Stopped {
        /// The time (s).
        t: f64,
        /// The watches that stopped it.
        by: Vec<PartRef>,
    },
    /// The observer of the run interrupted it.
    Interrupted {
        /// The last accepted time (s).
        t: f64,
    },
    /// The run could not continue; the trajectory up to that time is kept.
    Failed {
        /// The last accepted time (s).
        t: f64,
        /// The part at fault, if it is known.
        part: Option<PartRef>,
        /// What went wrong.
        fault: Fault,
    },
}

impl Outcome {
    pub(crate) fn new(equations: &Equations, outcome: &jointplay_ode::RunEnd) -> Self {
        match outcome {
            jointplay_ode::RunEnd::ReachedEnd => Outcome::ReachedEnd,
            jointplay_ode::RunEnd::Stopped { fired, t } => {
                let watches =
                    fired.iter().filter_map(|crossing| equations.stopping_watch(crossing.guard));
                let by = watches.map(|watch| PartRef::new(PartKind::Watch, watch)).collect();
                Outcome::Stopped { t: *t, by }
            }
            jointplay_ode::RunEnd::Interrupted { t } => Outcome::Interrupted { t: *t },
            jointplay_ode::RunEnd::Failed { fault, t } => {
                let component = |i: usize| equations.state_parts().nth(i);
                let part = match fault {
                    Fault::NonFinite { component: i, .. } => {
                        let signal = equations.undefined_signal(*t);
                        let signal = signal.or_else(|| equations.runaway_signal(*t));
                        signal.or_else(|| component(*i))
                    }
                    Fault::StepTooSmall { component: i, .. } => {
                        equations.runaway_signal(*t).or_else(|| component(*i))
                    }
                    Fault::TooManySteps { component: i, .. }
                    | Fault::Stalled { component: i, .. } => component(*i),
                    Fault::NonFiniteGuard { guard, .. }
                    | Fault::ZenoEvents { guard, .. }
                    | Fault::Chatter { guard, .. } => Some(equations.part_of_guard(*guard)),
                    Fault::Rhs { part, .. }
                    | Fault::Projection { part, .. }
                    | Fault::Jump { part, .. }
                    | Fault::Transition { part, .. } => equations.fault_part(*part),
                    // A fault of the whole system, or of the caller's arguments.
                    Fault::NoConvergence { .. }
                    | Fault::Singular { .. }
                    | Fault::Checkpoint { .. }
                    | Fault::Setting { .. }
                    | Fault::ToleranceLength { .. } => None,
                };
                Outcome::Failed { t: *t, part, fault: *fault }
            }
        }
    }

    /// Whether the run reached the end of its time span.
    pub fn reached_end(&self) -> bool {
        *self == Outcome::ReachedEnd
    }
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Outcome::ReachedEnd => write!(f, "reached the end"),
            Outcome::Stopped { t, by } => {
                let by: Vec<&str> = by.iter().map(PartRef::label).collect();
                write!(f, "stopped at t = {t} s by {}", by.join(", "))
            }
            Outcome::Interrupted { t } => write!(f, "interrupted at t = {t} s"),
            Outcome::Failed { t, part, fault } => {
                write!(f, "failed at t = {t} s: ")?;
                if let Some(part) = part {
                    write!(f, "{part}: ")?;
                }
                match fault {
                    Fault::Rhs { reason, .. }
                    | Fault::Projection { reason, .. }
                    | Fault::Transition { reason, .. } => write!(f, "{reason}"),
                    Fault::NonFinite { .. } => write!(f, "it is no longer a finite number"),
                    Fault::StepTooSmall { h, .. } => {
                        write!(f, "the tolerance requires a step of {h:e} s, which is too small")
                    }
                    Fault::TooManySteps { steps, .. } => {
                        let what = "steps (accepted and rejected; max_steps)";
                        write!(f, "it reached the limit of {steps} {what}")
                    }
                    Fault::Stalled { steps, advanced, .. } => {
                        let what = "steps, accepted and rejected, advanced the time by only";
                        write!(f, "the last {steps} {what} {advanced:e} s")
                    }
                    Fault::ZenoEvents { events, intervals, rates, .. } => {
                        write!(
                            f,
                            "its events accumulate: {events} in immediate succession, the last "
                        )?;
                        list(f, intervals)?;
                        write!(f, " s apart, crossing zero at rates of ")?;
                        list(f, rates)?;
                        write!(f, " 1/s (m/s for a gap)")
                    }
                    Fault::Chatter { events, advanced, .. } => {
                        write!(
                            f,
                            "{events} events in a row advanced the time by only {advanced:e} s"
                        )
                    }
                    Fault::Jump { t, size, of_rate, .. } => {
                        let what = if *of_rate { "speed" } else { "motion" };
                        write!(
                            f,
                            "its {what} jumps by {size:.3e} (SI units) at t = {t:.9} s, which requires an infinite force; write it without the jump, as a table, or as a sum of smooth steps"
                        )
                    }
                    other => write!(f, "{other}"),
                }
            }
        }
    }
}

/// Writes numbers separated by commas.
fn list(f: &mut std::fmt::Formatter<'_>, numbers: &[f64]) -> std::fmt::Result {
    for (i, number) in numbers.iter().enumerate() {
        write!(f, "{}{number:.2e}", if i == 0 { "" } else { ", " })?;
    }
    Ok(())
}
