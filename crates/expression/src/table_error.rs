//! Problems with the numbers of a table.

/// The reason why numbers are not a valid table.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum TableError {
    /// Not enough points.
    #[error("{count} {quantity} given: at least {least} needed")]
    TooFew {
        /// What is counted.
        quantity: &'static str,
        /// How many there are.
        count: usize,
        /// How many are needed.
        least: usize,
    },
    /// Inputs and values are not pairs.
    #[error("{inputs} points but {values} values: a table needs one value for each point")]
    Lengths {
        /// Number of points.
        inputs: usize,
        /// Number of values.
        values: usize,
    },
    /// An input is infinite or NaN.
    #[error("input {index} (counted from 0) is {value}: it must be a finite number")]
    InputNotFinite {
        /// Place in the list, from 0.
        index: usize,
        /// The number there.
        value: f64,
    },
    /// A value is infinite or NaN.
    #[error("value {index} (counted from 0) is {value}: it must be a finite number")]
    ValueNotFinite {
        /// Place in the list, from 0.
        index: usize,
        /// The number there.
        value: f64,
    },
    /// The inputs do not increase.
    #[error(
        "input {index} (counted from 0) is {input} after {previous}: the inputs of a table must increase"
    )]
    NotIncreasing {
        /// Place of the input, from 0.
        index: usize,
        /// The input before it.
        previous: f64,
        /// The input.
        input: f64,
    },
    /// The last value of a periodic table differs from the first.
    #[error("the table repeats but starts at {first} and ends at {last}: both must be equal")]
    NotPeriodic {
        /// First value.
        first: f64,
        /// Last value.
        last: f64,
    },
    /// Its slopes are larger than any `f64`.
    #[error("the table reaches too far or changes too fast: its derivatives are not finite")]
    Overflow,
}
