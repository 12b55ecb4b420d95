//! Where a guard crosses zero inside an accepted step.
//!
//! Every guard is sampled along the dense output at a few Chebyshev nodes. If the mean of the
//! polynomial through the samples exceeds the sum of its other Chebyshev coefficients, the
//! polynomial has no zero and the step contains no event; this check costs a handful of operations.
//! Otherwise all 17 nodes are evaluated, each dip between three of them is followed to its bottom,
//! and a crossing is located by a bracketing root finder.
//!
//! This module works with `theta`, the fraction of the step, and contains neither time nor state
//! nor method.

mod chebyshev;
mod clear;
mod crossing;
mod search;

use serde::{Deserialize, Serialize};

use crate::{Crossing, Direction, Trigger, Vector, exact};
use chebyshev::{LAST, NODES};

/// A guard this close to zero, relative to its greatest value in the step, touches it but does not cross.
pub(crate) const TOUCH: f64 = 1e-13;

/// The same for a guard that may not be beyond zero and whose rounding the system reports.
const TOUCH_BOUND: f64 = 1e-15;

/// The rounding that a system reports is doubled at most this many times.
const MOST_DOUBLINGS: usize = 6;

/// Soon after its event a guard must have left zero by this fraction of its largest value in the step, so that rounding of
/// the state does not count.
const LEFT: f64 = 1e-11;

/// The guards of a run: their values in the present step, and the side of zero on which each one is.
#[derive(Debug)]
pub(crate) struct GuardWatch<G> {
    /// +1 or −1; 0 for a guard that has not left zero since the (re)start and is not armed.
    side: G,
    /// Values at the nodes of the present step.
    values: [G; NODES.len()],
    /// Values in the middle of the previous step, and its size; 0 if no step led here smoothly.
    before: G,
    size_before: f64,
    /// The sides at the end of the present step, if it holds no event.
    side_after: G,
    /// A guard that is not armed has left zero when it exceeds four times this value.
    residue: G,
    /// Values at a point between the nodes.
    probe: G,
    /// The places in the present step at which guards fire.
    roots: G,
    /// The guards that may come near zero in the present step: only these are followed on its dense output.
    doubtful: Doubtful,
    /// Whether the system has [proved](crate::System::stays) of each guard that it stays on its side in the present step;
    /// empty with few guards.
    proven: Vec<bool>,
    /// Working memory: guards that are not decided yet, or other numbers of guards.
    open: Vec<usize>,
}

/// With this number of guards or more, each is judged by itself along the rough polynomial, and only those in doubt are followed on
/// the dense output.
const MANY: usize = 8;

/// The numbers of some guards, ascending. Where there are few guards it is always all of them, and nothing is allocated.
#[derive(Debug)]
struct Doubtful {
    count: usize,
    some: Vec<usize>,
}

impl std::ops::Deref for Doubtful {
    type Target = [usize];

    #[inline]
    fn deref(&self) -> &[usize] {
        const FEW: [usize; MANY] = [0, 1, 2, 3, 4, 5, 6, 7];
        if self.count < MANY { &FEW[..self.count] } else { &self.some }
    }
}

