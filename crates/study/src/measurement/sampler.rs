//! The instants at which a model is sampled, and the rows of the data with which it is compared.

use std::ops::ControlFlow;

use jointplay_mbd::{Error, Sampling, Snapshot};
use serde::{Deserialize, Serialize};

use super::{Filter, Measurement};
use crate::case::Loaded;
use crate::run::Keep;
use crate::summary::{Ending, Summary};

/// The data of one channel, as they are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// The channel.
    pub channel: String,
    /// Its SI unit.
    pub unit: String,
    /// The places of the compared samples among all that the filter leaves, from 0.
    pub rows: Vec<usize>,
    /// Their times (s).
    pub times: Vec<f64>,
    /// The data there, filtered if they had yet to be.
    pub data: Vec<f64>,
    /// How noise that was white before the filter is correlated from sample to sample after it, from a lag of 0 on.
    pub(crate) correlation: Vec<f64>,
    /// The rows of the record that the filter uses, if it is applied to data with gaps; `None` for
    /// all.
    present: Option<Vec<usize>>,
}

/// A section of a measurement, and the times at which the model is sampled for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sampler {
    /// The times at which the instrument looked (s): those of the data, and where it has thinned them out, those between.
    times: Vec<f64>,
    filters: Vec<Filter>,
    /// The mean distance of these times (s).
    interval: f64,
    /// The channels.
    pub columns: Vec<Compared>,
    /// What is worth knowing: rows that are not compared.
    pub notes: Vec<String>,
}

/// Why a run has nothing to compare.
#[derive(Clone, Debug, PartialEq)]
pub enum ObserveError {
    /// It was interrupted.
    Interrupted,
    /// It failed, or has no number where there is one in the data.
    Failed(String),
}

impl Sampler {
    /// Compares the rows of the data whose times, made earlier by any of these shifts (s), lie in a run until `until` (s).
    ///
    /// # Errors
    /// If nothing is left to compare, or the samples are not evenly spaced where a filter needs it.
    pub fn new(
        data: &Measurement,
        (filters, filter_data): (&[Filter], bool),
        shifts: [f64; 2],
        until: f64,
    ) -> Result<Self, String> {
        let inside = |t: &f64| *t - shifts[1] >= 0.0 && *t - shifts[0] <= until * (1.0 + 1e-12);
        let first = data.times.iter().position(inside);
        let last = data.times.iter().rposition(inside);
        let (Some(first), Some(last)) = (first, last) else {
            return Err(format!(
                "no row of the data lies in the time of the run: the data are from {:?} s to {:?} s (seconds, unless the header of the time says `[ms]` or another unit), the run from 0 to {until:?} s",
                data.times.first().copied().unwrap_or_default(),
                data.times.last().copied().unwrap_or_default()
            ));
        };
        let rows = first..last + 1;
        let times = data.times[rows.clone()].to_vec();
        let interval = match times.len() {
            0 | 1 => 1.0,
            n => (times[n - 1] - times[0]) / (n - 1) as f64,
        };
        if filters.iter().any(|filter| matches!(filter, Filter::LowPass(_))) {
            let even = |pair: &[f64]| (pair[1] - pair[0] - interval).abs() <= 0.01 * interval;
            if !times.windows(2).all(even) {
                return Err("a low-pass filter needs samples at even intervals".to_owned());
            }
        }
        // An instrument that has thinned out its samples looked more often than the data have rows.
        let thinned = if filter_data { 1 } else { stride(filters) };
        if times.len().saturating_mul(thinned) > MOST_INSTANTS {
            return Err(format!(
                "{} rows of which each stands for {thinned} samples need more than {MOST_INSTANTS} instants of the model",
                times.len()
            ));
        }
        let (times, interval) = (divided(&times, thinned), interval / thinned as f64);
        let mut sampler = Sampler {
            times,
            filters: filters.to_vec(),
            interval,
            columns: Vec::new(),
            notes: Vec::new(),
        };
        let (before, after) = (rows.start, data.times.len() - rows.end);
        if before > 0 {
            sampler
                .notes
                .push(format!("{before} rows before the start of the run are not compared"));
        }
        if after > 0 {
            sampler.notes.push(format!(
                "{after} rows after the end of the run at {until:?} s are not compared: a later --until TIME includes them"
            ));
        }
        for column in &data.columns {
            let values = &column.values[rows.clone()];
            let compared = sampler.column(values, filter_data);
            if compared.rows.is_empty() {
                return Err(format!(
                    "nothing of `{}` is left to compare after the filter: give longer data, or --filter-data if they have yet to be filtered",
                    column.column
                ));
            }
            sampler.columns.push(Compared {
                channel: column.channel.clone(),
                unit: column.unit.clone(),
                ..compared
            });
        }
        let ends = sampler.ends();
        if ends != [0, 0] && !filter_data {
            sampler.notes.push(format!(
                "the first {} and the last {} rows are not compared, as their averages reach beyond the data",
                ends[0].div_ceil(thinned),
                ends[1].div_ceil(thinned)
            ));
        }
        Ok(sampler)
    }

