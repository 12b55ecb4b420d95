//! Tables: splines against closed forms, orders and `SciPy`.

use std::f64::consts::TAU;

use jointplay_expression::Jet;
use jointplay_mbd::signal::{Outside, Signal, Spline};
use proptest::prelude::*;

use super::{NATURAL, NOT_A_KNOT, assert_jet, close, example, inside, linspace};

proptest! {
    #[test]
    fn exact_not_a_knot_spline_is_the_cubic(
        gaps in prop::collection::vec(0.05..1.0_f64, 3..12),
        start in -2.0..2.0_f64,
        c in prop::array::uniform4(-3.0..3.0_f64),
    ) {
        let times: Vec<f64> = std::iter::once(start)
            .chain(gaps.iter().scan(start, |t, gap| { *t += gap; Some(*t) }))
            .collect();
        let cubic = |t: f64| c[0] + c[1] * t + c[2] * t.powi(2) + c[3] * t.powi(3);
        let values: Vec<f64> = times.iter().map(|&t| cubic(t)).collect();
        let signal = Signal::table(&times, &values, NOT_A_KNOT).unwrap();
        let end = times[times.len() - 1];
        let scale = 1.0 + values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        for t in linspace(start, end, 50) {
            let jet = inside(&signal, t, start);
            let slope = c[1] + 2.0 * c[2] * t + 3.0 * c[3] * t.powi(2);
            let bend = 2.0 * c[2] + 6.0 * c[3] * t;
            // gaps down to 0.05: the rounding of a value is divided by h and by h², and a short
            // gap next to a long one at the end adds a factor of up to 20
            prop_assert!((jet.value - cubic(t)).abs() < 1e-13 * scale, "{jet:?}");
            prop_assert!((jet.first - slope).abs() < 1e-11 * scale, "{jet:?} {slope}");
            prop_assert!((jet.second - bend).abs() < 1e-9 * scale, "{jet:?} {bend}");
        }
    }

    #[test]
    fn property_spline_is_twice_continuously_differentiable(
        rows in prop::collection::vec((0.05..1.0_f64, -3.0..3.0_f64), 4..30),
        periods in -3_i32..4,
    ) {
        let times: Vec<f64> =
            rows.iter().scan(0.0, |t, row| { *t += row.0; Some(*t) }).collect();
        let mut values: Vec<f64> = rows.iter().map(|row| row.1).collect();
        let last = values.len() - 1;
        values[last] = values[0];
        for spline in [NOT_A_KNOT, NATURAL, Spline::Periodic] {
            let signal = Signal::table(&times, &values, spline).unwrap();
            for (&t, &value) in times.iter().zip(&values).take(last).skip(1) {
                let (before, at) = (signal.before(t), signal.at(t));
                prop_assert_eq!(at.value, value);
                prop_assert!(close(before.value, value, 1e-12), "{:?} {}", before, value);
                prop_assert!(close(before.first, at.first, 1e-10), "{:?} {:?}", before, at);
                prop_assert!(close(before.second, at.second, 1e-9), "{:?} {:?}", before, at);
            }
            if spline == NATURAL {
                prop_assert!(close(signal.at(times[0]).second, 0.0, 1e-9));
                prop_assert!(close(signal.before(times[last]).second, 0.0, 1e-9));
            }
            if spline == Spline::Periodic {
                let end = signal.before(times[last]);
                let start = signal.at(times[0]);
                prop_assert!(close(end.value, start.value, 1e-12));
                prop_assert!(close(end.first, start.first, 1e-10));
                prop_assert!(close(end.second, start.second, 1e-9));
                prop_assert_eq!(signal.before(times[0]), start);
                prop_assert_eq!(signal.at(times[last]), start);
                let period = times[last] - times[0];
                for t in linspace(times[0], times[last], 17) {
                    let elsewhere = signal.at(t + f64::from(periods) * period);
                    prop_assert!(close(elsewhere.value, signal.value(t), 1e-11));
                }
            }
        }
    }
}

#[test]
fn exact_natural_spline_of_two_points_is_a_line() {
    let line = Signal::table(&[1.0, 3.0], &[2.0, 8.0], NATURAL).unwrap();
    assert_eq!(line.at(2.0), Jet { value: 5.0, first: 3.0, second: 0.0 });
}

/// Largest errors of value, rate and acceleration of the spline of sin over [a, b].
fn errors(spline: Spline, a: f64, b: f64, intervals: usize) -> [f64; 3] {
    let times = linspace(a, b, intervals);
    let mut values: Vec<f64> = times.iter().map(|t| t.sin()).collect();
    if spline == Spline::Periodic {
        values[intervals] = values[0];
    }
    let signal = Signal::table(&times, &values, spline).unwrap();
    linspace(a, b, 37 * intervals).iter().fold([0.0_f64; 3], |worst, &t| {
        let jet = inside(&signal, t, a);
        let error = [jet.value - t.sin(), jet.first - t.cos(), jet.second + t.sin()];
        [0, 1, 2].map(|k| worst[k].max(error[k].abs()))
    })
}

