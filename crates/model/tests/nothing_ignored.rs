//! What a model says is used or is an error that names its key: no second value, no parameter of another law, no part that
//! does not exist.

use jointplay_model::{Diagnostics, Model, Overrides, Tables};

const CRANK: &str = include_str!("../../../models/slider-crank/model.toml");
const SLOT: &str = include_str!("../../../models/pin-slot/model.toml");
const LAW: &str = "law = \"hertz+lankarani-nikravesh\"";
const RESTITUTION: &str = "restitution = 0.46";

/// What a file with one line replaced is told.
#[track_caller]
fn told(text: &str, changes: &Overrides, words: &[&str]) {
    let wrong = match Model::parse(text, changes) {
        Ok(_) => panic!("{changes:?} is taken\n{text}"),
        Err(wrong) => wrong.to_string(),
    };
    for word in words {
        assert!(wrong.contains(word), "`{word}` is not in\n{wrong}");
    }
}

#[track_caller]
fn good(text: &str, changes: &Overrides) -> Model {
    Model::parse(text, changes).unwrap_or_else(|wrong| panic!("{changes:?}: {wrong}"))
}

fn set(path: &str, value: &str) -> Overrides {
    Overrides::new().set_toml(path, value)
}

#[test]
fn property_a_second_restitution_is_an_error_that_names_both_keys() {
    let keys = ["`joints.pin.restitution`", "`joints.pin.law.restitution`"];
    let table = "law = { elastic = \"hertz\", damping = \"flores\", restitution = 0.5 }";
    let twice = CRANK.replace(LAW, table);
    told(&twice, &Overrides::new(), &keys);
    told(&twice, &Overrides::new(), &["leave out one of them"]);
    // One of them alone is good.
    good(&twice.replace(RESTITUTION, ""), &Overrides::new());
    // By --set beside the file, in either direction.
    told(CRANK, &set("joints.pin.law.restitution", "0.5"), &keys);
    told(
        CRANK,
        &set("joints.pin.law.restitution", "0.5"),
        &["the file has `joints.pin.restitution`"],
    );
    let inside = twice.replace(RESTITUTION, "");
    told(
        &inside,
        &set("joints.pin.restitution", "0.5"),
        &["the file has `joints.pin.law.restitution`"],
    );
    let both = set("joints.pin.law.restitution", "0.5").set_toml("joints.pin.restitution", "0.4");
    told(CRANK, &both, &keys);
    // The region of a slot may differ from its joint: that is what regions are for.
    good(SLOT, &set("joints.pin.laws.end.restitution", "0.3"));
}

#[test]
fn property_a_parameter_that_the_law_does_not_take_is_an_error() {
    // Of the file.
    told(
        &CRANK.replace(LAW, "law = \"hertz\""),
        &Overrides::new(),
        &["joints.pin.restitution", "`hertz` takes no restitution", "`hertz+exact`"],
    );
    let with = |parameter: &str| {
        let law = format!("law = {{ elastic = \"hertz\", damping = \"flores\", {parameter} }}");
        CRANK.replace(LAW, &law)
    };
    for (parameter, key) in [
        ("mu = 0.1", "mu"),
        ("exponent = 1.5", "exponent"),
        ("damping_coefficient = 3", "damping_coefficient"),
        ("half_width = \"1 mm\"", "half_width"),
        ("clearance = \"0.25 mm\"", "clearance"),
        ("max_indentation = \"1 mm\"", "max_indentation"),
        ("max_rate = 3", "max_rate"),
    ] {
        let path = format!("joints.pin.law.{key}");
        let message = format!("`hertz+flores` has no parameter `{key}`; it has");
        told(&with(parameter), &Overrides::new(), &[&path, &message]);
        // And of the command line, with the law of the file and with another one.
        let (name, value) = parameter.split_once(" = ").expect("a pair");
        let path = format!("joints.pin.law.{name}");
        told(
            CRANK,
            &set(&path, value),
            &[&format!("--set {path}="), "`hertz+lankarani-nikravesh`"],
        );
        told(CRANK, &set(&path, value).law("hertz+flores"), &[&format!("--set {path}="), &message]);
    }
    told(
        CRANK,
        &set("joints.pin.restitution", "0.3").law("hertz"),
        &["`hertz` takes no restitution"],
    );
    // The nearest name comes first.
    told(
        CRANK,
        &set("joints.pin.law.mu_static", "0.3").law("hertz+flores+coulomb-tanh"),
        &["no parameter `mu_static`; it has `mu`"],
    );
    // In regions of slots: by none of them, or by one.
    told(SLOT, &set("joints.pin.laws.end.exponent", "1.5"), &["laws.end.exponent", "no parameter"]);
    told(SLOT, &set("joints.pin.law.exponent", "1.5"), &["law.exponent", "no parameter"]);
    let one = set("joints.pin.laws.end.elastic", "power")
        .set_toml("joints.pin.law.exponent", "1.5")
        .set_toml("joints.pin.laws.end.stiffness", "1e9");
    good(SLOT, &one);
}

