//! Commands on model files and on the results of their runs.

pub(crate) mod check;
pub(crate) mod compare;
pub(crate) mod figures;
pub(crate) mod info;
mod measured;
pub(crate) mod new;
pub(crate) mod pages;
pub(crate) mod playground;
pub(crate) mod plot;
pub(crate) mod run;
pub(crate) mod scatter;
pub(crate) mod summary;
pub(crate) mod view;

use std::path::{Path, PathBuf};

use clap::Args;
use jointplay_model::{Diagnostics, Model, Overrides, Value};
use jointplay_study::case::{Case, Loaded};
use jointplay_study::store::{self, Origin, Overwrite, Store, StoreError};
use jointplay_study::summary::{Ending, Summary};

use crate::Failure;

/// A model file and changes to it.
#[derive(Args, Clone, Debug)]
pub(crate) struct ModelArgs {
    /// Model file, such as models/slider-crank/model.toml, or its folder; a result folder, whose model is used; or - for standard input
    #[arg(value_name = "MODEL")]
    pub(crate) file: PathBuf,
    /// Apply this case of the file, `[cases.NAME]`, before all other changes
    #[arg(long, value_name = "NAME", help_heading = "Model")]
    case: Option<String>,
    /// Change any key of the model, such as joints.pin.law.damping=flores; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE", help_heading = "Model")]
    sets: Vec<String>,
    /// End of the run, such as 0.1s
    #[arg(long, value_name = "TIME", help_heading = "Model", allow_negative_numbers = true)]
    until: Option<String>,
    /// Relative tolerance
    #[arg(long, value_name = "NUMBER", help_heading = "Model", allow_negative_numbers = true)]
    rtol: Option<String>,
}

impl ModelArgs {
    /// A model without changes.
    pub(crate) fn unchanged(file: PathBuf) -> Self {
        ModelArgs { file, case: None, sets: Vec::new(), until: None, rtol: None }
    }

    /// The changes requested by the flags.
    pub(crate) fn overrides(&self) -> Result<Overrides, Failure> {
        let mut overrides = self.case.iter().fold(Overrides::new(), Overrides::case);
        let mut problems = Vec::new();
        let mut said: Vec<Said<'_>> = Vec::new();
        for set in &self.sets {
            match set.split_once('=') {
                Some((key, value)) => {
                    let flag = format!("--set {set}");
                    Said::add(&mut said, Said::new(key, value, flag), &mut problems);
                    overrides = overrides.set_toml(key.trim(), value.trim());
                }
                None => problems.push(format!(
                    "--set {set}: write KEY=VALUE, such as joints.pin.law.damping=flores"
                )),
            }
        }
        let flags = [("run.until", "until", &self.until), ("run.rtol", "rtol", &self.rtol)];
        for (key, flag, value) in flags {
            if let Some(value) = value {
                let flag = format!("--{flag} {value}");
                Said::add(&mut said, Said::new(key, value, flag.clone()), &mut problems);
                overrides = overrides.set_by(flag, key, Value::read(value));
            }
        }
        if problems.is_empty() { Ok(overrides) } else { Err(Failure::Request(problems)) }
    }

    /// The model without the changes.
    pub(crate) fn open(&self) -> Result<Case, Failure> {
        Case::open(&self.file).map_err(refused)
    }

    /// The model with these changes and the law of `--law`, read and checked.
    pub(crate) fn load(&self, changes: Overrides, law: Option<&str>) -> Result<Loaded, Failure> {
        let changes = law.into_iter().fold(changes, Overrides::law);
        let loaded = self.open()?.changed(changes).load().map_err(refused)?;
        law.map_or(Ok(()), |law| takes_law(&loaded.model, &format!("--law {law}")))?;
        Ok(loaded)
    }

    /// The dedicated flag of a key.
    pub(crate) fn flag_of(&self, key: &str) -> Option<String> {
        let flags = [
            ("run.until", "until", &self.until),
            ("run.rtol", "rtol", &self.rtol),
            ("case", "case", &self.case),
        ];
        let (_, flag, value) = flags.into_iter().find(|(own, ..)| *own == key)?;
        value.as_ref().map(|value| format!("--{flag} {value}"))
    }

