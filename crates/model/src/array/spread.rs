//! What names every part of an array, `pin[*]`, or one of them, `pin[2]`, in metrics and names of channels.

use super::index::{number_of, references};
use super::name_of;
use crate::parameters::Parameters;
use crate::user::Complaint;

/// What stands in a metric or a list for every part of an array.
pub(super) const ALL: &str = "*";

/// Where [`ALL`] may stand.
pub(super) const WHERE_ALL: &str =
    "it may stand in `output.channels`, and in metrics inside max(…), min(…) and sum(…)";

/// How many parts the array of a name has; `None` if there is no such array.
type Count<'c> = &'c dyn Fn(&str) -> Option<usize>;

/// How many parts the arrays of a text have of which every part is meant, the least number if they differ.
pub(super) fn every(text: &str, count: Count<'_>) -> Option<usize> {
    let all = references(text, &|name| count(name).is_some());
    let all = all.iter().filter(|reference| reference.index.trim() == ALL);
    all.filter_map(|reference| count(reference.base)).min()
}

/// A metric that no file has, such as that of a study, with the arrays in it written out.
///
/// # Errors
/// An index that is none, or of no part.
pub(crate) fn metric(
    text: &str,
    count: Count<'_>,
    parameters: &Parameters,
) -> Result<String, Complaint> {
    let spread = spread(text, count);
    single(spread.as_deref().unwrap_or(text), count, parameters)
}

/// The channels that a name stands for: `pin[*].ex` for those of all parts.
///
/// # Errors
/// An index that is none, or of no part.
pub(crate) fn channels(
    text: &str,
    count: Count<'_>,
    parameters: &Parameters,
) -> Result<Vec<String>, Complaint> {
    let each = match every(text, count) {
        Some(count) => (1..=count).map(|k| text.replace("[*]", &format!("[{k}]"))).collect(),
        None => vec![text.to_owned()],
    };
    each.iter().map(|name| single(name, count, parameters)).collect()
}

/// The text with the names of the parts in the place of `pin[2]`.
fn single(text: &str, count: Count<'_>, parameters: &Parameters) -> Result<String, Complaint> {
    let mut replaced = String::with_capacity(text.len());
    let mut from = 0;
    for reference in references(text, &|name| count(name).is_some()) {
        let (base, index) = (reference.base, reference.index);
        if index.trim() == ALL {
            let message = format!("`{base}[*]` is every part of an array, but this takes one");
            return Err((message, Some(WHERE_ALL.to_owned())));
        }
        let number = number_of(index, parameters, None)
            .map_err(|wrong| (format!("in the index of `{base}[{index}]`: {wrong}"), None))?;
        let parts = count(base).unwrap_or(0);
        let number = usize::try_from(number).ok().filter(|number| (1..=parts).contains(number));
        let Some(number) = number else {
            let message = format!("`{base}[{index}]`: `{base}` has the parts 1 to {parts}");
            return Err((message, None));
        };
        replaced.push_str(&text[from..reference.span.start]);
        replaced.push_str(&name_of(base, number));
        from = reference.span.end;
    }
    replaced.push_str(&text[from..]);
    Ok(replaced)
}

/// A metric with what stands for every part of an array written out: `max(pin[*].force)` is the maximum of `max(pin[1].force)`, ….
pub(super) fn spread(text: &str, count: Count<'_>) -> Option<String> {
    let mut text = text.to_owned();
    let mut changed = false;
    while let Some(at) = text.find("[*]") {
        let call = enclosing(&text, at)?;
        let argument = &text[call.open + 1..call.close];
        let count = every(argument, count)?;
        let each = |number: usize| argument.replace("[*]", &format!("[{number}]"));
        let written = match call.name(&text) {
            "sum" => (1..=count).map(|k| format!("({})", each(k))).collect::<Vec<_>>().join("+"),
            name @ ("max" | "min") => {
                // A statistic is a number already, a channel has to be reduced first.
                let is_number = is_statistic(argument);
                let one = |k| if is_number { each(k) } else { format!("{name}({})", each(k)) };
                let all: Vec<String> = (1..=count).map(one).collect();
                halved(name, &all)
            }
            _ => return None,
        };
        text.replace_range(call.start..=call.close, &format!("({written})"));
        changed = true;
    }
    changed.then_some(text)
}

/// A function call in a text.
struct Call {
    start: usize,
    open: usize,
    close: usize,
}

impl Call {
    fn name<'t>(&self, text: &'t str) -> &'t str {
        text[self.start..self.open].trim_end()
    }
}

/// The innermost call around a place.
fn enclosing(text: &str, at: usize) -> Option<Call> {
    let depth = |depth: &mut usize, c: char, opens: char, closes: char| {
        if c == closes {
            *depth += 1;
        } else if c == opens {
            *depth = depth.checked_sub(1)?;
        }
        Some(())
    };
    let mut inside = 0;
    let open =
        text[..at].char_indices().rev().find(|(_, c)| depth(&mut inside, *c, '(', ')').is_none());
    let mut inside = 0;
    let close = text[at..].char_indices().find(|(_, c)| depth(&mut inside, *c, ')', '(').is_none());
    let (open, close) = (open?.0, at + close?.0);
    let name = text[..open].trim_end();
    let start = name.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
    let start = start.map_or(0, |at| at + name[at..].chars().next().map_or(0, char::len_utf8));
    Some(Call { start, open, close })
}

/// Whether a text has a statistic of a joint, and not only channels.
fn is_statistic(text: &str) -> bool {
    let word = |c: char| c.is_alphanumeric() || c == '_';
    text.split("[*].").skip(1).any(|rest| {
        let key = &rest[..rest.find(|c| !word(c)).unwrap_or(rest.len())];
        crate::statistic::JointStatistic::ALL.iter().any(|statistic| statistic.key() == key)
    })
}

/// The maximum or minimum of many, nested no deeper than necessary.
fn halved(name: &str, all: &[String]) -> String {
    match all {
        [] => String::new(),
        [one] => one.clone(),
        _ => {
            let (a, b) = all.split_at(all.len() / 2);
            format!("{name}({}, {})", halved(name, a), halved(name, b))
        }
    }
}
