//! Draws one figure of each kind into a folder: `cargo run --example gallery -- <folder>`.
//!
//! The data are invented; the figures show layout, not physics.

use jointplay_report::{Axis, Figure, FigureError, Legend, Page, Reference, Series, Shading};
use std::path::PathBuf;

fn main() -> Result<(), FigureError> {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let page = Page { panels: vec![orbit(), history(), validity()], columns: 2 };
    for ending in ["svg", "png"] {
        let file = |name: &str| folder.join(name).with_extension(ending);
        loops().save(file("loops"))?;
        restitution().save(file("restitution"))?;
        validity().save(file("validity"))?;
        measured().save(file("measured"))?;
        page.save(file("page"))?;
    }
    Ok(())
}

/// Force against indentation for twelve damping laws.
fn loops() -> Figure {
    let mut figure = Figure::new(
        "Hysteresis loops, c_r = 0.7, δ̇^{(−)} = 0.5 m/s",
        Axis::linear("δ", "µm"),
        Axis::linear("F", "kN"),
    );
    for (i, letter) in (0..).zip('A'..='L') {
        let factor = 0.1 + 0.05 * f64::from(i);
        let points = (0..=400).map(|k| {
            let phase = std::f64::consts::PI * f64::from(k) / 400.0;
            let delta = phase.sin();
            (93.0 * delta, 12.0 * delta.powf(1.5) * (1.0 + factor * phase.cos()))
        });
        let series = Series::line(format!("law {letter}, χ = {factor:.2}"), points);
        figure = figure.with_series(if i == 6 { series.strong() } else { series });
    }
    figure
}

/// Restitution obtained against restitution asked for, eighteen laws.
fn restitution() -> Figure {
    let mut figure = Figure::new(
        "Restitution obtained and asked for",
        Axis::linear("c_r", "").within(0.0, 1.0),
        Axis::linear("e_out", "").within(0.0, 1.0),
    )
    .with_size(380.0, 380.0)
    .with_legend(Legend::Right)
    .with_reference(Reference::through((0.0, 0.0), (1.0, 1.0), "e = c_r"));
    for (i, letter) in (0..).zip('A'..='R') {
        let power = 0.3 + 0.1 * f64::from(i);
        let points = (0..=50).map(|k| f64::from(k) / 50.0).map(|c| (c, c.powf(power)));
        figure =
            figure.with_series(Series::line(format!("law {letter}, exponent {power:.1}"), points));
    }
    figure
}

/// Where a law is monotone, over clearance and line load.
fn validity() -> Figure {
    let clearances = || (0..=100).map(|k| 10f64.powf(-6.0 + 4.0 * f64::from(k) / 100.0));
    let lower = |c: f64| 3.0 * (c / 1e-6).powf(0.4);
    let upper = |c: f64| 300.0 * (c / 1e-6).powf(0.6);
    Figure::new(
        "Validity of a law",
        Axis::log("clearance c", "m").within(1e-6, 1e-2),
        Axis::log("line load", "N/mm").within(1.0, 1e5),
    )
    .with_region(Shading::between("monotone", clearances().map(|c| (c, lower(c), upper(c)))))
    .with_series(Series::line("upper limit", clearances().map(|c| (c, upper(c)))))
    .with_series(Series::line("lower limit", clearances().map(|c| (c, lower(c)))).dashed())
    .with_reference(Reference::vertical(1e-4, "c = 0.1 mm"))
    .with_reference(Reference::horizontal(2e4, "yield"))
}

/// A measurement with its model.
fn measured() -> Figure {
    let model = |v: f64| 1.0 - 0.1 * v.powf(0.2);
    let noise = |k: i32| 0.008 * f64::from((k * 7919) % 13 - 6) / 6.0;
    let speeds = || (0..=60).map(|k| 10f64.powf(-2.0 + 3.0 * f64::from(k) / 60.0));
    Figure::new("Restitution and speed", Axis::log("impact speed", "m/s"), Axis::linear("c_r", ""))
        .with_region(Shading::between(
            "±0.01",
            speeds().map(|v| (v, model(v) - 0.01, model(v) + 0.01)),
        ))
        .with_series(
            Series::line("viscoelastic law", speeds().map(|v| (v, model(v)))).with_color(0),
        )
        .with_series(
            Series::markers(
                "measured",
                speeds().zip(0..).step_by(4).map(|(v, k)| (v, model(v) + noise(k))),
            )
            .with_color(1),
        )
}

/// A journal wandering in its bearing.
fn orbit() -> Figure {
    let circle =
        (0..=360).map(|k| f64::from(k).to_radians()).map(|a| (50.0 * a.cos(), 50.0 * a.sin()));
    let path = (0..=6000).map(|k| {
        let t = f64::from(k) / 300.0;
        let r = 50.6 - 30.0 * (1.7 * t).cos().abs() * (-0.1 * t).exp();
        (r * t.cos(), r * t.sin())
    });
    let axis = |label| Axis::linear(label, "µm").within(-60.0, 60.0);
    Figure::new("Orbit of the journal", axis("x"), axis("y"))
        .with_size(300.0, 300.0)
        .with_series(Series::line("clearance", circle).dashed().with_color(6))
        .with_series(Series::line("journal", path).with_color(0))
}

/// A long record with narrow force peaks.
fn history() -> Figure {
    let record = (0..=200_000).map(|k| {
        let t = f64::from(k) / 200_000.0;
        (t, 2.4e6 * (40.0 * t).sin().abs().powi(200) * (1.0 - 0.5 * t))
    });
    Figure::new("Contact force", Axis::linear("t", "s"), Axis::linear("F", "N"))
        .with_size(420.0, 300.0)
        .with_series(Series::line("", record))
}
