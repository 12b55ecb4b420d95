//! Contacts: a gap between two bodies, the law that acts in it, and its memory.
//!
//! A contact is a force element and never a constraint. Its overlap δ and slip are functions of the motion of two
//! bodies; the [law](jointplay_contact) turns them into forces. The memory of the law (impact
//! speed, stage, sliding direction) is the [`Phase`], which belongs to the mode of the run and
//! changes only at located events:
//!
//! | guard | value | event |
//! |---|---|---|
//! | gap | δ − δ_start while apart, δ − δ_end while touching | contact starts, ends |
//! | forget | δ, while there is a dent that the law does not remember | the surfaces have separated, and the dent is forgotten |
//! | turn | δ̇, for laws with stages and on request | maximum compression |
//! | pull | force before the tension rule, for damped laws that must not pull | the force begins or ceases to be cut to zero |
//! | bend | δ − δ_kink | a bend in the law, where a step must end |
//! | dent | δ − δ_max while a law with permanent indentation is loaded again | the virgin curve is met |
//! | front | distance of the pin from the ends of its section | the contact passes to the next section |
//! | through | δ_through − δ, for circles and distances | the bodies have passed through each other: a fault |
//! | slip | sliding speed, for laws that are set-valued at rest and on request | friction reverses |
//!
//! Geometry decides whether surfaces overlap; the phase only holds the memory of the law. The
//! guards of gap and front are therefore bounds, not crossings
//! ([`Trigger::Above`](jointplay_ode::Trigger::Above),
//! [`Trigger::Below`](jointplay_ode::Trigger::Below)): being in front of the surface and deeper
//! than the start is itself an event, and the values of a gap inside a step are enclosed, not only
//! sampled.

mod front;
mod gap;
mod guard;
mod outline;

use jointplay_contact::damping::{Approach, Touch};
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::{ContactEvent, ContactLaw, Tension};
use jointplay_ode::Direction;

use crate::frame::{Motion, Spatial};
use crate::real::Real;

pub(crate) use front::{Along, Front};
pub use gap::{BlockInGuide, JournalBearing, PinInWalls, Side, Wall};
pub(crate) use gap::{Gap, GapState};
pub(crate) use guard::{Guard, guards_of};
pub use outline::{Outline, Region, Section, Shape};

/// A contact of a mechanism.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct ContactId(pub(crate) usize);

jointplay_fingerprint::fingerprint!(struct ContactId(index));

/// The memory of one contact.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    /// The bodies do not touch.
    Apart {
        /// Overlap at which the next contact starts (m): 0, or the bottom of the dent that the last one left.
        start: f64,
        /// The memory of the last contact, and the time of its end (s).
        last: Option<(Touch, f64)>,
        /// On which side of its surface the pin is.
        facing: Facing,
    },
    /// The bodies touch.
    Touching {
        /// The memory of the law.
        touch: Touch,
        /// Sign of the sliding speed since its last reversal; 0 where the law does not need it.
        sliding: f64,
    },
}

/// The position of a pin that does not touch a surface, relative to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Facing {
    /// In front of this section of its wall, so that it may touch it; always so if the wall has no
    /// ends.
    Before,
    /// Not in front of this section, or with its centre behind the surface: the overlap has no
    /// meaning.
    Aside,
    /// In front of the section, but it came from behind: it does not touch until it has left the surface.
    Behind,
}

/// A contact on numbered frames.
#[derive(Clone, Debug)]
pub(crate) struct ContactElement {
    pub(crate) gap: Gap,
    pub(crate) law: ContactLaw,
    /// The range in which the pin can touch this section of a wall.
    pub(crate) front: Option<Front>,
    /// The contacts to which this one passes at the ends of its section: where `Front::measure` is negative, and positive.
    pub(crate) beyond: [Option<usize>; 2],
    /// How far the pin can move freely (m), if there is such a length.
    pub(crate) play: Option<f64>,
    /// Account of the energy that changes where contacts pass between sections with different laws.
    pub(crate) seam_account: Option<usize>,
    /// Impact speed of a contact that touches at the start of the run (m/s).
    pub(crate) initial_impact_speed: Option<f64>,
    /// Account of the loss along the normal.
    pub(crate) normal_account: usize,
    /// Account of the loss in sliding.
    pub(crate) friction_account: Option<usize>,
    /// The deflection of its bristles among those of all contacts.
    pub(crate) bristle: Option<usize>,
    /// First of its guards.
    pub(crate) first_guard: usize,
    pub(crate) guards: Vec<Guard>,
}

