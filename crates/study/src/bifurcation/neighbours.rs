//! Neighbours of a motion: their distances, and how fast they diverge, by the method of G. Benettin
//! et al., Meccanica 15 (1980) 9.
//!
//! Two neighbours, a small distance away in different directions, move along with the motion. Once
//! in each period their distances are measured and made small again, and the second is turned at
//! right angles to the first. The growth of the first gives the largest exponent, the growth of the
//! area between both the sum of the two largest. What contacts remember belongs to the distance: it
//! is varied and rescaled like the positions.

use jointplay_mbd::{ContactState, Phase, State};

use super::strobe::Strobe;

/// Distance of a neighbour, as a fraction of the extent of the motion: small compared with the
/// indentation of lasting contacts. Where all contacts are short neighbours are four times as far
/// away, so that the errors of so many events count less.
const APART: f64 = 1e-6;
const FARTHER: f64 = 4.0 * APART;

/// The contacts that touch.
pub(super) fn touching(state: &State) -> Vec<String> {
    where_touching(state, true)
}

/// The contacts that are open.
pub(super) fn apart(state: &State) -> Vec<String> {
    where_touching(state, false)
}

fn where_touching(state: &State, wanted: bool) -> Vec<String> {
    let found = |(_, contact): &(&String, &ContactState)| {
        matches!(contact.phase, Phase::Touching { .. }) == wanted
    };
    state.contacts.iter().filter(found).map(|(name, _)| name.clone()).collect()
}

/// Positions and speeds of the bodies.
pub(super) fn numbers(state: &State) -> Vec<f64> {
    let of = |body: &jointplay_mbd::BodyState| {
        let ([x, y], [u, v]) = (body.position, body.velocity);
        [x, y, body.angle, u, v, body.angular_velocity]
    };
    state.bodies.values().flat_map(of).collect()
}

/// What a contact remembers, as numbers; nothing if it does not touch.
fn memory(contact: &ContactState) -> Option<[f64; 7]> {
    match contact.phase {
        Phase::Touching { touch, .. } => Some([
            touch.impact_speed,
            touch.effective_mass,
            touch.restitution,
            touch.coefficient,
            touch.max_delta,
            touch.permanent,
            contact.bristle,
        ]),
        Phase::Apart { .. } => None,
    }
}

fn with_memory(contact: &ContactState, numbers: [f64; 7]) -> ContactState {
    let [impact_speed, effective_mass, restitution, coefficient, max_delta, permanent, bristle] =
        numbers;
    match contact.phase {
        Phase::Touching { touch, sliding } => {
            let touch = jointplay_contact::damping::Touch {
                impact_speed,
                effective_mass,
                restitution,
                coefficient,
                max_delta,
                permanent,
                ..touch
            };
            ContactState { phase: Phase::Touching { touch, sliding }, bristle }
        }
        Phase::Apart { .. } => *contact,
    }
}

/// The sizes by which distances are measured.
pub(super) struct Scale {
    length: f64,
    speed: f64,
    rate: f64,
    apart: f64,
}

impl Scale {
    /// The extent of the mechanism, or of its clearances, and its greatest speeds in these states.
    pub(super) fn of(states: &[State], strobe: &Strobe) -> Self {
        let greatest = |of: &dyn Fn(&jointplay_mbd::BodyState) -> f64| {
            let bodies = states.iter().flat_map(|state| state.bodies.values());
            bodies.map(of).fold(0.0, f64::max)
        };
        let speed = greatest(&|b| b.velocity[0].abs().max(b.velocity[1].abs()));
        let rate = greatest(&|b| b.angular_velocity.abs());
        let usual = std::f64::consts::TAU / strobe.period;
        // How far it moves in a period, unless it rests.
        let way = Some(speed * strobe.period).filter(|way| *way > 1e-6 * strobe.length);
        let length = way.map_or(strobe.length, |way| way.min(strobe.length));
        let (speed, rate) = (speed.min(length * usual).max(length), rate.max(usual));
        let touches = |state: &State| !touching(state).is_empty();
        let short = states.iter().any(touches) && !states.iter().all(touches);
        let apart = if short && !strobe.has_clearance { FARTHER } else { APART };
        Scale { length, speed, rate, apart }
    }

    /// What positions, the angle, speeds and the angular speed of a body are compared with.
    pub(super) fn sizes(&self) -> [f64; 6] {
        [self.length, self.length, 1.0, self.speed, self.speed, self.rate]
    }

