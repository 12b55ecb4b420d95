//! Applied forces: loads, spring-dampers, bushings.
//!
//! A force element sees the motion of its bodies, adds its forces, and tells where their power goes: what a spring
//! holds is its energy, what a damper takes is lost, what a load brings is work. It knows no coordinates.

use crate::frame::{Anchor, Axis, BodyId, Motion, Spatial, accumulate, cross, dot, scale, sub};
use crate::real::Real;
use crate::row::Station;
use crate::signal::Signal;

/// A force element of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ForceId(pub(crate) usize);

/// In which frame the direction of a load stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// The load keeps its direction in the world.
    World,
    /// The load turns with its body.
    Body,
}

/// A force element.
#[derive(Clone, Debug, PartialEq)]
pub enum Force {
    /// A force of size `size(t)` [N] at a point.
    Load {
        /// Where it acts.
        at: Anchor,
        /// Its direction for a positive size; of any length but 0.
        direction: [f64; 2],
        /// Whether the direction turns with the body.
        fixed_in: Direction,
        /// Its size [N].
        size: Signal,
    },
    /// A torque of size `size(t)` [N m] on `on`, and its reaction on `against`; positive counter-clockwise.
    Torque {
        /// The body that is driven.
        on: BodyId,
        /// The body that takes the reaction.
        against: BodyId,
        /// Its size [N m].
        size: Signal,
    },
    /// A spring-damper between two points: tension F = preload + k (l − l₀) + c l̇.
    Spring(Spring),
    /// A spring-damper between the angles of two bodies: moment on b M = −(preload + k (θ − θ₀) + c θ̇) with
    /// θ = φ_b − φ_a.
    TorsionSpring(TorsionSpring),
    /// An elastic bearing: forces along the axes of a and a moment, linear in displacement, angle and rates.
    Bushing(Bushing),
}

/// A spring-damper between two points: tension F = preload + k (l − l₀) + c l̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// One end.
    pub a: Anchor,
    /// The other end.
    pub b: Anchor,
    /// k [N/m], 0 or more.
    pub stiffness: f64,
    /// l₀ [m], 0 or more.
    pub free_length: f64,
    /// Tension at the free length [N].
    pub preload: f64,
    /// c [N s/m], 0 or more.
    pub damping: f64,
}

impl Spring {
    /// A spring without damping and preload.
    pub fn new(a: Anchor, b: Anchor, stiffness: f64, free_length: f64) -> Self {
        Spring { a, b, stiffness, free_length, preload: 0.0, damping: 0.0 }
    }

    /// With this damping [N s/m].
    pub fn damped(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// With this tension at the free length [N].
    pub fn preloaded(mut self, preload: f64) -> Self {
        self.preload = preload;
        self
    }
}

/// A spring-damper between the angles of two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TorsionSpring {
    /// The body that θ is measured from.
    pub a: BodyId,
    /// The body that θ is measured to.
    pub b: BodyId,
    /// k [N m/rad], 0 or more.
    pub stiffness: f64,
    /// θ₀ [rad].
    pub free_angle: f64,
    /// Moment at the free angle [N m].
    pub preload: f64,
    /// c [N m s/rad], 0 or more.
    pub damping: f64,
}

impl TorsionSpring {
    /// A spring without damping and preload.
    pub fn new(a: BodyId, b: BodyId, stiffness: f64, free_angle: f64) -> Self {
        TorsionSpring { a, b, stiffness, free_angle, preload: 0.0, damping: 0.0 }
    }

    /// With this damping [N m s/rad].
    pub fn damped(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// With this moment at the free angle [N m].
    pub fn preloaded(mut self, preload: f64) -> Self {
        self.preload = preload;
        self
    }
}

/// An elastic bearing between two places.
///
/// With the displacement d of b's place along and across the axis of a, and the angle θ between the axes, the
/// force on b is −K d − C ḋ and the moment −k_θ θ − c_θ θ̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bushing {
    /// The place whose axes count.
    pub a: Axis,
    /// The place that moves against it.
    pub b: Axis,
    /// Stiffness along the axis, across it [N/m] and in turning [N m/rad]; 0 or more.
    pub stiffness: [f64; 3],
    /// Damping along the axis, across it [N s/m] and in turning [N m s/rad]; 0 or more.
    pub damping: [f64; 3],
}

/// A force element on numbered frames.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Load { at: Station, direction: [f64; 2], fixed_in: Direction, size: Signal, account: usize },
    Torque { on: usize, against: usize, size: Signal, account: usize },
    Spring { a: Station, b: Station, law: Linear, account: Option<usize> },
    TorsionSpring { a: usize, b: usize, law: Linear, account: Option<usize> },
    Bushing(Box<BushingElement>),
}

