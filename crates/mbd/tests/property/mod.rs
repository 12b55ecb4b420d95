//! Properties that hold for every mechanism: the same motion in every set of coordinates, books that close, what is
//! conserved, what is located.

#[path = "../../../../testing/borrowed.rs"]
mod borrowed;

mod absurd;
mod allocation;
mod bounds;
mod branches;
mod bristles;
mod checkpoint;
mod conservation;
mod dampers;
mod drift;
mod equivalence;
mod events;
mod faults;
mod friction;
mod handles;
mod jacobian;
mod ledger;
mod mechanisms;
mod observer;
mod power;
mod random;
mod refusals;
mod rest;
mod scales;
mod users;
