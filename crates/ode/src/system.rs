//! The interface of a problem: its right-hand side, its guards, and the transition when a guard
//! fires.
//!
//! This module knows no method and no step size: a [`System`] cannot see whether it is evaluated by a trial
//! step, by an accepted one or by the search for an event.

use serde::{Deserialize, Serialize};

use crate::{Bow, Complex, Fault, Matrix, Parts, Stretch, Vector, exact};

/// An initial-value problem with guards, `y' = f(d; t, y)` and `g = g(d; t, y)`.
///
/// `d` is the *mode*, the discrete part of the state. Every method but [`transition`](System::transition) gets
/// it by shared reference: it is frozen inside a step, and changes only where an accepted step ends in a
/// located event.
///
/// The methods must be pure: the same `(t, y, mode)` always gives the same answer. The integrator
/// evaluates them at trial points that it may discard, and in no particular order of time. The
/// scratch memory that they get is for intermediate results; it carries nothing from one call to
/// the next.
pub trait System {
    /// The continuous unknowns `y`: `[f64; N]`, `Vec<f64>` or `Box<[f64]>`.
    type State: Vector;

    /// The discrete mode `d`; `()` for a problem without one.
    type Mode: Clone;

    /// Holds the values of all guards: `[f64; N]`, or `Vec<f64>` where the number is known at run time only.
    /// A problem without guards takes `[f64; 0]`.
    type Guards: Vector;

    /// Working memory of an evaluation, made once per run; `()` for a problem that needs none.
    type Scratch;

    /// Whether [`project`](System::project) does anything.
    const PROJECTS: bool = false;

    /// Whether [`jacobian`](System::jacobian) does anything. Where it does not, an implicit method takes differences
    /// of [`rhs`](System::rhs).
    const HAS_JACOBIAN: bool = false;

    /// Makes the working memory.
    fn scratch(&self) -> Self::Scratch;

    /// How many components at the end of the state are quadratures: neither the right-hand side nor a guard depends on
    /// them, and inside a step the state has arbitrary values there. Explicit methods leave them out of their stages.
    #[inline]
    fn quadratures(&self) -> usize {
        0
    }

    /// How many components at the beginning of the state have the same number of next ones as their derivatives: the coordinates of a
    /// system of second order. Implicit methods eliminate them from a dense matrix.
    #[inline]
    fn second_order(&self) -> usize {
        0
    }

    /// The factor by which the steps of an implicit method must be longer than usual to be worth their cost: 1 by default, more if its
    /// matrices are large and dense. [`Resting`](crate::Resting) and [`Auto`](crate::Auto) use it to choose a method.
    #[inline]
    fn implicit_cost(&self) -> f64 {
        1.0
    }

    /// The longest step from `t`, at most `h`, that resolves everything that the system prescribes
    /// as a function of time, such as a motion whose error the method does not control. Every
    /// method except those with fixed steps respects it. If it is below the resolution of time,
    /// only the error limits the step.
    #[inline]
    fn longest_step(&self, t: f64, h: f64) -> f64 {
        let _ = t;
        h
    }

    /// Whether the step that was just computed is valid for everything that the system prescribes
    /// as a function of time. An `Err` (normally [`Fault::Jump`]) ends the run at the start of the
    /// step.
    #[inline]
    fn admits(&self, from: f64, to: f64) -> Result<(), Fault> {
        let _ = (from, to);
        Ok(())
    }

    /// Whether the system rests: nothing in it moves at a relevant speed.
    /// [`Resting`](crate::Resting) calls this after each step to choose the method; the solution
    /// does not depend on it beyond the tolerance.
    #[inline]
    fn rests(&self, y: &Self::State, mode: &Self::Mode) -> bool {
        let _ = (y, mode);
        false
    }

