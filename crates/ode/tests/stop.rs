//! Stops, interruptions and the faults that a system names.

use std::ops::ControlFlow;

use crate::problems::{Ball, Plain, tolerance};
use jointplay_ode::{
    Crossing, Dopri5, Effect, Event, EveryStep, Fault, Method, Options, Part, Recorder, RunEnd,
    Segment, System, drive,
};

/// A rate that jumps at each stop, and is counted to what follows.
fn jumps<M: Method>(method: M) {
    // One stop that no step of a round size meets, two neighbours, some outside the span.
    let stops = [-1.0, 0.1, std::f64::consts::FRAC_1_PI, 0.7, 0.7_f64.next_up(), 2.0];
    let rate = |t: f64| stops.iter().filter(|stop| **stop <= t).count() as f64;
    let system = Plain(|t: f64, _: &[f64; 1]| [rate(t)]);
    let options = Options { stops: stops.into(), ..tolerance(1e-9) };
    let mut record = EveryStep::new();
    let run = drive(&system, method, [0.0], (), 0.0..1.5, &options, &mut record);
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    assert_eq!(run.stats.rejected, 0, "no step sees a jump");
    for stop in &stops[1..5] {
        assert!(record.t.contains(stop), "{stop}");
    }
    // One from the start, one more from each stop.
    let exact = 1.5 + 1.4 + (1.5 - std::f64::consts::FRAC_1_PI) + 2.0 * 0.8;
    assert!((run.y[0] - exact).abs() < 1e-13, "{}", run.y[0]);
}

#[test]
fn exact_jumps_at_stops_cost_no_step() {
    each_method!(method, 0.04 => jumps(method));
}

#[test]
fn exact_bounces_are_the_same_across_stops() {
    let ball = Ball { gravity: 9.81, restitution: 0.7, max_bounces: 5 };
    let bounces: Vec<f64> = ball.bounces(1.0).take(5).collect();
    // Between bounces, and on one of them up to rounding.
    let stops = [0.2, bounces[1], bounces[2] + 1e-3].into();
    let options = Options { stops, ..tolerance(1e-10) };
    each_method!(method, 0.01 => {
        let mut record = EveryStep::new();
        let run = drive(&ball, method, [1.0, 0.0], 0, 0.0..1e3, &options, &mut record);
        assert!(matches!(run.outcome, RunEnd::Stopped { .. }));
        assert_eq!(record.events.len(), 5);
        for ((t, _), exact) in record.events.iter().zip(&bounces) {
            assert!((t - exact).abs() < 1e-12 * exact, "{t} for {exact}");
        }
    });
}

/// Interrupts a run after so many steps, or at the first event.
struct Patience {
    steps: usize,
    events: usize,
}

impl<S: System> Recorder<S> for Patience {
    const DENSE: bool = false;
    fn step(&mut self, _: &Segment<'_, S>) -> ControlFlow<()> {
        self.steps -= 1;
        if self.steps == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn event(&mut self, _: &Event<'_, S>) -> ControlFlow<()> {
        self.events -= 1;
        if self.events == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn property_a_recorder_interrupts() {
    let system = Plain(|_t: f64, y: &[f64; 2]| [y[1], -y[0]]);
    let mut patience = Patience { steps: 7, events: 1 };
    let run = drive(&system, Dopri5, [1.0, 0.0], (), 0.0..9.0, &tolerance(1e-9), &mut patience);
    assert_eq!(run.outcome, RunEnd::Interrupted { t: run.t });
    assert_eq!(run.stats.accepted, 7);
    let ball = Ball { gravity: 9.81, restitution: 0.7, max_bounces: 5 };
    let mut patience = Patience { steps: 1000, events: 2 };
    let run = drive(&ball, Dopri5, [1.0, 0.0], 0, 0.0..9.0, &tolerance(1e-9), &mut patience);
    assert_eq!(run.outcome, RunEnd::Interrupted { t: run.t });
    assert_eq!((run.mode, run.stats.events), (2, 2));
    assert!(run.y[1] > 0.0, "after the transition");
}

/// A ball whose floor breaks at the second bounce.
struct Brittle;

impl System for Brittle {
    type State = [f64; 2];
    type Mode = usize;
    type Guards = [f64; 1];
    type Scratch = Vec<f64>;

    fn scratch(&self) -> Vec<f64> {
        vec![0.0]
    }
    fn rhs(
        &self,
        _t: f64,
        y: &[f64; 2],
        _mode: &usize,
        dy: &mut [f64; 2],
        scratch: &mut Vec<f64>,
    ) -> Result<(), Fault> {
        scratch[0] = -9.81;
        *dy = [y[1], scratch[0]];
        Ok(())
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&self, _t: f64, y: &[f64; 2], _: &usize, g: &mut [f64; 1], _: &mut Vec<f64>) {
        *g = [y[0]];
    }
    fn transition(
        &self,
        fired: &[Crossing],
        t: f64,
        y: &mut [f64; 2],
        mode: &mut usize,
        _: &mut Vec<f64>,
    ) -> Result<Effect, Fault> {
        if *mode == 1 {
            let (reason, part) = ("the floor breaks", fired[0].guard);
            return Err(Fault::Transition { t, reason, part: Part { kind: "wall", index: part } });
        }
        *mode += 1;
        y[1] *= -0.5;
        Ok(Effect::Continue)
    }
}

#[test]
fn property_a_transition_may_fail() {
    let run = drive(&Brittle, Dopri5, [1.0, 0.0], 0, 0.0..9.0, &tolerance(1e-9), &mut ());
    let RunEnd::Failed { fault, t } = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(
        fault,
        Fault::Transition { t, reason: "the floor breaks", part: Part { kind: "wall", index: 0 } }
    );
    assert!((t - 2.0 * (2.0_f64 / 9.81).sqrt()).abs() < 1e-12);
    assert_eq!(run.t, t);
}
