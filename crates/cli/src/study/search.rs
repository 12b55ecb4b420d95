//! The flags of searches: `jointplay optimise` and `jointplay identify`.

use std::path::PathBuf;

use clap::Args;
use jointplay_study::identify::Loss;
use jointplay_study::study_file::{StudyFile, StudyKind, VaryEntry};

use super::common::BaseArgs;
use crate::Failure;
use crate::names::Names;

/// The flags that both searches share.
#[derive(Args, Debug)]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    base: BaseArgs,
    /// Maximum number of runs
    #[arg(long, alias = "samples", value_name = "RUNS")]
    budget: Option<usize>,
}

impl SearchArgs {
    /// A study file of this kind with these bounds, `KEY=LOW:HIGH`, which were given by this flag.
    fn file(&self, kind: StudyKind, flag: &str, bounds: &[String]) -> Result<StudyFile, Failure> {
        let mut file = StudyFile::new(kind, "model.toml");
        let mut wrong = Vec::new();
        for text in bounds {
            match text.split_once('=') {
                Some((key, values)) if !key.trim().is_empty() => {
                    let (key, values) = (key.trim().to_owned(), values.trim().to_owned());
                    file.vary.push(VaryEntry { key, values });
                }
                _ => wrong.push(format!("{flag} {text}: write KEY=LOW:HIGH")),
            }
        }
        wrong.extend(self.base.said_twice(&file, flag));
        file.budget = self.budget;
        file.seed = self.base.seed;
        if wrong.is_empty() { Ok(file) } else { Err(Failure::Request(wrong)) }
    }
}

/// `jointplay optimise`.
#[derive(Args, Debug)]
#[command(
    after_help = "The search is CMA-ES, then a simplex search after Nelder and Mead. With --repeats, a difference that scatter explains does not count as an improvement.\n\nExample:\n  jointplay optimise models/slider-crank/model.toml --minimise pin.peak_force \\\n    --vary joints.pin.clearance=0.05mm:0.5mm --constraint \"pin.impacts < 20\" \\\n    --until 0.02s --budget 30"
)]
pub(crate) struct OptimiseArgs {
    #[command(flatten)]
    search: SearchArgs,
    /// Metric to make as small as possible, such as pin.peak_force, max(slider.ax) or a formula
    #[arg(
        long,
        value_name = "METRIC",
        required_unless_present = "maximise",
        conflicts_with = "maximise",
        allow_hyphen_values = true
    )]
    minimise: Option<String>,
    /// Metric to make as large as possible
    #[arg(long, value_name = "METRIC", allow_hyphen_values = true)]
    maximise: Option<String>,
    /// A key of the model and its bounds; may be repeated
    #[arg(long, value_name = "KEY=LOW:HIGH", required = true, allow_hyphen_values = true)]
    vary: Vec<String>,
    /// Limit that a metric must not exceed, such as "pin.peak_force < 2 kN"; may be repeated
    #[arg(long = "constraint", value_name = "METRIC < VALUE", allow_hyphen_values = true)]
    constraints: Vec<String>,
    /// A number to keep for each run besides the objective and the constraints; may be repeated
    #[arg(long = "metric", value_name = "METRIC", allow_hyphen_values = true)]
    metrics: Vec<String>,
    /// Runs of each point from starts that are 1 nm apart; the objective is their mean
    #[arg(long, value_name = "COUNT")]
    repeats: Option<usize>,
}

impl OptimiseArgs {
    pub(super) fn perform(&self) -> Result<(), Failure> {
        let mut file = self.search.file(StudyKind::Optimise, "--vary", &self.vary)?;
        file.minimise.clone_from(&self.minimise);
        file.maximise.clone_from(&self.maximise);
        file.limits.clone_from(&self.constraints);
        file.metrics.clone_from(&self.metrics);
        file.repeats = self.repeats;
        self.search.base.perform(file, None)
    }
}

