//! The free impact: two bodies, one contact, no other force.
//!
//! The bench on which every contact law is judged. The motion m_eff δ̈ = −F(δ, δ̇) is integrated
//! from first contact to separation in the units of the loss-free impact (indentation, speed and their ratio),
//! so the same tolerances suit a watch and a crane. Maximum compression, the instant at which a
//! clipped force vanishes, and separation are located events.

mod motion;
mod watch;

use jointplay_contact::damping::{Approach, BeginError, Touch};
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::{NormalLaw, Tension};
use jointplay_ode::{Dop853, Dopri5, Fault, Options, Recorder, Run, RunEnd, Tolerance, drive};

use self::motion::{ALL, ImpactMotion, Mode, PLAIN, Units};
use self::watch::LoopWatch;
use crate::closed_form;

/// A free impact to be computed.
#[derive(Clone, Copy, Debug)]
pub struct Impact<'a> {
    /// The contact law.
    pub law: &'a NormalLaw,
    /// Effective mass m₁m₂/(m₁+m₂), or the mass against a wall, kg.
    pub effective_mass: f64,
    /// Approach speed δ̇₀, m/s.
    pub speed: f64,
    /// Relative tolerance of the integration.
    pub tolerance: f64,
}

/// Tolerance with which results are accurate to nine digits or more.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;

/// Tolerance above which the method of order 5 is cheaper.
const LOW_ORDER_ABOVE: f64 = 1e-8;
/// First step in units of the loss-free impact.
const FIRST_STEP: f64 = 0.02;
/// Largest ratio of the durations of separation and compression that is integrated: the steps grow in proportion.
const MAX_SLOWNESS: f64 = 2e7;
/// Steps after which an impact is given up.
const MAX_STEPS: usize = 20_000_000;
/// Time given to an impact whose restitution is not known beforehand, in its units.
const PATIENCE: f64 = 1e4;

/// A point of the loop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Time since touch, s.
    pub t: f64,
    /// Indentation δ, m.
    pub delta: f64,
    /// Rate δ̇, m/s.
    pub delta_dot: f64,
    /// Force, N.
    pub force: f64,
}

/// The result of a free impact.
#[derive(Clone, Debug, PartialEq)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "four independent flags, each reported to the user"
)]
pub struct ImpactResult {
    /// Output restitution e_N = −δ̇(end)/δ̇₀ of the integrated motion.
    pub restitution: f64,
    /// e_N of the closed form, where there is one.
    pub restitution_closed_form: Option<f64>,
    /// Largest indentation, m.
    pub max_indentation: f64,
    /// Largest force, N.
    pub max_force: f64,
    /// Indentation at the largest force, m.
    pub indentation_at_max_force: f64,
    /// Time from touch to separation, s.
    pub duration: f64,
    /// Kinetic energy lost, J.
    pub energy_lost: f64,
    /// Indentation that remains at separation, m.
    pub permanent_indentation: f64,
    /// Evaluations of the contact force by the integration.
    pub force_evaluations: usize,
    /// Whether the tension rule cut the force before separation.
    pub clipped: bool,
    /// Whether the impact went beyond the limit of the elastic law.
    pub continued: bool,
    /// Whether the impact speed was raised to the law's floor.
    pub floored: bool,
    /// Whether a speed-dependent restitution left [0, 1] and was clamped.
    pub restitution_cut: bool,
    /// Input restitution used, if the law takes one.
    pub input_restitution: Option<f64>,
    /// The loop, if it was requested.
    pub curve: Vec<Sample>,
}

