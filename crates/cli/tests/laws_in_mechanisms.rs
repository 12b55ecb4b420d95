//! The shipped models with many laws, against `golden/mechanisms-laws`: an independent program in minimal coordinates and
//! extended precision, whose laws were written from the papers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::sweep;

const QUANTITIES: [&str; 9] = [
    "start",
    "end",
    "impact_speed",
    "max_indentation",
    "max_force",
    "impulse",
    "restitution",
    "loss_normal",
    "loss_friction",
];

type Row = BTreeMap<String, String>;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The rows of a CSV file without quotes.
fn table(path: &Path) -> Vec<Row> {
    let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let row = |line: &str| {
        let cells = line.split(',').map(String::from);
        head.iter().map(|name| (*name).to_string()).zip(cells).collect()
    };
    lines.map(row).collect()
}

fn golden(name: &str) -> Vec<Row> {
    table(&workspace().join("golden/mechanisms-laws").join(name))
}

fn number(row: &Row, name: &str) -> Option<f64> {
    row[name].parse().ok()
}

/// In the order of time; contacts that start in one instant in the order of their regions.
fn ordered(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by(|a, b| {
        let [s, t] = [a, b].map(|row| number(row, "start").expect("a start"));
        s.total_cmp(&t).then_with(|| a["region"].cmp(&b["region"]))
    });
    rows
}

/// What the program writes for a case: its summary, episodes and channels.
fn run(case: &Row, channels: &str, folder: &TempDir, rtol: Option<&str>) -> [Vec<Row>; 2] {
    let file = match case["model"].as_str() {
        "pin-in-bore-fixed" => "pin-in-bore/fixed.toml".to_string(),
        name => format!("{name}/model.toml"),
    };
    let mut command = Command::cargo_bin("jointplay").expect("it is built");
    command.current_dir(folder.path()).arg("run").arg(workspace().join("models").join(file));
    command.args(["--json", "--no-page", "--force", "--out", "r", "--law", &case["law"]]);
    command.args(["--until", &case["until"], "--channels", channels]);
    for set in case["sets"].split(';').filter(|set| !set.is_empty()) {
        command.args(["--set", set]);
    }
    if let Some(rtol) = rtol {
        command.args(["--rtol", rtol]);
    }
    let output = command.output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", case["case"]);
    let summary: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(summary["outcome"], "reached-end", "{}", case["case"]);
    let result = folder.path().join("r");
    [ordered(table(&result.join("impacts.csv"))), table(&result.join("channels.csv"))]
}

/// Limits of relative errors.
#[derive(Clone, Copy)]
struct Limits {
    /// In the first two episodes.
    first: f64,
    /// In the others: each impact amplifies the errors of those before it.
    later: f64,
    /// Of samples, relative to the largest of the channel.
    samples: f64,
}

const TIGHT: Limits = Limits { first: 1e-8, later: 1e-6, samples: 1e-7 };
const DEFAULT: Limits = Limits { first: 1e-6, later: 1e-5, samples: 1e-5 };

/// Rows that a start different by 1e-13 moves by more than this tell nothing.
const SPREAD: f64 = 5e-11;

/// Cases whose first episodes do not reach 1e-8. A stiff linear spring is dented by 1e-7 m, of which the tolerance of
/// lengths, rtol times the clearance, is 3e-9. The peaks of two corners at once come from a dense output between steps
/// that the stability of their rotation limits.
fn is_hard(name: &str) -> bool {
    ["m3-linear-lankarani-nikravesh-plastic", "m3-linear-jankowski", "m7-smooth"].contains(&name)
}

/// Until when (s) the reference holds. It forgets a dent as soon as a contact ends in it, while the surfaces still overlap, and
/// a pin that comes back before they have parted goes through the wall: its last contact is the last that counts.
fn reference_ends(name: &str, episodes: &[Row]) -> f64 {
    if !name.ends_with("plastic") {
        return f64::INFINITY;
    }
    episodes.iter().filter_map(|row| number(row, "end")).fold(0.0, f64::max)
}

