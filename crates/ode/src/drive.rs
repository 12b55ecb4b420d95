//! The only time loop: step, locate, transition, record.

use std::ops::Range;

use crate::guard::{Root, Watch};
use crate::record::{Event, Segment};
use crate::stepper::{Admitted, Control, Frozen, Method, Stepper};
use crate::vector::{all_finite, combine, first_non_finite};
use crate::{Crossing, Effect, Fault, Recorder, System, Tolerance, Vector};

/// Settings of a run.
///
/// ```
/// use jointplay_ode::{Options, Tolerance};
///
/// let options = Options { max_step: 1e-3, ..Options::new(Tolerance::new(1e-8, 1e-10)) };
/// assert_eq!(options.first_step, None);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    /// Admitted local error.
    pub tolerance: Tolerance,
    /// The first step, above 0; `None` chooses one from the problem, at the price of one evaluation (Hairer,
    /// Nørsett, Wanner, *Solving Ordinary Differential Equations I*, section II.4).
    pub first_step: Option<f64>,
    /// The step after every transition, above 0; `None` chooses one as at the start. Give a small one where the
    /// right-hand side loses smoothness at the event, as a contact force `δ^1.5` does at its beginning.
    ///
    /// In any case this step is no longer than the time since the previous event, so that events that accumulate
    /// are all seen.
    pub restart_step: Option<f64>,
    /// No step is longer, above 0; infinite by default. A guard that does not depend on the state needs this
    /// bound: its oscillations do not restrain the step.
    pub max_step: f64,
    /// No step is shorter, except the last one and those that end in an event; 0 by default, which leaves the
    /// resolution of `t` as the bound.
    pub min_step: f64,
    /// The greatest number of steps, accepted and rejected; 10⁷ by default.
    pub max_steps: usize,
}

impl Options {
    /// Default settings at this tolerance.
    pub fn new(tolerance: Tolerance) -> Self {
        Options {
            tolerance,
            first_step: None,
            restart_step: None,
            max_step: f64::INFINITY,
            min_step: 0.0,
            max_steps: 10_000_000,
        }
    }

    fn check(&self) -> Result<(), Fault> {
        let settings = [
            ("first_step", self.first_step.unwrap_or(1.0), 0.0),
            ("restart_step", self.restart_step.unwrap_or(1.0), 0.0),
            ("max_step", self.max_step, 0.0),
            ("min_step", self.min_step, -f64::MIN_POSITIVE),
        ];
        let bad = settings.iter().find(|(_, value, above)| {
            // A negated comparison, so that NaN is bad.
            value.partial_cmp(above) != Some(std::cmp::Ordering::Greater)
        });
        bad.map_or(Ok(()), |&(name, value, _)| Err(Fault::Setting { name, value }))
    }
}

/// What a run was made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Accepted steps, those to events included.
    pub accepted: usize,
    /// Rejected steps.
    pub rejected: usize,
    /// Evaluations of the right-hand side.
    pub evaluations: usize,
    /// Evaluations of all guards.
    pub guard_evaluations: usize,
    /// Events; several guards that fire together are one.
    pub events: usize,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The end of the time span.
    ReachedEnd,
    /// A transition asked to stop.
    Stopped {
        /// The guards that fired.
        fired: Vec<Crossing>,
        /// The time of the event.
        t: f64,
    },
    /// The run could not go on.
    Failed {
        /// The reason.
        fault: Fault,
        /// The last accepted time.
        t: f64,
    },
}

/// The end of a run: where it arrived, why it ended, what it cost.
#[derive(Clone, Debug)]
pub struct Run<S: System> {
    /// The last accepted time.
    pub t: f64,
    /// The state at that time, after the transition if the run stopped in an event.
    pub y: S::State,
    /// The mode at that time.
    pub mode: S::Mode,
    /// Why the run ended.
    pub outcome: Outcome,
    /// What it cost.
    pub stats: Stats,
}

/// Integrates `system` by `method` from the state `y0` and the mode `mode0` over the time span, and reports
/// every accepted step and every event to `recorder`.
///
/// Memory is allocated before the first step, and for the first event; no step allocates.
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

/// The controller remembers no error below 1e-4.
const LN_ERROR_FLOOR: f64 = -9.210340371976182;

