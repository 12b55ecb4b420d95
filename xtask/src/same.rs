//! Checks that this program gives the same bits as an older one, for changes that must not alter a number.

mod leaves;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::root;
use leaves::{Leaves, outcome};

/// What is compared.
#[derive(Default)]
pub(crate) struct Request<'a> {
    /// Where the models are; those of this tree by default. An older program may not read the newer files.
    models: Option<PathBuf>,
    /// Keys that are set in every model, such as a method that was not always the default.
    sets: Vec<&'a str>,
    /// Whether numbers are compared by the names of their columns and keys, so that columns may be added and messages reworded.
    numbers: bool,
    /// The laws beside the own ones of the models; all that both programs know if there are none.
    laws: Vec<&'a str>,
}

impl<'a> Request<'a> {
    /// Reads `[--models FOLDER] [--set KEY=VALUE]… [--numbers] [LAW …]`.
    pub(crate) fn read(words: &[&'a str]) -> Result<Self, String> {
        let (mut request, mut words) = (Request::default(), words.iter());
        while let Some(&word) = words.next() {
            let mut value = || words.next().ok_or_else(|| format!("{word} needs a value"));
            match word {
                "--models" => request.models = Some(value()?.into()),
                "--set" => request.sets.push(value()?),
                "--numbers" => request.numbers = true,
                flag if flag.starts_with('-') => return Err(format!("same has no {flag}")),
                law => request.laws.push(law),
            }
        }
        Ok(request)
    }
}

/// What became of the runs.
#[derive(Default)]
struct Tally {
    refused: usize,
    differ: Vec<String>,
    /// What only one of the programs gives: the old one, the new one.
    lone: [BTreeSet<String>; 2],
}

/// Runs every shipped model with its own law and with other laws by both programs, and compares all that they leave and say.
pub(crate) fn compare(old: &str, new: &str, request: &Request<'_>) -> Result<(), String> {
    let known = if request.laws.is_empty() { both_know(old, new)? } else { Vec::new() };
    let laws: Vec<&str> =
        known.iter().map(String::as_str).chain(request.laws.iter().copied()).collect();
    let folder = request.models.clone().unwrap_or_else(|| root().join("models"));
    let models = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut models: Vec<_> =
        models.flatten().map(|entry| entry.path().join("model.toml")).collect();
    models.retain(|model| model.exists());
    models.sort();
    let own = models.iter().map(|model| (model, None));
    let other = models.iter().flat_map(|model| laws.iter().map(move |law| (model, Some(*law))));
    let cases: Vec<_> = own.chain(other).collect();
    let place = std::env::temp_dir().join(format!("jointplay-same-{}", std::process::id()));
    let (next, tally) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let work = || {
        while let Some((model, law)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = model.parent().and_then(Path::file_name).unwrap_or_default();
            let name = format!("{} {}", name.to_string_lossy(), law.unwrap_or("(its own law)"));
            let folder = place.join(name.replace(' ', "-"));
            let found = [old, new].map(|program| outcome(program, model, *law, &folder, request));
            if let Ok(mut tally) = tally.lock() {
                tally.add(name, &found, request.numbers);
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let _ = fs::remove_dir_all(&place);
    let Tally { refused, differ, lone } = tally.into_inner().unwrap_or_default();
    for (names, program) in lone.iter().zip(["old", "new"]) {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            println!("only of the {program} program: {}", names.join(", "));
        }
    }
    println!(
        "{} runs of both programs compared, {refused} refused by both, {} differ",
        cases.len(),
        differ.len()
    );
    if differ.is_empty() { Ok(()) } else { Err(differ.join(", ")) }
}

impl Tally {
    /// Adds a run of both programs.
    fn add(&mut self, name: String, [old, new]: &[Leaves; 2], numbers: bool) {
        self.refused += usize::from(old.is_refusal() && new.is_refusal());
        let keys: BTreeSet<&String> = old.texts.keys().chain(new.texts.keys()).collect();
        let mut differ = Vec::new();
        for key in keys {
            match (old.texts.get(key), new.texts.get(key)) {
                (Some(a), Some(b)) if a == b => {}
                // A program that refuses leaves nothing, which its exit code says.
                (Some(_), None) if numbers => drop(self.lone[0].insert(unnamed(key))),
                (None, Some(_)) if numbers => drop(self.lone[1].insert(unnamed(key))),
                (a, b) => differ.push((key, a, b)),
            }
        }
        let Some((_, a, b)) = differ.first() else { return };
        let names: Vec<&&String> = differ.iter().map(|(key, ..)| key).collect();
        println!("{name}: {names:?} differ");
        let lines = [a, b].map(|text| text.map_or(&[][..], |text| text));
        let pairs = lines[0].split(|b| *b == b'\n').zip(lines[1].split(|b| *b == b'\n'));
        if let Some((line, (a, b))) = pairs.enumerate().find(|(_, (a, b))| a != b) {
            println!("  old, line {}: {:.200}", line + 1, String::from_utf8_lossy(a));
            println!("  new, line {}: {:.200}", line + 1, String::from_utf8_lossy(b));
        }
        self.differ.push(name);
    }
}

/// A column or key without the name of its part, which is another one in every model.
fn unnamed(key: &str) -> String {
    let (file, column) = key.split_once(' ').unwrap_or(("", key));
    let column = column.rsplit_once('.').map_or(column, |(_, quantity)| quantity);
    format!("{file} {column}")
}

/// The laws that the catalogues of both programs have; those of one only are named.
fn both_know(old: &str, new: &str) -> Result<Vec<String>, String> {
    let [old, new] = [catalogue(old)?, catalogue(new)?];
    let lone: Vec<&str> = old.symmetric_difference(&new).map(String::as_str).collect();
    if !lone.is_empty() {
        println!("laws of one program only, which are left out: {}", lone.join(", "));
    }
    Ok(old.intersection(&new).cloned().collect())
}

/// The laws of the catalogue of a program but those of friction, which are no laws on their own.
fn catalogue(program: &str) -> Result<BTreeSet<String>, String> {
    let output = Command::new(program).args(["laws", "--json"]).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let sheets: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{program} laws --json: {error}"))?;
    let sheets = sheets.as_array().into_iter().flatten();
    let laws = sheets.filter(|sheet| sheet["family"] != "friction");
    Ok(laws.filter_map(|sheet| sheet["id"].as_str().map(str::to_owned)).collect())
}
