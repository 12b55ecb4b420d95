//! The equations as a problem for the integrator.

use jointplay_contact::damping::{Approach, BeginError};
use jointplay_ode::{Crossing, Direction, Effect, Fault, Matrix, System, Trigger};

use super::{Equations, Evaluation, Mode, Trouble};
use crate::contact::{ContactId, Guard, Phase};
use crate::formulation::REDUNDANT;
use crate::frame::{Motion, accumulate, dot3};
use crate::mechanism::OnCrossing;
use crate::real::{Dual, Real, WIDTH};
use crate::row::NO_TARGET;

/// Why a contact with set-valued friction cannot go on.
pub(crate) const STICKS: &str = "it sticks: a set-valued friction law cannot hold it";

/// Working memory of a run.
#[derive(Debug)]
pub struct Scratch {
    pub(crate) real: Evaluation<f64>,
    /// For derivatives; made when they are first asked for.
    dual: Option<Box<Differentiated>>,
}

/// An evaluation in dual numbers, with the state and its rate.
#[derive(Debug)]
struct Differentiated {
    evaluation: Evaluation<Dual>,
    y: Vec<Dual>,
    dy: Vec<Dual>,
}

/// The parts of a mechanism in the numbering of [`Fault`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultPart {
    Frame(usize),
    Joint(usize),
    Row(usize),
    Contact(usize),
}

impl Equations {
    /// Numbers a part for a [`Fault`]: frames, then joints, rows, contacts.
    fn number(&self, part: FaultPart) -> usize {
        let frames = self.layout.structure.frames;
        let joints = self.mechanism.joints.len();
        let rows = self.layout.structure.rows.len();
        match part {
            FaultPart::Frame(frame) => frame,
            FaultPart::Joint(joint) => frames + joint,
            FaultPart::Row(row) => frames + joints + row,
            FaultPart::Contact(contact) => frames + joints + rows + contact,
        }
    }

    /// The name of a part numbered for a [`Fault`].
    pub(crate) fn fault_part(&self, number: usize) -> String {
        let frames = self.layout.structure.frames;
        let joints = self.mechanism.joints.len();
        let rows = self.layout.structure.rows.len();
        if number < frames {
            self.frame_name(number)
        } else if number < frames + joints {
            format!("joint '{}'", self.mechanism.joints[number - frames].name)
        } else if number < frames + joints + rows {
            self.row_name(number - frames - joints).0
        } else {
            let contact = number - frames - joints - rows;
            format!("contact '{}'", self.mechanism.contact_names[contact])
        }
    }

    /// The name of a guard.
    pub(crate) fn guard_name(&self, guard: usize) -> String {
        if let Some(watch) = guard.checked_sub(self.mechanism.first_watch) {
            return format!("watch '{}'", self.mechanism.watches[watch].0.name);
        }
        let contact = self.contact_of(guard);
        format!("contact '{}'", self.mechanism.contact_names[contact])
    }

    /// The name of the watch of a guard, if it ends a run.
    pub(crate) fn stopping_watch(&self, guard: usize) -> Option<&str> {
        let watch = guard.checked_sub(self.mechanism.first_watch)?;
        let (watch, _) = &self.mechanism.watches[watch];
        (watch.then == OnCrossing::Stop).then_some(watch.name.as_str())
    }

    /// The contact that a guard belongs to.
    pub(crate) fn contact_of(&self, guard: usize) -> usize {
        self.mechanism.contacts.partition_point(|contact| contact.first_guard <= guard) - 1
    }

    fn rhs_fault(&self, t: f64, trouble: Trouble) -> Fault {
        let part = self.number(trouble.part());
        Fault::Rhs { t, reason: trouble.reason(), part }
    }

    /// Writes ẏ = (v, q̈, powers).
    #[inline]
    fn rates<T: Real>(
        &self,
        t: f64,
        y: &[T],
        mode: &Mode,
        dy: &mut [T],
        evaluation: &mut Evaluation<T>,
    ) -> Result<(), Fault> {
        let n = self.layout.structure.unknowns;
        let (rates, rest) = dy.split_at_mut(n);
        let (accelerations, rest) = rest.split_at_mut(n);
        let Evaluation { work, friction, bristles, .. } = evaluation;
        let (bristle_rates, powers) = rest.split_at_mut(bristles.len());
        let evaluated =
            self.evaluate_into(t, y, mode, (&mut *work, friction, &mut *bristles), powers);
        evaluated.map_err(|trouble| self.rhs_fault(t, trouble))?;
        let unknowns = y[n..2 * n].iter().zip(&work.unknowns);
        for ((rate, acceleration), (v, a)) in rates.iter_mut().zip(accelerations).zip(unknowns) {
            (*rate, *acceleration) = (*v, *a);
        }
        for (rate, bristles) in bristle_rates.iter_mut().zip(&*bristles) {
            *rate = bristles.rate;
        }
        Ok(())
    }

