//! `jointplay compare`: one mechanism with several laws, or in several cases of its file, side by side.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use jointplay_model::{Diagnostics, Model};
use jointplay_page::PageKind;
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
use crate::names::Names;
use crate::{Failure, print, progress};

/// Arguments of `jointplay compare`.
#[derive(Args, Debug)]
#[command(
    group = clap::ArgGroup::new("variants").required(true),
    after_help = "Examples:\n  jointplay compare models/slider-crank/model.toml --laws hertz,lankarani-nikravesh,flores \\\n    \
                  --until 0.1s --plot laws.svg\n  jointplay compare models/four-bar/model.toml --cases model,worn --until 0.05s"
)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Laws separated by commas, each as for `run --law`; `model` stands for the law of the file
    #[arg(long, value_name = "LAWS", group = "variants")]
    laws: Option<Names>,
    /// Cases of the file, `[cases.NAME]`, separated by commas; `model` stands for the file without a case
    #[arg(long, value_name = "CASES", group = "variants", conflicts_with = "case")]
    cases: Option<Names>,
    /// Channel to plot, such as pin.force; the force of the first clearance joint by default
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// Draw the channel of all runs into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// Folder for the page that shows all runs; by default out/NAME-laws or out/NAME-cases, followed by the changes if there are any
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

/// What the runs of a comparison differ in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Variants {
    Laws,
    Cases,
}

impl Variants {
    /// The name of one of them.
    fn one(self) -> &'static str {
        match self {
            Variants::Laws => "law",
            Variants::Cases => "case",
        }
    }

    /// The name of all of them, in keys, files and flags.
    fn all(self) -> &'static str {
        match self {
            Variants::Laws => "laws",
            Variants::Cases => "cases",
        }
    }
}

impl CompareArgs {
    fn variants(&self) -> Variants {
        if self.cases.is_some() { Variants::Cases } else { Variants::Laws }
    }

    /// The laws or cases.
    fn names(&self) -> &[String] {
        self.cases.as_ref().or(self.laws.as_ref()).map_or(&[], |names| &names.0)
    }

    /// The flag that names them.
    fn flag(&self) -> String {
        format!("--{} {}", self.variants().all(), self.names().join(","))
    }
}

pub(crate) fn run(args: &CompareArgs) -> Result<(), Failure> {
    let (base, cases) = load(args).map_err(|failure| failure.with_json(args.json))?;
    let first = &cases[0];
    let (variants, names) = (args.variants(), args.names());
    if variants == Variants::Laws {
        takes_law(&first.model, &args.flag())?;
    }
    let channel = channel(args, &first.model)?;
    let changes = base.changes().flags();
    let folder = args.out.clone();
    let folder = folder
        .unwrap_or_else(|| default_folder(&format!("{}-{}", first.name, variants.all()), &changes));
    let overwrite = if args.force { Overwrite::Anything } else { Overwrite::Result };
    let origin = Origin {
        changes: [&changes[..], &[args.flag()]].concat(),
        digest: Digest::of_all(cases.iter().map(Loaded::digest)),
        ..Origin::of(first)
    };
    check_target(&folder, overwrite, &origin)?;
    if let Some(file) = &args.plot {
        check_file(file)?;
    }
    let cancellation = progress::stopped_by_user();
    let recorded = run_all(args, &cases, &cancellation)?;
    let summaries: Vec<Summary> = recorded.iter().map(|(run, _)| run.summary()).collect();
    if let Some(file) = &args.plot {
        figure(args, &channel, &recorded)?.save(file)?;
    }
    let page = page(args, &base, recorded, &cancellation);
    let collection = Collection {
        origin,
        settings: match variants {
            Variants::Laws => Compared::laws(&first.name, names, changes),
            Variants::Cases => Compared::cases(&first.name, names, changes),
        },
        files: vec![
            ("report.html".to_owned(), page.into_bytes()),
            (format!("{}.csv", variants.all()), csv(args, &summaries).into_bytes()),
        ],
    };
    let written = collection.write(&folder, overwrite);
    written.map_err(|error| Failure::Run(cure(&error)))?;
    if args.json {
        let all = names.iter().zip(&summaries);
        let all: serde_json::Map<_, _> = all.map(|(name, s)| (name.clone(), json!(s))).collect();
        let result = folder.display().to_string();
        let failed: serde_json::Map<_, _> =
            failed(args, &summaries).map(|(law, why)| (law.clone(), json!(why))).collect();
        let (name, of) = (&first.name, variants.all());
        print::json(&json!({ "model": name, of: all, "failed": failed, "result": result }));
    } else {
        print::line(&text(args, &summaries));
        print::line(&format!("\npage    {}", folder.join("report.html").display()));
    }
    let failed = failed(args, &summaries).map(|(law, why)| format!("{law}: the run {why}"));
    let failed: Vec<String> = failed.collect();
    if failed.is_empty() { Ok(()) } else { Err(Failure::Runs(failed)) }
}

