//! Reads the flags of `jointplay impact` and reports all problems at once.

use jointplay_contact::Restitution;
use jointplay_contact::catalog::{DampingKind, ElasticKind, Inputs, LawProblems, SpeedBound};
use jointplay_contact::elastic::ElasticModel;
use jointplay_study::impact::DEFAULT_TOLERANCE;
use jointplay_study::restitution_table::TableInputs;

use super::ImpactArgs;
use crate::args::{Elastic, ElasticChoice, law_name, restitutions};
use crate::complaints::{Complaints, Input, complain_of_unknown};
use crate::{Failure, print};
use jointplay_model::units::Dimension;

/// The impacts to compute.
pub(super) enum Plan {
    /// Every damping law once, with the restitution of the inputs if it takes one.
    Each,
    /// Every damping law at every restitution.
    Table(Vec<f64>),
}

/// The request after reading the flags.
pub(super) struct Request {
    pub(super) elastic: Elastic,
    pub(super) inputs: Inputs,
    pub(super) dampings: Vec<DampingKind>,
    pub(super) plan: Plan,
    pub(super) masses: Vec<f64>,
    pub(super) speed: f64,
    pub(super) floor: f64,
    pub(super) tolerance: f64,
}

impl Request {
    pub(super) fn effective_mass(&self) -> f64 {
        match self.masses.as_slice() {
            [i, j] => i * (j / (i + j)),
            [m] => *m,
            _ => f64::NAN,
        }
    }

    pub(super) fn table_inputs(&self) -> TableInputs<'_> {
        TableInputs {
            elastic_id: &self.elastic.name,
            elastic: &self.elastic.law,
            inputs: &self.inputs,
            effective_mass: self.effective_mass(),
            speed: self.speed,
            impact_speed_floor: self.floor,
            tolerance: self.tolerance,
        }
    }

    /// Warnings if the request is outside the published domains of the elastic law and of these
    /// damping laws.
    pub(super) fn warnings(&self, dampings: &[DampingKind]) -> Vec<String> {
        let mut warnings = self.elastic.warnings.clone();
        warnings.extend(dampings.iter().filter_map(|damping| self.speed_warning(*damping)));
        warnings
    }

    /// A warning if the speed is outside the range in the data sheet of a damping law.
    fn speed_warning(&self, damping: DampingKind) -> Option<String> {
        let bound = damping.sheet().bounds.speed?;
        let limit = bound.speed(self.inputs.materials.as_ref()?)?;
        if bound.allows(self.speed, limit) {
            return None;
        }
        let (speed, law, digits) = (self.speed, damping.id(), print::digits(limit, 3));
        Some(match bound {
            SpeedBound::UpTo(share) => format!(
                "the speed {speed} m/s lies above the published limit {share:e}·√(E/ρ) = {digits} m/s of {law}: expect permanent indentation"
            ),
            SpeedBound::From(share) => format!(
                "the speed {speed} m/s lies below the published limit {share:e}·√(E/ρ) = {digits} m/s of {law}: the bodies may stay elastic"
            ),
        })
    }

    /// The warnings of a whole table.
    pub(super) fn table_warnings(&self) -> Vec<String> {
        let mut warnings = self.warnings(&self.dampings);
        if self.speed < self.floor {
            warnings.push(self.floor_warning());
        }
        let energy = 0.5 * self.effective_mass() * self.speed * self.speed;
        let deepest = self.elastic.law.indentation_of_energy(energy);
        if let (Some(deepest), Some(end)) = (deepest, self.elastic.law.limits().continued_from)
            && deepest > end
        {
            warnings.push("a loss-free impact exceeds the limit of the elastic law, which is then continued along its tangent".into());
        }
        warnings
    }

    pub(super) fn floor_warning(&self) -> String {
        format!(
            "the impact speed is below the floor of {} m/s; damping was computed with the floor",
            self.floor
        )
    }
}

/// Reads the flags.
pub(super) fn read(args: &ImpactArgs) -> Result<Request, Failure> {
    let mut complaints = Complaints::default();
    let c = &mut complaints;
    let mut inputs = args.contact.inputs(c);
    let all = args.damping.as_deref() == Some("all");
    let (choice, dampings) = laws(args, all, c);
    let restitution = match (&args.restitution, all) {
        (Some(text), _) => restitutions(text, &mut inputs, c),
        (None, true) => restitutions("0:1:0.1", &mut inputs, c),
        (None, false) => Vec::new(),
    };
    inputs.restitution = restitution.first().copied();
    c.reading(Input::Restitution, |c| check_restitutions(args, &restitution, &dampings, all, c));
    let elastic = choice.as_ref().and_then(|choice| args.contact.elastic(choice, &inputs, c));
    complain_of_unknown(&inputs, choice.as_ref().and_then(ElasticChoice::sheet), &dampings, c);
    let masses = masses(args, c);
    let speed = if let Some(text) = &args.speed {
        positive("speed", c.quantity("speed", text, Dimension::Speed), c)
    } else {
        c.add("--speed is missing: the approach speed, such as --speed 0.3m/s");
        f64::NAN
    };
    let floor = c.quantity("impact-speed-floor", &args.impact_speed_floor, Dimension::Speed);
    let floor = positive("impact-speed-floor", floor, c);
    let tolerance = tolerance(args, c);
    if let Some(elastic) = elastic.as_ref().filter(|e| e.own_damping.is_some()) {
        check_formula(elastic, args.contact.rate_limit(c), speed, &dampings, c);
    }
    if !all {
        // every law must be complete before the first impact; if the elastic law cannot be built,
        // another one of its kind serves to find what else is missing
        let kind =
            if let Some(ElasticChoice::Kind(kind)) = choice { kind } else { ElasticKind::Hertz };
        let stand_in = kind.stand_in();
        let (name, law) =
            elastic.as_ref().map_or((kind.id(), &stand_in), |e| (e.name.as_str(), &e.law));
        for damping in &dampings {
            let built: Result<_, LawProblems> = damping.build(&inputs, name, law);
            if let Err(problems) = built {
                c.problems(&problems);
            }
        }
    }
    let constants: Vec<f64> = restitution
        .iter()
        .filter_map(|r| if let Restitution::Constant(c) = r { Some(*c) } else { None })
        .collect();
    let plan = if all || restitution.len() > 1 {
        for (given, flag) in [(args.adhesive, "adhesive"), (args.curve, "curve")] {
            if given {
                c.add(format!("--{flag} is for single restitutions; the table shows both clipped and adhesive values"));
            }
        }
        Plan::Table(constants)
    } else {
        Plan::Each
    };
    complaints.finish()?;
    let elastic = elastic.ok_or_else(|| Failure::Run("no elastic law".to_owned()))?;
    Ok(Request { elastic, inputs, dampings, plan, masses, speed, floor, tolerance })
}

