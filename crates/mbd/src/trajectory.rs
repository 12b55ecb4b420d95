//! The record of a run: kept states and located events.

use std::ops::ControlFlow;

use jointplay_contact::ContactEvent;
use jointplay_ode::{Event, Fault, Recorder, Segment, Wanted};

use crate::books::Books;
use crate::contact::{ContactId, Guard, Phase};
use crate::equations::{Equations, Evaluation, Mode, rhs_fault};
use crate::error::PartRef;
use crate::mechanism::WatchId;
use crate::observe::{Observer, Step};

/// The instants of a run that are kept, in addition to the start, the end and both sides of every
/// event.
#[derive(Clone, Debug, PartialEq)]
pub enum Sampling {
    /// Every accepted step.
    EveryStep,
    /// Instants at this interval from the start (s), by dense output.
    Interval(f64),
    /// Instants at this interval (s), the steps of each contact's first ten intervals, no closer
    /// than a fiftieth of one, and the instants that the observer of the run keeps
    /// ([`Observer::kept`]). Impacts that are shorter than the interval thus keep their shape, and
    /// their peaks are included with any interval.
    Impacts(f64),
    /// These instants (s), ascending, by dense output.
    Times(Vec<f64>),
    /// No others.
    EventsOnly,
}

/// A contact is sampled densely for this many intervals, with samples no closer than this fraction
/// of one.
const YOUNG: f64 = 10.0;
const CLOSE: f64 = 0.02;

/// States at ascending times. At an event two of them share one time: before and after.
#[derive(Clone, Debug, Default)]
pub struct Trajectory {
    t: Vec<f64>,
    y: Vec<f64>,
    width: usize,
    /// For each state its mode.
    mode: Vec<usize>,
    modes: Vec<Mode>,
    /// The energy at the start of its run (J), if it belongs to one.
    pub(crate) start: Option<f64>,
}

impl Trajectory {
    /// The number of states.
    pub fn len(&self) -> usize {
        self.t.len()
    }

    /// Whether there is no state.
    pub fn is_empty(&self) -> bool {
        self.t.is_empty()
    }

    /// The times (s).
    pub fn times(&self) -> &[f64] {
        &self.t
    }

    /// Time, state and mode number `i`.
    ///
    /// # Panics
    /// If there is no such state.
    pub fn get(&self, i: usize) -> (f64, &[f64], &Mode) {
        let y = &self.y[i * self.width..(i + 1) * self.width];
        (self.t[i], y, &self.modes[self.mode[i]])
    }

    /// Adds instants of the same run. An instant whose time the trajectory already has is not added again.
    fn add(&mut self, mut instants: Vec<Instant>) {
        instants.sort_by(|a, b| a.t.total_cmp(&b.t));
        let known = std::mem::take(self);
        self.start = known.start;
        let mut instants = instants.iter().peekable();
        for i in 0..known.len() {
            let (t, y, mode) = known.get(i);
            while let Some(instant) = instants.next_if(|instant| instant.t <= t) {
                if instant.t < t && self.t.last() != Some(&instant.t) {
                    self.push(instant.t, &instant.y, &instant.mode);
                }
            }
            self.push(t, y, mode);
        }
    }

    pub(crate) fn push(&mut self, t: f64, y: &[f64], mode: &Mode) {
        if self.modes.last() != Some(mode) {
            self.modes.push(mode.clone());
        }
        self.width = y.len();
        self.t.push(t);
        self.y.extend_from_slice(y);
        self.mode.push(self.modes.len() - 1);
    }
}

/// The state of a run at one time, taken out of a step ([`Step::take`]).
#[derive(Clone, Debug)]
pub struct Instant {
    pub(crate) t: f64,
    pub(crate) y: Vec<f64>,
    pub(crate) mode: Mode,
}

