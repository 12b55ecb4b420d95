//! How well a fit knows its values: covariance with correlated noise, intervals by the profile of the cost.

use super::Failed;
use super::search::{Aim, Fit, How, Search};
use crate::fitting::matrix::{Symmetric, dot};
use crate::fitting::noise::{Noise, Residuals};
use crate::fitting::toeplitz::Correlation;
use crate::trials::Stop;
use crate::welch::student;

/// What a fit knows, in the unit cube of all bounds.
#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// Slopes of the weighted residuals, one list for each coordinate.
    slopes: Vec<Vec<f64>>,
    /// The covariance of the coordinates, correlated noise included.
    pub(crate) covariance: Symmetric,
    /// The inverse of the products of the slopes.
    naive: Symmetric,
    /// Coordinates of which the data know nothing.
    pub(crate) lost: Vec<bool>,
    /// The noise of each column, in weighted units.
    pub(crate) noise: Vec<Noise>,
    /// The number that Student's t exceeds with 5 %.
    pub(crate) quantile: f64,
    /// The interval of 95 % of each coordinate.
    pub(crate) intervals: Vec<[f64; 2]>,
    /// Whether the ends are where the cost has risen enough, not at a bound.
    pub(crate) ends: Vec<[bool; 2]>,
    /// Values at the bottoms of several valleys between which noise does not decide; nothing where there is one valley.
    pub(crate) valleys: Vec<Vec<f64>>,
    /// What the budget did not suffice for.
    pub(crate) lacks: Lack,
}

/// What of an uncertainty is missing, because the budget was used up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Lack {
    /// Nothing.
    #[default]
    Nothing,
    /// The profile: intervals are those of the covariance.
    Profile,
    /// Slopes at the best place: those of a place nearby count.
    Slopes,
    /// All slopes.
    Everything,
}

impl Judged {
    /// Coordinates that change nothing at all.
    pub(crate) fn is_inert(&self, i: usize) -> bool {
        self.slopes[i].iter().all(|slope| *slope == 0.0)
    }

    /// The number of coordinates that have an effect; all of them if that is unknown.
    pub(crate) fn active(&self) -> usize {
        let unknown = self.lacks == Lack::Everything;
        (0..self.slopes.len()).filter(|&i| unknown || !self.is_inert(i)).count()
    }

    /// Differences of residuals times the covariance of the noise.
    pub(super) fn image(&self, aim: &Aim, apart: &[f64]) -> Vec<f64> {
        let columns = aim.columns(apart).into_iter().zip(&aim.sampler.columns).zip(&self.noise);
        columns
            .flat_map(|((apart, column), noise)| {
                let image = noise.correlation.times(&column.rows, apart);
                image.into_iter().map(|x| x * noise.variance)
            })
            .collect()
    }

    /// How many standard deviations of the noise a place is from the best one, by its cost and its residuals less those of that one.
    pub(super) fn distance(&self, aim: &Aim, rise: f64, apart: &[f64]) -> f64 {
        let gain = rise.max(0.0) + dot(apart, apart);
        let spread = dot(&self.image(aim, apart), apart).max(0.0).sqrt();
        if gain > 0.0 { 0.5 * gain / spread } else { 0.0 }
    }

    /// A place with the other coordinates nearer to their least cost, by the slopes at the best place.
    pub(super) fn corrected(&self, i: usize, place: &[f64], residuals: &[f64]) -> Vec<f64> {
        let movable: Vec<usize> = (0..place.len()).filter(|&j| j != i && !self.lost[j]).collect();
        let columns: Vec<Vec<f64>> = movable.iter().map(|&j| self.slopes[j].clone()).collect();
        let (inverse, _) = Symmetric::gram(&columns).inverse();
        let gradient: Vec<f64> = columns.iter().map(|slope| dot(slope, residuals)).collect();
        let step = inverse.times(&gradient);
        let mut place = place.to_vec();
        for (&j, step) in movable.iter().zip(step) {
            place[j] = (place[j] - step).clamp(0.0, 1.0);
        }
        place
    }

    /// The standard error of a coordinate; infinite if the data know nothing of it. Where the profile is much wider than the valley in
    /// which the best place lies, its width counts: the valley is one of many.
    pub(crate) fn standard_error(&self, i: usize) -> f64 {
        if self.lost[i] {
            return f64::INFINITY;
        }
        let near = self.covariance.at(i, i).sqrt();
        let [low, high] = self.intervals[i];
        let wide = 0.5 * (high - low) / self.quantile;
        if wide > 1.5 * near { wide } else { near }
    }
}

