//! The summary of a run as text.

use std::fmt::Write as _;

use jointplay_study::metrics::Measured;
use jointplay_study::summary::Summary;

use crate::print::{digits, pairs, si, table};

/// A share as a percentage.
fn percent(share: Option<f64>) -> String {
    share.map_or_else(dash, |share| format!("{} %", digits(100.0 * share, 4)))
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
        "{} steps, {} right-hand sides, {}",
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
        "deepest",
        "e in",
        "e free",
        "e out",
        "in contact",
        "lost",
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

/// A metric with its unit.
pub(crate) fn shown_metric(metric: &Measured) -> String {
    match (metric.value, metric.unit.as_str()) {
        (None, _) => dash(),
        (Some(value), "-") => digits(value, 6),
        // A prefix goes before a single unit, not before a product of units.
        (Some(value), unit) if unit.chars().all(char::is_alphabetic) && unit != "kg" => si(value, unit),
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
        text.push_str(&table(&head.map(str::to_owned), &rows));
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
