//! The drawing of a mechanism at every kept instant: the shapes of bodies, joints, forces, drivers.

use std::collections::HashMap;

use jointplay_mbd::{Anchor, Axis, BodyId, ContactId, ContactKind, Coordinate, GROUND, Snapshot};
use jointplay_model::{Block, BlockSize, FitKind, ForceDrawing, ForceForm, JointForm, Model};
use serde::Serialize;

use crate::container::{Numbers, Ref};
use crate::touch::{ContactTrack, ContactView};

/// The scene of a run.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
pub(crate) struct Scene {
    gravity: [f64; 2],
    /// xmin, ymin, xmax, ymax of everything drawn over the whole motion (m).
    bounds: [f64; 4],
    /// Characteristic length (m).
    size: f64,
    bodies: Vec<BodyView>,
    joints: Vec<JointView>,
    contacts: Vec<ContactView>,
    forces: Vec<ForceView>,
    drivers: Vec<DriverView>,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct BodyView {
    name: String,
    fixed: bool,
    x: Ref,
    y: Ref,
    angle: Ref,
    shapes: Vec<BodyShape>,
}

/// A shape in the frame of a body.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum BodyShape {
    /// A rounded bar or plate through these places.
    Link { points: Vec<[f64; 2]> },
    /// A block with its long axis.
    Block { centre: [f64; 2], direction: [f64; 2], length: f64, height: f64 },
    /// A disc.
    Disc { centre: [f64; 2], radius: f64 },
}

impl BodyShape {
    /// How far it extends beyond the places of its body (m).
    fn reach(&self) -> f64 {
        match self {
            BodyShape::Link { .. } => 0.0,
            BodyShape::Block { length, height, .. } => 0.5 * libm::hypot(*length, *height),
            BodyShape::Disc { radius, .. } => *radius,
        }
    }
}

/// A place on a body.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Place {
    body: usize,
    at: [f64; 2],
    direction: [f64; 2],
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct JointView {
    name: String,
    #[serde(rename = "type")]
    form: JointForm,
    kind: FitKind,
    a: Place,
    b: Place,
    /// Force of a on b in the world (N).
    fx: Option<Ref>,
    fy: Option<Ref>,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct ForceView {
    name: String,
    #[serde(rename = "type")]
    form: ForceForm,
    a: Option<Place>,
    b: Option<Place>,
    fx: Option<Ref>,
    fy: Option<Ref>,
    moment: Option<Ref>,
}

/// What a driver prescribes.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum DriverKind {
    Angle,
    Length,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct DriverView {
    name: String,
    a: Option<Place>,
    kind: DriverKind,
    effort: Ref,
}

/// The bodies by number: 0 is the ground.
pub(crate) struct Bodies(HashMap<BodyId, usize>);

impl Bodies {
    pub(crate) fn of(model: &Model) -> Self {
        let others = model.mechanism.bodies().map(|(id, _, _)| id);
        Bodies(std::iter::once(GROUND).chain(others).zip(0..).collect())
    }

    /// The number of a body of the same mechanism.
    pub(crate) fn number(&self, body: BodyId) -> usize {
        self.0.get(&body).copied().unwrap_or(0)
    }

    fn place(&self, axis: Axis) -> Place {
        let body = self.number(axis.anchor.body);
        Place { body, at: axis.anchor.local, direction: axis.direction }
    }

    fn point(&self, anchor: Anchor) -> Place {
        self.place(anchor.along([1.0, 0.0]))
    }
}

/// Series of the scene, collected during a run.
pub(crate) struct SceneTrack<'m> {
    model: &'m Model,
    bodies: Bodies,
    poses: Vec<[Vec<f64>; 3]>,
    forces: Vec<[Vec<f64>; 3]>,
    efforts: Vec<Vec<f64>>,
    contacts: Vec<ContactTrack<'m>>,
}

