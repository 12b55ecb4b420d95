//! From a document to a mechanism: the real one, and the one with ideal joints that a centred start is taken from.

mod explain;
mod touch;

use std::collections::BTreeMap;

use jointplay_contact::catalog::LawOrigin;
use jointplay_mbd::{
    self as mbd, Anchor, BodyId, Builder, ContactId, DriftControl, DryFriction, Equations, Facing,
    ForceId, Formulation, GROUND, JointFriction, JointId, LoadFrame, Mechanism, Phase, Snapshot,
    Start, StartReport,
};

use crate::document::{
    At, Axis, BushingNumbers, ContactForm, Coordinate, Document, Force, Friction, Joint, JointForm,
    JointKind, Named, Point, SlotPath,
};
use crate::problem::Problems;
use explain::explain;
pub(crate) use touch::centre_line;
use touch::slot_walls;

/// What became of a joint of the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Handle {
    /// A constraint.
    Ideal(JointId),
    /// An elastic bearing.
    Bushing(ForceId),
    /// Contacts, by region.
    Clearance(Vec<Region>),
}

/// One contact of a clearance joint, or a contact of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Region {
    /// The contact.
    pub contact: ContactId,
    /// Its region: `bearing`, `flat`, `end`, `stop`, …
    pub name: &'static str,
}

/// Which mechanism is built from a document.
enum Variant<'a> {
    /// The one that runs; bodies may be placed anew.
    Real(Option<&'a [Placement]>),
    /// Every clearance joint is ideal; there are no contacts.
    Ideal,
}

/// Where a body starts, and how fast.
struct Placement {
    position: [f64; 2],
    angle: f64,
    velocity: [f64; 2],
    omega: f64,
}

/// A mechanism with the handles of its parts.
pub(crate) struct Built {
    pub(crate) mechanism: Mechanism,
    pub(crate) start: StartReport,
    pub(crate) handles: Handles,
    /// How far the nearest wall of each joint is at the start (m), in the order of the document.
    pub(crate) rooms: Vec<f64>,
}

/// The handles of the parts.
#[derive(Default)]
pub(crate) struct Handles {
    /// The ground and the bodies in the order of the document.
    pub(crate) bodies: Vec<BodyId>,
    /// In the order of the document.
    pub(crate) joints: Vec<Handle>,
    /// Contacts outside joints and stops.
    pub(crate) contacts: Vec<(String, Vec<Region>)>,
    /// The places of each joint, in the order of the document.
    pub(crate) places: Vec<[mbd::Axis; 2]>,
    /// What the law of each contact is made of.
    pub(crate) origins: Vec<(ContactId, LawOrigin)>,
}

/// Parts under construction.
struct Assembly<'a> {
    document: &'a Document,
    ideal: bool,
    parts: Builder,
    handles: Handles,
    problems: &'a mut Problems,
    warnings: &'a mut Problems,
}

/// The mechanism of a document, assembled once to see that it can start.
pub(crate) fn build(
    document: &Document,
    problems: &mut Problems,
    warnings: &mut Problems,
) -> Option<Built> {
    let (mut parts, mut handles) = assemble(document, &Variant::Real(None), problems, warnings)?;
    if document.centred {
        let placements = centred(document, problems)?;
        let variant = Variant::Real(Some(&placements));
        (parts, handles) = assemble(document, &variant, problems, &mut Problems::default())?;
    }
    let mechanism = parts.build().map_err(|error| explain(document, &error, "", problems)).ok()?;
    let equations = Equations::new(&mechanism, document.run.formulation, document.run.drift);
    let started = equations.and_then(|equations| {
        let start = equations.start(0.0)?;
        let instant = equations.snapshot(start.t, &start.y, &start.mode)?;
        let rooms = rooms(&instant, &start, &mechanism, &handles);
        behind_lines(&instant, document, &handles, warnings);
        outside_slots(&instant, document, &handles, warnings);
        Ok((start.report, rooms))
    });
    let (start, rooms) = started.map_err(|error| explain(document, &error, "", problems)).ok()?;
    Some(Built { mechanism, start, handles, rooms })
}

