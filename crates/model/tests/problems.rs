//! What is wrong with a file is said at its place, all at once, and nothing panics.

use std::fmt::Write as _;
use std::time::Duration;

use cpu_time::ThreadTime;
use jointplay_model::{Diagnostics, Model, Overrides, Problem};

const SLIDER_CRANK: &str = include_str!("../../../models/slider-crank/model.toml");
const PIN_SLOT: &str = include_str!("../../../models/pin-slot/model.toml");
const YOKE: &str = include_str!("../../../models/scotch-yoke/model.toml");
const GUIDE: &str = include_str!("../../../models/slider-crank-prismatic/model.toml");
const SPHERES: &str = include_str!("../../../models/two-spheres/model.toml");

fn problems(text: &str) -> Diagnostics {
    match Model::parse(text, &Overrides::new()) {
        Ok(_) => panic!("nothing is wrong with it"),
        Err(problems) => problems,
    }
}

/// The slider-crank with one thing changed.
fn changed(from: &str, to: &str) -> String {
    changed_in(SLIDER_CRANK, from, to)
}

fn changed_in(text: &str, from: &str, to: &str) -> String {
    assert!(text.contains(from), "{from} is not in the model");
    text.replacen(from, to, 1)
}

/// The only problem; its text, hint included, contains these words.
fn only(text: &str, words: &[&str]) -> Problem {
    let all = problems(text);
    let [problem] = all.problems.as_slice() else { panic!("not one problem:\n{all}") };
    let whole = all.to_string();
    for word in words {
        assert!(whole.contains(word), "`{word}` is not in\n{whole}");
    }
    problem.clone()
}

#[test]
fn property_a_problem_has_its_line_column_and_hint() {
    let problem =
        only(&changed("bearing_radius", "bearing_raduis"), &["did you mean `bearing_radius`?"]);
    let at = problem.location.as_ref().expect("a place");
    let line =
        SLIDER_CRANK.lines().position(|l| l.starts_with("bearing_radius")).expect("there") + 1;
    assert_eq!((at.line, at.column, at.length), (line, 1, 14));
    assert!(at.source_line.starts_with("bearing_raduis = \"10.25 mm\""));
    assert_eq!(problem.path, "joints.pin.bearing_raduis");
    let json = problem.to_json(Some("model.toml"));
    assert_eq!((&json["line"], &json["file"]), (&line.into(), &"model.toml".into()));
}

/// Where a word or a number may stand, neither is hidden from somebody who wrote something else.
#[test]
fn property_a_restitution_may_be_a_number_and_a_word() {
    let line = SLIDER_CRANK.lines().find(|line| line.starts_with("restitution")).expect("there");
    for text in ["\"0.5\"", "\" .5 \""] {
        let words = ["\"cube-root\", or a number", "write the number without quotes: 0.5"];
        only(&changed(line, &format!("restitution = {text}")), &words);
    }
    let words = ["\"cube-root\", or a number", "did you mean `cube-root`?"];
    only(&changed(line, "restitution = \"cuberoot\""), &words);
}

/// A joule is a newton metre in SI, but no torque.
#[test]
fn property_a_load_of_another_kind_is_refused_though_it_is_the_same_in_si() {
    let load = "[forces.f]\ntype = \"torque\"\non = \"rod\"\nvalue = \"5 J\"\n\n[run]";
    only(&changed("[run]", load), &["unit of energy"]);
}

#[test]
fn property_all_problems_come_at_once_in_the_order_of_the_file() {
    let text = SLIDER_CRANK
        .replace("mass = \"1.13 kg\"", "mass = \"1.13 mm\"")
        .replace("a = { body = \"rod\", at", "a = { body = \"rood\", at")
        .replace("material = \"steel\"", "material = \"stele\"")
        .replace("joint = \"axis\"", "joint = \"axsi\"")
        .replace("until = \"0.6 s\"", "until = \"0.6 s\"\nmethod = \"euler\"");
    let all = problems(&text);
    let lines: Vec<usize> =
        all.problems.iter().map(|p| p.location.as_ref().expect("a place").line).collect();
    assert!(lines.is_sorted(), "{lines:?}");
    let hints: Vec<_> = all.problems.iter().filter_map(|p| p.hint.as_deref()).collect();
    assert_eq!(all.problems.len(), 5, "{all}");
    assert_eq!(
        &hints[1..4],
        ["did you mean `rod`?", "did you mean `steel`?", "did you mean `axis`?"]
    );
    assert!(hints[0].contains("kg") && all.to_string().contains("is a unit of length"));
}

