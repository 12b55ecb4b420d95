//! The equations of motion of one mechanism as an initial-value problem with guards.
//!
//! The state is `y = (q, v, w)`: unknown coordinates, their rates, and one amount for each account of the
//! [ledger](crate::ledger), integrated from its power. The mode is the [`Phase`] of every contact. Everything
//! evaluated at a state is a pure function of it; only the transition at a located event changes the mode.

mod begin;
mod flight;
mod friction;
mod guards;
mod linear;
mod mode;
mod parts;
mod projection;
mod signals;
mod system;
mod transition;
mod turn;

use crate::contact::{Bristles, Facing, Phase};
use crate::error::Error;
use crate::force::Element;
use crate::formulation::span::{JointPlace, Layout, absolute, is_point, layout};
use crate::formulation::{Core, Formulation, Massless, Work};
use crate::frame::{cross, sub};
use crate::ledger::Energy;
use crate::mechanism::Mechanism;
use crate::real::Real;

use friction::FrictionWork;
pub use mode::{Mode, Overlaps};
pub(crate) use parts::{measured, owner_of};
use signals::signals;
pub(crate) use system::rhs_fault;
pub(crate) use transition::STICKS;

/// The method of drift control.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct DriftControl {
    /// α of Baumgarte's stabilisation, γ − 2α Ċ − β² C (1/s); 0 by default (Baumgarte1972, Skrinjar2017 eq. (3)).
    pub alpha: f64,
    /// β of Baumgarte's stabilisation (1/s); 0 by default.
    pub beta: f64,
    /// Whether every step ends with positions and velocities on the constraints, to 1e-12 of the size of the
    /// mechanism; `true` by default.
    pub projection: bool,
}

impl DriftControl {
    /// Baumgarte's stabilisation alone, with α and β (1/s).
    pub fn baumgarte(alpha: f64, beta: f64) -> Self {
        DriftControl { alpha, beta, projection: false }
    }
}

impl Default for DriftControl {
    fn default() -> Self {
        DriftControl { alpha: 0.0, beta: 0.0, projection: true }
    }
}

/// The equations of a mechanism in one formulation. Structure is analysed once, here.
#[derive(Clone, Debug)]
pub struct Equations {
    pub(crate) mechanism: Mechanism,
    pub(crate) layout: Layout,
    pub(crate) drift: DriftControl,
    purpose: Purpose,
    /// Gaps below this count as closed (m), because positions are not more accurate.
    resolution: f64,
    /// Whether a signal limits the steps.
    timed: bool,
    /// Whether a force element has a damper.
    damped: bool,
}

/// The purpose of the equations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Purpose {
    Dynamics,
    /// Forces and masses have no effect, because the drivers determine every motion.
    Kinematics,
    /// Drivers are held at their positions.
    Statics,
}

/// Everything that is evaluated at one state.
#[derive(Clone, Debug)]
pub(crate) struct Evaluation<T> {
    pub(crate) work: Work<T>,
    /// Power of each account.
    pub(crate) power: Vec<T>,
    /// The bristles of contacts.
    pub(crate) bristles: Vec<Bristles<T>>,
    friction: FrictionWork<T>,
    /// The contacts that touch.
    touching: Vec<usize>,
}

/// The reason why the equations cannot be evaluated at a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The motion of a frame moves no mass.
    Massless { frame: usize },
    /// The friction of a joint and its reaction have no common solution, or two.
    Friction { joint: usize },
}

impl From<Massless> for Trouble {
    fn from(Massless { frame }: Massless) -> Self {
        Trouble::Massless { frame }
    }
}

impl Trouble {
    fn part(self) -> system::FaultPart {
        match self {
            Trouble::Massless { frame } => system::FaultPart::Frame(frame),
            Trouble::Friction { joint } => system::FaultPart::Joint(joint),
        }
    }

    pub(crate) fn reason(self) -> &'static str {
        match self {
            Trouble::Massless { .. } => "it can move without moving any mass",
            Trouble::Friction { .. } => {
                "friction and reaction have no single common solution: the joint jams"
            }
        }
    }
}

