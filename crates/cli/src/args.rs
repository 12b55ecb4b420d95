//! Flags that describe a contact, shared by several commands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::complaints::{Complaints, Input};
use clap::Args;
use jointplay_contact::catalog::{ElasticKind, Inputs, LawName, Sheet};
use jointplay_contact::damping::DampingLaw;
use jointplay_contact::elastic::{ElasticLaw, FormulaProblem, Table, UserForce};
use jointplay_contact::{Material, Restitution, Surfaces, catalog};
use jointplay_model::units::Dimension;

/// Geometry, material and parameters of a contact.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ContactArgs {
    /// Radius of the bearing (hole), such as 10mm
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "Geometry")]
    bearing_radius: Option<String>,
    /// Radius of the journal (pin) in the bearing
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "Geometry")]
    journal_radius: Option<String>,
    /// Radius of a body; twice for two bodies, once for a body on a plane, negative for a concave one
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "Geometry")]
    radius: Vec<String>,
    /// ΔR of a cylinder law, instead of the radii
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "Geometry")]
    clearance: Option<String>,
    /// Length of a line contact
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "Geometry")]
    length: Option<String>,
    /// Half width of a flat contact
    #[arg(long, value_name = "LENGTH", allow_hyphen_values = true, help_heading = "Geometry")]
    half_width: Option<String>,
    /// Material by name: steel, aluminium
    #[arg(long, value_name = "NAME", help_heading = "Material")]
    material: Option<String>,
    /// Material of the second body, if different
    #[arg(long, value_name = "NAME", help_heading = "Material")]
    material_2: Option<String>,
    /// Young's modulus, such as 71.7GPa
    #[arg(long, value_name = "PRESSURE", allow_hyphen_values = true, help_heading = "Material")]
    young: Option<String>,
    /// Poisson's ratio
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, help_heading = "Material")]
    poisson: Option<String>,
    /// Density, for the speed limit of the Lankarani-Nikravesh law
    #[arg(long, value_name = "DENSITY", allow_hyphen_values = true, help_heading = "Material")]
    density: Option<String>,
    /// Young's modulus of the second body, if different
    #[arg(long, value_name = "PRESSURE", allow_hyphen_values = true, help_heading = "Material")]
    young_2: Option<String>,
    /// Poisson's ratio of the second body, if different
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, help_heading = "Material")]
    poisson_2: Option<String>,
    /// Density of the second body, if different
    #[arg(long, value_name = "DENSITY", allow_hyphen_values = true, help_heading = "Material")]
    density_2: Option<String>,
    /// Stiffness K in N/mⁿ instead of geometry and material
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, help_heading = "Parameters")]
    stiffness: Option<String>,
    /// Exponent n of a power law
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true, help_heading = "Parameters")]
    exponent: Option<String>,
    /// Any other parameter of the law in SI units; `jointplay laws NAME` lists them
    #[arg(long = "param", value_name = "KEY=VALUE", help_heading = "Parameters")]
    params: Vec<String>,
    /// Largest indentation for which a formula is checked and used
    #[arg(long, value_name = "LENGTH", default_value = "1mm", help_heading = "Parameters")]
    max_indentation: String,
    /// Largest rate for which a formula is checked and used
    #[arg(long, value_name = "SPEED", default_value = "10m/s", help_heading = "Parameters")]
    max_rate: String,
}

/// An elastic law as named on the command line.
#[derive(Clone, Debug)]
pub(crate) enum ElasticChoice {
    Kind(ElasticKind),
    /// `table:FILE.csv`
    Table(PathBuf),
    /// `formula:F(delta, delta_dot)`
    Formula(String),
}

impl ElasticChoice {
    /// Reads an id, `table:FILE` or `formula:TEXT`.
    pub(crate) fn read(text: &str, complaints: &mut Complaints) -> Option<Self> {
        if let Some(path) = text.strip_prefix("table:") {
            return Some(Self::Table(PathBuf::from(path)));
        }
        if let Some(formula) = text.strip_prefix("formula:") {
            return Some(Self::Formula(formula.to_owned()));
        }
        match text.parse::<ElasticKind>() {
            Ok(kind) => Some(Self::Kind(kind)),
            Err(_) if text.trim().is_empty() => {
                complaints.add("no law is named; `jointplay laws` lists all names".to_owned());
                None
            }
            Err(_) if text.contains('+') && LawName::parse(text).is_ok() => {
                complaints.add(format!("`{text}` is a complete law; give only its elastic part here (`impact --law` takes complete laws)"));
                None
            }
            Err(problem) => {
                complaints.problems(&problem.into());
                None
            }
        }
    }

