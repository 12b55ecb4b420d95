//! Guards that a system proves to stay on their sides: fewer looks, the same run.

use std::cell::Cell;

use crate::problems::tolerance;
use jointplay_ode::{
    Bow, Crossing, Dop853, Effect, EveryStep, Fault, Parts, RunEnd, System, Trigger, drive,
};

/// Oscillators q'' = −(1 + i)² q from q = 1, each with a guard q − level; the first ones cross it, the others come nowhere near.
struct Oscillators {
    proves: bool,
    /// How many guards were evaluated on their own, which is done inside steps.
    looks: Cell<usize>,
}

const COUNT: usize = 12;
const CROSSING: usize = 2;

impl Oscillators {
    fn level(guard: usize) -> f64 {
        if guard < CROSSING { 0.9 } else { 4.0 + guard as f64 }
    }
}

impl System for Oscillators {
    type State = Vec<f64>;
    type Mode = ();
    type Guards = Vec<f64>;
    type Scratch = ();

    fn scratch(&self) {}

    fn rhs(
        &self,
        _: f64,
        y: &Vec<f64>,
        (): &(),
        dy: &mut Vec<f64>,
        (): &mut (),
    ) -> Result<(), Fault> {
        for i in 0..COUNT {
            let rate = (1 + i) as f64;
            (dy[i], dy[COUNT + i]) = (y[COUNT + i], -rate * rate * y[i]);
        }
        Ok(())
    }

    fn guard_count(&self) -> usize {
        COUNT
    }

    fn guards(&self, _: f64, y: &Vec<f64>, (): &(), g: &mut Vec<f64>, (): &mut ()) {
        for (guard, g) in g.iter_mut().enumerate() {
            *g = y[guard] - Self::level(guard);
        }
    }

    fn some_guards(
        &self,
        _: f64,
        y: &Vec<f64>,
        (): &(),
        (which, g): (&[usize], &mut Vec<f64>),
        (): &mut (),
    ) {
        self.looks.set(self.looks.get() + which.len());
        for &guard in which {
            g[guard] = y[guard] - Self::level(guard);
        }
    }

    fn components(&self, which: &[usize], (): &(), parts: &mut Parts) {
        for &guard in which {
            parts.add(guard..guard + 1);
        }
    }

    fn stays(&self, guard: usize, ends: [f64; 2], bow: &dyn Fn(usize) -> Bow, (): &()) -> bool {
        self.proves && ends[0].max(ends[1]) + bow(guard).height < 0.0
    }

    fn surveyed(&self, (): &()) -> usize {
        COUNT
    }

    fn trigger(&self, _: usize, (): &()) -> Trigger {
        Trigger::Either
    }

    fn transition(
        &self,
        _: &[Crossing],
        _: f64,
        _: &mut Vec<f64>,
        (): &mut (),
        (): &mut (),
    ) -> Result<Effect, Fault> {
        Ok(Effect::Continue)
    }
}

#[test]
fn property_proofs_save_looks_and_change_no_bit() {
    let [(run, record, looks), (proved, proved_record, proved_looks)] =
        [false, true].map(|proves| {
            let system = Oscillators { proves, looks: Cell::new(0) };
            let mut start = vec![1.0; COUNT];
            start.resize(2 * COUNT, 0.0);
            let mut record = EveryStep::new();
            let options = tolerance(1e-9);
            let run = drive(&system, Dop853, start, (), 0.0..6.0, &options, &mut record);
            assert_eq!(run.outcome, RunEnd::ReachedEnd);
            (run, record, system.looks.get())
        });
    // cos t is 0.9 at 0.451 and 5.832, cos 2t at 0.226, 2.916 and 3.367.
    assert_eq!(record.events.len(), 2 + 3);
    assert_eq!(record, proved_record);
    assert_eq!(run.y, proved.y);
    let without_looks = |stats: jointplay_ode::Stats| jointplay_ode::Stats {
        guard_evaluations: 0,
        evaluations: 0,
        ..stats
    };
    assert_eq!(without_looks(run.stats), without_looks(proved.stats));
    assert!(2 * proved_looks < looks, "{proved_looks} of {looks}");
}