#[test]
fn order_of_splines_of_sine() {
    // sin″ vanishes at 0 and 2π, as the natural spline asks
    for (spline, a, b) in
        [(NOT_A_KNOT, 0.3, 5.0), (NATURAL, 0.0, TAU), (Spline::Periodic, 0.0, TAU)]
    {
        let (coarse, fine) = (errors(spline, a, b, 64), errors(spline, a, b, 128));
        for (derivative, expected) in [(0, 4.0), (1, 3.0), (2, 2.0)] {
            let order = (coarse[derivative] / fine[derivative]).log2();
            assert!(
                (order - expected).abs() < 0.2,
                "{spline:?}: derivative {derivative} has order {order}"
            );
        }
    }
}

#[test]
fn peer_scipy_cubic_spline() {
    // SciPy 1.17.1: scipy.interpolate.CubicSpline(bc_type=name), called with
    // (t, 0), (t, 1), (t, 2); both are correct to some 1e-14
    #[rustfmt::skip]
    let rows = [
        (NOT_A_KNOT, 0.05, [1.2717204967108944, 13.724730849778865, -417.3763973687153]),
        (NOT_A_KNOT, 0.25, [-0.25, -8.537629413349599, 194.75279473743086]),
        (NOT_A_KNOT, 0.5, [1.2634110744102012, 10.892092377442754, -39.315020411092036]),
        (NOT_A_KNOT, 0.66, [1.9378042414223813, -3.67999160149206, -65.69870802467028]),
        (NOT_A_KNOT, 1.9, [-1.7428820007121213, 14.612365921091804, 54.242626834604636]),
        (NATURAL, 0.05, [0.9903704185527454, 16.6024694570183, -192.29633484219627]),
        (NATURAL, 0.5, [1.204693550000909, 11.574787154269373, -38.58229402279903]),
        (NATURAL, 1.9, [-0.8243612324994205, 8.078699906690867, 4.947372549099889]),
        (Spline::Periodic, 0.05, [0.9621628464690619, 16.892219851794053, -169.73027717524946]),
        (Spline::Periodic, 0.5, [1.2042981335450391, 11.627665118504233, -39.15672629232529]),
        (Spline::Periodic, 1.9, [-1.6930192921428704, 14.2532357059392, 51.640663944666166]),
    ];
    for (spline, t, jet) in rows {
        assert_jet(example(spline).at(t), jet, 1e-13);
    }
    let [value, first, second] = rows[10].2;
    assert_jet(example(Spline::Periodic).at(1.9 - 6.0), [value, first, second], 1e-13);
}

#[test]
fn exact_outside_of_a_table() {
    let hold = example(NOT_A_KNOT);
    let extend = example(Spline::NotAKnot { outside: Outside::Extend });
    let zero = example(Spline::NotAKnot { outside: Outside::Zero });
    assert_eq!(Spline::default(), NOT_A_KNOT);
    let (first, last) = (hold.at(0.0), hold.before(2.0));
    assert_eq!(hold.at(-1.0), Jet::constant(0.0));
    assert_eq!(hold.at(2.0), Jet::constant(0.0));
    assert_eq!(zero.at(-1.0), Jet::default());
    assert_eq!(zero.at(2.0), Jet::default());
    assert_eq!(extend.at(-3.0), Jet { value: -3.0 * first.first, first: first.first, second: 0.0 });
    assert_jet(extend.at(2.5), [0.5 * last.first, last.first, 0.0], 1e-13);
    for signal in [&hold, &extend, &zero] {
        assert_eq!(signal.at(0.0), first);
        assert_eq!(signal.before(2.0), last);
        assert_eq!(signal.breaks(), [0.0, 2.0]);
    }

    // where the ends are not zero, holding and vanishing differ
    let table = |outside| {
        let spline = Spline::Natural { outside };
        Signal::table(&[1.0, 2.0], &[5.0, 7.0], spline).unwrap()
    };
    assert_eq!(table(Outside::Hold).value(0.0), 5.0);
    assert_eq!(table(Outside::Hold).value(3.0), 7.0);
    assert_eq!(table(Outside::Extend).value(0.0), 3.0);
    assert_eq!(table(Outside::Extend).value(3.0), 9.0);
    assert_eq!(table(Outside::Zero).value(0.0), 0.0);
    assert_eq!(table(Outside::Zero).value(3.0), 0.0);
}
