//! Bounds of values and derivatives over stretches.

use super::parse;
use crate::{Interval, Jet, JetInterval};

/// Values and derivatives at points lie within the bounds of every stretch around them, and bounds of short stretches are
/// tight.
#[test]
fn property_bounds_hold_what_they_bound() {
    for (source, low, high) in [
        ("sin(3*x) - cos(x)", -9.0, 9.0),
        ("tan(x)", -1.4, 1.4),
        ("asin(x)*acos(x)", -0.9, 0.9),
        ("atan(5*x)", -3.0, 3.0),
        ("sinh(x)*cosh(x)", -2.0, 2.0),
        ("tanh(4*x)", -2.0, 2.0),
        ("exp(-(x/0.1)^2)", -2.0, 2.0),
        ("ln(x) + log10(x)", 0.1, 4.0),
        ("sqrt(x)/cbrt(x - 9)", 0.1, 4.0),
        ("abs(x)^3 - x", -2.0, 2.0),
        ("x^1.5 + x^-3 + x^1.094 + x^-0.3", 0.3, 4.0),
        ("x^5 - 3*x^2 + 1", -2.0, 2.0),
        ("x^x + 2^x", 0.2, 2.0),
        ("atan2(x, 2) + atan2(2, x) + atan2(-2, x)", -2.0, 2.0),
        ("min(x, 0.3)*max(x, -0.4)", -1.0, 1.0),
        ("clamp(x, -0.5, 0.5)^2 + step(x - 0.1) + sign(x)", -1.0, 1.0),
        ("if(x < 0, x^2, 1 - x)/(2 + if(x >= 0.5, x, 0.5))", -2.0, 2.0),
        ("-x/(1 + x^2)", -3.0, 3.0),
    ] {
        let expression = parse(source);
        let within = |bounds: Interval, value: f64| {
            let room = 1e-12 * value.abs().max(1.0);
            bounds.low - room <= value && value <= bounds.high + room
        };
        let mut loose: f64 = 0.0;
        for pieces in [1_u32, 3, 10, 100, 10_000] {
            let width = (high - low) / f64::from(pieces);
            for piece in 0..pieces {
                let from = low + width * f64::from(piece);
                let stretch = JetInterval::variable([from, from + width]);
                let bounds = expression.eval_interval(&[stretch]);
                for k in 1..=3 {
                    let x = from + width * f64::from(k) / 4.0;
                    let jet = expression.eval_jet(&[Jet::variable(x)]);
                    let all = within(bounds.value, jet.value)
                        && within(bounds.first, jet.first)
                        && within(bounds.second, jet.second);
                    assert!(all, "{source} at {x} of {stretch:?}: {jet:?}, {bounds:?}");
                }
                let size = bounds.value.high - bounds.value.low;
                if pieces == 10_000 && size.is_finite() {
                    loose = loose.max(size);
                }
            }
        }
        assert!(loose < 0.5, "{source}: {loose}");
    }
}

#[test]
fn property_nothing_is_known_across_jumps_and_poles() {
    for source in ["1/x", "ln(x)", "sqrt(x - 0.5)", "abs(x)", "step(x)", "sign(x)", "tan(2*x)"] {
        let bounds = parse(source).eval_interval(&[JetInterval::variable([-1.0, 1.0])]);
        assert_eq!(bounds.second, Interval::ENTIRE, "{source}");
    }
}
