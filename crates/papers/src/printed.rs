//! Numbers as papers print them, and the tables that are committed with their provenance under `golden/published`.

/// A number as a paper prints it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Printed {
    pub(crate) value: f64,
    /// One unit of the last printed digit.
    unit: f64,
}

impl Printed {
    /// `None` if it is not a number.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (mantissa, exponent) = text.split_once('e').unwrap_or((text, "0"));
        let decimals = mantissa.split_once('.').map_or(0, |(_, d)| d.len());
        let exponent = exponent.parse::<i32>().ok()? - i32::try_from(decimals).ok()?;
        Some(Self { value: text.parse().ok()?, unit: 10.0_f64.powi(exponent) })
    }

    /// Whether `ours` rounds to the printed digits.
    pub(crate) fn rounds_from(&self, ours: f64) -> bool {
        // the last factor is for the decimal point itself: 0.125 may be printed 0.12 or 0.13
        (ours - self.value).abs() <= 0.5 * self.unit * (1.0 + 1e-9)
    }

    /// Whether `ours`, truncated, equals the printed digits.
    pub(crate) fn is_cut_of(&self, ours: f64) -> bool {
        (-1e-9..1.0).contains(&((ours - self.value) / self.unit))
    }
}

/// A committed table: its header and its rows as text.
pub(crate) struct Csv {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Csv {
    /// Reads a table. Committed tables are well formed; a test reads all of them.
    pub(crate) fn read(text: &str) -> Self {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_bytes());
        let mut rows =
            reader.records().flatten().map(|record| record.iter().map(str::to_owned).collect());
        let columns = rows.next().unwrap_or_default();
        Csv { columns, rows: rows.collect() }
    }

    /// The cell of a row in this column; empty if there is none.
    pub(crate) fn cell<'r>(&self, row: &'r [String], column: &str) -> &'r str {
        let place = self.columns.iter().position(|name| name == column);
        place.and_then(|i| row.get(i)).map_or("", String::as_str)
    }
}
