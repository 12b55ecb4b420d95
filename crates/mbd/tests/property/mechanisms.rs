//! Mechanisms put together at random.
//!
//! Bodies are thrown into the plane; joints are then put where they happen to close, so that any tree and any loop
//! is assembled as it stands. Drivers start from the value that their coordinate has.

use jointplay_contact::damping::{DampingLaw, Factor};
use jointplay_contact::elastic::{ElasticLaw, Power};
use jointplay_contact::friction::{CoulombTanh, FrictionLaw};
use jointplay_contact::{ContactLaw, NormalLaw, Restitution};
use jointplay_mbd::signal::Harmonic;
use jointplay_mbd::{
    Anchor, Body, BodyId, Builder, Bushing, Coordinate, DriftControl, Equations, Force,
    Formulation, GROUND, JointFriction, JointId, JointKind, JournalBearing, LoadFrame, Mechanism,
    Side, Signal, Spring, TorsionSpring,
};

use super::random::Random;

pub(crate) const BOTH: [Formulation; 2] = [Formulation::Joint, Formulation::Absolute];

/// What a random mechanism is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Recipe {
    pub(crate) bodies: usize,
    pub(crate) loops: usize,
    pub(crate) drivers: usize,
    pub(crate) forces: usize,
    pub(crate) friction: bool,
    pub(crate) contacts: usize,
    /// Joints that are there twice.
    pub(crate) repeated: usize,
    /// Nothing refers to the axes of the world: no driver and no stop of x or y.
    pub(crate) relative: bool,
    /// Nothing is tied to the ground, and nothing pushes from outside.
    pub(crate) floating: bool,
}

impl Recipe {
    /// A tree of bodies, and nothing else.
    pub(crate) const TREE: Recipe = Recipe {
        bodies: 5,
        loops: 0,
        drivers: 0,
        forces: 0,
        friction: false,
        contacts: 0,
        repeated: 0,
        relative: false,
        floating: false,
    };

    /// One of everything but contacts, two of most.
    pub(crate) const FULL: Recipe = Recipe {
        bodies: 6,
        loops: 2,
        drivers: 2,
        forces: 5,
        friction: true,
        contacts: 0,
        repeated: 0,
        relative: false,
        floating: false,
    };
}

/// Where in the world a mechanism stands, and where the frames of its bodies lie: none of it matters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Stage {
    /// By which everything is turned about the origin [rad], and then moved [m].
    pub(crate) angle: f64,
    pub(crate) shift: [f64; 2],
    /// So far the frames of the bodies are moved on the bodies [m].
    pub(crate) frames: f64,
}

impl Stage {
    /// A vector in the world.
    pub(crate) fn turn(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        [cos * x - sin * y, sin * x + cos * y]
    }

    /// A point in the world.
    pub(crate) fn place(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y] = self.turn(point);
        [x + self.shift[0], y + self.shift[1]]
    }
}

/// A body as it was thrown, seen from the stage.
#[derive(Clone, Copy)]
struct Thrown {
    id: BodyId,
    position: [f64; 2],
    /// The frame of the body.
    origin: [f64; 2],
    angle: f64,
}

impl Thrown {
    /// A vector of the stage in the frame of the body.
    fn local(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let (sin, cos) = self.angle.sin_cos();
        [cos * x + sin * y, cos * y - sin * x]
    }

    /// A point of the stage on the body.
    fn at(&self, [x, y]: [f64; 2]) -> Anchor {
        self.id.at(self.local([x - self.origin[0], y - self.origin[1]]))
    }

    /// A direction of the body; of the ground, one of the stage.
    fn own(&self, direction: [f64; 2]) -> [f64; 2] {
        if self.id == GROUND { self.local(direction) } else { direction }
    }
}

struct Workshop {
    random: Random,
    recipe: Recipe,
    stage: Stage,
    parts: Builder,
    bodies: Vec<Thrown>,
    joints: Vec<JointId>,
}

/// A mechanism with the bodies it was made of.
pub(crate) struct Specimen {
    pub(crate) mechanism: Mechanism,
    pub(crate) bodies: Vec<(BodyId, Body)>,
}