/// Errors of one case above the limits.
fn judge_case(
    case: &Row,
    golden: [&[Row]; 3],
    runs: &TempDir,
    rtol: Option<&str>,
    limits: Limits,
) -> Vec<String> {
    let name = &case["case"];
    let of_case = |rows: &[Row]| -> Vec<Row> {
        rows.iter().filter(|row| row["case"] == *name).cloned().collect()
    };
    let [episodes, samples, summary] = golden.map(of_case);
    let mut channels: Vec<&str> = samples.iter().map(|row| row["channel"].as_str()).collect();
    channels.sort_unstable();
    channels.dedup();
    let [mut found, motion] = run(case, &channels.join(","), runs, rtol);
    let reference_ends = reference_ends(name, &episodes);
    found.retain(|row| number(row, "start").is_some_and(|start| start < reference_ends));
    let mut wrong = Vec::new();
    let mut check = |what: String, error: f64, limit: f64| {
        if !(error <= limit) {
            wrong.push(format!("{name}: {what} off by {error:.1e}"));
        }
    };
    if number(&summary[0], "spread").expect("a number") < 1e-6 {
        assert_eq!(found.len(), episodes.len(), "{name}: episodes");
    }
    for (k, (theirs, ours)) in ordered(episodes).iter().zip(&found).enumerate() {
        let known = |quantity| number(theirs, quantity).expect("a number");
        if known("spread") > SPREAD {
            continue;
        }
        let least = 0.1 * known("impulse") * known("impact_speed");
        for quantity in QUANTITIES {
            // An open episode has no end in the reference.
            let Some(a) = number(theirs, quantity) else { continue };
            // The reference divides the speeds of every episode; the product gives a restitution to impacts alone.
            if quantity == "restitution" && ours[quantity].is_empty() {
                continue;
            }
            let b = number(ours, quantity).unwrap_or(f64::NAN);
            let scale = if quantity.starts_with("loss") { a.abs().max(least) } else { a.abs() };
            let limit = if k < 2 && !is_hard(name) { limits.first } else { limits.later };
            check(format!("{quantity} of episode {k}"), (b - a).abs() / scale, limit);
        }
    }
    let times: Vec<f64> =
        motion.iter().map(|row| number(row, "time [s]").expect("a time")).collect();
    for theirs in &samples {
        let [t, a, spread] =
            ["t", "value", "spread"].map(|key| number(theirs, key).expect("a number"));
        let channel = &theirs["channel"];
        let like = samples.iter().filter(|row| row["channel"] == *channel);
        let scale =
            like.map(|row| number(row, "value").expect("a number").abs()).fold(0.0, f64::max);
        if scale == 0.0 || spread > SPREAD * scale || t > reference_ends {
            continue;
        }
        let at = times.iter().position(|time| (time - t).abs() < 1e-12);
        let ours = &motion[at.unwrap_or_else(|| panic!("{name}: no sample at {t}"))];
        let column = ours.iter().find(|(key, _)| key.split(' ').next() == Some(channel));
        let b: f64 = column.expect("it was asked for").1.parse().expect("a number");
        check(format!("{channel} at {t} s"), (b - a).abs() / scale, limits.samples);
    }
    wrong
}

/// Every second case of a mechanism at a tight tolerance and every fourth at the default one; all of them in soak.
fn judge(mechanism: &str, rtol: Option<&str>, limits: Limits) {
    let step = sweep::cases(if rtol.is_some() { 2 } else { 4 }, 1);
    let folder = TempDir::new().expect("a folder");
    let [episodes, samples, summary] = ["episodes.csv", "samples.csv", "summary.csv"].map(golden);
    let mut wrong = Vec::new();
    let mut judged = 0;
    let mut cases = golden("cases.csv");
    cases.retain(|case| case["case"].starts_with(mechanism));
    for case in cases.into_iter().step_by(step) {
        judged += 1;
        wrong.extend(judge_case(&case, [&episodes, &samples, &summary], &folder, rtol, limits));
    }
    println!("{judged} cases");
    assert!(judged > 0 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn peer_laws_of_a_pin_in_a_bore() {
    judge("m2-", Some("1e-12"), TIGHT);
    judge("m2-", None, DEFAULT);
}

#[test]
fn peer_laws_of_a_slider_crank() {
    judge("m3-", Some("1e-12"), TIGHT);
}

#[test]
fn peer_laws_of_a_slider_crank_by_default() {
    judge("m3-", None, DEFAULT);
}

#[test]
fn peer_laws_of_a_pin_in_a_slot() {
    judge("m4-", Some("1e-12"), TIGHT);
    judge("m4-", None, DEFAULT);
}

#[test]
fn peer_laws_of_a_scotch_yoke() {
    judge("m5-", Some("1e-12"), TIGHT);
    judge("m5-", None, DEFAULT);
}

#[test]
fn peer_laws_of_a_block_in_a_guide() {
    judge("m7", Some("1e-12"), TIGHT);
    judge("m7", None, DEFAULT);
}
