//! All tests of this crate in one program, which is linked once.

#[path = "../../../testing/allocations.rs"]
mod allocations;

mod golden;
mod property;
mod signal;
