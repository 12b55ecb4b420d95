//! Autiero, Cera, Cirelli, Pennestrì, Valentini 2022: contact forces in slotted joints.

mod figures;
mod fits;
mod one_stiffness;
mod tables;
mod yoke;

use crate::{Exhibit, Paper};

/// The paper.
pub(crate) const PAPER: Paper = Paper {
    id: "autiero2022",
    letter: 'A',
    citation: "M. Autiero, M. Cera, M. Cirelli, E. Pennestrì, P. P. Valentini, Review with Analytical-Numerical Comparison of \
               Contact Force Models for Slotted Joints in Machines, Machines 10 (11) (2022) 966",
    about: "Cylinder laws replaced by fitted power laws, damping laws, and a scotch yoke whose pin runs in a curved slot.",
    exhibits,
};

fn exhibits() -> Vec<Exhibit> {
    vec![
        Exhibit::table("1", "Cylindrical contact-force models", tables::formulas),
        Exhibit::table("2", "Power law for Radzimovsky's law, steel", fits::radzimovsky_steel),
        Exhibit::table(
            "3",
            "Power law for Radzimovsky's law, aluminium",
            fits::radzimovsky_aluminium,
        ),
        Exhibit::table("4", "Power law for Johnson's law, steel", fits::johnson_steel),
        Exhibit::table("5", "Power law for Johnson's law, aluminium", fits::johnson_aluminium),
        Exhibit::table("6", "Power law for Goldsmith's law, steel", fits::goldsmith_steel),
        Exhibit::table("7", "Power law for Goldsmith's law, aluminium", fits::goldsmith_aluminium),
        Exhibit::table("8", "Power law for ESDU 78035, steel", fits::esdu_steel),
        Exhibit::table("9", "Power law for ESDU 78035, aluminium", fits::esdu_aluminium),
        Exhibit::table("11", "Stiffnesses on the tracks of the scotch yoke", tables::tracks),
        Exhibit::figure("10", "Error of one stiffness for both tracks", one_stiffness::error),
        Exhibit::figure("11", "Contact force with five parameter sets", figures::force),
        Exhibit::figure("12", "Indentation with five parameter sets", figures::penetration),
        Exhibit::figure("13", "Detail of the indentation", figures::penetration_detail),
        Exhibit::figure("14", "Detail of the contact force", figures::force_detail),
        Exhibit::figure("15", "Hysteresis of one impact", figures::hysteresis),
        Exhibit::figure("16", "Motion of the slotted slider", figures::kinematics),
    ]
}