/// How fast a contact slows its bodies down, or the greatest values of several contacts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decay {
    /// At which the speed of the bodies decays, 1/s.
    pub(crate) rate: f64,
    /// Slope of the normal force over the indentation, N/m.
    pub(crate) slope: f64,
    /// The normal force, N.
    pub(crate) force: f64,
}

impl Decay {
    pub(crate) const NONE: Decay = Decay { rate: 0.0, slope: 0.0, force: 0.0 };

    pub(crate) fn max(self, other: Decay) -> Decay {
        Decay {
            rate: self.rate.max(other.rate),
            slope: self.slope.max(other.slope),
            force: self.force.max(other.force),
        }
    }
}

/// The forces of a contact at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactReport {
    /// Whether the bodies touch.
    pub touching: bool,
    /// Whether the pin is in front of this section of its wall; otherwise the overlap has no meaning.
    pub faces: bool,
    /// Overlap δ (m, for a stop on an angle rad); negative is a gap.
    pub delta: f64,
    /// δ̇ (m/s), positive in compression.
    pub delta_dot: f64,
    /// Normal force (N) (N m of a stop on an angle), positive where it pushes the bodies apart.
    pub normal: f64,
    /// Friction on body b along the tangent, which lies counter-clockwise of the normal from a to b (N).
    pub tangential: f64,
    /// Sliding speed of b on a (m/s).
    pub slip: f64,
    /// Unit vector from a to b; (0, 0) for a stop.
    pub direction: [f64; 2],
    /// Energy that the contact can give back (J).
    pub energy: f64,
    /// Power lost along the normal (W).
    pub normal_loss: f64,
    /// Power lost in sliding (W).
    pub friction_loss: f64,
    /// Whether the law is continued beyond its limit.
    pub continued: bool,
}

impl ContactReport {
    /// The force on body b, in the world (N); 0 for a stop, which has no direction.
    pub fn force_on_b(&self) -> [f64; 2] {
        let [nx, ny] = self.direction;
        let (normal, tangential) = (self.normal, self.tangential);
        // The normal points from a to b and the force pushes b back; the tangent lies counter-clockwise of it.
        [-normal * nx - tangential * ny, -normal * ny + tangential * nx]
    }
}

/// The bristles of one contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bristles<T> {
    /// Deflection (m).
    pub(crate) z: T,
    /// Its rate (m/s).
    pub(crate) rate: T,
}

/// Normal and tangential force, and the powers lost.
struct Acting<T> {
    normal: T,
    tangential: T,
    normal_loss: T,
    friction_loss: T,
    /// ż of the bristles.
    bristle_rate: T,
}

/// Overlap and normal force of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Indentation {
    /// Overlap δ (m, for a stop on an angle rad); negative is a gap.
    pub delta: f64,
    /// δ̇ (m/s), positive in compression.
    pub delta_dot: f64,
    /// Normal force (N) (N m of a stop on an angle), 0 where the bodies do not touch.
    pub force: f64,
}

