//! Everything that the page shows of a run.
//!
//! [`record`] runs a case and puts the result into one [container](Recording): the scene with the motion of every body, the walls
//! of clearance joints and the forces in them, every channel, the impact table, modes, data sheets of the laws, and what a
//! user can change. The interactive page reads it, whether it was written by the command line or by [`engine`], which is this
//! crate compiled to WebAssembly inside the page.

// docs/adr/0015: the page and the program give the same bits.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod container;
pub mod engine;
#[cfg(target_arch = "wasm32")]
mod exports;
mod record;
mod scene;
mod sheets;
mod touch;
#[cfg(feature = "types")]
pub mod types;

pub use container::{Numbers, Recording, Ref};
pub use record::{record, recording_of};
pub use sheets::{label, mathml};