/// The model with the changes common to all runs, and each law or case of it.
fn load(args: &CompareArgs) -> Result<(Case, Vec<Loaded>), Failure> {
    // A parameter may belong to only one of the laws.
    let changes = args.model.overrides()?.for_several_laws();
    let base = args.model.open()?.changed(changes.clone());
    let variant = |name: &String| {
        let changes = match (args.variants(), name.as_str()) {
            (_, "model") => changes.clone(),
            (Variants::Laws, law) => changes.clone().law_by(format!("--laws {law}"), law),
            (Variants::Cases, case) => changes.clone().case(case),
        };
        base.clone().changed(changes).load().map_err(refused)
    };
    let cases = args.names().iter().map(variant).collect::<Result<Vec<_>, _>>()?;
    let file = args.model.file.display().to_string();
    let models = cases.iter().map(|case| &*case.model);
    match Diagnostics::taken_by_none(Some(&file), models) {
        Some(problems) => Err(refused(problems)),
        None => Ok((base, cases)),
    }
}

/// The laws or cases whose runs failed, with the reasons.
fn failed<'a>(
    args: &'a CompareArgs,
    summaries: &'a [Summary],
) -> impl Iterator<Item = (&'a String, &'a str)> {
    let runs = args.names().iter().zip(summaries).filter(|(_, of)| of.outcome == Ending::Failed);
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
    let bar = progress::bar(cases.len(), args.variants().all());
    let sweep = Sweep::new().threads(args.threads.count()).cancelled_by(cancellation);
    let sweep = sweep.progress(|_| bar.inc(1));
    let results =
        sweep.run(cases, |case, cancelled| jointplay_view::record(case, &mut |_| cancelled.flow()));
    bar.finish_and_clear();
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for (name, result) in args.names().iter().zip(results) {
        let interrupted = match result {
            Some(Ok((run, recording))) => {
                let outcome = Summary::of(&run.record).outcome;
                runs.push((run, recording));
                outcome == Ending::Interrupted
            }
            Some(Err(error)) => {
                failed.push(format!("{name}: {error}"));
                false
            }
            None => true,
        };
        // Runs that reached different times cannot be compared.
        if interrupted {
            return Err(Failure::Interrupted("interrupted; nothing was written".into()));
        }
    }
    if failed.is_empty() { Ok(runs) } else { Err(Failure::Runs(failed)) }
}

/// The page that shows all runs.
fn page(
    args: &CompareArgs,
    base: &Case,
    recorded: Vec<(Run, Recording)>,
    cancellation: &Cancellation,
) -> String {
    let case = recorded[0].0.case.clone();
    let (text, ideal) = match args.variants() {
        // A model that could be read with its changes can be written with them.
        Variants::Laws => {
            (base.written().unwrap_or_else(|_| base.text().to_owned()), base.clone().ideal())
        }
        // The page changes the first case, whose keys may have other values than in the file.
        Variants::Cases => (case.as_run().to_string(), case.case.clone().ideal()),
    };
    let names = args.names().iter();
    let shown = names.zip(recorded).map(|(name, (run, recording))| match args.variants() {
        Variants::Laws => (label(&run.case.model), recording),
        Variants::Cases => (name.clone(), recording),
    });
    let shown: Vec<(String, Recording)> = shown.collect();
    let ideal = pages::ideal(&ideal, cancellation).unwrap_or_else(|note| {
        print::note(&format!("note: {note}"));
        None
    });
    pages::page(PageKind::Compare, &case, &text, &shown, ideal.as_ref())
}

