//! A simulation with the record of its contacts.

use std::ops::ControlFlow;

use jointplay_mbd::{Error, Simulation, Solution};

use crate::contacts::{ContactRecord, ContactRecorder, JointContacts};

/// The result of a simulation.
#[derive(Clone, Debug)]
pub struct Record {
    /// Motion, events, energy ledger and cost.
    pub solution: Solution,
    /// What happened in the clearance joints.
    pub contacts: ContactRecord,
    /// How long it took (s); NaN if the platform has no clock.
    pub wall_seconds: f64,
}

/// Runs a simulation, and calls `watch` with the time reached after each step; it may interrupt the run.
///
/// Use this for mechanisms that are built in Rust, including those with user-written laws and force elements. The result has no
/// digest, no result folder that can be run again and no interactive page: these belong to a [`Case`](crate::case::Case), which is read from a file.
///
/// # Errors
/// Anything that prevents a start.
pub fn record(
    simulation: &Simulation,
    joints: Vec<JointContacts>,
    watch: impl FnMut(f64) -> ControlFlow<()>,
) -> Result<Record, Error> {
    let clock = Clock::start();
    let mut recorder = ContactRecorder::watched_by(simulation.mechanism(), joints, watch);
    let solution = simulation.run_observed(&mut recorder)?;
    let contacts = recorder.finish(&solution);
    Ok(Record { solution, contacts, wall_seconds: clock.seconds() })
}

/// Measures the cost of a run where there is a clock: WebAssembly has none of its own, and its host measures.
#[cfg(not(target_arch = "wasm32"))]
struct Clock(std::time::Instant);

#[cfg(not(target_arch = "wasm32"))]
impl Clock {
    fn start() -> Self {
        Clock(std::time::Instant::now())
    }

    fn seconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64()
    }
}

#[cfg(target_arch = "wasm32")]
struct Clock;

#[cfg(target_arch = "wasm32")]
impl Clock {
    fn start() -> Self {
        Clock
    }

    fn seconds(&self) -> f64 {
        f64::NAN
    }
}
