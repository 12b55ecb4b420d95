//! Figures 13–15: force against indentation of a bearing with a length.

use jointplay_contact::catalog::ElasticKind;
use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_report::{Axis, Figure, Legend, Series};

use crate::cylinder::{PAPER_STEEL, Pair, goldsmith, journal_in};
use crate::{Error, Made, Verdict, law_color};

/// Radius of the bearing (m): R/L = 1 for a length of 10 mm.
const BEARING: f64 = 10e-3;

/// The laws of a bearing.
struct Laws {
    johnson: ElasticLaw,
    radzimovsky: ElasticLaw,
    /// In millimetres, as the catalogue has it, and in metres (erratum 28).
    goldsmith: [ElasticLaw; 2],
    /// Without and with the printed π (erratum 18).
    lankarani: [ElasticLaw; 2],
}

impl Laws {
    fn new(clearance: f64, length: f64) -> Result<Self, Error> {
        let surfaces = journal_in(BEARING, clearance)?;
        let pair = Pair { length, ..Pair::of(surfaces) };
        let lankarani = |pi| {
            let kind = ElasticKind::LankaraniNikraveshCylinder;
            pair.law_with(kind, &[("exponent", 1.5), ("pi", pi)])
        };
        Ok(Laws {
            johnson: pair.law(ElasticKind::Johnson)?,
            radzimovsky: pair.law(ElasticKind::Radzimovsky)?,
            goldsmith: [
                pair.law(ElasticKind::Goldsmith)?,
                goldsmith(1e6, PAPER_STEEL, surfaces.relative_radius(), length),
            ],
            lankarani: [lankarani(0.0)?, lankarani(1.0)?],
        })
    }
}

/// Indentations (m) up to the end of a law, or `end`.
fn deltas(law: &ElasticLaw, end: f64) -> Vec<f64> {
    let end = law.limits().delta.map_or(end, |limit| end.min(limit));
    (1..=120).map(|i| end * f64::from(i) / 120.0).collect()
}

/// Force (kN) against indentation (µm).
fn curve(law: &ElasticLaw, end: f64) -> Vec<(f64, f64)> {
    let point = |delta: f64| (1e6 * delta, 1e-3 * law.force(delta));
    std::iter::once((0.0, 0.0)).chain(deltas(law, end).into_iter().map(point)).collect()
}

fn figure(title: &str, laws: &Laws, end: f64) -> Figure {
    let line =
        |label: &str, law, id: &str| Series::line(label, curve(law, end)).with_color(law_color(id));
    Figure::new(title, Axis::linear("indentation", "µm"), Axis::linear("F", "kN"))
        .with_size(520.0, 360.0)
        .with_legend(Legend::Right)
        .with_series(line("Johnson", &laws.johnson, "johnson").solid())
        .with_series(line("Radzimovsky", &laws.radzimovsky, "radzimovsky").solid())
        .with_series(line("Goldsmith in mm, to its end", &laws.goldsmith[0], "goldsmith").solid())
        .with_series(line("Goldsmith in m", &laws.goldsmith[1], "goldsmith").dashed())
        .with_series(
            line("Lankarani–Nikravesh", &laws.lankarani[0], "lankarani-nikravesh-cylinder").solid(),
        )
        .with_series(
            line("… with the printed π", &laws.lankarani[1], "lankarani-nikravesh-cylinder")
                .dashed(),
        )
}

/// Whether a law is softer than the others at all indentations of a figure.
fn softest(law: &ElasticLaw, others: [&ElasticLaw; 2], end: f64) -> bool {
    deltas(law, end).iter().all(|d| others.iter().all(|other| law.force(*d) < other.force(*d)))
}

