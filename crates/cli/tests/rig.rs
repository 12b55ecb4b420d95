//! Against the test rig by the command line: the contract of `optimise`, `identify` and `run --data` with programs.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

const SPHERES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/two-spheres/model.toml");
const PULSE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../studies/two-spheres-pulse.csv");

fn jointplay() -> Command {
    Command::cargo_bin("jointplay").expect("the program")
}

fn json(arguments: &[&str], folder: &Path) -> Value {
    let output = jointplay()
        .args(arguments)
        .arg("--json")
        .arg("--out")
        .arg(folder)
        .output()
        .expect("it runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

fn identify<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut arguments = vec!["identify", SPHERES, "--data", PULSE, "--map", "force=pin.force"];
    arguments.extend([
        "--fit",
        "contacts.pin.restitution=0.2:1",
        "--fit",
        "contacts.pin.law.stiffness=1e8:1e11",
    ]);
    arguments.extend_from_slice(more);
    arguments
}

fn place() -> (TempDir, PathBuf) {
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("out");
    (place, folder)
}

#[test]
fn peer_identify_keeps_its_contract() {
    let (_place, folder) = place();
    let found = json(&identify(&["--laws", "hertz,hertz+lankarani-nikravesh"]), &folder);
    let e = &found["parameters"]["contacts.pin.restitution"];
    for key in ["value", "std", "low", "high"] {
        assert!(e[key].is_f64(), "{key}: {e}");
    }
    assert_eq!(e["identifiable"], true);
    // The truth of the record.
    assert!(e["low"].as_f64() < Some(0.7) && e["high"].as_f64() > Some(0.7), "{e}");
    assert!((found["rmse"].as_f64().expect("a number") - 20.0).abs() < 4.0, "{found}");
    assert_eq!(found["ranking"][0]["law"], "hertz+lankarani-nikravesh");
    for key in ["law", "rmse", "aicc", "parameters"] {
        assert!(!found["ranking"][1][key].is_null(), "{key}");
    }
    for file in [
        "study.html",
        "table.csv",
        "fit.csv",
        "study.json",
        "measured.csv",
        "figures/pin.force.svg",
    ] {
        assert!(folder.join(file).is_file(), "{file}");
    }
    // The folder has all that is needed, and nothing is run again.
    let again = jointplay().arg("study").arg(&folder).arg("--json").output().expect("it runs");
    assert_eq!(serde_json::from_slice::<Value>(&again.stdout).expect("JSON"), found);
}

#[test]
fn property_an_identification_that_is_killed_goes_on() {
    let (_place, folder) = place();
    let whole = json(&identify(&["--jobs", "1"]), &folder);
    let (_other, cut) = place();
    let exe = assert_cmd::cargo::cargo_bin("jointplay");
    let mut child = std::process::Command::new(exe)
        .args(identify(&["--jobs", "1"]))
        .arg("--out")
        .arg(&cut)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    let journal = cut.join("runs.jsonl");
    for _ in 0..2000 {
        if std::fs::metadata(&journal).is_ok_and(|data| data.len() > 40_000) {
            break;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    child.kill().expect("killed");
    child.wait().expect("it ends");
    let kept = std::fs::metadata(&journal).expect("a journal").len();
    assert!(kept > 40_000);
    // With another number of threads, too.
    let again = json(&identify(&["--jobs", "2"]), &cut);
    let without = |value: &Value| {
        let mut value = value.clone();
        value["table"] = Value::Null;
        value
    };
    assert_eq!(without(&again), without(&whole));
    let table = |folder: &Path| std::fs::read(folder.join("table.csv")).expect("a table");
    assert_eq!(table(&cut), table(&folder));
}

#[test]
fn exact_optimise_keeps_its_contract() {
    let (place, folder) = place();
    let model = place.path().join("model.toml");
    std::fs::write(
        &model,
        "format = 1\n[parameters]\nx = 0.0\n[bodies.a]\nmass = 1\ninertia = 1\n[metrics.cost]\nvalue = \"3 + (x - 0.3)^2\"\n[run]\nuntil = 1\n",
    )
    .expect("written");
    let model = model.display().to_string();
    let arguments = [
        "optimise",
        &model,
        "--minimise",
        "cost",
        "--vary",
        "parameters.x=-2:5",
        "--budget",
        "150",
    ];
    let found = json(&arguments, &folder);
    let x = found["best"]["parameters.x"].as_f64().expect("a number");
    assert!((x - 0.3).abs() < 1e-4, "{found}");
    assert!((found["objective"].as_f64().expect("a number") - 3.0).abs() < 1e-8);
    assert!(found["runs"].as_u64().expect("a number") <= 150);
    let wrong = jointplay()
        .args(["optimise", &model, "--minimise", "csot", "--vary", "parameters.y=1:2"])
        .output();
    let wrong = wrong.expect("it runs");
    assert_eq!(wrong.status.code(), Some(2));
}

#[test]
fn property_a_run_is_compared_with_data_and_repeats() {
    let (place, folder) = place();
    let arguments = ["run", SPHERES, "--data", PULSE, "--map", "force=pin.force", "--no-page"];
    let found = json(&arguments, &folder);
    let own = &found["comparison"]["pin.force"];
    // The model has the truth of the record: noise of 20 N is left, and no shift.
    assert!((own["rmse"].as_f64().expect("a number") - 20.0).abs() < 3.0, "{own}");
    assert!(
        own["nrmse"].as_f64() < Some(0.006)
            && own["peak_error"].as_f64().map(f64::abs) < Some(100.0),
        "{own}"
    );
    assert!(own["shift"].as_f64().map(f64::abs) < Some(2e-6), "{own}");
    for file in
        ["measured.csv", "comparison.csv", "comparison.json", "figures/comparison-pin.force.svg"]
    {
        assert!(folder.join(file).is_file(), "{file}");
    }
    let result = folder.display().to_string();
    let again = json(&["run", &result, "--no-page"], &place.path().join("again"));
    assert_eq!(again["comparison"], found["comparison"]);
    // A comparison that cannot be read is not dropped.
    std::fs::write(folder.join("comparison.json"), "{").expect("written");
    let damaged = jointplay().args(["run", &result, "--no-page"]).output().expect("it runs");
    let said = String::from_utf8_lossy(&damaged.stderr);
    assert_eq!(damaged.status.code(), Some(2), "{said}");
    assert!(said.contains("comparison.json': it is damaged: EOF"), "{said}");
    #[cfg(unix)]
    {
        std::fs::remove_file(folder.join("comparison.json")).expect("removed");
        let pipe = folder.join("comparison.json");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("made").success());
        let piped = jointplay().args(["run", &result, "--no-page"]).output().expect("it ends");
        let said = String::from_utf8_lossy(&piped.stderr);
        assert_eq!(piped.status.code(), Some(2), "{said}");
        assert!(said.contains("not a file"), "{said}");
    }
    let wrong = jointplay()
        .args(["run", SPHERES, "--data", PULSE, "--map", "froce=pin.force"])
        .output()
        .expect("it runs");
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("no column `froce`"));
}

/// The clock of the data started an hour before the run: they are compared where they look like the model, and the shift is said.
#[test]
fn property_data_with_a_clock_of_their_own_are_compared() {
    let (place, folder) = place();
    let late = place.path().join("late.csv");
    let text = std::fs::read_to_string(PULSE).expect("the record");
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let (t, rest) = line.split_once(',').expect("two cells");
        match t.parse::<f64>() {
            Ok(t) => format!("{:.6},{rest}\n", t + 3.6e9),
            Err(_) => format!("{line}\n"),
        }
    });
    std::fs::write(&late, rows.collect::<String>()).expect("written");
    let late = late.display().to_string();
    let arguments = ["run", SPHERES, "--data", &late, "--map", "force=pin.force", "--no-page"];
    let found = json(&arguments, &folder);
    let own = &found["comparison"]["pin.force"];
    assert!((own["shift"].as_f64().expect("a number") - 3600.0).abs() < 3e-6, "{own}");
    assert!((own["rmse"].as_f64().expect("a number") - 20.0).abs() < 4.0, "{own}");
    let text = jointplay().args(arguments).arg("--force").arg("--out").arg(&folder).output();
    let text = String::from_utf8_lossy(&text.expect("it runs").stdout).into_owned();
    assert!(text.contains("they are compared 3.6 ks earlier"), "{text}");
    // What is flat looks like nothing.
    let flat = place.path().join("flat.csv");
    std::fs::write(&flat, "t,force\n100,1\n101,1\n102,1\n").expect("written");
    let flat = flat.display().to_string();
    let wrong = jointplay()
        .args(["run", SPHERES, "--data", &flat, "--map", "force=pin.force", "--no-page"])
        .output()
        .expect("it runs");
    assert_eq!(wrong.status.code(), Some(2));
    let said = String::from_utf8_lossy(&wrong.stderr).into_owned();
    assert!(said.contains("no row of the data lies in the time of the run"), "{said}");
}

/// Commas of a formula belong to the formula.
#[test]
fn property_laws_are_formulas() {
    let (_place, folder) = place();
    let laws = "hertz+lankarani-nikravesh,formula:5.2e9*max(delta,0)^1.5";
    let mut arguments = vec!["identify", SPHERES, "--data", PULSE, "--map", "force=pin.force"];
    arguments.extend(["--fit", "bodies.left.mass=9 kg:9.5 kg", "--budget", "60", "--laws", laws]);
    let found = json(&arguments, &folder);
    let ranked: Vec<&str> = found["ranking"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|l| l["law"].as_str())
        .collect();
    assert_eq!(
        ranked,
        laws.split_inclusive("nikravesh,").map(|l| l.trim_matches(',')).collect::<Vec<_>>()
    );
}
