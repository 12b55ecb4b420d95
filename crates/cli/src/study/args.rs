//! The flags of study commands.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use jointplay_study::design::Filling;
use jointplay_study::sensitivity::Measure;
use jointplay_study::study_file::{StudyFile, StudyKind, VaryEntry};
use jointplay_study::survey::Shard;

use super::common::{BaseArgs, MannerArgs};
use crate::Failure;

/// The flags that all commands for one kind of study share.
#[derive(Args, Debug)]
pub(crate) struct CommonArgs {
    #[command(flatten)]
    base: BaseArgs,
    /// A key of the model and its values; may be repeated
    #[arg(long, value_name = "KEY=VALUES", required = true, allow_hyphen_values = true)]
    vary: Vec<String>,
    /// A number to record of each run, such as pin.peak_force, max(slider.ax) or a formula; may be
    /// repeated. By default the metrics of the model, or the usual ones of its contacts; none in a bifurcation diagram
    #[arg(long = "metric", value_name = "METRIC", allow_hyphen_values = true)]
    metrics: Vec<String>,
    /// Number of samples; of a bifurcation diagram --periods instead
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    samples: Option<u64>,
    /// Runs of each point from starts that are 1 nm apart, to show how far single runs can be
    /// trusted
    #[arg(long, value_name = "COUNT")]
    repeats: Option<usize>,
    /// Run only one of several parts, such as 3/16; `jointplay study merge` merges them
    #[arg(long, value_name = "PART/PARTS")]
    shard: Option<Shard>,
}

impl CommonArgs {
    fn file(&self, kind: StudyKind) -> Result<StudyFile, Failure> {
        let mut file = StudyFile::new(kind, "model.toml");
        let mut wrong = Vec::new();
        for text in &self.vary {
            match VaryEntry::parse(text) {
                Ok(entry) => file.vary.push(entry),
                Err(problem) => wrong.push(format!("--vary {text}: {problem}")),
            }
        }
        file.metrics.clone_from(&self.metrics);
        file.seed = self.base.seed;
        file.repeats = self.repeats;
        file.samples = self.samples.map(|samples| usize::try_from(samples).unwrap_or(usize::MAX));
        if !wrong.is_empty() {
            // The problems of all others are reported at once.
            let more = if file.vary.is_empty() { Vec::new() } else { file.problems() };
            wrong.extend(more.iter().map(ToString::to_string));
            return Err(Failure::Request(wrong));
        }
        Ok(file)
    }

    /// Runs the study of this file.
    pub(super) fn perform(&self, file: StudyFile) -> Result<(), Failure> {
        let wrong = self.base.said_twice(&file, "--vary");
        if !wrong.is_empty() {
            return Err(Failure::Request(wrong));
        }
        self.base.perform(file, self.shard)
    }
}

/// `jointplay sweep`.
#[derive(Args, Debug)]
#[command(
    after_help = "Values: FROM:TO:COUNT, FROM:TO:COUNT:log or a,b,c form a grid, the first key slowest; with --samples also LOW:HIGH and distributions.\nThe key `law` stands for the law of every clearance joint and contact, `case` for a case of the model file.\n\nExamples:\n  jointplay sweep models/slider-crank/model.toml --vary drivers.motor.speed=100rpm:400rpm:7 \\\n    --metric pin.peak_force --until 0.1s\n  jointplay sweep models/slider-crank/model.toml --vary law=hertz+flores,hertz+exact \\\n    --vary joints.pin.clearance=0.1mm,0.5mm --until 0.05s\n  jointplay sweep models/slider-crank/model.toml --vary joints.pin.restitution=0.2:0.9 \\\n    --samples 16 --design latin --until 0.02s"
)]
pub(crate) struct SweepArgs {
    #[command(flatten)]
    pub(super) common: CommonArgs,
    /// How to choose samples; sobol by default
    #[arg(long, value_name = "DESIGN", value_parser = design)]
    design: Option<Filling>,
    /// Start each value of the last key from the state in which the previous one ended, with the
    /// memory of the contacts. Every drive must have made whole turns at the end of a run
    #[arg(long)]
    warm_start: bool,
}

