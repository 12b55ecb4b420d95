//! The table of a test rig, read with everything that is wrong with it.

use std::ops::Range;

use jointplay_expression::{Powers, Scope};
use jointplay_model::Diagnostics;

use super::{DataRequest, MeasuredColumn};

/// One problem: its bytes in the text, a message, and a hint.
type Wrong = (Range<usize>, String, Option<String>);

/// A table of named columns in a text.
pub(crate) struct Reader<'t> {
    text: &'t str,
    file: &'t str,
    separator: char,
    wrong: Vec<Wrong>,
}

/// A name of the first line.
struct Header<'t> {
    name: &'t str,
    unit: Option<&'t str>,
    span: Range<usize>,
}

/// What the numbers of a column are multiplied with to be in SI.
struct Wanted {
    index: usize,
    size: f64,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str, file: &'t str) -> Self {
        Reader { text, file, separator: ',', wrong: Vec::new() }
    }

    /// Times and columns, or everything that is wrong with the text and with the request.
    pub(crate) fn read(
        mut self,
        request: &DataRequest,
        unit_of: impl Fn(&str) -> Option<String>,
        unknown: Vec<String>,
    ) -> Result<(Vec<f64>, Vec<MeasuredColumn>), Diagnostics> {
        self.wrong.extend(unknown.into_iter().map(|message| (0..0, message, None)));
        let lines: Vec<(usize, &'t str)> = lines(self.text).collect();
        let Some((&(at, first), rows)) = lines.split_first() else {
            let hint = "give a table whose first line names its columns";
            return Err(Diagnostics::whole(Some(self.file), "the file has no data", Some(hint)));
        };
        self.separator = separator_of(first);
        let headers = self.headers(at, first);
        let time = self.time_column(&headers, request.time.as_deref(), at..at + first.len());
        let columns: Vec<Option<Wanted>> = request
            .maps
            .iter()
            .map(|map| {
                let header = self.named(&headers, &map.column, at..at + first.len())?;
                let unit = unit_of(&map.channel)?;
                let size = self.size(&headers[header], &unit, false)?;
                Some(Wanted { index: header, size })
            })
            .collect();
        self.time_is_data(time.as_ref(), &columns, (&headers, request));
        let mut times = Vec::with_capacity(rows.len());
        let mut values: Vec<Vec<f64>> = columns.iter().map(|_| Vec::new()).collect();
        for &(at, line) in rows {
            self.row((at, line), time.as_ref(), &columns, (&mut times, &mut values), headers.len());
        }
        if self.wrong.is_empty() {
            self.empty(&times, &values, request);
        }
        if !self.wrong.is_empty() {
            return Err(Diagnostics::of_text(Some(self.file), self.text, self.wrong));
        }
        let columns = request.maps.iter().zip(values).map(|(map, values)| MeasuredColumn {
            column: map.column.clone(),
            channel: map.channel.clone(),
            unit: unit_of(&map.channel).unwrap_or_default(),
            values,
        });
        Ok((times, columns.collect()))
    }

    /// A column cannot be the time and what is measured.
    fn time_is_data(
        &mut self,
        time: Option<&Wanted>,
        columns: &[Option<Wanted>],
        (headers, request): (&[Header<'t>], &DataRequest),
    ) {
        let Some(time) = time else { return };
        if columns.iter().flatten().any(|column| column.index == time.index) {
            let Header { name, span, .. } = &headers[time.index];
            let message = match request.time {
                Some(_) => format!("`{name}` is the time, and cannot be compared with a channel"),
                None => format!("`{name}` is the first column, and is taken for the time"),
            };
            let hint = "name the column of the times with --time COLUMN";
            self.wrong.push((span.clone(), message, Some(hint.to_owned())));
        }
    }

    /// Data without a row, or a column without a number.
    fn empty(&mut self, times: &[f64], values: &[Vec<f64>], request: &DataRequest) {
        if times.is_empty() {
            self.wrong.push((0..0, "the file has no rows of numbers".to_owned(), None));
            return;
        }
        for (map, values) in request.maps.iter().zip(values) {
            if values.iter().all(|value| value.is_nan()) {
                let message = format!("the column `{}` has no numbers", map.column);
                self.wrong.push((0..0, message, None));
            }
        }
    }

    fn headers(&mut self, at: usize, line: &'t str) -> Vec<Header<'t>> {
        let cells = cells(at, line, self.separator);
        let is_number = |cell: &str| number(cell, self.separator).is_some();
        if cells.iter().any(|(_, cell)| is_number(cell)) {
            let message = "the first line must name the columns".to_owned();
            let hint = "write a line such as `t [ms], force [N]` above the numbers";
            self.wrong.push((at..at + line.len(), message, Some(hint.to_owned())));
        }
        let header = |(span, cell): (Range<usize>, &'t str)| {
            let cell = cell.trim_matches('"').trim();
            let (name, unit) = split_unit(cell);
            Header { name, unit, span }
        };
        cells.into_iter().map(header).collect()
    }

    /// The column of this name; the whole header will do as well.
    fn named(&mut self, headers: &[Header<'t>], name: &str, line: Range<usize>) -> Option<usize> {
        let found: Vec<usize> = (0..headers.len()).filter(|&i| headers[i].name == name).collect();
        let whole =
            |header: &Header<'_>| self.text[header.span.clone()].trim().trim_matches('"') == name;
        let found = if found.is_empty() {
            (0..headers.len()).filter(|&i| whole(&headers[i])).collect()
        } else {
            found
        };
        match found[..] {
            [one] => Some(one),
            [] => {
                let names: Vec<&str> = headers.iter().map(|header| header.name).collect();
                let hint = format!("the columns are {}", names.join(", "));
                self.wrong.push((line, format!("there is no column `{name}`"), Some(hint)));
                None
            }
            [_, second, ..] => {
                let message = format!("the column `{name}` occurs twice");
                self.wrong.push((headers[second].span.clone(), message, None));
                None
            }
        }
    }

    fn time_column(
        &mut self,
        headers: &[Header<'t>],
        asked: Option<&str>,
        line: Range<usize>,
    ) -> Option<Wanted> {
        let index = match asked {
            Some(name) => self.named(headers, name, line)?,
            None => headers.iter().position(|header| is_time(header.name)).unwrap_or(0),
        };
        let size = self.size(headers.get(index)?, "s", true)?;
        Some(Wanted { index, size })
    }

    /// What the numbers under a header are multiplied with to be in this SI unit.
    fn size(&mut self, header: &Header<'t>, si: &str, is_time: bool) -> Option<f64> {
        let Header { name, unit, span } = header;
        let (_, own) = unit_size(si)?;
        let Some(unit) = unit else {
            // `F_kN` or `t/ms` may be a name or may give a unit.
            let last = name.rsplit(['_', '/', ' ']).next().filter(|last| last != name);
            let meant = last.and_then(|last| Some((last, unit_size(last)?)));
            if let Some((last, (size, powers))) = meant
                && powers == own
                && size != 1.0
            {
                let message = format!("`{name}` may give the unit `{last}`");
                let hint = "write the unit in brackets, or give SI numbers and leave it out";
                self.wrong.push((span.clone(), message, Some(hint.to_owned())));
                return None;
            }
            return Some(1.0);
        };
        let shown = if si == "-" { "a pure number" } else { si };
        match unit_size(unit) {
            Some((size, powers)) if powers == own => Some(size),
            Some(_) => {
                let (message, hint) = if is_time {
                    let message =
                        format!("`{name}` is taken for the time, but its unit is `{unit}`");
                    (message, "name the column of the times with --time COLUMN")
                } else {
                    let message = format!("`{unit}` does not fit `{name}`, which is in {shown}");
                    (message, "map the column to another channel, or correct its unit")
                };
                self.wrong.push((span.clone(), message, Some(hint.to_owned())));
                None
            }
            None => {
                let message = format!("unknown unit `{unit}` of `{name}`");
                let hint = format!("it is compared with a channel in {shown}");
                self.wrong.push((span.clone(), message, Some(hint)));
                None
            }
        }
    }

    fn row(
        &mut self,
        (at, line): (usize, &'t str),
        time: Option<&Wanted>,
        columns: &[Option<Wanted>],
        (times, values): (&mut Vec<f64>, &mut [Vec<f64>]),
        width: usize,
    ) {
        let cells = cells(at, line, self.separator);
        // Spreadsheets end lines with separators.
        let extra = cells.iter().skip(width).any(|(_, cell)| !cell.is_empty());
        if extra {
            let message = format!("{} cells under {width} names", cells.len());
            let hint = match self.separator {
                ',' => "commas separate cells: write decimals with points",
                _ => "each line has as many cells as the first",
            };
            self.wrong.push((at..at + line.len(), message, Some(hint.to_owned())));
            return;
        }
        let mut read = |wanted: &Wanted| -> f64 {
            let Some((span, cell)) = cells.get(wanted.index) else { return f64::NAN };
            match number(cell, self.separator) {
                Some(value) if (value * wanted.size).is_infinite() => {
                    let message = format!("`{cell}` is not a finite number");
                    self.wrong.push((span.clone(), message, None));
                    f64::NAN
                }
                Some(value) => value * wanted.size,
                None if cell.is_empty() => f64::NAN,
                None => {
                    let message = format!("`{cell}` is not a number");
                    let other = if cell.contains('#') {
                        "a comment begins with `#` at the start of a line of its own"
                    } else {
                        "leave a cell empty where nothing was measured"
                    };
                    let hint = unit_hint(cell).unwrap_or(other);
                    self.wrong.push((span.clone(), message, Some(hint.to_owned())));
                    f64::NAN
                }
            }
        };
        let numbers: Vec<f64> =
            columns.iter().map(|column| column.as_ref().map_or(f64::NAN, &mut read)).collect();
        let Some(time) = time else { return };
        let before = self.wrong.len();
        let mut read = |wanted: &Wanted| -> Option<f64> {
            let (span, cell) = cells.get(wanted.index)?;
            match number(cell, self.separator) {
                Some(value) if value.is_finite() => Some(value * wanted.size),
                _ if cell.is_empty() && numbers.iter().all(|x| x.is_nan()) => None,
                _ => {
                    let message = if cell.is_empty() {
                        "the time is missing".to_owned()
                    } else {
                        format!("the time `{cell}` is not a number")
                    };
                    self.wrong.push((span.clone(), message, unit_hint(cell).map(str::to_owned)));
                    None
                }
            }
        };
        let Some(t) = read(time) else { return };
        if let Some(&last) = times.last().filter(|last| !(t > **last)) {
            let span = cells.get(time.index).map_or(at..at + line.len(), |(span, _)| span.clone());
            let message = format!("the time {t:?} s follows {last:?} s");
            let hint = "times must increase from line to line; --time COLUMN names their column";
            self.wrong.push((span, message, Some(hint.to_owned())));
        }
        if self.wrong.len() == before {
            times.push(t);
            for (values, number) in values.iter_mut().zip(numbers) {
                values.push(number);
            }
        }
    }
}

/// The lines that hold something, with the byte at which each begins. A line that begins with `#` is a comment; elsewhere `#` is a character of
/// a name.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // Spreadsheets start a file with a byte order mark.
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let mut at = mark;
    text[mark..].split('\n').filter_map(move |line| {
        let start = at;
        at += line.len() + 1;
        let content = line.trim_end();
        let is_comment = content.trim_start().starts_with('#');
        (!is_comment && !content.trim().is_empty()).then_some((start, content))
    })
}

/// What separates the cells of this line: a tab, a semicolon or a comma outside of quotes.
fn separator_of(line: &str) -> char {
    ['\t', ';', ','].into_iter().find(|&c| cells(0, line, c).len() > 1).unwrap_or(',')
}

/// The cells of a line with their bytes. What separates cells is part of a cell that is in quotes.
fn cells(at: usize, line: &str, separator: char) -> Vec<(Range<usize>, &str)> {
    let (mut begin, mut quoted) = (0, false);
    let parts = line.split(|c: char| {
        quoted ^= c == '"';
        c == separator && !quoted
    });
    parts
        .map(|cell| {
            let start = begin + (cell.len() - cell.trim_start().len());
            begin += cell.len() + separator.len_utf8();
            let cell = cell.trim();
            (at + start..at + start + cell.len(), cell)
        })
        .collect()
}

/// The number of a cell; NaN marks a missing one. Where commas do not separate cells they are decimal points.
fn number(cell: &str, separator: char) -> Option<f64> {
    let cell = cell.trim_matches('"').trim();
    let decimal = (separator != ',' && cell.matches(',').count() == 1 && !cell.contains('.'))
        .then(|| cell.replace(',', "."));
    let value: f64 = decimal.as_deref().unwrap_or(cell).parse().ok()?;
    // What Rust reads as infinity, `inf`, no instrument writes on purpose: it is refused where it is used.
    Some(value)
}

/// What to do about a unit that stands below its name, as some instruments write it.
fn unit_hint(cell: &str) -> Option<&'static str> {
    let cell = cell.trim_matches('"').trim();
    let is_unit = !cell.is_empty() && unit_size(cell).is_some_and(|(_, powers)| powers.is_some());
    is_unit.then_some("put units into the first line, in brackets: `t [ms], force [kN]`")
}

/// The name and the unit of a header: `F(t) [kN]` has the unit `kN`, the argument in `F(t)` is none.
fn split_unit(header: &str) -> (&str, Option<&str>) {
    let inside = |open: char, close: char| {
        let (name, rest) = header.rsplit_once(open)?;
        let unit = rest.strip_suffix(close)?.trim();
        Some((name.trim(), Some(unit)))
    };
    let round = || inside('(', ')').filter(|(_, unit)| !matches!(unit, Some("t" | "time")));
    inside('[', ']').or_else(round).filter(|(name, _)| !name.is_empty()).unwrap_or((header, None))
}

/// Whether a name of a column is that of the time; T is a torque.
fn is_time(name: &str) -> bool {
    matches!(name, "t" | "time" | "Time" | "TIME")
}

/// The size of a unit in SI, and its dimension.
fn unit_size(unit: &str) -> Option<(f64, Option<Powers>)> {
    if unit.is_empty() || unit == "-" || unit == "1" {
        return Some((1.0, Some(Powers::NONE)));
    }
    if unit.starts_with(|c: char| c.is_ascii_digit() && !unit.starts_with("1/") || c == '.') {
        return None;
    }
    let unit = unit.replace(['·', '*'], " ").replace('²', "^2").replace('³', "^3");
    let text = if unit.starts_with("1/") { unit } else { format!("1 {unit}") };
    let expression = Scope::new().checked().parse(&text).ok()?;
    let size = expression.eval(&[]);
    let powers = expression.powers();
    (size.is_finite() && size != 0.0 && powers.is_some()).then_some((size, powers))
}