/// Measured data, and how to read them.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct DataArgs {
    /// Column of the data and the channel that it measures; COLUMN without its unit; may be
    /// repeated
    #[arg(long = "map", value_name = "COLUMN=CHANNEL", help_heading = "Data")]
    pub(crate) map: Vec<String>,
    /// Time column; by default `t` or `time`, or else the first
    #[arg(long, value_name = "COLUMN", help_heading = "Data")]
    pub(crate) time: Option<String>,
    /// Filter that the instrument applied to the signals: moving-average:COUNT, low-pass:HZ or
    /// decimate:COUNT. The model is filtered in the same way; may be repeated
    #[arg(long = "filter", value_name = "FILTER", help_heading = "Data", value_delimiter = ',')]
    pub(crate) filter: Vec<String>,
    /// Filter the data too, because they are raw
    #[arg(long, help_heading = "Data")]
    pub(crate) filter_data: bool,
}

/// `jointplay identify`.
#[derive(Args, Debug)]
#[command(
    after_help = "The data are a CSV table whose first line names its columns, with their units: `t [ms], force [N]`.\n\nExamples:\n  jointplay identify models/two-spheres/model.toml --data studies/two-spheres-pulse.csv \\\n    --map force=pin.force --fit contacts.pin.restitution=0.3:1\n  jointplay identify models/two-spheres/model.toml --data studies/two-spheres-pulse.csv \\\n    --map force=pin.force --fit contacts.pin.restitution=0.3:1 \\\n    --fit contacts.pin.law.stiffness=1e9:1e11 --laws hertz,hertz+lankarani-nikravesh \\\n    --out out/laws-of-pulse"
)]
pub(crate) struct IdentifyArgs {
    #[command(flatten)]
    search: SearchArgs,
    /// Table of measured data
    #[arg(long, value_name = "FILE", required = true, help_heading = "Data")]
    data: PathBuf,
    #[command(flatten)]
    of_data: DataArgs,
    /// Key of the model whose value to find, and its bounds; may be repeated
    #[arg(
        long = "fit",
        alias = "vary",
        value_name = "KEY=LOW:HIGH",
        required = true,
        allow_hyphen_values = true
    )]
    fits: Vec<String>,
    /// Laws to rank by how well they explain the data, separated by commas
    #[arg(long, value_name = "LAWS")]
    laws: Vec<Names>,
    /// Weight of residuals: squares (the default), or soft-l1 or huber, which give outliers less
    /// weight
    #[arg(long, value_name = "LOSS", value_parser = loss)]
    loss: Option<Loss>,
    /// Time shift of the data relative to the model: auto (the default: only if the data call for
    /// it), none, free or LOW:HIGH
    #[arg(long, value_name = "SHIFT", allow_hyphen_values = true)]
    shift: Option<String>,
}

impl IdentifyArgs {
    pub(super) fn perform(&self) -> Result<(), Failure> {
        let mut file = self.search.file(StudyKind::Identify, "--fit", &self.fits)?;
        file.data = Some(self.data.display().to_string());
        file.map.clone_from(&self.of_data.map);
        file.time.clone_from(&self.of_data.time);
        file.filter.clone_from(&self.of_data.filter);
        file.filter_data = self.of_data.filter_data;
        file.laws = self.laws.iter().flat_map(|Names(laws)| laws.clone()).collect();
        file.loss = self.loss;
        file.shift.clone_from(&self.shift);
        if let (false, Some(law)) = (self.laws.is_empty(), &self.search.base.law) {
            let message = format!("--law {law} and --laws both set the law: remove one of them");
            return Err(Failure::Request(vec![message]));
        }
        self.search.base.perform(file, None)
    }
}

fn loss(text: &str) -> Result<Loss, String> {
    let found = Loss::ALL.iter().find(|(name, _)| *name == text).map(|(_, loss)| *loss);
    found.ok_or_else(|| format!("expected one of {}", Loss::NAMES.join(", ")))
}
