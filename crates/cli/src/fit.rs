//! `jointplay fit`: power-law fits.

use std::path::PathBuf;

use clap::Args;
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_report::{Axis, Figure, Series};
use jointplay_study::fit::{self, Fit, FitError};
use serde_json::json;

use crate::args::{ContactArgs, Elastic, ElasticChoice};
use crate::complaints::{Complaints, complain_of_unknown};
use crate::{Failure, print};
use jointplay_model::units::Dimension;

/// Arguments of `jointplay fit`.
#[derive(Args)]
#[command(
    after_help = "Example:\n  jointplay fit johnson --clearance 0.5mm --material steel --max-load 1000N/mm"
)]
pub(crate) struct FitArgs {
    /// Elastic law: an id of `jointplay laws`, table:FILE.csv or formula:TEXT
    #[arg(value_name = "LAW")]
    law: String,
    /// Maximum load per unit length of a cylinder law
    #[arg(long, value_name = "LOAD", default_value = "1000N/mm")]
    max_load: String,
    /// Maximum force; required for point contacts, replaces --max-load for cylinders
    #[arg(long, value_name = "FORCE")]
    max_force: Option<String>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw law and fit into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    contact: ContactArgs,
}

pub(crate) fn run(args: &FitArgs) -> Result<(), Failure> {
    let mut complaints = Complaints::default();
    let mut inputs = args.contact.inputs(&mut complaints);
    // fits are published per mm of length
    inputs.length = inputs.length.or(Some(1e-3));
    let choice = ElasticChoice::read(&args.law, &mut complaints);
    let elastic = choice.as_ref().and_then(|c| args.contact.elastic(c, &inputs, &mut complaints));
    if let Some(choice) = &choice {
        complain_of_unknown(&inputs, choice.sheet(), &[], &mut complaints);
    }
    let max_load = complaints.quantity("max-load", &args.max_load, Dimension::LineLoad);
    let max_force = complaints.optional("max-force", args.max_force.as_ref(), Dimension::Force);
    let max_force = match (max_force, &elastic) {
        (Some(force), _) => force,
        (None, Some(Elastic { length: Some(length), .. })) => max_load * length,
        (None, Some(_)) => {
            complaints
                .add("this law has no load per length: give --max-force, such as --max-force 5kN");
            f64::NAN
        }
        (None, None) => f64::NAN,
    };
    complaints.finish()?;
    let Some(elastic) = elastic else { return Ok(()) };
    for warning in &elastic.warnings {
        print::warning(warning);
    }
    for note in &elastic.notes {
        print::note(&format!("note: {note}"));
    }
    let result = fit::fit(&elastic.law, max_force).map_err(|e| {
        let message = format!("{}: {e}", elastic.name);
        match e {
            FitError::NoFit => Failure::Run(message),
            _ => Failure::Request(vec![message]),
        }
    })?;
    if let Some(path) = &args.plot {
        plot(&elastic, &result).save(path)?;
        print::note(&format!("wrote {}", path.display()));
    }
    if args.json {
        print_json(&elastic, &result);
    } else {
        print_text(&elastic, &result);
    }
    Ok(())
}

/// K in N/mmⁿ.
fn stiffness_mm(fit: &Fit) -> f64 {
    fit.power.stiffness / 1e3_f64.powf(fit.power.exponent)
}

fn print_json(elastic: &Elastic, fit: &Fit) {
    let per_mm = elastic.length.map(|length| stiffness_mm(fit) / (1e3 * length));
    print::json(&json!({
        "law": elastic.name,
        "stiffness": fit.power.stiffness,
        "exponent": fit.power.exponent,
        "stiffness_mm": stiffness_mm(fit),
        "stiffness_mm_per_length": per_mm,
        "length": elastic.length,
        "max_force": fit.max_force,
        "max_indentation": fit.max_indentation,
        "relative_error": fit.relative_error,
        "relative_error_judged_from": fit::JUDGED_FROM * fit.max_force,
        "worst_force": fit.worst_force,
        "error_of_full_load": fit.error_of_full_load,
        "rms_of_full_load": fit.rms_of_full_load,
        "samples": fit::SAMPLES,
    }));
}

fn print_text(elastic: &Elastic, fit: &Fit) {
    let percent = |x: f64| format!("{} %", print::digits(100.0 * x, 3));
    let n = fit.power.exponent;
    let mut rows = vec![
        ("exponent n", print::digits(n, 6)),
        (
            "stiffness K",
            format!("{} N/m^{}", print::digits(fit.power.stiffness, 6), print::digits(n, 4)),
        ),
        ("", format!("{} N/mm^{}", print::digits(stiffness_mm(fit), 6), print::digits(n, 4))),
    ];
    if let Some(length) = elastic.length {
        let per_mm = stiffness_mm(fit) / (1e3 * length);
        rows.push((
            "per mm of length",
            format!("{} N/mm^{}", print::digits(per_mm, 6), print::digits(n + 1.0, 4)),
        ));
    }
    let from = print::si(fit::JUDGED_FROM * fit.max_force, "N");
    rows.extend([
        (
            "range",
            format!(
                "0 … {} (δ up to {})",
                print::si(fit.max_force, "N"),
                print::si(fit.max_indentation, "m")
            ),
        ),
        (
            "largest relative error",
            format!(
                "{} at {} (loads from {from})",
                percent(fit.relative_error),
                print::si(fit.worst_force, "N")
            ),
        ),
        ("largest error relative to full load", percent(fit.error_of_full_load)),
        ("r.m.s. error relative to full load", percent(fit.rms_of_full_load)),
    ]);
    print::line(&format!(
        "F = K δⁿ for {}, least squares on the force at {} loads",
        elastic.name,
        fit::SAMPLES
    ));
    print::line(&print::pairs(&rows));
    print::line(
        "This is the error of the fit, not of the law; use the fit only where K and n are required.",
    );
}

fn plot(elastic: &Elastic, fit: &Fit) -> Figure {
    let curve = |law: &ElasticLaw| -> Vec<(f64, f64)> {
        (0..=400)
            .map(|i| {
                let delta = fit.max_indentation * f64::from(i) / 400.0;
                (1e6 * delta, law.force(delta))
            })
            .collect()
    };
    let title =
        format!("{} and its fit, n = {}", elastic.name, print::digits(fit.power.exponent, 5));
    Figure::new(title, Axis::linear("δ", "µm"), Axis::linear("F", "N"))
        .with_series(Series::line(&elastic.name, curve(&elastic.law)))
        .with_series(Series::line("K δ^n", curve(&ElasticLaw::Power(fit.power))).dashed())
}
