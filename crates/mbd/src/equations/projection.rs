//! Projection onto the constraints, in position and velocity.
//!
//! The correction is the smallest in the metric of the kinetic energy, Δq = −M⁻¹ Jᵀ S⁻¹ C, so that
//! a projection disturbs the motion as little as possible; its work has an account.

use super::{Equations, Evaluation, Mode, Trouble};
use crate::row::RowKind;

/// Positions are projected until no constraint is off by more than this fraction of the mechanism's size.
const CLOSED: f64 = 1e-13;

/// Near a singular position a constraint adds little to the others, and its rounding error is
/// magnified: a constraint that adds less than this fraction is not projected, unless it has
/// drifted.
const WEAK: f64 = 1e-4;

/// A constraint that has drifted is projected if it adds more than this fraction.
const WEAKER: f64 = 1e-8;

/// Weak constraints are projected until only rounding is left, some ε, because errors are
/// magnified.
const ROUNDED: f64 = 1e-15;

/// Residual that is admitted for a constraint that adds less than that.
const NEAR_SINGULAR: f64 = 1e-8;

/// A projection that does not get below this has failed: the documented limit is 1e-12, and the
/// measure itself has rounding.
const ADMISSIBLE: f64 = 9e-13;

const MAX_ITERATIONS: usize = 12;

impl Equations {
    /// The greatest violation of a constraint: positions over the size of the mechanism (angles
    /// over 1 rad), which includes the rounding of coordinates far from the origin, and rates over
    /// the size; with the row of the first.
    pub(crate) fn violation(&self, evaluation: &Evaluation<f64>) -> (f64, f64, usize) {
        let mut worst = (0.0, 0.0, 0);
        let rows = self.layout.structure.rows.iter().zip(&evaluation.work.rows);
        for (i, (row, value)) in rows.enumerate() {
            let size = if row.kind == RowKind::Angle { 1.0 } else { self.mechanism.length };
            let with_rounding = row.size(self.mechanism.length, &evaluation.work.motion);
            let (residual, rate) = (value.residual.abs() / with_rounding, value.rate.abs() / size);
            // Not `max`, which would lose NaN.
            if !(residual <= worst.0) {
                worst = (residual, worst.1, i);
            }
            if !(rate <= worst.1) {
                worst.1 = rate;
            }
        }
        worst
    }

    /// Projects an interpolated state onto the constraints, if possible.
    pub(crate) fn settle(
        &self,
        t: f64,
        y: &mut Vec<f64>,
        mode: &Mode,
        evaluation: &mut Evaluation<f64>,
    ) {
        if !self.layout.structure.rows.is_empty() && self.drift.projection {
            let interpolated = y.clone();
            if !matches!(self.project_state(t, y, mode, evaluation), Ok(Ok(()))) {
                *y = interpolated;
            }
        }
    }

    /// Projects a state, accounts included. An error names the row that cannot be closed.
    pub(crate) fn project_state(
        &self,
        t: f64,
        y: &mut [f64],
        mode: &Mode,
        evaluation: &mut Evaluation<f64>,
    ) -> Result<Result<(), usize>, Trouble> {
        self.place(t, y, &mut evaluation.work);
        let before = self.energy(&evaluation.work, mode).total();
        if let Err(row) = self.pull_back(t, y, evaluation)? {
            return Ok(Err(row));
        }
        let after = self.energy(&evaluation.work, mode).total();
        y[self.first_account() + self.mechanism.drift_account] += after - before;
        Ok(Ok(()))
    }

    /// Projects positions and velocities of a state at which the evaluation was made.
    fn pull_back(
        &self,
        t: f64,
        y: &mut [f64],
        evaluation: &mut Evaluation<f64>,
    ) -> Result<Result<(), usize>, Trouble> {
        if self.close(t, y, (WEAK, CLOSED), evaluation)?.is_ok() {
            self.pull_back_weak(t, y, evaluation)?;
            return Ok(Ok(()));
        }
        let open = self.close(t, y, (WEAKER, ROUNDED), evaluation)?;
        if open.is_ok() {
            return Ok(open);
        }
        let (residual, _, _) = self.violation(evaluation);
        Ok(if residual <= NEAR_SINGULAR { Ok(()) } else { open })
    }

    /// Closes constraints that were left out because they add little to the others, if they are
    /// open by more than rounding: towards the singular position this error would be magnified with
    /// the inverse square of the distance (ADR 0016). Constraints that cannot be closed stay open.
    fn pull_back_weak(
        &self,
        t: f64,
        y: &mut [f64],
        evaluation: &mut Evaluation<f64>,
    ) -> Result<(), Trouble> {
        let structure = &self.layout.structure;
        let work = &mut evaluation.work;
        let open = |row: usize| {
            let size = structure.rows[row].size(self.mechanism.length, &work.motion);
            work.rows[row].residual.abs() > ROUNDED * size
        };
        let left_out = structure.left_out(work).count();
        if !structure.left_out(work).any(open) {
            return Ok(());
        }
        structure.prepare(work, WEAKER)?;
        if structure.left_out(work).count() == left_out {
            return Ok(()); // they are redundant everywhere
        }
        let held = y.to_vec();
        if self.close(t, y, (WEAKER, ROUNDED), evaluation)?.is_err() {
            y.copy_from_slice(&held);
            self.place(t, y, &mut evaluation.work);
            structure.measure(&mut evaluation.work);
        }
        Ok(())
    }

    /// Newton's method on positions, then on velocities, with the constraints that add more than
    /// `threshold`, until none is open by more than `closed` or an iteration brings no improvement.
    /// An error names a row that stays open.
    fn close(
        &self,
        t: f64,
        y: &mut [f64],
        (threshold, closed): (f64, f64),
        evaluation: &mut Evaluation<f64>,
    ) -> Result<Result<(), usize>, Trouble> {
        let structure = &self.layout.structure;
        let n = structure.unknowns;
        structure.prepare(&mut evaluation.work, threshold)?;
        let mut best = f64::INFINITY;
        for iteration in 0.. {
            let (residual, _, row) = self.violation(evaluation);
            if residual <= closed || (residual <= ADMISSIBLE && residual >= 0.5 * best) {
                break;
            }
            if iteration == MAX_ITERATIONS || residual.is_nan() || residual >= 2.0 * best {
                return Ok(Err(row));
            }
            // The inertia is outdated; with very different masses it always is, because weak
            // directions turn into strong ones.
            if residual > 0.1 * best || (structure.is_uneven() && iteration > 0) {
                structure.prepare(&mut evaluation.work, threshold)?;
            }
            best = residual;
            structure.displace(&mut evaluation.work, |row| row.residual);
            for (q, change) in y[..n].iter_mut().zip(&evaluation.work.unknowns) {
                *q += change;
            }
            self.place(t, y, &mut evaluation.work);
            structure.measure(&mut evaluation.work);
        }
        if structure.is_uneven() {
            structure.prepare(&mut evaluation.work, threshold)?;
        }
        // Constraints are linear in velocities: one step, and another one because the inertia may
        // be outdated.
        for _ in 0..2 {
            structure.displace(&mut evaluation.work, |row| row.rate);
            for (v, change) in y[n..2 * n].iter_mut().zip(&evaluation.work.unknowns) {
                *v += change;
            }
            self.place(t, y, &mut evaluation.work);
            structure.measure(&mut evaluation.work);
        }
        let (_, rate, row) = self.violation(evaluation);
        let speed = y[n..2 * n].iter().fold(1.0_f64, |speed, v| speed.max(v.abs()));
        Ok(if rate <= ADMISSIBLE * speed { Ok(()) } else { Err(row) })
    }
}
