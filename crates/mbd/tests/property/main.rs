//! Properties that hold for every mechanism: the same motion in every set of coordinates, books that close, what is
//! conserved, what is located.

mod equivalence;
mod mechanisms;
mod power;
mod random;