/// What a file says for its own law means nothing where the command line names another one.
#[test]
fn property_the_law_of_the_command_line_takes_what_it_needs_of_the_file() {
    for changes in [Overrides::new().law("hertz"), set("joints.pin.law", "hertz")] {
        let model = good(CRANK, &changes);
        assert_eq!(model.laws()[0].2.restitution, None);
        // Written into the file it is a file without the restitution.
        let text = changes.apply_to(CRANK, &Tables::none()).expect("it can be written");
        assert!(!text.contains("restitution"), "{text}");
        good(&text, &Overrides::new());
    }
    let table =
        "law = { elastic = \"power\", stiffness = 1e9, exponent = 1.5, damping = \"exact\" }";
    good(&CRANK.replace(LAW, table), &Overrides::new().law("hertz+flores"));
}

#[test]
fn property_keys_of_other_kinds_stay() {
    // The file has the stiffness of a bushing, and what a clearance needs.
    for kind in ["ideal", "bushing", "clearance"] {
        good(CRANK, &set("joints.pin.kind", kind));
    }
    good(CRANK, &set("joints.pin.kind", "ideal").set_toml("joints.pin.law.chi", "3"));
}

#[test]
fn property_a_law_is_named_once_on_the_command_line() {
    let changes = set("joints.pin.law.damping", "flores").law("hertz+exact");
    told(CRANK, &changes, &["--set joints.pin.law.damping=flores", "`--law hertz+exact`"]);
    told(CRANK, &set("joints.pin.law", "hertz+flores").law("exact"), &["both name a law"]);
    good(CRANK, &set("joints.pin.law.damping", "exact").law("hertz+exact"));
}

#[test]
fn property_a_part_that_does_not_exist_is_an_error_with_the_nearest_name() {
    for (path, near) in [
        ("joints.pinn.restitution", "`pin`"),
        ("bodies.slidr.mass", "`slider`"),
        ("drivers.moter.speed", "`motor`"),
        ("contacts.wall.length", "no [contacts]"),
        ("forces.push.value", "no [forces]"),
        ("materials.steal.young", "no [materials]"),
    ] {
        let (part, _) = path.rsplit_once('.').expect("a path");
        told(CRANK, &set(path, "1"), &[&format!("--set {path}=1"), &format!("no `{part}`"), near]);
    }
    told(CRANK, &set("joints.pin.restitutoin", "1"), &["did you mean `restitution`"]);
    told(CRANK, &set("jonts.pin.restitution", "1"), &["did you mean `joints`"]);
    // A part that is given whole is meant.
    good(CRANK, &set("materials.brass", "{ young = \"100 GPa\", poisson = 0.34 }"));
}

/// For several laws at once a parameter is good if one of them takes it.
#[test]
fn property_a_comparison_takes_what_one_of_its_laws_takes() {
    let load = |more: &Overrides| -> Option<Diagnostics> {
        let laws = ["hertz+flores", "hertz+flores+coulomb-tanh"];
        let models = laws.map(|law| good(CRANK, &more.clone().for_several_laws().law(law)));
        Diagnostics::taken_by_none(None, &models)
    };
    let friction = set("joints.pin.law.mu", "0.1").set_toml("joints.pin.law.slip_speed", "1 mm/s");
    assert!(load(&friction).is_none());
    let wrong = load(&friction.set_toml("joints.pin.law.exponent", "1.5"));
    let wrong = wrong.expect("nobody takes it").to_string();
    assert!(!wrong.contains("mu"), "{wrong}");
    for word in ["--set joints.pin.law.exponent=1.5", "none of the laws takes `exponent`"] {
        assert!(wrong.contains(word), "{wrong}");
    }
}

#[test]
fn property_signals_say_what_is_wrong_with_them() {
    // A periodic table has no outside.
    let load = "format = 1\n[bodies.b]\nmass = 1\n[forces.f]\ntype = \"force\"\non = { body = \"b\" }\ndirection = [1, 0]\n\
                value = { table = \"t.csv\", spline = \"periodic\", outside = \"zero\" }\n[run]\nuntil = 1\n";
    told(load, &Overrides::new(), &["a periodic table repeats", "forces.f.value.outside"]);
    // A driver whose speed has no bound at the start, where a joint would have been blamed.
    let driven = "format = 1\n[bodies.b]\nmass = 1\ninertia = 1\n[joints.g]\ntype = \"prismatic\"\na = { body = \"ground\" }\nb = { body = \"b\" }\n\
                  [drivers.d]\njoint = \"g\"\nvalue = \"0.001*t^0.5\"\n[run]\nuntil = 1\n";
    told(driven, &Overrides::new(), &["driver 'd'", "not a finite number"]);
    // The name of an entry of a list is its number.
    told(CRANK, &set("output.channels.00", "slider.x"), &["output.channels"]);
}

