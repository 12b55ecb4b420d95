//! Dissipation: the force added to the elastic one.
//!
//! When contact starts, a damping law computes its coefficient from the impact speed and the
//! effective mass ([`DampingLaw::begin`]). While contact lasts, its force is a pure function of
//! that frozen memory, δ and δ̇ ([`DampingLaw::force`]). At maximum compression the caller records
//! in [`Touch`] that the approach is over.

mod begin;
mod custom;
mod factor;
mod properties;

use std::sync::Arc;

use crate::elastic::{Elastic, Power, UserForce};
use crate::restitution::Restitution;

pub use custom::{DampingForce, DampingModel};
pub use factor::Factor;
pub(crate) use properties::Recoverable;

/// δ and δ̇ of a contact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Approach {
    /// Indentation δ, m, positive in contact.
    pub delta: f64,
    /// Rate δ̇, m/s, positive in compression.
    pub delta_dot: f64,
}

/// Whether the bodies approach or separate; changes only at a located maximum or minimum of δ.
#[derive(
    serde::Serialize, serde::Deserialize, Clone, Copy, Debug, Default, PartialEq, Eq, Hash,
)]
pub enum Stage {
    /// The bodies approach.
    #[default]
    Compression,
    /// The bodies separate.
    Restitution,
}

/// Memory of one contact. Made at contact start, changed only at located events, owned by the
/// caller's state.
#[derive(serde::Serialize, serde::Deserialize, Clone, Copy, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "four independent facts about one contact")]
pub struct Touch {
    /// Impact speed δ̇₀ > 0 after the floor, m/s.
    pub impact_speed: f64,
    /// Effective mass m_eff, kg; the largest number if nothing can move the bodies.
    pub effective_mass: f64,
    /// Input restitution c_r at this impact speed.
    pub restitution: f64,
    /// Coefficient that the damping law computed from the above; its meaning depends on the law.
    pub coefficient: f64,
    /// Deepest indentation of a finished compression, m; 0 before the first maximum.
    pub max_delta: f64,
    /// Permanent indentation δ_p that it left, m; 0 for laws without one.
    pub permanent: f64,
    /// Whether the bodies approach or separate.
    pub stage: Stage,
    /// Whether the impact speed was raised to the floor.
    pub floored: bool,
    /// Whether the contact rests: it began at rest and is damped by a fraction of the critical
    /// damping ([`DampingLaw::rest`]), or a two-slope law holds it with a force between its two
    /// slopes ([`DampingLaw::held`]).
    pub resting: bool,
    /// Whether a speed-dependent restitution left [0, 1] and was clamped.
    pub restitution_cut: bool,
    /// Whether the law would pull and its force is cut to zero; the energy stored in the contact is
    /// then lost.
    pub cut: bool,
}

/// The reason why a contact cannot start with this law.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum BeginError {
    /// The bodies never part at this restitution: the damping grows without bound, or nothing
    /// pushes them apart.
    #[error(
        "restitution {restitution} is only a limit of this law: the bodies would never separate; use a value above it, such as {hint}"
    )]
    Limit {
        /// The input restitution.
        restitution: f64,
        /// A value that works.
        hint: f64,
    },
    /// The restitution lies outside the law's domain.
    #[error("restitution {restitution} lies outside the law's domain ({low}, 1]")]
    Domain {
        /// The input restitution.
        restitution: f64,
        /// End of the domain.
        low: f64,
    },
    /// The law is scaled by the effective mass, and the bodies have none: their motion is prescribed. For callers that
    /// know about bodies.
    #[error(
        "the law needs an effective mass, but the motion of the bodies in contact is prescribed: use a law that does not need one, or leave one of the bodies free"
    )]
    Prescribed,
    /// A law of a user has no finite coefficient for this impact.
    #[error("the damping coefficient of the law is {value}, not a finite number")]
    Coefficient {
        /// Its value.
        value: f64,
    },
    /// Impact speed or mass is not a positive finite number.
    #[error("{what} must be a positive finite number, not {value}")]
    NotPositive {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
    },
}

