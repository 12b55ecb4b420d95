//! Arrays of parts: the same model as the parts written out, and what is wrong with them said of the file.

use std::fmt::Write as _;

use crate::shipped::behaviour;
use jointplay_model::{
    Channel, Diagnostics, Handle, Model, Overrides, Problem, Tables, canonical, schema,
};

/// A chain with play as arrays; the last link is heavier, and the first pin hangs on the ground.
const CHAIN: &str = r#"format = 1
[world]
gravity = [0, "-9.81 m/s^2"]

[parameters]
n = 4
pitch = "100 mm"

[bodies.link]
count = "= n"
mass = "= if(i < n, 1 kg, 2 kg)/10"
inertia = "1e-4 kg m^2"
position = ["= (i - 1/2)*pitch", 0]

[joints.pin]                         # all of them
count = "= n"
type = "revolute"
kind = "clearance"
a = { body = "link[i-1]", at = ["= pitch/2", 0] }
b = { body = "link[i]", at = ["= -pitch/2", 0] }
bearing_radius = "5.1 mm"
journal_radius = "5 mm"
material = "steel"
law = "hertz+exact"
restitution = 0.6

[joints."pin[1]"]
a = { body = "ground" }

[start]
clearances = "centred"

[run]
until = "5 ms"
rtol = 1e-7
formulation = "absolute"
"#;

#[track_caller]
fn good(text: &str, changes: &Overrides) -> Model {
    Model::parse(text, changes).unwrap_or_else(|wrong| panic!("{wrong}\n{text}"))
}

/// What a text is told, and which of these words are missing in it.
fn heard(text: &str, changes: &Overrides, words: &[&str]) -> (Option<Diagnostics>, Vec<String>) {
    let Err(wrong) = Model::parse(text, changes) else {
        return (None, vec![format!("{changes:?} is taken\n{text}")]);
    };
    let shown = wrong.to_string();
    let missing = words.iter().filter(|word| !shown.contains(**word));
    let missing = missing.map(|word| format!("`{word}` is not in\n{shown}")).collect();
    (Some(wrong), missing)
}

#[track_caller]
fn told(text: &str, changes: &Overrides, words: &[&str]) {
    let (_, missing) = heard(text, changes, words);
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

fn set(path: &str, value: &str) -> Overrides {
    Overrides::new().set_toml(path, value)
}

/// Everything that a run is made from.
fn built(model: &Model) -> String {
    format!("{:?} {:?}", model.mechanism, model.run)
}

/// The clearances of all joints.
fn clearances(model: &Model) -> Vec<f64> {
    model.gaps().iter().map(|(_, gap)| gap.clearance).collect()
}

/// Random numbers (Knuth's MMIX).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        // 31 bits fit into every `usize`.
        usize::try_from(self.0 >> 33).unwrap() % sides
    }
}

