//! Spectra over a key: the components of a motion, in multiples of the frequency of the drive.

use crate::analysis::{Signal, Window, spectrum};

/// Periods of the drive in one segment: lines are 1/16 of its frequency apart.
pub(super) const SEGMENT: usize = 16;

/// Samples in one period of the drive, for spectra up to this order: 64 or more in a wave, which leaves an error of 8e-4 in the highest.
pub(super) fn samples(orders: usize) -> f64 {
    (64 * orders).max(256) as f64
}

/// Channels over some periods.
#[derive(Default)]
pub(super) struct Waves {
    times: Vec<f64>,
    values: Vec<Vec<f64>>,
}

impl Waves {
    /// Adds values of the channels at times that are not before the last.
    pub(super) fn extend(&mut self, instants: &[(f64, Vec<f64>)]) {
        for (t, channels) in instants {
            self.times.push(*t);
            self.values.resize(channels.len(), Vec::new());
            for (values, value) in self.values.iter_mut().zip(channels) {
                values.push(*value);
            }
        }
    }

    /// The amplitudes of all channels at each line up to a multiple of the frequency of the drive: the root of the mean square over segments of
    /// [`SEGMENT`] periods (Welch), each weighted by Hann's window. The first line is at one part of a segment.
    pub(super) fn spectra(&self, period: f64, orders: usize) -> Vec<Vec<f64>> {
        let (Some(first), Some(last)) = (self.times.first(), self.times.last()) else {
            return Vec::new();
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a small count"
        )]
        let periods = ((last - first) / period).round() as usize;
        let length = segment(periods);
        let lines = orders * length;
        let mut spectra = vec![vec![0.0; self.values.len()]; lines];
        let segments = (periods / length.max(1)).max(1);
        for (channel, values) in self.values.iter().enumerate() {
            for i in 0..segments {
                let span = [i, i + 1].map(|i| first + (i * length) as f64 * period);
                let signal = Signal::new(&self.times, values);
                let of = |signal| spectrum(signal, span, period / samples(orders), Window::Hann);
                let Ok(found) = signal.and_then(of) else { continue };
                for (line, amplitude) in spectra.iter_mut().zip(&found.amplitude[1..]) {
                    line[channel] += amplitude * amplitude / segments as f64;
                }
            }
            for line in &mut spectra {
                line[channel] = line[channel].sqrt();
            }
        }
        spectra
    }
}

/// The periods in one segment where there are so many in all.
pub(super) fn segment(periods: usize) -> usize {
    periods.min(SEGMENT)
}
