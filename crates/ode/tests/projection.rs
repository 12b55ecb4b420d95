//! Steps that end on invariants.

use std::cell::Cell;

use crate::problems::{
    Plain, assert_order, distance, fixed_step, measured_order, radau_step, tolerance,
};
use jointplay_ode::{
    Crossing, Dop853, Dopri5, Effect, EveryStep, Fault, Method, Options, Part, Radau5, Rk4, Rkf45,
    RunEnd, System, Trigger, drive,
};

/// A pendulum of length 1 in Cartesian coordinates (x, y, vx, vy); the constraint enters twice differentiated, so
/// that without projection it drifts.
struct Pendulum<const PROJECTS: bool>;

const GRAVITY: f64 = 9.81;

impl<const PROJECTS: bool> System for Pendulum<PROJECTS> {
    type State = [f64; 4];
    type Mode = usize;
    type Guards = [f64; 1];
    type Scratch = ();
    const PROJECTS: bool = PROJECTS;

    fn scratch(&self) {}
    fn rhs(
        &self,
        _t: f64,
        &[x, y, vx, vy]: &[f64; 4],
        _mode: &usize,
        dy: &mut [f64; 4],
        (): &mut (),
    ) -> Result<(), Fault> {
        let tension = (vx * vx + vy * vy - GRAVITY * y) / (x * x + y * y);
        *dy = [vx, vy, -tension * x, -tension * y - GRAVITY];
        Ok(())
    }
    fn project(
        &self,
        _t: f64,
        state: &mut [f64; 4],
        _mode: &usize,
        (): &mut (),
    ) -> Result<(), Fault> {
        let [x, y, vx, vy] = *state;
        let r = x.hypot(y);
        let (x, y) = (x / r, y / r);
        let radial = vx * x + vy * y;
        *state = [x, y, vx - radial * x, vy - radial * y];
        Ok(())
    }
    fn guard_count(&self) -> usize {
        1
    }
    fn guards(&self, _t: f64, state: &[f64; 4], _: &usize, g: &mut [f64; 1], (): &mut ()) {
        *g = [state[0]];
    }
    fn trigger(&self, _guard: usize, _passes: &usize) -> Trigger {
        Trigger::Either
    }
    fn transition(
        &self,
        _: &[Crossing],
        _t: f64,
        _state: &mut [f64; 4],
        passes: &mut usize,
        (): &mut (),
    ) -> Result<Effect, Fault> {
        *passes += 1;
        Ok(Effect::Continue)
    }
}

/// Horizontal, at rest.
const START: [f64; 4] = [1.0, 0.0, 0.0, 0.0];

/// Below the horizontal, on the way up.
const OBLIQUE: [f64; 4] = [0.8, -0.6, 1.2, 1.6];

/// The motion from [`OBLIQUE`] in the angle from the horizontal, at 1e-13.
fn reference(t_end: f64) -> [f64; 4] {
    let system = Plain(|_t: f64, y: &[f64; 2]| [y[1], -GRAVITY * y[0].cos()]);
    let run =
        drive(&system, Dop853, [-0.6_f64.asin(), 2.0], (), 0.0..t_end, &tolerance(1e-13), &mut ());
    let [angle, rate] = run.y;
    let (sin, cos) = angle.sin_cos();
    [cos, sin, -rate * sin, rate * cos]
}

/// How far a state is from the constraint and from its derivative.
fn violation(&[x, y, vx, vy]: &[f64; 4]) -> f64 {
    (x * x + y * y - 1.0).abs().max((x * vx + y * vy).abs())
}

#[test]
fn property_constraints_are_kept_at_every_step_and_event() {
    each_method!(method, 0.01 => {
        let mut record = EveryStep::new();
        let options = tolerance(1e-6);
        let run = drive(&Pendulum::<true>, method, START, 0, 0.0..10.0, &options, &mut record);
        assert_eq!(run.outcome, RunEnd::ReachedEnd);
        let worst = record.y.iter().map(violation).fold(0.0, f64::max);
        // Velocities of 4.4 m/s: a few roundings.
        assert!(worst < 1e-14, "{worst:e}");
        // A period of 2.37 s: 8 passes through the vertical, each on it.
        assert_eq!(run.mode, 8);
        assert!(record.events.iter().all(|(_, crossing)| crossing.value.abs() < 1e-12));
        assert!(run.stats.projections >= run.stats.accepted);
        let mut record = EveryStep::new();
        drive(&Pendulum::<false>, method, START, 0, 0.0..10.0, &options, &mut record);
        let drift = record.y.iter().map(violation).fold(0.0, f64::max);
        assert!(drift > 1e-10, "without projection: {drift:e}");
    });
}

