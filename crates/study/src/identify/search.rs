//! What residuals are, and descents to the least of them.

use std::sync::Arc;

use super::{Failed, Identification, Loss};
use crate::case::Digest;
use crate::fitting::descent::{Answer, Descent, descend};
use crate::fitting::matrix::dot;
use crate::measurement::{Filter, Sampler};
use crate::trials::{Question, Stop, Trials, Wanted};

/// What residuals are made of: the data, the rows that are compared, and their weights.
#[derive(Clone, Debug)]
pub(crate) struct Aim {
    pub(crate) sampler: Arc<Sampler>,
    digest: Digest,
    until: f64,
    /// The bounds of the shift, if it is fitted.
    pub(crate) shifts: Option<[f64; 2]>,
    /// The data, column after column.
    pub(crate) data: Vec<f64>,
    /// For each column one over the size of its noise.
    pub(crate) weights: Vec<f64>,
    loss: Loss,
    /// The size of residuals at which they are large, in weighted units.
    pub(crate) scale: f64,
}

impl Aim {
    pub(crate) fn new(
        sampler: Arc<Sampler>,
        digest: Digest,
        until: f64,
        shifts: Option<[f64; 2]>,
        loss: Loss,
    ) -> Self {
        let data = sampler.data();
        let weights = sampler.columns.iter().map(|column| {
            let mean = column.data.iter().sum::<f64>() / column.data.len() as f64;
            let square: f64 = column.data.iter().map(|x| (x - mean) * (x - mean)).sum();
            let size = (square / column.data.len() as f64).sqrt();
            1.0 / if size > 0.0 { size } else { mean.abs().max(1e-300) }
        });
        let weights = weights.collect();
        Aim { data, weights, sampler, digest, until, shifts, loss, scale: f64::INFINITY }
    }

    /// The end of the runs (s).
    pub(super) fn until(&self) -> f64 {
        self.until
    }

    pub(crate) fn wanted(&self) -> Wanted {
        let (sampler, digest) = (self.sampler.clone(), self.digest.clone());
        Wanted::Samples { sampler, digest, until: self.until }
    }

    /// The columns of a list of values.
    pub(crate) fn columns<'v>(&self, values: &'v [f64]) -> Vec<&'v [f64]> {
        let mut rest = values;
        let lengths = self.sampler.columns.iter().map(|column| column.rows.len());
        lengths
            .map(|length| {
                let (own, others) = rest.split_at(length);
                rest = others;
                own
            })
            .collect()
    }

    /// Weighted residuals, averaged over this many samples, with large ones reduced by the loss.
    pub(crate) fn residuals(&self, output: &[f64], smooth: usize) -> Vec<f64> {
        let mut all = Vec::with_capacity(output.len());
        let columns = self.columns(output).into_iter().zip(self.columns(&self.data));
        for ((model, data), weight) in columns.zip(&self.weights) {
            let own: Vec<f64> = model.iter().zip(data).map(|(m, d)| weight * (m - d)).collect();
            all.extend(if smooth > 1 {
                Filter::MovingAverage(smooth).apply(&own, 1.0)
            } else {
                own
            });
        }
        if self.scale.is_finite() {
            for residual in &mut all {
                *residual = self.loss.of(*residual / self.scale) * self.scale;
            }
        }
        all
    }

    /// The residuals that a descent uses.
    pub(super) fn looked_at(&self, output: &[f64], how: How) -> Vec<f64> {
        let mut residuals = self.residuals(output, how.smooth);
        if how.until.is_finite() {
            let times = self.sampler.columns.iter().flat_map(|column| &column.times);
            for (residual, t) in residuals.iter_mut().zip(times) {
                if *t > how.until {
                    *residual = 0.0;
                }
            }
        }
        residuals
    }

    /// The longest column.
    pub(crate) fn length(&self) -> usize {
        self.sampler.columns.iter().map(|column| column.rows.len()).max().unwrap_or(0)
    }

    /// The shift (s) at a place of the unit cube, whose last coordinate it is.
    pub(crate) fn shift(&self, place: &[f64]) -> f64 {
        match (self.shifts, place.last()) {
            (Some([low, high]), Some(x)) => low + (high - low) * x,
            _ => 0.0,
        }
    }

    /// The number of coordinates of a place.
    pub(crate) fn size(&self, keys: usize) -> usize {
        keys + usize::from(self.shifts.is_some())
    }
}