impl<'m> SceneTrack<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mechanism = &model.mechanism;
        let empty = || [Vec::new(), Vec::new(), Vec::new()];
        let contacts = model.gaps().iter().map(|(name, gap)| ContactTrack::new(name, gap));
        SceneTrack {
            model,
            bodies: Bodies::of(model),
            poses: mechanism.bodies().map(|_| empty()).collect(),
            forces: mechanism.forces().map(|_| empty()).collect(),
            efforts: mechanism.drivers().map(|_| Vec::new()).collect(),
            contacts: contacts.collect(),
        }
    }

    /// Takes one instant.
    pub(crate) fn take(&mut self, at: &Snapshot<'_>) {
        let mechanism = &self.model.mechanism;
        for ((body, _, _), [x, y, angle]) in mechanism.bodies().zip(&mut self.poses) {
            let position = at.position(body).position;
            x.push(position[0]);
            y.push(position[1]);
            angle.push(at.angle(body).value);
        }
        for ((force, _, _), [x, y, moment]) in mechanism.forces().zip(&mut self.forces) {
            let report = at.force(force);
            x.push(report.force[0]);
            y.push(report.force[1]);
            moment.push(report.moment);
        }
        for ((driver, _, _), effort) in mechanism.drivers().zip(&mut self.efforts) {
            effort.push(at.driver(driver).effort);
        }
        for contact in &mut self.contacts {
            contact.take(at);
        }
    }

    /// The scene at the kept instants. `channel` finds series that the recording already contains.
    pub(crate) fn finish(
        self,
        numbers: &mut Numbers,
        keep: &dyn Fn(&[f64]) -> Vec<f64>,
        channel: &dyn Fn(&str) -> Option<Ref>,
    ) -> Scene {
        let SceneTrack { model, bodies, poses, forces, efforts, contacts } = self;
        let places = Places::of(model);
        let size = extent(model, &places);
        let shapes = |body| shapes(model, &places, body, size);
        let none = numbers.add(&[]);
        let ground = BodyView {
            name: "ground".to_owned(),
            fixed: true,
            x: none,
            y: none,
            angle: none,
            shapes: shapes(GROUND),
        };
        let mut bounds = Bounds::default();
        for anchor in places.of_body(GROUND) {
            bounds.add(*anchor);
        }
        let mut views = vec![ground];
        for ((id, name, part), pose) in model.mechanism.bodies().zip(&poses) {
            let mut places = places.of_body(id).to_vec();
            places.push(part.centre_of_mass);
            let drawn = shapes(id);
            let radius = drawn.iter().map(BodyShape::reach).fold(0.0, f64::max);
            for ((x, y), angle) in pose[0].iter().zip(&pose[1]).zip(&pose[2]) {
                let (sin, cos) = libm::sincos(*angle);
                for p in &places {
                    let place = [x + cos * p[0] - sin * p[1], y + sin * p[0] + cos * p[1]];
                    bounds.add([place[0] - radius, place[1] - radius]);
                    bounds.add([place[0] + radius, place[1] + radius]);
                }
            }
            let [x, y, angle] = pose.each_ref().map(|series| numbers.add(&keep(series)));
            let (name, shapes) = (name.to_owned(), drawn);
            views.push(BodyView { name, fixed: false, x, y, angle, shapes });
        }
        let joints = model.joints.iter().map(|joint| {
            let kind = joint.handle.kind();
            let [a, b] = joint.places.map(|axis| bodies.place(axis));
            let [fx, fy] = ["fx", "fy"].map(|key| channel(&format!("{}.{key}", joint.name)));
            JointView { name: joint.name.clone(), form: joint.form, kind, a, b, fx, fy }
        });
        let joints = joints.collect();
        let forces = force_views(model, &bodies, &forces, &mut |series| numbers.add(&keep(series)));
        let drivers = model.mechanism.drivers().zip(&efforts).map(|((_, name, driver), effort)| {
            let (a, kind) = driven(model, &bodies, driver.coordinate);
            DriverView { name: name.to_owned(), a, kind, effort: numbers.add(&keep(effort)) }
        });
        let drivers = drivers.collect();
        let contacts = contacts.into_iter().map(|track| track.finish(&bodies, numbers, keep));
        Scene {
            gravity: model.mechanism.gravity(),
            bounds: bounds.around(size),
            size,
            bodies: views,
            joints,
            contacts: contacts.collect(),
            forces,
            drivers,
        }
    }
}

