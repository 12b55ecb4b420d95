//! Where a guard crosses zero inside an accepted step.
//!
//! Every guard is sampled along the dense output at a few Chebyshev nodes. Where the polynomial through the
//! samples has no zero, which is certain if its mean exceeds the sum of its other Chebyshev coefficients, the
//! step holds no event: this costs a handful of operations. Otherwise all 17 nodes are taken, each dip between
//! three of them is followed to its bottom, and a crossing is located by a bracketing root finder.
//!
//! This module knows `theta`, the fraction of the step, but neither time nor state nor method.

mod crossing;

use serde::{Deserialize, Serialize};

use crate::{Crossing, Direction, Trigger, Vector, exact};
use crossing::{Criteria, direction_from, first_crossing, leaves_to, root};

/// Chebyshev nodes `sin²(i π/32)` of a step. The first and the last gap are below 1 % of the step, so that an
/// excursion of a guard that starts with the step, or ends with it, shows at a node.
const NODES: [f64; 17] = [
    0.0,
    0.009607359798384776,
    0.038060233744356624,
    0.08426519384872738,
    0.14644660940672624,
    0.22221488349019888,
    0.30865828381745514,
    0.40245483899193585,
    0.5,
    0.5975451610080641,
    0.6913417161825449,
    0.7777851165098011,
    0.8535533905932737,
    0.9157348061512727,
    0.9619397662556434,
    0.9903926402016152,
    1.0,
];
const LAST: usize = NODES.len() - 1;

/// A guard this close to zero, relative to its greatest value in the step, touches it but does not cross.
pub(crate) const TOUCH: f64 = 1e-13;

/// The same for a guard that may not be beyond zero and whose rounding the system reports.
const TOUCH_BOUND: f64 = 1e-15;

/// The rounding that a system reports is doubled at most this many times.
const MOST_DOUBLINGS: usize = 6;

/// Soon after its event a guard must have left zero by this fraction of its largest value in the step, so that rounding of
/// the state does not count.
const LEFT: f64 = 1e-11;

/// Guards whose crossings are no further apart than this fraction of the step cross together.
const TOGETHER: f64 = 1e-10;

/// A guard stays far from zero if the mean of its samples exceeds their spread by this factor.
const FAR: f64 = 3.0;

/// Five nodes resolve a guard if it stays far from zero even when its last two coefficients are multiplied by this factor.
const TAIL: f64 = 8.0;

/// With a node of the previous step, three nodes resolve a guard if it stays far from zero even when its
/// last coefficient is multiplied by this factor.
const TAIL_BEFORE: f64 = 32.0;

/// The previous step says something about this one if the ratio of their sizes is in this range.
const NEIGHBOURLY: std::ops::RangeInclusive<f64> = 0.4..=4.0;

/// The guards of a run: their values in the present step, and the side of zero on which each one is.
#[derive(Debug)]
pub(crate) struct GuardWatch<G> {
    /// +1 or −1; 0 for a guard that has not left zero since the (re)start and is not armed.
    side: G,
    /// Values at the nodes of the present step.
    values: [G; NODES.len()],
    /// Values in the middle of the step before, and its size; 0 where none led here smoothly.
    before: G,
    size_before: f64,
    /// The sides at the end of the present step, if it holds no event.
    side_after: G,
    /// For a guard that is not armed: it has left zero when it is beyond four times this value.
    residue: G,
    /// Values at a point between the nodes.
    probe: G,
    /// Where each guard that fires in the present step does so.
    roots: G,
}

/// What the guards remember from step to step.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub(crate) struct Sides<G: Vector> {
    #[serde(with = "exact::vector")]
    side: G,
    #[serde(with = "exact::vector")]
    residue: G,
    #[serde(with = "exact::vectors")]
    values: [G; NODES.len()],
    #[serde(with = "exact::vector")]
    before: G,
    #[serde(with = "exact")]
    size_before: f64,
}

