//! What runs of a study warn of.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The warnings of one run. Clones share them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Warned(Option<Arc<[String]>>);

impl Warned {
    /// These warnings.
    pub fn of(warnings: Vec<String>) -> Self {
        Warned(Some(warnings).filter(|all| !all.is_empty()).map(Arc::from))
    }

    /// Their number.
    pub fn len(&self) -> usize {
        self.messages().len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// What they say.
    pub fn messages(&self) -> &[String] {
        self.0.as_deref().unwrap_or_default()
    }
}

impl Serialize for Warned {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.messages().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Warned {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::deserialize(deserializer).map(Warned::of)
    }
}

/// A warning of a study: of some of its runs, or of the study itself.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StudyWarning {
    /// What it is; where numbers in it differ from run to run, those of the first.
    pub message: String,
    /// How many runs warn of it; `None` if it concerns the study itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runs: Option<usize>,
    /// The first of these runs: its row in the table, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first: Option<usize>,
}

impl StudyWarning {
    /// Of the study itself.
    pub(crate) fn of_study(message: impl Into<String>) -> Self {
        StudyWarning { message: message.into(), runs: None, first: None }
    }

    /// Of the rows of a table, in their order: each kind once, the one that comes first first.
    pub(crate) fn of_rows<'w>(rows: impl IntoIterator<Item = &'w Warned>) -> Vec<Self> {
        let mut kinds = WarningKinds::default();
        for (row, warned) in rows.into_iter().enumerate() {
            kinds.add(row, warned);
        }
        kinds.found(|row| row)
    }
}

/// The kinds of warnings of many runs, which may come in any order.
#[derive(Clone, Debug, Default)]
pub(crate) struct WarningKinds(HashMap<String, Kind>);

#[derive(Clone, Debug)]
struct Kind {
    /// The message of the first run.
    message: String,
    /// The first run, and the place among its warnings.
    first: (usize, usize),
    /// The run that was counted last.
    last: usize,
    runs: usize,
}

impl WarningKinds {
    /// The warnings of a run, each run once.
    pub(crate) fn add(&mut self, run: usize, warned: &Warned) {
        for (place, message) in warned.messages().iter().enumerate() {
            let first = (run, place);
            let new = || Kind { message: message.clone(), first, last: run, runs: 1 };
            let known = self.0.entry(kind(message)).or_insert_with(new);
            // A run with the same warning twice counts once.
            known.runs += usize::from(known.last != run);
            known.last = run;
            if first < known.first {
                known.first = first;
                known.message.clone_from(message);
            }
        }
    }

    /// Each kind once, the one that comes first first; `before` is the number of rows in the table before that of a run.
    pub(crate) fn found(&self, before: impl Fn(usize) -> usize) -> Vec<StudyWarning> {
        let mut kinds: Vec<&Kind> = self.0.values().collect();
        kinds.sort_by_key(|kind| kind.first);
        let warning = |kind: &Kind| StudyWarning {
            message: kind.message.clone(),
            runs: Some(kind.runs),
            first: Some(before(kind.first.0) + 1),
        };
        kinds.into_iter().map(warning).collect()
    }
}

/// The first warning of each kind.
pub(crate) fn each_kind_once(mut warnings: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    warnings.retain(|warning| seen.insert(kind(warning)));
    warnings
}

/// A warning without its numbers, by which those of different runs are the same.
fn kind(message: &str) -> String {
    let word = |word: &str| {
        let is_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.')
            && word.contains(|c: char| c.is_ascii_digit());
        if is_number { "#".to_owned() } else { word.to_owned() }
    };
    // Units and names keep their digits: they do not begin with one.
    let trimmed = |text: &str| word(text.trim_matches(['(', ')', ',', ';', ':']));
    message.split_whitespace().map(trimmed).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_warnings_of_one_kind_are_counted_together() {
        let rows = [
            vec![],
            vec!["pin: deeper than 1.5e-3 m (limit 1e-3)".to_owned(), "pin2: slow".to_owned()],
            vec!["pin: deeper than 2.5e-3 m (limit 1e-3)".to_owned()],
        ];
        let rows = rows.map(Warned::of);
        let found = StudyWarning::of_rows(&rows);
        let short = |w: &StudyWarning| (w.message.clone(), w.runs, w.first);
        let found: Vec<_> = found.iter().map(short).collect();
        let deeper = "pin: deeper than 1.5e-3 m (limit 1e-3)".to_owned();
        assert_eq!(found[0], (deeper, Some(2), Some(2)));
        assert_eq!(found[1], ("pin2: slow".to_owned(), Some(1), Some(2)));
        let text = serde_json::to_string(&rows[1]).expect("text");
        assert_eq!(serde_json::from_str::<Warned>(&text).expect("read"), rows[1]);
        assert!(Warned::of(Vec::new()).is_empty());
    }
}
