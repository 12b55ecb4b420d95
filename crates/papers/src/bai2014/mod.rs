//! Bai, Chen, Sun 2014: contact laws in a slider-crank with a clearance joint.

mod crank;
mod impact;

use crate::table::{Cell, Table};
use crate::{Error, Exhibit, Made, Paper};

/// The paper.
pub(crate) const PAPER: Paper = Paper {
    id: "bai2014",
    letter: 'B',
    citation: "Z. F. Bai, J. Chen, Y. Sun, Effects of contact force model on dynamics characteristics of mechanical system with \
               revolute clearance joints, Iranian Journal of Science and Technology, Transactions of Mechanical Engineering \
               (2014) 375–388",
    about: "Five contact laws in the impact of a journal on its bearing, and in the joint between rod and slider of a \
            slider-crank mechanism.",
    exhibits,
};

fn exhibits() -> Vec<Exhibit> {
    vec![
        Exhibit::table("1", "Lengths, masses and inertias of the mechanism", bodies),
        Exhibit::table("2", "Data of the simulation", data),
        Exhibit::figure(
            "2",
            "Force against indentation of a journal in its bearing",
            impact::loops,
        ),
        Exhibit::table("3f", "Output restitution, printed in section 3f", impact::restitution),
        Exhibit::figure("4", "Acceleration of the slider with five laws", crank::acceleration),
        Exhibit::figure("5", "Force in the clearance joint with five laws", crank::force),
        Exhibit::figure("6", "Moment on the crank with five laws", crank::moment),
    ]
}

/// A table of input data.
fn given(columns: &[&str], rows: &[(&str, &[&str])]) -> Table {
    let row = |(label, cells): &(&str, &[&str])| {
        ((*label).to_owned(), cells.iter().map(|cell| Cell::given(*cell)).collect())
    };
    Table {
        columns: columns.iter().map(|name| (*name).to_owned()).collect(),
        rows: rows.iter().map(row).collect(),
    }
}

/// Table 1.
#[expect(clippy::unnecessary_wraps, reason = "every exhibit may fail")]
fn bodies() -> Result<Made, Error> {
    let rows: [(&str, &[&str]); 3] = [
        ("crank", &["0.05", "17.900", "0.460327"]),
        ("connecting rod", &["0.3", "1.130", "0.015300"]),
        ("sliding block", &["–", "1.013", "0.000772"]),
    ];
    let columns = ["body", "length (m)", "mass (kg)", "inertia (kg m²)"];
    Ok(Made::table(given(&columns, &rows)).remark(
        "Input data. The crank turns at a given speed, so its mass and inertia do not enter anything that the paper shows. Not \
         printed: the position of the rod's centre of mass (we assume half its length) and gravity (we assume none).",
    ))
}

/// Table 2.
#[expect(clippy::unnecessary_wraps, reason = "every exhibit may fail")]
fn data() -> Result<Made, Error> {
    let rows: [(&str, &[&str]); 4] = [
        ("restitution", &["0.46"]),
        ("dynamic friction", &["0.01"]),
        ("Young's modulus (GPa)", &["207"]),
        ("Poisson's ratio", &["0.3"]),
    ];
    Ok(Made::table(given(&["parameter", "value"], &rows)).remark(
        "Input data. Not printed: the radii (we assume journal 10 mm, bearing 10.25 mm), static friction (we assume 0.015) and the two \
         critical speeds of the friction law (we assume 1 mm/s and 10 mm/s).",
    ))
}
