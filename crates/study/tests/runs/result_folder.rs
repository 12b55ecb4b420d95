//! Result folders: whole or not at all, the same bytes, the same numbers.

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;

use jointplay_contact::friction::FrictionLaw;
use jointplay_mbd::Simulation;
use jointplay_study::case::Digest;
use jointplay_study::contacts::JointContacts;
use jointplay_study::record::{Record, record};
use jointplay_study::run::Settings;
use jointplay_study::series::{Channel, Channels};
use jointplay_study::store::{Asked, Contents, FORMAT, Origin, Overwrite, Store, StoreError};
use jointplay_study::summary::Summary;

use super::slider_crank::machine;

pub(crate) fn finished() -> (Record, Summary) {
    let (mechanism, pin) = machine(FrictionLaw::NoFriction);
    let simulation = Simulation::new(&mechanism).until(0.05);
    let joints = vec![JointContacts::single("pin", pin)];
    let run = record(&simulation, joints, |_| ControlFlow::Continue(())).expect("it starts");
    let summary = Summary { wall_seconds: Some(0.5), ..Summary::of(&run) };
    (run, summary)
}

pub(crate) fn channels(run: &Record) -> Channels {
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

pub(crate) fn contents<'a>(
    run: &'a Record,
    summary: &'a Summary,
    channels: &'a Channels,
) -> Contents<'a> {
    Contents {
        origin: origin("model.toml", &[]),
        settings: Asked {
            model: "crank".to_owned(),
            changes: Vec::new(),
            run: Some(Settings {
                until: 0.05,
                method: "dop853".to_owned(),
                rtol: 1e-8,
                formulation: "auto".to_owned(),
                interval: 5e-4,
            }),
        },
        summary: summary.clone(),
        contacts: &run.contacts,
        channels: channels.clone(),
        inputs: Vec::new(),
        extra: vec![("figures/force.svg".into(), b"<svg/>".to_vec())],
        repeatable: true,
    }
}

/// A model file beside the crate, with changes.
pub(crate) fn origin(file: &str, changes: &[&str]) -> Origin {
    let changes: Vec<String> = changes.iter().map(|&change| change.to_owned()).collect();
    let digest = Digest::of(changes.iter().map(String::as_str).chain([file]));
    Origin { file: Some(file.into()), changes, digest }
}

