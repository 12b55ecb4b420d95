//! Study files: a model, what is varied, what is measured, and how.
//!
//! ```toml
//! format = 1
//! kind = "sweep"
//! model = "../models/slider-crank/model.toml"
//! metrics = ["pin.peak_force", "pin.impacts"]
//!
//! [[vary]]
//! key = "drivers.motor.speed"
//! values = "100 rpm:600 rpm:51"
//!
//! [set]
//! "run.until" = "1 s"
//! ```

mod limits;
mod meaning;
mod search;
mod shape;

use std::collections::BTreeMap;

use jointplay_model::Diagnostics;
use jointplay_model::shape::{Kind, Misuse, Setting};
use serde::{Deserialize, Serialize};

use crate::design::Filling;
use crate::identify::Loss;
use crate::sensitivity::Measure;
use shape::STUDY;

/// The version of the format.
pub const FORMAT: u32 = 1;

/// The kind of a study.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StudyKind {
    /// Metrics over values of keys.
    Sweep,
    /// How metrics spread when inputs do.
    Tolerance,
    /// Which inputs decide metrics.
    Sensitivity,
    /// Which steady motions there are over a key.
    Bifurcation,
    /// Which values of keys are best for a metric.
    Optimise,
    /// Which values of keys, and which law, explain measured data.
    Identify,
}

impl StudyKind {
    /// The names of all kinds.
    pub const NAMES: &'static [&'static str] =
        &["sweep", "tolerance", "sensitivity", "bifurcation", "optimise", "identify"];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            StudyKind::Sweep => "sweep",
            StudyKind::Tolerance => "tolerance",
            StudyKind::Sensitivity => "sensitivity",
            StudyKind::Bifurcation => "bifurcation",
            StudyKind::Optimise => "optimise",
            StudyKind::Identify => "identify",
        }
    }
}

/// A greater seed cannot be written into a study file, whose whole numbers end here.
pub const GREATEST_SEED: u64 = 1_000_000_000_000_000;

/// A study, as its file says it.
#[expect(clippy::struct_excessive_bools, reason = "the flags of a file")]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct StudyFile {
    /// Version of the format, 1.
    pub format: u32,
    /// What it finds out.
    pub kind: StudyKind,
    /// The model file, relative to the study file.
    pub model: String,
    /// A case of the model, whose changes come first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub case: Option<String>,
    /// The law of every clearance joint and contact.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub law: Option<String>,
    /// Metrics; those of the model if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub metrics: Vec<String>,
    /// Limits of metrics, such as `pin.peak_force < 2 kN`, for tolerances; the constraints of an optimisation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Number of samples; a sweep without it is a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<usize>,
    /// How samples are chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Filling>,
    /// The measure of sensitivity.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// Chooses the random numbers.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seed: u64,
    /// Runs of each point, from starts that are 1 nm apart: where their results scatter, single runs cannot be compared.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<usize>,
    /// Whether values of the last key start where the one before ended, with the memory of the contacts.
    #[serde(default, skip_serializing_if = "is_false")]
    pub warm_start: bool,
    /// Channels that a bifurcation diagram shows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub observe: Vec<String>,
    /// The driver or load that sets the period, or a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// Periods that a bifurcation diagram leaves out at each value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transient: Option<usize>,
    /// Periods that it shows at each value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<usize>,
    /// Whether to go through the values in reverse order, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub both_ways: bool,
    /// Whether every value starts as the model says, not where the previous one ended.
    #[serde(default, skip_serializing_if = "is_false")]
    pub restart: bool,
    /// Where the section of a bifurcation diagram is looked at instead of once in each period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Up to which multiple of the frequency of the drive spectra are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<usize>,
    /// The metric that is minimised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimise: Option<String>,
    /// The metric that is maximised.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximise: Option<String>,
    /// The maximum number of runs of a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<usize>,
    /// The table of measured data, relative to the study file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<String>,
    /// The column of its times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<String>,
    /// Which column measures which channel, `COLUMN=CHANNEL`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub map: Vec<String>,
    /// What the instrument did to the signals, such as `moving-average:301`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub filter: Vec<String>,
    /// Whether the data have yet to be filtered, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub filter_data: bool,
    /// Laws that are ranked by how well they explain the data.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub laws: Vec<String>,
    /// How residuals are weighed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<Loss>,
    /// Whether the data may be late: `auto`, `none`, `free` or `LOW:HIGH`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift: Option<String>,
    /// Which part of the study is run, such as `3/16`; all of it if it does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    /// What is varied, the first slowest.
    #[serde(default)]
    pub vary: Vec<VaryEntry>,
    /// Changes of the model that all runs share.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub set: BTreeMap<String, toml::Value>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_zero(number: &u64) -> bool {
    *number == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
fn is_false(flag: &bool) -> bool {
    !*flag
}

/// A key with its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VaryEntry {
    /// The key.
    pub key: String,
    /// `FROM:TO:COUNT[:log]`, `LOW:HIGH`, `a,b,c` or a distribution.
    pub values: String,
}

impl VaryEntry {
    /// Splits `KEY=VALUES`.
    ///
    /// # Errors
    /// If there is no `=`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (key, values) = text.split_once('=').ok_or_else(|| {
            format!("write KEY=FROM:TO:COUNT, KEY=a,b,c or KEY=normal(MEAN,STD), not `{text}`")
        })?;
        Ok(VaryEntry { key: key.trim().to_owned(), values: values.trim().to_owned() })
    }
}

