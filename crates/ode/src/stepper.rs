//! The interface of a method, and the error measure that all methods share.
//!
//! A [`Stepper`] tries steps from its current point and interpolates inside the last one. It does
//! not choose step sizes, does not handle events and cannot change the mode: its only access to the
//! problem is [`Frozen`].

use std::ops::Range;

use crate::vector::all_finite;
use crate::{Bow, Control, Enclosure, Fault, Matrix, Stats, System, Vector};

/// A method, such as [`Dopri5`](crate::Dopri5), that can make a [`Stepper`].
pub trait Method: Copy {
    /// The working memory of the method for states of type `V`.
    type Stepper<V: Vector>: Stepper<V>;

    /// A stepper at the state `y`. All its memory is allocated here.
    fn stepper<V: Vector>(self, y: V) -> Self::Stepper<V>;
}

/// The reason why an explicit method hands a step over to an implicit one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOver {
    /// The system [rests](System::rests).
    Rest,
    /// The system is [stiff](System::stiffness).
    Stiffness,
}

/// One step method with dense output, working on states of type `V`.
///
/// The order of calls is: `restart` once, then for each trial `advance`, a projection of `end_mut` and `error`; for
/// a trial that passes `end_slope`, `prepare_dense` (if anyone will interpolate), and `accept`.
pub trait Stepper<V: Vector>: Dense {
    /// The rule that computes step sizes from errors.
    const CONTROL: Control;

    /// The size of the next step after one of size `h` that passed; the errors are logarithms, of this step and of
    /// the accepted one before it.
    #[inline]
    fn grown(&mut self, h: f64, ln_error: f64, ln_error_before: f64) -> f64 {
        let grown = || h * Self::CONTROL.after_success(ln_error, ln_error_before);
        self.fixed_step().unwrap_or_else(grown)
    }

    /// The size of the next trial after one of size `h` whose error was too great.
    #[inline]
    fn shrunk(&mut self, h: f64, ln_error: f64) -> f64 {
        h * Self::CONTROL.after_failure(ln_error)
    }

    /// The size of the next trial after one of size `h` that could not be computed.
    #[inline]
    fn retreated(&mut self, h: f64) -> f64 {
        h * Self::CONTROL.shrink
    }

    /// The size of every step, for a method without control of the error.
    #[inline]
    fn fixed_step(&self) -> Option<f64> {
        None
    }

    /// The memory of the method from step to step, except the current point and the slope there.
    #[inline]
    fn memory(&self) -> Vec<f64> {
        Vec::new()
    }

    /// Restores what [`memory`](Stepper::memory) returned, after a `restart`; `false` if it cannot belong to this method.
    #[inline]
    fn recall(&mut self, memory: &[f64]) -> bool {
        memory.is_empty()
    }

    /// In each step the guards are sampled at every second or every fourth of the 17 nodes of the guard search: this number is 2
    /// or 4. 4 resolves dense output of degree 4, 2 of degree 8.
    const NODE_STRIDE: usize;

    /// Whether [`watch_rest`](Stepper::watch_rest) does anything.
    const WATCHES_REST: bool = false;

    /// Whether [`watch_rest`](Stepper::watch_rest) wants to know the [stiffness](System::stiffness).
    #[inline]
    fn watches_stiffness(&self) -> bool {
        false
    }

    /// Receives, after a step without an event, everything that the choice of the method depends on. If it returns `true`, the method
    /// has changed, and a `restart` must follow.
    #[inline]
    fn watch_rest(&mut self, watched: Watched) -> bool {
        let _ = watched;
        false
    }

    /// The reason why another method takes the present steps, if one does.
    #[inline]
    fn handed_over(&self) -> Option<HandOver> {
        None
    }

