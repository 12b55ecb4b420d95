//! How far a model is from its measurement.

use serde::{Deserialize, Serialize};

use super::Compared;
use crate::summary::finite;

/// How far a channel is from its measurement, in SI.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The root of the mean square of their difference.
    pub rmse: Option<f64>,
    /// The same over the range of the data; `None` if they do not vary.
    pub nrmse: Option<f64>,
    /// The greatest magnitude in the model minus that in the data.
    pub peak_error: Option<f64>,
    /// The same over the greatest magnitude in the data.
    pub peak_error_relative: Option<f64>,
    /// The angle between both signals, as vectors of their samples, over π (Sprague and Geers 2004): 0 where they are proportional,
    /// 1/2 where they have nothing in common, 1 where one is minus the other.
    #[serde(default)]
    pub phase_error: Option<f64>,
    /// The time (s) by which the data lag behind the model: where the model is moved by it, their difference is least. `None` where
    /// the data do not tell.
    pub shift: Option<f64>,
    /// The root mean square of the remaining difference.
    pub rmse_shifted: Option<f64>,
    /// The number of samples that were compared.
    pub samples: usize,
    /// The SI unit of the channel.
    pub unit: String,
}

/// What an instrument would have shown of a model over the whole run: times (s) and values.
pub type Wide<'a> = (&'a [f64], &'a [f64]);

/// Compares the data with the model as the instrument would have recorded it; the shift is found
/// from such a record of the whole run.
pub fn compare(column: &Compared, model: &[f64], wide: Wide<'_>) -> Comparison {
    let Compared { data, unit, .. } = column;
    let n = data.len().min(model.len());
    let (data, model) = (&data[..n], &model[..n]);
    let square: f64 = data.iter().zip(model).map(|(d, m)| (m - d) * (m - d)).sum();
    let rmse = (square / n as f64).sqrt();
    let (low, high) = range(data);
    let peak = |values: &[f64]| values.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
    let peak_error = peak(model) - peak(data);
    let along = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let cosine = along(model, data) / (along(model, model).sqrt() * along(data, data).sqrt());
    let phase_error = libm::acos(cosine.clamp(-1.0, 1.0)) / std::f64::consts::PI;
    let shift = best_shift(std::slice::from_ref(column), &[wide]).map(|(shift, _)| {
        let (square, _, inside) = apart(column, wide, (shift, 1), mean(&column.data));
        (shift, (square / inside.max(1) as f64).sqrt())
    });
    Comparison {
        rmse: finite(rmse),
        nrmse: finite(rmse / (high - low)),
        peak_error: finite(peak_error),
        peak_error_relative: finite(peak_error / peak(data)),
        phase_error: finite(phase_error),
        shift: shift.map(|(shift, _)| shift),
        rmse_shifted: shift.and_then(|(_, rmse)| finite(rmse)),
        samples: n,
        unit: unit.clone(),
    }
}

fn range(values: &[f64]) -> (f64, f64) {
    values.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| (l.min(*x), h.max(*x)))
}

/// The shift with the least difference of all channels, and the fraction of their variance that
/// remains. The model is interpolated between its samples. Data that lie outside the moved model
/// count as unexplained, so that shifting a pulse out of the record is no gain. `None` if the data
/// or the model do not vary.
pub fn best_shift(columns: &[Compared], models: &[Wide<'_>]) -> Option<(f64, f64)> {
    let known: Vec<(&Compared, Wide<'_>, [f64; 2])> = columns
        .iter()
        .zip(models)
        .filter_map(|(column, model)| {
            let (d, m) = (range(&column.data), range(model.1));
            let n = column.data.len();
            let mean = mean(&column.data);
            let square: f64 = column.data.iter().map(|d| (d - mean) * (d - mean)).sum();
            (n >= 8 && d.1 > d.0 && m.1 > m.0).then_some((
                column,
                *model,
                [mean, square / n as f64],
            ))
        })
        .collect();
    let (longest, (over, _), _) = known.iter().max_by_key(|(column, ..)| column.data.len())?;
    let n = longest.data.len();
    let (first, last) = (longest.times[0], longest.times[n - 1]);
    let interval = (last - first) / (n - 1) as f64;
    // While the search is coarse, long records are thinned.
    let sparse = (n / 1000).max(1);
    let cost = |shift: f64, every: usize| -> f64 {
        let of = |&(column, model, [mean, variance]): &(&Compared, Wide<'_>, [f64; 2])| {
            let (square, unexplained, _) = apart(column, model, (shift, every), mean);
            (square + unexplained) * every as f64 / (column.data.len() as f64 * variance)
        };
        known.iter().map(of).sum::<f64>() / known.len() as f64
    };
    // Every shift with which half of the data lie in the run, coarsely, then finer and finer.
    let half = 0.5 * (last - first);
    let (low, high) = (first + half - over[over.len() - 1], last - half - over[0]);
    let coarse = interval.max((high - low) / 10_000.0);
    let mut best = (0.0, cost(0.0, sparse));
    let mut shift = (low / coarse).ceil() * coarse;
    while shift <= high {
        let found = cost(shift, sparse);
        if found < best.1 {
            best = (shift, found);
        }
        shift += coarse;
    }
    best.1 = cost(best.0, 1);
    let mut step = coarse;
    for _ in 0..24 {
        for side in [-0.5, 0.5] {
            let shift = best.0 + side * step;
            let found = cost(shift, 1);
            if found < best.1 {
                best = (shift, found);
            }
        }
        step *= 0.5;
    }
    Some(best)
}

/// What is left of the variance of all channels with a shift.
pub(crate) fn unexplained(columns: &[Compared], models: &[Wide<'_>], shift: f64) -> f64 {
    let of = |(column, model): (&Compared, &Wide<'_>)| {
        let mean = mean(&column.data);
        let (square, outside, _) = apart(column, *model, (shift, 1), mean);
        let (_, all, _) = apart(column, (&[f64::INFINITY], &[0.0]), (0.0, 1), mean);
        if all > 0.0 { (square + outside) / all } else { 1.0 }
    };
    columns.iter().zip(models).map(of).sum::<f64>() / columns.len().max(1) as f64
}

/// How many of these rising times are earlier than `at`. They are searched in growing strides, as few are.
fn earlier(times: &[f64], at: f64) -> usize {
    let mut stride = 1;
    while stride < times.len() && times[stride - 1] < at {
        stride *= 2;
    }
    let known = stride / 2;
    known + times[known..stride.min(times.len())].partition_point(|t| *t < at)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// For every n-th sample: the sum of the squares of the differences, that of the data outside the
/// shifted model, and the number of samples inside.
fn apart(
    column: &Compared,
    (over, model): Wide<'_>,
    (shift, every): (f64, usize),
    mean: f64,
) -> (f64, f64, usize) {
    let Compared { times, data, .. } = column;
    let (n, m) = (data.len(), over.len());
    let (mut square, mut unexplained, mut inside, mut place) = (0.0, 0.0, 0, 0);
    for i in (0..n).step_by(every) {
        let at = times[i] - shift;
        if at < over[0] || at > over[m - 1] || m < 2 {
            unexplained += (data[i] - mean) * (data[i] - mean);
            continue;
        }
        place += earlier(&over[place + 1..m - 1], at);
        let part = (at - over[place]) / (over[place + 1] - over[place]);
        let value = model[place] + part.clamp(0.0, 1.0) * (model[place + 1] - model[place]);
        square += (value - data[i]) * (value - data[i]);
        inside += 1;
    }
    (square, unexplained, inside)
}
