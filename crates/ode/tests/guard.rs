//! Events: found, located, reported together, and not invented.

use std::ops::ControlFlow;

use crate::problems::{Ball, Clock, coupled, coupled_guards, fixed_step, guarded, hop, tolerance};
use crate::sweep;
use jointplay_ode::{
    Crossing, Direction, Dop853, Dopri5, Effect, EveryStep, Fault, Method, Options, Recorder,
    RunEnd, Segment, System, Trigger, drive,
};

/// Runs a clock over [0, 1] in steps of `h` and returns its events; each must lie on a zero of its guard.
fn events<const N: usize, M: Method>(
    method: M,
    trigger: Trigger,
    h: f64,
    guards: impl Fn(f64) -> [f64; N],
) -> Vec<(f64, Crossing)> {
    let clock = Clock { guards, trigger };
    let mut record = EveryStep::new();
    let run = drive(&clock, method, [0.0], (), 0.0..1.0, &fixed_step(h), &mut record);
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    for (t, crossing) in &record.events {
        let value = (clock.guards)(*t)[crossing.guard];
        assert!(value.abs() < 1e-13, "guard = {value:e} at {t}");
        assert!(crossing.value.abs() < 1e-13);
    }
    record.events
}

fn times<const N: usize, M: Method>(
    method: M,
    trigger: Trigger,
    h: f64,
    guards: impl Fn(f64) -> [f64; N],
) -> Vec<f64> {
    let events = events(method, trigger, h, guards);
    events.iter().map(|(t, _)| *t).collect()
}

fn assert_times(found: &[f64], expected: &[f64]) {
    assert_times_within(found, expected, 1e-12);
}

/// With a bound for guards so flat that rounding moves their zeros.
fn assert_times_within(found: &[f64], expected: &[f64], bound: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?} for {expected:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < bound, "{found} for {expected}");
    }
}

fn bounces<M: Method>(method: M, restitution: f64) {
    let ball = Ball { gravity: 9.81, restitution, max_bounces: 10 };
    let mut record = EveryStep::new();
    let options = tolerance(1e-10);
    let run = drive(&ball, method, [1.0, 0.0], 0, 0.0..1e3, &options, &mut record);
    assert!(matches!(run.outcome, RunEnd::Stopped { .. }));
    assert_eq!(run.stats.events, 10);
    assert_eq!(record.events.len(), 10);
    for ((t, crossing), exact) in record.events.iter().zip(ball.bounces(1.0)) {
        // The motion is a parabola, which every method integrates without error: rounding remains, in Radau IIA
        // that of Newton's iteration.
        assert!((t - exact).abs() < 1e-12 * exact, "{t} for {exact}");
        // Coefficients of DOP853 up to 43 magnify rounding.
        assert!(crossing.value.abs() < 1e-13);
        assert_eq!(crossing.direction, Direction::Falling);
    }
}

#[test]
fn exact_ten_bounces() {
    for restitution in [0.9, 0.7, 0.46, 0.1] {
        each_method!(method, 0.03 => bounces(method, restitution));
    }
}

#[test]
fn exact_events_of_a_nonlinear_guard() {
    // 17 zeros of a sine in 32 steps; the first, at the start, is not an event.
    let zeros: Vec<f64> = (1..=16).map(|n| f64::from(n) / 16.5).collect();
    let guard = |y: f64| [(16.5 * std::f64::consts::PI * y).sin()];
    let rising: Vec<f64> = zeros.iter().copied().skip(1).step_by(2).collect();
    let h = 1.0 / 32.0;
    each_method!(method, h => {
        assert_times(&times(method, Trigger::Either, h, guard), &zeros);
        assert_times(&times(method, Trigger::Rising, h, guard), &rising);
    });
}

#[test]
fn exact_two_crossings_in_one_step() {
    let guard = |y: f64| [(y - 0.3) * (y - 0.32)];
    // The same from below.
    let below = |y: f64| [(y - 0.3) * (0.32 - y)];
    each_method!(method, 1.0 => {
        assert_times(&times(method, Trigger::Falling, 1.0, guard), &[0.3]);
        assert_times(&times(method, Trigger::Rising, 1.0, guard), &[0.32]);
        assert_times(&times(method, Trigger::Either, 1.0, guard), &[0.3, 0.32]);
        assert_times(&times(method, Trigger::Falling, 1.0, below), &[0.32]);
        assert_times(&times(method, Trigger::Rising, 1.0, below), &[0.3]);
        assert_times(&times(method, Trigger::Either, 1.0, below), &[0.3, 0.32]);
    });
}