/// preload + k (x − x₀) + c ẋ.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Linear {
    pub(crate) stiffness: f64,
    pub(crate) free: f64,
    pub(crate) preload: f64,
    pub(crate) damping: f64,
}

#[derive(Clone, Debug)]
pub(crate) struct BushingElement {
    pub(crate) a: Station,
    pub(crate) b: Station,
    /// Unit vectors of body a along and across the axis.
    pub(crate) axes: [[f64; 2]; 2],
    /// φ_b − φ_a where the axes are parallel.
    pub(crate) angle: f64,
    pub(crate) stiffness: [f64; 3],
    pub(crate) damping: [f64; 3],
    pub(crate) account: Option<usize>,
}

/// What a force element does at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ForceReport {
    /// Size of a load [N], torque [N m], tension of a spring [N], moment of a torsion spring on b [N m], force of a
    /// bushing on b, ‖F‖ [N].
    pub size: f64,
    /// Energy held [J].
    pub energy: f64,
    /// Power lost [W].
    pub power_lost: f64,
    /// Power brought in [W].
    pub power_in: f64,
}

impl Linear {
    #[inline]
    fn force<T: Real>(&self, x: T, rate: T) -> T {
        (x - self.free) * self.stiffness + rate * self.damping + self.preload
    }

    fn energy(&self, x: f64) -> f64 {
        let stretch = x - self.free;
        stretch * (self.preload + 0.5 * self.stiffness * stretch)
    }
}

/// Adds a force at a point of a body.
#[inline]
fn push<T: Real>(force: &mut [Spatial<T>], frame: usize, arm: [T; 2], f: [T; 2]) {
    accumulate(&mut force[frame], T::constant(1.0), [f[0], f[1], cross(arm, f)]);
}

impl Element {
    /// Adds the forces, and the powers to the accounts.
    #[inline]
    pub(crate) fn apply<T: Real>(
        &self,
        t: f64,
        motion: &[Motion<T>],
        force: &mut [Spatial<T>],
        power: &mut [T],
    ) {
        match self {
            Element::Load { at, direction, fixed_in, size, account } => {
                let body = &motion[at.frame];
                let point = body.point(at.local);
                let size = T::constant(size.value(t));
                let f = match fixed_in {
                    Direction::World => direction.map(|d| size * d),
                    Direction::Body => scale(body.turn(*direction), size),
                };
                push(force, at.frame, point.arm, f);
                power[*account] += dot(f, point.v);
            }
            Element::Torque { on, against, size, account } => {
                let size = T::constant(size.value(t));
                force[*on][2] += size;
                force[*against][2] -= size;
                power[*account] += size * (motion[*on].omega - motion[*against].omega);
            }
            Element::Spring { a, b, law, account } => {
                let Some(Stretch { arms, unit, length, rate }) = stretch(motion, a, b) else {
                    return;
                };
                let tension = law.force(length, rate);
                let pull = scale(unit, tension);
                push(force, a.frame, arms[0], pull);
                push(force, b.frame, arms[1], [-pull[0], -pull[1]]);
                if let Some(account) = account {
                    power[*account] += rate * rate * law.damping;
                }
            }
            Element::TorsionSpring { a, b, law, account } => {
                let rate = motion[*b].omega - motion[*a].omega;
                let moment = law.force(motion[*b].angle - motion[*a].angle, rate);
                force[*a][2] += moment;
                force[*b][2] -= moment;
                if let Some(account) = account {
                    power[*account] += rate * rate * law.damping;
                }
            }
            Element::Bushing(bushing) => {
                let state = bushing.state(motion);
                let f = bushing.force(motion, &state);
                let p_b = motion[bushing.b.frame].point(bushing.b.local);
                let arm_a = sub(p_b.x, motion[bushing.a.frame].x);
                push(force, bushing.b.frame, p_b.arm, [f[0], f[1]]);
                push(force, bushing.a.frame, arm_a, [-f[0], -f[1]]);
                force[bushing.b.frame][2] += f[2];
                force[bushing.a.frame][2] -= f[2];
                if let Some(account) = bushing.account {
                    power[account] += bushing.power_lost(&state);
                }
            }
        }
    }

    /// Energy held [J].
    pub(crate) fn energy(&self, motion: &[Motion<f64>]) -> f64 {
        match self {
            Element::Load { .. } | Element::Torque { .. } => 0.0,
            Element::Spring { a, b, law, .. } => {
                law.energy(stretch(motion, a, b).map_or(0.0, |stretch| stretch.length))
            }
            Element::TorsionSpring { a, b, law, .. } => {
                law.energy(motion[*b].angle - motion[*a].angle)
            }
            Element::Bushing(bushing) => {
                let (d, _) = bushing.state(motion);
                let half = |(k, d): (&f64, f64)| 0.5 * k * d * d;
                bushing.stiffness.iter().zip(d).map(half).sum()
            }
        }
    }

