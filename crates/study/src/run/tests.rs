//! How often a kept instant is evaluated. A model file cannot name code that counts, so the mechanism of the file is replaced by the same
//! one with a spring that does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jointplay_mbd::{Body, Builder, Force, GROUND, LineForce, LineModel, Mechanism, Tension};

use super::*;
use crate::case::{Case, joint_contacts};
use crate::record::record;
use crate::store::{Contents, Overwrite, StoreError};
use crate::summary::Ending;

const MODEL: &str = r#"
format = 1

[bodies.ball]
mass = 2
position = [3, 0]

[forces.spring]
type = "spring"
a = { body = "ground" }
b = { body = "ball" }
stiffness = 100
free_length = "2 m"

[metrics]
farthest = "max(ball.x)"
late = "rms(ball.ax)"

[run]
until = 1

[output]
interval = 0.01
channels = ["ball.x", "ball.ax", "energy.total", "spring.force", "spring.energy", "spring.power"]
"#;

/// The spring of the model.
#[derive(Debug, Default)]
struct Counting {
    asked: AtomicUsize,
}

impl LineModel for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn tension(&self, _t: f64, length: f64, _rate: f64) -> Tension {
        self.asked.fetch_add(1, Ordering::Relaxed);
        Tension { held: 100.0 * (length - 2.0), held_by_length: 100.0, ..Tension::default() }
    }

    fn energy(&self, length: f64) -> f64 {
        50.0 * (length - 2.0).powi(2)
    }
}

fn mechanism(model: &Arc<Counting>) -> Mechanism {
    let mut parts = Builder::new();
    let ball = parts.body("ball", Body::point(2.0).placed([3.0, 0.0], 0.0));
    let model = model.clone();
    let spring = LineForce { a: GROUND.origin(), b: ball.origin(), model };
    parts.force("spring", Force::Line(spring));
    parts.build().expect("good parts")
}

/// A crank that turns steadily: its ideal run is itself.
const CRANK: &str = r#"
format = 1

[bodies.crank]
mass = 1
inertia = 1

[joints.axis]
type = "revolute"
a = { body = "ground" }
b = { body = "crank" }

[run]
until = 1

[output]
interval = 0.01
channels = ["crank.angle"]

[metrics]
apart = "max(abs(crank.angle - ideal.crank.angle))"
turned = "last(ideal.crank.angle)"
"#;

/// Breaks the run with ideal joints once it gets so far (s).
#[derive(Default)]
struct Breaker {
    at: f64,
    compares: bool,
    reached: [f64; 2],
}

