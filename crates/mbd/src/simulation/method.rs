//! The methods of integration.

use serde::{Deserialize, Serialize};

/// The method of integration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Method {
    /// Fehlberg, order 4(5) (Fehlberg1969): the method of Skrinjar2017.
    Rkf45,
    /// Dormand and Prince, order 5(4): the choice for loose tolerances and many events.
    Dopri5,
    /// Dormand and Prince, order 8(5,3): the choice for tight tolerances.
    Dop853,
    /// [`Dop853`](Method::Dop853), and [`Radau5`](Method::Radau5) where contacts are so strongly damped that the steps of an
    /// explicit method are held down by its stability, switched inside the run.
    #[default]
    Auto,
    /// Radau IIA, order 5, implicit (HairerWanner1996), with exact derivatives of the equations of motion: the choice for
    /// stiff mechanisms.
    Radau5,
    /// Classical Runge–Kutta, order 4, with steps of fixed size: for comparisons.
    Rk4 {
        /// The step (s).
        step: f64,
    },
}

impl Method {
    /// Every method, the default first; the fixed-step method has a step of 1 µs here.
    pub const ALL: [Method; 6] = [
        Method::Auto,
        Method::Dop853,
        Method::Dopri5,
        Method::Rkf45,
        Method::Radau5,
        Method::Rk4 { step: 1e-6 },
    ];

    /// Its name in model files.
    pub const fn name(self) -> &'static str {
        match self {
            Method::Rkf45 => "rkf45",
            Method::Dopri5 => "dopri5",
            Method::Dop853 => "dop853",
            Method::Auto => "auto",
            Method::Radau5 => "radau5",
            Method::Rk4 { .. } => "rk4",
        }
    }

    /// Its step (s), if it has a fixed one.
    pub fn fixed_step(self) -> Option<f64> {
        match self {
            Method::Rk4 { step } => Some(step),
            Method::Rkf45 | Method::Dopri5 | Method::Dop853 | Method::Auto | Method::Radau5 => None,
        }
    }
}

/// Evaluates an expression with the integrator of a [`Method`].
macro_rules! with_method {
    ($method:expr, $name:ident => $body:expr) => {
        match $method {
            Method::Rkf45 => {
                let $name = jointplay_ode::Resting(jointplay_ode::Rkf45);
                $body
            }
            Method::Dopri5 => {
                let $name = jointplay_ode::Resting(jointplay_ode::Dopri5);
                $body
            }
            Method::Dop853 => {
                let $name = jointplay_ode::Resting(jointplay_ode::Dop853);
                $body
            }
            Method::Auto => {
                let $name = jointplay_ode::Auto(jointplay_ode::Dop853);
                $body
            }
            Method::Radau5 => {
                let $name = jointplay_ode::Radau5;
                $body
            }
            Method::Rk4 { step } => {
                let $name = jointplay_ode::Rk4 { step };
                $body
            }
        }
    };
}

pub(super) use with_method;
