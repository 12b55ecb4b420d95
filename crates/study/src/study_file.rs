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

use jointplay_model::IsoFit;
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
            observe: Vec::new(),
            period: None,
            transient: None,
            periods: None,
            both_ways: false,
            restart: false,
            vary: Vec::new(),
            set: BTreeMap::new(),
        }
    }

    /// Reads a study file.
    ///
    /// # Errors
    /// What is wrong, with line and column.
    pub fn parse(text: &str) -> Result<Self, String> {
        let file: StudyFile = toml::from_str(text).map_err(|error| error.to_string())?;
        if file.format == FORMAT {
            Ok(file)
        } else {
            Err(format!("format = {}: this program reads format {FORMAT}", file.format))
        }
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
            used(!self.observe.is_empty(), "observe", &diagram),
            used(self.period.is_some(), "period", &diagram),
            used(self.transient.is_some(), "transient", &diagram),
            used(self.periods.is_some(), "periods", &diagram),
            used(self.both_ways, "both_ways", &diagram),
            used(self.restart, "restart", &diagram),
        ]);
        if self.kind == StudyKind::Sweep && self.samples.is_none() && self.design.is_some() {
            unused.push(Some("`design` needs a number of `samples`".to_owned()));
        }
        unused.into_iter().flatten().collect()
    }

    /// The limits of its metrics.
    ///
    /// # Errors
    /// Every limit that is wrong.
    pub fn limits(&self) -> Result<Vec<Limit>, Vec<String>> {
        let (mut limits, mut wrong) = (Vec::new(), Vec::new());
        for text in &self.limits {
            match limit(text) {
                Some(limit) if self.metrics.contains(&limit.metric) => limits.push(limit),
                Some(limit) => wrong.push(format!(
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

/// Reads `METRIC < VALUE` or `METRIC > VALUE`: what the metric shall keep to.
fn limit(text: &str) -> Option<Limit> {
    let place = text.rfind(['<', '>'])?;
    let (metric, rest) = text.split_at(place);
    let upper = rest.starts_with('<');
    let value = rest.get(1..)?.trim().trim_start_matches('=').trim();
    let value = Quantity::parse(value).and_then(|_| Level::of(value.to_owned()).number)?;
    Some(Limit { metric: metric.trim().to_owned(), upper, value })
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
        let file = StudyFile::parse(TEXT).expect("a study");
        assert_eq!(StudyFile::parse(&file.written().expect("text")), Ok(file.clone()));
        let points = file.points().expect("points");
        let keys: Vec<&str> = points.varies().iter().map(|vary| vary.key.as_str()).collect();
        assert_eq!(keys, ["joints.pin.fit_hole", "joints.pin.fit_shaft", "bodies.rod.mass"]);
        assert_eq!(points.len(), 100);
        let limits = file.limits().expect("a limit");
        assert_eq!((limits[0].upper, limits[0].value), (true, 2000.0));
        assert_eq!(file.fits().expect("a fit").len(), 1);
    }

    #[test]
    fn exact_what_is_wrong_is_said_at_once() {
        let wrong = StudyFile::parse(&TEXT.replace("kind", "knid")).expect_err("a typo");
        assert!(wrong.contains("line 3") && wrong.contains("knid"), "{wrong}");
        let text = TEXT.replace("20 H7/g6", "20 H7").replace("10 g)", "10 mm)");
        let wrong = StudyFile::parse(&text).expect("a study").points().expect_err("two problems");
        assert_eq!(wrong.len(), 2, "{wrong:?}");
        let text = TEXT.replace("tolerance", "sweep");
        let wrong = StudyFile::parse(&text).expect("a study").points().expect_err("limits");
        assert!(wrong[0].contains("limits"), "{wrong:?}");
    }
}