/// Warns of circles that start behind their lines, where nothing holds them.
fn behind_lines(
    instant: &Snapshot<'_>,
    document: &Document,
    handles: &Handles,
    warnings: &mut Problems,
) {
    let place =
        |body: usize, local: [f64; 2]| instant.point(handles.bodies[body].at(local)).position;
    for Named { name, at, part } in &document.contacts {
        let ContactForm::CircleLine { body, from, to, circle } = &part.form else { continue };
        let [from, to] = [from, to].map(|end| place(*body, *end));
        let centre = place(circle.0.body, circle.0.local);
        let ([lx, ly], [x, y]) =
            ([to[0] - from[0], to[1] - from[1]], [centre[0] - from[0], centre[1] - from[1]]);
        let length = libm::hypot(lx, ly);
        let (along, above) = ((lx * x + ly * y) / length, (lx * y - ly * x) / length);
        if above < 0.0 && (0.0..=length).contains(&along) {
            let message = format!(
                "the circle of '{name}' starts behind its line, its centre {:.4} mm from it: there the line does not hold it",
                -1e3 * above
            );
            let hint = "free space is to the left of the way from 'from' to 'to': exchange them, or place the circle there";
            warnings.report(&at.place, &at.path, message, Some(hint.to_owned()));
        }
    }
}

/// Warns of pins that start outside a slot that is closed all round.
fn outside_slots(
    instant: &Snapshot<'_>,
    document: &Document,
    handles: &Handles,
    warnings: &mut Problems,
) {
    for (Named { name, at, part }, handle) in document.joints.iter().zip(&handles.joints) {
        let (JointForm::Slot { path, clearance: Some(slot) }, Handle::Clearance(_)) =
            (&part.form, handle)
        else {
            continue;
        };
        let walls = slot_walls(part, path, slot).unwrap_or_default();
        // An open slot has two walls, or one that is not closed.
        let Some(wall) = walls.first().filter(|wall| wall.is_closed()) else { continue };
        let body = handles.bodies[part.a.point.body];
        let pin = handles.bodies[part.b.point.body].at(part.b.point.local);
        let [pin, origin] = [pin, body.at([0.0; 2])].map(|anchor| instant.point(anchor).position);
        let (sin, cos) = libm::sincos(instant.angle(body).value);
        let [x, y] = [pin[0] - origin[0], pin[1] - origin[1]];
        if !wall.encloses([cos * x + sin * y, cos * y - sin * x]) {
            let message =
                format!("the pin of '{name}' starts outside its slot, which is closed all round");
            let hint = "no wall holds it there: place it in the slot, or start with clearances = \"centred\"";
            warnings.report(&at.place, &at.path, message, Some(hint.to_owned()));
        }
    }
}

/// How far the nearest wall of each joint is at the start (m).
fn rooms(
    instant: &Snapshot<'_>,
    start: &Start,
    mechanism: &Mechanism,
    handles: &Handles,
) -> Vec<f64> {
    // Where the pin is not before a wall, that wall is not near.
    let behind = |phase: &Phase| matches!(phase, Phase::Apart { facing: Facing::Aside, .. });
    let contacts = mechanism.contacts().zip(&start.mode.contacts);
    let gaps: BTreeMap<ContactId, f64> = contacts
        .filter(|(_, phase)| !behind(phase))
        .map(|((id, ..), _)| (id, -instant.contact(id).overlap))
        .collect();
    let room = |handle: &Handle| match handle {
        Handle::Clearance(regions) => {
            let gaps = regions.iter().filter_map(|region| gaps.get(&region.contact));
            gaps.copied().fold(f64::INFINITY, f64::min)
        }
        _ => f64::INFINITY,
    };
    handles.joints.iter().map(room).collect()
}

