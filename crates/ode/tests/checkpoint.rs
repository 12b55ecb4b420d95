//! Runs that are laid down and taken up again arrive at the same bits.

use std::ops::ControlFlow;

use crate::problems::{Ball, Plain, tolerance};
use jointplay_ode::{
    Checkpoint, Crossing, Dopri5, Effect, Event, Fault, Method, Options, Radau5, Recorder, Run,
    RunEnd, Segment, Stats, System, drive, resume,
};
use serde::{Deserialize, Serialize};

/// A nonlinear oscillator that is stiffer on one side of zero, pushed by a table with a kink at t = 7.
struct Switching;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Side {
    damping: f64,
    crossings: usize,
}

impl System for Switching {
    type State = Vec<f64>;
    type Mode = Side;
    type Guards = Vec<f64>;
    type Scratch = ();

    fn scratch(&self) {}
    fn rhs(
        &self,
        t: f64,
        y: &Vec<f64>,
        side: &Side,
        dy: &mut Vec<f64>,
        (): &mut (),
    ) -> Result<(), Fault> {
        let stiffness = if side.crossings.is_multiple_of(2) { 1.0 } else { 60.0 };
        dy[0] = y[1];
        dy[1] = -stiffness * y[0].sin() - side.damping * y[1] + (7.0 - t).max(0.0) * 0.1;
        dy[2] = y[1] * y[1];
        Ok(())
    }
    fn guard_count(&self) -> usize {
        2
    }
    fn guards(&self, _t: f64, y: &Vec<f64>, _: &Side, g: &mut Vec<f64>, (): &mut ()) {
        g[0] = y[0];
        g[1] = y[1] - 0.3;
    }
    fn transition(
        &self,
        fired: &[Crossing],
        _t: f64,
        _y: &mut Vec<f64>,
        side: &mut Side,
        (): &mut (),
    ) -> Result<Effect, Fault> {
        if fired[0].guard == 0 {
            side.crossings += 1;
            side.damping *= 1.1;
        }
        Ok(Effect::Continue)
    }
}

/// Keeps all bits of a run, and interrupts it now and then.
#[derive(Default)]
struct Log {
    bits: Vec<(u64, Vec<u64>)>,
    inside: Vec<u64>,
    events: usize,
    steps: usize,
    /// Interrupt after so many steps; never if 0.
    every: usize,
}

impl Log {
    fn row(&mut self, t: f64, y: &[f64]) {
        self.bits.push((t.to_bits(), y.iter().map(|y| y.to_bits()).collect()));
    }
}

