//! The method of Dormand and Prince of order 8 with the error estimates of orders 5 and 3.
//!
//! # Source
//!
//! E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., Springer 1993,
//! section II.5 (method and error estimate), section II.6 (dense output of order 7) and the code DOP853.

mod coefficients;

use std::ops::Range;

use super::explicit::{Explicit, ExplicitStepper};
use crate::stepper::{Frozen, Method};
use crate::{Control, Fault, System, Vector};
use coefficients::{
    A2, A3, A4, A5, A6, A7, A8, A9, A10, A11, A12, A14, A15, A16, B, B3, C, D4, D5, D6, D7, E5, S4,
    S5,
};

/// The method of Dormand and Prince of order 8 with dense output of order 7.
///
/// Twelve evaluations per step, and three more where dense output is needed: for guards, or for a recorder
/// that interpolates. Pays for tolerances below about 1e-9.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dop853;

impl Method for Dop853 {
    type Stepper<V: Vector> = ExplicitStepper<Self, V, 16, 7>;

    #[inline]
    fn stepper<V: Vector>(self, y: V) -> Self::Stepper<V> {
        ExplicitStepper::new(self, y)
    }
}

/// In its terms of order 6 the sketch is wrong by `θ²(1−θ)²` times at most 132 times the error estimate; here four times
/// that, for terms of higher order.
const SKETCH_ERROR: f64 = 4.0 * 132.0;

impl Explicit<16, 7> for Dop853 {
    const CONTROL: Control =
        Control { order: 8.0, alpha: 0.125, beta: 0.0, shrink: 1.0 / 3.0, grow: 6.0 };
    const NODE_STRIDE: usize = 2;
    const END: usize = 12;
    const SKETCHES: bool = true;

    #[inline]
    fn stages<S: System>(
        step: &mut ExplicitStepper<Self, S::State, 16, 7>,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        let ExplicitStepper { y, end, work: w, k, .. } = step;
        let m = problem.coupled(y);
        let [k1, k2, k3, k4, k5, k6, k7, k8, k9, k10, k11, k12, ..] = k;
        stage!(w[..m] = y + h * A2[0: k1]);
        problem.rhs(t + C[1] * h, w, k2)?;
        stage!(w[..m] = y + h * A3[0: k1, 1: k2]);
        problem.rhs(t + C[2] * h, w, k3)?;
        stage!(w[..m] = y + h * A4[0: k1, 2: k3]);
        problem.rhs(t + C[3] * h, w, k4)?;
        stage!(w[..m] = y + h * A5[0: k1, 2: k3, 3: k4]);
        problem.rhs(t + C[4] * h, w, k5)?;
        stage!(w[..m] = y + h * A6[0: k1, 3: k4, 4: k5]);
        problem.rhs(t + C[5] * h, w, k6)?;
        stage!(w[..m] = y + h * A7[0: k1, 3: k4, 4: k5, 5: k6]);
        problem.rhs(t + C[6] * h, w, k7)?;
        stage!(w[..m] = y + h * A8[0: k1, 3: k4, 4: k5, 5: k6, 6: k7]);
        problem.rhs(t + C[7] * h, w, k8)?;
        stage!(w[..m] = y + h * A9[0: k1, 3: k4, 4: k5, 5: k6, 6: k7, 7: k8]);
        problem.rhs(t + C[8] * h, w, k9)?;
        stage!(w[..m] = y + h * A10[0: k1, 3: k4, 4: k5, 5: k6, 6: k7, 7: k8, 8: k9]);
        problem.rhs(t + C[9] * h, w, k10)?;
        stage!(w[..m] = y + h * A11[0: k1, 3: k4, 4: k5, 5: k6, 6: k7, 7: k8, 8: k9, 9: k10]);
        problem.rhs(t + C[10] * h, w, k11)?;
        stage!(w[..m] = y + h * A12[0: k1, 3: k4, 4: k5, 5: k6, 6: k7, 7: k8, 8: k9, 9: k10, 10: k11]);
        problem.rhs(t + C[11] * h, w, k12)?;
        stage!(end = y + h * B[0: k1, 5: k6, 6: k7, 7: k8, 8: k9, 9: k10, 10: k11, 11: k12]);
        Ok(())
    }

