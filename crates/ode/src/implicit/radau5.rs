//! The method Radau IIA of order 5: collocation at three points, the last at the end of the step.
//!
//! # Source
//!
//! HairerWanner1996: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., Springer 1996, sections
//! IV.5 (method), IV.8 (simplified Newton iteration in transformed variables, error estimate, step sizes) and the code RADAU5.

mod coefficients;
mod iteration;
mod newton;

use std::ops::Range;

use super::scalar::Complex;
use crate::stepper::{Admitted, Dense, Frozen, Method, Stepper};
use crate::vector::{all_finite, combine, first_non_finite};
use crate::{Control, Enclosure, Fault, System, Vector};
use coefficients::{C, E};
use iteration::{FAST, MAX_ITERATIONS, levels};
use newton::Newton;

/// The method Radau IIA of order 5 with error estimate of order 3 and dense output of order 3: for stiff problems.
///
/// A step costs three evaluations for each iteration of Newton's method, one at its end, the factorisation of a real
/// and a complex matrix where its size has changed, and now and then a Jacobian, see [`System::jacobian`].
///
/// As in the code RADAU5, the tolerance refers to a method of order 5, while the estimate is of
/// order 3: a step passes if the estimate is below `0.1 r^(−1/3)` times the admitted error, where
/// `r` is the greatest relative tolerance of any component. With `r` = 0 the estimate itself must
/// be below the admitted error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Radau5;

impl Method for Radau5 {
    type Stepper<V: Vector> = Radau5Stepper<V>;

    fn stepper<V: Vector>(self, y: V) -> Radau5Stepper<V> {
        let n = y.as_slice().len();
        let zeros = V::zeros(n);
        let three = || std::array::from_fn(|_| zeros.clone());
        Radau5Stepper {
            excess: f64::INFINITY,
            z: three(),
            w: three(),
            f: three(),
            dense: three(),
            collocation: three(),
            slope: zeros.clone(),
            end_slope: zeros.clone(),
            work: zeros.clone(),
            end: zeros.clone(),
            newton: Newton::new(&y),
            y,
            pairs: vec![Complex::default(); n].into(),
            before: vec![0.0; n].into(),
            trial: Trial::default(),
            past: Past::default(),
            jacobian_is_new: false,
            since: SinceAccepted::default(),
        }
    }
}

/// A step aims at this fraction of the size that would just pass.
const SAFETY: f64 = 0.9;
/// The step is kept, and the matrices with it, if it could not grow by more than this.
const WORTHWHILE: f64 = 1.2;
/// Bounds of the ratio of a step to the next.
const SHRINK: f64 = 5.0;
const GROW: f64 = 1.0 / 8.0;

/// The state of the present trial.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    h: f64,
    error: f64,
    iterations: usize,
    /// Rate of convergence of the iteration.
    rate: f64,
    /// If the trial was not computed: the fraction of its size to try next.
    retreat: f64,
    end_slope_known: bool,
}

/// The memory from one step to the next, in addition to the Jacobian and the polynomial of the last
/// step.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// The last accepted step since the restart; 0 for none.
    h: f64,
    /// Its error, but at least 0.01.
    error: f64,
    /// `θ/(1−θ)` for the rate of convergence `θ` of the last iteration.
    contraction: f64,
    jacobian_wanted: bool,
}

/// Working memory of [`Radau5`].
#[derive(Clone, Debug)]
pub struct Radau5Stepper<V> {
    /// The greatest factor by which the estimate may exceed the admitted error. The order of the
    /// estimate is lower than that of the method, so smooth components are far more accurate than
    /// the estimate says, but stiff components are not. With 1, stiff components are resolved too.
    pub(crate) excess: f64,
    y: V,
    end: V,
    slope: V,
    end_slope: V,
    /// Increments of the stages.
    z: [V; 3],
    /// The same transformed by `T⁻¹`.
    w: [V; 3],
    /// Slopes of the stages, then the corrections of `w`.
    f: [V; 3],
    /// Coefficients of the dense output beyond `y`.
    dense: [V; 3],
    /// The polynomial of the last accepted step, developed at its end.
    collocation: [V; 3],
    work: V,
    newton: Newton<V>,
    pairs: Box<[Complex]>,
    /// In the first step after a restart: the residual of each component of the stages before the
    /// last correction.
    before: Box<[f64]>,
    trial: Trial,
    past: Past,
    /// The Jacobian is that at the current point.
    jacobian_is_new: bool,
    since: SinceAccepted,
}

