//! One scalar constraint between two bodies: residual, Jacobian, and condition on the
//! accelerations.
//!
//! Every joint and every driver is a list of rows. With the vector e = p_b − p_a from the anchor on a to that on
//! b, a direction u and a target f(t), a row is one of
//!
//! | row | C(q, t) | direction u |
//! |---|---|---|
//! | `X`, `Y` | u·e − f | axis of the world |
//! | `Along` | u·e − f | fixed on a, turns with it |
//! | `Distance` | ‖e‖ − L − f | e/‖e‖ |
//! | `Angle` | φ_b − φ_a − φ_0 − f | – |
//!
//! and for all of them C̈ = J q̈ − γ with J = ∂C/∂q, γ = f̈ − (what depends on positions and velocities only).

use jointplay_expression::Jet;

use crate::frame::{Motion, Spatial, cross, dot, perp, scale, sub};
use crate::real::Real;

/// A point of a body in its frame at the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Station {
    /// Number of the body's frame.
    pub(crate) frame: usize,
    /// From the centre of mass, in the body (m).
    pub(crate) local: [f64; 2],
}

/// The quantity that a row constrains.
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
    /// L or φ_0: the constant that is subtracted in addition to f(t).
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
    /// γ: the constraint requires J q̈ = γ.
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

    /// The scale of a violation: the size of the mechanism (1 rad for an angle), or a fraction of
    /// the coordinates in the row if that is larger, so that their rounding stays below every
    /// tolerance of violations.
    pub(crate) fn size(&self, length: f64, motion: &[Motion<f64>]) -> f64 {
        /// Rounding of the coordinates over the smallest tolerance, 1e-13: a few units of ε = 2.2e-16.
        const ROUNDING: f64 = 0.02;
        let (a, b) = (&motion[self.a.frame], &motion[self.b.frame]);
        let (size, coordinates) = if self.kind == RowKind::Angle {
            (1.0, a.angle.abs().max(b.angle.abs()))
        } else {
            let far = |motion: &Motion<f64>, local: [f64; 2]| {
                let [x, y] = motion.x;
                x.abs().max(y.abs()) + local[0].abs().max(local[1].abs())
            };
            (length, far(a, self.a.local).max(far(b, self.b.local)))
        };
        // Infinite coordinates must not hide a violation.
        size + if coordinates.is_finite() { ROUNDING * coordinates } else { 0.0 }
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
        let (zero, one) = (T::ZERO, T::constant(1.0));
        // The world's axes: u·(x, y) is a component.
        let along_axis = |axis: usize, on_a: Spatial<T>, on_b: Spatial<T>| RowValue {
            residual: e[axis] - (self.offset + f),
            rate: e_dot[axis] - f_dot,
            gamma: -(centripetal[axis] - f_ddot),
            on_a,
            on_b,
        };
        let (u, measure, own_rate, bend, turning) = match self.kind {
            RowKind::X => {
                return along_axis(0, [-one, zero, p_a.arm[1]], [one, zero, -p_b.arm[1]]);
            }
            RowKind::Y => {
                return along_axis(1, [zero, -one, -p_a.arm[0]], [zero, one, p_b.arm[0]]);
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
                if length.value() == 0.0 {
                    // Coinciding points separate in the direction of their motion, and at rest in
                    // none.
                    let speed = dot(e_dot, e_dot).sqrt();
                    let moves = speed.value() > 0.0;
                    let u = if moves { scale(e_dot, one / speed) } else { [zero; 2] };
                    (u, length, speed, zero, zero)
                } else {
                    let u = scale(e, one / length);
                    let side = cross(u, e_dot);
                    (u, length, dot(u, e_dot), side * side / length, zero)
                }
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

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::frame::dot3;
    use crate::real::{Dual, WIDTH};

    impl<T: Real> Motion<T> {
        /// The motion with these coordinates (x, y, φ) and these velocities.
        pub(crate) fn at([x, y, angle]: [T; 3], [vx, vy, omega]: [T; 3]) -> Self {
            let (sin, cos) = angle.sin_cos();
            Motion { x: [x, y], angle, cos, sin, v: [vx, vy], omega }
        }
    }

    /// f′(0) by differences of fourth order.
    pub(crate) fn slope(f: impl Fn(f64) -> f64) -> f64 {
        let h = 3e-4;
        (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
    }

    /// Action and reaction: forces on two bodies and their moments about the origin of the world add up to nothing.
    pub(crate) fn assert_balanced(force: &[[f64; 3]], motion: &[Motion<f64>; 2]) {
        let size = force.iter().flatten().fold(1.0_f64, |size, f| size.max(f.abs()));
        let about_origin = |body: usize| {
            let [fx, fy, moment] = force[body];
            [fx, fy, moment + cross(motion[body].x, [fx, fy])]
        };
        let (a, b) = (about_origin(0), about_origin(1));
        for i in 0..3 {
            // Arms of a few metres.
            assert!((a[i] + b[i]).abs() < 1e-13 * 10.0 * size, "{i}: {a:?} {b:?}");
        }
    }

    /// Two bodies and a target, all of them quadratic in time.
    #[derive(Clone, Copy, Debug)]
    pub(crate) struct Course {
        pub(crate) q: [[f64; 3]; 2],
        pub(crate) v: [[f64; 3]; 2],
        a: [[f64; 3]; 2],
        f: [f64; 3],
    }

    impl Course {
        pub(crate) fn motion(&self, t: f64) -> [Motion<f64>; 2] {
            [0, 1].map(|body| {
                let (q, v, a) = (self.q[body], self.v[body], self.a[body]);
                Motion::at(
                    std::array::from_fn(|i| q[i] + t * (v[i] + 0.5 * t * a[i])),
                    std::array::from_fn(|i| v[i] + t * a[i]),
                )
            })
        }

        /// The motion with coordinate number `i` of the six moved by `h`.
        pub(crate) fn moved(&self, i: usize, h: f64) -> [Motion<f64>; 2] {
            let mut q = self.q;
            q[i / 3][i % 3] += h;
            Course { q, ..*self }.motion(0.0)
        }

        /// The motion with variable number `i` of all twelve moved by `h`: first the coordinates, then the velocities.
        pub(crate) fn varied(&self, i: usize, h: f64) -> [Motion<f64>; 2] {
            if i < 6 {
                return self.moved(i, h);
            }
            let mut v = self.v;
            v[(i - 6) / 3][i % 3] += h;
            Course { v, ..*self }.motion(0.0)
        }

        /// The motion in dual numbers, with the variables from `first` on as directions.
        pub(crate) fn dual(&self, first: usize) -> [Motion<Dual>; 2] {
            let seeded = |i: usize, value: f64| {
                let direction = i.checked_sub(first).filter(|&direction| direction < WIDTH);
                direction
                    .map_or(Dual::constant(value), |direction| Dual::variable(value, direction))
            };
            [0, 1].map(|body| {
                Motion::at(
                    std::array::from_fn(|i| seeded(3 * body + i, self.q[body][i])),
                    std::array::from_fn(|i| seeded(6 + 3 * body + i, self.v[body][i])),
                )
            })
        }

        fn target(&self, t: f64) -> Jet {
            let [f, f_dot, f_ddot] = self.f;
            Jet {
                value: f + t * (f_dot + 0.5 * t * f_ddot),
                first: f_dot + t * f_ddot,
                second: f_ddot,
            }
        }
    }

    pub(crate) fn course() -> impl Strategy<Value = Course> {
        let three = || prop::array::uniform3(-2.0..2.0);
        let six = || prop::array::uniform2(three());
        (six(), six(), six(), three()).prop_map(|(q, v, a, f)| Course { q, v, a, f })
    }

    /// A point of each of the two bodies.
    pub(crate) fn stations() -> impl Strategy<Value = [Station; 2]> {
        let local = || prop::array::uniform2(-1.0..1.0);
        (local(), local())
            .prop_map(|(a, b)| [Station { frame: 0, local: a }, Station { frame: 1, local: b }])
    }

    fn row() -> impl Strategy<Value = Row> {
        let kind = prop_oneof![
            Just(RowKind::X),
            Just(RowKind::Y),
            (-3.0..3.0_f64).prop_map(|angle| RowKind::Along([angle.cos(), angle.sin()])),
            Just(RowKind::Distance),
            Just(RowKind::Angle),
        ];
        (kind, stations(), -1.0..1.0).prop_map(|(kind, [a, b], offset)| Row {
            kind,
            a,
            b,
            offset,
            driver: None,
        })
    }

    /// A row on a course; points that nearly coincide have no distance to differentiate.
    fn row_on_course() -> impl Strategy<Value = (Row, Course)> {
        (row(), course()).prop_filter("the points lie apart", |(row, course)| {
            let [a, b] = course.motion(0.0);
            let e = sub(b.point(row.b.local).x, a.point(row.a.local).x);
            dot(e, e) > 0.1
        })
    }

    /// Everything that a row answers.
    fn answers<T: Real>(value: &RowValue<T>) -> [T; 9] {
        let RowValue { residual, rate, gamma, on_a, on_b } = *value;
        let ([ax, ay, aw], [bx, by, bw]) = (on_a, on_b);
        [residual, rate, gamma, ax, ay, aw, bx, by, bw]
    }

    // Differences of fourth order over 3e-4 of functions with lengths above 0.3 leave 1e-9.
    const CLOSE: f64 = 1e-7;

    proptest! {
        #[test]
        fn property_the_jacobian_is_the_slope_of_the_residual((row, course) in row_on_course()) {
            let target = course.target(0.0);
            let value = row.eval(&course.motion(0.0), target);
            let jacobian = [value.on_a, value.on_b];
            for i in 0..6 {
                let slope = slope(|h| row.eval(&course.moved(i, h), target).residual);
                prop_assert!((slope - jacobian[i / 3][i % 3]).abs() < CLOSE, "{i}: {slope} {jacobian:?}");
            }
        }

        #[test]
        fn property_the_rate_is_that_of_the_residual((row, course) in row_on_course()) {
            let at = |t: f64| row.eval(&course.motion(t), course.target(t));
            let value = at(0.0);
            prop_assert!((slope(|t| at(t).residual) - value.rate).abs() < CLOSE);
            let carried = dot3(value.on_a, course.v[0]) + dot3(value.on_b, course.v[1]);
            // Two ways of writing one sum of terms below 10.
            prop_assert!((carried - course.f[1] - value.rate).abs() < 1e-13 * 10.0);
        }

        #[test]
        fn property_gamma_is_what_the_acceleration_must_meet((row, course) in row_on_course()) {
            let at = |t: f64| row.eval(&course.motion(t), course.target(t));
            let value = at(0.0);
            let carried = dot3(value.on_a, course.a[0]) + dot3(value.on_b, course.a[1]);
            let second = slope(|t| at(t).rate);
            prop_assert!((second - (carried - value.gamma)).abs() < 10.0 * CLOSE, "{second} {carried}");
        }

        #[test]
        fn property_dual_numbers_give_every_slope_of_a_row((row, course) in row_on_course()) {
            let target = course.target(0.0);
            let value = answers(&row.eval(&course.motion(0.0), target));
            for i in 0..12 {
                let dual = answers(&row.eval(&course.dual(i - i % WIDTH), target));
                for (k, dual) in dual.iter().enumerate() {
                    let slope = slope(|h| answers(&row.eval(&course.varied(i, h), target))[k]);
                    prop_assert_eq!(dual.value(), value[k]);
                    let exact = dual.slope(i % WIDTH);
                    let size = 1.0 + exact.abs();
                    prop_assert!((slope - exact).abs() < CLOSE * size, "{i} {k}: {slope} {exact}");
                }
            }
        }
    }
}