/// The mechanism of a seed. Drivers and loops that would repeat what is already held are left away.
pub(crate) fn mechanism(seed: u64, recipe: &Recipe) -> Mechanism {
    specimen(seed, recipe, Stage::default()).mechanism
}

/// The mechanism of a seed on a stage.
pub(crate) fn specimen(seed: u64, recipe: &Recipe, stage: Stage) -> Specimen {
    let mut shop = Workshop {
        random: Random::new(seed),
        recipe: *recipe,
        stage,
        parts: Builder::new(),
        bodies: Vec::new(),
        joints: Vec::new(),
    };
    let gravity = shop.random.point(10.0);
    shop.parts.gravity(if recipe.floating { [0.0, 0.0] } else { stage.turn(gravity) });
    let mut bodies = Vec::new();
    for i in 0..recipe.bodies {
        bodies.push(shop.throw(seed, i));
        shop.hang(i);
    }
    for i in 0..recipe.loops {
        shop.try_to(|shop| shop.close(i));
    }
    for i in 0..recipe.drivers {
        shop.try_to(|shop| shop.drive(i));
    }
    for i in 0..recipe.forces {
        shop.push(i);
    }
    for i in 0..recipe.contacts {
        shop.try_to(|shop| shop.touch(i));
    }
    if recipe.friction {
        shop.rub();
    }
    shop.repeat(recipe.repeated);
    Specimen { mechanism: shop.parts.build().expect("good parts"), bodies }
}

/// Whether no constraint repeats others, or nearly does. Near a singular position rounding is magnified by the square of
/// what the loads are: the bodies are thrown with 1 m/s and pushed with 10 N, so that these limits leave six digits.
fn regular(mechanism: &Mechanism, formulation: Formulation) -> bool {
    let equations = Equations::new(mechanism, formulation, DriftControl::default());
    let equations = equations.expect("bodies with mass");
    let Ok(start) = equations.start(0.0) else { return false };
    let snapshot = equations.snapshot(0.0, &start.y, &start.mode).expect("no friction yet");
    let slow = mechanism.bodies().all(|(body, ..)| {
        let [vx, vy] = snapshot.position(body).velocity;
        vx.hypot(vy) < 8.0 && snapshot.angle(body).rate.abs() < 8.0
    });
    let gentle = mechanism.joints().all(|(joint, ..)| {
        snapshot.reaction(joint).components().all(|(_, value)| value.abs() < 500.0)
    });
    start.report.redundant.is_empty() && slow && gentle
}

/// A law of force K δ^1.5 (1 + a δ̇/δ̇₀), with or without friction.
pub(crate) fn law(stiffness: f64, restitution: f64, friction: FrictionLaw) -> ContactLaw {
    let elastic = ElasticLaw::Power(Power { stiffness, exponent: 1.5 });
    let restitution = Restitution::Constant(restitution);
    let damping = DampingLaw::Factor { factor: Factor::Flores, restitution };
    ContactLaw { normal: NormalLaw::new(elastic, damping), friction }
}

pub(crate) fn tanh(mu: f64, slip_speed: f64) -> FrictionLaw {
    FrictionLaw::CoulombTanh(CoulombTanh::new(mu, slip_speed).expect("good numbers"))
}

impl Workshop {
    fn throw(&mut self, seed: u64, i: usize) -> (BodyId, Body) {
        let random = &mut self.random;
        let (position, angle) = (random.point(1.0), random.between(-3.0, 3.0));
        let (mass, inertia) = (random.between(0.5, 3.0), random.between(0.03, 0.3));
        let centre = random.point(0.2);
        let (v, omega) = (random.point(1.0), random.between(-2.0, 2.0));
        // Where the frame lies does not disturb the other numbers.
        let moved = Random::new(seed ^ 0xf00d ^ ((i as u64) << 20)).point(self.stage.frames);
        let arm = Stage { angle, ..Stage::default() }.turn(moved);
        let origin = [position[0] + arm[0], position[1] + arm[1]];
        let v = [v[0] - omega * arm[1], v[1] + omega * arm[0]];
        let body = Body::new(mass, inertia)
            .centre([centre[0] - moved[0], centre[1] - moved[1]])
            .placed(self.stage.place(origin), angle + self.stage.angle)
            .moving(self.stage.turn(v), omega);
        let id = self.parts.body(format!("body {i}"), body.clone());
        self.bodies.push(Thrown { id, position, origin, angle });
        (id, body)
    }

