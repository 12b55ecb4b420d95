//! Which points a study runs: all combinations of the values, or samples that fill the ranges evenly.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sobol::Sobol;
use sobol::params::JoeKuoD6;

use crate::vary::{Level, Values, Vary};

/// How points are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Design {
    /// All combinations of the values, the last key fastest.
    Grid,
    /// Samples with these points of the unit cube.
    Samples {
        /// How the cube is filled.
        filling: Filling,
        /// How many samples there are.
        samples: usize,
        /// Chooses the random numbers.
        seed: u64,
    },
}

/// How samples fill the unit cube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Filling {
    /// The sequence of Sobol' with the direction numbers of Joe and Kuo, its digits scrambled after Owen: the means of smooth
    /// responses converge almost like n^(-3/2) instead of n^(-1/2).
    #[default]
    Sobol,
    /// A Latin hypercube: each of n strata of every key has one sample.
    Latin,
    /// Independent random numbers.
    Random,
}

impl Filling {
    /// Every filling with its name.
    pub const ALL: [(&'static str, Self); 3] =
        [("sobol", Self::Sobol), ("latin", Self::Latin), ("random", Self::Random)];

    /// The names of all fillings.
    pub const NAMES: &'static [&'static str] = &[Self::ALL[0].0, Self::ALL[1].0, Self::ALL[2].0];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Filling::Sobol => "sobol",
            Filling::Latin => "latin",
            Filling::Random => "random",
        }
    }

    /// Points of the open unit cube, one after another, `keys` numbers each.
    ///
    /// # Errors
    /// If there are more keys than the sequence has directions for.
    pub fn points(self, samples: usize, keys: usize, seed: u64) -> Result<Vec<f64>, String> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        match self {
            _ if keys == 0 || samples == 0 => Ok(Vec::new()),
            Filling::Random => Ok((0..samples * keys).map(|_| open(random.next_u64())).collect()),
            Filling::Latin => {
                let mut points = vec![0.0; samples * keys];
                for key in 0..keys {
                    for (sample, stratum) in shuffled(samples, &mut random).into_iter().enumerate()
                    {
                        let inside = open(random.next_u64());
                        points[sample * keys + key] = (stratum as f64 + inside) / samples as f64;
                    }
                }
                Ok(points)
            }
            Filling::Sobol => {
                if keys > MOST_KEYS {
                    return Err(format!(
                        "the sequence of Sobol' is known for up to {MOST_KEYS} keys, not for {keys}: take another design"
                    ));
                }
                let seeds: Vec<u64> = (0..keys).map(|_| random.next_u64()).collect();
                let sequence = Sobol::<u64>::new(keys, &JoeKuoD6::standard());
                let mut points = Vec::with_capacity(samples * keys);
                for point in sequence.take(samples) {
                    points.extend(
                        point.iter().zip(&seeds).map(|(x, seed)| open(scrambled(*x, *seed))),
                    );
                }
                Ok(points)
            }
        }
    }
}

/// The direction numbers of Joe and Kuo that are built in.
const MOST_KEYS: usize = 1000;

/// Digits that are scrambled one by one; at most two to this power points are possible.
const NESTED: u32 = 32;

/// Scrambles the binary digits of a coordinate (A. B. Owen, "Randomly permuted (t,m,s)-nets and (t,s)-sequences", 1995): each digit is
/// flipped or not by a coin that belongs to the digits before it, so that every coordinate is uniform and every elementary interval keeps
/// its number of points. The first 2^m points differ in their first m digits, and those after [`NESTED`] are random numbers that belong to the
/// digits before them. A shift of the digits, the same for all points, would leave them on a lattice.
fn scrambled(x: u64, seed: u64) -> u64 {
    // The tree of all beginnings, numbered from its root: 1, then 2 and 3, and so on.
    let node = |digits: u32| (1 << digits) + x.checked_shr(64 - digits).unwrap_or(0);
    let coins = (0..NESTED).map(|digits| random_number(seed, node(digits)) >> 63 << (63 - digits));
    let flips = coins.fold(0, |flips, coin| flips | coin);
    x ^ flips ^ (random_number(seed, node(NESTED)) >> NESTED)
}

/// The number at this place of the stream of a seed. G. L. Steele, D. Lea and C. H. Flood, "Fast splittable pseudorandom number
/// generators" (`SplitMix64`), OOPSLA 2014.
fn random_number(seed: u64, place: u64) -> u64 {
    let z = seed.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number of the open unit interval with the 53 leading digits of these bits.
fn open(bits: u64) -> f64 {
    const LAST: f64 = 1.0 / (1_u64 << 53) as f64;
    ((bits >> 11) as f64 + 0.5) * LAST
}

/// The numbers below `count` in random order (Fisher and Yates).
pub(crate) fn shuffled(count: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        numbers.swap(last, below(last + 1, random));
    }
    numbers
}

