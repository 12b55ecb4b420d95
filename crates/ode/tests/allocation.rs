//! No step allocates.

use jointplay_ode::{
    Crossing, Dopri5, Effect, Fault, Method, Options, RunEnd, Stats, System, Tolerance, Trigger,
    drive,
};

use crate::allocations::allocations;
use crate::problems::guarded;

/// A chain of 10 oscillators that turns round at each zero of the first.
struct Chain;

impl System for Chain {
    type State = Vec<f64>;
    type Mode = f64;
    type Guards = Vec<f64>;
    type Scratch = ();

    fn scratch(&self) {}

    fn rhs(
        &self,
        _t: f64,
        y: &Vec<f64>,
        sign: &f64,
        dy: &mut Vec<f64>,
        (): &mut (),
    ) -> Result<(), Fault> {
        for i in 0..10 {
            dy[i] = y[10 + i];
            dy[10 + i] = -sign * (1.0 + i as f64) * y[i].sin();
        }
        Ok(())
    }
    fn guard_count(&self) -> usize {
        2
    }
    fn guards(&self, _t: f64, y: &Vec<f64>, _sign: &f64, g: &mut Vec<f64>, (): &mut ()) {
        g[0] = y[0];
        g[1] = y[3] - 0.3;
    }
    fn transition(
        &self,
        _: &[Crossing],
        _t: f64,
        y: &mut Vec<f64>,
        _sign: &mut f64,
        (): &mut (),
    ) -> Result<Effect, Fault> {
        y[10] *= 0.999;
        Ok(Effect::Continue)
    }
}

fn count<M: Method>(method: M, t_end: f64) -> (usize, Stats) {
    let options = Options::new(Tolerance::new(1e-7, 1e-7));
    let y0 = vec![0.5; 20];
    let before = allocations();
    let run = drive(&Chain, method, y0, 1.0, 0.0..t_end, &options, &mut ());
    let after = allocations();
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    (after - before, run.stats)
}

fn check<M: Method>(method: M) {
    let (short, some) = count(method, 10.0);
    let (long, many) = count(method, 200.0);
    assert!(some.events > 2 && many.events > 50, "{some:?} {many:?}");
    assert!(many.accepted > 10 * some.accepted);
    assert_eq!(short, long, "allocations do not depend on the number of steps and events");
    assert!(short < 80, "{short}");
}

#[test]
fn property_steps_and_events_do_not_allocate() {
    each_method!(method, 0.1 => check(method));
}

#[test]
fn property_arrays_never_touch_the_heap() {
    let free = guarded(
        |_, y: &[f64; 2], (): &()| [y[1], -y[0].sin()],
        |y, ()| [y[0] - 9.0],
        |()| Trigger::Either,
        |_, ()| Effect::Continue,
    );
    let options = Options::new(Tolerance::new(1e-7, 1e-7));
    let before = allocations();
    let run = drive(&free, Dopri5, [1.0, 0.0], (), 0.0..50.0, &options, &mut ());
    assert_eq!(allocations(), before);
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
}