/// The first event in a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Root {
    /// Place in the step.
    pub(crate) theta: f64,
    /// The guard that fires there; the first if there are several.
    pub(crate) guard: usize,
    /// Derivative of that guard with respect to `theta`.
    pub(crate) slope: f64,
    /// The greatest magnitude of that guard in the step.
    pub(crate) range: f64,
}

impl<G: Vector> GuardWatch<G> {
    #[inline]
    pub(crate) fn new(count: usize) -> Self {
        GuardWatch {
            side: G::zeros(count),
            values: std::array::from_fn(|_| G::zeros(count)),
            before: G::zeros(count),
            size_before: 0.0,
            side_after: G::zeros(count),
            residue: G::zeros(count),
            probe: G::zeros(count),
            roots: G::zeros(count),
        }
    }

    /// What a later watch over the same guards needs to go on.
    #[inline]
    pub(crate) fn into_sides(self) -> Sides<G> {
        let GuardWatch { side, residue, values, before, size_before, .. } = self;
        Sides { side, residue, values, before, size_before }
    }

    /// Goes on with what an earlier watch remembers; `false` if that had another number of guards.
    pub(crate) fn take_up(&mut self, sides: Sides<G>) -> bool {
        let Sides { side, residue, values, before, size_before } = sides;
        let count = self.side.as_slice().len();
        let fits = |v: &G| v.as_slice().len() == count;
        let fits = values.iter().chain([&side, &residue, &before]).all(fits);
        (self.side, self.residue, self.values) = (side, residue, values);
        (self.before, self.size_before) = (before, size_before);
        fits
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.side.as_slice().is_empty()
    }

    /// Where to write the values at the start of a run or after a transition; [`arm`](GuardWatch::arm) must follow.
    #[inline]
    pub(crate) fn start_mut(&mut self) -> &mut G {
        &mut self.values[0]
    }

    /// The value up to which a guard cannot be distinguished from zero, if that is known.
    pub(crate) fn rounding(&self, guard: usize) -> Option<f64> {
        Some(4.0 * self.residue.as_slice()[guard]).filter(|rounding| *rounding > 0.0)
    }

    /// The value up to which no guard can be distinguished from zero.
    pub(crate) fn greatest_rounding(&self) -> f64 {
        4.0 * self.residue.as_slice().iter().fold(0.0, |greatest: f64, r| greatest.max(*r))
    }

    /// Room for the values of the guards at one point.
    #[inline]
    pub(crate) fn probe(&mut self) -> &mut G {
        &mut self.probe
    }

