//! Output restitution of a free impact in closed form, for the laws that have one.

use jointplay_contact::damping::{DampingLaw, Touch};
use jointplay_contact::{NormalLaw, Tension, restitution_of_factor};

/// e_N of a free impact at `speed` with this law and memory, or `None` if no closed form is
/// known. The memory's impact speed differs from `speed` only where the floor raised it.
///
/// - F = F_el(1 + aδ̇/δ̇₀): a(1+e) = ln((1+a)/(1−ae)), for every elastic law;
/// - dashpots that map to the linear oscillator by x = δ^{(n+1)/2}: e^{−πζ/√(1−ζ²)} if the force
///   may pull, else the speed at which it vanishes;
/// - unloading along c_r·F_el: √c_r; permanent indentation: e.
pub fn restitution(law: &NormalLaw, touch: &Touch, speed: f64) -> Option<f64> {
    if let Some(a) = law.damping.factor(touch) {
        return Some(restitution_of_factor(a / touch.impact_speed * speed));
    }
    if let Some(zeta) = law.damping.fraction_of_critical(touch) {
        return oscillator(zeta, law.tension);
    }
    match &law.damping {
        DampingLaw::TwoSlope { smoothing_speed, .. } => {
            (*smoothing_speed == 0.0).then(|| touch.restitution.sqrt())
        }
        DampingLaw::Plastic { .. } => Some(touch.restitution),
        DampingLaw::KelvinVoigt { damping } => {
            let power = law.elastic.as_power().filter(|p| p.exponent == 1.0)?;
            oscillator(
                damping / (2.0 * (power.stiffness * touch.effective_mass).sqrt()),
                law.tension,
            )
        }
        // `None`, `Factor`, `LeeWangLinear` and `FractionOfCritical` have a factor or a fraction of critical damping, and have returned.
        DampingLaw::None
        | DampingLaw::Factor { .. }
        | DampingLaw::HuntCrossleyAlpha { .. }
        | DampingLaw::LeeWangLinear { .. }
        | DampingLaw::FractionOfCritical { .. }
        | DampingLaw::Jankowski { .. }
        | DampingLaw::PowerDashpot { .. }
        | DampingLaw::Brilliantov { .. }
        | DampingLaw::LeeWangTransition { .. }
        | DampingLaw::Expression(_)
        | DampingLaw::Custom(_) => None,
    }
}

/// Restitution of a linear oscillator with the fraction ζ of critical damping.
///
/// With ω_d = ω√(1−ζ²): δ = (v₀/ω_d)e^{−ζωt} sin ω_d t returns to 0 at ω_d t = π; the force
/// vanishes where tan ω_d t = −2ζ√(1−ζ²)/(1−2ζ²) in (0, π), and the speed there is v₀e^{−ζωt}.
fn oscillator(zeta: f64, tension: Tension) -> Option<f64> {
    match tension {
        Tension::Keep if zeta >= 1.0 => None,
        Tension::Keep => {
            let root = ((1.0 - zeta) * (1.0 + zeta)).sqrt();
            Some((-std::f64::consts::PI * zeta / root).exp())
        }
        Tension::Clip if zeta < 1.0 => {
            let root = ((1.0 - zeta) * (1.0 + zeta)).sqrt();
            let angle = (2.0 * zeta * root).atan2(2.0 * zeta * zeta - 1.0);
            Some((-zeta / root * angle).exp())
        }
        Tension::Clip if zeta == 1.0 => Some((-2.0_f64).exp()),
        Tension::Clip => {
            // tanh ω_h t = 2ζ√(ζ²−1)/(2ζ²−1), that is cosh ½ω_h t = ζ
            let root = ((zeta - 1.0) * (zeta + 1.0)).sqrt();
            let angle = 2.0 * zeta.acosh();
            Some((-zeta / root * angle).exp())
        }
    }
}
