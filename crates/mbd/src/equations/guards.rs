//! The guards of a mechanism: their values, and what is known of them between the ends of a step.

use jointplay_ode::{Bow, Enclosure, Parts, Stretch, Survey};

use super::{Equations, Mode};
use crate::contact::{ContactElement, Facing, Phase};
use crate::formulation::{Work, enclose_body, move_some};
use crate::frame::Motion;
use crate::mechanism::Watch;
use crate::real::Real;
use crate::row::{NO_TARGET, Row};

/// The mechanism over a time interval.
#[derive(Debug)]
pub(super) struct Stretched {
    /// Coordinates; only of one that is no set of free bodies.
    q: Vec<Enclosure>,
    motion: Vec<Motion<Enclosure>>,
    /// Signals of drivers.
    drives: Vec<Enclosure>,
}

impl Stretched {
    pub(super) fn new(equations: &Equations) -> Self {
        let structure = &equations.layout.structure;
        Stretched {
            q: vec![Enclosure::ZERO; structure.unknowns],
            motion: vec![Motion::rest(); structure.frames],
            drives: vec![Enclosure::ZERO; equations.mechanism.drivers.len()],
        }
    }
}

/// The guard of a watch.
#[inline]
fn watched(watch: &Watch, row: &Row, motion: &[Motion<f64>]) -> f64 {
    let value = row.eval(motion, NO_TARGET);
    let Watch { of_rate, level, .. } = watch;
    if *of_rate { value.rate - level } else { value.residual - level }
}

impl Equations {
    /// The contact that a guard belongs to.
    pub(crate) fn contact_of(&self, guard: usize) -> usize {
        self.mechanism.contact_of_guard[guard]
    }

    /// Writes the guards for this motion of the bodies.
    #[inline]
    pub(super) fn guards_of(&self, motion: &[Motion<f64>], mode: &Mode, g: &mut [f64]) {
        for (contact, phase) in self.mechanism.contacts.iter().zip(&mode.contacts) {
            contact.guards(phase, motion, g);
        }
        let watches = &mut g[self.mechanism.first_watch..];
        for ((watch, row), g) in self.mechanism.watches.iter().zip(watches) {
            *g = watched(watch, row, motion);
        }
    }

    /// Writes these guards, and others of the same contacts. Of free bodies only those of these guards are placed.
    pub(super) fn guards_of_some(
        &self,
        t: f64,
        y: &[f64],
        mode: &Mode,
        (which, g): (&[usize], &mut [f64]),
        work: &mut Work<f64>,
    ) {
        let mechanism = &self.mechanism;
        let n = self.layout.structure.unknowns;
        let frees = self.layout.structure.free_bodies().is_some();
        if !frees {
            self.locate(t, y, work);
        }
        // Neighbours share a body.
        let (mut done, mut placed) = (0, [0, 0]);
        for &guard in which {
            if let Some(watch) = guard.checked_sub(mechanism.first_watch) {
                let (watch, row) = &mechanism.watches[watch];
                if frees {
                    move_some(row.frames(), &y[..n], &y[n..2 * n], &mut work.motion);
                }
                g[guard] = watched(watch, row, &work.motion);
            } else if guard >= done {
                let contact = self.contact_of(guard);
                let (element, phase) = (&mechanism.contacts[contact], &mode.contacts[contact]);
                if frees {
                    let frames = element.gap.frames();
                    let others =
                        frames.map(|frame| if placed.contains(&frame) { 0 } else { frame });
                    move_some(others, &y[..n], &y[n..2 * n], &mut work.motion);
                    placed = frames;
                }
                element.guards(phase, &work.motion, g);
                // A contact writes all its guards at once.
                done = element.first_guard + element.guards.len();
            }
        }
    }

    /// Coordinates and rates of the free bodies of these guards; all components otherwise.
    pub(super) fn components_of(&self, which: &[usize], parts: &mut Parts) {
        let mechanism = &self.mechanism;
        if self.layout.structure.free_bodies().is_none()
            || which.len() == mechanism.first_watch + mechanism.watches.len()
        {
            return parts.add_all();
        }
        let n = self.layout.structure.unknowns;
        for &guard in which {
            let frames = match guard.checked_sub(mechanism.first_watch) {
                Some(watch) => mechanism.watches[watch].1.frames(),
                None => mechanism.contacts[self.contact_of(guard)].gap.frames(),
            };
            for frame in frames.into_iter().filter(|frame| *frame > 0) {
                let first = 3 * frame - 3;
                parts.add(first..first + 3);
                parts.add(n + first..n + first + 3);
            }
        }
    }

    /// Whether a guard is constant in this mode, or belongs to free bodies that stay apart in the whole step.
    pub(super) fn guard_stays(
        &self,
        guard: usize,
        ends: [f64; 2],
        bow: &dyn Fn(usize) -> Bow,
        mode: &Mode,
    ) -> bool {
        if guard >= self.mechanism.first_watch {
            return false;
        }
        let contact = self.contact_of(guard);
        let (element, phase) = (&self.mechanism.contacts[contact], &mode.contacts[contact]);
        let own = guard - element.first_guard;
        if element.is_constant(own, phase) {
            return true;
        }
        let bows = |frame: usize| std::array::from_fn(|i| bow(3 * frame - 3 + i));
        self.layout.structure.free_bodies().is_some() && element.stays_apart(own, phase, ends, bows)
    }

    /// Whether a contact can start in a time interval. Free bodies are enclosed only where the step was not proved to be clear
    /// before.
    pub(super) fn survey_contacts(
        &self,
        stretch: &Stretch<'_>,
        slack: f64,
        mode: &Mode,
        Stretched { q, motion, drives }: &mut Stretched,
    ) -> Survey {
        let structure = &self.layout.structure;
        let frees = structure.free_bodies().is_some();
        if !frees {
            for (drive, driver) in drives.iter_mut().zip(&self.mechanism.drivers) {
                *drive = driver.signal.enclose(stretch.t);
            }
            stretch.enclose(0, q);
            structure.enclose(q, drives, motion);
        }
        let mut found = Survey::Clear;
        let mut enclosed = [0, 0];
        let contacts = self.mechanism.contacts.iter().zip(&mode.contacts);
        for (contact, phase) in contacts.filter(|(_, phase)| ContactElement::can_start(phase)) {
            // Only in front of its surface the start of a contact is a matter of its gap alone.
            let before = matches!(phase, Phase::Apart { facing: Facing::Before, .. });
            if before && stretch.is_proven(contact.first_guard) {
                continue;
            }
            if frees {
                let frames = contact.gap.frames();
                let others = frames.into_iter().filter(|frame| *frame > 0);
                for frame in others.filter(|frame| !enclosed.contains(frame)) {
                    let mut own = [Enclosure::ZERO; 3];
                    stretch.enclose(3 * frame - 3, &mut own);
                    enclose_body(&own, motion, frame);
                }
                enclosed = frames;
            }
            match contact.survey(phase, motion, slack) {
                Survey::Clear => {}
                Survey::Doubtful => found = Survey::Doubtful,
                Survey::Crossed => return Survey::Crossed,
            }
        }
        found
    }
}
