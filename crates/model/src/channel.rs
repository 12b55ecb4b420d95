//! Named outputs: `slider.x`, `pin.force`, `energy.kinetic`, …, each with its unit.

mod list;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use jointplay_mbd::{
    Anchor, Axis, BodyId, ContactId, Coordinate, DriverId, ForceId, JointId, Snapshot,
};

use crate::output::ChannelFormula;

pub(crate) use list::{List, catalogue};

/// Channels with their places by name.
#[derive(Clone, Copy)]
pub(crate) struct Names<'c> {
    pub(crate) all: &'c [Channel],
    pub(crate) by_name: &'c BTreeMap<String, usize>,
}

impl<'c> Names<'c> {
    /// The channel of this name.
    pub(crate) fn get(self, name: &str) -> Option<&'c Channel> {
        self.all.get(*self.by_name.get(name)?)
    }

    /// The channel whose name is the longest beginning of a text, up to the end of a word.
    pub(crate) fn longest(self, text: &str) -> Option<&'c Channel> {
        let ends = text.rmatch_indices('-').map(|(at, _)| at);
        std::iter::once(text.len()).chain(ends).find_map(|end| self.get(&text[..end]))
    }
}

/// A number at each instant of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    name: String,
    unit: Cow<'static, str>,
    probe: Probe,
}

/// Value, first or second derivative in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Value,
    Rate,
    Acceleration,
}

