//! Nothing is ignored, nothing is overwritten, nothing is lost: what a user finds after runs that go well, that are stopped, and
//! that are asked for the wrong thing.

use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, Instant};

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).join("model.toml")
}

fn crank() -> String {
    std::fs::read_to_string(model("slider-crank")).expect("a shipped model")
}

/// A folder with the slider-crank as `model.toml`.
fn place() -> TempDir {
    let place = TempDir::new().expect("a folder");
    write(&place, "model.toml", &crank());
    place
}

fn write(place: &TempDir, name: &str, text: &str) {
    let path = place.path().join(name);
    std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    std::fs::write(path, text).expect("written");
}

fn jointplay(place: &TempDir, args: &[&str]) -> Output {
    let mut command = Command::cargo_bin("jointplay").expect("it is built");
    command.current_dir(place.path()).args(args).output().expect("it runs")
}

fn shown(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

#[track_caller]
fn good(place: &TempDir, args: &[&str]) -> String {
    let output = jointplay(place, args);
    assert!(output.status.success(), "{args:?}: {}", shown(&output));
    shown(&output)
}

/// A wrong request: exit code 2, and these words.
#[track_caller]
fn refused(place: &TempDir, args: &[&str], words: &[&str]) {
    let output = jointplay(place, args);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{args:?}: `{word}` is not in\n{text}");
    }
}

const SHORT: [&str; 3] = ["--until", "2 ms", "--no-page"];

#[test]
fn property_parameters_that_nobody_takes_are_named() {
    let place = place();
    let mu = ["--set", "joints.pin.law.mu=0.1"];
    let run = |more: &[&str], words: &[&str]| {
        refused(&place, &[&["run", "model.toml"], more].concat(), words);
    };
    run(&mu, &["--set joints.pin.law.mu=0.1", "has no parameter `mu`"]);
    run(&[&mu[..], &["--law", "hertz"]].concat(), &["`hertz` has no parameter `mu`"]);
    run(&["--set", "joints.pin.law.restitution=0.5"], &["`joints.pin.restitution`"]);
    run(&["--set", "joints.pinn.kind=ideal"], &["no `joints.pinn`", "`pin`"]);
    run(
        &["--set", "run.until=1", "--until", "2"],
        &["--set run.until=1 and --until 2 set the same key"],
    );
    refused(&place, &[&["check", "model.toml"], &mu[..]].concat(), &["no parameter `mu`"]);
    refused(&place, &[&["scatter", "model.toml"], &mu[..]].concat(), &["no parameter `mu`"]);
    let scatter = ["scatter", "model.toml", "--set", "start.disturbance=1 um"];
    refused(&place, &scatter, &["--disturbance"]);
    let compare = ["compare", "model.toml", "--until", "2 ms", "--laws"];
    let friction = [&mu[..], &["--set", "joints.pin.law.slip_speed=1 mm/s"]].concat();
    let none = [&compare[..], &["hertz,flores"], &mu[..]].concat();
    refused(&place, &none, &["none of the laws takes `mu`"]);
    good(&place, &[&compare[..], &["hertz,flores+coulomb-tanh"], &friction].concat());
    assert!(!place.path().join("out/slider-crank").exists());
    let twice =
        ["impact", "--stiffness", "1e9", "--param", "stiffness=1e8", "--mass", "1", "--speed", "1"];
    refused(&place, &twice, &["`stiffness` is given twice"]);
}

/// A key beside the table or list that holds it: one of the two would be dropped.
#[test]
fn regress_keys_and_the_tables_around_them_are_not_set_together() {
    let place = place();
    let run = |more: &[&str], words: &[&str]| {
        refused(&place, &[&["run", "model.toml"], more].concat(), words);
    };
    let table = "run={until=0.2}";
    for pair in [["run.until=0.1", table], [table, "run.until=0.1"]] {
        let words = ["--set run.until=0.1", "--set run={until=0.2}", "`run.until`", "`run`"];
        run(&["--set", pair[0], "--set", pair[1]], &words);
    }
    run(
        &["--until", "0.3", "--set", "run={until=0.01}"],
        &["--set run={until=0.01} and --until 0.3", "`run.until` is inside `run`"],
    );
    let list = r#"output.channels=["slider.x"]"#;
    run(&["--set", "output.channels.0=rod.x", "--set", list], &["`output.channels.0` is inside"]);
    run(&["--channels", "rod.x", "--set", list], &["--channels", list]);
    run(
        &["--set", "joints.pin.restitution=0.3", "--set", "joints.pin={kind=\"ideal\"}"],
        &["`joints.pin.restitution` is inside `joints.pin`"],
    );
    run(&["--set", "run.\"until\"=1", "--until", "2"], &["set the same key"]);
    let start = ["scatter", "model.toml", "--set", "start={disturbance=\"1 um\"}"];
    refused(&place, &start, &["scatter sets start.disturbance itself", "--disturbance"]);
    // A law and then its parameters go together, and neighbours do too.
    let law = ["--set", "joints.pin.law=hertz", "--set", "joints.pin.law.damping=flores"];
    good(&place, &[&["run", "model.toml"], &SHORT[..], &law].concat());
    let two = ["--set", "run.rtol=1e-6", "--set", "output.interval=1 ms"];
    good(&place, &[&["run", "model.toml"], &SHORT[..], &two].concat());
}