    /// Evaluates the slope at the current point, after the start and after every transition.
    fn restart<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
    ) -> Result<(), Fault>;

    /// Tries a step of size `h` from the current point `(t, y)`; the result is
    /// [`end`](Stepper::end). A method that iterates does so until the remaining error is
    /// negligible compared with the admitted one.
    fn advance<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<(), Fault>;

    /// The mean square of the estimated error of the last trial over the admitted error: 1 just passes.
    fn error<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<f64, Fault>;

    /// Makes the slope at the end of the last trial available, if [`error`](Stepper::error) has not done so.
    fn end_slope<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault>;

    /// As [`end_slope`](Stepper::end_slope), and writes the guards at the end of the last trial.
    #[inline]
    fn end_slope_and_guards<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        g: &mut S::Guards,
    ) -> Result<(), Fault> {
        self.end_slope(problem, t, h)?;
        problem.guards(t + h, self.end(), g);
        Ok(())
    }

    /// Prepares [`Dense::interpolate`] for these components in the last trial, whose end slope is available.
    fn prepare_dense<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        parts: &[Range<usize>],
    ) -> Result<(), Fault>;

    /// Whether a stage that only serves the dense output lies in a place far less [firm](System::firmness) than both ends of the
    /// step: the dense output may be wrong although the step has passed.
    #[inline]
    fn dense_is_doubtful(&self) -> bool {
        false
    }

    /// Whether the method has a polynomial that costs no evaluation, of lower order than its dense output.
    #[inline]
    fn sketches(&self) -> bool {
        false
    }

    /// Prepares [`sketched`](Stepper::sketched) and [`bow`](Stepper::bow) for these components in the last trial,
    /// whose end slope is available. Spoils their dense output.
    #[inline]
    fn sketch(&mut self, h: f64, part: Range<usize>) {
        let _ = (h, part);
    }

    /// Writes roughly the solution inside the last trial into `y`, from the `first` component on: the polynomial plus
    /// `sign` times the estimate of its error.
    #[inline]
    fn sketched(&self, theta: f64, sign: f64, first: usize, y: &mut [f64]) {
        let _ = sign;
        self.interpolate(theta, first, y);
    }

    /// The change of a component over the last trial, and a bound of its distance from the straight line between both ends,
    /// with the bound of the error of the sketch.
    #[inline]
    fn bow(&self, component: usize) -> Bow {
        let _ = component;
        Bow::UNKNOWN
    }

    /// Encloses the solution in the last trial from `theta[0]` to `theta[1]`, from the `first` component on: the polynomial
    /// that was prepared last, the dense output or, with the bound of its error, the sketch.
    fn enclose(&self, theta: [f64; 2], sketch: bool, first: usize, y: &mut [Enclosure]);

    /// Makes the end of the last trial the current point.
    fn accept(&mut self);

    /// The current point.
    fn start(&self) -> &V;

    /// The current point, writable for a transition; a `restart` must follow.
    fn start_mut(&mut self) -> &mut V;

    /// The end of the last trial.
    fn end(&self) -> &V;

    /// The end of the last trial, writable for a projection directly after [`advance`](Stepper::advance).
    fn end_mut(&mut self) -> &mut V;

    /// The slope at the current point.
    fn start_slope(&self) -> &V;

    /// For the choice of a first step: the current point, its slope, and two vectors of working memory that hold
    /// nothing before a trial.
    fn scratch(&mut self) -> (&V, &V, &mut V, &mut V);

    /// Whether the end of the last trial and the slope there are finite.
    fn end_is_finite(&self) -> bool;

    /// The first component that is not finite in the last trial, in the order of evaluation.
    fn non_finite(&self) -> Option<usize>;

    /// The component whose estimated error in the last trial is the greatest over the admitted error.
    fn worst(&self, admitted: &Admitted<V>) -> usize;

    /// Gives the current point away.
    fn into_start(self) -> V;
}

/// What the choice of a method depends on after a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Watched {
    /// Whether the system [rests](System::rests).
    pub rests: bool,
    /// How stiff the next step is: its size times [`System::stiffness`].
    pub stiffness: f64,
    /// Its size.
    pub h: f64,
    /// As [`System::implicit_cost`].
    pub cost: f64,
}

/// A continuous solution inside one step.
pub trait Dense {
    /// Writes the solution at `t0 + theta (t1 − t0)` into `y`, from the `first` component on; `theta` in [0, 1].
    fn interpolate(&self, theta: f64, first: usize, y: &mut [f64]);
}

/// A problem whose mode is frozen, as a method sees it. Counts the evaluations.
#[derive(Debug)]
pub struct Frozen<'a, S: System> {
    /// The problem.
    pub system: &'a S,
    /// Its mode, which no step can change.
    pub mode: &'a S::Mode,
    /// Its working memory.
    pub scratch: &'a mut S::Scratch,
    /// The right-hand side is evaluated at no later time: the last one before a stop, or infinity.
    pub latest: f64,
    /// Where evaluations are counted.
    pub stats: &'a mut Stats,
}

