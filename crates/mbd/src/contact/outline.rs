//! Walls that a round pin may touch: chains of flats and arcs on a body.

use std::f64::consts::{PI, TAU};

use crate::circle::sin_cos;

/// The form of one section of a wall, in the frame of its body. Free space is to the left when going along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shape {
    /// A straight piece.
    Flat {
        /// Where it begins (m).
        from: [f64; 2],
        /// Where it ends (m).
        to: [f64; 2],
    },
    /// A piece of a circle. Counter-clockwise, with a positive sweep, free space is inside: the end of a slot.
    /// Clockwise it is outside: a bulge.
    Arc {
        /// Its centre (m).
        centre: [f64; 2],
        /// Its radius (m); 0 is a corner, which turns clockwise.
        radius: f64,
        /// The direction from the centre to where it begins (rad).
        from_angle: f64,
        /// The angle that it covers (rad), from −2π to 2π.
        sweep: f64,
    },
}

jointplay_fingerprint::fingerprint!(enum Shape { Flat { from, to }, Arc { centre, radius, from_angle, sweep } });

/// The role of a section of a slot; each role may have its own law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Region {
    /// A flat side.
    Flat,
    /// The arc that closes a slot.
    End,
    /// The side of a curved slot near its centre.
    Inner,
    /// The side of a curved slot far from its centre.
    Outer,
    /// A corner.
    Corner,
}

jointplay_fingerprint::fingerprint!(
    enum Region {
        Flat,
        End,
        Inner,
        Outer,
        Corner,
    }
);

impl Region {
    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Region::Flat => "flat",
            Region::End => "end",
            Region::Inner => "inner",
            Region::Outer => "outer",
            Region::Corner => "corner",
        }
    }
}

/// One section of a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Section {
    /// Its role.
    pub region: Region,
    /// Its form.
    pub shape: Shape,
}

jointplay_fingerprint::fingerprint!(struct Section { region, shape });

/// A chain of sections, each beginning where the one before ends.
///
/// Where two sections meet smoothly a contact passes from one to the other with its memory. A
/// corner that points into free space becomes a section of its own; at a corner that points away
/// the pin touches both sections at once.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    sections: Vec<Section>,
    closed: bool,
}

/// Sections meet where their ends are no farther apart than this fraction of their size, and smoothly if they turn by less
/// than this angle (rad).
const MEETS: f64 = 1e-9;

impl Outline {
    /// A chain of these sections; `closed` if the last one ends where the first begins. Corners that point into free
    /// space are put in.
    pub fn new(sections: impl IntoIterator<Item = Section>, closed: bool) -> Self {
        let given: Vec<Section> = sections.into_iter().filter(|s| !s.shape.is_empty()).collect();
        let mut sections = Vec::with_capacity(2 * given.len());
        for (i, section) in given.iter().enumerate() {
            sections.push(*section);
            let next = match given.get(i + 1) {
                Some(next) => Some(next),
                None if closed => given.first(),
                None => None,
            };
            if let Some(next) = next {
                let (before, after) = (section.shape.heading(1.0), next.shape.heading(0.0));
                let turn = wrap(after - before);
                if turn < -MEETS {
                    sections.push(corner(section.shape.point(1.0), before, turn));
                }
            }
        }
        if !closed && let (Some(first), Some(last)) = (given.first(), given.last()) {
            // A pin can also hit the ends of an open chain.
            let head = corner(first.shape.point(0.0), first.shape.heading(0.0) + PI, -PI);
            let tail = corner(last.shape.point(1.0), last.shape.heading(1.0), -PI);
            sections.insert(0, head);
            sections.push(tail);
        }
        Outline { sections, closed }
    }

    /// The slot swept out by a circle whose centre moves from one point to another while its radius (m) changes linearly:
    /// two flats, parallel if the radii are equal, and two arcs to which they are tangent. If the points coincide, a full
    /// circle.
    pub fn slot(from: [f64; 2], to: [f64; 2], radii: [f64; 2]) -> Self {
        let [r, s] = radii;
        let way = [to[0] - from[0], to[1] - from[1]];
        if libm::hypot(way[0], way[1]) <= (r - s).abs() {
            // The smaller circle lies in the greater.
            let (centre, radius) = if r >= s { (from, r) } else { (to, s) };
            return Outline { sections: vec![end(centre, radius, 0.0, TAU)], closed: true };
        }
        let Sides { right, left, ends } = Sides::tapered(from, to, radii);
        let sections = [right, vec![ends[1]], left, vec![ends[0]]].concat();
        Outline { sections, closed: true }
    }

    /// As [`slot`](Self::slot), but open where it begins or ends: one chain of walls, or two. `None` if the points coincide.
    pub fn open_slot(
        from: [f64; 2],
        to: [f64; 2],
        radii: [f64; 2],
        open: [bool; 2],
    ) -> Option<Vec<Self>> {
        let way = [to[0] - from[0], to[1] - from[1]];
        let far = libm::hypot(way[0], way[1]) > (radii[0] - radii[1]).abs();
        far.then(|| Sides::tapered(from, to, radii).chains(open))
    }