/// The force elements; `add` keeps a series.
fn force_views(
    model: &Model,
    bodies: &Bodies,
    forces: &[[Vec<f64>; 3]],
    add: &mut dyn FnMut(&[f64]) -> Ref,
) -> Vec<ForceView> {
    let mut views = Vec::new();
    for ((_, name, force), series) in model.mechanism.forces().zip(forces) {
        let ForceDrawing { form, a, b, turns } = ForceDrawing::of(force);
        let (a, b) = (a.map(|a| bodies.place(a)), Some(bodies.place(b)));
        let [fx, fy] = [0, 1].map(|i: usize| (!turns).then(|| add(&series[i])));
        let moment = turns.then(|| add(&series[2]));
        views.push(ForceView { name: name.to_owned(), form, a, b, fx, fy, moment });
    }
    views
}

/// The place and the bodies on which a driver acts.
fn driven(model: &Model, bodies: &Bodies, coordinate: Coordinate) -> (Option<Place>, DriverKind) {
    let between = |a: BodyId, b: BodyId| {
        let joint = model.joints.iter().find(|joint| {
            let [p, q] = joint.places.map(|axis| axis.anchor.body);
            (p, q) == (a, b) || (p, q) == (b, a)
        });
        joint.map(|joint| bodies.place(joint.places[0]))
    };
    let place = match coordinate {
        Coordinate::Joint(id) => Some(bodies.place(model.mechanism.joint(id).a)),
        Coordinate::Angle(body) => {
            Some(between(GROUND, body).unwrap_or_else(|| bodies.point(body.origin())))
        }
        Coordinate::AngleBetween(a, b) => between(a, b),
        Coordinate::X(point) | Coordinate::Y(point) | Coordinate::Distance(point, _) => {
            Some(bodies.point(point))
        }
    };
    let is_angle = model.mechanism.is_angle(coordinate);
    (place, if is_angle { DriverKind::Angle } else { DriverKind::Length })
}

/// A box around points.
struct Bounds([f64; 4]);

impl Default for Bounds {
    fn default() -> Self {
        Bounds([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY])
    }
}

impl Bounds {
    fn add(&mut self, [x, y]: [f64; 2]) {
        let [left, low, right, high] = self.0;
        self.0 = [left.min(x), low.min(y), right.max(x), high.max(y)];
    }

    /// The box with a margin; the unit square if it holds nothing.
    fn around(&self, size: f64) -> [f64; 4] {
        let [left, low, right, high] = self.0;
        if !(left <= right && low <= high && right.is_finite() && high.is_finite()) {
            return [-0.5, -0.5, 0.5, 0.5];
        }
        let margin = 0.08 * size.max(right - left).max(high - low);
        [left - margin, low - margin, right + margin, high + margin]
    }
}

/// The places of the bodies that other parts hold on to, in their frames, each once; and what else is drawn of each body.
#[derive(Default)]
struct Places {
    anchors: HashMap<BodyId, Vec<[f64; 2]>>,
    blocks: HashMap<BodyId, Vec<Block>>,
    /// The contacts with walls whose pin or wall is on a body.
    walls: HashMap<BodyId, Vec<ContactId>>,
}

impl Places {
    fn of(model: &Model) -> Self {
        let mut found = Places::default();
        for joint in &model.joints {
            joint.places.iter().for_each(|axis| found.add(axis.anchor));
            if let Some(first) = joint.centre_line.first() {
                let wall = joint.places[0].anchor.body;
                found.add(wall.at(*first));
                joint.centre_line.last().into_iter().for_each(|last| found.add(wall.at(*last)));
            }
            if let Some(block) = joint.block {
                found.blocks.entry(block.axis.anchor.body).or_default().push(block);
            }
        }
        for (id, _, contact) in model.mechanism.contacts() {
            match contact.kind {
                ContactKind::Journal(journal) => {
                    found.add(journal.bearing);
                    found.add(journal.journal);
                }
                ContactKind::Wall(wall) => {
                    // Corners of blocks are no places to hold on to.
                    if wall.pin_radius > 0.0 {
                        found.add(wall.pin);
                    }
                    found.walls.entry(wall.body).or_default().push(id);
                    if wall.pin.body != wall.body {
                        found.walls.entry(wall.pin.body).or_default().push(id);
                    }
                }
                ContactKind::Stop { .. } => {}
            }
        }
        for (_, _, force) in model.mechanism.forces() {
            ForceDrawing::of(force).anchors().for_each(|end| found.add(end));
        }
        found
    }