    /// Compares all rows of the data, with any time shift.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn of_all(data: &Measurement, filters: (&[Filter], bool)) -> Result<Self, String> {
        let first = data.times.first().copied().unwrap_or_default();
        let last = data.times.last().copied().unwrap_or_default();
        Self::new(data, filters, [first, first], last - first)
    }

    /// Looks at the same channels over the whole run, at the intervals of the data and filtered as they are, but without decimation.
    pub fn wide(&self, until: f64) -> Self {
        const MOST: f64 = 100_000.0;
        let interval = self.interval.max(until / MOST);
        let mut distance = self.interval;
        let mut smooth = Vec::new();
        for filter in &self.filters {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited")]
            match filter {
                // Over the same time.
                Filter::MovingAverage(count) => {
                    let count = (*count as f64 * distance / interval).round().max(1.0) as usize;
                    smooth.push(Filter::MovingAverage(count));
                }
                Filter::LowPass(_) => smooth.push(*filter),
                Filter::Decimate(count) => distance *= *count as f64,
            }
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "limited")]
        let count = (until / interval).floor() as usize + 1;
        let times: Vec<f64> = (0..count).map(|i| i as f64 * interval).collect();
        let mut wide =
            Sampler { times, filters: smooth, interval, columns: Vec::new(), notes: Vec::new() };
        let columns = self.columns.iter().map(|column| Compared {
            channel: column.channel.clone(),
            unit: column.unit.clone(),
            rows: (0..count).collect(),
            times: wide.times.clone(),
            data: vec![0.0; count],
            correlation: vec![1.0],
            present: None,
        });
        wide.columns = columns.collect();
        wide
    }

    /// The columns of what was observed, with their times.
    pub fn split<'v>(&'v self, observed: &'v [f64]) -> Vec<super::Wide<'v>> {
        let mut rest = observed;
        self.columns
            .iter()
            .map(|column| {
                let (own, others) = rest.split_at(column.rows.len().min(rest.len()));
                rest = others;
                (&column.times[..], own)
            })
            .collect()
    }

    fn ends(&self) -> [usize; 2] {
        let mut ends = [0, 0];
        let mut stride = 1;
        for filter in &self.filters {
            let own = filter.ends(self.interval * stride as f64);
            ends = [ends[0] + own[0] * stride, ends[1] + own[1] * stride];
            stride *= filter.stride();
        }
        ends
    }

    fn column(&self, values: &[f64], filter_data: bool) -> Compared {
        let has = |i: &usize| values[*i].is_finite();
        let stride = stride(&self.filters);
        let (present, rows, times, data) = if filter_data {
            let present: Vec<usize> = (0..values.len()).filter(has).collect();
            let raw: Vec<f64> = present.iter().map(|&i| values[i]).collect();
            let data = self.filtered(&raw);
            let times = present.iter().step_by(stride).map(|&i| self.times[i]).collect();
            (Some(present), (0..data.len()).collect(), times, data)
        } else {
            let [before, after] = self.ends();
            let sound = |&i: &usize| i * stride >= before && i * stride + after < self.times.len();
            let rows: Vec<usize> = (0..values.len()).filter(has).filter(sound).collect();
            let times = rows.iter().map(|&i| self.times[i * stride]).collect();
            let data = rows.iter().map(|&i| values[i]).collect();
            (None, rows, times, data)
        };
        Compared {
            channel: String::new(),
            unit: String::new(),
            times,
            rows,
            data,
            correlation: self.correlation(),
            present,
        }
    }

    fn filtered(&self, signal: &[f64]) -> Vec<f64> {
        let mut interval = self.interval;
        let mut signal = signal.to_vec();
        for filter in &self.filters {
            signal = filter.apply(&signal, interval);
            interval *= filter.stride() as f64;
        }
        signal
    }

    /// The autocorrelation of filtered white noise: each filter adds that of its response to an impulse, and thinning keeps some lags.
    fn correlation(&self) -> Vec<f64> {
        let mut correlation = vec![1.0];
        let (mut interval, mut length) = (self.interval, self.times.len());
        for filter in &self.filters {
            if let Filter::Decimate(count) = filter {
                correlation = correlation.iter().step_by(*count).copied().collect();
                interval *= *count as f64;
                length = length.div_ceil(*count);
                continue;
            }
            let mut response = vec![0.0; length];
            response[length / 2] = 1.0;
            let response = filter.apply(&response, interval);
            let largest = response.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let counts = |x: &f64| x.abs() > 1e-9 * largest;
            let first = response.iter().position(counts).unwrap_or(0);
            let last = response.iter().rposition(counts).unwrap_or(0);
            let own = products(&response[first..=last]);
            correlation = convolved(&correlation, &own);
        }
        let power = correlation[0];
        correlation.iter().map(|x| x / power).collect()
    }

    /// The latest time (s) at which the model is sampled.
    pub fn until(&self, shift: f64) -> f64 {
        self.times.last().copied().unwrap_or_default() - shift
    }

    /// The number of values that are compared.
    pub fn len(&self) -> usize {
        self.columns.iter().map(|column| column.rows.len()).sum()
    }

    /// Whether nothing is compared.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All data, column after column.
    pub fn data(&self) -> Vec<f64> {
        self.columns.iter().flat_map(|column| column.data.iter().copied()).collect()
    }

    /// What the instrument would have shown of a run: the channels at the times of the data made earlier by `shift` (s), filtered,
    /// column after column as [`data`](Self::data).
    ///
    /// # Errors
    /// [`ObserveError`].
    pub fn observe(
        &self,
        case: &Loaded,
        shift: f64,
        watch: &mut dyn FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Vec<f64>, ObserveError> {
        let failed = |error: Error| ObserveError::Failed(error.to_string());
        // Rounding must not put the last sample behind the end.
        let until = case.model.run.until;
        let times: Vec<f64> = self.times.iter().map(|t| (t - shift).clamp(0.0, until)).collect();
        let mut asked = times.clone();
        asked.dedup();
        let run = case.clone().sampled(Sampling::Times(asked)).measuring(Vec::new());
        let run = run.run_keeping(Keep::Nothing, &mut |t: f64| watch(t)).map_err(failed)?;
        let known = &run.channels.times;
        let mut places = Vec::with_capacity(times.len());
        let mut place = 0;
        for t in &times {
            while place < known.len() && known[place] < *t {
                place += 1;
            }
            if known.get(place) != Some(t) {
                let Summary { outcome, message, .. } = run.summary();
                return Err(match outcome {
                    Ending::Interrupted => ObserveError::Interrupted,
                    Ending::ReachedEnd | Ending::Stopped | Ending::Failed => {
                        ObserveError::Failed(format!("the run {message}, before the data end"))
                    }
                });
            }
            places.push(place);
        }
        let channels = self.columns.iter().map(|column| case.model.channel(&column.channel));
        let channels: Result<Vec<_>, _> = channels.collect();
        let channels = channels.map_err(|wrong| ObserveError::Failed(wrong.to_string()))?;
        let mut values = vec![Vec::with_capacity(times.len()); channels.len()];
        // All channels of an instant together, which is evaluated once.
        let (mut instant, mut places) = (0, places.into_iter().peekable());
        let look = |now: &Snapshot<'_>| {
            while places.next_if_eq(&instant).is_some() {
                for (values, channel) in values.iter_mut().zip(&channels) {
                    values.push(channel.eval(now));
                }
            }
            instant += 1;
            now.t()
        };
        run.solution().series(look).map_err(failed)?;
        let mut observed = Vec::with_capacity(self.len());
        for (column, values) in self.columns.iter().zip(&values) {
            observed.extend(self.seen(column, values));
        }
        match observed.iter().find(|value| !value.is_finite()) {
            Some(_) => Err(ObserveError::Failed("a channel is not a number".to_owned())),
            None => Ok(observed),
        }
    }

    /// What is compared of a channel, of whose value at each time of the record.
    fn seen(&self, column: &Compared, values: &[f64]) -> Vec<f64> {
        let filtered = match &column.present {
            Some(present) => {
                let seen: Vec<f64> = present.iter().map(|&row| values[row]).collect();
                self.filtered(&seen)
            }
            None => self.filtered(values),
        };
        column.rows.iter().map(|&i| filtered[i]).collect()
    }

    /// The mean distance of the samples (s) that the filter leaves.
    pub fn interval(&self) -> f64 {
        self.interval * stride(&self.filters) as f64
    }
}