/// What is wrong is told by the name under which it was said.
#[test]
fn regress_messages_name_what_was_said() {
    let place = place();
    write(&place, "mine/notes.txt", "mine");
    good(&place, &[&["run", "model.toml", "--out", "r"], &SHORT[..]].concat());
    let says = |args: &[&str], words: &[&str], not: &str| {
        refused(&place, args, words);
        let text = shown(&jointplay(&place, args));
        assert!(!text.contains(not), "{args:?}: `{not}` is in\n{text}");
    };
    says(&["run", "model.toml", "--rtol", "0"], &["--rtol 0: "], "--set");
    says(&["run", "model.toml", "--until", "x"], &["--until x: "], "--set");
    says(&["scatter", "model.toml", "--disturbance", "x"], &["--disturbance x: "], "--set");
    says(&["compare", "model.toml", "--laws", "foo"], &["--laws foo: "], "--law foo");
    says(&["compare", "model.toml", "--laws", "hertz,"], &["no law is named"], "``");
    says(&["compare", "model.toml", "--laws", "hertz, hertz"], &["'hertz' is given twice"], "``");
    says(&["laws", ""], &["no law is named"], "``");
    says(&["run", "model.toml", "--law", ""], &["no law is named", "jointplay laws"], "``");
    says(&["run", "model.toml", "--law", "hertz+"], &["a + without a law"], "``");
    says(&["impact", "--law", ""], &["names no law"], "``");
    says(&["fit", ""], &["no law is named"], "``");
    says(&["plot", "r", "--to", "x.pdf"], &["--to: "], "--plot");
    for command in ["info", "plot"] {
        says(&[command, "mine"], &["is not a result", "jointplay run"], "written into it");
        says(&[command, "model.toml"], &["is a file, not a result folder"], "os error");
        says(&[command, "nowhere"], &["there is no such folder"], "os error");
        says(&[command, "/dev/null"], &["is not a result folder"], "os error");
    }
    says(&["view", "/dev/null", "--no-open"], &["a device"], "os error");
}

#[test]
fn regress_plots_of_no_time_are_refused() {
    let place = place();
    good(&place, &[&["run", "model.toml", "--out", "r"], &SHORT[..]].concat());
    let plot = |more: &[&str], words: &[&str]| {
        refused(&place, &[&["plot", "r", "--to", "p.svg"], more].concat(), words);
    };
    plot(&["--from", "5", "--until", "1"], &["--from 5 --until 1", "start before it ends"]);
    plot(&["--from", "nan"], &["--from", "not a finite number"]);
    plot(&["--until", "inf"], &["--until", "not a finite number"]);
    plot(&["--from", "1 mm"], &["--from", "1 mm"]);
    plot(&["--from", "5"], &["r has no sample between", "from 0 s to 0.002 s"]);
    assert!(!place.path().join("p.svg").exists());
    good(&place, &["plot", "r", "--to", "p.svg", "--from", "0.001", "--until", "0.002"]);
}

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

