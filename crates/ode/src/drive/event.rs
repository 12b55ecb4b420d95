//! Events: the transition, and the restart after it.

use std::ops::ControlFlow;

use super::Flight;
use crate::{Crossing, Effect, Event, Fault, Frozen, Recorder, Stats, Stepper, System, Trigger};

impl<S, T, R> Flight<'_, S, T, R>
where
    S: System,
    T: Stepper<S::State>,
    R: Recorder<S>,
{
    /// Advances to the event at the end of the step of size `h`, and makes its transition.
    #[cold]
    pub(super) fn cross(
        &mut self,
        stats: &mut Stats,
        fired: &[Crossing],
        h: f64,
    ) -> Result<(Effect, ControlFlow<()>), Fault> {
        let t = (self.t + h).min(self.bound);
        let mut before = ControlFlow::Continue(());
        if t > self.t {
            before = self.advance_to(stats, t);
        } else if h > 0.0 {
            self.stepper.accept(); // below the resolution of time, but the guard needs it
        }
        let y = self.stepper.start_mut();
        let effect = self.system.transition(fired, t, y, &mut self.mode, &mut self.scratch)?;
        let mut after = ControlFlow::Continue(());
        if effect != Effect::Unchanged {
            stats.events += 1;
            let event = Event { t, fired, y: self.stepper.start(), mode: &self.mode };
            after = self.recorder.event(&event);
        }
        match effect {
            Effect::Continue => {
                self.course.event(fired, self.can_be_lost(fired), self.t, self.t_end)?;
            }
            Effect::Unchanged => self.course.no_event(fired, self.t, self.t_end)?,
            Effect::Stop => return Ok((effect, before)),
        }
        self.go_on(stats, fired)?;
        Ok((effect, if before.is_break() { before } else { after }))
    }

    /// Whether a guard that fired could be beyond zero without firing again, because it fires in
    /// one direction only.
    pub(super) fn can_be_lost(&self, fired: &[Crossing]) -> bool {
        fired.iter().any(|fired| {
            let trigger = self.system.trigger(fired.guard, &self.mode);
            trigger.home().is_none() && trigger != Trigger::Either
        })
    }

    /// Restarts after an event.
    pub(super) fn go_on(&mut self, stats: &mut Stats, fired: &[Crossing]) -> Result<(), Fault> {
        self.find_bound();
        self.restart(stats, self.options.restart_step, self.course.reach)?;
        self.arm(stats, fired);
        Ok(())
    }

    /// Finds the sides of the guards at the current point, after the start and after an event.
    pub(super) fn arm(&mut self, stats: &mut Stats, fired: &[Crossing]) {
        if !self.watch.is_empty() {
            let problem = frozen!(self, stats);
            problem.guards(self.t, self.stepper.start(), self.watch.start_mut());
            let rounding = self.watch.probe();
            self.system.guard_roundings(&self.mode, rounding, &mut self.scratch);
            let trigger = |guard| self.system.trigger(guard, &self.mode);
            self.watch.arm(fired, self.course.idle_at(self.t), trigger);
        }
    }
}
