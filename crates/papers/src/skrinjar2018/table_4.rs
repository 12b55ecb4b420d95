//! Table 4: the cylinder laws, their printed formulas evaluated literally and compared with the
//! catalogue.

use std::f64::consts::PI;

use jointplay_contact::elastic::{ElasticLaw, ElasticModel};
use jointplay_contact::equivalent_modulus;

use super::cylinders::Pin;
use super::readings::literal_radzimovsky;
use crate::table::{Cell, Judgement, Rule, Table};
use crate::{Error, Made, Verdict};

/// Load (N/m) and indentation (m) at which the laws are compared.
const LOAD: f64 = 100e3;
const DELTA: f64 = 1e-6;

/// A printed formula in N, mm, MPa: h_i + h_j, E*, R_i, R_j, ΔR, R, L.
struct Symbols {
    h: f64,
    e: f64,
    r_i: f64,
    r_j: f64,
    delta_r: f64,
    r: f64,
    l: f64,
}

impl Symbols {
    fn of(pin: &Pin) -> Self {
        let Pin { bore, journal, length, material, .. } = pin;
        let h = 2.0 * (1.0 - material.poisson.powi(2)) / (1e-6 * material.young);
        let (r_i, r_j) = (1e3 * bore, 1e3 * journal);
        let delta_r = r_i - r_j;
        let (e, r, l) = (1.0 / h, r_i * r_j / delta_r, 1e3 * length);
        Symbols { h, e, r_i, r_j, delta_r, r, l }
    }
}

/// The printed form of a law: indentation (mm) as a function of load (N/mm), or the other way
/// round.
enum Formula {
    Delta(fn(&Symbols, f64) -> f64),
    Load(fn(&Symbols, f64) -> f64),
}

struct Row {
    id: &'static str,
    name: &'static str,
    text: &'static str,
    formula: Formula,
}

/// The rows of the table; eq. (33), (36), (37) and (39), (42)–(48) of the paper.
const ROWS: [Row; 10] = [
    Row {
        id: "hertz-cylinder",
        name: "Hertz",
        text: "δ = 2f/(πE*) (ln(πE*ΔR/f) − 1)",
        formula: Formula::Delta(|s, f| {
            2.0 * f / (PI * s.e) * ((PI * s.e * s.delta_r / f).ln() - 1.0)
        }),
    },
    Row {
        id: "radzimovsky",
        name: "Radzimovsky",
        text: "δ = f/(πE*) (2/3 + ln(4R_i/b) + ln(4R_j/b)), b = 2.15√(fR/E*)",
        formula: Formula::Delta(|s, f| {
            let b = 2.15 * (f * s.r / s.e).sqrt();
            f / (PI * s.e) * (2.0 / 3.0 + (4.0 * s.r_i / b).ln() + (4.0 * s.r_j / b).ln())
        }),
    },
    Row {
        id: "goldsmith",
        name: "Goldsmith",
        text: "δ = F h/L (ln(Lᵐ/(F R h)) + 1), m = 1",
        formula: Formula::Delta(|s, f| {
            let force = f * s.l;
            force * s.h / s.l * ((s.l / (force * s.r * s.h)).ln() + 1.0)
        }),
    },
    Row {
        id: "dubowsky-freudenstein",
        name: "Dubowsky–Freudenstein",
        text: "δ = F h/L (ln(Lᵐ(R_i − R_j)/(F R_i R_j h)) + 1), m = 3",
        formula: Formula::Delta(|s, f| {
            let force = f * s.l;
            let inside = s.l.powi(3) * (s.r_i - s.r_j) / (force * s.r_i * s.r_j * s.h);
            force * s.h / s.l * (inside.ln() + 1.0)
        }),
    },
    Row {
        id: "lankarani-nikravesh-cylinder",
        name: "Lankarani–Nikravesh",
        text: "δ = (3F/(4E*√R))^(1/n), n = 1.5",
        formula: Formula::Delta(|s, f| (0.75 * f * s.l / (s.e * s.r.sqrt())).powf(1.0 / 1.5)),
    },
    Row {
        id: "esdu-78035",
        name: "ESDU 78035",
        text: "δ = F h/L (ln(4L(R_i − R_j)/(F h)) + 1)",
        formula: Formula::Delta(|s, f| {
            let force = f * s.l;
            force * s.h / s.l * ((4.0 * s.l * (s.r_i - s.r_j) / (force * s.h)).ln() + 1.0)
        }),
    },
    Row {
        id: "johnson",
        name: "Johnson",
        text: "δ = f/(πE*) (ln(4πE*ΔR/f) − 1)",
        formula: Formula::Delta(|s, f| {
            f / (PI * s.e) * ((4.0 * PI * s.e * s.delta_r / f).ln() - 1.0)
        }),
    },
    Row {
        id: "liu",
        name: "Liu et al.",
        text: "F = ½πδE*√(δ/(2(ΔR + δ)))",
        formula: Formula::Load(|s, d| 0.5 * PI * d * s.e * (d / (2.0 * (s.delta_r + d))).sqrt()),
    },
    Row {
        id: "pereira",
        name: "Pereira et al.",
        text: "F = (aΔR + b)LE*/ΔR δⁿ, a = 0.965, b = 0.0965",
        formula: Formula::Load(|s, d| {
            let y = 1.51 * (1000.0 * s.delta_r).ln().powf(-0.151);
            let n = y * s.delta_r.powf(-0.005);
            (0.965 * s.delta_r + 0.0965) * s.e / s.delta_r * d.powf(n)
        }),
    },
    Row {
        id: "persson",
        name: "Persson",
        text: "F = E*ΔRπ(b² + 1)b²/(2(ΔR + δ)), b = tan(ε/2), ε = arccos(ΔR/(ΔR + δ))",
        formula: Formula::Load(|s, d| {
            let b2 = half_angle_squared(s, d);
            s.e * s.delta_r * PI * (b2 + 1.0) * b2 / (2.0 * (s.delta_r + d))
        }),
    },
];

