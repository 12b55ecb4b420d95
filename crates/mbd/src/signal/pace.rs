//! How long a step may be before a signal does something inside it that the step does not see.
//!
//! A driver moves bodies whose motion is not an unknown, and the error control of an integrator sees nothing of them:
//! without a limit it steps over whole periods.

use std::f64::consts::TAU;

use jointplay_expression::{Expression, Jet, JetInterval};

use super::smooth::Harmonic;
use super::window::{HalfSine, SmoothStep};

/// Steps in a period of a sine. Its work over a step is then exact to 1e-9 in order 8 and to 1e-5 in order 5.
const STEPS_PER_PERIOD: f64 = 16.0;

/// Steps in a smooth step, whose value is of degree 5.
const STEPS_PER_RISE: f64 = 4.0;

/// A step resolves a signal if the quintic through value, rate and acceleration at its ends agrees with the signal between them to
/// this fraction of its range there, and its rate to the same fraction of the range divided by the step: a sine is resolved by
/// steps of a tenth of its period (at its crests, where its range is small, a sixtieth), an exponential by a third of its time
/// constant.
const SEEN: f64 = 1e-7;

/// How much greater the rate of the polynomial h⁶θ³(1 − θ)³, by which a quintic misses, is than its value, roughly.
const RATE: f64 = 8.0;

/// Rounding of a polynomial, over its magnitude.
const ROUNDING: f64 = 1e-12;

/// Differences of a formula below this many times its rounding are ignored.
const ROUNDINGS: f64 = 64.0;

/// Where between the ends signal and quintic are compared: at no rational parts of the step.
const PLACES: [f64; 4] = [0.138_197, 0.371_094, 0.618_034, 0.857_864];

/// A step may hide changes of a formula by less than this fraction of its value.
const HIDDEN: f64 = 1e-6;

/// Values and changes of a formula below this (SI) move nothing.
const NEGLIGIBLE: f64 = 1e-100;

/// Maximum number of evaluations in which it must be shown that a step hides nothing.
const MAX_LOOKS: usize = 64;

/// Steps are not shortened below this fraction of the time, or of 1 ms: anything faster is left to error control, which
/// passes a kink and stops at a pole.
const FINEST: f64 = 1e-11;

/// The shortest step to which signals limit a method at this time (s).
pub(super) fn finest(t: f64) -> f64 {
    FINEST * t.abs().max(1e-3)
}

pub(super) fn harmonic(wave: &Harmonic) -> f64 {
    let moves = wave.amplitude != 0.0 && wave.angular_frequency != 0.0;
    if moves { TAU / wave.angular_frequency.abs() / STEPS_PER_PERIOD } else { f64::INFINITY }
}

pub(super) fn smooth_step(step: &SmoothStep, t: f64) -> f64 {
    let moves = step.from != step.to && (step.start..step.end).contains(&t);
    if moves { (step.end - step.start) / STEPS_PER_RISE } else { f64::INFINITY }
}

pub(super) fn half_sine(pulse: &HalfSine, t: f64) -> f64 {
    let moves = pulse.amplitude != 0.0 && (pulse.start..pulse.end()).contains(&t);
    if moves { 2.0 * pulse.duration / STEPS_PER_PERIOD } else { f64::INFINITY }
}

/// The longest step from `t`, `h` or a half, a quarter, … of it, that sees a polynomial.
pub(super) fn polynomial(t: f64, h: f64, signal: impl Fn(f64) -> Jet) -> f64 {
    longest(t, h, signal(t), |step, start| is_seen(start, t, step, 0.0, &signal).is_some())
}

/// The same for a formula, which may do anything between the places where it was compared: what its second derivative may be is
/// bounded over the whole step. Where derivatives overflow, such as those of 1/cosh(x), the value alone may show that
/// nothing happens.
pub(super) fn formula(t: f64, h: f64, expression: &Expression) -> f64 {
    let signal = |t| expression.eval_jet(&[Jet::variable(t)]);
    let rounding = |t| Some(expression.rounding(&[t])).filter(|r| r.is_finite()).unwrap_or(0.0);
    let at_start = rounding(t);
    longest(t, h, signal(t), |step, start| {
        let noise = ROUNDINGS * at_start.max(rounding(t + step));
        let seen = is_seen(start, t, step, noise, &signal);
        seen.is_some_and(|seen| hides_nothing(expression, t, step, noise, &seen))
            || stays(expression, t, step, start.value, noise)
    })
}