impl Loss {
    /// A residual whose square is twice the loss.
    fn of(self, z: f64) -> f64 {
        match self {
            Loss::Squares => z,
            Loss::SoftL1 => z.signum() * (2.0 * ((1.0 + z * z).sqrt() - 1.0)).sqrt(),
            Loss::Huber if z.abs() <= 1.0 => z,
            Loss::Huber => z.signum() * (2.0 * z.abs() - 1.0).sqrt(),
        }
    }
}

/// How a descent uses residuals, and how it moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct How {
    /// Residuals are averaged over this many samples.
    smooth: usize,
    /// Only rows up to this time (s) count.
    until: f64,
    /// The distance over which slopes are measured.
    reach: f64,
    /// The greatest number of steps.
    steps: usize,
}

impl How {
    /// With the residuals as they are.
    pub(super) fn raw(reach: f64, steps: usize) -> Self {
        How { smooth: 1, until: f64::INFINITY, reach, steps }
    }

    /// With residuals averaged over this many samples.
    pub(super) fn smoothed(smooth: usize, steps: usize) -> Self {
        How { smooth, ..How::raw(1e-3, steps) }
    }

    /// With the rows up to this time (s).
    pub(super) fn early(until: f64, steps: usize) -> Self {
        How { until, ..How::raw(5e-4, steps) }
    }
}

/// A law with its best values.
#[derive(Clone, Debug)]
pub(crate) struct Fit {
    /// The place in the unit cube of all bounds, the shift last.
    pub(crate) place: Vec<f64>,
    /// What the instrument would have seen of it.
    pub(crate) output: Vec<f64>,
    /// The weighted residuals.
    pub(crate) residuals: Vec<f64>,
}

impl Fit {
    pub(crate) fn cost(&self) -> f64 {
        dot(&self.residuals, &self.residuals)
    }
}

/// Searches of a study.
pub(crate) struct Search<'a, 's> {
    pub(crate) study: &'a Identification,
    pub(crate) trials: &'a mut Trials<'s>,
    /// The places that it has seen.
    pub(super) seen: Vec<Seen>,
}

/// A place of the unit cube that a search has seen.
#[derive(Debug)]
pub(super) struct Seen {
    law: Option<String>,
    /// What it was compared with, and the bounds of the shift, which is its last coordinate.
    aim: (Digest, Option<[f64; 2]>),
    place: Vec<f64>,
}

/// Where a descent ended, and its cost there.
pub(super) type End = (Vec<f64>, f64);

/// The best values of each law; nothing where no run has a result.
pub(super) type Fits = Vec<Option<Fit>>;

impl Search<'_, '_> {
    /// What the instrument would have seen at places of the unit cube; nothing where the run failed.
    pub(crate) fn outputs(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        places: &[Vec<f64>],
    ) -> Result<Vec<Option<Vec<f64>>>, Stop> {
        let keys = self.study.bounds.len();
        let question = |place: &Vec<f64>| Question {
            law: law.map(str::to_owned),
            place: place[..keys].to_vec(),
            shift: aim.shift(place),
            start: None,
        };
        let questions: Vec<Question> = places.iter().map(question).collect();
        let answers = self.trials.ask(&questions, &aim.wanted())?;
        self.seen.extend(places.iter().map(|place| Seen {
            law: law.map(str::to_owned),
            aim: (aim.digest.clone(), aim.shifts),
            place: place.clone(),
        }));
        Ok(answers.iter().map(|trial| trial.values.clone()).collect())
    }

    /// The places that the search has seen with this law.
    pub(super) fn seen(&self, law: Option<&str>, aim: &Aim) -> Vec<Vec<f64>> {
        let same = |seen: &&Seen| {
            seen.law.as_deref() == law && seen.aim.0 == aim.digest && seen.aim.1 == aim.shifts
        };
        let mut places: Vec<Vec<f64>> =
            self.seen.iter().filter(same).map(|seen| seen.place.clone()).collect();
        places.sort_by(|a, b| {
            let orders = a.iter().zip(b).map(|(a, b)| a.total_cmp(b));
            orders.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        });
        places.dedup();
        places
    }

