//! The start of a contact: the memory of its law, its sliding direction, and its effective mass.

use jointplay_contact::damping::{BeginError, Stage, Touch};

use super::{Equations, Evaluation, Mode};
use crate::contact::{ContactId, Phase};
use crate::formulation::REDUNDANT;
use crate::frame::{accumulate, dot3};

impl Equations {
    /// The phase of a contact that starts now: impact speed and effective mass from the state.
    ///
    /// If the surfaces had separated by less than the resolution of positions, the contact
    /// continues with its memory. A contact that begins slowly is not an impact, and
    /// [rests](jointplay_contact::NormalLaw::rest).
    pub(crate) fn begin(
        &self,
        t: f64,
        contact: usize,
        phase: &Phase,
        speed: f64,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<Phase, BeginError> {
        let element = &self.mechanism.contacts[contact];
        let gap = element.gap.measure(&evaluation.work.motion);
        let law = &element.law.normal;
        if let Phase::Apart { last: Some((last, ended)), .. } = phase
            // A flight that ends with this speed rose by a quarter of its duration times this
            // speed.
            && 0.25 * speed * (t - ended) < self.resolution
        {
            return Ok(element.touching(Touch { stage: Stage::Compression, ..*last }, &gap));
        }
        let mut mass = self.effective_mass(contact, evaluation);
        if mass == f64::INFINITY {
            // Drivers prescribe the gap. A law that does not use the mass may have any.
            if law.damping.uses_effective_mass() {
                return Err(BeginError::Prescribed);
            }
            mass = f64::MAX;
        }
        let touch = law.rest(speed, mass)?;
        Ok(element.touching(
            match phase {
                Phase::Apart { last: Some((last, _)), .. } => law.in_dent(touch, last),
                Phase::Apart { last: None, .. } | Phase::Touching { .. } => touch,
            },
            &gap,
        ))
    }

    /// Whether a pin is in front of the section of this contact by more than rounding.
    pub(super) fn holds(&self, contact: usize, evaluation: &Evaluation<f64>) -> bool {
        let motion = &evaluation.work.motion;
        self.mechanism.contacts[contact].front(motion).before > 4.0 * self.rounding(motion)
    }

    /// Whether a neighbouring section touches the same pin and keeps it. One contact is enough for
    /// a pin in front of both, like the corner of a block that stands on the end of its guide.
    pub(crate) fn held_beside(
        &self,
        contact: usize,
        mode: &Mode,
        evaluation: &Evaluation<f64>,
    ) -> bool {
        let motion = &evaluation.work.motion;
        let rounding = 4.0 * self.rounding(motion);
        let beside = self.mechanism.contacts[contact].beyond.iter().flatten();
        beside.into_iter().any(|i| {
            mode.touches(*i) && self.mechanism.contacts[*i].front(motion).before >= -rounding
        })
    }

    /// The phase of a contact whose sliding speed has reached zero: it continues in the direction
    /// in which friction allows motion, or sticks (`None`).
    pub(crate) fn reverse(
        &self,
        t: f64,
        y: &[f64],
        mode: &Mode,
        contact: usize,
        evaluation: &mut Evaluation<f64>,
    ) -> Option<Phase> {
        let Phase::Touching { touch, sliding } = mode.contacts[contact] else {
            return Some(mode.contacts[contact]);
        };
        let mut trial = mode.clone();
        // First the other direction, then the same, for a speed that only came near zero.
        [-sliding, sliding].into_iter().find_map(|sliding| {
            trial.contacts[contact] = Phase::Touching { touch, sliding };
            self.evaluate(t, y, &trial, evaluation).ok()?;
            let gap = &self.mechanism.contacts[contact].gap;
            let now = gap.measure(&evaluation.work.motion).v_t;
            let soon = gap.measure(&evaluation.work.soon()).v_t;
            ((soon - now) * sliding > 0.0).then_some(trial.contacts[contact])
        })
    }

    /// The effective mass of a contact along its normal, 1/(g M⁻¹ gᵀ) with the constraints held.
    pub(super) fn effective_mass(&self, contact: usize, evaluation: &mut Evaluation<f64>) -> f64 {
        self.shared_mass(contact, &[], evaluation)
    }

    /// The effective mass of a contact along its normal where it and the others push with the same
    /// force, 1/Σ g M⁻¹ gᵢᵀ.
    pub(crate) fn shared_mass(
        &self,
        contact: usize,
        others: &[ContactId],
        evaluation: &mut Evaluation<f64>,
    ) -> f64 {
        let element = &self.mechanism.contacts[contact];
        let gap = element.gap.measure(&evaluation.work.motion);
        let [a, b] = element.gap.frames();
        let work = &mut evaluation.work;
        work.force.fill([0.0; 3]);
        if self.layout.structure.accelerate(work).is_err() {
            return f64::INFINITY;
        }
        let along = |work: &crate::formulation::Work<f64>| {
            dot3(gap.on_a, work.acceleration[a]) + dot3(gap.on_b, work.acceleration[b])
        };
        let before = along(work);
        let pushes = |other: &ContactId| {
            let element = &self.mechanism.contacts[other.0];
            (element.gap.frames(), element.gap.measure(&work.motion))
        };
        let pushes: Vec<_> = others.iter().map(pushes).collect();
        self.layout.structure.respond(work, |change| {
            accumulate(&mut change[a], 1.0, gap.on_a);
            accumulate(&mut change[b], 1.0, gap.on_b);
            for ([a, b], gap) in &pushes {
                accumulate(&mut change[*a], 1.0, gap.on_a);
                accumulate(&mut change[*b], 1.0, gap.on_b);
            }
        });
        let mobility = along(work) - before;
        let free = &self.layout.structure.free;
        let alone: f64 = [(a, gap.on_a), (b, gap.on_b)]
            .into_iter()
            .map(|(frame, on)| (0..3).map(|i| on[i] * on[i] * free[frame][i]).sum::<f64>())
            .sum();
        // If drivers prescribe the gap, its mobility is only rounding. Between bodies of very
        // different mass it may really be that small; then the rounding is smaller too, because the
        // solution is refined.
        let least = if self.layout.structure.is_uneven() { 1e-13 } else { REDUNDANT };
        if mobility > least * alone { 1.0 / mobility } else { f64::INFINITY }
    }
}
