//! The given data of the start: from the parts, or from a state.

use crate::circle::sin_cos;
use crate::mechanism::Mechanism;
use crate::row::Row;
use crate::state::{BodyState, State};

/// The given data of the start.
pub(super) struct Given<'m> {
    /// Position and angle of the frame of each body, and its velocity and angular velocity if they
    /// are given.
    pub(super) bodies: Vec<GivenBody>,
    /// Conditions on positions.
    pub(super) positions: &'m [(crate::mechanism::Start, Row)],
    /// Conditions on rates.
    pub(super) speeds: &'m [(crate::mechanism::Start, Row)],
}

pub(super) struct GivenBody {
    position: [f64; 2],
    angle: f64,
    pub(super) velocity: Option<([f64; 2], f64)>,
}

impl<'m> Given<'m> {
    /// From the parts.
    pub(super) fn by_parts(mechanism: &'m Mechanism) -> Self {
        let given = |(_, body): &(String, crate::Body)| GivenBody {
            position: body.position,
            angle: body.angle,
            velocity: body.velocity,
        };
        Given {
            bodies: mechanism.bodies.iter().map(given).collect(),
            positions: &mechanism.start_positions,
            speeds: &mechanism.start_speeds,
        }
    }

    /// From a state, and from the parts for bodies that it does not name.
    pub(super) fn by_state(mechanism: &'m Mechanism, state: &State) -> Self {
        let mut given = Given { positions: &[], speeds: &[], ..Given::by_parts(mechanism) };
        for ((name, _), body) in mechanism.bodies.iter().zip(&mut given.bodies) {
            if let Some(BodyState { position, angle, velocity, angular_velocity }) =
                state.bodies.get(name).copied()
            {
                *body = GivenBody { position, angle, velocity: Some((velocity, angular_velocity)) };
            }
        }
        given
    }

    /// Given positions of the centres of mass, and angles.
    pub(super) fn first_guess(&self, mechanism: &Mechanism) -> Vec<f64> {
        let pose = |(given, (_, body)): (&GivenBody, &(String, crate::Body))| {
            let (sin, cos) = sin_cos(given.angle);
            let [x, y] = body.centre_of_mass;
            let [px, py] = given.position;
            [px + cos * x - sin * y, py + sin * x + cos * y, given.angle]
        };
        self.bodies.iter().zip(&mechanism.bodies).flat_map(pose).collect()
    }
}
