//! Files appear whole or not at all.

use std::fs;

use jointplay_files::{can_write, write};

#[test]
fn property_a_file_is_written_whole() {
    let place = tempfile::tempdir().expect("a place");
    let file = place.path().join("deep/page.html");
    can_write(&file).expect("it can");
    for text in ["one", "two"] {
        write(&file, text.as_bytes()).expect("written");
        assert_eq!(fs::read_to_string(&file).expect("there"), text);
    }
    can_write(&file).expect("it can");
    let folder = place.path().join("deep");
    assert!(write(&folder, b"").is_err() && can_write(&folder).is_err());
    // What a killed process left goes; what is like it but somebody's own stays.
    fs::write(folder.join(".page.html.4711-0.tmp"), "half").expect("written");
    fs::write(folder.join(".page.html.mine.tmp"), "mine").expect("written");
    write(&file, b"three").expect("written");
    let mut names: Vec<_> =
        fs::read_dir(&folder).expect("there").map(|e| e.expect("an entry").file_name()).collect();
    names.sort();
    assert_eq!(names, [".page.html.mine.tmp", "page.html"]);
}
