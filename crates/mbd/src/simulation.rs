//! A run: from a mechanism to its motion, its events and its energy ledger.

use std::ops::ControlFlow;

use jointplay_ode::{
    Dop853, Dopri5, Options, Radau5, Resting, Rk4, Rkf45, Run, Tolerance, drive, resume,
};
use serde::{Deserialize, Serialize};

use crate::assembly::{Start, StartReport};
use crate::books::Books;
use crate::checkpoint::{Checkpoint, Settings};
use crate::equations::{DriftControl, Equations};
use crate::error::Error;
use crate::formulation::Formulation;
use crate::ledger::{Account, AccountKind, Energy};
use crate::mechanism::Mechanism;
use crate::observe::{Clock, Observer};
use crate::outcome::Outcome;
use crate::row::RowKind;
use crate::solution::Solution;
use crate::state::State;
use crate::trajectory::{Keeper, Kept, Sampling};

/// For mechanisms with hardly any energy at the start, the energy tolerance is based on this fraction of m (l/τ)²: the whole mass
/// m moving by the clearance l in the time τ of [`Accuracy::time`].
const FAINT: f64 = 1e-3;

/// A stop without clearance may yield by this fraction of the size of the mechanism.
const STOP: f64 = 1e-3;

/// With contacts, rates need not be known better than positions are over this many times the time in which bodies cross their
/// mechanism: at the speeds of very small and fast ones there are no more digits.
const CROSSINGS: f64 = 10.0;

/// However coarse the tolerance, bodies that are apart by more than this fraction of the clearance have separated.
const COARSEST: f64 = 1e-3;

/// An absolute tolerance that no error exceeds.
const UNCONTROLLED: f64 = 1e300;

/// The method of integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Method {
    /// Fehlberg, order 4(5) (Fehlberg1969): the method of Skrinjar2017.
    Rkf45,
    /// Dormand and Prince, order 5(4): the choice for loose tolerances and many events.
    Dopri5,
    /// Dormand and Prince, order 8(5,3): the choice for tight tolerances.
    #[default]
    Dop853,
    /// Radau IIA, order 5, implicit (HairerWanner1996), with exact derivatives of the equations of motion: the choice for
    /// stiff mechanisms.
    Radau5,
    /// Classical Runge–Kutta, order 4, with steps of fixed size: for comparisons.
    Rk4 {
        /// The step (s).
        step: f64,
    },
}

impl Method {
    /// Every method, the default first; that of fixed steps with steps of 1 µs.
    pub const ALL: [Method; 5] =
        [Method::Dop853, Method::Dopri5, Method::Rkf45, Method::Radau5, Method::Rk4 { step: 1e-6 }];

    /// Its name, as model files have it.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Rkf45 => "rkf45",
            Method::Dopri5 => "dopri5",
            Method::Dop853 => "dop853",
            Method::Radau5 => "radau5",
            Method::Rk4 { .. } => "rk4",
        }
    }

    /// Its step (s), if its steps are of fixed size.
    pub fn fixed_step(self) -> Option<f64> {
        match self {
            Method::Rk4 { step } => Some(step),
            Method::Rkf45 | Method::Dopri5 | Method::Dop853 | Method::Radau5 => None,
        }
    }
}

/// Evaluates an expression with the integrator of a [`Method`].
macro_rules! with_method {
    ($method:expr, $name:ident => $body:expr) => {
        match $method {
            Method::Rkf45 => {
                let $name = Resting(Rkf45);
                $body
            }
            Method::Dopri5 => {
                let $name = Resting(Dopri5);
                $body
            }
            Method::Dop853 => {
                let $name = Resting(Dop853);
                $body
            }
            Method::Radau5 => {
                let $name = Radau5;
                $body
            }
            Method::Rk4 { step } => {
                let $name = Rk4 { step };
                $body
            }
        }
    };
}

