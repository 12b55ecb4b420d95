//! Spectra, Poincaré sections and orbits of recorded series.
//!
//! Pure functions of a series at uneven times: the program, the page's engine and other programs call the same ones. Between
//! two samples a series is a straight line. At an event two samples have the same time, before and after; where a
//! sample is NaN the series has a gap.
//!
//! ```
//! use jointplay_study::analysis::{Signal, Window, spectrum};
//!
//! let times: Vec<f64> = (0..=2000).map(|i| f64::from(i) * 5e-4).collect();
//! let values: Vec<f64> = times.iter().map(|t| 3.0 * (40.0 * std::f64::consts::TAU * t).sin()).collect();
//! let signal = Signal::new(&times, &values)?;
//! let lines = spectrum(signal, [0.0, 1.0], 5e-4, Window::Hann)?;
//! assert_eq!(lines.frequency[40], 40.0);
//! assert!((lines.amplitude[40] - 3.0).abs() < 0.01);
//! # Ok::<(), jointplay_study::analysis::AnalysisError>(())
//! ```

mod orbit;
mod section;
mod spectrum;

use serde::{Deserialize, Serialize};

pub use orbit::{Track, orbit, track};
pub use section::{Crossing, Direction, Stroboscope, crossings, period, stroboscope};
pub use spectrum::{Spectrum, Window, cell_means, cells, of_samples, spectrum};

/// Why a series cannot be analysed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// Times and values do not belong together.
    #[error("there are {times} times and {values} values; each time needs one value")]
    Lengths {
        /// The number of times.
        times: usize,
        /// The number of values.
        values: usize,
    },
    /// A time is not a number, or is earlier than the previous one.
    #[error("the times must be finite and must not decrease; number {index} is {value}")]
    Times {
        /// Which one, from 0.
        index: usize,
        /// The time (s).
        value: f64,
    },
    /// The span is empty, or its ends are not numbers.
    #[error("from {from} s to {to} s is not a valid time span: it must begin before it ends")]
    Span {
        /// Its start (s).
        from: f64,
        /// Its end (s).
        to: f64,
    },
    /// Too few samples for a spectrum.
    #[error("a spectrum needs at least two samples; there are {0}")]
    Few(usize),
    /// The time between samples is not positive.
    #[error("the time between samples must be positive, not {0} s")]
    Interval(f64),
    /// The period is not positive.
    #[error("the period of a section must be positive, not {0} s")]
    Period(f64),
    /// The phase is not a number.
    #[error("the phase of a section must be a number of periods, not {0}")]
    Phase(f64),
    /// The section would have too many points.
    #[error("a section of {0:.0} points is too large; choose a longer period or a shorter span")]
    Many(f64),
}

/// A series: one value for each time, the times not decreasing.
#[derive(Clone, Copy, Debug)]
pub struct Signal<'a> {
    times: &'a [f64],
    values: &'a [f64],
}

impl<'a> Signal<'a> {
    /// A series; the values may have any unit, and are NaN in gaps.
    ///
    /// # Errors
    /// [`AnalysisError::Lengths`] and [`AnalysisError::Times`].
    pub fn new(times: &'a [f64], values: &'a [f64]) -> Result<Self, AnalysisError> {
        if times.len() != values.len() {
            return Err(AnalysisError::Lengths { times: times.len(), values: values.len() });
        }
        let before = std::iter::once(f64::NEG_INFINITY).chain(times.iter().copied());
        let wrong =
            times.iter().zip(before).position(|(t, before)| !(t.is_finite() && *t >= before));
        match wrong {
            Some(index) => Err(AnalysisError::Times { index, value: times[index] }),
            None => Ok(Signal { times, values }),
        }
    }

    /// The value at a time, on the line between two samples; at an event the value after it; NaN outside the series.
    pub fn at(&self, t: f64) -> f64 {
        let after = self.times.partition_point(|time| *time <= t);
        let Some(before) = after.checked_sub(1) else { return f64::NAN };
        let (t0, y0) = (self.times[before], self.values[before]);
        if t0 == t {
            return y0;
        }
        let Some(t1) = self.times.get(after) else { return f64::NAN };
        y0 + (t - t0) / (t1 - t0) * (self.values[after] - y0)
    }

    /// The part of a span that contains samples; `None` if there is none.
    fn within(&self, [from, to]: [f64; 2]) -> Option<[f64; 2]> {
        let (first, last) = self.times.first().zip(self.times.last())?;
        let (from, to) = (from.max(*first), to.min(*last));
        (from <= to).then_some([from, to])
    }
}

/// Points of two channels, in the order of their times.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// Their times (s).
    pub t: Vec<f64>,
    /// The first channel, in its unit.
    pub x: Vec<f64>,
    /// The second channel, in its unit.
    pub y: Vec<f64>,
}

fn checked(span: [f64; 2]) -> Result<[f64; 2], AnalysisError> {
    let [from, to] = span;
    if from < to && (to - from).is_finite() {
        Ok(span)
    } else {
        Err(AnalysisError::Span { from, to })
    }
}
