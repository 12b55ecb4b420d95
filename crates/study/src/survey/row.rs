//! The rows of a survey.

use serde::{Deserialize, Serialize};

use super::kept::KeptState;
use crate::case::Digest;
use crate::journal::Keyed;
use crate::scatter::JointSample;
use crate::summary::Ending;
use crate::warned::Warned;

/// One point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What it is the result of.
    pub(super) point: PointKey,
    /// The metrics; `None` where one has no value.
    pub metrics: Vec<Option<f64>>,
    /// How the run ended.
    pub outcome: Ending,
    /// Why it ended early, or why it could not be started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What the run warns of.
    #[serde(default, skip_serializing_if = "Warned::is_empty")]
    pub warnings: Warned,
    /// The joints of the run, where they are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<JointSample>,
    /// The state in which it started; `None` is the start that the model gives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<KeptState>,
    /// The state in which it ended, if the next point starts from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) end: Option<KeptState>,
}

impl Keyed for Row {
    type Key = PointKey;

    fn key(&self) -> PointKey {
        self.point
    }
}

/// Identifies a point by what its result depends on: the model, the values of the point, what is measured, and the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointKey(u128);

impl PointKey {
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Self {
        let digest = Digest::of(texts);
        let half = digest.as_str().get(..32).unwrap_or_default();
        PointKey(u128::from_str_radix(half, 16).unwrap_or_default())
    }
}

impl Serialize for PointKey {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:032x}", self.0))
    }
}

impl<'de> Deserialize<'de> for PointKey {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        u128::from_str_radix(&text, 16).map(PointKey).map_err(serde::de::Error::custom)
    }
}

impl Row {
    /// Whether there is no result.
    pub fn is_failed(&self) -> bool {
        self.outcome == Ending::Failed
    }
}