/// The dissipation laws of the catalogue, and an arm for laws written in Rust.
#[derive(Clone, Debug, PartialEq)]
pub enum DampingLaw {
    /// F = F_el.
    None,
    /// F = F_el(1 + a δ̇/δ̇₀), a from the restitution.
    Factor {
        /// Whose factor.
        factor: Factor,
        /// c_r.
        restitution: Restitution,
    },
    /// F = F_el(1 + (3/2)α δ̇ᵐ), odd in δ̇.
    HuntCrossleyAlpha {
        /// α, (s/m)ᵐ.
        alpha: f64,
        /// m > 0, 1 in the source.
        rate_exponent: f64,
    },
    /// F = F_el(1 + (3/4)α₁δ̇), Lee and Wang's linear law.
    LeeWangLinear {
        /// α₁, s/m.
        alpha_1: f64,
    },
    /// F = F_el + Dδ̇ with constant D.
    KelvinVoigt {
        /// D, N s/m.
        damping: f64,
    },
    /// Unloading along c_r·F_el.
    TwoSlope {
        /// c_r.
        restitution: Restitution,
        /// Speed over which the two slopes are blended by a tanh, m/s; 0 switches at the
        /// located maximum.
        smoothing_speed: f64,
    },
    /// D = 2ζ√((n+1)/2)·√(m_eff K)·δ^{(n−1)/2}, ζ = −ln c/√(π²+ln²c): Anagnostopoulos (n = 1)
    /// and Tsuji (n = 3/2).
    FractionOfCritical {
        /// c_r.
        restitution: Restitution,
        /// K and n.
        power: Power,
    },
    /// D = 2ξ√(m_eff K δ^{n−1}) on approach only.
    Jankowski {
        /// c_r.
        restitution: Restitution,
        /// K and n.
        power: Power,
    },
    /// D = χδᵖ, times m_eff if `per_mass`: Ristow, Schäfer, Lee and Herrmann, Bordbar and Hyppänen.
    PowerDashpot {
        /// χ.
        chi: f64,
        /// p.
        exponent: f64,
        /// Whether the effective mass multiplies χ.
        per_mass: bool,
    },
    /// D = A·dF_el/dδ.
    Brilliantov {
        /// A, s.
        relaxation: f64,
        /// K and n.
        power: Power,
    },
    /// [`Self::FractionOfCritical`] switched on over the indentation ε by
    /// T₂ = exp{[(δ−ε)−|δ−ε|]q/ε}.
    LeeWangTransition {
        /// c_r.
        restitution: Restitution,
        /// K and n.
        power: Power,
        /// q.
        q: f64,
        /// ε, m; 0 means T₂ = 1.
        epsilon: f64,
    },
    /// Permanent indentation: loading along Kδⁿ, unloading along K_r(δ−δ_p)ⁿ,
    /// δ_p = δ_max(1−e²).
    Plastic {
        /// e.
        restitution: Restitution,
        /// K and n.
        power: Power,
        /// Whether δ_p is kept after separation.
        memory: bool,
    },
    /// The difference of a formula of δ and δ̇ from its value at δ̇ = 0.
    Expression(Arc<UserForce>),
    /// A law written in Rust outside this crate.
    Custom(Arc<dyn DampingModel>),
}

jointplay_fingerprint::fingerprint!(enum DampingLaw {
    None, Factor { factor, restitution }, HuntCrossleyAlpha { alpha, rate_exponent },
    LeeWangLinear { alpha_1 }, KelvinVoigt { damping }, TwoSlope { restitution, smoothing_speed },
    FractionOfCritical { restitution, power }, Jankowski { restitution, power },
    PowerDashpot { chi, exponent, per_mass }, Brilliantov { relaxation, power },
    LeeWangTransition { restitution, power, q, epsilon }, Plastic { restitution, power, memory },
    Expression(of), Custom(of),
});

/// Damping force and its derivatives.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Damping {
    /// Force added to the elastic one, N.
    pub force: f64,
    /// ∂/∂δ, N/m.
    pub slope: f64,
    /// ∂/∂δ̇, N s/m.
    pub rate: f64,
}

impl DampingLaw {
    /// Whether the force jumps at δ̇ = 0: a two-slope law without a smoothing speed.
    pub fn is_sharp(&self) -> bool {
        matches!(self, Self::TwoSlope { smoothing_speed, .. } if *smoothing_speed == 0.0)
    }

