//! Tables as text: numbers in the fewest digits that read back to the same bits, an empty cell for a missing one.

use std::io;
use std::path::Path;

use jointplay_files::ReadError;

use super::{Channel, ChannelName, Channels, StoreError};
use crate::contacts::{ContactRecord, ImpactRow, ModeRow};

/// A number in the fewest digits that read back to the same bits; empty for NaN.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if !x.is_finite() {
        String::new()
    } else if size == 0.0 || (1e-4..1e15).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// Writes rows of cells to memory, which cannot fail.
pub(crate) fn table(rows: impl Iterator<Item = Vec<String>>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let written = write(&mut bytes, rows);
    debug_assert!(written.is_ok(), "rows have the same number of cells");
    bytes
}

/// Writes rows of cells.
pub(crate) fn write(to: impl io::Write, rows: impl Iterator<Item = Vec<String>>) -> io::Result<()> {
    let mut writer = csv::Writer::from_writer(to);
    for row in rows {
        writer.write_record(&row)?;
    }
    writer.flush()
}

pub(super) fn channels(channels: &Channels) -> Vec<u8> {
    let (headers, columns): (Vec<String>, Vec<&[f64]>) = super::columns(channels).unzip();
    let row = |i: usize| columns.iter().map(|column| number(column[i])).collect();
    table(std::iter::once(headers).chain((0..channels.times.len()).map(row)))
}

pub(super) fn impacts(contacts: &ContactRecord) -> Vec<u8> {
    let columns = ImpactRow::NUMBERS;
    let header = ["joint", "region"].into_iter().chain(columns.map(|(name, _)| name));
    let header: Vec<String> = header.map(str::to_owned).collect();
    let rows = contacts.impact_rows().map(|row| {
        let numbers = columns.map(|(_, value)| number(value(&row)));
        [row.joint, row.region].into_iter().chain(numbers).collect()
    });
    table(std::iter::once(header).chain(rows))
}

pub(super) fn modes(contacts: &ContactRecord) -> Vec<u8> {
    let header = ["joint", "start", "end", "mode"].map(str::to_owned).to_vec();
    let rows = contacts.mode_rows().map(|ModeRow { joint, start, end, mode }| {
        vec![joint, number(start), number(end), mode.name().to_owned()]
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

/// The time series of a manifest with these channels and this number of instants.
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
            let message = || format!("'{cell}' is not a number");
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