/// What cannot come to a good end is refused before the run, which would take minutes.
#[test]
fn property_wrong_targets_and_channels_are_refused_before_the_run() {
    let place = place();
    write(&place, "file", "data");
    let start = Instant::now();
    let long = ["run", "model.toml", "--until", "10000 s"];
    let run = |more: &[&str], words: &[&str]| refused(&place, &[&long[..], more].concat(), words);
    run(&["--out", "file"], &["is a file"]);
    run(&["--out", "file/deep"], &["cannot be written"]);
    run(&["--channels", "pin.force,pin.fx,pin.force"], &["`pin.force` is listed 2 times"]);
    run(&["--channels", "pin.forse"], &["did you mean `pin.force`"]);
    let compare = ["compare", "model.toml", "--until", "10000 s", "--laws", "hertz,flores"];
    refused(&place, &[&compare[..], &["--plot", "laws.gif"]].concat(), &[".svg or .png"]);
    assert!(start.elapsed() < Duration::from_secs(20));
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

#[test]
fn property_absurd_sizes_are_answered_at_once() {
    let place = TempDir::new().expect("a folder");
    let with = |from: &str, to: &str| write(&place, "model.toml", &crank().replace(from, to));
    let answered = |words: &[&str]| {
        let start = Instant::now();
        refused(&place, &["check", "model.toml"], words);
        assert!(start.elapsed() < Duration::from_secs(10), "{words:?}: {:?}", start.elapsed());
    };
    let law = "law = \"hertz+lankarani-nikravesh\"\nrestitution = 0.46";
    with(law, &format!("law = \"formula:{}0\"", "delta+".repeat(330_000)));
    answered(&["1980001 bytes; at most 65536"]);
    with("speed = \"200 rpm\"", &format!("value = \"{}0\"", "t+".repeat(1_000_000)));
    answered(&["2000001 bytes; at most 65536"]);
    for (name, words) in [("pin.fx", "listed 400001 times"), ("pn.fx", "no channel `pn.fx`")] {
        let names = format!("channels = [{}\"{name}\", ", format!("\"{name}\",").repeat(400_000));
        with("channels = [", &names);
        answered(&[words]);
    }
    let start = Instant::now();
    for (force, words) in [
        ("5e-324", "too small to compute with"),
        ("1e308", "too large to compute with"),
        ("1e-30", "must lie between"),
    ] {
        let flag = format!("--max-force={force}");
        refused(&place, &["fit", "formula:1e9*delta^1.5", &flag], &[words]);
    }
    assert!(start.elapsed() < Duration::from_secs(10));
}

/// No more threads than runs are made, and absurd numbers of them are refused.
#[test]
fn regress_the_number_of_threads_is_limited() {
    let place = place();
    for threads in ["99999999", "1025", "-1"] {
        let flag = format!("--threads={threads}");
        refused(&place, &["scatter", "model.toml", &flag], &["--threads", "1024"]);
        refused(&place, &["compare", "model.toml", "--laws", "hertz", &flag], &["--threads"]);
    }
    let scatter = ["scatter", "model.toml", "--until", "1 ms", "--starts", "2"];
    good(&place, &[&scatter[..], &["--threads", "1024"]].concat());
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

/// What would have no effect is refused.
#[test]
fn property_requests_without_effect_are_refused() {
    let place = place();
    let ideal = ["--set", "joints.pin.kind=ideal"];
    let run = [&["run", "model.toml", "--law", "hertz+flores"], &ideal[..], &SHORT].concat();
    refused(&place, &run, &["--law hertz+flores", "uses a contact law"]);
    let compare = [&["compare", "model.toml", "--laws", "hertz,johnson"], &ideal[..]].concat();
    refused(&place, &compare, &["--laws hertz,johnson", "uses a contact law"]);
    good(&place, &[&["run", "model.toml", "--out", "r"], &SHORT[..]].concat());
    // Other channels are another result.
    let channels = ["run", "model.toml", "--channels", "pin.force", "--out", "r"];
    refused(&place, &[&channels[..], &SHORT].concat(), &["--channels pin.force", "--force"]);
    good(&place, &[&channels[..4], &SHORT].concat());
    refused(&place, &["view", "r", "--out", "s"], &["already a result"]);
    refused(&place, &["plot", "r", "--channels", "pin.force,pin.force"], &["given twice"]);
    good(&place, &["plot", "r", "--channels", "pin.force", "--from", "1ms", "--to", "f.svg"]);
    refused(&place, &["domain", "johnson,johnson"], &["'johnson' is given twice"]);
    refused(&place, &["new", "-"], &["standard input"]);
    for entry in ["00", "+1"] {
        let set = format!("output.channels.{entry}=slider.x");
        refused(&place, &["run", "model.toml", "--set", &set], &["output.channels"]);
    }
    refused(&place, &["run", "model.toml", "--until", "-1"], &["--until -1", "above 0"]);
    let list = jointplay(&place, &["papers", "--list", "--json"]);
    let list: Value = serde_json::from_slice(&list.stdout).expect("JSON");
    assert!(list.as_array().is_some_and(|papers| papers.len() == 5));
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
