//! Figures and tables of papers, and the statements about them.

use std::fmt;

use jointplay_report::{FigureError, Page};

/// The kind of an exhibit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExhibitKind {
    /// A figure.
    Figure,
    /// A table.
    Table,
}

/// A figure or table of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Exhibit {
    /// Figure or table.
    pub kind: ExhibitKind,
    /// Its number, `3`, or `2–9` for several tables that are shown as one.
    pub number: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The function that makes it.
    pub make: fn() -> Result<Made, Error>,
}

impl Exhibit {
    /// A figure.
    pub const fn figure(
        number: &'static str,
        title: &'static str,
        make: fn() -> Result<Made, Error>,
    ) -> Self {
        Exhibit { kind: ExhibitKind::Figure, number, title, make }
    }

    /// A table.
    pub const fn table(
        number: &'static str,
        title: &'static str,
        make: fn() -> Result<Made, Error>,
    ) -> Self {
        Exhibit { kind: ExhibitKind::Table, number, title, make }
    }

    /// Its name in texts, such as `figure 3`.
    pub fn name(&self) -> String {
        match self.kind {
            ExhibitKind::Figure => format!("figure {}", self.number),
            ExhibitKind::Table => format!("table {}", self.number),
        }
    }

    /// Its name in folders and links, such as `figure-3`.
    pub fn file_name(&self) -> String {
        self.name().replace([' ', '–'], "-")
    }

    /// Whether it has this number, or a range of numbers with it.
    pub fn has_number(&self, number: &str) -> bool {
        let within = |(first, last): (&str, &str)| {
            let parse = |text: &str| text.parse::<u32>().ok();
            let (first, last) = (parse(first)?, parse(last)?);
            Some((first..=last).contains(&parse(number)?))
        };
        self.number == number || self.number.split_once('–').and_then(within).unwrap_or(false)
    }
}

/// An exhibit as made.
#[derive(Clone, Debug, Default)]
pub struct Made {
    /// Sentences on how it was made: law, data, readings, assumptions.
    pub remarks: Vec<String>,
    /// Our figure, in the layout of the paper.
    pub figure: Option<Page>,
    /// Published numbers and ours.
    pub table: Option<crate::table::Table>,
    /// The statements of the paper about it.
    pub statements: Vec<Statement>,
    /// Numbers that must not drift.
    pub numbers: Vec<Number>,
}

impl Made {
    /// A figure with these panels in rows of `columns`.
    pub fn figure(panels: Vec<jointplay_report::Figure>, columns: usize) -> Self {
        Made { figure: Some(Page { panels, columns }), ..Made::default() }
    }

    /// A table.
    pub fn table(table: crate::table::Table) -> Self {
        Made { table: Some(table), ..Made::default() }
    }

    /// Adds a sentence on how it was made.
    pub fn remark(mut self, remark: impl Into<String>) -> Self {
        self.remarks.push(remark.into());
        self
    }

    /// Adds a statement of the paper with our verdict.
    pub fn statement(
        mut self,
        said: &'static str,
        verdict: Verdict,
        evidence: impl Into<String>,
    ) -> Self {
        self.statements.push(Statement { said, verdict, evidence: evidence.into() });
        self
    }

    /// Adds a number that must not drift.
    pub fn number(mut self, name: impl Into<String>, value: f64) -> Self {
        self.numbers.push(Number { name: name.into(), value });
        self
    }
}

/// A number that must not drift, by name.
#[derive(Clone, Debug, PartialEq)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Its value, in SI units.
    pub value: f64,
}

/// A statement of a paper, and our finding.
#[derive(Clone, Debug)]
pub struct Statement {
    /// In the words of the paper, shortened.
    pub said: &'static str,
    /// Our verdict.
    pub verdict: Verdict,
    /// The numbers behind it.
    pub evidence: String,
}

/// The verdict on a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It holds.
    Confirmed,
    /// It does not hold, and this erratum explains the print.
    Erratum(u8),
    /// It cannot be reproduced with the printed data; the evidence says why.
    NotReproducible,
    /// It does not hold, and nothing explains it.
    Unexplained,
}

impl Verdict {
    /// `Confirmed` if it holds, else the other.
    pub fn when(holds: bool, otherwise: Verdict) -> Self {
        if holds { Verdict::Confirmed } else { otherwise }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Confirmed => f.write_str("confirmed"),
            Verdict::Erratum(number) => write!(f, "erratum {number}"),
            Verdict::NotReproducible => f.write_str("not reproducible"),
            Verdict::Unexplained => f.write_str("unexplained"),
        }
    }
}

/// The reason why an exhibit could not be made or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A law could not be built.
    #[error("a law cannot be built: {0}")]
    Law(String),
    /// An impact or a run failed.
    #[error("{0}")]
    Run(String),
    /// A model of the product is wrong.
    #[error("{0}")]
    Model(String),
    /// A figure cannot be drawn.
    #[error("cannot draw a figure")]
    Figure(#[from] FigureError),
    /// A file cannot be written.
    #[error("{file}")]
    File {
        /// The file.
        file: String,
        /// The reason.
        source: std::io::Error,
    },
    /// The user interrupted it.
    #[error("interrupted")]
    Interrupted,
}
