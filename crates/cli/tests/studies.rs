//! Studies by the command line: their contract with programs, their numbers, and what is left of them when they are stopped.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{jointplay, shown};

/// A ball that meets a wall of K δ^1.5 without loss.
const WALL: &str = r#"
format = 1
name = "wall"
[parameters]
k = "5e9 N/m^1.5"
m = "1 kg"
v = "0.3 m/s"
[bodies.ball]
mass = "= m"
inertia = "0.01 kg m^2"
position = [0, "1 mm"]
velocity = [0, "= -v"]
[forces.wall]
type = "stop"
y = { body = "ball" }
below = 0
law = { elastic = "hertz", stiffness = "= k" }
[run]
until = "20 ms"
[cases.heavy]
parameters.m = "2 kg"
"#;

/// A pin in a bore, which is looked at and not moved.
const BORE: &str = r#"
format = 1
name = "bore"
[bodies.bolt]
mass = 1
inertia = 1
[joints.pin]
type = "revolute"
kind = "clearance"
a = { body = "ground" }
b = { body = "bolt" }
bearing_radius = "10.1 mm"
journal_radius = "10 mm"
material = "steel"
law = "hertz"
[output]
interval = "1 us"
[run]
until = "1 us"
"#;

/// Nothing moves: metrics of parameters alone.
const NUMBERS: &str = r#"
format = 1
name = "numbers"
[parameters]
x1 = 0.0
x2 = 0.0
x3 = 0.0
[bodies.dot]
mass = 1
inertia = 1
[run]
until = 1
"#;

fn crank() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/slider-crank/model.toml");
    std::fs::read_to_string(path).expect("a shipped model")
}

pub(crate) fn place() -> TempDir {
    let place = TempDir::new().expect("a folder");
    let crank = crank();
    for (name, text) in [("wall", WALL), ("bore", BORE), ("numbers", NUMBERS), ("crank", &crank)] {
        std::fs::write(place.path().join(name).with_extension("toml"), text).expect("written");
    }
    place
}

