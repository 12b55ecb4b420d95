//! Bristle friction with one state.

use super::stribeck::StribeckCurve;
use super::{Bristle, Coefficient, FrictionError, non_negative, positive, saturate, sign};

/// The LuGre law: sliding bends elastic bristles, which slip at the Stribeck curve.
///
/// ż = v − σ₀|v|z/g(v), F = −F_n(σ₀z + σ₁ż + σ₂v)
///
/// z: mean deflection of the bristles in m, 0 when contact starts; g: the [`StribeckCurve`]; σ₀:
/// stiffness of the bristles [1/m]; σ₁: their damping [s/m]; σ₂: viscous coefficient [s/m]; all
/// per unit of normal force. Sticking, presliding displacement and the delay of friction behind
/// speed follow from z without a mode.
///
/// In steady sliding z = g(v) sign(v)/σ₀ and F = −F_n (g(v) sign(v) + σ₂v). A deflection within
/// max(μ_s, μ_d)/σ₀ stays there. The state is stiff: its rate is σ₀|v|/g. At v = 0 the slope uses
/// d|v|/dv = 0.
///
/// # Source
/// CanudasDeWit1995.
///
/// # Differs from
/// The original has forces where this has coefficients times F_n, and its g(v) is g(v)/σ₀ here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuGre {
    curve: StribeckCurve,
    sigma_0: f64,
    sigma_1: f64,
    sigma_2: f64,
}

jointplay_fingerprint::fingerprint!(struct LuGre { curve, sigma_0, sigma_1, sigma_2 });

impl LuGre {
    /// `sigma_0` [1/m] in (0, ∞), `sigma_1` and `sigma_2` [s/m] in [0, ∞).
    pub fn new(
        curve: StribeckCurve,
        sigma_0: f64,
        sigma_1: f64,
        sigma_2: f64,
    ) -> Result<Self, FrictionError> {
        Ok(Self {
            curve,
            sigma_0: positive("sigma_0", sigma_0)?,
            sigma_1: non_negative("sigma_1", sigma_1)?,
            sigma_2: non_negative("sigma_2", sigma_2)?,
        })
    }

    /// ż with its slopes, and that of the coefficient with respect to z.
    pub(super) fn bristle(&self, v: f64, z: f64) -> Bristle {
        let (g, g_slope) = self.curve.at(v);
        let bent = self.bent(z, g);
        // d|v|/g = (sign(v) − |v| g′/g) dv/g
        let share = saturate(sign(v) - saturate(saturate(v.abs() / g) * g_slope));
        let rate_by_z = saturate(-saturate(self.sigma_0 / g) * v.abs());
        Bristle {
            rate: saturate(v - saturate(bent * v.abs())),
            rate_by_speed: saturate(1.0 - saturate(bent * share)),
            rate_by_z,
            coefficient_by_z: saturate(self.sigma_0 + saturate(self.sigma_1 * rate_by_z)),
        }
    }

    /// The greatest deflection, max(μ_s, μ_d)/σ₀ (m).
    pub(super) fn reach(&self) -> f64 {
        saturate(self.curve.greatest() / self.sigma_0)
    }

    pub(super) fn coefficient(&self, v: f64, z: f64) -> Coefficient {
        let Bristle { rate, rate_by_speed: z_dot_slope, .. } = self.bristle(v, z);
        let elastic = saturate(self.sigma_0 * z);
        let damping = saturate(self.sigma_1 * rate);
        Coefficient {
            value: saturate(saturate(elastic + damping) + saturate(self.sigma_2 * v)),
            slope: saturate(saturate(self.sigma_1 * z_dot_slope) + self.sigma_2),
        }
    }

    /// σ₀z/g(v): the deflection as a fraction of that in steady sliding.
    fn bent(&self, z: f64, g: f64) -> f64 {
        saturate(saturate(self.sigma_0 * z) / g)
    }
}
