//! What can be said of a study before it is run: values that no run can have, and keys without any effect.

use jointplay_model::shape::Misuse;
use jointplay_model::{Diagnostics, FitKind, Handle};

use crate::case::{Case, Loaded};
use crate::study_file::{StudyFile, StudyKind};
use crate::survey::first_problem;
use crate::vary::{Level, Quantity, Values, Vary};

/// At most this many values are checked.
const MOST_LOOKED_AT: usize = 2000;

/// So many combinations with values of other keys are tried before a value is called wrong.
const MOST_TRIED: usize = 24;

/// Words with which the model cannot be read for any values of the other keys: laws, cases and
/// kinds that do not exist, and words in place of numbers. A number outside of the range in which
/// the model makes sense is not a problem here, but a failed row.
pub(super) fn wrong_values(file: &StudyFile, varies: &[Vary], case: &Case) -> Vec<Misuse> {
    let mut wrong = Vec::new();
    for (entry, typed) in file.vary.iter().enumerate() {
        let Some(place) = varies.iter().position(|vary| vary.key == typed.key) else { continue };
        let listed = match &varies[place].values {
            Values::Levels(levels) if typed.is_list() => levels.clone(),
            Values::Levels(_) => continue,
            Values::Spread(spread) => spread.listed(),
        };
        for level in listed.iter().filter(|level| level.number.is_none()).take(MOST_LOOKED_AT) {
            if let Some(why) = never_read(varies, place, level, case) {
                let at = ["vary".to_owned(), entry.to_string(), "values".to_owned()];
                let hint = why.problems.first().and_then(|problem| problem.hint.clone());
                let message = format!("{} = {}: {}", typed.key, level.text, plain(&why));
                wrong.push(Misuse::new(at, message).with_hint(hint));
            }
        }
    }
    wrong
}

/// Whether each key, by itself, can have some number of the kind that was given for it. If so, a model that cannot be read has numbers
/// outside of the range in which it makes sense, and no wrong words.
pub(super) fn readable<'v>(varies: impl IntoIterator<Item = &'v Vary>, case: &Case) -> bool {
    let read = |vary: &Vary, text: String| {
        let changes = vary.set(case.changes().clone(), &Level::of(text));
        case.clone().changed(changes).load_unidentified().is_ok()
    };
    varies.into_iter().all(|vary| {
        let levels = match &vary.values {
            Values::Levels(levels) => levels.clone(),
            Values::Spread(spread) => vec![spread.at(0.5)],
        };
        let mut words = levels.iter().filter(|level| level.number.is_none());
        if words.any(|level| read(vary, level.text.clone())) {
            return true;
        }
        let typed = levels.iter().filter_map(|level| Quantity::parse(&level.text));
        let mut units: Vec<String> = typed.map(|typed| typed.unit().to_owned()).collect();
        units.sort_unstable();
        units.dedup();
        let number = |i: i32| {
            let size = [1.0, 1.5, 3.0][i.rem_euclid(3).unsigned_abs() as usize];
            size * libm::pow(10.0, f64::from(i / 3))
        };
        units.iter().any(|unit| {
            let sizes = (0..36).flat_map(|i| [number(i), number(-i)]);
            sizes
                .flat_map(|size| [size, -size])
                .any(|size| read(vary, Quantity::written(size, unit)))
        })
    })
}

/// The first problem without the key that it is about, which is said already.
fn plain(wrong: &Diagnostics) -> String {
    match wrong.problems.first() {
        Some(problem) if problem.set.is_some() => problem.message.clone(),
        _ => first_problem(wrong),
    }
}