#[test]
fn property_absurd_numbers_are_refused_in_words() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("journal_radius = \"10 mm\"", "journal_radius = \"10.5 mm\"", &["swap the two"]),
        ("journal_radius = \"10 mm\"", "clearance = \"-0.25 mm\"", &["above 0", "ideal"]),
        ("journal_radius = \"10 mm\"", "clearance = 1e-12", &["too small to be resolved", "ideal"]),
        ("journal_radius = \"10 mm\"", "clearance = \"11 mm\"", &["must be above 0"]),
        ("journal_radius = \"10 mm\"", "", &["give two of"]),
        (
            "journal_radius = \"10 mm\"",
            "journal_radius = \"10 mm\"\nclearance = \"1 mm\"",
            &["differs from the clearance"],
        ),
        ("restitution = 0.46", "restitution = -0.1", &["[0, 1]"]),
    ];
    all_refused(cases);
}

#[track_caller]
fn all_refused(cases: &[(&str, &str, &[&str])]) {
    for (from, to, words) in cases {
        println!("{to}");
        only(&changed(from, to), words);
    }
}

#[test]
fn property_absurd_settings_are_refused_in_words() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("restitution = 0.46", "restitution = 2", &["[0, 1]"]),
        ("restitution = 0.46", "restitution = nan", &["not a finite number"]),
        ("mass = \"1.013 kg\"", "mass = inf", &["not a finite number"]),
        ("mass = \"1.013 kg\"", "mass = -1", &["must not be negative"]),
        ("mass = \"1.013 kg\"", "mass = 0", &["without mass"]),
        ("mass = \"1.013 kg\"", "mass = 1e400", &["not a finite number"]),
        (
            "law = \"hertz+lankarani-nikravesh\"",
            "law = { elastic = \"linear\", stiffness = 1e300 }",
            &["unrealistically large"],
        ),
        (
            "law = \"hertz+lankarani-nikravesh\"",
            "law = \"hertz+lankarani-nikravsh\"",
            &["did you mean `lankarani-nikravesh`"],
        ),
        (
            "law = \"hertz+lankarani-nikravesh\"",
            "law = \"johnson+exact\"",
            &["needs the contact length"],
        ),
        (
            "law = \"hertz+lankarani-nikravesh\"",
            "law = { elastic = \"hertz\", mu = 0.1 }",
            &["no parameter `mu`"],
        ),
        (
            "law = \"hertz+lankarani-nikravesh\"",
            "law = { elastic = \"hertz\", stiffness = \"1e9 N/mm^1.2\" }",
            &["N/m^1.5"],
        ),
        (
            "law = \"hertz+lankarani-nikravesh\"",
            "law = { friction = \"coulomb-tanh\", mu = 0.1, slip_speed = \"1 kg\" }",
            &["unit of mass"],
        ),
        ("speed = \"200 rpm\"", "speed = \"200 mm/s\"", &["unit of speed", "rpm"]),
        ("speed = \"200 rpm\"", "value = \"sin(2*pi*x)\"", &["unknown name `x`"]),
        ("speed = \"200 rpm\"", "value = \"5 kg\"", &["unit of mass"]),
        ("speed = \"200 rpm\"", "value = \"5 t\"", &["`t` is a unit of mass"]),
        ("speed = \"200 rpm\"", "value = \"5*kg\"", &["unit of mass"]),
        ("speed = \"200 rpm\"", "value = \"5 N*m\"", &["unit of torque"]),
        (
            "speed = \"200 rpm\"",
            "value = \"0.1 m/s*t\"",
            &["the result: pure number expected, length found"],
        ),
        (
            "speed = \"200 rpm\"",
            "value = \"2 mm*sin(5 Hz*t)\"",
            &["the result: pure number expected, length found"],
        ),
        (
            "speed = \"200 rpm\"",
            "value = \"2 rad*sin(5*t + 3 mm)\"",
            &["time and length cannot be added"],
        ),
        ("speed = \"200 rpm\"", "", &["no motion"]),
        (
            "speed = \"200 rpm\"",
            "value = { step = { to = \"1 m\", end = 1 } }",
            &["unit of length"],
        ),
        ("joint = \"axis\"", "joint = \"axis\"\nangle = \"crank\"", &["two coordinates"]),
        ("until = \"0.6 s\"", "until = 0", &["above 0"]),
        ("until = \"0.6 s\"", "until = 1\nrtol = 1e-30", &["[1e-14, 0.1]"]),
        ("until = \"0.6 s\"", "until = 1\nmethod = \"rk4\"", &["needs a `step`"]),
        ("until = \"0.6 s\"", "until = 1\nmax_steps = 0.5", &["whole number"]),
        ("until = \"0.6 s\"", "until = 1979-05-27", &["a date"]),
        (
            "until = \"0.6 s\"",
            "until = 1\nmin_step = 0.1\nmax_step = \"1 ms\"",
            &["`min_step` is 0.1 s, longer than `max_step`, 0.001 s"],
        ),
        (
            "until = \"0.6 s\"",
            "until = 1\nfirst_step = 0.1\nmax_step = \"1 ms\"",
            &["`first_step` is 0.1 s, longer than `max_step`"],
        ),
        (
            "until = \"0.6 s\"",
            "until = 1\nrestart_step = 0.1\nmax_step = \"1 ms\"",
            &["`restart_step` is 0.1 s, longer than `max_step`"],
        ),
        (
            "until = \"0.6 s\"",
            "until = 1\nmin_step = 0.1\nrestart_step = \"1 ms\"",
            &["`min_step` is 0.1 s, longer than `restart_step`"],
        ),
        (
            "until = \"0.6 s\"",
            "until = 1\nmethod = \"rk4\"\nstep = 0.1\nmax_step = \"1 ms\"",
            &["`step` is 0.1 s, longer than `max_step`"],
        ),
    ];
    all_refused(cases);
}

