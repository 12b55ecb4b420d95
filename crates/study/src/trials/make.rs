//! One run of a search.

use jointplay_model::{Diagnostics, Metric, Overrides, Value};

use super::{Bounded, Question, Trial, Wanted};
use crate::case::{Case, Loaded};
use crate::measurement::ObserveError;
use crate::run::Keep;
use crate::summary::{Ending, Summary};
use crate::survey::first_problem;
use crate::sweep::Cancellation;
use crate::vary::Level;

/// Makes a run; `None` if it was interrupted.
pub(super) fn make(
    question: &Question,
    wanted: &Wanted,
    loaded: &Result<Loaded, Diagnostics>,
    cancelled: &Cancellation,
) -> Option<Trial> {
    let failed = |message: String| Some(Trial::failed(&message));
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(wrong) => return failed(first_problem(wrong)),
    };
    match wanted {
        Wanted::Samples { sampler, .. } => {
            let mut watch = |_| cancelled.flow();
            match sampler.observe(loaded, question.shift, &mut watch) {
                Ok(values) => {
                    let outcome = Ending::ReachedEnd;
                    Some(Trial { values: Some(values), outcome, message: None })
                }
                Err(ObserveError::Interrupted) => None,
                Err(ObserveError::Failed(why)) => failed(why),
            }
        }
        Wanted::Metrics(names) => {
            let own = loaded.case.own();
            let of_model = names.iter().filter(|name| !loaded.case.measures(name));
            let metrics: Result<Vec<Metric>, String> =
                of_model.map(|name| loaded.model.metric(name).map_err(|(m, _)| m)).collect();
            let metrics = match metrics {
                Ok(metrics) => metrics,
                Err(message) => return failed(message),
            };
            // Parameters alone: nothing needs to move.
            let still: Option<Vec<f64>> = metrics.iter().map(Metric::without_run).collect();
            if let Some(values) = still.filter(|_| own.is_none()) {
                let outcome = Ending::ReachedEnd;
                return Some(Trial { values: Some(values), outcome, message: None });
            }
            let run = loaded.clone().measuring(metrics);
            let keep = if own.is_some() { Keep::Asked } else { Keep::Nothing };
            match run.run_keeping(keep, &mut |_: f64| cancelled.flow()) {
                Err(error) => failed(error.to_string()),
                Ok(run) => {
                    let Summary { outcome, message, .. } = run.summary();
                    match outcome {
                        Ending::Interrupted => None,
                        Ending::Failed => failed(message),
                        Ending::ReachedEnd | Ending::Stopped => {
                            let known: Vec<_> = run.metrics.iter().map(|m| m.value).collect();
                            let mut known = known.into_iter();
                            let own = match own {
                                Some(own) => own.names().iter().zip(own.measure(run)?).collect(),
                                None => Vec::new(),
                            };
                            let value = |name: &String| {
                                let of_own = own.iter().find(|(own, _)| *own == name);
                                of_own.map_or_else(|| known.next().flatten(), |(_, value)| *value)
                            };
                            let values = names.iter().map(value).map(|v| v.unwrap_or(f64::NAN));
                            let values = Some(values.collect());
                            Some(Trial { values, outcome, message: None })
                        }
                    }
                }
            }
        }
    }
}

/// The model of a question: the law first, then the keys.
pub(crate) fn case_of(
    case: &Case,
    bounds: &[Bounded],
    question: &Question,
    until: Option<f64>,
) -> Case {
    let mut changes: Overrides = case.changes().clone();
    if let Some(law) = &question.law {
        changes = changes.law_by(format!("--laws {law}"), law).for_several_laws();
    }
    for (bounded, x) in bounds.iter().zip(&question.place) {
        let Level { text, .. } = bounded.level(*x);
        let flag = format!("{} {}={text}", bounded.flag, bounded.key);
        changes = changes.set_by(flag, &bounded.key, Value::read(text.as_str()));
    }
    if let Some(start) = question.start {
        changes = changes.set("start.seed", Value::read(start.to_string()));
    }
    if let Some(until) = until {
        changes = changes.set("run.until", until);
    }
    case.clone().changed(changes)
}
