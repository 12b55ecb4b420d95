//! What a user may turn in the page.

use jointplay_model::{Knob, Model};
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct KnobView {
    label: String,
    joint: Option<String>,
    what: &'static str,
    unit: &'static str,
    value: f64,
    min: f64,
    max: f64,
    log: bool,
    key: String,
    offset: f64,
    factor: f64,
}

pub(crate) fn of(model: &Model) -> Vec<KnobView> {
    let view = |knob: &Knob| KnobView {
        label: knob.label.clone(),
        joint: knob.joint.clone(),
        what: knob.what.name(),
        unit: knob.unit,
        value: knob.value,
        min: knob.range[0],
        max: knob.range[1],
        log: knob.log,
        key: knob.key.clone(),
        offset: knob.offset,
        factor: knob.factor,
    };
    model.knobs().iter().map(view).collect()
}
