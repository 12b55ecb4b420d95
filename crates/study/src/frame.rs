//! Tidy tables: named columns of numbers or texts, as CSV or Parquet.

use std::collections::HashSet;
use std::io::{self, Write};
use std::sync::Arc;

use crate::vary::Level;

/// A table of named columns of one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    columns: Vec<(String, Column)>,
}

/// A column.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// Numbers; NaN for a missing one.
    Numbers(Vec<f64>),
    /// Texts; those that are the same may share their memory.
    Texts(Vec<Arc<str>>),
}

impl Column {
    /// The values of a key: numbers in SI, or all as they were typed if one of them is not a number.
    pub(crate) fn of_levels(levels: impl Iterator<Item = Level> + Clone) -> Self {
        let numbers: Option<Vec<f64>> = levels.clone().map(|level| level.number).collect();
        numbers.map_or_else(|| Column::texts(levels.map(|level| level.text)), Column::Numbers)
    }

    /// These texts, the same ones in the same place of the memory.
    pub fn texts<T: AsRef<str>>(texts: impl IntoIterator<Item = T>) -> Self {
        let mut shared = Texts::default();
        Column::Texts(texts.into_iter().map(|text| shared.shared(text.as_ref())).collect())
    }

    /// The number of its rows.
    pub fn len(&self) -> usize {
        match self {
            Column::Numbers(numbers) => numbers.len(),
            Column::Texts(texts) => texts.len(),
        }
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn cell(&self, row: usize) -> String {
        match self {
            Column::Numbers(numbers) => crate::store::number(numbers[row]),
            Column::Texts(texts) => texts[row].to_string(),
        }
    }
}

/// Texts that were seen, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Texts(HashSet<Arc<str>>);

impl Texts {
    /// A text in the place where it was seen first.
    pub(crate) fn shared(&mut self, text: &str) -> Arc<str> {
        if let Some(known) = self.0.get(text) {
            return known.clone();
        }
        let new: Arc<str> = text.into();
        self.0.insert(new.clone());
        new
    }
}

impl Frame {
    /// A table without columns.
    pub fn new() -> Self {
        Frame::default()
    }

    /// The same with one more column.
    pub fn with(mut self, name: impl Into<String>, column: Column) -> Self {
        self.columns.push((name.into(), column));
        self
    }

    /// The same with the columns of another table after its own.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.columns.extend(other.columns);
        self
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.columns.first().map_or(0, |(_, column)| column.len())
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The columns with their names.
    pub fn columns(&self) -> impl Iterator<Item = (&str, &Column)> {
        self.columns.iter().map(|(name, column)| (name.as_str(), column))
    }

    /// The numbers of a column, if there is one of this name that has numbers.
    pub fn numbers(&self, name: &str) -> Option<&[f64]> {
        self.columns().find_map(|(column, cells)| match cells {
            Column::Numbers(numbers) if column == name => Some(&numbers[..]),
            _ => None,
        })
    }

    /// As CSV: numbers in the fewest digits that read back to the same bits, an empty cell for a missing one.
    pub fn csv(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let written = self.write_csv(&mut bytes);
        debug_assert!(written.is_ok(), "memory takes everything");
        bytes
    }

    /// Writes it as [`csv`](Self::csv).
    ///
    /// # Errors
    /// An error of what it is written to.
    pub fn write_csv(&self, to: impl Write) -> io::Result<()> {
        let head = self.columns.iter().map(|(name, _)| name.clone()).collect();
        let row = |i: usize| self.columns.iter().map(|(_, column)| column.cell(i)).collect();
        crate::store::write_csv_table(to, std::iter::once(head).chain((0..self.len()).map(row)))
    }

    /// Writes it as Parquet.
    ///
    /// # Errors
    /// If two columns have the same name, the library refuses, or what it is written to has an error.
    #[cfg(feature = "parquet")]
    pub fn write_parquet(&self, to: impl Write + Send) -> io::Result<()> {
        parquet::write(self, to).map_err(io::Error::other)
    }
}

#[cfg(feature = "parquet")]
mod parquet {
    use std::io::Write;
    use std::sync::Arc;

    use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical, ZstdLevel};
    use parquet::data_type::{ByteArray, ByteArrayType, DoubleType};
    use parquet::errors::Result;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type;

    use super::{Column, Frame};

    /// So many rows are handed over at a time.
    const BLOCK: usize = 1 << 16;

    pub(super) fn write(frame: &Frame, to: impl Write + Send) -> Result<()> {
        let field = |(name, column): (&str, &Column)| {
            let builder = match column {
                Column::Numbers(_) => Type::primitive_type_builder(name, Physical::DOUBLE),
                Column::Texts(_) => Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
                    .with_logical_type(Some(LogicalType::String)),
            };
            builder.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
        };
        let fields = frame.columns().map(field).collect::<Result<Vec<_>>>()?;
        let schema = Type::group_type_builder("runs").with_fields(fields).build()?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(format!("jointplay {}", env!("CARGO_PKG_VERSION")))
            .build();
        let mut writer = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties))?;
        let mut group = writer.next_row_group()?;
        let mut columns = frame.columns();
        while let Some(mut writer) = group.next_column()? {
            match columns.next() {
                Some((_, Column::Numbers(numbers))) => {
                    for block in numbers.chunks(BLOCK) {
                        let defined: Vec<i16> =
                            block.iter().map(|x| i16::from(x.is_finite())).collect();
                        let values: Vec<f64> =
                            block.iter().copied().filter(|x| x.is_finite()).collect();
                        writer.typed::<DoubleType>().write_batch(&values, Some(&defined), None)?;
                    }
                }
                Some((_, Column::Texts(texts))) => {
                    for block in texts.chunks(BLOCK) {
                        let values: Vec<ByteArray> =
                            block.iter().map(|text| text.as_ref().into()).collect();
                        let defined = vec![1_i16; block.len()];
                        writer.typed::<ByteArrayType>().write_batch(
                            &values,
                            Some(&defined),
                            None,
                        )?;
                    }
                }
                None => {}
            }
            writer.close()?;
        }
        group.close()?;
        writer.close().map(drop)
    }
}
