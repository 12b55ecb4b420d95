//! Interactive pages as files: what is in them, and the commands that write them. How they behave is tested in a browser
//! (`crates/page/web/browser`).

use std::io::Read as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tempfile::TempDir;

use crate::program::jointplay;

fn model(name: &str) -> String {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    models.join(name).join("model.toml").display().to_string()
}

fn good(folder: &TempDir, args: &[&str]) -> String {
    let output = jointplay(folder, args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

/// The text of a data block of a page.
fn block<'a>(html: &'a str, id: &str) -> Option<&'a str> {
    let (_, rest) = html.split_once(&format!("id=\"{id}\">"))?;
    rest.split_once("</script>").map(|(text, _)| text)
}

pub(crate) fn boot(html: &str) -> Value {
    serde_json::from_str(block(html, "boot").expect("a boot block")).expect("JSON")
}

/// Structure and numbers of a recorded run.
fn run(html: &str, number: usize) -> (Value, Vec<f64>) {
    unpacked(html, &format!("run-{number}"))
}

/// Structure and numbers of a block, unpacked by the description of the container.
pub(crate) fn unpacked(html: &str, id: &str) -> (Value, Vec<f64>) {
    let text = block(html, id).expect("a block of data");
    let deflated = STANDARD.decode(text).expect("base64");
    let mut bytes = Vec::new();
    flate2::read::ZlibDecoder::new(&deflated[..]).read_to_end(&mut bytes).expect("zlib");
    assert_eq!(&bytes[..4], b"JPP1");
    let length = u32::from_le_bytes(bytes[4..8].try_into().expect("4 bytes")) as usize;
    let json = serde_json::from_slice(&bytes[8..8 + length]).expect("JSON");
    let start = (8 + length).next_multiple_of(8) + 8;
    let count = (bytes.len() - start) / 8;
    let mut before = 0_u64;
    let numbers = (0..count).map(|i| {
        let word: [u8; 8] = std::array::from_fn(|plane| bytes[start + plane * count + i]);
        before ^= u64::from_le_bytes(word);
        f64::from_bits(before)
    });
    (json, numbers.collect())
}

fn series<'a>(numbers: &'a [f64], at: &Value) -> &'a [f64] {
    let number = |key: &str| usize::try_from(at[key].as_u64().expect("a number")).expect("small");
    &numbers[number("at")..number("at") + number("n")]
}

/// The page holds the run as the table beside it does, number by number, and asks nobody for anything.
#[test]
fn property_the_page_of_a_run_holds_its_data() {
    let folder = folder();
    let file = model("slider-crank");
    let shown = good(&folder, &["run", &file, "--out", "r", "--until", "20 ms"]);
    assert!(shown.contains("page    r"), "{shown}");
    let html = std::fs::read_to_string(folder.path().join("r/report.html")).expect("a page");
    let boot = boot(&html);
    assert_eq!(boot["kind"], "run");
    assert_eq!(boot["runs"][0]["label"], "hertz+lankarani-nikravesh");
    assert_eq!(boot["runs"][1]["role"], "ideal");
    assert!(boot["catalogue"].as_array().is_some_and(|laws| laws.len() > 50));
    let (run, numbers) = run(&html, 0);
    let mut table = csv::Reader::from_path(folder.path().join("r/channels.csv")).expect("a table");
    let names: Vec<String> = table.headers().expect("a head").iter().map(str::to_owned).collect();
    let rows: Vec<csv::StringRecord> = table.records().map(|row| row.expect("a row")).collect();
    let column = |name: &str| -> Vec<f64> {
        let i = names.iter().position(|other| other == name).expect("a column");
        rows.iter().map(|row| row[i].parse().expect("a number")).collect()
    };
    assert_eq!(series(&numbers, &run["times"]), column("time [s]"));
    let channels = run["channels"].as_array().expect("channels");
    for name in ["slider.ax", "pin.force", "pin.ex", "motor.torque"] {
        let channel = channels.iter().find(|channel| channel["name"] == name).expect(name);
        let header = format!("{name} [{}]", channel["unit"].as_str().expect("a unit"));
        assert_eq!(series(&numbers, &channel["values"]), column(&header), "{name}");
    }
    let summary: Value = serde_json::from_str(
        &std::fs::read_to_string(folder.path().join("r/summary.json")).expect("a summary"),
    )
    .expect("JSON");
    assert_eq!(run["summary"], summary);
    assert!(!run["sheets"].as_array().expect("sheets").is_empty());
    assert!(!run["knobs"].as_array().expect("knobs").is_empty());
    for resource in ["src=\"", "href=\"http", "@import", "url(http"] {
        assert!(!html.contains(resource), "{resource}");
    }
}

