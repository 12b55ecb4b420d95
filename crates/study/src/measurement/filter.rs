//! What instruments do to signals: averages, low-pass filters, decimation.

use std::fmt;
use std::str::FromStr;

use jointplay_expression::units::{Dimension, parse};

/// What was done to a measured signal, and is done to the model, too.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[non_exhaustive]
pub enum Filter {
    /// The centred mean of this many samples; with an even number, one more before than after. Near
    /// the ends of a record it is the mean of the existing ones.
    MovingAverage(usize),
    /// Low-pass with this cut-off frequency (Hz), without a phase: a Butterworth filter of second order, forwards and backwards, so
    /// that the signal is halved at the cut-off and falls by 24 dB for each octave above.
    LowPass(f64),
    /// Every n-th sample, from the first on, without averaging.
    Decimate(usize),
}

impl FromStr for Filter {
    type Err = String;

    /// Reads `moving-average:301`, `low-pass:500Hz` or `decimate:10`.
    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |why: &str| {
            format!("`{text}`: {why}; write moving-average:COUNT, low-pass:HZ or decimate:COUNT")
        };
        let (name, value) = text.split_once(':').ok_or_else(|| wrong("this is not a filter"))?;
        let (name, value) = (name.trim(), value.trim());
        let count = || match value.parse::<usize>() {
            Ok(count @ 1..=10_000_000) => Ok(count),
            _ => Err(wrong("COUNT is not a whole number from 1 to 10000000")),
        };
        match name {
            "moving-average" => count().map(Filter::MovingAverage),
            "decimate" => count().map(Filter::Decimate),
            "low-pass" => {
                let hertz =
                    parse(value, Dimension::Frequency).map_err(|e| wrong(&e.to_string()))?;
                if hertz > 0.0 {
                    Ok(Filter::LowPass(hertz))
                } else {
                    Err(wrong("HZ is not above 0"))
                }
            }
            _ => Err(wrong("this is not a filter")),
        }
    }
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Filter::MovingAverage(count) => write!(f, "moving-average:{count}"),
            Filter::LowPass(hertz) => write!(f, "low-pass:{hertz:?}"),
            Filter::Decimate(count) => write!(f, "decimate:{count}"),
        }
    }
}

impl Filter {
    /// A signal whose samples are this far apart (s) after the filter; decimation leaves places out.
    pub(crate) fn apply(self, signal: &[f64], interval: f64) -> Vec<f64> {
        match self {
            Filter::MovingAverage(count) => moving_average(signal, count),
            Filter::LowPass(hertz) => low_pass(signal, hertz * interval),
            Filter::Decimate(count) => signal.iter().step_by(count).copied().collect(),
        }
    }

    /// How many samples at each end of a record depend on what lies beyond it.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub(super) fn ends(self, interval: f64) -> [usize; 2] {
        match self {
            Filter::MovingAverage(count) => [count / 2, (count - 1) / 2],
            // By then a disturbance at the end has fallen to a thousandth.
            Filter::LowPass(hertz) => [(1.6 / (hertz * interval)).clamp(0.0, 1e9) as usize; 2],
            Filter::Decimate(_) => [0, 0],
        }
    }

    /// Every how many samples one is kept.
    pub(super) fn stride(self) -> usize {
        match self {
            Filter::Decimate(count) => count,
            Filter::MovingAverage(_) | Filter::LowPass(_) => 1,
        }
    }
}

fn moving_average(signal: &[f64], count: usize) -> Vec<f64> {
    let (before, after) = (count / 2, (count - 1) / 2);
    // Sums from the start, each with its rounding error (Neumaier), so that a long record does not lose digits.
    let mut sums = Vec::with_capacity(signal.len() + 1);
    let (mut sum, mut lost) = (0.0_f64, 0.0_f64);
    sums.push((0.0, 0.0));
    for &x in signal {
        let next = sum + x;
        lost += if sum.abs() >= x.abs() { (sum - next) + x } else { (x - next) + sum };
        sum = next;
        sums.push((sum, lost));
    }
    (0..signal.len())
        .map(|i| {
            let (low, high) = (i.saturating_sub(before), (i + after + 1).min(signal.len()));
            let ((a, da), (b, db)) = (sums[low], sums[high]);
            ((b - a) + (db - da)) / (high - low) as f64
        })
        .collect()
}

