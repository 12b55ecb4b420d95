//! Whether two means differ by more than their scatter explains (B. L. Welch, Biometrika 34, 1947, 28).

/// Mean, standard deviation and number of results of a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Scattered {
    pub(crate) mean: f64,
    pub(crate) std: f64,
    pub(crate) count: f64,
}

impl Scattered {
    /// Whether the means cannot be distinguished at the 95 % level; `None` if a point has fewer than two results.
    pub(crate) fn is_like(&self, other: &Self) -> Option<bool> {
        let [a, b] = [self, other].map(|point| point.std * point.std / point.count);
        let (error, apart) = (a + b, (self.mean - other.mean).abs());
        if !(error.is_finite() && apart.is_finite()) {
            return None;
        }
        // Significant for any degrees of freedom.
        let t = if error > 0.0 { apart / error.sqrt() } else { apart * f64::INFINITY };
        if t.is_nan() || t <= 1.95 {
            return Some(true);
        }
        if t > 12.8 {
            return Some(false);
        }
        let freedom = error * error / (a * a / (self.count - 1.0) + b * b / (other.count - 1.0));
        Some(beyond(t, freedom) > 0.05)
    }
}

/// The probability that |t| of Student is greater: the incomplete beta function of ν/(ν + t²) (Abramowitz and Stegun 26.7.1).
fn beyond(t: f64, freedom: f64) -> f64 {
    incomplete_beta(0.5 * freedom, 0.5, freedom / (freedom + t * t))
}

/// The number that |t| of Student exceeds with a probability of 5 %.
pub(crate) fn student(freedom: f64) -> f64 {
    let (mut low, mut high) = (1.9, 12.8);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if beyond(middle, freedom.max(1.0)) > 0.05 {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The regularised incomplete beta function, by its continued fraction (Abramowitz and Stegun 26.5.8) from its end to its beginning.
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x > (a + 1.0) / (a + b + 2.0) {
        return 1.0 - incomplete_beta(b, a, 1.0 - x);
    }
    let mut tail = 1.0;
    for m in (1..=60_u32).rev() {
        let k = f64::from(m);
        let even = k * (b - k) * x / ((a + 2.0 * k - 1.0) * (a + 2.0 * k));
        tail = 1.0 + even / tail;
        let j = k - 1.0;
        let odd = -(a + j) * (a + b + j) * x / ((a + 2.0 * j) * (a + 2.0 * j + 1.0));
        tail = 1.0 + odd / tail;
    }
    let ln = a * libm::log(x) + b * libm::log1p(-x) + libm::lgamma(a + b)
        - libm::lgamma(a)
        - libm::lgamma(b);
    libm::exp(ln) / (a * tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points of 5 % on both sides as they are printed in tables of Student's t.
    #[test]
    fn published_points_of_student() {
        for (freedom, t) in
            [(1.0, 12.706), (2.0, 4.303), (4.0, 2.776), (9.0, 2.262), (30.0, 2.042), (120.0, 1.980)]
        {
            // Half a digit of the table.
            assert!(
                beyond(t - 5e-4, freedom) > 0.05 && beyond(t + 5e-4, freedom) < 0.05,
                "{freedom}"
            );
        }
    }

    /// With three results each and equal scatter there are four degrees of freedom: t = 2.776 divides.
    #[test]
    fn published_means_of_few_results() {
        let point = |mean: f64| Scattered { mean, std: 1.0, count: 3.0 };
        let apart = |t: f64| point(0.0).is_like(&point(t * (2.0_f64 / 3.0).sqrt()));
        assert_eq!((apart(2.77), apart(2.78)), (Some(true), Some(false)));
        assert_eq!(apart(100.0), Some(false));
        // Without any scatter only the same number is the same.
        let still = |mean: f64| Scattered { mean, std: 0.0, count: 3.0 };
        assert_eq!(still(1.0).is_like(&still(1.0)), Some(true));
        assert_eq!(still(1.0).is_like(&still(1.0 + 1e-15)), Some(false));
        assert_eq!(point(0.0).is_like(&Scattered { mean: 0.0, std: f64::NAN, count: 1.0 }), None);
    }
}
