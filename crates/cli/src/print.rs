//! Output for people: quantities with prefixes, tables, warnings.

use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::Write as _;

use jointplay_model::is_order;

use crate::library::Answer;

thread_local! {
    /// The captured output of a command whose result is returned and not printed.
    static CAPTURED: RefCell<Option<Answer>> = const { RefCell::new(None) };
}

/// Calls a function and returns what it would have printed from this thread.
pub(crate) fn captured<T>(job: impl FnOnce() -> T) -> (T, Answer) {
    let before = CAPTURED.replace(Some(Answer::default()));
    let done = job();
    (done, CAPTURED.replace(before).unwrap_or_default())
}

/// Captures a line if output is being captured; `false` if the line must be printed.
fn keep(how: impl FnOnce(&mut Answer)) -> bool {
    CAPTURED.with_borrow_mut(|captured| captured.as_mut().map(how).is_some())
}

/// A value with an SI prefix: `91.34 µm`.
pub(crate) fn si(value: f64, unit: &str) -> String {
    const PREFIXES: &[(f64, &str)] = &[
        (1e9, "G"),
        (1e6, "M"),
        (1e3, "k"),
        (1.0, ""),
        (1e-3, "m"),
        (1e-6, "µ"),
        (1e-9, "n"),
        (1e-12, "p"),
    ];
    if value == 0.0 || !value.is_finite() {
        return format!("{value} {unit}");
    }
    let magnitude = value.abs();
    let fits = |&&(size, _): &&(f64, &str)| magnitude >= size * 0.999_995;
    match PREFIXES.iter().find(fits) {
        Some((size, prefix)) if magnitude < 1e13 => {
            format!("{} {prefix}{unit}", digits(value / size, 6))
        }
        _ => format!("{} {unit}", digits(value, 6)),
    }
}

/// At most `count` significant digits, in plain notation where that is readable, otherwise scientific.
pub(crate) fn digits(value: f64, count: usize) -> String {
    let text = all_digits(value, count);
    let (number, exponent) = text.split_once('e').unwrap_or((&text, ""));
    let trimmed = if number.contains('.') {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    if exponent.is_empty() { trimmed.to_owned() } else { format!("{trimmed}e{exponent}") }
}

fn all_digits(value: f64, count: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.to_string();
    }
    let exponent = value.abs().log10().floor();
    if !(-4.0..7.0).contains(&exponent) {
        return format!("{value:.*e}", count.saturating_sub(1));
    }
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "between 0 and count + 4"
    )]
    let decimals = (count as f64 - 1.0 - exponent).max(0.0) as usize;
    format!("{value:.decimals$}")
}

/// Text without control characters: names of models, joints and files may contain escapes that colour, move the cursor, or
/// write from right to left. Newlines and tabs are kept.
pub(crate) fn clean(text: &str) -> std::borrow::Cow<'_, str> {
    if text.contains(is_order) { text.replace(is_order, "\u{fffd}").into() } else { text.into() }
}

/// Prints a line to standard output. If the reader closes the pipe, the program ends quietly; on a full disk
/// it reports an error.
pub(crate) fn line(text: &str) {
    raw_line(&clean(text));
}

fn raw_line(text: &str) {
    if keep(|answer| {
        answer.text.push_str(text);
        answer.text.push('\n');
    }) {
        return;
    }
    if let Err(cause) = writeln!(std::io::stdout().lock(), "{text}") {
        if cause.kind() == std::io::ErrorKind::BrokenPipe {
            std::process::exit(0);
        }
        error(&format!("cannot write to standard output: {cause}"));
        std::process::exit(1);
    }
}

/// Prints JSON to standard output. Control characters, also those beyond ASCII, are escaped; the decoded text is the same.
pub(crate) fn json(value: &serde_json::Value) {
    if keep(|answer| answer.json.clone_from(value)) {
        return;
    }
    let text = serde_json::to_string_pretty(value).unwrap_or_default();
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_order(c) {
            // As UTF-16, which the escapes of JSON encode.
            for unit in c.encode_utf16(&mut [0; 2]) {
                let _ = write!(safe, "\\u{unit:04x}");
            }
        } else {
            safe.push(c);
        }
    }
    raw_line(&safe);
}

pub(crate) fn warning(text: &str) {
    if keep(|answer| answer.notes.push(text.to_owned())) {
        return;
    }
    let mut err = anstream::stderr().lock();
    // a lost warning is not a reason to fail
    let _ = writeln!(err, "\x1b[33mwarning\x1b[0m: {}", clean(text));
}

