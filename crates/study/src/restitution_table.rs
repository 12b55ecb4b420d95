//! Output against input restitution, for many laws at once.

use jointplay_contact::catalog::{DampingKind, Inputs, LawProblems};
use jointplay_contact::damping::BeginError;
use jointplay_contact::elastic::ElasticLaw;
use jointplay_contact::{NormalLaw, Restitution, Tension};
use rayon::prelude::*;

use crate::closed_form;
use crate::impact::{Impact, ImpactError};

/// e_N of one law at one input restitution.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Integrated values.
    Value {
        /// With the force clipped at zero.
        clipped: f64,
        /// With the force as the formula gives it.
        adhesive: Adhesive,
        /// Closed form of the clipped value.
        closed_form: Option<f64>,
    },
    /// The damping grows without bound: e_N → 0.
    Limit,
    /// The restitution lies outside the law's domain.
    OutsideDomain,
    /// The impact could not be computed.
    Failed(ImpactError),
}

/// e_N with the force as the formula gives it, where it may pull.
#[derive(Clone, Debug, PartialEq)]
pub enum Adhesive {
    /// Nothing was cut: the same.
    Same,
    /// Another value.
    Value(f64),
    /// The bodies never part: e_N → 0.
    NeverParts,
    /// The impact could not be computed.
    Failed(ImpactError),
}

/// One law of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The damping law.
    pub damping: DampingKind,
    /// One entry for each input restitution.
    pub entries: Vec<Entry>,
}

/// A law that is not in the table, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Skipped {
    /// The damping law.
    pub damping: DampingKind,
    /// What it lacks.
    pub problems: LawProblems,
}

/// The settings common to all impacts of a table.
#[derive(Clone, Copy, Debug)]
pub struct TableInputs<'a> {
    /// Name of the elastic law, for messages.
    pub elastic_id: &'a str,
    /// The elastic law.
    pub elastic: &'a ElasticLaw,
    /// Parameters of the damping laws; the restitution in it is replaced.
    pub inputs: &'a Inputs,
    /// Effective mass, kg.
    pub effective_mass: f64,
    /// Impact speed, m/s.
    pub speed: f64,
    /// Smallest impact speed that the damping uses, m/s.
    pub impact_speed_floor: f64,
    /// Relative tolerance.
    pub tolerance: f64,
}

/// Runs every law at every input restitution, on all cores; the result does not depend on their
/// number.
pub fn restitution_table(
    shared: &TableInputs<'_>,
    dampings: &[DampingKind],
    restitutions: &[f64],
) -> (Vec<Row>, Vec<Skipped>) {
    let build = |damping: DampingKind, c: f64| {
        let inputs =
            Inputs { restitution: Some(Restitution::Constant(c)), ..shared.inputs.clone() };
        let damping = damping.build(&inputs, shared.elastic_id, shared.elastic)?;
        let law = NormalLaw::new(shared.elastic.clone(), damping);
        Ok::<_, LawProblems>(NormalLaw { impact_speed_floor: shared.impact_speed_floor, ..law })
    };
    let (mut rows, mut skipped) = (Vec::new(), Vec::new());
    for &damping in dampings {
        match build(damping, 0.5) {
            Ok(_) => rows.push(damping),
            Err(problems) => skipped.push(Skipped { damping, problems }),
        }
    }
    let rows = rows
        .into_par_iter()
        .map(|damping| {
            let entry = |&c: &f64| match build(damping, c) {
                Ok(law) => entry(shared, law),
                Err(_) => Entry::OutsideDomain,
            };
            Row { damping, entries: restitutions.par_iter().map(entry).collect() }
        })
        .collect();
    (rows, skipped)
}

fn entry(shared: &TableInputs<'_>, law: NormalLaw) -> Entry {
    let run = |law: &NormalLaw| {
        let TableInputs { effective_mass, speed, tolerance, .. } = *shared;
        Impact { law, effective_mass, speed, tolerance }.rebound()
    };
    match run(&law) {
        Ok(result) => {
            let touch = law.begin(shared.speed, shared.effective_mass);
            let closed_form =
                touch.ok().and_then(|touch| closed_form::restitution(&law, &touch, shared.speed));
            let adhesive = if result.clipped {
                match run(&NormalLaw { tension: Tension::Keep, ..law }) {
                    Ok(keeps) => Adhesive::Value(keeps.restitution),
                    Err(ImpactError::NeverParts { .. }) => Adhesive::NeverParts,
                    Err(error) => Adhesive::Failed(error),
                }
            } else {
                Adhesive::Same
            };
            Entry::Value { clipped: result.restitution, adhesive, closed_form }
        }
        Err(ImpactError::Begin(BeginError::Limit { .. })) => Entry::Limit,
        Err(ImpactError::Begin(BeginError::Domain { .. })) => Entry::OutsideDomain,
        Err(error) => Entry::Failed(error),
    }
}
