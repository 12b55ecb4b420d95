//! `jointplay impact`: free impacts, one or many.

use std::path::PathBuf;

use clap::Args;
use jointplay_contact::catalog::DampingKind;
use jointplay_contact::damping::DampingLaw;
use jointplay_contact::{NormalLaw, Tension};
use jointplay_report::{Axis, Figure, Series};
use jointplay_study::impact::{Impact, ImpactError, ImpactResult};
use serde_json::{Value, json};

use crate::args::ContactArgs;
use crate::{Failure, print};

mod request;
mod table;

use self::request::{Plan, Request};

/// Points of a loop, for `--curve` and plots.
const CURVE_POINTS: u32 = 401;

/// Arguments of `jointplay impact`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  jointplay impact --elastic hertz --stiffness 5.2e9 --damping lankarani-nikravesh \\\n    --restitution 0.7 --mass 9.2 --mass 9.2 --speed 0.3\n  jointplay impact --stiffness 5.2e9 --mass 9.2 --mass 9.2 --speed 0.3 \\\n    --damping all --restitution 0:1:0.1 --plot e_out.svg"
)]
pub(crate) struct ImpactArgs {
    /// Complete law elastic+damping, such as johnson+flores
    #[arg(long, value_name = "LAW", conflicts_with_all = ["elastic", "damping"])]
    law: Option<String>,
    /// Elastic law: an id of `jointplay laws`, table:FILE.csv or formula:TEXT
    #[arg(long, value_name = "LAW")]
    elastic: Option<String>,
    /// Dissipation laws, separated by commas, or `all` [default: exact if --restitution is given]
    #[arg(long, value_name = "LAW")]
    damping: Option<String>,
    /// Restitution c_r: a number, a list a,b,c, a range START:END:STEP, cube-root, or linear
    /// (with --param alpha_0=… --param alpha_1=…)
    #[arg(long, value_name = "C_R", allow_hyphen_values = true)]
    restitution: Option<String>,
    /// Mass of a body; give it once for an impact on a wall, twice for two bodies
    #[arg(long, value_name = "MASS", allow_hyphen_values = true)]
    mass: Vec<String>,
    /// Approach speed
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true)]
    speed: Option<String>,
    /// Keep tensile (pulling) forces as the formulas give them instead of setting them to zero
    #[arg(long)]
    adhesive: bool,
    /// Damping is computed with at least this impact speed
    #[arg(long, value_name = "SPEED", allow_hyphen_values = true, default_value = "1e-6m/s")]
    impact_speed_floor: String,
    /// Relative tolerance of the integration
    #[arg(long, value_name = "NUMBER", allow_hyphen_values = true)]
    tolerance: Option<String>,
    /// Add the loop (t, indentation, speed, force) to the JSON
    #[arg(long, requires = "json")]
    curve: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Draw the loops, or e_out against c_r for a table, into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    contact: ContactArgs,
}

pub(crate) fn run(args: &ImpactArgs) -> Result<(), Failure> {
    let request = request::read(args)?;
    match (&request.plan, request.dampings.len()) {
        (Plan::Each, 0 | 1) => run_single(args, &request),
        (Plan::Each, _) => run_comparison(args, &request),
        (Plan::Table(restitutions), _) => table::run(args, &request, restitutions),
    }
}

/// The law of one damping (or of a formula alone).
fn build(
    request: &Request,
    damping: Option<DampingKind>,
    adhesive: bool,
) -> Result<(String, NormalLaw), Failure> {
    let elastic = &request.elastic;
    let (name, law) = match damping {
        Some(kind) => {
            let law = kind
                .build(&request.inputs, &elastic.name, &elastic.law)
                .map_err(|problems| vec![problems.to_string()])?;
            (format!("{}+{}", elastic.name, kind.id()), law)
        }
        None => (elastic.name.clone(), elastic.own_damping.clone().unwrap_or(DampingLaw::None)),
    };
    let tension = if adhesive { Tension::Keep } else { Tension::Clip };
    let elastic = elastic.law.clone();
    Ok((
        name,
        NormalLaw { tension, impact_speed_floor: request.floor, ..NormalLaw::new(elastic, law) },
    ))
}

fn simulate(
    args: &ImpactArgs,
    request: &Request,
    name: &str,
    law: &NormalLaw,
) -> Result<ImpactResult, Failure> {
    let impact = Impact {
        law,
        effective_mass: request.effective_mass(),
        speed: request.speed,
        tolerance: request.tolerance,
    };
    let wants_curve = args.curve || args.plot.is_some();
    let done = if wants_curve { impact.run_with_curve(CURVE_POINTS) } else { impact.run() };
    done.map_err(|error| match error {
        // the inputs are wrong, not the computation
        ImpactError::Begin(_) => Failure::Request(vec![format!("{name}: {error}")]),
        _ => Failure::Run(format!("{name}: {error}")),
    })
}

fn run_single(args: &ImpactArgs, request: &Request) -> Result<(), Failure> {
    let damping = request.dampings.first().copied();
    let (name, law) = build(request, damping, args.adhesive)?;
    let result = simulate(args, request, &name, &law)?;
    let warnings = all_warnings(request, damping, &result);
    if let Some(path) = &args.plot {
        loops(&[(name.clone(), &result)]).save(path)?;
        print::note(&format!("wrote {}", path.display()));
    }
    if args.json {
        print::json(&as_json(args, request, &name, &result, &warnings));
    } else {
        for warning in &warnings {
            print::warning(warning);
        }
        for note in &request.elastic.notes {
            print::note(&format!("note: {note}"));
        }
        print::line(&as_text(request, &name, &result));
    }
    Ok(())
}

