//! Where descents start: samples of the box of all bounds, ends of descents that saw less than the whole record, and the surroundings of the
//! best ends.

use super::Failed;
use super::search::{Aim, End, Fit, Fits, How, Search};
use crate::design::Filling;
use crate::fitting::matrix::dot;
use crate::trials::Stop;

/// Ends that are nearer than this to each other are one.
const SAME: f64 = 1e-3;

impl Search<'_, '_> {
    /// The best values of a law, searched for in the whole box.
    ///
    /// The cost of a record of impacts has many narrow minima, because each impact decides when the next one happens. It is smooth for
    /// averaged residuals and for the first part of the record, so descents of these come first. Around the best ends of
    /// the raw descents the search looks again, nearer and nearer, unless all descents from there return.
    pub(super) fn multistart(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
    ) -> Result<Option<Fit>, Failed> {
        let size = aim.size(self.study.bounds.len());
        // A line is cheap to look at closely.
        let count = [0, 64, 48, 56].get(size).copied().unwrap_or(8 * size + 32).min(96);
        let mut places = self.cube(count, size);
        places.insert(0, vec![0.5; size]);
        let left = self.trials.left();
        if places.len() > left / 2 {
            // Where runs are few, half of them are for descents.
            self.trials.spent |= places.len() > left;
            places.truncate(left.div_ceil(2));
        }
        let outputs = self.outputs(law, aim, &places)?;
        let best = |how: How, count: usize| -> Vec<Vec<f64>> {
            let order = by_cost(aim, &outputs, how);
            order.into_iter().take(count).map(|i| places[i].clone()).collect()
        };
        let mut starts = best(How::raw(2e-4, 25), 3);
        if starts.is_empty() {
            return Ok(None);
        }
        let windows = [aim.length() / 12, aim.length() / 50];
        for window in windows.into_iter().filter(|window| *window >= 3) {
            let how = How::smoothed(window, 8);
            let ends = self.ends_of(law, aim, best(how, 2), how)?;
            starts.extend(ends.into_iter().take(1).map(|(place, _)| place));
        }
        let mut early: Vec<Vec<f64>> = Vec::new();
        for until in horizons(aim, &outputs) {
            let how = How::early(until, 8);
            early.extend(best(how, 2));
            let ends = distinct(self.ends_of(law, aim, early, how)?);
            early = ends.into_iter().take(2).map(|(place, _)| place).collect();
        }
        starts.extend(early);
        starts.dedup();
        let ends = distinct(self.ends_of(law, aim, starts, How::raw(2e-4, 25))?);
        let ends = self.look_around(law, aim, ends)?;
        let Some((place, _)) = ends.into_iter().next() else { return Ok(None) };
        self.fit_at(law, aim, place).map_err(Failed::from)
    }

    /// The ends of descents from the surroundings of the two best ends, with these, best first.
    fn look_around(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        mut ends: Vec<End>,
    ) -> Result<Vec<End>, Failed> {
        let first = 0.15;
        for radius in [first, 0.05, 0.015, 0.005] {
            let mut around = Vec::new();
            for (centre, _) in ends.iter().take(2) {
                let near = |point: Vec<f64>| -> Vec<f64> {
                    let moved = point.iter().zip(centre);
                    moved.map(|(x, c)| (c + radius * (2.0 * x - 1.0)).clamp(0.0, 1.0)).collect()
                };
                let size = centre.len();
                around.extend(self.cube(6 * size + 8, size).into_iter().map(near));
            }
            let outputs = match self.outputs(law, aim, &around) {
                Ok(outputs) => outputs,
                Err(Stop::Budget) => break,
                Err(stop) => return Err(stop.into()),
            };
            let how = How::raw(2e-4, 12);
            let order = by_cost(aim, &outputs, how);
            let starts = order.into_iter().take(3).map(|i| around[i].clone()).collect();
            let found = self.ends_of(law, aim, starts, how)?;
            // All descents return to the best end, or to one that is as good: the cost has one valley.
            let one = ends.first().is_some_and(|(_, least)| {
                let alike = 1e-4 * least + 1e-9 * aim.data.len() as f64;
                found.iter().all(|(_, cost)| (cost - least).abs() <= alike)
            });
            ends = distinct(ends.into_iter().chain(found).collect());
            if one && radius == first {
                break;
            }
        }
        Ok(ends)
    }