/// A random chain with springs, a load and outputs, once as arrays and once part by part.
fn random_chain(seed: u64) -> (String, String) {
    let mut dice = Dice(seed);
    let n = 1 + dice.below(5);
    let head = format!(
        "format = 1\nworld.gravity = [0, -9.81]\nrun = {{ until = \"2 ms\", formulation = \"absolute\" }}\nparameters = {{ n = {n}, pitch = \"100 mm\" }}\n"
    );
    let (mut array, mut parts) = (head.clone(), head);
    let masses = ["1", "= i*0.1 kg", "= if(i < n, 1 kg, 2 kg)", "= 1 kg + 2*i^2*(1 g)"];
    let mass = masses[dice.below(4)];
    let first = dice.below(2) == 0;
    let last = dice.below(2) == 0;
    let has_spring = n > 1 && dice.below(2) == 0;
    let has_load = dice.below(2) == 0;
    let has_output = dice.below(2) == 0;
    let kind = ["clearance", "ideal"][dice.below(2)];
    let at = |text: &str, k: usize| -> String {
        // Only where it stands alone: `if`, `pitch` and `inertia` have the letter, too.
        let mut replaced = String::new();
        let all: Vec<char> = text.chars().collect();
        for (j, c) in all.iter().enumerate() {
            let near = |j: Option<&char>| j.is_some_and(|c| c.is_alphanumeric() || *c == '_');
            let alone = !near(j.checked_sub(1).and_then(|j| all.get(j))) && !near(all.get(j + 1));
            if *c == 'i' && alone { write!(replaced, "({k})").unwrap() } else { replaced.push(*c) }
        }
        replaced
    };
    let body = |mass: &str| {
        format!(
            "mass = \"{mass}\"\ninertia = 1e-4\nposition = [\"= (i - 1/2)*pitch\", \"= i*1 um\"]\n"
        )
    };
    write!(array, "[bodies.link]\ncount = \"= n\"\n{}", body(mass)).unwrap();
    for k in 1..=n {
        write!(parts, "[bodies.link-{k}]\n{}", at(&body(mass), k)).unwrap();
    }
    if last {
        write!(array, "[bodies.\"link[n]\"]\ninertia = 2e-4\n").unwrap();
        parts = parts.replace(
            &format!("[bodies.link-{n}]\nmass = \"{}\"\ninertia = 1e-4", at(mass, n)),
            &format!("[bodies.link-{n}]\nmass = \"{}\"\ninertia = 2e-4", at(mass, n)),
        );
    }
    let pin = |a: &str, b: &str, sizes: &str| {
        format!(
            "type = \"revolute\"\nkind = \"{kind}\"\na = {{ body = \"{a}\", at = [\"= {}\", 0] }}\nb = {{ body = \"{b}\", at = [\"= -pitch/2\", 0] }}\n{sizes}material = \"steel\"\nlaw = \"hertz+exact\"\nrestitution = 0.6\n",
            if a == "ground" { "0 mm" } else { "pitch/2" }
        )
    };
    let sizes = "bearing_radius = \"= 5.1 mm + (i - 1)*(1 um)\"\njournal_radius = \"5 mm\"\n";
    let own = if first { "bearing_radius = \"6 mm\"\nclearance = \"50 um\"\n" } else { sizes };
    write!(array, "[joints.\"pin[1]\"]\na = {{ body = \"ground\", at = [\"= 0 mm\", 0] }}\n")
        .unwrap();
    if first {
        array.push_str(own);
    }
    write!(array, "[joints.pin]\ncount = \"= n\"\n{}", pin("link[i-1]", "link[i]", sizes)).unwrap();
    for k in 1..=n {
        let before = if k == 1 { "ground".to_owned() } else { format!("link-{}", k - 1) };
        let text = pin(&before, &format!("link-{k}"), if k == 1 { own } else { sizes });
        write!(parts, "[joints.pin-{k}]\n{}", at(&text, k)).unwrap();
    }
    if has_spring {
        let spring = |a: &str, b: &str| {
            format!(
                "type = \"spring\"\na = {{ body = \"{a}\" }}\nb = {{ body = \"{b}\" }}\nstiffness = \"= i*(10 N/m)\"\n"
            )
        };
        write!(array, "[forces.tie]\ncount = \"= n - 1\"\n{}", spring("link[i]", "link[i+1]"))
            .unwrap();
        for k in 1..n {
            let text = at(&spring(&format!("link-{k}"), &format!("link-{}", k + 1)), k);
            write!(parts, "[forces.tie-{k}]\n{text}").unwrap();
        }
    }
    if has_load {
        let load = |on: &str| {
            format!(
                "type = \"force\"\non = {{ body = \"{on}\" }}\ndirection = [0, 1]\nvalue = \"i*sin(300*t + i)\"\n"
            )
        };
        write!(array, "[forces.push]\ncount = 1\n{}", load("link[n]")).unwrap();
        write!(parts, "[forces.push-1]\n{}", at(&load(&format!("link-{n}")), 1)).unwrap();
    }
    if has_output {
        let output = |link: &str| format!("expression = \"{link}.x - i*pitch\"\n");
        write!(array, "[outputs.off]\ncount = \"= n\"\n{}", output("link[i]")).unwrap();
        for k in 1..=n {
            write!(parts, "[outputs.off-{k}]\n{}", at(&output(&format!("link-{k}")), k)).unwrap();
        }
    }
    (array, parts)
}

