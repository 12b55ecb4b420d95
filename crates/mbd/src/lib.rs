//! Planar multibody dynamics of machines whose joints have clearance.
//!
//! A mechanism is assembled from parts in a [`Builder`]: [bodies](Body), [joints](JointKind)
//! between their points, drivers ([`Builder::drive`]), [forces](Force), contacts
//! ([`Builder::journal_bearing`], [`Builder::stop`]). [`Builder::build`] checks everything at once
//! and returns an immutable [`Mechanism`], a handle that any number of runs share. A [`Simulation`]
//! integrates it and returns a [`Solution`] with trajectory, located events, energy ledger and
//! cost. Results own what they need: they can be returned, stored and sent to other threads.
//! Contact and friction laws are in [`law`], integrators in [`ode`].
//!
//! ```
//! use jointplay_mbd::{Body, Builder, Coordinate, GROUND, Signal, Simulation};
//!
//! // A slider-crank: the crank turns at 20 rad/s, the slider runs along x.
//! let mut parts = Builder::new();
//! let crank = parts.body("crank", Body::new(1.0, 1e-3));
//! let rod = parts.body("rod", Body::rod(1.0, 0.3).centre([0.15, 0.0]).placed([0.05, 0.0], 0.0));
//! let slider = parts.body("slider", Body::new(1.0, 1e-3).placed([0.35, 0.0], 0.0));
//! let axis = parts.revolute("axis", GROUND.origin(), crank.origin());
//! parts.revolute("crank pin", crank.at([0.05, 0.0]), rod.origin());
//! let pin = parts.revolute("pin", rod.at([0.3, 0.0]), slider.origin());
//! parts.prismatic("guide", GROUND.origin(), slider.origin());
//! let motor = parts.drive("motor", Coordinate::Joint(axis), Signal::rate(0.0, 20.0)?);
//! let mechanism = parts.build()?;
//!
//! let run = Simulation::new(&mechanism).until(0.1).run()?;
//! let end = run.end()?;
//! println!("slider at {} m", end.position(slider).position[0]);
//! println!("pin force {} N, motor {} N m", end.reaction(pin).force(), end.driver(motor).effort);
//! assert!(end.violation().0 <= 1e-12 && run.ledger.relative_residual() < 1e-6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without integration: [`Mechanism::kinematics`] and [`Mechanism::inverse_dynamics`] of driven mechanisms,
//! [`Mechanism::equilibrium`].
//!
//! # Code of users
//!
//! Laws of contacts and friction ([`law`]) and force elements ([`LineModel`], [`ForceModel`]) may be written in Rust, with their
//! slopes. Such code cannot be identified: [`Mechanism::user_code`] names it, a run with it has no
//! [`Checkpoint`], and there is no model file, digest, result folder or interactive page for it. A
//! [`State`] starts a run from an instant of another one, with or without user-written code.
//!
//! # Theory
//!
//! *Kinematics.* A body has a frame at its centre of mass, r_P = R + A u_P (Skrinjar2017 eqs. (6), (7)). Joints and drivers
//! are rows C(q, t) = 0 between points of two bodies (eq. (2)), each with its Jacobian J = ∂C/∂q and the γ of
//! C̈ = J q̈ − γ.
//!
//! *Dynamics.* With Baumgarte's α and β (Baumgarte1972), 0 by default (eqs. (1), (3)),
//!
//! ```text
//! | M  Jᵀ | | q̈ |   | Q                |
//! | J  0  | | λ | = | γ − 2α Ċ − β² C  |
//! ```
//!
//! is solved by λ = S⁻¹(J a₀ − γ*), S = J M⁻¹ Jᵀ, with a sparse factorisation whose structure is found once (Davis2006).
//! The two [`Formulation`]s differ in q and therefore in M⁻¹: for [`Formulation::Absolute`] q is position and angle of every body and
//! M⁻¹ a division; for [`Formulation::Joint`] q are the coordinates of the joints of a spanning tree, M⁻¹ is a pass of the
//! articulated-body recursion (Featherstone2008, section 7.3), driven coordinates are not unknowns, and only loops leave rows.
//! A contact is a force, so a clearance joint cuts its loop: a slider-crank with clearance is an unconstrained tree with two
//! unknowns.
//!
//! *Constraints.* Each step ends with a projection in the metric of the kinetic energy, Δq = −M⁻¹ Jᵀ S⁻¹ C and likewise for
//! velocities: |C| ≤ 1e-12 of the size of the mechanism. Redundant rows are found by their vanishing pivots in S,
//! named in [`StartReport::redundant`], and left out. In a singular position, where rows are redundant for an instant,
//! they are faded out smoothly instead of dividing rounding errors by zero.
//!
//! *Contacts.* A gap measures overlap δ, rate and slip (eqs. (8)–(20)); a law of [`jointplay_contact`] turns them into forces.
//! Its memory changes only at located events ([`EventKind`]).
//!
//! *Friction in ideal joints* contributes to the reaction on which it depends. Both are solved for
//! together ([`JointFriction`]); if there is no solution the joint jams, which is a named fault.
//!
//! *Energy ledger.* All work and every loss are integrated along with the motion, each from its own power ([`Ledger`]); every
//! run reports the residual against the energies of the state.
//!
//! *Derivatives.* Everything between the state and its rate is generic over numbers that may carry
//! derivatives, so [`Method::Radau5`] gets the exact Jacobian of the equations, contacts and
//! friction included.
//!
//! # What it does not do
//!
//! Bodies are rigid and move in a plane. Contacts are round pins in bearings and
//! slots, blocks in guides, circles and stops. Friction laws with bristles are for contacts only; sticking (set-valued) friction in
//! ideal joints is refused.

