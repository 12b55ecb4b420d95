//! Contact-force laws for joints with clearance.
pub mod catalog;
pub mod damping;
pub mod elastic;
pub mod expression;
pub mod friction;
mod geometry;
mod law;
mod material;
mod restitution;

pub use geometry::{GeometryError, Surfaces};
pub use law::{ContactLaw, IMPACT_SPEED_FLOOR, NormalForce, NormalLaw, Tension};
pub use material::{ALUMINIUM, MATERIALS, Material, STEEL, equivalent_modulus};
pub use restitution::{Restitution, factor_of_restitution, restitution_of_factor};
