//! Studies with contact laws and mechanisms.
//!
//! - [`impact`]: the free impact of two bodies, with which every law is compared;
//! - [`restitution_table`]: output against input restitution for many laws;
//! - [`fit`]: power-law fits of elastic laws with their error;
//! - [`domain`]: load limits of cylinder laws;
//! - [`closed_form`]: exact restitutions, where they are known;
//! - [`case`]: a model with changes, from which a [`run`] comes;
//! - [`contacts`]: the impact table of a run, with statistics, modes and validity of its joints;
//! - [`record`]: a simulation with the record of its contacts, for mechanisms without a model file;
//! - [`summary`]: the results of a run in short;
//! - [`series`]: its channels;
//! - [`metrics`]: numbers of a run that the user asked for;
//! - [`analysis`]: spectra, Poincaré sections and orbits of them;
//! - [`scatter`]: statistics over slightly different starts;
//! - [`store`]: result folders;
//! - [`study`]: a study from its [file](study_file) to its findings; [`survey`]: one run for each point; [`journal`]: where finished
//!   runs are kept; [`frame`]: their table;
//! - [`bifurcation`]: the steady motions of a driven machine over a key of its model;
//! - [`vary`]: what a study varies, with [`distribution`]s; [`design`]: which points it runs; [`sensitivity`], [`statistics`] and
//!   [`capability`]: what they say;
//! - [`optimum`]: the best values of keys; [`measurement`]: data of a test rig; [`identify`]: the values and the law that explain them;
//! - [`sweep`]: many runs on all cores;
//! - [`warning`]: what to know about a run before trusting its numbers.
//!
//! Libraries do not print: results are plain structs, and the command line shows them.

pub mod analysis;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod bifurcation;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod capability;
pub mod case;
pub mod closed_form;
pub mod contacts;
#[cfg(all(feature = "folders", feature = "threads"))]
mod continuation;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod crew;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod design;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod distribution;
pub mod domain;
pub mod fit;
#[cfg(all(feature = "folders", feature = "threads"))]
mod fitting;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod frame;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod identify;
pub mod impact;
#[cfg(feature = "folders")]
pub mod journal;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod measurement;
pub mod metrics;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod optimum;
pub mod own;
pub mod record;
#[cfg(feature = "threads")]
pub mod restitution_table;
pub mod run;
pub mod scatter;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod sensitivity;
pub mod series;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod statistics;
#[cfg(feature = "folders")]
pub mod store;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod study;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod study_file;
pub mod summary;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod survey;
#[cfg(feature = "threads")]
pub mod sweep;
#[cfg(all(feature = "folders", feature = "threads"))]
mod trials;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod vary;
#[cfg(all(feature = "folders", feature = "threads"))]
pub mod warned;
pub mod warning;
#[cfg(all(feature = "folders", feature = "threads"))]
mod welch;

/// The Rust program of the README, compiled and run with the other examples.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