impl Recorder<Switching> for Log {
    fn step(&mut self, segment: &Segment<'_, Switching>) -> ControlFlow<()> {
        self.row(segment.t1, segment.y1);
        let mut y = segment.y1.clone();
        segment.eval(0.3 * segment.t0 + 0.7 * segment.t1, &mut y);
        self.inside.extend(y.iter().map(|y| y.to_bits()));
        self.steps += 1;
        let pause = self.every > 0 && self.steps.is_multiple_of(self.every);
        if pause { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
    fn event(&mut self, event: &Event<'_, Switching>) -> ControlFlow<()> {
        self.row(event.t, event.y);
        self.events += 1;
        ControlFlow::Continue(())
    }
}

/// Through a JSON text and back.
fn through_text<S: System<Mode = Side>>(checkpoint: &Checkpoint<S>) -> Checkpoint<S> {
    let text = serde_json::to_string(checkpoint).expect("plain data");
    serde_json::from_str(&text).expect("its own text")
}

fn run<M: Method>(method: M, every: usize) -> (Log, Stats, Side, usize) {
    let options = Options { stops: [3.0, 7.0].into(), ..tolerance(1e-6) };
    let mut log = Log { every, ..Log::default() };
    let y0 = vec![1.0, 0.0, 0.0];
    let side = Side { damping: 0.01, crossings: 0 };
    let mut run = drive(&Switching, method, y0, side, 0.0..20.0, &options, &mut log);
    let mut breaks = 0;
    while run.outcome == (RunEnd::Interrupted { t: run.t }) {
        breaks += 1;
        let (t, y, stats) = (run.t, run.y.clone(), run.stats);
        let checkpoint = run.checkpoint().expect("an interrupted run");
        assert_eq!((checkpoint.t(), checkpoint.y(), checkpoint.stats()), (t, &y, &stats));
        let checkpoint = through_text(&checkpoint);
        run = resume(&Switching, method, checkpoint, 20.0, &options, &mut log);
    }
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    (log, run.stats, run.mode, breaks)
}

#[test]
fn property_a_resumed_run_is_the_same_to_the_bit() {
    each_method!(method, 0.01 => {
        let (whole, stats, side, _) = run(method, 0);
        assert!(whole.events > 5 && stats.accepted > 40, "{} {stats:?}", whole.events);
        for every in [1, 7, 20] {
            let (parts, parts_stats, parts_side, breaks) = run(method, every);
            assert!(breaks >= stats.accepted / every - 1 && breaks > 1);
            assert!(whole.bits == parts.bits, "states differ, every {every}");
            assert!(whole.inside == parts.inside, "dense output differs, every {every}");
            assert_eq!((stats, &side), (parts_stats, &parts_side));
        }
    });
}

#[test]
fn property_a_stopped_run_goes_on_as_if_it_had_not() {
    let three = Ball { gravity: 9.81, restitution: 0.7, max_bounces: 3 };
    let ten = Ball { max_bounces: 10, ..three };
    each_method!(method, 0.01 => {
        let options = tolerance(1e-8);
        let whole = drive(&ten, method, [1.0, 0.0], 0, 0.0..9.0, &options, &mut ());
        let first = drive(&three, method, [1.0, 0.0], 0, 0.0..9.0, &options, &mut ());
        assert_eq!(first.mode, 3);
        let checkpoint = first.checkpoint().expect("a stopped run");
        let rest = resume(&ten, method, checkpoint, 9.0, &options, &mut ());
        assert_eq!((whole.t, whole.y, whole.mode), (rest.t, rest.y, rest.mode));
        assert_eq!(whole.outcome, rest.outcome);
        assert_eq!(whole.stats, rest.stats);
    });
}

#[test]
fn property_a_run_goes_on_behind_its_end() {
    let system = Plain(|_t: f64, y: &[f64; 2]| [y[1], -y[0]]);
    each_method!(method, 0.01 => {
        let options = tolerance(1e-9);
        let first = drive(&system, method, [0.0, 1.0], (), 0.0..1.0, &options, &mut ());
        let checkpoint = first.checkpoint().expect("a run that reached its end");
        let rest = resume(&system, method, checkpoint, 2.0, &options, &mut ());
        assert_eq!((rest.outcome, rest.t), (RunEnd::ReachedEnd, 2.0));
        assert!((rest.y[0] - 2.0_f64.sin()).abs() < 1e-8);
    });
}

#[test]
fn property_a_checkpoint_that_does_not_fit_is_refused() {
    fn failure<S: System>(run: &Run<S>) -> Fault {
        let RunEnd::Failed { fault, .. } = run.outcome else { panic!("{:?}", run.outcome) };
        fault
    }
    let options = tolerance(1e-6);
    let side = Side { damping: 0.01, crossings: 0 };
    let mut log = Log { every: 5, ..Log::default() };
    let y0 = vec![1.0, 0.0, 0.0];
    let explicit = drive(&Switching, Dopri5, y0, side, 0.0..20.0, &options, &mut log);
    let checkpoint = explicit.checkpoint().expect("an interrupted run");
    let run = resume(&Switching, Radau5, checkpoint.clone(), 20.0, &options, &mut log);
    assert_eq!(failure(&run), Fault::Checkpoint { what: "the memory of the method" });
    let run = resume(&Switching, Dopri5, checkpoint.clone(), 0.0, &options, &mut log);
    assert!(matches!(failure(&run), Fault::Setting { name: "length of the time span", .. }));
    assert!(run.checkpoint().is_none());

    let text = serde_json::to_string(&checkpoint).expect("plain data");
    let fewer = text.replacen("\"side\":[\"", "\"side\":[\"0000000000000000\",\"", 1);
    let fewer: Checkpoint<Switching> = serde_json::from_str(&fewer).expect("a checkpoint");
    let run = resume(&Switching, Dopri5, fewer, 20.0, &options, &mut log);
    assert_eq!(failure(&run), Fault::Checkpoint { what: "the number of guards" });
    let broken = text.replacen("\"side\":[\"", "\"side\":[\"x", 1);
    assert!(serde_json::from_str::<Checkpoint<Switching>>(&broken).is_err());
}
