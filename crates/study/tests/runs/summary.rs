//! The summary under the names that other programs read.

use std::ops::ControlFlow;

use jointplay_contact::friction::FrictionLaw;
use jointplay_mbd::{
    Body, Builder, Coordinate, DriftControl, GROUND, Method, Sampling, Signal, Simulation,
};
use jointplay_study::contacts::JointContacts;
use jointplay_study::record::record;
use jointplay_study::summary::Summary;
use jointplay_study::warning::RunWarning;
use serde_json::Value;

use super::slider_crank::machine;

fn summary(until: f64, watch: impl FnMut(f64) -> ControlFlow<()>) -> Summary {
    let (mechanism, pin) = machine(FrictionLaw::NoFriction);
    let simulation = Simulation::new(&mechanism).until(until).sampled(Sampling::EventsOnly);
    let simulation = simulation.tolerance(1e-10);
    let joints = vec![JointContacts::single("pin", pin)];
    Summary::of(&record(&simulation, joints, watch).expect("it starts"))
}

#[test]
fn peer_summary_of_the_slider_crank() {
    let summary = summary(0.6, |_| ControlFlow::Continue(()));
    let json: Value = serde_json::to_value(&summary).expect("plain data");
    let number = |path: &str| json.pointer(path).and_then(Value::as_f64).expect(path);
    assert_eq!(json["outcome"], "reached-end");
    assert_eq!(number("/t_end"), 0.6);
    assert!(number("/wall_seconds") > 0.0);
    assert!(number("/steps") > 100.0 && number("/rhs_evaluations") > number("/steps"));
    assert!(number("/energy_residual") < 1e-9 && number("/energy_residual_joule") < 1e-9);
    assert_eq!(json.pointer("/contacts/pin/impacts"), Some(&Value::from(24)));
    let near = |path: &str, theirs: f64, digits: f64| {
        let ours = number(path);
        assert!((ours / theirs - 1.0).abs() < digits, "{path}: {ours}");
    };
    // An independent event-located DOP853 in minimal coordinates; the digits that it prints.
    near("/contacts/pin/first_impact_time", 4.4229600349959e-3, 1e-9);
    near("/contacts/pin/first_impact_speed", 0.1129189557129877, 1e-9);
    near("/contacts/pin/contact_fraction", 0.86475, 0.6e-5);
    let [impacts, continuous, all] = ["impact", "continuous", "contact"]
        .map(|mode| number(&format!("/contacts/pin/{mode}_fraction")));
    assert!((impacts + continuous - all).abs() < 1e-12);
    assert!(number("/contacts/pin/peak_force") >= 1920.0);
    assert_eq!(number("/contacts/pin/restitution_in"), 0.46);
    let again: Summary = serde_json::from_value(json).expect("the same");
    assert_eq!(again, summary);
}

#[test]
fn property_an_interrupted_run_keeps_what_it_has() {
    let summary =
        summary(0.6, |t| if t > 0.1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) });
    let json = serde_json::to_value(&summary).expect("plain data");
    assert_eq!(json["outcome"], "interrupted");
    assert!(summary.t_end.is_some_and(|t| t > 0.1 && t < 0.2));
    assert!(summary.contacts["pin"].impacts > 5);
}

