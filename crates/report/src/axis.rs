//! Limits, ticks and the map from values to pixels of one axis.

use crate::error::FigureError;
use crate::figure::{Axis, Scale};
use crate::font::Line;

/// Values beyond this magnitude count as infinite, so that no difference or ratio overflows.
const HUGE: f64 = 1e300;
/// Limits closer than this, relative to their magnitude, cannot be resolved by `f64`.
const RESOLUTION: f64 = 1e-12;
/// Positions are kept within this many pixels, far outside any frame.
const FAR: f64 = 1e9;

/// Which way the axis runs on paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    Right,
    Up,
}

/// An axis with fixed ends, laid along the frame.
#[derive(Clone, Debug)]
pub(crate) struct Ruler {
    scale: Scale,
    direction: Direction,
    min: f64,
    max: f64,
    length: f64,
}

/// The marks of an axis; positions in pixels from the left or top edge of the frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ticks {
    pub(crate) major: Vec<(f64, Line)>,
    pub(crate) minor: Vec<f64>,
    /// Labels are to be multiplied by ten to this power.
    pub(crate) exponent: i32,
}

impl Ruler {
    /// Takes the limits of `axis`, or round numbers around `values`.
    pub(crate) fn new(
        axis: &Axis,
        values: impl Iterator<Item = f64>,
        direction: Direction,
        length: f64,
    ) -> Result<Self, FigureError> {
        let scale = axis.scale;
        let (min, max) = if let Some((min, max)) = axis.limits {
            let apart = max - min > RESOLUTION * min.abs().max(max.abs()) && max - min > 1.0 / HUGE;
            if !(drawable(scale, min) && drawable(scale, max) && apart) {
                let logarithmic = scale == Scale::Log;
                return Err(FigureError::Limits {
                    axis: axis.label.clone(),
                    min,
                    max,
                    logarithmic,
                });
            }
            (min, max)
        } else {
            let mut range: Option<(f64, f64)> = None;
            for v in values.filter(|v| drawable(scale, *v)) {
                let (lo, hi) = range.unwrap_or((v, v));
                range = Some((lo.min(v), hi.max(v)));
            }
            let count = wanted(direction, length);
            match (scale, range) {
                (Scale::Linear, None) => (0.0, 1.0),
                (Scale::Log, None) => (1.0, 10.0),
                (Scale::Linear, Some(range)) => round_linear(range, count),
                (Scale::Log, Some(range)) => round_log(range, count),
            }
        };
        Ok(Self { scale, direction, min, max, length })
    }

    /// Pixel position of a value, `None` if it cannot be drawn.
    pub(crate) fn place(&self, value: f64) -> Option<f64> {
        if !drawable(self.scale, value) {
            return None;
        }
        let measure = |v: f64| {
            if self.scale == Scale::Log { v.log10() } else { v }
        };
        let (start, end) = (measure(self.min), measure(self.max));
        let along = (measure(value) - start) / (end - start) * self.length;
        let pixel = if self.direction == Direction::Up { self.length - along } else { along };
        Some(pixel.clamp(-FAR, FAR))
    }

    /// As [`Self::place`], but values beyond all drawable ones are placed far outside the frame, on
    /// their side. Only NaN has no place.
    pub(crate) fn place_or_edge(&self, value: f64) -> Option<f64> {
        if value.is_nan() {
            return None;
        }
        Some(self.place(value).unwrap_or_else(|| {
            let low = value < 1.0;
            if low == (self.direction == Direction::Right) { -FAR } else { FAR }
        }))
    }

    /// The ticks; `size` is the font size of their labels.
    pub(crate) fn ticks(&self, size: f64) -> Ticks {
        match self.scale {
            Scale::Linear => self.linear_ticks(size),
            Scale::Log => self.log_ticks(size),
        }
    }