    /// Tries for each law the best values of the others, because masses, stiffnesses and clearances
    /// mean the same in all laws, and the values at which it behaves like the best law. If another
    /// law becomes the best in this way, the others are also compared with it.
    pub(super) fn exchange(
        &mut self,
        laws: &[Option<String>],
        aim: &Aim,
        fits: &mut Fits,
    ) -> Result<(), Failed> {
        let mut tried: Vec<usize> = Vec::new();
        loop {
            let known = fits.iter().enumerate().filter_map(|(i, fit)| Some((i, fit.as_ref()?)));
            let best = known.min_by(|a, b| a.1.cost().total_cmp(&b.1.cost()));
            let Some((best, fit)) = best.filter(|(best, _)| !tried.contains(best)) else {
                return Ok(());
            };
            tried.push(best);
            let others: Vec<usize> =
                (0..laws.len()).filter(|&i| i != best && fits[i].is_some()).collect();
            if others.is_empty() {
                return Ok(());
            }
            let names: Vec<Option<&str>> = others.iter().map(|&i| laws[i].as_deref()).collect();
            let alike = self.alike(aim, (laws[best].as_deref(), &fit.place), &names);
            let places: Vec<Vec<f64>> =
                fits.iter().flatten().map(|fit| fit.place.clone()).collect();
            for (i, alike) in others.into_iter().zip(alike) {
                let starts = alike.into_iter().chain(places.clone()).collect();
                self.better(laws[i].as_deref(), aim, starts, &mut fits[i])?;
            }
        }
    }

    /// Descends from the best of these places, if that is not where the fit is.
    fn better(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        mut starts: Vec<Vec<f64>>,
        fit: &mut Option<Fit>,
    ) -> Result<(), Failed> {
        let Some(known) = fit else { return Ok(()) };
        starts.retain(|place| *place != known.place);
        let outputs = match self.outputs(law, aim, &starts) {
            Err(Stop::Budget) => return Ok(()),
            outputs => outputs?,
        };
        let how = How::raw(2e-4, 12);
        let order = by_cost(aim, &outputs, how);
        let start = order.into_iter().take(1).map(|i| starts[i].clone()).collect();
        if let Some(found) = self.descend_from(law, aim, start, how)?
            && found.cost() < known.cost()
        {
            *fit = Some(found);
        }
        Ok(())
    }

    /// So many points of the unit cube.
    pub(super) fn cube(&self, count: usize, size: usize) -> Vec<Vec<f64>> {
        let points = Filling::Sobol.points(count, size, self.study.seed).unwrap_or_default();
        points.chunks(size.max(1)).map(<[f64]>::to_vec).collect()
    }
}

/// The places of outputs in the order of their costs; without those that have none.
fn by_cost(aim: &Aim, outputs: &[Option<Vec<f64>>], how: How) -> Vec<usize> {
    let cost = |(i, output): (usize, &Option<Vec<f64>>)| {
        let residuals = aim.looked_at(output.as_ref()?, how);
        Some((dot(&residuals, &residuals), i))
    };
    let mut order: Vec<(f64, usize)> = outputs.iter().enumerate().filter_map(cost).collect();
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    order.into_iter().map(|(_, i)| i).collect()
}

/// Ends in the order of their costs, of those that are one the best.
fn distinct(mut ends: Vec<End>) -> Vec<End> {
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut kept: Vec<End> = Vec::new();
    for (place, cost) in ends {
        let same = |(known, _): &End| place.iter().zip(known).all(|(a, b)| (a - b).abs() < SAME);
        if !kept.iter().any(same) {
            kept.push((place, cost));
        }
    }
    kept
}

/// The times (s) up to which a small and a larger fraction of the differences between samples of
/// the box has occurred.
fn horizons(aim: &Aim, outputs: &[Option<Vec<f64>>]) -> Vec<f64> {
    let known: Vec<&Vec<f64>> = outputs.iter().flatten().collect();
    let columns = &aim.sampler.columns;
    let times = columns.iter().flat_map(|column| &column.times);
    let weights = columns
        .iter()
        .zip(&aim.weights)
        .flat_map(|(column, weight)| std::iter::repeat_n(*weight, column.times.len()));
    let spread = times.zip(weights).enumerate().map(|(i, (t, weight))| {
        let mean = known.iter().map(|output| output[i]).sum::<f64>() / known.len() as f64;
        let square: f64 = known.iter().map(|output| (output[i] - mean).powi(2)).sum();
        (*t, weight * weight * square)
    });
    let mut spread: Vec<(f64, f64)> = spread.collect();
    spread.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all: f64 = spread.iter().map(|(_, square)| square).sum();
    let end = spread.last().map_or(0.0, |(t, _)| *t);
    let (mut sum, mut parts) = (0.0, [0.03, 0.12, 0.4].into_iter().peekable());
    let mut found: Vec<f64> = Vec::new();
    for (t, square) in spread {
        sum += square;
        while parts.next_if(|part| sum >= part * all).is_some() {
            if found.last() != Some(&t) && t < end {
                found.push(t);
            }
        }
    }
    found
}
