//! Commands on model files and on the results of their runs.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod figures;
pub(crate) mod info;
pub(crate) mod new;
pub(crate) mod pages;
pub(crate) mod playground;
pub(crate) mod plot;
pub(crate) mod run;
pub(crate) mod scatter;
pub(crate) mod summary;
pub(crate) mod view;

use std::path::PathBuf;

use clap::Args;
use jointplay_model::{Model, Overrides};

use crate::Failure;

/// A model file and changes to it.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArgs {
    /// Model file, such as models/slider-crank/model.toml
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// Change any key of the model, such as joints.pin.law.damping=flores; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = "Model")]
    sets: Vec<String>,
    /// End of the run, such as 0.1s
    #[arg(long, value_name = "TIME", help_heading = "Model")]
    until: Option<String>,
    /// Relative tolerance
    #[arg(long, value_name = "NUMBER", help_heading = "Model")]
    rtol: Option<String>,
}

impl ModelArgs {
    /// A model as it stands in its file.
    pub(crate) fn unchanged(file: PathBuf) -> Self {
        ModelArgs { file, sets: Vec::new(), until: None, rtol: None }
    }

    /// The changes that the flags ask for, `--law` among them.
    pub(crate) fn overrides(&self, law: Option<&str>) -> Result<Overrides, Failure> {
        let mut overrides = Overrides::new();
        let mut problems = Vec::new();
        for set in &self.sets {
            match set.split_once('=') {
                Some((key, value)) => overrides = overrides.set(key.trim(), value.trim()),
                None => problems.push(format!(
                    "--set {set}: write KEY=VALUE, such as joints.pin.law.damping=flores"
                )),
            }
        }
        for (key, value) in [("run.until", &self.until), ("run.rtol", &self.rtol)] {
            if let Some(value) = value {
                overrides = overrides.set(key, value);
            }
        }
        if let Some(law) = law {
            overrides = overrides.law(law);
        }
        if problems.is_empty() { Ok(overrides) } else { Err(Failure::Request(problems)) }
    }

    /// Reads the model with its changes.
    pub(crate) fn load(&self, law: Option<&str>) -> Result<Model, Failure> {
        self.load_with(&self.overrides(law)?)
    }

    /// Reads the model with these changes.
    pub(crate) fn load_with(&self, overrides: &Overrides) -> Result<Model, Failure> {
        Model::load(&self.file, overrides)
            .map_err(|problems| Failure::Model(Box::new(problems), false))
    }

    /// What the flags changed, for the manifest.
    pub(crate) fn changes(&self, law: Option<&str>) -> Vec<String> {
        let sets = self.sets.iter().map(|set| format!("--set {set}"));
        let until = self.until.iter().map(|until| format!("--until {until}"));
        let rtol = self.rtol.iter().map(|rtol| format!("--rtol {rtol}"));
        let law = law.into_iter().map(|law| format!("--law {law}"));
        sets.chain(until).chain(rtol).chain(law).collect()
    }

    /// A name for the model: its own, or that of its folder or file.
    pub(crate) fn name(&self, model: &Model) -> String {
        let stem = self.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let folder = self.file.parent().and_then(|folder| folder.file_name());
        let folder = folder.map(|folder| folder.to_string_lossy().into_owned());
        let named = model.name.clone().filter(|name| !name.is_empty());
        let from_file = stem.filter(|stem| stem != "model");
        named.or(from_file).or(folder).unwrap_or_else(|| "model".to_owned())
    }
}