    /// Writes the guards for this motion of the bodies.
    #[inline]
    fn guards_of(&self, motion: &[Motion<f64>], mode: &Mode, g: &mut [f64]) {
        for (contact, phase) in self.mechanism.contacts.iter().zip(&mode.contacts) {
            contact.guards(phase, motion, g);
        }
        let watches = &mut g[self.mechanism.first_watch..];
        for ((watch, row), g) in self.mechanism.watches.iter().zip(watches) {
            let value = row.eval(motion, NO_TARGET);
            *g = if watch.of_rate { value.rate } else { value.residual } - watch.level;
        }
    }

    /// The phase of a contact that starts now: impact speed and effective mass from the state.
    pub(crate) fn begin(
        &self,
        contact: usize,
        phase: &Phase,
        speed: f64,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<Phase, BeginError> {
        let element = &self.mechanism.contacts[contact];
        let gap = element.gap.measure(&evaluation.work.motion);
        let law = &element.law.normal;
        let mut mass = self.effective_mass(contact, evaluation);
        if mass == f64::INFINITY {
            // Drivers prescribe the gap. What has no use for the mass may have any.
            if law.damping.uses_effective_mass() {
                return Err(BeginError::Prescribed);
            }
            mass = f64::MAX;
        }
        let touch = match phase {
            Phase::Apart { last: Some(last), .. } => law.begin_again(last, speed, mass)?,
            _ => law.begin(speed, mass)?,
        };
        Ok(element.touching(touch, &gap))
    }

    /// Puts a contact into the phase after an event of one of its guards; `false` if it only came near one.
    fn contact_event(
        &self,
        crossing: &Crossing,
        t: f64,
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<bool, Fault> {
        let contact = self.contact_of(crossing.guard);
        let element = &self.mechanism.contacts[contact];
        let guard = crossing.guard - element.first_guard;
        let gap = element.gap.measure(&evaluation.work.motion);
        let phase = mode.contacts[contact];
        let fault = |reason| {
            let part = self.number(FaultPart::Contact(contact));
            Fault::Transition { t, reason, part }
        };
        let size = element.gap.size(self.mechanism.length, &evaluation.work.motion);
        let rounding = 1e-12 * size;
        let mut slides_from_rest = false;
        mode.contacts[contact] = match (element.guards[guard], phase) {
            (Guard::Front, Phase::Touching { .. }) if crossing.direction == Direction::Rising => {
                return Ok(false);
            }
            (Guard::Front, Phase::Touching { touch, .. }) => {
                let [_, side] = element.front(&evaluation.work.motion);
                if let Some(next) = element.beyond[usize::from(side > 0.0)] {
                    self.pass(contact, next, y, mode, evaluation);
                    return Ok(true);
                }
                // It snaps off the end of its wall: what it stored is lost.
                let stored = element.energy(&phase, &evaluation.work.motion);
                y[self.first_account() + element.normal_account] += stored;
                let start = element.law.normal.start_of_next_contact(&touch);
                Phase::Apart { start, last: Some(touch), faces: false }
            }
            (Guard::Front, Phase::Apart { start, last, .. }) => {
                let faces = crossing.direction == Direction::Rising;
                mode.contacts[contact] = Phase::Apart { start, last, faces };
                if !faces || gap.delta <= start {
                    return Ok(false);
                }
                let touches = |i: &usize| matches!(mode.contacts[*i], Phase::Touching { .. });
                let [_, side] = element.front(&evaluation.work.motion);
                if let Some(from) = element.beyond[usize::from(side > 0.0)].filter(touches) {
                    self.pass(from, contact, y, mode, evaluation);
                    return Ok(true);
                }
                // A corner comes from behind the wall.
                if gap.delta_dot < 0.0 || element.gap.is_corner() {
                    return Ok(false);
                }
                let begun = self.begin(contact, &phase, gap.delta_dot, evaluation);
                begun.map_err(|_| fault("it came before an end of its wall in overlap"))?
            }
            (Guard::Gap, Phase::Apart { .. }) if gap.delta_dot < 0.0 => return Ok(false),
            (Guard::Gap, Phase::Apart { .. }) => {
                slides_from_rest = element.at_rest(&gap);
                let begun = self.begin(contact, &phase, gap.delta_dot, evaluation);
                begun.map_err(|error| {
                    fault(match error {
                        BeginError::Prescribed => {
                            "its law needs an effective mass, but drivers prescribe its gap"
                        }
                        BeginError::Limit { .. } => {
                            "its restitution at this impact speed is only a limit of its law: the bodies would never part"
                        }
                        BeginError::Domain { .. } => {
                            "its restitution at this impact speed lies outside the domain of its law"
                        }
                        _ => "its law cannot start with this impact speed and mass",
                    })
                })?
            }
            (Guard::Gap, _) if gap.delta_dot > 0.0 || crossing.value > rounding => {
                return Ok(false);
            }
            (Guard::Slip, _) if element.law.friction.is_set_valued() => {
                slides_from_rest = true;
                phase
            }
            _ => element.after(guard, crossing.direction, phase, &gap),
        };
        if element.guards[guard] == Guard::Pull {
            // What is stored when the force is cut off is lost, or found again when the law pushes.
            let motion = &evaluation.work.motion;
            let change =
                element.energy(&phase, motion) - element.energy(&mode.contacts[contact], motion);
            y[self.first_account() + element.normal_account] += change;
        }
        if let (Some(i), Phase::Apart { .. }) = (element.bristle, phase) {
            y[2 * self.unknown_count() + i] = 0.0; // bristles start straight
        }
        if slides_from_rest {
            let phase = self.reverse(t, y, mode, contact, evaluation);
            mode.contacts[contact] = phase.ok_or_else(|| fault(STICKS))?;
        }
        Ok(true)
    }

    /// Passes a contact with its memory to the next section of its wall. What its energy changes by, where the laws of both
    /// sections differ, is booked.
    fn pass(
        &self,
        from: usize,
        to: usize,
        y: &mut [f64],
        mode: &mut Mode,
        evaluation: &Evaluation<f64>,
    ) {
        let Phase::Touching { touch, sliding, cut, .. } = mode.contacts[from] else { return };
        let [old, new] = [from, to].map(|i| &self.mechanism.contacts[i]);
        let motion = &evaluation.work.motion;
        let before = old.energy(&mode.contacts[from], motion);
        let end = new.law.normal.end_of_contact(&touch);
        let [delta, delta_dot] = new.gap.approach(motion);
        let cut = cut && new.law.normal.unclipped(Approach { delta, delta_dot }, &touch) < 0.0;
        let start = old.law.normal.start_of_next_contact(&touch);
        mode.contacts[from] = Phase::Apart { start, last: None, faces: false };
        mode.contacts[to] = Phase::Touching { touch, end, sliding, cut };
        let first = 2 * self.unknown_count();
        let z = old.bristle.map_or(0.0, |i| y[first + i]);
        if let Some(i) = new.bristle {
            y[first + i] = z;
        }
        if let Some(account) = old.seam_account {
            let amounts = &mut y[self.first_account()..];
            amounts[account] += new.energy(&mode.contacts[to], motion) - before;
        }
    }

    /// The phase of a contact whose sliding has come to zero: it goes on in the direction in which friction lets it go, or
    /// sticks (`None`).
    pub(crate) fn reverse(
        &self,
        t: f64,
        y: &[f64],
        mode: &Mode,
        contact: usize,
        evaluation: &mut Evaluation<f64>,
    ) -> Option<Phase> {
        let Phase::Touching { touch, end, sliding, cut } = mode.contacts[contact] else {
            return Some(mode.contacts[contact]);
        };
        let mut trial = mode.clone();
        // First the other direction, then, for one that only came near, the same.
        [-sliding, sliding].into_iter().find_map(|sliding| {
            trial.contacts[contact] = Phase::Touching { touch, end, sliding, cut };
            self.evaluate(t, y, &trial, evaluation).ok()?;
            let gap = &self.mechanism.contacts[contact].gap;
            let now = gap.measure(&evaluation.work.motion).v_t;
            let soon = gap.measure(&evaluation.work.soon()).v_t;
            ((soon - now) * sliding > 0.0).then_some(trial.contacts[contact])
        })
    }

    /// The mass that a contact feels along its normal, 1/(g M⁻¹ gᵀ) with the constraints held.
    fn effective_mass(&self, contact: usize, evaluation: &mut Evaluation<f64>) -> f64 {
        self.shared_mass(contact, &[], evaluation)
    }

    /// The mass that a contact feels along its normal where it and the others push with the same force, 1/Σ g M⁻¹ gᵢᵀ.
    pub(crate) fn shared_mass(
        &self,
        contact: usize,
        others: &[ContactId],
        evaluation: &mut Evaluation<f64>,
    ) -> f64 {
        let element = &self.mechanism.contacts[contact];
        let gap = element.gap.measure(&evaluation.work.motion);
        let [a, b] = element.gap.frames();
        let work = &mut evaluation.work;
        work.force.fill([0.0; 3]);
        if self.layout.structure.accelerate(work).is_err() {
            return f64::INFINITY;
        }
        let along = |work: &crate::formulation::Work<f64>| {
            dot3(gap.on_a, work.acceleration[a]) + dot3(gap.on_b, work.acceleration[b])
        };
        let before = along(work);
        let pushes = |other: &ContactId| {
            let element = &self.mechanism.contacts[other.0];
            (element.gap.frames(), element.gap.measure(&work.motion))
        };
        let pushes: Vec<_> = others.iter().map(pushes).collect();
        self.layout.structure.respond(work, |change| {
            accumulate(&mut change[a], 1.0, gap.on_a);
            accumulate(&mut change[b], 1.0, gap.on_b);
            for ([a, b], gap) in &pushes {
                accumulate(&mut change[*a], 1.0, gap.on_a);
                accumulate(&mut change[*b], 1.0, gap.on_b);
            }
        });
        let mobility = along(work) - before;
        let free = &self.layout.structure.free;
        let alone: f64 = [(a, gap.on_a), (b, gap.on_b)]
            .into_iter()
            .map(|(frame, on)| (0..3).map(|i| on[i] * on[i] * free[frame][i]).sum::<f64>())
            .sum();
        // Where drivers prescribe the gap, rounding is left of its mobility. Between bodies of uneven mass it may be that
        // small in truth, and less rounding is left, as the solution is refined.
        let least = if self.layout.structure.is_uneven() { 1e-13 } else { REDUNDANT };
        if mobility > least * alone { 1.0 / mobility } else { f64::INFINITY }
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
        Scratch { real: self.evaluation(), dual: None }
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
        self.rates(t, y, mode, dy, &mut scratch.real)
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
            return Ok(()); // the integrator says so, and no constraint is to blame
        }
        let fault = |part, reason| Fault::Projection { t, reason, part: self.number(part) };
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

    /// The bodies are placed once for both.
    fn rhs_and_guards(
        &self,
        t: f64,
        y: &Vec<f64>,
        mode: &Mode,
        (dy, g): (&mut Vec<f64>, &mut Vec<f64>),
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        self.rates(t, y, mode, dy, &mut scratch.real)?;
        self.guards_of(&scratch.real.work.motion, mode, g);
        Ok(())
    }

    fn trigger(&self, guard: usize, mode: &Mode) -> Trigger {
        if guard >= self.mechanism.first_watch {
            return Trigger::Either;
        }
        let contact = self.contact_of(guard);
        let element = &self.mechanism.contacts[contact];
        element.trigger(guard - element.first_guard, &mode.contacts[contact])
    }

    fn guard_rounding(&self, guard: usize, _: &Mode) -> f64 {
        let watch = guard.checked_sub(self.mechanism.first_watch);
        let is_position = watch.map_or_else(
            || self.mechanism.contacts[self.contact_of(guard)].measures_depth(guard),
            |watch| !self.mechanism.watches[watch].0.of_rate,
        );
        if is_position { 4.0 * self.mechanism.rounding } else { 0.0 }
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
        Ok(match (happened, stops) {
            (_, true) => Effect::Stop,
            (true, _) => Effect::Continue,
            (false, _) => Effect::Unchanged,
        })
    }
}
