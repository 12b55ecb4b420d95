//! What a name that does not exist may have been meant to be.

use std::fmt;

/// Existing names to suggest for one that does not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Suggestion {
    /// The nearest name.
    Near(String),
    /// No name is similar; these are all of them.
    Known(Vec<String>),
}

impl Suggestion {
    /// For this name among these; `None` if there are none, or too many to compare.
    pub(crate) fn of<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let names: Vec<&str> = names.into_iter().collect();
        if name.len() > 200 || names.len() > 2000 {
            return None;
        }
        let wanted = name.to_lowercase().replace(['_', ' '], "-");
        let score = |candidate: &str| {
            let candidate = candidate.to_lowercase().replace('_', "-");
            // One typing error in a short name, or similarity of long ones.
            let slip = wanted.len() >= 3 && strsim::osa_distance(&wanted, &candidate) <= 1;
            let likeness = strsim::jaro_winkler(&wanted, &candidate);
            if slip { likeness.max(0.95) } else { likeness }
        };
        let best = names
            .iter()
            .map(|candidate| (score(candidate), *candidate))
            .max_by(|a, b| a.0.total_cmp(&b.0))
            .filter(|(score, _)| *score > 0.75);
        match best {
            Some((_, near)) => Some(Suggestion::Near(near.to_owned())),
            None if names.is_empty() => None,
            None => {
                let mut once: Vec<String> = Vec::new();
                for name in names {
                    if !once.iter().any(|known| known == name) {
                        once.push(name.to_owned());
                    }
                }
                Some(Suggestion::Known(once))
            }
        }
    }

    /// Only the nearest name, for a message that lists all of them itself.
    pub(crate) fn near(self) -> Option<Self> {
        matches!(self, Suggestion::Near(_)).then_some(self)
    }
}

impl fmt::Display for Suggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Suggestion::Near(name) => write!(f, "did you mean `{name}`?"),
            Suggestion::Known(names) => {
                let list: Vec<String> = names.iter().take(30).map(|n| format!("`{n}`")).collect();
                let more = if names.len() > 30 { ", …" } else { "" };
                write!(f, "there is {}{more}", list.join(", "))
            }
        }
    }
}

/// The same in words.
pub(crate) fn did_you_mean<'a>(
    name: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    Suggestion::of(name, names).map(|suggestion| suggestion.to_string())
}