/// Slopes are first measured over this distance.
const FIRST_REACH: f64 = 5e-4;
/// Where the squares of the slopes on both sides of a place differ by more than this factor, the residuals jump on one of them.
const JUMP: f64 = 4.0;

impl Search<'_, '_> {
    /// What a fit knows, with intervals by its covariance. Where finer slopes lead to a better place, the fit moves there. Where the budget is
    /// used up, the slopes are those that are known of a place nearby.
    pub(crate) fn judge(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        fit: &mut Fit,
        nearby: Option<&Judged>,
    ) -> Result<Judged, Failed> {
        let n = fit.place.len();
        let mut reach = vec![FIRST_REACH; n];
        let mut judged = match self.judge_with(law, aim, fit, &reach) {
            Err(Failed::Stopped(Stop::Budget)) => {
                let nothing = || vec![vec![0.0; fit.residuals.len()]; n];
                let slopes = nearby.map_or_else(nothing, |judged| judged.slopes.clone());
                let lacks = if nearby.is_some() { Lack::Slopes } else { Lack::Everything };
                return Ok(Judged { lacks, ..judged(aim, fit, slopes) });
            }
            judged => judged?,
        };
        // Slopes over about half of a standard error, which is where they matter.
        let mut again = false;
        for i in 0..n {
            let slope = &judged.slopes[i];
            let spread = dot(&judged.image(aim, slope), slope).max(0.0).sqrt();
            let own = dot(slope, slope);
            let alone = if own > 0.0 { spread / own } else { f64::INFINITY };
            let wanted = (0.5 * alone).clamp(2e-5, 0.02);
            if wanted / reach[i] > 4.0 || reach[i] / wanted > 4.0 {
                reach[i] = wanted;
                again = true;
            }
        }
        // With slopes over that distance the best place may lie elsewhere.
        let least = reach.iter().copied().fold(FIRST_REACH, f64::min);
        let start = vec![fit.place.clone()];
        // The descent leaves the runs for the slopes at its end.
        let limit = self.trials.budget;
        self.trials.budget = limit.saturating_sub(2 * n);
        let better = self.descend_from(law, aim, start, How::raw(least, 10));
        self.trials.budget = limit;
        if let Some(better) = better?
            && better.cost() < fit.cost()
        {
            *fit = better;
            again = true;
        }
        if again {
            judged = match self.judge_with(law, aim, fit, &reach) {
                Err(Failed::Stopped(Stop::Budget)) => {
                    Judged { lacks: Lack::Slopes, ..self::judged(aim, fit, judged.slopes) }
                }
                judged => judged?,
            };
        }
        Ok(judged)
    }

    fn judge_with(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        fit: &mut Fit,
        reach: &[f64],
    ) -> Result<Judged, Failed> {
        let n = fit.place.len();
        let mut places = Vec::with_capacity(2 * n);
        for i in 0..n {
            for side in [-1.0, 1.0] {
                let mut place = fit.place.clone();
                place[i] = (place[i] + side * reach[i]).clamp(0.0, 1.0);
                places.push(place);
            }
        }
        let outputs = self.outputs(law, aim, &places)?;
        let residuals: Vec<Option<Vec<f64>>> =
            outputs.iter().map(|o| o.as_ref().map(|o| aim.residuals(o, 1))).collect();
        let mut slopes = Vec::with_capacity(n);
        for i in 0..n {
            let here = (Some(&fit.residuals), fit.place[i]);
            let low = (residuals[2 * i].as_ref(), places[2 * i][i]);
            let high = (residuals[2 * i + 1].as_ref(), places[2 * i + 1][i]);
            let between = |(a, x): (Option<&Vec<f64>>, f64), (b, y): (Option<&Vec<f64>>, f64)| {
                let (a, b) = (a?, b?);
                (y > x)
                    .then(|| a.iter().zip(b).map(|(a, b)| (b - a) / (y - x)).collect::<Vec<f64>>())
            };
            let both = between(low, high);
            let sides = [between(here, high), between(low, here)];
            let [above, below] = [0, 1].map(|i| sides[i].as_ref().map(|slope| dot(slope, slope)));
            // From one side where the other has no run, is beyond a bound, or is where an impact jumps.
            let slope = match (above, below) {
                (Some(above), Some(below)) if below > 0.0 && above > JUMP * below => {
                    sides[1].clone()
                }
                (Some(above), Some(below)) if above > 0.0 && below > JUMP * above => {
                    sides[0].clone()
                }
                _ => both.or_else(|| sides.into_iter().flatten().next()),
            };
            slopes.push(slope.unwrap_or_else(|| vec![0.0; fit.residuals.len()]));
        }
        Ok(judged(aim, fit, slopes))
    }

