//! Signals against closed forms, against differences and against `SciPy`.

mod refusals;
mod splines;
mod steps;

use std::f64::consts::{PI, TAU};

use jointplay_expression::units::Dimension;
use jointplay_expression::{Expression, Jet, Scope};
use jointplay_mbd::signal::{HalfSine, Harmonic, Outside, Signal, SignalError, SmoothStep, Spline};
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