    /// Force added to F_el, without its derivatives: the fast path for right-hand sides. Not for a
    /// contact that [rests](Touch::resting), whose damping also needs the elastic energy.
    #[inline]
    pub fn force(&self, f_el: f64, at: Approach, touch: &Touch) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Factor { .. } | Self::LeeWangLinear { .. } => {
                f_el * touch.coefficient * at.delta_dot
            }
            Self::KelvinVoigt { .. } => touch.coefficient * at.delta_dot,
            Self::HuntCrossleyAlpha { .. }
            | Self::TwoSlope { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Plastic { .. }
            | Self::Expression(_)
            | Self::Custom(_) => self.force_of_others(f_el, at, touch),
        }
    }

    #[inline(never)]
    fn force_of_others(&self, f_el: f64, at: Approach, touch: &Touch) -> f64 {
        let known = Elastic { force: f_el, ..Elastic::default() };
        self.eval(known, at, touch).force
    }

    /// Damping force with both derivatives; `e` is the elastic response at the same δ.
    pub fn eval(&self, e: Elastic, at: Approach, touch: &Touch) -> Damping {
        // a constant dashpot continues through δ = 0 until the caller ends the contact there
        let (delta, v) = (at.delta.max(0.0), at.delta_dot);
        let h = touch.coefficient;
        // χδᵖ·δ̇
        let dashpot = |p: f64| {
            let d = h * Power::pow(delta, p);
            let slope = if p == 0.0 || delta == 0.0 { 0.0 } else { p * d / delta * v };
            Damping { force: d * v, slope, rate: d }
        };
        match self {
            Self::None => Damping::default(),
            Self::Factor { .. } | Self::Custom(_) if touch.resting => {
                if !(e.energy > 0.0) {
                    return Damping::default();
                }
                let rate = h * e.force / (2.0 * e.energy).sqrt();
                let slope = rate * v * (e.slope / e.force - 0.5 * e.force / e.energy);
                Damping { force: rate * v, slope, rate }
            }
            Self::Factor { .. } | Self::LeeWangLinear { .. } => {
                Damping { force: e.force * h * v, slope: e.slope * h * v, rate: e.force * h }
            }
            Self::HuntCrossleyAlpha { rate_exponent: m, .. } => {
                let rate = h * libm::pow(v.abs(), *m);
                let signed = rate.copysign(v);
                let derivative =
                    if v == 0.0 && *m != 1.0 { 0.0 } else { h * m * libm::pow(v.abs(), m - 1.0) };
                Damping {
                    force: e.force * signed,
                    slope: e.slope * signed,
                    rate: e.force * derivative,
                }
            }
            Self::KelvinVoigt { .. } => Damping { force: h * v, slope: 0.0, rate: h },
            Self::TwoSlope { smoothing_speed, .. } => {
                let loss = 1.0 - touch.restitution;
                let smoothing_speed = if touch.resting { h } else { *smoothing_speed };
                if smoothing_speed > 0.0 {
                    let x = libm::tanh(v / smoothing_speed);
                    let share = -0.5 * loss * (1.0 - x);
                    let rate = 0.5 * loss * (1.0 - x * x) / smoothing_speed;
                    Damping { force: share * e.force, slope: share * e.slope, rate: rate * e.force }
                } else if touch.stage == Stage::Restitution {
                    Damping { force: -loss * e.force, slope: -loss * e.slope, rate: 0.0 }
                } else {
                    Damping::default()
                }
            }
            Self::FractionOfCritical { power, .. } => dashpot(0.5 * (power.exponent - 1.0)),
            Self::Jankowski { power, .. } => {
                if v > 0.0 {
                    dashpot(0.5 * (power.exponent - 1.0))
                } else {
                    Damping::default()
                }
            }
            Self::PowerDashpot { exponent, .. } => dashpot(*exponent),
            Self::Brilliantov { power, .. } => {
                let n = power.exponent;
                let d = h * n * power.stiffness * Power::pow(delta, n - 1.0);
                let slope = if n == 1.0 || delta == 0.0 { 0.0 } else { (n - 1.0) * d / delta * v };
                Damping { force: d * v, slope, rate: d }
            }
            Self::LeeWangTransition { power, q, epsilon, .. } => {
                let full = dashpot(0.5 * (power.exponent - 1.0));
                if *epsilon > 0.0 && delta < *epsilon {
                    let t = libm::exp(2.0 * (delta - epsilon) * q / epsilon);
                    Damping {
                        force: t * full.force,
                        slope: t * (full.slope + full.force * 2.0 * q / epsilon),
                        rate: t * full.rate,
                    }
                } else {
                    full
                }
            }
            Self::Plastic { power, .. } => {
                // on or above the virgin curve nothing is added
                if delta >= touch.max_delta {
                    return Damping::default();
                }
                let rest = touch.permanent;
                let (k, n) = (power.stiffness, power.exponent);
                let peak = k * Power::pow(touch.max_delta, n);
                let x = if delta > rest { (delta - rest) / (touch.max_delta - rest) } else { 0.0 };
                let force = peak * Power::pow(x, n);
                let slope = if x > 0.0 { n * force / (delta - rest) } else { 0.0 };
                Damping { force: force - e.force, slope: slope - e.slope, rate: 0.0 }
            }
            Self::Expression(law) => law.damping(at),
            Self::Custom(law) => law.force(e.force, at, touch).along(e),
        }
    }

    /// Indentation at which a contact with this memory ends: δ_p for permanent indentation,
    /// else 0.
    pub fn end_of_contact(&self, touch: &Touch) -> f64 {
        touch.permanent
    }
}
