//! A consistent start: positions, then velocities, then the phases of the contacts.
//!
//! The given poses are a first guess. They are moved, as little as possible, until every joint closes, every driver is where its
//! signal says and every condition [`start_at`](crate::Builder::start_at) holds. Velocities follow in the same way; given ones
//! are kept if the joints allow it.

mod close;
mod contacts;
mod given;

use crate::equations::{Equations, Mode};
use crate::error::{Error, Open, PartKind, PartRef};
use crate::formulation::span::RowOwner;
use crate::formulation::{Core, REDUNDANT};
use crate::frame::Motion;
use crate::row::RowKind;
use crate::state::{ContactState, State};
use close::{close, set_in_motion};
use given::Given;

/// A consistent start of a mechanism in one formulation, with a report about it.
#[derive(Clone, Debug)]
pub struct Start {
    /// The time (s).
    pub t: f64,
    /// The state: coordinates, rates, accounts.
    pub y: Vec<f64>,
    /// The phases of the contacts.
    pub mode: Mode,
    /// What the assembly did and found.
    pub report: StartReport,
}

/// What the assembly did, and properties of the mechanism at its start.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct StartReport {
    /// The greatest distance by which a body was moved (m).
    pub moved: f64,
    /// The greatest angle by which a body was turned (rad).
    pub turned: f64,
    /// The greatest change of a given velocity (m/s); 0 where all given velocities were kept.
    pub velocity_changed: f64,
    /// The greatest change of a given angular velocity (rad/s); 0 where all were kept.
    pub spin_changed: f64,
    /// Newton steps taken.
    pub iterations: usize,
    /// Degrees of freedom.
    pub freedom: usize,
    /// Constraints that are redundant at the start, such as "joint 'C' (x)". Multipliers of a loop with a redundant
    /// constraint are not unique; the motion is, unless friction depends on them.
    pub redundant: Vec<PartRef>,
    /// Joints with dry friction whose reaction is not unique because of redundant constraints. Their friction, and so the
    /// motion, is that of one of the many possible reactions; another formulation may choose a different one.
    pub ambiguous_friction: Vec<PartRef>,
}

impl Equations {
    /// A consistent start at time `t`.
    ///
    /// # Errors
    /// [`Error::Positions`] or [`Error::Speeds`] where joints, drivers and conditions cannot be met together,
    /// [`Error::Overlap`] for a contact that overlaps without a stated impact speed, [`Error::Massless`] where an
    /// acceleration is not determined.
    pub fn start(&self, t: f64) -> Result<Start, Error> {
        self.start_with(t, &Given::by_parts(&self.mechanism), |_| None)
    }

    /// A consistent start at time `t` with bodies and contacts as a state has them, whatever its time. Start conditions of the
    /// mechanism are ignored.
    ///
    /// # Errors
    /// [`Error::State`] where the mechanism does not have a part of the state; otherwise as [`start`](Self::start).
    pub fn start_from(&self, t: f64, state: &State) -> Result<Start, Error> {
        state.check(&self.mechanism)?;
        let given = Given::by_state(&self.mechanism, state);
        self.start_with(t, &given, |contact| {
            state.contacts.get(&self.mechanism.contact_names[contact])
        })
    }

