//! The best values of keys for a metric, between bounds and within constraints: CMA-ES, then a simplex.
//!
//! Where runs repeat from starts that are slightly apart, a point is the mean of its repeats, and a difference that their scatter
//! explains (Welch's test) does not count as an improvement. The lowest of many scattered means is
//! too low, so the point that is chosen runs again from starts that the search has not seen, and
//! these runs alone say what it is worth.

mod cma;
mod simplex;

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::frame::{Column, Frame};
use crate::journal::Journal;
use crate::statistics::Limit;
use crate::study::StudyError;
use crate::summary::finite;
use crate::sweep::Sweep;
use crate::trials::{Bounded, Known, Made, Question, Searched, Stop, Trials, Wanted, case_of};
use crate::welch::{Scattered, student};
use cma::Evolution;
use simplex::Simplex;

/// A search for the best values of keys.
#[derive(Clone, Debug)]
pub struct Optimisation {
    pub(crate) case: Case,
    pub(crate) bounds: Vec<Bounded>,
    /// The objective first, then the metrics of constraints, then those that are only kept.
    pub(crate) metrics: Vec<String>,
    /// How many of them decide: the objective and those of constraints.
    pub(crate) judged: usize,
    pub(crate) maximise: bool,
    pub(crate) constraints: Vec<Limit>,
    pub(crate) budget: usize,
    pub(crate) repeats: usize,
    pub(crate) seed: u64,
}

/// What was found.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Optimum {
    /// The best values (SI) by key.
    pub best: BTreeMap<String, f64>,
    /// The metric there; with repeats the mean of runs from starts that the search has not seen.
    pub objective: Option<f64>,
    /// The lower end of the interval of 95 % of that mean.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective_low: Option<f64>,
    /// The upper end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective_high: Option<f64>,
    /// The metric that was minimised or maximised.
    pub metric: String,
    /// Whether it was maximised.
    pub maximise: bool,
    /// The standard deviation of these runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scatter: Option<f64>,
    /// How many other points, of those that were repeated, cannot be distinguished from the best one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alike: Option<usize>,
    /// Whether all constraints are met there.
    pub feasible: bool,
    /// The metrics of the constraints there.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub constraints: BTreeMap<String, Option<f64>>,
    /// What to know before trusting the numbers.
    pub notes: Vec<String>,
}

/// How good a point is.
#[derive(Clone, Debug, PartialEq)]
struct Score {
    place: Vec<f64>,
    /// How far constraints are violated, relative to their sizes; 0 if they are met, infinite
    /// without a result.
    violation: f64,
    /// The objective; less is better.
    objective: Scattered,
    metrics: Vec<f64>,
}

impl Score {
    fn compare(&self, other: &Self) -> Ordering {
        self.violation
            .total_cmp(&other.violation)
            .then_with(|| self.objective.mean.total_cmp(&other.objective.mean))
    }

    /// Whether it is better, and not by scatter alone.
    fn is_better(&self, other: &Self) -> bool {
        if self.compare(other) != Ordering::Less {
            return false;
        }
        self.violation != other.violation || self.objective.is_like(&other.objective) != Some(true)
    }
}

/// The end of an optimisation, with its result, if it has one.
pub(crate) type Found = (Searched, Option<Optimum>);

/// A distribution this narrow is left to the simplex, and a simplex this small is a point.
const NARROW: f64 = 1e-3;
const POINT: f64 = 1e-8;

impl Optimisation {
    /// The model in the middle of all bounds.
    pub(crate) fn middle(&self) -> Case {
        let place = vec![0.5; self.bounds.len()];
        let question = Question { law: None, place, shift: 0.0, start: None };
        case_of(&self.case, &self.bounds, &question, None)
    }

    /// Searches, with the runs that the journal has and those that it lacks.
    pub(crate) fn run(
        &self,
        known: (Journal, Vec<(Known, u64)>),
        sweep: &Sweep<'_>,
    ) -> Result<Found, StudyError> {
        sweep.run_alone(|cancelled| {
            let of_study = (&self.case, &self.bounds[..]);
            let mut trials = Trials::new(of_study, known, (sweep, cancelled), self.budget);
            trials.budget = self.budget.saturating_sub(self.kept_back());
            let mut search = Search { study: self, trials, scores: Vec::new(), again: None };
            let searched = match search.go() {
                Err(Stop::Budget) => Ok(()),
                searched => searched,
            };
            let complete = match searched.and_then(|()| search.run_again()) {
                Ok(()) => true,
                Err(stop) => stop.completeness()?,
            };
            let (optimum, table) = (search.optimum(), search.table());
            Ok((search.trials.close(table, complete), optimum))
        })
    }

    /// How many runs of the budget are kept for the point that is chosen.
    fn kept_back(&self) -> usize {
        if self.repeats > 1 { self.repeats } else { 0 }
    }

