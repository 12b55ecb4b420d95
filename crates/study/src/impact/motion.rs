//! The motion of a free impact as an initial-value problem with located events.

use jointplay_contact::damping::{Approach, Stage, Touch};
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::{NormalLaw, Tension};
use jointplay_ode::{Crossing, Effect, Fault, System, Trigger};

/// Units in which the motion is integrated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units {
    /// Depth of the loss-free impact, m.
    pub(super) depth: f64,
    /// δ̇₀, m/s.
    pub(super) speed: f64,
}

impl Units {
    pub(super) fn time(&self) -> f64 {
        self.depth / self.speed
    }

    #[inline]
    pub(super) fn approach(&self, y: &[f64; 2]) -> Approach {
        Approach { delta: y[0] * self.depth, delta_dot: y[1] * self.speed }
    }
}

/// y = (δ/depth, δ̇/speed) with `GUARDS` event functions: [`PLAIN`] where only separation (or
/// maximum compression) is one, [`ALL`] otherwise.
#[derive(Clone, Copy, Debug)]
pub(super) struct Motion<'a, const GUARDS: usize> {
    pub(super) law: &'a NormalLaw,
    pub(super) units: Units,
    /// depth/(m_eff speed²): force to scaled acceleration.
    pub(super) mobility: f64,
    /// The law changes its form at maximum compression, which is then an event.
    staged: bool,
    /// A pulling force is cut, which is then an event.
    cuts: bool,
    /// Scaled depth from which the elastic law is continued.
    joint: Option<f64>,
    /// Scaled depth at which the damping has a kink.
    kink: Option<f64>,
}

/// Guards of a law without kinks.
pub(super) const PLAIN: usize = 1;
/// Guards of a law that may be cut or continued.
pub(super) const ALL: usize = 4;

/// What is frozen between events.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mode {
    pub(super) touch: Touch,
    /// Scaled indentation at which the bodies part.
    end: f64,
    /// The force would pull and is cut to zero: the bodies fly apart. Where damping fades faster
    /// than the spring they meet again before separation.
    pub(super) clipped: bool,
    /// The force was cut at some time.
    pub(super) ever_clipped: bool,
}

impl Mode {
    pub(super) fn at_touch(touch: Touch) -> Self {
        Self { touch, end: 0.0, clipped: false, ever_clipped: false }
    }
}

/// Maximum compression while a staged law compresses, else separation.
const END: usize = 0;
/// The force before the tension rule: falls through 0 where the bodies let go.
const PULL: usize = 1;
/// The slope of the force bends where a law is continued: a step must end there.
const JOINT: usize = 2;
/// The same for the damping; the force may cross zero on both sides of it.
const KINK: usize = 3;

impl<'a, const GUARDS: usize> Motion<'a, GUARDS> {
    pub(super) fn new(law: &'a NormalLaw, units: Units, effective_mass: f64) -> Self {
        let from = law.elastic.limits().continued_from;
        Self {
            law,
            units,
            mobility: units.depth / (effective_mass * units.speed * units.speed),
            staged: law.damping.has_stages(),
            cuts: law.tension == Tension::Clip && law.damping.can_pull(),
            joint: from.map(|delta| delta / units.depth).filter(|joint| *joint < 1.0),
            kink: law.damping.kink().map(|delta| delta / units.depth).filter(|kink| *kink < 1.0),
        }
    }

    /// Whether one guard is enough.
    pub(super) fn is_plain(&self) -> bool {
        !self.cuts && self.joint.is_none() && self.kink.is_none()
    }

    /// The same motion with another number of guards.
    pub(super) fn with_guards<const N: usize>(self) -> Motion<'a, N> {
        let Self { law, units, mobility, staged, cuts, joint, kink } = self;
        Motion { law, units, mobility, staged, cuts, joint, kink }
    }

    fn compresses(&self, mode: &Mode) -> bool {
        self.staged && mode.touch.stage == Stage::Compression
    }
}

impl<const GUARDS: usize> System for Motion<'_, GUARDS> {
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
        let force = if mode.clipped {
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
        g[END] = if self.compresses(mode) { y[1] } else { y[0] - mode.end };
        if GUARDS == ALL {
            if self.cuts {
                g[PULL] = self.mobility * self.law.unclipped(self.units.approach(y), &mode.touch);
            }
            if let Some(joint) = self.joint {
                g[JOINT] = y[0] - joint;
            }
            if let Some(kink) = self.kink {
                g[KINK] = y[0] - kink;
            }
        }
    }

    #[inline]
    fn trigger(&self, guard: usize, mode: &Mode) -> Trigger {
        match guard {
            JOINT | KINK => Trigger::Either,
            PULL if mode.clipped => Trigger::Rising,
            _ => Trigger::Falling,
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
            match crossing.guard {
                END if self.compresses(mode) => {
                    mode.touch = self.law.turned(mode.touch, y[0] * self.units.depth);
                    mode.end = self.law.end_of_contact(&mode.touch) / self.units.depth;
                }
                END => return Ok(Effect::Stop),
                PULL => {
                    mode.clipped = !mode.clipped;
                    mode.ever_clipped = true;
                }
                _ => {}
            }
        }
        Ok(Effect::Continue)
    }
}
