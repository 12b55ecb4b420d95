//! Cylinder laws as the papers use them, and readings that explain their printed numbers: literal
//! formulas, hidden factors, rounded moduli. A reading is not a law of the catalogue; it shows the
//! origin of a printed number.

use std::f64::consts::PI;

use jointplay_contact::catalog::{ElasticKind, Inputs};
use jointplay_contact::elastic::{ElasticLaw, ElasticModel, Logarithmic};
use jointplay_contact::{Material, STEEL, Surfaces, equivalent_modulus};

use crate::Error;
use crate::law::numbers;

/// Length of a contact whose forces are loads in N/mm (m).
pub(crate) const MILLIMETRE: f64 = 1e-3;

/// The steel of the papers, E* = 113.736 GPa.
pub(crate) const PAPER_STEEL: Material = STEEL;

/// E* of two bodies of one material (Pa).
pub(crate) fn modulus(material: Material) -> f64 {
    equivalent_modulus(&material, &material)
}

/// The inputs of a cylinder law.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pair {
    pub(crate) surfaces: Option<Surfaces>,
    /// ΔR alone, if there are no radii (m).
    pub(crate) clearance: Option<f64>,
    pub(crate) material: Material,
    /// Length of the contact (m).
    pub(crate) length: f64,
}

impl Pair {
    /// A contact of 1 mm length with this ΔR (m): its forces are loads in N/mm.
    pub(crate) fn apart(material: Material, clearance: f64) -> Self {
        Pair { surfaces: None, clearance: Some(clearance), material, length: MILLIMETRE }
    }

    /// The same with radii.
    pub(crate) fn of(surfaces: Surfaces) -> Self {
        let material = PAPER_STEEL;
        Pair { surfaces: Some(surfaces), clearance: None, material, length: MILLIMETRE }
    }

    /// The law of the catalogue.
    pub(crate) fn law(&self, kind: ElasticKind) -> Result<ElasticLaw, Error> {
        self.law_with(kind, &[])
    }

    /// The law of the catalogue with other numbers by key.
    pub(crate) fn law_with(
        &self,
        kind: ElasticKind,
        pairs: &[(&str, f64)],
    ) -> Result<ElasticLaw, Error> {
        let inputs = Inputs {
            surfaces: self.surfaces,
            clearance: self.clearance,
            length: Some(self.length),
            materials: Some([self.material; 2]),
            ..numbers(pairs)
        };
        let built = kind.build(&inputs);
        built.map(|built| built.law).map_err(|cause| Error::Law(format!("{}: {cause}", kind.id())))
    }

    /// The load at which the source ends the law (N, over the length).
    pub(crate) fn published_limit(&self, kind: ElasticKind) -> Result<f64, Error> {
        let limit = self.law(kind)?.limits().published_force;
        limit.ok_or_else(|| Error::Law(format!("{} has no published limit", kind.id())))
    }
}

/// A journal with this ΔR in a bearing of this radius (m).
pub(crate) fn journal_in(bearing: f64, clearance: f64) -> Result<Surfaces, Error> {
    Surfaces::internal(bearing, bearing - clearance).map_err(|cause| Error::Law(cause.to_string()))
}

/// Radzimovsky with E* and 1.60 and this factor in the logarithm: 8 as printed, 16 if the width b is inserted literally
/// (erratum 10).
pub(crate) fn radzimovsky(factor: f64, material: Material, clearance: f64) -> ElasticLaw {
    let e = modulus(material);
    let b = factor * clearance * e / (1.6 * 1.6);
    ElasticLaw::Logarithmic(Logarithmic::new(PI * e, b, 2.0 / 3.0, MILLIMETRE, None))
}

/// Goldsmith over a length (m) with (1 mm)² times this factor in the logarithm, relative radius R (m): 1 in the catalogue,
/// 10⁶ evaluated in metres (erratum 28).
pub(crate) fn goldsmith(factor: f64, material: Material, radius: f64, length: f64) -> ElasticLaw {
    let a = PI * modulus(material);
    ElasticLaw::Logarithmic(Logarithmic::new(a, factor * 1e-6 * a / radius, 1.0, length, None))
}

/// The factor that the Goldsmith fits of Autiero2022 hide in their logarithm (erratum 12).
pub(crate) const HIDDEN_FACTOR: f64 = 1e8;

/// E* of steel as Pereira2011 rounds it (Pa, erratum 16).
pub(crate) const ROUNDED_MODULUS: f64 = 114e9;

/// Goldsmith's limit (1 mm)²·πE*/R with the rounded modulus, R = r²/ΔR, in N/mm (erratum 16); `size` is the radius of the
/// pin, or its diameter where the paper took that.
pub(crate) fn rounded_goldsmith(size: f64, clearance: f64) -> f64 {
    1e-6 * PI * ROUNDED_MODULUS * clearance / (size * size) * MILLIMETRE
}

/// K of `lankarani-nikravesh-cylinder` for n = 3/2 (N/mm^n).
pub(crate) fn lankarani_stiffness(surfaces: Surfaces) -> Result<f64, Error> {
    let kind = ElasticKind::LankaraniNikraveshCylinder;
    let law = Pair::of(surfaces).law_with(kind, &[("exponent", 1.5)])?;
    let power = law.as_power().ok_or_else(|| Error::Law("no power law".to_owned()))?;
    Ok(power.stiffness * 1e-3_f64.powf(1.5))
}