    /// Takes the sides from the values at the start. A guard that is zero but for its rounding, or that has just fired
    /// and was left where it was, is not armed: it takes its side when it leaves zero. But one that fired in one direction and
    /// now waits for the other is on the side that it crossed to, however soon it comes back. One that may not be
    /// beyond zero is on its side of it always, and fires as soon as it is beyond by more than its rounding, which
    /// [`probe`](GuardWatch::probe) holds.
    ///
    /// Where the crossings meant nothing, and that for the `idle`th time at this place, what is called rounding is too little,
    /// and is doubled each time.
    pub(crate) fn arm(
        &mut self,
        fired: &[Crossing],
        idle: usize,
        trigger: impl Fn(usize) -> Trigger,
    ) {
        let [start, samples @ ..] = &self.values;
        let (start, rounding) = (start.as_slice(), self.probe.as_slice());
        let sides = self.side.as_mut_slice();
        let residues = self.residue.as_mut_slice();
        for (guard, &value) in start.iter().enumerate() {
            let on_zero = value.abs() <= rounding[guard];
            let by_value = if on_zero { 0.0 } else { value.signum() };
            let home = trigger(guard).home();
            sides[guard] = home.unwrap_or(by_value);
            let rests = home.is_some() || on_zero;
            residues[guard] = if rests { 0.25 * rounding[guard] } else { 0.0 };
        }
        self.size_before = 0.0;
        for &Crossing { guard, value, direction } in fired {
            // The samples are still those of the step that led to the event.
            let range = samples.iter().fold(0.0, |m: f64, g| m.max(g.as_slice()[guard].abs()));
            let trigger = trigger(guard);
            let touch = if trigger.home().is_some() { TOUCH_BOUND } else { TOUCH } * range;
            if start[guard].abs() <= (2.0 * value.abs()).max(touch) {
                let crossed_to = if direction == Direction::Rising { 1.0 } else { -1.0 };
                // Waiting to return, it must come back farther than rounding could take it. Where it may not be beyond zero the
                // rounding is known; that of a long step before the event may be any number.
                let returns = !trigger.accepts(direction);
                let (side, noise) = match trigger.home() {
                    Some(home) => (home, 0.0),
                    None if returns => (crossed_to, touch),
                    None => (0.0, 0.0),
                };
                sides[guard] = side;
                // What is on the side where it belongs needs no allowance.
                let beyond = trigger.home().is_none_or(|home| home * start[guard] < 0.0);
                let left = if beyond { start[guard].abs() } else { 0.0 };
                let doubled = f64::from(1_u32 << idle.min(MOST_DOUBLINGS));
                residues[guard] = left.max(noise).max(0.25 * doubled * rounding[guard]);
            }
        }
    }

    /// Where to write the values at the end of a step, before it is asked about.
    #[inline]
    pub(crate) fn end_mut(&mut self) -> &mut G {
        &mut self.values[LAST]
    }

    /// Samples the guards at every `stride`-th node between the ends of the step; `true` if none can have
    /// crossed zero.
    #[inline]
    pub(crate) fn sample(&mut self, stride: usize, mut eval: impl FnMut(f64, &mut G)) -> bool {
        for i in (stride..LAST).step_by(stride) {
            eval(NODES[i], &mut self.values[i]);
        }
        let mut all_armed = true;
        let mut clear = true;
        for j in 0..self.side.as_slice().len() {
            let side = self.side.as_slice()[j];
            let (mean, spread) = self.chebyshev(stride, j, |_, value| value);
            all_armed &= side != 0.0;
            let rests = mean.abs() + spread <= 4.0 * self.residue.as_slice()[j];
            clear &= side * mean > spread || side == 0.0 || rests;
        }
        clear && (all_armed || self.leaves_zero(stride, eval))
    }

    /// `false` if by the ends of the step alone a guard may come near zero.
    #[inline]
    pub(crate) fn ends_far(&self) -> bool {
        let [start, end] = [0, LAST].map(|i| self.values[i].as_slice());
        let guards = self.side.as_slice().iter().zip(start.iter().zip(end));
        // The odd Chebyshev coefficients add up to half the difference of the ends.
        guards.into_iter().all(|(side, (a, b))| side * (a + b) > FAR * (a - b).abs())
    }

    /// Samples the guards between the ends along a polynomial that is only roughly the solution, with its error added
    /// and subtracted in turn; `true` if none can come near zero. Where the error matters it shows in the spread.
    ///
    /// The middle is looked at first, then the quarters, then the eighths: no further than there is hope, nor where
    /// the nodes so far, or the middle with that of the step before, resolve the guards beyond doubt. `size` is that of
    /// the step.
    #[inline]
    pub(crate) fn stays_far(
        &mut self,
        stride: usize,
        size: f64,
        mut rough: impl FnMut(f64, f64, &mut G),
    ) -> bool {
        let mut look = |watch: &mut Self, nodes: &[usize], sign| {
            for &i in nodes {
                rough(NODES[i], sign, &mut watch.values[i]);
            }
        };
        look(self, &[8], 1.0);
        if !self.all_far(chebyshev3) {
            return false;
        }
        if self.resolved_with_before(size) {
            return true;
        }
        look(self, &[4, 12], -1.0);
        let mut resolved = true;
        let far = self.all_far(|values| {
            let [mean, c1, c2, c3, c4] = coefficients5(values);
            let tail = c3.abs() + c4.abs();
            let spread = c1.abs() + c2.abs() + tail;
            resolved &= mean.abs() > FAR * (spread + TAIL * tail);
            (mean, spread)
        });
        if !far || resolved || stride == 4 {
            return far;
        }
        look(self, &[2, 6, 10, 14], 1.0);
        self.all_far(chebyshev9)
    }

