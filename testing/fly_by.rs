//! Bodies that fly past each other, and touch or not as a closed form says.
//!
//! In free flight positions are known exactly, so that the least distance of two surfaces is a matter of elementary
//! geometry: whoever comes deeper than ten times the tolerance of positions must be found, however short it lasts beside
//! the flight, and whoever stays clear by as much must not.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::{
    Body, Builder, Formulation, GROUND, Mechanism, Method, Outline, PinInWalls, Sampling,
    Simulation,
};

use super::chance::Chance;
use super::overlap::Overlap;

const TOLERANCE: f64 = 1e-8;

/// What a fly-by came to.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Passed {
    /// It touches by geometry.
    pub(crate) touches: bool,
    /// It should have touched and did not, or the other way round, or at another time.
    pub(crate) missed: bool,
    /// The greatest depth of a lost contact over the tolerance of positions.
    pub(crate) overlap: f64,
    /// Why the run did not reach its end.
    pub(crate) stopped: Option<String>,
    /// The times of the first touch, by geometry and in the run (s).
    pub(crate) first: [f64; 2],
}

fn law() -> ContactLaw {
    let elastic = ElasticLaw::Power(Power { stiffness: 1e10, exponent: 1.5 });
    let damping =
        DampingLaw::Factor { factor: Factor::Exact, restitution: Restitution::Constant(0.7) };
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction: FrictionLaw::NoFriction }
}

/// A flight with its least distance of surfaces (m, negative if they overlap) and, if they do, the time of the first
/// touch (s).
struct Flight {
    mechanism: Mechanism,
    until: f64,
    least: f64,
    first: f64,
    /// How far from the origin bodies are (m).
    far: f64,
}

/// The fly-by of a seed.
pub(crate) fn fly_by(seed: u64) -> Passed {
    let chance = &mut Chance::new(seed);
    let flight = match seed % 4 {
        0 | 1 => circles(chance),
        2 => past_an_end(chance),
        _ => arms(chance),
    };
    let formulation = chance.pick(&[Formulation::Joint, Formulation::Absolute]);
    let method = chance.pick(&[
        Method::Dop853,
        Method::Dop853,
        Method::Dopri5,
        Method::Rkf45,
        Method::Radau5,
    ]);
    let mut overlap = Overlap::of(&flight.mechanism);
    let run = Simulation::new(&flight.mechanism)
        .formulation(formulation)
        .method(method)
        .tolerance(TOLERANCE)
        .sampled(Sampling::EventsOnly)
        .until(flight.until)
        .run_observed(&mut overlap)
        .expect("it starts");
    // Of a mechanism without clearance a thousandth of its size takes its place.
    let tolerance = TOLERANCE * 1e-3 * flight.mechanism.size();
    // Nor can a gap be known better than the coordinates that it is the difference of.
    let tolerance = tolerance.max(16.0 * f64::EPSILON * flight.far);
    let clear = 10.0 * tolerance;
    let late = |t: f64| (t - flight.first).abs() > 1e-6 * flight.until;
    let missed = if flight.least < -clear {
        overlap.first.is_none_or(late)
    } else {
        flight.least > clear && overlap.starts > 0
    };
    Passed {
        touches: flight.least < -clear,
        missed,
        overlap: overlap.worst.0 / tolerance,
        stopped: (!run.outcome.reached_end()).then(|| run.outcome.to_string()),
        first: [flight.first, overlap.first.unwrap_or(f64::NAN)],
    }
}

/// Two circles on straight lines, seen by one that falls with them.
fn circles(chance: &mut Chance) -> Flight {
    let radii = [chance.decades(-3.0, -1.5), chance.decades(-3.0, -1.5)];
    let reach = radii[0] + radii[1];
    let depth = chance.pick(&[1.0, 1.0, 1.0, -1.0]) * chance.decades(-11.0, 0.0);
    let aside = reach * (1.0 - depth).max(0.0);
    let (distance, speed) = (chance.decades(-1.0, 2.0), chance.decades(-2.0, 1.0));
    let (sin, cos) = libm::sincos(chance.between(0.0, std::f64::consts::TAU));
    let turn = |[x, y]: [f64; 2]| [cos * x - sin * y, sin * x + cos * y];
    let until = 1.5 * distance / speed;
    // What both do together stays within a few metres: farther off, rounding is all that is left of a gap.
    let gravity = f64::min(10.0, 10.0 / (until * until));
    let along = f64::min(3.0, 10.0 / until);
    let mut parts = Builder::new();
    parts.gravity([chance.between(-gravity, gravity), chance.between(-gravity, gravity)]);
    let common = [chance.between(-along, along), chance.between(-along, along)];
    let [vx, vy] = turn([speed, 0.0]);
    let spin = chance.between(-100.0, 100.0);
    let a = Body::new(0.3, 1e-4).moving(common, -0.5 * spin);
    let b = Body::new(0.2, 2e-4).placed(turn([-distance, aside]), 0.4);
    let b = b.moving([common[0] + vx, common[1] + vy], spin);
    let [a, b] = [parts.body("a", a), parts.body("b", b)];
    parts.circles("touch", [a.origin(), b.origin()], radii, law());
    // They meet where the distance is the sum of the radii.
    let half_chord = (reach * reach - aside * aside).max(0.0).sqrt();
    Flight {
        mechanism: parts.build().expect("good parts"),
        until,
        least: aside - reach,
        first: (distance - half_chord) / speed,
        far: distance + 10.0,
    }
}