    /// A point by the metrics of its repeats.
    fn score(&self, place: Vec<f64>, repeats: &[Option<Vec<f64>>]) -> Score {
        let results: Vec<&Vec<f64>> = repeats
            .iter()
            .flatten()
            .filter(|metrics| metrics[..self.judged].iter().all(|x| x.is_finite()))
            .collect();
        let count = results.len() as f64;
        let mean = |i: usize| results.iter().map(|metrics| metrics[i]).sum::<f64>() / count;
        let metrics: Vec<f64> = (0..self.metrics.len()).map(mean).collect();
        let square: f64 = results.iter().map(|own| (own[0] - metrics[0]).powi(2)).sum();
        let sign = if self.maximise { -1.0 } else { 1.0 };
        let objective = Scattered {
            mean: sign * metrics[0],
            std: if results.len() > 1 { (square / (count - 1.0)).sqrt() } else { f64::NAN },
            count,
        };
        let violation = if results.len() < repeats.len() || results.is_empty() {
            f64::INFINITY
        } else {
            let of = |limit: &Limit| {
                let metric = self.metrics.iter().position(|name| *name == limit.metric);
                let value = metric.map_or(f64::NAN, |i| metrics[i]);
                let over = if limit.upper { value - limit.value } else { limit.value - value };
                over.max(0.0) / limit.value.abs().max(1e-300)
            };
            self.constraints.iter().map(of).sum()
        };
        Score { place, violation, objective, metrics }
    }
}

struct Search<'a, 's> {
    study: &'a Optimisation,
    trials: Trials<'s>,
    scores: Vec<Score>,
    /// The chosen point by runs from new starts.
    again: Option<Score>,
}

impl Search<'_, '_> {
    /// The scores of these points.
    fn ask(&mut self, places: &[Vec<f64>]) -> Result<Vec<Score>, Stop> {
        let scores = self.scores_from(places, 1..=self.study.repeats.max(1))?;
        for score in &scores {
            if !self.scores.iter().any(|known| known.place == score.place) {
                self.scores.push(score.clone());
            }
        }
        Ok(scores)
    }

    /// The scores of these points with these starts.
    fn scores_from(
        &mut self,
        places: &[Vec<f64>],
        starts: RangeInclusive<usize>,
    ) -> Result<Vec<Score>, Stop> {
        let apart = self.study.repeats > 1;
        let questions: Vec<Question> = places
            .iter()
            .flat_map(|place| starts.clone().map(move |start| (place, start)))
            .map(|(place, start)| Question {
                law: None,
                place: place.clone(),
                shift: 0.0,
                start: apart.then_some(start),
            })
            .collect();
        let wanted = Wanted::Metrics(self.study.metrics.clone());
        let answers = self.trials.ask(&questions, &wanted)?;
        let values: Vec<Option<Vec<f64>>> =
            answers.iter().map(|trial| trial.values.clone()).collect();
        Ok(places
            .iter()
            .zip(values.chunks(starts.count()))
            .map(|(place, own)| self.study.score(place.clone(), own))
            .collect())
    }

    /// Runs the chosen point from starts that the search has not seen.
    fn run_again(&mut self) -> Result<(), Stop> {
        let repeats = self.study.repeats;
        let Some(place) = self.best().map(|best| best.place.clone()).filter(|_| repeats > 1) else {
            return Ok(());
        };
        self.trials.budget = self.study.budget;
        self.again = self.scores_from(&[place], repeats + 1..=2 * repeats)?.pop();
        Ok(())
    }

    fn best(&self) -> Option<&Score> {
        let known = self.scores.iter().filter(|score| score.violation.is_finite());
        known.min_by(|a, b| a.compare(b))
    }

    /// Evolution with most of the budget, and a simplex with the rest.
    fn go(&mut self) -> Result<(), Stop> {
        let n = self.study.bounds.len();
        let repeats = self.study.repeats.max(1);
        let points = self.study.budget.saturating_sub(self.study.kept_back()) / repeats;
        let evolve = points - (points * 3 / 10).min(60 * (n + 1));
        let mut population = Evolution::usual(n);
        let mut narrow = 0.02;
        for restart in 0..4_u64 {
            let mean = self.mean_of(restart);
            let mut evolution =
                Evolution::new(mean, 0.3, population, self.study.seed.wrapping_add(restart));
            while evolution.spread() > NARROW {
                if self.scores.len() + population > evolve {
                    break;
                }
                let asked = evolution.ask();
                let mut scores = self.ask(&asked)?;
                scores.sort_by(Score::compare);
                let sorted: Vec<Vec<f64>> =
                    scores.iter().map(|score| score.place.clone()).collect();
                evolution.tell(&sorted);
                // Where scatter explains all differences there is nothing to follow.
                if repeats > 1 && !scores[0].is_better(&scores[scores.len() - 1]) {
                    break;
                }
            }
            narrow = (2.0 * evolution.spread()).clamp(1e-3, 0.05);
            population *= 2;
            if self.scores.len() + population > evolve / 2 {
                break;
            }
        }
        let Some(best) = self.best().cloned() else { return Ok(()) };
        let mut simplex = Simplex::new(&best.place.clone(), best, narrow);
        while simplex.size() > POINT {
            let asked = simplex.ask();
            let scores = self.ask(&asked)?;
            simplex.tell(scores, Score::is_better);
        }
        Ok(())
    }