/// A step aims at this part of the size that would just pass.
const LN_SAFETY: f64 = -0.10536051565782628; // ln 0.9

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
                Ok(event) => event,
                Err(fault) => {
                    (self.h, last_fault) = self.refuse(h, Err(fault));
                    stats.rejected += 1;
                    rejected = true;
                    continue;
                }
            };
            stats.accepted += 1;
            if let Some(h) = event {
                if self.cross(stats, fired, h)? == Effect::Stop {
                    return Ok(End::Stopped);
                }
            } else {
                let ln_error = 0.5 * error.ln();
                let grown = h * T::CONTROL.after_success(ln_error, self.ln_error);
                self.h = if rejected { grown.min(h) } else { grown }.min(self.options.max_step);
                self.ln_error = ln_error.max(LN_ERROR_FLOOR);
                self.advance_to(t1);
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

    /// Looks for an event in the step just tried. If there is one, takes the step to it and returns its size.
    #[inline]
    fn inspect(
        &mut self,
        stats: &mut Stats,
        fired: &mut Vec<Crossing>,
        h: f64,
    ) -> Result<Option<f64>, Fault> {
        if self.watch.is_empty() {
            return Ok(None);
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
            return Ok(None);
        }
        let resolution = f64::EPSILON * (t.abs().max((t + h).abs()) / h).max(1.0);
        let trigger = |guard| self.system.trigger(guard, &self.mode);
        let found = self.watch.search(T::NODE_STRIDE, resolution, trigger, fired, eval);
        match found {
            Ok(None) => Ok(None),
            Ok(Some(root)) => self.step_to(stats, fired, h, root).map(Some),
            Err(guard) => Err(Fault::NonFiniteGuard { t, guard }),
        }
    }

    /// Takes an actual step to the event that was found on the dense output, and corrects its size until the
    /// guard is zero there: the state at the event has the accuracy of a step, not that of the interpolant.
    #[cold]
    #[inline(never)]
    fn step_to(
        &mut self,
        stats: &mut Stats,
        fired: &mut [Crossing],
        h: f64,
        root: Root,
    ) -> Result<f64, Fault> {
        let Root { mut theta, guard, mut slope } = root;
        let problem = frozen!(self, stats);
        let values = self.watch.probe();
        let mut previous: Option<(f64, f64)> = None;
        for _ in 0..MAX_POLISH {
            if theta > 0.0 {
                self.stepper.advance(problem, self.t, theta * h)?;
                problem.guards(self.t + theta * h, self.stepper.end(), values);
            } else {
                problem.guards(self.t, self.stepper.start(), values);
                break;
            }
            let value = values.as_slice()[guard];
            if let Some((theta_before, value_before)) = previous {
                if value.abs() > value_before.abs() {
                    // Worse than before: rounding, or a guard that hardly crosses. Go back and stay.
                    theta = theta_before;
                    self.stepper.advance(problem, self.t, theta * h)?;
                    problem.guards(self.t + theta * h, self.stepper.end(), values);
                    break;
                }
                slope = (value - value_before) / (theta - theta_before);
            }
            let correction = -value / slope;
            let next = (theta + correction).clamp(0.0, 1.0);
            let resolution = f64::EPSILON * (self.t + theta * h).abs();
            let converged = (correction * h).abs() <= resolution || next == theta;
            if converged || !correction.is_finite() || correction.abs() > 0.1 {
                break;
            }
            previous = Some((theta, value));
            theta = next;
        }
        for crossing in fired {
            crossing.value = values.as_slice()[crossing.guard];
        }
        if R::DENSE && theta > 0.0 {
            self.stepper.end_slope(problem, self.t, theta * h)?;
            self.stepper.prepare_dense(problem, self.t, theta * h)?;
        }
        Ok(theta * h)
    }

    /// Records the step just tried and goes to its end.
    #[inline]
    fn advance_to(&mut self, t1: f64) {
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
        if h > 0.0 {
            self.advance_to((self.t + h).min(self.t_end));
        }
        stats.events += 1;
        let t = self.t;
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
        if !all_finite(self.stepper.start_slope()) {
            let component = first_non_finite(self.stepper.start_slope()).unwrap_or(0);
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

impl Control {
    /// The factor on the step size after a step that passed.
    #[inline]
    fn after_success(&self, ln_error: f64, ln_error_before: f64) -> f64 {
        let ln_factor = LN_SAFETY - self.alpha * ln_error + self.beta * ln_error_before;
        ln_factor.exp().clamp(self.shrink, self.grow)
    }

    /// The factor on the step size after a step that did not pass.
    #[inline]
    fn after_failure(&self, ln_error: f64) -> f64 {
        (LN_SAFETY - self.alpha * ln_error).exp().max(self.shrink)
    }
}

/// A first step from the size of the state, its slope and the change of the slope: Hairer, Nørsett, Wanner,
/// *Solving Ordinary Differential Equations I*, 2nd ed., Springer 1993, section II.4. One evaluation.
fn first_step<S: System, T: Stepper<S::State>>(
    stepper: &mut T,
    problem: &mut Frozen<'_, S>,
    t: f64,
    admitted: &Admitted<S::State>,
) -> f64 {
    let (y, slope, euler, end_slope) = stepper.scratch();
    end_slope.as_mut_slice().fill(0.0);
    let size = admitted.distance(y, end_slope, y);
    let speed = admitted.distance(slope, end_slope, y);
    let h0 = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    combine(euler, y, [(h0, slope)]);
    if problem.rhs(t + h0, euler, end_slope).is_err() || !all_finite(end_slope) {
        return 0.01 * h0;
    }
    let bend = admitted.distance(end_slope, slope, y) / h0;
    let strength = speed.max(bend);
    let h1 = if strength <= 1e-15 {
        (1e-3 * h0).max(1e-6)
    } else {
        (0.01 / strength).powf(1.0 / T::CONTROL.order)
    };
    h1.min(100.0 * h0)
}
