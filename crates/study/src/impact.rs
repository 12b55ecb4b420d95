//! The free impact: two bodies, one contact, no other force.
//!
//! The bench on which every contact law is judged. The motion m_eff δ̈ = −F(δ, δ̇) is integrated
//! from touch to separation in the units of the loss-free impact (depth, speed and their ratio),
//! so the same tolerances suit a watch and a crane. Maximum compression, the instant at which a
//! clipped force vanishes, and separation are located events.

use jointplay_contact::damping::{Approach, BeginError, Stage, Touch};
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::{NormalLaw, Tension};
use jointplay_ode::{
    Crossing, Dop853, Dopri5, Effect, Event, Fault, Options, Outcome, Recorder, Run, Segment, System, Tolerance,
    Trigger, drive,
};

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

/// Tolerance with which results are good to nine digits and more.
pub const DEFAULT_TOLERANCE: f64 = 1e-12;

/// Tolerance above which the method of order 5 is the cheaper one.
const LOW_ORDER_ABOVE: f64 = 1e-8;
/// First step in units of the loss-free impact.
const FIRST_STEP: f64 = 0.02;
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

/// What a free impact did.
#[derive(Clone, Debug, PartialEq)]
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
    /// Input restitution used, if the law takes one.
    pub input_restitution: Option<f64>,
    /// The loop, if asked for.
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
    #[error("no finite indentation absorbs the impact energy of {energy} J")]
    TooMuchEnergy {
        /// ½m_eff δ̇₀², J.
        energy: f64,
    },
    /// The bodies do not part.
    #[error(
        "the bodies do not part: after {duration} s the indentation is still {delta} m and the rate {delta_dot} m/s (overdamped; an adhesive contact with critical damping or more never ends)"
    )]
    NeverParts {
        /// Time given, s.
        duration: f64,
        /// Indentation then, m.
        delta: f64,
        /// Rate then, m/s.
        delta_dot: f64,
    },
    /// The integration failed.
    #[error("the integration stopped {t} s after touch: {fault}")]
    Integration {
        /// Time since touch, s.
        t: f64,
        /// Cause.
        fault: Fault,
    },
}

/// Units in which the motion is integrated.
#[derive(Clone, Copy, Debug)]
struct Units {
    /// Depth of the loss-free impact, m.
    depth: f64,
    /// δ̇₀, m/s.
    speed: f64,
}

impl Units {
    fn time(&self) -> f64 {
        self.depth / self.speed
    }

    fn approach(&self, y: &[f64; 2]) -> Approach {
        Approach { delta: y[0] * self.depth, delta_dot: y[1] * self.speed }
    }
}

/// The motion as an initial-value problem: y = (δ/depth, δ̇/speed).
struct Motion<'a> {
    law: &'a NormalLaw,
    units: Units,
    /// depth/(m_eff speed²): force to scaled acceleration.
    mobility: f64,
    /// Scaled depth from which the elastic law is continued, if the impact can reach it.
    joint: Option<f64>,
}

/// What is frozen between events.
#[derive(Clone, Copy, Debug)]
struct Mode {
    touch: Touch,
    /// The force would pull and is cut to zero: the bodies fly apart. Where damping fades faster
    /// than the spring they meet again before separation.
    clipped: bool,
    /// The force was cut at some time.
    ever_clipped: bool,
    /// Deepest point, scaled; set at maximum compression.
    deepest: f64,
}

/// Guards by number.
const TURN: usize = 0;
/// The force before the tension rule: falls through 0 where the bodies let go.
const PULL: usize = 1;
const PART: usize = 2;
/// The slope of the force bends where a law is continued: a step must end there.
const JOINT: usize = 3;

