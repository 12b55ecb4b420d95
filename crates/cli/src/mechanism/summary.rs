//! The summary of a run as text.

use std::fmt::Write as _;

use jointplay_study::summary::Summary;

use crate::print::{digits, pairs, si, table};

/// A fraction as a percentage.
fn percent(fraction: Option<f64>) -> String {
    fraction.map_or_else(dash, |fraction| format!("{} %", digits(100.0 * fraction, 4)))
}

fn dash() -> String {
    "-".to_owned()
}

fn quantity(value: Option<f64>, unit: &str) -> String {
    value.map_or_else(dash, |value| si(value, unit))
}

fn number(value: Option<f64>, count: usize) -> String {
    value.map_or_else(dash, |value| digits(value, count))
}

/// Outcome, cost and energy balance of a run.
pub(crate) fn facts(summary: &Summary) -> [(&'static str, String); 3] {
    let cost = format!(
        "{} steps, {} evaluations, {}",
        summary.steps,
        summary.rhs_evaluations,
        quantity(summary.wall_seconds, "s")
    );
    let books = format!(
        "{} of the energy exchanged ({}: ledger {}, drift control {})",
        summary.energy_residual.map_or_else(dash, |r| format!("{r:.1e}")),
        quantity(summary.energy_residual_joule, "J"),
        quantity(summary.energy_books_joule, "J"),
        quantity(summary.energy_drift_joule, "J")
    );
    [("outcome", summary.message.clone()), ("cost", cost), ("energy residual", books)]
}

/// Head and rows of the table of joints.
pub(crate) fn joints(summary: &Summary) -> ([&'static str; 12], Vec<Vec<String>>) {
    let head = [
        "joint",
        "impacts",
        "first at",
        "impact speed",
        "fastest",
        "peak force",
        "max indentation",
        "e in",
        "e free",
        "e out",
        "in contact",
        "energy lost",
    ];
    let rows = summary.contacts.iter().map(|(name, joint)| {
        let lost = joint.loss_normal.zip(joint.loss_friction).map(|(n, f)| n + f);
        vec![
            name.clone(),
            joint.impacts.to_string(),
            quantity(joint.first_impact_time, "s"),
            quantity(joint.first_impact_speed, "m/s"),
            quantity(joint.max_impact_speed, "m/s"),
            quantity(joint.peak_force, "N"),
            quantity(joint.max_indentation, "m"),
            number(joint.restitution_in, 3),
            number(joint.restitution_free, 3),
            number(joint.restitution_out, 3),
            percent(joint.contact_fraction),
            quantity(lost, "J"),
        ]
    });
    (head, rows.collect())
}

/// The summary of a run.
pub(crate) fn text(name: &str, summary: &Summary) -> String {
    let mut lines = vec![("model", name.to_owned())];
    lines.extend(facts(summary));
    let mut text = pairs(&lines);
    if !summary.contacts.is_empty() {
        let (head, rows) = joints(summary);
        text.push('\n');
        text.push_str(&table(&head.map(str::to_owned), &rows));
        text.push_str(
            "\nrestitution e: specified (in), of free impacts at the same speeds (free), of these impacts (out)",
        );
    }
    for warning in &summary.warnings {
        let _ = write!(text, "\nwarning: {warning}");
    }
    for note in &summary.notes {
        let _ = write!(text, "\nnote: {note}");
    }
    text
}