impl Instant {
    /// The time (s).
    pub fn t(&self) -> f64 {
        self.t
    }
}

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EventKind {
    /// A contact started, with this impact speed (m/s).
    ContactStart {
        /// The contact.
        contact: ContactId,
        /// δ̇₀.
        impact_speed: f64,
    },
    /// A contact ended.
    ContactEnd(ContactId),
    /// A contact reached a maximum of its compression or, while touching, a minimum.
    Turn(ContactId),
    /// The force of a contact began to be cut to zero because it would pull, or ceased to be.
    Pull(ContactId),
    /// The law of a contact changed its form.
    Bend(ContactId),
    /// The sliding of a contact reversed.
    Reversal(ContactId),
    /// A contact passed with its memory to the next section of its wall.
    Passage {
        /// From this one.
        from: ContactId,
        /// To this one.
        to: ContactId,
    },
    /// A watched coordinate crossed its level.
    Watch(WatchId),
}

/// A located event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EventRecord {
    /// The time (s).
    pub t: f64,
    /// What happened.
    pub kind: EventKind,
}

/// A fixed step that is too long for a signal, which it does not resolve.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Outrun {
    /// The driver or load.
    pub part: PartRef,
    /// The start of the first such step (s).
    pub t: f64,
    /// Its size (s).
    pub step: f64,
    /// The longest step that the signal allows there (s).
    pub longest: f64,
}

/// The data that the keeper of a run has collected.
pub(crate) struct Kept {
    pub(crate) trajectory: Trajectory,
    pub(crate) events: Vec<EventRecord>,
    pub(crate) books: Books,
    /// The fault of an instant to keep whose state or forces are not finite.
    pub(crate) fault: Option<(f64, Fault)>,
    pub(crate) outrun: Option<Outrun>,
}

/// Keeps states, events and the energy ledger of a run.
pub(crate) struct Keeper<'e, 'o> {
    equations: &'e Equations,
    sampling: Sampling,
    /// The next sample by its number.
    next: usize,
    from: f64,
    /// When the last contact started.
    touched: f64,
    trajectory: Trajectory,
    events: Vec<EventRecord>,
    books: Books,
    evaluation: Evaluation<f64>,
    work: Vec<f64>,
    last: (f64, Vec<f64>, Option<Mode>),
    /// A trait object, because a type parameter would compile all methods again for each observer.
    observer: &'o mut dyn Observer,
    /// Whether the steps have a fixed size, which signals do not limit.
    fixed: bool,
    fault: Option<(f64, Fault)>,
    outrun: Option<Outrun>,
}

impl<'e, 'o> Keeper<'e, 'o> {
    pub(crate) fn new(
        equations: &'e Equations,
        sampling: Sampling,
        from: f64,
        books: Books,
        fixed: bool,
        observer: &'o mut dyn Observer,
    ) -> Self {
        Keeper {
            equations,
            sampling,
            next: 0,
            from,
            touched: from,
            trajectory: Trajectory { start: Some(books.start().total()), ..Trajectory::default() },
            events: Vec::new(),
            books,
            evaluation: equations.evaluation(),
            work: vec![0.0; equations.state_count()],
            last: (from, Vec::new(), None),
            observer,
            fixed,
            fault: None,
            outrun: None,
        }
    }

    /// The time of sample number `i`.
    fn sample(&self, i: usize) -> Option<f64> {
        match &self.sampling {
            Sampling::Interval(interval) | Sampling::Impacts(interval) => {
                Some(self.from + i as f64 * interval)
            }
            Sampling::Times(times) => times.get(i).copied(),
            Sampling::EveryStep | Sampling::EventsOnly => None,
        }
    }

    /// Whether a state at this time belongs to a recent contact that is sampled densely.
    fn is_impact(&self, t: f64, mode: &Mode) -> bool {
        let Sampling::Impacts(interval) = self.sampling else { return false };
        let touches = |phase: &Phase| matches!(phase, Phase::Touching { .. });
        t <= self.touched + YOUNG * interval
            && self.trajectory.t.last().is_none_or(|last| t >= last + CLOSE * interval)
            && mode.contacts.iter().any(touches)
    }

