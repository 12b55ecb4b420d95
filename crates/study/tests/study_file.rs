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
    // Values may be a list of the file as well as text.
    let of = |values: &str| {
        let text = format!(
            "format = 1\nkind = \"sweep\"\nmodel = \"m.toml\"\n[[vary]]\nkey = \"a\"\nvalues = {values}\n"
        );
        let table: toml::Table = toml::from_str(&text).expect("TOML");
        let accepted = validator.is_valid(&serde_json::to_value(&table).expect("JSON"));
        let read = StudyFile::parse(&text, None).ok();
        assert_eq!(accepted, read.is_some(), "{values}");
        read.map(|file| file.vary[0].values.clone())
    };
    assert_eq!(of("[0.1, 2, \"3 mm\"]").as_deref(), Some("0.1, 2, 3 mm"));
    assert_eq!(of("[\"hertz\", \"hertz+flores\"]").as_deref(), Some("hertz, hertz+flores"));
    assert_eq!(of("0.25").as_deref(), Some("0.25"));
    for wrong in ["true", "[true]", "[[1, 2]]", "{ from = 1 }"] {
        assert_eq!(of(wrong), None, "{wrong}");
    }
}