impl<S: System> Frozen<'_, S> {
    /// The number of components of `y` that are not [quadratures](System::quadratures).
    #[inline]
    pub fn coupled(&self, y: &S::State) -> usize {
        y.as_slice().len().saturating_sub(self.system.quadratures())
    }

    /// Writes the right-hand side into `dy`.
    #[inline]
    pub fn rhs(&mut self, t: f64, y: &S::State, dy: &mut S::State) -> Result<(), Fault> {
        self.stats.evaluations += 1;
        self.system.rhs(t.min(self.latest), y, self.mode, dy, self.scratch)
    }

    /// As [`System::firmness`].
    #[inline]
    pub fn firmness(&self) -> f64 {
        self.system.firmness(self.scratch)
    }

    /// Writes the guards into `g`.
    #[inline]
    pub fn guards(&mut self, t: f64, y: &S::State, g: &mut S::Guards) {
        self.stats.guard_evaluations += 1;
        self.system.guards(t, y, self.mode, g, self.scratch);
    }

    /// Writes at least these guards into `g`.
    #[inline]
    pub fn some_guards(&mut self, t: f64, y: &S::State, which: &[usize], g: &mut S::Guards) {
        self.stats.guard_evaluations += 1;
        self.system.some_guards(t, y, self.mode, (which, g), self.scratch);
    }

    /// Writes the right-hand side into `dy` and the guards into `g`.
    #[inline]
    pub fn rhs_and_guards(
        &mut self,
        t: f64,
        y: &S::State,
        dy: &mut S::State,
        g: &mut S::Guards,
    ) -> Result<(), Fault> {
        if t > self.latest {
            self.rhs(t, y, dy)?;
            self.guards(t, y, g);
            return Ok(());
        }
        self.stats.evaluations += 1;
        self.stats.guard_evaluations += 1;
        self.system.rhs_and_guards(t, y, self.mode, (dy, g), self.scratch)
    }

    /// Writes the derivatives of the right-hand side into `jacobian`. Those of a system without a Jacobian of its own
    /// are one-sided differences; `slope` is the right-hand side at `(t, y)`, the vectors `at` and `there` are working
    /// memory.
    pub fn jacobian(
        &mut self,
        t: f64,
        (y, slope): (&S::State, &S::State),
        (at, there): (&mut S::State, &mut S::State),
        jacobian: &mut Matrix,
    ) -> Result<(), Fault> {
        self.stats.jacobians += 1;
        if S::HAS_JACOBIAN {
            jacobian.fill(0.0);
            let t = t.min(self.latest);
            return self.system.jacobian(t, y, self.mode, jacobian, self.scratch);
        }
        at.as_mut_slice().copy_from_slice(y.as_slice());
        for j in 0..y.as_slice().len() {
            let here = y.as_slice()[j];
            // Hairer, Wanner, Solving Ordinary Differential Equations II, section IV.8, code RADAU5.
            let increment = (f64::EPSILON * here.abs().max(1e-5)).sqrt();
            at.as_mut_slice()[j] = here + increment;
            if self.rhs(t, at, there).is_err() || !all_finite(there) {
                // At the edge of its domain the system may be defined on the other side.
                at.as_mut_slice()[j] = here - increment;
                self.rhs(t, at, there)?;
            }
            let increment = at.as_slice()[j] - here; // the difference after rounding
            let pairs = there.as_slice().iter().zip(slope.as_slice());
            for (entry, (there, here)) in jacobian.column_mut(j).iter_mut().zip(pairs) {
                *entry = (there - here) / increment;
            }
            at.as_mut_slice()[j] = here;
        }
        Ok(())
    }

    /// Has the system take the derivatives of the right-hand side, see [`System::linearise`].
    pub fn linearise(&mut self, t: f64, y: &S::State) -> Result<(), Fault> {
        self.stats.jacobians += 1;
        self.system.linearise(t.min(self.latest), y, self.mode, self.scratch)
    }

    /// Puts a state back onto the invariants, if the system has any.
    #[inline]
    pub fn project(&mut self, t: f64, y: &mut S::State) -> Result<(), Fault> {
        if S::PROJECTS {
            self.stats.projections += 1;
            self.system.project(t, y, self.mode, self.scratch)?;
        }
        Ok(())
    }
}

/// The admitted local error of a component, `absolute + relative · |yᵢ|`.
///
/// Give each kind of unknown its own absolute tolerance: an error of 1 µm is negligible for a crank
/// of 1 m, but large for a clearance of 10 µm.
///
/// ```
/// use jointplay_ode::Tolerance;
///
/// let same_for_all = Tolerance::new(1e-6, 1e-9);
/// let per_component = Tolerance::new([0.0, 1e-6], [1e-10, 1e-7]);
/// assert_ne!(same_for_all, per_component);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Tolerance {
    /// Relative to the greater of the component's magnitudes at both ends of the step; 0 or more, finite.
    pub relative: Level,
    /// In the unit of the component; above 0, finite.
    pub absolute: Level,
}