    /// Whether the ends and the middle of this step and the middle of the one before, which led here smoothly, resolve every
    /// guard beyond doubt. What wriggles between three nodes is seen at the fourth: outside the step polynomials of high
    /// degree grow fast.
    #[inline]
    fn resolved_with_before(&self, size: f64) -> bool {
        let ratio = self.size_before / size;
        if !NEIGHBOURLY.contains(&ratio) {
            return false;
        }
        let back = 0.5 * ratio;
        let [near, far] = [0.5 + back, 1.0 + back].map(f64::recip);
        let before = self.before.as_slice();
        self.side.as_slice().iter().enumerate().all(|(j, side)| {
            let [start, middle, end] = [0, LAST / 2, LAST].map(|i| self.values[i].as_slice()[j]);
            // Divided differences at −back, 0, ½ and 1; the cubic term is the last times (T₃ − T₁)/32.
            let slopes = [(start - before[j]) / back, 2.0 * (middle - start), 2.0 * (end - middle)];
            let bends = [(slopes[1] - slopes[0]) * near, slopes[2] - slopes[1]];
            let tail = ((bends[1] - bends[0]) * far).abs() / 32.0;
            let (mean, spread) = chebyshev3([start, middle, end]);
            side * mean > FAR * (spread + TAIL_BEFORE * tail)
        })
    }

    /// Whether the mean of every guard, on its side, exceeds its spread by far; both follow from its values at `N` nodes.
    #[inline]
    fn all_far<const N: usize>(&self, mut of: impl FnMut([f64; N]) -> (f64, f64)) -> bool {
        self.side.as_slice().iter().enumerate().all(|(j, side)| {
            let value = |i: usize| self.values[i * LAST / (N - 1)].as_slice()[j];
            let (mean, spread) = of(std::array::from_fn(value));
            side * mean > FAR * spread
        })
    }

    /// Arms the guards that leave zero in this step, if each of them does so without coming back.
    ///
    /// What matters is whether `value/theta` has a zero. At the start of the step, where this is the slope of
    /// the guard, it is taken from the first node.
    #[cold]
    fn leaves_zero(&mut self, stride: usize, mut eval: impl FnMut(f64, &mut G)) -> bool {
        eval(NODES[1], &mut self.values[1]);
        for j in 0..self.side.as_slice().len() {
            if self.side.as_slice()[j] != 0.0 {
                continue;
            }
            let (mean, spread) = self.chebyshev(stride, j, |_, value| value);
            let first = self.values[1].as_slice()[j];
            let residue = self.residue.as_slice()[j];
            if mean.abs() + spread <= 4.0 * residue {
                continue; // rests on zero and stays unarmed
            }
            let left = (LEFT * (mean.abs() + spread)).max(4.0 * residue);
            let probe = &mut self.probe;
            let early = leaves_to(left, &mut |theta| {
                eval(theta, probe);
                probe.as_slice()[j]
            });
            let (mean, spread) = self.chebyshev(stride, j, |theta, value| {
                if theta == 0.0 { first / NODES[1] } else { value / theta }
            });
            // A value that is not a number fails this comparison and goes to the search.
            if mean.abs() > spread && early.is_none_or(|(_, value)| value * mean > 0.0) {
                self.side.as_mut_slice()[j] = mean.signum();
            } else {
                return false;
            }
        }
        true
    }

