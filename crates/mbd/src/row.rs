//! One scalar constraint between two bodies: residual, Jacobian, and what the acceleration must meet.
//!
//! Every joint and every driver is a list of rows. With the vector e = p_b − p_a from the anchor on a to that on
//! b, a direction u and a target f(t), a row is one of
//!
//! | row | C(q, t) | direction u |
//! |---|---|---|
//! | `X`, `Y` | u·e − f | axis of the world |
//! | `Along`, `Normal` | u·e − f | fixed on a, turns with it |
//! | `Distance` | ‖e‖ − L − f | e/‖e‖ |
//! | `Angle` | φ_b − φ_a − φ_0 − f | – |
//!
//! and for all of them C̈ = J q̈ − γ with J = ∂C/∂q, γ = f̈ − (what depends on positions and velocities only).

use jointplay_contact::expression::Jet;

use crate::frame::{Motion, Spatial, cross, dot, perp, scale, sub};
use crate::real::Real;

/// A point of a body in its frame at the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Station {
    /// Number of the body's frame.
    pub(crate) frame: usize,
    /// From the centre of mass, in the body [m].
    pub(crate) local: [f64; 2],
}

/// What a row measures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum RowKind {
    /// World x of e.
    X,
    /// World y of e.
    Y,
    /// Component of e along a unit vector of body a.
    Along([f64; 2]),
    /// Length of e.
    Distance,
    /// φ_b − φ_a.
    Angle,
}

/// One scalar constraint.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    pub(crate) kind: RowKind,
    pub(crate) a: Station,
    pub(crate) b: Station,
    /// L or φ_0: what is taken off the measure besides f(t).
    pub(crate) offset: f64,
    /// Number of the driver whose signal is f(t).
    pub(crate) driver: Option<usize>,
}

/// A row at one instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowValue<T> {
    /// C.
    pub(crate) residual: T,
    /// Ċ = J q̇ − ḟ.
    pub(crate) rate: T,
    /// γ: the constraint asks for J q̈ = γ.
    pub(crate) gamma: T,
    /// J on body a.
    pub(crate) on_a: Spatial<T>,
    /// J on body b.
    pub(crate) on_b: Spatial<T>,
}

impl<T: Real> RowValue<T> {
    pub(crate) const ZERO: Self = RowValue {
        residual: T::ZERO,
        rate: T::ZERO,
        gamma: T::ZERO,
        on_a: [T::ZERO; 3],
        on_b: [T::ZERO; 3],
    };
}

/// A target that is zero for all time.
pub(crate) const NO_TARGET: Jet = Jet { value: 0.0, first: 0.0, second: 0.0 };

impl Row {
    /// The frames of both bodies.
    pub(crate) fn frames(&self) -> [usize; 2] {
        [self.a.frame, self.b.frame]
    }

    /// The row at one instant; `target` is f(t).
    #[inline]
    pub(crate) fn eval<T: Real>(&self, motion: &[Motion<T>], target: Jet) -> RowValue<T> {
        let (a, b) = (&motion[self.a.frame], &motion[self.b.frame]);
        let Jet { value: f, first: f_dot, second: f_ddot } = target;
        if self.kind == RowKind::Angle {
            let one = T::constant(1.0);
            return RowValue {
                residual: b.angle - a.angle - (self.offset + f),
                rate: b.omega - a.omega - f_dot,
                gamma: T::constant(f_ddot),
                on_a: [T::ZERO, T::ZERO, -one],
                on_b: [T::ZERO, T::ZERO, one],
            };
        }
        let (p_a, p_b) = (a.point(self.a.local), b.point(self.b.local));
        let e = sub(p_b.x, p_a.x);
        let e_dot = sub(p_b.v, p_a.v);
        // ë = (terms linear in the accelerations) + centripetal
        let centripetal = sub(scale(p_a.arm, a.omega * a.omega), scale(p_b.arm, b.omega * b.omega));
        let (u, measure, own_rate, bend, turning) = match self.kind {
            RowKind::X => {
                let u = [T::constant(1.0), T::ZERO];
                (u, e[0], e_dot[0], T::ZERO, T::ZERO)
            }
            RowKind::Y => {
                let u = [T::ZERO, T::constant(1.0)];
                (u, e[1], e_dot[1], T::ZERO, T::ZERO)
            }
            RowKind::Along(direction) => {
                // u̇ = ω_a perp(u), ü = α_a perp(u) − ω_a² u
                let u = a.turn(direction);
                let side = perp(u);
                let across = dot(side, e);
                let rate = dot(u, e_dot) + a.omega * across;
                let bend = a.omega * (dot(side, e_dot) * 2.0) - a.omega * a.omega * dot(u, e);
                (u, dot(u, e), rate, bend, across)
            }
            RowKind::Distance | RowKind::Angle => {
                // d²‖e‖/dt² = u·ë + (‖ė‖² − (u·ė)²)/‖e‖
                let length = dot(e, e).sqrt();
                let u = scale(e, T::constant(1.0) / length);
                let side = cross(u, e_dot);
                (u, length, dot(u, e_dot), side * side / length, T::ZERO)
            }
        };
        RowValue {
            residual: measure - (self.offset + f),
            rate: own_rate - f_dot,
            gamma: -(dot(u, centripetal) + bend - f_ddot),
            on_a: [-u[0], -u[1], turning - cross(p_a.arm, u)],
            on_b: [u[0], u[1], cross(p_b.arm, u)],
        }
    }
}