    /// The rate (1/s) of the fastest process in the system that decays by itself, such as the damping of a contact over the mass
    /// that it slows down; 0, the default, if there is none, if it is not known, or if its result
    /// is too small for the admitted errors, so that only short steps can resolve it.
    /// [`Auto`](crate::Auto) calls this after each step to choose the method; the solution does not
    /// depend on it beyond the tolerance.
    #[inline]
    fn stiffness(
        &self,
        t: f64,
        y: &Self::State,
        mode: &Self::Mode,
        scratch: &mut Self::Scratch,
    ) -> f64 {
        let _ = (t, y, mode, scratch);
        0.0
    }

    /// How well the right-hand side was determined at the last evaluation: normally 1, and near 0
    /// close to a singular position of the constraints, which magnifies errors of `y`. The error
    /// estimate of a step includes the effect on its own stages, but not the stages that only serve
    /// the dense output. If the firmness at such a stage is far below that at both ends, the step
    /// is shortened.
    #[inline]
    fn firmness(&self, scratch: &Self::Scratch) -> f64 {
        let _ = scratch;
        1.0
    }

    /// Writes `f(d; t, y)` into `dy`.
    ///
    /// An `Err` (normally [`Fault::Rhs`]) rejects the trial step, which is tried again with a smaller size; it
    /// ends the run only where no smaller step is possible. The values that `dy` holds on entry are arbitrary.
    fn rhs(
        &self,
        t: f64,
        y: &Self::State,
        mode: &Self::Mode,
        dy: &mut Self::State,
        scratch: &mut Self::Scratch,
    ) -> Result<(), Fault>;

    /// Writes `∂f/∂y` at `(d; t, y)` into `jacobian`, which holds zeros on entry. Called by implicit methods only, and
    /// only where [`HAS_JACOBIAN`](System::HAS_JACOBIAN) is `true`; else the derivatives are one-sided differences, at
    /// one evaluation for each component. An error in it costs iterations and steps, not accuracy.
    #[inline]
    fn jacobian(
        &self,
        t: f64,
        y: &Self::State,
        mode: &Self::Mode,
        jacobian: &mut Matrix,
        scratch: &mut Self::Scratch,
    ) -> Result<(), Fault> {
        let _ = (t, y, mode, jacobian, scratch);
        Ok(())
    }

    /// Whether the system solves the linear equations of implicit methods itself, by [`linearise`](System::linearise),
    /// [`factorise`](System::factorise), [`solve_real`](System::solve_real) and
    /// [`solve_complex`](System::solve_complex): worthwhile if `∂f/∂y` is sparse. If it does not,
    /// [`jacobian`](System::jacobian) fills a dense matrix, with a cost per step of the cube of the
    /// number of components.
    #[inline]
    fn solves(&self) -> bool {
        false
    }

    /// Takes `J = ∂f/∂y` at `(d; t, y)`, and keeps it in the working memory until it is called
    /// again. Only this and the factors of [`factorise`](System::factorise) remain in working
    /// memory from one call to the next.
    #[inline]
    fn linearise(
        &self,
        t: f64,
        y: &Self::State,
        mode: &Self::Mode,
        scratch: &mut Self::Scratch,
    ) -> Result<(), Fault> {
        let _ = (t, y, mode, scratch);
        Ok(())
    }

    /// Factorises `s I − J` for a real and for a complex shift `s`; `false` if one of them is singular.
    #[inline]
    fn factorise(&self, real: f64, complex: Complex, scratch: &mut Self::Scratch) -> bool {
        let _ = (real, complex, scratch);
        false
    }

    /// Replaces `x` by the solution of `(s I − J) u = x` with the real shift.
    #[inline]
    fn solve_real(&self, x: &mut [f64], scratch: &mut Self::Scratch) {
        let _ = (x, scratch);
    }

    /// Replaces `x` by the solution of `(s I − J) u = x` with the complex shift.
    #[inline]
    fn solve_complex(&self, x: &mut [Complex], scratch: &mut Self::Scratch) {
        let _ = (x, scratch);
    }

