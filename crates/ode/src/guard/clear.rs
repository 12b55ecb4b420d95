//! Quick proof, without a search, that a step contains no event.

use std::mem::take;

use super::chebyshev::{LAST, NODES, chebyshev3, chebyshev5, chebyshev9, coefficients5};
use super::crossing::leaves_to;
use super::{Doubtful, GuardWatch, LEFT, MANY};
use crate::Vector;

/// A guard stays far from zero if the mean of its samples exceeds their spread by this factor.
const FAR: f64 = 3.0;

/// Five nodes resolve a guard if it stays far from zero even when its last two coefficients are multiplied by this factor.
const TAIL: f64 = 8.0;

/// With a node of the previous step, three nodes resolve a guard if it stays far from zero even when its
/// last coefficient is multiplied by this factor.
const TAIL_BEFORE: f64 = 32.0;

/// The previous step says something about this one if the ratio of their sizes is in this range.
const NEIGHBOURLY: std::ops::RangeInclusive<f64> = 0.4..=4.0;

impl<G: Vector> GuardWatch<G> {
    /// Whether there are so many guards that it is worth judging each by itself.
    #[inline]
    pub(crate) fn has_many(&self) -> bool {
        self.side.as_slice().len() >= MANY
    }

    /// Samples the doubtful guards at every `stride`-th node between the ends of the step; `true` if none can have
    /// crossed zero.
    #[inline]
    pub(crate) fn sample(
        &mut self,
        stride: usize,
        mut eval: impl FnMut(f64, &[usize], &mut G),
    ) -> bool {
        if self.doubtful.is_empty() {
            return true;
        }
        for i in (stride..LAST).step_by(stride) {
            eval(NODES[i], &self.doubtful, &mut self.values[i]);
        }
        let mut all_armed = true;
        let mut clear = true;
        for &j in self.doubtful.iter() {
            let side = self.side.as_slice()[j];
            let (mean, spread) = self.chebyshev(stride, j, |_, value| value);
            all_armed &= side != 0.0;
            let rests = mean.abs() + spread <= 4.0 * self.residue.as_slice()[j];
            clear &= side * mean > spread || side == 0.0 || rests;
        }
        clear && (all_armed || self.leaves_zero(stride, eval))
    }

    /// `false` if, judged only by the ends of the step, a guard may come near zero.
    #[inline]
    pub(crate) fn ends_far(&self) -> bool {
        let [start, end] = [0, LAST].map(|i| self.values[i].as_slice());
        let guards = self.side.as_slice().iter().zip(start.iter().zip(end));
        // The odd Chebyshev coefficients add up to half the difference of the ends.
        guards.into_iter().all(|(side, (a, b))| side * (a + b) > FAR * (a - b).abs())
    }

    /// Samples the guards between the ends along a polynomial that is only roughly the solution, with its error added
    /// and subtracted in turn; `true` if none can come near zero. A relevant error shows in the
    /// spread.
    ///
    /// The middle is evaluated first, then the quarters, then the eighths. It stops when the result
    /// is clear: when a guard comes too near, or when the nodes so far (or the middle together with
    /// that of the previous step) resolve the guards beyond doubt. `size` is that of the step.
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

    /// With many guards: keeps as doubtful those that may come near zero, judged by the ends of the step, and as open the others,
    /// except those that `stays` proves to stay on their sides. `false` if it is not worth looking closer, and all are doubtful.
    #[inline]
    pub(crate) fn doubts_by_ends(&mut self, stays: impl Fn(usize, [f64; 2]) -> bool) -> bool {
        let GuardWatch {
            side,
            values,
            doubtful: Doubtful { some: doubtful, .. },
            proven,
            open,
            ..
        } = self;
        let [start, .., end] = values;
        let (start, end) = (start.as_slice(), end.as_slice());
        doubtful.clear();
        open.clear();
        let mut far_ones = 0;
        for (j, side) in side.as_slice().iter().enumerate() {
            let (a, b) = (start[j], end[j]);
            let far = side * (a + b) > FAR * (a - b).abs();
            proven[j] = far && stays(j, [a, b]);
            far_ones += usize::from(far);
            if !far {
                doubtful.push(j);
            } else if !proven[j] {
                open.push(j);
            }
        }
        // The next step cannot use what was not looked at in the middle of this one.
        let middle = values[LAST / 2].as_mut_slice();
        for (middle, _) in middle.iter_mut().zip(&*proven).filter(|(_, proven)| **proven) {
            *middle = f64::NAN;
        }
        let worthwhile = far_ones >= MANY;
        if !worthwhile {
            self.doubt_all();
        }
        worthwhile
    }

