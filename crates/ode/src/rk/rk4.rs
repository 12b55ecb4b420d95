//! The classical method of order 4 with steps of one size.
//!
//! # Source
//!
//! W. Kutta, *Beitrag zur näherungsweisen Integration totaler Differentialgleichungen*, Z. Math. Phys. 46 (1901)
//! 435–453; table 1.2 of chapter II of E. Hairer, S. P. Nørsett, G. Wanner, *Solving Ordinary Differential
//! Equations I*, 2nd ed., Springer 1993.

use super::explicit::{Explicit, ExplicitStepper};
use crate::stepper::{Frozen, Method};
use crate::{Control, Fault, System, Vector};

/// The classical method of order 4 with steps of one size, and dense output of order 3.
///
/// It does not estimate its error: the tolerance has no effect, and the step alone decides the accuracy. Meant for
/// reproducing results that were computed this way.
///
/// Every step has the size given, except one that ends in an event, at a stop or at the end of the span (which may be
/// longer by 1 %), one that could not be computed and is tried again shorter, and the first after an event, which is
/// no longer than the time since the previous event.
/// [`Options::max_step`](crate::Options::max_step) still applies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rk4 {
    /// The step, above 0, finite.
    pub step: f64,
}

impl Method for Rk4 {
    type Stepper<V: Vector> = ExplicitStepper<Self, V, 5, 3>;

    #[inline]
    fn stepper<V: Vector>(self, y: V) -> Self::Stepper<V> {
        ExplicitStepper::new(self, y)
    }
}

const C: [f64; 4] = [0.0, 1.0 / 2.0, 1.0 / 2.0, 1.0];
const A2: [f64; 1] = [1.0 / 2.0];
const A3: [f64; 2] = [0.0, 1.0 / 2.0];
const A4: [f64; 3] = [0.0, 0.0, 1.0];
const B: [f64; 4] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

impl Explicit<5, 3> for Rk4 {
    /// Only `shrink` has an effect, on a step that cannot be computed.
    const CONTROL: Control = Control { order: 4.0, alpha: 0.0, beta: 0.0, shrink: 0.5, grow: 1.0 };
    const NODE_STRIDE: usize = 4;

    #[inline]
    fn fixed_step(self) -> Option<f64> {
        Some(self.step)
    }

    #[inline]
    fn stages<S: System>(
        step: &mut ExplicitStepper<Self, S::State, 5, 3>,
        problem: &mut Frozen<'_, S>,
        t: f64,
        h: f64,
    ) -> Result<(), Fault> {
        let ExplicitStepper { y, end, work: w, k, .. } = step;
        let m = problem.coupled(y);
        let [k1, k2, k3, k4, _] = k;
        stage!(w[..m] = y + h * A2[0: k1]);
        problem.rhs(t + C[1] * h, w, k2)?;
        stage!(w[..m] = y + h * A3[1: k2]);
        problem.rhs(t + C[2] * h, w, k3)?;
        stage!(w[..m] = y + h * A4[2: k3]);
        problem.rhs(t + C[3] * h, w, k4)?;
        stage!(end = y + h * B[0: k1, 1: k2, 2: k3, 3: k4]);
        Ok(())
    }

    /// The difference between the slopes at the ends and those in the middle. It serves only to
    /// name a component in a fault; it does not control the step.
    #[inline]
    fn estimate([k1, k2, k3, k4, _]: &[&[f64]; 5], i: usize) -> f64 {
        (k1[i] + k4[i]) - (k2[i] + k3[i])
    }

    #[inline]
    fn error(_k: &[&[f64]; 5], _h: f64, _admitted: impl Fn(usize) -> f64) -> f64 {
        0.0
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
