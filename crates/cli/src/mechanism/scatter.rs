//! `jointplay scatter`: many runs from slightly different starts, a sweep over the seed of the disturbance.

use std::iter;
use std::path::PathBuf;

use clap::Args;
use jointplay_model::{Overrides, Value};
use jointplay_report::{Axis, Figure, Series, check_file};
use jointplay_study::contacts::{JointNumber, JointTable};
use jointplay_study::scatter::{JointSample, JointScatter, Statistics, scatter};
use jointplay_study::study::Study;
use jointplay_study::study_file::{StudyFile, StudyKind, VaryEntry};
use jointplay_study::summary::Ending;
use jointplay_study::survey::Rows;
use jointplay_study::sweep::Sweep;
use serde_json::json;

use super::summary::written;
use super::{ModelArgs, ThreadsArg, refused};
use crate::print::si;
use crate::{Failure, print, progress};

/// Arguments of `jointplay scatter`.
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
    /// Keep the runs in FOLDER as a study, with a table and a page; an interrupted one is resumed
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: ThreadsArg,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ScatterArgs) -> Result<(), Failure> {
    let study = study(args).map_err(|failure| failure.with_json(args.json))?;
    let name = &study.first().name;
    let rows = rows(args, &study)?;
    let (mut runs, mut failed): (Vec<&[JointSample]>, Vec<(usize, String)>) = Default::default();
    for start in rows.done() {
        match rows.outcome(start) {
            Some(Ending::Failed) => {
                failed.push((start + 1, rows.message(start).unwrap_or_default().to_owned()));
            }
            Some(Ending::ReachedEnd | Ending::Stopped | Ending::Interrupted) | None => {
                runs.push(rows.joints(start));
            }
        }
    }
    let joints = scatter(&runs);
    let done = runs.len() + failed.len();
    if let Some(file) = &args.plot {
        figure(name, &joints).save(file)?;
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
        print::line(&text(args, runs.len(), failed.len(), &joints));
        if let Some(folder) = &args.out {
            print::line(&format!("\npage    {}", folder.join("study.html").display()));
        }
    }
    match &failed[..] {
        _ if done < args.starts as usize => {
            let count = runs.len();
            let goes_on =
                if args.out.is_some() { "; the same command resumes from there" } else { "" };
            Err(Failure::Interrupted(format!(
                "interrupted; the statistics cover {count} runs{goes_on}"
            )))
        }
        [] => Ok(()),
        [(seed, why), ..] => Err(Failure::Run(format!(
            "{} of {done} runs failed and are not in the statistics; the first one, seed {seed}: {why}",
            failed.len()
        ))),
    }
}

/// A sweep over starts: the same model with other seeds of its disturbance.
fn study(args: &ScatterArgs) -> Result<Study, Failure> {
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
    let first = case.clone().set("start.seed", 1).load().map_err(refused)?;
    let mut file = StudyFile::new(StudyKind::Sweep, "model.toml");
    let seeds = format!("1:{0}:{0}", args.starts);
    file.vary = vec![VaryEntry { key: "start.seed".to_owned(), values: seeds }];
    // The numbers of the tables below. A model without contacts has none, and then there is nothing
    // to report.
    let numbers = || JointNumber::shown_in(JointTable::Scatter);
    let joints = first.model.touching();
    file.metrics = joints
        .flat_map(|(joint, _)| numbers().map(move |number| format!("{joint}.{}", number.key)))
        .collect();
    if file.metrics.is_empty() {
        file.metrics = vec!["last(energy.total)".to_owned()];
    }
    Ok(Study::new(file, case).map_err(crate::study::refused)?.keeping_joints())
}

/// The runs of all starts, or those before an interruption. If a folder is given, they are kept
/// there and can be resumed.
fn rows(args: &ScatterArgs, study: &Study) -> Result<Rows, Failure> {
    let cancellation = progress::stopped_by_user();
    let bar = progress::bar(study.points(), "starts");
    let sweep = Sweep::new().threads(args.threads.count()).cancelled_by(&cancellation);
    let sweep = sweep.progress(|_| bar.inc(1));
    let rows = match &args.out {
        Some(folder) => {
            study.run(folder, &sweep, None).map_err(crate::study::refused).and_then(|outcome| {
                crate::study::write(&outcome, folder)?;
                Ok(outcome.rows)
            })
        }
        None => study.rows(&sweep).map_err(crate::study::refused),
    };
    bar.finish_and_clear();
    rows
}

/// Name, mean, deviation and range as cells.
fn cells((number, of): &(&JointNumber, Option<Statistics>)) -> Option<Vec<String>> {
    let Statistics { mean, deviation, min, max } = (*of)?;
    let numbers = [mean, deviation, min, max].map(|value| written(number, value));
    Some(iter::once(number.label.to_owned()).chain(numbers).collect())
}

/// One table for each joint, with its interpretation.
fn text(args: &ScatterArgs, runs: usize, failed: usize, joints: &[JointScatter]) -> String {
    let mut parts = Vec::new();
    for joint in joints {
        let rows: Vec<Vec<String>> = joint.numbers.0.iter().filter_map(cells).collect();
        let head = ["", "mean", "std. deviation", "minimum", "maximum"].map(str::to_owned);
        let lost = match failed {
            0 => String::new(),
            lost => format!(" ({lost} of {} failed and are not counted)", runs + lost),
        };
        let title = format!("joint {} in {runs} runs{lost}", joint.name);
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
    if runs == 0 && failed > 0 {
        parts.push(format!("all {failed} runs failed: there are no statistics"));
    } else if runs == 0 {
        parts.push("no run reached its end: there are no statistics".to_owned());
    } else if joints.is_empty() {
        parts.push("no joint of this model has clearance".to_owned());
    }
    parts.join("\n\n")
}

/// The spread of the start times of each contact over the runs.
fn figure(name: &str, joints: &[JointScatter]) -> Figure {
    let x = Axis::linear("start of the contact", "s");
    let mut figure = Figure::new(name, x, Axis::log("spread over the runs", "s"));
    for joint in joints {
        let points = joint.spreads.iter().filter(|s| s.spread > 0.0).map(|s| (s.time, s.spread));
        figure = figure.with_series(Series::markers(&joint.name, points));
    }
    figure.with_size(720.0, 360.0)
}
