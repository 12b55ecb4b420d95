//! The noise of a signal, estimated from the residuals of a fit: its size, and the correlation of
//! samples.
//!
//! Samples of averaged data share most of their noise. Intervals that ignore it are too narrow by the root of the number of samples
//! that share it. Three descriptions compete: white noise; white noise that went through the filter of the data, with a white part on top
//! (rounding); and noise that fades from sample to sample, which is what a wrong model leaves, too. That with the least information criterion is
//! taken, by the restricted likelihood, which knows that a fit has used up some of the noise.

use super::matrix::Symmetric;
use super::toeplitz::Correlation;

/// The noise of a signal.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Noise {
    pub(crate) correlation: Correlation,
    pub(crate) variance: f64,
    /// How many independent samples would tell as much about the mean square.
    pub(crate) effective: f64,
}

/// The residuals of a signal and how they change with each parameter.
pub(crate) struct Residuals<'a> {
    /// The rows of the record, ascending.
    pub(crate) rows: &'a [usize],
    pub(crate) values: &'a [f64],
    pub(crate) slopes: Vec<&'a [f64]>,
}

/// Evenly spaced samples are analysed in pieces of this length.
const PIECE: usize = 3000;

impl Residuals<'_> {
    /// The most common distance of samples, in rows.
    fn stride(&self) -> usize {
        let mut counts: std::collections::BTreeMap<usize, usize> =
            std::collections::BTreeMap::new();
        for pair in self.rows.windows(2) {
            *counts.entry(pair[1] - pair[0]).or_default() += 1;
        }
        counts
            .into_iter()
            .max_by_key(|&(stride, count)| (count, usize::MAX - stride))
            .map_or(1, |(stride, _)| stride)
    }

    /// Pieces of samples with this distance.
    fn pieces(&self, stride: usize) -> Vec<std::ops::Range<usize>> {
        let mut pieces = Vec::new();
        let mut start = 0;
        for end in 1..=self.rows.len() {
            let goes_on = end < self.rows.len() && self.rows[end] - self.rows[end - 1] == stride;
            if !goes_on || end - start == PIECE {
                pieces.push(start..end);
                start = end;
            }
        }
        pieces
    }

    /// Minus twice the logarithm of the restricted likelihood, at the best variance, which is the second result.
    fn likelihood(
        &self,
        noise: &Correlation,
        stride: usize,
        pieces: &[std::ops::Range<usize>],
    ) -> Option<(f64, f64)> {
        let k = self.slopes.len();
        let mut gram = Symmetric::zero(k);
        let (mut with, mut square, mut determinant) = (vec![0.0; k], 0.0, 0.0);
        for piece in pieces {
            let mut signals = vec![&self.values[piece.clone()]];
            signals.extend(self.slopes.iter().map(|slope| &slope[piece.clone()]));
            let (white, own) = noise.whitened(&signals, stride);
            determinant += own;
            let (residuals, slopes) = white.split_first()?;
            square += super::matrix::dot(residuals, residuals);
            for i in 0..k {
                with[i] += super::matrix::dot(&slopes[i], residuals);
                for j in 0..=i {
                    gram.add(i, j, super::matrix::dot(&slopes[i], &slopes[j]));
                }
            }
        }
        // Scaled, so that units of parameters do not matter.
        let scale: Vec<f64> = (0..k).map(|i| gram.at(i, i).sqrt()).collect();
        let mut used = 0.0;
        let mut of_slopes = 0.0;
        if k > 0 {
            let mut scaled = Symmetric::zero(k);
            for i in 0..k {
                for j in 0..=i {
                    let one = if i == j { 1e-10 } else { 0.0 };
                    scaled.set(i, j, gram.at(i, j) / (scale[i] * scale[j]) + one);
                }
            }
            let right: Vec<f64> = (0..k).map(|i| with[i] / scale[i]).collect();
            let solution = scaled.solve(&right)?;
            used = super::matrix::dot(&right, &solution);
            of_slopes =
                scaled.cholesky()?.1 + 2.0 * scale.iter().map(|x| libm::log(*x)).sum::<f64>();
        }
        let freedom = self.rows.len().checked_sub(k).filter(|freedom| *freedom > 0)? as f64;
        let variance = (square - used).max(1e-300) / freedom;
        let value = freedom * libm::log(variance) + determinant + of_slopes;
        value.is_finite().then_some((value, variance))
    }

    /// The noise that explains the residuals best. `of_filter` is the correlation of filtered white noise, at lags of 0, 1, ... rows.
    pub(crate) fn noise(mut self, of_filter: &[f64]) -> Noise {
        // A parameter without effect uses up nothing.
        self.slopes.retain(|slope| slope.iter().any(|x| *x != 0.0));
        let stride = self.stride();
        let pieces = self.pieces(stride);
        let plain = self.likelihood(&Correlation::White, stride, &pieces);
        let n = self.rows.len();
        let of = |correlation: Correlation, variance: f64| {
            let effective = (n as f64 / correlation.squares(stride, n)).max(1.0);
            Noise { correlation, variance, effective }
        };
        let Some((plain, variance)) = plain else {
            let square: f64 = self.values.iter().map(|r| r * r).sum();
            return of(Correlation::White, square / n.max(1) as f64);
        };
        let mut best = (plain, variance, Correlation::White);
        // Two for each number that is chosen, and two more so that chance alone seldom chooses.
        let mut consider = |correlation: Correlation, numbers: f64| -> f64 {
            let found = self.likelihood(&correlation, stride, &pieces);
            let Some((value, variance)) = found else { return f64::INFINITY };
            if value + 2.0 * numbers + 2.0 < best.0 {
                best = (value + 2.0 * numbers + 2.0, variance, correlation);
            }
            value
        };
        if of_filter.get(stride).is_some_and(|next| *next > 0.01) {
            let mut filtered = |white: f64| {
                consider(Correlation::Filtered { of_filter: of_filter.to_vec(), white }, 1.0)
            };
            let grid = [1e-7, 1e-5, 1e-4, 1e-3, 1e-2, 0.1, 0.5, 0.9];
            let values = grid.map(&mut filtered);
            let least =
                (0..grid.len()).min_by(|&a, &b| values[a].total_cmp(&values[b])).unwrap_or(0);
            let neighbour = |i: usize| libm::log(grid[i.min(grid.len() - 1)]);
            let (mut low, mut high) = (neighbour(least.saturating_sub(1)), neighbour(least + 1));
            for _ in 0..5 {
                let (a, b) = (low + 0.382 * (high - low), high - 0.382 * (high - low));
                if filtered(libm::exp(a)) < filtered(libm::exp(b)) {
                    high = b;
                } else {
                    low = a;
                }
            }
        }
        let mut length = 1.5;
        while length * 4.0 < n as f64 {
            for white in [0.0, 0.1, 0.3, 0.6, 0.85, 0.95] {
                let factor = libm::pow(1.0 - 1.0 / length, 1.0 / stride as f64);
                consider(Correlation::Fading { factor, white }, 2.0);
            }
            length *= 1.6;
        }
        let mut noise = of(best.2, best.1);
        if matches!(noise.correlation, Correlation::Filtered { .. }) {
            // Impacts of the model that are late or early leave edges that no filter would leave: the likelihood takes them for much noise.
            // The mean square has no such prejudice, and its standard error is known.
            let square = self.values.iter().map(|r| r * r).sum::<f64>() / n as f64;
            let most = square * (1.0 + 2.0 * (2.0 / noise.effective).sqrt());
            noise.variance = noise.variance.min(most);
        }
        noise
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn normal(random: &mut ChaCha8Rng) -> f64 {
        let mut uniform = || ((random.next_u64() >> 11) as f64 + 0.5) * 2.0_f64.powi(-53);
        (-2.0 * uniform().ln()).sqrt() * (std::f64::consts::TAU * uniform()).cos()
    }

    /// Noise that was made white, averaged or fading is recognised, with its variance.
    #[test]
    fn property_noise_is_recognised() {
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let n = 1200;
        let window = 51;
        let triangle: Vec<f64> = (0..=window).map(|lag| 1.0 - lag as f64 / window as f64).collect();
        let rows: Vec<usize> = (0..n).collect();
        let one = vec![1.0; n];
        for trial in 0..6 {
            let raw: Vec<f64> = (0..n + window).map(|_| normal(&mut random)).collect();
            let white = raw[..n].to_vec();
            let averaged: Vec<f64> = (0..n)
                .map(|i| raw[i..i + window].iter().sum::<f64>() / (window as f64).sqrt())
                .collect();
            let mut fading = vec![0.0; n];
            for i in 1..n {
                fading[i] = 0.95 * fading[i - 1] + (1.0_f64 - 0.95 * 0.95).sqrt() * raw[i];
            }
            for (kind, signal) in [white, averaged, fading].into_iter().enumerate() {
                let residuals = Residuals { rows: &rows, values: &signal, slopes: vec![&one[..]] };
                let noise = residuals.noise(&triangle);
                let right = match &noise.correlation {
                    Correlation::White => kind == 0,
                    Correlation::Filtered { white, .. } => kind == 1 && *white < 1e-3,
                    Correlation::Fading { factor, .. } => kind == 2 && (0.9..0.98).contains(factor),
                };
                assert!(right, "{trial}: {kind} is taken for {:?}", noise.correlation);
                let limits = [0.85..1.15, 0.85..1.15, 0.6..1.6];
                assert!(limits[kind].contains(&noise.variance), "{kind}: {}", noise.variance);
            }
        }
    }
}
