//! One instant of a motion in terms of bodies and joints.

use std::cell::OnceCell;

use crate::contact::{ContactId, ContactReport};
use crate::equations::{Equations, Evaluation, Mode};
use crate::error::Error;
use crate::force::{ForceId, ForceReport};
use crate::frame::{Anchor, BodyId, dot, dot3, perp, unit};
use crate::joint::{JointId, JointKind};
use crate::ledger::{AccountKind, Energy};
use crate::mechanism::{Coordinate, DriverId, Mechanism, coordinate_row};
use crate::row::NO_TARGET;
use crate::trajectory::Trajectory;

/// Everything about a mechanism at one instant: motion, accelerations, reactions, forces, energy.
#[derive(Clone, Debug)]
pub struct Snapshot<'e> {
    pub(crate) equations: &'e Equations,
    pub(crate) evaluation: Evaluation<f64>,
    pub(crate) mode: Mode,
    pub(crate) t: f64,
    /// The amount of each account.
    amounts: Vec<f64>,
    /// The energy at the start of the run (J).
    start: Option<f64>,
    reports: Reports,
}

/// What a snapshot was asked for: the channels of a part share one report, which costs as much as a force of the part.
#[derive(Clone, Debug)]
struct Reports {
    forces: Box<[OnceCell<ForceReport>]>,
    contacts: Box<[OnceCell<ContactReport>]>,
    energy: OnceCell<Energy>,
}

impl Reports {
    fn none_of(mechanism: &Mechanism) -> Self {
        Reports {
            forces: vec![OnceCell::new(); mechanism.elements.len()].into(),
            contacts: vec![OnceCell::new(); mechanism.contacts.len()].into(),
            energy: OnceCell::new(),
        }
    }

    fn forget(&mut self) {
        self.forces.fill(OnceCell::new());
        self.contacts.fill(OnceCell::new());
        self.energy = OnceCell::new();
    }
}

/// The motion of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PointState {
    /// Position in the world (m).
    pub position: [f64; 2],
    /// Velocity (m/s).
    pub velocity: [f64; 2],
    /// Acceleration (m/s²).
    pub acceleration: [f64; 2],
}

/// The motion of a scalar: a coordinate or an angle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ScalarState {
    /// Value (m or rad).
    pub value: f64,
    /// First derivative in time.
    pub rate: f64,
    /// Second derivative in time.
    pub acceleration: f64,
}

/// The force that body a of a joint exerts on body b.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction {
    /// The components that the joint can transmit, in the order of [`JointKind::reaction_names`].
    components: [f64; 3],
    kind: JointKind,
}

impl Reaction {
    /// The components by name.
    pub fn components(&self) -> impl Iterator<Item = (&'static str, f64)> {
        self.kind.reaction_names().iter().copied().zip(self.components)
    }

    /// The component of this name, such as `fx` (N), `normal` (N), `tension` (N) or `moment` (N m).
    pub fn get(&self, name: &str) -> Option<f64> {
        self.components().find(|(other, _)| *other == name).map(|(_, value)| value)
    }

    /// The magnitude of the force: of all components but the moment (N).
    pub fn force(&self) -> f64 {
        let parts = self.components().filter(|(name, _)| *name != "moment");
        parts.map(|(_, value)| value * value).sum::<f64>().sqrt()
    }
}

/// The effort of a driver that keeps its coordinate on its signal.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriverState {
    /// Force (N) or moment (N m) along its coordinate.
    pub effort: f64,
    /// Power that it supplies (W).
    pub power: f64,
}

