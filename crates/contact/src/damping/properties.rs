//! Properties of the damping laws. Every match names every law, so that a new law cannot get the
//! properties of another by oversight.

use super::begin::{fraction_of_critical, resting_fraction};
use super::{Approach, DampingLaw, Touch};
use crate::restitution::Restitution;

/// The fraction of the work done on a contact that it can give back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Recoverable {
    /// The elastic energy.
    Elastic,
    /// This fraction of the elastic energy.
    Share(f64),
    /// The energy under an unloading curve K_r(δ−δ_p)ⁿ.
    Unloading {
        /// n.
        exponent: f64,
    },
}

impl DampingLaw {
    /// The fraction of the work done on a contact that it can give back.
    #[inline]
    pub(crate) fn recoverable(&self, at: Approach, touch: &Touch) -> Recoverable {
        match self {
            Self::TwoSlope { .. } => Recoverable::Share(touch.restitution),
            Self::Plastic { .. } if at.delta >= touch.max_delta => {
                Recoverable::Share(touch.restitution * touch.restitution)
            }
            Self::Plastic { power, .. } => Recoverable::Unloading { exponent: power.exponent },
            Self::Custom(law) => Recoverable::Share(law.recoverable_share(touch)),
            Self::None
            | Self::Factor { .. }
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Expression(_) => Recoverable::Elastic,
        }
    }

    /// Whether a slow contact rests on a fraction of the critical damping.
    pub(super) fn rests(&self) -> bool {
        match self {
            Self::Factor { .. } => true,
            Self::Custom(law) => law.rests() && law.restitution().is_some(),
            Self::None
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Plastic { .. }
            | Self::Expression(_) => false,
        }
    }

    /// Whether the damping depends on the impact speed, by itself or through its restitution.
    pub fn uses_impact_speed(&self) -> bool {
        match self {
            Self::Factor { .. } => true,
            Self::Custom(law) => law.uses_impact_speed(),
            Self::None
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Plastic { .. }
            | Self::Expression(_) => {
                self.restitution().is_some_and(|c| !matches!(c, Restitution::Constant(_)))
            }
        }
    }

    /// Whether the coefficient depends on the effective mass.
    pub fn uses_effective_mass(&self) -> bool {
        match self {
            Self::FractionOfCritical { .. }
            | Self::LeeWangTransition { .. }
            | Self::Jankowski { .. } => true,
            Self::PowerDashpot { per_mass, .. } => *per_mass,
            Self::Custom(law) => law.uses_effective_mass(),
            Self::None
            | Self::Factor { .. }
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::Brilliantov { .. }
            | Self::Plastic { .. }
            | Self::Expression(_) => false,
        }
    }

    /// The restitution that the law takes, if it takes one.
    pub fn restitution(&self) -> Option<&Restitution> {
        match self {
            Self::Factor { restitution, .. }
            | Self::TwoSlope { restitution, .. }
            | Self::FractionOfCritical { restitution, .. }
            | Self::Jankowski { restitution, .. }
            | Self::LeeWangTransition { restitution, .. }
            | Self::Plastic { restitution, .. } => Some(restitution),
            Self::Custom(law) => law.restitution(),
            Self::None
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::Expression(_) => None,
        }
    }

    /// Permanent indentation δ_p = δ_max(1−e²) that a compression to `max_delta` leaves.
    pub(crate) fn permanent(&self, restitution: f64, max_delta: f64) -> f64 {
        match self {
            // rounding must not put the end of a contact beyond its deepest point
            Self::Plastic { .. } => {
                (max_delta * ((1.0 - restitution) * (1.0 + restitution))).min(max_delta)
            }
            Self::None
            | Self::Factor { .. }
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Expression(_)
            | Self::Custom(_) => 0.0,
        }
    }

    /// ζ of a law whose dashpot is a constant fraction of the critical one.
    pub fn fraction_of_critical(&self, touch: &Touch) -> Option<f64> {
        match self {
            Self::Factor { .. } | Self::Custom(_) => {
                touch.resting.then(|| resting_fraction(touch.restitution))
            }
            Self::FractionOfCritical { .. } => Some(fraction_of_critical(touch.restitution)),
            Self::LeeWangTransition { epsilon, .. } => {
                (*epsilon == 0.0).then(|| fraction_of_critical(touch.restitution))
            }
            Self::None
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::Plastic { .. }
            | Self::Expression(_) => None,
        }
    }

    /// Whether a compression leaves a permanent indentation.
    pub fn leaves_dent(&self) -> bool {
        match self {
            Self::Plastic { .. } => true,
            Self::None
            | Self::Factor { .. }
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Expression(_)
            | Self::Custom(_) => false,
        }
    }

    /// Whether permanent indentation is kept after separation.
    pub fn remembers(&self) -> bool {
        matches!(self, Self::Plastic { memory: true, .. })
    }

    /// The factor a of F = F_el(1 + a δ̇/δ̇₀) if the law has that form.
    pub fn factor(&self, touch: &Touch) -> Option<f64> {
        let from_coefficient = || touch.coefficient * touch.impact_speed;
        match self {
            Self::None => Some(0.0),
            Self::Factor { .. } => (!touch.resting).then(from_coefficient),
            Self::LeeWangLinear { .. } => Some(from_coefficient()),
            Self::HuntCrossleyAlpha { rate_exponent, .. } => {
                (*rate_exponent == 1.0).then(from_coefficient)
            }
            Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Plastic { .. }
            | Self::Expression(_)
            | Self::Custom(_) => None,
        }
    }

    /// Indentation at which the damping has a kink, m; a step of an integration should end there.
    pub fn kink(&self) -> Option<f64> {
        match self {
            Self::LeeWangTransition { epsilon, .. } => Some(*epsilon).filter(|e| *e > 0.0),
            Self::Custom(law) => law.kink(),
            Self::None
            | Self::Factor { .. }
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::TwoSlope { .. }
            | Self::FractionOfCritical { .. }
            | Self::Jankowski { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::Plastic { .. }
            | Self::Expression(_) => None,
        }
    }

    /// Whether the force changes its form at maximum compression.
    pub fn has_stages(&self) -> bool {
        match self {
            Self::TwoSlope { .. } | Self::Jankowski { .. } | Self::Plastic { .. } => true,
            Self::Custom(law) => law.has_stages(),
            Self::None
            | Self::Factor { .. }
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::KelvinVoigt { .. }
            | Self::FractionOfCritical { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Expression(_) => false,
        }
    }

    /// Whether the sum of elastic and damping force can become negative in a free impact.
    pub fn can_pull(&self) -> bool {
        match self {
            Self::KelvinVoigt { .. }
            | Self::FractionOfCritical { .. }
            | Self::PowerDashpot { .. }
            | Self::Brilliantov { .. }
            | Self::LeeWangTransition { .. }
            | Self::Expression(_) => true,
            Self::Custom(law) => law.can_pull(),
            Self::None
            | Self::Factor { .. }
            | Self::HuntCrossleyAlpha { .. }
            | Self::LeeWangLinear { .. }
            | Self::TwoSlope { .. }
            | Self::Jankowski { .. }
            | Self::Plastic { .. } => false,
        }
    }
}
