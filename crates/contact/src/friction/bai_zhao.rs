//! Static and dynamic friction joined by cubic steps.

use super::coulomb::cubic_step;
use super::{Coefficient, FrictionError, above, positive, saturate, sign};

/// The modified Coulomb friction of Bai and Zhao; odd and continuously differentiable.
///
/// F = −μ(|v|) F_n sign(v) with
///
/// - μ = μ_s(1.5x − 0.5x³), x = |v|/v_s, for |v| < v_s;
/// - μ = μ_s + (μ_d − μ_s)s²(3 − 2s), s = (|v| − v_s)/(v_d − v_s), for v_s ≤ |v| ≤ v_d;
/// - μ = μ_d for |v| > v_d.
///
/// μ_s, μ_d: coefficients of static and dynamic friction [-]; v_s: speed at which static friction
/// is reached [m/s]; v_d: speed from which on friction is dynamic [m/s]. μ_s < μ_d is allowed
/// and gives friction that rises with speed.
///
/// # Source
/// The slider-crank comparison of five laws, eqs (14) and (15).
///
/// # Differs from
/// The middle branch is printed with μ_s − μ_d at the same argument s, which makes it
/// discontinuous at both ends; it must run from μ_s at v_s to μ_d at v_d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaiZhao {
    mu_static: f64,
    mu_dynamic: f64,
    slip_speed: f64,
    dynamic_speed: f64,
}

jointplay_fingerprint::fingerprint!(struct BaiZhao { mu_static, mu_dynamic, slip_speed, dynamic_speed });

impl BaiZhao {
    /// `mu_static` and `mu_dynamic` [-] in (0, ∞), `slip_speed` [m/s] in (0, ∞),
    /// `dynamic_speed` [m/s] in (slip_speed, ∞).
    pub fn new(
        mu_static: f64,
        mu_dynamic: f64,
        slip_speed: f64,
        dynamic_speed: f64,
    ) -> Result<Self, FrictionError> {
        Ok(Self {
            mu_static: positive("mu_static", mu_static)?,
            mu_dynamic: positive("mu_dynamic", mu_dynamic)?,
            slip_speed: positive("slip_speed", slip_speed)?,
            dynamic_speed: above("dynamic_speed", dynamic_speed, slip_speed, "(slip_speed, ∞)")?,
        })
    }

    pub(super) fn coefficient(&self, v: f64) -> Coefficient {
        let speed = v.abs();
        if speed < self.slip_speed {
            return cubic_step(self.mu_static, v / self.slip_speed, self.slip_speed);
        }
        let width = self.dynamic_speed - self.slip_speed;
        let s = ((speed - self.slip_speed) / width).clamp(0.0, 1.0);
        let fall = self.mu_dynamic - self.mu_static;
        Coefficient {
            value: sign(v) * (self.mu_static + fall * (s * s * (3.0 - 2.0 * s))),
            slope: saturate(fall * (6.0 * s * (1.0 - s)) / width),
        }
    }
}
