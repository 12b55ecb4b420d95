//! The papers on contact forces in clearance joints, reproduced and assessed.
//!
//! A [`Paper`] has [`Exhibit`]s: its figures and tables. Each is made only from the laws and the
//! engine, and comes with its data, with the printed numbers and ours, and with the statements of
//! the paper and our [`Verdict`]. [`write()`] makes a browsable page of each paper.
//!
//! The source contains all printed tables and statements that are needed; nothing is read at run
//! time.

mod autiero2022;
mod bai2014;
mod color;
mod contour;
mod cylinder;
mod exhibit;
mod law;
mod machine;
mod page;
mod pereira2011;
mod printed;
mod skrinjar2017;
mod skrinjar2018;
pub mod table;
mod write;

pub use color::law_color;
pub use exhibit::{Error, Exhibit, ExhibitKind, Made, Number, Statement, Verdict};
pub use write::{Chosen, Written, write};

/// A paper.
#[derive(Clone, Copy, Debug)]
pub struct Paper {
    /// Its name on the command line and in folders.
    pub id: &'static str,
    /// Its letter in the list of errata.
    pub letter: char,
    /// Authors, title, journal, year.
    pub citation: &'static str,
    /// Its subject, in a sentence or two.
    pub about: &'static str,
    /// Its figures and tables, in their order.
    pub exhibits: fn() -> Vec<Exhibit>,
}

/// All papers.
pub const PAPERS: [Paper; 5] = [
    skrinjar2018::PAPER,
    autiero2022::PAPER,
    bai2014::PAPER,
    skrinjar2017::PAPER,
    pereira2011::PAPER,
];

/// The paper of this name.
pub fn find(id: &str) -> Option<&'static Paper> {
    PAPERS.iter().find(|paper| paper.id.eq_ignore_ascii_case(id))
}
