//! Intervals that reach over several valleys of the cost.
//!
//! The times of impacts jump when a value changes. So the cost along a parameter has several valleys, and noise decides which is the deepest.
//! Each place on a path along the parameter is compared with the best one. If it is the truth, the noise e makes the best one better by
//! S − S₀ = −|d|² − 2 dᵀe, where d is the difference of both predictions. So z = (S − S₀ + |d|²)/(2 √(dᵀ C d)) is the size of a standard normal
//! number, however far away the place is; close to the best place it is the distance in standard errors. But the best place is the best of many,
//! which makes z larger: its bound is what 95 % of simulated records keep, each with its own best place on the path (Feldman and Cousins,
//! Physical Review D 57, 1998, 3873).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::Failed;
use super::search::{Aim, Fit, Search};
use super::uncertainty::{Judged, Lack};
use crate::distribution::normal_quantile;
use crate::fitting::matrix::{Symmetric, dot};
use crate::trials::Stop;

/// A path has at most so many places.
const PLACES: usize = 64;
/// The greatest number of values of all places of a path.
const VALUES: usize = 4_000_000;
/// Records that are simulated.
const RECORDS: usize = 2000;
/// Places with a z that exceeds the quantile by more than this are excluded without simulation.
const FAR: f64 = 1.5;
/// Runs of one refinement of a path.
const RUNS: usize = 12;

/// A place on a path along a coordinate.
#[derive(Clone, Debug)]
struct Step {
    place: Vec<f64>,
    cost: f64,
    /// Its residuals less those of the best place.
    apart: Vec<f64>,
    /// Its difference from the best place in standard deviations of the noise.
    z: f64,
}

impl Search<'_, '_> {
    /// Widens the intervals over places that noise does not exclude, beyond the valley in which the best place lies.
    pub(super) fn reach_other_valleys(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        fit: &Fit,
        judged: &mut Judged,
    ) -> Result<(), Failed> {
        if judged.lacks == Lack::Everything {
            return Ok(());
        }
        for i in 0..fit.place.len() {
            if judged.lost[i] || judged.is_inert(i) || judged.ends[i] == [false, false] {
                continue;
            }
            let path = self.path(law, aim, fit, judged, i)?;
            let before = judged.intervals[i];
            let bounds = widen(aim, judged, &path, i);
            let [low, high] = judged.intervals[i];
            // With several coordinates only places beyond the profile have the others where their cost is least.
            if fit.place.len() == 1 || high - low > 1.2 * (before[1] - before[0]) {
                let among =
                    |&c: &usize| (low..=high).contains(&path[c].place[i]) && path[c].z <= bounds[c];
                let bottoms = bottoms(&path, fit.cost(), among);
                if bottoms.len() > 1 {
                    judged.valleys[i] = bottoms.into_iter().map(|c| path[c].place[i]).collect();
                }
            }
        }
        Ok(())
    }

    /// Places along a coordinate, in its order: those that the search has seen, and more of them where some are not excluded.
    fn path(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        fit: &Fit,
        judged: &Judged,
        i: usize,
    ) -> Result<Vec<Step>, Failed> {
        let most = (VALUES / fit.residuals.len().max(1)).clamp(8, PLACES);
        let mut path = vec![Step {
            place: fit.place.clone(),
            cost: fit.cost(),
            apart: vec![0.0; fit.residuals.len()],
            z: 0.0,
        }];
        let [low, high] = judged.intervals[i];
        let apart = 0.1 * (high - low);
        for places in self.seen(law, aim).chunks(PLACES) {
            path.extend(self.steps(law, aim, fit, places)?);
            thin(&mut path, i, apart, most);
        }
        measure(&mut path, aim, fit, judged);
        let outside = |step: &Step| !(low..=high).contains(&step.place[i]);
        let near = |step: &Step| step.z < judged.quantile + FAR;
        if fit.place.len() > 1 {
            // The others to where their cost is least.
            for _ in 0..2 {
                let again = path.iter().filter(|step| outside(step) && near(step)).take(RUNS);
                let places: Vec<Vec<f64>> = again
                    .map(|step| {
                        let residuals: Vec<f64> =
                            step.apart.iter().zip(&fit.residuals).map(|(a, b)| a + b).collect();
                        judged.corrected(i, &step.place, &residuals)
                    })
                    .collect();
                if places.is_empty() || !self.extend(law, aim, (fit, judged), &places, &mut path)? {
                    break;
                }
                best_of_twins(&mut path, i);
            }
        }
        for _ in 0..3 {
            let mut gaps: Vec<(f64, Vec<f64>)> = path
                .windows(2)
                .filter(|pair| pair.iter().any(&outside) && pair.iter().any(&near))
                .map(|pair| {
                    let middle = pair[0].place.iter().zip(&pair[1].place);
                    let middle = middle.map(|(a, b)| 0.5 * (a + b)).collect();
                    (pair[1].place[i] - pair[0].place[i], middle)
                })
                .filter(|(gap, _)| *gap > 2.0 * apart)
                .collect();
            gaps.sort_by(|a, b| b.0.total_cmp(&a.0));
            gaps.truncate(RUNS.min((most + RUNS).saturating_sub(path.len())));
            let places: Vec<Vec<f64>> = gaps.into_iter().map(|(_, middle)| middle).collect();
            if places.is_empty() || !self.extend(law, aim, (fit, judged), &places, &mut path)? {
                break;
            }
            best_of_twins(&mut path, i);
        }
        Ok(path)
    }

