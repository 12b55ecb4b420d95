//! Reading of the reference data under `golden/`.

use std::collections::HashMap;
use std::path::Path;

/// One line of a CSV file, by column name.
pub(crate) struct Row(HashMap<String, String>);

/// The lines of a file, given by its path inside `golden/`.
pub(crate) fn rows(file: &str) -> Vec<Row> {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden")).join(file);
    let mut reader =
        csv::Reader::from_path(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows: Vec<_> = reader.deserialize().map(|row| Row(row.expect("a row of text"))).collect();
    assert!(!rows.is_empty(), "{} has no rows", path.display());
    rows
}

impl Row {
    pub(crate) fn text(&self, column: &str) -> &str {
        self.0.get(column).unwrap_or_else(|| panic!("no column `{column}`"))
    }

    /// The number, correctly rounded from however many digits the file has; `None` if empty.
    pub(crate) fn optional(&self, column: &str) -> Option<f64> {
        let text = self.text(column);
        (!text.is_empty())
            .then(|| text.parse().unwrap_or_else(|e| panic!("{column} = `{text}`: {e}")))
    }

    pub(crate) fn number(&self, column: &str) -> f64 {
        self.optional(column).unwrap_or_else(|| panic!("{column} is empty"))
    }
}
