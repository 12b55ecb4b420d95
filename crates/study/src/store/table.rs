//! Tables as text: numbers in the fewest digits that read back to the same bits, an empty cell where there is none.

use std::path::Path;

use jointplay_files::ReadError;
use serde::{Deserialize, Serialize};

use super::{Channel, ChannelName, Channels, StoreError};
use crate::contacts::{ContactRecord, JointMode};

/// A row of `impacts.csv`; the fields are its columns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ImpactRow {
    /// Name of the joint.
    pub joint: String,
    /// Region, `flat 1 > end 1` where the contact passed.
    pub region: String,
    /// Start (s).
    pub start: f64,
    /// End (s); of an episode that lasts when the run ends, the end of the run.
    pub end: f64,
    /// δ̇₀ (m/s).
    pub impact_speed: f64,
    /// δ_max (m).
    pub max_indentation: f64,
    /// Greatest normal force (N).
    pub max_force: f64,
    /// How long it lasted (s).
    pub duration: f64,
    /// Of the normal force (N s).
    pub impulse: f64,
    /// e_N = −δ̇(end)/δ̇₀ of an impact; empty for continuous contact, and where the episode lasts when the run ends or lasted
    /// when it began.
    pub restitution: Option<f64>,
    /// Energy lost along the normal (J).
    pub loss_normal: f64,
    /// Energy lost in sliding (J).
    pub loss_friction: f64,
    /// Part of its time outside the domain of the law.
    pub out_of_domain: f64,
    /// What an impact at this speed returns under the same law where no other force acts; empty where `restitution` is.
    #[serde(default)]
    pub free_restitution: Option<f64>,
}

/// A row of `modes.csv`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModeRow {
    /// Name of the joint.
    pub joint: String,
    /// From (s).
    pub start: f64,
    /// To (s).
    pub end: f64,
    /// What it did.
    pub mode: JointMode,
}

/// A number in the fewest digits that read back to the same bits; nothing for one that is none.
fn number(x: f64) -> String {
    let size = x.abs();
    if !x.is_finite() {
        String::new()
    } else if size == 0.0 || (1e-4..1e15).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// Writes rows of cells; to memory, which cannot fail.
fn table(rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        let written = writer.write_record(&row);
        debug_assert!(written.is_ok(), "rows have the same number of cells");
    }
    writer.into_inner().unwrap_or_default()
}

pub(super) fn channels(channels: &Channels) -> Vec<u8> {
    let (headers, columns): (Vec<String>, Vec<&[f64]>) = super::columns(channels).unzip();
    let row = |i: usize| columns.iter().map(|column| number(column[i])).collect();
    table(std::iter::once(headers).chain((0..channels.times.len()).map(row)))
}

pub(super) fn impacts(contacts: &ContactRecord) -> Vec<u8> {
    let header = [
        "joint",
        "region",
        "start",
        "end",
        "impact_speed",
        "max_indentation",
        "max_force",
        "duration",
        "impulse",
        "restitution",
        "loss_normal",
        "loss_friction",
        "out_of_domain",
        "free_restitution",
    ];
    let rows = contacts.episodes.iter().map(|e| {
        let numbers = [
            e.start,
            e.end,
            e.impact_speed,
            e.max_indentation,
            e.max_force,
            e.duration(),
            e.impulse,
            e.restitution.unwrap_or(f64::NAN),
            e.loss_normal,
            e.loss_friction,
            e.out_of_domain,
            e.free_restitution.unwrap_or(f64::NAN),
        ];
        let names = [contacts.joints[e.joint].name.clone(), e.region()];
        names.into_iter().chain(numbers.map(number)).collect()
    });
    table(std::iter::once(header.map(str::to_owned).to_vec()).chain(rows))
}

pub(super) fn modes(contacts: &ContactRecord) -> Vec<u8> {
    let header = ["joint", "start", "end", "mode"].map(str::to_owned).to_vec();
    let rows = contacts.joints.iter().flat_map(|joint| {
        joint.timeline.iter().map(|s| {
            vec![joint.name.clone(), number(s.start), number(s.end), s.mode.name().to_owned()]
        })
    });
    table(std::iter::once(header).chain(rows))
}

fn reader(path: &Path, limit: u64) -> Result<csv::Reader<impl std::io::Read>, StoreError> {
    let file = jointplay_files::open(path, limit).map_err(StoreError::read(path))?;
    if file.get_ref().metadata().is_ok_and(|data| data.len() > limit) {
        return Err(StoreError::read(path)(ReadError::TooLong { limit }));
    }
    Ok(csv::Reader::from_reader(file))
}

pub(super) fn read_rows<R: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<R>, StoreError> {
    let mut reader = reader(path, super::MAX_TABLE)?;
    reader.deserialize().collect::<Result<_, _>>().map_err(|e| StoreError::content(path, &e))
}

/// The time series of a manifest with these channels and so many instants.
pub(super) fn read_channels(
    path: &Path,
    names: &[ChannelName],
    samples: usize,
) -> Result<Channels, StoreError> {
    /// No number has more digits, its comma included.
    const CELL: u64 = 32;
    let wrong = |error: csv::Error| StoreError::content(path, &error);
    let header: usize = names.iter().map(|name| name.header().len() + 3).sum();
    let cells = (samples as u64 + 1).saturating_mul(names.len() as u64 + 1);
    let limit = cells.saturating_mul(CELL).saturating_add(header as u64);
    let mut reader = reader(path, limit.clamp(1 << 20, super::MAX_TABLE))?;
    let wanted =
        std::iter::once("time [s]".to_owned()).chain(names.iter().map(ChannelName::header));
    if !reader.headers().map_err(wrong)?.iter().eq(wanted) {
        return Err(StoreError::content(path, &"its header is not that of the manifest"));
    }
    let mut columns = vec![Vec::new(); names.len() + 1];
    for record in reader.records() {
        for (column, cell) in columns.iter_mut().zip(&record.map_err(wrong)?) {
            let value = if cell.is_empty() { Ok(f64::NAN) } else { cell.parse() };
            let message = || format!("'{cell}' is no number");
            column.push(value.map_err(|_| StoreError::content(path, &message()))?);
        }
    }
    let mut columns = columns.into_iter();
    let times = columns.next().unwrap_or_default();
    let channel = |(name, values): (&ChannelName, Vec<f64>)| Channel {
        name: name.name.clone(),
        unit: name.unit.clone(),
        values,
    };
    Ok(Channels { times, channels: names.iter().zip(columns).map(channel).collect() })
}
