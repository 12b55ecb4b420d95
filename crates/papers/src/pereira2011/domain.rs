//! Figures 2–4: where the logarithmic laws end.

use std::f64::consts::PI;

use jointplay_contact::catalog::ElasticKind;
use jointplay_contact::elastic::ElasticModel;
use jointplay_contact::{ALUMINIUM, Material};
use jointplay_report::{Axis, Figure, Legend, Reference, Series};
use jointplay_study::domain::logarithmic_range;

use crate::cylinder::{PAPER_STEEL, Pair, journal_in, modulus};
use crate::{Error, Made, Verdict, law_color};

/// Range of ΔR (m).
const SMALL: f64 = 5e-6;
const LARGE: f64 = 10e-3;

/// Johnson's eq. (1) beyond the end of the law too: δ (µm) and dδ/dP (nm per N/mm) at a load (N/mm).
fn johnson_formula(load: f64, clearance: f64) -> (f64, f64) {
    let a = PI * modulus(PAPER_STEEL);
    let load = 1e3 * load;
    let logarithm = (4.0 * a * clearance / load).ln();
    (1e6 * load / a * (logarithm - 1.0), 1e12 / a * (logarithm - 2.0))
}

/// Figure 2.
pub(super) fn johnson_at_5_um() -> Result<Made, Error> {
    const END: f64 = 3000.0;
    let pair = Pair::apart(PAPER_STEEL, SMALL);
    let law = pair.law(ElasticKind::Johnson)?;
    let limit = pair.published_limit(ElasticKind::Johnson)?;
    let deepest = law.limits().delta.unwrap_or(f64::NAN);
    let loads = |from: f64, to: f64| {
        let points = (0..=150).map(f64::from);
        points.map(move |i| from + (to - from) * i / 150.0).collect::<Vec<f64>>()
    };
    // The catalogue's law, up to where Jointplay continues it along its tangent; the bare formula beyond.
    let inside = loads(1.0, 0.98 * limit);
    let inside = inside.iter().filter_map(|&load| {
        let delta = law.indentation(load)?;
        Some((load, 1e6 * delta, 1e9 / law.eval(delta).slope))
    });
    let inside: Vec<_> = inside.collect();
    let beyond: Vec<_> = loads(0.98 * limit, END)
        .into_iter()
        .map(|load| (load, johnson_formula(load, SMALL).0, johnson_formula(load, SMALL).1))
        .collect();
    let panel = |title: &str, y: Axis, pick: fn(&(f64, f64, f64)) -> (f64, f64)| {
        let color = law_color("johnson");
        let beyond = Series::line("formula beyond its end", beyond.iter().map(pick));
        Figure::new(title, Axis::linear("load P", "N/mm").within(0.0, END), y)
            .with_size(400.0, 280.0)
            .with_series(Series::line("Johnson", inside.iter().map(pick)).with_color(color).solid())
            .with_series(beyond.with_color(color).dashed())
            .with_reference(Reference::vertical(limit, format!("{limit:.0} N/mm")))
            .with_reference(Reference::horizontal(0.0, ""))
    };
    let panels = vec![
        panel("Indentation", Axis::linear("δ", "µm"), |p| (p.0, p.1)),
        panel("Its derivative", Axis::linear("dδ/dP", "nm per N/mm").within(-5.0, 20.0), |p| {
            (p.0, p.2)
        }),
    ];
    let rate = |share: f64| johnson_formula(share * limit, SMALL).1;
    let (delta_end, rate_end) = johnson_formula(END, SMALL);
    let made = Made::figure(panels, 2)
        .remark(
            "Johnson's law, eq. (1), steel, ΔR = 5 µm. Solid: the law of the catalogue; dashed: the bare formula beyond its end.",
        )
        .number("limit load", limit)
        .number("maximum indentation", deepest)
        .statement(
            "For load values higher than approximately 1 kN/mm, the indentation value decreases with increasing load.",
            Verdict::when((limit / 1000.0 - 1.0).abs() < 0.05 && rate_end < 0.0, Verdict::Unexplained),
            format!("The indentation is largest, {:.3} µm, at {limit:.2} N/mm.", 1e6 * deepest),
        )
        .statement(
            "The derivative decreases monotonically, reaching zero at the maximum of the indentation, beyond which it takes \
             negative values.",
            Verdict::when(rate(0.999) > 0.0 && rate(1.001) < 0.0, Verdict::Unexplained),
            format!(
                "Zero at {limit:.2} N/mm, {rate_end:.2} nm per N/mm at 3000 N/mm; there the indentation itself is {delta_end:.2} µm."
            ),
        );
    Ok(made)
}

