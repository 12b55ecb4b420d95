//! Builds a law from its name and the given inputs, and reports all problems at once.

mod damping;
mod elastic;
mod friction;

use std::collections::BTreeMap;

use super::problem::{LawProblem, LawProblems, Need, nearest};
use super::sheet::{Interval, Sheet};
use crate::elastic::ElasticLaw;
use crate::geometry::Surfaces;
use crate::material::{Material, equivalent_modulus};
use crate::restitution::Restitution;

/// The given data of a contact. A law takes what it needs and reports what is missing.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Inputs {
    /// Radii of the two surfaces.
    pub surfaces: Option<Surfaces>,
    /// ΔR given directly, m, for laws that need nothing else; if radii are given too, it must agree with them.
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

/// An elastic law with warnings and notes.
#[derive(Clone, Debug)]
pub struct BuiltElastic {
    /// The law.
    pub law: ElasticLaw,
    /// Length by which its load per length was multiplied, m; `None` for a point contact.
    pub length: Option<f64>,
    /// Where the request is outside the law's published domain, in sentences.
    pub warnings: Vec<String>,
    /// Remarks that do not concern the domain, in sentences.
    pub notes: Vec<String>,
}

/// Reads values for one law and collects the problems.
struct Reader<'a> {
    sheet: &'static Sheet,
    inputs: &'a Inputs,
    problems: Vec<LawProblem>,
}

impl<'a> Reader<'a> {
    fn new(sheet: &'static Sheet, inputs: &'a Inputs) -> Self {
        Self { sheet, inputs, problems: Vec::new() }
    }

    fn missing(&mut self, need: Need) -> f64 {
        self.problems.push(LawProblem::Missing { law: self.sheet.id, need });
        f64::NAN
    }

    fn check(&mut self, key: &str, value: f64, allowed: Interval, unit: &'static str) -> f64 {
        if !allowed.contains(value) {
            self.problems.push(LawProblem::OutOfRange { key: key.into(), value, allowed, unit });
        }
        value
    }

    /// A parameter of the sheet from the numbers, or its default.
    fn number(&mut self, key: &'static str) -> f64 {
        let parameter = self.sheet.parameters.iter().find(|p| p.key == key);
        let Some(parameter) = parameter else {
            // a law never reads a parameter that its sheet does not list; a test builds every law
            let (law, known) = (self.sheet.id.into(), Vec::new());
            self.problems.push(LawProblem::UnknownParameter { law, key: key.into(), known });
            return f64::NAN;
        };
        match self.inputs.numbers.get(key).copied().or(parameter.default) {
            Some(value) => self.check(key, value, parameter.interval, parameter.unit),
            None => self.missing(Need::Parameter(parameter)),
        }
    }

    fn flag(&mut self, key: &'static str) -> bool {
        let value = self.number(key);
        if value > 0.0 && value < 1.0 {
            self.problems.push(LawProblem::NotAFlag { key: key.into(), value });
        }
        value != 0.0
    }

    fn restitution(&mut self) -> Restitution {
        let Some(restitution) = self.inputs.restitution else {
            self.missing(Need::Restitution);
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
            self.missing(Need::Material);
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
                self.missing(Need::Radii);
            }
            Some(surfaces) => self.problems.extend(surfaces.problem().map(LawProblem::Geometry)),
        }
        self.inputs.surfaces
    }

    /// ΔR of a cylinder law.
    fn delta_r(&mut self) -> f64 {
        if let Some(clearance) = self.inputs.clearance {
            self.check_agreement();
            return self.check("clearance", clearance, Interval::POSITIVE, "m");
        }
        match self.surfaces().map(|s| s.delta_r()) {
            Some(Some(delta_r)) => delta_r,
            Some(None) => {
                self.problems.push(LawProblem::Surfaces {
                    law: self.sheet.id,
                    why: "needs two cylinders; on a plane give the clearance ΔR that you mean",
                });
                f64::NAN
            }
            None => f64::NAN,
        }
    }

    /// A clearance given with radii must agree with them.
    fn check_agreement(&mut self) {
        let radii = self.inputs.surfaces.and_then(|s| s.delta_r());
        if let (Some(clearance), Some(of_radii)) = (self.inputs.clearance, radii)
            && (clearance - of_radii).abs() > 1e-9 * of_radii.abs()
        {
            let problem = LawProblem::Disagree { clearance, of_radii };
            if !self.problems.contains(&problem) {
                self.problems.push(problem);
            }
        }
    }

    fn relative_radius(&mut self) -> f64 {
        self.check_agreement();
        match self.inputs.surfaces {
            Some(_) => self.surfaces().map_or(f64::NAN, |s| s.relative_radius()),
            None => self.missing(Need::BothRadii),
        }
    }

    fn length(&mut self) -> f64 {
        match self.inputs.length {
            Some(length) => self.check("length", length, Interval::POSITIVE, "m"),
            None => self.missing(Need::Length),
        }
    }

    /// `value` if there were no problems.
    fn finish<T>(self, value: T) -> Result<T, LawProblems> {
        if self.problems.is_empty() { Ok(value) } else { Err(LawProblems(self.problems)) }
    }
}

/// Parameters of the sheets that have a field of their own in [`Inputs`].
pub const OWN_FIELDS: [&str; 8] = [
    "radius_i",
    "radius_j",
    "clearance",
    "length",
    "half_width",
    "young",
    "poisson",
    "restitution",
];

/// Keys in `numbers` that are in none of the sheets, or that have a field of their own.
pub fn unknown_numbers(inputs: &Inputs, law: &str, sheets: &[&'static Sheet]) -> Vec<LawProblem> {
    let keys = sheets.iter().flat_map(|s| s.parameters).map(|p| p.key);
    let known: Vec<&'static str> = keys.filter(|key| !OWN_FIELDS.contains(key)).collect();
    let unknown = inputs.numbers.keys().filter(|key| !known.contains(&key.as_str()));
    unknown
        .map(|key| {
            if OWN_FIELDS.contains(&key.as_str()) {
                return LawProblem::OwnField { key: key.clone() };
            }
            let near = nearest(key, known.iter().copied());
            let known = if near.is_empty() { known.clone() } else { near };
            LawProblem::UnknownParameter { law: law.into(), key: key.clone(), known }
        })
        .collect()
}
