//! The transition of a contact at an event of one of its guards: it starts, turns, passes to the
//! next section of its wall, rests, or ends.

use std::ops::ControlFlow;

use jointplay_contact::ContactEvent;
use jointplay_contact::damping::{Approach, BeginError, Touch};
use jointplay_ode::{Crossing, Fault};

use super::system::FaultPart;
use super::{Equations, Evaluation, Mode, Overlaps};
use crate::contact::{ContactId, Facing, GapState, Guard, Phase};

/// The reason why a contact with set-valued friction cannot continue.
pub(crate) const STICKS: &str =
    "it sticks, which a set-valued friction law cannot represent: use a smooth law, or lugre";

/// A contact that starts deeper than this many times the rounding of positions counts as late, and is reported.
const LATE: f64 = 64.0;

/// An event of a guard of a contact, where it was located.
struct Located<'a> {
    t: f64,
    contact: usize,
    crossing: &'a Crossing,
    gap: GapState<f64>,
    /// The rounding of the guard there.
    rounding: f64,
}

/// A fault of a contact at a time.
fn contact_fault(t: f64, contact: usize, reason: &'static str) -> Fault {
    Fault::Transition { t, reason, part: FaultPart::Contact(contact).into() }
}

impl Equations {
    /// Puts a contact into the phase after an event of one of its guards; `false` if the guard only
    /// came near zero.
    pub(super) fn contact_event(
        &self,
        crossing: &Crossing,
        t: f64,
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<bool, Fault> {
        let contact = self.contact_of(crossing.guard);
        let element = &self.mechanism.contacts[contact];
        let guard = crossing.guard - element.first_guard;
        if !element.trigger(guard, &mode.contacts[contact]).accepts(crossing.direction) {
            return Ok(false); // another crossing at this instant has handled it, because both sections of a seam report it
        }
        let gap = element.gap.measure(&evaluation.work.motion);
        let size = element.gap.size(self.mechanism.length, &evaluation.work.motion);
        // An event is located only to the resolution of time.
        let rounding = 1e-12 * size + 4.0 * f64::EPSILON * t.abs() * gap.delta_dot.abs();
        let at = Located { t, contact, crossing, gap, rounding };
        match element.guards[guard] {
            Guard::Front => self.front_event(&at, y, mode, evaluation),
            Guard::Gap => self.gap_event(&at, y, mode, evaluation),
            Guard::Law(event) => {
                self.law_event(event, &at, y, mode, evaluation);
                Ok(true)
            }
            Guard::Slip => self.slip_event(&at, y, mode, evaluation),
            Guard::Through(_) if crossing.value > rounding => Ok(false), // only the dense output came here
            Guard::Through(_) => Err(contact_fault(t, contact, element.gap.passed_through())),
            Guard::Forget => {
                let Phase::Apart { facing, .. } = mode.contacts[contact] else { return Ok(true) };
                mode.contacts[contact] = Phase::Apart { start: 0.0, last: None, facing };
                Ok(false)
            }
        }
    }

    /// A pin comes to an end of its section, or before it.
    fn front_event(
        &self,
        at: &Located<'_>,
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<bool, Fault> {
        let Located { t, contact, .. } = *at;
        let element = &self.mechanism.contacts[contact];
        let phase = mode.contacts[contact];
        let motion = &evaluation.work.motion;
        match phase {
            Phase::Touching { touch, .. } => {
                let along = element.front(motion);
                if at.crossing.value > at.rounding {
                    return Ok(false); // only the dense output came here
                }
                if along.behind {
                    return Err(contact_fault(t, contact, element.gap.passed_through()));
                }
                if let Some(next) = element.beyond[usize::from(along.towards > 0.0)] {
                    self.pass(t, contact, next, y, mode, evaluation);
                    return Ok(true);
                }
                // It slips off the end of its wall, and its stored energy is lost.
                let energy = element.energy(&phase, motion);
                y[self.first_account() + element.normal_account] += energy;
                let overlap = at.gap.delta;
                if overlap > self.resolution.max(LATE * self.rounding(motion)) {
                    let one =
                        Overlaps { count: 1, contact: ContactId(contact), t, overlap, energy };
                    mode.snapped = Some(Overlaps::and(mode.snapped, one));
                }
                mode.contacts[contact] = element.parted(touch, t, Facing::Aside);
                Ok(true)
            }
            Phase::Apart { start, last, facing: Facing::Aside } => {
                match self.arrive(t, contact, (start, last), y, mode, evaluation)? {
                    ControlFlow::Continue(begun) => {
                        self.enter(contact, begun, y, mode);
                        Ok(true)
                    }
                    ControlFlow::Break(happened) => Ok(happened),
                }
            }
            Phase::Apart { start, facing, .. } => {
                // So fast that it reaches its surface and is behind it within the resolution of the
                // event search.
                if facing == Facing::Before && element.front(motion).behind {
                    if at.crossing.value > at.rounding {
                        return Ok(false); // it has not left: it touches first
                    }
                    if at.gap.delta - start > LATE * self.rounding(motion) {
                        return Err(contact_fault(t, contact, element.gap.passed_through()));
                    }
                }
                self.leave(contact, mode, evaluation);
                Ok(false)
            }
        }
    }

    /// The surfaces of a contact meet or separate.
    fn gap_event(
        &self,
        at: &Located<'_>,
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<bool, Fault> {
        let Located { t, contact, .. } = *at;
        let (element, value) = (&self.mechanism.contacts[contact], at.crossing.value);
        let phase = mode.contacts[contact];
        match phase {
            Phase::Apart { start, last, facing: Facing::Behind } => {
                mode.contacts[contact] = Phase::Apart { start, last, facing: Facing::Before };
                Ok(false)
            }
            Phase::Apart { start, last, .. } => {
                if value < -at.rounding {
                    return Ok(false); // only the dense output came here
                }
                if self.held_beside(contact, mode, evaluation) {
                    mode.contacts[contact] = Phase::Apart { start, last, facing: Facing::Behind };
                    return Ok(false);
                }
                let begun = self.begin_here(t, contact, at.gap.delta_dot, mode, evaluation)?;
                self.enter(contact, begun, y, mode);
                if element.at_rest(&at.gap) {
                    self.slide_on(t, contact, y, mode, evaluation)?;
                }
                Ok(true)
            }
            // Only the dense output crossed zero here, all the more if the surfaces overlap and
            // approach.
            Phase::Touching { .. }
                if value > at.rounding || (value >= 0.0 && at.gap.delta_dot > 0.0) =>
            {
                Ok(false)
            }
            Phase::Touching { .. } => {
                self.law_event(ContactEvent::End, at, y, mode, evaluation);
                Ok(true)
            }
        }
    }

    /// An event of the law while the bodies touch, which changes the memory of the contact.
    fn law_event(
        &self,
        event: ContactEvent,
        at: &Located<'_>,
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &Evaluation<f64>,
    ) {
        let Located { t, contact, crossing, gap, .. } = at;
        let element = &self.mechanism.contacts[*contact];
        let phase = mode.contacts[*contact];
        let after = element.after(event, crossing.direction, phase, *t, gap.delta);
        mode.contacts[*contact] = after;
        if event == ContactEvent::Pull {
            // The stored energy is lost when the force is cut off, and regained when the law pushes
            // again.
            let motion = &evaluation.work.motion;
            let change = element.energy(&phase, motion) - element.energy(&after, motion);
            y[self.first_account() + element.normal_account] += change;
        }
    }

    /// The sliding speed reaches zero.
    fn slip_event(
        &self,
        at: &Located<'_>,
        y: &[f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<bool, Fault> {
        if self.mechanism.contacts[at.contact].law.friction.is_set_valued() {
            self.slide_on(at.t, at.contact, y, mode, evaluation)?;
        }
        Ok(true)
    }

    /// Puts a contact that starts now into its phase. Its bristles are straight.
    fn enter(&self, contact: usize, begun: Phase, y: &mut [f64], mode: &mut Mode) {
        mode.contacts[contact] = begun;
        if let Some(i) = self.mechanism.contacts[contact].bristle {
            y[2 * self.unknown_count() + i] = 0.0;
        }
    }

    /// Lets a contact with set-valued friction that does not slide continue in the direction in
    /// which friction allows motion.
    fn slide_on(
        &self,
        t: f64,
        contact: usize,
        y: &[f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<(), Fault> {
        let phase = self.reverse(t, y, mode, contact, evaluation);
        mode.contacts[contact] = phase.ok_or_else(|| contact_fault(t, contact, STICKS))?;
        Ok(())
    }

    /// A pin comes in front of a section from one of its sides. Returns the phase if a contact
    /// starts by this, and otherwise whether anything changed.
    fn arrive(
        &self,
        t: f64,
        contact: usize,
        (start, last): (f64, Option<(Touch, f64)>),
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<ControlFlow<bool, Phase>, Fault> {
        let element = &self.mechanism.contacts[contact];
        let gap = element.gap.measure(&evaluation.work.motion);
        let along = element.front(&evaluation.work.motion);
        let beyond = element.beyond[usize::from(along.towards > 0.0)];
        let apart = |mode: &mut Mode, start, last, facing| {
            mode.contacts[contact] = Phase::Apart { start, last, facing };
            Ok(ControlFlow::Break(false))
        };
        if gap.delta <= start {
            return apart(mode, start, last, Facing::Before);
        }
        if let Some(from) = beyond.filter(|i| mode.touches(*i)) {
            if self.holds(from, evaluation) {
                // It is in front of both sections, and one contact is enough.
                return apart(mode, start, last, Facing::Behind);
            }
            self.pass(t, from, contact, y, mode, evaluation);
            return Ok(ControlFlow::Break(true));
        }
        if let Some((dent, last)) = beyond.and_then(|from| mode.dent(from))
            && gap.delta <= dent
        {
            return apart(mode, dent, last, Facing::Before); // it continues beyond the seam
        }
        // A corner has no interior that would show its side, but it was not in front of the wall
        // until now.
        if element.gap.is_corner() {
            return apart(mode, start, last, Facing::Behind);
        }
        // Nor was any other pin: a pin that is inside now emerges from the wall, through its
        // surface or next to it.
        let overlap = gap.delta - start;
        let inside = overlap > self.resolution.max(LATE * self.rounding(&evaluation.work.motion));
        if along.behind || inside {
            let one = Overlaps { count: 1, contact: ContactId(contact), t, overlap, energy: 0.0 };
            mode.emerged = Some(Overlaps::and(mode.emerged, one));
            return apart(mode, start, last, Facing::Behind);
        }
        self.begin_here(t, contact, gap.delta_dot, mode, evaluation).map(ControlFlow::Continue)
    }

    /// A pin that does not touch leaves the section of a contact. If it is in a dent, the dent
    /// continues beyond the seam.
    fn leave(&self, contact: usize, mode: &mut Mode, evaluation: &Evaluation<f64>) {
        let Phase::Apart { start, last, .. } = mode.contacts[contact] else { return };
        let element = &self.mechanism.contacts[contact];
        let along = element.front(&evaluation.work.motion);
        if let (Some((dent, last)), Some(next)) =
            (mode.dent(contact), element.beyond[usize::from(along.towards > 0.0)])
            && let Phase::Apart { start, facing: Facing::Aside, .. } = mode.contacts[next]
            && start < dent
        {
            mode.contacts[next] = Phase::Apart { start: dent, last, facing: Facing::Before };
        }
        let forgets = !element.law.normal.damping.remembers();
        let (start, last) = if forgets { (0.0, None) } else { (start, last) };
        mode.contacts[contact] = Phase::Apart { start, last, facing: Facing::Aside };
    }

    /// The phase of a contact that starts now, at any overlap. Energy stored in an overlap at the
    /// start was not brought by the motion, and has an account.
    fn begin_here(
        &self,
        t: f64,
        contact: usize,
        delta_dot: f64,
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<Phase, Fault> {
        let phase = mode.contacts[contact];
        let begun = self.begin(t, contact, &phase, delta_dot.max(0.0), evaluation);
        let begun = begun.map_err(|error| {
            let reason = match error {
                BeginError::Prescribed => {
                    "its law needs an effective mass, but drivers prescribe its gap"
                }
                BeginError::Limit { .. } => {
                    "its restitution at this impact speed is only a limit of its law: the bodies would never separate"
                }
                BeginError::Domain { .. } => {
                    "its restitution at this impact speed lies outside the domain of its law"
                }
                BeginError::Coefficient { .. } => {
                    "its law has no finite damping coefficient at this impact speed and mass"
                }
                BeginError::NotPositive { .. } => {
                    "its law cannot start with this impact speed and mass"
                }
            };
            contact_fault(t, contact, reason)
        })?;
        let element = &self.mechanism.contacts[contact];
        let [delta, _] = element.gap.approach(&evaluation.work.motion);
        if let Phase::Apart { start, .. } = phase
            && delta - start > LATE * self.rounding(&evaluation.work.motion)
        {
            let energy = element.energy(&begun, &evaluation.work.motion);
            let (contact, overlap) = (ContactId(contact), delta - start);
            let one = Overlaps { count: 1, contact, t, overlap, energy };
            mode.late = Some(Overlaps::and(mode.late, one));
        }
        Ok(begun)
    }

    /// Passes a contact with its memory to the next section of its wall. If the laws of the
    /// sections differ, the change of its energy has an account.
    fn pass(
        &self,
        t: f64,
        from: usize,
        to: usize,
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &Evaluation<f64>,
    ) {
        let Phase::Touching { touch, sliding } = mode.contacts[from] else { return };
        let [old, new] = [from, to].map(|i| &self.mechanism.contacts[i]);
        let motion = &evaluation.work.motion;
        let before = old.energy(&mode.contacts[from], motion);
        let [delta, delta_dot] = new.gap.approach(motion);
        let at = Approach { delta, delta_dot };
        let cut = touch.cut && new.law.normal.unclipped(at, &touch) < 0.0;
        let left = old.parted(touch, t, Facing::Aside);
        mode.contacts[from] = match left {
            Phase::Apart { start, facing, .. } => Phase::Apart { start, last: None, facing },
            touching @ Phase::Touching { .. } => touching,
        };
        mode.contacts[to] = Phase::Touching { touch: Touch { cut, ..touch }, sliding };
        let first = 2 * self.unknown_count();
        let z = old.bristle.map_or(0.0, |i| y[first + i]);
        if let Some(i) = new.bristle {
            y[first + i] = z;
        }
        if let Some(account) = old.seam_account {
            let amounts = &mut y[self.first_account()..];
            amounts[account] += new.energy(&mode.contacts[to], motion) - before;
        }
    }
}