#[test]
fn property_wrong_names_and_places_are_refused_in_words() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("format = 1", "format = 2", &["format 2 is not known"]),
        ("format = 1", "", &["`format` is missing"]),
        ("\"pin.penetration\"", "\"pin.penetraton\"", &["did you mean `pin.penetration`?"]),
        ("\"pin.penetration\"", "\"pni.force\"", &["did you mean `pin`?"]),
        ("[bodies.slider]", "[bodies.ground]\nmass = 1\n[bodies.slider]", &["is reserved"]),
        ("[drivers.motor]", "[drivers.pin]", &["a joint already has the name `pin`"]),
        ("[bodies.slider]", "[bodies.\"a b\"]\nmass = 1\n[bodies.slider]", &["letters, digits"]),
        ("b = { body = \"crank\" }", "b = { body = \"ground\" }", &["on the same body"]),
        (
            "a = { body = \"ground\" }\nb = { body = \"slider\" }",
            "a = { body = \"ground\", direction = [0, 0] }\nb = { body = \"slider\" }",
            &["zero length"],
        ),
    ];
    all_refused(cases);
}

#[test]
fn property_the_other_forms_are_checked_too() {
    let cases: &[(&str, &str, &str, &[&str])] = &[
        (PIN_SLOT, "pin_radius = \"2.45 mm\"", "pin_radius = \"2.5 mm\"", &["does not fit"]),
        (PIN_SLOT, "width = \"5 mm\"", "radius_from = \"3 mm\"", &["width"]),
        (PIN_SLOT, "from = [\"-49 mm\", \"0.0765 mm\"], ", "", &["needs `from`"]),
        (
            PIN_SLOT,
            "restitution = 0.4",
            "restitution = 0.4\nlaws = { inner = \"hertz\" }",
            &["it has flat, end"],
        ),
        (PIN_SLOT, "peak = \"1.6 N\"", "peak = \"1.6 N m\"", &["unit of torque"]),
        (
            PIN_SLOT,
            "half_sine = { peak = \"1.6 N\", duration = \"39.1 ms\" }",
            "table = \"../../../etc/passwd\"",
            &["in or below the folder"],
        ),
        (
            PIN_SLOT,
            "half_sine = { peak = \"1.6 N\", duration = \"39.1 ms\" }",
            "table = \"/etc/passwd\"",
            &["in or below the folder"],
        ),
        (
            PIN_SLOT,
            "half_sine = { peak = \"1.6 N\", duration = \"39.1 ms\" }",
            "table = \"load.csv\"",
            &["without a folder"],
        ),
        (
            PIN_SLOT,
            "b = { body = \"plate\", at = [\"20 mm\", 0] }",
            "b = { body = \"plate\", at = [\"-20 mm\", \"0.0765 mm\"] }",
            &["coincide"],
        ),
        (PIN_SLOT, "stiffness = \"100 N/m\"", "stiffness = 1e300", &["unrealistically stiff"]),
        (YOKE, "radius = \"60 mm\"", "radius = \"7 mm\"", &["wider than its centre line"]),
        (YOKE, "to_angle = \"240 deg\"", "to_angle = \"90 deg\"", &["counter-clockwise"]),
        (
            YOKE,
            "stiffness = \"1.220e5 N/mm^1.5\"",
            "stiffness = \"1.220e5 N/mm^1.4\"",
            &["K δ^1.5"],
        ),
        (GUIDE, "guide_height = \"52 mm\"", "guide_height = \"49 mm\"", &["swap the two"]),
        (
            GUIDE,
            "slip_speed = \"1 mm/s\"",
            "slip_spede = \"1 mm/s\"",
            &["did you mean `slip_speed`?"],
        ),
        (SPHERES, "radius = \"20 mm\"", "radius = \"-20 mm\"", &["above 0"]),
        (SPHERES, "body = \"right\"", "body = \"left\"", &["on the same body"]),
    ];
    for (model, from, to, words) in cases {
        println!("{to}");
        let whole = problems(&changed_in(model, from, to)).to_string();
        for word in *words {
            assert!(whole.contains(word), "`{word}` is not in\n{whole}");
        }
    }
}

