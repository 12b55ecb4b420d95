//! The shipped models, and what they do in a short run.

use jointplay_model::Model;

/// Every shipped model: name, text, and the end of a run (s) that has impacts.
pub(crate) const MODELS: [(&str, &str, f64); 12] = [
    ("b3", include_str!("../../../../models/bench/b3.toml"), 12e-3),
    ("chain-link", include_str!("../../../../models/chain-link/model.toml"), 2e-3),
    ("four-bar", include_str!("../../../../models/four-bar/model.toml"), 20e-3),
    ("geneva", include_str!("../../../../models/geneva/model.toml"), 0.35),
    ("pin-in-bore", include_str!("../../../../models/pin-in-bore/model.toml"), 2e-3),
    ("pin-in-fixed-bore", include_str!("../../../../models/pin-in-bore/fixed.toml"), 2e-3),
    ("pin-slot", include_str!("../../../../models/pin-slot/model.toml"), 8e-3),
    ("pin-slot-revolute", include_str!("../../../../models/pin-slot-revolute/model.toml"), 5e-3),
    ("scotch-yoke", include_str!("../../../../models/scotch-yoke/model.toml"), 5e-3),
    (
        "slider-crank-prismatic",
        include_str!("../../../../models/slider-crank-prismatic/model.toml"),
        8e-3,
    ),
    ("slider-crank", include_str!("../../../../models/slider-crank/model.toml"), 12e-3),
    ("two-spheres", include_str!("../../../../models/two-spheres/model.toml"), 10e-3),
];

/// The bits of all channels of a model at all instants of a run up to `until` (s), and how many impacts it had.
pub(crate) fn behaviour(model: &Model, until: f64) -> (Vec<u64>, usize) {
    let run = model.run.simulation(&model.mechanism).until(until).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    let times = run.trajectory.times().iter().map(|t| t.to_bits());
    let mut bits: Vec<u64> = times.collect();
    for channel in &model.channels {
        let series = run.series(|instant| channel.eval(instant)).expect("regular");
        bits.extend(series.iter().map(|value| value.to_bits()));
    }
    (bits, run.impacts().count())
}