/// Every file below a folder with its bytes.
pub(crate) fn all(folder: &Path) -> BTreeMap<String, Vec<u8>> {
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

pub(crate) fn bits(values: &[f64]) -> Vec<u64> {
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
    // printf '\12\0\0\0\0\0\0\0model.toml' | sha256sum
    assert_eq!(manifest.digest.as_ref().map(Digest::as_str), Some(MODEL_DIGEST));
    assert_eq!((manifest.format, manifest.samples), (FORMAT, channels.times.len()));
    assert_eq!(manifest.settings.run.as_ref().map(|run| run.method.as_str()), Some("dop853"));
    let text = fs::read_to_string(folder.join("channels.csv")).expect("there");
    assert!(text.starts_with("time [s],slider.x [m],\"a, \"\"b\"\" [-]\"\n"), "{text:.80}");
    let text = fs::read_to_string(folder.join("impacts.csv")).expect("there");
    let header = "joint,region,start,end,impact_speed,max_indentation,max_force,duration,impulse,\
                  restitution,loss_normal,loss_friction,out_of_domain,free_restitution\n";
    assert!(text.starts_with(header));
    assert!(folder.join("figures/force.svg").is_file());
}

const MODEL_DIGEST: &str = "f0c14a8f620ba91d77913c1cc351d00dec3e64ac003690e6481463f4bfbf5441";

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
        // What is no number is null there.
        let found = [0, 1, 2].map(|k| row.get_double(k).unwrap_or(f64::NAN));
        assert_eq!(bits(&found), bits(&expected));
        assert_eq!(row.get_double(2).is_err(), !expected[2].is_finite());
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
    // Two names of which one cannot be a file.
    let mut clash = contents(&run, &summary, &good);
    clash.extra = ["a", "a/b"].map(|name| (name.into(), vec![1])).to_vec();
    fails(&clash);
    let mut short = good.clone();
    short.channels[0].values.pop();
    assert!(fails(&contents(&run, &summary, &short)).contains("slider.x"));
    let mut twice = good.clone();
    twice.channels[1].name = "slider.x".into();
    assert!(fails(&contents(&run, &summary, &twice)).contains("two columns have this name"));
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
    // Not complete: it may have been a result.
    for damaged in ["", &text[..text.len() / 2], "{\"program\": \"jointplay\"}"] {
        fs::write(&manifest, damaged).expect("written");
        assert!(matches!(Store::open(&folder), Err(StoreError::Content { .. })), "{damaged}");
    }
    for other in ["{}", "[1, 2]", "{\"program\": \"other\", \"format\": 1}"] {
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

/// Work folders of processes that are gone are removed by the next write, those of living ones are not; what was moved
/// aside when a process was killed comes back.
#[test]
fn property_stale_work_is_cleaned_and_nothing_is_lost() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let contents = contents(&run, &summary, &channels);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    contents.write(&folder, Overwrite::Result).expect("written");
    fs::write(folder.join("notes.txt"), "mine").expect("written");
    let work = |name: &str| {
        let path = place.path().join(name);
        fs::create_dir_all(path.join("new")).expect("made");
        fs::write(path.join("new/channels.csv"), "half").expect("written");
        fs::File::create(path.join("lock")).expect("made")
    };
    // Killed while it wrote, killed between the two renamings, and alive.
    drop(work(".result.999999991-0.tmp"));
    drop(work(".result.999999992-3.tmp"));
    fs::rename(&folder, place.path().join(".result.999999992-3.tmp/replaced")).expect("moved");
    let alive = work(".result.999999993-0.tmp");
    alive.lock().expect("locked");
    // Names that only look alike are somebody's.
    for other in [".result.tmp", ".result.backup-1.tmp", ".results.1-1.tmp", ".result.1-1"] {
        fs::create_dir(place.path().join(other)).expect("made");
    }
    contents.write(&folder, Overwrite::Result).expect("written");
    assert_eq!(fs::read(folder.join("notes.txt")).expect("it came back"), b"mine");
    let mut names: Vec<String> = fs::read_dir(place.path())
        .expect("there")
        .flatten()
        .map(|entry| entry.file_name().into_string().expect("plain"))
        .collect();
    names.sort();
    let left = [
        ".result.1-1",
        ".result.999999993-0.tmp",
        ".result.backup-1.tmp",
        ".result.tmp",
        ".results.1-1.tmp",
        "result",
    ];
    assert_eq!(names, left);
    drop(alive);
    contents.write(&folder, Overwrite::Result).expect("written");
    assert!(!place.path().join(".result.999999993-0.tmp").exists());
}

/// A table of a result that is no file ends no reader.
#[cfg(target_os = "linux")]
#[test]
fn property_endless_files_of_a_result_are_refused() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    contents(&run, &summary, &channels).write(&folder, Overwrite::Nothing).expect("written");
    let store = Store::open(&folder).expect("a result");
    for name in ["channels.csv", "impacts.csv", "summary.json", "manifest.json"] {
        fs::remove_file(folder.join(name)).expect("removed");
        std::os::unix::fs::symlink("/dev/zero", folder.join(name)).expect("linked");
    }
    assert!(store.channels().expect_err("endless").to_string().contains("a device"));
    assert!(store.impacts().is_err() && store.summary().is_err());
    assert!(Store::open(&folder).is_err());
}

/// A result whose files have impossible names is not lost with them.
#[test]
fn property_a_rescue_keeps_all_that_can_be_kept() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let mut contents = contents(&run, &summary, &channels);
    let file = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    contents.inputs = vec![file("a.csv", "first"), file("a.csv", "second"), file("../b", "")];
    contents.extra = vec![file("figures/x.svg", "<svg/>"), file("a.csv/c", "below a file")];
    let folder = place.path().join("result");
    let refused = contents.write(&folder, Overwrite::Nothing);
    assert!(matches!(refused, Err(StoreError::FileName { .. })), "{refused:?}");
    let left_out = contents.rescue(&folder).expect("the rest is good");
    assert_eq!(left_out, ["a.csv", "../b", "a.csv/c"]);
    assert_eq!(Store::open(&folder).expect("a result").summary().expect("there"), summary);
    let found = all(&folder);
    assert_eq!(found["a.csv"], b"first");
    assert!(found.contains_key("figures/x.svg") && found.contains_key("channels.csv"));
}
