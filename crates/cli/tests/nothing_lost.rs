//! Nothing is overwritten, nothing is lost: what a user finds after runs that finish, that are stopped and that fail.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::{jointplay, shown};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).join("model.toml")
}

pub(crate) fn crank() -> String {
    std::fs::read_to_string(model("slider-crank")).expect("a shipped model")
}

/// A folder with the slider-crank as `model.toml`.
pub(crate) fn place() -> TempDir {
    let place = TempDir::new().expect("a folder");
    write(&place, "model.toml", &crank());
    place
}

pub(crate) fn write(place: &TempDir, name: &str, text: &str) {
    let path = place.path().join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

#[track_caller]
pub(crate) fn good(place: &TempDir, args: &[&str]) -> String {
    let output = jointplay(place, args);
    assert!(output.status.success(), "{args:?}: {}", shown(&output));
    shown(&output)
}

/// A wrong request: exit code 2, and these words.
#[track_caller]
pub(crate) fn refused(place: &TempDir, args: &[&str], words: &[&str]) {
    let output = jointplay(place, args);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{args:?}: `{word}` is not in\n{text}");
    }
}

pub(crate) const SHORT: [&str; 3] = ["--until", "2 ms", "--no-page"];

/// No half of a model is left where the disk is full; here a limit on files stands for that.
#[cfg(unix)]
#[test]
fn regress_a_full_disk_leaves_no_empty_model() {
    let place = TempDir::new().expect("a folder");
    let program = assert_cmd::cargo::cargo_bin("jointplay");
    let script = format!("trap '' XFSZ; ulimit -f 0; exec '{}' new m.toml", program.display());
    let output = std::process::Command::new("sh")
        .current_dir(place.path())
        .args(["-c", &script])
        .output()
        .expect("it runs");
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(shown(&output).contains("cannot write m.toml"), "{}", shown(&output));
    assert!(!place.path().join("m.toml").exists());
    good(&place, &["new", "m.toml"]);
    refused(&place, &["new", "m.toml"], &["exists"]);
}

/// Variants lie side by side, an edited model replaces its own result, and another model of the name does not.
#[test]
fn property_results_of_other_input_are_not_replaced() {
    let place = place();
    let run = |more: &[&str]| good(&place, &[&["run", "model.toml"], &SHORT[..], more].concat());
    let folder = |name: &str| place.path().join("out").join(name);
    run(&[]);
    run(&["--law", "hertz"]);
    run(&["--set", "joints.pin.kind=ideal"]);
    for name in [
        "slider-crank_until-2-ms",
        "slider-crank_until-2-ms_law-hertz",
        "slider-crank_joints.pin.kind-ideal_until-2-ms",
    ] {
        assert!(folder(name).join("channels.csv").exists(), "{name}");
    }
    // The same file, edited.
    write(&place, "model.toml", &crank().replace("200 rpm", "300 rpm"));
    run(&[]);
    // Another file of the same name, and a variant into a folder that holds something else.
    write(&place, "b/model.toml", &crank().replace("200 rpm", "400 rpm"));
    let other = [&["run", "b/model.toml"], &SHORT[..]].concat();
    refused(&place, &other, &["../../model.toml", "--out FOLDER", "--force"]);
    let out = |law: &'static str| {
        [&["run", "model.toml", "--out", "r", "--law", law], &SHORT[..]].concat()
    };
    good(&place, &out("hertz"));
    refused(&place, &out("flores"), &["--law hertz", "--law flores", "--out FOLDER", "--force"]);
    good(&place, &out("hertz"));
    good(&place, &[&out("flores")[..], &["--force"]].concat());
}

#[test]
fn property_files_of_the_user_stay() {
    let place = place();
    let run = [&["run", "model.toml", "--out", "r"], &SHORT[..]].concat();
    good(&place, &run);
    write(&place, "r/notes.txt", "mine");
    write(&place, "r/figures/mine.svg", "mine");
    good(&place, &run);
    good(&place, &[&run[..], &["--law", "hertz", "--force"]].concat());
    for name in ["r/notes.txt", "r/figures/mine.svg"] {
        let text = std::fs::read_to_string(place.path().join(name)).expect(name);
        assert_eq!(text, "mine");
    }
}

