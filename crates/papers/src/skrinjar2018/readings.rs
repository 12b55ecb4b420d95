//! Readings of the paper that are not laws of the catalogue: they show the origin of a printed
//! number.

use std::f64::consts::PI;

use jointplay_contact::elastic::{ElasticModel, Logarithmic};
use jointplay_study::impact::{DEFAULT_TOLERANCE, Impact, ImpactError};

use super::spheres::{EFFECTIVE_MASS, SPEED, STIFFNESS, law_of};
use crate::Error;
use crate::law::{impact, law, numbers};

/// e_N of the spheres; 0 if the restitution is a limit of the law.
pub(super) fn returned(damping: &str, c: f64) -> Result<f64, Error> {
    let law = law_of(damping, c)?;
    let bench = Impact {
        law: &law,
        effective_mass: EFFECTIVE_MASS,
        speed: SPEED,
        tolerance: DEFAULT_TOLERANCE,
    };
    match bench.run() {
        Ok(result) => Ok(result.restitution),
        // no finite factor, or critical damping: the bodies stay together
        Err(ImpactError::Begin(_) | ImpactError::NeverParts { .. }) if c == 0.0 => Ok(0.0),
        Err(error) => Err(Error::Run(format!("{damping}, c_r = {c}: {error}"))),
    }
}

/// Erratum 2: the row Hu–Guo with half the factor, 3(1−c)/(4c) in place of 3(1−c)/(2c). On a given α the law
/// F = F_el(1 + 1.5αδ̇) has the factor 1.5αδ̇₀.
pub(super) fn half_hu_guo(c: f64) -> Result<f64, Error> {
    let alpha = 0.5 * (1.0 - c) / c / SPEED;
    let inputs = numbers(&[("stiffness", STIFFNESS), ("alpha", alpha)]);
    let law = law("hertz+hunt-crossley-alpha", &inputs)?;
    Ok(impact(&law, EFFECTIVE_MASS, SPEED, 2)?.restitution)
}

/// Erratum 3: the row Anagnostopoulos with the dashpot as printed, χδδ̇ with χ = 2(−ln c)/(π²+ln²c)·√(K m_eff), K read
/// as N/m.
pub(super) fn printed_anagnostopoulos(c: f64) -> Result<f64, Error> {
    // −ln c/(π²+ln²c) tends to 0 for c → 0
    let share = if c == 0.0 { 0.0 } else { -c.ln() / (PI * PI + c.ln().powi(2)) };
    let chi = 2.0 * share * (STIFFNESS * EFFECTIVE_MASS).sqrt();
    let law = law("linear+ristow", &numbers(&[("stiffness", STIFFNESS), ("chi", chi)]))?;
    Ok(impact(&law, EFFECTIVE_MASS, SPEED, 2)?.restitution)
}

/// Erratum 10: Radzimovsky's indentation (m) with the contact width inserted literally, B = 16ΔR E*/2.15².
pub(super) fn literal_radzimovsky(modulus: f64, clearance: f64, load: f64) -> Option<f64> {
    let b = 16.0 * clearance * modulus / (2.15 * 2.15);
    Logarithmic::new(PI * modulus, b, 2.0 / 3.0, 1.0, None).indentation(load)
}
