//! `jointplay plot`: channels of results over time, or against each other.

use std::path::PathBuf;

use clap::Args;
use jointplay_model::units::{self, Dimension};
use jointplay_report::{Axis, Figure, Page, Series, check_file};
use jointplay_study::series::{Channel, Channels};
use jointplay_study::store::StoreError;

use super::open_result;
use crate::{Failure, print};

/// What to plot.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  jointplay plot out/slider-crank --channels pin.force,slider.ax --to forces.svg\n  \
                  jointplay plot out/a out/b --channels pin.force --to both.png\n  \
                  jointplay plot out/slider-crank --channels pin.ey --against pin.ex --to orbit.svg"
)]
pub(crate) struct PlotArgs {
    /// Result folders of `jointplay run`
    #[arg(value_name = "RESULT", required = true)]
    folders: Vec<PathBuf>,
    /// Channels, with commas; all by default
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// Channel for the horizontal axis instead of time
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Begin of the plot, such as 0.25 or 250ms
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<f64>,
    /// End of the plot
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<f64>,
    /// File to write, .svg or .png
    #[arg(long, value_name = "FILE", default_value = "plot.svg")]
    to: PathBuf,
}

fn time(text: &str) -> Result<f64, String> {
    units::parse(text, Dimension::Time).map_err(|error| error.to_string())
}

/// What is wrong with what is asked for.
fn problems(args: &PlotArgs) -> Vec<String> {
    let mut problems = Vec::new();
    if let (Some(from), Some(until)) = (args.from, args.until)
        && from >= until
    {
        problems.push(format!(
            "--from {from} --until {until}: the plot must begin before its end; swap them"
        ));
    }
    for (k, name) in args.channels.iter().enumerate() {
        if args.channels[..k].contains(name) {
            problems.push(format!("--channels: `{name}` is given twice"));
        }
    }
    problems
}

pub(crate) fn run(args: &PlotArgs) -> Result<(), Failure> {
    let mut problems = problems(args);
    if !problems.is_empty() {
        return Err(Failure::Request(problems));
    }
    check_file(&args.to).map_err(|error| Failure::of_figure("--to", &error))?;
    let wrong = |error: StoreError| Failure::Request(vec![error.to_string()]);
    let mut results = Vec::new();
    for folder in &args.folders {
        let store = open_result(folder)?;
        let label = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let label = if args.folders.len() > 1 { label.unwrap_or_default() } else { String::new() };
        results.push((label, store.channels().map_err(wrong)?));
    }
    let names: Vec<String> = if args.channels.is_empty() {
        results[0].1.channels.iter().map(|channel| channel.name.clone()).collect()
    } else {
        args.channels.iter().map(|name| name.trim().to_owned()).collect()
    };
    for name in names.iter().chain(&args.against) {
        for (folder, (_, channels)) in args.folders.iter().zip(&results) {
            if channels.get(name).is_none() {
                let known = channels.channels.iter().map(|channel| channel.name.as_str());
                let known: Vec<&str> = known.collect();
                let folder = folder.display();
                problems
                    .push(format!("{folder} has no channel `{name}`; it has {}", known.join(", ")));
            }
        }
    }
    for (folder, (_, channels)) in args.folders.iter().zip(&results) {
        if !channels.times.iter().any(|t| within(args, *t)) {
            let times = &channels.times;
            let span = times.first().zip(times.last()).map_or_else(String::new, |(first, last)| {
                format!("; it goes from {first} s to {last} s")
            });
            let folder = folder.display();
            problems.push(format!("{folder} has nothing between --from and --until{span}"));
        }
    }
    if !problems.is_empty() {
        return Err(Failure::Request(problems));
    }
    let figures = names.iter().map(|name| figure(args, name, &results)).collect();
    Page { panels: figures, columns: 1 }
        .save(&args.to)
        .map_err(|error| Failure::of_figure("--to", &error))?;
    print::line(&format!("{} written", args.to.display()));
    Ok(())
}

/// Whether an instant is shown.
fn within(args: &PlotArgs, t: f64) -> bool {
    args.from.is_none_or(|from| t >= from) && args.until.is_none_or(|end| t <= end)
}

fn figure(args: &PlotArgs, name: &str, results: &[(String, Channels)]) -> Figure {
    let unit = |name: &str| {
        let channel = results.iter().find_map(|(_, channels)| channels.get(name));
        channel.map_or_else(String::new, |channel: &Channel| channel.unit.clone())
    };
    let x = args
        .against
        .as_ref()
        .map_or_else(|| Axis::linear("t", "s"), |against| Axis::linear(against, unit(against)));
    let mut figure = Figure::new(name, x, Axis::linear(name, unit(name))).with_size(720.0, 300.0);
    for (label, channels) in results {
        let Some(y) = channels.get(name) else { continue };
        let x = match &args.against {
            Some(against) => channels.get(against).map_or(&[][..], |channel| &channel.values),
            None => &channels.times,
        };
        let points = channels.times.iter().zip(x.iter().zip(&y.values));
        let points = points.filter(|(t, _)| within(args, **t)).map(|(_, (x, y))| (*x, *y));
        figure = figure.with_series(Series::line(label, points));
    }
    figure
}
