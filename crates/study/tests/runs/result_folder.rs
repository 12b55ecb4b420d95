//! Result folders: whole or not at all, the same bytes, the same numbers.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use jointplay_contact::friction::FrictionLaw;
use jointplay_mbd::Simulation;
use jointplay_study::contacts::JointContacts;
use jointplay_study::run::{Run, Summary, run};
use jointplay_study::store::{Channel, Channels, Contents, FORMAT, Overwrite, Store, StoreError};
use serde_json::json;

use crate::slider_crank::machine;

fn finished() -> (Run, Summary) {
    let (mechanism, pin) = machine(FrictionLaw::NoFriction);
    let simulation = Simulation::new(&mechanism).until(0.05);
    let joints = vec![JointContacts::single("pin", pin)];
    let run = run(&simulation, joints, |_| ControlFlow::Continue(())).expect("it starts");
    let summary = Summary { wall_seconds: Some(0.5), ..Summary::of(&run) };
    (run, summary)
}

fn channels(run: &Run) -> Channels {
    let times = run.solution.trajectory.times().to_vec();
    let slider = run.solution.mechanism().find_body("slider").expect("it has one");
    let x = run.solution.series(|s| s.position(slider).position[0]).expect("regular");
    // Numbers that a careless writer would lose.
    let hard = [0.1 + 0.2, 1e-300, -5e-324, f64::MAX, 1e22, -0.0, f64::NAN, 123_456_789.123_456_79];
    let hard = (0..times.len()).map(|i| hard[i % hard.len()]).collect();
    let channel =
        |name: &str, unit: &str, values| Channel { name: name.into(), unit: unit.into(), values };
    Channels { times, channels: vec![channel("slider.x", "m", x), channel("a, \"b\"", "-", hard)] }
}

fn contents<'a>(run: &'a Run, summary: &'a Summary, channels: &'a Channels) -> Contents<'a> {
    Contents {
        model: b"[run]\nduration = 0.05\n",
        settings: json!({ "rtol": 1e-8, "method": "dop853" }),
        summary,
        contacts: &run.contacts,
        channels,
        extra: vec![("figures/force.svg".into(), b"<svg/>".to_vec())],
    }
}

/// Every file below a folder with its bytes.
fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = entry.file_name().into_string().expect("plain");
        if entry.path().is_dir() {
            found.extend(all(&entry.path()).into_iter().map(|(n, b)| (format!("{name}/{n}"), b)));
        } else {
            found.insert(name, fs::read(entry.path()).expect("a file"));
        }
    }
    found
}

fn bits(values: &[f64]) -> Vec<u64> {
    // There is one NaN: an empty cell.
    values.iter().map(|v| if v.is_nan() { f64::NAN.to_bits() } else { v.to_bits() }).collect()
}

#[test]
fn property_what_is_written_reads_back() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("deep/result");
    contents(&run, &summary, &channels).write(&folder, Overwrite::default()).expect("written");
    let store = Store::open(&folder).expect("a result");
    assert_eq!(store.summary().expect("there"), summary);
    let again = store.channels().expect("there");
    assert_eq!(bits(&again.times), bits(&channels.times));
    for (ours, theirs) in again.channels.iter().zip(&channels.channels) {
        assert_eq!((&ours.name, &ours.unit), (&theirs.name, &theirs.unit));
        assert_eq!(bits(&ours.values), bits(&theirs.values), "{}", ours.name);
    }
    let impacts = store.impacts().expect("there");
    assert_eq!(impacts.len(), run.contacts.episodes.len());
    for (row, e) in impacts.iter().zip(&run.contacts.episodes) {
        assert_eq!((row.joint.as_str(), row.region.as_str()), ("pin", "pin"));
        let ours = [row.start, row.end, row.max_force, row.impulse, row.loss_normal, row.duration];
        let theirs = [e.start, e.end, e.max_force, e.impulse, e.loss_normal, e.duration()];
        assert_eq!((ours, row.restitution), (theirs, e.restitution));
    }
    assert_eq!(store.modes().expect("there").len(), run.contacts.joints[0].timeline.len());
    let manifest = store.manifest();
    // printf '[run]\nduration = 0.05\n' | sha256sum
    assert_eq!(manifest.model_sha256, MODEL_HASH);
    assert_eq!((manifest.format, manifest.samples), (FORMAT, channels.times.len()));
    assert_eq!(manifest.settings["method"], "dop853");
    let text = fs::read_to_string(folder.join("channels.csv")).expect("there");
    assert!(text.starts_with("time [s],slider.x [m],\"a, \"\"b\"\" [-]\"\n"), "{text:.80}");
    let text = fs::read_to_string(folder.join("impacts.csv")).expect("there");
    let header = "joint,region,start,end,impact_speed,max_indentation,max_force,duration,impulse,\
                  restitution,loss_normal,loss_friction,out_of_domain,free_restitution\n";
    assert!(text.starts_with(header));
    assert!(folder.join("figures/force.svg").is_file());
}

const MODEL_HASH: &str = "170e2f7b6b7d1f18dc14dd5d8264fb4397d3170202f91ca0f30dbe4ee5ff5a16";

