//! One link of the forest, and its motion relative to its parent.

use jointplay_expression::Jet;
use jointplay_ode::Enclosure;

use crate::frame::{Motion, Spatial, accumulate, add, perp, scale, sub};
use crate::real::Real;

/// The motion of a link relative to its parent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum LinkKind {
    /// About the joint point.
    Turn,
    /// Along a unit vector of the parent.
    Slide([f64; 2]),
    /// Not at all.
    Fixed,
}

/// The coordinate of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variable {
    /// An unknown, with its number.
    Free(usize),
    /// The signal of a driver, with its number.
    Driven(usize),
    /// There is none.
    Absent,
}

/// A link of the forest. Points are given from centres of mass.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "facts that do not exclude each other")]
pub(crate) struct Link {
    /// Number of the frame that this link moves.
    pub(crate) frame: usize,
    /// Number of the frame of its parent; the ground is 0.
    pub(crate) parent: usize,
    /// Number of its parent link.
    pub(crate) holder: Option<usize>,
    pub(crate) kind: LinkKind,
    pub(crate) variable: Variable,
    /// +1 if the coordinate of the user is that of the child relative to the parent, −1 if it is
    /// the reverse.
    pub(crate) sign: f64,
    /// Where a link that turns has its joint point, on the parent and on the link (m).
    pub(crate) from: [f64; 2],
    pub(crate) to: [f64; 2],
    /// For a link that does not turn: its angle against its parent (rad), with its cosine and sine, and its origin
    /// in the parent where the coordinate is 0 (m).
    pub(crate) angle: f64,
    pub(crate) tilt: [f64; 2],
    pub(crate) offset: [f64; 2],
    /// Whether it turns a point mass held at its centre: no force depends on that angle and it
    /// moves no mass. An inertia without any other effect, here 1 kg m², keeps its angular
    /// velocity.
    pub(crate) idle: bool,
    /// Mass (kg).
    pub(crate) mass: f64,
    /// Moment of inertia about the centre of mass (kg m²).
    pub(crate) inertia: f64,
    /// Whether it has no children.
    pub(crate) leaf: bool,
    /// Whether it is the last child of its parent: the first that an inward pass reaches.
    pub(crate) last: bool,
    /// Whether its motion is prescribed: neither it nor any link on its way to the ground has an unknown.
    pub(crate) prescribed: bool,
    /// Whether it has an unknown and no children, and its parent is prescribed or the ground.
    pub(crate) alone: bool,
}

/// The terms of the equations that come from the motion of a link relative to its parent.
pub(super) struct Course<T> {
    pub(super) shift: [T; 2],
    pub(super) subspace: Spatial<T>,
    pub(super) bias: Spatial<T>,
}

/// Where a link is and how it moves, with the way from the parent's origin, the velocity of its origin per unit of the
/// coordinate, and the acceleration of its origin at constant rates.
struct Carried<T> {
    own: Motion<T>,
    r: [T; 2],
    linear: [T; 2],
    bend: [T; 2],
}

/// How a link lies on its parent: the way between their origins, the velocity of its origin per unit of the coordinate, and
/// the joint point of one that turns, from the parent's origin and from its own.
struct Put<T> {
    r: [T; 2],
    linear: [T; 2],
    from: [T; 2],
    to: [T; 2],
}

impl Link {
    /// M a of this link alone.
    #[inline]
    pub(super) fn inert<T: Real>(&self, [x, y, turn]: Spatial<T>) -> Spatial<T> {
        [x * self.mass, y * self.mass, turn * self.inertia]
    }