    /// Intervals of 95 % by the profile: each coordinate is moved until the cost, least in all others, has risen by what the noise
    /// explains, which near the best place agrees with the covariance. Returns a better fit, if the profile met one.
    pub(crate) fn profile(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        fit: &Fit,
        judged: &mut Judged,
    ) -> Result<Option<Fit>, Failed> {
        if judged.lacks == Lack::Everything {
            return Ok(None);
        }
        let place = match self.ends_of_intervals(law, aim, fit, judged) {
            // The intervals of the covariance stay.
            Err(Failed::Stopped(Stop::Budget)) => {
                judged.lacks = Lack::Profile;
                return Ok(None);
            }
            place => place?,
        };
        let Some(place) = place else { return Ok(None) };
        let better = self.descend_from(law, aim, vec![place], How::raw(2e-4, 15))?;
        Ok(better.filter(|better| better.cost() < fit.cost()))
    }

    fn ends_of_intervals(
        &mut self,
        law: Option<&str>,
        aim: &Aim,
        fit: &Fit,
        judged: &mut Judged,
    ) -> Result<Option<Vec<f64>>, Failed> {
        let n = fit.place.len();
        let mut sides: Vec<Side> = Vec::new();
        for i in 0..n {
            for direction in [-1.0, 1.0] {
                sides.push(Side::new(i, direction, fit, judged));
            }
        }
        let least = fit.cost();
        let mut better: Option<(f64, Vec<f64>)> = None;
        for _ in 0..5 {
            let open: Vec<usize> = (0..sides.len()).filter(|&s| !sides[s].is_done()).collect();
            if open.is_empty() {
                break;
            }
            let mut places: Vec<Vec<f64>> =
                open.iter().map(|&s| sides[s].place(fit, judged)).collect();
            let mut costs = vec![f64::INFINITY; open.len()];
            let mut rises = vec![f64::INFINITY; open.len()];
            // Twice nearer to the least cost in the other coordinates.
            for round in 0..3 {
                let outputs = self.outputs(law, aim, &places)?;
                for (j, (&s, output)) in open.iter().zip(&outputs).enumerate() {
                    let Some(output) = output else { continue };
                    let residuals = aim.residuals(output, 1);
                    let cost = dot(&residuals, &residuals);
                    if cost < better.as_ref().map_or(least, |(best, _)| *best) {
                        better = Some((cost, places[j].clone()));
                    }
                    if cost < costs[j] {
                        costs[j] = cost;
                        let apart: Vec<f64> =
                            residuals.iter().zip(&fit.residuals).map(|(a, b)| a - b).collect();
                        rises[j] = judged.distance(aim, cost - least, &apart);
                        sides[s].others.clone_from(&places[j]);
                        if round < 2 {
                            places[j] =
                                judged.corrected(sides[s].coordinate, &places[j], &residuals);
                        }
                    }
                }
            }
            for (&s, rise) in open.iter().zip(rises) {
                sides[s].take(rise, judged.quantile);
            }
        }
        for side in sides {
            let end = usize::from(side.direction > 0.0);
            let i = side.coordinate;
            judged.intervals[i][end] =
                (fit.place[i] + side.direction * side.distance).clamp(0.0, 1.0);
            judged.ends[i][end] = !side.at_bound;
        }
        // What is better by less than a twentieth of a standard error is not worth another search.
        let variance = judged.noise.iter().map(|noise| noise.variance).fold(0.0, f64::max);
        Ok(better.filter(|(cost, _)| least - cost > 2.5e-3 * variance).map(|(_, place)| place))
    }
}

