//! The requests of the page to its engine: run a model, change its file, draw a figure, analyse series.
//!
//! Requests are JSON, those with series a plain container; answers are bytes. The functions are pure; the exports of the WebAssembly module only pass memory.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use jointplay_model::{Diagnostics, DiagnosticsData, Overrides};
use jointplay_report::{Axis, Figure, FigureError, Series};
use jointplay_study::analysis::{
    self, AnalysisError, Crossing, Direction, Points, Signal, Stroboscope, Window,
};
use jointplay_study::case::Case;
use serde::{Deserialize, Serialize};

use crate::container::{self, Numbers, Recording, Ref};

/// A model file with changes.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunRequest {
    /// The name of the model.
    pub name: String,
    /// The text of the file.
    pub text: String,
    /// The tables that it refers to, by name.
    #[serde(default)]
    pub tables: BTreeMap<String, String>,
    /// Keys to set and their values, as `--set`.
    #[serde(default)]
    pub sets: Vec<(String, String)>,
    /// The law of every clearance joint and contact, as `--law`.
    #[serde(default)]
    pub law: Option<String>,
    /// Whether every clearance joint is ideal.
    #[serde(default)]
    pub ideal: bool,
}

/// Problems as the page shows them.
pub type Refusal = Vec<u8>;

impl RunRequest {
    fn case(self) -> Case {
        // Values set while one law was selected are kept when another one is selected.
        let mut changes = Overrides::new().for_several_laws();
        for (key, value) in self.sets {
            changes = changes.set_toml(key, value);
        }
        if let Some(law) = self.law {
            changes = changes.law(law);
        }
        if self.ideal {
            changes = changes.ideal();
        }
        let tables = self.tables.into_iter().collect();
        Case::of_text(self.text).named(self.name).with_tables(tables).changed(changes)
    }
}

/// Runs a model; the answer is a plain container. `progress` is called with the time reached and the end time.
///
/// # Errors
/// The problems of the model, or the reason why it cannot start, as JSON.
pub fn run(request: &[u8], mut progress: impl FnMut(f64, f64)) -> Result<Vec<u8>, Refusal> {
    let request: RunRequest = read(request)?;
    let case = request.case().load().map_err(|problems| diagnostics(&problems))?;
    let until = case.model.run.until;
    let mut shown = 0.0;
    let mut watch = |t: f64| {
        if t - shown > 0.01 * until {
            shown = t;
            progress(t, until);
        }
        ControlFlow::Continue(())
    };
    let recorded = crate::record(&case, &mut watch);
    let (_, recording) = recorded.map_err(|error| refusal(&error.to_string()))?;
    Ok(recording.plain())
}