    /// Puts the end of a step back onto the invariants `0 = c(d; t, y)` that the exact solution keeps, such as
    /// constraints. Called only where [`PROJECTS`](System::PROJECTS) is `true`.
    ///
    /// The end of every trial step is projected before its error is estimated and its slope evaluated: dense output, guards and
    /// the next step start from the projected state. The initial state and the state after a transition are not projected; the
    /// code that makes them must make them consistent. An `Err` (normally [`Fault::Projection`]) rejects the trial step as one of
    /// [`rhs`](System::rhs) does.
    #[inline]
    fn project(
        &self,
        t: f64,
        y: &mut Self::State,
        mode: &Self::Mode,
        scratch: &mut Self::Scratch,
    ) -> Result<(), Fault> {
        let _ = (t, y, mode, scratch);
        Ok(())
    }

    /// The number of guards, the same during the whole run.
    #[inline]
    fn guard_count(&self) -> usize {
        0
    }

    /// Writes the value of every guard into `g`.
    ///
    /// A guard that has no meaning in the present mode takes a constant other than zero, such as 1.
    #[inline]
    fn guards(
        &self,
        t: f64,
        y: &Self::State,
        mode: &Self::Mode,
        g: &mut Self::Guards,
        scratch: &mut Self::Scratch,
    ) {
        let _ = (t, y, mode, g, scratch);
    }

    /// Writes at least the guards with these numbers, which ascend, into `g`: the same values as from [`guards`](System::guards), for a
    /// problem with so many guards that it saves work by evaluating a few of them. Others may keep their former values.
    #[inline]
    fn some_guards(
        &self,
        t: f64,
        y: &Self::State,
        mode: &Self::Mode,
        (which, g): (&[usize], &mut Self::Guards),
        scratch: &mut Self::Scratch,
    ) {
        let _ = which;
        self.guards(t, y, mode, g, scratch);
    }

    /// Writes the right-hand side and the guards at one point: the same numbers as from
    /// [`rhs`](System::rhs) and [`guards`](System::guards), for a problem that saves work by
    /// computing both together.
    #[inline]
    fn rhs_and_guards(
        &self,
        t: f64,
        y: &Self::State,
        mode: &Self::Mode,
        (dy, g): (&mut Self::State, &mut Self::Guards),
        scratch: &mut Self::Scratch,
    ) -> Result<(), Fault> {
        self.rhs(t, y, mode, dy, scratch)?;
        self.guards(t, y, mode, g, scratch);
        Ok(())
    }

    /// The components of the state on which these guards depend, for a problem with so many of both that it saves work to
    /// follow a few of them inside a step. All that are no [quadratures](System::quadratures) by default.
    #[inline]
    fn components(&self, which: &[usize], mode: &Self::Mode, parts: &mut Parts) {
        let _ = (which, mode);
        parts.add_all();
    }

    /// Whether a guard keeps its sign in the whole step, judged from its values at both ends and the [bows](Bow) of the components
    /// that [`survey`](System::survey) uses; or is constant in this mode. Such a guard is not looked at inside the step. It is
    /// always correct to return `false`, as by default.
    #[inline]
    fn stays(
        &self,
        guard: usize,
        ends: [f64; 2],
        bow: &dyn Fn(usize) -> Bow,
        mode: &Self::Mode,
    ) -> bool {
        let _ = (guard, ends, bow, mode);
        false
    }

    /// How many components at the beginning of the state [`survey`](System::survey) uses in this
    /// mode; 0, the default, if it cannot give any bounds.
    #[inline]
    fn surveyed(&self, mode: &Self::Mode) -> usize {
        let _ = mode;
        0
    }

