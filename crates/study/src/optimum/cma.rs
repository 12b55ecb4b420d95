//! Evolution of a normal distribution towards better points: CMA-ES (N. Hansen, The CMA Evolution Strategy: A Tutorial, 2016), with
//! the default parameters of its table 1. It knows which points are better, not by how much.
//!
//! It is our own, in questions and answers, so that a generation runs on all cores and is kept in the journal: the crate `cmaes` calls
//! a function, brings `nalgebra` along, knows no bounds and takes its elementary functions from the platform (`docs/adr/0032`).

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use crate::distribution::normal_quantile;
use crate::fitting::matrix::{Symmetric, dot};

/// A distribution that is led by the points that it gives.
pub(super) struct Evolution {
    mean: Vec<f64>,
    /// Its size.
    pub(super) sigma: f64,
    covariance: Symmetric,
    /// Axes of the covariance and their lengths.
    axes: (Vec<f64>, Vec<Vec<f64>>),
    path: Vec<f64>,
    path_of_sigma: Vec<f64>,
    weights: Vec<f64>,
    population: usize,
    generation: u32,
    random: ChaCha8Rng,
}

impl Evolution {
    pub(super) fn new(mean: Vec<f64>, sigma: f64, population: usize, seed: u64) -> Self {
        let n = mean.len();
        let parents = population / 2;
        let raw = |i: usize| libm::log(parents as f64 + 0.5) - libm::log(i as f64 + 1.0);
        let sum: f64 = (0..parents).map(raw).sum();
        Evolution {
            mean,
            sigma,
            covariance: Symmetric::identity(n),
            axes: Symmetric::identity(n).eigen(),
            path: vec![0.0; n],
            path_of_sigma: vec![0.0; n],
            weights: (0..parents).map(|i| raw(i) / sum).collect(),
            population,
            generation: 0,
            random: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// The usual number of points of a generation.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    pub(super) fn usual(n: usize) -> usize {
        (4 + (3.0 * libm::log(n as f64)) as usize).max(6)
    }

    /// The points of the next generation, inside the unit cube.
    pub(super) fn ask(&mut self) -> Vec<Vec<f64>> {
        (0..self.population).map(|_| self.sample()).collect()
    }

    fn sample(&mut self) -> Vec<f64> {
        let n = self.mean.len();
        let mut point = self.mean.clone();
        // Points outside are drawn again; the last one is put onto the boundary.
        for _ in 0..20 {
            let z: Vec<f64> = (0..n)
                .map(|_| {
                    let bits = (self.random.next_u64() >> 11) as f64;
                    normal_quantile((bits + 0.5) / (1_u64 << 53) as f64)
                })
                .collect();
            let (values, vectors) = &self.axes;
            point.clone_from(&self.mean);
            for ((value, vector), z) in values.iter().zip(vectors).zip(&z) {
                let length = self.sigma * value.max(0.0).sqrt() * z;
                for (x, direction) in point.iter_mut().zip(vector) {
                    *x += length * direction;
                }
            }
            if point.iter().all(|x| (0.0..=1.0).contains(x)) {
                return point;
            }
        }
        point.iter().map(|x| x.clamp(0.0, 1.0)).collect()
    }

    /// The same points, best first.
    pub(super) fn tell(&mut self, sorted: &[Vec<f64>]) {
        let n = self.mean.len() as f64;
        let parents = 1.0 / self.weights.iter().map(|w| w * w).sum::<f64>();
        let c_sigma = (parents + 2.0) / (n + parents + 5.0);
        let damping = 1.0 + 2.0 * (((parents - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma;
        let c_path = (4.0 + parents / n) / (n + 4.0 + 2.0 * parents / n);
        let c_one = 2.0 / ((n + 1.3) * (n + 1.3) + parents);
        let c_rank = (1.0 - c_one)
            .min(2.0 * (parents - 2.0 + 1.0 / parents) / ((n + 2.0) * (n + 2.0) + parents));
        let steps: Vec<Vec<f64>> = sorted
            .iter()
            .take(self.weights.len())
            .map(|x| x.iter().zip(&self.mean).map(|(x, m)| (x - m) / self.sigma).collect())
            .collect();
        let size = self.mean.len();
        let mut step = vec![0.0; size];
        for (weight, own) in self.weights.iter().zip(&steps) {
            for (sum, x) in step.iter_mut().zip(own) {
                *sum += weight * x;
            }
        }
        for (mean, step) in self.mean.iter_mut().zip(&step) {
            *mean = (*mean + self.sigma * step).clamp(0.0, 1.0);
        }
        let straight = self.straightened(&step);
        let keep = (c_sigma * (2.0 - c_sigma) * parents).sqrt();
        for (path, x) in self.path_of_sigma.iter_mut().zip(&straight) {
            *path = (1.0 - c_sigma) * *path + keep * x;
        }
        let length = dot(&self.path_of_sigma, &self.path_of_sigma).sqrt();
        let expected = n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n));
        self.generation += 1;
        let age =
            1.0 - (1.0 - c_sigma).powi(2 * i32::try_from(self.generation).unwrap_or(i32::MAX / 2));
        let stalled = length / age.sqrt() / expected >= 1.4 + 2.0 / (n + 1.0);
        let keep = if stalled { 0.0 } else { (c_path * (2.0 - c_path) * parents).sqrt() };
        for (path, x) in self.path.iter_mut().zip(&step) {
            *path = (1.0 - c_path) * *path + keep * x;
        }
        let missing = if stalled { c_one * c_path * (2.0 - c_path) } else { 0.0 };
        for i in 0..size {
            for j in 0..=i {
                let rank: f64 =
                    self.weights.iter().zip(&steps).map(|(w, own)| w * own[i] * own[j]).sum();
                let old = self.covariance.at(i, j);
                let new = (1.0 - c_one - c_rank + missing) * old
                    + c_one * self.path[i] * self.path[j]
                    + c_rank * rank;
                self.covariance.set(i, j, new);
            }
        }
        self.sigma *= libm::exp((c_sigma / damping) * (length / expected - 1.0)).min(2.0);
        self.axes = self.covariance.eigen();
    }

    /// A step in the coordinates in which the distribution is round.
    fn straightened(&self, step: &[f64]) -> Vec<f64> {
        let (values, vectors) = &self.axes;
        let mut straight = vec![0.0; step.len()];
        for (value, vector) in values.iter().zip(vectors) {
            let along = dot(vector, step) / value.max(1e-300).sqrt();
            for (sum, direction) in straight.iter_mut().zip(vector) {
                *sum += along * direction;
            }
        }
        straight
    }

    /// The largest standard deviation of a coordinate.
    pub(super) fn spread(&self) -> f64 {
        let largest = (0..self.mean.len()).map(|i| self.covariance.at(i, i)).fold(0.0, f64::max);
        self.sigma * largest.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn least(n: usize, f: impl Fn(&[f64]) -> f64) -> (Vec<f64>, usize) {
        let mut evolution = Evolution::new(vec![0.5; n], 0.3, Evolution::usual(n), 1);
        let (mut best, mut count) = ((vec![0.5; n], f64::INFINITY), 0);
        while evolution.spread() > 1e-9 && count < 20_000 {
            let mut points = evolution.ask();
            count += points.len();
            points.sort_by(|a, b| f(a).total_cmp(&f(b)));
            if f(&points[0]) < best.1 {
                best = (points[0].clone(), f(&points[0]));
            }
            evolution.tell(&points);
        }
        (best.0, count)
    }

    /// Closed forms: an ellipsoid of condition 1e6 and Rosenbrock's valley. Hansen's tutorial needs some thousand evaluations for these.
    #[test]
    fn exact_least_points() {
        let centre = [0.3, 0.62, 0.45, 0.7];
        let ellipsoid = |x: &[f64]| -> f64 {
            let size = |i: usize| libm::pow(1e6, i as f64 / 3.0);
            (0..4).map(|i| size(i) * (x[i] - centre[i]).powi(2)).sum()
        };
        let (found, count) = least(4, ellipsoid);
        assert!(found.iter().zip(centre).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
        assert!(count < 6000, "{count}");
        let valley = |x: &[f64]| {
            let [a, b] = [4.0 * x[0] - 2.0, 4.0 * x[1] - 2.0];
            100.0 * (b - a * a).powi(2) + (1.0 - a).powi(2)
        };
        let (found, _) = least(2, valley);
        assert!(found.iter().all(|x| (x - 0.75).abs() < 1e-6), "{found:?}");
        // At a bound.
        let (found, _) = least(2, |x| x[0] + (x[1] - 0.5).powi(2));
        assert!(found[0] < 1e-6, "{found:?}");
        let (found, _) = least(1, |x| (x[0] - 0.2).powi(2));
        assert!((found[0] - 0.2).abs() < 1e-6, "{found:?}");
    }
}