    /// The first `--set` that sets a key itself, something inside it, or a table that contains it.
    pub(crate) fn set_of(&self, key: &str) -> Option<&str> {
        let own = Said::new(key, "", String::new());
        let last = own.keys.last().copied().unwrap_or_default();
        let concerns = |set: &&String| {
            let Some((path, value)) = set.split_once('=') else { return false };
            let other = Said::new(path, value, String::new());
            other.is_within(&own) || (own.is_within(&other) && value.contains(last))
        };
        self.sets.iter().find(concerns).map(String::as_str)
    }
}

/// A key and the flag that sets it.
struct Said<'a> {
    keys: Vec<&'a str>,
    value: &'a str,
    flag: String,
}

impl<'a> Said<'a> {
    fn new(path: &'a str, value: &'a str, flag: String) -> Self {
        let keys = path.split('.').map(|key| key.trim().trim_matches('"')).collect();
        Said { keys, value: value.trim(), flag }
    }

    /// Whether the key equals that of the other, or is inside the table or list that the other
    /// sets.
    fn is_within(&self, other: &Said<'_>) -> bool {
        self.keys.starts_with(&other.keys)
    }

    /// Adds a setting. It is a problem if it and an earlier one overlap.
    fn add(said: &mut Vec<Self>, new: Self, problems: &mut Vec<String>) {
        for old in said.iter() {
            let (a, b) = (&old.flag, &new.flag);
            let (key, whole) = match (old.is_within(&new), new.is_within(old)) {
                (false, false) => continue,
                (true, true) => {
                    problems.push(format!("{a} and {b} set the same key: remove one of them"));
                    continue;
                }
                // A named law, and then one of its parameters.
                (false, true) if !old.value.starts_with(['{', '[']) => continue,
                (false, true) => (&new, old),
                (true, false) => (old, &new),
            };
            let (key, whole) = (key.keys.join("."), whole.keys.join("."));
            problems.push(format!(
                "{a} and {b} conflict: `{key}` is inside `{whole}`, which is set as a whole; put it there, or set the keys one by one"
            ));
        }
        said.push(new);
    }
}

/// The number of simultaneous runs.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct ThreadsArg {
    /// Number of simultaneous runs, at most 1024; 0 means one per core
    #[arg(long, alias = "jobs", value_name = "COUNT", default_value_t = 0, value_parser = clap::value_parser!(u16).range(0..=1024))]
    threads: u16,
}

impl ThreadsArg {
    pub(crate) fn count(self) -> usize {
        self.threads.into()
    }
}

/// The problems of a model.
pub(crate) fn refused(problems: Diagnostics) -> Failure {
    Failure::Model(Box::new(problems), false)
}

/// Refuses a law if nothing in the model would use it.
fn takes_law(model: &Model, said: &str) -> Result<(), Failure> {
    match model.takes_no_law() {
        None => Ok(()),
        Some(why) => Err(Failure::Request(vec![format!("{said}: {why}")])),
    }
}

/// The default result folder: under `out/`, with the changes in its name, so that variants of a
/// model are kept side by side.
fn default_folder(name: &str, changes: &[String]) -> PathBuf {
    // Longer names are truncated and end in a hash.
    const LONGEST: usize = 100;
    let mut full = file_name(name);
    for change in changes {
        let change = change.strip_prefix("--set ").unwrap_or(change);
        full = format!("{full}_{}", file_name(change.trim_start_matches('-')));
    }
    if full.chars().count() > LONGEST {
        // FNV-1a, which is the same on every machine.
        let mark = full
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        full = format!("{}_{mark:08x}", full.chars().take(LONGEST).collect::<String>());
    }
    Path::new("out").join(full)
}

/// A name that any file system accepts.
pub(crate) fn file_name(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || "-_.+".contains(c) { c } else { '-' };
    let name: String = name.chars().map(plain).collect();
    let name = name.trim_matches('.');
    if name.is_empty() { "model".to_owned() } else { name.to_owned() }
}

/// Opens a result folder for reading.
fn open_result(folder: &Path) -> Result<Store, Failure> {
    Store::open(folder).map_err(|error| Failure::Request(vec![no_result(folder, &error)]))
}