    /// Mean and spread of a function of `theta` and the values of one guard at every `stride`-th node.
    #[inline]
    fn chebyshev(&self, stride: usize, guard: usize, of: impl Fn(f64, f64) -> f64) -> (f64, f64) {
        let at = |i: usize| of(NODES[i], self.values[i].as_slice()[guard]);
        if stride == 4 {
            chebyshev5([at(0), at(4), at(8), at(12), at(16)])
        } else {
            chebyshev9(std::array::from_fn(|i| at(2 * i)))
        }
    }

    /// The end of the step of this size becomes the start of the next.
    #[inline]
    pub(crate) fn shift(&mut self, size: f64) {
        self.values.swap(0, LAST);
        std::mem::swap(&mut self.before, &mut self.values[LAST / 2]);
        self.size_before = size;
    }

    /// The step before says nothing about the next.
    pub(crate) fn forget_before(&mut self) {
        self.size_before = 0.0;
    }

    /// Finds the first event in a step that [`sample`](GuardWatch::sample) could not clear, and lists in `fired` the
    /// guards that cross there; their values are not filled in. Without an event the sides are brought up to
    /// date. `Err` names a guard that is not finite.
    ///
    /// `resolution` is the smallest difference of `theta` that time resolves.
    #[cold]
    #[inline(never)]
    pub(crate) fn search(
        &mut self,
        stride: usize,
        resolution: f64,
        trigger: impl Fn(usize) -> Trigger,
        fired: &mut Vec<Crossing>,
        mut eval: impl FnMut(f64, &mut G),
    ) -> Result<Option<Root>, usize> {
        fired.clear();
        fired.reserve(self.side.as_slice().len());
        // Mostly the event lies before the first sample on another side: begin there.
        let mut filled = 0;
        let mut last = self.first_change(stride);
        loop {
            for i in (filled..=last).filter(|i| i % stride != 0) {
                eval(NODES[i], &mut self.values[i]);
            }
            let root = self.search_until(last, resolution, &trigger, fired, &mut eval)?;
            if root.is_some() || last == LAST {
                return Ok(root);
            }
            (filled, last) = (last, LAST);
        }
    }

    /// The first sample at which an armed guard is not on its side; the last if there is none.
    fn first_change(&self, stride: usize) -> usize {
        let side = self.side.as_slice();
        (stride..LAST)
            .step_by(stride)
            .find(|&i| {
                let pairs = side.iter().zip(self.values[i].as_slice());
                pairs.into_iter().any(|(side, value)| side * value < 0.0)
            })
            .unwrap_or(LAST)
    }

    /// Finds the first event between two places, at the second of which a guard is beyond its zero that may not be; lists
    /// in `fired` the guards that cross there, and leaves it as it is if none is beyond by more than rounding.
    #[cold]
    pub(crate) fn search_between(
        &mut self,
        [from, to]: [f64; 2],
        resolution: f64,
        trigger: impl Fn(usize) -> Trigger,
        fired: &mut Vec<Crossing>,
        mut eval: impl FnMut(f64, &mut G),
    ) -> Option<Root> {
        let mut first: Option<Root> = None;
        eval(from, &mut self.probe);
        let at_start = self.probe.clone();
        eval(to, &mut self.probe);
        let at_end = self.probe.clone();
        for guard in 0..self.side.as_slice().len() {
            let Some(side) = trigger(guard).home() else { continue };
            let [a, b] = [&at_start, &at_end].map(|values| side * values.as_slice()[guard]);
            if !(b < -4.0 * self.residue.as_slice()[guard]) {
                continue;
            }
            let mut value_at = |theta: f64| {
                eval(theta, &mut self.probe);
                self.probe.as_slice()[guard]
            };
            let theta = root(side, (from, a), (to, b), resolution, &mut value_at);
            if first.is_none_or(|root| theta < root.theta) {
                let (low, high) = ((theta - 1e-3).max(from), (theta + 1e-3).min(to));
                let rise = value_at(high) - value_at(low);
                let slope = if high > low { rise / (high - low) } else { 0.0 };
                let range = a.abs().max(b.abs());
                fired.clear();
                fired.push(Crossing { guard, direction: direction_from(side), value: 0.0 });
                first = Some(Root { theta, guard, slope, range });
            }
        }
        first
    }

