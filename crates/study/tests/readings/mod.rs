//! Readings of the papers that are no laws of the catalogue: literal prints, hidden factors, other
//! materials. They stand beside the laws to show where a printed number comes from.
#![allow(dead_code, reason = "each test file uses its part")]

use std::f64::consts::PI;

use jointplay_contact::catalog::{ElasticKind, Inputs};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel, Logarithmic};
use jointplay_contact::{Material, STEEL, Surfaces, equivalent_modulus};

use crate::golden::{impact, law, numbers};

/// Length of the contacts of these tests, m: forces are loads per mm.
pub(crate) const LENGTH: f64 = 1e-3;

/// The steel of all papers, E* = 113.736 GPa.
pub(crate) const PAPER_STEEL: Material = STEEL;

/// The aluminium of Autiero2022.
pub(crate) const AUTIERO_ALUMINIUM: Material =
    Material { young: 70e9, poisson: 0.33, density: None };

/// E* of two bodies of one material, Pa.
pub(crate) fn modulus(material: Material) -> f64 {
    equivalent_modulus(&material, &material)
}

/// A cylinder law of the catalogue that needs the clearance [m] alone.
pub(crate) fn cylinder(kind: ElasticKind, material: Material, clearance: f64) -> ElasticLaw {
    let inputs = Inputs {
        clearance: Some(clearance),
        length: Some(LENGTH),
        materials: Some([material; 2]),
        ..Inputs::default()
    };
    kind.build(&inputs).unwrap_or_else(|e| panic!("{}: {e}", kind.id())).law
}

/// Radzimovsky with E* and 1.60 and this factor in the logarithm: 8 as printed, 16 if the width b
/// is inserted literally.
pub(crate) fn radzimovsky(factor: f64, material: Material, clearance: f64) -> ElasticLaw {
    let e = modulus(material);
    let b = factor * clearance * e / (1.6 * 1.6);
    ElasticLaw::Logarithmic(Logarithmic::new(PI * e, b, 2.0 / 3.0, LENGTH, None))
}

/// Goldsmith with (1 mm)² times this factor in the logarithm, relative radius R in m.
pub(crate) fn goldsmith(factor: f64, material: Material, radius: f64) -> ElasticLaw {
    let e = modulus(material);
    ElasticLaw::Logarithmic(Logarithmic::new(
        PI * e,
        factor * 1e-6 * PI * e / radius,
        1.0,
        LENGTH,
        None,
    ))
}

/// The factor that the Goldsmith fits of Autiero2022 hide in their logarithm.
pub(crate) const HIDDEN_FACTOR: f64 = 1e8;

/// Relative radius of a bore of 100 mm, m: the geometry behind tables 6 and 7 of Autiero2022.
pub(crate) fn bore_of_100_mm(clearance: f64) -> f64 {
    0.1 * (0.1 - clearance) / clearance
}

/// The two spheres of Skrinjar2018 section 3: K in N/m^1.5, m_eff in kg, δ̇₀ in m/s.
pub(crate) const STIFFNESS: f64 = 5.2e9;
pub(crate) const EFFECTIVE_MASS: f64 = 4.6;
pub(crate) const SPEED: f64 = 0.3;

/// Erratum 2: the row Hu–Guo with half the factor, 3(1−c)/(4c) in place of 3(1−c)/(2c). On a given
/// α the law F = F_el(1 + 1.5αδ̇) has the factor 1.5αδ̇₀.
pub(crate) fn half_hu_guo(c: f64) -> f64 {
    let alpha = 0.5 * (1.0 - c) / c / SPEED;
    let law =
        law("hertz+hunt-crossley-alpha", &numbers(&[("stiffness", STIFFNESS), ("alpha", alpha)]));
    impact(&law, EFFECTIVE_MASS, SPEED).restitution
}

/// Erratum 3: the row Anagnostopoulos with the dashpot as printed, χδδ̇ with
/// χ = 2(−ln c)/(π²+ln²c)·√(K m_eff), K read as N/m.
pub(crate) fn printed_anagnostopoulos(c: f64) -> f64 {
    // −ln c/(π²+ln²c) tends to 0 for c → 0
    let share = if c == 0.0 { 0.0 } else { -c.ln() / (PI * PI + c.ln().powi(2)) };
    let chi = 2.0 * share * (STIFFNESS * EFFECTIVE_MASS).sqrt();
    let law = law("linear+ristow", &numbers(&[("stiffness", STIFFNESS), ("chi", chi)]));
    impact(&law, EFFECTIVE_MASS, SPEED).restitution
}

/// Erratum 16: E* of steel as Pereira2011 rounds it, Pa.
pub(crate) const ROUNDED_MODULUS: f64 = 114e9;

/// Published limit of a law, N/mm, for a pin of this radius and clearance, m.
pub(crate) fn limit(kind: ElasticKind, radius: f64, clearance: f64) -> f64 {
    let inputs = Inputs {
        surfaces: Some(Surfaces::internal(radius + clearance, radius).unwrap()),
        clearance: Some(clearance),
        length: Some(LENGTH),
        materials: Some([PAPER_STEEL; 2]),
        ..Inputs::default()
    };
    kind.build(&inputs).unwrap().law.limits().published_force.unwrap()
}

/// Erratum 16: Goldsmith's limit (1 mm)²·πE*/R with the rounded modulus, R = r²/ΔR, in N/mm; `size`
/// is the radius of the pin, or its diameter where the paper took that.
pub(crate) fn rounded_goldsmith(size: f64, clearance: f64) -> f64 {
    1e-6 * PI * ROUNDED_MODULUS * clearance / (size * size) * LENGTH
}

/// K of `lankarani-nikravesh-cylinder` for n = 3/2, N/mm^n.
pub(crate) fn lankarani_stiffness(surfaces: Surfaces) -> f64 {
    let inputs = Inputs {
        surfaces: Some(surfaces),
        materials: Some([PAPER_STEEL; 2]),
        ..numbers(&[("exponent", 1.5)])
    };
    let law = ElasticKind::LankaraniNikraveshCylinder.build(&inputs).unwrap().law;
    law.as_power().unwrap().stiffness * 1e-3_f64.powf(1.5)
}
