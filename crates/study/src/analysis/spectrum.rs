//! One-sided spectra.

use realfft::RealFftPlanner;
use serde::{Deserialize, Serialize};

use super::{AnalysisError, Signal, checked};

/// How samples are weighted, to reduce the leakage of motions whose period does not divide the span.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Window {
    /// sin²(π n / N). A sine on a line shows on three lines; between two lines its peak is at most 15 % too low.
    #[default]
    Hann,
    /// No weights. A sine on a line shows on one line; between two lines its peak is up to 36 % too low, and it leaks far.
    Rectangular,
}

impl Window {
    fn weight(self, n: usize, count: usize) -> f64 {
        match self {
            Window::Hann => {
                let sin = libm::sin(std::f64::consts::PI * n as f64 / count as f64);
                sin * sin
            }
            Window::Rectangular => 1.0,
        }
    }
}

/// A one-sided spectrum. Line k has the frequency k / (N Δt); the first is 0, the last half the rate of the samples (where their
/// number is odd, the line below that).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Spectrum {
    /// Mean of the samples, which is removed before the transform, in the unit of the series.
    pub mean: f64,
    /// Frequencies (Hz).
    pub frequency: Vec<f64>,
    /// Amplitudes in the unit of the series: a sine of amplitude A on a line shows A, under any window.
    pub amplitude: Vec<f64>,
    /// Power spectral density in the unit of the series squared per Hz: its sum times the distance of the lines is the mean
    /// square about the mean, under [`Window::Hann`] that of the weighted samples.
    pub density: Vec<f64>,
}

/// The spectrum of equidistant samples.
///
/// # Errors
/// [`AnalysisError::Few`] and [`AnalysisError::Interval`].
pub fn of_samples(
    samples: &[f64],
    interval: f64,
    window: Window,
) -> Result<Spectrum, AnalysisError> {
    let count = samples.len();
    if count < 2 {
        return Err(AnalysisError::Few(count));
    }
    if !(interval > 0.0 && interval.is_finite()) {
        return Err(AnalysisError::Interval(interval));
    }
    let mean = samples.iter().sum::<f64>() / count as f64;
    let weights: Vec<f64> = (0..count).map(|n| window.weight(n, count)).collect();
    let mut weighted: Vec<f64> =
        samples.iter().zip(&weights).map(|(x, w)| (x - mean) * w).collect();
    let (sum, squares) =
        weights.iter().fold((0.0, 0.0), |(sum, squares), w| (sum + w, squares + w * w));

    // The features of `rustfft` for vector instructions are off (Cargo.toml), so that this is the scalar one everywhere.
    let transform = RealFftPlanner::<f64>::new().plan_fft_forward(count);
    let mut lines = transform.make_output_vec();
    // It only fails where the lengths of the buffers are wrong, and they are its own.
    if transform.process(&mut weighted, &mut lines).is_err() {
        return Err(AnalysisError::Few(count));
    }
    let mut spectrum = Spectrum { mean, ..Spectrum::default() };
    for (k, line) in lines.iter().enumerate() {
        // Every line but the first, and the last of an even number, stands for its mirror image too.
        let sides = if k == 0 || 2 * k == count { 1.0 } else { 2.0 };
        let size = libm::hypot(line.re, line.im);
        spectrum.frequency.push(k as f64 / (count as f64 * interval));
        spectrum.amplitude.push(sides * size / sum);
        spectrum.density.push(sides * size * size * interval / squares);
    }
    Ok(spectrum)
}

/// The number of cells for a span of this duration whose samples are `interval` apart (s): a power of two from 1024 to 131072,
/// with at least two cells to an interval.
pub fn cells(duration: f64, interval: f64) -> usize {
    let wanted = if interval > 0.0 { 2.0 * duration / interval } else { 4096.0 };
    let mut count = 1024;
    while (count as f64) < wanted && count < 1 << 17 {
        count *= 2;
    }
    count
}

/// Means of a series over equal cells of a span. Means, not values: a peak between two places keeps its impulse, and
/// what lies above half the rate of the cells is damped instead of folded back. Where the series has a gap it is taken to have its
/// mean, which a spectrum does not show.
///
/// # Errors
/// [`AnalysisError::Span`].
pub fn cell_means(
    signal: Signal<'_>,
    span: [f64; 2],
    count: usize,
) -> Result<Vec<f64>, AnalysisError> {
    let [a, b] = checked(span)?;
    let width = (b - a) / count as f64;
    let cell_of = |t: f64| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "t is not before a; beyond the last cell is the last one"
        )]
        let cell = ((t - a) / width) as usize;
        cell.min(count.saturating_sub(1))
    };
    let mut means = vec![0.0; count];
    let mut covered = vec![0.0; count];
    let pairs = signal.times.windows(2).zip(signal.values.windows(2));
    for (t, y) in pairs {
        let (t0, t1) = (t[0].max(a), t[1].min(b));
        if !(t1 > t0) || y[0].is_nan() || y[1].is_nan() {
            continue;
        }
        let slope = (y[1] - y[0]) / (t[1] - t[0]);
        for cell in cell_of(t0)..=cell_of(t1) {
            let from = t0.max(a + cell as f64 * width);
            let to = t1.min(a + (cell + 1) as f64 * width);
            if to > from {
                let middle = y[0] + slope * (0.5 * (from + to) - t[0]);
                means[cell] += middle * (to - from) / width;
                covered[cell] += (to - from) / width;
            }
        }
    }
    let all: f64 = covered.iter().sum();
    let mean = if all > 0.0 { means.iter().sum::<f64>() / all } else { 0.0 };
    for (value, covered) in means.iter_mut().zip(&covered) {
        // Less than this is rounding of the ends of the cells.
        if 1.0 - covered > 1e-9 {
            *value += mean * (1.0 - covered);
        }
    }
    Ok(means)
}

/// The spectrum of a span of a series whose samples are about `interval` apart (s), from the means of [`cells`]; the damping by
/// the means is compensated.
///
/// # Errors
/// [`AnalysisError::Span`].
pub fn spectrum(
    signal: Signal<'_>,
    span: [f64; 2],
    interval: f64,
    window: Window,
) -> Result<Spectrum, AnalysisError> {
    let [a, b] = checked(span)?;
    let count = cells(b - a, interval);
    let means = cell_means(signal, span, count)?;
    let mut spectrum = of_samples(&means, (b - a) / count as f64, window)?;
    for k in 1..spectrum.frequency.len() {
        // Computed from the length, without the rounding of the interval.
        spectrum.frequency[k] = k as f64 / (b - a);
        // The mean of a sine over a cell is the value in its middle times sin(φ)/φ.
        let phase = std::f64::consts::PI * k as f64 / count as f64;
        let damped = libm::sin(phase) / phase;
        spectrum.amplitude[k] /= damped;
        spectrum.density[k] /= damped * damped;
    }
    Ok(spectrum)
}
