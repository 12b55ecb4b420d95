//! The catalogue: the only place where a name becomes a law.
//!
//! Files, the command line, the reference page and Python all read from here. An unknown name is
//! an error with the nearest names, never a silent fallback. A complete law is written
//! `elastic+damping+friction`, such as `johnson+flores+bai-zhao-friction`.
//!
//! The module [`mod@reference`] shows every law with its formula.

mod bounds;
mod build;
mod kind;
mod page;
mod problem;
#[doc = include_str!("reference.md")]
pub mod reference {}
pub mod sheet;
mod sheets;

pub use bounds::{Bounds, RETURNED, SpeedBound};
pub use build::{BuiltElastic, Inputs, OWN_FIELDS, unknown_numbers};
pub use kind::{DampingKind, ElasticKind, FrictionKind};
pub use page::{SetFormula, reference_page, reference_page_with};
pub use problem::{LawProblem, LawProblems, Need, nearest};
pub use sheet::{Citation, Family, Interval, Paper, Parameter, Sheet};

use crate::law::{ContactLaw, NormalLaw};
use crate::material::{MATERIALS, Material};

/// Short names of published complete models.
const MODELS: &[(&str, &str)] = &[("hybrid", "bai-zhao+zhiying-qishao")];

/// Every data sheet, in the order of the reference page.
pub fn sheets() -> impl Iterator<Item = &'static Sheet> {
    let elastic = ElasticKind::ALL.iter().map(|k| k.sheet());
    let damping = DampingKind::ALL.iter().map(|k| k.sheet());
    let friction = FrictionKind::ALL.iter().map(|k| k.sheet());
    elastic.chain(damping).chain(friction)
}

/// The data sheet of an id or alias.
///
/// # Errors
/// [`LawProblem::UnknownName`] with the nearest names.
pub fn sheet_of(name: &str) -> Result<&'static Sheet, LawProblem> {
    sheets().find(|s| s.id == name || s.aliases.contains(&name)).ok_or_else(|| {
        unknown(name, sheets().flat_map(|s| std::iter::once(s.id).chain(s.aliases.iter().copied())))
    })
}

fn unknown(name: &str, names: impl IntoIterator<Item = &'static str>) -> LawProblem {
    LawProblem::UnknownName {
        kind: "contact law",
        name: name.into(),
        nearest: nearest(name, names),
    }
}

impl std::str::FromStr for ElasticKind {
    type Err = LawProblem;

    fn from_str(name: &str) -> Result<Self, LawProblem> {
        Self::from_id(name)
            .ok_or_else(|| not_of(name, "an elastic law", &|s| Self::from_id(s.id).is_some()))
    }
}

impl std::str::FromStr for DampingKind {
    type Err = LawProblem;

    fn from_str(name: &str) -> Result<Self, LawProblem> {
        Self::from_id(name)
            .ok_or_else(|| not_of(name, "a dissipation law", &|s| Self::from_id(s.id).is_some()))
    }
}

impl std::str::FromStr for FrictionKind {
    type Err = LawProblem;

    fn from_str(name: &str) -> Result<Self, LawProblem> {
        Self::from_id(name)
            .ok_or_else(|| not_of(name, "a friction law", &|s| Self::from_id(s.id).is_some()))
    }
}

/// The error for a name that is not in the wanted set.
fn not_of(name: &str, wanted: &'static str, belongs: &dyn Fn(&Sheet) -> bool) -> LawProblem {
    match sheet_of(name) {
        Ok(sheet) => LawProblem::WrongFamily { name: sheet.id, wanted, found: sheet.family },
        Err(_) => unknown(name, sheets().filter(|s| belongs(s)).map(|s| s.id)),
    }
}

/// The parts of a law named `elastic+damping+friction`, in any order, each at most once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LawName {
    /// Elastic law, if named.
    pub elastic: Option<ElasticKind>,
    /// Dissipation, if named.
    pub damping: Option<DampingKind>,
    /// Friction, if named.
    pub friction: Option<FrictionKind>,
}