fn longest(t: f64, h: f64, start: Jet, is_seen: impl Fn(f64, Jet) -> bool) -> f64 {
    let mut step = h;
    // A signal that has no value here is the integrator's to report.
    while start.value.is_finite() && step > finest(t) && !is_seen(step, start) {
        step *= 0.5;
    }
    step
}

/// Whether the value of a formula is the same throughout a step.
fn stays(expression: &Expression, t: f64, h: f64, value: f64, noise: f64) -> bool {
    let room = noise + NEGLIGIBLE;
    let over = expression.eval_interval(&[JetInterval::variable([t, t + h])]).value;
    over.low >= value - room && over.high <= value + room
}

/// What a signal did where it was looked at in a step.
struct Seen {
    /// Least and greatest value.
    value: [f64; 2],
    /// Least and greatest second derivative.
    second: [f64; 2],
}

impl Seen {
    fn of([a, b]: [Jet; 2]) -> Self {
        let order = |a: f64, b: f64| [a.min(b), a.max(b)];
        Seen { value: order(a.value, b.value), second: order(a.second, b.second) }
    }

    fn add(&mut self, jet: Jet) {
        let widen = |[low, high]: [f64; 2], x: f64| [low.min(x), high.max(x)];
        (self.value, self.second) = (widen(self.value, jet.value), widen(self.second, jet.second));
    }

    fn magnitude(&self) -> f64 {
        self.value[0].abs().max(self.value[1].abs())
    }
}

/// Whether the second derivative of a formula leaves the range in which it was seen nowhere in a step by more than that
/// range, or by so little that it changes the value by less than [`HIDDEN`] of it; or the value itself changes less.
fn hides_nothing(expression: &Expression, t: f64, h: f64, noise: f64, seen: &Seen) -> bool {
    let [low, high] = seen.second;
    let least = HIDDEN * seen.magnitude() + noise + NEGLIGIBLE;
    let (mut from, mut length) = (0.0, 1.0);
    for _ in 0..MAX_LOOKS {
        let to = f64::min(1.0, from + length);
        let stretch = JetInterval::variable([t + from * h, t + to * h]);
        let JetInterval { value, second, .. } = expression.eval_interval(&[stretch]);
        let beyond = (second.high - high).max(low - second.low);
        let flat = value.high - value.low <= least
            && value.low >= seen.value[0] - least
            && value.high <= seen.value[1] + least;
        if beyond <= high - low || beyond * h * h <= least || flat {
            if to == 1.0 {
                return true;
            }
            (from, length) = (to, 2.0 * (to - from));
        } else {
            length = 0.5 * (to - from);
        }
    }
    false
}

/// What was seen of the signal, if the step sees it to within `noise`.
fn is_seen(a: Jet, t: f64, h: f64, noise: f64, signal: &impl Fn(f64) -> Jet) -> Option<Seen> {
    let b = signal(t + h);
    if !a.is_finite() || !b.is_finite() {
        return None;
    }
    // c₀ + c₁θ + … + c₅θ⁵ with value, rate and acceleration of both ends.
    let c = [a.value, a.first * h, 0.5 * a.second * h * h];
    let value = b.value - (c[0] + c[1] + c[2]);
    let rate = b.first * h - (c[1] + 2.0 * c[2]);
    let second = b.second * h * h - 2.0 * c[2];
    let cubic = 10.0 * value - 4.0 * rate + 0.5 * second;
    let quartic = -15.0 * value + 7.0 * rate - second;
    let quintic = 6.0 * value - 3.0 * rate + 0.5 * second;
    let mut seen = Seen::of([a, b]);
    let mut missed = 0.0_f64;
    for x in PLACES {
        let there = signal(t + x * h);
        let expected = Jet::polynomial(&[c[0], c[1], c[2], cubic, quartic, quintic], x);
        let off = [there.value - expected.value, (there.first * h - expected.first) / RATE];
        if !(off[0] + off[1]).is_finite() {
            return None;
        }
        seen.add(there);
        missed = missed.max(off[0].abs()).max(off[1].abs());
    }
    let range = seen.value[1] - seen.value[0];
    (missed <= SEEN * range + ROUNDING * seen.magnitude() + noise).then_some(seen)
}