    /// Ticks at 1, 2 or 5 times a power of ten, as many as have room.
    fn linear_ticks(&self, size: f64) -> Ticks {
        let mut count = wanted(self.direction, self.length);
        loop {
            let ticks = self.marks(count);
            let widest = ticks.major.iter().map(|t| t.1.width(size)).fold(0.0, f64::max);
            let spacing = match ticks.major.as_slice() {
                [a, b, ..] => (b.0 - a.0).abs(),
                _ => f64::INFINITY,
            };
            if count <= 2.0 || self.direction == Direction::Up || widest + 10.0 < spacing {
                return ticks;
            }
            count -= 1.0;
        }
    }

    fn marks(&self, count: f64) -> Ticks {
        let (mantissa, power) = round_step((self.max - self.min) / count);
        let step = mantissa * ten_to(power);
        let (first, last) =
            (whole((self.min / step - 1e-9).ceil()), whole((self.max / step + 1e-9).floor()));
        let magnitude = decade(step * first.abs().max(last.abs()) as f64);
        let exponent = if (-2..5).contains(&magnitude) { 0 } else { magnitude.div_euclid(3) * 3 };
        let shift = exponent - power;
        let label = |k: i64| {
            let units = k as f64 * mantissa;
            let value = if shift > 0 { units / ten_to(shift) } else { units * ten_to(-shift) };
            let decimals = usize::try_from(shift).unwrap_or(0);
            Line::parse(&format!("{value:.decimals$}").replace('-', "−"))
        };
        let major =
            (first..=last).filter_map(|k| Some((self.place(k as f64 * step)?, label(k)))).collect();
        Ticks { major, minor: Vec::new(), exponent }
    }

    /// Decades, thinned when they crowd; below two decades also their 2 and 5; within a decade
    /// the linear ticks.
    fn log_ticks(&self, size: f64) -> Ticks {
        let (low, high) = (self.min.log10(), self.max.log10());
        let (first, last) = (power(low.floor()), power(high.ceil()));
        let within = |v: f64| v >= self.min * (1.0 - 1e-9) && v <= self.max * (1.0 + 1e-9);
        let mut grid: Vec<(i32, i32)> = Vec::new();
        for p in first..=last {
            grid.extend(
                (1..10).map(|m| (m, p)).filter(|(m, p)| within(f64::from(*m) * ten_to(*p))),
            );
        }
        let decades = grid.iter().filter(|(m, _)| *m == 1).count();
        let fine = high - low < 2.0;
        let labelled = |m: i32| m == 1 || (fine && (m == 2 || m == 5));
        if grid.iter().filter(|(m, _)| labelled(*m)).count() < 2 {
            return self.linear_ticks(size);
        }
        let room = if self.direction == Direction::Up { 26.0 } else { 46.0 };
        let crowding = decades as f64 * room / self.length;
        let strides = [1, 2, 3, 5, 10, 20, 50, 100, 200];
        let stride = strides.into_iter().find(|s| f64::from(*s) >= crowding).unwrap_or(500);
        let plain = grid.iter().filter(|(m, _)| labelled(*m)).all(|(_, p)| (-3..=3).contains(p));
        let mut ticks = Ticks::default();
        for (m, p) in grid {
            let Some(at) = self.place(f64::from(m) * ten_to(p)) else {
                continue;
            };
            if labelled(m) && p.rem_euclid(stride) == 0 {
                let text = match (plain, m) {
                    (true, _) => format!("{}", f64::from(m) * ten_to(p)),
                    (false, 1) => format!("10^{{{p}}}"),
                    (false, _) => format!("{m}×10^{{{p}}}"),
                };
                ticks.major.push((at, Line::parse(&text)));
            } else if stride == 1 || (m == 1 && stride <= 5) {
                ticks.minor.push(at);
            }
        }
        ticks
    }
}