/// The first time at which a distance that is a function of time falls below 0, and its least value: by samples that resolve
/// it, golden sections about each low one, and bisection.
fn first_touch(until: f64, scale: f64, distance: impl Fn(f64) -> f64) -> (f64, f64) {
    let count = ((until / scale).ceil()).clamp(64.0, 1e5);
    let at = |i: f64| until * (i / count).min(1.0);
    let (mut least, mut i) = (f64::INFINITY, 0.0);
    while i <= count {
        let [before, here, after] = [i - 1.0, i, i + 1.0].map(|i| distance(at(i.max(0.0))));
        if here < 0.0 {
            // The rest of this passage may be deeper.
            let (_, low) = lowest(at(i - 1.0), at(i + 2.0), &distance);
            return (crossing(at(i - 1.0), at(i), &distance), least.min(here).min(low));
        }
        if here <= before && here <= after {
            let (t, low) = lowest(at((i - 1.0).max(0.0)), at(i + 1.0), &distance);
            least = least.min(low);
            if low < 0.0 {
                return (crossing(at((i - 1.0).max(0.0)), t, &distance), least);
            }
        }
        i += 1.0;
    }
    (f64::NAN, least)
}

fn lowest(mut a: f64, mut b: f64, f: impl Fn(f64) -> f64) -> (f64, f64) {
    const GOLDEN: f64 = 0.381_966_011_250_105_1;
    for _ in 0..60 {
        let (x, y) = (a + GOLDEN * (b - a), b - GOLDEN * (b - a));
        if f(x) < f(y) {
            b = y;
        } else {
            a = x;
        }
    }
    (0.5 * (a + b), f(0.5 * (a + b)))
}

/// Where a function crosses 0 between a point where it is above and one where it is below.
fn crossing(mut above: f64, mut below: f64, f: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (above + below);
        if f(middle) > 0.0 {
            above = middle;
        } else {
            below = middle;
        }
    }
    below
}

/// A circle that flies past the end of a wall, or into it.
fn past_an_end(chance: &mut Chance) -> Flight {
    let radius = chance.decades(-3.0, -1.5);
    let half = chance.decades(-3.0, 0.0);
    let distance = chance.decades(0.0, 1.5) + half;
    let speed = chance.decades(-2.0, 1.0);
    // From above the wall, aimed at a place near one of its ends.
    let angle = chance.between(0.1, std::f64::consts::PI - 0.1);
    let depth = chance.pick(&[1.0, 1.0, -1.0]) * chance.decades(-9.0, 0.0);
    let target =
        [half + radius * chance.between(-1.5, 1.0 - depth), radius * chance.between(0.0, 1.0)];
    let (sin, cos) = libm::sincos(angle);
    let start = [target[0] + distance * cos, target[1] + distance * sin];
    let v = [-speed * cos, -speed * sin];
    let mut parts = Builder::new();
    let body = Body::new(0.2, 2e-4).placed(start, 0.3).moving(v, chance.between(-50.0, 50.0));
    let body = parts.body("ball", body);
    let pin = PinInWalls {
        body: GROUND,
        outline: Outline::flat([-half, 0.0], [half, 0.0]),
        pin: body.origin(),
        pin_radius: radius,
        contact_point: 0.5,
        play: None,
    };
    parts.pin_in_walls("wall", pin, |_| law());
    let until = 1.2 * distance / speed;
    let from_wall = |t: f64| {
        let (x, y) = (start[0] + t * v[0], start[1] + t * v[1]);
        libm::hypot(x - x.clamp(-half, half), y) - radius
    };
    // The path is straight and the wall convex: one low place.
    let (t, least) = lowest(0.0, until, from_wall);
    let first = if least < 0.0 { crossing(0.0, t, from_wall) } else { f64::NAN };
    Flight { mechanism: parts.build().expect("good parts"), until, least, first, far: distance }
}

/// Two pins on arms of bodies that turn in free flight.
fn arms(chance: &mut Chance) -> Flight {
    let radius = chance.decades(-3.0, -2.0);
    let arm = [chance.decades(-2.0, 0.0), chance.decades(-2.0, 0.0)];
    let spin = [chance.between(-60.0, 60.0), chance.between(-60.0, 60.0)];
    let apart = (arm[0] + arm[1]) * chance.between(0.9, 1.1) + 2.0 * radius;
    let v = [chance.between(-0.2, 0.2), chance.between(-0.2, 0.2)];
    let phase = [chance.between(0.0, 6.0), chance.between(0.0, 6.0)];
    let gravity = [0.0, -9.81];
    let mut parts = Builder::new();
    parts.gravity(gravity);
    let a = parts
        .body("a", Body::new(1.0, 1e-2).placed([0.0, 0.0], phase[0]).moving([0.0; 2], spin[0]));
    let b = parts.body("b", Body::new(1.0, 1e-2).placed([apart, 0.0], phase[1]).moving(v, spin[1]));
    let pins = [a.at([arm[0], 0.0]), b.at([arm[1], 0.0])];
    parts.circles("touch", pins, [radius; 2], law());
    let until = chance.between(0.5, 3.0);
    let distance = |t: f64| {
        let end = |i: usize| {
            let (sin, cos) = libm::sincos(phase[i] + spin[i] * t);
            [arm[i] * cos, arm[i] * sin]
        };
        let ([ax, ay], [bx, by]) = (end(0), end(1));
        libm::hypot(apart + v[0] * t + bx - ax, v[1] * t + by - ay) - 2.0 * radius
    };
    // Pins that overlap where they start would be a contact before it begins.
    if distance(0.0) <= 1e-6 {
        return arms(chance);
    }
    // The square of the distance has no higher frequency than this, and few low places in each period.
    let frequency = spin[0].abs() + spin[1].abs() + 10.0;
    let (first, least) = first_touch(until, 0.05 / frequency, distance);
    Flight { mechanism: parts.build().expect("good parts"), until, least, first, far: 50.0 }
}