/// What a model says about itself cannot break out of the page.
#[test]
fn property_texts_of_a_model_stay_texts() {
    let folder = folder();
    let wild = "</script><script>alert(1)</script><!--";
    let text = std::fs::read_to_string(model("pin-in-bore")).expect("a model");
    let text = text.replacen("name = \"pin-in-bore\"", &format!("name = '{wild}'"), 1);
    assert!(text.contains(wild));
    std::fs::write(folder.path().join("m.toml"), text).expect("written");
    good(&folder, &["run", "m.toml", "--out", "r", "--until", "2 ms"]);
    let html = std::fs::read_to_string(folder.path().join("r/report.html")).expect("a page");
    assert!(!html.contains(wild));
    assert_eq!(boot(&html)["title"], wild);
    assert!(html.contains("<title>&lt;/script&gt;"));
}

#[test]
fn property_the_page_of_a_comparison_holds_every_law() {
    let folder = folder();
    let file = model("slider-crank");
    let args = ["compare", &file, "--laws", "model,hertz+flores", "--until", "15 ms"];
    let shown = good(&folder, &args);
    assert!(shown.contains("page    out"), "{shown}");
    let place = folder.path().join("out/slider-crank-laws_until-15-ms");
    let html = std::fs::read_to_string(place.join("report.html")).expect("a page");
    let boot = boot(&html);
    assert_eq!(boot["kind"], "compare");
    let labels: Vec<&str> =
        boot["runs"].as_array().expect("runs").iter().filter_map(|r| r["label"].as_str()).collect();
    assert_eq!(labels, ["hertz+lankarani-nikravesh", "hertz+flores", "ideal joints"]);
    assert_eq!(run(&html, 1).0["law"], "hertz+flores");
    let laws = std::fs::read_to_string(place.join("laws.csv")).expect("a table");
    assert_eq!(laws.lines().count(), 3);
    // It may be replaced by its like, told apart from a run, and nothing of the user's is lost.
    good(&folder, &args);
    let info = jointplay(&folder, &["info", "out/slider-crank-laws_until-15-ms"]);
    assert_eq!(info.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&info.stderr).contains("several runs"));
    std::fs::write(place.join("notes.txt"), "keep").expect("written");
    good(&folder, &args);
    assert!(place.join("notes.txt").exists());
}

#[test]
fn property_view_writes_the_page_if_needed() {
    let folder = folder();
    let models = Path::new(&model("pin-in-bore")).parent().expect("a folder").display().to_string();
    // a folder with a model, its result, the result without its page
    let shown = good(&folder, &["view", &models, "--no-open"]);
    let page = folder.path().join("out/pin-in-bore/report.html");
    assert!(shown.contains("report.html") && page.exists(), "{shown}");
    good(&folder, &["view", "out/pin-in-bore", "--no-open"]);
    std::fs::remove_file(&page).expect("there");
    good(&folder, &["view", "out/pin-in-bore", "--no-open"]);
    assert!(folder.path().join("out/pin-in-bore-page/report.html").exists());
    let missing = jointplay(&folder, &["view", "nothing", "--no-open"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("no such file"));
    let empty = jointplay(&folder, &["view", ".", "--no-open"]);
    assert_eq!(empty.status.code(), Some(2));
    let message = String::from_utf8_lossy(&empty.stderr).into_owned();
    assert!(message.contains("neither a result nor a model.toml"), "{message}");
}

/// The page to send to a colleague: small, with every shipped mechanism, replaced only by its like.
#[test]
fn property_the_playground_is_small_and_complete() {
    let folder = folder();
    good(&folder, &["playground"]);
    let path = folder.path().join("out/playground.html");
    let html = std::fs::read_to_string(&path).expect("a page");
    // 1.9 MB of it are the engine.
    assert!(html.len() < 2_400_000, "{} bytes", html.len());
    let boot = boot(&html);
    assert_eq!(boot["kind"], "playground");
    assert_eq!(boot["models"].as_array().expect("models").len(), 11);
    assert!(boot["runs"].as_array().expect("runs").is_empty());
    good(&folder, &["playground"]);
    good(&folder, &["playground", "own.html", &model("bench/../four-bar")]);
    std::fs::write(folder.path().join("mine.txt"), "keep").expect("written");
    let refused = jointplay(&folder, &["playground", "mine.txt"]);
    assert_eq!(refused.status.code(), Some(2));
    let kept = std::fs::read_to_string(folder.path().join("mine.txt")).expect("there");
    assert_eq!(kept, "keep");
}
