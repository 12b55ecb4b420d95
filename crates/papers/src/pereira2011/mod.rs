//! Pereira, Ramalho, Ambrósio 2011: cylinder laws, their limits and their differences.

mod domain;
mod inside;
mod length;
mod limits;
mod maps;
mod outside;

use crate::{Exhibit, Paper};

/// The paper.
pub(crate) const PAPER: Paper = Paper {
    id: "pereira2011",
    letter: 'C',
    citation: "C. M. Pereira, A. L. Ramalho, J. A. Ambrósio, A critical overview of internal and external cylinder contact force \
               models, Nonlinear Dynamics 63 (4) (2011) 681–697",
    about: "Where the logarithmic cylinder laws end, and how far they are from Johnson's, in internal and external contact.",
    exhibits,
};

fn exhibits() -> Vec<Exhibit> {
    vec![
        Exhibit::figure("2", "Johnson's law beyond its end, ΔR = 5 µm", domain::johnson_at_5_um),
        Exhibit::figure("3", "Limit loads of three laws", domain::limits),
        Exhibit::figure(
            "4",
            "Limit load of Goldsmith's law for bearings of many sizes",
            domain::goldsmith_sizes,
        ),
        Exhibit::figure("5", "Radzimovsky against Johnson inside a bearing", inside::radzimovsky),
        Exhibit::figure("6", "Goldsmith against Johnson inside a bearing", inside::goldsmith),
        Exhibit::figure(
            "7",
            "Lankarani–Nikravesh, n = 1.5, against Johnson inside a bearing",
            inside::lankarani,
        ),
        Exhibit::figure(
            "8",
            "Lankarani–Nikravesh, n = 1, against Johnson inside a bearing",
            inside::lankarani_linear,
        ),
        Exhibit::figure(
            "9",
            "Radzimovsky against Johnson, external cylinders",
            outside::radzimovsky,
        ),
        Exhibit::figure("10", "Goldsmith against Johnson, external cylinders", outside::goldsmith),
        Exhibit::figure(
            "11",
            "Lankarani–Nikravesh, n = 1.5, against Johnson, external cylinders",
            outside::lankarani_spheres,
        ),
        Exhibit::figure(
            "12",
            "Lankarani–Nikravesh, n = 1, against Johnson, external cylinders",
            outside::lankarani_linear,
        ),
        Exhibit::figure("13", "Force against indentation, clearance 0.5 mm", length::wide),
        Exhibit::figure("14", "Force against indentation, clearance 0.02 mm", length::narrow),
        Exhibit::figure("15", "Influence of the length, clearance 0.02 mm", length::lengths),
        Exhibit::table("1", "Limit loads of journal bearings", limits::bearings),
        Exhibit::table("2", "Limit loads of roller chains", limits::chains),
    ]
}
