//! A run: from a mechanism to its motion, its events and its energy ledger.

mod method;
mod options;

use std::ops::ControlFlow;

use jointplay_ode::{Options, Run, drive, resume};

use crate::assembly::{Start, StartReport};
use crate::books::Books;
use crate::checkpoint::{Checkpoint, Settings};
use crate::equations::{DriftControl, Equations};
use crate::error::Error;
use crate::formulation::Formulation;
use crate::mechanism::Mechanism;
use crate::observe::{Clock, Observer};
use crate::outcome::Outcome;
use crate::solution::Solution;
use crate::state::State;
use crate::trajectory::{Keeper, Kept, Sampling};

use method::with_method;

pub use method::Method;
pub use options::Accuracy;

/// Describes a run: a mechanism, coordinates, a method and a time span.
///
/// ```
/// use jointplay_mbd::{Body, Builder, Formulation, GROUND, Simulation};
///
/// let mut parts = Builder::new();
/// parts.gravity([0.0, -9.81]);
/// let rod = parts.body("rod", Body::rod(1.0, 1.0).placed([0.5, 0.0], 0.0));
/// parts.revolute("pivot", GROUND.origin(), rod.at([-0.5, 0.0]));
/// let pendulum = parts.build()?;
///
/// let run = Simulation::new(&pendulum).until(1.0).tolerance(1e-10).run()?;
/// assert!(run.outcome.reached_end());
/// assert!(run.ledger.relative_residual() < 1e-9);
/// # Ok::<(), jointplay_mbd::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Simulation {
    mechanism: Mechanism,
    formulation: Formulation,
    drift: DriftControl,
    method: Method,
    accuracy: Accuracy,
    from: f64,
    state: Option<State>,
    until: f64,
    sampling: Sampling,
    max_step: f64,
    min_step: f64,
    first_step: Option<f64>,
    restart_step: Option<f64>,
    max_steps: usize,
}

impl Simulation {
    /// A run over 1 s in joint coordinates with default settings. The simulation keeps its own handle to the mechanism.
    pub fn new(mechanism: &Mechanism) -> Self {
        Simulation {
            mechanism: mechanism.clone(),
            formulation: Formulation::default(),
            drift: DriftControl::default(),
            method: Method::default(),
            accuracy: Accuracy::default(),
            from: 0.0,
            state: None,
            until: 1.0,
            sampling: Sampling::EveryStep,
            max_step: f64::INFINITY,
            min_step: 0.0,
            first_step: None,
            restart_step: None,
            max_steps: 10_000_000,
        }
    }

    /// The mechanism that is run.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// The coordinates.
    pub fn formulation(mut self, formulation: Formulation) -> Self {
        self.formulation = formulation;
        self
    }

    /// The method of drift control.
    pub fn drift_control(mut self, drift: DriftControl) -> Self {
        self.drift = drift;
        self
    }

    /// The method of integration.
    pub fn method(mut self, method: Method) -> Self {
        self.method = method;
        self
    }

    /// The relative tolerance, with absolute ones that follow from it.
    pub fn tolerance(mut self, relative: f64) -> Self {
        self.accuracy = Accuracy::relative(relative);
        self
    }

    /// All tolerances.
    pub fn accuracy(mut self, accuracy: Accuracy) -> Self {
        self.accuracy = accuracy;
        self
    }

    /// The time at which the run starts (s); 0 by default.
    pub fn from(mut self, t: f64) -> Self {
        self.from = t;
        self
    }

    /// Starts from this state at its time, with the memory of the contacts, instead of the start of
    /// the parts of the mechanism. From the state at the end of a run this continues the motion to
    /// the tolerance; [`resume`](Self::resume) continues it bit for bit. The energy ledger starts
    /// from zero.
    pub fn start_from(mut self, state: &State) -> Self {
        self.from = state.t;
        self.state = Some(state.clone());
        self
    }

    /// The time at which the run ends (s); 1 by default.
    pub fn until(mut self, t: f64) -> Self {
        self.until = t;
        self
    }

    /// Which instants are kept; every accepted step by default. Events are always kept.
    pub fn sampled(mut self, sampling: Sampling) -> Self {
        self.sampling = sampling;
        self
    }

    /// The longest step (s).
    pub fn max_step(mut self, step: f64) -> Self {
        self.max_step = step;
        self
    }

    /// The shortest step (s); steps to events and to the end may be shorter.
    pub fn min_step(mut self, step: f64) -> Self {
        self.min_step = step;
        self
    }

    /// The first step (s).
    pub fn first_step(mut self, step: f64) -> Self {
        self.first_step = Some(step);
        self
    }

    /// The first step after each event (s).
    pub fn restart_step(mut self, step: f64) -> Self {
        self.restart_step = Some(step);
        self
    }

    /// The maximum number of steps.
    pub fn max_steps(mut self, steps: usize) -> Self {
        self.max_steps = steps;
        self
    }

    /// Runs.
    ///
    /// # Errors
    /// Anything that prevents a start. A run that fails later is not an error: its [`Outcome`]
    /// gives the reason, and the results up to then are kept.
    pub fn run(&self) -> Result<Solution, Error> {
        self.run_watched(|_| ControlFlow::Continue(()))
    }

