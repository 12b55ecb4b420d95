//! Two columns of numbers from text.

use super::{CsvProblem, SignalError};

/// Times and values of a text, as described at
/// [`Signal::table_from_csv`](super::Signal::table_from_csv).
pub(super) fn read(text: &str) -> Result<(Vec<f64>, Vec<f64>), SignalError> {
    let (mut times, mut values, mut problems) = (Vec::new(), Vec::new(), Vec::new());
    let mut previous: Option<f64> = None;
    for (place, (line, content)) in lines(text).enumerate() {
        let fields: Vec<&str> = content.split(',').map(str::trim).collect();
        if place == 0 && fields.iter().all(|field| field.parse::<f64>().is_err()) {
            continue; // a header
        }
        let &[time, value] = fields.as_slice() else {
            problems.push(CsvProblem::Columns { line, found: fields.len() });
            continue;
        };
        let time = number(line, 1, time).map_err(|problem| problems.push(problem)).ok();
        let value = number(line, 2, value).map_err(|problem| problems.push(problem)).ok();
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

/// The lines that hold something, with their numbers from 1 and without comments.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // spreadsheets start a file with a byte order mark
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    text.lines().enumerate().filter_map(|(index, line)| {
        let content = line.split('#').next().unwrap_or_default().trim();
        (!content.is_empty()).then_some((index + 1, content))
    })
}

fn number(line: usize, column: usize, field: &str) -> Result<f64, CsvProblem> {
    match field.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) => Err(CsvProblem::NotFinite { line, column, value }),
        Err(_) => Err(CsvProblem::NotANumber { line, column, field: field.to_owned() }),
    }
}
