//! Runs of mechanisms: impact tables, summaries, result folders, sweeps.

mod balls;
mod cases;
mod domains;
mod methods;
mod metrics;
mod result_folder;
mod result_place;
mod slider_crank;
mod slot;
mod summary;
mod sweeps;
