//! The method that a run chooses by itself gives what the others give.

use jointplay_contact::catalog::{Family, sheets};
use jointplay_study::case::Case;
use jointplay_study::run::Keep;

use crate::sweep::cases;

/// Shipped models, each with a time (s) in which it touches often and is not yet chaotic.
const MODELS: [(&str, f64); 10] = [
    ("slider-crank", 0.1),
    ("pin-slot", 0.02),
    ("pin-slot-revolute", 0.02),
    ("scotch-yoke", 0.05),
    ("slider-crank-prismatic", 0.05),
    ("four-bar", 0.1),
    ("geneva", 0.4),
    ("chain-link", 0.01),
    ("pin-in-bore", 0.01),
    ("two-spheres", 0.01),
];

/// What a run leaves: the places of its bodies (m) and their angles (rad), and the starts (s) and speeds (m/s) of its impacts.
struct Left {
    places: Vec<[f64; 3]>,
    impacts: Vec<[f64; 2]>,
    /// Of the energy ledger.
    residual: f64,
    /// Of the whole state at the end.
    bits: Vec<u64>,
    implicit: usize,
}

impl Left {
    fn by(case: &Case, method: &str, rtol: f64) -> Option<Self> {
        let case = case.clone().set("run.method", method).set("run.rtol", rtol);
        let loaded = case.load_unidentified().ok()?;
        let run = loaded.run_keeping(Keep::Nothing, &mut ()).ok()?;
        let solution = run.solution();
        let end = solution.end().expect("regular");
        let bodies = solution.mechanism().bodies();
        Some(Left {
            places: bodies
                .map(|(id, ..)| {
                    let [x, y] = end.position(id).position;
                    [x, y, end.angle(id).value]
                })
                .collect(),
            impacts: run.contacts().episodes.iter().map(|e| [e.start, e.impact_speed]).collect(),
            residual: solution.ledger.relative_residual(),
            bits: {
                let (_, y, _) = solution.trajectory.get(solution.trajectory.len() - 1);
                y.iter().map(|y| y.to_bits()).collect()
            },
            implicit: solution.stats.stiff,
        })
    }

    fn from(&self, other: &Self) -> f64 {
        let pairs = self.places.as_flattened().iter().zip(other.places.as_flattened());
        pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    }

    /// By how much the starts of the impacts differ (s), and their speeds (m/s).
    fn impacts_from(&self, other: &Self) -> [f64; 2] {
        let pairs = || self.impacts.iter().zip(&other.impacts);
        [0, 1].map(|i| pairs().map(|(a, b)| (a[i] - b[i]).abs()).fold(0.0, f64::max))
    }
}

/// From this error (m, rad) on the explicit method itself has lost more than four digits: the motion is chaotic.
const CHAOTIC: f64 = 1e-8;

/// Compares the method that is chosen with the explicit one; gives the number of implicit steps if the case runs and is not chaotic. They
/// may differ by ten times what the explicit one is off by, measured by its own run at a hundredth of the tolerance, and by a
/// millionth of a usual clearance; impacts, which grow apart faster, by thirty times and by 1e-11 s and 1e-8 m/s.
fn compared_with_explicit(case: &Case, name: &str) -> Option<usize> {
    let reference = Left::by(case, "dop853", 1e-12)?;
    let [explicit, auto] = ["dop853", "auto"]
        .map(|method| Left::by(case, method, 1e-10).expect("it runs with the other tolerance"));
    let (expected, found) = (explicit.from(&reference), auto.from(&reference));
    println!("{name}: {expected:.1e} {found:.1e}, {} implicit steps", auto.implicit);
    if expected > CHAOTIC {
        return None;
    }
    assert_eq!(auto.impacts.len(), explicit.impacts.len(), "{name}");
    assert!(found <= 10.0 * expected + 1e-10, "{name}: {found:e} {expected:e}");
    let [wanted, impacts] = [&explicit, &auto].map(|run| run.impacts_from(&reference));
    for ((found, expected), floor) in impacts.into_iter().zip(wanted).zip([1e-11, 1e-8]) {
        assert!(found <= 30.0 * expected + floor, "{name}: {found:e} {expected:e}");
    }
    let books = (3.0 * explicit.residual).max(1e-9);
    assert!(auto.residual <= books, "{name}: {:e} {:e}", auto.residual, explicit.residual);
    if auto.implicit == 0 {
        assert_eq!(auto.bits, explicit.bits, "{name}");
    }
    Some(auto.implicit)
}

#[test]
fn property_the_method_chosen_does_not_change_the_result() {
    let laws: Vec<&str> =
        sheets().filter(|sheet| sheet.family != Family::Friction).map(|sheet| sheet.id).collect();
    let stride = cases(9, 1);
    let (mut compared, mut implicit) = (0, 0);
    for (first, (name, until)) in MODELS.into_iter().enumerate() {
        let folder = format!("{}/../../models/{name}", env!("CARGO_MANIFEST_DIR"));
        let model = Case::open(folder).expect("it is shipped").set("run.until", until);
        let others = laws.iter().skip(first % stride).step_by(stride);
        for law in std::iter::once(None).chain(others.map(Some)) {
            let case = law.map_or_else(|| model.clone(), |law| model.clone().law(*law));
            let Some(auto) = compared_with_explicit(&case, &format!("{name} {law:?}")) else {
                continue;
            };
            compared += 1;
            implicit += auto;
        }
    }
    assert!(compared > 30 && implicit > 200, "{compared} {implicit}");
}

/// Contacts that are as hard or as strongly damped as no shipped model has them.
#[test]
fn property_stiff_contacts_are_those_of_the_explicit_method() {
    let laws = [
        r#"{ elastic = "hertz", stiffness = 1e13, damping = "lankarani-nikravesh", restitution = 0.46 }"#,
        r#"{ elastic = "hertz", damping = "exact", restitution = 1e-3 }"#,
        r#"{ elastic = "hertz", damping = "flores", restitution = 0.02 }"#,
        r#"{ elastic = "linear", stiffness = 1e9, damping = "kelvin-voigt", damping_coefficient = 1e5 }"#,
        r#"{ elastic = "linear", stiffness = 1e11, damping = "kelvin-voigt", damping_coefficient = 1e5 }"#,
        r#"{ elastic = "hertz", damping = "flores", restitution = 0.1, friction = "lugre", mu_static = 0.2, mu_dynamic = 0.1, stribeck_speed = "1 mm/s", sigma0 = 1e7, sigma1 = 1, sigma2 = 0 }"#,
        r#"{ elastic = "hertz", damping = "flores", restitution = 0.1, friction = "coulomb-tanh", mu = 0.3, slip_speed = "0.01 mm/s" }"#,
    ];
    let folder = format!("{}/../../models/slider-crank/model.toml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(folder).expect("it is shipped");
    let own = "law = \"hertz+lankarani-nikravesh\"\nrestitution = 0.46\n";
    assert!(text.contains(own));
    let mut implicit = 0;
    for law in laws {
        let case =
            Case::of_text(text.replace(own, &format!("law = {law}\n"))).set("run.until", 0.05);
        implicit += compared_with_explicit(&case, law).unwrap_or_else(|| panic!("{law} runs"));
    }
    assert!(implicit > 100, "{implicit}");
}
