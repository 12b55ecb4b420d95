//! Runs that cannot go on say why, where, and keep what they have.

use crate::problems::{Plain, relay, tolerance};
use crate::sweep;
use jointplay_ode::{
    Dop853, Dopri5, EveryStep, Fault, Method, Options, Part, Radau5, Rk4, Rkf45, Run, RunEnd,
    System, Tolerance, drive,
};

fn failure<S: System>(run: &Run<S>) -> Fault {
    match run.outcome {
        RunEnd::Failed { fault, t } => {
            assert_eq!(t, run.t);
            fault
        }
        ref other => panic!("{other:?}"),
    }
}

/// A problem that refuses to be evaluated beyond a place.
struct Wall {
    place: f64,
}

impl System for Wall {
    type State = [f64; 1];
    type Mode = ();
    type Guards = [f64; 0];
    type Scratch = ();

    fn scratch(&self) {}
    fn rhs(
        &self,
        t: f64,
        y: &[f64; 1],
        _mode: &(),
        dy: &mut [f64; 1],
        (): &mut (),
    ) -> Result<(), Fault> {
        if y[0] > self.place {
            let reason = "beyond the wall";
            return Err(Fault::Rhs { t, reason, part: Part { kind: "wall", index: 2 } });
        }
        *dy = [1.0 + 0.1 * t.sin()];
        Ok(())
    }
}

#[test]
fn property_a_refused_evaluation_shortens_the_step() {
    // y reaches 1.0046 at t = 1; longer trial steps are refused, and the run arrives all the same.
    let wall = Wall { place: 1.1 };
    let options = Options { first_step: Some(0.9), ..tolerance(1e-3) };
    each_method!(method, 0.9 => {
        let run = drive(&wall, method, [0.0], (), 0.0..1.0, &options, &mut ());
        assert_eq!(run.outcome, RunEnd::ReachedEnd);
        let run = drive(&wall, method, [0.0], (), 0.0..2.0, &options, &mut ());
        assert!(run.stats.rejected > 0 && run.stats.rejected < 1000);
        let fault = failure(&run);
        let named = matches!(fault, Fault::Rhs { reason: "beyond the wall", part: Part { kind: "wall", index: 2 }, .. });
        assert!(named, "{fault:?}");
        assert!((run.y[0] - 1.1).abs() < 1e-9, "as far as it can: {}", run.y[0]);
    });
}

#[test]
fn property_a_wall_at_the_start_is_reported_at_once() {
    let run = drive(&Wall { place: -1.0 }, Dop853, [0.0], (), 0.0..1.0, &tolerance(1e-6), &mut ());
    assert!(matches!(failure(&run), Fault::Rhs { t: 0.0, .. }));
    assert_eq!(run.stats.evaluations, 1);
}

fn blow_up<M: Method>(method: M) {
    // y = 1/(1 − t)
    let system = Plain(|_t: f64, y: &[f64; 2]| [1.0, y[1] * y[1]]);
    let mut record = EveryStep::new();
    let run = drive(&system, method, [0.0, 1.0], (), 0.0..2.0, &tolerance(1e-6), &mut record);
    let fault = failure(&run);
    assert!(
        matches!(
            fault,
            Fault::StepTooSmall { component: 1, .. } | Fault::NonFinite { component: 1, .. }
        ),
        "{fault:?}"
    );
    assert!((run.t - 1.0).abs() < 1e-3);
    assert!(run.stats.accepted + run.stats.rejected < 5000, "{:?}", run.stats);
    assert_eq!(record.t.last(), Some(&run.t));
    assert_eq!(record.y.last(), Some(&run.y));
}

#[test]
fn exact_pole_of_a_solution() {
    blow_up(Dopri5);
    blow_up(Dop853);
    blow_up(Rkf45);
    blow_up(Radau5);
}

