//! The summary of a run as text.

use std::fmt::Write as _;
use std::iter;

use jointplay_study::contacts::{Form, JointNumber, JointSummary, JointTable};
use jointplay_study::metrics::Measured;
use jointplay_study::summary::Summary;

use crate::print::{self, digits, pairs, si, table};

/// A number of a joint as text.
pub(crate) fn written(number: &JointNumber, value: f64) -> String {
    match number.form {
        Form::Count => digits(value, 4),
        Form::Quantity(unit) => si(value, unit),
        Form::Ratio => digits(value, 3),
        Form::Share => format!("{} %", digits(100.0 * value, 4)),
    }
}

/// The numbers of a joint in a table of one run.
pub(crate) fn cells(table: JointTable, joint: &JointSummary) -> impl Iterator<Item = String> {
    JointNumber::shown_in(table).map(|number| match (number.form, number.of(joint)) {
        (_, None) => dash(),
        (Form::Count, Some(value)) => value.to_string(),
        (Form::Quantity(_) | Form::Ratio | Form::Share, Some(value)) => written(number, value),
    })
}

/// The heads of these cells.
pub(crate) fn heads(table: JointTable) -> impl Iterator<Item = String> {
    JointNumber::shown_in(table).map(|number| number.label.to_owned())
}

pub(crate) fn dash() -> String {
    "-".to_owned()
}

pub(crate) fn quantity(value: Option<f64>, unit: &str) -> String {
    value.map_or_else(dash, |value| si(value, unit))
}

/// Outcome, cost and energy balance of a run.
pub(crate) fn facts(summary: &Summary) -> [(&'static str, String); 3] {
    let implicit = |steps: usize, why: &str| {
        if steps > 0 { format!(" ({steps} implicit {why})") } else { String::new() }
    };
    let coordinates = match summary.formulation.as_str() {
        "" => String::new(),
        formulation => format!(" in {formulation} coordinates"),
    };
    let cost = format!(
        "{} steps{}{}{}, {} evaluations, {}",
        summary.steps,
        coordinates,
        implicit(summary.stiff_steps, "against stiff contact damping"),
        implicit(summary.resting_steps, "at rest"),
        summary.rhs_evaluations,
        quantity(summary.wall_seconds, "s")
    );
    let books = format!(
        "{} of the energy in play ({}: ledger {}, drift control {})",
        summary.energy_residual.map_or_else(dash, |r| format!("{r:.1e}")),
        quantity(summary.energy_residual_joule, "J"),
        quantity(summary.energy_books_joule, "J"),
        quantity(summary.energy_drift_joule, "J")
    );
    [("outcome", summary.message.clone()), ("cost", cost), ("energy residual", books)]
}

/// Head and rows of the table of joints.
fn joints(summary: &Summary) -> (Vec<String>, Vec<Vec<String>>) {
    let head = iter::once("joint".to_owned()).chain(heads(JointTable::Run));
    let mut joints: Vec<_> = summary.contacts.iter().collect();
    joints.sort_by_cached_key(|(name, _)| print::natural(name.as_str()));
    let rows = joints.into_iter().map(|(name, joint)| {
        iter::once(name.clone()).chain(cells(JointTable::Run, joint)).collect()
    });
    (head.collect(), rows.collect())
}

/// A metric with its unit.
pub(crate) fn shown_metric(metric: &Measured) -> String {
    match (metric.value, metric.unit.as_str()) {
        (None, _) => dash(),
        (Some(value), "-") => digits(value, 6),
        // A prefix goes before a single unit, not before a product of units.
        (Some(value), unit) if unit.chars().all(char::is_alphabetic) && unit != "kg" => {
            si(value, unit)
        }
        (Some(value), unit) => format!("{} {unit}", digits(value, 6)),
    }
}

/// The summary of a run. Metrics have these units.
pub(crate) fn text(name: &str, summary: &Summary, metrics: &[Measured]) -> String {
    let shown = |metric: &Measured| vec![metric.name.clone(), shown_metric(metric)];
    let rows: Vec<Vec<String>> = metrics.iter().map(shown).collect();
    let metrics = match &rows[..] {
        [] => String::new(),
        rows => format!("\n\n{}", table(&["metric", "value"].map(str::to_owned), rows)),
    };
    let mut lines = vec![("model", name.to_owned())];
    lines.extend(facts(summary));
    let mut text = pairs(&lines);
    if !summary.contacts.is_empty() {
        let (head, rows) = joints(summary);
        text.push('\n');
        text.push_str(&table(&head, &rows));
        text.push_str(
            "\nrestitution e: specified (in), of free impacts at the same speeds (free), of these impacts (out)",
        );
    }
    text.push_str(&metrics);
    for warning in &summary.warnings {
        let _ = write!(text, "\nwarning: {warning}");
    }
    for note in &summary.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    text
}
