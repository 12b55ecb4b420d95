//! Dry friction with one coefficient, and its regularisations near rest.

use super::{Coefficient, Friction, FrictionError, above, non_negative, positive, saturate, sign};

/// Coulomb friction.
///
/// F = −μ F_n sign(v)
///
/// μ: coefficient of friction [-]. At rest the law allows any force in ±μF_n. The sign is
/// therefore a mode of the contact, changed at located events v = 0, see
/// [`FrictionLaw::force_sliding`](super::FrictionLaw::force_sliding). Sticking is not part of
/// this law; where it matters use a regularised law or [`LuGre`](super::LuGre).
///
/// # Source
/// Skrinjar2017 eq. (31).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Coulomb {
    mu: f64,
}

jointplay_fingerprint::fingerprint!(struct Coulomb { mu });

impl Coulomb {
    /// `mu` [-] in [0, ∞).
    pub fn new(mu: f64) -> Result<Self, FrictionError> {
        Ok(Self { mu: non_negative("mu", mu)? })
    }

    /// The friction while the body slides in `direction` (−1 or +1), independently of the sign of
    /// `v_t`.
    pub fn force_sliding(self, normal: f64, v_t: f64, direction: f64) -> Friction {
        self.coefficient(direction).friction(normal, v_t)
    }

    pub(super) fn coefficient(self, v: f64) -> Coefficient {
        Coefficient { value: self.mu * sign(v), slope: 0.0 } // Skrinjar2017 eq. (31)
    }
}

/// Coulomb friction with a hyperbolic tangent for the sign; smooth.
///
/// F = −μ F_n tanh(v/v_s)
///
/// μ: coefficient of friction [-]; v_s: slip speed [m/s], at which 76 % of μ is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoulombTanh {
    mu: f64,
    slip_speed: f64,
}

jointplay_fingerprint::fingerprint!(struct CoulombTanh { mu, slip_speed });

impl CoulombTanh {
    /// `mu` [-] in [0, ∞), `slip_speed` [m/s] in (0, ∞).
    pub fn new(mu: f64, slip_speed: f64) -> Result<Self, FrictionError> {
        Ok(Self { mu: non_negative("mu", mu)?, slip_speed: positive("slip_speed", slip_speed)? })
    }

    pub(super) fn coefficient(&self, v: f64) -> Coefficient {
        let x = v / self.slip_speed;
        let sech = 1.0 / libm::cosh(x);
        Coefficient {
            value: self.mu * libm::tanh(x),
            slope: saturate(self.mu * sech * sech / self.slip_speed),
        }
    }
}

/// Coulomb friction with a ramp for the sign; continuous.
///
/// F = −μ F_n x, x = v/v_s held within ±1
///
/// μ: coefficient of friction [-]; v_s: slip speed [m/s], where the full force is reached. The
/// slope jumps there; at |v| = v_s itself it is 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoulombRamp {
    mu: f64,
    slip_speed: f64,
}

jointplay_fingerprint::fingerprint!(struct CoulombRamp { mu, slip_speed });

impl CoulombRamp {
    /// `mu` [-] in [0, ∞), `slip_speed` [m/s] in (0, ∞).
    pub fn new(mu: f64, slip_speed: f64) -> Result<Self, FrictionError> {
        Ok(Self { mu: non_negative("mu", mu)?, slip_speed: positive("slip_speed", slip_speed)? })
    }

    #[inline]
    pub(super) fn coefficient(&self, v: f64) -> Coefficient {
        let x = (v / self.slip_speed).clamp(-1.0, 1.0);
        let inside = x.abs() < 1.0;
        Coefficient {
            value: self.mu * x,
            slope: if inside { saturate(self.mu / self.slip_speed) } else { 0.0 },
        }
    }
}

/// Coulomb friction with a cubic step for the sign; continuously differentiable.
///
/// F = −μ F_n (1.5x − 0.5x³), x = v/v_s held within ±1
///
/// μ: coefficient of friction [-]; v_s: slip speed [m/s], where the full force is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CoulombCubic {
    mu: f64,
    slip_speed: f64,
}

jointplay_fingerprint::fingerprint!(struct CoulombCubic { mu, slip_speed });

impl CoulombCubic {
    /// `mu` [-] in [0, ∞), `slip_speed` [m/s] in (0, ∞).
    pub fn new(mu: f64, slip_speed: f64) -> Result<Self, FrictionError> {
        Ok(Self { mu: non_negative("mu", mu)?, slip_speed: positive("slip_speed", slip_speed)? })
    }

    pub(super) fn coefficient(&self, v: f64) -> Coefficient {
        cubic_step(self.mu, v / self.slip_speed, self.slip_speed)
    }
}

/// μ(1.5x − 0.5x³), held at ±μ outside |x| ≤ 1, with x = v/`speed`.
pub(super) fn cubic_step(mu: f64, x: f64, speed: f64) -> Coefficient {
    let x = x.clamp(-1.0, 1.0);
    Coefficient {
        value: mu * (x * (1.5 - 0.5 * x * x)),
        slope: saturate(mu * (1.5 * (1.0 - x * x)) / speed),
    }
}

/// Coulomb friction with a dead zone: none below a first speed, all of it above a second.
///
/// F = −c_d μ F_n sign(v), c_d = (|v| − v₀)/(v₁ − v₀) held within 0 and 1
///
/// μ: coefficient of friction [-]; v₀, v₁: speeds between which the force grows [m/s]. The slope
/// jumps at both; at v₀ and v₁ themselves it is 0. The dead zone cannot represent stiction: a
/// body at rest on a slope creeps with a speed above v₀.
///
/// # Source
/// Ambrosio2002.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ambrosio {
    mu: f64,
    speed_0: f64,
    speed_1: f64,
}

jointplay_fingerprint::fingerprint!(struct Ambrosio { mu, speed_0, speed_1 });

impl Ambrosio {
    /// `mu` [-] in [0, ∞), `speed_0` [m/s] in [0, ∞), `speed_1` [m/s] in (speed_0, ∞).
    pub fn new(mu: f64, speed_0: f64, speed_1: f64) -> Result<Self, FrictionError> {
        Ok(Self {
            mu: non_negative("mu", mu)?,
            speed_0: non_negative("speed_0", speed_0)?,
            speed_1: above("speed_1", speed_1, speed_0, "(speed_0, ∞)")?,
        })
    }

    pub(super) fn coefficient(&self, v: f64) -> Coefficient {
        let width = self.speed_1 - self.speed_0;
        let c_d = ((v.abs() - self.speed_0) / width).clamp(0.0, 1.0);
        let inside = c_d > 0.0 && c_d < 1.0;
        Coefficient {
            value: self.mu * c_d * sign(v),
            slope: if inside { saturate(self.mu / width) } else { 0.0 },
        }
    }
}
