//! The best values of keys for a metric, between bounds and within constraints: CMA-ES, then a simplex.
//!
//! Where runs repeat from starts that are slightly apart, a point is the mean of its repeats, and a difference that their scatter
//! explains (Welch's test) is no improvement.

mod cma;
mod simplex;

use std::cmp::Ordering;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::case::Case;
use crate::frame::{Column, Frame};
use crate::journal::Journal;
use crate::statistics::Limit;
use crate::summary::finite;
use crate::sweep::Sweep;
use crate::trials::{Bounded, Kept, Made, Question, Stop, Trials, Wanted, case_of};
use crate::welch::Scattered;
use cma::Evolution;
use simplex::Simplex;

/// A search for the best values of keys.
#[derive(Clone, Debug)]
pub struct Optimisation {
    pub(crate) case: Case,
    pub(crate) bounds: Vec<Bounded>,
    /// The objective first, then the metrics of constraints.
    pub(crate) metrics: Vec<String>,
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
    /// The metric there; the mean of repeats.
    pub objective: Option<f64>,
    /// The metric that was minimised or maximised.
    pub metric: String,
    /// Whether it was maximised.
    pub maximise: bool,
    /// The standard deviation of its repeats.
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
    /// How far constraints are violated, relative to their sizes; 0 if they are met, infinite where there is no result.
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

/// The results of an optimisation.
pub(crate) struct Found {
    pub(crate) optimum: Option<Optimum>,
    /// One row for each point.
    pub(crate) table: Frame,
    pub(crate) tables: BTreeMap<String, String>,
    pub(crate) runs: usize,
    pub(crate) failed: usize,
    pub(crate) complete: bool,
    /// What was asked for, one for each row of the table.
    pub(crate) questions: Vec<Question>,
}

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
        (journal, known): (Journal, Vec<Kept>),
        sweep: &Sweep<'_>,
    ) -> Result<Found, String> {
        sweep.run_alone(|cancelled| {
            let of_study = (&self.case, &self.bounds[..]);
            let trials = Trials::new(of_study, (journal, known), (sweep, cancelled), self.budget);
            let mut search = Search { study: self, trials, scores: Vec::new() };
            let complete = match search.go() {
                Ok(()) | Err(Stop::Budget) => true,
                Err(Stop::Interrupted) => false,
                Err(Stop::Journal(error)) => return Err(error.to_string()),
                Err(Stop::Crew(why)) => return Err(why),
            };
            let optimum = search.optimum();
            Ok(Found {
                optimum,
                table: search.table(),
                questions: search.trials.rows.iter().map(|row| row.question.clone()).collect(),
                runs: search.trials.rows.len(),
                failed: search.trials.failed(),
                tables: search.trials.tables,
                complete,
            })
        })
    }

    /// A point by the metrics of its repeats.
    fn score(&self, place: Vec<f64>, repeats: &[Option<Vec<f64>>]) -> Score {
        let results: Vec<&Vec<f64>> = repeats
            .iter()
            .flatten()
            .filter(|metrics| metrics.iter().all(|x| x.is_finite()))
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
}

impl Search<'_, '_> {
    /// The scores of these points.
    fn ask(&mut self, places: &[Vec<f64>]) -> Result<Vec<Score>, Stop> {
        let repeats = self.study.repeats.max(1);
        let start = |i: usize| (repeats > 1).then_some(i + 1);
        let questions: Vec<Question> = places
            .iter()
            .flat_map(|place| (0..repeats).map(move |i| (place, i)))
            .map(|(place, i)| Question {
                law: None,
                place: place.clone(),
                shift: 0.0,
                start: start(i),
            })
            .collect();
        let wanted = Wanted::Metrics(self.study.metrics.clone());
        let answers = self.trials.ask(&questions, &wanted)?;
        let values: Vec<Option<Vec<f64>>> =
            answers.iter().map(|trial| trial.values.clone()).collect();
        let scores: Vec<Score> = places
            .iter()
            .zip(values.chunks(repeats))
            .map(|(place, own)| self.study.score(place.clone(), own))
            .collect();
        for score in &scores {
            if !self.scores.iter().any(|known| known.place == score.place) {
                self.scores.push(score.clone());
            }
        }
        Ok(scores)
    }

    fn best(&self) -> Option<&Score> {
        let known = self.scores.iter().filter(|score| score.violation.is_finite());
        known.min_by(|a, b| a.compare(b))
    }

    /// Evolution with most of the budget, and a simplex with the rest.
    fn go(&mut self) -> Result<(), Stop> {
        let n = self.study.bounds.len();
        let repeats = self.study.repeats.max(1);
        let points = self.study.budget / repeats;
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
        let best = self.best()?;
        let study = self.study;
        let keys = study.bounds.iter().zip(&best.place);
        let others = self.scores.iter().filter(|score| score.place != best.place);
        let alike = others.filter(|score| {
            score.violation == best.violation
                && score.objective.is_like(&best.objective) == Some(true)
        });
        let mut notes = Vec::new();
        if best.violation > 0.0 {
            notes.push("no point meets all constraints; this one violates them least".to_owned());
        }
        let at_bound = keys.clone().filter(|(_, x)| **x <= 1e-6 || **x >= 1.0 - 1e-6);
        notes.extend(at_bound.map(|(bounded, _)| {
            format!("{}: the best value lies at a bound; a better one may lie beyond", bounded.key)
        }));
        let alike = (study.repeats > 1).then(|| alike.count());
        if let Some(count) = alike.filter(|count| *count > 0) {
            notes.push(format!("{count} other points cannot be told from the best one: they differ by no more than their scatter explains"));
        }
        let constraints = study.metrics.iter().zip(&best.metrics).skip(1);
        Some(Optimum {
            best: keys.map(|(bounded, x)| (bounded.key.clone(), bounded.si(*x))).collect(),
            objective: best.metrics.first().copied().and_then(finite),
            metric: study.metrics.first().cloned().unwrap_or_default(),
            maximise: study.maximise,
            scatter: finite(best.objective.std),
            alike,
            feasible: best.violation == 0.0,
            constraints: constraints.map(|(name, value)| (name.clone(), finite(*value))).collect(),
            notes,
        })
    }

    /// One row for each point, in the order in which they were asked for.
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
                let values = row.trial.values.as_ref();
                values.and_then(|values| values.get(i)).copied().unwrap_or(f64::NAN)
            });
            frame = frame.with(metric, Column::Numbers(values.collect()));
        }
        let outcome = self.trials.rows.iter().map(Made::outcome);
        frame.with("outcome", Column::Texts(outcome.collect()))
    }
}
