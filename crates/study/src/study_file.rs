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

use std::collections::BTreeMap;

use jointplay_model::shape::{Field, Kind, Record};
use jointplay_model::{Diagnostics, IsoFit};
use serde::{Deserialize, Serialize};

use crate::bifurcation::Diagram;
use crate::case::Case;
use crate::design::{Design, Filling, Points};
use crate::sensitivity::Measure;
use crate::statistics::Limit;
use crate::vary::{Level, Quantity, Vary};

/// The version of the format.
pub const FORMAT: u32 = 1;

/// What a study finds out.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum StudyKind {
    /// Metrics over values of keys.
    Sweep,
    /// How metrics spread when inputs do.
    Tolerance,
    /// Which inputs decide metrics.
    Sensitivity,
    /// Which steady motions there are over a key.
    Bifurcation,
}

impl StudyKind {
    /// The names of all kinds.
    pub const NAMES: &'static [&'static str] =
        &["sweep", "tolerance", "sensitivity", "bifurcation"];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            StudyKind::Sweep => "sweep",
            StudyKind::Tolerance => "tolerance",
            StudyKind::Sensitivity => "sensitivity",
            StudyKind::Bifurcation => "bifurcation",
        }
    }
}

/// What a study file may say.
static STUDY: Record = Record {
    doc: "Many runs of a model, and what they say together",
    fields: &[&[
        Field::required("format", Kind::Count, "version of the format, 1"),
        Field::required("kind", Kind::Choice(StudyKind::NAMES), "what the study finds out"),
        Field::required("model", Kind::Name, "the model file, relative to the study file"),
        Field::new("case", Kind::Name, "a case of the model, whose changes come first"),
        Field::new("law", Kind::Name, "law of every clearance joint and contact"),
        Field::new(
            "metrics",
            Kind::List(&Kind::Name),
            "numbers that are kept of each run; by default the metrics of the model",
        ),
        Field::new(
            "limits",
            Kind::List(&Kind::Name),
            "what metrics shall keep to, such as \"pin.peak_force < 2 kN\" (tolerance)",
        ),
        Field::new("samples", Kind::Count, "number of samples; a sweep without it is a grid"),
        Field::new("design", Kind::Choice(Filling::NAMES), "how samples are chosen"),
        Field::new("measure", Kind::Choice(Measure::NAMES), "how sensitivity is measured"),
        Field::new("seed", Kind::Whole, "chooses the random numbers; 0 by default"),
        Field::new("repeats", Kind::Count, "runs of each point, from starts that are 1 nm apart"),
        Field::new(
            "warm_start",
            Kind::Flag,
            "whether values of the last key start where the one before ended (sweep)",
        ),
        Field::new("observe", Kind::List(&Kind::Name), "channels of a bifurcation diagram"),
        Field::new(
            "period",
            Kind::Name,
            "driver or load whose period counts, or a time (bifurcation)",
        ),
        Field::new("transient", Kind::Whole, "periods before a bifurcation diagram is drawn"),
        Field::new("periods", Kind::Count, "periods over which it is drawn"),
        Field::new("both_ways", Kind::Flag, "whether the values are passed downwards, too"),
        Field::new(
            "restart",
            Kind::Flag,
            "whether every value of a bifurcation diagram starts as the model says",
        ),
        Field::new(
            "section",
            Kind::Name,
            "where the section of a bifurcation diagram is looked at instead of once in each period: impact:JOINT, up:CHANNEL=LEVEL, down:CHANNEL=LEVEL or both:CHANNEL=LEVEL",
        ),
        Field::new(
            "orders",
            Kind::Count,
            "up to which multiple of the frequency of the drive spectra are made (bifurcation)",
        ),
        Field::new("vary", Kind::List(&Kind::Record(&VARY)), "what is varied, the first slowest"),
        Field::new("set", Kind::Changes, "changes of the model that all runs share"),
    ]],
    parameters: false,
};

