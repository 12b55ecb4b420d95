//! Measured data: tables of a test rig, and their comparison with channels of a model.
//!
//! A measurement is a CSV file with a time column and measured columns. A [`Mapping`] says which
//! column is which channel. The model is sampled at the times of the data, as the instrument did,
//! and then [filtered](Filter) as the data were: a [`Sampler`] knows at which instants, and which
//! rows are compared.

mod compare;
mod filter;
mod read;
mod sampler;

use std::sync::Arc;

use jointplay_files::ReadError;
use jointplay_model::Diagnostics;

use crate::case::Loaded;

pub use compare::{Comparison, Wide, best_shift, compare};
pub use filter::Filter;
pub use sampler::{Compared, ObserveError, Sampler};

use read::Reader;

pub(crate) use compare::unexplained;

/// The name of the data in a folder.
pub const DATA: &str = "measured.csv";

/// Maximum size of a data file (bytes).
const MAX_DATA: u64 = 1 << 30;

/// A column of the data, and the channel of the model that it measures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapping {
    /// The name of the column, without its unit.
    pub column: String,
    /// The channel.
    pub channel: String,
}

impl Mapping {
    /// Reads `COLUMN=CHANNEL`.
    ///
    /// # Errors
    /// What to write.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || format!("write COLUMN=CHANNEL, such as force=pin.force, not `{text}`");
        let (column, channel) = text.rsplit_once('=').ok_or_else(wrong)?;
        let [column, channel] = [column, channel].map(|part| part.trim().to_owned());
        if column.is_empty() || channel.is_empty() {
            return Err(wrong());
        }
        Ok(Mapping { column, channel })
    }
}

/// The request for a data file: its columns, filters and time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataRequest {
    /// The time column; `None` for the column named `t` or `time`, or else the first.
    pub time: Option<String>,
    /// What is measured.
    pub maps: Vec<Mapping>,
    /// What the instrument did to the signals, in order.
    pub filters: Vec<Filter>,
    /// Whether the data must still be filtered as well.
    pub filter_data: bool,
}

impl DataRequest {
    /// Reads the words of a command line or a study file.
    ///
    /// # Errors
    /// Everything that is wrong with them, each with the key that it belongs to and its place in the list.
    pub fn parse(
        time: Option<&str>,
        maps: &[String],
        filters: &[String],
        filter_data: bool,
    ) -> Result<Self, Vec<(&'static str, usize, String)>> {
        let mut wrong = Vec::new();
        let mut request =
            DataRequest { time: time.map(str::to_owned), filter_data, ..Self::default() };
        for (i, text) in maps.iter().enumerate() {
            match Mapping::parse(text) {
                Ok(map) if request.maps.iter().any(|known| known.channel == map.channel) => {
                    let message = format!("the channel `{}` is mapped twice", map.channel);
                    wrong.push(("map", i, message));
                }
                Ok(map) => request.maps.push(map),
                Err(message) => wrong.push(("map", i, message)),
            }
        }
        for (i, text) in filters.iter().enumerate() {
            match text.parse() {
                Ok(filter) => request.filters.push(filter),
                Err(message) => wrong.push(("filter", i, message)),
            }
        }
        if filter_data && filters.is_empty() {
            wrong.push((
                "filter_data",
                0,
                "the data are to be filtered, but no filter is given".to_owned(),
            ));
        }
        if wrong.is_empty() { Ok(request) } else { Err(wrong) }
    }
}

/// The table of a test rig: times and measured channels, in SI.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// The file, for messages.
    pub file: String,
    /// Its text.
    pub text: Arc<str>,
    /// The times (s), ascending.
    pub times: Vec<f64>,
    /// What was measured, in the order of the request.
    pub columns: Vec<MeasuredColumn>,
}

/// A measured channel.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasuredColumn {
    /// The name of the column.
    pub column: String,
    /// The channel of the model that it measures.
    pub channel: String,
    /// The SI unit of both.
    pub unit: String,
    /// One value for each time; NaN where the cell is empty.
    pub values: Vec<f64>,
}

impl Measurement {
    /// Reads the text of a data file for this model.
    ///
    /// # Errors
    /// Everything that is wrong with it, with line and column.
    pub fn of_text(
        text: impl Into<Arc<str>>,
        file: &str,
        request: &DataRequest,
        model: &Loaded,
    ) -> Result<Self, Diagnostics> {
        let text = text.into();
        let unit = |channel: &str| Some(model.model.channel(channel).ok()?.unit().to_owned());
        let unknown = request.maps.iter().filter_map(|map| {
            let wrong = model.model.channel(&map.channel).err()?;
            Some(format!("--map {}={}: {wrong}", map.column, map.channel))
        });
        let unknown: Vec<String> = unknown.collect();
        let (times, columns) = Reader::new(&text, file).read(request, unit, unknown)?;
        Ok(Measurement { file: file.to_owned(), text, times, columns })
    }

    /// Whether no row lies in the time of a run until `until` (s).
    pub fn is_outside(&self, until: f64) -> bool {
        !self.times.iter().any(|t| (0.0..=until * (1.0 + 1e-12)).contains(t))
    }

    /// Reads a data file for this model.
    ///
    /// # Errors
    /// Everything that is wrong with it, with line and column.
    pub fn open(
        path: &std::path::Path,
        request: &DataRequest,
        model: &Loaded,
    ) -> Result<Self, Diagnostics> {
        let text = read_data(path)?;
        Self::of_text(text, &path.display().to_string(), request, model)
    }
}

/// The text of a data file.
///
/// # Errors
/// If it cannot be read.
pub fn read_data(path: &std::path::Path) -> Result<String, Diagnostics> {
    const HINT: &str =
        "save the table as CSV in UTF-8; spreadsheets offer this as a format of its own";
    let shown = path.display().to_string();
    let text = jointplay_files::read_text(path, MAX_DATA).map_err(|error| {
        let hint = matches!(error, ReadError::NotText).then_some(HINT);
        Diagnostics::whole(Some(&shown), format!("the data {error}"), hint)
    })?;
    // UTF-16 without its mark is UTF-8 as well, with a zero beside each letter.
    if text.contains('\0') {
        let message = "the data have characters of the number 0: is this UTF-16?";
        return Err(Diagnostics::whole(Some(&shown), message, Some(HINT)));
    }
    Ok(text)
}
