//! `jointplay plot --spectrum`.

use jointplay_report::{Axis, Figure, Series};
use jointplay_study::analysis::{self, Spectrum, Window};
use serde::Serialize;

use super::{PlotArgs, Source};
use crate::Failure;

/// A spectrum is shown down to this many decades below its largest line.
const DECADES: i32 = 6;

/// The spectrum of a channel of a result.
#[derive(Serialize)]
pub(super) struct SpectrumOf {
    result: String,
    #[serde(skip)]
    label: String,
    channel: String,
    /// Unit of mean and amplitudes; the power density has the square of it per Hz.
    unit: String,
    /// Start and end of the analysed time span (s).
    span: [f64; 2],
    #[serde(flatten)]
    lines: Spectrum,
}

/// The spectra of a channel, one for each result.
pub(super) fn of(
    args: &PlotArgs,
    name: &str,
    sources: &[Source],
) -> Result<Vec<SpectrumOf>, Failure> {
    let mut spectra = Vec::new();
    for source in sources {
        let times = &source.channels.times;
        let (first, last) = times.first().zip(times.last()).unwrap_or((&0.0, &0.0));
        let span = [
            args.from.map_or(*first, |from| from.max(*first)),
            args.until.map_or(*last, |until| until.min(*last)),
        ];
        // A result without the interval of its samples has them evenly spaced.
        let asked = source.store.manifest().settings.run.as_ref().map(|run| run.interval);
        let interval = asked.unwrap_or((last - first) / times.len().max(1) as f64);
        let lines = analysis::spectrum(source.signal(name)?, span, interval, Window::Hann);
        let folder = source.folder.display().to_string();
        let lines =
            lines.map_err(|error| Failure::Request(vec![format!("{folder}: {name}: {error}")]))?;
        spectra.push(SpectrumOf {
            result: folder,
            label: source.label.clone(),
            channel: name.to_owned(),
            unit: super::unit(sources, name),
            span,
            lines,
        });
    }
    Ok(spectra)
}

/// Amplitudes over frequencies, both logarithmic.
pub(super) fn figure(name: &str, spectra: &[SpectrumOf]) -> Figure {
    let unit = spectra.first().map_or("", |spectrum| spectrum.unit.as_str());
    let amplitudes = || spectra.iter().flat_map(|spectrum| &spectrum.lines.amplitude[1..]);
    let greatest = amplitudes().copied().fold(0.0, f64::max);
    let mut y = Axis::log("amplitude", unit);
    let floor = greatest * 10_f64.powi(-DECADES);
    if floor > 0.0 {
        y = y.within(floor, 1.4 * greatest);
    }
    let title = format!("{name}: spectrum");
    let mut figure = Figure::new(title, Axis::log("f", "Hz"), y).with_size(720.0, 300.0);
    for SpectrumOf { label, lines, .. } in spectra {
        // A logarithmic axis has no 0.
        let points = lines.frequency.iter().zip(&lines.amplitude).skip(1);
        let points = points.filter(|(_, a)| **a > 0.0).map(|(f, a)| (*f, *a));
        figure = figure.with_series(Series::line(label, points).solid());
    }
    figure
}
