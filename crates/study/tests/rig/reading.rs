//! What is wrong with data is said at once.

use super::*;

#[test]
fn exact_everything_that_is_wrong_with_data() {
    let data = "t [ms], force [kN], v [m/s], w [kg]\n0, 1, 2, 3\n1, x, 2, 3\n0.5, 1, 2, 3\n2, inf, 1, 2\n3, 1, 2, 3, 4\n";
    let fits = [("contacts.pin.restitution", "0.2:1")];
    let asked = |map| Asked { map, fits: &fits, ..Asked::default() };
    let wrong = refused(SPHERES, data, &asked("force=pin.force w=left.vx u=right.vx"));
    let text = wrong.to_string();
    for expected in [
        "`x` is not a number",
        "follows",
        "finite",
        "5 cells under 4 names",
        "`kg` does not fit `w`, which is in m/s",
        "there is no column `u`",
        "force, v, w",
    ] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let lines: Vec<usize> =
        wrong.problems.iter().filter_map(|p| Some(p.location.as_ref()?.line)).collect();
    for line in [1, 3, 4, 5, 6] {
        assert!(lines.contains(&line), "{line}: {lines:?}");
    }
    let wrong = refused(SPHERES, "t,force_kN\n0,1\n1,2\n2,3\n3,2\n", &asked("force_kN=pin.force"))
        .to_string();
    assert!(wrong.contains("may give the unit `kN`") && wrong.contains("brackets"), "{wrong}");
    let wrong = refused(SPHERES, "t,force\n0,1\n1,2\n", &asked("force=pin.forec")).to_string();
    assert!(wrong.contains("pin.force"), "{wrong}");
    let wrong = refused(SPHERES, "0,1\n1,2\n", &asked("force=pin.force")).to_string();
    assert!(wrong.contains("must name the columns"), "{wrong}");
}

/// Files as instruments and spreadsheets write them, which are not what is wanted: the message says what to do.
#[test]
fn exact_what_to_do_about_other_files() {
    let fits = [("contacts.pin.restitution", "0.2:1")];
    let asked = Asked { map: "force=pin.force", fits: &fits, ..Asked::default() };
    let said = |data: &str| refused(SPHERES, data, &asked).to_string();
    let only = said("force [N]\n1\n2\n3\n");
    assert!(only.contains("taken for the time") && only.contains("its unit is `N`"), "{only}");
    let only = said("force\n1\n2\n3\n");
    assert!(only.contains("taken for the time") && only.contains("--time COLUMN"), "{only}");
    let units = said("t,force\nms,kN\n0,1\n1,2\n");
    assert!(units.contains("put units into the first line"), "{units}");
    let wide: String = "t,force\n0,1\n1,2\n".chars().flat_map(|c| ['\0', c]).collect();
    assert!(said(&wide).contains("UTF-16") && said(&wide).contains("UTF-8"), "{}", said(&wide));
}

/// Columns of other units, separators and rates, with empty cells, in any order: the same values.
#[test]
fn property_the_form_of_a_table_does_not_matter() {
    let rows = record("pulse.csv", "t [us]", "force [kN]");
    let mut text = String::from("note;F [N];zeit [ms];v [mm/s]\n");
    for (i, (t, f)) in rows.iter().enumerate().step_by(4) {
        let f = if i % 8 == 0 { format!("{}", 1e3 * f).replace('.', ",") } else { String::new() };
        let t = format!("{}", 1e-3 * t).replace('.', ",");
        let _ = writeln!(text, "7;{f};{t};");
    }
    let fits = [("contacts.pin.restitution", "0.2:1")];
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rig.csv");
    std::fs::write(&path, text).expect("written");
    let mut file = StudyFile::new(StudyKind::Identify, "model.toml");
    file.data = Some(path.display().to_string());
    file.map = vec!["F=pin.force".to_owned()];
    file.time = Some("zeit".to_owned());
    file.vary = fits
        .iter()
        .map(|(key, values)| VaryEntry { key: (*key).to_owned(), values: (*values).to_owned() })
        .collect();
    let study = Study::new(file, Case::of_text(SPHERES)).unwrap_or_else(|error| panic!("{error}"));
    let outcome = study.run(&folder.path().join("study"), &Sweep::new(), None).expect("a study");
    let found = outcome.findings.identified.expect("something");
    assert_eq!(found.samples, rows.len() / 8);
    let e = found.parameters["contacts.pin.restitution"].value.expect("a value");
    assert!((e - 0.7).abs() < 1e-4, "{e}");
}

/// Spreadsheets put cells into quotes, with what separates cells inside.
#[test]
fn exact_cells_in_quotes() {
    use jointplay_study::measurement::{DataRequest, Measurement};
    let model = Case::of_text(SPHERES).load().expect("a model");
    let maps = ["force, left [raw]=pin.force".to_owned()];
    let request = DataRequest::parse(None, &maps, &[], false).expect("right");
    for text in [
        "\"t [ms]\",\"note; one\",\"force, left [raw] [kN]\"\n\"0\",\"a, b\",\"1.5\"\n1,c,2\n",
        "\"t [ms]\";note;\"force, left [raw] [kN]\"\r\n\"0\";\"a; b\";\"1,5\"\r\n1;c;2\r\n",
        "\u{feff}t [ms]\t\"note\t\"\t\"force, left [raw] [kN]\"\n0\t\t1.5\n\n1\t\"\t\"\t2",
    ] {
        let data = Measurement::of_text(text, "rig.csv", &request, &model)
            .unwrap_or_else(|wrong| panic!("{wrong}"));
        assert_eq!(data.times, [0.0, 1e-3], "{text}");
        assert_eq!(data.columns[0].values, [1500.0, 2000.0], "{text}");
    }
}

/// `#` is a letter of names as instruments write them; only a line that begins with it is a comment.
#[test]
fn exact_names_with_a_number_sign() {
    use jointplay_study::measurement::{DataRequest, Measurement};
    let model = Case::of_text(SPHERES).load().expect("a model");
    let read = |text: &str| {
        let maps = ["Load #2=pin.force".to_owned()];
        let request = DataRequest::parse(None, &maps, &[], false).expect("right");
        Measurement::of_text(text, "rig.csv", &request, &model)
    };
    let text =
        "# rig 7\nt [ms],Accel #1 [m/s^2],Load #2 [kN],note\n  # warm\n0,3,1.5,run #3\n1,4,2,\n";
    let data = read(text).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert_eq!(data.times, [0.0, 1e-3]);
    assert_eq!(data.columns[0].values, [1500.0, 2000.0]);
    let wrong = read("t,Load #2 [kN]\n0,1 # cold\n1,2\n").expect_err("no number").to_string();
    assert!(wrong.contains("`1 # cold` is not a number"), "{wrong}");
    assert!(wrong.contains("a line of its own"), "{wrong}");
}
