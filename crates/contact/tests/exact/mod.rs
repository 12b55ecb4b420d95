//! Laws against reference values of 40 digits, and one answer by every path.

mod bits;
mod elastic;
mod factor;