    fn add(&mut self, place: Anchor) {
        let of_body = self.anchors.entry(place.body).or_default();
        let near = |p: &[f64; 2]| libm::hypot(p[0] - place.local[0], p[1] - place.local[1]) < 1e-9;
        if !of_body.iter().any(near) {
            of_body.push(place.local);
        }
    }

    fn of_body(&self, body: BodyId) -> &[[f64; 2]] {
        self.anchors.get(&body).map_or(&[], Vec::as_slice)
    }
}

/// The characteristic length of the drawing: the longest distance within a body, or between places
/// on the ground.
fn extent(model: &Model, places: &Places) -> f64 {
    let bodies = std::iter::once(GROUND).chain(model.mechanism.bodies().map(|(id, _, _)| id));
    let mut size: f64 = 0.0;
    for body in bodies {
        let places = places.of_body(body);
        for a in places {
            for b in places {
                size = size.max(libm::hypot(a[0] - b[0], a[1] - b[1]));
            }
        }
    }
    for (_, _, contact) in model.mechanism.contacts() {
        size = size.max(match contact.kind {
            ContactKind::Journal(journal) => 4.0 * journal.bearing_radius,
            ContactKind::Wall(wall) => 4.0 * wall.pin_radius,
            ContactKind::Stop { .. } => 0.0,
        });
    }
    if size > 0.0 { size } else { 1.0 }
}

/// The shapes of a body.
fn shapes(model: &Model, all: &Places, body: BodyId, size: f64) -> Vec<BodyShape> {
    let mut shapes = Vec::new();
    if body == GROUND {
        return shapes;
    }
    let places = all.of_body(body);
    for block in all.blocks.get(&body).into_iter().flatten() {
        let axis = block.axis;
        let usual = BlockSize { length: 0.16 * size, height: 0.1 * size };
        let BlockSize { length, height } = block.size.unwrap_or(usual);
        let (centre, direction) = (axis.anchor.local, axis.direction);
        shapes.push(BodyShape::Block { centre, direction, length, height });
    }
    // Circles that may hit something are drawn with their own radius.
    for id in all.walls.get(&body).into_iter().flatten() {
        let wall = match model.mechanism.contact(*id).kind {
            ContactKind::Wall(wall) => wall,
            // A journal is drawn together with its gap.
            ContactKind::Journal(_) | ContactKind::Stop { .. } => continue,
        };
        let mut discs = Vec::new();
        if wall.pin.body == body && wall.pin_radius > 0.02 * size && places.len() == 1 {
            discs.push(BodyShape::Disc { centre: wall.pin.local, radius: wall.pin_radius });
        }
        if wall.body == body
            && let jointplay_mbd::Shape::Arc { centre, radius, sweep, .. } = wall.section.shape
            && sweep < 0.0
            && radius > 0.02 * size
            && places.len() <= 1
        {
            discs.push(BodyShape::Disc { centre, radius });
        }
        for disc in discs {
            if !shapes.contains(&disc) {
                shapes.push(disc);
            }
        }
    }
    if places.len() >= 2 {
        shapes.push(BodyShape::Link { points: places.to_vec() });
    } else if shapes.is_empty() {
        let part = model.mechanism.body(body);
        let centre = part.map_or([0.0; 2], |part| part.centre_of_mass);
        shapes.push(BodyShape::Disc { centre, radius: 0.04 * size });
    }
    shapes
}