impl Equations {
    /// Evaluates a state.
    ///
    /// # Errors
    /// [`Error::Massless`] or [`Error::Evaluation`] where the accelerations are not determined.
    pub fn snapshot(&self, t: f64, y: &[f64], mode: &Mode) -> Result<Snapshot<'_>, Error> {
        let mut snapshot = Snapshot {
            equations: self,
            evaluation: self.evaluation(),
            mode: mode.clone(),
            t,
            amounts: Vec::new(),
            start: None,
            reports: Reports::none_of(&self.mechanism),
        };
        snapshot.move_to(t, y, mode)?;
        Ok(snapshot)
    }

    /// State number `i` of a trajectory.
    pub(crate) fn instant(&self, trajectory: &Trajectory, i: usize) -> Result<Snapshot<'_>, Error> {
        let (t, y, mode) = trajectory.get(i);
        Ok(Snapshot { start: trajectory.start, ..self.snapshot(t, y, mode)? })
    }

    /// All states of a trajectory.
    pub(crate) fn instants<'a>(
        &'a self,
        trajectory: &'a Trajectory,
    ) -> impl ExactSizeIterator<Item = Result<Snapshot<'a>, Error>> {
        (0..trajectory.len()).map(|i| self.instant(trajectory, i))
    }

    /// One number for each state of a trajectory.
    pub(crate) fn series(
        &self,
        trajectory: &Trajectory,
        mut channel: impl FnMut(&Snapshot<'_>) -> f64,
    ) -> Result<Vec<f64>, Error> {
        let mut values = Vec::with_capacity(trajectory.len());
        let mut memory: Option<Snapshot<'_>> = None;
        for i in 0..trajectory.len() {
            let (t, y, mode) = trajectory.get(i);
            match &mut memory {
                Some(snapshot) => snapshot.move_to(t, y, mode)?,
                none => *none = Some(self.instant(trajectory, i)?),
            }
            values.extend(memory.as_ref().map(&mut channel));
        }
        Ok(values)
    }
}