/// A random number below `count`.
#[expect(clippy::cast_possible_truncation, reason = "less than `count`")]
pub(crate) fn below(count: usize, random: &mut ChaCha8Rng) -> usize {
    // The upper half of the product: uneven by at most count/2⁶⁴.
    ((u128::from(random.next_u64()) * count as u128) >> 64) as usize
}

/// The points of a study, worked out.
#[derive(Clone, Debug)]
pub struct Points {
    varies: Vec<Vary>,
    /// Of samples: the points of the unit cube.
    cube: Option<Vec<f64>>,
    count: usize,
}

impl Points {
    /// Computes the points of a design.
    ///
    /// # Errors
    /// The problem of the design with the varied keys.
    pub fn new(design: Design, varies: Vec<Vary>) -> Result<Self, String> {
        match design {
            Design::Grid => {
                let count = varies.iter().try_fold(1_usize, |product, vary| {
                    let count = vary.count().ok_or_else(|| {
                        format!(
                            "{}: a grid needs values, such as FROM:TO:COUNT or a,b,c; a range LOW:HIGH or a distribution needs --samples COUNT",
                            vary.key
                        )
                    })?;
                    product
                        .checked_mul(count)
                        .filter(|product| *product <= MOST_POINTS)
                        .ok_or_else(|| format!("the grid has more than {MOST_POINTS} points"))
                })?;
                Ok(Points { varies, cube: None, count })
            }
            Design::Samples { filling, samples, seed } => {
                let cube = filling.points(samples, varies.len(), seed)?;
                Ok(Points { varies, cube: Some(cube), count: samples })
            }
        }
    }

    /// These points of the unit cube.
    pub(crate) fn of_cube(varies: Vec<Vary>, cube: Vec<f64>) -> Self {
        let count = if varies.is_empty() { 0 } else { cube.len() / varies.len() };
        Points { varies, cube: Some(cube), count }
    }

    /// Whether they are all combinations of values.
    pub(crate) fn is_grid(&self) -> bool {
        self.cube.is_none()
    }

    /// What is varied.
    pub fn varies(&self) -> &[Vary] {
        &self.varies
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// A point of the unit cube.
    pub(crate) fn coordinates(&self, point: usize) -> &[f64] {
        let keys = self.varies.len();
        self.cube.as_deref().map_or(&[], |cube| &cube[point * keys..(point + 1) * keys])
    }

    /// The value of each varied key at a point.
    pub fn at(&self, point: usize) -> Vec<Level> {
        (0..self.varies.len()).map(|key| self.level(point, key)).collect()
    }

    /// The value of one of the varied keys at a point.
    pub(crate) fn level(&self, point: usize, key: usize) -> Level {
        match (&self.varies[key].values, &self.cube) {
            (Values::Spread(spread), cube) => {
                spread.at(cube.as_ref().map_or(0.5, |cube| cube[point * self.varies.len() + key]))
            }
            (Values::Levels(levels), Some(cube)) => {
                levels[stratum(cube[point * self.varies.len() + key], levels.len())].clone()
            }
            (Values::Levels(levels), None) => {
                let faster = self.varies[key + 1..].iter().filter_map(Vary::count);
                levels[point / faster.product::<usize>() % levels.len()].clone()
            }
        }
    }
}

/// Which of `count` equal parts of the unit interval a number lies in.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the interval")]
fn stratum(u: f64, count: usize) -> usize {
    ((u * count as f64) as usize).min(count.saturating_sub(1))
}

/// More points than this cannot be meant.
pub(crate) const MOST_POINTS: usize = 100_000_000;

#[cfg(test)]
mod tests {
    use super::*;

    /// The points with their digits as they are.
    fn plain(samples: usize, keys: usize) -> Vec<Vec<f64>> {
        let sequence = Sobol::<f64>::new(keys, &JoeKuoD6::standard());
        sequence.take(samples).collect()
    }

    #[test]
    fn published_the_sequence_of_sobol() {
        // Joe and Kuo, "Notes on generating Sobol' sequences", 2008, with new-joe-kuo-6: the first points in three dimensions.
        let expected = [
            [0.0, 0.0, 0.0],
            [0.5, 0.5, 0.5],
            [0.75, 0.25, 0.25],
            [0.25, 0.75, 0.75],
            [0.375, 0.375, 0.625],
            [0.875, 0.875, 0.125],
            [0.625, 0.125, 0.875],
            [0.125, 0.625, 0.375],
        ];
        assert_eq!(plain(8, 3), expected);
    }

    #[test]
    fn property_every_filling_has_one_sample_in_each_stratum() {
        // Of 2^k points of Sobol' and of any number of a Latin hypercube.
        for (filling, samples) in [(Filling::Sobol, 1 << 10), (Filling::Latin, 1000)] {
            let keys = 7;
            let points = filling.points(samples, keys, 3).expect("points");
            for key in 0..keys {
                let mut strata: Vec<usize> = (0..samples)
                    .map(|sample| stratum(points[sample * keys + key], samples))
                    .collect();
                strata.sort_unstable();
                assert_eq!(strata, (0..samples).collect::<Vec<_>>(), "{filling:?}, key {key}");
            }
        }
    }

