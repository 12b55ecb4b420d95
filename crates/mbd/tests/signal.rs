//! Signals against closed forms, against differences and against `SciPy`.

use std::error::Error;
use std::f64::consts::{PI, TAU};

use jointplay_expression::units::Dimension;
use jointplay_expression::{Expression, Jet, Scope};
use jointplay_mbd::signal::{
    CsvProblem, HalfSine, Harmonic, Outside, Signal, SignalError, SmoothStep, Spline,
};
use proptest::prelude::*;

use crate::allocations::allocations;

const HOLD: Outside = Outside::Hold;
const NOT_A_KNOT: Spline = Spline::NotAKnot { outside: HOLD };
const NATURAL: Spline = Spline::Natural { outside: HOLD };

/// Points whose spacing varies by six and whose values swing; the last value equals the first.
const TIMES: [f64; 7] = [0.0, 0.1, 0.25, 0.6, 0.7, 1.3, 2.0];
const VALUES: [f64; 7] = [0.0, 1.5, -0.25, 2.0, 1.75, -3.0, 0.0];

fn example(spline: Spline) -> Signal {
    Signal::table(&TIMES, &VALUES, spline).unwrap()
}

fn step(start: f64, end: f64, from: f64, to: f64) -> Signal {
    Signal::smooth_step(SmoothStep { start, end, from, to }).unwrap()
}

fn pulse(amplitude: f64, start: f64, duration: f64) -> Signal {
    Signal::half_sine(HalfSine { amplitude, start, duration }).unwrap()
}

