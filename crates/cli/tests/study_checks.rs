//! What studies say before they run anything, and what they warn of: nothing that matters is passed over in silence.

use crate::program::jointplay;
use crate::studies::{found, number, place};

fn said(place: &tempfile::TempDir, args: &[&str]) -> (Option<i32>, String) {
    let output = jointplay(place, args);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code(), text)
}

#[track_caller]
fn refused(place: &tempfile::TempDir, args: &[&str], words: &[&str]) {
    let (code, text) = said(place, &[args, &["--out", "refused"]].concat());
    assert_eq!(code, Some(2), "{args:?}: {text}");
    for word in words {
        assert!(text.contains(word), "{args:?}: `{word}` is not in\n{text}");
    }
    assert!(!place.path().join("refused").exists(), "{args:?}");
}

/// Every value of a list is looked at, whichever it is, and all that are wrong are said at once.
#[test]
fn property_wrong_values_are_refused_wherever_they_stand() {
    let place = place();
    let sweep = ["sweep", "crank.toml", "--until", "1ms", "--metric", "pin.impacts"];
    let with = |vary: &[&'static str]| [&sweep[..], vary].concat();
    refused(
        &place,
        &with(&["--vary", "law=hertz,hertz+flores,herz,hertz+floers"]),
        &["law = herz:", "law = hertz+floers:", "did you mean"],
    );
    refused(&place, &with(&["--vary", "joints.pin.kind=clearance,ideel"]), &["kind = ideel"]);
    refused(&place, &with(&["--vary", "joints.pin.restitution=0.5,half"]), &["restitution = half"]);
    refused(&place, &with(&["--vary", "joints.pin.clearance=0.1mm,0.2"]), &["`0.2` has none"]);
    refused(&place, &with(&["--vary", "joints.pin.clearance=0.1mm,2kg"]), &["same kind"]);
    refused(
        &place,
        &["tolerance", "crank.toml", "--vary", "law=discrete(hertz: 0.5, herz: 0.5)"],
        &["law = herz:"],
    );
    let diagram = ["bifurcation", "crank.toml", "--observe", "pin.ex", "--period", "motor"];
    refused(&place, &[&diagram[..], &["--vary", "law=hertz,herz"]].concat(), &["law = herz:"]);
    // Too many points are refused before they are made.
    let clock = std::time::Instant::now();
    let many = ["--vary", "joints.pin.restitution=0:1:1000000"];
    let more = ["--vary", "bodies.rod.mass=1:2:1000000", "--vary", "bodies.slider.mass=1:2:1000"];
    refused(&place, &[&sweep[..], &many, &more].concat(), &["more than 100000000 points"]);
    assert!(clock.elapsed().as_secs() < 5, "{:?}", clock.elapsed());
}

/// Keys that cannot change anything.
#[test]
fn property_keys_without_effect_are_refused_or_warned_of() {
    let place = place();
    let sweep = ["sweep", "crank.toml", "--until", "1ms", "--metric", "last(crank.angle)"];
    let with = |vary: &[&'static str]| [&sweep[..], vary].concat();
    let ideal = ["--set", "joints.pin.kind=ideal"];
    for vary in ["joints.pin.clearance=0.1mm,0.2mm", "joints.pin.fit=20 H7/g6,20 H7/f7"] {
        refused(&place, &[&sweep[..], &["--vary", vary], &ideal].concat(), &["no effect", "ideal"]);
    }
    refused(
        &place,
        &[&with(&["--vary", "law=hertz,hertz+flores"])[..], &ideal].concat(),
        &["`law` has no effect"],
    );
    refused(
        &place,
        &with(&["--vary", "start.seed=1,2,3"]),
        &["not disturbed", "start.disturbance"],
    );
    let diagram = ["bifurcation", "crank.toml", "--observe", "pin.ex", "--period", "motor"];
    refused(
        &place,
        &[&diagram[..], &["--vary", "run.until=1,2"]].concat(),
        &["`run.until` has no effect"],
    );
    // Whatever else turns out to change nothing is a warning.
    let (code, text) =
        said(&place, &with(&["--vary", "run.max_steps=100000,200000", "--out", "i"]));
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("`run.max_steps` has no effect: runs that differ"), "{text}");
    let (code, text) =
        said(&place, &with(&["--vary", "drivers.motor.speed=1rpm,2rpm", "--out", "j"]));
    assert!(code == Some(0) && !text.contains("no effect"), "{text}");
    let numbers = ["sensitivity", "numbers.toml", "--samples", "8", "--metric", "x1"];
    let keys = ["--vary", "parameters.x1=0:1", "--vary", "parameters.x2=0:1", "--out", "k"];
    let findings = found(&place, &[&numbers[..], &keys].concat());
    let idle = findings["warnings"].as_array().expect("a list");
    assert_eq!(idle.len(), 1, "{idle:?}");
    assert!(idle[0]["message"].as_str().expect("text").contains("`parameters.x2` has no effect"));
}

/// What runs warn of: how often, and in which row first.
#[test]
fn property_studies_pass_on_the_warnings_of_their_runs() {
    let place = place();
    // A Hertz law is not meant for a journal in a close bearing, but for one in a wide one.
    let sweep = ["sweep", "crank.toml", "--vary", "joints.pin.clearance=3mm,0.25mm,0.2mm"];
    let more = ["--until", "20ms", "--metric", "pin.impacts", "--out", "w"];
    let findings = found(&place, &[&sweep[..], &more].concat());
    let warnings = findings["warnings"].as_array().expect("a list");
    let close = warnings.iter().find(|w| w["message"].to_string().contains("close-fitting"));
    let close = close.unwrap_or_else(|| panic!("{warnings:?}"));
    assert_eq!((number(&close["runs"]), number(&close["first"])), (2.0, 2.0), "{close}");
    let table = std::fs::read_to_string(place.path().join("w/table.csv")).expect("a table");
    let counts: Vec<&str> = table.lines().filter_map(|line| line.rsplit(',').next()).collect();
    assert_eq!(counts[0], "warnings");
    assert_eq!(counts[2], counts[3]);
    assert!(counts[1].parse::<u32>().expect("a count") < counts[2].parse().expect("a count"));
    // The same is said again by a study that has nothing left to run, and for people.
    assert_eq!(found(&place, &[&sweep[..], &more].concat())["warnings"], findings["warnings"]);
    let (_, text) = said(&place, &["study", "w"]);
    assert!(text.contains("2 of 3 runs, first in row 2: joint 'pin'"), "{text}");
    let diagram = ["bifurcation", "crank.toml", "--observe", "pin.ex", "--period", "motor"];
    let short = ["--transient", "1", "--periods", "4", "--vary", "drivers.motor.speed=200rpm"];
    let findings = found(&place, &[&diagram[..], &short, &["--out", "d"]].concat());
    assert!(findings["warnings"].to_string().contains("close-fitting"), "{findings}");
}

/// A damaged line takes away its own run, and nothing else.
#[test]
fn property_a_damaged_journal_loses_one_run() {
    let place = place();
    let sweep = ["sweep", "wall.toml", "--vary", "parameters.v=0.1 m/s:0.5 m/s:5"];
    let sweep =
        [&sweep[..], &["--metric", "wall.peak_force", "--out", "s", "--jobs", "1"]].concat();
    found(&place, &sweep);
    let file = |name: &str| place.path().join("s").join(name);
    let read = |name: &str| std::fs::read(file(name)).expect("a file");
    let (table, journal) = (read("table.csv"), read("runs.jsonl"));
    let mut damaged = journal.clone();
    let third = damaged.iter().enumerate().filter(|(_, b)| **b == b'\n').nth(2).expect("lines").0;
    damaged[third + 40] ^= 4;
    std::fs::write(file("runs.jsonl"), &damaged).expect("written");
    let (code, text) = said(&place, &sweep);
    assert!(code == Some(0) && text.contains("line 4 of the journal is damaged"), "{text}");
    assert_eq!((read("table.csv"), read("runs.damaged-1.jsonl")), (table, damaged));
    let lines = |bytes: &[u8]| -> Vec<String> {
        let mut lines: Vec<String> =
            String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&read("runs.jsonl")), lines(&journal), "the lost run is there again");
    let (_, text) = said(&place, &sweep);
    assert!(!text.contains("damaged"), "{text}");
}

