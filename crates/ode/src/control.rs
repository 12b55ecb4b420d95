//! The size of the next step, from errors and at the start.

use crate::stepper::{Admitted, Frozen, Stepper};
use crate::vector::{all_finite, combine};
use crate::{System, Vector};

/// The rule that computes the step size from the error: the PI controller of Gustafsson in the form
/// of Hairer, Nørsett and Wanner, *Solving Ordinary Differential Equations I*, 2nd ed., Springer
/// 1993, section II.4 and the codes DOPRI5 and DOP853 of its appendix, `h_new = 0.9 h err^(−alpha)
/// err_old^beta`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Control {
    /// The order whose error is controlled: `1/order` is the exponent of an integral controller.
    pub order: f64,
    /// Exponent on the present error, without memory of the previous one.
    pub alpha: f64,
    /// Exponent on the previous error.
    pub beta: f64,
    /// A step shrinks at most to this fraction of the last.
    pub shrink: f64,
    /// A step grows at most to this multiple of the last.
    pub grow: f64,
}

/// The controller remembers no error below 1e-4.
pub(crate) const LN_ERROR_FLOOR: f64 = -9.210340371976182;

/// A step aims at this fraction of the size that would just pass.
const LN_SAFETY: f64 = -0.10536051565782628; // ln 0.9

impl Control {
    /// The factor on the step size after a step that passed.
    #[inline]
    pub(crate) fn after_success(&self, ln_error: f64, ln_error_before: f64) -> f64 {
        let ln_factor = LN_SAFETY - self.alpha * ln_error + self.beta * ln_error_before;
        libm::exp(ln_factor).clamp(self.shrink, self.grow)
    }

    /// The factor on the step size after a step that did not pass.
    #[inline]
    pub(crate) fn after_failure(&self, ln_error: f64) -> f64 {
        libm::exp(LN_SAFETY - self.alpha * ln_error).max(self.shrink)
    }
}

/// A first step from the size of the state, its slope and the change of the slope: Hairer, Nørsett, Wanner,
/// *Solving Ordinary Differential Equations I*, 2nd ed., Springer 1993, section II.4. One evaluation.
pub(crate) fn first_step<S: System, T: Stepper<S::State>>(
    stepper: &mut T,
    problem: &mut Frozen<'_, S>,
    t: f64,
    admitted: &Admitted<S::State>,
) -> f64 {
    let (y, slope, euler, end_slope) = stepper.scratch();
    end_slope.as_mut_slice().fill(0.0);
    let size = admitted.distance(y, end_slope, y);
    let speed = admitted.distance(slope, end_slope, y);
    let h0 = if size < 1e-5 || speed < 1e-5 { 1e-6 } else { 0.01 * size / speed };
    combine(euler, y, [(h0, slope)]);
    if problem.rhs(t + h0, euler, end_slope).is_err() || !all_finite(end_slope) {
        return 0.01 * h0;
    }
    let bend = admitted.distance(end_slope, slope, y) / h0;
    let strength = speed.max(bend);
    let h1 = if strength <= 1e-15 {
        (1e-3 * h0).max(1e-6)
    } else {
        libm::pow(0.01 / strength, 1.0 / T::CONTROL.order)
    };
    h1.min(100.0 * h0)
}
