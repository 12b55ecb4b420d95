//! The method Radau IIA of order 5: collocation at three points, the last at the end of the step.
//!
//! # Source
//!
//! HairerWanner1996: E. Hairer, G. Wanner, *Solving Ordinary Differential Equations II*, 2nd ed., Springer 1996, sections
//! IV.5 (method), IV.8 (simplified Newton iteration in transformed variables, error estimate, step sizes) and the code RADAU5.

use super::lu::{Complex, Lu};
use crate::stepper::{Admitted, Dense, Frozen, Method, Stepper};
use crate::vector::{all_finite, combine, first_non_finite};
use crate::{Control, Fault, Matrix, System, Vector};

/// The method Radau IIA of order 5 with error estimate of order 3 and dense output of order 3: for stiff problems.
///
/// A step costs three evaluations for each iteration of Newton's method, one at its end, the factorisation of a real
/// and a complex matrix where its size has changed, and now and then a Jacobian, see [`System::jacobian`].
///
/// As in the code RADAU5 the tolerance is understood to be that of a method of order 5, while the estimate is of
/// order 3: a step passes if the estimate is below `0.1 r^(−1/3)` times the admitted error, where `r` is the greatest
/// relative tolerance of any component. With `r` = 0 the estimate itself must be below the admitted error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Radau5;

impl Method for Radau5 {
    type Stepper<V: Vector> = Radau5Stepper<V>;

    fn stepper<V: Vector>(self, y: V) -> Radau5Stepper<V> {
        let n = y.as_slice().len();
        let zeros = V::zeros(n);
        let three = || std::array::from_fn(|_| zeros.clone());
        Radau5Stepper {
            z: three(),
            w: three(),
            f: three(),
            dense: three(),
            collocation: three(),
            slope: zeros.clone(),
            end_slope: zeros.clone(),
            work: zeros.clone(),
            end: zeros.clone(),
            y,
            jacobian: Matrix::zeros(n),
            real: Lu::new(n),
            complex: Lu::new(n),
            pairs: vec![Complex::default(); n].into(),
            trial: Trial::default(),
            past: Past::default(),
            jacobian_is_new: false,
            rejected: false,
        }
    }
}

const SQRT_6: f64 = 2.449489742783178;

/// Nodes of the stages.
const C: [f64; 3] = [(4.0 - SQRT_6) / 10.0, (4.0 + SQRT_6) / 10.0, 1.0];

/// Weights of the increments of the stages in the error estimate.
const E: [f64; 3] = [-(13.0 + 7.0 * SQRT_6) / 3.0, (-13.0 + 7.0 * SQRT_6) / 3.0, -1.0 / 3.0];

/// The real eigenvalue of the inverse of the method's matrix.
const GAMMA: f64 = 3.637834252744496;
/// Its pair of complex eigenvalues, `α ± iβ`.
const ALPHA: f64 = 2.6810828736277523;
const BETA: f64 = 3.0504301992474105;

