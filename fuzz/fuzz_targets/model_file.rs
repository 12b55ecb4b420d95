//! Whatever a file says: a model that runs to finite numbers, or problems in words.
#![no_main]

use jointplay_model::{Model, Overrides};

libfuzzer_sys::fuzz_target!(|text: &str| {
    let limits = Overrides::new().set("run.max_steps", "50").set("run.rtol", "1e-6");
    match Model::parse(text, &limits) {
        Err(wrong) => assert!(!wrong.problems.is_empty() && !wrong.to_string().is_empty()),
        Ok(model) if model.mechanism.bodies().count() < 20 => {
            let Ok(run) = model.run.simulation(&model.mechanism).run() else { return };
            for channel in &model.channels {
                let Ok(values) = run.series(|snapshot| channel.eval(snapshot)) else { continue };
                assert!(values.iter().all(|value| !value.is_nan()), "{}", channel.name());
            }
        }
        Ok(_) => {}
    }
});
