//! Contact-force laws for joints with clearance.
//!
//! A complete law is elastic × damping × friction. Each component is a pure function: it depends on no
//! step size, no clock and no body, and keeps no memory. What a contact remembers (impact speed,
//! deepest point, whether the bodies approach or separate) is a [`damping::Touch`], owned by the caller and
//! changed only at located events.
//!
//! ```
//! use jointplay_contact::catalog::{DampingKind, ElasticKind, Inputs};
//! use jointplay_contact::damping::Approach;
//! use jointplay_contact::elastic::ElasticModel;
//! use jointplay_contact::{NormalLaw, Restitution, STEEL, Surfaces};
//!
//! // a steel journal of 9.5 mm in a bearing of 10 mm, 15 mm long
//! let inputs = Inputs {
//!     surfaces: Some(Surfaces::internal(10e-3, 9.5e-3)?),
//!     length: Some(15e-3),
//!     materials: Some([STEEL, STEEL]),
//!     restitution: Some(Restitution::Constant(0.7)),
//!     ..Inputs::default()
//! };
//! let johnson = ElasticKind::Johnson.build(&inputs)?.law;
//! let at_1_um = johnson.eval(1e-6);
//! assert!((at_1_um.force - 610.9636).abs() < 1e-3); // N
//! assert!(!at_1_um.continued); // inside the law's domain
//!
//! let exact = DampingKind::Exact.build(&inputs, "johnson", &johnson)?;
//! let law = NormalLaw::new(johnson, exact);
//! let touch = law.begin(0.2, 0.1)?; // touched at 0.2 m/s, effective mass 0.1 kg
//! let compressing = law.force(Approach { delta: 1e-6, delta_dot: 0.15 }, &touch);
//! let parting = law.force(Approach { delta: 1e-6, delta_dot: -0.1 }, &touch);
//! assert!(parting < at_1_um.force && at_1_um.force < compressing);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! - [`catalog`]: names, data sheets, and the only place where a name becomes a law;
//!   [`catalog::reference`](mod@catalog::reference) shows every law with its formula;
//! - [`elastic`]: force, slope and energy of an indentation; the logarithmic cylinder laws are
//!   inverted exactly, one by one or in batches ([`elastic::ElasticLaw::forces`]);
//! - [`damping`]: hysteresis factors, dashpots, permanent indentation;
//!   [`factor_of_restitution`] is the factor that returns the specified restitution;
//! - [`friction`]: tangential laws.
//!
//! Formulas are read by [`jointplay_expression`]. Your own laws in Rust implement
//! [`elastic::ElasticModel`], [`damping::DampingModel`] or [`friction::FrictionModel`]; pass them
//! in the variant `Custom` of each enum.
//!
//! # Not supported
//!
//! Adhesion models, wear, lubrication films, contact in space.
//!
#![doc = include_str!("../NOTATION.md")]
// docs/adr/0015: the page and the program give the same bits.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

pub mod catalog;
pub mod damping;
pub mod elastic;
mod events;
pub mod friction;
mod geometry;
mod law;
mod material;
mod restitution;

pub use events::{ContactEvent, Surroundings, Watched};
pub use geometry::{GeometryError, Surfaces};
pub use law::{ContactLaw, IMPACT_SPEED_FLOOR, NormalForce, NormalLaw, REST_SPEED, Tension};
pub use material::{ALUMINIUM, MATERIALS, Material, STEEL, equivalent_modulus};
pub use restitution::{Restitution, factor_of_restitution, restitution_of_factor};

/// SHA-256 of the sources of this crate. Results contain it, so that they identify the engine that
/// made them.
pub const SOURCE_HASH: &str = env!("SOURCE_HASH");