/// One signal of each kind.
fn zoo() -> Vec<Signal> {
    let extended = Spline::NotAKnot { outside: Outside::Extend };
    vec![
        Signal::constant(-2.5).unwrap(),
        Signal::rate(0.3, 52.4).unwrap(),
        Signal::polynomial(&[1.0, -2.0, 0.5, 3.0, -0.25]).unwrap(),
        Signal::harmonic(Harmonic {
            offset: 1.0,
            amplitude: -3.0,
            angular_frequency: 4.0,
            phase: 0.7,
        })
        .unwrap(),
        step(0.2, 1.1, 2.0, -1.0),
        pulse(7.0, 0.4, 0.9),
        example(NOT_A_KNOT),
        example(Spline::Natural { outside: Outside::Zero }),
        example(extended),
        example(Spline::Periodic),
        Signal::expression("sin(3*t)*exp(-t) + t^3").unwrap(),
        example(extended).scaled(-1e-3).unwrap(),
        Signal::sum([pulse(7.0, 0.4, 0.9), step(0.2, 0.9, 0.0, 1.0), example(NATURAL)]),
    ]
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

fn assert_jet(jet: Jet, [value, first, second]: [f64; 3], tolerance: f64) {
    assert!(close(jet.value, value, tolerance), "{jet:?}: value instead of {value}");
    assert!(close(jet.first, first, tolerance), "{jet:?}: first instead of {first}");
    assert!(close(jet.second, second, tolerance), "{jet:?}: second instead of {second}");
}

fn linspace(a: f64, b: f64, intervals: usize) -> Vec<f64> {
    let share = |k: usize| k as f64 / intervals as f64;
    (0..=intervals).map(|k| a * (1.0 - share(k)) + b * share(k)).collect()
}

/// The signal inside a table that starts at `start`, both ends included.
fn inside(signal: &Signal, t: f64, start: f64) -> Jet {
    if t > start { signal.before(t) } else { signal.at(t) }
}

/// ∫ f over [a, b] by the composite rule of Simpson.
fn integral(f: impl Fn(f64) -> f64, a: f64, b: f64, intervals: usize) -> f64 {
    let h = (b - a) / intervals as f64;
    let piece = |x: f64| h / 6.0 * (f(x) + 4.0 * f(x + 0.5 * h) + f(x + h));
    (0..intervals).map(|k| piece(a + h * k as f64)).sum()
}

// ---- elementary kinds

#[test]
fn exact_polynomials() {
    let constant = Signal::constant(4.0).unwrap();
    assert_eq!(constant.at(-1e9), Jet { value: 4.0, first: 0.0, second: 0.0 });
    let rate = Signal::rate(1.0, -2.0).unwrap();
    assert_eq!(rate.at(3.0), Jet { value: -5.0, first: -2.0, second: 0.0 });
    // (1 + t)⁴ at t = 2: 81, 4·27, 12·9
    let power = Signal::polynomial(&[1.0, 4.0, 6.0, 4.0, 1.0]).unwrap();
    assert_eq!(power.at(2.0), Jet { value: 81.0, first: 108.0, second: 108.0 });
}

#[test]
fn exact_harmonic_at_quarter_periods() {
    let harmonic = Harmonic { offset: 5.0, amplitude: 2.0, angular_frequency: 10.0, phase: 0.0 };
    let signal = Signal::harmonic(harmonic).unwrap();
    let shifted = Signal::harmonic(Harmonic { phase: PI / 2.0, ..harmonic }).unwrap();
    for (quarter, jet) in [
        (0.0, [5.0, 20.0, 0.0]),
        (1.0, [7.0, 0.0, -200.0]),
        (2.0, [5.0, -20.0, 0.0]),
        (3.0, [3.0, 0.0, 200.0]),
    ] {
        assert_jet(signal.at(quarter * TAU / 40.0), jet, 1e-13);
        assert_jet(shifted.at((quarter - 1.0) * TAU / 40.0), jet, 1e-13);
    }
}

#[test]
fn exact_smooth_step() {
    // the properties by which the 3-4-5 polynomial is known: ends at rest, y(mid), 15/8, 10/√3
    let (start, end, from, to) = (0.5, 2.5, -1.0, 3.0);
    let signal = step(start, end, from, to);
    assert_eq!(signal.at(start), Jet::constant(from));
    assert_eq!(signal.before(start), Jet::constant(from));
    assert_eq!(signal.at(end), Jet::constant(to));
    assert_jet(signal.before(end), [to, 0.0, 0.0], 1e-14);
    assert_eq!(signal.at(-7.0), Jet::constant(from));
    assert_eq!(signal.at(70.0), Jet::constant(to));
    assert_jet(signal.at(1.5), [1.0, 15.0 / 8.0 * 4.0 / 2.0, 0.0], 1e-15);
    let u = 0.5 - 3.0_f64.sqrt() / 6.0;
    let peak = 10.0 / 3.0_f64.sqrt() * 4.0 / 4.0;
    assert!(close(signal.at(start + 2.0 * u).second, peak, 1e-14));
    for t in linspace(start, end, 1000) {
        assert!(signal.at(t).second.abs() <= peak * (1.0 + 1e-14));
    }
    // the third derivative at the ends is 60 (y₁ − y₀)/(t₁ − t₀)³ = 30
    let h = 1e-6;
    assert!(close(signal.at(start + h).second / h, 30.0, 1e-5));
    assert!(close(-signal.at(end - h).second / h, 30.0, 1e-5));
}

#[test]
fn exact_half_sine_impulse() {
    let (amplitude, start, duration) = (-40.0, 0.25, 0.125);
    let signal = pulse(amplitude, start, duration);
    // Simpson with 200 intervals: (π/200)⁴/2880 relative
    let impulse = integral(|t| signal.value(t), start, start + duration, 200);
    assert!(close(impulse, 2.0 * amplitude * duration / PI, 1e-10));
    let slope = amplitude * PI / duration;
    assert_jet(signal.at(start), [0.0, slope, 0.0], 1e-13);
    assert_eq!(signal.before(start), Jet::default());
    assert_eq!(signal.at(start + duration), Jet::default());
    // π is rounded: 1.2e-16 A π²/T² of the second derivative remains
    assert_jet(signal.before(start + duration), [0.0, -slope, 0.0], 1e-10);
    assert_eq!(signal.value(start + duration / 2.0), amplitude);
}

#[test]
fn exact_expression_is_passed_on() {
    let source = "2 + 3*t - t^2 + sin(t)";
    let signal = Signal::expression(source).unwrap();
    let t = 0.6_f64;
    let jet = [2.0 + 1.8 - 0.36 + t.sin(), 3.0 - 1.2 + t.cos(), -2.0 - t.sin()];
    assert_jet(signal.at(t), jet, 1e-15);
    assert!(signal.breaks().is_empty());
    assert!(Signal::expression("sqrt(t - 1)").unwrap().value(0.0).is_nan());

    // Read elsewhere, with a parameter.
    let scope =
        Scope::new().variable("t", Dimension::Time).parameter("rate", 5.0, Dimension::AngularSpeed);
    let signal = Signal::formula(scope.parse("2 rad + rate*t").unwrap()).unwrap();
    assert_jet(signal.at(t), [5.0, 5.0, 0.0], 0.0);
    let two = Expression::parse("t*x", &["t", "x"]).unwrap();
    assert_eq!(Signal::formula(two), Err(SignalError::Variables { count: 2 }));

    let error = Signal::expression("2*x").unwrap_err();
    let judge = Expression::parse("2*x", &["t"]).unwrap_err();
    assert_eq!(error.to_string(), judge.to_string());
    assert_eq!(error, SignalError::Expression(judge));
}

// ---- splines

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
    // SciPy 1.17.1: scipy.interpolate.CubicSpline(TIMES, VALUES, bc_type=name), called with
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

// ---- every kind

proptest! {
    #[test]
    fn property_derivatives_equal_central_differences(t in -0.5..2.5_f64) {
        let h = 1e-4;
        for signal in zoo() {
            // a quotient across a break, or across a point of a table, judges nothing
            let points = TIMES.iter().flat_map(|point| [point - 2.0, *point, point + 2.0]);
            if signal.breaks().into_iter().chain(points).any(|at| (t - at).abs() < 4.0 * h) {
                continue;
            }
            let at = |k: f64| signal.at(t + k * h);
            let slope = |f: fn(Jet) -> f64| {
                (8.0 * (f(at(1.0)) - f(at(-1.0))) - f(at(2.0)) + f(at(-2.0))) / (12.0 * h)
            };
            let jet = signal.at(t);
            // order 4: rounding 1e-16 · 50/h and, for the fastest kinds, h⁴ ω⁵ ~ 1e-13
            prop_assert!(close(jet.first, slope(|jet| jet.value), 1e-9), "{signal:?} {jet:?}");
            prop_assert!(close(jet.second, slope(|jet| jet.first), 1e-9), "{signal:?} {jet:?}");
        }
    }

    #[test]
    fn property_value_is_that_of_the_jet_and_sides_agree_between_breaks(t in -3.0..5.0_f64) {
        for signal in zoo() {
            prop_assert_eq!(signal.value(t).to_bits(), signal.at(t).value.to_bits());
            if !signal.breaks().contains(&t) {
                prop_assert_eq!(signal.at(t), signal.before(t));
            }
        }
    }

    #[test]
    fn property_any_text_is_a_table_or_refused(
        words in prop::collection::vec(prop::sample::select(vec![
            "0", "1", "-2.5e-1", ",", ",", ";", "\n", "\r\n", "#", "t", "inf", "NaN", " ", "\u{feff}", "\"",
        ]), 0..60)
    ) {
        if let Err(error) = Signal::table_from_csv(&words.concat(), Dimension::Force, NATURAL) {
            prop_assert!(!error.to_string().is_empty());
        }
    }
}

#[test]
fn property_breaks_are_where_the_sides_differ() {
    assert_eq!(step(0.2, 1.1, 2.0, -1.0).breaks(), [0.2, 1.1]);
    assert_eq!(pulse(7.0, 0.5, 0.25).breaks(), [0.5, 0.75]);
    assert_eq!(example(NATURAL).breaks(), [0.0, 2.0]);
    assert!(example(Spline::Periodic).breaks().is_empty());
    assert!(Signal::rate(0.0, 1.0).unwrap().breaks().is_empty());
    assert!(Signal::harmonic(Harmonic::default()).unwrap().breaks().is_empty());
    // of a sum: sorted, each once
    let sum = Signal::sum([pulse(1.0, 2.0, 0.5), example(NATURAL), step(0.25, 2.5, 0.0, 1.0)]);
    assert_eq!(sum.breaks(), [0.0, 0.25, 2.0, 2.5]);
    assert_eq!(sum.scaled(2.0).unwrap().breaks(), [0.0, 0.25, 2.0, 2.5]);

    // a pulse and the end of an extended table: which derivative jumps
    for t in [0.5, 0.75] {
        let (before, at) = (pulse(7.0, 0.5, 0.25).before(t), pulse(7.0, 0.5, 0.25).at(t));
        assert!(close(before.value, at.value, 1e-14));
        assert!(close(at.first - before.first, 7.0 * PI / 0.25, 1e-14));
    }
    let extend = example(Spline::NotAKnot { outside: Outside::Extend });
    for t in [0.0, 2.0] {
        let (before, at) = (extend.before(t), extend.at(t));
        assert!(close(before.value, at.value, 1e-13));
        assert!(close(before.first, at.first, 1e-13));
        assert!((before.second - at.second).abs() > 1.0);
    }
}

#[test]
fn property_sums_and_multiples_are_linear() {
    let t = 0.5;
    let (a, b) = (pulse(7.0, 0.4, 0.9), example(NATURAL));
    let (x, y) = (a.at(t), b.at(t));
    let sum = Signal::sum([a, b.scaled(-2.0).unwrap()]);
    let jet = [x.value - 2.0 * y.value, x.first - 2.0 * y.first, x.second - 2.0 * y.second];
    assert_jet(sum.at(t), jet, 1e-15);
    assert_eq!(Signal::sum([]).at(1.0), Jet::default());
}

#[test]
fn property_evaluation_does_not_allocate() {
    let signals = zoo();
    let before = allocations();
    let mut sum = 0.0;
    for signal in &signals {
        for k in 0..100 {
            let t = f64::from(k) * 0.04 - 1.0;
            sum += signal.at(t).first + signal.before(t).second + signal.value(t);
        }
    }
    assert_eq!(allocations(), before);
    assert!(sum.is_finite());
}

#[test]
fn property_signals_can_be_shared() {
    fn shared<T: Clone + PartialEq + std::fmt::Debug + Send + Sync + 'static>(_: &T) {}
    for signal in zoo() {
        shared(&signal);
        assert_eq!(signal.clone(), signal);
    }
}

// ---- what is refused

#[test]
fn exact_refusals() {
    use SignalError::{
        EntryNotFinite, Interval, Lengths, NotFinite, NotIncreasing, NotPeriodic, NotPositive,
        Overflow, TooFew,
    };
    let fine = SmoothStep { start: 0.0, end: 1.0, from: 0.0, to: 1.0 };
    let shock = HalfSine { amplitude: 1.0, start: 0.0, duration: 1.0 };
    let wave = Harmonic { amplitude: 1.0, ..Harmonic::default() };
    let infinity = f64::INFINITY;
    let table = |times: &[f64], values: &[f64], spline| Signal::table(times, values, spline);
    for (result, error) in [
        (Signal::constant(infinity), NotFinite { quantity: "constant", value: infinity }),
        (Signal::rate(0.0, infinity), NotFinite { quantity: "rate", value: infinity }),
        (Signal::polynomial(&[]), TooFew { quantity: "coefficients", count: 0, least: 1 }),
        (
            Signal::polynomial(&[1.0, infinity]),
            EntryNotFinite { quantity: "coefficient", index: 1, value: infinity },
        ),
        (
            Signal::harmonic(Harmonic { phase: infinity, ..wave }),
            NotFinite { quantity: "phase", value: infinity },
        ),
        (
            Signal::harmonic(Harmonic { angular_frequency: 1e200, ..wave }),
            Overflow { kind: "harmonic" },
        ),
        (Signal::smooth_step(SmoothStep { end: 0.0, ..fine }), Interval { start: 0.0, end: 0.0 }),
        (Signal::smooth_step(SmoothStep { end: 1e-200, ..fine }), Overflow { kind: "smooth step" }),
        (
            Signal::smooth_step(SmoothStep { start: -1e308, end: 1e308, ..fine }),
            Overflow { kind: "smooth step" },
        ),
        (
            Signal::half_sine(HalfSine { start: 1e308, duration: 1e308, ..shock }),
            NotFinite { quantity: "end", value: infinity },
        ),
        (
            Signal::half_sine(HalfSine { duration: -1.0, ..shock }),
            NotPositive { quantity: "duration", value: -1.0 },
        ),
        (Signal::half_sine(HalfSine { start: 1e20, ..shock }), Interval { start: 1e20, end: 1e20 }),
        (
            Signal::half_sine(HalfSine { duration: 1e-200, ..shock }),
            Overflow { kind: "half-sine pulse" },
        ),
        (
            Signal::constant(1.0).unwrap().scaled(infinity),
            NotFinite { quantity: "factor", value: infinity },
        ),
        (table(&[0.0, 1.0], &[0.0], NATURAL), Lengths { times: 2, values: 1 }),
        (
            table(&[0.0, 1.0, 2.0], &[0.0; 3], NOT_A_KNOT),
            TooFew { quantity: "points of a not-a-knot spline", count: 3, least: 4 },
        ),
        (
            table(&[0.0], &[0.0], NATURAL),
            TooFew { quantity: "points of a natural spline", count: 1, least: 2 },
        ),
        (
            table(&[0.0, 1.0, 2.0], &[0.0; 3], Spline::Periodic),
            TooFew { quantity: "points of a periodic spline", count: 3, least: 4 },
        ),
        (
            table(&[0.0, infinity], &[0.0; 2], NATURAL),
            EntryNotFinite { quantity: "time", index: 1, value: infinity },
        ),
        (
            table(&[0.0, 1.0], &[infinity, 0.0], NATURAL),
            EntryNotFinite { quantity: "value", index: 0, value: infinity },
        ),
        (
            table(&[0.0, 1.0, 1.0], &[0.0; 3], NATURAL),
            NotIncreasing { index: 2, previous: 1.0, time: 1.0 },
        ),
        (
            table(&[0.0, 1.0, 2.0, 3.0], &[0.0, 1.0, 2.0, 3.0], Spline::Periodic),
            NotPeriodic { first: 0.0, last: 3.0 },
        ),
        (table(&[0.0, 1e-200], &[0.0, 1e200], NATURAL), Overflow { kind: "table" }),
        (table(&[-1e308, 1e308], &[0.0, 0.0], NATURAL), Overflow { kind: "table" }),
    ] {
        let found = result.unwrap_err();
        assert_eq!(found, error);
        assert!(found.source().is_none());
    }
    assert!(matches!(
        Signal::smooth_step(SmoothStep { to: f64::NAN, ..fine }),
        Err(NotFinite { quantity: "last value", .. })
    ));
}

// ---- text

#[test]
fn exact_csv_with_header_comments_and_blanks() {
    let text = "\u{feff}# bench 4, run 12\r\n\r\n time [s] , force [N]\r\n0, 0\r\n 0.1,1.5 # peak\r\n\r\n.25,-2.5e-1\r\n";
    let read = Signal::table_from_csv(text, Dimension::Force, NATURAL).unwrap();
    assert_eq!(read, Signal::table(&TIMES[..3], &VALUES[..3], NATURAL).unwrap());
    // without a header, and without a last line break
    assert_eq!(
        Signal::table_from_csv("0,0\n0.1,1.5\n0.25,-0.25", Dimension::Force, NATURAL).unwrap(),
        read
    );
}

#[test]
fn exact_csv_problems_are_all_listed() {
    let text = "t,y\n0,1\n0.1;2\n# fine\n0.2,abc\n0.2,1\n0.1,inf\n0.3,\n0.4,1,2\nt,y\n";
    let error = Signal::table_from_csv(text, Dimension::Force, NOT_A_KNOT).unwrap_err();
    let not_a_number =
        |line, column, field: &str| CsvProblem::NotANumber { line, column, field: field.into() };
    let problems = vec![
        CsvProblem::Columns { line: 3, found: 1, separator: Some(';') },
        not_a_number(5, 2, "abc"),
        CsvProblem::NotIncreasing { line: 6, previous: 0.2, time: 0.2 },
        CsvProblem::NotFinite { line: 7, column: 2, value: f64::INFINITY },
        CsvProblem::NotIncreasing { line: 7, previous: 0.2, time: 0.1 },
        not_a_number(8, 2, ""),
        CsvProblem::Columns { line: 9, found: 3, separator: None },
        not_a_number(10, 1, "t"),
        not_a_number(10, 2, "y"),
    ];
    assert_eq!(error, SignalError::Csv { problems });
    assert_eq!(
        error.to_string(),
        "the table cannot be read:
  line 3: 1 column instead of 2; a comma separates time and value, not ';'
  line 5, column 2: `abc` is not a number
  line 6, column 1: 0.2 s follows 0.2 s; the times must increase
  line 7, column 2: inf must be a finite number
  line 7, column 1: 0.1 s follows 0.2 s; the times must increase
  line 8, column 2: `` is not a number
  line 9: 3 columns instead of 2; a comma separates time and value
  line 10, column 1: `t` is not a number
  line 10, column 2: `y` is not a number"
    );
}

#[test]
fn exact_csv_typing_error_in_the_first_line_is_no_header() {
    let error = Signal::table_from_csv("0.O,1\n1,2\n", Dimension::Force, NATURAL).unwrap_err();
    assert!(error.to_string().ends_with("line 1, column 1: `0.O` is not a number"));
}

/// 250 ms are 0.25 s to the last bit, and 2.5 kN are 2500 N.
#[test]
fn exact_csv_units_of_the_header_apply() {
    let plain = Signal::table_from_csv("0,0\n0.1,1500\n0.25,-250\n", Dimension::Force, NATURAL);
    let rows = "0,0\n100,1.5\n250,-0.25\n";
    for header in ["t [ms],F [kN]", "time (ms), F(t) [kN]", "\"t [ms]\",\"pull (kN)\""] {
        let read = Signal::table_from_csv(&format!("{header}\n{rows}"), Dimension::Force, NATURAL);
        assert_eq!(read, plain, "{header}");
    }
    // Names without units mean SI, whatever they are.
    for header in ["t,F", "time_s,F_N", "t/s,x(t)", "time,force in N"] {
        let rows = "0,0\n0.1,1500\n0.25,-250\n";
        let read = Signal::table_from_csv(&format!("{header}\n{rows}"), Dimension::Force, NATURAL);
        assert_eq!(read, plain, "{header}");
    }
    let degrees = Signal::table_from_csv("t,phi [deg]\n0,0\n1,180\n", Dimension::Angle, NATURAL);
    assert_eq!(degrees.unwrap().value(1.0), PI);
}

#[test]
fn exact_csv_headers_that_cannot_be_meant_are_refused() {
    let cases = [
        ("t [ms],F [mm]", "line 1, column 2", "`mm` is a unit of length; a force is expected"),
        ("F [N],t [s]", "line 1, column 1", "`N` is a unit of force; a time is expected"),
        ("t [s],F [kp]", "line 1, column 2", "unknown unit `kp`"),
        ("t [s],F []", "line 1, column 2", "no unit of a force"),
        ("t [1],F [N]", "line 1, column 1", "no unit of a time"),
        ("t_ms,F", "line 1, column 1", "`ms`; write it in brackets"),
        ("t,F/kN", "line 1, column 2", "`kN`; write it in brackets"),
        ("F,t", "line 1, column 2", "the time is the first column"),
        ("t,F,G", "line 1", "3 columns instead of 2"),
        ("0;10", "line 1", "1 column instead of 2; a comma separates time and value, not ';'"),
        ("0\t10", "line 1", "a comma separates time and value, not '\\t'"),
        ("0,5;1,5", "line 1", "3 columns instead of 2; a comma separates time and value, not ';'"),
        ("0.O,1O", "line 1, column 1", "`0.O` is not a number"),
    ];
    for (first, place, words) in cases {
        let text = format!("{first}\n0.1,10\n0.2,10\n0.3,10\n");
        let error = Signal::table_from_csv(&text, Dimension::Force, NATURAL).unwrap_err();
        let told = error.to_string();
        assert!(told.contains(place) && told.contains(words), "{first}: {told}");
    }
}

#[test]
fn exact_csv_without_enough_points() {
    for text in ["", "# nothing\n", "time,value\n"] {
        let error = Signal::table_from_csv(text, Dimension::Force, NATURAL).unwrap_err();
        let quantity = "points of a natural spline";
        assert_eq!(error, SignalError::TooFew { quantity, count: 0, least: 2 });
    }
}

/// Whatever step is asked for from wherever, a pole is not stepped over.
#[test]
fn property_no_step_goes_over_a_pole() {
    for (source, pole) in
        [("1/(t - 0.5)", 0.5), ("1/(t - 0.3)^2", 0.3), ("tan(t)", PI / 2.0), ("ln(2 - t)", 2.0)]
    {
        let signal = Signal::expression(source).unwrap();
        for k in 0..200 {
            let t = pole * f64::from(k) / 200.0;
            for h in [0.01, 0.1, 1.0, 10.0] {
                let step = signal.longest_step(t, h);
                assert!(step <= h && step > 0.0);
                assert!(t + step < pole, "{source}: {step} from {t}");
            }
        }
    }
}

/// Sines are seen in less than an eighth of their period; a formula, even at its crests, in more than a hundredth.
#[test]
fn property_steps_follow_the_period() {
    let harmonic = Harmonic { amplitude: 2.0, angular_frequency: TAU * 1e3, ..Harmonic::default() };
    let harmonic = Signal::harmonic(harmonic).unwrap();
    let formula = Signal::expression("5 + 2*sin(2*pi*1000*t)").unwrap();
    let sum = Signal::sum([Signal::rate(1.0, 3.0).unwrap(), harmonic.clone()]);
    for signal in [harmonic, formula, sum] {
        for k in 0..500 {
            for h in [1.0, 0.37, 3e-3] {
                let step = signal.longest_step(1.234e-5 * f64::from(k), h);
                assert!(step <= 1.3e-4 && step > 1e-5, "{signal:?}: {step}");
            }
        }
    }
    for source in ["3", "2*t^2 - t", "t^5 - 4*t^3"] {
        let signal = Signal::expression(source).unwrap();
        assert_eq!(signal.longest_step(0.2, 10.0), 10.0, "{source}");
    }
    assert_eq!(Signal::polynomial(&[1.0, 2.0, 3.0]).unwrap().longest_step(0.0, 1e3), 1e3);
}

/// However long a step is asked for, a short pulse is not stepped over: where one ends before the pulse, the next stretch is looked at.
#[test]
fn property_no_step_goes_over_a_pulse() {
    for source in [
        "exp(-((t - 0.5)/1e-4)^2)",
        "3*sin(2*t) + 1e-2*exp(-((t - 0.5)/1e-4)^2)",
        "1/(1 + ((t - 0.5)/1e-5)^2)",
        "tanh((t - 0.5)/1e-5)",
        "if(t < 0.5, 0, if(t < 0.50001, 1, 0))",
        "max(0, 1 - ((t - 0.5)/1e-4)^2)",
    ] {
        let signal = Signal::expression(source).unwrap();
        for k in 0..200 {
            let t = 0.49 * f64::from(k) / 200.0;
            for h in [0.012, 0.1, 0.7, 10.0] {
                let step = signal.longest_step(t, h);
                assert!(t + step < 0.5001, "{source}: {step} from {t}");
                assert!(step > 1e-5, "{source}: {step} from {t}");
            }
        }
    }
    // What is only rounding is not followed: the crests and the flat parts of a wave that is nearly a square.
    let square = Signal::expression("50*(1 + tanh(200*sin(2*pi*5*t)))").unwrap();
    for k in 0..1000 {
        assert!(square.longest_step(1e-3 * f64::from(k) + 3e-5, 1.0) > 1e-7, "{k}");
    }
    // What cancels in a formula costs looks, not the run.
    let flat = Signal::expression("sin(40*t)^2 + cos(40*t)^2").unwrap();
    assert!(flat.longest_step(0.3, 1.0) > 1e-4);
}

/// No point of a table lies inside a step, but one that is all but reached where it starts.
#[test]
fn property_steps_end_at_points_of_a_table() {
    for spline in [NOT_A_KNOT, NATURAL, Spline::Periodic] {
        let table = example(spline);
        for k in 0..400 {
            let t = 0.005 * f64::from(k);
            let step = table.longest_step(t, 1e3);
            let again = TIMES.iter().map(|knot| knot + 2.0);
            let inside = TIMES.iter().copied().chain(again.skip(1));
            let mut inside = inside.filter(|knot| *knot > t + 1e-6 && *knot < t + step - 1e-12);
            assert!(step > 1e-8 && inside.next().is_none(), "{spline:?}: {step} from {t}");
        }
    }
    // Outside there is nothing to see.
    assert_eq!(example(NOT_A_KNOT).longest_step(2.5, 7.0), 7.0);
    assert_eq!(pulse(1.0, 0.2, 0.1).longest_step(0.5, 7.0), 7.0);
    assert!(pulse(1.0, 0.2, 0.1).longest_step(0.25, 7.0) <= 0.0126);
    assert!(step(0.2, 0.4, 0.0, 1.0).longest_step(0.2, 7.0) < 0.06);
}