impl LawName {
    /// Reads a combination. Short names of published models stand for their parts
    /// (`hybrid` = `bai-zhao+zhiying-qishao`).
    ///
    /// # Errors
    /// Every unknown name, and every kind named twice.
    pub fn parse(text: &str) -> Result<Self, LawProblems> {
        let (mut law, mut problems) = (Self::default(), Vec::new());
        let mut twice = |first: &'static str, second, family| {
            problems.push(LawProblem::Twice { first, second, family });
        };
        let mut unknown_names = Vec::new();
        let parts = text.split('+').map(str::trim).flat_map(|part| {
            let model = MODELS.iter().find(|(short, _)| *short == part);
            model.map_or(part, |(_, parts)| parts).split('+')
        });
        for part in parts {
            if let Some(kind) = ElasticKind::from_id(part) {
                if let Some(first) = law.elastic.replace(kind) {
                    twice(first.id(), kind.id(), "elastic laws");
                }
            } else if let Some(kind) = DampingKind::from_id(part) {
                if let Some(first) = law.damping.replace(kind) {
                    twice(first.id(), kind.id(), "dissipation laws");
                }
            } else if let Some(kind) = FrictionKind::from_id(part) {
                if let Some(first) = law.friction.replace(kind) {
                    twice(first.id(), kind.id(), "friction laws");
                }
            } else {
                unknown_names.extend(sheet_of(part).err());
            }
        }
        problems.extend(unknown_names);
        if problems.is_empty() { Ok(law) } else { Err(LawProblems(problems)) }
    }

    /// Builds the complete law from the given data: `elastic+damping+friction` in one line.
    ///
    /// ```
    /// use jointplay_contact::catalog::{Inputs, LawName};
    /// use jointplay_contact::{Restitution, STEEL};
    ///
    /// let inputs = Inputs {
    ///     clearance: Some(0.5e-3),
    ///     length: Some(15e-3),
    ///     materials: Some([STEEL, STEEL]),
    ///     restitution: Some(Restitution::Constant(0.7)),
    ///     numbers: [("mu".into(), 0.1), ("slip_speed".into(), 1e-3)].into(),
    ///     ..Inputs::default()
    /// };
    /// let built = "johnson+flores+coulomb-tanh".parse::<LawName>()?.build(&inputs)?;
    /// assert!(built.warnings.is_empty());
    /// # Ok::<(), jointplay_contact::catalog::LawProblems>(())
    /// ```
    ///
    /// # Errors
    /// Everything that any of the components lacks, and parameters that none of them takes.
    pub fn build(&self, inputs: &Inputs) -> Result<BuiltLaw, LawProblems> {
        let elastic_kind = self.elastic_or_default();
        let damping_kind = self.damping.unwrap_or(DampingKind::NoDamping);
        let friction_kind = self.friction.unwrap_or(FrictionKind::NoFriction);
        let sheets = [elastic_kind.sheet(), damping_kind.sheet(), friction_kind.sheet()];
        let mut problems = unknown_numbers(inputs, &self.to_string(), &sheets);
        let elastic = elastic_kind.build(inputs).map_err(|e| problems.extend(e.0)).ok();
        // if the elastic law cannot be built, another one of its kind serves to find what else is
        // missing
        let stand_in = elastic_kind.stand_in();
        let law = elastic.as_ref().map_or(&stand_in, |built| &built.law);
        let damping = damping_kind
            .build(inputs, elastic_kind.id(), law)
            .map_err(|e| problems.extend(e.0))
            .ok();
        let friction = friction_kind.build(inputs).map_err(|e| problems.extend(e.0)).ok();
        match (elastic, damping, friction) {
            (Some(elastic), Some(damping), Some(friction)) if problems.is_empty() => {
                let normal = NormalLaw::new(elastic.law.clone(), damping);
                let BuiltElastic { warnings, notes, .. } = elastic;
                Ok(BuiltLaw { law: ContactLaw { normal, friction }, warnings, notes })
            }
            _ => Err(LawProblems(problems)),
        }
    }

    /// The elastic law: the one named; else the linear spring for the models that are defined on
    /// one (`kelvin-voigt`), else Hertz's.
    pub fn elastic_or_default(&self) -> ElasticKind {
        self.elastic.unwrap_or(match self.damping {
            Some(
                DampingKind::KelvinVoigt
                | DampingKind::KelvinVoigtRestitution
                | DampingKind::KhuliefShabana
                | DampingKind::Anagnostopoulos
                | DampingKind::LeeWangLinear
                | DampingKind::LeeWangTransition,
            ) => ElasticKind::Linear,
            Some(
                DampingKind::NoDamping
                | DampingKind::Exact
                | DampingKind::Gonthier
                | DampingKind::HuntCrossley
                | DampingKind::HuntCrossleyAlpha
                | DampingKind::MarhefkaOrin
                | DampingKind::MarhefkaOrinSimplified
                | DampingKind::HerbertMcWhannell
                | DampingKind::LeeWang
                | DampingKind::LankaraniNikravesh
                | DampingKind::ZhiyingQishao
                | DampingKind::GonthierApprox
                | DampingKind::Flores
                | DampingKind::GharibHurmuzlu
                | DampingKind::HuGuo
                | DampingKind::Tsuji
                | DampingKind::Jankowski
                | DampingKind::Ristow
                | DampingKind::Schafer
                | DampingKind::LeeHerrmann
                | DampingKind::BordbarHyppanen
                | DampingKind::Brilliantov
                | DampingKind::LankaraniNikraveshPlastic
                | DampingKind::GharibHurmuzluPlastic,
            )
            | None => ElasticKind::Hertz,
        })
    }
}

/// What a law was built from: the names of its components and the data given to them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LawOrigin {
    /// The components; without an elastic law if that is the user's own.
    pub name: LawName,
    /// The data.
    pub inputs: Inputs,
}

/// A complete law with warnings and notes.
#[derive(Clone, Debug)]
pub struct BuiltLaw {
    /// The law.
    pub law: ContactLaw,
    /// Sentences about inputs outside the law's published domain.
    pub warnings: Vec<String>,
    /// Other remarks, in sentences.
    pub notes: Vec<String>,
}

impl std::str::FromStr for LawName {
    type Err = LawProblems;

    fn from_str(text: &str) -> Result<Self, LawProblems> {
        Self::parse(text)
    }
}

impl std::fmt::Display for LawName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let parts = [
            self.elastic.map(ElasticKind::id),
            self.damping.map(DampingKind::id),
            self.friction.map(FrictionKind::id),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join("+"))
    }
}

/// The material with this name.
///
/// # Errors
/// [`LawProblem::UnknownName`] with the nearest names.
pub fn material(name: &str) -> Result<Material, LawProblem> {
    let known = || MATERIALS.iter().map(|(name, _)| *name);
    MATERIALS.iter().find(|(known, _)| *known == name).map(|(_, m)| *m).ok_or_else(|| {
        let near = nearest(name, known());
        let near = if near.is_empty() { known().collect() } else { near };
        LawProblem::UnknownName { kind: "material", name: name.into(), nearest: near }
    })
}
