//! The tables of a diagram: its section, its spectra, and what the motion is at each value.

use super::{Diagram, Point, waves};
use crate::frame::{Column, Frame};

/// The columns that every table of points has, before those of the metrics.
pub(crate) const COLUMNS: [&str; 11] = [
    "parameter",
    "direction",
    "class",
    "period",
    "lyapunov",
    "lyapunov_low",
    "lyapunov_high",
    "zero_one",
    "history",
    "why",
    "warnings",
];

impl Diagram {
    /// The points of the section: one row for each instant.
    pub fn section(&self, points: &[Point]) -> Frame {
        let of = |point: &Point| match self.section {
            Some(_) => point.events.clone(),
            None => point.section.clone(),
        };
        let seen: Vec<(&Point, Vec<Vec<f64>>)> =
            points.iter().map(|point| (point, of(point))).collect();
        self.rows(&seen).0
    }

    /// The amplitudes of the channels over the frequency, in multiples of that of the drive and in
    /// Hz: one row for each line. `None` if they were not requested.
    pub fn spectra(&self, points: &[Point]) -> Option<Frame> {
        self.orders?;
        let seen: Vec<(&Point, Vec<Vec<f64>>)> =
            points.iter().map(|point| (point, point.spectra.clone())).collect();
        let (frame, index) = self.rows(&seen);
        let segment = waves::segment(self.periods) as f64;
        let order: Vec<f64> = index.iter().map(|line| (line + 1.0) / segment).collect();
        let mut spectra = Frame::new();
        for (name, column) in frame.columns() {
            spectra = if name == "index" {
                spectra.with("order", Column::Numbers(order.clone()))
            } else {
                spectra.with(name, column.clone())
            };
        }
        Some(spectra)
    }

    /// Rows of channels with the value, the way and the number of each, and these numbers.
    fn rows(&self, seen: &[(&Point, Vec<Vec<f64>>)]) -> (Frame, Vec<f64>) {
        let levels = seen
            .iter()
            .flat_map(|(point, rows)| std::iter::repeat_n(&self.levels()[point.index], rows.len()));
        let way = seen.iter().flat_map(|(point, rows)| rows.iter().map(|_| point.way.name()));
        let index = seen.iter().flat_map(|(_, rows)| (0..rows.len()).map(|i| i as f64));
        let index: Vec<f64> = index.collect();
        let frame = Frame::new()
            .with("parameter", Column::of_levels(levels.cloned()))
            .with("direction", Column::texts(way))
            .with("index", Column::Numbers(index.clone()));
        let frame = self.observe.iter().enumerate().fold(frame, |frame, (channel, name)| {
            let cells = seen.iter().flat_map(|(_, rows)| rows.iter().map(|row| row[channel]));
            frame.with(name, Column::Numbers(cells.collect()))
        });
        (frame, index)
    }

    /// What the motion is at each value.
    pub fn verdicts(&self, points: &[Point]) -> Frame {
        let numbers = |of: &dyn Fn(&Point) -> f64| Column::Numbers(points.iter().map(of).collect());
        let texts = |of: &dyn Fn(&Point) -> String| Column::texts(points.iter().map(of));
        let or_nan = |x: Option<f64>| x.unwrap_or(f64::NAN);
        let period = |p: &Point| p.verdict.period.map_or(f64::NAN, |n| n as f64);
        let levels = points.iter().map(|point| &self.levels()[point.index]);
        let frame = Frame::new()
            .with("parameter", Column::of_levels(levels.cloned()))
            .with("direction", texts(&|p| p.way.name().to_owned()))
            .with("class", texts(&|p| p.verdict.class.name().to_owned()))
            .with("period", numbers(&period))
            .with("lyapunov", numbers(&|p| or_nan(p.verdict.lyapunov)))
            .with("lyapunov_low", numbers(&|p| or_nan(p.verdict.lyapunov_low)))
            .with("lyapunov_high", numbers(&|p| or_nan(p.verdict.lyapunov_high)))
            .with("zero_one", numbers(&|p| or_nan(p.verdict.zero_one)))
            .with("history", texts(&|p| p.verdict.history.to_string()))
            .with("why", texts(&|p| p.verdict.why.clone()))
            .with("warnings", numbers(&|p| p.warnings.len() as f64));
        // A value without a motion has no metrics.
        let value = |p: &Point, metric: usize| or_nan(p.metrics.get(metric).copied().flatten());
        self.metrics
            .iter()
            .enumerate()
            .fold(frame, |frame, (metric, name)| frame.with(name, numbers(&|p| value(p, metric))))
    }
}
