//! The guards of a contact, and which of their crossings are events.

use jointplay_contact::damping::{Approach, Touch};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactEvent, ContactLaw, Surroundings, Watched};
use jointplay_ode::{Bow, Enclosure, Survey, Trigger};

use super::{ContactElement, Facing, Gap, Phase};
use crate::frame::Motion;

/// The quantity that a guard of a contact watches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Guard {
    /// The start of the contact while the bodies are apart, its [end](ContactEvent::End) while they touch.
    Gap,
    /// Any other event of the law while the bodies touch.
    Law(ContactEvent),
    Forget,
    Front,
    Slip,
    /// The bodies have passed through each other at this overlap (m).
    Through(f64),
}

/// The guards that a law needs; with `turns` also those of every maximum and minimum of the
/// compression and every reversal of sliding.
pub(crate) fn guards_of(law: &ContactLaw, gap: &Gap, has_front: bool, turns: bool) -> Vec<Guard> {
    let normal = &law.normal;
    let mut guards = vec![Guard::Gap];
    if has_front {
        guards.push(Guard::Front);
    }
    if turns && !normal.damping.has_stages() {
        guards.push(Guard::Law(ContactEvent::Turn));
    }
    let events = normal.events(Surroundings::Mechanism);
    guards.extend(events.filter(|event| *event != ContactEvent::End).map(Guard::Law));
    if normal.damping.leaves_dent() && !normal.damping.remembers() {
        guards.push(Guard::Forget);
    }
    if law.friction.is_set_valued() || (turns && law.friction != FrictionLaw::NoFriction) {
        guards.push(Guard::Slip);
    }
    if !has_front {
        guards.extend(gap.through().map(Guard::Through));
    }
    guards
}

impl ContactElement {
    /// Writes the guards of this contact.
    #[inline]
    pub(crate) fn guards(&self, phase: &Phase, motion: &[Motion<f64>], g: &mut [f64]) {
        let [delta, delta_dot] = self.gap.approach(motion);
        for (guard, g) in self.guards.iter().zip(&mut g[self.first_guard..]) {
            *g = match (guard, phase) {
                (Guard::Gap, Phase::Apart { facing: Facing::Aside, .. }) => -1.0,
                (Guard::Gap, Phase::Apart { start, .. }) => delta - start,
                (Guard::Front, _) => self.front(motion).before,
                (Guard::Forget, Phase::Apart { start, .. }) if *start > 0.0 => delta,
                (Guard::Slip, Phase::Touching { .. }) => self.gap.measure(motion).v_t,
                (Guard::Through(through), Phase::Touching { .. }) => through - delta,
                (Guard::Forget, _)
                | (Guard::Law(_) | Guard::Slip | Guard::Through(_), Phase::Apart { .. }) => 1.0,
                (Guard::Gap, Phase::Touching { touch, .. }) => {
                    delta - self.law.normal.end_of_contact(touch)
                }
                (Guard::Law(event), Phase::Touching { touch, .. }) => {
                    match self.law.normal.watched(*event, touch) {
                        Watched::DeltaBeyond(bound) => delta - bound,
                        Watched::Rate => delta_dot,
                        Watched::Force => self.pull(Approach { delta, delta_dot }, touch),
                        Watched::Nothing => 1.0,
                    }
                }
            };
        }
    }

    /// The force before the tension rule. Not inlined, so that it is not evaluated in advance for
    /// guards that do not need it.
    #[inline(never)]
    pub(super) fn pull(&self, at: Approach, touch: &Touch) -> f64 {
        self.law.normal.unclipped(at, touch)
    }

    /// Which crossings of a guard are events.
    #[inline]
    pub(crate) fn trigger(&self, guard: usize, phase: &Phase) -> Trigger {
        match (self.guards[guard], phase) {
            (Guard::Front, Phase::Apart { facing: Facing::Aside, .. })
            | (Guard::Gap, Phase::Apart { facing: Facing::Before | Facing::Aside, .. }) => {
                Trigger::Above
            }
            // A touching contact pushes even if the pin is not in front: at a seam the pin may be
            // slightly outside of both sections.
            (Guard::Front, Phase::Touching { .. }) => Trigger::Falling,
            (Guard::Front | Guard::Gap | Guard::Forget | Guard::Through(_), _) => Trigger::Below,
            (Guard::Law(ContactEvent::Dent), _) => Trigger::Rising,
            (Guard::Slip, Phase::Touching { sliding, .. }) if *sliding > 0.0 => Trigger::Falling,
            (Guard::Slip, Phase::Touching { sliding, .. }) if *sliding < 0.0 => Trigger::Rising,
            (
                Guard::Slip
                | Guard::Law(
                    ContactEvent::End
                    | ContactEvent::Turn
                    | ContactEvent::Pull
                    | ContactEvent::Bend(_),
                ),
                _,
            ) => Trigger::Either,
        }
    }