/// What is wrong with a value of a key if the model cannot be read with it.
fn never_read(varies: &[Vary], place: usize, level: &Level, case: &Case) -> Option<Diagnostics> {
    let value = |vary: &Vary, attempt: usize| match &vary.values {
        Values::Levels(levels) => levels.get(attempt % levels.len().max(1)).cloned(),
        Values::Spread(spread) => {
            // From the middle outwards.
            let place = 0.5 + 0.5 * (0.618_033_988_749_895 * attempt as f64).fract();
            Some(spread.at(if attempt.is_multiple_of(2) { place } else { 1.0 - place }))
        }
    };
    let others = varies.iter().enumerate().filter(|(i, _)| *i != place);
    let counts = others.map(|(_, vary)| vary.count().unwrap_or(MOST_TRIED));
    let tries = counts.fold(1_usize, usize::saturating_mul).min(MOST_TRIED);
    let mut first = None;
    for attempt in 0..tries.max(1) {
        let changes =
            varies.iter().enumerate().fold(case.changes().clone(), |changes, (i, vary)| {
                let other = if i == place { Some(level.clone()) } else { value(vary, attempt) };
                match other {
                    Some(level) => vary.set(changes, &level),
                    None => changes,
                }
            });
        match case.clone().changed(changes).load_unidentified() {
            Ok(_) => return None,
            Err(wrong) => first = first.or(Some(wrong)),
        }
    }
    first
}

/// A law for the whole model that no variant of it takes, as `run` says it.
pub(super) fn law_without_effect(case: &Case, variants: &[Loaded]) -> Option<Misuse> {
    let law = case.changes().named_law()?;
    let mut none = variants.iter().map(|loaded| loaded.model.takes_no_law());
    let why = none.next()??;
    none.all(|why| why.is_some()).then(|| {
        Misuse::new(["law"], format!("--law {law}: {why}")).with_hint(Some("leave it out"))
    })
}

/// Keys that change nothing in any variant of the model.
pub(super) fn without_effect(file: &StudyFile, variants: &[Loaded]) -> Vec<Misuse> {
    let mut wrong = Vec::new();
    for (entry, typed) in file.vary.iter().enumerate() {
        let mut report = |message: String, hint: &str| {
            let at = ["vary".to_owned(), entry.to_string(), "key".to_owned()];
            wrong.push(Misuse::new(at, message).with_hint(Some(hint)));
        };
        let key = typed.key.as_str();
        let touches = variants.iter().any(|loaded| loaded.model.takes_no_law().is_none());
        match key {
            "run.until" if file.kind == StudyKind::Bifurcation => report(
                "`run.until` has no effect: the length of a diagram is set by --transient and --periods"
                    .to_owned(),
                "vary another key",
            ),
            "law" if !touches => report(
                "`law` has no effect: the model has neither clearance joints nor contacts, and no stops"
                    .to_owned(),
                "give a joint the kind \"clearance\", such as --set joints.NAME.kind=clearance",
            ),
            "start.seed" if !variants.iter().any(is_disturbed) => report(
                "`start.seed` has no effect: the start is not disturbed".to_owned(),
                "add --set start.disturbance=1nm, or ask for --repeats instead",
            ),
            key => {
                if let Some(kind) = kind_without(key, variants) {
                    report(
                        format!("`{key}` has no effect: the joint is of the kind \"{kind}\""),
                        "set its kind to \"clearance\", with --set joints.NAME.kind=clearance",
                    );
                }
            }
        }
    }
    wrong
}

/// Whether the start of a model is shifted at random.
fn is_disturbed(loaded: &Loaded) -> bool {
    let start = toml::from_str::<toml::Table>(loaded.as_run()).ok();
    let start = start.and_then(|mut model| model.remove("start"));
    start.is_some_and(|start| start.get("disturbance").is_some())
}

/// The kind of a joint whose clearance a key belongs to, if it has none in any variant.
fn kind_without(key: &str, variants: &[Loaded]) -> Option<&'static str> {
    let parts: Vec<&str> = key.split('.').map(|part| part.trim_matches(['"', '\''])).collect();
    let &["joints", joint, of, ..] = &parts[..] else { return None };
    if !["fit", "fit_hole", "fit_shaft", "clearance", "restitution", "law"].contains(&of) {
        return None;
    }
    let mut kinds = variants.iter().map(|loaded| loaded.model.joint(joint).map(Handle::kind));
    let first = kinds.next()??;
    let without = |kind: FitKind| match kind {
        FitKind::Ideal | FitKind::Bushing => true,
        FitKind::Clearance => false,
    };
    let none = without(first) && kinds.all(|kind| kind.is_some_and(without));
    none.then_some(first.name())
}
