//! `jointplay scatter`: many runs from slightly different starts.

use std::path::PathBuf;

use clap::Args;
use jointplay_mbd::Sampling;
use jointplay_model::{Overrides, Value};
use jointplay_report::{Axis, Figure, Series, check_file};
use jointplay_study::contacts::ContactRecord;
use jointplay_study::run::Keep;
use jointplay_study::scatter::{JointScatter, Statistics, scatter};
use jointplay_study::summary::{Ending, Summary};
use jointplay_study::sweep::Sweep;
use serde_json::json;

use super::{ModelArgs, ThreadsArg, refused};
use crate::print::{digits, si};
use crate::{Failure, print, progress};

/// What to run, and from how many starts.
#[derive(Args, Debug)]
#[command(
    after_help = "Example:\n  jointplay scatter models/slider-crank/model.toml --law hertz --starts 50 --plot spread.svg"
)]
pub(crate) struct ScatterArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Law of every clearance joint and contact, as for `run`
    #[arg(long, value_name = "LAW", help_heading = "Model")]
    law: Option<String>,
    /// Number of starts
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    starts: u32,
    /// Distance by which each body is shifted at the start
    #[arg(long, value_name = "LENGTH", default_value = "1nm")]
    disturbance: String,
    /// Draw how far apart the runs are at each contact into FILE.svg or FILE.png
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ScatterArgs) -> Result<(), Failure> {
    let Starts { name, runs, failed } =
        runs(args).map_err(|failure| failure.with_json(args.json))?;
    let joints = scatter(&runs);
    let done = runs.len() + failed.len();
    if let Some(file) = &args.plot {
        figure(&name, &joints).save(file)?;
    }
    if args.json {
        let result = json!({
            "model": name,
            "starts": args.starts,
            "disturbance": args.disturbance,
            "runs": runs.len(),
            "failed": failed.len(),
            "failures": failed.iter().map(|(seed, why)| json!({ "seed": seed, "message": why })).collect::<Vec<_>>(),
            "joints": joints,
        });
        print::json(&result);
    } else {
        print::line(&text(args, &runs, &failed, &joints));
    }
    match &failed[..] {
        _ if done < args.starts as usize => {
            let count = runs.len();
            Err(Failure::Interrupted(format!("interrupted; the statistics cover {count} runs")))
        }
        [] => Ok(()),
        [(seed, why), ..] => Err(Failure::Run(format!(
            "{} of {done} runs failed and are not in the statistics; the first one, seed {seed}: {why}",
            failed.len()
        ))),
    }
}

/// The results of all starts.
struct Starts {
    name: String,
    /// The contacts of the runs that reached their end.
    runs: Vec<ContactRecord>,
    /// The seeds of the runs that failed, and why.
    failed: Vec<(u32, String)>,
}

/// One run for each start, until interrupted.
fn runs(args: &ScatterArgs) -> Result<Starts, Failure> {
    let own = [("start.disturbance", "--disturbance LENGTH"), ("start.seed", "--starts COUNT")];
    let taken = own.into_iter().filter_map(|(key, flag)| {
        let set = args.model.set_of(key)?;
        Some(format!("--set {set}: scatter sets {key} itself, see {flag}"))
    });
    let taken: Vec<String> = taken.collect();
    if !taken.is_empty() {
        return Err(Failure::Request(taken));
    }
    if let Some(file) = &args.plot {
        check_file(file)?;
    }
    let flag = format!("--disturbance {}", args.disturbance);
    let changes = args.law.iter().fold(args.model.overrides()?, Overrides::law);
    let changes = changes.set_by(flag, "start.disturbance", Value::read(&args.disturbance));
    let case = args.model.open()?.changed(changes);
    let with_seed = |seed: u32| case.clone().set("start.seed", seed);
    let name = with_seed(1).load().map_err(refused)?.name;
    let cancellation = progress::stopped_by_user();
    let seeds: Vec<u32> = (1..=args.starts).collect();
    let bar = progress::bar(seeds.len(), "starts");
    let sweep = Sweep::new().threads(args.threads.count()).cancelled_by(&cancellation);
    let results = sweep.progress(|_| bar.inc(1)).run(&seeds, |seed, cancelled| {
        let case = with_seed(*seed).load().map_err(|problems| problems.to_string())?;
        // Events are all that is counted.
        let case = case.sampled(Sampling::EventsOnly);
        let run = case.run_keeping(Keep::Nothing, &mut |_| cancelled.flow());
        let record = run.map_err(|error| error.to_string())?.record;
        let summary = Summary::of(&record);
        match summary.outcome {
            Ending::Interrupted => Ok(None),
            Ending::Failed => Err(format!("the run {}", summary.message)),
            _ => Ok(Some(record.contacts)),
        }
    });
    bar.finish_and_clear();
    let (mut runs, mut failed) = (Vec::new(), Vec::new());
    for (seed, result) in seeds.into_iter().zip(results) {
        match result {
            Some(Err(why)) => failed.push((seed, why)),
            Some(Ok(run)) => runs.extend(run),
            None => {}
        }
    }
    Ok(Starts { name, runs, failed })
}