    /// The slot along an arc: two tracks about its centre (m), half a width (m) within and without its radius (m), and
    /// two arcs that close it. The angles (rad) are those of the centres of the latter, the second the greater.
    pub fn curved_slot(centre: [f64; 2], radius: f64, angles: [f64; 2], half_width: f64) -> Self {
        let [from_angle, to] = angles;
        let shape = Shape::Arc { centre, radius, from_angle, sweep: to - from_angle };
        let Sides { right, left, ends } = Sides::along(&[shape], half_width);
        let sections = [right, vec![ends[1]], left, vec![ends[0]]].concat();
        Outline { sections, closed: true }
    }

    /// The slot of this half width (m) along a chain of flats and arcs, its middle line, closed by arcs or open where it
    /// begins and ends: one chain of walls, or two if it is open at both ends.
    ///
    /// The pieces must meet smoothly; [`first_break`](Self::first_break) finds where they do not.
    pub fn channel(middle: &[Shape], half_width: f64, open: [bool; 2]) -> Vec<Self> {
        if middle.is_empty() {
            return Vec::new();
        }
        Sides::along(middle, half_width).chains(open)
    }

    /// A flat (m) with free space to its left.
    pub fn flat(from: [f64; 2], to: [f64; 2]) -> Self {
        Outline::new([Section { region: Region::Flat, shape: Shape::Flat { from, to } }], false)
    }

    /// The sections in their order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// Whether the last section ends where the first begins.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Whether a point lies inside a closed chain; each arc is approximated by 64 chords.
    pub fn encloses(&self, [x, y]: [f64; 2]) -> bool {
        let points = self.sections.iter().flat_map(|section| {
            let pieces = match section.shape {
                Shape::Flat { .. } => 1,
                Shape::Arc { .. } => 64,
            };
            (0..pieces).map(move |i| section.shape.point(f64::from(i) / f64::from(pieces)))
        });
        let points: Vec<[f64; 2]> = points.collect();
        let sides = points.iter().zip(points.iter().cycle().skip(1));
        // A ray from the point crosses the chain an odd number of times.
        let crossed = sides.filter(|([ax, ay], [bx, by])| {
            (*ay > y) != (*by > y) && x < ax + (y - ay) * (bx - ax) / (by - ay)
        });
        self.closed && crossed.count() % 2 == 1
    }

    /// For each section the one before and the one after to which a contact passes smoothly.
    pub fn neighbours(&self) -> Vec<[Option<usize>; 2]> {
        let count = self.sections.len();
        let smooth = |i: usize, j: usize| {
            let (a, b) = (self.sections[i].shape, self.sections[j].shape);
            wrap(b.heading(0.0) - a.heading(1.0)).abs() <= MEETS
        };
        let wraps = self.closed && count > 1;
        (0..count)
            .map(|i| {
                let before = if i > 0 { Some(i - 1) } else { wraps.then(|| count - 1) };
                let after = if i + 1 < count { Some(i + 1) } else { wraps.then_some(0) };
                [before.filter(|&j| smooth(j, i)), after.filter(|&j| smooth(i, j))]
            })
            .collect()
    }

    /// Where the chain is broken: after this section the next begins at another place.
    pub fn first_break(&self) -> Option<usize> {
        let ends = |i: usize| self.sections[i].shape;
        let size = self.sections.iter().map(|s| s.shape.size()).fold(0.0, f64::max);
        let count = self.sections.len();
        let last = if self.closed { count } else { count.saturating_sub(1) };
        (0..last).find(|&i| {
            let (end, start) = (ends(i).point(1.0), ends((i + 1) % count).point(0.0));
            !(libm::hypot(end[0] - start[0], end[1] - start[1]) <= MEETS * size)
        })
    }
}

/// An arc that closes a slot.
fn end(centre: [f64; 2], radius: f64, from_angle: f64, sweep: f64) -> Section {
    Section { region: Region::End, shape: Shape::Arc { centre, radius, from_angle, sweep } }
}

/// The walls of a slot: that to the right of its way, that to the left, which goes back, and the arcs at both ends.
struct Sides {
    right: Vec<Section>,
    left: Vec<Section>,
    ends: [Section; 2],
}

impl Sides {
    /// Two flats that are tangent to two circles, neither within the other.
    fn tapered(from: [f64; 2], to: [f64; 2], [r, s]: [f64; 2]) -> Self {
        let way = [to[0] - from[0], to[1] - from[1]];
        // The flats lean by the angle whose sine is (s − r)/length.
        let lean = libm::asin((s - r) / libm::hypot(way[0], way[1]));
        let along = libm::atan2(way[1], way[0]);
        let at = |centre: [f64; 2], radius: f64, angle: f64| {
            let (sin, cos) = sin_cos(angle);
            [centre[0] + radius * cos, centre[1] + radius * sin]
        };
        // The flats touch the arcs in these directions from their centres.
        let (right, left) = (along - PI / 2.0 - lean, along + PI / 2.0 + lean);
        let flat = |from, to| Section { region: Region::Flat, shape: Shape::Flat { from, to } };
        Sides {
            right: vec![flat(at(from, r, right), at(to, s, right))],
            left: vec![flat(at(to, s, left), at(from, r, left))],
            ends: [end(from, r, left, PI - 2.0 * lean), end(to, s, right, PI + 2.0 * lean)],
        }
    }

