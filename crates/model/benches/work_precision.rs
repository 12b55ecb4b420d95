//! Work against precision: the slider-crank with clearance with each method and tolerance.
//!
//! The error is that of the times at which the pin touches, over all 24 contacts of 0.6 s. The reference is our own run at
//! 1e-13, which is itself held against the digits of an independent program. `cargo bench -p jointplay-model` prints the
//! table; with `-- --write` it renews docs/work-precision.md and its figure.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use cpu_time::ProcessTime;
use jointplay_mbd::Sampling;
use jointplay_model::{Model, Overrides};
use jointplay_report::{Axis, Figure, Reference, Series};

/// An independent program's first impact, first separation and second impact (s), and how far they may be off.
const INDEPENDENT: [(f64, f64); 3] =
    [(4.4229600349959e-3, 1e-15), (0.004635461462, 1e-12), (0.010900857532, 1e-12)];

/// Contacts over the whole run.
const CONTACTS: usize = 24;

/// A run: when the pin touched and left, and what it cost.
struct Run {
    starts: Vec<f64>,
    ends: Vec<f64>,
    evaluations: usize,
    seconds: f64,
    residual: f64,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn run(method: Option<&str>, rtol: Option<f64>) -> Run {
    let mut changes = Overrides::new();
    if let Some(method) = method {
        changes = changes.set_toml("run.method", method);
    }
    if let Some(rtol) = rtol {
        changes = changes.set_toml("run.rtol", format!("{rtol:e}"));
    }
    let file = root().join("models/slider-crank/model.toml");
    let model = Model::load(file, &changes).unwrap_or_else(|problems| panic!("{problems}"));
    let simulation = model.run.simulation(&model.mechanism).sampled(Sampling::EventsOnly);
    let clock = ProcessTime::now();
    let solution = simulation.run().expect("it starts");
    let seconds = clock.elapsed().as_secs_f64();
    let ended = |kind| matches!(kind, jointplay_mbd::EventKind::ContactEnd(_));
    Run {
        starts: solution.impacts().map(|(t, _, _)| t).collect(),
        ends: solution.events.iter().filter(|e| ended(e.kind)).map(|e| e.t).collect(),
        evaluations: solution.stats.evaluations,
        seconds,
        residual: solution.ledger.relative_residual(),
    }
}

/// Largest relative error of the impact times; `None` if the number of contacts differs.
fn error(run: &Run, reference: &Run) -> Option<f64> {
    let pairs = run.starts.iter().zip(&reference.starts);
    let errors = pairs.map(|(found, exact)| (found / exact - 1.0).abs());
    (run.starts.len() == reference.starts.len()).then(|| errors.fold(0.0, f64::max))
}

fn main() {
    if !std::env::args().any(|word| word == "--bench") {
        return; // built by `cargo test --benches`
    }
    let reference = run(Some("dop853"), Some(1e-13));
    let found = [reference.starts[0], reference.ends[0], reference.starts[1]];
    for (found, (printed, digit)) in found.into_iter().zip(INDEPENDENT) {
        assert!((found - printed).abs() <= digit, "{found:e} instead of {printed:e}");
    }
    assert_eq!(reference.starts.len(), CONTACTS);
    let mut rows = String::from(
        "| method | rtol | right-hand sides | contacts | error of impact times | energy residual | CPU time |\n\
         |---|---|---|---|---|---|---|\n",
    );
    let default = run(None, None);
    let mut curves = Vec::new();
    for method in ["dop853", "dopri5", "rkf45", "radau5"] {
        let mut points = Vec::new();
        for digits in 6..=12 {
            let found = run(Some(method), Some(10.0_f64.powi(-digits)));
            let error = error(&found, &reference);
            points.extend(error.map(|error| (found.evaluations as f64, error)));
            let _ = writeln!(
                rows,
                "| {method} | 1e-{digits} | {} | {} | {} | {:.0e} | {:.2} |",
                found.evaluations,
                found.starts.len(),
                error.map_or_else(|| "-".to_owned(), |error| format!("{error:.1e}")),
                found.residual,
                found.seconds / default.seconds,
            );
        }
        curves.push((method, points));
    }
    println!("{rows}");
    let default_error = error(&default, &reference).expect("all contacts");
    let verdict = format!(
        "The default of model files, `auto` at 1e-10, needs {} evaluations and has an error of {default_error:.1e}.",
        default.evaluations
    );
    println!("{verdict}");
    assert!(default_error < 1e-6, "the default settings must give impact times to 1e-6");
    if std::env::args().any(|word| word == "--write") {
        write(&rows, &verdict, curves);
    }
}

/// The page and its figure.
fn write(rows: &str, verdict: &str, curves: Vec<(&str, Vec<(f64, f64)>)>) {
    let x = Axis::log("right-hand sides", "");
    let y = Axis::log("error of impact times", "");
    let mut figure = Figure::new("Slider-crank with clearance, 24 contacts", x, y)
        .with_reference(Reference::horizontal(1e-6, "asked for"))
        .with_size(720.0, 420.0);
    for (method, points) in curves {
        figure = figure.with_series(Series::line(method, points));
    }
    let page = format!(
        "# Work and precision\n\n\
         `models/slider-crank/model.toml` (Hertz's law with Lankarani and Nikravesh's damping, 0.6 s) with each method and tolerance. The error is the largest\n\
         relative error of the contact times, over all 24 contacts, against a run at 1e-13 that agrees with the digits of an independent\n\
         program. CPU time is in units of the default run; the implicit method also pays for derivatives and factorisations, which its number of\n\
         evaluations does not show. `cargo bench -p jointplay-model --bench work_precision -- --write` writes this page.\n\n\
         ![Error against right-hand sides](work-precision.svg)\n\n{rows}\n{verdict}\n\
         A dash marks runs with a different number of contacts, whose times cannot be compared one by one.\n"
    );
    let docs = root().join("docs");
    std::fs::write(docs.join("work-precision.md"), page).expect("the page can be written");
    figure.save(docs.join("work-precision.svg")).expect("the figure can be written");
}
