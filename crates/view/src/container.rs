//! One block of bytes for a recorded run, or for a request about series and its answer: text for structure, doubles for series.
//!
//! | | plain, `JPV1` | packed, `JPP1` |
//! |---|---|---|
//! | head | magic, length of the JSON (u32), JSON, zeros up to a multiple of 8 | the same |
//! | numbers | f64 | their count (u64), then eight byte planes of word k XOR word k − 1 |
//!
//! Everything is little-endian. Planes of differences make smooth series a third shorter once they are deflated.

use serde::{Deserialize, Serialize};

/// Numbers `at … at + n` of the data.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ref {
    at: usize,
    n: usize,
}

/// The numbers of a container while it is filled.
#[derive(Debug, Default)]
pub struct Numbers(Vec<f64>);

impl Numbers {
    /// Adds a series.
    pub fn add(&mut self, values: &[f64]) -> Ref {
        let at = self.0.len();
        self.0.extend_from_slice(values);
        Ref { at, n: values.len() }
    }

    /// A series of a container that was read; `None` if it lies outside.
    pub(crate) fn get(&self, series: Ref) -> Option<&[f64]> {
        self.0.get(series.at..series.at.checked_add(series.n)?)
    }
}

/// Text and numbers of a plain container.
///
/// # Errors
/// The problem of the container.
pub(crate) fn read(bytes: &[u8]) -> Result<(&[u8], Numbers), &'static str> {
    let (magic, rest) = bytes.split_first_chunk::<4>().ok_or("it is too short")?;
    if magic != PLAIN {
        return Err("it is not a plain container");
    }
    let (length, rest) = rest.split_first_chunk::<4>().ok_or("it is too short")?;
    let length = u32::from_le_bytes(*length) as usize;
    let json = rest.get(..length).ok_or("its text is truncated")?;
    let data = bytes.get((8 + length).next_multiple_of(8)..).unwrap_or_default();
    let (words, rest) = data.as_chunks::<8>();
    if !rest.is_empty() {
        return Err("its numbers are truncated");
    }
    Ok((json, Numbers(words.iter().map(|word| f64::from_le_bytes(*word)).collect())))
}

/// The first bytes of a plain container.
const PLAIN: &[u8; 4] = b"JPV1";

/// A recorded run, or the tables of a study, as the page reads it.
#[derive(Clone, Debug)]
pub struct Recording {
    json: String,
    numbers: Vec<f64>,
}

impl Recording {
    /// Text that refers to numbers.
    pub fn new(json: String, numbers: Numbers) -> Self {
        Recording { json, numbers: numbers.0 }
    }

    /// Structure, tables and texts as JSON.
    pub fn json(&self) -> &str {
        &self.json
    }

    /// The numbers to which the JSON refers.
    pub fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    fn head(&self, magic: [u8; 4], room: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.json.len() + 24 + room);
        bytes.extend(magic);
        // No page has 4 GB of text.
        let length = u32::try_from(self.json.len()).unwrap_or(u32::MAX);
        bytes.extend(length.to_le_bytes());
        bytes.extend(self.json.as_bytes());
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        bytes
    }

    /// The plain container.
    pub fn plain(&self) -> Vec<u8> {
        let mut bytes = self.head(*PLAIN, 8 * self.numbers.len());
        self.numbers.iter().for_each(|number| bytes.extend(number.to_le_bytes()));
        bytes
    }

    /// The packed container, to be deflated.
    pub fn packed(&self) -> Vec<u8> {
        let mut bytes = self.head(*b"JPP1", 8 * self.numbers.len() + 8);
        bytes.extend((self.numbers.len() as u64).to_le_bytes());
        let before = std::iter::once(0).chain(self.numbers.iter().map(|number| number.to_bits()));
        let words: Vec<[u8; 8]> = before
            .zip(self.numbers.iter().map(|number| number.to_bits()))
            .map(|(before, word)| (before ^ word).to_le_bytes())
            .collect();
        for plane in 0..8 {
            bytes.extend(words.iter().map(|word| word[plane]));
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recording() -> Recording {
        let mut numbers = Numbers::default();
        let first = numbers.add(&[1.0, -0.5, 1e-300]);
        let second = numbers.add(&[f64::NAN, 3.0]);
        assert_eq!((first.at, first.n, second.at, second.n), (0, 3, 3, 2));
        Recording::new("{\"ä\":1}".to_owned(), numbers)
    }

    #[test]
    fn property_a_plain_container_holds_what_was_put_in() {
        let bytes = recording().plain();
        let length = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        assert_eq!(&bytes[8..8 + length], "{\"ä\":1}".as_bytes());
        let start = (8 + length).next_multiple_of(8);
        let word = |i: usize| f64::from_le_bytes(bytes[start + 8 * i..][..8].try_into().unwrap());
        assert_eq!([word(0), word(1), word(2), word(4)], [1.0, -0.5, 1e-300, 3.0]);
        assert!(word(3).is_nan());
    }

    #[test]
    fn property_a_plain_container_is_read_back_and_a_damaged_one_refused() {
        let recording = recording();
        let bytes = recording.plain();
        let (json, numbers) = read(&bytes).unwrap();
        assert_eq!(json, recording.json().as_bytes());
        let bits = |numbers: &[f64]| numbers.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
        assert_eq!(bits(numbers.get(Ref { at: 0, n: 5 }).unwrap()), bits(recording.numbers()));
        assert!(numbers.get(Ref { at: 3, n: 3 }).is_none());
        assert!(numbers.get(Ref { at: usize::MAX, n: 2 }).is_none());
        for damaged in [&bytes[..3], &bytes[..10], &bytes[..bytes.len() - 1], &recording.packed()] {
            assert!(read(damaged).is_err());
        }
    }

    /// The planes, put together by their definition, give the numbers back.
    #[test]
    fn property_a_packed_container_holds_what_was_put_in() {
        let recording = recording();
        let bytes = recording.packed();
        let count = recording.numbers().len();
        let planes = &bytes[bytes.len() - 8 * count..];
        let mut before = 0_u64;
        for (i, number) in recording.numbers().iter().enumerate() {
            let word: Vec<u8> = (0..8).map(|plane| planes[plane * count + i]).collect();
            before ^= u64::from_le_bytes(word.try_into().unwrap());
            assert_eq!(before, number.to_bits());
        }
    }
}
