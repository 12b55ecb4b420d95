//! From a name and what the user knows to a law, with every problem at once.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::kind::{DampingKind, ElasticKind, FrictionKind};
use super::problem::{Problem, Problems, nearest};
use super::sheet::{Interval, Sheet};
use crate::damping::{DampingLaw, Factor};
use crate::elastic::{BaiZhao, ElasticLaw, Liu, Logarithmic, Persson, Power};
use crate::friction::{
    self, Ambrosio, Coulomb, CoulombCubic, CoulombRamp, CoulombTanh, FrictionError, FrictionLaw,
    LuGre, Stribeck, StribeckCurve,
};
use crate::geometry::Surfaces;
use crate::material::{Material, equivalent_modulus};
use crate::restitution::Restitution;

/// What the user knows about a contact. A law takes what it needs and names what is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Radii of the two surfaces.
    pub surfaces: Option<Surfaces>,
    /// ΔR given directly, m; replaces that of the surfaces.
    pub clearance: Option<f64>,
    /// Length of a line contact, m.
    pub length: Option<f64>,
    /// Half width of a flat contact, m.
    pub half_width: Option<f64>,
    /// Materials of body i and body j.
    pub materials: Option<[Material; 2]>,
    /// Input restitution.
    pub restitution: Option<Restitution>,
    /// Other parameters by the keys of the data sheets: `stiffness`, `exponent`, `chi`, …
    pub numbers: BTreeMap<String, f64>,
}

/// An elastic law with what is worth knowing about it.
#[derive(Clone, Debug)]
pub struct BuiltElastic {
    /// The law.
    pub law: ElasticLaw,
    /// Length by which its load per length was multiplied, m; `None` for a point contact.
    pub length: Option<f64>,
    /// Where the request leaves the law's published domain, in sentences.
    pub warnings: Vec<String>,
}

/// Reads values for one law and collects what is wrong.
struct Reader<'a> {
    sheet: &'static Sheet,
    inputs: &'a Inputs,
    problems: Vec<Problem>,
}

impl<'a> Reader<'a> {
    fn new(sheet: &'static Sheet, inputs: &'a Inputs) -> Self {
        Self { sheet, inputs, problems: Vec::new() }
    }

    fn missing(&mut self, what: &str, hint: &str) -> f64 {
        self.problems.push(Problem::Missing {
            law: self.sheet.id,
            what: what.into(),
            hint: hint.into(),
        });
        f64::NAN
    }

    fn check(&mut self, key: &str, value: f64, allowed: Interval, unit: &'static str) -> f64 {
        if !allowed.contains(value) {
            self.problems.push(Problem::OutOfRange { key: key.into(), value, allowed, unit });
        }
        value
    }

    /// A parameter of the sheet from the numbers, or its default.
    fn number(&mut self, key: &'static str) -> f64 {
        let parameter = self.sheet.parameters.iter().find(|p| p.key == key);
        let Some(parameter) = parameter else {
            // a law never asks for what its sheet does not list; a test builds every law
            return self.missing(key, "");
        };
        match self.inputs.numbers.get(key).copied().or(parameter.default) {
            Some(value) => self.check(key, value, parameter.interval, parameter.unit),
            None => self.missing(
                &format!(
                    "{} {} [{}]: {}",
                    parameter.key, parameter.symbol, parameter.unit, parameter.meaning
                ),
                "",
            ),
        }
    }

    fn flag(&mut self, key: &'static str) -> bool {
        self.number(key) != 0.0
    }

    fn restitution(&mut self) -> Restitution {
        let Some(restitution) = self.inputs.restitution else {
            self.missing("the restitution c_r", "a number in [0, 1]");
            return Restitution::Constant(f64::NAN);
        };
        match restitution {
            Restitution::Constant(c) => {
                self.check("restitution", c, Restitution::RANGE, "-");
            }
            Restitution::CubeRoot => {}
            Restitution::Linear { alpha_0, alpha_1 } => {
                self.check("alpha_0", alpha_0, Restitution::RANGE, "-");
                self.check("alpha_1", alpha_1, Interval::NON_NEGATIVE, "s/m");
            }
        }
        restitution
    }

    fn materials(&mut self) -> [Material; 2] {
        let Some(materials) = self.inputs.materials else {
            self.missing(
                "the material",
                "a name such as steel, or Young's modulus and Poisson's ratio",
            );
            let unknown = Material { young: f64::NAN, poisson: f64::NAN, density: None };
            return [unknown; 2];
        };
        // a law may narrow the interval of ν
        let poisson = self.sheet.parameters.iter().find(|p| p.key == "poisson");
        let poisson = poisson.map_or(Interval::above(-1.0, 0.5), |p| p.interval);
        for m in &materials {
            self.check("young", m.young, Interval::POSITIVE, "Pa");
            self.check("poisson", m.poisson, poisson, "-");
        }
        materials
    }

    fn modulus(&mut self) -> f64 {
        let [i, j] = self.materials();
        equivalent_modulus(&i, &j)
    }

