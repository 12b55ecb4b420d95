//! The pair of Dormand and Prince of orders 5 and 4.
//!
//! # Source
//!
//! J. R. Dormand, P. J. Prince, *A family of embedded Runge–Kutta formulae*, J. Comput. Appl. Math. 6 (1980)
//! 19–26; table 5.2 of E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential Equations I*, 2nd ed.,
//! Springer 1993. Dense output of order 4: ibid. section II.6, the `CONTD5` of the code DOPRI5.

use std::ops::Range;

use super::explicit::{Explicit, ExplicitStepper};
use crate::stepper::{Frozen, Method};
use crate::{Control, Fault, System, Vector};

/// The method of Dormand and Prince of order 5 with error estimate of order 4 and dense output of order 4.
///
/// Six evaluations per step, and none for dense output: the choice for tolerances down to about 1e-9 and for
/// problems with many events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dopri5;

impl Method for Dopri5 {
    type Stepper<V: Vector> = ExplicitStepper<Self, V, 7, 4>;

    #[inline]
    fn stepper<V: Vector>(self, y: V) -> Self::Stepper<V> {
        ExplicitStepper::new(self, y)
    }
}

const C: [f64; 7] = [0.0, 1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0, 1.0, 1.0];

const A2: [f64; 1] = [1.0 / 5.0];
const A3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
const A4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
const A5: [f64; 4] = [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0];
const A6: [f64; 5] =
    [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0];
/// Weights of order 5, which are also the last row: the slope at the end is the first one of the next step.
const B: [f64; 6] =
    [35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
/// Weights of order 5 minus those of order 4.
const E: [f64; 7] = [
    71.0 / 57600.0,
    0.0,
    -71.0 / 16695.0,
    71.0 / 1920.0,
    -17253.0 / 339200.0,
    22.0 / 525.0,
    -1.0 / 40.0,
];
/// Coefficients of the term `θ²(1−θ)²` of the dense output.
const D: [f64; 7] = [
    -12715105075.0 / 11282082432.0,
    0.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

impl Explicit<7, 4> for Dopri5 {
    const CONTROL: Control =
        Control { order: 5.0, alpha: 0.2 - 0.75 * 0.04, beta: 0.04, shrink: 0.2, grow: 10.0 };
    const NODE_STRIDE: usize = 4;
    const ESTIMATE_AT_END: bool = true;

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
        stage!(end = y + h * B[0: k1, 2: k3, 3: k4, 4: k5, 5: k6]);
        Ok(())
    }

    #[inline]
    fn estimate(k: &[&[f64]; 7], i: usize) -> f64 {
        let [k1, _, k3, k4, k5, k6, k7] = k;
        E[0] * k1[i] + E[2] * k3[i] + E[3] * k4[i] + E[4] * k5[i] + E[5] * k6[i] + E[6] * k7[i]
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
            let [k1, _, k3, k4, k5, k6, k7] = k.each_ref().map(|k| &k.as_slice()[part.clone()]);
            for i in 0..part.len() {
                r4[i] = h
                    * (D[0] * k1[i]
                        + D[2] * k3[i]
                        + D[3] * k4[i]
                        + D[4] * k5[i]
                        + D[5] * k6[i]
                        + D[6] * k7[i]);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::trees::{worst_residual, worst_row_sum};
    use super::*;

    const ROWS: [&[f64]; 7] = [&[], &A2, &A3, &A4, &A5, &A6, &B];

    #[test]
    fn property_rows_sum_to_nodes() {
        // Entries up to 12 in magnitude cancel: a few units of their last place remain.
        assert!(worst_row_sum(&ROWS, &C) < 1e-14);
    }

    #[test]
    fn property_all_17_conditions_of_order_5_hold() {
        let (count, residual) = worst_residual(&ROWS, &B, 5);
        assert_eq!(count, 17);
        assert!(residual < 1e-14, "{residual:e}");
        assert!(worst_residual(&ROWS, &B, 6).1 > 1e-5, "not of order 6");
    }

    #[test]
    fn property_embedded_weights_have_order_4_and_not_5() {
        let embedded: [f64; 7] = std::array::from_fn(|i| B.get(i).copied().unwrap_or(0.0) - E[i]);
        let (count, residual) = worst_residual(&ROWS, &embedded, 4);
        assert_eq!(count, 8);
        assert!(residual < 1e-14, "{residual:e}");
        assert!(worst_residual(&ROWS, &embedded, 5).1 > 1e-5);
    }
}
