//! Implicit Runge–Kutta methods, one per file, for stiff problems.
//!
//! The stages of an implicit step are the solution of an algebraic system, found by Newton's
//! iteration with a matrix that is kept as long as the iteration converges well. The speed of
//! convergence depends on the memory of the method, the Jacobian and the polynomial of the last
//! step, so a checkpoint keeps them.

mod dense;
mod lu;
mod radau5;
mod scalar;

pub use radau5::Radau5;
pub(crate) use radau5::Radau5Stepper;
pub use scalar::{Complex, Scalar};
