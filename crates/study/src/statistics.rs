//! Statistics of many numbers: moments, percentiles, and the probability of exceeding a limit.

use serde::{Deserialize, Serialize};

use crate::distribution::normal_quantile;

/// Moments and percentiles of a sample.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Distributed {
    /// How many numbers there are.
    pub count: usize,
    /// How many runs have none.
    pub failed: usize,
    /// Mean.
    pub mean: Option<f64>,
    /// Standard deviation, with n − 1.
    pub std: Option<f64>,
    /// Least number.
    pub min: Option<f64>,
    /// Greatest number.
    pub max: Option<f64>,
    /// 5 % of the numbers lie below.
    pub p05: Option<f64>,
    /// 25 % of the numbers lie below.
    pub p25: Option<f64>,
    /// Half of the numbers lie below.
    pub p50: Option<f64>,
    /// 75 % of the numbers lie below.
    pub p75: Option<f64>,
    /// 95 % of the numbers lie below.
    pub p95: Option<f64>,
}

impl Distributed {
    /// The statistics of these numbers; `None` stands for a run without a result.
    pub fn of(numbers: impl IntoIterator<Item = Option<f64>>) -> Self {
        let mut failed = 0;
        let mut sorted: Vec<f64> = Vec::new();
        for number in numbers {
            match number.filter(|x| x.is_finite()) {
                Some(number) => sorted.push(number),
                None => failed += 1,
            }
        }
        sorted.sort_by(f64::total_cmp);
        let count = sorted.len();
        let mean = mean(&sorted);
        let spread = mean.filter(|_| count > 1).map(|mean| {
            let squares: f64 = sorted.iter().map(|x| (x - mean) * (x - mean)).sum();
            (squares / (count - 1) as f64).sqrt()
        });
        let [p05, p25, p50, p75, p95] =
            [0.05, 0.25, 0.5, 0.75, 0.95].map(|p| percentile(&sorted, p));
        Distributed {
            count,
            failed,
            mean,
            std: spread,
            min: sorted.first().copied(),
            max: sorted.last().copied(),
            p05,
            p25,
            p50,
            p75,
            p95,
        }
    }
}

/// The mean; `None` of nothing.
pub(crate) fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The number below which the fraction `p` of the sorted numbers lies, interpolated between neighbours (Hyndman and Fan, type 7).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "inside the list")]
pub fn percentile(sorted: &[f64], p: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = p.clamp(0.0, 1.0) * last as f64;
    let below = (place.floor() as usize).min(last);
    let above = (below + 1).min(last);
    let part = place - below as f64;
    Some(sorted[below] + part * (sorted[above] - sorted[below]))
}

/// A limit of a metric.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// The metric, as it was typed.
    pub metric: String,
    /// Whether the metric must stay below the limit, rather than above it.
    pub upper: bool,
    /// The limit in SI.
    pub value: f64,
}

/// How often a limit is exceeded.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Exceeded {
    /// Runs beyond the limit.
    pub count: usize,
    /// All runs that have the metric.
    pub of: usize,
    /// Their ratio.
    pub probability: f64,
    /// Lower end of its interval of 95 % (Wilson).
    pub low: f64,
    /// Upper end.
    pub high: f64,
    /// Process capability on the side of this limit: its distance from the mean over three standard deviations.
    pub capability: Option<f64>,
}

impl Limit {
    /// How often these numbers exceed it.
    pub fn of(&self, numbers: &[f64]) -> Option<Exceeded> {
        if numbers.is_empty() {
            return None;
        }
        let beyond = |x: &&f64| if self.upper { **x > self.value } else { **x < self.value };
        let (count, of) = (numbers.iter().filter(beyond).count(), numbers.len());
        let [low, high] = wilson(count, of);
        let spread = Distributed::of(numbers.iter().map(|x| Some(*x)));
        let capability =
            spread.mean.zip(spread.std).filter(|(_, std)| *std > 0.0).map(|(mean, std)| {
                let distance = if self.upper { self.value - mean } else { mean - self.value };
                distance / (3.0 * std)
            });
        Some(Exceeded { count, of, probability: count as f64 / of as f64, low, high, capability })
    }
}

/// The interval of 95 % of a probability that was seen `count` times in `of` (E. B. Wilson, 1927).
fn wilson(count: usize, of: usize) -> [f64; 2] {
    let z = normal_quantile(0.975);
    let (n, p) = (of as f64, count as f64 / of as f64);
    let denominator = 1.0 + z * z / n;
    let centre = (p + 0.5 * z * z / n) / denominator;
    let half = z * (p * (1.0 - p) / n + 0.25 * z * z / (n * n)).sqrt() / denominator;
    // The ends are exact where nothing or everything was seen.
    [
        if count == 0 { 0.0 } else { (centre - half).max(0.0) },
        if count == of { 1.0 } else { (centre + half).min(1.0) },
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn published_percentiles_and_moments() {
        // numpy.percentile([15, 20, 35, 40, 50], 40) of its documentation is 29; the others by hand.
        let numbers = [35.0, 20.0, 15.0, 50.0, 40.0];
        let found = Distributed::of(numbers.map(Some).into_iter().chain([None]));
        assert_eq!((found.count, found.failed), (5, 1));
        assert_eq!(found.mean, Some(32.0));
        assert_eq!((found.p25, found.p50, found.p75), (Some(20.0), Some(35.0), Some(40.0)));
        assert!((found.std.expect("some") - 207.5f64.sqrt()).abs() < 1e-12);
        let mut sorted = numbers;
        sorted.sort_by(f64::total_cmp);
        assert!((percentile(&sorted, 0.4).expect("some") - 29.0).abs() < 1e-12);
        assert_eq!(Distributed::of([]).mean, None);
        assert_eq!(Distributed::of([Some(1.0)]).std, None);
    }

    #[test]
    fn published_the_interval_of_wilson() {
        // Newcombe, Statistics in Medicine 17 (1998) 857, table I: 81 of 263 and 15 of 148, 0 of 20.
        for (count, of, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611)]
        {
            let found = wilson(count, of);
            assert!((found[0] - low).abs() < 6e-5 && (found[1] - high).abs() < 6e-5, "{found:?}");
        }
    }

    #[test]
    fn exact_a_limit_counts_what_lies_beyond() {
        let limit = Limit { metric: "x".to_owned(), upper: true, value: 3.0 };
        let found = limit.of(&[1.0, 2.0, 3.0, 4.0]).expect("numbers");
        assert_eq!((found.count, found.of, found.probability), (1, 4, 0.25));
        // Mean 2.5, variance 5/3.
        let capability = 0.5 / (3.0 * (5.0 / 3.0_f64).sqrt());
        assert!((found.capability.expect("some") - capability).abs() < 1e-14);
    }
}