    /// The ground seen from the stage.
    fn ground(&self) -> Thrown {
        let back = Stage { angle: -self.stage.angle, ..Stage::default() };
        let [x, y] = back.turn(self.stage.shift);
        let angle = -self.stage.angle;
        Thrown { id: GROUND, position: [0.0, 0.0], origin: [-x, -y], angle }
    }

    /// A body thrown before this one, or the ground.
    fn earlier(&mut self, i: usize) -> Thrown {
        let choice = self.random.below(if self.recipe.floating { i } else { i + 1 });
        if choice == i { self.ground() } else { self.bodies[choice] }
    }

    /// Ties a new body to one of the others; a few begin a group of their own.
    fn hang(&mut self, i: usize) {
        if self.random.chance(0.15) || (self.recipe.floating && i == 0) {
            return;
        }
        let (other, own) = (self.earlier(i), self.bodies[i]);
        let (a, b) = if self.random.chance(0.5) { (other, own) } else { (own, other) };
        let kind = self.random.below(10);
        let joint = self.joint(format!("joint {i}"), a, b, kind);
        self.joints.push(joint);
    }

    /// A point of the stage near two bodies.
    fn between(&mut self, a: Thrown, b: Thrown) -> [f64; 2] {
        let [x, y] = self.random.point(0.4);
        let middle = |i: usize| 0.5 * (a.position[i] + b.position[i]);
        [middle(0) + x, middle(1) + y]
    }

    fn joint(&mut self, name: String, a: Thrown, b: Thrown, kind: usize) -> JointId {
        let p = self.between(a, b);
        let u = self.random.direction();
        match kind {
            0..5 => self.parts.revolute(name, a.at(p), b.at(p)),
            5..8 => {
                let s = self.random.between(-0.3, 0.3);
                let q = [p[0] + s * u[0], p[1] + s * u[1]];
                let length = self.random.between(0.5, 2.0); // of any length but 0
                let along = a.local(u).map(|x| length * x);
                self.parts.prismatic(name, a.at(p).along(along), b.at(q).along(b.local(u)))
            }
            _ => self.parts.weld(name, a.at(p).along(a.local(u)), b.at(p).along(b.local(u))),
        }
    }

    /// Two different bodies, one of them perhaps the ground.
    fn pair(&mut self) -> (Thrown, Thrown) {
        let count = self.bodies.len();
        let first = self.random.below(count);
        let mut second = self.random.below(count);
        if second == first {
            second = if self.recipe.floating { (first + 1) % count } else { count };
        }
        let pick = |i: usize| if i == count { self.ground() } else { self.bodies[i] };
        let pair = (pick(first), pick(second));
        if self.random.chance(0.5) { pair } else { (pair.1, pair.0) }
    }

    /// Does something to the parts, and undoes it if it repeats what is already held.
    fn try_to(&mut self, act: impl Fn(&mut Workshop)) {
        for _ in 0..20 {
            let (parts, joints) = (self.parts.clone(), self.joints.clone());
            act(self);
            let mechanism = self.parts.clone().build().expect("good parts");
            if BOTH.iter().all(|&formulation| regular(&mechanism, formulation)) {
                return;
            }
            (self.parts, self.joints) = (parts, joints);
        }
    }