    fn search_until(
        &mut self,
        last: usize,
        resolution: f64,
        trigger: &impl Fn(usize) -> Trigger,
        fired: &mut Vec<Crossing>,
        eval: &mut impl FnMut(f64, &mut G),
    ) -> Result<Option<Root>, usize> {
        let mut first: Option<Root> = None;
        for guard in 0..self.side.as_slice().len() {
            let values: [f64; NODES.len()] =
                std::array::from_fn(|i| self.values[i].as_slice()[guard]);
            let values = &values[..=last];
            if !values.iter().all(|v| v.is_finite()) {
                return Err(guard);
            }
            let probe = &mut self.probe;
            let mut value_at = |theta: f64| {
                eval(theta, probe);
                probe.as_slice()[guard]
            };
            let mut side = self.side.as_slice()[guard];
            let criteria = Criteria {
                trigger: trigger(guard),
                residue: self.residue.as_slice()[guard],
                resolution,
            };
            let found = first_crossing(values, &mut side, &criteria, &mut value_at);
            if let Some((theta, direction)) = found {
                self.roots.as_mut_slice()[guard] = theta;
                fired.push(Crossing { guard, direction, value: 0.0 });
                if first.is_none_or(|root| theta < root.theta) {
                    let (a, b) = ((theta - 1e-3).max(0.0), (theta + 1e-3).min(1.0));
                    let slope = (value_at(b) - value_at(a)) / (b - a);
                    let range = values.iter().fold(0.0, |m: f64, v| m.max(v.abs()));
                    first = Some(Root { theta, guard, slope, range });
                }
            }
            self.side_after.as_mut_slice()[guard] = side;
        }
        if let Some(root) = first {
            let together = root.theta + TOGETHER.max(16.0 * resolution);
            fired.retain(|crossing| self.roots.as_slice()[crossing.guard] <= together);
        } else if last == LAST {
            std::mem::swap(&mut self.side, &mut self.side_after);
        }
        Ok(first)
    }
}

/// Mean and sum of the magnitudes of the other Chebyshev coefficients of the parabola through three values at Chebyshev
/// nodes. The last coefficient counts twice, for what the parabola does not resolve.
#[inline]
fn chebyshev3(v: [f64; 3]) -> (f64, f64) {
    let ends = 0.5 * (v[0] + v[2]);
    (0.5 * (ends + v[1]), 0.5 * (v[0] - v[2]).abs() + (ends - v[1]).abs())
}

/// As [`chebyshev3`], for five values.
#[inline]
fn chebyshev5(v: [f64; 5]) -> (f64, f64) {
    let [mean, c1, c2, c3, c4] = coefficients5(v);
    (mean, c1.abs() + c2.abs() + c3.abs() + c4.abs())
}

/// The Chebyshev coefficients of the polynomial through five values at Chebyshev nodes, the last one doubled.
#[inline]
fn coefficients5(v: [f64; 5]) -> [f64; 5] {
    let ends = 0.25 * (v[0] + v[4]);
    let inner = 0.5 * (v[1] + v[3]);
    let odd_ends = 0.25 * (v[0] - v[4]);
    let odd_inner = 0.25 * std::f64::consts::SQRT_2 * (v[1] - v[3]);
    let even = 0.5 * (ends + 0.5 * v[2]);
    [
        even + 0.5 * inner,
        odd_ends + odd_inner,
        ends - 0.5 * v[2],
        odd_ends - odd_inner,
        2.0 * (even - 0.5 * inner),
    ]
}

