//! The only time loop: step, locate, transition, record.

use std::ops::{ControlFlow, Range};

use crate::checkpoint::{Checkpoint, Rest};
use crate::control::{LN_ERROR_FLOOR, first_step};
use crate::course::Course;
use crate::guard::{GuardWatch, Sides};
use crate::record::{Segment, Wanted};
use crate::stepper::{Admitted, Frozen, HandOver, Method, Stepper, Watched};
use crate::vector::first_non_finite;
use crate::{
    Crossing, Effect, Fault, Options, Parts, Recorder, Run, RunEnd, Stats, System, Vector,
};

/// Integrates `system` by `method` from the state `y0` and the mode `mode0` over the time span, and reports
/// every accepted step and every event to `recorder`.
///
/// Memory is allocated before the first step, and once more where a guard first comes near zero; no step and no
/// event allocates, unless the system or the recorder does.
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
    let course = Course::new(span.start, span.end);
    let (from, state) = (span.start, (y0, mode0));
    let flight = Flight::new(system, method, (from, span.end), state, course, options, recorder);
    match flight {
        Ok(mut flight) => {
            let (mut stats, mut fired) = (Stats::default(), Vec::new());
            let end = flight.begin(&mut stats).and_then(|()| flight.run(&mut stats, &mut fired));
            flight.land(end, stats, fired)
        }
        Err(refused) => *refused,
    }
}

/// Continues a run from a checkpoint up to `t_end`, with the same bits as an uninterrupted run with the
/// same method, options and end.
///
/// The recorder sees a start at the checkpoint. The counts continue from those of the checkpoint;
/// evaluations that are repeated to resume the run are not counted. A run can be continued with
/// another method if that method needs no memory of its own, but of course not with the same bits.
///
/// # Panics
///
/// As [`drive`].
pub fn resume<S, M, R>(
    system: &S,
    method: M,
    checkpoint: Checkpoint<S>,
    t_end: f64,
    options: &Options,
    recorder: &mut R,
) -> Run<S>
where
    S: System,
    M: Method,
    R: Recorder<S>,
{
    let Checkpoint { t, y, mode, mut stats, rest, mut fired } = checkpoint;
    let flight = Flight::new(system, method, (t, t_end), (y, mode), rest.course, options, recorder);
    match flight {
        Ok(mut flight) => {
            let end = flight
                .take_up(&mut stats, &fired, rest.sides, &rest.method)
                .and_then(|()| flight.run(&mut stats, &mut fired));
            flight.land(end, stats, fired)
        }
        Err(refused) => *refused,
    }
}

/// The end of the time loop.
#[derive(Clone, Copy)]
enum End {
    Reached,
    Stopped,
    Interrupted,
}

/// One run under way.
struct Flight<'a, S: System, T, R> {
    system: &'a S,
    options: &'a Options,
    recorder: &'a mut R,
    admitted: Admitted<S::State>,
    stepper: T,
    watch: GuardWatch<S::Guards>,
    /// The components whose dense output is needed in the present step.
    parts: Parts,
    work: S::State,
    scratch: S::Scratch,
    mode: S::Mode,
    t: f64,
    t_end: f64,
    /// The next stop or the end of the span, whichever comes first: a step ends there.
    bound: f64,
    /// The latest time at which the right-hand side may be evaluated.
    latest: f64,
    course: Course,
    /// The last trial contains no event, and its dense output may not have been computed.
    quiet: bool,
    /// How often the present step was made shorter because its dense output was doubtful.
    retreats: usize,
}

/// A step whose dense output is doubtful is shortened this many times, to a third each time; then
/// it is accepted as it is.
const MAX_RETREATS: usize = 8;

/// Borrows the problem with its mode frozen, leaving the rest of the flight free.
macro_rules! frozen {
    ($flight:ident, $stats:ident) => {
        &mut Frozen {
            system: $flight.system,
            mode: &$flight.mode,
            scratch: &mut $flight.scratch,
            latest: $flight.latest,
            stats: $stats,
        }
    };
}

mod event;
mod locate;

use locate::Found;

