//! The equations as a problem for the integrator.

use jointplay_contact::REST_SPEED;
use jointplay_ode::{
    Bow, Complex, Crossing, Effect, Fault, Matrix, Part, Parts, Stretch, Survey, System, Trigger,
};

use super::guards::Stretched;
use super::linear::Linear;
use super::{Equations, Evaluation, Mode, Trouble};
use crate::contact::{Decay, Phase};
use crate::error::{PartKind, PartRef};
use crate::frame::Motion;
use crate::mechanism::OnCrossing;
use crate::real::{Dual, Real, WIDTH};
use crate::signal::Jump;

/// The implicit method takes over stiff contacts only if the admitted error of lengths changes the
/// forces of contacts by less than this fraction of the greatest one. An implicit method is stable
/// in any step: it would not resolve an indentation that is smaller than its errors, and miss the
/// end of that contact. Stability forces an explicit method to take short steps.
const RESOLVED: f64 = 3e-3;

/// Working memory of a run.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) real: Evaluation<f64>,
    /// For derivatives; made when they are first needed.
    dual: Option<Box<Differentiated>>,
    /// For the linear equations of implicit methods; made when they are first needed.
    linear: Option<Box<Linear>>,
    /// The mechanism over a time interval.
    stretched: Stretched,
}

/// An evaluation in dual numbers, with the state and its rate.
#[derive(Debug)]
struct Differentiated {
    evaluation: Evaluation<Dual>,
    y: Vec<Dual>,
    dy: Vec<Dual>,
}

/// The parts of a mechanism that a [`Fault`] can name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultPart {
    Frame(usize),
    Joint(usize),
    Row(usize),
    Contact(usize),
    Driver(usize),
}

impl From<FaultPart> for Part {
    fn from(part: FaultPart) -> Self {
        let (kind, index) = match part {
            FaultPart::Frame(frame) => ("frame", frame),
            FaultPart::Joint(joint) => ("joint", joint),
            FaultPart::Row(row) => ("row", row),
            FaultPart::Contact(contact) => ("contact", contact),
            FaultPart::Driver(driver) => ("driver", driver),
        };
        Part { kind, index }
    }
}

impl FaultPart {
    /// The part that a [`Part`] of a fault stands for.
    fn of(part: Part) -> Option<Self> {
        let made = [
            FaultPart::Frame,
            FaultPart::Joint,
            FaultPart::Row,
            FaultPart::Contact,
            FaultPart::Driver,
        ];
        made.into_iter().map(|made| made(part.index)).find(|made| Part::from(*made) == part)
    }
}

/// A trouble at this time as a fault.
pub(crate) fn rhs_fault(t: f64, trouble: Trouble) -> Fault {
    Fault::Rhs { t, reason: trouble.reason(), part: trouble.part().into() }
}

impl Equations {
    /// The part that a [`Fault`] concerns.
    pub(crate) fn fault_part(&self, part: Part) -> Option<PartRef> {
        let mechanism = &self.mechanism;
        FaultPart::of(part).map(|part| match part {
            FaultPart::Frame(frame) => self.part_of_frame(frame),
            FaultPart::Joint(joint) => PartRef::new(PartKind::Joint, &mechanism.joints[joint].name),
            FaultPart::Row(row) => self.part_of_row(row).0,
            FaultPart::Contact(contact) => {
                PartRef::new(PartKind::Contact, &mechanism.contact_names[contact])
            }
            FaultPart::Driver(driver) => {
                PartRef::new(PartKind::Driver, &mechanism.drivers[driver].name)
            }
        })
    }

    /// The part that a guard belongs to.
    pub(crate) fn part_of_guard(&self, guard: usize) -> PartRef {
        if let Some(watch) = guard.checked_sub(self.mechanism.first_watch) {
            return PartRef::new(PartKind::Watch, &self.mechanism.watches[watch].0.name);
        }
        let contact = self.contact_of(guard);
        PartRef::new(PartKind::Contact, &self.mechanism.contact_names[contact])
    }

    /// The name of the watch of a guard, if it ends a run.
    pub(crate) fn stopping_watch(&self, guard: usize) -> Option<&str> {
        let watch = guard.checked_sub(self.mechanism.first_watch)?;
        let (watch, _) = &self.mechanism.watches[watch];
        (watch.then == OnCrossing::Stop).then_some(watch.name.as_str())
    }

