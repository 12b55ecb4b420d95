//! Finds the first event of a step: samples of the guards show a crossing, or only bounds on the
//! guards reveal one, or there is none.

use super::Flight;
use crate::guard::{Root, TOUCH};
use crate::record::Wanted;
use crate::stepper::{Frozen, Stepper};
use crate::vector::all_finite;
use crate::{Crossing, Enclosure, Fault, Recorder, Stats, Stretch, Survey, System, Vector};

/// At most this many steps are taken to place one event at the zero of its guard.
const MAX_POLISH: usize = 16;

/// A slope that was computed too far from the event is computed again between its place and this
/// fraction of it.
const NEARBY: f64 = 1.0 - 1e-5;

/// A step to an event has missed it if it leaves its guard farther from zero than this fraction of its range in the step.
const MISSED: f64 = 1e-4;

/// The same for a guard that may not be beyond zero.
const MISSED_BOUND: f64 = 1e-9;

/// The result of the inspection of a step.
pub(super) enum Found {
    /// No event.
    Nothing,
    /// An event; the step to it has this size and has been taken.
    Event(f64),
    /// An event, but the step to it has this mean square error, above 1.
    TooCoarse(f64),
    /// Whether there is an event can only be decided for a step of this size.
    TooLong(f64),
}

/// The result of a survey of a step.
enum Surveyed {
    /// No guard is beyond its zero.
    Clear,
    /// One is at the second of these places, and none up to the first.
    Crossed([f64; 2]),
    /// No guard is beyond its zero up to this place; surveying the rest would cost more than
    /// another step.
    ClearUntil(f64),
}

/// At most this many intervals of one step are examined.
const MAX_LOOKS: usize = 500;

/// An interval shorter than this fraction of the step is not divided.
const SHORTEST_LOOK: f64 = 1e-9;

