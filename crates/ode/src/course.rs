//! The memory of a run from step to step, and the tests that end a run that cannot succeed.
//!
//! Step sizes, the last events and the pace: plain numbers that a checkpoint keeps. This module
//! contains neither the state nor the method.

use serde::{Deserialize, Serialize};

use crate::control::LN_ERROR_FLOOR;
use crate::exact;
use crate::{Crossing, Fault, Stats};

/// Events closer together than this fraction of the time count as immediate: changes of a guard
/// between them nearly vanish in rounding. A guard that fires twice immediately accumulates.
const ZENO: f64 = 1e3 * f64::EPSILON;

/// At most this many events of different guards may follow each other immediately.
const MAX_CASCADE: usize = 100;

/// At most this many events of one guard may follow each other immediately if the guard cannot be missed, because it may not be
/// beyond zero or fires both ways. An excursion may be too short to be resolved in time and the next one longer, or rounding of
/// the state may take the guard back across its zero.
const MAX_REPEATS: usize = 20;

/// After this many immediate events the step length is assumed to be the reason.
const CASCADE: usize = 8;

/// After an event that immediately follows one of the same guard, a step is at most this fraction of the last.
const SHORTER: f64 = 0.1;

/// The pace is checked every this many steps, accepted and rejected: a fraction of a second of work.
const WINDOW: usize = 20_000;

/// A run stalls if `max_steps` steps at its pace would cover less than this fraction of its span.
///
/// With `max_steps` = 10⁷ this is a mean step below 10⁻¹² of the span, kept up for 20 000 steps: such a run needs
/// more than 10¹² steps to its end, 10⁵ times the limit. Steps that begin small and grow, as after
/// an event, pass from 10⁻¹⁵ to 10⁻³ of the span in some tens of steps, far fewer than the 20 000
/// of the window. A span that only serves as an upper bound, because an event will end the run, may
/// be 10⁵ times too long; a larger `max_steps` allows even more.
const FEASIBLE: f64 = 1e-5;

/// This many events of the same guard in a row are chatter if they advance by less than [`CHATTER_ADVANCE`].
const CHATTER: usize = 1000;

/// Fraction of the span by which [`CHATTER`] events must advance.
///
/// At 10⁻⁹ of the span from one event to the next the run would see 10⁹ events of one guard, each at the price of
/// at least two steps: 200 times the `max_steps` allowed by default. Accumulating bounces are this
/// slow when a flight lasts 10⁻⁹ of the span and the ratio of flights is above 0.99; they end in
/// [`Fault::Chatter`] instead of [`Fault::ZenoEvents`].
const CHATTER_ADVANCE: f64 = 1e-6;

/// The memory of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Course {
    /// The next step.
    #[serde(with = "exact")]
    pub(crate) h: f64,
    /// Logarithm of the error of the last accepted step.
    #[serde(with = "exact")]
    pub(crate) ln_error: f64,
    /// Bound of the step after an event: the time between the last two events.
    #[serde(with = "exact")]
    pub(crate) reach: f64,
    #[serde(with = "exact")]
    previous_event: f64,
    /// The times between the last events, the latest first.
    #[serde(with = "exact::vector")]
    intervals: [f64; 4],
    /// The rate at which the guard crosses zero at the event found last.
    #[serde(with = "exact")]
    pub(crate) rate: f64,
    /// The rates at the last events, the latest first.
    #[serde(with = "exact::vector")]
    rates: [f64; 4],
    /// The first guard of the previous event.
    previous_guard: Option<usize>,
    /// The number of immediate events in a row, and how many of them had the same guard as the
    /// previous one.
    cascade: usize,
    at_once: usize,
    /// The number of immediate crossings in a row without effect, and the time of the last.
    idle: usize,
    #[serde(with = "exact")]
    idle_at: f64,
    /// The number of events in a row in which the previous guard fired, and the time of the first.
    repeats: usize,
    #[serde(with = "exact")]
    repeats_from: f64,
    /// The number of steps and the time at the last check of the pace.
    window_steps: usize,
    #[serde(with = "exact")]
    window_from: f64,
    /// Beginning of the run.
    #[serde(with = "exact")]
    start: f64,
}

