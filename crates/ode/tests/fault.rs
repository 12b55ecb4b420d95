//! Runs that cannot go on say why, where, and keep what they have.

mod problems;

use jointplay_ode::{
    Dop853, Dopri5, EveryStep, Fault, Method, Options, Outcome, Run, System, Tolerance, drive,
};
use problems::{Plain, tolerance};

fn failure<S: System>(run: &Run<S>) -> Fault {
    match run.outcome {
        Outcome::Failed { fault, t } => {
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
    fn rhs(&self, t: f64, y: &[f64; 1], _mode: &(), dy: &mut [f64; 1]) -> Result<(), Fault> {
        if y[0] > self.place {
            let reason = "beyond the wall";
            return Err(Fault::Rhs { t, reason });
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
    let run = drive(&wall, Dopri5, [0.0], (), 0.0..1.0, &options, &mut ());
    assert_eq!(run.outcome, Outcome::ReachedEnd);
    let run = drive(&wall, Dopri5, [0.0], (), 0.0..2.0, &options, &mut ());
    assert!(run.stats.rejected > 0);
    let fault = failure(&run);
    assert!(matches!(fault, Fault::Rhs { reason: "beyond the wall", .. }), "{fault:?}");
    assert!((run.y[0] - 1.1).abs() < 1e-9, "as far as it can: {}", run.y[0]);
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
        matches!(fault, Fault::StepTooSmall { .. } | Fault::NonFinite { component: 1, .. }),
        "{fault:?}"
    );
    assert!((run.t - 1.0).abs() < 1e-3);
    assert_eq!(record.t.last(), Some(&run.t));
    assert_eq!(record.y.last(), Some(&run.y));
}

#[test]
fn exact_pole_of_a_solution() {
    blow_up(Dopri5);
    blow_up(Dop853);
}

#[test]
fn property_a_value_that_is_not_a_number_names_its_component() {
    fn check<M: Method>(method: M) {
        let system = Plain(|t: f64, _: &[f64; 3]| [1.0, (0.5 - t).sqrt(), 0.0]);
        let run = drive(&system, method, [0.0; 3], (), 0.0..1.0, &tolerance(1e-3), &mut ());
        let fault = failure(&run);
        assert!(
            matches!(fault, Fault::NonFinite { component: 1, .. } | Fault::StepTooSmall { .. }),
            "{fault:?}"
        );
        assert!(run.t <= 0.5 + 1e-12);
        assert!(run.y.iter().all(|y| y.is_finite()));
        let run = drive(&system, method, [0.0; 3], (), 0.6..1.0, &tolerance(1e-3), &mut ());
        let (t, component) = (0.6, 1);
        assert_eq!(failure(&run), Fault::NonFinite { t, component });
        let y0 = [0.0, 0.0, f64::NAN];
        let run = drive(&system, method, y0, (), 0.0..1.0, &tolerance(1e-3), &mut ());
        let (t, component) = (0.0, 2);
        assert_eq!(failure(&run), Fault::NonFinite { t, component });
    }
    check(Dopri5);
    check(Dop853);
}

#[test]
fn property_the_number_of_steps_is_bounded() {
    let system = Plain(|_t: f64, y: &[f64; 2]| [y[1], -y[0]]);
    let options = Options { max_steps: 10, ..tolerance(1e-9) };
    let run = drive(&system, Dopri5, [1.0, 0.0], (), 0.0..1e3, &options, &mut ());
    let (t, steps) = (run.t, 10);
    assert_eq!(failure(&run), Fault::TooManySteps { t, steps });
    assert_eq!(run.stats.accepted + run.stats.rejected, 10);
}

#[test]
fn property_the_smallest_step_is_respected() {
    let system = Plain(|t: f64, _: &[f64; 1]| [if t < 0.5 { 0.0 } else { 1e6 }]);
    let options = Options { min_step: 1e-3, first_step: Some(0.1), ..tolerance(1e-9) };
    let run = drive(&system, Dopri5, [0.0], (), 0.0..1.0, &options, &mut ());
    let fault = failure(&run);
    let Fault::StepTooSmall { t, h } = fault else { panic!("{fault:?}") };
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
    assert_eq!(run.outcome, Outcome::ReachedEnd);
    assert_eq!((run.t, run.y), (2.0, [7.0]));
}

#[test]
fn property_faults_read_well() {
    let fault = Fault::StepTooSmall { t: 0.25, h: 1e-20 };
    let text = "the tolerance asks for a step of 1e-20 at t = 2.5e-1, which is too small";
    assert_eq!(fault.to_string(), text);
}
