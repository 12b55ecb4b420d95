//! Where two surfaces are: overlap, its rate, slip, and how both follow from the motion of two bodies.

use crate::frame::{Anchor, Motion, Spatial, cross, dot, perp, scale, sub};
use crate::real::Real;
use crate::row::{NO_TARGET, Row, RowKind, Station};

/// A journal in a bearing with clearance: contact where the centres are farther apart than the clearance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JournalBearing {
    /// Centre of the bearing.
    pub bearing: Anchor,
    /// Centre of the journal.
    pub journal: Anchor,
    /// Radius of the bearing (m), above 0.
    pub bearing_radius: f64,
    /// Bearing radius minus journal radius (m), above 0.
    pub clearance: f64,
    /// Where both forces act and slip is measured: at the bearing radius plus this part of the overlap. 0 is the
    /// bearing's surface, ½ the middle of the overlap, 1 the journal's surface.
    pub depth: f64,
}

/// On which side a stop lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The coordinate cannot go above the limit.
    Above,
    /// The coordinate cannot go below the limit.
    Below,
}

/// The gap of a contact on numbered frames.
#[derive(Clone, Debug)]
pub(crate) enum Gap {
    Journal {
        bearing: Station,
        journal: Station,
        radius: f64,
        clearance: f64,
        depth: f64,
    },
    /// δ = sign · (coordinate − limit).
    Stop {
        row: Row,
        limit: f64,
        sign: f64,
    },
}

/// A gap at one instant. δ̇ = on_a·V_a + on_b·V_b and v_t = slip_a·V_a + slip_b·V_b.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GapState<T> {
    pub(crate) delta: T,
    pub(crate) delta_dot: T,
    pub(crate) v_t: T,
    pub(crate) on_a: Spatial<T>,
    pub(crate) on_b: Spatial<T>,
    pub(super) slip_a: Spatial<T>,
    pub(super) slip_b: Spatial<T>,
}

impl Gap {
    /// The unit of the overlap.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Gap::Stop { row, .. } if row.kind == RowKind::Angle => "rad",
            _ => "m",
        }
    }

    pub(crate) fn frames(&self) -> [usize; 2] {
        match self {
            Gap::Journal { bearing, journal, .. } => [bearing.frame, journal.frame],
            Gap::Stop { row, .. } => row.frames(),
        }
    }

    /// The size by which rounding of the overlap is measured.
    pub(crate) fn size(&self, length: f64, motion: &[Motion<f64>]) -> f64 {
        match self {
            Gap::Journal { bearing, journal, .. } => {
                let row = Row {
                    kind: RowKind::Distance,
                    a: *bearing,
                    b: *journal,
                    offset: 0.0,
                    driver: None,
                };
                row.size(length, motion)
            }
            Gap::Stop { row, .. } => row.size(length, motion),
        }
    }

    /// Overlap δ and its rate δ̇.
    #[inline]
    pub(crate) fn approach<T: Real>(&self, motion: &[Motion<T>]) -> [T; 2] {
        match self {
            Gap::Journal { bearing, journal, clearance, .. } => {
                let Eccentric { size, n, v, .. } = Eccentric::of(bearing, journal, motion);
                [size - *clearance, dot(n, v)]
            }
            Gap::Stop { row, limit, sign } => {
                let value = row.eval(motion, NO_TARGET);
                [(value.residual - *limit) * *sign, value.rate * *sign]
            }
        }
    }

    /// Overlap, its rate and slip.
    #[inline]
    pub(crate) fn measure<T: Real>(&self, motion: &[Motion<T>]) -> GapState<T> {
        match self {
            Gap::Journal { bearing, journal, radius, clearance, depth } => {
                let Eccentric { size, n, v, arms: [a, b] } =
                    Eccentric::of(bearing, journal, motion);
                let delta = size - *clearance;
                let t = perp(n); // Skrinjar2017 eq. (20)
                // The surface point lies so far along n from both centres; r × t = r·n.
                let from_a = delta * *depth + *radius;
                let from_b = from_a - size;
                let spin = [bearing, journal].map(|station| motion[station.frame].omega);
                GapState {
                    delta,
                    delta_dot: dot(n, v), // Skrinjar2017 eq. (8)
                    v_t: dot(t, v) - spin[0] * from_a + spin[1] * from_b,
                    on_a: [-n[0], -n[1], -cross(a, n)],
                    on_b: [n[0], n[1], cross(b, n)],
                    slip_a: [-t[0], -t[1], -dot(a, n) - from_a],
                    slip_b: [t[0], t[1], dot(b, n) + from_b],
                }
            }
            Gap::Stop { row, limit, sign } => {
                let value = row.eval(motion, NO_TARGET);
                let signed = |on: Spatial<T>| on.map(|x| x * *sign);
                GapState {
                    delta: (value.residual - *limit) * *sign,
                    delta_dot: value.rate * *sign,
                    v_t: T::ZERO,
                    on_a: signed(value.on_a),
                    on_b: signed(value.on_b),
                    slip_a: [T::ZERO; 3],
                    slip_b: [T::ZERO; 3],
                }
            }
        }
    }
}

/// A journal off the centre of its bearing.
struct Eccentric<T> {
    /// Distance of the centres (m).
    size: T,
    /// Direction from the bearing's centre to the journal's.
    n: [T; 2],
    /// Velocity of the journal's centre on the bearing's (m/s).
    v: [T; 2],
    /// The centres of bearing and journal from the centres of mass (m).
    arms: [[T; 2]; 2],
}

impl<T: Real> Eccentric<T> {
    #[inline]
    fn of(bearing: &Station, journal: &Station, motion: &[Motion<T>]) -> Self {
        let a = motion[bearing.frame].point(bearing.local);
        let b = motion[journal.frame].point(journal.local);
        let e = sub(b.x, a.x);
        let size = dot(e, e).sqrt(); // Skrinjar2017 eq. (17)
        // A centred journal has no direction; any will do, it is apart.
        let n = if size.value() > 0.0 {
            scale(e, T::constant(1.0) / size) // Skrinjar2017 eq. (18)
        } else {
            [T::constant(1.0), T::ZERO]
        };
        Eccentric { size, n, v: sub(b.v, a.v), arms: [a.arm, b.arm] }
    }
}