    /// The value of a guard at its zero, due to rounding of the positions (m).
    pub(crate) fn rounding(
        &self,
        guard: usize,
        phase: &Phase,
        motion: &[Motion<f64>],
        positions: f64,
    ) -> f64 {
        match (self.guards[guard], phase) {
            // At rest a force may be only rounding.
            (Guard::Law(ContactEvent::Pull), Phase::Touching { touch, .. }) if touch.resting => {
                let [delta, delta_dot] = self.gap.approach(motion);
                let [here, deeper] = [delta, delta + positions]
                    .map(|delta| self.pull(Approach { delta, delta_dot }, touch));
                (deeper - here).abs()
            }
            (Guard::Slip | Guard::Law(ContactEvent::Turn | ContactEvent::Pull), _) => 0.0,
            (
                Guard::Gap
                | Guard::Forget
                | Guard::Front
                | Guard::Through(_)
                | Guard::Law(ContactEvent::End | ContactEvent::Bend(_) | ContactEvent::Dent),
                _,
            ) => positions,
        }
    }

    /// Whether a guard does not change in this phase.
    pub(crate) fn is_constant(&self, guard: usize, phase: &Phase) -> bool {
        match (self.guards[guard], phase) {
            (Guard::Gap, Phase::Apart { facing: Facing::Aside, .. })
            | (Guard::Forget, Phase::Touching { .. })
            | (Guard::Law(_) | Guard::Slip | Guard::Through(_), Phase::Apart { .. }) => true,
            (Guard::Forget, Phase::Apart { start, .. }) => !(*start > 0.0),
            (Guard::Front, _)
            | (Guard::Gap, Phase::Apart { facing: Facing::Before | Facing::Behind, .. })
            | (
                Guard::Gap | Guard::Law(_) | Guard::Slip | Guard::Through(_),
                Phase::Touching { .. },
            ) => false,
        }
    }

    /// Whether the bodies stay apart in the whole step, given the values of a guard at its ends and the bows of the three
    /// coordinates of a free body.
    pub(crate) fn stays_apart(
        &self,
        guard: usize,
        phase: &Phase,
        ends: [f64; 2],
        bows: impl Fn(usize) -> [Bow; 3],
    ) -> bool {
        let Phase::Apart { facing: Facing::Before, .. } = phase else { return false };
        self.guards[guard] == Guard::Gap
            && self.gap.bow(bows).is_some_and(|bow| ends[0].max(ends[1]) + bow < 0.0)
    }

    /// Whether a survey must look at this contact.
    #[inline]
    pub(crate) fn can_start(phase: &Phase) -> bool {
        matches!(phase, Phase::Apart { facing: Facing::Before | Facing::Aside, .. })
    }

    /// Whether a contact that is apart can start in a time interval over which the bodies are
    /// enclosed.
    pub(crate) fn survey(&self, phase: &Phase, motion: &[Motion<Enclosure>], slack: f64) -> Survey {
        let Phase::Apart { start, facing, .. } = phase else { return Survey::Clear };
        if *facing == Facing::Behind {
            return Survey::Clear; // it waits to leave
        }
        let overlap = self.gap.enclose(motion, *start);
        if overlap.greatest() <= slack {
            return Survey::Clear;
        }
        let before = match &self.front {
            Some(front) if *facing == Facing::Aside => front.enclose(&self.gap, motion),
            _ => Enclosure::constant(1.0),
        };
        if before.greatest() <= slack {
            Survey::Clear
        } else if overlap.c[0] - overlap.r > slack && before.c[0] - before.r > 0.0 {
            Survey::Crossed
        } else {
            Survey::Doubtful
        }
    }
}
