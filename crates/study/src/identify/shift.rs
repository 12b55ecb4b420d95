//! Whether the clock of the data is that of the model, and how late it is.

use std::sync::Arc;

use super::search::{Aim, Fits, How, Search};
use super::uncertainty::Lack;
use super::{Failed, Shift};
use crate::case::Digest;
use crate::crew::line;
use crate::design::Filling;
use crate::measurement::{Sampler, best_shift, unexplained};
use crate::trials::Stop;

/// A shift of so many standard errors is one that the data call for. With two, noise alone calls for one in every twentieth record, and the
/// intervals of what is correlated with it then miss the truth, because only shifts that noise has made large are fitted.
const CALLED_FOR: f64 = 3.0;

impl Search<'_, '_> {
    /// The best values of every law, with or without a shift of the data, and the data of the
    /// comparison.
    pub(crate) fn all(&mut self, laws: &[Option<String>]) -> Result<(Fits, Aim), Failed> {
        let study = self.study;
        match study.shift {
            Shift::None => {
                let aim = study.aim(None).map_err(Failed::Request)?;
                self.fits(laws, aim)
            }
            Shift::Between(low, high) => {
                let aim = study.aim(Some([low, high])).map_err(Failed::Request)?;
                self.fits(laws, aim)
            }
            Shift::Free | Shift::Auto => {
                let (plain, outside) = match study.aim(None) {
                    Ok(aim) => (Some(self.fits(laws, aim)?), String::new()),
                    Err(outside) => (None, outside),
                };
                let found = match self.with_shift(laws, plain.as_ref()) {
                    // What fits without a shift is better than nothing.
                    Err(Failed::Stopped(Stop::Budget)) if plain.is_some() => None,
                    found => found?,
                };
                let Some((shifted, aim)) = found else {
                    let none = || format!("{outside}, and no shift makes the model look like them");
                    return plain.ok_or_else(|| Failed::Request(none()));
                };
                match plain {
                    Some(plain) if study.shift == Shift::Auto => {
                        if self.needs_shift(laws, &shifted, &aim)? {
                            Ok((shifted, aim))
                        } else {
                            Ok(plain)
                        }
                    }
                    _ => Ok((shifted, aim)),
                }
            }
        }
    }

    /// The best values of every law with a shift; `None` if there is none with which a run looks like the data.
    fn with_shift(
        &mut self,
        laws: &[Option<String>],
        plain: Option<&(Fits, Aim)>,
    ) -> Result<Option<(Fits, Aim)>, Failed> {
        match self.guess(laws, plain)? {
            Some(shifts) => self.centred(laws, shifts, plain),
            None => Ok(None),
        }
    }

    /// Bounds of a shift: around the one with which a run looks most like the data, among samples
    /// of the box and the best fits without a shift; `None` if no run resembles them.
    fn guess(
        &mut self,
        laws: &[Option<String>],
        plain: Option<&(Fits, Aim)>,
    ) -> Result<Option<[f64; 2]>, Failed> {
        let study = self.study;
        let times = &study.data.times;
        let length = times[times.len() - 1] - times[0];
        // All rows of the data, with any time shift.
        let filters = (&study.request.filters[..], study.request.filter_data);
        let all = Sampler::of_all(&study.data, filters).map_err(Failed::Request)?;
        let wide = Arc::new(all.wide(study.until));
        let digest = Digest::of([line(&*wide).as_str()]);
        let wide_aim = Aim::new(wide.clone(), digest, study.until, None, study.loss);
        let keys = study.bounds.len();
        let (mut best, mut unmoved): (Option<(f64, f64)>, f64) = (None, f64::INFINITY);
        for (i, law) in laws.iter().enumerate() {
            let cube = Filling::Sobol.points(12, keys, study.seed).unwrap_or_default();
            let mut places: Vec<Vec<f64>> = cube.chunks(keys.max(1)).map(<[f64]>::to_vec).collect();
            places
                .extend(plain.and_then(|(fits, _)| Some(fits[i].as_ref()?.place[..keys].to_vec())));
            for output in self.outputs(law.as_deref(), &wide_aim, &places)?.into_iter().flatten() {
                let models = wide.split(&output);
                if let Some((shift, cost)) = best_shift(&all.columns, &models)
                    && best.is_none_or(|(_, least)| cost < least)
                {
                    best = Some((shift, cost));
                }
                unmoved = unmoved.min(unexplained(&all.columns, &models, 0.0));
            }
        }
        let Some((shift, least)) = best else { return Ok(None) };
        // Without a shift as good, or nearly.
        let shift = if unmoved <= 1.05 * least { 0.0 } else { shift };
        let room = (5.0 * all.interval()).max(0.03 * length);
        Ok(Some([shift - room, shift + room]))
    }

