//! The metrics of a run: formulas of reduced channels, statistics of joints and parameters, each of which is one number.
//!
//! Channels are reduced over the kept instants, the same as in `channels.csv`: between two of them a channel is a straight line.
//! An impact counts in a window if it starts there.

use std::collections::HashMap;

use jointplay_mbd::Snapshot;
use jointplay_model::{JointStatistic, Metric, MetricInput, Reduced, Reduction, Window};

use crate::contacts::{ContactRecord, Episode, Observed};
use crate::summary::finite;

/// The value of a metric.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Name of the metric.
    pub name: String,
    /// Its unit; `-` for a pure number.
    pub unit: String,
    /// Its value; `None` if it is not defined, such as the time of the first impact in a run without impacts.
    pub value: Option<f64>,
}

/// The channels that metrics are computed from, instant by instant.
pub(crate) struct Collector<'m> {
    series: Vec<(&'m Reduced, Vec<f64>)>,
    /// Where what is reduced is among them, by its address.
    places: HashMap<*const Reduced, usize>,
}

impl<'m> Collector<'m> {
    pub(crate) fn new(metrics: &'m [Metric]) -> Self {
        let mut collector = Collector { series: Vec::new(), places: HashMap::new() };
        for metric in metrics {
            collector.add(metric);
        }
        collector
    }

    fn add(&mut self, metric: &'m Metric) {
        for input in metric.inputs() {
            match input {
                MetricInput::Reduced { of, argument, .. } => {
                    self.places.entry(&raw const *of).or_insert(self.series.len());
                    self.series.push((of, Vec::new()));
                    if let Some(metric) = argument {
                        self.add(metric);
                    }
                }
                MetricInput::Metric(metric) => self.add(metric),
                MetricInput::Joint { .. } => {}
            }
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.series.is_empty()
    }

    /// One of the kept instants, with the same instant of the ideal mechanism where that is needed.
    pub(crate) fn instant(&mut self, at: &Snapshot<'_>, ideal: Option<&Snapshot<'_>>) {
        for (of, values) in &mut self.series {
            values.push(of.eval(at, ideal));
        }
    }

    fn values(&self, of: &Reduced) -> &[f64] {
        let found = self.places.get(&(&raw const *of)).and_then(|place| self.series.get(*place));
        found.map_or(&[], |(_, values)| values)
    }
}

/// The values of metrics from the collected values of their channels at these times (s).
pub(crate) fn measure(
    metrics: &[Metric],
    times: &[f64],
    collected: &Collector<'_>,
    contacts: &ContactRecord,
) -> Vec<Measured> {
    let names = contacts.joints.iter().map(|joint| joint.name.as_str()).zip(0..).collect();
    let mut episodes: Vec<Vec<&Episode>> = vec![Vec::new(); contacts.joints.len()];
    for episode in &contacts.episodes {
        episodes[episode.joint].push(episode);
    }
    let run = Run { times, collected, contacts, names, episodes };
    let measured = |metric: &Metric| Measured {
        name: metric.name.clone(),
        unit: metric.unit.clone(),
        value: run.metric(metric),
    };
    metrics.iter().map(measured).collect()
}

/// What metrics are computed from.
struct Run<'r> {
    times: &'r [f64],
    collected: &'r Collector<'r>,
    contacts: &'r ContactRecord,
    /// The numbers of the joints.
    names: HashMap<&'r str, usize>,
    /// The episodes of each joint.
    episodes: Vec<Vec<&'r Episode>>,
}

impl Run<'_> {
    fn metric(&self, metric: &Metric) -> Option<f64> {
        let values = metric.inputs().iter().map(|input| self.input(input, &metric.window));
        let values: Vec<f64> = values.map(|value| value.unwrap_or(f64::NAN)).collect();
        finite(metric.eval(&values))
    }

    fn input(&self, input: &MetricInput, window: &Window) -> Option<f64> {
        match input {
            MetricInput::Reduced { by, of, argument } => {
                let argument = match argument {
                    Some(metric) => Some(self.metric(metric)?),
                    None => None,
                };
                let window = window.within(self.contacts.span);
                let values = self.collected.values(of);
                reduce(*by, self.times, values, window, argument).and_then(finite)
            }
            MetricInput::Joint { joint, statistic } => self.statistic(joint, *statistic, window),
            MetricInput::Metric(metric) => self.metric(metric),
        }
    }

    fn statistic(&self, joint: &str, statistic: JointStatistic, window: &Window) -> Option<f64> {
        let number = *self.names.get(joint)?;
        let joint = &self.contacts.joints[number];
        let whole = window.is_whole();
        let [from, to] = window.within(self.contacts.span);
        let inside = |episode: &&Episode| whole || (from..=to).contains(&episode.start);
        let observed = Observed {
            episodes: self.episodes[number].iter().copied().filter(inside).collect(),
            timeline: &joint.timeline,
            window: [from, to],
            seam_energy: joint.summary.seam_energy.filter(|_| whole),
        };
        match statistic {
            // If nothing touches, the greatest force is 0.
            JointStatistic::PeakForce
            | JointStatistic::MaxIndentation
            | JointStatistic::MaxImpactSpeed
                if observed.episodes.is_empty() =>
            {
                Some(0.0)
            }
            _ => observed.value(statistic),
        }
    }
}

