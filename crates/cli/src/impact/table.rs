//! The table of e_out: many laws, many input restitutions.

use jointplay_contact::catalog::{DampingKind, LawProblem};
use jointplay_report::{Axis, Figure, Reference, Series};
use jointplay_study::restitution_table::{Adhesive, Entry, Row, Skipped, restitution_table};
use serde_json::{Value, json};

use super::{ImpactArgs, Request};
use crate::{Failure, print};

pub(super) fn run(
    args: &ImpactArgs,
    request: &Request,
    restitutions: &[f64],
) -> Result<(), Failure> {
    let runs = request.dampings.len() * restitutions.len();
    if runs > 2000 {
        print::note(&format!("{runs} impacts …"));
    }
    let (rows, skipped) =
        restitution_table(&request.table_inputs(), &request.dampings, restitutions);
    let warnings = request.table_warnings();
    for warning in &warnings {
        print::warning(warning);
    }
    if let Some(path) = &args.plot {
        let shown: Vec<DampingKind> = rows.iter().map(|row| row.damping).collect();
        plot(request, &shown).save(path)?;
        print::note(&format!("wrote {}", path.display()));
    }
    if args.json {
        print::json(&as_json(request, &rows, &skipped, restitutions, &warnings));
    } else {
        print::line(&as_text(request, &rows, &skipped, restitutions));
    }
    Ok(())
}

/// Whether the clamp changes any entry of the row.
fn is_clipped(row: &Row) -> bool {
    row.entries
        .iter()
        .any(|e| matches!(e, Entry::Value { adhesive, .. } if *adhesive != Adhesive::Same))
}

fn clipped_cell(entry: &Entry) -> String {
    match entry {
        Entry::Value { clipped, .. } => format!("{clipped:.4}"),
        Entry::Limit => "0 lim".to_owned(),
        Entry::OutsideDomain => "–".to_owned(),
        Entry::Failed(_) => "failed".to_owned(),
    }
}

fn adhesive_cell(entry: &Entry) -> String {
    match entry {
        Entry::Value { adhesive: Adhesive::Value(e), .. } => format!("{e:.4}"),
        Entry::Value { adhesive: Adhesive::NeverParts, .. } => "0 lim".to_owned(),
        Entry::Value { adhesive: Adhesive::Failed(_), .. } => "failed".to_owned(),
        other => clipped_cell(other),
    }
}

fn as_text(request: &Request, rows: &[Row], skipped: &[Skipped], restitutions: &[f64]) -> String {
    let mut head = vec!["e_out for c_r =".to_owned()];
    head.extend(restitutions.iter().map(f64::to_string));
    let mut cells = Vec::new();
    for row in rows {
        let line = |name: String, cell: fn(&Entry) -> String| {
            std::iter::once(name).chain(row.entries.iter().map(cell)).collect::<Vec<_>>()
        };
        cells.push(line(row.damping.id().to_owned(), clipped_cell));
        if is_clipped(row) {
            cells.push(line("  … adhesive".to_owned(), adhesive_cell));
        }
    }
    let masses: Vec<String> = request.masses.iter().map(|m| print::si(1e3 * m, "g")).collect();
    let mut out = vec![
        format!(
            "Free impacts on `{}`, {} at {}, integrated",
            request.elastic.name,
            masses.join(" and "),
            print::si(request.speed, "m/s")
        ),
        print::table(&head, &cells),
    ];
    let any = |wanted: fn(&Entry) -> bool| rows.iter().flat_map(|r| &r.entries).any(wanted);
    if any(|e| matches!(e, Entry::Limit | Entry::Value { adhesive: Adhesive::NeverParts, .. })) {
        out.push(
            "0 lim: the damping becomes infinite or critical here, and e_out tends to 0."
                .to_owned(),
        );
    }
    if rows.iter().any(is_clipped) {
        out.push("adhesive: tensile forces are kept as the formula gives them; in the line above they are set to zero.".to_owned());
    }
    if any(|e| matches!(e, Entry::OutsideDomain)) {
        out.push("–: outside the domain of the law.".to_owned());
    }
    for row in rows {
        for (entry, c) in row.entries.iter().zip(restitutions) {
            if let Entry::Failed(error) = entry {
                out.push(format!("failed: {} at c_r = {c}: {error}", row.damping.id()));
            }
        }
    }
    let lacking =
        |s: &&Skipped| s.problems.0.iter().all(|p| matches!(p, LawProblem::Missing { .. }));
    let names = |keep: &dyn Fn(&&Skipped) -> bool| {
        skipped.iter().filter(keep).map(|s| label(s.damping)).collect::<Vec<_>>().join(", ")
    };
    let (given, other) = (names(&lacking), names(&|s| !lacking(s)));
    if !given.is_empty() {
        out.push(print::wrap(
            &format!("Not shown, because they need parameters (--param; brilliantov also a material): {given}."),
            "",
            100,
        ));
    }
    if !other.is_empty() {
        out.push(print::wrap(
            &format!(
                "Not shown, because they cannot be combined with `{}`: {other}.",
                request.elastic.name
            ),
            "",
            100,
        ));
    }
    out.join("\n")
}