/// The common statements of figures 13 and 14.
fn forces(clearance: f64, end: f64) -> Result<(Made, Laws), Error> {
    let laws = Laws::new(clearance, 10e-3)?;
    let others = [&laws.johnson, &laws.radzimovsky];
    let (in_mm, in_m) =
        (softest(&laws.goldsmith[0], others, end), softest(&laws.goldsmith[1], others, end));
    let limit = laws.goldsmith[0].limits().delta.unwrap_or(f64::NAN);
    let probe = 0.5 * limit.min(end);
    let mid = 0.5 * end;
    let apart = |d: f64| 100.0 * (laws.radzimovsky.force(d) / laws.johnson.force(d) - 1.0);
    // Closer to Johnson's than any other law at every indentation.
    let close = deltas(&laws.johnson, end).iter().all(|d| {
        let off = |law: &ElasticLaw| (law.force(*d) / laws.johnson.force(*d) - 1.0).abs();
        off(&laws.radzimovsky) < off(&laws.goldsmith[1])
            && off(&laws.radzimovsky) < off(&laws.lankarani[0])
    });
    let made = Made::figure(vec![figure("", &laws, end)], 1)
        .remark(
            "Steel, L = 10 mm, R_i = 10 mm (R/L = 1). We chose the range of indentations. Goldsmith's law has a dimension in its logarithm \
             (erratum 28): it is drawn in millimetres up to its end, and in metres.",
        )
        .number("johnson at half the range", laws.johnson.force(mid))
        .number("lankarani at half the range", laws.lankarani[0].force(mid))
        .number("goldsmith end", limit)
        .statement(
            "All cylindrical models but Goldsmith's exhibit a similar behaviour, with small differences for higher penetrations.",
            Verdict::when(close && apart(mid).abs() < apart(0.95 * end).abs(), Verdict::Unexplained),
            format!(
                "Radzimovsky's force is {:.1} % off Johnson's at {:.1} µm and {:.1} % at {:.1} µm, closer than any other law at every indentation.",
                apart(mid),
                1e6 * mid,
                apart(0.95 * end),
                0.95e6 * end
            ),
        )
        .statement(
            "The Goldsmith model has the smallest contact force for all penetration values.",
            Verdict::when(in_mm, if in_m { Verdict::Erratum(28) } else { Verdict::Unexplained }),
            format!(
                "In millimetres, as in figure 6 and the tables, it is the stiffest: {:.0} N against {:.0} N of Johnson at {:.3} µm, and it \
                 ends at {:.3} µm. In metres it is softer than the other two everywhere, {:.0} N against {:.0} N at {:.1} µm: figures 6 and \
                 13–14 are in different units.",
                laws.goldsmith[0].force(probe),
                laws.johnson.force(probe),
                1e6 * probe,
                1e6 * limit,
                laws.goldsmith[1].force(mid),
                laws.johnson.force(mid),
                1e6 * mid
            ),
        );
    Ok((made, laws))
}

/// Relative difference of Lankarani–Nikravesh to Johnson at an indentation (m), in per cent.
fn off(laws: &Laws, pi: usize, delta: f64) -> f64 {
    100.0 * (laws.lankarani[pi].force(delta) / laws.johnson.force(delta) - 1.0)
}

/// Figure 13.
pub(super) fn wide() -> Result<Made, Error> {
    let end = 20e-6;
    let (made, laws) = forces(0.5e-3, end)?;
    let below = deltas(&laws.johnson, end).iter().all(|d| off(&laws, 0, *d) < 0.0);
    // where the law with π reaches Johnson's
    let crossing = deltas(&laws.johnson, end).into_iter().find(|d| off(&laws, 1, *d) >= 0.0);
    let deep = deltas(&laws.johnson, 1.0).iter().map(|d| off(&laws, 0, *d)).fold(-100.0, f64::max);
    Ok(made
        .statement(
            "For the same penetration, smaller contact forces are achieved with the Lankarani and Nikravesh model.",
            Verdict::when(below, Verdict::Unexplained),
            format!(
                "{:.1} % at 1 µm, {:.1} % at 20 µm without the π.",
                off(&laws, 0, 1e-6),
                off(&laws, 0, end)
            ),
        )
        .statement(
            "For very high penetration values, identical contact forces are observed for both.",
            Verdict::when(deep > -1.0, if crossing.is_some() { Verdict::Erratum(18) } else { Verdict::Unexplained }),
            format!(
                "The law of Hertz never comes closer than {deep:.1} %. With the printed π the two are equal at {:.1} µm and beyond that the sphere \
                 is stiffer.",
                1e6 * crossing.unwrap_or(f64::NAN)
            ),
        ))
}

/// Figure 14.
pub(super) fn narrow() -> Result<Made, Error> {
    let (made, laws) = forces(0.02e-3, 8e-6)?;
    let wide = Laws::new(0.5e-3, 10e-3)?;
    let gap = |laws: &Laws, d: f64| laws.johnson.force(d) - laws.lankarani[0].force(d);
    let between = |laws: &Laws, d: f64| (laws.radzimovsky.force(d) - laws.johnson.force(d)).abs();
    let d = 5e-6;
    let larger = gap(&laws, d) > gap(&wide, d) && between(&laws, d) > between(&wide, d);
    Ok(made.statement(
        "The discrepancy is larger for small clearances, especially between cylindrical and spherical models.",
        Verdict::when(larger, Verdict::Unexplained),
        format!(
            "As a force, at 5 µm: {:.0} N between Lankarani–Nikravesh and Johnson against {:.0} N for 0.5 mm, {:.0} N against {:.0} N between \
             Radzimovsky and Johnson. As a fraction of Johnson's force the sphere is closer: {:.1} % against {:.1} %.",
            gap(&laws, d),
            gap(&wide, d),
            between(&laws, d),
            between(&wide, d),
            off(&laws, 0, d),
            off(&wide, 0, d)
        ),
    ))
}

