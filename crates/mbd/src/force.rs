//! Applied forces: loads, spring-dampers, bushings, and elements written by users.
//!
//! A force element computes its forces from the motion of its bodies, and assigns their power to an
//! account: a spring stores energy, a damper dissipates it, a load does work. It does not depend on
//! the coordinates of the formulation.

mod custom;
mod decay;

use crate::frame::{
    Anchor, Axis, BodyId, Motion, Spatial, accumulate, add, cross, dot, scale, sub,
};
use crate::real::Real;
use crate::row::Station;
use crate::signal::Signal;

pub(crate) use custom::{CustomElement, LineElement, OtherAccount, UserElement};
pub use custom::{
    CustomForce, ForceModel, LineForce, LineModel, Tension, UserForce, Wrench, WrenchSlopes,
};

/// A force element of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ForceId(pub(crate) usize);

/// The frame in which the direction of a load is fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LoadFrame {
    /// The load keeps its direction in the world.
    World,
    /// The load turns with its body.
    Body,
}

jointplay_fingerprint::fingerprint!(
    enum LoadFrame {
        World,
        Body,
    }
);

/// A force element.
#[derive(Clone, Debug, PartialEq)]
pub enum Force {
    /// A force of size `size(t)` (N) at a point.
    Load {
        /// Where it acts.
        at: Anchor,
        /// Its direction for a positive size; any vector but zero.
        direction: [f64; 2],
        /// Whether the direction turns with the body.
        fixed_in: LoadFrame,
        /// Its size (N).
        size: Signal,
    },
    /// A torque of size `size(t)` (N m) on `on`, and its reaction on `against`; positive counter-clockwise.
    Torque {
        /// The body that is driven.
        on: BodyId,
        /// The body that takes the reaction.
        against: BodyId,
        /// Its size (N m).
        size: Signal,
    },
    /// A spring-damper between two points: tension F = preload + k (l − l₀) + c l̇.
    Spring(Spring),
    /// A spring-damper between the angles of two bodies: moment on b M = −(preload + k (θ − θ₀) + c θ̇) with
    /// θ = φ_b − φ_a.
    TorsionSpring(TorsionSpring),
    /// An elastic bearing: forces along the axes of a and a moment, linear in displacement, angle and rates.
    Bushing(Bushing),
    /// A force along the line between two points with a law of a user.
    Line(LineForce),
    /// Forces and moments between two places with a law of a user.
    Custom(CustomForce),
}

jointplay_fingerprint::fingerprint!(enum Force {
    Load { at, direction, fixed_in, size }, Torque { on, against, size }, Spring(of),
    TorsionSpring(of), Bushing(of), Line(of), Custom(of),
});

/// A spring-damper between two points: tension F = preload + k (l − l₀) + c l̇.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring {
    /// One end.
    pub a: Anchor,
    /// The other end.
    pub b: Anchor,
    /// k (N/m), 0 or more.
    pub stiffness: f64,
    /// l₀ (m), 0 or more.
    pub free_length: f64,
    /// Tension at the free length (N).
    pub preload: f64,
    /// c (N s/m), 0 or more.
    pub damping: f64,
}

jointplay_fingerprint::fingerprint!(struct Spring { a, b, stiffness, free_length, preload, damping });

impl Spring {
    /// A spring without damping and preload.
    pub fn new(a: Anchor, b: Anchor, stiffness: f64, free_length: f64) -> Self {
        Spring { a, b, stiffness, free_length, preload: 0.0, damping: 0.0 }
    }

    /// With this damping (N s/m).
    pub fn damped(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// With this tension at the free length (N).
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
    /// k (N m/rad), 0 or more.
    pub stiffness: f64,
    /// θ₀ (rad).
    pub free_angle: f64,
    /// Moment at the free angle (N m).
    pub preload: f64,
    /// c (N m s/rad), 0 or more.
    pub damping: f64,
}

jointplay_fingerprint::fingerprint!(struct TorsionSpring { a, b, stiffness, free_angle, preload, damping });

impl TorsionSpring {
    /// A spring without damping and preload.
    pub fn new(a: BodyId, b: BodyId, stiffness: f64, free_angle: f64) -> Self {
        TorsionSpring { a, b, stiffness, free_angle, preload: 0.0, damping: 0.0 }
    }

    /// With this damping (N m s/rad).
    pub fn damped(mut self, damping: f64) -> Self {
        self.damping = damping;
        self
    }

