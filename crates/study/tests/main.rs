//! All tests of this crate in one program, which is linked once.

#[path = "../../../testing/sweep.rs"]
mod sweep;

mod golden;
mod readings;

mod analysis;
mod digits;
mod errata;
mod impact;
mod impact_identity;
mod impact_peer;
mod runs;
mod study_file;
