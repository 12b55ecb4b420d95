//! The only time loop: step, locate, transition, record.

use std::ops::Range;

use crate::control::{LN_ERROR_FLOOR, first_step};
use crate::guard::{Root, Watch};
use crate::record::{Event, Segment};
use crate::stepper::{Admitted, Frozen, Method, Stepper};
use crate::vector::first_non_finite;
use crate::{Crossing, Effect, Fault, Options, Outcome, Recorder, Run, Stats, System, Vector};

/// Integrates `system` by `method` from the state `y0` and the mode `mode0` over the time span, and reports
/// every accepted step and every event to `recorder`.
///
/// Memory is allocated before the first step, and once more where a guard first comes near zero; no step and no
/// event allocates.
///
/// # Panics
///
/// When [`System::guard_count`] is not the length of an array [`System::Guards`].
pub fn drive<S, M, R>(
    system: &S,
    method: M,
    y0: S::State,
    mode0: S::Mode,
    span: Range<f64>,
    options: &Options,
    recorder: &mut R,
) -> Run<S>
where
    S: System,
    M: Method,
    R: Recorder<S>,
{
    let len = y0.as_slice().len();
    let mut stats = Stats::default();
    let mut fired = Vec::new();
    let admitted = options.check().and_then(|()| Admitted::new(&options.tolerance, len));
    let mut flight = Flight {
        system,
        options,
        recorder,
        admitted: match admitted {
            Ok(admitted) => admitted,
            Err(fault) => {
                return Run {
                    t: span.start,
                    y: y0,
                    mode: mode0,
                    outcome: Outcome::Failed { fault, t: span.start },
                    stats,
                };
            }
        },
        stepper: method.stepper(y0),
        watch: Watch::new(system.guard_count()),
        work: S::State::zeros(len),
        mode: mode0,
        t: span.start,
        t_end: span.end,
        h: 0.0,
        ln_error: LN_ERROR_FLOOR,
        previous_event: span.start,
        previous_guard: None,
        cascade: 0,
        reach: span.end - span.start,
    };
    let outcome = flight.run(&mut stats, &mut fired);
    let t = flight.t;
    Run {
        t,
        outcome: match outcome {
            Ok(End::Reached) => Outcome::ReachedEnd,
            Ok(End::Stopped) => Outcome::Stopped { fired, t },
            Err(fault) => Outcome::Failed { fault, t },
        },
        y: flight.stepper.into_start(),
        mode: flight.mode,
        stats,
    }
}

/// Events closer together than this fraction of the time follow at once: what a guard does between them is
/// about to vanish in rounding. A guard that fires twice at once accumulates.
const ZENO: f64 = 1e3 * f64::EPSILON;

/// So many events of different guards may follow each other at once.
const MAX_CASCADE: usize = 100;

/// At most so many steps are taken to put one event onto the zero of its guard.
const MAX_POLISH: usize = 8;

enum End {
    Reached,
    Stopped,
}

/// What the inspection of a step found.
enum Found {
    /// No event.
    Nothing,
    /// An event; the step to it has this size and is taken.
    Event(f64),
    /// An event, but the step to it has this mean square error, above 1.
    TooCoarse(f64),
}

/// One run under way.
struct Flight<'a, S: System, T, R> {
    system: &'a S,
    options: &'a Options,
    recorder: &'a mut R,
    admitted: Admitted<S::State>,
    stepper: T,
    watch: Watch<S::Guards>,
    work: S::State,
    mode: S::Mode,
    t: f64,
    t_end: f64,
    /// The next step.
    h: f64,
    /// Logarithm of the error of the last accepted step.
    ln_error: f64,
    previous_event: f64,
    /// The first guard of the previous event.
    previous_guard: Option<usize>,
    /// The number of events that followed each other at once.
    cascade: usize,
    /// Bound of the step after an event.
    reach: f64,
}

/// Borrows the problem with its mode frozen, leaving the rest of the flight free.
macro_rules! frozen {
    ($flight:ident, $stats:ident) => {
        &mut Frozen { system: $flight.system, mode: &$flight.mode, stats: $stats }
    };
}

