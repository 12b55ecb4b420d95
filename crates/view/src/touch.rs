//! What is seen of a clearance joint, contact or stop: walls, the pin between them, points and forces of contact.

use jointplay_mbd::{Anchor, BodyId, ContactId, ContactKind, GROUND, Shape, Snapshot};
use jointplay_model::{Handle, JointHandle, Model, Region};
use jointplay_study::analysis::{self, Track};
use serde::Serialize;

use crate::container::{Numbers, Ref};
use crate::scene::Bodies;

/// A clearance joint, contact or stop with its series.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
pub(crate) struct ContactView {
    joint: String,
    form: Form,
    wall_body: usize,
    pin_body: usize,
    /// Its centre in the frame of its body.
    pin: [f64; 2],
    pin_radius: f64,
    /// Radial for journal and slot, on each side for a block (m); 0 for the others.
    clearance: f64,
    walls: Vec<WallView>,
    /// Centre line in the frame of the wall's body.
    middle: Vec<[f64; 2]>,
    block: Option<BlockSize>,
    /// Centre of the pin, of a block its middle, in the frame of the wall's body, and its angle relative to it.
    px: Ref,
    py: Ref,
    turn: Ref,
    /// Of a slot or a guide: place of the pin along and across the centre line (m).
    along: Option<Ref>,
    across: Option<Ref>,
    touch: TouchView,
}

/// What kind of play it has.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[cfg_attr(feature = "types", ts(rename = "ContactForm"))]
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Form {
    /// A pin in a bore.
    Journal,
    /// A pin in a slot.
    Slot,
    /// A block in a guide.
    Block,
    /// A pin that meets a wall from outside.
    External,
    /// A coordinate that ends at a stop.
    Stop,
}

/// A section of a wall in the frame of its body; normals point into free space.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct WallView {
    region: &'static str,
    points: Vec<[f64; 2]>,
    normals: Vec<[f64; 2]>,
}

#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Clone, Copy, Serialize)]
struct BlockSize {
    length: f64,
    height: f64,
}

/// Contacts at instant i are the entries `first[i] … first[i + 1]`.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct TouchView {
    first: Ref,
    x: Ref,
    y: Ref,
    fx: Ref,
    fy: Ref,
    nx: Ref,
    ny: Ref,
    region: Vec<&'static str>,
    of: Ref,
}

/// One contact at one instant.
#[derive(Clone, Copy)]
struct Touch {
    point: [f64; 2],
    force: [f64; 2],
    normal: [f64; 2],
    region: usize,
}

/// A contact of a joint: its id and the pin that it pushes.
struct Part {
    contact: ContactId,
    pin: Option<Anchor>,
    radius: f64,
    /// Whether the pin belongs to the body of the walls of the joint: the force is then that on the other one.
    turned: bool,
}

/// Series of a joint while a run is gone through.
pub(crate) struct ContactTrack<'m> {
    joint: &'m str,
    form: Form,
    wall_body: BodyId,
    pin: Anchor,
    pin_radius: f64,
    clearance: f64,
    walls: Vec<WallView>,
    middle: Vec<[f64; 2]>,
    block: Option<BlockSize>,
    parts: Vec<Part>,
    regions: Vec<&'static str>,
    position: [Vec<f64>; 3],
    touches: Vec<Vec<Touch>>,
}

/// Length and height of the block of a prismatic joint with clearance.
pub(crate) fn block_of(model: &Model, joint: &JointHandle) -> Option<(f64, f64)> {
    let Handle::Clearance(regions) = &joint.handle else { return None };
    // The first four contacts are those of its corners: upper front, upper rear, lower front, lower rear.
    let corner = |i: usize| match model.mechanism.contact(regions.get(i)?.contact).kind {
        ContactKind::Wall(wall) => Some(wall.pin.local),
        _ => None,
    };
    let (front, rear, low) = (corner(0)?, corner(1)?, corner(2)?);
    let distance = |a: [f64; 2], b: [f64; 2]| libm::hypot(a[0] - b[0], a[1] - b[1]);
    Some((distance(front, rear), distance(front, low)))
}

