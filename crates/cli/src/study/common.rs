//! The flags that all study commands share.

use std::path::{Path, PathBuf};

use clap::Args;
use jointplay_model::Overrides;
use jointplay_study::study::Study;
use jointplay_study::study_file::{GREATEST_SEED, StudyFile, VaryEntry};
use jointplay_study::survey::Shard;

use super::{Manner, perform, refused};
use crate::Failure;
use crate::mechanism::ModelArgs;

/// The folder of a study, and how to run it.
#[derive(Args, Debug)]
pub(super) struct MannerArgs {
    /// Folder of the study; by default in out, named after the study file, or after the model and the command. An interrupted
    /// study resumes there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Number of simultaneous runs; 0 means one per core
    #[arg(long, alias = "threads", value_name = "COUNT", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    jobs: u16,
    /// Only print the number of runs and estimate how long they will take
    #[arg(long)]
    dry_run: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl MannerArgs {
    /// In this folder, unless the flags name another.
    pub(super) fn in_folder(&self, usual: PathBuf, shard: Option<Shard>) -> Manner {
        Manner {
            folder: self.out.clone().unwrap_or(usual),
            jobs: self.jobs.into(),
            shard,
            dry_run: self.dry_run,
            json: self.json,
        }
    }
}

/// The model of a study that is given by flags alone, its folder, and how to run it.
#[derive(Args, Debug)]
pub(super) struct BaseArgs {
    #[command(flatten)]
    model: ModelArgs,
    /// Law of every clearance joint and contact, as for `run`
    #[arg(long, value_name = "LAW", help_heading = "Model")]
    pub(super) law: Option<String>,
    /// Seed of the random numbers: the same seed gives the same runs on every machine
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=GREATEST_SEED))]
    pub(super) seed: u64,
    #[command(flatten)]
    manner: MannerArgs,
}

impl BaseArgs {
    /// Keys of the study that both this flag and another one set: one of the two would have no
    /// effect.
    pub(super) fn said_twice(&self, file: &StudyFile, own: &str) -> Vec<String> {
        let of_key = |VaryEntry { key, .. }: &VaryEntry| {
            let set = self.model.set_of(key).map(|set| format!("--set {set}"));
            let law = || Some(format!("--law {}", self.law.as_ref().filter(|_| key == "law")?));
            let other = set.or_else(|| self.model.flag_of(key)).or_else(law)?;
            Some(format!("{other} and {own} {key}=… set the same key: remove one of them"))
        };
        file.vary.iter().filter_map(of_key).collect()
    }

    /// Runs the study of this file with the model and the changes of the flags.
    pub(super) fn perform(&self, file: StudyFile, shard: Option<Shard>) -> Result<(), Failure> {
        let with_json = |failure: Failure| failure.with_json(self.manner.json);
        let kind = file.kind.name();
        let changes = self.law.iter().fold(self.model.overrides()?, Overrides::law);
        let case = self.model.open().map_err(with_json)?.changed(changes);
        let study = Study::new(file, case).map_err(|error| with_json(refused(error)))?;
        let usual = Path::new("out").join(format!("{}-{kind}", study.first().name));
        perform(&study, &self.manner.in_folder(usual, shard))
    }
}
