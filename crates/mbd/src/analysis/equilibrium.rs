//! Static equilibrium.
//!
//! At rest the accelerations a(q) of a mechanism point down the slope of its potential energy, in the metric of its
//! masses and along its constraints. Equilibrium is the rest point of the flow dq/dτ = a(q), which is followed by
//! implicit steps (1/Δτ − ∂a/∂q) Δq = a that grow as the accelerations fade, and end as Newton's method. The flow leads to
//! a stable equilibrium, unless it starts on an unstable one.
//!
//! # Source
//!
//! KelleyKeyes1998: C. T. Kelley, D. E. Keyes, *Convergence analysis of pseudo-transient continuation*, SIAM J. Numer.
//! Anal. 35 (1998) 508–523.

use jointplay_ode::{Matrix, System};

use crate::dense::eliminate;
use crate::equations::{DriftControl, Equations, Mode};
use crate::error::{Error, Open, PartKind, PartRef};
use crate::formulation::{Formulation, REDUNDANT, Work};
use crate::frame::Spatial;
use crate::mechanism::Mechanism;
use crate::row::{Row, RowKind};
use crate::snapshot::Snapshot;

/// Maximum number of steps of the flow.
const MAX_STEPS: usize = 1000;

/// The first step moves nothing by more than this fraction of the mechanism's size (or rad).
const FIRST_REACH: f64 = 0.5;

/// When the accelerations are below this fraction of the relevant ones, the search is nearly done and ends as Newton's method.
const NEAR: f64 = 1e-6;

/// A step may go twice as far as the last if the accelerations after it were predicted to within this fraction of their change.
const FORETOLD: f64 = 0.1;

/// A mechanism at rest under its forces; drivers are held at their positions at the given time.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    equations: Equations,
    t: f64,
    y: Vec<f64>,
    mode: Mode,
    /// Steps taken.
    pub steps: usize,
    /// The greatest acceleration left (m/s²); angular ones count times the size of the mechanism.
    pub acceleration: f64,
}

impl Equilibrium {
    /// Positions, reactions and forces at rest.
    ///
    /// # Errors
    /// As [`Equations::snapshot`].
    pub fn snapshot(&self) -> Result<Snapshot<'_>, Error> {
        self.equations.snapshot(self.t, &self.y, &self.mode)
    }
}