    /// Writes ẏ = (v, q̈, powers). `true` if all bodies are now placed at this state.
    #[inline]
    pub(super) fn rates<T: Real>(
        &self,
        t: f64,
        y: &[T],
        mode: &Mode,
        dy: &mut [T],
        evaluation: &mut Evaluation<T>,
    ) -> Result<bool, Fault> {
        if let Some(inverse) = self.in_flight()
            && self.few_touch(mode, &mut evaluation.touching)
        {
            self.fly(inverse, y, mode, dy, evaluation);
            return Ok(false);
        }
        let n = self.layout.structure.unknowns;
        let (rates, rest) = dy.split_at_mut(n);
        let (accelerations, rest) = rest.split_at_mut(n);
        let Evaluation { work, friction, bristles, .. } = evaluation;
        let (bristle_rates, powers) = rest.split_at_mut(bristles.len());
        let evaluated =
            self.evaluate_into(t, y, mode, (&mut *work, friction, &mut *bristles), powers);
        evaluated.map_err(|trouble| rhs_fault(t, trouble))?;
        let unknowns = y[n..2 * n].iter().zip(&work.unknowns);
        for ((rate, acceleration), (v, a)) in rates.iter_mut().zip(accelerations).zip(unknowns) {
            (*rate, *acceleration) = (*v, *a);
        }
        for (rate, bristles) in bristle_rates.iter_mut().zip(&*bristles) {
            *rate = bristles.rate;
        }
        Ok(true)
    }

    /// The rounding of positions (m): of the coordinates, and of angles with all their turns times
    /// their arms.
    pub(crate) fn rounding(&self, motion: &[Motion<f64>]) -> f64 {
        let far = |far: f64, m: &Motion<f64>| far.max(m.x[0].abs()).max(m.x[1].abs());
        let turned = motion.iter().fold(0.0, |turned: f64, m| turned.max(m.angle.abs()));
        let rounding =
            f64::EPSILON * (motion.iter().fold(0.0, far) + turned * self.mechanism.length);
        self.mechanism.rounding.max(rounding)
    }
}

impl System for Equations {
    type State = Vec<f64>;
    type Mode = Mode;
    type Guards = Vec<f64>;
    type Scratch = Scratch;

    const PROJECTS: bool = true;
    const HAS_JACOBIAN: bool = true;

    fn scratch(&self) -> Scratch {
        let stretched = Stretched::new(self);
        Scratch { real: self.evaluation(), dual: None, linear: None, stretched }
    }

    /// The limit set by the signals of drivers and loads.
    #[inline]
    fn longest_step(&self, t: f64, h: f64) -> f64 {
        Equations::longest_step(self, t, h)
    }

    /// Near a singular position of the constraints (ADR 0016).
    #[inline]
    fn firmness(&self, scratch: &Scratch) -> f64 {
        scratch.real.work.weakest
    }

    /// Drivers must not jump in position or speed. Functions that are known to jump are refused
    /// from the start; jumps of others, such as `atan2` where it wraps around, are detected here.
    #[inline]
    fn admits(&self, from: f64, to: f64) -> Result<(), Fault> {
        if !self.timed {
            return Ok(());
        }
        let drivers = self.mechanism.drivers.iter().enumerate();
        let mut jumps = drivers.filter_map(|(i, driver)| Some((i, driver.signal.jump(from, to)?)));
        jumps.next().map_or(Ok(()), |(driver, jump)| {
            let Jump { t, size, of_rate } = jump;
            Err(Fault::Jump { t, size, of_rate, part: FaultPart::Driver(driver).into() })
        })
    }

    /// The mechanism rests if bodies touch and no coordinate is faster than the speed below which a
    /// contact rests (ADR 0018), in m/s or rad/s.
    #[inline]
    fn rests(&self, y: &Vec<f64>, mode: &Mode) -> bool {
        let n = self.layout.structure.unknowns;
        y[n..2 * n].iter().all(|rate| rate.abs() < REST_SPEED)
            && mode.contacts.iter().any(|phase| matches!(phase, Phase::Touching { .. }))
    }

