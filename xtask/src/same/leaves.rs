//! What a run of a program leaves and says.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::Request;

/// Lines of JSON with one of these keys may differ: the cost of a run, and where its result is.
const FREE: [&str; 2] = ["wall_seconds", "result"];

/// The tables of a result.
const TABLES: [&str; 3] = ["channels.csv", "impacts.csv", "modes.csv"];

/// The exit code of a run.
const CODE: &str = "exit code";

/// What a program leaves and says, by name.
#[derive(Default)]
pub(super) struct Leaves {
    pub(super) texts: BTreeMap<String, Vec<u8>>,
}

impl Leaves {
    /// Whether there is no result.
    pub(super) fn is_refusal(&self) -> bool {
        let is_result = |key: &String| TABLES.iter().any(|table| key.starts_with(table));
        !self.texts.keys().any(is_result)
    }

    fn add(&mut self, name: impl Into<String>, text: impl Into<Vec<u8>>) {
        self.texts.insert(name.into(), text.into());
    }
}

/// Runs a model by a program.
pub(super) fn outcome(
    program: &str,
    model: &Path,
    law: Option<&str>,
    folder: &Path,
    request: &Request<'_>,
) -> Leaves {
    let _ = fs::remove_dir_all(folder);
    let mut command = Command::new(program);
    command.arg("run").arg(model).args(["--json", "--no-page", "--out"]).arg(folder);
    command.args(law.into_iter().flat_map(|law| ["--law", law]));
    command.args(request.sets.iter().flat_map(|set| ["--set", set]));
    let mut found = Leaves::default();
    match command.output() {
        Ok(output) => {
            found.add(CODE, format!("{:?}", output.status.code()));
            if !request.numbers {
                found.add("standard output", fixed(&output.stdout));
                found.add("standard error", output.stderr);
            }
        }
        Err(error) => found.add("start", error.to_string()),
    }
    let read = |name: &str| fs::read(folder.join(name)).ok();
    for name in TABLES {
        match read(name) {
            Some(bytes) if request.numbers => columns(name, &bytes, &mut found),
            Some(bytes) => found.add(name, bytes),
            None => {}
        }
    }
    match read("summary.json") {
        Some(bytes) if request.numbers => {
            let summary = serde_json::from_slice(&bytes).unwrap_or_default();
            numbers("summary.json", &summary, &mut found);
        }
        Some(bytes) => found.add("summary.json", fixed(&bytes)),
        None => {}
    }
    if let Some(bytes) = read("channels.parquet").filter(|_| !request.numbers) {
        found.add("channels.parquet", bytes);
    }
    let _ = fs::remove_dir_all(folder);
    found
}

/// JSON on lines without those that may differ.
fn fixed(json: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(json);
    let is_free = |line: &str| {
        let key = line.trim_start().strip_prefix('"').and_then(|rest| rest.split_once('"'));
        key.is_some_and(|(key, _)| FREE.contains(&key))
    };
    text.lines().filter(|line| !is_free(line)).collect::<Vec<_>>().join("\n").into_bytes()
}

/// The columns of a table by their names, a line for each row. Names of parts have no commas in shipped models.
fn columns(file: &str, bytes: &[u8], found: &mut Leaves) {
    let text = String::from_utf8_lossy(bytes);
    let mut rows = text.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let Some(names) = rows.next() else { return };
    let rows: Vec<_> = rows.collect();
    for (i, name) in names.into_iter().enumerate() {
        let cells = rows.iter().map(|row| row.get(i).copied().unwrap_or("no cell"));
        found.add(format!("{file} {name}"), cells.collect::<Vec<_>>().join("\n"));
    }
}

/// The numbers and words of JSON by their paths, without sentences.
fn numbers(path: &str, value: &Value, found: &mut Leaves) {
    match value {
        Value::Object(entries) => {
            for (key, value) in entries {
                let is_file = path == "summary.json";
                let path = format!("{path}{}{key}", if is_file { " " } else { "." });
                if !FREE.contains(&key.as_str()) {
                    numbers(&path, value, found);
                }
            }
        }
        Value::Array(entries) => {
            for (i, value) in entries.iter().enumerate() {
                numbers(&format!("{path}[{i}]"), value, found);
            }
        }
        Value::String(text) if text.contains(' ') => {}
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
            found.add(path, value.to_string());
        }
    }
}