// docs/adr/0015: the page and the program give the same bits.
#![cfg_attr(not(test), deny(clippy::disallowed_methods))]

mod analysis;
mod assembly;
mod blocks;
mod body;
mod books;
mod checkpoint;
mod circle;
mod contact;
mod dense;
mod equations;
mod error;
mod force;
mod formulation;
mod frame;
mod joint;
mod ledger;
mod mechanism;
mod named;
mod observe;
mod outcome;
mod real;
mod row;
pub mod signal;
mod simulation;
mod snapshot;
mod solution;
mod sparse;
mod state;
mod trajectory;

pub use analysis::{Driven, Equilibrium, Instants, KinematicState, Kinematics};
pub use assembly::{Start, StartReport};
pub use body::Body;
pub use checkpoint::Checkpoint;
pub use contact::{
    BlockInGuide, ContactId, ContactReport, Facing, Indentation, JournalBearing, Outline, Phase,
    PinInWalls, Region, Section, Shape, Side, Wall,
};
pub use equations::{DriftControl, Equations, Mode, Overlaps};
pub use error::{Error, Open, PartKind, PartProblem, PartRef};
pub use force::{
    Bushing, CustomForce, Force, ForceId, ForceModel, ForceReport, LineForce, LineModel, LoadFrame,
    Spring, Tension, TorsionSpring, UserForce, Wrench, WrenchSlopes,
};
pub use formulation::Formulation;
pub use frame::{Anchor, Axis, BodyId, GROUND};
pub use joint::{DryFriction, Joint, JointFriction, JointId, JointKind};
#[doc(no_inline)]
pub use jointplay_contact as law;
#[doc(no_inline)]
pub use jointplay_ode as ode;
pub use jointplay_ode::{Fault, Stats};
pub use ledger::{Account, AccountKind, AccountSide, Energy, Ledger};
pub use mechanism::{
    Builder, Contact, ContactKind, Coordinate, Driver, DriverId, Mechanism, OnCrossing, Watch,
    WatchId,
};
pub use named::BodyCourse;
pub use observe::{Observer, Step};
pub use outcome::Outcome;
pub use signal::Signal;
pub use simulation::{Accuracy, Method, Simulation};
pub use snapshot::{DriverState, PointState, Reaction, ScalarState, Snapshot};
pub use solution::Solution;
pub use state::{BodyState, ContactState, State};
pub use trajectory::{EventKind, EventRecord, Instant, Outrun, Sampling, Trajectory};

/// SHA-256 of the sources of this crate. Results contain it, so that they identify the engine that
/// made them.
pub const SOURCE_HASH: &str = env!("SOURCE_HASH");
