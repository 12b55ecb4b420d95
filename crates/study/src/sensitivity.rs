//! Which inputs decide a result: indices of Sobol', screening after Morris, one input at a time.
//!
//! # Sources
//!
//! A. Saltelli et al., Computer Physics Communications 181 (2010) 259: the design. A. Janon et al., ESAIM: Probability and Statistics 18
//! (2014) 342: the estimator of first indices. M. J. W. Jansen, Computer Physics Communications 117 (1999) 35: that of total indices. M. D. Morris,
//! Technometrics 33 (1991) 161, with μ* of F. Campolongo et al., Environmental Modelling & Software 22 (2007) 1509.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

use crate::design::{Filling, Points, below, shuffled};
use crate::statistics::percentile;
use crate::vary::Vary;

/// The measure of sensitivity.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Indices of Sobol': the fraction of the variance that an input causes alone, and with all others.
    #[default]
    Sobol,
    /// Elementary effects after Morris: which inputs matter at all, at the cost of a few runs for each.
    Morris,
    /// One input at a time, at the 5 % and the 95 % point of its range.
    Tornado,
}

impl Measure {
    /// Every measure with its name.
    pub const ALL: [(&'static str, Self); 3] =
        [("sobol", Self::Sobol), ("morris", Self::Morris), ("tornado", Self::Tornado)];

    /// The names of all measures.
    pub const NAMES: &'static [&'static str] = &[Self::ALL[0].0, Self::ALL[1].0, Self::ALL[2].0];

    /// The number of samples if none is given. With it total indices of smooth responses are good to 0.01.
    pub fn default_samples(self) -> usize {
        match self {
            Measure::Sobol => 4096,
            Measure::Morris => 20,
            Measure::Tornado => 1,
        }
    }

    /// The points that it needs. The columns of the cube form groups of these sizes, each one input: the two sizes of a fit.
    ///
    /// # Errors
    /// As [`Filling::points`].
    pub fn points(
        self,
        varies: Vec<Vary>,
        groups: &[usize],
        samples: usize,
        seed: u64,
    ) -> Result<Points, String> {
        let inputs = groups.len();
        let cube = match self {
            Measure::Sobol => saltelli(samples, groups, seed)?,
            Measure::Morris => opposed(&trajectories(samples, inputs, seed), groups),
            Measure::Tornado => opposed(&one_at_a_time(inputs), groups),
        };
        Ok(Points::of_cube(varies, cube))
    }
}

/// Rows of two independent samples A and B, each followed by A with one input of B: `groups + 2` points for each sample.
fn saltelli(samples: usize, groups: &[usize], seed: u64) -> Result<Vec<f64>, String> {
    let columns: usize = groups.iter().sum();
    let both = Filling::Sobol.points(samples, 2 * columns, seed)?;
    let mut cube = Vec::with_capacity(samples * (groups.len() + 2) * columns);
    for row in both.chunks_exact(2 * columns) {
        let (a, b) = row.split_at(columns);
        cube.extend_from_slice(a);
        cube.extend_from_slice(b);
        let mut first = 0;
        for group in groups {
            let own = first..first + group;
            cube.extend((0..columns).map(|i| if own.contains(&i) { b[i] } else { a[i] }));
            first += group;
        }
    }
    Ok(cube)
}

/// A point of each input as one of each column: the second size of a fit moves against the first, so that the fit goes from tight to loose.
fn opposed(cube: &[f64], groups: &[usize]) -> Vec<f64> {
    let columns = |(u, group): (&f64, &usize)| {
        let u = *u;
        (0..*group).map(move |i| if i % 2 == 0 { u } else { 1.0 - u })
    };
    let point = |point: &[f64]| point.iter().zip(groups).flat_map(columns).collect::<Vec<f64>>();
    if groups.is_empty() { Vec::new() } else { cube.chunks(groups.len()).flat_map(point).collect() }
}

/// Levels of the grid of Morris.
const LEVELS: usize = 4;

/// Length of a step on it: half of the levels.
const JUMP: f64 = LEVELS as f64 / (2.0 * (LEVELS - 1) as f64);

/// Walks over a grid that change one input after another, in random order: `keys + 1` points for each.
fn trajectories(samples: usize, keys: usize, seed: u64) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut cube = Vec::with_capacity(samples * (keys + 1) * keys);
    for _ in 0..samples {
        // From the lower half of the levels a step leads up, from the upper half down.
        let level = |random: &mut ChaCha8Rng| below(LEVELS, random) as f64 / (LEVELS - 1) as f64;
        let mut at: Vec<f64> = (0..keys).map(|_| level(&mut random)).collect();
        cube.extend(at.iter().map(|u| inside(*u)));
        for key in shuffled(keys, &mut random) {
            at[key] += if at[key] < 0.5 { JUMP } else { -JUMP };
            cube.extend(at.iter().map(|u| inside(*u)));
        }
    }
    cube
}

