//! Laws, cases and starts of a model file side by side: `--law`, `compare` and `scatter`.

use crate::mechanism::{close, folder, json, model, text};
use crate::program::jointplay;
use serde_json::Value;

#[test]
fn property_laws_are_set_from_the_command_line() {
    let folder = folder();
    let file = model("slider-crank");
    let run = |args: &[&str]| {
        let all = [&["run", &file, "--json", "--until", "10 ms"], args].concat();
        json(&jointplay(&folder, &all))["contacts"]["pin"]["peak_force"].as_f64().expect("a peak")
    };
    let flores = run(&["--law", "hertz+flores"]);
    assert_eq!(flores, run(&["--set", "joints.pin.law.damping=flores"]));
    assert_eq!(flores, run(&["--law", "flores"]));
    assert_ne!(flores, run(&[]));
}

#[test]
fn property_laws_are_compared_side_by_side() {
    let folder = folder();
    let file = model("slider-crank");
    let laws = "hertz,hunt-crossley,lankarani-nikravesh";
    let args = ["compare", &file, "--laws", laws, "--until", "20 ms", "--plot", "laws.svg"];
    let output = jointplay(&folder, &args);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(folder.path().join("laws.svg").exists());
    let shown = text(&output.stdout);
    assert!(laws.split(',').all(|law| shown.contains(law)), "{shown}");
    // The number of threads changes nothing.
    let of = |threads: &str| {
        let args =
            ["compare", &file, "--laws", laws, "--until", "20 ms", "--json", "--threads", threads];
        let mut value = json(&jointplay(&folder, &args));
        for law in laws.split(',') {
            value["laws"][law]["wall_seconds"] = Value::Null;
        }
        value
    };
    assert_eq!(of("1"), of("2"));
}

/// Without losses the slider-crank is chaotic: an independent program finds 117 ± 8 contacts over perturbed starts, and two
/// correct programs part after about 0.05 s. With losses the motion of the T-body is reproducible.
#[test]
fn peer_statistics_of_perturbed_starts() {
    const STARTS: f64 = 60.0;
    let folder = folder();
    let file = model("slider-crank");
    let args = ["scatter", &file, "--law", "hertz", "--starts", "60", "--json", "--plot", "s.svg"];
    let found = json(&jointplay(&folder, &args));
    let pin = &found["joints"][0];
    let of = |key: &str| pin["impacts"][key].as_f64().expect("a number");
    println!("{} ± {}, parted at {}", of("mean"), of("deviation"), pin["parted"]);
    // Three standard errors, and the last digit of the reference.
    assert!((of("mean") - 117.0).abs() < 3.0 * 8.0 / STARTS.sqrt() + 0.5, "{pin}");
    assert!((of("deviation") - 8.0).abs() < 3.0, "{pin}");
    let parted = pin["parted"].as_f64().expect("they part");
    assert!((0.03..0.1).contains(&parted), "{parted}");
    assert!(folder.path().join("s.svg").exists());

    let file = model("pin-slot");
    let found = json(&jointplay(&folder, &["scatter", &file, "--starts", "4", "--json"]));
    assert!(found["joints"][0]["parted"].is_null(), "{found}");
    assert_eq!(found["joints"][0]["impacts"]["mean"], 19.0);
}

/// Bai, Chen, Sun 2014: linear ≫ Hertz > Hunt–Crossley ≈ Lankarani–Nikravesh > hybrid.
#[test]
fn published_order_of_the_laws() {
    let folder = folder();
    let file = model("slider-crank");
    let peaks = |args: &[&str]| {
        let found = json(&jointplay(&folder, &[&["compare", &file, "--json"], args].concat()));
        move |law: &str| {
            found["laws"][law]["contacts"]["pin"]["peak_force"].as_f64().expect("a force")
        }
    };
    let peak = peaks(&["--laws", "hertz,hunt-crossley,lankarani-nikravesh,hybrid"]);
    // The linear law has no stiffness of its own.
    let linear = peaks(&["--laws", "linear", "--set", "joints.pin.law.stiffness=1.0549e11"]);
    let (hunt_crossley, lankarani) = (peak("hunt-crossley"), peak("lankarani-nikravesh"));
    assert!(linear("linear") > 10.0 * peak("hertz"));
    assert!(peak("hertz") > 1.05 * hunt_crossley.max(lankarani));
    assert!((hunt_crossley / lankarani - 1.0).abs() < 0.05, "{hunt_crossley} {lankarani}");
    assert!(hunt_crossley.min(lankarani) > 1.05 * peak("hybrid"));
}

