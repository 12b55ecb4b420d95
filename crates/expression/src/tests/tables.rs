//! Tables: interpolation, derivatives, edges, bounds.

use std::sync::Arc;

use proptest::prelude::*;

use super::{close, differences};
use crate::units::Dimension;
use crate::{
    Curve, Expression, Interval, Jet, JetInterval, Outside, Scope, Side, Spline, Surface,
    TableError,
};

const HOLD: Spline = Spline::NotAKnot { outside: Outside::Hold };
const EXTEND: Spline = Spline::NotAKnot { outside: Outside::Extend };
const ZERO: Spline = Spline::NotAKnot { outside: Outside::Zero };

const XS: [f64; 5] = [-1.0, 0.0, 0.7, 1.5, 3.0];
const YS: [f64; 4] = [0.0, 0.5, 2.0, 2.5];

/// A polynomial of the third degree in both inputs, which the spline reproduces.
fn polynomial(x: f64, y: f64) -> f64 {
    (1.0 - 2.0 * x + x * x * x) * (3.0 + y - 0.5 * y * y * y) + x * y
}

fn grid(f: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    XS.iter().flat_map(|&x| YS.map(|y| f(x, y))).collect()
}

fn surface(splines: [Spline; 2]) -> Surface {
    Surface::new(&XS, &YS, &grid(polynomial), splines).unwrap()
}

fn of_xy(source: &str, splines: [Spline; 2]) -> Expression {
    let line = Curve::new(&XS, &XS.map(|x| x * x * x - x), splines[0]).unwrap();
    Scope::of(&["x", "y"])
        .surface("f", Arc::new(surface(splines)), [Dimension::Number; 3])
        .curve("g", Arc::new(line), [Dimension::Number; 2])
        .parse(source)
        .unwrap()
}

#[test]
fn exact_a_surface_reproduces_products_of_cubics() {
    let table = surface([HOLD; 2]);
    for (x, y) in [(-1.0, 0.0), (-0.4, 0.3), (0.9, 1.3), (2.9, 2.4), (0.7, 2.0)] {
        let found = table.at(x, y);
        assert!((found.value - polynomial(x, y)).abs() < 1e-12, "{x}, {y}: {found:?}");
        let cubic = 3.0 + y - 0.5 * y * y * y;
        let expected = [
            (found.x, (3.0 * x * x - 2.0) * cubic + y),
            (found.y, (1.0 - 2.0 * x + x * x * x) * (1.0 - 1.5 * y * y) + x),
            (found.xx, 6.0 * x * cubic),
            (found.xy, (3.0 * x * x - 2.0) * (1.0 - 1.5 * y * y) + 1.0),
            (found.yy, (1.0 - 2.0 * x + x * x * x) * -3.0 * y),
        ];
        for (found, judge) in expected {
            assert!(close(found, judge, 1e-11), "{x}, {y}: {found} {judge}");
        }
    }
}

#[test]
fn exact_outside_each_input_follows_its_own_rule() {
    let table = surface([HOLD, EXTEND]);
    assert_eq!(table.at(9.0, 1.0).value, table.at(3.0, 1.0).value);
    assert_eq!((table.at(9.0, 1.0).x, table.at(9.0, 1.0).xx), (0.0, 0.0));
    let (edge, beyond) = (table.at(1.0, 2.5 - 1e-12), table.at(1.0, 4.5));
    assert!(close(beyond.value, edge.value + 2.0 * edge.y, 1e-9));
    assert!(close(beyond.y, edge.y, 1e-9) && beyond.yy == 0.0);
    assert_eq!(surface([HOLD, ZERO]).at(1.0, 7.0).value, 0.0);
    assert_eq!(surface([ZERO, HOLD]).at(-7.0, 1.0).value, 0.0);
}

#[test]
fn exact_a_periodic_input_repeats() {
    let turn = std::f64::consts::TAU;
    let angles: Vec<f64> = (0..=48).map(|k| turn * f64::from(k) / 48.0).collect();
    let wave = |angle: f64| libm::sin(angle);
    let mut values: Vec<f64> =
        angles.iter().flat_map(|&angle| YS.map(|y| wave(angle) * (1.0 + y))).collect();
    let last = values.len() - YS.len();
    values.copy_within(..YS.len(), last);
    let table = Surface::new(&angles, &YS, &values, [Spline::Periodic, HOLD]).unwrap();
    for angle in [0.3, 1.9, 4.4, 6.1] {
        let here = table.at(angle, 1.0);
        assert!(close(here.value, 2.0 * libm::sin(angle), 1e-5), "{angle}: {here:?}");
        assert!(close(here.xy, libm::cos(angle), 1e-4), "{angle}: {here:?}");
        let later = table.at(angle + 3.0 * turn, 1.0);
        assert!(close(later.value, here.value, 1e-12) && close(later.x, here.x, 1e-12));
    }
    values[0] += 1.0;
    let wrong = Surface::new(&angles, &YS, &values, [Spline::Periodic, HOLD]).unwrap_err();
    assert!(matches!(wrong, TableError::NotPeriodic { .. }), "{wrong}");
}

