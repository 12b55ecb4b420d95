//! Whitening of stationary noise: innovations and their variances, by which likelihoods of correlated samples are known.

/// How samples of noise are correlated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Correlation {
    /// Not at all.
    White,
    /// As a filter leaves white noise, with this part of the variance white on top: the correlation at lags of 0, 1, ... rows.
    Filtered { of_filter: Vec<f64>, white: f64 },
    /// Falling by this factor from row to row, with this part of the variance white on top.
    Fading { factor: f64, white: f64 },
}

impl Correlation {
    /// At a distance of so many rows.
    pub(crate) fn at(&self, lag: usize) -> f64 {
        match self {
            _ if lag == 0 => 1.0,
            Correlation::White => 0.0,
            Correlation::Filtered { of_filter, white } => {
                (1.0 - white) * of_filter.get(lag).copied().unwrap_or(0.0)
            }
            Correlation::Fading { factor, white } => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_possible_wrap,
                    reason = "rows"
                )]
                let power = lag.min(1 << 30) as i32;
                (1.0 - white) * factor.powi(power)
            }
        }
    }

    /// The largest lag, in rows, at which it matters; `None` if there is none beyond 0.
    fn reach(&self) -> usize {
        match self {
            Correlation::White => 0,
            Correlation::Filtered { of_filter, .. } => of_filter.len().saturating_sub(1),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
            Correlation::Fading { factor, .. } => {
                (libm::log(1e-6) / libm::log(*factor)).clamp(0.0, 1e6) as usize
            }
        }
    }

    /// The sum of the squares of the correlations of a sample with all others at distances of so many rows, itself included: a record
    /// has so many times fewer independent squares than samples.
    pub(crate) fn squares(&self, stride: usize, count: usize) -> f64 {
        let lags = (1..count).map(|i| i * stride).take_while(|lag| *lag <= self.reach());
        1.0 + 2.0 * lags.map(|lag| self.at(lag) * self.at(lag)).sum::<f64>()
    }

    /// The correlation matrix of these rows times a vector.
    pub(crate) fn times(&self, rows: &[usize], x: &[f64]) -> Vec<f64> {
        match self {
            Correlation::White => x.to_vec(),
            Correlation::Filtered { .. } => {
                let reach = self.reach();
                let mut first = 0;
                let mut result = x.to_vec();
                for i in 0..rows.len() {
                    while rows[i] - rows[first] > reach {
                        first += 1;
                    }
                    for j in first..i {
                        let of = self.at(rows[i] - rows[j]);
                        result[i] += of * x[j];
                        result[j] += of * x[i];
                    }
                }
                result
            }
            Correlation::Fading { factor, white } => {
                let mut result = x.to_vec();
                let fall = |from: usize, to: usize| {
                    #[expect(
                        clippy::cast_possible_truncation,
                        clippy::cast_possible_wrap,
                        reason = "rows"
                    )]
                    let power = (to - from).min(1 << 30) as i32;
                    factor.powi(power)
                };
                let mut carried = 0.0;
                for i in 1..rows.len() {
                    carried = (carried + x[i - 1]) * fall(rows[i - 1], rows[i]);
                    result[i] += (1.0 - white) * carried;
                }
                carried = 0.0;
                for i in (0..rows.len().saturating_sub(1)).rev() {
                    carried = (carried + x[i + 1]) * fall(rows[i], rows[i + 1]);
                    result[i] += (1.0 - white) * carried;
                }
                result
            }
        }
    }

    /// Signals of a stretch of samples, so many rows apart, as innovations over their standard deviations, and the logarithm of the
    /// determinant of the correlation matrix.
    pub(crate) fn whitened(&self, signals: &[&[f64]], stride: usize) -> (Vec<Vec<f64>>, f64) {
        match self {
            Correlation::White => (signals.iter().map(|x| x.to_vec()).collect(), 0.0),
            Correlation::Filtered { .. } => self.innovations(signals, stride),
            Correlation::Fading { factor, white } => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_possible_wrap,
                    reason = "rows"
                )]
                let factor = factor.powi(stride.min(1 << 30) as i32);
                fading(signals, factor, *white)
            }
        }
    }

    /// By the recursion of Levinson and Durbin; beyond an order of [`ORDER`] the last predictor is kept.
    fn innovations(&self, signals: &[&[f64]], stride: usize) -> (Vec<Vec<f64>>, f64) {
        let n = signals.first().map_or(0, |x| x.len());
        let mut white: Vec<Vec<f64>> = signals.iter().map(|_| Vec::with_capacity(n)).collect();
        let order = n.saturating_sub(1).min(ORDER);
        let correlation: Vec<f64> = (0..=order).map(|i| self.at(i * stride)).collect();
        let (mut predictor, mut variance, mut determinant) = (Vec::<f64>::new(), 1.0, 0.0);
        let mut before = Vec::new();
        for t in 0..n {
            if t > 0 && t <= order {
                let k = predictor.len();
                let sum: f64 = (0..k).map(|j| predictor[j] * correlation[k - j]).sum();
                let reflection = (correlation[k + 1] - sum) / variance;
                before.clone_from(&predictor);
                for j in 0..k {
                    predictor[j] -= reflection * before[k - 1 - j];
                }
                predictor.push(reflection);
                variance *= (1.0 - reflection * reflection).max(1e-14);
            }
            determinant += libm::log(variance);
            let scale = 1.0 / variance.sqrt();
            for (white, x) in white.iter_mut().zip(signals) {
                let past = x[t - predictor.len()..t].iter().rev();
                let predicted: f64 = predictor.iter().zip(past).map(|(a, b)| a * b).sum();
                white.push(scale * (x[t] - predicted));
            }
        }
        (white, determinant)
    }
}