/// Figure 15.
pub(super) fn lengths() -> Result<Made, Error> {
    let end = 8e-6;
    let (short, long) = (Laws::new(0.02e-3, 10e-3)?, Laws::new(0.02e-3, 20e-3)?);
    let color = law_color;
    let axis = || Axis::linear("indentation", "µm");
    let johnson = |laws: &Laws, label| {
        Series::line(label, curve(&laws.johnson, end)).with_color(color("johnson"))
    };
    let lankarani = "lankarani-nikravesh-cylinder";
    let force = Figure::new("Force", axis(), Axis::linear("F", "kN"))
        .with_size(400.0, 300.0)
        .with_series(johnson(&short, "Johnson, R/L = 1").solid())
        .with_series(johnson(&long, "Johnson, R/L = 0.5").dashed())
        .with_series(
            Series::line("Lankarani–Nikravesh", curve(&short.lankarani[0], end))
                .with_color(color(lankarani))
                .solid(),
        );
    // from a nanometre on: the difference tends to 100 % at zero
    let deep: Vec<f64> =
        (0..=160).map(|i| 1e-9 * (end / 1e-9).powf(f64::from(i) / 160.0)).collect();
    let share = |laws: &Laws, pi: usize| -> Vec<(f64, f64)> {
        deep.iter().map(|d| (1e6 * d, off(laws, pi, *d).abs())).collect()
    };
    let relative = Figure::new(
        "Difference of Lankarani–Nikravesh from Johnson",
        Axis::log("indentation", "µm"),
        Axis::linear("|F/F_Johnson − 1|", "%").within(0.0, 100.0),
    )
    .with_size(400.0, 300.0)
    .with_series(Series::line("R/L = 1", share(&short, 0)).with_color(color(lankarani)).solid())
    .with_series(Series::line("R/L = 0.5", share(&long, 0)).with_color(color(lankarani)).dashed());
    let least =
        |laws: &Laws, pi: usize| share(laws, pi).iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let (least_short, least_long) = (least(&short, 0), least(&long, 0));
    // the indentation where the short one differs by 90 %
    let delta =
        deep.iter().rev().find(|d| off(&short, 0, **d).abs() >= 90.0).copied().unwrap_or(f64::NAN);
    let same_delta = off(&long, 0, delta).abs();
    let d = 5e-6;
    let ratio = long.johnson.force(d) / short.johnson.force(d);
    let unmoved = long.lankarani[0].force(d) / short.lankarani[0].force(d);
    let near = |ours: f64, printed: f64| (ours - printed).abs() <= 1.0;
    let made = Made::figure(vec![force, relative], 2)
        .remark("Steel, ΔR = 0.02 mm, R_i = 10 mm, L = 10 and 20 mm. Lankarani–Nikravesh without the π of eq. (9).")
        .number("least difference R/L = 1", least_short)
        .number("least difference R/L = 0.5", least_long)
        .statement(
            "The contact force increases with the axial length; the spherical model does not account for it.",
            Verdict::when((ratio - 2.0).abs() < 1e-9 && (unmoved - 1.0).abs() < 1e-12, Verdict::Unexplained),
            format!("At 5 µm twice the length gives {ratio:.4} times Johnson's force and {unmoved:.4} times that of the sphere."),
        )
        .statement(
            "Relative differences range from 90 % to 40 % for 10 mm and from 95 % to 70 % for 20 mm; the maximum corresponds to the \
             smallest penetration.",
            Verdict::when(near(least_short, 40.0) && near(least_long, 70.0) && near(same_delta, 95.0), Verdict::Unexplained),
            format!(
                "Smallest {least_short:.1} % and {least_long:.1} %; at {:.3} µm, where 10 mm differs by 90 %, 20 mm differs by {same_delta:.1} %. \
                 With the π of eq. (9) they would be within {:.0} % and {:.0} % somewhere: this figure was made without it, figure 7 with it \
                 (erratum 18).",
                1e6 * delta,
                least(&short, 1),
                least(&long, 1)
            ),
        );
    Ok(made)
}
