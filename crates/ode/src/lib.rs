//! Initial-value problems with guards.
//!
//! A problem is a [`System`]: a continuous state `y`, a discrete mode `d`, and
//!
//! ```text
//! y' = f(d; t, y)        right-hand side, pure
//! 0  = c(d; t, y)        invariants of the solution, kept by projection if the system asks for it
//! g  = g(d; t, y)        guards, pure
//! d' = 0                 the mode is frozen inside a step
//! (y, d) := τ(y, d)      transition, only where an accepted step ends on a zero of a guard
//! ```
//!
//! [`drive`] integrates it. A trial step cannot change the mode, because only [`System::transition`] has mutable
//! access to it, and a transition happens only at a located event: the run continues from there as a new
//! initial-value problem. The reason for the end of a run is a value, [`RunEnd`], and comes with the state reached.
//!
//! A step from `(t, y)` is `y₁ = P(Φ(h; t, y))`: the method `Φ`, then [`System::project`] back onto `c = 0`. The error,
//! the slope at the end, the dense output and the guards belong to the projected `y₁`, and so does the step that ends
//! in an event: everything that is recorded belongs to one trajectory. A projection moves `y₁` by
//! the order of the local error, so a method keeps its order; it costs no evaluation.
//!
//! # A bouncing ball
//!
//! ```
//! use jointplay_ode::{Crossing, Dopri5, Effect, Fault, Options, System, Tolerance, Trigger, drive};
//!
//! /// Height and velocity under gravity; the mode counts the bounces.
//! struct Ball { gravity: f64, restitution: f64 }
//!
//! impl System for Ball {
//!     type State = [f64; 2];
//!     type Mode = u32;
//!     type Guards = [f64; 1];
//!     type Scratch = ();
//!
//!     fn scratch(&self) {}
//!     fn rhs(&self, _t: f64, y: &[f64; 2], _: &u32, dy: &mut [f64; 2], (): &mut ()) -> Result<(), Fault> {
//!         *dy = [y[1], -self.gravity];
//!         Ok(())
//!     }
//!     fn guard_count(&self) -> usize {
//!         1
//!     }
//!     fn guards(&self, _t: f64, y: &[f64; 2], _: &u32, g: &mut [f64; 1], (): &mut ()) {
//!         *g = [y[0]];
//!     }
//!     fn trigger(&self, _guard: usize, _bounces: &u32) -> Trigger {
//!         Trigger::Falling
//!     }
//!     fn transition(
//!         &self,
//!         _: &[Crossing],
//!         _t: f64,
//!         y: &mut [f64; 2],
//!         bounces: &mut u32,
//!         (): &mut (),
//!     ) -> Result<Effect, Fault> {
//!         *bounces += 1;
//!         y[1] *= -self.restitution;
//!         Ok(if *bounces == 3 { Effect::Stop } else { Effect::Continue })
//!     }
//! }
//!
//! let ball = Ball { gravity: 10.0, restitution: 0.5 };
//! let options = Options::new(Tolerance::new(1e-9, 1e-12));
//! let run = drive(&ball, Dopri5, [5.0, 0.0], 0, 0.0..9.0, &options, &mut ());
//!
//! // The ball falls for 1 s, then flies for 1 s and for 1/2 s.
//! assert_eq!(run.mode, 3);
//! assert!((run.t - 2.5).abs() < 1e-12);
//! assert!(run.y[0].abs() < 1e-12);
//! ```
//!
//! # Events
//!
//! A guard fires where it crosses zero in a direction that its [`Trigger`] accepts.
//!
//! - *Armed by leaving zero.* A guard is on one side of zero, and fires when it goes to the other.
//!   A guard that is exactly zero at the start of a run has no side; it takes one when it leaves
//!   zero, and this is not an event. The same holds after a transition for a guard that fired and
//!   was left where it was. Any other guard takes the sign that it has after the transition. Use one
//!   guard for a surface in all modes, with a trigger that depends on the mode, and not two guards
//!   that vanish at the same place.
//! - *Touching is not crossing.* A guard that comes to zero and goes back, or comes within 1e-13 of its greatest
//!   value in the step, does not fire. A guard that is zero exactly where a step ends fires, or not, in the next.
//! - *Inside the step.* Guards are sampled along the dense output, and each dip towards zero is followed to its
//!   bottom. An excursion to the other side and back is found, however short it is, if it is deeper
//!   than 1e-13 of the greatest value of the guard in the step; this holds for a guard that is smooth
//!   on the scale of the step: with at most one extremum between neighbouring samples, and that no
//!   sharper than that of a parabola. One that begins where the guard was left by its own event is
//!   found if it lasts 1e-6 of the step. A guard that oscillates faster without an effect on the
//!   state needs [`Options::max_step`].
//! - *A bound that cannot be passed.* A guard with the trigger [`Above`](Trigger::Above) or [`Below`](Trigger::Below) has
//!   only one side of zero: being beyond it by more than [rounding](System::guard_roundings) is
//!   itself the event, with or without a visible crossing, and no step is accepted with the guard
//!   beyond zero at its end. Such guards are not only sampled inside a step: if the system can
//!   [enclose](System::survey) them, the whole step is proved to be clear, and a step that is too
//!   long for that is shortened. Every excursion deeper than [`Options::slack`] is found, however
//!   short.
//! - *Located by a step.* The event is found on the dense output, and then the step is taken again to end there;
//!   its size is corrected until the guard vanishes to the precision of `t`. The state at an event has the
//!   accuracy of a step.
//! - *Together.* Guards that cross within 1e-10 of the step are reported in one transition.
//!
//! Events that accumulate end the run with [`Fault::ZenoEvents`], and endless repetitions of one event with
//! [`Fault::Chatter`].
//!
//! # Stops, pauses, failures
//!
//! At each of [`Options::stops`] a step ends exactly, to the bit, and the integration restarts. A
//! [`Recorder`] may interrupt a run between two steps; [`Run::checkpoint`] is plain data, and
//! [`resume`] continues from it with the same bits as an uninterrupted run. A run that cannot
//! continue, or would need an infeasible number of steps, ends with a [`Fault`].
//!
//! # Methods
//!
//! | method | order | error estimate | dense output | evaluations per step |
//! |---|---|---|---|---|
//! | [`Dopri5`] | 5 | 4 | 4 | 6 |
//! | [`Dop853`] | 8 | 5 and 3 | 7 | 12, with dense output or where a guard may be near zero 15 |
//! | [`Rkf45`] | 4 | 5 | 4 | 6 |
//! | [`Rk4`] | 4 | none, fixed step | 3 | 4 |
//! | [`Radau5`] | 5, implicit | 3 | 3 | 1, and 3 for each iteration |
//!
//! The first four are explicit: a stiff problem forces them to take small steps. [`Resting`] turns an explicit method into one
//! that hands a system at rest over to [`Radau5`], [`Auto`] into one that does so with a stiff system, too. Time runs forward only; delays and
//! algebraic equations cannot be expressed.

