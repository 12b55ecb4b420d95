//! Optima in closed form.

use super::*;

/// Three spheres in a row, the first at 1 m/s, restitution 0.8.
const ROW: &str = r#"
format = 1
name = "row"
[parameters]
m2 = "0.4 kg"
[bodies.a]
mass = "1 kg"
inertia = 1
position = [0, 0]
velocity = ["1 m/s", 0]
[bodies.b]
mass = "= m2"
inertia = 1
position = ["21 mm", 0]
[bodies.c]
mass = "0.25 kg"
inertia = 1
position = ["42 mm", 0]
[contacts.ab]
type = "circle-circle"
a = { body = "a", radius = "10 mm" }
b = { body = "b", radius = "10 mm" }
restitution = 0.8
law = { elastic = "hertz", stiffness = "1e10 N/m^1.5", damping = "exact" }
[contacts.bc]
type = "circle-circle"
a = { body = "b", radius = "10 mm" }
b = { body = "c", radius = "10 mm" }
restitution = 0.8
law = { elastic = "hertz", stiffness = "1e10 N/m^1.5", damping = "exact" }
[run]
until = "3 ms"
"#;

fn optimise(model: &str, change: impl FnOnce(&mut StudyFile), jobs: usize) -> Findings {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = StudyFile::new(StudyKind::Optimise, "model.toml");
    change(&mut file);
    let study = Study::new(file, Case::of_text(model)).unwrap_or_else(|error| panic!("{error}"));
    let sweep = Sweep::new().threads(jobs);
    study
        .run(&folder.path().join("study"), &sweep, None)
        .unwrap_or_else(|error| panic!("{error}"))
        .findings
}

fn entry(key: &str, values: &str) -> VaryEntry {
    VaryEntry { key: key.to_owned(), values: values.to_owned() }
}

/// The last sphere is fastest with the geometric mean of the others in the middle: √(1 · 0.25) = 0.5 kg, 1.44 m/s.
#[test]
fn exact_the_best_sphere_in_the_middle() {
    let asked = |file: &mut StudyFile| {
        file.maximise = Some("last(c.vx)".to_owned());
        file.vary = vec![entry("parameters.m2", "0.05 kg:2 kg")];
        file.budget = Some(120);
    };
    let findings = optimise(ROW, asked, 0);
    let found = findings.optimum.as_ref().expect("an optimum");
    assert!((found.best["parameters.m2"] - 0.5).abs() < 2e-3, "{found:?}");
    assert!((found.objective.expect("a number") - 1.44).abs() < 1e-6, "{found:?}");
    assert!(findings.runs <= 120 && found.feasible);
    // Threads do not matter.
    let alone = optimise(ROW, asked, 1);
    assert_eq!((alone.optimum, alone.runs), (findings.optimum, findings.runs));
}

/// A constraint that the optimum violates: the best is where the constraint holds just so.
#[test]
fn exact_a_constraint_binds() {
    // Metrics of parameters alone: (x − 1)² + (y − 2)² with x + y < 2 is least at (0.5, 1.5), where it is 0.5.
    let model = "format = 1\n[parameters]\nx = 0.0\ny = 0.0\n[bodies.a]\nmass = 1\ninertia = 1\n[metrics.cost]\nvalue = \"(x - 1)^2 + (y - 2)^2\"\n[metrics.sum]\nvalue = \"x + y\"\n[run]\nuntil = 1\n";
    let findings = optimise(
        model,
        |file| {
            file.minimise = Some("cost".to_owned());
            file.limits = vec!["sum < 2".to_owned()];
            file.vary = vec![entry("parameters.x", "-3:3"), entry("parameters.y", "-3:3")];
            file.budget = Some(1500);
        },
        0,
    );
    let found = findings.optimum.expect("an optimum");
    assert!(found.feasible, "{found:?}");
    assert!((found.objective.expect("a number") - 0.5).abs() < 5e-3, "{found:?}");
    assert!((found.best["parameters.x"] - 0.5).abs() < 0.06, "{found:?}");
}
