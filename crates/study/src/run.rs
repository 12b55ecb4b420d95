//! A case that was run: its results and its channels.

use std::ops::ControlFlow;
use std::sync::Arc;

use jointplay_mbd::{Error, Outcome, Sampling, Snapshot, Solution};
use jointplay_model::{Metric, NoChannel, RunPlan};
use serde::{Deserialize, Serialize};

use crate::case::Loaded;
use crate::contacts::ContactRecord;
use crate::metrics::{Collector, Measured, measure};
use crate::record::Record;
use crate::series::{Channel, Channels};
use crate::summary::Summary;

/// Watches a run. `()` does nothing; a function is called with the time reached, and may end the run.
pub trait Observer {
    /// The run has reached this time (s). Breaking ends it; the results so far are kept.
    fn advanced(&mut self, _t: f64) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// The run has ended, and the run with ideal joints begins, with which metrics are compared: times start again.
    fn compares(&mut self) {}

    /// Whether it wants to see the kept instants.
    fn wants_instants(&self) -> bool {
        false
    }

    /// One of the kept instants, which come one after the other when the run has ended.
    fn instant(&mut self, _at: &Snapshot<'_>) {}
}

impl Observer for () {}

impl<F: FnMut(f64) -> ControlFlow<()>> Observer for F {
    fn advanced(&mut self, t: f64) -> ControlFlow<()> {
        self(t)
    }
}

/// Which channels of a run are kept.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Keep {
    /// None: [`Run::values`] evaluates one on request.
    Nothing,
    /// The channels named by the model.
    #[default]
    Asked,
    /// All channels of the model if they make up at most this many numbers, otherwise those named by the model.
    AllUpTo(usize),
}

/// A case that was run.
#[derive(Clone, Debug)]
pub struct Run {
    /// The case.
    pub case: Loaded,
    /// Motion, contacts and cost.
    pub record: Record,
    /// The channels that are kept, at every kept instant.
    pub channels: Channels,
    /// The metrics.
    pub metrics: Vec<Measured>,
    /// The run with ideal joints with which metrics compare, or why there is none.
    ideal: Result<Option<Arc<IdealRun>>, String>,
}

impl Run {
    /// Evaluates each kept instant once.
    pub(crate) fn new(
        case: Loaded,
        mut record: Record,
        keep: Keep,
        observer: &mut impl Observer,
    ) -> Result<Self, Error> {
        let times = record.solution.trajectory.times();
        let times = times[..evaluable(&record.solution)].to_vec();
        let ideal = IdealRun::of(&case, &times, observer);
        if let Ok(Some(IdealRun { solution, .. })) = &ideal
            && let Outcome::Interrupted { .. } = solution.outcome
            && let Outcome::ReachedEnd | Outcome::Stopped { .. } = record.solution.outcome
        {
            // What was asked of the run is not complete.
            let t = times.last().copied().unwrap_or_default();
            record.solution.outcome = Outcome::Interrupted { t };
        }
        Run::evaluated(
            case,
            record,
            (times, ideal.map(|ideal| ideal.map(Arc::new))),
            keep,
            observer,
        )
    }

    /// Evaluates the instants at these times, with what metrics compare with.
    fn evaluated(
        case: Loaded,
        record: Record,
        (times, ideal): (Vec<f64>, Result<Option<Arc<IdealRun>>, String>),
        keep: Keep,
        observer: &mut impl Observer,
    ) -> Result<Self, Error> {
        let model = &case.model;
        let all = model.available_channels();
        let kept = match keep {
            Keep::Nothing => &[],
            Keep::AllUpTo(most) if all.len().saturating_mul(times.len()) <= most => all,
            Keep::Asked | Keep::AllUpTo(_) => &model.channels[..],
        };
        let mut values = vec![Vec::with_capacity(times.len()); kept.len()];
        let compared = ideal.as_ref().ok().and_then(Option::as_ref);
        let measured = compared.map_or(&case.metrics, |ideal| &ideal.metrics);
        let mut instants =
            IdealInstants { solution: compared.map(|ideal| &ideal.solution), next: 0 };
        let mut collected = Collector::new(measured);
        let wanted = !kept.is_empty() || !collected.is_empty() || observer.wants_instants();
        // An instant costs its evaluation.
        let looked_at = if wanted { times.len() } else { 0 };
        for snapshot in record.solution.snapshots().take(looked_at) {
            let snapshot = snapshot?;
            for (values, channel) in values.iter_mut().zip(kept) {
                values.push(channel.eval(&snapshot));
            }
            collected.instant(&snapshot, instants.at(snapshot.t())?.as_ref());
            observer.instant(&snapshot);
        }
        let metrics = measure(measured, &times, &collected, &record.contacts);
        let series = kept.iter().zip(values).map(|(channel, values)| Channel {
            name: channel.name().to_owned(),
            unit: channel.unit().to_owned(),
            values,
        });
        let channels = Channels { times, channels: series.collect() };
        Ok(Run { case, record, channels, metrics, ideal })
    }

    /// The same with these channels kept: every kept instant is evaluated once more and shown to the observer again.
    ///
    /// # Errors
    /// If an instant cannot be evaluated.
    pub fn keeping(self, keep: Keep, observer: &mut impl Observer) -> Result<Self, Error> {
        let Run { case, record, channels, ideal, .. } = self;
        Run::evaluated(case, record, (channels.times, ideal), keep, observer)
    }

    /// Motion, events, energy ledger and cost.
    pub fn solution(&self) -> &Solution {
        &self.record.solution
    }