#[test]
fn property_a_value_that_is_not_a_number_names_its_component() {
    fn check<M: Method>(method: M) {
        let system = Plain(|t: f64, _: &[f64; 3]| [1.0, (0.5 - t).sqrt(), 0.0]);
        let run = drive(&system, method, [0.0; 3], (), 0.0..1.0, &tolerance(1e-3), &mut ());
        let fault = failure(&run);
        assert!(
            matches!(
                fault,
                Fault::NonFinite { component: 1, .. } | Fault::StepTooSmall { component: 1, .. }
            ),
            "{fault:?}"
        );
        assert!(run.t <= 0.5 + 1e-12);
        assert!(run.stats.accepted + run.stats.rejected < 2000, "{:?}", run.stats);
        assert!(run.y.iter().all(|y| y.is_finite()));
        let run = drive(&system, method, [0.0; 3], (), 0.6..1.0, &tolerance(1e-3), &mut ());
        let (t, component) = (0.6, 1);
        assert_eq!(failure(&run), Fault::NonFinite { t, component });
        let y0 = [0.0, 0.0, f64::NAN];
        let run = drive(&system, method, y0, (), 0.0..1.0, &tolerance(1e-3), &mut ());
        let (t, component) = (0.0, 2);
        assert_eq!(failure(&run), Fault::NonFinite { t, component });
    }
    each_method!(method, 0.01 => check(method));
}

#[test]
fn property_the_number_of_steps_is_bounded() {
    let system = Plain(|_t: f64, y: &[f64; 2]| [y[1], -y[0]]);
    let options = Options { max_steps: 10, ..tolerance(1e-9) };
    let run = drive(&system, Dopri5, [1.0, 0.0], (), 0.0..1e3, &options, &mut ());
    let t = run.t;
    let fault = failure(&run);
    assert!(matches!(fault, Fault::TooManySteps { t: at, steps: 10, .. } if at == t), "{fault:?}");
    assert_eq!(run.stats.accepted + run.stats.rejected, 10);
}

#[test]
fn property_a_run_that_hardly_advances_is_given_up_after_20_000_steps() {
    // Steps of some 1e-14 of the span.
    let system = Plain(|_t: f64, y: &[f64; 2]| [1e14 * y[1], -1e14 * y[0]]);
    each_method!(method, 1e-14 => {
        let run = drive(&system, method, [1.0, 0.0], (), 0.0..1.0, &tolerance(1e-6), &mut ());
        let fault = failure(&run);
        let Fault::Stalled { t, steps, advanced, .. } = fault else { panic!("{fault:?}") };
        assert_eq!((t, steps), (run.t, 20_000));
        assert_eq!(run.stats.accepted + run.stats.rejected, 20_000);
        assert!(advanced == run.t && advanced < 1e-8);
    });
    // Steps of 1e-6 of the span are many, but a run may be long: here it is bounded otherwise.
    let system = Plain(|_t: f64, y: &[f64; 2]| [1e6 * y[1], -1e6 * y[0]]);
    let options = Options { max_steps: 45_000, ..tolerance(1e-9) };
    each_method!(method, 1e-7 => {
        let run = drive(&system, method, [1.0, 0.0], (), 0.0..1.0, &options, &mut ());
        assert!(matches!(failure(&run), Fault::TooManySteps { steps: 45_000, .. }));
    });
}

