//! `jointplay laws`: the catalogue, one line for each law, as a data sheet, or as the reference page.

use clap::Args;
use jointplay_contact::catalog::{
    self, Bounds, DampingKind, ElasticKind, Family, FrictionKind, Interval, LawName, Parameter,
    Sheet, SpeedBound, sheet_of, sheets,
};
use serde_json::json;

use crate::{Failure, print};

/// Arguments of `jointplay laws`.
#[derive(Args)]
pub(crate) struct LawsArgs {
    /// Print the data sheet of this law
    #[arg(value_name = "LAW")]
    law: Option<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "markdown")]
    json: bool,
    /// Print the reference page of all laws (or of one) in Markdown, as in docs/laws.md
    #[arg(long)]
    markdown: bool,
}

pub(crate) fn run(args: &LawsArgs) -> Result<(), Failure> {
    // a combination, or the short name of a published model, is replaced by its parts
    if let Some(parts) = args.law.as_deref().and_then(parts) {
        match (args.json, args.markdown) {
            (true, _) => print::json(&parts.into_iter().map(as_json).collect()),
            (_, true) => {
                print::line(parts.iter().map(|s| s.markdown()).collect::<String>().trim_end());
            }
            _ => print::line(&parts.into_iter().map(as_text).collect::<Vec<_>>().join("\n\n")),
        }
        return Ok(());
    }
    let chosen = match args.law.as_deref().map(str::trim) {
        Some("") => {
            return Err(vec!["no law is named; `jointplay laws` lists all names".to_owned()].into());
        }
        Some(name) => Some(sheet_of(name).map_err(|problem| vec![problem.to_string()])?),
        None => None,
    };
    if args.json {
        match chosen {
            Some(sheet) => print::json(&as_json(sheet)),
            None => print::json(&sheets().map(as_json).collect()),
        }
    } else if args.markdown {
        let page = chosen.map_or_else(catalog::reference_page, Sheet::markdown);
        print::line(page.trim_end());
    } else if let Some(sheet) = chosen {
        print::line(&as_text(sheet));
    } else {
        print::line(&list());
    }
    Ok(())
}

/// The sheets of a law made up of several components.
fn parts(name: &str) -> Option<Vec<&'static Sheet>> {
    let law = LawName::parse(name).ok()?;
    let sheets = [
        law.elastic.map(ElasticKind::sheet),
        law.damping.map(DampingKind::sheet),
        law.friction.map(FrictionKind::sheet),
    ];
    let sheets: Vec<_> = sheets.into_iter().flatten().collect();
    (sheets.len() > 1).then_some(sheets)
}

const FAMILIES: [Family; 5] =
    [Family::Point, Family::Cylinder, Family::Damping, Family::Plastic, Family::Friction];

fn list() -> String {
    let width = sheets().map(|s| s.id.len()).max().unwrap_or(0);
    let mut lines = Vec::new();
    for family in FAMILIES {
        lines.push(format!("{}:", capitalised(&family.to_string())));
        lines.extend(
            sheets()
                .filter(|s| s.family == family)
                .map(|s| format!("  {:width$}  {}", s.id, s.summary)),
        );
        lines.push(String::new());
    }
    lines.push(format!(
        "{} laws. `jointplay laws NAME` prints a data sheet; laws combine as elastic+damping+friction.",
        sheets().count()
    ));
    lines.join("\n")
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

fn default_text(p: &Parameter) -> String {
    p.default.map_or_else(|| "no default".to_owned(), |d| format!("default {d}"))
}

fn as_text(sheet: &Sheet) -> String {
    let mut out = vec![
        format!("{} — {}", sheet.id, sheet.name),
        format!("  {} ({}), {}", sheet.authors, sheet.year, sheet.family),
    ];
    if !sheet.aliases.is_empty() {
        out.push(format!("  also called {}", sheet.aliases.join(", ")));
    }
    out.push(format!("\n  {}\n", sheet.formula));
    if !sheet.parameters.is_empty() {
        out.push("Parameters".to_owned());
        let rows: Vec<(String, String)> = sheet
            .parameters
            .iter()
            .map(|p| {
                let unit = if p.unit == "-" { String::new() } else { format!(" {}", p.unit) };
                (
                    format!("{} ({})", p.key, p.symbol),
                    format!("{}{unit}, {}: {}", p.interval, default_text(p), p.meaning),
                )
            })
            .collect();
        let rows: Vec<(&str, String)> = rows.iter().map(|(k, v)| (k.as_str(), v.clone())).collect();
        out.push(print::pairs(&rows));
    }
    out.push("Domain".to_owned());
    out.push(print::wrap(sheet.domain, "  ", 96));
    let bounds = sheet.bounds.sentences();
    if !bounds.is_empty() {
        out.push("Checked in every run".to_owned());
        out.extend(bounds.iter().map(|bound| print::wrap(bound, "  ", 96)));
    }
    if !sheet.equations.is_empty() {
        out.push("Printed in".to_owned());
        out.extend(sheet.equations.iter().map(|c| format!("  {}: {}", c.paper, c.place)));
    }
    if !sheet.notes.is_empty() {
        out.push("Notes".to_owned());
        out.extend(sheet.notes.iter().map(|note| print::wrap(note, "  ", 96)));
    }
    if !sheet.errata.is_empty() {
        let numbers: Vec<String> = sheet.errata.iter().map(u8::to_string).collect();
        out.push(format!("Errata of the papers (docs/errata.md): {}", numbers.join(", ")));
    }
    out.push(format!("Source: {} (docs/references.bib)", sheet.source));
    out.join("\n")
}

/// The bounds of a law by name; `null` for a bound that the source does not state.
fn bounds(bounds: &Bounds) -> serde_json::Value {
    let range = |range: Interval| json!([range.low, range.high]);
    let (least, greatest) = match bounds.speed {
        Some(SpeedBound::UpTo(share)) => (None, Some(share)),
        Some(SpeedBound::From(share)) => (Some(share), None),
        None => (None, None),
    };
    json!({
        "least_speed_over_wave_speed": least,
        "greatest_speed_over_wave_speed": greatest,
        "restitution": bounds.restitution.map(range),
        "least_clearance_over_bearing_radius": bounds.conformity,
        "line_load": bounds.load,
        "clearance": bounds.clearance.map(range),
        "exponent": bounds.exponent.map(range),
    })
}

fn as_json(sheet: &Sheet) -> serde_json::Value {
    let end = |x: f64| if x.is_finite() { json!(x) } else { serde_json::Value::Null };
    json!({
        "id": sheet.id,
        "aliases": sheet.aliases,
        "family": sheet.family.to_string(),
        "name": sheet.name,
        "authors": sheet.authors,
        "year": sheet.year,
        "source": sheet.source,
        "summary": sheet.summary,
        "formula": sheet.formula,
        "equations": sheet.equations.iter()
            .map(|c| json!({ "paper": c.paper.key(), "place": c.place })).collect::<Vec<_>>(),
        "parameters": sheet.parameters.iter().map(|p| json!({
            "key": p.key,
            "symbol": p.symbol,
            "unit": p.unit,
            "low": end(p.interval.low),
            "high": end(p.interval.high),
            "low_included": p.interval.low_closed,
            "high_included": p.interval.high_closed,
            "default": p.default,
            "meaning": p.meaning,
        })).collect::<Vec<_>>(),
        "domain": sheet.domain,
        "bounds": bounds(&sheet.bounds),
        "notes": sheet.notes,
        "errata": sheet.errata,
    })
}
