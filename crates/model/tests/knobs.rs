//! The numbers of a model that may be turned.

use crate::shipped::{MODELS, behaviour};
use jointplay_contact::catalog::DampingKind;
use jointplay_mbd::ContactKind;
use jointplay_model::{Handle, Knob, KnobQuantity, Model, Overrides, Tables};

fn parse(text: &str, overrides: &Overrides) -> Model {
    Model::parse(text, overrides).unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn turned(knob: &Knob, value: f64) -> Overrides {
    Overrides::new().set(&knob.key, knob.written(value))
}

/// A channel at the start.
fn at_start(model: &Model, channel: &str) -> f64 {
    let run = model.run.simulation(&model.mechanism).until(1e-9).run().expect("it starts");
    let channel = model.channel(channel).expect("it exists");
    run.series(|instant| channel.eval(instant)).expect("regular")[0]
}

#[test]
fn property_a_knob_left_alone_changes_nothing() {
    for (name, text, until) in MODELS {
        let model = parse(text, &Overrides::new());
        let (bits, _) = behaviour(&model, until);
        let mut all = Overrides::new();
        for knob in model.knobs() {
            assert!(knob.range[0] <= knob.value && knob.value <= knob.range[1], "{knob:?}");
            let one = parse(text, &turned(knob, knob.value));
            assert_eq!(one.run, model.run);
            assert_eq!(one.knobs(), model.knobs());
            assert!(behaviour(&one, until).0 == bits, "{name}: {}", knob.key);
            all = all.set(&knob.key, knob.written(knob.value));
        }
        assert!(behaviour(&parse(text, &all), until).0 == bits, "{name}");
    }
}

/// The ends are accepted, and the knob is found again where it was turned to.
#[test]
fn property_knobs_turn_from_end_to_end() {
    for (name, text, _) in MODELS {
        for (i, knob) in parse(text, &Overrides::new()).knobs().iter().enumerate() {
            for value in knob.range {
                let model = Model::parse(text, &turned(knob, value));
                let model = model.unwrap_or_else(|wrong| panic!("{name}, {knob:?}: {wrong}"));
                let found = &model.knobs()[i];
                assert_eq!((&found.label, &found.key), (&knob.label, &knob.key));
                // Sizes of 10 mm are known to 1e-18 m, clearances are above 1e-5 m.
                let error = (found.value - value).abs();
                assert!(error <= 1e-12 * value.abs(), "{name}: {} instead of {value}", found.value);
            }
        }
    }
}

/// Twice the clearance moves every wall away by the clearance: the gap says so, and the mechanism.
#[test]
fn property_the_clearance_of_the_mechanism_follows_its_knob() {
    let mut count = 0;
    for (name, text, _) in MODELS {
        let model = parse(text, &Overrides::new());
        for knob in model.knobs().iter().filter(|knob| knob.what == KnobQuantity::Clearance) {
            count += 1;
            let joint = knob.joint.as_deref().expect("of a joint");
            // The knob of an array turns all of its parts.
            let array = model.arrays().iter().find(|array| array.name == joint);
            let joint = array.map_or(joint.to_owned(), |array| format!("{joint}-{}", array.count));
            let wide = parse(text, &turned(knob, 2.0 * knob.value));
            let gap = format!("{joint}.gap");
            let moved = at_start(&wide, &gap) - at_start(&model, &gap);
            // A pin that is before none of its walls has no gap: one of the slots of the Geneva wheel.
            let nowhere = name == "geneva" && joint == "slot-2";
            let follows = (moved - knob.value).abs() < 1e-15;
            assert!(if nowhere { moved.is_nan() } else { follows }, "{name}, {joint}: {moved}");
            let Some(Handle::Clearance(regions)) = wide.joint(&joint) else { panic!("{joint}") };
            let play = match wide.mechanism.contact(regions[0].contact).kind {
                ContactKind::Journal(bearing) => Some(bearing.clearance),
                ContactKind::Wall(wall) => wall.play,
                ContactKind::Stop { .. } => None,
            };
            let play = play.expect("a clearance");
            assert!((play - 2.0 * knob.value).abs() < 1e-15, "{name}, {joint}: {play}");
        }
    }
    // One each of b3, pin-slot, pin-slot-revolute, yoke, both slider-cranks and both bores; two of four-bar and Geneva
    // wheel, one for all pins of the chain.
    assert_eq!(count, 8 + 4 + 1);
}

/// Label, unit, value, key.
fn rows(model: &Model) -> Vec<(String, String, f64, String)> {
    let row = |knob: &Knob| (knob.label.clone(), knob.unit.clone(), knob.value, knob.key.clone());
    model.knobs().iter().map(row).collect()
}

#[test]
fn property_knobs_of_the_slider_cranks() {
    let row = |label: &str, unit: &str, value, key: &str| {
        (label.to_owned(), unit.to_owned(), value, key.to_owned())
    };
    let b3 = rows(&parse(MODELS[0].1, &Overrides::new()));
    // 200 rpm = 20π/3 rad/s
    let expected = [
        row("pin clearance", "m", 0.25e-3, "joints.pin.journal_radius"),
        row("pin restitution", "-", 0.46, "joints.pin.law.restitution"),
        row("pin friction", "-", 0.01, "joints.pin.law.mu"),
        row("motor speed", "rad/s", 20.943951023931955, "drivers.motor.speed"),
    ];
    for ((label, unit, value, key), known) in b3.iter().zip(&expected) {
        assert_eq!((label, unit, key), (&known.0, &known.1, &known.3));
        assert!((value / known.2 - 1.0).abs() < 1e-14, "{label}: {value}");
    }
    assert_eq!(b3.len(), 4);
    let block = rows(&parse(MODELS[9].1, &Overrides::new()));
    let expected = [
        row("guide clearance", "m", 1e-3, "joints.guide.guide_height"),
        row("guide restitution", "-", 0.4, "joints.guide.law.restitution"),
        row("guide friction", "-", 0.01, "joints.guide.law.mu"),
        row("crank speed at the start", "rad/s", 150.0, "start.coordinates.0.rate"),
        row("rod speed at the start", "rad/s", -75.0, "start.coordinates.1.rate"),
    ];
    for ((label, unit, value, key), known) in block.iter().zip(&expected) {
        assert_eq!((label, unit, key), (&known.0, &known.1, &known.3));
        assert!((value / known.2 - 1.0).abs() < 1e-14, "{label}: {value}");
    }
    assert_eq!(block.len(), 5);
}

/// A law that takes no restitution has no knob for it; an ideal joint has none but that of its own friction.
#[test]
fn property_knobs_follow_the_law_in_use() {
    let labels = |changes: &Overrides| -> Vec<String> {
        let model = parse(MODELS[0].1, changes);
        model.knobs().iter().map(|knob| knob.label.clone()).collect()
    };
    let none = Overrides::new().law("hertz+no-friction");
    assert_eq!(labels(&none), ["pin clearance", "motor speed"]);
    let falling = Overrides::new()
        .set_toml("joints.pin.law.mu_static", "0.2")
        .set_toml("joints.pin.law.mu_dynamic", "0.1")
        .set_toml("joints.pin.law.dynamic_speed", "10 mm/s")
        .law("flores+bai-zhao-friction");
    let found = labels(&falling);
    assert_eq!(found[2..4], ["pin static friction", "pin dynamic friction"]);
    let linear =
        Overrides::new().set_toml("joints.pin.law.restitution", "{ alpha_0 = 0.9, alpha_1 = 0.1 }");
    assert_eq!(labels(&linear), ["pin clearance", "pin friction", "motor speed"]);
    let ideal = Overrides::new().set_toml("joints.pin.kind", "ideal");
    assert_eq!(labels(&ideal), ["motor speed"]);
    let rubbing = ideal.set_toml(
        "joints.pin.friction",
        "{ mu = 0.1, slip_speed = \"1 mm/s\", pin_radius = \"10 mm\" }",
    );
    let model = parse(MODELS[0].1, &rubbing);
    let knob = &model.knobs()[0];
    assert_eq!(
        (knob.label.as_str(), knob.key.as_str()),
        ("pin friction", "joints.pin.friction.mu")
    );
    assert_eq!(knob.range, [0.0, 0.6]);
    for value in knob.range {
        parse(MODELS[0].1, &rubbing.clone().set_toml(&knob.key, value.to_string()));
    }
}

/// Regions that give their own number have their own knob; the others share one.
#[test]
fn property_regions_have_knobs_of_their_own() {
    let changes = Overrides::new()
        .set_toml("joints.pin.laws.end.restitution", "0.8")
        .set_toml("joints.pin.law.friction", "coulomb-tanh")
        .set_toml("joints.pin.law.slip_speed", "1 mm/s")
        .set_toml("joints.pin.law.mu", "0.3")
        .set_toml("joints.pin.laws.flat.mu", "0.5");
    let model = parse(MODELS[6].1, &changes);
    let found: Vec<(&str, f64)> =
        model.knobs().iter().map(|knob| (knob.label.as_str(), knob.value)).collect();
    let expected = [
        ("pin restitution", 0.4),
        ("pin end restitution", 0.8),
        ("pin flat friction", 0.5),
        ("pin friction", 0.3),
    ];
    assert_eq!(found[1..], expected);
    for knob in model.knobs() {
        for value in [knob.value, knob.range[0], knob.range[1]] {
            parse(MODELS[6].1, &changes.clone().set(&knob.key, knob.written(value)));
        }
    }
}

/// What is set for the joint is not for regions whose laws do not know it; what no law knows is refused as in a file.
#[test]
fn property_numbers_of_the_joint_pass_over_other_regions() {
    let keys = [("friction", "coulomb-tanh"), ("slip_speed", "1 mm/s"), ("mu", "0.3")];
    let smooth = Overrides::new()
        .set_toml("joints.pin.laws.flat", "no-friction")
        .set_toml("joints.pin.laws.end", "{ restitution = 0.2 }");
    let put = |changes: Overrides, (key, value): (&str, &str)| {
        changes.set_toml(format!("joints.pin.law.{key}"), value)
    };
    let model = parse(MODELS[6].1, &keys.into_iter().fold(smooth.clone(), put));
    let knob = model.knobs().iter().find(|knob| knob.what == KnobQuantity::Friction);
    assert_eq!(knob.map(|knob| knob.key.as_str()), Some("joints.pin.law.mu"));
    let foreign = put(smooth, ("mu_static", "0.3"));
    let wrong = Model::parse(MODELS[6].1, &foreign).expect_err("a frictionless law");
    assert!(wrong.problems[0].message.contains("no parameter `mu_static`"), "{wrong}");
    let file = foreign.apply_to(MODELS[6].1, &Tables::none()).expect("it can be written");
    let wrong = Model::parse(&file, &Overrides::new()).expect_err("a frictionless law");
    assert!(wrong.problems[0].message.contains("no parameter `mu_static`"), "{wrong}");
}

/// A clearance given by itself is set by itself; where sizes say the same again no single key can turn it. Walls may not come
/// nearer than the journal is off the centre.
#[test]
fn property_clearances_by_each_key() {
    let bore = |keys: &str, x: &str| {
        let text = format!(
            "format = 1\n[bodies.m]\nmass = 1\nposition = [\"{x}\", 0]\n[joints.pin]\ntype = \"revolute\"\nkind = \"clearance\"\n\
             a = {{ body = \"ground\" }}\nb = {{ body = \"m\" }}\nlaw = \"hertz\"\nmaterial = \"steel\"\n{keys}\n[run]\nuntil = 1\n"
        );
        let model = parse(&text, &Overrides::new());
        let knobs = model.knobs().to_vec();
        for knob in &knobs {
            for value in knob.range {
                parse(&text, &turned(knob, value));
            }
        }
        knobs
    };
    let by_itself = bore("journal_radius = \"8 mm\"\nclearance = \"0.1 mm\"", "0 mm");
    assert_eq!(by_itself[0].key, "joints.pin.clearance");
    assert_eq!((by_itself[0].offset, by_itself[0].factor), (0.0, 1.0));
    assert!((by_itself[0].range[0] - 1e-5).abs() < 1e-18 && by_itself[0].range[1] == 4e-4);
    let all = "bearing_radius = \"8.1 mm\"\njournal_radius = \"8 mm\"\nclearance = \"0.1 mm\"";
    assert_eq!(bore(all, "0 mm"), []);
    let sizes = "bearing_radius = \"8.1 mm\"\njournal_radius = \"8 mm\"";
    let off = bore(sizes, "0.08 mm");
    assert!((0.08e-3..0.1e-3).contains(&off[0].range[0]), "{:?}", off[0]);
    // Half of the bearing is the end.
    let loose = bore("bearing_radius = \"8 mm\"\njournal_radius = \"5 mm\"", "0 mm");
    assert_eq!(loose[0].range[1], 4e-3);
}

/// Every law takes the ends of its range without a word.
#[test]
fn property_restitutions_stay_inside_the_data_sheet() {
    let bore = MODELS[4].1;
    let laws = DampingKind::ALL.iter().filter(|kind| kind.takes_restitution());
    for kind in laws.filter(|kind| kind.must_be_given().is_empty()) {
        let law = |changes: Overrides| changes.law(format!("hertz+{}", kind.id()));
        let model = parse(bore, &law(Overrides::new()));
        let knob = &model.knobs()[1];
        assert_eq!(knob.what, KnobQuantity::Restitution);
        let sheet = kind.sheet().parameters.iter().find(|p| p.key == "restitution");
        let interval = sheet.expect("it takes one").interval;
        for value in knob.range {
            assert!(interval.contains(value), "{}: {value} is not in {interval}", kind.id());
            assert_eq!(parse(bore, &law(turned(knob, value))).warnings, []);
        }
    }
}

/// Entries of lists are counted from 0.
#[test]
fn property_entries_of_lists_can_be_set() {
    let block = MODELS[9].1;
    let set =
        |path: &str, value: &str| Model::parse(block, &Overrides::new().set_toml(path, value));
    let omega = |model: Model| at_start(&model, "crank.omega");
    assert_eq!(omega(set("start.coordinates.0.rate", "100").expect("it exists")), 100.0);
    assert_eq!(omega(set("start.coordinates.2.rate", "1 rad/s").expect("it exists")), 150.0);
    let moved = set("joints.axis.a.at", "[0, 0]").expect("a place");
    assert_eq!(omega(moved), 150.0);
    let y = set("world.gravity.1", "-1.62 m/s^2").expect("it exists");
    assert_eq!(y.mechanism.gravity(), [0.0, -1.62]);
    for (path, message) in [
        ("start.coordinates.3.rate", "`start.coordinates` is a list of 3"),
        ("start.coordinates.first.rate", "`start.coordinates` is a list of 3"),
        ("world.gravity.2", "`world.gravity` is a list of 2"),
        ("world.gravity.1.x", "`world.gravity.1` is text, not a table"),
        ("start.coordinates.-1", "`start.coordinates` is a list of 3"),
    ] {
        let wrong = set(path, "1").expect_err("no such entry");
        assert!(wrong.problems[0].message.starts_with(message), "{wrong}");
        assert_eq!(wrong.problems[0].set, Some(format!("--set {path}=1")));
    }
}