#[test]
fn property_the_component_that_keeps_the_steps_small_is_named() {
    // Five equal equations side by side, one of them fast: no other can be at fault.
    for fast in (0..5).step_by(sweep::cases(2, 1)) {
        let rate = move |i: usize| if i == fast { 1e14 } else { 1.0 };
        let forced = Plain(move |t: f64, _: &[f64; 5]| {
            std::array::from_fn(|i| rate(i) * (rate(i) * t + i as f64).sin())
        });
        let decay = Plain(move |_t: f64, y: &[f64; 5]| std::array::from_fn(|i| -rate(i) * y[i]));
        let jump = Plain(move |t: f64, _: &[f64; 5]| {
            std::array::from_fn(|i| if i == fast && t > 0.3 { 1e9 } else { t + i as f64 })
        });
        each_method!(method, 1e-14 => {
            let options = Options { first_step: Some(1e-14), ..tolerance(1e-9) };
            let run = drive(&forced, method, [0.0; 5], (), 0.0..1e3, &options, &mut ());
            let fault = failure(&run);
            let named = matches!(fault, Fault::Stalled { component, .. } if component == fast);
            assert!(named, "{fault:?} for {fast}");
            let options = Options { max_steps: 100, ..options };
            let run = drive(&forced, method, [0.0; 5], (), 0.0..1e3, &options, &mut ());
            let fault = failure(&run);
            let named = matches!(fault, Fault::TooManySteps { component, .. } if component == fast);
            assert!(named, "{fault:?} for {fast}");
        });
        // Explicit methods, for which decay is stiff.
        for run in [
            drive(&decay, Dopri5, [1.0; 5], (), 0.0..1e3, &tolerance(1e-6), &mut ()),
            drive(&decay, Dop853, [1.0; 5], (), 0.0..1e3, &tolerance(1e-6), &mut ()),
            drive(&decay, Rkf45, [1.0; 5], (), 0.0..1e3, &tolerance(1e-6), &mut ()),
        ] {
            let fault = failure(&run);
            let named = matches!(fault, Fault::Stalled { component, .. } if component == fast);
            assert!(named, "{fault:?} for {fast}");
        }
        let options = Options { min_step: 1e-9, ..tolerance(1e-9) };
        for run in [
            drive(&jump, Dopri5, [0.0; 5], (), 0.0..1.0, &options, &mut ()),
            drive(&jump, Dop853, [0.0; 5], (), 0.0..1.0, &options, &mut ()),
            drive(&jump, Rkf45, [0.0; 5], (), 0.0..1.0, &options, &mut ()),
            drive(&jump, Radau5, [0.0; 5], (), 0.0..1.0, &options, &mut ()),
        ] {
            let fault = failure(&run);
            let named = matches!(fault, Fault::StepTooSmall { component, .. } if component == fast);
            assert!(named, "{fault:?} for {fast}");
        }
    }
}

#[test]
fn property_a_run_that_slows_down_late_is_given_up_within_40_000_steps() {
    let rate = |t: f64| if t < 0.5 { 1.0 } else { 1e14 };
    let system = Plain(move |t: f64, y: &[f64; 2]| [rate(t) * y[1], -rate(t) * y[0]]);
    let options = Options { stops: [0.5].into(), ..tolerance(1e-6) };
    for run in [
        drive(&system, Dopri5, [1.0, 0.0], (), 0.0..1.0, &options, &mut ()),
        drive(&system, Dop853, [1.0, 0.0], (), 0.0..1.0, &options, &mut ()),
        drive(&system, Rkf45, [1.0, 0.0], (), 0.0..1.0, &options, &mut ()),
        drive(&system, Radau5, [1.0, 0.0], (), 0.0..1.0, &options, &mut ()),
    ] {
        let fault = failure(&run);
        assert!(matches!(fault, Fault::Stalled { steps: 20_000, .. }), "{fault:?}");
        assert!(run.stats.accepted + run.stats.rejected <= 40_000);
    }
}

#[test]
fn property_a_guard_that_fires_without_end_is_named() {
    each_method!(method, 1e-10 => {
        let relay = relay(1e-10);
        let run = drive(&relay, method, [0.0], 1.0, 0.0..1.0, &tolerance(1e-6), &mut ());
        let fault = failure(&run);
        let Fault::Chatter { t, guard, events, advanced } = fault else { panic!("{fault:?}") };
        assert_eq!((t, guard, events), (run.t, 1, 1000));
        assert!((advanced - 2e-7).abs() < 1e-9, "{advanced:e}");
        assert!(run.stats.events <= 1002 && run.stats.accepted < 20_000);
    });
    // A band that is wide enough for the run to be done some day.
    let options = Options { max_steps: 19_000, ..tolerance(1e-6) };
    let run = drive(&relay(1e-8), Dopri5, [0.0], 1.0, 0.0..1.0, &options, &mut ());
    assert!(matches!(failure(&run), Fault::TooManySteps { .. }));
    assert!(run.stats.events > 2000);
}

#[test]
fn property_a_step_that_is_no_step_is_refused() {
    let system = Plain(|_t: f64, _: &[f64; 1]| [1.0]);
    for step in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let run = drive(&system, Rk4 { step }, [0.0], (), 0.0..1.0, &tolerance(1.0), &mut ());
        assert!(matches!(failure(&run), Fault::Setting { name: "step", .. }));
    }
}