#[test]
fn property_what_is_no_number_is_null() {
    let mut summary = summary(1e-3, |_| ControlFlow::Continue(())); // before the first contact
    let pin = &summary.contacts["pin"];
    assert_eq!((pin.impacts, pin.first_impact_time, pin.peak_force), (0, None, None));
    let none = [pin.contact_fraction, pin.impact_fraction, pin.loss_normal, pin.seam_energy];
    assert!(none.iter().all(|x| x.is_some_and(|x| x.to_bits() == 0)), "{none:?}");
    summary.energy_residual = None;
    let text = serde_json::to_string(&summary).expect("plain data");
    assert!(
        text.contains(r#""first_impact_time":null"#) && text.contains(r#""energy_residual":null"#)
    );
    assert_eq!(serde_json::from_str::<Summary>(&text).expect("the same"), summary);
}

/// A shaker of 10 Hz beside a falling ball, with steps of half its period: the books cannot close, and the summary says so
/// with what to do. The same with a method that chooses its steps is silent.
#[test]
fn property_books_that_do_not_close_are_told() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    parts.body("ball", Body::new(1.0, 1e-3).placed([1.0, 2.0], 0.0));
    let table = parts.body("table", Body::new(3.0, 0.1));
    let guide = parts.prismatic("guide", GROUND.origin(), table.origin());
    let signal = Signal::expression("0.1*sin(2*pi*10*t)").expect("a formula");
    parts.drive("shaker", Coordinate::Joint(guide), signal);
    let mechanism = parts.build().expect("good parts");
    let summary = |method| {
        let simulation = Simulation::new(&mechanism).method(method).until(1.0);
        Summary::of(
            &record(&simulation, Vec::new(), |_| ControlFlow::Continue(())).expect("starts"),
        )
    };
    let rough = summary(Method::Rk4 { step: 0.043 });
    assert!(rough.energy_residual.is_some_and(|r| r > 1e-4), "{rough:?}");
    let [books, outrun] = &rough.warnings[..] else { panic!("{:?}", rough.warnings) };
    assert!(
        books.contains("the energy ledger does not close") && books.contains("rtol"),
        "{books}"
    );
    assert!(books.contains("work of driver of 'shaker'"), "{books}");
    assert!(outrun.contains("driver 'shaker': the fixed step of 4.300e-2 s"), "{outrun}");
    let fine = summary(Method::Dop853);
    assert!(fine.energy_residual.is_some_and(|r| r < 1e-8), "{fine:?}");
    assert_eq!(fine.warnings, [""; 0]);
}

/// The N-four-bar of IFToMM with two windows: nothing in it does work or loses energy, and Baumgarte's terms take most of it at
/// its singular positions. With projection there is nothing to tell.
#[test]
fn property_energy_that_drift_control_takes_is_told() {
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let upright: Vec<_> = (0..3)
        .map(|k| {
            let rod = Body::rod(1.0, 1.0).placed([f64::from(k), 0.5], std::f64::consts::FRAC_PI_2);
            let rod = parts.body(format!("upright {k}"), rod.moving([0.5, 0.0], -1.0));
            parts.revolute(format!("A{k}"), GROUND.at([f64::from(k), 0.0]), rod.at([-0.5, 0.0]));
            rod
        })
        .collect();
    for k in 0..2 {
        let rod = Body::rod(1.0, 1.0).placed([k as f64 + 0.5, 1.0], 0.0).moving([1.0, 0.0], 0.0);
        let top = parts.body(format!("top {k}"), rod);
        parts.revolute(format!("B{k}"), upright[k].at([0.5, 0.0]), top.at([-0.5, 0.0]));
        parts.revolute(format!("C{k}"), upright[k + 1].at([0.5, 0.0]), top.at([0.5, 0.0]));
    }
    let mechanism = parts.build().expect("good parts");
    let summary = |drift| {
        let simulation = Simulation::new(&mechanism).drift_control(drift).until(10.0);
        let simulation = simulation.tolerance(1e-10).sampled(Sampling::EventsOnly);
        Summary::of(
            &record(&simulation, Vec::new(), |_| ControlFlow::Continue(())).expect("starts"),
        )
    };
    let taken = summary(DriftControl::baumgarte(5.0, 5.0));
    assert!(taken.energy_residual.is_some_and(|r| r > 1e-2), "{taken:?}");
    assert!(taken.energy_drift_joule.is_some_and(|j| j > 1.0), "{taken:?}");
    assert!(taken.energy_books_joule.is_some_and(|j| j < 1e-6), "{taken:?}");
    let [warning] = &taken.warnings[..] else { panic!("{:?}", taken.warnings) };
    assert!(
        warning.starts_with("drift control added or removed ") && warning.contains("projection")
    );
    // A run that projects already is not told to do so.
    let projected = RunWarning::Drift { share: 1e-3, joule: 1.0, projection: true }.to_string();
    assert!(projected.contains("rtol") && !projected.contains("projection"), "{projected}");
    let held = summary(DriftControl::default());
    assert!(held.energy_residual.is_some_and(|r| r < 1e-9), "{held:?}");
    assert_eq!(held.warnings, [""; 0]);
}