/// Starts the program, sends it a signal after a while, and gives its exit code and what it said.
#[cfg(unix)]
fn stopped(place: &TempDir, args: &[&str], signal: &str) -> (Option<i32>, String) {
    let program = assert_cmd::cargo::cargo_bin("jointplay");
    // A test that runs in the background inherits that Ctrl-C is ignored, and the program would respect that.
    let heard = "--default-signal=INT,TERM,HUP";
    let resets = std::process::Command::new("env").args([heard, "true"]).output();
    let mut command = std::process::Command::new(&program);
    if resets.is_ok_and(|output| output.status.success()) {
        command = std::process::Command::new("env");
        command.arg(heard).arg(&program);
    }
    let child = command
        .current_dir(place.path())
        .args(args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("it starts");
    std::thread::sleep(Duration::from_millis(1500));
    let sent = std::process::Command::new("kill")
        .args([format!("-{signal}"), child.id().to_string()])
        .status()
        .expect("it runs");
    assert!(sent.success());
    let output = child.wait_with_output().expect("it ends");
    (output.status.code(), shown(&output))
}

/// How the run of a result ended.
#[cfg(unix)]
fn outcome(place: &TempDir, folder: &str) -> Value {
    let summary = std::fs::read(place.path().join(folder).join("summary.json")).expect("a result");
    let summary: Value = serde_json::from_slice(&summary).expect("JSON");
    summary["outcome"].clone()
}

/// Signals that end a session keep what was computed, as Ctrl-C does; the exit code tells which.
#[cfg(unix)]
#[test]
fn property_signals_keep_results() {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let place = place();
        let args = ["run", "model.toml", "--until", "10000 s", "--out", "r", "--no-page"];
        let args = [&args[..], &["--set", "output.interval=1 s"]].concat();
        let (found, text) = stopped(&place, &args, signal);
        assert_eq!(found, Some(code), "{signal}: {text}");
        assert_eq!(outcome(&place, "r"), "interrupted", "{signal}");
    }
}

/// A run that is stopped does not take the place of a complete result, and a comparison that is stopped of no other.
#[cfg(unix)]
#[test]
fn regress_complete_results_outlive_interrupted_runs() {
    let place = place();
    let run = ["run", "model.toml", "--out", "r", "--no-page", "--set", "output.interval=1 s"];
    let compare = ["compare", "model.toml", "--laws", "hertz,flores", "--out", "c"];
    let with = |until: &str| write(&place, "model.toml", &crank().replace("0.6 s", until));
    with("2 ms");
    good(&place, &run);
    good(&place, &compare);
    let page = || std::fs::read(place.path().join("c/report.html")).expect("a page");
    let before = page();
    with("10000 s");
    for _ in 0..2 {
        let (code, text) = stopped(&place, &run, "TERM");
        assert_eq!(code, Some(143), "{text}");
        assert!(text.contains("what was computed is in r-interrupted;"), "{text}");
        assert!(text.contains("the result in r got further and is unchanged"), "{text}");
        assert_eq!(outcome(&place, "r"), "reached-end");
        assert_eq!(outcome(&place, "r-interrupted"), "interrupted");
    }
    // What is in the way of that stays too.
    write(&place, "r-interrupted/manifest.json", "mine");
    let (_, text) = stopped(&place, &run, "INT");
    assert!(text.contains("what was computed is in r-interrupted-2;"), "{text}");
    assert_eq!(outcome(&place, "r-interrupted-2"), "interrupted");
    let (code, text) = stopped(&place, &compare, "INT");
    assert_eq!(code, Some(130), "{text}");
    assert!(text.contains("nothing was written"), "{text}");
    assert!(page() == before);
    // A complete run takes its place.
    with("3 ms");
    good(&place, &run);
    assert_eq!(outcome(&place, "r"), "reached-end");
}

#[test]
fn property_a_model_comes_from_the_standard_input() {
    let place = TempDir::new().expect("a folder");
    write(&place, "stiff.csv", "0,0\n1e-5,1e3\n1e-4,2e4\n");
    let piped = |args: &[&str], text: &str| {
        let mut command = Command::cargo_bin("jointplay").expect("it is built");
        command.current_dir(place.path()).args(args).write_stdin(text).output().expect("it runs")
    };
    let nameless = crank().replace("name = \"slider-crank\"", "");
    for file in ["-", "/dev/stdin"] {
        let output =
            piped(&["run", file, "--until", "5 ms", "--law", "table:stiff.csv"], &nameless);
        assert!(output.status.success(), "{}", shown(&output));
        assert!(place.path().join("out/stdin_until-5-ms_law-table-stiff.csv/report.html").exists());
    }
    let long = "#".repeat(5 << 20);
    let output = piped(&["check", "-"], &long);
    assert!(output.status.code() == Some(2) && shown(&output).contains("longer than 4 MB"));
}