/// Tolerances of the local errors. Those not given follow from the relative tolerance and the size of the mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Accuracy {
    /// Relative tolerance of rates; it also sets the absolute tolerances that are not given. Positions have no natural
    /// origin and therefore only absolute tolerances.
    pub relative: f64,
    /// Tolerance of lengths (m). By default `relative` times the smallest clearance; without clearances `relative` times the
    /// size of the mechanism or, if it has stops, a thousandth of that.
    pub length: Option<f64>,
    /// Tolerance of angles (rad). By default the tolerance of lengths divided by the size of the mechanism.
    pub angle: Option<f64>,
    /// The time (s) by which a tolerance of positions is divided to get one of rates: by default 1 s, with contacts 10 ms or, if
    /// that is less, ten times what bodies with the energy at the start take to cross the mechanism.
    pub time: Option<f64>,
    /// Tolerance of the accounts of the ledger (J) that do not follow from reactions, and of all accounts of mechanisms without
    /// freedom, in addition to `relative` times their amounts. By default `relative` times the sum of the mechanism's weight
    /// times its size and the kinetic and elastic energy at the start; if that is tiny, a thousandth of its mass times the
    /// square of that length divided by `time`.
    pub energy: Option<f64>,
}

impl Accuracy {
    /// This relative tolerance, the rest by default.
    pub fn relative(relative: f64) -> Self {
        Accuracy { relative, length: None, angle: None, time: None, energy: None }
    }
}