/// Why an impact has no result.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ImpactError {
    /// The contact cannot start.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// No finite indentation stops the bodies.
    #[error("the law cannot absorb the impact energy of {energy} J at any finite indentation")]
    TooMuchEnergy {
        /// ½m_eff δ̇₀², J.
        energy: f64,
    },
    /// The energy is below the smallest number.
    #[error("the impact energy is too small to be represented: speed {speed} m/s, mass {mass} kg")]
    TooLittleEnergy {
        /// Impact speed, m/s.
        speed: f64,
        /// Effective mass, kg.
        mass: f64,
    },
    /// The bodies do not separate.
    #[error(
        "the bodies do not separate: after {duration:.3e} s the indentation is still {delta:.3e} m and the rate {delta_dot:.3e} m/s (a contact that may pull never ends with critical damping or more)"
    )]
    NeverParts {
        /// Time given, s.
        duration: f64,
        /// Indentation then, m.
        delta: f64,
        /// Rate then, m/s.
        delta_dot: f64,
    },
    /// Separation takes too long.
    #[error(
        "the damping is so strong that separation takes {slowness:.0e} times as long as compression, more than can be integrated; the closed form gives e_out = {closed_form:.10e}"
    )]
    TooSlow {
        /// Ratio of the two.
        slowness: f64,
        /// e_N of the closed form.
        closed_form: f64,
    },
    /// The integration failed.
    #[error(
        "the integration stopped {t:.3e} s after first contact: {fault} (time in units of the loss-free impact)"
    )]
    Integration {
        /// Time since touch, s.
        t: f64,
        /// Cause.
        fault: Fault,
    },
}

/// The essential results of an impact, without peaks and loop: the fast answer for studies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebound {
    /// Output restitution e_N = −δ̇(end)/δ̇₀.
    pub restitution: f64,
    /// Time from touch to separation, s.
    pub duration: f64,
    /// Whether the tension rule cut the force before separation.
    pub clipped: bool,
    /// Evaluations of the contact force.
    pub force_evaluations: usize,
}