#[test]
fn property_an_array_is_its_parts_written_out() {
    for seed in 0..40 {
        let (array, parts) = random_chain(seed);
        let (one, other) = (good(&array, &Overrides::new()), good(&parts, &Overrides::new()));
        assert_eq!(built(&one), built(&other), "{array}\n{parts}");
        let names = |model: &Model| -> Vec<String> {
            model.available_channels().iter().map(|channel| channel.name().to_owned()).collect()
        };
        assert_eq!(names(&one), names(&other));
        if seed < 6 {
            assert!(behaviour(&one, 2e-3).0 == behaviour(&other, 2e-3).0, "{array}");
        }
    }
}

/// The digest is that of the canonical text: it does not tell an array from its parts.
#[test]
fn property_an_array_has_the_canonical_text_of_its_parts() {
    for seed in 0..40 {
        let (array, parts) = random_chain(seed);
        let (one, other) = (canonical(&array).expect("TOML"), canonical(&parts).expect("TOML"));
        // Sections and keys may stand in any order, parts may not.
        assert_eq!(one, other, "{array}\n{parts}");
    }
    let changed = CHAIN.replace("n = 4", "n = 5");
    assert_ne!(canonical(CHAIN).expect("TOML"), canonical(&changed).expect("TOML"));
}

#[test]
fn exact_names_numbers_and_neighbours() {
    let model = good(CHAIN, &Overrides::new());
    let names: Vec<&str> = model.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["pin-1", "pin-2", "pin-3", "pin-4"]);
    assert!(model.joints.iter().all(|joint| matches!(joint.handle, Handle::Clearance(_))));
    let bodies: Vec<(f64, f64)> =
        model.mechanism.bodies().map(|(_, _, body)| (body.mass, body.position[0])).collect();
    let expected = [(0.1, 0.05), (0.1, 0.15), (0.1, 0.25), (0.2, 0.35)];
    for ((mass, x), (wanted, place)) in bodies.iter().zip(expected) {
        // Centring moves nothing here but by rounding.
        assert!((mass - wanted).abs() < 1e-15 && (x - place).abs() < 1e-12, "{mass} {x}");
    }
    let arrays: Vec<_> =
        model.arrays().iter().map(|a| (a.section, a.name.as_str(), a.count)).collect();
    assert_eq!(arrays, [("bodies", "link", 4), ("joints", "pin", 4)]);
    assert_eq!(model.arrays()[1].number_of("pin-3"), Some(3));
    assert_eq!(model.arrays()[1].number_of("pin-5"), None);
    // More of them by a parameter.
    assert_eq!(good(CHAIN, &set("parameters.n", "7")).joints.len(), 7);
    assert_eq!(good(CHAIN, &set("joints.pin.count", "2")).joints.len(), 2);
}

#[test]
fn property_all_parts_are_changed_or_one() {
    let c = |changes: &Overrides| clearances(&good(CHAIN, changes));
    let close = |found: Vec<f64>, expected: [f64; 4]| {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    };
    let all = set("joints.pin.clearance", "0.2 mm");
    close(c(&all), [2e-4; 4]);
    for one in ["joints.pin[3].clearance", "joints.pin-3.clearance", "joints.\"pin[3]\".clearance"]
    {
        close(c(&set(one, "0.3 mm")), [1e-4, 1e-4, 3e-4, 1e-4]);
        // Whatever comes first.
        close(
            c(&set(one, "0.3 mm").set_toml("joints.pin.clearance", "0.2 mm")),
            [2e-4, 2e-4, 3e-4, 2e-4],
        );
        close(c(&all.clone().set_toml(one, "0.3 mm")), [2e-4, 2e-4, 3e-4, 2e-4]);
    }
    // The index is a formula, with parameters as they are set.
    let last = set("joints.pin[n].clearance", "0.3 mm").set_toml("parameters.n", "3");
    let found = c(&last);
    assert!(found.len() == 3 && (found[2] - 3e-4).abs() < 1e-12, "{found:?}");
    // A part of a key: the rest is that of the array.
    let law = set("joints.pin[2].law.damping", "flores");
    let laws: Vec<String> =
        good(CHAIN, &law).laws().iter().map(|(_, _, law)| law.name.to_string()).collect();
    assert_eq!(laws, ["hertz+exact", "hertz+flores", "hertz+exact", "hertz+exact"]);
    // A law without restitution in one of them.
    let law = set("joints.pin[2].law", "hertz");
    assert_eq!(good(CHAIN, &law).laws()[1].2.restitution, None);
    // Cases change them, too.
    let cases = format!(
        "{CHAIN}\n[cases.worn]\njoints.\"pin[2]\".clearance = \"0.4 mm\"\njoints.pin.restitution = 0.5\n"
    );
    close(clearances(&good(&cases, &Overrides::new().case("worn"))), [1e-4, 4e-4, 1e-4, 1e-4]);
}