    pub(crate) fn name(&self) -> String {
        match self {
            Self::Kind(kind) => kind.id().to_owned(),
            Self::Table(path) => format!("table:{}", path.display()),
            Self::Formula(text) => format!("formula:{text}"),
        }
    }

    pub(crate) fn sheet(&self) -> Option<&'static Sheet> {
        match self {
            Self::Kind(kind) => Some(kind.sheet()),
            Self::Table(_) | Self::Formula(_) => None,
        }
    }
}

/// An elastic law, ready to use.
#[derive(Clone, Debug)]
pub(crate) struct Elastic {
    pub(crate) name: String,
    pub(crate) law: ElasticLaw,
    pub(crate) length: Option<f64>,
    /// Warnings about inputs outside the published domain.
    pub(crate) warnings: Vec<String>,
    /// Other remarks.
    pub(crate) notes: Vec<String>,
    /// The rate-dependent contribution of a formula.
    pub(crate) own_damping: Option<DampingLaw>,
    /// Whether the formula depends on the rate.
    pub(crate) depends_on_rate: bool,
}

impl ContactArgs {
    /// The flags, converted to the inputs of the catalogue.
    pub(crate) fn inputs(&self, complaints: &mut Complaints) -> Inputs {
        let mut inputs = Inputs {
            surfaces: complaints.reading(Input::Radii, |c| self.surfaces(c)),
            clearance: complaints.optional("clearance", self.clearance.as_ref(), Dimension::Length),
            length: complaints.optional("length", self.length.as_ref(), Dimension::Length),
            half_width: complaints.optional(
                "half-width",
                self.half_width.as_ref(),
                Dimension::Length,
            ),
            materials: complaints.reading(Input::Material, |c| self.materials(c)),
            ..Inputs::default()
        };
        for (key, text) in [("stiffness", &self.stiffness), ("exponent", &self.exponent)] {
            if let Some(value) = complaints.optional(key, text.as_ref(), Dimension::Number) {
                inputs.numbers.insert(key.to_owned(), value);
            }
        }
        for param in &self.params {
            match param.split_once('=') {
                Some((key, value)) => {
                    let key = key.trim().replace('-', "_");
                    let value = match value.trim() {
                        "true" | "yes" => 1.0,
                        "false" | "no" => 0.0,
                        text => {
                            complaints.quantity(&format!("param {key}"), text, Dimension::Number)
                        }
                    };
                    if inputs.numbers.insert(key.clone(), value).is_some() {
                        complaints.add(format!("`{key}` is given twice; once is enough"));
                    }
                }
                None => complaints
                    .add(format!("--param {param}: write KEY=VALUE, such as --param chi=1e5")),
            }
        }
        inputs
    }

    /// Largest rate for which a formula is used.
    pub(crate) fn rate_limit(&self, complaints: &mut Complaints) -> f64 {
        complaints.quantity("max-rate", &self.max_rate, Dimension::Speed)
    }

    fn surfaces(&self, complaints: &mut Complaints) -> Option<Surfaces> {
        let bearing =
            complaints.optional("bearing-radius", self.bearing_radius.as_ref(), Dimension::Length);
        let journal =
            complaints.optional("journal-radius", self.journal_radius.as_ref(), Dimension::Length);
        let radii: Vec<f64> = self
            .radius
            .iter()
            .map(|t| complaints.quantity("radius", t, Dimension::Length))
            .collect();
        if radii.iter().chain(bearing.iter()).chain(journal.iter()).any(|r| r.is_nan()) {
            return None;
        }
        let surfaces = match (bearing, journal, radii.as_slice()) {
            (None, None, []) => return None,
            (Some(b), Some(j), []) => Surfaces::internal(b, j),
            (None, None, [r]) => Surfaces::on_plane(*r),
            (None, None, [i, j]) => Surfaces::from_radii(*i, *j),
            (_, _, []) => {
                complaints.add("--bearing-radius and --journal-radius must be given together");
                return None;
            }
            (None, None, _) => {
                complaints.add("--radius: give it once (on a plane) or twice (two bodies)");
                return None;
            }
            _ => {
                complaints.add("give --bearing-radius and --journal-radius, or --radius, not both");
                return None;
            }
        };
        surfaces.map_err(|e| complaints.add(e.to_string())).ok()
    }