/// What only the assembly can see is reported at the part that it concerns.
#[test]
fn property_starts_that_cannot_be_are_explained() {
    let free = changed("clearances = \"centred\"", "clearances = \"free\"");
    let overlap = changed_in(&free, "position = [\"350 mm\", 0]", "position = [\"351 mm\", 0]");
    let problem = only(&overlap, &["is indented by 7.5", "initial_impact_speed"]);
    assert_eq!(problem.path, "joints.pin");
    let said =
        overlap.replace("restitution = 0.46", "restitution = 0.46\ninitial_impact_speed = 0.1");
    assert!(Model::parse(&said, &Overrides::new()).is_ok());

    let short = changed("at = [\"50 mm\", 0]", "at = [\"500 mm\", 0]");
    let short = changed_in(&short, "speed = \"200 rpm\"", "speed = 0\nstart = \"90 deg\"");
    let whole = problems(&short).to_string();
    assert!(whole.contains("with ideal joints: the mechanism cannot be assembled"), "{whole}");

    let massless = "format = 1\n[bodies.a]\nmass = 0\n[run]\nuntil = 1\n";
    only(massless, &["without moving any mass"]);
    let pointless = "format = 1\n[bodies]\n[run]\nuntil = 1\n";
    only(pointless, &["there is no body"]);
    let twice = "format = 1\n[bodies.a]\nmass = 1\n[bodies.a]\nmass = 1\n[run]\nuntil = 1\n";
    assert!(problems(twice).to_string().contains("not TOML: duplicate key"));
    let rod = "format = 1\n[bodies.a]\nmass = 1\n[joints.r]\ntype = \"rod\"\na = { body = \"ground\" }\nb = { body = \"a\" }\n[run]\nuntil = 1\n";
    only(rod, &["the ends of the rod coincide"]);
}

#[test]
fn property_overrides_are_blamed_by_name() {
    let complain = |changes: Overrides| {
        let wrong = Model::parse(SLIDER_CRANK, &changes).expect_err("it is wrong");
        println!("{wrong}");
        assert_eq!(wrong.problems.len(), 1, "{wrong}");
        assert_eq!(wrong.problems[0].location, None);
        wrong.problems[0].clone()
    };
    let set = |path: &str, value: &str| Overrides::new().set_toml(path, value);
    let wrong = complain(set("joints.pin.law.damping", "florse"));
    assert_eq!(wrong.set.as_deref(), Some("--set joints.pin.law.damping=florse"));
    assert_eq!(wrong.hint.as_deref(), Some("did you mean `flores`?"));
    assert!(complain(set("joints.pin.knd", "ideal")).hint.expect("a hint").contains("`kind`"));
    assert!(complain(set("run.until.x", "1")).message.contains("not a table"));
    assert!(complain(set("run..until", "1")).message.contains("not the path"));
    assert!(complain(set("run.until", "[1")).message.contains("not a time"));
    let wrong = complain(Overrides::new().law("hertz+flore"));
    assert_eq!(wrong.set.as_deref(), Some("--law hertz+flore"));
}

