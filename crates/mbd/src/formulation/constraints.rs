//! The multipliers of the constraints, and their effect on the accelerations.

use std::cell::Cell;

use super::mobility::faded;
use super::{Core, Massless, REDUNDANT, Structure, Work};
use crate::frame::{Spatial, accumulate, dot3};
use crate::real::Real;
use crate::row::RowValue;

/// In a singular position constraints are redundant, and near it their rounding and local errors
/// are magnified without bound. A constraint that adds about this fraction of what it would add
/// alone is faded out.
const SINGULAR: f64 = 1e-9;

/// A constraint that adds less than this fraction of what it would add alone, near a singular position or at a body far lighter
/// than its neighbours, magnifies rounding so much that the remaining error of the solution is solved for once more.
pub(super) const WEAK: f64 = 1e-4;

/// A constraint that adds less than this fraction of what it would add alone magnifies errors enough to spoil dense output.
const INFIRM: f64 = 1e-2;

/// Maximum number of refinements of the solution in a mechanism with uneven masses.
const MAX_REFINEMENTS: usize = 8;

impl Structure {
    /// The multipliers, and their effect on the accelerations.
    #[inline(never)]
    pub(super) fn constrain<T: Real>(&self, work: &mut Work<T>) -> Result<(), Massless> {
        self.measure(work);
        let weakest = Cell::new(1.0_f64);
        self.factorise(work, |pivot, strength, free| {
            let part = pivot.value();
            if part > REDUNDANT * free && part < INFIRM * free {
                weakest.set(weakest.get().min(part / free));
            }
            faded(pivot, strength, SINGULAR * free)
        })?;
        work.weakest = weakest.get();
        work.multiplier.fill(T::ZERO);
        self.enforce(work);
        if self.geometry.is_some() {
            self.refine(work);
        } else if work.weakest < WEAK {
            self.enforce(work);
        }
        Ok(())
    }

    /// With uneven masses the factors of S are accurate only to ε times the ratio of masses; the remaining error of the solution
    /// is solved for until only rounding is left.
    fn refine<T: Real>(&self, work: &mut Work<T>) {
        let mut before = f64::INFINITY;
        for _ in 0..MAX_REFINEMENTS {
            let open = self.enforce(work);
            // A negated comparison, so that NaN ends it. One more for the derivatives.
            if !(open < 0.25 * before) {
                break;
            }
            before = open;
        }
    }

    /// Adds the response to more forces at the same place, given by `add`.
    pub(crate) fn respond<T: Real>(&self, work: &mut Work<T>, add: impl FnOnce(&mut [Spatial<T>])) {
        work.change.fill([T::ZERO; 3]);
        add(&mut work.change);
        self.apply_change(work);
        if !self.rows.is_empty() {
            self.enforce(work);
            if self.geometry.is_some() {
                self.refine(work);
            }
        }
    }

    /// Brings the accelerations back to J a = γ*: S Δλ = J a − γ*, a −= M⁻¹ Jᵀ Δλ. The greatest of J a − γ* before.
    fn enforce<T: Real>(&self, work: &mut Work<T>) -> f64 {
        let [alpha, beta] = self.baumgarte;
        let mut open = 0.0_f64;
        for (r, row) in self.rows.iter().enumerate() {
            let [a, b] = row.frames();
            let value = &work.rows[r];
            let present =
                dot3(value.on_a, work.acceleration[a]) + dot3(value.on_b, work.acceleration[b]);
            let stabilised =
                value.gamma - value.rate * (2.0 * alpha) - value.residual * (beta * beta); // Skrinjar2017 eq. (3)
            work.step[r] = present - stabilised;
            open = open.max(work.step[r].value().abs());
        }
        self.push(work);
        for (sum, step) in work.multiplier.iter_mut().zip(&work.step) {
            *sum += *step;
        }
        self.apply_change(work);
        open
    }

    /// Solves S x = `step` and puts the forces −Jᵀ x into `change`.
    pub(super) fn push<T: Real>(&self, work: &mut Work<T>) {
        let Work { mobility, step, change, rows, .. } = work;
        mobility.numeric.solve(&self.symbolic, step);
        change.fill([T::ZERO; 3]);
        for ((row, value), step) in self.rows.iter().zip(rows).zip(step) {
            let [a, b] = row.frames();
            accumulate(&mut change[a], -*step, value.on_a);
            accumulate(&mut change[b], -*step, value.on_b);
        }
    }

