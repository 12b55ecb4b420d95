//! A journal of 1 kg strikes its fixed bearing at 1 m/s: figure 2 and the restitutions of section 3f.

use jointplay_contact::Material;
use jointplay_contact::Surfaces;
use jointplay_contact::catalog::Inputs;
use jointplay_report::{Axis, Figure, Legend, Series};
use jointplay_study::impact::ImpactResult;

use crate::law::{adhesive, impact, law, numbers, returning};
use crate::printed::Csv;
use crate::table::{Cell, Table};
use crate::{Error, Made, Verdict, law_color};

/// Radii of bearing and journal (m; erratum 19), mass (kg), speed (m/s).
const BEARING: f64 = 10e-3;
const JOURNAL: f64 = 9.5e-3;
const MASS: f64 = 1.0;
const SPEED: f64 = 1.0;

/// Dashpot of the linear law (N s/m), and the stiffness that section 5 prints for it (N/m).
const DASHPOT: f64 = 1e3;
const PRINTED_STIFFNESS: f64 = 1.0549e11;

/// Ends of the printed axes (m, N).
const AXIS_DELTA: f64 = 6e-5;
const AXIS_FORCE: f64 = 2.5e4;

const POINTS: u32 = 300;

fn strike(name: &str, c: f64) -> Result<ImpactResult, Error> {
    let steel = Material { young: 207e9, poisson: 0.3, density: None };
    let surfaces = Surfaces::internal(BEARING, JOURNAL);
    let surfaces = surfaces.map_err(|wrong| Error::Law(wrong.to_string()))?;
    let inputs = Inputs {
        surfaces: Some(surfaces),
        clearance: Some(BEARING - JOURNAL),
        materials: Some([steel, steel]),
        ..Inputs::default()
    };
    impact(&law(name, &returning(c, &inputs))?, MASS, SPEED, POINTS)
}

/// The linear spring and dashpot, which may pull.
fn spring_damper(stiffness: f64) -> Result<ImpactResult, Error> {
    let inputs = numbers(&[("stiffness", stiffness), ("damping", DASHPOT)]);
    impact(&adhesive(law("linear+kelvin-voigt", &inputs)?), MASS, SPEED, POINTS)
}

fn line(label: &str, result: &ImpactResult, id: &str) -> Series {
    let points = result.curve.iter().map(|sample| (1e6 * sample.delta, 1e-3 * sample.force));
    Series::line(label, points).with_color(law_color(id)).solid()
}

