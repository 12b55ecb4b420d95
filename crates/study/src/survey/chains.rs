//! Which points are run, and in which order: a study of a million points should not need much memory for that.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use crate::design::Points;
use crate::sweep::Cancellation;
use crate::vary::{Values, Vary};

/// The points that are run: chains of points of the same length, each of which starts where the one before ended. Points may coincide: each
/// is run once.
pub(super) struct Chains {
    points: usize,
    length: usize,
    /// The points that are run, if some are not.
    run: Option<Vec<usize>>,
    /// Earlier points, each with one that is not run because it has the same values; sorted.
    twins: Vec<(usize, usize)>,
}

impl Chains {
    /// Chains of this length; none if that was not found out before a stop was requested.
    pub(super) fn of(points: &Points, length: usize, stop: &Cancellation) -> Self {
        let mut chains = Chains { points: points.len(), length, run: None, twins: Vec::new() };
        // The values of a grid that is followed differ.
        let differ = length > 1 || points.is_grid() && points.varies().iter().all(all_differ);
        if differ {
            return chains;
        }
        let values = |point: usize| points.at(point).into_iter().map(|level| level.text);
        // By the hash of their values, which are not kept.
        let mut places: Vec<(u64, usize)> = Vec::with_capacity(points.len());
        for point in 0..points.len() {
            if stop.is_cancelled() {
                chains.points = 0;
                return chains;
            }
            let mut hasher = DefaultHasher::new();
            values(point).for_each(|text| text.hash(&mut hasher));
            places.push((hasher.finish(), point));
        }
        places.sort_unstable();
        for same in places.chunk_by(|(a, _), (b, _)| a == b) {
            let first = same[0].1;
            let twins = same[1..].iter().map(|(_, point)| *point);
            let twins = twins.filter(|point| values(first).eq(values(*point)));
            chains.twins.extend(twins.map(|point| (first, point)));
        }
        if !chains.twins.is_empty() {
            chains.twins.sort_unstable();
            let not_run: HashSet<usize> = chains.twins.iter().map(|(_, point)| *point).collect();
            chains.run = Some((0..points.len()).filter(|point| !not_run.contains(point)).collect());
        }
        chains
    }

    /// The number of chains.
    pub(super) fn len(&self) -> usize {
        self.run.as_ref().map_or(self.points / self.length, Vec::len)
    }

    /// The first point of a chain.
    pub(super) fn first(&self, chain: usize) -> usize {
        self.run.as_ref().map_or(chain * self.length, |run| run[chain])
    }

    /// The first point of each chain.
    pub(super) fn firsts(&self) -> impl Iterator<Item = usize> + Clone {
        (0..self.len()).map(|chain| self.first(chain))
    }

    /// The points of the chain that begins with this one.
    pub(super) fn from(&self, first: usize) -> Range<usize> {
        first..first + self.length
    }

    /// The number of points that are run.
    pub(super) fn points(&self) -> usize {
        self.len() * self.length
    }

    /// The points that have the same values as this one, and are not run.
    pub(super) fn twins(&self, of: usize) -> impl Iterator<Item = usize> {
        let begin = self.twins.partition_point(|(first, _)| *first < of);
        let same = self.twins[begin..].iter().take_while(move |(first, _)| *first == of);
        same.map(|(_, point)| *point)
    }
}

/// Whether no two values of a key are the same.
fn all_differ(vary: &Vary) -> bool {
    let mut seen = HashSet::new();
    match &vary.values {
        Values::Levels(levels) => levels.iter().all(|level| seen.insert(level.text.as_str())),
        Values::Spread(_) => false,
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
        let points = Points::of_cube(vec![vary], vec![0.1, 0.6, 0.2]);
        let chains = Chains::of(&points, 1, &Cancellation::new());
        assert_eq!((chains.firsts().collect::<Vec<_>>(), chains.points()), (vec![0, 1], 2));
        assert_eq!(chains.twins(0).collect::<Vec<_>>(), [2]);
        assert_eq!(chains.twins(1).count(), 0);
        assert_eq!(Chains::of(&points, 1, &Cancellation::made()).len(), 0);
    }

    #[test]
    fn exact_chains_follow_each_other() {
        let varies = ["a=1,2,3", "b=4,5"].map(|text| Vary::parse(text).expect("right"));
        let points = Points::new(Design::Grid, varies.to_vec()).expect("a grid");
        let chains = Chains::of(&points, 2, &Cancellation::new());
        let all: Vec<_> = chains.firsts().map(|first| chains.from(first)).collect();
        assert_eq!((all, chains.points()), (vec![0..2, 2..4, 4..6], 6));
    }
}
