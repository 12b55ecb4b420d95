//! Tables 3 and 5: constants of Pereira's law and data of the pin in the bore, recovered.

use std::f64::consts::PI;

use jointplay_contact::catalog::Inputs;
use jointplay_contact::{Surfaces, equivalent_modulus};

use super::cylinders::{PUBLISHED, Pin};
use crate::law::law;
use crate::printed::Csv;
use crate::table::{Cell, Table};
use crate::{Error, Made, Verdict};

/// ΔR (mm); infinite on a flat.
fn millimetres(surfaces: &Surfaces) -> f64 {
    surfaces.delta_r().map_or(f64::INFINITY, |delta_r| 1e3 * delta_r)
}

/// K ΔR/E* per length and n of Pereira's law, in mm, N, MPa.
fn pereira(pin: &Pin, surfaces: Surfaces) -> Result<(f64, f64), Error> {
    let inputs = Inputs {
        surfaces: Some(surfaces),
        length: Some(pin.length),
        materials: Some([pin.material; 2]),
        ..Inputs::default()
    };
    let built = law("pereira", &inputs)?;
    let power = built.elastic.as_power();
    let power = power.ok_or_else(|| Error::Law("pereira is not a power law".to_owned()))?;
    let modulus = 1e-6 * equivalent_modulus(&pin.material, &pin.material);
    let per_length = power.stiffness * 1e-3_f64.powf(power.exponent) / (1e3 * pin.length);
    Ok((per_length * millimetres(&surfaces) / modulus, power.exponent))
}

/// a and b of aΔR + b from two clearances (m), and n of the first.
fn constants(pin: &Pin, surfaces: [Surfaces; 2]) -> Result<(f64, f64, f64), Error> {
    let [x, y] = surfaces.map(|s| millimetres(&s));
    let [first, second] = surfaces.map(|s| pereira(pin, s));
    let ((p, n), (q, _)) = (first?, second?);
    let a = (q - p) / (y - x);
    Ok((a, p - a * x, n))
}

/// Table 3.
pub(super) fn pereira_constants() -> Result<Made, Error> {
    let pin = Pin::published()?;
    let wrong = |e: jointplay_contact::GeometryError| Error::Law(e.to_string());
    let inside = |clearance: f64| Surfaces::internal(5e-3, 5e-3 - clearance).map_err(wrong);
    let outside = |radius: f64| Surfaces::from_radii(radius, 2e-3).map_err(wrong);
    let internal = constants(&pin, [inside(0.25e-3)?, inside(0.5e-3)?])?;
    let external = constants(&pin, [outside(3e-3)?, outside(6e-3)?])?;
    // Both branches of Y, eq. (48), where they meet.
    let [below, above] = [0.349_54e-3 * (1.0 - 1e-9), 0.349_54e-3 * (1.0 + 1e-9)];
    let (below, above) = (pereira(&pin, inside(below)?)?.1, pereira(&pin, inside(above)?)?.1);
    let y = above / 0.349_54_f64.powf(-0.005);
    let judged = |printed: &str, ours: f64| Cell::judged(printed, Some(ours), None);
    let rows = vec![
        ("a".to_owned(), vec![judged("0.965", internal.0), judged("0.39", external.0)]),
        ("b".to_owned(), vec![judged("0.0965", internal.1), judged("0.85", external.1)]),
        ("n".to_owned(), vec![Cell::given("YΔR^−0.005"), judged("1.094", external.2)]),
    ];
    let columns = ["", "internal contact", "external contact"].map(str::to_owned).to_vec();
    Ok(Made::table(Table { columns, rows })
        .remark(
            "Recovered from the law of the catalogue: K ΔR/(E* L) at two clearances gives a and b. In mm, N, MPa.",
        )
        .number("n at 0.25 mm", internal.2)
        .number("Y at 0.34954 mm", y)
        .statement(
            "Y = 1.51 ln(1000ΔR)^−0.151 up to ΔR = 0.34954 mm and 0.0151ΔR + 1.151 beyond, eq. (48).",
            Verdict::when((below - above).abs() < 1e-4, Verdict::NotReproducible),
            format!("The branches meet: n = {below:.6} and {above:.6} at the common end; n = {:.4} for the pin of table 5.", internal.2),
        ))
}

/// Table 5.
pub(super) fn pin_in_bore() -> Result<Made, Error> {
    let pin = Pin::published()?;
    let csv = Csv::read(PUBLISHED);
    // a round pin, and a square block with a round bore, of steel
    let (density, side) = (7800.0, 20e-3);
    let round = |r: f64| (density * PI * r * r * pin.length, 0.5 * r * r);
    let (shaft, shaft_arm) = round(pin.journal);
    let (cut, cut_arm) = round(pin.bore);
    let square = density * side * side * pin.length;
    let block = (square - cut, square * side * side / 6.0 - cut * cut_arm);
    let mut rows = Vec::new();
    for row in &csv.rows {
        let [parameter, unit, i, j] = ["parameter", "unit", "i", "j"].map(|c| csv.cell(row, c));
        let ours = match parameter {
            "mass" => Some((block.0, shaft)),
            "inertia" => Some((block.1, shaft * shaft_arm)),
            _ => None,
        };
        let cells = match ours {
            Some((of_i, of_j)) => {
                vec![Cell::judged(i, Some(of_i), None), Cell::judged(j, Some(of_j), None)]
            }
            None => vec![Cell::given(i), Cell::given(j)],
        };
        rows.push((format!("{parameter} ({unit})"), cells));
    }
    let columns = ["", "i (bore)", "j (pin)"].map(str::to_owned).to_vec();
    Ok(Made::table(Table { columns, rows })
        .remark(
            "Input data. The masses and inertias are those of the pin and of a square block of 20 mm with this bore, 15 mm long, at \
             7800 kg/m³, which the paper does not say.",
        )
        .number("block mass (kg)", block.0)
        .number("block inertia (kg m²)", block.1))
}
