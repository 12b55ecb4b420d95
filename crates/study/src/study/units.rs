//! The SI units of what a study varies and measures.

use std::collections::BTreeMap;

use jointplay_expression::units::{Dimension, parse};
use jointplay_model::{JointStatistic, Reduction};

use crate::case::{Case, Loaded};
use crate::vary::{Level, Quantity, Values, Vary};

/// The units of keys; words have none.
pub(super) fn of_keys<'v>(
    varies: impl IntoIterator<Item = &'v Vary>,
    case: &Case,
) -> BTreeMap<String, String> {
    let units = varies.into_iter().filter_map(|vary| Some((vary.key.clone(), of_key(vary, case)?)));
    units.collect()
}

/// The unit of a key: that of the values as they were typed, or the one that the model takes plain numbers to be in; `-` for pure numbers.
fn of_key(vary: &Vary, case: &Case) -> Option<String> {
    let level = match &vary.values {
        Values::Levels(levels) => {
            let not_zero = levels.iter().find(|level| level.number != Some(0.0));
            not_zero.or(levels.first())?.clone()
        }
        Values::Spread(spread) => spread.at(0.5),
    };
    let typed = Quantity::parse(&level.text)?;
    let dimensions = Dimension::ALL.iter().filter(|of| !of.si_unit().is_empty());
    if !typed.unit().is_empty() {
        let mut dimensions = dimensions;
        let of = dimensions.find(|of| parse(&level.text, **of).is_ok());
        // A product of units has no short name.
        return of.map(|of| written(*of));
    }
    // A parameter has the unit that it is given with.
    if vary.key.starts_with("parameters.") {
        return Some("-".to_owned());
    }
    // A frequency may be in Hz or in rad/s, and a plain number is one of them: the unit with which the model stays the same.
    let load = |text: String| {
        let changes = vary.set(case.changes().clone(), &Level::of(text));
        case.clone().changed(changes).load().ok()
    };
    let plain = load(level.text.clone());
    let accepted = dimensions.filter_map(|of| {
        let text = Quantity::written(level.number.unwrap_or(1.0), of.si_unit());
        load(text).map(|loaded| (*of, loaded))
    });
    let accepted: Vec<(Dimension, Loaded)> = accepted.collect();
    let same = |(_, loaded): &&(Dimension, Loaded)| {
        plain.as_ref().is_some_and(|plain| plain.digest() == loaded.digest())
    };
    let of = accepted.iter().find(same).or(accepted.first());
    Some(of.map_or_else(|| "-".to_owned(), |(of, _)| written(*of)))
}

/// The SI unit as channels write it: N m, not Nm.
fn written(of: Dimension) -> String {
    match of.si_unit().strip_prefix("Nm") {
        Some(rest) => format!("N m{rest}"),
        None => of.si_unit().to_owned(),
    }
}

/// The unit of a metric in the first variant of a model that has it; `-` for a pure number.
pub(super) fn of_metric(metric: &str, variants: &[Loaded]) -> Option<String> {
    variants.iter().find_map(|loaded| {
        let found = loaded.model.metric(metric).ok()?;
        // A torque is not an energy, and an angle has a unit: a channel knows, powers of m, kg and s do not.
        let text = if found.name == metric { found.text.as_str() } else { metric };
        let channel = reduced(text).and_then(|name| loaded.model.channel(name).ok());
        let channel = channel.map(|channel| channel.unit().to_owned());
        let statistic = statistic(text, loaded).map(|statistic| statistic.unit().to_owned());
        Some(channel.or(statistic).unwrap_or(found.unit))
    })
}

/// The statistic of a joint, contact or stop that a formula is.
fn statistic(text: &str, loaded: &Loaded) -> Option<JointStatistic> {
    let (joint, key) = text.trim().rsplit_once('.')?;
    let known = loaded.model.touching().any(|(name, _)| name == joint);
    JointStatistic::ALL.iter().copied().find(|statistic| known && statistic.key() == key)
}

/// The channel of which a formula is the greatest value, the mean or the like, which have its unit.
fn reduced(text: &str) -> Option<&str> {
    let (name, rest) = text.trim().split_once('(')?;
    let inside = rest.strip_suffix(')')?;
    let (_, reduction) = Reduction::ALL.into_iter().find(|(known, _)| *known == name.trim())?;
    match reduction {
        Reduction::Percentile | Reduction::At => inside.split_once(',').map(|(of, _)| of.trim()),
        Reduction::Max
        | Reduction::Min
        | Reduction::Mean
        | Reduction::Rms
        | Reduction::PeakToPeak
        | Reduction::First
        | Reduction::Last => Some(inside.trim()),
        // An integral has another one.
        Reduction::Integral => None,
    }
}