/// A figure of the page in the style of all figures.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FigureRequest {
    title: String,
    x: AxisRequest,
    y: AxisRequest,
    series: Vec<SeriesRequest>,
    width: f64,
    height: f64,
    #[serde(default)]
    equal: bool,
    format: Format,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AxisRequest {
    label: String,
    #[serde(default)]
    unit: String,
    #[serde(default)]
    log: bool,
    #[serde(default)]
    limits: Option<(f64, f64)>,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SeriesRequest {
    #[serde(default)]
    label: String,
    /// `null` if there is no value.
    x: Vec<Option<f64>>,
    y: Vec<Option<f64>>,
    #[serde(default)]
    style: Style,
    #[serde(default)]
    color: Option<usize>,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Style {
    #[default]
    Line,
    Dashed,
    Markers,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Svg,
    Png,
}

/// Draws a figure; the answer is the file.
///
/// # Errors
/// The reason why it cannot be drawn, as JSON.
pub fn figure(request: &[u8]) -> Result<Vec<u8>, Refusal> {
    let request: FigureRequest = read(request)?;
    let format = request.format;
    let figure = drawn(request);
    let bytes = match format {
        Format::Svg => figure.svg().map(String::into_bytes),
        Format::Png => figure.png(),
    };
    bytes.map_err(|error: FigureError| refusal(&error.to_string()))
}

fn drawn(request: FigureRequest) -> Figure {
    let axis = |axis: AxisRequest| {
        let unit = if axis.unit == "-" { String::new() } else { axis.unit };
        let with =
            if axis.log { Axis::log(axis.label, unit) } else { Axis::linear(axis.label, unit) };
        match axis.limits {
            Some((low, high)) if low < high => with.within(low, high),
            _ => with,
        }
    };
    let mut bounds = [f64::INFINITY, f64::NEG_INFINITY, f64::INFINITY, f64::NEG_INFINITY];
    let mut figure = Figure::new(request.title, axis(request.x), axis(request.y))
        .with_size(request.width, request.height);
    for series in request.series {
        let number = |value: Option<f64>| value.unwrap_or(f64::NAN);
        let points = series.x.into_iter().zip(series.y).map(|(x, y)| (number(x), number(y)));
        let points: Vec<(f64, f64)> = points.collect();
        for (x, y) in points.iter().filter(|(x, y)| x.is_finite() && y.is_finite()) {
            bounds = [bounds[0].min(*x), bounds[1].max(*x), bounds[2].min(*y), bounds[3].max(*y)];
        }
        let mut drawn = match series.style {
            Style::Line => Series::line(series.label, points).solid(),
            Style::Dashed => Series::line(series.label, points).dashed(),
            Style::Markers => Series::markers(series.label, points),
        };
        drawn.color = series.color;
        figure = figure.with_series(drawn);
    }
    let [left, right, low, high] = bounds;
    if request.equal && right >= left && high >= low && right.max(high) > left.min(low) {
        let (width, height) = figure.size;
        let scale = 0.53 * ((right - left) / width).max((high - low) / height);
        let (x, y) = (0.5 * (left + right), 0.5 * (low + high));
        figure.x = figure.x.within(x - scale * width, x + scale * width);
        figure.y = figure.y.within(y - scale * height, y + scale * height);
    }
    figure
}

/// A spectrum or a section of series of the page. [`Ref`]s are to the numbers of the request.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
enum AnalysisRequest {
    /// The amplitude spectrum of a channel.
    Spectrum {
        times: Ref,
        values: Ref,
        span: [f64; 2],
        /// Time between samples (s), which decides how fine the spectrum is.
        interval: f64,
    },
    /// Two channels once in each period.
    Stroboscope { times: Ref, x: Ref, y: Ref, span: [f64; 2], at: Stroboscope },
    /// Two channels where a third one passes a level upwards.
    Crossing { times: Ref, x: Ref, y: Ref, span: [f64; 2], through: Ref, level: f64 },
}

/// The lines of a spectrum, without the one at 0, which a logarithmic axis cannot show.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Serialize)]
struct SpectrumAnswer {
    /// Frequencies (Hz).
    frequency: Ref,
    /// Amplitudes, in the unit of the channel.
    amplitude: Ref,
}

/// The points of a section.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, Serialize)]
struct SectionAnswer {
    /// Times (s).
    t: Ref,
    x: Ref,
    y: Ref,
}

/// Analyses series; request and answer are plain containers.
///
/// # Errors
/// The reason why the series cannot be analysed, as JSON.
pub fn analyse(request: &[u8]) -> Result<Vec<u8>, Refusal> {
    let wrong = |error: &str| refusal(&format!("the request: {error}"));
    let (json, series) = container::read(request).map_err(wrong)?;
    let request: AnalysisRequest = read(json)?;
    let values = |series_of: Ref| {
        series.get(series_of).ok_or_else(|| wrong("a series lies outside the data"))
    };
    let failed = |error: AnalysisError| refusal(&error.to_string());
    let mut numbers = Numbers::default();
    let json = match request {
        AnalysisRequest::Spectrum { times, values: of, span, interval } => {
            let signal = Signal::new(values(times)?, values(of)?).map_err(failed)?;
            let lines = analysis::spectrum(signal, span, interval, Window::Hann).map_err(failed)?;
            serde_json::to_string(&SpectrumAnswer {
                frequency: numbers.add(&lines.frequency[1..]),
                amplitude: numbers.add(&lines.amplitude[1..]),
            })
        }
        AnalysisRequest::Stroboscope { times, x, y, span, at } => {
            let times = values(times)?;
            let x = Signal::new(times, values(x)?).map_err(failed)?;
            let y = Signal::new(times, values(y)?).map_err(failed)?;
            let points = analysis::stroboscope(x, y, at, span).map_err(failed)?;
            serde_json::to_string(&SectionAnswer::of(&points, &mut numbers))
        }
        AnalysisRequest::Crossing { times, x, y, span, through, level } => {
            let times = values(times)?;
            let x = Signal::new(times, values(x)?).map_err(failed)?;
            let y = Signal::new(times, values(y)?).map_err(failed)?;
            let through = Crossing { through: values(through)?, level, direction: Direction::Up };
            let points = analysis::crossings(x, y, through, span).map_err(failed)?;
            serde_json::to_string(&SectionAnswer::of(&points, &mut numbers))
        }
    };
    // Places of series always have a JSON form.
    Ok(Recording::new(json.unwrap_or_default(), numbers).plain())
}

impl SectionAnswer {
    fn of(points: &Points, numbers: &mut Numbers) -> Self {
        let Points { t, x, y } = points;
        SectionAnswer { t: numbers.add(t), x: numbers.add(x), y: numbers.add(y) }
    }
}

/// The model file with the changes written into it.
///
/// # Errors
/// The problems of the model or of the changes, as JSON.
pub fn edit(request: &[u8]) -> Result<Vec<u8>, Refusal> {
    let request: RunRequest = read(request)?;
    let changed = request.case().written();
    changed.map(String::into_bytes).map_err(|problems| diagnostics(&problems))
}

fn read<'a, T: Deserialize<'a>>(request: &'a [u8]) -> Result<T, Refusal> {
    serde_json::from_slice(request).map_err(|error| refusal(&format!("the request: {error}")))
}

fn refusal(message: &str) -> Refusal {
    diagnostics(&Diagnostics::whole(None, message, None))
}

/// The answer to the page if a request is refused.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct RefusalView<'a> {
    #[serde(flatten)]
    diagnostics: DiagnosticsData<'a>,
    /// All of them as text.
    text: String,
}

/// The problems as data, and as a text.
fn diagnostics(problems: &Diagnostics) -> Refusal {
    let said = RefusalView { diagnostics: problems.data(), text: problems.to_string() };
    // Texts and numbers always have a JSON form.
    serde_json::to_vec(&said).unwrap_or_default()
}

/// Puts the types of all requests and answers into `found`.
#[cfg(feature = "types")]
pub(crate) fn types(found: &mut crate::types::Declarations) {
    found.add::<RunRequest>();
    found.add::<FigureRequest>();
    found.add::<AnalysisRequest>();
    found.add::<SpectrumAnswer>();
    found.add::<SectionAnswer>();
    found.add::<RefusalView<'static>>();
}
