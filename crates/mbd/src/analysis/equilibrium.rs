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
use crate::error::{Error, Open};
use crate::formulation::{Formulation, REDUNDANT};
use crate::mechanism::Mechanism;
use crate::snapshot::Snapshot;

/// The flow is given so many steps.
const MAX_STEPS: usize = 1000;

/// A mechanism at rest under its forces; drivers are held where they are at the time asked for.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    equations: Equations,
    t: f64,
    y: Vec<f64>,
    mode: Mode,
    /// Steps taken.
    pub steps: usize,
    /// The greatest acceleration left (m/s² or rad/s²).
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
    /// [`Error::NoEquilibrium`] where none is found, and what stands in the way of a start.
    pub fn equilibrium(&self, formulation: Formulation, t: f64) -> Result<Equilibrium, Error> {
        let mut equations = Equations::new(self, formulation, DriftControl::default())?;
        equations.hold_drivers();
        let (mut y, _) = equations.closed_start(t)?;
        let n = equations.unknown_count();
        y[n..].fill(0.0);
        let mut scratch = equations.scratch();
        let mut jacobian = Matrix::zeros(y.len());
        let mut mode = equations.resting_mode(t, &y)?;
        let mut accelerations = evaluate(&equations, t, &y, &mode)?;
        let mut worst = largest(&accelerations);
        let [gx, gy] = self.gravity;
        // What counts as an acceleration: those of the start, and that of gravity.
        let start = worst.max(gx.hypot(gy)).max(f64::MIN_POSITIVE);
        let mut pace = 0.05 * self.length.min(1.0) / start;
        let mut steps = 0;
        let mut settled = n == 0 || worst <= 1e-12 * start;
        while !settled && steps < MAX_STEPS {
            steps += 1;
            jacobian.fill(0.0);
            let derived = equations.jacobian(t, &y, &mode, &mut jacobian, &mut scratch);
            derived.map_err(|_| equations.restless(&accelerations))?;
            let mut matrix = vec![0.0; n * n];
            let mut stiffest = 0.0_f64;
            for row in 0..n {
                for column in 0..n {
                    matrix[row * n + column] = -jacobian[(n + row, column)];
                    stiffest = stiffest.max(jacobian[(n + row, column)].abs());
                }
                matrix[row * n + row] += 1.0 / pace;
            }
            equations.stiffen(t, &y, stiffest, &mut matrix)?;
            let mut step = accelerations.clone();
            let solved = eliminate(n, &mut matrix, &mut step);
            let reach = largest(&step);
            let mut trial = y.clone();
            trial.iter_mut().zip(&step).for_each(|(q, step)| *q += step);
            if !solved || !(reach <= 0.5) || equations.close_at_rest(t, &mut trial).is_err() {
                pace *= 0.1;
                continue;
            }
            let trial_mode = equations.resting_mode(t, &trial)?;
            let Ok(next) = evaluate(&equations, t, &trial, &trial_mode) else {
                pace *= 0.1;
                continue;
            };
            let new_worst = largest(&next);
            if !(new_worst <= 10.0 * worst) {
                pace *= 0.1;
                continue;
            }
            // Nothing but rounding is left when neither the accelerations nor the positions move.
            settled = new_worst <= 1e-12 * start || (reach <= 1e-14 && new_worst <= 1e-9 * start);
            pace *= (2.0 * worst / new_worst.max(f64::MIN_POSITIVE)).clamp(0.5, 1e3);
            (y, mode, accelerations, worst) = (trial, trial_mode, next, new_worst);
        }
        if settled {
            Ok(Equilibrium { equations, t, y, mode, steps, acceleration: worst })
        } else {
            Err(equations.restless(&accelerations))
        }
    }
}

impl Equations {
    /// The error of a search that ended with these accelerations.
    fn restless(&self, accelerations: &[f64]) -> Error {
        let of = |i: usize| accelerations[i].abs();
        let worst = (0..accelerations.len()).max_by(|&a, &b| of(a).total_cmp(&of(b))).unwrap_or(0);
        let part = self.state_names().into_iter().nth(worst).unwrap_or_default();
        Error::NoEquilibrium { acceleration: largest(accelerations), part }
    }

    /// Adds κ P to a matrix, where P = M⁻¹ Jᵀ S⁻¹ J projects on the directions that the constraints forbid. The accelerations
    /// have no part in these directions and say nothing about them; with it the matrix is regular, and steps stay free of
    /// them.
    fn stiffen(&self, t: f64, y: &[f64], kappa: f64, matrix: &mut [f64]) -> Result<(), Error> {
        if self.constraint_count() == 0 {
            return Ok(());
        }
        let n = self.unknown_count();
        let mut evaluation = self.evaluation();
        let mut probe = y.to_vec();
        for column in 0..n {
            // With one rate of 1 and the drivers held, the rates of the constraints are a column of J.
            probe[n..2 * n].fill(0.0);
            probe[n + column] = 1.0;
            self.place(t, &probe, &mut evaluation.work);
            let prepared = self.layout.structure.prepare(&mut evaluation.work, REDUNDANT);
            prepared.map_err(|massless| self.evaluation_error(massless.into()))?;
            self.layout.structure.displace(&mut evaluation.work, |row| row.rate);
            for (row, change) in evaluation.work.unknowns.iter().enumerate() {
                matrix[row * n + column] -= kappa * change;
            }
        }
        Ok(())
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
            let (part, unit) = self.row_name(row);
            let amount = evaluation.work.rows[row].residual;
            Error::Positions { open: vec![Open { part, amount, unit }] }
        })
    }
}

/// The accelerations of the unknowns at rest.
fn evaluate(equations: &Equations, t: f64, y: &[f64], mode: &Mode) -> Result<Vec<f64>, Error> {
    let mut evaluation = equations.evaluation();
    let evaluated = equations.evaluate(t, y, mode, &mut evaluation);
    evaluated.map_err(|trouble| equations.evaluation_error(trouble))?;
    Ok(evaluation.work.unknowns)
}

fn largest(values: &[f64]) -> f64 {
    // Not `max`, which would lose NaN.
    values.iter().fold(0.0, |m, v| if v.abs() <= m { m } else { v.abs() })
}
