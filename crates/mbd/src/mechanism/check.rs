//! Checks the parts and collects all problems.

use std::collections::BTreeSet;

use std::f64::consts::TAU;

use jointplay_contact::Restitution;
use jointplay_contact::damping::BeginError;
use jointplay_contact::friction::FrictionLaw;

use super::{Builder, ContactKind, Coordinate};
use crate::contact::{JournalBearing, Shape, Wall};
use crate::error::{PartKind, PartProblem};
use crate::force::{Bushing, CustomForce, Force, LineForce, Spring, TorsionSpring};
use crate::frame::{Anchor, Axis, BodyId, has_direction};
use crate::joint::{DryFriction, JointFriction, JointId, JointKind};
use crate::ledger::AccountSide;
use crate::signal::Signal;

/// The problems of one part are collected under its name.
struct Part<'a> {
    builder: &'a Builder,
    kind: PartKind,
    name: &'a str,
    problems: &'a mut Vec<PartProblem>,
}

pub(super) fn problems(builder: &Builder) -> Vec<PartProblem> {
    let mut problems = builder.problems.clone();
    unique(&mut problems, PartKind::Body, builder.bodies.iter().map(|(name, _)| name));
    unique(&mut problems, PartKind::Joint, builder.joints.iter().map(|joint| &joint.name));
    unique(&mut problems, PartKind::Driver, builder.drivers.iter().map(|driver| &driver.name));
    unique(&mut problems, PartKind::Force, builder.forces.iter().map(|(name, _)| name));
    unique(&mut problems, PartKind::Contact, builder.contacts.iter().map(|(name, _)| name));
    unique(&mut problems, PartKind::Watch, builder.watches.iter().map(|watch| &watch.name));
    let mut checks = Checks { builder, problems };
    checks.part(PartKind::Mechanism, "gravity").finite("gravity", &builder.gravity);
    if builder.bodies.is_empty() {
        checks.part(PartKind::Mechanism, "bodies").report("there is no body");
    }
    for (name, body) in &builder.bodies {
        let mut part = checks.part(PartKind::Body, name);
        part.not_negative("mass", body.mass);
        part.not_negative("moment of inertia", body.inertia);
        part.finite("centre of mass", &body.centre_of_mass);
        part.finite("position", &body.position);
        part.finite("angle", &[body.angle]);
        if let Some((v, omega)) = body.velocity {
            part.finite("velocity", &[v[0], v[1], omega]);
        }
        if body.mass == 0.0 && body.inertia > 0.0 {
            part.report("a body without mass cannot have a moment of inertia");
        }
    }
    for joint in &builder.joints {
        let mut part = checks.part(PartKind::Joint, &joint.name);
        part.axis("place on a", &joint.a);
        part.axis("place on b", &joint.b);
        part.two_bodies(joint.a.anchor.body, joint.b.anchor.body);
        match joint.kind {
            JointKind::Distance { length } => part.positive("length", length),
            JointKind::Revolute
            | JointKind::Prismatic
            | JointKind::Weld
            | JointKind::PointOnLine => {}
        }
        part.friction(joint.kind, &joint.friction);
    }
    for driver in &builder.drivers {
        let mut part = checks.part(PartKind::Driver, &driver.name);
        part.coordinate(driver.coordinate);
        part.smooth(&driver.signal);
    }
    for (name, force) in &builder.forces {
        checks.part(PartKind::Force, name).force(force);
    }
    for (name, contact) in &builder.contacts {
        let mut part = checks.part(PartKind::Contact, name);
        match &contact.kind {
            ContactKind::Journal(journal) => part.journal(journal),
            ContactKind::Wall(wall) => part.wall(wall),
            ContactKind::Stop { coordinate, limit, .. } => {
                part.coordinate(*coordinate);
                part.finite("limit", &[*limit]);
                if contact.law.friction != FrictionLaw::NoFriction {
                    part.report("a stop has no sliding direction: its law cannot have friction");
                }
            }
        }
        // A constant restitution that cannot be returned at any speed is known before the first impact.
        let normal = &contact.law.normal;
        if let Some(Restitution::Constant(_)) = normal.damping.restitution()
            && let Err(error @ (BeginError::Limit { .. } | BeginError::Domain { .. })) =
                normal.begin(1.0, 1.0)
        {
            part.report(error.to_string());
        }
        if let Some(speed) = contact.initial_impact_speed {
            part.not_negative("initial impact speed", speed);
        }
    }
    for watch in &builder.watches {
        let mut part = checks.part(PartKind::Watch, &watch.name);
        part.coordinate(watch.coordinate);
        part.finite("level", &[watch.level]);
    }
    for start in builder.start_positions.iter().chain(&builder.start_speeds) {
        let mut part = checks.part(PartKind::Mechanism, "start");
        part.coordinate(start.coordinate);
        part.finite("value", &[start.value]);
    }
    checks.problems
}