    /// Of order 5.
    #[expect(clippy::inline_always, reason = "inlining halves its cost")]
    #[inline(always)]
    fn estimate(k: &[&[f64]; 16], i: usize) -> f64 {
        let [k1, _, _, _, _, k6, k7, k8, k9, k10, k11, k12, ..] = k;
        E5[0] * k1[i]
            + E5[5] * k6[i]
            + E5[6] * k7[i]
            + E5[7] * k8[i]
            + E5[8] * k9[i]
            + E5[9] * k10[i]
            + E5[10] * k11[i]
            + E5[11] * k12[i]
    }

    /// `h |e₅|² / √(|e₅|² + 0.01 |e₃|²)`, Hairer II.10, here squared and in the mean.
    #[inline]
    fn error(k: &[&[f64]; 16], h: f64, admitted: impl Fn(usize) -> f64) -> f64 {
        let [k1, _, _, _, _, k6, k7, k8, k9, k10, k11, k12, ..] = k;
        let n = k1.len();
        let (mut fifth, mut third) = (0.0, 0.0);
        for i in 0..n {
            let weight = 1.0 / admitted(i);
            let common =
                B[5] * k6[i] + B[6] * k7[i] + B[7] * k8[i] + B[9] * k10[i] + B[10] * k11[i];
            let e3 = (B[0] - B3[0]) * k1[i]
                + (B[8] - B3[8]) * k9[i]
                + common
                + (B[11] - B3[11]) * k12[i];
            let e5 = Self::estimate(k, i);
            fifth += (e5 * weight) * (e5 * weight);
            third += (e3 * weight) * (e3 * weight);
        }
        let blend = fifth + 0.01 * third;
        let error = h * h * fifth * fifth / (blend * n as f64);
        if blend == 0.0 { 0.0 } else { error }
    }

    #[inline]
    fn sketch(k: &[&[f64]; 16], i: usize) -> [f64; 3] {
        let [k1, _, _, _, _, k6, k7, k8, k9, k10, k11, k12, k13, ..] = k;
        let [s4, s5] = [&S4, &S5].map(|s| {
            s[0] * k1[i]
                + s[5] * k6[i]
                + s[6] * k7[i]
                + s[7] * k8[i]
                + s[8] * k9[i]
                + s[9] * k10[i]
                + s[10] * k11[i]
                + s[11] * k12[i]
                + s[12] * k13[i]
        });
        [s4, s5, SKETCH_ERROR * Self::estimate(k, i)]
    }