    fn surfaces(&mut self) -> Option<Surfaces> {
        match self.inputs.surfaces {
            None => {
                self.missing("the radii", "bearing and journal radius, or two radii");
            }
            Some(surfaces) => self.problems.extend(surfaces.problem().map(Problem::Geometry)),
        }
        self.inputs.surfaces
    }

    /// ΔR of a cylinder law.
    fn delta_r(&mut self) -> f64 {
        if let Some(clearance) = self.inputs.clearance {
            return self.check("clearance", clearance, Interval::POSITIVE, "m");
        }
        match self.surfaces().map(|s| s.delta_r()) {
            Some(Some(delta_r)) => delta_r,
            Some(None) => {
                self.problems.push(Problem::Surfaces {
                    law: self.sheet.id,
                    why: "needs two cylinders; on a plane give the clearance ΔR that you mean",
                });
                f64::NAN
            }
            None => f64::NAN,
        }
    }

    fn relative_radius(&mut self) -> f64 {
        self.surfaces().map_or(f64::NAN, |s| s.relative_radius())
    }

    fn length(&mut self) -> f64 {
        match self.inputs.length {
            Some(length) => self.check("length", length, Interval::POSITIVE, "m"),
            None => self.missing("the contact length L", "such as 15 mm"),
        }
    }

    /// `value` if nothing was wrong.
    fn finish<T>(self, value: T) -> Result<T, Problems> {
        if self.problems.is_empty() { Ok(value) } else { Err(Problems(self.problems)) }
    }
}

