//! The geometry of two surfaces: overlap, its rate and slip as functions of the motion of two
//! bodies.

use jointplay_ode::{Bow, Enclosure};

use super::{ContactId, Outline, Section};
use crate::frame::{Anchor, Axis, BodyId, Motion, Spatial, cross, dot, perp, scale, sub};
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
    /// Where both forces act and slip is measured: at the bearing radius plus this fraction of the overlap. 0 is the
    /// bearing's surface, ½ the middle of the overlap, 1 the journal's surface.
    pub contact_point: f64,
}

jointplay_fingerprint::fingerprint!(struct JournalBearing { bearing, journal, bearing_radius, clearance, contact_point });

/// A round pin and one section of a wall that it may touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Wall {
    /// The body of the wall.
    pub body: BodyId,
    /// The section, in the frame of that body.
    pub section: Section,
    /// The centre of the pin.
    pub pin: Anchor,
    /// The radius of the pin (m); 0 is a corner.
    pub pin_radius: f64,
    /// Where both forces act and slip is measured, as in [`JournalBearing::contact_point`].
    pub contact_point: f64,
    /// How far the pin can move freely (m), if there is such a length; tolerances are derived from
    /// it.
    pub play: Option<f64>,
    /// Thickness of the touching part behind its surface (m), if known: the radius of a pin, half the height of a
    /// block. Contact laws assume indentations that are small compared with it.
    pub solid: Option<f64>,
    /// Whether the section ends where its shape does; otherwise flats are endless and arcs are full circles.
    pub bounded: bool,
    /// The contacts to which this one passes at the beginning and at the end of the section.
    pub neighbours: [Option<ContactId>; 2],
}

jointplay_fingerprint::fingerprint!(struct Wall {
    body, section, pin, pin_radius, contact_point, play, solid, bounded, neighbours,
});

/// A round pin of one body in a chain of walls of another, such as a slot.
#[derive(Clone, Debug, PartialEq)]
pub struct PinInWalls {
    /// The body of the walls.
    pub body: BodyId,
    /// The walls, in the frame of that body.
    pub outline: Outline,
    /// The centre of the pin.
    pub pin: Anchor,
    /// The radius of the pin (m); 0 is a corner.
    pub pin_radius: f64,
    /// Where both forces act and slip is measured, as in [`JournalBearing::contact_point`]; 1 is the pin's surface.
    pub contact_point: f64,
    /// How far the pin can move freely (m), if there is such a length; tolerances are derived from
    /// it.
    pub play: Option<f64>,
}

/// A block of one body between the two parallel walls of a guide of another: each of its four corners may touch a wall,
/// and each of the four ends of walls that are not endless a side of the block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BlockInGuide {
    /// The middle line of the guide.
    pub guide: Axis,
    /// The middle of the block and its long axis.
    pub block: Axis,
    /// Length of the block along its axis (m), above 0.
    pub length: f64,
    /// Height of the block across (m), above 0.
    pub height: f64,
    /// Half the difference between the heights of guide and block (m), above 0.
    pub clearance: f64,
    /// Where the walls begin and end along the axis of the guide, from its point (m), the second the greater; `None`
    /// for endless walls.
    pub extent: Option<[f64; 2]>,
    /// Where both forces act and slip is measured: 0 at the surface, 1 at the corner that touches it.
    pub contact_point: f64,
}

/// On which side a stop lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// The coordinate cannot go above the limit.
    Above,
    /// The coordinate cannot go below the limit.
    Below,
}

jointplay_fingerprint::fingerprint!(
    enum Side {
        Above,
        Below,
    }
);

/// The gap of a contact on numbered frames.
#[derive(Clone, Debug)]
pub(crate) enum Gap {
    Journal {
        bearing: Station,
        journal: Station,
        radius: f64,
        clearance: f64,
        contact_point: f64,
    },
    /// A pin on the outside of a circle, a corner if it has no radius.
    Bulge {
        centre: Station,
        pin: Station,
        radius: f64,
        pin_radius: f64,
        contact_point: f64,
    },
    /// A pin on a flat with this unit normal in the frame of its body, from the wall into free space.
    Flat {
        middle: Station,
        pin: Station,
        normal: [f64; 2],
        pin_radius: f64,
        contact_point: f64,
    },
    /// δ = sign · (coordinate − limit).
    Stop {
        row: Row,
        limit: f64,
        sign: f64,
    },
}

