//! The numerics of fitting: least squares between bounds, noise that remembers, and small dense matrices.
//!
//! These are our own: the least-squares crates that are kept (`levenberg-marquardt`, `argmin`) know no bounds, evaluate one point at a
//! time and bring `nalgebra` or take their functions from the platform, so that bits would differ from machine to machine
//! (`docs/adr/0032`).

pub(crate) mod descent;
pub(crate) mod matrix;
pub(crate) mod noise;
pub(crate) mod toeplitz;