/// Figure 2.
pub(super) fn loops() -> Result<Made, Error> {
    let hertz = strike("hertz", 1.0)?;
    // The indentation of Hertz's law: K = m (v/δ)².
    let stiffness = MASS * (SPEED / hertz.max_indentation).powi(2);
    let linear = spring_damper(stiffness)?;
    let as_printed = spring_damper(PRINTED_STIFFNESS)?;
    let [hc9, hc3] = [strike("hertz+hunt-crossley", 0.9)?, strike("hertz+hunt-crossley", 0.3)?];
    let ln = [0.9, 0.3].map(|c| strike("hertz+lankarani-nikravesh", c));
    let hybrid = [0.9, 0.3].map(|c| strike("hybrid", c));
    let ([ln9, ln3], [hy9, hy3]) = (ln, hybrid);
    let (ln9, ln3, hy9, hy3) = (ln9?, ln3?, hy9?, hy3?);
    let frame = |title: &str, low: f64| {
        let delta = Axis::linear("δ", "µm").within(0.0, 1e6 * AXIS_DELTA);
        let force = Axis::linear("F", "kN").within(low, 1e-3 * AXIS_FORCE);
        Figure::new(title, delta, force).with_size(400.0, 300.0).with_legend(Legend::Inside)
    };
    let first = frame("Hertz, linear, Hunt–Crossley", -5.0)
        .with_series(line("Hertz", &hertz, "hertz"))
        .with_series(line("linear spring-damper", &linear, "linear"))
        .with_series(line("H–C, c = 0.9", &hc9, "hunt-crossley"))
        .with_series(line("H–C, c = 0.3", &hc3, "hunt-crossley").dashed());
    let second = frame("Lankarani–Nikravesh, hybrid", 0.0)
        .with_series(line("L–N, c = 0.9", &ln9, "lankarani-nikravesh"))
        .with_series(line("hybrid, c = 0.9", &hy9, "bai-zhao"))
        .with_series(line("L–N, c = 0.3", &ln3, "lankarani-nikravesh").dashed())
        .with_series(line("hybrid, c = 0.3", &hy3, "bai-zhao").dashed());

    let lowest = linear.curve.iter().fold(0.0_f64, |low, s| low.min(s.force));
    let onset = linear.curve.first().map_or(0.0, |s| s.force);
    let shown = [&hertz, &hc9, &hc3, &ln9, &ln3, &hy9, &hy3];
    let deepest = shown.iter().fold(0.0_f64, |most, r| r.max_indentation.max(most));
    let strongest = shown.iter().fold(0.0_f64, |most, r| r.max_force.max(most));
    let fits = deepest < AXIS_DELTA && strongest < AXIS_FORCE;
    // ½mv²(1 − c²).
    let expected = 0.5 * MASS * SPEED * SPEED * (1.0 - 0.3 * 0.3);
    let made = Made::figure(vec![first, second], 2)
        .remark(
            "Journal 9.5 mm (1 kg, 1 m/s) in a fixed bearing of 10 mm, 207 GPa, 0.3: the printed radii are swapped (erratum 19). \
             The hybrid law is read as K_n δ^1.5 without a length (erratum 24). Axes as printed.",
        )
        .remark(format!(
            "The linear law of this figure is not printed. We use the stiffness that gives the same indentation as Hertz's law, \
             {stiffness:.3e} N/m, and the dashpot of section 5, 10³ N s/m."
        ))
        .number("hertz maximum indentation", hertz.max_indentation)
        .number("hertz peak force", hertz.max_force)
        .number("hunt-crossley c = 0.3 peak force", hc3.max_force)
        .number("hybrid c = 0.9 maximum indentation", hy9.max_indentation)
        .number("hybrid c = 0.9 peak force", hy9.max_force)
        .number("hybrid c = 0.3 energy lost", hy3.energy_lost)
        .number("linear as printed peak force", as_printed.max_force)
        .statement(
            "The radii of journal and bearing are 1 cm and 0.95 cm.",
            Verdict::when(JOURNAL > BEARING, Verdict::Erratum(19)),
            format!(
                "Then the clearance R_B − R_J of eq. (1) is {:.1} mm; swapped it is {:.1} mm.",
                1e3 * (JOURNAL - BEARING),
                1e3 * (BEARING - JOURNAL)
            ),
        )
        .statement(
            "Figure 2: the axes end at 6·10⁻⁵ m and 2.5·10⁴ N.",
            Verdict::when(fits, Verdict::Unexplained),
            format!(
                "All nonlinear laws stay within {:.2} µm and {:.2} kN; the hybrid law at c = 0.9 reaches {:.2} µm and {:.2} kN.",
                1e6 * deepest,
                1e-3 * strongest,
                1e6 * hy9.max_indentation,
                1e-3 * hy9.max_force
            ),
        )
        .statement(
            "The linear law has K = 1.0549·10¹¹ N/m and b = 10³ N s/m (section 5).",
            Verdict::when(as_printed.max_force < AXIS_FORCE, Verdict::Erratum(24)),
            format!(
                "In this impact it would reach {:.0} kN, {:.0} times the axis of figure 2a, so the figure uses different constants.",
                1e-3 * as_printed.max_force,
                as_printed.max_force / AXIS_FORCE
            ),
        )
        .statement(
            "Linear spring-damper: the force is discontinuous at the beginning of contact, and a negative force holds the \
             bodies together.",
            Verdict::when(onset > 0.0 && lowest < 0.0, Verdict::Unexplained),
            format!("It starts with {onset:.0} N at δ = 0 and falls to {lowest:.0} N."),
        )
        .statement(
            "Hertz's equivalent coefficient of restitution is one.",
            Verdict::when((hertz.restitution - 1.0).abs() < 1e-9, Verdict::Unexplained),
            format!("1 − e = {:.0e}.", (1.0 - hertz.restitution).abs()),
        )
        .statement(
            "When the restitution is lower, the hybrid law better reflects the large dissipation.",
            Verdict::when(
                (hy3.energy_lost - expected).abs() < (ln3.energy_lost - expected).abs(),
                Verdict::Unexplained,
            ),
            format!(
                "At c = 0.3 an impact should lose {expected:.4} J: hybrid {:.4} J, Lankarani–Nikravesh {:.4} J.",
                hy3.energy_lost, ln3.energy_lost
            ),
        );
    Ok(made)
}

/// The restitutions of section 3f.
pub(super) fn restitution() -> Result<Made, Error> {
    let csv = Csv::read(include_str!("../../published/bai-restitution/data.csv"));
    let laws = [("lankarani-nikravesh", "hertz+lankarani-nikravesh"), ("hybrid", "hybrid")];
    let mut table = Table {
        columns: ["c", "Lankarani–Nikravesh", "hybrid"].map(str::to_owned).to_vec(),
        rows: Vec::new(),
    };
    let mut errors = [0.0_f64; 2];
    let mut made = Made::default();
    for row in &csv.rows {
        let label = csv.cell(row, "c_e");
        let c: f64 = label.parse().map_err(|_| Error::Model(format!("{label} is not a number")))?;
        let mut cells = Vec::new();
        for (error, (column, name)) in errors.iter_mut().zip(laws) {
            let out = strike(name, c)?.restitution;
            *error = error.max((out - c).abs());
            cells.push(Cell::judged(csv.cell(row, column), Some(out), None));
            if c < 1.0 {
                made = made.number(format!("{column} c = {label}"), out);
            }
        }
        table.rows.push((format!("c = {label}"), cells));
    }
    made.table = Some(table);
    Ok(made
        .remark("Output restitution of the impact of figure 2. It depends on the damping factor alone.")
        .statement(
            "The Lankarani–Nikravesh model results in a larger amount of restitution, and the hybrid model has better precision \
             for both lower and higher restitution.",
            Verdict::when(errors[1] < errors[0], Verdict::Unexplained),
            format!(
                "Largest |e_out − c| of the printed inputs: Lankarani–Nikravesh {:.3}, hybrid {:.3}.",
                errors[0], errors[1]
            ),
        ))
}
