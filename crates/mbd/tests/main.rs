//! All tests of this crate in one program, which is linked once.

#[path = "../../../testing/allocations.rs"]
mod allocations;
#[path = "../../../testing/machines.rs"]
mod machines;
#[path = "../../../testing/sweep.rs"]
mod sweep;

mod golden;
mod property;
mod signal;