    /// What happened at an event of this guard, given the mode after it; `None` if it is not
    /// recorded.
    fn kind_of(&self, guard: usize, mode: &Mode) -> Option<EventKind> {
        let mechanism = &self.equations.mechanism;
        if let Some(watch) = guard.checked_sub(mechanism.first_watch) {
            return Some(EventKind::Watch(WatchId(watch)));
        }
        let i = self.equations.contact_of(guard);
        let (id, contact) = (ContactId(i), &mechanism.contacts[i]);
        let before = &self.trajectory.modes.last()?.contacts;
        let after = &mode.contacts;
        let started = || match after[i] {
            Phase::Touching { touch, .. } => {
                Some(EventKind::ContactStart { contact: id, impact_speed: touch.impact_speed })
            }
            Phase::Apart { .. } => None,
        };
        let touches = |phase: &Phase| matches!(phase, Phase::Touching { .. });
        let was_and_is = (touches(&before[i]), touches(&after[i]));
        Some(match contact.guards[guard - contact.first_guard] {
            Guard::Gap | Guard::Front | Guard::Law(ContactEvent::End) => {
                let other = contact.beyond.into_iter().flatten();
                let other = other.into_iter().find(|&j| touches(&before[j]) != touches(&after[j]));
                match (was_and_is, other.map(ContactId)) {
                    ((true, false), Some(to)) => EventKind::Passage { from: id, to },
                    ((false, true), Some(from)) => EventKind::Passage { from, to: id },
                    ((true, false), None) => EventKind::ContactEnd(id),
                    ((false, true), None) => started()?,
                    _ => return None, // it came near and went back
                }
            }
            Guard::Law(ContactEvent::Turn) => EventKind::Turn(id),
            Guard::Law(ContactEvent::Pull) => EventKind::Pull(id),
            Guard::Law(ContactEvent::Bend(_) | ContactEvent::Dent) => EventKind::Bend(id),
            Guard::Forget | Guard::Through(_) => return None,
            Guard::Slip => EventKind::Reversal(id),
        })
    }

    /// The fault if the state in `work` cannot be kept because it, or a force, is not finite.
    fn fault_at(&mut self, t: f64, mode: &Mode) -> Option<Fault> {
        let non_finite = |numbers: &[f64]| numbers.iter().position(|x| !x.is_finite());
        let evaluated = self.equations.evaluate(t, &self.work, mode, &mut self.evaluation);
        if let Err(trouble) = evaluated {
            return Some(rhs_fault(t, trouble));
        }
        let Evaluation { work, power, .. } = &self.evaluation;
        let n = self.equations.unknown_count();
        let first_account = self.equations.first_account();
        let component = non_finite(&self.work)
            .or_else(|| non_finite(&work.unknowns).map(|i| n + i))
            .or_else(|| non_finite(power).map(|i| first_account + i))?;
        Some(Fault::NonFinite { t, component })
    }

    pub(crate) fn finish(mut self) -> Kept {
        // The end belongs to every trajectory.
        if let (t, y, Some(mode)) = self.last
            && self.trajectory.t.last().is_none_or(|last| *last < t)
        {
            self.trajectory.push(t, &y, &mode);
        }
        if matches!(self.sampling, Sampling::Impacts(_)) {
            let instants = self.observer.kept();
            for Instant { t, y, mode } in &instants {
                self.books.compare(self.equations, *t, y, mode, &mut self.evaluation);
            }
            self.trajectory.add(instants);
        }
        let Keeper { trajectory, events, books, fault, outrun, .. } = self;
        Kept { trajectory, events, books, fault, outrun }
    }
}