impl ElasticKind {
    /// Builds the law.
    ///
    /// # Errors
    /// Everything that is missing or out of range.
    pub fn build(self, inputs: &Inputs) -> Result<BuiltElastic, Problems> {
        let mut r = Reader::new(self.sheet(), inputs);
        let mut warnings = Vec::new();
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
                    warnings.push(
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
        r.finish(BuiltElastic { law, length, warnings })
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

impl DampingKind {
    /// Builds the law for an elastic law.
    ///
    /// # Errors
    /// Everything that is missing or out of range, or that the two laws do not combine.
    pub fn build(
        self,
        inputs: &Inputs,
        elastic_id: &str,
        elastic: &ElasticLaw,
    ) -> Result<DampingLaw, Problems> {
        let mut r = Reader::new(self.sheet(), inputs);
        let power = elastic.as_power();
        let needs_power = matches!(
            self,
            Self::Anagnostopoulos
                | Self::Tsuji
                | Self::Jankowski
                | Self::Brilliantov
                | Self::LeeWangTransition
                | Self::LankaraniNikraveshPlastic
                | Self::GharibHurmuzluPlastic
        );
        if needs_power && power.is_none() {
            r.problems
                .push(Problem::NeedsPowerLaw { damping: self.id(), elastic: elastic_id.into() });
        }
        let power = power.unwrap_or(Power { stiffness: f64::NAN, exponent: f64::NAN });
        let law = match self {
            Self::NoDamping => DampingLaw::None,
            Self::Exact | Self::Gonthier => factor(&mut r, Factor::Exact),
            Self::HuntCrossley => factor(&mut r, Factor::HuntCrossley),
            Self::MarhefkaOrin => factor(&mut r, Factor::MarhefkaOrin),
            Self::MarhefkaOrinSimplified => factor(&mut r, Factor::MarhefkaOrinSimplified),
            Self::HerbertMcWhannell => factor(&mut r, Factor::HerbertMcWhannell),
            Self::LeeWang => factor(&mut r, Factor::LeeWang),
            Self::LankaraniNikravesh => factor(&mut r, Factor::LankaraniNikravesh),
            Self::KhuliefShabana => factor(&mut r, Factor::KhuliefShabana),
            Self::ZhiyingQishao => factor(&mut r, Factor::ZhiyingQishao),
            Self::GonthierApprox => factor(&mut r, Factor::GonthierApprox),
            Self::Flores => factor(&mut r, Factor::Flores),
            Self::GharibHurmuzlu => factor(&mut r, Factor::GharibHurmuzlu),
            Self::HuGuo => factor(&mut r, Factor::HuGuo),
            Self::HuntCrossleyAlpha => DampingLaw::HuntCrossleyAlpha {
                alpha: r.number("alpha"),
                rate_exponent: r.number("rate_exponent"),
            },
            Self::KelvinVoigt => DampingLaw::KelvinVoigt { damping: r.number("damping") },
            Self::KelvinVoigtRestitution => DampingLaw::TwoSlope {
                restitution: r.restitution(),
                smoothing_speed: r.number("smoothing_speed"),
            },
            Self::Anagnostopoulos | Self::Tsuji => {
                DampingLaw::FractionOfCritical { restitution: r.restitution(), power }
            }
            Self::Jankowski => DampingLaw::Jankowski { restitution: r.restitution(), power },
            Self::Ristow | Self::Schafer => dashpot(&mut r, 1.0, false),
            Self::LeeHerrmann => dashpot(&mut r, 1.0, true),
            Self::BordbarHyppanen => dashpot(&mut r, 0.65, false),
            Self::Brilliantov => brilliantov(&mut r, power),
            Self::LeeWangLinear => DampingLaw::LeeWangLinear { alpha_1: r.number("alpha1") },
            Self::LeeWangTransition => DampingLaw::LeeWangTransition {
                restitution: r.restitution(),
                power,
                q: r.number("q"),
                epsilon: r.number("epsilon"),
            },
            Self::LankaraniNikraveshPlastic | Self::GharibHurmuzluPlastic => DampingLaw::Plastic {
                restitution: r.restitution(),
                power,
                memory: r.flag("memory"),
            },
        };
        r.finish(law)
    }

    /// Whether the law asks for a restitution.
    pub fn takes_restitution(self) -> bool {
        self.sheet().parameters.iter().any(|p| p.key == "restitution")
    }

    /// Parameters without a default besides the restitution.
    pub fn must_be_given(self) -> Vec<&'static str> {
        let needed = |p: &&super::Parameter| p.default.is_none() && p.key != "restitution";
        self.sheet().parameters.iter().filter(needed).map(|p| p.key).collect()
    }
}

fn factor(r: &mut Reader, factor: Factor) -> DampingLaw {
    DampingLaw::Factor { factor, restitution: r.restitution() }
}

fn dashpot(r: &mut Reader, exponent: f64, per_mass: bool) -> DampingLaw {
    DampingLaw::PowerDashpot { chi: r.number("chi"), exponent, per_mass }
}

/// A = (1/3)(3η₂−η₁)²/(3η₂+2η₁)·(1−ν²)(1−2ν)/(Eν²), with the mean of the two bodies' elastic term.
fn brilliantov(r: &mut Reader, power: Power) -> DampingLaw {
    let (eta1, eta2) = (r.number("eta1"), r.number("eta2"));
    let term = |m: &Material| {
        let nu = m.poisson;
        (1.0 - nu * nu) * (1.0 - 2.0 * nu) / (m.young * nu * nu)
    };
    let [i, j] = r.materials();
    let elastic = 0.5 * (term(&i) + term(&j));
    let viscous = (3.0 * eta2 - eta1).powi(2) / (3.0 * (3.0 * eta2 + 2.0 * eta1));
    DampingLaw::Brilliantov { relaxation: viscous * elastic, power }
}

impl FrictionKind {
    /// Builds the law.
    ///
    /// # Errors
    /// Everything that is missing or out of range.
    pub fn build(self, inputs: &Inputs) -> Result<FrictionLaw, Problems> {
        let mut r = Reader::new(self.sheet(), inputs);
        let mut number = |key| r.number(key);
        let law =
            match self {
                Self::NoFriction => Ok(FrictionLaw::NoFriction),
                Self::Coulomb => Coulomb::new(number("mu")).map(FrictionLaw::Coulomb),
                Self::CoulombTanh => CoulombTanh::new(number("mu"), number("slip_speed"))
                    .map(FrictionLaw::CoulombTanh),
                Self::CoulombRamp => CoulombRamp::new(number("mu"), number("slip_speed"))
                    .map(FrictionLaw::CoulombRamp),
                Self::CoulombCubic => CoulombCubic::new(number("mu"), number("slip_speed"))
                    .map(FrictionLaw::CoulombCubic),
                Self::Ambrosio => Ambrosio::new(number("mu"), number("speed_0"), number("speed_1"))
                    .map(FrictionLaw::Ambrosio),
                Self::BaiZhao => friction::BaiZhao::new(
                    number("mu_static"),
                    number("mu_dynamic"),
                    number("slip_speed"),
                    number("dynamic_speed"),
                )
                .map(FrictionLaw::BaiZhao),
                Self::Stribeck => {
                    let curve = stribeck_curve(&mut number);
                    let (transition, viscous) = (number("transition_speed"), number("viscous"));
                    curve
                        .and_then(|curve| Stribeck::new(curve, transition, viscous))
                        .map(FrictionLaw::Stribeck)
                }
                Self::LuGre => {
                    let curve = stribeck_curve(&mut number);
                    let sigma = ["sigma0", "sigma1", "sigma2"].map(number);
                    curve
                        .and_then(|curve| LuGre::new(curve, sigma[0], sigma[1], sigma[2]))
                        .map(FrictionLaw::LuGre)
                }
            };
        // what the reader found comes first: a missing number makes the constructor complain too
        r.finish(())?;
        Ok(law?)
    }
}

fn stribeck_curve(
    number: &mut impl FnMut(&'static str) -> f64,
) -> Result<StribeckCurve, FrictionError> {
    StribeckCurve::new(number("mu_static"), number("mu_dynamic"), number("stribeck_speed"))
}

/// Keys in `numbers` that none of the sheets knows.
pub fn unknown_numbers(inputs: &Inputs, law: &str, sheets: &[&'static Sheet]) -> Vec<Problem> {
    let known: Vec<&'static str> =
        sheets.iter().flat_map(|s| s.parameters).map(|p| p.key).collect();
    let unknown = inputs.numbers.keys().filter(|key| !known.contains(&key.as_str()));
    unknown
        .map(|key| {
            let near = nearest(key, known.iter().copied());
            let known = if near.is_empty() { known.clone() } else { near };
            Problem::UnknownParameter { law: law.into(), key: key.clone(), known }
        })
        .collect()
}
