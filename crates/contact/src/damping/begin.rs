//! What a damping law remembers from the start of a contact.

use super::{BeginError, DampingLaw, Stage, Touch};
use crate::elastic::{Elastic, Power};

/// ζ = −ln c/√(π²+ln²c), the fraction of critical damping with restitution c; 1 at c = 0.
pub(super) fn fraction_of_critical(c: f64) -> f64 {
    if c == 0.0 {
        return 1.0;
    }
    let l = libm::log(c);
    -l / libm::hypot(std::f64::consts::PI, l)
}

/// ζ of a dashpot along √(2U) with which a free impact returns c if the contact ends as soon as it
/// would pull.
///
/// In √(2U) and the momentum such an impact is that of a linear oscillator, ẍ + 2ζẋ + x = 0, which ends where ẍ = 0: with
/// ω = √|1 − ζ²| it returns exp(−ζ/ω·atan2(2ζω, 2ζ² − 1)) for ζ < 1 and exp(−2ζ/ω·ln(ζ + ω)) above
/// (Schwager, Pöschel, *Granular Matter* 9 (2007) 465–469).
pub(super) fn resting_fraction(c: f64) -> f64 {
    // More damping would change little and make the equations stiffer.
    let c = c.max(0.01);
    let returned = |zeta: f64| {
        let omega = ((1.0 - zeta) * (1.0 + zeta)).abs().sqrt();
        let decay = if omega < 1e-6 {
            2.0
        } else if zeta < 1.0 {
            zeta / omega * libm::atan2(2.0 * zeta * omega, 2.0 * zeta * zeta - 1.0)
        } else {
            2.0 * zeta / omega * libm::log(zeta + omega)
        };
        libm::exp(-decay)
    };
    // ζ is 4.8 at c = 0.01.
    let [mut low, mut high] = [0.0, 8.0];
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if returned(middle) > c {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// 2ζ√((n+1)/2)·√(m_eff K).
fn critical_coefficient(c: f64, power: &Power, effective_mass: f64) -> f64 {
    2.0 * fraction_of_critical(c)
        * (0.5 * (power.exponent + 1.0)).sqrt()
        * (effective_mass * power.stiffness).sqrt()
}

impl DampingLaw {
    /// Starts a contact: checks the data and computes the coefficient. Between bodies whose motion is prescribed there is
    /// no effective mass: a law that [does not use it](Self::uses_effective_mass) may be given any, such as the largest
    /// number.
    ///
    /// # Errors
    /// [`BeginError`] if the restitution has no finite damping or the numbers are not positive.
    pub fn begin(&self, impact_speed: f64, effective_mass: f64) -> Result<Touch, BeginError> {
        for (what, value) in [("impact speed", impact_speed), ("effective mass", effective_mass)] {
            if !(value > 0.0 && value.is_finite()) {
                return Err(BeginError::NotPositive { what, value });
            }
        }
        let (restitution, restitution_cut) =
            self.restitution().map_or((1.0, false), |r| r.at(impact_speed));
        if restitution.is_nan() {
            return Err(BeginError::Domain { restitution, low: 0.0 });
        }
        let limit = BeginError::Limit { restitution, hint: 0.01 };
        let m = effective_mass;
        let coefficient = match self {
            Self::Factor { factor, .. } => {
                let a = factor
                    .at(restitution)
                    .ok_or(BeginError::Domain { restitution, low: 1.0 / 3.0 })?;
                if !a.is_finite() {
                    return Err(limit);
                }
                a / impact_speed
            }
            Self::HuntCrossleyAlpha { alpha, .. } => 1.5 * alpha,
            Self::LeeWangLinear { alpha_1 } => 0.75 * alpha_1,
            Self::KelvinVoigt { damping } => *damping,
            Self::FractionOfCritical { power, .. } | Self::LeeWangTransition { power, .. } => {
                critical_coefficient(restitution, power, m)
            }
            Self::Jankowski { power, .. } => {
                if restitution == 0.0 {
                    return Err(limit);
                }
                let c = restitution;
                let xi = 4.5 * 5.0_f64.sqrt() * (1.0 - c * c)
                    / (c * (c * (9.0 * std::f64::consts::PI - 16.0) + 16.0));
                2.0 * xi * (m * power.stiffness).sqrt()
            }
            Self::PowerDashpot { chi, per_mass, .. } => {
                if *per_mass {
                    m * chi
                } else {
                    *chi
                }
            }
            Self::Brilliantov { relaxation, .. } => *relaxation,
            // without a force in restitution the bodies never separate
            Self::Plastic { .. } | Self::TwoSlope { .. } if restitution == 0.0 => {
                return Err(limit);
            }
            Self::None
            | Self::Expression(_)
            | Self::Plastic { .. }
            | Self::TwoSlope { .. }
            | Self::Custom(_) => 0.0,
        };
        let touch = Touch {
            impact_speed,
            effective_mass,
            restitution,
            coefficient,
            max_delta: 0.0,
            permanent: 0.0,
            stage: Stage::Compression,
            floored: false,
            resting: false,
            restitution_cut,
            cut: false,
        };
        if let Self::Custom(law) = self {
            let coefficient = law.coefficient(&touch)?;
            if !coefficient.is_finite() {
                return Err(BeginError::Coefficient { value: coefficient });
            }
            return Ok(Touch { coefficient, ..touch });
        }
        Ok(touch)
    }

    /// Starts a contact that is not an impact: the bodies are pressed together from rest, at `speed` or less. `None` for a law
    /// whose damping does not depend on the impact speed, which may begin as usual.
    ///
    /// F = F_el(1 + a δ̇/δ̇₀) has no meaning for such a contact: it is derived for an impact whose
    /// energy is all kinetic at the start, and for δ̇₀ → 0 its damping grows without bound.
    /// Instead, the fraction of critical damping that corresponds to the restitution is used: F =
    /// F_el + 2ζ √m_eff F_el/√(2U) δ̇ with the elastic energy U, the dashpot of Anagnostopoulos and
    /// Tsuji for any elastic law. It does not depend on any speed, is hardly stiffer than the
    /// spring, and an impact with this ζ returns c.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    pub fn rest(&self, speed: f64, effective_mass: f64) -> Result<Option<Touch>, BeginError> {
        if !self.rests() {
            return Ok(None);
        }
        let touch = self.begin(speed, effective_mass)?;
        let zeta = resting_fraction(touch.restitution);
        // Bodies whose motion is prescribed have no mass that could oscillate.
        let prescribed = effective_mass == f64::MAX;
        let coefficient = if prescribed { 0.0 } else { 2.0 * zeta * effective_mass.sqrt() };
        Ok(Some(Touch { coefficient, resting: true, ..touch }))
    }

    /// The memory of a contact that a two-slope law holds at rest: the load lies between the force for approaching and the force
    /// for separating bodies, so the bodies are pushed back if they approach and pressed together if they separate. From then on
    /// the two slopes are blended over a range of speeds chosen such that the damping is critical. `None` for other laws.
    pub fn held(&self, touch: Touch, elastic: Elastic) -> Option<Touch> {
        let stiffness = (touch.effective_mass * elastic.slope).sqrt();
        let speed = 0.25 * (1.0 - touch.restitution) * elastic.force / stiffness;
        let held = self.is_sharp() && speed.is_normal();
        held.then_some(Touch {
            coefficient: speed,
            resting: true,
            stage: Stage::Compression,
            ..touch
        })
    }

    /// The memory of a contact with a two-slope law that continues in this stage, whether or not it was held before.
    pub fn released(&self, touch: Touch, stage: Stage) -> Touch {
        let coefficient = if touch.resting { 0.0 } else { touch.coefficient };
        Touch { coefficient, resting: false, stage, ..touch }
    }
}
