//! All tests of this crate in one program, which is linked once.

mod golden;
mod sample;

mod catalog;
mod exact;
mod property;
mod published;