/// Covariance and noise by these slopes.
fn judged(aim: &Aim, fit: &Fit, slopes: Vec<Vec<f64>>) -> Judged {
    let n = slopes.len();
    let columns = aim.columns(&fit.residuals);
    let split: Vec<Vec<&[f64]>> = slopes.iter().map(|slope| aim.columns(slope)).collect();
    let mut noise = Vec::with_capacity(columns.len());
    let mut meat = Symmetric::zero(n);
    let mut freedom = 0.0;
    for (c, column) in aim.sampler.columns.iter().enumerate() {
        let own: Vec<&[f64]> = split.iter().map(|slope| slope[c]).collect();
        let residuals = Residuals { rows: &column.rows, values: columns[c], slopes: own.clone() };
        let found = residuals.noise(&column.correlation);
        for i in 0..n {
            let image = found.correlation.times(&column.rows, own[i]);
            for j in 0..=i {
                meat.add(i, j, found.variance * dot(&image, own[j]));
            }
        }
        freedom += match found.correlation {
            Correlation::White | Correlation::Filtered { .. } => column.rows.len() as f64,
            Correlation::Fading { .. } => found.effective,
        };
        noise.push(found);
    }
    let (naive, lost) = Symmetric::gram(&slopes).inverse();
    let mut covariance = Symmetric::zero(n);
    for i in 0..n {
        let row: Vec<f64> = (0..n).map(|j| naive.at(i, j)).collect();
        let through = meat.times(&row);
        for j in 0..=i {
            let other: Vec<f64> = (0..n).map(|k| naive.at(j, k)).collect();
            covariance.set(i, j, dot(&through, &other));
        }
    }
    let quantile = student(freedom - n as f64);
    let intervals = (0..n).map(|i| {
        let half = if lost[i] { 1.0 } else { quantile * covariance.at(i, i).sqrt() };
        [-half, half].map(|half| (fit.place[i] + half).clamp(0.0, 1.0))
    });
    let intervals: Vec<[f64; 2]> = intervals.collect();
    let ends = intervals.iter().map(|[low, high]| [*low > 0.0, *high < 1.0]).collect();
    let (lacks, valleys) = (Lack::Nothing, vec![Vec::new(); n]);
    Judged { slopes, covariance, naive, lost, noise, quantile, intervals, ends, valleys, lacks }
}

/// One end of an interval that is looked for.
struct Side {
    coordinate: usize,
    direction: f64,
    /// The distance of the end from the best value, as known so far.
    distance: f64,
    /// The next distance to try; `None` when the end is known.
    next: Option<f64>,
    /// The nearest distance at which the rise was too large, and the farthest at which it was too small, with the rises.
    beyond: Option<(f64, f64)>,
    within: (f64, f64),
    /// The room up to the bound.
    room: f64,
    at_bound: bool,
    /// The place with the least cost that was found for the last distance.
    others: Vec<f64>,
}

impl Side {
    fn new(coordinate: usize, direction: f64, fit: &Fit, judged: &Judged) -> Self {
        let x = fit.place[coordinate];
        let room = if direction > 0.0 { 1.0 - x } else { x };
        let error = judged.standard_error(coordinate);
        let known = error.is_finite() && error > 0.0;
        let distance = if known { (judged.quantile * error).min(room) } else { room };
        // Nothing to look for where nothing depends on it, or no room is left.
        let search = room > 0.0 && known;
        Side {
            coordinate,
            direction,
            distance,
            next: search.then_some(distance),
            beyond: None,
            within: (0.0, 0.0),
            room,
            at_bound: !search,
            others: Vec::new(),
        }
    }

    fn is_done(&self) -> bool {
        self.next.is_none()
    }

    /// The place to try: the others where they would be if all were linear.
    fn place(&self, fit: &Fit, judged: &Judged) -> Vec<f64> {
        let i = self.coordinate;
        let step = self.direction * self.next.unwrap_or(self.distance);
        let own = judged.naive.at(i, i);
        let follow = |j: usize| if own > 0.0 { judged.naive.at(i, j) / own * step } else { 0.0 };
        (0..fit.place.len())
            .map(|j| if j == i { fit.place[i] + step } else { fit.place[j] + follow(j) })
            .map(|x| x.clamp(0.0, 1.0))
            .collect()
    }

    /// The cost has risen by this many standard deviations at the tried distance.
    fn take(&mut self, rise: f64, wanted: f64) {
        let tried = self.next.unwrap_or(self.distance);
        if rise >= wanted {
            self.beyond = Some((tried, rise));
        } else {
            self.within = (tried, rise);
        }
        self.distance = tried;
        if (rise / wanted - 1.0).abs() < 0.03 {
            self.next = None;
            return;
        }
        if rise < wanted && tried >= self.room {
            self.at_bound = true;
            self.next = None;
            return;
        }
        let next = match self.beyond {
            // By linear interpolation between a distance that is too small and one that is too
            // large.
            Some((far, high)) if high.is_finite() => {
                let (near, low) = self.within;
                let part = (wanted - low) / (high - low);
                near + part.clamp(0.05, 0.95) * (far - near)
            }
            Some((far, _)) => 0.5 * (self.within.0 + far),
            None => tried * (wanted / rise.max(1e-3)).clamp(1.1, 4.0),
        };
        self.distance = next.min(self.room);
        self.next = Some(self.distance);
    }
}
