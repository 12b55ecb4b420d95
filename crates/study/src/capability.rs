//! Process capability: how well the spread of a number fits between its limits.

use serde::{Deserialize, Serialize};

use crate::distribution::normal_quantile;
use crate::statistics::{Distributed, Limit};

/// The capability of a metric, with intervals of 95 % for normal samples.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Capability {
    /// The lower limit (SI): the greatest of those that are given.
    pub lower: Option<f64>,
    /// The upper limit (SI): the least of those that are given.
    pub upper: Option<f64>,
    /// C_p, the distance of the limits over six standard deviations; `None` without two limits.
    pub cp: Option<f64>,
    /// Lower end of its interval, by the distribution of χ².
    pub cp_low: Option<f64>,
    /// Upper end.
    pub cp_high: Option<f64>,
    /// C_pk, the distance of the mean from the nearer limit over three standard deviations.
    pub cpk: f64,
    /// Lower end of its interval (Bissell 1990).
    pub cpk_low: f64,
    /// Upper end.
    pub cpk_high: f64,
}

impl Capability {
    /// The capability of these numbers between the limits; `None` without a limit, or if the numbers do not spread.
    pub fn of<'l>(
        spread: &Distributed,
        limits: impl IntoIterator<Item = &'l Limit>,
    ) -> Option<Self> {
        let (mean, std) = (spread.mean?, spread.std.filter(|std| *std > 0.0)?);
        let (mut lower, mut upper) = (None, None);
        for &Limit { upper: is_upper, value, .. } in limits {
            if is_upper {
                upper = Some(upper.map_or(value, |other: f64| other.min(value)));
            } else {
                lower = Some(lower.map_or(value, |other: f64| other.max(value)));
            }
        }
        let distances = [upper.map(|upper| upper - mean), lower.map(|lower| mean - lower)];
        let cpk = distances.into_iter().flatten().reduce(f64::min)? / (3.0 * std);
        let (n, freedom) = (spread.count as f64, (spread.count - 1) as f64);
        let cp = upper.zip(lower).map(|(upper, lower)| (upper - lower) / (6.0 * std));
        let end = |p: f64| cp.map(|cp| cp * (chi_square_quantile(p, freedom) / freedom).sqrt());
        let half = normal_quantile(0.975) * (1.0 / (9.0 * n) + cpk * cpk / (2.0 * freedom)).sqrt();
        Some(Capability {
            lower,
            upper,
            cp,
            cp_low: end(0.025),
            cp_high: end(0.975),
            cpk,
            cpk_low: cpk - half,
            cpk_high: cpk + half,
        })
    }
}

/// The quantile of χ² with this many degrees of freedom: the value that it stays below with probability `p`.
fn chi_square_quantile(p: f64, freedom: f64) -> f64 {
    let below = |x: f64| lower_gamma(0.5 * freedom, 0.5 * x);
    let (mut low, mut high) = (0.0, freedom + 20.0 * (2.0 * freedom).sqrt() + 20.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if below(middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The regularised lower incomplete gamma function P(a, x): its power series below a + 1, the continued fraction of Legendre above
/// (Abramowitz and Stegun 6.5.29 and 6.5.31).
fn lower_gamma(a: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let scale = libm::exp(a * libm::log(x) - x - libm::lgamma(a));
    // Some times √a terms are enough near x = a.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small")]
    let terms = 200 + (20.0 * a.sqrt()) as u32;
    if x < a + 1.0 {
        let (mut term, mut sum) = (1.0 / a, 1.0 / a);
        for k in 1..terms {
            term *= x / (a + f64::from(k));
            sum += term;
        }
        return scale * sum;
    }
    // From its end to its beginning: 1/(x + 1 − a − 1 (1 − a)/(x + 3 − a − …)).
    let mut tail = 0.0;
    for k in (1..terms).rev() {
        let k = f64::from(k);
        tail = k * (k - a) / (x + 2.0 * k + 1.0 - a - tail);
    }
    1.0 - scale / (x + 1.0 - a - tail)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn limits(lower: f64, upper: f64) -> [Limit; 2] {
        [(false, lower), (true, upper)].map(|(upper, value)| Limit {
            metric: "x".to_owned(),
            upper,
            value,
        })
    }

    /// Percentage points of χ² as they are printed in tables (Pearson and Hartley, Biometrika Tables for Statisticians, table 8).
    #[test]
    fn published_percentage_points_of_chi_square() {
        for (p, freedom, printed, digit) in [
            (0.025, 1.0, 0.000_982_069, 1e-9),
            (0.975, 1.0, 5.023_89, 1e-5),
            (0.025, 19.0, 8.906_52, 1e-5),
            (0.975, 19.0, 32.852_3, 1e-4),
            (0.025, 100.0, 74.221_9, 1e-4),
            (0.975, 100.0, 129.561, 1e-3),
        ] {
            let found = chi_square_quantile(p, freedom);
            assert!((found - printed).abs() < 0.6 * digit, "{p} of {freedom}: {found}");
        }
    }

    #[test]
    fn exact_capability_in_the_middle_and_of_one_limit() {
        let spread =
            Distributed { count: 20, mean: Some(50.0), std: Some(1.75), ..Default::default() };
        let found = Capability::of(&spread, &limits(38.0, 62.0)).expect("two limits");
        // In the middle both indices are the same.
        assert!((found.cpk - 12.0 / 5.25).abs() < 1e-14);
        assert!((found.cp.expect("two limits") - found.cpk).abs() < 1e-14);
        let one = Capability::of(&spread, &limits(38.0, 62.0)[..1]).expect("one limit");
        assert_eq!((one.cp, one.upper, one.cpk), (None, None, found.cpk));
        assert_eq!(Capability::of(&spread, []), None);
        let still = Distributed { std: Some(0.0), ..spread };
        assert_eq!(Capability::of(&still, &limits(38.0, 62.0)), None);
    }

    /// Of samples from a normal distribution with C_p = 4/3 and C_pk = 1 the intervals miss these numbers in 5 % of all cases, that of
    /// C_pk about so.
    #[test]
    fn property_intervals_cover_the_truth() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut uniform = || (random.next_u64() >> 11) as f64 * 2.0_f64.powi(-53);
        let limits = limits(-5.0, 3.0);
        let (trials, mut missed) = (2000, [0.0; 2]);
        for _ in 0..trials {
            let numbers: Vec<Option<f64>> = (0..40)
                .map(|_| {
                    // Box and Muller.
                    let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
                    Some(radius * (std::f64::consts::TAU * uniform()).cos())
                })
                .collect();
            let found = Capability::of(&Distributed::of(numbers), &limits).expect("numbers");
            let [low, high] = [found.cp_low, found.cp_high].map(|x| x.expect("two limits"));
            missed[0] += f64::from(u8::from(!(low..=high).contains(&(4.0 / 3.0))));
            missed[1] += f64::from(u8::from(!(found.cpk_low..=found.cpk_high).contains(&1.0)));
        }
        // The standard error of 5 % in 2000 trials is 0.5 %.
        assert!((missed[0] / f64::from(trials) - 0.05).abs() < 0.02, "{missed:?}");
        assert!((missed[1] / f64::from(trials) - 0.05).abs() < 0.025, "{missed:?}");
    }
}
