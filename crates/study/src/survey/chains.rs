//! Which points are run, and in which order: a study of a million points should not need much memory for that.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::design::Points;

/// The points that are run: chains of points of the same length, each of which starts where the one before ended. Points may coincide: each
/// is run once.
pub(super) struct Chains {
    firsts: Vec<usize>,
    length: usize,
    /// Points that are not run, each with an earlier one that has the same values.
    twins: Vec<(usize, usize)>,
}

impl Chains {
    /// Chains of this length.
    pub(super) fn of(points: &Points, length: usize) -> Self {
        if length > 1 {
            // The values of a grid that is followed differ.
            let firsts = (0..points.len()).step_by(length).collect();
            return Chains { firsts, length, twins: Vec::new() };
        }
        let values = |point: usize| points.at(point).into_iter().map(|level| level.text);
        // By the hash of their values, which are not kept.
        let mut places: HashMap<u64, usize> = HashMap::with_capacity(points.len());
        let (mut firsts, mut twins) = (Vec::with_capacity(points.len()), Vec::new());
        for point in 0..points.len() {
            let mut hasher = DefaultHasher::new();
            values(point).for_each(|text| text.hash(&mut hasher));
            let first = *places.entry(hasher.finish()).or_insert(point);
            if first != point && values(first).eq(values(point)) {
                twins.push((point, first));
            } else {
                firsts.push(point);
            }
        }
        Chains { firsts, length: 1, twins }
    }

    /// The first point of each chain.
    pub(super) fn firsts(&self) -> &[usize] {
        &self.firsts
    }

    /// The points of the chain that begins with this one.
    pub(super) fn from(&self, first: usize) -> Range<usize> {
        first..first + self.length
    }

    /// The number of points that are run.
    pub(super) fn points(&self) -> usize {
        self.firsts.len() * self.length
    }

    /// Gives points that were not run what those with the same values have.
    pub(super) fn copy_to_twins<T: Clone>(&self, of: &mut [Option<T>]) {
        for &(point, first) in &self.twins {
            let known = of[first].clone();
            of[point] = known;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::Design;
    use crate::vary::Vary;

    #[test]
    fn exact_points_with_the_same_values_are_run_once() {
        // Samples of a list: the first, the second, and the first once more.
        let vary = Vary::parse("a=1,2").expect("right");
        let chains = Chains::of(&Points::of_cube(vec![vary], vec![0.1, 0.6, 0.2]), 1);
        assert_eq!((chains.firsts(), chains.points()), (&[0, 1][..], 2));
        let mut found = [Some('x'), Some('y'), None];
        chains.copy_to_twins(&mut found);
        assert_eq!(found, [Some('x'), Some('y'), Some('x')]);
    }

    #[test]
    fn exact_chains_follow_each_other() {
        let varies = ["a=1,2,3", "b=4,5"].map(|text| Vary::parse(text).expect("right"));
        let points = Points::new(Design::Grid, varies.to_vec()).expect("a grid");
        let chains = Chains::of(&points, 2);
        let all: Vec<_> = chains.firsts().iter().map(|first| chains.from(*first)).collect();
        assert_eq!((all, chains.points()), (vec![0..2, 2..4, 4..6], 6));
    }
}
