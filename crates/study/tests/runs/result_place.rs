//! Where a result folder is written: what it may replace, what stays, links, and several writers at once.

use super::result_folder::{all, channels, contents, finished};
use jointplay_study::case::Digest;
use jointplay_study::store::{Contents, Origin, Overwrite, StoreError, check_target};
use std::fs;
use std::path::Path;

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
    // Told so, the result goes into it, and the work of years stays.
    write(Overwrite::Anything).expect("told so");
    assert_eq!(fs::read(folder.join("thesis.tex")).expect("there"), b"years of work");
    let first = all(&folder);
    // A result is replaced by the next, and not where nothing may be.
    write(Overwrite::Result).expect("a result");
    assert_eq!(all(&folder), first);
    assert!(matches!(write(Overwrite::Nothing), Err(StoreError::Exists { .. })));
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

/// Files that somebody put into a result folder stay there, and what the result wrote before goes.
#[test]
fn property_files_of_the_user_stay_in_a_result() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let mut contents = contents(&run, &summary, &channels);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    contents.write(&folder, Overwrite::Result).expect("written");
    let mine = ["notes.txt", "figures/mine.svg", "data/deep/points.csv"];
    for name in mine {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(path, name).expect("written");
    }
    fs::create_dir(folder.join("empty")).expect("made");
    contents.extra = vec![("figures/other.svg".into(), b"<svg/>".to_vec())];
    for overwrite in [Overwrite::Result, Overwrite::Anything] {
        contents.write(&folder, overwrite).expect("written");
        for name in mine {
            assert_eq!(fs::read(folder.join(name)).expect(name), name.as_bytes());
        }
        assert!(folder.join("empty").is_dir());
        assert!(!folder.join("figures/force.svg").exists());
        assert!(folder.join("figures/other.svg").exists());
        let names: Vec<_> = fs::read_dir(place.path()).expect("there").flatten().collect();
        assert_eq!(names.len(), 1, "{names:?}");
    }
    // A name that both want is the user's.
    fs::write(folder.join("report.html"), "mine").expect("written");
    contents.extra.push(("report.html".into(), b"ours".to_vec()));
    for overwrite in [Overwrite::Result, Overwrite::Anything] {
        let early = check_target(&folder, overwrite, &Origin::default()).expect_err("it is taken");
        let error = contents.write(&folder, overwrite).expect_err("it is taken");
        assert!([early, error].iter().all(|e| e.to_string().contains("'report.html'")));
        assert_eq!(fs::read(folder.join("report.html")).expect("there"), b"mine");
    }
    // The same in a folder that holds no result.
    for name in ["model.toml", "channels.csv", "figures/other.svg", "laws.csv"] {
        let folder = place.path().join("mine");
        let file = folder.join(name);
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(&file, "mine").expect("written");
        let error = contents.write(&folder, Overwrite::Anything).expect_err("it is taken");
        assert!(matches!(error, StoreError::Foreign { .. }), "{error}");
        assert_eq!(all(&folder).len(), 1, "{name}");
        fs::remove_dir_all(&folder).expect("removed");
    }
    // The model file of an older result, edited there.
    fs::remove_file(folder.join("report.html")).expect("removed");
    contents.extra.push(("model.toml".into(), b"ours".to_vec()));
    contents.write(&folder, Overwrite::Result).expect("written");
    fs::write(folder.join("model.toml"), "edited").expect("written");
    contents.origin = Origin { file: Some(folder.join("model.toml")), ..Origin::default() };
    contents.write(&folder, Overwrite::Anything).expect_err("it is the input");
    assert_eq!(fs::read(folder.join("model.toml")).expect("there"), b"edited");
}

/// Results that are written at the same time to one place take turns.
#[test]
fn property_writers_of_one_folder_take_turns() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..10 {
                    let contents = contents(&run, &summary, &channels);
                    contents.write(&folder, Overwrite::Result).expect("written");
                }
            });
        }
    });
    assert_eq!(fs::read_dir(place.path()).expect("there").count(), 1);
}