fn order<M: Method>(
    method: impl Fn(f64) -> M,
    options: impl Fn(f64) -> Options,
    sizes: &[f64],
) -> f64 {
    // The pendulum turns back and does not come to the vertical.
    let exact = reference(0.5);
    let errors: Vec<_> = sizes
        .iter()
        .map(|&h| {
            let system = Pendulum::<true>;
            let run = drive(&system, method(h), OBLIQUE, 0, 0.0..0.5, &options(h), &mut ());
            assert_eq!(run.outcome, RunEnd::ReachedEnd);
            (h, distance(&run.y, &exact))
        })
        .collect();
    measured_order(&errors)
}

#[test]
fn order_is_kept_by_projection() {
    let fine = [1.0 / 32.0, 1.0 / 64.0, 1.0 / 128.0, 1.0 / 256.0];
    let coarse = [1.0 / 12.0, 1.0 / 16.0, 1.0 / 24.0, 1.0 / 32.0];
    assert_order(order(|_| Dopri5, fixed_step, &fine), 5.0);
    assert_order(order(|_| Dop853, fixed_step, &coarse), 8.0);
    assert_order(order(|_| Rkf45, fixed_step, &fine), 4.0);
    assert_order(order(|step| Rk4 { step }, fixed_step, &fine), 4.0);
    assert_order(order(|_| Radau5, radau_step, &fine), 5.0);
}

#[test]
fn property_projection_costs_no_evaluation() {
    // Two invariants that hold anyway: every bit is the same with and without projection.
    struct Line<const PROJECTS: bool>;
    impl<const PROJECTS: bool> System for Line<PROJECTS> {
        type State = [f64; 2];
        type Mode = ();
        type Guards = [f64; 0];
        type Scratch = ();
        const PROJECTS: bool = PROJECTS;
        fn scratch(&self) {}
        fn rhs(
            &self,
            t: f64,
            y: &[f64; 2],
            (): &(),
            dy: &mut [f64; 2],
            (): &mut (),
        ) -> Result<(), Fault> {
            *dy = [-y[0] * t, 0.0];
            Ok(())
        }
        fn project(&self, _t: f64, y: &mut [f64; 2], (): &(), (): &mut ()) -> Result<(), Fault> {
            y[1] = 1.0;
            Ok(())
        }
    }
    each_method!(method, 0.1 => {
        let options = tolerance(1e-8);
        let with = drive(&Line::<true>, method, [1.0; 2], (), 0.0..3.0, &options, &mut ());
        let without = drive(&Line::<false>, method, [1.0; 2], (), 0.0..3.0, &options, &mut ());
        assert_eq!(with.y, without.y);
        assert_eq!(with.stats.evaluations, without.stats.evaluations);
        assert_eq!(with.stats.projections, with.stats.accepted + with.stats.rejected);
        assert_eq!(without.stats.projections, 0);
    });
}

#[test]
fn property_a_projection_that_fails_shortens_the_step_and_is_named() {
    /// Cannot be projected beyond a place, nor over a distance.
    struct Narrow {
        last: Cell<f64>,
    }
    impl System for Narrow {
        type State = [f64; 1];
        type Mode = ();
        type Guards = [f64; 0];
        type Scratch = ();
        const PROJECTS: bool = true;
        fn scratch(&self) {}
        fn rhs(
            &self,
            _t: f64,
            y: &[f64; 1],
            (): &(),
            dy: &mut [f64; 1],
            (): &mut (),
        ) -> Result<(), Fault> {
            *dy = [1.0 + y[0]];
            Ok(())
        }
        fn project(&self, t: f64, y: &mut [f64; 1], (): &(), (): &mut ()) -> Result<(), Fault> {
            self.last.set(t);
            if y[0] > 1.0 {
                return Err(Fault::Projection {
                    t,
                    reason: "out of reach",
                    part: Part { kind: "wall", index: 3 },
                });
            }
            Ok(())
        }
    }
    each_method!(method, 0.1 => {
        let narrow = Narrow { last: Cell::new(0.0) };
        let run = drive(&narrow, method, [0.0], (), 0.0..2.0, &tolerance(1e-6), &mut ());
        let RunEnd::Failed { fault, t } = run.outcome else { panic!("{:?}", run.outcome) };
        let named = matches!(fault, Fault::Projection { reason: "out of reach", part: Part { kind: "wall", index: 3 }, .. });
        assert!(named, "{fault:?}");
        // 1 + y = eᵗ
        assert!((t - std::f64::consts::LN_2).abs() < 1e-4, "{t}");
        assert!(run.y[0] <= 1.0 && run.stats.rejected < 200);
        assert!(narrow.last.get() >= t);
    });
}
