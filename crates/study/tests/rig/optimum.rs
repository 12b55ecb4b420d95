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
    optimise_and_look(model, change, jobs, |_| ())
}

fn optimise_and_look(
    model: &str,
    change: impl FnOnce(&mut StudyFile),
    jobs: usize,
    mut look: impl FnMut(&std::path::Path),
) -> Findings {
    let folder = tempfile::tempdir().expect("a folder");
    let mut file = StudyFile::new(StudyKind::Optimise, "model.toml");
    change(&mut file);
    let study = Study::new(file, Case::of_text(model)).unwrap_or_else(|error| panic!("{error}"));
    let sweep = Sweep::new().threads(jobs);
    let place = folder.path().join("study");
    let findings =
        study.run(&place, &sweep, None).unwrap_or_else(|error| panic!("{error}")).findings;
    look(&place);
    findings
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

/// A number that is only kept decides nothing, not even where it has no value.
#[test]
fn exact_metrics_are_kept_beside_the_objective() {
    let model = "format = 1\n[parameters]\nx = 0.0\n[bodies.a]\nmass = 1\ninertia = 1\n[metrics.cost]\nvalue = \"(x - 1)^2\"\n[metrics.none]\nvalue = \"1/(x - x)\"\n[run]\nuntil = 1\n";
    let mut heads = String::new();
    let look = |place: &std::path::Path| {
        let table = std::fs::read_to_string(place.join("table.csv")).expect("a table");
        heads = table.lines().next().unwrap_or_default().to_owned();
    };
    let asked = |file: &mut StudyFile| {
        file.minimise = Some("cost".to_owned());
        file.metrics = vec!["cost".to_owned(), "2*x".to_owned(), "none".to_owned()];
        file.vary = vec![entry("parameters.x", "-3:3")];
        file.budget = Some(60);
    };
    let findings = optimise_and_look(model, asked, 0, look);
    assert_eq!(heads, "parameters.x,cost,2*x,none,outcome");
    assert_eq!(findings.measured, ["cost", "2*x", "none"]);
    let found = findings.optimum.expect("an optimum");
    assert!((found.best["parameters.x"] - 1.0).abs() < 1e-2 && found.feasible, "{found:?}");
    assert!(found.constraints.is_empty());
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

/// x″ + 0.1 x′ + x = cos 2.75 t with a linear stop of 100 N/m at x > 0: chaos. Starts are so far apart that they, and not the mass, decide what happens.
fn chaos() -> String {
    const STOP: &str = include_str!("../../../../testing/models/stop.toml");
    let faster = STOP.replace("0.31830988618379067", "0.4376760935027122");
    let longer = faster.replace("until = 100\nrtol = 1e-12", "until = 200\nrtol = 1e-8");
    longer + "[start]\ndisturbance = \"10 mm\"\n"
}

/// A mass between 1 kg and 1.0001 kg changes nothing but the chances of chaos: wherever a search ends, it is worth the mean of all runs.
#[test]
fn property_the_best_of_noise_is_not_called_better() {
    const REPEATS: usize = 6;
    const BUDGET: usize = 66;
    let (mut all, mut found) = (Vec::new(), Vec::new());
    for seed in 1..=5 {
        let look = |place: &std::path::Path| {
            let files = std::fs::read_dir(place).expect("a folder").map(|f| f.expect("it").path());
            let tables = files.filter(|path| path.extension().is_some_and(|end| end == "csv"));
            for path in tables {
                let mut reader = csv::Reader::from_path(path).expect("a table");
                let head = reader.headers().expect("names").clone();
                let at = |name: &str| head.iter().position(|h| h == name).expect("a column");
                let (start, swing) = (at("start.seed"), at("rms(mass.x)"));
                for row in reader.records().map(|row| row.expect("a row")) {
                    let [start, swing] = [start, swing].map(|i| row[i].parse::<f64>().expect("it"));
                    // The runs of the search, before one of its points was chosen.
                    if start <= REPEATS as f64 {
                        all.push(swing);
                    }
                }
            }
        };
        let asked = |file: &mut StudyFile| {
            file.minimise = Some("rms(mass.x)".to_owned());
            file.vary = vec![entry("bodies.mass.mass", "1 kg:1.0001 kg")];
            file.budget = Some(BUDGET);
            file.repeats = Some(REPEATS);
            file.seed = seed;
        };
        let findings = optimise_and_look(&chaos(), asked, 0, look);
        assert!(findings.runs <= BUDGET, "the runs from new starts are part of the budget");
        found.push((findings.optimum.expect("an optimum"), findings.runs / REPEATS - 2));
    }
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let square: f64 = all.iter().map(|x| (x - mean).powi(2)).sum();
    let std = (square / (all.len() as f64 - 1.0)).sqrt();
    let count = found.len() as f64;
    let objective = |of: &(jointplay_study::optimum::Optimum, usize)| of.0.objective.expect("it");
    let bias = found.iter().map(objective).sum::<f64>() / count - mean;
    let error = std * (1.0 / (count * REPEATS as f64) + 1.0 / all.len() as f64).sqrt();
    let contains = |(of, _): &&(jointplay_study::optimum::Optimum, usize)| {
        of.objective_low.expect("it") <= mean && mean <= of.objective_high.expect("it")
    };
    let within = found.iter().filter(contains).count();
    let alike: usize = found.iter().map(|(of, _)| of.alike.expect("a count")).sum();
    let others: usize = found.iter().map(|(_, others)| others).sum();
    let said = format!(
        "mean {mean} ± {std}: off by {bias} for ±{error}, {within} of {count}, {alike} of {others} alike"
    );
    println!("{said}");
    assert!(bias.abs() < 3.0 * error, "{said}");
    assert!(within + 1 >= found.len(), "{said}");
    assert!(alike * 10 >= others * 8, "{said}");
}