    fn materials(&self, complaints: &mut Complaints) -> Option<[Material; 2]> {
        let first = one_material(
            ["material", "young", "poisson", "density"],
            [&self.material, &self.young, &self.poisson, &self.density],
            complaints,
        );
        let second = one_material(
            ["material-2", "young-2", "poisson-2", "density-2"],
            [&self.material_2, &self.young_2, &self.poisson_2, &self.density_2],
            complaints,
        );
        match (first, second) {
            (Some(i), j) => Some([i, j.unwrap_or(i)]),
            (None, Some(_)) => {
                complaints.add("the material of the second body is given, but not that of the first (--material, or --young and --poisson)");
                None
            }
            (None, None) => None,
        }
    }

    /// Builds the elastic law from the inputs.
    pub(crate) fn elastic(
        &self,
        choice: &ElasticChoice,
        inputs: &Inputs,
        complaints: &mut Complaints,
    ) -> Option<Elastic> {
        let name = choice.name();
        match choice {
            ElasticChoice::Kind(kind) => match kind.build(inputs) {
                Ok(built) => Some(Elastic {
                    name,
                    law: built.law,
                    length: built.length,
                    warnings: built.warnings,
                    notes: built.notes,
                    own_damping: None,
                    depends_on_rate: false,
                }),
                Err(problems) => {
                    complaints.problems(&problems);
                    None
                }
            },
            ElasticChoice::Table(path) => {
                let table = read_table(path, complaints)?;
                Some(Elastic {
                    name,
                    law: ElasticLaw::Table(Arc::new(table)),
                    length: None,
                    warnings: Vec::new(),
                    notes: Vec::new(),
                    own_damping: None,
                    depends_on_rate: false,
                })
            }
            ElasticChoice::Formula(text) => {
                let reach = complaints.quantity(
                    "max-indentation",
                    &self.max_indentation,
                    Dimension::Length,
                );
                let rate = self.rate_limit(complaints);
                match UserForce::new(text, reach, rate) {
                    Ok(force) => {
                        let force = Arc::new(force);
                        Some(Elastic {
                            depends_on_rate: force.depends_on_rate(),
                            name,
                            law: ElasticLaw::Expression(force.clone()),
                            length: None,
                            warnings: Vec::new(),
                            notes: Vec::new(),
                            own_damping: Some(DampingLaw::Expression(force)),
                        })
                    }
                    Err(problems) => {
                        for problem in problems {
                            complaints.add(formula_complaint(text, &problem));
                        }
                        None
                    }
                }
            }
        }
    }
}

/// A problem of a formula, with its position and, if there is one, a hint.
fn formula_complaint(text: &str, problem: &FormulaProblem) -> String {
    // A formula that fills the screen is not shown.
    let brief = match text.char_indices().nth(300) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    };
    let FormulaProblem::Syntax(error) = problem else {
        return format!("formula `{brief}`: {problem}");
    };
    if text.len() > brief.len() {
        return format!("formula `{brief}`: {error}");
    }
    let hint = error.hint().map_or_else(String::new, |hint| format!("\n  = hint: {hint}"));
    let snippet: Vec<String> =
        error.snippet(text).lines().map(|line| format!("  | {line}")).collect();
    format!("formula: {error}\n{}{hint}", snippet.join("\n"))
}

/// Maximum size of a table file (bytes).
const MAX_TABLE: u64 = 16 << 20;

fn read_table(path: &Path, complaints: &mut Complaints) -> Option<Table> {
    let text = match jointplay_files::read_text(path, MAX_TABLE) {
        Ok(text) => text,
        Err(error) => {
            complaints.add(format!("`{}` {error}", path.display()));
            return None;
        }
    };
    match Table::from_csv(&text) {
        Ok(table) => Some(table),
        Err(problems) => {
            for problem in problems {
                complaints.add(format!("{}:{}: {}", path.display(), problem.line, problem.message));
            }
            None
        }
    }
}

