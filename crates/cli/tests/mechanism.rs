//! The commands on model files as a user would run them: what they print, write and return.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::jointplay;
use crate::sweep;

fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

pub(crate) fn model(name: &str) -> String {
    models().join(name).join("model.toml").display().to_string()
}

pub(crate) fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

pub(crate) fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

pub(crate) fn json(output: &Output) -> Value {
    assert!(output.status.success(), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON and nothing else")
}

pub(crate) fn close(value: &Value, expected: f64, tolerance: f64) {
    let found = value.as_f64().expect("a number");
    assert!((found / expected - 1.0).abs() < tolerance, "{found} instead of {expected}");
}

/// The reference numbers of the slider-crank come from an independent program.
#[test]
fn peer_run_prints_the_summary_as_json() {
    let folder = folder();
    let file = model("slider-crank");
    let summary = json(&jointplay(&folder, &["run", &file, "--json", "--rtol", "1e-12"]));
    assert_eq!(summary["outcome"], "reached-end");
    assert_eq!(summary["t_end"], 0.6);
    assert!(summary["energy_residual"].as_f64().expect("a number") < 1e-9);
    for key in ["wall_seconds", "steps", "rhs_evaluations", "energy_residual_joule"] {
        assert!(summary[key].is_number(), "{key}");
    }
    let pin = &summary["contacts"]["pin"];
    assert_eq!(pin["impacts"], 24);
    close(&pin["first_impact_time"], 4.4229600349959e-3, 1e-9);
    close(&pin["first_impact_speed"], 0.1129189557129877, 1e-9);
    close(&pin["peak_force"], 1920.199748, 1e-6);
    close(&pin["contact_fraction"], 0.86475, 1e-5);
}

#[test]
fn property_run_writes_a_result_folder() {
    let folder = folder();
    let file = model("pin-slot");
    let output = jointplay(&folder, &["run", &file, "--out", "r", "--until", "20 ms"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let shown = text(&output.stdout);
    for word in ["impacts", "peak force", "energy residual", "evaluations", "result  r"] {
        assert!(shown.contains(word), "{word} in\n{shown}");
    }
    let result = folder.path().join("r");
    let read = |name: &str| std::fs::read_to_string(result.join(name)).expect(name);
    let channels = read("channels.csv");
    assert!(channels.starts_with("time [s],plate.x [m],"), "{}", &channels[..80]);
    assert!(!channels.contains("NaN") && !channels.contains("inf"));
    let head = "joint,region,start,end,impact_speed,max_indentation,max_force,duration,impulse,restitution,\
                loss_normal,loss_friction,out_of_domain";
    assert!(read("impacts.csv").starts_with(head));
    assert!(read("report.html").contains("id=\"run-0\""));
    let manifest: Value = serde_json::from_str(&read("manifest.json")).expect("JSON");
    assert_eq!(manifest["program"], "jointplay");
    assert!(result.join("channels.parquet").exists() && result.join("figures").is_dir());
    // The same run leaves the same bytes, and may replace its result.
    let again = jointplay(&folder, &["run", &file, "--out", "r", "--until", "20 ms"]);
    assert!(again.status.success(), "{}", text(&again.stderr));
    assert_eq!(read("channels.csv"), channels);
    // But not what is no result.
    std::fs::create_dir(folder.path().join("mine")).expect("made");
    std::fs::write(folder.path().join("mine/notes.txt"), "keep").expect("written");
    let refused = jointplay(&folder, &["run", &file, "--out", "mine", "--until", "1 ms"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("is not a result"), "{}", text(&refused.stderr));
    assert!(folder.path().join("mine/notes.txt").exists());
    // What was written can be told and drawn.
    let info = json(&jointplay(&folder, &["info", "r", "--json"]));
    assert_eq!(info["summary"]["outcome"], "reached-end");
    let plot = jointplay(&folder, &["plot", "r", "--channels", "pin.force", "--to", "f.svg"]);
    assert!(plot.status.success(), "{}", text(&plot.stderr));
    assert!(folder.path().join("f.svg").exists());
    let plot = jointplay(&folder, &["plot", "r", "--channels", "pin.forse"]);
    assert_eq!(plot.status.code(), Some(2));
    assert!(text(&plot.stderr).contains("no channel `pin.forse`"));
}

/// An ideal slider-crank does the same in every turn: its section is one point, its spectrum has lines at whole multiples of the speed.
#[test]
fn property_plot_gives_spectra_and_sections() {
    let folder = folder();
    let file = model("slider-crank");
    let run = ["run", &file, "--out", "r", "--no-page", "--set", "joints.pin.kind=ideal"];
    let run = jointplay(&folder, &[&run[..], &["--until", "1.2 s"]].concat());
    assert!(run.status.success(), "{}", text(&run.stderr));
    let plot = |more: &[&str]| jointplay(&folder, &[&["plot", "r"], more].concat());

    let section =
        ["--channels", "slider.vx", "--against", "slider.x", "--section", "--phase", "0.3"];
    let section = json(&plot(&[&section[..], &["--to", "p.svg", "--json"]].concat()));
    let period = section["sections"][0]["period"].as_f64().expect("a period");
    let points = &section["sections"][0]["points"];
    let list = |key: &str| -> Vec<f64> {
        points[key].as_array().expect(key).iter().filter_map(Value::as_f64).collect()
    };
    let (t, x) = (list("t"), list("x"));
    assert!(t.len() >= 2 && x.iter().all(|value| (value - x[0]).abs() < 1e-4), "{x:?}");
    assert!((t[1] - t[0] - period).abs() < 1e-12, "{t:?}");

    let until = format!("{}", 2.0 * period);
    let spectrum = ["--spectrum", "slider.x", "--until", &until, "--to", "s.svg", "--json"];
    let spectrum = json(&plot(&spectrum));
    let lines = spectrum["spectra"][0]["amplitude"].as_array().expect("lines");
    let lines: Vec<f64> = lines.iter().filter_map(Value::as_f64).collect();
    let greatest = (1..lines.len()).max_by(|a, b| lines[*a].total_cmp(&lines[*b]));
    assert_eq!(greatest, Some(2), "two turns of the crank");
    assert_eq!(spectrum["spectra"][0]["unit"], "m");
    assert!(folder.path().join("p.svg").exists() && folder.path().join("s.svg").exists());

    let level = format!("slider.x={}", x[0]);
    let through =
        ["--channels", "slider.vx", "--against", "slider.x", "--through", &level, "--json"];
    let through = json(&plot(&through));
    let places = through["sections"][0]["points"]["x"].as_array().expect("points").clone();
    assert!(places.iter().all(|place| (place.as_f64().unwrap() - x[0]).abs() < 1e-9), "{places:?}");

    for (wrong, said) in [
        (&["--spectrum", "slider.z"][..], "no channel `slider.z`"),
        (&["--spectrum", "slider.x,slider.x"], "given twice"),
        (&["--section"], "--channels"),
        (
            &["--channels", "slider.vx", "--against", "slider.x", "--section", "--phase", "2"],
            "between 0 and 1",
        ),
        (
            &["--channels", "slider.vx", "--against", "slider.x", "--through", "slider.x"],
            "NAME=VALUE",
        ),
        (
            &["--channels", "slider.vx", "--against", "slider.x", "--through", "slider.x=1 kg"],
            "--through slider.x=1 kg",
        ),
        (
            &["--channels", "slider.vx", "--against", "slider.x", "--through", "slider.x=9 m"],
            "the section has no points",
        ),
    ] {
        let output = plot(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong:?}");
        assert!(text(&output.stderr).contains(said), "{wrong:?}: {}", text(&output.stderr));
    }
}

/// The joints of a shipped model that can touch, with what its impact table and its series say about force and indentation
/// of each.
fn peaks(file: &str, changes: &[&str]) -> Vec<(String, Vec<String>, Vec<String>)> {
    let folder = folder();
    let plain = jointplay(&folder, &[&["run", file, "--no-page", "--out", "a"], changes].concat());
    assert!(plain.status.success(), "{}", text(&plain.stderr));
    let summary = std::fs::read(folder.path().join("a/summary.json")).expect("a summary");
    let summary: Value = serde_json::from_slice(&summary).expect("JSON");
    let joints: Vec<String> =
        summary["contacts"].as_object().expect("joints").keys().cloned().collect();
    let quantities = [("normal", 6), ("penetration", 5)]; // and their columns in the table
    let all =
        joints.iter().flat_map(|joint| quantities.map(|(name, column)| (joint, name, column)));
    let names: Vec<String> =
        all.clone().map(|(joint, name, _)| format!("{joint}.{name}")).collect();
    let channels = names.join(",");
    let args = ["run", file, "--no-page", "--out", "b", "--channels", &channels];
    let run = jointplay(&folder, &[&args, changes].concat());
    assert!(run.status.success(), "{}", text(&run.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let rows = |table: &str| -> Vec<Vec<String>> {
        table.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect()).collect()
    };
    let (impacts, series) = (rows(&read("b/impacts.csv")), rows(&read("b/channels.csv")));
    let times: std::collections::BTreeSet<&str> =
        series.iter().map(|row| row[0].as_str()).collect();
    for impact in &impacts {
        assert!(times.contains(impact[2].as_str()) && times.contains(impact[3].as_str()));
    }
    let shown = all.enumerate().map(|(i, (joint, _, column))| {
        let own = impacts.iter().filter(|impact| impact[0] == *joint);
        let table = own.map(|impact| impact[column].clone()).collect();
        (names[i].clone(), table, series.iter().map(|row| row[i + 1].clone()).collect())
    });
    shown.collect()
}

/// The greatest force and indentation of a series are those of the impact table, the same text, and where a joint touches
/// at one place at a time every impact has its peaks among the samples, however few they are.
#[test]
fn property_series_and_impact_table_have_the_same_peaks() {
    let number = |text: &String| text.parse::<f64>().expect("a number");
    let changes: [(&str, &[&str]); 12] = [
        ("slider-crank", &["--until", sweep::cases("1 s", "3 s")]),
        ("slider-crank", &["--law", "hertz+kelvin-voigt-restitution"]),
        ("slider-crank-prismatic", &[]),
        ("four-bar", &["--law", "hertz+tsuji"]),
        ("pin-slot", &["--set", "output.interval=10 ms"]),
        ("geneva", &["--set", "output.interval=0.1 s"]),
        ("scotch-yoke", &[]),
        ("chain-link", &["--set", "output.interval=10 ms"]),
        ("two-spheres", &[]),
        // Without damping force and indentation are greatest at one time.
        ("two-spheres", &["--law", "hertz"]),
        ("slider-crank", &["--law", "hertz"]),
        ("slider-crank", &["--law", "hertz", "--set", "run.method=radau5"]),
    ];
    for (name, changes) in changes {
        for (channel, table, series) in peaks(&model(name), changes) {
            let Some(peak) = table.iter().max_by(|a, b| number(a).total_cmp(&number(b))) else {
                continue;
            };
            let top = series.iter().max_by(|a, b| number(a).total_cmp(&number(b)));
            assert_eq!(Some(peak), top, "{name} {changes:?}: {channel}");
            if name != "slider-crank-prismatic" {
                let lost = table.iter().filter(|peak| !series.contains(peak)).count();
                assert_eq!(lost, 0, "{name} {changes:?}: peaks of {channel} that no sample has");
            }
        }
    }
}

/// What the data sheets of the slider-crank's law ask for, and what its run did.
#[test]
fn property_a_run_is_held_against_the_data_sheets() {
    let folder = folder();
    let run = json(&jointplay(&folder, &["run", &model("slider-crank"), "--no-page", "--json"]));
    let warnings: Vec<&str> =
        run["warnings"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    let [conformity, speed, restitution] = warnings[..] else { panic!("{warnings:#?}") };
    assert!(
        conformity.contains("close-fitting bearing") && conformity.contains("'liu'"),
        "{conformity}"
    );
    assert!(speed.contains("0.051 m/s") && speed.contains("0.113 m/s"), "{speed}");
    assert!(restitution.contains("0.460") && restitution.contains("'exact'"), "{restitution}");
    let pin = &run["contacts"]["pin"];
    assert_eq!(pin["out_of_domain"], 1.0);
    let checks = pin["domain"].as_array().expect("a list");
    assert_eq!(checks.iter().filter(|check| check["share"].as_f64() > Some(0.0)).count(), 3);
    // The law that is proposed there is inside its domain.
    let set = ["--set", "joints.pin.length=20 mm", "--law", "liu+exact"];
    let args = [&["run", &model("slider-crank"), "--no-page", "--json", "--out", "b"], &set[..]];
    let better = json(&jointplay(&folder, &args.concat()));
    assert_eq!(better["warnings"].as_array().map(Vec::len), Some(0), "{}", better["warnings"]);
    assert_eq!(better["contacts"]["pin"]["out_of_domain"], 0.0);
    // Loads act during its impacts: they return less than was specified, and the run says why.
    let note = better["notes"][0].as_str().expect("a note");
    assert!(note.contains("free impacts at the same speeds would return 0.460"), "{note}");
}

/// The first contact of the block in its guide is an impact of two corners.
#[test]
fn property_two_corners_at_once_are_an_impact() {
    let folder = folder();
    let file = model("slider-crank-prismatic");
    let run = jointplay(&folder, &["run", &file, "--no-page", "--out", "r", "--until", "5 ms"]);
    assert!(run.status.success(), "{}", text(&run.stderr));
    let modes = std::fs::read_to_string(folder.path().join("r/modes.csv")).expect("modes");
    let modes: Vec<&str> = modes.lines().skip(1).filter_map(|row| row.split(',').nth(3)).collect();
    assert_eq!(modes, ["free-flight", "impact", "free-flight"]);
}

/// The model in a result folder is the one that was run: it gives the same bytes without any flag.
#[test]
fn property_a_result_has_the_model_as_it_was_run() {
    let folder = folder();
    let file = model("pin-slot");
    let changes = ["--until", "10 ms", "--rtol", "1e-9", "--set", "joints.pin.law.mu=0.51"];
    let law = ["--set", "joints.pin.law.slip_speed=1 mm/s", "--law", "flores+coulomb-tanh"];
    let run = |args: &[&str]| {
        let output = jointplay(&folder, args);
        assert!(output.status.success(), "{}", text(&output.stderr));
    };
    run(&[&["run", &file, "--out", "a"], &changes[..], &law].concat());
    run(&["run", "a/model.toml", "--out", "b"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect(name);
    for name in ["channels.csv", "impacts.csv", "modes.csv", "model.toml"] {
        assert!(read(&format!("a/{name}")) == read(&format!("b/{name}")), "{name} differs");
    }
    let manifest: Value = serde_json::from_slice(&read("a/manifest.json")).expect("JSON");
    let files = manifest["files"].as_array().expect("files");
    assert!(files.contains(&"model.toml".into()));
}

/// A result holds all that is needed to run it again elsewhere: model, changes, channels, tables, name.
#[test]
fn property_a_result_runs_again_to_the_same_bits() {
    let folder = folder();
    let home = folder.path().join("here/laws");
    std::fs::create_dir_all(&home).expect("made");
    let nameless = std::fs::read_to_string(model("pin-slot")).expect("a model");
    let nameless = nameless.replace("name = \"pin-slot\"", "");
    std::fs::write(folder.path().join("here/press.toml"), nameless).expect("written");
    std::fs::write(home.join("stiff.csv"), "0,0\n1e-5,1e3\n1e-4,2e4\n").expect("written");
    let run = |args: &[&str]| {
        let output = jointplay(&folder, args);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    };
    let changes = ["--until", "10 ms", "--channels", "pin.force,plate.x", "--law"];
    let law = "table:laws/stiff.csv+flores";
    run(&[&["run", "here/press.toml", "--out", "a"], &changes[..], &[law]].concat());
    std::fs::remove_dir_all(folder.path().join("here")).expect("removed");
    std::fs::create_dir(folder.path().join("elsewhere")).expect("made");
    std::fs::rename(folder.path().join("a"), folder.path().join("elsewhere/a")).expect("moved");
    let said = run(&["run", "elsewhere/a", "--out", "b"]);
    assert!(said.contains("press"), "{said}");
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect(name);
    let same = ["channels.csv", "channels.parquet", "impacts.csv", "modes.csv", "model.toml"];
    for name in [&same[..], &["laws/stiff.csv", "report.html"]].concat() {
        let (old, new) = (read(&format!("elsewhere/a/{name}")), read(&format!("b/{name}")));
        // The page tells how long the run took.
        assert!(name == "report.html" || old == new, "{name} differs");
    }
    let manifest = |name: &str| -> Value {
        serde_json::from_slice(&read(&format!("{name}/manifest.json"))).expect("JSON")
    };
    // It is of what the first one was of: the same manifest, but for the way to the model file.
    let manifests = ["elsewhere/a", "b"].map(|name| {
        let mut manifest = manifest(name);
        let file = manifest["origin"]["file"].take();
        assert!(file.as_str().is_some_and(|file| file.ends_with("here/press.toml")), "{file}");
        manifest
    });
    assert_eq!(manifests[0], manifests[1]);
    assert!(manifests[0]["digest"].as_str().is_some_and(|digest| digest.len() == 64));
    // The page has the table too, so that it can be turned there.
    assert!(text(&read("b/report.html")).contains("laws/stiff.csv"));
    // A table under the name of a file of the result could not be kept.
    std::fs::write(folder.path().join("impacts.csv"), "0,0\n1e-5,1e3\n1e-4,2e4\n")
        .expect("written");
    std::fs::copy(model("pin-slot"), folder.path().join("m.toml")).expect("copied");
    let law = ["run", "m.toml", "--out", "c", "--law", "table:impacts.csv"];
    let refused = jointplay(&folder, &law);
    assert!(!refused.status.success() && text(&refused.stderr).contains("'impacts.csv'"));
}

#[test]
fn property_a_wrong_model_gets_all_its_problems() {
    let folder = folder();
    let text_of = std::fs::read_to_string(model("slider-crank")).expect("the model");
    let wrong = text_of
        .replace("mass = \"1.13 kg\"", "mas = \"1.13 kg\"")
        .replace("\"10 mm\"", "\"10 kg\"");
    std::fs::write(folder.path().join("m.toml"), wrong).expect("written");
    let output = jointplay(&folder, &["run", "m.toml"]);
    assert_eq!(output.status.code(), Some(2));
    let shown = text(&output.stderr);
    assert!(shown.contains("m.toml:10") && shown.contains("did you mean `mass`"), "{shown}");
    assert!(shown.contains("10 kg"), "{shown}");
    assert!(!folder.path().join("out").exists());
    let output = jointplay(&folder, &["check", "m.toml", "--json"]);
    assert_eq!(output.status.code(), Some(2));
    let problems: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(problems["problems"].as_array().expect("a list").len() >= 2);
    let missing = jointplay(&folder, &["run", "nowhere.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    let bad = jointplay(&folder, &["run", &model("slider-crank"), "--set", "run.until"]);
    assert_eq!(bad.status.code(), Some(2));
    assert!(text(&bad.stderr).contains("KEY=VALUE"));
}

#[test]
fn property_a_new_model_is_good_and_runs() {
    let folder = folder();
    assert!(jointplay(&folder, &["new", "m.toml"]).status.success());
    let check = jointplay(&folder, &["check", "m.toml", "--svg", "m.svg"]);
    assert!(check.status.success(), "{}", text(&check.stderr));
    assert!(text(&check.stdout).contains("degrees of freedom  2"), "{}", text(&check.stdout));
    assert!(folder.path().join("m.svg").exists());
    let summary = json(&jointplay(&folder, &["run", "m.toml", "--json", "--until", "20 ms"]));
    assert!(summary["contacts"]["pin"]["impacts"].as_u64().expect("a number") > 0);
    assert_eq!(jointplay(&folder, &["new", "m.toml"]).status.code(), Some(2));
}

#[test]
fn property_schema_is_a_json_schema() {
    let schema = json(&jointplay(&folder(), &["schema"]));
    assert!(schema["$schema"].is_string() && schema["properties"]["joints"].is_object());
}

/// The peak that the impact table tells of is seen in the time series.
#[test]
fn property_series_show_the_peaks() {
    let folder = folder();
    let file = model("slider-crank");
    let args = ["run", &file, "--law", "hertz", "--until", "0.1s", "--json", "--out", "r"];
    let summary = json(&jointplay(&folder, &args));
    let text = std::fs::read_to_string(folder.path().join("r/channels.csv")).expect("a file");
    let mut lines = text.lines();
    let column =
        lines.next().expect("a header").split(',').position(|name| name.starts_with("pin.force"));
    let column = column.expect("the force is kept");
    let values = lines.filter_map(|line| line.split(',').nth(column)?.parse::<f64>().ok());
    let seen = values.fold(0.0, f64::max);
    close(&summary["contacts"]["pin"]["peak_force"], seen, 0.01);
}
