//! The findings of a study as text.

use std::collections::BTreeMap;

use jointplay_study::capability::Capability;
use jointplay_study::frame::{Column, Frame};
use jointplay_study::study::{Findings, LimitFinding, Value};
use jointplay_study::study_file::StudyKind;
use jointplay_study::warned::StudyWarning;

use crate::print::{digits, si, table};

/// Digits of a number in a table.
const DIGITS: usize = 6;

fn number(x: Option<f64>) -> String {
    x.map_or_else(|| "–".to_owned(), |x| digits(x, DIGITS))
}

fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

/// All findings as tables.
pub(super) fn text(findings: &Findings, runs: &Frame) -> String {
    let failed = match findings.failed {
        0 => String::new(),
        failed => format!(", {failed} of them without a result"),
    };
    let open = match findings.points - findings.runs {
        0 => String::new(),
        _ => format!(" of {}", findings.points),
    };
    let kind = findings.kind.name();
    let mut parts = vec![format!(
        "{kind} of {}: {}{open} run{}{failed}",
        findings.model,
        findings.runs,
        if findings.points == 1 { "" } else { "s" }
    )];
    let row_by_row = matches!(findings.kind, StudyKind::Sweep | StudyKind::Bifurcation);
    if row_by_row && (1..=MOST_ROWS).contains(&runs.len()) {
        parts.push(rows(runs));
    } else if findings.kind == StudyKind::Bifurcation {
        let classes = findings.classes.iter().map(|(class, count)| format!("{count} {class}"));
        parts.push(classes.collect::<Vec<_>>().join(", "));
    } else if let Some(found) = &findings.optimum {
        parts.extend(super::found::optimum(found));
    } else if let Some(found) = &findings.identified {
        parts.extend(super::found::identified(found));
    } else if !findings.metrics.is_empty() {
        parts.push(spread(findings));
    }
    let three = |name: &str, keys: &BTreeMap<String, Vec<Option<f64>>>, columns: &[&str]| {
        let head: Vec<&str> = std::iter::once(name).chain(columns.iter().copied()).collect();
        let row = |(key, numbers): (&String, &Vec<Option<f64>>)| {
            let numbers = numbers.iter().map(|x| number(*x));
            std::iter::once(key.clone()).chain(numbers).collect()
        };
        let rows: Vec<Vec<String>> = keys.iter().map(row).collect();
        table(&heads(&head), &rows)
    };
    for (metric, keys) in &findings.indices {
        let of = keys.iter().map(|(key, i)| {
            let numbers =
                vec![i.first, i.first_low, i.first_high, i.total, i.total_low, i.total_high];
            (key.clone(), numbers)
        });
        let columns = ["first", "from", "to", "total", "from", "to"];
        parts.push(three(metric, &of.collect(), &columns));
    }
    for (metric, keys) in &findings.effects {
        let of = keys.iter().map(|(key, e)| (key.clone(), vec![e.mu, e.mu_star, e.sigma]));
        parts.push(three(metric, &of.collect(), &["mean effect", "mean magnitude", "deviation"]));
    }
    for (metric, keys) in &findings.swings {
        let of = keys.iter().map(|(key, s)| (key.clone(), vec![s.low, s.middle, s.high, s.swing]));
        parts.push(three(metric, &of.collect(), &["at 5 %", "in the middle", "at 95 %", "swing"]));
    }
    parts.extend(findings.limits.iter().map(limit));
    parts.extend(findings.capability.iter().map(|(metric, found)| capability(metric, found)));
    for (metric, fraction) in &findings.indistinguishable {
        let percent = digits(100.0 * fraction, 3);
        parts.push(format!(
            "{metric}: {percent} % of all pairs of points are indistinguishable: their scatter explains the difference (Welch's test, 95 %)"
        ));
    }
    for (key, fit) in &findings.fits {
        let [least, greatest] = fit.clearance.map(|c| si(c, "m"));
        let mut line =
            format!("{key} = {}: clearance on the diameter {least} to {greatest}", fit.fit);
        if fit.without_clearance > 0.0 {
            let percent = digits(100.0 * fit.without_clearance, 4);
            line = format!("{line}; no clearance with a probability of {percent} %");
        }
        parts.push(line);
    }
    for (metric, worst) in &findings.worst {
        let at = worst.at.iter().map(|(key, value)| match value {
            Value::Number(number) => format!("{key} = {}", digits(*number, DIGITS)),
            Value::Text(text) => format!("{key} = {text}"),
        });
        let at = at.collect::<Vec<_>>().join(", ");
        parts.push(format!("worst {metric}: {} at {at} (SI)", digits(worst.value, DIGITS)));
    }
    parts.join("\n\n")
}