impl Recorder<Equations> for Keeper<'_, '_> {
    fn start(&mut self, t: f64, y: &Vec<f64>, mode: &Mode) {
        self.trajectory.push(t, y, mode);
        while self.sample(self.next).is_some_and(|sample| sample <= t) {
            self.next += 1;
        }
    }

    fn wants_dense(&self, t1: f64) -> Wanted {
        // The mode of the coming step is that after the last event, which is always kept.
        if self.sample(self.next).is_some_and(|t| t <= t1) {
            Wanted::All
        } else if self.trajectory.modes.last().is_some_and(|mode| self.observer.looks_inside(mode))
        {
            // An instant that the observer takes out of the step also needs its accounts.
            if matches!(self.sampling, Sampling::Impacts(_)) {
                Wanted::All
            } else {
                Wanted::Coupled
            }
        } else {
            Wanted::Nothing
        }
    }

    fn step(&mut self, segment: &Segment<'_, Equations>) -> ControlFlow<()> {
        let known = self.trajectory.len();
        while let Some(t) = self.sample(self.next).filter(|&t| t <= segment.t1) {
            segment.eval(t, &mut self.work);
            self.equations.settle(t, &mut self.work, segment.mode, &mut self.evaluation);
            if let Some(fault) = self.fault_at(t, segment.mode) {
                self.fault = Some((t, fault));
                return ControlFlow::Break(());
            }
            self.trajectory.push(t, &self.work, segment.mode);
            let (work, mode) = (&self.work, segment.mode);
            self.books.compare(self.equations, t, work, mode, &mut self.evaluation);
            self.next += 1;
        }
        if self.fixed && self.outrun.is_none() {
            let (t, step) = (segment.t0, segment.t1 - segment.t0);
            let outrun = self.equations.outrun_signal(t, step);
            self.outrun = outrun.map(|(part, longest)| Outrun { part, t, step, longest });
        }
        let every = self.sampling == Sampling::EveryStep;
        if every || self.is_impact(segment.t1, segment.mode) {
            self.trajectory.push(segment.t1, segment.y1, segment.mode);
        }
        if !every {
            self.last.0 = segment.t1;
            self.last.1.clone_from(segment.y1);
            match &mut self.last.2 {
                Some(mode) => {
                    mode.contacts.copy_from_slice(&segment.mode.contacts);
                    (mode.late, mode.emerged) = (segment.mode.late, segment.mode.emerged);
                    mode.snapped = segment.mode.snapped;
                }
                none => *none = Some(segment.mode.clone()),
            }
        }
        let (t, y) = (segment.t1, segment.y1);
        let placed = self.books.book(self.equations, t, y, segment.mode, &mut self.evaluation);
        let placed = placed.then_some(t);
        let Keeper { equations, evaluation, work, trajectory, sampling, .. } = self;
        equations.bend(y, &mut evaluation.bristles);
        let kept = matches!(sampling, Sampling::Impacts(_)).then(|| &trajectory.t[known..]);
        self.observer.step(&mut Step::new(equations, segment, evaluation, work, (placed, kept)))
    }

    fn event(&mut self, event: &Event<'_, Equations>) -> ControlFlow<()> {
        if self.sampling != Sampling::EveryStep
            && let (t, y, Some(mode)) = &self.last
            && self.trajectory.t.last() != Some(t)
        {
            self.trajectory.push(*t, y, mode); // the state before the event
        }
        for crossing in event.fired {
            if let Some(kind) = self.kind_of(crossing.guard, event.mode) {
                let record = EventRecord { t: event.t, kind };
                // Both sections of a seam report the same passage.
                if self.events.last() != Some(&record) {
                    if matches!(kind, EventKind::ContactStart { .. }) {
                        self.touched = event.t;
                    }
                    self.events.push(record);
                    self.observer.event(&record);
                }
            }
        }
        self.trajectory.push(event.t, event.y, event.mode);
        self.books.book(self.equations, event.t, event.y, event.mode, &mut self.evaluation);
        ControlFlow::Continue(())
    }
}