/// Label, unit and common power of ten as one text.
pub(crate) fn caption(axis: &Axis, exponent: i32) -> String {
    let factor = if exponent == 0 { String::new() } else { format!("10^{{{exponent}}}") };
    let unit = [factor.as_str(), axis.unit.trim()]
        .into_iter()
        .filter(|s| !s.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    match (axis.label.trim(), unit.as_str()) {
        (label, "") => label.to_owned(),
        ("", unit) => format!("({unit})"),
        (label, unit) => format!("{label} ({unit})"),
    }
}

/// Whether a value has a place on an axis of this scale.
pub(crate) fn drawable(scale: Scale, value: f64) -> bool {
    match scale {
        Scale::Linear => value.abs() <= HUGE,
        Scale::Log => (1.0 / HUGE..=HUGE).contains(&value),
    }
}

/// A suitable number of ticks along an axis.
fn wanted(direction: Direction, length: f64) -> f64 {
    (length / if direction == Direction::Up { 56.0 } else { 70.0 }).clamp(2.0, 12.0)
}

/// Widens a range to half ticks.
fn round_linear((mut lo, mut hi): (f64, f64), count: f64) -> (f64, f64) {
    let magnitude = lo.abs().max(hi.abs());
    if magnitude < 1e-290 {
        return (-1.0, 1.0);
    }
    if hi - lo <= RESOLUTION * magnitude {
        (lo, hi) = (lo - 0.1 * magnitude, hi + 0.1 * magnitude);
    }
    let (mantissa, power) = round_step((hi - lo) / count);
    let half = mantissa * ten_to(power) / 2.0;
    ((lo / half + 1e-9).floor() * half, (hi / half - 1e-9).ceil() * half)
}

/// Widens a range to 1, 2 or 5 times a power of ten; a range within a factor of two to half ticks.
fn round_log((mut lo, mut hi): (f64, f64), count: f64) -> (f64, f64) {
    if hi <= lo * (1.0 + RESOLUTION) {
        (lo, hi) = (lo / 2.0, hi * 2.0);
    }
    if hi < 2.0 * lo {
        return round_linear((lo, hi), count);
    }
    let outward = |v: f64, up: bool| {
        let p = decade(v);
        let multiples = [1.0, 2.0, 5.0, 10.0].map(|m| m * ten_to(p));
        let found = if up {
            multiples.into_iter().find(|m| *m >= v * (1.0 - 1e-9))
        } else {
            multiples.into_iter().rev().find(|m| *m <= v * (1.0 + 1e-9))
        };
        found.unwrap_or(v)
    };
    (outward(lo, false), outward(hi, true))
}

/// The 1, 2 or 5 times a power of ten that is nearest to `raw`, as mantissa and power.
fn round_step(raw: f64) -> (f64, i32) {
    let power = decade(raw);
    match raw / ten_to(power) {
        // The bounds are the geometric means of neighbours.
        ratio if ratio < 2f64.sqrt() => (1.0, power),
        ratio if ratio < 10f64.sqrt() => (2.0, power),
        ratio if ratio < 50f64.sqrt() => (5.0, power),
        _ => (1.0, power + 1),
    }
}

fn decade(value: f64) -> i32 {
    if value > 0.0 { power((value.log10() + 1e-9).floor()) } else { 0 }
}

/// Correctly rounded, unlike `powi`, which multiplies.
fn ten_to(power: i32) -> f64 {
    format!("1e{power}").parse().unwrap_or(f64::INFINITY)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates; exponents of f64 are small"
)]
fn power(value: f64) -> i32 {
    value as i32
}