/// A gap at one instant. δ̇ = on_a·V_a + on_b·V_b and v_t = slip_a·V_a + slip_b·V_b.
///
/// δ is computed long before δ̇ and is stored apart from it: if they were adjacent, the processor
/// would load both together and wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GapState<T> {
    pub(crate) delta: T,
    pub(crate) on_a: Spatial<T>,
    pub(crate) on_b: Spatial<T>,
    pub(super) slip_a: Spatial<T>,
    pub(super) slip_b: Spatial<T>,
    pub(crate) delta_dot: T,
    pub(crate) v_t: T,
}

impl<T: Real> GapState<T> {
    /// Of two circles, with the normal n, the velocity v of the second centre against the first, and the arms of both centres;
    /// the surface point lies so far along n from each centre.
    #[inline]
    fn of_circles(
        delta: T,
        [n, v, a, b]: [[T; 2]; 4],
        [from_a, from_b]: [T; 2],
        spin: [T; 2],
    ) -> Self {
        let t = perp(n); // Skrinjar2017 eq. (20); r × t = r·n
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
}

impl Gap {
    /// The unit of the overlap.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Gap::Stop { row, .. } if row.kind == RowKind::Angle => "rad",
            Gap::Stop { .. } | Gap::Journal { .. } | Gap::Bulge { .. } | Gap::Flat { .. } => "m",
        }
    }

    pub(crate) fn frames(&self) -> [usize; 2] {
        match self {
            Gap::Stop { row, .. } => row.frames(),
            Gap::Journal { bearing: a, journal: b, .. }
            | Gap::Bulge { centre: a, pin: b, .. }
            | Gap::Flat { middle: a, pin: b, .. } => [a.frame, b.frame],
        }
    }

    /// Whether the touching part is a corner. A corner has no interior, so the side of the wall on
    /// which it is cannot be determined from its centre.
    pub(crate) fn is_corner(&self) -> bool {
        matches!(self, Gap::Flat { pin_radius: 0.0, .. } | Gap::Bulge { pin_radius: 0.0, .. })
    }

    /// The overlap beyond which the bodies have passed through each other: the centre of one circle
    /// is inside the other, or the two points of a distance have nearly met. `None` for walls, for
    /// which [`Front`] shows this, and for bearings, which push back at any depth.
    pub(crate) fn through(&self) -> Option<f64> {
        match *self {
            Gap::Bulge { radius, pin_radius, .. } => {
                [radius, pin_radius].into_iter().filter(|radius| *radius > 0.0).reduce(f64::min)
            }
            Gap::Stop { row: Row { kind: RowKind::Distance, offset, .. }, limit, sign } => {
                let distance = offset + limit;
                (sign < 0.0 && distance > 0.0).then_some(0.99 * distance)
            }
            Gap::Stop { .. } | Gap::Flat { .. } | Gap::Journal { .. } => None,
        }
    }

    /// The message if the bodies have passed through each other.
    pub(crate) fn passed_through(&self) -> &'static str {
        match self {
            Gap::Stop { .. } => "its two points met: the stop is too soft for this impact",
            Gap::Bulge { .. } | Gap::Flat { .. } | Gap::Journal { .. } => {
                "the centre of its circle went through the surface: the contact is too soft for this impact, or the surface too thin"
            }
        }
    }

    /// The places of wall and pin; `None` for a stop.
    pub(crate) fn stations(&self) -> Option<[Station; 2]> {
        match *self {
            Gap::Journal { bearing: a, journal: b, .. }
            | Gap::Bulge { centre: a, pin: b, .. }
            | Gap::Flat { middle: a, pin: b, .. } => Some([a, b]),
            Gap::Stop { .. } => None,
        }
    }

    /// The scale of the rounding error of the overlap.
    pub(crate) fn size(&self, length: f64, motion: &[Motion<f64>]) -> f64 {
        let between =
            |[a, b]: [Station; 2]| Row { kind: RowKind::Distance, a, b, offset: 0.0, driver: None };
        match self {
            Gap::Stop { row, .. } => row.size(length, motion),
            Gap::Journal { .. } | Gap::Bulge { .. } | Gap::Flat { .. } => {
                self.stations().map_or(length, |pair| between(pair).size(length, motion))
            }
        }
    }

    /// The largest number from which the overlap is computed (m): the coordinates of its two
    /// places, and their distance. 0 for a stop.
    pub(crate) fn reach(&self, motion: &[Motion<f64>]) -> f64 {
        self.stations().map_or(0.0, |stations| {
            let [a, b] = stations.map(|station| motion[station.frame].point(station.local).x);
            let apart = [b[0] - a[0], b[1] - a[1]];
            [a, b, apart].into_iter().flatten().fold(0.0, |far: f64, x| far.max(x.abs()))
        })
    }

    /// The radius of the pin that touches a wall (m); 0 for a corner and for a stop.
    pub(super) fn pin_radius(&self) -> f64 {
        match self {
            Gap::Journal { radius, clearance, .. } => radius - clearance,
            Gap::Bulge { pin_radius, .. } | Gap::Flat { pin_radius, .. } => *pin_radius,
            Gap::Stop { .. } => 0.0,
        }
    }

    /// How far δ can rise in a step above its greater value at both ends, given the bows of the three coordinates of a free
    /// body. Only for a bearing: the distance of two points is convex, so that it follows a chord at most up to its higher end;
    /// what is left is the distance of both points from their chords. `None` for other gaps.
    pub(crate) fn bow(&self, bows: impl Fn(usize) -> [Bow; 3]) -> Option<f64> {
        let Gap::Journal { bearing, journal, .. } = self else { return None };
        let of = |station: &Station| {
            if station.frame == 0 {
                return 0.0;
            }
            let [x, y, angle] = bows(station.frame);
            let arm = station.local[0].abs() + station.local[1].abs();
            // A point on an arc leaves its chord by the arm times an eighth of the square of the angle.
            x.height + y.height + arm * (angle.height + 0.125 * angle.change * angle.change)
        };
        Some(of(bearing) + of(journal))
    }

    /// A function of time over a whole interval with the sign of δ − `start`, and with its value
    /// near 0.
    pub(crate) fn enclose(&self, motion: &[Motion<Enclosure>], start: f64) -> Enclosure {
        let between = |a: &Station, b: &Station| {
            let [a, b] = [a, b].map(|s| motion[s.frame].point(s.local).x);
            sub(b, a)
        };
        // (e² − r²)/2r is |e| − r times a number near 1, and has no root in it.
        let beyond = |e: [Enclosure; 2], r: f64| (dot(e, e) - r * r) * (0.5 / r);
        match self {
            Gap::Journal { bearing, journal, clearance, .. } => {
                beyond(between(bearing, journal), *clearance + start)
            }
            Gap::Bulge { centre, pin, radius, pin_radius, .. } => {
                let reach = *radius + *pin_radius - start;
                if !(reach > 0.0) {
                    return Enclosure::constant(-1.0); // a corner cannot touch a corner
                }
                -beyond(between(centre, pin), reach)
            }
            Gap::Flat { middle, pin, normal, pin_radius, .. } => {
                let height = dot(motion[middle.frame].turn(*normal), between(middle, pin));
                -height + (*pin_radius - start)
            }
            Gap::Stop { row, limit, sign } => {
                let distance = row.offset + limit + start * sign;
                if row.kind == RowKind::Distance && distance > 0.0 {
                    beyond(between(&row.a, &row.b), distance) * *sign
                } else {
                    (row.eval(motion, NO_TARGET).residual - *limit) * *sign - start
                }
            }
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
            Gap::Bulge { centre, pin, radius, pin_radius, .. } => {
                let Eccentric { size, n, v, .. } = Eccentric::of(centre, pin, motion);
                [-size + (*radius + *pin_radius), -dot(n, v)]
            }
            Gap::Flat { middle, pin, normal, pin_radius, .. } => {
                let Facing { height, n, v, .. } = Facing::of(middle, pin, *normal, motion);
                [-height + *pin_radius, dot(n, v)]
            }
            Gap::Stop { row, limit, sign } => {
                let value = row.eval(motion, NO_TARGET);
                [(value.residual - *limit) * *sign, value.rate * *sign]
            }
        }
    }

    /// Overlap, its rate and slip.
    #[inline(never)]
    pub(crate) fn measure<T: Real>(&self, motion: &[Motion<T>]) -> GapState<T> {
        self.measure_here(motion)
    }

    /// As [`measure`](Self::measure), for the one caller in every evaluation.
    #[expect(
        clippy::inline_always,
        reason = "inlining avoids returning the results through memory, which would double the cost"
    )]
    #[inline(always)]
    pub(super) fn measure_here<T: Real>(&self, motion: &[Motion<T>]) -> GapState<T> {
        match self {
            Gap::Journal { bearing, journal, radius, clearance, contact_point } => {
                let Eccentric { size, n, v, arms: [a, b] } =
                    Eccentric::of(bearing, journal, motion);
                let delta = size - *clearance;
                // The distances of the surface point from both centres along n; r × t = r·n.
                let from_a = delta * *contact_point + *radius;
                let spin = [bearing, journal].map(|station| motion[station.frame].omega);
                GapState::of_circles(delta, [n, v, a, b], [from_a, from_a - size], spin)
            }
            Gap::Bulge { centre, pin, radius, pin_radius, contact_point } => {
                let Eccentric { size, n: out, v, arms: [a, b] } =
                    Eccentric::of(centre, pin, motion);
                let n = scale(out, T::constant(-1.0));
                let delta = -size + (*radius + *pin_radius);
                let from_b = delta * (*contact_point - 1.0) + *pin_radius;
                let from_a = from_b - size; // along n, which points to the centre
                let spin = [centre, pin].map(|station| motion[station.frame].omega);
                GapState::of_circles(delta, [n, v, a, b], [from_a, from_b], spin)
            }
            Gap::Flat { middle, pin, normal, pin_radius, contact_point } => {
                let Facing { height, n, v, spin, arms: [a, b] } =
                    Facing::of(middle, pin, *normal, motion);
                let delta = -height + *pin_radius;
                let t = perp(n);
                let from_b = delta * (*contact_point - 1.0) + *pin_radius;
                GapState {
                    delta,
                    delta_dot: dot(n, v),
                    v_t: dot(t, v) + (spin[1] - spin[0]) * from_b,
                    on_a: [-n[0], -n[1], -cross(a, n)],
                    on_b: [n[0], n[1], cross(b, n)],
                    slip_a: [-t[0], -t[1], -dot(a, n) - from_b],
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

/// Below this square of its distance (m²) a journal is centred.
const CENTRED: f64 = 1e-300;

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
    #[expect(
        clippy::inline_always,
        reason = "inlining avoids returning the results through memory, which would double the cost"
    )]
    #[inline(always)]
    fn of(bearing: &Station, journal: &Station, motion: &[Motion<T>]) -> Self {
        let a = motion[bearing.frame].point(bearing.local);
        let b = motion[journal.frame].point(journal.local);
        let e = sub(b.x, a.x);
        let square = dot(e, e);
        let size = square.sqrt(); // Skrinjar2017 eq. (17)
        // A centred journal has no direction; any serves, because it is apart. The division does
        // not wait for the root.
        let n = if square.value() > CENTRED {
            scale(e, T::constant(1.0) / square * size) // Skrinjar2017 eq. (18)
        } else {
            [T::constant(1.0), T::ZERO]
        };
        Eccentric { size, n, v: sub(b.v, a.v), arms: [a.arm, b.arm] }
    }
}

/// A pin in front of a flat.
struct Facing<T> {
    /// Of the pin's centre above the flat (m).
    height: T,
    /// Direction into the wall.
    n: [T; 2],
    /// Velocity of the pin's centre on the body of the flat (m/s).
    v: [T; 2],
    /// Angular velocities of wall and pin (rad/s).
    spin: [T; 2],
    /// The pin's centre from the centres of mass of both bodies (m).
    arms: [[T; 2]; 2],
}

impl<T: Real> Facing<T> {
    #[inline]
    fn of(middle: &Station, pin: &Station, normal: [f64; 2], motion: &[Motion<T>]) -> Self {
        let wall = &motion[middle.frame];
        let a = wall.point(middle.local);
        let b = motion[pin.frame].point(pin.local);
        let e = sub(b.x, a.x);
        let n = wall.turn([-normal[0], -normal[1]]);
        // The velocity of the flat's body at the pin's centre: v_a + ω × e.
        let v = sub(sub(b.v, a.v), scale(perp(e), wall.omega));
        Facing {
            height: -dot(n, e),
            n,
            v,
            spin: [wall.omega, motion[pin.frame].omega],
            arms: [[a.arm[0] + e[0], a.arm[1] + e[1]], b.arm],
        }
    }
}
