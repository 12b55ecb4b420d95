//! Finds the values of keys, and the law, that explain a measurement: least squares, with
//! confidence intervals that hold for correlated noise.
//!
//! The search samples the box of all bounds and descends from the best samples. It also descends with smoothed residuals and with the
//! first part of the record alone, because the times of impacts jump and give the cost of raw data many local minima. The residuals at
//! the best values determine the noise, and the noise determines the intervals: samples of averaged data are correlated, and a
//! covariance that ignores this is several times too small. Intervals follow the profile of the cost, so that the interval of a
//! parameter that the data do not determine has no end.

mod findings;
mod likeness;
mod multistart;
mod ranking;
mod search;
mod shift;
mod uncertainty;
mod valleys;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::case::{Case, Digest};
use crate::crew::line;
use crate::frame::{Column, Frame};
use crate::journal::Journal;
use crate::measurement::{DataRequest, Measurement, Sampler, compare};
use crate::study::StudyError;
use crate::sweep::Sweep;
use crate::trials::{Bounded, Known, Made, Question, Searched, Stop, Trials, case_of};

pub use findings::{Identified, LawFinding, ParameterFinding};

use search::{Aim, Fit, Search};
use uncertainty::Judged;

/// How residuals are weighed.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Loss {
    /// By their squares.
    #[default]
    Squares,
    /// Like their squares where they are small and like their magnitudes where they are large, smoothly.
    SoftL1,
    /// The same with a corner at 1.345 standard deviations (Huber).
    Huber,
}

impl Loss {
    /// The names of all losses.
    pub const NAMES: &'static [&'static str] = &["squares", "soft-l1", "huber"];
    /// Every loss with its name.
    pub const ALL: [(&'static str, Self); 3] =
        [("squares", Self::Squares), ("soft-l1", Self::SoftL1), ("huber", Self::Huber)];
}

/// Whether the data may lag behind the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Shift {
    /// Fit a shift only if the data call for one.
    #[default]
    Auto,
    /// No shift: the times are right.
    None,
    /// A shift of unknown size.
    Free,
    /// A shift between these times (s).
    Between(f64, f64),
}

impl std::str::FromStr for Shift {
    type Err = String;

    /// Reads `auto`, `none`, `free` or `-1ms:1ms`.
    fn from_str(text: &str) -> Result<Self, String> {
        use jointplay_expression::units::{Dimension, parse};
        match text.trim() {
            "auto" => Ok(Shift::Auto),
            "none" => Ok(Shift::None),
            "free" => Ok(Shift::Free),
            text => {
                let wrong = || format!("`{text}`: write auto, none, free or LOW:HIGH, two times");
                let (low, high) = text.split_once(':').ok_or_else(wrong)?;
                let [low, high] = [low, high].map(|end| parse(end.trim(), Dimension::Time));
                match (low, high) {
                    (Ok(low), Ok(high)) if low < high => Ok(Shift::Between(low, high)),
                    _ => Err(wrong()),
                }
            }
        }
    }
}

/// A search for the values of keys that explain a measurement.
#[derive(Clone, Debug)]
pub struct Identification {
    pub(crate) case: Case,
    pub(crate) bounds: Vec<Bounded>,
    pub(crate) data: Measurement,
    pub(crate) request: DataRequest,
    /// Laws that are ranked; empty for that of the model alone.
    pub(crate) laws: Vec<String>,
    pub(crate) loss: Loss,
    pub(crate) shift: Shift,
    pub(crate) budget: usize,
    pub(crate) seed: u64,
    /// The end of the model's run (s).
    pub(crate) until: f64,
}

/// The end of an identification, with its results and the overlay of data and model, if it has any.
pub(crate) type Found = (Searched, Option<(Identified, Frame)>);

impl Identification {
    /// The model in the middle of all bounds, as the first of the laws makes it.
    pub(crate) fn middle(&self) -> Case {
        let place = vec![0.5; self.bounds.len()];
        let question = Question { law: self.laws.first().cloned(), place, shift: 0.0, start: None };
        case_of(&self.case, &self.bounds, &question, None)
    }

    /// The model with a law, in the middle of all bounds.
    pub(crate) fn with_law(&self, law: &str) -> Case {
        let place = vec![0.5; self.bounds.len()];
        let question = Question { law: Some(law.to_owned()), place, shift: 0.0, start: None };
        case_of(&self.case, &self.bounds, &question, None)
    }

