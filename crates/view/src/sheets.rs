//! Data sheets of the laws in use.

use jointplay_model::Model;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct SheetView {
    id: &'static str,
    title: &'static str,
    family: String,
    formula: String,
    source: String,
    domain: &'static str,
    notes: Vec<&'static str>,
    joints: Vec<String>,
    parameters: Vec<ParameterView>,
}

#[derive(Serialize)]
struct ParameterView {
    name: &'static str,
    symbol: &'static str,
    unit: &'static str,
    value: f64,
}

pub(crate) fn label(_model: &Model) -> String {
    String::new()
}

pub(crate) fn of(_model: &Model) -> Vec<SheetView> {
    Vec::new()
}