    fn close(&mut self, i: usize) {
        let (a, b) = self.pair();
        let (p, q, u) = (self.between(a, b), self.between(a, b), self.random.direction());
        let name = format!("loop {i}");
        match self.random.below(4) {
            0 => {
                let joint = self.parts.revolute(name, a.at(p), b.at(p));
                self.joints.push(joint);
            }
            1 => {
                let length = (q[0] - p[0]).hypot(q[1] - p[1]);
                self.parts.rod(name, a.at(p), b.at(q), length);
            }
            2 => {
                let s = self.random.between(-0.3, 0.3);
                let pin = [p[0] + s * u[0], p[1] + s * u[1]];
                self.parts.point_on_line(name, a.at(p).along(a.local(u)), b.at(pin));
            }
            _ => {
                let joint = self.joint(name, a, b, 6);
                self.joints.push(joint);
            }
        }
    }

    fn drive(&mut self, i: usize) {
        let (a, b) = self.pair();
        let moved = if a.id == GROUND { b } else { a };
        let (p, q) = (self.between(a, b), self.between(a, b));
        let coordinate = match self.random.below(8) {
            0..3 if !self.joints.is_empty() => {
                let joint = self.random.below(self.joints.len());
                Coordinate::Joint(self.joints[joint])
            }
            3 if !self.recipe.relative => Coordinate::X(moved.at(p)),
            4 if !self.recipe.relative => Coordinate::Y(moved.at(p)),
            5 if !self.recipe.floating => Coordinate::Angle(moved.id),
            6 => Coordinate::AngleBetween(a.id, b.id),
            _ => Coordinate::Distance(a.at(p), b.at(q)),
        };
        let Some(now) = self.value(coordinate) else { return };
        let harmonic = Harmonic {
            offset: 0.0,
            amplitude: self.random.between(-0.05, 0.05),
            angular_frequency: self.random.between(1.0, 6.0),
            phase: 0.0,
        };
        let rest = [now, self.random.between(-0.5, 0.5), self.random.between(-0.5, 0.5)];
        let signal = Signal::sum([
            Signal::polynomial(&rest).expect("finite"),
            Signal::harmonic(harmonic).expect("finite"),
        ]);
        self.parts.drive(format!("driver {i}"), coordinate, signal);
    }

    /// The value of a coordinate as the bodies were thrown; `None` for that of a weld.
    fn value(&self, coordinate: Coordinate) -> Option<f64> {
        let mut parts = self.parts.clone();
        parts.watch("value", coordinate, 0.0, jointplay_mbd::OnCrossing::Record);
        let mechanism = parts.build().ok()?;
        let equations = Equations::new(&mechanism, Formulation::Joint, DriftControl::default());
        let equations = equations.expect("bodies with mass");
        let start = equations.start(0.0).expect("it is assembled");
        let snapshot = equations.snapshot(0.0, &start.y, &start.mode).expect("regular");
        Some(snapshot.coordinate(coordinate).value)
    }

    fn signal(&mut self, size: f64) -> Signal {
        let harmonic = Harmonic {
            offset: self.random.between(-size, size),
            amplitude: self.random.between(-size, size),
            angular_frequency: self.random.between(1.0, 6.0),
            phase: self.random.between(-3.0, 3.0),
        };
        Signal::harmonic(harmonic).expect("finite")
    }

    fn push(&mut self, i: usize) {
        let (a, b) = self.pair();
        let (p, q) = (self.between(a, b), self.between(a, b));
        let moved = if a.id == GROUND { b } else { a };
        let direction = self.random.point(1.0);
        let kind = self.random.below(6);
        let kind = if self.recipe.floating { kind.max(2) } else { kind };
        let size = self.signal(5.0);
        // What an angle between a body and the ground gains on this stage.
        let turn = |thrown: Thrown| if thrown.id == GROUND { 0.0 } else { self.stage.angle };
        let gain = turn(b) - turn(a);
        let random = &mut self.random;
        let force = match kind {
            0 => Force::Load {
                at: moved.at(p),
                direction: self.stage.turn(direction),
                fixed_in: LoadFrame::World,
                size,
            },
            1 => Force::Load { at: moved.at(p), direction, fixed_in: LoadFrame::Body, size },
            2 => Force::Torque { on: a.id, against: b.id, size },
            3 => Force::Spring(
                Spring::new(a.at(p), b.at(q), random.between(5.0, 50.0), random.between(0.1, 0.8))
                    .damped(random.between(0.1, 1.0))
                    .preloaded(random.between(-3.0, 3.0)),
            ),
            4 => Force::TorsionSpring(
                TorsionSpring::new(
                    a.id,
                    b.id,
                    random.between(1.0, 9.0),
                    random.between(-1.0, 1.0) + gain,
                )
                .damped(random.between(0.05, 0.5))
                .preloaded(random.between(-1.0, 1.0)),
            ),
            _ => {
                let (u, w) = (random.direction(), random.direction());
                Force::Bushing(Bushing {
                    a: a.at(p).along(a.own(u)),
                    b: b.at(q).along(b.own(w)),
                    stiffness: std::array::from_fn(|_| random.between(1.0, 20.0)),
                    damping: std::array::from_fn(|_| random.between(0.05, 0.5)),
                })
            }
        };
        self.parts.force(format!("force {i}"), force);
    }