    /// With this moment at the free angle (N m).
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
    /// The place that defines the axes.
    pub a: Axis,
    /// The place that moves relative to it.
    pub b: Axis,
    /// Stiffness along the axis, across it (N/m) and in turning (N m/rad); 0 or more.
    pub stiffness: [f64; 3],
    /// Damping along the axis, across it (N s/m) and in turning (N m s/rad); 0 or more.
    pub damping: [f64; 3],
}

jointplay_fingerprint::fingerprint!(struct Bushing { a, b, stiffness, damping });

/// A force element on numbered frames.
#[derive(Clone, Debug)]
pub(crate) enum Element {
    Load { at: Station, direction: [f64; 2], fixed_in: LoadFrame, size: Signal, account: usize },
    Torque { on: usize, against: usize, size: Signal, account: usize },
    Spring { a: Station, b: Station, law: Linear, account: Option<usize> },
    TorsionSpring { a: usize, b: usize, law: Linear, account: Option<usize> },
    Bushing(Box<BushingElement>),
    Line(Box<LineElement>),
    Custom(Box<CustomElement>),
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

/// The effect of a force element on body b at one instant (for a load on its body, for a torque on
/// the driven body).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ForceReport {
    /// Size of a load (N), torque (N m), tension of a spring or line (N), moment of a torsion spring on b (N m), force of a
    /// bushing or custom element on b, ‖F‖ (N).
    pub size: f64,
    /// The force, world components (N).
    pub force: [f64; 2],
    /// The moment about the place on b (N m), of a torque, torsion spring, bushing or custom element.
    pub moment: f64,
    /// Energy stored (J).
    pub energy: f64,
    /// Power lost (W).
    pub power_lost: f64,
    /// Power supplied (W).
    pub power_in: f64,
}

/// The forces of an element on its body b, or its only one.
struct Acting<T> {
    /// As in a [`ForceReport`]; that of a bushing is the length of its force.
    size: T,
    force: [T; 2],
    moment: T,
    /// From the centres of mass of a and b to where the force acts.
    arms: [[T; 2]; 2],
    /// Power dissipated by elements that can store energy, supplied by those that cannot.
    power: T,
}

impl<T: Real> Acting<T> {
    const NOT: Self = Acting {
        size: T::ZERO,
        force: [T::ZERO; 2],
        moment: T::ZERO,
        arms: [[T::ZERO; 2]; 2],
        power: T::ZERO,
    };
}

impl Linear {
    #[inline]
    fn force<T: Real>(&self, x: T, rate: T) -> T {
        (x - self.free) * self.stiffness + rate * self.damping + self.preload
    }

    /// Power dissipated by the damper.
    #[inline]
    fn loss<T: Real>(&self, rate: T) -> T {
        rate * rate * self.damping
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
    /// The forces and the power.
    #[inline]
    fn act<T: Real>(&self, t: f64, motion: &[Motion<T>]) -> Acting<T> {
        match self {
            Element::Load { at, direction, fixed_in, size, .. } => {
                let body = &motion[at.frame];
                let point = body.point(at.local);
                let size = T::constant(size.value(t));
                let force = match fixed_in {
                    LoadFrame::World => direction.map(|d| size * d),
                    LoadFrame::Body => scale(body.turn(*direction), size),
                };
                let arms = [[T::ZERO; 2], point.arm];
                Acting { size, force, arms, power: dot(force, point.v), ..Acting::NOT }
            }
            Element::Torque { on, against, size, .. } => {
                let size = T::constant(size.value(t));
                let power = size * (motion[*on].omega - motion[*against].omega);
                Acting { size, moment: size, power, ..Acting::NOT }
            }
            Element::Spring { a, b, law, .. } => {
                let Some(Stretch { arms, unit, length, rate }) = stretch(motion, a, b) else {
                    return Acting::NOT;
                };
                let tension = law.force(length, rate);
                let force = scale(unit, -tension);
                Acting { size: tension, force, arms, power: law.loss(rate), ..Acting::NOT }
            }
            Element::TorsionSpring { a, b, law, .. } => {
                let rate = motion[*b].omega - motion[*a].omega;
                let moment = -law.force(motion[*b].angle - motion[*a].angle, rate);
                Acting { size: moment, moment, power: law.loss(rate), ..Acting::NOT }
            }
            Element::Bushing(bushing) => bushing.act(motion),
            Element::Line(line) => line.act(t, motion),
            // It adds forces to its bodies separately.
            Element::Custom(_) => Acting::NOT,
        }
    }

    /// Adds the forces, and writes the power of its account.
    #[inline]
    pub(crate) fn apply<T: Real>(
        &self,
        t: f64,
        motion: &[Motion<T>],
        force: &mut [Spatial<T>],
        power: &mut [T],
    ) {
        let acting = self.act(t, motion);
        let [on_a, on_b] = [[-acting.force[0], -acting.force[1]], acting.force];
        let account = match self {
            Element::Load { at, account, .. } => {
                push(force, at.frame, acting.arms[1], on_b);
                Some(*account)
            }
            Element::Torque { on, against, account, .. } => {
                force[*on][2] += acting.moment;
                force[*against][2] -= acting.moment;
                Some(*account)
            }
            Element::Spring { a, b, account, .. } => {
                push(force, a.frame, acting.arms[0], on_a);
                push(force, b.frame, acting.arms[1], on_b);
                *account
            }
            Element::TorsionSpring { a, b, account, .. } => {
                force[*a][2] -= acting.moment;
                force[*b][2] += acting.moment;
                *account
            }
            Element::Bushing(bushing) => {
                push(force, bushing.a.frame, acting.arms[0], on_a);
                push(force, bushing.b.frame, acting.arms[1], on_b);
                force[bushing.a.frame][2] -= acting.moment;
                force[bushing.b.frame][2] += acting.moment;
                bushing.account
            }
            Element::Line(line) => {
                push(force, line.a.frame, acting.arms[0], on_a);
                push(force, line.b.frame, acting.arms[1], on_b);
                line.account.map(|account| account.number)
            }
            Element::Custom(custom) => {
                custom.apply(t, motion, force, power);
                None
            }
        };
        if let Some(account) = account {
            power[account] = acting.power;
        }
    }

    /// The frames of its bodies; a load acts on its own body alone.
    pub(crate) fn frames(&self) -> [usize; 2] {
        match self {
            Element::Load { at, .. } => [0, at.frame],
            Element::Torque { on: a, against: b, .. } | Element::TorsionSpring { a, b, .. } => {
                [*a, *b]
            }
            Element::Spring { a, b, .. } => [a.frame, b.frame],
            Element::Bushing(bushing) => [bushing.a.frame, bushing.b.frame],
            Element::Line(line) => [line.a.frame, line.b.frame],
            Element::Custom(custom) => [custom.a.frame, custom.b.frame],
        }
    }

    /// The account of its power.
    pub(crate) fn account(&self) -> Option<usize> {
        match self {
            Element::Load { account, .. } | Element::Torque { account, .. } => Some(*account),
            Element::Spring { account, .. } | Element::TorsionSpring { account, .. } => *account,
            Element::Bushing(bushing) => bushing.account,
            Element::Line(line) => line.account.map(|account| account.number),
            Element::Custom(custom) => custom.account.map(|account| account.number),
        }
    }

    /// Whether it acts on this frame by anything other than a force at its centre of mass.
    pub(crate) fn turns(&self, frame: usize) -> bool {
        let off = |station: &Station| station.frame == frame && station.local != [0.0, 0.0];
        match self {
            Element::Load { at, .. } => off(at),
            Element::Spring { a, b, .. } => off(a) || off(b),
            Element::Torque { on: a, against: b, .. } | Element::TorsionSpring { a, b, .. } => {
                [*a, *b].contains(&frame)
            }
            Element::Bushing(bushing) => [bushing.a.frame, bushing.b.frame].contains(&frame),
            Element::Line(line) => off(&line.a) || off(&line.b),
            Element::Custom(custom) => [custom.a.frame, custom.b.frame].contains(&frame),
        }
    }

    /// Energy held (J).
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
            Element::Line(line) => line.energy(motion),
            Element::Custom(custom) => custom.energy(motion),
        }
    }

