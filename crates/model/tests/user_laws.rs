//! Elastic laws of the user's own, tables and formulas, in model files and in place of the laws of a file.

use std::fs;
use std::path::PathBuf;

use jointplay_mbd::Solution;
use jointplay_model::{Diagnostics, Model, Overrides};

const CRANK: &str = include_str!("../../../models/slider-crank/model.toml");

/// A ball of 2 kg that meets a stop at 1 m/s after 1 ms.
const BALL: &str = "format = 1\n[bodies.m]\nmass = 2\nvelocity = [1, 0]\n[forces.s]\ntype = \"stop\"\nx = { body = \"m\" }\nabove = \"1 mm\"\n\
                    law = LAW\n[run]\nuntil = \"5 ms\"\nrtol = 1e-13\n";

/// A folder with a model and its files.
fn folder(test: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in files {
        fs::write(folder.join(name), text).expect("a file");
    }
    folder
}

fn run(model: &Model) -> Solution {
    let run = model.run.simulation(&model.mechanism).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{}", run.outcome);
    run
}

/// The points of K δ^1.5 with K = 1e9 up to 0.5 mm.
fn points(count: u32) -> String {
    let delta = |i: u32| 500e-6 * f64::from(i) / f64::from(count);
    let row = |i| format!("{:e},{:e}\n", delta(i), 1e9 * delta(i).powf(1.5));
    "delta,force\n".to_owned() + &(1..=count).map(row).collect::<String>()
}

/// Hertz's impact lasts (4/5) √π Γ(2/5)/Γ(9/10) δ_m/v, δ_m = (5 m v²/(4K))^(2/5), and gives back the speed; a table of its points comes
/// near with the square of their distance or better.
#[test]
fn order_a_table_of_points_becomes_its_law() {
    let deepest: f64 = (5.0 * 2.0 / (4.0 * 1e9_f64)).powf(0.4);
    let duration = 2.943_275_184_324_705 * deepest;
    let errors = [32, 128, 512].map(|count| {
        let text = BALL.replace("LAW", "{ elastic = \"table:points.csv\" }");
        let folder = folder("order", &[("model.toml", &text), ("points.csv", &points(count))]);
        let model = Model::load(folder.join("model.toml"), &Overrides::new());
        let model = model.unwrap_or_else(|wrong| panic!("{wrong}"));
        let end = run(&model);
        let get = |name: &str| {
            model.channel(name).expect("a channel").eval(&end.end().expect("it evaluates"))
        };
        // The steps know nothing of the knots, where curvature jumps.
        assert!((get("m.vx") + 1.0).abs() < 1e-8, "{}", get("m.vx"));
        // It left at 1 ms + T from where it came, at the speed at which it came.
        let found = get("m.x") + 5e-3 - 2e-3;
        (found / duration - 1.0).abs()
    });
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1]).log(4.0) > 1.8, "{errors:?}");
    }
    assert!(errors[2] < 1e-5, "{errors:?}");
}

/// The same power law as formula and by its name, in files and in place of the law of a file.
#[test]
fn exact_a_formula_is_the_law_that_it_writes() {
    let ball = |law: &str| {
        let model = Model::parse(&BALL.replace("LAW", law), &Overrides::new());
        let model = model.unwrap_or_else(|wrong| panic!("{wrong}"));
        let at = run(&model);
        let at = at.end().expect("it evaluates");
        ["m.x", "m.vx"].map(|name| model.channel(name).expect("a channel").eval(&at))
    };
    let named = "{ elastic = \"power\", stiffness = 1e9, exponent = 1.5, damping = \"flores\", restitution = 0.7 }";
    let [x, v] = ball(named);
    let written = [
        "{ elastic = \"formula:1e9*delta^1.5\", damping = \"flores\", restitution = 0.7 }",
        "{ elastic = \"formula: 1e9*delta^1.5\", damping = \"flores\", restitution = 0.7, max_indentation = \"0.5 mm\", max_rate = \"2 m/s\" }",
    ];
    for law in written {
        let [found_x, found_v] = ball(law);
        assert!((found_x - x).abs() < 1e-12 && (found_v - v).abs() < 1e-12, "{found_x} {found_v}");
    }
    // A formula with a rate in it is the law of Hunt and Crossley with α.
    let [x, v] = ball(
        "{ elastic = \"power\", stiffness = 1e9, exponent = 1.5, damping = \"hunt-crossley-alpha\", alpha = 0.32 }",
    );
    let own = ball("{ elastic = \"formula:1e9*delta^1.5*(1+1.5*0.32*delta_dot)\" }");
    assert!((own[0] - x).abs() < 1e-12 && (own[1] - v).abs() < 1e-12, "{own:?} {x} {v}");
}

