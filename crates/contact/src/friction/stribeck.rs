//! Friction that falls from static to dynamic with the sliding speed.

use super::{Coefficient, FrictionError, non_negative, positive, saturate};

/// The Stribeck curve: coefficient of friction in steady sliding at speed |v|.
///
/// g(v) = μ_d + (μ_s − μ_d) exp(−(v/v_S)²)
///
/// μ_s, μ_d: coefficients of static and dynamic friction [-]; v_S: Stribeck speed [m/s], at which
/// friction has fallen by 63 % of μ_s − μ_d. Even in v, between μ_s and μ_d, never zero.
///
/// # Source
/// CanudasDeWit1995, there as σ₀ g(v).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StribeckCurve {
    mu_static: f64,
    mu_dynamic: f64,
    stribeck_speed: f64,
}

jointplay_fingerprint::fingerprint!(struct StribeckCurve { mu_static, mu_dynamic, stribeck_speed });

impl StribeckCurve {
    /// `mu_static` and `mu_dynamic` [-] in (0, ∞), `stribeck_speed` [m/s] in (0, ∞).
    pub fn new(
        mu_static: f64,
        mu_dynamic: f64,
        stribeck_speed: f64,
    ) -> Result<Self, FrictionError> {
        Ok(Self {
            mu_static: positive("mu_static", mu_static)?,
            mu_dynamic: positive("mu_dynamic", mu_dynamic)?,
            stribeck_speed: positive("stribeck_speed", stribeck_speed)?,
        })
    }

    /// The greatest value of g.
    pub(super) fn greatest(&self) -> f64 {
        self.mu_static.max(self.mu_dynamic)
    }

    /// g and dg/dv [s/m].
    pub(super) fn at(&self, v: f64) -> (f64, f64) {
        // Held finite: ∞ times the vanishing exponential would be NaN.
        let x = saturate(v / self.stribeck_speed);
        let weight = libm::exp(-x * x);
        let (low, high) = if self.mu_static < self.mu_dynamic {
            (self.mu_static, self.mu_dynamic)
        } else {
            (self.mu_dynamic, self.mu_static)
        };
        // A mean of the two rather than μ_d plus a difference, which may cancel to zero.
        let g = self.mu_static * weight + self.mu_dynamic * (1.0 - weight);
        let fall = self.mu_static - self.mu_dynamic;
        let slope = saturate(fall * (-2.0 * (x * weight)) / self.stribeck_speed);
        (g.clamp(low, high), slope)
    }
}

/// Falling friction with a viscous part; smooth.
///
/// F = −F_n(g(v) tanh(v/v_s) + σ₂v)
///
/// g: the [`StribeckCurve`]; v_s: slip speed of the regularised sign [m/s]; σ₂: viscous
/// coefficient [s/m]. If v_s is not small compared with the Stribeck speed, the peak stays below μ_s.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stribeck {
    curve: StribeckCurve,
    slip_speed: f64,
    viscous: f64,
}

jointplay_fingerprint::fingerprint!(struct Stribeck { curve, slip_speed, viscous });

impl Stribeck {
    /// `slip_speed` [m/s] in (0, ∞), `viscous` [s/m] in [0, ∞).
    pub fn new(curve: StribeckCurve, slip_speed: f64, viscous: f64) -> Result<Self, FrictionError> {
        Ok(Self {
            curve,
            slip_speed: positive("slip_speed", slip_speed)?,
            viscous: non_negative("viscous", viscous)?,
        })
    }

    pub(super) fn coefficient(&self, v: f64) -> Coefficient {
        let (g, g_slope) = self.curve.at(v);
        let x = v / self.slip_speed;
        let (tanh, sech) = (libm::tanh(x), 1.0 / libm::cosh(x));
        let dry_slope = g_slope * tanh + saturate(g * sech * sech / self.slip_speed);
        Coefficient {
            value: saturate(g * tanh + self.viscous * v),
            slope: saturate(dry_slope + self.viscous),
        }
    }
}
