//! The common parts of all explicit methods: the ends of a trial, the slopes of its stages, the
//! dense output.

use std::ops::Range;

use crate::stepper::{Admitted, Dense, Frozen, Stepper};
use crate::vector::{all_finite, first_non_finite};
use crate::{Bow, Control, Enclosure, Fault, System, Vector};

/// An explicit method with `K` slopes and dense output of `R` coefficients: its stages, its error
/// estimate, and the terms of its dense output beyond a cubic.
pub trait Explicit<const K: usize, const R: usize>: Copy {
    /// As [`Stepper::CONTROL`].
    const CONTROL: Control;

    /// As [`Stepper::NODE_STRIDE`].
    const NODE_STRIDE: usize;

    /// The place of the slope at the end of the step; slopes after it only serve the dense output.
    const END: usize = K - 1;

    /// Whether the estimate needs the slope at the end.
    const ESTIMATE_AT_END: bool = false;

    /// As [`Stepper::fixed_step`].
    #[inline]
    fn fixed_step(self) -> Option<f64> {
        None
    }

    /// Evaluates the stages of a step and writes its end.
    fn stages<S: System>(
        step: &mut ExplicitStepper<Self, S::State, K, R>,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault>;

    /// The estimated error of component `i` over the size of the step.
    fn estimate(k: &[&[f64]; K], i: usize) -> f64;

    /// The mean square of the estimated error over the admitted error.
    #[inline]
    fn error(k: &[&[f64]; K], h: f64, admitted: impl Fn(usize) -> f64) -> f64 {
        let n = k[0].len();
        let mut sum = 0.0;
        for i in 0..n {
            let e = h * Self::estimate(k, i) / admitted(i);
            sum += e * e;
        }
        sum / n as f64
    }

    /// As [`Stepper::sketches`].
    const SKETCHES: bool = false;

    /// Over the size of the step: the fourth and the fifth coefficient of a polynomial that costs no evaluation, and the
    /// error of the fourth.
    #[inline]
    fn sketch(k: &[&[f64]; K], i: usize) -> [f64; 3] {
        let _ = (k, i);
        [0.0; 3]
    }

    /// Writes the coefficients of the dense output of these components behind the first three, which are those
    /// of the cubic through both ends and their slopes.
    #[inline]
    fn bend<S: System>(
        step: &mut ExplicitStepper<Self, S::State, K, R>,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        parts: &[Range<usize>],
    ) -> Result<(), Fault> {
        let _ = (step, problem, t, h, parts);
        Ok(())
    }
}

/// A stage that is less firm than this fraction of both ends makes the dense output doubtful.
const FAR_LESS: f64 = 0.1;

/// Working memory of an explicit method.
#[derive(Clone, Debug)]
pub struct ExplicitStepper<M, V, const K: usize, const R: usize> {
    method: M,
    pub(super) y: V,
    pub(super) end: V,
    /// Slopes of the stages.
    pub(super) k: [V; K],
    /// Coefficients of the dense output beyond `y`.
    pub(super) r: [V; R],
    pub(super) work: V,
    end_slope_known: bool,
    /// The [firmness](System::firmness) at the start and at the end of the trial, and the least at a stage of its dense output.
    start_firmness: f64,
    end_firmness: f64,
    pub(super) dense_firmness: f64,
}

impl<M, V: Vector, const K: usize, const R: usize> ExplicitStepper<M, V, K, R> {
    #[inline]
    pub(super) fn new(method: M, y: V) -> Self {
        let zeros = V::zeros(y.as_slice().len());
        ExplicitStepper {
            method,
            k: std::array::from_fn(|_| zeros.clone()),
            r: std::array::from_fn(|_| zeros.clone()),
            work: zeros.clone(),
            end: zeros,
            end_slope_known: false,
            start_firmness: 1.0,
            end_firmness: 1.0,
            dense_firmness: 1.0,
            y,
        }
    }

