//! Analyses without integration: kinematics, inverse dynamics, static equilibrium.

mod driven;
mod equilibrium;

pub use driven::{Driven, Instants, KinematicState, Kinematics};
pub use equilibrium::Equilibrium;