    /// As [`stays_far`](Self::stays_far), for each of many guards by itself: those that may come near zero are doubtful. `true` if
    /// there are none.
    pub(crate) fn doubts_by_sketch(
        &mut self,
        stride: usize,
        size: f64,
        mut rough: impl FnMut(f64, f64, &[usize], &mut G),
    ) -> bool {
        let (mut open, mut doubtful) = (take(&mut self.open), take(&mut self.doubtful.some));
        let mut look = |watch: &mut Self, nodes: &[usize], sign, open: &[usize]| {
            for &i in nodes {
                rough(NODES[i], sign, open, &mut watch.values[i]);
            }
        };
        if !open.is_empty() {
            look(self, &[LAST / 2], 1.0, &open);
        }
        open.retain(|&j| {
            let far = self.is_far(j, chebyshev3);
            if !far {
                doubtful.push(j);
            }
            far && !self.is_resolved_with_before(j, size)
        });
        if !open.is_empty() {
            look(self, &[4, 12], -1.0, &open);
            open.retain(|&j| {
                let mut resolved = false;
                let far = self.is_far(j, |values| {
                    let [mean, c1, c2, c3, c4] = coefficients5(values);
                    let tail = c3.abs() + c4.abs();
                    let spread = c1.abs() + c2.abs() + tail;
                    resolved = mean.abs() > FAR * (spread + TAIL * tail);
                    (mean, spread)
                });
                if !far {
                    doubtful.push(j);
                }
                far && !resolved && stride != 4
            });
        }
        if !open.is_empty() {
            look(self, &[2, 6, 10, 14], 1.0, &open);
            doubtful.extend(open.iter().copied().filter(|&j| !self.is_far(j, chebyshev9)));
        }
        doubtful.sort_unstable();
        (self.open, self.doubtful.some) = (open, doubtful);
        self.doubtful.is_empty()
    }

    /// Whether the ends and the middle of this step and the middle of the one before, which led here smoothly, resolve every
    /// guard beyond doubt. A guard that oscillates between three nodes shows at the fourth, because
    /// polynomials of high degree grow fast outside the step.
    #[inline]
    fn resolved_with_before(&self, size: f64) -> bool {
        (0..self.side.as_slice().len()).all(|guard| self.is_resolved_with_before(guard, size))
    }

    /// The same of one guard.
    #[inline]
    fn is_resolved_with_before(&self, guard: usize, size: f64) -> bool {
        let ratio = self.size_before / size;
        if !NEIGHBOURLY.contains(&ratio) {
            return false;
        }
        let back = 0.5 * ratio;
        let [near, far] = [0.5 + back, 1.0 + back].map(f64::recip);
        let before = self.before.as_slice()[guard];
        let [start, middle, end] = [0, LAST / 2, LAST].map(|i| self.values[i].as_slice()[guard]);
        // Divided differences at −back, 0, ½ and 1; the cubic term is the last times (T₃ − T₁)/32.
        let slopes = [(start - before) / back, 2.0 * (middle - start), 2.0 * (end - middle)];
        let bends = [(slopes[1] - slopes[0]) * near, slopes[2] - slopes[1]];
        let tail = ((bends[1] - bends[0]) * far).abs() / 32.0;
        let (mean, spread) = chebyshev3([start, middle, end]);
        self.side.as_slice()[guard] * mean > FAR * (spread + TAIL_BEFORE * tail)
    }

    /// Whether the mean of every guard, on its side, exceeds its spread by far; both follow from its values at `N` nodes.
    #[inline]
    fn all_far<const N: usize>(&self, mut of: impl FnMut([f64; N]) -> (f64, f64)) -> bool {
        (0..self.side.as_slice().len()).all(|guard| self.is_far(guard, &mut of))
    }

    /// The same of one guard.
    #[inline]
    fn is_far<const N: usize>(
        &self,
        guard: usize,
        mut of: impl FnMut([f64; N]) -> (f64, f64),
    ) -> bool {
        let value = |i: usize| self.values[i * LAST / (N - 1)].as_slice()[guard];
        let (mean, spread) = of(std::array::from_fn(value));
        self.side.as_slice()[guard] * mean > FAR * spread
    }

    /// Arms the guards that leave zero in this step, if each of them does so without coming back.
    ///
    /// What matters is whether `value/theta` has a zero. At the start of the step, where this is the slope of
    /// the guard, it is taken from the first node.
    #[cold]
    fn leaves_zero(&mut self, stride: usize, mut eval: impl FnMut(f64, &[usize], &mut G)) -> bool {
        eval(NODES[1], &self.doubtful, &mut self.values[1]);
        for i in 0..self.doubtful.len() {
            let j = self.doubtful[i];
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
                eval(theta, &[j], probe);
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
    pub(super) fn chebyshev(
        &self,
        stride: usize,
        guard: usize,
        of: impl Fn(f64, f64) -> f64,
    ) -> (f64, f64) {
        let at = |i: usize| of(NODES[i], self.values[i].as_slice()[guard]);
        if stride == 4 {
            chebyshev5([at(0), at(4), at(8), at(12), at(16)])
        } else {
            chebyshev9(std::array::from_fn(|i| at(2 * i)))
        }
    }
}