/// Figure 3: limits against ΔR.
pub(super) fn limits() -> Result<Made, Error> {
    const BEARING: f64 = 10e-3;
    let metals = [("steel", PAPER_STEEL), ("aluminium", ALUMINIUM)];
    let laws = [
        ("Johnson", "johnson", ElasticKind::Johnson),
        ("Radzimovsky", "radzimovsky", ElasticKind::Radzimovsky),
        ("Goldsmith, R_i = 10 mm", "goldsmith", ElasticKind::Goldsmith),
    ];
    let limit = |kind: ElasticKind, material: Material, clearance: f64| -> Result<f64, Error> {
        let pair = if kind == ElasticKind::Goldsmith {
            Pair { material, ..Pair::of(journal_in(BEARING, clearance)?) }
        } else {
            Pair::apart(material, clearance)
        };
        pair.published_limit(kind)
    };
    let mut figure = Figure::new("", Axis::log("ΔR", "mm"), Axis::log("limit load", "N/mm"))
        .with_size(560.0, 380.0)
        .with_legend(Legend::Right);
    for (name, id, kind) in laws {
        for (metal, material) in metals {
            // The radius of the journal must be positive.
            let end = if kind == ElasticKind::Goldsmith { 0.9 * BEARING } else { LARGE };
            let points: Result<Vec<(f64, f64)>, Error> = logarithmic_range(SMALL, end, 121)
                .into_iter()
                .map(|clearance| Ok((1e3 * clearance, limit(kind, material, clearance)?)))
                .collect();
            let series =
                Series::line(format!("{name}, {metal}"), points?).with_color(law_color(id));
            figure =
                figure.with_series(if metal == "steel" { series.solid() } else { series.dashed() });
        }
    }
    let johnson = |material| limit(ElasticKind::Johnson, material, SMALL);
    let (steel, soft) = (johnson(PAPER_STEEL)?, johnson(ALUMINIUM)?);
    let wider = |material| -> Result<f64, Error> {
        let radzimovsky = limit(ElasticKind::Radzimovsky, material, SMALL)?;
        Ok(100.0 * (radzimovsky / johnson(material)? - 1.0))
    };
    let (wider_steel, wider_soft) = (wider(PAPER_STEEL)?, wider(ALUMINIUM)?);
    let narrower = |wider: f64| 100.0 * (1.0 - 1.0 / (1.0 + wider / 100.0));
    let narrowest = limit(ElasticKind::Goldsmith, PAPER_STEEL, SMALL)?;
    let growing = limit(ElasticKind::Radzimovsky, PAPER_STEEL, SMALL)? * (-1.0_f64 / 3.0).exp();
    let rounds = |ours: f64, printed: f64| (ours - printed).abs() <= 0.5;
    let made = Made::figure(vec![figure], 1)
        .remark(
            "Limits of eqs. (10)–(12). Solid: steel, 207 GPa, 0.3; dashed: aluminium, 70 GPa, 0.35. Goldsmith's R is R_i(R_i − ΔR)/ΔR, \
             where eq. (14) takes R_i²/ΔR.",
        )
        .number("johnson steel 5 µm", steel)
        .number("johnson aluminium 5 µm", soft)
        .number("goldsmith steel 5 µm", narrowest)
        .number("radzimovsky over johnson steel", wider_steel)
        .number("radzimovsky over johnson aluminium", wider_soft)
        .statement(
            "With a clearance of 5 µm the limit load for Johnson's model is 967 N/mm for steel and only 339 N/mm for aluminium.",
            Verdict::when(rounds(steel, 967.0) && rounds(soft, 339.0), Verdict::Unexplained),
            format!("{steel:.2} and {soft:.2} N/mm."),
        )
        .statement(
            "The validity domain of the Radzimovsky model is 46 % to 44 % higher than that of the Johnson model.",
            Verdict::when(rounds(wider_steel, 46.0) && rounds(wider_soft, 44.0), Verdict::Erratum(16)),
            format!(
                "It is {wider_steel:.1} % (steel) and {wider_soft:.1} % (aluminium) higher; Johnson's is {:.1} % and {:.1} % lower.",
                narrower(wider_steel),
                narrower(wider_soft)
            ),
        )
        .statement(
            "The Radzimovsky model is valid while its logarithm is not negative.",
            Verdict::when(growing >= limit(ElasticKind::Radzimovsky, PAPER_STEEL, SMALL)?, Verdict::Erratum(17)),
            format!("At 5 µm its indentation increases only up to {growing:.1} N/mm, not to the limit shown."),
        )
        .statement(
            "The Goldsmith model presents the narrowest validity domain; the domain decreases for soft materials.",
            Verdict::when(
                narrowest < steel && soft < steel && limit(ElasticKind::Goldsmith, ALUMINIUM, SMALL)? < narrowest,
                Verdict::Unexplained,
            ),
            format!("{narrowest:.2} N/mm at 5 µm for R_i = 10 mm, steel."),
        );
    Ok(made)
}

