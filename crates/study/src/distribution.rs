//! Distributions of inputs, by their quantiles: every design of samples turns numbers of the unit interval into values with them.
//!
//! ```
//! use jointplay_study::distribution::Distribution;
//!
//! let bore = Distribution::parse("normal(20.01 mm, 2 um)")?.expect("a distribution");
//! assert_eq!(bore.at(0.5).number, Some(0.02001));
//! # Ok::<(), String>(())
//! ```

use std::f64::consts::{FRAC_1_SQRT_2, TAU};

use crate::vary::{Level, Quantity};

/// The distribution of a random input; its numbers are in one unit, that of its first argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// As it was typed.
    text: String,
    unit: String,
    shape: Family,
}

#[derive(Clone, Debug, PartialEq)]
enum Family {
    Uniform {
        low: f64,
        high: f64,
    },
    Normal {
        mean: f64,
        deviation: f64,
    },
    /// Normal, truncated at the limits.
    Truncated {
        mean: f64,
        deviation: f64,
        low: f64,
        high: f64,
    },
    Triangular {
        low: f64,
        mode: f64,
        high: f64,
    },
    /// The logarithm is normal, with this mean and deviation.
    Lognormal {
        mean: f64,
        deviation: f64,
    },
    /// Discrete values with their cumulative probabilities.
    Discrete(Vec<(Level, f64)>),
}

/// Every distribution with its arguments.
const FORMS: &str = "uniform(low, high), normal(mean, std), truncated(mean, std, low, high), triangular(low, mode, high), lognormal(mean, std), discrete(a: 0.2, b: 0.8)";

impl Distribution {
    /// Reads a distribution such as `normal(20 mm, 0.01 mm)`; `None` if the text is something else.
    ///
    /// # Errors
    /// What is wrong with its arguments.
    pub fn parse(text: &str) -> Result<Option<Self>, String> {
        let text = text.trim();
        let Some((name, arguments)) = text.strip_suffix(')').and_then(|t| t.split_once('(')) else {
            return Ok(None);
        };
        let name = name.trim();
        let names = ["uniform", "normal", "truncated", "triangular", "lognormal", "discrete"];
        if !names.contains(&name) {
            return Ok(None);
        }
        let wrong = |why: &str| format!("`{text}`: {why}; there is {FORMS}");
        if name == "discrete" {
            let shape = Family::Discrete(discrete(arguments).map_err(|why| wrong(&why))?);
            return Ok(Some(Distribution { text: text.to_owned(), unit: String::new(), shape }));
        }
        let (numbers, unit) = quantities(arguments).map_err(|why| wrong(&why))?;
        let shape = match (name, &numbers[..]) {
            ("uniform", &[low, high]) => Family::Uniform { low, high },
            ("normal", &[mean, deviation]) => Family::Normal { mean, deviation },
            ("truncated", &[mean, deviation, low, high]) => {
                Family::Truncated { mean, deviation, low, high }
            }
            ("triangular", &[low, mode, high]) => Family::Triangular { low, mode, high },
            ("triangular", &[low, high]) => {
                Family::Triangular { low, mode: 0.5 * (low + high), high }
            }
            ("lognormal", &[mean, deviation]) => lognormal(mean, deviation),
            _ => return Err(wrong("the number of arguments is wrong")),
        };
        shape.check().map_err(wrong)?;
        Ok(Some(Distribution { text: text.to_owned(), unit, shape }))
    }

    /// Every value between two is equally likely.
    pub(crate) fn uniform([low, high]: [f64; 2], unit: &str, text: &str) -> Result<Self, String> {
        let shape = Family::Uniform { low, high };
        shape.check().map_err(|why| format!("`{text}`: {why}"))?;
        Ok(Distribution { text: text.to_owned(), unit: unit.to_owned(), shape })
    }

    /// The values of a discrete distribution.
    pub(crate) fn listed(&self) -> Vec<Level> {
        match &self.shape {
            Family::Discrete(values) => values.iter().map(|(level, _)| level.clone()).collect(),
            Family::Uniform { .. }
            | Family::Normal { .. }
            | Family::Truncated { .. }
            | Family::Triangular { .. }
            | Family::Lognormal { .. } => Vec::new(),
        }
    }

    /// The value below which the fraction `p` of all values lies, with its unit.
    pub fn at(&self, p: f64) -> Level {
        match &self.shape {
            Family::Discrete(values) => {
                let found = values.iter().find(|(_, sum)| p < *sum).or(values.last());
                found.map_or_else(|| Level::of(String::new()), |(level, _)| level.clone())
            }
            shape => Level::of(Quantity::written(shape.quantile(p), &self.unit)),
        }
    }
}