impl System for Motion<'_> {
    type State = [f64; 2];
    type Mode = Mode;
    type Guards = [f64; 4];

    #[inline]
    fn rhs(&self, _t: f64, y: &[f64; 2], mode: &Mode, dy: &mut [f64; 2]) -> Result<(), Fault> {
        let force = if mode.clipped { 0.0 } else { self.law.unclipped(self.units.approach(y), &mode.touch) };
        dy[0] = y[1];
        dy[1] = -self.mobility * force;
        Ok(())
    }

    fn guard_count(&self) -> usize {
        4
    }

    #[inline]
    fn guards(&self, _t: f64, y: &[f64; 2], mode: &Mode, g: &mut [f64; 4]) {
        *g = [1.0; 4];
        if let Some(joint) = self.joint {
            g[JOINT] = y[0] - joint;
        }
        if mode.touch.stage == Stage::Compression {
            g[TURN] = y[1];
        } else {
            g[PART] = y[0] - self.law.end_of_contact(&mode.touch) / self.units.depth;
            if self.law.tension == Tension::Clip && self.law.damping.can_pull() {
                g[PULL] = self.mobility * self.law.unclipped(self.units.approach(y), &mode.touch);
            }
        }
    }

    fn trigger(&self, guard: usize, mode: &Mode) -> Trigger {
        match guard {
            JOINT => Trigger::Either,
            PULL if mode.clipped => Trigger::Rising,
            _ => Trigger::Falling,
        }
    }

    fn transition(&self, fired: &[Crossing], _t: f64, y: &mut [f64; 2], mode: &mut Mode) -> Effect {
        for crossing in fired {
            match crossing.guard {
                TURN => {
                    mode.deepest = y[0];
                    mode.touch = self.law.turned(mode.touch, y[0] * self.units.depth);
                }
                PULL => {
                    mode.clipped = !mode.clipped;
                    mode.ever_clipped = true;
                }
                JOINT => {}
                _ => return Effect::Stop,
            }
        }
        Effect::Continue
    }
}

/// Finds the largest force, and keeps the loop if asked.
struct Watch<'a, 'b> {
    motion: &'a Motion<'b>,
    /// (force [N], scaled depth) of the largest force so far.
    peak: (f64, f64),
    /// dF/dt at the end of the last step.
    rate: f64,
    /// Spacing of the samples of the loop in scaled time; 0 for none.
    spacing: f64,
    next: f64,
    samples: Vec<(f64, [f64; 2], f64)>,
}

impl Watch<'_, '_> {
    fn force(&self, y: &[f64; 2], mode: &Mode) -> f64 {
        if mode.clipped { 0.0 } else { self.motion.law.force(self.motion.units.approach(y), &mode.touch) }
    }

    /// dF/dt along the motion, in scaled time.
    fn force_rate(&self, y: &[f64; 2], mode: &Mode) -> f64 {
        let f = self.motion.law.eval(self.motion.units.approach(y), &mode.touch);
        let Units { depth, speed } = self.motion.units;
        f.slope * y[1] * depth - f.rate * self.motion.mobility * f.total * speed
    }

    /// The peak inside a step over which dF/dt changes its sign: regula falsi (Illinois).
    fn consider_inside(&mut self, segment: &Segment<'_, Motion<'_>>, rates: (f64, f64)) {
        let (mut low, mut high) = ((segment.t0, rates.0), (segment.t1, rates.1));
        let mut y = *segment.y0;
        for _ in 0..40 {
            let t = low.0 + (high.0 - low.0) * low.1 / (low.1 - high.1);
            segment.eval(t, &mut y);
            let rate = self.force_rate(&y, segment.mode);
            // the force is flat here and long known; its depth is as good as the time
            if rate.abs() < 1e-11 * rates.0.min(-rates.1) {
                break;
            }
            if rate > 0.0 {
                (low, high.1) = ((t, rate), 0.5 * high.1);
            } else {
                (high, low.1) = ((t, rate), 0.5 * low.1);
            }
        }
        self.consider(&y, segment.mode);
    }

