use jointplay_model::Model;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct KnobView {}

pub(crate) fn of(_model: &Model) -> Vec<KnobView> {
    Vec::new()
}