impl<S, T, R> Flight<'_, S, T, R>
where
    S: System,
    T: Stepper<S::State>,
    R: Recorder<S>,
{
    /// Whether no guard comes near zero in the step just tried, as far as is known without dense output.
    #[inline]
    pub(super) fn is_quiet(&mut self, stats: &mut Stats, h: f64) -> bool {
        let problem = frozen!(self, stats);
        let n = problem.coupled(self.stepper.end());
        let far = if self.watch.has_many() {
            // Most guards are decided by the ends and the bows of the coordinates alone, and need no look (bench B7).
            self.stepper.sketch(h, 0..self.system.surveyed(&self.mode));
            let (system, mode, stepper) = (self.system, &self.mode, &self.stepper);
            let bow = |component| stepper.bow(component);
            if !self.watch.doubts_by_ends(|guard, ends| system.stays(guard, ends, &bow, mode)) {
                return false;
            }
            self.parts.clear(n);
            if !self.watch.open().is_empty() {
                system.components(self.watch.open(), mode, &mut self.parts);
            }
            let parts = self.parts.ranges();
            for part in parts {
                self.stepper.sketch(h, part.clone());
            }
            let (t, stepper, work) = (self.t, &self.stepper, &mut self.work);
            self.watch.doubts_by_sketch(T::NODE_STRIDE, h, |theta, sign, which, g| {
                for part in parts {
                    let inside = &mut work.as_mut_slice()[part.clone()];
                    stepper.sketched(theta, sign, part.start, inside);
                }
                problem.some_guards(t + theta * h, work, which, g);
            })
        } else {
            self.watch.doubt_all();
            if !self.watch.ends_far() {
                return false;
            }
            self.stepper.sketch(h, 0..n);
            let (t, stepper, work) = (self.t, &self.stepper, &mut self.work);
            self.watch.stays_far(T::NODE_STRIDE, h, |theta, sign, g| {
                stepper.sketched(theta, sign, 0, &mut work.as_mut_slice()[..n]);
                problem.guards(t + theta * h, work, g);
            })
        };
        far && matches!(self.survey(stats, h, 1.0, true), Surveyed::Clear)
    }

    /// Surveys the step just tried up to a fraction of it, in intervals over which the system can
    /// enclose its guards.
    fn survey(&mut self, stats: &mut Stats, h: f64, until: f64, sketch: bool) -> Surveyed {
        if self.system.surveyed(&self.mode) == 0 {
            return Surveyed::Clear;
        }
        let slack = self.options.slack.max(self.watch.greatest_rounding());
        let (mut from, mut length) = (0.0, until);
        for _ in 0..MAX_LOOKS {
            let to = if from + length >= until { until } else { from + length };
            let stepper = &self.stepper;
            let stretch = Stretch {
                t: Enclosure::between([self.t + from * h, self.t + to * h]),
                enclose: &|first, y| stepper.enclose([from, to], sketch, first, y),
                proven: self.watch.proven(),
            };
            stats.surveys += 1;
            let found = self.system.survey(&stretch, slack, &self.mode, &mut self.scratch);
            match found {
                Survey::Crossed => return Surveyed::Crossed([from, 0.5 * (from + to)]),
                Survey::Doubtful if to - from > SHORTEST_LOOK => length = 0.5 * (to - from),
                Survey::Clear | Survey::Doubtful => {
                    if to == until {
                        return Surveyed::Clear;
                    }
                    (from, length) = (to, 2.0 * (to - from));
                }
            }
        }
        Surveyed::ClearUntil(from)
    }

    /// Looks for an event in the step just tried. If there is one, takes the step to it.
    #[inline]
    pub(super) fn inspect(
        &mut self,
        stats: &mut Stats,
        fired: &mut Vec<Crossing>,
        h: f64,
    ) -> Result<Found, Fault> {
        if self.quiet {
            return Ok(Found::Nothing);
        }
        let problem = frozen!(self, stats);
        let (t, stepper, work) = (self.t, &self.stepper, &mut self.work);
        let (system, mode, parts) = (self.system, &self.mode, &mut self.parts);
        let n = problem.coupled(work);
        let mut eval = |theta: f64, which: &[usize], g: &mut S::Guards| {
            if theta == 1.0 {
                problem.some_guards(t + h, stepper.end(), which, g);
            } else {
                parts.clear(n);
                system.components(which, mode, parts);
                for part in parts.ranges() {
                    let inside = &mut work.as_mut_slice()[part.clone()];
                    stepper.interpolate(theta, part.start, inside);
                }
                problem.some_guards(t + theta * h, work, which, g);
            }
        };
        let resolution = f64::EPSILON * (t.abs().max((t + h).abs()) / h).max(1.0);
        let trigger = |guard| self.system.trigger(guard, &self.mode);
        let mut root = None;
        if !self.watch.sample(T::NODE_STRIDE, &mut eval) {
            let found = self.watch.search(T::NODE_STRIDE, resolution, trigger, fired, &mut eval);
            root = found.map_err(|guard| Fault::NonFiniteGuard { t, guard })?;
        }
        // An event that samples do not show.
        match self.survey(stats, h, root.map_or(1.0, |root| root.theta), false) {
            Surveyed::Crossed(places) => {
                root = self.search_between(stats, h, places, fired).or(root);
            }
            Surveyed::ClearUntil(part) if part > 0.0 => return Ok(Found::TooLong(part * h)),
            Surveyed::Clear | Surveyed::ClearUntil(_) => {}
        }
        match root {
            None => Ok(Found::Nothing),
            Some(root) => self.step_to(stats, fired, h, root),
        }
    }

    /// The first event between two places of the step just tried, at the second of which a guard is beyond its zero.
    #[cold]
    fn search_between(
        &mut self,
        stats: &mut Stats,
        h: f64,
        places: [f64; 2],
        fired: &mut Vec<Crossing>,
    ) -> Option<Root> {
        let problem = frozen!(self, stats);
        let (t, stepper, work) = (self.t, &self.stepper, &mut self.work);
        let (system, mode, parts) = (self.system, &self.mode, &mut self.parts);
        let n = problem.coupled(work);
        let resolution = f64::EPSILON * (t.abs().max((t + h).abs()) / h).max(1.0);
        let trigger = |guard| self.system.trigger(guard, &self.mode);
        self.watch.search_between(places, resolution, trigger, fired, |theta, which, g| {
            parts.clear(n);
            system.components(which, mode, parts);
            for part in parts.ranges() {
                let inside = &mut work.as_mut_slice()[part.clone()];
                stepper.interpolate(theta, part.start, inside);
            }
            problem.some_guards(t + theta * h, work, which, g);
        })
    }

    /// Takes an actual step to the event that was found on the dense output, and corrects its size until the
    /// guard is zero there: the state at the event has the accuracy of a step, not that of the interpolant.
    /// The step that was tried may pass the error test by chance if it runs over a kink at the
    /// event, so the step to the event must pass it too.
    #[cold]
    #[inline(never)]
    fn step_to(
        &mut self,
        stats: &mut Stats,
        fired: &mut [Crossing],
        h: f64,
        root: Root,
    ) -> Result<Found, Fault> {
        let Root { mut theta, guard, mut slope, range } = root;
        // A guard that may not be beyond zero must be zero to within its rounding; for other guards
        // the last digits do not matter.
        let bound = self.system.trigger(guard, &self.mode).home().is_some();
        let rounding = match self.watch.rounding(guard) {
            _ if !bound => f64::INFINITY,
            Some(rounding) => rounding,
            None => TOUCH * range,
        };
        let begin = if bound { 0.5 * root.theta } else { 0.0 };
        let problem = frozen!(self, stats);
        // Only the guards that fire are read: the others need not be computed in every trial (bench B7).
        let (t, stepper) = (self.t, &mut self.stepper);
        let (which, values) = self.watch.fired_and_probe(fired);
        let admitted = &self.admitted;
        if theta == 0.0 {
            problem.some_guards(t, stepper.start(), which, values);
        } else {
            let mut step = |theta: f64| {
                stepper.advance(problem, t, theta * h, admitted)?;
                problem.project(t + theta * h, stepper.end_mut())?;
                problem.some_guards(t + theta * h, stepper.end(), which, values);
                Ok(values.as_slice()[guard])
            };
            let mut value = step(theta)?;
            let mut stands_at_best = true;
            for _ in 0..MAX_POLISH {
                let correction = -value / slope;
                let mut next = (theta + correction).min(1.0);
                let resolution = f64::EPSILON * (t + theta * h).abs();
                // A correction that is not a number, or leaves the step, means that the guard
                // hardly crosses, or that the slope was computed too far away: then it is computed
                // again nearby. The start of the step may be a zero too, but not the right one.
                let sensible = correction.abs() < 0.1 && next > begin && next != theta;
                if !sensible && value.abs() > rounding {
                    next = theta * NEARBY;
                } else if !sensible || (correction * h).abs() <= resolution {
                    break;
                }
                let next_value = step(next)?;
                slope = (next_value - value) / (next - theta);
                if next_value.abs() > value.abs() {
                    stands_at_best = false;
                    if value.abs() <= rounding {
                        break; // only rounding is left
                    }
                    continue; // the slope was too inaccurate; use the secant between both
                }
                (theta, value, stands_at_best) = (next, next_value, true);
            }
            if !stands_at_best {
                step(theta)?; // go back and stay
            }
            // No better result is possible near the resolution of time.
            let resolved = MISSED * h > 1e3 * f64::EPSILON * t.abs();
            let limit =
                if bound { (MISSED_BOUND * range).max(4.0 * rounding) } else { MISSED * range };
            if resolved && value.abs() > limit {
                return Ok(Found::TooCoarse(f64::INFINITY)); // only the dense output crosses there
            }
        }
        let values = self.watch.probe();
        for crossing in fired {
            crossing.value = values.as_slice()[crossing.guard];
        }
        if theta > 0.0 {
            let problem = frozen!(self, stats);
            let error = self.stepper.error(problem, t, theta * h, &self.admitted)?;
            let error = if all_finite(self.stepper.end()) { error } else { f64::NAN };
            if !(error <= 1.0) {
                return Ok(Found::TooCoarse(error));
            }
            let t1 = (t + theta * h).min(self.bound);
            let wanted = if R::DENSE { self.recorder.wants_dense(t1) } else { Wanted::Nothing };
            if wanted != Wanted::Nothing {
                self.stepper.end_slope(problem, t, theta * h)?;
                self.parts.clear(Self::wanted_count(wanted, problem, self.stepper.end()));
                self.parts.add_all();
                self.stepper.prepare_dense(problem, t, theta * h, self.parts.ranges())?;
            }
        }
        self.course.rate = slope / h;
        Ok(Found::Event(theta * h))
    }
}
