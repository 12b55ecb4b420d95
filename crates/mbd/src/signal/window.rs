//! Signals that change only inside an interval of time: the smooth step and the half-sine pulse.

use std::f64::consts::PI;

use jointplay_expression::Jet;

use super::{Side, SignalError, finite};
use crate::circle::sin_cos;

/// The step of the fifth degree, known from cams as the 3-4-5 polynomial:
///
/// s = y₀ + (y₁ − y₀)(10u³ − 15u⁴ + 6u⁵) with u = (t − t₀)/(t₁ − t₀),
///
/// y₀ before and y₁ after. Rate and acceleration are continuous and vanish at both ends; the
/// third derivative is 60 (y₁ − y₀)/(t₁ − t₀)³ there, and zero outside. The rate is largest in the middle,
/// 15/8 (y₁ − y₀)/(t₁ − t₀). All numbers finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SmoothStep {
    /// t₀, s.
    pub start: f64,
    /// t₁ > t₀, s.
    pub end: f64,
    /// y₀, unit of the signal.
    pub from: f64,
    /// y₁, unit of the signal.
    pub to: f64,
}

jointplay_fingerprint::fingerprint!(struct SmoothStep { start, end, from, to });

impl SmoothStep {
    pub(super) fn checked(self) -> Result<Self, SignalError> {
        finite("start", self.start)?;
        finite("end", self.end)?;
        finite("first value", self.from)?;
        finite("last value", self.to)?;
        if self.end <= self.start {
            return Err(SignalError::Interval { start: self.start, end: self.end });
        }
        let duration = self.end - self.start;
        // |s̈| stays below 6 |y₁ − y₀|/(t₁ − t₀)²
        let acceleration = 6.0 * (self.to - self.from) / duration / duration;
        if !(duration.is_finite() && acceleration.is_finite()) {
            return Err(SignalError::Overflow { kind: "smooth step" });
        }
        Ok(self)
    }

    pub(super) fn jet(&self, t: f64, side: Side) -> Jet {
        if side.past(t, self.end) {
            Jet::constant(self.to)
        } else if side.past(t, self.start) {
            let (rise, duration) = (self.to - self.from, self.end - self.start);
            let unit =
                Jet::polynomial(&[0.0, 0.0, 0.0, 10.0, -15.0, 6.0], (t - self.start) / duration);
            Jet {
                value: self.from + rise * unit.value,
                first: rise * unit.first / duration,
                second: rise * unit.second / duration / duration,
            }
        } else {
            Jet::constant(self.from)
        }
    }
}

/// One half wave of a sine, the shock of a test bench:
///
/// s = A sin(π(t − t₀)/T) for t₀ ≤ t < t₀ + T, else 0.
///
/// The rate jumps by Aπ/T at both ends, the third derivative by −A(π/T)³; value and second
/// derivative are continuous. The integral is 2AT/π. As a driver it prescribes an impossible
/// motion: use it for loads. All numbers finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfSine {
    /// A, unit of the signal.
    pub amplitude: f64,
    /// t₀, s.
    pub start: f64,
    /// T > 0, s.
    pub duration: f64,
}

jointplay_fingerprint::fingerprint!(struct HalfSine { amplitude, start, duration });

impl HalfSine {
    pub(super) fn checked(self) -> Result<Self, SignalError> {
        finite("amplitude", self.amplitude)?;
        finite("start", self.start)?;
        let duration = finite("duration", self.duration)?;
        if duration <= 0.0 {
            return Err(SignalError::NotPositive { quantity: "duration", value: duration });
        }
        let (start, end) = (self.start, finite("end", self.end())?);
        if end <= start {
            return Err(SignalError::Interval { start, end });
        }
        let omega = PI / duration;
        if !(self.amplitude * omega * omega).is_finite() {
            return Err(SignalError::Overflow { kind: "half-sine pulse" });
        }
        Ok(self)
    }

    /// t₀ + T, s.
    pub(super) fn end(&self) -> f64 {
        self.start + self.duration
    }

    pub(super) fn jet(&self, t: f64, side: Side) -> Jet {
        if !side.past(t, self.start) || side.past(t, self.end()) {
            return Jet::default();
        }
        let omega = PI / self.duration;
        let (sin, cos) = sin_cos(omega * (t - self.start));
        let wave = self.amplitude * sin;
        Jet { value: wave, first: self.amplitude * omega * cos, second: -wave * omega * omega }
    }
}
