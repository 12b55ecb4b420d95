//! Every law with which the papers run their mechanisms, written as in the READMEs of the models: it can be expressed, runs,
//! closes the books, and meets the first contact, which no law changes, where an independent program does.

use jointplay_model::{Model, Overrides};

const CRANK: &str = include_str!("../../../models/slider-crank/model.toml");
const SLOT: &str = include_str!("../../../models/pin-slot/model.toml");
const BORE: &str = include_str!("../../../models/pin-slot-revolute/model.toml");
const YOKE: &str = include_str!("../../../models/scotch-yoke/model.toml");
const BLOCK: &str = include_str!("../../../models/slider-crank-prismatic/model.toml");

/// Runs a model for a short time with these keys set and this law, if any: start and speed of its impacts.
fn impacts(file: &str, until: &str, sets: &[&str], law: Option<&str>) -> Vec<[f64; 2]> {
    let mut overrides = Overrides::new().set_toml("run.until", until).set_toml("run.rtol", "1e-11");
    for set in sets {
        let (key, value) = set.split_once('=').expect("KEY=VALUE");
        overrides = overrides.set_toml(key, value);
    }
    if let Some(law) = law {
        overrides = overrides.law(law);
    }
    let model = Model::parse(file, &overrides).unwrap_or_else(|wrong| panic!("{law:?}: {wrong}"));
    let run = model.run.simulation(&model.mechanism).run().expect("it starts");
    assert!(run.outcome.reached_end(), "{law:?} {sets:?}: {}", run.outcome);
    let residual = run.ledger.relative_residual();
    assert!(residual < 1e-9, "{law:?} {sets:?}: {residual:e}");
    run.impacts().map(|(t, _, speed)| [t, speed]).collect()
}

/// The first contact at this time (s) and speed (m/s).
#[track_caller]
fn first(impacts: &[[f64; 2]], t: f64, speed: f64, tolerance: f64) {
    let [found_t, found_speed] = impacts[0];
    assert!((found_t / t - 1.0).abs() < tolerance, "{found_t} instead of {t}");
    assert!((found_speed / speed - 1.0).abs() < tolerance, "{found_speed} instead of {speed}");
}

const BAI_FRICTION: [&str; 4] = [
    "joints.pin.law.mu_static=0.015",
    "joints.pin.law.mu_dynamic=0.01",
    "joints.pin.law.slip_speed=1 mm/s",
    "joints.pin.law.dynamic_speed=10 mm/s",
];

#[test]
fn peer_the_slider_crank_with_each_law() {
    let spring = [
        "joints.pin.law.stiffness=1.0549e11 N/m",
        "joints.pin.law.damping_coefficient=1e3 N s/m",
        "joints.pin.adhesive=true",
    ];
    let length = ["joints.pin.length=20 mm"];
    let laws: [(&str, &[&str]); 7] = [
        ("kelvin-voigt", &spring),
        ("hertz", &[]),
        ("hunt-crossley", &[]),
        ("lankarani-nikravesh", &[]),
        ("hybrid", &[]),
        ("bai-zhao+zhiying-qishao", &[]),
        ("bai-zhao-length+zhiying-qishao", &length),
    ];
    for (law, sets) in laws {
        let found = impacts(CRANK, "12 ms", sets, Some(law));
        first(&found, 4.4229600349959e-3, 0.1129189557129877, 1e-11);
        let rough = [sets, &BAI_FRICTION].concat();
        let rough = impacts(CRANK, "12 ms", &rough, Some(&format!("{law}+bai-zhao-friction")));
        first(&rough, 4.4229600349959e-3, 0.1129189557129877, 1e-11);
        assert_ne!(found, rough);
    }
    // As a table of the file.
    let table = "joints.pin.law={ elastic = \"linear\", stiffness = \"1.0549e11 N/m\", damping = \"kelvin-voigt\", damping_coefficient = \"1e3 N s/m\" }";
    let file = impacts(CRANK, "12 ms", &[table, "joints.pin.adhesive=true"], None);
    assert_eq!(file, impacts(CRANK, "12 ms", &spring, Some("kelvin-voigt")));
    // The two readings of the hybrid law are different laws.
    let readings = ["bai-zhao", "bai-zhao-length"]
        .map(|id| impacts(CRANK, "12 ms", &length, Some(&format!("{id}+zhiying-qishao"))));
    assert_ne!(readings[0], readings[1]);
}

