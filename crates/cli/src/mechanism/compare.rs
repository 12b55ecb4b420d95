//! `jointplay compare`: one mechanism with several laws, side by side.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use jointplay_model::{Diagnostics, Model};
use jointplay_page::Kind;
use jointplay_report::{Axis, Figure, Page, Series, check_file};
use jointplay_study::case::{Case, Digest, Loaded};
use jointplay_study::contacts::{Form, JointNumber, JointTable};
use jointplay_study::run::Run;
use jointplay_study::store::{Collection, Compared, Origin, Overwrite};
use jointplay_study::summary::{Ending, Summary};
use jointplay_study::sweep::{Cancellation, Sweep};
use jointplay_view::{Recording, label};
use serde_json::json;

use super::summary::{cells, dash, heads, quantity};
use super::{ModelArgs, ThreadsArg, check_target, cure, default_folder, pages, refused, takes_law};
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
    /// Laws separated by commas, each as for `run --law`; `model` stands for the law of the file
    #[arg(long, value_name = "LAWS", required = true)]
    laws: Laws,
    /// Channel to plot, such as pin.force; the force of the first clearance joint by default
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// Draw the channel for all laws into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Folder for the page that shows all laws; by default out/NAME-laws, followed by the changes if there are any
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace the comparison of a different model or of different changes; your own files in the folder are kept
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Laws separated by commas; commas inside the brackets of a formula belong to the formula.
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
    let (base, cases) = load(args).map_err(|failure| failure.with_json(args.json))?;
    let first = &cases[0];
    takes_law(&first.model, &format!("--laws {}", args.laws.join(",")))?;
    let channel = channel(args, &first.model)?;
    let changes = base.changes().flags();
    let folder = args.out.clone();
    let folder =
        folder.unwrap_or_else(|| default_folder(&format!("{}-laws", first.name), &changes));
    let overwrite = if args.force { Overwrite::Anything } else { Overwrite::Result };
    let origin = Origin {
        changes: [&changes[..], &[format!("--laws {}", args.laws.join(","))]].concat(),
        digest: Digest::of_all(cases.iter().map(|case| &case.digest)),
        ..Origin::of(first)
    };
    check_target(&folder, overwrite, &origin)?;
    if let Some(file) = &args.plot {
        check_file(file)?;
    }
    let cancellation = progress::stopped_by_user();
    let recorded = run_all(args, &cases, &cancellation)?;
    let summaries: Vec<Summary> =
        recorded.iter().map(|(run, _)| Summary::of(&run.record)).collect();
    if let Some(file) = &args.plot {
        figure(args, &channel, &recorded)?.save(file)?;
    }
    let page = page(&base, recorded, &cancellation);
    let collection = Collection {
        origin,
        settings: Compared { model: first.name.clone(), laws: args.laws.to_vec(), changes },
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
        let name = &first.name;
        print::json(&json!({ "model": name, "laws": laws, "failed": failed, "result": result }));
    } else {
        print::line(&text(args, &summaries));
        print::line(&format!("\npage    {}", folder.join("report.html").display()));
    }
    let failed = failed(args, &summaries).map(|(law, why)| format!("{law}: the run {why}"));
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::Runs(failed)) }
}

/// The model with the changes common to all laws, and with each law.
fn load(args: &CompareArgs) -> Result<(Case, Vec<Loaded>), Failure> {
    // A parameter may be meant for one of the laws alone.
    let changes = args.model.overrides()?.for_several_laws();
    let base = args.model.open()?.changed(changes.clone());
    let with_law = |law: &String| {
        let changes = match law.as_str() {
            "model" => changes.clone(),
            law => changes.clone().law_by(format!("--laws {law}"), law),
        };
        base.clone().changed(changes).load().map_err(refused)
    };
    let cases = args.laws.iter().map(with_law).collect::<Result<Vec<_>, _>>()?;
    let file = args.model.file.display().to_string();
    let models = cases.iter().map(|case| &*case.model);
    match Diagnostics::taken_by_none(Some(&file), models) {
        Some(problems) => Err(refused(problems)),
        None => Ok((base, cases)),
    }
}

/// The laws whose runs failed, and why.
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