impl Tolerance {
    /// A tolerance from numbers, arrays or vectors.
    pub fn new(relative: impl Into<Level>, absolute: impl Into<Level>) -> Self {
        Tolerance { relative: relative.into(), absolute: absolute.into() }
    }
}

/// One number for all components, or one for each.
#[derive(Clone, Debug, PartialEq)]
pub enum Level {
    /// The same for all components.
    Uniform(f64),
    /// One for each component.
    Each(Box<[f64]>),
}

impl From<f64> for Level {
    fn from(value: f64) -> Self {
        Level::Uniform(value)
    }
}

impl<const N: usize> From<[f64; N]> for Level {
    fn from(values: [f64; N]) -> Self {
        Level::Each(Box::new(values))
    }
}

impl From<Vec<f64>> for Level {
    fn from(values: Vec<f64>) -> Self {
        Level::Each(values.into_boxed_slice())
    }
}

impl Level {
    #[inline]
    fn expand<V: Vector>(&self, len: usize) -> Result<V, Fault> {
        let mut v = V::zeros(len);
        match self {
            Level::Uniform(value) => v.as_mut_slice().fill(*value),
            Level::Each(values) if values.len() == len => v.as_mut_slice().copy_from_slice(values),
            Level::Each(values) => {
                return Err(Fault::ToleranceLength { expected: len, found: values.len() });
            }
        }
        Ok(v)
    }
}

/// A [`Tolerance`] written out for each component of a state.
#[derive(Clone, Debug)]
pub struct Admitted<V> {
    relative: V,
    absolute: V,
}

impl<V: Vector> Admitted<V> {
    /// Writes the tolerance out for `len` components and checks it.
    #[inline]
    pub fn new(tolerance: &Tolerance, len: usize) -> Result<Self, Fault> {
        let admitted = Admitted {
            relative: tolerance.relative.expand::<V>(len)?,
            absolute: tolerance.absolute.expand::<V>(len)?,
        };
        let check = |v: &V, name, good: fn(f64) -> bool| {
            let bad = v.as_slice().iter().find(|&&x| !good(x));
            bad.map_or(Ok(()), |&value| Err(Fault::Setting { name, value }))
        };
        check(&admitted.relative, "relative tolerance", |x| x >= 0.0 && x.is_finite())?;
        check(&admitted.absolute, "absolute tolerance", |x| x > 0.0 && x.is_finite())?;
        Ok(admitted)
    }

    /// The greatest relative tolerance of any component.
    pub(crate) fn greatest_relative(&self) -> f64 {
        self.relative.as_slice().iter().fold(0.0, |greatest, r| r.max(greatest))
    }

    /// The admitted errors when the step goes from `a` to `b`, component by component.
    #[inline]
    pub fn between<'a>(&'a self, a: &'a V, b: &'a V) -> impl Fn(usize) -> f64 + 'a {
        let n = a.as_slice().len();
        let (a, b) = (a.as_slice(), &b.as_slice()[..n]);
        let (relative, absolute) = (&self.relative.as_slice()[..n], &self.absolute.as_slice()[..n]);
        move |i| {
            let (u, v) = (a[i].abs(), b[i].abs());
            absolute[i] + relative[i] * if u > v { u } else { v }
        }
    }

    /// The component with the greatest error over the admitted one when the step goes from `a` to `b`.
    pub(crate) fn worst(&self, a: &V, b: &V, error: impl Fn(usize) -> f64) -> usize {
        let admitted = self.between(a, b);
        let size = |i: usize| (error(i) / admitted(i)).abs();
        // The first of equals.
        (0..a.as_slice().len()).rev().max_by(|&i, &j| size(i).total_cmp(&size(j))).unwrap_or(0)
    }

    /// The root mean square of `u − v` over the admitted error at `y`.
    pub(crate) fn distance(&self, u: &V, v: &V, y: &V) -> f64 {
        let admitted = self.between(y, y);
        let pairs = u.as_slice().iter().zip(v.as_slice());
        let sum: f64 = pairs.enumerate().map(|(i, (u, v))| ((u - v) / admitted(i)).powi(2)).sum();
        (sum / y.as_slice().len() as f64).sqrt()
    }
}