impl StudyFile {
    /// A study of this kind without anything that is varied.
    pub fn new(kind: StudyKind, model: impl Into<String>) -> Self {
        StudyFile {
            format: FORMAT,
            kind,
            model: model.into(),
            case: None,
            law: None,
            metrics: Vec::new(),
            limits: Vec::new(),
            samples: None,
            design: None,
            measure: None,
            seed: 0,
            repeats: None,
            warm_start: false,
            observe: Vec::new(),
            period: None,
            transient: None,
            periods: None,
            both_ways: false,
            restart: false,
            section: None,
            orders: None,
            minimise: None,
            maximise: None,
            budget: None,
            data: None,
            time: None,
            map: Vec::new(),
            filter: Vec::new(),
            filter_data: false,
            laws: Vec::new(),
            loss: None,
            shift: None,
            shard: None,
            vary: Vec::new(),
            set: BTreeMap::new(),
        }
    }

    /// Reads the text of a study file, with the name of the file for messages.
    ///
    /// # Errors
    /// Everything that is wrong, with line and column.
    pub fn parse(text: &str, file: Option<&str>) -> Result<Self, Diagnostics> {
        StudySource::new(text, file).read()
    }

    /// The JSON schema of study files, for completion and checks in editors.
    pub fn schema() -> serde_json::Value {
        STUDY.schema("Jointplay study, format 1")
    }

    /// Its text.
    ///
    /// # Errors
    /// If a value cannot be written.
    pub fn written(&self) -> Result<String, String> {
        toml::to_string(self).map_err(|error| error.to_string())
    }
}

/// Values as they are typed after `--vary KEY=`: a list is `a, b, c`.
fn values_text(values: &toml::Value) -> String {
    match values {
        toml::Value::String(text) => text.clone(),
        toml::Value::Array(list) => list.iter().map(values_text).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// The text of a study file, with the keys that were set on the command line.
#[derive(Clone, Debug)]
pub(crate) struct StudySource<'t> {
    text: &'t str,
    file: Option<&'t str>,
    sets: Vec<Setting>,
}

impl<'t> StudySource<'t> {
    pub(crate) fn new(text: &'t str, file: Option<&'t str>) -> Self {
        StudySource { text, file, sets: Vec::new() }
    }

    /// The same with other values: keys of the study file such as `samples`; all others are keys of the model. A value is read as TOML;
    /// what is not TOML is text.
    pub(crate) fn set<'c>(mut self, changes: impl IntoIterator<Item = (&'c str, &'c str)>) -> Self {
        self.sets.extend(changes.into_iter().map(|(key, value)| {
            let parent = (!STUDY.has(key)).then(|| "set".to_owned());
            let path = parent.into_iter().chain([key.to_owned()]).collect();
            Setting { path, value: value.to_owned() }
        }));
        self
    }

    /// The study that it describes, or everything that is wrong with its shape.
    pub(crate) fn read(&self) -> Result<StudyFile, Diagnostics> {
        STUDY.check_set(self.text, self.file, &self.sets)?;
        let wrong = |message: String| Diagnostics::whole(self.file, message, None);
        let read = |text: &str| toml::from_str::<toml::Table>(text);
        let mut table = read(self.text).map_err(|error| wrong(error.to_string()))?;
        for Setting { path, value } in &self.sets {
            let literal = read(&format!("value = {value}")).ok();
            let literal = literal.and_then(|mut table| table.remove("value"));
            let value = literal.unwrap_or_else(|| toml::Value::String(value.clone()));
            match &path[..] {
                [key] => drop(table.insert(key.clone(), value)),
                [parent, key] => {
                    let inner = table.entry(parent).or_insert_with(|| toml::Table::new().into());
                    if let toml::Value::Table(inner) = inner {
                        inner.insert(key.clone(), value);
                    }
                }
                _ => {}
            }
        }
        for (key, value) in &mut table {
            // 1e3 is a whole number, too.
            if let (Some(Kind::Count | Kind::Whole), toml::Value::Float(number)) =
                (STUDY.kind(key), &*value)
            {
                #[expect(clippy::cast_possible_truncation, reason = "a whole number, as checked")]
                let whole = *number as i64;
                *value = whole.into();
            }
        }
        let vary = table.get_mut("vary").and_then(toml::Value::as_array_mut);
        for entry in vary.into_iter().flatten().filter_map(toml::Value::as_table_mut) {
            if let Some(values) = entry.get_mut("values") {
                *values = values_text(values).into();
            }
        }
        let study: StudyFile = table.try_into().map_err(|error| wrong(error.to_string()))?;
        if study.format != FORMAT {
            let message = format!("{} is not the format that this program reads", study.format);
            let hint = Some(format!("write format = {FORMAT}"));
            return Err(self.located(vec![Misuse::new(["format"], message).with_hint(hint)]));
        }
        Ok(study)
    }

    /// The model and the varied keys with their places, of a file that may be wrong elsewhere.
    pub(crate) fn glimpse(&self) -> (Option<String>, Vec<(usize, VaryEntry)>) {
        let table = toml::from_str::<toml::Table>(self.text).unwrap_or_default();
        let model = table.get("model").and_then(toml::Value::as_str).map(str::to_owned);
        let entries = table.get("vary").and_then(toml::Value::as_array).into_iter().flatten();
        let entries = entries.enumerate().filter_map(|(i, entry)| {
            let key = entry.get("key")?.as_str()?.to_owned();
            Some((i, VaryEntry { key, values: values_text(entry.get("values")?) }))
        });
        (model, entries.collect())
    }

    /// What is wrong with its meaning, with line and column or flag.
    pub(crate) fn located(&self, wrong: Vec<Misuse>) -> Diagnostics {
        Misuse::located(wrong, (self.text, self.file), &self.sets)
    }
}