    /// The best values of every law with a shift between bounds, which are moved until the shift of the best law lies well inside;
    /// `None` if no row of the data lies in the run with such a shift.
    fn centred(
        &mut self,
        laws: &[Option<String>],
        [mut low, mut high]: [f64; 2],
        plain: Option<&(Fits, Aim)>,
    ) -> Result<Option<(Fits, Aim)>, Failed> {
        let mut known: Option<(Fits, Aim)> = None;
        for _ in 0..5 {
            let Ok(aim) = self.study.aim(Some([low, high])) else { break };
            let before = known.as_ref().or(plain);
            let found = self.shifted(laws, aim, before)?;
            let all = found.0.iter().flatten();
            let best = all.min_by(|a, b| a.cost().total_cmp(&b.cost()));
            let at = best.and_then(|fit| fit.place.last().copied()).unwrap_or(0.5);
            let shift = low + (high - low) * at;
            let inside = (0.1..=0.9).contains(&at);
            known = Some(found);
            if inside {
                break;
            }
            // Twice as wide about where it wants to go.
            let room = high - low;
            (low, high) = (shift - room, shift + room);
        }
        Ok(known)
    }

    /// The best values of every law with a shift: from where they were without it, and from anywhere if that was far off.
    fn shifted(
        &mut self,
        laws: &[Option<String>],
        mut aim: Aim,
        plain: Option<&(Fits, Aim)>,
    ) -> Result<(Fits, Aim), Failed> {
        let zero = aim.shifts.is_some_and(|[low, high]| (low..=high).contains(&0.0));
        let mut fits = Fits::new();
        for (i, law) in laws.iter().enumerate() {
            let known = plain.and_then(|(fits, aim)| Some((fits[i].as_ref()?, aim)));
            let near = match (known, aim.shifts) {
                (Some((fit, old)), Some([low, high])) if zero || old.shifts.is_some() => {
                    let at = |shift: f64| {
                        let mut place = fit.place[..self.study.bounds.len()].to_vec();
                        place.push(((shift - low) / (high - low)).clamp(0.0, 1.0));
                        place
                    };
                    let starts = vec![at(old.shift(&fit.place)), at(0.5 * (low + high))];
                    let window = (aim.length() / 50).max(1);
                    let how = How::smoothed(window, 10);
                    let smooth = self.descend_from(law.as_deref(), &aim, starts.clone(), how)?;
                    let starts = starts.into_iter().chain(smooth.map(|fit| fit.place)).collect();
                    self.descend_from(law.as_deref(), &aim, starts, How::raw(2e-4, 30))?
                }
                _ => None,
            };
            fits.push(match near {
                Some(fit) => Some(fit),
                None => self.multistart(law.as_deref(), &aim)?,
            });
        }
        self.exchange(laws, &aim, &mut fits)?;
        self.reweigh(laws, &mut aim, &mut fits)?;
        Ok((fits, aim))
    }

    /// Whether the shift of the best law is more than its uncertainty explains.
    fn needs_shift(
        &mut self,
        laws: &[Option<String>],
        fits: &Fits,
        aim: &Aim,
    ) -> Result<bool, Failed> {
        let all = fits.iter().enumerate().filter_map(|(i, fit)| Some((i, fit.as_ref()?)));
        let best = all.min_by(|a, b| a.1.cost().total_cmp(&b.1.cost()));
        let Some((i, fit)) = best else { return Ok(false) };
        let mut fit = fit.clone();
        let judged = self.judge(laws[i].as_deref(), aim, &mut fit, None)?;
        if judged.lacks == Lack::Everything {
            return Ok(false);
        }
        let size = aim.shifts.map_or(0.0, |[low, high]| high - low);
        let last = fit.place.len() - 1;
        let error = size * judged.covariance.at(last, last).sqrt();
        Ok(aim.shift(&fit.place).abs() > CALLED_FOR * error)
    }
}