    /// A contact that touches already.
    fn touch(&mut self, i: usize) {
        let (a, b) = self.pair();
        let (p, n) = (self.between(a, b), self.random.direction());
        let overlap = self.random.between(1e-3, 5e-3);
        let name = format!("contact {i}");
        let stiffness = self.random.between(2e3, 2e4);
        let restitution = self.random.between(0.5, 0.9);
        let contact = if self.random.chance(0.6) {
            let clearance = self.random.between(0.005, 0.05);
            let q = [0, 1].map(|k| p[k] + (clearance + overlap) * n[k]);
            let gap = JournalBearing {
                bearing: a.at(p),
                journal: b.at(q),
                bearing_radius: self.random.between(0.06, 0.2),
                clearance,
                contact_point: self.random.between(0.0, 1.0),
            };
            self.parts.journal_bearing(name, gap, law(stiffness, restitution, tanh(0.2, 0.05)))
        } else {
            let q = self.between(a, b);
            let moved = if a.id == GROUND { b } else { a };
            let coordinate = match self.random.below(4) {
                0 if !self.recipe.relative => Coordinate::X(moved.at(p)),
                1 if !self.recipe.relative => Coordinate::Y(moved.at(p)),
                0 | 2 => Coordinate::AngleBetween(a.id, b.id),
                _ => Coordinate::Distance(a.at(p), b.at(q)),
            };
            let now = self.value(coordinate).expect("no coordinate of a joint");
            let above = self.random.chance(0.5);
            let (side, limit) =
                if above { (Side::Above, now - overlap) } else { (Side::Below, now + overlap) };
            let law = law(stiffness, restitution, FrictionLaw::NoFriction);
            self.parts.stop(name, coordinate, limit, side, law)
        };
        let speed = self.random.between(0.2, 1.0);
        self.parts.initial_impact_speed(contact, speed);
    }

    /// Adds joints that are there already.
    fn repeat(&mut self, count: usize) {
        let mechanism = self.parts.clone().build().expect("good parts");
        for i in 0..count {
            let joints: Vec<_> = mechanism.joints().collect();
            let (_, _, joint) = joints[self.random.below(joints.len())];
            self.parts.joint(format!("again {i}"), joint.kind, joint.a, joint.b);
        }
    }

    /// Friction in every second joint that can have it; too little to jam.
    fn rub(&mut self) {
        let mechanism = self.parts.clone().build().expect("good parts");
        for &joint in &self.joints {
            let random = &mut self.random;
            let (size, friction): (f64, fn(FrictionLaw, f64) -> JointFriction) =
                match mechanism.joint(joint).kind {
                    JointKind::Revolute => (random.between(0.01, 0.05), JointFriction::pin),
                    JointKind::Prismatic => (random.between(0.5, 1.0), JointFriction::block),
                    _ => continue,
                };
            let law = tanh(random.between(0.02, 0.1), random.between(0.05, 0.3));
            let viscous = random.between(0.0, 0.3);
            if random.chance(0.5) {
                self.parts.friction(joint, friction(law, size).and_viscous(viscous));
            }
        }
    }
}