/// Predictors are followed up to this order.
const ORDER: usize = 1200;

/// By the filter of Kalman: a state that falls by the factor from sample to sample, seen with white noise.
fn fading(signals: &[&[f64]], factor: f64, white: f64) -> (Vec<Vec<f64>>, f64) {
    let n = signals.first().map_or(0, |x| x.len());
    let mut result: Vec<Vec<f64>> = signals.iter().map(|_| Vec::with_capacity(n)).collect();
    let mut states = vec![0.0; signals.len()];
    // The variance of the state before each sample is seen.
    let (mut variance, mut determinant) = (1.0 - white, 0.0);
    for t in 0..n {
        let seen = variance + white;
        determinant += libm::log(seen);
        let gain = variance / seen;
        let scale = 1.0 / seen.sqrt();
        for ((state, x), result) in states.iter_mut().zip(signals).zip(&mut result) {
            let innovation = x[t] - *state;
            result.push(scale * innovation);
            *state = factor * (*state + gain * innovation);
        }
        variance =
            factor * factor * variance * (1.0 - gain) + (1.0 - white) * (1.0 - factor * factor);
    }
    (result, determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fitting::matrix::{Symmetric, dot};

    /// Quadratic form and determinant of the correlation matrix by Cholesky's factor.
    #[test]
    fn exact_innovations_are_those_of_cholesky() {
        let triangle: Vec<f64> = (0..7).map(|lag| 1.0 - f64::from(lag) / 7.0).collect();
        for noise in [
            Correlation::White,
            Correlation::Filtered { of_filter: triangle, white: 0.01 },
            Correlation::Fading { factor: 0.9, white: 0.3 },
        ] {
            for stride in [1, 3] {
                let n = 25;
                let x: Vec<f64> = (0..n).map(|i| f64::from((i * 37) % 11) - 5.0).collect();
                let y: Vec<f64> = (0..n).map(|i| f64::from((i * 17) % 7)).collect();
                let mut matrix = Symmetric::zero(x.len());
                let rows: Vec<usize> = (0..x.len()).map(|i| i * stride).collect();
                for i in 0..x.len() {
                    for j in 0..=i {
                        matrix.set(i, j, noise.at(rows[i] - rows[j]));
                    }
                }
                let (_, determinant) = matrix.cholesky().expect("positive");
                let product = dot(&y, &matrix.solve(&x).expect("positive"));
                let (white, found) = noise.whitened(&[&x, &y], stride);
                assert!((found - determinant).abs() < 1e-9, "{noise:?}");
                assert!((dot(&white[0], &white[1]) / product - 1.0).abs() < 1e-9, "{noise:?}");
                for (a, b) in noise.times(&rows, &x).iter().zip(matrix.times(&x)) {
                    assert!((a - b).abs() < 1e-9, "{noise:?}");
                }
            }
        }
    }
}
