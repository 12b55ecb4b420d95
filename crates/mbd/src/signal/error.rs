//! Problems of a signal.

use std::fmt;

use jointplay_expression::ExpressionError;

/// The reason why numbers or a text are not a valid signal.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SignalError {
    /// A parameter is infinite or NaN.
    #[error("the {quantity} of the signal is {value}: it must be a finite number")]
    NotFinite {
        /// Which parameter.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// One number of a list is infinite or NaN.
    #[error("{quantity} {index} (counted from 0) is {value}: it must be a finite number")]
    EntryNotFinite {
        /// Which list: `coefficient`, `time` or `value`.
        quantity: &'static str,
        /// Place in the list, from 0.
        index: usize,
        /// The value there.
        value: f64,
    },
    /// A parameter is zero or negative.
    #[error("the {quantity} of the signal is {value}: it must be positive")]
    NotPositive {
        /// Which parameter.
        quantity: &'static str,
        /// Its value.
        value: f64,
    },
    /// An interval of time has no length.
    #[error("the signal changes from {start} s to {end} s: the end must be later than the start")]
    Interval {
        /// Start, s.
        start: f64,
        /// End, s.
        end: f64,
    },
    /// The duration or one of the first two derivatives is larger than any `f64`.
    #[error("the {kind} lasts too long or changes too fast: its derivatives are not finite")]
    Overflow {
        /// The kind of signal.
        kind: &'static str,
    },
    /// Not enough numbers.
    #[error("{count} {quantity} given: at least {least} needed")]
    TooFew {
        /// What is counted.
        quantity: &'static str,
        /// How many there are.
        count: usize,
        /// How many are needed.
        least: usize,
    },
    /// Times and values are not pairs.
    #[error("{times} times but {values} values: a table needs one value for each time")]
    Lengths {
        /// Number of times.
        times: usize,
        /// Number of values.
        values: usize,
    },
    /// The times of a table do not increase.
    #[error(
        "time {index} (counted from 0) is {time} s after {previous} s: the times of a table must increase"
    )]
    NotIncreasing {
        /// Place of the time, from 0.
        index: usize,
        /// The time before it, s.
        previous: f64,
        /// The time, s.
        time: f64,
    },
    /// The last value of a periodic table differs from the first.
    #[error("the table repeats but starts at {first} and ends at {last}: both must be equal")]
    NotPeriodic {
        /// First value.
        first: f64,
        /// Last value.
        last: f64,
    },
    /// The text is not a valid expression.
    #[error(transparent)]
    Expression(#[from] ExpressionError),
    /// An expression of something other than the time alone.
    #[error("the expression of a signal has one variable, the time, not {count}")]
    Variables {
        /// How many it has.
        count: usize,
    },
    /// The text is not a valid table.
    #[error("the table cannot be read:{}", Listed(problems))]
    Csv {
        /// All problems, from the top; not empty.
        problems: Vec<CsvProblem>,
    },
}

/// One problem of the text of a table. Lines and columns are counted from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CsvProblem {
    /// A line does not have two columns.
    #[error(
        "line {line}: {found} column{} instead of 2; a comma separates time and value{}",
        if *found == 1 { "" } else { "s" },
        separator.map_or(String::new(), |found| format!(", not {found:?}"))
    )]
    Columns {
        /// Line of the text.
        line: usize,
        /// Number of columns there.
        found: usize,
        /// A character in the line that separates columns in other files.
        separator: Option<char>,
    },
    /// The header contradicts what its column must hold.
    #[error("line {line}, column {column}: the header cannot be used: {why}")]
    Header {
        /// Line of the text.
        line: usize,
        /// 1 for the time, 2 for the value.
        column: usize,
        /// The problem of the header.
        why: String,
    },
    /// A field is not a number.
    #[error("line {line}, column {column}: `{field}` is not a number")]
    NotANumber {
        /// Line of the text.
        line: usize,
        /// 1 for the time, 2 for the value.
        column: usize,
        /// The text of the field.
        field: String,
    },
    /// A field is infinite or NaN.
    #[error("line {line}, column {column}: {value} must be a finite number")]
    NotFinite {
        /// Line of the text.
        line: usize,
        /// 1 for the time, 2 for the value.
        column: usize,
        /// The number.
        value: f64,
    },
    /// A time is not later than the last one above it.
    #[error("line {line}, column 1: {time} s follows {previous} s; the times must increase")]
    NotIncreasing {
        /// Line of the text.
        line: usize,
        /// The last time above, s.
        previous: f64,
        /// The time, s.
        time: f64,
    },
}

/// Each item on its own line.
struct Listed<'a>(&'a [CsvProblem]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|problem| write!(f, "\n  {problem}"))
    }
}
