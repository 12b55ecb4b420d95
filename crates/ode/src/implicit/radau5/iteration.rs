//! The simplified Newton iteration for the stages of a step, in the variables in which its matrix is block diagonal.

use super::Radau5Stepper;
use super::coefficients::{ALPHA, BETA, C, GAMMA, T, TI};
use crate::implicit::scalar::Complex;
use crate::stepper::{Admitted, Frozen};
use crate::vector::{combine, first_non_finite};
use crate::{Fault, System, Vector};

/// Maximum number of iterations for one step.
pub(super) const MAX_ITERATIONS: usize = 7;
/// If residuals of a first step exceed the admitted error by this factor and do not decrease, the
/// iteration has only seemingly converged.
const RESIDUAL: f64 = 100.0;
/// The Jacobian is kept for the next step if the iteration converges faster than this.
pub(super) const FAST: f64 = 1e-3;

/// The factor by which the estimate may exceed the admitted error, and the part of that at which Newton's iteration
/// ends.
pub(super) fn levels<V: Vector>(admitted: &Admitted<V>, excess: f64) -> (f64, f64) {
    let relative = admitted.greatest_relative();
    if excess <= 1.0 || relative == 0.0 {
        return (1.0, 1e-3);
    }
    let transformed = (0.1 * libm::pow(relative, 2.0 / 3.0)).min(excess * relative);
    (transformed / relative, (1e-15 / transformed).max(transformed.sqrt().min(0.03)))
}

/// `out = M v` for each component of three vectors.
fn transform<V: Vector>(m: &[[f64; 3]; 3], v: &[V; 3], out: &mut [V; 3]) {
    let n = v[0].as_slice().len();
    let [v1, v2, v3] = v.each_ref().map(|v| &v.as_slice()[..n]);
    for (row, out) in m.iter().zip(out) {
        let out = &mut out.as_mut_slice()[..n];
        for i in 0..n {
            out[i] = row[0] * v1[i] + row[1] * v2[i] + row[2] * v3[i];
        }
    }
}

impl<V: Vector> Radau5Stepper<V> {
    /// Begins the iteration with the polynomial of the last step, if there is one.
    pub(super) fn guess(&mut self, h: f64) {
        let n = self.y.as_slice().len();
        if self.past.h == 0.0 {
            for v in self.z.iter_mut().chain(&mut self.w) {
                v.as_mut_slice().fill(0.0);
            }
            return;
        }
        let [p1, p2, p3] = self.collocation.each_ref().map(|p| &p.as_slice()[..n]);
        for (z, c) in self.z.iter_mut().zip(C) {
            let z = &mut z.as_mut_slice()[..n];
            let s = c * h / self.past.h;
            for i in 0..n {
                z[i] = s * (p1[i] + (s - (C[1] - 1.0)) * (p2[i] + (s - (C[0] - 1.0)) * p3[i]));
            }
        }
        transform(&TI, &self.z, &mut self.w);
    }

