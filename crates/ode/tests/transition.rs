//! What an event does to a run: modes change at transitions and nowhere else, segments join, guards that fail are reported.

use jointplay_ode::{
    Crossing, Direction, Dop853, Dopri5, Effect, EveryStep, Fault, Method, Options, Recorder,
    RunEnd, Segment, System, Tolerance, Trigger, drive,
};
use std::ops::ControlFlow;

use crate::problems::{Ball, Clock, fixed_step, guarded, tolerance};

#[test]
fn exact_accumulating_bounces_are_seen_up_to_the_resolution_of_time() {
    fn check<M: Method>(method: M, restitution: f64) {
        let ball = Ball { gravity: 9.81, restitution, max_bounces: usize::MAX };
        let options = tolerance(1e-9);
        let run = drive(&ball, method, [1.0, 0.0], 0, 0.0..1e3, &options, &mut ());
        let accumulation = (2.0_f64 / 9.81).sqrt() * (1.0 + restitution) / (1.0 - restitution);
        let RunEnd::Failed { fault, t } = run.outcome else { panic!("{:?}", run.outcome) };
        assert!(matches!(fault, Fault::ZenoEvents { guard: 0, .. }), "{fault:?}");
        // Given up when a flight is below 1e3 roundings of the time; the rest of the series is 1/(1−r) times that.
        let rest = 1e-11 / (1.0 - restitution);
        assert!((t - accumulation).abs() < rest, "{t} for {accumulation}");
        assert!(run.y[0].abs() < 1e-20);
    }
    for restitution in [0.95, 0.8, 0.5, 0.2, 0.05, 0.02] {
        each_method!(method, 0.03 => check(method, restitution));
    }
}

#[test]
fn property_events_that_cause_each_other_are_no_accumulation() {
    // Twenty dominoes; each falls when it is touched, at one instant, and none falls twice.
    let dominoes = guarded(
        |_, _: &[f64; 1], _: &usize| [1.0],
        |y, fallen| -> [f64; 20] {
            // A domino is not touched before its neighbour has fallen, and then a rounding error later.
            let touched = |i: usize| y[0] - 0.3 - 1e-15 * i as f64;
            std::array::from_fn(|i| if i == *fallen { touched(i) } else { -1.0 })
        },
        |_| Trigger::Either,
        |fired, fallen| {
            assert_eq!((fired.len(), fired[0].guard), (1, *fallen));
            *fallen += 1;
            Effect::Continue
        },
    );
    each_method!(method, 0.1 => {
        let run = drive(&dominoes, method, [0.0], 0, 0.0..1.0, &tolerance(1e-6), &mut ());
        assert_eq!(run.outcome, RunEnd::ReachedEnd);
        assert_eq!((run.mode, run.stats.events), (20, 20));
    });
}

/// Records the time of each evaluation and the mode it saw, and of each event.
#[derive(Debug, PartialEq)]
enum Seen {
    Evaluation { t: f64, mode: usize },
    Event { t: f64 },
}

struct Witness {
    seen: std::cell::RefCell<Vec<Seen>>,
}

impl System for Witness {
    type State = Vec<f64>;
    type Mode = usize;
    type Guards = Vec<f64>;
    type Scratch = ();

    fn scratch(&self) {}
    fn rhs(
        &self,
        t: f64,
        y: &Vec<f64>,
        mode: &usize,
        dy: &mut Vec<f64>,
        (): &mut (),
    ) -> Result<(), Fault> {
        let mode = *mode;
        self.seen.borrow_mut().push(Seen::Evaluation { t, mode });
        // Stiffer in every second mode, so that steps are rejected after events.
        let rate = if mode.is_multiple_of(2) { 1.0 } else { 40.0 };
        dy[0] = rate * y[1];
        dy[1] = -rate * y[0];
        Ok(())
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&self, _t: f64, y: &Vec<f64>, _mode: &usize, g: &mut Vec<f64>, (): &mut ()) {
        g[0] = y[0];
    }
    fn transition(
        &self,
        _: &[Crossing],
        t: f64,
        _y: &mut Vec<f64>,
        mode: &mut usize,
        (): &mut (),
    ) -> Result<Effect, Fault> {
        self.seen.borrow_mut().push(Seen::Event { t });
        *mode += 1;
        Ok(Effect::Continue)
    }
}

#[test]
fn property_trial_steps_never_see_a_changed_mode() {
    let witness = Witness { seen: Vec::new().into() };
    let options = Options { restart_step: Some(0.5), ..tolerance(1e-6) };
    let run = drive(&witness, Dopri5, vec![1.0, 0.5], 0, 0.0..20.0, &options, &mut ());
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    assert!(run.stats.events > 5 && run.stats.rejected > 5);
    let mut expected_mode = 0;
    let mut latest = 0.0_f64;
    let mut went_too_far = 0;
    for seen in witness.seen.borrow().iter() {
        match *seen {
            Seen::Evaluation { t, mode } => {
                assert_eq!(mode, expected_mode, "at {t}");
                latest = latest.max(t);
            }
            Seen::Event { t } => {
                expected_mode += 1;
                // The step that found the event went past it, in the old mode.
                went_too_far += usize::from(latest > t);
                latest = t;
            }
        }
    }
    assert_eq!(expected_mode, run.stats.events);
    assert_eq!(went_too_far, run.stats.events);
}

#[test]
fn property_runs_are_deterministic() {
    fn record<M: Method>(method: M) -> EveryStep<Vec<f64>> {
        let witness = Witness { seen: Vec::new().into() };
        let mut record = EveryStep::new();
        let y0 = vec![1.0, 0.5];
        let _ = drive(&witness, method, y0, 0, 0.0..20.0, &tolerance(1e-9), &mut record);
        record
    }
    each_method!(method, 0.01 => assert_eq!(record(method), record(method)));
}

