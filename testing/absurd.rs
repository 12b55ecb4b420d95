//! Small mechanisms from bytes: every kind of part, good and absurd numbers.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{Coulomb, CoulombTanh, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Anchor, BlockInGuide, Body, BodyId, Builder, Coordinate, Error, Force, GROUND, JournalBearing,
    LoadFrame, Mechanism, Method, Outline, PinInWalls, Sampling, Side, Signal, Simulation, Spring,
};

use super::overlap::Overlap;

/// Numbers that programs stumble over.
const ABSURD: [f64; 16] = [
    0.0,
    -0.0,
    -1.0,
    1e-12,
    1e-300,
    5e-324,
    1e12,
    1e300,
    f64::MAX,
    f64::MIN,
    f64::EPSILON,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    1e-7,
    std::f64::consts::PI,
];

/// Bytes as a source of choices; zeros when they have run out.
struct Choices<'a>(std::slice::Iter<'a, u8>);

impl Choices<'_> {
    fn byte(&mut self) -> u8 {
        self.0.next().copied().unwrap_or(0)
    }

    fn below(&mut self, count: u8) -> u8 {
        self.byte() % count.max(1)
    }

    /// Mostly a sensible number between -`size` and `size`, sometimes one that makes no sense.
    fn number(&mut self, size: f64) -> f64 {
        match self.byte() {
            kind @ 0..16 => ABSURD[usize::from(kind)],
            16..24 => f64::from_le_bytes(std::array::from_fn(|_| self.byte())),
            kind => size * (f64::from(kind) - 140.0) / 115.0,
        }
    }

    /// Mostly above 0.
    fn size(&mut self, size: f64) -> f64 {
        let number = self.number(size);
        if self.byte() < 240 { number.abs() } else { number }
    }

    fn point(&mut self) -> [f64; 2] {
        [self.number(1.0), self.number(1.0)]
    }

    fn body(&mut self, bodies: &[BodyId]) -> BodyId {
        bodies[usize::from(self.byte()) % bodies.len()]
    }

    fn anchor(&mut self, bodies: &[BodyId]) -> Anchor {
        self.body(bodies).at(self.point())
    }

    fn law(&mut self) -> ContactLaw {
        let exponent = if self.byte() < 200 { 1.5 } else { self.size(2.0) };
        let elastic = ElasticLaw::Power(Power { stiffness: self.size(1e6), exponent });
        let restitution = Restitution::Constant(self.size(1.0));
        let damping = match self.below(4) {
            0 => DampingLaw::None,
            1 => DampingLaw::KelvinVoigt { damping: self.size(1e3) },
            2 => DampingLaw::TwoSlope { restitution, smoothing_speed: 0.0 },
            _ => DampingLaw::Factor { factor: Factor::Flores, restitution },
        };
        let tanh = CoulombTanh::new(self.size(1.0), self.size(1e-2));
        let friction = match (self.below(3), tanh) {
            (0, Ok(law)) => FrictionLaw::CoulombTanh(law),
            (1, _) => Coulomb::new(self.size(1.0))
                .map_or_else(|_| FrictionLaw::NoFriction, FrictionLaw::Coulomb),
            _ => FrictionLaw::NoFriction,
        };
        ContactLaw { normal: NormalLaw::new(elastic, damping), friction }
    }

    fn coordinate(&mut self, bodies: &[BodyId]) -> Coordinate {
        match self.below(3) {
            0 => Coordinate::Angle(self.body(bodies)),
            1 => Coordinate::X(self.anchor(bodies)),
            _ => Coordinate::Y(self.anchor(bodies)),
        }
    }
}