/// The text with the changes is the model with the changes, and still has its arrays.
#[test]
fn property_changes_are_written_into_arrays() {
    for changes in [
        set("joints.pin.clearance", "0.2 mm"),
        set("joints.pin[3].clearance", "0.3 mm"),
        set("joints.pin-3.clearance", "0.3 mm").set_toml("parameters.n", "3"),
        set("joints.pin[2].law.damping", "flores"),
        set("joints.pin[1].b.at.1", "1 mm"),
        set("joints.pin[2].law", "hertz"),
        set("joints.pin[2].kind", "ideal"),
        set("joints.pin.law.friction", "coulomb-tanh")
            .set_toml("joints.pin.law.mu", "0.1")
            .set_toml("joints.pin.law.slip_speed", "1 mm/s"),
        Overrides::new().law("hertz+flores"),
        Overrides::new().law("hertz"),
        Overrides::new().ideal(),
        set("bodies.link[n].mass", "3 kg"),
        set("parameters.n", "6").set_toml("run.until", "1 ms"),
    ] {
        let model = good(CHAIN, &changes);
        let text = changes.apply_to(CHAIN, &Tables::none());
        let text = text.unwrap_or_else(|wrong| panic!("{changes:?}: {wrong}"));
        let read = good(&text, &Overrides::new());
        assert_eq!(built(&read), built(&model), "{changes:?}\n{text}");
        assert!(text.contains("count = \"= n\"") && text.contains("# all of them"), "{text}");
        assert!(!text.contains("pin-") && text.len() < CHAIN.len() + 400, "{text}");
    }
}