#[test]
fn exact_a_surface_that_depends_on_one_input_is_a_curve() {
    let values = XS.map(|x| libm::exp(-x * x));
    let curve = Curve::new(&XS, &values, EXTEND).unwrap();
    let table = Surface::new(&XS, &YS, &grid(|x, _| libm::exp(-x * x)), [EXTEND; 2]).unwrap();
    for x in [-2.0, -0.3, 0.7, 1.1, 2.9, 5.0] {
        let (one, two) = (curve.jet(x, Side::After), table.at(x, 1.2));
        assert!(close(one.value, two.value, 1e-14) && close(one.first, two.x, 1e-14));
        assert!(close(one.second, two.xx, 1e-13) && two.y.abs() < 1e-14);
    }
}

#[test]
fn exact_wrong_grids_are_refused() {
    let new = |xs: &[f64], ys: &[f64], values: &[f64]| Surface::new(xs, ys, values, [HOLD; 2]);
    let fine = grid(polynomial);
    assert_eq!(new(&XS, &YS, &fine[1..]), Err(TableError::Lengths { inputs: 20, values: 19 }));
    assert!(matches!(new(&XS, &YS[..3], &fine[..15]), Err(TableError::TooFew { count: 3, .. })));
    let falling = [0.0, 0.5, 0.5, 2.5];
    let wrong = TableError::NotIncreasing { index: 2, previous: 0.5, input: 0.5 };
    assert_eq!(new(&XS, &falling, &fine), Err(wrong));
    let mut infinite = fine.clone();
    infinite[3] = f64::INFINITY;
    let wrong = TableError::ValueNotFinite { index: 3, value: f64::INFINITY };
    assert_eq!(new(&XS, &YS, &infinite), Err(wrong));
    let steep: Vec<f64> = fine.iter().map(|value| value * 1e308).collect();
    assert!(new(&XS, &YS, &steep).is_err());
}

#[test]
fn property_no_number_stays_no_number() {
    for splines in [[HOLD, EXTEND], [ZERO, HOLD]] {
        for source in ["f(x, y)", "f(y, x)", "g(x)"] {
            assert!(of_xy(source, splines).eval(&[f64::NAN, 1.0]).is_nan(), "{source}");
        }
    }
    let wave = Curve::new(&YS, &[0.0, 1.0, -1.0, 0.0], Spline::Periodic).unwrap();
    assert!(wave.jet(f64::NAN, Side::After).value.is_nan());
    assert!(wave.jet(f64::INFINITY, Side::Before).value.is_nan());
}

/// Bounds over a stretch hold values and derivatives inside it, and get tight with it.
fn check_bounds(expression: &Expression, line: impl Fn(f64) -> [f64; 2], span: [f64; 2]) {
    let [low, high] = span;
    for pieces in [1_u32, 7, 40, 2000] {
        let width = (high - low) / f64::from(pieces);
        for piece in 0..pieces {
            let from = low + width * f64::from(piece);
            let slopes = {
                let [a, b] = [line(low), line(high)];
                [(b[0] - a[0]) / (high - low), (b[1] - a[1]) / (high - low)]
            };
            let ends = [line(from), line(from + width)];
            let stretch = |k: usize| JetInterval {
                value: Interval::hull(ends[0][k], ends[1][k]),
                first: Interval::point(slopes[k]),
                second: Interval::point(0.0),
            };
            let bounds = expression.eval_interval(&[stretch(0), stretch(1)]);
            for k in 0..=4 {
                let [x, y] = line(from + width * f64::from(k) / 4.0);
                let jet = expression.eval_jet(&[
                    Jet { value: x, first: slopes[0], second: 0.0 },
                    Jet { value: y, first: slopes[1], second: 0.0 },
                ]);
                let within = |bounds: Interval, value: f64| {
                    let room = 1e-9 * (1.0 + value.abs());
                    bounds.low - room <= value && value <= bounds.high + room
                };
                // The ends of a stretch are the ends of a piece, where the second derivative may be that of the next.
                let inner = (1..4).contains(&k);
                let all = within(bounds.value, jet.value)
                    && (!inner || within(bounds.first, jet.first))
                    && (!inner || within(bounds.second, jet.second));
                assert!(all, "{expression} at {x}, {y} of {ends:?}: {jet:?}, {bounds:?}");
            }
            // Short stretches have narrow bounds: what the slope explains, and little beside values of some tens.
            let Interval { low, high } = bounds.value;
            let steepest = bounds.first.low.abs().max(bounds.first.high.abs());
            if pieces == 2000 && high.is_finite() {
                assert!(high - low < 0.5 + 2.0 * steepest * width, "{expression}: {bounds:?}");
            }
        }
    }
}