/// `T` of `T⁻¹ A⁻¹ T = diag(γ, [α −β; β α])`.
const T: [[f64; 3]; 3] = [
    [0.09123239487089295, -0.1412552950209542, -0.030029194105147424],
    [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
    [0.966048182615093, 1.0, 0.0],
];
/// `T⁻¹`.
const TI: [[f64; 3]; 3] = [
    [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
    [-4.178718591551905, -0.32768282076106237, 0.47662355450055044],
    [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
];

/// At most so many iterations for one step.
const MAX_ITERATIONS: usize = 7;
/// The Jacobian serves the next step too if the iteration converges faster than this.
const FAST: f64 = 1e-3;
/// A step aims at this part of the size that would just pass.
const SAFETY: f64 = 0.9;
/// The step is kept, and the matrices with it, if it could not grow by more than this.
const WORTHWHILE: f64 = 1.2;
/// Bounds of the ratio of a step to the next.
const SHRINK: f64 = 5.0;
const GROW: f64 = 1.0 / 8.0;

/// What is known of the present trial.
#[derive(Clone, Copy, Debug, Default)]
struct Trial {
    h: f64,
    error: f64,
    iterations: usize,
    /// Rate of convergence of the iteration.
    rate: f64,
    /// If the trial was not computed: the part of its size to try next.
    retreat: f64,
    end_slope_known: bool,
}

/// What is remembered from one step to the next, with the Jacobian and the polynomial of the last step.
#[derive(Clone, Copy, Debug, Default)]
struct Past {
    /// The step for which the matrices are factorised; 0 for none.
    factorised: f64,
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
    jacobian: Matrix,
    real: Lu<f64>,
    complex: Lu<Complex>,
    pairs: Box<[Complex]>,
    trial: Trial,
    past: Past,
    /// The Jacobian is that at the current point.
    jacobian_is_new: bool,
    /// The last trial was not accepted.
    rejected: bool,
}

/// The factor by which the estimate may exceed the admitted error, and the part of that at which Newton's iteration
/// ends.
fn levels<V: Vector>(admitted: &Admitted<V>) -> (f64, f64) {
    let relative = admitted.greatest_relative();
    if relative == 0.0 {
        return (1.0, 1e-3);
    }
    let transformed = 0.1 * relative.powf(2.0 / 3.0);
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
    /// Makes the matrices `γ/h I − J` and `(α + iβ)/h I − J` ready.
    fn factorise(&mut self, h: f64) -> bool {
        let jacobian = self.jacobian.as_slice();
        let shift = Complex { re: ALPHA / h, im: BETA / h };
        let good = self.real.factorise(jacobian, GAMMA / h, |x| x)
            && self.complex.factorise(jacobian, shift, |re| Complex { re, im: 0.0 });
        self.past.factorised = if good { h } else { 0.0 };
        good
    }

    /// Begins the iteration with the polynomial of the last step, if there is one.
    fn guess(&mut self, h: f64) {
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

    /// One iteration: evaluates the stages and solves for the correction, which is left in `f`.
    fn correction<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        problem.stats.newton_iterations += 1;
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
        let [f1, f2, f3] = self.f.each_mut().map(|f| &mut f.as_mut_slice()[..n]);
        let (gamma, alpha, beta) = (GAMMA / h, ALPHA / h, BETA / h);
        for i in 0..n {
            f1[i] = z1[i] - gamma * w1[i];
            self.pairs[i] = Complex {
                re: z2[i] - alpha * w2[i] + beta * w3[i],
                im: z3[i] - alpha * w3[i] - beta * w2[i],
            };
        }
        self.real.solve(f1);
        self.complex.solve(&mut self.pairs);
        for i in 0..n {
            Complex { re: f2[i], im: f3[i] } = self.pairs[i];
        }
        Ok(())
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
    fn iterate<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<(), Fault> {
        let (level, goal) = levels(admitted);
        self.trial.rate = FAST;
        self.past.contraction = self.past.contraction.max(f64::EPSILON).powf(0.8);
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
                let outlook = self.past.contraction * size * rate.powf(left) / goal;
                if outlook >= 1.0 {
                    self.trial.retreat = 0.8 * outlook.min(20.0).powf(-1.0 / (4.0 + left));
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
                return Ok(());
            }
        }
        Err(Fault::NoConvergence { t, h })
    }

    /// Solves for the error whose right-hand side is in `f[0]`, and measures it.
    fn measure(&mut self, admitted: &Admitted<V>) -> f64 {
        let [error, ..] = &mut self.f;
        self.real.solve(error.as_mut_slice());
        let (level, _) = levels(admitted);
        let admitted = admitted.between(&self.y, &self.y);
        let error = error.as_slice();
        let squares = (0..error.len()).map(|i| (error[i] / (level * admitted(i))).powi(2));
        (squares.sum::<f64>() / error.len() as f64).sqrt()
    }

    /// The ratio of the present step to the next, from the present error alone.
    fn quotient(&self) -> f64 {
        let attempts = (self.trial.iterations + 2 * MAX_ITERATIONS) as f64;
        let safety = SAFETY * ((1 + 2 * MAX_ITERATIONS) as f64 / attempts).min(1.0);
        (self.trial.error.powf(0.25) / safety).clamp(GROW, SHRINK)
    }

    fn reject(&mut self) {
        self.rejected = true;
        self.past.jacobian_wanted |= !self.jacobian_is_new;
    }
}

impl<V: Vector> Dense<V> for Radau5Stepper<V> {
    fn interpolate(&self, theta: f64, y: &mut V) {
        let y = y.as_mut_slice();
        let n = y.len();
        let start = &self.y.as_slice()[..n];
        let [r1, r2, r3] = self.dense.each_ref().map(|r| &r.as_slice()[..n]);
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

    fn grown(&mut self, h: f64, _ln_error: f64, _ln_error_before: f64) -> f64 {
        let mut quotient = self.quotient();
        if self.past.h > 0.0 {
            // Gustafsson's predictive controller, section IV.8, eq. (8.24)
            let trend = (self.trial.error * self.trial.error / self.past.error).powf(0.25);
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
        self.trial.retreat * h
    }

    fn memory(&self) -> Vec<f64> {
        let Past { factorised, h, error, contraction, jacobian_wanted } = self.past;
        let wanted = if jacobian_wanted { 1.0 } else { 0.0 };
        let mut memory = vec![factorised, h, error, contraction, wanted];
        memory.extend_from_slice(self.jacobian.as_slice());
        self.collocation.iter().for_each(|p| memory.extend_from_slice(p.as_slice()));
        memory
    }

    fn recall(&mut self, memory: &[f64]) -> bool {
        let n = self.y.as_slice().len();
        let Some((&[factorised, h, error, contraction, wanted], vectors)) =
            memory.split_first_chunk()
        else {
            return false;
        };
        if vectors.len() != n * n + 3 * n {
            return false;
        }
        let (jacobian, collocation) = vectors.split_at(n * n);
        self.jacobian.as_mut_slice().copy_from_slice(jacobian);
        for (p, saved) in self.collocation.iter_mut().zip(collocation.chunks_exact(n.max(1))) {
            p.as_mut_slice().copy_from_slice(saved);
        }
        self.past = Past { factorised, h, error, contraction, jacobian_wanted: wanted != 0.0 };
        factorised == 0.0 || self.factorise(factorised)
    }

    fn restart<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
    ) -> Result<(), Fault> {
        self.past = Past { contraction: 1.0, jacobian_wanted: true, ..Past::default() };
        (self.jacobian_is_new, self.rejected) = (false, false);
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
        if self.past.jacobian_wanted {
            let point = (&self.y, &self.slope);
            let working = (&mut self.work, &mut self.f[0]);
            problem.jacobian(t, point, working, &mut self.jacobian)?;
            (self.past.jacobian_wanted, self.jacobian_is_new) = (false, true);
            self.past.factorised = 0.0;
        }
        if self.past.factorised != h {
            problem.stats.factorisations += 1;
            if !self.factorise(h) {
                return Err(Fault::Singular { t, h });
            }
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
        self.trial.error = self.measure(admitted);
        if self.trial.error >= 1.0 && (self.past.h == 0.0 || self.rejected) {
            // A stiff component that the start does not have yet makes the first estimate too great: eq. (8.20).
            let [f1, f2, f3] = &mut self.f;
            combine(&mut self.work, &self.y, [(1.0, &*f1)]);
            problem.rhs(t, &self.work, f3)?;
            combine(f1, f3, [(1.0, &*f2)]);
            self.trial.error = self.measure(admitted);
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
    ) -> Result<(), Fault> {
        let n = self.y.as_slice().len();
        let (y, end) = (&self.y.as_slice()[..n], &self.end.as_slice()[..n]);
        let [z1, z2, _] = self.z.each_ref().map(|z| &z.as_slice()[..n]);
        let [r1, r2, r3] = self.dense.each_mut().map(|r| &mut r.as_mut_slice()[..n]);
        for i in 0..n {
            let first = z1[i] / C[0];
            let second = (z2[i] - z1[i]) / (C[1] - C[0]);
            let third = (end[i] - y[i] - z2[i]) / (1.0 - C[1]);
            let bend = (second - first) / C[1];
            r1[i] = first;
            r2[i] = bend;
            r3[i] = (third - second) / (1.0 - C[0]) - bend;
        }
        Ok(())
    }

    fn accept(&mut self) {
        let n = self.y.as_slice().len();
        let (y, end) = (&self.y.as_slice()[..n], &self.end.as_slice()[..n]);
        let [z1, z2, _] = self.z.each_ref().map(|z| &z.as_slice()[..n]);
        let [p1, p2, p3] = self.collocation.each_mut().map(|p| &mut p.as_mut_slice()[..n]);
        for i in 0..n {
            let second = (z2[i] - z1[i]) / (C[1] - C[0]);
            let third = (end[i] - y[i] - z2[i]) / (1.0 - C[1]);
            let bend = (second - z1[i] / C[0]) / C[1];
            p1[i] = third;
            p2[i] = (third - second) / (1.0 - C[0]);
            p3[i] = p2[i] - bend;
        }
        std::mem::swap(&mut self.y, &mut self.end);
        std::mem::swap(&mut self.slope, &mut self.end_slope);
        self.past.h = self.trial.h;
        self.past.error = self.trial.error.max(0.01);
        self.past.jacobian_wanted = self.trial.rate > FAST;
        (self.jacobian_is_new, self.rejected) = (false, false);
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
}

#[cfg(test)]
mod tests {
    use super::*;

    fn product(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) -> [[f64; 3]; 3] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| a[i][k] * b[k][j]).sum()))
    }

    fn assert_close(a: &[[f64; 3]; 3], b: &[[f64; 3]; 3]) {
        for (a, b) in a.as_flattened().iter().zip(b.as_flattened()) {
            // Entries up to 4 cancel.
            assert!((a - b).abs() < 4e-14, "{a} for {b}");
        }
    }

    /// The matrix of the method as printed: Hairer and Wanner, table IV.5.6.
    fn printed() -> [[f64; 3]; 3] {
        let s = 6.0_f64.sqrt();
        [
            [(88.0 - 7.0 * s) / 360.0, (296.0 - 169.0 * s) / 1800.0, (-2.0 + 3.0 * s) / 225.0],
            [(296.0 + 169.0 * s) / 1800.0, (88.0 + 7.0 * s) / 360.0, (-2.0 - 3.0 * s) / 225.0],
            [(16.0 - s) / 36.0, (16.0 + s) / 36.0, 1.0 / 9.0],
        ]
    }

    #[test]
    fn property_collocation_conditions_hold() {
        // C(3): every row integrates t^0, t, t² exactly up to its node; B(5): the last one up to t⁴.
        for (row, c) in printed().iter().zip(C) {
            let degree = if c == 1.0 { 4 } else { 2 };
            for k in 0..=degree {
                let quadrature: f64 = row.iter().zip(C).map(|(a, c)| a * c.powi(k)).sum();
                assert!((quadrature - c.powi(k + 1) / f64::from(k + 1)).abs() < 1e-15);
            }
        }
    }

    #[test]
    fn property_the_transformation_is_that_of_the_method() {
        let identity = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert_close(&product(&T, &TI), &identity);
        // A T Λ = T where Λ holds the eigenvalues of A⁻¹.
        let eigenvalues = [[GAMMA, 0.0, 0.0], [0.0, ALPHA, -BETA], [0.0, BETA, ALPHA]];
        assert_close(&product(&product(&printed(), &T), &eigenvalues), &T);
    }

    #[test]
    fn property_the_error_estimate_vanishes_for_cubics() {
        // E z + h f(t0) = 0 for y = t, t², t³ from t0 = 0, h = 1: only f = 1 of y = t has a slope at the start,
        // and the formula compares with it scaled by γ0 in E1: (γ0/h)⁻¹ is left out on both sides.
        for k in 2..=3 {
            let z = C.map(|c| c.powi(k));
            let sum: f64 = E.iter().zip(z).map(|(e, z)| e * z).sum();
            assert!(sum.abs() < 2e-14, "t^{k}: {sum:e}");
        }
        let sum: f64 = E.iter().zip(C).map(|(e, c)| e * c).sum();
        assert!((sum + 1.0).abs() < 2e-14);
    }
}