impl<S, T, R> Flight<'_, S, T, R>
where
    S: System,
    T: Stepper<S::State>,
    R: Recorder<S>,
{
    #[inline]
    fn run(&mut self, stats: &mut Stats, fired: &mut Vec<Crossing>) -> Result<End, Fault> {
        if !(self.reach >= 0.0 && self.reach.is_finite()) {
            let (name, value) = ("length of the time span", self.reach);
            return Err(Fault::Setting { name, value });
        }
        self.recorder.start(self.t, self.stepper.start(), &self.mode);
        self.restart(stats, &[], self.options.first_step)?;
        let mut last_fault = None;
        let mut rejected = false;
        while self.t < self.t_end {
            if stats.accepted + stats.rejected >= self.options.max_steps {
                let steps = self.options.max_steps;
                return Err(Fault::TooManySteps { t: self.t, steps });
            }
            let last = self.t + 1.01 * self.h >= self.t_end;
            let h = if last { self.t_end - self.t } else { self.h };
            let t1 = if last { self.t_end } else { self.t + h };
            if self.h <= self.floor() {
                let (t, h) = (self.t, self.h);
                return Err(last_fault.unwrap_or(Fault::StepTooSmall { t, h }));
            }
            let error = match self.attempt(stats, h) {
                Ok(error) if error <= 1.0 => error,
                refused => {
                    (self.h, last_fault) = self.refuse(h, refused);
                    stats.rejected += 1;
                    rejected = true;
                    continue;
                }
            };
            let event = match self.inspect(stats, fired, h) {
                Ok(Found::Nothing) => None,
                Ok(Found::Event(h)) => Some(h),
                refused => {
                    let refused = refused
                        .map(|found| if let Found::TooCoarse(e) = found { e } else { f64::NAN });
                    (self.h, last_fault) = self.refuse(h, refused);
                    stats.rejected += 1;
                    rejected = true;
                    continue;
                }
            };
            if let Some(h) = event {
                if self.cross(stats, fired, h)? == Effect::Stop {
                    return Ok(End::Stopped);
                }
            } else {
                let ln_error = 0.5 * error.ln();
                let grown = h * T::CONTROL.after_success(ln_error, self.ln_error);
                self.h = if rejected { grown.min(h) } else { grown }.min(self.options.max_step);
                self.ln_error = ln_error.max(LN_ERROR_FLOOR);
                self.advance_to(stats, t1);
                self.watch.shift();
            }
            last_fault = None;
            rejected = false;
        }
        Ok(End::Reached)
    }

    /// No step is shorter than this.
    #[inline]
    fn floor(&self) -> f64 {
        (4.0 * f64::EPSILON * self.t.abs()).max(self.options.min_step)
    }

    /// Tries a step and returns its mean square error; a step that passes is complete with dense output.
    #[inline]
    fn attempt(&mut self, stats: &mut Stats, h: f64) -> Result<f64, Fault> {
        let problem = frozen!(self, stats);
        self.stepper.advance(problem, self.t, h)?;
        let error = self.stepper.error(problem, self.t, h, &self.admitted)?;
        if error <= 1.0 {
            self.stepper.end_slope(problem, self.t, h)?;
            if !self.stepper.end_is_finite() {
                return Ok(f64::NAN);
            }
            if R::DENSE || !self.watch.is_empty() {
                self.stepper.prepare_dense(problem, self.t, h)?;
            }
        }
        Ok(error)
    }

    /// The next size after a step that did not pass, and what stands in the way if it is not the error.
    #[cold]
    fn refuse(&self, h: f64, refused: Result<f64, Fault>) -> (f64, Option<Fault>) {
        match refused {
            Ok(error) if error.is_finite() => {
                (h * T::CONTROL.after_failure(0.5 * error.ln()), None)
            }
            Ok(_) => {
                let component = self.stepper.non_finite();
                let t = self.t;
                let fault = component.map(|component| Fault::NonFinite { t, component });
                (h * T::CONTROL.shrink, fault)
            }
            Err(fault) => (h * T::CONTROL.shrink, Some(fault)),
        }
    }

    /// Looks for an event in the step just tried. If there is one, takes the step to it.
    #[inline]
    fn inspect(
        &mut self,
        stats: &mut Stats,
        fired: &mut Vec<Crossing>,
        h: f64,
    ) -> Result<Found, Fault> {
        if self.watch.is_empty() {
            return Ok(Found::Nothing);
        }
        let problem = frozen!(self, stats);
        let (t, stepper, work) = (self.t, &self.stepper, &mut self.work);
        let mut eval = |theta: f64, g: &mut S::Guards| {
            if theta == 1.0 {
                problem.guards(t + h, stepper.end(), g);
            } else {
                stepper.interpolate(theta, work);
                problem.guards(t + theta * h, work, g);
            }
        };
        if self.watch.sample(T::NODE_STRIDE, &mut eval) {
            return Ok(Found::Nothing);
        }
        let resolution = f64::EPSILON * (t.abs().max((t + h).abs()) / h).max(1.0);
        let trigger = |guard| self.system.trigger(guard, &self.mode);
        let found = self.watch.search(T::NODE_STRIDE, resolution, trigger, fired, eval);
        match found {
            Ok(None) => Ok(Found::Nothing),
            Ok(Some(root)) => self.step_to(stats, fired, h, root),
            Err(guard) => Err(Fault::NonFiniteGuard { t, guard }),
        }
    }

    /// Takes an actual step to the event that was found on the dense output, and corrects its size until the
    /// guard is zero there: the state at the event has the accuracy of a step, not that of the interpolant.
    /// The step that was tried may pass by chance where it runs over a kink at the event, so the one that is
    /// taken must pass too.
    #[cold]
    #[inline(never)]
    fn step_to(
        &mut self,
        stats: &mut Stats,
        fired: &mut [Crossing],
        h: f64,
        root: Root,
    ) -> Result<Found, Fault> {
        let Root { mut theta, guard, mut slope } = root;
        let problem = frozen!(self, stats);
        let (t, stepper, values) = (self.t, &mut self.stepper, self.watch.probe());
        if theta == 0.0 {
            problem.guards(t, stepper.start(), values);
        } else {
            let mut step = |theta: f64| {
                stepper.advance(problem, t, theta * h)?;
                problem.guards(t + theta * h, stepper.end(), values);
                Ok(values.as_slice()[guard])
            };
            let mut value = step(theta)?;
            for _ in 0..MAX_POLISH {
                let correction = -value / slope;
                let next = (theta + correction).min(1.0);
                let resolution = f64::EPSILON * (t + theta * h).abs();
                // A correction that is no number, or leaves the step, belongs to a guard that hardly crosses.
                let sensible = correction.abs() < 0.1 && next > 0.0 && next != theta;
                if !sensible || (correction * h).abs() <= resolution {
                    break;
                }
                let next_value = step(next)?;
                if next_value.abs() > value.abs() {
                    step(theta)?; // nothing but rounding is left: go back and stay
                    break;
                }
                slope = (next_value - value) / (next - theta);
                (theta, value) = (next, next_value);
            }
        }
        let values = self.watch.probe();
        for crossing in fired {
            crossing.value = values.as_slice()[crossing.guard];
        }
        if theta > 0.0 {
            let problem = frozen!(self, stats);
            let error = self.stepper.error(problem, t, theta * h, &self.admitted)?;
            if error > 1.0 {
                return Ok(Found::TooCoarse(error));
            }
            if R::DENSE {
                self.stepper.end_slope(problem, t, theta * h)?;
                self.stepper.prepare_dense(problem, t, theta * h)?;
            }
        }
        Ok(Found::Event(theta * h))
    }

    /// Records the step just tried and goes to its end.
    #[inline]
    fn advance_to(&mut self, stats: &mut Stats, t1: f64) {
        stats.accepted += 1;
        self.recorder.step(&Segment {
            t0: self.t,
            t1,
            y0: self.stepper.start(),
            y1: self.stepper.end(),
            mode: &self.mode,
            dense: &self.stepper,
        });
        self.stepper.accept();
        self.t = t1;
    }

    /// Goes to the event at the end of the step of size `h`, and through its transition.
    #[cold]
    fn cross(&mut self, stats: &mut Stats, fired: &[Crossing], h: f64) -> Result<Effect, Fault> {
        let t = (self.t + h).min(self.t_end);
        if t > self.t {
            self.advance_to(stats, t);
        } else if h > 0.0 {
            self.stepper.accept(); // less than time resolves, but the guard needs it
        }
        stats.events += 1;
        let y = self.stepper.start_mut();
        let effect = self.system.transition(fired, t, y, &mut self.mode);
        self.recorder.event(&Event { t, fired, y: self.stepper.start(), mode: &self.mode });
        if effect == Effect::Continue {
            self.bound_restart(fired)?;
            self.restart(stats, fired, self.options.restart_step)?;
        }
        Ok(effect)
    }

    /// Keeps the step after an event no longer than the time since the previous one, unless both fall together.
    fn bound_restart(&mut self, fired: &[Crossing]) -> Result<(), Fault> {
        let t = self.t;
        let (since, guard) = (t - self.previous_event, fired[0].guard);
        if since > ZENO * t.abs() {
            self.reach = since;
            self.cascade = 0;
        } else {
            self.cascade += 1;
            let again = |crossing: &Crossing| Some(crossing.guard) == self.previous_guard;
            if self.cascade > MAX_CASCADE || fired.iter().any(again) {
                return Err(Fault::ZenoEvents { t, guard });
            }
        }
        self.previous_event = t;
        self.previous_guard = Some(guard);
        Ok(())
    }

    /// Begins at the current point: slope, sides of the guards, step size.
    fn restart(
        &mut self,
        stats: &mut Stats,
        fired: &[Crossing],
        step: Option<f64>,
    ) -> Result<(), Fault> {
        let problem = frozen!(self, stats);
        let t = self.t;
        if let Some(component) = first_non_finite(self.stepper.start()) {
            return Err(Fault::NonFinite { t, component });
        }
        self.stepper.restart(problem, t)?;
        if let Some(component) = first_non_finite(self.stepper.start_slope()) {
            return Err(Fault::NonFinite { t, component });
        }
        if !self.watch.is_empty() {
            problem.guards(t, self.stepper.start(), self.watch.start_mut());
            self.watch.arm(fired);
        }
        self.ln_error = LN_ERROR_FLOOR;
        let h = match step {
            Some(step) => step,
            None => {
                first_step(&mut self.stepper, problem, t, &self.admitted).max(2.0 * self.floor())
            }
        };
        self.h = h.min(self.reach).min(self.options.max_step);
        Ok(())
    }
}
