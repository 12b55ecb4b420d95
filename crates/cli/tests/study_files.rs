//! Study files on the command line, and sweeps that go on from one value to the next.

use crate::program::{jointplay, shown};
use crate::studies::{found, number, number as number_of, place};

/// Everything that is wrong with a study file is said at once, with its line, and keys can be set on the command line.
#[test]
fn property_study_files_are_read_like_models() {
    let place = place();
    let text = "format = 1\nkind = \"sweap\"\nmodel = \"crank.toml\"\nsamples = 0\n\n[[vary]]\nkey = \"drivers.motor.speed\"\nvalue = \"1 rpm\"\n";
    std::fs::write(place.path().join("wrong.toml"), text).expect("written");
    let refused = jointplay(&place, &["study", "wrong.toml"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    for expected in ["wrong.toml:2:8", "\"sweep\"", "wrong.toml:4:11", "wrong.toml:8:1", "`values`"]
    {
        assert!(said.contains(expected), "`{expected}` is missing in {said}");
    }
    let right = "format = 1\nkind = \"sweep\"\nmodel = \"crank.toml\"\nmetrics = [\"pin.impacts\"]\n[[vary]]\nkey = \"joints.pin.restitution\"\nvalues = \"0.2:0.9:7\"\n";
    std::fs::write(place.path().join("right.toml"), right).expect("written");
    let plan = |more: &[&str]| {
        let findings =
            found(&place, &[&["study", "right.toml", "--dry-run", "--out", "d"], more].concat());
        number(&findings["runs"])
    };
    assert_eq!(plan(&[]), 7.0);
    assert_eq!(plan(&["--set", "samples=5", "--set", "run.until=10ms"]), 5.0);
    assert_eq!(plan(&["--set", "samples=1e1"]), 10.0);
    let refused = |args: &[&str], words: &[&str]| {
        let output = jointplay(&place, &[&["study"][..], args].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        for word in words {
            assert!(said.contains(word), "`{word}` is missing in {said}");
        }
    };
    refused(&["right.toml", "--set", "sampels=5"], &["sampels"]);
    refused(&["right.toml", "--set", "samples=2.5"], &["--set samples=2.5", "whole number"]);
    refused(
        &["right.toml", "--set", "run.until=1s", "--set", "run.until=2s"],
        &["run.until", "twice"],
    );
    refused(
        &["right.toml", "--set", "transient=2"],
        &["--set transient=2", "no effect in a sweep"],
    );
    // What is wrong with the meaning of a file: all of it, with the places of the keys, that of a model included.
    let meant = |text: &str, words: &[&str]| {
        std::fs::write(place.path().join("meant.toml"), text).expect("written");
        refused(&["meant.toml"], words);
    };
    let text = right.replace("crank.toml", "krank.toml").replace("0.2:0.9:7", "0.2:0.9 kg:7");
    let text = text.replacen("[[vary]]", "periods = 3\nlimits = [\"x < 1\"]\n[[vary]]", 1);
    let lines =
        ["meant.toml:3:9", "krank.toml", "meant.toml:5:11", "meant.toml:6:10", "meant.toml:9:10"];
    meant(&text, &[&lines[..], &["`periods` has no effect", "leave it out", "same kind"]].concat());
    let text = right.replace("pin.impacts", "pin.inpacts").replace("0.2:0.9:7", "0.2:0.9");
    let lines = ["meant.toml:4:12", "did you mean `pin.impacts`?", "--samples"];
    meant(&text, &lines);
    let text = right.replace("restitution", "restitutoin") + "[set]\n\"run.untill\" = 1\n";
    let lines =
        ["meant.toml:6:", "did you mean `restitution`?", "meant.toml:9:", "did you mean `until`?"];
    meant(&text, &lines);
    meant(
        &(right.to_owned() + "[set]\n\"joints.pin.restitution\" = 1\n"),
        &["meant.toml:6:7", "set and varied"],
    );
}

/// A metric that only some variants have leaves empty cells, whichever comes first; one that none has refuses the sweep.
#[test]
fn property_metrics_of_some_variants() {
    let place = place();
    let sweep =
        ["sweep", "crank.toml", "--vary", "joints.pin.kind=ideal,clearance", "--until", "5ms"];
    let metrics = ["--metric", "pin.impacts", "--metric", "max(slider.ax)", "--out", "k"];
    assert_eq!(found(&place, &[&sweep[..], &metrics].concat())["failed"], 0);
    let table = std::fs::read_to_string(place.path().join("k/table.csv")).expect("a table");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert!(rows[1][1].is_empty() && rows[2][1].parse::<f64>().is_ok(), "{table}");
    // Alone, too: there is nothing to say about such a run, but it has not failed.
    let alone = [&sweep[..], &["--metric", "pin.impacts", "--out", "a"]].concat();
    let findings = found(&place, &alone);
    assert_eq!((&findings["failed"], &findings["units"]["pin.impacts"]), (&0.into(), &"-".into()));
    let table = std::fs::read_to_string(place.path().join("a/table.csv")).expect("a table");
    let row: Vec<&str> = table.lines().nth(1).expect("a row").split(',').collect();
    assert_eq!(row[..3], ["ideal", "", "reached-end"], "{table}");
    // The usual metrics are those of all variants.
    let usual = found(&place, &[&sweep[..], &["--out", "u"]].concat());
    assert_eq!(usual["measured"][0], "pin.impacts");
    let none = [&sweep[..], &["--metric", "pin.inpacts", "--out", "n"]].concat();
    assert_eq!(jointplay(&place, &none).status.code(), Some(2));
}

/// A chain of runs, each from the end of the one before, is one long run: positions, speeds and the memory of contacts go on. The key that
/// is varied changes nothing that could be seen.
#[test]
fn property_a_warm_start_goes_on_where_the_run_before_ended() {
    let place = place();
    // One period of the drive is 0.3 s at 200 rpm.
    let common = ["--set", "drivers.motor.speed=200rpm", "--set", "run.rtol=1e-12"];
    let metrics =
        ["--metric", "last(slider.x)", "--metric", "last(slider.vx)", "--metric", "pin.impacts"];
    let sweep = ["sweep", "crank.toml", "--vary", "output.interval=1.0ms,1.1ms"];
    let warm = ["--warm-start", "--until", "0.3s", "--out", "w"];
    found(&place, &[&sweep[..], &warm, &metrics, &common].concat());
    let rows = |name: &str| {
        let text = std::fs::read_to_string(place.path().join(name)).expect("a table");
        let rows = text
            .lines()
            .skip(1)
            .map(|line| line.split(',').map(|x| x.parse().unwrap_or(f64::NAN)).collect());
        rows.collect::<Vec<Vec<f64>>>()
    };
    let chained = rows("w/table.csv");
    let mut before = 0.0;
    for (i, row) in chained.iter().enumerate() {
        let until = format!("{} s", 0.3 * (i + 1) as f64);
        let out = format!("long-{i}");
        let long = [
            "sweep",
            "crank.toml",
            "--vary",
            "output.interval=1.0ms",
            "--until",
            &until,
            "--out",
            &out,
        ];
        found(&place, &[&long[..], &metrics, &common].concat());
        let whole = &rows(&format!("{out}/table.csv"))[0];
        // Contacts make small differences grow.
        for column in [1, 2] {
            assert!((row[column] - whole[column]).abs() < 1e-6, "{row:?} against {whole:?}");
        }
        before += row[3];
        // A contact that lasts from one run to the next is an episode of both.
        let lasting = before - whole[3];
        assert!((0.0..=i as f64).contains(&lasting), "{before} impacts against {whole:?}");
    }
    // A chain that was interrupted goes on: the journal has every state.
    let journal = std::fs::read_to_string(place.path().join("w/runs.jsonl")).expect("a journal");
    let kept: Vec<&str> = journal.lines().take(2).collect();
    std::fs::create_dir(place.path().join("again")).expect("a folder");
    for name in ["study.toml", "model.toml"] {
        std::fs::copy(place.path().join("w").join(name), place.path().join("again").join(name))
            .expect("copied");
    }
    std::fs::write(place.path().join("again/runs.jsonl"), kept.join("\n") + "\n").expect("written");
    found(&place, &["study", "again"]);
    let table = |name: &str| std::fs::read(place.path().join(name)).expect("a table");
    assert_eq!(table("w/table.csv"), table("again/table.csv"));
    // An ideal joint has nothing to remember: the next value starts all the same.
    let kinds =
        ["sweep", "crank.toml", "--vary", "joints.pin.kind=clearance,ideal", "--warm-start"];
    let more = ["--until", "0.3s", "--metric", "max(slider.ax)", "--out", "k"];
    assert_eq!(number(&found(&place, &[&kinds[..], &more].concat())["failed"]), 0.0);
    // A drive that is elsewhere at the end cannot go on from there.
    let refused = jointplay(
        &place,
        &[
            "sweep",
            "crank.toml",
            "--vary",
            "joints.pin.restitution=0.2,0.3",
            "--warm-start",
            "--until",
            "0.1s",
            "--out",
            "x",
        ],
    );
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("motor"), "{said}");
}

/// A row of the table as a model of its own gives the numbers of the row, to the last bit, its start included.
#[test]
fn property_a_row_can_be_run_again() {
    let place = place();
    let sweep = ["sweep", "crank.toml", "--vary", "joints.pin.restitution=0.4,0.5,0.6"];
    let more = ["--until", "0.3s", "--metric", "pin.loss", "--metric", "last(slider.x)"];
    found(&place, &[&sweep[..], &more, &["--warm-start", "--out", "w"]].concat());
    let table = std::fs::read_to_string(place.path().join("w/table.csv")).expect("a table");
    for (row, line) in table.lines().skip(1).enumerate() {
        let (number, folder) = ((row + 1).to_string(), format!("w-row-{}", row + 1));
        let written = jointplay(&place, &["study", "case", "w", &number]);
        assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
        let has_state = place.path().join(&folder).join("start.json").exists();
        assert_eq!(has_state, row > 0);
        let run = ["run", &folder, "--no-page", "--out", "r", "--force"];
        let summary = found(&place, &run);
        let cells: Vec<&str> = line.split(',').collect();
        let loss = number_of(&summary["contacts"]["pin"]["loss_normal"])
            + number_of(&summary["contacts"]["pin"]["loss_friction"]);
        assert!((loss / cells[1].parse::<f64>().expect("a number") - 1.0).abs() < 1e-14, "{line}");
        let channels = std::fs::read_to_string(place.path().join("r/channels.csv")).expect("rows");
        let last = channels.lines().last().and_then(|row| row.split(',').nth(1));
        assert_eq!(last.and_then(|x| x.parse::<f64>().ok()), cells[2].parse().ok(), "{line}");
        // The result of it can be run again, too.
        let again = found(&place, &["run", "r", "--no-page", "--out", "again", "--force"]);
        assert_eq!(summary["contacts"], again["contacts"]);
    }
    let none = jointplay(&place, &["study", "case", "w", "4"]);
    let said = String::from_utf8_lossy(&none.stderr).into_owned();
    assert!(none.status.code() == Some(2) && said.contains("has 3"), "{said}");
}

/// A run from the end of another one goes on with it, and what is wrong with a state is said.
#[test]
fn property_a_run_starts_from_the_end_of_another() {
    let place = place();
    let run = |more: &[&str]| {
        let run = ["run", "crank.toml", "--no-page", "--rtol", "1e-12", "--force"];
        found(&place, &[&run[..], more].concat())
    };
    run(&["--until", "0.05s", "--out", "first", "--end-state", "end.json"]);
    let rest = run(&["--until", "0.1s", "--out", "rest", "--set", "start.state=end.json"]);
    run(&["--until", "0.1s", "--out", "whole"]);
    assert_eq!(rest["t_end"], 0.1);
    let last = |folder: &str| {
        let path = place.path().join(folder).join("channels.csv");
        let rows = std::fs::read_to_string(path).expect("rows");
        let row = rows.lines().last().expect("a row").split(',').take(3);
        row.map(|x| x.parse::<f64>().expect("a number")).collect::<Vec<_>>()
    };
    for (a, b) in last("rest").iter().zip(last("whole")) {
        assert!((a - b).abs() < 1e-8, "{a} against {b}");
    }
    // An ideal joint has no memory, but the bodies are where they were.
    run(&[
        "--until",
        "0.06s",
        "--out",
        "i",
        "--set",
        "start.state=end.json",
        "--set",
        "joints.pin.kind=ideal",
    ]);
    let refused = |state: &str, until: &str| {
        std::fs::write(place.path().join("bad.json"), state).expect("written");
        let args =
            ["run", "crank.toml", "--set", "start.state=bad.json", "--until", until, "--out", "x"];
        let output = jointplay(&place, &args);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused("{}", "1s").contains("not the state of a mechanism"));
    let end = std::fs::read_to_string(place.path().join("end.json")).expect("a state");
    assert!(refused(&end, "0.05s").contains("ends at"));
    let said = refused(&end.replace("\"rod\"", "\"rid\""), "1s");
    assert!(said.contains("rid"), "{said}");
    let said = refused(&end.replace("\"pin\"", "\"pinn\""), "1s");
    assert!(said.contains("`pinn`"), "{said}");
    let said = refused(&end.replacen('{', "{ \"extra\": 1,", 1), "1s");
    assert!(said.contains("extra"), "{said}");
    let mut far: serde_json::Value = serde_json::from_str(&end).expect("JSON");
    far["bodies"]["rod"]["position"][0] = 1e300.into();
    let said = refused(&far.to_string(), "1s");
    assert!(said.contains("`rod` is more than 1e9 m away"), "{said}");
    // A state that the drive contradicts is told.
    let shifted = end.replacen("\"t\": 0.05", "\"t\": 0.0", 1);
    assert_ne!(shifted, end);
    std::fs::write(place.path().join("early.json"), shifted).expect("written");
    let args = [
        "run",
        "crank.toml",
        "--set",
        "start.state=early.json",
        "--until",
        "1us",
        "--out",
        "y",
        "--no-page",
    ];
    let said = String::from_utf8_lossy(&jointplay(&place, &args).stderr).into_owned();
    assert!(said.contains("move the bodies of the state"), "{said}");
}

#[test]
fn exact_study_files_do_what_the_flags_do() {
    let place = place();
    let flags = ["tolerance", "wall.toml", "--vary", "parameters.v=normal(0.3 m/s, 0.01 m/s)"];
    let more = ["--metric", "wall.peak_force", "--samples", "50", "--seed", "7", "--out", "flags"];
    found(&place, &[&flags[..], &more].concat());
    let text = "format = 1\nkind = \"tolerance\"\nmodel = \"wall.toml\"\nmetrics = [\"wall.peak_force\"]\nsamples = 50\nseed = 7\n\n[[vary]]\nkey = \"parameters.v\"\nvalues = \"normal(0.3 m/s, 0.01 m/s)\"\n";
    std::fs::write(place.path().join("study.toml"), text).expect("written");
    found(&place, &["study", "study.toml", "--out", "file"]);
    let bytes =
        |folder: &str| std::fs::read(place.path().join(folder).join("table.csv")).expect("a table");
    assert_eq!(bytes("flags"), bytes("file"));
    // A typing error has its line.
    std::fs::write(place.path().join("study.toml"), text.replace("samples", "sample"))
        .expect("written");
    let output = jointplay(&place, &["study", "study.toml", "--out", "wrong"]);
    let text = shown(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("study.toml:5:1") && text.contains("did you mean `samples`?"), "{text}");
    assert!(!place.path().join("wrong").exists());
}