#[test]
fn exact_the_laws_of_a_file_are_replaced() {
    let folder = folder("replaced", &[("model.toml", CRANK), ("points.csv", &points(400))]);
    let impacts = |overrides: Overrides| {
        let overrides = overrides.set_toml("run.until", "12 ms");
        let model = Model::load(folder.join("model.toml"), &overrides);
        let model = model.unwrap_or_else(|wrong| panic!("{wrong}"));
        run(&model).impacts().map(|(t, _, speed)| [t, speed]).collect::<Vec<_>>()
    };
    let joint = "joints.pin.law";
    let set = |law: &str| Overrides::new().set_toml(joint, law);
    let named = impacts(set(
        "{ elastic = \"power\", stiffness = 1e9, exponent = 1.5, damping = \"lankarani-nikravesh\" }",
    ));
    assert!(named.len() > 1);
    let near = |found: Vec<[f64; 2]>, tolerance: f64| {
        assert_eq!(found.len(), named.len());
        for (found, named) in found.iter().zip(&named) {
            let off = [0, 1].map(|i| (found[i] / named[i] - 1.0).abs());
            assert!(off[0].max(off[1]) < tolerance, "{off:?}");
        }
    };
    near(impacts(Overrides::new().law("formula:1e9*delta^1.5+lankarani-nikravesh")), 1e-9);
    near(
        impacts(
            Overrides::new().law("lankarani-nikravesh + formula:0.5e9*delta^1.5+0.5e9*delta^1.5"),
        ),
        1e-9,
    );
    // The interpolation error of 400 points.
    near(impacts(Overrides::new().law("table:points.csv+lankarani-nikravesh")), 1e-4);
    near(
        impacts(
            set("table:points.csv").set_toml(format!("{joint}.damping"), "lankarani-nikravesh"),
        ),
        1e-4,
    );
}

/// Every problem has its place and says what to do.
#[test]
fn property_what_is_wrong_is_told() {
    let folder = folder("wrong", &[("letters.csv", "delta,force\n1e-6,2\n2e-6,many\n")]);
    let big = fs::File::create(folder.join("big.csv")).expect("a file");
    big.set_len(17 << 20).expect("room");
    let wrong = |law: &str, overrides: &Overrides| -> Diagnostics {
        let text = BALL.replace("LAW", law);
        fs::write(folder.join("model.toml"), text).expect("a file");
        Model::load(folder.join("model.toml"), overrides).expect_err("it is wrong")
    };
    let cases = [
        ("table:/etc/passwd", "in or below the folder of the model"),
        ("table:../letters.csv", "in or below the folder of the model"),
        ("table:", "in or below the folder of the model"),
        ("table:none.csv", "`none.csv` cannot be read"),
        ("table:big.csv", "longer than 16 MB"),
        ("table:letters.csv", "`letters.csv`, line 3: `2e-6,many` is not two numbers"),
        ("table:letters.csv+floress", "floress"),
        ("formula:1e9*dleta^1.5", "dleta"),
        ("formula:-1e9*delta", "decreases"),
        ("formula:1e9*delta+hertz", "hertz"),
        ("hertz+formula:1e9*delta", "both elastic laws"),
        ("formula:1e9*delta*(1+delta_dot)+flores", "depends on the rate"),
    ];
    for (law, says) in cases {
        let found = wrong(&format!("\"{law}\""), &Overrides::new());
        let text = found.to_string();
        assert!(text.contains(says), "{law}: {text}");
        assert!(text.contains("law = "), "{law}: {text}");
        if !law.contains('+') {
            let text = wrong(&format!("{{ elastic = \"{law}\" }}"), &Overrides::new()).to_string();
            assert!(text.contains(says), "{law}: {text}");
        }
    }
    fs::write(folder.join("model.toml"), CRANK).expect("a file");
    let found = Model::load(folder.join("model.toml"), &Overrides::new().law("table:none.csv"));
    let text = found.expect_err("it is wrong").to_string();
    assert!(text.contains("--law table:none.csv") && text.contains("cannot be read"), "{text}");
    // A text has no folder.
    let found = Model::parse(&BALL.replace("LAW", "\"table:points.csv\""), &Overrides::new());
    assert!(found.expect_err("no folder").to_string().contains("without a folder"));
}