/// One number of a series over a window.
fn reduce(
    by: Reduction,
    times: &[f64],
    values: &[f64],
    [from, to]: [f64; 2],
    argument: Option<f64>,
) -> Option<f64> {
    if by == Reduction::At {
        let time = argument?;
        return (from..=to).contains(&time).then(|| at(times, values, time))?;
    }
    let points = window(times, values, [from, to]);
    let (first, last) = (points.first()?, points.last()?);
    if points.iter().any(|(_, value)| value.is_nan()) {
        return None;
    }
    let all = || points.iter().map(|(_, value)| *value);
    let (least, greatest) =
        all().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
    let length = last.0 - first.0;
    let integral = |of: fn(f64, f64) -> f64| {
        points.windows(2).map(|w| (w[1].0 - w[0].0) * of(w[0].1, w[1].1)).sum::<f64>()
    };
    Some(match by {
        Reduction::Max => greatest,
        Reduction::Min => least,
        Reduction::PeakToPeak => greatest - least,
        Reduction::First => first.1,
        Reduction::Integral => integral(|a, b| 0.5 * (a + b)),
        // Of a straight line from a to b the mean is (a + b)/2, and that of its square (a² + ab + b²)/3.
        Reduction::Mean if length > 0.0 => integral(|a, b| 0.5 * (a + b)) / length,
        Reduction::Rms if length > 0.0 => {
            (integral(|a, b| (a * a + a * b + b * b) / 3.0) / length).sqrt()
        }
        Reduction::Last | Reduction::Mean => last.1,
        Reduction::Rms => last.1.abs(),
        Reduction::Percentile => {
            let fraction = argument.filter(|p| (0.0..=100.0).contains(p))? / 100.0;
            percentile(&points, fraction, length)
        }
        Reduction::At => return None, // needs no other instants, and was answered above
    })
}

/// The points inside a window, with those at its ends.
fn window(times: &[f64], values: &[f64], [from, to]: [f64; 2]) -> Vec<(f64, f64)> {
    let inside = times.iter().zip(values).filter(|(t, _)| (from..=to).contains(*t));
    let mut points: Vec<(f64, f64)> = inside.map(|(t, value)| (*t, *value)).collect();
    if points.first().is_none_or(|(t, _)| *t > from)
        && let Some(value) = at(times, values, from)
    {
        points.insert(0, (from, value));
    }
    if points.last().is_none_or(|(t, _)| *t < to)
        && let Some(value) = at(times, values, to)
    {
        points.push((to, value));
    }
    points
}

/// The value at a time, on a straight line between two points; `None` outside the series.
fn at(times: &[f64], values: &[f64], t: f64) -> Option<f64> {
    let after = times.partition_point(|time| *time < t);
    let (end, value) = (times.get(after)?, values.get(after)?);
    if *end == t {
        return Some(*value);
    }
    let before = after.checked_sub(1)?;
    let (start, from) = (times[before], values[before]);
    Some(from + (value - from) * (t - start) / (end - start))
}

/// The value below which the lines between the points stay for a fraction of their time.
fn percentile(points: &[(f64, f64)], fraction: f64, length: f64) -> f64 {
    let (low, high) = points
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), (_, x)| (l.min(*x), h.max(*x)));
    // A line from a to b is below x for the fraction (x − a)/(b − a) of its time.
    let below = |x: f64| {
        let line = |w: &[(f64, f64)]| {
            let (a, b) = (w[0].1.min(w[1].1), w[0].1.max(w[1].1));
            let part = if b > a {
                ((x - a) / (b - a)).clamp(0.0, 1.0)
            } else {
                f64::from(u8::from(x >= a))
            };
            (w[1].0 - w[0].0) * part
        };
        points.windows(2).map(line).sum::<f64>()
    };
    if length <= 0.0 {
        return high;
    }
    let (mut low, mut high) = (low, high);
    // The time below x rises with x: halving finds it to rounding.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if below(middle) < fraction * length { low = middle } else { high = middle }
    }
    high
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A triangle of height 4 over 4 s: its mean is 2, its mean square 16/3, its integral 8, and it is below 3 for 3/4 of its time.
    #[test]
    fn exact_reductions_of_straight_lines() {
        let (times, values) = ([0.0, 1.0, 2.0, 2.0, 4.0], [0.0, 2.0, 4.0, 4.0, 0.0]);
        let take =
            |by, window, argument| reduce(by, &times, &values, window, argument).expect("a number");
        let whole = [0.0, 4.0];
        assert_eq!(take(Reduction::Max, whole, None), 4.0);
        assert_eq!(take(Reduction::Mean, whole, None), 2.0);
        assert!((take(Reduction::Rms, whole, None) - (16.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        assert_eq!(take(Reduction::Integral, whole, None), 8.0);
        assert!((take(Reduction::Percentile, whole, Some(75.0)) - 3.0).abs() < 1e-14);
        assert_eq!(take(Reduction::At, whole, Some(0.25)), 0.5);
        // From 0.5 s to 3 s: from 1 over 4 to 2.
        let part = [0.5, 3.0];
        assert_eq!(take(Reduction::Min, part, None), 1.0);
        assert_eq!(take(Reduction::Last, part, None), 2.0);
        assert_eq!(take(Reduction::PeakToPeak, part, None), 3.0);
        assert!((take(Reduction::Integral, part, None) - (3.75 + 3.0)).abs() < 1e-15);
        assert_eq!(reduce(Reduction::At, &times, &values, whole, Some(5.0)), None);
        assert_eq!(reduce(Reduction::Max, &times, &[f64::NAN; 5], whole, None), None);
    }
}
