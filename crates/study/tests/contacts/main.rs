//! The impact table of runs of mechanisms.

mod balls;
mod slider_crank;
