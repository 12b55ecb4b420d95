//! Whatever a file says: a model that runs to finite numbers, or problems in words.
#![no_main]

#[path = "../../testing/overlap.rs"]
mod overlap;

use jointplay_model::{Model, Overrides};
use overlap::Overlap;

libfuzzer_sys::fuzz_target!(|text: &str| {
    let limits = Overrides::new().set("run.max_steps", 50).set("run.rtol", 1e-6);
    match Model::parse(text, &limits) {
        Err(wrong) => assert!(!wrong.problems.is_empty() && !wrong.to_string().is_empty()),
        Ok(model) if model.mechanism.bodies().count() < 20 => {
            let mut overlap = Overlap::of(&model.mechanism);
            let simulation = model.run.simulation(&model.mechanism);
            let Ok(run) = simulation.run_observed(&mut overlap) else { return };
            // No contact is apart in overlap, but for rounding.
            let states = (0..run.trajectory.len()).flat_map(|i| run.trajectory.get(i).1);
            let far = states.fold(model.mechanism.size(), |far, value| far.max(value.abs()));
            let (worst, t) = overlap.worst;
            assert!(worst <= 1e-12 * far, "apart in an overlap of {worst:e} m at t = {t:e} s");
            for channel in &model.channels {
                let Ok(values) = run.series(|snapshot| channel.eval(snapshot)) else { continue };
                assert!(values.iter().all(|value| !value.is_nan()), "{}", channel.name());
            }
        }
        Ok(_) => {}
    }
});