/// Why the first run of a table failed.
pub(super) fn first_reason(table: &Frame) -> Option<&str> {
    table.columns().find_map(|(name, cells)| match cells {
        Column::Texts(texts) if ["outcome", "why"].contains(&name) => {
            texts.first()?.strip_prefix("failed: ")
        }
        Column::Texts(_) | Column::Numbers(_) => None,
    })
}

/// A warning with the number of runs that have it.
pub(super) fn warning(warning: &StudyWarning, findings: &Findings) -> String {
    match (warning.runs, warning.first) {
        (Some(runs), Some(first)) => {
            let of = format!("{runs} of {} runs, first in row {first}", findings.runs);
            format!("{of}: {}", warning.message)
        }
        _ => warning.message.clone(),
    }
}

/// The runs of a small sweep, one on each line.
fn rows(runs: &Frame) -> String {
    let head: Vec<String> = runs.columns().map(|(name, _)| name.to_owned()).collect();
    let cell = |column: &Column, row: usize| match column {
        Column::Numbers(numbers) => number(Some(numbers[row]).filter(|x| x.is_finite())),
        Column::Texts(texts) => texts[row].to_string(),
    };
    let row = |i: usize| runs.columns().map(|(_, column)| cell(column, i)).collect();
    let rows: Vec<Vec<String>> = (0..runs.len()).map(row).collect();
    table(&head, &rows)
}

/// Sweeps of at most this many runs are shown run by run.
const MOST_ROWS: usize = 30;

fn spread(findings: &Findings) -> String {
    let head = heads(&["metric (SI)", "mean", "std. deviation", "minimum", "median", "maximum"]);
    let row = |name: &String| {
        let of = findings.metrics.get(name)?;
        let numbers = [of.mean, of.std, of.min, of.p50, of.max].map(number);
        Some(std::iter::once(name.clone()).chain(numbers).collect())
    };
    let rows: Vec<Vec<String>> = findings.measured.iter().filter_map(row).collect();
    table(&head, &rows)
}

fn limit(LimitFinding { limit, exceeded }: &LimitFinding) -> String {
    let sign = if limit.upper { "<" } else { ">" };
    let asked = format!("{} {sign} {}", limit.metric, digits(limit.value, DIGITS));
    let Some(found) = exceeded else { return format!("{asked}: no run has this metric") };
    let [p, low, high] = [found.probability, found.low, found.high].map(|p| digits(100.0 * p, 3));
    format!(
        "{asked}: exceeded in {} of {} runs, {p} % (95 % interval {low} to {high} %)",
        found.count, found.of
    )
}

/// C_p, if there are two limits, and C_pk.
fn capability(metric: &str, found: &Capability) -> String {
    let index = |name: &str, [x, low, high]: [f64; 3]| {
        let [x, low, high] = [x, low, high].map(|x| digits(x, 3));
        format!("{name} {x} (95 % interval {low} to {high})")
    };
    let cp = [found.cp, found.cp_low, found.cp_high].into_iter().collect::<Option<Vec<f64>>>();
    let cp = cp.and_then(|cp| Some(index("Cp", cp.try_into().ok()?)));
    let cpk = index("Cpk", [found.cpk, found.cpk_low, found.cpk_high]);
    let both = cp.into_iter().chain([cpk]).collect::<Vec<_>>().join(", ");
    format!("{metric}: process capability {both}, if its distribution is normal")
}

/// A time in the units that people use.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => si(s, "s"),
        s if s < 7200.0 => format!("{:.0} minutes", s / 60.0),
        s => format!("{:.1} hours", s / 3600.0),
    }
}