#[test]
fn property_no_excursion_longer_than_one_percent_is_missed() {
    fn sweep<M: Method>(method: M) {
        for width in [0.0101, 0.02, 0.1] {
            for i in 0..=400 {
                let from = f64::from(i) / 400.0 * (1.0 - width - 2e-3) + 1e-3;
                let to = from + width;
                let parabola = |y: f64| [(y - from) * (y - to)];
                let found = times(method, Trigger::Either, 1.0, parabola);
                assert_times(&found, &[from, to]);
                // A narrow dip in a guard of high degree, and a slope that hides it from the ends.
                let skew = |y: f64| [(y - from) * (y - to) * (y * y + 0.3) * (1.5 - y)];
                assert_times(&times(method, Trigger::Either, 1.0, skew), &[from, to]);
            }
        }
    }
    each_method!(method, 1.0 => sweep(method));
}

#[test]
fn property_no_excursion_that_is_deep_enough_is_missed() {
    // Excursions of 0.59 % of the step down to 0.01 %, whose depth is 9e-6 to 2.5e-9 of the greatest value of the guard;
    // anywhere in the step, the first and the last node gap included.
    fn sweep<M: Method>(method: M) {
        for width in [5.9e-3, 1e-3, 1e-4] {
            for i in 0..=300 {
                let from = f64::from(i) / 300.0 * (1.0 - width - 2e-4) + 1e-4;
                let to = from + width;
                for sign in [1.0, -1.0] {
                    let parabola = |y: f64| [sign * (y - from) * (y - to)];
                    let found = times(method, Trigger::Either, 1.0, parabola);
                    assert_times_within(&found, &[from, to], 1e-10);
                    let up = times(method, Trigger::Rising, 1.0, parabola);
                    let rises = if sign > 0.0 { to } else { from };
                    assert_times_within(&up, &[rises], 1e-10);
                }
            }
        }
    }
    each_method!(method, 1.0 => sweep(method));
}

#[test]
fn exact_excursion_before_a_crossing_in_the_next_gap() {
    // Between two nodes down and up, in the next gap down for good: three crossings within 6 % of the step.
    let guard = |y: f64| [-(y - 0.56) * (y - 0.57) * (y - 0.62)];
    each_method!(method, 1.0 => {
        assert_times(&times(method, Trigger::Either, 1.0, guard), &[0.56, 0.57, 0.62]);
        assert_times(&times(method, Trigger::Falling, 1.0, guard), &[0.56, 0.62]);
    });
}

#[test]
fn exact_separation_of_59_microseconds_in_a_step_of_10_milliseconds() {
    for leaves in [1e-6, 1e-3, 4.2e-3, 8e-3, 9.9e-3] {
        let lands = leaves + 59e-6;
        let hop = hop(leaves, lands);
        each_method!(method, 0.01 => {
            let mut record = EveryStep::new();
            let y0 = [leaves * lands, 0.0];
            let options = fixed_step(0.01);
            let run = drive(&hop, method, y0, true, 0.0..0.01, &options, &mut record);
            assert_eq!((run.stats.events, run.mode), (2, true));
            let found: Vec<f64> = record.events.iter().map(|(t, _)| *t).collect();
            assert_times(&found, &[leaves, lands]);
        });
    }
}

#[test]
fn property_touching_is_not_crossing() {
    for touch in [0.5, 0.3, 0.146_446, 0.01, 0.99, 1.0 / 3.0] {
        for sign in [1.0, -1.0] {
            let guard = |y: f64| [sign * (y - touch) * (y - touch)];
            // Not quite reaching zero.
            let almost = |y: f64| [sign * ((y - touch) * (y - touch) + 1e-9)];
            for h in [1.0, 0.25] {
                each_method!(method, h => {
                    assert_times(&times(method, Trigger::Either, h, guard), &[]);
                    assert_times(&times(method, Trigger::Either, h, almost), &[]);
                });
            }
        }
    }
}

