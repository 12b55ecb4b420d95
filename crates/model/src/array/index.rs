//! The index of an array in texts: in formulas as the name `i`, in names of parts as `link[i-1]`.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::INDEX;
use crate::parameters::{Computed, Parameters};
use crate::units::Dimension;

/// A text with the number of the part in the place of the name `i`.
pub(super) fn with_number(text: &str, number: usize) -> Cow<'_, str> {
    let word = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '°');
    let mut replaced = String::new();
    let mut from = 0;
    for (at, _) in text.match_indices(INDEX) {
        let before = text[..at].chars().next_back();
        let after = text[at + INDEX.len()..].chars().next();
        if before.is_some_and(word) || after.is_some_and(|c| word(c) || c == '(') {
            continue;
        }
        replaced.push_str(&text[from..at]);
        // Parentheses, so that a unit or an exponent behind the name does not become one of the number.
        let _ = write!(replaced, "({number})");
        from = at + INDEX.len();
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    replaced.push_str(&text[from..]);
    Cow::Owned(replaced)
}

/// The number that an index is; an error says what it is instead.
pub(super) fn number_of(
    index: &str,
    parameters: &Parameters,
    number: Option<usize>,
) -> Result<i64, String> {
    let index = index.trim();
    if let Ok(plain) = index.parse() {
        return Ok(plain);
    }
    let text = number.map_or(Cow::Borrowed(index), |number| with_number(index, number));
    let computed = Computed::of(&text, parameters).map_err(|wrong| wrong.to_string())?;
    let (value, _) = computed.as_one_of(&[Dimension::Number]).map_err(|wrong| wrong.message)?;
    if value.fract() == 0.0 && value.abs() < 1e15 {
        #[expect(clippy::cast_possible_truncation, reason = "checked")]
        return Ok(value as i64);
    }
    Err(format!("it is {value}, not a whole number"))
}

/// A place in a text where a part of an array is named: `link[i-1]`.
pub(super) struct Reference<'t> {
    /// The bytes of the whole.
    pub(super) span: std::ops::Range<usize>,
    pub(super) base: &'t str,
    pub(super) index: &'t str,
}

/// Every place in a text where a part of one of these arrays is named.
pub(super) fn references<'t>(text: &'t str, is_array: &dyn Fn(&str) -> bool) -> Vec<Reference<'t>> {
    let mut found = Vec::new();
    for (open, _) in text.match_indices('[') {
        let Some(length) = text[open..].find(']') else { break };
        let part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        let start = text[..open].rfind(|c| !part(c));
        let start = start.map_or(0, |at| at + text[at..].chars().next().map_or(0, char::len_utf8));
        // A `-` may belong to a name, or subtract what has the name behind it.
        let name = &text[start..open];
        let starts = name.match_indices('-').map(|(at, _)| start + at + 1);
        let Some(start) =
            std::iter::once(start).chain(starts).find(|at| is_array(&text[*at..open]))
        else {
            continue;
        };
        let (base, index) = (&text[start..open], &text[open + 1..open + length]);
        found.push(Reference { span: start..open + length + 1, base, index });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{references, with_number};

    #[test]
    fn exact_the_index_is_replaced_where_it_stands_alone() {
        for (text, expected) in [
            ("i", "(3)"),
            ("(i-0.5)*100 mm", "((3)-0.5)*100 mm"),
            ("2*i^2 + pi + sin(i)", "2*(3)^2 + pi + sin((3))"),
            ("i.x + a.i + i2 + _i + if(i > 1, 2, 3)", "i.x + a.i + i2 + _i + if((3) > 1, 2, 3)"),
            ("x-i", "x-(3)"),
            ("nothing", "nothing"),
        ] {
            assert_eq!(with_number(text, 3), expected);
        }
    }

    #[test]
    fn exact_references_are_found() {
        let of = |text: &str| -> Vec<String> {
            let is_array = |name: &str| name == "pin" || name == "top-pin";
            let found = references(text, &is_array);
            found
                .iter()
                .map(|r| format!("{}|{}|{}", &text[r.span.clone()], r.base, r.index))
                .collect()
        };
        assert_eq!(of("pin[i-1]"), ["pin[i-1]|pin|i-1"]);
        assert_eq!(of("a-pin[1].x - top-pin[n].y"), ["pin[1]|pin|1", "top-pin[n]|top-pin|n"]);
        assert_eq!(of("spin[1] other[2] pin[1"), Vec::<String>::new());
        assert_eq!(of("max(pin[*].force)"), ["pin[*]|pin|*"]);
    }
}