    /// The stiffness of dampers and of the touching contacts, as if their bodies were free.
    fn stiffness(&self, t: f64, y: &Vec<f64>, mode: &Mode, scratch: &mut Scratch) -> f64 {
        let touches = mode.contacts.iter().any(|phase| matches!(phase, Phase::Touching { .. }));
        if !touches && !self.damped {
            return 0.0;
        }
        let Evaluation { work, touching, .. } = &mut scratch.real;
        if self.few_touch(mode, touching) && self.in_flight().is_some() {
            self.place_some(y, touching, work);
        } else {
            self.locate(t, y, work);
        }
        let (motion, inverse) = (&work.motion, &self.layout.structure.free);
        let mut damping = 0.0;
        if self.damped {
            let decays =
                self.mechanism.elements.iter().map(|element| element.decay(motion, inverse));
            damping = decays.fold(0.0, f64::max);
        }
        let deflections = &y[2 * self.layout.structure.unknowns..];
        let decays = touching.iter().map(|&i| {
            let (contact, phase) = (&self.mechanism.contacts[i], &mode.contacts[i]);
            let z = contact.bristle.map_or(0.0, |i| deflections[i]);
            contact.decay(phase, motion, inverse, z)
        });
        let Decay { rate, slope, force } = decays.fold(Decay::NONE, Decay::max);
        if slope * self.resolution > RESOLVED * force { 0.0 } else { rate.max(damping) }
    }

    #[inline]
    fn second_order(&self) -> usize {
        self.layout.structure.unknowns
    }

    /// A dense matrix with d coordinates takes d³ operations, and its slopes d²; an explicit step takes some 1000 d.
    #[inline]
    fn implicit_cost(&self) -> f64 {
        let d = self.layout.structure.unknowns as f64;
        if self.is_sparse() { 1.5 } else { (0.4 + d * (0.05 + 0.0015 * d)).max(1.0) }
    }

    /// The accounts.
    #[inline]
    fn quadratures(&self) -> usize {
        self.mechanism.accounts.len()
    }

    #[inline]
    fn rhs(
        &self,
        t: f64,
        y: &Vec<f64>,
        mode: &Mode,
        dy: &mut Vec<f64>,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        self.rates(t, y, mode, dy, &mut scratch.real).map(|_| ())
    }

    /// Exact derivatives, a few columns by one evaluation in dual numbers.
    fn jacobian(
        &self,
        t: f64,
        y: &Vec<f64>,
        mode: &Mode,
        jacobian: &mut Matrix,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let size = self.state_count();
        let dual = scratch.dual.get_or_insert_with(|| {
            let zeros = vec![Dual::ZERO; size];
            Box::new(Differentiated { evaluation: self.evaluation(), y: zeros.clone(), dy: zeros })
        });
        let Differentiated { evaluation, y: seeded, dy: rates } = &mut **dual;
        for (seeded, y) in seeded.iter_mut().zip(y) {
            *seeded = Dual::constant(*y);
        }
        // Nothing depends on the accounts.
        let columns = self.first_account();
        for first in (0..columns).step_by(WIDTH) {
            let last = (first + WIDTH).min(columns);
            for column in first..last {
                seeded[column] = Dual::variable(y[column], column - first);
            }
            self.rates(t, seeded, mode, rates, evaluation)?;
            for column in first..last {
                for (row, rate) in rates.iter().enumerate() {
                    jacobian[(row, column)] = rate.slope(column - first);
                }
                seeded[column] = Dual::constant(y[column]);
            }
        }
        Ok(())
    }

    fn solves(&self) -> bool {
        self.is_sparse()
    }

    fn linearise(
        &self,
        t: f64,
        y: &Vec<f64>,
        mode: &Mode,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let Scratch { real, linear, .. } = scratch;
        let linear = linear.get_or_insert_with(|| Box::new(self.linear()));
        self.linearise_into(t, y, mode, real, linear)
    }

    fn factorise(&self, real: f64, complex: Complex, scratch: &mut Scratch) -> bool {
        scratch.linear.as_mut().is_some_and(|linear| linear.factorise(self, real, complex))
    }

    fn solve_real(&self, x: &mut [f64], scratch: &mut Scratch) {
        if let Some(linear) = &mut scratch.linear {
            linear.solve_real(self, x);
        }
    }

    fn solve_complex(&self, x: &mut [Complex], scratch: &mut Scratch) {
        if let Some(linear) = &mut scratch.linear {
            linear.solve_complex(self, x);
        }
    }

