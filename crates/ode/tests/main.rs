//! All tests of this crate in one program, which is linked once.

#[path = "../../../testing/allocations.rs"]
mod allocations;
#[path = "../../../testing/sweep.rs"]
mod sweep;
#[macro_use]
mod problems;

mod allocation;
mod checkpoint;
mod fault;
mod guard;
mod order;
mod projection;
mod proof;
mod rest;
mod stop;
mod testset;
mod transition;