/// A law and the parameters it needs.
fn label(kind: DampingKind) -> String {
    let needed = kind.must_be_given();
    if needed.is_empty() {
        kind.id().to_owned()
    } else {
        format!("{} ({})", kind.id(), needed.join(", "))
    }
}

fn as_json(
    request: &Request,
    rows: &[Row],
    skipped: &[Skipped],
    restitutions: &[f64],
    warnings: &[String],
) -> Value {
    let entries = rows.iter().flat_map(|row| {
        row.entries.iter().zip(restitutions).map(|(entry, c)| {
            let mut value = json!({
                "damping": row.damping.id(),
                "input_restitution": c,
                "restitution": null,
                "restitution_adhesive": null,
                "restitution_closed_form": null,
                "limit": false,
                "clipped": false,
                "in_domain": true,
            });
            match entry {
                Entry::Value { clipped, adhesive, closed_form } => {
                    value["restitution"] = json!(clipped);
                    value["restitution_closed_form"] = json!(closed_form);
                    value["clipped"] = json!(*adhesive != Adhesive::Same);
                    value["restitution_adhesive"] = match adhesive {
                        Adhesive::Same => json!(clipped),
                        Adhesive::Value(e) => json!(e),
                        Adhesive::NeverParts => json!(0.0), // as a limit
                        Adhesive::Failed(_) => Value::Null,
                    };
                }
                Entry::Limit => {
                    value["restitution"] = json!(0.0);
                    value["restitution_adhesive"] = json!(0.0);
                    value["limit"] = json!(true);
                }
                Entry::OutsideDomain => value["in_domain"] = json!(false),
                Entry::Failed(error) => value["error"] = json!(error.to_string()),
            }
            value
        })
    });
    json!({
        "elastic": request.elastic.name,
        "effective_mass": request.effective_mass(),
        "speed": request.speed,
        "impact_speed_floor": request.floor,
        "input_restitutions": restitutions,
        "warnings": warnings,
        "entries": entries.collect::<Vec<_>>(),
        "skipped": skipped.iter().map(|s| json!({
            "damping": s.damping.id(),
            "reasons": s.problems.0.iter().map(ToString::to_string).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

/// Input restitutions of the curves: finer than the table, and finer still near 0, where some
/// laws start like a square root.
fn curve_grid() -> Vec<f64> {
    let near_zero = [0.0, 1e-4, 5e-4, 0.001, 0.002, 0.004, 0.007];
    near_zero.into_iter().chain((1..=100).map(|i| f64::from(i) / 100.0)).collect()
}

/// e_out against c_r; laws whose curves coincide share one line of the legend.
fn plot(request: &Request, dampings: &[DampingKind]) -> Figure {
    let grid = curve_grid();
    let (rows, _) = restitution_table(&request.table_inputs(), dampings, &grid);
    let mut curves: Vec<(String, Vec<Option<f64>>)> = Vec::new();
    for row in &rows {
        let values: Vec<Option<f64>> = row
            .entries
            .iter()
            .map(|entry| match entry {
                Entry::Value { clipped, .. } => Some(*clipped),
                Entry::Limit => Some(0.0),
                Entry::OutsideDomain | Entry::Failed(_) => None,
            })
            .collect();
        let same = |other: &Vec<Option<f64>>| {
            other.iter().zip(&values).all(|(a, b)| match (a, b) {
                (Some(a), Some(b)) => (a - b).abs() < 1e-6,
                (a, b) => a.is_none() && b.is_none(),
            })
        };
        match curves.iter_mut().find(|(_, other)| same(other)) {
            Some((label, _)) => *label = format!("{label}, {}", row.damping.id()),
            None => curves.push((row.damping.id().to_owned(), values)),
        }
    }
    let title = format!("Output against input restitution on {}", request.elastic.name);
    let axis = |label: &str| Axis::linear(label, "").within(0.0, 1.0);
    let mut figure = Figure::new(title, axis("c_r"), axis("e_out"))
        .with_reference(Reference::through((0.0, 0.0), (1.0, 1.0), "e_out = c_r"));
    for (label, values) in curves {
        let points = grid.iter().zip(&values).filter_map(|(&c, e)| e.map(|e| (c, e)));
        figure = figure.with_series(Series::line(label, points));
    }
    figure
}