    /// The compared rows without a shift; an error if there are none.
    pub(crate) fn sampler(&self, shifts: [f64; 2]) -> Result<Sampler, String> {
        let DataRequest { filters, filter_data, .. } = &self.request;
        Sampler::new(&self.data, (filters, *filter_data), shifts, self.until)
    }

    /// The approximate number of samples that are compared.
    pub(crate) fn samples(&self) -> usize {
        self.data.times.len() * self.data.columns.len()
    }

    /// Whether there are more data than values to be found.
    ///
    /// # Errors
    /// If there are not.
    pub(crate) fn enough(&self) -> Result<(), String> {
        let numbers = self.data.columns.iter().flat_map(|column| &column.values);
        let count = numbers.filter(|value| value.is_finite()).count();
        let keys = self.bounds.len();
        if count > keys + 2 {
            return Ok(());
        }
        Err(format!("the data have {count} numbers, too few to find {keys} values"))
    }

    fn aim(&self, shifts: Option<[f64; 2]>) -> Result<Aim, String> {
        let sampler = self.sampler(shifts.unwrap_or([0.0, 0.0]))?;
        let digest = Digest::of([line(&sampler).as_str()]);
        // The run is as long as the data, with any shift.
        let until = sampler.until(shifts.map_or(0.0, |[low, _]| low)).min(self.until);
        Ok(Aim::new(Arc::new(sampler), digest, until, shifts, self.loss))
    }

    /// Searches, with the runs that the journal has and those that it lacks.
    pub(crate) fn run(
        &self,
        known: (Journal, Vec<(Known, u64)>),
        sweep: &Sweep<'_>,
    ) -> Result<Found, StudyError> {
        sweep.run_alone(|cancelled| {
            let mut trials = Trials::new(
                (&self.case, &self.bounds),
                known,
                (sweep, cancelled),
                self.budget,
            );
            let (found, complete) = match self.search(&mut trials) {
                Ok(found) => (Some(found), true),
                // When its budget is spent a search returns its best result, but here it has none.
                Err(Failed::Stopped(Stop::Budget)) => {
                    return Err(StudyError::request(format!(
                        "a budget of {} runs is too small to find the shift of the data; give a greater one, none, or a shift",
                        self.budget
                    )));
                }
                Err(Failed::Stopped(stop)) => (None, stop.completeness()?),
                // All runs failed: the table gives the reasons.
                Err(Failed::Nothing) => (None, true),
                Err(Failed::Request(message)) => return Err(StudyError::request(message)),
            };
            let table = self.table(&trials);
            Ok((trials.close(table, complete), found))
        })
    }

    fn search(&self, trials: &mut Trials<'_>) -> Result<(Identified, Frame), Failed> {
        let laws: Vec<Option<String>> = if self.laws.is_empty() {
            vec![None]
        } else {
            self.laws.iter().map(|law| Some(law.clone())).collect()
        };
        let mut search = Search { study: self, trials, seen: Vec::new() };
        let all = search.trials.budget;
        let reserve = self.reserve(laws.len());
        search.trials.budget = all - reserve.all(laws.len());
        let (mut fits, aim) = search.all(&laws)?;
        let unfinished = search.trials.spent;
        if fits.iter().all(Option::is_none) {
            return Err(Failed::Nothing);
        }
        // Every law has its noise; that of the best one counts for all.
        let mut judged: Vec<Option<Judged>> = Vec::new();
        for (i, (law, fit)) in laws.iter().zip(&mut fits).enumerate() {
            // What the search has left over is for everybody, but the laws to come are judged, too.
            search.trials.budget = all - reserve.after(i, laws.len());
            judged.push(match fit {
                Some(fit) => Some(search.judge(law.as_deref(), &aim, fit, None)?),
                None => None,
            });
        }
        search.trials.budget = all;
        let order = ranking::order(&aim, &fits, &judged);
        let best = order.first().map_or(0, |place| place.index);
        let (Some(mut fit), Some(mut of_best)) = (fits[best].clone(), judged[best].clone()) else {
            return Err(Failed::Nothing);
        };
        let law = laws[best].as_deref();
        // The profile looks farther than the search did, and may meet a better place.
        for round in 0..4 {
            let better = search.profile(law, &aim, &fit, &mut of_best)?;
            let Some(better) = better.filter(|_| round < 3) else { break };
            fit = better;
            of_best = search.judge(law, &aim, &mut fit, Some(&of_best))?;
        }
        match search.reach_other_valleys(law, &aim, &fit, &mut of_best) {
            Ok(()) | Err(Failed::Stopped(Stop::Budget)) => {}
            Err(failed) => return Err(failed),
        }
        fits[best] = Some(fit.clone());
        judged[best] = Some(of_best);
        let order = ranking::order(&aim, &fits, &judged);
        trials.spent = unfinished;
        let identified = self.finding(&aim, (&laws, &fits, &judged), &order, trials);
        let overlay = overlay(&aim, &fit);
        Ok((identified, overlay))
    }