impl std::fmt::Display for Distribution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl Family {
    fn check(&self) -> Result<(), &'static str> {
        let ordered = |low: f64, high: f64| {
            if low < high { Ok(()) } else { Err("the lower limit must be less than the upper one") }
        };
        let positive = |deviation: f64| {
            if deviation > 0.0 { Ok(()) } else { Err("the standard deviation must be positive") }
        };
        match *self {
            Family::Uniform { low, high } => ordered(low, high),
            Family::Normal { deviation, .. } => positive(deviation),
            Family::Truncated { mean, deviation, low, high } => {
                ordered(low, high)?;
                positive(deviation)?;
                let [below, above] = [low, high].map(|x| below_normal((x - mean) / deviation));
                let [beyond, rest] = [low, high].map(|x| below_normal((mean - x) / deviation));
                // Both, as one of the differences has no digits left far from the mean.
                if above - below > 1e-12 || beyond - rest > 1e-12 {
                    Ok(())
                } else {
                    Err("practically nothing lies between the limits")
                }
            }
            Family::Triangular { low, mode, high } if low <= mode && mode <= high => {
                ordered(low, high)
            }
            Family::Triangular { .. } => Err("the mode must lie between the limits"),
            Family::Lognormal { deviation, .. } if deviation > 0.0 && deviation.is_finite() => {
                Ok(())
            }
            Family::Lognormal { .. } => {
                Err("the mean and the standard deviation of the values must be positive")
            }
            Family::Discrete(_) => Ok(()),
        }
    }

    fn quantile(&self, p: f64) -> f64 {
        match *self {
            Family::Uniform { low, high } => low + p * (high - low),
            Family::Normal { mean, deviation } => mean + deviation * normal_quantile(p),
            Family::Truncated { mean, deviation, low, high } => {
                // In the tail that keeps its digits.
                let sign = if low > mean { -1.0 } else { 1.0 };
                let [a, b] = [low, high].map(|x| below_normal(sign * (x - mean) / deviation));
                let x = mean + sign * deviation * normal_quantile(a + p * (b - a));
                x.clamp(low, high)
            }
            Family::Triangular { low, mode, high } => {
                let width = high - low;
                if p * width < mode - low {
                    low + (p * width * (mode - low)).sqrt()
                } else {
                    high - ((1.0 - p) * width * (high - mode)).sqrt()
                }
            }
            Family::Lognormal { mean, deviation } => {
                libm::exp(mean + deviation * normal_quantile(p))
            }
            Family::Discrete(_) => f64::NAN,
        }
    }
}

/// The lognormal distribution whose values have this mean and standard deviation.
fn lognormal(mean: f64, deviation: f64) -> Family {
    if !(mean > 0.0 && deviation > 0.0) {
        return Family::Lognormal { mean: f64::NAN, deviation: f64::NAN };
    }
    let ratio = deviation / mean;
    let variance = libm::log1p(ratio * ratio);
    Family::Lognormal { mean: libm::log(mean) - 0.5 * variance, deviation: variance.sqrt() }
}

/// The probability that a standard normal number lies below `x`.
fn below_normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// The number below which a standard normal one lies with the probability `p`. Abramowitz and Stegun, Handbook of Mathematical
/// Functions, 26.2.23, improved by Halley's method on erfc.
pub(crate) fn normal_quantile(p: f64) -> f64 {
    if p.is_nan() || p <= 0.0 || p >= 1.0 {
        return if p <= 0.0 {
            f64::NEG_INFINITY
        } else if p >= 1.0 {
            f64::INFINITY
        } else {
            f64::NAN
        };
    }
    let tail = p.min(1.0 - p);
    let t = (-2.0 * libm::log(tail)).sqrt();
    let above = 2.515_517 + t * (0.802_853 + t * 0.010_328);
    let below = 1.0 + t * (1.432_788 + t * (0.189_269 + t * 0.001_308));
    let mut x = above / below - t; // in the lower tail
    for _ in 0..3 {
        let density = libm::exp(-0.5 * x * x) / TAU.sqrt();
        let step = (below_normal(x) - tail) / density;
        x -= step / (1.0 + 0.5 * x * step);
    }
    if p < 0.5 { x } else { -x }
}

/// Arguments that are quantities of one unit: their numbers in it.
fn quantities(arguments: &str) -> Result<(Vec<f64>, String), String> {
    let parts: Vec<Quantity> = arguments
        .split(',')
        .map(|text| {
            Quantity::parse(text).ok_or_else(|| format!("`{}` is not a quantity", text.trim()))
        })
        .collect::<Result<_, _>>()?;
    let unit = parts.iter().map(Quantity::unit).find(|unit| !unit.is_empty()).unwrap_or_default();
    let numbers = parts.iter().map(|quantity| quantity.number_in(unit));
    let numbers: Option<Vec<f64>> = numbers.collect();
    let numbers = numbers.ok_or("give all arguments in units of the same kind")?;
    Ok((numbers, unit.to_owned()))
}

