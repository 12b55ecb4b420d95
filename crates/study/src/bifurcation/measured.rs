//! The metrics of a motion, over the periods of its section.

use jointplay_mbd::{Sampling, State};
use jointplay_model::Metric;

use super::Diagram;
use super::strobe::{Strobe, Trouble, failed};
use crate::case::joint_contacts;
use crate::metrics::Collector;
use crate::own::OwnMetrics;
use crate::record::record;
use crate::run::{Keep, Run};
use crate::summary::finite;
use crate::survey::{first_problem, model_warnings};
use crate::sweep::Cancellation;

/// Channels are seen so many times in a period, so that a reduction does not miss their peaks.
const INSTANTS: f64 = 200.0;

/// A longer section is not seen more often than this, whatever its number of periods.
const MOST_INSTANTS: f64 = 200_000.0;

/// What was measured.
pub(super) struct Measured {
    /// The metrics; `None` where one has no value.
    pub(super) values: Vec<Option<f64>>,
    /// What the run warns of.
    pub(super) warnings: Vec<String>,
}

impl Diagram {
    /// What identifies the metrics; nothing if there are none.
    pub(super) fn identity_of_metrics(&self) -> impl Iterator<Item = &str> {
        let own = self.case.own().filter(|_| !self.metrics.is_empty()).map(OwnMetrics::identity);
        let heading = (!self.metrics.is_empty()).then_some("metrics");
        heading.into_iter().chain(self.metrics.iter().map(String::as_str)).chain(own)
    }

    /// Measures the motion at a value from this state, in which its section begins, to the end of the section.
    pub(super) fn measure(
        &self,
        index: usize,
        strobe: &Strobe,
        begin: &State,
        stop: &Cancellation,
    ) -> Result<Measured, Trouble> {
        let until = self.followed(strobe);
        // The ideal mechanism that metrics may compare with runs as long.
        let case = self.case_at(index).set("run.until", until);
        let loaded = case.load_unidentified();
        let loaded = loaded.map_err(|wrong| Trouble::Failed(first_problem(&wrong)))?;
        // A variant of the model may lack what a metric needs; its cell stays empty.
        let known = self.metrics.iter().map(|text| {
            let own = self.case.measures(text);
            loaded.model.metric(text).ok().filter(|_| !own)
        });
        let known: Vec<Option<Metric>> = known.collect();
        let metrics: Vec<Metric> = known.iter().flatten().cloned().collect();
        let own = self.case.own();
        let plan = &loaded.model.run;
        let sampling = if own.is_none() && Collector::new(&metrics).is_empty() {
            Sampling::EventsOnly
        } else {
            let length = until - begin.t;
            let often = plan.interval.min(strobe.period / INSTANTS);
            Sampling::Impacts(often.max(length / MOST_INSTANTS))
        };
        let plan = plan.simulation(&loaded.model.mechanism).sampled(sampling);
        let plan = plan.start_from(begin).until(until);
        let joints = joint_contacts(&loaded.model);
        let record = record(&plan, joints, |_| stop.flow()).map_err(failed)?;
        if stop.is_cancelled() {
            return Err(Trouble::Stopped);
        }
        if !record.solution.outcome.reached_end() {
            return Err(Trouble::Failed(record.solution.outcome.to_string()));
        }
        let keep = if own.is_some() { Keep::Asked } else { Keep::Nothing };
        let run = Run::new(loaded.measuring(metrics), record, keep, &mut ()).map_err(failed)?;
        // Those of the model are known.
        let of_model = model_warnings(&run.case);
        let mut warnings = run.summary().warnings;
        warnings.retain(|warning| !of_model.contains(warning));
        let mut found = run.metrics.iter().map(|metric| metric.value);
        let mut values: Vec<Option<f64>> =
            known.iter().map(|known| known.as_ref().and_then(|_| found.next().flatten())).collect();
        if let Some(own) = own {
            let measured = own.measure(run).ok_or(Trouble::Stopped)?;
            for (name, value) in own.names().iter().zip(measured) {
                if let Some(place) = self.metrics.iter().position(|metric| metric == name) {
                    values[place] = value.and_then(finite);
                }
            }
        }
        Ok(Measured { values, warnings })
    }
}