impl Course {
    /// Before the first step of a run over this span.
    pub(crate) fn new(start: f64, end: f64) -> Self {
        Course {
            h: 0.0,
            ln_error: LN_ERROR_FLOOR,
            reach: end - start,
            previous_event: start,
            intervals: [0.0; 4],
            rate: 0.0,
            rates: [0.0; 4],
            previous_guard: None,
            cascade: 0,
            at_once: 0,
            idle: 0,
            idle_at: start,
            repeats: 0,
            repeats_from: start,
            window_steps: 0,
            window_from: start,
            start,
        }
    }

    /// The number of steps at which [`judge`](Course::judge) is due.
    #[inline]
    pub(crate) fn judged_at(&self, max_steps: usize) -> usize {
        max_steps.min(self.window_steps + WINDOW)
    }

    /// Checks whether the run can reach its end in a feasible number of steps. It does not know
    /// which component keeps the steps small: its faults have component 0.
    #[cold]
    pub(crate) fn judge(
        &mut self,
        stats: &Stats,
        max_steps: usize,
        t: f64,
        t_end: f64,
    ) -> Result<(), Fault> {
        let steps = stats.accepted + stats.rejected;
        if steps >= max_steps {
            return Err(Fault::TooManySteps { t, steps: max_steps, component: 0 });
        }
        let advanced = t - self.window_from;
        let windows = max_steps as f64 / WINDOW as f64;
        if advanced * windows.max(1.0) < FEASIBLE * (t_end - self.start) {
            let steps = steps - self.window_steps;
            return Err(Fault::Stalled { t, steps, advanced, component: 0 });
        }
        (self.window_steps, self.window_from) = (steps, t);
        Ok(())
    }

    /// Records an event at `t`, and whether its guards can be missed. The step after it is no
    /// longer than the time since the previous event, unless both coincide.
    pub(crate) fn event(
        &mut self,
        fired: &[Crossing],
        can_be_lost: bool,
        t: f64,
        t_end: f64,
    ) -> Result<(), Fault> {
        let (since, guard) = (t - self.previous_event, fired[0].guard);
        let again = fired.iter().any(|crossing| Some(crossing.guard) == self.previous_guard);
        self.intervals.rotate_right(1);
        self.rates.rotate_right(1);
        (self.intervals[0], self.rates[0]) = (since, self.rate);
        if since > ZENO * t.abs() {
            self.reach = since;
            (self.cascade, self.at_once) = (0, 0);
        } else {
            self.cascade += 1;
            self.at_once += usize::from(again);
            if again || self.cascade > CASCADE {
                self.shorten(t_end);
            }
            let repeats = if can_be_lost { 0 } else { MAX_REPEATS };
            if self.cascade > MAX_CASCADE || self.at_once > repeats {
                let (events, intervals, rates) = (self.cascade, self.intervals, self.rates);
                return Err(Fault::ZenoEvents { t, guard, events, intervals, rates });
            }
        }
        if again {
            self.repeats += 1;
        } else {
            (self.repeats, self.repeats_from) = (0, t);
        }
        if self.repeats == CHATTER {
            let advanced = t - self.repeats_from;
            if advanced < CHATTER_ADVANCE * (t_end - self.start) {
                return Err(Fault::Chatter { t, guard, events: CHATTER, advanced });
            }
            (self.repeats, self.repeats_from) = (0, t);
        }
        (self.previous_event, self.previous_guard) = (t, Some(guard));
        Ok(())
    }

    /// Shortens the next step, because this one was too long to decide on which side of zero a
    /// guard continues.
    fn shorten(&mut self, t_end: f64) {
        let least = f64::EPSILON * (t_end - self.start);
        self.reach = (SHORTER * self.reach.min(self.h)).max(least);
    }

    /// How many crossings without effect have followed the first one at this time.
    pub(crate) fn idle_at(&self, t: f64) -> usize {
        if self.idle_at == t { self.idle } else { 0 }
    }

    /// Records a crossing at `t` without effect. Rounding may cause several of them in immediate
    /// succession, but not endlessly; after many of them the next step is shorter.
    pub(crate) fn no_event(&mut self, fired: &[Crossing], t: f64, t_end: f64) -> Result<(), Fault> {
        let at_once = t - self.idle_at <= ZENO * t.abs();
        (self.idle, self.idle_at) = (if at_once { self.idle + 1 } else { 0 }, t);
        if self.idle > CASCADE {
            self.shorten(t_end);
        }
        if self.idle > MAX_CASCADE {
            let (events, intervals, rates) = (self.idle, self.intervals, self.rates);
            return Err(Fault::ZenoEvents { t, guard: fired[0].guard, events, intervals, rates });
        }
        Ok(())
    }
}
