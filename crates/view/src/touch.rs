//! A clearance joint, contact or stop on the page: walls, the pin between them, points and forces
//! of contact.

use jointplay_mbd::{Shape, Snapshot};
use jointplay_model::{BlockSize, ContactDrawing, GapDrawing, GapForm};
use jointplay_study::analysis::{self, Track};
use serde::Serialize;

use crate::container::{Numbers, Ref};
use crate::scene::Bodies;

/// A clearance joint, contact or stop with its series.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
pub(crate) struct ContactView {
    joint: String,
    form: GapForm,
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
    /// Centre of the pin, or middle of the block, in the frame of the wall's body, and its angle
    /// relative to that body.
    px: Ref,
    py: Ref,
    turn: Ref,
    /// For a slot or a guide: position of the pin along and across the centre line (m).
    along: Option<Ref>,
    across: Option<Ref>,
    touch: TouchView,
}

/// A section of a wall in the frame of its body; normals point into free space.
#[cfg_attr(feature = "types", derive(ts_rs::TS))]
#[derive(Serialize)]
struct WallView {
    region: &'static str,
    points: Vec<[f64; 2]>,
    normals: Vec<[f64; 2]>,
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
struct TouchPoint {
    point: [f64; 2],
    force: [f64; 2],
    normal: [f64; 2],
    region: usize,
}

/// Series of a joint, collected during a run.
pub(crate) struct ContactTrack<'m> {
    joint: &'m str,
    gap: &'m GapDrawing,
    position: [Vec<f64>; 3],
    touches: Vec<Vec<TouchPoint>>,
}

impl<'m> ContactTrack<'m> {
    pub(crate) fn new(joint: &'m str, gap: &'m GapDrawing) -> Self {
        let position = [Vec::new(), Vec::new(), Vec::new()];
        ContactTrack { joint, gap, position, touches: Vec::new() }
    }

    /// Takes one instant.
    pub(crate) fn take(&mut self, at: &Snapshot<'_>) {
        let GapDrawing { wall_body, pin: centre, contacts, .. } = self.gap;
        let frame = at.position(*wall_body).position;
        let angle = at.angle(*wall_body).value;
        let pin = at.point(*centre).position;
        let (sin, cos) = libm::sincos(angle);
        let away = [pin[0] - frame[0], pin[1] - frame[1]];
        let [px, py, turn] = &mut self.position;
        px.push(cos * away[0] + sin * away[1]);
        py.push(-sin * away[0] + cos * away[1]);
        turn.push(at.angle(centre.body).value - angle);
        let mut touches = Vec::new();
        for (region, drawn) in contacts.iter().enumerate() {
            let ContactDrawing { region: of, pin, radius, turned } = drawn;
            let report = at.contact(of.contact);
            let Some(pin) = pin.filter(|_| report.touching) else { continue };
            let centre = at.point(pin).position;
            let [nx, ny] = report.direction;
            let point = [centre[0] + radius * nx, centre[1] + radius * ny];
            let sign = if *turned { -1.0 } else { 1.0 };
            let [force, normal] =
                [report.force_on_b(), [nx, ny]].map(|[x, y]| [sign * x, sign * y]);
            touches.push(TouchPoint { point, force, normal, region });
        }
        self.touches.push(touches);
    }

    pub(crate) fn finish(
        self,
        bodies: &Bodies,
        numbers: &mut Numbers,
        keep: &dyn Fn(&[f64]) -> Vec<f64>,
    ) -> ContactView {
        let gap = self.gap;
        // The list of kept instants contains their indices.
        let all: Vec<f64> = (0..self.touches.len()).map(|i| i as f64).collect();
        let kept = keep(&all);
        let mut first = vec![0.0];
        let mut entries: Vec<TouchPoint> = Vec::new();
        for i in kept {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a number of an instant"
            )]
            entries.extend(&self.touches[i as usize]);
            first.push(entries.len() as f64);
        }
        let mut column = |value: &dyn Fn(&TouchPoint) -> f64| {
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
            region: gap.contacts.iter().map(|contact| contact.region.name).collect(),
            first: numbers.add(&first),
        };
        let [px, py, turn] = self.position.map(|series| keep(&series));
        let guided = matches!(gap.form, GapForm::Slot | GapForm::Block);
        let [along, across] = if guided {
            let places = px.iter().zip(&py).map(|(x, y)| [*x, *y]);
            let Track { along, across } = analysis::track(&gap.middle, places);
            [along, across].map(|series| Some(numbers.add(&series)))
        } else {
            [None, None]
        };
        let [px, py, turn] = [px, py, turn].map(|series| numbers.add(&series));
        ContactView {
            joint: self.joint.to_owned(),
            form: gap.form,
            wall_body: bodies.number(gap.wall_body),
            pin_body: bodies.number(gap.pin.body),
            pin: gap.pin.local,
            pin_radius: gap.pin_radius,
            clearance: gap.clearance,
            walls: walls(gap),
            middle: gap.middle.clone(),
            block: gap.block,
            px,
            py,
            turn,
            along,
            across,
            touch,
        }
    }
}

/// The walls, each once; corners have no length.
fn walls(gap: &GapDrawing) -> Vec<WallView> {
    let mut walls: Vec<WallView> = Vec::new();
    for (region, shape) in &gap.walls {
        let view = wall_view(region, shape);
        if view.points.len() > 1 && !walls.iter().any(|other| other.points == view.points) {
            walls.push(view);
        }
    }
    walls
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