impl Snapshot<'_> {
    /// Evaluates another state in the same memory.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    pub fn move_to(&mut self, t: f64, y: &[f64], mode: &Mode) -> Result<(), Error> {
        self.t = t;
        self.mode.clone_from(mode);
        self.reports.forget();
        self.amounts.clear();
        self.amounts.extend_from_slice(&y[self.equations.first_account()..]);
        let evaluated = self.equations.evaluate(t, y, mode, &mut self.evaluation);
        evaluated.map_err(|trouble| self.equations.evaluation_error(trouble))
    }

    /// The time (s).
    pub fn t(&self) -> f64 {
        self.t
    }

    /// Whether all accelerations and powers are finite. They are at every kept instant of a run, except the last one of a run
    /// that failed because one of them is not.
    pub fn is_finite(&self) -> bool {
        let Evaluation { work, power, .. } = &self.evaluation;
        work.unknowns.iter().chain(power).all(|number| number.is_finite())
    }

    /// The motion of a point of a body.
    ///
    /// # Panics
    /// If there is no such body, because the id belongs to another mechanism.
    pub fn point(&self, anchor: Anchor) -> PointState {
        let station = self.equations.mechanism.stations().station(anchor);
        let motion = &self.evaluation.work.motion[station.frame];
        let point = motion.point(station.local);
        let [ax, ay, alpha] = self.evaluation.work.acceleration[station.frame];
        let turn = perp(point.arm);
        let squared = motion.omega * motion.omega;
        PointState {
            position: point.x,
            velocity: point.v,
            acceleration: [
                ax + alpha * turn[0] - squared * point.arm[0],
                ay + alpha * turn[1] - squared * point.arm[1],
            ],
        }
    }

    /// The origin of the frame of a body.
    ///
    /// # Panics
    /// If there is no such body, because the id belongs to another mechanism.
    pub fn position(&self, body: BodyId) -> PointState {
        self.point(body.origin())
    }

    /// The angle of a body.
    ///
    /// # Panics
    /// If there is no such body, because the id belongs to another mechanism.
    pub fn angle(&self, body: BodyId) -> ScalarState {
        let motion = &self.evaluation.work.motion[body.0];
        ScalarState {
            value: motion.angle,
            rate: motion.omega,
            acceleration: self.evaluation.work.acceleration[body.0][2],
        }
    }

    /// A coordinate.
    ///
    /// # Panics
    /// If there is no such body or joint, because the id belongs to another mechanism.
    pub fn coordinate(&self, coordinate: Coordinate) -> ScalarState {
        let row = coordinate_row(&self.equations.mechanism, coordinate);
        let work = &self.evaluation.work;
        let value = row.eval(&work.motion, NO_TARGET);
        let [a, b] = row.frames().map(|frame| work.acceleration[frame]);
        let linear = dot3(value.on_a, a) + dot3(value.on_b, b);
        ScalarState { value: value.residual, rate: value.rate, acceleration: linear - value.gamma }
    }

    /// The reaction of a joint: the force of its body a on its body b.
    ///
    /// # Panics
    /// If there is no such joint, because the id belongs to another mechanism.
    pub fn reaction(&self, joint: JointId) -> Reaction {
        let part = self.equations.mechanism.joint(joint);
        let work = &self.evaluation.work;
        let ([fx, fy], moment) = self.equations.reaction(joint.0, work);
        let axis = || work.motion[part.a.anchor.body.0].turn(unit(part.a.direction));
        let components = match part.kind {
            JointKind::Revolute => [fx, fy, 0.0],
            JointKind::Weld => [fx, fy, moment],
            JointKind::Prismatic => [dot(perp(axis()), [fx, fy]), moment, 0.0],
            JointKind::PointOnLine => [dot(perp(axis()), [fx, fy]), 0.0, 0.0],
            JointKind::Distance { .. } => {
                let place = |anchor| self.point(anchor).position;
                let (a, b) = (place(part.a.anchor), place(part.b.anchor));
                let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                [-(fx * dx + fy * dy) / libm::hypot(dx, dy), 0.0, 0.0]
            }
        };
        Reaction { components, kind: part.kind }
    }

    /// Effort and power of a driver.
    ///
    /// # Panics
    /// If there is no such driver, because the id belongs to another mechanism.
    pub fn driver(&self, driver: DriverId) -> DriverState {
        let place = self.equations.layout.drivers[driver.0];
        let effort = self.evaluation.work.effort(place);
        DriverState { effort, power: effort * self.evaluation.work.drives[driver.0].first }
    }

    /// The moment (N m) or force (N) of friction along the coordinate of a joint, viscous and dry together; negative against
    /// a positive rate.
    pub fn friction(&self, joint: JointId) -> f64 {
        self.equations.friction_effort(joint.0, &self.evaluation)
    }

    /// The effect of a force element.
    ///
    /// # Panics
    /// If there is no such force element, because the id belongs to another mechanism.
    pub fn force(&self, force: ForceId) -> ForceReport {
        let element = &self.equations.mechanism.elements[force.0];
        let report = || element.report(self.t, &self.evaluation.work.motion);
        *self.reports.forces[force.0].get_or_init(report)
    }

    /// The report of a contact.
    ///
    /// # Panics
    /// If there is no such contact, because the id belongs to another mechanism.
    pub fn contact(&self, contact: ContactId) -> ContactReport {
        let element = &self.equations.mechanism.contacts[contact.0];
        let Evaluation { work, bristles, .. } = &self.evaluation;
        let report = || element.report(&self.mode.contacts[contact.0], &work.motion, bristles);
        *self.reports.contacts[contact.0].get_or_init(report)
    }

    /// The energy.
    pub fn energy(&self) -> Energy {
        let energy = || self.equations.energy(&self.evaluation.work, &self.mode);
        *self.reports.energy.get_or_init(energy)
    }

    /// The amount of each account of the ledger (J), in the order of
    /// [`Mechanism::accounts`](crate::Mechanism::accounts).
    pub fn amounts(&self) -> &[f64] {
        &self.amounts
    }

    /// Energy of contacts that had to start inside an overlap (J), since the start of the run.
    pub fn late_energy(&self) -> f64 {
        self.mode.late_energy()
    }

    /// The change of energy since the start of the run that the accounts do not explain (J), as
    /// [`Ledger::residual`](crate::Ledger::residual) at the end; 0 for an instant that belongs to no run.
    pub fn energy_residual(&self) -> f64 {
        let Some(start) = self.start else { return 0.0 };
        let sign = |kind: AccountKind| if kind.is_loss() { -1.0 } else { 1.0 };
        let accounts = self.equations.mechanism.accounts.iter().zip(&self.amounts);
        let explained: f64 = accounts.map(|(account, amount)| sign(account.kind) * amount).sum();
        self.energy().total() - start - explained - self.late_energy()
    }

    /// The power of each account of the ledger (W), in the order of
    /// [`Mechanism::accounts`](crate::Mechanism::accounts).
    pub fn powers(&self) -> &[f64] {
        &self.evaluation.power
    }

    /// The greatest violation of a constraint, and of its rate: lengths over the size of the mechanism, angles in rad.
    pub fn violation(&self) -> (f64, f64) {
        let (position, rate, _) = self.equations.violation(&self.evaluation);
        (position, rate)
    }
}