/// One material, from a name or from its properties; `flags` and `texts` are in the same order.
fn one_material(
    flags: [&str; 4],
    texts: [&Option<String>; 4],
    complaints: &mut Complaints,
) -> Option<Material> {
    let [name, young, poisson, density] = texts;
    let density_value = complaints.optional(flags[3], density.as_ref(), Dimension::Density);
    match (name, young, poisson) {
        (None, None, None) => {
            if density.is_some() {
                complaints.add(format!("--{} is given without a material", flags[3]));
            }
            None
        }
        (Some(name), None, None) => match catalog::material(name) {
            Ok(m) => Some(Material { density: density_value.or(m.density), ..m }),
            Err(problem) => {
                complaints.add(format!("--{}: {problem}", flags[0]));
                None
            }
        },
        (Some(_), _, _) => {
            complaints.add(format!(
                "give --{}, or --{} and --{}, not both",
                flags[0], flags[1], flags[2]
            ));
            None
        }
        (None, Some(e), Some(nu)) => Some(Material {
            young: complaints.quantity(flags[1], e, Dimension::Pressure),
            poisson: complaints.quantity(flags[2], nu, Dimension::Number),
            density: density_value,
        }),
        (None, _, _) => {
            complaints.add(format!("--{} and --{} must be given together", flags[1], flags[2]));
            None
        }
    }
}

/// Reads `--restitution`: numbers, a range, or a formula of the speed.
pub(crate) fn restitutions(
    text: &str,
    inputs: &mut Inputs,
    complaints: &mut Complaints,
) -> Vec<Restitution> {
    complaints.reading(Input::Restitution, |complaints| match text {
        "cube-root" => vec![Restitution::CubeRoot],
        "linear" => {
            let mut take = |key: &str| {
                inputs.numbers.remove(key).unwrap_or_else(|| {
                    complaints.add(format!("--restitution linear needs --param {key}=…"));
                    f64::NAN
                })
            };
            vec![Restitution::Linear { alpha_0: take("alpha_0"), alpha_1: take("alpha_1") }]
        }
        _ => numbers("restitution", text, complaints)
            .into_iter()
            .map(Restitution::Constant)
            .collect(),
    })
}

/// Maximum number of values of a range.
const MOST_VALUES: f64 = 100_000.0;

/// `0.7`, `0.3,0.5,0.7` or `0:1:0.1` (start, end, step; both ends included).
pub(crate) fn numbers(flag: &str, text: &str, complaints: &mut Complaints) -> Vec<f64> {
    let parts: Vec<&str> = text.split(':').collect();
    match parts.as_slice() {
        [list] => {
            list.split(',').map(|t| complaints.quantity(flag, t, Dimension::Number)).collect()
        }
        [start, end, step] => {
            let mut number = |t| complaints.quantity(flag, t, Dimension::Number);
            let (start, end, step) = (number(start), number(end), number(step));
            if start.is_nan() || end.is_nan() || step.is_nan() {
                return Vec::new();
            }
            let count = ((end - start) / step + 1e-9).floor();
            if step <= 0.0 || count.is_nan() || count < 0.0 {
                complaints.add(format!("--{flag} {text}: a range is START:END:STEP with END ≥ START and a positive step, such as 0:1:0.1"));
                return Vec::new();
            }
            if count > MOST_VALUES {
                complaints.add(format!("--{flag} {text}: the range has {count} values; at most {MOST_VALUES} are allowed"));
                return Vec::new();
            }
            // twelve decimals, so that 0:1:0.1 gives 0.3 and not 0.30000000000000004
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "checked just above"
            )]
            (0..=count as u32)
                .map(|i| ((start + f64::from(i) * step) * 1e12).round() / 1e12)
                .collect()
        }
        _ => {
            complaints.add(format!(
                "--{flag} {text}: write a number, a list a,b,c or a range START:END:STEP"
            ));
            Vec::new()
        }
    }
}

/// Reads a law name such as `johnson+flores`.
pub(crate) fn law_name(text: &str, complaints: &mut Complaints) -> LawName {
    if text.trim().is_empty() {
        complaints.add("--law names no law; write one such as `johnson+flores`".to_owned());
        return LawName::default();
    }
    LawName::parse(text).unwrap_or_else(|problems| {
        complaints.problems(&problems);
        LawName::default()
    })
}
