//! Friction: the tangential force of one contact.
//!
//! A law is a pure function of the normal force F_n in N, the sliding speed v in m/s and, for
//! [`LuGre`], one bristle deflection z in m. It knows neither bodies nor time; the state z
//! and the sliding direction of [`Coulomb`] belong to the caller.
//!
//! # Signs
//! The force acts on the body whose velocity relative to the other is `v_t`, along the same axis,
//! so it opposes sliding: `force * v_t <= 0` for every law without memory. A contact that pulls
//! (`normal < 0`) has no friction.
//!
//! # Numbers
//! Finite arguments give finite results: what would overflow is held at ±`f64::MAX`. NaN
//! arguments give NaN.

mod bai_zhao;
mod coulomb;
mod custom;
mod lugre;
mod stribeck;

use std::sync::Arc;

pub use bai_zhao::BaiZhao;
pub use coulomb::{Ambrosio, Coulomb, CoulombCubic, CoulombRamp, CoulombTanh};
pub use custom::FrictionModel;
pub use lugre::LuGre;
pub use stribeck::{Stribeck, StribeckCurve};

/// A parameter of a friction law outside its interval.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("`{key}` = {value} is not in {allowed}")]
pub struct FrictionError {
    /// Key of the parameter, such as `slip_speed`.
    pub key: &'static str,
    /// The value given.
    pub value: f64,
    /// The interval it must lie in, such as `(0, ∞)`.
    pub allowed: &'static str,
}

/// The friction of one contact at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Friction {
    /// Force on the sliding body along the axis of `v_t`, against the sliding, in N.
    pub force: f64,
    /// d force / d v_t at constant normal force and bristle deflection, in N s/m.
    pub slope: f64,
    /// Power taken from the motion, −force · v_t, in W; never negative for a law without memory,
    /// while the bristles of [`LuGre`] give stored energy back.
    pub power_lost: f64,
}

/// A friction law.
///
/// ```
/// use jointplay_contact::friction::{CoulombTanh, FrictionLaw};
///
/// let law = FrictionLaw::CoulombTanh(CoulombTanh::new(0.1, 1e-3)?);
/// let friction = law.force(200.0, 0.5, 0.0);
/// assert_eq!(friction.force, -20.0);
/// assert_eq!(friction.power_lost, 10.0);
/// # Ok::<(), jointplay_contact::friction::FrictionError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum FrictionLaw {
    /// `no-friction`: no tangential force.
    #[default]
    NoFriction,
    /// `coulomb`: −μ F_n sign(v), set-valued at rest.
    Coulomb(Coulomb),
    /// `coulomb-tanh`: the sign replaced by a hyperbolic tangent.
    CoulombTanh(CoulombTanh),
    /// `coulomb-ramp`: the sign replaced by a ramp.
    CoulombRamp(CoulombRamp),
    /// `coulomb-cubic`: the sign replaced by a cubic step.
    CoulombCubic(CoulombCubic),
    /// `ambrosio`: no force below one speed, all of it above another.
    Ambrosio(Ambrosio),
    /// `bai-zhao-friction`: static and dynamic friction joined by cubic steps.
    BaiZhao(BaiZhao),
    /// `stribeck`: falling friction with a viscous part.
    Stribeck(Stribeck),
    /// `lugre`: elastic bristles with one state.
    LuGre(LuGre),
    /// A law written in Rust outside this crate.
    Custom(Arc<dyn FrictionModel>),
}

jointplay_fingerprint::fingerprint!(
    enum FrictionLaw {
        NoFriction,
        Coulomb(of),
        CoulombTanh(of),
        CoulombRamp(of),
        CoulombCubic(of),
        Ambrosio(of),
        BaiZhao(of),
        Stribeck(of),
        LuGre(of),
        Custom(of),
    }
);

impl FrictionLaw {
    /// The friction at normal force `normal` in N, sliding speed `v_t` in m/s and bristle
    /// deflection `z` in m, which only [`LuGre`] reads.
    ///
    /// [`Coulomb`] gives zero at `v_t` = 0; a run that passes through rest needs
    /// [`force_sliding`](Self::force_sliding).
    #[inline]
    pub fn force(&self, normal: f64, v_t: f64, z: f64) -> Friction {
        // the cheapest law is inlined into the caller's loop, the others are called
        let coefficient = match self {
            Self::CoulombRamp(law) => law.coefficient(v_t),
            others => others.coefficient(v_t, z),
        };
        coefficient.friction(normal, v_t)
    }

    #[inline(never)]
    fn coefficient(&self, v_t: f64, z: f64) -> Coefficient {
        match self {
            Self::NoFriction => Coefficient { value: 0.0, slope: 0.0 },
            Self::Coulomb(law) => law.coefficient(v_t),
            Self::CoulombTanh(law) => law.coefficient(v_t),
            Self::CoulombRamp(law) => law.coefficient(v_t),
            Self::CoulombCubic(law) => law.coefficient(v_t),
            Self::Ambrosio(law) => law.coefficient(v_t),
            Self::BaiZhao(law) => law.coefficient(v_t),
            Self::Stribeck(law) => law.coefficient(v_t),
            Self::LuGre(law) => law.coefficient(v_t, z),
            Self::Custom(law) => law.coefficient(v_t, z).saturated(),
        }
    }