    /// Whether a guard with the trigger [`Above`](Trigger::Above) or [`Below`](Trigger::Below) can
    /// be beyond zero by more than `slack` anywhere in a time interval, over which time and the
    /// first components of the state can be enclosed.
    ///
    /// Samples of a guard cannot tell what it does between them; with this the integrator examines
    /// whole intervals, and divides those that are in doubt. It is always correct to return
    /// [`Survey::Doubtful`].
    #[inline]
    fn survey(
        &self,
        stretch: &Stretch<'_>,
        slack: f64,
        mode: &Self::Mode,
        scratch: &mut Self::Scratch,
    ) -> Survey {
        let _ = (stretch, slack, mode, scratch);
        Survey::Clear
    }

    /// Which zero crossings of this guard are events in this mode.
    #[inline]
    fn trigger(&self, guard: usize, mode: &Self::Mode) -> Trigger {
        let _ = (guard, mode);
        Trigger::Either
    }

    /// Writes the rounding of every guard at the state at which [`guards`](System::guards) was evaluated last: after its event a
    /// guard has not moved until it is beyond this value, and one with the trigger [`Above`](Trigger::Above) or
    /// [`Below`](Trigger::Below) is not beyond zero. 0 by default.
    #[inline]
    fn guard_roundings(
        &self,
        mode: &Self::Mode,
        rounding: &mut Self::Guards,
        scratch: &mut Self::Scratch,
    ) {
        let _ = (mode, scratch);
        rounding.as_mut_slice().fill(0.0);
    }

    /// The transition at an event: only here can the mode change and the state jump.
    ///
    /// `fired` names every guard that crosses zero at this instant, in the order of their numbers; it is never
    /// empty. `y` is the state at the event, with the accuracy of a step. An `Err` (normally
    /// [`Fault::Transition`]) ends the run.
    #[inline]
    fn transition(
        &self,
        fired: &[Crossing],
        t: f64,
        y: &mut Self::State,
        mode: &mut Self::Mode,
        scratch: &mut Self::Scratch,
    ) -> Result<Effect, Fault> {
        let _ = (fired, t, y, mode, scratch);
        Ok(Effect::Continue)
    }
}

/// Which zero crossings of a guard are events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
    /// Both.
    Either,
    /// Being above zero is itself the event, whether the guard got there by a located crossing,
    /// from a start exactly on zero, or between samples. The guard cannot be above zero at the end
    /// of a step.
    Above,
    /// Being below zero is itself the event.
    Below,
}

impl Trigger {
    /// Whether a crossing in this direction is an event.
    #[inline]
    pub fn accepts(self, direction: Direction) -> bool {
        match self {
            Trigger::Rising | Trigger::Above => direction == Direction::Rising,
            Trigger::Falling | Trigger::Below => direction == Direction::Falling,
            Trigger::Either => true,
        }
    }

    /// The side of zero (+1 or −1) that the guard cannot leave without an event; `None` if the side
    /// depends on the value of the guard.
    #[inline]
    pub(crate) fn home(self) -> Option<f64> {
        match self {
            Trigger::Above => Some(-1.0),
            Trigger::Below => Some(1.0),
            Trigger::Rising | Trigger::Falling | Trigger::Either => None,
        }
    }
}

/// The result of a survey of the guards over a time interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survey {
    /// None of them is beyond zero anywhere.
    Clear,
    /// It is not known.
    Doubtful,
    /// One is beyond zero in the middle of the interval.
    Crossed,
}

/// The direction in which a guard crossed zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Direction {
    /// From negative to positive.
    Rising,
    /// From positive to negative.
    Falling,
}

/// One guard that fired.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Crossing {
    /// The number of the guard, below [`System::guard_count`].
    pub guard: usize,
    /// The direction in which it crossed zero.
    pub direction: Direction,
    /// The value of the guard at the state handed to [`System::transition`]: zero up to rounding.
    #[serde(with = "exact")]
    pub value: f64,
}

/// How the run continues after a transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Start again from the new state and mode with a small step.
    Continue,
    /// The crossing turned out to be meaningless, and nothing changed: continue as if it had not happened. It is neither
    /// recorded nor counted.
    Unchanged,
    /// End the run here.
    Stop,
}