impl SweepArgs {
    pub(super) fn file(&self) -> Result<StudyFile, Failure> {
        let mut file = self.common.file(StudyKind::Sweep)?;
        file.warm_start = self.warm_start;
        file.design = self.design;
        Ok(file)
    }
}

/// `jointplay tolerance`.
#[derive(Args, Debug)]
#[command(
    after_help = "Values: uniform(low,high), normal(mean,std), truncated(mean,std,low,high), triangular(low,mode,high), lognormal(mean,std),\ndiscrete(a: 0.2, b: 0.8), LOW:HIGH, or a fit of ISO 286 for the key `fit` of a joint.\n\nExample:\n  jointplay tolerance models/four-bar/model.toml --vary \"joints.pin.fit=16 H7/f6\" \\\n    --vary \"bodies.coupler.mass=normal(0.6 kg, 10 g)\" --metric pin.peak_force \\\n    --limit \"pin.peak_force < 2 kN\" --samples 16 --until 0.02s"
)]
pub(crate) struct ToleranceArgs {
    #[command(flatten)]
    pub(super) common: CommonArgs,
    /// How to choose samples; sobol by default
    #[arg(long, value_name = "DESIGN", value_parser = design)]
    design: Option<Filling>,
    /// Limit of a metric, such as "pin.peak_force < 2 kN" or "1 kN < pin.peak_force < 2 kN"; may be repeated
    #[arg(long = "limit", value_name = "LIMIT", allow_hyphen_values = true)]
    limits: Vec<String>,
}

impl ToleranceArgs {
    pub(super) fn file(&self) -> Result<StudyFile, Failure> {
        let mut file = self.common.file(StudyKind::Tolerance)?;
        file.design = self.design;
        file.limits.clone_from(&self.limits);
        Ok(file)
    }
}

/// `jointplay sensitivity`.
#[derive(Args, Debug)]
#[command(
    after_help = "Values: LOW:HIGH (all values in between are equally likely) or a distribution, as for `tolerance`.\n\nExample:\n  jointplay sensitivity models/scotch-yoke/model.toml --vary drivers.motor.speed=700rpm:740rpm \\\n    --vary joints.pin.pin_radius=7.85mm:7.95mm --metric pin.peak_force --samples 8"
)]
pub(crate) struct SensitivityArgs {
    #[command(flatten)]
    pub(super) common: CommonArgs,
    /// How to measure sensitivity: sobol (indices, the default), morris (screening) or tornado (one
    /// key at a time)
    #[arg(long, value_name = "MEASURE", value_parser = measure)]
    measure: Option<Measure>,
}

impl SensitivityArgs {
    pub(super) fn file(&self) -> Result<StudyFile, Failure> {
        let mut file = self.common.file(StudyKind::Sensitivity)?;
        file.measure = self.measure;
        Ok(file)
    }
}

/// `jointplay bifurcation`.
#[derive(Args, Debug)]
#[command(
    after_help = "The state is sampled once per period, at t = kT from the start. Each value starts from the state in which the previous one ended.\n\nExample:\n  jointplay bifurcation models/slider-crank/model.toml --vary drivers.motor.speed=150rpm:160rpm:3 \\\n    --observe pin.ex,pin.ey --period motor --transient 5 --periods 20"
)]
pub(crate) struct BifurcationArgs {
    #[command(flatten)]
    pub(super) common: CommonArgs,
    /// Channels to observe, separated by commas; `jointplay check` lists them
    #[arg(long, value_name = "CHANNELS", value_delimiter = ',', required = true)]
    observe: Vec<String>,
    /// Driver or load that sets the period, or a time such as 0.3s
    #[arg(long, value_name = "DRIVER|TIME")]
    period: String,
    /// Periods to leave out at each value; 100 by default
    #[arg(long, value_name = "COUNT")]
    transient: Option<usize>,
    /// Periods to observe; 200 by default. Motions of up to a quarter as many periods are
    /// recognised
    #[arg(long, value_name = "COUNT")]
    periods: Option<usize>,
    /// Also go through the values in reverse order, to show hysteresis: motions that depend on the
    /// direction
    #[arg(long)]
    both_ways: bool,
    /// Start every value as the model says, and not from the state in which the previous one ended
    #[arg(long)]
    restart: bool,
    /// Take the section at events instead of once per period: impact:JOINT, up:CHANNEL=LEVEL, down:CHANNEL=LEVEL or both:CHANNEL=LEVEL
    /// (SI). Class, period and exponent still refer to t = kT
    #[arg(long, value_name = "EVENT")]
    section: Option<String>,
    /// Also compute spectra over the key, up to this multiple of the drive frequency
    #[arg(long, value_name = "COUNT")]
    orders: Option<usize>,
}

