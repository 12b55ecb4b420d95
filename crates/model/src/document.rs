//! What a file says, typed and checked part by part: names are resolved, numbers are SI, everything knows its place.

use std::collections::BTreeMap;

use jointplay_contact::catalog::{DampingKind, ElasticKind, FrictionKind};
use jointplay_contact::friction::FrictionLaw;
use jointplay_contact::{Material, Restitution, Surfaces};
use jointplay_mbd::{
    Accuracy, Body, DriftControl, Formulation, Mechanism, Method, Sampling, Side, Signal,
    Simulation,
};

use crate::problem::Place;
use crate::units::Dimension;
use crate::user::UserElastic;

/// A model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub(crate) name: Option<String>,
    pub(crate) description: Option<String>,
    pub(crate) gravity: [f64; 2],
    pub(crate) bodies: Vec<Named<Body>>,
    pub(crate) joints: Vec<Named<Joint>>,
    pub(crate) contacts: Vec<Named<Contact>>,
    pub(crate) drivers: Vec<Named<Driver>>,
    pub(crate) forces: Vec<Named<Force>>,
    /// Whether the run starts as if every clearance joint were ideal.
    pub(crate) centred: bool,
    pub(crate) conditions: Vec<Condition>,
    pub(crate) disturbance: Disturbance,
    pub(crate) channels: Option<Vec<(String, Place)>>,
    pub(crate) run: RunPlan,
}

/// A clearance joint, a contact or a stop, with its laws.
pub(crate) struct TouchingPart<'d> {
    pub(crate) name: &'d str,
    pub(crate) path: &'d str,
    pub(crate) touch: &'d Touching,
    /// The laws of a slot by region; elsewhere `touch` has the law.
    pub(crate) regions: &'d [(jointplay_mbd::Region, LawSpec)],
}

impl Document {
    /// Clearance joints, contacts and stops.
    pub(crate) fn touching(&self) -> impl Iterator<Item = TouchingPart<'_>> {
        self.joints.iter().filter_map(Named::touching).chain(self.touching_outside_joints())
    }

    /// Contacts and stops.
    pub(crate) fn touching_outside_joints(&self) -> impl Iterator<Item = TouchingPart<'_>> {
        let contacts = self.contacts.iter().map(|contact| contact.with(&contact.part.touch, &[]));
        let stops = self.forces.iter().filter_map(|force| match &force.part {
            Force::Stop { touch, .. } => Some(force.with(touch, &[])),
            _ => None,
        });
        contacts.chain(stops)
    }
}

impl Named<Joint> {
    /// The joint as one that touches, if it has clearance.
    pub(crate) fn touching(&self) -> Option<TouchingPart<'_>> {
        match &self.part.form {
            JointForm::Revolute { clearance: Some(journal), .. } => {
                Some(self.with(&journal.touch, &[]))
            }
            JointForm::Slot { clearance: Some(slot), .. } => {
                Some(self.with(&slot.touch, &slot.regions))
            }
            JointForm::Prismatic { clearance: Some(guide), .. } => {
                Some(self.with(&guide.touch, &[]))
            }
            _ => None,
        }
    }
}

impl<T> Named<T> {
    fn with<'d>(
        &'d self,
        touch: &'d Touching,
        regions: &'d [(jointplay_mbd::Region, LawSpec)],
    ) -> TouchingPart<'d> {
        TouchingPart { name: &self.name, path: &self.at.path, touch, regions }
    }
}

/// Small shifts of the bodies at the start, in directions that a seed chooses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Disturbance {
    /// Length of the shifts (m).
    pub(crate) length: f64,
    pub(crate) seed: u64,
}

impl Disturbance {
    /// The shift of a body (m).
    pub(crate) fn shift(self, body: usize) -> [f64; 2] {
        if self.length == 0.0 {
            return [0.0; 2];
        }
        // SplitMix64 (Steele, Lea, Flood 2014): neighbouring seeds give unrelated directions.
        let mut z = self.seed.wrapping_mul(1 << 20).wrapping_add(body as u64 + 1);
        z = z.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let turn = ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64;
        let (sin, cos) = libm::sincos(std::f64::consts::TAU * turn);
        [self.length * cos, self.length * sin]
    }
}

/// A part with its name and where it was said.
#[derive(Clone, Debug)]
pub(crate) struct Named<T> {
    pub(crate) name: String,
    pub(crate) at: At,
    pub(crate) part: T,
}

/// A place with its key.
#[derive(Clone, Debug, Default)]
pub(crate) struct At {
    pub(crate) path: String,
    pub(crate) place: Place,
}

/// A body by number: 0 is the ground, `i + 1` the body `i` of the document.
pub(crate) type BodyNumber = usize;

/// A point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    pub(crate) body: BodyNumber,
    pub(crate) local: [f64; 2],
}

/// A point of a body with a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Axis {
    pub(crate) point: Point,
    pub(crate) direction: [f64; 2],
}

/// The words that switch a joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum JointKind {
    #[default]
    Ideal,
    Bushing,
    Clearance,
}

