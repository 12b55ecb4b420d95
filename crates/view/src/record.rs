//! A run in the form that the page shows.

use std::collections::{HashMap, HashSet};

use jointplay_mbd::{Error, Snapshot};
use jointplay_model::{Knob, Model};
use jointplay_study::analysis;
use jointplay_study::case::{Digest, Loaded};
use jointplay_study::contacts::{ContactRecord, Episode, ImpactRow, JointMode, ModeRow};
use jointplay_study::run::{Keep, Observer, Run, Settings};
use jointplay_study::series::Channel;
use jointplay_study::summary::Summary;
use serde::Serialize;

use crate::container::{Numbers, Recording, Ref};
use crate::scene::{Scene, SceneTrack};

/// More numbers than this make a page slow to open. Series that the model does not name and
/// instants between the extremes are then omitted.
const PLENTY: usize = 3_000_000;

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct Payload<'a> {
    format: u32,
    program: Program,
    model: ModelView<'a>,
    law: String,
    ideal: bool,
    settings: Settings,
    summary: Summary,
    notes: Vec<String>,
    span: [f64; 2],
    samples: usize,
    /// Not decreasing; at an event two samples have the same time, before and after.
    times: Ref,
    channels: Vec<ChannelView<'a>>,
    impacts: Vec<ImpactView>,
    modes: Vec<ModeRow>,
    sheets: Vec<crate::sheets::SheetView>,
    knobs: &'a [Knob],
    /// Period of a driver with constant speed (s).
    period: Option<f64>,
    scene: Scene,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct Program {
    name: &'static str,
    version: &'static str,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct ModelView<'a> {
    name: &'a str,
    description: Option<&'a str>,
    digest: &'a Digest,
    changes: Vec<String>,
    text: &'a str,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct ChannelView<'a> {
    name: &'a str,
    unit: &'a str,
    values: Ref,
    preset: bool,
}

/// A row of the impact table, with the flags that the page marks.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct ImpactView {
    #[serde(flatten)]
    row: ImpactRow,
    mode: JointMode,
    open: bool,
    peak_time: f64,
}

/// Runs a case and records it for the page. Each kept instant is evaluated once for both.
///
/// # Errors
/// As [`Loaded::run`].
pub fn record(case: &Loaded, watch: &mut impl Observer) -> Result<(Run, Recording), Error> {
    let mut stage = Stage { track: SceneTrack::new(&case.model), watch };
    let run = case.run_keeping(Keep::AllUpTo(PLENTY), &mut stage)?;
    let recording = recording(&run, stage.track);
    Ok((run, recording))
}

/// The recording of a finished run; its kept instants are evaluated again.
///
/// # Errors
/// If an instant cannot be evaluated.
pub fn recording_of(run: &Run) -> Result<Recording, Error> {
    let case = run.case.clone();
    let mut stage = Stage { track: SceneTrack::new(&case.model), watch: &mut () };
    let run = run.clone().keeping(Keep::AllUpTo(PLENTY), &mut stage)?;
    Ok(recording(&run, stage.track))
}

/// An observer that records the scene.
struct Stage<'m, 'w, W> {
    track: SceneTrack<'m>,
    watch: &'w mut W,
}

impl<W: Observer> Observer for Stage<'_, '_, W> {
    fn advanced(&mut self, t: f64) -> std::ops::ControlFlow<()> {
        self.watch.advanced(t)
    }

    fn compares(&mut self) {
        self.watch.compares();
    }

    fn wants_instants(&self) -> bool {
        true
    }

    fn instant(&mut self, at: &Snapshot<'_>) {
        self.track.take(at);
        self.watch.instant(at);
    }
}

fn recording(run: &Run, track: SceneTrack<'_>) -> Recording {
    let (case, contacts) = (&run.case, run.contacts());
    let model = &*case.model;
    let times = &run.channels.times[..];
    let channels: Vec<(&Channel, bool)> = shown(model, &run.channels.channels).collect();
    let kept = kept(times, &channels, &contacts.episodes);
    let keep = |series: &[f64]| match &kept {
        None => series.to_vec(),
        Some(kept) => kept.iter().map(|i| series[*i]).collect(),
    };
    let mut numbers = Numbers::default();
    let all = times.len();
    let times = keep(times);
    let samples = times.len();
    let times = numbers.add(&times);
    let mut views = Vec::new();
    for (Channel { name, unit, values }, preset) in channels {
        if preset || values.iter().any(|value| *value != 0.0) {
            let values = numbers.add(&keep(values));
            views.push(ChannelView { name, unit, values, preset });
        }
    }
    let known: HashMap<&str, Ref> = views.iter().map(|view| (view.name, view.values)).collect();
    let channel = |name: &str| known.get(name).copied();
    let scene = track.finish(&mut numbers, &keep, &channel);
    let summary = run.summary();
    let mut notes = summary.notes.clone();
    if samples < all {
        notes.push(format!(
            "the page keeps {samples} of {all} samples, including all extremes and impacts"
        ));
    }
    let payload = Payload {
        format: 1,
        program: Program { name: "jointplay", version: env!("CARGO_PKG_VERSION") },
        model: ModelView {
            name: &case.name,
            description: model.description.as_deref(),
            digest: case.digest(),
            changes: case.changes(),
            text: case.as_run(),
        },
        law: crate::sheets::label(model),
        ideal: case.case.changes().makes_ideal(),
        settings: Settings::from(&model.run),
        summary,
        notes,
        span: contacts.span,
        samples,
        times,
        channels: views,
        impacts: impacts(contacts),
        modes: contacts.mode_rows().collect(),
        sheets: crate::sheets::of(model, contacts),
        knobs: model.knobs(),
        period: analysis::period(model),
        scene,
    };
    // Structs of texts and numbers always have a JSON form.
    let json = serde_json::to_string(&payload).unwrap_or_default();
    Recording::new(json, numbers)
}

/// The channels of a page, each with whether the model lists it.
fn shown<'c>(model: &'c Model, kept: &'c [Channel]) -> impl Iterator<Item = (&'c Channel, bool)> {
    let asked: HashSet<&str> = model.channels.iter().map(jointplay_model::Channel::name).collect();
    let asked = move |channel: &Channel| asked.contains(channel.name.as_str());
    let ideal = model.joints.iter().filter(|joint| joint.handle.is_ideal());
    let ideal: HashSet<&str> = ideal.map(|joint| joint.name.as_str()).collect();
    let useful = move |channel: &Channel| {
        let (part, key) = channel.name.split_once('.').unwrap_or_default();
        // The eccentricity of an ideal joint is only the rounding error of its constraint.
        !(["ex", "ey", "eccentricity"].contains(&key) && ideal.contains(part))
    };
    kept.iter().map(move |c| (c, asked(c))).filter(move |(c, asked)| *asked || useful(c))
}

