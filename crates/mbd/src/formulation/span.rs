//! Chooses which joints become edges of the tree, and which stay constraints.
//!
//! Driven joints come first, so that their drivers are eliminated; then joints to the ground, so that branches are
//! short; then the rest in the order of creation. A group of bodies without an edge to the ground
//! is attached to its heaviest body, which is free in the plane.

use super::tree::{Link, LinkKind, Tree, Variable};
use super::{Core, Formulation, Structure};
use crate::circle::sin_cos;
use crate::contact::{ContactElement, Gap};
use crate::error::{Error, PartKind, PartRef};
use crate::frame::GROUND;
use crate::joint::{Joint, JointKind};
use crate::mechanism::{Coordinate, Mechanism, coordinate_row};
use crate::row::{Row, RowKind, Station};

/// The place of a joint in the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JointPlace {
    /// An edge of the tree.
    Link {
        /// Its link.
        link: usize,
        /// Whether the link moves body b; otherwise it moves body a.
        moves_b: bool,
    },
    /// Constraints, from this row on.
    Rows(usize),
}

/// The place of a driver in the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DriverPlace {
    /// It moves a link.
    Link { link: usize },
    /// A constraint.
    Row(usize),
}

/// The owner of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOwner {
    /// Of a joint, with its number among the joint's rows.
    Joint { joint: usize, row: usize },
    /// Of a driver.
    Driver(usize),
}

/// The equations of a mechanism, and the places of its parts in them.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) structure: Structure,
    pub(crate) joints: Vec<JointPlace>,
    pub(crate) drivers: Vec<DriverPlace>,
    pub(crate) owners: Vec<RowOwner>,
    /// The row that measures each unknown.
    pub(crate) unknowns: Vec<Row>,
    /// The weight of each frame (N).
    pub(crate) weight: Vec<[f64; 3]>,
}

pub(crate) fn layout(
    mechanism: &Mechanism,
    formulation: Formulation,
    baumgarte: [f64; 2],
) -> Result<Layout, Error> {
    let layout = match formulation {
        Formulation::Joint => Spanning::new(mechanism).layout(baumgarte),
        Formulation::Absolute => absolute(mechanism, inverse_masses(mechanism)?, baumgarte),
        Formulation::Auto => {
            let joint = Spanning::new(mechanism).layout(baumgarte);
            match inverse_masses(mechanism) {
                Ok(inverse) if is_mostly_free(mechanism, &joint.structure) => {
                    absolute(mechanism, inverse, baumgarte)
                }
                _ => joint,
            }
        }
    };
    Ok(Layout { structure: layout.structure.judged(mechanism.length), ..layout })
}

/// Whether there are many bodies, most of them free in the plane. In joint coordinates each of them is three links of the recursion,
/// and a step takes three times as long (bench b7); with fewer bodies it makes no difference.
fn is_mostly_free(mechanism: &Mechanism, joint: &Structure) -> bool {
    const MANY: usize = 4;
    let bodies = mechanism.bodies.len();
    // A free body is attached to two frames of its own.
    let free = (joint.frames - 1 - bodies) / 2;
    free >= MANY && 4 * free >= 3 * bodies
}

/// 1/m, 1/m, 1/J of each frame. A point mass does not turn, which is admissible if nothing depends
/// on its angle.
fn inverse_masses(mechanism: &Mechanism) -> Result<Vec<[f64; 3]>, Error> {
    let mut inverse = vec![[0.0; 3]];
    for (i, (name, body)) in mechanism.bodies.iter().enumerate() {
        let part = || PartRef::new(PartKind::Body, name);
        if body.mass == 0.0 {
            return Err(Error::NoInertia { part: part(), what: "mass", why: "" });
        }
        if body.inertia == 0.0 && !is_point(mechanism, i + 1) {
            let (what, why) = ("moment of inertia", " to hold or load it off its centre of mass");
            return Err(Error::NoInertia { part: part(), what, why });
        }
        let inertia = if body.inertia > 0.0 { 1.0 / body.inertia } else { 0.0 };
        inverse.push([1.0 / body.mass, 1.0 / body.mass, inertia]);
    }
    Ok(inverse)
}

/// Inverse masses of all frames as if they were free; a body without mass is judged by the mass of the mechanism.
fn free_masses(mechanism: &Mechanism, frames: usize) -> Vec<[f64; 3]> {
    let total: f64 = mechanism.bodies.iter().map(|(_, body)| body.mass).sum();
    let mut free = vec![[0.0; 3]; frames];
    for (free, (_, body)) in free[1..].iter_mut().zip(&mechanism.bodies) {
        let mass = if body.mass > 0.0 { body.mass } else { total };
        let square = mechanism.length * mechanism.length;
        let inertia = if body.inertia > 0.0 { body.inertia } else { mass * square };
        *free = [1.0 / mass, 1.0 / mass, 1.0 / inertia];
    }
    free
}