fn run_comparison(args: &ImpactArgs, request: &Request) -> Result<(), Failure> {
    let mut results = Vec::new();
    for &damping in &request.dampings {
        let (name, law) = build(request, Some(damping), args.adhesive)?;
        let result = simulate(args, request, &name, &law)?;
        let warnings = all_warnings(request, Some(damping), &result);
        results.push((name, result, warnings));
    }
    if let Some(path) = &args.plot {
        let named: Vec<_> =
            results.iter().map(|(name, result, _)| (name.clone(), result)).collect();
        loops(&named).save(path)?;
        print::note(&format!("wrote {}", path.display()));
    }
    if args.json {
        let values = results
            .iter()
            .map(|(name, result, warnings)| as_json(args, request, name, result, warnings));
        print::json(&values.collect());
        return Ok(());
    }
    let head = ["law", "e_out", "δ_max", "F_max", "duration", "energy lost"].map(str::to_owned);
    let rows: Vec<Vec<String>> = results
        .iter()
        .map(|(name, r, _)| {
            vec![
                name.clone(),
                print::digits(r.restitution, 6),
                print::si(r.max_indentation, "m"),
                print::si(r.max_force, "N"),
                print::si(r.duration, "s"),
                print::si(r.energy_lost, "J"),
            ]
        })
        .collect();
    print::line(&print::table(&head, &rows));
    for (name, _, warnings) in &results {
        for warning in warnings {
            print::warning(&format!("{name}: {warning}"));
        }
    }
    Ok(())
}

fn all_warnings(
    request: &Request,
    damping: Option<DampingKind>,
    result: &ImpactResult,
) -> Vec<String> {
    let mut warnings = request.warnings(damping.as_slice());
    if result.restitution_cut {
        warnings.push("the restitution formula leaves [0, 1] at this speed and was clamped".into());
    }
    if result.continued {
        warnings.push("the impact exceeds the limit of the elastic law; the law was continued along its tangent".into());
    }
    if result.floored {
        warnings.push(request.floor_warning());
    }
    warnings
}

fn as_json(
    args: &ImpactArgs,
    request: &Request,
    name: &str,
    r: &ImpactResult,
    warnings: &[String],
) -> Value {
    let mut value = json!({
        "law": name,
        "restitution": r.restitution,
        "restitution_closed_form": r.restitution_closed_form,
        "max_indentation": r.max_indentation,
        "max_force": r.max_force,
        "indentation_at_max_force": r.indentation_at_max_force,
        "duration": r.duration,
        "energy_lost": r.energy_lost,
        "force_evaluations": r.force_evaluations,
        "input_restitution": r.input_restitution,
        "effective_mass": request.effective_mass(),
        "speed": request.speed,
        "permanent_indentation": r.permanent_indentation,
        "clipped": r.clipped,
        "continued": r.continued,
        "impact_speed_floor": request.floor,
        "impact_speed_floored": r.floored,
        "adhesive": args.adhesive,
        "restitution_cut": r.restitution_cut,
        "warnings": warnings,
        "notes": request.elastic.notes,
    });
    if args.curve {
        let column = |f: fn(&jointplay_study::impact::Sample) -> f64| {
            r.curve.iter().map(f).collect::<Vec<f64>>()
        };
        value["curve"] = json!({
            "t": column(|s| s.t),
            "indentation": column(|s| s.delta),
            "speed": column(|s| s.delta_dot),
            "force": column(|s| s.force),
        });
    }
    value
}

fn as_text(request: &Request, name: &str, r: &ImpactResult) -> String {
    let bodies = match request.masses.as_slice() {
        [m] => format!("{} against a wall", print::si(1e3 * m, "g")),
        [i, j] => format!("{} and {}", print::si(1e3 * i, "g"), print::si(1e3 * j, "g")),
        _ => String::new(),
    };
    let closed = r.restitution_closed_form.map_or_else(
        || "no closed form".to_owned(),
        |e| format!("closed form {}", print::digits(e, 10)),
    );
    let mut rows = vec![
        ("restitution e_out", format!("{} ({closed})", print::digits(r.restitution, 10))),
        ("largest indentation", print::si(r.max_indentation, "m")),
        (
            "largest force",
            format!(
                "{} at {}",
                print::si(r.max_force, "N"),
                print::si(r.indentation_at_max_force, "m")
            ),
        ),
        ("duration", print::si(r.duration, "s")),
        ("energy lost", print::si(r.energy_lost, "J")),
    ];
    if r.permanent_indentation > 0.0 {
        rows.push(("permanent indentation", print::si(r.permanent_indentation, "m")));
    }
    if r.clipped {
        rows.push((
            "force",
            "set to zero before separation, where the formula pulls (--adhesive keeps it)"
                .to_owned(),
        ));
    }
    rows.push(("force evaluations", r.force_evaluations.to_string()));
    let c_r = r.input_restitution.map_or_else(String::new, |c| format!(", c_r = {c}"));
    format!("{name}{c_r}: {bodies} at {}\n{}", print::si(request.speed, "m/s"), print::pairs(&rows))
}

/// Force against indentation, one loop per law.
fn loops(results: &[(String, &ImpactResult)]) -> Figure {
    let title = match results {
        [(name, _)] => format!("Free impact, {name}"),
        _ => "Free impact".to_owned(),
    };
    let mut figure = Figure::new(title, Axis::linear("δ", "µm"), Axis::linear("F", "N"));
    for (name, result) in results {
        let points = result.curve.iter().map(|s| (1e6 * s.delta, s.force));
        figure = figure.with_series(Series::line(name, points));
    }
    figure
}