/// Failures since the last accepted step.
#[derive(Clone, Copy, Debug, Default)]
struct SinceAccepted {
    /// A trial was not accepted.
    rejected: bool,
    /// The iteration has failed.
    lost: bool,
}

/// Divided differences of one component over the start, two stages and the end of a step, in units of the step.
struct Differences {
    /// Of order 1, at both ends.
    first: f64,
    last: f64,
    /// Of order 2, without the end and without the start.
    early: f64,
    late: f64,
}

impl Differences {
    /// From the increments of two stages and of the whole step.
    fn new(z1: f64, z2: f64, rise: f64) -> Self {
        let first = z1 / C[0];
        let middle = (z2 - z1) / (C[1] - C[0]);
        let last = (rise - z2) / (1.0 - C[1]);
        let (early, late) = ((middle - first) / C[1], (last - middle) / (1.0 - C[0]));
        Differences { first, last, early, late }
    }

    /// Of order 3.
    fn third(&self) -> f64 {
        self.late - self.early
    }
}

impl<V: Vector> Radau5Stepper<V> {
    /// Solves for the error whose right-hand side is in `f[0]`, and measures it.
    fn measure<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        admitted: &Admitted<V>,
    ) -> f64 {
        let [error, ..] = &mut self.f;
        self.newton.solve_real(problem, error.as_mut_slice());
        let (level, _) = levels(admitted, self.excess);
        let admitted = admitted.between(&self.y, &self.y);
        let error = error.as_slice();
        let squares = (0..error.len()).map(|i| (error[i] / (level * admitted(i))).powi(2));
        (squares.sum::<f64>() / error.len() as f64).sqrt()
    }

    /// Takes the slope at the current point from another method.
    pub(crate) fn set_slope(&mut self, slope: &V) {
        self.slope.as_mut_slice().copy_from_slice(slope.as_slice());
    }

    /// The ratio of the present step to the next, from the present error alone.
    fn quotient(&self) -> f64 {
        let attempts = (self.trial.iterations + 2 * MAX_ITERATIONS) as f64;
        let safety = SAFETY * ((1 + 2 * MAX_ITERATIONS) as f64 / attempts).min(1.0);
        (libm::pow(self.trial.error, 0.25) / safety).clamp(GROW, SHRINK)
    }

    /// Evaluates the Jacobian at the end of an Euler step. For a dashpot that begins like √δ, the
    /// Jacobian at the first touch is arbitrarily large, because δ is only rounding there, and says
    /// nothing about the rest of the step.
    #[cold]
    fn jacobian_ahead<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        let [there, ahead, slope] = &mut self.f;
        combine(ahead, &self.y, [(h, &self.slope)]);
        problem.rhs(t + h, ahead, slope)?;
        self.newton.linearise(problem, t + h, (ahead, slope), (&mut self.work, there))?;
        (self.past.jacobian_wanted, self.jacobian_is_new) = (false, true);
        Ok(())
    }

    fn reject(&mut self) {
        self.since.rejected = true;
        self.past.jacobian_wanted |= !self.jacobian_is_new;
    }
}

impl<V: Vector> Dense for Radau5Stepper<V> {
    fn interpolate(&self, theta: f64, first: usize, y: &mut [f64]) {
        let n = y.len();
        let start = &self.y.as_slice()[first..first + n];
        let [r1, r2, r3] = self.dense.each_ref().map(|r| &r.as_slice()[first..first + n]);
        for i in 0..n {
            let inner = r2[i] + (theta - C[1]) * r3[i];
            y[i] = start[i] + theta * (r1[i] + (theta - C[0]) * inner);
        }
    }
}

