//! Two columns of numbers from text.

use jointplay_expression::units::{self, Dimension};

use super::{CsvProblem, SignalError};

/// Times and values of a text, as described at
/// [`Signal::table_from_csv`](super::Signal::table_from_csv).
pub(super) fn read(text: &str, dimension: Dimension) -> Result<(Vec<f64>, Vec<f64>), SignalError> {
    let (mut times, mut values, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut columns = [Dimension::Time, dimension].map(|dimension| Column { dimension, unit: "" });
    let mut previous: Option<f64> = None;
    for (place, (line, content)) in lines(text).enumerate() {
        let fields: Vec<&str> = content.split(',').map(str::trim).collect();
        let &[time, value] = fields.as_slice() else {
            let separator = content.chars().find(|c| matches!(c, ';' | '\t' | '|'));
            problems.push(CsvProblem::Columns { line, found: fields.len(), separator });
            continue;
        };
        if place == 0 && is_name(time) && is_name(value) {
            for (number, (column, name)) in columns.iter_mut().zip([time, value]).enumerate() {
                let wrong = column.read_unit(name).err();
                let problem = |why| CsvProblem::Header { line, column: number + 1, why };
                problems.extend(wrong.map(problem));
            }
            if is_time(value) && !is_time(time) {
                let why = format!("`{value}` comes second; the time is the first column");
                problems.push(CsvProblem::Header { line, column: 2, why });
            }
            continue;
        }
        let mut number = |column: usize, field| {
            let read = columns[column].number(line, column + 1, field);
            read.map_err(|problem| problems.push(problem)).ok()
        };
        let (time, value) = (number(0, time), number(1, value));
        if let Some(time) = time {
            if let Some(previous) = previous.filter(|&previous| time <= previous) {
                problems.push(CsvProblem::NotIncreasing { line, previous, time });
            }
            previous = Some(time);
        }
        times.extend(time);
        values.extend(value);
    }
    if problems.is_empty() { Ok((times, values)) } else { Err(SignalError::Csv { problems }) }
}

/// The lines with content, with their numbers from 1 and without comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // spreadsheets start a file with a byte order mark
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().filter_map(|(index, line)| {
        let content = line.split('#').next().unwrap_or_default().trim();
        (!content.is_empty()).then_some((index + 1, content))
    })
}

/// Whether a field of the first line names its column: it is neither a number nor a mistyped one
/// such as `0.O`.
fn is_name(field: &str) -> bool {
    !field.is_empty()
        && field.parse::<f64>().is_err()
        && !field.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
}

/// Whether a name of a column is that of the time.
fn is_time(name: &str) -> bool {
    let name = name.trim_matches('"').trim();
    let first = name.split(|c: char| !c.is_alphanumeric()).next();
    // T is a torque.
    matches!(first, Some("t" | "time" | "Time" | "TIME"))
}

/// The dimension and unit of a column.
struct Column<'t> {
    dimension: Dimension,
    /// The unit that the header gives; empty for the SI unit.
    unit: &'t str,
}

impl<'t> Column<'t> {
    /// Takes the unit from the name of the column, where it is in brackets.
    fn read_unit(&mut self, name: &'t str) -> Result<(), String> {
        let name = name.trim_matches('"').trim();
        let si = |text: &str| units::parse(&format!("1 {text}"), self.dimension);
        let hint = "write it in brackets, or give SI numbers and leave it out";
        let Some(unit) = in_brackets(name) else {
            // `F_kN` or `t/ms` may be a name or may give a unit.
            let last = name.rsplit(['_', '/', ' ']).next().filter(|last| *last != name);
            return match last.map(|last| (last, si(last))) {
                Some((last, Ok(size))) if size != 1.0 => {
                    Err(format!("`{name}` may give the unit `{last}`; {hint}"))
                }
                _ => Ok(()),
            };
        };
        // A plain 1 would be a number, not a unit.
        if unit.is_empty() || unit.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
            return Err(format!("`{unit}` in brackets is not a unit of a {}", self.dimension));
        }
        let size = si(unit).map_err(|wrong| wrong.to_string())?;
        self.unit = if size == 1.0 { "" } else { unit };
        Ok(())
    }

    fn number(&self, line: usize, column: usize, field: &str) -> Result<f64, CsvProblem> {
        let not_finite = |value| CsvProblem::NotFinite { line, column, value };
        match field.parse::<f64>() {
            Ok(value) if !value.is_finite() => Err(not_finite(value)),
            Ok(value) if self.unit.is_empty() => Ok(value),
            // Rounded once, as 0.1 ms is in a model.
            Ok(value) => units::parse(&format!("{field} {}", self.unit), self.dimension)
                .map_err(|_| not_finite(f64::INFINITY.copysign(value))),
            Err(_) => Err(CsvProblem::NotANumber { line, column, field: field.to_owned() }),
        }
    }
}

/// What the last brackets of a name contain: `kN` of `F(t) [kN]`. The argument of a function such
/// as `F(t)` is not a unit.
fn in_brackets(name: &str) -> Option<&str> {
    let inside = |open, close| Some(name.rsplit_once(open)?.1.split(close).next()?.trim());
    let round = || inside('(', ')').filter(|inside| !matches!(*inside, "t" | "time"));
    inside('[', ']').or_else(round)
}