/// Positions and speeds of the mechanism whose clearance joints are ideal.
fn centred(document: &Document, problems: &mut Problems) -> Option<Vec<Placement>> {
    let context = "start.clearances = \"centred\", with ideal joints: ";
    let (parts, handles) = assemble(document, &Variant::Ideal, problems, &mut Problems::default())?;
    let located = parts.build().and_then(|mechanism| {
        let equations = Equations::new(&mechanism, Formulation::Joint, DriftControl::default())?;
        let start = equations.start(0.0)?;
        let instant = equations.snapshot(start.t, &start.y, &start.mode)?;
        let placement = |body: &BodyId| {
            let (point, angle) = (instant.position(*body), instant.angle(*body));
            Placement {
                position: point.position,
                angle: angle.value,
                velocity: point.velocity,
                omega: angle.rate,
            }
        };
        Ok(handles.bodies.iter().skip(1).map(placement).collect())
    });
    located.map_err(|error| explain(document, &error, context, problems)).ok()
}

/// Collects the parts of one variant; `None` where there are problems.
fn assemble(
    document: &Document,
    variant: &Variant<'_>,
    problems: &mut Problems,
    warnings: &mut Problems,
) -> Option<(Builder, Handles)> {
    let before = problems.count();
    let mut assembly = Assembly {
        document,
        ideal: matches!(variant, Variant::Ideal),
        parts: Builder::new(),
        handles: Handles { bodies: vec![GROUND], ..Handles::default() },
        problems,
        warnings,
    };
    assembly.parts.gravity(document.gravity);
    let placements = if let Variant::Real(placements) = variant { *placements } else { None };
    for (i, body) in document.bodies.iter().enumerate() {
        let mut part = body.part.clone();
        if let Some(placement) = placements.and_then(|all| all.get(i)) {
            part = part
                .placed(placement.position, placement.angle)
                .moving(placement.velocity, placement.omega);
        }
        if !assembly.ideal {
            let [x, y] = document.disturbance.shift(i);
            part.position = [part.position[0] + x, part.position[1] + y];
        }
        let id = assembly.parts.body(body.name.clone(), part);
        assembly.handles.bodies.push(id);
    }
    for joint in &document.joints {
        let places = [assembly.slide(&joint.part), assembly.axis(joint.part.b)];
        assembly.handles.places.push(places);
        let handle = assembly.joint(joint);
        assembly.handles.joints.push(handle);
    }
    if !assembly.ideal {
        document.contacts.iter().for_each(|contact| assembly.contact(contact));
    }
    for driver in &document.drivers {
        if let Some(coordinate) = assembly.coordinate(driver.part.coordinate, &driver.at) {
            let signal = driver.part.signal.clone();
            assembly.parts.drive(driver.name.clone(), coordinate, signal);
        }
    }
    document.forces.iter().for_each(|force| assembly.force(force));
    // Bodies that were placed by the ideal mechanism meet its conditions already.
    if placements.is_none() && (assembly.ideal || !document.centred) {
        for condition in &document.conditions {
            let Some(coordinate) = assembly.coordinate(condition.coordinate, &condition.at) else {
                continue;
            };
            if let Some(value) = condition.value {
                assembly.parts.start_at(coordinate, value);
            }
            if let Some(rate) = condition.rate {
                assembly.parts.start_with_rate(coordinate, rate);
            }
        }
    }
    let Assembly { parts, handles, problems, .. } = assembly;
    (problems.count() == before).then_some((parts, handles))
}

