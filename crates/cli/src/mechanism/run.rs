//! `jointplay run`: a model, its motion, a result folder and a summary.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use jointplay_model::{Channel, Model, Overrides};
use jointplay_study::run::{Ending, Run, Summary, run as run_simulation};
use jointplay_study::store::{self, Channels, Contents, Overwrite, StoreError};
use jointplay_study::sweep::Cancellation;
use jointplay_view::engine::joint_contacts;
use serde_json::json;

use super::pages::Subject;
use super::{
    ModelArgs, beside, check_target, cure, default_folder, figures, place_of_part, summary,
};
use crate::{Failure, print, progress};

/// What to run.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  jointplay run models/slider-crank/model.toml\n  \
                  jointplay run models/slider-crank/model.toml --law hertz+flores --until 0.1s --json")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Law of every clearance joint and contact, such as hertz+flores; a damping law alone keeps the elastic law
    #[arg(long, value_name = "LAW", help_heading = "Model")]
    law: Option<String>,
    /// Channels to keep, with commas; `jointplay check` lists them
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// Result folder; out/NAME by default, with the changes in the name where there are some
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace the result of other input; your own files in the folder stay
    #[arg(long)]
    force: bool,
    /// Leave out the interactive page, which takes longer than a short run
    #[arg(long)]
    no_page: bool,
    /// Print the summary as JSON
    #[arg(long)]
    json: bool,
}

impl RunArgs {
    /// A plain run into this folder.
    pub(crate) fn new(model: ModelArgs, out: Option<PathBuf>) -> Self {
        RunArgs {
            model,
            law: None,
            channels: Vec::new(),
            out,
            force: false,
            no_page: false,
            json: false,
        }
    }
}

pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    run_to_folder(args).map(|_| ())
}

/// Runs a model; the result is in the folder.
pub(crate) fn run_to_folder(args: &RunArgs) -> Result<PathBuf, Failure> {
    let law = args.law.as_deref();
    let input = args.model.read().map_err(|failure| failure.with_json(args.json))?;
    let model = input.load(law).map_err(|failure| failure.with_json(args.json))?;
    if let Some(set) = args.model.set_of("output.channels").filter(|_| !args.channels.is_empty()) {
        let message = format!("--set {set} and --channels set the same: leave out one of them");
        return Err(Failure::Request(vec![message]));
    }
    let channels = chosen(&model, &args.channels)?;
    let name = args.model.name(&model);
    let mut changes = args.model.changes(law);
    if !args.channels.is_empty() {
        changes.push(format!("--channels {}", args.channels.join(",")));
    }
    let folder = args.out.clone().unwrap_or_else(|| default_folder(&name, &changes));
    let overwrite = if args.force { Overwrite::Anything } else { Overwrite::Result };
    let origin = input.origin(changes, std::slice::from_ref(&model));
    check_target(&folder, overwrite, &origin)?;
    for warning in &model.warnings {
        print::block(&warning.styled_warning(&args.model.file.display().to_string()));
    }
    let cancellation = progress::stopped_by_user();
    let run = watched(&name, &model, &cancellation)?;
    let mut summary = Summary::of(&run);
    let text = summary::text(&name, &summary);
    let known = model.warnings.iter().map(|known| format!("{}: {}", known.path, known.message));
    summary.warnings.splice(0..0, known);
    let series = evaluate(&run, &channels)?;
    let mut extra = Vec::new();
    for (file, figure) in figures::of_run(&series, &run) {
        extra.push((format!("figures/{file}.svg"), figure.svg()?.into_bytes()));
    }
    if !args.no_page {
        let subject = Subject { name: &name, input: &input };
        let ideal = subject.ideal(&model, law, &cancellation);
        let page = subject.page_of_run(&model, &run, law, ideal.as_ref())?;
        extra.push(("report.html".to_owned(), page.into_bytes()));
    }
    let as_run = as_run(&input.text, &args.model.overrides(law)?);
    extra.extend(as_run.map(|text| ("model.toml".to_owned(), text.into_bytes())));
    let wanted = folder.clone();
    let folder = match summary.outcome {
        Ending::Interrupted | Ending::Failed => place_of_part(&folder, &origin, &summary),
        _ => folder,
    };
    let contents = Contents {
        origin,
        model: input.text.as_bytes(),
        settings: settings(args, &model, &name),
        summary: &summary,
        contacts: &run.contacts,
        channels: &series,
        extra,
    };
    let overwrite = if folder == wanted { overwrite } else { Overwrite::Result };
    contents.write(&folder, overwrite).map_err(|error| kept_beside(&folder, &contents, &error))?;
    if args.json {
        let mut value = serde_json::to_value(&summary).unwrap_or_default();
        value["model"] = json!(name);
        value["result"] = json!(folder.display().to_string());
        print::json(&value);
    } else {
        print::line(&text);
        print::line(&format!("result  {}", folder.display()));
        if !args.no_page {
            print::line(&format!("page    {}", folder.join("report.html").display()));
        }
    }
    match summary.outcome {
        Ending::Failed if folder == wanted => {
            Err(Failure::Run(format!("the run {}", summary.message)))
        }
        Ending::Failed => Err(Failure::Run(format!(
            "the run {}; what it has is in {}, and the older result in {} stays as it was",
            summary.message,
            folder.display(),
            wanted.display()
        ))),
        Ending::Interrupted => Err(Failure::Interrupted(format!(
            "interrupted at t = {} s; what was computed is in {}{}",
            summary.t_end.unwrap_or_default(),
            folder.display(),
            if folder == wanted {
                String::new()
            } else {
                format!("; the result in {} got farther and stays as it was", wanted.display())
            }
        ))),
        _ => Ok(folder),
    }
}