#[test]
fn property_problems_of_arrays_are_told_once_and_of_the_file() {
    let none = Overrides::new();
    let with = |from: &str, to: &str| {
        assert!(CHAIN.contains(from), "{from}");
        CHAIN.replacen(from, to, 1)
    };
    let count = "count = \"= n\"";
    let mut failed: Vec<String> = Vec::new();
    for (value, words) in [
        ("0", "bodies.link.count: 0 is not a whole number of at least 1"),
        ("-3", "bodies.link.count: -3 is not a whole number"),
        ("2.5", "bodies.link.count: 2.5 is not a whole number"),
        ("1e9", "bodies.link.count: 1000000000 parts: a model may have at most 10000 bodies"),
        ("1e300", "bodies.link.count: 1e300 is too large"),
        ("nan", "bodies.link.count"),
        ("\"= n/8\"", "bodies.link.count: 0.5 is not a whole number"),
        ("\"= pitch\"", "bodies.link.count"),
        ("\"= nn\"", "bodies.link.count: in the formula `nn`: unknown name `nn`"),
        ("\"four\"", "bodies.link.count: a whole number is expected here"),
        ("[1]", "bodies.link.count: a whole number is expected here, not a list"),
        ("\"= i\"", "unknown name `i`"),
    ] {
        let (wrong, missing) = heard(&with(count, &format!("count = {value}")), &none, &[words]);
        failed.extend(missing);
        let Some(wrong) = wrong else { continue };
        let line = wrong.problems[0].location.as_ref().map(|at| at.line);
        if wrong.problems.len() != 1 || line != Some(10) {
            failed.push(format!("{value}: {wrong}"));
        }
    }
    let mass = "mass = \"= if(i < n, 1 kg, 2 kg)/10\"";
    for (from, to, words, line) in [
        // Wrong in all parts, and in one of them.
        (mass, "mass = \"1 mm\"", "bodies.link.mass: `mm` is a unit of length", 11),
        (mass, "mass = \"= 2.5 kg - i*(1 kg)\"", "it must not be negative (of `link-3`)", 11),
        (mass, "mas = 1", "bodies.link.mas: unknown key", 11),
        (mass, "mass = \"= kg*j\"", "bodies.link.mass: in the formula", 11),
        (
            "link[i-1]",
            "link[i-2]",
            "`link[i-2]` is `link[0]` here: `link` has the parts 1 to 4",
            19,
        ),
        ("link[i]", "link[i+1]", "`link[i+1]` is `link[5]` here", 20),
        ("link[i]", "link[i/2]", "it is 0.5, not a whole number", 20),
        ("link[i]", "link[]", "in the index of `link[]`", 20),
        ("link[i]", "link[*]", "is every part of an array", 20),
        ("link[i]", "lnk[i]", "there is no body `lnk[i]`", 20),
        ("link[i]", "link", "`link` is an array of 4: write `link[1]`", 20),
        ("a = { body = \"ground\" }", "", "`link[i-1]` is `link[0]` here", 19),
        (
            "a = { body = \"ground\" }",
            "a = { body = \"ground\" }\ncount = 3",
            "joints.pin[1].count",
            29,
        ),
        ("pin[1]", "pin[0]", "`pin[0]` `pin` has the parts 1 to 4", 27),
        ("pin[1]", "pen[1]", "there is no array of joints for `pen[1]`", 27),
        (
            "[joints.\"pin[1]\"]",
            "[joints.pin-1]",
            "`pin-1` is the name of a part of the array `pin`",
            27,
        ),
        ("n = 4", "n = 4\ni = 3", "`i` is the number of a part in its array", 7),
        ("law = \"hertz+exact\"", "law = \"hertz+exakt\"", "joints.pin.law", 24),
        ("bearing_radius = \"5.1 mm\"", "bearing_radius = \"4 mm\"", "below bearing_radius", 22),
    ] {
        let text = with(from, to);
        let (wrong, missing) = heard(&text, &none, &[words]);
        failed.extend(missing);
        let Some(wrong) = wrong else { continue };
        let of_line = |p: &Problem| p.location.as_ref().is_some_and(|at| at.line == line);
        let of_file = |p: &Problem| !p.path.contains('-');
        let all = &wrong.problems;
        if !all.iter().any(of_line) || all.len() > 2 || !all.iter().all(of_file) {
            failed.push(format!("{to}, line {line}: {wrong}"));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n\n"));
    // Two keys of one part, by two names.
    let twice = format!("{CHAIN}\n[joints.\"pin[n-3]\"]\na = {{ body = \"ground\" }}\n");
    told(&twice, &none, &["`a` is given here and in `pin[1]`, which is the same part"]);
    // By --set.
    told(
        CHAIN,
        &set("joints.pin[7].clearance", "1 mm"),
        &["--set joints.pin[7].clearance=1 mm", "parts 1 to 4"],
    );
    told(CHAIN, &set("joints.pen[3].clearance", "1 mm"), &["no `joints.pen[3]`"]);
    told(
        CHAIN,
        &set("joints.pin[2].clearance", "1 mm").set_toml("joints.pin-2.clearance", "2 mm"),
        &["sets the same key"],
    );
    told(
        CHAIN,
        &set("joints.pin[2].clarance", "1 mm"),
        &["unknown key", "did you mean `clearance`"],
    );
}

/// No text makes a reader that takes arrays fail in another way than with problems, nor take long.
#[test]
fn property_damaged_arrays_are_problems() {
    let mut dice = Dice(7);
    let bits = [
        "[", "]", "\"", "i", "n", "= ", "-", "*", "count", "link", "1e5", "\n", ".", "{", "}", "0",
    ];
    for _ in 0..400 {
        let mut text = CHAIN.to_owned();
        for _ in 0..=dice.below(3) {
            let mut at = dice.below(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            if dice.below(2) == 0 {
                text.insert_str(at, bits[dice.below(bits.len())]);
            } else {
                let end = (at + 1 + dice.below(6)).min(text.len());
                text.replace_range(at..end, "");
            }
        }
        if let Err(wrong) = Model::parse(&text, &Overrides::new()) {
            assert!(!wrong.problems.is_empty() && !wrong.to_string().is_empty());
        }
        let _ = set("joints.pin[2].clearance", "1e-4").apply_to(&text, &Tables::none());
    }
    // A large definition is not multiplied until memory is full.
    let large = format!("\"{}\"", "x".repeat(1 << 20));
    let text = CHAIN.replace("mass = \"= if(i < n, 1 kg, 2 kg)/10\"", &format!("mass = {large}"));
    told(&text.replace("n = 4", "n = 9000"), &Overrides::new(), &["more than a model may have"]);
}

#[test]
fn property_an_array_has_one_knob() {
    let knobs = |changes: &Overrides| -> Vec<(String, Option<String>, String)> {
        let model = good(CHAIN, changes);
        let all = model.knobs().iter();
        all.map(|knob| (knob.label.clone(), knob.joint.clone(), knob.key.clone())).collect()
    };
    let one = |label: &str, joint: Option<&str>, key: &str| {
        (label.to_owned(), joint.map(str::to_owned), key.to_owned())
    };
    let expected = [
        // `n` says which parts there are: it is no number to turn.
        one("pitch", None, "parameters.pitch"),
        one("pin clearance", Some("pin"), "joints.pin.journal_radius"),
        one("pin restitution", Some("pin"), "joints.pin.restitution"),
    ];
    assert_eq!(knobs(&Overrides::new()), expected);
    let own = knobs(&set("joints.pin[3].restitution", "0.9"));
    assert_eq!(own.len(), 4);
    assert!(own.contains(&one("pin-3 restitution", Some("pin-3"), "joints.pin[3].restitution")));
    // Turned, all parts follow.
    let model = good(CHAIN, &Overrides::new());
    let knob = model.knobs().iter().find(|knob| knob.label == "pin clearance").expect("a knob");
    let wider = good(CHAIN, &Overrides::new().set(&knob.key, knob.written(2e-4)));
    assert!(clearances(&wider).iter().all(|c| (c - 2e-4).abs() < 1e-12));
}

#[test]
fn property_every_part_in_channels_and_metrics() {
    let more = "\n[output]\nchannels = [\"pin[*].force\", \"link[n].x\"]\n\
                [metrics]\ngreatest = \"max(pin[*].force)\"\nhardest = \"max(pin[*].peak_force)\"\nleast = \"min(pin[*].impacts)\"\n\
                hits = \"sum(pin[*].impacts)\"\nahead = \"pin[1].peak_force - pin[n].peak_force\"\n\
                by_hand = \"max(max(pin-1.force), max(max(pin-2.force), max(max(pin-3.force), max(pin-4.force))))\"\n";
    let model = good(&format!("{CHAIN}{more}"), &Overrides::new());
    let names: Vec<&str> = model.channels.iter().map(Channel::name).collect();
    assert_eq!(names, ["pin-1.force", "pin-2.force", "pin-3.force", "pin-4.force", "link-4.x"]);
    let metric = |name: &str| model.metrics.iter().find(|m| m.name == name).expect("a metric");
    assert_eq!(metric("greatest").inputs().len(), 4);
    assert_eq!(metric("greatest").eval(&[1.0, 4.0, 2.0, 3.0]), 4.0);
    assert_eq!(metric("by_hand").inputs().len(), 4);
    assert_eq!(metric("hardest").eval(&[1.0, 4.0, 2.0, 3.0]), 4.0);
    assert_eq!(metric("least").eval(&[1.0, 4.0, 2.0, 3.0]), 1.0);
    assert_eq!(metric("hits").eval(&[1.0, 4.0, 2.0, 3.0]), 10.0);
    assert_eq!(metric("hits").unit, "-");
    assert_eq!(metric("ahead").eval(&[5.0, 2.0]), 3.0);
    let wrong = format!("{CHAIN}\n[metrics]\npeak = \"rms(pin[*].force)\"\n");
    told(&wrong, &Overrides::new(), &["metrics.peak", "is every part of an array"]);
}

#[test]
fn property_the_schema_has_arrays() {
    let schema = schema();
    for section in ["bodies", "joints", "contacts", "drivers", "forces", "outputs"] {
        let section = &schema["properties"][section];
        assert!(section["patternProperties"].is_object(), "{section}");
        let element = &section["additionalProperties"];
        let records = element["oneOf"].as_array().cloned().unwrap_or_else(|| vec![element.clone()]);
        assert!(records.iter().all(|record| record["properties"]["count"].is_object()));
    }
    assert!(schema["properties"]["materials"]["patternProperties"].is_null());
}
