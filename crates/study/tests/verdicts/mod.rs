//! Published tables entry by entry: what is printed, what the laws give, and the verdict.

pub(crate) mod fits;
pub(crate) mod limits;
pub(crate) mod restitution;

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use crate::golden::Printed;

/// What an entry turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
    /// Our number rounds to the printed digits.
    Reproduced,
    /// Our number becomes the printed digits when the rest is cut off.
    Cut,
    /// The rule of these errata predicts the printed digits.
    Erratum(&'static [u8]),
    /// Neither.
    Unexplained,
    /// Input data: nothing to compute.
    Given,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reproduced => f.write_str("reproduced"),
            Self::Cut => f.write_str("reproduced, cut"),
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

/// The number that an erratum predicts for a printed entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) errata: &'static [u8],
    pub(crate) value: f64,
}

/// One entry of a published table.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    pub(crate) place: String,
    pub(crate) printed: String,
    pub(crate) ours: Option<f64>,
    pub(crate) rule: Option<Rule>,
    pub(crate) verdict: Verdict,
}

impl Entry {
    /// Judges a printed number: the law first, then the rule of an erratum.
    pub(crate) fn judged(
        place: String,
        printed: &str,
        ours: Option<f64>,
        rule: Option<Rule>,
    ) -> Self {
        let print = Printed::parse(printed);
        let rounds = |value: f64| print.within(value, 0.5);
        let verdict = match (ours, rule) {
            (Some(value), _) if rounds(value) => Verdict::Reproduced,
            (Some(value), _) if print.is_cut_of(value) => Verdict::Cut,
            (_, Some(rule)) if rounds(rule.value) || print.is_cut_of(rule.value) => {
                Verdict::Erratum(rule.errata)
            }
            _ => Verdict::Unexplained,
        };
        Self { place, printed: printed.to_owned(), ours, rule, verdict }
    }

    pub(crate) fn given(place: String, printed: &str) -> Self {
        Self { place, printed: printed.to_owned(), ours: None, rule: None, verdict: Verdict::Given }
    }

    /// A number with two digits more than the print has.
    fn shown(&self, value: f64) -> String {
        let (mantissa, exponent) = self.printed.split_once('e').unwrap_or((&self.printed, ""));
        let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.len()) + 2;
        if exponent.is_empty() {
            format!("{value:.decimals$}")
        } else {
            let scale = 10f64.powi(exponent.parse().unwrap());
            format!("{:.decimals$}e{exponent}", value / scale)
        }
    }

    fn line(&self) -> String {
        let show = |value: Option<f64>| value.map_or("–".into(), |v| self.shown(v));
        let rule = show(self.rule.map(|r| r.value));
        format!(
            "| {} | {} | {} | {rule} | {} |",
            self.place,
            self.printed,
            show(self.ours),
            self.verdict
        )
    }
}

/// One published table.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) source: &'static str,
    /// How the two computed columns are made.
    pub(crate) remark: &'static str,
    pub(crate) entries: Vec<Entry>,
}

/// Number of entries by verdict, in the order of [`Verdict`].
pub(crate) fn count<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> BTreeMap<Verdict, usize> {
    let mut counts = BTreeMap::new();
    for entry in entries {
        *counts.entry(entry.verdict).or_insert(0) += 1;
    }
    counts
}

/// `8 reproduced · 9 erratum 2`.
pub(crate) fn in_words(counts: &BTreeMap<Verdict, usize>) -> String {
    let words: Vec<_> = counts.iter().map(|(verdict, n)| format!("{n} {verdict}")).collect();
    words.join(" · ")
}

const HEAD: &str = "\
# Published tables, entry by entry

Every number of the tables that the papers print, beside the number that Jointplay computes. This
page is written by a test (`cargo test -p jointplay-study --test published`; with `JOINTPLAY_BLESS=1`
it is written anew), so it cannot drift from the code. The errata are those of [errata.md](errata.md).

- *reproduced*: our number rounds to the printed digits;
- *reproduced, cut*: our number becomes the printed digits when the rest is cut off;
- *erratum N*: our number differs, and the rule of that erratum predicts the printed digits;
- *unexplained*: neither; a misprint without a rule is counted here too;
- *given*: input data, nothing to compute.

The column *ours* is the law of the catalogue, the column *rule* what the erratum predicts. A dash
means that there is no such number.
";

/// The page `docs/published-tables.md`.
pub(crate) fn page(tables: &[Table]) -> String {
    let mut page = String::from(HEAD);
    let all: Vec<&Entry> = tables.iter().flat_map(|t| &t.entries).collect();
    page.push_str("\n| table | entries | verdicts |\n|---|---|---|\n");
    for table in tables {
        writeln!(
            page,
            "| {} | {} | {} |",
            table.name,
            table.entries.len(),
            in_words(&count(&table.entries))
        )
        .unwrap();
    }
    writeln!(page, "| all | {} | {} |", all.len(), in_words(&count(all.iter().copied()))).unwrap();
    for table in tables {
        writeln!(page, "\n## {}\n\n{}. {}.\n", table.name, table.source, table.remark).unwrap();
        page.push_str("| entry | printed | ours | rule | verdict |\n|---|---|---|---|---|\n");
        for entry in &table.entries {
            writeln!(page, "{}", entry.line()).unwrap();
        }
    }
    page
}
