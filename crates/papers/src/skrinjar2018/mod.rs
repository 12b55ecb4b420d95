//! Skrinjar, Slavič, Boltežar 2018: the review of continuous contact-force models.

mod spheres;

use crate::{Exhibit, Paper};

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
    vec![Exhibit::figure("3", "Force against indentation of two spheres", spheres::loops)]
}
