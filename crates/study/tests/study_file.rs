//! The format of study files: the schema and the reader accept the same.

use std::path::Path;

use jointplay_study::study_file::StudyFile;

/// The committed schema is the one of this reader, and takes the shipped studies; `JOINTPLAY_BLESS=1` writes it anew.
#[test]
fn regress_the_published_schema_of_studies_is_in_step() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = root.join("docs/study.schema.json");
    let text = format!("{:#}\n", StudyFile::schema());
    if std::env::var_os("JOINTPLAY_BLESS").is_some() {
        std::fs::write(&path, &text).expect("written");
    }
    let committed = std::fs::read_to_string(&path).expect("the schema");
    assert!(committed == text, "docs/study.schema.json is not what this reader accepts");
    let validator = jsonschema::validator_for(&StudyFile::schema()).expect("a schema");
    for entry in std::fs::read_dir(root.join("studies")).expect("studies") {
        let path = entry.expect("an entry").path();
        // Beside studies lie their data.
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let text = std::fs::read_to_string(path).expect("a study");
        let both = |text: &str| {
            let table: toml::Table = toml::from_str(text).expect("TOML");
            let accepted = validator.is_valid(&serde_json::to_value(&table).expect("JSON"));
            [accepted, StudyFile::parse(text, None).is_ok()]
        };
        assert_eq!(both(&text), [true; 2], "{text}");
        assert_eq!(both(&text.replacen("kind = ", "knid = ", 1)), [false; 2]);
        assert_eq!(both(&text.replacen("key = ", "kye = ", 1)), [false; 2]);
        assert_eq!(both(&format!("sampels = 3\n{text}")), [false; 2]);
        assert_eq!(both(&format!("seed = -1\n{text}")), [false; 2]);
        assert_eq!(both(&format!("restart = \"yes\"\n{text}")), [false; 2]);
    }
}
