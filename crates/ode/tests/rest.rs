//! Systems at rest are left to an implicit method, and nothing but the number of steps shows it.

use std::ops::ControlFlow;

use jointplay_ode::{
    Dop853, Dopri5, Fault, Method, Options, Recorder, Resting, Rkf45, Run, RunEnd, Segment, System,
    Tolerance, drive, resume,
};

/// A stiff oscillator, x'' + 2 d x' + (ω² + d²) x = 0, that rests where it is slower than a limit; the last component is the
/// integral of x'.
struct Oscillator {
    omega: f64,
    decay: f64,
    rest_speed: f64,
}

impl System for Oscillator {
    type State = Vec<f64>;
    type Mode = ();
    type Guards = [f64; 0];
    type Scratch = ();

    fn scratch(&self) {}
    fn quadratures(&self) -> usize {
        1
    }
    fn rhs(
        &self,
        _t: f64,
        y: &Vec<f64>,
        (): &(),
        dy: &mut Vec<f64>,
        (): &mut (),
    ) -> Result<(), Fault> {
        let Oscillator { omega, decay, .. } = *self;
        dy[0] = y[1];
        dy[1] = -2.0 * decay * y[1] - (omega * omega + decay * decay) * y[0];
        dy[2] = y[1];
        Ok(())
    }
    fn rests(&self, y: &Vec<f64>, (): &()) -> bool {
        y[1].abs() < self.rest_speed
    }
}

/// Keeps the ends of all steps, and interrupts now and then.
#[derive(Default)]
struct Log {
    rows: Vec<(f64, f64, f64)>,
    every: usize,
}

impl Recorder<Oscillator> for Log {
    fn step(&mut self, segment: &Segment<'_, Oscillator>) -> ControlFlow<()> {
        self.rows.push((segment.t1, segment.y1[0], segment.y1[2]));
        if self.every > 0 && self.rows.len().is_multiple_of(self.every) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Lets go of the oscillator at x = 1.
fn run<M: Method>(
    system: &Oscillator,
    method: M,
    t_end: f64,
    every: usize,
) -> (Log, Run<Oscillator>) {
    let tolerance = Tolerance::new(1e-9, [1e-12, 1e-12 * system.omega, 1e-12]);
    let options = Options::new(tolerance);
    let mut log = Log { every, ..Log::default() };
    let mut run = drive(system, method, vec![1.0, 0.0, 0.0], (), 0.0..t_end, &options, &mut log);
    while matches!(run.outcome, RunEnd::Interrupted { .. }) {
        let checkpoint = run.checkpoint().expect("it has not failed");
        run = resume(system, method, checkpoint, t_end, &options, &mut log);
    }
    assert!(matches!(run.outcome, RunEnd::ReachedEnd), "{:?}", run.outcome);
    (log, run)
}

#[test]
fn exact_an_oscillator_that_comes_to_rest() {
    fn check<M: Method>(method: M) {
        let system = Oscillator { omega: 1e4, decay: 1e3, rest_speed: 1e-3 };
        let (log, run) = run(&system, Resting(method), 5.0, 0);
        for (t, x, way) in log.rows {
            let Oscillator { omega, decay, .. } = system;
            let exact =
                (-decay * t).exp() * ((omega * t).cos() + decay / omega * (omega * t).sin());
            assert!((x - exact).abs() < 1e-7, "t = {t}: {x} for {exact}");
            assert!((way - (exact - 1.0)).abs() < 1e-7, "t = {t}: {way}");
        }
        // 5 s are 8000 periods.
        assert!(run.stats.accepted + run.stats.rejected < 3000, "{:?}", run.stats);
    }
    check(Rkf45);
    check(Dopri5);
    check(Dop853);
}

#[test]
fn property_a_resumed_rest_is_the_same_to_the_bit() {
    let system = Oscillator { omega: 1e4, decay: 1e3, rest_speed: 1e-3 };
    let (whole, at_once) = run(&system, Resting(Dop853), 1.0, 0);
    for every in [1, 3, 64] {
        let (parts, at_last) = run(&system, Resting(Dop853), 1.0, every);
        assert_eq!(whole.rows, parts.rows, "interrupted after every {every} steps");
        assert_eq!(at_once.stats.accepted, at_last.stats.accepted);
    }
}

/// What is called rest but swings on for ever is soon taken back from the method that gains nothing there.
#[test]
fn property_a_rest_that_is_none_costs_little() {
    let system = |rest_speed| Oscillator { omega: 1e3, decay: 0.0, rest_speed };
    let (_, moving) = run(&system(0.0), Resting(Dop853), 5.0, 0);
    let (log, resting) = run(&system(f64::INFINITY), Resting(Dop853), 5.0, 0);
    assert!(10 * resting.stats.accepted < 11 * moving.stats.accepted, "{:?}", resting.stats);
    for (t, x, _) in log.rows {
        assert!((x - (1e3 * t).cos()).abs() < 1e-4, "t = {t}: {x}");
    }
}

/// Where nothing rests the method is the explicit one, to the bit.
#[test]
fn property_motion_is_that_of_the_explicit_method() {
    let system = Oscillator { omega: 1e2, decay: 0.0, rest_speed: 1.0 };
    let (alone, _) = run(&system, Dop853, 1.0, 0);
    let (watched, _) = run(&system, Resting(Dop853), 1.0, 0);
    assert_eq!(alone.rows, watched.rows);
}
