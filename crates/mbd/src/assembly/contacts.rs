//! The phases of the contacts at the start.

use crate::contact::{Facing, Phase};
use crate::equations::{Equations, Evaluation, Mode, STICKS};
use crate::error::{Error, PartKind, PartRef};

impl Equations {
    fn contact_part(&self, contact: usize) -> PartRef {
        PartRef::new(PartKind::Contact, &self.mechanism.contact_names[contact])
    }

    /// The phases of contacts at rest: those that overlap touch, with their elastic force alone.
    pub(crate) fn resting_mode(&self, t: f64, y: &[f64]) -> Result<Mode, Error> {
        let mut mode = self.all_apart();
        let mut evaluation = self.evaluation();
        self.place(t, y, &mut evaluation.work);
        for (contact, element) in self.mechanism.contacts.iter().enumerate() {
            let gap = element.gap.measure(&evaluation.work.motion);
            let faces = element.front(&evaluation.work.motion).before >= 0.0;
            if gap.delta > 0.0 && faces {
                // The speed has no effect at rest.
                let touch = element.law.normal.begin(1.0, 1.0).map_err(|reason| {
                    let part = self.contact_part(contact);
                    Error::Contact { part, reason }
                })?;
                mode.contacts[contact] = element.touching(touch, &gap);
            }
        }
        Ok(mode)
    }

    /// Whether a contact is active at the start. One that just touches is active if it closes. Says whether the bodies are
    /// placed at this state, before and after.
    pub(super) fn first_phase(
        &self,
        t: f64,
        y: &[f64],
        contact: usize,
        mode: &Mode,
        (evaluation, placed): (&mut Evaluation<f64>, &mut bool),
    ) -> Result<Phase, Error> {
        let element = &self.mechanism.contacts[contact];
        let part = || self.contact_part(contact);
        if !*placed {
            self.place(t, y, &mut evaluation.work);
            *placed = true;
        }
        let gap = element.gap.measure(&evaluation.work.motion);
        let faces = self.faces(t, y, contact, mode, evaluation)?;
        let facing = if faces { Facing::Before } else { Facing::Aside };
        let apart = Phase::Apart { start: 0.0, last: None, facing };
        if !faces {
            return Ok(apart);
        }
        let size = element.gap.size(self.mechanism.length, &evaluation.work.motion);
        let size = size.max(element.gap.reach(&evaluation.work.motion));
        let rounding = 16.0 * f64::EPSILON * size;
        let speed =
            if let Some(speed) = element.initial_impact_speed.filter(|_| gap.delta >= -rounding) {
                speed
            } else if gap.delta > rounding {
                let unit = element.gap.unit();
                return Err(Error::Overlap { part: part(), overlap: gap.delta, unit });
            } else if gap.delta < -rounding || gap.delta_dot < 0.0 {
                return Ok(apart);
            } else if gap.delta_dot > 0.0 {
                gap.delta_dot
            } else {
                // At rest and just touching: it is active if it would close.
                let evaluated = self.evaluate(t, y, mode, evaluation);
                evaluated.map_err(|trouble| self.evaluation_error(trouble))?;
                if !self.closes(contact, evaluation) {
                    return Ok(apart);
                }
                0.0
            };
        self.place(t, y, &mut evaluation.work);
        *placed = false;
        let begun = self.begin(t, contact, &apart, speed, evaluation);
        let phase = begun.map_err(|reason| Error::Contact { part: part(), reason })?;
        if self.held_beside(contact, mode, evaluation) {
            return Ok(Phase::Apart { start: 0.0, last: None, facing: Facing::Behind });
        }
        if !element.at_rest(&gap) {
            return Ok(phase);
        }
        let mut touching = mode.clone();
        touching.contacts[contact] = phase;
        let sliding = self.reverse(t, y, &touching, contact, evaluation);
        sliding.ok_or_else(|| Error::Evaluation { part: part(), reason: STICKS })
    }

    /// Whether the pin of a contact is in front of its section at the start; at an end of the section, whether it will be.
    pub(super) fn faces(
        &self,
        t: f64,
        y: &[f64],
        contact: usize,
        mode: &Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<bool, Error> {
        let element = &self.mechanism.contacts[contact];
        let mut inside = element.front(&evaluation.work.motion).before;
        if inside.abs() <= 4.0 * self.mechanism.rounding {
            let evaluated = self.evaluate(t, y, mode, evaluation);
            evaluated.map_err(|trouble| self.evaluation_error(trouble))?;
            inside = element.front(&evaluation.work.soon()).before;
        }
        Ok(inside >= 0.0)
    }

    /// Whether the overlap of a contact at rest is accelerated.
    pub(super) fn closes(&self, contact: usize, evaluation: &Evaluation<f64>) -> bool {
        let gap = &self.mechanism.contacts[contact].gap;
        let now = gap.measure(&evaluation.work.motion).delta_dot;
        gap.measure(&evaluation.work.soon()).delta_dot > now
    }
}