impl<'a, S, T, R> Flight<'a, S, T, R>
where
    S: System,
    T: Stepper<S::State>,
    R: Recorder<S>,
{
    /// Prepares a run, or returns one that fails immediately.
    #[inline]
    fn new<M: Method<Stepper<S::State> = T>>(
        system: &'a S,
        method: M,
        (t, t_end): (f64, f64),
        (y, mode): (S::State, S::Mode),
        course: Course,
        options: &'a Options,
        recorder: &'a mut R,
    ) -> Result<Self, Box<Run<S>>> {
        let len = y.as_slice().len();
        let (name, value) = ("length of the time span", t_end - t);
        let span = if value >= 0.0 && value.is_finite() {
            Ok(())
        } else {
            Err(Fault::Setting { name, value })
        };
        let admitted = options.check().and_then(|()| Admitted::new(&options.tolerance, len));
        match admitted.and_then(|admitted| span.map(|()| admitted)) {
            Ok(admitted) => Ok(Flight {
                system,
                options,
                recorder,
                admitted,
                stepper: method.stepper(y),
                watch: GuardWatch::new(system.guard_count()),
                parts: Parts::default(),
                work: S::State::zeros(len),
                scratch: system.scratch(),
                mode,
                t,
                t_end,
                bound: t_end,
                latest: f64::INFINITY,
                course,
                quiet: false,
                retreats: 0,
            }),
            Err(fault) => {
                let outcome = RunEnd::Failed { fault, t };
                let stats = Stats::default();
                Err(Box::new(Run { t, y, mode, outcome, stats, rest: None }))
            }
        }
    }

    /// Starts a run.
    #[inline]
    fn begin(&mut self, stats: &mut Stats) -> Result<(), Fault> {
        self.recorder.start(self.t, self.stepper.start(), &self.mode);
        self.find_bound();
        self.restart(stats, self.options.first_step, self.course.reach)?;
        self.arm(stats, &[]);
        Ok(())
    }

    /// Resumes a run between two steps or, if guards have fired, between a transition and the step after it.
    fn take_up(
        &mut self,
        stats: &mut Stats,
        fired: &[Crossing],
        sides: Sides<S::Guards>,
        memory: &[f64],
    ) -> Result<(), Fault> {
        if !self.watch.take_up(sides) {
            return Err(Fault::Checkpoint { what: "the number of guards" });
        }
        self.recorder.start(self.t, self.stepper.start(), &self.mode);
        if !fired.is_empty() {
            self.course.event(fired, self.can_be_lost(fired), self.t, self.t_end)?;
            return self.go_on(stats, fired);
        }
        self.find_bound();
        let uncounted = &mut Stats::default();
        self.stepper.restart(frozen!(self, uncounted), self.t)?;
        if !self.stepper.recall(memory) {
            return Err(Fault::Checkpoint { what: "the memory of the method" });
        }
        Ok(())
    }

    /// Ends the run.
    #[inline]
    fn land(self, end: Result<End, Fault>, stats: Stats, fired: Vec<Crossing>) -> Run<S> {
        let t = self.t;
        let rest = end.is_ok().then(|| Rest {
            course: self.course,
            sides: self.watch.into_sides(),
            method: self.stepper.memory(),
        });
        let outcome = match end {
            Ok(End::Reached) => RunEnd::ReachedEnd,
            Ok(End::Stopped) => RunEnd::Stopped { fired, t },
            Ok(End::Interrupted) => RunEnd::Interrupted { t },
            Err(fault) => RunEnd::Failed { fault, t },
        };
        Run { t, y: self.stepper.into_start(), mode: self.mode, outcome, stats, rest }
    }

    #[inline]
    fn run(&mut self, stats: &mut Stats, fired: &mut Vec<Crossing>) -> Result<End, Fault> {
        let max_steps = self.options.max_steps;
        let mut judged_at = self.course.judged_at(max_steps);
        let mut last_fault = None;
        let mut rejected = false;
        while self.t < self.t_end {
            if stats.accepted + stats.rejected >= judged_at {
                let verdict = self.course.judge(stats, max_steps, self.t, self.t_end);
                verdict.map_err(|fault| fault.because_of(self.culprit()))?;
                judged_at = self.course.judged_at(max_steps);
            }
            if !rejected && self.stepper.fixed_step().is_none() {
                let reach = self.course.h.min(self.bound - self.t);
                let longest = self.system.longest_step(self.t, reach);
                if longest < reach {
                    self.course.h = longest.max(2.0 * self.floor()).min(self.course.h);
                }
            }
            let last = self.t + 1.01 * self.course.h >= self.bound;
            let h = if last { self.bound - self.t } else { self.course.h };
            let t1 = if last { self.bound } else { self.t + h };
            if self.course.h <= self.floor() {
                let (t, h) = (self.t, self.course.h);
                let component = self.culprit();
                return Err(last_fault.unwrap_or(Fault::StepTooSmall { t, h, component }));
            }
            let error = match self.attempt(stats, h, t1) {
                Ok(error) if error <= 1.0 => error,
                refused => {
                    (self.course.h, last_fault) = self.refuse(h, refused);
                    stats.rejected += 1;
                    rejected = true;
                    continue;
                }
            };
            let event = match self.inspect(stats, fired, h) {
                Ok(Found::Nothing) => None,
                Ok(Found::Event(h)) => Some(h),
                Ok(Found::TooLong(shorter)) => {
                    self.course.h = shorter;
                    stats.rejected += 1;
                    rejected = true;
                    continue;
                }
                refused => {
                    let refused = refused
                        .map(|found| if let Found::TooCoarse(e) = found { e } else { f64::NAN });
                    (self.course.h, last_fault) = self.refuse(h, refused);
                    stats.rejected += 1;
                    rejected = true;
                    continue;
                }
            };
            self.system.admits(self.t, event.map_or(t1, |h| self.t + h))?;
            let flow = if let Some(h) = event {
                match self.cross(stats, fired, h)? {
                    (Effect::Stop, _) => return Ok(End::Stopped),
                    (Effect::Continue | Effect::Unchanged, flow) => flow,
                }
            } else {
                let ln_error = 0.5 * libm::log(error);
                let grown = self.stepper.grown(h, ln_error, self.course.ln_error);
                let grown = if rejected { grown.min(h) } else { grown };
                self.course.h = grown.min(self.options.max_step);
                self.course.ln_error = ln_error.max(LN_ERROR_FLOOR);
                let flow = self.advance_to(stats, t1);
                self.watch.shift(h);
                if t1 == self.bound && t1 < self.t_end {
                    self.find_bound();
                    self.watch.forget_before();
                    self.restart(stats, self.options.restart_step, self.t_end - t1)?;
                } else if T::WATCHES_REST {
                    let rests = self.system.rests(self.stepper.start(), &self.mode);
                    let stiffness = if self.stepper.watches_stiffness() {
                        let y = self.stepper.start();
                        self.course.h * self.system.stiffness(t1, y, &self.mode, &mut self.scratch)
                    } else {
                        0.0
                    };
                    let watched = Watched {
                        rests,
                        stiffness,
                        h: self.course.h,
                        cost: self.system.implicit_cost(),
                    };
                    if self.stepper.watch_rest(watched) {
                        self.restart(stats, None, self.t_end - t1)?;
                    }
                }
                flow
            };
            if flow.is_break() {
                return Ok(End::Interrupted);
            }
            last_fault = None;
            rejected = false;
        }
        Ok(End::Reached)
    }

    /// Finds the first stop behind the current time.
    fn find_bound(&mut self) {
        let stops = &self.options.stops;
        let next = stops[stops.partition_point(|stop| *stop <= self.t)..].first();
        let next = next.copied().filter(|stop| *stop < self.t_end);
        self.bound = next.unwrap_or(self.t_end);
        self.latest = next.map_or(f64::INFINITY, f64::next_down);
    }

    /// No step is shorter than this.
    #[inline]
    fn floor(&self) -> f64 {
        (4.0 * f64::EPSILON * self.t.abs()).max(self.options.min_step)
    }

    /// Tries a step and returns its mean square error; a step that passes is complete with dense output.
    #[inline]
    fn attempt(&mut self, stats: &mut Stats, h: f64, t1: f64) -> Result<f64, Fault> {
        let problem = frozen!(self, stats);
        self.stepper.advance(problem, self.t, h, &self.admitted)?;
        problem.project(self.t + h, self.stepper.end_mut())?;
        let error = self.stepper.error(problem, self.t, h, &self.admitted)?;
        if error <= 1.0 {
            self.quiet = self.watch.is_empty();
            if self.quiet {
                self.stepper.end_slope(problem, self.t, h)?;
            } else {
                let guards = self.watch.end_mut();
                self.stepper.end_slope_and_guards(problem, self.t, h, guards)?;
            }
            if !self.stepper.end_is_finite() {
                return Ok(f64::NAN);
            }
            if !self.quiet {
                if self.stepper.sketches() {
                    self.quiet = self.is_quiet(stats, h);
                } else {
                    self.watch.doubt_all();
                }
            }
            let wanted = if R::DENSE { self.recorder.wants_dense(t1) } else { Wanted::Nothing };
            if wanted != Wanted::Nothing || !self.quiet {
                let problem = frozen!(self, stats);
                let n = Self::wanted_count(wanted, problem, self.stepper.end());
                self.parts.clear(n);
                if wanted == Wanted::Nothing && self.watch.has_many() {
                    // Only what the guards need that may come near zero (bench B7).
                    let which = self.watch.unproven();
                    self.system.components(which, &self.mode, &mut self.parts);
                } else {
                    self.parts.add_all();
                }
                self.stepper.prepare_dense(problem, self.t, h, self.parts.ranges())?;
                for part in self.parts.ranges() {
                    let inside = &mut self.work.as_mut_slice()[part.clone()];
                    self.stepper.interpolate(0.5, part.start, inside);
                    if inside.iter().any(|y| !y.is_finite()) {
                        return Ok(f64::NAN); // the end of the step does not depend on all of its stages
                    }
                }
                if self.stepper.dense_is_doubtful() && self.retreats < MAX_RETREATS {
                    self.retreats += 1;
                    return Ok(f64::NAN);
                }
            }
        }
        Ok(error)
    }

    /// The number of components whose dense output is wanted.
    #[inline]
    fn wanted_count(wanted: Wanted, problem: &Frozen<'_, S>, end: &S::State) -> usize {
        match wanted {
            Wanted::All => end.as_slice().len(),
            Wanted::Coupled | Wanted::Nothing => problem.coupled(end),
        }
    }

    /// The next size after a step that was rejected, and the reason if it is not the error.
    #[cold]
    fn refuse(&mut self, h: f64, refused: Result<f64, Fault>) -> (f64, Option<Fault>) {
        match refused {
            Ok(error) if error.is_finite() => {
                (self.stepper.shrunk(h, 0.5 * libm::log(error)), None)
            }
            Ok(_) => {
                let component = self.stepper.non_finite();
                let t = self.t;
                let fault = component.map(|component| Fault::NonFinite { t, component });
                (self.stepper.retreated(h), fault)
            }
            Err(fault) => (self.stepper.retreated(h), Some(fault)),
        }
    }

    /// The component that keeps the steps small, found from the errors of a trial of the next step.
    /// Only for a run that ends here.
    #[cold]
    fn culprit(&mut self) -> usize {
        let (t, uncounted) = (self.t, &mut Stats::default());
        let h = self.course.h.max(self.floor()).min(self.bound - t);
        let problem = frozen!(self, uncounted);
        let stepper = &mut self.stepper;
        let error = stepper
            .advance(problem, t, h, &self.admitted)
            .and_then(|()| problem.project(t + h, stepper.end_mut()))
            .and_then(|()| stepper.error(problem, t, h, &self.admitted));
        let infinite = if error.is_ok_and(f64::is_finite) { None } else { stepper.non_finite() };
        infinite.unwrap_or_else(|| stepper.worst(&self.admitted))
    }

    /// Records the step just tried and goes to its end.
    #[inline]
    fn advance_to(&mut self, stats: &mut Stats, t1: f64) -> ControlFlow<()> {
        stats.accepted += 1;
        match self.stepper.handed_over() {
            Some(HandOver::Rest) => stats.resting += 1,
            Some(HandOver::Stiffness) => stats.stiff += 1,
            None => {}
        }
        self.retreats = 0;
        let flow = self.recorder.step(&Segment {
            t0: self.t,
            t1,
            y0: self.stepper.start(),
            y1: self.stepper.end(),
            mode: &self.mode,
            dense: &self.stepper,
        });
        self.stepper.accept();
        self.t = t1;
        flow
    }

    /// Begins at the current point: slope and step size, which is not above `reach`.
    fn restart(&mut self, stats: &mut Stats, step: Option<f64>, reach: f64) -> Result<(), Fault> {
        let problem = frozen!(self, stats);
        let t = self.t;
        if let Some(component) = first_non_finite(self.stepper.start()) {
            return Err(Fault::NonFinite { t, component });
        }
        self.stepper.restart(problem, t)?;
        if let Some(component) = first_non_finite(self.stepper.start_slope()) {
            return Err(Fault::NonFinite { t, component });
        }
        self.course.ln_error = LN_ERROR_FLOOR;
        let h = match self.stepper.fixed_step().or(step) {
            Some(step) => step,
            None => {
                first_step(&mut self.stepper, problem, t, &self.admitted).max(2.0 * self.floor())
            }
        };
        self.course.h = h.min(reach.max(2.0 * self.floor())).min(self.options.max_step);
        Ok(())
    }
}