static VARY: Record = Record {
    doc: "A key of the model with its values",
    fields: &[&[
        Field::required(
            "key",
            Kind::Name,
            "the key, such as joints.pin.clearance; `law` or `case` for these",
        ),
        Field::required(
            "values",
            Kind::Name,
            "FROM:TO:COUNT, FROM:TO:COUNT:log, LOW:HIGH, a list a,b,c, a distribution such as normal(MEAN, STD), or a fit",
        ),
    ]],
    parameters: false,
};

/// A study, as its file says it.
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
    /// Limits of metrics, such as `pin.peak_force < 2 kN`, for tolerances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// Number of samples; a sweep without it is a grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<usize>,
    /// How samples are chosen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<Filling>,
    /// How sensitivity is measured.
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
    /// The driver or load whose period counts, or a time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub period: Option<String>,
    /// Periods before a bifurcation diagram is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transient: Option<usize>,
    /// Periods over which it is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub periods: Option<usize>,
    /// Whether the values are passed downwards, too.
    #[serde(default, skip_serializing_if = "is_false")]
    pub both_ways: bool,
    /// Whether every value starts as the model says, not where the one before ended.
    #[serde(default, skip_serializing_if = "is_false")]
    pub restart: bool,
    /// Where the section of a bifurcation diagram is looked at instead of once in each period.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// Up to which multiple of the frequency of the drive spectra are made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub orders: Option<usize>,
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

    /// What it varies. A fit varies the places of hole and shaft in their zones; in a grid fits are values like others.
    fn varies(&self, grid: bool) -> Result<Vec<Vary>, String> {
        let VaryEntry { key, values } = self;
        if !self.is_fit() || grid {
            return Vary::parse(&format!("{key}={values}")).map(|vary| vec![vary]);
        }
        self.fit()?;
        let of = |side: &str| Vary::parse(&format!("{key}_{side}=0:1"));
        Ok(vec![of("hole")?, of("shaft")?])
    }

    /// Whether its key is that of a fit.
    fn is_fit(&self) -> bool {
        self.key.rsplit_once('.').is_some_and(|(_, last)| last == "fit")
    }

    /// The fit that it names, if its key is one.
    fn fit(&self) -> Result<Option<IsoFit>, String> {
        if !self.is_fit() {
            return Ok(None);
        }
        IsoFit::parse(&self.values).map(Some).map_err(|(message, hint)| match hint {
            Some(hint) => format!("{}: {message}; {hint}", self.key),
            None => format!("{}: {message}", self.key),
        })
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
            vary: Vec::new(),
            set: BTreeMap::new(),
        }
    }

    /// Reads the text of a study file, with the name of the file for messages.
    ///
    /// # Errors
    /// Everything that is wrong, with line and column.
    pub fn parse(text: &str, file: Option<&str>) -> Result<Self, Diagnostics> {
        STUDY.check(text, file)?;
        let wrong = |message: String| Diagnostics::whole(file, message, None);
        let study: StudyFile = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
        if study.format != FORMAT {
            let message = format!("format = {}: this program reads format {FORMAT}", study.format);
            return Err(wrong(message));
        }
        Ok(study)
    }

    /// The same study with other values: keys of the study file such as `samples`, all others are keys of the model. A value is read as
    /// TOML; what is not TOML is text.
    ///
    /// # Errors
    /// Everything that is wrong then.
    pub fn changed<'c>(
        &self,
        changes: impl IntoIterator<Item = (&'c str, &'c str)>,
    ) -> Result<Self, Diagnostics> {
        let wrong = |message: String| Diagnostics::whole(None, message, None);
        let text = self.written().map_err(wrong)?;
        let mut table: toml::Table = toml::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        for (key, value) in changes {
            let read = toml::from_str::<toml::Table>(&format!("value = {value}"));
            let literal = read.ok().and_then(|mut table| table.remove("value"));
            let value = literal.unwrap_or_else(|| toml::Value::String(value.to_owned()));
            if STUDY.has(key) {
                table.insert(key.to_owned(), value);
            } else {
                let set = table.entry("set").or_insert_with(|| toml::Table::new().into());
                if let toml::Value::Table(set) = set {
                    set.insert(key.to_owned(), value);
                }
            }
        }
        let text = toml::to_string(&table).map_err(|error| wrong(error.to_string()))?;
        Self::parse(&text, Some("--set"))
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

    /// The fits that are varied, by their keys.
    ///
    /// # Errors
    /// Every fit that is wrong.
    pub fn fits(&self) -> Result<Vec<(String, IsoFit)>, String> {
        let sampled = self.vary.iter().filter(|_| !self.is_grid());
        let fits = sampled.filter_map(|entry| match entry.fit() {
            Ok(fit) => Some(Ok((entry.key.clone(), fit?))),
            Err(wrong) => Some(Err(wrong)),
        });
        fits.collect()
    }

    /// Whether all combinations of values are run.
    fn is_grid(&self) -> bool {
        match self.kind {
            StudyKind::Sweep => self.samples.is_none(),
            StudyKind::Bifurcation => true,
            StudyKind::Tolerance | StudyKind::Sensitivity => false,
        }
    }

    /// What is varied.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    fn varies(&self) -> Result<Vec<Vary>, Vec<String>> {
        let (mut varies, mut wrong): (Vec<Vary>, Vec<String>) = (Vec::new(), Vec::new());
        for entry in &self.vary {
            match entry.varies(self.is_grid()) {
                Ok(more) => varies.extend(more),
                Err(problem) => wrong.push(problem),
            }
        }
        for (i, vary) in varies.iter().enumerate() {
            if varies[..i].iter().any(|other| other.key == vary.key) {
                wrong.push(format!("{} is varied twice", vary.key));
            }
        }
        if let Some(repeats) = self.repeats.filter(|repeats| *repeats > 1) {
            // The start is one more key, the fastest.
            let seeds: Vec<String> = (1..=repeats).map(|seed| seed.to_string()).collect();
            varies.extend(Vary::parse(&format!("{SEED}={}", seeds.join(","))));
        }
        if self.repeats.is_some_and(|repeats| !(1..=MOST_REPEATS).contains(&repeats)) {
            wrong.push(format!("the number of repeats must be from 1 to {MOST_REPEATS}"));
        }
        if self.vary.is_empty() {
            wrong.push("nothing is varied: give --vary KEY=VALUES".to_owned());
        }
        if self.samples.is_some_and(|samples| !(1..=MOST_SAMPLES).contains(&samples)) {
            wrong.push(format!("the number of samples must be from 1 to {MOST_SAMPLES}"));
        }
        wrong.extend(self.settings_without_effect());
        if wrong.is_empty() { Ok(varies) } else { Err(wrong) }
    }

    /// The bifurcation diagram that it asks for, of a model with the changes that all points share.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn diagram(&self, case: Case) -> Result<Diagram, Vec<String>> {
        let mut wrong = Vec::new();
        let varies = self.varies().map_err(|problems| wrong.extend(problems)).unwrap_or_default();
        if varies.len() > 1 {
            wrong.push("a bifurcation diagram has one key: give --vary once".to_owned());
        }
        let Some(period) = &self.period else {
            wrong.push("the period is missing: give --period DRIVER or --period TIME".to_owned());
            return Err(wrong);
        };
        let Some(vary) = varies.into_iter().next().filter(|_| wrong.is_empty()) else {
            return Err(wrong);
        };
        Ok(Diagram {
            case,
            vary,
            observe: self.observe.clone(),
            period: period.clone(),
            transient: self.transient.unwrap_or(TRANSIENT),
            periods: self.periods.unwrap_or(PERIODS),
            both_ways: self.both_ways,
            restart: self.restart,
            section: self.section.clone(),
            orders: self.orders,
        })
    }

    /// The points that it runs.
    ///
    /// # Errors
    /// Everything that is wrong with what is varied.
    pub fn points(&self) -> Result<Points, Vec<String>> {
        let varies = self.varies()?;
        let filling = self.design.unwrap_or_default();
        let seed = self.seed;
        let points = match (self.kind, self.samples) {
            (StudyKind::Sweep, None) | (StudyKind::Bifurcation, _) => {
                Points::new(Design::Grid, varies)
            }
            (StudyKind::Sweep, Some(samples)) => {
                Points::new(Design::Samples { filling, samples, seed }, varies)
            }
            (StudyKind::Tolerance, samples) => {
                let samples = samples.unwrap_or(TOLERANCE_SAMPLES);
                Points::new(Design::Samples { filling, samples, seed }, varies)
            }
            (StudyKind::Sensitivity, samples) => {
                let measure = self.measure.unwrap_or_default();
                let samples = samples.unwrap_or(measure.default_samples());
                measure.points(varies, samples, seed)
            }
        };
        points.map_err(|problem| vec![problem])
    }

    /// Settings that this kind of study does not use.
    fn settings_without_effect(&self) -> Vec<String> {
        let name = self.kind.name();
        let used = |given: bool, key: &str, kinds: &[StudyKind]| {
            let unused = given && !kinds.contains(&self.kind);
            unused.then(|| format!("`{key}` has no effect in a {name} study: leave it out"))
        };
        let samples = [StudyKind::Sweep, StudyKind::Tolerance];
        let mut unused = vec![
            used(!self.limits.is_empty(), "limits", &[StudyKind::Tolerance]),
            used(self.design.is_some(), "design", &samples),
            used(self.measure.is_some(), "measure", &[StudyKind::Sensitivity]),
        ];
        let diagram = [StudyKind::Bifurcation];
        let surveys = [StudyKind::Sweep, StudyKind::Tolerance, StudyKind::Sensitivity];
        unused.extend([
            used(self.samples.is_some(), "samples", &surveys),
            used(self.repeats.is_some(), "repeats", &surveys),
            used(!self.metrics.is_empty(), "metrics", &surveys),
            used(self.warm_start, "warm_start", &[StudyKind::Sweep]),
            used(!self.observe.is_empty(), "observe", &diagram),
            used(self.period.is_some(), "period", &diagram),
            used(self.transient.is_some(), "transient", &diagram),
            used(self.periods.is_some(), "periods", &diagram),
            used(self.both_ways, "both_ways", &diagram),
            used(self.restart, "restart", &diagram),
            used(self.section.is_some(), "section", &diagram),
            used(self.orders.is_some(), "orders", &diagram),
        ]);
        if self.kind == StudyKind::Sweep && self.samples.is_none() && self.design.is_some() {
            unused.push(Some("`design` needs a number of `samples`".to_owned()));
        }
        if self.warm_start && self.samples.is_some() {
            let wrong = "`warm_start` follows the values of a key: leave out `samples`";
            unused.push(Some(wrong.to_owned()));
        }
        if self.warm_start && self.repeats.is_some_and(|repeats| repeats > 1) {
            let wrong = "`warm_start` starts where the value before ended, `repeats` slightly apart: leave out one of the two";
            unused.push(Some(wrong.to_owned()));
        }
        unused.into_iter().flatten().collect()
    }

    /// The limits of its metrics. The unit of a metric that is not known is not compared.
    ///
    /// # Errors
    /// Every limit that is wrong.
    pub fn limits(
        &self,
        unit_of: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<Limit>, Vec<String>> {
        let (mut limits, mut wrong) = (Vec::new(), Vec::new());
        for text in &self.limits {
            match limit(text) {
                Some((limit, typed)) if self.metrics.contains(&limit.metric) => {
                    match unit_of(&limit.metric).filter(|unit| !typed.has_dimension_of(unit)) {
                        None => limits.push(limit),
                        Some(unit) if unit == "-" => wrong.push(format!(
                            "limit `{text}`: `{}` is a pure number: leave out the unit",
                            limit.metric
                        )),
                        Some(unit) => wrong.push(format!(
                            "limit `{text}`: `{}` is in {unit}",
                            limit.metric
                        )),
                    }
                }
                Some((limit, _)) => wrong.push(format!(
                    "limit `{text}`: `{}` is not among the metrics: add it",
                    limit.metric
                )),
                None => wrong.push(format!(
                    "limit `{text}`: write METRIC < VALUE or METRIC > VALUE, such as \"pin.peak_force < 2 kN\""
                )),
            }
        }
        if wrong.is_empty() { Ok(limits) } else { Err(wrong) }
    }
}

