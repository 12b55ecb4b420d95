//! Problems of arguments, collected so that all of them are reported at once.

use jointplay_contact::catalog;
use jointplay_contact::catalog::{DampingKind, Inputs, LawProblem, LawProblems, Need, Sheet};
use jointplay_model::units::{Dimension, parse};

/// Collects every problem with the flags before anything runs.
#[derive(Debug, Default)]
pub(crate) struct Complaints {
    texts: Vec<String>,
    /// Inputs that were given but could not be read; they are not reported as missing too.
    unread: Vec<Input>,
}

/// An input that is given by several flags together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    Radii,
    Material,
    Restitution,
}

/// Magnitudes small and large enough that products of several of them neither overflow nor underflow.
const SENSIBLE: std::ops::RangeInclusive<f64> = 1e-60..=1e60;

impl Complaints {
    pub(crate) fn add(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.texts.contains(&text) {
            self.texts.push(text);
        }
    }

    /// Reads an input, and remembers whether there was a problem with it.
    pub(crate) fn reading<T>(&mut self, input: Input, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.texts.len();
        let value = read(self);
        if self.texts.len() > before {
            self.unread.push(input);
        }
        value
    }

    pub(crate) fn problems(&mut self, problems: &LawProblems) {
        for problem in &problems.0 {
            // a value that could not be read has already been reported
            if problem.is_about_nan() {
                continue;
            }
            let input = match problem.need() {
                Some(Need::Restitution) => Some(Input::Restitution),
                Some(Need::Material) => Some(Input::Material),
                Some(Need::Radii | Need::BothRadii) => Some(Input::Radii),
                Some(
                    Need::Length | Need::HalfWidth | Need::StiffnessOrGeometry | Need::Parameter(_),
                ) => None,
                None => (problem.key() == Some("restitution")).then_some(Input::Restitution),
            };
            if !input.is_some_and(|input| self.unread.contains(&input)) {
                self.add(with_flags(problem));
            }
        }
    }

    /// Reads the quantity given by one flag; NaN after a problem.
    pub(crate) fn quantity(&mut self, flag: &str, text: &str, dimension: Dimension) -> f64 {
        match parse(text, dimension) {
            Ok(value) if value == 0.0 || SENSIBLE.contains(&value.abs()) => value,
            Ok(value) => {
                let how = if value.abs() < 1.0 { "small" } else { "large" };
                self.add(format!("--{flag} {text}: too {how} to compute with; magnitudes must be between 1e-60 and 1e60 in SI units"));
                f64::NAN
            }
            Err(why) => {
                self.add(format!("--{flag}: {why}"));
                f64::NAN
            }
        }
    }

    pub(crate) fn optional(
        &mut self,
        flag: &str,
        text: Option<&String>,
        dimension: Dimension,
    ) -> Option<f64> {
        text.map(|t| self.quantity(flag, t, dimension))
    }

    pub(crate) fn finish(self) -> Result<(), Vec<String>> {
        if self.texts.is_empty() { Ok(()) } else { Err(self.texts) }
    }
}

/// The message of the catalogue, with flags of the command line in place of keys.
fn with_flags(problem: &LawProblem) -> String {
    let text = problem.to_string();
    match problem {
        LawProblem::Missing { law, need } => {
            let flag = match need {
                Need::Radii => "--bearing-radius 10mm --journal-radius 9.5mm, or --radius twice, or --clearance 0.5mm".to_owned(),
                Need::BothRadii => "--bearing-radius 10mm --journal-radius 9.5mm, or --radius twice (a sphere on a plane: once)".to_owned(),
                Need::Material => "--material steel, or --young 207GPa --poisson 0.3".to_owned(),
                Need::Length => "--length 15mm".to_owned(),
                Need::HalfWidth => "--half-width 5mm, or --stiffness".to_owned(),
                Need::StiffnessOrGeometry => "--stiffness, or radii and material".to_owned(),
                Need::Restitution => "--restitution 0.7".to_owned(),
                Need::Parameter(p) if p.key == "stiffness" => "--stiffness 1e9".to_owned(),
                Need::Parameter(p) if p.key == "exponent" => "--exponent 1.5".to_owned(),
                Need::Parameter(p) => format!("--param {}=…", p.key),
            };
            format!("`{law}` needs {need}: give {flag}")
        }
        LawProblem::UnknownName { nearest, .. } if nearest.is_empty() => {
            format!("{text}; `jointplay laws` lists all names")
        }
        LawProblem::OwnField { key } => {
            let flag = match key.as_str() {
                "radius_i" | "radius_j" => {
                    "radius (or --bearing-radius, --journal-radius)".to_owned()
                }
                "young" | "poisson" => format!("{key} (or --material)"),
                key => key.replace('_', "-"),
            };
            format!("--param {key}: use --{flag}")
        }
        _ => text,
    }
}

/// Reports parameters that neither the elastic law nor any of the damping laws takes.
pub(crate) fn complain_of_unknown(
    inputs: &Inputs,
    elastic: Option<&'static Sheet>,
    dampings: &[DampingKind],
    complaints: &mut Complaints,
) {
    let sheets: Vec<&'static Sheet> =
        elastic.into_iter().chain(dampings.iter().map(|d| d.sheet())).collect();
    let names: Vec<&str> = sheets.iter().map(|s| s.id).collect();
    let name = if names.is_empty() { "the law".to_owned() } else { names.join("+") };
    let unknown = catalog::unknown_numbers(inputs, &name, &sheets);
    complaints.problems(&LawProblems(unknown));
}
