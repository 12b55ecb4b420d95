//! Checks that this program gives the same bits as an older one, for changes that must not alter a
//! number.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::root;

/// Lines of JSON with one of these keys may differ: the cost of a run, and where its result is.
const FREE: [&str; 2] = ["\"wall_seconds\"", "\"result\""];

/// Runs every shipped model with its own law and with these laws, or all if there are none, by both
/// programs, and compares all files and messages.
pub(crate) fn compare(old: &str, new: &str, laws: &[&str]) -> Result<(), String> {
    let all = if laws.is_empty() { catalogue(new)? } else { Vec::new() };
    let laws = all.iter().map(String::as_str).chain(laws.iter().copied());
    let laws: Vec<&str> = laws.collect();
    let mut cases = Vec::new();
    let models = fs::read_dir(root().join("models")).map_err(|error| error.to_string())?;
    let mut models: Vec<_> =
        models.flatten().map(|entry| entry.path().join("model.toml")).collect();
    models.retain(|model| model.exists());
    models.sort();
    for model in &models {
        cases.push((model, None));
        cases.extend(laws.iter().map(|law| (model, Some(*law))));
    }
    let place = std::env::temp_dir().join(format!("jointplay-same-{}", std::process::id()));
    let (next, differ) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some((model, law)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let name = model.parent().and_then(Path::file_name).unwrap_or_default();
            let name = format!("{} {}", name.to_string_lossy(), law.unwrap_or("(its own law)"));
            let folder = place.join(name.replace(' ', "-"));
            let found = [old, new].map(|program| outcome(program, model, *law, &folder));
            let keys = found[0].keys().chain(found[1].keys());
            let mut keys: Vec<&String> =
                keys.filter(|key| found[0].get(*key) != found[1].get(*key)).collect();
            keys.dedup();
            if let Some(first) = keys.first() {
                println!("{name}: {keys:?} differ");
                let lines = [0, 1].map(|i| found[i].get(*first).map_or(&[][..], |text| text));
                let pairs = lines[0].split(|b| *b == b'\n').zip(lines[1].split(|b| *b == b'\n'));
                if let Some((a, b)) = pairs.into_iter().find(|(a, b)| a != b) {
                    println!("  old {:.200}", String::from_utf8_lossy(a));
                    println!("  new {:.200}", String::from_utf8_lossy(b));
                }
                if let Ok(mut differ) = differ.lock() {
                    differ.push(name);
                }
            }
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(work))));
    let _ = fs::remove_dir_all(&place);
    let differ = differ.into_inner().unwrap_or_default();
    println!("{} runs of both programs compared, {} differ", cases.len(), differ.len());
    if differ.is_empty() { Ok(()) } else { Err(differ.join(", ")) }
}

/// The laws in the catalogue of a program, except friction laws, which cannot be used alone.
fn catalogue(program: &str) -> Result<Vec<String>, String> {
    let output = Command::new(program).args(["laws", "--json"]).output();
    let output = output.map_err(|error| format!("{program}: {error}"))?;
    let sheets: serde_json::Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{program} laws --json: {error}"))?;
    let sheets = sheets.as_array().into_iter().flatten();
    let laws = sheets.filter(|sheet| sheet["family"] != "friction");
    Ok(laws.filter_map(|sheet| sheet["id"].as_str().map(str::to_owned)).collect())
}

/// The files and messages of a program by name, without the lines that may differ.
fn outcome(
    program: &str,
    model: &Path,
    law: Option<&str>,
    folder: &Path,
) -> BTreeMap<String, Vec<u8>> {
    let _ = fs::remove_dir_all(folder);
    let mut command = Command::new(program);
    command.arg("run").arg(model).args(["--json", "--no-page", "--out"]).arg(folder);
    command.args(law.into_iter().flat_map(|law| ["--law", law]));
    let mut found = BTreeMap::new();
    match command.output() {
        Ok(output) => {
            found.insert("standard output".to_owned(), fixed(&output.stdout));
            found.insert("standard error".to_owned(), output.stderr);
            found.insert("exit code".to_owned(), format!("{:?}", output.status.code()).into());
        }
        Err(error) => drop(found.insert("start".to_owned(), error.to_string().into())),
    }
    for name in ["channels.csv", "channels.parquet", "impacts.csv", "modes.csv"] {
        if let Ok(bytes) = fs::read(folder.join(name)) {
            found.insert(name.to_owned(), bytes);
        }
    }
    if let Ok(bytes) = fs::read(folder.join("summary.json")) {
        found.insert("summary.json".to_owned(), fixed(&bytes));
    }
    let _ = fs::remove_dir_all(folder);
    found
}

/// JSON on lines without those that may differ.
fn fixed(json: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(json);
    let free = |line: &&str| !FREE.iter().any(|key| line.trim_start().starts_with(key));
    text.lines().filter(free).collect::<Vec<_>>().join("\n").into_bytes()
}
