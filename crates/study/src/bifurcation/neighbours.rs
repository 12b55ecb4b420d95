//! A motion and its neighbours: how fast they part, by the method of G. Benettin et al., Meccanica 15 (1980) 9.
//!
//! Two neighbours, a small distance away in different directions, move beside the motion. After each period their distances are measured and
//! made small again, and the second is turned at right angles to the first. The growth of the first gives the largest exponent, the
//! growth of the area between both the sum of the two largest. What contacts remember belongs to the distance: it is varied and rescaled like the positions.

use jointplay_mbd::{ContactState, Phase, State};

use super::strobe::{Look, Strobe, Trouble};
use super::waves::Waves;
use crate::continuation::handed_on;
use crate::sweep::Cancellation;

/// Distance of a neighbour, as a fraction of the extent of the motion.
const APART: f64 = 1e-6;

/// What was seen of a motion.
pub(super) struct Seen {
    /// The channels at each instant of the section.
    pub(super) section: Vec<Vec<f64>>,
    /// The channels at each event, where the section is looked at there.
    pub(super) events: Vec<Vec<f64>>,
    /// The spectra of the channels.
    pub(super) spectra: Vec<Vec<f64>>,
    /// The whole state at each of them, as numbers.
    pub(super) states: Vec<Vec<f64>>,
    /// Of each number: whether it is an angle.
    pub(super) is_angle: Vec<bool>,
    /// Logarithms of the growth of the first neighbour's distance in each period, and of the area between both.
    pub(super) growth: Vec<[f64; 2]>,
    /// Contacts that have touched all the time and so remember an impact from before.
    pub(super) lasting: Vec<String>,
    /// Where it ended.
    pub(super) end: State,
}

/// Follows a motion over a transient and then over some periods.
pub(super) fn follow(
    strobe: &Strobe,
    start: Option<State>,
    (transient, periods): (usize, usize),
    stop: &Cancellation,
) -> Result<Seen, Trouble> {
    let origin = match start {
        Some(state) => state,
        None => strobe.start()?,
    };
    let mut here = origin.clone();
    for k in 0..transient {
        here = strobe.advance(&here, k, stop)?.state;
    }
    let mut section = Vec::with_capacity(periods);
    let (mut events, mut waves) = (Vec::new(), Waves::default());
    let mut states: Vec<Vec<f64>> = Vec::new();
    let mut growth = Vec::new();
    let mut neighbours: Option<[State; 2]> = None;
    let mut lasting: Vec<String> = touching(&here);
    let scale = Scale::of(&here, strobe);
    for k in transient..transient + periods {
        let pair = match neighbours.take() {
            Some(pair) => pair,
            None => [scale.beside(&here, 0), scale.beside(&here, 1)],
        };
        // Three runs that know nothing of each other.
        let (own, [first, second]) = rayon::join(
            || strobe.watch(&here, k, &mut waves, stop),
            || {
                let [a, b] = &pair;
                let (a, b) =
                    rayon::join(|| strobe.advance(a, k, stop), || strobe.advance(b, k, stop));
                [a, b]
            },
        );
        let Look { state: next, channels, begun, events: more } = own?;
        events.extend(more);
        let moved = [first?.state, second?.state];
        let from = pair.each_ref().map(|state| scale.distance(&here, state));
        let to: Vec<Vec<f64>> = moved.iter().map(|state| scale.distance(&next, state)).collect();
        growth.push(grown(&from, &to));
        neighbours = scale.closer(&next, &moved, &to);
        lasting.retain(|name| !begun.contains(name));
        section.push(channels);
        states.push(numbers(&next));
        here = next;
    }
    let is_angle = here.bodies.values().flat_map(|_| [false, false, true, false, false, false]);
    let is_angle = is_angle.collect();
    let still = touching(&here);
    lasting.retain(|name| still.contains(name));
    let elapsed = strobe.period * (transient + periods) as f64;
    let end = handed_on(here, elapsed, &origin);
    let orders = strobe.orders.unwrap_or(0);
    let spectra = waves.spectra(strobe.period, orders);
    Ok(Seen { section, events, spectra, states, is_angle, growth, lasting, end })
}

/// The contacts that touch.
fn touching(state: &State) -> Vec<String> {
    let touching =
        |(_, contact): &(&String, &ContactState)| matches!(contact.phase, Phase::Touching { .. });
    state.contacts.iter().filter(touching).map(|(name, _)| name.clone()).collect()
}

/// Positions and speeds of the bodies.
fn numbers(state: &State) -> Vec<f64> {
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
struct Scale {
    length: f64,
    speed: f64,
    rate: f64,
}

impl Scale {
    /// The extent of the mechanism, or of its clearances, and its speeds.
    fn of(state: &State, strobe: &Strobe) -> Self {
        let greatest = |of: &dyn Fn(&jointplay_mbd::BodyState) -> f64| {
            state.bodies.values().map(of).fold(0.0, f64::max)
        };
        let speed = greatest(&|b| b.velocity[0].abs().max(b.velocity[1].abs()));
        let rate = greatest(&|b| b.angular_velocity.abs());
        let usual = std::f64::consts::TAU / strobe.period;
        // How far it moves in a period, unless it rests.
        let way = Some(speed * strobe.period).filter(|way| *way > 1e-6 * strobe.length);
        let length = way.map_or(strobe.length, |way| way.min(strobe.length));
        Scale { length, speed: speed.min(length * usual).max(length), rate: rate.max(usual) }
    }

    fn sizes(&self) -> [f64; 6] {
        [self.length, self.length, 1.0, self.speed, self.speed, self.rate]
    }

    /// A neighbour in one of two directions, which have a part in everything that can move.
    fn beside(&self, state: &State, direction: usize) -> State {
        let mut neighbour = state.clone();
        let mut count = direction as f64;
        for body in neighbour.bodies.values_mut() {
            let sizes = self.sizes();
            let mut shift = |size: f64| {
                count += 1.0;
                // Unrelated numbers of all signs.
                APART * size * libm::cos(count * count * (1.0 + 0.7 * direction as f64))
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
    fn distance(&self, state: &State, neighbour: &State) -> Vec<f64> {
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
    fn closer(&self, state: &State, moved: &[State; 2], to: &[Vec<f64>]) -> Option<[State; 2]> {
        let [first, second] = moved;
        let length = norm(&to[0]);
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let along = dot(&to[0], &to[1]) / (length * length);
        let aside: Vec<f64> = to[1].iter().zip(&to[0]).map(|(b, a)| b - along * a).collect();
        let width = norm(&aside);
        let wanted = APART * (self.sizes().len() as f64).sqrt();
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
fn grown(from: &[Vec<f64>; 2], to: &[Vec<f64>]) -> [f64; 2] {
    let area = |a: &[f64], b: &[f64]| {
        let (aa, bb, ab) = (dot(a, a), dot(b, b), dot(a, b));
        (aa * bb - ab * ab).max(0.0).sqrt()
    };
    let length = libm::log(norm(&to[0]) / norm(&from[0]));
    [length, libm::log(area(&to[0], &to[1]) / area(&from[0], &from[1]))]
}