    /// The friction with the sliding direction of a set-valued law frozen.
    ///
    /// `direction` is −1 or +1. It is a discrete mode of the caller, set when contact starts and
    /// changed only at located events `v_t` = 0, so that the force is smooth between events:
    /// within a trial step `v_t` may pass zero, and then `power_lost` is briefly negative. A
    /// `direction` of 0 means no sliding force. Laws that are functions of `v_t` ignore
    /// `direction` and give [`force`](Self::force).
    #[inline]
    pub fn force_sliding(&self, normal: f64, v_t: f64, z: f64, direction: f64) -> Friction {
        match self {
            Self::Coulomb(law) => law.force_sliding(normal, v_t, direction),
            Self::Custom(law) => custom::force_sliding(&**law, [normal, v_t, z], direction),
            Self::NoFriction
            | Self::CoulombTanh(_)
            | Self::CoulombRamp(_)
            | Self::CoulombCubic(_)
            | Self::Ambrosio(_)
            | Self::BaiZhao(_)
            | Self::Stribeck(_)
            | Self::LuGre(_) => self.force(normal, v_t, z),
        }
    }

    /// dz/dt of the bristle deflection, in m/s; 0 for a law without state.
    pub fn z_dot(&self, v_t: f64, z: f64) -> f64 {
        self.bristle(v_t, z).rate
    }

    /// dz/dt of the bristle deflection with its derivatives; all 0 for a law without state.
    pub fn bristle(&self, v_t: f64, z: f64) -> Bristle {
        match self {
            Self::LuGre(law) => law.bristle(v_t, z),
            Self::Custom(law) if law.bristle_reach().is_some() => law.bristle(v_t, z),
            Self::NoFriction
            | Self::CoulombTanh(_)
            | Self::CoulombRamp(_)
            | Self::CoulombCubic(_)
            | Self::Ambrosio(_)
            | Self::BaiZhao(_)
            | Self::Stribeck(_)
            | Self::Coulomb(_)
            | Self::Custom(_) => Bristle::default(),
        }
    }

    /// The greatest deflection of the bristles in m; `None` for a law without state.
    pub fn bristle_reach(&self) -> Option<f64> {
        match self {
            Self::LuGre(law) => Some(law.reach()),
            Self::Custom(law) => law.bristle_reach(),
            Self::NoFriction
            | Self::CoulombTanh(_)
            | Self::CoulombRamp(_)
            | Self::CoulombCubic(_)
            | Self::Ambrosio(_)
            | Self::BaiZhao(_)
            | Self::Stribeck(_)
            | Self::Coulomb(_) => None,
        }
    }

    /// How many continuous states the law adds to a contact: 0 or 1. They start at 0 when
    /// contact starts.
    pub fn state_count(&self) -> usize {
        usize::from(self.bristle_reach().is_some())
    }

    /// Whether the force at rest can have a range of values, so that the sliding direction must be
    /// a mode.
    pub fn is_set_valued(&self) -> bool {
        match self {
            Self::Coulomb(_) => true,
            Self::Custom(law) => law.is_set_valued(),
            Self::NoFriction
            | Self::CoulombTanh(_)
            | Self::CoulombRamp(_)
            | Self::CoulombCubic(_)
            | Self::Ambrosio(_)
            | Self::BaiZhao(_)
            | Self::Stribeck(_)
            | Self::LuGre(_) => false,
        }
    }
}

/// How the bristles of a contact move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bristle {
    /// ż in m/s.
    pub rate: f64,
    /// ∂ż/∂v.
    pub rate_by_speed: f64,
    /// ∂ż/∂z in 1/s.
    pub rate_by_z: f64,
    /// ∂c/∂z in 1/m of the coefficient c = −F/F_n.
    pub coefficient_by_z: f64,
}

/// Friction per unit of normal force, c = −F/F_n, with its slope.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Coefficient {
    /// c, positive where the force opposes a positive sliding speed.
    pub value: f64,
    /// ∂c/∂v in s/m.
    pub slope: f64,
}

impl Coefficient {
    /// Infinities held at the largest numbers, for a law that may have them.
    fn saturated(self) -> Self {
        Self { value: saturate(self.value), slope: saturate(self.slope) }
    }

    /// The force for a normal force; a pulling contact has none.
    #[inline]
    fn friction(self, normal: f64, v_t: f64) -> Friction {
        // Not `max`, which would turn NaN into zero.
        let normal = if normal < 0.0 { 0.0 } else { normal };
        // Subtracted from zero, so that no force is 0 and not −0.
        let force = saturate(0.0 - normal * self.value);
        Friction {
            force,
            slope: saturate(0.0 - normal * self.slope),
            power_lost: saturate(0.0 - force * v_t),
        }
    }
}

/// Replaces ±∞ by the largest numbers; NaN stays.
#[inline]
fn saturate(x: f64) -> f64 {
    x.clamp(-f64::MAX, f64::MAX)
}

/// −1, 0 or 1; NaN stays.
fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

fn positive(key: &'static str, value: f64) -> Result<f64, FrictionError> {
    above(key, value, 0.0, "(0, ∞)")
}

fn non_negative(key: &'static str, value: f64) -> Result<f64, FrictionError> {
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(FrictionError { key, value, allowed: "[0, ∞)" })
    }
}

fn above(
    key: &'static str,
    value: f64,
    low: f64,
    allowed: &'static str,
) -> Result<f64, FrictionError> {
    if value > low && value.is_finite() {
        Ok(value)
    } else {
        Err(FrictionError { key, value, allowed })
    }
}

#[cfg(test)]
mod tests;