    /// Impacts, modes and statistics of the clearance joints.
    pub fn contacts(&self) -> &ContactRecord {
        &self.record.contacts
    }

    /// Its summary, with the warnings of its model first.
    pub fn summary(&self) -> Summary {
        let mut summary = Summary::of(&self.record);
        let known = self.case.model.warnings.iter();
        let known = known.map(|known| format!("{}: {}", known.path, known.message));
        summary.warnings.splice(0..0, known);
        summary.warnings.extend(self.ideal_problem());
        summary.with_metrics(&self.metrics)
    }

    /// Why metrics cannot be compared, or only up to a time, with the mechanism with ideal joints.
    fn ideal_problem(&self) -> Option<String> {
        let why = match &self.ideal {
            Ok(None) => return None,
            Ok(Some(ideal)) => ideal.missing(&self.channels.times)?,
            Err(why) => why.clone(),
        };
        Some(format!("metrics cannot be compared with the mechanism with ideal joints: {why}"))
    }

    /// The channels named by the model, in its order.
    pub fn asked(&self) -> Channels {
        let asked = self.case.model.channels.iter();
        let channels = asked.filter_map(|channel| self.channels.get(channel.name()).cloned());
        Channels { times: self.channels.times.clone(), channels: channels.collect() }
    }

    /// The values of a channel at the kept instants, kept or not.
    ///
    /// # Errors
    /// [`ChannelError`] if there is no such channel, or an instant cannot be evaluated.
    pub fn values(&self, name: &str) -> Result<Vec<f64>, ChannelError> {
        if let Some(kept) = self.channels.get(name) {
            return Ok(kept.values.clone());
        }
        let channel = self.case.model.channel(name)?;
        let instants = self.record.solution.snapshots().take(self.channels.times.len());
        Ok(instants.map(|at| at.map(|at| channel.eval(&at))).collect::<Result<_, Error>>()?)
    }
}

/// How many of the kept instants can be evaluated: a run that failed may end with one, such as its start, at which a force is not a
/// number, which appears in no table.
fn evaluable(solution: &Solution) -> usize {
    let mut count = solution.len();
    if matches!(solution.outcome, Outcome::Failed { .. }) {
        let is_good = |i: usize| solution.snapshot(i).is_ok_and(|at| at.is_finite());
        while count > 0 && !is_good(count - 1) {
            count -= 1;
        }
    }
    count
}

/// The run of the same case with ideal joints.
#[derive(Debug)]
struct IdealRun {
    solution: Solution,
    /// The metrics, with the channels of the ideal mechanism.
    metrics: Vec<Metric>,
}

impl IdealRun {
    /// Runs it at these times (s), from the same start, if a metric compares with it.
    fn of(
        case: &Loaded,
        times: &[f64],
        observer: &mut impl Observer,
    ) -> Result<Option<Self>, String> {
        let mut metrics = case.metrics.clone();
        if !metrics.iter().any(Metric::needs_ideal) {
            return Ok(None);
        }
        // Without clearance the mechanism is its own ideal.
        let ideal = case.ideal().unwrap_or_else(|| case.case.clone());
        let ideal = ideal.load().map_err(|wrong| wrong.to_string())?;
        for metric in &mut metrics {
            metric.take_ideal_from(&ideal.model)?;
        }
        let mut times = times.to_vec();
        times.dedup();
        let ideal = ideal.started_like(case).sampled(Sampling::Times(times));
        observer.compares();
        let solution = ideal.simulation().run_watched(|t| observer.advanced(t));
        let solution = solution.map_err(|error| error.to_string())?;
        Ok(Some(IdealRun { solution, metrics }))
    }

    /// Why it has no instant at some of these times.
    fn missing(&self, times: &[f64]) -> Option<String> {
        let own = self.solution.trajectory.times();
        let reaches = times.last().is_none_or(|end| own.last().is_some_and(|own| own >= end));
        (!reaches).then(|| format!("its run {}", self.solution.outcome))
    }
}

/// The instants of the ideal mechanism, one after the other.
struct IdealInstants<'s> {
    solution: Option<&'s Solution>,
    next: usize,
}

impl<'s> IdealInstants<'s> {
    /// The instant at this time; times must be requested in ascending order. `None` if the run had ended before.
    fn at(&mut self, t: f64) -> Result<Option<Snapshot<'s>>, Error> {
        let Some(solution) = self.solution else { return Ok(None) };
        let times = solution.trajectory.times();
        while self.next < times.len() && times[self.next] < t {
            self.next += 1;
        }
        match times.get(self.next) {
            Some(time) if *time == t => solution.snapshot(self.next).map(Some),
            _ => Ok(None),
        }
    }
}

/// Why a channel has no values.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ChannelError {
    /// There is no channel of this name.
    #[error(transparent)]
    Unknown(#[from] NoChannel),
    /// An instant cannot be evaluated.
    #[error(transparent)]
    Instant(#[from] Error),
}

/// How a run was integrated and kept.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// The end (s).
    pub until: f64,
    /// The method of integration, as a model file names it.
    pub method: String,
    /// Relative tolerance.
    pub rtol: f64,
    /// The coordinates, as a model file names them.
    pub formulation: String,
    /// Time between kept instants (s).
    pub interval: f64,
}

impl From<&RunPlan> for Settings {
    fn from(plan: &RunPlan) -> Self {
        Settings {
            until: plan.until,
            method: plan.method.name().to_owned(),
            rtol: plan.accuracy.relative,
            formulation: plan.formulation.name().to_owned(),
            interval: plan.interval,
        }
    }
}

#[cfg(test)]
mod tests;
