//! What a run came to, as people and programs read it.

use std::collections::BTreeMap;

use jointplay_mbd::{AccountKind, Outcome};
use serde::{Deserialize, Serialize};

use crate::contacts::{Check, JointMode, JointRecord};
use crate::record::Record;
use crate::warning::RunWarning;

/// Why a run ended, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Ending {
    /// The end of its time span.
    ReachedEnd,
    /// A watched coordinate asked to stop.
    Stopped,
    /// Its watcher interrupted it.
    Interrupted,
    /// It could not go on.
    Failed,
}

impl Ending {
    fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::ReachedEnd => Ending::ReachedEnd,
            Outcome::Stopped { .. } => Ending::Stopped,
            Outcome::Interrupted { .. } => Ending::Interrupted,
            _ => Ending::Failed,
        }
    }
}

/// What a run came to. A number that is none is `None`, and `null` in a file.
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
    /// Accepted steps.
    pub steps: usize,
    /// Evaluations of the right-hand side.
    pub rhs_evaluations: usize,
    /// Energy that nothing in the mechanism explains, over the energy exchanged: the residual of the books and what drift
    /// control did, greatest sum of both magnitudes at any step. 0 where it is rounding.
    pub energy_residual: Option<f64>,
    /// The same (J).
    pub energy_residual_joule: Option<f64>,
    /// Its first part: greatest magnitude of the residual of the books (J), as the channel `energy.residual` shows it.
    pub energy_books_joule: Option<f64>,
    /// Its second part: greatest magnitude of what drift control brought or took (J), as in the channel `energy.drift`.
    pub energy_drift_joule: Option<f64>,
    /// Energy that came in where contacts had to start inside an overlap (J); the channel `energy.cut` counts it as what left.
    pub energy_late_joule: Option<f64>,
    /// The clearance joints by name.
    pub contacts: BTreeMap<String, JointSummary>,
    /// What to know before trusting the numbers.
    pub warnings: Vec<String>,
    /// What is worth knowing about them.
    #[serde(default)]
    pub notes: Vec<String>,
}

/// What a clearance joint did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointSummary {
    /// Contact episodes, open ones included.
    pub impacts: usize,
    /// Episodes that lasted when the run ended.
    pub open: usize,
    /// Start of the first episode (s).
    pub first_impact_time: Option<f64>,
    /// Its impact speed (m/s).
    pub first_impact_speed: Option<f64>,
    /// Greatest impact speed (m/s).
    pub max_impact_speed: Option<f64>,
    /// Greatest normal force (N).
    pub peak_force: Option<f64>,
    /// When it was reached (s).
    pub peak_force_time: Option<f64>,
    /// Greatest indentation (m).
    pub max_indentation: Option<f64>,
    /// Restitution asked for, mean of the finished impacts.
    pub restitution_in: Option<f64>,
    /// Restitution that came out, mean of the finished impacts.
    pub restitution_out: Option<f64>,
    /// What free impacts at the same speeds return under the same law, mean of the finished impacts.
    #[serde(default)]
    pub restitution_free: Option<f64>,
    /// Part of the time with any contact.
    pub contact_fraction: Option<f64>,
    /// Part of the time in impacts.
    pub impact_fraction: Option<f64>,
    /// Part of the time in continuous contact.
    pub continuous_fraction: Option<f64>,
    /// Energy lost along the normal (J).
    pub loss_normal: Option<f64>,
    /// Energy lost in sliding (J).
    pub loss_friction: Option<f64>,
    /// Energy that came in at seams between sections with different laws (J); the channel `energy.seam` counts what left.
    pub seam_energy: Option<f64>,
    /// Part of the contact time outside the domain of the law.
    pub out_of_domain: Option<f64>,
    /// The bounds of the data sheets, held against what the joint did.
    #[serde(default)]
    pub domain: Vec<Check>,
}

fn finite(x: f64) -> Option<f64> {
    Some(x).filter(|x| x.is_finite())
}

impl Summary {
    /// The summary of a run, without what is known of its model.
    pub fn of(record: &Record) -> Self {
        let Record { solution, contacts, wall_seconds } = record;
        let joints = contacts.joints.iter().map(|joint| (joint.name.clone(), joint.into()));
        let run_level = RunWarning::of(solution).into_iter().map(|warning| warning.to_string());
        let all = || contacts.joints.iter().flat_map(|joint| &joint.warnings);
        let told = |notes: bool| {
            all().filter(move |warning| warning.is_note() == notes).map(ToString::to_string)
        };
        Summary {
            outcome: Ending::of(&solution.outcome),
            message: solution.outcome.to_string(),
            t_end: finite(contacts.span[1]),
            wall_seconds: finite(*wall_seconds),
            steps: solution.stats.accepted,
            rhs_evaluations: solution.stats.evaluations,
            energy_residual: finite(solution.ledger.shown_shares()[2]),
            energy_residual_joule: finite(solution.ledger.shown[2]),
            energy_books_joule: finite(solution.ledger.shown[0]),
            energy_drift_joule: finite(solution.ledger.shown[1]),
            energy_late_joule: finite(solution.ledger.total(AccountKind::LateStart)),
            contacts: joints.collect(),
            warnings: run_level.chain(told(false)).collect(),
            notes: told(true).collect(),
        }
    }
}

impl From<&JointRecord> for JointSummary {
    fn from(joint: &JointRecord) -> Self {
        let time = |mode: Option<JointMode>| -> f64 {
            let wanted = joint.timeline.iter().filter(|s| mode.is_none_or(|mode| s.mode == mode));
            wanted.fold(0.0, |sum, s| sum + (s.end - s.start))
        };
        let share = |mode| {
            let all = time(None);
            finite(if all > 0.0 { time(Some(mode)) / all } else { 0.0 })
        };
        JointSummary {
            impacts: joint.impacts,
            open: joint.open,
            first_impact_time: joint.first_impact_time.and_then(finite),
            first_impact_speed: joint.first_impact_speed.and_then(finite),
            max_impact_speed: joint.max_impact_speed.and_then(finite),
            peak_force: joint.peak_force.and_then(finite),
            peak_force_time: joint.peak_force_time.and_then(finite),
            max_indentation: joint.max_indentation.and_then(finite),
            restitution_in: joint.restitution_in.and_then(finite),
            restitution_out: joint.restitution_out.and_then(finite),
            restitution_free: joint.restitution_free.and_then(finite),
            contact_fraction: finite(joint.contact_fraction),
            impact_fraction: share(JointMode::Impact),
            continuous_fraction: share(JointMode::ContinuousContact),
            loss_normal: finite(joint.loss_normal),
            loss_friction: finite(joint.loss_friction),
            seam_energy: finite(joint.seam_energy),
            out_of_domain: finite(joint.out_of_domain),
            domain: joint.checks.clone(),
        }
    }
}