/// Baumgarte's terms act on constraints: where a model has none, they are not silently left out.
#[test]
fn property_baumgarte_without_constraints_is_told() {
    let ball =
        "format = 1\n[bodies.ball]\nmass = 1\ninertia = 1\n[run]\nuntil = 1\nbaumgarte = [5, 5]\n";
    let arm = "\n[joints.pivot]\ntype = \"revolute\"\na = { body = \"ground\" }\nb = { body = \"ball\" }\n";
    let arm = &format!("{ball}{arm}");
    let absolute = set("run.formulation", "\"absolute\"");
    for (text, changes, told) in [
        (ball, &Overrides::new(), true),
        (ball, &absolute, true),
        (arm, &Overrides::new(), true),
        (arm, &absolute, false),
    ] {
        let warnings = good(text, changes).warnings;
        assert_eq!(warnings.len(), usize::from(told), "{warnings:?}");
        for warning in warnings {
            assert_eq!(warning.path, "run.baumgarte");
            assert!(warning.message.contains("no constraint"), "{warning:?}");
        }
    }
}

/// A fit gives both sizes: they are not given again, and a shaft that is not smaller than its hole has no clearance.
#[test]
fn property_a_fit_stands_for_both_sizes() {
    let change = |sets: &[(&str, &str)]| {
        sets.iter().fold(Overrides::new(), |all, (key, value)| all.set_toml(*key, *value))
    };
    let fit = change(&[("joints.pin.fit", "20 H7/g6")]);
    let model = good(CRANK, &fit);
    // Mid-zone: hole 20.0105 mm, shaft 19.9865 mm, 12 µm on the radius.
    let clearance = |text: &str, changes: &Overrides| {
        let model = good(text, changes);
        model.gaps().first().expect("a gap").1.clearance
    };
    assert!((clearance(CRANK, &fit) - 12e-6).abs() < 1e-12);
    assert!(!model.knobs().iter().any(|knob| knob.key == "joints.pin.clearance"));
    // The text with the change written into it is the same model.
    let written = fit.apply_to(CRANK, &Tables::none()).expect("it can be written");
    assert!(!written.contains("bearing_radius"), "{written}");
    assert!((clearance(&written, &Overrides::new()) - 12e-6).abs() < 1e-12);
    // The loosest and the tightest of the zones.
    let ends = |hole: &str, shaft: &str| {
        let places = [("joints.pin.fit_hole", hole), ("joints.pin.fit_shaft", shaft)];
        clearance(&written, &change(&places))
    };
    assert!((ends("1", "0") - 20.5e-6).abs() < 1e-12);
    assert!((ends("0", "1") - 3.5e-6).abs() < 1e-12);
    let words = ["joints.pin.fit", "no clearance", "20.0105 mm", "20.0285 mm"];
    told(CRANK, &change(&[("joints.pin.fit", "20 H7/p6")]), &words);
    told(&written, &change(&[("joints.pin.fit_hole", "1.5")]), &["not in [0, 1]"]);
    told(CRANK, &change(&[("joints.pin.fit_hole", "0.5")]), &["there is no `fit`"]);
    told(CRANK, &change(&[("joints.pin.fit", "20 H7/x6")]), &["zone `x`", "there is d, e"]);
    let both = written.replace("fit =", "clearance = \"1 mm\"\nfit =");
    told(&both, &Overrides::new(), &["the fit has both sizes already"]);
    // Two of sizes and clearance are enough: what is set counts, and the bearing stays as it is.
    assert!((clearance(CRANK, &change(&[("joints.pin.clearance", "1 mm")])) - 1e-3).abs() < 1e-12);
    let wider = change(&[("joints.pin.clearance", "1 mm")]).apply_to(CRANK, &Tables::none());
    let wider = wider.expect("it can be written");
    assert!(wider.contains("bearing_radius") && !wider.contains("journal_radius"), "{wider}");
    assert!((clearance(&wider, &Overrides::new()) - 1e-3).abs() < 1e-12);
    let bearing = good(&wider, &change(&[("joints.pin.journal_radius", "9 mm")]));
    assert!(bearing.gaps()[0].1.clearance > 1.2e-3, "the bearing stays, the clearance grows");
    // A size that is set replaces the fit.
    let sizes = [("joints.pin.bearing_radius", "10 mm"), ("joints.pin.journal_radius", "9.9 mm")];
    assert!((clearance(&written, &change(&sizes)) - 1e-4).abs() < 1e-12);
}