/// The elastic law and the damping laws that are named.
fn laws(
    args: &ImpactArgs,
    all: bool,
    c: &mut Complaints,
) -> (Option<ElasticChoice>, Vec<DampingKind>) {
    let mut name = args.law.as_ref().map(|text| law_name(text, c)).unwrap_or_default();
    if let Some(friction) = name.friction {
        c.add(format!("`{}` is a friction law; a free impact has no sliding", friction.id()));
    }
    let mut dampings: Vec<DampingKind> = name.damping.into_iter().collect();
    if all {
        dampings = DampingKind::ALL.to_vec();
    } else if let Some(text) = &args.damping {
        for part in text.split(',').map(str::trim) {
            match part.parse() {
                Ok(kind) if dampings.contains(&kind) => {}
                Ok(kind) => dampings.push(kind),
                Err(problem) => c.problems(&LawProblems::from(problem)),
            }
        }
    }
    // a restitution without a damping law selects `exact`, which returns it
    let own_damping = args.elastic.as_ref().is_some_and(|text| text.starts_with("formula:"));
    if args.restitution.is_some() && args.damping.is_none() && args.law.is_none() && !own_damping {
        dampings.push(DampingKind::Exact);
    }
    if let [only] = dampings.as_slice() {
        name.damping = Some(*only);
    }
    let choice = match &args.elastic {
        Some(text) => ElasticChoice::read(text, c),
        None => Some(ElasticChoice::Kind(name.elastic_or_default())),
    };
    (choice, dampings)
}

fn check_restitutions(
    args: &ImpactArgs,
    restitutions: &[Restitution],
    dampings: &[DampingKind],
    all: bool,
    c: &mut Complaints,
) {
    // a law whose name could not be read may take one
    let unread = args.damping.is_some() && dampings.is_empty();
    if let Some(text) = &args.restitution
        && !unread
        && !dampings.iter().any(|d| d.takes_restitution())
    {
        let law = dampings.first().map_or("the law", |d| d.id());
        c.add(format!("--restitution {text} has no effect: {law} takes no restitution; name a --damping that does, such as exact"));
    }
    for restitution in restitutions {
        match restitution {
            Restitution::Constant(value) if value.is_nan() => {}
            Restitution::Constant(value) if !Restitution::RANGE.contains(*value) => {
                c.add(format!("--restitution {value}: must lie in [0, 1]"));
            }
            Restitution::CubeRoot | Restitution::Linear { .. } if all => {
                c.add("--damping all needs numbers for --restitution, such as 0:1:0.1");
            }
            Restitution::Constant(_) | Restitution::CubeRoot | Restitution::Linear { .. } => {}
        }
    }
}

/// Checks a formula: it may bring its own damping, and it has a limited range.
fn check_formula(
    elastic: &Elastic,
    max_rate: f64,
    speed: f64,
    dampings: &[DampingKind],
    c: &mut Complaints,
) {
    if elastic.depends_on_rate && !dampings.is_empty() {
        c.add("the formula depends on delta_dot and so has its own damping: leave out --damping, or write the formula without delta_dot");
    }
    if elastic.depends_on_rate && speed > max_rate {
        c.add(format!("--speed {speed} lies beyond the range of the formula; give --max-rate {speed}m/s or more"));
    }
}

fn tolerance(args: &ImpactArgs, c: &mut Complaints) -> f64 {
    let Some(text) = &args.tolerance else { return DEFAULT_TOLERANCE };
    let value = c.quantity("tolerance", text, Dimension::Number);
    if !(1e-14..=1e-2).contains(&value) && !value.is_nan() {
        c.add(format!("--tolerance {value}: must lie in [1e-14, 0.01]"));
    }
    value
}

fn masses(args: &ImpactArgs, c: &mut Complaints) -> Vec<f64> {
    let masses: Vec<f64> = args
        .mass
        .iter()
        .map(|text| {
            let value = c.quantity("mass", text, Dimension::Mass);
            positive("mass", value, c)
        })
        .collect();
    match masses.len() {
        0 => c.add("--mass is missing: once for a body against a wall, twice for two bodies"),
        1 | 2 => {}
        n => c.add(format!(
            "--mass is given {n} times; an impact has one body against a wall or two bodies"
        )),
    }
    masses
}

fn positive(flag: &str, value: f64, c: &mut Complaints) -> f64 {
    if value <= 0.0 {
        c.add(format!("--{flag} {value}: must be positive"));
    }
    value
}
