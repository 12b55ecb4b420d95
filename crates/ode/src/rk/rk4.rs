//! The classical method of order 4 with steps of one size.
//!
//! # Source
//!
//! W. Kutta, *Beitrag zur näherungsweisen Integration totaler Differentialgleichungen*, Z. Math. Phys. 46 (1901)
//! 435–453; table 1.2 of chapter II of E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential
//! Equations I*, 2nd ed., Springer 1993.

use crate::stepper::{Admitted, Dense, Frozen, Method, Stepper};
use crate::vector::{all_finite, first_non_finite};
use crate::{Control, Fault, System, Vector};

/// The classical method of order 4 with steps of one size, and dense output of order 3.
///
/// It does not estimate its error: the tolerance has no effect, and the result is as good as the step. For repeating
/// results that were computed so.
///
/// Every step has the size given, except one that ends in an event, at a stop or at the end of the span (which may be
/// longer by 1 %), one that could not be computed and is tried again shorter, and the first after an event, which is
/// no longer than the time since the previous event. [`Options::max_step`](crate::Options::max_step) holds all the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rk4 {
    /// The step, above 0, finite.
    pub step: f64,
}

impl Method for Rk4 {
    type Stepper<V: Vector> = Rk4Stepper<V>;

    #[inline]
    fn stepper<V: Vector>(self, y: V) -> Rk4Stepper<V> {
        let zeros = V::zeros(y.as_slice().len());
        Rk4Stepper {
            step: self.step,
            k: std::array::from_fn(|_| zeros.clone()),
            r: std::array::from_fn(|_| zeros.clone()),
            work: zeros.clone(),
            end: zeros,
            y,
        }
    }
}

const C: [f64; 4] = [0.0, 1.0 / 2.0, 1.0 / 2.0, 1.0];
const A2: [f64; 1] = [1.0 / 2.0];
const A3: [f64; 2] = [0.0, 1.0 / 2.0];
const A4: [f64; 3] = [0.0, 0.0, 1.0];
const B: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Working memory of [`Rk4`].
#[derive(Clone, Debug)]
pub struct Rk4Stepper<V> {
    step: f64,
    y: V,
    end: V,
    /// Slopes of the stages; the last is that at the end of the step.
    k: [V; 5],
    /// Coefficients of the dense output beyond `y`.
    r: [V; 3],
    work: V,
}

impl<V: Vector> Dense<V> for Rk4Stepper<V> {
    #[inline]
    fn interpolate(&self, theta: f64, y: &mut V) {
        let y = y.as_mut_slice();
        let n = y.len();
        let start = &self.y.as_slice()[..n];
        let [r1, r2, r3] = self.r.each_ref().map(|r| &r.as_slice()[..n]);
        let rest = 1.0 - theta;
        for i in 0..n {
            y[i] = start[i] + theta * (r1[i] + rest * (r2[i] + theta * r3[i]));
        }
    }
}

impl<V: Vector> Stepper<V> for Rk4Stepper<V> {
    /// Only `shrink` has an effect, on a step that cannot be computed.
    const CONTROL: Control = Control { order: 4.0, alpha: 0.0, beta: 0.0, shrink: 0.5, grow: 1.0 };
    const NODE_STRIDE: usize = 4;

    ends!();

    #[inline]
    fn grown(&mut self, _h: f64, _ln_error: f64, _ln_error_before: f64) -> f64 {
        self.step
    }

    #[inline]
    fn fixed_step(&self) -> Option<f64> {
        Some(self.step)
    }

    #[inline]
    fn restart<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
    ) -> Result<(), Fault> {
        if !(self.step > 0.0 && self.step.is_finite()) {
            return Err(Fault::Setting { name: "step", value: self.step });
        }
        problem.rhs(t, &self.y, &mut self.k[0])
    }

    #[inline]
    fn advance<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        _admitted: &Admitted<V>,
    ) -> Result<(), Fault> {
        let Self { y, end, work: w, .. } = self;
        let [k1, k2, k3, k4, _] = &mut self.k;
        stage!(w = y + h * A2[0: k1]);
        problem.rhs(t + C[1] * h, w, k2)?;
        stage!(w = y + h * A3[1: k2]);
        problem.rhs(t + C[2] * h, w, k3)?;
        stage!(w = y + h * A4[2: k3]);
        problem.rhs(t + C[3] * h, w, k4)?;
        stage!(end = y + h * B[0: k1, 1: k2, 2: k3, 3: k4]);
        Ok(())
    }

    #[inline]
    fn error<S: System<State = V>>(
        &mut self,
        _problem: &mut Frozen<'_, S>,
        _t: f64,
        _h: f64,
        _admitted: &Admitted<V>,
    ) -> Result<f64, Fault> {
        Ok(0.0)
    }

    #[inline]
    fn end_slope<S: System<State = V>>(
        &mut self,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        problem.rhs(t + h, &self.end, &mut self.k[4])
    }

    #[inline]
    fn prepare_dense<S: System<State = V>>(
        &mut self,
        _problem: &mut Frozen<'_, S>,
        _t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        let n = self.y.as_slice().len();
        let (y, end) = (self.y.as_slice(), &self.end.as_slice()[..n]);
        let [k1, .., k5] = self.k.each_ref().map(|k| &k.as_slice()[..n]);
        let [r1, r2, r3] = self.r.each_mut().map(|r| &mut r.as_mut_slice()[..n]);
        for i in 0..n {
            let increment = end[i] - y[i];
            let bow = h * k1[i] - increment;
            r1[i] = increment;
            r2[i] = bow;
            r3[i] = increment - h * k5[i] - bow;
        }
        Ok(())
    }

    #[inline]
    fn accept(&mut self) {
        std::mem::swap(&mut self.y, &mut self.end);
        self.k.swap(0, 4);
    }

    #[inline]
    fn start_slope(&self) -> &V {
        &self.k[0]
    }

    #[inline]
    fn scratch(&mut self) -> (&V, &V, &mut V, &mut V) {
        let [slope, other, ..] = &mut self.k;
        (&self.y, slope, &mut self.work, other)
    }

    #[inline]
    fn end_is_finite(&self) -> bool {
        all_finite(&self.end) && all_finite(&self.k[4])
    }

    fn non_finite(&self) -> Option<usize> {
        self.k.iter().chain([&self.end]).find_map(|k| first_non_finite(k))
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::worst_residual;
    use super::*;

    const ROWS: [&[f64]; 4] = [&[], &A2, &A3, &A4];

    #[test]
    fn property_rows_sum_to_nodes() {
        for (row, c) in ROWS.iter().zip(C) {
            assert_eq!(row.iter().sum::<f64>(), c);
        }
    }

    #[test]
    fn property_all_8_conditions_of_order_4_hold() {
        let (count, residual) = worst_residual(&ROWS, &B, 4);
        assert_eq!(count, 8);
        assert!(residual < 1e-15, "{residual:e}");
        assert!(worst_residual(&ROWS, &B, 5).1 > 1e-3, "not of order 5");
    }
}