/// b² = tan²(ε/2) with cos ε = ΔR/(ΔR + δ).
fn half_angle_squared(s: &Symbols, delta: f64) -> f64 {
    delta / (2.0 * s.delta_r + delta)
}

/// The prediction of an erratum for the printed formula: µm at [`LOAD`], or N/mm at [`DELTA`].
fn rule(pin: &Pin, s: &Symbols, id: &str, ours: f64) -> Result<Option<Rule>, Error> {
    let delta = |law: &ElasticLaw| law.indentation(LOAD * pin.length).map(|d| 1e6 * d);
    let of_print =
        |name: &str| -> Result<Option<f64>, Error> { Ok(delta(&pin.law(name, 1.0)?.elastic)) };
    let (errata, value): (&'static [u8], Option<f64>) = match id {
        "radzimovsky" => {
            let modulus = equivalent_modulus(&pin.material, &pin.material);
            (&[10], literal_radzimovsky(modulus, pin.clearance(), LOAD).map(|d| 1e6 * d))
        }
        "goldsmith" => (&[11], of_print("goldsmith-printed")?),
        "dubowsky-freudenstein" => (&[11], of_print("dubowsky-freudenstein-printed")?),
        "esdu-78035" => (&[11], of_print("esdu-78035-printed")?),
        "persson" => {
            // the consistent load with the print's denominator 2(ΔR + δ) in mm and E* for 2E*
            let b2 = half_angle_squared(s, 1e3 * DELTA);
            let consistent = 2.0 - b2.ln_1p() - 2.0 * b2 * b2;
            (&[9], Some(ours * consistent / (4.0 * (s.delta_r + 1e3 * DELTA))))
        }
        _ => (&[], None),
    };
    Ok(value.map(|value| Rule { errata, value }))
}

/// Table 4.
pub(super) fn laws() -> Result<Made, Error> {
    let pin = Pin::published()?;
    let s = Symbols::of(&pin);
    let (mut rows, mut numbers) = (Vec::new(), Vec::new());
    for Row { id, name, text, formula } in ROWS {
        let law = pin.law(id, 1.0)?.elastic;
        let delta = law.indentation(LOAD * pin.length).map_or(f64::NAN, |d| 1e6 * d);
        let load = 1e-3 * law.force(DELTA) / pin.length;
        let (delta_cell, load_cell) = match formula {
            Formula::Delta(f) => {
                let printed = format!("{:.4}", 1e3 * f(&s, 1e-3 * LOAD));
                (Cell::judged(&printed, Some(delta), rule(&pin, &s, id, delta)?), Cell::added(load))
            }
            Formula::Load(f) => {
                let printed = format!("{:.4}", f(&s, 1e3 * DELTA));
                (Cell::added(delta), Cell::judged(&printed, Some(load), rule(&pin, &s, id, load)?))
            }
        };
        numbers.push((format!("{name} indentation at 100 N/mm (µm)"), delta));
        numbers.push((format!("{name} load at 1 µm (N/mm)"), load));
        let wrong = [&delta_cell, &load_cell].into_iter().find_map(|cell| match cell.judgement {
            Judgement::Erratum(_) => Some(cell.judgement.to_string()),
            Judgement::Reproduced | Judgement::Cut | Judgement::Unexplained | Judgement::Given => {
                None
            }
        });
        let cells = vec![
            Cell::given(text),
            delta_cell,
            load_cell,
            Cell::given(id),
            Cell::given(wrong.unwrap_or_else(|| "–".to_owned())),
        ];
        rows.push((name.to_owned(), cells));
    }
    let columns =
        ["law", "printed", "δ at 100 N/mm (µm)", "f at 1 µm (N/mm)", "catalogue", "erratum"];
    let table = Table { columns: columns.map(str::to_owned).to_vec(), rows };
    let made = Made::table(table).remark(
        "The printed formulas, evaluated literally in N, mm, MPa for the pin of table 5 (h = h_i + h_j, E* = 115.4 GPa, ΔR = 0.25 mm), \
         beside the law of the catalogue. An erratum is accepted only if its own reading gives the literal number. Persson's formula as \
         printed is not a force per length; its value is for mm.",
    );
    // eq. (42) in mm and, literally, in m
    let goldsmith = |s: &Symbols, unit: f64| {
        let (force, h) = (1e-3 * LOAD * s.l, s.h * unit * unit);
        let (l, r) = (s.l * unit, s.r * unit);
        1e6 * force * h / l * ((l / (force * r * h)).ln() + 1.0)
    };
    let (in_mm, in_m) = (1e-3 * goldsmith(&s, 1.0), goldsmith(&s, 1e-3));
    let made = made.statement(
        "Goldsmith: in the case when m = 1, eq. (42) guarantees the compliance of the units.",
        Verdict::when((in_mm / in_m - 1.0).abs() < 1e-9, Verdict::Erratum(28)),
        format!(
            "With m = 1 the argument of the logarithm is the inverse square of a length: the same 100 N/mm gives an indentation of {in_mm:.2} µm if \
             evaluated in mm and {in_m:.2} µm in m. With m = 3, as in eq. (43), it is a pure number."
        ),
    );
    Ok(numbers.into_iter().fold(made, |made, (name, value)| made.number(name, value)))
}