/// Figure 4: Goldsmith's limit for bearings of 1 … 300 mm.
pub(super) fn goldsmith_sizes() -> Result<Made, Error> {
    let sizes = [1.0, 3.0, 10.0, 30.0, 100.0, 300.0];
    let limit = |size: f64, clearance: f64| {
        Pair::of(journal_in(1e-3 * size, clearance)?).published_limit(ElasticKind::Goldsmith)
    };
    let mut figure = Figure::new("", Axis::log("ΔR", "mm"), Axis::log("limit load", "N/mm"))
        .with_size(560.0, 380.0)
        .with_legend(Legend::Right);
    for (i, size) in sizes.into_iter().enumerate() {
        let end = LARGE.min(0.9e-3 * size);
        let points: Result<Vec<(f64, f64)>, Error> = logarithmic_range(SMALL, end, 121)
            .into_iter()
            .map(|clearance| Ok((1e3 * clearance, limit(size, clearance)?)))
            .collect();
        figure = figure
            .with_series(Series::line(format!("R_i = {size} mm"), points?).with_color(i).solid());
    }
    let (small, large) = (limit(1.0, SMALL)?, limit(300.0, SMALL)?);
    // eq. (14), in N/mm for R_i in mm and ΔR in m
    let approximate =
        |size: f64, clearance: f64| 1e-3 * PI * modulus(PAPER_STEEL) * clearance / (size * size);
    let error = |size: f64, clearance: f64| {
        Ok::<f64, Error>(limit(size, clearance)? / approximate(size, clearance) - 1.0)
    };
    let (fine, coarse) = (error(10.0, SMALL)?, error(1.0, 0.5e-3)?);
    let made = Made::figure(vec![figure], 1)
        .remark("Steel, eq. (12) with R = R_i(R_i − ΔR)/ΔR; the lines end where ΔR is nine tenths of R_i.")
        .number("R_i = 1 mm 5 µm", small)
        .number("R_i = 300 mm 5 µm", large)
        .statement(
            "For the same clearance, the limit load varies strongly as a function of R_i; increasing R_i reduces it.",
            Verdict::when(small > 1e3 * large, Verdict::Unexplained),
            format!("At 5 µm {small:.1} N/mm for R_i = 1 mm and {large:.5} N/mm for 300 mm, a ratio of {:.0}.", small / large),
        )
        .statement(
            "If the clearance is very low compared to the radius, R_i − ΔR can be taken as R_i, eq. (13).",
            Verdict::when(fine.abs() < 1e-3, Verdict::Unexplained),
            format!(
                "The limit of eq. (12) is {:.2} % above that of eq. (14) for 5 µm in R_i = 10 mm, but {:.0} % for 0.5 mm in 1 mm, which the \
                 figure shows too.",
                100.0 * fine,
                100.0 * coarse
            ),
        );
    Ok(made)
}