impl ContactElement {
    #[inline]
    fn act<T: Real>(&self, gap: &GapState<T>, phase: &Phase, z: T) -> Option<Acting<T>> {
        let Phase::Touching { touch, sliding } = phase else { return None };
        let at = Approach { delta: gap.delta.value(), delta_dot: gap.delta_dot.value() };
        let law = &self.law.normal;
        let (normal, recoverable) = if T::DERIVATIVES {
            let parts = law.eval(at, touch);
            let raw = parts.elastic + parts.damping;
            // The recoverable force is linear in both forces, so that their slopes give its slope.
            let of = |elastic, raw| law.recoverable(at, touch, elastic, raw);
            let slope = of(law.elastic.eval(at.delta).slope, parts.slope);
            let recoverable = gap.delta.chain(of(parts.elastic, raw), slope);
            let chained = gap.delta.chain(raw, parts.slope) + gap.delta_dot.chain(0.0, parts.rate);
            (chained, recoverable)
        } else {
            let elastic = law.elastic.force(at.delta);
            let raw = if touch.resting {
                law.unclipped(at, touch)
            } else {
                elastic + law.damping.force(elastic, at, touch)
            };
            (T::constant(raw), T::constant(law.recoverable(at, touch, elastic, raw)))
        };
        let pulls = law.tension == Tension::Clip && normal.value() < 0.0;
        let normal = if pulls { T::ZERO } else { normal };
        let recoverable = if touch.cut { T::ZERO } else { recoverable };
        let mut acting = Acting {
            normal,
            tangential: T::ZERO,
            normal_loss: (normal - recoverable) * gap.delta_dot,
            friction_loss: T::ZERO,
            bristle_rate: T::ZERO,
        };
        if self.friction_account.is_some() {
            let load = normal.value();
            let (v_t, deflection) = (gap.v_t.value(), z.value());
            let friction = self.law.friction.force_sliding(load, v_t, deflection, *sliding);
            let per_load = if load > 0.0 { friction.force / load } else { 0.0 };
            acting.tangential = if T::DERIVATIVES {
                normal.chain(friction.force, per_load) + gap.v_t.chain(0.0, friction.slope)
            } else {
                T::constant(friction.force)
            };
            if self.bristle.is_some() {
                let bristle = self.law.friction.bristle(v_t, deflection);
                acting.bristle_rate = gap.v_t.chain(bristle.rate, bristle.rate_by_speed)
                    + z.chain(0.0, bristle.rate_by_z);
                acting.tangential += z.chain(0.0, -load * bristle.coefficient_by_z);
            }
            acting.friction_loss = -acting.tangential * gap.v_t;
        }
        Some(acting)
    }

    /// Adds the forces, and writes the powers lost of its accounts.
    #[inline]
    pub(crate) fn apply<T: Real>(
        &self,
        phase: &Phase,
        motion: &[Motion<T>],
        bristles: &mut [Bristles<T>],
        force: &mut [Spatial<T>],
        power: &mut [T],
    ) {
        if let Some(account) = self.seam_account {
            power[account] = T::ZERO; // it jumps only at events
        }
        if matches!(phase, Phase::Apart { .. }) {
            power[self.normal_account] = T::ZERO;
            if let Some(account) = self.friction_account {
                power[account] = T::ZERO;
            }
            return;
        }
        let gap = self.gap.measure_here(motion);
        let z = self.bristle.map_or(T::ZERO, |i| bristles[i].z);
        let Some(acting) = self.act(&gap, phase, z) else { return };
        if let Some(i) = self.bristle {
            bristles[i].rate = acting.bristle_rate;
        }
        let [a, b] = self.gap.frames();
        power[self.normal_account] = acting.normal_loss;
        if let Some(account) = self.friction_account {
            power[account] = acting.friction_loss;
        }
        // Both forces of a body are added together, because each addition in memory waits for the
        // previous one.
        for (frame, on, slip) in [(a, gap.on_a, gap.slip_a), (b, gap.on_b, gap.slip_b)] {
            for i in 0..3 {
                force[frame][i] += slip[i] * acting.tangential - on[i] * acting.normal;
            }
        }
    }

    /// How its damping and its friction slow its bodies down, given the inverse masses of the frames.
    pub(crate) fn decay(
        &self,
        phase: &Phase,
        motion: &[Motion<f64>],
        inverse: &[Spatial<f64>],
        z: f64,
    ) -> Decay {
        let Phase::Touching { touch, sliding } = phase else { return Decay::NONE };
        let gap = self.gap.measure(motion);
        let at = Approach { delta: gap.delta, delta_dot: gap.delta_dot };
        let parts = self.law.normal.eval(at, touch);
        let [a, b] = self.gap.frames();
        let mobility = |on_a: Spatial<f64>, on_b: Spatial<f64>| {
            let of = |on: Spatial<f64>, frame: usize| -> f64 {
                (0..3).map(|i| on[i] * on[i] * inverse[frame][i]).sum()
            };
            of(on_a, a) + of(on_b, b)
        };
        let normal = parts.rate * mobility(gap.on_a, gap.on_b);
        let load = (parts.elastic + parts.damping).max(0.0);
        let decay = Decay { rate: normal, slope: parts.slope, force: load };
        if self.friction_account.is_none() {
            return decay;
        }
        let friction = self.law.friction.force_sliding(load, gap.v_t, z, *sliding);
        let sliding = -friction.slope * mobility(gap.slip_a, gap.slip_b);
        let bristle =
            self.bristle.map_or(0.0, |_| -self.law.friction.bristle(gap.v_t, z).rate_by_z);
        Decay { rate: normal.max(sliding).max(bristle), ..decay }
    }