/// A model is sampled at most this many times.
const MOST_INSTANTS: usize = 4_000_000;

/// One of how many samples filters leave.
fn stride(filters: &[Filter]) -> usize {
    filters.iter().fold(1, |all, filter| all.saturating_mul(filter.stride()))
}

/// Times with each interval divided into this many equal parts.
fn divided(times: &[f64], parts: usize) -> Vec<f64> {
    let mut all = Vec::with_capacity(times.len() * parts);
    for pair in times.windows(2) {
        let part = (pair[1] - pair[0]) / parts as f64;
        all.extend((0..parts).map(|i| pair[0] + i as f64 * part));
    }
    all.extend(times.last());
    all
}

/// The sums of the products of a signal with itself, moved by 0, 1, ... samples.
fn products(signal: &[f64]) -> Vec<f64> {
    let at = |lag: usize| signal[lag..].iter().zip(signal).map(|(a, b)| a * b).sum();
    (0..signal.len()).map(at).collect()
}

/// The convolution of two even sequences, of which the halves from 0 on are given and returned.
fn convolved(a: &[f64], b: &[f64]) -> Vec<f64> {
    let at = |lag: usize| -> f64 {
        let from = |i: usize| b.get(i).copied().unwrap_or(0.0);
        let one = |(j, a): (usize, &f64)| {
            let other = if j == 0 { 0.0 } else { from(lag + j) };
            a * (from(lag.abs_diff(j)) + other)
        };
        a.iter().enumerate().map(one).sum()
    };
    (0..a.len() + b.len() - 1).map(at).collect()
}