/// The weight of each frame.
fn weights(mechanism: &Mechanism, frames: usize) -> Vec<[f64; 3]> {
    let [gx, gy] = mechanism.gravity;
    let mut weights = vec![[0.0; 3]; frames];
    for (weight, (_, body)) in weights[1..].iter_mut().zip(&mechanism.bodies) {
        *weight = [body.mass * gx, body.mass * gy, 0.0];
    }
    weights
}

/// Whether every joint, driver, force and contact holds this body at its centre of mass and leaves its angle alone.
pub(crate) fn is_point(mechanism: &Mechanism, frame: usize) -> bool {
    let central = |station: Station| station.frame != frame || station.local == [0.0, 0.0];
    let turns = |row: &Row| {
        let turns_with = matches!(row.kind, RowKind::Along(_)) && row.a.frame == frame;
        let held = row.kind != RowKind::Angle && !turns_with && central(row.a) && central(row.b);
        row.frames().contains(&frame) && !held
    };
    let rows = mechanism.joint_rows.iter().flatten().chain(&mechanism.driver_rows);
    let contact_turns = |contact: &ContactElement| match &contact.gap {
        Gap::Stop { row, .. } => turns(row),
        Gap::Flat { middle, .. } if middle.frame == frame => true,
        gap @ (Gap::Journal { .. } | Gap::Bulge { .. } | Gap::Flat { .. }) => {
            // Friction acts on the surface.
            let held = contact.friction_account.is_none()
                && gap.stations().is_some_and(|pair| pair.into_iter().all(central));
            gap.frames().contains(&frame) && !held
        }
    };
    !rows.into_iter().any(turns)
        && !mechanism.contacts.iter().any(contact_turns)
        && !mechanism.elements.iter().any(|element| element.turns(frame))
}

/// Every joint and driver is a constraint between bodies with these inverse masses.
pub(crate) fn absolute(
    mechanism: &Mechanism,
    inverse: Vec<[f64; 3]>,
    baumgarte: [f64; 2],
) -> Layout {
    let frames = inverse.len();
    let mut rows = Rows::default();
    let joints =
        (0..mechanism.joints.len()).map(|joint| rows.push_joint(mechanism, joint)).collect();
    let drivers =
        (0..mechanism.drivers.len()).map(|driver| rows.push_driver(mechanism, driver)).collect();
    let unknowns = (1..frames).flat_map(body_rows).collect();
    let free = inverse.clone();
    let structure = Structure::new(Core::Bodies(inverse), free, rows.rows, baumgarte);
    Layout {
        structure,
        joints,
        drivers,
        owners: rows.owners,
        unknowns,
        weight: weights(mechanism, frames),
    }
}

/// The rows that measure position and angle of a frame.
fn body_rows(frame: usize) -> [Row; 3] {
    let a = Station { frame: 0, local: [0.0, 0.0] };
    let b = Station { frame, local: [0.0, 0.0] };
    [RowKind::X, RowKind::Y, RowKind::Angle].map(|kind| Row {
        kind,
        a,
        b,
        offset: 0.0,
        driver: None,
    })
}

#[derive(Default)]
struct Rows {
    rows: Vec<Row>,
    owners: Vec<RowOwner>,
}

impl Rows {
    fn push_joint(&mut self, mechanism: &Mechanism, joint: usize) -> JointPlace {
        let first = self.rows.len();
        for (row, value) in mechanism.joint_rows[joint].iter().enumerate() {
            self.rows.push(*value);
            self.owners.push(RowOwner::Joint { joint, row });
        }
        JointPlace::Rows(first)
    }

    fn push_driver(&mut self, mechanism: &Mechanism, driver: usize) -> DriverPlace {
        self.rows.push(mechanism.driver_rows[driver]);
        self.owners.push(RowOwner::Driver(driver));
        DriverPlace::Row(self.rows.len() - 1)
    }
}

/// A spanning forest under construction.
struct Spanning<'m> {
    mechanism: &'m Mechanism,
    /// Edges at each frame: joints.
    edges: Vec<Vec<usize>>,
    /// The driver that moves each tree joint.
    drives: Vec<Option<usize>>,
    links: Vec<Link>,
    link_of_frame: Vec<Option<usize>>,
    frames: usize,
    places: Vec<Option<JointPlace>>,
    driver_places: Vec<Option<DriverPlace>>,
    unknowns: Vec<Row>,
}

impl<'m> Spanning<'m> {
    fn new(mechanism: &'m Mechanism) -> Self {
        let frames = mechanism.bodies.len() + 1;
        Spanning {
            mechanism,
            edges: vec![Vec::new(); frames],
            drives: vec![None; mechanism.joints.len()],
            links: Vec::new(),
            link_of_frame: vec![None; frames],
            frames,
            places: vec![None; mechanism.joints.len()],
            driver_places: vec![None; mechanism.drivers.len()],
            unknowns: Vec::new(),
        }
    }

