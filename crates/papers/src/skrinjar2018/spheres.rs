//! Two spheres, 9.2 kg each, K = 5.2e9 N/m^1.5, 0.3 m/s: figures 2–9 and 16, table 2.

use jointplay_report::{Axis, Figure, Series};
use jointplay_study::impact::ImpactResult;
use rayon::prelude::*;

use crate::law::{impact, law, numbers, returning};
use crate::{Error, Made, Verdict, law_color};

/// K (N/m^1.5), effective mass of two spheres of 9.2 kg (kg), speed (m/s).
const STIFFNESS: f64 = 5.2e9;
const EFFECTIVE_MASS: f64 = 4.6;
const SPEED: f64 = 0.3;

/// The laws that the figures compare: catalogue id and name in the legend.
const LAWS: [(&str, &str); 3] = [
    ("hunt-crossley", "Hunt–Crossley"),
    ("lankarani-nikravesh", "Lankarani–Nikravesh"),
    ("flores", "Flores et al."),
];

/// Input restitutions of the panels.
const RESTITUTIONS: [f64; 5] = [0.1, 0.3, 0.5, 0.7, 0.9];

/// Samples of a loop.
const POINTS: u32 = 200;

/// The impact of the spheres with a damping law, or with none.
fn collide(damping: Option<&str>, c: f64) -> Result<ImpactResult, Error> {
    let name = damping.map_or_else(|| "hertz".to_owned(), |id| format!("hertz+{id}"));
    let law = law(&name, &returning(c, &numbers(&[("stiffness", STIFFNESS)])))?;
    impact(&law, EFFECTIVE_MASS, SPEED, POINTS)
}

/// Figure 3.
pub(super) fn loops() -> Result<Made, Error> {
    let hertz = collide(None, 1.0)?;
    let panel = |(id, name): &(&str, &str)| -> Result<Figure, Error> {
        let axes = (Axis::linear("δ", "µm"), Axis::linear("F", "kN"));
        let mut figure = Figure::new(*name, axes.0, axes.1).with_size(300.0, 220.0);
        let points = |result: &ImpactResult| {
            let curve = result.curve.iter();
            curve.map(|sample| (1e6 * sample.delta, 1e-3 * sample.force)).collect::<Vec<_>>()
        };
        figure = figure
            .with_series(Series::line("Hertz", points(&hertz)).with_color(law_color("hertz")));
        for (i, c) in RESTITUTIONS.iter().enumerate() {
            let result = collide(Some(id), *c)?;
            let label = format!("c_r = {c}");
            figure = figure.with_series(Series::line(label, points(&result)).with_color(i));
        }
        Ok(figure)
    };
    let panels: Result<Vec<Figure>, Error> = LAWS.par_iter().map(panel).collect();
    let deepest = collide(Some("lankarani-nikravesh"), 0.1)?.max_indentation;
    let made = Made::figure(panels?, 3)
        .remark("Two spheres of 9.2 kg (erratum 21), K = 5.2·10⁹ N/m^1.5, 0.3 m/s.")
        .number("hertz deepest", hertz.max_indentation)
        .number("lankarani-nikravesh c_r = 0.1 deepest", deepest)
        .statement(
            "As the coefficient of restitution approaches zero, the indentation decreases and the magnitude of the force increases.",
            Verdict::when(deepest < hertz.max_indentation, Verdict::Unexplained),
            format!(
                "Lankarani–Nikravesh at c_r = 0.1: {:.2} µm against {:.2} µm of Hertz.",
                1e6 * deepest,
                1e6 * hertz.max_indentation
            ),
        );
    Ok(made)
}
