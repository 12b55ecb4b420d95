//! What an identification found out.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::ranking::Standing;
use super::search::{Aim, Fit};
use super::uncertainty::{Judged, Lack};
use super::{Identification, compare};
use crate::fitting::matrix::dot;
use crate::fitting::toeplitz::Correlation;
use crate::measurement::Comparison;
use crate::summary::finite;
use crate::trials::Trials;

/// A value that was fitted.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ParameterFinding {
    /// The best value (SI).
    pub value: Option<f64>,
    /// Its standard error; `None` if the data say nothing about it.
    pub std: Option<f64>,
    /// The lower end of its interval of 95 %, or its bound.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether the data determine it.
    pub identifiable: bool,
    /// Whether the best value lies at a bound: a better one may lie beyond.
    pub at_bound: bool,
}

/// A law with its best values.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LawFinding {
    /// The law.
    pub law: String,
    /// The root of the mean square of the residuals (SI).
    pub rmse: Option<f64>,
    /// Akaike's criterion for small samples, with the effective number of samples.
    pub aicc: Option<f64>,
    /// How much greater that is than the least.
    pub delta: Option<f64>,
    /// The weight of the law after Akaike: how the data distribute belief among these laws.
    pub weight: Option<f64>,
    /// Whether noise alone may have put it behind the first, or ahead of the others.
    pub indistinguishable: bool,
    /// The best values.
    pub parameters: BTreeMap<String, ParameterFinding>,
}

/// What the data say about a model.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Identified {
    /// The law that fits best, if laws were ranked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<String>,
    /// The values that fit best, by key.
    pub parameters: BTreeMap<String, ParameterFinding>,
    /// The root of the mean square of all residuals (SI).
    pub rmse: Option<f64>,
    /// The time (s) by which the data lag behind the model, if it was fitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift: Option<ParameterFinding>,
    /// Correlation of the fitted values, by key and key; the shift is `shift`.
    pub correlation: BTreeMap<String, BTreeMap<String, Option<f64>>>,
    /// How far each channel is from its data.
    pub comparison: BTreeMap<String, Comparison>,
    /// The laws, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<LawFinding>,
    /// The kind of noise that the residuals of each channel look like: `white`, `filtered` or `correlated`.
    pub noise: BTreeMap<String, String>,
    /// The number of samples that were compared.
    pub samples: usize,
    /// How many independent ones tell as much.
    pub effective_samples: Option<f64>,
    /// What to know before believing the numbers.
    pub notes: Vec<String>,
}

/// The laws, their best values, and what these know.
pub(super) type Candidates<'a> = (&'a [Option<String>], &'a [Option<Fit>], &'a [Option<Judged>]);

/// Values that are correlated more than this are not known one by one.
const CORRELATED: f64 = 0.95;

impl Identification {
    pub(super) fn finding(
        &self,
        aim: &Aim,
        (laws, fits, judged): Candidates<'_>,
        order: &[Standing],
        trials: &Trials<'_>,
    ) -> Identified {
        let Some(&Standing { index, criterion: least, .. }) = order.first() else {
            return Identified::default();
        };
        let (Some(fit), Some(own)) = (&fits[index], &judged[index]) else {
            return Identified::default();
        };
        let likely: f64 =
            order.iter().map(|place| libm::exp(-0.5 * (place.criterion - least))).sum();
        let several = order.len() > 1;
        let alike = order.iter().filter(|place| place.like_best).count() > 1;
        let ranking = order.iter().filter_map(|place| {
            let (fit, judged) = (fits[place.index].as_ref()?, judged[place.index].as_ref()?);
            let delta = (place.criterion - least).max(0.0);
            Some(LawFinding {
                law: laws[place.index].clone()?,
                rmse: finite(rmse(aim, fit)),
                aicc: finite(place.criterion),
                delta: finite(delta),
                weight: finite(libm::exp(-0.5 * delta) / likely),
                indistinguishable: several && alike && place.like_best,
                parameters: self.parameters(fit, judged),
            })
        });
        let mut identified = Identified {
            law: laws[index].clone(),
            parameters: self.parameters(fit, own),
            rmse: finite(rmse(aim, fit)),
            shift: self.shift_finding(aim, fit, own),
            correlation: self.correlation(aim, own),
            comparison: comparison(aim, fit),
            ranking: ranking.collect(),
            noise: noise(aim, own),
            samples: aim.data.len(),
            effective_samples: finite(own.noise.iter().map(|noise| noise.effective).sum()),
            notes: Vec::new(),
        };
        identified.notes = self.notes(aim, &identified, (own, trials));
        identified.notes.extend(laws.iter().zip(fits).filter(|(_, fit)| fit.is_none()).filter_map(
            |(law, _)| {
                let made = trials.rows.iter().any(|row| row.question.law == *law);
                let why = if made {
                    "no run of this law has a result"
                } else {
                    "the budget left no run for this law"
                };
                Some(format!("{}: {why}", law.as_ref()?))
            },
        ));
        identified
    }