#[expect(clippy::cast_possible_truncation, reason = "at most 1/RESOLUTION ticks from zero")]
fn whole(value: f64) -> i64 {
    value as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ruler(axis: &Axis, values: &[f64]) -> Ruler {
        Ruler::new(axis, values.iter().copied(), Direction::Right, 460.0).expect("valid limits")
    }

    fn labels(ruler: &Ruler) -> (Vec<String>, i32) {
        let ticks = ruler.ticks(12.0);
        let text = |line: &Line| line.runs.iter().map(|r| r.1.as_str()).collect();
        (ticks.major.iter().map(|t| text(&t.1)).collect(), ticks.exponent)
    }

    #[test]
    fn exact_linear_ticks_are_round() {
        let axis = Axis::linear("x", "");
        assert_eq!(labels(&ruler(&axis, &[0.0, 100.0])).0, ["0", "20", "40", "60", "80", "100"]);
        assert_eq!(
            labels(&ruler(&axis, &[0.0, 0.5])).0,
            ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]
        );
        assert_eq!(
            labels(&ruler(&axis, &[0.0, 3.2e-7])),
            (["0", "50", "100", "150", "200", "250", "300"].map(String::from).to_vec(), -9)
        );
        assert_eq!(labels(&ruler(&axis, &[0.0, 2e6])).1, 6);
    }

    #[test]
    fn exact_log_ticks_are_decades() {
        let wide = ruler(&Axis::log("c", "m").within(1e-6, 1e-2), &[]);
        assert_eq!(labels(&wide).0, ["10−6", "10−5", "10−4", "10−3", "10−2"]);
        assert_eq!(wide.ticks(12.0).minor.len(), 4 * 8);
        assert_eq!(wide.place(1e-4), Some(230.0));
        assert_eq!(labels(&ruler(&Axis::log("c", ""), &[0.1, 100.0])).0, ["0.1", "1", "10", "100"]);
        assert_eq!(
            labels(&ruler(&Axis::log("c", ""), &[1.0, 20.0])).0,
            ["1", "2", "5", "10", "20"]
        );
        assert_eq!(labels(&ruler(&Axis::log("c", ""), &[2e5, 1e6])).0, ["2×105", "5×105", "106"]);
        assert_eq!(labels(&ruler(&Axis::log("c", ""), &[3.1, 3.4])).0.len(), 7);
        let vast = labels(&ruler(&Axis::log("c", ""), &[1e-300, 1e300])).0;
        assert!(vast.len() > 3 && vast.len() < 12, "{vast:?}");
    }

    #[test]
    fn property_automatic_limits_hold_the_data_and_show_ticks() {
        let ranges = [
            (0.0, 0.0),
            (5.0, 5.0),
            (-3e-300, 1e-299),
            (-1e300, 1e300),
            (1e300, 1e300),
            (1e15, 1e15 + 1e4),
            (1e-300, 1e-300),
            (5e-324, 5e-324),
            (0.3, 0.3000001),
            (1e-5, 3.0),
            (99.0, 101.0),
            (-7.0, -6.999),
        ];
        for (lo, hi) in ranges {
            for axis in [Axis::linear("x", ""), Axis::log("x", "")] {
                let ruler = ruler(&axis, &[lo, hi, f64::NAN, f64::INFINITY, -1.0 / 0.0]);
                for v in [lo, hi] {
                    if let Some(pixel) = ruler.place(v) {
                        assert!(
                            (-1e-6..=460.0 + 1e-6).contains(&pixel),
                            "{v} of {lo}..{hi} on {axis:?} at {pixel}"
                        );
                    }
                }
                assert!(ruler.ticks(12.0).major.len() >= 2, "{lo}..{hi} on {axis:?}: {ruler:?}");
            }
        }
    }

    #[test]
    fn property_bad_limits_are_refused() {
        let bad = [
            (1.0, 1.0),
            (2.0, 1.0),
            (f64::NAN, 1.0),
            (0.0, f64::INFINITY),
            (1.0, 1.0 + 1e-15),
            (0.0, 1e-305),
        ];
        for (min, max) in bad {
            for axis in [Axis::linear("x", ""), Axis::log("x", "")] {
                let result =
                    Ruler::new(&axis.within(min, max), std::iter::empty(), Direction::Up, 100.0);
                assert!(matches!(result, Err(FigureError::Limits { .. })), "{min}..{max}");
            }
        }
        let zero = Ruler::new(
            &Axis::log("x", "").within(0.0, 1.0),
            std::iter::empty(),
            Direction::Up,
            100.0,
        );
        assert!(zero.unwrap_err().to_string().contains("positive"));
    }

    #[test]
    fn exact_caption_joins_unit_and_power() {
        assert_eq!(caption(&Axis::linear("F", "kN"), 0), "F (kN)");
        assert_eq!(caption(&Axis::linear("F", "kN"), 3), "F (10^{3} kN)");
        assert_eq!(caption(&Axis::linear("n", ""), -6), "n (10^{-6})");
        assert_eq!(caption(&Axis::linear("n", ""), 0), "n");
    }
}
