//! Poincaré sections: two channels whenever the motion passes a certain place.

use jointplay_model::Model;
use serde::{Deserialize, Serialize};

use super::{AnalysisError, Points, Signal, checked};

/// More points than this are refused.
const MOST: f64 = 1e6;

/// Once in each period.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Stroboscope {
    /// The period T (s).
    pub period: f64,
    /// Phase as a fraction of the period: points lie at (k + phase) T.
    pub phase: f64,
}

/// Which way a channel passes a level.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// From below.
    #[default]
    Up,
    /// From above.
    Down,
}

/// Where a channel passes a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing<'a> {
    /// Values of the channel, one for each time of the other two.
    pub through: &'a [f64],
    /// The level, in the unit of the channel.
    pub level: f64,
    /// Which way it passes.
    pub direction: Direction,
}

/// Both series at (k + phase) T within a span, between samples on the lines that join them.
///
/// # Errors
/// An invalid span, period or phase, or more than a million points.
pub fn stroboscope(
    x: Signal<'_>,
    y: Signal<'_>,
    at: Stroboscope,
    span: [f64; 2],
) -> Result<Points, AnalysisError> {
    let Stroboscope { period, phase } = at;
    if !(period > 0.0 && period.is_finite()) {
        return Err(AnalysisError::Period(period));
    }
    if !phase.is_finite() {
        return Err(AnalysisError::Phase(phase));
    }
    let Some([from, to]) = x.within(checked(span)?) else { return Ok(Points::default()) };
    if (to - from) / period > MOST {
        return Err(AnalysisError::Many((to - from) / period));
    }
    // A point exactly at the beginning or end counts, in spite of the rounding of k T.
    let slack = 1e-9 * period;
    let first = ((from - slack) / period - phase).ceil();
    let times = (0..).map(|i| (first + f64::from(i) + phase) * period);
    let times = times.take_while(|t| *t <= to + slack).map(|t| t.clamp(from, to));
    Ok(take(x, y, times))
}

/// Both series where a third one passes a level within a span; the time is interpolated between the
/// two adjacent samples.
///
/// # Errors
/// An invalid span, or a series of another length.
pub fn crossings(
    x: Signal<'_>,
    y: Signal<'_>,
    crossing: Crossing<'_>,
    span: [f64; 2],
) -> Result<Points, AnalysisError> {
    let [from, to] = checked(span)?;
    let through = Signal::new(x.times, crossing.through)?;
    let sign = match crossing.direction {
        Direction::Up => 1.0,
        Direction::Down => -1.0,
    };
    let pairs = through.times.windows(2).zip(through.values.windows(2));
    let times = pairs.filter_map(|(t, y)| {
        let [before, after] = [y[0], y[1]].map(|y| sign * (y - crossing.level));
        let passes = before < 0.0 && after >= 0.0;
        passes.then(|| t[0] + (t[1] - t[0]) * (before / (before - after)))
    });
    Ok(take(x, y, times.filter(|t| (from..=to).contains(t))))
}

fn take(x: Signal<'_>, y: Signal<'_>, times: impl Iterator<Item = f64>) -> Points {
    let mut points = Points::default();
    for t in times {
        points.t.push(t);
        points.x.push(x.at(t));
        points.y.push(y.at(t));
    }
    points
}

/// The time of one turn of a driver with constant speed (s): the natural period of a section.
pub fn period(model: &Model) -> Option<f64> {
    let until = model.run.until;
    model.mechanism.drivers().find_map(|(_, _, driver)| {
        let angle = model.mechanism.is_angle(driver.coordinate);
        let rate = |part: f64| driver.signal.at(part * until).first;
        let first = rate(0.0);
        let steady = [0.13, 0.37, 0.71, 1.0].iter().all(|part| rate(*part) == first);
        let period = std::f64::consts::TAU / first.abs();
        (angle && steady && period.is_finite()).then_some(period)
    })
}