    /// The slopes, all of one length.
    #[inline]
    pub(super) fn slopes(&self) -> [&[f64]; K] {
        let n = self.y.as_slice().len();
        self.k.each_ref().map(|k| &k.as_slice()[..n])
    }
}

impl<M: Explicit<K, R>, V: Vector, const K: usize, const R: usize> ExplicitStepper<M, V, K, R> {
    /// Writes the coefficients of the cubic through both ends and their slopes, for these components.
    #[inline]
    fn cubic(&mut self, h: f64, part: Range<usize>) {
        let (y, end) = (&self.y.as_slice()[part.clone()], &self.end.as_slice()[part.clone()]);
        let [first, last] = [0, M::END].map(|j| &self.k[j].as_slice()[part.clone()]);
        if let Some(cubic) = self.r.first_chunk_mut::<3>() {
            let [r1, r2, r3] = cubic.each_mut().map(|r| &mut r.as_mut_slice()[part.clone()]);
            for i in 0..part.len() {
                let increment = end[i] - y[i];
                let bow = h * first[i] - increment;
                r1[i] = increment;
                r2[i] = bow;
                r3[i] = increment - h * last[i] - bow;
            }
        }
    }
}

impl<M, V: Vector, const K: usize, const R: usize> Dense for ExplicitStepper<M, V, K, R> {
    /// `y + θ (r₁ + (1−θ) (r₂ + θ (r₃ + (1−θ) (…))))`
    #[inline]
    fn interpolate(&self, theta: f64, first: usize, y: &mut [f64]) {
        let n = y.len();
        let start = &self.y.as_slice()[first..first + n];
        let r = self.r.each_ref().map(|r| &r.as_slice()[first..first + n]);
        let rest = 1.0 - theta;
        for i in 0..n {
            let mut sum = r[R - 1][i];
            for j in (0..R - 1).rev() {
                sum = r[j][i] + if j % 2 == 0 { rest } else { theta } * sum;
            }
            y[i] = start[i] + theta * sum;
        }
    }
}

impl<M, V, const K: usize, const R: usize> Stepper<V> for ExplicitStepper<M, V, K, R>
where
    M: Explicit<K, R>,
    V: Vector,
{
    const CONTROL: Control = M::CONTROL;
    const NODE_STRIDE: usize = M::NODE_STRIDE;

    ends!();

    #[inline]
    fn fixed_step(&self) -> Option<f64> {
        self.method.fixed_step()
    }

    #[inline]
    fn restart<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
    ) -> Result<(), Fault> {
        if let Some(value) = self.fixed_step().filter(|step| !(*step > 0.0 && step.is_finite())) {
            return Err(Fault::Setting { name: "step", value });
        }
        problem.rhs(t, &self.y, &mut self.k[0])?;
        self.start_firmness = problem.firmness();
        Ok(())
    }

