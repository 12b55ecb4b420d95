//! The pages of studies: what is in them, and that it stays data.

use std::path::Path;

use serde_json::Value;

use crate::pages::{boot, unpacked};
use crate::program::jointplay;
use crate::studies::{found, place};

/// A table of a page: its columns by name, as texts.
fn columns(view: &Value, numbers: &[f64]) -> Vec<(String, Vec<String>)> {
    let index = |value: &Value| usize::try_from(value.as_u64().expect("a place")).expect("a place");
    let text = |column: &Value, number: f64| match column["words"].as_array() {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place")]
        Some(words) => words[number as usize].as_str().expect("a word").to_owned(),
        None if number.is_nan() => String::new(),
        None => format!("{number:e}"),
    };
    let of = |column: &Value| {
        let (at, n) = (index(&column["values"]["at"]), index(&column["values"]["n"]));
        let cells = numbers[at..at + n].iter().map(|number| text(column, *number)).collect();
        (column["name"].as_str().expect("a name").to_owned(), cells)
    };
    view["columns"].as_array().expect("columns").iter().map(of).collect()
}

/// A table of the folder in the same form.
fn written(path: &Path) -> Vec<(String, Vec<String>)> {
    let mut reader = csv::Reader::from_path(path).expect("a table");
    let head: Vec<String> = reader.headers().expect("a head").iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let cell = |text: &str| text.parse::<f64>().map_or(text.to_owned(), |x| format!("{x:e}"));
    let column = |i: usize| rows.iter().map(|row| cell(&row[i])).collect();
    head.into_iter().enumerate().map(|(i, name)| (name, column(i))).collect()
}

/// The page of a study has its findings and its tables.
#[test]
fn property_every_study_has_a_page_with_its_data() {
    let place = place();
    let speed = ["wall.toml", "--vary", "parameters.v=0.1 m/s:0.3 m/s:3"];
    let spread = ["wall.toml", "--vary", "parameters.v=0.1 m/s:0.3 m/s"];
    let metric = ["--metric", "wall.peak_force"];
    let few = ["--samples", "4"];
    let studies: [(&[&str], &[&str]); 4] = [
        (&[&["sweep"], &speed[..], &metric, &["--repeats", "2"]].concat(), &["table", "points"]),
        (&[&["tolerance"], &spread[..], &metric, &few].concat(), &["table"]),
        (&[&["sensitivity"], &spread[..], &metric, &few].concat(), &["table"]),
        (
            &[
                &["bifurcation"],
                &speed[..],
                &["--observe", "ball.y", "--period", "1 ms", "--transient", "1", "--periods", "4"],
            ]
            .concat(),
            &["points", "section"],
        ),
    ];
    for (args, tables) in studies {
        let findings = found(&place, &[args, &["--out", args[0]]].concat());
        let folder = place.path().join(args[0]);
        let html = std::fs::read_to_string(folder.join("study.html")).expect("a page");
        let boot = boot(&html);
        assert_eq!(boot["kind"], "study");
        let model = std::fs::read_to_string(folder.join("model.toml")).expect("the model");
        assert_eq!(boot["models"][0]["text"], model);
        let (view, numbers) = unpacked(&html, "study-data");
        assert_eq!(view["findings"], findings, "{args:?}");
        for name in tables {
            // The rows of a diagram are its points.
            let part = if args[0] == "bifurcation" && *name == "points" { "table" } else { name };
            let expected = written(&folder.join(name).with_extension("csv"));
            assert_eq!(columns(&view[part], &numbers), expected, "{name} of {args:?}");
        }
        // A study that goes on has its page again.
        std::fs::remove_file(folder.join("study.html")).expect("removed");
        let again = jointplay(&place, &["study", args[0]]);
        let said = String::from_utf8_lossy(&again.stdout).into_owned();
        assert!(again.status.success() && said.contains("page    "), "{said}");
        assert!(folder.join("study.html").exists());
    }
}

/// Cases that are varied come with their models.
#[test]
fn property_a_page_can_run_every_case() {
    let place = place();
    let args = ["sweep", "wall.toml", "--vary", "case=heavy", "--metric", "wall.peak_force"];
    found(&place, &[&args[..], &["--out", "c"]].concat());
    let html = std::fs::read_to_string(place.path().join("c/study.html")).expect("a page");
    let boot = boot(&html);
    let heavy = &boot["models"][1];
    assert_eq!(heavy["title"], "heavy");
    assert!(heavy["text"].as_str().expect("a text").contains("m = \"2 kg\""), "{heavy}");
}

/// What a model, a case or a metric is called cannot break out of the page.
#[test]
fn property_names_of_a_study_stay_texts() {
    let place = place();
    let wild = "</script><script>alert(1)</script><!--";
    let text = std::fs::read_to_string(place.path().join("wall.toml")).expect("a model");
    let text = text.replacen("name = \"wall\"", &format!("name = '{wild}'"), 1);
    let text = text.replace("[cases.heavy]", &format!("[cases.'{wild}']"));
    std::fs::write(place.path().join("wild.toml"), text).expect("written");
    let vary = format!("case={wild}");
    let args = ["sweep", "wild.toml", "--vary", &vary, "--metric", "wall.peak_force", "--out", "w"];
    found(&place, &args);
    let html = std::fs::read_to_string(place.path().join("w/study.html")).expect("a page");
    assert!(!html.contains("<script>alert") && !html.contains(wild));
    let (view, _) = unpacked(&html, "study-data");
    assert_eq!(view["findings"]["model"], wild);
    assert_eq!(view["table"]["columns"][0]["words"][0], wild);
}
