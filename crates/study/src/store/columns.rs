//! Time series as a Parquet file: one column of doubles for each channel, under the header of the table. NaN is written as
//! null.

use std::sync::Arc;

use parquet::basic::{Compression, Encoding, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::DoubleType;
use parquet::errors::Result;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;

use crate::series::Channels;

/// Rows of a group: a reader can take a part of a long file.
const GROUP: usize = 1 << 20;

pub(super) fn bytes(channels: &Channels) -> Result<Vec<u8>> {
    let (headers, columns): (Vec<String>, Vec<&[f64]>) = super::columns(channels).unzip();
    let fields = headers.iter().map(|header| {
        let builder = Type::primitive_type_builder(header, Physical::DOUBLE);
        builder.with_repetition(Repetition::OPTIONAL).build().map(Arc::new)
    });
    let fields = fields.collect::<Result<Vec<_>>>()?;
    let schema = Type::group_type_builder("channels").with_fields(fields).build()?;
    // The bytes of one significance together: doubles of a smooth motion share the high ones.
    let properties = WriterProperties::builder()
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by(format!("{} {}", super::PROGRAM, env!("CARGO_PKG_VERSION")))
        .build();
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(properties))?;
    let rows = channels.times.len();
    for first in (0..rows.max(1)).step_by(GROUP) {
        let mut group = writer.next_row_group()?;
        let mut columns = columns.iter();
        while let Some(mut column) = group.next_column()? {
            let all = columns.next().map_or(&[][..], |c| &c[first..rows.min(first + GROUP)]);
            let defined: Vec<i16> = all.iter().map(|x| i16::from(x.is_finite())).collect();
            let values: Vec<f64> = all.iter().copied().filter(|x| x.is_finite()).collect();
            column.typed::<DoubleType>().write_batch(&values, Some(&defined), None)?;
            column.close()?;
        }
        group.close()?;
    }
    writer.into_inner()
}