/// Why a result could not be written to its folder, after trying to keep it beside: something came there during the run.
fn kept_beside(folder: &Path, contents: &Contents<'_>, error: &StoreError) -> Failure {
    let place = beside(folder, "kept", &contents.origin);
    let kept = contents.write(&place, Overwrite::Result);
    let rest = kept.map_or_else(
        |_| String::new(),
        |()| format!("; the result of this run is in {}", place.display()),
    );
    Failure::Run(format!("{}{rest}", cure(error)))
}

/// The model file with the changes of this run, if it is complete without tables in other files.
fn as_run(text: &str, overrides: &Overrides) -> Option<String> {
    let changed = overrides.apply_to(text).ok()?;
    Model::parse(&changed, &Overrides::new()).ok().map(|_| changed)
}

/// The channels asked for; those of the model if none are.
fn chosen(model: &Model, names: &[String]) -> Result<Vec<Channel>, Failure> {
    if names.is_empty() {
        return Ok(model.channels.clone());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut found, mut problems) = (Vec::new(), Vec::new());
    for name in names.iter().map(|name| name.trim()) {
        let count = counts.entry(name).or_default();
        *count += 1;
        if *count == 1 {
            match model.channel(name) {
                Ok(channel) => found.push(channel),
                Err(problem) => problems.push(format!("--channels: {problem}")),
            }
        }
    }
    for (name, count) in counts.into_iter().filter(|(_, count)| *count > 1) {
        problems.push(format!("--channels: `{name}` is given {count} times; once is enough"));
    }
    if problems.is_empty() { Ok(found) } else { Err(Failure::Request(problems)) }
}

/// Runs a model and shows how far it is; Ctrl-C and signals end it with what it has.
fn watched(name: &str, model: &Model, cancellation: &Cancellation) -> Result<Run, Failure> {
    let bar = ProgressBar::new(1000);
    let style = ProgressStyle::with_template("{prefix} [{bar:40}] {percent:>3} %  {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar.set_prefix(print::clean(name).into_owned());
    bar.enable_steady_tick(Duration::from_millis(200));
    let simulation = model.run.simulation(&model.mechanism);
    let until = model.run.until;
    let mut shown = 0;
    let run = run_simulation(&simulation, joint_contacts(model), |t| {
        let part = (1000.0 * t / until).clamp(0.0, 1000.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "between 0 and 1000"
        )]
        let done = part as u64;
        if done > shown {
            shown = done;
            bar.set_position(done);
        }
        cancellation.flow()
    });
    bar.finish_and_clear();
    run.map_err(|error| Failure::Run(error.to_string()))
}

/// Every channel at every kept instant.
pub(crate) fn evaluate(run: &Run, channels: &[Channel]) -> Result<Channels, Failure> {
    let times = run.solution.trajectory.times().to_vec();
    let mut values = vec![Vec::with_capacity(times.len()); channels.len()];
    for snapshot in run.solution.snapshots() {
        let snapshot = snapshot.map_err(|error| Failure::Run(error.to_string()))?;
        for (values, channel) in values.iter_mut().zip(channels) {
            values.push(channel.eval(&snapshot));
        }
    }
    let series = channels.iter().zip(values).map(|(channel, values)| store::Channel {
        name: channel.name().to_owned(),
        unit: channel.unit().to_owned(),
        values,
    });
    Ok(Channels { times, channels: series.collect() })
}

fn settings(args: &RunArgs, model: &Model, name: &str) -> serde_json::Value {
    let run = &model.run;
    json!({
        "model": name,
        "changes": args.model.changes(args.law.as_deref()),
        "until": run.until,
        "method": format!("{:?}", run.method).to_lowercase(),
        "rtol": run.accuracy.relative,
        "formulation": format!("{:?}", run.formulation).to_lowercase(),
        "interval": run.interval,
    })
}