#[test]
fn exact_tangent_that_does_cross() {
    // A triple zero crosses, though its slope vanishes; its place is known to the cube root of rounding.
    each_method!(method, 0.3 => {
        let found = times(method, Trigger::Either, 0.3, |y| [(y - 0.5).powi(3)]);
        assert_times_within(&found, &[0.5], 1e-4);
    });
}

#[test]
fn exact_simultaneous_guards_fire_together() {
    struct Two;
    impl System for Two {
        type State = [f64; 2];
        type Mode = Vec<Vec<usize>>;
        type Guards = [f64; 3];
        type Scratch = ();

        fn scratch(&self) {}
        fn rhs(
            &self,
            _t: f64,
            y: &[f64; 2],
            _: &Self::Mode,
            dy: &mut [f64; 2],
            (): &mut (),
        ) -> Result<(), Fault> {
            *dy = [-y[0], 1.0];
            Ok(())
        }
        fn guard_count(&self) -> usize {
            3
        }
        fn guards(&self, t: f64, y: &[f64; 2], _: &Self::Mode, g: &mut [f64; 3], (): &mut ()) {
            // All zero at t = ln 2, by the state, by the clock in the state, and 1e-7 later by time.
            let ln2 = std::f64::consts::LN_2;
            *g = [y[0] - 0.5, ln2 - y[1], t - ln2 - 1e-7];
        }
        fn transition(
            &self,
            fired: &[Crossing],
            _t: f64,
            _y: &mut [f64; 2],
            mode: &mut Self::Mode,
            (): &mut (),
        ) -> Result<Effect, Fault> {
            mode.push(fired.iter().map(|crossing| crossing.guard).collect());
            Ok(Effect::Continue)
        }
    }
    fn check<M: Method>(method: M) {
        // The two zeros must fall together to 1e-10 of a step.
        let options = Options { max_step: 1e-3, ..tolerance(1e-13) };
        let run = drive(&Two, method, [1.0, 0.0], Vec::new(), 0.0..1.0, &options, &mut ());
        assert_eq!(run.outcome, RunEnd::ReachedEnd);
        assert_eq!(run.mode, vec![vec![0, 1], vec![2]]);
        assert_eq!(run.stats.events, 2);
    }
    each_method!(method, 1e-3 => check(method));
}

#[test]
fn exact_crossing_at_the_end_of_a_step() {
    // Steps of 1/4 end exactly on the zero.
    let guard = |y: f64| [y - 0.5];
    // A touch there is no crossing.
    let touch = |y: f64| [(y - 0.5) * (y - 0.5)];
    each_method!(method, 0.25 => {
        assert_eq!(times(method, Trigger::Either, 0.25, guard), vec![0.5]);
        assert!(times(method, Trigger::Falling, 0.25, guard).is_empty());
        assert!(times(method, Trigger::Either, 0.25, touch).is_empty());
    });
}

#[test]
fn exact_zero_at_the_start_does_not_fire() {
    let leaves = |y: f64| [y];
    let leaves_slowly = |y: f64| [-y * y * y];
    let rests = |_: f64| [0.0];
    each_method!(method, 1.0 => {
        assert!(times(method, Trigger::Either, 1.0, leaves).is_empty());
        assert!(times(method, Trigger::Either, 1.0, leaves_slowly).is_empty());
        assert!(times(method, Trigger::Either, 0.1, rests).is_empty());
    });
    // Comes back in the same step, and in a later one.
    for back in [0.02, 0.5, 0.97] {
        let guard = |y: f64| [y * (back - y)];
        for h in [1.0, 0.1] {
            each_method!(method, h => {
                assert_times(&times(method, Trigger::Either, h, guard), &[back]);
                assert_times(&times(method, Trigger::Falling, h, guard), &[back]);
                assert!(times(method, Trigger::Rising, h, guard).is_empty());
            });
        }
    }
}

/// Asks for the dense output of every step, and looks for guards that change their sign inside it.
struct Curious<G> {
    record: EveryStep<[f64; 4]>,
    guards: G,
    /// How far on both sides of zero a guard was in one step.
    lost: f64,
}