    #[inline]
    fn bend<S: System>(
        step: &mut ExplicitStepper<Self, S::State, 16, 7>,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
        parts: &[Range<usize>],
    ) -> Result<(), Fault> {
        let ExplicitStepper { y, work: w, k, r, dense_firmness, .. } = step;
        let m = problem.coupled(y);
        let [k1, _, _, _, _, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16] = k;
        stage!(w[..m] = y + h * A14[0: k1, 6: k7, 7: k8, 8: k9, 9: k10, 10: k11, 11: k12, 12: k13]);
        problem.rhs(t + C[13] * h, w, k14)?;
        *dense_firmness = dense_firmness.min(problem.firmness());
        stage!(w[..m] = y + h * A15[0: k1, 5: k6, 6: k7, 7: k8, 10: k11, 11: k12, 12: k13, 13: k14]);
        problem.rhs(t + C[14] * h, w, k15)?;
        *dense_firmness = dense_firmness.min(problem.firmness());
        stage!(w[..m] = y + h * A16[0: k1, 5: k6, 6: k7, 7: k8, 8: k9, 12: k13, 13: k14, 14: k15]);
        problem.rhs(t + C[15] * h, w, k16)?;
        *dense_firmness = dense_firmness.min(problem.firmness());

        for part in parts {
            let [k1, _, _, _, _, k6, k7, k8, k9, k10, k11, k12, k13, k14, k15, k16] =
                k.each_ref().map(|k| &k.as_slice()[part.clone()]);
            let term = |d: &[f64; 16], i: usize| {
                h * (d[0] * k1[i]
                    + d[5] * k6[i]
                    + d[6] * k7[i]
                    + d[7] * k8[i]
                    + d[8] * k9[i]
                    + d[9] * k10[i]
                    + d[10] * k11[i]
                    + d[11] * k12[i]
                    + d[12] * k13[i]
                    + d[13] * k14[i]
                    + d[14] * k15[i]
                    + d[15] * k16[i])
            };
            let [_, _, _, r4, r5, r6, r7] =
                r.each_mut().map(|r| &mut r.as_mut_slice()[part.clone()]);
            for i in 0..part.len() {
                r4[i] = term(&D4, i);
                r5[i] = term(&D5, i);
                r6[i] = term(&D6, i);
                r7[i] = term(&D7, i);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::{worst_residual, worst_residual_at, worst_row_sum};
    use super::*;

    const ROWS: [&[f64]; 16] =
        [&[], &A2, &A3, &A4, &A5, &A6, &A7, &A8, &A9, &A10, &A11, &A12, &B, &A14, &A15, &A16];

    #[test]
    fn property_rows_sum_to_nodes() {
        // Entries up to 43 in magnitude cancel: a few units of their last place remain.
        assert!(worst_row_sum(&ROWS, &C) < 4e-14);
    }

    #[test]
    fn property_all_200_conditions_of_order_8_hold() {
        let (count, residual) = worst_residual(&ROWS, &B, 8);
        assert_eq!(count, 200);
        assert!(residual < 1e-13, "{residual:e}");
        assert!(worst_residual(&ROWS, &B, 9).1 > 1e-8, "not of order 9");
    }

    #[test]
    fn property_embedded_weights_have_orders_5_and_3() {
        let fifth: [f64; 12] = std::array::from_fn(|i| B[i] - E5[i]);
        assert!(worst_residual(&ROWS, &fifth, 5).1 < 1e-13);
        assert!(worst_residual(&ROWS, &fifth, 6).1 > 1e-6);
        assert!(worst_residual(&ROWS, &B3, 3).1 < 1e-14);
        assert!(worst_residual(&ROWS, &B3, 4).1 > 1e-4);
    }

    #[test]
    fn exact_the_error_of_the_sketch_is_bounded_by_the_estimate() {
        // y' = t⁵ over [0, 1]: nothing but a term of order 6.
        let k = C.map(|c| [c.powi(5)]);
        let k = k.each_ref().map(|k| &k[..]);
        let [s4, s5, bound] = Dop853::sketch(&k, 0);
        for i in 1..20 {
            let theta = 0.05 * f64::from(i);
            let weight = (theta * (1.0 - theta)).powi(2);
            // The cubic with the values 0, 1/6 and the slopes 0, 1 at the ends.
            let cubic = theta * theta * (3.0 - 2.0 * theta) / 6.0 - theta * theta * (1.0 - theta);
            let error = theta.powi(6) / 6.0 - cubic - weight * (s4 + theta * s5);
            assert!(error.abs() <= 0.25 * bound.abs() * weight, "{error:e} at {theta}");
        }
    }

    #[test]
    fn property_the_sketch_meets_the_conditions_of_order_5_everywhere() {
        for i in 1..10 {
            let theta = 0.1 * f64::from(i);
            let rest = 1.0 - theta;
            let weights: [f64; 13] = std::array::from_fn(|j| {
                let b = B.get(j).copied().unwrap_or(0.0);
                let [first, last] = [0, 12].map(|end| if j == end { 1.0 } else { 0.0 });
                let (bow, turn) = (first - b, 2.0 * b - last - first);
                theta * (b + rest * (bow + theta * (turn + rest * (S4[j] + theta * S5[j]))))
            });
            assert!(worst_residual_at(theta, &ROWS[..13], &weights, 5).1 < 1e-13);
            assert!(worst_residual_at(theta, &ROWS[..13], &weights, 6).1 > 1e-7, "not of order 6");
        }
    }
}