impl<'m> ContactTrack<'m> {
    pub(crate) fn new(
        model: &'m Model,
        joint: &'m str,
        regions: &[Region],
        centre_line: &[[f64; 2]],
    ) -> Option<Self> {
        let mechanism = &model.mechanism;
        let kinds: Vec<ContactKind> =
            regions.iter().map(|region| mechanism.contact(region.contact).kind).collect();
        let handle = model.joints.iter().find(|other| other.name == joint);
        let mut track = ContactTrack {
            joint,
            form: Form::Stop,
            wall_body: GROUND,
            pin: GROUND.origin(),
            pin_radius: 0.0,
            clearance: 0.0,
            walls: Vec::new(),
            middle: centre_line.to_vec(),
            block: None,
            parts: Vec::new(),
            regions: regions.iter().map(|region| region.name).collect(),
            position: [Vec::new(), Vec::new(), Vec::new()],
            touches: Vec::new(),
        };
        match kinds.first()? {
            ContactKind::Journal(journal) => {
                track.form = Form::Journal;
                (track.wall_body, track.pin) = (journal.bearing.body, journal.journal);
                track.pin_radius = journal.bearing_radius - journal.clearance;
                track.clearance = journal.clearance;
                track.middle = vec![journal.bearing.local];
                let circle = Shape::Arc {
                    centre: journal.bearing.local,
                    radius: journal.bearing_radius,
                    from_angle: 0.0,
                    sweep: std::f64::consts::TAU,
                };
                track.walls.push(wall_view("bearing", &circle));
            }
            ContactKind::Wall(first) => {
                let prismatic = handle.filter(|handle| handle.form == "prismatic");
                (track.wall_body, track.pin) = (first.body, first.pin);
                track.pin_radius = first.pin_radius;
                track.clearance = first.play.unwrap_or(0.0);
                track.form = if handle.is_some() { Form::Slot } else { Form::External };
                if let Some(handle) = prismatic {
                    track.form = Form::Block;
                    track.pin = handle.places[1].anchor;
                    let (length, height) = block_of(model, handle)?;
                    track.block = Some(BlockSize { length, height });
                    let axis = handle.places[0];
                    let [x, y] = axis.direction;
                    let reach = 0.5 * length / libm::hypot(x, y);
                    let along =
                        |s: f64| [axis.anchor.local[0] + s * x, axis.anchor.local[1] + s * y];
                    track.middle = vec![along(-reach), along(reach)];
                }
                for (region, kind) in regions.iter().zip(&kinds) {
                    let ContactKind::Wall(wall) = kind else { continue };
                    let shape = &wall.section.shape;
                    let own = wall.body == track.wall_body;
                    let seen = |view: &WallView, other: &WallView| view.points == other.points;
                    let view = wall_view(region.name, shape);
                    let drawn = own && view.points.len() > 1;
                    if drawn && !track.walls.iter().any(|other| seen(&view, other)) {
                        track.walls.push(view);
                    }
                }
            }
            _ => {}
        }
        for (region, kind) in regions.iter().zip(&kinds) {
            let (pin, radius, turned) = match kind {
                ContactKind::Journal(journal) => {
                    (Some(journal.journal), journal.bearing_radius - journal.clearance, false)
                }
                ContactKind::Wall(wall) => {
                    (Some(wall.pin), wall.pin_radius, wall.body != track.wall_body)
                }
                _ => (None, 0.0, false),
            };
            track.parts.push(Part { contact: region.contact, pin, radius, turned });
        }
        Some(track)
    }

