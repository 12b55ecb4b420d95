//! Skrinjar, Slavič, Boltežar 2018: the review of continuous contact-force models.

mod cylinders;
mod data;
mod impacts;
mod readings;
mod spheres;
mod sweep;
mod table_1;
mod table_2;
mod table_4;

use crate::{Exhibit, Paper, law_color};

/// The paper.
pub(crate) const PAPER: Paper = Paper {
    id: "skrinjar2018",
    letter: 'S',
    citation: "L. Skrinjar, J. Slavič, M. Boltežar, A review of continuous contact-force models in multibody dynamics, \
               International Journal of Mechanical Sciences 145 (2018) 171–187",
    about: "Point-contact laws on two colliding spheres, cylinder laws on a pin in a bore.",
    exhibits,
};

fn exhibits() -> Vec<Exhibit> {
    vec![
        Exhibit::table("1", "Contact-force models of point contact", table_1::laws),
        Exhibit::figure(
            "2",
            "Damping factor against the coefficient of restitution",
            sweep::damping_factors,
        ),
        Exhibit::figure("3", "Force against indentation of two spheres", spheres::loops),
        Exhibit::figure("4", "Relative normal velocity against indentation", spheres::speeds),
        Exhibit::figure("5", "Force during the contact", spheres::forces),
        Exhibit::figure("6", "Velocities of the two spheres", spheres::spheres),
        Exhibit::figure("7", "Mechanical energy during the contact", spheres::energy),
        Exhibit::table("2", "Output restitution of the laws", table_2::restitutions),
        Exhibit::table("2 corrected", "Output restitution of the laws, exact", table_2::corrected),
        Exhibit::figure(
            "8",
            "Loss of mechanical energy against the coefficient of restitution",
            sweep::energy_loss,
        ),
        Exhibit::figure("9", "Contact time relative to Hertz", sweep::contact_time),
        Exhibit::table("3", "Constants of the law of Pereira et al.", data::pereira_constants),
        Exhibit::table("4", "Cylindrical contact-force models", table_4::laws),
        Exhibit::table("5", "Data of the pin in the bore", data::pin_in_bore),
        Exhibit::figure(
            "12",
            "Force against indentation, pin in a bore, no dissipation",
            cylinders::loops,
        ),
        Exhibit::figure(
            "13",
            "Force during the contact, pin in a bore, no dissipation",
            cylinders::times,
        ),
        Exhibit::figure(
            "14",
            "Force against indentation, pin in a bore, with dissipation",
            cylinders::damped_loops,
        ),
        Exhibit::figure(
            "15",
            "Force during the contact, pin in a bore, with dissipation",
            cylinders::damped_times,
        ),
        Exhibit::figure("16", "Relative error of the output restitution", sweep::relative_error),
    ]
}

/// The colour of a law under its id in the catalogue.
fn color(id: &str) -> usize {
    law_color(match id {
        "gonthier-approx" => "gonthier",
        "goldsmith-printed" => "goldsmith",
        "dubowsky-freudenstein-printed" => "dubowsky-freudenstein",
        "esdu-78035" | "esdu-78035-printed" => "esdu",
        other => other,
    })
}
