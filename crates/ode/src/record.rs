//! Recording a run: accepted steps with their dense output, and events.

use std::ops::ControlFlow;

use crate::stepper::Dense;
use crate::{Crossing, System, Vector};

/// Receives every accepted step and every event of a run, in the order of time.
///
/// A recorder that returns [`ControlFlow::Break`] interrupts the run before the next step; the
/// transition of an event at the end of this step is still made. The run ends with
/// [`RunEnd::Interrupted`](crate::RunEnd::Interrupted).
///
/// `()` is a recorder that records nothing; [`EveryStep`] keeps every state that the integrator passes through.
pub trait Recorder<S: System> {
    /// Whether [`Segment::eval`] or [`Segment::eval_coupled`] will be called. If it is `false` and
    /// no guard comes near zero, a method whose dense output costs evaluations
    /// ([`Dop853`](crate::Dop853)) omits them.
    const DENSE: bool = true;

    /// The part of the dense output of the coming step that will be needed if it ends at `t1`. If an
    /// event ends it earlier, this is asked again for the time of the event.
    #[inline]
    fn wants_dense(&self, t1: f64) -> Wanted {
        let _ = t1;
        if Self::DENSE { Wanted::All } else { Wanted::Nothing }
    }

    /// The run begins.
    fn start(&mut self, t: f64, y: &S::State, mode: &S::Mode) {
        let _ = (t, y, mode);
    }

    /// A step was accepted. A step that ends in an event ends before the transition.
    fn step(&mut self, segment: &Segment<'_, S>) -> ControlFlow<()>;

    /// A transition took place.
    fn event(&mut self, event: &Event<'_, S>) -> ControlFlow<()> {
        let _ = event;
        ControlFlow::Continue(())
    }
}

/// Which part of the dense output of a step is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// None.
    Nothing,
    /// The components before the [quadratures](System::quadratures), by [`Segment::eval_coupled`].
    Coupled,
    /// All, by [`Segment::eval`].
    All,
}

/// One accepted step.
pub struct Segment<'a, S: System> {
    /// Start of the step.
    pub t0: f64,
    /// End of the step, above `t0`.
    pub t1: f64,
    /// State at `t0`.
    pub y0: &'a S::State,
    /// State at `t1`.
    pub y1: &'a S::State,
    /// The mode during the step.
    pub mode: &'a S::Mode,
    pub(crate) dense: &'a dyn Dense,
}

impl<S: System> Segment<'_, S> {
    /// Writes the state at the time `t` in [`t0`, `t1`] into `y`, by the dense output of the method.
    ///
    /// Only for a recorder with [`Recorder::DENSE`]; for any other the values are meaningless.
    pub fn eval(&self, t: f64, y: &mut S::State) {
        self.eval_coupled(t, y.as_mut_slice());
    }

    /// As [`eval`](Self::eval) for the first components, as many as `y` has: none of the
    /// [quadratures](System::quadratures) if the recorder wanted only [`Wanted::Coupled`].
    pub fn eval_coupled(&self, t: f64, y: &mut [f64]) {
        self.dense.interpolate((t - self.t0) / (self.t1 - self.t0), 0, y);
    }
}

/// A located event, after its transition. The state before it is the end of the step that led to it.
pub struct Event<'a, S: System> {
    /// The time of the event.
    pub t: f64,
    /// The guards that fired.
    pub fired: &'a [Crossing],
    /// The state after the transition.
    pub y: &'a S::State,
    /// The mode after the transition.
    pub mode: &'a S::Mode,
}

impl<S: System> Recorder<S> for () {
    const DENSE: bool = false;

    #[inline]
    fn step(&mut self, _segment: &Segment<'_, S>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Keeps the start, the end of every accepted step and the state after every transition.
///
/// At an event two rows share one time: the state before and the state after the transition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EveryStep<V> {
    /// The times.
    pub t: Vec<f64>,
    /// The states at these times.
    pub y: Vec<V>,
    /// The time of each event, with one entry for each guard that fired.
    pub events: Vec<(f64, Crossing)>,
}

impl<V> EveryStep<V> {
    /// An empty record.
    pub fn new() -> Self {
        EveryStep { t: Vec::new(), y: Vec::new(), events: Vec::new() }
    }

    fn push(&mut self, t: f64, y: V) {
        self.t.push(t);
        self.y.push(y);
    }
}

impl<V: Vector, S: System<State = V>> Recorder<S> for EveryStep<V> {
    const DENSE: bool = false;

    fn start(&mut self, t: f64, y: &V, _mode: &S::Mode) {
        self.push(t, y.clone());
    }

    fn step(&mut self, segment: &Segment<'_, S>) -> ControlFlow<()> {
        self.push(segment.t1, segment.y1.clone());
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &Event<'_, S>) -> ControlFlow<()> {
        self.push(event.t, event.y.clone());
        let located = event.fired.iter().map(|&crossing| (event.t, crossing));
        self.events.extend(located);
        ControlFlow::Continue(())
    }
}
