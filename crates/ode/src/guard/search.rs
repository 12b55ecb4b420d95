//! The first event in a step, or between two places in it.

use super::chebyshev::{LAST, NODES};
use super::crossing::{Criteria, direction_from, first_crossing, root};
use super::{GuardWatch, Root};
use crate::{Crossing, Trigger, Vector};

/// Guards whose crossings are no further apart than this fraction of the step cross together.
const TOGETHER: f64 = 1e-10;

impl<G: Vector> GuardWatch<G> {
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
        mut eval: impl FnMut(f64, &[usize], &mut G),
    ) -> Result<Option<Root>, usize> {
        fired.clear();
        fired.reserve(self.side.as_slice().len());
        // Usually the event is before the first sample on another side: begin there.
        let mut filled = 0;
        let mut last = self.first_change(stride);
        loop {
            for i in (filled..=last).filter(|i| i % stride != 0) {
                eval(NODES[i], &self.doubtful, &mut self.values[i]);
            }
            let root = self.search_until(last, resolution, &trigger, fired, &mut eval)?;
            if root.is_some() || last == LAST {
                return Ok(root);
            }
            (filled, last) = (last, LAST);
        }
    }

    /// The first sample at which an armed guard that is doubtful is not on its side; the last if there is none.
    fn first_change(&self, stride: usize) -> usize {
        let side = self.side.as_slice();
        (stride..LAST)
            .step_by(stride)
            .find(|&i| {
                let values = self.values[i].as_slice();
                self.doubtful.iter().any(|&j| side[j] * values[j] < 0.0)
            })
            .unwrap_or(LAST)
    }

    /// Finds the first event between two places, at the second of which a guard is beyond its zero that may not be; lists
    /// in `fired` the guards that cross there, and leaves it unchanged if none is beyond zero by
    /// more than rounding.
    #[cold]
    pub(crate) fn search_between(
        &mut self,
        [from, to]: [f64; 2],
        resolution: f64,
        trigger: impl Fn(usize) -> Trigger,
        fired: &mut Vec<Crossing>,
        mut eval: impl FnMut(f64, &[usize], &mut G),
    ) -> Option<Root> {
        let mut first: Option<Root> = None;
        if self.has_many() {
            self.unproven();
            self.doubtful.some.clone_from(&self.open);
        }
        eval(from, &self.doubtful, &mut self.probe);
        let at_start = self.probe.clone();
        eval(to, &self.doubtful, &mut self.probe);
        let at_end = self.probe.clone();
        for guard in 0..self.side.as_slice().len() {
            let Some(side) = trigger(guard).home() else { continue };
            if self.proven.get(guard).is_some_and(|proven| *proven) {
                continue;
            }
            let [a, b] = [&at_start, &at_end].map(|values| side * values.as_slice()[guard]);
            if !(b < -4.0 * self.residue.as_slice()[guard]) {
                continue;
            }
            let mut value_at = |theta: f64| {
                eval(theta, &[guard], &mut self.probe);
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
        eval: &mut impl FnMut(f64, &[usize], &mut G),
    ) -> Result<Option<Root>, usize> {
        let mut first: Option<Root> = None;
        self.side_after.as_mut_slice().copy_from_slice(self.side.as_slice());
        for &guard in self.doubtful.iter() {
            let values: [f64; NODES.len()] =
                std::array::from_fn(|i| self.values[i].as_slice()[guard]);
            let values = &values[..=last];
            if !values.iter().all(|v| v.is_finite()) {
                return Err(guard);
            }
            let probe = &mut self.probe;
            let mut value_at = |theta: f64| {
                eval(theta, &[guard], probe);
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