    /// The motion of this link on its parent: v = X v_parent + s q̇, and c = ∂v/∂(q, t) q̇ with s q̈ of a driver.
    #[expect(
        clippy::inline_always,
        reason = "inlining avoids returning the results through memory, which would double the cost"
    )]
    #[inline(always)]
    pub(super) fn follow<T: Real>(
        &self,
        parent: &Motion<T>,
        q: &[T],
        v: &[T],
        drives: &[Jet],
    ) -> (Motion<T>, Course<T>) {
        let (value, rate) = match self.variable {
            Variable::Free(i) => (q[i] * self.sign, v[i] * self.sign),
            Variable::Driven(i) => {
                let signed = |x: f64| T::constant(x * self.sign);
                (signed(drives[i].value), signed(drives[i].first))
            }
            Variable::Absent => (T::ZERO, T::ZERO),
        };
        let Carried { own, r, linear, bend } = if self.parent == 0 {
            self.on_ground(value, rate)
        } else {
            self.on_parent(parent, value, rate)
        };
        let shift = perp(r);
        let turn = if self.kind == LinkKind::Turn { 1.0 } else { 0.0 };
        let subspace =
            [linear[0] * self.sign, linear[1] * self.sign, T::constant(turn * self.sign)];
        let mut bias = [bend[0], bend[1], T::ZERO];
        if let Variable::Driven(i) = self.variable {
            accumulate(&mut bias, T::constant(drives[i].second), subspace);
        }
        (own, Course { shift, subspace, bias })
    }

    /// Where the link is over a stretch of time, given where its parent is. Velocities are left out.
    pub(super) fn enclose(
        &self,
        parent: &Motion<Enclosure>,
        q: &[Enclosure],
        drives: &[Enclosure],
    ) -> Motion<Enclosure> {
        let value = match self.variable {
            Variable::Free(i) => q[i] * self.sign,
            Variable::Driven(i) => drives[i] * self.sign,
            Variable::Absent => Enclosure::ZERO,
        };
        if self.parent == 0 { self.put_on_ground(value).0 } else { self.put(parent, value).0 }
    }

    /// The place of the link on its parent, the way from the parent's origin, and the direction of its coordinate; for a link
    /// that turns, its joint point from the parent's origin and from its own.
    #[expect(
        clippy::inline_always,
        reason = "inlining avoids returning the results through memory, which would double the cost"
    )]
    #[inline(always)]
    fn put<T: Real>(&self, parent: &Motion<T>, value: T) -> (Motion<T>, Put<T>) {
        let mut own = *parent;
        let put = if self.kind == LinkKind::Turn {
            own.angle = parent.angle + value;
            (own.sin, own.cos) = own.angle.sin_cos();
            let (from, to) = (parent.turn(self.from), own.turn(self.to));
            Put { r: sub(from, to), linear: scale(perp(to), T::constant(-1.0)), from, to }
        } else {
            let [cos, sin] = self.tilt;
            own.angle = parent.angle + self.angle;
            own.cos = parent.cos * cos - parent.sin * sin;
            own.sin = parent.sin * cos + parent.cos * sin;
            let offset = parent.turn(self.offset);
            let (r, linear) = if let LinkKind::Slide(direction) = self.kind {
                let linear = parent.turn(direction);
                (add(offset, scale(linear, value)), linear)
            } else {
                (offset, [T::ZERO; 2])
            };
            Put { r, linear, from: [T::ZERO; 2], to: [T::ZERO; 2] }
        };
        own.x = add(parent.x, put.r);
        (own, put)
    }

    /// The same for a link on the ground, whose frame is the world's.
    #[expect(
        clippy::inline_always,
        reason = "inlining avoids returning the results through memory, which would double the cost"
    )]
    #[inline(always)]
    fn put_on_ground<T: Real>(&self, value: T) -> (Motion<T>, Put<T>) {
        let mut own = Motion::rest();
        let put = if self.kind == LinkKind::Turn {
            own.angle = value;
            (own.sin, own.cos) = value.sin_cos();
            let to = own.turn(self.to);
            let from = self.from.map(T::constant);
            Put { r: sub(from, to), linear: scale(perp(to), T::constant(-1.0)), from, to }
        } else {
            own.angle = T::constant(self.angle);
            [own.cos, own.sin] = self.tilt.map(T::constant);
            let direction =
                if let LinkKind::Slide(direction) = self.kind { direction } else { [0.0; 2] };
            let linear = direction.map(T::constant);
            let r = add(self.offset.map(T::constant), scale(linear, value));
            Put { r, linear, from: [T::ZERO; 2], to: [T::ZERO; 2] }
        };
        own.x = put.r;
        (own, put)
    }

    /// Carried by a parent that moves like this.
    #[expect(
        clippy::inline_always,
        reason = "inlining avoids returning the results through memory, which would double the cost"
    )]
    #[inline(always)]
    fn on_parent<T: Real>(&self, parent: &Motion<T>, value: T, rate: T) -> Carried<T> {
        let (mut own, Put { r, linear, from, to }) = self.put(parent, value);
        let bend;
        if self.kind == LinkKind::Turn {
            own.omega = parent.omega + rate;
            let (inner, outer) = (parent.omega * parent.omega, own.omega * own.omega);
            bend = sub(scale(to, outer), scale(from, inner));
        } else if let LinkKind::Slide(_) = self.kind {
            let coriolis = scale(perp(linear), parent.omega * rate * 2.0);
            bend = sub(coriolis, scale(r, parent.omega * parent.omega));
        } else {
            bend = scale(r, -(parent.omega * parent.omega));
        }
        own.v = add(parent.v, add(scale(perp(r), parent.omega), scale(linear, rate)));
        Carried { own, r, linear, bend }
    }

    /// The same for a link on the ground, whose frame is the world's.
    #[expect(
        clippy::inline_always,
        reason = "inlining avoids returning the results through memory, which would double the cost"
    )]
    #[inline(always)]
    fn on_ground<T: Real>(&self, value: T, rate: T) -> Carried<T> {
        let (mut own, Put { r, linear, to, .. }) = self.put_on_ground(value);
        let mut bend = [T::ZERO; 2];
        if self.kind == LinkKind::Turn {
            own.omega = rate;
            bend = scale(to, rate * rate);
        }
        own.v = scale(linear, rate);
        Carried { own, r, linear, bend }
    }
}
