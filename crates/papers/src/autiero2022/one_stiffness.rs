//! One stiffness for both tracks of a curved slot: figure 10.

use jointplay_contact::Material;
use jointplay_contact::catalog::Inputs;
use jointplay_contact::elastic::ElasticModel as _;
use jointplay_report::{Axis, Figure, Series};

use crate::law::law;
use crate::{Error, Made, Verdict, law_color};

/// Figure 10.
pub(super) fn error() -> Result<Made, Error> {
    let materials = [
        ("steel", Material { young: 207e9, poisson: 0.3, density: None }),
        ("aluminium", Material { young: 70e9, poisson: 0.33, density: None }),
    ];
    let laws = [("Johnson", "johnson"), ("Radzimovsky", "radzimovsky")];
    let mut panels = Vec::new();
    let mut worst = 0.0_f64;
    let mut made = Made::default();
    for (material_name, material) in materials {
        // δ (m) under 10 kN/mm for a difference of radii ΔR (m).
        let delta = |id: &str, delta_r: f64| -> Result<f64, Error> {
            let inputs = Inputs {
                clearance: Some(delta_r),
                length: Some(1e-3),
                materials: Some([material, material]),
                ..Inputs::default()
            };
            let none = || Error::Law(format!("{id}: no indentation carries 10 kN/mm"));
            law(id, &inputs)?.elastic.indentation(1e4).ok_or_else(none)
        };
        let axes = (Axis::linear("clearance", "mm"), Axis::linear("error", "%"));
        let mut figure = Figure::new(material_name, axes.0, axes.1).with_size(380.0, 260.0);
        for (name, id) in laws {
            let mut curve = Vec::new();
            for i in 0..=40 {
                let clearance = 0.05 * f64::from(i);
                // Inner track 52 mm, outer 68 mm; a thinner pin leaves the clearance.
                let pin = 8.0 - 0.5 * clearance;
                let [external, internal] = [52.0 + pin, 68.0 - pin].map(|r| delta(id, 1e-3 * r));
                let error = 100.0 * (1.0 - external? / internal?).abs();
                curve.push((clearance, error));
            }
            let end = curve.last().map_or(0.0, |point| point.1);
            worst = worst.max(end);
            made = made.number(format!("{name} {material_name} at 2 mm (%)"), end);
            figure =
                figure.with_series(Series::line(name, curve).with_color(law_color(id)).solid());
        }
        panels.push(figure);
    }
    let made = Made { figure: Made::figure(panels, 2).figure, ..made };
    Ok(made
        .remark(
            "Indentation under 10 kN/mm on the inner track, ΔR = 52 mm + R_p, compared with that on the outer, ΔR = 68 mm − R_p, for a slot of \
             16 mm whose pin leaves the clearance 16 mm − 2R_p. The extent of the printed axis is unknown; we show up to 2 mm.",
        )
        .statement(
            "The error involved in such a simplification is proportional to the clearance; it does not exceed 2 %.",
            Verdict::when(worst < 2.0, Verdict::Unexplained),
            format!(
                "At most {worst:.2} % up to 2 mm; 2 % would need {:.1} mm of clearance, since δ grows only with ln ΔR.",
                2.0 * 2.0 / worst
            ),
        )
        .statement(
            "With a clearance δ, ΔR_ext = ΔR_int + δ.",
            Verdict::when(52.0 + 7.9 > 68.0 - 7.9, Verdict::Erratum(14)),
            "In the slot of the example ΔR_ext = 52 + 7.9 = 59.9 mm and ΔR_int = 68 − 7.9 = 60.1 mm: with clearance the internal one is \
             larger, by 16 mm − 2R_p; table 11 swaps them as well.",
        ))
}