/// A result gives way to one of the same file with the same changes, edited or not, and to none of another.
#[test]
fn property_a_result_of_other_input_is_not_replaced() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let folder = place.path().join("result");
    let write = |origin: Origin, overwrite| {
        let contents = Contents { origin, ..contents(&run, &summary, &channels) };
        contents.write(&folder, overwrite)
    };
    let model = place.path().join("a/model.toml");
    let origin = |file: &Path, changes: &[&str], digest: &str| Origin {
        file: Some(file.to_owned()),
        changes: changes.iter().map(|&change| change.to_owned()).collect(),
        digest: Digest::of([digest]),
    };
    write(origin(&model, &["--law flores"], "1"), Overwrite::Result).expect("written");
    // Edited, and run again.
    write(origin(&model, &["--law flores"], "2"), Overwrite::Result).expect("the same file");
    let before = all(&folder);
    // The same text from elsewhere is the same input.
    let elsewhere = place.path().join("b/model.toml");
    write(origin(&elsewhere, &["--law flores"], "2"), Overwrite::Result).expect("the same text");
    write(origin(&model, &["--law flores"], "2"), Overwrite::Result).expect("the same text");
    for other in [
        origin(&elsewhere, &["--law flores"], "3"),
        origin(&model, &["--law hertz"], "3"),
        origin(&model, &[], "3"),
        Origin { file: None, ..origin(&model, &["--law flores"], "3") },
    ] {
        let refused = check_target(&folder, Overwrite::Result, &other);
        assert!(matches!(refused, Err(StoreError::OtherInput { .. })), "{other:?}");
        let error = write(other, Overwrite::Result).expect_err("other input").to_string();
        assert!(error.contains("../a/model.toml with --law flores"), "{error}");
        assert_eq!(all(&folder), before);
    }
    write(origin(&elsewhere, &[], "4"), Overwrite::Anything).expect("told so");
}

/// Both moved together, a model and its result know each other.
#[test]
fn property_a_result_may_move_with_its_model() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let write = |project: &str, digest: &str| {
        let project = place.path().join(project);
        let origin = Origin {
            file: Some(project.join("model.toml")),
            changes: Vec::new(),
            digest: Digest::of([digest]),
        };
        let contents = Contents { origin, ..contents(&run, &summary, &channels) };
        contents.write(&project.join("out/result"), Overwrite::Result)
    };
    write("here", "1").expect("written");
    fs::rename(place.path().join("here"), place.path().join("there")).expect("moved");
    write("there", "2").expect("the same file");
}

/// What cannot be written is known before the work.
#[test]
fn property_a_place_that_takes_nothing_is_refused_before_the_run() {
    let place = tempfile::tempdir().expect("a place");
    let file = place.path().join("file");
    fs::write(&file, "data").expect("written");
    let origin = Origin::default();
    let refused = |folder: &Path| {
        check_target(folder, Overwrite::Anything, &origin).expect_err("refused").to_string()
    };
    assert!(refused(&file.join("deep/result")).contains("cannot be written"));
    assert!(refused(&file).contains("is a file"));
    #[cfg(target_os = "linux")]
    assert!(refused(Path::new("/proc/result")).contains("cannot be written"));
    // Nothing is left where it can.
    check_target(&place.path().join("a/b"), Overwrite::Result, &origin).expect("it can");
    assert_eq!(fs::read_dir(place.path()).expect("there").count(), 1);
}

/// A link to a folder elsewhere stays one.
#[cfg(unix)]
#[test]
fn property_a_linked_folder_stays_a_link() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let contents = contents(&run, &summary, &channels);
    let place = tempfile::tempdir().expect("a place");
    let (link, disk) = (place.path().join("result"), place.path().join("disk"));
    fs::create_dir(&disk).expect("made");
    std::os::unix::fs::symlink(&disk, &link).expect("linked");
    for _ in 0..2 {
        contents.write(&link, Overwrite::Result).expect("written");
        assert!(fs::symlink_metadata(&link).expect("there").file_type().is_symlink());
        assert!(disk.join("channels.csv").exists());
    }
}

/// A broken link is refused before a run is made for it.
#[cfg(unix)]
#[test]
fn property_a_link_to_nowhere_is_refused() {
    let (run, summary) = finished();
    let channels = channels(&run);
    let place = tempfile::tempdir().expect("a place");
    let link = place.path().join("result");
    std::os::unix::fs::symlink(place.path().join("gone"), &link).expect("linked");
    let error = contents(&run, &summary, &channels).write(&link, Overwrite::Result);
    assert!(error.expect_err("nowhere").to_string().contains("a broken link"));
}