impl Default for Accuracy {
    fn default() -> Self {
        Accuracy::relative(1e-8)
    }
}

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

    /// How constraints are kept from drifting.
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

    /// Starts from this state at its time, with the memory of the contacts, instead of the start that the parts of the mechanism give. From the
    /// state at the end of a run this continues the motion to the tolerance; [`resume`](Self::resume) continues it bit for bit.
    /// The energy ledger starts from zero.
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
    /// Anything that prevents a start. A run that fails later is not an error: its [`Outcome`] says why, and what
    /// was computed is kept.
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

    /// The equations, which know to what length positions are integrated.
    fn equations(&self) -> Result<Equations, Error> {
        let equations = Equations::new(&self.mechanism, self.formulation, self.drift)?;
        let length = self.length_tolerance();
        Ok(equations.resolving(length.min(COARSEST * self.play())))
    }

    /// The absolute tolerance of lengths (m).
    fn length_tolerance(&self) -> f64 {
        let size = self.mechanism.length;
        // Below the rounding of positions there is nothing to gain.
        let of_play = (self.accuracy.relative * self.play()).max(f64::EPSILON * size);
        self.accuracy.length.unwrap_or(of_play)
    }

    /// The smallest clearance, or what stands for it (m).
    fn play(&self) -> f64 {
        let size = self.mechanism.length;
        let touches = !self.mechanism.contacts.is_empty();
        let without = if touches { STOP * size } else { size };
        self.mechanism.smallest_clearance().unwrap_or(without)
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
            trajectory.push(run.t, &run.y, &run.mode); // a run that was refused keeps its start
        }
        let ledger = books.close(&self.mechanism);
        // A keeper that cannot go on has interrupted the run.
        let failed = fault.map(|(t, fault)| jointplay_ode::Outcome::Failed { fault, t });
        let outcome = Outcome::new(&equations, failed.as_ref().unwrap_or(&run.outcome));
        let (stats, late, emerged) = (run.stats, run.mode.late, run.mode.emerged);
        let snapped = run.mode.snapped;
        // Code has no fingerprint: nothing could tell whether a checkpoint belongs to it.
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

    /// What decides the bits of a run.
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

    fn options(
        &self,
        equations: &Equations,
        start: &Energy,
        driven: bool,
    ) -> Result<Options, Error> {
        let settings = [
            ("relative tolerance", self.accuracy.relative),
            ("length tolerance", self.accuracy.length.unwrap_or(1.0)),
            ("angle tolerance", self.accuracy.angle.unwrap_or(1.0)),
            ("time scale", self.accuracy.time.unwrap_or(1.0)),
            ("energy tolerance", self.accuracy.energy.unwrap_or(1.0)),
            ("max_step", self.max_step),
            ("first_step", self.first_step.unwrap_or(1.0)),
            ("restart_step", self.restart_step.unwrap_or(1.0)),
        ];
        for (name, value) in settings {
            let endless = name == "max_step" && value == f64::INFINITY;
            if !(value > 0.0 && (value.is_finite() || endless)) {
                return Err(Error::Setting { name, value, allowed: "it must be above 0" });
            }
        }
        if let Sampling::Interval(value) | Sampling::Impacts(value) = self.sampling
            && !(value > 0.0)
        {
            let name = "sampling interval";
            return Err(Error::Setting { name, value, allowed: "it must be above 0" });
        }
        if let Sampling::Times(times) = &self.sampling
            && let Some((_, &value)) = std::iter::once(&f64::NEG_INFINITY)
                .chain(times)
                .zip(times)
                .find(|(before, t)| !(*before < *t && t.is_finite()))
        {
            let name = "sampling time";
            return Err(Error::Setting { name, value, allowed: "times must be finite and ascend" });
        }
        if !(self.min_step >= 0.0) {
            let (name, value) = ("min_step", self.min_step);
            return Err(Error::Setting { name, value, allowed: "it must be 0 or more" });
        }
        if let Some(value) = self.method.fixed_step()
            && !(value > 0.0 && value.is_finite())
        {
            let name = "step of RK4";
            return Err(Error::Setting { name, value, allowed: "it must be above 0 and finite" });
        }
        for (name, value) in [("start of the run", self.from), ("end of the run", self.until)] {
            if !value.is_finite() {
                return Err(Error::Setting { name, value, allowed: "it must be finite" });
            }
        }
        if !(self.until >= self.from && (self.until - self.from).is_finite()) {
            let (name, value) = ("end of the run", self.until);
            return Err(Error::Setting { name, value, allowed: "it must not be before the start" });
        }
        Ok(Options {
            first_step: self.first_step,
            restart_step: self.restart_step,
            max_step: self.max_step,
            min_step: self.min_step,
            max_steps: self.max_steps,
            slack: equations.resolution(),
            stops: equations.breaks().into(),
            ..Options::new(self.tolerances(equations, start, driven))
        })
    }

    /// One absolute tolerance for each component of the state; `driven` where drivers determine every motion.
    fn tolerances(&self, equations: &Equations, start: &Energy, driven: bool) -> Tolerance {
        let Accuracy { relative, angle, time, energy, .. } = self.accuracy;
        let size = self.mechanism.length;
        let touches = !self.mechanism.contacts.is_empty();
        let (play, length) = (self.play(), self.length_tolerance());
        let angle = angle.unwrap_or(length / size);
        let bodies = self.mechanism.bodies.iter().map(|(_, body)| body.mass);
        let mass = bodies.sum::<f64>().max(f64::MIN_POSITIVE);
        let [gx, gy] = self.mechanism.gravity;
        let present = start.kinetic + start.elastic.abs() + start.contact.abs();
        let scale = mass * size * libm::hypot(gx, gy) + present;
        let crossing = size / (2.0 * scale / mass).sqrt();
        let usual = if touches { (CROSSINGS * crossing).min(1e-2) } else { 1.0 };
        let time = time.unwrap_or(usual.max(f64::MIN_POSITIVE));
        let speed = play / time;
        let scale = scale.max(FAINT * mass * speed * speed);
        let energy = energy.unwrap_or(relative * scale);
        let positions: Vec<f64> = equations
            .layout
            .unknowns
            .iter()
            .map(|row| if row.kind == RowKind::Angle { angle } else { length })
            .collect();
        let n = positions.len();
        let rates = positions.iter().map(|position| position / time);
        // Drift is no motion: its account is zero up to the errors of the others. Reactions are as smooth as the motion
        // that they belong to, but near singular positions the rounding of constraints is all that is left in them.
        let account = |account: &Account| match account.kind {
            AccountKind::DriftControl => UNCONTROLLED,
            AccountKind::Driver | AccountKind::JointFriction if !driven => UNCONTROLLED,
            AccountKind::Driver
            | AccountKind::Load
            | AccountKind::Damping
            | AccountKind::JointFriction
            | AccountKind::JointViscous
            | AccountKind::ContactNormal
            | AccountKind::ContactFriction
            | AccountKind::Seam
            | AccountKind::LateStart => energy,
        };
        let accounts = self.mechanism.accounts.iter().map(account);
        let contacts = self.mechanism.contacts.iter();
        let bristles = contacts.filter_map(|contact| contact.law.friction.bristle_reach());
        let bristles = bristles.map(|reach| relative * reach);
        let positions_and_rates = positions.iter().copied().chain(rates);
        let absolute: Vec<f64> = positions_and_rates.chain(bristles).chain(accounts).collect();
        // Positions have no natural origin: their magnitude says nothing about the error to admit.
        let mut relatives = vec![relative; absolute.len()];
        relatives[..n].fill(0.0);
        Tolerance::new(relatives, absolute)
    }
}
