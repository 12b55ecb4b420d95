//! Implicit Runge–Kutta methods, one per file, for stiff problems.
//!
//! The stages of an implicit step are the solution of an algebraic system, found by Newton's iteration with a
//! matrix that is kept as long as it serves. What such a method remembers from step to step, the Jacobian and the
//! polynomial of the last step, decides how fast the iteration converges: a checkpoint keeps it.

mod dense;
mod lu;
mod radau5;
mod scalar;

pub use radau5::Radau5;
pub(crate) use radau5::Radau5Stepper;
pub use scalar::{Complex, Scalar};
