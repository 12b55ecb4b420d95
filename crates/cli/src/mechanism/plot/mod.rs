//! `jointplay plot`: channels of results over time or against each other, their spectra and Poincaré sections.

mod section;
mod spectrum;

use std::path::PathBuf;

use clap::Args;
use jointplay_model::units::{self, Dimension};
use jointplay_report::{Axis, Figure, Page, Series, check_file};
use jointplay_study::analysis::{self, Points, Signal};
use jointplay_study::series::{Channel, Channels};
use jointplay_study::store::{Store, StoreError};
use serde::Serialize;

use self::section::{Level, SectionOf};
use self::spectrum::SpectrumOf;
use super::open_result;
use crate::{Failure, print};

/// Arguments of `jointplay plot`.
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  jointplay plot out/slider-crank --channels pin.force,slider.ax --to forces.svg\n  \
                  jointplay plot out/a out/b --channels pin.force --to both.png\n  \
                  jointplay plot out/slider-crank --channels pin.ey --against pin.ex --to orbit.svg\n  \
                  jointplay plot out/slider-crank --spectrum pin.force,slider.ax --to spectra.svg\n  \
                  jointplay plot out/slider-crank --channels slider.vx --against slider.x --section --phase 0.25\n  \
                  jointplay plot out/slider-crank --channels slider.ax --against slider.vx --through slider.x=0.3m"
)]
pub(crate) struct PlotArgs {
    /// Result folders of `jointplay run`
    #[arg(value_name = "RESULT", required = true)]
    folders: Vec<PathBuf>,
    /// Channels, separated by commas; all by default
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    channels: Vec<String>,
    /// Channel for the horizontal axis instead of time
    #[arg(long, value_name = "NAME")]
    against: Option<String>,
    /// Plot amplitude spectra of these channels (separated by commas) instead of time series
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with_all = ["channels", "against", "section", "through"])]
    spectrum: Vec<String>,
    /// Poincaré section of --channels over --against: one point in each period of the driver
    #[arg(long, requires_all = ["channels", "against"], conflicts_with = "through")]
    section: bool,
    /// Phase of the section within the period, 0 to 1
    #[arg(long, value_name = "NUMBER", requires = "section")]
    phase: Option<f64>,
    /// Period of --section; by default one revolution of a driver with constant speed
    #[arg(long, value_name = "TIME", requires = "section", value_parser = time)]
    period: Option<f64>,
    /// Poincaré section where a channel passes a level upwards, such as slider.x=0.3m
    #[arg(long, value_name = "NAME=VALUE", requires_all = ["channels", "against"], value_parser = section::level)]
    through: Option<Level>,
    /// Start of the plot, such as 0.25 or 250ms
    #[arg(long, value_name = "TIME", value_parser = time)]
    from: Option<f64>,
    /// End of the plot
    #[arg(long, value_name = "TIME", value_parser = time)]
    until: Option<f64>,
    /// File to write, .svg or .png
    #[arg(long, value_name = "FILE", default_value = "plot.svg")]
    to: PathBuf,
    /// Print the computed data as JSON
    #[arg(long)]
    json: bool,
}

/// A result whose channels are plotted.
struct Source {
    /// Its folder, as given.
    folder: PathBuf,
    /// Its label in the legend; empty if there is only one result.
    label: String,
    store: Store,
    channels: Channels,
}

impl Source {
    /// The channel of this name over its times; its existence was checked before.
    fn signal(&self, name: &str) -> Result<Signal<'_>, Failure> {
        let values = self.channels.get(name).map_or(&[][..], |channel| &channel.values);
        Signal::new(&self.channels.times, values)
            .map_err(|error| Failure::Request(vec![format!("{}: {error}", self.folder.display())]))
    }
}

/// The plotted data, for JSON.
#[derive(Serialize)]
struct Plotted {
    /// The file.
    to: PathBuf,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spectra: Vec<SpectrumOf>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    sections: Vec<SectionOf>,
}

fn time(text: &str) -> Result<f64, String> {
    units::parse(text, Dimension::Time).map_err(|error| error.to_string())
}

