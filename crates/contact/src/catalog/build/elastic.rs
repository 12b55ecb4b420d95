//! Building elastic laws.

use std::f64::consts::PI;

use super::{BuiltElastic, Inputs, Reader};
use crate::catalog::kind::ElasticKind;
use crate::catalog::problem::{Problem, Problems};
use crate::catalog::sheet::Interval;
use crate::elastic::{BaiZhao, ElasticLaw, Liu, Logarithmic, Persson, Power};
use crate::material::equivalent_modulus;

impl ElasticKind {
    /// Whether the law is Kδⁿ, whatever its K and n.
    pub fn is_power_law(self) -> bool {
        matches!(
            self,
            Self::Hertz
                | Self::PlanePlane
                | Self::Linear
                | Self::Power
                | Self::LankaraniNikraveshCylinder
                | Self::Pereira
                | Self::Pereira2014
        )
    }

    /// A law of the same kind with unit constants: it stands in for one that lacks something,
    /// to find out what else a request lacks.
    pub fn stand_in(self) -> ElasticLaw {
        if self.is_power_law() { power(1.0, 1.5) } else { ElasticLaw::Liu(Liu::new(1.0, 1.0, 1.0)) }
    }

    /// Builds the law.
    ///
    /// # Errors
    /// Everything that is missing or out of range.
    pub fn build(self, inputs: &Inputs) -> Result<BuiltElastic, Problems> {
        let mut r = Reader::new(self.sheet(), inputs);
        let (mut warnings, mut notes) = (Vec::new(), Vec::new());
        let (law, length) = match self {
            Self::Hertz => (power(hertz_stiffness(&mut r), 1.5), None),
            Self::PlanePlane => (power(plane_stiffness(&mut r), 1.0), None),
            Self::Linear => (power(r.number("stiffness"), 1.0), None),
            Self::Power => (power(r.number("stiffness"), r.number("exponent")), None),
            Self::BaiZhao => {
                (ElasticLaw::BaiZhao(BaiZhao::as_plotted(r.modulus(), r.delta_r())), None)
            }
            Self::BaiZhaoLength => {
                let length = r.length();
                (
                    ElasticLaw::BaiZhao(BaiZhao::with_length(r.modulus(), r.delta_r(), length)),
                    Some(length),
                )
            }
            Self::HertzCylinder
            | Self::Johnson
            | Self::Radzimovsky
            | Self::Goldsmith
            | Self::GoldsmithPrinted
            | Self::DubowskyFreudenstein
            | Self::DubowskyFreudensteinPrinted
            | Self::Esdu
            | Self::EsduPrinted => {
                let law = logarithmic(self, &mut r);
                (ElasticLaw::Logarithmic(law), Some(law.length()))
            }
            Self::LankaraniNikraveshCylinder => {
                let n = r.number("exponent");
                let pi = if r.flag("pi") { PI } else { 1.0 };
                let (modulus, radius) = (r.modulus(), r.relative_radius());
                if n != 1.5 {
                    notes.push(
                        "with an exponent other than 1.5 the force depends on the unit system; evaluated in N, mm, MPa".into(),
                    );
                }
                // Skrinjar2018 eq. (46); √R δⁿ in mm
                let stiffness = pi * 4.0 / 3.0 * modulus * radius.sqrt() * 1e3_f64.powf(n - 1.5);
                (power(stiffness, n), None)
            }
            Self::Liu => {
                let length = r.length();
                (ElasticLaw::Liu(Liu::new(r.modulus(), r.delta_r(), length)), Some(length))
            }
            Self::Pereira | Self::Pereira2014 => {
                let length = r.length();
                (pereira(self, &mut r, length, &mut warnings), Some(length))
            }
            Self::Persson => {
                let [i, j] = r.materials();
                if !i.same_elasticity(&j) {
                    warnings.push("Persson's law holds for two bodies of the same material".into());
                }
                if r.inputs.surfaces.is_some_and(|s| !s.is_internal()) {
                    warnings.push("Persson's law is for a journal in a bearing".into());
                }
                let length = r.length();
                (
                    ElasticLaw::Persson(Persson::new(
                        equivalent_modulus(&i, &j),
                        r.delta_r(),
                        length,
                    )),
                    Some(length),
                )
            }
        };
        r.finish(BuiltElastic { law, length, warnings, notes })
    }
}

fn power(stiffness: f64, exponent: f64) -> ElasticLaw {
    ElasticLaw::Power(Power { stiffness, exponent })
}

/// K = (4/3)E*√R, or as given (Skrinjar2018 eqs. (2)–(4)).
fn hertz_stiffness(r: &mut Reader) -> f64 {
    if r.inputs.numbers.contains_key("stiffness") {
        return r.number("stiffness");
    }
    if r.inputs.surfaces.is_none() && r.inputs.materials.is_none() {
        return r.missing("a stiffness", "or radii and material");
    }
    4.0 / 3.0 * r.modulus() * r.relative_radius().sqrt()
}