    /// Runs, and calls `watch` with the time reached after each step; it may interrupt the run.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_watched(
        &self,
        watch: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Solution, Error> {
        self.run_observed(&mut Clock(watch))
    }

    /// Runs, and shows every step and every event to an observer; it may interrupt the run.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_observed(&self, observer: &mut dyn Observer) -> Result<Solution, Error> {
        let equations = self.equations()?;
        let start = match &self.state {
            Some(state) => equations.start_from(self.from, state)?,
            None => equations.start(self.from)?,
        };
        let report = start.report.clone();
        let books = Books::new(&equations, &start);
        self.fly(equations, report, books, observer, |simulation, equations, options, keeper| {
            let Start { t, y, mode, .. } = start;
            let span = t..simulation.until;
            with_method!(simulation.method, method => {
                drive(equations, method, y, mode, span, options, keeper)
            })
        })
    }

    /// Resumes an interrupted run from a checkpoint, with the same bits as an uninterrupted run. The trajectory begins at the
    /// checkpoint. The sampling ([`sampled`](Self::sampled)), the end, the maximum number of steps and the watcher may
    /// differ from those of the interrupted run.
    ///
    /// # Errors
    /// [`Error::Checkpoint`] for a checkpoint of another mechanism or formulation, [`Error::CheckpointSetting`] if the
    /// method, a tolerance, the drift control or a limit of the steps differs; otherwise as [`run`](Self::run).
    pub fn resume(
        &self,
        checkpoint: Checkpoint,
        watch: impl FnMut(f64) -> ControlFlow<()>,
    ) -> Result<Solution, Error> {
        self.resume_observed(checkpoint, &mut Clock(watch))
    }

    /// Resumes an interrupted run as [`resume`](Self::resume) does, and shows every further step and event to an observer.
    ///
    /// # Errors
    /// As [`resume`](Self::resume).
    pub fn resume_observed(
        &self,
        checkpoint: Checkpoint,
        observer: &mut dyn Observer,
    ) -> Result<Solution, Error> {
        let equations = self.equations()?;
        let Checkpoint { run, books, report, fingerprint, settings } = checkpoint;
        let t = run.t();
        if fingerprint != equations.fingerprint() {
            return Err(Error::Checkpoint { t });
        }
        if let Some((setting, was)) = settings.differs_from(&self.settings()) {
            return Err(Error::CheckpointSetting { t, setting, was });
        }
        if !(self.until >= t) {
            let (name, value) = ("end of the run", self.until);
            let allowed = "it must not be before the checkpoint";
            return Err(Error::Setting { name, value, allowed });
        }
        self.fly(equations, report, books, observer, |simulation, equations, options, keeper| {
            let end = simulation.until;
            with_method!(simulation.method, method => {
                resume(equations, method, run, end, options, keeper)
            })
        })
    }

    fn fly(
        &self,
        equations: Equations,
        report: StartReport,
        books: Books,
        observer: &mut dyn Observer,
        go: impl FnOnce(&Self, &Equations, &Options, &mut Keeper<'_, '_>) -> Run<Equations>,
    ) -> Result<Solution, Error> {
        let options = self.options(&equations, books.start(), report.freedom == 0)?;
        let fixed = self.method.fixed_step().is_some();
        let sampling = self.sampling.clone();
        let mut keeper = Keeper::new(&equations, sampling, self.from, books, fixed, observer);
        let run = go(self, &equations, &options, &mut keeper);
        let Kept { mut trajectory, events, books, fault, outrun } = keeper.finish();
        if trajectory.is_empty() {
            trajectory.push(run.t, &run.y, &run.mode); // a refused run keeps its start
        }
        let ledger = books.close(&self.mechanism);
        // A keeper that cannot continue has interrupted the run.
        let failed = fault.map(|(t, fault)| jointplay_ode::RunEnd::Failed { fault, t });
        let outcome = Outcome::new(&equations, failed.as_ref().unwrap_or(&run.outcome));
        let (stats, late, emerged) = (run.stats, run.mode.late, run.mode.emerged);
        let snapped = run.mode.snapped;
        // Code has no fingerprint, so a checkpoint could not be checked.
        let has_user_code = !self.mechanism.user_code().is_empty();
        let checkpoint =
            run.checkpoint().filter(|_| failed.is_none() && !has_user_code).map(|run| Checkpoint {
                run,
                books,
                report: report.clone(),
                fingerprint: equations.fingerprint(),
                settings: self.settings(),
            });
        Ok(Solution {
            equations,
            trajectory,
            events,
            outcome,
            stats,
            ledger,
            start: report,
            checkpoint,
            outrun,
            late,
            emerged,
            snapped,
        })
    }

    /// The settings that affect the bits of a run.
    fn settings(&self) -> Settings {
        Settings {
            method: self.method,
            accuracy: self.accuracy,
            drift: self.drift,
            max_step: Some(self.max_step).filter(|step| step.is_finite()),
            min_step: self.min_step,
            restart_step: self.restart_step,
        }
    }
}
