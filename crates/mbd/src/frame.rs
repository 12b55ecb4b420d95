//! Places on bodies, and their motion.
//!
//! Parts of a mechanism attach to places: an [`Anchor`] is a point of a body, an [`Axis`] a point with a
//! direction. Internally every body is a frame at its centre of mass; the parts get its `Motion`
//! and return `Spatial` forces on it, independently of the coordinates of the equations.

use crate::circle::sin_cos;
use crate::real::Real;

/// A body of a mechanism; [`GROUND`] does not move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) usize);

jointplay_fingerprint::fingerprint!(struct BodyId(index));

/// The ground: the body at rest, whose frame is the world's.
pub const GROUND: BodyId = BodyId(0);

impl BodyId {
    /// The point of this body with these coordinates in its frame (m).
    pub fn at(self, local: [f64; 2]) -> Anchor {
        Anchor { body: self, local }
    }

    /// The origin of the frame of this body.
    pub fn origin(self) -> Anchor {
        self.at([0.0, 0.0])
    }
}

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Anchor {
    /// The body.
    pub body: BodyId,
    /// Coordinates in the frame of the body (m).
    pub local: [f64; 2],
}

jointplay_fingerprint::fingerprint!(struct Anchor { body, local });

impl Anchor {
    /// The line through this point with this direction in the frame of the body; of any length but 0.
    pub fn along(self, direction: [f64; 2]) -> Axis {
        Axis { anchor: self, direction }
    }

    /// The line through this point at this angle to the x axis of the body (rad).
    pub fn at_angle(self, angle: f64) -> Axis {
        let (sin, cos) = sin_cos(angle);
        self.along([cos, sin])
    }
}

impl From<Anchor> for Axis {
    /// The line along the x axis of the body.
    fn from(anchor: Anchor) -> Self {
        anchor.along([1.0, 0.0])
    }
}

/// A point of a body with a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The point.
    pub anchor: Anchor,
    /// The direction in the frame of the body; of any length but 0.
    pub direction: [f64; 2],
}

jointplay_fingerprint::fingerprint!(struct Axis { anchor, direction });

/// Position and velocity of a body: its frame at the centre of mass, in world components.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Motion<T> {
    /// Position (m).
    pub(crate) x: [T; 2],
    /// Angle (rad), with all its turns.
    pub(crate) angle: T,
    /// Cosine of the angle.
    pub(crate) cos: T,
    /// Sine of the angle.
    pub(crate) sin: T,
    /// Velocity (m/s).
    pub(crate) v: [T; 2],
    /// Angular velocity (rad/s).
    pub(crate) omega: T,
}

/// A force with its moment about the centre of mass, or an acceleration with the angular one: components
/// along x, along y, and about z.
pub(crate) type Spatial<T> = [T; 3];

/// A point of a body in motion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PointMotion<T> {
    /// From the centre of mass to the point, world components (m).
    pub(crate) arm: [T; 2],
    /// Position (m).
    pub(crate) x: [T; 2],
    /// Velocity (m/s).
    pub(crate) v: [T; 2],
}

impl<T: Real> Motion<T> {
    /// At rest in the origin of the world.
    pub(crate) fn rest() -> Self {
        Motion {
            x: [T::ZERO; 2],
            angle: T::ZERO,
            cos: T::constant(1.0),
            sin: T::ZERO,
            v: [T::ZERO; 2],
            omega: T::ZERO,
        }
    }

    /// Skrinjar2017 eqs. (6), (7): the world components of a vector of the body.
    #[inline]
    pub(crate) fn turn(&self, local: [f64; 2]) -> [T; 2] {
        [self.cos * local[0] - self.sin * local[1], self.sin * local[0] + self.cos * local[1]]
    }

    /// A point given from the centre of mass, Skrinjar2017 eqs. (6), (7).
    #[inline]
    pub(crate) fn point(&self, local: [f64; 2]) -> PointMotion<T> {
        let arm = self.turn(local);
        self.point_at(arm)
    }

    /// The point of the body at this distance from its centre of mass, world components.
    #[inline]
    pub(crate) fn point_at(&self, arm: [T; 2]) -> PointMotion<T> {
        let turn = perp(arm);
        PointMotion {
            arm,
            x: add(self.x, arm),
            v: [self.v[0] + self.omega * turn[0], self.v[1] + self.omega * turn[1]],
        }
    }
}

/// The vector turned by a right angle, counter-clockwise: ω × r = ω perp(r).
#[inline]
pub(crate) fn perp<T: Real>(r: [T; 2]) -> [T; 2] {
    [-r[1], r[0]]
}

#[inline]
pub(crate) fn add<T: Real>(a: [T; 2], b: [T; 2]) -> [T; 2] {
    [a[0] + b[0], a[1] + b[1]]
}

#[inline]
pub(crate) fn sub<T: Real>(a: [T; 2], b: [T; 2]) -> [T; 2] {
    [a[0] - b[0], a[1] - b[1]]
}

#[inline]
pub(crate) fn scale<T: Real>(a: [T; 2], factor: T) -> [T; 2] {
    [a[0] * factor, a[1] * factor]
}

#[inline]
pub(crate) fn dot<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[0] + a[1] * b[1]
}

/// z component of a × b.
#[inline]
pub(crate) fn cross<T: Real>(a: [T; 2], b: [T; 2]) -> T {
    a[0] * b[1] - a[1] * b[0]
}

/// Power of a force on a velocity, or any other product of two spatial vectors.
#[inline]
pub(crate) fn dot3<T: Real>(a: Spatial<T>, b: Spatial<T>) -> T {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `sum += factor · term`.
#[inline]
pub(crate) fn accumulate<T: Real>(sum: &mut Spatial<T>, factor: T, term: Spatial<T>) {
    sum[0] += factor * term[0];
    sum[1] += factor * term[1];
    sum[2] += factor * term[2];
}

/// Whether a direction given by a user has a finite length above 0.
pub(crate) fn has_direction(direction: [f64; 2]) -> bool {
    let length = libm::hypot(direction[0], direction[1]);
    length > 0.0 && length.is_finite()
}

/// The unit vector of a direction that was checked.
pub(crate) fn unit(direction: [f64; 2]) -> [f64; 2] {
    let length = libm::hypot(direction[0], direction[1]);
    [direction[0] / length, direction[1] / length]
}