    #[test]
    fn published_random_numbers_of_a_stream() {
        // The first numbers of the reference implementation of SplitMix64 (S. Vigna) with the seed 1234567.
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([1, 2, 3].map(|place| random_number(1_234_567, place)), expected);
    }

    #[test]
    fn property_scrambled_points_keep_to_elementary_intervals() {
        // The first two coordinates of Sobol' are a (0, 2)-sequence: of 2^m points, however scrambled, each rectangle of 2^-k by 2^(k-m) has one.
        let m = 10;
        for seed in 0..5 {
            let points = Filling::Sobol.points(1 << m, 2, seed).expect("points");
            for k in 0..=m {
                let mut seen: Vec<usize> = points
                    .chunks(2)
                    .map(|p| (stratum(p[0], 1 << k) << (m - k)) + stratum(p[1], 1 << (m - k)))
                    .collect();
                seen.sort_unstable();
                assert!(seen.into_iter().eq(0..1 << m), "seed {seed}, k = {k}");
            }
        }
    }

    #[test]
    fn property_sums_of_two_coordinates_are_all_different() {
        // The clearance of a fit with zones of the same width is such a sum. Points on a lattice have few.
        let points = Filling::Sobol.points(1 << 12, 2, 0).expect("points");
        let mut sums: Vec<u64> = points.chunks(2).map(|p| (p[0] + p[1]).to_bits()).collect();
        sums.sort_unstable();
        sums.dedup();
        assert_eq!(sums.len(), 1 << 12);
    }

    #[test]
    fn order_scrambled_means_of_smooth_functions_converge_like_one_over_n_to_the_three_halves() {
        // Owen, "Scrambled net variance for integrals of smooth functions", Annals of Statistics 25 (1997) 1541: the variance is of
        // order (log n)^(d-1) n^-3, here of exp(u + v), whose mean is (e - 1)².
        let exact = (std::f64::consts::E - 1.0).powi(2);
        let deviation = |samples: usize| {
            let squares = (0..64).map(|seed| {
                let points = Filling::Sobol.points(samples, 2, seed).expect("points");
                let sum: f64 = points.chunks(2).map(|p| libm::exp(p[0] + p[1])).sum();
                (sum / samples as f64 - exact).powi(2)
            });
            (squares.sum::<f64>() / 64.0).sqrt()
        };
        let order = (deviation(1 << 6) / deviation(1 << 12)).log2() / 6.0;
        assert!((1.3..1.6).contains(&order), "{order}");
    }

    #[test]
    fn property_points_beyond_two_to_the_twenty_differ() {
        // In single precision they repeat from 2^16 on.
        let samples = (1 << 20) + 100;
        let points = Filling::Sobol.points(samples, 2, 1).expect("points");
        let mut first: Vec<u64> = points.iter().step_by(2).map(|x| x.to_bits()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), samples);
        let mean = points.iter().skip(1).step_by(2).sum::<f64>() / samples as f64;
        assert!((mean - 0.5).abs() < 1e-6, "{mean}");
    }

    #[test]
    fn exact_the_integral_of_a_product_converges_like_one_over_n() {
        // ∏ (1 + (u − 1/2)) has the mean 1 and the variance (13/12)⁴ − 1, of which 4/12 are effects of single factors, which a Latin
        // hypercube takes away. The bounds of the last two are four standard deviations.
        let error = |filling: Filling, samples: usize| {
            let points = filling.points(samples, 4, 5).expect("points");
            let product = |point: &[f64]| point.iter().map(|u| u + 0.5).product::<f64>();
            (points.chunks(4).map(product).sum::<f64>() / samples as f64 - 1.0).abs()
        };
        assert!(error(Filling::Sobol, 1 << 14) < 2e-5);
        assert!(error(Filling::Latin, 1 << 14) < 6e-3);
        assert!(error(Filling::Random, 1 << 14) < 2e-2);
    }

    #[test]
    fn exact_the_grid_has_the_first_key_slowest() {
        let varies = ["a=1,2", "b=x,y,z"].map(|text| Vary::parse(text).expect("right"));
        let points = Points::new(Design::Grid, varies.to_vec()).expect("a grid");
        let texts: Vec<String> = (0..points.len())
            .map(|i| points.at(i).iter().map(|level| level.text.as_str()).collect::<String>())
            .collect();
        assert_eq!(texts, ["1x", "1y", "1z", "2x", "2y", "2z"]);
        let spread = vec![Vary::parse("a=uniform(0,1)").expect("right")];
        assert!(Points::new(Design::Grid, spread).expect_err("no grid").contains("--samples"));
    }

    #[test]
    fn property_a_seed_gives_the_same_points_everywhere() {
        // Digits of this program on another machine: the generator and the sequence do not depend on it.
        let points = Filling::Latin.points(2, 2, 1).expect("points");
        assert_eq!(points, Filling::Latin.points(2, 2, 1).expect("points"));
        assert_ne!(points, Filling::Latin.points(2, 2, 2).expect("points"));
    }
}