#[cfg(target_os = "linux")]
#[test]
fn property_pipes_and_devices_are_refused_at_once() {
    let place = place();
    let made = std::process::Command::new("mkfifo").arg(place.path().join("pipe")).status();
    assert!(made.expect("it runs").success());
    let start = Instant::now();
    refused(&place, &["check", "pipe"], &["this is a pipe", "pipe the model into `-`"]);
    refused(&place, &["check", "/dev/zero"], &["this is a device"]);
    std::fs::create_dir(place.path().join("empty")).expect("made");
    refused(&place, &["check", "empty"], &["this is a folder without a model.toml"]);
    refused(&place, &["law", "table:/dev/zero", "--indentation", "1um"], &["is a device"]);
    refused(&place, &["law", "table:pipe", "--indentation", "1um"], &["is a pipe"]);
    refused(&place, &["playground", "pipe"], &["is not a page"]);
    std::os::unix::fs::symlink("/dev/zero", place.path().join("zero.csv")).expect("linked");
    refused(
        &place,
        &["check", "model.toml", "--set", "joints.pin.law=table:zero.csv"],
        &["zero.csv"],
    );
    refused(&place, &["info", "pipe"], &["pipe"]);
    assert!(start.elapsed() < Duration::from_secs(5));
}

/// Names of models, channels and files are shown without what a terminal would obey.
#[test]
fn property_no_escapes_reach_the_terminal() {
    let place = TempDir::new().expect("a folder");
    let name = "name = \"a\\u001b[31mb\\u0007\\u009b2Jc\\u202e\"";
    let bad = crank().replace("name = \"slider-crank\"", name);
    write(&place, "model.toml", &bad);
    write(
        &place,
        "\u{1b}[31mred.toml",
        &bad.replace("[bodies.crank]", "[bodies.\"cr\\u001bank\"]"),
    );
    let clean = |args: &[&str]| {
        let output = jointplay(&place, args);
        let text = shown(&output);
        let hidden = "\u{202e}\u{200f}\u{61c}\u{2028}\u{feff}\u{ad}\u{e0041}";
        let order = |c: char| (c.is_control() && c != '\n') || hidden.contains(c);
        assert!(!text.contains(order), "{args:?}: {text:?}");
        output
    };
    clean(&[&["run", "model.toml", "--out", "r"], &SHORT[..]].concat());
    clean(&["info", "r"]);
    clean(&["check", "\u{1b}[31mred.toml"]);
    clean(&["check", "none\u{1b}[31m.toml"]);
    clean(&["run", "model.toml", "--channels", "\u{1b}[2Jpin"]);
    clean(&["check", "a\u{200f}\u{61c}\u{2028}\u{feff}\u{ad}\u{e0041}.toml"]);
    clean(&["\u{9b}31m\u{202e}"]);
    clean(&["scatter", "model.toml", "--starts", "\u{9b}2J"]);
    clean(&["run", "model.toml", "--set", "joints.pin\u{1b}[2J.kind=ideal"]);
    // As data the name is exact.
    let json = clean(&[&["run", "model.toml", "--out", "r", "--json"], &SHORT[..]].concat());
    let summary: Value = serde_json::from_slice(&json.stdout).expect("JSON");
    assert_eq!(summary["model"], "a\u{1b}[31mb\u{7}\u{9b}2Jc\u{202e}");
}

