//! A state of a mechanism by the names of its parts, taken from one run to start another.

use std::collections::BTreeMap;

use jointplay_contact::damping::Touch;
use serde::{Deserialize, Serialize};

use crate::contact::Phase;
use crate::error::{Error, PartKind, PartProblem};
use crate::mechanism::Mechanism;
use crate::snapshot::Snapshot;

/// Positions and velocities of the bodies of a mechanism at one time, and the memory of its
/// contacts, all by name.
///
/// It contains no coordinates and no settings: it is taken from one run ([`Snapshot::state`], [`Solution::state`]) and starts
/// another ([`Simulation::start_from`]) in any formulation, with any method, of the same mechanism or of one with the same
/// names. Plain data, for serde. Parts that are not named start as the mechanism says.
///
/// ```
/// use jointplay_mbd::{Body, BodyState, Builder, GROUND, Simulation, State};
///
/// let mut parts = Builder::new();
/// parts.gravity([0.0, -9.81]);
/// let rod = parts.body("rod", Body::rod(1.0, 1.0).placed([0.5, 0.0], 0.0));
/// parts.revolute("pivot", GROUND.origin(), rod.at([-0.5, 0.0]));
/// let pendulum = parts.build()?;
///
/// // The second half of a run by itself.
/// let first = Simulation::new(&pendulum).until(0.5).run()?;
/// let middle = first.state(first.len() - 1)?;
/// let second = Simulation::new(&pendulum).start_from(&middle).until(1.0).run()?;
/// let whole = Simulation::new(&pendulum).until(1.0).run()?;
/// let angle = |run: &jointplay_mbd::Solution| run.body("rod").map(|rod| rod.angle[rod.angle.len() - 1]);
/// assert!((angle(&second)? - angle(&whole)?).abs() < 1e-7);
///
/// // Your own state: hanging down, turning at 3 rad/s.
/// let mut state = State::at(0.0);
/// let hanging = BodyState { position: [0.0, -0.5], angle: -std::f64::consts::FRAC_PI_2, ..BodyState::default() };
/// state.bodies.insert("rod".into(), BodyState { velocity: [1.5, 0.0], angular_velocity: 3.0, ..hanging });
/// assert!(Simulation::new(&pendulum).start_from(&state).run()?.outcome.reached_end());
/// # Ok::<(), jointplay_mbd::Error>(())
/// ```
///
/// [`Snapshot::state`]: crate::Snapshot::state
/// [`Solution::state`]: crate::Solution::state
/// [`Simulation::start_from`]: crate::Simulation::start_from
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    /// The time (s).
    pub t: f64,
    /// The bodies.
    pub bodies: BTreeMap<String, BodyState>,
    /// The memory of the contacts.
    pub contacts: BTreeMap<String, ContactState>,
}

/// Position and velocity of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodyState {
    /// The origin of its frame (m).
    pub position: [f64; 2],
    /// Its angle with all turns (rad).
    pub angle: f64,
    /// The velocity of the origin of its frame (m/s).
    pub velocity: [f64; 2],
    /// Its angular velocity (rad/s).
    pub angular_velocity: f64,
}

/// The memory of a contact.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ContactState {
    /// Whether it touches, and its memory.
    pub phase: Phase,
    /// Deflection of its bristles (m); 0 for a friction law without bristles.
    pub bristle: f64,
}

impl State {
    /// No part is named: everything starts as the mechanism says, at this time (s).
    pub fn at(t: f64) -> Self {
        State { t, ..State::default() }
    }

    /// Whether a run of this mechanism can start from it.
    pub(crate) fn check(&self, mechanism: &Mechanism) -> Result<(), Error> {
        let mut problems = Vec::new();
        let mut report = |kind, name: &str, message: &str| {
            problems.push(PartProblem::new(kind, name, message));
        };
        for (name, body) in &self.bodies {
            let BodyState { position: [x, y], angle, velocity: [u, v], angular_velocity } = *body;
            if !mechanism.bodies.iter().any(|(known, _)| known == name) {
                report(PartKind::Body, name, "the mechanism has no such body");
            }
            if ![x, y, angle, u, v, angular_velocity].iter().all(|x| x.is_finite()) {
                report(PartKind::Body, name, "its state contains a value that is not finite");
            }
        }
        for (name, contact) in &self.contacts {
            if mechanism.find_contact(name).is_none() {
                report(PartKind::Contact, name, "the mechanism has no such contact");
            }
            if !(contact.bristle.is_finite() && is_finite(&contact.phase)) {
                report(PartKind::Contact, name, "its memory contains a value that is not finite");
            }
        }
        if problems.is_empty() { Ok(()) } else { Err(Error::State { problems }) }
    }
}

fn is_finite(phase: &Phase) -> bool {
    let touch_is_finite = |touch: &Touch| {
        let Touch { impact_speed, effective_mass, restitution, coefficient, .. } = *touch;
        let numbers = [impact_speed, effective_mass, restitution, coefficient];
        numbers.iter().chain([&touch.max_delta, &touch.permanent]).all(|x| x.is_finite())
    };
    match phase {
        Phase::Apart { start, last, .. } => {
            let remembered = last.iter().all(|(touch, t)| touch_is_finite(touch) && t.is_finite());
            start.is_finite() && remembered
        }
        Phase::Touching { touch, sliding } => touch_is_finite(touch) && sliding.is_finite(),
    }
}

impl Snapshot<'_> {
    /// The state by the names of the parts, from which another run can start.
    pub fn state(&self) -> State {
        let mechanism = self.equations.mechanism();
        let bodies = mechanism.bodies().map(|(id, name, _)| (name.to_owned(), self.body(id)));
        let contacts = mechanism.contacts.iter().zip(&mechanism.contact_names);
        let contacts = contacts.zip(&self.mode.contacts).map(|((contact, name), phase)| {
            let bristle = contact.bristle.map_or(0.0, |i| self.evaluation.bristles[i].z);
            (name.clone(), ContactState { phase: *phase, bristle })
        });
        State { t: self.t, bodies: bodies.collect(), contacts: contacts.collect() }
    }

    /// Position and velocity of a body.
    ///
    /// # Panics
    /// If there is no such body: the id is that of another mechanism.
    pub fn body(&self, body: crate::BodyId) -> BodyState {
        let (point, angle) = (self.position(body), self.angle(body));
        BodyState {
            position: point.position,
            angle: angle.value,
            velocity: point.velocity,
            angular_velocity: angle.rate,
        }
    }
}