    fn consider(&mut self, y: &[f64; 2], mode: &Mode) {
        let force = self.force(y, mode);
        if force > self.peak.0 {
            self.peak = (force, y[0]);
        }
    }
}

impl<'b> Recorder<Motion<'b>> for Watch<'_, 'b> {
    fn start(&mut self, t: f64, y: &[f64; 2], mode: &Mode) {
        self.consider(y, mode);
        // touch: the force only starts to grow, or jumps up and is the peak itself
        self.rate = 1.0;
        if self.spacing > 0.0 {
            self.samples.push((t, *y, self.force(y, mode)));
            self.next = self.spacing;
        }
    }

    fn step(&mut self, segment: &Segment<'_, Motion<'b>>) {
        let mode = segment.mode;
        self.consider(segment.y1, mode);
        let (before, after) = (self.rate, if mode.clipped { 0.0 } else { self.force_rate(segment.y1, mode) });
        self.rate = after;
        if before > 0.0 && after < 0.0 {
            self.consider_inside(segment, (before, after));
        }
        while self.spacing > 0.0 && self.next < segment.t1 {
            let mut y = [0.0; 2];
            segment.eval(self.next, &mut y);
            self.samples.push((self.next, y, self.force(&y, mode)));
            self.next += self.spacing;
        }
        // the steps are short where the force bends: their ends belong to the picture
        if self.spacing > 0.0 {
            self.samples.push((segment.t1, *segment.y1, self.force(segment.y1, mode)));
        }
    }

    fn event(&mut self, event: &Event<'_, Motion<'b>>) {
        self.rate = self.force_rate(event.y, event.mode);
        if self.spacing > 0.0 {
            // both sides of a jump: the last sample before, this one after
            self.samples.push((event.t, *event.y, self.force(event.y, event.mode)));
        }
    }
}

/// What is left of an impact when nobody watches it: the fast answer of studies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rebound {
    /// Output restitution e_N = −δ̇(end)/δ̇₀.
    pub restitution: f64,
    /// Largest indentation, m.
    pub max_indentation: f64,
    /// Time from touch to separation, s.
    pub duration: f64,
    /// Whether the tension rule cut the force before separation.
    pub clipped: bool,
    /// Evaluations of the contact force.
    pub force_evaluations: usize,
}