    /// Times at which a user-written element is not smooth.
    pub(crate) fn user_breaks(&self) -> &[f64] {
        match self {
            Element::Load { .. }
            | Element::Torque { .. }
            | Element::Spring { .. }
            | Element::TorsionSpring { .. }
            | Element::Bushing(_) => &[],
            Element::Line(line) => line.model.breaks(),
            Element::Custom(custom) => custom.model.breaks(),
        }
    }

    /// Its effect at one instant.
    pub(crate) fn report(&self, t: f64, motion: &[Motion<f64>]) -> ForceReport {
        let Acting { size, force, moment, power, .. } = self.act(t, motion);
        let (size, power_lost, power_in) = match self {
            Element::Load { .. } | Element::Torque { .. } => (size, 0.0, power),
            Element::Spring { .. } | Element::TorsionSpring { .. } => (size, power, 0.0),
            Element::Bushing(_) => (libm::hypot(force[0], force[1]), power, 0.0),
            Element::Line(line) => {
                let [lost, brought] = line.powers(power);
                (size, lost, brought)
            }
            Element::Custom(custom) => return custom.report(t, motion),
        };
        ForceReport { size, force, moment, energy: self.energy(motion), power_lost, power_in }
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
        // Relative to a, the point of b moves over the coincident point of a.
        let slide = sub(p_b.v, a.point_at(sub(p_b.x, a.x)).v);
        let axes = self.axes.map(|axis| a.turn(axis));
        let angle = b.angle - a.angle - self.angle;
        let displacement = [dot(axes[0], e), dot(axes[1], e), angle];
        (displacement, [dot(axes[0], slide), dot(axes[1], slide), b.omega - a.omega])
    }

    #[inline]
    fn act<T: Real>(&self, motion: &[Motion<T>]) -> Acting<T> {
        let (d, rate) = self.state(motion);
        let part = |i: usize| -(d[i] * self.stiffness[i] + rate[i] * self.damping[i]);
        let lost = |i: usize| rate[i] * rate[i] * self.damping[i];
        let (a, b) = (&motion[self.a.frame], &motion[self.b.frame]);
        let axes = self.axes.map(|axis| a.turn(axis));
        let (along, across) = (scale(axes[0], part(0)), scale(axes[1], part(1)));
        let force = add(along, across);
        let p_b = b.point(self.b.local);
        Acting {
            force,
            moment: part(2),
            arms: [sub(p_b.x, a.x), p_b.arm],
            power: lost(0) + lost(1) + lost(2),
            ..Acting::NOT
        }
    }
}

#[cfg(test)]
mod tests;