    #[inline]
    fn advance<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        _admitted: &Admitted<V>,
    ) -> Result<(), Fault> {
        self.end_slope_known = false;
        M::stages(self, problem, t, h)
    }

    #[inline]
    fn error<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        admitted: &Admitted<V>,
    ) -> Result<f64, Fault> {
        if M::ESTIMATE_AT_END {
            self.end_slope(problem, t, h)?;
        }
        Ok(M::error(&self.slopes(), h, admitted.between(&self.y, &self.end)))
    }

    #[inline]
    fn end_slope<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        if !self.end_slope_known {
            problem.rhs(t + h, &self.end, &mut self.k[M::END])?;
            self.end_firmness = problem.firmness();
            self.end_slope_known = true;
        }
        Ok(())
    }

    #[inline]
    fn end_slope_and_guards<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        g: &mut S::Guards,
    ) -> Result<(), Fault> {
        if self.end_slope_known {
            problem.guards(t + h, &self.end, g);
        } else {
            problem.rhs_and_guards(t + h, &self.end, &mut self.k[M::END], g)?;
            self.end_firmness = problem.firmness();
            self.end_slope_known = true;
        }
        Ok(())
    }

    #[inline]
    fn prepare_dense<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        parts: &[Range<usize>],
    ) -> Result<(), Fault> {
        for part in parts {
            self.cubic(h, part.clone());
        }
        self.dense_firmness = 1.0;
        M::bend(self, problem, t, h, parts)
    }

    #[inline]
    fn dense_is_doubtful(&self) -> bool {
        self.dense_firmness < FAR_LESS * self.start_firmness.min(self.end_firmness)
    }

    #[inline]
    fn sketches(&self) -> bool {
        M::SKETCHES
    }

    #[inline]
    fn sketch(&mut self, h: f64, part: Range<usize>) {
        self.cubic(h, part.clone());
        let k = self.k.each_ref().map(|k| &k.as_slice()[part.clone()]);
        if let Some([_, _, _, r @ ..]) = self.r.first_chunk_mut::<6>() {
            let [r4, r5, r6] = r.each_mut().map(|r| &mut r.as_mut_slice()[part.clone()]);
            for i in 0..part.len() {
                [r4[i], r5[i], r6[i]] = M::sketch(&k, i).map(|term| h * term);
            }
        }
    }

    #[inline]
    fn sketched(&self, theta: f64, sign: f64, first: usize, y: &mut [f64]) {
        let Some(r) = self.r.first_chunk::<6>() else {
            return;
        };
        let n = y.len();
        let start = &self.y.as_slice()[first..first + n];
        let [r1, r2, r3, r4, r5, r6] = r.each_ref().map(|r| &r.as_slice()[first..first + n]);
        let rest = 1.0 - theta;
        for i in 0..n {
            let inner = (r4[i] + sign * r6[i]) + theta * r5[i];
            y[i] = start[i] + theta * (r1[i] + rest * (r2[i] + theta * (r3[i] + rest * inner)));
        }
    }

    /// The greatest values of θ(1−θ), θ²(1−θ), θ²(1−θ)² and θ³(1−θ)² bound the terms of the sketch beyond the straight line.
    #[inline]
    fn bow(&self, component: usize) -> Bow {
        let Some(r) = self.r.first_chunk::<6>() else {
            return Bow::UNKNOWN;
        };
        let [r1, r2, r3, r4, r5, r6] = r.each_ref().map(|r| r.as_slice()[component]);
        let height = r2.abs() / 4.0
            + r3.abs() * (4.0 / 27.0)
            + (r4.abs() + r6.abs()) / 16.0
            + r5.abs() * (108.0 / 3125.0);
        Bow { change: r1, height }
    }

    fn enclose(&self, [from, to]: [f64; 2], sketch: bool, first: usize, y: &mut [Enclosure]) {
        let (middle, half) = (0.5 * (from + to), 0.5 * (to - from));
        let (theta, rest) = ([middle, half], [1.0 - middle, -half]);
        let n = y.len();
        let start = &self.y.as_slice()[first..first + n];
        let r = self.r.each_ref().map(|r| &r.as_slice()[first..first + n]);
        for i in 0..n {
            let (mut sum, below) = match self.r.len() {
                6.. if sketch => {
                    let bend = Enclosure::constant(r[4][i]).times_part(theta) + r[3][i];
                    (Enclosure { r: bend.r + r[5][i].abs(), ..bend }, 3)
                }
                _ => (Enclosure::constant(r[R - 1][i]), R - 1),
            };
            for j in (0..below).rev() {
                sum = sum.times_part(if j % 2 == 0 { rest } else { theta }) + r[j][i];
            }
            y[i] = sum.times_part(theta) + start[i];
        }
    }

    #[inline]
    fn accept(&mut self) {
        std::mem::swap(&mut self.y, &mut self.end);
        self.k.swap(0, M::END);
        self.start_firmness = self.end_firmness;
    }

    #[inline]
    fn start_slope(&self) -> &V {
        &self.k[0]
    }

    #[inline]
    fn scratch(&mut self) -> (&V, &V, &mut V, &mut V) {
        let (slope, others) = self.k.split_at_mut(1);
        (&self.y, &slope[0], &mut self.work, &mut others[0])
    }

    #[inline]
    fn end_is_finite(&self) -> bool {
        all_finite(&self.end) && all_finite(&self.k[M::END])
    }

    fn non_finite(&self) -> Option<usize> {
        self.k[..=M::END].iter().chain([&self.end]).find_map(|k| first_non_finite(k))
    }

    fn worst(&self, admitted: &Admitted<V>) -> usize {
        let slopes = self.slopes();
        admitted.worst(&self.y, &self.end, |i| M::estimate(&slopes, i))
    }
}
