//! The linear equations of Newton's iteration: a dense matrix, or the solver of the system itself.

use super::coefficients::{ALPHA, BETA, GAMMA};
use crate::implicit::dense::{Dense, Reduction};
use crate::implicit::scalar::Complex;
use crate::stepper::Frozen;
use crate::{Fault, Matrix, System, Vector};

/// The matrices `γ/h I − J` and `(α + iβ)/h I − J`.
#[derive(Clone, Debug)]
pub(super) struct Newton<V> {
    /// The time at which `J` was evaluated.
    t: f64,
    y: V,
    /// The dense matrix of a system that does not solve its equations itself; empty for one that
    /// does.
    jacobian: Matrix,
    real: Dense<f64>,
    complex: Dense<Complex>,
    /// The step for which the matrices are factorised; 0 for none.
    h: f64,
    /// The memory of a checkpoint was restored, and the matrices must be computed again.
    recalled: bool,
}

impl<V: Vector> Newton<V> {
    pub(super) fn new(y: &V) -> Self {
        Newton {
            t: 0.0,
            y: y.clone(),
            jacobian: Matrix::zeros(0),
            real: Dense::new(Reduction::default()),
            complex: Dense::new(Reduction::default()),
            h: 0.0,
            recalled: false,
        }
    }

    /// Takes `J` at `(t, y)`, where the right-hand side is `slope`; the vectors of `working` are overwritten.
    pub(super) fn linearise<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        (y, slope): (&V, &V),
        working: (&mut V, &mut V),
    ) -> Result<(), Fault> {
        (self.h, self.recalled) = (0.0, false);
        self.t = t;
        self.y.as_mut_slice().copy_from_slice(y.as_slice());
        if problem.system.solves() {
            return problem.linearise(t, y);
        }
        self.hold(problem.reduction(y));
        problem.jacobian(t, (y, slope), working, &mut self.jacobian)
    }

    /// Makes room for a dense matrix.
    fn hold(&mut self, reduction: Reduction) {
        let n = reduction.len;
        if self.jacobian.as_slice().len() != n * n {
            self.jacobian = Matrix::zeros(n);
        }
        if !self.real.has(reduction) {
            (self.real, self.complex) = (Dense::new(reduction), Dense::new(reduction));
        }
    }

    /// Prepares the matrices for a step of size `h`; `false` if one is singular.
    pub(super) fn factorise<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        h: f64,
    ) -> Result<bool, Fault> {
        if self.recalled && problem.system.solves() {
            let t = self.t.min(problem.latest);
            problem.system.linearise(t, &self.y, problem.mode, problem.scratch)?;
        }
        if self.recalled && self.h == h {
            self.compute(problem, h);
        }
        self.recalled = false;
        if self.h == h {
            return Ok(true);
        }
        problem.stats.factorisations += 1;
        let good = self.compute(problem, h);
        self.h = if good { h } else { 0.0 };
        Ok(good)
    }

    fn compute<S: System<State = V>>(&mut self, problem: &mut Frozen<'_, S>, h: f64) -> bool {
        let (real, complex) = (GAMMA / h, Complex { re: ALPHA / h, im: BETA / h });
        if problem.system.solves() {
            return problem.system.factorise(real, complex, problem.scratch);
        }
        self.hold(problem.reduction(&self.y)); // a checkpoint knows the Jacobian only
        self.real.factorise(&self.jacobian, real) && self.complex.factorise(&self.jacobian, complex)
    }

    pub(super) fn solve_real<S: System<State = V>>(
        &self,
        problem: &mut Frozen<'_, S>,
        x: &mut [f64],
    ) {
        if problem.system.solves() {
            problem.system.solve_real(x, problem.scratch);
        } else {
            self.real.solve(&self.jacobian, x);
        }
    }

    pub(super) fn solve_complex<S: System<State = V>>(
        &self,
        problem: &mut Frozen<'_, S>,
        x: &mut [Complex],
    ) {
        if problem.system.solves() {
            problem.system.solve_complex(x, problem.scratch);
        } else {
            self.complex.solve(&self.jacobian, x);
        }
    }

    /// The data of a checkpoint: the step and the place of `J`, and the matrix itself if there is
    /// one.
    pub(super) fn memory(&self, memory: &mut Vec<f64>) {
        memory.extend([self.h, self.t]);
        memory.extend_from_slice(self.y.as_slice());
        memory.extend_from_slice(self.jacobian.as_slice());
    }

    /// Restores the data of [`memory`](Self::memory); `false` if they do not fit.
    pub(super) fn recall(&mut self, memory: &[f64]) -> bool {
        let n = self.y.as_slice().len();
        let Some((&[h, t], rest)) = memory.split_first_chunk() else { return false };
        let Some((y, jacobian)) = rest.split_at_checked(n) else { return false };
        if !jacobian.is_empty() {
            if jacobian.len() != n * n {
                return false;
            }
            self.jacobian = Matrix::zeros(n);
            self.jacobian.as_mut_slice().copy_from_slice(jacobian);
        }
        self.y.as_mut_slice().copy_from_slice(y);
        (self.h, self.t, self.recalled) = (h, t, true);
        true
    }
}
