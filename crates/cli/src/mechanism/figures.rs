//! Figures of models and runs.

use jointplay_mbd::{Body, BodyId, ContactKind, DriftControl, Equations, Snapshot};
use jointplay_model::Model;
use jointplay_report::{Axis, Figure, Series};
use jointplay_study::run::Run;
use jointplay_study::series::{Channel, Channels};
use jointplay_study::store::Contents;

use crate::Failure;

/// A time series.
pub(crate) fn series(times: &[f64], channel: &Channel) -> Figure {
    let label = channel.name.rsplit('.').next().unwrap_or(&channel.name);
    let points = times.iter().copied().zip(channel.values.iter().copied());
    Figure::new(&channel.name, Axis::linear("t", "s"), Axis::linear(label, &channel.unit))
        .with_series(Series::line("", points))
        .with_size(720.0, 280.0)
}

/// One figure for each channel, with its file name. Because samples may miss the peaks of short contacts, the peaks are marked in
/// the figure of a joint's normal force; a joint without a force channel gets a separate figure for them.
pub(crate) fn of_run(series_of_run: &Channels, run: &Run) -> Vec<(String, Figure)> {
    let times = &series_of_run.times;
    let mut figures: Vec<(String, Figure)> = series_of_run
        .channels
        .iter()
        .map(|channel| (channel.name.clone(), series(times, channel)))
        .collect();
    for (i, joint) in run.contacts().joints.iter().enumerate() {
        let episodes = run.contacts().episodes_of(i);
        let peaks: Vec<(f64, f64)> = episodes.map(|e| (e.max_force_time, e.max_force)).collect();
        if peaks.is_empty() {
            continue;
        }
        let peaks = Series::markers("greatest normal force of each contact", peaks);
        let force = [format!("{}.force", joint.name), format!("{}.normal", joint.name)];
        if let Some((_, figure)) = figures.iter_mut().find(|(name, _)| force.contains(name)) {
            figure.series.push(peaks);
        } else {
            let title = format!("{}: normal force", joint.name);
            let figure = Figure::new(title, Axis::linear("t", "s"), Axis::linear("F", "N"));
            let figure = figure.with_series(peaks).with_size(720.0, 280.0);
            figures.push((format!("{}.peaks", joint.name), figure));
        }
    }
    figures
}

/// Puts the figures of a run into its folder.
pub(crate) fn add(contents: &mut Contents<'_>, run: &Run) -> Result<(), Failure> {
    for (file, figure) in of_run(&contents.channels, run) {
        contents.extra.push((format!("figures/{file}.svg"), figure.svg()?.into_bytes()));
    }
    Ok(())
}

/// The assembled mechanism: each body as the places of its joints and contacts, walls as their
/// sections.
pub(crate) fn assembly(name: &str, model: &Model) -> Result<Figure, Failure> {
    let failed = |error: jointplay_mbd::Error| Failure::Run(error.to_string());
    let mechanism = &model.mechanism;
    let equations = Equations::new(mechanism, model.run.formulation, DriftControl::default());
    let equations = equations.map_err(failed)?;
    let start = equations.start(0.0).map_err(failed)?;
    let snapshot = equations.snapshot(start.t, &start.y, &start.mode).map_err(failed)?;
    let millimetres = |p: [f64; 2]| (1e3 * p[0], 1e3 * p[1]);
    let mut figure = Figure::new(name, Axis::linear("x", "mm"), Axis::linear("y", "mm"));
    let mut all: Vec<(f64, f64)> = Vec::new();
    for (body, label, part) in mechanism.bodies() {
        let points = places(model, &snapshot, body, part);
        let points: Vec<(f64, f64)> = points.into_iter().map(millimetres).collect();
        all.extend(&points);
        figure = figure.with_series(Series::line(label, points));
    }
    let joints = mechanism.joints().map(|(_, _, joint)| snapshot.point(joint.b.anchor).position);
    let joints: Vec<(f64, f64)> = joints.map(millimetres).collect();
    all.extend(&joints);
    figure = figure.with_series(Series::markers("joints", joints));
    for (_, _, contact) in mechanism.contacts() {
        let wall = match contact.kind {
            ContactKind::Wall(wall) => wall,
            ContactKind::Journal(_) | ContactKind::Stop { .. } => continue,
        };
        let pieces = (0..=24).map(|i| wall.section.shape.point(f64::from(i) / 24.0));
        let points = pieces.map(|p| millimetres(snapshot.point(wall.body.at(p)).position));
        let points: Vec<(f64, f64)> = points.collect();
        all.extend(&points);
        figure = figure.with_series(Series::line("", points).solid().with_color(7).faint());
    }
    Ok(to_scale(figure, &all))
}

/// The points of a body to which other parts are attached, beginning with its centre of mass.
fn places(model: &Model, snapshot: &Snapshot<'_>, body: BodyId, part: &Body) -> Vec<[f64; 2]> {
    let mechanism = &model.mechanism;
    let mut points = Vec::new();
    for (_, _, joint) in mechanism.joints() {
        let anchors = [joint.a.anchor, joint.b.anchor];
        points.extend(anchors.into_iter().filter(|anchor| anchor.body == body));
    }
    for (_, _, contact) in mechanism.contacts() {
        let anchors = match contact.kind {
            ContactKind::Journal(journal) => vec![journal.bearing, journal.journal],
            ContactKind::Wall(wall) => vec![wall.pin],
            ContactKind::Stop { .. } => Vec::new(),
        };
        points.extend(anchors.into_iter().filter(|anchor| anchor.body == body));
    }
    points.dedup();
    points.insert(points.len().min(1), body.at(part.centre_of_mass));
    points.into_iter().map(|anchor| snapshot.point(anchor).position).collect()
}

/// Axes on which a circle is nearly round.
fn to_scale(figure: Figure, points: &[(f64, f64)]) -> Figure {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let values = points.iter().map(of);
        let (low, high) = values
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        (0.5 * (low + high), high - low)
    };
    let ((x, width), (y, height)) = (range(|p| p.0), range(|p| p.1));
    let (frame_width, frame_height) = (640.0, 420.0);
    let scale = (width / frame_width).max(height / frame_height) * 0.6;
    if !(scale > 0.0 && scale.is_finite()) {
        return figure;
    }
    let (half_x, half_y) = (scale * frame_width, scale * frame_height);
    let mut figure = figure.with_size(frame_width + 120.0, frame_height + 90.0);
    figure.x = figure.x.within(x - half_x, x + half_x);
    figure.y = figure.y.within(y - half_y, y + half_y);
    figure
}