#[derive(Clone, Debug, PartialEq)]
enum Probe {
    /// Of the origin of the frame of a body, along x (0) or y (1).
    Position(BodyId, usize, Order),
    Angle(BodyId, Order),
    /// Of a point of a body, along x (0) or y (1).
    Point(Anchor, usize, Order),
    /// The speed of a point.
    Speed(Anchor),
    /// A user's formula of other channels.
    Formula(Arc<ChannelFormula>),
    Coordinate(Coordinate, Order),
    Reaction(JointId, &'static str),
    ReactionSize(JointId),
    /// World component of the normal force of a joint with an axis.
    Normal(JointId, Axis, usize),
    /// Displacement of a point along an axis.
    Along(Axis, Anchor, Order),
    /// A quantity that the part does not have.
    Zero,
    JointFriction(JointId),
    /// Contacts of a joint, each with −1 where its wall belongs to the second body of the joint, and 1 elsewhere.
    Contacts(Vec<(ContactId, f64)>, ContactQuantity),
    /// The journal's centre from the bearing's: x, y, distance.
    Eccentricity(Anchor, Anchor, usize),
    Force(ForceId, ForceQuantity),
    Effort(DriverId),
    DriverPower(DriverId),
    Energy(EnergyKind),
    /// Sum of these accounts of the ledger.
    Accounts(Vec<usize>),
    /// The energy that left the mechanism by these accounts; energy that entered counts as negative.
    Taken(Vec<usize>),
    /// The energy that left the mechanism because contacts started in overlap.
    Cut,
    /// The energy that the ledger does not explain.
    Residual,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ContactQuantity {
    Force,
    Component(usize),
    Normal,
    Friction,
    Penetration,
    PenetrationRate,
    Slip,
    Gap,
    Touching,
}

/// A quantity of a force element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ForceQuantity {
    Size,
    Component(usize),
    Moment,
    Energy,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EnergyKind {
    Kinetic,
    Gravity,
    Elastic,
    Contact,
    Total,
}

impl Channel {
    /// Its name, such as `pin.force`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its unit; `-` for a pure number.
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// A channel that is computed from others.
    pub(crate) fn of_formula(name: String, unit: String, formula: Arc<ChannelFormula>) -> Self {
        Channel { name, unit: unit.into(), probe: Probe::Formula(formula) }
    }

    /// Its value at an instant of a run of the same model.
    ///
    /// # Panics
    /// If the instant belongs to another mechanism that lacks the part.
    pub fn eval(&self, at: &Snapshot<'_>) -> f64 {
        match &self.probe {
            Probe::Position(body, axis, order) => component(&at.position(*body), *axis, *order),
            Probe::Point(anchor, axis, order) => component(&at.point(*anchor), *axis, *order),
            Probe::Speed(anchor) => {
                let [vx, vy] = at.point(*anchor).velocity;
                libm::hypot(vx, vy)
            }
            Probe::Formula(formula) => formula.eval(at, None),
            Probe::Angle(body, order) => pick(at.angle(*body), *order),
            Probe::Coordinate(coordinate, order) => pick(at.coordinate(*coordinate), *order),
            Probe::Reaction(joint, name) => at.reaction(*joint).get(name).unwrap_or(f64::NAN),
            Probe::ReactionSize(joint) => at.reaction(*joint).force(),
            Probe::Normal(joint, axis, i) => {
                let normal = at.reaction(*joint).get("normal").unwrap_or(f64::NAN);
                let [ux, uy] = world(at, axis);
                normal * [-uy, ux][*i]
            }
            Probe::Along(axis, point, order) => along(at, axis, *point, *order),
            Probe::Zero => 0.0,
            Probe::JointFriction(joint) => at.friction(*joint),
            Probe::Contacts(contacts, quantity) => contacts_value(at, contacts, *quantity),
            Probe::Eccentricity(bearing, journal, which) => {
                let [b, j] = [bearing, journal].map(|anchor| at.point(*anchor).position);
                let e = [j[0] - b[0], j[1] - b[1]];
                e.get(*which).copied().unwrap_or_else(|| libm::hypot(e[0], e[1]))
            }
            Probe::Force(force, quantity) => {
                let report = at.force(*force);
                match quantity {
                    ForceQuantity::Size => report.size,
                    ForceQuantity::Component(i) => report.force[*i],
                    ForceQuantity::Moment => report.moment,
                    ForceQuantity::Energy => report.energy,
                    ForceQuantity::Power => report.power_in - report.power_lost,
                }
            }
            Probe::Effort(driver) => at.driver(*driver).effort,
            Probe::DriverPower(driver) => at.driver(*driver).power,
            Probe::Energy(kind) => {
                let energy = at.energy();
                match kind {
                    EnergyKind::Kinetic => energy.kinetic,
                    EnergyKind::Gravity => energy.gravity,
                    EnergyKind::Elastic => energy.elastic,
                    EnergyKind::Contact => energy.contact,
                    EnergyKind::Total => energy.total(),
                }
            }
            Probe::Accounts(accounts) => sum(at, accounts),
            // 0, not −0, of nothing.
            Probe::Taken(accounts) => 0.0 - sum(at, accounts),
            Probe::Cut => 0.0 - at.late_energy(),
            Probe::Residual => at.energy_residual(),
        }
    }
}

/// The sum of these accounts.
fn sum(at: &Snapshot<'_>, accounts: &[usize]) -> f64 {
    accounts.iter().fold(0.0, |sum, i| sum + at.amounts()[*i])
}

fn component(point: &jointplay_mbd::PointState, axis: usize, order: Order) -> f64 {
    match order {
        Order::Value => point.position[axis],
        Order::Rate => point.velocity[axis],
        Order::Acceleration => point.acceleration[axis],
    }
}

fn pick(scalar: jointplay_mbd::ScalarState, order: Order) -> f64 {
    match order {
        Order::Value => scalar.value,
        Order::Rate => scalar.rate,
        Order::Acceleration => scalar.acceleration,
    }
}

/// The direction of an axis in the world.
fn world(at: &Snapshot<'_>, axis: &Axis) -> [f64; 2] {
    let [x, y] = axis.direction;
    let length = libm::hypot(x, y);
    let (sin, cos) = libm::sincos(at.angle(axis.anchor.body).value);
    [(cos * x - sin * y) / length, (sin * x + cos * y) / length]
}

/// s = (p_b − p_a)·u with the axis u of body a, and its derivatives.
fn along(at: &Snapshot<'_>, axis: &Axis, point: Anchor, order: Order) -> f64 {
    let (a, b) = (at.point(axis.anchor), at.point(point));
    let u = world(at, axis);
    let across = [-u[1], u[0]];
    let turn = at.angle(axis.anchor.body);
    let minus = |b: [f64; 2], a: [f64; 2]| [b[0] - a[0], b[1] - a[1]];
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let (p, v) = (minus(b.position, a.position), minus(b.velocity, a.velocity));
    match order {
        Order::Value => dot(p, u),
        Order::Rate => dot(v, u) + turn.rate * dot(p, across),
        Order::Acceleration => {
            dot(minus(b.acceleration, a.acceleration), u)
                + 2.0 * turn.rate * dot(v, across)
                + turn.acceleration * dot(p, across)
                - turn.rate * turn.rate * dot(p, u)
        }
    }
}

fn contacts_value(
    at: &Snapshot<'_>,
    contacts: &[(ContactId, f64)],
    quantity: ContactQuantity,
) -> f64 {
    let reports = || contacts.iter().map(|(contact, _)| at.contact(*contact));
    let touching = || reports().filter(|report| report.touching);
    let deepest = || touching().max_by(|a, b| a.delta.total_cmp(&b.delta));
    let sum = || {
        contacts
            .iter()
            .map(|(contact, sign)| (at.contact(*contact), sign))
            .filter(|(report, _)| report.touching)
            .map(|(report, sign)| report.force_on_b().map(|f| sign * f))
            .fold([0.0, 0.0], |s, f| [s[0] + f[0], s[1] + f[1]])
    };
    match quantity {
        ContactQuantity::Force => {
            let [fx, fy] = sum();
            libm::hypot(fx, fy)
        }
        ContactQuantity::Component(i) => sum()[i],
        ContactQuantity::Normal => touching().map(|report| report.normal).fold(0.0, f64::max),
        ContactQuantity::Friction => touching().map(|report| report.tangential).sum(),
        ContactQuantity::Penetration => deepest().map_or(0.0, |report| report.delta.max(0.0)),
        ContactQuantity::PenetrationRate => deepest().map_or(0.0, |report| report.delta_dot),
        ContactQuantity::Slip => deepest().map_or(0.0, |report| report.slip),
        ContactQuantity::Gap => {
            let before = reports().filter(|report| report.faces).map(|report| report.delta);
            // A pin that has left its slot is before no wall.
            before.max_by(f64::total_cmp).map_or(f64::NAN, |overlap| -overlap)
        }
        ContactQuantity::Touching => touching().count() as f64,
    }
}