impl<V: Vector> Stepper<V> for Radau5Stepper<V> {
    /// Only `order` has an effect, on the first step.
    const CONTROL: Control =
        Control { order: 4.0, alpha: 0.25, beta: 0.0, shrink: 1.0 / SHRINK, grow: 1.0 / GROW };
    const NODE_STRIDE: usize = 4;

    ends!();

    fn enclose(&self, [from, to]: [f64; 2], _sketch: bool, first: usize, y: &mut [Enclosure]) {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let n = y.len();
        let start = &self.y.as_slice()[first..first + n];
        let [r1, r2, r3] = self.dense.each_ref().map(|r| &r.as_slice()[first..first + n]);
        for i in 0..n {
            let inner = Enclosure::constant(r3[i]).times_part([middle - C[1], half]) + r2[i];
            let inner = inner.times_part([middle - C[0], half]) + r1[i];
            y[i] = inner.times_part([middle, half]) + start[i];
        }
    }

    fn grown(&mut self, h: f64, _ln_error: f64, _ln_error_before: f64) -> f64 {
        let mut quotient = self.quotient();
        if self.past.h > 0.0 {
            // Gustafsson's predictive controller, section IV.8, eq. (8.24)
            let trend = libm::pow(self.trial.error * self.trial.error / self.past.error, 0.25);
            let predicted = (self.past.h / h) * trend / SAFETY;
            quotient = quotient.max(predicted.clamp(GROW, SHRINK));
        }
        let keep = self.trial.rate <= FAST && (1.0..=WORTHWHILE).contains(&quotient.recip());
        if keep { h } else { h / quotient }
    }

    fn shrunk(&mut self, h: f64, _ln_error: f64) -> f64 {
        self.reject();
        if self.past.h == 0.0 { 0.1 * h } else { h / self.quotient() }
    }

    fn retreated(&mut self, h: f64) -> f64 {
        self.reject();
        self.since.lost = true;
        self.trial.retreat * h
    }

    fn memory(&self) -> Vec<f64> {
        let Past { h, error, contraction, jacobian_wanted } = self.past;
        let wanted = if jacobian_wanted { 1.0 } else { 0.0 };
        let mut memory = vec![h, error, contraction, wanted];
        self.collocation.iter().for_each(|p| memory.extend_from_slice(p.as_slice()));
        self.newton.memory(&mut memory);
        memory
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        let n = self.y.as_slice().len();
        let Some((&[h, error, contraction, wanted], vectors)) = memory.split_first_chunk() else {
            return false;
        };
        let Some((collocation, newton)) = vectors.split_at_checked(3 * n) else { return false };
        for (p, saved) in self.collocation.iter_mut().zip(collocation.chunks_exact(n.max(1))) {
            p.as_mut_slice().copy_from_slice(saved);
        }
        self.past = Past { h, error, contraction, jacobian_wanted: wanted != 0.0 };
        self.newton.recall(newton)
    }