/// A joint.
#[derive(Clone, Debug)]
pub(crate) struct Joint {
    pub(crate) kind: JointKind,
    pub(crate) a: Axis,
    pub(crate) b: Axis,
    pub(crate) form: JointForm,
    /// Given for a bushing.
    pub(crate) bushing: Option<BushingNumbers>,
}

/// The type of a joint, with what its kinds need.
#[derive(Clone, Debug)]
pub(crate) enum JointForm {
    Revolute { friction: Option<Friction>, clearance: Option<Journal> },
    Slot { path: SlotPath, clearance: Option<Slot> },
    Prismatic { friction: Option<Friction>, clearance: Option<Guide> },
    Weld,
    Rod { length: f64 },
}

impl JointForm {
    /// The word for it in a file.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            JointForm::Revolute { .. } => "revolute",
            JointForm::Slot { .. } => "slot",
            JointForm::Prismatic { .. } => "prismatic",
            JointForm::Weld => "weld",
            JointForm::Rod { .. } => "rod",
        }
    }

    /// The dimension of the coordinate that the joint leaves free.
    pub(crate) fn coordinate(&self) -> Option<Dimension> {
        match self {
            JointForm::Revolute { .. } => Some(Dimension::Angle),
            JointForm::Slot { path: SlotPath::Straight { .. }, .. }
            | JointForm::Prismatic { .. } => Some(Dimension::Length),
            _ => None,
        }
    }
}

/// Friction of an ideal joint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Friction {
    pub(crate) viscous: f64,
    /// Law and pin radius or block length (m).
    pub(crate) dry: Option<(FrictionLaw, f64)>,
}

/// Stiffness and damping along the axis, across it, and in turning.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BushingNumbers {
    pub(crate) stiffness: [f64; 3],
    pub(crate) damping: [f64; 3],
}

/// A journal in a bearing.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    pub(crate) bearing_radius: f64,
    pub(crate) clearance: f64,
    /// Where slip is measured, as [`jointplay_mbd::JournalBearing::depth`].
    pub(crate) depth: f64,
    pub(crate) surfaces: Surfaces,
    pub(crate) touch: Touching,
}

/// The centre line of a slot on its body.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SlotPath {
    Straight { from: [f64; 2], to: [f64; 2] },
    Curved { centre: [f64; 2], radius: f64, from_angle: f64, to_angle: f64 },
    Chain { points: Vec<ChainPoint> },
}

impl SlotPath {
    /// The radii of its arcs (m).
    pub(crate) fn radii(&self) -> impl Iterator<Item = f64> {
        let curved = match self {
            SlotPath::Curved { radius, .. } => Some(*radius),
            _ => None,
        };
        let points = match self {
            SlotPath::Chain { points } => &points[..],
            _ => &[],
        };
        let arcs = points.windows(2).filter_map(|pair| {
            let (centre, _) = pair[1].arc?;
            Some(libm::hypot(pair[0].at[0] - centre[0], pair[0].at[1] - centre[1]))
        });
        curved.into_iter().chain(arcs)
    }
}

/// A point of a chain; with an arc centre the way to it from the point before is an arc.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChainPoint {
    pub(crate) at: [f64; 2],
    pub(crate) arc: Option<([f64; 2], bool)>,
}

/// A pin in a slot.
#[derive(Clone, Debug)]
pub(crate) struct Slot {
    pub(crate) pin_radius: f64,
    /// Half widths at the two ends (m).
    pub(crate) radii: [f64; 2],
    /// Whether it is open where it begins and ends.
    pub(crate) open: [bool; 2],
    /// Where slip is measured: 0 on the slot's surface, ½ in the middle, 1 on the pin's.
    pub(crate) depth: f64,
    pub(crate) touch: Touching,
    /// Laws by region.
    pub(crate) regions: Vec<(jointplay_mbd::Region, LawSpec)>,
}

/// A block in a guide.
#[derive(Clone, Debug)]
pub(crate) struct Guide {
    pub(crate) block_length: f64,
    pub(crate) block_height: f64,
    /// Gap on each side of the centred block (m).
    pub(crate) clearance: f64,
    /// Where the walls begin and end along the guide (m), if they do.
    pub(crate) extent: Option<[f64; 2]>,
    pub(crate) touch: Touching,
}

/// A contact outside joints.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) form: ContactForm,
    pub(crate) touch: Touching,
}

/// The surfaces of a contact outside joints.
#[derive(Clone, Debug)]
pub(crate) enum ContactForm {
    Circles { a: (Point, f64), b: (Point, f64) },
    CircleLine { body: BodyNumber, from: [f64; 2], to: [f64; 2], circle: (Point, f64) },
}

/// What a contact says besides its geometry.
#[derive(Clone, Debug, Default)]
pub(crate) struct Touching {
    pub(crate) law: LawSpec,
    pub(crate) materials: Option<[Material; 2]>,
    pub(crate) length: Option<f64>,
    pub(crate) adhesive: bool,
    pub(crate) impact_speed_floor: Option<f64>,
    pub(crate) initial_impact_speed: Option<f64>,
    pub(crate) locate_turns: bool,
}

