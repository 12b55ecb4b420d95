//! `jointplay domain`: validity maps.

use std::path::PathBuf;

use clap::Args;
use jointplay_contact::Surfaces;
use jointplay_contact::catalog::ElasticKind;
use jointplay_report::{Axis, Figure, Series, Shading};
use jointplay_study::domain::{LimitPoint, limits, logarithmic_range};
use serde_json::json;

use crate::args::ContactArgs;
use crate::complaints::{Complaints, complain_of_unknown};
use crate::{Failure, print};
use jointplay_model::units::Dimension;

/// Arguments of `jointplay domain`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  jointplay domain johnson,radzimovsky --material steel --plot validity.svg"
)]
pub(crate) struct DomainArgs {
    /// Cylinder laws, separated by commas
    #[arg(value_name = "LAWS")]
    laws: String,
    /// Smallest clearance
    #[arg(long, value_name = "LENGTH", default_value = "5um")]
    from: String,
    /// Largest clearance [default: 10mm, or half the bearing radius if that is less]
    #[arg(long, value_name = "LENGTH")]
    to: Option<String>,
    /// Number of clearances in the table, logarithmically spaced
    #[arg(long, value_name = "COUNT", default_value_t = 12, value_parser = clap::value_parser!(u32).range(2..=10_000))]
    count: u32,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the validity map into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    contact: ContactArgs,
}

pub(crate) fn run(args: &DomainArgs) -> Result<(), Failure> {
    let mut complaints = Complaints::default();
    let mut inputs = args.contact.inputs(&mut complaints);
    inputs.length = inputs.length.or(Some(1e-3));
    let from = complaints.quantity("from", &args.from, Dimension::Length);
    let widest = match inputs.surfaces {
        Some(Surfaces::Internal { bearing, .. }) => (0.5 * bearing).min(10e-3),
        Some(Surfaces::External { .. } | Surfaces::OnPlane { .. }) | None => 10e-3,
    };
    let to = complaints.optional("to", args.to.as_ref(), Dimension::Length).unwrap_or(widest);
    if from <= 0.0 || to <= from {
        complaints.add("--from and --to: 0 < from < to is required");
    }
    if let Some(Surfaces::Internal { bearing, .. }) = inputs.surfaces
        && to >= bearing
    {
        complaints.add(format!(
            "--to {to} m: the clearance must be smaller than the bearing radius of {bearing} m"
        ));
    }
    let mut kinds = Vec::new();
    for name in args.laws.split(',').map(str::trim) {
        match name.parse::<ElasticKind>() {
            Ok(kind) if kinds.contains(&kind) => {
                complaints.add(format!("LAWS: '{}' is given twice", kind.id()));
            }
            Ok(kind) => kinds.push(kind),
            Err(problem) => complaints.problems(&problem.into()),
        }
    }
    for kind in &kinds {
        complain_of_unknown(&inputs, Some(kind.sheet()), &[], &mut complaints);
    }
    complaints.finish()?;
    let compute = |count: u32| -> Result<Vec<(ElasticKind, Vec<LimitPoint>)>, Failure> {
        let clearances = logarithmic_range(from, to, count);
        let mut complaints = Complaints::default();
        let mut all = Vec::new();
        for &kind in &kinds {
            match limits(kind, &inputs, &clearances) {
                Ok(points) => all.push((kind, points)),
                Err(problems) => complaints.problems(&problems),
            }
        }
        complaints.finish()?;
        Ok(all)
    };
    let laws = compute(args.count)?;
    if let Some(path) = &args.plot {
        plot(&compute(200)?).save(path)?;
        print::note(&format!("wrote {}", path.display()));
    }
    if args.json {
        print_json(&laws);
    } else {
        print_text(&laws);
    }
    Ok(())
}

fn print_json(laws: &[(ElasticKind, Vec<LimitPoint>)]) {
    let rows = laws.iter().flat_map(|(kind, points)| {
        points.iter().map(|p| {
            json!({
                "law": kind.id(),
                "clearance": p.clearance,
                "limit_line_load": p.monotone,
                "published_limit_line_load": p.published,
                "limit_indentation": p.delta,
            })
        })
    });
    print::json(&rows.collect());
}

fn print_text(laws: &[(ElasticKind, Vec<LimitPoint>)]) {
    let head = ["law", "ΔR", "limit N/mm (monotone)", "limit N/mm (published)", "δ at limit"]
        .map(str::to_owned);
    let load = |value: Option<f64>| {
        value.map_or_else(|| "none".to_owned(), |f| print::digits(1e-3 * f, 5))
    };
    let rows: Vec<Vec<String>> = laws
        .iter()
        .flat_map(|(kind, points)| {
            points.iter().map(|p| {
                vec![
                    kind.id().to_owned(),
                    print::si(p.clearance, "m"),
                    load(p.monotone),
                    load(p.published),
                    p.delta.map_or_else(|| "none".to_owned(), |d| print::si(d, "m")),
                ]
            })
        })
        .collect();
    print::line(&print::table(&head, &rows));
}

/// The map; a law is valid below its monotone limit.
fn plot(laws: &[(ElasticKind, Vec<LimitPoint>)]) -> Figure {
    let mut figure =
        Figure::new("Load limit of cylinder laws", Axis::log("ΔR", "mm"), Axis::log("f", "N/mm"));
    let curve = |points: &[LimitPoint], value: fn(&LimitPoint) -> Option<f64>| -> Vec<(f64, f64)> {
        points.iter().filter_map(|p| value(p).map(|f| (1e3 * p.clearance, 1e-3 * f))).collect()
    };
    for (index, (kind, points)) in laws.iter().enumerate() {
        let monotone = curve(points, |p| p.monotone);
        let published = curve(points, |p| p.published);
        if laws.len() == 1 && !monotone.is_empty() {
            // down to the edge of the frame, a decade below the curve
            let lowest = monotone.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
            let highest = monotone.iter().map(|p| p.1).fold(0.0, f64::max);
            figure.y = figure.y.within(0.1 * lowest, 2.0 * highest);
            let band = monotone.iter().map(|&(x, top)| (x, 0.0, top));
            figure = figure.with_region(Shading::between("the law holds", band));
        }
        figure = figure.with_series(
            Series::line(format!("{}, monotone", kind.id()), monotone.clone()).with_color(index),
        );
        if !published.is_empty() && published != monotone {
            let series = Series::line(format!("{}, published", kind.id()), published);
            figure = figure.with_series(series.dashed().with_color(index));
        }
    }
    figure
}