const SLOT_FRICTION: [&str; 2] = ["joints.pin.law.mu=0.51", "joints.pin.law.slip_speed=1 mm/s"];

#[test]
fn peer_the_slotted_body_with_each_law() {
    let spring = [
        "joints.pin.law.smoothing_speed=0.1 mm/s",
        "joints.pin.laws.flat.stiffness=2.594739413584824e9 N/m",
        "joints.pin.laws.end.stiffness=1.834757834757832e10 N/m",
    ];
    let length = ["joints.pin.length=80 mm", "joints.pin.laws.flat.clearance=2.45 mm"];
    let laws: [(&str, &[&str]); 5] = [
        ("linear+kelvin-voigt-restitution", &spring),
        ("hertz", &[]),
        ("lankarani-nikravesh", &[]),
        ("johnson", &length),
        ("johnson+lankarani-nikravesh", &length),
    ];
    for (law, sets) in laws {
        let found = impacts(SLOT, "8 ms", sets, Some(law));
        first(&found, 4.6616367e-3, 0.0320253645, 1e-8);
        let rough = [sets, &SLOT_FRICTION].concat();
        let rough = impacts(SLOT, "8 ms", &rough, Some(&format!("{law}+coulomb-tanh")));
        first(&rough, 4.6616367e-3, 0.0320253645, 1e-8);
    }
}

#[test]
fn peer_the_body_on_a_bore_with_each_law() {
    let spring = [
        "joints.pin.law.smoothing_speed=0.1 mm/s",
        "joints.pin.law.stiffness=1.834757834757832e10 N/m",
    ];
    let length = ["joints.pin.length=80 mm"];
    let laws: [(&str, &[&str]); 5] = [
        ("linear+kelvin-voigt-restitution", &spring),
        ("hertz", &[]),
        ("lankarani-nikravesh", &[]),
        ("johnson", &length),
        ("johnson+lankarani-nikravesh", &length),
    ];
    for (law, sets) in laws {
        let rough = [sets, &SLOT_FRICTION].concat();
        for (law, sets) in [(law.to_owned(), sets), (format!("{law}+coulomb-tanh"), &rough[..])] {
            let found = impacts(BORE, "4 ms", sets, Some(&law));
            first(&found, 2.1467266e-3, 0.0437510511, 1e-8);
        }
    }
}

/// K (N/mmⁿ) and n on the inner and the outer track and the end arcs, of table 11 of the review.
#[test]
fn peer_the_scotch_yoke_with_each_set() {
    let sets = [
        [("1.220e5", "1.50"), ("1.424e5", "1.50"), ("1.198e6", "1.50")],
        [("4.321e4", "1.09"), ("4.315e4", "1.09"), ("1.846e5", "1.22")],
        [("4.914e4", "1.10"), ("4.907e4", "1.10"), ("3.147e5", "1.28")],
        [("1.717e4", "1.04"), ("1.743e4", "1.04"), ("2.221e4", "1.05")],
        [("1.300e4", "1.09"), ("1.254e4", "1.09"), ("4.786e4", "1.22")],
    ];
    for set in sets {
        let regions = ["inner", "outer", "end"].into_iter().zip(set);
        let keys: Vec<String> = regions
            .map(|(region, (k, n))| {
                format!(
                    "joints.pin.laws.{region}={{ stiffness = \"{k} N/mm^{n}\", exponent = {n} }}"
                )
            })
            .collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        let found = impacts(YOKE, "10 ms", &keys, None);
        first(&found, 0.7210053e-3, 0.2823746192, 1e-7);
    }
}

/// Up to the first contact no law counts, and there both corners touch.
#[test]
fn property_the_block_with_each_law() {
    for law in ["hertz", "lankarani-nikravesh", "flores", "hunt-crossley"] {
        let sets: &[&str] =
            if law == "hertz" { &["joints.guide.law.stiffness=1e9 N/m^1.5"] } else { &[] };
        let found = impacts(BLOCK, "8 ms", sets, Some(law));
        let [a, b, ..] = found[..] else { panic!("{found:?}") };
        assert!(a[0] == b[0] && (a[0] - 2.692_502_752e-3).abs() < 1e-11, "{law}: {a:?} {b:?}");
    }
}