/// The ends of a distribution without limits are at infinity: the grid of Morris covers 99 % of it.
fn inside(u: f64) -> f64 {
    0.005 + 0.99 * u
}

/// The middle of everything, then each input at its 5 % and its 95 % point.
fn one_at_a_time(keys: usize) -> Vec<f64> {
    let mut cube = vec![0.5; keys];
    for key in 0..keys {
        for end in [0.05, 0.95] {
            cube.extend((0..keys).map(|other| if other == key { end } else { 0.5 }));
        }
    }
    cube
}

/// Fractions of the variance of a result that an input causes, with their intervals of 95 %.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Indices {
    /// Alone.
    pub first: Option<f64>,
    /// Lower end of its interval.
    pub first_low: Option<f64>,
    /// Upper end.
    pub first_high: Option<f64>,
    /// Alone and together with all others.
    pub total: Option<f64>,
    /// Lower end of its interval.
    pub total_low: Option<f64>,
    /// Upper end.
    pub total_high: Option<f64>,
}

/// Samples drawn again for the intervals.
const RESAMPLES: usize = 1000;

/// The indices of each key from the results at the points of [`Measure::Sobol`]. Samples with a run that has no result are left out; the
/// number of those that count is returned too.
pub fn indices(results: &[Option<f64>], keys: usize, seed: u64) -> (Vec<Indices>, usize) {
    let complete = |row: &[Option<f64>]| -> Option<Vec<f64>> { row.iter().copied().collect() };
    let rows: Vec<Vec<f64>> = results.chunks_exact(keys + 2).filter_map(complete).collect();
    if rows.len() < 2 {
        return (vec![Indices::default(); keys], rows.len());
    }
    // About their mean, so that the differences of large numbers keep their digits.
    let count = (rows.len() * (keys + 2)) as f64;
    let centre = rows.iter().flatten().sum::<f64>() / count;
    let rows: Vec<Vec<f64>> =
        rows.into_iter().map(|row| row.into_iter().map(|y| y - centre).collect()).collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed ^ 0x0b00_75e7);
    let draws: Vec<Vec<u32>> = (0..RESAMPLES)
        .map(|_| {
            let mut times = vec![0_u32; rows.len()];
            for _ in 0..rows.len() {
                times[below(rows.len(), &mut random)] += 1;
            }
            times
        })
        .collect();
    let once = vec![1_u32; rows.len()];
    let of = |key: usize| {
        let [first, total] = estimate(&rows, &once, key);
        let (mut firsts, mut totals) = (Vec::new(), Vec::new());
        for times in &draws {
            let [first, total] = estimate(&rows, times, key);
            firsts.extend(first);
            totals.extend(total);
        }
        firsts.sort_by(f64::total_cmp);
        totals.sort_by(f64::total_cmp);
        Indices {
            first,
            first_low: percentile(&firsts, 0.025),
            first_high: percentile(&firsts, 0.975),
            total,
            total_low: percentile(&totals, 0.025),
            total_high: percentile(&totals, 0.975),
        }
    };
    ((0..keys).map(of).collect(), rows.len())
}

/// First and total index of a key, each row counted this many times; `None` if nothing varies.
fn estimate(rows: &[Vec<f64>], times: &[u32], key: usize) -> [Option<f64>; 2] {
    let (mut first, mut total) = (Moments::default(), Moments::default());
    for (row, times) in rows.iter().zip(times) {
        let (a, b, mixed) = (row[0], row[1], row[key + 2]);
        let weight = f64::from(*times);
        // The mixed run shares this input with B, and all others with A.
        first.add(b, mixed, weight);
        total.add(a, mixed, weight);
    }
    [first.correlation(), total.correlation().map(|shared| 1.0 - shared)]
}

/// Sums over pairs of results.
#[derive(Default)]
struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
    product: f64,
}

impl Moments {
    fn add(&mut self, x: f64, y: f64, weight: f64) {
        self.count += weight;
        self.sum += weight * 0.5 * (x + y);
        self.squares += weight * 0.5 * (x * x + y * y);
        self.product += weight * x * y;
    }