    fn project(
        &self,
        t: f64,
        y: &mut Vec<f64>,
        mode: &Mode,
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        if self.layout.structure.rows.is_empty() || !self.drift.projection {
            return Ok(());
        }
        if y.iter().any(|y| !y.is_finite()) {
            return Ok(()); // the integrator reports it; it is not the fault of a constraint
        }
        let fault = |part: FaultPart, reason| Fault::Projection { t, reason, part: part.into() };
        match self.project_state(t, y, mode, &mut scratch.real) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(row)) => Err(fault(FaultPart::Row(row), "the constraint cannot be closed")),
            Err(trouble) => Err(fault(trouble.part(), trouble.reason())),
        }
    }

    fn guard_count(&self) -> usize {
        self.mechanism.first_watch + self.mechanism.watches.len()
    }

    fn guards(&self, t: f64, y: &Vec<f64>, mode: &Mode, g: &mut Vec<f64>, scratch: &mut Scratch) {
        self.locate(t, y, &mut scratch.real.work);
        self.guards_of(&scratch.real.work.motion, mode, g);
    }

    /// Only the bodies of these guards are placed, and their contacts looked at.
    fn some_guards(
        &self,
        t: f64,
        y: &Vec<f64>,
        mode: &Mode,
        (which, g): (&[usize], &mut Vec<f64>),
        scratch: &mut Scratch,
    ) {
        if which.len() == g.len() {
            return self.guards(t, y, mode, g, scratch);
        }
        self.guards_of_some(t, y, mode, (which, g), &mut scratch.real.work);
    }

    /// The bodies are placed once for both, or for the guards alone where the right-hand side needs only a few.
    fn rhs_and_guards(
        &self,
        t: f64,
        y: &Vec<f64>,
        mode: &Mode,
        (dy, g): (&mut Vec<f64>, &mut Vec<f64>),
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        if !self.rates(t, y, mode, dy, &mut scratch.real)? {
            self.locate(t, y, &mut scratch.real.work);
        }
        self.guards_of(&scratch.real.work.motion, mode, g);
        Ok(())
    }

    fn components(&self, which: &[usize], mode: &Mode, parts: &mut Parts) {
        let _ = mode;
        self.components_of(which, parts);
    }

    fn stays(&self, guard: usize, ends: [f64; 2], bow: &dyn Fn(usize) -> Bow, mode: &Mode) -> bool {
        self.guard_stays(guard, ends, bow, mode)
    }

    /// Coordinates, while a contact is apart.
    fn surveyed(&self, mode: &Mode) -> usize {
        let apart = |phase: &Phase| matches!(phase, Phase::Apart { .. });
        if mode.contacts.iter().any(apart) { self.unknown_count() } else { 0 }
    }

    fn survey(
        &self,
        stretch: &Stretch<'_>,
        slack: f64,
        mode: &Mode,
        scratch: &mut Scratch,
    ) -> Survey {
        self.survey_contacts(stretch, slack, mode, &mut scratch.stretched)
    }

    fn trigger(&self, guard: usize, mode: &Mode) -> Trigger {
        if guard >= self.mechanism.first_watch {
            return Trigger::Either;
        }
        let contact = self.contact_of(guard);
        let element = &self.mechanism.contacts[contact];
        element.trigger(guard - element.first_guard, &mode.contacts[contact])
    }

    fn guard_roundings(&self, mode: &Mode, rounding: &mut Vec<f64>, scratch: &mut Scratch) {
        let motion = &scratch.real.work.motion;
        let positions = 4.0 * self.rounding(motion);
        for (contact, phase) in self.mechanism.contacts.iter().zip(&mode.contacts) {
            let roundings = &mut rounding[contact.first_guard..];
            for (guard, rounding) in (0..contact.guards.len()).zip(roundings) {
                *rounding = contact.rounding(guard, phase, motion, positions);
            }
        }
        let watches = &mut rounding[self.mechanism.first_watch..];
        for ((watch, _), rounding) in self.mechanism.watches.iter().zip(watches) {
            *rounding = if watch.of_rate { 0.0 } else { positions };
        }
    }

    fn transition(
        &self,
        fired: &[Crossing],
        t: f64,
        y: &mut Vec<f64>,
        mode: &mut Mode,
        scratch: &mut Scratch,
    ) -> Result<Effect, Fault> {
        let evaluation = &mut scratch.real;
        let (mut happened, mut stops) = (false, false);
        for crossing in fired {
            self.place(t, y, &mut evaluation.work);
            if let Some(watch) = crossing.guard.checked_sub(self.mechanism.first_watch) {
                stops |= self.mechanism.watches[watch].0.then == OnCrossing::Stop;
                happened = true;
            } else {
                happened |= self.contact_event(crossing, t, y, mode, evaluation)?;
            }
        }
        if fired.iter().any(|crossing| self.is_sharp_turn(crossing.guard)) {
            self.turn(fired, t, y, mode, evaluation);
        }
        Ok(match (happened, stops) {
            (_, true) => Effect::Stop,
            (true, _) => Effect::Continue,
            (false, _) => Effect::Unchanged,
        })
    }
}
