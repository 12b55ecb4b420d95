//! Observing a run while it is in progress, inside its steps as well as at their ends.

use std::ops::ControlFlow;

use jointplay_ode::Segment;

use crate::contact::{ContactId, ContactReport, Indentation, Phase};
use crate::equations::{Equations, Evaluation, Mode};
use crate::trajectory::{EventRecord, Instant};

/// Receives every accepted step and every event of a run in the order of time
/// ([`Simulation::run_observed`]).
///
/// Observing does not change a bit of the motion. Dense output, which costs a method such as `Dop853` some evaluations, is
/// computed only for steps for which [`looks_inside`](Self::looks_inside) returns `true`.
///
/// [`Simulation::run_observed`]: crate::Simulation::run_observed
pub trait Observer {
    /// Whether the observer will look inside the coming step, given the mode during it.
    fn looks_inside(&self, mode: &Mode) -> bool {
        let _ = mode;
        false
    }

    /// A step was accepted; [`ControlFlow::Break`] interrupts the run.
    fn step(&mut self, step: &mut Step<'_>) -> ControlFlow<()>;

    /// An event took place, after the step that led to it.
    fn event(&mut self, event: &EventRecord) {
        let _ = event;
    }

    /// The run has ended. Returns further instants, [taken](Step::take) out of its steps, that the trajectory is to contain.
    /// Only called with [`Sampling::Impacts`](crate::Sampling::Impacts).
    fn kept(&mut self) -> Vec<Instant> {
        Vec::new()
    }
}

/// Receives only the time of every step.
pub(crate) struct Clock<W>(pub(crate) W);

impl<W: FnMut(f64) -> ControlFlow<()>> Observer for Clock<W> {
    #[inline]
    fn step(&mut self, step: &mut Step<'_>) -> ControlFlow<()> {
        (self.0)(step.segment.t1)
    }
}

/// An accepted step of a run.
pub struct Step<'a> {
    equations: &'a Equations,
    segment: &'a Segment<'a, Equations>,
    evaluation: &'a mut Evaluation<f64>,
    work: &'a mut Vec<f64>,
    /// The time at which the bodies are placed in `evaluation`.
    placed: Option<f64>,
    /// The times of the step that are in the trajectory, if it also takes those of the observer.
    kept: Option<&'a [f64]>,
}

impl<'a> Step<'a> {
    /// The bodies are placed in `evaluation` at the time `placed`.
    #[inline]
    pub(crate) fn new(
        equations: &'a Equations,
        segment: &'a Segment<'a, Equations>,
        evaluation: &'a mut Evaluation<f64>,
        work: &'a mut Vec<f64>,
        (placed, kept): (Option<f64>, Option<&'a [f64]>),
    ) -> Self {
        Step { equations, segment, evaluation, work, placed, kept }
    }

    /// The times inside this step at which the trajectory already holds an instant (s); `None` if the trajectory will not take
    /// the instants of [`Observer::kept`].
    pub fn kept(&self) -> Option<&'a [f64]> {
        self.kept
    }

    /// Takes the state at a time of the step (s) out of it, into `instant` if there is one to be overwritten. Between the ends
    /// of the step this needs dense output, for which the observer must have [looked inside](Observer::looks_inside), of all
    /// that [`Sampling::Impacts`](crate::Sampling::Impacts) keeps.
    pub fn take(&mut self, t: f64, instant: &mut Option<Instant>) {
        let Segment { t0, t1, y0, y1, mode, .. } = *self.segment;
        let y = if t <= t0 {
            y0
        } else if t >= t1 {
            y1
        } else {
            self.segment.eval(t, self.work);
            self.equations.settle(t, self.work, mode, self.evaluation);
            self.placed = None;
            &*self.work
        };
        let t = t.clamp(t0, t1);
        match instant {
            Some(known) => {
                known.t = t;
                known.y.clone_from(y);
                known.mode.clone_from(mode);
            }
            none => *none = Some(Instant { t, y: y.clone(), mode: mode.clone() }),
        }
    }

    /// The times at which it starts and ends (s).
    pub fn span(&self) -> [f64; 2] {
        [self.segment.t0, self.segment.t1]
    }

    /// The mode during the step.
    pub fn mode(&self) -> &'a Mode {
        self.segment.mode
    }

    /// The phase of a contact during the step.
    ///
    /// # Panics
    /// If there is no such contact, because the id belongs to another mechanism.
    pub fn phase(&self, contact: ContactId) -> &'a Phase {
        &self.segment.mode.contacts[contact.0]
    }

    /// The amount of each account of the ledger at the start and at the end of the step (J), in the
    /// order of [`Mechanism::accounts`](crate::Mechanism::accounts).
    pub fn amounts(&self) -> [&'a [f64]; 2] {
        let first = self.equations.first_account();
        [&self.segment.y0[first..], &self.segment.y1[first..]]
    }

    /// The report of a contact at a time of the step (s): at its ends from the states there,
    /// between them from dense output, for which the observer must have [looked
    /// inside](Observer::looks_inside). Several contacts at one time cost little more than one, and
    /// the end of the step, if it is requested first, costs less than any other time.
    ///
    /// # Panics
    /// If there is no such contact, because the id belongs to another mechanism.
    pub fn contact(&mut self, t: f64, contact: ContactId) -> ContactReport {
        self.place(t);
        let element = &self.equations.mechanism.contacts[contact.0];
        let Evaluation { work, bristles, .. } = &*self.evaluation;
        element.report(&self.segment.mode.contacts[contact.0], &work.motion, bristles)
    }

    /// Indentation (m), its rate (m/s) and normal force (N) of a contact at a time of the step, as
    /// from [`contact`](Step::contact), at lower cost.
    ///
    /// # Panics
    /// If there is no such contact, because the id belongs to another mechanism.
    pub fn indentation(&mut self, t: f64, contact: ContactId) -> Indentation {
        self.place(t);
        let element = &self.equations.mechanism.contacts[contact.0];
        let phase = &self.segment.mode.contacts[contact.0];
        element.indentation(phase, &self.evaluation.work.motion)
    }

    /// The effective mass (kg) along the normal of a contact at the end of the step if it and the
    /// others push with the same force. For two corners of a block that strike together it is half
    /// the mass of the block, for any moment of inertia. Infinite if the others cancel its effect.
    ///
    /// # Panics
    /// If there is no such contact, because an id belongs to another mechanism.
    pub fn shared_mass(&mut self, contact: ContactId, others: &[ContactId]) -> f64 {
        let Segment { t1, y1, .. } = *self.segment;
        self.equations.place(t1, y1, &mut self.evaluation.work);
        self.placed = Some(t1);
        self.equations.bend(y1, &mut self.evaluation.bristles);
        self.equations.shared_mass(contact.0, others, self.evaluation)
    }

    /// Places the bodies at a time of the step.
    fn place(&mut self, t: f64) {
        let Segment { t0, t1, y0, y1, mode, .. } = *self.segment;
        if self.placed != Some(t) {
            let y = if t <= t0 {
                y0
            } else if t >= t1 {
                y1
            } else {
                // The accounts inside a step are not needed.
                let coupled = self.equations.first_account();
                self.segment.eval_coupled(t, &mut self.work[..coupled]);
                self.equations.settle(t, self.work, mode, self.evaluation);
                &*self.work
            };
            self.equations.locate(t, y, &mut self.evaluation.work);
            self.equations.bend(y, &mut self.evaluation.bristles);
            self.placed = Some(t);
        }
    }
}