    /// A neighbour in one of two directions, which have components in everything that can move.
    pub(super) fn beside(&self, state: &State, direction: usize) -> State {
        let mut neighbour = state.clone();
        let mut count = direction as f64;
        for body in neighbour.bodies.values_mut() {
            let sizes = self.sizes();
            let mut shift = |size: f64| {
                count += 1.0;
                // Unrelated numbers of all signs.
                self.apart * size * libm::cos(count * count * (1.0 + 0.7 * direction as f64))
            };
            body.position[0] += shift(sizes[0]);
            body.position[1] += shift(sizes[1]);
            body.angle += shift(sizes[2]);
            body.velocity[0] += shift(sizes[3]);
            body.velocity[1] += shift(sizes[4]);
            body.angular_velocity += shift(sizes[5]);
        }
        neighbour
    }

    /// The distance of a neighbour: numbers without units.
    pub(super) fn distance(&self, state: &State, neighbour: &State) -> Vec<f64> {
        let sizes = self.sizes();
        let bodies = numbers(state).into_iter().zip(numbers(neighbour)).enumerate();
        let bodies = bodies.map(|(i, (a, b))| (b - a) / sizes[i % 6]);
        let contacts = state.contacts.iter().flat_map(|(name, contact)| {
            let (own, other) = (memory(contact), neighbour.contacts.get(name).and_then(memory));
            own.zip(other).map_or([0.0; 7], |(own, other)| {
                std::array::from_fn(|i| {
                    let size = own[i].abs().max(other[i].abs());
                    if size > 0.0 { (other[i] - own[i]) / size } else { 0.0 }
                })
            })
        });
        bodies.chain(contacts).collect()
    }

    /// Both neighbours at a small distance again, the second at right angles to the first; `None` if they have lost their direction.
    pub(super) fn closer(
        &self,
        state: &State,
        moved: &[State; 2],
        to: &[Vec<f64>],
    ) -> Option<[State; 2]> {
        let [first, second] = moved;
        let length = norm(&to[0]);
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let along = dot(&to[0], &to[1]) / (length * length);
        let aside: Vec<f64> = to[1].iter().zip(&to[0]).map(|(b, a)| b - along * a).collect();
        let width = norm(&aside);
        let wanted = self.apart * (self.sizes().len() as f64).sqrt();
        let near = self.mixed(state, &[(first, wanted / length)]);
        let other = if width > 1e-9 * length && width.is_finite() {
            let factor = wanted / width;
            self.mixed(state, &[(second, factor), (first, -along * factor)])
        } else {
            self.beside(state, 1)
        };
        Some([near, other])
    }

    /// A state with parts of the distances of others added.
    #[expect(clippy::unused_self, reason = "a scale is what distances are measured with")]
    fn mixed(&self, state: &State, parts: &[(&State, f64)]) -> State {
        let mut mixed = state.clone();
        for (name, body) in &mut mixed.bodies {
            let own = state.bodies[name];
            for (other, factor) in parts {
                let Some(other) = other.bodies.get(name) else { continue };
                for i in 0..2 {
                    body.position[i] += factor * (other.position[i] - own.position[i]);
                    body.velocity[i] += factor * (other.velocity[i] - own.velocity[i]);
                }
                body.angle += factor * (other.angle - own.angle);
                body.angular_velocity += factor * (other.angular_velocity - own.angular_velocity);
            }
        }
        for (name, contact) in &mut mixed.contacts {
            // A neighbour that does not touch where this one does has nothing to remember there.
            let Some(own) = memory(&state.contacts[name]) else { continue };
            let mut numbers = own;
            for (other, factor) in parts {
                let Some(other) = other.contacts.get(name).and_then(memory) else { continue };
                for i in 0..numbers.len() {
                    numbers[i] += factor * (other[i] - own[i]);
                }
            }
            *contact = with_memory(contact, numbers);
        }
        mixed
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &[f64]) -> f64 {
    dot(a, a).sqrt()
}

/// Logarithms of the growth of the first distance, and of the area between both.
pub(super) fn grown(from: &[Vec<f64>; 2], to: &[Vec<f64>]) -> [f64; 2] {
    let area = |a: &[f64], b: &[f64]| {
        let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
        (aa * bb - ab * ab).max(0.0).sqrt()
    };
    let length = libm::log(norm(&to[0]) / norm(&from[0]));
    [length, libm::log(area(&to[0], &to[1]) / area(&from[0], &from[1]))]
}