    /// Adds places; not if the budget does not suffice.
    fn extend(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        (fit, judged): (&Fit, &Judged),
        places: &[Vec<f64>],
        path: &mut Vec<Step>,
    ) -> Result<bool, Failed> {
        if self.trials.left() < places.len() {
            return Ok(false);
        }
        path.extend(self.steps(law, aim, fit, places)?);
        measure(path, aim, fit, judged);
        Ok(true)
    }

    /// These places, not compared with the best one.
    fn steps(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        fit: &Fit,
        places: &[Vec<f64>],
    ) -> Result<Vec<Step>, Stop> {
        let outputs = self.outputs(law, aim, places)?;
        let of = |(place, output): (&Vec<f64>, Option<Vec<f64>>)| {
            let residuals = aim.residuals(&output?, 1);
            let cost = dot(&residuals, &residuals);
            let apart = residuals.iter().zip(&fit.residuals).map(|(a, b)| a - b).collect();
            Some(Step { place: place.clone(), cost, apart, z: f64::NAN })
        };
        Ok(places.iter().zip(outputs).filter_map(of).collect())
    }
}

/// Compares places with the best one, if they are not yet.
fn measure(path: &mut [Step], aim: &Aim, fit: &Fit, judged: &Judged) {
    for step in path.iter_mut().filter(|step| step.z.is_nan()) {
        step.z = judged.distance(aim, step.cost - fit.cost(), &step.apart);
    }
}

/// Sorts a path, without places that are nearer than `apart` to a better one, and at most so many.
fn thin(path: &mut Vec<Step>, i: usize, apart: f64, most: usize) {
    let mut kept: Vec<Step> = Vec::new();
    path.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    for step in path.drain(..) {
        let near = |known: &Step| (known.place[i] - step.place[i]).abs() < apart;
        if kept.len() < most && !kept.iter().any(near) {
            kept.push(step);
        }
    }
    kept.sort_by(|a, b| a.place[i].total_cmp(&b.place[i]));
    *path = kept;
}

/// Sorts a path; of places with the same coordinate the best stays.
fn best_of_twins(path: &mut Vec<Step>, i: usize) {
    path.sort_by(|a, b| a.place[i].total_cmp(&b.place[i]).then_with(|| a.cost.total_cmp(&b.cost)));
    path.dedup_by(|b, a| a.place[i] == b.place[i]);
}

/// Widens the interval of a coordinate over all places of the path that are not excluded. The result are the bounds of z of all places.
fn widen(aim: &Aim, judged: &mut Judged, path: &[Step], i: usize) -> Vec<f64> {
    let [low, high] = judged.intervals[i];
    let outside = |step: &Step| !(low..=high).contains(&step.place[i]);
    let mut bounds = vec![judged.quantile; path.len()];
    let near: Vec<usize> = (0..path.len())
        .filter(|&c| outside(&path[c]) && path[c].z < judged.quantile + FAR)
        .collect();
    if near.is_empty() {
        return bounds;
    }
    if let Some(simulated) = Simulated::new(aim, judged, path) {
        for c in near {
            bounds[c] = simulated.bound(c).max(judged.quantile);
        }
    }
    let kept: Vec<usize> =
        (0..path.len()).filter(|&c| outside(&path[c]) && path[c].z <= bounds[c]).collect();
    let (Some(&first), Some(&last)) = (kept.first(), kept.last()) else { return bounds };
    // Where z reaches its bound between a place that is not excluded and its neighbour that is; without a neighbour at the end of the range.
    let end = |inner: usize, outer: Option<&Step>, limit: f64| {
        let Some(outer) = outer else { return limit };
        let (x, y) = (path[inner].place[i], outer.place[i]);
        let part = (bounds[inner] - path[inner].z) / (outer.z - path[inner].z);
        x + (y - x) * part.clamp(0.0, 1.0)
    };
    if path[first].place[i] < low {
        let outer = first.checked_sub(1).map(|c| &path[c]);
        judged.intervals[i][0] = end(first, outer, 0.0);
        judged.ends[i][0] = outer.is_some();
    }
    if path[last].place[i] > high {
        let outer = path.get(last + 1);
        judged.intervals[i][1] = end(last, outer, 1.0);
        judged.ends[i][1] = outer.is_some();
    }
    bounds
}