impl Assembly<'_> {
    fn anchor(&self, point: Point) -> Anchor {
        self.handles.bodies[point.body].at(point.local)
    }

    fn axis(&self, axis: Axis) -> mbd::Axis {
        self.anchor(axis.point).along(axis.direction)
    }

    /// The place of a joint on body a: of a straight slot its line, from the first end.
    fn slide(&self, joint: &Joint) -> mbd::Axis {
        let JointForm::Slot { path: SlotPath::Straight { from, to }, .. } = &joint.form else {
            return self.axis(joint.a);
        };
        let direction = [to[0] - from[0], to[1] - from[1]];
        // A slot whose length is 0 has no direction of its own.
        let direction = if direction == [0.0, 0.0] { [1.0, 0.0] } else { direction };
        self.anchor(on_slot(joint, *from)).along(direction)
    }

    fn joint(&mut self, part: &Named<Joint>) -> Handle {
        let joint = &part.part;
        if let (JointKind::Bushing, Some(numbers)) = (joint.kind, joint.bushing) {
            return Handle::Bushing(self.bushing(&part.name, joint.a, joint.b, numbers));
        }
        if !self.ideal {
            match &joint.form {
                JointForm::Revolute { clearance: Some(journal), .. } => {
                    return self.journal(part, journal);
                }
                JointForm::Slot { path, clearance: Some(slot) } => {
                    return self.slot(part, path, slot);
                }
                JointForm::Prismatic { clearance: Some(guide), .. } => {
                    return self.guide(part, guide);
                }
                _ => {}
            }
        }
        Handle::Ideal(self.ideal_joint(part))
    }

    fn ideal_joint(&mut self, part: &Named<Joint>) -> JointId {
        let (joint, name) = (&part.part, part.name.clone());
        let (a, b) = (self.axis(joint.a), self.axis(joint.b));
        match &joint.form {
            JointForm::Revolute { friction, .. } => {
                let id = self.parts.revolute(name, a.anchor, b.anchor);
                let dry = |law, radius| DryFriction::Pin { law, radius };
                self.friction(id, joint, friction.as_ref(), dry);
                id
            }
            JointForm::Prismatic { friction, .. } => {
                let id = self.parts.prismatic(name, a, b);
                let dry = |law, length| DryFriction::Block { law, length };
                self.friction(id, joint, friction.as_ref(), dry);
                id
            }
            JointForm::Weld => self.parts.weld(name, a, b),
            JointForm::Rod { length } => self.parts.rod(name, a.anchor, b.anchor, *length),
            JointForm::Slot { path, .. } => match path {
                SlotPath::Straight { .. } => {
                    let line = self.slide(joint);
                    self.parts.point_on_line(name, line, b.anchor)
                }
                SlotPath::Curved { centre, radius, .. } => {
                    let centre = self.anchor(on_slot(joint, *centre));
                    self.parts.point_on_circle(name, centre, *radius, b.anchor)
                }
                SlotPath::Chain { .. } => {
                    let message = "a slot of several pieces has no ideal form";
                    let hint = Some("start free, with the pin placed in the slot".to_owned());
                    self.problems.report(&part.at.place, &part.at.path, message, hint);
                    self.parts.revolute(name, a.anchor, b.anchor)
                }
            },
        }
    }

    /// Friction belongs to a joint that is ideal by its own word.
    fn friction(
        &mut self,
        id: JointId,
        joint: &Joint,
        friction: Option<&Friction>,
        dry: impl Fn(jointplay_contact::friction::FrictionLaw, f64) -> DryFriction,
    ) {
        if let (JointKind::Ideal, Some(friction)) = (joint.kind, friction) {
            let dry = friction.dry.map_or(DryFriction::None, |(law, size)| dry(law, size));
            self.parts.friction(id, JointFriction { viscous: friction.viscous, dry });
        }
    }

    fn bushing(&mut self, name: &str, a: Axis, b: Axis, numbers: BushingNumbers) -> ForceId {
        let bushing = mbd::Bushing {
            a: self.axis(a),
            b: self.axis(b),
            stiffness: numbers.stiffness,
            damping: numbers.damping,
        };
        self.parts.force(name, mbd::Force::Bushing(bushing))
    }

    fn coordinate(&mut self, coordinate: Coordinate, at: &At) -> Option<mbd::Coordinate> {
        Some(match coordinate {
            Coordinate::Joint(i) => {
                match (&self.handles.joints[i], &self.document.joints[i].part) {
                    (Handle::Ideal(id), _) => mbd::Coordinate::Joint(*id),
                    (_, joint) if matches!(joint.form, JointForm::Revolute { .. }) => {
                        let [a, b] =
                            [joint.a, joint.b].map(|axis| self.handles.bodies[axis.point.body]);
                        if a == GROUND {
                            mbd::Coordinate::Angle(b)
                        } else {
                            mbd::Coordinate::AngleBetween(a, b)
                        }
                    }
                    _ => {
                        let message = "only an ideal slot or guide has a coordinate";
                        let hint = Some("use angle, x, y or distance".to_owned());
                        self.problems.report(&at.place, &at.path, message, hint);
                        return None;
                    }
                }
            }
            Coordinate::Angle(body) => mbd::Coordinate::Angle(self.handles.bodies[body]),
            Coordinate::AngleBetween(a, b) => {
                mbd::Coordinate::AngleBetween(self.handles.bodies[a], self.handles.bodies[b])
            }
            Coordinate::X(point) => mbd::Coordinate::X(self.anchor(point)),
            Coordinate::Y(point) => mbd::Coordinate::Y(self.anchor(point)),
            Coordinate::Distance(a, b) => mbd::Coordinate::Distance(self.anchor(a), self.anchor(b)),
        })
    }

    fn force(&mut self, part: &Named<Force>) {
        let force = match &part.part {
            Force::Spring { a, b, stiffness, damping, free_length, preload } => {
                mbd::Force::Spring(mbd::Spring {
                    a: self.anchor(*a),
                    b: self.anchor(*b),
                    stiffness: *stiffness,
                    free_length: *free_length,
                    preload: *preload,
                    damping: *damping,
                })
            }
            Force::TorsionSpring { a, b, stiffness, damping, free_angle, preload } => {
                mbd::Force::TorsionSpring(mbd::TorsionSpring {
                    a: self.handles.bodies[*a],
                    b: self.handles.bodies[*b],
                    stiffness: *stiffness,
                    free_angle: *free_angle,
                    preload: *preload,
                    damping: *damping,
                })
            }
            Force::Load { on, direction, in_body, size } => mbd::Force::Load {
                at: self.anchor(*on),
                direction: *direction,
                fixed_in: if *in_body { LoadFrame::Body } else { LoadFrame::World },
                size: size.clone(),
            },
            Force::Torque { on, against, size } => mbd::Force::Torque {
                on: self.handles.bodies[*on],
                against: self.handles.bodies[*against],
                size: size.clone(),
            },
            Force::Bushing { a, b, numbers } => {
                self.bushing(&part.name, *a, *b, *numbers);
                return;
            }
            Force::Stop { coordinate, limit, side, touch, .. } => {
                if self.ideal {
                    return;
                }
                let law = self.law(&touch.law, touch, None);
                let coordinate = self.coordinate(*coordinate, &part.at);
                if let (Some(law), Some(coordinate)) = (law, coordinate) {
                    let contact =
                        self.parts.stop(part.name.clone(), coordinate, *limit, *side, law);
                    self.settings(contact, touch);
                    self.origin(contact, &touch.law, touch, None);
                    let region = Region { contact, name: "stop" };
                    self.handles.contacts.push((part.name.clone(), vec![region]));
                }
                return;
            }
        };
        self.parts.force(part.name.clone(), force);
    }
}

/// A point of the path of a slot on its body.
fn on_slot(joint: &Joint, [x, y]: [f64; 2]) -> Point {
    let [u, v] = joint.a.point.local;
    Point { local: [u + x, v + y], ..joint.a.point }
}