/// A Butterworth filter of second order (bilinear transform with the cut-off in its place), forwards and backwards, over a signal that
/// is continued at both ends by its reflection in its last point (Gustafsson's ends are not needed: these are those of SciPy's
/// `filtfilt`).
fn low_pass(signal: &[f64], cut_off: f64) -> Vec<f64> {
    // From half of the sampling frequency on there is nothing to remove.
    if !(cut_off < 0.5) || signal.len() < 2 {
        return signal.to_vec();
    }
    let w = libm::tan(std::f64::consts::PI * cut_off);
    let scale = 1.0 / (1.0 + std::f64::consts::SQRT_2 * w + w * w);
    let b = [w * w * scale, 2.0 * w * w * scale, w * w * scale];
    let a = [2.0 * (w * w - 1.0) * scale, (1.0 - std::f64::consts::SQRT_2 * w + w * w) * scale];
    let pad = 9.min(signal.len() - 1);
    let (first, last) = (signal[0], signal[signal.len() - 1]);
    let head = (1..=pad).rev().map(|i| 2.0 * first - signal[i]);
    let tail = (1..=pad).map(|i| 2.0 * last - signal[signal.len() - 1 - i]);
    let mut padded: Vec<f64> = head.chain(signal.iter().copied()).chain(tail).collect();
    for _ in 0..2 {
        // The state that a constant signal leaves behind.
        let x = padded[0];
        let mut z = [x * (1.0 - b[0]), x * (b[2] - a[1])];
        for value in &mut padded {
            let y = b[0] * *value + z[0];
            z = [b[1] * *value - a[0] * y + z[1], b[2] * *value - a[1] * y];
            *value = y;
        }
        padded.reverse();
    }
    padded[pad..pad + signal.len()].to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_averages_and_their_ends() {
        let signal = [1.0, 2.0, 4.0, 8.0, 16.0];
        let three = Filter::MovingAverage(3).apply(&signal, 1.0);
        assert_eq!(three, [1.5, 7.0 / 3.0, 14.0 / 3.0, 28.0 / 3.0, 12.0]);
        let two = Filter::MovingAverage(2).apply(&signal, 1.0);
        assert_eq!(two, [1.0, 1.5, 3.0, 6.0, 12.0]);
        assert_eq!(Filter::MovingAverage(1).apply(&signal, 1.0), signal);
        assert_eq!(Filter::Decimate(2).apply(&signal, 1.0), [1.0, 4.0, 16.0]);
        assert_eq!(Filter::MovingAverage(301).ends(1.0), [150, 150]);
        // A large mean does not eat the digits of what lies on it.
        let long: Vec<f64> = (0..20_000).map(|i| 1e9 + f64::from(i % 2)).collect();
        let mean = Filter::MovingAverage(2).apply(&long, 1.0)[19_999];
        assert_eq!(mean, 1e9 + 0.5);
    }

    /// `scipy.signal.filtfilt(*scipy.signal.butter(2, 50, fs=1000), x)` of SciPy 1.17 for x = sin(0.1 i) + 0.01 i², i from 0 to 29.
    #[test]
    fn peer_low_pass_of_scipy() {
        let signal: Vec<f64> =
            (0..30).map(f64::from).map(|i| (0.1 * i).sin() + 0.01 * i * i).collect();
        let found = Filter::LowPass(50.0).apply(&signal, 1e-3);
        for (i, expected) in SCIPY {
            assert!((found[i] - expected).abs() < 1e-12, "{i}: {} {expected}", found[i]);
        }
        // Without a phase, and half of a sine at the cut-off.
        let sine = |i: f64| (std::f64::consts::TAU * 0.05 * i).sin();
        let long: Vec<f64> = (0..2000).map(|i| sine(f64::from(i))).collect();
        let found = Filter::LowPass(0.05).apply(&long, 1.0);
        for i in 900..1100 {
            assert!((found[i] - 0.5 * long[i]).abs() < 1e-9, "{i}");
        }
    }

    const SCIPY: [(usize, f64); 5] = [
        (0, -0.0554203463809537),
        (1, 0.09888368458464977),
        (10, 1.8467138272713832),
        (15, 3.23343516239995),
        (29, 8.740520023045553),
    ];

    #[test]
    fn exact_what_is_wrong_is_said() {
        let wrong = |text: &str| text.parse::<Filter>().expect_err("it is wrong");
        assert!(wrong("average:3").contains("moving-average"));
        assert!(wrong("moving-average:0").contains("whole number"));
        assert!(wrong("low-pass:3 N").contains("frequency"));
        assert!(wrong("low-pass:0").contains("above 0"));
        assert!(wrong("301").contains("not a filter"));
        for text in ["moving-average:301", "decimate:10", "low-pass:500.0"] {
            assert_eq!(text.parse::<Filter>().expect("right").to_string(), text);
        }
        assert_eq!("low-pass:0.5 kHz".parse(), Ok(Filter::LowPass(500.0)));
    }
}