    /// Evaluates the stages; their residual is left in `f[0]` and `pairs`, in the transformed
    /// variables.
    fn residual<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        for (c, (z, f)) in C.iter().zip(self.z.iter_mut().zip(&mut self.f)) {
            combine(&mut self.work, &self.y, [(1.0, &*z)]);
            problem.rhs(t + c * h, &self.work, f)?;
            if let Some(component) = first_non_finite(f) {
                return Err(Fault::NonFinite { t, component });
            }
        }
        // z serves as working memory: the right-hand sides in the transformed variables.
        transform(&TI, &self.f, &mut self.z);
        let n = self.y.as_slice().len();
        let [w1, w2, w3] = self.w.each_ref().map(|w| &w.as_slice()[..n]);
        let [z1, z2, z3] = self.z.each_ref().map(|z| &z.as_slice()[..n]);
        let f1 = &mut self.f[0].as_mut_slice()[..n];
        let (gamma, alpha, beta) = (GAMMA / h, ALPHA / h, BETA / h);
        for i in 0..n {
            f1[i] = z1[i] - gamma * w1[i];
            self.pairs[i] = Complex {
                re: z2[i] - alpha * w2[i] + beta * w3[i],
                im: z3[i] - alpha * w3[i] - beta * w2[i],
            };
        }
        Ok(())
    }

    /// The residual of a component of the stages over the step.
    fn residual_of(&self, component: usize) -> f64 {
        let Complex { re, im } = self.pairs[component];
        self.f[0].as_slice()[component].abs() + re.abs() + im.abs()
    }

    /// One iteration: evaluates the stages and solves for the correction, which is left in `f`.
    fn correction<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        problem.stats.newton_iterations += 1;
        self.residual(problem, t, h)?;
        if self.past.h == 0.0 {
            for i in 0..self.before.len() {
                self.before[i] = self.residual_of(i);
            }
        }
        let n = self.y.as_slice().len();
        let [f1, f2, f3] = self.f.each_mut().map(|f| &mut f.as_mut_slice()[..n]);
        self.newton.solve_real(problem, f1);
        self.newton.solve_complex(problem, &mut self.pairs);
        for i in 0..n {
            Complex { re: f2[i], im: f3[i] } = self.pairs[i];
        }
        Ok(())
    }

    /// Whether the stages of the first step after a restart fulfil the equations, or at least better than before the last
    /// iteration.
    ///
    /// If the Jacobian at the start is far larger than along the step, like that of a dashpot with
    /// √δ at the first touch, every correction is small even if the residual is large: the
    /// iteration stops where it began, and the error estimate, which uses the same matrix, does not
    /// notice. A body would stop abruptly at its first touch.
    fn fulfils<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<bool, Fault> {
        self.residual(problem, t, h)?;
        let limit = admitted.between(&self.y, &self.y);
        let stuck = |i: usize| {
            let now = self.residual_of(i);
            h * now > RESIDUAL * limit(i) && now > 0.5 * self.before[i]
        };
        let fulfilled = !(0..self.before.len()).any(stuck);
        transform(&T, &self.w, &mut self.z); // which was working memory
        Ok(fulfilled)
    }

    /// The root mean square of the correction over the admitted error.
    fn correction_size(&self, admitted: &Admitted<V>, level: f64) -> f64 {
        let admitted = admitted.between(&self.y, &self.y);
        let n = self.y.as_slice().len();
        let sum: f64 = (0..n)
            .map(|i| {
                let scale = level * admitted(i);
                self.f.iter().map(|f| (f.as_slice()[i] / scale).powi(2)).sum::<f64>()
            })
            .sum();
        (sum / (3 * n) as f64).sqrt()
    }

    /// The simplified Newton iteration for the stages, Hairer and Wanner, section IV.8.
    pub(super) fn iterate<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<(), Fault> {
        let (level, goal) = levels(admitted, self.excess);
        self.trial.rate = FAST;
        self.past.contraction = libm::pow(self.past.contraction.max(f64::EPSILON), 0.8);
        let (mut size_before, mut ratio_before) = (0.0, 0.0);
        for iteration in 1..=MAX_ITERATIONS {
            self.trial.iterations = iteration;
            self.correction(problem, t, h)?;
            let size = self.correction_size(admitted, level);
            if !size.is_finite() {
                break;
            }
            if iteration > 1 && iteration < MAX_ITERATIONS {
                let ratio = size / size_before;
                let geometric = f64::sqrt(ratio * ratio_before);
                self.trial.rate = if iteration == 2 { ratio } else { geometric };
                ratio_before = ratio;
                let rate = self.trial.rate;
                if rate >= 0.99 {
                    break;
                }
                self.past.contraction = rate / (1.0 - rate);
                let left = (MAX_ITERATIONS - 1 - iteration) as f64;
                let outlook = self.past.contraction * size * libm::pow(rate, left) / goal;
                if outlook >= 1.0 {
                    self.trial.retreat = 0.8 * libm::pow(outlook.min(20.0), -1.0 / (4.0 + left));
                    return Err(Fault::NoConvergence { t, h });
                }
            }
            size_before = size.max(f64::EPSILON);
            for (w, f) in self.w.iter_mut().zip(&self.f) {
                let pairs = w.as_mut_slice().iter_mut().zip(f.as_slice());
                pairs.for_each(|(w, f)| *w += f);
            }
            transform(&T, &self.w, &mut self.z);
            if self.past.contraction * size <= goal {
                if self.past.h == 0.0 && !self.fulfils(problem, t, h, admitted)? {
                    self.trial.retreat = 0.1;
                    break;
                }
                return Ok(());
            }
        }
        Err(Fault::NoConvergence { t, h })
    }
}