impl Impact<'_> {
    /// Integrates the impact without looking for the deepest point or the largest force.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn rebound(&self) -> Result<Rebound, ImpactError> {
        let (motion, mode) = self.motion()?;
        if motion.is_plain() {
            self.bounce(&motion.with_guards::<PLAIN>(), mode)
        } else {
            self.bounce(&motion, mode)
        }
    }

    fn bounce<const G: usize>(
        &self,
        motion: &ImpactMotion<'_, G>,
        mode: Mode,
    ) -> Result<Rebound, ImpactError> {
        let run = self.solve(motion, mode, &mut ())?;
        Ok(Rebound {
            restitution: -run.y[1],
            duration: run.t * motion.units.time(),
            clipped: run.mode.ever_cut,
            force_evaluations: run.stats.evaluations,
        })
    }

    /// Integrates the impact.
    ///
    /// # Errors
    /// [`ImpactError`] if the law refuses the data or the bodies do not separate.
    pub fn run(&self) -> Result<ImpactResult, ImpactError> {
        let (motion, mode) = self.motion()?;
        if motion.is_plain() {
            self.watched(&motion.with_guards::<PLAIN>(), mode, 0.0)
        } else {
            self.watched(&motion, mode, 0.0)
        }
    }

    /// Integrates the impact and keeps the loop: `points` samples evenly in time, and the ends
    /// of the steps up to some thousands.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_with_curve(&self, points: u32) -> Result<ImpactResult, ImpactError> {
        let (motion, mode) = self.motion()?;
        // first the duration, then the samples evenly over it
        let duration = self.solve(&motion, mode, &mut ())?.t;
        self.watched(&motion, mode, duration / f64::from(points.max(2) - 1))
    }

    fn motion(&self) -> Result<(ImpactMotion<'_, ALL>, Mode), ImpactError> {
        let touch = self.law.begin(self.speed, self.effective_mass)?;
        let energy = 0.5 * self.effective_mass * self.speed * self.speed;
        let delta = self.law.elastic.indentation_of_energy(energy);
        let delta = delta.ok_or(ImpactError::TooMuchEnergy { energy })?;
        if energy < f64::MIN_POSITIVE || delta < f64::MIN_POSITIVE {
            return Err(ImpactError::TooLittleEnergy {
                speed: self.speed,
                mass: self.effective_mass,
            });
        }
        let units = Units { delta, speed: self.speed };
        Ok((ImpactMotion::new(self.law, units, self.effective_mass), Mode::at_touch(touch)))
    }

    fn solve<'a, const G: usize, R: Recorder<ImpactMotion<'a, G>>>(
        &self,
        motion: &ImpactMotion<'a, G>,
        mode: Mode,
        recorder: &mut R,
    ) -> Result<Run<ImpactMotion<'a, G>>, ImpactError> {
        let mut options = Options::new(Tolerance::new(self.tolerance, self.tolerance));
        // the force starts like a power of t: begin small, let the control grow the step
        options.first_step = Some(FIRST_STEP);
        options.max_steps = MAX_STEPS;
        let patience = self.patience(&mode.touch)?;
        let (start, span) = ([0.0, 1.0], 0.0..patience);
        let run = if self.tolerance > LOW_ORDER_ABOVE {
            drive(motion, Dopri5, start, mode, span, &options, recorder)
        } else {
            drive(motion, Dop853, start, mode, span, &options, recorder)
        };
        let Approach { delta, delta_dot } = motion.units.approach(&run.y);
        let time = run.t * motion.units.time();
        match run.outcome {
            // an overdamped contact that pulls creeps back: it crosses zero by rounding only
            RunEnd::Stopped { .. } if self.creeps(&mode.touch, -run.y[1]) => {
                Err(ImpactError::NeverParts { duration: time, delta, delta_dot })
            }
            RunEnd::Stopped { .. } => Ok(run),
            RunEnd::Failed { fault, .. } => Err(ImpactError::Integration { t: time, fault }),
            RunEnd::ReachedEnd | RunEnd::Interrupted { .. } => {
                Err(ImpactError::NeverParts { duration: time, delta, delta_dot })
            }
        }
    }

    /// Time given to the impact, in units of the loss-free one: a return at e δ̇₀ takes 1/e of them.
    fn patience(&self, touch: &Touch) -> Result<f64, ImpactError> {
        // a factor law returns with e > 1/(1+a), which is cheaper to know than e
        let slowness = match self.law.damping.factor(touch) {
            Some(a) => Some(1.0 + a),
            None => closed_form::restitution(self.law, touch, self.speed).map(|e| 1.0 / e),
        };
        match slowness {
            Some(slowness) if slowness > MAX_SLOWNESS => {
                let closed_form =
                    closed_form::restitution(self.law, touch, self.speed).unwrap_or(0.0);
                Err(ImpactError::TooSlow { slowness, closed_form })
            }
            Some(slowness) => Ok(50.0 * (1.0 + slowness)),
            None => Ok(PATIENCE),
        }
    }

    /// Whether a separation at this restitution is noise: below the tolerance, in a contact that
    /// pulls and has no known restitution.
    fn creeps(&self, touch: &Touch, restitution: f64) -> bool {
        self.law.tension == Tension::Keep
            && self.law.damping.can_pull()
            && restitution <= 10.0 * self.tolerance
            && closed_form::restitution(self.law, touch, self.speed).is_none()
    }

    fn watched<const G: usize>(
        &self,
        motion: &ImpactMotion<'_, G>,
        mode: Mode,
        spacing: f64,
    ) -> Result<ImpactResult, ImpactError> {
        let mut watch = LoopWatch::new(motion, spacing);
        let run = self.solve(motion, mode, &mut watch)?;
        let Units { delta, speed } = motion.units;
        let (restitution, time) = (-run.y[1], motion.units.time());
        let touch = run.mode.touch;
        let max_indentation = watch.turn.deepest * delta;
        let sample = |(t, y, force): &(f64, [f64; 2], f64)| {
            let Approach { delta, delta_dot } = motion.units.approach(y);
            Sample { t: t * time, delta, delta_dot, force: *force }
        };
        Ok(ImpactResult {
            restitution,
            restitution_closed_form: closed_form::restitution(self.law, &mode.touch, self.speed),
            max_indentation,
            max_force: watch.peak.0,
            indentation_at_max_force: watch.peak.1 * delta,
            duration: run.t * time,
            energy_lost: 0.5
                * self.effective_mass
                * speed
                * speed
                * (1.0 - restitution)
                * (1.0 + restitution),
            permanent_indentation: self.law.end_of_contact(&touch),
            force_evaluations: run.stats.evaluations,
            clipped: run.mode.ever_cut,
            continued: self.law.elastic.eval(max_indentation).continued,
            floored: touch.floored,
            restitution_cut: touch.restitution_cut,
            input_restitution: self.law.damping.restitution().map(|_| touch.restitution),
            curve: watch.samples.iter().map(sample).collect(),
        })
    }
}