/// All problems found so far.
struct Checks<'a> {
    builder: &'a Builder,
    problems: Vec<PartProblem>,
}

impl<'a> Checks<'a> {
    fn part<'b>(&'b mut self, kind: PartKind, name: &'b str) -> Part<'b>
    where
        'a: 'b,
    {
        Part { builder: self.builder, kind, name, problems: &mut self.problems }
    }
}

fn unique<'a>(
    problems: &mut Vec<PartProblem>,
    kind: PartKind,
    names: impl Iterator<Item = &'a String>,
) {
    let mut seen = BTreeSet::new();
    for name in names {
        if name.trim().is_empty() {
            problems.push(PartProblem::new(kind, name, "a name is needed"));
        } else if kind == PartKind::Body && name == "ground" {
            problems.push(PartProblem::new(kind, name, "this name belongs to the ground"));
        } else if !seen.insert(name) {
            problems.push(PartProblem::new(kind, name, format!("another {kind} has this name")));
        }
    }
}

impl Part<'_> {
    fn report(&mut self, message: impl Into<String>) {
        self.problems.push(PartProblem::new(self.kind, self.name, message));
    }

    fn finite(&mut self, what: &str, values: &[f64]) {
        for value in values.iter().filter(|value| !value.is_finite()) {
            self.report(format!("{what} is {value}, which is not a finite number"));
        }
    }

    fn not_negative(&mut self, what: &str, value: f64) {
        if !(value >= 0.0 && value.is_finite()) {
            self.report(format!("{what} = {value}, which is not in [0, ∞)"));
        }
    }

    fn positive(&mut self, what: &str, value: f64) {
        if !(value > 0.0 && value.is_finite()) {
            self.report(format!("{what} = {value}, which is not in (0, ∞)"));
        }
    }

    fn body(&mut self, body: BodyId) {
        if body.0 > self.builder.bodies.len() {
            self.report("it names a body of another mechanism");
        }
    }

    fn anchor(&mut self, what: &str, anchor: &Anchor) {
        self.body(anchor.body);
        self.finite(what, &anchor.local);
    }

    fn axis(&mut self, what: &str, axis: &Axis) {
        self.anchor(what, &axis.anchor);
        self.direction(what, axis.direction);
    }

    fn direction(&mut self, what: &str, direction: [f64; 2]) {
        if !has_direction(direction) {
            let [x, y] = direction;
            self.report(format!("the direction ({x}, {y}) of its {what} has zero length"));
        }
    }

    fn two_bodies(&mut self, a: BodyId, b: BodyId) {
        if a == b {
            self.report("both of its ends are on the same body");
        }
    }

    fn coordinate(&mut self, coordinate: Coordinate) {
        match coordinate {
            Coordinate::X(anchor) | Coordinate::Y(anchor) => self.anchor("point", &anchor),
            Coordinate::Angle(body) => self.body(body),
            Coordinate::AngleBetween(a, b) => {
                self.body(a);
                self.body(b);
                self.two_bodies(a, b);
            }
            Coordinate::Joint(JointId(joint)) => match self.builder.joints.get(joint) {
                None => self.report("it names a joint of another mechanism"),
                Some(joint) => match joint.kind {
                    JointKind::Revolute | JointKind::Prismatic | JointKind::PointOnLine => {}
                    JointKind::Weld | JointKind::Distance { .. } => {
                        let (name, kind) = (&joint.name, joint.kind.name());
                        self.report(format!(
                            "the {kind} joint '{name}' has no coordinate of its own"
                        ));
                    }
                },
            },
            Coordinate::Distance(a, b) => {
                self.anchor("point", &a);
                self.anchor("point", &b);
                self.two_bodies(a.body, b.body);
            }
        }
    }

    /// A driver must not jump in position or speed.
    fn smooth(&mut self, signal: &Signal) {
        if let Some(function) = signal.kink() {
            self.report(format!(
                "its motion or speed may jump, because it contains '{function}': use a sum of smooth steps, or a table"
            ));
        }
        for t in signal.breaks() {
            let (before, after) = (signal.before(t), signal.at(t));
            let jumps = |a: f64, b: f64| (a - b).abs() > 1e-12 * (1.0 + a.abs().max(b.abs()));
            if jumps(before.value, after.value) {
                self.report(format!("its motion jumps at t = {t} s"));
            } else if jumps(before.first, after.first) {
                self.report(format!(
                    "its speed jumps from {} to {} at t = {t} s, which requires an infinite force",
                    before.first, after.first
                ));
            }
        }
    }

    fn friction(&mut self, kind: JointKind, friction: &JointFriction) {
        if friction.is_none() {
            return;
        }
        match kind {
            JointKind::Revolute | JointKind::Prismatic => {}
            JointKind::Weld | JointKind::PointOnLine | JointKind::Distance { .. } => {
                self.report(format!("a {} joint has no friction", kind.name()));
            }
        }
        self.not_negative("viscous friction", friction.viscous);
        match (&friction.dry, kind) {
            (DryFriction::Pin { radius, .. }, JointKind::Revolute) => {
                self.positive("pin radius", *radius);
            }
            (DryFriction::Block { length, .. }, JointKind::Prismatic) => {
                self.positive("length of the block", *length);
            }
            (DryFriction::Pin { .. }, JointKind::Prismatic) => {
                self.report(
                    "a prismatic joint slides on a block: it cannot have the friction of a pin",
                );
            }
            (DryFriction::Block { .. }, JointKind::Revolute) => {
                self.report(
                    "a revolute joint turns on a pin: it cannot have the friction of a block",
                );
            }
            (DryFriction::None, _)
            | (
                DryFriction::Pin { .. } | DryFriction::Block { .. },
                JointKind::Weld | JointKind::PointOnLine | JointKind::Distance { .. },
            ) => {}
        }
        let law = friction.dry.law();
        if law.state_count() > 0 || law.is_set_valued() {
            self.report("its friction law must be a function of the sliding speed alone");
        }
    }

    fn force(&mut self, force: &Force) {
        match force {
            Force::Load { at, direction, .. } => {
                self.anchor("point", at);
                self.direction("load", *direction);
            }
            Force::Torque { on, against, .. } => {
                self.body(*on);
                self.body(*against);
                self.two_bodies(*on, *against);
            }
            Force::Spring(Spring { a, b, stiffness, free_length, preload, damping }) => {
                self.anchor("end a", a);
                self.anchor("end b", b);
                self.two_bodies(a.body, b.body);
                self.not_negative("stiffness", *stiffness);
                self.not_negative("free length", *free_length);
                self.finite("preload", &[*preload]);
                self.not_negative("damping", *damping);
            }
            Force::TorsionSpring(TorsionSpring {
                a,
                b,
                stiffness,
                free_angle,
                preload,
                damping,
            }) => {
                self.body(*a);
                self.body(*b);
                self.two_bodies(*a, *b);
                self.not_negative("stiffness", *stiffness);
                self.finite("free angle", &[*free_angle]);
                self.finite("preload", &[*preload]);
                self.not_negative("damping", *damping);
            }
            Force::Bushing(Bushing { a, b, stiffness, damping }) => {
                self.axis("place on a", a);
                self.axis("place on b", b);
                self.two_bodies(a.anchor.body, b.anchor.body);
                for (k, c) in stiffness.iter().zip(damping) {
                    self.not_negative("stiffness", *k);
                    self.not_negative("damping", *c);
                }
            }
            Force::Line(LineForce { a, b, model }) => {
                self.user_force([a, b], model.side(), model.breaks());
            }
            Force::Custom(CustomForce { a, b, model }) => {
                self.user_force([a, b], model.side(), model.breaks());
            }
        }
    }

    fn user_force(&mut self, [a, b]: [&Anchor; 2], side: Option<AccountSide>, breaks: &[f64]) {
        self.anchor("end a", a);
        self.anchor("end b", b);
        self.two_bodies(a.body, b.body);
        self.finite("time of a break", breaks);
        if side == Some(AccountSide::Brought) {
            self.report("its side() must be a loss or work, not Brought");
        }
    }

    fn wall(&mut self, wall: &Wall) {
        self.anchor("pin", &wall.pin);
        self.anchor("wall", &wall.body.origin());
        self.two_bodies(wall.body, wall.pin.body);
        self.not_negative("pin radius", wall.pin_radius);
        self.finite("contact point", &[wall.contact_point]);
        if let Some(play) = wall.play {
            self.positive("clearance", play);
        }
        match wall.section.shape {
            Shape::Flat { from, to } => {
                self.finite("end of the wall", &[from[0], from[1], to[0], to[1]]);
                if from == to {
                    self.report("its wall has zero length");
                }
            }
            Shape::Arc { centre, radius, from_angle, sweep } => {
                self.finite("wall", &[centre[0], centre[1], from_angle]);
                self.not_negative("radius of the wall", radius);
                if !(sweep.abs() <= TAU && sweep != 0.0) {
                    self.report("its arc must sweep more than 0 and no more than a full turn");
                }
                if radius + wall.pin_radius == 0.0 {
                    self.report("a corner cannot touch a corner");
                }
            }
        }
    }

    fn journal(&mut self, journal: &JournalBearing) {
        self.anchor("bearing", &journal.bearing);
        self.anchor("journal", &journal.journal);
        self.two_bodies(journal.bearing.body, journal.journal.body);
        self.positive("bearing radius", journal.bearing_radius);
        self.positive("clearance", journal.clearance);
        if journal.clearance >= journal.bearing_radius {
            self.report("the clearance must be smaller than the bearing radius");
        }
        self.finite("contact point", &[journal.contact_point]);
    }
}