/// One run for each case, in the same order.
fn run_all(
    args: &CompareArgs,
    cases: &[Loaded],
    cancellation: &Cancellation,
) -> Result<Vec<(Run, Recording)>, Failure> {
    let bar = progress::bar(cases.len(), "laws");
    let sweep = Sweep::new().threads(args.threads.count()).cancelled_by(cancellation);
    let sweep = sweep.progress(|_| bar.inc(1));
    let results =
        sweep.run(cases, |case, cancelled| jointplay_view::record(case, &mut |_| cancelled.flow()));
    bar.finish_and_clear();
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for (law, result) in args.laws.iter().zip(results) {
        let interrupted = match result {
            Some(Ok((run, recording))) => {
                let outcome = Summary::of(&run.record).outcome;
                runs.push((run, recording));
                outcome == Ending::Interrupted
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
fn page(base: &Case, recorded: Vec<(Run, Recording)>, cancellation: &Cancellation) -> String {
    let case = recorded[0].0.case.clone();
    // What could be read with its changes can be written with them.
    let text = base.written().unwrap_or_else(|_| base.text().to_owned());
    let shown: Vec<(String, Recording)> =
        recorded.into_iter().map(|(run, recording)| (label(&run.case.model), recording)).collect();
    let ideal = pages::ideal(&base.clone().ideal(), cancellation);
    pages::page(Kind::Compare, &case, &text, &shown, ideal.as_ref())
}

/// The results of every law in every joint, as CSV.
fn csv(args: &CompareArgs, summaries: &[Summary]) -> String {
    let numbers = || JointNumber::shown_in(JointTable::LawsFile);
    let keys: Vec<&str> = numbers().map(|number| number.key).collect();
    let mut table =
        format!("law,joint,{},energy_residual,rhs_evaluations,outcome\n", keys.join(","));
    for (law, summary) in args.laws.iter().zip(summaries) {
        for (name, joint) in &summary.contacts {
            let cell = |number: &JointNumber| match (number.form, number.of(joint)) {
                (_, None) => String::new(),
                (Form::Count, Some(x)) => x.to_string(),
                (Form::Quantity(_) | Form::Ratio | Form::Share, Some(x)) => format!("{x:e}"),
            };
            let _ = writeln!(
                table,
                "{},{},{},{},{},{}",
                quoted(law),
                quoted(name),
                numbers().map(cell).collect::<Vec<_>>().join(","),
                summary.energy_residual.map_or_else(String::new, |x| format!("{x:e}")),
                summary.rhs_evaluations,
                json!(summary.outcome).as_str().unwrap_or_default()
            );
        }
    }
    table
}

/// A quoted cell of a CSV file.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// The laws row by row, one table for each joint.
fn text(args: &CompareArgs, summaries: &[Summary]) -> String {
    let joints: Vec<&String> = summaries[0].contacts.keys().collect();
    let mut parts = Vec::new();
    let any_failed = failed(args, summaries).next().is_some();
    for joint in joints {
        let mut head = vec!["law".to_owned()];
        head.extend(heads(JointTable::Laws));
        head.push("energy residual".to_owned());
        // The row of a failed run covers the time until it failed.
        head.extend(any_failed.then(|| "outcome".to_owned()));
        let rows = args.laws.iter().zip(summaries).map(|(law, summary)| {
            let mut row = vec![law.clone()];
            row.extend(cells(JointTable::Laws, &summary.contacts[joint]));
            row.push(summary.energy_residual.map_or_else(dash, |r| format!("{r:.0e}")));
            row.extend(any_failed.then(|| match summary.outcome {
                Ending::Failed => format!("FAILED at {}", quantity(summary.t_end, "s")),
                _ => "complete".to_owned(),
            }));
            row
        });
        let rows: Vec<Vec<String>> = rows.collect();
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
    recorded: &[(Run, Recording)],
) -> Result<Page, Failure> {
    let mut figures = Vec::new();
    let mut bounds = (f64::INFINITY, f64::NEG_INFINITY);
    for (law, (run, _)) in args.laws.iter().zip(recorded) {
        let of = run.case.model.channel(channel);
        let of = of.map_err(|problem| Failure::Request(vec![problem.to_string()]))?;
        let values = run.values(channel).map_err(|error| Failure::Run(error.to_string()))?;
        let finite = values.iter().filter(|v| v.is_finite());
        bounds = finite.fold(bounds, |(low, high), v| (low.min(*v), high.max(*v)));
        let points = run.channels.times.iter().copied().zip(values);
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
