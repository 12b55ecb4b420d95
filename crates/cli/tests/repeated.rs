//! `jointplay run RESULT` repeats a run, or says that it does not.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::program::{jointplay, shown};

/// A ball on a floor whose stiffness is a table, beside another ball, pushed as another table says.
fn model() -> String {
    let text = include_str!("../../../testing/models/push.toml");
    let changes = [
        (r#"elastic = "hertz", stiffness = "1e9 N/m^1.5""#, r#"elastic = "table:data/stiff.csv""#),
        (r#"until = "0.1 s""#, r#"until = "20 ms""#),
    ];
    changes.into_iter().fold(text.to_owned(), |text, (from, to)| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    })
}

#[track_caller]
fn good(place: &TempDir, args: &[&str]) -> String {
    let output = jointplay(place, args);
    assert!(output.status.success(), "{args:?}: {}", shown(&output));
    shown(&output)
}

fn place(model: &str) -> TempDir {
    let place = TempDir::new().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(place.path().join(name), text);
    std::fs::create_dir(place.path().join("data")).expect("made");
    write("model.toml", model).expect("written");
    write("push.csv", "0, 0\n0.05, 1\n0.1, 1\n0.2, 0\n").expect("written");
    write("data/stiff.csv", "0, 0\n1e-5, 1e3\n1e-4, 2e4\n").expect("written");
    place
}

fn edit(file: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(file).expect("it is there");
    assert!(text.contains(from), "{from} is not in {text}");
    std::fs::write(file, text.replace(from, to)).expect("written");
}

#[test]
fn property_a_result_that_was_changed_is_not_repeated_in_silence() {
    let place = place(&model());
    let result = |name: &str| {
        good(&place, &["run", "model.toml", "--no-page", "--out", name]);
        place.path().join(name)
    };
    let again = |name: &str| {
        let out = format!("{name}-again");
        good(&place, &["run", name, "--no-page", "--out", &out])
    };
    let quiet = |text: &str| !text.contains("warning") && !text.contains("note:");
    // As it is, and with another comment, it is the same run.
    let folder = result("same");
    assert!(quiet(&again("same")));
    edit(&folder.join("model.toml"), "[run]", "# the run\n[run]");
    assert!(quiet(&again("same")));
    let info = good(&place, &["info", "same"]);
    let manifest = std::fs::read(folder.join("manifest.json")).expect("it is there");
    let manifest: Value = serde_json::from_slice(&manifest).expect("JSON");
    let digest = manifest["digest"].as_str().expect("a digest").to_owned();
    assert!(info.contains(&digest) && info.contains("still matches"), "{info}");

    let cases = [
        ("model", "model.toml", "mass = 2", "mass = 3", "'model.toml' was changed after the run"),
        ("table", "data/stiff.csv", "2e4", "3e4", "'data/stiff.csv' was changed after the run"),
        ("other", "push.csv", "0.05, 1", "0.05, 2", "'push.csv' was changed after the run"),
        ("digest", "manifest.json", &digest[..8], "01234567", "the manifest was changed"),
    ];
    for (name, file, from, to, words) in cases {
        edit(&result(name).join(file), from, to);
        let text = again(name);
        assert!(text.contains("warning") && text.contains(words), "{text}");
        let info = good(&place, &["info", name]);
        assert!(info.contains(words) && !info.contains("still matches"), "{info}");
        let info = jointplay(&place, &["info", name, "--json"]);
        let info: Value = serde_json::from_slice(&info.stdout).expect("JSON");
        assert!(info["departures"][0].as_str().is_some_and(|text| text.contains(words)));
        // A change on the way does not hide that of the file.
        let rtol = ["run", name, "--no-page", "--rtol", "1e-7", "--out", "rtol", "--force"];
        let text = good(&place, &rtol);
        assert!(name == "digest" || text.contains(words), "{text}");
    }

    // Another engine: the digest differs though no file does.
    let folder = result("engine");
    let engine = manifest["engine"].as_str().expect("a digest");
    let file = folder.join("manifest.json");
    edit(&file, engine, &"0".repeat(64));
    edit(&file, &digest, &"1".repeat(64));
    let text = again("engine");
    assert!(text.contains("note: ") && text.contains("may give other bits"), "{text}");
    assert!(!text.contains("warning"), "{text}");
    assert!(good(&place, &["info", "engine"]).contains("may give other bits"));
}

#[test]
fn property_a_damaged_manifest_is_not_taken_for_a_plain_model() {
    let place = place(&model());
    good(&place, &["run", "model.toml", "--no-page", "--out", "r"]);
    let file = place.path().join("r/manifest.json");
    let whole = std::fs::read_to_string(&file).expect("it is there");
    let half = &whole[..whole.len() / 2];
    let without_format = whole.replace("\"format\"", "\"from\"");
    for damaged in [half, "", &without_format] {
        std::fs::write(&file, damaged).expect("written");
        for command in [&["run", "r", "--no-page"][..], &["info", "r"]] {
            let output = jointplay(&place, command);
            let text = shown(&output);
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(text.contains("manifest.json") && text.contains("damaged"), "{text}");
        }
    }
    // Somebody else's file of that name does not make a folder a result.
    std::fs::write(&file, "{ \"name\": \"app\" }").expect("written");
    good(&place, &["run", "r", "--no-page", "--out", "s"]);
}

/// A table is one thing, however the model spells its path.
#[test]
fn property_spellings_of_one_table_are_one_table() {
    let spelled = model().replace(
        "[run]",
        "[forces.more]\ntype = \"force\"\non = { body = \"other\" }\ndirection = [0, 1]\n\
         value = { table = \"./data/.././push.csv\" }\n[run]",
    );
    // The way up is not one of them.
    let place = place(&spelled);
    assert!(!jointplay(&place, &["check", "model.toml"]).status.success());
    edit(&place.path().join("model.toml"), "./data/.././push.csv", ".//./push.csv");
    good(&place, &["run", "model.toml", "--no-page", "--out", "r"]);
    assert!(place.path().join("r/push.csv").is_file());
    let text = good(&place, &["run", "r", "--no-page", "--out", "s"]);
    assert!(!text.contains("warning"), "{text}");
    let read = |name: &str| std::fs::read(place.path().join(name)).expect("it is there");
    assert_eq!(read("r/channels.csv"), read("s/channels.csv"));
    // Names that some file systems cannot tell apart are refused before the run.
    std::fs::copy(place.path().join("push.csv"), place.path().join("Push.csv")).expect("copied");
    edit(&place.path().join("model.toml"), ".//./push.csv", "Push.csv");
    let output = jointplay(&place, &["run", "model.toml", "--no-page", "--out", "t"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(shown(&output).contains("rename the table"), "{}", shown(&output));
}
