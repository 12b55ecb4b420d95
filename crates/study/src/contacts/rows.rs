//! The rows of the tables of a run, as files and the page have them.

use serde::{Deserialize, Serialize};

use super::{ContactRecord, JointMode};

/// A row of `impacts.csv`; the fields are its columns.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpactRow {
    /// Name of the joint.
    pub joint: String,
    /// Region; `flat 1 > end 1` if the contact passed from one to the other.
    pub region: String,
    /// Start (s).
    pub start: f64,
    /// End (s); the end of the run for an episode that is not over by then.
    pub end: f64,
    /// δ̇₀ (m/s).
    pub impact_speed: f64,
    /// δ_max (m).
    pub max_indentation: f64,
    /// Peak normal force (N).
    pub max_force: f64,
    /// How long it lasted (s).
    pub duration: f64,
    /// Impulse of the normal force (N s).
    pub impulse: f64,
    /// e_N = −δ̇(end)/δ̇₀ of an impact; empty for continuous contact and for episodes that were under way when the run began
    /// or ended.
    pub restitution: Option<f64>,
    /// Energy lost in normal direction (J).
    pub loss_normal: f64,
    /// Energy lost in sliding (J).
    pub loss_friction: f64,
    /// Fraction of its time outside the domain of the law.
    pub out_of_domain: f64,
    /// Restitution of an impact at this speed under the same law if no other force acts; empty if `restitution` is.
    #[serde(default)]
    pub free_restitution: Option<f64>,
}

/// A row of `modes.csv`.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeRow {
    /// Name of the joint.
    pub joint: String,
    /// Start (s).
    pub start: f64,
    /// End (s).
    pub end: f64,
    /// The mode.
    pub mode: JointMode,
}

/// A number of a row.
#[cfg(feature = "folders")]
type ImpactNumber = fn(&ImpactRow) -> f64;

#[cfg(feature = "folders")]
impl ImpactRow {
    /// The columns of numbers in the order of the file; a number that is not there is NaN.
    pub(crate) const NUMBERS: [(&'static str, ImpactNumber); 12] = [
        ("start", |row| row.start),
        ("end", |row| row.end),
        ("impact_speed", |row| row.impact_speed),
        ("max_indentation", |row| row.max_indentation),
        ("max_force", |row| row.max_force),
        ("duration", |row| row.duration),
        ("impulse", |row| row.impulse),
        ("restitution", |row| row.restitution.unwrap_or(f64::NAN)),
        ("loss_normal", |row| row.loss_normal),
        ("loss_friction", |row| row.loss_friction),
        ("out_of_domain", |row| row.out_of_domain),
        ("free_restitution", |row| row.free_restitution.unwrap_or(f64::NAN)),
    ];
}

impl ContactRecord {
    /// The rows of the impact table, in the order of the starts.
    pub fn impact_rows(&self) -> impl Iterator<Item = ImpactRow> {
        self.episodes.iter().map(|e| ImpactRow {
            joint: self.joints[e.joint].name.clone(),
            region: e.region(),
            start: e.start,
            end: e.end,
            impact_speed: e.impact_speed,
            max_indentation: e.max_indentation,
            max_force: e.max_force,
            duration: e.duration(),
            impulse: e.impulse,
            restitution: e.restitution,
            loss_normal: e.loss_normal,
            loss_friction: e.loss_friction,
            out_of_domain: e.out_of_domain,
            free_restitution: e.free_restitution,
        })
    }

    /// The rows of the table of modes, joint by joint.
    pub fn mode_rows(&self) -> impl Iterator<Item = ModeRow> {
        self.joints.iter().flat_map(|joint| {
            joint.timeline.iter().map(|stretch| ModeRow {
                joint: joint.name.clone(),
                start: stretch.start,
                end: stretch.end,
                mode: stretch.mode,
            })
        })
    }
}
