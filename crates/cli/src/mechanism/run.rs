//! `jointplay run`: a model, its motion, a result folder and a summary.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};
use jointplay_model::{Channel, Model, Overrides};
use jointplay_study::run::{Ending, Run, Summary, run as run_simulation};
use jointplay_study::store::{self, Channels, Contents, Overwrite};
use jointplay_study::sweep::Cancellation;
use jointplay_view::engine::joint_contacts;
use serde_json::json;

use super::pages::Subject;
use super::{ModelArgs, figures, summary};
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
    /// Result folder; out/NAME by default
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Replace whatever the result folder holds
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
    let model = args.model.load(law).map_err(|failure| failure.with_json(args.json))?;
    let channels = chosen(&model, &args.channels)?;
    let name = args.model.name(&model);
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from("out").join(file_name(&name)));
    let overwrite = if args.force { Overwrite::Anything } else { Overwrite::Result };
    store::check_target(&folder, overwrite).map_err(|e| Failure::Request(vec![e.to_string()]))?;
    for warning in &model.warnings {
        print::warning(&warning.message);
    }
    let text = std::fs::read(&args.model.file);
    let text = text.map_err(|cause| Failure::Run(format!("cannot read the model: {cause}")))?;
    let cancellation = progress::stopped_by_user();
    let run = watched(&name, &model, &cancellation)?;
    let summary = Summary::of(&run);
    let series = evaluate(&run, &channels)?;
    let mut extra = Vec::new();
    for (file, figure) in figures::of_run(&series, &run) {
        extra.push((format!("figures/{file}.svg"), figure.svg()?.into_bytes()));
    }
    if !args.no_page {
        let plain = String::from_utf8_lossy(&text);
        let subject = Subject { name: &name, args: &args.model, text: &plain };
        let ideal = subject.ideal(&model, law, &cancellation);
        let page = subject.page_of_run(&model, &run, law, ideal.as_ref())?;
        extra.push(("report.html".to_owned(), page.into_bytes()));
    }
    let as_run = as_run(&text, &args.model.overrides(law)?);
    extra.extend(as_run.map(|text| ("model.toml".to_owned(), text.into_bytes())));
    let contents = Contents {
        model: &text,
        settings: settings(args, &model, &name),
        summary: &summary,
        contacts: &run.contacts,
        channels: &series,
        extra,
    };
    contents.write(&folder, overwrite).map_err(|error| Failure::Run(error.to_string()))?;
    if args.json {
        let mut value = serde_json::to_value(&summary).unwrap_or_default();
        value["model"] = json!(name);
        value["result"] = json!(folder.display().to_string());
        print::json(&value);
    } else {
        print::line(&summary::text(&name, &summary));
        print::line(&format!("result  {}", folder.display()));
        if !args.no_page {
            print::line(&format!("page    {}", folder.join("report.html").display()));
        }
    }
    match summary.outcome {
        Ending::Failed => Err(Failure::Run(format!("the run {}", summary.message))),
        Ending::Interrupted => Err(Failure::Interrupted(format!(
            "interrupted at t = {} s; what was computed is in {}",
            summary.t_end.unwrap_or_default(),
            folder.display()
        ))),
        _ => Ok(folder),
    }
}

/// The model file with the changes of this run, if it is complete without tables in other files.
fn as_run(text: &[u8], overrides: &Overrides) -> Option<String> {
    let changed = overrides.apply_to(std::str::from_utf8(text).ok()?).ok()?;
    Model::parse(&changed, &Overrides::new()).ok().map(|_| changed)
}

/// The channels asked for; those of the model if none are.
fn chosen(model: &Model, names: &[String]) -> Result<Vec<Channel>, Failure> {
    if names.is_empty() {
        return Ok(model.channels.clone());
    }
    let (found, problems): (Vec<_>, Vec<_>) =
        names.iter().map(|name| model.channel(name.trim())).partition(Result::is_ok);
    if problems.is_empty() {
        Ok(found.into_iter().flatten().collect())
    } else {
        let problems = problems.into_iter().filter_map(Result::err);
        Err(Failure::Request(problems.map(|problem| format!("--channels: {problem}")).collect()))
    }
}

/// Runs a model and shows how far it is; Ctrl-C ends it with what it has.
fn watched(name: &str, model: &Model, cancellation: &Cancellation) -> Result<Run, Failure> {
    let bar = ProgressBar::new(1000);
    let style = ProgressStyle::with_template("{prefix} [{bar:40}] {percent:>3} %  {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
    bar.set_prefix(name.to_owned());
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

/// A name that any file system takes.
pub(crate) fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_matches('.');
    if name.is_empty() { "model".to_owned() } else { name.to_owned() }
}