    /// The runs of the budget that are kept for judging the best values of these laws.
    fn reserve(&self, laws: usize) -> Reserve {
        let n = self.bounds.len() + usize::from(self.shift != Shift::None);
        // Slopes twice, and a descent that ends soon. The profile asks three times for each of two ends, mostly in less than three rounds; it may
        // need more of them, and may meet a better place.
        let (slopes, judge) = (2 * n, 4 * n + 3 * (n + 2));
        let profile = (18 * n).max((60 * n + 30 * (n + 2)).min(self.budget / 10));
        // A search with few runs is worth more than its intervals, but without slopes there are none.
        let part = (self.budget / 4).max((slopes * laws).min(self.budget / 2));
        if part >= judge * laws + profile {
            return Reserve { judge, profile };
        }
        let judge = judge.min(part / (laws + 1)).max(slopes.min(part / laws));
        Reserve { judge, profile: profile.min(part - judge * laws) }
    }

    /// One row for each run: the values, the root of the mean square of the residuals, and how it ended.
    fn table(&self, trials: &Trials<'_>) -> Frame {
        let mut frame = Frame::new();
        if !self.laws.is_empty() {
            let laws = trials.rows.iter().map(|row| row.question.law.clone().unwrap_or_default());
            frame = frame.with("law", Column::texts(laws));
        }
        for (i, bounded) in self.bounds.iter().enumerate() {
            let values = trials.rows.iter().map(|row| bounded.si(row.question.place[i]));
            frame = frame.with(&bounded.key, Column::Numbers(values.collect()));
        }
        let shifts = trials.rows.iter().map(|row| row.question.shift);
        let rmse = trials.rows.iter().map(|row| row.rmse);
        let outcome = trials.rows.iter().map(Made::outcome);
        frame
            .with("shift", Column::Numbers(shifts.collect()))
            .with("rmse", Column::Numbers(rmse.collect()))
            .with("outcome", Column::texts(outcome))
    }
}

/// Data and model side by side, in SI; the times of both are those of the data.
fn overlay(aim: &Aim, fit: &Fit) -> Frame {
    let (mut channels, mut times, mut data, mut model) = (vec![], vec![], vec![], vec![]);
    let mut at = 0;
    for column in &aim.sampler.columns {
        let seen = &fit.output[at..at + column.rows.len()];
        at += column.rows.len();
        channels.extend(std::iter::repeat_n(column.channel.clone(), seen.len()));
        times.extend_from_slice(&column.times);
        data.extend_from_slice(&column.data);
        model.extend_from_slice(seen);
    }
    let residual = model.iter().zip(&data).map(|(m, d)| m - d).collect();
    Frame::new()
        .with("channel", Column::texts(channels))
        .with("t", Column::Numbers(times))
        .with("data", Column::Numbers(data))
        .with("model", Column::Numbers(model))
        .with("residual", Column::Numbers(residual))
}

/// Runs that a search may not use.
struct Reserve {
    /// For the slopes of each law.
    judge: usize,
    /// For the ends of the intervals of the best one.
    profile: usize,
}

impl Reserve {
    fn all(&self, laws: usize) -> usize {
        self.judge * laws + self.profile
    }

    /// What is kept when the law of this number is judged.
    fn after(&self, law: usize, laws: usize) -> usize {
        self.judge * (laws - law - 1) + self.profile
    }
}

/// Why a search found nothing.
#[derive(Debug)]
pub(crate) enum Failed {
    /// It was stopped.
    Stopped(Stop),
    /// No run has a result.
    Nothing,
    /// The request cannot be fulfilled.
    Request(String),
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Self {
        Failed::Stopped(stop)
    }
}
