//! All tests of this crate in one program, which is linked once.

#[path = "../../../testing/chance.rs"]
mod chance;
#[path = "../../../testing/machines.rs"]
mod machines;
#[path = "../../../testing/sweep.rs"]
mod sweep;

mod golden;
mod readings;

mod analysis;
mod capability;
mod digits;
mod errata;
mod impact;
mod impact_identity;
mod impact_peer;
mod rig;
mod runs;
mod study_file;