    /// Energy that the contact can give back (J).
    pub(crate) fn energy(&self, phase: &Phase, motion: &[Motion<f64>]) -> f64 {
        let Phase::Touching { touch, .. } = phase else { return 0.0 };
        let [delta, delta_dot] = self.gap.approach(motion);
        self.law.normal.stored(Approach { delta, delta_dot }, touch)
    }

    /// Its overlap and normal force.
    pub(crate) fn indentation(&self, phase: &Phase, motion: &[Motion<f64>]) -> Indentation {
        let [delta, delta_dot] = self.gap.approach(motion);
        let force = match phase {
            Phase::Apart { .. } => 0.0,
            Phase::Touching { touch, .. } => {
                self.law.normal.force(Approach { delta, delta_dot }, touch)
            }
        };
        Indentation { delta, delta_dot, force }
    }

    /// The report at one instant.
    pub(crate) fn report(
        &self,
        phase: &Phase,
        motion: &[Motion<f64>],
        bristles: &[Bristles<f64>],
    ) -> ContactReport {
        let gap = self.gap.measure(motion);
        let direction = match self.gap {
            Gap::Stop { .. } => [0.0, 0.0],
            Gap::Journal { .. } | Gap::Bulge { .. } | Gap::Flat { .. } => {
                [gap.on_b[0], gap.on_b[1]]
            }
        };
        let report = ContactReport {
            faces: !matches!(phase, Phase::Apart { facing: Facing::Aside | Facing::Behind, .. }),
            delta: gap.delta,
            delta_dot: gap.delta_dot,
            slip: gap.v_t,
            direction,
            ..ContactReport::default()
        };
        let Phase::Touching { touch, .. } = phase else { return report };
        let z = self.bristle.map_or(0.0, |i| bristles[i].z);
        let Some(acting) = self.act(&gap, phase, z) else { return report };
        let at = Approach { delta: gap.delta, delta_dot: gap.delta_dot };
        let parts = self.law.normal.eval(at, touch);
        ContactReport {
            touching: true,
            normal: acting.normal,
            tangential: acting.tangential,
            energy: if touch.cut { 0.0 } else { parts.energy },
            normal_loss: acting.normal_loss,
            friction_loss: acting.friction_loss,
            continued: parts.continued,
            ..report
        }
    }

    /// The position of the pin along its section.
    pub(crate) fn front(&self, motion: &[Motion<f64>]) -> Along {
        self.front.map_or(Along::ENDLESS, |front| front.measure(&self.gap, motion))
    }

    /// The sign of the sliding speed, if the law needs it.
    pub(crate) fn sliding(&self, gap: &GapState<f64>) -> f64 {
        if self.law.friction.is_set_valued() { gap.v_t.signum() } else { 0.0 }
    }

    /// Whether the law needs a direction of sliding at rest.
    pub(crate) fn at_rest(&self, gap: &GapState<f64>) -> bool {
        let rounding = 1e-14 * gap.delta_dot.abs();
        self.law.friction.is_set_valued() && gap.v_t.abs() <= rounding
    }

    /// The phase of a contact that starts with this memory.
    pub(crate) fn touching(&self, touch: Touch, gap: &GapState<f64>) -> Phase {
        Phase::Touching { touch, sliding: self.sliding(gap) }
    }

    /// The phase of a contact that ends now with this memory. A pin that leaves a section has separated from it.
    pub(crate) fn parted(&self, touch: Touch, t: f64, facing: Facing) -> Phase {
        let law = &self.law.normal;
        if facing == Facing::Aside && !law.damping.remembers() {
            return Phase::Apart { start: 0.0, last: None, facing };
        }
        let touch = Touch { cut: false, ..touch };
        Phase::Apart { start: law.start_of_next_contact(&touch), last: Some((touch, t)), facing }
    }

    /// The phase of a contact that touches after an event of its law.
    pub(crate) fn after(
        &self,
        event: ContactEvent,
        direction: Direction,
        phase: Phase,
        t: f64,
        delta: f64,
    ) -> Phase {
        let Phase::Touching { touch, sliding } = phase else { return phase };
        let rising = direction == Direction::Rising;
        match self.law.normal.after(event, rising, touch, delta) {
            Some(touch) => Phase::Touching { touch, sliding },
            None => self.parted(touch, t, Facing::Before),
        }
    }
}

#[cfg(test)]
mod tests;