    /// Adds the accelerations due to `change`.
    fn apply_change<T: Real>(&self, work: &mut Work<T>) {
        match &self.core {
            Core::Tree(tree) => {
                let Work { change, links, unknowns, acceleration, .. } = work;
                tree.respond(change, links, unknowns, acceleration);
            }
            Core::Bodies(inverse) => {
                for (frame, inverse) in inverse.iter().enumerate().skip(1) {
                    for i in 0..3 {
                        let added = work.change[frame][i] * inverse[i];
                        work.acceleration[frame][i] += added;
                        work.unknowns[3 * frame - 3 + i] += added;
                    }
                }
            }
        }
    }

    /// The inertia at the present place, with all forces and velocities left aside: afterwards
    /// [`displace`](Self::displace) may be called.
    ///
    /// Rows that add less than `threshold` of what they would alone are left out.
    pub(crate) fn prepare<T: Real>(
        &self,
        work: &mut Work<T>,
        threshold: f64,
    ) -> Result<(), Massless> {
        work.force.fill([T::ZERO; 3]);
        if let Core::Tree(tree) = &self.core {
            let Work { force, links, unknowns, acceleration, .. } = work;
            let solved = tree.accelerate(force, links, unknowns, acceleration);
            solved.map_err(|link| Massless { frame: tree.links[link].frame })?;
        }
        self.measure(work);
        self.factorise(work, |pivot, strength, free| {
            let counts = strength.value() > threshold * free;
            if counts { T::constant(1.0) / pivot } else { T::ZERO }
        })
    }

    /// The smallest change of the unknowns, measured by the kinetic energy, that takes `excess(row)` off each
    /// constraint; it is written to `unknowns`.
    pub(crate) fn displace<T: Real>(&self, work: &mut Work<T>, excess: impl Fn(&RowValue<T>) -> T) {
        for (step, value) in work.step.iter_mut().zip(&work.rows) {
            *step = excess(value);
        }
        self.push(work);
        work.unknowns.fill(T::ZERO);
        if self.geometry.is_none() {
            return self.apply_change(work);
        }
        // As in `refine`: the remaining excess.
        work.acceleration.fill([T::ZERO; 3]);
        self.apply_change(work);
        let mut before = f64::INFINITY;
        for _ in 0..MAX_REFINEMENTS {
            let mut open = 0.0_f64;
            for (r, row) in self.rows.iter().enumerate() {
                let [a, b] = row.frames();
                let value = &work.rows[r];
                work.step[r] = excess(value)
                    + dot3(value.on_a, work.acceleration[a])
                    + dot3(value.on_b, work.acceleration[b]);
                open = open.max(work.step[r].value().abs());
            }
            if !(open < 0.25 * before) {
                break;
            }
            before = open;
            self.push(work);
            self.apply_change(work);
        }
    }

    /// The weight of each row in the linear dependence of a redundant row, J_row = Σ weight J: 0
    /// for rows that are not involved, 1 for the row itself. Needs [`prepare`](Self::prepare).
    pub(crate) fn dependence(&self, row: usize, work: &mut Work<f64>) -> Vec<f64> {
        work.acceleration.fill([0.0; 3]);
        work.unknowns.fill(0.0);
        work.change.fill([0.0; 3]);
        let [a, b] = self.rows[row].frames();
        accumulate(&mut work.change[a], 1.0, work.rows[row].on_a);
        accumulate(&mut work.change[b], 1.0, work.rows[row].on_b);
        self.apply_change(work);
        for (r, other) in self.rows.iter().enumerate() {
            let [a, b] = other.frames();
            let value = &work.rows[r];
            work.step[r] =
                dot3(value.on_a, work.acceleration[a]) + dot3(value.on_b, work.acceleration[b]);
        }
        work.mobility.numeric.solve(&self.symbolic, &mut work.step);
        work.step[row] = 1.0;
        work.step.clone()
    }

    /// Rows that the last factorisation left out, in no order.
    pub(crate) fn left_out(&self, work: &Work<f64>) -> impl Iterator<Item = usize> {
        work.mobility.numeric.redundant(&self.symbolic)
    }

    /// Redundant rows at the present place.
    pub(crate) fn redundant(&self, work: &Work<f64>) -> Vec<usize> {
        let mut rows: Vec<usize> = self.left_out(work).collect();
        rows.sort_unstable();
        rows
    }
}