    /// A consistent start from given motions, with what is known of the contacts.
    fn start_with<'s>(
        &self,
        t: f64,
        given: &Given<'_>,
        known: impl Fn(usize) -> Option<&'s ContactState>,
    ) -> Result<Start, Error> {
        let (mut y, report) = self.assemble(t, given)?;
        let mut mode = self.all_apart();
        let mut evaluation = self.evaluation();
        let bristles = 2 * self.layout.structure.unknowns;
        // Whether the bodies are placed: once for all contacts that do not touch, because most do not.
        let mut placed = false;
        for contact in 0..self.mechanism.contacts.len() {
            let phase = match known(contact) {
                Some(known) => {
                    if let Some(i) = self.mechanism.contacts[contact].bristle {
                        y[bristles + i] = known.bristle;
                    }
                    known.phase
                }
                None => self.first_phase(t, &y, contact, &mode, (&mut evaluation, &mut placed))?,
            };
            mode.contacts[contact] = phase;
        }
        let evaluated = self.evaluate(t, &y, &mode, &mut evaluation);
        evaluated.map_err(|trouble| self.evaluation_error(trouble))?;
        Ok(Start { t, y, mode, report })
    }

    /// A state with all joints closed, and the degrees of freedom.
    pub(crate) fn closed_start(&self, t: f64) -> Result<(Vec<f64>, usize), Error> {
        let given = Given::by_parts(&self.mechanism);
        self.assemble(t, &given).map(|(y, report)| (y, report.freedom))
    }

    /// Positions and velocities on the constraints, degrees of freedom, redundant constraints.
    fn assemble(&self, t: f64, given: &Given<'_>) -> Result<(Vec<f64>, StartReport), Error> {
        let jets = self.jets(t);
        if let Some(i) = jets.iter().position(|jet| !jet.is_finite()) {
            let part = PartRef::new(PartKind::Driver, &self.mechanism.drivers[i].name);
            let reason = "its value, speed or acceleration at the start is not a finite number";
            return Err(Error::Evaluation { part, reason });
        }
        let (positions, moved, turned, iterations) = close(&self.mechanism, given, jets.clone())?;
        let (motion, [velocity_changed, spin_changed]) =
            set_in_motion(&self.mechanism, given, &positions, &jets)?;
        let n = self.layout.structure.unknowns;
        let mut y = vec![0.0; self.state_count()];
        for (i, row) in self.layout.unknowns.iter().enumerate() {
            let value = row.eval(&motion, crate::row::NO_TARGET);
            y[i] = value.residual;
            y[n + i] = value.rate;
        }
        let mut evaluation = self.evaluation();
        if !self.layout.structure.rows.is_empty() {
            // Rounding of the change of coordinates.
            let mode = self.all_apart();
            let projected = self.project_state(t, &mut y, &mode, &mut evaluation);
            projected.map_err(|trouble| self.evaluation_error(trouble))?.map_err(|row| {
                let (part, unit) = self.part_of_row(row);
                let amount = evaluation.work.rows[row].residual;
                Error::Positions { open: vec![Open { part, amount, unit }] }
            })?;
            y[2 * n..].fill(0.0);
        }
        let bad = self.state_parts().zip(&y).find(|(_, value)| !value.is_finite());
        if let Some((part, _)) = bad {
            let reason = "its start is not a finite number: sizes differ by more than floating point can represent";
            return Err(Error::Evaluation { part, reason });
        }
        self.place(t, &y, &mut evaluation.work);
        self.layout.structure.measure(&mut evaluation.work);
        for (i, row) in self.layout.structure.rows.iter().enumerate() {
            let target = row.driver.map_or(0.0, |driver| evaluation.work.drives[driver].value);
            let distance = evaluation.work.rows[i].residual + row.offset + target;
            let size = row.size(self.mechanism.length, &evaluation.work.motion);
            if row.kind == RowKind::Distance && distance <= 1e-12 * size {
                let reason =
                    "its points coincide: a distance of 0 has no direction in which to push";
                return Err(Error::Evaluation { part: self.part_of_row(i).0, reason });
            }
        }
        let prepared = self.layout.structure.prepare(&mut evaluation.work, REDUNDANT);
        prepared.map_err(|massless| self.evaluation_error(massless.into()))?;
        let redundant = self.layout.structure.redundant(&evaluation.work);
        let report = StartReport {
            moved,
            turned,
            velocity_changed,
            spin_changed,
            iterations,
            freedom: self.freedom(redundant.len()),
            ambiguous_friction: self.ambiguous_friction(t, &motion, !redundant.is_empty()),
            redundant: redundant.into_iter().map(|row| self.part_of_row(row).0).collect(),
        };
        Ok((y, report))
    }

    /// Joints with dry friction that take part in a dependence of constraints, whose reactions are therefore not unique.
    fn ambiguous_friction(&self, t: f64, motion: &[Motion<f64>], any: bool) -> Vec<PartRef> {
        let frictions = &self.mechanism.frictions;
        if !any || frictions.iter().all(|friction| friction.dry_account.is_none()) {
            return Vec::new();
        }
        // In absolute coordinates every joint has its rows.
        let equations = Equations::kinematic(&self.mechanism);
        let structure = &equations.layout.structure;
        let mut work = structure.work(self.mechanism.drivers.len());
        work.drives.copy_from_slice(&self.jets(t));
        work.motion.copy_from_slice(&motion[..structure.frames]);
        // Bodies with weights cannot be without mass.
        let _ = structure.prepare(&mut work, REDUNDANT);
        let mut ambiguous = vec![false; self.mechanism.joints.len()];
        for row in structure.redundant(&work) {
            let share = structure.dependence(row, &mut work);
            for (owner, share) in equations.layout.owners.iter().zip(share) {
                if let RowOwner::Joint { joint, .. } = owner {
                    // Shares of rows that take no part are rounding.
                    ambiguous[*joint] |= share.abs() > 1e-6;
                }
            }
        }
        let dry = frictions.iter().filter(|friction| friction.dry_account.is_some());
        let of_them = dry.filter(|friction| ambiguous[friction.joint]);
        let part = |joint: usize| PartRef::new(PartKind::Joint, &self.mechanism.joints[joint].name);
        of_them.map(|friction| part(friction.joint)).collect()
    }

    fn freedom(&self, redundant: usize) -> usize {
        // A point mass does not turn.
        let points = match &self.layout.structure.core {
            Core::Bodies(inverse) => {
                inverse[1..].iter().filter(|inverse| inverse[2] == 0.0).count()
            }
            Core::Tree(tree) => tree.links.iter().filter(|link| link.idle).count(),
        };
        let unknowns = self.layout.structure.unknowns - points;
        // Not less than 0, should rounding hide a constraint that repeats others.
        (unknowns + redundant).saturating_sub(self.layout.structure.rows.len())
    }
}
