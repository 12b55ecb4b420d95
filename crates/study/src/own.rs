//! Metrics that the caller computes of each run of a study, in a language of their own.

use std::fmt;

use crate::run::Run;

/// Metrics of runs that are not written as formulas.
pub trait OwnMetrics: fmt::Debug + Send + Sync {
    /// Their names, which a study uses like those of the model.
    fn names(&self) -> &[String];

    /// What identifies them: runs that were measured by others are made again.
    fn identity(&self) -> &str;

    /// Their values for a run, in the order of the names; `None` where one has no value. No values at all if nothing could be measured: the study stops, and the
    /// caller knows why.
    fn measure(&self, run: Run) -> Option<Vec<Option<f64>>>;
}
