//! Studies that were killed early, that lack values or points, and that take the folder of another one: each says so.

use crate::program::jointplay;
use crate::studies::{found, number, place};

/// Exit code and what is said on standard error.
fn said(place: &tempfile::TempDir, args: &[&str]) -> (Option<i32>, String) {
    let output = jointplay(place, args);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

const WALL: [&str; 4] = ["sweep", "wall.toml", "--metric", "wall.peak_force"];

/// Pins that are an array of n parts.
const CHAIN: &str = r#"
format = 1
name = "chain"
[parameters]
n = 3
[world]
gravity = [0, -9.81]
[bodies.link]
count = "= n"
mass = "0.1 kg"
inertia = "1e-4 kg m^2"
position = ["= (i - 1/2)*100 mm", 0]
[joints.pin]
count = "= n"
type = "revolute"
kind = "clearance"
a = { body = "link[i-1]", at = ["50 mm", 0] }
b = { body = "link[i]", at = ["-50 mm", 0] }
bearing_radius = "5.1 mm"
journal_radius = "5 mm"
material = "steel"
restitution = 0.5
law = "hertz+exact"
[joints."pin[1]"]
a = { body = "ground" }
[run]
until = "20 ms"
"#;

/// A program may be killed before the first line of its journal is complete.
#[test]
fn regress_a_study_that_was_killed_at_its_first_line_goes_on() {
    let place = place();
    for (folder, start) in [("empty", ""), ("torn", "# jointplay jour")] {
        let path = place.path().join(folder);
        std::fs::create_dir(&path).expect("a folder");
        std::fs::write(path.join("runs.jsonl"), start).expect("written");
        let vary = ["--vary", "parameters.v=0.1 m/s,0.2 m/s", "--out", folder];
        assert_eq!(number(&found(&place, &[&WALL[..], &vary].concat())["runs"]), 2.0, "{folder}");
    }
    let path = place.path().join("mine");
    std::fs::create_dir(&path).expect("a folder");
    std::fs::write(path.join("runs.jsonl"), "mine").expect("written");
    let vary = ["--vary", "parameters.v=0.1 m/s,0.2 m/s", "--out", "mine"];
    let (code, text) = said(&place, &[&WALL[..], &vary].concat());
    assert!(code == Some(2) && text.contains("not the folder of a study"), "{text}");
}

/// A part that only some variants have is measured in these, whatever their order; `pin[*]` is every part that a variant has.
#[test]
fn property_metrics_of_arrays_do_not_depend_on_the_order_of_variants() {
    let place = place();
    std::fs::write(place.path().join("chain.toml"), CHAIN).expect("written");
    let metrics = ["--metric", "pin-4.impacts", "--metric", "pin[4].impacts"];
    let sums = ["--metric", "sum(pin[*].impacts)", "--metric", "max(pin[*].force)"];
    let each = ["--metric", "pin-1.impacts + pin-2.impacts + pin-3.impacts"];
    let rows = |n: &str, out: &str| {
        let vary = ["sweep", "chain.toml", "--vary", n, "--out", out];
        found(&place, &[&vary[..], &metrics, &sums, &each].concat());
        let table = std::fs::read_to_string(place.path().join(out).join("table.csv"));
        let table = table.expect("a table");
        let mut rows: Vec<Vec<String>> =
            table.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect();
        rows.sort();
        rows
    };
    let up = rows("parameters.n=3,4", "up");
    assert_eq!(up, rows("parameters.n=4,3", "down"));
    assert_eq!((&up[0][1], &up[0][2], &up[0][3]), (&String::new(), &String::new(), &up[0][5]));
    assert!(!up[1][1].is_empty() && up[1][1] == up[1][2], "{up:?}");
    let five = ["--vary", "parameters.n=3,4", "--metric", "pin[5].impacts", "--out", "five"];
    let (code, text) = said(&place, &[&["sweep", "chain.toml"], &five[..]].concat());
    assert!(code == Some(2) && text.contains("`pin` has the parts 1 to 3"), "{text}");
    // The channels of every part in a diagram.
    let diagram = ["bifurcation", "chain.toml", "--vary", "joints.pin.restitution=0.5"];
    let period = ["--period", "1 ms", "--transient", "1", "--periods", "4", "--observe"];
    let findings = found(&place, &[&diagram[..], &period, &["pin[*].ex", "--out", "d"]].concat());
    assert_eq!(findings["measured"], serde_json::json!(["pin-1.ex", "pin-2.ex", "pin-3.ex"]));
}

/// Metrics without values, samples without results.
#[test]
fn property_missing_values_are_warned_of() {
    let place = place();
    let vary = ["sweep", "numbers.toml", "--vary", "parameters.x1=0.1,0.2", "--out", "none"];
    let findings = found(&place, &[&vary[..], &["--metric", "1/0"]].concat());
    let warnings = findings["warnings"].to_string();
    assert!(warnings.contains("`1/0` has no value in any run"), "{warnings}");
    assert!(!warnings.contains("no effect"), "{warnings}");
    let percent =
        ["sweep", "crank.toml", "--vary", "joints.pin.restitution=0.5", "--out", "refused"];
    let (code, text) =
        said(&place, &[&percent[..], &["--metric", "percentile(crank.angle, 101)"]].concat());
    assert!(code == Some(2) && text.contains("101, not from 0 to 100"), "{text}");
    // The root has no value for half of the inputs.
    let keys = ["--vary", "parameters.x1=-1:1", "--vary", "parameters.x2=0:1", "--out", "half"];
    let root = ["sensitivity", "numbers.toml", "--samples", "16", "--metric", "sqrt(x1) + x2"];
    let findings = found(&place, &[&root[..], &keys].concat());
    let used = number(&findings["samples_used"]["sqrt(x1) + x2"]);
    assert!(used < 16.0, "{findings}");
    let expected = format!("only {used} of 16 samples count");
    let (_, text) = said(&place, &["study", "half"]);
    assert!(findings["warnings"].to_string().contains(&expected), "{findings}");
    assert!(text.contains(&expected) && text.contains("remaining distribution"), "{text}");
}

/// Points that no part has, folders that cannot be made, and the folder of another study.
#[test]
fn property_missing_parts_and_replaced_files_are_said() {
    let place = place();
    let four = ["--vary", "parameters.v=0.1 m/s:0.4 m/s:4"];
    found(&place, &[&WALL[..], &four, &["--shard", "1/2", "--out", "part"]].concat());
    let (code, text) = said(&place, &["study", "merge", "part", "--out", "whole"]);
    assert!(code == Some(0) && text.contains("warning: 2 of 4 points are missing"), "{text}");
    // Going on with a study replaces nothing.
    for args in [&["study", "whole"][..], &[&WALL[..], &four, &["--out", "whole"]].concat()] {
        let (code, text) = said(&place, args);
        assert!(code == Some(0) && !text.contains("different study"), "{text}");
    }
    let other = ["--vary", "parameters.v=0.2 m/s,0.3 m/s", "--out", "whole"];
    let (code, text) = said(&place, &[&WALL[..], &other].concat());
    assert!(code == Some(0) && text.contains("'whole' has a different study"), "{text}");
    assert!(text.contains("its runs stay in runs.jsonl"), "{text}");
    let (code, text) = said(&place, &[&WALL[..], &four, &["--out", "wall.toml/in"]].concat());
    assert!(code == Some(2) && text.contains("cannot be created"), "{text}");
    assert!(text.contains("choose another folder with --out"), "{text}");
}