#[test]
fn property_bounds_of_tables_hold_what_they_bound() {
    for splines in [[EXTEND; 2], [HOLD; 2], [EXTEND, ZERO]] {
        for source in ["g(x)", "f(x, y)", "f(x, 1 + 0.5*sin(y)) - g(x)^2/5"] {
            let expression = of_xy(source, splines);
            check_bounds(&expression, |s| [s, 0.4 + 0.5 * s], [-1.7, 3.5]);
            check_bounds(&expression, |s| [1.0 - s, 1.2], [-1.7, 3.5]);
        }
    }
    let wave = Curve::new(&YS, &[0.0, 1.0, -1.0, 0.0], Spline::Periodic).unwrap();
    let scope = Scope::of(&["x", "y"]).curve("wave", Arc::new(wave), [Dimension::Number; 2]);
    check_bounds(&scope.parse("wave(x) + wave(y)").unwrap(), |s| [s, -2.0 * s], [-6.0, 6.0]);
}

#[test]
fn property_nothing_is_known_where_a_table_stops() {
    let over = |splines, from, to| {
        let x = JetInterval::variable([from, to]);
        of_xy("f(x, y)", splines).eval_interval(&[x, JetInterval::constant(1.0)]).second
    };
    assert_eq!(over([HOLD; 2], 2.0, 4.0), Interval::ENTIRE);
    assert_ne!(over([EXTEND; 2], 2.0, 4.0), Interval::ENTIRE);
    assert_ne!(over([HOLD; 2], 3.0, 4.0), Interval::ENTIRE);
}

proptest! {
    /// Derivatives of random tables against differences, between the points and outside.
    #[test]
    fn property_derivatives_of_tables_equal_differences(
        values in prop::collection::vec(-2.0..2.0_f64, 20),
        x in -0.95..2.95_f64, y in 0.05..2.45_f64, angle in 0.0..6.3_f64,
    ) {
        let table = Surface::new(&XS, &YS, &values, [EXTEND; 2]).unwrap();
        let scope = Scope::of(&["x", "y"]).surface("f", Arc::new(table), [Dimension::Number; 3]);
        let expression = scope.parse("f(x, y)*sin(x)").unwrap();
        let (u, v) = f64::sin_cos(angle);
        let jet = expression.eval_jet(&[
            Jet { value: x, first: u, second: 0.0 },
            Jet { value: y, first: v, second: 0.0 },
        ]);
        // Differences do not look across a point of the table, where the third derivative jumps.
        let near = |knots: &[f64], at: f64| knots.iter().any(|knot| (knot - at).abs() < 0.02);
        if !near(&XS, x) && !near(&YS, y) {
            let line = |s: f64| expression.eval(&[x + s * u, y + s * v]);
            let (first, second) = differences(line, 4e-3);
            prop_assert!(close(jet.first, first, 1e-8), "{jet:?} {first}");
            prop_assert!(close(jet.second, second, 1e-6), "{jet:?} {second}");
        }
    }

    /// A surface goes through its points, and is twice smooth across them.
    #[test]
    fn property_a_surface_goes_through_its_points_smoothly(
        values in prop::collection::vec(-2.0..2.0_f64, 20), column in 1_usize..4, row in 1_usize..3,
    ) {
        let table = Surface::new(&XS, &YS, &values, [HOLD; 2]).unwrap();
        let (x, y) = (XS[column], YS[row]);
        prop_assert!(close(table.at(x, y).value, values[column * YS.len() + row], 1e-13));
        let (left, right) = (table.at(x - 1e-9, y + 0.1), table.at(x + 1e-9, y + 0.1));
        for (a, b) in [(left.value, right.value), (left.x, right.x), (left.xx, right.xx), (left.xy, right.xy)] {
            prop_assert!(close(a, b, 1e-5), "{left:?} {right:?}");
        }
    }
}
