//! What holds for every law whatever its formula: derivatives, growth, continuity, finite answers,
//! energy lost over closed loops, memory of a contact.

#[path = "../../../../testing/borrowed.rs"]
mod borrowed;

mod begin;
mod damping;
mod dashpots;
mod difference;
mod elastic;
mod loops;
mod plastic;
mod users;