    /// What it does at one instant.
    pub(crate) fn report(&self, t: f64, motion: &[Motion<f64>]) -> ForceReport {
        let energy = self.energy(motion);
        match self {
            Element::Load { at, direction, fixed_in, size, .. } => {
                let body = &motion[at.frame];
                let direction = match fixed_in {
                    Direction::World => *direction,
                    Direction::Body => body.turn(*direction),
                };
                let size = size.value(t);
                let power_in = size * dot(direction, body.point(at.local).v);
                ForceReport { size, power_in, ..ForceReport::default() }
            }
            Element::Torque { on, against, size, .. } => {
                let size = size.value(t);
                let power_in = size * (motion[*on].omega - motion[*against].omega);
                ForceReport { size, power_in, ..ForceReport::default() }
            }
            Element::Spring { a, b, law, .. } => {
                let Some(Stretch { length, rate, .. }) = stretch(motion, a, b) else {
                    return ForceReport { energy, ..ForceReport::default() };
                };
                let power_lost = law.damping * rate * rate;
                ForceReport { size: law.force(length, rate), energy, power_lost, power_in: 0.0 }
            }
            Element::TorsionSpring { a, b, law, .. } => {
                let rate = motion[*b].omega - motion[*a].omega;
                let moment = -law.force(motion[*b].angle - motion[*a].angle, rate);
                let power_lost = law.damping * rate * rate;
                ForceReport { size: moment, energy, power_lost, power_in: 0.0 }
            }
            Element::Bushing(bushing) => {
                let state = bushing.state(motion);
                let f = bushing.force(motion, &state);
                let power_lost = bushing.power_lost(&state);
                ForceReport { size: f[0].hypot(f[1]), energy, power_lost, power_in: 0.0 }
            }
        }
    }
}

/// A spring at one instant.
struct Stretch<T> {
    /// From the centres of mass to both ends.
    arms: [[T; 2]; 2],
    /// Unit vector from a to b.
    unit: [T; 2],
    length: T,
    rate: T,
}

/// A spring at one instant; `None` where it has no length and no direction.
#[inline]
fn stretch<T: Real>(motion: &[Motion<T>], a: &Station, b: &Station) -> Option<Stretch<T>> {
    let p_a = motion[a.frame].point(a.local);
    let p_b = motion[b.frame].point(b.local);
    let e = sub(p_b.x, p_a.x);
    let length = dot(e, e).sqrt();
    if length.value() == 0.0 {
        return None;
    }
    let unit = scale(e, T::constant(1.0) / length);
    let rate = dot(unit, sub(p_b.v, p_a.v));
    Some(Stretch { arms: [p_a.arm, p_b.arm], unit, length, rate })
}

impl BushingElement {
    /// Displacement along and across the axis and angle, and their rates as body a sees them.
    fn state<T: Real>(&self, motion: &[Motion<T>]) -> ([T; 3], [T; 3]) {
        let (a, b) = (&motion[self.a.frame], &motion[self.b.frame]);
        let p_b = b.point(self.b.local);
        let e = sub(p_b.x, a.point(self.a.local).x);
        // Seen from a, the point of b moves relative to the point of a under it.
        let slide = sub(p_b.v, a.point_at(sub(p_b.x, a.x)).v);
        let axes = self.axes.map(|axis| a.turn(axis));
        let angle = b.angle - a.angle - self.angle;
        let displacement = [dot(axes[0], e), dot(axes[1], e), angle];
        (displacement, [dot(axes[0], slide), dot(axes[1], slide), b.omega - a.omega])
    }

    /// Force on b and moment about its place.
    fn force<T: Real>(&self, motion: &[Motion<T>], (d, rate): &([T; 3], [T; 3])) -> Spatial<T> {
        let part = |i: usize| -(d[i] * self.stiffness[i] + rate[i] * self.damping[i]);
        let a = &motion[self.a.frame];
        let axes = self.axes.map(|axis| a.turn(axis));
        let (along, across) = (scale(axes[0], part(0)), scale(axes[1], part(1)));
        [along[0] + across[0], along[1] + across[1], part(2)]
    }

    fn power_lost<T: Real>(&self, (_, rate): &([T; 3], [T; 3])) -> T {
        let part = |i: usize| rate[i] * rate[i] * self.damping[i];
        part(0) + part(1) + part(2)
    }
}
