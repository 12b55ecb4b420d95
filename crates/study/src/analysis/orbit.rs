//! Orbits: one channel against another, and the place of a pin in its slot.

use super::{AnalysisError, Points, Signal};

/// Two series with the same times, at their samples within a span, which may be endless.
///
/// # Errors
/// [`AnalysisError::Span`], and [`AnalysisError::Lengths`] if the second has other times.
pub fn orbit(x: Signal<'_>, y: Signal<'_>, span: [f64; 2]) -> Result<Points, AnalysisError> {
    let [from, to] = span;
    if !(from <= to) {
        return Err(AnalysisError::Span { from, to });
    }
    if x.times.len() != y.times.len() {
        return Err(AnalysisError::Lengths { times: x.times.len(), values: y.times.len() });
    }
    let range = x.times.partition_point(|t| *t < from)..x.times.partition_point(|t| *t <= to);
    let part = |values: &[f64]| values.get(range.clone()).unwrap_or_default().to_vec();
    Ok(Points { t: part(x.times), x: part(x.values), y: part(y.values) })
}

/// The position of a point relative to a line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Track {
    /// Length along the line to the nearest point of it (m).
    pub along: Vec<f64>,
    /// Distance from it, positive to its left (m).
    pub across: Vec<f64>,
}

/// This many segments to both sides of the last one are examined.
const REACH: usize = 4;

/// The position of a point relative to a polyline, such as the pin of a slot relative to its centre
/// line. Beyond its ends the line continues straight, so that a block that leaves its guide still
/// has a position. NaN if the line has no length.
pub fn track(line: &[[f64; 2]], points: impl IntoIterator<Item = [f64; 2]>) -> Track {
    let segments = line.len().saturating_sub(1);
    let mut starts = vec![0.0];
    for ends in line.windows(2) {
        let last = starts[starts.len() - 1];
        starts.push(last + libm::hypot(ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]));
    }
    let mut found = Track::default();
    let mut last: Option<usize> = None;
    for [x, y] in points {
        let near = match last {
            None => 0..segments,
            Some(last) => last.saturating_sub(REACH)..segments.min(last + REACH + 1),
        };
        let mut best = (f64::INFINITY, f64::NAN, f64::NAN);
        last = None;
        for k in near {
            let ([ax, ay], [bx, by]) = (line[k], line[k + 1]);
            let (ux, uy) = (bx - ax, by - ay);
            let length = libm::hypot(ux, uy);
            if length == 0.0 {
                continue;
            }
            let (px, py) = (x - ax, y - ay);
            let free = (px * ux + py * uy) / length;
            let low = if k == 0 { f64::NEG_INFINITY } else { 0.0 };
            let high = if k + 1 == segments { f64::INFINITY } else { length };
            let s = free.max(low).min(high);
            let side = (ux * py - uy * px) / length;
            let away = libm::hypot(side, free - s);
            if away < best.0 {
                best = (away, starts[k] + s, if side < 0.0 { -away } else { away });
                last = Some(k);
            }
        }
        found.along.push(best.1);
        found.across.push(best.2);
    }
    found
}
