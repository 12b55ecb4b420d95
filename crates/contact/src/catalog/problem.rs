//! Problems with a request for a law.

use std::fmt;

use super::sheet::{Family, Interval, Parameter};
use crate::friction::FrictionError;
use crate::geometry::GeometryError;

/// An input that a law may need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Need {
    /// Two radii, or ΔR.
    Radii,
    /// R = R_iR_j/ΔR: ΔR is not enough.
    BothRadii,
    /// The material of the bodies.
    Material,
    /// The length of a line contact.
    Length,
    /// The half width of a flat contact, or a stiffness.
    HalfWidth,
    /// A stiffness, or radii and material.
    StiffnessOrGeometry,
    /// The input restitution.
    Restitution,
    /// A parameter of the sheet.
    Parameter(&'static Parameter),
}

impl Need {
    /// How to give it, in a few words; empty if the name says it.
    fn hint(&self) -> &'static str {
        match self {
            Self::Radii | Self::BothRadii => "bearing and journal radius, or two radii",
            Self::Material => "a name such as steel, or Young's modulus and Poisson's ratio",
            Self::Length => "such as 15 mm",
            Self::HalfWidth => "or a stiffness",
            Self::StiffnessOrGeometry => "or radii and material",
            Self::Restitution => "a number in [0, 1]",
            Self::Parameter(_) => "",
        }
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Radii => "the radii",
            Self::BothRadii => "both radii",
            Self::Material => "the material",
            Self::Length => "the contact length L",
            Self::HalfWidth => "the half width a of the contact",
            Self::StiffnessOrGeometry => "a stiffness",
            Self::Restitution => "the restitution c_r",
            Self::Parameter(p) => {
                return write!(f, "{} {} [{}]: {}", p.key, p.symbol, p.unit, p.meaning);
            }
        })
    }
}

/// One problem with a request for a law.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LawProblem {
    /// No law has this name.
    #[error("{}{}", self.message(), self.hint().map_or(String::new(), |hint| format!("; {hint}")))]
    UnknownName {
        /// The kind of thing that was looked up: `contact law`, `material`, …
        kind: &'static str,
        /// The name given.
        name: String,
        /// The most similar names.
        nearest: Vec<&'static str>,
    },
    /// The law exists but is of another family.
    #[error("`{name}` is not {wanted} but {found}")]
    WrongFamily {
        /// The name given.
        name: &'static str,
        /// The family that was wanted.
        wanted: &'static str,
        /// The family of the law.
        found: Family,
    },
    /// Two parts of one family in a combination.
    #[error("`{first}` and `{second}` are both {family}; a law has one of each kind")]
    Twice {
        /// The first part.
        first: &'static str,
        /// The second part.
        second: &'static str,
        /// Their family.
        family: &'static str,
    },
    /// A needed value is missing.
    #[error("`{law}` needs {need}{}", bracketed(need.hint()))]
    Missing {
        /// The law.
        law: &'static str,
        /// What is missing.
        need: Need,
    },
    /// A value lies outside its interval.
    #[error("{key} = {value}: must lie in {allowed}{}", spaced(.unit))]
    OutOfRange {
        /// The parameter.
        key: String,
        /// Its value.
        value: f64,
        /// The interval in which it must lie.
        allowed: Interval,
        /// Unit, `-` for none.
        unit: &'static str,
    },
    /// The law has no such parameter.
    #[error("`{law}` has no parameter `{key}`{}", parameters_hint(.known))]
    UnknownParameter {
        /// The law.
        law: String,
        /// The key given.
        key: String,
        /// The parameters that it has.
        known: Vec<&'static str>,
    },
    /// The parameter has an input of its own and is not one of the numbers.
    #[error("`{key}` has its own input and cannot be given as a parameter")]
    OwnField {
        /// The key given.
        key: String,
    },
    /// A switch that is neither off nor on.
    #[error("{key} = {value}: must be 0 (off) or 1 (on)")]
    NotAFlag {
        /// The parameter.
        key: String,
        /// Its value.
        value: f64,
    },
    /// A clearance was given together with radii from which a different one follows.
    #[error(
        "the clearance {clearance} m differs from that of the radii, {of_radii} m: give only one of them"
    )]
    Disagree {
        /// ΔR given.
        clearance: f64,
        /// ΔR of the radii.
        of_radii: f64,
    },
    /// Elastic law and damping do not combine.
    #[error(
        "`{damping}` needs the K and n of a power law, and `{elastic}` is not one: use hertz, linear, plane-plane, power, pereira or lankarani-nikravesh-cylinder (`jointplay fit {elastic}` gives K and n), or a factor law such as exact, flores or lankarani-nikravesh"
    )]
    NeedsPowerLaw {
        /// The damping law.
        damping: &'static str,
        /// The elastic law.
        elastic: String,
    },
    /// The surfaces do not suit the law.
    #[error("`{law}` {why}")]
    Surfaces {
        /// The law.
        law: &'static str,
        /// Why, and what to give instead.
        why: &'static str,
    },
    /// The radii do not describe a contact.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A friction parameter.
    #[error(transparent)]
    Friction(#[from] FrictionError),
}

