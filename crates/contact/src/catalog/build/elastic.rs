//! Building elastic laws.

use std::f64::consts::PI;

use super::{BuiltElastic, Inputs, Reader};
use crate::catalog::kind::ElasticKind;
use crate::catalog::problem::{LawProblem, LawProblems, Need};
use crate::catalog::sheet::Interval;
use crate::elastic::{BaiZhao, ElasticLaw, Liu, Logarithmic, Persson, Power};
use crate::material::equivalent_modulus;

impl ElasticKind {
    /// Whether the law is Kδⁿ, for any K and n.
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

    /// A law of the same kind with unit constants. It takes the place of a law that cannot be
    /// built, to find what else a request lacks.
    pub fn stand_in(self) -> ElasticLaw {
        if self.is_power_law() { power(1.0, 1.5) } else { ElasticLaw::Liu(Liu::new(1.0, 1.0, 1.0)) }
    }

    /// Builds the law.
    ///
    /// # Errors
    /// Everything that is missing or out of range.
    pub fn build(self, inputs: &Inputs) -> Result<BuiltElastic, LawProblems> {
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
            Self::BaiZhaoLength => over_length(&mut r, |r, length| {
                ElasticLaw::BaiZhao(BaiZhao::with_length(r.modulus(), r.delta_r(), length))
            }),
            Self::HertzCylinder => logarithmic(&mut r, &HERTZ_CYLINDER),
            Self::Johnson => logarithmic(&mut r, &JOHNSON),
            Self::Radzimovsky => logarithmic(&mut r, &RADZIMOVSKY),
            Self::Goldsmith => logarithmic(&mut r, &GOLDSMITH),
            Self::GoldsmithPrinted => logarithmic(&mut r, &GOLDSMITH_PRINTED),
            Self::DubowskyFreudenstein => logarithmic(&mut r, &DUBOWSKY_FREUDENSTEIN),
            Self::DubowskyFreudensteinPrinted => {
                logarithmic(&mut r, &DUBOWSKY_FREUDENSTEIN_PRINTED)
            }
            Self::Esdu => logarithmic(&mut r, &ESDU),
            Self::EsduPrinted => logarithmic(&mut r, &ESDU_PRINTED),
            Self::LankaraniNikraveshCylinder => (lankarani_nikravesh(&mut r, &mut notes), None),
            Self::Liu => over_length(&mut r, |r, length| {
                ElasticLaw::Liu(Liu::new(r.modulus(), r.delta_r(), length))
            }),
            Self::Pereira | Self::Pereira2014 => {
                over_length(&mut r, |r, length| pereira(self, r, length, &mut warnings))
            }
            Self::Persson => persson(&mut r, &mut warnings),
        };
        r.finish(BuiltElastic { law, length, warnings, notes })
    }
}

/// A law of a line contact, with its length.
fn over_length(
    r: &mut Reader,
    law: impl FnOnce(&mut Reader, f64) -> ElasticLaw,
) -> (ElasticLaw, Option<f64>) {
    let length = r.length();
    (law(r, length), Some(length))
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
        return r.missing(Need::StiffnessOrGeometry);
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
        None => r.missing(Need::HalfWidth),
    };
    half_width * r.modulus() / 0.475
}

/// Goldsmith's m = 1 makes the argument of the logarithm dimensional; the published numbers are
/// those in mm.
const SQUARE_MM: f64 = 1e-6;

/// A logarithmic law of cylinders, δ = (f/A)(ln(B/f) + C).
struct LineLaw {
    size: Size,
    published: Published,
    /// A, B, C.
    constants: fn(&Line) -> (f64, f64, f64),
}

/// The inputs of the constants of a logarithmic law.
struct Line {
    /// E*.
    e: f64,
    /// E of both bodies, if they have the same material.
    same: Option<f64>,
    /// ΔR or R.
    size: f64,
    length: f64,
}

/// Which length of the surfaces a law takes.
#[derive(Clone, Copy)]
enum Size {
    /// ΔR.
    DeltaR,
    /// R = R_iR_j/ΔR.
    Radius,
}

/// The load at which the sources end the domain of a logarithmic law.
#[derive(Clone, Copy)]
enum Published {
    /// They do not say.
    Nowhere,
    /// f = B e^{C−1}.
    WhereItStopsGrowing,
    /// f = B, "logarithm ≥ 0".
    WhereTheLogarithmVanishes,
}

/// Skrinjar2018 eq. (33).
const HERTZ_CYLINDER: LineLaw = LineLaw {
    size: Size::DeltaR,
    published: Published::Nowhere,
    constants: |x| (0.5 * PI * x.e, PI * x.e * x.size, -1.0),
};

/// Skrinjar2018 eq. (36); limit Pereira2011 eq. (10).
const JOHNSON: LineLaw = LineLaw {
    size: Size::DeltaR,
    published: Published::WhereItStopsGrowing,
    constants: |x| (PI * x.e, 4.0 * PI * x.e * x.size, -1.0),
};

/// Pereira2011 eq. (6); limit eq. (11).
const RADZIMOVSKY: LineLaw = LineLaw {
    size: Size::DeltaR,
    published: Published::WhereTheLogarithmVanishes,
    constants: |x| {
        let (modulus, b0) = x.same.map_or((x.e, 1.6), |young| (young, 2.15));
        (PI * x.e, 8.0 * x.size * modulus / (b0 * b0), 2.0 / 3.0)
    },
};

/// Pereira2011 eq. (8); limit eq. (12).
const GOLDSMITH: LineLaw = LineLaw {
    size: Size::Radius,
    published: Published::WhereTheLogarithmVanishes,
    constants: |x| (PI * x.e, SQUARE_MM * PI * x.e / x.size, 1.0),
};

