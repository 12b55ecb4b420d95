//! `jointplay plot --section` and `--through`.

use jointplay_model::units::{self, Dimension};
use jointplay_report::{Axis, Figure, Series};
use jointplay_study::analysis::{self, Crossing, Direction, Points, Stroboscope};
use jointplay_study::case::Case;
use serde::Serialize;

use super::{PlotArgs, Source};
use crate::Failure;

/// A channel and the level that it passes.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) channel: String,
    /// With its unit, as it was given.
    value: String,
}

/// Reads `slider.x=0.3m`. Whether the unit fits can only be checked later, against the channel.
pub(super) fn level(text: &str) -> Result<Level, String> {
    let wrong = || format!("`{text}`: write NAME=VALUE, such as slider.x=0.3m");
    let (channel, value) = text.split_once('=').ok_or_else(wrong)?;
    let (channel, value) = (channel.trim(), value.trim());
    if channel.is_empty() || value.is_empty() {
        return Err(wrong());
    }
    Ok(Level { channel: channel.to_owned(), value: value.to_owned() })
}

/// A section of a result.
#[derive(Serialize)]
pub(super) struct SectionOf {
    result: String,
    #[serde(skip)]
    label: String,
    /// Names and units of the two channels.
    x: String,
    x_unit: String,
    y: String,
    y_unit: String,
    /// The period (s), if the section is taken once in each period.
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<f64>,
    points: Points,
}

/// The sections of two channels, one for each result.
pub(super) fn of(
    args: &PlotArgs,
    [x, y]: [&str; 2],
    sources: &[Source],
) -> Result<Vec<SectionOf>, Failure> {
    let mut sections = Vec::new();
    for source in sources {
        let folder = source.folder.display().to_string();
        let wrong = |text: String| Failure::Request(vec![format!("{folder}: {text}")]);
        let times = &source.channels.times;
        let (first, last) = times.first().zip(times.last()).unwrap_or((&0.0, &0.0));
        let span = [args.from.unwrap_or(*first), args.until.unwrap_or(*last)];
        let signals = [source.signal(x)?, source.signal(y)?];
        let (period, points) = if let Some(through) = &args.through {
            (None, crossings(through, source, signals, span))
        } else {
            let period = period(args, source).map_err(wrong)?;
            let at = Stroboscope { period, phase: args.phase.unwrap_or(0.0) };
            let points = analysis::stroboscope(signals[0], signals[1], at, span);
            (Some(period), points.map_err(|error| error.to_string()))
        };
        sections.push(SectionOf {
            points: points.map_err(wrong)?,
            result: folder,
            label: source.label.clone(),
            x: x.to_owned(),
            x_unit: super::unit(sources, x),
            y: y.to_owned(),
            y_unit: super::unit(sources, y),
            period,
        });
    }
    if sections.iter().all(|section| section.points.t.is_empty()) {
        let why = "the section has no points in this time span; check the level, the period, --from and --until";
        return Err(Failure::Request(vec![why.to_owned()]));
    }
    Ok(sections)
}

fn crossings(
    through: &Level,
    source: &Source,
    [x, y]: [analysis::Signal<'_>; 2],
    span: [f64; 2],
) -> Result<Points, String> {
    let Some(channel) = source.channels.get(&through.channel) else { return Ok(Points::default()) };
    let Level { channel: name, value } = through;
    let dimension = Dimension::ALL.iter().find(|dimension| dimension.si_unit() == channel.unit);
    // A channel with an unusual unit, such as 1/s², takes plain numbers.
    let level = match dimension {
        Some(dimension) => units::parse(value, *dimension).map_err(|error| error.to_string()),
        None => value.parse().map_err(|_| format!("write a plain number, in {}", channel.unit)),
    };
    let level = level.map_err(|error| format!("--through {name}={value}: {error}"))?;
    let crossing = Crossing { through: &channel.values, level, direction: Direction::Up };
    analysis::crossings(x, y, crossing, span).map_err(|error| error.to_string())
}

/// The hint if there is no period.
const INSTEAD: &str = "give --period TIME, or --through NAME=VALUE";

/// The period that was given, or one turn of a driver of the model.
fn period(args: &PlotArgs, source: &Source) -> Result<f64, String> {
    if let Some(period) = args.period {
        return Ok(period);
    }
    let case = Case::open(&source.folder).and_then(|case| case.load());
    let case = case.map_err(|_| {
        format!("no period could be determined, because its model cannot be read; {INSTEAD}")
    })?;
    analysis::period(&case.model).ok_or_else(|| {
        format!(
            "no period could be determined, because no driver of its model turns at constant speed; {INSTEAD}"
        )
    })
}

/// The points of the sections.
pub(super) fn figure(sections: &[SectionOf]) -> Figure {
    let Some(first) = sections.first() else {
        return Figure::new("", Axis::linear("", ""), Axis::linear("", ""));
    };
    let title = format!("{} over {}: Poincaré section", first.y, first.x);
    let (x, y) = (Axis::linear(&first.x, &first.x_unit), Axis::linear(&first.y, &first.y_unit));
    let mut figure = Figure::new(title, x, y).with_size(720.0, 420.0);
    for SectionOf { label, points, .. } in sections {
        let points = points.x.iter().copied().zip(points.y.iter().copied());
        figure = figure.with_series(Series::markers(label, points));
    }
    figure
}
