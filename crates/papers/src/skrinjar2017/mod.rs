//! Skrinjar, Slavič, Boltežar 2017: a pin in a slot, modelled and measured.

mod figures;
mod joints;

use crate::table::{Cell, Table};
use crate::{Error, Exhibit, Made, Paper, Verdict};

/// The paper.
pub(crate) const PAPER: Paper = Paper {
    id: "skrinjar2017",
    letter: 'P',
    citation: "L. Skrinjar, J. Slavič, M. Boltežar, A validated model for a pin-slot clearance joint, Nonlinear Dynamics 88 \
               (2017) 131–143",
    about: "A T-shaped body on a fixed pin: a slot with clearance, a bore with clearance and an ideal joint, and five contact laws \
            in the slot.",
    exhibits,
};

fn exhibits() -> Vec<Exhibit> {
    vec![
        Exhibit::table("1", "Masses and inertias", masses),
        Exhibit::table("2", "Geometry", geometry),
        Exhibit::table("3", "Parameters of the simulation", parameters),
        Exhibit::figure("7", "Force on the body in x", figures::push),
        Exhibit::figure("8", "Contact force on the pin in x, pin in a slot", figures::slot_x),
        Exhibit::figure("9", "Contact force on the pin in y, pin in a slot", figures::slot_y),
        Exhibit::figure("10", "Contact force on the pin in x with three joints", figures::joints_x),
        Exhibit::figure("11", "Contact force on the pin in y with three joints", figures::joints_y),
        Exhibit::figure("12", "Contact force on the pin in x with five laws", figures::laws_x),
        Exhibit::figure("13", "Contact force on the pin in y with five laws", figures::laws_y),
    ]
}

/// A table of input data.
fn given(columns: &[&str], rows: &[&[&str]]) -> Made {
    let row = |row: &&[&str]| {
        let cells = row[1..].iter().map(|cell| Cell::given(*cell)).collect();
        (row[0].to_owned(), cells)
    };
    Made::table(Table {
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        rows: rows.iter().map(row).collect(),
    })
}

/// Table 1.
#[expect(clippy::unnecessary_wraps, reason = "every exhibit may fail")]
fn masses() -> Result<Made, Error> {
    let rows: [&[&str]; 4] = [
        &["m₀ (kg)", "32.54e-3", "32.74e-3", "32.74e-3"],
        &["J₀ (kg m²)", "20.94e-6", "21.40e-6", "21.40e-6"],
        &["m₁ (kg)", "1e-3", "1e-3", "1e-3"],
        &["J₁ (kg m²)", "1e-6", "1e-6", "1e-6"],
    ];
    Ok(given(&["property", "PSCJ", "RCJ", "IRJ"], &rows).remark(
        "Input data. PSCJ is the pin in a slot, RCJ the pin in a bore, both with clearance; IRJ is an ideal revolute joint. Body 1, the \
         pin, is fixed, so its mass has no effect.",
    ))
}

/// Table 2.
#[expect(clippy::unnecessary_wraps, reason = "every exhibit may fail")]
fn geometry() -> Result<Made, Error> {
    let rows: [&[&str]; 7] = [
        &["bore radius", "–", "2.5", "–"],
        &["pin radius", "2.45", "2.45", "–"],
        &["slot length L", "2", "–", "–"],
        &["slot height h", "5", "–", "–"],
        &["P on body 0", "(−49, 0.0765)", "(−49, 0.076)", "(−49, 0.076)"],
        &["R on body 0", "(−47, 0.0765)", "–", "–"],
        &["P on body 1", "(0, 0)", "(0, 0)", "(0, 0)"],
    ];
    let as_printed = 2.45 - 2.5;
    Ok(given(&["(mm)", "PSCJ", "RCJ", "IRJ"], &rows)
        .remark("Input data. The clearance is 0.05 mm on the flats and on the arcs.")
        .statement(
            "Eq. (19): δ = c − e with the clearance c = R_j − R_i, i the slot and j the pin.",
            Verdict::when(as_printed > 0.0, Verdict::Erratum(20)),
            format!(
                "With these radii c = {as_printed:.2} mm is negative; δ = e − (R_i − R_j) is meant."
            ),
        ))
}

/// Table 3.
#[expect(clippy::unnecessary_wraps, reason = "every exhibit may fail")]
fn parameters() -> Result<Made, Error> {
    let rows: [&[&str]; 12] = [
        &["width of the contact W (m)", "0.08"],
        &["restitution c_r", "0.4"],
        &["friction µ_k", "0.51"],
        &["Young's modulus (GPa)", "69"],
        &["Poisson's ratio", "0.35"],
        &["integration", "RKF45"],
        &["Baumgarte α, β", "5, 5"],
        &["H_max (s)", "1e-4"],
        &["H_min (s)", "1e-12"],
        &["H_contact (s)", "1e-5"],
        &["end (s)", "6e-2"],
        &["δ₀ (m)", "1e-6"],
    ];
    // kg/m³ of aluminium; area (mm²) of a plate of 32.54 g.
    let area = |width: f64| 1e6 * 32.54e-3 / (2700.0 * width);
    Ok(given(&["parameter", "value"], &rows)
        .remark(
            "Input data. Our integrator locates the contacts and controls its error, so steps, Baumgarte's constants and δ₀ are not \
             needed. Not printed: the amplitude of the force and its point, spring, gravity, start. Assumed: 1.6 N at (0, 10) mm; \
             100 N/m with 0.8 N of tension from (20, 0) mm on the body to (29, 0) mm on the ground; no gravity; at rest with P on the pin.",
        )
        .statement(
            "Width of the slot (contact) W = 0.08 m.",
            Verdict::when(area(0.08) > 49.0 * 5.0, Verdict::Erratum(26)),
            format!(
                "An aluminium plate of 32.54 g and 80 mm would have {:.0} mm², less than an arm 49 mm long and 5 mm high; with 8 mm it \
                 has {:.0} mm². The printed value is kept in Johnson's law.",
                area(0.08),
                area(0.008)
            ),
        ))
}