impl Mechanism {
    /// The static equilibrium to which the mechanism would settle from its given positions, at time `t` (s).
    ///
    /// # Errors
    /// [`Error::NoEquilibrium`] if none is found, and every error of a start.
    pub fn equilibrium(&self, formulation: Formulation, t: f64) -> Result<Equilibrium, Error> {
        let mut equations = Equations::new(self, formulation, DriftControl::default())?;
        equations.hold_drivers();
        let (mut y, _) = equations.closed_start(t)?;
        let n = equations.unknown_count();
        y[n..].fill(0.0);
        let mut scratch = equations.scratch();
        let mut jacobian = Matrix::zeros(y.len());
        let mut mode = equations.resting_mode(t, &y)?;
        let Rest { mut accelerations, mut of_bodies } = evaluate(&equations, t, &y, &mode)?;
        // Angles count by the length that they move at the size of the mechanism.
        let sizes: Vec<f64> = equations.unknown_sizes();
        let largest = |values: &[f64]| {
            let lengths = values.iter().zip(&sizes).map(|(value, size)| value / size * self.length);
            largest(lengths)
        };
        let mut worst = largest(&accelerations);
        let [gx, gy] = self.gravity;
        // The scale of accelerations: those at the start, and that of gravity.
        let start = worst.max(libm::hypot(gx, gy)).max(f64::MIN_POSITIVE);
        let mut pace = 0.05 * self.length / start;
        let mut reach = FIRST_REACH * self.length;
        let mut steps = 0;
        let mut settled = n == 0 || worst <= 1e-12 * start;
        while !settled && steps < MAX_STEPS {
            steps += 1;
            jacobian.fill(0.0);
            let derived = equations.jacobian(t, &y, &mode, &mut jacobian, &mut scratch);
            derived.map_err(|_| equations.restless(&accelerations))?;
            let slopes = |row: usize, column: usize| jacobian[(n + row, column)];
            let mut matrix = equations.along_constraints(t, &y, &sizes, slopes)?;
            for row in 0..n {
                matrix[row * n + row] += 1.0 / pace;
            }
            let mut step = accelerations.clone();
            let solved = eliminate(n, &mut matrix, &mut step);
            let gone = largest(&step);
            let mut trial = y.clone();
            trial.iter_mut().zip(&step).for_each(|(q, step)| *q += step);
            if !solved || !(gone <= reach) || equations.close_at_rest(t, &mut trial).is_err() {
                pace *= 0.1;
                continue;
            }
            let trial_mode = equations.resting_mode(t, &trial)?;
            let Ok(next) = evaluate(&equations, t, &trial, &trial_mode) else {
                pace *= 0.1;
                continue;
            };
            let new_worst = largest(&next.accelerations);
            // Far from rest a step must lead downhill, and not far up again beyond the minimum.
            let down = equations.work_along(t, &y, &step, &of_bodies);
            let up = -equations.work_along(t, &trial, &step, &next.of_bodies);
            let descends = worst <= NEAR * start || (down > 0.0 && up <= 0.5 * down);
            if !(new_worst <= 10.0 * worst && descends) {
                pace *= 0.1;
                reach = (0.5 * reach).max(gone * 0.1);
                continue;
            }
            // The step solves a + (∂a/∂q) Δq = Δq/Δτ, which predicts the next accelerations.
            let foretold: Vec<f64> = step.iter().map(|step| step / pace).collect();
            let change: Vec<f64> =
                accelerations.iter().zip(&foretold).map(|(a, f)| a - f).collect();
            let reached = next.accelerations.iter();
            let missed: Vec<f64> = reached.zip(&foretold).map(|(a, f)| a - f).collect();
            if gone > 0.1 * reach && largest(&missed) <= FORETOLD * largest(&change) {
                reach *= 2.0;
            }
            // Only rounding is left when neither the accelerations nor the positions change.
            let still = |(q, (step, size)): (&f64, (&f64, &f64))| {
                step.abs() <= 1e-14 * size + 4.0 * f64::EPSILON * q.abs()
            };
            let rests = y.iter().zip(step.iter().zip(&sizes)).all(still);
            settled = new_worst <= 1e-12 * start || (rests && new_worst <= 1e-9 * start);
            pace *= (2.0 * worst / new_worst.max(f64::MIN_POSITIVE)).clamp(0.5, 1e3);
            (y, mode, worst) = (trial, trial_mode, new_worst);
            Rest { accelerations, of_bodies } = next;
        }
        if settled {
            Ok(Equilibrium { equations, t, y, mode, steps, acceleration: worst })
        } else {
            Err(equations.restless(&accelerations))
        }
    }
}

impl Equations {
    /// The size of each unknown: that of the mechanism for a length, 1 rad for an angle.
    pub(super) fn unknown_sizes(&self) -> Vec<f64> {
        let size = |row: &Row| if row.kind == RowKind::Angle { 1.0 } else { self.mechanism.length };
        self.layout.unknowns.iter().map(size).collect()
    }

    /// The work that the forces do along a small step, Δqᵀ M a, given the accelerations of the bodies.
    fn work_along(&self, t: f64, y: &[f64], step: &[f64], accelerations: &[Spatial<f64>]) -> f64 {
        let n = self.unknown_count();
        let mut moving = y.to_vec();
        moving[n..2 * n].copy_from_slice(step);
        let mut evaluation = self.evaluation();
        self.locate(t, &moving, &mut evaluation.work);
        let bodies = self.mechanism.bodies.iter().zip(&evaluation.work.motion[1..]);
        let works = bodies.zip(&accelerations[1..]).map(|(((_, body), motion), a)| {
            let forward = motion.v[0] * a[0] + motion.v[1] * a[1];
            body.mass * forward + body.inertia * motion.omega * a[2]
        });
        works.sum()
    }

