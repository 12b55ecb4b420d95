//! How often a kept instant is evaluated. A model file cannot name code that counts, so the mechanism of the file is replaced by the same
//! one with a spring that does.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use jointplay_mbd::{Body, Builder, Force, GROUND, LineForce, LineModel, Mechanism, Tension};

use super::*;
use crate::case::{Case, joint_contacts};
use crate::record::record;
use crate::store::{Contents, Overwrite};

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