impl<S, G> Recorder<S> for Curious<G>
where
    S: System<State = [f64; 4]>,
    G: Fn(&[f64; 4]) -> [f64; 3],
{
    fn step(&mut self, segment: &Segment<'_, S>) -> ControlFlow<()> {
        let (mut least, mut greatest) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for i in 1..200 {
            let t = segment.t0 + f64::from(i) / 200.0 * (segment.t1 - segment.t0);
            let mut y = [0.0; 4];
            segment.eval(t, &mut y);
            for (j, g) in (self.guards)(&y).into_iter().enumerate() {
                (least[j], greatest[j]) = (least[j].min(g), greatest[j].max(g));
            }
        }
        for (least, greatest) in least.into_iter().zip(greatest) {
            self.lost = self.lost.max(greatest.min(-least));
        }
        self.record.step(segment)
    }
    fn event(&mut self, event: &jointplay_ode::Event<'_, S>) -> ControlFlow<()> {
        self.record.event(event)
    }
}

#[test]
fn property_no_event_is_lost_where_dense_output_is_spared() {
    let mut seed = 1_u64;
    let mut random = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    let (mut events, mut spared) = (0, 0);
    let runs = sweep::cases(120, 600);
    for run in 0..runs {
        // Amplitudes are about 1 and 0.4: some levels are crossed, some grazed, some never reached.
        let levels = [2.4 * random() - 1.2, random() - 0.5, 0.1 + 1.4 * random()];
        let y0 = [1.0, 0.3 * random(), 0.0, 0.0];
        let options = tolerance(10.0_f64.powi(-2 - run % 9));
        let coupled = coupled(levels);
        let mut sparing = EveryStep::new();
        let one = drive(&coupled, Dop853, y0, (), 0.0..8.0, &options, &mut sparing);
        let guards = |y: &[f64; 4]| coupled_guards(y, levels);
        let mut curious = Curious { record: EveryStep::new(), guards, lost: 0.0 };
        let other = drive(&coupled, Dop853, y0, (), 0.0..8.0, &options, &mut curious);
        assert_eq!(one.outcome, RunEnd::ReachedEnd);
        assert_eq!(sparing.events, curious.record.events, "{levels:?} {options:?}");
        assert_eq!(sparing.t[1..], curious.record.t);
        assert_eq!(
            curious.lost, 0.0,
            "a guard changes its sign inside a step: {levels:?} {options:?}"
        );
        events += one.stats.events;
        spared += other.stats.evaluations - one.stats.evaluations;
    }
    let (least_events, least_spared) = sweep::cases((1000, 2000), (5000, 10_000));
    assert!(
        events > least_events && spared > least_spared,
        "{events} events, {spared} evaluations spared"
    );
}

#[test]
fn property_a_guard_left_on_zero_by_its_event_does_not_fire_again() {
    // The transition changes nothing: one crossing is one event.
    let thirds = |y: f64| [y - 1.0 / 3.0, 1.0 / 7.0 - y * y];
    let expected = [1.0 / 3.0, (1.0_f64 / 7.0).sqrt()];
    for h in [1.0, 0.3, 0.07] {
        each_method!(method, h => {
            assert_times(&times(method, Trigger::Either, h, thirds), &expected);
        });
    }
}

#[test]
fn property_state_at_an_event_has_the_accuracy_of_a_step() {
    // One event of a fast oscillator with coarse steps; the interpolant is of lower order than the step.
    let oscillator = guarded(
        |_, y: &[f64; 2], (): &()| [y[1], -y[0]],
        |y, ()| [y[0]],
        |()| Trigger::Either,
        |_, ()| Effect::Stop,
    );
    let stop = |h: f64| {
        let run = drive(&oscillator, Dopri5, [1.0, 0.0], (), 0.0..9.0, &fixed_step(h), &mut ());
        assert!(run.y[0].abs() < 1e-15, "the guard vanishes: {:e}", run.y[0]);
        (run.t - std::f64::consts::FRAC_PI_2).abs()
    };
    // Seven whole steps of order 5 and one shorter one: the error at the event is that of steps.
    let (coarse, fine) = (stop(0.2), stop(0.1));
    assert!(coarse / fine > 20.0, "{coarse:e} to {fine:e}");
}
