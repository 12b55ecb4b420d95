//! Signals without breaks: polynomials and the harmonic.

use jointplay_expression::Jet;
use jointplay_ode::Enclosure;

use super::{SignalError, finite};
use crate::circle::sin_cos;

/// Σ cₖ tᵏ.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Polynomial {
    coefficients: Box<[f64]>,
}

jointplay_fingerprint::fingerprint!(struct Polynomial { coefficients });

impl Polynomial {
    pub(super) fn new(coefficients: &[f64]) -> Result<Self, SignalError> {
        if coefficients.is_empty() {
            return Err(SignalError::TooFew { quantity: "coefficients", count: 0, least: 1 });
        }
        let wrong = coefficients.iter().position(|coefficient| !coefficient.is_finite());
        if let Some(index) = wrong {
            let value = coefficients[index];
            return Err(SignalError::EntryNotFinite { quantity: "coefficient", index, value });
        }
        Ok(Self { coefficients: coefficients.into() })
    }

    /// The rate, if it is constant.
    pub(super) fn constant_rate(&self) -> Option<f64> {
        match *self.coefficients {
            [_, rate] => Some(rate),
            _ => None,
        }
    }

    /// Whether its degree is so low that every method follows it in any step.
    pub(super) fn is_short(&self) -> bool {
        self.coefficients.len() <= 6
    }

    #[inline]
    pub(super) fn jet(&self, t: f64) -> Jet {
        // A constant rate, the commonest of all, needs no loop. Both are found in the same way, so that the processor writes
        // as a pair what it will read as a pair.
        if let [start, rate] = *self.coefficients {
            let [value, first] = [[rate, start], [0.0, rate]].map(|[a, b]| a * t + b);
            return Jet { value, first, second: 0.0 };
        }
        self.long_jet(t)
    }

    /// A call, so that the commonest case stays short where it is used.
    #[inline(never)]
    fn long_jet(&self, t: f64) -> Jet {
        Jet::polynomial(&self.coefficients, t)
    }
}

impl Polynomial {
    /// Over a stretch of time.
    pub(super) fn enclose(&self, t: Enclosure) -> Enclosure {
        let highest_first = self.coefficients.iter().rev();
        highest_first.fold(Enclosure::constant(0.0), |sum, coefficient| sum * t + *coefficient)
    }
}

/// s = c + A sin(ωt + φ). All numbers finite; zero for those that are left to `default()`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Harmonic {
    /// c, unit of the signal.
    pub offset: f64,
    /// A, unit of the signal.
    pub amplitude: f64,
    /// ω, rad/s.
    pub angular_frequency: f64,
    /// φ, rad.
    pub phase: f64,
}

jointplay_fingerprint::fingerprint!(struct Harmonic { offset, amplitude, angular_frequency, phase });

impl Harmonic {
    pub(super) fn checked(self) -> Result<Self, SignalError> {
        finite("offset", self.offset)?;
        finite("amplitude", self.amplitude)?;
        finite("angular frequency", self.angular_frequency)?;
        finite("phase", self.phase)?;
        let omega = self.angular_frequency;
        if !(self.amplitude * omega * omega).is_finite() {
            return Err(SignalError::Overflow { kind: "harmonic" });
        }
        Ok(self)
    }

    /// Over a stretch of time.
    pub(super) fn enclose(&self, t: Enclosure) -> Enclosure {
        let angle = t * self.angular_frequency + self.phase;
        angle.sin_cos(sin_cos(angle.c[0])).0 * self.amplitude + self.offset
    }

    pub(super) fn jet(&self, t: f64) -> Jet {
        let omega = self.angular_frequency;
        let (sin, cos) = sin_cos(omega * t + self.phase);
        let wave = self.amplitude * sin;
        Jet {
            value: self.offset + wave,
            first: self.amplitude * omega * cos,
            second: -wave * omega * omega,
        }
    }
}