// docs/adr/0015: the page and the program give the same bits.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

/// The start of a trial step and its end, of a stepper that keeps them in `y` and `end`.
macro_rules! ends {
    () => {
        #[inline]
        fn start(&self) -> &V {
            &self.y
        }

        #[inline]
        fn start_mut(&mut self) -> &mut V {
            &mut self.y
        }

        #[inline]
        fn end(&self) -> &V {
            &self.end
        }

        #[inline]
        fn end_mut(&mut self) -> &mut V {
            &mut self.end
        }

        #[inline]
        fn into_start(self) -> V {
            self.y
        }
    };
}

mod checkpoint;
mod control;
mod course;
mod drive;
mod enclosure;
mod exact;
mod fault;
mod guard;
mod implicit;
mod matrix;
mod record;
mod resting;
mod rk;
mod run;
mod stepper;
mod stretch;
mod system;
mod vector;

pub use checkpoint::Checkpoint;
pub use control::Control;
pub use drive::{drive, resume};
pub use enclosure::Enclosure;
pub use fault::{Fault, Part};
pub use implicit::{Complex, Radau5, Scalar};
pub use matrix::Matrix;
pub use record::{Event, EveryStep, Recorder, Segment, Wanted};
pub use resting::{Auto, Resting};
pub use rk::{Dop853, Dopri5, Rk4, Rkf45};
pub use run::{Options, Run, RunEnd, Stats};
pub use stepper::{Admitted, Dense, Frozen, HandOver, Level, Method, Stepper, Tolerance, Watched};
pub use stretch::{Bow, Parts, Stretch};
pub use system::{Crossing, Direction, Effect, Survey, System, Trigger};
pub use vector::Vector;

/// SHA-256 of the sources of this crate. Results contain it, so that they identify the engine that
/// made them.
pub const SOURCE_HASH: &str = env!("SOURCE_HASH");