/// K = aE*/0.475, or as given (Skrinjar2018 eq. (5)).
fn plane_stiffness(r: &mut Reader) -> f64 {
    if r.inputs.numbers.contains_key("stiffness") {
        return r.number("stiffness");
    }
    let half_width = match r.inputs.half_width {
        Some(a) => r.check("half_width", a, Interval::POSITIVE, "m"),
        None => r.missing("the half width a of the contact", "or a stiffness"),
    };
    half_width * r.modulus() / 0.475
}

/// A, B, C and the published limit of the logarithmic laws.
fn logarithmic(kind: ElasticKind, r: &mut Reader) -> Logarithmic {
    use ElasticKind as K;
    let length = r.length();
    let [i, j] = r.materials();
    let e = equivalent_modulus(&i, &j);
    let needs_radius = matches!(
        kind,
        K::Goldsmith
            | K::GoldsmithPrinted
            | K::DubowskyFreudenstein
            | K::DubowskyFreudensteinPrinted
    );
    let size = if needs_radius { r.relative_radius() } else { r.delta_r() };
    // Goldsmith's m = 1 makes the argument of the logarithm dimensional; the published numbers are in mm
    let square_mm = 1e-6;
    let (a, b, c): (f64, f64, f64) = match kind {
        K::HertzCylinder => (0.5 * PI * e, PI * e * size, -1.0), // Skrinjar2018 eq. (33)
        K::Radzimovsky => {
            // Pereira2011 eq. (6)
            let (modulus, b0) = if i.same_elasticity(&j) { (i.young, 2.15) } else { (e, 1.6) };
            (PI * e, 8.0 * size * modulus / (b0 * b0), 2.0 / 3.0)
        }
        K::Goldsmith => (PI * e, square_mm * PI * e / size, 1.0), // Pereira2011 eq. (8)
        K::GoldsmithPrinted => (e, square_mm * e / size, 1.0),    // Skrinjar2018 eq. (42)
        K::DubowskyFreudenstein => (PI * e, PI * e * length * length / size, 1.0),
        K::DubowskyFreudensteinPrinted => (e, e * length * length / size, 1.0), // Skrinjar2018 eq. (43)
        K::Esdu => (PI * e, 4.0 * PI * e * size, 1.0),
        K::EsduPrinted => (e, 4.0 * e * size, 1.0), // Skrinjar2018 eq. (44)
        _ => (PI * e, 4.0 * PI * e * size, -1.0),   // Skrinjar2018 eq. (36)
    };
    let published = match kind {
        K::HertzCylinder => None,
        K::Johnson => Some(b * (c - 1.0).exp()), // Pereira2011 eq. (10)
        _ => Some(b),                            // Pereira2011 eqs. (11), (12)
    };
    Logarithmic::new(a, b, c, length, published)
}

/// F = ((aΔR+b)LE*/ΔR)δⁿ in mm, N, MPa (Skrinjar2018 eqs. (47)–(48)).
fn pereira(
    kind: ElasticKind,
    r: &mut Reader,
    length: f64,
    warnings: &mut Vec<String>,
) -> ElasticLaw {
    let earlier = kind == ElasticKind::Pereira2014;
    let external = r.inputs.surfaces.is_some_and(|s| !s.is_internal());
    let dr = 1e3 * r.delta_r(); // mm
    if external && earlier {
        r.problems.push(Problem::Surfaces {
            law: kind.id(),
            why: "is for a journal in a bearing only; `pereira` has an external form",
        });
    }
    if !(0.005..=10.0).contains(&dr) && dr.is_finite() {
        warnings.push(format!("ΔR = {dr} mm lies outside the published domain 0.005 … 10 mm"));
    }
    // the logarithm has no value below 1 µm: the law ends at its domain
    let inside = dr.max(0.005);
    let (a, b, y) = match (external, earlier) {
        (true, _) => (0.39, 0.85, f64::NAN),
        (false, false) if inside <= 0.34954 => {
            (0.965, 0.0965, 1.51 * (1e3 * inside).ln().powf(-0.151))
        }
        (false, false) => (0.965, 0.0965, 0.0151 * inside + 1.151),
        (false, true) if inside <= 0.75 => (0.49, 0.10, 1.56 * (1e3 * inside).ln().powf(-0.192)),
        (false, true) => (0.49, 0.10, 0.0028 * inside + 1.1083),
    };
    let n = if external { 1.094 } else { y * inside.powf(-0.005) };
    let modulus = 1e-6 * r.modulus();
    let stiffness = (a * dr + b) * 1e3 * length * modulus / dr;
    power(stiffness * 1e3_f64.powf(n), n)
}