impl BifurcationArgs {
    pub(super) fn file(&self) -> Result<StudyFile, Failure> {
        let mut file = self.common.file(StudyKind::Bifurcation)?;
        file.observe = self.observe.iter().map(|name| name.trim().to_owned()).collect();
        file.period = Some(self.period.clone());
        file.transient = self.transient;
        file.periods = self.periods;
        file.both_ways = self.both_ways;
        file.restart = self.restart;
        file.section.clone_from(&self.section);
        file.orders = self.orders;
        Ok(file)
    }
}

/// `jointplay study`.
#[derive(Args, Debug)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Examples:\n  jointplay study studies/slider-crank-speed.toml\n  jointplay study out/slider-crank-speed          # resumes it, or shows its findings\n  jointplay study merge part1 part2 --out whole\n  jointplay study case out/slider-crank-sweep 7    # the model of row 7, for `jointplay run`"
)]
pub(crate) struct StudyArgs {
    #[command(subcommand)]
    pub(super) command: Option<StudyCommand>,
    /// Study file, or the folder of a study
    #[arg(value_name = "STUDY")]
    pub(super) file: Option<PathBuf>,
    /// Change a key of the study, such as samples=100, or of its model, such as run.until=1s; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = pair, allow_hyphen_values = true)]
    pub(super) sets: Vec<(String, String)>,
    #[command(flatten)]
    pub(super) manner: MannerArgs,
    /// Run only one of several parts, such as 3/16; `jointplay study merge` merges them
    #[arg(long, value_name = "PART/PARTS")]
    pub(super) shard: Option<Shard>,
}

#[derive(Subcommand, Debug)]
pub(super) enum StudyCommand {
    /// Merge the parts of a study into one folder
    Merge(MergeArgs),
    /// Write the model of one row of the table as it was run, including its start; `jointplay run`
    /// then computes the complete result
    Case(CaseArgs),
}

#[derive(Args, Debug)]
pub(super) struct CaseArgs {
    /// Folder of the study
    #[arg(value_name = "FOLDER")]
    pub(super) folder: PathBuf,
    /// Row of the table, from 1
    #[arg(value_name = "ROW")]
    pub(super) row: usize,
    /// Folder for the model; by default FOLDER-row-ROW
    #[arg(long, value_name = "FOLDER")]
    pub(super) out: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// Folders of the parts
    #[arg(value_name = "FOLDER", required = true)]
    pub(super) folders: Vec<PathBuf>,
    /// Folder of the whole study
    #[arg(long, value_name = "FOLDER")]
    pub(super) out: PathBuf,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

fn pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() && !value.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write KEY=VALUE".to_owned()),
    }
}

fn design(text: &str) -> Result<Filling, String> {
    named(text, &Filling::ALL)
}

fn measure(text: &str) -> Result<Measure, String> {
    named(text, &Measure::ALL)
}

fn named<T: Copy>(text: &str, all: &[(&str, T)]) -> Result<T, String> {
    let found = all.iter().find(|(name, _)| *name == text).map(|(_, value)| *value);
    let names = all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("expected one of {names}"))
}