/// `a, b, c` or `a: 0.2, b: 0.8`: values with the sum of the probabilities up to each.
fn discrete(arguments: &str) -> Result<Vec<(Level, f64)>, String> {
    let mut values = Vec::new();
    let mut sum = 0.0;
    for part in arguments.split(',').map(str::trim) {
        let (value, weight) = match part.rsplit_once(':') {
            Some((value, weight)) => {
                let weight: f64 = weight.trim().parse().unwrap_or(f64::NAN);
                if !(weight > 0.0 && weight.is_finite()) {
                    return Err(format!("the weight in `{part}` is not a positive number"));
                }
                (value.trim(), weight)
            }
            None => (part, 1.0),
        };
        if value.is_empty() {
            return Err("a value is empty".to_owned());
        }
        sum += weight;
        values.push((Level::of(value.to_owned()), sum));
    }
    for (_, upto) in &mut values {
        *upto /= sum;
    }
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distribution(text: &str) -> Distribution {
        Distribution::parse(text).expect("right").expect("a distribution")
    }

    /// Mean and standard deviation by quadrature of the quantile, with the midpoint rule.
    fn moments(text: &str) -> [f64; 2] {
        let distribution = distribution(text);
        let n = 100_000;
        let values = (0..n).map(|i| {
            distribution.at((f64::from(i) + 0.5) / f64::from(n)).number.expect("a number")
        });
        let values: Vec<f64> = values.collect();
        let mean = values.iter().sum::<f64>() / f64::from(n);
        let square = values.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / f64::from(n);
        [mean, square.sqrt()]
    }

    #[test]
    fn peer_quantiles_of_the_normal_distribution() {
        // By mpmath with 30 digits.
        for (p, x) in [
            (0.975, 1.959_963_984_540_054),
            (0.95, 1.644_853_626_951_473),
            (0.999, 3.090_232_306_167_813_5),
            (0.5, 0.0),
            (1e-6, -4.753_424_308_822_899),
            (1e-300, -37.047_096_299_361_2),
        ] {
            let found = normal_quantile(p);
            assert!((found - x).abs() < 4e-15 * x.abs().max(1.0), "{p}: {found:.17}");
        }
        assert_eq!(normal_quantile(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn exact_moments() {
        let close = |text: &str, [mean, deviation]: [f64; 2]| {
            let found = moments(text);
            let off = (found[0] - mean).abs().max((found[1] - deviation).abs());
            assert!(off < 3e-6 * deviation, "{text}: {found:?}");
        };
        close("uniform(2 mm, 8 mm)", [5e-3, 6e-3 / 12f64.sqrt()]);
        close("triangular(1, 2, 6)", [3.0, ((1.0 + 4.0 + 36.0 - 2.0 - 6.0 - 12.0) / 18f64).sqrt()]);
        close("triangular(-1, 1)", [0.0, (1.0 / 6f64).sqrt()]);
        close("discrete(1: 1, 2: 3)", [1.75, 0.1875f64.sqrt()]);
        // The tails of these are beyond the midpoint rule at the last digits.
        let near = |text: &str, [mean, deviation]: [f64; 2], digits: f64| {
            let found = moments(text);
            assert!((found[0] - mean).abs() < digits * deviation, "{text}: {found:?}");
            assert!((found[1] - deviation).abs() < digits * deviation, "{text}: {found:?}");
        };
        near("normal(20 mm, 0.1 mm)", [0.02, 1e-4], 1e-5);
        near("lognormal(3, 1.5)", [3.0, 1.5], 1e-4);
        // Half a normal distribution: mean σ √(2/π), variance σ² (1 − 2/π).
        let half = std::f64::consts::FRAC_2_PI;
        near("truncated(0, 2, 0, 100)", [2.0 * half.sqrt(), 2.0 * (1.0 - half).sqrt()], 1e-5);
        // In a far tail the density falls like exp(−x a): mean a + 1/a − 2/a³ + …
        let [mean, _] = moments("truncated(0, 1, 6, 60)");
        assert!((mean - 6.158_4).abs() < 1e-3, "{mean}");
    }

    #[test]
    fn exact_what_is_wrong_is_said() {
        let wrong = |text: &str| Distribution::parse(text).expect_err("it is wrong");
        assert!(wrong("uniform(2, 1)").contains("less than"));
        assert!(wrong("normal(1, 0)").contains("positive"));
        assert!(wrong("normal(1)").contains("number of arguments"));
        assert!(wrong("normal(1 mm, 2 kg)").contains("same kind"));
        assert!(wrong("triangular(1, 5, 2)").contains("mode"));
        assert!(wrong("lognormal(-1, 2)").contains("positive"));
        assert!(wrong("truncated(0, 1, 50, 51)").contains("nothing"));
        assert!(wrong("discrete(1: 0, 2: 1)").contains("weight"));
        assert_eq!(Distribution::parse("1,2,3"), Ok(None));
        assert_eq!(Distribution::parse("formula:max(delta, 0)"), Ok(None));
    }
}