    fn restart<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
    ) -> Result<(), Fault> {
        self.past = Past { contraction: 1.0, jacobian_wanted: true, ..Past::default() };
        (self.jacobian_is_new, self.since) = (false, SinceAccepted::default());
        problem.rhs(t, &self.y, &mut self.slope)
    }

    fn advance<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<(), Fault> {
        self.trial = Trial { h, retreat: 0.5, ..Trial::default() };
        if self.past.h == 0.0 && self.since.lost {
            self.jacobian_ahead(problem, t, h)?;
        } else if self.past.jacobian_wanted {
            let point = (&self.y, &self.slope);
            let working = (&mut self.work, &mut self.f[0]);
            self.newton.linearise(problem, t, point, working)?;
            (self.past.jacobian_wanted, self.jacobian_is_new) = (false, true);
        }
        if !self.newton.factorise(problem, h)? {
            return Err(Fault::Singular { t, h });
        }
        self.guess(h);
        self.iterate(problem, t, h, admitted)?;
        combine(&mut self.end, &self.y, [(1.0, &self.z[2])]);
        Ok(())
    }

    fn error<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<f64, Fault> {
        let n = self.y.as_slice().len();
        let [z1, z2, z3] = self.z.each_ref().map(|z| &z.as_slice()[..n]);
        let [f1, f2, _] = self.f.each_mut().map(|f| &mut f.as_mut_slice()[..n]);
        let slope = &self.slope.as_slice()[..n];
        for i in 0..n {
            f2[i] = (E[0] * z1[i] + E[1] * z2[i] + E[2] * z3[i]) / h;
            f1[i] = f2[i] + slope[i];
        }
        self.trial.error = self.measure(problem, admitted);
        if self.trial.error >= 1.0 && (self.past.h == 0.0 || self.since.rejected) {
            // A stiff component that is not yet excited at the start makes the first estimate too
            // large: eq. (8.20).
            let [f1, f2, f3] = &mut self.f;
            combine(&mut self.work, &self.y, [(1.0, &*f1)]);
            problem.rhs(t, &self.work, f3)?;
            combine(f1, f3, [(1.0, &*f2)]);
            self.trial.error = self.measure(problem, admitted);
        }
        self.trial.error = self.trial.error.max(1e-10);
        Ok(self.trial.error * self.trial.error)
    }

    fn end_slope<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        if !self.trial.end_slope_known {
            problem.rhs(t + h, &self.end, &mut self.end_slope)?;
            self.trial.end_slope_known = true;
        }
        Ok(())
    }

    /// The polynomial through the start, two stages and the end, which is the third stage if it was not projected.
    fn prepare_dense<S: System<State = V>>(
        &mut self,
        _problem: &mut Frozen<'_, S>,
        _t: f64,
        _h: f64,
        parts: &[Range<usize>],
    ) -> Result<(), Fault> {
        let (y, end) = (self.y.as_slice(), self.end.as_slice());
        let [z1, z2, _] = self.z.each_ref().map(Vector::as_slice);
        let [r1, r2, r3] = self.dense.each_mut().map(Vector::as_mut_slice);
        for i in parts.iter().cloned().flatten() {
            let differences = Differences::new(z1[i], z2[i], end[i] - y[i]);
            r1[i] = differences.first;
            r2[i] = differences.early;
            r3[i] = differences.third();
        }
        Ok(())
    }

    fn accept(&mut self) {
        let n = self.y.as_slice().len();
        let (y, end) = (&self.y.as_slice()[..n], &self.end.as_slice()[..n]);
        let [z1, z2, _] = self.z.each_ref().map(|z| &z.as_slice()[..n]);
        let [p1, p2, p3] = self.collocation.each_mut().map(|p| &mut p.as_mut_slice()[..n]);
        for i in 0..n {
            let differences = Differences::new(z1[i], z2[i], end[i] - y[i]);
            p1[i] = differences.last;
            p2[i] = differences.late;
            p3[i] = differences.third();
        }
        std::mem::swap(&mut self.y, &mut self.end);
        std::mem::swap(&mut self.slope, &mut self.end_slope);
        self.past.h = self.trial.h;
        self.past.error = self.trial.error.max(0.01);
        self.past.jacobian_wanted = self.trial.rate > FAST;
        (self.jacobian_is_new, self.since) = (false, SinceAccepted::default());
    }

    fn start_slope(&self) -> &V {
        &self.slope
    }

    fn scratch(&mut self) -> (&V, &V, &mut V, &mut V) {
        let [other, ..] = &mut self.f;
        (&self.y, &self.slope, &mut self.work, other)
    }

    fn end_is_finite(&self) -> bool {
        all_finite(&self.end) && all_finite(&self.end_slope)
    }

    fn non_finite(&self) -> Option<usize> {
        self.f.iter().chain([&self.end, &self.end_slope]).find_map(first_non_finite)
    }

    /// The component in which the iteration did not converge, judged by its last correction.
    fn worst(&self, admitted: &Admitted<V>) -> usize {
        admitted.worst(&self.y, &self.y, |i| self.f[0].as_slice()[i])
    }
}