/// Periods that a bifurcation diagram leaves out, and that it shows, if nothing else is asked.
const TRANSIENT: usize = 100;
const PERIODS: usize = 200;

/// The key that chooses among starts that are slightly apart.
pub(crate) const SEED: &str = "start.seed";

/// More samples than this cannot be meant.
const MOST_SAMPLES: usize = 100_000_000;

/// More starts than this cannot be meant.
const MOST_REPEATS: usize = 10_000;

/// Samples of a tolerance study if their number is not given.
const TOLERANCE_SAMPLES: usize = 1000;

/// Reads `METRIC < VALUE` or `METRIC > VALUE`: what the metric shall keep to, and the value as it was typed.
fn limit(text: &str) -> Option<(Limit, Quantity)> {
    let place = text.rfind(['<', '>'])?;
    let (metric, rest) = text.split_at(place);
    let upper = rest.starts_with('<');
    let value = rest.get(1..)?.trim().trim_start_matches('=').trim();
    let typed = Quantity::parse(value)?;
    let value = Level::of(value.to_owned()).number?;
    Some((Limit { metric: metric.trim().to_owned(), upper, value }, typed))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"
format = 1
kind = "tolerance"
model = "model.toml"
metrics = ["pin.peak_force"]
limits = ["pin.peak_force < 2 kN"]
samples = 100
seed = 3

[[vary]]
key = "joints.pin.fit"
values = "20 H7/g6"

[[vary]]
key = "bodies.rod.mass"
values = "normal(1 kg, 10 g)"

[set]
"run.until" = "1 s"
"#;

    #[test]
    fn exact_a_file_reads_back() {
        let file = StudyFile::parse(TEXT, None).expect("a study");
        assert_eq!(StudyFile::parse(&file.written().expect("text"), None), Ok(file.clone()));
        let points = file.points().expect("points");
        let keys: Vec<&str> = points.varies().iter().map(|vary| vary.key.as_str()).collect();
        assert_eq!(keys, ["joints.pin.fit_hole", "joints.pin.fit_shaft", "bodies.rod.mass"]);
        assert_eq!(points.len(), 100);
        let limits = file.limits(|_| Some("N".to_owned())).expect("a limit");
        let wrong = file.limits(|_| Some("m".to_owned())).expect_err("a force");
        assert!(wrong[0].contains("is in m"), "{wrong:?}");
        let wrong = file.limits(|_| Some("-".to_owned())).expect_err("a force");
        assert!(wrong[0].contains("leave out the unit"), "{wrong:?}");
        assert_eq!((limits[0].upper, limits[0].value), (true, 2000.0));
        assert_eq!(file.fits().expect("a fit").len(), 1);
    }

    #[test]
    fn exact_what_is_wrong_is_said_at_once() {
        let wrong = StudyFile::parse(&TEXT.replace("kind", "knid"), None).expect_err("a typo");
        let wrong = wrong.to_string();
        assert!(wrong.contains(":3:") && wrong.contains("knid"), "{wrong}");
        assert!(wrong.contains("did you mean `kind`?"), "{wrong}");
        let text = TEXT.replace("20 H7/g6", "20 H7").replace("10 g)", "10 mm)");
        let wrong =
            StudyFile::parse(&text, None).expect("a study").points().expect_err("two problems");
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        let text = TEXT.replace("tolerance", "sweep");
        let wrong = StudyFile::parse(&text, None).expect("a study").points().expect_err("limits");
        assert!(wrong[0].contains("limits"), "{wrong:?}");
    }
}