/// As [`chebyshev3`], for nine values: the even coefficients are those of the even part at five nodes.
#[inline]
fn chebyshev9(v: [f64; 9]) -> (f64, f64) {
    const C1: f64 = 0.9238795325112867; // cos π/8
    const C2: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const C3: f64 = 0.3826834323650898; // cos 3π/8
    let even = |i: usize| 0.5 * (v[i] + v[8 - i]);
    let odd = |i: usize| 0.25 * (v[i] - v[8 - i]);
    let (mean, spread) = chebyshev5([even(0), even(1), even(2), even(3), even(4)]);
    let (d0, d1, d2, d3) = (0.5 * odd(0), odd(1), odd(2), odd(3));
    let odd_spread = (d0 + C1 * d1 + C2 * d2 + C3 * d3).abs()
        + (d0 + C3 * d1 - C2 * d2 - C1 * d3).abs()
        + (d0 - C3 * d1 - C2 * d2 + C1 * d3).abs()
        + 2.0 * (d0 - C1 * d1 + C2 * d2 - C3 * d3).abs();
    (mean, spread + odd_spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_nodes_are_those_of_chebyshev() {
        for (i, theta) in NODES.iter().enumerate() {
            let exact = 0.5 - 0.5 * (i as f64 * std::f64::consts::PI / LAST as f64).cos();
            assert!((theta - exact).abs() < 1e-15);
        }
    }

    /// The Chebyshev polynomial of degree `k` on [0, 1].
    fn chebyshev_polynomial(k: u32, theta: f64) -> f64 {
        (f64::from(k) * (1.0 - 2.0 * theta).acos()).cos()
    }

    #[test]
    fn exact_mean_and_spread_of_chebyshev_polynomials() {
        for k in 1..=8 {
            let value = |i: usize| 3.0 - 2.0 * chebyshev_polynomial(k, NODES[i]);
            let weight = if k >= 7 { 2.0 } else { 1.0 };
            let (mean, spread) = chebyshev9(std::array::from_fn(|i| value(2 * i)));
            // Of the last even and the last odd coefficient the doubles are taken.
            assert!((mean - 3.0).abs() < 1e-14);
            assert!((spread - 2.0 * weight).abs() < 1e-14, "{k}: {spread}");
            if k <= 4 {
                let weight = if k == 4 { 2.0 } else { 1.0 };
                let (mean, spread) = chebyshev5(std::array::from_fn(|i| value(4 * i)));
                assert!((mean - 3.0).abs() < 1e-14);
                assert!((spread - 2.0 * weight).abs() < 1e-14, "{k}: {spread}");
            }
        }
    }

    #[test]
    fn property_a_guard_that_creeps_away_from_zero_is_armed() {
        // Left at 1e-10 by its event, doubles in each of 30 steps of 1, then falls to −1 within one more.
        let value = |t: f64| if t < 30.0 { 1e-10 * t.exp2() } else { 0.1 - 1.1 * (t - 30.0) };
        let mut fired = vec![Crossing { guard: 0, direction: Direction::Rising, value: 1e-10 }];
        let mut watch = GuardWatch::<[f64; 1]>::new(1);
        *watch.start_mut() = [value(0.0)];
        watch.arm(&fired, 0, |_| Trigger::Either);
        assert_eq!(watch.side, [0.0]);
        for step in 0..=30 {
            let mut eval = |theta: f64, g: &mut [f64; 1]| *g = [value(f64::from(step) + theta)];
            eval(1.0, watch.end_mut());
            if !watch.sample(4, &mut eval) {
                let root = watch.search(4, 1e-16, |_| Trigger::Either, &mut fired, eval);
                assert_eq!(root.map(|root| root.is_some()), Ok(step == 30));
            }
            watch.shift(1.0);
        }
        assert_eq!((watch.side, fired.len()), ([1.0], 1));
    }
}