/// A study file is wrong in its keys, its values and its model: all of it is said.
#[test]
fn property_wrong_keys_do_not_hide_a_missing_model() {
    let place = place();
    let text = "format = 1\nkind = \"sweep\"\nmodel = \"krank.toml\"\nsampels = 3\n[[vary]]\nkey = \"run.until\"\nvalues = \"1s:2kg:3\"\n";
    std::fs::write(place.path().join("wrong.toml"), text).expect("written");
    let (code, text) = said(&place, &["study", "wrong.toml"]);
    assert_eq!(code, Some(2), "{text}");
    for words in ["wrong.toml:3:9", "krank.toml", "wrong.toml:4:1", "`samples`", "wrong.toml:7:10"]
    {
        assert!(text.contains(words), "`{words}` is not in\n{text}");
    }
}

/// Keys and channels have the same units in sweeps and diagrams, however they are typed.
#[test]
fn exact_units_of_keys_and_metrics() {
    let place = place();
    let sweep = [
        "sweep",
        "crank.toml",
        "--until",
        "1ms",
        "--vary",
        "drivers.motor.speed=20,21",
        "--vary",
        "joints.pin.restitution=0.5,0.6",
        "--vary",
        "joints.pin.kind=ideal,clearance",
        "--metric",
        "last(crank.angle)",
        "--metric",
        "max(motor.torque)",
        "--metric",
        "pin.loss",
        "--out",
        "u",
    ];
    let units = &found(&place, &sweep)["units"];
    for (name, unit) in [
        ("drivers.motor.speed", "rad/s"),
        ("joints.pin.restitution", "-"),
        ("last(crank.angle)", "rad"),
        ("pin.loss", "J"),
    ] {
        assert_eq!(units[name], unit, "{name}: {units}");
    }
    // A plain frequency is in Hz, although rad/s would be taken, too.
    let shaken = include_str!("../../../testing/models/pendulum.toml");
    std::fs::write(place.path().join("shaken.toml"), shaken).expect("written");
    let frequency = "forces.drive.value.harmonic.frequency";
    let vary = format!("{frequency}=0.1,0.2");
    let sweep = ["sweep", "shaken.toml", "--until", "1", "--vary", &vary, "--out", "f"];
    let of = found(&place, &[&sweep[..], &["--metric", "last(pivot.angle)"]].concat());
    assert_eq!(of["units"][frequency], "Hz");
    let diagram =
        ["bifurcation", "crank.toml", "--vary", "drivers.motor.speed=20,21", "--period", "motor"];
    let more = [
        "--transient",
        "0",
        "--periods",
        "4",
        "--observe",
        "crank.angle,motor.torque",
        "--out",
        "d",
    ];
    let seen = found(&place, &[&diagram[..], &more].concat());
    assert_eq!(seen["units"]["drivers.motor.speed"], units["drivers.motor.speed"]);
    assert_eq!(seen["units"]["crank.angle"], "rad");
    assert_eq!(seen["units"]["motor.torque"], units["max(motor.torque)"]);
}

