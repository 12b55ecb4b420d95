//! The summary of a run, for people and programs.

use std::collections::BTreeMap;

use jointplay_mbd::{AccountKind, Outcome};
use serde::{Deserialize, Serialize};

use crate::contacts::{JointSummary, SharedWarning};
use crate::metrics::Measured;
use crate::record::Record;
use crate::warning::RunWarning;

/// Why a run ended, in one word.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// It reached the end of its time span.
    ReachedEnd,
    /// A watched coordinate stopped it.
    Stopped,
    /// Its watcher interrupted it.
    Interrupted,
    /// It could not continue.
    Failed,
}

impl Ending {
    /// Its name in tables and files.
    pub fn name(self) -> &'static str {
        match self {
            Ending::ReachedEnd => "reached-end",
            Ending::Stopped => "stopped",
            Ending::Interrupted => "interrupted",
            Ending::Failed => "failed",
        }
    }

    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::ReachedEnd => Ending::ReachedEnd,
            Outcome::Stopped { .. } => Ending::Stopped,
            Outcome::Interrupted { .. } => Ending::Interrupted,
            Outcome::Failed { .. } => Ending::Failed,
        }
    }
}

/// The summary of a run. A value that is not defined or not finite is `None`, and `null` in a file.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Why it ended.
    pub outcome: Ending,
    /// The same as a sentence.
    pub message: String,
    /// The time reached (s).
    pub t_end: Option<f64>,
    /// How long it took (s).
    pub wall_seconds: Option<f64>,
    /// The coordinates that were integrated: `joint` or `absolute`. Empty in results of versions that did not record it.
    #[serde(default)]
    pub formulation: String,
    /// Accepted steps.
    pub steps: usize,
    /// Those of them that were implicit because contact damping would have held down the steps of an explicit method.
    #[serde(default)]
    pub stiff_steps: usize,
    /// Those of them that were implicit because nothing moved.
    #[serde(default)]
    pub resting_steps: usize,
    /// Evaluations of the right-hand side.
    pub rhs_evaluations: usize,
    /// Energy that nothing in the mechanism explains, as a fraction of the energy in play: the largest sum of the magnitudes of
    /// the ledger's residual and of the work of drift control at any step. 0 if it is within rounding.
    pub energy_residual: Option<f64>,
    /// The same (J).
    pub energy_residual_joule: Option<f64>,
    /// Its first term: largest magnitude of the residual of the ledger (J), as in the channel `energy.residual`.
    pub energy_books_joule: Option<f64>,
    /// Its second term: largest magnitude of the work of drift control (J), as in the channel `energy.drift`.
    pub energy_drift_joule: Option<f64>,
    /// Energy added where contacts had to start inside an overlap (J); the channel `energy.cut` has the opposite sign.
    pub energy_late_joule: Option<f64>,
    /// The clearance joints by name.
    pub contacts: BTreeMap<String, JointSummary>,
    /// The metrics by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metrics: BTreeMap<String, Option<f64>>,
    /// Their units.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metric_units: BTreeMap<String, String>,
    /// Warnings: what to know before trusting the numbers.
    pub warnings: Vec<String>,
    /// Notes: what else is worth knowing about them.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// The number if it is finite.
pub(crate) fn finite(x: f64) -> Option<f64> {
    Some(x).filter(|x| x.is_finite())
}

impl Summary {
    /// With these metrics.
    pub(crate) fn with_metrics(mut self, metrics: &[Measured]) -> Self {
        let all = metrics.iter();
        self.metrics = all.clone().map(|metric| (metric.name.clone(), metric.value)).collect();
        self.metric_units = all.map(|metric| (metric.name.clone(), metric.unit.clone())).collect();
        self
    }

    /// The metrics with their units.
    pub fn measured(&self) -> impl Iterator<Item = Measured> {
        self.metrics.iter().map(|(name, value)| Measured {
            name: name.clone(),
            unit: self.metric_units.get(name).cloned().unwrap_or_else(|| "-".to_owned()),
            value: *value,
        })
    }

    /// The summary of a run, without the warnings about its model.
    pub fn of(record: &Record) -> Self {
        let Record { solution, contacts, wall_seconds } = record;
        let joints =
            contacts.joints.iter().map(|joint| (joint.name.clone(), joint.summary.clone()));
        let run_level = RunWarning::of(solution).into_iter().map(|warning| warning.to_string());
        let all = || contacts.joints.iter().flat_map(|joint| &joint.warnings);
        let told = |notes: bool| {
            let told = SharedWarning::of(all().filter(|warning| warning.is_note() == notes));
            told.into_iter().map(|warning| warning.to_string())
        };
        Summary {
            outcome: Ending::of(&solution.outcome),
            message: solution.outcome.to_string(),
            t_end: finite(contacts.span[1]),
            wall_seconds: finite(*wall_seconds),
            formulation: solution.equations.formulation().name().to_owned(),
            steps: solution.stats.accepted,
            stiff_steps: solution.stats.stiff,
            resting_steps: solution.stats.resting,
            rhs_evaluations: solution.stats.evaluations,
            energy_residual: finite(solution.ledger.shown_shares()[2]),
            energy_residual_joule: finite(solution.ledger.shown[2]),
            energy_books_joule: finite(solution.ledger.shown[0]),
            energy_drift_joule: finite(solution.ledger.shown[1]),
            energy_late_joule: finite(solution.ledger.total(AccountKind::LateStart)),
            contacts: joints.collect(),
            metrics: BTreeMap::new(),
            metric_units: BTreeMap::new(),
            warnings: run_level.chain(told(false)).collect(),
            notes: told(true).collect(),
        }
    }
}