/// Checks the flags against each other.
fn problems(args: &PlotArgs) -> Vec<String> {
    let mut problems = Vec::new();
    if let (Some(from), Some(until)) = (args.from, args.until)
        && from >= until
    {
        problems.push(format!(
            "--from {from} --until {until}: the plot must start before it ends; swap them"
        ));
    }
    for (flag, names) in [("--channels", &args.channels), ("--spectrum", &args.spectrum)] {
        for (k, name) in names.iter().enumerate() {
            if names[..k].contains(name) {
                problems.push(format!("{flag}: `{name}` is given twice"));
            }
        }
    }
    if let Some(phase) = args.phase
        && !(0.0..=1.0).contains(&phase)
    {
        problems
            .push(format!("--phase {phase}: a phase is a fraction of the period, between 0 and 1"));
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
    let mut sources = Vec::new();
    for folder in &args.folders {
        let store = open_result(folder)?;
        let label = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let label = if args.folders.len() > 1 { label.unwrap_or_default() } else { String::new() };
        let channels = store.channels().map_err(wrong)?;
        sources.push(Source { folder: folder.clone(), label, store, channels });
    }
    let asked = if args.spectrum.is_empty() { &args.channels } else { &args.spectrum };
    let names: Vec<String> = if asked.is_empty() {
        sources[0].channels.channels.iter().map(|channel| channel.name.clone()).collect()
    } else {
        asked.iter().map(|name| name.trim().to_owned()).collect()
    };
    let through = args.through.as_ref().map(|level| &level.channel);
    for name in names.iter().chain(&args.against).chain(through) {
        for Source { folder, channels, .. } in &sources {
            if channels.get(name).is_none() {
                let known = channels.channels.iter().map(|channel| channel.name.as_str());
                let known: Vec<&str> = known.collect();
                let folder = folder.display();
                problems
                    .push(format!("{folder} has no channel `{name}`; it has {}", known.join(", ")));
            }
        }
    }
    for Source { folder, channels, .. } in &sources {
        if !channels.times.iter().any(|t| within(args, *t)) {
            let times = &channels.times;
            let span = times.first().zip(times.last()).map_or_else(String::new, |(first, last)| {
                format!("; it goes from {first} s to {last} s")
            });
            let folder = folder.display();
            problems.push(format!("{folder} has no sample between --from and --until{span}"));
        }
    }
    if !problems.is_empty() {
        return Err(Failure::Request(problems));
    }
    let mut plotted = Plotted { to: args.to.clone(), spectra: Vec::new(), sections: Vec::new() };
    let mut figures = Vec::new();
    for name in &names {
        if !args.spectrum.is_empty() {
            let spectra = spectrum::of(args, name, &sources)?;
            figures.push(spectrum::figure(name, &spectra));
            plotted.spectra.extend(spectra);
        } else if let (Some(against), true) =
            (&args.against, args.section || args.through.is_some())
        {
            let sections = section::of(args, [against, name], &sources)?;
            figures.push(section::figure(&sections));
            plotted.sections.extend(sections);
        } else {
            figures.push(figure(args, name, &sources)?);
        }
    }
    Page { panels: figures, columns: 1 }
        .save(&args.to)
        .map_err(|error| Failure::of_figure("--to", &error))?;
    if args.json {
        print::json(&serde_json::json!(plotted));
    } else {
        print::line(&format!("{} written", args.to.display()));
    }
    Ok(())
}

/// Whether an instant is shown.
fn within(args: &PlotArgs, t: f64) -> bool {
    args.from.is_none_or(|from| t >= from) && args.until.is_none_or(|end| t <= end)
}

/// The unit of a channel.
fn unit(sources: &[Source], name: &str) -> String {
    let channel = sources.iter().find_map(|source| source.channels.get(name));
    channel.map_or_else(String::new, |channel: &Channel| channel.unit.clone())
}

fn figure(args: &PlotArgs, name: &str, sources: &[Source]) -> Result<Figure, Failure> {
    let x = args.against.as_ref().map_or_else(
        || Axis::linear("t", "s"),
        |against| Axis::linear(against, unit(sources, against)),
    );
    let y = Axis::linear(name, unit(sources, name));
    let mut figure = Figure::new(name, x, y).with_size(720.0, 300.0);
    let span = [args.from.unwrap_or(f64::NEG_INFINITY), args.until.unwrap_or(f64::INFINITY)];
    for source in sources {
        let y = source.signal(name)?;
        let x = args.against.as_ref().map_or(Ok(y), |against| source.signal(against))?;
        let Points { t, x, y } = analysis::orbit(x, y, span)
            .map_err(|error| Failure::Request(vec![error.to_string()]))?;
        let x = if args.against.is_some() { x } else { t };
        figure = figure.with_series(Series::line(&source.label, x.into_iter().zip(y)));
    }
    Ok(figure)
}
