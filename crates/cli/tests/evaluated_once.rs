//! What a run costs beyond its integration: one evaluation for each instant that it keeps.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jointplay_mbd::{
    Body, Builder, CustomForce, Force, ForceModel, GROUND, Sampling, Wrench, WrenchSlopes,
};
use jointplay_study::case::{Case, Loaded};
use jointplay_study::store::Contents;

/// A ball that falls, with channels, a metric and an output; the mechanism of the test has the gravity.
const FALL: &str = r#"
format = 1

[bodies.ball]
mass = "1 kg"
inertia = "1 g m^2"

[outputs.height]
type = "point"
at = { body = "ball" }

[metrics]
lowest = "min(ball.y)"

[output]
channels = ["ball.y", "ball.ay", "height.speed", "energy.total"]

[run]
until = "1 s"
"#;

/// A force of 0 that counts how often it is asked for.
#[derive(Debug, Default)]
struct Counter(AtomicUsize);

impl Counter {
    fn count(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}

impl ForceModel for Counter {
    fn name(&self) -> &'static str {
        "counter"
    }

    fn wrench(&self, _t: f64, _q: &[f64; 6], _rates: &[f64; 6]) -> Wrench {
        self.0.fetch_add(1, Ordering::Relaxed);
        Wrench::default()
    }

    fn slopes(&self, _t: f64, _q: &[f64; 6], _rates: &[f64; 6]) -> WrenchSlopes {
        WrenchSlopes::default()
    }
}

/// The case of the file, with a mechanism that counts its evaluations beside the one that the file describes.
fn counted(sampling: Sampling) -> (Loaded, Arc<Counter>) {
    let case = Case::of_text(FALL).load().unwrap_or_else(|wrong| panic!("{wrong}"));
    let counter = Arc::new(Counter::default());
    let mut parts = Builder::new();
    parts.gravity([0.0, -9.81]);
    let ball = parts.body("ball", Body::new(1.0, 1e-3));
    let (a, b) = (GROUND.origin(), ball.origin());
    let model = Arc::<Counter>::clone(&counter);
    parts.force("counter", Force::Custom(CustomForce { a, b, model }));
    let mut case = case.sampled(sampling);
    let mut model = (*case.model).clone();
    model.mechanism = parts.build().expect("a mechanism");
    case.model = Arc::new(model);
    (case, counter)
}

/// Channels, metrics, summary, scene and tables of a run share one evaluation of each kept instant: 900 instants more cost as much as
/// 900 times one of them.
#[test]
fn property_each_kept_instant_is_evaluated_once() {
    let [few, many] = [0.01, 0.001].map(|interval| {
        let (case, counter) = counted(Sampling::Interval(interval));
        let (run, _recording) = jointplay_view::record(&case, &mut ()).expect("it runs");
        let contents = Contents::of(&run);
        let lowest = contents.summary.metrics["lowest"].expect("a number");
        assert!((lowest + 0.5 * 9.81).abs() < 1e-9, "{lowest}");
        let (all, kept) = (counter.count(), run.solution().len());
        run.solution().snapshot(0).expect("an instant");
        (all, kept, counter.count() - all)
    });
    let (_, _, each) = few;
    assert_eq!((few.1, many.1), (101, 1001));
    assert!(each > 0);
    assert_eq!(many.0 - few.0, 900 * each);
}
