//! The motion of a free impact as an initial-value problem with located events.

use jointplay_contact::damping::{Approach, Stage, Touch};
use jointplay_contact::{ContactEvent, NormalLaw, Surroundings, Watched};
use jointplay_ode::{Crossing, Direction, Effect, Fault, System, Trigger};

/// Units in which the motion is integrated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// Indentation of the loss-free impact, m.
    pub(super) delta: f64,
    /// δ̇₀, m/s.
    pub(super) speed: f64,
}

impl Units {
    pub(super) fn time(&self) -> f64 {
        self.delta / self.speed
    }

    #[inline]
    pub(super) fn approach(&self, y: &[f64; 2]) -> Approach {
        Approach { delta: y[0] * self.delta, delta_dot: y[1] * self.speed }
    }
}

/// y = (δ/δ_u, δ̇/δ̇_u) in [`Units`], with `GUARDS` event functions: [`PLAIN`] where the next event is all there is to watch, [`ALL`]
/// otherwise. The law decides what changes at an event ([`NormalLaw::after`]).
#[derive(Clone, Copy, Debug)]
pub(super) struct ImpactMotion<'a, const GUARDS: usize> {
    pub(super) law: &'a NormalLaw,
    pub(super) units: Units,
    /// δ_u/(m_eff δ̇_u²): force to scaled acceleration.
    pub(super) mobility: f64,
    /// The law changes its form at maximum compression, which is then an event.
    staged: bool,
    /// Events that may come before [`NEXT`].
    others: [Option<ContactEvent>; ALL - PLAIN],
}

/// Guards of a law without bends.
pub(super) const PLAIN: usize = 1;
/// Guards of a law that may be cut or has bends: of its elastic part and of its damping.
pub(super) const ALL: usize = 4;
/// The guard of the event that must come: maximum compression while a staged law compresses, else separation.
const NEXT: usize = 0;

/// What is frozen between events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) touch: Touch,
    /// Scaled indentation at which the bodies part.
    end: f64,
    /// The force was cut at some time: the bodies flew apart. Where damping fades faster than the spring they meet
    /// again before separation.
    pub(super) ever_cut: bool,
}

impl Mode {
    pub(super) fn at_touch(touch: Touch) -> Self {
        Self { touch, end: 0.0, ever_cut: false }
    }
}

impl<'a, const GUARDS: usize> ImpactMotion<'a, GUARDS> {
    pub(super) fn new(law: &'a NormalLaw, units: Units, effective_mass: f64) -> Self {
        let mut others = [None; ALL - PLAIN];
        let reached = |event: &ContactEvent| match event {
            ContactEvent::End | ContactEvent::Turn => false, // these are the next event
            ContactEvent::Bend(delta) => *delta / units.delta < 1.0,
            ContactEvent::Pull | ContactEvent::Dent => true,
        };
        let events = law.events(Surroundings::Free).filter(reached);
        for (slot, event) in others.iter_mut().zip(events) {
            *slot = Some(event);
        }
        Self {
            law,
            units,
            mobility: units.delta / (effective_mass * units.speed * units.speed),
            staged: law.damping.has_stages(),
            others,
        }
    }

    /// Whether one guard is enough.
    pub(super) fn is_plain(&self) -> bool {
        self.others == [None; ALL - PLAIN]
    }

    /// The same motion with another number of guards.
    pub(super) fn with_guards<const N: usize>(self) -> ImpactMotion<'a, N> {
        let Self { law, units, mobility, staged, others } = self;
        ImpactMotion { law, units, mobility, staged, others }
    }

    fn compresses(&self, mode: &Mode) -> bool {
        self.staged && mode.touch.stage == Stage::Compression
    }

    /// The event of a guard.
    fn event(&self, guard: usize, mode: &Mode) -> Option<ContactEvent> {
        match guard.checked_sub(PLAIN) {
            None if self.compresses(mode) => Some(ContactEvent::Turn),
            None => Some(ContactEvent::End),
            Some(other) => self.others[other],
        }
    }
}

impl<const GUARDS: usize> System for ImpactMotion<'_, GUARDS> {
    type State = [f64; 2];
    type Mode = Mode;
    type Guards = [f64; GUARDS];
    type Scratch = ();

    fn scratch(&self) {}

    #[inline]
    fn rhs(
        &self,
        _t: f64,
        y: &[f64; 2],
        mode: &Mode,
        dy: &mut [f64; 2],
        (): &mut (),
    ) -> Result<(), Fault> {
        let force = if mode.touch.cut {
            0.0
        } else {
            self.law.unclipped(self.units.approach(y), &mode.touch)
        };
        dy[0] = y[1];
        dy[1] = -self.mobility * force;
        Ok(())
    }

    #[inline]
    fn guard_count(&self) -> usize {
        GUARDS
    }

    #[inline]
    fn guards(&self, _t: f64, y: &[f64; 2], mode: &Mode, g: &mut [f64; GUARDS], (): &mut ()) {
        *g = [1.0; GUARDS];
        g[NEXT] = if self.compresses(mode) { y[1] } else { y[0] - mode.end };
        if GUARDS == ALL {
            for (g, event) in g[PLAIN..].iter_mut().zip(self.others) {
                let Some(event) = event else { break };
                *g = match self.law.watched(event, &mode.touch) {
                    Watched::DeltaBeyond(delta) => y[0] - delta / self.units.delta,
                    Watched::Rate => y[1],
                    Watched::Force => {
                        self.mobility * self.law.unclipped(self.units.approach(y), &mode.touch)
                    }
                    Watched::Nothing => 1.0,
                };
            }
        }
    }

    #[inline]
    fn trigger(&self, guard: usize, mode: &Mode) -> Trigger {
        match self.event(guard, mode) {
            Some(ContactEvent::Bend(_) | ContactEvent::Dent) => Trigger::Either,
            Some(ContactEvent::Pull) if mode.touch.cut => Trigger::Rising,
            Some(ContactEvent::Pull | ContactEvent::Turn | ContactEvent::End) | None => {
                Trigger::Falling
            }
        }
    }

    fn transition(
        &self,
        fired: &[Crossing],
        _t: f64,
        y: &mut [f64; 2],
        mode: &mut Mode,
        (): &mut (),
    ) -> Result<Effect, Fault> {
        for crossing in fired {
            let Some(event) = self.event(crossing.guard, mode) else { continue };
            let rising = crossing.direction == Direction::Rising;
            let delta = y[0] * self.units.delta;
            let Some(touch) = self.law.after(event, rising, mode.touch, delta) else {
                return Ok(Effect::Stop);
            };
            mode.touch = touch;
            mode.end = self.law.end_of_contact(&touch) / self.units.delta;
            mode.ever_cut |= touch.cut;
        }
        Ok(Effect::Continue)
    }
}