#[test]
fn exact_fixed_steps_have_their_size() {
    let system = Plain(|_t: f64, y: &[f64; 2]| [y[1], -y[0]]);
    let mut record = EveryStep::new();
    let options = Options { stops: [0.3].into(), ..tolerance(1e-15) };
    let method = Rk4 { step: 0.125 };
    let run = drive(&system, method, [1.0, 0.0], (), 0.0..1.0, &options, &mut record);
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    let expected = [0.0, 0.125, 0.25, 0.3, 0.425, 0.55, 0.675, 0.8, 0.925, 1.0];
    assert_eq!(record.t.len(), expected.len());
    for (t, expected) in record.t.iter().zip(expected) {
        assert!((t - expected).abs() < 1e-15);
    }
    assert_eq!(run.stats.evaluations, 4 * 9 + 2);
}

#[test]
fn property_a_matrix_without_inverse_shortens_the_step() {
    // γ/h = 1000 makes the matrix of the first step singular: J = 1000, h = γ/1000.
    let system = Plain(|_t: f64, y: &[f64; 1]| [1000.0 * (y[0] - 1.0)]);
    let h = 3.637834252744496e-3;
    let options = Options { first_step: Some(h), ..tolerance(1e-6) };
    let run = drive(&system, Radau5, [1.0], (), 0.0..1.0, &options, &mut ());
    assert_eq!((run.outcome, run.y), (RunEnd::ReachedEnd, [1.0]));
}

#[test]
fn property_the_smallest_step_is_respected() {
    let system = Plain(|t: f64, _: &[f64; 1]| [if t < 0.5 { 0.0 } else { 1e6 }]);
    let options = Options { min_step: 1e-3, first_step: Some(0.1), ..tolerance(1e-9) };
    let run = drive(&system, Dopri5, [0.0], (), 0.0..1.0, &options, &mut ());
    let fault = failure(&run);
    let Fault::StepTooSmall { t, h, component: 0 } = fault else { panic!("{fault:?}") };
    assert!(h <= 1e-3 && t > 0.45 && t < 0.5);
}

#[test]
fn property_settings_are_checked() {
    let system = Plain(|_t: f64, _: &[f64; 1]| [1.0]);
    let name_of = |options: &Options, t_end: f64| {
        let run = drive(&system, Dopri5, [0.0], (), 0.0..t_end, options, &mut ());
        assert_eq!(run.stats.evaluations, 0);
        let fault = failure(&run);
        let Fault::Setting { name, .. } = fault else { panic!("{fault:?}") };
        name
    };
    let good = tolerance(1e-6);
    let with = |change: fn(&mut Options)| {
        let mut options = good.clone();
        change(&mut options);
        name_of(&options, 1.0)
    };
    assert_eq!(with(|o| o.first_step = Some(0.0)), "first_step");
    assert_eq!(with(|o| o.restart_step = Some(-1.0)), "restart_step");
    assert_eq!(with(|o| o.max_step = f64::NAN), "max_step");
    assert_eq!(with(|o| o.min_step = -1.0), "min_step");
    assert_eq!(with(|o| o.stops = [0.2, 0.1].into()), "stops");
    assert_eq!(with(|o| o.stops = [f64::NAN].into()), "stops");
    let tolerance = |relative: f64, absolute: f64| {
        name_of(&Options::new(Tolerance::new(relative, absolute)), 1.0)
    };
    assert_eq!(tolerance(-1e-9, 1e-9), "relative tolerance");
    assert_eq!(tolerance(1e-9, 0.0), "absolute tolerance");
    assert_eq!(tolerance(1e-9, f64::NAN), "absolute tolerance");
    assert_eq!(name_of(&good, -1.0), "length of the time span");
    assert_eq!(name_of(&good, f64::INFINITY), "length of the time span");
}

#[test]
fn property_an_empty_span_is_reached() {
    let system = Plain(|_t: f64, _: &[f64; 1]| [1.0]);
    let run = drive(&system, Dopri5, [7.0], (), 2.0..2.0, &tolerance(1e-6), &mut ());
    assert_eq!(run.outcome, RunEnd::ReachedEnd);
    assert_eq!((run.t, run.y), (2.0, [7.0]));
}

#[test]
fn property_faults_read_well() {
    let fault = Fault::StepTooSmall { t: 0.25, h: 1e-20, component: 3 };
    let text = "the tolerance requires a step of 1e-20 at t = 2.5e-1, which is too small, \
                because of component 3";
    assert_eq!(fault.to_string(), text);
}