    /// At this distance on both sides of a chain that is not empty.
    fn along(middle: &[Shape], half_width: f64) -> Self {
        let beside = |shape: &Shape, side: f64| match *shape {
            Shape::Flat { from, to } => {
                let heading = shape.heading(0.0) + PI / 2.0;
                let (sin, cos) = sin_cos(heading);
                let off = [side * half_width * cos, side * half_width * sin];
                let [from, to] = [from, to].map(|p| [p[0] + off[0], p[1] + off[1]]);
                Section { region: Region::Flat, shape: Shape::Flat { from, to } }
            }
            Shape::Arc { centre, radius, from_angle, sweep } => {
                // Going counter-clockwise the centre is to the left.
                let radius = radius - side * half_width.copysign(sweep);
                let outer = side * sweep < 0.0;
                let region = if outer { Region::Outer } else { Region::Inner };
                Section { region, shape: Shape::Arc { centre, radius, from_angle, sweep } }
            }
        };
        let back = |section: Section| Section { shape: section.shape.reversed(), ..section };
        let (first, last) = (middle[0], middle[middle.len() - 1]);
        Sides {
            right: middle.iter().map(|shape| beside(shape, -1.0)).collect(),
            left: middle.iter().rev().map(|shape| back(beside(shape, 1.0))).collect(),
            ends: [
                end(first.point(0.0), half_width, first.heading(0.0) + PI / 2.0, PI),
                end(last.point(1.0), half_width, last.heading(1.0) - PI / 2.0, PI),
            ],
        }
    }

    /// The chains of walls of a slot that is open where it begins, where it ends, or not.
    fn chains(self, open: [bool; 2]) -> Vec<Outline> {
        let Sides { right, left, ends: [begin, end] } = self;
        match open {
            [false, false] => {
                let sections = [right, vec![end], left, vec![begin]].concat();
                vec![Outline { sections, closed: true }]
            }
            [true, false] => vec![Outline::new([right, vec![end], left].concat(), false)],
            [false, true] => vec![Outline::new([left, vec![begin], right].concat(), false)],
            [true, true] => vec![Outline::new(right, false), Outline::new(left, false)],
        }
    }
}

/// The corner at a point, where a wall that arrives in the direction `heading` turns by this negative angle (rad).
fn corner(point: [f64; 2], heading: f64, turn: f64) -> Section {
    let from_angle = heading + PI / 2.0;
    let shape = Shape::Arc { centre: point, radius: 0.0, from_angle, sweep: turn };
    Section { region: Region::Corner, shape }
}

impl Shape {
    /// The point at this fraction of the way along.
    pub fn point(&self, part: f64) -> [f64; 2] {
        match *self {
            Shape::Flat { from, to } => [0, 1].map(|i| from[i] * (1.0 - part) + to[i] * part),
            Shape::Arc { centre, radius, from_angle, sweep } => {
                let (sin, cos) = sin_cos(from_angle + part * sweep);
                [centre[0] + radius * cos, centre[1] + radius * sin]
            }
        }
    }

    /// The same piece, the other way.
    pub fn reversed(&self) -> Self {
        match *self {
            Shape::Flat { from, to } => Shape::Flat { from: to, to: from },
            Shape::Arc { centre, radius, from_angle, sweep } => {
                Shape::Arc { centre, radius, from_angle: from_angle + sweep, sweep: -sweep }
            }
        }
    }

    /// The angle (rad) of the tangent at this fraction of the way along.
    pub fn heading(&self, part: f64) -> f64 {
        match *self {
            Shape::Flat { from, to } => libm::atan2(to[1] - from[1], to[0] - from[0]),
            Shape::Arc { from_angle, sweep, .. } => {
                from_angle + part * sweep + (PI / 2.0).copysign(sweep)
            }
        }
    }

    /// The radius of its curvature (m) as a surface: positive where it bulges, negative where it is hollow, `None` for a
    /// flat.
    pub fn surface_radius(&self) -> Option<f64> {
        match *self {
            Shape::Flat { .. } => None,
            Shape::Arc { radius, sweep, .. } => Some(-radius.copysign(sweep)),
        }
    }

    /// Its size (m).
    fn size(&self) -> f64 {
        let numbers = match *self {
            Shape::Flat { from, to } => [from[0], from[1], to[0], to[1]],
            Shape::Arc { centre, radius, .. } => [centre[0], centre[1], radius, 0.0],
        };
        numbers.into_iter().map(f64::abs).fold(0.0, f64::max)
    }

    fn is_empty(&self) -> bool {
        match *self {
            Shape::Flat { from, to } => from == to,
            Shape::Arc { sweep, .. } => sweep == 0.0,
        }
    }
}

/// An angle in (−π, π].
fn wrap(angle: f64) -> f64 {
    let turns = (angle / TAU).round();
    angle - turns * TAU
}

#[cfg(test)]
mod tests;