impl LawProblem {
    /// What is wrong, without suggestions.
    pub fn message(&self) -> String {
        match self {
            LawProblem::UnknownName { kind, name, .. } => {
                format!("there is no {kind} called `{name}`")
            }
            other => other.to_string(),
        }
    }

    /// Suggestions: names similar to an unknown one.
    pub fn hint(&self) -> Option<String> {
        if let LawProblem::UnknownName { nearest, .. } = self
            && !nearest.is_empty()
        {
            Some(format!("did you mean {}?", quoted(nearest, " or ")))
        } else {
            None
        }
    }

    /// The parameter that it is about, if it was given.
    pub fn key(&self) -> Option<&str> {
        match self {
            LawProblem::OutOfRange { key, .. }
            | LawProblem::UnknownParameter { key, .. }
            | LawProblem::OwnField { key }
            | LawProblem::NotAFlag { key, .. } => Some(key),
            LawProblem::UnknownName { .. }
            | LawProblem::WrongFamily { .. }
            | LawProblem::Twice { .. }
            | LawProblem::Missing { .. }
            | LawProblem::Disagree { .. }
            | LawProblem::NeedsPowerLaw { .. }
            | LawProblem::Surfaces { .. }
            | LawProblem::Geometry(_)
            | LawProblem::Friction(_) => None,
        }
    }

    /// What is missing, if it is about that.
    pub fn need(&self) -> Option<Need> {
        if let LawProblem::Missing { need, .. } = self { Some(*need) } else { None }
    }

    /// Whether the problem is only that a value is not a number, which the reader of that value has
    /// already reported.
    pub fn is_about_nan(&self) -> bool {
        match self {
            LawProblem::OutOfRange { value, .. }
            | LawProblem::NotAFlag { value, .. }
            | LawProblem::Friction(FrictionError { value, .. }) => value.is_nan(),
            LawProblem::UnknownName { .. }
            | LawProblem::WrongFamily { .. }
            | LawProblem::Twice { .. }
            | LawProblem::Missing { .. }
            | LawProblem::UnknownParameter { .. }
            | LawProblem::OwnField { .. }
            | LawProblem::Disagree { .. }
            | LawProblem::NeedsPowerLaw { .. }
            | LawProblem::Surfaces { .. }
            | LawProblem::Geometry(_) => false,
        }
    }
}

fn bracketed(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!(" ({text})") }
}

fn spaced(text: &str) -> String {
    if text == "-" || text.is_empty() { String::new() } else { format!(" {text}") }
}

fn parameters_hint(known: &[&'static str]) -> String {
    match known {
        [] => "; it has none".into(),
        names => format!("; it has {}", quoted(names, " and ")),
    }
}

/// `a`, `b` or `c`.
fn quoted(names: &[&'static str], last: &str) -> String {
    let quoted: Vec<_> = names.iter().map(|n| format!("`{n}`")).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => only.clone(),
        Some((end, rest)) => format!("{}{last}{end}", rest.join(", ")),
    }
}

/// All problems of a request: at least one.
#[derive(Clone, Debug, PartialEq)]
pub struct LawProblems(pub Vec<LawProblem>);

impl fmt::Display for LawProblems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LawProblems {}

impl<T: Into<LawProblem>> From<T> for LawProblems {
    fn from(problem: T) -> Self {
        Self(vec![problem.into()])
    }
}

/// The names closest to `name`, at most three, best first.
pub fn nearest(name: &str, names: impl IntoIterator<Item = &'static str>) -> Vec<&'static str> {
    // A text of this length is not a misspelt name, and comparing it takes time.
    if name.len() > 200 {
        return Vec::new();
    }
    let wanted = name.to_lowercase().replace(['_', ' '], "-");
    let mut scored: Vec<(f64, &'static str)> = names
        .into_iter()
        .map(|candidate| {
            let likeness = strsim::jaro_winkler(&wanted, candidate);
            // people often remember only a part of a name
            let contained =
                wanted.len() >= 3 && (candidate.contains(&wanted) || wanted.contains(candidate));
            (if contained { likeness.max(0.95) } else { likeness }, candidate)
        })
        .filter(|(score, _)| *score > 0.75)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    scored.into_iter().take(3).map(|(_, name)| name).collect()
}