    /// Where an evolution starts: in the middle, then at samples of the box.
    fn mean_of(&self, restart: u64) -> Vec<f64> {
        let n = self.study.bounds.len();
        if restart == 0 {
            return vec![0.5; n];
        }
        let cube = crate::design::Filling::Sobol.points(4, n, self.study.seed).unwrap_or_default();
        let at = usize::try_from(restart).unwrap_or(0) * n;
        cube.get(at..at + n).map_or_else(|| vec![0.5; n], <[f64]>::to_vec)
    }

    fn optimum(&self) -> Option<Optimum> {
        let chosen = self.best()?;
        let study = self.study;
        // What the search saw of the chosen point is the luckiest of many.
        let worth = self.again.as_ref().unwrap_or(chosen);
        let keys = study.bounds.iter().zip(&chosen.place);
        let others = self.scores.iter().filter(|score| score.place != chosen.place);
        let alike = others.filter(|score| {
            score.violation == chosen.violation
                && score.objective.is_like(&worth.objective) == Some(true)
        });
        let alike = (study.repeats > 1).then(|| alike.count());
        let objective = worth.metrics.first().copied().and_then(finite);
        let Scattered { std, count, .. } = worth.objective;
        let half = student(count - 1.0) * std / count.sqrt();
        let end = |half: f64| objective.and_then(|mean| finite(mean + half));
        let constraints = study.metrics[..study.judged].iter().zip(&worth.metrics).skip(1);
        Some(Optimum {
            best: keys.map(|(bounded, x)| (bounded.key.clone(), bounded.si(*x))).collect(),
            objective,
            objective_low: end(-half),
            objective_high: end(half),
            metric: study.metrics.first().cloned().unwrap_or_default(),
            maximise: study.maximise,
            scatter: finite(std),
            alike,
            feasible: worth.violation == 0.0,
            constraints: constraints.map(|(name, value)| (name.clone(), finite(*value))).collect(),
            notes: self.notes(chosen, alike.unwrap_or(0)),
        })
    }

    /// What to know before believing the numbers.
    fn notes(&self, chosen: &Score, alike: usize) -> Vec<String> {
        let study = self.study;
        let mut notes = Vec::new();
        if chosen.violation > 0.0 {
            notes.push("no point meets all constraints; this one violates them least".to_owned());
        }
        match &self.again {
            None if study.repeats > 1 => notes.push("the best point was not run again from new starts: its objective is the best of many that scatter, so it is too good".to_owned()),
            Some(again) if again.violation.is_infinite() => notes.push("the best point has runs from new starts without a result; the objective is the mean of the others".to_owned()),
            Some(again) if again.violation > chosen.violation && chosen.violation == 0.0 => notes.push("the best point met all constraints in the search, but not from new starts: chance decides there; tighten the constraints by the scatter of their metrics".to_owned()),
            _ => {}
        }
        let keys = study.bounds.iter().zip(&chosen.place);
        let at_bound = keys.filter(|(_, x)| **x <= 1e-6 || **x >= 1.0 - 1e-6);
        notes.extend(at_bound.map(|(bounded, _)| {
            format!("{}: the best value lies at a bound; a better one may lie beyond", bounded.key)
        }));
        if alike > 0 {
            let others = self.scores.len().saturating_sub(1);
            notes.push(format!("{alike} of {others} other points cannot be distinguished from the best one: scatter explains the differences"));
        }
        notes
    }

    /// One row for each point, in the order of the requests.
    fn table(&self) -> Frame {
        let study = self.study;
        let mut frame = Frame::new();
        for (i, bounded) in study.bounds.iter().enumerate() {
            let values = self.trials.rows.iter().map(|row| bounded.si(row.question.place[i]));
            frame = frame.with(&bounded.key, Column::Numbers(values.collect()));
        }
        if study.repeats > 1 {
            let starts = self.trials.rows.iter().map(|row| row.question.start.unwrap_or(0) as f64);
            frame = frame.with("start.seed", Column::Numbers(starts.collect()));
        }
        for (i, metric) in study.metrics.iter().enumerate() {
            let values = self.trials.rows.iter().map(|row| {
                let values = row.metrics.as_ref();
                values.and_then(|values| values.get(i)).copied().unwrap_or(f64::NAN)
            });
            frame = frame.with(metric, Column::Numbers(values.collect()));
        }
        let outcome = self.trials.rows.iter().map(Made::outcome);
        frame.with("outcome", Column::texts(outcome))
    }
}