#[cfg(feature = "parquet")]
#[test]
fn property_columns_hold_the_same_bits() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    contents(&run, &summary, &channels).write(&folder, Overwrite::default()).expect("written");
    let file = fs::File::open(folder.join("channels.parquet")).expect("there");
    let reader = SerializedFileReader::new(file).expect("a Parquet file");
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names: Vec<&str> = schema.columns().iter().map(|column| column.name()).collect();
    assert_eq!(names, ["time [s]", "slider.x [m]", "a, \"b\" [-]"]);
    let mut count = 0;
    for (i, row) in reader.get_row_iter(None).expect("rows").enumerate() {
        let row = row.expect("a row");
        let expected =
            [channels.times[i], channels.channels[0].values[i], channels.channels[1].values[i]];
        let found = [0, 1, 2].map(|k| row.get_double(k).expect("a double"));
        assert_eq!(bits(&found), bits(&expected));
        count += 1;
    }
    assert_eq!(count, channels.times.len());
}

#[test]
fn property_the_same_run_leaves_the_same_bytes() {
    let place = tempfile::tempdir().expect("a place");
    let [a, b] = ["a", "b"].map(|name| {
        let (run, summary) = finished();
        let folder = place.path().join(name);
        let channels = channels(&run);
        contents(&run, &summary, &channels).write(&folder, Overwrite::Nothing).expect("written");
        all(&folder)
    });
    assert!(a.len() >= 6);
    assert_eq!(a, b);
}

#[test]
fn property_only_results_are_replaced() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let contents = contents(&run, &summary, &channels);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    let write = |overwrite| contents.write(&folder, overwrite);
    // Somebody's folder.
    fs::create_dir(&folder).expect("made");
    fs::write(folder.join("thesis.tex"), "years of work").expect("written");
    assert!(matches!(write(Overwrite::Result), Err(StoreError::NotAResult { .. })));
    assert_eq!(all(place.path()).len(), 1);
    // Told so, it is replaced.
    write(Overwrite::Anything).expect("told so");
    assert!(!folder.join("thesis.tex").exists());
    let first = all(&folder);
    // A result is replaced by the next, and not where nothing may be.
    write(Overwrite::Result).expect("a result");
    assert_eq!(all(&folder), first);
    assert!(matches!(write(Overwrite::Nothing), Err(StoreError::Exists { .. })));
    // A result into which somebody put a file.
    fs::write(folder.join("notes.txt"), "important").expect("written");
    let error = write(Overwrite::Result).expect_err("notes are kept");
    assert!(error.to_string().contains("notes.txt"), "{error}");
    assert!(folder.join("notes.txt").exists());
    // A file in the way.
    let file = place.path().join("file");
    fs::write(&file, "data").expect("written");
    for overwrite in [Overwrite::Result, Overwrite::Anything] {
        assert!(contents.write(&file, overwrite).is_err());
        assert_eq!(fs::read(&file).expect("there"), b"data");
    }
    assert!(matches!(
        contents.write(Path::new("/"), Overwrite::Anything),
        Err(StoreError::NoName { .. })
    ));
    // Nothing is left beside.
    let names: Vec<_> = fs::read_dir(place.path()).expect("there").flatten().collect();
    assert_eq!(names.len(), 2, "{names:?}");
}

#[test]
fn property_nothing_half_written_is_left() {
    let (run, summary) = finished();
    let good = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    let fails = |contents: &Contents<'_>| {
        let error = contents.write(&folder, Overwrite::Anything).expect_err("refused");
        assert_eq!(fs::read_dir(place.path()).expect("there").count(), 0, "{error}");
        error.to_string()
    };
    for name in
        ["../escape", "/tmp/escape", "a/../../b", "", "manifest.json", "impacts.csv", "a\\b"]
    {
        let mut contents = contents(&run, &summary, &good);
        contents.extra = vec![(name.into(), vec![])];
        assert!(fails(&contents).contains(name));
    }
    // Two names of which one cannot be a file: found only while writing.
    let mut clash = contents(&run, &summary, &good);
    clash.extra = ["a", "a/b"].map(|name| (name.into(), vec![1])).to_vec();
    fails(&clash);
    let mut short = good.clone();
    short.channels[0].values.pop();
    assert!(fails(&contents(&run, &summary, &short)).contains("slider.x"));
    let mut twice = good.clone();
    twice.channels[1].name = "slider.x".into();
    assert!(fails(&contents(&run, &summary, &twice)).contains("two of this name"));
}

#[test]
fn property_what_is_no_result_is_not_opened() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    assert!(matches!(Store::open(&folder), Err(StoreError::Io { .. })));
    assert!(matches!(Store::open(place.path()), Err(StoreError::NotAResult { .. })));
    contents(&run, &summary, &channels).write(&folder, Overwrite::Nothing).expect("written");
    let manifest = folder.join("manifest.json");
    let text = fs::read_to_string(&manifest).expect("there");
    fs::write(&manifest, text.replace("\"format\": 1", "\"format\": 99")).expect("written");
    assert!(matches!(Store::open(&folder), Err(StoreError::TooNew { format: 99, .. })));
    for other in ["", "{}", "[1, 2]", "{\"program\": \"other\", \"format\": 1}"] {
        fs::write(&manifest, other).expect("written");
        assert!(matches!(Store::open(&folder), Err(StoreError::NotAResult { .. })), "{other}");
    }
    fs::write(&manifest, &text).expect("written");
    fs::write(folder.join("channels.csv"), "time [s],other\n0,1\n").expect("written");
    let store = Store::open(&folder).expect("a result");
    assert!(matches!(store.channels(), Err(StoreError::Content { .. })));
    fs::write(folder.join("summary.json"), "nonsense").expect("written");
    assert!(matches!(store.summary(), Err(StoreError::Content { .. })));
}
