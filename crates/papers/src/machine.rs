//! The mechanisms of the papers: the shipped model files, changed as a paper requires, run and evaluated.

use jointplay_mbd::Sampling;
use jointplay_model::Value;
use jointplay_study::case::Case;
use jointplay_study::contacts::{Episode, JointSummary};
use jointplay_study::run::{ChannelError, Keep, Run};

use crate::Error;

/// Points in the order of their x.
pub(crate) type Curve = Vec<(f64, f64)>;

/// A case with these keys set, as `("joints.pin.law.mu", "0.51")`.
pub(crate) fn with(case: Case, keys: &[(&str, &str)]) -> Case {
    keys.iter().fold(case, |case, (key, value)| case.set(*key, Value::read(*value)))
}

/// Runs a case to its end, kept at these instants.
pub(crate) fn run(case: &Case, sampling: Sampling) -> Result<Run, Error> {
    let loaded = case.load().map_err(|wrong| Error::Model(wrong.to_string()))?;
    let run = loaded.sampled(sampling).run_keeping(Keep::Nothing, &mut ());
    let run = run.map_err(|wrong| Error::Run(wrong.to_string()))?;
    let outcome = &run.solution().outcome;
    if outcome.reached_end() { Ok(run) } else { Err(Error::Run(outcome.to_string())) }
}

/// A channel of a run at its kept instants.
pub(crate) fn channel(run: &Run, name: &str) -> Result<Vec<f64>, Error> {
    run.values(name).map_err(|wrong| match wrong {
        ChannelError::Unknown(wrong) => Error::Model(wrong.to_string()),
        ChannelError::Instant(wrong) => Error::Run(wrong.to_string()),
    })
}

/// A channel of a run over time.
pub(crate) fn curve(run: &Run, name: &str) -> Result<Curve, Error> {
    Ok(run.channels.times.iter().copied().zip(channel(run, name)?).collect())
}

/// The contact record of the clearance joint of a run.
pub(crate) fn joint(run: &Run) -> Result<&JointSummary, Error> {
    let none = || Error::Model("the mechanism has no clearance joint".to_owned());
    run.contacts().joints.first().map(|joint| &joint.summary).ok_or_else(none)
}

/// The first contact of a run.
pub(crate) fn first_contact(run: &Run) -> Result<&Episode, Error> {
    let none = || Error::Run("no contact in the whole run".to_owned());
    run.contacts().episodes.first().ok_or_else(none)
}

/// At most four points of each of `count` equal parts of the range of x, its ends, the lowest and
/// the highest: no peak is lost, and no slope is false.
pub(crate) fn thinned(points: &[(f64, f64)], count: usize) -> Vec<(f64, f64)> {
    let (Some(first), Some(last)) = (points.first(), points.last()) else { return Vec::new() };
    let width = (last.0 - first.0) / count as f64;
    let part = |point: &(f64, f64)| ((point.0 - first.0) / width).floor();
    let mut kept = Vec::with_capacity(4 * count);
    for group in points.chunk_by(|a, b| part(a) == part(b)) {
        let by_height = |a: &usize, b: &usize| group[*a].1.total_cmp(&group[*b].1);
        let (low, high) = ((0..group.len()).min_by(by_height), (0..group.len()).max_by(by_height));
        let mut places = [Some(0), low, high, Some(group.len() - 1)].map(|i| i.unwrap_or(0));
        places.sort_unstable();
        let mut before = None;
        for place in places {
            if before.replace(place) != Some(place) {
                kept.push(group[place]);
            }
        }
    }
    kept
}

/// The largest magnitude.
pub(crate) fn largest(points: &[(f64, f64)]) -> f64 {
    points.iter().fold(0.0, |most, point| point.1.abs().max(most))
}