/// The worst value is the one that is nearest to a limit or beyond it, and where it is are numbers.
#[test]
fn exact_the_worst_between_two_limits() {
    let place = place();
    // Of 0 to 1 with limits at 0.1 and 2 the least is worst.
    let study = ["tolerance", "numbers.toml", "--vary", "parameters.x1=0:1", "--samples", "64"];
    let metric = ["--metric", "x1", "--out", "w"];
    let worst = |limit: &str| {
        let findings = found(&place, &[&study[..], &metric, &["--limit", limit]].concat());
        let (worst, spread) = (&findings["worst"]["x1"], &findings["metrics"]["x1"]);
        let [value, least, greatest] =
            [&worst["value"], &spread["min"], &spread["max"]].map(number);
        assert_eq!(number(&worst["at"]["parameters.x1"]), value);
        [value == least, value == greatest]
    };
    assert_eq!(worst("0.1 < x1 < 2"), [true, false]);
    assert_eq!(worst("-2 < x1 < 0.9"), [false, true]);
    assert_eq!(worst("x1 > 0.5"), [true, false]);
    assert_eq!(worst("x1 < 0.5"), [false, true]);
}

/// A fit is one input, under its own key.
#[test]
fn exact_the_index_of_a_fit() {
    let place = place();
    let study =
        ["sensitivity", "crank.toml", "--vary", "joints.pin.fit=20 H7/g6", "--until", "0.1ms"];
    let more = [
        "--vary",
        "drivers.motor.speed=20:21",
        "--metric",
        "pin.impacts",
        "--samples",
        "4",
        "--out",
        "f",
    ];
    let findings = found(&place, &[&study[..], &more].concat());
    let indices = findings["indices"]["pin.impacts"].as_object().expect("indices");
    let keys: Vec<&String> = indices.keys().collect();
    assert_eq!(keys, ["drivers.motor.speed", "joints.pin.fit"]);
    assert_eq!(number(&findings["runs"]), 16.0);
    assert!(place.path().join("f/figures/pin.impacts.png").exists());
}