    /// The best values of every law, each searched for in the whole box.
    pub(super) fn fits(
        &mut self,
        laws: &[Option<String>],
        mut aim: Aim,
    ) -> Result<(Fits, Aim), Failed> {
        let mut fits = Fits::new();
        let (budget, made) = (self.trials.budget, self.trials.rows.len());
        for (i, law) in laws.iter().enumerate() {
            // No law may use the runs that the others need.
            let share = budget.saturating_sub(made) * (i + 1) / laws.len();
            self.trials.budget = (made + share).min(budget);
            let found = self.multistart(law.as_deref(), &aim);
            self.trials.budget = budget;
            fits.push(found?);
        }
        self.exchange(laws, &aim, &mut fits)?;
        self.reweigh(laws, &mut aim, &mut fits)?;
        Ok((fits, aim))
    }

    /// Weights of columns from the residuals of the best fit, and the size of large residuals; all
    /// laws are fitted again with them.
    pub(super) fn reweigh(
        &mut self,
        laws: &[Option<String>],
        aim: &mut Aim,
        fits: &mut Fits,
    ) -> Result<(), Failed> {
        let several = aim.weights.len() > 1;
        let robust = self.study.loss != Loss::Squares;
        if !several && !robust {
            return Ok(());
        }
        for _ in 0..2 {
            let all = fits.iter().flatten();
            let Some(best) = all.min_by(|a, b| a.cost().total_cmp(&b.cost())).cloned() else {
                break;
            };
            let columns: Vec<Vec<f64>> = aim
                .columns(&best.output)
                .into_iter()
                .zip(aim.columns(&aim.data))
                .map(|(model, data)| model.iter().zip(data).map(|(m, d)| m - d).collect())
                .collect();
            for (weight, column) in aim.weights.iter_mut().zip(&columns) {
                // The median of magnitudes is 0.6745 standard deviations of normal noise, and does not mind outliers.
                let size = if robust {
                    let mut sizes: Vec<f64> = column.iter().map(|x| x.abs()).collect();
                    sizes.sort_by(f64::total_cmp);
                    sizes[sizes.len() / 2] / 0.6745
                } else {
                    (dot(column, column) / column.len() as f64).sqrt()
                };
                // What fits better than a millionth of its size is not made to count even more.
                let least = 1e-6 / *weight;
                *weight = 1.0 / size.max(least);
            }
            aim.scale = match self.study.loss {
                Loss::Squares => f64::INFINITY,
                Loss::SoftL1 => 1.0,
                Loss::Huber => 1.345,
            };
            for (law, fit) in laws.iter().zip(fits.iter_mut()) {
                if let Some(known) = fit {
                    let start = vec![known.place.clone()];
                    *fit = self.descend_from(law.as_deref(), aim, start, How::raw(2e-4, 15))?;
                }
            }
        }
        Ok(())
    }

    /// The best end of descents from these places.
    pub(super) fn descend_from(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        starts: Vec<Vec<f64>>,
        how: How,
    ) -> Result<Option<Fit>, Failed> {
        match self.ends_of(law, aim, starts, how)?.into_iter().next() {
            Some((best, _)) => self.fit_at(law, aim, best).map_err(Failed::from),
            None => Ok(None),
        }
    }

    /// The ends of descents with their costs, best first.
    pub(super) fn ends_of(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        starts: Vec<Vec<f64>>,
        how: How,
    ) -> Result<Vec<End>, Failed> {
        let mut descents: Vec<Descent> =
            starts.into_iter().map(|start| Descent::new(start, how.reach, how.steps)).collect();
        let answer = |questions: &[(usize, Vec<f64>)]| -> Result<Vec<Answer>, Stop> {
            let places: Vec<Vec<f64>> = questions.iter().map(|(_, place)| place.clone()).collect();
            let outputs = self.outputs(law, aim, &places)?;
            Ok(outputs.into_iter().map(|o| o.map(|o| aim.looked_at(&o, how))).collect())
        };
        match descend(&mut descents, answer) {
            Ok(()) | Err(Stop::Budget) => {}
            Err(stop) => return Err(stop.into()),
        }
        let found = descents.into_iter().filter(|descent| descent.cost.is_finite());
        let mut ends: Vec<End> = found.map(|d| (d.x, d.cost)).collect();
        ends.sort_by(|a, b| a.1.total_cmp(&b.1));
        Ok(ends)
    }

    /// A place as a fit. It was run before.
    pub(super) fn fit_at(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        place: Vec<f64>,
    ) -> Result<Option<Fit>, Stop> {
        let output =
            self.outputs(law, aim, std::slice::from_ref(&place))?.into_iter().next().flatten();
        Ok(output.map(|output| Fit { residuals: aim.residuals(&output, 1), output, place }))
    }
}