/// Cases of a file side by side: each row is the run of that case.
#[test]
fn property_cases_are_compared_side_by_side() {
    let folder = folder();
    let text = std::fs::read_to_string(model("slider-crank")).expect("a model");
    let cases = "\n[metrics]\npeak = \"max(pin.force)\"\n[cases.worn]\njoints.pin.clearance = \"1 mm\"\n[cases.tight]\njoints.pin.clearance = \"0.05 mm\"\n[cases.none]\nideal = true\n";
    let file = folder.path().join("cases.toml");
    std::fs::write(&file, text + cases).expect("written");
    let file = file.display().to_string();
    let compare = ["compare", &file, "--cases", "model,worn,none", "--until", "20ms", "--json"];
    let compared = json(&jointplay(&folder, &compare));
    for case in ["worn", "none"] {
        let alone = ["run", &file, "--case", case, "--until", "20ms", "--json", "--out", case];
        let alone = json(&jointplay(&folder, &alone));
        for key in ["contacts", "metrics", "rhs_evaluations"] {
            assert_eq!(compared["cases"][case][key], alone[key], "{case} {key}");
        }
    }
    let plain = json(&jointplay(&folder, &["run", &file, "--until", "20ms", "--json"]));
    assert_eq!(compared["cases"]["model"]["contacts"], plain["contacts"]);
    let result = folder.path().join(compared["result"].as_str().expect("a folder"));
    let table = std::fs::read_to_string(result.join("cases.csv")).expect("a table");
    assert!(table.starts_with("case,joint,impacts"), "{table}");
    let refused = jointplay(&folder, &["compare", &file, "--cases", "worm"]);
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(refused.status.code() == Some(2) && said.contains("did you mean `worn`?"), "{said}");
}

/// A formula may contain commas and plus signs, and gives the law that it writes: here Hertz, with the K of these radii.
#[test]
fn exact_compare_takes_formulas() {
    let folder = folder();
    let laws = "hertz+lankarani-nikravesh,formula:max(0.5*9.7102323600630e10*delta^1.5+0.5*9.7102323600630e10*delta^1.5,0)+lankarani-nikravesh";
    let file = model("slider-crank");
    let compared =
        json(&jointplay(&folder, &["compare", &file, "--laws", laws, "--until", "10ms", "--json"]));
    let laws = compared["laws"].as_object().expect("laws");
    assert_eq!(laws.len(), 2);
    for law in laws.values() {
        // The first peak, from an independent program.
        close(&law["contacts"]["pin"]["peak_force"], 1920.199748, 1e-6);
    }
}

/// A law that lacks something says which key gives it.
#[test]
fn property_a_law_names_the_key_that_it_lacks() {
    let folder = folder();
    let file = model("slider-crank");
    for (law, key) in [
        ("linear", "--set joints.pin.law.stiffness="),
        ("hertz+kelvin-voigt", "--set joints.pin.law.damping_coefficient="),
        ("johnson", "--set joints.pin.length="),
    ] {
        let output = jointplay(&folder, &["run", &file, "--law", law]);
        let shown = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2));
        assert!(shown.contains(key), "{law}: {shown}");
    }
    let output =
        jointplay(&folder, &["run", &file, "--law", "flores", "--set", "joints.pin.restitution=0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("such as 0.01"), "{}", text(&output.stderr));
    let output = jointplay(&folder, &["run", &file, "--set", "joints.pin.law.foo=3"]);
    assert_eq!(text(&output.stderr).matches("`stiffness`").count(), 1);
}