impl Impact<'_> {
    /// Integrates the impact without looking for the largest force.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn rebound(&self) -> Result<Rebound, ImpactError> {
        let (motion, mode) = self.motion()?;
        let run = self.solve(&motion, mode, &mut ())?;
        Ok(Rebound {
            restitution: -run.y[1],
            max_indentation: run.mode.deepest * motion.units.depth,
            duration: run.t * motion.units.time(),
            clipped: run.mode.ever_clipped,
            force_evaluations: run.stats.evaluations,
        })
    }

    /// Integrates the impact.
    ///
    /// # Errors
    /// [`ImpactError`] if the law refuses the data or the bodies do not part.
    pub fn run(&self) -> Result<ImpactResult, ImpactError> {
        self.integrate(0)
    }

    /// Integrates the impact and keeps the loop: `points` samples evenly in time, and the ends
    /// of all steps.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_with_curve(&self, points: u32) -> Result<ImpactResult, ImpactError> {
        // first the duration, then the samples evenly over it
        self.integrate(points.max(2))
    }

    fn motion(&self) -> Result<(Motion<'_>, Mode), ImpactError> {
        let touch = self.law.begin(self.speed, self.effective_mass)?;
        let energy = 0.5 * self.effective_mass * self.speed * self.speed;
        let depth = self.law.elastic.indentation_of_energy(energy).filter(|d| *d > 0.0);
        let depth = depth.ok_or(ImpactError::TooMuchEnergy { energy })?;
        let units = Units { depth, speed: self.speed };
        let mobility = depth / (self.effective_mass * self.speed * self.speed);
        let joint = self.joint(depth).map(|joint| joint / depth);
        Ok((Motion { law: self.law, units, mobility, joint }, Mode { touch, clipped: false, ever_clipped: false, deepest: 0.0 }))
    }

    /// Depth at which the law's continuation begins, if it begins above `depth`.
    fn joint(&self, depth: f64) -> Option<f64> {
        let continued = |delta: f64| self.law.elastic.eval(delta).continued;
        if !continued(depth) {
            return None;
        }
        let (mut low, mut high) = (0.0, depth);
        // to the last bit: no number lies between
        while low < 0.5 * (low + high) && 0.5 * (low + high) < high {
            let middle = 0.5 * (low + high);
            if continued(middle) { high = middle } else { low = middle }
        }
        Some(high)
    }

    fn solve<'a, R: Recorder<Motion<'a>>>(
        &self,
        motion: &Motion<'a>,
        mode: Mode,
        recorder: &mut R,
    ) -> Result<Run<Motion<'a>>, ImpactError> {
        let mut options = Options::new(Tolerance::new(self.tolerance, self.tolerance));
        // the force starts like a power of t: begin small, let the control grow the step
        options.first_step = Some(FIRST_STEP);
        options.max_steps = MAX_STEPS;
        // a factor law returns at e δ̇₀ with e > 1/(1+a), which takes at most 1/e of the units of time
        let patience = self.law.damping.factor(&mode.touch).map_or(PATIENCE, |a| 50.0 * (2.0 + a));
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
            Outcome::Stopped { .. } if self.creeps(&mode.touch, -run.y[1]) => {
                Err(ImpactError::NeverParts { duration: time, delta, delta_dot })
            }
            Outcome::Stopped { .. } => Ok(run),
            Outcome::Failed { fault, .. } => Err(ImpactError::Integration { t: time, fault }),
            Outcome::ReachedEnd => Err(ImpactError::NeverParts { duration: time, delta, delta_dot }),
        }
    }

    /// Whether a separation at this restitution is noise: below the tolerance, in a contact that
    /// pulls and has no known restitution.
    fn creeps(&self, touch: &Touch, restitution: f64) -> bool {
        self.law.tension == Tension::Keep
            && self.law.damping.can_pull()
            && restitution <= 10.0 * self.tolerance
            && closed_form::restitution(self.law, touch).is_none()
    }

    fn integrate(&self, points: u32) -> Result<ImpactResult, ImpactError> {
        let (motion, mode) = self.motion()?;
        let mut watch = Watch { motion: &motion, peak: (0.0, 0.0), rate: 0.0, spacing: 0.0, next: 0.0, samples: Vec::new() };
        if points > 0 {
            let first = self.solve(&motion, mode, &mut ())?;
            watch.spacing = first.t / f64::from(points - 1);
        }
        let run = self.solve(&motion, mode, &mut watch)?;
        let Units { depth, speed } = motion.units;
        let restitution = -run.y[1];
        let time = motion.units.time();
        let touch = run.mode.touch;
        let max_indentation = run.mode.deepest * depth;
        Ok(ImpactResult {
            restitution,
            restitution_closed_form: closed_form::restitution(self.law, &mode.touch),
            max_indentation,
            max_force: watch.peak.0,
            indentation_at_max_force: watch.peak.1 * depth,
            duration: run.t * time,
            energy_lost: 0.5 * self.effective_mass * speed * speed * (1.0 - restitution) * (1.0 + restitution),
            permanent_indentation: self.law.end_of_contact(&touch),
            force_evaluations: run.stats.evaluations,
            clipped: run.mode.ever_clipped,
            continued: self.law.elastic.eval(max_indentation).continued,
            floored: touch.floored,
            input_restitution: self.law.damping.restitution().map(|_| touch.restitution),
            curve: watch
                .samples
                .iter()
                .map(|(t, y, force)| {
                    let Approach { delta, delta_dot } = motion.units.approach(y);
                    Sample { t: t * time, delta, delta_dot, force: *force }
                })
                .collect(),
        })
    }
}