/// Prints lines with colours to standard error; the caller has already removed control characters
/// from quotations.
pub(crate) fn block(text: &str) {
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

pub(crate) fn error(text: &str) {
    let mut err = anstream::stderr().lock();
    let _ = writeln!(err, "\x1b[31merror\x1b[0m: {}", clean(text));
}

/// Prints a note to standard error, such as the path of a written file.
pub(crate) fn note(text: &str) {
    if keep(|answer| answer.notes.push(text.to_owned())) {
        return;
    }
    let _ = writeln!(anstream::stderr().lock(), "{}", clean(text));
}

/// A table whose columns are as wide as their widest cell; the first is left-aligned, the others right-aligned.
pub(crate) fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let columns = head.len();
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.chain(head.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let format_row = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).enumerate().map(|(i, (cell, &width))| {
            let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
            if i == 0 { format!("{cell}{pad}") } else { format!("{pad}{cell}") }
        });
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let rule = "─".repeat(widths.iter().sum::<usize>() + 2 * columns.saturating_sub(1));
    let body = rows.iter().map(format_row);
    std::iter::once(format_row(&head.to_vec()))
        .chain([rule])
        .chain(body)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Two columns without headings: names and values.
pub(crate) fn pairs(rows: &[(&str, String)]) -> String {
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let format_row = |(name, value): &(&str, String)| {
        format!("  {name}{}  {value}", " ".repeat(width - name.chars().count()))
    };
    rows.iter().map(format_row).collect::<Vec<_>>().join("\n")
}

/// Greedy wrapping of a paragraph at `width` columns, with an indent.
pub(crate) fn wrap(text: &str, indent: &str, width: usize) -> String {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.len() - 1;
        let length =
            lines[last].chars().count() + word.chars().count() + 1 + indent.chars().count();
        if !lines[last].is_empty() && length > width {
            lines.push(word.to_owned());
        } else {
            if !lines[last].is_empty() {
                lines[last].push(' ');
            }
            lines[last].push_str(word);
        }
    }
    lines.iter().map(|l| format!("{indent}{l}")).collect::<Vec<_>>().join("\n")
}

/// A name as a key by which numbers in names are ordered as numbers: `pin-2` comes before `pin-10`.
pub(crate) fn natural(name: &str) -> Vec<(&str, Option<u128>, &str)> {
    let (mut parts, mut rest) = (Vec::new(), name);
    while !rest.is_empty() {
        let text = rest.find(|c: char| c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[text..].find(|c: char| !c.is_ascii_digit());
        let end = number.map_or(rest.len(), |length| text + length);
        // The digits themselves tell apart `01` and `1`, and numbers that are too long.
        parts.push((&rest[..text], rest[text..end].parse().ok(), &rest[text..end]));
        rest = &rest[end..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_numbers_in_names_are_ordered_as_numbers() {
        let mut names = ["pin-10", "pin-2", "pin", "b", "pin-1x", "pin-02", "crank 3", "pin-1"];
        names.sort_by_key(|name: &&str| natural(name));
        let wanted = ["b", "crank 3", "pin", "pin-1", "pin-1x", "pin-02", "pin-2", "pin-10"];
        assert_eq!(names, wanted);
    }

    #[test]
    fn exact_prefixes_and_digits() {
        assert_eq!(si(9.133728e-5, "m"), "91.3373 µm");
        assert_eq!(si(4751.5, "N"), "4.7515 kN");
        assert_eq!(si(0.0, "N"), "0 N");
        assert_eq!(si(1e-3, "m"), "1 mm");
        assert_eq!(digits(0.7959725953, 6), "0.795973");
        assert_eq!(digits(1.5e-9, 3), "1.5e-9");
        assert_eq!(digits(123456789.0, 4), "1.235e8");
    }

    #[test]
    fn exact_orders_to_the_terminal_are_cleaned() {
        let bad = "a\u{1b}[31mb\u{7}\u{9b}2J\u{202e}c\u{7f}\r";
        assert_eq!(clean(bad), "a\u{fffd}[31mb\u{fffd}\u{fffd}2J\u{fffd}c\u{fffd}\u{fffd}");
        let good = "δ̇ [µm]\n\tπ ─ ü";
        assert_eq!(clean(good), good);
    }
}
