//! Published tables cell by cell: the printed number, ours, and the verdict.

use std::collections::BTreeMap;
use std::fmt;

use crate::printed::Printed;

/// The verdict on a printed number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// Our number rounds to the printed digits.
    Reproduced,
    /// Our number, truncated to the printed digits, equals the printed one.
    Cut,
    /// The correction of these errata predicts the printed digits.
    Erratum(&'static [u8]),
    /// Neither.
    Unexplained,
    /// Input data or text: nothing to compute.
    Given,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reproduced => f.write_str("reproduced"),
            Self::Cut => f.write_str("reproduced, truncated"),
            Self::Erratum([one]) => write!(f, "erratum {one}"),
            Self::Erratum(several) => {
                let names: Vec<_> = several.iter().map(u8::to_string).collect();
                write!(f, "errata {}", names.join(", "))
            }
            Self::Unexplained => f.write_str("unexplained"),
            Self::Given => f.write_str("given"),
        }
    }
}

/// The number that errata predict for a printed one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// Their numbers.
    pub errata: &'static [u8],
    /// Their prediction.
    pub value: f64,
}

/// One cell of a published table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// As printed; empty where the paper prints nothing.
    pub printed: String,
    /// The result of the law of the catalogue.
    pub ours: Option<f64>,
    /// The prediction of an erratum.
    pub rule: Option<Rule>,
    /// The verdict.
    pub judgement: Judgement,
}

impl Cell {
    /// Judges a printed number: the law first, then the rule of an erratum.
    pub fn judged(printed: &str, ours: Option<f64>, rule: Option<Rule>) -> Self {
        let print = Printed::parse(printed);
        let rounds = |value: f64| print.is_some_and(|print| print.rounds_from(value));
        let cut = |value: f64| print.is_some_and(|print| print.is_cut_of(value));
        let judgement = match (ours, rule) {
            (Some(value), _) if rounds(value) => Judgement::Reproduced,
            (Some(value), _) if cut(value) => Judgement::Cut,
            (_, Some(rule)) if rounds(rule.value) || cut(rule.value) => {
                Judgement::Erratum(rule.errata)
            }
            _ => Judgement::Unexplained,
        };
        Cell { printed: printed.to_owned(), ours, rule, judgement }
    }

    /// Input data or text.
    pub fn given(printed: impl Into<String>) -> Self {
        Cell { printed: printed.into(), ours: None, rule: None, judgement: Judgement::Given }
    }

    /// A number of ours where the paper prints nothing.
    pub fn added(ours: f64) -> Self {
        Cell { printed: String::new(), ours: Some(ours), rule: None, judgement: Judgement::Given }
    }

    /// A number with two more digits than the printed one.
    pub fn shown(&self, value: f64) -> String {
        let (mantissa, exponent) = self.printed.split_once('e').unwrap_or((&self.printed, ""));
        let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.len()) + 2;
        match exponent.parse::<i32>() {
            Ok(power) => format!("{:.decimals$}e{exponent}", value / 10f64.powi(power)),
            Err(_) if self.printed.is_empty() => format!("{value:.4}"),
            Err(_) => format!("{value:.decimals$}"),
        }
    }

    /// Printed minus ours, over ours.
    pub fn difference(&self) -> Option<f64> {
        let printed = Printed::parse(&self.printed)?.value;
        self.ours.filter(|ours| *ours != 0.0).map(|ours| printed / ours - 1.0)
    }
}

/// A published table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// Heads of the columns, the first over the labels of the rows.
    pub columns: Vec<String>,
    /// Label and cells of each row.
    pub rows: Vec<(String, Vec<Cell>)>,
}

impl Table {
    /// All cells.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.rows.iter().flat_map(|(_, cells)| cells)
    }

    /// Number of printed cells by judgement.
    pub fn counts(&self) -> BTreeMap<Judgement, usize> {
        let mut counts = BTreeMap::new();
        for cell in self.cells().filter(|cell| !cell.printed.is_empty()) {
            *counts.entry(cell.judgement).or_insert(0) += 1;
        }
        counts
    }
}

/// `8 reproduced · 9 erratum 2`.
pub fn in_words<K: fmt::Display>(counts: &BTreeMap<K, usize>) -> String {
    let words: Vec<_> = counts.iter().map(|(verdict, n)| format!("{n} {verdict}")).collect();
    words.join(" · ")
}
