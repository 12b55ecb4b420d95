//! What a study file says about a search: bounds, objective, constraints, data.

use jointplay_model::shape::Misuse;

use super::limits::read_limits;
use super::{StudyFile, StudyKind};
use crate::identify::Shift;
use crate::measurement::DataRequest;
use crate::trials::Bounded;
use crate::vary::Vary;

/// Runs of a search if their number is not given.
const OPTIMISE_BUDGET: usize = 400;
/// For each law.
const IDENTIFY_BUDGET: usize = 4000;

/// More runs than this cannot be meant.
const MOST_RUNS: usize = 10_000_000;

impl StudyFile {
    /// The maximum number of runs of a search.
    pub(crate) fn budget(&self) -> usize {
        self.budget.unwrap_or(match self.kind {
            StudyKind::Identify => IDENTIFY_BUDGET * self.laws.len().max(1),
            StudyKind::Optimise
            | StudyKind::Sweep
            | StudyKind::Tolerance
            | StudyKind::Sensitivity
            | StudyKind::Bifurcation => OPTIMISE_BUDGET,
        })
    }

    /// The keys of a search with their bounds, as far as they can be read.
    pub(crate) fn bounds(&self) -> Vec<Bounded> {
        let of = |entry: &super::VaryEntry| {
            let vary = Vary::parse(&format!("{}={}", entry.key, entry.values)).ok()?;
            Bounded::of(self.flag_of_bounds(), &vary, &entry.values).ok()
        };
        self.vary.iter().filter_map(of).collect()
    }

    /// The flag that gives a key and its bounds.
    fn flag_of_bounds(&self) -> &'static str {
        match self.kind {
            StudyKind::Identify => "--fit",
            StudyKind::Optimise
            | StudyKind::Sweep
            | StudyKind::Tolerance
            | StudyKind::Sensitivity
            | StudyKind::Bifurcation => "--vary",
        }
    }

    /// The objective, then the metrics of the constraints.
    pub(crate) fn searched_metrics(&self) -> Vec<String> {
        let mut metrics: Vec<String> =
            self.minimise.iter().chain(&self.maximise).take(1).cloned().collect();
        for (limit, _) in self.limits.iter().filter_map(|text| read_limits(text)).flatten() {
            if !metrics.contains(&limit.metric) {
                metrics.push(limit.metric);
            }
        }
        metrics
    }

    /// The metrics that a search keeps of each run without looking at them.
    pub(crate) fn kept_metrics(&self) -> Vec<String> {
        let searched = self.searched_metrics();
        self.metrics.iter().filter(|metric| !searched.contains(metric)).cloned().collect()
    }

    /// What is asked of the data.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub(crate) fn data_request(&self) -> Result<DataRequest, Vec<Misuse>> {
        let read =
            DataRequest::parse(self.time.as_deref(), &self.map, &self.filter, self.filter_data);
        read.map_err(|wrong| {
            let of = |(key, i, message): (&str, usize, String)| {
                let at = if key == "filter_data" {
                    vec![key.to_owned()]
                } else {
                    vec![key.to_owned(), i.to_string()]
                };
                Misuse::new(at, message)
            };
            wrong.into_iter().map(of).collect()
        })
    }

    /// Whether the data may be late.
    pub(crate) fn data_shift(&self) -> Result<Shift, Misuse> {
        let read = self.shift.as_deref().map_or(Ok(Shift::default()), str::parse);
        read.map_err(|message| Misuse::new(["shift"], message))
    }

    /// Everything that is wrong with a search.
    pub(super) fn wrong_search(&self) -> Vec<Misuse> {
        let search = matches!(self.kind, StudyKind::Optimise | StudyKind::Identify);
        if !search {
            return Vec::new();
        }
        let (mut wrong, flag) = (Vec::new(), self.flag_of_bounds());
        for (i, entry) in self.vary.iter().enumerate() {
            let at = ["vary".to_owned(), i.to_string(), "values".to_owned()];
            let read = Vary::parse(&format!("{}={}", entry.key, entry.values));
            if let Some(message) =
                read.ok().and_then(|vary| Bounded::of(flag, &vary, &entry.values).err())
            {
                wrong.push(Misuse::new(at, message));
            }
        }
        if self.budget.is_some_and(|budget| !(10..=MOST_RUNS).contains(&budget)) {
            let message = format!("the budget must be from 10 to {MOST_RUNS} runs");
            wrong.push(Misuse::new(["budget"], message));
        }
        if self.kind == StudyKind::Optimise {
            wrong.extend(self.wrong_objective());
        } else {
            wrong.extend(self.wrong_data());
        }
        wrong
    }

    fn wrong_objective(&self) -> Option<Misuse> {
        match (&self.minimise, &self.maximise) {
            (None, None) => {
                let hint = Some("give --minimise METRIC or --maximise METRIC");
                Some(Misuse::new(["minimise"], "nothing is optimised").with_hint(hint))
            }
            (Some(_), Some(_)) => {
                let message = "one metric is minimised and one maximised";
                let hint = Some("leave out one of the two; a limit may hold the other");
                Some(Misuse::new(["maximise"], message).with_hint(hint))
            }
            _ => None,
        }
    }

    fn wrong_data(&self) -> Vec<Misuse> {
        let mut wrong = Vec::new();
        if self.data.is_none() {
            let hint = Some("give --data FILE.csv");
            wrong.push(Misuse::new(["data"], "the data are missing").with_hint(hint));
        }
        if self.map.is_empty() {
            let hint = Some("give --map COLUMN=CHANNEL, such as force=pin.force");
            wrong.push(Misuse::new(["map"], "no column of the data is mapped").with_hint(hint));
        }
        wrong.extend(self.data_request().err().into_iter().flatten());
        wrong.extend(self.data_shift().err());
        let again = self.laws.iter().enumerate().filter(|(i, law)| self.laws[..*i].contains(law));
        wrong.extend(again.map(|(i, law)| {
            Misuse::new(
                ["laws".to_owned(), i.to_string()],
                format!("the law `{law}` is listed twice"),
            )
        }));
        if let (false, Some(law)) = (self.laws.is_empty(), &self.law) {
            let message = format!("laws are ranked, and the law is `{law}` for all runs");
            let hint = Some("leave out one of the two");
            wrong.push(Misuse::new(["laws"], message).with_hint(hint));
        }
        wrong
    }
}
