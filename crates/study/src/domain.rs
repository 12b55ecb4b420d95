//! Validity domains of cylinder laws: the load limit as a function of the clearance.

use jointplay_contact::Surfaces;
use jointplay_contact::catalog::{ElasticKind, Inputs, LawProblems};
use jointplay_contact::elastic::ElasticModel;

/// Limits of a law at one clearance, per unit length where the law has a length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimitPoint {
    /// ΔR, m.
    pub clearance: f64,
    /// Monotone limit, N/m.
    pub monotone: Option<f64>,
    /// Published limit, N/m.
    pub published: Option<f64>,
    /// Indentation at the monotone limit, m.
    pub delta: Option<f64>,
}

/// Limits of `kind` at the given clearances.
///
/// If `inputs` has a bearing, its radius is kept and the journal shrinks with the clearance;
/// otherwise the clearance alone is given to the law.
///
/// # Errors
/// Everything that the law needs and the inputs lack.
pub fn limits(
    kind: ElasticKind,
    inputs: &Inputs,
    clearances: &[f64],
) -> Result<Vec<LimitPoint>, LawProblems> {
    clearances
        .iter()
        .map(|&clearance| {
            let mut inputs = inputs.clone();
            inputs.clearance = Some(clearance);
            if let Some(Surfaces::Internal { bearing, .. }) = inputs.surfaces {
                inputs.surfaces = Some(Surfaces::internal(bearing, bearing - clearance)?);
            }
            let built = kind.build(&inputs)?;
            let limits = built.law.limits();
            let per_length = |force: f64| force / built.length.unwrap_or(1.0);
            Ok(LimitPoint {
                clearance,
                monotone: limits.force.map(per_length),
                published: limits.published_force.map(per_length),
                delta: limits.delta,
            })
        })
        .collect()
}

/// `count` values from `low` to `high`, evenly spaced in their logarithm, both ends included.
pub fn logarithmic_range(low: f64, high: f64, count: u32) -> Vec<f64> {
    let last = count.max(2) - 1;
    let (from, to) = (low.ln(), high.ln());
    let between = |i: u32| (from + (to - from) * f64::from(i) / f64::from(last)).exp();
    (0..=last)
        .map(|i| match i {
            0 => low,
            i if i == last => high,
            i => between(i),
        })
        .collect()
}
