//! Detects jumps of a formula within a time interval.
//!
//! Over a short interval the rise of a smooth function follows from its derivatives. A jump is the
//! unexplained rise that remains when the interval is as short as the resolution of time: a
//! function may be arbitrarily steep if it is resolved.

use jointplay_expression::{Expression, Jet};

/// Jumps below this fraction of the value are ignored.
const OF_VALUE: f64 = 1e-9;

/// Jumps of the rate below this fraction of it are ignored.
const OF_RATE: f64 = 1e-3;

/// As are those below this many times the rounding.
const ROUNDINGS: f64 = 256.0;

/// In intervals of this many times the resolution of time a jump is the same.
const AROUND: [f64; 4] = [8.0, 64.0, 512.0, 4096.0];

/// A jump of a signal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Jump {
    /// When (s).
    pub(crate) t: f64,
    /// How far.
    pub(crate) size: f64,
    /// Whether it is the rate that jumps.
    pub(crate) of_rate: bool,
}

/// A function with its derivatives at both ends of an interval.
type Ends = [(f64, Jet); 2];

/// The part of the rise of the value that its derivatives do not explain: h(ṡ₀ + ṡ₁)/2 − h²(s̈₁ −
/// s̈₀)/12, which is exact up to degree 4.
fn excess_of_value([(from, a), (to, b)]: Ends) -> f64 {
    let h = to - from;
    b.value - a.value - 0.5 * h * (a.first + b.first) + h * h / 12.0 * (b.second - a.second)
}

/// The same of the rate, h(s̈₀ + s̈₁)/2.
fn excess_of_rate([(from, a), (to, b)]: Ends) -> f64 {
    b.first - a.first - 0.5 * (to - from) * (a.second + b.second)
}

/// A jump of the value of the formula, or else of its rate.
pub(super) fn between(expression: &Expression, from: f64, to: f64) -> Option<Jump> {
    let at = |t: f64| (t, expression.eval_jet(&[Jet::variable(t)]));
    let ends = [at(from), at(to)];
    let rounding = [from, to].map(|t| expression.rounding(&[t]));
    let rounding = ROUNDINGS * rounding[0].max(rounding[1]);
    // The rounding of time is one of the value and of the rate.
    let resolution = ROUNDINGS * f64::EPSILON * from.abs().max(to.abs());
    let value = |ends: Ends| {
        let [value, first] = greatest(ends, |s| [s.value, s.first]);
        OF_VALUE * value + resolution * first + rounding
    };
    let rate = |ends: Ends| {
        let [first, second] = greatest(ends, |s| [s.first, s.second]);
        OF_RATE * first + resolution * second
    };
    let of = |found: Option<(f64, f64)>, of_rate| found.map(|(t, size)| Jump { t, size, of_rate });
    let jump = of(persistent(ends, value, at, excess_of_value), false);
    jump.or_else(|| of(persistent(ends, rate, at, excess_of_rate), true))
}

/// The greatest magnitudes at both ends.
fn greatest([(_, a), (_, b)]: Ends, of: fn(&Jet) -> [f64; 2]) -> [f64; 2] {
    let (a, b) = (of(&a), of(&b));
    std::array::from_fn(|i| a[i].abs().max(b[i].abs()))
}

/// The place and size of the rise that its derivatives do not explain in the shortest interval that
/// time allows, if it exceeds the noise there and over the whole.
fn persistent(
    whole: Ends,
    noise: impl Fn(Ends) -> f64,
    at: impl Fn(f64) -> (f64, Jet),
    excess: impl Fn(Ends) -> f64,
) -> Option<(f64, f64)> {
    let least = noise(whole);
    let mut ends = whole;
    loop {
        let size = excess(ends);
        // The integrator reports values that are not finite.
        if !(size.abs() > least.max(noise(ends)) && size.is_finite()) {
            return None;
        }
        let [a, b] = ends;
        let resolution = f64::EPSILON * a.0.abs().max(b.0.abs());
        if b.0 - a.0 <= 4.0 * resolution {
            // Noise is not the same in longer stretches.
            let alike = |times: &f64| {
                let half = times * resolution;
                let size_around = excess([at(a.0 - half), at(b.0 + half)]);
                (size_around - size).abs() <= 0.5 * size.abs()
            };
            return AROUND.iter().all(alike).then_some((b.0, size));
        }
        // Between the pieces there may be no derivative.
        let middle = [0.5, 0.37].map(|part| at(a.0 + part * (b.0 - a.0)));
        let middle = if middle[0].1.is_finite() { middle[0] } else { middle[1] };
        let halves = [[a, middle], [middle, b]];
        let [first, second] = halves.map(|half| excess(half).abs());
        ends = if first >= second { halves[0] } else { halves[1] };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Signal;

    fn jump(source: &str, from: f64, to: f64) -> Option<Jump> {
        Signal::expression(source).expect("a formula").jump(from, to)
    }

    #[test]
    fn exact_jumps_are_found_where_they_are() {
        use std::f64::consts::PI;
        for (source, t, size, of_rate) in [
            ("(-0.1)*atan2(sin(3*t),cos(3*t))", PI / 3.0, 0.2 * PI, false),
            ("0.1*atan(tan(3*t))", PI / 6.0, -0.1 * PI, false),
            ("100 + 1e-4*atan(1/(t-1))", 1.0, 1e-4 * PI, false),
            ("0.01*sqrt((t-1)^2)", 1.0, 0.02, true),
        ] {
            for h in [1e-1, 1e-4, 1e-9] {
                let found = jump(source, t - 0.3 * h, t + 0.7 * h).expect("a jump");
                assert!((found.t - t).abs() < 1e-14, "{source}: {found:?}");
                assert!((found.size / size - 1.0).abs() < 1e-6, "{source}: {found:?}");
                assert_eq!(found.of_rate, of_rate, "{source}");
                assert_eq!(jump(source, t + 0.1 * h, t + h), None, "{source}");
            }
        }
    }

    /// However steep or noisy.
    #[test]
    fn property_smooth_functions_do_not_jump() {
        for source in [
            "0.1*sin(2*pi*5*t)/(1 + 0.5*cos(t))",
            "1/(1 + exp(-1e9*(t - 1)))",
            "tanh(1e12*(t - 1))/3 + sqrt(1 + t^2)",
            "atan2(sin(t), 2 + cos(t))",
            "(1e8 + sin(1e6*t))/7 - 1e8/7",
            "asin(0.999999*sin(1e3*t))",
            "sqrt(1e-12 + (t - 1)^2)",
            "tan(t - 1)^3 + t^2.5",
            "sqrt(1 - 0.9999999999*cos(t - 1))",
        ] {
            for h in [1e-9, 1e-6, 1e-3, 0.1] {
                for start in [0.4, 1.0 - 0.5 * h, 1.0 - 0.123 * h, 1.0] {
                    assert_eq!(jump(source, start, start + h), None, "{source} {start} {h}");
                }
            }
        }
    }
}