/// The memory of the guards from step to step.
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
            doubtful: Doubtful { count, some: Vec::new() },
            proven: vec![false; if count < MANY { 0 } else { count }],
            open: Vec::new(),
        }
    }

    /// The data with which a later watch over the same guards can continue.
    #[inline]
    pub(crate) fn into_sides(self) -> Sides<G> {
        let GuardWatch { side, residue, values, before, size_before, .. } = self;
        Sides { side, residue, values, before, size_before }
    }

    /// Continues with the memory of an earlier watch; `false` if that had another number of guards.
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

    /// Any guard may come near zero in the present step.
    #[inline]
    pub(crate) fn doubt_all(&mut self) {
        let Doubtful { count, some } = &mut self.doubtful;
        if *count >= MANY && some.len() != *count {
            some.clear();
            some.extend(0..*count);
        }
        self.proven.fill(false);
    }

    /// The guards that are proven to stay on their sides in the present step.
    #[inline]
    pub(crate) fn proven(&self) -> &[bool] {
        &self.proven
    }

    /// The numbers of all other guards.
    pub(crate) fn unproven(&mut self) -> &[usize] {
        let GuardWatch { side, proven, open, .. } = self;
        let is_proven = |guard: &usize| proven.get(*guard).is_some_and(|proven| *proven);
        open.clear();
        open.extend((0..side.as_slice().len()).filter(|guard| !is_proven(guard)));
        open
    }

    /// The guards that must be followed inside the present step.
    #[inline]
    pub(crate) fn open(&self) -> &[usize] {
        &self.open
    }

    /// The numbers of the guards that fired, and memory for their values.
    pub(crate) fn fired_and_probe(&mut self, fired: &[Crossing]) -> (&[usize], &mut G) {
        self.open.clear();
        self.open.reserve(self.side.as_slice().len());
        self.open.extend(fired.iter().map(|crossing| crossing.guard));
        (&self.open, &mut self.probe)
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

    /// Memory for the values of the guards at one point.
    #[inline]
    pub(crate) fn probe(&mut self) -> &mut G {
        &mut self.probe
    }

    /// Takes the sides from the values at the start. A guard that is zero within its rounding, or
    /// that has just fired and was left where it was, is not armed: it gets a side when it leaves
    /// zero. But a guard that fired in one direction and now waits for the other is on the side to
    /// which it crossed, even if it comes back immediately. A guard that may not be beyond zero
    /// always has its side, and fires as soon as it is beyond zero by more than its rounding, which
    /// is in [`probe`](GuardWatch::probe).
    ///
    /// If crossings had no effect for the `idle`th time at this place, the assumed rounding is too
    /// small, and is doubled each time.
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
                // A guard that waits to return must come back farther than rounding could take it.
                // If it may not be beyond zero the rounding is known; that of a long step before
                // the event may be any number.
                let returns = !trigger.accepts(direction);
                let (side, noise) = match trigger.home() {
                    Some(home) => (home, 0.0),
                    None if returns => (crossed_to, touch),
                    None => (0.0, 0.0),
                };
                sides[guard] = side;
                // A guard on its own side needs no allowance.
                let beyond = trigger.home().is_none_or(|home| home * start[guard] < 0.0);
                let left = if beyond { start[guard].abs() } else { 0.0 };
                let doubled = f64::from(1_u32 << idle.min(MOST_DOUBLINGS));
                residues[guard] = left.max(noise).max(0.25 * doubled * rounding[guard]);
            }
        }
    }

    /// Where to write the values at the end of a step, before it is checked.
    #[inline]
    pub(crate) fn end_mut(&mut self) -> &mut G {
        &mut self.values[LAST]
    }

    /// The end of the step of this size becomes the start of the next.
    #[inline]
    pub(crate) fn shift(&mut self, size: f64) {
        self.values.swap(0, LAST);
        std::mem::swap(&mut self.before, &mut self.values[LAST / 2]);
        self.size_before = size;
    }

    /// The previous step says nothing about the next.
    pub(crate) fn forget_before(&mut self) {
        self.size_before = 0.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
            watch.doubt_all();
            let mut eval =
                |theta: f64, _: &[usize], g: &mut [f64; 1]| *g = [value(f64::from(step) + theta)];
            eval(1.0, &[0], watch.end_mut());
            if !watch.sample(4, &mut eval) {
                let root = watch.search(4, 1e-16, |_| Trigger::Either, &mut fired, eval);
                assert_eq!(root.map(|root| root.is_some()), Ok(step == 30));
            }
            watch.shift(1.0);
        }
        assert_eq!((watch.side, fired.len()), ([1.0], 1));
    }
}