/// The bottoms of the valleys of a path among certain places. What is between two of them rises above both by a tenth of what these
/// places rise above the best one.
fn bottoms(path: &[Step], least: f64, among: impl Fn(&usize) -> bool) -> Vec<usize> {
    let inside = (0..path.len()).filter(&among);
    let level = 0.1 * inside.map(|c| path[c].cost - least).fold(0.0, f64::max);
    let (mut found, mut bottom, mut top) = (Vec::new(), Some(0), 0);
    for (c, step) in path.iter().enumerate() {
        match bottom {
            Some(lowest) if step.cost < path[lowest].cost => bottom = Some(c),
            Some(lowest) if step.cost > path[lowest].cost + level => {
                found.push(lowest);
                (bottom, top) = (None, c);
            }
            None if step.cost > path[top].cost => top = c,
            None if step.cost < path[top].cost - level => bottom = Some(c),
            Some(_) | None => {}
        }
    }
    found.extend(bottom);
    found.retain(among);
    found
}

/// Noise of many records, as places of a path see it.
struct Simulated {
    /// Products of the differences of the predictions of places from the best one.
    squares: Symmetric,
    /// The same with the correlation of the noise between them.
    spread: Symmetric,
    /// For each record the product of its noise with the difference of each place.
    products: Vec<Vec<f64>>,
}

impl Simulated {
    fn new(aim: &Aim, judged: &Judged, path: &[Step]) -> Option<Self> {
        let n = path.len();
        let (mut squares, mut spread) = (Symmetric::zero(n), Symmetric::zero(n));
        for (k, step) in path.iter().enumerate() {
            let image = judged.image(aim, &step.apart);
            for (l, other) in path[..=k].iter().enumerate() {
                squares.set(k, l, dot(&step.apart, &other.apart));
                spread.set(k, l, dot(&image, &other.apart));
            }
        }
        Self::of(squares, spread)
    }

    fn of(squares: Symmetric, spread: Symmetric) -> Option<Self> {
        let n = squares.size();
        // The best place differs from itself by nothing, and rounding must not make the matrix negative.
        let most = (0..n).map(|k| spread.at(k, k)).fold(0.0, f64::max);
        let mut positive = spread.clone();
        for k in 0..n {
            positive.add(k, k, 1e-9 * most);
        }
        let (factor, _) = positive.cholesky()?;
        let mut random = ChaCha8Rng::seed_from_u64(0);
        let mut normal = || {
            let bits = (random.next_u64() >> 11) as f64;
            normal_quantile((bits + 0.5) / (1_u64 << 53) as f64)
        };
        let products = (0..RECORDS).map(|_| {
            let own: Vec<f64> = (0..n).map(|_| normal()).collect();
            (0..n).map(|k| dot(&factor[k * n..=k * n + k], &own[..=k])).collect()
        });
        let products = products.collect();
        Some(Simulated { squares, spread, products })
    }

    /// What z keeps in 95 % of all records if this place is the truth.
    fn bound(&self, c: usize) -> f64 {
        let n = self.squares.size();
        let between = |of: &Symmetric, b: usize| of.at(b, b) + of.at(c, c) - 2.0 * of.at(b, c);
        let squares: Vec<f64> = (0..n).map(|b| between(&self.squares, b)).collect();
        let all = self.products.iter().map(|products| {
            let rise = |b: usize| squares[b] + 2.0 * (products[b] - products[c]);
            let best = (0..n).min_by(|&a, &b| rise(a).total_cmp(&rise(b))).unwrap_or(c);
            if best == c {
                return 0.0;
            }
            let spread = between(&self.spread, best).max(0.0).sqrt();
            ((products[c] - products[best]) / spread).max(0.0)
        });
        let mut all: Vec<f64> = all.collect();
        all.sort_by(f64::total_cmp);
        all[all.len() * 95 / 100]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn products(of: impl Fn(usize, usize) -> f64, n: usize) -> Symmetric {
        let mut matrix = Symmetric::zero(n);
        for k in 0..n {
            for l in 0..=k {
                matrix.set(k, l, of(k, l));
            }
        }
        matrix
    }

    /// Of places on a line z keeps the two-sided quantile of the normal distribution; of three places that differ from the truth by little, each
    /// in a way of its own, the greatest of three independent normal numbers decides: Φ(z)³ = 0.95.
    #[test]
    fn exact_bounds_of_simulated_records() {
        let at = |k: usize| 0.1 * (k as f64 - 50.0);
        let line = |noise: f64| products(|k, l| noise * at(k) * at(l), 101);
        let found = Simulated::of(line(1.0), line(1.0)).expect("positive").bound(50);
        assert!((found - 1.96).abs() < 0.1, "{found}");
        let own = |size: f64| products(|k, l| if k == l && k > 0 { size } else { 0.0 }, 4);
        let found = Simulated::of(own(1e-8), own(1e-8)).expect("positive").bound(0);
        assert!((found - 2.121).abs() < 0.1, "{found}");
    }

    /// A ripple is no valley.
    #[test]
    fn exact_bottoms_of_valleys() {
        let costs = [9.0, 5.0, 1.0, 4.0, 3.9, 6.0, 2.0, 3.0, 9.0];
        let step = |cost: &f64| Step { place: vec![], cost: *cost, apart: vec![], z: 0.0 };
        let path: Vec<Step> = costs.iter().map(step).collect();
        assert_eq!(bottoms(&path, 1.0, |_| true), [2, 6]);
        assert_eq!(bottoms(&path, 1.0, |&c| c < 6), [2]);
    }
}