    fn parameters(&self, fit: &Fit, judged: &Judged) -> BTreeMap<String, ParameterFinding> {
        let of = |(i, bounded): (usize, &crate::trials::Bounded)| {
            let x = fit.place[i];
            let [low, high] = judged.intervals[i];
            let error = judged.standard_error(i);
            let finding = ParameterFinding {
                value: finite(bounded.si(x)),
                std: finite(error * bounded.slope(x)),
                low: finite(bounded.si(low)),
                high: finite(bounded.si(high)),
                identifiable: is_known(judged, i),
                at_bound: x <= 0.0 || x >= 1.0,
            };
            (bounded.key.clone(), finding)
        };
        self.bounds.iter().enumerate().map(of).collect()
    }

    #[expect(clippy::unused_self, reason = "beside its sisters")]
    fn shift_finding(&self, aim: &Aim, fit: &Fit, judged: &Judged) -> Option<ParameterFinding> {
        let [low, high] = aim.shifts?;
        let i = fit.place.len() - 1;
        let at = |x: f64| finite(low + (high - low) * x);
        Some(ParameterFinding {
            value: at(fit.place[i]),
            std: finite(judged.standard_error(i) * (high - low)),
            low: at(judged.intervals[i][0]),
            high: at(judged.intervals[i][1]),
            identifiable: is_known(judged, i),
            at_bound: fit.place[i] <= 0.0 || fit.place[i] >= 1.0,
        })
    }

    fn correlation(
        &self,
        aim: &Aim,
        judged: &Judged,
    ) -> BTreeMap<String, BTreeMap<String, Option<f64>>> {
        let keys = self.bounds.iter().map(|bounded| bounded.key.clone());
        let names: Vec<String> = keys.chain(aim.shifts.map(|_| "shift".to_owned())).collect();
        let of = |i: usize, j: usize| {
            let size = judged.covariance.at(i, i) * judged.covariance.at(j, j);
            let lost = judged.lost[i] || judged.lost[j];
            finite(judged.covariance.at(i, j) / size.sqrt()).filter(|_| !lost)
        };
        let row =
            |i: usize| names.iter().enumerate().map(|(j, name)| (name.clone(), of(i, j))).collect();
        names.iter().enumerate().map(|(i, name)| (name.clone(), row(i))).collect()
    }