impl Observer for Breaker {
    fn advanced(&mut self, t: f64) -> ControlFlow<()> {
        self.reached[usize::from(self.compares)] = t;
        if self.compares && t >= self.at {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn compares(&mut self) {
        self.compares = true;
    }
}

#[test]
fn property_an_observer_sees_the_ideal_run_and_may_end_it() {
    let case = Case::of_text(CRANK).set("run.max_step", 0.05).load().expect("a model");
    let mut patient = Breaker { at: f64::INFINITY, ..Breaker::default() };
    let run = case.run(&mut patient).expect("it runs");
    assert_eq!(patient.reached, [1.0, 1.0]);
    assert_eq!(run.summary().outcome, Ending::ReachedEnd);
    assert!(run.metrics.iter().all(|metric| metric.value == Some(0.0)), "{:?}", run.metrics);

    let mut breaker = Breaker { at: 0.5, ..Breaker::default() };
    let run = case.run(&mut breaker).expect("it runs");
    assert!(breaker.reached[0] == 1.0 && breaker.reached[1] < 0.6, "{:?}", breaker.reached);
    // What was asked for is not complete, and a study takes such a row again.
    let summary = run.summary();
    assert_eq!(summary.outcome, Ending::Interrupted);
    assert!(run.metrics.iter().all(|metric| metric.value.is_none()), "{:?}", run.metrics);
    let told =
        "metrics cannot be compared with the mechanism with ideal joints: its run interrupted";
    assert!(
        summary.warnings.iter().any(|warning| warning.contains(told)),
        "{:?}",
        summary.warnings
    );

    // Keeping other channels integrates nothing again.
    let mut again = Breaker::default();
    let kept = run.keeping(Keep::Nothing, &mut again).expect("instants");
    assert!(!again.compares && again.reached == [0.0; 2]);
    assert_eq!(kept.summary().outcome, Ending::Interrupted);
}

#[cfg(all(feature = "folders", feature = "threads"))]
#[test]
fn exact_a_warm_start_is_that_of_the_ideal_run_and_of_its_folder() {
    let case = Case::of_text(CRANK).load().expect("a model");
    let mut state = case.run(&mut ()).expect("it runs").solution().end().expect("an end").state();
    state.t = 0.0;
    let crank = state.bodies.get_mut("crank").expect("the crank");
    (crank.angle, crank.angular_velocity) = (0.25, 2.0);
    let warm = case.clone().starting_from(state);
    let run = warm.run(&mut ()).expect("it runs");
    // From 0.25 rad with 2 rad/s, for 1 s.
    let [apart, turned] = [0, 1].map(|i| run.metrics[i].value.expect("a value"));
    assert!(apart < 1e-12 && (turned - 2.25).abs() < 1e-12, "{apart} {turned}");

    assert_ne!(warm.digest(), case.digest());
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    Contents::of(&run).write(&folder, Overwrite::Nothing).expect("a result");
    let again = Case::open(&folder).expect("a folder").load().expect("its model");
    assert_eq!(again.digest(), warm.digest());
    assert_eq!(crate::store::departures(&again), []);
    let again = again.run(&mut ()).expect("it runs");
    assert_eq!(again.channels, run.channels);
}

#[test]
fn property_a_run_of_other_instants_is_another_and_is_not_stored() {
    let case = Case::of_text(CRANK).load().expect("a model");
    let few = case.clone().sampled(Sampling::EventsOnly);
    let others = case.clone().sampled(Sampling::Times(vec![0.5]));
    assert!(few.digest() != case.digest() && few.digest() != others.digest());
    let run = few.run(&mut ()).expect("it runs");
    let place = tempfile::tempdir().expect("a place");
    let refused = Contents::of(&run).write(&place.path().join("result"), Overwrite::Nothing);
    assert!(matches!(refused, Err(StoreError::OtherInstants)), "{refused:?}");
}

/// Counts the instants that it is shown.
#[derive(Default)]
struct Onlooker(usize);

impl Observer for Onlooker {
    fn wants_instants(&self) -> bool {
        true
    }

    fn instant(&mut self, _at: &Snapshot<'_>) {
        self.0 += 1;
    }
}

#[test]
fn property_a_kept_instant_is_evaluated_once() {
    let spring = Arc::new(Counting::default());
    let asked = || spring.asked.load(Ordering::Relaxed);
    let mut case = Case::of_text(MODEL).load().expect("a model");
    Arc::make_mut(&mut case.model).mechanism = mechanism(&spring);
    let plan = case.model.run.simulation(&case.model.mechanism);
    let record = record(&plan, joint_contacts(&case.model), |_| ControlFlow::Continue(()));
    let record = record.expect("it starts");

    // One evaluation of an instant asks a force once.
    let before = asked();
    record.solution.snapshot(0).expect("an instant");
    let each = asked() - before;
    assert_eq!(each, 1);

    // Channels, metrics and whoever looks on share it. The channels of the spring itself share one report, which asks once more.
    let (before, mut onlooker) = (asked(), Onlooker::default());
    let run = Run::new(case, record, Keep::Asked, &mut onlooker).expect("instants");
    let kept = run.channels.times.len();
    assert_eq!((kept, onlooker.0), (101, 101));
    assert_eq!(asked() - before, 2 * kept);

    // What follows takes it from there.
    let after = asked();
    assert_eq!(run.metrics.len(), 2);
    assert!(run.values("ball.ax").is_ok_and(|values| values.len() == kept));
    assert_eq!(run.asked().channels.len(), 6);
    let place = tempfile::tempdir().expect("a place");
    let written = Contents::of(&run).write(&place.path().join("result"), Overwrite::Nothing);
    written.expect("a result");
    assert_eq!(asked(), after);
}