impl Equations {
    /// The equations in these coordinates.
    ///
    /// # Errors
    /// [`Error::Massless`] and [`Error::NoInertia`] if the absolute formulation cannot represent a body.
    pub fn new(
        mechanism: &Mechanism,
        formulation: Formulation,
        drift: DriftControl,
    ) -> Result<Self, Error> {
        let DriftControl { alpha, beta, .. } = drift;
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(Error::Setting { name, value, allowed: "it must lie in [0, ∞)" });
            }
        }
        let layout = layout(mechanism, formulation, [alpha, beta])?;
        let mechanism = mechanism.clone();
        let resolution = 16.0 * mechanism.rounding;
        let timed = signals(&mechanism).any(|(_, signal)| signal.limits_steps());
        let damped = mechanism.elements.iter().any(Element::is_damped);
        let purpose = Purpose::Dynamics;
        Ok(Equations { mechanism, layout, drift, purpose, resolution, timed, damped })
    }

    /// The resolution of positions (m): bodies that separate by less count as not separated.
    pub(crate) fn resolving(mut self, length: f64) -> Self {
        self.resolution = self.resolution.max(length);
        self
    }

    /// The resolution of positions (m).
    pub(crate) fn resolution(&self) -> f64 {
        self.resolution
    }

    /// The constraints alone, between bodies of equal weight. A point mass whose angle is not
    /// needed does not turn.
    pub(crate) fn kinematic(mechanism: &Mechanism) -> Self {
        let turn = 1.0 / (mechanism.length * mechanism.length);
        let mut weights = vec![[0.0; 3]];
        for (i, (_, body)) in mechanism.bodies.iter().enumerate() {
            let point = body.inertia == 0.0 && is_point(mechanism, i + 1);
            weights.push([1.0, 1.0, if point { 0.0 } else { turn }]);
        }
        let layout = absolute(mechanism, weights, [0.0, 0.0]);
        Equations {
            mechanism: mechanism.clone(),
            layout,
            drift: DriftControl::default(),
            purpose: Purpose::Kinematics,
            resolution: 16.0 * mechanism.rounding,
            timed: false,
            damped: false,
        }
    }

    /// From now on drivers are held at their positions.
    pub(crate) fn hold_drivers(&mut self) {
        self.purpose = Purpose::Statics;
    }

    /// No contact touches.
    pub(crate) fn all_apart(&self) -> Mode {
        let apart = Phase::Apart { start: 0.0, last: None, facing: Facing::Before };
        let contacts = vec![apart; self.mechanism.contacts.len()].into();
        Mode { contacts, late: None, emerged: None, snapped: None }
    }

    /// The mechanism.
    pub fn mechanism(&self) -> &Mechanism {
        &self.mechanism
    }

    /// The number of unknown coordinates.
    pub fn unknown_count(&self) -> usize {
        self.layout.structure.unknowns
    }

    /// The coordinates of these equations: never `Auto`.
    pub fn formulation(&self) -> Formulation {
        if matches!(self.layout.structure.core, Core::Bodies(_)) {
            Formulation::Absolute
        } else {
            Formulation::Joint
        }
    }

    /// The number of constraints that remain.
    pub fn constraint_count(&self) -> usize {
        self.layout.structure.rows.len()
    }

    /// The index in the state at which the accounts begin, after coordinates, rates and bristles.
    pub(crate) fn first_account(&self) -> usize {
        2 * self.unknown_count() + self.mechanism.bristles
    }

    /// The number of components of the state: coordinates, rates, bristles, accounts.
    pub fn state_count(&self) -> usize {
        self.first_account() + self.mechanism.accounts.len()
    }

    /// A number that identifies these equations.
    pub(crate) fn fingerprint(&self) -> u64 {
        let absolute = matches!(self.layout.structure.core, Core::Bodies(_));
        self.mechanism.fingerprint ^ u64::from(absolute)
    }

    pub(crate) fn evaluation<T: Real>(&self) -> Evaluation<T> {
        Evaluation {
            work: self.layout.structure.work(self.mechanism.drivers.len()),
            power: vec![T::ZERO; self.mechanism.accounts.len()],
            bristles: vec![Bristles { z: T::ZERO, rate: T::ZERO }; self.mechanism.bristles],
            friction: FrictionWork::new(&self.mechanism),
            touching: Vec::with_capacity(self.mechanism.contacts.len()),
        }
    }

    /// Places the bodies according to the state, ready for an evaluation.
    #[expect(clippy::inline_always, reason = "inlining saves a tenth of the time of an evaluation")]
    #[inline(always)]
    pub(crate) fn place<T: Real>(&self, t: f64, y: &[T], work: &mut Work<T>) {
        self.prescribe(t, work);
        let n = self.layout.structure.unknowns;
        self.layout.structure.place(&y[..n], &y[n..2 * n], work);
    }

    /// Computes only the motion of the bodies.
    #[inline]
    pub(crate) fn locate<T: Real>(&self, t: f64, y: &[T], work: &mut Work<T>) {
        self.prescribe(t, work);
        let n = self.layout.structure.unknowns;
        self.layout.structure.locate(&y[..n], &y[n..2 * n], work);
    }

    /// Sets the deflections of bristles from the state.
    #[inline]
    pub(crate) fn bend<T: Real>(&self, y: &[T], bristles: &mut [Bristles<T>]) {
        for (bristles, z) in bristles.iter_mut().zip(&y[2 * self.layout.structure.unknowns..]) {
            *bristles = Bristles { z: *z, rate: T::ZERO };
        }
    }

    /// Evaluates the signals of the drivers.
    #[expect(clippy::inline_always, reason = "inlining saves a tenth of the time of an evaluation")]
    #[inline(always)]
    fn prescribe<T: Real>(&self, t: f64, work: &mut Work<T>) {
        for (driver, drive) in self.mechanism.drivers.iter().zip(&mut work.drives) {
            *drive = driver.signal.at(t);
        }
        if self.purpose == Purpose::Statics {
            for drive in &mut work.drives {
                (drive.first, drive.second) = (0.0, 0.0);
            }
        }
    }

    /// Evaluates motion, forces, accelerations, multipliers and powers.
    #[inline(never)]
    pub(crate) fn evaluate<T: Real>(
        &self,
        t: f64,
        y: &[T],
        mode: &Mode,
        evaluation: &mut Evaluation<T>,
    ) -> Result<(), Trouble> {
        let Evaluation { work, power, friction, bristles, .. } = evaluation;
        self.evaluate_into(t, y, mode, (work, friction, bristles), power)
    }

    /// As [`evaluate`](Self::evaluate), with the powers elsewhere. Every part writes the power of its own account.
    #[expect(clippy::inline_always, reason = "inlining saves a tenth of the time of an evaluation")]
    #[inline(always)]
    fn evaluate_into<T: Real>(
        &self,
        t: f64,
        y: &[T],
        mode: &Mode,
        (work, friction, bristles): (&mut Work<T>, &mut FrictionWork<T>, &mut [Bristles<T>]),
        power: &mut [T],
    ) -> Result<(), Trouble> {
        self.place(t, y, work);
        self.bend(y, bristles);
        if self.purpose == Purpose::Kinematics {
            power.fill(T::ZERO);
            work.force.fill([T::ZERO; 3]);
            self.layout.structure.accelerate(work)?;
            return Ok(());
        }
        for (force, weight) in work.force.iter_mut().zip(&self.layout.weight) {
            *force = weight.map(T::constant);
        }
        for element in &self.mechanism.elements {
            element.apply(t, &work.motion, &mut work.force, power);
        }
        for (contact, phase) in self.mechanism.contacts.iter().zip(&mode.contacts) {
            contact.apply(phase, &work.motion, bristles, &mut work.force, power);
        }
        if self.mechanism.frictions.is_empty() {
            self.layout.structure.accelerate(work)?;
        } else {
            self.accelerate_with_friction(work, friction, power)?;
        }
        self.book_constraints(work, power);
        Ok(())
    }

    /// Powers of drivers and of constraints that drift: −λ ḟ and −λ Ċ.
    #[inline]
    fn book_constraints<T: Real>(&self, work: &Work<T>, power: &mut [T]) {
        for (driver, place) in self.layout.drivers.iter().enumerate() {
            let rate = work.drives[driver].first;
            power[self.mechanism.driver_accounts[driver]] = work.effort(*place) * rate;
        }
        let mut drift = T::ZERO;
        for (multiplier, row) in work.multiplier.iter().zip(&work.rows) {
            drift -= *multiplier * row.rate;
        }
        power[self.mechanism.drift_account] = drift;
    }

    /// The force by which body a of a joint acts on body b, and its moment about the place on b.
    pub(crate) fn reaction<T: Real>(&self, joint: usize, work: &Work<T>) -> ([T; 2], T) {
        let part = &self.mechanism.joints[joint];
        let station = self.mechanism.stations().station(part.b.anchor);
        let place = work.motion[station.frame].point(station.local).x;
        let (frame, force, sign) = match self.layout.joints[joint] {
            JointPlace::Link { link, moves_b } => {
                let force = self.layout.structure.link_force(link, work);
                let moved = if moves_b { part.b.anchor.body.0 } else { part.a.anchor.body.0 };
                (moved, force, if moves_b { 1.0 } else { -1.0 })
            }
            JointPlace::Rows(first) => {
                let mut sum = [T::ZERO; 3];
                for row in first..first + self.mechanism.joint_rows[joint].len() {
                    let [_, on_b] = work.row_force(row);
                    sum = std::array::from_fn(|i| sum[i] + on_b[i]);
                }
                (station.frame, sum, 1.0)
            }
        };
        let [fx, fy, moment] = force.map(|f| f * sign);
        let arm = sub(place, work.motion[frame].x);
        ([fx, fy], moment - cross(arm, [fx, fy]))
    }

    /// The energy of the mechanism.
    pub(crate) fn energy(&self, work: &Work<f64>, mode: &Mode) -> Energy {
        let mut energy = Energy::default();
        for ((_, body), motion) in self.mechanism.bodies.iter().zip(&work.motion[1..]) {
            self.add_body(body, motion.x, (motion.v, motion.omega), &mut energy);
        }
        energy.elastic =
            self.mechanism.elements.iter().map(|element| element.energy(&work.motion)).sum();
        energy.contact = self.contact_energy(work, mode);
        energy
    }

    /// The energy of the contacts.
    fn contact_energy(&self, work: &Work<f64>, mode: &Mode) -> f64 {
        let contacts = self.mechanism.contacts.iter().zip(&mode.contacts);
        contacts.map(|(contact, phase)| contact.energy(phase, &work.motion)).sum()
    }
}