/// The instants to keep if there are too many: the ends of each interval with the smallest and
/// largest value of each channel in it, and start, peak and end of each contact episode.
fn kept(times: &[f64], channels: &[(&Channel, bool)], episodes: &[Episode]) -> Option<Vec<usize>> {
    let samples = times.len();
    let width = channels.len() + 20;
    if samples.saturating_mul(width) <= PLENTY {
        return None;
    }
    let stretches = (PLENTY / width / (2 * channels.len() + 2)).max(1);
    let length = samples.div_ceil(stretches).max(1);
    let mut kept = Vec::new();
    let mut start = 0;
    while start < samples {
        let end = (start + length).min(samples);
        kept.extend([start, end - 1]);
        for (Channel { values: series, .. }, _) in channels {
            let order = |a: &usize, b: &usize| series[*a].total_cmp(&series[*b]);
            kept.extend((start..end).min_by(order));
            kept.extend((start..end).max_by(order));
        }
        start = end;
    }
    for at in episodes.iter().flat_map(|e| [e.start, e.max_force_time, e.end]) {
        // At an event there are two of them: before and after.
        kept.extend(times.partition_point(|t| *t < at)..times.partition_point(|t| *t <= at));
    }
    kept.sort_unstable();
    kept.dedup();
    Some(kept)
}

fn impacts(contacts: &ContactRecord) -> Vec<ImpactView> {
    let rows = contacts.impact_rows().zip(&contacts.episodes);
    let view = |(row, e): (ImpactRow, &Episode)| ImpactView {
        row,
        mode: e.mode,
        open: e.open,
        peak_time: e.max_force_time,
    };
    rows.map(view).collect()
}

/// Puts the types of a recorded run into `found`.
#[cfg(feature = "types")]
pub(crate) fn types(found: &mut crate::types::Declarations) {
    found.add::<Payload<'static>>();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn property_a_page_of_many_instants_keeps_start_peak_and_end_of_every_contact() {
        let times: Vec<f64> = (0..1_000_000).map(|i| f64::from(i) * 1e-3).collect();
        let episode = |i: usize| Episode {
            joint: 0,
            regions: Vec::new(),
            start: times[i],
            end: times[i + 8],
            open: false,
            carried: false,
            impact_speed: 0.1,
            input_restitution: None,
            max_indentation: 1e-6,
            max_force: 1.0,
            max_force_time: times[i + 3],
            impulse: 1e-3,
            restitution: None,
            free_restitution: None,
            loss_normal: 0.0,
            loss_friction: 0.0,
            out_of_domain: 0.0,
            compressions: 1,
            mode: JointMode::Impact,
        };
        let starts: Vec<usize> = (0..5000).map(|k| 7 + 197 * k).collect();
        let episodes: Vec<Episode> = starts.iter().map(|i| episode(*i)).collect();
        let kept = kept(&times, &[], &episodes).expect("too many to keep all");
        assert!(kept.is_sorted_by(|a, b| a < b) && kept.len() < 200_000, "{}", kept.len());
        for i in starts.iter().flat_map(|i| [*i, i + 3, i + 8]) {
            assert!(kept.binary_search(&i).is_ok(), "instant {i} is lost");
        }
    }
}
