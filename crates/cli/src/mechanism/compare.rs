//! `jointplay compare`: one mechanism with several laws side by side.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use jointplay_mbd::Outcome;
use jointplay_model::{Diagnostics, Model};
use jointplay_page::Kind;
use jointplay_report::{Axis, Figure, Page, Series, check_file};
use jointplay_study::run::{Ending, Run, Summary};
use jointplay_study::store::{Collection, Overwrite};
use jointplay_study::sweep::{Cancellation, Sweep};
use jointplay_view::engine::joint_contacts;
use jointplay_view::label;
use serde_json::json;

use super::pages::Subject;
use super::{ModelArgs, ThreadsArg, check_target, cure, default_folder, takes_law};
use crate::print::{digits, si};
use crate::{Failure, print, progress};

/// What to compare.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  jointplay compare models/slider-crank/model.toml --laws hertz,lankarani-nikravesh,flores \\\n    \
                  --until 0.1s --plot laws.svg"
)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Laws with commas, each as for `run --law`; `model` is the law of the file
    #[arg(long, value_name = "LAWS", required = true)]
    laws: Laws,
    /// Channel to plot, such as pin.force; the force of the first clearance joint by default
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// Draw the channel for all laws into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Folder for the page that shows all laws; out/NAME-laws by default, with the changes in the name where there are some
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace the comparison of other input; your own files in the folder stay
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Laws separated by commas; those within the brackets of a formula are its own.
#[derive(Clone, Debug)]
struct Laws(Vec<String>);

impl std::str::FromStr for Laws {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut depth = 0_i32;
        let parts = text.split(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ',' && depth <= 0
        });
        let laws: Vec<String> = parts.map(|law| law.trim().to_owned()).collect();
        let mut numbered = laws.iter().enumerate();
        match numbered.find(|(k, law)| laws[..*k].contains(law)) {
            Some((_, law)) => Err(format!("'{law}' is given twice")),
            None => Ok(Laws(laws)),
        }
    }
}

impl std::ops::Deref for Laws {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let input = args.model.read().map_err(|failure| failure.with_json(args.json))?;
    let mut models = Vec::new();
    for law in args.laws.iter() {
        let law = Some(law.as_str()).filter(|law| *law != "model");
        // A parameter may be meant for one of the laws alone.
        let overrides = args.model.overrides(None)?.for_several_laws();
        let overrides = match law {
            Some(law) => overrides.law_by(format!("--laws {law}"), law),
            None => overrides,
        };
        let model = input.load_with(&overrides);
        models.push(model.map_err(|failure| failure.with_json(args.json))?);
    }
    let file = args.model.file.display().to_string();
    if let Some(problems) = Diagnostics::taken_by_none(Some(&file), &models) {
        return Err(Failure::Model(Box::new(problems), args.json));
    }
    takes_law(&models[0], &format!("--laws {}", args.laws.join(",")))?;
    let channel = channel(args, &models[0])?;
    let name = args.model.name(&models[0]);
    let mut changes = args.model.changes(None);
    let folder = args.out.clone();
    let folder = folder.unwrap_or_else(|| default_folder(&format!("{name}-laws"), &changes));
    let overwrite = if args.force { Overwrite::Anything } else { Overwrite::Result };
    changes.push(format!("--laws {}", args.laws.join(",")));
    let origin = input.origin(changes, &models);
    check_target(&folder, overwrite, &origin)?;
    if let Some(file) = &args.plot {
        check_file(file)?;
    }
    let cancellation = progress::stopped_by_user();
    let runs = run_all(args, &models, &cancellation)?;
    let summaries: Vec<Summary> = runs.iter().map(Summary::of).collect();
    if let Some(file) = &args.plot {
        figure(args, &channel, &models, &runs)?.save(file)?;
    }
    let page = page(args, &Subject { name: &name, input: &input }, &models, &runs, &cancellation)?;
    let collection = Collection {
        origin,
        settings: json!({ "model": name, "laws": &args.laws[..], "changes": args.model.changes(None) }),
        files: vec![
            ("report.html".to_owned(), page.into_bytes()),
            ("laws.csv".to_owned(), csv(args, &summaries).into_bytes()),
        ],
    };
    let written = collection.write(&folder, overwrite);
    written.map_err(|error| Failure::Run(cure(&error)))?;
    if args.json {
        let laws = args.laws.iter().zip(&summaries);
        let laws: serde_json::Map<_, _> = laws.map(|(law, s)| (law.clone(), json!(s))).collect();
        let result = folder.display().to_string();
        let failed: serde_json::Map<_, _> =
            failed(args, &summaries).map(|(law, why)| (law.clone(), json!(why))).collect();
        print::json(&json!({ "model": name, "laws": laws, "failed": failed, "result": result }));
    } else {
        print::line(&text(args, &summaries));
        print::line(&format!("\npage    {}", folder.join("report.html").display()));
    }
    let failed = failed(args, &summaries).map(|(law, why)| format!("{law}: the run {why}"));
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::Runs(failed)) }
}