    /// Takes one instant.
    pub(crate) fn take(&mut self, at: &Snapshot<'_>) {
        let frame = at.position(self.wall_body).position;
        let angle = at.angle(self.wall_body).value;
        let pin = at.point(self.pin).position;
        let (sin, cos) = libm::sincos(angle);
        let away = [pin[0] - frame[0], pin[1] - frame[1]];
        let [px, py, turn] = &mut self.position;
        px.push(cos * away[0] + sin * away[1]);
        py.push(-sin * away[0] + cos * away[1]);
        turn.push(at.angle(self.pin.body).value - angle);
        let mut touches = Vec::new();
        for (region, part) in self.parts.iter().enumerate() {
            let report = at.contact(part.contact);
            let Some(pin) = part.pin.filter(|_| report.touching) else { continue };
            let centre = at.point(pin).position;
            let [nx, ny] = report.direction;
            let point = [centre[0] + part.radius * nx, centre[1] + part.radius * ny];
            let sign = if part.turned { -1.0 } else { 1.0 };
            let [force, normal] =
                [report.force_on_b(), [nx, ny]].map(|[x, y]| [sign * x, sign * y]);
            touches.push(Touch { point, force, normal, region });
        }
        self.touches.push(touches);
    }

    pub(crate) fn finish(
        self,
        bodies: &Bodies,
        numbers: &mut Numbers,
        keep: &dyn Fn(&[f64]) -> Vec<f64>,
    ) -> ContactView {
        // Which instants are kept is asked with their numbers.
        let all: Vec<f64> = (0..self.touches.len()).map(|i| i as f64).collect();
        let kept = keep(&all);
        let mut first = vec![0.0];
        let mut entries: Vec<Touch> = Vec::new();
        for i in kept {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a number of an instant"
            )]
            entries.extend(&self.touches[i as usize]);
            first.push(entries.len() as f64);
        }
        let mut column = |value: &dyn Fn(&Touch) -> f64| {
            numbers.add(&entries.iter().map(value).collect::<Vec<f64>>())
        };
        let touch = TouchView {
            x: column(&|touch| touch.point[0]),
            y: column(&|touch| touch.point[1]),
            fx: column(&|touch| touch.force[0]),
            fy: column(&|touch| touch.force[1]),
            nx: column(&|touch| touch.normal[0]),
            ny: column(&|touch| touch.normal[1]),
            of: column(&|touch| touch.region as f64),
            region: self.regions,
            first: numbers.add(&first),
        };
        let [px, py, turn] = self.position.map(|series| keep(&series));
        let guided = matches!(self.form, Form::Slot | Form::Block);
        let [along, across] = if guided {
            let places = px.iter().zip(&py).map(|(x, y)| [*x, *y]);
            let Track { along, across } = analysis::track(&self.middle, places);
            [along, across].map(|series| Some(numbers.add(&series)))
        } else {
            [None, None]
        };
        let [px, py, turn] = [px, py, turn].map(|series| numbers.add(&series));
        ContactView {
            joint: self.joint.to_owned(),
            form: self.form,
            wall_body: bodies.number(self.wall_body),
            pin_body: bodies.number(self.pin.body),
            pin: self.pin.local,
            pin_radius: self.pin_radius,
            clearance: self.clearance,
            walls: self.walls,
            middle: self.middle,
            block: self.block,
            px,
            py,
            turn,
            along,
            across,
            touch,
        }
    }
}

/// Points and normals along a section: the ends of a flat, an arc every three degrees.
fn wall_view(region: &'static str, shape: &Shape) -> WallView {
    let pieces = match shape {
        Shape::Flat { .. } => 1,
        Shape::Arc { radius, .. } if *radius == 0.0 => 0,
        Shape::Arc { sweep, .. } => {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "between 2 and 240"
            )]
            let pieces = (sweep.abs() / 3_f64.to_radians()).ceil().clamp(2.0, 240.0) as usize;
            pieces
        }
    };
    let parts = (0..=pieces).map(|i| i as f64 / pieces.max(1) as f64);
    let (points, normals) = parts
        .map(|part| {
            let (sin, cos) = libm::sincos(shape.heading(part));
            (shape.point(part), [-sin, cos]) // free space lies to the left
        })
        .unzip();
    WallView { region, points, normals }
}