/// The findings of a study that comes to its end.
#[track_caller]
pub(crate) fn found(place: &TempDir, args: &[&str]) -> Value {
    let output = jointplay(place, &[args, &["--json"]].concat());
    assert!(output.status.success(), "{args:?}: {}", shown(&output));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// A table as rows of cells, the head first.
pub(crate) fn table(place: &TempDir, file: &str) -> Vec<Vec<String>> {
    let mut reader =
        csv::ReaderBuilder::new().has_headers(false).from_path(place.path().join(file));
    let rows = reader.as_mut().expect("a table").records();
    rows.map(|row| row.expect("a row").iter().map(str::to_owned).collect()).collect()
}

#[track_caller]
pub(crate) fn close(found: f64, expected: f64, within: f64, what: &str) {
    assert!((found - expected).abs() <= within, "{what}: {found} instead of {expected}");
}

/// The greatest force of an elastic impact on a wall: K (5 m v²/4 K)^0.6.
fn peak(k: f64, m: f64, v: f64) -> f64 {
    k * (1.25 * m * v * v / k).powf(0.6)
}

#[test]
fn exact_a_grid_has_a_row_for_each_point_in_its_order() {
    let place = place();
    let sweep = [
        "sweep",
        "wall.toml",
        "--vary",
        "parameters.v=0.1 m/s:0.3 m/s:3",
        "--vary",
        "parameters.m=500g,1kg",
        "--metric",
        "wall.peak_force",
        "--metric",
        "wall.impacts",
        "--metric",
        "wall.peak_force/m",
        "--out",
        "s",
    ];
    let findings = found(&place, &sweep);
    assert_eq!((&findings["runs"], &findings["failed"]), (&6.into(), &0.into()));
    assert_eq!(findings["table"], "s/table.csv");
    let rows = table(&place, "s/table.csv");
    let head = [
        "parameters.v",
        "parameters.m",
        "wall.peak_force",
        "wall.impacts",
        "wall.peak_force/m",
        "outcome",
        "warnings",
    ];
    assert_eq!(rows[0], head);
    let cell = |row: usize, column: usize| rows[row][column].parse::<f64>().expect("a number");
    for (row, (v, m)) in
        [(0.1, 0.5), (0.1, 1.0), (0.2, 0.5), (0.2, 1.0), (0.3, 0.5), (0.3, 1.0)].iter().enumerate()
    {
        let row = row + 1;
        assert!((cell(row, 0) - v).abs() < 1e-15 && cell(row, 1) == *m, "{rows:?}");
        close(cell(row, 2), peak(5e9, *m, *v), 1e-6 * peak(5e9, *m, *v), "peak force");
        assert_eq!(cell(row, 3), 1.0);
        close(cell(row, 4), cell(row, 2) / m, 1e-9, "a formula of a metric and a parameter");
        assert_eq!(rows[row][5], "reached-end");
    }
    for file in ["study.json", "study.toml", "model.toml", "table.parquet", "runs.jsonl"] {
        assert!(place.path().join("s").join(file).exists(), "{file}");
    }
}

#[test]
fn property_laws_and_cases_are_values_too() {
    let place = place();
    let sweep = ["sweep", "wall.toml", "--vary", "case=heavy", "--metric", "wall.peak_force"];
    found(&place, &[&sweep[..], &["--out", "c"]].concat());
    let rows = table(&place, "c/table.csv");
    assert_eq!(rows[1][0], "heavy");
    close(rows[1][1].parse().expect("a number"), peak(5e9, 2.0, 0.3), 1e-2, "2 kg");
    let sweep =
        ["sweep", "crank.toml", "--until", "5ms", "--out", "l", "--metric", "pin.peak_force"];
    found(&place, &[&sweep[..], &["--vary", "law=hertz,hertz+flores"]].concat());
    let rows = table(&place, "l/table.csv");
    assert_eq!((rows[1][0].as_str(), rows[2][0].as_str()), ("hertz", "hertz+flores"));
    assert_ne!(rows[1][1], rows[2][1]);
    // A law of its own for the study.
    let output = jointplay(
        &place,
        &["run", "crank.toml", "--until", "5ms", "--law", "hertz", "--json", "--no-page"],
    );
    let alone: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(
        rows[1][1].parse::<f64>().ok(),
        alone["contacts"]["pin"]["peak_force"].as_f64(),
        "{alone}"
    );
}

#[test]
fn property_tables_do_not_depend_on_threads_or_interruption() {
    let place = place();
    let vary = "drivers.motor.speed=100rpm:400rpm:24";
    let sweep = ["sweep", "crank.toml", "--vary", vary, "--until", "0.1 s", "--metric", "pin.loss"];
    let with = |more: &[&'static str]| -> Vec<&str> { [&sweep[..], more].concat() };
    found(&place, &with(&["--out", "one", "--jobs", "1"]));
    found(&place, &with(&["--out", "two", "--jobs", "2"]));
    // Killed again and again: nothing that ended is lost, and nothing is run twice.
    let journal = place.path().join("three/runs.jsonl");
    let records = |text: String| text.lines().filter(|line| !line.starts_with('#')).count();
    let lines = || records(std::fs::read_to_string(&journal).unwrap_or_default());
    let mut before = 0;
    for _ in 0..3 {
        let program = assert_cmd::cargo::cargo_bin("jointplay");
        let mut child = std::process::Command::new(program)
            .current_dir(place.path())
            .args(with(&["--out", "three"]))
            .stdout(std::process::Stdio::null())
            .stderr(std::process::Stdio::null())
            .spawn()
            .expect("it starts");
        for _ in 0..500 {
            if lines() > before + 2 || child.try_wait().expect("it can be asked").is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        child.kill().expect("killed");
        child.wait().expect("ended");
        assert!(lines() >= before, "{} after {before}", lines());
        before = lines();
    }
    let findings = found(&place, &with(&["--out", "three"]));
    assert_eq!(findings["runs"], 24);
    // A line that was cut short by the end of the program may be there once more.
    assert!(lines() <= 24 + 3, "{}", lines());
    let bytes = |folder: &str, file: &str| {
        std::fs::read(place.path().join(folder).join(file)).expect("a file")
    };
    for file in ["table.csv", "table.parquet"] {
        assert_eq!(bytes("one", file), bytes("two", file));
        assert_eq!(bytes("one", file), bytes("three", file));
    }
    // What is there is not run again; a changed study keeps what is still valid.
    let journal = bytes("one", "runs.jsonl");
    found(&place, &with(&["--out", "one"]));
    assert_eq!(bytes("one", "runs.jsonl"), journal);
    found(&place, &[&["study", "one"][..]].concat());
    assert_eq!(bytes("one", "runs.jsonl"), journal);
    let fewer = ["sweep", "crank.toml", "--vary", "drivers.motor.speed=100rpm,400rpm"];
    let fewer = [&fewer[..], &sweep[4..], &["--out", "one"]].concat();
    assert_eq!(found(&place, &fewer)["runs"], 2);
    let added = std::fs::read_to_string(place.path().join("one/runs.jsonl")).expect("a journal");
    assert!(records(added) <= 26, "at most these two are new");
}

#[test]
fn property_parts_make_the_whole() {
    let place = place();
    let sweep = ["sweep", "wall.toml", "--vary", "parameters.v=0.1 m/s:0.3 m/s:7"];
    let sweep = [&sweep[..], &["--metric", "wall.peak_force"]].concat();
    let with = |more: &[&'static str]| -> Vec<&str> { [&sweep[..], more].concat() };
    found(&place, &with(&["--out", "whole"]));
    for (part, folder) in [("1/3", "a"), ("2/3", "b"), ("3/3", "c")] {
        let findings = found(&place, &with(&["--shard", part, "--out", folder]));
        assert!(number(&findings["runs"]) <= 3.0, "{findings}");
    }
    // Each folder knows its part, which is all that is made there when it goes on.
    for (folder, runs) in [("a", 3), ("b", 2)] {
        std::fs::remove_file(place.path().join(folder).join("runs.jsonl")).expect("removed");
        std::fs::write(
            place.path().join(folder).join("runs.jsonl"),
            "# jointplay journal 1: sweep\n",
        )
        .expect("written");
        let findings = found(&place, &["study", folder]);
        assert_eq!((&findings["runs"], &findings["points"]), (&runs.into(), &7.into()));
    }
    let two = found(&place, &["study", "merge", "a", "b", "--out", "two"]);
    assert_eq!((&two["runs"], &two["points"]), (&5.into(), &7.into()));
    found(&place, &["study", "merge", "a", "b", "c", "--out", "all"]);
    let bytes =
        |folder: &str| std::fs::read(place.path().join(folder).join("table.csv")).expect("a table");
    assert_eq!(bytes("whole"), bytes("all"));
    let other = ["sweep", "wall.toml", "--vary", "parameters.v=0.1 m/s,0.3 m/s", "--out", "d"];
    found(&place, &other);
    let output = jointplay(&place, &["study", "merge", "a", "d", "--out", "e"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(shown(&output).contains("different studies"), "{}", shown(&output));
    // Another part may have results: a part in which nothing works is no failed job, but the whole would be.
    let never =
        [&sweep[..4], &["--metric", "wall.peak_force", "--set", "run.max_steps=1"]].concat();
    for (part, folder) in [("1/2", "g"), ("2/2", "h")] {
        let findings = found(&place, &[&never[..], &["--shard", part, "--out", folder]].concat());
        assert_eq!(findings["runs"], findings["failed"]);
    }
    let output = jointplay(&place, &["study", "merge", "g", "h", "--out", "i"]);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    for wrong in ["0/3", "4/3", "x"] {
        let output = jointplay(&place, &with(&["--shard", wrong, "--out", "f"]));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
    }
}

#[test]
fn property_runs_that_fail_are_rows_and_wrong_studies_are_refused() {
    let place = place();
    let sweep = ["sweep", "crank.toml", "--until", "1ms", "--metric", "pin.impacts", "--out", "f"];
    let some = [&sweep[..], &["--vary", "joints.pin.clearance=-1mm,0.1mm,0.2mm"]].concat();
    let findings = found(&place, &some);
    assert_eq!((&findings["runs"], &findings["failed"]), (&3.into(), &1.into()));
    let rows = table(&place, "f/table.csv");
    assert!(rows[1][2].starts_with("failed: ") && rows[1][1].is_empty(), "{rows:?}");
    // All of them: no point makes sense, and each row says why.
    let none = [&sweep[..7], &["g", "--vary", "joints.pin.clearance=-1mm,-2mm"]].concat();
    assert_eq!(jointplay(&place, &none).status.code(), Some(1));
    let rows = table(&place, "g/table.csv");
    assert!(rows[1..].iter().all(|row| row[2].contains("clearance")), "{rows:?}");
    // All of them, by runs that fail: exit code 1, and the table says why.
    let steps = ["--set", "run.max_steps=5", "--vary", "drivers.motor.speed=100rpm,200rpm"];
    let args = ["sweep", "crank.toml", "--metric", "pin.impacts", "--out", "h"];
    let output = jointplay(&place, &[&args[..], &steps].concat());
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(table(&place, "h/table.csv")[2][2].contains("max_steps"));
    for (args, words) in [
        (&["--vary", "joints.pin.clearence=1mm,2mm"][..], &["did you mean `clearance`"][..]),
        (&["--vary", "joints.pin.clearance=1mm:2mm"], &["--samples"]),
        (
            &["--vary", "joints.pin.clearance=1mm:2kg:3", "--vary", "x"],
            &["same kind", "KEY=FROM:TO:COUNT"],
        ),
        (
            &["--vary", "drivers.motor.speed=1rpm,2rpm", "--metric", "pin.peek_force"],
            &["did you mean `pin.peak_force`"],
        ),
        (
            &["--vary", "drivers.motor.speed=1rpm,2rpm", "--vary", "drivers.motor.speed=3rpm"],
            &["varied twice"],
        ),
        (
            &["--vary", "drivers.motor.speed=1rpm,2rpm", "--design", "latin"],
            &["`design` needs a number of `samples`"],
        ),
    ] {
        let output =
            jointplay(&place, &[&["sweep", "crank.toml", "--out", "w"][..], args].concat());
        let text = shown(&output);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        for word in words {
            assert!(text.contains(word), "{args:?}: `{word}` is not in\n{text}");
        }
        assert!(!place.path().join("w").exists(), "{args:?}");
    }
    // What is said twice.
    for (args, words) in [
        (&["--vary", "run.until=1ms,2ms", "--until", "1s"][..], "--until 1s and --vary run.until"),
        (&["--vary", "law=hertz,hertz+flores", "--law", "hertz"], "--law hertz and --vary law"),
        (
            &["--vary", "joints.pin.clearance=1mm,2mm", "--set", "joints.pin.clearance=3mm"],
            "set the same key",
        ),
        (&["--vary", "run.until=1ms,2ms", "--metric", "pin.loss", "--metric", "pin.loss"], "twice"),
    ] {
        let output =
            jointplay(&place, &[&["sweep", "crank.toml", "--out", "w"][..], args].concat());
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(shown(&output).contains(words), "{args:?}: {}", shown(&output));
    }
    // A variant without contacts keeps the other metrics.
    let kinds =
        ["sweep", "crank.toml", "--vary", "joints.pin.kind=clearance,ideal", "--until", "5ms"];
    let metrics = ["--metric", "max(slider.ax)", "--metric", "pin.peak_force", "--out", "k"];
    assert_eq!(found(&place, &[&kinds[..], &metrics].concat())["failed"], 0);
    let rows = table(&place, "k/table.csv");
    assert!(rows[2][2].is_empty() && rows[2][1].parse::<f64>().is_ok(), "{rows:?}");
    // A folder of the user is not a study.
    std::fs::create_dir(place.path().join("mine")).expect("made");
    std::fs::write(place.path().join("mine/notes.txt"), "mine").expect("written");
    let vary = ["--vary", "drivers.motor.speed=1rpm,2rpm"];
    let output =
        jointplay(&place, &[&["sweep", "crank.toml", "--out", "mine"][..], &vary].concat());
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert_eq!(std::fs::read_dir(place.path().join("mine")).expect("a folder").count(), 1);
}

#[test]
fn property_a_dry_run_writes_nothing() {
    let place = place();
    let sweep = ["sweep", "wall.toml", "--vary", "parameters.v=0.1 m/s:0.3 m/s:7", "--dry-run"];
    let plan = found(&place, &[&sweep[..], &["--out", "n"]].concat());
    assert_eq!(plan["runs"], 7);
    assert!(number(&plan["seconds"]) > 0.0 && number(&plan["bytes"]) > 0.0);
    assert!(!place.path().join("n").exists());
}

/// The studies that are shipped, and the one in the guide, can be read.
#[test]
fn regress_shipped_studies_are_right() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let place = place();
    let mut count = 0;
    for entry in std::fs::read_dir(root.join("studies")).expect("studies") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let path = path.to_str().expect("text");
        let plan = found(&place, &["study", path, "--dry-run", "--out", "n"]);
        assert!(number(&plan["runs"]) >= 61.0, "{path}: {plan}");
        count += 1;
    }
    assert_eq!(count, 7);
    let guide = include_str!("../../../docs/studies.md");
    let example = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    let file = jointplay_study::study_file::StudyFile::parse(example.expect("an example"), None);
    assert_eq!(file.expect("it is right").problems(), []);
}

/// Repeats from slightly different starts: a row for each run, and a mean with its scatter for each point.
#[test]
fn property_repeats_scatter() {
    let place = place();
    let sweep = ["sweep", "crank.toml", "--vary", "drivers.motor.speed=200rpm,300rpm"];
    let more = ["--repeats", "3", "--until", "50ms", "--metric", "pin.loss", "--out", "r"];
    let findings = found(&place, &[&sweep[..], &more].concat());
    assert_eq!(findings["runs"], 6);
    let (rows, points) = (table(&place, "r/table.csv"), table(&place, "r/points.csv"));
    assert_eq!(rows[0], ["drivers.motor.speed", "start.seed", "pin.loss", "outcome", "warnings"]);
    let columns = ["pin.loss", "pin.loss.std", "pin.loss.count", "pin.loss.indistinguishable"];
    assert_eq!(points[0][1..], columns);
    for (point, runs) in points[1..].iter().zip(rows[1..].chunks(3)) {
        let losses = runs.iter().map(|row| row[2].parse::<f64>().expect("a number"));
        let losses: Vec<f64> = losses.collect();
        let mean = losses.iter().sum::<f64>() / 3.0;
        close(point[1].parse().expect("a number"), mean, 1e-15, "mean");
        assert!(losses[0] != losses[1] && point[3] == "3", "{point:?} {losses:?}");
    }
    assert_eq!(findings["indistinguishable"]["pin.loss"], 0.0);
}

/// A row counts only for what it was made from: cases and tables that were changed are run again, and folders of others are left alone.
#[test]
fn property_a_changed_model_is_run_again() {
    let place = place();
    let write = |name: &str, text: &str| {
        std::fs::write(place.path().join(name), text).expect("written");
    };
    let sweep = ["sweep", "wall.toml", "--vary", "case=heavy", "--metric", "m", "--out", "c"];
    let mass = || {
        found(&place, &sweep);
        table(&place, "c/table.csv")[1][1].clone()
    };
    assert_eq!(mass(), "2");
    write("wall.toml", &WALL.replace("\"2 kg\"", "\"3 kg\""));
    assert_eq!(mass(), "3");
    // Tables.
    let push = "[forces.push]\ntype = \"force\"\non = { body = \"ball\" }\ndirection = [1, 0]\nvalue = { table = \"a.csv\" }\n";
    write("push.toml", &format!("{WALL}{push}"));
    write("a.csv", "t,F\n0,1\n1,1\n2,1\n3,1\n");
    write("b.csv", "t,F\n0,2\n1,2\n2,2\n3,2\n");
    let args =
        ["sweep", "push.toml", "--vary", "forces.push.value.table=a.csv,b.csv", "--out", "t"];
    let args = [&args[..], &["--metric", "last(ball.vx)"]].concat();
    let speeds = || {
        found(&place, &args);
        let rows = table(&place, "t/table.csv");
        [1, 2].map(|row| rows[row][1].parse::<f64>().expect("a number"))
    };
    let before = speeds();
    assert!((before[1] - 2.0 * before[0]).abs() < 1e-9, "{before:?}");
    write("b.csv", "t,F\n0,4\n1,4\n2,4\n3,4\n");
    assert!((speeds()[1] - 4.0 * before[0]).abs() < 1e-9);
    assert!(place.path().join("t/b.csv").exists(), "the folder has all tables");
    // Another study, a file of the user, and a study file beside its model stay as they are.
    let other = ["tolerance", "wall.toml", "--vary", "parameters.m=1kg:2kg", "--samples", "2"];
    let output = jointplay(&place, &[&other[..], &["--metric", "m", "--out", "c"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", shown(&output));
    assert!(shown(&output).contains("does not keep the runs of a tolerance"), "{}", shown(&output));
    std::fs::create_dir(place.path().join("mine")).expect("made");
    let mine = "# mine\nformat = 1\nkind = \"sweep\"\nmodel = \"model.toml\"\nmetrics = [\"m\"]\n[[vary]]\nkey = \"case\"\nvalues = \"heavy\"\n";
    write("mine/study.toml", mine);
    write("mine/model.toml", WALL);
    assert_eq!(jointplay(&place, &["study", "mine"]).status.code(), Some(2));
    assert_eq!(
        jointplay(&place, &["study", "mine/study.toml", "--out", "mine"]).status.code(),
        Some(2)
    );
    assert_eq!(std::fs::read_to_string(place.path().join("mine/study.toml")).expect("text"), mine);
    found(&place, &["study", "mine/study.toml", "--out", "theirs"]);
}

/// A scatter in a folder is a study: the same numbers, and what is there is not run again.
#[test]
fn property_a_scatter_goes_on_in_its_folder() {
    let place = place();
    let scatter = ["scatter", "crank.toml", "--until", "20ms", "--starts", "6"];
    let plain = found(&place, &scatter);
    let kept = [&scatter[..], &["--out", "s"]].concat();
    assert_eq!(found(&place, &kept), plain);
    let read = |name: &str| std::fs::read(place.path().join("s").join(name)).expect("a file");
    let journal = read("runs.jsonl");
    assert_eq!(found(&place, &kept), plain);
    assert_eq!(read("runs.jsonl"), journal);
    assert!(read("study.html").len() > 1000);
    let rows = table(&place, "s/table.csv");
    assert_eq!((rows.len(), rows[0][0].as_str()), (7, "start.seed"));
    let mean =
        rows[1..].iter().map(|row| row[1].parse::<f64>().expect("a number")).sum::<f64>() / 6.0;
    assert_eq!(rows[0][1], "pin.impacts");
    close(mean, number(&plain["joints"][0]["impacts"]["mean"]), 1e-12, "impacts");
}