/// The laws whose runs did not come to their end, and why.
fn failed<'a>(
    args: &'a CompareArgs,
    summaries: &'a [Summary],
) -> impl Iterator<Item = (&'a String, &'a str)> {
    let runs = args.laws.iter().zip(summaries).filter(|(_, of)| of.outcome == Ending::Failed);
    runs.map(|(law, of)| (law, of.message.as_str()))
}

/// The channel to plot.
fn channel(args: &CompareArgs, model: &Model) -> Result<String, Failure> {
    let first = || model.touching().next().map(|(joint, _)| format!("{joint}.force"));
    let name = args.channel.clone().or_else(first);
    let name = name.or_else(|| model.channels.first().map(|c| c.name().to_owned()));
    let name = name.unwrap_or_default();
    let known = model.channel(&name);
    known.map_err(|problem| Failure::Request(vec![format!("--channel: {problem}")]))?;
    Ok(name)
}

/// One run for each model, in their order.
fn run_all(
    args: &CompareArgs,
    models: &[Model],
    cancellation: &Cancellation,
) -> Result<Vec<Run>, Failure> {
    let bar = progress::bar(models.len(), "laws");
    let sweep = Sweep::new().threads(args.threads.count()).cancelled_by(cancellation);
    let sweep = sweep.progress(|_| bar.inc(1));
    let jobs: Vec<_> = models
        .iter()
        .map(|model| (model.run.simulation(&model.mechanism), joint_contacts(model)))
        .collect();
    let results = sweep.simulate(&jobs);
    bar.finish_and_clear();
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for (law, result) in args.laws.iter().zip(results) {
        let interrupted = match result {
            Some(Ok(run)) => {
                let interrupted = matches!(run.solution.outcome, Outcome::Interrupted { .. });
                runs.push(run);
                interrupted
            }
            Some(Err(error)) => {
                failed.push(format!("{law}: {error}"));
                false
            }
            None => true,
        };
        // Laws that got to different times cannot be compared.
        if interrupted {
            return Err(Failure::Interrupted("interrupted; nothing was written".into()));
        }
    }
    if failed.is_empty() { Ok(runs) } else { Err(Failure::Runs(failed)) }
}

/// The page that shows all laws.
fn page(
    args: &CompareArgs,
    subject: &Subject<'_>,
    models: &[Model],
    runs: &[Run],
    cancellation: &Cancellation,
) -> Result<String, Failure> {
    let mut recordings = Vec::new();
    for ((law, model), run) in args.laws.iter().zip(models).zip(runs) {
        let chosen = Some(law.as_str()).filter(|law| *law != "model");
        recordings.push((label(model), subject.recording(model, run, chosen, false)?));
    }
    let ideal = subject.ideal(&models[0], None, cancellation);
    Ok(subject.page(Kind::Compare, &recordings, ideal.as_ref(), &subject.changed(None)?))
}

/// What every law did in every joint, for programs.
fn csv(args: &CompareArgs, summaries: &[Summary]) -> String {
    let mut table = String::from(
        "law,joint,impacts,first_impact_time,first_impact_speed,peak_force,max_indentation,restitution_in,restitution_out,\
         contact_fraction,loss_normal,loss_friction,out_of_domain,energy_residual,rhs_evaluations,outcome\n",
    );
    for (law, summary) in args.laws.iter().zip(summaries) {
        for (name, joint) in &summary.contacts {
            let numbers = [
                joint.first_impact_time,
                joint.first_impact_speed,
                joint.peak_force,
                joint.max_indentation,
                joint.restitution_in,
                joint.restitution_out,
                joint.contact_fraction,
                joint.loss_normal,
                joint.loss_friction,
                joint.out_of_domain,
                summary.energy_residual,
            ];
            let numbers = numbers.map(|x| x.map_or_else(String::new, |x| format!("{x:e}")));
            let _ = writeln!(
                table,
                "{},{},{},{},{},{}",
                quoted(law),
                quoted(name),
                joint.impacts,
                numbers.join(","),
                summary.rhs_evaluations,
                json!(summary.outcome).as_str().unwrap_or_default()
            );
        }
    }
    table
}