/// The values of a diagram that restart know nothing of each other: parts of it make the whole.
#[test]
fn property_parts_of_a_diagram_make_the_whole() {
    let place = place();
    let diagram = ["bifurcation", "crank.toml", "--vary", "drivers.motor.speed=190rpm:210rpm:3"];
    let more = ["--observe", "pin.ex", "--period", "motor", "--transient", "1", "--periods", "4"];
    let chain = [&diagram[..], &more].concat();
    refused(&place, &[&chain[..], &["--shard", "1/2"]].concat(), &["--restart"]);
    let whole = [&chain[..], &["--restart"]].concat();
    found(&place, &[&whole[..], &["--out", "whole"]].concat());
    for shard in ["1/2", "2/2"] {
        let out = format!("part{}", &shard[..1]);
        found(&place, &[&whole[..], &["--shard", shard, "--out", &out]].concat());
    }
    let merged = found(&place, &["study", "merge", "part1", "part2", "--out", "both"]);
    assert_eq!(merged["runs"], 3);
    for file in ["points.csv", "section.csv"] {
        let [a, b] = ["whole", "both"]
            .map(|folder| std::fs::read(place.path().join(folder).join(file)).expect("a table"));
        assert_eq!(a, b, "{file}");
    }
}

/// Another study in the same folder leaves no figures and tables of the one before.
#[test]
fn property_nothing_of_an_earlier_study_stays() {
    let place = place();
    let sweep = ["sweep", "wall.toml", "--vary", "parameters.v=0.1 m/s,0.2 m/s", "--out", "s"];
    found(&place, &[&sweep[..], &["--metric", "wall.peak_force", "--repeats", "2"]].concat());
    let has = |name: &str| place.path().join("s").join(name).exists();
    assert!(has("figures/wall.peak_force.svg") && has("points.csv"));
    found(&place, &[&sweep[..], &["--metric", "wall.impacts"]].concat());
    assert!(has("figures/wall.impacts.svg") && !has("figures/wall.peak_force.svg"));
    assert!(!has("points.csv"));
}