/// What is said about the law of a contact.
#[derive(Clone, Debug, Default)]
pub(crate) struct LawSpec {
    pub(crate) elastic: Option<ElasticKind>,
    /// In its place, a law of the user's own.
    pub(crate) user: Option<UserElastic>,
    /// Up to which indentation (m) and rate (m/s) a formula is used, where that is said.
    pub(crate) range: [Option<f64>; 2],
    pub(crate) damping: Option<DampingKind>,
    pub(crate) friction: Option<FrictionKind>,
    pub(crate) restitution: Option<Restitution>,
    /// The key that gives it: of the contact, of its law or of a region.
    pub(crate) restitution_key: String,
    pub(crate) half_width: Option<f64>,
    /// ΔR of a law of cylinders (m), where the surfaces have none.
    pub(crate) clearance: Option<f64>,
    /// Parameters by the keys of the data sheets.
    pub(crate) numbers: BTreeMap<String, f64>,
    /// The power of length in the unit of a stiffness, where it was written.
    pub(crate) stiffness_power: Option<f64>,
    /// Where the parameters stand.
    pub(crate) places: BTreeMap<String, Place>,
    /// Where the parts are named: `elastic`, `damping`, `friction`.
    pub(crate) named: BTreeMap<&'static str, Place>,
    pub(crate) at: At,
}

/// A scalar of the mechanism.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Coordinate {
    Joint(usize),
    Angle(BodyNumber),
    AngleBetween(BodyNumber, BodyNumber),
    X(Point),
    Y(Point),
    Distance(Point, Point),
}

/// A prescribed motion.
#[derive(Clone, Debug)]
pub(crate) struct Driver {
    pub(crate) coordinate: Coordinate,
    /// Length or angle.
    pub(crate) dimension: Dimension,
    pub(crate) signal: Signal,
}

/// A force.
#[derive(Clone, Debug)]
pub(crate) enum Force {
    Spring {
        a: Point,
        b: Point,
        stiffness: f64,
        damping: f64,
        free_length: f64,
        preload: f64,
    },
    TorsionSpring {
        a: BodyNumber,
        b: BodyNumber,
        stiffness: f64,
        damping: f64,
        free_angle: f64,
        preload: f64,
    },
    Load {
        on: Point,
        direction: [f64; 2],
        in_body: bool,
        size: Signal,
    },
    Torque {
        on: BodyNumber,
        against: BodyNumber,
        size: Signal,
    },
    Bushing {
        a: Axis,
        b: Axis,
        numbers: BushingNumbers,
    },
    Stop {
        coordinate: Coordinate,
        dimension: Dimension,
        limit: f64,
        side: Side,
        touch: Box<Touching>,
    },
}

/// A coordinate at the start.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) coordinate: Coordinate,
    pub(crate) value: Option<f64>,
    pub(crate) rate: Option<f64>,
    pub(crate) at: At,
}

/// How a model is to be run; [`RunPlan::simulation`] is the run.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RunPlan {
    /// The end (s).
    pub until: f64,
    /// The method of integration.
    pub method: Method,
    /// Tolerances.
    pub accuracy: Accuracy,
    /// The coordinates.
    pub formulation: Formulation,
    /// How constraints are kept.
    pub drift: DriftControl,
    /// Time between kept instants (s).
    pub interval: f64,
    /// No step is longer (s).
    pub max_step: Option<f64>,
    /// No step is shorter (s).
    pub min_step: Option<f64>,
    /// The first step (s).
    pub first_step: Option<f64>,
    /// The first step after each event (s).
    pub restart_step: Option<f64>,
    /// The greatest number of steps.
    pub max_steps: Option<usize>,
}

impl Default for RunPlan {
    fn default() -> Self {
        RunPlan {
            until: 1.0,
            method: Method::default(),
            accuracy: Accuracy::relative(1e-10),
            formulation: Formulation::default(),
            drift: DriftControl::default(),
            interval: 1.0 / 2000.0,
            max_step: None,
            min_step: None,
            first_step: None,
            restart_step: None,
            max_steps: None,
        }
    }
}

impl RunPlan {
    /// The run of a mechanism.
    pub fn simulation(&self, mechanism: &Mechanism) -> Simulation {
        let mut simulation = Simulation::new(mechanism)
            .formulation(self.formulation)
            .drift_control(self.drift)
            .method(self.method)
            .accuracy(self.accuracy)
            .until(self.until)
            .sampled(Sampling::Impacts(self.interval));
        if let Some(step) = self.max_step {
            simulation = simulation.max_step(step);
        }
        if let Some(step) = self.min_step {
            simulation = simulation.min_step(step);
        }
        if let Some(step) = self.first_step {
            simulation = simulation.first_step(step);
        }
        if let Some(step) = self.restart_step {
            simulation = simulation.restart_step(step);
        }
        if let Some(steps) = self.max_steps {
            simulation = simulation.max_steps(steps);
        }
        simulation
    }
}