    /// Covariance over variance, both with the mean of all (Janon et al., eq. 6).
    fn correlation(&self) -> Option<f64> {
        let mean = self.sum / self.count;
        let variance = self.squares / self.count - mean * mean;
        let rounding = 1e-13 * (self.squares / self.count);
        (variance > rounding).then(|| (self.product / self.count - mean * mean) / variance)
    }
}

/// Elementary effects of an input: the change of the result over the change of the input, which goes from 0 to 1 over its range.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Effects {
    /// Mean.
    pub mu: Option<f64>,
    /// Mean of the magnitudes: how much the input matters.
    pub mu_star: Option<f64>,
    /// Standard deviation: whether its effect depends on the others, or on itself.
    pub sigma: Option<f64>,
}

/// The effects of each key from the results at the points of [`Measure::Morris`], and the number of trajectories that count.
pub fn effects(
    points: &Points,
    groups: &[usize],
    results: &[Option<f64>],
) -> (Vec<Effects>, usize) {
    let keys = groups.len();
    // The first column of each input.
    let columns: Vec<usize> = (0..keys).map(|key| groups[..key].iter().sum()).collect();
    let mut steps: Vec<Vec<f64>> = vec![Vec::new(); keys];
    let mut used = 0;
    for (walk, row) in results.chunks_exact(keys + 1).enumerate() {
        let Some(row) = row.iter().copied().collect::<Option<Vec<f64>>>() else { continue };
        used += 1;
        for (step, pair) in row.windows(2).enumerate() {
            let at = |point: usize| points.coordinates(walk * (keys + 1) + point);
            let changed = columns.iter().position(|i| at(step)[*i] != at(step + 1)[*i]);
            let Some(key) = changed else { continue };
            let rise = at(step + 1)[columns[key]] - at(step)[columns[key]];
            steps[key].push((pair[1] - pair[0]) / rise);
        }
    }
    let of = |steps: &Vec<f64>| {
        let count = steps.len() as f64;
        let mean = (count > 0.0).then(|| steps.iter().sum::<f64>() / count);
        let star = (count > 0.0).then(|| steps.iter().map(|x| x.abs()).sum::<f64>() / count);
        let sigma = mean.filter(|_| count > 1.0).map(|mean| {
            (steps.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (count - 1.0)).sqrt()
        });
        Effects { mu: mean, mu_star: star, sigma }
    };
    (steps.iter().map(of).collect(), used)
}

/// What one input does alone.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Swing {
    /// The result with the input at its 5 % point.
    pub low: Option<f64>,
    /// The result with every input in its middle.
    pub middle: Option<f64>,
    /// The result with the input at its 95 % point.
    pub high: Option<f64>,
    /// The difference of both ends.
    pub swing: Option<f64>,
}