/// Numbers outside of the range in which the model makes sense are failed rows wherever they stand; wrong words are refused.
#[test]
fn property_numbers_out_of_range_are_rows_and_wrong_words_are_not() {
    let place = place();
    let sweep = ["sweep", "bore.toml", "--metric", "pin.impacts"];
    let of = |vary: &'static str, out: &'static str| {
        let output = jointplay(&place, &[&sweep[..], &["--vary", vary, "--out", out]].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    // The pin has 10 mm: the first 241 bores are no larger.
    let (code, text) = of("joints.pin.bearing_radius=9mm:10.2mm:289", "some");
    assert_eq!(code, Some(0), "{text}");
    let rows = crate::studies::table(&place, "some/table.csv");
    let failed = rows.iter().filter(|row| row[2].starts_with("failed: ")).count();
    assert_eq!((rows.len(), failed), (290, 241), "{:?}", rows[1]);
    let (code, text) = of("joints.pin.bearing_radius=1mm:2mm:3", "none");
    assert!(code == Some(1) && text.contains("all 3 runs failed"), "{text}");
    assert!(text.contains("must be above 0 and below bearing_radius (0.001 m)"), "{text}");
    assert_eq!(crate::studies::table(&place, "none/table.csv").len(), 4);
    refused(
        &place,
        &[&sweep[..], &["--vary", "joints.pin.bearing_radius=1kg:2kg:3"]].concat(),
        &["kg"],
    );
    let wrong = ["--vary", "joints.pin.bearing_radus=1mm:2mm:300", "--metric", "pin.impact"];
    refused(&place, &[&sweep[..], &wrong].concat(), &["bearing_radius", "pin.impacts"]);
    // The same of a diagram.
    let diagram = ["bifurcation", "bore.toml", "--observe", "bolt.x", "--period", "1us"];
    let more = ["--transient", "1", "--periods", "4", "--restart"];
    let out = ["--vary", "joints.pin.bearing_radius=9mm:10.2mm:121", "--out", "d"];
    let findings = found(&place, &[&diagram[..], &more, &out].concat());
    assert_eq!((number(&findings["runs"]), number(&findings["failed"])), (121.0, 101.0));
}

/// A law for the whole model that nothing takes is as wrong as in a single run.
#[test]
fn property_a_law_that_nothing_takes_is_refused() {
    let place = place();
    let law = ["--law", "hertz+flores"];
    let none = ["nothing in this model uses a contact law", "--law hertz+flores"];
    let numbers = ["numbers.toml", "--vary", "parameters.x1=0:1:3", "--metric", "x1"];
    refused(&place, &[&["sweep"], &numbers[..], &law].concat(), &none);
    let samples = ["numbers.toml", "--vary", "parameters.x1=0:1", "--metric", "x1"];
    for command in ["sensitivity", "tolerance"] {
        refused(&place, &[&[command], &samples[..], &law].concat(), &none);
    }
    refused(&place, &[&["optimise"], &samples[..3], &["--minimise", "x1"], &law].concat(), &none);
    // In a file at its line.
    let text = "format = 1\nkind = \"sweep\"\nmodel = \"numbers.toml\"\nlaw = \"hertz\"\nmetrics = [\"x1\"]\n[[vary]]\nkey = \"parameters.x1\"\nvalues = \"0:1:3\"\n";
    std::fs::write(place.path().join("law.toml"), text).expect("written");
    refused(&place, &["study", "law.toml"], &["law.toml:4:", "nothing in this model"]);
}

/// Seeds up to 1e15 can be written into a study file; greater ones are refused before there is a folder.
#[test]
fn exact_the_range_of_seeds() {
    let place = place();
    let args = ["tolerance", "numbers.toml", "--vary", "parameters.x1=0:1", "--metric", "x1"];
    let args = [&args[..], &["--samples", "4", "--seed"]].concat();
    refused(&place, &[&args[..], &["1000000000000001"]].concat(), &["1000000000000000"]);
    let most = [&args[..], &["1000000000000000", "--out", "s"]].concat();
    let first = found(&place, &most);
    assert_eq!(found(&place, &["study", "s"])["metrics"], first["metrics"]);
}

/// A full disk, for which a limit of file sizes stands here: exit code 1, the file and the cause are named, and the same command ends with the
/// same bytes as an undisturbed study.
#[cfg(unix)]
#[test]
fn property_a_full_disk_is_a_failed_study_that_resumes() {
    let place = place();
    let sweep =
        "sweep wall.toml --vary parameters.v=0.1m/s:0.3m/s:40 --metric wall.peak_force --jobs 1";
    let diagram = "bifurcation wall.toml --vary parameters.v=0.1m/s:0.3m/s:40 --observe ball.y --period 1ms --transient 1 --periods 4 --restart --jobs 1";
    for (args, table, out) in [(sweep, "table.csv", "s"), (diagram, "points.csv", "d")] {
        let program = assert_cmd::cargo::cargo_bin("jointplay");
        let program = program.display();
        let script = format!("trap '' XFSZ; ulimit -f 4; exec '{program}' {args} --out {out}");
        let output = std::process::Command::new("sh")
            .current_dir(place.path())
            .args(["-c", &script])
            .output()
            .expect("it runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{text}");
        for word in ["runs.jsonl", "cannot be written", "the same command resumes"] {
            assert!(text.contains(word), "`{word}` is not in\n{text}");
        }
        let journal = || std::fs::read(place.path().join(out).join("runs.jsonl")).expect("there");
        let kept = journal();
        let args: Vec<&str> = args.split(' ').collect();
        found(&place, &[&args[..], &["--out", out]].concat());
        found(&place, &[&args[..], &["--out", "undisturbed"]].concat());
        let bytes =
            |folder: &str| std::fs::read(place.path().join(folder).join(table)).expect("a table");
        assert_eq!(bytes(out), bytes("undisturbed"));
        let last = kept.iter().rposition(|byte| *byte == b'\n').expect("a line");
        assert!(last > 100 && journal().starts_with(&kept[..last]), "what was run is kept");
        std::fs::remove_dir_all(place.path().join("undisturbed")).expect("removed");
    }
}