    /// The error of a search that ended with these accelerations.
    fn restless(&self, accelerations: &[f64]) -> Error {
        let of = |i: usize| accelerations[i].abs();
        let worst = (0..accelerations.len()).max_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(0);
        let part = self.state_parts().nth(worst);
        let part = part.unwrap_or_else(|| PartRef::new(PartKind::Mechanism, "equilibrium"));
        Error::NoEquilibrium { acceleration: largest(accelerations.iter().copied()), part }
    }

    /// −A (1 − P) + κ P for the slopes A = ∂a/∂q, where P = M⁻¹ Jᵀ S⁻¹ J projects on the directions that the constraints
    /// forbid. Steps in these directions have no meaning and do not depend on the accelerations;
    /// the term with κ makes the matrix regular.
    fn along_constraints(
        &self,
        t: f64,
        y: &[f64],
        sizes: &[f64],
        slopes: impl Fn(usize, usize) -> f64,
    ) -> Result<Vec<f64>, Error> {
        let n = self.unknown_count();
        let mut matrix: Vec<f64> = (0..n * n).map(|i| -slopes(i / n, i % n)).collect();
        if self.constraint_count() == 0 {
            return Ok(matrix);
        }
        let mut evaluation = self.evaluation();
        let mut probe = y.to_vec();
        let mut forbidden = vec![0.0; n * n];
        for column in 0..n {
            // With one rate of 1 and the drivers held, the rates of the constraints are a column of J.
            probe[n..2 * n].fill(0.0);
            probe[n + column] = 1.0;
            self.place(t, &probe, &mut evaluation.work);
            let prepared = self.layout.structure.prepare(&mut evaluation.work, REDUNDANT);
            prepared.map_err(|massless| self.evaluation_error(massless.into()))?;
            self.layout.structure.displace(&mut evaluation.work, |row| row.rate);
            for (row, change) in evaluation.work.unknowns.iter().enumerate() {
                forbidden[row * n + column] = -change;
            }
        }
        let mut stiffest = 0.0_f64;
        for row in 0..n {
            for column in 0..n {
                let along = |k: usize| slopes(row, k) * forbidden[k * n + column];
                matrix[row * n + column] += (0..n).map(along).sum::<f64>();
                // In lengths, for any coordinates.
                let scale = sizes[column] / sizes[row];
                stiffest = stiffest.max(matrix[row * n + column].abs() * scale);
            }
        }
        matrix.iter_mut().zip(&forbidden).for_each(|(entry, p)| *entry += stiffest * p);
        Ok(matrix)
    }

    /// Puts positions back onto the constraints; velocities and accounts stay zero.
    fn close_at_rest(&self, t: f64, y: &mut [f64]) -> Result<(), Error> {
        if self.constraint_count() == 0 {
            return Ok(());
        }
        let mut evaluation = self.evaluation();
        let projected = self.project_state(t, y, &self.all_apart(), &mut evaluation);
        let projected = projected.map_err(|trouble| self.evaluation_error(trouble))?;
        let n = self.unknown_count();
        y[n..].fill(0.0);
        projected.map_err(|row| {
            let (part, unit) = self.part_of_row(row);
            let amount = evaluation.work.rows[row].residual;
            Error::Positions { open: vec![Open { part, amount, unit }] }
        })
    }
}

/// Accelerations from rest: of the unknowns, and of the bodies.
struct Rest {
    accelerations: Vec<f64>,
    of_bodies: Vec<Spatial<f64>>,
}

fn evaluate(equations: &Equations, t: f64, y: &[f64], mode: &Mode) -> Result<Rest, Error> {
    let mut evaluation = equations.evaluation();
    let evaluated = equations.evaluate(t, y, mode, &mut evaluation);
    evaluated.map_err(|trouble| equations.evaluation_error(trouble))?;
    let Work { unknowns, acceleration, .. } = evaluation.work;
    Ok(Rest { accelerations: unknowns, of_bodies: acceleration })
}

fn largest(values: impl Iterator<Item = f64>) -> f64 {
    // Not `max`, which would lose NaN.
    values.fold(0.0, |m, v| if v.abs() <= m { m } else { v.abs() })
}