/// What each key does alone, from the results at the points of [`Measure::Tornado`].
pub fn swings(results: &[Option<f64>], keys: usize) -> Vec<Swing> {
    let at = |point: usize| results.get(point).copied().flatten();
    let of = |key: usize| {
        let [low, high] = [at(1 + 2 * key), at(2 + 2 * key)];
        Swing { low, middle: at(0), high, swing: high.zip(low).map(|(high, low)| high - low) }
    };
    (0..keys).map(of).collect()
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    fn varies(texts: &[&str]) -> Vec<Vary> {
        texts.iter().map(|text| Vary::parse(text).expect("right")).collect()
    }

    fn results(points: &Points, of: impl Fn(&[f64]) -> f64) -> Vec<Option<f64>> {
        (0..points.len())
            .map(|i| {
                let x: Vec<f64> = points.at(i).iter().filter_map(|level| level.number).collect();
                Some(of(&x))
            })
            .collect()
    }

    #[test]
    fn published_indices_of_the_function_of_ishigami() {
        let range = format!("{:?}:{:?}", -PI, PI);
        let keys = ["a", "b", "c"].map(|key| format!("{key}={range}"));
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let ishigami =
            |x: &[f64]| x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin();
        let samples = Measure::Sobol.default_samples();
        for seed in [0, 1, 2, 12345] {
            let points =
                Measure::Sobol.points(varies(&keys), &[1; 3], samples, seed).expect("points");
            let (found, used) = indices(&results(&points, ishigami), 3, seed);
            assert_eq!(used, samples);
            // Closed forms, Ishigami and Homma 1990, with a = 7 and b = 0.1.
            let first = [0.313_905_19, 0.442_411_14, 0.0];
            let total = [0.557_588_86, 0.442_411_14, 0.243_683_66];
            for (key, found) in found.iter().enumerate() {
                let close = |x: Option<f64>, y: f64| (x.expect("a number") - y).abs() < 0.01;
                let both = close(found.first, first[key]) && close(found.total, total[key]);
                assert!(both, "{seed} {key} {found:?}");
                assert!(found.total_low <= found.total && found.total <= found.total_high);
                let interval = found.first_low.expect("low")..=found.first_high.expect("high");
                assert!(interval.contains(&first[key]), "{interval:?}");
            }
        }
    }

    #[test]
    fn exact_effects_of_a_linear_function_with_an_interaction() {
        let points = Measure::Morris
            .points(varies(&["a=0:1", "b=0:10", "c=0:1", "d=0:1"]), &[1; 4], 50, 7)
            .expect("points");
        assert_eq!(points.len(), 50 * 5);
        let results = results(&points, |x| 3.0 * x[0] - 0.2 * x[1] + x[2] * x[2]);
        let (found, used) = effects(&points, &[1; 4], &results);
        assert_eq!(used, 50);
        let near = |x: Option<f64>, y: f64| (x.expect("a number") - y).abs() < 1e-9;
        assert!(near(found[0].mu, 3.0) && near(found[0].mu_star, 3.0) && near(found[0].sigma, 0.0));
        assert!(near(found[1].mu, -2.0) && near(found[1].mu_star, 2.0));
        assert!(found[2].sigma.expect("a number") > 0.1, "not linear: {:?}", found[2]);
        assert!(near(found[3].mu_star, 0.0));
    }

    #[test]
    fn exact_swings() {
        let points =
            Measure::Tornado.points(varies(&["a=0:1", "b=0:10"]), &[1; 2], 1, 0).expect("points");
        let results = results(&points, |x| x[0] + x[1]);
        let found = swings(&results, 2);
        assert_eq!(found[0].middle, Some(5.5));
        assert!((found[0].swing.expect("some") - 0.9).abs() < 1e-12);
        assert!((found[1].swing.expect("some") - 9.0).abs() < 1e-12);
    }

    /// Two columns of one input, x and y, beside a third, z: of f = x − y + x z the variances are rational numbers.
    #[test]
    fn exact_indices_effects_and_swings_of_a_group() {
        let keys = ["x=0:1", "y=0:1", "z=0:1"];
        let of = |measure: Measure, samples| {
            let points = measure.points(varies(&keys), &[2, 1], samples, 3).expect("points");
            let results = results(&points, |x| x[0] - x[1] + x[0] * x[2]);
            (points, results)
        };
        // E(f | x, y) = 3x/2 − y and E(f | z) = z/2: 9/48 + 1/12 and 1/48 of the variance; x z alone has 1/144.
        let (points, found) = of(Measure::Sobol, 1 << 14);
        assert_eq!(points.len(), 4 << 14);
        let (found, _) = indices(&found, 2, 3);
        let [first, second, both] = [13.0 / 48.0, 1.0 / 48.0, 1.0 / 144.0];
        let all = first + second + both;
        for (found, own) in found.iter().zip([first, second]) {
            assert!((found.first.expect("a number") - own / all).abs() < 2e-3, "{found:?}");
            assert!((found.total.expect("a number") - (own + both) / all).abs() < 2e-3);
        }
        // From tight to loose, x = u and y = 1 − u: f = 2u − 1 + u z.
        let (points, found) = of(Measure::Tornado, 1);
        assert_eq!((points.len(), points.at(1)[1].number), (5, Some(0.95)));
        let swing = swings(&found, 2)[0].swing.expect("a number");
        assert!((swing - 0.9 * 2.5).abs() < 1e-12, "{swing}");
        let (points, found) = of(Measure::Morris, 40);
        let (found, used) = effects(&points, &[2, 1], &found);
        assert_eq!(used, 40);
        let mu = found[0].mu.expect("a number");
        assert!((2.0..=3.0).contains(&mu), "{mu}");
    }

    #[test]
    fn exact_what_does_not_vary_has_no_indices() {
        let points = Measure::Sobol.points(varies(&["a=0:1"]), &[1], 8, 0).expect("points");
        let (found, _) = indices(&results(&points, |_| 1e6), 1, 0);
        assert_eq!(found[0].first, None);
        // A sample with a failed run does not count.
        let mut holes = results(&points, |x| x[0]);
        holes[4] = None;
        assert_eq!(indices(&holes, 1, 0).1, 7);
    }
}