/// Mean, deviation and range as cells.
fn cells(what: &str, of: Option<Statistics>, show: impl Fn(f64) -> String) -> Option<Vec<String>> {
    let of = of?;
    Some(vec![what.to_owned(), show(of.mean), show(of.deviation), show(of.min), show(of.max)])
}

/// One table for each joint, with its interpretation.
fn text(
    args: &ScatterArgs,
    runs: &[ContactRecord],
    failed: &[(u32, String)],
    joints: &[JointScatter],
) -> String {
    let mut parts = Vec::new();
    for joint in joints {
        let percent = |x: f64| format!("{} %", digits(100.0 * x, 4));
        let rows = [
            cells("impacts", joint.impacts, |x| digits(x, 4)),
            cells("peak force", joint.peak_force, |x| si(x, "N")),
            cells("max indentation", joint.max_indentation, |x| si(x, "m")),
            cells("e out", joint.restitution_out, |x| digits(x, 3)),
            cells("in contact", joint.contact_fraction, percent),
            cells("energy lost", joint.loss, |x| si(x, "J")),
        ];
        let rows: Vec<Vec<String>> = rows.into_iter().flatten().collect();
        let head = ["", "mean", "std. deviation", "minimum", "maximum"].map(str::to_owned);
        let count = runs.len();
        let lost = match failed.len() {
            0 => String::new(),
            lost => format!(" ({lost} of {} failed and are not counted)", count + lost),
        };
        let title = format!("joint {} in {count} runs{lost}", joint.name);
        let verdict = match joint.parted {
            _ if joint.spreads.iter().all(|s| s.spread == 0.0) && joint.parted.is_none() => {
                "all runs are identical: joints, drivers and start conditions fix every position, so there is nothing to disturb"
                    .to_owned()
            }
            None => format!(
                "runs that start {} apart stay together to the end: single runs can be compared number by number",
                args.disturbance
            ),
            Some(t) => format!(
                "runs that start {} apart diverge at {}: after that, only statistics can be compared",
                args.disturbance,
                si(t, "s")
            ),
        };
        parts.push(format!("{title}\n{}\n{verdict}", print::table(&head, &rows)));
    }
    if runs.is_empty() && !failed.is_empty() {
        parts.push(format!("all {} runs failed: there are no statistics", failed.len()));
    } else if runs.is_empty() {
        parts.push("no run reached its end: there are no statistics".to_owned());
    } else if joints.is_empty() {
        parts.push("no joint of this model has clearance".to_owned());
    }
    parts.join("\n\n")
}

/// How far apart in time the runs begin each contact.
fn figure(name: &str, joints: &[JointScatter]) -> Figure {
    let x = Axis::linear("start of the contact", "s");
    let mut figure = Figure::new(name, x, Axis::log("spread over the runs", "s"));
    for joint in joints {
        let points = joint.spreads.iter().filter(|s| s.spread > 0.0).map(|s| (s.time, s.spread));
        figure = figure.with_series(Series::markers(&joint.name, points));
    }
    figure.with_size(720.0, 360.0)
}