#[test]
fn property_segments_join_and_end_at_events() {
    /// Checks that dense output meets both ends of each step, and that steps and events join without gaps.
    #[derive(Default)]
    struct Chain {
        t: f64,
        y: Vec<f64>,
        steps: usize,
        events: usize,
    }
    impl Recorder<Witness> for Chain {
        fn start(&mut self, t: f64, y: &Vec<f64>, _mode: &usize) {
            (self.t, self.y) = (t, y.clone());
        }
        fn step(&mut self, segment: &Segment<'_, Witness>) -> ControlFlow<()> {
            assert_eq!((self.t, &self.y), (segment.t0, segment.y0));
            let mut y = self.y.clone();
            segment.eval(segment.t0, &mut y);
            assert_eq!(&y, segment.y0);
            segment.eval(segment.t1, &mut y);
            for (dense, end) in y.iter().zip(segment.y1) {
                assert!((dense - end).abs() < 1e-15);
            }
            assert_eq!(*segment.mode, self.events);
            (self.t, self.y) = (segment.t1, segment.y1.clone());
            self.steps += 1;
            ControlFlow::Continue(())
        }
        fn event(&mut self, event: &jointplay_ode::Event<'_, Witness>) -> ControlFlow<()> {
            assert_eq!(self.t, event.t);
            self.events += 1;
            assert_eq!(*event.mode, self.events);
            self.y.clone_from(event.y);
            ControlFlow::Continue(())
        }
    }
    let witness = Witness { seen: Vec::new().into() };
    let mut chain = Chain::default();
    let y0 = vec![1.0, 0.5];
    let run = drive(&witness, Dop853, y0, 0, 0.0..20.0, &tolerance(1e-8), &mut chain);
    assert_eq!((chain.t, &chain.y), (run.t, &run.y));
    assert_eq!(chain.steps, run.stats.accepted);
    assert_eq!(chain.events, run.stats.events);
}

#[test]
fn property_guards_that_are_not_numbers_are_reported() {
    let clock = Clock { guards: |y: f64| [1.0, (0.25 - y).sqrt()], trigger: Trigger::Either };
    let run = drive(&clock, Dopri5, [0.0], (), 0.0..1.0, &fixed_step(0.1), &mut ());
    let RunEnd::Failed { fault, t } = run.outcome else { panic!("{:?}", run.outcome) };
    assert!(matches!(fault, Fault::NonFiniteGuard { guard: 1, .. }), "{fault:?}");
    assert!((t - 0.25).abs() < 1e-12, "the run goes on as long as it can: {t}");
}

#[test]
fn property_a_refused_step_leaves_no_trace_in_the_guards() {
    // The first guard falls, which is no event, in a step that is refused because of the second.
    let clock = Clock {
        guards: |y: f64| [0.3 - y, if y < 0.5 { 1.0 } else { f64::NAN }],
        trigger: Trigger::Rising,
    };
    let run = drive(&clock, Dopri5, [0.0], (), 0.0..1.0, &fixed_step(1.0), &mut ());
    assert!(matches!(run.outcome, RunEnd::Failed { .. }));
    assert!((run.t - 0.5).abs() < 1e-12);
    assert_eq!(run.stats.events, 0);
}

#[test]
fn exact_time_of_a_guard_of_time_only() {
    let mut options = tolerance(1e-6);
    options.max_step = 0.1;
    let run = drive(&Alarm, Dop853, [1.0], (), 0.0..9.0, &options, &mut ());
    let RunEnd::Stopped { fired, t } = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(fired[0].direction, Direction::Rising);
    assert!((t - 5.3).abs() < 1e-14);
}

/// Decay that stops at a given time.
struct Alarm;

impl System for Alarm {
    type State = [f64; 1];
    type Mode = ();
    type Guards = [f64; 1];
    type Scratch = ();

    fn scratch(&self) {}
    fn rhs(
        &self,
        _t: f64,
        y: &[f64; 1],
        _mode: &(),
        dy: &mut [f64; 1],
        (): &mut (),
    ) -> Result<(), Fault> {
        dy[0] = -y[0];
        Ok(())
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&self, t: f64, _y: &[f64; 1], _mode: &(), g: &mut [f64; 1], (): &mut ()) {
        g[0] = t - 5.3;
    }
    fn transition(
        &self,
        _: &[Crossing],
        _t: f64,
        _y: &mut [f64; 1],
        (): &mut (),
        (): &mut (),
    ) -> Result<Effect, Fault> {
        Ok(Effect::Stop)
    }
}

#[test]
fn property_tolerances_per_component_reach_the_steps() {
    let ball = Ball { gravity: 9.81, restitution: 0.5, max_bounces: 1 };
    let options = Options::new(Tolerance::new([0.0, 1e-6], [1e-9, 1e-6]));
    let run = drive(&ball, Dopri5, [1.0, 0.0], 0, 0.0..9.0, &options, &mut ());
    assert!(matches!(run.outcome, RunEnd::Stopped { .. }));
    let options = Options::new(Tolerance::new(1e-6, [1e-9, 1e-6, 1e-6]));
    let run = drive(&ball, Dopri5, [1.0, 0.0], 0, 0.0..9.0, &options, &mut ());
    let fault = Fault::ToleranceLength { expected: 2, found: 3 };
    assert_eq!(run.outcome, RunEnd::Failed { fault, t: 0.0 });
}