/// The results of every law or case in every joint, as CSV.
fn csv(args: &CompareArgs, summaries: &[Summary]) -> String {
    let numbers = || JointNumber::shown_in(JointTable::LawsFile);
    let keys: Vec<&str> = numbers().map(|number| number.key).collect();
    let (one, keys) = (args.variants().one(), keys.join(","));
    let mut table = format!("{one},joint,{keys},energy_residual,rhs_evaluations,outcome\n");
    for (variant, summary) in args.names().iter().zip(summaries) {
        for (name, joint) in &summary.contacts {
            let cell = |number: &JointNumber| match (number.form, number.of(joint)) {
                (_, None) => String::new(),
                (Form::Count, Some(x)) => x.to_string(),
                (Form::Quantity(_) | Form::Ratio | Form::Share, Some(x)) => format!("{x:e}"),
            };
            let _ = writeln!(
                table,
                "{},{},{},{},{},{}",
                quoted(variant),
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

/// The laws or cases row by row: one table for each joint, and one of the metrics.
fn text(args: &CompareArgs, summaries: &[Summary]) -> String {
    // A joint that has clearance in one case may be ideal in another.
    let joints: BTreeSet<&String> = summaries.iter().flat_map(|s| s.contacts.keys()).collect();
    let mut parts = Vec::new();
    let any_failed = failed(args, summaries).next().is_some();
    let mut joints: Vec<&String> = joints.into_iter().collect();
    joints.sort_by_cached_key(|name| print::natural(name.as_str()));
    for joint in joints {
        let mut head = vec![args.variants().one().to_owned()];
        head.extend(heads(JointTable::Laws));
        head.push("energy residual".to_owned());
        // The row of a failed run covers the time until it failed.
        head.extend(any_failed.then(|| "outcome".to_owned()));
        let all = args.names().iter().zip(summaries);
        let rows = all.map(|(name, summary)| {
            let mut row = vec![name.clone()];
            match summary.contacts.get(joint) {
                Some(contact) => row.extend(cells(JointTable::Laws, contact)),
                // It has no clearance in this case.
                None => row.extend(heads(JointTable::Laws).map(|_| dash())),
            }
            row.push(summary.energy_residual.map_or_else(dash, |r| format!("{r:.0e}")));
            row.extend(any_failed.then(|| match summary.outcome {
                Ending::Failed => format!("FAILED at {}", quantity(summary.t_end, "s")),
                Ending::ReachedEnd | Ending::Stopped => "complete".to_owned(),
                Ending::Interrupted => format!("interrupted at {}", quantity(summary.t_end, "s")),
            }));
            row
        });
        let rows: Vec<Vec<String>> = rows.collect();
        parts.push(format!("joint {joint}\n{}", print::table(&head, &rows)));
    }
    parts.extend(metrics(args, summaries));
    let warnings = args.names().iter().zip(summaries);
    let warnings = warnings.flat_map(|(name, s)| s.warnings.iter().map(move |w| (name, w)));
    parts.extend(warnings.map(|(name, warning)| format!("warning: {name}: {warning}")));
    parts.join("\n\n")
}

/// The metrics of the model, one column each; `None` if it has none.
fn metrics(args: &CompareArgs, summaries: &[Summary]) -> Option<String> {
    let columns: Vec<String> = summaries.first()?.measured().map(|metric| metric.name).collect();
    if columns.is_empty() {
        return None;
    }
    let head = std::iter::once(args.variants().one().to_owned()).chain(columns);
    let row = |(name, summary): (&String, &Summary)| {
        let cells = summary.measured().map(|metric| quantity(metric.value, &metric.unit));
        std::iter::once(name.clone()).chain(cells).collect()
    };
    let rows: Vec<Vec<String>> = args.names().iter().zip(summaries).map(row).collect();
    Some(format!("metrics\n{}", print::table(&head.collect::<Vec<_>>(), &rows)))
}

/// One panel for each law or case, on the same axes.
fn figure(
    args: &CompareArgs,
    channel: &str,
    recorded: &[(Run, Recording)],
) -> Result<Page, Failure> {
    let mut figures = Vec::new();
    let mut bounds = (f64::INFINITY, f64::NEG_INFINITY);
    for (name, (run, _)) in args.names().iter().zip(recorded) {
        let of = run.case.model.channel(channel);
        let of = of.map_err(|problem| Failure::Request(vec![problem.to_string()]))?;
        let values = run.values(channel).map_err(|error| Failure::Run(error.to_string()))?;
        let finite = values.iter().filter(|v| v.is_finite());
        bounds = finite.fold(bounds, |(low, high), v| (low.min(*v), high.max(*v)));
        let points = run.channels.times.iter().copied().zip(values);
        let label = channel.rsplit('.').next().unwrap_or(channel);
        let figure = Figure::new(name, Axis::linear("t", "s"), Axis::linear(label, of.unit()))
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
