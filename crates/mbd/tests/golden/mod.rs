//! The engine against independent references: `golden/mechanisms-*`, most of them to 40 digits.

mod andrews;
mod chain;
mod clearance;
mod clearance_chain;
mod double_pendulum;
mod four_bar;
mod guide;
mod iftomm;
mod implicit;
mod joint_friction;
mod judge;
mod parallelogram;
mod pin_slot;
mod reference;
mod rod_linked;
mod slider_crank;
mod springs;
mod statics;
mod walls;