/// A mechanism of a few bodies, or the problems that stand in its way.
fn mechanism(choices: &mut Choices<'_>) -> Result<Mechanism, Error> {
    let mut parts = Builder::new();
    parts.gravity([choices.number(10.0), choices.number(10.0)]);
    let mut bodies = vec![GROUND];
    for i in 0..=choices.below(5) {
        let mut body = Body::new(choices.size(10.0), choices.size(1.0));
        body = body.centre(choices.point()).placed(choices.point(), choices.number(3.0));
        if choices.byte() < 128 {
            body = body.moving(choices.point(), choices.number(10.0));
        }
        bodies.push(parts.body(format!("body {i}"), body));
    }
    for i in 0..choices.below(12) {
        let name = format!("part {i}");
        let (a, b) = (choices.anchor(&bodies), choices.anchor(&bodies));
        match choices.below(12) {
            0 | 1 => drop(parts.revolute(name, a, b)),
            2 => drop(parts.prismatic(name, a.along(choices.point()), b.along(choices.point()))),
            3 => drop(parts.weld(name, a.along(choices.point()), b.along(choices.point()))),
            4 => drop(parts.rod(name, a, b, choices.size(1.0))),
            5 => {
                let signal = Signal::rate(choices.number(1.0), choices.number(30.0));
                if let Ok(signal) = signal {
                    parts.drive(name, choices.coordinate(&bodies), signal);
                }
            }
            6 => {
                let spring = Spring::new(a, b, choices.size(1e4), choices.size(1.0));
                parts.force(name, Force::Spring(spring.damped(choices.size(10.0))));
            }
            7 => {
                if let Ok(size) = Signal::constant(choices.number(100.0)) {
                    let (direction, fixed_in) = (choices.point(), LoadFrame::World);
                    parts.force(name, Force::Load { at: a, direction, fixed_in, size });
                }
            }
            8 => {
                let bearing = JournalBearing {
                    bearing: a,
                    journal: b,
                    bearing_radius: choices.size(0.05),
                    clearance: choices.size(1e-3),
                    contact_point: choices.number(1.0),
                };
                parts.journal_bearing(name, bearing, choices.law());
            }
            9 => {
                let radius = choices.size(0.05);
                let outline = Outline::slot(choices.point(), choices.point(), [radius; 2]);
                let pin_radius =
                    if choices.byte() < 200 { 0.9 * radius } else { choices.size(0.05) };
                let pin = PinInWalls {
                    body: a.body,
                    outline,
                    pin: b,
                    pin_radius,
                    contact_point: 0.0,
                    play: None,
                };
                let law = choices.law();
                parts.pin_in_walls(&name, pin, |_| law.clone());
            }
            10 => {
                let block = BlockInGuide {
                    guide: a.along(choices.point()),
                    block: b.along(choices.point()),
                    length: choices.size(0.1),
                    height: choices.size(0.1),
                    clearance: choices.size(1e-3),
                    extent: (choices.byte() < 128)
                        .then(|| [choices.number(0.2), choices.number(0.2)]),
                    contact_point: 0.0,
                };
                let law = choices.law();
                parts.block_in_guide(&name, block, &law);
            }
            _ => {
                let side = if choices.byte() < 128 { Side::Below } else { Side::Above };
                let coordinate = choices.coordinate(&bodies);
                parts.stop(name, coordinate, choices.number(1.0), side, choices.law());
            }
        }
    }
    parts.build()
}

/// Builds a mechanism from bytes and runs it for a few steps: a clear error or finite numbers, never a panic.
///
/// # Panics
/// If a number of the run is none.
pub(crate) fn build_and_run(bytes: &[u8]) {
    let mut choices = Choices(bytes.iter());
    let method = match choices.below(3) {
        0 => Method::Dop853,
        1 => Method::Dopri5,
        _ => Method::Radau5,
    };
    let until = choices.size(0.1);
    let Ok(mechanism) = mechanism(&mut choices).inspect_err(told) else { return };
    let simulation = Simulation::new(&mechanism).method(method).until(until).tolerance(1e-6);
    let simulation = simulation.max_steps(100).sampled(Sampling::EveryStep);
    let mut overlap = Overlap::of(&mechanism);
    let Ok(run) = simulation.run_observed(&mut overlap).inspect_err(told) else { return };
    assert!(!run.outcome.to_string().is_empty());
    let mut far = mechanism.size();
    for i in 0..run.trajectory.len() {
        let (t, state, _) = run.trajectory.get(i);
        assert!(t.is_finite() && state.iter().all(|value| value.is_finite()), "{t}: {state:?}");
        far = state.iter().fold(far, |far, value| far.max(value.abs()));
    }
    // No contact is apart in overlap, but for rounding of coordinates, angles and rates.
    let (worst, t) = overlap.worst;
    assert!(worst <= 1e-12 * far, "apart in an overlap of {worst:e} m at t = {t:e} s of {far:e} m");
}

/// An error says something.
fn told(error: &Error) {
    assert!(!error.to_string().is_empty());
}