/// Runs that fail are counted as failed and not as results.
#[test]
fn property_failed_runs_of_a_scatter_are_counted() {
    let place = place();
    let args = ["scatter", "model.toml", "--starts", "3", "--set", "run.max_steps=20"];
    let output = jointplay(&place, &args);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(shown(&output).contains("all 3 runs failed"), "{}", shown(&output));
    let output = jointplay(&place, &[&args[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!((&found["runs"], &found["failed"]), (&0.into(), &3.into()));
    assert_eq!(found["failures"][0]["seed"], 1);
}

/// Every law whose run fails is named with the reason, and marked where its numbers stand.
#[test]
fn regress_failed_runs_of_a_comparison_are_all_named() {
    let place = place();
    let args = ["compare", "model.toml", "--laws", "hertz,flores", "--set", "run.max_steps=20"];
    let output = jointplay(&place, &args);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    for law in ["hertz", "flores"] {
        assert!(err.contains(&format!("{law}: the run ")), "{err}");
        let row = out.lines().find(|line| line.starts_with(law)).expect("a row");
        assert!(row.contains("FAILED at "), "{out}");
    }
    let output = jointplay(&place, &[&args[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["failed"].as_object().map(serde_json::Map::len), Some(2));
    assert_eq!(found["laws"]["flores"]["outcome"], "failed");
    let table = place.path().join("out/slider-crank-laws_run.max_steps-20/laws.csv");
    let table = std::fs::read_to_string(table).expect("a table");
    assert!(table.lines().skip(1).all(|row| row.ends_with(",failed")), "{table}");
    // Without a failure there is no such mark.
    let good = good(&place, &["compare", "model.toml", "--laws", "hertz", "--until", "1 ms"]);
    assert!(!good.contains("outcome") && !good.contains("FAILED"), "{good}");
}

/// The page lets nothing run but its own script, whose hash stands in its policy.
#[test]
fn property_the_page_has_a_content_security_policy() {
    let place = place();
    good(&place, &["playground", "page.html"]);
    let page = std::fs::read_to_string(place.path().join("page.html")).expect("a page");
    let (_, rest) = page.split_once("Content-Security-Policy\" content=\"").expect("a policy");
    let (policy, _) = rest.split_once('"').expect("an end");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    for word in ["'wasm-unsafe-eval'", "worker-src blob:", "base-uri 'none'"] {
        assert!(policy.contains(word), "{policy}");
    }
    assert!(!policy.contains("http") && !policy.contains("script-src 'unsafe-inline'"));
    // It stands before all scripts, and only one of them is no data.
    let scripts = page.matches("<script").count();
    let data = page.matches("<script type=\"application/json\"").count()
        + page.matches("<script type=\"text/plain\"").count();
    assert_eq!(scripts, data + 1);
    assert!(page.find("Content-Security-Policy") < page.find("<script"));
}

/// Nothing replaces files of the user's: not the model itself, not those of the names that a result needs.
#[test]
fn property_force_replaces_results_only() {
    let place = place();
    let model = std::fs::read_to_string(place.path().join("model.toml")).expect("there");
    write(&place, "d/model.toml", &model);
    let run = ["run", "d/model.toml", "--law", "hertz", "--out", "d", "--force"];
    refused(&place, &[&run[..], &SHORT].concat(), &["'model.toml'", "--out FOLDER"]);
    assert_eq!(std::fs::read_to_string(place.path().join("d/model.toml")).expect("there"), model);
    for name in ["channels.csv", "report.html", "laws.csv"] {
        let folder = format!("of-{name}");
        write(&place, &format!("{folder}/{name}"), "mine");
        let run = [&["run", "model.toml", "--out", &folder, "--force"][..], &SHORT].concat();
        refused(&place, &run, &[name, "--out FOLDER"]);
        let compare =
            ["compare", "model.toml", "--laws", "hertz", "--until", "2 ms", "--force", "--out"];
        refused(&place, &[&compare[..], &[&folder]].concat(), &[name]);
        assert_eq!(std::fs::read_dir(place.path().join(&folder)).expect("there").count(), 1);
    }
    // Other files are in nobody's way.
    write(&place, "free/thesis.tex", "mine");
    good(&place, &[&["run", "model.toml", "--out", "free", "--force"], &SHORT[..]].concat());
    assert!(place.path().join("free/thesis.tex").exists());
}

/// A run that fails replaces no result that got farther.
#[test]
fn property_complete_results_outlive_failed_runs() {
    let place = place();
    let run = ["run", "model.toml", "--out", "r", "--until", "50 ms", "--no-page"];
    good(&place, &run);
    let model = std::fs::read_to_string(place.path().join("model.toml")).expect("there");
    let edited = model.replace("[run]", "[run]\nmax_steps = 20");
    assert_ne!(model, edited);
    write(&place, "model.toml", &edited);
    for _ in 0..2 {
        let output = jointplay(&place, &run);
        assert_eq!(output.status.code(), Some(1));
        assert!(shown(&output).contains("what was computed is in r-failed"), "{}", shown(&output));
        assert_eq!(outcome(&place, "r"), "reached-end");
        assert_eq!(outcome(&place, "r-failed"), "failed");
    }
    assert!(!place.path().join("r-failed-2").exists());
}

/// A limit of file sizes is an error like a full disk.
#[cfg(unix)]
#[test]
fn regress_a_limit_of_file_sizes_is_told() {
    let place = place();
    let program = assert_cmd::cargo::cargo_bin("jointplay");
    let program = program.display();
    let order = format!("ulimit -f 8; '{program}' run model.toml --out r --until '2 ms' --no-page");
    let output = std::process::Command::new("sh")
        .args(["-c", &order])
        .current_dir(place.path())
        .output()
        .expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{}", shown(&output));
    assert!(shown(&output).contains("error:"), "{}", shown(&output));
    assert_eq!(std::fs::read_dir(place.path()).expect("there").count(), 1);
}