    fn layout(mut self, baumgarte: [f64; 2]) -> Layout {
        self.choose_edges();
        let bodies = self.frames;
        self.grow(0);
        // The heaviest body of what hangs on nothing is its root. Sorted once: a chain with a clearance in every joint has as many
        // roots as bodies.
        let mut heaviest_first: Vec<usize> = (1..bodies).collect();
        heaviest_first.sort_by(|&a, &b| {
            let weight = |frame: usize| {
                let body = &self.mechanism.bodies[frame - 1].1;
                (body.mass, body.inertia)
            };
            let order = weight(b).partial_cmp(&weight(a)).expect("masses are numbers");
            order.then(a.cmp(&b)) // of equals the first
        });
        for root in heaviest_first {
            if self.link_of_frame[root].is_none() {
                self.hang_free(root);
                self.grow(root);
            }
        }
        let mut rows = Rows::default();
        for joint in 0..self.places.len() {
            if self.places[joint].is_none() {
                self.places[joint] = Some(rows.push_joint(self.mechanism, joint));
            }
        }
        for driver in 0..self.driver_places.len() {
            if self.driver_places[driver].is_none() {
                self.driver_places[driver] = Some(rows.push_driver(self.mechanism, driver));
            }
        }
        let free = free_masses(self.mechanism, self.frames);
        let tree = Tree::new(self.links, self.link_of_frame, self.unknowns.len());
        Layout {
            structure: Structure::new(Core::Tree(tree), free, rows.rows, baumgarte),
            joints: self.places.into_iter().flatten().collect(),
            drivers: self.driver_places.into_iter().flatten().collect(),
            owners: rows.owners,
            unknowns: self.unknowns,
            weight: weights(self.mechanism, self.frames),
        }
    }

    /// A driver prescribes the coordinate of a joint directly, or as the angle between its bodies.
    fn driver_of(&self, joint: usize) -> Option<usize> {
        let Joint { kind, a, b, .. } = &self.mechanism.joints[joint];
        let pair = (a.anchor.body, b.anchor.body);
        let same = |coordinate: Coordinate| match coordinate {
            Coordinate::Joint(id) => id.0 == joint,
            Coordinate::Angle(body) => *kind == JointKind::Revolute && pair == (GROUND, body),
            Coordinate::AngleBetween(a, b) => *kind == JointKind::Revolute && pair == (a, b),
            Coordinate::X(_) | Coordinate::Y(_) | Coordinate::Distance(..) => false,
        };
        self.mechanism.drivers.iter().position(|driver| same(driver.coordinate))
    }

    fn choose_edges(&mut self) {
        let joints = &self.mechanism.joints;
        let is_edge = |kind: JointKind| match kind {
            JointKind::Revolute | JointKind::Prismatic | JointKind::Weld => true,
            JointKind::PointOnLine | JointKind::Distance { .. } => false,
        };
        let mut candidates: Vec<(bool, bool, usize)> = (0..joints.len())
            .filter(|&joint| is_edge(joints[joint].kind))
            .map(|joint| {
                let Joint { a, b, .. } = &joints[joint];
                let grounded = a.anchor.body == GROUND || b.anchor.body == GROUND;
                (self.driver_of(joint).is_none(), !grounded, joint)
            })
            .collect();
        candidates.sort_unstable();
        let mut group: Vec<usize> = (0..self.edges.len()).collect();
        for (_, _, joint) in candidates {
            let Joint { a, b, .. } = &joints[joint];
            let (a, b) = (a.anchor.body.0, b.anchor.body.0);
            let (group_a, group_b) = (find(&mut group, a), find(&mut group, b));
            if group_a != group_b {
                group[group_a] = group_b;
                self.edges[a].push(joint);
                self.edges[b].push(joint);
                self.drives[joint] = self.driver_of(joint);
            }
        }
    }

    /// Attaches everything that is connected to this frame, nearest first.
    fn grow(&mut self, root: usize) {
        let mut queue = std::collections::VecDeque::from([root]);
        while let Some(parent) = queue.pop_front() {
            for joint in self.edges[parent].clone() {
                if self.places[joint].is_none() {
                    queue.push_back(self.hang(joint, parent));
                }
            }
        }
    }