/// Skrinjar2018 eq. (42).
const GOLDSMITH_PRINTED: LineLaw = LineLaw {
    size: Size::Radius,
    published: Published::WhereTheLogarithmVanishes,
    constants: |x| (x.e, SQUARE_MM * x.e / x.size, 1.0),
};

/// [`DUBOWSKY_FREUDENSTEIN_PRINTED`] with h = (1−ν²)/(πE), where the reviews omit the π.
const DUBOWSKY_FREUDENSTEIN: LineLaw = LineLaw {
    size: Size::Radius,
    published: Published::WhereTheLogarithmVanishes,
    constants: |x| (PI * x.e, PI * x.e * x.length * x.length / x.size, 1.0),
};

/// Skrinjar2018 eq. (43).
const DUBOWSKY_FREUDENSTEIN_PRINTED: LineLaw = LineLaw {
    size: Size::Radius,
    published: Published::WhereTheLogarithmVanishes,
    constants: |x| (x.e, x.e * x.length * x.length / x.size, 1.0),
};

/// [`ESDU_PRINTED`] with h = (1−ν²)/(πE), where the reviews omit the π.
const ESDU: LineLaw = LineLaw {
    size: Size::DeltaR,
    published: Published::WhereTheLogarithmVanishes,
    constants: |x| (PI * x.e, 4.0 * PI * x.e * x.size, 1.0),
};

/// Skrinjar2018 eq. (44).
const ESDU_PRINTED: LineLaw = LineLaw {
    size: Size::DeltaR,
    published: Published::WhereTheLogarithmVanishes,
    constants: |x| (x.e, 4.0 * x.e * x.size, 1.0),
};

/// A logarithmic law, and its length.
fn logarithmic(r: &mut Reader, law: &LineLaw) -> (ElasticLaw, Option<f64>) {
    let length = r.length();
    let [i, j] = r.materials();
    let size = match law.size {
        Size::DeltaR => r.delta_r(),
        Size::Radius => r.relative_radius(),
    };
    let same = i.same_elasticity(&j).then_some(i.young);
    let line = Line { e: equivalent_modulus(&i, &j), same, size, length };
    let (a, b, c) = (law.constants)(&line);
    let published = match law.published {
        Published::Nowhere => None,
        Published::WhereItStopsGrowing => Some(b * libm::exp(c - 1.0)),
        Published::WhereTheLogarithmVanishes => Some(b),
    };
    (ElasticLaw::Logarithmic(Logarithmic::new(a, b, c, length, published)), Some(length))
}

/// F = (4/3)E*√R δⁿ, times π if that is asked for (Skrinjar2018 eq. (46)); √R δⁿ in mm.
fn lankarani_nikravesh(r: &mut Reader, notes: &mut Vec<String>) -> ElasticLaw {
    let n = r.number("exponent");
    let pi = if r.flag("pi") { PI } else { 1.0 };
    let (modulus, radius) = (r.modulus(), r.relative_radius());
    if n != 1.5 {
        notes.push(
            "with an exponent other than 1.5 the force depends on the unit system; evaluated in N, mm, MPa".into(),
        );
    }
    power(pi * 4.0 / 3.0 * modulus * radius.sqrt() * libm::pow(1e3, n - 1.5), n)
}

/// Persson's law, which is only for two bodies of one material, a journal in a bearing, and its
/// length.
fn persson(r: &mut Reader, warnings: &mut Vec<String>) -> (ElasticLaw, Option<f64>) {
    let [i, j] = r.materials();
    if !i.same_elasticity(&j) {
        warnings.push("Persson's law holds for two bodies of the same material".into());
    }
    if r.inputs.surfaces.is_some_and(|s| !s.is_internal()) {
        warnings.push("Persson's law is for a journal in a bearing".into());
    }
    over_length(r, |r, length| {
        ElasticLaw::Persson(Persson::new(equivalent_modulus(&i, &j), r.delta_r(), length))
    })
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
        r.problems.push(LawProblem::Surfaces {
            law: kind.id(),
            why: "is for a journal in a bearing only; `pereira` has an external form",
        });
    }
    // the difference of two radii is accurate to a few units in their last place
    if !(0.005 * (1.0 - 1e-9)..=10.0 * (1.0 + 1e-9)).contains(&dr) && dr.is_finite() {
        let held = if external { "" } else { "; its exponent is held at the end of the domain" };
        warnings
            .push(format!("ΔR = {dr} mm lies outside the published domain 0.005 … 10 mm{held}"));
    }
    // the logarithm has no value at 1 µm, and the exponent grows without bound at the other end
    let inside = dr.clamp(0.005, 10.0);
    let (a, b, y) = match (external, earlier) {
        (true, _) => (0.39, 0.85, f64::NAN),
        (false, false) if inside <= 0.34954 => {
            (0.965, 0.0965, 1.51 * libm::pow(libm::log(1e3 * inside), -0.151))
        }
        (false, false) => (0.965, 0.0965, 0.0151 * inside + 1.151),
        (false, true) if inside <= 0.75 => {
            (0.49, 0.10, 1.56 * libm::pow(libm::log(1e3 * inside), -0.192))
        }
        (false, true) => (0.49, 0.10, 0.0028 * inside + 1.1083),
    };
    let n = if external { 1.094 } else { y * libm::pow(inside, -0.005) };
    let modulus = 1e-6 * r.modulus();
    let stiffness = (a * dr + b) * 1e3 * length * modulus / dr;
    power(stiffness * libm::pow(1e3, n), n)
}