/// A cell of a table with commas.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// The laws row by row, one table for each joint.
fn text(args: &CompareArgs, summaries: &[Summary]) -> String {
    let joints: Vec<&String> = summaries[0].contacts.keys().collect();
    let mut parts = Vec::new();
    let any_failed = failed(args, summaries).next().is_some();
    for joint in joints {
        let mut head = vec![
            "law",
            "impacts",
            "first at",
            "its speed",
            "peak force",
            "deepest",
            "e out",
            "in contact",
            "lost",
            "books",
        ];
        // Rows of runs that failed hold what was up to then.
        head.extend(any_failed.then_some("outcome"));
        let rows = args.laws.iter().zip(summaries).map(|(law, summary)| {
            let of = &summary.contacts[joint];
            let quantity = |value: Option<f64>, unit: &str| {
                value.map_or_else(|| "-".to_owned(), |value| si(value, unit))
            };
            let lost = of.loss_normal.zip(of.loss_friction).map(|(n, f)| n + f);
            let share = of.contact_fraction.map(|share| format!("{} %", digits(100.0 * share, 4)));
            let mut row = vec![
                law.clone(),
                of.impacts.to_string(),
                quantity(of.first_impact_time, "s"),
                quantity(of.first_impact_speed, "m/s"),
                quantity(of.peak_force, "N"),
                quantity(of.max_indentation, "m"),
                of.restitution_out.map_or_else(|| "-".to_owned(), |e| digits(e, 3)),
                share.unwrap_or_else(|| "-".to_owned()),
                quantity(lost, "J"),
                summary.energy_residual.map_or_else(|| "-".to_owned(), |r| format!("{r:.0e}")),
            ];
            row.extend(any_failed.then(|| match summary.outcome {
                Ending::Failed => format!("FAILED at {}", quantity(summary.t_end, "s")),
                _ => "complete".to_owned(),
            }));
            row
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let head: Vec<String> = head.into_iter().map(str::to_owned).collect();
        parts.push(format!("joint {joint}\n{}", print::table(&head, &rows)));
    }
    let warnings = args.laws.iter().zip(summaries);
    let warnings = warnings.flat_map(|(law, s)| s.warnings.iter().map(move |w| (law, w)));
    parts.extend(warnings.map(|(law, warning)| format!("warning: {law}: {warning}")));
    parts.join("\n\n")
}

/// One panel for each law, on the same axes.
fn figure(
    args: &CompareArgs,
    channel: &str,
    models: &[Model],
    runs: &[Run],
) -> Result<Page, Failure> {
    let mut figures = Vec::new();
    let mut bounds = (f64::INFINITY, f64::NEG_INFINITY);
    for ((law, model), run) in args.laws.iter().zip(models).zip(runs) {
        let of = model.channel(channel);
        let of = of.map_err(|problem| Failure::Request(vec![problem]))?;
        let values = run.solution.series(|snapshot| of.eval(snapshot));
        let values = values.map_err(|error| Failure::Run(error.to_string()))?;
        let finite = values.iter().filter(|v| v.is_finite());
        bounds = finite.fold(bounds, |(low, high), v| (low.min(*v), high.max(*v)));
        let points = run.solution.trajectory.times().iter().copied().zip(values);
        let label = channel.rsplit('.').next().unwrap_or(channel);
        let figure = Figure::new(law, Axis::linear("t", "s"), Axis::linear(label, of.unit()))
            .with_series(Series::line("", points))
            .with_size(640.0, 220.0);
        figures.push(figure);
    }
    if bounds.1 > bounds.0 {
        for figure in &mut figures {
            let spare = 0.03 * (bounds.1 - bounds.0);
            figure.y = figure.y.clone().within(bounds.0 - spare, bounds.1 + spare);
        }
    }
    Ok(Page { panels: figures, columns: 1 })
}
