//! What is no regular file of limited size is refused at once.

use std::path::Path;
use std::time::{Duration, Instant};

use jointplay_files::{ReadError, Special, is_stdin, read, read_text};

#[test]
fn property_only_files_within_the_limit_are_read() {
    let place = tempfile::tempdir().expect("a place");
    let file = place.path().join("file");
    std::fs::write(&file, "12345678").expect("written");
    assert_eq!(read(&file, 8).expect("it fits"), b"12345678");
    assert!(matches!(read(&file, 7), Err(ReadError::TooLong { limit: 7 })));
    assert!(matches!(read(place.path(), 8), Err(ReadError::NotAFile(Special::Folder))));
    assert!(matches!(read(&place.path().join("none"), 8), Err(ReadError::Io(_))));
    std::fs::write(&file, [0xff]).expect("written");
    assert!(matches!(read_text(&file, 8), Err(ReadError::NotText)));
    let long = ReadError::TooLong { limit: 4 << 20 };
    assert_eq!(long.to_string(), "is longer than 4 MB");
}

/// Opening a pipe waits for its writer, and `/dev/zero` never ends.
#[cfg(target_os = "linux")]
#[test]
fn property_pipes_and_devices_are_refused_without_waiting() {
    let place = tempfile::tempdir().expect("a place");
    let pipe = place.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("it runs");
    assert!(made.success());
    let start = Instant::now();
    assert!(matches!(read(&pipe, 8), Err(ReadError::NotAFile(Special::Pipe))));
    for device in ["/dev/zero", "/dev/null", "/dev/random"] {
        let found = read(Path::new(device), 1 << 30);
        assert!(matches!(found, Err(ReadError::NotAFile(Special::Device))), "{device}");
    }
    assert!(start.elapsed() < Duration::from_secs(1));
}

#[test]
fn property_the_standard_input_has_names() {
    assert!(["-", "/dev/stdin", "/dev/fd/0"].iter().all(|name| is_stdin(Path::new(name))));
    assert!(!["./-", "model.toml", ""].iter().any(|name| is_stdin(Path::new(name))));
}
