//! Laws against reference values of 40 digits, and one answer by every path.

#[path = "../golden/mod.rs"]
mod golden;
#[path = "../sample/mod.rs"]
mod sample;

mod bits;
mod elastic;
mod factor;
