//! The results of searches, as text and figures.

use std::collections::BTreeMap;

use jointplay_report::{Axis, Figure, Series};
use jointplay_study::frame::{Column, Frame};
use jointplay_study::identify::{Identified, ParameterFinding};
use jointplay_study::optimum::Optimum;
use jointplay_study::study::Findings;

use crate::mechanism::file_name;
use crate::print::{digits, table};

/// Digits of a number in a table.
const DIGITS: usize = 6;

fn number(x: Option<f64>) -> String {
    x.map_or_else(|| "–".to_owned(), |x| digits(x, DIGITS))
}

fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// The best values of an optimisation.
pub(super) fn optimum(found: &Optimum) -> Vec<String> {
    let word = if found.maximise { "greatest" } else { "least" };
    let interval = match (found.objective_low, found.objective_high) {
        (Some(low), Some(high)) => {
            format!(" (95 %: {} to {})", digits(low, DIGITS), digits(high, DIGITS))
        }
        _ => String::new(),
    };
    let scatter =
        found.scatter.map_or_else(String::new, |s| format!("; runs scatter by {}", digits(s, 3)));
    let objective = number(found.objective);
    let mut parts = vec![format!("{word} {}: {objective}{interval}{scatter}", found.metric)];
    let rows: Vec<Vec<String>> =
        found.best.iter().map(|(key, value)| vec![key.clone(), digits(*value, DIGITS)]).collect();
    parts.push(table(&heads(&["key (SI)", "best value"]), &rows));
    for (metric, value) in &found.constraints {
        parts.push(format!("{metric}: {}", number(*value)));
    }
    parts.extend(found.notes.iter().map(|note| format!("note: {note}")));
    parts
}

/// The result of an identification.
pub(super) fn identified(found: &Identified) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(law) = &found.law {
        parts.push(format!("best law: {law}"));
    }
    parts.push(parameters(&found.parameters, found.shift.as_ref()));
    let rows: Vec<Vec<String>> = found
        .comparison
        .iter()
        .map(|(channel, own)| {
            let percent =
                own.nrmse.map_or_else(|| "–".to_owned(), |x| format!("{} %", digits(100.0 * x, 3)));
            vec![
                channel.clone(),
                number(own.rmse),
                percent,
                number(own.peak_error),
                found.noise.get(channel).cloned().unwrap_or_default(),
            ]
        })
        .collect();
    parts.push(table(
        &heads(&["channel (SI)", "RMSE", "of the range", "peak error", "residuals"]),
        &rows,
    ));
    if !found.ranking.is_empty() {
        let rows: Vec<Vec<String>> = found
            .ranking
            .iter()
            .map(|law| {
                let alike = if law.indistinguishable { "indistinguishable" } else { "" };
                vec![
                    law.law.clone(),
                    number(law.rmse),
                    number(law.aicc),
                    number(law.delta),
                    alike.to_owned(),
                ]
            })
            .collect();
        parts.push(table(&heads(&["law", "RMSE", "AICc", "difference", "from the first"]), &rows));
    }
    parts.extend(found.notes.iter().map(|note| format!("note: {note}")));
    parts
}

fn parameters(
    found: &BTreeMap<String, ParameterFinding>,
    shift: Option<&ParameterFinding>,
) -> String {
    let all =
        found.iter().map(|(key, own)| (key.as_str(), own)).chain(shift.map(|own| ("shift", own)));
    let rows: Vec<Vec<String>> = all
        .map(|(key, own)| {
            let known = if own.identifiable { "" } else { "not determined by the data" };
            vec![
                key.to_owned(),
                number(own.value),
                number(own.std),
                number(own.low),
                number(own.high),
                known.to_owned(),
            ]
        })
        .collect();
    table(&heads(&["key (SI)", "value", "std. error", "95 % from", "to", ""]), &rows)
}

/// Data and model of each channel, and the residuals.
pub(super) fn overlays(findings: &Findings, overlay: &Frame) -> Vec<(String, Figure)> {
    let channels = overlay.columns().find_map(|(name, column)| match column {
        Column::Texts(texts) if name == "channel" => Some(texts),
        _ => None,
    });
    let (Some(channels), Some(t), Some(data), Some(model)) =
        (channels, overlay.numbers("t"), overlay.numbers("data"), overlay.numbers("model"))
    else {
        return Vec::new();
    };
    let mut figures = Vec::new();
    for channel in &findings.measured {
        let rows: Vec<usize> = (0..channels.len()).filter(|&i| *channels[i] == **channel).collect();
        let unit = findings.units.get(channel).map_or("", String::as_str);
        let points = |of: &dyn Fn(usize) -> f64| -> Vec<(f64, f64)> {
            rows.iter().map(|&i| (t[i], of(i))).collect()
        };
        let axes = || (Axis::linear("t", "s"), Axis::linear(channel, unit));
        let (x, y) = axes();
        let figure = Figure::new(&findings.model, x, y)
            .with_series(Series::line("measured", points(&|i| data[i])).solid())
            .with_series(Series::line("model", points(&|i| model[i])).dashed())
            .with_size(900.0, 400.0);
        figures.push((file_name(channel), figure));
        let (x, y) = axes();
        let figure = Figure::new(format!("{}: model minus measured", findings.model), x, y)
            .with_series(Series::line("", points(&|i| model[i] - data[i])))
            .with_size(900.0, 300.0);
        figures.push((format!("{}-residual", file_name(channel)), figure));
    }
    figures
}

/// The objective of each run, and the best so far.
pub(super) fn progress(findings: &Findings, runs: &Frame) -> Vec<(String, Figure)> {
    let Some(found) = &findings.optimum else { return Vec::new() };
    let Some(values) = runs.numbers(&found.metric) else { return Vec::new() };
    let points: Vec<(f64, f64)> = values
        .iter()
        .enumerate()
        .filter(|(_, y)| y.is_finite())
        .map(|(i, y)| (i as f64 + 1.0, *y))
        .collect();
    let unit = findings.units.get(&found.metric).map_or("", String::as_str);
    let figure =
        Figure::new(&findings.model, Axis::linear("run", ""), Axis::linear(&found.metric, unit))
            .with_series(Series::markers("", points));
    vec![(file_name(&found.metric), figure)]
}
