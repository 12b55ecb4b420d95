//! The pair of Fehlberg of orders 4 and 5.
//!
//! # Source
//!
//! Fehlberg1969: E. Fehlberg, *Low-order classical Runge–Kutta formulas with stepsize control and their application to
//! some heat transfer problems*, NASA TR R-315 (1969), table III, formula 2; table 5.1 of chapter II of E. Hairer,
//! S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., Springer 1993.
//!
//! # Differs from
//!
//! The code RKF45 of Shampine and Watts continues with the solution of order 5. Here, as in Fehlberg's report, the run
//! continues with order 4, whose error is what the difference estimates.

use std::ops::Range;

use super::explicit::{Explicit, ExplicitStepper};
use crate::stepper::{Frozen, Method};
use crate::{Control, Fault, System, Vector};

/// The method of Fehlberg of order 4 with error estimate by order 5 and dense output of order 4.
///
/// Six evaluations per step. Widely used in the literature, and provided to reproduce it: [`Dopri5`](crate::Dopri5) is more
/// accurate at the same cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rkf45;

impl Method for Rkf45 {
    type Stepper<V: Vector> = ExplicitStepper<Self, V, 7, 4>;

    #[inline]
    fn stepper<V: Vector>(self, y: V) -> Self::Stepper<V> {
        ExplicitStepper::new(self, y)
    }
}

const C: [f64; 7] = [0.0, 1.0 / 4.0, 3.0 / 8.0, 12.0 / 13.0, 1.0, 1.0 / 2.0, 1.0];

const A2: [f64; 1] = [1.0 / 4.0];
const A3: [f64; 2] = [3.0 / 32.0, 9.0 / 32.0];
const A4: [f64; 3] = [1932.0 / 2197.0, -7200.0 / 2197.0, 7296.0 / 2197.0];
const A5: [f64; 4] = [439.0 / 216.0, -8.0, 3680.0 / 513.0, -845.0 / 4104.0];
const A6: [f64; 5] = [-8.0 / 27.0, 2.0, -3544.0 / 2565.0, 1859.0 / 4104.0, -11.0 / 40.0];
/// Weights of order 4. The slope at the end, the seventh, is the first one of the next step.
const B: [f64; 5] = [25.0 / 216.0, 0.0, 1408.0 / 2565.0, 2197.0 / 4104.0, -1.0 / 5.0];
/// Weights of order 4 minus those of order 5.
const E: [f64; 6] = [-1.0 / 360.0, 0.0, 128.0 / 4275.0, 2197.0 / 75240.0, -1.0 / 50.0, -2.0 / 55.0];
/// Coefficients of the term `θ²(1−θ)²` that lifts the cubic through both ends and slopes to order 4: the solution of
/// the eight conditions of order 4, which leave one coefficient free, with that of the sixth slope set to zero.
const D: [f64; 7] =
    [-13.0 / 18.0, 0.0, 1664.0 / 855.0, -2197.0 / 342.0, 27.0 / 10.0, 0.0, 5.0 / 2.0];

impl Explicit<7, 4> for Rkf45 {
    const CONTROL: Control =
        Control { order: 5.0, alpha: 0.2 - 0.75 * 0.04, beta: 0.04, shrink: 0.2, grow: 5.0 };
    const NODE_STRIDE: usize = 4;

    #[inline]
    fn stages<S: System>(
        step: &mut ExplicitStepper<Self, S::State, 7, 4>,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        let ExplicitStepper { y, end, work: w, k, .. } = step;
        let m = problem.coupled(y);
        let [k1, k2, k3, k4, k5, k6, _] = k;
        stage!(w[..m] = y + h * A2[0: k1]);
        problem.rhs(t + C[1] * h, w, k2)?;
        stage!(w[..m] = y + h * A3[0: k1, 1: k2]);
        problem.rhs(t + C[2] * h, w, k3)?;
        stage!(w[..m] = y + h * A4[0: k1, 1: k2, 2: k3]);
        problem.rhs(t + C[3] * h, w, k4)?;
        stage!(w[..m] = y + h * A5[0: k1, 1: k2, 2: k3, 3: k4]);
        problem.rhs(t + C[4] * h, w, k5)?;
        stage!(w[..m] = y + h * A6[0: k1, 1: k2, 2: k3, 3: k4, 4: k5]);
        problem.rhs(t + C[5] * h, w, k6)?;
        stage!(end = y + h * B[0: k1, 2: k3, 3: k4, 4: k5]);
        Ok(())
    }

    #[inline]
    fn estimate(k: &[&[f64]; 7], i: usize) -> f64 {
        let [k1, _, k3, k4, k5, k6, _] = k;
        E[0] * k1[i] + E[2] * k3[i] + E[3] * k4[i] + E[4] * k5[i] + E[5] * k6[i]
    }

    #[inline]
    fn bend<S: System>(
        step: &mut ExplicitStepper<Self, S::State, 7, 4>,
        _problem: &mut Frozen<'_, S>,
        _t: f64,
        h: f64,
        parts: &[Range<usize>],
    ) -> Result<(), Fault> {
        let ExplicitStepper { k, r: [.., r4], .. } = step;
        for part in parts {
            let r4 = &mut r4.as_mut_slice()[part.clone()];
            let [k1, _, k3, k4, k5, _, k7] = k.each_ref().map(|k| &k.as_slice()[part.clone()]);
            for i in 0..part.len() {
                r4[i] =
                    h * (D[0] * k1[i] + D[2] * k3[i] + D[3] * k4[i] + D[4] * k5[i] + D[6] * k7[i]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::{worst_residual, worst_residual_at, worst_row_sum};
    use super::*;

    const ROWS: [&[f64]; 7] = [&[], &A2, &A3, &A4, &A5, &A6, &B];

    #[test]
    fn property_rows_sum_to_nodes() {
        // Entries up to 8 in magnitude cancel: a few units of their last place remain.
        assert!(worst_row_sum(&ROWS, &C) < 1e-14);
    }

    #[test]
    fn property_all_8_conditions_of_order_4_hold() {
        let (count, residual) = worst_residual(&ROWS, &B, 4);
        assert_eq!(count, 8);
        assert!(residual < 1e-14, "{residual:e}");
        assert!(worst_residual(&ROWS, &B, 5).1 > 1e-4, "not of order 5");
    }

    #[test]
    fn property_embedded_weights_have_order_5() {
        let embedded: [f64; 6] = std::array::from_fn(|i| B.get(i).copied().unwrap_or(0.0) - E[i]);
        let (count, residual) = worst_residual(&ROWS, &embedded, 5);
        assert_eq!(count, 17);
        assert!(residual < 1e-14, "{residual:e}");
    }

    #[test]
    fn property_dense_output_meets_the_conditions_of_order_4_everywhere() {
        for i in 1..10 {
            let theta = 0.1 * f64::from(i);
            let rest = 1.0 - theta;
            // y(θ) = y + θ (r1 + (1−θ)(r2 + θ (r3 + (1−θ) r4))), written out in the slopes
            let weights: [f64; 7] = std::array::from_fn(|j| {
                let b = B.get(j).copied().unwrap_or(0.0);
                let first = if j == 0 { 1.0 } else { 0.0 };
                let last = if j == 6 { 1.0 } else { 0.0 };
                let (bow, turn) = (first - b, 2.0 * b - last - first);
                theta * (b + rest * (bow + theta * (turn + rest * D[j])))
            });
            assert!(worst_residual_at(theta, &ROWS, &weights, 4).1 < 1e-14);
            assert!(worst_residual_at(theta, &ROWS, &weights, 5).1 > 1e-6, "not of order 5");
        }
    }
}