    /// Adds the link of a joint whose other body is the parent; the frame that it moves.
    fn hang(&mut self, joint: usize, parent: usize) -> usize {
        let Joint { kind, a, b, .. } = &self.mechanism.joints[joint];
        let stations = self.mechanism.stations();
        let (place_a, place_b) = (stations.station(a.anchor), stations.station(b.anchor));
        let moves_b = place_a.frame == parent;
        let (from, to) = if moves_b { (place_a, place_b) } else { (place_b, place_a) };
        let axis = if moves_b { a } else { b };
        let sign = if moves_b { 1.0 } else { -1.0 };
        let direction = crate::frame::unit(axis.direction);
        let kind = match kind {
            JointKind::Revolute => LinkKind::Turn,
            JointKind::Prismatic => LinkKind::Slide(direction),
            JointKind::Weld | JointKind::PointOnLine | JointKind::Distance { .. } => {
                LinkKind::Fixed
            }
        };
        let angle = if kind == LinkKind::Turn { 0.0 } else { sign * stations.relative_angle(a, b) };
        let measure = (kind != LinkKind::Fixed)
            .then(|| coordinate_row(self.mechanism, Coordinate::Joint(crate::JointId(joint))));
        let driver = self.drives[joint];
        let (frame, local) = (to.frame, to.local);
        let link =
            self.add_link(parent, frame, kind, sign, (from.local, local), angle, measure, driver);
        self.places[joint] = Some(JointPlace::Link { link, moves_b });
        frame
    }

    /// Adds the links of a body that is free in the plane.
    fn hang_free(&mut self, body: usize) {
        let rows = body_rows(body);
        let driver = |row: &Row| {
            let same = |other: &Row| (other.kind, other.a, other.b) == (row.kind, row.a, row.b);
            self.mechanism.driver_rows.iter().position(same)
        };
        let mass = &self.mechanism.bodies[body - 1].1;
        let alone = self.edges[body].is_empty();
        let turns = !(mass.inertia == 0.0 && alone && is_point(self.mechanism, body));
        let [x, y, angle] = rows;
        let drives = [
            driver(&x),
            driver(&y),
            driver(&Row { b: angle_station(self.mechanism, body), ..angle }),
        ];
        let none = ([0.0; 2], [0.0; 2]);
        let (along_x, along_y) = (LinkKind::Slide([1.0, 0.0]), LinkKind::Slide([0.0, 1.0]));
        let first = self.add_frame();
        self.add_link(0, first, along_x, 1.0, none, 0.0, Some(x), drives[0]);
        if turns {
            let second = self.add_frame();
            self.add_link(first, second, along_y, 1.0, none, 0.0, Some(y), drives[1]);
            self.add_link(second, body, LinkKind::Turn, 1.0, none, 0.0, Some(angle), drives[2]);
        } else {
            self.add_link(first, body, along_y, 1.0, none, 0.0, Some(y), drives[1]);
        }
    }

    fn add_frame(&mut self) -> usize {
        self.frames += 1;
        self.link_of_frame.push(None);
        self.frames - 1
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of a link, called from two places")]
    fn add_link(
        &mut self,
        parent: usize,
        frame: usize,
        kind: LinkKind,
        sign: f64,
        (from, to): ([f64; 2], [f64; 2]),
        angle: f64,
        measure: Option<Row>,
        driver: Option<usize>,
    ) -> usize {
        let link = self.links.len();
        let variable = match (measure, driver) {
            (None, _) => Variable::Absent,
            (Some(_), Some(driver)) => {
                self.driver_places[driver] = Some(DriverPlace::Link { link });
                Variable::Driven(driver)
            }
            (Some(row), None) => {
                self.unknowns.push(row);
                Variable::Free(self.unknowns.len() - 1)
            }
        };
        let body = frame.checked_sub(1).and_then(|body| self.mechanism.bodies.get(body));
        let (mass, mut inertia) = body.map_or((0.0, 0.0), |(_, body)| (body.mass, body.inertia));
        let turns = kind == LinkKind::Turn && matches!(variable, Variable::Free(_));
        let idle = turns && mass > 0.0 && inertia == 0.0 && is_point(self.mechanism, frame);
        if idle {
            inertia = 1.0;
        }
        let (sin, cos) = sin_cos(angle);
        let offset = [from[0] - (cos * to[0] - sin * to[1]), from[1] - (sin * to[0] + cos * to[1])];
        self.links.push(Link {
            frame,
            parent,
            holder: self.link_of_frame[parent],
            kind,
            variable,
            sign,
            from,
            to,
            angle,
            tilt: [cos, sin],
            offset,
            idle,
            mass,
            inertia,
            leaf: true,
            last: false,
            prescribed: false,
            alone: false,
        });
        self.link_of_frame[frame] = Some(link);
        link
    }
}

/// The place of a driver of the angle of a body: the origin of the body's frame.
fn angle_station(mechanism: &Mechanism, body: usize) -> Station {
    mechanism.stations().station(crate::BodyId(body).origin())
}

/// The representative of a frame's group.
fn find(group: &mut [usize], mut frame: usize) -> usize {
    while group[frame] != frame {
        group[frame] = group[group[frame]];
        frame = group[frame];
    }
    frame
}