    fn notes(
        &self,
        aim: &Aim,
        found: &Identified,
        (own, trials): (&Judged, &Trials<'_>),
    ) -> Vec<String> {
        let mut notes = aim.sampler.notes.clone();
        for (key, parameter) in &found.parameters {
            if !parameter.identifiable && own.lacks != Lack::Everything {
                notes.push(format!("{key}: the data do not determine it; no value within its bounds can be excluded, or its standard error is as large as their distance"));
            } else if parameter.at_bound {
                notes.push(format!(
                    "{key}: the best value lies at a bound; a better one may lie beyond"
                ));
            }
        }
        for (bounded, valleys) in self.bounds.iter().zip(&own.valleys) {
            if !valleys.is_empty() {
                let values: Vec<String> = valleys.iter().map(|x| rounded(bounded.si(*x))).collect();
                notes.push(format!(
                    "{}: its cost has several valleys, and noise alone may have made this one the deepest; valleys that are not excluded lie at {} (SI)",
                    bounded.key,
                    values.join(", ")
                ));
            }
        }
        let names: Vec<&String> = found.correlation.keys().collect();
        for (i, a) in names.iter().enumerate() {
            for b in &names[..i] {
                if let Some(r) = found.correlation[*a]
                    .get(*b)
                    .copied()
                    .flatten()
                    .filter(|r| r.abs() > CORRELATED)
                {
                    notes.push(format!("{b} and {a} are correlated ({r:.4}): the data determine a combination of them better than either alone"));
                }
            }
        }
        let alike: Vec<&str> = found
            .ranking
            .iter()
            .filter(|law| law.indistinguishable)
            .map(|law| law.law.as_str())
            .collect();
        if alike.len() > 1 {
            notes.push(format!("indistinguishable by these data: {}", alike.join(", ")));
        }
        if trials.spent {
            notes.push(format!(
                "the budget of {} runs ended the search before it was done: better values may exist; give a greater one, or none",
                self.budget
            ));
        }
        let lacking = match own.lacks {
            Lack::Nothing => None,
            Lack::Profile => Some(
                "the ends of the intervals were found: they are those of the standard errors, or of places that the search has seen",
            ),
            Lack::Slopes => Some(
                "the standard errors of the best values were found: they are those of values nearby",
            ),
            Lack::Everything => {
                Some("standard errors and intervals were found: what the data determine is unknown")
            }
        };
        notes.extend(lacking.map(|what| {
            format!(
                "the budget of {} runs was used up before {what}; give a greater one, or none",
                self.budget
            )
        }));
        notes
    }
}

/// Whether data determine a coordinate: its standard error is less than that of a uniform
/// distribution between its bounds, and its interval excludes a considerable fraction of the range.
fn is_known(judged: &Judged, i: usize) -> bool {
    let nothing = 1.0 / 12.0_f64.sqrt();
    let [low, high] = judged.intervals[i];
    let narrow = high - low < 0.9 && judged.ends[i] != [false, false];
    judged.standard_error(i) < nothing && narrow && !judged.is_inert(i)
}

/// A number with five significant digits.
fn rounded(x: f64) -> String {
    format!("{x:.4e}").parse().map_or_else(|_| x.to_string(), |x: f64| x.to_string())
}

/// The root of the mean square of all residuals.
fn rmse(aim: &Aim, fit: &Fit) -> f64 {
    let apart: Vec<f64> = fit.output.iter().zip(&aim.data).map(|(m, d)| m - d).collect();
    (dot(&apart, &apart) / apart.len() as f64).sqrt()
}

fn comparison(aim: &Aim, fit: &Fit) -> BTreeMap<String, Comparison> {
    let columns = aim.sampler.columns.iter().zip(aim.columns(&fit.output));
    columns
        .map(|(column, model)| {
            // Of a fit the shift is known already, or none.
            (column.channel.clone(), compare(column, model, (&column.times, model)))
        })
        .collect()
}

fn noise(aim: &Aim, judged: &Judged) -> BTreeMap<String, String> {
    let of = |correlation: &Correlation| match correlation {
        Correlation::White => "white",
        Correlation::Filtered { .. } => "filtered",
        Correlation::Fading { .. } => "correlated",
    };
    let columns = aim.sampler.columns.iter().zip(&judged.noise);
    columns
        .map(|(column, noise)| (column.channel.clone(), of(&noise.correlation).to_owned()))
        .collect()
}