/// The reason why a path is not a readable result, and what to give instead.
fn no_result(folder: &Path, error: &StoreError) -> String {
    const GIVE: &str = "give the folder that `jointplay run` wrote, such as out/slider-crank";
    let shown = folder.display();
    match error {
        _ if !folder.exists() => format!("'{shown}': there is no such folder; {GIVE}"),
        _ if folder.is_file() => format!("'{shown}' is a file, not a result folder; {GIVE}"),
        _ if !folder.is_dir() => format!("'{shown}' is not a result folder; {GIVE}"),
        StoreError::NotAResult { .. } => {
            format!(
                "'{shown}' is not a result: it has no manifest.json that jointplay wrote; {GIVE}"
            )
        }
        error => error.to_string(),
    }
}

/// Checks before the run whether its result can be written.
fn check_target(folder: &Path, overwrite: Overwrite, origin: &Origin) -> Result<(), Failure> {
    store::check_target(folder, overwrite, origin)
        .map_err(|error| Failure::Request(vec![cure(&error)]))
}

/// The folder for the result of a run that did not reach its end: a separate one if the existing
/// result got further.
fn place_of_part(folder: &Path, origin: &Origin, part: &Summary) -> PathBuf {
    let got_farther = Store::open(folder).is_ok_and(|old| match old.manifest().outcome {
        Ending::ReachedEnd | Ending::Stopped => true,
        Ending::Interrupted | Ending::Failed => {
            old.summary().is_ok_and(|old| old.t_end > part.t_end)
        }
    });
    let word = if part.outcome == Ending::Failed { "failed" } else { "interrupted" };
    if got_farther { beside(folder, word, origin) } else { folder.to_owned() }
}

/// An unused folder next to another one, with this word in its name.
fn beside(folder: &Path, word: &str, origin: &Origin) -> PathBuf {
    let name = folder.file_name().unwrap_or_default().to_string_lossy();
    let mut names = (1..).map(|i| match i {
        1 => format!("{name}-{word}"),
        i => format!("{name}-{word}-{i}"),
    });
    let mut places = names.by_ref().take(1000).map(|name| folder.with_file_name(name));
    let free = |place: &PathBuf| store::check_target(place, Overwrite::Result, origin).is_ok();
    places.find(free).unwrap_or_else(|| folder.with_file_name(format!("{name}-{word}")))
}

/// The reason why a result cannot be written, and the flag that helps.
pub(crate) fn cure(error: &StoreError) -> String {
    match error {
        StoreError::OtherInput { path, holds, wanted } => format!(
            "'{}' contains the result of {holds}, but this run is {wanted}: choose another folder with --out FOLDER, or replace the old result with --force",
            path.display()
        ),
        StoreError::NotAResult { path } => format!(
            "'{}' exists and is not a result written by jointplay: choose another folder with --out FOLDER, or write into it with --force",
            path.display()
        ),
        StoreError::Foreign { path, found } => format!(
            "'{}' contains your file '{found}', whose name the result needs: move it, or choose another folder with --out FOLDER",
            path.display()
        ),
        error => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::default_folder;

    #[test]
    fn exact_the_folder_of_a_variant_says_what_was_changed() {
        let folder = |changes: &[&str]| {
            let changes: Vec<String> = changes.iter().map(|&c| c.to_owned()).collect();
            default_folder("slider-crank", &changes).display().to_string()
        };
        assert_eq!(folder(&[]), "out/slider-crank");
        assert_eq!(
            folder(&["--until 0.1s", "--law hertz+flores"]),
            "out/slider-crank_until-0.1s_law-hertz+flores"
        );
        assert_eq!(
            folder(&["--set joints.pin.kind=ideal"]),
            "out/slider-crank_joints.pin.kind-ideal"
        );
        // Long ones end in a mark that tells them apart.
        let long = |end: &str| folder(&[&format!("--law formula:{}{end}", "delta+".repeat(50))]);
        assert_ne!(long("1"), long("2"));
        assert!(long("1").len() < 130);
        assert!(!folder(&["--set name=../../etc"]).contains("../"));
    }
}