#[test]
fn property_large_and_deep_files_are_refused_quickly() {
    // Of the processor, since a busy machine has other things to do too.
    let start = ThreadTime::now();
    let mut many = "format = 1\n[run]\nuntil = 1\n".to_owned();
    for i in 0..20_000 {
        let _ = writeln!(many, "[bodies.b{i}]\nmass = 1");
    }
    only(&many, &["20000 bodies: a model may have at most 10000"]);

    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("large.toml");
    std::fs::write(&file, vec![b'#'; 100 << 20]).expect("written");
    let wrong = Model::load(&file, &Overrides::new()).expect_err("too long");
    assert!(wrong.to_string().contains("longer than 4 MB"), "{wrong}");

    for (open, close) in [("[", "]"), ("{a=", "}")] {
        let deep = format!("format = 1\nx = {}1{}\n", open.repeat(100_000), close.repeat(100_000));
        assert!(problems(&deep).to_string().contains("not TOML"));
    }
    let dotted = format!("format = 1\n{}x = 1\n", "a.".repeat(50));
    assert!(problems(&dotted).to_string().contains("deeper than 16"));
    let mut unknown = String::new();
    for i in 0..50_000 {
        let _ = writeln!(unknown, "key{i} = 1");
    }
    let all = problems(&unknown);
    assert_eq!(all.problems.len(), 100);
    assert!(all.omitted > 49_000, "{}", all.omitted);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn property_files_that_are_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = |path: &std::path::Path| {
        Model::load(path, &Overrides::new()).expect_err("no model").to_string()
    };
    assert!(wrong(folder.path()).contains("give the model.toml in it"));
    assert!(wrong(&folder.path().join("none.toml")).contains("cannot be read"));
    let bytes = folder.path().join("bytes.toml");
    std::fs::write(&bytes, [0x66, 0xff, 0xfe]).expect("written");
    assert!(wrong(&bytes).contains("not UTF-8"));
    let empty = problems("").to_string();
    assert!(["format", "bodies", "run"].iter().all(|key| empty.contains(key)), "{empty}");
}

/// Tables are read from the folder of the model, never from outside.
#[test]
fn property_tables_stay_in_the_folder_of_the_model() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("model");
    std::fs::create_dir_all(home.join("data")).expect("made");
    std::fs::write(folder.path().join("secret.csv"), "0,0\n1,1\n").expect("written");
    std::fs::write(home.join("data/load.csv"), "t,N\n0,0\n0.1,1\n0.2,1\n0.3,0\n").expect("written");
    let text = |table: &str| {
        format!(
            "format = 1\n[bodies.a]\nmass = 1\n[forces.push]\ntype = \"force\"\non = {{ body = \"a\" }}\n\
             direction = 0\nvalue = {{ table = \"{table}\" }}\n[run]\nuntil = 1\n"
        )
    };
    let load = |table: &str| {
        let file = home.join("model.toml");
        std::fs::write(&file, text(table)).expect("written");
        Model::load(&file, &Overrides::new()).map_err(|wrong| wrong.to_string())
    };
    let model = load("data/load.csv").expect("a table");
    let again = load("./data/load.csv").expect("a table");
    // One table under all spellings of its name.
    assert_eq!(model.tables, again.tables);
    for outside in ["../secret.csv", "data/../../secret.csv", "data/..", "", "C:secret.csv"] {
        let wrong = load(outside).expect_err(outside);
        assert!(wrong.contains("in or below the folder"), "{outside}: {wrong}");
    }
    assert!(load("none.csv").expect_err("no file").contains("cannot be read"));
    assert!(load("data").expect_err("a folder").contains("cannot be read"));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("secret.csv"), home.join("link.csv"))
            .expect("linked");
        assert!(load("link.csv").expect_err("a link").contains("outside the folder"));
    }
    std::fs::write(home.join("data/load.csv"), "0,0\n1;1\n").expect("written");
    assert!(load("data/load.csv").expect_err("no table").contains("line 2"));
}
